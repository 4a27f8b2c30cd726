#!/usr/bin/env python3
"""Runs the tests with MCP clients from npm.

    run.py [--emend BINARY] [TEST...]      default: build/emend, every test

clients (each client with each tool), together (several on one server, what they take back, what their
users are asked), inspector (in command-line mode), conformance (the official suite, against a server
with the tools that it asks for, which lies in the build folder).

Installs what package-lock.json pins unless it is there already. A Node that is new enough for the
newest client comes with it; npm itself may run on an older one. Where npm or the packages cannot be
had, the reason is printed and the tests count as skipped.
"""
import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import npm

TESTS = ("clients", "together", "inspector", "conformance")
FIXTURES = Path("tests") / "clients" / "fixtures" / "fixture-serve"
# What the inspector and the suite call is not in older ones.
NODE_OF = {"inspector": 22, "conformance": 22}
LIMIT_S = 400
AT_ONCE = 2


def run(test, node, major, emend):
    """(passed, failed, skipped) of one file of tests."""
    if major < NODE_OF.get(test, 0):
        print(f"{test}: skipped, since it needs Node {NODE_OF[test]}, and this is {major}")
        return 0, 0, 1
    binary = emend.parent / FIXTURES if test == "conformance" else emend
    # A client whose server died may wait for it longer than the tests do.
    options = ["--test-reporter=tap"] + (["--test-force-exit"] if major >= 22 else [])
    done = subprocess.run([node, *options, HERE / f"{test}.test.mjs", binary], stdout=subprocess.PIPE,
                          text=True, stdin=subprocess.DEVNULL, check=False, timeout=LIMIT_S,
                          env={**os.environ, "NODE_NO_WARNINGS": "1"})
    return npm.counts_of(done)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=HERE.parents[1] / "build" / "emend", type=Path)
    parser.add_argument("test", nargs="*")
    args = parser.parse_args()
    if unknown := set(args.test) - set(TESTS):
        parser.error(f"no such test: {', '.join(sorted(unknown))}")
    try:
        npm.install(HERE)
        node, major = npm.find_node(HERE)
    except npm.Unavailable as why:
        return npm.skipped("the clients", why)
    # They wait for disks and timers most of the time.
    with ThreadPoolExecutor(AT_ONCE) as pool:
        counts = pool.map(lambda test: run(test, node, major, args.emend.resolve()), args.test or TESTS)
    passed, failed, skipped = map(sum, zip(*counts))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
