"""How the server lives: several clients, those that leave, those that are slow, limits, and its end."""
import fcntl
import json
import os
import select
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httplab
from httplab import TESTS_OF, Server, Stream, check, equal, has, test, until

EDIT = {"file": "a.txt", "operations": [{"search": "one", "replace": "two"}]}


@contextmanager
def all_locks(server):
    """Every file is locked by somebody else meanwhile."""
    f_ofd_setlk = 37
    fd = os.open(server.state / "locks" / "slots", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.fcntl(fd, f_ofd_setlk, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
    try:
        yield
    finally:
        os.close(fd)


def gauge(server, name):
    for line in server.get("/metrics").body.decode().splitlines():
        if line.split(" ")[0] == name:
            return float(line.split(" ")[1])
    return 0


def running(server):
    """How many requests are being answered, without the one that asks."""
    return gauge(server, "emend_http_requests_running") - 1


def what_holds(name):
    try:
        with open(name, encoding="ascii") as file:
            return file.read()
    except OSError:  # the thread is over
        return ""


def nobody_works(server):
    """Do all threads of the server sleep, at several looks? Who has begun a call waits with it then."""
    tasks = f"/proc/{server.process.pid}/task"
    for _ in range(5):
        stats = [what_holds(f"{tasks}/{task}/stat") for task in os.listdir(tasks)]
        if any(stat and stat.rpartition(")")[2].split()[0] == "R" for stat in stats):
            return False
        time.sleep(0.01)
    return True


def waits_for_lock(server):
    """Does a call run, and a thread of the server wait for a lock? It looks again and again, asleep in
    between. (So does a thread of the thread sanitizer: the call must have come to a rest, too.)"""
    where = [what_holds(f"/proc/{server.process.pid}/task/{task}/wchan")
             for task in os.listdir(f"/proc/{server.process.pid}/task")]
    if set(where) <= {"", "0"}:  # a kernel that does not say
        time.sleep(0.5)
        return running(server) == 1
    return running(server) == 1 and any("nanosleep" in name for name in where) and nobody_works(server)


# ---- Clients that leave -------------------------------------------------------------------------


@test
def leaving_takes_a_stateless_request_back():
    with Server("--lock-timeout", "20s", files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
        server.modern_call("editFile", {**EDIT, "session": "s", "dryRun": True})

        def send(name):
            message = server.modern("tools/call", {"name": "editFile", "arguments": {
                **EDIT, "file": name, "session": "s"}})
            return server.open("POST", "/mcp", json.dumps(message).encode(), server.modern_fields(message))

        with all_locks(server):
            first = send("a.txt")
            until(lambda: waits_for_lock(server), "the first call waits for the lock")
            second = send("b.txt")
            until(lambda: running(server) == 2, "the second waits for its turn")
            second.close()
            until(lambda: gone_from(server), "the client has left")
        equal(first.hear().json["result"]["isError"], False, "the first")
        third = server.modern_call("editFile", {**EDIT, "file": "b.txt", "session": "s", "dryRun": True})
        equal(third.json["result"]["isError"], False, "the second was not made when its turn had come")
        equal((server.text("a.txt"), server.text("b.txt")), ("two\n", "one\n"), "the files")


def gone_from(server):
    """Nothing is left to be read from a connection whose client has closed: the kernel knows."""
    lines = open(f"/proc/{server.process.pid}/net/tcp", encoding="ascii").read().splitlines()[1:]
    port = f":{server.port:04X}"
    return any(line.split()[1].endswith(port) and line.split()[3] == "08" for line in lines)


@test
def leaving_takes_nothing_back_in_a_session():
    with Server("--lock-timeout", "20s", files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
        session = server.begin()
        session.call("editFile", {**EDIT, "dryRun": True})

        def send(name):
            message = session.request("tools/call", {"name": "editFile", "arguments": {**EDIT, "file": name}})
            return message["id"], server.open("POST", "/mcp", json.dumps(message).encode(), session.fields)

        with all_locks(server):
            _, first = send("a.txt")
            until(lambda: waits_for_lock(server), "the first call waits for the lock")
            _, second = send("b.txt")
            until(lambda: running(server) == 2, "the second waits for its turn")
            second.close()
            third_id, third = send("b.txt")
            until(lambda: running(server) == 3, "the third is begun")
            until(lambda: nobody_works(server), "it waits for its turn")
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": third_id}}
            equal(session.post(cancel).status, 202, "cancelled while it waits")
        equal(first.hear().json["result"]["isError"], False, "the first")
        taken_back = third.hear()
        equal((taken_back.status, taken_back.body), (202, b""), "the third, which was taken back")
        until(lambda: server.text("b.txt") == "two\n", "the second is made")


@test
def a_call_that_waits_for_a_lock_is_taken_back():
    """By who leaves without a session, and by who cancels it, or ends the session, with one."""
    with Server("--lock-timeout", "60s", files={"a.txt": "one\n"}) as server:
        session, other = server.begin(), server.begin()
        session.call("editFile", {**EDIT, "dryRun": True})
        message = server.modern("tools/call", {"name": "editFile", "arguments": EDIT})
        call = session.request("tools/call", {"name": "editFile", "arguments": EDIT})

        def wait_and(take_back, message, fields):
            with all_locks(server):
                wire = server.open("POST", "/mcp", json.dumps(message).encode(), fields)
                until(lambda: waits_for_lock(server), "the call waits for the lock")
                take_back(wire)
                until(lambda: running(server) == 0, "it does not wait any more")
            equal(server.text("a.txt"), "one\n", "the file")

        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call["id"]}}
        wait_and(lambda wire: wire.close(), message, server.modern_fields(message))
        wait_and(lambda _: session.post(cancel), call, session.fields)
        wait_and(lambda _: server.ask("DELETE", "/mcp", fields=other.fields), call, other.fields)


def send_no_more(wire):
    wire.socket.shutdown(socket.SHUT_WR)
    return wire


@test
def who_only_sends_no_more_is_answered():
    """A client may close its half when it has asked (shutdown), and read on."""
    place = f"/tmp/emend-half-{os.getpid()}-{threading.get_ident()}.sock"
    for listen in ((), ("--listen", f"unix:{place}")):
        with Server(*listen, files={"a.txt": "one\n"}) as server:
            session = server.begin("2025-06-18")
            edit = server.modern("tools/call", {"name": "editFile", "arguments": EDIT}, {"progressToken": 1})
            discover = server.modern("server/discover")
            rows = [(edit, server.modern_fields(edit)), (discover, server.modern_fields(discover)),
                    (edit, {**server.modern_fields(edit), "Accept": "application/json"}),
                    (session.request("tools/list"), session.fields)]
            for message, fields in rows:
                with send_no_more(server.open("POST", "/mcp", json.dumps(message).encode(), fields)) as wire:
                    answer = wire.hear()
                    equal((answer.status, answer.messages[-1]["id"]), (200, message["id"]), message["method"])
                    check("result" in answer.messages[-1], f"{answer.body!r}")
                    check(wire.is_closed(), "nothing more can come from it")
            equal(server.text("a.txt"), "two\n", "the file")
            request = server.request("POST", "/mcp", json.dumps(discover).encode(), server.modern_fields(discover))
            with server.wire() as wire:
                wire.send(request * 3)
                send_no_more(wire)
                equal([wire.hear().status for _ in range(3)], [200] * 3, "three at once")
            with server.wire() as wire:
                wire.send(request.replace(b"HTTP/1.1", b"HTTP/1.0", 1))
                send_no_more(wire)
                answer = b""
                while piece := wire.more():
                    answer += piece
                check(b" 200 " in answer.split(b"\n")[0], f"where nothing may come before an answer: {answer!r}")
    os.unlink(place)


@test
def several_who_only_send_no_more_are_answered():
    """Each, also where others are answered at the same moment."""
    with Server(files={"a.txt": "one\n"}) as server:
        read = server.modern("tools/call", {"name": "readFile", "arguments": {"file": "a.txt"}})
        request = server.request("POST", "/mcp", json.dumps(read).encode(), server.modern_fields(read))
        for _ in range(20):
            wires = [server.wire() for _ in range(8)]
            for wire in wires:
                wire.send(request)
                send_no_more(wire)
            equal([wire.hear().status for wire in wires], [200] * len(wires), "the answers")
            for wire in wires:
                wire.close()


@test
def streams_of_who_only_sends_no_more_go_on():
    with Server(files={"a.txt": "one\n"}) as server:
        session = server.begin("2025-06-18")
        session.ask("logging/setLevel", {"level": "debug"})
        fields = {**session.fields, "Accept": "text/event-stream"}
        with Stream(send_no_more(server.open("GET", "/mcp", fields=fields))) as stream:
            stream.comment()  # is anybody there?
            message = session.request("tools/call", {"name": "readFile", "arguments": {"file": "a.txt"}})
            session.post(message, Accept="application/json")
            equal(stream.message()["method"], "notifications/message", "what it listens for")
        until(lambda: gauge(server, "emend_http_streams") == 0, "it has left")


@test
def streams_notice_who_left():
    with Server() as server:
        session = server.begin()
        streams = [session.listen()]
        until(lambda: gauge(server, "emend_http_streams") == 1, "a stream is open")
        message = server.modern("subscriptions/listen", {"notifications": {}})
        for _ in range(5):
            streams.append(Stream(server.open("POST", "/mcp", json.dumps(message).encode(),
                                              server.modern_fields(message))))
        until(lambda: gauge(server, "emend_http_streams") == 6, "six are")
        for stream in streams:
            stream.wire.close()
        until(lambda: gauge(server, "emend_http_streams") == 0, "all of them ended")
        until(lambda: gauge(server, "emend_http_connections") <= 1, "and their connections")


# ---- Several at once ----------------------------------------------------------------------------


@test
def many_at_once():
    """Eight clients of both eras, each at its own file; and all at one."""
    clients, rounds = 8, 20
    files = {f"{n}.txt": "count 0\n" for n in range(clients)}
    with Server("--lock-timeout", "30s", files={**files, "all.txt": "start\n"}) as server:
        def work(number):
            session = server.begin() if number % 2 else None
            for turn in range(rounds):
                edit = {"file": f"{number}.txt", "operations": [
                    {"search": f"count {turn}\n", "replace": f"count {turn + 1}\n"}]}
                line = {"file": "all.txt", "operations": [
                    {"search": "start\n", "replace": f"start\n{number}.{turn}\n"}]}
                for arguments in (edit, line):
                    answer = session.call("editFile", arguments, progressToken=turn) if session else \
                        server.modern_call("editFile", arguments)
                    result = answer.messages[-1]["result"]
                    check(not result["isError"], f"client {number}, {turn}: {result}")

        with ThreadPoolExecutor(clients) as pool:
            list(pool.map(work, range(clients)))
        for number in range(clients):
            equal(server.text(f"{number}.txt"), f"count {rounds}\n", "its own file")
        lines = server.text("all.txt").splitlines()
        equal(sorted(lines[1:]), sorted(f"{n}.{t}" for n in range(clients) for t in range(rounds)),
              "the file of all")


@test
def one_connection_for_many():
    """Requests one behind the other on a connection, also before the answer to the first has come."""
    with Server() as server, server.wire() as wire:
        one = server.request("GET", "/healthz")
        wire.send(one * 20)
        for _ in range(20):
            answer = wire.hear()
            equal((answer.status, answer.body, answer.closed), (200, b"ok\n", False), "one of many")
        message = server.modern("tools/list")
        wire.send(server.request("POST", "/mcp", json.dumps(message).encode(), server.modern_fields(message)))
        equal(wire.hear().status, 200, "and another")
        wire.send(server.request("HEAD", "/healthz"))
        answer = wire.hear(bodyless=True)
        equal((answer.status, answer.fields["content-length"]), (200, "3"), "HEAD")
        body = json.dumps(message).encode()
        fields = {**server.modern_fields(message), "Transfer-Encoding": "chunked", "Content-Length": None}
        wire.send(server.request("POST", "/mcp", b"", fields) +
                  b"".join(b"%x\r\n%s\r\n" % (len(body[i:i + 7]), body[i:i + 7])
                           for i in range(0, len(body), 7)) + b"0\r\n\r\n")
        equal(wire.hear().status, 200, "in chunks")


@test
def streams_have_no_head():
    """HEAD of one is refused, with nothing behind the head, and takes no stream from who listens."""
    with Server() as server:
        session = server.begin("2025-06-18")
        with session.listen() as stream:
            for path in ("/mcp", "/api/events"):
                with server.wire() as wire:
                    wire.send(server.request("HEAD", path, fields=session.fields))
                    answer = wire.hear(bodyless=True)
                    equal((answer.status, "HEAD" in answer.fields["allow"]), (405, False), path)
                    check(wire.is_closed(), f"something stands behind the head of {path}")
            ended = select.select([stream.wire.socket], [], [], 0.3)[0]
            check(not ended, "who listened has lost the stream")


# ---- Limits -------------------------------------------------------------------------------------


@test
def long_bodies():
    with Server("--max-message-size", "64K", files={"a.txt": "one\n"}) as server:
        edit = {"file": "b.txt", "content": "x" * 40000}
        message = server.modern("tools/call", {"name": "writeFiles", "arguments": {"files": [edit]}})
        equal(server.post(message, **server.modern_fields(message)).status, 200, "within the limit")
        equal(server.text("b.txt"), "x" * 40000, "the file")
        head = server.request("POST", "/mcp", fields={
            **server.modern_fields(message), "Content-Type": "application/json", "Content-Length": "65537"})
        answer = server.raw(head)
        equal((answer.status, answer.closed), (413, True), "beyond it, and none of it was sent")
        fields = {**server.modern_fields(message), "Content-Type": "application/json",
                  "Transfer-Encoding": "chunked"}
        piece = b"1000\r\n" + b"x" * 4096 + b"\r\n"
        answer = server.raw(server.request("POST", "/mcp", fields=fields) + piece * 40 + b"0\r\n\r\n")
        equal((answer.status, answer.closed), (413, True), "in chunks")
    with Server("--max-memory", "200M") as server:
        before = server.memory_kb()
        for _ in range(20):
            server.raw(server.request("POST", "/mcp", fields={
                "Content-Type": "application/json", "Content-Length": str(256 << 20), "Host": "evil.example"}))
        check(server.memory_kb() < before + 20000, "memory for bodies that never came")


@test
def bodies_of_many():
    """Those that are held together have a limit, too."""
    with Server("--max-message-size", "64K") as server:
        message = json.dumps(server.modern("server/discover")).encode()
        body = message + b" " * (60000 - len(message))
        fields = {**server.modern_fields(server.modern("server/discover")), "Content-Type": "application/json",
                  "Content-Length": "60001"}
        wires = [server.open("POST", "/mcp", body, fields) for _ in range(2)]
        until(lambda: gauge(server, "emend_http_body_bytes") == 2 * len(body), "two bodies are held")
        third = server.open("POST", "/mcp", body + b" ", fields)
        answer = third.hear()
        equal((answer.status, answer.closed), (503, True), "for which there is no room")
        for wire in wires:
            wire.send(b" ")
            equal(wire.hear().status, 200, "those that were there")
            wire.close()
        third.close()
        equal(server.modern_ask("tools/list").status, 200, "room again")


@test
def who_leaves_within_a_body():
    """What it had sent is not kept for as long as the rest might have taken: here, 20 minutes."""
    with Server("--max-message-size", "20M") as server:
        fields = {"Content-Type": "application/json", "Content-Length": str(19 << 20)}
        for _ in range(3):
            with server.open("POST", "/mcp", fields=fields) as wire:
                wire.send(b" " * ((19 << 20) - 1000))
        until(lambda: gauge(server, "emend_http_body_bytes") == 0, "nothing of it is held")
        equal(server.modern_ask("tools/list").status, 200, "there is room")


@test
def who_leaves_within_headers():
    """Nor is its connection, for the minute that the rest of them might have taken."""
    with Server() as server:
        request = server.request("POST", "/mcp", b"{}")
        for length in range(10, len(request) - len(b"\r\n\r\n{}"), 3):
            with server.wire() as wire:
                wire.send(request[:length])
        until(lambda: gauge(server, "emend_http_connections") == 1, "this one alone is there")


@test
def slow_readers():
    """One that reads nothing keeps nobody waiting, and does not stay for ever."""
    big = "".join(f"line {n}\n" for n in range(250000))
    with Server("--client-timeout", "5s", files={"big.txt": big}) as server:
        message = server.modern("tools/call", {"name": "readFile", "arguments": {"file": "big.txt"}})
        with server.wire() as wire:
            wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            wire.send(server.request("POST", "/mcp", json.dumps(message).encode(), server.modern_fields(message)))
            equal(wire.head().status, 200, "it begins to read")
            whole = server.post(message, **server.modern_fields(message))
            has("line 249999", whole.json["result"]["content"][0]["text"][-200:], "another one, meanwhile")
            streamed = server.modern_call("readFile", {"file": "big.txt"}, progressToken=1)
            has("line 249999", streamed.messages[-1]["result"]["content"][0]["text"][-200:],
                "a long answer in a stream")
            with server.wire() as lazy:
                lazy.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                asked = server.modern("tools/call", message["params"], {"progressToken": 1})
                lazy.send(server.request("POST", "/mcp", json.dumps(asked).encode(),
                                         server.modern_fields(asked)))
                equal(lazy.head().status, 200, "it begins to read a stream")
                until(lambda: gauge(server, "emend_http_streams") == 0, "it is cut off")


@test
def too_many_sessions():
    with Server("--sessions", "3") as server:
        first = [server.begin() for _ in range(3)]
        with first[0].listen(), first[1].listen():
            fourth = server.begin()
            equal([s.ask("ping").status for s in (*first, fourth)], [200, 200, 404, 200],
                  "the one that nobody uses made room")
            with fourth.listen():
                full = server.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})
                equal(full.status, 503, "all are in use")
                check(int(full.fields["retry-after"]) > 0, "when to come again")
                equal(server.modern_ask("tools/list").status, 200, "who needs none")


@test
def idle_sessions_end():
    with Server("--session-idle", "3s") as server:
        used, idle = server.begin(), server.begin()
        with used.listen():
            until(lambda: gauge(server, "emend_mcp_sessions") == 1, "one of them is left")
            equal(used.ask("ping").status, 200, "the one that somebody listens to")
        equal(idle.ask("ping").status, 404, "the other")


# ---- Where it listens ---------------------------------------------------------------------------


@test
def unix_socket():
    place = f"/tmp/emend-http-{os.getpid()}-{threading.get_ident()}.sock"
    with Server("--listen", f"unix:{place}", files={"a.txt": "one\n"}) as server:
        equal(os.stat(place).st_mode & 0o777, 0o600, "for its owner alone")
        equal(server.get("/healthz").body, b"ok\n", "healthz")
        equal(server.post({}, Authorization=None).status, 401, "without the token")
        equal(server.get("/healthz", Host="evil.example").status, 403, "Host is checked here, too")
        equal(server.begin().call("editFile", EDIT).json["result"]["isError"], False, "a call")
        second = subprocess.run([Server.emend, "serve", "--listen", f"unix:{place}"], check=False,
                                capture_output=True, text=True, timeout=httplab.LIMIT_S)
        equal(second.returncode, 2, "a second at the same place")
        has("is there already", second.stderr, "a second")
        server.process.kill()
        server.process.wait()
        server.ends = False
    with Server("--listen", f"unix:{place}", "--token", "none") as server:
        equal(server.modern_ask("tools/list").status, 200, "where one was killed")
    os.unlink(place)
    with open(place, "w", encoding="ascii") as file:
        file.write("mine\n")
    refused = subprocess.run([Server.emend, "serve", "--listen", f"unix:{place}"], check=False,
                             capture_output=True, text=True, timeout=httplab.LIMIT_S)
    equal((refused.returncode, open(place, encoding="ascii").read()), (2, "mine\n"), "a file that is none")
    os.unlink(place)


@test
def words():
    rows = [
        (["--listen", "example.com:80"], "neither an address"), (["--listen", "127.0.0.1:65536"], "neither"),
        (["--listen", "127.0.0.1"], "neither"), (["--listen", "unix:"], "neither"),
        (["--listen", "unix:" + "x" * 200], "neither"), (["--listen", "[::1"], "neither"),
        (["--token", "secret"], "random or none"), (["--tools", "nothing"], "--tools"),
        (["--token", "none", "--token-file", "x"], "one of both"), (["--lisen", "x"], "--listen"),
        (["word"], "one word too many"),
        (["--host", "a b"], "--host a b"), (["--host", "http://x"], "without http://"), (["--host", "x:80"], "--host"),
        (["--host", ""], "--host"), (["--host", "[::1"], "--host"), (["--host", "x/y"], "--host"),
        (["--approve-by", "page"], "without --approve"), (["--approve-by", "any"], "without --approve"),
        (["--approve-timeout", "0"], "above 0"), (["--session-idle", "0s"], "above 0"),
    ]
    for more, wanted in rows:
        done = subprocess.run([Server.emend, "serve", *more], check=False, capture_output=True, text=True,
                              timeout=httplab.LIMIT_S)
        equal(done.returncode, 2, f"{more}: {done.stderr}")
        has(wanted, done.stderr, str(more))
    shown = subprocess.run([Server.emend, "serve", "--help"], check=False, capture_output=True, text=True,
                           timeout=httplab.LIMIT_S)
    equal(shown.returncode, 0, "--help")
    has("--listen ADDRESS", shown.stdout, "--help")
    with Server("--host", "emend.example", "--host", "[fd00::7]", "--host", "10.0.0.7") as server:
        for name in ("emend.example", "[fd00::7]:80", "10.0.0.7"):
            equal(server.get("/healthz", Host=name).status, 200, name)
    with Server() as server:
        taken = subprocess.run([Server.emend, "serve", "--listen", server.host], check=False,
                               capture_output=True, text=True, timeout=httplab.LIMIT_S)
        equal(taken.returncode, 2, "a port that is taken")
        has("Address already in use", taken.stderr, "a port that is taken")


@test
def token_files():
    base = f"/tmp/emend-tokens-{os.getpid()}-{threading.get_ident()}"

    def fails(mode, text):
        with open(base, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(base, mode)
        done = subprocess.run([Server.emend, "serve", "--token-file", base], check=False, capture_output=True,
                              text=True, timeout=httplab.LIMIT_S)
        os.unlink(base)
        equal(done.returncode, 2, done.stderr)
        return done.stderr

    has("others may read it", fails(0o644, "long-enough-token-1\n"), "a file for all")
    has("no token in it", fails(0o600, "# nothing\n\n"), "an empty one")
    has("16 to 256", fails(0o600, "short\n"), "a short one")
    with open(base, "w", encoding="ascii") as file:
        file.write("long-enough-token-1 # Ada's\nmcp long-enough-token-2\t#the agent's\r\n")
    os.chmod(base, 0o600)
    with Server("--token-file", base) as server:
        for server.token, page in (("long-enough-token-1", 200), ("long-enough-token-2", 403)):
            equal((server.modern_ask("tools/list").status, server.get("/api/state").status), (200, page),
                  f"{server.token}, with a remark behind it")
    os.unlink(base)
    with Server("--token-file", base) as server:
        equal(server.token, None, "it is not printed")
        equal(os.stat(base).st_mode & 0o777, 0o600, "made for its owner alone")
        server.token = open(base, encoding="ascii").read().strip()
        equal(len(server.token), 32, "what was made")
        equal(server.modern_ask("tools/list").status, 200, "it opens the door")
        check(server.token not in server.said(), "and is not in the log")
    kept = server.token
    with Server("--token-file", base) as server:
        server.token = kept
        equal(server.modern_ask("tools/list").status, 200, "also after a restart")
    os.unlink(base)


@test
def sessions_that_calls_name_belong_to_a_token():
    base = f"/tmp/emend-apart-{os.getpid()}-{threading.get_ident()}"
    one, other = "long-enough-token-1", "long-enough-token-2"
    with open(base, "w", encoding="ascii") as file:
        file.write(f"{one}\n{other}\n")
    os.chmod(base, 0o600)
    undo = ("undo_last_edit", {"session": "main"})
    edit = {"file_path": "a.txt", "old_string": "one", "new_string": "two", "session": "main"}
    read = {"path": "a.txt", "session": "main"}
    with Server("--token-file", base, files={"a.txt": "one\n"}) as server:
        server.token = one
        equal(server.modern_call("edit_file", edit).json["result"]["isError"], False, "an edit")
        equal(server.modern_call("Read", read).json["result"]["isError"], False, "a reading")
        server.token = other
        for answer in (server.modern_call(*undo), server.begin().call(*undo)):
            has("This session has made no edit", str(answer.json), "the other token")
        has("was not read", str(server.modern_call("Edit", {**read, "create_content": "x"}).json), "its readings")
        equal(server.text("a.txt"), "two\n", "the file")
        server.token = one
        has("Successfully undid", str(server.modern_call(*undo).json), "its own")
        equal(server.text("a.txt"), "one\n", "the file")
    os.unlink(base)


# ---- Its end ------------------------------------------------------------------------------------


def requests_running(server):
    """This one, too."""
    return int(re.search(r"^emend_http_requests_running (\d+)$", server.get("/metrics").body.decode(), re.M)[1])


def is_refused(server):
    try:
        server.wire().close()
    except ConnectionRefusedError:
        return True
    return False


@test
def ends_well():
    """What runs is finished and answered; streams end; what waits is not run, and nothing new begun."""
    folder = tempfile.TemporaryDirectory(dir="/tmp")  # its path fits in the address of a socket
    for number, *listen in ((signal.SIGTERM,), (signal.SIGINT,), (signal.SIGTERM, "--listen", f"unix:{folder.name}/s")):
        with Server("--lock-timeout", "20s", *listen, files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
            session = server.begin()
            session.call("editFile", {**EDIT, "dryRun": True})
            stream = session.listen()
            idle = server.wire()
            with all_locks(server):
                message = session.request("tools/call", {"name": "editFile", "arguments": EDIT})
                running = server.open("POST", "/mcp", json.dumps(message).encode(), session.fields)
                until(lambda: waits_for_lock(server), "a call waits")
                behind = session.request("tools/call", {"name": "editFile", "arguments": {**EDIT, "file": "b.txt"}})
                waiting = server.open("POST", "/mcp", json.dumps(behind).encode(), session.fields)
                until(lambda: requests_running(server) > 2, "another waits behind it")
                server.process.send_signal(number)
                equal(stream.message(), None, "the stream ends")
                check(is_refused(server), "nobody new gets through")
                if not listen:
                    socket.create_server(server.where).close()  # where the next one may listen already
                idle.send(server.request("GET", "/healthz"))
                late = idle.hear()
                equal((late.status, late.closed), (503, True), "what is asked now")
            equal(running.hear().json["result"]["isError"], False, "the call is answered")
            equal(server.text("a.txt"), "two\n", "and made")
            refused = waiting.hear()
            equal(refused.status, 503, "what waited is not run")
            has("was not run", refused.json["error"]["message"], "and that is said")
            equal(server.text("b.txt"), "one\n", "it is as it was")
            equal(server.process.wait(httplab.LIMIT_S), 0, "its exit status")
            for wire in (running, waiting, idle, stream.wire):
                wire.close()
    folder.cleanup()


@test
def what_stands_in_the_way():
    """A server that cannot begin says so, and leaves."""
    with Server("--listen", "0.0.0.0:0") as server:
        server.host = f"127.0.0.1:{server.port}"
        server.where = ("127.0.0.1", server.port)
        equal(server.modern_ask("tools/list").status, 200, "for other machines, too")
        until(lambda: "TLS" in server.said(), "it tells that it should not be so")
    rows = [(["--root", "/nowhere/at/all"], "/nowhere/at/all"),
            (["--token-file", "/nowhere/at/all"], "/nowhere/at/all")]
    for more, wanted in rows:
        done = subprocess.run([Server.emend, "serve", *more], check=False, capture_output=True, text=True,
                              timeout=httplab.LIMIT_S)
        check(done.returncode in (1, 2), f"{more}: {done.returncode}")
        has(wanted, done.stderr, str(more))
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([Server.emend, "serve"], check=False, stdout=full, stderr=subprocess.PIPE,
                              text=True, timeout=httplab.LIMIT_S)
    equal(done.returncode, 2, "an address that nobody can read")
    has("cannot print", done.stderr, "an address that nobody can read")


@test
def late_writes_are_told():
    """What a program still writes to a file that was replaced is not lost, and a session is told."""
    with Server("--grace", "5s", files={"a.txt": "one\n"}) as server:
        session = server.begin()
        session.ask("logging/setLevel", {"level": "warning"})
        with session.listen() as stream, open(server.root / "a.txt", "a", encoding="ascii") as late:
            equal(session.call("editFile", EDIT).json["result"]["isError"], False, "an edit")
            late.write("late\n")
            late.flush()
            told = stream.message()
            equal((told["method"], told["params"]["level"]), ("notifications/message", "warning"), "it is told")
            until(lambda: "a.txt" in server.said(), "and logged")
        equal(server.text("a.txt"), "two\n", "the file")


@test
def starts_are_cheap():
    """emend itself is linked to nothing that only the server needs."""
    linked = subprocess.run(["ldd", Server.emend], check=True, capture_output=True, text=True).stdout
    for name in ("microhttpd", "gnutls", "libnettle"):
        check(name not in linked, f"{name}: {linked}")


@test
def kept_files_are_looked_after():
    """What was replaced is kept for a while, also when nobody calls any more."""
    with Server("--grace", "200ms", files={"a.txt": "one\n"}) as server:
        equal(server.begin().call("editFile", EDIT).json["result"]["isError"], False, "in a session")
        equal(server.modern_call("editFile", {"file": "a.txt", "operations": [
            {"search": "two", "replace": "three"}]}).json["result"]["isError"], False, "without")
        until(lambda: [p.name for p in server.root.iterdir()] == ["a.txt"], "the old files go")


@test
def what_is_recorded_is_of_this_boot():
    """Sessions are opened when the walls stand already. Changes that are taken for ones of another
    boot would all be looked at again by the next process."""
    with Server(files={"a.txt": "one\n"}) as server:
        equal(server.modern_call("editFile", EDIT).json["result"]["isError"], False, "the change")
        equal(server.begin().call("editFile", {"file": "a.txt", "operations": [
            {"search": "two", "replace": "three"}]}).json["result"]["isError"], False, "in a session")
        history = sqlite3.connect(f"file:{server.state}/history.db?mode=ro", uri=True)
        boots = [row[0] for row in history.execute("SELECT boot FROM commits")]
        history.close()
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        equal(boots, [file.read().strip()] * 2, "the boot of each change")


TESTS = TESTS_OF[__name__]
