"""What the rows of the catalogue share: a place with a root and something outside of it, calls of every
tool in every dialect, and what must not have changed afterwards."""
import hashlib
import json
import os
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# Some of it for those that import this.
from harness import Failed, check  # noqa: E402
from harness import check_equal as equal  # noqa: E402, F401
from harness import check_in as has  # noqa: E402, F401

LIMIT_S = 30
NOBODY = 65534


def need_root():
    check(os.geteuid() == 0, "needs root")


def need(*commands):
    missing = [name for name in commands if not shutil.which(name)]
    check(not missing, f"needs {', '.join(missing)}")


# ---- What is where ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """All that is to stay as it is of a file."""
    mode: int
    uid: int
    gid: int
    nlink: int
    inode: int
    size: int
    mtime: int
    content: str
    attributes: tuple


def entry_of(path):
    st = os.lstat(path)
    content, attributes = "", ()
    if stat.S_ISREG(st.st_mode) and st.st_size < 1 << 24:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    elif stat.S_ISLNK(st.st_mode):
        content = os.readlink(path)
    if not stat.S_ISLNK(st.st_mode):
        attributes = tuple((name, os.getxattr(path, name)) for name in sorted(os.listxattr(path)))
    folder = stat.S_ISDIR(st.st_mode)
    return Entry(st.st_mode, st.st_uid, st.st_gid, 0 if folder else st.st_nlink, st.st_ino,
                 0 if folder else st.st_size, 0 if folder else st.st_mtime_ns, content, attributes)


def tree_of(base, but=()):
    found = {}
    for folder, folders, files in os.walk(base, onerror=None):
        folders[:] = [name for name in folders if Path(folder, name) not in but]
        for name in folders + files:
            path = Path(folder, name)
            if path not in but:
                found[str(path.relative_to(base))] = entry_of(path)
    return found


def difference(before, after):
    """In words; "" for none."""
    lines = [f"gone: {name}" for name in before if name not in after]
    lines += [f"new: {name}" for name in after if name not in before]
    lines += [f"changed: {name}: {before[name]} -> {after[name]}"
              for name in before if name in after and before[name] != after[name]]
    return "; ".join(lines)


# ---- Answers ------------------------------------------------------------------------------------

# What a failure is called: `type` in file_edit, `code` in the envelope, the first words elsewhere.
KINDS = {
    "outside": ("OUTSIDE_WORKSPACE", "ACCESS_DENIED", r"Access denied: .* outside the workspace"),
    "denied": ("PERMISSION_DENIED", "ACCESS_DENIED", r"Access denied: "),
    "missing": ("FILE_NOT_FOUND", "NOT_FOUND", r"File not found: "),
    "folder": ("NOT_A_FILE", "IS_DIRECTORY", r"Not a file: "),
    "special": ("NOT_A_FILE", "EXECUTION_ERROR", r"Not a file: "),
    "path": ("IO_ERROR", "EXECUTION_ERROR", r"(Error (writing|reading) file: |Error: )?Path cannot be resolved: "),
    "io": ("IO_ERROR", "EXECUTION_ERROR", r"Error writing file: "),
    "invalid": ("INVALID_ARGUMENT", "INVALID_PARAM", r"(Error: |.*)"),
    "system": ("PERMISSION_DENIED", "PERMISSION_DENIED", r"(Error (writing|reading) file: )?Permission denied: "),
    "conflict": ("CONFLICT", "CONFLICT", r".*"),
    "large": ("FILE_TOO_LARGE", "INVALID_PARAM", r"(Error: )?(File|The file|.*) (is )?too large"),
    "binary": ("BINARY_FILE", "BINARY_FILE", r"File appears to be binary"),
    "timeout": ("TIMEOUT", "TIMEOUT", r".*"),
    "memory": ("INTERNAL_ERROR", "INTERNAL_ERROR", r".*out of memory"),
}


@dataclass
class Answer:
    tool: str
    is_error: bool
    result: object

    @property
    def text(self):
        """All that a caller is shown."""
        return self.result if isinstance(self.result, str) else json.dumps(self.result)

    def code(self):
        if isinstance(self.result, str):
            return self.result
        if "metadata" in self.result:
            return self.result["metadata"].get("validation_error", {}).get("type")
        if "status" in self.result:
            return (self.result.get("error") or {}).get("code")
        return self.result.get("code")

    def is_kind(self, kind):
        file_edit, envelope, words = KINDS[kind]
        if isinstance(self.result, str):
            return bool(re.match(words, self.result))
        return self.code() == (envelope if "status" in self.result else file_edit)


OLD, NEW = "one", "two"

# tool -> its arguments for a change of `path`, or for reading it
CHANGES = {
    "file_edit": lambda p: {"path": p, "edits": [{"old_text": OLD, "new_text": NEW}]},
    "MultiEdit": lambda p: {"path": p, "edits": [{"old_string": OLD, "new_string": NEW}]},
    "Edit": lambda p: {"path": p, "old_string": OLD, "new_string": NEW},
    "editFile": lambda p: {"file": p, "operations": [{"search": OLD, "replace": NEW}]},
    "editFiles": lambda p: {"edits": [{"file": p,
                                       "replaceOperations": [{"search": OLD, "replace": NEW}]}]},
    "edit_file": lambda p: {"file_path": p, "old_string": OLD, "new_string": NEW},
    "edit_file_lines": lambda p: {"file_path": p, "start_line": 1, "end_line": 1,
                                  "new_content": NEW},
    "mcp__editor__Edit": lambda p: {"file_path": p, "edits": [{"old_text": OLD, "new_text": NEW}]},
}
CREATES = {
    "write_file": lambda p: {"file_path": p, "content": NEW},
    "create_file": lambda p: {"file_path": p, "content": NEW},
    "writeFiles": lambda p: {"files": [{"file": p, "content": NEW}]},
    "Edit create": lambda p: {"path": p, "create_content": NEW},
}
READS = {
    "read_file": lambda p: {"file_path": p},
    "Read": lambda p: {"path": p},
    "readFile": lambda p: {"file": p},
    "preview_edit": lambda p: {"file_path": p, "old_string": OLD, "new_string": NEW},
}
ENVELOPE = {"MultiEdit", "Edit", "Edit create", "Read"}  # these take no absolute paths
# Their files are no pages, so these are only for what is refused before a page is looked at.
PAGES = {
    "editDOM": lambda p: {"file": p, "operations": [
        {"selector": "p", "action": "setText", "value": NEW}]},
    "editFiles dom": lambda p: {"edits": [{"file": p, "domOperations": [
        {"selector": "p", "action": "setText", "value": NEW}]}]},
}
EVERY = {**CHANGES, **CREATES, **READS, **PAGES}


# ---- A place ------------------------------------------------------------------------------------


class Lab:
    """base/ws is the root, base/out lies outside, base/state is the state directory. `user`: a number;
    who runs emend and owns the place."""

    emend = "build/emend"
    tools = Path(".")  # where helper programs are built

    def __init__(self, *flags, user=None, base=None, roots=None):
        self.temporary = tempfile.TemporaryDirectory(prefix="emend-row-", dir=base)
        self.base = Path(self.temporary.name).resolve()
        self.base.chmod(0o755)
        self.root, self.outside = self.base / "ws", self.base / "out"
        self.state = self.base / "state"
        self.flags, self.user, self.batch = list(flags), user, None
        self.roots = roots
        for folder in (self.root, self.outside, self.state):
            folder.mkdir(mode=0o700 if folder == self.state else 0o755)
            self.give(folder)
        self.put("a.txt")
        self.put("secret.txt", at=self.outside)
        self.preexec = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.temporary.cleanup()

    def give(self, path):
        if self.user is not None:
            os.chown(path, self.user, self.user)

    def put(self, name, content=OLD + "\n", at=None, mode=0o644):
        path = (at or self.root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        path.chmod(mode)
        self.give(path)
        return path

    def read(self, name, at=None):
        return ((at or self.root) / name).read_bytes()

    # ---- Commands

    def as_user(self):
        if self.user is None or self.user == os.geteuid():
            return []
        return ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups", "--"]

    def where(self):
        roots = self.roots if self.roots is not None else [self.root]
        return [word for root in roots for word in ("--root", str(root))] + \
            ["--state-dir", str(self.state)]

    def start(self, *words, **more):
        more.setdefault("stdin", subprocess.PIPE)
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        more.setdefault("preexec_fn", self.preexec)
        more.setdefault("cwd", self.root)
        return subprocess.Popen([*self.as_user(), self.emend, *map(str, words)], **more)

    def run(self, *words, stdin=b"", limit=LIMIT_S, **more):
        """(exit status, output, complaints), the latter two as bytes"""
        process = self.start(*words, **more)
        try:
            out, err = process.communicate(stdin if isinstance(stdin, bytes) else stdin.encode(),
                                           limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failed(f"no end after {limit} s: {words}") from None
        return process.returncode, out, err

    def call_once(self, tool, arguments, *flags, limit=LIMIT_S, **more):
        """One call in a process of its own."""
        text = arguments if isinstance(arguments, (str, bytes)) else json.dumps(arguments)
        status, out, err = self.run("call", *self.where(), *self.flags, *flags, tool.split()[0],
                                    stdin=text, limit=limit, **more)
        check(status in (0, 1), f"{tool} ended with {status}: {err.decode(errors='replace')}")
        out = out.decode()
        try:
            result = json.loads(out)
            result = result if isinstance(result, dict) else out
        except ValueError:
            result = out
        return Answer(tool, status == 1, result)

    def call(self, tool, arguments, limit=LIMIT_S):
        """One call of many in one process."""
        if self.batch is None:
            self.batch = self.start("batch", *self.where(), *self.flags)
        line = json.dumps({"id": 1, "tool": tool.split()[0], "arguments": arguments})
        self.batch.stdin.write(line.encode() + b"\n")
        self.batch.stdin.flush()
        ready, _, _ = select.select([self.batch.stdout], [], [], limit)
        check(ready, f"no answer within {limit} s: {tool} {str(arguments)[:200]}")
        answer = self.batch.stdout.readline()
        check(answer, f"it ended: {tool} {str(arguments)[:200]}: {self.batch.poll()}")
        answer = json.loads(answer)
        return Answer(tool, answer["isError"], answer["result"])

    def end(self):
        if self.batch:
            self.batch.communicate(timeout=LIMIT_S)
        self.batch = None

    # ---- What must hold

    def tree(self):
        return tree_of(self.base, but=(self.state,))

    def same(self, before, what):
        found = difference(before, self.tree())
        check(not found, f"{what}: {found}")

    def refused(self, path, kind, tools=None, limit=LIMIT_S, but=()):
        """Every tool refuses the path in its own words, and nothing at all changed."""
        before = self.tree()
        for tool, arguments in (tools or EVERY).items():
            if tool in but:
                continue
            wanted = "outside" if tool in ENVELOPE and str(path).startswith("/") else kind
            answer = self.call(tool, arguments(str(path)), limit)
            check(answer.is_error and answer.is_kind(wanted),
                  f"{tool} {str(path)[:100]!r}: wanted {wanted}, got {answer.text[:300]}")
            self.same(before, f"{tool} {str(path)[:100]!r}")

    def edited(self, path, tool="file_edit", **more):
        """The change is made; its answer."""
        answer = self.call(tool, {**EVERY[tool](str(path)), **more})
        check(not answer.is_error, f"{tool} {path}: {answer.text[:300]}")
        return answer

    def no_strays(self):
        strays = [str(path) for path in self.base.rglob(".emend-*")]
        check(not strays, f"left behind: {strays}")


# ---- A client of the server ---------------------------------------------------------------------


class Server:
    """`emend mcp` over a lab."""

    def __init__(self, lab, *flags, handshake=True, **more):
        self.process = lab.start("mcp", *lab.where(), "--tools", "all", *lab.flags, *flags, **more)
        self.last = 0
        if handshake:
            self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def write(self, data):
        self.process.stdin.write(data if isinstance(data, bytes) else data.encode())
        self.process.stdin.flush()

    def line(self, limit=LIMIT_S):
        ready, _, _ = select.select([self.process.stdout], [], [], limit)
        check(ready, f"no answer within {limit} s")
        line = self.process.stdout.readline()
        check(line.endswith(b"\n"), f"it ended: {self.process.poll()}")
        return line

    def hear(self, limit=LIMIT_S):
        return json.loads(self.line(limit))

    def ask(self, method, params=None, limit=LIMIT_S):
        self.last += 1
        self.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method,
                               "params": params or {}}) + "\n")
        while True:
            answer = self.hear(limit)
            if answer.get("id") == self.last:
                return answer

    def call(self, tool, arguments, limit=LIMIT_S):
        return self.ask("tools/call", {"name": tool, "arguments": arguments}, limit)

    def memory_kb(self, field="VmRSS"):
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{field}:\s*(\d+) kB", text, re.M).group(1))

    def end(self, limit=LIMIT_S):
        self.process.stdin.close()
        self.process.stdin = None
        return self.process.wait(limit)


def stopped(process, how=signal.SIGKILL):
    process.send_signal(how)
    process.communicate()


def wait_until(what, condition, limit=LIMIT_S):
    start = time.monotonic()
    while not condition():
        check(time.monotonic() - start < limit, f"waited {limit} s for {what}")
        time.sleep(0.002)
