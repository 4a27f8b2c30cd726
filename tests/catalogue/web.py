"""A49 to A57: what comes over HTTP from pages, other programs and other machines."""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "http"))

import httplab  # noqa: E402
from httplab import MODERN, TESTS_OF, Server, check, equal, has, test, until  # noqa: E402

DISCOVER = Server.modern("server/discover")
DISCOVER_FIELDS = Server.modern_fields(DISCOVER)
METHODS = ("GET", "POST", "DELETE", "OPTIONS", "HEAD")


def is_refused(answer, status, what):
    equal(answer.status, status, what)
    check(answer.closed, f"{what}: the connection stays open")


@test
def foreign_origin():
    """A49"""
    with Server(files={"a.txt": "secret\n"}) as server:
        foreign = ["http://evil.example", "https://evil.example", "null", "http://localhost.evil.example",
                   f"http://{server.host}.evil.example", f"http://evil.example/{server.host}",
                   "http://localhost:1", "http://127.0.0.1", f"ftp://{server.host}",
                   f"http://{server.host}@evil.example", f"http://{server.host}, http://evil.example", ""]
        body = json.dumps(DISCOVER).encode()
        for origin in foreign:
            for method in METHODS:
                answer = server.ask(method, "/mcp", body if method == "POST" else None,
                                    {**DISCOVER_FIELDS, "Origin": origin})
                is_refused(answer, 403, f"{method} from {origin!r}")
                check("access-control-allow-origin" not in answer.fields, "a page was let in")
        session = server.begin()
        for method in ("GET", "DELETE"):
            fields = {**session.fields, "Accept": "text/event-stream", "Origin": "http://evil.example"}
            is_refused(server.ask(method, "/mcp", None, fields), 403, f"{method} in a session")
        equal(session.ask("ping").status, 200, "the session is still there")
        for path in ("/", "/healthz", "/metrics", "/api/state", "/api/login", "/nothing"):
            is_refused(server.ask("GET", path, fields={"Origin": "http://evil.example"}), 403, path)
        own = server.post(DISCOVER, **DISCOVER_FIELDS, Origin=f"http://{server.host}")
        equal(own.status, 200, "the page's own origin")


@test
def foreign_host():
    """A50: also before the body is read."""
    with Server() as server:
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", "127.0.0.2",
                     "localhost.", "0.0.0.0", "[::2]", "[::1", "localhost:x", "localhost:123456", "",
                     "evil.example\tlocalhost", f"{server.host}@evil.example"):
            for method in METHODS:
                answer = server.ask(method, "/mcp", b"{}" if method == "POST" else None, {"Host": host})
                check(answer.status in (400, 403) and answer.closed, f"{method} to {host!r}: {answer.status}")
        for host in (f"localhost:{server.port}", f"LOCALHOST:{server.port}", "127.0.0.1", "[::1]:99"):
            equal(server.post(DISCOVER, **DISCOVER_FIELDS, Host=host).status, 200, host)
        head = server.request("POST", "/mcp", fields={"Host": "evil.example", "Content-Length": "1000000",
                                                      "Content-Type": "application/json"})
        is_refused(server.raw(head), 403, "no byte of the body was sent")
        is_refused(server.raw(head.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")), 403,
                   "asked whether to send it")
    with Server("--host", "edit.example") as server:
        equal(server.post(DISCOVER, **DISCOVER_FIELDS, Host="edit.example").status, 200, "--host")
        equal(server.post(DISCOVER, **DISCOVER_FIELDS, Host="edit.example",
                          Origin="https://edit.example").status, 200, "a page behind a proxy with TLS")
        equal(server.post(DISCOVER, **DISCOVER_FIELDS, Host="edit.example",
                          Origin="https://evil.example").status, 403, "another page at it")


def listening(pid):
    """The addresses that a process listens at, in the kernel's hexadecimal digits, one for each socket: while others
    come and go the kernel may list one twice."""
    inodes = {os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")}
    lines = [line.split() for name in ("tcp", "tcp6")
             for line in Path(f"/proc/{pid}/net/{name}").read_text(encoding="ascii").splitlines()[1:]]
    return list({f[9]: f[1] for f in lines if f[3] == "0A" and f"socket:[{f[9]}]" in inodes}.values())


@test
def bound_to_the_loopback():
    """A51"""
    with Server() as server:
        equal(listening(server.process.pid), [f"0100007F:{server.port:04X}"], "where it listens")
        check(len(server.token) >= 32, f"a token of {len(server.token)} digits")
        wrong = server.token[:-1] + ("0" if server.token[-1] != "0" else "1")
        for given in (None, "", "Bearer", "Bearer ", f"Bearer {wrong}", f"Bearer {server.token}0",
                      f"Bearer {server.token[:-1]}", f"Basic {server.token}", server.token):
            for method, path in (("POST", "/mcp"), ("GET", "/mcp"), ("DELETE", "/mcp"), ("GET", "/metrics"),
                                 ("GET", "/api/state"), ("POST", "/api/login")):
                answer = server.ask(method, path, b"{}" if method == "POST" else None,
                                    {"Authorization": given})
                is_refused(answer, 401, f"{method} {path} with {given!r}")
                has("Bearer", answer.fields["www-authenticate"], "how to ask")
        equal(server.get("/mcp?token=" + server.token, Authorization=None).status, 401,
              "no token in the address")
    with Server() as other:
        check(other.token != server.token, "the same token twice")
    for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:0"):
        done = subprocess.run([Server.emend, "serve", "--listen", address, "--token", "none"], check=False,
                              capture_output=True, text=True, timeout=httplab.LIMIT_S)
        equal(done.returncode, 2, f"no token at {address}")
        has("can be reached from other machines", done.stderr, address)


SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@test
def smuggling():
    """A52"""
    with Server() as server:
        lines = [f"Host: {server.host}", f"Authorization: Bearer {server.token}",
                 "Content-Type: application/json"]

        def post(*more, body=b"", first="POST /mcp HTTP/1.1", leave=()):
            kept = [line for line in lines if not line.startswith(tuple(leave))]
            return "\r\n".join([first, *kept, *more, "", ""]).encode("latin-1") + body

        chunked = "Transfer-Encoding: chunked"
        rows = {
            "CL and TE": post("Content-Length: 5", chunked, body=b"0\r\n\r\n" + SMUGGLED),
            "TE and CL": post(chunked, "Content-Length: 5", body=b"0\r\n\r\n" + SMUGGLED),
            "two CL": post("Content-Length: 2", "Content-Length: 42", body=b"{}" + SMUGGLED),
            "the same CL twice": post("Content-Length: 2", "Content-Length: 2", body=b"{}" + SMUGGLED),
            "a list as CL": post("Content-Length: 2, 2", body=b"{}" + SMUGGLED),
            "a signed CL": post("Content-Length: +2", body=b"{}" + SMUGGLED),
            "a hexadecimal CL": post("Content-Length: 0x2", body=b"{}" + SMUGGLED),
            "a negative CL": post("Content-Length: -1", body=SMUGGLED),
            "a huge CL": post("Content-Length: 99999999999999999999", body=b"{}" + SMUGGLED),
            "an empty CL": post("Content-Length:", body=b"{}" + SMUGGLED),
            "two TE": post(chunked, chunked, body=b"0\r\n\r\n" + SMUGGLED),
            "another TE": post("Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n" + SMUGGLED),
            "identity as TE": post("Transfer-Encoding: identity", body=SMUGGLED),
            "an odd TE": post("Transfer-Encoding: xchunked", body=b"0\r\n\r\n" + SMUGGLED),
            "a blank behind TE": post("Transfer-Encoding: chunked ", body=b"0\r\n\r\n" + SMUGGLED),
            "a tab behind TE": post("Transfer-Encoding: chunked\t", body=b"0\r\n\r\n" + SMUGGLED),
            "TE in quotes": post('Transfer-Encoding: "chunked"', body=b"0\r\n\r\n" + SMUGGLED),
            "a chunk of no number": post(chunked, body=b"zz\r\n{}\r\n0\r\n\r\n" + SMUGGLED),
            "a negative chunk": post(chunked, body=b"-2\r\n{}\r\n0\r\n\r\n" + SMUGGLED),
            "a huge chunk": post(chunked, body=b"ffffffffffffffffff\r\n{}\r\n0\r\n\r\n" + SMUGGLED),
            "a chunk that is longer": post(chunked, body=b"2\r\n{}{}\r\n0\r\n\r\n" + SMUGGLED),
            "obs-fold": post("X-A: b", " c: d", "Content-Length: 2", body=b"{}" + SMUGGLED),
            "obs-fold of TE": post("X-A: b", "Transfer-Encoding:", " chunked", body=b"0\r\n\r\n" + SMUGGLED),
            "obs-fold with a tab": post("X-A: b", "\tTransfer-Encoding: chunked", body=SMUGGLED),
            "a blank before the colon": post("Content-Length : 2", body=b"{}" + SMUGGLED),
            "no name": post(": 2", body=SMUGGLED),
            "no colon": post("Content-Length", body=SMUGGLED),
            "NUL in a header": post("X-A: a\0b", body=SMUGGLED),
            "no Host": post("Content-Length: 2", body=b"{}" + SMUGGLED, leave=["Host"]),
            "two Hosts": post("Host: localhost", "Content-Length: 2", body=b"{}" + SMUGGLED),
            "another version": post("Content-Length: 2", body=b"{}" + SMUGGLED, first="POST /mcp HTTP/1.9"),
            "NUL in the address": post("Content-Length: 2", body=b"{}" + SMUGGLED, first="POST /mcp\0/x HTTP/1.1"),
            "NUL in the method": post("Content-Length: 2", body=b"{}" + SMUGGLED, first="POST\0X /mcp HTTP/1.1"),
            "NUL behind the method": post("Content-Length: 2", body=b"{}" + SMUGGLED, first="POST\0 /mcp HTTP/1.1"),
            "two blanks before the address": post("Content-Length: 2", body=b"{}" + SMUGGLED,
                                                  first="POST  /mcp HTTP/1.1"),
            "a blank in the address": post("Content-Length: 2", body=b"{}" + SMUGGLED, first="POST /mcp x HTTP/1.1"),
            "an address of another": post("Content-Length: 2", body=b"{}" + SMUGGLED,
                                          first="POST http://evil.example/mcp HTTP/1.1"),
        }
        for what, data in rows.items():
            is_dropped(server, data, what)
        bombs = {
            "a long header": post("X-A: " + "a" * 40000),
            "many headers": post(*[f"X-{n}: {'a' * 20}" for n in range(2000)]),
            "more than 16 KB": post("X-A: " + "a" * 8500, "X-B: " + "b" * 8500),
            "a long address": post(first="POST /mcp?" + "a" * 60000 + " HTTP/1.1"),
            "no end": post("X-A: " + "a" * 100000)[:-4],
        }
        for what, data in bombs.items():
            is_dropped(server, data, what)
        equal(server.post(DISCOVER, **DISCOVER_FIELDS).status, 200, "and it is still there")


def is_dropped(server, data, what):
    """Refused, or cut off without a word, and in each case nothing behind it is looked at. (What
    libmicrohttpd refuses by itself it may say twice.)"""
    with server.wire() as wire:
        try:
            wire.send(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        while wire.more():
            pass
        said = wire.rest
    statuses = [int(status) for status in re.findall(rb"HTTP/1\.1 (\d\d\d) ", said)]
    check(len(set(statuses)) <= 1, f"{what}: several answers: {said[:300]!r}")
    check(all(400 <= status < 600 for status in statuses), f"{what}: {statuses}")


@test
def slow_and_idle():
    """A53: slow ones are cut off, idle ones make room, and neither keeps others waiting."""
    with Server("--client-timeout", "4s") as server:
        body = json.dumps(DISCOVER).encode()
        slow = [server.wire() for _ in range(3)]
        slow[0].send(b"POST /mcp HT")
        slow[1].send(server.request("POST", "/mcp", fields={"Content-Length": str(len(body)),
                                                            "Content-Type": "application/json"}))
        started = time.monotonic()
        while time.monotonic() - started < httplab.LIMIT_S and not all(ended(wire) for wire in slow[:2]):
            for wire in slow[:2]:  # a byte at a time, so that none of them is ever idle for long
                try:
                    wire.socket.send(b"a")
                except OSError:
                    pass
            equal(server.post(DISCOVER, **DISCOVER_FIELDS).status, 200, "meanwhile")
            time.sleep(0.2)
        check(all(ended(wire) for wire in slow[:2]), "a client of one byte at a time is still there")
        until(lambda: ended(slow[2]), "one that says nothing is still there")
        for wire in slow:
            wire.close()
    with limited(200) as server:
        idle = []
        for _ in range(400):
            wire = server.wire()
            idle.append(wire)
        equal(server.post(DISCOVER, **DISCOVER_FIELDS).status, 200, "beside more idle ones than there may be")
        session = server.begin()
        with session.listen() as stream:
            for _ in range(200):
                idle.append(server.wire())
            equal(session.ask("ping").status, 200, "in a session")
            check(not ended(stream.wire), "a stream made room for idle ones")
        for wire in idle:
            wire.close()


def ended(wire):
    """Has the server closed it?"""
    wire.socket.setblocking(False)
    try:
        return wire.socket.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        wire.socket.settimeout(httplab.LIMIT_S)


def limited(files):
    """A server that may not have more descriptors than these."""
    folder = tempfile.mkdtemp(prefix="emend-limited-")
    script = Path(folder) / "emend"
    script.write_text(f'#!/bin/sh\nrm -r "{folder}"\nulimit -n {files}\nexec "{Server.emend}" "$@"\n',
                      encoding="ascii")
    script.chmod(0o755)
    return type("Limited", (Server,), {"emend": str(script)})()


@test
def streams_leave_room():
    """Of few connections as many as there may be are streams; requests are answered all the same."""
    listen = Server.modern("subscriptions/listen", {"notifications": {}})
    with limited(200) as server:
        session = server.begin()
        events = {**session.fields, "Accept": "text/event-stream"}
        wires, refused = [], []
        while len(refused) < 60:
            wire = server.open("POST", "/mcp", json.dumps(listen).encode(), server.modern_fields(listen))
            answer = wire.head()
            (wires if answer.status == 200 else refused).append(wire)
            if answer.status != 200:
                equal((answer.status, answer.fields["retry-after"]), (503, "10"), "beyond the share")
                has("too many streams", wire.take(int(answer.fields["content-length"])).decode(), "and why")
            check(len(wires) < 60, "streams take all connections")
        check(len(wires) > 10, f"a share of {len(wires)}")
        equal(server.post(DISCOVER, **DISCOVER_FIELDS).status, 200, "a request")
        equal(session.ask("ping").status, 200, "in a session")
        equal(server.ask("GET", "/mcp", fields=events).status, 503, "the session's stream")
        equal(server.get("/api/events").status, 503, "the page's")
        has('emend_http_refused_total{reason="streams"} 62', server.get("/metrics").body.decode(), "what is counted")
        wires.pop().close()
        until(lambda: server.open("GET", "/mcp", fields=events).head().status == 200, "where one has ended")
        for wire in (*wires, *refused):
            wire.close()


@test
def session_ids():
    """A54"""
    tokens = ["first-token-of-two-0001", "second-token-of-two-02"]
    with Server("--sessions", "64") as server:
        ids = [server.begin().id for _ in range(40)]
        equal(len(set(ids)), len(ids), "ids that are the same")
        check(all(len(one) >= 32 for one in ids), "128 bits are 32 digits")
        bits = [sum(int(one, 16) >> bit & 1 for one in ids) for bit in range(128)]
        check(all(0 < count < len(ids) for count in bits), f"bits that never change: {bits}")
        for guess in (ids[0][:-1], ids[0] + "0", ids[0][:-1] + ("1" if ids[0][-1] == "0" else "0"), "0" * 32,
                      ids[0].upper() if ids[0].upper() != ids[0] else "A" * 32, "../" + ids[0]):
            answer = server.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, **{"Mcp-Session-Id": guess})
            equal(answer.status, 404, f"guessed {guess!r}")
    file = Path(os.environ.get("TMPDIR", "/tmp")) / f"emend-tokens-{os.getpid()}-{threading.get_ident()}"
    file.write_text("# two\n" + "\n".join(tokens) + "\n", encoding="ascii")
    file.chmod(0o600)
    try:
        with Server("--token-file", str(file), files={"a.txt": "one\n"}) as server:
            equal(server.token, None, "a token of a file is not printed")
            server.token = tokens[0]
            first = server.begin()
            equal(first.call("readFile", {"file": "a.txt"}).status, 200, "the first")
            server.token = tokens[1]
            for answer in (first.ask("ping"), first.call("readFile", {"file": "a.txt"}),
                           server.ask("DELETE", "/mcp", fields=first.fields),
                           server.ask("GET", "/mcp", fields={**first.fields, "Accept": "text/event-stream"})):
                equal(answer.status, 404, "the session of another token")
            server.token = tokens[0]
            equal(first.ask("ping").status, 200, "the first, afterwards")
    finally:
        file.unlink()


@test
def simple_posts():
    """A55: what a form of any page can send without being asked."""
    with Server("--token", "none", files={"a.txt": "old\n"}) as server:
        message = server.modern("tools/call", {"name": "editFile", "arguments": {
            "file": "a.txt", "operations": [{"search": "old", "replace": "new"}]}})
        body, fields = json.dumps(message).encode(), server.modern_fields(message)
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                     "text/plain; application/json", "application/jsonp", "application/json-patch+json",
                     "", None):
            answer = server.ask("POST", "/mcp", body, {**fields, "Content-Type": kind})
            is_refused(answer, 415, f"POST of {kind!r}")
            check("accept-encoding" not in answer.fields, "the type is what is wrong")
        coded = server.ask("POST", "/mcp", body, {**fields, "Content-Encoding": "gzip"})
        is_refused(coded, 415, "gzip")
        equal(coded.fields["accept-encoding"], "identity", "what is taken instead")
        has("gzip", coded.json["error"]["message"], "what is wrong")
        equal(server.text("a.txt"), "old\n", "the file")
        for kind in ("application/json", "Application/JSON; charset=utf-8"):
            equal(server.ask("POST", "/mcp", body, {**fields, "Content-Type": kind}).status, 200, kind)
        equal(server.text("a.txt"), "new\n", "the file")


@test
def roots_of_the_client():
    """A56: what a client says of roots opens nothing."""
    with Server(files={"a.txt": "in\n"}) as server:
        outside = server.base / "outside"
        outside.mkdir()
        (outside / "b.txt").write_text("out\n", encoding="ascii")
        uri = outside.as_uri()
        session = server.begin(capabilities={"roots": {"listChanged": True}}, roots=[{"uri": uri}],
                               rootUri=uri)
        session.post({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})
        session.post({"jsonrpc": "2.0", "id": 1, "result": {"roots": [{"uri": uri, "name": "x"}]}})
        meta = {"roots": [uri], "io.modelcontextprotocol/roots": [uri]}
        for path in (str(outside / "b.txt"), "../outside/b.txt"):
            for answer in (session.call("readFile", {"file": path}, **meta),
                           session.call("readFile", {"file": path, "root": str(outside)}, **meta),
                           server.modern_call("readFile", {"file": path}, **meta)):
                check(answer.json["result"]["isError"], f"{path} was read: {answer.body!r}")
                check(b"out\\n" not in answer.body, "its content was shown")
        equal(session.call("readFile", {"file": "a.txt"}).json["result"]["isError"], False, "inside")


@test
def denied_hints_over_http():
    """A57: a file that is denied and one that is not there give the same answer, but for the name."""
    with Server("--deny", "private/**", files={"a.txt": "in\n"}) as server:
        private = server.root / "private"
        private.mkdir()
        (private / "there.txt").write_text("secret\n", encoding="ascii")
        session = server.begin()
        for tool, arguments in (("readFile", {}), ("read_file", {}),
                                ("editFile", {"operations": [{"search": "secret", "replace": "x"}]})):
            answers = []
            for name in ("there.txt", "lacks.txt"):
                key = "path" if tool == "read_file" else "file"
                answer = session.call(tool, {key: f"private/{name}", **arguments}).json["result"]
                answers.append(json.dumps(answer).replace(name, "NAME"))
                check("secret" not in answers[-1].replace('"secret', ""), f"{tool} shows it")
            equal(answers[0], answers[1], f"{tool}: a hint")
        token = f"Bearer {server.token}"
        for path in ("/private/there.txt", "/page/../private/there.txt", "/page/%2e%2e/a.txt", "/a.txt"):
            for given in (None, token):
                equal(server.get(path, Authorization=given).status, 404, path)
        check(MODERN in server.modern_ask("server/discover").body.decode(), "still there")


TESTS = TESTS_OF[__name__]
