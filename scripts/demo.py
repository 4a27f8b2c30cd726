#!/usr/bin/env python3
"""Plays a short conversation with `emend mcp` over a scratch copy of real source files.

    demo.py [--emend BINARY]      default: build/emend

Requests are shown in short, answers and diffs as they came. Each step checks what came and what is
on disk; the exit status is 1 if anything is not as the text says.
"""
import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
ANSWER_LIMIT_S = 10
SHOWN_LINES = 12

COLOURED = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
BOLD, DIM, RED, GREEN, CYAN, YELLOW = "1", "2", "31", "32", "36", "33"


class Wrong(Exception):
    """Something is not as the demo says."""


def paint(code, text):
    return f"\x1b[{code}m{text}\x1b[0m" if COLOURED else text


def say(text=""):
    print(text, flush=True)


def check(holds, what):
    if not holds:
        raise Wrong(what)


# ---- The client -----------------------------------------------------------------------------------


class Server:
    """`emend mcp`, one JSON-RPC message a line."""

    def __init__(self, emend, root, state):
        command = [emend, "mcp", "--root", root, "--state-dir", state, "--tools", "file-edit,simple"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        self.last_id = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        while True:
            try:
                message = self.lines.get(timeout=ANSWER_LIMIT_S)
            except queue.Empty:
                raise Wrong(f"no answer to {method} within {ANSWER_LIMIT_S} s") from None
            if message is None:
                raise Wrong(f"the server ended instead of answering {method}")
            if message.get("id") == self.last_id:
                check("result" in message, f"{method} was answered with {message.get('error')}")
                return message["result"]

    def call(self, tool, **arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def close(self):
        self.process.stdin.close()
        check(self.process.wait(ANSWER_LIMIT_S) == 0, "the server did not end well")


# ---- What is shown --------------------------------------------------------------------------------


def title(text):
    say()
    say(paint(BOLD, text))


def quoted(text):
    return json.dumps(text if len(text) <= 60 else text[:57] + "...", ensure_ascii=False)


def show_request(tool, path, edit, **rest):
    more = "".join(f", {name}: {json.dumps(value)}" for name, value in rest.items())
    say(f"  {paint(CYAN, '->')} {tool} {path}{more}")
    say(f"       {quoted(edit['old_text'])}")
    say(f"       becomes {quoted(edit['new_text'])}"
        + (f", {edit['occurrences']} times" if "occurrences" in edit else ""))


def show_text(result):
    lines = result["content"][0]["text"].rstrip("\n").split("\n")
    mark = paint(RED, "<- refused:") if result.get("isError") else paint(GREEN, "<-")
    say(f"  {mark} {lines[0]}")
    for line in lines[1:SHOWN_LINES]:
        say(f"     {line}".rstrip())
    if len(lines) > SHOWN_LINES:
        say(paint(DIM, f"     ... {len(lines) - SHOWN_LINES} more lines"))


def show_diff(result):
    colours = {"+": GREEN, "-": RED, "@": CYAN}
    for line in result["structuredContent"]["diff"]["unified"].splitlines():
        shown = line.rstrip("\r")
        if shown.startswith(("---", "+++")):
            say("     " + paint(BOLD, shown))
        else:
            say("     " + (paint(colours[shown[0]], shown) if shown[:1] in colours else shown))


def show_fact(text):
    say(f"     {paint(YELLOW, '*')} {text}")


# ---- The conversation -----------------------------------------------------------------------------


class Demo:
    def __init__(self, server, root):
        self.server = server
        self.root = root

    def bytes_of(self, name):
        return (self.root / name).read_bytes()

    def edit(self, path, old, new, occurrences=None, **rest):
        """One file_edit call, shown as it goes."""
        edit = {"old_text": old, "new_text": new}
        if occurrences is not None:
            edit["occurrences"] = occurrences
        show_request("file_edit", path, edit, **rest)
        return self.server.call("file_edit", path=path, edits=[edit], **rest)

    def done(self, result):
        check(not result.get("isError"), f"refused: {result['content'][0]['text']}")
        say(f"  {paint(GREEN, '<-')} {result['content'][0]['text'].splitlines()[0]}")
        show_diff(result)
        return result["structuredContent"]

    def refused(self, result, kind):
        check(result.get("isError"), "this call should have been refused")
        error = result["structuredContent"]["validation_error"]
        check(error["type"] == kind, f"expected {kind}, got {error['type']}")
        show_text(result)
        return error

    def one_edit(self):
        title("1. An edit")
        before = self.bytes_of("arena.c")
        self.done(self.edit("arena.c", "FIRST_BLOCK = 4096", "FIRST_BLOCK = 8192"))
        after = self.bytes_of("arena.c")
        check(after == before.replace(b"FIRST_BLOCK = 4096", b"FIRST_BLOCK = 8192"),
              "the file is not what the edit says")

    def wrong_count(self):
        title("2. A wrong count, and the call that the answer makes possible")
        before = self.bytes_of("arena.c")
        old, new = "LARGEST_SHARED_BLOCK", "SHARED_BLOCK_LIMIT"
        error = self.refused(self.edit("arena.c", old, new), "WRONG_COUNT")
        check(self.bytes_of("arena.c") == before, "a refused call changed the file")
        found = error["actual_occurrences"]
        check(found == before.count(old.encode()), "the count in the answer is wrong")
        show_fact("the file is untouched; the same call with the count from the answer:")
        self.done(self.edit("arena.c", old, new, occurrences=found))
        check(self.bytes_of("arena.c") == before.replace(old.encode(), new.encode()),
              "the file is not what the edit says")

    def dry_run(self):
        title("3. A dry run")
        before = self.bytes_of("status.c")
        facts = self.done(self.edit("status.c", "#include <stdio.h>\n",
                                    "#include <stdio.h>\n#include <string.h>\n", dry_run=True))
        check(facts["dry_run"] is True and facts["would_modify"] is True, "it was no dry run")
        check(self.bytes_of("status.c") == before, "a dry run changed the file")
        show_fact("nothing was written: the file is what it was, byte for byte")

    def windows_file(self):
        title("4. A file with CRLF line endings, edited with a text that has LF")
        name = "windows.c"
        before = self.bytes_of(name)
        old, new = "<stdarg.h>\n#include <stdio.h>\n", "<stdarg.h>\n#include <stdint.h>\n#include <stdio.h>\n"
        facts = self.done(self.edit(name, old, new))
        after = self.bytes_of(name)
        with_crlf = [text.replace("\n", "\r\n").encode() for text in (old, new)]
        check(before.count(with_crlf[0]) == 1 and after == before.replace(*with_crlf),
              "bytes changed that the edit does not name")
        check(after.count(b"\n") == after.count(b"\r\n"), "a line lost its CRLF")
        show_fact(f"all {after.count(bytes([10]))} lines end in CRLF, the new one too; "
                  f"the other {len(before)} bytes are as they were")
        return name, facts["hash"]

    def changed_meanwhile(self, name, known_hash):
        title("5. A file that somebody changed meanwhile")
        theirs = b"/* somebody else's line */\r\n"
        with open(self.root / name, "ab") as file:
            file.write(theirs)
        show_fact(f"another program appends a line to {name}")
        changed = self.bytes_of(name)
        old, new = "#include <stdint.h>", "#include <stdlib.h>"
        self.refused(self.edit(name, old, new, expected_hash=known_hash), "CONFLICT")
        check(self.bytes_of(name) == changed, "a refused call changed the file")
        show_fact("their line stays; reading again gives the hash of what is there now:")
        say(f"  {paint(CYAN, '->')} read_file {name}")
        read = self.server.call("read_file", file_path=name)
        fresh = read["_meta"]["emend/hash"]
        say(f"  {paint(GREEN, '<-')} {len(read['content'][0]['text'].encode())} bytes, hash {fresh}")
        self.done(self.edit(name, old, new, expected_hash=fresh))
        check(self.bytes_of(name) == changed.replace(old.encode(), new.encode()),
              "the file is not what both changes make")
        show_fact("both changes are in the file")

    def play(self):
        hello = self.server.request("initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "demo", "version": "1"}})
        self.server.send({"method": "notifications/initialized"})
        tools = [tool["name"] for tool in self.server.request("tools/list", {})["tools"]]
        info = hello["serverInfo"]
        say(f"{info['name']} {info['version']}, MCP {hello['protocolVersion']}, "
            f"tools: {', '.join(tools)}")
        self.one_edit()
        self.wrong_count()
        self.dry_run()
        self.changed_meanwhile(*self.windows_file())


def copy_sources(root):
    base = TOP / "src" / "base"
    for name in ("arena.c", "status.c"):
        shutil.copy(base / name, root)
    text = (base / "status.c").read_bytes()
    (root / "windows.c").write_bytes(text.replace(b"\n", b"\r\n"))


def show_plugging_in(emend):
    entry = {"mcpServers": {"emend": {"command": str(emend), "args": ["mcp", "--root", "/your/project"]}}}
    title("To use it")
    say("Claude Code, in your project's folder:")
    say(f'  claude mcp add emend -- {emend} mcp --root "$PWD"')
    say("Claude Desktop, Cursor and others that have a file of MCP servers:")
    say("\n".join("  " + line for line in json.dumps(entry, indent=2).splitlines()))
    say("Your own program, with the MCP SDK for Python or TypeScript:")
    say(f'  StdioServerParameters(command="{emend}", args=["mcp", "--root", "."])')
    say(f'  new StdioClientTransport({{command: "{emend}", args: ["mcp", "--root", "."]}})')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=TOP / "build" / "emend", type=Path)
    emend = parser.parse_args().emend.resolve()
    with tempfile.TemporaryDirectory(prefix="emend-demo-") as scratch:
        root, state = Path(scratch, "project"), Path(scratch, "state")
        root.mkdir()
        copy_sources(root)
        try:
            server = Server(emend, root, state)
            Demo(server, root).play()
            server.close()
            stray = sorted(p.name for p in root.iterdir())
            check(stray == ["arena.c", "status.c", "windows.c"], f"stray files: {stray}")
        except (Wrong, OSError, KeyError) as wrong:
            print(f"\nThe demo did not go as it should: {wrong!r}", file=sys.stderr)
            return 1
    show_plugging_in(emend)
    return 0


if __name__ == "__main__":
    sys.exit(main())
