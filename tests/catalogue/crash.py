"""A32, F79 to F90: processes that die, and others that are at work at the same time."""
import json
import os
import platform
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

from faults import CHANGE, Traced, sweeps
from lab import CHANGES, Lab, Server, check, equal, has, need, need_root, stopped, wait_until


def recovered(lab, *words):
    status, out, err = lab.run("recover", *lab.where(), *words)
    return status, out.decode() + err.decode()


# ---- Killed -------------------------------------------------------------------------------------

CHANGING = ("openat", "pwritev", "pwrite64", "fsync", "fchmod", "fchown", "fsetxattr", "linkat",
            "renameat2", "unlinkat", "mkdirat", "ftruncate")


def killed_at_changes():
    killed(only=CHANGING)


def killed(only=None):
    """kill -9 at each system call of the release build, and at each of the recovery that follows."""
    need("strace")
    with Lab() as lab:
        traced = Traced(lab)
        traced.run()
        calls = traced.calls()
    points = 0
    for name, number, line in calls:
        if only and (name not in only or "history.db" in line):
            continue
        with Lab() as lab:
            traced = Traced(lab)
            done = traced.run(f"{name}:signal=KILL:when={number}")
            check(done.returncode in (-9, 137), f"{name} {number}: {done.returncode}")
            content = lab.read("a.txt")
            check(content in (b"one\n", b"two\n"), f"{name} {number}: torn: {content!r}")
            status, text = recovered(lab)
            equal(status, 0, f"{name} {number}: {text}")
            check(lab.read("a.txt") in (b"one\n", b"two\n"), f"{name} {number}: {line}")
            lab.no_strays()
            lab.put("a.txt")
            lab.edited("a.txt")
            points += 1
    print(f"     killed at {points} calls")
    if only:
        return
    exchange = next((name, number) for name, number, line in calls if "RENAME_EXCHANGE" in line)
    nested = killed_in_recovery(*exchange)
    print(f"     and at {nested} calls of recovery")
    sweeps("sweep_kill", "edit", "create in missing folders", "edit in place")


def killed_in_recovery(name, number):
    """The process died at that call; its recovery dies at each of its own; the next one ends it."""
    def crash(lab):
        traced = Traced(lab)
        traced.run(f"{name}:signal=KILL:when={number}", more=["-e", f"trace={name}"])
        return ["strace", "-f", "-o", traced.trace, "-e"]
    with Lab() as lab:
        strace = crash(lab)
        subprocess.run([*strace, "trace=all", lab.emend, "recover", *lab.where()], capture_output=True,
                       check=True)
        traced = Traced(lab)
        calls = traced.calls()
    for call, at, _line in calls:
        with Lab() as lab:
            strace = crash(lab)
            subprocess.run([*strace, f"inject={call}:signal=KILL:when={at}", lab.emend, "recover",
                            *lab.where()], capture_output=True, check=False)
            status, text = recovered(lab)
            equal(status, 0, f"recovery, {call} {at}: {text}")
            check(lab.read("a.txt") in (b"one\n", b"two\n"), f"recovery, {call} {at}: torn")
            lab.no_strays()
    return len(calls)


def ended_by_signals():
    """SIGTERM, SIGINT, SIGHUP within a change: it is finished or not begun, and the process ends as such
    a process does."""
    need("strace")
    for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        for call in ("fsync", "renameat2"):
            with Lab() as lab:
                process = subprocess.Popen(
                    ["strace", "-f", "-o", "/dev/null", "-e", f"inject={call}:delay_enter=200000:when=1",
                     lab.emend, "call", *lab.where(), "file_edit"],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    preexec_fn=lambda: [signal.signal(s, signal.SIG_DFL) for s in
                                        (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)])
                process.stdin.write(CHANGE.encode())
                process.stdin.close()
                process.stdin = None
                child = child_of(process.pid)
                time.sleep(0.1)
                os.kill(child, sign)
                process.communicate(timeout=20)
                check(lab.read("a.txt") in (b"one\n", b"two\n"), f"{sign}: {lab.read('a.txt')!r}")
                check(process.returncode in (-sign, 128 + sign), f"{sign}: ended with {process.returncode}")
                lab.no_strays()
                equal(recovered(lab)[0], 0, "recovery")
        with Lab() as lab, Server(lab) as server:
            server.write(json.dumps({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {
                "name": "file_edit", "arguments": CHANGES["file_edit"]("a.txt")}}) + "\n")
            server.process.send_signal(sign)
            status = server.process.wait(20)
            equal(status, 0, f"a server, {sign}")
            check(lab.read("a.txt") in (b"one\n", b"two\n"), "a server: torn")
            lab.no_strays()


def child_of(pid):
    """The process that strace runs; it starts others before, to find out what it can do."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    found = []

    def look():
        for child in path.read_text().split():
            try:
                if os.readlink(f"/proc/{child}/exe").endswith("/emend"):
                    found.append(int(child))
            except OSError:
                pass
        return found
    wait_until("emend", look)
    return found[0]


# ---- Others who save ----------------------------------------------------------------------------


class Foreign(threading.Thread):
    """An editor that saves a.txt again and again, each time with a line that no save had before."""

    def __init__(self, lab, how):
        super().__init__(daemon=True)
        self.lab, self.how, self.over, self.saved = lab, how, False, 0

    def run(self):
        chance = random.Random(self.how)
        path, beside = self.lab.root / "a.txt", self.lab.root / "editor.tmp"
        while not self.over:
            time.sleep(chance.random() * 0.004)
            self.saved += 1
            text = f"one\nsave {self.saved}\n"
            if self.how == "rename":
                beside.write_text(text)
                os.rename(beside, path)
            elif self.how == "truncate":
                with open(path, "w", encoding="ascii") as file:
                    file.write(text)
            else:
                with open(path, "a", encoding="ascii") as file:
                    file.write(f"save {self.saved}\n")


def last_save(content):
    numbers = [int(n) for n in re.findall(r"save (\d+)", content)]
    return max(numbers, default=0)


def foreign_race(how, rounds):
    """Beside an editor that takes no lock. What it saved last is there when both are quiet: as it is,
    or changed by us."""
    with Lab("--sync", "off") as lab:
        lab.put("a.txt", "one\nsave 0\n")
        done = conflicts = 0
        for _ in range(rounds):
            editor = Foreign(lab, how)
            editor.start()
            for _ in range(25):
                answer = lab.call("file_edit", {"path": "a.txt", "edits": [
                    {"old_text": "one", "new_text": "two"}]})
                if not answer.is_error:
                    done += 1
                elif answer.is_kind("conflict"):
                    conflicts += 1
                else:
                    check(answer.code() == "NO_MATCH", answer.text[:200])
            editor.over = True
            editor.join()
            lab.end()
            content = lab.read("a.txt").decode()
            equal(last_save(content), editor.saved, f"{how}: the last save is lost: {content[-200:]}")
            lab.no_strays()
            lab.put("a.txt", "one\nsave 0\n")
        check(done > 0, f"{how}: nothing was ever changed")
        print(f"     {how}: {done} changes, {conflicts} conflicts, nothing lost")


def saved_by_rename():
    sweeps("sweep_change", "edit")
    foreign_race("rename", 12)


def saved_in_place():
    sweeps("sweep_change", "edit of a large file", more=())
    foreign_race("append", 12)


def removed_and_made_again():
    """It is never brought back, and never made over somebody's."""
    sweeps("sweep_change", "rewrite", "edit through a symbolic link", more=())
    with Lab() as lab, Server(lab) as server:
        server.call("Read", {"path": "a.txt"})
        (lab.root / "a.txt").unlink()
        answer = server.call("Edit", {"path": "a.txt", "old_string": "one", "new_string": "two"})
        check(answer["result"]["isError"], "an edit of what is gone")
        check(not (lab.root / "a.txt").exists(), "it was brought back")
        lab.put("a.txt", "one, another\n")
        answer = server.call("Edit", {"path": "a.txt", "old_string": "one", "new_string": "two"})
        equal(answer["result"]["structuredContent"]["error"]["code"], "CONFLICT", "another file")


def two_who_create():
    """Many create the same file: one does, the others are told, and nothing is written over."""
    sweeps("sweep_change", "create", "create in missing folders")
    with Lab("--sync", "off") as lab:
        for i in range(20):
            line = json.dumps({"file_path": f"d/{i}/new.txt", "content": "%d\n"})
            processes = [lab.start("call", *lab.where(), *lab.flags, "create_file") for _ in range(4)]
            for n, process in enumerate(processes):
                process.stdin.write((line % n).encode())
                process.stdin.close()
                process.stdin = None
            made = [n for n, process in enumerate(processes)
                    if process.communicate(timeout=20) and process.returncode == 0]
            equal(len(made), 1, f"round {i}: {made}")
            equal(lab.read(f"d/{i}/new.txt"), f"{made[0]}\n".encode(), "its content")
        lab.no_strays()


def many_writers(writers=8, edits=60):
    """Through two roots, one in the other: no edit is lost."""
    with Lab() as lab:
        lab.put("sub/a.txt", "END\n")
        processes = []
        for w in range(writers):
            root, name = ((lab.root, "sub/a.txt"), (lab.root / "sub", "a.txt"))[w % 2]
            lines = b"".join(json.dumps({"id": i, "tool": "edit_file", "arguments": {
                "file_path": name, "old_string": "END", "new_string": f"w{w}-{i}.\nEND"}}).encode()
                + b"\n" for i in range(edits))
            (lab.state / f"calls{w}").write_bytes(lines)
            with open(lab.state / f"calls{w}", "rb") as stdin:
                processes.append(lab.start(
                    "batch", "--root", root, "--state-dir", lab.state, "--sync", "off",
                    "--lock-timeout", "60s", stdin=stdin, stdout=subprocess.DEVNULL))
        for process in processes:
            _, err = process.communicate(timeout=120)
            equal(process.returncode, 0, err.decode())
        content = lab.read("sub/a.txt").decode()
        lost = [f"w{w}-{i}." for w in range(writers) for i in range(edits)
                if content.count(f"w{w}-{i}.\n") != 1]
        equal(lost, [], "edits that are lost or there twice")
        lab.no_strays()
        print(f"     {writers} writers, {writers * edits} edits, 0 lost")


def many_writers_thousand():
    many_writers(edits=1000)


# ---- Locks --------------------------------------------------------------------------------------


RENAMEAT2 = {"x86_64": 316, "aarch64": 276}[platform.machine()]


def is_in_call(pid, number):
    """Whether the process stands in that system call (held there by its tracer)."""
    try:
        return Path(f"/proc/{pid}/syscall").read_text().split()[0] == str(number)
    except OSError:
        return False


def lock_holder():
    """One that is stopped is named; one that is killed leaves no lock."""
    need("strace")
    with Lab() as lab:
        held = subprocess.Popen(
            ["strace", "-f", "-o", "/dev/null", "-e", "inject=renameat2:delay_enter=30000000:when=1",
             lab.emend, "call", *lab.where(), "file_edit"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        held.stdin.write(CHANGE.encode())
        held.stdin.close()
        held.stdin = None
        child = child_of(held.pid)
        wait_until("its rename", lambda: is_in_call(child, RENAMEAT2))
        os.kill(child, signal.SIGSTOP)
        start = time.monotonic()
        answer = lab.call_once("file_edit", CHANGES["file_edit"]("a.txt"), "--lock-timeout", "300ms")
        took = time.monotonic() - start
        check(answer.is_error and answer.is_kind("timeout"), answer.text[:300])
        has(str(child), answer.text, "the holder")
        check(0.25 < took < 3, f"waited {took:.1f} s")
        other = lab.put("b.txt")
        check(not lab.call_once("file_edit", CHANGES["file_edit"]("b.txt")).is_error, f"{other} is free")
        os.kill(child, signal.SIGKILL)
        stopped(held, signal.SIGKILL)
        wait_until("its end", lambda: not Path(f"/proc/{child}").exists())
        answer = lab.call_once("file_edit", CHANGES["file_edit"]("a.txt"))
        check(not answer.is_error, answer.text[:300])
        equal(lab.read("a.txt"), b"two\n", "the file")
        lab.no_strays()


# ---- Records that are damaged, or planted -------------------------------------------------------


def killed_between(lab, call, files=1, sync="full", when=1):
    """A change of one file or several dies at that call."""
    if files == 1:
        return Traced(lab, "--sync", sync).run(f"{call}:signal=KILL:when={when}")
    names = [f"f{i}.txt" for i in range(files)]
    for name in names:
        lab.put(name)
    return Traced(lab, "--sync", sync, tool="editFiles", arguments={"atomic": True, "edits": [
        {"file": name, "replaceOperations": [{"search": "one", "replace": "two"}]}
        for name in names]}).run(f"{call}:signal=KILL:when={when}")


def killed_after_exchange(lab):
    """A change of a.txt dies when the old file is about to go. A change before it has made the history, which
    removes files too."""
    lab.put("first.txt")
    lab.edited("first.txt")
    lab.end()
    killed_between(lab, "unlinkat")
    equal(lab.read("a.txt"), b"two\n", "the exchange was made")


def prepared_journal(lab):
    """A transaction over three files that died while names were being exchanged: its journal."""
    for when in range(1, 60):
        killed_between(lab, "renameat2", files=3, when=when)
        journals = list((lab.state / "journal").glob("*.prepared"))
        new = [i for i in range(3) if lab.read(f"f{i}.txt") == b"two\n"]
        if journals and 0 < len(new) < 3:
            return journals[0]
        recovered(lab)
    raise AssertionError("no call at which it is half done")


def some_damage():
    damaged_journal(step=61)


def all_damage():
    """All bits within one process, some of them with the release build."""
    done = subprocess.run([Lab.tools.parent / "fault/sweep_damage"], capture_output=True, text=True,
                          timeout=300, check=False)
    equal(done.returncode, 0, done.stdout[-2000:])
    print("     " + done.stdout.strip().splitlines()[-1])
    damaged_journal(step=11)


def damaged_journal(step):
    """Cut short, every bit flipped, another version, twice: it is not believed. Nothing is written by
    it, and changes of its files wait for a person."""
    need("strace")
    with Lab() as lab:
        journal = prepared_journal(lab)
        whole = journal.read_bytes()
        files = [f"f{i}.txt" for i in range(3)]
        half_done = lab.tree()
        tried = 0

        def not_believed(what, data):
            nonlocal tried
            journal.write_bytes(data)
            status, text = recovered(lab)
            check(status != 0, f"{what}: recovery took it: {text}")
            lab.same(half_done, what)
            tried += 1

        for bit in range(0, len(whole) * 8, step):
            flipped = bytearray(whole)
            flipped[bit // 8] ^= 1 << bit % 8
            not_believed(f"bit {bit}", bytes(flipped))
        for length in range(0, len(whole), 3 * step):
            not_believed(f"{length} bytes", whole[:length])
        not_believed("something behind it", whole + b"x")
        not_believed("twice", whole + whole)
        not_believed("another version", whole.replace(b"journal 1", b"journal 2", 1))
        for name in files:
            answer = lab.call_once("file_edit", CHANGES["file_edit"](name))
            check(answer.is_error, f"{name}: {answer.text[:200]}")
            has("emend recover", answer.text, name)
        lab.same(half_done, "changes that are refused")
        lab.edited("a.txt")
        lab.end()
        journal.write_bytes(whole)
        journal.chmod(0o600)
        status, text = recovered(lab)
        equal(status, 0, f"whole again: {text}")
        equal({lab.read(name) for name in files}, {b"one\n"}, "taken back")
        lab.no_strays()
        print(f"     {tried} damaged journals, none believed")


def planted_record():
    """A row, and a journal, that name files outside of the roots."""
    need("strace")
    with Lab() as lab:
        victim = lab.put("victim.txt", "one\n", at=lab.outside)
        killed_after_exchange(lab)
        strays = [p.name for p in lab.root.glob(".emend-*")]
        equal(len(strays), 1, "strays")
        os.rename(lab.root / strays[0], lab.outside / strays[0])
        before = {p.name: p.read_bytes() for p in lab.outside.iterdir()}
        database = sqlite3.connect(lab.state / "history.db")
        columns = [row[1] for row in database.execute("PRAGMA table_info(commits)")]
        check("path" in columns and "root" in columns, str(columns))
        for path, root in (("../out/victim.txt", None), ("sub/../../out/victim.txt", None),
                           ("victim.txt", str(lab.outside)), (str(victim), None), ("link/victim.txt", None)):
            (lab.root / "link").unlink(missing_ok=True)
            (lab.root / "link").symlink_to(lab.outside)
            database.execute("UPDATE commits SET path = ?", (path,))
            if root:
                database.execute("UPDATE commits SET root = ?", (root,))
            database.commit()
            _, text = recovered(lab)
            equal({p.name: p.read_bytes() for p in lab.outside.iterdir()}, before, f"{path}: {text}")
            lab.edited("a.txt", "write_file")
            lab.end()
            equal({p.name: p.read_bytes() for p in lab.outside.iterdir()}, before, f"{path}, by a change")
        database.close()
    with Lab() as lab:  # a journal of somebody else's, or that others may write
        journal = prepared_journal(lab)
        half_done = lab.tree()
        for mode in (0o666, 0o620, 0o602):
            journal.chmod(mode)
            status, text = recovered(lab)
            check(status != 0, f"mode {mode:o}: {text}")
            lab.same(half_done, f"mode {mode:o}")
        if os.geteuid() == 0:
            journal.chmod(0o600)
            os.chown(journal, 4242, 4242)
            status, text = recovered(lab)
            check(status != 0, f"another owner: {text}")
            lab.same(half_done, "another owner")


def edited_before_recovery():
    """Between a crash and its recovery a person saves the file: their content stays, and ours is kept."""
    need("strace")
    for how in ("rename", "truncate"):
        with Lab() as lab:
            killed_after_exchange(lab)
            if how == "rename":
                (lab.root / "mine").write_text("mine\n")
                os.rename(lab.root / "mine", lab.root / "a.txt")
            else:
                (lab.root / "a.txt").write_text("mine\n")
            status, text = recovered(lab)
            equal((status, lab.read("a.txt")), (0, b"mine\n"), f"{how}: {text}")
            lab.no_strays()
        with Lab() as lab:  # several files, one of them saved meanwhile
            prepared_journal(lab)
            for i in range(3):
                path = lab.root / f"f{i}.txt"
                if path.read_bytes() == b"two\n":
                    break
            if how == "rename":
                (lab.root / "mine").write_text("mine\n")
                os.rename(lab.root / "mine", path)
            else:
                path.write_text("mine\n")
            status, text = recovered(lab)
            equal(path.read_bytes(), b"mine\n", f"{how}, several: {text}")
            others = {lab.read(f"f{j}.txt") for j in range(3) if j != i}
            equal(others, {b"one\n"}, f"{how}, the others: {text}")
            check("one\n" in [p.read_text() for p in lab.root.glob(".emend-*")] or status == 0,
                  f"{how}: what it was is nowhere: {status} {text}")


# ---- Power --------------------------------------------------------------------------------------


def power_cut():
    """A store that forgets what was not synced."""
    sweeps("sweep_cut", "edit", "create in missing folders", "edit in place")


def real_power_cut():
    """And file systems that are shut down under it."""
    power_cut()
    need_root()
    torture = Path(__file__).resolve().parents[1] / "torture"
    done = subprocess.run([sys.executable, torture / "power.py", "--emend", Lab.emend, "--cut",
                           Lab.tools.parent / "torture/torture_cut", "--seconds", "20"],
                          capture_output=True, text=True, timeout=300, check=False)
    equal(done.returncode, 0, done.stdout[-2000:] + done.stderr[-500:])
    print("     " + next((line for line in done.stdout.splitlines() if "power cuts:" in line), ""))
