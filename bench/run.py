#!/usr/bin/env python3
"""Measures emend beside tools that everybody has, in one run, and says which goals are reached.

    run.py [--emend BINARY] [--folder DIR] [--only PART]... [--markdown] [--json FILE]
    run.py --from FILE [--markdown] [--pages]

Runs of what is compared take turns; medians, quartiles, and ratios within a round are shown. Every
result is compared with what is right. The files lie in --folder, so name one on the disk that you
mean; the tools of npm are fetched into it too, and one that cannot be had is left out.

The parts: calls, start, table (W1 to W7, nobody syncs), durable (W3 as processes that sync), edits (cost
against their number), renames (the same of edits that change every line), sizes (against the file's),
large (10 GB; only with --large, takes 20 GB of disk), memory, batch, answers, linked.

--json keeps what was measured; --from shows such a file again, and with --pages it writes the tables
and plots of docs/ and README.md anew from it.
"""
import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import peers
import report
from contestants import Place
from figures import PARTS
from judge import Bench
from processes import environment

TOP = Path(__file__).resolve().parent.parent


def machine(folder):
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True,
                          check=True).stdout.strip()
    return f"{os.cpu_count()} cores, {platform.system()} {platform.release()}, {kind}, load average " \
           f"{os.getloadavg()[0]:.1f} before it began"


def built(emend, name):
    """bench/floor and bench/peak lie beside the executable that is measured."""
    program = emend.parent / "bench" / name
    if not program.exists():
        sys.exit(f"{program} is not there; build it with: ninja -C {emend.parent} bench/{name}")
    return str(program)


def show_progress(part):
    if not sys.stderr.isatty():
        return None

    def progress(number, rounds):
        end = "\n" if number == rounds else ""
        print(f"\r{part}: {number} of {rounds}{end}", end="", file=sys.stderr, flush=True)

    return progress


def measure(args, chosen):
    """What --json keeps."""
    folder = args.folder.resolve()
    files = folder / "run"
    shutil.rmtree(files, ignore_errors=True)
    files.mkdir(parents=True)
    emend = args.emend.resolve()
    tools = SimpleNamespace(floor=built(emend, "floor"), peak=built(emend, "peak"))
    place = Place(files, emend, environment(files))
    try:
        found, missing = ({}, {}) if args.no_peers else \
            peers.fetch(folder / "peers", place, args.commander)
        bench = Bench(place, tools, found, args.quick, args.large)
        parts = {}
        for name in chosen:
            started = time.monotonic()
            bench.progress = show_progress(name)
            parts[name] = PARTS[name](bench)
            place.close()
            print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
        missing |= bench.lost
        versions = {name: peer.version for name, peer in found.items() if name not in missing}
        return {"machine": machine(folder), "versions": versions, "missing": missing, "parts": parts,
                "goals": [asdict(goal) for goal in bench.goals]}
    finally:
        place.close()
        shutil.rmtree(files, ignore_errors=True)


def write_pages(result):
    for name in report.PAGES:
        page = TOP / name
        page.write_text(report.renewed(page.read_text(encoding="utf-8"), result), encoding="utf-8")
    for name, drawn in report.plots(result).items():
        (TOP / "docs" / name).write_text(drawn, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=TOP / "build" / "emend", type=Path)
    parser.add_argument("--folder", default=TOP / "build" / "measured", type=Path)
    parser.add_argument("--only", action="append", choices=PARTS, metavar="PART")
    parser.add_argument("--quick", action="store_true", help="small and few: does it work at all?")
    parser.add_argument("--large", action="store_true", help="a file of 10 GB too")
    parser.add_argument("--no-peers", action="store_true", help="without the tools of npm")
    parser.add_argument("--commander", action="store_true", help="with desktop-commander too")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--from", type=Path, metavar="FILE", dest="kept")
    parser.add_argument("--pages", action="store_true")
    args = parser.parse_args()
    result = json.loads(args.kept.read_text(encoding="utf-8")) if args.kept else \
        measure(args, args.only or list(PARTS))
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if args.pages:
        write_pages(result)
    print(report.whole(result, report.markdown if args.markdown else report.plain), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
