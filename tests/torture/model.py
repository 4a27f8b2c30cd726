#!/usr/bin/env python3
"""Edits at random beside a model: a few files in Python's memory, and the same on the disk by emend.

    model.py --emend BINARY [--seconds S] [--seed N] [--kill-every N]

Calls of several kinds (one file, several files all or nothing, new files in new folders, whole files, calls
that must fail) go to an `emend batch`; now and then it is killed in the midst of a call, and the
next one recovers. After a call the disk must be what the model says: after one that was killed, what was
there before or what it would have made, all of it. Between kills the process's memory and its open
descriptors must stay level. The last line is `N passed, N failed`; a call is a test.
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
from collections import Counter
from pathlib import Path

NAMES = ["a.txt", "b.txt", "sub/c.txt", "sub/d.txt", "sub/deep/e.txt", "f.txt"]
ENDS = ["\n", "\r\n"]
KB_OF_SLACK, DESCRIPTORS_OF_SLACK = 16384, 8
SHOWN = 10
LATEST_KILL_S = 0.001  # after the call is sent; most calls take less


class Emend:
    """`emend batch`, begun anew whenever it was killed."""

    def __init__(self, binary, base):
        self.command = [binary, "batch", "--root", base / "ws", "--state-dir", base / "state",
                        "--sync", "off"]
        self.recovery = [binary, "recover", *self.command[2:6]]
        self.begin()

    def begin(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, cwd="/")
        self.calls, self.first = 0, None

    def call(self, tool, arguments, kill_after=None):
        """The answer; None where it was killed before it gave one."""
        line = json.dumps({"id": 1, "tool": tool, "arguments": arguments}).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        if kill_after is not None:
            threading.Timer(kill_after, self.process.kill).start()
        answer = self.process.stdout.readline()
        self.calls += 1
        if kill_after is not None:
            self.end()
        return json.loads(answer) if answer.endswith(b"\n") else None

    def end(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def recover(self):
        done = subprocess.run(self.recovery, capture_output=True, text=True, check=False, cwd="/")
        return "" if done.returncode == 0 else f"recover: {done.returncode}: {done.stdout}{done.stderr}"

    def grown(self):
        """In words, what it has more of than after its first hundred calls; "" for nothing."""
        if self.calls < 100:
            return ""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        now = (int(re.search(r"VmRSS:\s*(\d+)", status)[1]),
               len(os.listdir(f"/proc/{self.process.pid}/fd")))
        self.first = self.first or now
        if now[0] > self.first[0] + KB_OF_SLACK or now[1] > self.first[1] + DESCRIPTORS_OF_SLACK:
            return f"memory {self.first[0]} -> {now[0]} KB, descriptors {self.first[1]} -> {now[1]}"
        return ""


class Model:
    """What the files are; and calls by chance with what each must make of them."""

    def __init__(self, seed):
        self.chance, self.number, self.files = random.Random(seed), 0, {}

    def fresh(self):
        self.number += 1
        return f"unique {self.number}."

    def some_text(self):
        end = self.chance.choice(ENDS)
        return "".join(self.fresh() + end for _ in range(self.chance.randint(1, 40)))

    def place_in(self, text):
        return self.chance.choice(re.findall(r"unique \d+\.", text))

    def there(self):
        return [name for name in NAMES if name in self.files]

    def call(self):
        """(tool, arguments, the files after it; None: it must fail)"""
        kinds = [self.write] if len(self.there()) < 3 else \
            [self.edit] * 6 + [self.edit_several] * 3 + [self.write, self.write_several, self.edit_nothing,
                                                         self.edit_several_and_nothing]
        return self.chance.choice(kinds)()

    def edit(self):
        name = self.chance.choice(self.there())
        old, new = self.place_in(self.files[name]), self.fresh()
        return "edit_file", {"file_path": name, "old_string": old, "new_string": new}, \
            {**self.files, name: self.files[name].replace(old, new)}

    def edit_several(self):
        names = self.chance.sample(self.there(), self.chance.randint(2, len(self.there())))
        after, edits = dict(self.files), []
        for name in names:
            old, new = self.place_in(after[name]), self.fresh()
            after[name] = after[name].replace(old, new)
            edits.append({"file": name, "replaceOperations": [{"search": old, "replace": new}]})
        return "editFiles", {"atomic": True, "edits": edits}, after

    def edit_several_and_nothing(self):
        tool, arguments, _ = self.edit_several()
        arguments["edits"][-1]["replaceOperations"][0]["search"] = "nowhere at all"
        return tool, arguments, None

    def edit_nothing(self):
        return "edit_file", {"file_path": self.chance.choice(self.there()), "old_string": "nowhere at all",
                             "new_string": "x"}, None

    def write(self):
        name, text = self.chance.choice(NAMES), self.some_text()
        return "write_file", {"file_path": name, "content": text}, {**self.files, name: text}

    def write_several(self):
        names = self.chance.sample(NAMES, 3)
        texts = {name: self.some_text() for name in names}
        return "writeFiles", {"atomic": True, "files": [
            {"file": name, "content": text} for name, text in texts.items()]}, {**self.files, **texts}


def on_disk(root):
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            found[str(path.relative_to(root))] = path.read_bytes().decode("utf-8", "backslashreplace")
    return found


def difference(found, expected):
    def kind(name):
        return "gone" if name not in found else "too much" if name not in expected else "other bytes"
    return ", ".join(f"{name}: {kind(name)}" for name in sorted({*found, *expected})
                     if found.get(name) != expected.get(name))


def step(model, emend, root, kill_after, counts):
    """One call; what is wrong after it."""
    tool, arguments, after = model.call()
    answer = emend.call(tool, arguments, kill_after)
    counts[tool] += 1
    wrong = ""
    if kill_after is not None:
        counts["killed"] += 1
        wrong = emend.recover()
        emend.begin()
    found = on_disk(root)
    if answer is None:
        counts["killed before the answer"] += 1
        expected = after if after is not None and found == after else model.files
    elif answer["isError"] != (after is None):
        return f"{tool}: {json.dumps(answer)[:300]}; {json.dumps(arguments)[:300]}"
    else:
        expected = model.files if after is None else after
    if found != expected:
        wrong += f"{tool}, {'killed' if kill_after is not None else 'answered'}: " \
                 f"{difference(found, expected)}"
    # What is wrong now is not to be found again with the next call.
    model.files = {name: text for name, text in found.items() if ".emend-" not in name}
    return wrong or emend.grown()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kill-every", type=int, default=40, help="one of so many calls is killed")
    args = parser.parse_args()
    counts, wrong, started = Counter(), [], time.monotonic()
    with tempfile.TemporaryDirectory(prefix="emend-model-") as folder:
        base = Path(folder).resolve()
        (base / "ws").mkdir()
        (base / "state").mkdir(mode=0o700)
        model, emend = Model(args.seed), Emend(os.path.abspath(args.emend), base)
        chance = random.Random(args.seed + 1)
        steady = 0
        while time.monotonic() - started < args.seconds and len(wrong) < 100:
            # Now a stretch with kills, now one in which memory and descriptors can be watched.
            steady = (steady + 1) % 4000
            kill = steady < 2000 and chance.randrange(args.kill_every) == 0
            problem = step(model, emend, base / "ws", chance.random() * LATEST_KILL_S if kill else None, counts)
            counts["calls"] += 1
            if problem:
                wrong.append(f"call {counts['calls']}: {problem}")
        emend.end()
    for line in wrong[:SHOWN]:
        print(f"  {line}")
    print(f"model: {time.monotonic() - started:,.0f} s, {counts['calls']:,} calls, {counts['killed']:,} "
          f"killed ({counts['killed before the answer']:,} before the answer), {len(wrong):,} wrong")
    print(f"{counts['calls'] - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or not counts["killed"] else 0


if __name__ == "__main__":
    sys.exit(main())
