#!/usr/bin/env python3
"""Writers of one file, through two roots of which one is in the other, killed at random: no edit is lost.

    writers.py --emend BINARY [--writers N] [--edits N] [--kill-every S] [--seed N]

Each writer is an `emend batch` that adds lines of its own to the same file. With --kill-every, one by
chance is killed (-9) every S seconds and another takes its work up: an edit that had been answered is
never made again, one that had not been answered is made again unless the file has it. At the end, after
`emend recover`, every line must be there once, in the order of its writer, and no stray name.
The last line is `N passed, N failed`; an edit is a test.
"""
import argparse
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

LIMIT_S = 600
START = "END\n"


class Writer(threading.Thread):
    """Adds its lines one after the other, by a process that may be killed under it."""

    def __init__(self, number, args, base):
        super().__init__(daemon=True)
        self.number, self.args, self.base = number, args, base
        root, self.name = (base / "ws", "sub/a.txt") if number % 2 else (base / "ws/sub", "a.txt")
        self.file = base / "ws/sub/a.txt"
        self.command = [args.emend, "batch", "--root", root, "--state-dir", base / "state", "--sync", "off",
                        "--lock-timeout", "120s"]
        self.process, self.wrong, self.killed, self.unanswered = None, [], 0, 0

    def begin(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, cwd="/")

    def end(self):
        with contextlib.suppress(BrokenPipeError):  # of what the dead one did not read any more
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def line_of(self, edit):
        return f"w{self.number}-{edit}."

    def add(self, edit):
        """Whether it was answered; an answer that is no success is wrong."""
        call = {"id": edit, "tool": "edit_file", "arguments": {
            "file_path": self.name, "old_string": "END", "new_string": f"{self.line_of(edit)}\nEND"}}
        try:
            self.process.stdin.write(json.dumps(call).encode() + b"\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer.endswith(b"\n"):
            return False
        answer = json.loads(answer)
        if answer["isError"]:
            self.wrong.append(f"{self.line_of(edit)} {answer['result']}")
        return True

    def has(self, edit):
        return f"{self.line_of(edit)}\n".encode() in self.file.read_bytes()

    def run(self):
        self.begin()
        for edit in range(self.args.edits):
            while not self.add(edit):
                self.end()
                self.killed += 1
                if self.killed > self.args.edits:
                    self.wrong.append("it does not stay alive")
                    return
                # What the dead one left undecided is decided before it is looked at.
                subprocess.run([self.args.emend, "recover", *map(str, self.command[2:6])], cwd="/",
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
                self.begin()
                if self.has(edit):
                    self.unanswered += 1
                    break
        self.end()


def kill_some(writers, every, chance):
    while any(writer.is_alive() for writer in writers):
        time.sleep(chance.uniform(0.2, 1.8) * every)
        alive = [writer for writer in writers if writer.is_alive() and writer.process]
        if alive:
            chance.choice(alive).process.kill()


def look(base, writers, args):
    """What is wrong, and how many edits are not there once."""
    wrong = [line for writer in writers for line in writer.wrong]
    done = subprocess.run([args.emend, "recover", "--root", base / "ws", "--state-dir", base / "state"],
                          capture_output=True, text=True, check=False, cwd="/")
    if done.returncode != 0:
        wrong.append(f"recover ended with {done.returncode}: {done.stdout}{done.stderr}")
    wrong += [f"left behind: {path}" for path in base.rglob(".emend-*")]
    content = (base / "ws/sub/a.txt").read_text()
    found = re.findall(r"^w(\d+)-(\d+)\.$", content, re.M)
    not_once = 0
    for writer in writers:
        mine = [int(edit) for number, edit in found if int(number) == writer.number]
        missing = set(range(args.edits)) - set(mine)
        not_once += len(missing) + len(mine) - len(set(mine))
        if missing:
            wrong.append(f"writer {writer.number}: lost: {sorted(missing)[:10]}")
        if mine != sorted(set(mine)):
            wrong.append(f"writer {writer.number}: twice, or out of order")
    if len(content.splitlines()) != len(found) + 1:
        wrong.append("there is what nobody wrote")
    return wrong, not_once


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--kill-every", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.emend = os.path.abspath(args.emend)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="emend-writers-") as folder:
        base = Path(folder).resolve()
        (base / "ws/sub").mkdir(parents=True)
        (base / "state").mkdir(mode=0o700)
        (base / "ws/sub/a.txt").write_text(START)
        writers = [Writer(number, args, base) for number in range(args.writers)]
        for writer in writers:
            writer.start()
        if args.kill_every:
            kill_some(writers, args.kill_every, random.Random(args.seed))
        for writer in writers:
            writer.join(LIMIT_S)
        wrong, not_once = look(base, writers, args)
    for line in wrong[:20]:
        print(f"  {line[:400]}")
    total = args.writers * args.edits
    killed, unanswered = sum(w.killed for w in writers), sum(w.unanswered for w in writers)
    print(f"writers: {args.writers} of {args.edits:,} edits each, two roots, {killed:,} killed "
          f"({unanswered} of them after the change, before the answer): {not_once} lost or there twice, "
          f"{time.monotonic() - started:.0f} s")
    failed = max(not_once, 1) if wrong else 0
    print(f"{total - failed} passed, {failed} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
