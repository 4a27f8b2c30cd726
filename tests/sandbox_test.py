#!/usr/bin/env python3
"""Tests the sandbox of the release build from outside.

    sandbox_test.py [--emend BINARY] [--probe LIBRARY] [--verbose] [NAME...]
                                    default: build/emend, build/tests/sandbox/probe.so, every test

What emend could reach is tried from within it (sandbox/probe.c), since by itself it does not try. The
last line is `N passed, N failed`.
"""
import errno
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import harness
from harness import check, check_equal, filter_calls, test

LIMIT_S = 20
NR_LANDLOCK = (444, 445, 446)


# ---- Places and commands ----------------------------------------------------------------------


class Place:
    """A root, a second one, a file outside of both, and a state directory that is not there yet."""

    emend, probe = "build/emend", "build/tests/sandbox/probe.so"

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="emend-sandbox-")
        self.base = Path(self.temporary.name).resolve()
        self.root, self.other = self.base / "work", self.base / "other"
        self.outside, self.state = self.base / "outside.txt", self.base / "state"
        for folder in (self.root, self.other):
            folder.mkdir()
            (folder / "a.txt").write_text("one\n")
        (self.root / "l1.txt").write_bytes("caf\u00e9\n".encode("cp1252"))
        self.outside.write_text("one\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def environment(self, attempts):
        env = {**os.environ, "XDG_STATE_HOME": str(self.state), "HOME": str(self.base)}
        if attempts:
            env.update(LD_PRELOAD=str(Path(self.probe).resolve()), EMEND_PROBE=" ".join(attempts))
        return env

    def start(self, *words, attempts=(), **more):
        return subprocess.Popen([self.emend, *map(str, words)], cwd=self.root,
                                env=self.environment(attempts), stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def run(self, *words, stdin="", attempts=(), **more):
        """(exit status, output, complaints, {attempt: errno})"""
        process = self.start(*words, attempts=attempts, **more)
        out, err = process.communicate(stdin.encode(), LIMIT_S)
        found = re.search(r"^probe: (.*)$", err.decode(), re.M)
        told = dict(word.rsplit("=", 1) for word in found.group(1).split()) if found else {}
        return process.returncode, out.decode(), err.decode(), \
            {word: int(number) for word, number in told.items()}


    def serve(self, *words, attempts=()):
        """The same for the server over HTTP, where an edit of a.txt is asked for."""
        process = self.start("serve", "--token", "none", "--tools", "all", *words, attempts=attempts)
        address = process.stdout.readline().decode().strip()
        params = {"name": "edit_file", "arguments": edit_call(), "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}}}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        request = urllib.request.Request(address + "mcp", body.encode(), {
            "Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tools/call", "Mcp-Name": "edit_file"})
        try:
            with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
                out = answer.read().decode()
        finally:
            process.terminate()
            _, err = process.communicate(timeout=LIMIT_S)
        found = re.search(r"^probe: (.*)$", err.decode(), re.M)
        told = dict(word.rsplit("=", 1) for word in found.group(1).split()) if found else {}
        return process.returncode, out, err.decode(), {word: int(n) for word, n in told.items()}


def edit_call(name="a.txt", old="one", new="two"):
    return {"file_path": str(name), "old_string": old, "new_string": new}


def mcp_input(tool, arguments):
    return "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in [
        {"id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}])


def commands():
    """Each way to change a.txt: the words and the input."""
    yield ["call", "edit_file"], json.dumps(edit_call())
    yield ["edit", "a.txt", "--old", "one", "--new", "two"], ""
    yield ["batch"], json.dumps({"id": 1, "tool": "edit_file", "arguments": edit_call()})
    yield ["batch", "--jobs", "3"], json.dumps({"id": 1, "tool": "edit_file",
                                                "arguments": edit_call()})
    yield ["mcp", "--tools", "all"], mcp_input("edit_file", edit_call())


# ---- What is held back ------------------------------------------------------------------------


@test
def every_command_is_held_in_its_roots():
    for words, stdin in commands():
        with Place() as place:
            state = place.state / "emend"
            attempts = {
                f"read:{place.root}/l1.txt": 0, f"write:{place.root}/l1.txt": 0,
                f"make:{place.root}/new.txt": 0, f"make:{state}/new": 0,
                f"read:{place.outside}": errno.EACCES, f"write:{place.outside}": errno.EACCES,
                f"make:{place.base}/new.txt": errno.EACCES, "read:/etc/passwd": errno.EACCES,
                f"read:{place.other}/a.txt": errno.EACCES, "read:/proc/self/maps": errno.EACCES,
                f"chmod:{place.outside}": errno.EPERM, "run": errno.EPERM, "socket": errno.EPERM,
                "thread": 0}
            status, out, err, told = place.run(*words, stdin=stdin, attempts=attempts)
            check_equal(told, attempts, f"{words}: {err}")
            check_equal((status, (place.root / "a.txt").read_text()), (0, "two\n"), f"{words}: {out}")


@test
def the_server_over_http_is_held_in_its_roots():
    with Place() as place:
        attempts = {
            f"read:{place.root}/l1.txt": 0, f"make:{place.root}/new.txt": 0,
            f"make:{place.state}/emend/new": 0, f"read:{place.outside}": errno.EACCES,
            f"write:{place.outside}": errno.EACCES, f"make:{place.base}/new.txt": errno.EACCES,
            "read:/etc/passwd": errno.EACCES, f"chmod:{place.outside}": errno.EPERM,
            "run": errno.EPERM, "socket": errno.EPERM, "thread": 0}
        status, out, err, told = place.serve(attempts=attempts)
        check_equal(told, attempts, err)
        check_equal((status, (place.root / "a.txt").read_text()), (0, "two\n"), out)
    with Place() as place:
        attempts = {f"read:{place.outside}": 0, "run": 0, "socket": 0}
        status, _, err, told = place.serve("--sandbox", "off", attempts=attempts)
        check_equal((status, told), (0, attempts), f"without it: {err}")


@test
def without_the_sandbox_all_of_it_can_be_done():
    for words, stdin in commands():
        with Place() as place:
            attempts = {f"read:{place.outside}": 0, f"write:{place.outside}": 0,
                        f"make:{place.base}/new.txt": 0, f"chmod:{place.outside}": 0, "run": 0,
                        "socket": 0}
            status, _, err, told = place.run(*words, "--sandbox", "off", stdin=stdin,
                                             attempts=attempts)
            check_equal((status, told), (0, attempts), f"{words}: {err}")


@test
def what_only_reads_cannot_write():
    with Place() as place:
        attempts = {f"read:{place.root}/a.txt": 0, f"write:{place.root}/a.txt": errno.EACCES,
                    f"make:{place.root}/new": errno.EACCES, f"read:{place.outside}": errno.EACCES}
        arguments = {"path": "l1.txt", "encoding": "cp1252",
                     "edits": [{"old_text": "caf", "new_text": "tea"}], "dry_run": True}
        for words in (["call", "--read-only", "read_file"], ["mcp", "--read-only", "--tools", "all"]):
            asked = {"file_path": "l1.txt", "encoding": "cp1252"}
            stdin = mcp_input("read_file", asked) if words[0] == "mcp" else json.dumps(asked)
            _, out, err, told = place.run(*words, stdin=stdin, attempts=attempts)
            check_equal(told, attempts, f"{words}: {out} {err}")
        _, out, err, told = place.run("call", "file_edit", stdin=json.dumps(arguments),
                                      attempts=[f"read:{place.outside}"])
        check_equal(told, {f"read:{place.outside}": errno.EACCES}, f"a dry run: {out} {err}")
        check(not place.state.exists(), "state after a dry run")


@test
def a_server_is_held_before_it_reads_anything():
    """What a client does to find out what the server is: no call yet, so no folder, but no ways out."""
    with Place() as place:
        server = place.start("mcp")
        try:
            server.stdin.write(mcp_input("none", {}).encode().split(b"\n")[0] + b"\n")
            server.stdin.flush()
            check("serverInfo" in json.loads(server.stdout.readline())["result"], "initialize")
            status = Path(f"/proc/{server.pid}/status").read_text()
            check(re.search(r"^NoNewPrivs:\t1$", status, re.M), "new privileges")
            check(re.search(r"^Seccomp:\t2$", status, re.M), "no filter")
            check(not place.state.exists(), "state before a call")
        finally:
            server.communicate(timeout=LIMIT_S)


@test
def a_client_may_have_a_socket_for_the_output():
    """As Node.js makes them; an answer of any length comes through."""
    with Place() as place:
        (place.root / "long.txt").write_text("".join(f"line {i}\n" for i in range(20000)))
        ours, its = socket.socketpair()
        with ours, its, subprocess.Popen(
                [place.emend, "mcp", "--tools", "all"], cwd=place.root, env=place.environment(()),
                stdin=subprocess.PIPE, stdout=its, stderr=subprocess.PIPE) as server:
            its.close()
            asked = mcp_input("read_file", {"path": "long.txt"})
            server.stdin.write(asked.encode())
            server.stdin.close()
            lines = ours.makefile("rb").readlines()
            check(server.wait(LIMIT_S) == 0, f"exit status {server.returncode}")
            check(len(lines[1]) > 1 << 16 and "line 20" in json.loads(lines[1])["result"]["content"][0]["text"], "cut off")


@test
def every_thread_of_a_batch_is_held():
    with Place() as place:
        batch = place.start("batch", "--jobs", "4")
        try:
            batch.stdin.write(json.dumps({"id": 1, "tool": "edit_file",
                                          "arguments": edit_call()}).encode() + b"\n")
            batch.stdin.flush()
            check(json.loads(batch.stdout.readline())["isError"] is False, "the call")
            tasks = list(Path(f"/proc/{batch.pid}/task").iterdir())
            check_equal(len(tasks), 5, "threads")
            for task in tasks:
                check("Seccomp:\t2" in (task / "status").read_text(), "a thread without a filter")
        finally:
            batch.communicate(timeout=LIMIT_S)


# ---- What still works -------------------------------------------------------------------------


@test
def roots_of_all_kinds():
    with Place() as place:
        (place.root / "inner").mkdir()
        (place.root / "inner" / "b.txt").write_text("one\n")
        (place.base / "link").symlink_to(place.other)
        roots = ["--root", place.root, "--root", place.root / "inner", "--root", place.base / "link"]
        for name in ("a.txt", place.root / "inner" / "b.txt", place.other / "a.txt",
                     place.base / "link" / "new" / "c.txt"):
            tool, arguments = "edit_file", edit_call(name)
            if "new" in str(name):
                tool, arguments = "write_file", {"file_path": str(name), "content": "x"}
            status, out, err, _ = place.run("call", *roots, tool, stdin=json.dumps(arguments))
            check_equal(status, 0, f"{name}: {out} {err}")
        status, out, err, _ = place.run("call", "--root", "/", "--state-dir", place.state / "emend",
                                        "edit_file", stdin=json.dumps(edit_call(place.outside)))
        check_equal((status, place.outside.read_text()), (0, "two\n"), f"{out} {err}")


@test
def what_a_change_needs_is_there():
    """Encodings, backups, folders to be made, owners, links, several files."""
    with Place() as place:
        (place.root / "link.txt").symlink_to("a.txt")
        rows = [
            ("file_edit", {"path": "l1.txt", "encoding": "cp1252", "backup": True,
                           "edits": [{"old_text": "caf\u00e9", "new_text": "th\u00e9 \u20ac"}]}),
            ("writeFiles", {"files": [{"file": "x/y/z.txt", "content": "z"},
                                      {"file": "x/w.txt", "content": "w"}]}),
            ("edit_file", edit_call("link.txt")),
            ("edit_file", edit_call("x/w.txt", "w", "v")),
        ]
        lines = [json.dumps({"id": i, "tool": tool, "arguments": arguments})
                 for i, (tool, arguments) in enumerate(rows)]
        status, out, err, _ = place.run("batch", "--jobs", "2", "--sandbox", "required",
                                        stdin="\n".join(lines))
        check_equal(status, 0, f"{out} {err}")
        check_equal((place.root / "l1.txt").read_bytes(), b"th\xe9 \x80\n", "cp1252")
        check_equal((place.root / "a.txt").read_text(), "two\n", "through the link")


@test
def a_state_directory_that_cannot_be_made_is_told():
    with Place() as place:
        place.state.write_text("a file, where the folder should be")
        status, out, err, _ = place.run("call", "--state-dir", place.state / "emend", "edit_file",
                                        stdin=json.dumps(edit_call()))
        check_equal(status, 1, f"{out} {err}")
        check("Not a directory" in out, f"why: {out}")


@test
def a_state_directory_that_comes_later_is_told():
    with Place() as place:
        state = ["--state-dir", place.state]
        server = place.start("serve", "--token", "none", "--read-only", *state)
        try:
            address = server.stdout.readline().decode().strip()
            status, _, err, _ = place.run("call", "edit_file", *state, stdin=json.dumps(edit_call()))
            check_equal(status, 0, err)
            with urllib.request.urlopen(address + "api/edits", timeout=LIMIT_S) as answer:
                told = answer.read().decode()
        except urllib.error.HTTPError as refused:
            told = refused.read().decode()
        finally:
            server.terminate()
            server.communicate(timeout=LIMIT_S)
        check("made after this process began" in told and "start it again" in told, told)


@test
def a_state_directory_inside_a_root():
    with Place() as place:
        words = ["call", "--state-dir", place.root / "kept", "edit_file"]
        for old, new in (("one", "two"), ("two", "three")):
            status, out, err, _ = place.run(*words, stdin=json.dumps(edit_call("a.txt", old, new)))
            check_equal(status, 0, f"{out} {err}")


@test
def descriptors_that_a_client_left_open_are_closed():
    with Place() as place:
        left = os.open(place.outside, os.O_RDWR)
        os.set_inheritable(left, True)
        server = place.start("mcp", close_fds=False)
        os.close(left)
        try:
            server.stdin.write(mcp_input("none", {}).encode().split(b"\n")[0] + b"\n")
            server.stdin.flush()
            server.stdout.readline()
            held = [os.readlink(entry) for entry in Path(f"/proc/{server.pid}/fd").iterdir()]
            check(str(place.outside) not in held, f"still open: {held}")
        finally:
            server.communicate(timeout=LIMIT_S)


@test
def memory_that_is_not_there_is_an_error_of_the_call():
    with Place() as place:
        with open(place.root / "large.txt", "wb") as file:
            file.write(b"no line has it\n" * (14 << 20))
        # text that has to be converted is held whole
        large = {"file": "large.txt", "encoding": "windows-1252",
                 "operations": [{"search": "one", "replace": "two"}]}
        calls = [("editFile", large), ("edit_file", edit_call())]
        stdin = "\n".join(json.dumps({"id": i, "tool": tool, "arguments": arguments})
                          for i, (tool, arguments) in enumerate(calls))
        status, out, err, _ = place.run("batch", "--max-memory", "64M", stdin=stdin)
        answers = [json.loads(line) for line in out.splitlines()]
        check_equal([a["isError"] for a in answers], [True, False], f"{out} {err}")
        check_equal(answers[0]["result"]["code"], "FILE_TOO_LARGE", out)
        check("memory" in answers[0]["result"]["error"], out)
        status, out, err, _ = place.run("call", "--max-memory", "1G", "editFile",
                                        stdin=json.dumps(large))
        check_equal(json.loads(out)["code"], "NO_MATCH", f"{status} {err}")


# ---- Where the kernel has less ----------------------------------------------------------------


def refuse_calls(numbers, error):
    """For preexec_fn: from now on these calls give that error, as on a kernel without them."""
    code = [(0x20, 0, 0, 0)]
    for number in numbers:
        code += [(0x15, 0, 1, number), (0x06, 0, 0, 0x00050000 | error)]
    code.append((0x06, 0, 0, 0x7FFF0000))
    return filter_calls(code)


KERNELS = [
    ("none", [*NR_LANDLOCK, 317], errno.ENOSYS, "no Landlock|no seccomp"),
    ("no Landlock", NR_LANDLOCK, errno.ENOSYS, "Landlock: the kernel does not have it"),
    ("Landlock not enabled", NR_LANDLOCK, errno.EOPNOTSUPP, "lsm="),
    ("a container's filter", NR_LANDLOCK, errno.EPERM, "Operation not permitted"),
    ("no seccomp", [317], errno.EINVAL, "seccomp: the kernel does not have it"),
]


@test
def where_the_kernel_has_less():
    if os.uname().machine != "x86_64":
        return
    for name, calls, error, why in KERNELS:
        with Place() as place:
            less = refuse_calls(calls, error)
            for words, stdin in commands():
                status, out, err, _ = place.run(*words, "--sandbox", "required", stdin=stdin,
                                                preexec_fn=less)
                check_equal(status, 2, f"{name}, {words}: {out} {err}")
                check(re.search(why, err), f"{name}: {err}")
                check_equal((place.root / "a.txt").read_text(), "one\n", "nothing is done")
            status, out, err, _ = place.run("edit", "a.txt", "--old", "one", "--new", "two",
                                            preexec_fn=less)
            check_equal((status, (place.root / "a.txt").read_text()), (0, "two\n"), f"{name}: {err}")
            _, out, _, _ = place.run("doctor", preexec_fn=less)
            check(re.search(r"--  (Landlock|seccomp): no \(", out), f"{name}: {out}")


@test
def what_leaves_the_roots_is_not_held_and_says_so_where_it_must_be():
    with Place() as place:
        place.run("edit", "a.txt", "--old", "one", "--new", "two")
        for words in (["recover", "--all"], ["log", "--all"]):
            status, out, err, _ = place.run(*words)
            check_equal(status, 0, f"{words}: {out} {err}")
            status, _, err, _ = place.run(*words, "--sandbox", "required")
            check_equal(status, 2, words)
            check("leaves the roots" in err, err)


@test
def what_is_read_is_kept_for_merging():
    with Place() as place:
        _, _, err, told = place.run("call", "Read", stdin=json.dumps({"path": "l1.txt", "encoding": "cp1252"}),
                                    attempts=[f"read:{place.outside}"])
        check_equal(told, {f"read:{place.outside}": errno.EACCES}, err)
        check(list(place.state.rglob("contents/*")), "the content that was read")


@test
def the_doctor_tells():
    with Place() as place:
        _, out, _, _ = place.run("doctor")
        check(re.search(r"^  ok  Landlock: yes \(version \d+\)$", out, re.M), out)
        check(re.search(r"^  ok  seccomp: yes \(", out, re.M), out)
        check("relaxed" not in out, "a release build that is relaxed")
        _, out, _, _ = place.run("doctor", "--sandbox", "off")
        check_equal(out.count("not asked for (--sandbox off)"), 2, out)
        check(not place.state.exists(), "state after the doctor")


@test
def what_it_costs():
    """Printed, and bounded by far more than it is: machines differ."""
    with Place() as place:
        took = {}
        for how in ("on", "off") * 15:
            start = time.perf_counter()
            place.run("edit", "a.txt", "--old", "no such", "--new", "x", "--dry-run", "--sandbox", how)
            took.setdefault(how, []).append((time.perf_counter() - start) * 1000)
        medians = {how: sorted(times)[len(times) // 2] for how, times in took.items()}
        print(f"     the sandbox takes {medians['on'] - medians['off']:.2f} ms of a start")
        check(medians["on"] < medians["off"] + 20, f"{medians}")


# ---- Running them -----------------------------------------------------------------------------


def main():
    parser = harness.parser_of(__doc__)
    parser.add_argument("--probe", default=None)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    Place.emend = str(Path(args.emend).resolve())
    Place.probe = args.probe or Path(args.emend).resolve().parent / "tests/sandbox/probe.so"

    def tell(name, problem, seconds):
        harness.tell_failure(name, problem, seconds)
        if args.verbose and not problem:
            print(f"ok   {name}")

    return harness.run_tests(harness.TESTS_OF[__name__], args.name, tell)


if __name__ == "__main__":
    sys.exit(main())
