#!/usr/bin/env python3
"""Runs the tests with MCP clients from npm.

    run.py [--emend BINARY]      default: build/emend

Installs what package-lock.json pins unless it is there already. A Node that is new enough for the
newest client comes with it; npm itself may run on an older one. Where npm or the packages cannot be
had, the reason is printed and the tests count as skipped.
"""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import npm


def count(tap, word):
    found = re.search(rf"^# {word} (\d+)$", tap, re.M)
    return int(found.group(1)) if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=HERE.parents[1] / "build" / "emend", type=Path)
    args = parser.parse_args()
    try:
        npm.install(HERE)
        node, major = npm.find_node(HERE)
    except npm.Unavailable as why:
        print(f"skipped, for want of the clients: {why}")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    # A client whose server died may wait for it longer than the tests do.
    options = ["--test-reporter=tap"] + (["--test-force-exit"] if major >= 22 else [])
    run = subprocess.run(
        [node, *options, HERE / "clients.test.mjs", args.emend.resolve()],
        stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, check=False, timeout=300,
        env={**os.environ, "NODE_NO_WARNINGS": "1"})
    passed, failed = count(run.stdout, "pass"), count(run.stdout, "fail")
    if failed or run.returncode != 0 or passed == 0:
        print(run.stdout)
        failed = max(failed, 1)
    print(f"{passed} passed, {failed} failed, {count(run.stdout, 'skipped')} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
