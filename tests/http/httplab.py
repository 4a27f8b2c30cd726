"""What the tests of the HTTP server share: a server over a folder of its own, and a client that says
byte by byte what goes over the wire, so that it can also say what no library would.
"""
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# Some of it for those that import this.
from harness import TESTS_OF, Failed, check, test  # noqa: E402, F401
from harness import check_equal as equal  # noqa: E402, F401
from harness import check_in as has  # noqa: E402, F401

LIMIT_S = 30
MODERN = "2026-07-28"
LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
P = "io.modelcontextprotocol/"
META = {P + "protocolVersion": MODERN, P + "clientCapabilities": {}}


class Skipped(Exception):
    """It cannot be tried here: why."""


def until(condition, what):
    """Wait for it, however slow the machine is."""
    end = time.monotonic() + LIMIT_S
    while not condition():
        check(time.monotonic() < end, f"{what}: not within {LIMIT_S} s")
        time.sleep(0.01)


# ---- Answers ------------------------------------------------------------------------------------


@dataclass
class Answer:
    status: int
    fields: dict
    body: bytes = b""
    closed: bool = False  # the server closed the connection behind it

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """Of a JSON-RPC error."""
        return self.json.get("error", {}).get("code")

    @property
    def messages(self):
        """All that a stream of events, or a body, says."""
        if self.fields.get("content-type") == "text/event-stream":
            return [json.loads(event.data) for event in events_of(self.body.decode()) if event.data]
        return [self.json]


@dataclass
class Event:
    id: str = None
    type: str = None
    data: str = ""


def events_of(text):
    """As a client reads them (HTML, 9.2.6)."""
    found = []
    for block in text.split("\n\n"):
        event, lines = Event(), []
        for line in block.split("\n"):
            name, _, value = line.partition(": ")
            if name == "id":
                event.id = value
            elif name == "event":
                event.type = value
            elif name in ("data", "data:"):
                lines.append(value)
        event.data = "\n".join(lines)
        if lines:
            found.append(event)
    return found


# ---- Connections --------------------------------------------------------------------------------


class Wire:
    """One connection."""

    def __init__(self, where):
        family = socket.AF_UNIX if isinstance(where, str) else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.settimeout(LIMIT_S)
        self.socket.connect(where)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        """Some bytes; b"" at the end."""
        try:
            piece = self.socket.recv(1 << 16)
        except ConnectionResetError:
            piece = b""
        except socket.timeout:
            raise Failed(f"nothing came within {LIMIT_S} s") from None
        self.rest += piece
        return piece

    def take_until(self, end):
        while end not in self.rest:
            check(self.more(), f"the connection ended within {self.rest[:200]!r}")
        taken, _, self.rest = self.rest.partition(end)
        return taken

    def take(self, size):
        while len(self.rest) < size:
            check(self.more(), "the connection ended within a body")
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def is_closed(self):
        """Does the server close, and say nothing more?"""
        while self.more():
            pass
        return not self.rest

    def head(self):
        """Status and headers of an answer."""
        lines = self.take_until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        status = re.fullmatch(r"HTTP/1\.1 (\d\d\d) .*", lines[0])
        check(status, f"no answer of HTTP: {lines[0]!r}")
        fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            check(name.lower() not in fields, f"{name} twice")
            fields[name.lower()] = value
        return Answer(int(status[1]), fields)

    def chunk(self):
        """A piece of a body that is being made; b"" is its end."""
        size = int(self.take_until(b"\r\n"), 16)
        data = self.take(size)
        equal(self.take(2), b"\r\n", "the end of a chunk")
        return data

    def hear(self, bodyless=False):
        """A whole answer."""
        answer = self.head()
        if answer.status == 100:
            answer = self.head()
        if bodyless or answer.status in (204, 304):
            pass
        elif answer.fields.get("transfer-encoding") == "chunked":
            while piece := self.chunk():
                answer.body += piece
        elif "content-length" in answer.fields:
            answer.body = self.take(int(answer.fields["content-length"]))
        answer.closed = answer.fields.get("connection", "").lower() == "close"
        return answer


class Stream:
    """An answer that is a stream of events, as it comes."""

    def __init__(self, wire):
        self.wire = wire
        self.answer = wire.head()
        equal(self.answer.status, 200, "the status of a stream")
        equal(self.answer.fields.get("content-type"), "text/event-stream", "the type of a stream")
        self.text = ""
        self.over = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.wire.close()

    def event(self):
        """The next event; None at the end."""
        while True:
            while "\n\n" in self.text:
                block, _, self.text = self.text.partition("\n\n")
                found = events_of(block + "\n\n")
                if found:
                    return found[0]
            if self.over:
                return None
            piece = self.wire.chunk()
            self.over = not piece
            self.text += piece.decode()

    def message(self):
        """The next message; None at the end."""
        while event := self.event():
            if event.data:
                return json.loads(event.data)
        return None

    def comment(self):
        while not re.search(r"^:", self.text, re.M):
            piece = self.wire.chunk()
            check(piece, "the stream ended")
            self.text += piece.decode()


# ---- A server -----------------------------------------------------------------------------------


@dataclass
class Session:
    server: object
    id: str
    version: str
    last: int = 0
    fields: dict = field(default_factory=dict)

    def __post_init__(self):
        self.fields = {"Mcp-Session-Id": self.id, "MCP-Protocol-Version": self.version}

    def request(self, method, params=None, **more):
        self.last += 1
        return {"jsonrpc": "2.0", "id": self.last, "method": method,
                **({"params": params} if params is not None else {}), **more}

    def post(self, message, **fields):
        return self.server.post(message, **{**self.fields, **fields})

    def ask(self, method, params=None):
        return self.post(self.request(method, params))

    def call(self, tool, arguments, **meta):
        params = {"name": tool, "arguments": arguments}
        if meta:
            params["_meta"] = meta
        return self.ask("tools/call", params)

    def listen(self, last_event=None):
        fields = {**self.fields, "Accept": "text/event-stream"}
        if last_event:
            fields["Last-Event-ID"] = last_event
        return Stream(self.server.open("GET", "/mcp", fields=fields))


class Server:
    """`emend serve` over a folder of its own. It must end by itself, and well, when it is told to."""

    emend = "build/emend"
    quick = ("--sync", "off")

    def __init__(self, *flags, files=None, tools="all", env=None, ends=True):
        self.folder = tempfile.TemporaryDirectory(prefix="emend-http-")
        self.base = Path(self.folder.name)
        self.root, self.state = self.base / "work", self.base / "state"
        self.root.mkdir()
        for name, text in (files or {}).items():
            (self.root / name).write_bytes(text.encode() if isinstance(text, str) else text)
        self.ends = ends
        self.errors = open(self.base / "errors", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [self.emend, "serve", "--root", str(self.root), "--state-dir", str(self.state),
             "--tools", tools, *self.quick, *flags],
            env={**os.environ, "HOME": str(self.base), **(env or {})}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.errors)
        self.address = self.read_line()
        check(self.address, f"it did not start: {self.said()}")
        self.base_url, _, token = self.address.partition("#token=")
        self.token = token or None
        if self.address.startswith("unix:"):
            self.where, self.host = self.base_url[5:], "localhost"
        elif self.address:
            self.host = re.fullmatch(r"http://(.*)/", self.base_url)[1]
            name, _, port = self.host.rpartition(":")
            self.port = int(port)
            self.where = (name.strip("[]"), self.port)

    def read_line(self):
        """The first line that it prints; "" where it ends instead."""
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], LIMIT_S)
            check(ready, "no address was printed")
            piece = os.read(self.process.stdout.fileno(), 1)
            if not piece:
                break
            line += piece
        return line.decode().rstrip("\n")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = f"{self.process.wait()}, killed: it did not end"
        said = self.said()
        self.process.stdout.close()
        self.errors.close()
        self.folder.cleanup()
        if self.ends and kind is None:
            equal(status, 0, f"its exit status; it said {said!r}")

    def said(self):
        return Path(self.base / "errors").read_text(encoding="utf-8")

    def text(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def memory_kb(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    # -- requests --

    def wire(self):
        return Wire(self.where)

    def request(self, method, path, body=None, fields=None):
        """The bytes of a request. A header of None is left out."""
        every = {"Host": self.host}
        if self.token:
            every["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            every["Content-Type"] = "application/json"
            every["Content-Length"] = str(len(body))
        if path == "/mcp":
            every["Accept"] = "application/json, text/event-stream"
        every.update(fields or {})
        lines = [f"{name}: {value}" for name, value in every.items() if value is not None]
        return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1") + \
            (body or b"")

    def open(self, method, path, body=None, fields=None):
        """A connection on which that was sent."""
        wire = self.wire()
        wire.send(self.request(method, path, body, fields))
        return wire

    def ask(self, method, path, body=None, fields=None):
        """Over a connection of its own."""
        with self.open(method, path, body, fields) as wire:
            return wire.hear(bodyless=method == "HEAD")

    def raw(self, data):
        """What these bytes are answered with, and whether the connection is closed then."""
        with self.wire() as wire:
            wire.send(data)
            answer = wire.hear()
            if answer.closed:
                check(wire.is_closed(), f"more than an answer: {wire.rest[:200]!r}")
            return answer

    def get(self, path, **fields):
        return self.ask("GET", path, fields={name.replace("_", "-"): v for name, v in fields.items()})

    def post(self, message, **fields):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.ask("POST", "/mcp", body, {k.replace("_", "-"): v for k, v in fields.items()})

    # -- the stateless era --

    @staticmethod
    def modern(method, params=None, meta=None, message_id=1):
        return {"jsonrpc": "2.0", "id": message_id, "method": method,
                "params": {**(params or {}), "_meta": {**META, **(meta or {})}}}

    @staticmethod
    def modern_fields(message):
        fields = {"MCP-Protocol-Version": MODERN, "Mcp-Method": message["method"]}
        if message["method"] == "tools/call":
            fields["Mcp-Name"] = message["params"]["name"]
        return fields

    def modern_ask(self, method, params=None, meta=None, **fields):
        message = self.modern(method, params, meta)
        return self.post(message, **{**self.modern_fields(message), **fields})

    def modern_call(self, tool, arguments, **meta):
        return self.modern_ask("tools/call", {"name": tool, "arguments": arguments}, meta)

    # -- the era of the handshake --

    def begin(self, version="2025-11-25", **more):
        """A session."""
        answer = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
            **more}})
        equal(answer.status, 200, f"initialize: {answer.body!r}")
        equal(answer.json["result"]["protocolVersion"], version, "the version agreed on")
        session = Session(self, answer.fields["mcp-session-id"], version)
        equal(session.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).status, 202,
              "initialized")
        return session
