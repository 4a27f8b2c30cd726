"""Fetches the tools of npm that are measured beside emend, and says of each why it cannot be had.

What bench/peers/package-lock.json pins goes into a folder of the build; nothing of it is run while
it is installed. desktop-commander is 680 packages and is fetched only when it is asked for.
"""
import json
import platform
import re
import shutil
import subprocess
from pathlib import Path

from contestants import CodexProcess, CommanderCall, FilesystemCall
from processes import Server

HERE = Path(__file__).resolve().parent / "peers"
COMMANDER = "@wonderwhy-er/desktop-commander@0.2.52"
INSTALL_LIMIT_S = 600
QUIET = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"]


class Unavailable(Exception):
    """Why a tool cannot be had here."""


def npm(folder, *arguments):
    program = shutil.which("npm")
    if not program or not shutil.which("node"):
        raise Unavailable("npm or node is not installed")
    try:
        done = subprocess.run([program, *arguments, *QUIET], cwd=folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=INSTALL_LIMIT_S, check=False)
    except subprocess.TimeoutExpired as slow:
        raise Unavailable("npm took too long") from slow
    if done.returncode != 0:
        said = re.findall(r"^npm (?:ERR!|error) (.+)$", done.stderr, re.M)
        raise Unavailable("npm failed: " + " / ".join(said[:2]))


def once(folder, wanted, install):
    """Runs install() unless the folder was made by the same one."""
    stamp = folder / "installed-from"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    install()
    stamp.write_text(wanted, encoding="utf-8")


def locked(folder):
    names = ("package.json", "package-lock.json")
    texts = [(HERE / name).read_text(encoding="utf-8") for name in names]

    def install():
        for name, text in zip(names, texts):
            (folder / name).write_text(text, encoding="utf-8")
        npm(folder, "ci")

    once(folder, platform.machine() + "".join(texts), install)
    return folder / "node_modules"


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
    own = folder / "commander"
    once(own, COMMANDER, lambda: npm(own, "install", "--no-save", "--no-package-lock", COMMANDER))
    package = own / "node_modules" / "@wonderwhy-er" / "desktop-commander"
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
        except (Unavailable, OSError, ValueError) as why:
            missing[name] = str(why)
    return there, missing
