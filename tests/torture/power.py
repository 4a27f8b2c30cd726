#!/usr/bin/env python3
"""Real power cuts: emend at work on ext4 and XFS in a loop device that is shut down under it.

    power.py --emend BINARY --cut PROGRAM [--seconds S] [--seed N] [--no-sync] [--verbose]

Before each system call that changes or syncs something the power goes: with the log of the file system
written out or not, with `auto_da_alloc` or without. Then the file system is mounted again, `emend recover`
runs (in some of the runs it is cut too, and runs again), and must leave: the files of the change all old or
all new, with their mode; new where the change was answered with success under `--sync full`; no stray
name; an emend that can change them again. The state directory is on the same file system.

--no-sync is the red control: no sync is really made, and cuts must be found that are not survived.
Every point is swept, as far as the time goes, in an order by chance. Needs root.
The last line is `N passed, N failed`; a cut is a test.
"""
import argparse
import ctypes
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

IMAGE_BYTES = {"ext4": 24 << 20, "xfs": 320 << 20}
# Settings of a file system: its kind, and its options of mounting.
SETTINGS = {
    "ext4": ("ext4", ""),
    "ext4 noauto_da_alloc": ("ext4", "noauto_da_alloc"),
    "ext4 data=writeback": ("ext4", "data=writeback,noauto_da_alloc"),
    "xfs": ("xfs", ""),
}
MODES = ("flushed", "lost")
MNT_DETACH, MS_BIND, MS_REC, MS_PRIVATE, CLONE_NEWNS = 2, 4096, 16384, 1 << 18, 0x20000
BOOT_ID = "/proc/sys/kernel/random/boot_id"
SHOWN = 10
SWEPT_SHARE, CALLS_OF_RECOVERY = 0.8, 60

LIBC = ctypes.CDLL(None, use_errno=True)


class CannotRun(Exception):
    """The power cannot be cut here: that proves nothing about emend."""


def call_libc(function, *words):
    if function(*words) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), function.__name__)


# ---- File systems that can be cut ---------------------------------------------------------------


class Disk:
    """A file system in a loop device over a file in memory."""

    def __init__(self, setting, folder):
        self.kind, self.options = SETTINGS[setting]
        name = setting.replace(" ", "-")
        image, self.mount = folder / f"{name}.img", folder / name
        self.mount.mkdir()
        with open(image, "wb") as file:
            file.truncate(IMAGE_BYTES[self.kind])
        make = {"ext4": ["mkfs.ext4", "-q", "-F"], "xfs": ["mkfs.xfs", "-q", "-f"]}[self.kind]
        subprocess.run([*make, image], check=True, stdout=subprocess.DEVNULL)
        self.device = subprocess.run(["losetup", "-f", "--show", image], check=True, text=True,
                                     stdout=subprocess.PIPE).stdout.strip()
        self.is_on = False

    def on(self):
        call_libc(LIBC.mount, self.device.encode(), bytes(self.mount), self.kind.encode(), 0,
                  self.options.encode())
        self.is_on = True

    def off(self):
        """As after a cut: what was not written out is not written out now."""
        if self.is_on:
            for _ in range(100):
                if LIBC.umount2(bytes(self.mount), 0) == 0:
                    self.is_on = False
                    return
                time.sleep(0.01)
            LIBC.umount2(bytes(self.mount), MNT_DETACH)
            raise CannotRun(f"{self.mount} stays busy")

    def sync(self):
        fd = os.open(self.mount, os.O_RDONLY)
        call_libc(LIBC.syncfs, fd)
        os.close(fd)

    def end(self):
        self.off()
        subprocess.run(["losetup", "-d", self.device], check=False)


class Boot:
    """After a power cut there is another boot, and recovery looks at more then. The kernel stays the same
    one here, so its boot id is covered by a file, in a mount namespace of our own."""

    def __init__(self, folder):
        self.file = folder / "boot_id"
        self.next()
        call_libc(LIBC.unshare, CLONE_NEWNS)
        call_libc(LIBC.mount, b"none", b"/", None, MS_REC | MS_PRIVATE, None)
        call_libc(LIBC.mount, bytes(self.file), BOOT_ID.encode(), None, MS_BIND, None)

    def next(self):
        self.file.write_text(f"{uuid.uuid4()}\n", encoding="ascii")


# ---- Changes ------------------------------------------------------------------------------------


@dataclass
class Scenario:
    """A change by one call: the files before and after it (None: not there), all old or all new."""
    name: str
    old: dict
    new: dict
    tool: str
    arguments: dict
    fresh: bool = False  # there is no state directory yet

    def state_of(self, root):
        """old, new, or what is wrong."""
        found = {name: content_of(root / name) for name in self.old}
        if found == self.old:
            return "old"
        if found == self.new:
            return "new"
        words = [f"{name}: {kind_of(found[name], self.old[name], self.new[name])}" for name in found]
        return "torn: " + ", ".join(words)


def kind_of(found, old, new):
    if found is None:
        return "gone"
    return "old" if found == old else "new" if found == new else f"{len(found)} other bytes"


def content_of(path):
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def body(start, size):
    return start.encode() + b"\n" + b"a line that stays\n" * (size // 18)


def replace(name):
    return {"file": name, "replaceOperations": [{"search": "one", "replace": "two"}]}


def scenarios():
    one = {"path": "a.txt", "edits": [{"old_text": "one", "new_text": "two"}]}
    small, large = body("one", 100), body("one", 60000)
    names = ("a.txt", "sub/b.txt", "sub/c.txt")
    three = {name: body("one", 3000 * i + 9) for i, name in enumerate(names)}
    after = {name: content.replace(b"one", b"two", 1) for name, content in three.items()}
    made = {"a.txt": b"two\n", "new/x.txt": b"x\n", "new/deep/y.txt": b"y\n"}
    return [
        Scenario("edit", {"a.txt": small}, {"a.txt": small.replace(b"one", b"two")}, "file_edit", one),
        Scenario("edit of 60 KB", {"a.txt": large}, {"a.txt": large.replace(b"one", b"two")},
                 "file_edit", one),
        Scenario("first edit", {"a.txt": small}, {"a.txt": small.replace(b"one", b"two")},
                 "file_edit", one, fresh=True),
        Scenario("create in missing folders", {"new/deep/x.txt": None}, {"new/deep/x.txt": large},
                 "create_file", {"file_path": "new/deep/x.txt", "content": large.decode()}),
        Scenario("three files", three, after, "editFiles",
                 {"atomic": True, "edits": [replace(name) for name in names]}),
        Scenario("two new files and an old one", {"a.txt": small, "new/x.txt": None,
                                                  "new/deep/y.txt": None}, made, "writeFiles",
                 {"atomic": True, "files": [{"file": name, "content": content.decode()}
                                            for name, content in made.items()]}),
    ]


# ---- A cut --------------------------------------------------------------------------------------


class Bench:
    """Cuts scenarios on disks and counts."""

    def __init__(self, args, folder):
        self.args, self.folder, self.boot = args, folder, Boot(folder)
        self.counts, self.bad = Counter(), []
        self.chance = random.Random(args.seed)

    def lay_out(self, disk, scenario):
        root, state = disk.mount / "ws", disk.mount / "state"
        shutil.rmtree(root, ignore_errors=True)
        if scenario.fresh:
            shutil.rmtree(state, ignore_errors=True)
        for name, content in scenario.old.items():
            if content is not None:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(content)
                (root / name).chmod(0o640)
        root.mkdir(exist_ok=True)
        disk.sync()
        return ["--root", str(root), "--state-dir", str(state)]

    def run_cut(self, disk, how, at, command, stdin=""):
        """(calls counted, the exit status, or None where it was cut, what it said)"""
        report = self.folder / "report"
        words = [self.args.cut, "--mount", disk.mount, "--how", how, "--at", str(at), "--report", report]
        words += ["--no-sync"] if self.args.no_sync else []
        done = subprocess.run([*words, "--", self.args.emend, *command], input=stdin, text=True,
                              capture_output=True, check=False, cwd="/")
        if done.returncode != 0:
            raise CannotRun(done.stderr)
        calls, end = report.read_text().split(" calls, ")
        status = None if end.startswith("cut") else int(end.split()[1])
        return int(calls), status, done.stdout + done.stderr

    def recover(self, where):
        return subprocess.run([self.args.emend, "recover", *where], capture_output=True, text=True,
                              check=False, cwd="/")

    def change(self, scenario, where):
        return ["call", scenario.tool, *where, "--sync", "full"], json.dumps(scenario.arguments)

    def calls_of(self, disk, scenario):
        """How many calls there are to cut before; and it must work when nothing is cut."""
        where = self.lay_out(disk, scenario)
        calls, status, said = self.run_cut(disk, "none", 0, *self.change(scenario, where))
        state = scenario.state_of(disk.mount / "ws")
        if status != 0 or state != "new":
            raise CannotRun(f"{scenario.name} without a cut: {status}, {state}: {said[:500]}")
        return calls

    def cut(self, disk, setting, scenario, how, at, recovery_at=0):
        """One run: the change is cut before call `at`, its recovery before call `recovery_at`."""
        where = self.lay_out(disk, scenario)
        _, status, said = self.run_cut(disk, how, at, *self.change(scenario, where))
        self.restart(disk, setting)
        if recovery_at:
            self.run_cut(disk, how, recovery_at, ["recover", *where])
            self.restart(disk, setting)
            self.counts["of recoveries"] += 1
        wrong = self.look(disk, scenario, where, status, said)
        if wrong:
            nested = f", recovery at {recovery_at}" if recovery_at else ""
            self.bad.append(f"{setting}, {how}, {scenario.name} at {at}{nested}: {wrong}")
            # so that what is wrong now is not found again and again
            shutil.rmtree(disk.mount / "state", ignore_errors=True)

    def restart(self, disk, setting):
        disk.off()
        self.boot.next()
        disk.on()
        self.counts["cuts"] += 1
        self.counts[setting] += 1

    def look(self, disk, scenario, where, status, said):
        root = disk.mount / "ws"
        done = self.recover(where)
        state = scenario.state_of(root)
        if status is not None:
            self.counts["answered"] += 1
        if status not in (None, 0):
            return f"it failed without a cut: {said[:300]}"
        if done.returncode != 0:
            return f"recover ended with {done.returncode}: {(done.stdout + done.stderr)[:300]}; {state}"
        if state not in ("old", "new"):
            return state
        if status == 0 and state == "old":
            return "it was answered, and is lost"
        if strays := [str(path.relative_to(root)) for path in root.rglob(".emend-*")]:
            return f"left behind: {strays}; {state}"
        modes = {name: (root / name).stat().st_mode & 0o7777 for name, content in scenario.old.items()
                 if content is not None}
        if set(modes.values()) - {0o640}:
            return f"modes: {modes}"
        if self.counts["cuts"] % 10 == 0 and state == "old":
            return self.again(scenario, where, root)
        return ""

    def again(self, scenario, where, root):
        """What was not done can be done now."""
        command, stdin = self.change(scenario, where)
        done = subprocess.run([self.args.emend, *command], input=stdin, text=True, capture_output=True,
                              check=False, cwd="/")
        state = scenario.state_of(root)
        if done.returncode != 0 or state != "new":
            return f"done again afterwards: {done.returncode}, {state}: {(done.stdout + done.stderr)[:300]}"
        return ""

    def points(self, calls):
        """Every point once, among them some by chance whose recovery is cut too; then only by chance. A point
        more than there are calls is the cut right after the answer."""
        swept = [(setting, scenario, how, at, 0) for (setting, scenario), count in calls.items()
                 for how in MODES for at in range(1, count + 2)]
        self.chance.shuffle(swept)
        while True:
            if swept and self.chance.random() < SWEPT_SHARE:
                self.counts["swept"] += 1
                yield swept.pop()
                continue
            setting, scenario = self.chance.choice(list(calls))
            yield (setting, scenario, self.chance.choice(MODES),
                   self.chance.randint(1, calls[setting, scenario] + 1),
                   self.chance.randint(1, CALLS_OF_RECOVERY))

    def all(self, disks):
        table = {scenario.name: scenario for scenario in scenarios()}
        calls = {(setting, name): self.calls_of(disk, scenario)
                 for setting, disk in disks.items() for name, scenario in table.items()}
        total = len(MODES) * sum(count + 1 for count in calls.values())
        print(f"points to sweep: {total:,} ({len(table)} changes, {len(MODES)} ways of cutting, "
              f"{len(disks)} settings)", flush=True)
        end = time.monotonic() + self.args.seconds
        for setting, name, how, at, recovery_at in self.points(calls):
            self.cut(disks[setting], setting, table[name], how, at, recovery_at)
            if time.monotonic() > end:
                break
        return total


def report(bench, args, total):
    counts, bad = bench.counts, bench.bad
    for line in bad[:None if args.verbose else SHOWN]:
        print(f"  {line}")
    per_setting = ", ".join(f"{counts[name]:,} {name}" for name in SETTINGS if counts[name])
    print(f"power cuts: {counts['cuts']:,} ({per_setting}), of them {counts['of recoveries']:,} in "
          f"recovery; {counts['swept']:,} of {total:,} points; {len(bad):,} not survived; "
          f"{counts['answered']:,} answered before the cut")
    if args.no_sync:
        print("red control: without any sync, "
              f"{len(bad):,} of {counts['cuts']:,} cuts are {'' if bad else 'NOT '}noticed")
        print("1 passed, 0 failed" if bad else "0 passed, 1 failed")
        return 0 if bad else 1
    print(f"{counts['cuts'] - len(bad)} passed, {len(bad)} failed")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--cut", required=True)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-sync", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="show every cut that was not survived")
    args = parser.parse_args()
    args.emend, args.cut = os.path.abspath(args.emend), os.path.abspath(args.cut)
    base = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="emend-power-", dir=base) as folder:
        bench, disks = Bench(args, Path(folder)), {}
        try:
            for setting in SETTINGS:
                disks[setting] = Disk(setting, Path(folder))
                disks[setting].on()
            total = bench.all(disks)
        except (CannotRun, OSError, subprocess.CalledProcessError) as problem:
            print(f"power cuts: cannot run: {problem}")
            print("0 passed, 1 failed")
            return 1
        finally:
            for disk in disks.values():
                disk.end()
    return report(bench, args, total)


if __name__ == "__main__":
    sys.exit(main())
