#!/usr/bin/env python3
"""Tests `emend mcp --approve`: changes that the client's user must allow.

    approve_test.py [--emend BINARY] [--verbose] [NAME...]      default: build/emend, every test

The last line is `N passed, N failed`.
"""
import json
import signal
import sys
import time

import harness
import mcp_test
from harness import check, check_equal, test
from mcp_test import MODERN, Server, code, edit, request, result, text_of

CAN_ASK = {"elicitation": {}}


# ---- Clients ------------------------------------------------------------------------------------


class Asking(Server):
    """A server that asks before it changes anything, and a client that can be asked."""

    def __init__(self, *flags, capabilities=None, version="2025-11-25", **more):
        self.capabilities = CAN_ASK if capabilities is None else capabilities
        super().__init__("--approve", *flags, version=version, **more)

    def __exit__(self, kind, *rest):
        """What was asked leaves nothing behind: the sanitizers have nothing to say either."""
        super().__exit__(kind, *rest)
        if not kind:
            check_equal(self.process.returncode, 0, f"exit status ({''.join(self.errors)[:2000]})")

    def initialize(self, version):
        answer = self.ask("initialize", {"protocolVersion": version, "capabilities": self.capabilities,
                                         "clientInfo": {"name": "asking", "version": "1"}})
        check_equal(answer["result"]["protocolVersion"], version, "version")
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def begin(self, params, ident="call"):
        """Send a call; the question that comes before its answer."""
        self.send(request(ident, "tools/call", params))
        question = self.hear()
        check_equal(question.get("method"), "elicitation/create", f"the question {question}")
        return question

    def answer(self, question, action, **content):
        reply = {"action": action, **({"content": content} if content else {})}
        self.send(result(question["id"], reply))

    def modern(self, params, capabilities=None, ident="call"):
        """The answer to a call of the stateless era."""
        meta = {"io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": CAN_ASK if capabilities is None else capabilities}
        return self.ask("tools/call", {**params, "_meta": meta}, ident)

    def retry(self, params, state, **responses):
        return self.modern({**params, "requestState": state, "inputResponses": responses})


ALLOW = {"action": "accept", "content": {"allow": True}}
REFUSE = {"action": "accept", "content": {"allow": False, "reason": "Not today."}}


def is_error(answer):
    return answer["result"]["isError"]


# ---- The handshake ------------------------------------------------------------------------------


@test
def a_change_is_made_when_the_user_allows_it():
    for version in ("2025-06-18", "2025-11-25"):
        with Asking(version=version, files={"a.txt": "one\n"}) as server:
            question = server.begin(edit("a.txt", "one", "two"))
            params = question["params"]
            check_equal(params.get("mode"), "form" if version == "2025-11-25" else None, "mode")
            check("a.txt (+1 -1)" in params["message"] and "\n-one\n+two\n" in params["message"],
                  f"the message: {params['message']}")
            check_equal(params["requestedSchema"]["required"], ["allow"], "what is required")
            check_equal(server.text("a.txt"), "one\n", "the file while it is asked")
            server.answer(question, "accept", allow=True)
            answer = server.hear()
            check_equal((answer["id"], is_error(answer)), ("call", False), "the answer")
            check_equal(server.text("a.txt"), "two\n", "the file")


@test
def a_refusal_reaches_the_model_with_its_reason():
    rows = [("accept", {"allow": False, "reason": "Not on a Friday."}, "refused the change of a.txt: Not on a Friday\n"),
            ("decline", {}, "refused the change of a.txt\n"),
            ("cancel", {}, "the question was dismissed")]
    for action, content, words in rows:
        with Asking(files={"a.txt": "one\n"}) as server:
            server.answer(server.begin(edit("a.txt", "one", "two")), action, **content)
            answer = server.hear()
            check(is_error(answer), "it is no error")
            check(words in text_of(answer) and "Do not send the same call again" in text_of(answer),
                  f"{action}: {text_of(answer)}")
            check_equal(server.text("a.txt"), "one\n", "the file")
            check(not server.state.joinpath("emend/history.db").exists() or server.rows("id") == [], "a row")


@test
def every_family_says_so_in_its_own_form():
    rows = [
        ("file_edit", {"path": "a.txt", "edits": [{"old_text": "one", "new_text": "two"}]},
         lambda r: r["structuredContent"]["validation_error"]["type"] == "PERMISSION_DENIED"),
        ("MultiEdit", {"path": "a.txt", "edits": [{"old_string": "one", "new_string": "two"}]},
         lambda r: r["structuredContent"]["error"]["code"] == "ACCESS_DENIED"),
        ("editFile", {"file": "a.txt", "operations": [{"search": "one", "replace": "two"}]},
         lambda r: r["structuredContent"]["code"] == "PERMISSION_DENIED" and
         r["structuredContent"]["cause"] == "refused"),
        ("editFiles", {"edits": [{"file": "a.txt", "replaceOperations": [{"search": "one", "replace": "two"}]},
                                 {"file": "b.txt", "replaceOperations": [{"search": "one", "replace": "two"}]}]},
         lambda r: "2 of 2 files failed" in r["structuredContent"]["error"]),
        ("edit_file", {"file_path": "a.txt", "old_string": "one", "new_string": "two"},
         lambda r: r["content"][0]["text"].startswith("Error: The person who reviews changes refused")),
        ("mcp__editor__Edit", {"file_path": "a.txt", "edits": [{"old_text": "one", "new_text": "two"}]},
         lambda r: "Cause: refused" in r["content"][0]["text"]),
        ("mcp__editor__Edit", {"files": [{"file_path": "a.txt", "edits": [{"old_text": "one", "new_text": "two"}]},
                                         {"file_path": "b.txt", "edits": [{"old_text": "one", "new_text": "two"}]}]},
         lambda r: "No file was changed" in r["content"][0]["text"]),
        ("writeFiles", {"files": [{"file": "n.txt", "content": "x\n"}]},
         lambda r: r["structuredContent"]["results"][0]["cause"] == "refused"),
        ("editDOM", {"file": "a.html", "operations": [{"selector": "p", "action": "setText", "value": "x"}]},
         lambda r: r["structuredContent"]["cause"] == "refused"),
        ("create_file", {"file_path": "n.txt", "content": "x"},
         lambda r: "Cause: refused" in r["content"][0]["text"]),
    ]
    files = {"a.txt": "one\n", "b.txt": "one\n", "a.html": "<p>one</p>\n"}
    with Asking(files=files) as server:
        for tool, arguments, holds in rows:
            server.answer(server.begin({"name": tool, "arguments": arguments}), "accept", **REFUSE["content"])
            answer = server.hear()
            check("error" not in answer and is_error(answer), f"{tool}: {answer}")
            check("Not today" in json.dumps(answer), f"{tool} without the reason: {answer}")
            check(holds(answer["result"]), f"{tool}: {answer}")
        check_equal({name: server.text(name) for name in files}, files, "the files")
        check(not (server.root / "n.txt").exists(), "n.txt is there")


@test
def several_files_are_one_question():
    one = [{"search": "one", "replace": "two"}]
    for atomic in (False, True):
        with Asking(files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
            question = server.begin({"name": "editFiles", "arguments": {
                "atomic": atomic,
                "edits": [{"file": name, "replaceOperations": one} for name in ("a.txt", "b.txt")]}})
            check("2 files" in question["params"]["message"], question["params"]["message"])
            server.answer(question, "accept", allow=True)
            check(not is_error(server.hear()), "the answer")
            check_equal((server.text("a.txt"), server.text("b.txt")), ("two\n", "two\n"), "the files")


@test
def what_changes_nothing_is_not_asked_about():
    with Asking(files={"a.txt": "one\n"}) as server:
        check(is_error(server.call("edit_file", {"file_path": "a.txt", "old_string": "x", "new_string": "y"})),
              "a text that is not there")
        check(not is_error(server.call("edit_file", {**edit("a.txt", "one", "two")["arguments"], "dry_run": True})),
              "a dry run")
        check(not is_error(server.call("read_file", {"file_path": "a.txt"})), "reading")
        check_equal(code(server.call("no_such_tool", {})), -32602, "an unknown tool")
        check(is_error(server.call("edit_file", {"file_path": 7})), "a wrong argument")


@test
def what_is_shown_cannot_deceive():
    """Neither a name nor a text moves the cursor, turns others round or hides."""
    name, text = "a\n\u202eb.txt", "one \x1b[2K\u202e\ttwo\r\n"
    with Asking(files={name: "one\n"}) as server:
        question = server.begin({"name": "write_file", "arguments": {"file_path": name, "content": text}})
        message = question["params"]["message"]
        check("a\\x0A\\u202Eb.txt (+1 -1)\n" in message, message)
        check("\n+one \\x1B[2K\\u202E\ttwo\\x0D\n" in message, message)
        server.answer(question, "decline")
        server.hear()


@test
def a_file_that_changes_meanwhile_is_a_conflict():
    with Asking(files={"a.txt": "one\n"}) as server:
        question = server.begin(edit("a.txt", "one", "two"))
        (server.root / "a.txt").write_text("one\nby hand\n")
        server.answer(question, "accept", allow=True)
        answer = server.hear()
        check(is_error(answer) and "waited for a yes" in text_of(answer), text_of(answer))
        check_equal(server.text("a.txt"), "one\nby hand\n", "the file")


# What somebody saves while a change waits: all of it makes the caller's text wrong.
SAVED = ["uno\n", "one\none\n", "two\n", None]

OVERTAKEN = [
    ("file_edit", {"path": "a.txt", "edits": [{"old_text": "one", "new_text": "two"}]},
     lambda r: r["structuredContent"]["validation_error"]["type"] == "CONFLICT"),
    ("MultiEdit", {"path": "a.txt", "edits": [{"old_string": "one", "new_string": "two"}]},
     lambda r: r["structuredContent"]["error"]["code"] == "CONFLICT"),
    ("editFile", {"file": "a.txt", "operations": [{"search": "one", "replace": "two"}]},
     lambda r: r["structuredContent"]["code"] == "CONFLICT"),
    ("editFiles", {"atomic": True,
                   "edits": [{"file": "a.txt", "replaceOperations": [{"search": "one", "replace": "two"}]}]},
     lambda r: r["structuredContent"]["results"][0]["code"] == "CONFLICT"),
    ("edit_file", {"file_path": "a.txt", "old_string": "one", "new_string": "two"},
     lambda r: "Cause: changed" in r["content"][0]["text"]),
    ("mcp__editor__Edit", {"file_path": "a.txt", "edits": [{"old_text": "one", "new_text": "two"}]},
     lambda r: "Cause: changed" in r["content"][0]["text"]),
]


def save(server, text):
    if text is None:
        (server.root / "a.txt").unlink()
    else:
        (server.root / "a.txt").write_text(text)


def check_overtaken(server, answer, what, text, holds):
    check(is_error(answer) and holds(answer["result"]), f"{what}: {answer}")
    check("waited for a yes" in json.dumps(answer), f"{what}: {answer}")
    check(("it was removed while" in json.dumps(answer)) == (text is None), f"{what}: {answer}")
    check_equal((server.root / "a.txt").exists(), text is not None, f"{what}: the file is there")
    if text is not None:
        check_equal(server.text("a.txt"), text, f"{what}: the file")


@test
def a_text_that_somebody_saved_away_is_a_conflict():
    with Asking() as asked, Asking(version=None) as stateless:
        for tool, arguments, holds in OVERTAKEN:
            call = {"name": tool, "arguments": arguments}
            for text in SAVED:
                save(asked, "one\n")
                question = asked.begin(call)
                save(asked, text)
                asked.answer(question, "accept", allow=True)
                check_overtaken(asked, asked.hear(), f"{tool}, {text!r}", text, holds)

                save(stateless, "one\n")
                state = state_of(stateless.modern(call))
                save(stateless, text)
                answer = stateless.retry(call, state)
                check("waited for a yes" not in json.dumps(answer), f"{tool}, {text!r}, unanswered: {answer}")
                check_overtaken(stateless, stateless.retry(call, state, change=ALLOW), f"{tool}, {text!r}, stateless",
                                text, holds)
                check("Not today" in json.dumps(stateless.retry(call, state, change=REFUSE)), f"{tool}: a no")


@test
def a_backup_is_asked_about():
    with Asking(files={"a.txt": "one\n"}) as server:
        params = edit("a.txt", "one", "two")
        params["arguments"]["backup"] = True
        question = server.begin(params)
        check("\na.txt (+1 -1, with a backup beside it)\n" in question["params"]["message"],
              question["params"]["message"])
        server.answer(question, "accept", allow=True)
        check(not is_error(server.hear()), "the edit")
        check_equal(server.text("a.txt.bak"), "one\n", "the backup")


@test
def an_undo_is_asked_about():
    with Asking(files={"a.txt": "one\n"}) as server:
        server.answer(server.begin(edit("a.txt", "one", "two")), "accept", allow=True)
        server.hear()
        undo = {"name": "undo_last_edit", "arguments": {}}
        question = server.begin(undo)
        check("undo_last_edit wants to change 1 file:\na.txt (+1 -1)\n" in question["params"]["message"],
              question["params"]["message"])
        server.answer(question, "accept", allow=False, reason="it is right")
        answer = text_of(server.hear())
        check("refused the undo of 1-" in answer and "it is right" in answer, answer)
        server.answer(server.begin(undo), "accept", allow=True)
        check(not is_error(server.hear()), "the undo")
        check_equal(server.text("a.txt"), "one\n", "the file")
        server.answer(server.begin({"name": "create_file", "arguments": {"file_path": "n.txt", "content": "x"}}),
                      "accept", allow=True)
        server.hear()
        question = server.begin(undo)
        check("n.txt (removed, +0 -1)" in question["params"]["message"], question["params"]["message"])
        server.answer(question, "accept", allow=True)
        check(not is_error(server.hear()) and not (server.root / "n.txt").exists(), "the file is gone")


@test
def what_is_remembered_is_not_asked_again():
    with Asking(files={"a.txt": "one\n", "b.txt": "one\n"}) as server:
        server.answer(server.begin(edit("a.txt", "one", "two")), "accept", allow=True, remember="file")
        server.hear()
        check(not is_error(server.ask("tools/call", edit("a.txt", "two", "three"))), "the same file")
        server.answer(server.begin(edit("b.txt", "one", "two")), "accept", allow=True, remember="tool")
        server.hear()
        check(not is_error(server.ask("tools/call", edit("b.txt", "two", "three"))), "the same tool")
        server.answer(server.begin({"name": "write_file", "arguments": {"file_path": "b.txt", "content": "x"}}),
                      "decline")
        check(is_error(server.hear()), "another tool")


@test
def nobody_answers_in_time():
    with Asking("--approve-timeout", "300ms", files={"a.txt": "one\n"}) as server:
        question = server.begin(edit("a.txt", "one", "two"))
        taken_back, answer = server.hear(), server.hear()
        check_equal((taken_back["method"], taken_back["params"]["requestId"]),
                    ("notifications/cancelled", question["id"]), "what comes first")
        check("Nobody said yes" in text_of(answer) and "Cause: unanswered" in text_of(answer), text_of(answer))
        server.answer(question, "accept", allow=True)
        server.hear_nothing()
        check_equal(server.text("a.txt"), "one\n", "the file")


@test
def a_client_that_cannot_ask_is_told_so():
    for version, capabilities in (("2025-11-25", {}), ("2025-03-26", CAN_ASK),
                                  ("2025-11-25", {"elicitation": {"url": {}}})):
        with Asking(version=version, capabilities=capabilities, files={"a.txt": "one\n"}) as server:
            answer = server.ask("tools/call", edit("a.txt", "one", "two"))
            check(is_error(answer) and "Cause: cannot_ask" in text_of(answer) and "--approve" in text_of(answer),
                  text_of(answer))
            check_equal(server.text("a.txt"), "one\n", "the file")


@test
def a_client_that_fails_to_ask_refuses():
    with Asking(files={"a.txt": "one\n"}) as server:
        question = server.begin(edit("a.txt", "one", "two"))
        server.send({"jsonrpc": "2.0", "id": question["id"], "error": {"code": -32601, "message": "what?"}})
        text = text_of(server.hear())
        check("could not ask its user" in text and "Cause: cannot_ask" in text, text)
        check_equal(server.text("a.txt"), "one\n", "the file")


@test
def what_is_no_answer_is_nobodys_refusal():
    for said in (None, {}, {"action": "accept"}, {"action": "accept", "content": {"allow": 1}},
                 {"action": "maybe", "content": {"allow": True}}):
        with Asking(files={"a.txt": "one\n"}) as server:
            question = server.begin(edit("a.txt", "one", "two"))
            server.send(result(question["id"], said))
            text = text_of(server.hear())
            check("the client sent no answer" in text and "Cause: cannot_ask" in text, f"{said}: {text}")
            check_equal(server.text("a.txt"), "one\n", "the file")


@test
def meanwhile_the_server_lives():
    """Pings are answered, cancellations obeyed, and answers to what nobody asked are nothing."""
    with Asking(files={"a.txt": "one\n"}) as server:
        question = server.begin(edit("a.txt", "one", "two"))
        server.send(result("emend-change-999", ALLOW), result("else", ALLOW), result(question["id"] + "x", ALLOW),
                    result(7, ALLOW), request("later", "tools/list"), request("p", "ping"))
        check_equal(server.hear(), result("p", {}), "the pong")
        server.send(mcp_test.cancel("call"))
        taken_back = server.hear()
        check_equal((taken_back["method"], taken_back["params"]["reason"]),
                    ("notifications/cancelled", "the call was cancelled"), "what the question becomes")
        check_equal(server.hear()["id"], "later", "what waited")
        check_equal(server.text("a.txt"), "one\n", "the file")


@test
def a_client_that_goes_refuses():
    server = Asking(files={"a.txt": "one\n"})
    with server:
        server.begin(edit("a.txt", "one", "two"))
        status, rest = server.end()
        check_equal(status, 0, "exit status")
        check("nobody can be asked any more" in text_of(rest[-1]), f"{rest}")
        check_equal(server.text("a.txt"), "one\n", "the file")
    with Asking(files={"a.txt": "one\n"}) as server:
        server.begin(edit("a.txt", "one", "two"))
        server.process.send_signal(signal.SIGTERM)
        check_equal(server.process.wait(mcp_test.LIMIT_S), 0, "exit status")
        check_equal(server.text("a.txt"), "one\n", "the file")


@test
def at_the_end_of_the_input_nothing_is_waited_for():
    """However many changes would have to be asked about."""
    calls = [request(i, "tools/call", edit("a.txt", "one", "two")) for i in range(1, 41)]
    with Asking(files={"a.txt": "one\n"}) as server:
        started = time.monotonic()
        server.send(*calls)
        status, rest = server.end()
        check(time.monotonic() - started < 5, "it took long")
        check_equal(status, 0, "exit status")
        answers = [message for message in rest if "result" in message]
        check_equal([message["id"] for message in answers], list(range(1, 41)), "all are answered")
        check(all(message["result"]["isError"] for message in answers), answers)
        check_equal(server.text("a.txt"), "one\n", "the file")


@test
def without_approve_nothing_is_asked():
    with Server(files={"a.txt": "one\n"}, version=None) as server:
        server.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": CAN_ASK,
                                  "clientInfo": {"name": "t", "version": "1"}})
        check(not is_error(server.ask("tools/call", edit("a.txt", "one", "two"))), "the answer")
        check_equal(server.before, [], "what came before")


# ---- The stateless era ----------------------------------------------------------------------------


def state_of(answer):
    """The state of an answer that is a question."""
    got = answer["result"]
    check_equal(got.get("resultType"), "input_required", f"{answer}")
    check_equal(set(got), {"resultType", "inputRequests", "requestState", "_meta"}, "fields")
    asked = got["inputRequests"]["change"]
    check_equal((asked["method"], asked["params"]["mode"]), ("elicitation/create", "form"), "the question")
    return got["requestState"]


@test
def a_stateless_call_is_asked_about_in_its_answer():
    call = edit("a.txt", "one", "two")
    with Asking(version=None, files={"a.txt": "one\n"}) as server:
        state = state_of(server.modern(call))
        check_equal(server.text("a.txt"), "one\n", "the file while it is asked")
        again = state_of(server.retry(call, state))
        check(again.startswith("emend1."), "it is asked again")
        state_of(server.retry(call, state, other=ALLOW))
        state_of(server.retry(call, state, change={"action": "accept", "content": {}}))
        answer = server.retry(call, state, change=ALLOW)
        check_equal((answer["result"]["resultType"], is_error(answer)), ("complete", False), "the answer")
        check_equal(server.text("a.txt"), "two\n", "the file")
        answer = server.retry(call, state, change=ALLOW)
        check(is_error(answer), "the same once more")


@test
def a_stateless_refusal_and_a_conflict():
    call = edit("a.txt", "one", "two")
    with Asking(version=None, files={"a.txt": "one\n"}) as server:
        state = state_of(server.modern(call))
        check("Not today" in text_of(server.retry(call, state, change=REFUSE)), "the reason")
        check("dismissed" in text_of(server.retry(call, state, change={"action": "cancel"})), "cancelled")
        check("refused" in text_of(server.retry(call, state, change={"action": "decline"})), "declined")
        (server.root / "a.txt").write_text("one\nby hand\n")
        answer = server.retry(call, state, change=ALLOW)
        check(is_error(answer) and "waited for a yes" in text_of(answer), text_of(answer))
        check_equal(server.text("a.txt"), "one\nby hand\n", "the file")


@test
def of_several_files_each_is_held_to_what_was_asked_about():
    def one(name):
        return {"file": name, "replaceOperations": [{"search": "one", "replace": "two"}]}

    files = {"a.txt": "one\n", "b.txt": "one\n"}
    for atomic in (False, True):
        call = {"name": "editFiles", "arguments": {"atomic": atomic, "edits": [one("a.txt"), one("b.txt")]}}
        with Asking(version=None, files=files) as server:
            state = state_of(server.modern(call))
            (server.root / "b.txt").write_text("one\nby hand\n")
            answer = server.retry(call, state, change={"action": "accept", "content": {"allow": True, "remember": "file"}})
            results = answer["result"]["structuredContent"]["results"]
            check("waited for a yes" in json.dumps(results[1]) and "waited for a yes" not in json.dumps(results[0]),
                  f"atomic {atomic}: {results}")
            check_equal((server.text("a.txt"), server.text("b.txt")), ("one\n" if atomic else "two\n", "one\nby hand\n"),
                        f"atomic {atomic}: the files")
            state_of(server.modern(edit("a.txt", "o", "x")))
    call = {"name": "writeFiles", "arguments": {"files": [{"file": "n.txt", "content": "x\n"},
                                                          {"file": "b.txt", "content": "x\n"}]}}
    with Asking(version=None, files=files) as server:
        state = state_of(server.modern(call))
        (server.root / "b.txt").write_text("by hand\n")
        results = server.retry(call, state, change=ALLOW)["result"]["structuredContent"]["results"]
        check_equal([r.get("cause") for r in results], [None, "changed"], f"{results}")
        check_equal((server.text("n.txt"), server.text("b.txt")), ("x\n", "by hand\n"), "the files")


@test
def a_state_is_good_for_what_it_was_made_for():
    call, other = edit("a.txt", "one", "two"), edit("a.txt", "one", "evil")
    with Asking(version=None, files={"a.txt": "one\n"}) as server:
        state = state_of(server.modern(call))
        wrong = [state[:-1] + ("0" if state[-1] != "0" else "1"), state.replace("emend1", "emend2"), state + "0",
                 "emend1." + state.split(".", 1)[1].replace(".", "0.", 1), "", "x" * 100000, "emend1.", "emend1..."]
        for bad in wrong:
            check_equal(code(server.retry(call, bad, change=ALLOW)), -32602, f"the state {bad[:40]}")
        check_equal(code(server.retry(other, state, change=ALLOW)), -32602, "other arguments")
        swapped = {"name": "write_file", "arguments": call["arguments"]}
        check_equal(code(server.retry(swapped, state, change=ALLOW)), -32602, "another tool")
        check_equal(code(server.modern({**call, "requestState": 7})), -32602, "a number")
        check_equal(code(server.modern({**call, "requestState": state, "inputResponses": []})), -32602, "a list")
        check_equal(server.text("a.txt"), "one\n", "the file")
        reordered = {"name": "edit_file", "arguments": dict(reversed(call["arguments"].items()))}
        check(not is_error(server.retry(reordered, state, change=ALLOW)), "the same in another order")
    with Asking(version=None, files={"a.txt": "one\n"}) as server:
        check_equal(code(server.retry(call, state, change=ALLOW)), -32602, "the state of another server")


@test
def a_state_expires():
    call = edit("a.txt", "one", "two")
    with Asking("--approve-timeout", "1ms", version=None, files={"a.txt": "one\n"}) as server:
        state = state_of(server.modern(call))
        mcp_test.time.sleep(0.01)
        answer = server.retry(call, state, change=ALLOW)
        check_equal(code(answer), -32602, "the code")
        check("expired" in answer["error"]["message"], answer["error"]["message"])


@test
def a_stateless_client_that_cannot_ask_is_told_so():
    with Asking(version=None, files={"a.txt": "one\n"}) as server:
        answer = server.modern(edit("a.txt", "one", "two"), capabilities={})
        check(is_error(answer) and "Cause: cannot_ask" in text_of(answer), text_of(answer))


@test
def what_a_stateless_user_remembers():
    with Asking(version=None, files={"a.txt": "one\n"}) as server:
        call = edit("a.txt", "one", "two")
        yes = {"action": "accept", "content": {"allow": True, "remember": "file"}}
        check(not is_error(server.retry(call, state_of(server.modern(call)), change=yes)), "the answer")
        check(not is_error(server.modern(edit("a.txt", "two", "three"))), "the next")
        state_of(server.modern({"name": "create_file", "arguments": {"file_path": "n.txt", "content": "x"}}))


@test
def what_passes_meanwhile_overrules_no_answer():
    one, two = edit("a.txt", "one", "1"), edit("a.txt", "two", "2")
    for remember in ("file", "tool"):
        for said, words in (({"action": "decline"}, "refused the change"), ({"action": "cancel"}, "dismissed"),
                            (REFUSE, "Not today"), (ALLOW, "waited for a yes")):
            with Asking(version=None, files={"a.txt": "one\ntwo\n"}) as server:
                state, other = state_of(server.modern(one)), state_of(server.modern(two))
                yes = {"action": "accept", "content": {"allow": True, "remember": remember}}
                check(not is_error(server.retry(two, other, change=yes)), "the yes that is remembered")
                answer = server.retry(one, state, change=said)
                check(is_error(answer) and words in text_of(answer), f"{remember}, {said}: {answer}")
                check_equal(server.text("a.txt"), "one\n2\n", f"{remember}, {said}: the file")
                check(not is_error(server.retry(one, state)), "without an answer it passes")


if __name__ == "__main__":
    sys.exit(harness.main(harness.TESTS_OF[__name__], __doc__, Server))
