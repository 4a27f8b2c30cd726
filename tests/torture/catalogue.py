#!/usr/bin/env python3
"""The catalogue of attacks and faults in full, with the time of every single request taken.

    catalogue.py --emend BINARY --tools FOLDER

Prints what tests/catalogue/run.py does, and before its last line the longest request of all. One that
waits for a time it was given (a lock, `--deadline`) is no exception.
"""
import contextlib
import io
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "catalogue"))

import lab  # noqa: E402
import run  # noqa: E402


class Longest:
    seconds, what, count = 0.0, "", 0


def timed(function):
    def call(self, tool, *words, **more):
        started = time.monotonic()
        try:
            return function(self, tool, *words, **more)
        finally:
            took = time.monotonic() - started
            Longest.count += 1
            if took > Longest.seconds:
                Longest.seconds, Longest.what = took, f"{tool} {str(words)[:80]}"
    return call


class Lines(io.TextIOBase):
    """Lets every line through but the last, which is to stay the last."""

    def __init__(self, to):
        self.to, self.last = to, ""

    def write(self, text):
        self.last += text
        *whole, self.last = self.last.split("\n")
        for line in whole:
            if line.endswith(" failed") and " passed, " in line:
                took = f"longest of {Longest.count:,} requests: {Longest.seconds:.2f} s ({Longest.what})"
                line = f"{took}\n{line}"
            self.to.write(line + "\n")
        self.to.flush()
        return len(text)


def main():
    lab.Lab.call, lab.Lab.call_once = timed(lab.Lab.call), timed(lab.Lab.call_once)
    lab.Server.ask = timed(lab.Server.ask)
    with contextlib.redirect_stdout(Lines(sys.stdout)):
        return run.main()


if __name__ == "__main__":
    sys.exit(main())
