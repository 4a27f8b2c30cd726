"""Changes that somebody must allow, over HTTP: at the page, or by the client's user in either era."""
import json
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from httplab import META, P, TESTS_OF, Server, Stream, check, equal, has, test, until

EDIT = {"file_path": "a.txt", "old_string": "one", "new_string": "two"}
ELICITS = {"capabilities": {"elicitation": {}}}
ALLOW = {"action": "accept", "content": {"allow": True}}


def waiting(server):
    return server.ask("GET", "/api/approvals").json["waiting"]


def decide(server, number, verdict, **more):
    return server.ask("POST", f"/api/approvals/{number}", json.dumps({"verdict": verdict, **more}).encode()).status


def call_of(session, arguments, **meta):
    return session.request("tools/call", {"name": "edit_file", "arguments": arguments,
                                          **({"_meta": meta} if meta else {})})


def stream_of(session, message):
    return Stream(session.server.open("POST", "/mcp", json.dumps(message).encode(), session.fields))


@test
def the_client_of_a_session_asks_its_user():
    """The question comes on the stream of the call, the answer in a request of its own."""
    with Server("--approve", files={"a.txt": "one\n"}) as server:
        session = server.begin(**ELICITS)
        message = call_of(session, EDIT)
        with stream_of(session, message) as stream:
            question = stream.message()
            equal(question["method"], "elicitation/create", "the question")
            has("a.txt (+1 -1)", question["params"]["message"])
            equal([one["tool"] for one in waiting(server)], ["edit_file"], "at the page")
            other = server.begin(**ELICITS)
            answer = {"jsonrpc": "2.0", "id": question["id"], "result": ALLOW}
            equal(other.post(answer).status, 202, "another session's answer")
            equal(len(waiting(server)), 1, "which decides nothing")
            equal(session.post(answer).status, 202, "the answer")
            result = stream.message()
            equal((result["id"], result["result"]["isError"]), (message["id"], False), "the call")
        equal((server.text("a.txt"), waiting(server)), ("two\n", []), "afterwards")


@test
def the_tokens_are_nobodys_to_read():
    """A file of tokens in a root: who has the one for clients does not get the other."""
    with tempfile.TemporaryDirectory(prefix="emend-tokens-") as folder:
        tokens = os.path.join(folder, "tokens")
        with open(tokens, "w", encoding="ascii") as file:
            file.write("the-page-0123456789\nmcp a-client-0123456789\n")
        os.chmod(tokens, 0o600)
        os.link(tokens, os.path.join(folder, "hard"))
        with Server("--approve", "--token-file", tokens, "--root", folder, files={"a.txt": "one\n"}) as server:
            server.token = "a-client-0123456789"
            os.rename(tokens, os.path.join(folder, "tokens~"))
            with open(tokens, "w", encoding="ascii") as file:
                file.write("page-token-9876543210\n")
            for name in ("tokens", "hard", "tokens~"):
                path = os.path.join(folder, name)
                for tool, arguments in (("read_file", {"file_path": path}),
                                        ("edit_file", {"file_path": path, "old_string": "mcp ", "new_string": ""}),
                                        ("write_file", {"file_path": path, "content": "x"})):
                    answer = server.modern_call(tool, arguments).json["result"]
                    equal(answer["isError"], True, f"{tool} {name}")
                    has("it holds the tokens of this server", str(answer))


@test
def an_answer_counts_from_who_was_asked():
    with tempfile.TemporaryDirectory(prefix="emend-tokens-") as folder:
        tokens = os.path.join(folder, "tokens")
        with open(tokens, "w", encoding="ascii") as file:
            file.write("one-token-0123456789\nanother-0123456789\n")
        os.chmod(tokens, 0o600)
        with Server("--approve", "--token-file", tokens, files={"a.txt": "one\n"}) as server:
            meta = {P + "clientCapabilities": {"elicitation": {}}}
            call = {"name": "edit_file", "arguments": EDIT}
            server.token = "one-token-0123456789"
            state = server.modern_ask("tools/call", call, meta).json["result"]["requestState"]
            retry = {**call, "requestState": state, "inputResponses": {"change": ALLOW}}
            server.token = "another-0123456789"
            refused = server.modern_ask("tools/call", retry, meta).json["error"]
            equal(refused["code"], -32602, "from another")
            has("send the call without it", refused["message"])
            equal(server.text("a.txt"), "one\n", "the file")
            server.token = "one-token-0123456789"
            equal(server.modern_ask("tools/call", retry, meta).json["result"]["isError"], False, "from the same")
            equal(server.text("a.txt"), "two\n", "the file")


@test
def who_is_first_decides():
    """The page, here: then the client need not ask any more, and what it says later is nothing."""
    with Server("--approve", files={"a.txt": "one\n"}) as server:
        session = server.begin(**ELICITS)
        with stream_of(session, call_of(session, EDIT)) as stream:
            question = stream.message()
            number = waiting(server)[0]["id"]
            equal(decide(server, number, "no", reason="not now"), 204, "the page")
            taken_back = stream.message()
            equal((taken_back["method"], taken_back["params"]["requestId"]),
                  ("notifications/cancelled", question["id"]), "the question")
            has("not now", stream.message()["result"]["content"][0]["text"])
        session.post({"jsonrpc": "2.0", "id": question["id"], "result": ALLOW})
        equal(server.text("a.txt"), "one\n", "the file")


@test
def who_has_answered_is_not_told_to_stop_asking():
    """A client whose user would not say leaves it to the page, and need not be told how that ends."""
    with Server("--approve", files={"a.txt": "one\n"}) as server:
        session = server.begin(**ELICITS)
        for said in ({"result": {"action": "cancel"}}, {"error": {"code": -1, "message": "no window"}}):
            with stream_of(session, call_of(session, EDIT)) as stream:
                question = stream.message()
                session.post({"jsonrpc": "2.0", "id": question["id"], **said})
                equal(decide(server, waiting(server)[0]["id"], "no", reason="not now"), 204, "the page")
                has("not now", stream.message()["result"]["content"][0]["text"])
        equal(server.text("a.txt"), "one\n", "the file")


@test
def a_person_sees_what_the_answer_is_about():
    """All of a large change; and no reason is taken that would not come through whole."""
    old = "".join(f"line {i} {'x' * 80}\n" for i in range(1500))
    with Server("--approve", files={"a.txt": old}) as server, ThreadPoolExecutor(1) as pool:
        new = {"file_path": "a.txt", "content": old.replace("x", "y")}
        written = pool.submit(server.modern_call, "write_file", new)
        until(lambda: waiting(server), "it waits")
        number = waiting(server)[0]["id"]
        file, = server.get(f"/api/approvals/{number}").json["files"]
        lines = [line for hunk in file["diff"]["hunks"] for line in hunk["lines"]]
        equal((len(lines), file["diff"]["truncated"]), (3000, False), "the diff")
        for reason in ("r" * 401, "é" * 201, "not\0now"):
            equal(decide(server, number, "no", reason=reason), 400, "a reason that would be cut")
        equal(decide(server, number, "no", reason="r" * 400), 204, "one that is not")
        has("r" * 400, str(written.result().json))
        equal(server.text("a.txt"), old, "the file")


@test
def others_go_on_while_one_waits():
    """Calls of the same session too: more of them than the server has threads to work with."""
    names = [f"f{i}.txt" for i in range(12)]
    with Server("--approve", files={name: "one\n" for name in names}) as server:
        session = server.begin()
        calls = [call_of(session, {**EDIT, "file_path": name}) for name in names]
        with ThreadPoolExecutor(len(calls)) as pool:
            answers = [pool.submit(session.post, call) for call in calls]
            until(lambda: len(waiting(server)) == len(calls), "all of them wait")
            read = session.call("read_file", {"file_path": names[0]})
            equal(read.messages[-1]["result"]["content"][0]["text"], "one\n", "reading meanwhile")
            for one in waiting(server):
                equal(decide(server, one["id"], "yes"), 204, "a decision")
            for answer in answers:
                equal(answer.result().messages[-1]["result"]["isError"], False, "a call")
        equal({server.text(name) for name in names}, {"two\n"}, "the files")


@test
def what_passes_from_now_on_is_not_asked_about():
    with Server("--approve", files={"a.txt": "one\n"}) as server:
        session = server.begin()
        with stream_or_answer(session, call_of(session, EDIT)) as wire:
            until(lambda: waiting(server), "it waits")
            equal(decide(server, waiting(server)[0]["id"], "yes", remember="file"), 204, "the page")
            equal(wire.hear().messages[-1]["result"]["isError"], False, "the call")
        again = session.call("edit_file", {**EDIT, "old_string": "two", "new_string": "three"})
        equal(again.messages[-1]["result"]["isError"], False, "the next")


def stream_or_answer(session, message):
    return session.server.open("POST", "/mcp", json.dumps(message).encode(), session.fields)


@test
def a_stateless_client_asks_its_user():
    """The question is the answer; it waits at no page. The retry may come over any connection."""
    meta = {P + "clientCapabilities": {"elicitation": {}}}
    params = {"name": "edit_file", "arguments": EDIT}
    with Server("--approve", files={"a.txt": "one\n"}) as server:
        asked = server.modern_ask("tools/call", params, meta).json["result"]
        equal((asked["resultType"], list(asked["inputRequests"])), ("input_required", ["change"]), "the answer")
        equal(waiting(server), [], "at the page")
        has('emend_call_duration_seconds_count 0\n', server.get("/metrics").body.decode(), "what counts as a call")
        retry = {**params, "requestState": asked["requestState"], "inputResponses": {"change": ALLOW}}
        wrong = {**retry, "arguments": {**EDIT, "new_string": "other"}}
        equal(server.modern_ask("tools/call", wrong, meta).code, -32602, "other arguments")
        equal(server.modern_ask("tools/call", retry, meta).json["result"]["isError"], False, "the retry")
        equal(server.text("a.txt"), "two\n", "the file")


@test
def the_page_alone_decides_where_that_is_wanted():
    """Then clients of either era are not asked, though they could be."""
    meta = {P + "clientCapabilities": {"elicitation": {}}}
    message = Server.modern("tools/call", {"name": "edit_file", "arguments": EDIT}, meta)
    with Server("--approve", "--approve-by", "page", files={"a.txt": "one\n"}) as server:
        session = server.begin(**ELICITS)
        for text, fields in ((message, server.modern_fields(message)), (call_of(session, EDIT), session.fields)):
            with server.open("POST", "/mcp", json.dumps(text).encode(), fields) as wire:
                until(lambda: waiting(server), "it waits")
                equal(decide(server, waiting(server)[0]["id"], "no"), 204, "the page")
                messages = wire.hear().messages
            equal([m["result"]["isError"] for m in messages], [True], "all that was said")
        equal(server.text("a.txt"), "one\n", "the file")


@test
def clients_have_a_token_that_says_no_yes():
    """Who has it alone can neither open the page nor decide, with the one of the page everything is open."""
    with Server("--approve", files={"a.txt": "one\n"}) as server:
        until(lambda: "Bearer " in server.said(), "the token of clients")
        page, clients = server.token, re.search(r"Bearer (\w+)", server.said())[1]
        server.token = clients
        session = server.begin()
        with server.open("POST", "/mcp", json.dumps(call_of(session, EDIT)).encode(), session.fields) as wire:
            server.token = page
            until(lambda: waiting(server), "it waits")
            change = waiting(server)[0]["id"]
            server.token = clients
            for path in ("/api/approvals", "/api/state", "/metrics"):
                equal(server.get(path).status, 403, path)
            equal(decide(server, change, "yes"), 403, "its own yes")
            equal(server.ask("POST", "/api/login", b"{}").status, 403, "the cookie")
            server.token = page
            equal(decide(server, change, "yes"), 204, "the person's")
            equal([m["result"]["isError"] for m in wire.hear().messages], [False], "the call")
        equal(server.text("a.txt"), "two\n", "the file")
        equal(server.begin().ask("tools/list").status, 200, "the page's token at /mcp")


@test
def a_page_that_nobody_can_open_is_not_waited_for():
    with tempfile.TemporaryDirectory() as folder:
        tokens = os.path.join(folder, "tokens")
        with open(tokens, "w", encoding="ascii") as file:
            file.write("mcp long-enough-token-1\nmcp long-enough-token-2\n")
        os.chmod(tokens, 0o600)
        with Server("--approve", "--token-file", tokens, files={"a.txt": "one\n"}) as server:
            server.token = "long-enough-token-1"
            answer = server.begin().call("edit_file", EDIT)
            has("Cause: cannot_ask", answer.messages[-1]["result"]["content"][0]["text"])
            equal(server.text("a.txt"), "one\n", "the file")
            session = server.begin(**ELICITS)
            with stream_of(session, call_of(session, EDIT)) as stream:
                question = stream.message()
                equal(session.post({"jsonrpc": "2.0", "id": question["id"], "result": ALLOW}).status, 202, "the answer")
                equal(stream.message()["result"]["isError"], False, "the call")
            equal(server.text("a.txt"), "two\n", "the file")
        done = subprocess.run([Server.emend, "serve", "--approve", "--approve-by", "page", "--token-file", tokens],
                              check=False, capture_output=True, text=True, timeout=30)
        equal(done.returncode, 2, done.stderr)
        has("no token that opens the page", done.stderr)


@test
def a_stateless_client_that_cannot_ask_waits_for_the_page():
    """And when it goes, so does the question."""
    message = Server.modern("tools/call", {"name": "edit_file", "arguments": EDIT}, META)
    with Server("--approve", files={"a.txt": "one\n"}) as server:
        for ends in ("yes", None):
            fields = server.modern_fields(message)
            with server.open("POST", "/mcp", json.dumps(message).encode(), fields) as wire:
                until(lambda: waiting(server), "it waits")
                if ends:
                    equal(decide(server, waiting(server)[0]["id"], ends), 204, "the page")
                    equal(wire.hear().messages[-1]["result"]["isError"], False, "the call")
                    (server.root / "a.txt").write_text("one\n")
            until(lambda: not waiting(server), "nothing waits")
        equal(server.text("a.txt"), "one\n", "the file of who has gone")


@test
def a_server_that_ends_lets_nobody_wait():
    with Server("--approve", files={"a.txt": "one\n"}) as server:
        session = server.begin()
        with stream_or_answer(session, call_of(session, EDIT)) as wire:
            until(lambda: waiting(server), "it waits")
            server.process.terminate()
            text = wire.hear().messages[-1]["result"]["content"][0]["text"]
            has("Nobody said yes", text)
        check(server.text("a.txt") == "one\n", "the file")


@test
def nobody_decides_in_time():
    with Server("--approve", "--approve-timeout", "900ms", files={"a.txt": "one\n"}) as server:
        text = server.begin().call("edit_file", EDIT).messages[-1]["result"]["content"][0]["text"]
        has("Nobody said yes", text)
        check("it waited for 0 s" not in text, text)
        equal(server.text("a.txt"), "one\n", "the file")


TESTS = TESTS_OF[__name__]
