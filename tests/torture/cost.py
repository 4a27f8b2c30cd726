#!/usr/bin/env python3
"""What a change costs in a server, from request to answer: median and 99th percentile.

    cost.py --emend BINARY [--folder DIR] [--calls N] [--durable-us N] [--ordered-us N] [--history-us N]

A file of 10 KB in --folder (default: a temporary one in the current folder, so on its disk), `--sync full`,
`data` and `off`, and `off` without history; `full` also where the old file is removed at once; beside it the least that a durable change can be: a new file
written, synced, renamed over the old one, and the folder synced. Each stands against its bound; the last line is
`N passed, N failed`. The settings take turns, so that whatever else the machine does meets all of them. What is
measured comes after a few hundred changes, which the history's log takes to reach its length: from then on it is
written over.
"""
import argparse
import array
import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SETTINGS = {"full": ["--sync", "full"], "full, --grace 0": ["--sync", "full", "--grace", "0"], "data": ["--sync", "data"],
            "off": ["--sync", "off"], "off, no history": ["--sync", "off", "--no-history"]}
WORDS = ("the place that changes", "THE PLACE THAT CHANGES")
FILLER = "    value = compute(source, offset);\n" * 140
AT_ONCE = 30
BEFORE = 360  # changes before it counts
FS_IOC_GETFLAGS, FS_IOC_SETFLAGS, FS_TOPDIR_FL = 0x80086601, 0x40086602, 0x00020000


def spread(folder):
    """Have ext4 put each folder in `folder` into a block group of its own.

    Without a journal it looks past every inode of the group that was freed in the last minutes when it gives out
    a new one. One measurement would pay for the files of the others.
    """
    fd = os.open(folder, os.O_RDONLY)
    try:
        flags = array.array("L", [0])
        fcntl.ioctl(fd, FS_IOC_GETFLAGS, flags)
        flags[0] |= FS_TOPDIR_FL
        fcntl.ioctl(fd, FS_IOC_SETFLAGS, flags)
    except OSError:
        pass  # another file system
    finally:
        os.close(fd)


class Server:
    def __init__(self, emend, base, flags):
        self.root, self.changes = base / "ws", 0
        self.root.mkdir(parents=True)
        (base / "state").mkdir(mode=0o700)
        (self.root / "a.c").write_text(FILLER + WORDS[0] + "\n" + FILLER)
        self.process = subprocess.Popen(
            [emend, "mcp", "--root", self.root, "--state-dir", base / "state", "--tools", "file_edit", *flags],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})

    def ask(self, method, params):
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        started = time.perf_counter()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        took = time.perf_counter() - started
        answer = json.loads(answer)
        if "error" in answer or answer["result"].get("isError"):
            raise RuntimeError(f"{method}: {answer}")
        return took

    def change(self):
        old, new = WORDS if self.changes % 2 == 0 else reversed(WORDS)
        self.changes += 1
        return self.ask("tools/call", {"name": "file_edit", "arguments": {
            "path": "a.c", "edits": [{"old_text": old, "new_text": new}]}})

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class ByHand:
    """What the disk takes at the same time."""

    def __init__(self, base):
        base.mkdir()
        self.file, self.beside = base / "a.c", base / "new"
        self.folder = os.open(base, os.O_RDONLY)

    def change(self):
        started = time.perf_counter()
        fd = os.open(self.beside, os.O_WRONLY | os.O_CREAT, 0o644)
        os.write(fd, FILLER.encode())
        os.fsync(fd)
        os.close(fd)
        os.rename(self.beside, self.file)
        os.fsync(self.folder)
        return time.perf_counter() - started

    def end(self):
        os.close(self.folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--folder", default=".")
    parser.add_argument("--calls", type=int, default=600)
    parser.add_argument("--durable-us", type=float, default=400)
    parser.add_argument("--ordered-us", type=float, default=250)
    parser.add_argument("--history-us", type=float, default=100)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="emend-cost-", dir=args.folder) as folder:
        spread(folder)
        servers = {name: Server(os.path.abspath(args.emend), Path(folder).resolve() / str(n), flags)
                   for n, (name, flags) in enumerate(SETTINGS.items())}
        servers["by hand"] = ByHand(Path(folder) / "by-hand")
        times = {name: [] for name in servers}
        for turn in range((BEFORE + args.calls) // AT_ONCE):
            for name, server in servers.items():
                took = [server.change() for _ in range(AT_ONCE)]
                times[name] += took if turn >= BEFORE // AT_ONCE else []
        for server in servers.values():
            server.end()
    p50 = {}
    for name, all_times in times.items():
        all_times.sort()
        p50[name] = all_times[len(all_times) // 2] * 1e6
        print(f"  {name if name == 'by hand' else '--sync ' + name:<23} p50 {p50[name]:6.0f} us  p99 "
              f"{all_times[len(all_times) * 99 // 100] * 1e6:6.0f} us")
    history = p50["off"] - p50["off, no history"]
    found = {"durable": (p50["full"], args.durable_us), "ordered": (p50["data"], args.ordered_us),
             "history": (history, args.history_us)}
    print("cost: " + ", ".join(f"{name} {us:.0f} us (at most {bound:.0f})"
                               for name, (us, bound) in found.items()))
    failed = sum(us > bound for us, bound in found.values())
    print(f"{len(found) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
