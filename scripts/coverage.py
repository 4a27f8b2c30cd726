#!/usr/bin/env python3
"""Line coverage of src/ over all tests: what `make coverage` does.

    coverage.py [--keep]      --keep: add to the counters of the last run

Builds with counters in build-coverage, runs the unit tests, the fault sweeps and everything that
only sees the executable, and prints a line for each file. Every line of src/ counts; there are no
marks that take one out. Exit status 1 below 95 % or when a test fails.
"""
import argparse
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
BUILD = "build-coverage"
EMEND = f"{BUILD}/emend"
LEAST_PERCENT = 95

TESTS = [
    ["meson", "test", "-C", BUILD, "--no-rebuild", "--no-suite", "fault"],
    ["meson", "test", "-C", BUILD, "--no-rebuild", "--suite", "fault", "--test-args=--quick"],
    [sys.executable, "tests/conformance/expected.py", "--emend", EMEND],
    [sys.executable, "tests/cli_test.py", "--emend", EMEND],
    [sys.executable, "tests/mcp_test.py", "--emend", EMEND],
    [sys.executable, "tests/batch_test.py", "--emend", EMEND],
    [sys.executable, "tests/clients/run.py", "--emend", EMEND],
    [sys.executable, "scripts/demo.py", "--emend", EMEND],
]
REPORT = ["gcovr", "--root", ".", "--filter", "src/", "--object-directory", BUILD, BUILD,
          "--print-summary", "--fail-under-line", str(LEAST_PERCENT)]
# gcov's marks would take lines out of the count.
MARKS = ["git", "grep", "-nE", r"(GCOV|GCOVR|LCOV)_EXCL", "--", "src", "tests"]


def run(*command, quiet=False):
    """Runs a command; answers whether it succeeded. Its output is shown unless it did, quietly."""
    done = subprocess.run(command, cwd=TOP, check=False, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if quiet else None,
                          stderr=subprocess.STDOUT if quiet else None)
    if quiet and done.returncode != 0:
        print(done.stdout[-5000:])
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    if not (run("scripts/setup.sh", BUILD, "-Db_coverage=true", "--buildtype=debug", quiet=True)
            and run("ninja", "-C", BUILD, quiet=True)):
        return 1
    if not args.keep:
        for counters in (TOP / BUILD).rglob("*.gcda"):
            counters.unlink()
    good = True
    for test in TESTS:
        print(" ".join(test[1:] if test[0] == sys.executable else test), flush=True)
        good = run(*test, quiet=True) and good
    good = run(*REPORT) and good
    if run(*MARKS):
        print("lines are taken out of the count")
        good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
