"""The configuration of nginx that the documentation shows, with TLS, before a server."""
import json
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import httplab
from httplab import TESTS_OF, Failed, Server, Skipped, Stream, Wire, equal, has, test, until

DOCS = Path(__file__).resolve().parents[2] / "docs" / "server.md"
NAME = "emend.example"


class SafeWire(Wire):
    """A connection through TLS, which the proxy's certificate must be good for."""

    def __init__(self, where, certificate):
        super().__init__(where)
        context = ssl.create_default_context(cafile=str(certificate))
        self.socket = context.wrap_socket(self.socket, server_hostname=NAME)


class Through:
    """The server as it is seen through the proxy."""

    def __new__(cls, server, port, certificate):
        seen = object.__new__(type("Seen", (type(server),), {"wire": lambda self: SafeWire(
            ("127.0.0.1", port), certificate)}))
        seen.__dict__.update(server.__dict__)
        seen.host = f"{NAME}:{port}"
        return seen


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def documented(port, upstream, folder):
    """The block of the documentation, at other places."""
    block = re.search(r"```nginx\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)[1]
    for old, new in (("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
                     ("/etc/ssl/emend.example.pem", f"{folder}/cert.pem"),
                     ("/etc/ssl/private/emend.example.key", f"{folder}/key.pem"),
                     ("http://127.0.0.1:8137", upstream)):
        equal(block.count(old), 1, f"{old} in the documentation")
        block = block.replace(old, new)
    temporary = "".join(f"{what}_temp_path {folder}/{what};\n"
                        for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return f"daemon off;\nworker_processes 1;\npid {folder}/pid;\nerror_log {folder}/errors;\n" \
           f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{block}\n}}\n"


@contextmanager
def proxy(upstream):
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if not nginx or not shutil.which("openssl"):
        raise Skipped("nginx or openssl is not there")
    with tempfile.TemporaryDirectory(prefix="emend-nginx-") as folder:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                        "-nodes", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem", "-days", "2",
                        "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"],
                       check=True, capture_output=True, timeout=httplab.LIMIT_S)
        Path(folder).chmod(0o755)
        running, port = start_nginx(nginx, upstream, folder)
        try:
            yield port, Path(folder, "cert.pem")
        finally:
            running.terminate()
            running.wait(httplab.LIMIT_S)
            running.stderr.close()


def start_nginx(nginx, upstream, folder):
    """The process, and where it listens. Somebody else may take the port first: then another."""
    config, said = Path(folder, "nginx.conf"), b""
    for _ in range(5):
        port = free_port()
        config.write_text(documented(port, upstream, folder), encoding="utf-8")
        running = subprocess.Popen([nginx, "-p", folder, "-e", f"{folder}/errors", "-c", str(config)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        until(lambda: answers(port) or running.poll() is not None, "nginx listens")
        if running.poll() is None:
            return running, port
        said = running.stderr.read()
        running.stderr.close()
    raise Failed(f"nginx does not start: {said!r}")


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


@test
def through_nginx():
    with Server("--host", NAME, files={"a.txt": "one\n"}) as server, \
            proxy(f"http://{server.host}") as (port, certificate):
        seen = Through(server, port, certificate)
        equal(seen.get("/healthz").body, b"ok\n", "healthz")
        session = seen.begin()
        edit = {"file": "a.txt", "operations": [{"search": "one", "replace": "two"}]}
        answer = session.call("editFile", edit, progressToken="p")
        equal(answer.fields["content-type"], "text/event-stream", "with progress")
        equal(answer.messages[-1]["result"]["isError"], False, "a call")
        equal(server.text("a.txt"), "two\n", "the file")
        equal(seen.modern_ask("tools/list").status, 200, "the stateless era")
        with session.listen() as stream:
            session.ask("logging/setLevel", {"level": "debug"})
            session.post(session.request("tools/call", {"name": "readFile", "arguments": {"file": "a.txt"}}),
                         Accept="application/json")
            equal(stream.message()["method"], "notifications/message", "events come at once")
        login = seen.ask("POST", "/api/login", b"{}", {"Origin": f"https://{seen.host}"})
        equal(login.status, 204, "the page")
        has("secure", login.fields["set-cookie"].lower(), "its cookie")
        equal(seen.ask("POST", "/api/login", b"{}", {"Origin": "https://evil.example"}).status, 403,
              "another page")
        equal(seen.get("/healthz", Host="evil.example").status, 403, "another name")
        equal(seen.post({}, Authorization=None).status, 401, "without the token")
        message = seen.modern("subscriptions/listen", {"notifications": {}})
        with Stream(seen.open("POST", "/mcp", json.dumps(message).encode(),
                              seen.modern_fields(message))) as stream:
            has("acknowledged", stream.message()["method"], "a subscription")


TESTS = TESTS_OF[__name__]
