#!/usr/bin/env python3
"""Runs the tests of the review page in the system's Chromium.

    run.py [--emend BINARY] [--quick] [--pictures FOLDER]      default: build/emend

`emend-serve` must stand beside the binary. What package-lock.json pins is installed unless it is
there already. Where Chromium or the packages cannot be had, the reason is printed and the tests
count as skipped.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import npm

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def find_browser():
    for name in BROWSERS:
        found = shutil.which(name)
        if found:
            return found
    raise npm.Unavailable("there is no Chromium")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=HERE.parents[1] / "build" / "emend", type=Path)
    parser.add_argument("--quick", action="store_true", help="fewer changes to scroll through")
    parser.add_argument("--pictures", type=Path, help="keep pictures of the page here, those of docs/ among them")
    args = parser.parse_args()
    try:
        browser = find_browser()
        npm.install(HERE)
        node, _ = npm.find_node(HERE)
    except npm.Unavailable as why:
        return npm.skipped("a browser", why)
    command = [node, "--test-reporter=tap", HERE / "review.test.mjs", args.emend.resolve(), browser]
    command += ["--quick"] if args.quick else []
    if args.pictures:
        args.pictures.mkdir(parents=True, exist_ok=True)
        command += ["--pictures", args.pictures.resolve()]
        subprocess.run([node, HERE / "picture.mjs", args.emend.resolve(), browser,
                        args.pictures], check=True, timeout=120)
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                         check=False, timeout=580, env={**os.environ, "NODE_NO_WARNINGS": "1"})
    passed, failed, skipped = npm.counts_of(run)
    for line in re.findall(r"^# (longest tasks.*)$", run.stdout, re.M):
        print(line)
    for line in re.findall(r"^ *not ok .*$", run.stdout, re.M):
        print(line.strip())
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
