#!/usr/bin/env python3
"""An editor that takes no lock saves the file that emend is changing: nothing that it saved is lost.

    foreign.py --emend BINARY [--how rename|truncate] [--rounds N] [--seed N]

Each round emend is asked for a change, and at a moment by chance within it the editor saves bytes that
were never there before, by a rename over the file or by opening it with truncation and writing at once.
When both are done the file must hold what was saved, as it was saved or with the change made in it, and
the answer must be true: a success whose change is gone is right only where the save came after it. Who had
opened the file before the exchange and truncates and writes after the last look writes to the old file: it
must be kept beside, whole, and later be told of in an answer.
The last line is `N passed, N failed`; a round is a test.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

PAD = "a line that stays\n" * 20
SHOWN = 10
# The moment of the save is drawn from a span that grows when a save came too early to be within the change
# and shrinks when it came after it.
SPAN_S, STEP = 0.001, 1.01


class Change:
    """`emend mcp` that is asked for one change at a time."""

    def __init__(self, emend, root, state, grace):
        self.process = subprocess.Popen(
            [emend, "mcp", "--root", root, "--state-dir", state, "--sync", "off", "--tools", "all",
             "--grace", grace],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd="/")
        self.last = 0
        self.send("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})
        self.answer()

    def send(self, method, params):
        self.last += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method,
                                             "params": params}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self):
        self.send("tools/call", {"name": "edit_file", "arguments": {
            "file_path": "a.txt", "old_string": "one", "new_string": "two"}})

    def answer(self):
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(f"emend ended: {self.process.wait()}")
            answer = json.loads(line)
            if answer.get("id") == self.last:
                return answer["result"]

    def end(self):
        self.process.stdin.close()
        return self.process.wait(60)


def text_of(word, number):
    return f"{word}\nsave {number}\n{PAD}".encode()


def save(path, how, content):
    if how == "rename":
        beside = path.with_name("editor.tmp")
        beside.write_bytes(content)
        os.rename(beside, path)
    else:
        fd = os.open(path, os.O_WRONLY | os.O_TRUNC)
        os.write(fd, content)
        os.close(fd)


def outcome_of(content, saved, number, result):
    """What this round was, or "wrong: ..."."""
    failed, text = result.get("isError", False), json.dumps(result)
    if content == text_of("two", number):
        return "changed after the save" if not failed else f"wrong: changed, and failed: {text[:300]}"
    if content == text_of("two", 0) and not failed:
        return "kept beside"
    if content != saved:
        return f"wrong: {content[:60]!r}"
    if not failed:
        return "saved after the change"
    if "onflict" in text or "CONFLICT" in text or "changed" in text:
        return "conflict"
    # Between the truncation and the writing there is nothing to be found.
    return "not found" if "not found" in text.lower() else f"wrong: {text[:300]}"


def rounds(change, path, args):
    chance, counts, wrong, kept, told = random.Random(args.seed), Counter(), [], [], ""
    span = SPAN_S
    for number in range(1, args.rounds + 1):
        path.write_bytes(text_of("one", 0))
        saved = text_of("one", number)
        until = chance.random() * span
        change.ask()
        asked = time.perf_counter()
        while time.perf_counter() - asked < until:
            pass
        save(path, args.how, saved)
        result = change.answer()
        told += json.dumps(result) if ".emend-" in json.dumps(result) else ""
        outcome = outcome_of(path.read_bytes(), saved, number, result)
        if outcome.startswith("wrong"):
            wrong.append(f"round {number}, saved after {until * 1e6:.0f} us: {outcome}")
            outcome = "wrong"
        if outcome == "kept beside":
            kept.append(saved)
        counts[outcome] += 1
        span = span / STEP if outcome == "saved after the change" else span * STEP
    return counts, wrong, kept, told


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--how", choices=("rename", "truncate"), default="rename")
    parser.add_argument("--rounds", type=int, default=15000)
    parser.add_argument("--grace", default="2s", help="emend's option")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="emend-foreign-") as folder:
        base = Path(folder).resolve()
        (base / "ws").mkdir()
        (base / "state").mkdir(mode=0o700)
        change = Change(os.path.abspath(args.emend), base / "ws", base / "state",
                        args.grace)
        counts, wrong, kept, told = rounds(change, base / "ws/a.txt", args)
        status = change.end()
        if status != 0:
            wrong.append(f"emend ended with {status}")
        beside = {path.name: path.read_bytes() for path in (base / "ws").glob(".emend-*")}
        wrong += [f"lost: {saved[:30]!r}" for saved in kept if saved not in beside.values()]
        wrong += [f"left behind: {name}" for name, content in beside.items() if content not in kept]
        # The last of them may be found only when there is no answer any more.
        wrong += [f"not told: {name}" for name, content in beside.items()
                  if content in kept[:-1] and name not in told]
    # Rounds in which neither met the other prove nothing.
    for outcome in ("conflict", "saved after the change", "changed after the save"):
        if args.rounds >= 1000 and not counts[outcome]:
            wrong.append(f"never: {outcome}")
    for line in wrong[:SHOWN]:
        print(f"  {line}")
    print(f"foreign editor, by {args.how}: {args.rounds:,} rounds, "
          + ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(counts.items()))
          + f"; {len(wrong)} wrong, {time.monotonic() - started:.0f} s")
    print(f"{args.rounds - min(len(wrong), args.rounds)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
