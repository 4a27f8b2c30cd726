#!/usr/bin/env python3
"""Tests `emend batch`: many calls over many files, side by side, interrupted, in several processes.

    batch_test.py [--emend BINARY] [NAME...]      default: build/emend, every test

The last line is `N passed, N failed`.
"""
import array
import fcntl
import json
import os
import pty
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import termios
import time
from contextlib import contextmanager

import harness
from harness import Folder, check, check_equal, check_in, test

LIMIT_S = 120


def replace(id, name, old, new):
    return {"id": id, "tool": "edit_file",
            "arguments": {"file_path": name, "old_string": old, "new_string": new}}


def lines_of(calls):
    return "".join(json.dumps(call) + "\n" for call in calls)


def batch(folder, stdin, *words):
    """(exit status, answers, complaints)."""
    status, out, err = folder.run("batch", "--sync", "off", *words, stdin=stdin)
    return status, [json.loads(line) for line in out.splitlines()], err


@test
def answers_are_those_of_the_tools():
    with Folder(a_txt="one\n") as folder:
        calls = [replace(1, "a.txt", "one", "two"),
                 {"id": "x", "tool": "read_file", "arguments": {"path": "a.txt"}},
                 {"id": None, "tool": "file_edit", "arguments": {
                     "path": "a.txt", "edits": [{"old_text": "zzz", "new_text": "y"}]}}]
        status, answers, err = batch(folder, lines_of(calls))
        check_equal(status, 1, "exit status")
        check_equal(answers[0], {"id": 1, "isError": False,
                                 "result": "Successfully replaced 1 occurrence(s) in a.txt"}, "text")
        check_equal(answers[1], {"id": "x", "isError": False, "result": "two\n"}, "read")
        check_equal(answers[2]["id"], None, "id")
        check_equal(answers[2]["isError"], True, "isError")
        check_equal(answers[2]["result"]["metadata"]["validation_error"]["type"], "NO_MATCH", "object")
        check_in("3 calls: 2 done, 1 refused", err, "summary")


@test
def what_may_change_nothing_says_so():
    with Folder(a_txt="one\n") as folder:
        calls = [replace(1, "a.txt", "one", "two"),
                 {"id": 2, "tool": "read_file", "arguments": {"path": "a.txt"}}]
        status, answers, _ = batch(folder, lines_of(calls), "--read-only")
        check_equal(status, 1, "exit status")
        check_in("Access denied: a.txt: refused by --read-only", answers[0]["result"], "refusal")
        check_in("The flags of the command say what is allowed", answers[0]["result"], "refusal")
        check_equal((answers[1]["isError"], answers[1]["result"]), (False, "one\n"), "read")


@test
def a_name_with_more_behind_a_nul_is_no_tools():
    with Folder() as folder:
        call = {"id": 1, "tool": "write_file\0zz", "arguments": {"file_path": "a.txt", "content": "x"}}
        status, answers, _ = batch(folder, lines_of([call]))
        check_equal((status, answers[0]["result"]), (1, "Unknown tool write_file\\x00zz; did you mean write_file"),
                    "the answer")
        check(not (folder.path / "a.txt").exists(), "a.txt is there")


@test
def a_batch_is_one_session():
    undo = {"id": 0, "tool": "undo_last_edit", "arguments": {}}
    for jobs in ("1", "4"):
        with Folder(**{f"f{i}": "one\n" for i in range(8)}) as folder:
            calls = [replace(i, f"f{i}", "one", "1") for i in range(8)]
            status, answers, _ = batch(folder, lines_of(calls + [undo] * 9), "--jobs", jobs)
            check_equal([a["isError"] for a in answers], [False] * 16 + [True], "answers")
            check_in("All edits of this session are undone already", answers[-1]["result"], "the last answer")
            check_equal({folder.read(f"f{i}") for i in range(8)}, {b"one\n"}, "files")


@test
def the_last_edit_is_that_of_the_input_whichever_ended_last():
    names = [f"f{i}" for i in range(4)]
    for session in ({}, {"session": "S"}):
        undo = {"id": "undo", "tool": "undo_last_edit", "arguments": session}
        with Folder(slow="x" * 5_000_000 + "\none\n", **{name: "one\n" for name in names}) as folder:
            for turn in range(len(names)):
                order = ["slow"] + names[turn:] + names[:turn]
                calls = [replace(name, name, "one", "1") for name in order]
                for call in calls:
                    call["arguments"].update(session)
                _, answers, _ = batch(folder, lines_of(calls + [undo] * len(order)), "--jobs", "4")
                check_equal([a["result"] for a in answers[len(order):]], [
                    f"Successfully undid edit_file in {name}" for name in reversed(order)], "undone")


@test
def what_was_read_and_missed_is_known_whoever_makes_the_calls():
    names = [f"f{i}" for i in range(8)]
    edit = lambda name, old: {"id": name, "tool": "Edit", "arguments": {
        "path": name, "old_string": old, "new_string": "three"}}
    every = lambda old: {"id": "every", "tool": "editFiles", "arguments": {"edits": [
        {"file": name, "replaceOperations": [{"search": old, "replace": "two"}]} for name in names]}}
    calls = [{"id": name, "tool": "Read", "arguments": {"path": name}} for name in names]
    calls += [every("one")] + [edit(name, "two") for name in names]
    misses = [replace(name, name, "zzz", "y") for name in names]
    misses += [every("zzz")] + misses
    for jobs in ("1", "4"):
        with Folder(**{name: "one\n" for name in names}) as folder:
            _, answers, _ = batch(folder, lines_of(calls), "--jobs", jobs)
            check_equal([a for a in answers if a["isError"]], [], f"read, {jobs} jobs")
            _, answers, _ = batch(folder, lines_of(misses), "--jobs", jobs)
            for answer in answers[-len(names):]:
                check_in("This is failure 3 in a row", answer["result"], f"missed, {jobs} jobs")


@test
def all_done_is_exit_status_0():
    with Folder(a_txt="one\n") as folder:
        status, answers, err = batch(folder, lines_of([replace(1, "a.txt", "one", "two")]))
        check_equal((status, len(answers)), (0, 1), "exit status and answers")
        check_in("1 call: 1 done, 0 refused, in", err, "summary")
        check_equal(batch(folder, "")[:2], (0, []), "an empty batch")


@test
def a_line_that_is_no_call_is_answered_and_the_rest_goes_on():
    cases = [("{bad", "Not JSON"), ("\0\0", "Not JSON"), (" \0\r", "Not JSON"),
             ("[1]", "must be a JSON object"), ("7", "must be a JSON object"),
             ('{"id":1,"id":2}', "Not JSON"), ('{"id":1}', "tool must be a string"),
             ('{"id":1,"tool":7}', "tool must be a string"),
             ('{"id":1,"tool":"edit_fil"}', "did you mean edit_file"),
             ('{"id":1,"tool":"edit_file","args":{}}', "did you mean arguments"),
             ('{"id":1,"tool":"edit_file","arguments":[]}', "arguments must be an object"),
             ('{"id":1,"tool":"edit_file"}', "file_path"),
             ('{"id":1,"tool":"edit_file","arguments":null}', "file_path")]
    with Folder(a_txt="one\n") as folder:
        stdin = "".join(line + "\n\n" for line, _ in cases) + json.dumps(
            replace("last", "a.txt", "one", "two"))  # the last line has no end
        status, answers, _ = batch(folder, stdin)
        check_equal(status, 1, "exit status")
        check_equal(len(answers), len(cases) + 1, "answers")
        for (line, part), answer in zip(cases, answers):
            check(answer["isError"], line)
            check_in(part, answer["result"], line)
        check_equal((answers[-1]["id"], answers[-1]["isError"]), ("last", False), "the last")
        check_equal(folder.read("a.txt"), b"two\n", "the file")


@test
def every_id_is_echoed():
    """What is answered under another id cannot be matched to its call."""
    kept = [2**63 - 1, -2**63, 2**63, -10**30, [2**64 + 1, {"a": 2**65}], 1.5, 2.0**52, [1, {"a": "x"}], {"a": None},
            True]
    wide = ["9007199254740993.5", "[1e20]", '{"a":{"b":9007199254740993.5}}', "1e-400", "3.14159265358979323846", "1e999"]
    with Folder(a_txt="one\n") as folder:
        calls = [replace(id, "a.txt", "one", "one") for id in kept]
        lines = lines_of(calls) + "".join(
            f'{{"id": {id}, "tool": "write_file", "arguments": {{"path": "a.txt", "content": "x"}}}}\n'
            for id in wide)
        _, out, _ = folder.run("batch", "--sync", "off", stdin=lines)
        answers = [json.loads(line) for line in out.splitlines()]
        check_equal([answer["id"] for answer in answers[:len(kept)]], kept, "ids")
        check_equal([answer["isError"] for answer in answers[len(kept):]], [False] * len(wide), "all are made")
        check_equal(re.findall(r'^{"id":(.*),"isError"', out, re.M)[len(kept):], wide, "ids as they are written")
        check_equal(folder.read("a.txt"), b"x", "the file")


@test
def a_line_that_is_too_long_is_answered_and_the_rest_goes_on():
    with Folder(a_txt="one\n") as folder:
        lines = [json.dumps(replace(1, "a.txt", "one", "two")), "x" * 200000, "x" * 65536 * 3,
                 json.dumps(replace(2, "a.txt", "two", "three")), "y" * 1025]
        status, out, err = folder.run("batch", "--max-message-size", "1K", stdin="\n".join(lines))
        answers = [json.loads(line) for line in out.splitlines()]
        check_equal([a["isError"] for a in answers], [False, True, True, False, True], err)
        check_in("longer than 1024 bytes", answers[1]["result"])
        check_equal((status, folder.read("a.txt")), (1, b"three\n"), "the rest")


def counting_calls(count, files, seed):
    """Calls that count up in files, each of which needs the one before it on the same file."""
    numbers, state, calls = random.Random(seed), [0] * files, []
    for k in range(count):
        i = numbers.randrange(files)
        name = numbers.choice([f"f{i}.txt", f"./f{i}.txt", f"d/../f{i}.txt", f"l{i}.txt"])
        calls.append(replace(k, name, f"count {state[i]}\n", f"count {state[i] + 1}\n"))
        state[i] += 1
    return calls, state


def counting_folder(files):
    folder = Folder()
    (folder.path / "d").mkdir()
    for i in range(files):
        folder.write(f"f{i}.txt", "count 0\n" + "filler\n" * 20)
        (folder.path / f"l{i}.txt").symlink_to(f"f{i}.txt")
    return folder


@test
def calls_on_one_file_stay_in_order_whatever_it_is_called():
    for jobs in 1, 8:
        with counting_folder(20) as folder:
            calls, state = counting_calls(1000, 20, jobs)
            status, answers, err = batch(folder, lines_of(calls), "--jobs", jobs)
            check_equal([a["id"] for a in answers], list(range(1000)), "order")
            check_equal([a for a in answers if a["isError"]][:1], [], "refused")
            check_equal(status, 0, f"exit status ({err})")
            for i, count in enumerate(state):
                check(folder.read(f"f{i}.txt").startswith(b"count %d\n" % count), f"f{i}.txt")


@test
def many_jobs_have_the_descriptors_they_need():
    few = 1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with Folder(**{f"f{i}": "1\n" for i in range(300)}) as folder:
        calls = [replace(i, f"f{i}", "1", "2") for i in range(300)]
        status, _, err = folder.run("batch", "--sync", "off", "--lock-timeout", "1m", "--jobs", "256",
                                    stdin=lines_of(calls),
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, few))
        check_equal(status, 0, f"exit status ({err})")
        status, _, err = folder.run("batch", "--sync", "off", "--jobs", "17", stdin=lines_of(calls),
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)))
        check_equal(status, 2, "exit status where too few may be open")
        check_in("256 files open, enough for 16 jobs", err, "said then")


@test
def who_waits_for_a_file_holds_nobody_else_up():
    """Three slow edits of one file, and behind them quick ones of others: one of these at least is made
    while the first slow one is, before the backup that the second one keeps."""
    names = [f"f{i}" for i in range(8)]
    with Folder(slow="x" * 60_000_000 + "\n1\n", **{name: "1\n" for name in names}) as folder:
        calls = [replace(i, "slow", f"\n{i}\n", f"\n{i + 1}\n") for i in (1, 2, 3)]
        calls[1]["arguments"]["backup"] = True
        calls += [replace(name, name, "1", "2") for name in names]
        status, answers, _ = batch(folder, lines_of(calls), "--jobs", "2")
        check_equal([answer["id"] for answer in answers], [1, 2, 3] + names, "order")
        check_equal(status, 0, "exit status")
        made = {name: (folder.path / name).stat().st_ctime_ns for name in ("f0", "slow.bak")}
        check_equal(min(made, key=made.get), "f0", "what was made first")


@test
def calls_on_names_of_one_file_and_on_its_folder_stay_in_order():
    """The first of each is slow, so that what does not wait for it comes before it."""
    write = lambda name, text: {"id": name, "tool": "write_file", "arguments": {"path": name, "content": text}}
    create = lambda name: {"id": name, "tool": "create_file", "arguments": {"path": name, "content": "x"}}
    much = "x" * 5_000_000
    for jobs in ("1", "4"):
        for i in range(4):
            with Folder(**{f"h{i}": much + "\n1\n"}) as folder:
                os.link(folder.path / f"h{i}", folder.path / "other")
                calls = [replace(1, f"h{i}", "\n1\n", "\n2\n"), replace(2, "other", "\n1\n", "\n3\n")]
                calls += [write(f"n{i}/x", much), create(f"n{i}")]
                calls += [{"id": "backup", "tool": "file_edit", "arguments": {"path": f"h{i}", "backup": True,
                           "edits": [{"old_text": "\n2\n", "new_text": "\n4\n"}]}},
                          replace("of it", f"h{i}.bak", "\n2\n", "\n5\n")]
                _, answers, _ = batch(folder, lines_of(calls), "--jobs", jobs)
                check_equal([a["isError"] for a in answers], [False] * 3 + [True] + [False] * 2, f"{jobs} jobs")
                check_equal([folder.read(name)[-2:] for name in (f"h{i}", "other", f"h{i}.bak")],
                            [b"4\n", b"3\n", b"5\n"], "files")
                check((folder.path / f"n{i}").is_dir(), "the folder")


@test
def a_name_under_which_nothing_is_given_hides_no_other():
    """`null` counts as not given, and the file is named by the other name of the argument."""
    for _ in range(4):
        with Folder(a_txt="old\n") as folder:
            calls = []
            for k in range(20):
                calls += [{"id": k, "tool": "write_file", "arguments": {"file_path": "a.txt", "content": f"{k}\n"}},
                          {"id": k, "tool": "read_file", "arguments": {"file_path": None, "path": "a.txt"}}]
            _, answers, _ = batch(folder, lines_of(calls), "--jobs", "4")
            check_equal([a["result"] for a in answers[1::2]], [f"{k}\n" for k in range(20)], "what was read")


@test
def ten_thousand_calls_over_a_thousand_files_in_flat_memory():
    peaks = []
    for calls, files in (200, 20), (10000, 1000):
        with counting_folder(files) as folder:
            stdin, state = counting_calls(calls, files, calls)
            (folder.base / "in").write_text(lines_of(stdin))
            with open(folder.base / "in") as source, open(folder.base / "out", "w") as sink:
                process = subprocess.Popen(
                    [folder.emend, "batch", "--sync", "off", "--no-history", "--jobs", "2"],
                    cwd=folder.path, env=folder.env, stdin=source, stdout=sink,
                    stderr=subprocess.DEVNULL)
                _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            check_equal(process.returncode, 0, "exit status")
            answers = [json.loads(line) for line in open(folder.base / "out")]
            check_equal([a["id"] for a in answers], list(range(calls)), "order")
            for i, count in enumerate(state):
                check(folder.read(f"f{i}.txt").startswith(b"count %d\n" % count), f"f{i}.txt")
            peaks.append(usage.ru_maxrss)
    if "ASAN_OPTIONS" not in os.environ:  # a sanitizer keeps what was freed
        check(peaks[1] < peaks[0] * 2 + 4096, f"peak memory grows: {peaks} KB")


@test
def two_processes_of_eight_threads_lose_nothing():
    files, each = 4, 400
    with Folder() as folder:
        for i in range(files):
            folder.write(f"f{i}.txt", "end\n")
        running = []
        for who in "a", "b":
            calls = [replace(k, f"f{k % files}.txt", "end\n", f"{who}{k}\nend\n")
                     for k in range(each)]
            (folder.base / who).write_text(lines_of(calls))
            running.append(subprocess.Popen(
                [folder.emend, "batch", "--sync", "off", "--jobs", "8", "--lock-timeout", "60s"],
                cwd=folder.path, env=folder.env, stdin=open(folder.base / who),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        done = 0
        for process in running:
            out, err = process.communicate(timeout=LIMIT_S)
            answers = [json.loads(line) for line in out.splitlines()]
            check_equal([a for a in answers if a["isError"]][:1], [], "refused")
            done += len(answers)
        lines = [line for i in range(files) for line in folder.read(f"f{i}.txt").split()]
        wanted = sorted(f"{who}{k}".encode() for who in "ab" for k in range(each))
        check_equal(sorted(line for line in lines if line != b"end"), wanted, "lines")
        print(f"     {done} edits by 2 processes of 8 threads, 0 lost")


@test
def what_is_kept_stays_within_limits_while_it_runs():
    most = 64 * 1024 * 1024 // 4096  # contents, each of which takes a block; and what came in since
    with counting_folder(1) as folder:
        contents = folder.base / "kept" / "contents"
        contents.mkdir(mode=0o700, parents=True)
        contents.parent.chmod(0o700)
        for k in range(most + 1000):
            (contents / f"{k:032x}").write_bytes(b"x")
        process = subprocess.Popen([folder.emend, "batch", "--sync", "off", "--state-dir", contents.parent],
                                   cwd=folder.path, env=folder.env, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for k in range(600):
            process.stdin.write(lines_of([replace(k, "f0.txt", f"count {k}", f"count {k + 1}")]).encode())
            process.stdin.flush()
            check_equal(json.loads(process.stdout.readline())["isError"], False, f"call {k}")
        given_up = time.monotonic() + LIMIT_S
        while len(os.listdir(contents)) > most + 600 and time.monotonic() < given_up:
            time.sleep(0.05)
        left = len(os.listdir(contents))
        process.communicate(timeout=LIMIT_S)
        check(left <= most + 600, f"{left:,} contents are kept while it runs")


@test
def an_interrupt_ends_it_after_the_calls_that_run():
    with counting_folder(4) as folder:
        process = subprocess.Popen([folder.emend, "batch", "--sync", "off", "--jobs", "2"],
                                   cwd=folder.path, env=folder.env, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(lines_of([replace(1, "f1.txt", "count 0", "count 1")]).encode())
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())  # it is running, and waits for more
        check_equal(answer["isError"], False, "the first call")
        process.send_signal(signal.SIGINT)
        process.stdin.write(lines_of([replace(2, "f2.txt", "count 0", "count 1")]).encode())
        out, err = process.communicate(timeout=LIMIT_S)
        check_equal(process.returncode, 1, "exit status")
        check_in("interrupted", err.decode(), "summary")
        check_equal(list(folder.path.glob(".emend-*")), [], "stray files")
        done = 1 + len(out.splitlines())
        check_equal(folder.read("f2.txt").startswith(b"count 1"), done == 2, "what was answered")


@contextmanager
def all_locks(folder):
    """Every file is locked by somebody else meanwhile."""
    f_ofd_setlk = 37
    with open(folder.base / "state" / "emend" / "locks" / "slots", "r+b") as file:
        fcntl.fcntl(file, f_ofd_setlk, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
        yield


@test
def a_call_that_waits_for_a_lock_ends_with_the_batch():
    edits = [{"file": name, "replaceOperations": [{"search": "count 0", "replace": "count 1"}]}
             for name in ("f1.txt", "f2.txt")]
    several = {"id": 2, "tool": "editFiles", "arguments": {"edits": edits}}
    one = replace(2, "f1.txt", "count 0", "count 1")
    for jobs, call in (("1", one), ("2", one), ("1", several)):
        with counting_folder(3) as folder:
            process = subprocess.Popen([folder.emend, "batch", "--lock-timeout", "2m", "--jobs", jobs],
                                       cwd=folder.path, env=folder.env, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdin.write(lines_of([replace(1, "f0.txt", "count 0", "count 1")]).encode())
            process.stdin.flush()
            check_equal(json.loads(process.stdout.readline())["isError"], False, "the lock file is there")
            with all_locks(folder):
                process.stdin.write(lines_of([call]).encode())
                process.stdin.flush()
                time.sleep(0.3)
                process.send_signal(signal.SIGTERM)
                out, err = process.communicate(timeout=LIMIT_S)
            answer = json.loads(out)
            check_equal((process.returncode, answer["id"], answer["isError"]), (1, 2, True), "the answer")
            check_in("the file is locked by ", json.dumps(answer), "answer")
            check_in("told to end while this waited", json.dumps(answer), "answer")
            check_in("1 done, 1 refused", err.decode(), "summary")
            check(folder.read("f1.txt").startswith(b"count 0"), "the file")
            check_equal(list(folder.path.glob(".emend-*")), [], "stray files")


@test
def further_interrupts_change_nothing_about_the_end():
    for jobs in "1", "4", "4", "4":
        with counting_folder(1) as folder:
            process = subprocess.Popen([folder.emend, "batch", "--jobs", jobs], cwd=folder.path, env=folder.env,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.stdin.write(lines_of([replace(1, "f0.txt", "count 0", "count 1")]).encode())
            process.stdin.flush()
            check_equal(json.loads(process.stdout.readline())["isError"], False, "the call")
            while process.poll() is None:
                process.send_signal(signal.SIGINT)
                time.sleep(0.00005)
            process.communicate()
            check_equal(process.returncode, 1, f"exit status with {jobs} jobs")


@test
def an_interrupt_is_heeded_when_all_has_been_read():
    """The first call takes a while. Those behind it wait: for the file, or to be alone, or only for their turn."""
    alone = {"id": "alone", "tool": "writeFiles", "arguments": {"files": [
        {"file": "p", "content": "x"}, {"file": "q", "content": "y"}]}}
    for jobs, more in (("1", []), ("1", [alone]), ("2", [alone]), ("2", [])):
        with Folder(slow="x" * 60_000_000 + "\n0\n") as folder:
            calls = [replace(i, "slow", f"\n{i}\n", f"\n{i + 1}\n") for i in range(25)] + more
            (folder.base / "in").write_text(lines_of(calls))
            process = subprocess.Popen([folder.emend, "batch", "--sync", "off", "--jobs", jobs], cwd=folder.path,
                                       env=folder.env, stdin=open(folder.base / "in"),
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            check_equal(json.loads(process.stdout.readline())["isError"], False, "the first call")
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=LIMIT_S)
            check_equal(process.returncode, 1, "exit status")
            check_in("interrupted", err.decode(), "summary")
            done = 1 + len(out.splitlines())
            check(done < 10, f"{done} calls are answered, {jobs} jobs, {len(more)} more")
            check(folder.read("slow").endswith(b"\n%d\n" % done), "what was made is answered")
            check(not (folder.path / "p").exists(), "the last call was made")


def wait_until_full(process):
    """Until answers wait in the pipe of the output, and no more come: it is full."""
    waiting, still, tried = -1, 0, 0
    while still < 10 and tried < LIMIT_S / 0.02:
        time.sleep(0.02)
        before = waiting
        waiting = array.array("i", [0])
        fcntl.ioctl(process.stdout, termios.FIONREAD, waiting)
        still = still + 1 if waiting[0] and waiting == before else 0
        tried += 1
    check(still == 10, "the pipe does not fill")


@test
def an_interrupt_is_heeded_while_nobody_reads_the_answers():
    for jobs in "1", "3":
        with Folder(much="x" * 100_000 + "\n") as folder:
            calls = [{"id": k, "tool": "read_file", "arguments": {"path": "much"}} for k in range(1000)]
            (folder.base / "in").write_text(lines_of(calls))
            process = subprocess.Popen([folder.emend, "batch", "--sync", "off", "--jobs", jobs], cwd=folder.path,
                                       env=folder.env, stdin=open(folder.base / "in"),
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            wait_until_full(process)
            process.send_signal(signal.SIGTERM)
            check_equal(process.wait(LIMIT_S), 2, "exit status")
            check_in(b"nobody reads the answers", process.stderr.read(), "complaint")
            process.stdout.close()
            process.stderr.close()


@test
def what_is_read_ahead_is_made_while_nobody_reads_the_answers():
    reads = [{"id": k, "tool": "read_file", "arguments": {"path": "much"}} for k in range(40)]
    edits = [replace(40 + k, f"f{k}", "old", "new") for k in range(60)]
    names = [f"f{k}" for k in range(60)]
    with Folder(much="x" * 100_000 + "\n", **{name: "old\n" for name in names}) as folder:
        (folder.base / "in").write_text(lines_of(reads + edits))
        process = subprocess.Popen([folder.emend, "batch", "--sync", "off", "--jobs", "4"], cwd=folder.path,
                                   env=folder.env, stdin=open(folder.base / "in"),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        given_up = time.monotonic() + LIMIT_S / 4
        while any(folder.read(name) != b"new\n" for name in names) and time.monotonic() < given_up:
            time.sleep(0.02)
        made = [name for name in names if folder.read(name) == b"new\n"]
        out, err = process.communicate(timeout=LIMIT_S)
        check_equal(made, names, "what was made while nobody read")
        check_equal(process.returncode, 0, err.decode())
        check_equal([json.loads(line)["id"] for line in out.splitlines()], list(range(100)), "answers")


@test
def answers_that_nobody_reads_take_no_memory_without_limit():
    with Folder(much="x" * 4_000_000 + "\n") as folder:
        calls = [{"id": k, "tool": "read_file", "arguments": {"path": "much"}} for k in range(100)]
        (folder.base / "in").write_text(lines_of(calls))
        process = subprocess.Popen([folder.emend, "batch", "--sync", "off", "--jobs", "4"], cwd=folder.path,
                                   env=folder.env, stdin=open(folder.base / "in"),
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        wait_until_full(process)
        time.sleep(1)  # what the other workers do meanwhile
        answers = [json.loads(line) for line in process.stdout]
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        check_equal(process.returncode, 0, "exit status")
        check_equal([(a["id"], len(a["result"])) for a in answers], [(k, 4_000_001) for k in range(100)], "answers")
        if "ASAN_OPTIONS" not in os.environ:  # a sanitizer keeps what was freed
            check(usage.ru_maxrss < 250_000, f"{usage.ru_maxrss:,} KB")


@test
def who_reads_slowly_gets_all_answers_of_an_interrupted_batch():
    with Folder(much="x" * 100_000 + "\n") as folder:
        calls = [{"id": k, "tool": "read_file", "arguments": {"path": "much"}} for k in range(1000)]
        (folder.base / "in").write_text(lines_of(calls))
        process = subprocess.Popen([folder.emend, "batch", "--sync", "off"], cwd=folder.path, env=folder.env,
                                   stdin=open(folder.base / "in"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until_full(process)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        out, err = process.communicate(timeout=LIMIT_S)
        check_equal(process.returncode, 1, "exit status")
        done = [json.loads(line)["id"] for line in out.splitlines()]
        check(0 < len(done) < 10 and done == list(range(len(done))), f"answers: {done}")
        check_in(f"{len(done)} done, 0 refused", err.decode(), "summary")


@test
def an_output_that_would_block_gets_all_answers():
    with Folder(much="x" * 100_000 + "\n") as folder:
        calls = [{"id": k, "tool": "read_file", "arguments": {"path": "much"}} for k in range(50)]
        (folder.base / "in").write_text(lines_of(calls))
        source, sink = os.pipe()
        os.set_blocking(sink, False)
        process = subprocess.Popen([folder.emend, "batch", "--sync", "off"], cwd=folder.path, env=folder.env,
                                   stdin=open(folder.base / "in"), stdout=sink, stderr=subprocess.PIPE)
        os.close(sink)
        time.sleep(0.5)
        with open(source, "rb") as answers:
            check_equal([json.loads(line)["id"] for line in answers], list(range(50)), "answers")
        check_equal(process.wait(LIMIT_S), 0, "exit status")
        process.stderr.close()


@test
def a_long_line_takes_time_by_its_length():
    took = []
    with Folder() as folder:
        for size in 8_000_000, 64_000_000:
            line = b'{"id": 1, "tool": "x", "arguments": "' + b"x" * size + b'"}\n'
            began = os.times()
            _, answers, err = batch(folder, line)
            ended = os.times()
            check_equal(len(answers), 1, err)
            took.append(ended.children_user + ended.children_system - began.children_user - began.children_system)
    check(took[1] < 16 * took[0] + 0.5, f"seconds for 8 and for 64 MB: {took}")


@test
def a_terminal_is_shown_how_far_it_is():
    with counting_folder(4) as folder:
        calls, _ = counting_calls(600, 4, 1)
        (folder.base / "in").write_text(lines_of(calls))
        main, other = pty.openpty()
        process = subprocess.Popen([folder.emend, "batch", "--sync", "off"], cwd=folder.path,
                                   env=folder.env, stdin=open(folder.base / "in"),
                                   stdout=subprocess.DEVNULL, stderr=other)
        os.close(other)
        shown = b""
        try:
            while piece := os.read(main, 4096):
                shown += piece
        except OSError:  # the terminal is gone
            pass
        os.close(main)
        check_equal(process.wait(LIMIT_S), 0, "exit status")
        check(re.search(rb"\d+ done, 0 refused, \d+/s", shown), f"progress: {shown[:200]}")
        check(re.search(rb"600 calls: 600 done, 0 refused, in [\d.]+ s", shown), "summary")


@test
def who_does_not_read_the_answers_ends_it():
    with counting_folder(4) as folder:
        calls, _ = counting_calls(2000, 4, 2)
        (folder.base / "in").write_text(lines_of(calls))
        process = subprocess.Popen([folder.emend, "batch", "--sync", "off"], cwd=folder.path,
                                   env=folder.env, stdin=open(folder.base / "in"),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        check_equal(process.wait(LIMIT_S), 2, "exit status")
        check_in(b"emend batch: cannot write the answers: Broken pipe\n", process.stderr.read(), "complaint")
        process.stderr.close()
        check_equal(list(folder.path.glob(".emend-*")), [], "stray files")


@test
def what_cannot_be_read_is_told():
    with Folder() as folder:
        top = os.open("/", os.O_RDONLY)
        done = subprocess.run([folder.emend, "batch"], cwd=folder.path, env=folder.env, stdin=top,
                              capture_output=True, timeout=LIMIT_S, check=False)
        os.close(top)
        check_equal((done.returncode, done.stdout), (2, b""), "exit status")
        check_in(b"emend batch: cannot read standard input: Is a directory\n", done.stderr, "complaint")


@test
def wrong_usage():
    with Folder() as folder:
        for words, part in ([["--jobs", "0"], "--jobs"], [["--jobs", "257"], "at most 256"],
                            [["word"], "word"], [["--job", "2"], "--jobs"]):
            status, _, err = folder.run("batch", *words)
            check_equal(status, 2, str(words))
            check_in(part, err, str(words))


def main():
    args = harness.parser_of(__doc__).parse_args()
    Folder.emend = os.path.abspath(args.emend)
    return harness.run_tests(harness.TESTS_OF[__name__], args.name)


if __name__ == "__main__":
    sys.exit(main())
