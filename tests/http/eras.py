"""Both eras of the protocol over HTTP: headers against the body, statuses, sessions, streams."""
import base64
import json
import time

from httplab import (LEGACY, META, MODERN, P, TESTS_OF, Server, Stream, check, equal, has, test)

EDIT = {"file": "a.txt", "operations": [{"search": "one", "replace": "two"}]}


def is_error(answer, status, code, what, message_id=1):
    equal((answer.status, answer.code), (status, code), f"{what}: {answer.body!r}")
    equal(answer.json.get("id"), message_id, f"{what}: the id")


# ---- The stateless era --------------------------------------------------------------------------


@test
def stateless_methods():
    with Server(files={"a.txt": "one\n"}) as server:
        found = server.modern_ask("server/discover")
        equal(found.status, 200, "discover")
        result = found.json["result"]
        equal(result["supportedVersions"], [MODERN, *reversed(LEGACY)], "versions")
        equal((result["resultType"], result["capabilities"]), ("complete", {"tools": {}}), "what there is")
        tools = server.modern_ask("tools/list").json["result"]
        has("editFile", str(tools), "tools/list")
        call = server.modern_call("editFile", EDIT)
        equal((call.status, call.fields["content-type"]), (200, "application/json"), "a call")
        equal(call.json["result"]["isError"], False, "a call")
        equal(server.text("a.txt"), "two\n", "the file")
        again = server.modern_call("editFile", EDIT)
        equal((again.status, again.json["result"]["isError"]), (200, True), "a tool's failure")
        check("mcp-session-id" not in found.fields, "a session id")
        equal(server.modern_ask("tools/list", None, None, **{"Mcp-Session-Id": "x", "Last-Event-ID": "9"}).status,
              200, "headers of the other era")


@test
def stateless_headers():
    """Headers are checked against the body, in their order."""
    with Server() as server:
        call = server.modern("tools/call", {"name": "readFile", "arguments": {"file": "a"}})
        fields = server.modern_fields(call)

        def post(message=None, **changed):
            return server.post(message or call, **{**fields, **{k.replace("_", "-"): v for k, v in changed.items()}})

        def encoded(text):
            return "=?base64?" + base64.b64encode(text.encode()).decode() + "?="

        for name in fields:
            for value, what in ((None, "missing"), ("x", "different"), (fields[name].upper() + "x", "other letters"),
                                (encoded("x"), "encoded"), ("=?base64?!!!?=", "broken"),
                                ("=?base64?eA?=", "without padding"), ("=?base64?/w==?=", "not UTF-8")):
                is_error(post(**{name: value}), 400, -32020, f"{name} {what}")
            equal(post(**{name: encoded(fields[name])}).status, 200, f"{name} in Base64")
            equal(post(**{name: f"  {fields[name]} "}).status, 200, f"{name} with blanks around")
        twice = server.request("POST", "/mcp", json.dumps(call).encode(), fields)
        is_error(server.raw(twice.replace(b"Mcp-Method:", b"Mcp-Method: tools/call\r\nMcp-Method:")), 400,
                 -32020, "twice")

        def body(**meta):
            return {**call, "params": {**call["params"], "_meta": {**META, **meta}}}

        unknown = post(body(**{P + "protocolVersion": "1999-01-01"}), MCP_Protocol_Version="1999-01-01")
        is_error(unknown, 400, -32022, "an unknown version")
        equal(unknown.json["error"]["data"], {"supported": [MODERN, *reversed(LEGACY)],
                                              "requested": "1999-01-01"}, "what is supported")
        is_error(post(body(**{P + "protocolVersion": "2025-11-25"}), MCP_Protocol_Version="2025-11-25"), 400,
                 -32022, "a version with a handshake")
        is_error(post(body(**{P + "protocolVersion": 7}), MCP_Protocol_Version="7"), 400, -32020, "a number")
        lacks = {**call, "params": {**call["params"], "_meta": {P + "protocolVersion": MODERN}}}
        is_error(post(lacks), 400, -32602, "no capabilities")
        is_error(post(lacks, Mcp_Method="x"), 400, -32602, "_meta comes before other headers")
        is_error(post(body(**{P + "logLevel": "loud"})), 400, -32602, "no level")
        is_error(post(body(progressToken=1.5)), 400, -32602, "no progress token")
        for params in ({}, {"name": 7}):
            nameless = {**call, "params": {**params, "_meta": call["params"]["_meta"]}}
            is_error(post(nameless), 400, -32020, "a name in the header alone")
            is_error(post(nameless, Mcp_Name=None), 200, -32602, "no name at all")
        bare = {**call, "params": {"name": "readFile"}}
        is_error(post(bare), 400, -32602, "a modern header and no _meta")


@test
def stateless_notifications():
    """They need no headers, but what these say must not contradict the body."""
    with Server() as server:
        bare = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        claims = {**bare, "params": {"requestId": 1, "_meta": META}}
        modern, method = {"MCP-Protocol-Version": MODERN}, {"Mcp-Method": "notifications/cancelled"}
        for message, fields in ((claims, {}), (claims, modern), (claims, method), (claims, {**modern, **method}),
                                (bare, modern), (bare, {**modern, **method})):
            answer = server.post(message, **fields)
            equal((answer.status, answer.body), (202, b""), f"{message} with {fields}")
        for message, fields in ((claims, {"MCP-Protocol-Version": "2025-11-25"}), (claims, {"Mcp-Method": "x"}),
                                (claims, {**modern, "Mcp-Method": "tools/call"}), (bare, {**modern, "Mcp-Method": "x"}),
                                (bare, {**modern, "Mcp-Method": "=?base64?!?="})):
            answer = server.post(message, **fields)
            equal((answer.status, answer.code, "id" in answer.json), (400, -32020, False), f"{message} with {fields}")


@test
def stateless_statuses():
    with Server() as server:
        for method in ("initialize", "ping", "logging/setLevel", "resources/list", "nothing/here"):
            is_error(server.modern_ask(method), 404, -32601, method)
        is_error(server.modern_ask("tools/call", {"name": "nothing"}), 200, -32602, "an unknown tool")
        cursor = server.modern_ask("tools/list", {"cursor": "x"})
        is_error(cursor, 200, -32602, "a cursor")
        has("send none", cursor.json["error"]["message"])
        modern = {"MCP-Protocol-Version": MODERN}
        for body, code in ((b"{", -32700), (b"", -32700), (b"[1]", -32600), (b"[]", -32600), (b"7", -32600),
                           (b'{"jsonrpc":"2.0"}', -32600), (b'{"jsonrpc":"2.0","id":null,"method":"x"}', -32600),
                           (b'{"jsonrpc":"2.0","id":1,"result":{}}', -32600)):
            answer = server.post(body, **modern)
            equal((answer.status, answer.code), (400, code), f"{body!r}: {answer.body!r}")
            check(answer.json.get("id", 1) == 1, f"{body!r}: an id that was not there")
        batch = [server.modern("server/discover")]
        equal(server.post(batch, **modern).status, 400, "a batch")
        for method in ("GET", "DELETE"):
            answer = server.ask(method, "/mcp", None, {**modern, "Accept": "text/event-stream"})
            equal((answer.status, answer.fields.get("allow")), (405, "POST"), method)
        for method in ("PUT", "PATCH", "OPTIONS", "HEAD", "TRACE"):
            answer = server.ask(method, "/mcp", b"{}" if method == "PUT" else None)
            check(answer.status in (405, 406, 400), f"{method}: {answer.status}")
        discover = server.modern("server/discover")
        streams = ("text/event-stream", "text/event-stream, */*;q=0", "*/*, application/json;q=0")
        for accept, status in (*((each, 200) for each in streams), ("application/json", 200), ("*/*", 200), (None, 200),
                               ("text/html", 406), ("application/json;q=0", 406), ("application/*, x/y", 200)):
            answer = server.post(discover, **server.modern_fields(discover), Accept=accept)
            equal(answer.status, status, accept)
            if status == 200:
                kind = "text/event-stream" if accept in streams else "application/json"
                equal(answer.fields["content-type"], kind, accept)
                check("supportedVersions" in answer.messages[0]["result"], f"{accept}: {answer.body!r}")
        unknown = server.modern("none/such")
        answer = server.post(unknown, **server.modern_fields(unknown), Accept="text/event-stream")
        equal((answer.status, answer.code), (404, -32601), "an error that its status tells")


@test
def stateless_streams():
    with Server(files={"a.txt": "one\n"}) as server:
        answer = server.modern_call("editFile", EDIT, progressToken="p")
        equal(answer.fields["content-type"], "text/event-stream", "with progress")
        equal(answer.fields["x-accel-buffering"], "no", "through a proxy")
        messages = answer.messages
        steps = [m["params"]["progress"] for m in messages[:-1]]
        check(len(steps) >= 2 and steps == sorted(set(steps)), f"progress {steps}")
        equal(messages[-1]["result"]["isError"], False, "its end")
        check(b"\nid:" not in answer.body and not answer.body.startswith(b"id:"), "ids of events")
        has(f'emend_http_bytes_total{{direction="sent"}} {len(answer.body)}\n', server.get("/metrics").body.decode(),
            "what was sent")
        message = server.modern("tools/call", {"name": "readFile", "arguments": {"file": "a.txt"}},
                                {"progressToken": 7})
        plain = server.post(message, **server.modern_fields(message), Accept="application/json")
        equal(plain.fields["content-type"], "application/json", "where no stream is wanted")
        equal(plain.json["result"]["isError"], False, "and no progress")


@test
def stateless_sessions():
    """What the argument `session` names is remembered, whichever peer is free."""
    with Server(files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
        read = server.modern_call("Read", {"path": "a.txt", "session": "s1"})
        equal(read.json["result"]["isError"], False, f"{read.body!r}")
        edit = {"path": "a.txt", "old_string": "one", "new_string": "two"}
        (server.root / "a.txt").write_text("one, changed\n", encoding="ascii")
        for _ in range(3):
            stale = server.modern_call("Edit", {**edit, "session": "s1"}).json["result"]
            has("CONFLICT", json.dumps(stale), "it remembers what it read")
        fresh = server.modern_call("Edit", {**edit, "session": "s2"}).json["result"]
        equal(fresh["isError"], False, f"another one never read it: {fresh}")
        undone = server.modern_call("undo_last_edit", {"session": "s2"}).json["result"]
        equal((undone["isError"], server.text("a.txt")), (False, "one, changed\n"), f"{undone}")
        nothing = server.modern_call("undo_last_edit", {}).json["result"]
        equal(nothing["isError"], True, "nobody's last edit")


@test
def subscriptions():
    with Server() as server:
        def listen(message_id):
            message = server.modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}},
                                    message_id=message_id)
            return Stream(server.open("POST", "/mcp", json.dumps(message).encode(), server.modern_fields(message)))

        streams = [listen("listen:0"), listen(7)]
        for stream, message_id in zip(streams, ("listen:0", 7)):
            first = stream.message()
            equal(first["method"], "notifications/subscriptions/acknowledged", "the first message")
            equal(first["params"], {"_meta": {P + "subscriptionId": message_id}, "notifications": {}},
                  "nothing is granted, since nothing changes")
        equal(server.modern_ask("tools/list").status, 200, "meanwhile")
        is_error(server.modern_ask("subscriptions/listen"), 200, -32602, "no notifications")
        wanted = server.modern("subscriptions/listen", {"notifications": {}})
        is_error(server.post(wanted, **server.modern_fields(wanted), Accept="application/json"), 400, -32600,
                 "no stream wanted")
        streams[1].wire.close()
        server.process.terminate()
        last = streams[0].message()
        equal(last, {"jsonrpc": "2.0", "id": "listen:0", "result": {
            "resultType": "complete", "_meta": {P + "subscriptionId": "listen:0"}}}, "the end")
        equal(streams[0].message(), None, "behind it")


# ---- The era of the handshake -------------------------------------------------------------------


@test
def sessions():
    for version in LEGACY:
        with Server(files={"a.txt": "one\n"}) as server:
            session = server.begin(version)
            check(session.id.isascii() and session.id.isprintable(), "visible ASCII")
            equal(session.ask("ping").json, {"jsonrpc": "2.0", "id": 1, "result": {}}, "ping")
            has("editFile", session.ask("tools/list").body.decode(), "tools/list")
            equal(session.call("editFile", EDIT).json["result"]["isError"], False, "a call")
            equal(session.call("editFile", EDIT).status, 200, "a tool's failure")
            is_error(session.ask("nothing/here"), 200, -32601, "a method", session.last)
            for name in ("resultType", "ttlMs"):
                check(name not in session.ask("tools/list").json["result"], f"{name} of the other era")
            session.fields.pop("MCP-Protocol-Version")
            equal(session.ask("ping").status, 200, "without the version")
            other = server.begin(LEGACY[0])
            check(other.id != session.id, "one session for two")
            deleted = server.ask("DELETE", "/mcp", fields=session.fields)
            equal((deleted.status, deleted.body), (204, b""), "DELETE")
            is_error(session.ask("ping"), 404, -32600, "afterwards", session.last)
            equal(server.ask("DELETE", "/mcp", fields=session.fields).status, 404, "DELETE again")
            equal(other.ask("ping").status, 200, "the other one")


@test
def session_statuses():
    with Server() as server:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        equal(server.post(ping).json, {"jsonrpc": "2.0", "id": 1, "result": {}}, "a ping needs no session")
        is_error(server.post({**ping, "method": "tools/list"}), 400, -32602, "no session")
        is_error(server.post({**ping, "method": "server/discover"}), 400, -32602, "discover without _meta")
        is_error(server.post(ping, **{"Mcp-Session-Id": "nothing"}), 404, -32600, "an unknown session")
        session = server.begin("2025-06-18")
        is_error(session.post({**ping, "method": "server/discover", "params": {}}), 400, -32602,
                 "discover without _meta in a session")
        unknown = session.post(ping, **{"MCP-Protocol-Version": "1999-01-01"})
        is_error(unknown, 400, -32600, "an unknown version")
        has("2025-11-25 2025-06-18 2025-03-26 2024-11-05", unknown.json["error"]["message"])
        for body, code in ((b"{", -32700), (b"7", -32600), (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600)):
            answer = session.post(body)
            equal((answer.status, answer.code), (400, code), f"{body!r}")
            equal(answer.json["id"], 1 if b"id" in body else None, f"{body!r}: the id")
        for body, code in ((b"{", -32700), (b"7", -32600), (b'[{"jsonrpc":"2.0","method":"x"}]', -32602)):
            for fields, has_id in (({}, False), ({"MCP-Protocol-Version": "2025-06-18"}, True),
                                   ({"MCP-Protocol-Version": MODERN, "Mcp-Session-Id": "x"}, False)):
                answer = server.post(body, **fields)
                wanted = -32600 if code == -32602 and "Mcp-Session-Id" in fields else code
                equal((answer.status, answer.code), (400, wanted), f"{body!r} with {fields}")
                equal("id" in answer.json, has_id, f"{body!r} with {fields}: {answer.body!r}")
        for message in ({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}},
                        {"jsonrpc": "2.0", "id": 9, "result": {}},
                        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}):
            answer = session.post(message)
            equal((answer.status, answer.body), (202, b""), f"{message}")
        for accept in ("application/json", None):
            answer = server.ask("GET", "/mcp", fields={**session.fields, "Accept": accept})
            equal(answer.status, 406, f"GET that accepts {accept}")
        equal(server.ask("GET", "/mcp", fields={"Accept": "text/event-stream"}).status, 400, "GET of nobody")
        bad = server.post({"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": {}})
        is_error(bad, 200, -32602, "a handshake that fails", 3)
        check("mcp-session-id" not in bad.fields, "a session without handshake")


@test
def each_handshake_begins_a_session():
    """Whatever session its headers name: that one goes on as it was."""
    with Server(files={"a.txt": "one\n"}) as server:
        first = server.begin("2025-06-18")
        first.call("editFile", EDIT)
        hello = {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
        ids = {first.id}
        for fields in (first.fields, {"Mcp-Session-Id": first.id}, {"Mcp-Session-Id": "nothing"}):
            answer = server.post(hello, **fields)
            equal((answer.status, answer.json["result"]["protocolVersion"]), (200, "2025-11-25"), f"{fields}")
            check(answer.fields["mcp-session-id"] not in ids, "the session that was there")
            ids.add(answer.fields["mcp-session-id"])
        equal(first.call("undo_last_edit", {}).json["result"]["isError"], False, "what the first one did")
        equal(server.text("a.txt"), "one\n", "the file")


@test
def a_handshake_that_fails_ends_no_session():
    with Server("--sessions", "1") as server:
        session = server.begin("2025-06-18")
        for params in ({}, {"protocolVersion": 7}, []):
            bad = server.post({"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": params})
            is_error(bad, 200, -32602, f"a handshake of {params}", 3)
        equal(session.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}).status, 200, "the session that was there")


@test
def batches():
    with Server(files={"a.txt": "one\n"}) as server:
        pings = [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(3)]
        session = server.begin("2025-03-26")
        answer = session.post([*pings, {"jsonrpc": "2.0", "method": "notifications/x"}])
        equal(sorted(m["id"] for m in answer.json), [0, 1, 2], "a batch")
        equal(session.post([{"jsonrpc": "2.0", "method": "notifications/x"}]).status, 202, "of notifications")
        for version in ("2024-11-05", "2025-06-18", "2025-11-25"):
            other = server.begin(version)
            for body in (pings, [{"jsonrpc": "2.0", "method": "notifications/initialized"}]):
                is_error(other.post(body), 400, -32600, f"in {version}", None)
        inside = session.post([{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}])
        equal(inside.json[0]["error"]["code"], -32600, "initialize in a batch")
        equal(session.ask("ping").status, 200, "the session is still there")
        started = time.monotonic()
        pings = [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(200000)]
        equal(len(session.post(pings[:1000]).json), 1000, "a long one")
        is_error(session.post(pings[:1001]), 400, -32600, "one that is too long", None)
        is_error(session.post(pings), 400, -32600, "one that is far too long", None)
        check(time.monotonic() - started < 25, "the time goes with its length, and not with the square of that")


@test
def sessions_are_apart():
    with Server(files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
        first, second = server.begin(), server.begin("2025-06-18")
        equal(first.call("Read", {"path": "a.txt"}).json["result"]["isError"], False, "Read")
        (server.root / "a.txt").write_text("one, changed\n", encoding="ascii")
        edit = {"path": "a.txt", "old_string": "one", "new_string": "two"}
        has("CONFLICT", first.call("Edit", edit).body.decode(), "who read it")
        equal(second.call("Edit", edit).json["result"]["isError"], False, "who did not")
        none = first.call("undo_last_edit", {})
        equal(none.json["result"]["isError"], True, f"the edit of another: {none.body!r}")
        equal(second.call("undo_last_edit", {}).json["result"]["isError"], False, "its own")
        equal(server.text("a.txt"), "one, changed\n", "the file")
        with first.listen() as one, second.listen() as two:
            second.ask("logging/setLevel", {"level": "debug"})
            message = second.request("tools/call", {"name": "readFile", "arguments": {"file": "b.txt"}})
            answer = second.post(message, Accept="application/json")
            equal(answer.status, 200, "a call that is logged")
            equal(two.message()["method"], "notifications/message", "what it is told by the way")
            first.post({"jsonrpc": "2.0", "method": "notifications/x"})
            server.ask("DELETE", "/mcp", fields=first.fields)
            equal(one.message(), None, "nothing of the other's came before its end")


@test
def resumption():
    """A stream that broke is gone on with, behind the event that was read last."""
    with Server(files={"a.txt": "one\n"}) as server:
        session = server.begin()
        message = session.request("tools/call", {"name": "editFile", "arguments": EDIT,
                                                 "_meta": {"progressToken": "p"}})
        wire = server.open("POST", "/mcp", json.dumps(message).encode(), session.fields)
        with Stream(wire) as stream:
            event = stream.event()
            equal(event.data, "", "the first event says what to come back with")
            first = stream.event()
        with session.listen(event.id) as again:
            equal(again.event(), first, "the same event again")
            messages = []
            while found := again.message():
                messages.append(found)
        equal(messages[-1]["id"], message["id"], "its answer")
        equal(messages[-1]["result"]["isError"], False, "its answer")
        with session.listen(first.id) as again:
            equal(again.message(), messages[0], "behind the second event")
        for unknown in ("99-1", "1-99", "x", "1", "1-", "-1", "1-1-1", ""):
            fields = {**session.fields, "Accept": "text/event-stream", "Last-Event-ID": unknown}
            check(server.ask("GET", "/mcp", fields=fields).status == 404 if unknown else True,
                  f"an event that never was: {unknown!r}")
        other = server.begin()
        fields = {**other.fields, "Accept": "text/event-stream", "Last-Event-ID": first.id}
        equal(server.ask("GET", "/mcp", fields=fields).status, 404, "an event of another session")
        old = server.begin("2025-06-18").call("readFile", {"file": "a.txt"}, progressToken="p")
        check(all(json.loads(line[6:]) for line in old.body.decode().splitlines()
                  if line.startswith("data: ")), "an event without data, for one who does not know them")


@test
def listening_again():
    """The newest stream of a session has what no request asked for; the one before ends."""
    with Server(files={"a.txt": "one\n"}) as server:
        session = server.begin("2025-06-18")
        session.ask("logging/setLevel", {"level": "debug"})

        def call():
            message = session.request("tools/call", {"name": "readFile", "arguments": {"file": "a.txt"}})
            session.post(message, Accept="application/json")

        with session.listen() as one:
            call()
            first = one.event()
            with session.listen() as two:
                equal(one.message(), None, "the older one ends")
                call()
                second = two.event()
        check(first.id != second.id, "the same id twice")
        call()
        with session.listen(first.id) as late:
            equal(late.event(), second, "what came behind it")
            third = late.event()
            check(third.id not in (first.id, second.id), "what came while nobody listened")


TESTS = TESTS_OF[__name__]
