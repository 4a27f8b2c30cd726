"""The page's own requests: who may ask them, what they answer, and events as they come.

What they answer in every case is tested in tests/unit/http; here it is that all of it arrives.
"""
import json
import subprocess

from httplab import TESTS_OF, Server, Stream, check, equal, has, test, until

FILES = {"a.txt": "one two\n", "b.txt": "uno\n"}
READING = ["/api/state", "/api/edits", "/api/edits/1", "/api/calls", "/api/files", "/api/activity",
           "/api/checkpoints", "/api/approvals", "/api/passes"]


def api(server, method, path, body=None, status=200, fields=None):
    """The answer as JSON; None where there is none."""
    data = None if body is None else json.dumps(body).encode()
    answer = server.ask(method, path, data, fields)
    equal(answer.status, status, f"{method} {path}: {answer.body[:300]!r}")
    return answer.json if answer.body else None


def edit(server, old="two", new="three", name="a.txt"):
    answer = server.modern_call("edit_file",
                                {"file_path": name, "old_string": old, "new_string": new})
    return answer.json["result"]


def cookie_of(server):
    """What a browser keeps that has shown the token."""
    answer = server.ask("POST", "/api/login", b"{}")
    equal(answer.status, 204, "login")
    return answer.fields["set-cookie"]


# ---- Who may ask --------------------------------------------------------------------------------


@test
def the_page_is_there_for_anybody_and_shows_nothing():
    with Server(files=FILES) as server:
        page = server.get("/", Authorization=None)
        equal(page.status, 200, "the page")
        has("default-src 'none'", page.fields["content-security-policy"], "its policy")
        for part in ("a.txt", str(server.root), server.token):
            check(part not in page.body.decode(), f"{part} is in the page")
        for line in page.body.decode().split('"'):
            if line.startswith("/page/"):
                equal(server.get(line, Authorization=None).status, 200, line)
        again = server.get("/", Authorization=None, If_None_Match=page.fields["etag"])
        equal((again.status, again.body), (304, b""), "what a browser has already")


@test
def everything_else_wants_the_token_or_the_cookie():
    with Server(files=FILES) as server:
        edit(server)
        cookie = cookie_of(server)
        for flag in ("HttpOnly", "SameSite=Strict"):
            has(flag, cookie, "the cookie")
        cookie = cookie.split(";")[0]
        for path in [*READING, "/api/events"]:
            equal(server.get(path, Authorization=None).status, 401, path)
        for path in READING:
            equal(server.get(path).status, 200, f"{path} with the token")
            equal(server.get(path, Authorization=None, Cookie=cookie).status, 200,
                  f"{path} with the cookie")
        for path in ("/api/edits/1/undo", "/api/checkpoints"):
            for fields in ({"Authorization": None},
                           {"Authorization": None, "Cookie": cookie, "Origin": "http://evil.example"}):
                status = server.ask("POST", path, b"{}", fields).status
                check(status in (401, 403), f"{path} with {fields}: {status}")
        plain = {"Authorization": None, "Cookie": cookie, "Content-Type": "text/plain"}
        equal(server.ask("POST", "/api/edits/1/undo", b"{}", plain).status, 415, "a form's type")
        equal(server.text("a.txt"), "one three\n", "the file")


# ---- What it answers ----------------------------------------------------------------------------


@test
def a_change_is_seen_undone_and_made_again():
    with Server(files=FILES) as server:
        edit(server)
        edit(server, "never there", "x")
        listed = api(server, "GET", "/api/edits")["edits"]
        equal([(e["rel"], e["brief"]["old"], e["brief"]["new"]) for e in listed],
              [("a.txt", "two", "three")], "the list")
        shown = api(server, "GET", f"/api/edits/{listed[0]['id']}")
        equal(shown["diff"]["hunks"][0]["lines"],
              [["-", "one ", "two"], ["+", "one ", "three"]], "its words")
        equal(json.loads(shown["call"]["arguments"])["new_string"], "three", "its request")
        equal(api(server, "GET", "/api/calls")["calls"][0]["cause"], "not_found", "what was refused")
        would = api(server, "POST", "/api/edits/1/undo", {"dry_run": True})
        equal((would["done"], server.text("a.txt")), (True, "one three\n"), "what it would do")
        api(server, "POST", "/api/edits/1/undo", {})
        equal(server.text("a.txt"), "one two\n", "undone")
        api(server, "POST", "/api/edits/1/redo", {})
        equal(server.text("a.txt"), "one three\n", "made again")
        totals = api(server, "GET", "/api/state")["totals"]
        equal((totals["calls"], totals["changes"], totals["refused"]), (2, 1, 1), "the totals")


@test
def what_is_misspelt_in_a_body_does_nothing():
    """A dry run that is not understood must not become an undo."""
    with Server("--approve", files=FILES) as server:
        for path in ("/api/edits/1/undo", "/api/edits/1/redo", "/api/checkpoints/a/rewind"):
            for body in ({"dryRun": True}, {"dry_run": "yes"}, {"dry_run": 1}, {"dry_run": None},
                         {"dry_run": True, "x": 1}):
                api(server, "POST", path, body, 400)
        api(server, "POST", "/api/checkpoints", {"name": 7}, 400)
        for body in ({"verdict": "yes", "remember": "all"}, {"verdict": "yes", "remembers": "file"},
                     {"verdict": True}):
            api(server, "POST", "/api/approvals/1", body, 400)
        api(server, "POST", "/api/passes/drop", {"tools": "edit_file"}, 400)


@test
def a_checkpoint_takes_all_files_back():
    with Server(files=FILES) as server:
        api(server, "POST", "/api/checkpoints", {"name": "ä/b c"}, 204)
        edit(server)
        edit(server, "uno", "due", "b.txt")
        path = "/api/checkpoints/%C3%A4%2Fb%20c/rewind"
        equal(len(api(server, "POST", path, {"dry_run": True})["files"]), 2, "what it would do")
        api(server, "POST", path, {})
        equal(server.text("a.txt") + server.text("b.txt"), "one two\nuno\n", "the files")


@test
def what_is_done_is_what_was_shown():
    """And not what has come meanwhile."""
    def edit_b(server):
        edit(server, "uno", "due", "b.txt")

    def write_above(server):
        (server.root / "a.txt").write_text("zero\n" + server.text("a.txt"), encoding="ascii")

    for path, meanwhile in (("/api/checkpoints/a/rewind", edit_b), ("/api/checkpoints/a/rewind", write_above),
                            ("/api/edits/1/undo", write_above)):
        with Server(files=FILES) as server:
            api(server, "POST", "/api/checkpoints", {"name": "a"}, 204)
            edit(server)
            shown = api(server, "POST", path, {"dry_run": True})["seen"]
            equal(api(server, "POST", path, {"dry_run": True})["seen"], shown, f"{path}: twice the same")
            api(server, "POST", path, {"dry_run": True, "seen": shown}, 400)
            meanwhile(server)
            before = server.text("a.txt"), server.text("b.txt")
            refused = api(server, "POST", path, {"seen": shown})
            equal((refused["done"], refused["files"]), (False, []), path)
            has("look again", refused["sentence"])
            equal((server.text("a.txt"), server.text("b.txt")), before, f"{path}: the files")
            again = api(server, "POST", path, {"dry_run": True})["seen"]
            equal(api(server, "POST", path, {"seen": again})["done"], True, f"{path}: what is shown now")
            has("one two\n", server.text("a.txt"), f"{path}: the file")
            equal(server.text("b.txt"), "uno\n", f"{path}: the other")


@test
def a_server_that_only_reads_changes_nothing():
    with Server(files=FILES) as server:
        edit(server)
        with Server("--read-only", "--state-dir", str(server.state), "--root", str(server.root)) as reader:
            equal(len(api(reader, "GET", "/api/edits")["edits"]), 1, "the list")
            answer = api(reader, "POST", "/api/edits/1/undo", {})
            equal((answer["done"], server.text("a.txt")), (False, "one three\n"), "an undo")
            api(reader, "POST", "/api/checkpoints", {"name": "x"}, 403)


# ---- Events -------------------------------------------------------------------------------------


def next_of(stream, kind):
    """The data of the next event of that type."""
    while event := stream.event():
        if event.type == kind:
            return json.loads(event.data)
    check(False, f"the stream ended before {kind}")


def edit_of(stream, rel):
    """The next change of the file that is told. One that was unfinished when it was seen is told again."""
    while (told := next_of(stream, "edits")["edits"][0])["rel"] != rel:
        equal(told["rel"], "a.txt", "what may be told again")
    return told


@test
def what_happens_is_told_wherever_it_happens():
    with Server(files=FILES) as server:
        with Stream(server.open("GET", "/api/events")) as stream:
            equal(next_of(stream, "hello")["resumed"], False, "the beginning")
            edit(server)
            equal(next_of(stream, "edits")["edits"][0]["rel"], "a.txt", "a change of ours")
            edit(server, "never there", "x")
            equal(next_of(stream, "call")["cause"], "not_found", "a refusal")
            subprocess.run([server.emend, "edit", "b.txt", "--old", "uno", "--new", "due", "--root",
                            str(server.root), "--state-dir", str(server.state), *server.quick],
                           check=True, cwd=server.root, capture_output=True)
            other = edit_of(stream, "b.txt")
            equal(other["client"], "emend edit", "another process's")


@test
def who_lost_its_connection_goes_on_where_it_was():
    with Server(files=FILES) as server:
        with Stream(server.open("GET", "/api/events")) as one, \
                Stream(server.open("GET", "/api/events")) as two:
            last = one.event().id
            next_of(two, "hello")
            edit(server, "never there", "x")
            next_of(two, "call")
            fields = {"Last-Event-ID": last}
            with Stream(server.open("GET", "/api/events", fields=fields)) as again:
                equal(next_of(again, "hello")["resumed"], True, "coming back")
                equal(next_of(again, "call")["cause"], "not_found", "what was missed")


# ---- Deciding -----------------------------------------------------------------------------------


@test
def a_change_waits_until_somebody_decides():
    with Server("--approve", files=FILES) as server:
        session = server.begin()
        message = session.request("tools/call", {"name": "edit_file", "arguments": {
            "file_path": "a.txt", "old_string": "two", "new_string": "three"}})

        def waiting():
            return api(server, "GET", "/api/approvals")["waiting"]

        for verdict, text in (("no", "one two\n"), ("yes", "one three\n")):
            with server.open("POST", "/mcp", json.dumps(message).encode(), session.fields) as wire:
                until(waiting, "it waits")
                number = waiting()[0]["id"]
                shown = api(server, "GET", f"/api/approvals/{number}")
                equal(shown["files"][0]["diff"]["hunks"][0]["lines"][1], ["+", "one ", "three"], "its diff")
                ruling = {"verdict": verdict, "reason": "Ask Ada first"}
                api(server, "POST", f"/api/approvals/{number}", ruling, 204)
                api(server, "POST", f"/api/approvals/{number}", ruling, 409)
                answer = wire.hear().messages[-1]["result"]
            equal((answer["isError"], server.text("a.txt")), (verdict == "no", text), verdict)
            if verdict == "no":
                has("Ask Ada first", answer["content"][0]["text"], "the reason")
            message["id"] += 1


TESTS = TESTS_OF[__name__]
