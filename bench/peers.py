"""Fetches the tools of npm that are measured beside emend, and says of each why it cannot be had.

What bench/peers/package-lock.json pins goes into a folder of the build. desktop-commander is 680
packages and is fetched only when it is asked for; nothing of it is run while it is installed.
"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

from contestants import CodexProcess, CommanderCall, FilesystemCall
from processes import Server

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "tools"))
import npm
from npm import Unavailable

COMMANDER = "@wonderwhy-er/desktop-commander"
COMMANDER_VERSION = "0.2.52"
INSTALL_LIMIT_S = 600


def locked(folder):
    """node_modules with what the lockfile pins."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(HERE / "peers" / name, folder / name)
    npm.install(folder)
    return folder / "node_modules"


def unlocked(folder, package, version):
    """A package of that version, with whatever it brings along."""
    there = folder / "node_modules" / package
    if there.exists() and version_of(there) == version:
        return there
    program = shutil.which("npm")
    if not program:
        raise Unavailable("npm is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
    done = subprocess.run([program, "install", "--no-save", "--no-package-lock", "--ignore-scripts",
                           "--no-audit", "--fetch-retries=1", f"{package}@{version}"], cwd=folder,
                          capture_output=True, stdin=subprocess.DEVNULL, timeout=INSTALL_LIMIT_S,
                          check=False)
    if done.returncode != 0:
        raise Unavailable(f"npm could not install {package}")
    return there


def version_of(package):
    return json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]


# ---- Each of them -------------------------------------------------------------------------------


class OneServer:
    """A peer that is a server: started once, then called."""

    def __init__(self, call, argv, env, version):
        self.name, self.call, self.version = call.name, call, version
        self.argv, self.env = argv, env
        self.server = None

    def start(self, place):
        server = Server(self.argv, self.env)
        server.started_after = server.initialize()
        return place.opened(server)

    def runner(self, place, workload):
        if self.server not in place.open_pipes:
            self.server = self.start(place)
        return self.call(place, workload, self.server)


class OneProcess:
    """A peer that is a process a call."""

    def __init__(self, make, program, version):
        self.name, self.make, self.program, self.version = make.name, make, program, version

    def runner(self, place, workload):
        return self.make(place, workload, self.program)


def filesystem(folder, place):
    package = locked(folder / "locked") / "@modelcontextprotocol" / "server-filesystem"
    argv = ["node", package / "dist" / "index.js", place.root]
    return OneServer(FilesystemCall, argv, place.env, version_of(package))


def codex(folder, place):
    modules = locked(folder / "locked")
    programs = list((modules / "@openai").glob("codex-*/vendor/*/bin/codex"))
    if not programs:
        raise Unavailable("no binary for this machine")
    link = place.folder / "apply_patch"  # by this name it does just that
    link.symlink_to(programs[0])
    return OneProcess(CodexProcess, link, version_of(modules / "@openai" / "codex"))


def commander(folder, place):
    package = unlocked(folder / "commander", COMMANDER, COMMANDER_VERSION)
    home = place.folder / "commander-home"
    settings = home / ".claude-server-commander" / "config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"telemetryEnabled": False,
                                    "allowedDirectories": [str(place.root)]}), encoding="utf-8")
    argv = ["node", package / "dist" / "index.js", "--no-onboarding"]
    return OneServer(CommanderCall, argv, {**place.env, "HOME": str(home)}, version_of(package))


def fetch(folder, place, with_commander=False):
    """({name: peer}, {name: why it is not there})"""
    wanted = {FilesystemCall.name: filesystem, CodexProcess.name: codex}
    if with_commander:
        wanted[CommanderCall.name] = commander
    there, missing = {}, {}
    for name, get in wanted.items():
        try:
            there[name] = get(folder, place)
        except (Unavailable, subprocess.TimeoutExpired, OSError, ValueError) as why:
            missing[name] = str(why)
    return there, missing
