#!/usr/bin/env python3
"""Tests `emend mcp` message by message: what the conformance cases do not say about the protocol.

    mcp_test.py [--emend BINARY] [--verbose] [NAME...]      default: build/emend, every test

The last line is `N passed, N failed`.
"""
import fcntl
import json
import os
import queue
import re
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import harness
from harness import Failed, check, check_equal, test

LIMIT_S = 20
VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {}}


# ---- A server and its client ------------------------------------------------------------------


class Server:
    """A server over a folder of its own. Every line that it writes must be one JSON message."""

    emend = "build/emend"

    def __init__(self, *flags, version="2025-06-18", files=None, tools="all"):
        self.folder = tempfile.TemporaryDirectory(prefix="emend-mcp-")
        base = Path(self.folder.name)
        self.root, self.state = base / "work", base / "state"
        self.root.mkdir()
        for name, text in (files or {}).items():
            (self.root / name).write_bytes(text.encode() if isinstance(text, str) else text)
        env = {**os.environ, "XDG_STATE_HOME": str(self.state), "HOME": str(base)}
        self.process = subprocess.Popen(
            [self.emend, "mcp", "--root", str(self.root), "--tools", tools, *flags], env=env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines, self.errors = queue.Queue(), []
        self.readers = [threading.Thread(target=self.read_lines, daemon=True),
                        threading.Thread(target=self.read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()
        self.last_id = 0
        if version:
            self.initialize(version)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Let it end by itself, so that what it counts and checks at its end is not lost."""
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for reader in self.readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()

    def folder_names(self):
        return [path.name for path in self.root.iterdir()] if self.root.exists() else []

    def read_lines(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def write(self, data):
        self.process.stdin.write(data if isinstance(data, bytes) else data.encode())
        self.process.stdin.flush()

    def send(self, *messages):
        """All in one write, so that the server can see the later ones in time."""
        self.write("".join(json.dumps(message) + "\n" for message in messages))

    def hear(self, limit=LIMIT_S):
        """The next message."""
        try:
            line = self.lines.get(timeout=limit)
        except queue.Empty:
            raise Failed(f"nothing came within {limit} s") from None
        if line is None:
            raise Failed(f"the server ended: {self.process.wait()}, {''.join(self.errors)}")
        check(line.endswith(b"\n"), f"a line without an end: {line[-80:]!r}")
        return json.loads(line)

    def hear_nothing(self):
        """Nothing is on its way: the answer to a ping comes first."""
        self.send(request("nothing", "ping"))
        check_equal(self.hear(), result("nothing", {}), "what comes next")

    def ask(self, method, params=None, ident=None):
        """The answer to a request; what comes before it is in self.before."""
        if ident is None:
            self.last_id += 1
            ident = self.last_id
        self.send(request(ident, method, params))
        self.before = []
        while True:
            message = self.hear()
            if "method" not in message:
                check_equal(message.get("id"), ident, "id")
                return message
            self.before.append(message)

    def initialize(self, version):
        answer = self.ask("initialize", {"protocolVersion": version, "capabilities": {},
                                         "clientInfo": {"name": "mcp test", "version": "1"}})
        check_equal(answer["result"]["protocolVersion"], version, "version")
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool, arguments, **meta):
        params = {"name": tool, "arguments": arguments}
        if meta:
            params["_meta"] = meta
        return self.ask("tools/call", params)

    def end(self):
        """The exit status after the end of the input, and all messages that came before."""
        self.process.stdin.close()
        rest = []
        while (line := self.lines.get(timeout=LIMIT_S)) is not None:
            rest.append(json.loads(line))
        return self.process.wait(LIMIT_S), rest

    def text(self, name):
        return (self.root / name).read_text()

    def rows(self, columns):
        """Those columns of the history, oldest row first."""
        database = sqlite3.connect(self.state / "emend" / "history.db")
        try:
            return database.execute(f"SELECT {columns} FROM commits ORDER BY id").fetchall()
        finally:
            database.close()


def request(ident, method, params=None):
    message = {"jsonrpc": "2.0", "id": ident, "method": method}
    if params is not None:
        message["params"] = params
    return message


def result(ident, value):
    return {"jsonrpc": "2.0", "id": ident, "result": value}


def edit(name, old, new, **more):
    return {"name": "edit_file",
            "arguments": {"file_path": name, "old_string": old, "new_string": new}, **more}


def cancel(ident, **more):
    return {"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": ident, **more}}


def code(answer):
    return answer.get("error", {}).get("code")


def text_of(answer):
    return "".join(block["text"] for block in answer["result"]["content"])


# ---- The eras ---------------------------------------------------------------------------------


@test
def eras_are_mixed_in_one_process():
    with Server(version=None, files={"a.txt": "one\n"}) as server:
        answer = server.ask("tools/call", edit("a.txt", "one", "two", _meta=META))
        check_equal(answer["result"]["resultType"], "complete", "resultType")
        check(re.search(r"^Edit: \S+$", text_of(answer), re.M), "a stateless answer names its edit")
        check_equal(code(server.ask("tools/list")), -32602, "no handshake yet")
        server.initialize("2025-11-25")
        answer = server.ask("tools/call", edit("a.txt", "two", "three"))
        check("resultType" not in answer["result"], "resultType in a handshake's answer")
        check("Edit:" not in text_of(answer), "the handshake's answer is the sentence alone")
        check("emend/edit_id" in answer["result"]["_meta"], "edit_id in _meta")
        answer = server.ask("tools/call", edit("a.txt", "three", "four", _meta=META))
        check_equal(answer["result"]["isError"], False, "stateless again")
        meta = answer["result"]["_meta"]
        check({"emend/hash", "io.modelcontextprotocol/serverInfo"} <= set(meta), f"_meta: {meta}")
        check_equal(server.text("a.txt"), "four\n", "file")


@test
def each_version_has_the_same_tools():
    lists = []
    for version in VERSIONS:
        with Server(version=version) as server:
            lists.append(server.ask("tools/list")["result"]["tools"])
            stateless = server.ask("tools/list", {"_meta": META})["result"]
            check_equal(stateless["tools"], lists[-1], f"stateless beside {version}")
    for tools in lists[1:]:
        check_equal(tools, lists[0], "the tools")
    for tool in lists[0]:
        check_equal(tool["inputSchema"]["type"], "object", tool["name"])
        check(not {"oneOf", "anyOf", "allOf"} & set(tool["inputSchema"]), tool["name"])
        check(re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", tool["name"]), tool["name"])


@test
def earlier_calls_do_not_change_the_list():
    with Server(files={"a.txt": "one\n"}) as server:
        before = server.ask("tools/list")["result"]
        server.ask("tools/call", edit("a.txt", "one", "two"))
        server.call("read_file", {"file_path": "a.txt"})
        check_equal(server.ask("tools/list")["result"], before, "the list")


@test
def a_legacy_version_is_not_reached_without_a_handshake():
    with Server(version=None) as server:
        for version in VERSIONS + ["1.0", ""]:
            meta = {**META, "io.modelcontextprotocol/protocolVersion": version}
            answer = server.ask("tools/list", {"_meta": meta})
            check_equal(code(answer), -32022, version)
            check_equal(answer["error"]["data"]["requested"], version, "requested")
            supported = answer["error"]["data"]["supported"]
        lost = server.ask("server/discover", {})["error"]
        check_equal(lost["code"], -32602, "discover without a version")
        check("initialize" not in lost["message"] and "_meta" in lost["message"],
              f"what was sent is asked for: {lost}")
        found = server.ask("server/discover", {"_meta": META})["result"]["supportedVersions"]
        check(set(supported) <= set(found) and MODERN in found, f"{supported} in {found}")


@test
def the_client_is_named_in_the_history():
    client = {"io.modelcontextprotocol/clientInfo": {"name": "stateless", "version": "1"}}
    with Server(files={"a.txt": "1\n"}) as server:
        server.ask("tools/call", edit("a.txt", "1", "2"))
        server.ask("tools/call", edit("a.txt", "2", "3", _meta={**META, **client}))
        server.ask("tools/call", edit("a.txt", "3", "4", _meta=META))
        server.ask("tools/call", edit("a.txt", "4", "5"))
        check_equal(server.rows("client, tool"),
                    [("mcp test", "edit_file"), ("stateless", "edit_file"), (None, "edit_file"),
                     ("mcp test", "edit_file")], "clients")


@test
def a_client_may_have_any_name():
    names = ["", 7, None, "\u0000x", "x" * 99 + "\u00e9" * 50, "\033[31m"]
    with Server(version=None, files={"a.txt": "0\n"}) as server:
        for i, name in enumerate(names):
            server.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                      "clientInfo": {"name": name, "version": "1"}})
            server.ask("tools/call", edit("a.txt", str(i), str(i + 1)))
        server.ask("initialize", {"protocolVersion": "2025-06-18", "clientInfo": "me"})
        server.ask("tools/call", edit("a.txt", "6", "7"))
        kept = [name or None for (name,) in server.rows("client")]
        check_equal(kept, [None, None, None, None, "x" * 99, "\033[31m", None], "names")


# ---- Lines ------------------------------------------------------------------------------------


@test
def lines_that_are_no_request():
    deep = b"[" * 100000
    rows = [
        (b"{oops", -32700), (b"\xff\xfe", -32700), (b'"\xc0\xaf"', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"\\ud800"}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","\\u0000":1}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"} x', -32700),
        (b"\0", -32700), (deep, -32700), (deep + b"]" * 100000, -32700),
        (b"7", -32600), (b"null", -32600), (b'"text"', -32600), (b"[]", -32600), (b"{}", -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":-9223372036854775809,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}', -32600),
    ]
    for version in (None, "2025-06-18"):
        with Server(version=version) as server:
            for line, want in rows:
                server.write(line + b"\n")
                answer = server.hear()
                check_equal(code(answer), want, line[:60])
                check_equal("id" in answer, version is not None, f"id after {line[:60]}")
                check(answer.get("id") is None, f"id of {line[:60]}")
            server.hear_nothing()


@test
def ids_are_echoed_as_they_are():
    with Server() as server:
        for ident in (0, -1, 7, 2**63 - 1, -2**63, "", "a", "7", "\u0000", "😀", "x" * 10000):
            answer = server.ask("ping", ident=ident)
            check(type(answer["id"]) is type(ident), f"type of {ident!r}")
        for line in ('{"jsonrpc":"2.0","id":3}', '{"id":3,"method":"ping"}',
                     '{"jsonrpc":"2.0","id":3,"method":"ping","params":"x"}'):
            server.write(line + "\n")
            answer = server.hear()
            check_equal((code(answer), answer["id"]), (-32600, 3), line)


@test
def blank_lines_and_carriage_returns_are_nothing():
    with Server() as server:
        server.write(b"\n\r\n \t \n" + json.dumps(request(5, "ping")).encode() + b"\r\n\n")
        check_equal(server.hear(), result(5, {}), "the answer")
        server.hear_nothing()


@test
def notifications_and_responses_are_not_answered():
    with Server(files={"a.txt": "one\n"}) as server:
        server.send({"jsonrpc": "2.0", "method": "tools/call",
                     "params": edit("a.txt", "one", "two")},
                    {"jsonrpc": "2.0", "method": "no/such"},
                    {"jsonrpc": "2.0", "method": "notifications/cancelled"},
                    cancel("never asked"), result(9, {}),
                    {"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": "m"}})
        server.hear_nothing()
        check_equal(server.text("a.txt"), "one\n", "a notification does nothing")


@test
def a_line_of_a_megabyte():
    text = "".join(f"line {i} \u00e9\u2028\n" for i in range(60000))
    with Server() as server:
        answer = server.call("write_file", {"file_path": "big.txt", "content": text})
        check_equal(answer["result"]["isError"], False, text_of(answer)[:200])
        check_equal(server.text("big.txt"), text, "file")
        answer = server.call("read_file", {"file_path": "big.txt"})
        check_equal(text_of(answer), text, "answer")


@test
def a_line_that_comes_byte_by_byte():
    with Server() as server:
        for byte in json.dumps(request(1, "ping")).encode() + b"\n":
            server.write(bytes([byte]))
        check_equal(server.hear(), result(1, {}), "the answer")


@test
def numbers_that_do_not_fit_are_argument_errors():
    with Server(files={"a.txt": "one\n"}) as server:
        for number in ("9223372036854775808", "-99999999999999999999", "1e999", "1.5"):
            server.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file",'
                         f'"arguments":{{"file_path":"a.txt","start_line":{number}}}}}}}\n')
            answer = server.hear()
            check(answer["result"]["isError"], f"{number}: {answer}")
            check("start_line" in text_of(answer), text_of(answer))
            check(f"came: {number}" in text_of(answer), text_of(answer))


@test
def what_was_sent_is_echoed_to_the_digit():
    numbers = ("18446744073709551615", "-9223372036854775809", "123456789012345678901234567890", "1e999",
               "-1.5E+400", "0.1", "1e300", "9223372036854775807")
    with Server(files={"a.txt": "one\n"}) as server:
        for number in numbers:
            sent = f'{{"path":"a.txt","limit":{number},"offset":[{{"x":{number}}},{{}},[]]}}'
            server.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Read","arguments":'
                         + sent + '}}\n')
            line = server.lines.get(timeout=LIMIT_S).decode()
            check(f'"params_input":{sent}' in line, f"{number}: {line}")
            text = text_of(json.loads(line))
            check(f'"params_input":{sent}' in text, f"{number}: {text}")
        server.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Read","arguments":1e999}}\n')
        check_equal(code(server.hear()), -32602, "arguments that are a number")
        server.write('{"jsonrpc":"2.0","id":1,"method":"ping","params":1e999}\n')
        check_equal(code(server.hear()), -32600, "parameters that are a number")


@test
def many_requests_before_the_first_answer_is_read():
    with Server(files={"a.txt": "x" * 30000}) as server:
        asked = [request(i, "tools/call", {"name": "read_file", "arguments": {"file_path": "a.txt"}})
                 for i in range(300)]
        writer = threading.Thread(target=server.send, args=asked)
        writer.start()
        time.sleep(0.2)
        for i in range(300):
            check_equal(server.hear()["id"], i, "order")
        writer.join()


# ---- Second thoughts --------------------------------------------------------------------------


@test
def a_queued_call_is_cancelled():
    with Server(files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
        server.send(request(1, "tools/call", edit("a.txt", "one", "two")),
                    request("1", "tools/call", edit("b.txt", "one", "two")),
                    cancel("1", reason="timeout", _meta=META), request(2, "ping"))
        check_equal(server.hear()["id"], 1, "the first")
        check_equal(server.hear(), result(2, {}), "the next")
        check_equal((server.text("a.txt"), server.text("b.txt")), ("two\n", "one\n"), "files")


@test
def a_stateless_call_is_cancelled():
    with Server(version=None, files={"a.txt": "one\n"}) as server:
        server.send(request(7, "tools/call", edit("a.txt", "one", "two", _meta=META)), cancel(7),
                    request(8, "tools/list", {"_meta": META}))
        check_equal(server.hear()["id"], 8, "the only answer")
        check_equal(server.text("a.txt"), "one\n", "file")


@contextmanager
def all_locks(server):
    """Every file is locked by somebody else meanwhile."""
    f_ofd_setlk = 37
    slots, = server.state.rglob("locks/slots")
    with open(slots, "r+b") as file:
        fcntl.fcntl(file, f_ofd_setlk, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
        yield


@contextmanager
def waiting_call(server, meta):
    """A call with the id 2, an edit of a.txt, waits for its file."""
    server.send(request(1, "tools/call", edit("b.txt", "one", "two", **meta)))
    check_equal(server.hear()["id"], 1, "the lock file is there")
    with all_locks(server):
        server.send(request(2, "tools/call", edit("a.txt", "one", "two", **meta)))
        time.sleep(0.2)
        yield


@test
def a_call_that_waits_for_a_lock_is_cancelled():
    for meta in ({}, {"_meta": META}):
        with Server("--lock-timeout", "60s", "--grace", "0",
                    files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
            with waiting_call(server, meta):
                server.send(cancel(2), request(3, "ping"))
                check_equal(server.hear(), result(3, {}), "it does not wait any more, and is not answered")
            server.send(request(4, "tools/call", edit("b.txt", "two", "three", **meta)))
            check_equal(server.hear()["id"], 4, "the next call")
            check_equal((server.text("a.txt"), server.text("b.txt")), ("one\n", "three\n"), "files")


@test
def a_call_that_waits_for_a_lock_ends_with_the_server():
    for meta in ({}, {"_meta": META}):
        with Server("--lock-timeout", "60s", "--grace", "0",
                    files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
            with waiting_call(server, meta):
                server.process.send_signal(signal.SIGTERM)
                answer = server.hear()
                check_equal(server.process.wait(LIMIT_S), 0, "exit status")
            check_equal(answer["id"], 2, "it is answered")
            check("the file is locked by " in text_of(answer) and "told to end while this waited" in text_of(answer),
                  text_of(answer))
            check_equal(server.text("a.txt"), "one\n", "file")


@test
def a_call_that_changes_files_one_by_one_stops_between_two():
    names = [f"{i:04}.txt" for i in range(2000)]
    with Server("--sync", "off", files=dict.fromkeys(names, "one\n")) as server:
        edits = [{"file": name, "replaceOperations": [{"search": "one", "replace": "two"}]} for name in names]
        server.send(request(1, "tools/call", {"name": "editFiles", "arguments": {"edits": edits}}))
        until = time.monotonic() + LIMIT_S
        while server.text(names[0]) == "one\n" and time.monotonic() < until:
            time.sleep(0.001)
        server.send(cancel(1), request(2, "ping"))
        check_equal(server.hear(), result(2, {}), "it is not answered")
        check_equal((server.text(names[0]), server.text(names[-1])), ("two\n", "one\n"), "files")
        server.call("undo_last_edit", {})
        check_equal({server.text(name) for name in names}, {"one\n"}, "files, when what was done is undone")


@test
def cancelling_takes_time_by_how_many_are_cancelled():
    took = []
    for count in 5_000, 40_000:
        messages = [{"jsonrpc": "2.0", "id": "initialize", "method": "initialize",
                     "params": {"protocolVersion": "2025-06-18"}}]
        messages += [request(i, "ping") for i in range(count)] + [cancel(i) for i in range(count)]
        lines = "".join(json.dumps(message) + "\n" for message in messages)
        with tempfile.TemporaryDirectory() as root:
            began = os.times()
            done = subprocess.run([Server.emend, "mcp", "--root", root], input=lines.encode(),
                                  capture_output=True, timeout=LIMIT_S, check=False)
            ended = os.times()
        check_equal((done.returncode, done.stderr), (0, b""), f"{count} requests")
        took.append(ended.children_user + ended.children_system - began.children_user - began.children_system)
    check(took[1] < 24 * took[0] + 1, f"seconds for 5,000 and for 40,000: {took}")


@test
def what_cannot_be_cancelled():
    with Server(version=None, files={"a.txt": "one\n"}) as server:
        server.send(request(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                              "clientInfo": {"name": "c", "version": "1"}}),
                    cancel(1))
        check("result" in server.hear(), "a handshake is not taken back")
        server.send(cancel(2), cancel([2]), cancel(None), request(2, "ping"))
        check_equal(server.hear(), result(2, {}), "what comes later is not taken back")


# ---- Batches ----------------------------------------------------------------------------------


@test
def batches_where_there_are_batches():
    with Server(version="2025-03-26", files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
        server.send([request(1, "tools/call", edit("a.txt", "one", "two")),
                     {"jsonrpc": "2.0", "method": "notifications/initialized"}, 7,
                     request(2, "tools/call", edit("b.txt", "one", "two")), cancel(2),
                     request(3, "ping"), request(4, "no/such"),
                     request(5, "tools/list", {"_meta": META}),
                     request(6, "initialize", {"protocolVersion": "2025-06-18"})])
        answers = server.hear()
        check_equal([(a.get("id"), code(a)) for a in answers],
                    [(1, None), (None, -32600), (3, None), (4, -32601), (5, -32600), (6, -32600)],
                    "answers")
        check_equal((server.text("a.txt"), server.text("b.txt")), ("two\n", "one\n"), "files")
        server.send([{"jsonrpc": "2.0", "method": "notifications/initialized"}], [cancel(9)])
        server.hear_nothing()


@test
def a_batch_is_answered_as_a_whole():
    tools = [request(n, "tools/list") for n in range(1, 1001)]
    write = request(0, "tools/call", {"name": "write_file", "arguments": {"file_path": "a.txt", "content": "x"}})
    with Server("--max-memory", "300M", version="2025-03-26", files={"a.txt": "one\n"}) as server:
        server.send([write, *tools])
        refused = server.hear()
        check_equal((code(refused), refused["id"]), (-32600, None), "one message more than there may be")
        check_equal(server.text("a.txt"), "one\n", "nothing of it is done")
        server.send(tools, request("after", "ping"))
        answers = server.hear()
        check_equal([a["id"] for a in answers], list(range(1, 1001)), "each is answered")
        check({code(a) for a in answers} in ({None}, {-32603}), "with what it is, or that there was no memory")
        check_equal(server.hear(), result("after", {}), "what comes after it")


@test
def batches_where_there_are_none():
    for version in [None] + [v for v in VERSIONS if v != "2025-03-26"]:
        with Server(version=version, files={"a.txt": "one\n"}) as server:
            server.send([request(1, "tools/call", edit("a.txt", "one", "two", _meta=META))])
            answer = server.hear()
            check_equal((code(answer), "id" in answer), (-32600, version is not None), version)
            server.send(request(2, "ping"), [cancel(2)])
            check_equal(server.hear(), result(2, {}), "a batch that is none cancels nothing")
            check_equal(code(server.hear()), -32600, "the batch")
            check_equal(server.text("a.txt"), "one\n", "file")


# ---- Progress and logs ------------------------------------------------------------------------


@test
def progress_grows_and_ends_before_the_answer():
    for version in VERSIONS:
        for token in ("t", 0, 7):
            with Server(version=version, files={"a.txt": "one\n"}) as server:
                server.ask("tools/call", edit("a.txt", "one", "two", _meta={"progressToken": token}))
                check(len(server.before) >= 2, f"{server.before}")
                check_equal({m["method"] for m in server.before}, {"notifications/progress"}, "kind")
                params = [m["params"] for m in server.before]
                check_equal([p["progressToken"] for p in params], [token] * len(params), "token")
                steps = [p["progress"] for p in params]
                check_equal(steps, sorted(set(steps)), "steps")
                check_equal(all("message" in p for p in params), version != "2024-11-05", version)
                server.hear_nothing()


@test
def progress_only_where_it_was_asked_for():
    with Server(files={"a.txt": "one\n"}) as server:
        server.ask("tools/call", edit("a.txt", "one", "two"))
        check_equal(server.before, [], "before")
        for token in (1.5, True, {}, []):
            answer = server.ask("tools/call", edit("a.txt", "two", "x",
                                                   _meta={"progressToken": token}))
            check_equal(code(answer), -32602, repr(token))
        answer = server.ask("tools/call", edit("a.txt", "two", "one",
                                               _meta={**META, "progressToken": "m"}))
        check(len(server.before) >= 2, "stateless progress")


@test
def logs_come_at_the_level_asked_for():
    with Server(files={"a.txt": "one\n"}) as server:
        server.ask("tools/call", edit("a.txt", "one", "two"))
        check_equal(server.before, [], "nobody asked")
        for level, done, failed in (("debug", 1, 1), ("info", 1, 1), ("notice", 0, 1),
                                    ("warning", 0, 1), ("error", 0, 0), ("emergency", 0, 0)):
            check_equal(server.ask("logging/setLevel", {"level": level})["result"], {}, level)
            server.call("read_file", {"file_path": "a.txt"})
            check_equal(len(server.before), done, f"{level}, done")
            server.call("read_file", {"file_path": "missing"})
            check_equal(len(server.before), failed, f"{level}, failed")
            for message in server.before:
                check_equal(message["method"], "notifications/message", "method")
                check_equal(set(message["params"]), {"level", "logger", "data"}, "params")
        server.ask("logging/setLevel", {"level": "debug"})
        server.ask("tools/call", {"name": "read_file", "arguments": {"file_path": "a.txt"},
                                  "_meta": META})
        check_equal(server.before, [], "the stateless era has no such notifications")
        server.initialize("2025-06-18")
        server.call("read_file", {"file_path": "a.txt"})
        check_equal(server.before, [], "nobody asked since the new handshake")


# ---- Starting and ending ----------------------------------------------------------------------


@test
def starting_and_probing_leave_no_trace():
    with Server(version=None, files={"a.txt": "one\n"}) as server:
        server.ask("server/discover", {"_meta": META}, ident="server-discover-probe-1")
        server.initialize("2025-11-25")
        server.ask("tools/list")
        server.call("read_file", {"file_path": "a.txt"})
        server.call("edit_file", {"file_path": "a.txt", "old_string": "absent", "new_string": "x"})
        check_equal(sorted(p.name for p in server.root.iterdir()), ["a.txt"], "root")
        server.process.send_signal(signal.SIGTERM)
        check_equal(server.process.wait(LIMIT_S), 0, "exit status")


@test
def no_state_before_the_first_call():
    for sandbox in ("on", "off"):
        with Server("--sandbox", sandbox, files={"a.txt": "one\n"}) as server:
            server.ask("tools/list", {"_meta": META})
            server.call("pick_tools", {"tools": ["Edit"]})
            check(not server.state.exists(), "state before a call")
            server.ask("tools/call", edit("a.txt", "one", "two"))
            check(server.state.exists(), "state after a change")


@test
def a_message_that_is_too_long_is_refused():
    with Server("--max-message-size", "1K") as server:
        for line in (b"x" * 1025, b"x" * 200000, json.dumps(request(1, "ping", {"x": "y" * 1024})).encode()):
            server.write(line + b"\n")
            answer = server.hear()
            check_equal((code(answer), answer["id"]), (-32600, None), "the answer")
            check("longer than 1024 bytes" in answer["error"]["message"], answer["error"]["message"])
            server.hear_nothing()


@test
def the_end_of_input_ends_it_after_all_answers():
    with Server(version=None, files={"a.txt": "one\n"}) as server:
        server.send(request(1, "tools/call", edit("a.txt", "one", "two", _meta=META)),
                    request(2, "tools/call", edit("a.txt", "two", "three", _meta=META)))
        status, rest = server.end()
        check_equal((status, [m["id"] for m in rest]), (0, [1, 2]), "exit status and answers")
        check_equal(server.text("a.txt"), "three\n", "file")


@test
def a_request_that_is_cut_off_is_not_done():
    line = json.dumps(request(1, "tools/call", edit("a.txt", "one", "two")))
    for length in (1, len(line) // 2, len(line) - 1):
        with Server(files={"a.txt": "one\n"}) as server:
            server.write(line[:length])
            status, rest = server.end()
            check_equal((status, [code(m) for m in rest]), (0, [-32700]), f"{length} bytes")
            check_equal(server.text("a.txt"), "one\n", "file")
    with Server(files={"a.txt": "one\n"}) as server:
        server.write(line)
        status, rest = server.end()
        check_equal((status, [m["id"] for m in rest]), (0, [1]), "all but the newline")


@test
def signals_end_it():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with Server() as server:
            started = time.monotonic()
            server.process.send_signal(number)
            check_equal(server.process.wait(LIMIT_S), 0, f"exit status after {number}")
            check(time.monotonic() - started < 5, "it took long")


@test
def further_signals_change_nothing_about_the_end():
    """Clients close the input and send SIGTERM at once."""
    for _ in range(20):
        with Server(files={"a.txt": "one\n"}) as server:
            server.call("edit_file", edit("a.txt", "one", "two")["arguments"])
            server.process.stdin.close()
            while server.process.poll() is None:
                server.process.send_signal(signal.SIGTERM)
                time.sleep(0.00005)
            check_equal(server.process.returncode, 0, "exit status")


@test
def a_client_that_goes_away_ends_it():
    with tempfile.TemporaryDirectory() as root:
        process = subprocess.Popen([Server.emend, "mcp", "--root", root], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        process.stdin.write((json.dumps(request(1, "ping")) + "\n").encode() * 3)
        process.stdin.flush()
        check_equal(process.wait(LIMIT_S), 0, "exit status")
        check_equal(process.stderr.read(), b"", "log")
        process.stderr.close()
        process.stdin.close()


@test
def answers_that_cannot_be_written_are_an_error():
    with tempfile.TemporaryDirectory() as root, open("/dev/full", "wb") as full:
        run = subprocess.run([Server.emend, "mcp", "--root", root], stdout=full,
                             input=(json.dumps(request(1, "ping")) + "\n").encode(),
                             stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
        check_equal(run.returncode, 2, "exit status")
        check(b"No space left" in run.stderr, run.stderr)


@test
def closed_descriptors_are_no_files():
    with tempfile.TemporaryDirectory() as folder:
        for closed in ("0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"):
            run = subprocess.run(["sh", "-c", f'"$0" mcp --root "$1" {closed}', Server.emend, folder],
                                 stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S,
                                 check=False)
            check_equal(run.returncode, 0, closed)
            check_equal(os.listdir(folder), [], "folder")


# ---- Tools ------------------------------------------------------------------------------------


@test
def calls_that_cannot_be_made():
    with Server() as server:
        for params, want in (({"name": "edit_fil"}, "edit_file"), ({"name": "zzzzzzzzz"}, "zzzzzzzzz. There are: "),
                             ({"name": "functions.apply_patch"}, "Did you mean "),
                             ({"name": "edit_file\0"}, "Unknown tool: edit_file\\x00. Did you mean edit_file?"),
                             ({"name": "é" * 60}, "Unknown tool: " + "é" * 50), ({"name": 7}, "name"),
                             ({}, "name"), ({"name": "read_file", "arguments": "x"}, "arguments"),
                             ({"name": "read_file", "arguments": [1]}, "arguments"), ([], "params")):
            answer = server.ask("tools/call", params)
            check_equal(code(answer), -32602, params)
            check(want in answer["error"]["message"], answer["error"]["message"])
        for params in ({"name": "read_file"}, {"name": "read_file", "arguments": None},
                       {"name": "read_file", "arguments": {}}):
            answer = server.ask("tools/call", params)
            check(answer["result"]["isError"] and "file_path" in text_of(answer), answer)


@test
def read_only_offers_what_changes_nothing():
    with Server("--read-only", files={"a.txt": "one\n"}) as server:
        tools = server.ask("tools/list")["result"]["tools"]
        check(tools and all(t["annotations"]["readOnlyHint"] for t in tools), tools)
        check_equal(code(server.ask("tools/call", edit("a.txt", "one", "two"))), -32602, "an edit")
        arguments = {"file_path": "a.txt", "old_string": "one", "new_string": "two"}
        shown = server.call("preview_edit", arguments)["result"]
        check(not shown.get("isError") and "-one\n+two\n" in text_of({"result": shown}), shown)


@test
def the_default_tools_are_few():
    with tempfile.TemporaryDirectory() as root:
        lines = [request(1, "tools/list", {"_meta": META}), request(2, "server/discover",
                                                                    {"_meta": META})]
        run = subprocess.run([Server.emend, "mcp", "--root", root], timeout=LIMIT_S, check=False,
                             input="".join(json.dumps(x) + "\n" for x in lines).encode(),
                             capture_output=True)
        listed, found = map(json.loads, run.stdout.splitlines())
        names = [tool["name"] for tool in listed["result"]["tools"]]
        check_equal(names, ["undo_last_edit", "editDOM", "editFile", "editFiles", "writeFiles", "readFile"], "tools")
        check(all(name in found["result"]["instructions"] for name in names), "instructions")


@test
def picking_is_told_where_there_is_something_to_pick():
    for flags, told in ([], False), (["--lazy"], True):
        with Server(*flags, tools="editor", version=None) as server:
            found = server.ask("server/discover", {"_meta": META})["result"]["instructions"]
            check("mcp__editor__Edit" in found, found)
            check_equal("pick_tools" in found, told, f"instructions with {flags}")


@test
def object_answers_stand_in_both_places():
    with Server(files={"a.txt": "one\n"}) as server:
        schemas = {t["name"]: t.get("outputSchema") for t in server.ask("tools/list")["result"]["tools"]}
        answer = server.call("file_edit", {"path": "a.txt",
                                           "edits": [{"old_text": "one", "new_text": "two"}]})
        structured = answer["result"]["structuredContent"]
        schema = schemas["file_edit"]
        check(set(schema.get("required", [])) <= set(structured), "what outputSchema requires")
        check(set(structured) <= set(schema["properties"]), "what outputSchema knows")
        in_words = {"edit_file", "read_file", "write_file", "create_file", "edit_file_lines",
                    "preview_edit", "undo_last_edit", "mcp__editor__Edit", "pick_tools"}
        for name, schema in schemas.items():
            check_equal(schema is None, name in in_words, f"no outputSchema of {name}")


@test
def of_what_is_no_text_it_is_told_that_it_differs():
    """A diff cannot hold NUL, so there is none."""
    differs = "Binary files a/bin and b/bin differ\n"
    with Server(files={"bin": b"a\0b\nkeep\n", "lines": b"a\0b\n" + b"line\n" * 999}) as server:
        write = {"files": [{"file": "bin", "content": "t\nkeep\nnew\n"}]}
        for dry in (True, False):
            entry = server.call("writeFiles", {**write, "dryRun": dry})["result"]
            entry = entry["structuredContent"]["results"][0]
            check_equal((entry["diff"], entry.get("diffTruncated")), (differs, None), entry)
        shown = text_of(server.call("undo_last_edit", {"dry_run": True}))
        check(shown.endswith("\n\n" + differs), shown)
        server.call("undo_last_edit", {})
        check_equal((server.root / "bin").read_bytes(), b"a\0b\nkeep\n", "bin")
        shown = text_of(server.call("write_file", {"file_path": "bin", "content": "t\nkeep\n",
                                                   "dry_run": True}))
        check(shown.endswith("\n\n" + differs), shown)
        for name in ("bin", "lines"):
            size = (server.root / name).stat().st_size
            data = server.call("Edit", {"path": name, "create_content": "zz\n", "dry_run": True,
                                        "expected_size_bytes": size})
            data = data["result"]["structuredContent"]["data"]
            check_equal((data["diff_preview"], data["diff_truncated"]),
                        (differs.replace("bin", name), False), data)


# ---- Texts that are not there exactly ----------------------------------------------------------


GO = "package m\n\nfunc f() {\n\tif ok {\n\t\tsend(1)\n\t}\n}\n"


def sent_between_markers(text, name):
    """What an answer in words says to send as `name`; None."""
    found = re.search(rf"\nSend as {name} \(between >>> and <<<\):\n>>>(.*?)<<<(?=\nSend as |$)", text,
                      re.S)
    return found and found.group(1)


@test
def a_miss_is_corrected_from_its_answer_alone():
    old, new = "    if ok {\n        send(1)\n    }", "    if ok {\n        send(2)\n    }"
    with Server(files={"a.go": GO}) as server:
        for tool, arguments, find_retry in [
                ("file_edit", {"path": "a.go", "edits": [{"old_text": old, "new_text": new}]},
                 lambda a: a["result"]["structuredContent"]["retry"]),
                ("MultiEdit", {"path": "a.go", "edits": [{"old_string": old, "new_string": new}]},
                 lambda a: json.loads(text_of(a))["data"]["retry"]),
                ("editFile", {"file": "a.go", "match": "exact",
                              "operations": [{"search": old, "replace": new}]},
                 lambda a: json.loads(text_of(a))["retry"]),
                ("edit_file", {"file_path": "a.go", "old_string": old, "new_string": new},
                 lambda a: {"file_path": "a.go",
                            "old_string": sent_between_markers(text_of(a), "old_string"),
                            "new_string": sent_between_markers(text_of(a), "new_string")}),
                ("mcp__editor__Edit", {"file_path": "a.go",
                                       "edits": [{"old_text": old, "new_text": new}]},
                 lambda a: {"file_path": "a.go",
                            "edits": [{"old_text": sent_between_markers(text_of(a), "old_text"),
                                       "new_text": sent_between_markers(text_of(a), "new_text")}]})]:
            (server.root / "a.go").write_text(GO)
            refused = server.call(tool, arguments)
            check(refused["result"]["isError"], tool)
            check_equal(server.text("a.go"), GO, tool)
            done = server.call(tool, find_retry(refused))
            check(not done["result"].get("isError"), text_of(done))
            check_equal(server.text("a.go"), GO.replace("send(1)", "send(2)"), tool)


@test
def what_was_not_matched_exactly_is_declared():
    arguments = {"file_path": "a.go", "old_string": "if ok {\n  send(1)", "new_string": "if ok {\n  stop()"}
    with Server(files={"a.go": GO}) as server:
        refused = server.call("edit_file", arguments)
        check(refused["result"]["isError"], "exact is the default")
        done = server.call("edit_file", {**arguments, "match": "whitespace"})
        check_equal(text_of(done), "Successfully replaced 1 occurrence(s) in a.go\nMatch: tier whitespace, "
                    "score 1.00, lines 4-5; replaced was (between >>> and <<<):\n>>>if ok {\n\t\tsend(1)<<<",
                    "answer")
        check_equal(server.text("a.go"), GO.replace("send(1)", "stop()"), "file")
        done = server.call("editFile", {"file": "a.go", "operations": [
            {"search": "if ok {\n  stop()", "replace": "if ok {\n  send(3)"}]})
        check_equal(done["result"]["structuredContent"]["matchTiers"], ["whitespace"], "tiers")
        check_equal(server.text("a.go"), GO.replace("send(1)", "send(3)"), "file")


@test
def what_takes_too_long_is_given_up():
    much = "".join(f"if (x{i % 977}) {{ go(); }}\n" for i in range(200000))
    with Server("--deadline", "1ms", files={"a.js": much}) as server:
        answer = server.call("editFile", {"file": "a.js", "operations": [
            {"search": "if (x) {\n    go();\n}", "replace": "stop();"}]})
        check(answer["result"]["isError"], "refused")
        object_ = answer["result"]["structuredContent"]
        check_equal(object_["code"], "TIMEOUT", "code")
        check("took too long" in object_["error"] and "--deadline" in object_["error"], object_["error"])
        check_equal(object_["failedIndex"], 0, "operation")
        answer = server.call("MultiEdit", {"path": "a.js", "match": "token", "edits": [
            {"old_string": "if (x) {\n    go();\n}", "new_string": "stop();"}]})
        check_equal(answer["result"]["structuredContent"]["error"]["code"], "TIMEOUT", "code")
        check_equal(server.text("a.js"), much, "file")


# ---- Elements of pages ------------------------------------------------------------------------


def set_title(server, name="page.html", selector="h1"):
    return server.call("editDOM", {"file": name, "operations": [
        {"selector": selector, "action": "setText", "value": "New"}]})["result"]


@test
def pages_that_are_too_much_are_refused():
    many = b" ".join(b"a%d=1" % i for i in range(100_000))
    pages = [(b"<b>" * 34_000_000, "FILE_TOO_LARGE"),
             (b"<b>" * 5_000_000, "stand in each other"),
             (b"<div>" * 2_000 + b"<h1>Old</h1>", "stand in each other"),
             (b"<h1 " + many + b">Old</h1>", "attributes"),
             (b"".join(b"<div><b id=%d></div>" % i for i in range(5_000)) + b"<h1>Old</h1>",
              "too large a tree")]
    for page, reason in pages:
        with Server("--max-file-size", "200M", "--deadline", "600s") as server:
            (server.root / "page.html").write_bytes(page)
            answer = set_title(server)
            check(answer["isError"], reason)
            check(reason in json.dumps(answer["structuredContent"]), f"{reason}: {answer}")
            check((server.root / "page.html").read_bytes() == page, f"{reason}: written")


@test
def a_page_is_edited_in_time_or_left_alone():
    """What comes of it depends on the machine; never anything between."""
    row = "<li class=item><a href='/x'>Item &amp; more</a>, and a few words of text</li>\n"
    page = ("<!DOCTYPE html><h1>Old</h1><ul>" + row * (10_000_000 // len(row)) + "</ul>").encode()
    for flags in [("--deadline", "5ms"), (), ("--deadline", "600s")]:
        with Server(*flags) as server:
            (server.root / "page.html").write_bytes(page)
            answer = set_title(server)
            late = answer["isError"]
            if late:
                object_ = answer["structuredContent"]
                check_equal(object_["code"], "TIMEOUT", "code")
                check("as HTML took too long" in object_["error"], object_["error"])
            wanted = page if late else page.replace(b"Old", b"New")
            check((server.root / "page.html").read_bytes() == wanted, "page")
            check(late or flags != ("--deadline", "5ms"), "10 MB in 5 ms")
            check(not late or flags != ("--deadline", "600s"), "10 minutes are enough")


# ---- Undo -------------------------------------------------------------------------------------


def undo(server, meta=None, **arguments):
    """(isError, text) of undo_last_edit."""
    answer = server.call("undo_last_edit", arguments, **(meta or {}))
    return answer["result"]["isError"], text_of(answer)


@test
def undo_goes_further_back_each_time():
    with Server(files={"a.txt": "one\ntwo\n"}) as server:
        server.ask("tools/call", edit("a.txt", "one", "1"))
        server.call("writeFiles", {"files": [{"file": "a.txt", "content": "new\n"},
                                             {"file": "d/b.txt", "content": "new\n"}]})
        check_equal(undo(server), (False, "Successfully undid writeFiles in 2 files: a.txt, d/b.txt "
                                          "(removed)"), "the last")
        check_equal(server.text("a.txt"), "1\ntwo\n", "file")
        check(not (server.root / "d").exists(), "the folder that was made is there")
        answer = server.call("undo_last_edit", {})
        check_equal(text_of(answer), "Successfully undid edit_file in a.txt", "the one before")
        meta = answer["result"]["_meta"]
        check(re.fullmatch(r"[0-9a-f]{32}", meta["emend/hash"]), meta)
        check_equal(server.text("a.txt"), "one\ntwo\n", "file")
        error, text = undo(server)
        check(error and "All edits of this session are undone already" in text, text)
        check_equal(undo(server, edit_id=meta["emend/edit_id"]),
                    (False, "Successfully redid edit_file in a.txt"), "an undo is undone")
        check_equal(server.text("a.txt"), "1\ntwo\n", "file")
        rows = server.rows("tool, client, role")
        check_equal(rows[-1], ("undo_last_edit", "mcp test", 2), "the history")


@test
def without_a_history_there_is_no_undo_and_why_is_said():
    with Server("--no-history", files={"a.txt": "one\n"}) as server:
        server.ask("tools/call", edit("a.txt", "one", "1"))
        error, text = undo(server)
        check(error and "No history is kept here (--no-history)" in text, text)


@test
def each_connection_undoes_its_own():
    with Server(files={"a.txt": "one\ntwo\n"}) as one:
        one.ask("tools/call", edit("a.txt", "one", "1"))
        env = {**os.environ, "XDG_STATE_HOME": str(one.state), "HOME": str(one.root)}
        lines = [request(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                           "clientInfo": {"name": "other", "version": "1"}}),
                 request(2, "tools/call", edit("a.txt", "two", "2")),
                 request(3, "tools/call", {"name": "undo_last_edit", "arguments": {}}),
                 request(4, "tools/call", {"name": "undo_last_edit", "arguments": {}})]
        run = subprocess.run([Server.emend, "mcp", "--root", str(one.root), "--tools", "all"], env=env,
                             input="".join(json.dumps(x) + "\n" for x in lines).encode(),
                             capture_output=True, timeout=LIMIT_S, check=False)
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        check_equal(text_of(answers[2]), "Successfully undid edit_file in a.txt", "its own")
        check("All edits of this session are undone already" in text_of(answers[3]), text_of(answers[3]))
        check(re.search(r"\n1-[0-9a-f]{16}  ", text_of(answers[3])), "the last edits are listed")
        check_equal(one.text("a.txt"), "1\ntwo\n", "file")
        check_equal(undo(one)[0], False, "the first one's")
        check_equal(one.text("a.txt"), "one\ntwo\n", "file")


@test
def without_a_handshake_the_edit_is_named():
    with Server(version=None, files={"a.txt": "one\ntwo\n"}) as server:
        server.ask("tools/call", edit("a.txt", "one", "1", _meta=META))
        arguments = {"file_path": "a.txt", "old_string": "two", "new_string": "2", "session": "mine"}
        server.ask("tools/call", {"name": "edit_file", "arguments": arguments, "_meta": META})
        error, text = undo(server, META)
        check(error and text.startswith("Error: Which edit?"), text)
        ids = re.findall(r"^(\d+-[0-9a-f]{16})  ", text, re.M)
        check_equal(len(ids), 2, text)
        check_equal(server.text("a.txt"), "1\n2\n", "nothing was undone")
        error, text = undo(server, META, session="mine")
        check(not error and re.search(r"\nEdit: 3-[0-9a-f]{16}$", text), text)
        check_equal(undo(server, META, session="mine")[0], True, "no more of that session")
        check_equal(undo(server, META, edit_id=ids[1])[0], False, "by its id")
        check_equal(server.text("a.txt"), "one\ntwo\n", "file")
    with Server("--no-history", version=None, files={"a.txt": "one\n"}) as server:
        server.ask("tools/call", edit("a.txt", "one", "1", _meta=META))
        error, text = undo(server, META)
        check(error and text.startswith("Error: No history is kept here (--no-history)."), text)
        check("session" not in text and text.endswith("\nThere are none here."), text)


@test
def a_session_is_not_to_be_had_by_its_name_in_the_history():
    with Server(files={"a.txt": "one\n"}) as server:
        server.call("edit_file", edit("a.txt", "one", "two")["arguments"])
        name = server.rows("session")[0][0]
        error, text = undo(server, META, session=name)
        check(error and "This session has made no edit" in text, text)
        again = {**edit("a.txt", "two", "three")["arguments"], "session": name}
        server.call("edit_file", again, **META)
        for _ in range(2):  # it is a name like any other, of a session of its own
            text = undo(server, META, session=name)[1]
        check("All edits of this session are undone already" in text, text)
        check_equal(undo(server, META, session="named:" + name)[0], True, "nor as it is kept")
        check_equal(server.text("a.txt"), "two\n", "file")
        check_equal(undo(server)[0], False, "its own")
        check_equal(server.text("a.txt"), "one\n", "file")


@test
def after_a_handshake_calls_belong_to_the_connection_whatever_session_they_name():
    with Server(files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
        server.call("edit_file", edit("a.txt", "one", "1")["arguments"])
        server.call("edit_file", {**edit("b.txt", "one", "2")["arguments"], "session": "zz"})
        check_equal(undo(server), (False, "Successfully undid edit_file in b.txt"), "the last")
        check_equal(undo(server, session="yy")[1], "Successfully undid edit_file in a.txt", "the first")
        server.call("Read", {"path": "a.txt"})
        (server.root / "a.txt").write_text("one and two\n", encoding="utf-8")
        change = {"path": "a.txt", "old_string": "one", "new_string": "1", "session": "zz"}
        answer = server.call("Edit", change)
        check("CONFLICT" in text_of(answer), text_of(answer))


@test
def a_stale_file_is_merged():
    with Server(files={"a.txt": "x = 1\ny = 2\n"}) as server:
        read = server.call("Read", {"path": "a.txt"})["result"]["structuredContent"]
        (server.root / "a.txt").write_text("new\nx = 1\ny = 2\n")
        arguments = {"path": "a.txt", "old_string": "x = 1", "new_string": "x = 5"}
        answer = server.call("Edit", arguments)["result"]["structuredContent"]
        check_equal(answer["error"]["code"], "CONFLICT", "it is a conflict")
        answer = server.call("Edit", {**arguments, "on_conflict": "merge"})["result"]
        check_equal(answer["isError"], False, answer)
        check("carried over" in answer["structuredContent"]["data"]["warnings"][0], answer)
        check_equal(server.text("a.txt"), "new\nx = 5\ny = 2\n", "file")
        entry = {"file": "a.txt", "expected_hash": read["data"]["hash"], "on_conflict": "merge",
                 "replaceOperations": [{"search": "y = 2", "replace": "y = 6"}]}
        answer = server.call("editFiles", {"edits": [entry]})["result"]["structuredContent"]
        check("carried over" in answer["results"][0]["warnings"][0], answer)
        check_equal(server.text("a.txt"), "new\nx = 5\ny = 6\n", "file")
        answer = server.call("editFiles", {"edits": [entry]})["result"]
        check_equal(answer["isError"], True, answer)
        check("The lines as they were read" in str(answer), answer)
        check_equal(server.text("a.txt"), "new\nx = 5\ny = 6\n", "file")
        modes = {p.stat().st_mode & 0o777 for p in (server.state / "emend" / "contents").iterdir()}
        check_equal(modes, {0o600}, "what is kept")


@test
def an_edit_of_no_session_is_nobodys_last():
    with Server(files={"a.txt": "one\n"}) as server:
        answer = server.ask("tools/call", edit("a.txt", "one", "two", _meta=META))
        edit_id = re.search(r"^Edit: (\S+)$", text_of(answer), re.M)[1]
        answer = server.call("undo_last_edit", {})
        check("This session has made no edit" in text_of(answer), text_of(answer))
        check(edit_id in text_of(answer), "it is listed")
        server.ask("tools/call", edit("a.txt", "two", "three"))
        check("Successfully undid" in text_of(server.call("undo_last_edit", {})), "its own")
        check("All edits of this session are undone already" in text_of(server.call("undo_last_edit", {})), "and no other")
        check_equal(server.text("a.txt"), "two\n", "file")
        check("Successfully undid" in text_of(server.call("undo_last_edit", {"edit_id": edit_id})), "by its id")
        check_equal(server.text("a.txt"), "one\n", "file")


# ---- Replaced files ---------------------------------------------------------------------------


def wait_for(condition, what):
    end = time.monotonic() + LIMIT_S
    while not condition():
        check(time.monotonic() < end, what)
        time.sleep(0.02)


@test
def an_old_file_is_kept_for_a_while_and_goes_by_itself():
    with Server("--grace", "300ms", files={"a.txt": "one\n"}) as server:
        server.ask("tools/call", edit("a.txt", "one", "two"))
        check_equal(len(list(server.root.iterdir())), 2, "the file and what it was")
        wait_for(lambda: len(list(server.root.iterdir())) == 1, "it was not removed")
        check_equal(server.text("a.txt"), "two\n", "file")


@test
def what_is_written_to_an_old_file_is_not_lost():
    with Server("--grace", "300ms", files={"a.txt": "one\n"}) as server:
        server.ask("logging/setLevel", {"level": "warning"})
        with open(server.root / "a.txt", "a", encoding="utf-8") as late:
            server.ask("tools/call", edit("a.txt", "one", "two"))
            late.write("late\n")
        told = server.hear()
        check_equal((told["method"], told["params"]["level"]), ("notifications/message", "warning"),
                    "what is told at once")
        wait_for(lambda: server.errors, "nothing is in the log")
        answer = server.ask("tools/call", edit("a.txt", "two", "three"))
        warning = re.search(r"^Warning: .*$", text_of(answer), re.M)
        check(warning, f"the next answer does not tell: {text_of(answer)}")
        check(any(Path(word.rstrip(".,;:")).is_file() for word in warning.group().split()
                  if word.startswith("/")), f"it names no file: {warning.group()}")
        answer = server.ask("tools/call", edit("a.txt", "three", "four"))
        check("Warning" not in text_of(answer), "it is told once")


@test
def other_processes_leave_an_old_file_to_its_server():
    others = (["recover"], ["edit", "b.txt", "--old", "two", "--new", "2"], ["undo"], ["gc"],
              ["edit", "b.txt", "--old", "nowhere", "--new", "2"])
    with Server("--grace", "1m", files={"a.txt": "one\n", "b.txt": "two\n"}) as server:
        with open(server.root / "a.txt", "a", encoding="utf-8") as late:
            server.ask("tools/call", edit("a.txt", "one", "two"))
            kept = [path for path in server.root.iterdir() if path.name.startswith(".emend-")]
            check_equal(len(kept), 1, "what it was")
            for words in (["doctor"], *others):
                done = subprocess.run([server.emend, *words, "--root", str(server.root)], check=False, text=True,
                                      env={**os.environ, "XDG_STATE_HOME": str(server.state)}, capture_output=True,
                                      timeout=LIMIT_S)
                check(kept[0].exists(), f"{words} removed it")
                if words[0] in ("doctor", "recover"):
                    check_equal(done.returncode, 0, done.stderr)
                    check("a server that runs keeps its old file a while" in done.stdout, done.stdout)
                    check("waits for recovery" not in done.stdout, done.stdout)
            late.write("late\n")
        server.process.stdin.close()
        server.process.wait(LIMIT_S)
        check_equal(kept[0].read_text(encoding="utf-8"), "one\nlate\n", "what was written late")


@test
def a_root_that_was_moved_or_removed_is_told_as_such():
    calls = [("read_file", {"file_path": "a.txt"}),
             ("edit_file", {"file_path": "a.txt", "old_string": "one", "new_string": "two"}),
             ("write_file", {"file_path": "new.txt", "content": "x"})]
    for replaced in (False, True):
        with Server(files={"a.txt": "one\n"}) as server:
            server.call("read_file", {"file_path": "a.txt"})
            (server.root / "a.txt").unlink()
            server.root.rmdir()
            if replaced:
                server.root.mkdir()
                (server.root / "a.txt").write_text("one\n", encoding="utf-8")
            for tool, arguments in calls:
                for path in (arguments["file_path"], str(server.root / arguments["file_path"])):
                    text = text_of(server.call(tool, {**arguments, "file_path": path}))
                    check(f"the root {server.root} was removed since emend was started" in text, f"{tool} {path}: {text}")
            check_equal(sorted(server.folder_names()), ["a.txt"] if replaced else [], "what is there")
    with Server(files={"a.txt": "one\n"}) as server:
        server.call("read_file", {"file_path": "a.txt"})
        moved = server.root.rename(server.root.with_name("moved"))
        text = text_of(server.call("read_file", {"file_path": str(server.root / "a.txt")}))
        check("was moved since" in text, text)
        server.root.mkdir()
        (server.root / "a.txt").write_text("one\n", encoding="utf-8")
        for tool, arguments in calls:
            path = str(server.root / arguments["file_path"])
            text = text_of(server.call(tool, {**arguments, "file_path": path}))
            check(f"the root {server.root} was replaced since" in text, f"{tool}: {text}")
        text = text_of(server.call("read_file", {"file_path": "gone.txt"}))
        check("was replaced since" in text, f"a relative path that is not found: {text}")
        check_equal((moved / "a.txt").read_text(encoding="utf-8"), "one\n", "what was moved")
        check_equal(server.text("a.txt"), "one\n", "what is there now")


@test
def a_warning_waits_for_an_answer_that_has_room_for_it():
    for tool, arguments in (("read_file", {"file_path": "a.txt"}), ("read_file", {"file_path": "gone"}),
                            ("preview_edit", {"file_path": "a.txt", "old_string": "two", "new_string": "2"})):
        with Server("--grace", "100ms", files={"a.txt": "one\n"}) as server:
            with open(server.root / "a.txt", "a", encoding="utf-8") as late:
                server.ask("tools/call", edit("a.txt", "one", "two"))
                late.write("late\n")
            wait_for(lambda: server.errors, "nothing is in the log")
            text = text_of(server.call(tool, arguments))
            check("Warning" not in text, f"{tool}: {text}")
            text = text_of(server.ask("tools/call", edit("a.txt", "two", "three")))
            check("Warning: " in text, f"after {tool}: {text}")
    with Server("--grace", "100ms", files={"a.txt": "one\n"}) as server:
        with open(server.root / "a.txt", "a", encoding="utf-8") as late:
            server.ask("tools/call", edit("a.txt", "one", "two"))
            late.write("late\n")
        wait_for(lambda: server.errors, "nothing is in the log")
        read = server.call("readFile", {"file": "a.txt"})["result"]["structuredContent"]
        check("warnings" in read, f"readFile has room: {read}")


@test
def an_end_does_not_wait_for_old_files():
    with Server("--grace", "1m", files={"a.txt": "one\n"}) as server:
        server.ask("tools/call", edit("a.txt", "one", "two"))
        started = time.monotonic()
        check_equal(server.end(), (0, []), "the end")
        check(time.monotonic() - started < 10, "it took long")
        check_equal([p.name for p in server.root.iterdir()], ["a.txt"], "root")


if __name__ == "__main__":
    sys.exit(harness.main(harness.TESTS_OF[__name__], __doc__, Server))
