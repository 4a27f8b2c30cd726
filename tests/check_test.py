#!/usr/bin/env python3
"""Do runs of the parts of `make check` end, and is what they lack a failure? Without arguments."""
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import Tally

TOP = Path(__file__).resolve().parent.parent
SECONDS = 30
tally = Tally()

RUN = """
import sys
sys.path.insert(0, {scripts!r})
from pathlib import Path
import check
check.LOGS = Path({logs!r})
rows = {rows!r}
parts = [check.Part(name, "", [command], needs, check.count_exit) for name, command, needs in rows]
results = check.Run(parts, 2).all()
print(*(results[name].counts.failed for name, _, _ in rows))
"""


def ends(name, rows, failures):
    """Runs parts (name, command, needs), which fail as often as `failures` says."""
    with tempfile.TemporaryDirectory() as logs:
        code = RUN.format(scripts=str(TOP / "scripts"), logs=logs, rows=rows)
        try:
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                  timeout=SECONDS, check=False)
            good, more = done.stdout.splitlines()[-1:] == [failures], done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            good, more = False, f"ran for more than {SECONDS} s"
    tally.check(name, good, more)


def main():
    ends("parts that need each other", [("a", "true", ()), ("b", "true", ("a",))], "0 0")
    ends("a part that fails", [("a", "false", ()), ("b", "true", ())], "1 0")
    ends("what needs a part that failed is not run, and what needs that",
         [("a", "false", ()), ("b", "true", ("a",)), ("c", "true", ("b",))], "1 1 1")
    ends("... whichever stands first",
         [("c", "true", ("b",)), ("b", "true", ("a",)), ("a", "false", ())], "1 1 1")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
