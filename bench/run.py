#!/usr/bin/env python3
"""Prints the figures of emend beside those of tools that everybody has, in one run.

    run.py [--emend BINARY] [--folder DIR] [--quick] [--markdown]

  one edit      a process that changes one place of a file: `emend call file_edit`, beside
                  cp    cp FILE NEW; sync NEW; mv NEW FILE; sync FOLDER
                  perl  perl -0pi -e s/OLD/NEW/ FILE; sync FILE; sync FOLDER
                all three are durable when they end; emend also looks for the place, checks that
                nobody changed the file and records how to undo the edit
  start         from starting a process to its first answer, beside `true`, which only ends
  in a server   `file_edit` calls over one `emend mcp`, from request to answer
  memory        the most that a server had in memory (VmHWM) after one edit

Runs of the things compared take turns, and medians are shown. The inputs are generated and always
the same. The files lie in --folder (default: build/bench), so name one on the disk that you mean.
"""
import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
KB, MB = 1024, 1024 * 1024
SIZES = [(10 * KB, "10 KB"), (MB, "1 MB"), (10 * MB, "10 MB")]
PLACE = ("THE PLACE THAT CHANGES", "the place that changes")  # it goes to and fro


def ms(seconds):
    return f"{seconds * 1000:.2f} ms"


def ratio(ours, theirs):
    return f"{ours / theirs:.2f} x"


# ---- Inputs -------------------------------------------------------------------------------------


def source_text(size):
    """Lines that look like code, with the place once in the middle."""
    lines, length, state = [], 0, 1
    middle = False
    while length < size:
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        line = f"    value_{state % 9973} = compute({state >> 8}, offset + {state % 61});\n"
        if not middle and length >= size // 2:
            line, middle = f"    /* {PLACE[0]} */\n", True
        lines.append(line)
        length += len(line)
    return "".join(lines)[:size - 1] + "\n"


# ---- Processes ----------------------------------------------------------------------------------


def run(argv, stdin=None):
    """Seconds of a process from start to end."""
    actions = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    actions.append((os.POSIX_SPAWN_OPEN, 0, str(stdin or "/dev/null"), os.O_RDONLY, 0))
    started = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=actions)
    status = os.waitpid(pid, 0)[1]
    seconds = time.perf_counter() - started
    if status != 0:
        sys.exit(f"{' '.join(argv)} failed: {os.waitstatus_to_exitcode(status)}")
    return seconds


class Server:
    """`emend mcp`, spoken to without a layer between."""

    def __init__(self, emend, *flags):
        self.started = time.perf_counter()
        to_server, from_server = os.pipe(), os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, to_server[0], 0), (os.POSIX_SPAWN_DUP2, from_server[1], 1)]
        self.pid = os.posix_spawn(emend, [emend, "mcp", *flags], os.environ, file_actions=actions)
        os.close(to_server[0])
        os.close(from_server[1])
        self.input, self.output = to_server[1], os.fdopen(from_server[0], "rb")
        self.last_id = 0

    def request(self, method, params):
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        os.write(self.input, json.dumps(message).encode() + b"\n")
        answer = json.loads(self.output.readline())
        if "result" not in answer or answer["result"].get("isError"):
            sys.exit(f"{method} failed: {answer}")
        return answer["result"]

    def initialize(self):
        """Seconds from the start of the process to this first answer."""
        self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                    "clientInfo": {"name": "bench", "version": "1"}})
        return time.perf_counter() - self.started

    def peak_memory(self):
        """Bytes. Not ru_maxrss: that of a child begins with what its parent had."""
        for line in Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * KB
        return 0

    def close(self):
        os.close(self.input)
        self.output.close()
        os.waitpid(self.pid, 0)


def file_edit(path, turn):
    old, new = PLACE if turn % 2 == 0 else reversed(PLACE)
    return {"path": str(path), "edits": [{"old_text": old, "new_text": new}]}


# ---- What is measured ---------------------------------------------------------------------------


def one_edit(emend, folder, size, turns):
    """Median seconds of emend, cp and perl, each changing a file of its own, in turns."""
    files = {who: folder / f"{who}.txt" for who in ("emend", "cp", "perl")}
    for file in files.values():
        file.write_text(source_text(size), encoding="ascii")
    arguments = [folder / "there.json", folder / "back.json"]
    for turn, file in enumerate(arguments):
        file.write_text(json.dumps(file_edit(files["emend"], turn)), encoding="ascii")
    copy = f'cp "{files["cp"]}" "{folder}/new" && sync "{folder}/new" && ' \
           f'mv "{folder}/new" "{files["cp"]}" && sync "{folder}"'
    seconds = {who: [] for who in files}
    for turn in range(turns + 1):
        old, new = PLACE if turn % 2 == 0 else reversed(PLACE)
        perl = f"perl -0pi -e 's/{old}/{new}/' \"{files['perl']}\" && sync \"{files['perl']}\" && " \
               f'sync "{folder}"'
        took = {
            "emend": run([emend, "call", "file_edit", "--root", str(folder), *STATE],
                         arguments[turn % 2]),
            "cp": run(["sh", "-c", copy]),
            "perl": run(["sh", "-c", perl]),
        }
        for who in files if turn > 0 else ():  # the first turn warms up
            seconds[who].append(took[who])
    expected = source_text(size).replace(*PLACE) if turns % 2 == 0 else source_text(size)
    for who in ("emend", "perl"):
        if files[who].read_text(encoding="ascii") != expected:
            sys.exit(f"{who} did not do what it was asked to")
    return {who: statistics.median(times) for who, times in seconds.items()}


def start(emend, folder, turns):
    """Median seconds to the first answer of a server, of --version, and of `true`."""
    seconds = {"initialize": [], "--version": [], "true": []}
    for _ in range(turns):
        server = Server(emend, "--root", str(folder), *STATE)
        seconds["initialize"].append(server.initialize())
        server.close()
        seconds["--version"].append(run([emend, "--version"]))
        seconds["true"].append(run(["true"]))
    return {what: statistics.median(times) for what, times in seconds.items()}


def calls(emend, folder, sync, count):
    """Seconds of `count` file_edit calls on a 10 KB file over one server, sorted."""
    file = folder / "served.txt"
    file.write_text(source_text(10 * KB), encoding="ascii")
    server = Server(emend, "--root", str(folder), "--tools", "file_edit", "--sync", sync, *STATE)
    server.initialize()
    seconds = []
    for turn in range(count):
        params = {"name": "file_edit", "arguments": file_edit(file, turn)}
        started = time.perf_counter()
        server.request("tools/call", params)
        seconds.append(time.perf_counter() - started)
    server.close()
    return sorted(seconds)


def memory(emend, folder, size):
    """Bytes at the peak, after one edit of a file of `size` bytes (0: after the handshake)."""
    file = folder / "big.txt"
    server = Server(emend, "--root", str(folder), "--tools", "file_edit", *STATE)
    server.initialize()
    if size:
        file.write_text(source_text(size), encoding="ascii")
        server.request("tools/call", {"name": "file_edit", "arguments": file_edit(file, 0)})
    peak = server.peak_memory()
    server.close()
    return peak


# ---- The table ----------------------------------------------------------------------------------


def rows(emend, folder, quick):
    """[(what, emend's figure, beside what, its figure, ratio)]"""
    turns = {10 * KB: 30, MB: 20, 10 * MB: 10}
    for size, name in SIZES:
        took = one_edit(emend, folder, size, 2 if quick else turns[size])
        for other in ("cp", "perl"):
            yield (f"one edit, {name}", ms(took["emend"]), other, ms(took[other]),
                   ratio(took["emend"], took[other]))
    took = start(emend, folder, 5 if quick else 200)
    for what, name in (("initialize", "start to `initialize` answered"), ("--version", "`--version`")):
        yield (name, ms(took[what]), "true", ms(took["true"]), ratio(took[what], took["true"]))
    count = 20 if quick else 500
    for sync in ("off", "full"):
        times = calls(emend, folder, sync, count)
        yield (f"{count} calls, --sync {sync}", f"p50 {ms(times[count // 2])}", "its own p99",
               ms(times[count * 99 // 100]), "")
    idle = memory(emend, folder, 0)
    yield ("memory at rest", f"{idle / MB:.1f} MB", "", "", "")
    for size, name in SIZES[2:]:
        peak = memory(emend, folder, size)
        yield (f"memory, one edit of {name}", f"{peak / MB:.1f} MB", "the file", f"{size / MB:.1f} MB",
               ratio(peak, size))


HEAD = ("what", "emend", "beside", "", "ratio")


def print_plain(table):
    widths = [max(len(row[i]) for row in table) for i in range(len(HEAD))]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def print_markdown(table):
    for number, row in enumerate(table):
        print("| " + " | ".join(row) + " |")
        if number == 0:
            print("| " + " | ".join("---" for _ in row) + " |")


def where(folder):
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True,
                          check=True).stdout.strip()
    return f"{os.cpu_count()} cores, {platform.system()} {platform.release()}, {kind}"


STATE = []


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=TOP / "build" / "emend", type=Path)
    parser.add_argument("--folder", default=TOP / "build" / "bench", type=Path)
    parser.add_argument("--quick", action="store_true", help="few runs: does it work at all?")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    emend, folder = str(args.emend.resolve()), args.folder.resolve() / "files"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    STATE[:] = ["--state-dir", str(folder.parent / "state")]
    try:
        table = [HEAD, *rows(emend, folder, args.quick)]
        print(f"Medians; {where(folder)}.\n")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(folder.parent / "state", ignore_errors=True)
    (print_markdown if args.markdown else print_plain)(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
