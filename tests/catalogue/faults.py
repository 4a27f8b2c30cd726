"""F61 to F68, F73 to F78: the system says no. What it says is made true where that can be done (a full
disk, limits, a system that lacks something), and else put into the mouth of the system calls of the
release build by strace."""
import contextlib
import errno
import functools
import json
import os
import re
import resource
import signal
import struct
import subprocess
import tempfile
import time
from pathlib import Path

from lab import CHANGES, CREATES, NEW, Lab, check, entry_of, equal, has, need, need_root
from harness import filter_calls

# ---- A change under strace ----------------------------------------------------------------------

CHANGE = json.dumps(CHANGES["file_edit"]("a.txt"))


class Traced:
    """One change of a.txt, with a call of it told to fail. Calls before the sandbox (the start of the
    program, the reading of the request) are not looked at."""

    def __init__(self, lab, *flags, tool="file_edit", arguments=None):
        self.lab, self.flags, self.tool = lab, flags, tool
        self.arguments = json.dumps(arguments or CHANGES["file_edit"]("a.txt"))
        self.trace = lab.base / "state" / "trace"

    def run(self, inject=None, more=()):
        words = ["strace", "-f", "-y", "-o", self.trace, *more]
        if inject:
            words += ["-e", f"inject={inject}"]
        return subprocess.run([*words, self.lab.emend, "call", *self.lab.where(), *self.flags, self.tool],
                              input=self.arguments, capture_output=True, text=True,
                              cwd=self.lab.root, check=False)

    def calls(self):
        """[(name, its number among those of this name, the line)] from the sandbox on"""
        numbers, found, inside = {}, [], False
        for line in self.trace.read_text(errors="replace").splitlines():
            match = re.match(r"\d+ +(\w+)\(", line)
            if not match:
                continue
            name = match.group(1)
            numbers[name] = numbers.get(name, 0) + 1
            if inside:
                found.append((name, numbers[name], line))
            inside = inside or name == "landlock_restrict_self"
        return found


def name_of(error):
    return "EOPNOTSUPP" if error == errno.EOPNOTSUPP else errno.errorcode[error]


def sweep(names, errors, judge, *flags, only=lambda line: True, prepare=None, **how):
    """Each call of those names fails with each of the errors, one a run. `judge` looks at the lab, the
    end of the process and the line of the call that failed. Returns how many runs there were."""
    need("strace")
    count = 0
    with Lab() as lab:
        traced = Traced(lab, *flags, **how)
        if prepare:
            prepare(lab)
        done = traced.run()
        equal(done.returncode, 0, f"nothing fails: {done.stdout} {done.stderr}")
        calls = [(name, number, line) for name, number, line in traced.calls()
                 if name in names and only(line)]
    check(calls, f"no call of {names}")
    for name, number, line in calls:
        for error in errors:
            with Lab() as lab:
                traced = Traced(lab, *flags, **how)
                if prepare:
                    prepare(lab)
                # the first change makes the state directory, as the reference did
                before = lab.tree()
                done = traced.run(f"{name}:error={name_of(error)}:when={number}")
                try:
                    has("(INJECTED)", traced.trace.read_text(errors="replace"), "nothing failed")
                    judge(lab, before, done, line)
                except Exception as problem:
                    raise type(problem)(f"{name} {number} {name_of(error)} ({line[:150]}): "
                                        f"{problem}") from None
                count += 1
    return count


def refused_or_whole(lab, before, done, _line):
    """Refused: all is as it was. Done: the change is there, whole. Nothing is left either way, or
    recovery takes it."""
    check(done.returncode in (0, 1, 2), f"ended with {done.returncode}: {done.stderr}")
    content = lab.read("a.txt")
    if done.returncode == 0:
        equal(content, b"two\n", "done")
    else:
        lab.same(before, f"refused ({done.stdout[:200]} {done.stderr[:200]})")
        check(done.stdout or done.stderr, "it says nothing")
    lab.run("recover", *lab.where())
    lab.no_strays()
    equal(lab.read("a.txt"), content, "after recovery")


def refused(lab, before, done, line):
    check(done.returncode != 0, f"it was done: {done.stdout[:300]}")
    refused_or_whole(lab, before, done, line)


def on_file(line):
    return "a.txt" in line


# ---- No room ------------------------------------------------------------------------------------


class Small:
    """A file system in memory that is soon full."""

    def __init__(self, options):
        need_root()
        self.options = options
        self.folder = tempfile.TemporaryDirectory(prefix="emend-small-")
        self.path = Path(self.folder.name)

    def __enter__(self):
        subprocess.run(["mount", "-t", "tmpfs", "-o", self.options, "tmpfs", self.path], check=True)
        return self.path

    def __exit__(self, *_):
        subprocess.run(["umount", self.path], check=True)
        self.folder.cleanup()


def no_space():
    with Small("size=128k,mode=755") as disk, Lab() as lab:
        lab.roots, lab.root = [disk], disk
        for size in (30000, 45000, 60000):
            lab.put("a.txt", b"one" + b"x" * size)
            before = lab.tree(), {p.name: p.read_bytes() for p in disk.iterdir()}
            answer = lab.call_once("file_edit", {"path": "a.txt", "edits": [
                {"old_text": "one", "new_text": "y" * (size + 20000)}]})
            if size == 30000 and not answer.is_error:
                continue
            check(answer.is_error and answer.is_kind("io"), answer.text[:300])
            has("No space left", answer.text)
            equal((lab.tree(), {p.name: p.read_bytes() for p in disk.iterdir()}), before, str(size))
            answer = lab.call_once("write_file", {"file_path": "d/e/new.txt", "content": "z" * 130000})
            check(answer.is_error, answer.text[:200])
            equal(sorted(p.name for p in disk.iterdir()), ["a.txt"], "folders made for it")
    with Small("size=256k,mode=700") as disk, Lab() as lab:  # the history has no room
        lab.state = disk / "state"
        (disk / "full").write_bytes(b"x" * 4096)
        lab.call_once("file_edit", CHANGES["file_edit"]("a.txt"))
        lab.put("a.txt")
        with open(disk / "full", "ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        before = lab.tree()
        answer = lab.call_once("file_edit", {"path": "a.txt", "edits": [
            {"old_text": "one", "new_text": "y" * 20000}]})
        if answer.is_error:
            lab.same(before, "refused")
        lab.no_strays()
    count = sweep(("pwrite64", "pwritev", "pwritev2", "fsync", "linkat", "mkdirat", "openat"),
                  (errno.ENOSPC,), refused_or_whole)
    print(f"     and {count} calls that find no space")


def no_inodes():
    with Small("size=1m,nr_inodes=6,mode=755") as disk, Lab() as lab:
        lab.roots, lab.root = [disk], disk
        lab.put("a.txt")
        for i in range(20):
            try:
                (disk / f"filler{i}").touch()
            except OSError:
                break
        before = sorted(p.name for p in disk.iterdir())
        for tool in ("file_edit", "write_file"):
            arguments = {**CHANGES, **CREATES}[tool]("a.txt" if tool == "file_edit" else "new.txt")
            answer = lab.call_once(tool, arguments)
            check(answer.is_error and answer.is_kind("io"), answer.text[:300])
            equal(sorted(p.name for p in disk.iterdir()), before, tool)
        equal(lab.read("a.txt"), b"one\n", "the file")


def file_limits():
    """RLIMIT_FSIZE: an error, not the signal that would end the process."""
    with Lab() as lab:
        lab.preexec = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))
        before = lab.tree()
        answer = lab.call_once("file_edit", {"path": "a.txt", "edits": [
            {"old_text": "one", "new_text": "y" * 100000}]})
        check(answer.is_error and answer.is_kind("io"), answer.text[:300])
        lab.same(before, "RLIMIT_FSIZE")
        answer = lab.call("write_file", {"file_path": "big.txt", "content": "y" * 100000})
        check(answer.is_error, answer.text[:200])
        lab.end()
        lab.same(before, "RLIMIT_FSIZE, in a batch")
    count = sweep(("pwrite64", "pwritev", "fsync", "linkat", "fchown", "fsetxattr"),
                  (errno.EDQUOT, errno.EFBIG), refused_or_whole)
    print(f"     and {count} calls that meet a quota")


# ---- The disk fails -----------------------------------------------------------------------------


def read_error():
    """An error at any offset is never taken for the end of the file."""
    def large(lab):
        lab.put("a.txt", b"one\n" + b"x" * 300000 + b"\n")

    def judge(lab, before, done, line):
        content = lab.read("a.txt")
        check(len(content) == len(b"one\n") + 300001, f"{len(content)} bytes are left")
        if done.returncode != 0:
            lab.same(before, "refused")
        lab.run("recover", *lab.where())
        lab.no_strays()
    count = sweep(("pread64", "read", "copy_file_range"), (errno.EIO, errno.EINTR), judge,
                  only=lambda line: on_file(line) or ".emend" in line or "(deleted)" in line,
                  prepare=large)
    print(f"     {count} reads that fail")
    sweeps("sweep_error", "edit of a large file")


def sync_error():
    """A failed fsync is final: refused, and never asked again for the same file."""
    def judge(lab, before, done, line):
        refused_or_whole(lab, before, done, line)
        descriptor = re.search(r"fsync\((\d+)<([^>]*)>", line)
        text = (lab.base / "state" / "trace").read_text(errors="replace")
        after = text.split("(INJECTED)", 1)
        check(len(after) == 2, "nothing was injected")
        for later in after[1].splitlines():
            if re.search(rf"close\({descriptor.group(1)}[<)]", later):
                break
            check(not re.search(rf"f(data)?sync\({descriptor.group(1)}<", later),
                  f"asked again: {later}")
    count = sweep(("fsync",), (errno.EIO,), judge)
    count += sweep(("close",), (errno.EIO,), refused_or_whole)
    print(f"     {count} calls of fsync and close that fail")


def folder_sync_error():
    """After the exchange: done, and the answer says that it may not be durable."""
    need("strace")
    with Lab() as lab:
        traced = Traced(lab)
        traced.run()
        exchanged, numbers = False, []
        for name, number, line in traced.calls():
            exchanged = exchanged or (name == "renameat2" and "RENAME_EXCHANGE" in line)
            if exchanged and name == "fsync" and f"<{lab.root}>" in line:
                numbers.append(number)
    check(numbers, "no sync of the folder after the exchange")
    for number in numbers:
        with Lab() as lab:
            done = Traced(lab).run(f"fsync:error=EIO:when={number}")
            equal((done.returncode, lab.read("a.txt")), (0, b"two\n"), done.stdout)
            has("not durable", done.stdout)
            lab.no_strays()


def short_transfers():
    sweeps("sweep_error", "edit")  # one byte at a time, at each read and write, and all the time
    sweeps("sweep_error", "edit of a large file")


def interruptions():
    """EINTR at every call, and a process that is stopped and set going a thousand times a second."""
    count = sweep(("pread64", "pwritev", "openat", "fsync", "linkat", "renameat2", "unlinkat", "fcntl",
                   "fchown", "fchmod", "statx", "ftruncate", "mkdirat"), (errno.EINTR,), refused_or_whole)
    print(f"     {count} calls that are interrupted")
    signal_storm()


def signal_storm():
    """A process that is stopped and set going some thousand times."""
    with Lab() as lab:
        lab.put("a.txt", "0\n")
        lines = b"".join(json.dumps({"id": i, "tool": "edit_file", "arguments": {
            "file_path": "a.txt", "old_string": str(i), "new_string": str(i + 1)}}).encode() + b"\n"
            for i in range(2000))
        calls, answers = lab.state / "calls", lab.state / "answers"
        calls.write_bytes(lines)
        with open(calls, "rb") as stdin, open(answers, "wb") as stdout:
            process = lab.start("batch", *lab.where(), "--sync", "off", stdin=stdin, stdout=stdout)
        storms = 0
        while process.poll() is None and storms < 20000:
            process.send_signal(signal.SIGSTOP)
            process.send_signal(signal.SIGCONT)
            storms += 1
            time.sleep(0.0005)
        _, err = process.communicate(timeout=60)
        equal(process.returncode, 0, err.decode())
        out = answers.read_bytes()
        equal((out.count(b'"isError":false'), lab.read("a.txt")), (2000, b"2000\n"), "all of them")
        check(storms > 200, f"it was over after {storms} signals")


# ---- What the system lacks ----------------------------------------------------------------------


def across_devices():
    """EXDEV where a name is given or exchanged: refused, never copied and deleted."""
    count = sweep(("renameat2", "linkat"), (errno.EXDEV,), refused)
    count += sweep(("renameat2", "linkat"), (errno.EXDEV,), refused, tool="write_file",
                   arguments={"file_path": "a.txt", "content": "two\n"})
    print(f"     {count} names that cannot be given")


def without_calls(rules):
    """For preexec_fn: calls whose argument `index` has all bits of `mask` give `error`, as on file
    systems that lack it."""
    program = [(0x20, 0, 0, 0)]
    for number, index, mask, error in rules:
        program += [(0x15, 0, 5, number), (0x20, 0, 0, 16 + 8 * index), (0x54, 0, 0, mask),
                    (0x15, 0, 1, mask), (0x06, 0, 0, 0x00050000 | error), (0x20, 0, 0, 0)]
    program.append((0x06, 0, 0, 0x7FFF0000))
    return filter_calls(program)


NR_OPENAT, NR_RENAMEAT2 = 257, 316
TMPFILE = 0o20000000


def fallbacks():
    """No O_TMPFILE, no exchange of names, neither, as on NFS and FUSE: it works, and says what it cannot
    promise; and the doctor knows."""
    equal(os.uname().machine, "x86_64", "the machine")
    no_tmpfile = (NR_OPENAT, 2, TMPFILE, errno.EOPNOTSUPP)
    no_exchange = (NR_RENAMEAT2, 4, 2, errno.EINVAL)
    for rules, warning in (([no_tmpfile], None), ([no_exchange], "cannot exchange two names"),
                           ([no_tmpfile, no_exchange], "cannot exchange two names")):
        with Lab() as lab:
            lab.preexec = without_calls(rules)
            for tool in CHANGES:
                path = lab.put("a.txt", mode=0o640)
                os.setxattr(path, "user.colour", b"blue")
                answer = lab.edited("a.txt", tool)
                has(NEW, lab.read("a.txt").decode(), tool)
                equal((path.stat().st_mode & 0o777, os.getxattr(path, "user.colour")), (0o640, b"blue"),
                      tool)
                if warning:
                    has(warning, answer.text, tool)
            lab.edited("x/y/new.txt", "write_file")
            lab.no_strays()
            status, out, _ = lab.run("doctor", *lab.where())
            equal(status, 0, out)
            if no_tmpfile in rules:
                has("unnamed temporary files: no", out.decode())
            if no_exchange in rules:
                has("exchange of names: no", out.decode())


def attribute_errors():
    """user.* and the ACL are copied or the change is refused; security.* is told."""
    def coloured(lab):
        os.setxattr(lab.root / "a.txt", "user.colour", b"blue")
        os.setxattr(lab.root / "a.txt", "system.posix_acl_access", struct.pack(
            "<I", 2) + b"".join(struct.pack("<HHI", tag, perm, who) for tag, perm, who in
                                ((1, 6, -1 & 0xFFFFFFFF), (2, 4, 4242), (4, 4, 0xFFFFFFFF),
                                 (0x10, 4, 0xFFFFFFFF), (0x20, 4, 0xFFFFFFFF))))

    def judge(lab, before, done, line):
        refused(lab, before, done, line)
        equal(os.getxattr(lab.root / "a.txt", "user.colour"), b"blue", "attribute")
    count = sweep(("fsetxattr",), (errno.ENOTSUP, errno.ENOSPC, errno.EPERM, errno.EIO), judge,
                  prepare=coloured)
    print(f"     {count} attributes that cannot be set")
    need_root()

    def trusted(lab):
        os.setxattr(lab.root / "a.txt", "trusted.colour", b"blue")

    def told(lab, _before, done, _line):
        equal((done.returncode, lab.read("a.txt")), (0, b"two\n"), done.stdout)
        has("security attributes", done.stdout)
    sweep(("fsetxattr",), (errno.EPERM, errno.ENOTSUP), told, prepare=trusted)


def few_descriptors():
    for limit in range(3, 24):
        with Lab() as lab:
            lab.preexec = lambda limit=limit: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
            before = lab.tree()
            status, out, err = lab.run("call", *lab.where(), "file_edit", stdin=CHANGE)
            if status == 0:
                equal(lab.read("a.txt"), b"two\n", f"{limit} descriptors")
            elif lab.read("a.txt") == b"one\n":
                lab.same(before, f"{limit} descriptors")
            else:
                raise AssertionError(f"{limit}: {status} {out} {err}")
            lab.preexec = None
            lab.run("recover", *lab.where())
            lab.no_strays()
    equal(status, 0, "23 descriptors are enough")
    thousand_files()


def thousand_files(limit=64):
    """A change of a thousand files needs few descriptors."""
    with Lab() as lab:
        names = [f"d{i % 10}/f{i}.txt" for i in range(1000)]
        for name in names:
            lab.put(name)
        lab.preexec = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        answer = lab.call_once("editFiles", {"atomic": True, "edits": [
            {"file": name, "replaceOperations": [{"search": "one", "replace": "two"}]}
            for name in names]}, "--sync", "off", limit=120)
        check(not answer.is_error, answer.text[:500])
        equal({lab.read(name) for name in names}, {b"two\n"}, "all of them")
        lab.no_strays()


def some_memory():
    no_memory(step=97)


def no_memory(step=1):
    """The k-th request for memory fails, once, or it and all after it: in emend and its libraries."""
    runs = 0
    with Lab() as lab:
        before = lab.tree()
        for lasting in ("", "1"):
            k, over = 1, False
            while not over:
                env = {**os.environ, "LD_PRELOAD": str(Lab.tools / "scarce.so"), "SCARCE_AT": str(k),
                       "SCARCE_FOREVER": lasting}
                status, out, err = lab.run("call", *lab.where(), "file_edit", stdin=CHANGE, env=env)
                what = f"request {k}{', and all after it' if lasting else ''}: {out} {err}"
                over = b"scarce: not reached" in err
                check(status in (0, 1, 2), f"{what}: ended with {status}")
                if lab.read("a.txt") == b"one\n":
                    check(status != 0, f"{what}: says that it is done")
                else:
                    equal(lab.read("a.txt"), b"two\n", what)
                    lab.put("a.txt")
                    lab.run("recover", *lab.where())
                    before = {**lab.tree(), "ws/a.txt": entry_of(lab.root / "a.txt")}
                lab.same(before, what)
                lab.no_strays()
                k += step
                runs += 1
    print(f"     {runs} requests that fail")


# ---- The sweeps ---------------------------------------------------------------------------------


@functools.cache
def sweep_ran(name, scenario, more):
    """Several rows may look at one run."""
    return subprocess.run([Lab.tools.parent / "fault" / name, "--scenario", scenario, *more],
                          capture_output=True, text=True, timeout=300, check=False)


def sweeps(name, *scenarios, more=("--quick",)):
    """A sweep over scenarios of tests/fault: all as documented."""
    for scenario in scenarios:
        done = sweep_ran(name, scenario, more)
        found = re.search(r": ([\d,]+) \w+ over 1 scenarios?, ([\d,]+) as documented", done.stdout)
        check(found and done.returncode == 0 and found.group(1) == found.group(2),
              done.stdout[-2000:] + done.stderr[-500:])
        print(f"     {found.group(1)} runs of {name}, {scenario}")


