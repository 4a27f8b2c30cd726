#!/usr/bin/env python3
"""Runs the conformance cases and compares the verdicts with later.txt.

    expected.py [--emend BINARY] [--jobs N] [CASEFILE...]   default: build/emend, every case file,
                                                            those of tests/cases among them
    expected.py --in-step FOLDER                            is the copy here the same as there?

A case that later.txt does not name must pass, one that it names must not. The last line is
`N passed, N failed, N skipped`; those that wait for something count as skipped.
"""
import argparse
import fnmatch
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
OWN = {"expected.py", "later.txt"}


def waiting():
    """[(glob, what it waits for)] from later.txt."""
    lines = (HERE / "later.txt").read_text(encoding="utf-8").splitlines()
    return [line.split(None, 1) for line in lines if line.strip() and not line.startswith("#")]


def verdicts(emend, jobs, case_files):
    """Runs the cases; answers ({id: verdict}, the lines printed about each failure)."""
    server = f"{shlex.quote(str(emend))} mcp --root {{root}} --tools all"
    run = subprocess.run(
        [sys.executable, HERE / "run.py", "--verbose", "--server", server, "--jobs", str(jobs),
         *case_files],
        capture_output=True, text=True, check=False)
    result, details, current = {}, {}, None
    for line in run.stdout.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("ok", "FAIL", "skip"):
            current = rest.split()[0]
            result[current] = word
            details[current] = [line]
        elif current and line.startswith("    "):
            details[current].append(line)
    if not result:
        sys.exit(f"run.py ran no case:\n{run.stdout}{run.stderr}")
    return result, details


def compare(result, details):
    later = waiting()
    passed = failed = skipped = 0
    for case, verdict in result.items():
        reason = next((why for glob, why in later if fnmatch.fnmatchcase(case, glob)), None)
        if verdict == "ok" and reason is None:
            passed += 1
        elif verdict == "FAIL" and reason is not None:
            skipped += 1
        elif verdict == "skip":
            skipped += 1
            print("\n".join(details[case]))
        elif verdict == "ok":
            failed += 1
            print(f"FAIL {case} passes, though later.txt says that it waits for: {reason}")
        else:
            failed += 1
            print("\n".join(details[case]))
    for glob, why in later:
        if len(result) > 100 and not any(fnmatch.fnmatchcase(case, glob) for case in result):
            failed += 1
            print(f"FAIL later.txt names {glob}, and there is no such case ({why})")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


def in_step(folder):
    """Is every file here the same, byte for byte, as in `folder`?"""
    def files(top):
        return {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*")
                if p.is_file() and "__pycache__" not in p.parts and p.name not in OWN}
    here, there = files(HERE), files(Path(folder))
    differing = sorted(n for n in here.keys() | there.keys() if here.get(n) != there.get(n))
    for name in differing:
        print(f"FAIL {name} is not the same in {folder}")
    print(f"{len(here) - len(differing)} passed, {len(differing)} failed")
    return 1 if differing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=HERE.parents[1] / "build" / "emend", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--in-step", metavar="FOLDER")
    parser.add_argument("casefile", nargs="*")
    args = parser.parse_args()
    if args.in_step:
        return in_step(args.in_step)
    every = [case for top in (HERE, HERE.parent) for case in sorted((top / "cases").glob("*.json"))]
    return compare(*verdicts(args.emend.resolve(), args.jobs, args.casefile or every))


if __name__ == "__main__":
    sys.exit(main())
