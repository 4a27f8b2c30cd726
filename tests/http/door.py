"""What stands beside the protocol: health, numbers, the page's door."""
import json
import re

from httplab import TESTS_OF, Server, check, equal, has, test


@test
def health():
    with Server() as server:
        answer = server.get("/healthz", Authorization=None)
        equal((answer.status, answer.body), (200, b"ok\n"), "anybody may ask")
        answer = server.ask("POST", "/healthz", b"{}")
        equal((answer.status, answer.fields["allow"]), (405, "GET, HEAD"), "POST")
        has("what is answered here: GET, HEAD", answer.body.decode(), "what is allowed")
        equal(server.get("/nothing").status, 404, "an address of nothing")
        for path in ("/%00", "/%zz", "/%", "/a%0ab", "//..", "/%ff", "/?a=%0d%0aX:%20y"):
            status = server.get(path).status
            check(status in (400, 404), f"{path}: {status}")


@test
def every_answer_says_how_to_take_it():
    with Server() as server:
        for answer in (server.get("/"), server.get("/healthz"), server.get("/metrics"), server.get("/nothing"),
                       server.modern_ask("tools/list"), server.get("/mcp", Authorization=None)):
            equal(answer.fields["x-content-type-options"], "nosniff", "its type is its type")
            equal(answer.fields["x-frame-options"], "DENY", "in no frame")
            equal(answer.fields["referrer-policy"], "no-referrer", "the address goes nowhere")
            check("cache-control" in answer.fields, "who may keep it")
        equal(server.get("/metrics").fields["cache-control"], "no-store", "nobody keeps it")


@test
def the_pages_cookie():
    """The token is given once; then a cookie does, for the page alone."""
    with Server(files={"a.txt": "one\n"}) as server:
        answer = server.ask("POST", "/api/login", b"{}")
        equal(answer.status, 204, "with the token")
        cookie = answer.fields["set-cookie"]
        for wanted in ("HttpOnly", "SameSite=Strict", "Path=/"):
            has(wanted, cookie, "the cookie")
        pair = cookie.split(";")[0]
        has(f"emend-{server.port}=", pair, "servers at other ports have cookies of their own")
        only = {"Authorization": None, "Cookie": f"a=b; {pair}; c=d"}
        equal(server.ask("GET", "/metrics", fields=only).status, 200, "for what the page asks")
        equal(server.ask("GET", "/api/state", fields=only).status, 200, "for what the page asks")
        message = server.modern("tools/list")
        equal(server.post(message, **{**server.modern_fields(message), **only}).status, 401, "not for the protocol")
        equal(server.ask("POST", "/api/login", b"{}", only).status, 401, "nor for a new one")
        equal(server.ask("GET", "/metrics", fields={**only, "Origin": "http://evil.example"}).status, 403,
              "nor for another page")
        for wrong in (pair[:-1], pair + "x", pair.replace(f"emend-{server.port}", "emend-1"), "emend", ""):
            equal(server.ask("GET", "/metrics", fields={**only, "Cookie": wrong}).status, 401, wrong)
        for path, fields in (("/api/login", {}), ("/api/logout", only)):
            for body, wanted in ((b'{"x": 1}', 400), (b"[]", 400), (b"{", 400), (b"", 204), (b" { } ", 204)):
                asked = server.ask("POST", path, body, fields)
                equal(asked.status, wanted, f"{path} with {body!r}")
                equal("set-cookie" in asked.fields, wanted == 204, f"a cookie of {path} with {body!r}")
        out = server.ask("POST", "/api/logout", b"{}", only)
        equal(out.status, 204, "logout")
        has("Max-Age=0", out.fields["set-cookie"], "logout")


@test
def numbers():
    edit = {"file": "a.txt", "operations": [{"search": "one", "replace": "two"}]}
    with Server(files={"a.txt": "one\n"}) as server:
        server.modern_call("editFile", edit)
        server.modern_call("editFile", edit)
        server.modern_call("editFile", {**edit, "nothing": 1})
        server.modern_call("nothing", {})
        server.begin().call("readFile", {"file": "a.txt"})
        server.modern_call("write_file", {"file_path": "a.txt", "content": "three\n"})
        server.get("/metrics", Authorization=None)
        server.get("/metrics", Host="evil.example")
        answer = server.get("/metrics")
        has("text/plain; version=0.0.4", answer.fields["content-type"], "its type")
        text = answer.body.decode()
        found = {}
        for line in text.splitlines():
            if line.startswith("#"):
                check(re.fullmatch(r"# (HELP|TYPE) emend_\w+ .+", line), line)
                continue
            parts = re.fullmatch(r'(emend_\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})?) (\S+)', line)
            check(parts, f"no line of the format: {line!r}")
            check(parts[1] not in found, f"{parts[1]} twice")
            found[parts[1]] = float(parts[2])
        for name, wanted in {
                'emend_calls_total{tool="editFile",outcome="done"}': 1,
                'emend_calls_total{tool="editFile",outcome="refused"}': 2,
                'emend_calls_total{tool="readFile",outcome="done"}': 1,
                'emend_calls_total{tool="write_file",outcome="done"}': 1,
                'emend_calls_total{tool="other",outcome="refused"}': 1,
                'emend_matches_total{tier="exact"}': 1,
                "emend_changes_total": 2,
                'emend_lines_total{kind="added"}': 2,
                'emend_edit_bytes_total{kind="before"}': 8,
                "emend_call_duration_seconds_count": 6,
                'emend_call_duration_seconds_bucket{le="+Inf"}': 6,
                'emend_http_refused_total{reason="token"}': 1,
                'emend_http_refused_total{reason="host"}': 1,
                "emend_mcp_sessions": 1}.items():
            equal(found.get(name), wanted, f"{name}")
        buckets = [value for name, value in found.items() if "_bucket" in name]
        equal(buckets, sorted(buckets), "buckets grow")
        equal(sum(value for name, value in found.items() if name.startswith("emend_refusals_total")), 3,
              "refusals by cause")


@test
def bytes_that_are_counted_were_sent():
    """HEAD is answered without a body."""
    def sent(server):
        text = server.get("/metrics").body
        number = re.search(rb'^emend_http_bytes_total\{direction="sent"\} (\d+)$', text, re.M)[1]
        return int(number), len(text)

    with Server() as server:
        before, length = sent(server)
        health = len(server.get("/healthz").body)
        for path in ("/", "/metrics", "/nothing"):
            equal(server.ask("HEAD", path).body, b"", path)
        equal(sent(server)[0], before + length + health, "bytes of answers")


@test
def lazy_lists():
    """A list that changes in a session is told there, and never in the stateless era."""
    with Server("--lazy", tools="site") as server:
        session = server.begin()
        with session.listen() as stream:
            picked = session.call("pick_tools", {"tools": ["editFile"]})
            methods = [m.get("method") for m in picked.messages]
            check("notifications/tools/list_changed" in methods, f"{methods}")
            del stream
        picked = server.modern_call("pick_tools", {"tools": ["editFile"]})
        equal(len(picked.messages), 1, "the stateless era")
        tools = server.modern_ask("tools/list").json["result"]["tools"]
        equal([t["inputSchema"].get("additionalProperties") for t in tools if t["name"] == "editFile"], [True],
              "its list stays brief")
        check(json.dumps(session.ask("tools/list").json) != json.dumps(tools), "the session's does not")


TESTS = TESTS_OF[__name__]
