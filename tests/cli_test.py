#!/usr/bin/env python3
"""Tests the commands of emend as a shell sees them.

    cli_test.py [--emend BINARY] [--verbose] [NAME...]      default: build/emend, every test

The last line is `N passed, N failed`.
"""
import json
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import harness
from harness import Folder, check, check_equal, check_in, test

LIMIT_S = 20
TOP = Path(__file__).resolve().parent.parent
COMMANDS = ["call", "batch", "edit", "dom", "mcp", "serve", "tools", "prompt", "log", "show", "undo", "redo",
            "checkpoint", "rewind", "gc", "doctor", "recover"]
SHARED = [command for command in COMMANDS if command not in ("tools", "prompt")]


# ---- Words and flags --------------------------------------------------------------------------


@test
def help_everywhere():
    with Folder() as folder:
        for words in ([], ["--help"], ["-h"], ["help"]):
            status, out, err = folder.run(*words)
            check_equal((status, err), (0, ""), words)
            for command in COMMANDS:
                check_in(f"  {command} ", out, words)
        for command in COMMANDS:
            status, out, err = folder.run(command, "--help")
            check_equal((status, err), (0, ""), command)
            check_equal(folder.run("help", command), (0, out, ""), f"help {command}")
            check_in(f"Usage: emend {command} ", out)
            check_equal("--lock-timeout" in out, command in SHARED, command)
            check(max(map(len, out.splitlines())) <= 120, f"wide lines in {command} --help")
        check_equal(folder.run("edit", "x", "-h", "--all")[0], 0, "-h among other words")


@test
def the_version():
    with Folder() as folder:
        status, out, err = folder.run("--version")
        check(status == 0 and re.fullmatch(r"emend \d+\.\d+\.\d+\n", out) and not err, out)


@test
def the_manual_knows_every_command_and_flag():
    manual = (TOP / "docs" / "emend.1").read_text(encoding="utf-8").replace("\\-", "-")
    with Folder() as folder:
        for command in COMMANDS:
            check(re.search(rf"^\.B {command}\b", manual, re.M), command)
            for flag in re.findall(r"^  (--[a-z-]+)", folder.run(command, "--help")[1], re.M):
                check_in(flag, manual, command)


@test
def wrong_words_end_with_2_and_name_the_right_one():
    rows = [
        (["edt"], "edit"), (["--hlep"], "--help"), (["--versoin"], "--version"), (["-V"], "did you mean --version?"), (["zzzzz"], "zzzzz"),
        (["edit", "--hepl"], "--help"), (["mcp", "--tool", "all"], "--tools"),
        (["call", "--lock-timout", "1s", "x"], "--lock-timeout"), (["mcp", "--grase=1"], "--grace"),
        (["edit", "--file", "a.txt"], "FILE stands without a flag"), (["log", "--file", "a.txt"], "did you mean --path?"),
        (["call", "nothing_like_it"], "'emend tools' lists"),
        (["tools", "--jsn"], "--json"), (["edit", "a.txt", "--dryrun"], "--dry-run"),
        (["edit"], "FILE"), (["call"], "TOOL"), (["edit", "a", "b"], "'b'"), (["mcp", "x"], "'x'"),
        (["tools", "a", "b"], "'b'"), (["prompt", "x"], "'x'"),
        (["edit", "a.txt"], "--old"), (["edit", "a.txt", "--old", "x"], "--new"),
        (["edit", "a.txt", "--old"], "TEXT"), (["edit", "a.txt", "--new", "x"], "--old"),
        (["edit", "a.txt", "--old", "x", "--new", "y", "--all", "--count", "2"], "--count"),
        (["edit", "a.txt", "--old", "x", "--new", "y", "--tolerant", "--match", "token"], "--match"),
        (["edit", "a.txt", "--old", "x", "--new", "y", "--match", "loose"], "whitespace"),
        (["edit", "a.txt", "--old", "x", "--new", "y", "--all=1"], "--all"), (["edit", "--help=1"], "--help takes no value"),
        (["edit", "a.txt", "--old", "x", "--new", "y", "--state-dir="], "--state-dir is empty"),
        (["mcp", "--state-dir", ""], "--state-dir is empty"),
        (["edit", "a.txt", "--old", "x", "--new", "y", "--count", "0"], "--count"),
        (["mcp", "--sync", "fast"], "full, data or off"), (["mcp", "--tools", "edit_fiel"], "edit_file"),
        (["prompt", "--tools", "nothing_like_it"], "nothing_like_it"),
        (["mcp", "--approve", "--approve-timeout", "0"], "above 0"),
        (["mcp", "--lock-timeout", "soon"], "soon"), (["mcp", "--max-file-size", "0"], "--max-file-size"),
        (["call", "edit_fil"], "edit_file"), (["call", "site"], "'emend tools site'"), (["tools", "siet"], "'site'"),
        (["tools", "red_file"], "read_file"),
        (["call", "undo", "--read-only"], "undo"), (["recover", "--keep", "both"], "target or stray"),
        (["recover", "--keep", "target"], "--keep"),
        (["--root", ".", "edit", "a.txt"], "'--root' before a command; flags stand behind it"),
        (["edit"], "it takes FILE; the texts come as --old TEXT --new TEXT"),
        (["edit", "", "--old", "x", "--new", "y"], "FILE is empty"), (["dom", "", "p", "remove"], "FILE is empty"),
        (["undo", ""], "CHANGE is empty"), (["rewind", ""], "NAME is empty"), (["call", ""], "TOOL is empty"),
        (["checkpoint", ""], "NAME is empty"), (["show", ""], "CHANGE is empty"), (["tools", ""], "NAME is empty"),
        (["recover", ""], "CHANGE|TRANSACTION|FILE is empty"), (["log", "--path", ""], "--path is empty; it takes PATH"),
        (["log", "--tool="], "--tool is empty"), (["log", "--client="], "--client is empty"),
        (["log", "--session="], "--session is empty"), (["serve", "--token-file="], "--token-file is empty"),
        (["edit", "a.txt", "--old", "x", "--new", "y", "--encoding="], "--encoding is empty"),
    ]
    with Folder(a_txt="x\n") as folder:
        for words, want in rows:
            status, out, err = folder.run(*words)
            check_equal((status, out), (2, ""), words)
            check_in(want, err, words)
            check(err.startswith("emend"), err)
        check_equal(folder.read("a.txt"), b"x\n", "file")


@test
def a_state_directory_that_is_none():
    with Folder(a_txt="x\n") as folder:
        for words in (["edit", "a.txt", "--old", "x", "--new", "y"], ["recover"], ["undo"]):
            status, out, err = folder.run(*words, "--state-dir", "/dev/null")
            check_equal((status, out), (1, ""), words)
            check_in("open the state directory /dev/null: Not a directory", err)


@test
def a_root_that_is_not_there():
    with Folder() as folder:
        for words in (["mcp"], ["doctor"], ["recover"], ["edit", "a", "--old", "x", "--new", "y"]):
            status, out, err = folder.run(*words, "--root", folder.base / "nowhere")
            check_equal((status, out), (2, ""), words)
            check_in(f"cannot work in the root: open {folder.base}/nowhere: No such file or directory\n", err)


# ---- dom ----------------------------------------------------------------------------------------

PAGE = '<!DOCTYPE html>\n<body>\n  <h1 id=t>Old</h1>\n  <p class="a">x</p>\n  <p>y</p>\n</body>\n'


@test
def elements_are_changed_by_selector():
    rows = [
        (["h1", "setText", "A < B"], "Old", "A &lt; B"), (["h1", "setHTML", "<b>n</b>"], "Old", "<b>n</b>"),
        (["#t", "setAttribute", "id", "u"], "id=t", "id=u"), (["#t", "removeAttribute", "id"], " id=t", ""),
        ([".a", "addClass", "b"], '"a"', '"a b"'), ([".a", "removeClass", "a"], '"a"', '""'),
        ([".a", "replaceClass", "a", "c"], '"a"', '"c"'), ([".a", "remove"], '  <p class="a">x</p>\n', ""),
        (["h1", "insertAdjacentHTML", "beforeend", "<i>!</i>"], "Old", "Old<i>!</i>"),
        (["p", "setAttribute", "lang", "en", "--all"], 'class="a">x</p>\n  <p>',
         'class="a" lang="en">x</p>\n  <p lang="en">'),
    ]
    for words, old, new in rows:
        with Folder(p_html=PAGE) as folder:
            status, out, err = folder.run("dom", "p.html", *words)
            check_equal((status, err), (0, ""), words)
            check_in("+++ b/p.html", out)
            check_equal(folder.read("p.html"), PAGE.replace(old, new).encode(), words)


@test
def what_a_selector_matches_too_often_is_told_in_words_of_the_shell():
    rows = [([], "use a selector that matches only that one.\n", "\nWith --all it is done to all of them.\n"),
            (["--count", "3"], '"p" matches 2 elements, expected 3.\n', "\nGive the right --count, or --all.\n")]
    for flags, sentence, advice in rows:
        with Folder(p_html=PAGE) as folder:
            status, _, err = folder.run("dom", "p.html", "p", "remove", *flags)
            check_equal((status, sentence in err, err.endswith(advice), '"all"' in err), (1, True, True, False), err)


@test
def elements_that_are_not_there_are_told():
    rows = [
        (["h1.x", "remove"], 1, 'p.html: no element matches "h1.x"'), (["p", "remove"], 1, "With --all"),
        (["p.x:y", "remove"], 1, 'did you mean "p.x\\:y"?'), (["p", "paint"], 2, "it is one of setAttribute"),
        (["p", "delete"], 2, "there is no action 'delete'; did you mean remove?"),
        (["p", "toggleClass", "x"], 2, "there is no action 'toggleClass'. Say which of the two is meant, addClass or"),
        (["p", "setTex", "x"], 2, "there is no action 'setTex'; did you mean setText?"),
        (["p", "setStyl", "x"], 2, "there is no action 'setStyl'; it is one of "),
        (["p", "append", "x"], 2, "there is no action 'append'; did you mean insertAdjacentHTML beforeend?"),
        (["p", "settext", "x"], 2, "there is no action 'settext'; did you mean setText?"),
        (["p", "addClass", ""], 2, "emend dom: CLASS names no class\n"),
        (["p", "replaceClass", "a", " "], 2, "emend dom: NEW names no class\n"),
        (["p", "setText"], 2, "setText takes FILE SELECTOR ACTION TEXT"),
        (["p", "remove", "x"], 2, "remove takes no further words"), (["p", "setText", "a", "b", "c"], 2, "quote"),
        (["p", "remove", "--all", "--count", "2"], 2, "exclude each other"),
        (["p", "insertAdjacentHTML", "before", "x"], 2, "POSITION must be beforebegin"),
    ]
    for words, want, part in rows:
        with Folder(p_html=PAGE) as folder:
            status, out, err = folder.run("dom", "p.html", *words)
            check_equal((status, out), (want, ""), words)
            check_in(part, err)
            check_equal(folder.read("p.html"), PAGE.encode(), words)


# ---- edit -------------------------------------------------------------------------------------

TEXT = "one\ntwo\nthree two\nfour\n"


@test
def an_edit_prints_a_diff_that_applies():
    with Folder(a_txt=TEXT, b_txt=TEXT) as folder:
        status, out, err = folder.run("edit", "a.txt", "--old", "three", "--new", "3")
        check_equal((status, err), (0, ""), "done")
        check_equal(out, "--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,4 @@\n one\n two\n-three two\n+3 two\n"
                    " four\n", "diff")
        check_equal(folder.read("a.txt"), TEXT.replace("three", "3").encode(), "file")
        subprocess.run(["patch", "-p1", "-s", "b.txt"], cwd=folder.path, input=out.encode(),
                       check=True)
        check_equal(folder.read("b.txt"), folder.read("a.txt"), "patched")


@test
def texts_without_their_flags_are_told_how():
    with Folder(a_txt=TEXT) as folder:
        status, out, err = folder.run("edit", "a.txt", "three", "3")
        check_equal((status, out), (2, ""), "status")
        check_in("one word too many: 'three'; the texts come as --old TEXT --new TEXT", err)


@test
def a_dry_run_does_nothing():
    with Folder(a_txt=TEXT) as folder:
        status, out, _ = folder.run("edit", "a.txt", "--old", "three", "--new", "3", "--dry-run")
        check_equal(status, 0, "status")
        check_in("+3 two", out)
        check_equal(folder.read("a.txt"), TEXT.encode(), "file")
        check(not (folder.base / "state").exists(), "state")


@test
def how_often_it_must_stand_there():
    rows = [
        (["--all"], 0, TEXT.replace("two", "2")), (["--count", "2"], 0, TEXT.replace("two", "2")),
        (["--count=3"], 1, TEXT), ([], 1, TEXT),
    ]
    for flags, want, after in rows:
        with Folder(a_txt=TEXT) as folder:
            status, out, err = folder.run("edit", "a.txt", "--old", "two", "--new", "2", *flags)
            check_equal(status, want, flags)
            check_equal(folder.read("a.txt"), after.encode(), flags)
            if want:
                check_equal(out, "", flags)
                check_in("stands there 2 times", err)
                check_in("2: two\n", err)
                check_in("3: three two\n", err)


@test
def more_text_is_asked_for_where_it_helps():
    rows = [(["--old", "two"], True), (["--old", "one", "--count", "5"], False),
            (["--old", "two", "--count", "5"], False), (["--old", "o", "--count", "2"], True)]
    with Folder(a_txt=TEXT) as folder:
        for words, helps in rows:
            status, _, err = folder.run("edit", "a.txt", *words, "--new", "x")
            check_equal((status, "more of the text" in err, "--all" in err), (1, helps, True), f"{words}: {err}")


@test
def a_text_at_very_many_places_is_counted_in_little_memory():
    """What is told of each place takes bytes as well: kept are those that are told, or changed."""
    with Folder(a_txt="x" * 10_000_001) as folder:
        status, _, err = folder.run("edit", "a.txt", "--old", "x", "--new", "y", "--max-memory", "64M")
        check_equal(status, 1, err)
        check_in("stands there 10000001 times, not 1", err)
        check_in("At most 10000000 are changed at once: give more of the text", err)
        check("--all" not in err, err)
        status, _, err = folder.run("edit", "a.txt", "--old", "x", "--new", "y", "--count",
                                    "10000001", "--max-memory", "64M")
        check_equal(status, 1, err)
        check_in("10000001 places; at most 10000000 are changed at once", err)


@test
def a_million_places_without_a_gap_are_changed_in_little_memory():
    with Folder(a_txt="x" * 1_000_000) as folder:
        status, _, err = folder.run("edit", "a.txt", "--old", "x", "--new", "yz", "--all",
                                    "--max-memory", "150M")
        check_equal((status, err), (0, ""), "status")
        check(folder.read("a.txt") == b"yz" * 1_000_000, "the file")


@test
def a_file_for_which_there_is_no_memory_is_told_as_that():
    """It is not said to hold nothing that is like a text that was not looked for in it."""
    limits = ("--max-memory", "32M", "--max-file-size", "1G")
    miss = {"file": "a.txt", "operations": [{"search": "the last  line", "replace": "x"}], "returnContent": False}
    pattern = {"file_path": "a.txt", "edits": [{"old_text": "la.t", "new_text": "x", "regex": True}]}
    with Folder(a_txt="some text of a line\n" * (3 << 20) + "the last line\n") as folder:
        if "relaxed" in folder.run("doctor")[1]:  # what sanitizers and counters take is not limited
            return
        status, out, err = folder.run("call", "editFile", *limits, stdin=json.dumps(miss))
        check_equal((status, err, "Nothing like it" in out), (1, "", False), out)
        check_in("was not searched for what is like the search text", out)
        status, out, err = folder.run("call", "mcp__editor__Edit", *limits, stdin=json.dumps(pattern))
        check_equal((status, err, "--max-file-size" in out), (1, "", False), out)
        check_in("more than there is memory for\n--max-memory allows more", out)


@test
def an_encoding_is_named_by_a_flag():
    latin = "<p>caf\u00e9 one</p>\n".encode("latin-1")
    rows = [(["edit", "a.html", "--old", "one", "--new", "\u00e9"], latin.replace(b"one", b"\xe9")),
            (["dom", "a.html", "p", "setText", "\u00e9"], b"<p>\xe9</p>\n")]
    for words, want in rows:
        with Folder(a_html=latin) as folder:
            status, _, err = folder.run(*words)
            check_equal(status, 1, err)
            check_in("--encoding NAME", err)
            check_equal(folder.run(*words, "--encoding", "latin1")[0], 0, words)
            check_equal(folder.read("a.html"), want, words)
            check_equal(folder.run(*words, "--encoding", "latn1")[0], 1, "an unknown one")


@test
def many_places_are_told_in_short():
    with Folder(a_txt="x\n" * 150) as folder:
        status, _, err = folder.run("edit", "a.txt", "--old", "x", "--new", "y")
        check_equal(status, 1, "status")
        check_in("150 times", err)
        check_in("and 140 more", err)
        check(len(err.splitlines()) < 15, err)


@test
def pairs_are_done_in_order_or_not_at_all():
    with Folder(a_txt=TEXT) as folder:
        status, out, _ = folder.run("edit", "a.txt", "--old", "one", "--new", "1",
                                    "--old", "1\ntwo", "--new", "1\n2")
        check_equal(status, 0, out)
        check_equal(folder.read("a.txt"), b"1\n2\nthree two\nfour\n", "file")
        status, out, err = folder.run("edit", "a.txt", "--old", "2", "--new", "II",
                                      "--old", "absent", "--new", "x")
        check_equal((status, out), (1, ""), err)
        check_in("edit 2 of 2: a.txt: the search text does not stand in the file", err)
        check_equal(folder.read("a.txt"), b"1\n2\nthree two\nfour\n", "file")


@test
def slips_are_forgiven_where_that_is_asked_for():
    file = "if (x) {\n\tgo(1);\n}\nlet a;\nlet  a;\n"
    old, new = "if (x) {\n    go(1);", "if (x) {\n    go(2);"
    with Folder(a_txt=file) as folder:
        status, out, err = folder.run("edit", "a.txt", "--old", old, "--new", new)
        check_equal((status, out), (1, ""), err)
        check_in("Most similar text (", err)
        check_in("   2 | \u2192go(1);", err)
        check_in("With --tolerant it would be changed there.", err)
        _, _, err = folder.run("edit", "a.txt", "--old", "if (x) {\n\tgo(1)\n", "--new", "if (y) {\n\tgo(1)\n")
        check_in("Extra ';' after 'go(1)'", err)
        check("--tolerant" not in err, "what no tier takes: " + err)
        for words in (["--tolerant"], ["--match", "whitespace"], ["--match=fuzzy"]):
            folder.write("a.txt", file)
            status, out, err = folder.run("edit", "a.txt", "--old", old, "--new", new, *words)
            check_equal(status, 0, err)
            check_in("+\tgo(2);\n", out)
            check_in("Edit 1: --old does not stand there exactly; it was found at tier whitespace, "
                     "score 1.00, lines 1-2\n", err)
            check_equal(folder.read("a.txt"), file.replace("1", "2").encode(), words)
        status, _, err = folder.run("edit", "a.txt", "--old", "let a  ;", "--new", "x", "--tolerant")
        check_equal(status, 1, err)
        check_in("stands there 2 times, not 1", err)
        check_in("None of them is exact: they match at tier token", err)
        status, _, err = folder.run("edit", "a.txt", "--old", "LET A;\nlet  a;", "--new", "x")
        check_equal(status, 1, err)
        check("--tolerant" not in err, err)


def typed_again(folder, want, *words):
    """What a refused command says to type, as a shell takes it."""
    status, out, err = folder.run(*words)
    check_equal((status, out), (1, ""), err)
    before, found, line = err.partition("ype this instead:\n" if "type this:\n" not in err else "type this:\n")
    check(found, f"{words}: {err}")
    check_equal(line.rstrip("\n"), want, words)
    env = {**folder.env, "PATH": f"{Path(folder.emend).parent}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", line], cwd=folder.path, env=env, capture_output=True, text=True,
                          timeout=LIMIT_S)


@test
def a_refusal_says_what_to_type_instead():
    code = "def f():\n    x = 1\n    return x\n"
    block = "<<<<<<< SEARCH\n    x = 1\n=======\n    x = 10\n>>>>>>> REPLACE\n"
    patch = "--- a/a.py\n+++ b/a.py\n@@ -2,2 +2,2 @@\n-    x = 1\n+    x = 10\n     return x\n"
    old, new = "x = 1", "x = 10"
    rows = [
        (code, ["a.py", "--old", block, "--new", ""], f"a.py --old '    {old}' --new '    {new}'"),
        (code, ["--tolerant", "--sync=off", "a.py", "--old", block, "--new", ""],
         f"a.py --tolerant --sync off --old '    {old}' --new '    {new}'"),
        (code, ["a.py", "--old", patch, "--new", ""],
         f"a.py --old '    {old}\n    return x' --new '    {new}\n    return x'"),
        (code, ["A.PY", "--old", old, "--new", new], f"a.py --old '{old}' --new '{new}'"),
        (code, ["./src/a.py", "--old", f"\t{old}", "--new", f"\t{new}"], f"a.py --old '    {old}' --new '    {new}'"),
        (code.replace("    ", "\t"), ["a.py", "--old", f"  {old}\n  return x", "--new", f"  {new}\n  return x"],
         f"a.py --old $'\\t{old}\n\\treturn x' --new $'\\t{new}\n\\treturn x'"),
        (code, ["a.py", "--old", "x  = 1", "--new", "x  = 10", "--old", "f()", "--new", "g()"],
         f"a.py --old '{old}' --new '{new}' --old 'f()' --new 'g()'"),
        (code, ["a.py", *["--old", f"{old}\n", "--new", f"{new}\n"] * 2], f"a.py --old '{old}\n' --new '{new}\n'"),
    ]
    for file, words, want in rows:
        with Folder(a_py=file) as folder:
            done = typed_again(folder, f"emend edit {want}", "edit", *words)
            check_equal((done.returncode, done.stderr), (0, ""), words)
            check_in(f"{new}\n", folder.read("a.py").decode(), words)
    with Folder(a_py=code) as folder:
        done = typed_again(folder, f"emend edit a.py --old '{old}' --new it --old absent --new x", "edit", "a.py",
                           "--old", "x  = 1", "--new", "it", "--old", "absent", "--new", "x")
        check_equal(done.returncode, 1, done.stderr)  # as was said: Edit 2 would fail next
        status, _, err = folder.run("edit", "a.py", "--old", "nothing of the kind", "--new", "x")
        check_equal(status, 1, err)
        check("ype this" not in err, err)


@test
def a_refused_operation_says_what_to_type_instead():
    page = "<p class='md:x'>a</p>\n<b class='c'>b</b>\n"
    rows = [
        (page, ["a.html", ".md:x", "setText", "it's"], "a.html '.md\\:x' setText 'it'\\''s'"),
        (page, ["--all", "--", "a.html", "p:first-of-typ", "setAttribute", "id", "-1"],
         "--all -- a.html p:first-of-type setAttribute id -1"),
        (page, ["A.HTML", "p", "remove"], "a.html p remove"),
        (page, ["a.html", "p", "replaceClass", "md_x", "c"], "a.html p replaceClass md:x c"),
        (b"<meta charset='iso-8859-1'><p>\xe9</p>", ["a.html", "p", "setText", "\xe8"],
         "a.html p setText '\xe8' --encoding iso-8859-1"),
    ]
    for file, words, want in rows:
        with Folder(a_html=file) as folder:
            done = typed_again(folder, f"emend dom {want}", "dom", *words)
            check_equal((done.returncode, done.stderr), (0, ""), words)
            check(folder.read("a.html") != file, words)


@test
def any_text_can_be_a_value():
    with Folder(a_txt="--all -x\n") as folder:
        check_equal(folder.run("edit", "--old", "--all", "--new", "--", "a.txt")[0], 0, "flags")
        check_equal(folder.read("a.txt"), b"-- -x\n", "file")
        check_equal(folder.run("edit", "--old=-- -x", "--new=", "--", "a.txt")[0], 0, "equals")
        check_equal(folder.read("a.txt"), b"\n", "file")
        folder.write("-b", "x")
        check_equal(folder.run("edit", "--old", "x", "--new", "y", "--", "-b")[0], 0, "a file")
        check_equal(folder.read("-b"), b"y", "file")


@test
def refusals_end_with_1_and_change_nothing():
    rows = [
        (["missing.txt", "--old", "x", "--new", "y"], "missing.txt"),
        (["A.txt", "--old", "one", "--new", "y"], "File not found: A.txt\nDid you mean a.txt?"),
        (["a.txt", "--old", "absent", "--new", "y"], "does not stand"),
        (["a.txt", "--old", "one", "--new", "one"], "the same"),
        (["a.txt", "--old", "", "--new", "y"], "An empty --old fills an empty file only."),
        (["a.txt", "--old", "one", "--new", "\udcff"], "encoding the file has: byte 0"),
        (["a.txt", "--old", "two\nthree", "--new", "// ... existing code ..."],
         '"// ... existing code ..."\nGive all that is to stand there.\n'
         'Where it is to stand there just so: --placeholders allow.\n'),
        (["a.txt/", "--old", "one", "--new", "y"],
         "File not found: a.txt/ (a.txt is no folder)\nDid you mean a.txt?\nType this instead:\n"
         "emend edit a.txt --old one --new y\n"),
        (["../a.txt", "--old", "x", "--new", "y"], "--root DIR"),
        (["/etc/hostname", "--old", "x", "--new", "y"], "--root DIR"),
        ([".", "--old", "x", "--new", "y"], "ot a file"),
        (["bin", "--old", "x", "--new", "y"],
         "binary: bin (it holds NUL bytes)\nIf it is text, name its encoding: --encoding NAME"),
        (["damaged", "--old", "x", "--new", "y"], "says utf-16le, but byte 4 is not valid)\n"),
        (["dangling", "--old", "x", "--new", "y"], "(dangling is a link that leads nowhere)"),
        (["utf8", "--old", "x", "--new", "\xfc", "--encoding", "latin1"], "the file is UTF-8"),
        (["utf8", "--old", "\xe9", "--new", "y", "--encoding", "latin1"],
         "written otherwise\nName the file's encoding, or leave --encoding out."),
        (["a.txt", "--old", "one", "--new", "y", "--encoding", "utf-16"],
         "no NUL\nName the file's encoding, or leave --encoding out."),
        (["nothing", "--old", "x", "--new", "y"], "The file is empty: an empty --old fills it."),
        ([".git/config", "--old", "x", "--new", "y"], "denied"),
        (["a.txt", "--old", "one", "--new", "1", "--deny", "*.txt"], "denied"),
        (["a.txt", "--old", "one", "--new", "1", "--allow", "*.md"], "denied"),
        (["a.txt", "--old", "one", "--new", "1", "--read-only"], "denied"),
        (["a.txt", "--old", "one", "--new", "1", "--max-file-size", "5"], "too large"),
        (["a.txt", "--old", "one", "--new", "1", "--old", "two", "--new", "2", "--max-edits", "1"],
         "oo many edits"),
    ]
    with Folder(a_txt=TEXT, bin=b"x\0y", damaged=b"\xff\xfea\0b", nothing="",
                utf8=b"\xc3\xa9 x\n") as folder:
        (folder.path / ".git").mkdir()
        (folder.path / "dangling").symlink_to("nowhere")
        folder.write(".git/config", "x")
        for words, want in rows:
            status, out, err = folder.run("edit", *words)
            check_equal((status, out), (1, ""), f"{words}: {err}")
            check_in(want, err, words)
        check_equal(folder.read("a.txt"), TEXT.encode(), "file")


@test
def a_file_so_large_that_it_is_written_while_it_is_searched():
    mb = 1 << 20
    with Folder() as folder:
        def lines(count, ending):
            line = b"the same line, many times over" + ending
            return line * (count // len(line))

        for ending in (b"\n", b"\r\n"):
            front, back = lines(20 * mb, ending), lines(15 * mb, ending)
            one = b"just" + ending + b"one place" + ending
            for before, after in ((front, back), (b"", front + back), (front + back, b"")):
                folder.write("big.c", before + one + after)
                new = b"another" + ending + b"place" + ending + b"it is" + ending
                for old, come in (("just\none place\n", "another\nplace\nit is\n"), ("one place", "1")):
                    want = before + (new if "just" in old else one.replace(b"one place", b"1")) + after
                    status, _, err = folder.run("edit", "big.c", "--old", old, "--new", come)
                    check_equal((status, err), (0, ""), old)
                    check(folder.read("big.c") == want, f"{old!r} with {ending!r}: other bytes")
                    check_equal(folder.run("undo")[0], 0, "undo")
                    check(folder.read("big.c") == before + one + after, "undone: other bytes")
            for old in ("the same line, many times over", "nowhere"):
                check_equal(folder.run("edit", "big.c", "--old", old, "--new", "x")[0], 1, old)
                check(folder.read("big.c") == before + one + after, "refused: other bytes")
        check_equal([path.name for path in folder.path.iterdir()], ["big.c"], "what is left")


@test
def flags_that_allow_more():
    with Folder(a_txt=TEXT) as folder:
        (folder.path / ".git").mkdir()
        folder.write(".git/config", "x")
        for words in (["--root", folder.path, folder.path / "a.txt", "--old", "one", "--new", "1"],
                      ["--placeholders", "allow", "a.txt", "--old", "four", "--new", "# ... rest ..."],
                      ["--allow", ".git/config", ".git/config", "--old", "x", "--new", "y"],
                      ["--no-history", "a.txt", "--old", "1", "--new", "one", "--sync", "off"]):
            status, _, err = folder.run("edit", *words)
            check_equal((status, err), (0, ""), words)


@test
def a_broken_link_is_warned_of():
    with Folder(a_txt=TEXT) as folder:
        os.link(folder.path / "a.txt", folder.path / "b.txt")
        status, _, err = folder.run("edit", "a.txt", "--old", "one", "--new", "1")
        check_equal(status, 0, err)
        check_in("emend edit: warning: ", err)
        check_in("link", err)


# ---- Terminals --------------------------------------------------------------------------------


@test
def a_terminal_gets_colours_and_a_summary():
    with Folder(a_txt=TEXT) as folder:
        status, shown = folder.run_on_terminal("edit", "a.txt", "--old", "one", "--new", "1")
        check_equal(status, 0, shown)
        check_in("\033[31m-one\033[m\n\033[32m+1\033[m\n", shown)
        check(re.search(r"^1 replacement in a\.txt, edit \S+$", shown, re.M), shown)
        _, shown = folder.run_on_terminal("edit", "a.txt", "--old", "two", "--new", "2", "--all",
                                          "--dry-run")
        check_in("2 replacements in a.txt (dry run: nothing was written)\n", shown)


@test
def colours_can_be_declined():
    with Folder(a_txt=TEXT) as folder:
        for env, colour in (({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True),
                            ({"TERM": "dumb"}, False), ({}, True)):
            _, shown = folder.run_on_terminal("edit", "a.txt", "--old", "one", "--new", "1",
                                              "--dry-run", env=env)
            check_equal("\033[" in shown, colour, env)
            check_in("+1", shown)


@test
def what_files_hold_does_not_act_on_a_terminal():
    evil = "one \033]0;title\a \u202e\u200b\x9b31m\n"
    with Folder() as folder:
        folder.write("a.txt", evil)
        status, shown = folder.run_on_terminal("edit", "a.txt", "--old", "one", "--new", "two",
                                               "--dry-run")
        check_equal(status, 0, shown)
        check_in("+two \\x1B]0;title\\x07 \\u{202E}\\u{200B}\\u{009B}31m", shown)
        _, out, _ = folder.run("edit", "a.txt", "--old", "one", "--new", "two", "--dry-run")
        check_in("+two" + evil[3:], out)
        name = "\033[2J.txt"
        _, shown = folder.run_on_terminal("edit", name, "--old", "x", "--new", "y")
        check("\033" not in shown, shown)
        arguments = json.dumps({"file_path": "a.txt"}).encode()
        (folder.path / "args").write_bytes(arguments)
        _, shown = folder.run_on_terminal("call", "read_file", "args")
        check("\033" not in shown and "\\x1B" in shown, shown)


@test
def json_is_laid_out_on_a_terminal_only():
    arguments = {"path": "a.txt", "edits": [{"old_text": "one", "new_text": "1"}], "dry_run": True}
    with Folder(a_txt=TEXT) as folder:
        folder.write("args", json.dumps(arguments))
        _, shown = folder.run_on_terminal("call", "file_edit", "args")
        _, out, _ = folder.run("call", "file_edit", "args")
        check_equal(json.loads(shown), json.loads(out), "the same object")
        check(out.count("\n") == 1 and shown.count("\n") > 10, "layout")


@test
def who_types_is_told_what_to_type():
    with Folder(a_txt="x") as folder:
        status, shown = folder.run_on_terminal("call", "read_file",
                                               stdin=b'{"file_path": "a.txt"}\n\x04')
        check_equal(status, 0, shown)
        check_in("Type the arguments", shown)
        check(shown.endswith("x\n"), shown)
        status, shown = folder.run_on_terminal("mcp", stdin=b"\x04")
        check_equal(status, 0, shown)
        check_in("This is a server", shown)


# ---- call -------------------------------------------------------------------------------------


@test
def a_call_prints_what_the_tool_answers():
    with Folder(a_txt="one\nno end") as folder:
        arguments = json.dumps({"file_path": "a.txt"})
        folder.write("args", arguments)
        for words, stdin in ((["args"], ""), (["-"], arguments), ([], arguments)):
            status, out, err = folder.run("call", "read_file", *words, stdin=stdin)
            check_equal((status, out, err), (0, "one\nno end", ""), words)
        none = folder.run("call", "read_file", stdin="{}")
        for nothing in ("null", "", " \n"):
            check_equal(folder.run("call", "read_file", stdin=nothing), none, "no arguments")
        check_equal(none[0], 1, none)
        edit = {"path": "a.txt", "edits": [{"old_text": "one", "new_text": "1"}]}
        status, out, _ = folder.run("call", "file_edit", stdin=json.dumps(edit))
        check_equal(status, 0, out)
        check(isinstance(json.loads(out), dict), out)
        check_equal(folder.read("a.txt"), b"1\nno end", "file")


def many_edits(count):
    """A file, a call that changes each of its lines, and what comes of it."""
    lines = [f"this is line number {i} of the file\n" for i in range(count)]
    edits = [{"old_text": line, "new_text": line.replace("line", "row")} for line in lines]
    return "".join(lines), json.dumps({"path": "a.txt", "edits": edits}), \
        "".join(edit["new_text"] for edit in edits).encode()


@test
def a_call_of_thousands_of_edits():
    before, arguments, after = many_edits(5000)
    with Folder() as folder:
        folder.write("args", arguments)
        for words, stdin in ((["args"], ""), ([], arguments)):
            folder.write("a.txt", before)
            status, out, err = folder.run("call", "file_edit", "--max-edits", 5000, *words, stdin=stdin)
            check_equal((status, err), (0, ""), words)
            check_in("Applied 5000 edits", out, words)
            check(folder.read("a.txt") == after, words)


@test
def faults_of_a_call_of_thousands_of_edits():
    """Two threads look over them, and both find one whose value has another in it."""
    packed = "[" + ",".join(['"x"'] * 20_000) + "]"
    edits = [{"old_text": f"a{i}", "new_text": f"b{i}"} for i in range(4_000)]
    edits[1_999]["occurrences"] = edits[3_999]["occurrences"] = packed
    call = json.dumps({"path": "a.txt", "edits": edits})
    with Folder(a_txt=TEXT) as folder:
        status, out, err = folder.run("call", "file_edit", "--max-edits", "5000", stdin=call)
        check_equal((status, err), (1, ""), "status")
        for at in (1_999, 3_999):
            check_in(f"edits[{at}].occurrences must be an integer", out, "fault")


@test
def a_call_for_which_there_is_no_memory():
    before, arguments, after = many_edits(5000)
    with Folder(a_txt=before) as folder:
        for mb in range(8, 64, 4):
            def limit(most=mb << 20):
                resource.setrlimit(resource.RLIMIT_AS, (most, most))

            if folder.run("--version", preexec_fn=limit)[0] != 0:
                continue  # there is not even room to begin, as with sanitizers
            status, out, err = folder.run("call", "file_edit", "--max-edits", 5000, stdin=arguments,
                                          preexec_fn=limit)
            check(status in (0, 1, 2), f"{mb} MB: exit status {status}")
            check(status == 0 or "memory" in out + err, f"{mb} MB: {out[:200]} {err}")
            check(folder.read("a.txt") == (after if status == 0 else before.encode()), f"{mb} MB")
            folder.write("a.txt", before)


@test
def a_call_that_is_refused_ends_with_1():
    with Folder(a_txt=TEXT) as folder:
        for tool, arguments in (("edit_file", {"file_path": "a.txt", "old_string": "two",
                                               "new_string": "2"}),
                                ("edit_file", {"file_path": "a.txt"}), ("edit_file", {}),
                                ("file_edit", {"path": "a.txt", "edits": []}),
                                ("read_file", {"file_path": "missing"}),
                                ("read_file", {"file_path": "a.txt", "start_line": 10**30})):
            status, out, err = folder.run("call", tool, stdin=json.dumps(arguments))
            check_equal((status, err), (1, ""), f"{tool} {arguments}: {out}")
            check(out, "it says nothing")
        check_equal(folder.read("a.txt"), TEXT.encode(), "file")


@test
def arguments_that_are_none_end_with_2():
    with Folder(a_txt=TEXT) as folder:
        for stdin, want in (("{oops", "not JSON"), ("[]", "object"),
                            ('"x"', "object"), ('{"a":1,"a":2}', "duplicate"),
                            (b'{"a":"\xff"}', "not JSON"), ("{} {}", "not JSON")):
            status, out, err = folder.run("call", "read_file", stdin=stdin)
            check_equal((status, out), (2, ""), stdin)
            check_in(want, err, stdin)
        for name in ("no-such-file", "."):
            status, _, err = folder.run("call", "read_file", name)
            check_equal(status, 2, name)
            check_in(name, err)
        status, _, err = folder.run("call", "read_file", '{"file_path":"a.txt"}')
        check_equal(status, 2, "arguments in the file's place")
        check_in("printf %s '{...}' | emend call read_file", err)
        folder.write("{a", '{"file_path":"a.txt"}')
        check_equal(folder.run("call", "read_file", "{a")[:2], (0, TEXT), "a file's name")


@test
def read_only_calls():
    with Folder(a_txt=TEXT) as folder:
        check_equal(folder.run("call", "--read-only", "read_file", stdin='{"file_path":"a.txt"}')[:2],
                    (0, TEXT), "reading")
        # The tool is there; it is the flag that refuses it.
        status, out, err = folder.run("call", "--read-only", "write_file",
                                      stdin='{"file_path":"a.txt","content":""}')
        check_equal(status, 1, err)
        check_in("Access denied: a.txt: refused by --read-only", out)
        check_in("The flags of the command say what is allowed", out)
        status, out, _ = folder.run("call", "--read-only", "editFile",
                                    stdin='{"file":"b.txt","operations":[{"search":"a","replace":"b"}],"dryRun":true}')
        check_equal(status, 1, out)
        status, out, _ = folder.run("call", "--read-only", "file_edit",
                                    stdin='{"path":"a.txt","edits":[{"old_text":"one","new_text":"1"}]}')
        check_equal(json.loads(out)["metadata"]["validation_error"]["type"], "PERMISSION_DENIED", out)
        status, out, _ = folder.run("call", "--read-only", "undo_last_edit", stdin="{}")
        check_equal(status, 1, out)
        check_in("refused by --read-only", out)
        check_equal(folder.read("a.txt"), TEXT.encode(), "the file")
        check(not (folder.base / "state").exists(), "what is refused needs no state directory")


@test
def a_link_into_another_root_is_not_said_to_lie_outside():
    with Folder(a_txt=TEXT) as folder:
        other = folder.base / "other"
        other.mkdir()
        (other / "b.txt").write_text(TEXT)
        (folder.path / "link").symlink_to(other / "b.txt")
        roots = ("--root", folder.path, "--root", other)

        def reads(path):
            return folder.run("call", "read_file", *roots, stdin=json.dumps({"path": str(path)}))[1]

        check_in("Access denied: link leads out of the root that it begins in\n", reads("link"))
        check_in("name a file of another by its own absolute path", reads("link"))
        check_equal(reads(other / "b.txt"), TEXT, "by its own path")
        check_in("outside the workspace", reads("/etc/passwd"))
        check_in("outside the workspace", folder.run("call", "read_file", stdin='{"path":"link"}')[1])


@test
def a_path_below_a_root_is_known_by_whichever_name_the_root_has():
    with Folder(a_txt=TEXT) as folder:
        link = folder.base / "link"
        link.symlink_to(folder.path)
        for root, path, want in ((link, link / "a.txt", "a.txt"),
                                 (link, folder.path / "a.txt", "a.txt"),
                                 ("/", folder.path / "a.txt", str(folder.path / "a.txt")[1:])):
            answer = json.loads(folder.run("call", "Read", "--root", root,
                                           stdin=json.dumps({"path": str(path)}))[1])
            check_equal(answer["data"]["retry"], {"path": want}, f"{path} below {root}")
            status, out, _ = folder.run("call", "Read", "--root", root, stdin=json.dumps({"path": want}))
            check_equal(json.loads(out)["status"], "success", want)


# ---- tools, prompt, doctor, recover -----------------------------------------------------------


@test
def tools_are_listed_and_described():
    with Folder() as folder:
        status, listed, _ = folder.run("tools")
        check_equal(status, 0, "list")
        status, out, _ = folder.run("tools", "--json")
        tools = json.loads(out)
        check_equal([line.split()[0] for line in listed.splitlines()], [t["name"] for t in tools],
                    "names")
        for tool in tools:
            status, out, _ = folder.run("tools", tool["name"])
            check_equal(status, 0, tool["name"])
            check_in(tool["description"], out)
            check_equal(json.loads(out[out.index("\n{"):]), tool["inputSchema"], "schema")
            check_equal(json.loads(folder.run("tools", "--json", tool["name"])[1]), tool, "one")
        family = [tool for tool in tools if tool["name"] in ("editDOM", "editFile", "editFiles", "writeFiles", "readFile")]
        status, out, err = folder.run("tools", "site")
        check_equal((status, [line.split()[0] for line in out.splitlines()], err),
                    (0, [tool["name"] for tool in family], ""), "a family")
        check_equal(json.loads(folder.run("tools", "--json", "site")[1]), family, "a family")
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}}
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list",
                           "params": {"_meta": meta}})
        status, out, _ = folder.run("mcp", "--tools", "all", stdin=line)
        served = json.loads(out)["result"]["tools"]
        for shown, full in zip(served, tools):  # a server may not show the forms of a request
            if "oneOf" in full["inputSchema"]:
                check("oneOf" not in shown["inputSchema"], shown["name"])
                check_equal(list(shown.pop("inputSchema")["properties"]),
                            list(full.pop("inputSchema")["properties"]), shown["name"])
        check_equal(served, tools, "as a server shows them")


@test
def the_prompt_names_the_tools():
    with Folder() as folder:
        for flags, names in (([], ["editFile", "editFiles", "writeFiles", "readFile"]),
                             (["--tools", "edit_file,preview_edit"], ["edit_file", "preview_edit"])):
            status, out, err = folder.run("prompt", *flags)
            check_equal((status, err), (0, ""), flags)
            check(out.endswith("\n") and all(name in out for name in names), out)


@test
def the_doctor_examines_and_leaves_no_trace():
    with Folder(a_txt=TEXT) as folder:
        status, out, err = folder.run("doctor")
        check_equal((status, err), (0, ""), out)
        for part in ("emend ", "literal search by ", str(folder.path), "State directory: there is no",
                     "Waiting for recovery: nothing"):
            check_in(part, out)
        home = folder.run("doctor", env={"XDG_STATE_HOME": ""})[1]
        check_in(f"there is no state directory {folder.base}/.local/state/emend yet", home)
        check_equal(sorted(p.name for p in folder.base.rglob("*")), ["a.txt", "work"], "files")
        folder.run("edit", "a.txt", "--old", "one", "--new", "1")
        before = sorted(str(p) for p in folder.base.rglob("*"))
        status, out, _ = folder.run("doctor")
        check_equal(status, 0, out)
        check_in(f"State directory: {folder.base}/state/emend\n", out)
        check_equal(sorted(str(p) for p in folder.base.rglob("*")), before, "files")
        status, shown = folder.run_on_terminal("doctor")
        check_in("\033[32mok\033[m", shown)


@test
def the_doctor_tells_the_rest_where_the_history_is_damaged():
    with Folder(a_txt=TEXT) as folder:
        folder.run("edit", "a.txt", "--old", "one", "--new", "1")
        for part in ("history.db", "history.db-wal"):
            (folder.base / "state/emend" / part).write_bytes(b"no database" * 400)
        status, out, err = folder.run("doctor")
        check_equal(status, 1, err)
        check_in("emend doctor: the history is damaged: ", err)
        for part in (str(folder.path), "Sandbox", f"State directory: {folder.base}/state/emend\n",
                     "Waiting for recovery: not known\n"):
            check_in(part, out)


@test
def nothing_to_recover():
    with Folder(a_txt=TEXT) as folder:
        check_equal(folder.run("recover"), (0, "Nothing waits for recovery.\n", ""), "no state")
        folder.run("edit", "a.txt", "--old", "one", "--new", "1")
        check_equal(folder.run("recover", "--all"), (0, "Nothing waits for recovery.\n", ""), "all")
        status, _, err = folder.run("recover", "999-abc")
        check_equal(status, 1, err)
        check_in("999-abc", err)


# ---- History ----------------------------------------------------------------------------------


def numbers(folder, *words, **more):
    """The changes that `emend log` lists."""
    status, out, err = folder.run("log", *words, **more)
    check_equal((status, err), (0, ""), words)
    return [int(line.split()[0]) for line in out.splitlines()]


def change(folder, old, new, *words):
    status, _, err = folder.run("edit", "a.txt", "--old", old, "--new", new, *words)
    check_equal((status, err), (0, ""), (old, new))


@test
def what_was_done_is_listed():
    with Folder(a_txt=TEXT) as folder:
        check_equal(folder.run("log"), (0, "", ""), "nothing")
        check_equal(folder.run("log", "--json"), (0, "[]\n", ""), "nothing")
        check(not (folder.base / "state").exists(), "the log made a state directory")
        change(folder, "one", "1")
        folder.run("call", "create_file", stdin='{"path": "d/b.txt", "content": "new\\n"}')
        check_equal(numbers(folder), [2, 1], "all")
        check_equal(numbers(folder, "--path", "d"), [2], "a folder")
        check_equal(numbers(folder, "--path", folder.path / "a.txt"), [1], "a file")
        check_equal(numbers(folder, "--path", "gone"), [], "no file")
        check_equal(numbers(folder, "--tool", "edit"), [1], "a tool")
        check_equal(numbers(folder, "--client", "emend call"), [2], "a client")
        check_equal(numbers(folder, "--limit", "1"), [2], "a limit")
        check_equal(numbers(folder, "--since", "1h"), [2, 1], "an hour")
        check_equal(numbers(folder, "--since", "2099-01-01"), [], "a day")
        check_equal(numbers(folder, "--since", "2001-01-01 10:00"), [2, 1], "a time")
        status, _, err = folder.run("log", "--since", "yesterday")
        check_equal(status, 2, err)
        check_in("--since takes", err)
        first = json.loads(folder.run("log", "--json")[1])[1]
        check_equal(first["path"], f"{folder.path}/a.txt", "path")
        check_equal((first["kind"], first["role"], first["state"], first["undone"]),
                    ("edit", "edit", "done", False), "what it was")
        check_equal((first["tool"], first["client"]), ("edit", "emend edit"), "who did it")
        check(re.fullmatch(r"1-[0-9a-f]{16}", first["id"]), first["id"])
        other = folder.base / "other"
        other.mkdir()
        check_equal(numbers(folder, "--root", other, "--session", first["session"]), [], "a root")
        check_equal(numbers(folder, "--root", other, "--all"), [2, 1], "all roots")
        check_equal(folder.run("show", "1", "--root", other)[0], 1, "another root's change")
        check_equal(numbers(folder, "--deny", "a.txt"), [2], "a rule")
        status, shown = folder.run_on_terminal("log")
        check_in("\033[33m    2\033[m  ", shown)
        check_in("d/b.txt  create, create_file  [emend call]\n", shown)


@test
def what_matches_nothing_is_hinted_at():
    with Folder(a_txt=TEXT) as folder:
        change(folder, "one", "1")
        status, out, err = folder.run("log", "--tool", "edit_fil")
        check_equal((status, out), (0, ""), err)
        check_in("nothing matches --tool edit_fil; did you mean edit_file?", err)
        check_equal(folder.run("log", "--tool", "edit_file"), (0, "", ""), "a tool that there is")
        check_equal(folder.run("log", "--path", "nope"), (0, "", ""), "for programs")
        status, shown = folder.run_on_terminal("log", "--path", "nope")
        check_equal(status, 0, shown)
        check_in("nothing that was changed here matches", shown)


@test
def paths_of_the_log_are_relative_to_the_first_root():
    with Folder(a_txt=TEXT) as folder:
        (folder.path / "sub" / "gone").mkdir(parents=True)
        (folder.path / "link").symlink_to("sub")
        change(folder, "one", "1")
        for name in ("sub/b.txt", "sub/gone/c.txt"):
            folder.run("call", "create_file", stdin=json.dumps({"path": name, "content": "new\n"}))
        (folder.path / "sub" / "gone" / "c.txt").unlink()
        (folder.path / "sub" / "gone").rmdir()
        root = ("--root", folder.path, "--path")
        sub = [3, 2]
        for path, want in (("sub", sub), ("sub/", sub), ("./sub", sub), ("sub//b.txt", [2]), ("link", sub),
                           ("link/b.txt", [2]), ("sub/gone", [3]), ("./link/gone//c.txt", [3]),
                           ("sub/gone/../b.txt", [2]), (".", [3, 2, 1]), ("sub/..", [3, 2, 1]),
                           (f"../{folder.path.name}/a.txt", [1]), ("a.txt", [1]), ("/", [3, 2, 1]), ("/..", [3, 2, 1]),
                           (f"{folder.path}//link/", sub), ("su", []), ("..", [3, 2, 1]), ("../../..", [3, 2, 1])):
            for cwd in (folder.path, folder.base, "/"):
                check_equal(numbers(folder, *root, path, cwd=cwd), want, f"{path!r} in {cwd}")


@test
def the_log_of_several_roots_has_whole_paths():
    with Folder(a_txt=TEXT) as folder:
        change(folder, "one", "1")
        other = folder.base / "other"
        other.mkdir()
        check_equal("  a.txt  " in folder.run("log", "--root", folder.path)[1], True, "of one root")
        for words in (("--all",), ("--root", folder.path, "--root", other)):
            check_in(f"  {folder.path}/a.txt  ", folder.run("log", *words)[1])


@test
def a_change_is_shown():
    with Folder(a_txt=TEXT) as folder:
        change(folder, "one", "1")
        diff = folder.run("show", "1", "--json")
        shown = json.loads(diff[1])
        (folder.path / "a.txt").unlink()
        status, out, err = folder.run("show", "1")
        check_equal((status, err), (0, ""), out)
        check_in(f"File:    {folder.path}/a.txt\n", out)
        check_in("Tool:    edit\nClient:  emend edit\n", out)
        check_in("\n\n--- a/a.txt\n+++ b/a.txt\n@@ -1,", out)
        check_in("\n-one\n+1\n", out)
        check(out.endswith(shown["diff"]), shown["diff"])
        check_equal((shown["lines_added"], shown["lines_removed"]), (1, 1), "lines")
        status, terminal = folder.run_on_terminal("show", shown["id"])
        check_equal(status, 0, terminal)
        check_in("\033[31m-one\033[m\n", terminal)
        for id in ("2", "x", shown["id"] + "0", "-1"):
            status, out, err = folder.run("show", "--", id)
            check_equal((status, out), (1, ""), err)
            check_in(f"there is no change {id} here", err)
            check_in("'emend log' shows", err)
        for command in ("undo", "redo"):
            check_in("a.txt here: a change is named by its number; 'emend log' shows which there are",
                     folder.run(command, "a.txt")[2])
        check_equal(folder.run("show")[0], 2, "no change named")


@test
def undo_and_redo():
    with Folder(a_txt=TEXT) as folder:
        status, out, err = folder.run("undo")
        check_equal((status, out), (1, ""), err)
        check_in("there is nothing to undo", err)
        change(folder, "one", "1")
        change(folder, "four", "4")
        status, out, err = folder.run("undo", "--dry-run")
        check_equal((status, err), (0, ""), out)
        check_in("-4\n", out)
        check_equal(numbers(folder), [2, 1], "a dry run")
        status, out, err = folder.run("undo", "1")
        check_equal((status, err), (0, ""), out)
        check_in("\n-1\n+one\n", out)
        check_equal(folder.read("a.txt").decode(), TEXT.replace("four", "4", 1), "the first")
        listed = folder.run("log")[1]
        check_in("undo of 1  [emend undo]", listed)
        check_in("edit (undone by 3)", listed)
        status, out, err = folder.run("undo", "1")
        check_equal(status, 1, err)
        check_in("1 is undone already, by 3-", err)
        answer = json.loads(folder.run("redo", "--json")[1])
        check_equal((answer["done"], answer["role"]), (True, "redo"), answer)
        check_equal(answer["files"][0]["kind"], "edit", answer)
        check_equal(folder.read("a.txt").decode(), TEXT.replace("four", "4", 1).replace("one", "1", 1),
                    "again")
        folder.run("undo")
        status, terminal = folder.run_on_terminal("undo")
        check_equal(status, 0, terminal)
        check_in("undid edit in a.txt\n", terminal)
        check_equal(folder.read("a.txt").decode(), TEXT, "both")
        status, out, err = folder.run("redo", "7")
        check_equal(status, 1, err)
        check_in("there is no change 7 here", folder.run("redo", "77")[2].replace("77", "7"))


BOMS = {"none": ("utf-8", b""), "UTF-8": ("utf-8", b"\xEF\xBB\xBF"),
        "UTF-16LE": ("utf-16-le", b"\xFF\xFE"), "UTF-16BE": ("utf-16-be", b"\xFE\xFF"),
        "UTF-32LE": ("utf-32-le", b"\xFF\xFE\0\0")}


def undo_beside(bom, old, new, others):
    """What `undo` of old -> new leaves of what others made of it, both with the BOM; None: refused."""
    charset, mark = BOMS[bom]
    with Folder() as folder:
        folder.write("a.txt", mark + old.encode(charset))
        folder.run("call", "write_file", stdin=json.dumps({"file_path": "a.txt", "content": new}))
        check_equal(folder.read("a.txt"), mark + new.encode(charset), bom)
        folder.write("a.txt", mark + others.encode(charset))
        status, out, err = folder.run("undo")
        left = folder.read("a.txt")
        check(left.startswith(mark), left)
        if status != 0:
            check_equal((status, left), (1, mark + others.encode(charset)), err)
        return left[len(mark):].decode(charset) if status == 0 else None


@test
def a_bom_tells_no_place_of_the_first_line():
    for bom in BOMS:
        for old, new, others, left in [
                ("a = 1\nend\n", "a = 2\nend\n", "a = 2\n[x]\na = 2\nend\n", None),
                ("x\n", "y\n", "y\ny\nq\n", None),
                ("foo\n\nz", "\nz", "\n\n\nz", None),
                ("a", "NEW", "a\nNEW", None),
                ("using A;\nend\n", "using B;\nend\n", "// by\nusing B;\nend\n",
                 "// by\nusing A;\nend\n"),
                ("b\nc\n", "hdr\nb\nc\n", "by\nhdr\nb\nc\n", "by\nb\nc\n")]:
            check_equal(undo_beside(bom, old, new, others), left, (bom, old, others))


@test
def a_first_line_behind_a_bom_is_carried_over():
    for bom, (charset, mark) in BOMS.items():
        for others, left in [("[x]\na = 1\nend\n", "[x]\na = 9\nend\n"),
                             ("a = 1\n[x]\na = 1\nend\n", None)]:
            with Folder() as folder:
                folder.write("a.txt", mark + "a = 1\nend\n".encode(charset))
                read = json.loads(folder.run("call", "readFile", stdin='{"file": "a.txt"}')[1])
                folder.write("a.txt", mark + others.encode(charset))
                call = {"file_path": "a.txt", "start_line": 1, "end_line": 1,
                        "new_content": "a = 9", "on_conflict": "merge",
                        "expected_hash": read["hash"]}
                status, out, err = folder.run("call", "edit_file_lines", stdin=json.dumps(call))
                check_equal(folder.read("a.txt"), mark + (left or others).encode(charset), (bom, out))
                check_equal(status == 0, left is not None, (bom, out))


@test
def an_undo_touches_nothing_that_others_changed():
    with Folder(a_txt="1\n2\n3\n") as folder:
        change(folder, "2", "two")
        folder.write("a.txt", "1\nzwei\n3\n")
        status, out, err = folder.run("undo")
        check_equal((status, out), (1, ""), err)
        check_in("a.txt was changed at the place since", err)
        check_in("What stands there now, at line 2 (between >>> and <<<):\n>>>zwei\n<<<", err)
        check_equal(folder.read("a.txt"), b"1\nzwei\n3\n", "the file")
        answer = json.loads(folder.run("undo", "--json")[1])
        check_equal((answer["done"], answer["was"], answer["now"], answer["line"]),
                    (False, "two\n", "zwei\n", 2), answer)
        folder.write("a.txt", "0\n1\ntwo\n3\n4\n")
        check_equal(folder.run("undo")[0], 0, "elsewhere")
        check_equal(folder.read("a.txt"), b"0\n1\n2\n3\n4\n", "the file")


@test
def a_conflict_is_told_as_text():
    for charset, flags in (("utf-16", []), ("latin1", ["--encoding", "latin1"])):
        with Folder() as folder:
            folder.write("a.txt", "a\nbé\nc\n".encode(charset))
            folder.run("edit", "a.txt", *flags, "--old", "bé", "--new", "Bé")
            folder.write("a.txt", "a\nXé\nc\n".encode(charset))
            answer = json.loads(folder.run("undo", "--json")[1])
            check_equal((answer["was"], answer["now"]), ("Bé\n", "Xé\n"), charset)


@test
def an_undo_names_what_is_no_text():
    name = os.fsdecode(b"z\xff")
    with Folder() as folder:
        folder.write(name, "1\n")
        folder.run("edit", name, "--old", "1", "--new", "2")
        paths = [json.loads(folder.run(*words)[1]) for words in (["log", "--json"], ["undo", "--json"])]
        check_equal(paths[1]["files"][0]["path"], paths[0][0]["path"], "escaped")
        check(paths[1]["files"][0]["path"].endswith("z\\xFF"), paths)
        folder.write("e", "")
        folder.run("call", "create_file", stdin='{"file_path": "d/e", "content": ""}')
        check_equal(folder.run("undo", "--dry-run"), (0, "would undo create_file in d/e (removed) (nothing was written)\n", ""), "so far")
        check_equal(folder.run("undo"), (0, "undid create_file in d/e (removed)\n", ""), "an empty file")


@test
def back_to_a_checkpoint():
    with Folder(a_txt=TEXT) as folder:
        check_equal(folder.run("checkpoint"), (0, "", ""), "none")
        check_equal(folder.run("rewind", "start")[0], 1, "none")
        check_equal(folder.run("checkpoint", "start"), (0, "", ""), "made")
        check_equal(folder.run("checkpoint", "")[0], 2, "without a name")
        status, _, err = folder.run("checkpoint", "n" * 201)
        check_equal((status, "1 to 200 bytes" in err), (1, True), err)
        check_in("  start\n", folder.run("checkpoint")[1])
        check_equal(json.loads(folder.run("checkpoint", "--json")[1])[0]["name"], "start", "listed")
        made = json.loads(folder.run("checkpoint", "--json", "second")[1])
        check_equal([mark["name"] for mark in made], ["second"], "made, for programs")
        status, out, _ = folder.run("rewind", "start")
        check_equal((status, out), (0, "undid 0 calls\n"), "nothing was done")
        change(folder, "one", "1")
        folder.run("call", "create_file", stdin='{"path": "d/b.txt", "content": "new\\n"}')
        change(folder, "four", "4")
        check_equal(folder.run("rewind", "--dry-run", "start")[0], 0, "a dry run")
        check((folder.path / "d").exists(), "the dry run did it")
        check_equal(folder.run("rewind", "start")[0], 0, "done")
        check_equal(folder.read("a.txt").decode(), TEXT, "the file")
        check(not (folder.path / "d").exists(), "the file that was made is there")
        check_equal(folder.run("redo")[0], 0, "taken back")
        check_equal(folder.read("d/b.txt"), b"new\n", "the file that was made")
        check_equal(folder.run("rewind")[0], 2, "without a name")


@test
def many_changes_of_which_none_is_kept_go_back_in_little_memory():
    """Each is sought by what stood around it: all contents at once would take 100 MB."""
    lines = [f"this is line {i} of the file\n" for i in range(6000)]
    calls = [{"tool": "edit_file", "arguments": {
        "file_path": "a.txt", "old_string": line, "new_string": line.replace("line", "row")}}
             for line in lines[:600]]
    with Folder(a_txt="".join(lines)) as folder:
        folder.run("checkpoint", "start")
        folder.run("batch", "--sync", "off", stdin="".join(json.dumps(call) + "\n" for call in calls))
        text = folder.read("a.txt").decode()
        check_equal(text.count("this is row"), 600, "changes")
        folder.write("a.txt", text.replace("line 5000 ", "LINE 5000 "))
        for kept in (folder.base / "state" / "emend" / "contents").iterdir():
            kept.unlink()
        status, out, err = folder.run("rewind", "--max-memory", "32M", "start")
        check_equal((status, err), (0, ""), out)
        check_equal(folder.read("a.txt").decode(),
                    "".join(lines).replace("line 5000 ", "LINE 5000 "), "the file")


@test
def what_comes_to_nothing_is_undone():
    with Folder(a_txt=TEXT) as folder:
        folder.run("checkpoint", "start")
        change(folder, "one", "1")
        change(folder, "1", "one")
        check_equal(folder.run("rewind", "start"), (0, "undid 2 calls\n", ""), "the rewind")
        check_in("there is nothing to undo", folder.run("undo")[2])
        check_in("a.txt  rewind of 2, 1  [emend rewind]", folder.run("log", "--limit", "1")[1])
        check_in("\nIt left the file as it was.\n", folder.run("show", "3")[1])
        (folder.path / "a.txt").unlink()
        check_equal(folder.run("redo")[0], 0, "the redo")
        redone = json.loads(folder.run("log", "--json")[1])[0]
        check_equal((redone["id"].split("-")[0], "hash_before" in redone, "hash_after" in redone),
                    ("4", False, False), redone)


@test
def what_a_rewind_did_again_is_undone():
    with Folder(a_txt="1\n", b_txt="1\n") as folder:
        change(folder, "1", "2")
        folder.run("checkpoint", "start")
        folder.run("undo")
        rewound = json.loads(folder.run("rewind", "start", "--json")[1])
        check_equal((rewound["done"], rewound["role"]), (True, "redo"), rewound)
        check_in("a.txt  rewind, redo of 1", folder.run("log")[1])
        undone = json.loads(folder.run("undo", "--json")[1])
        check_equal((undone["done"], undone["role"]), (True, "undo"), undone)
        check_equal(folder.read("a.txt"), b"1\n", "undone")
        check_in("4  ", folder.run("log", "--limit", "1")[1])
        check_in("a.txt  undo of 1  [emend undo]", folder.run("log", "--limit", "1")[1])
        status, out, err = folder.run("redo")
        check_equal((status, err), (0, ""), out)
        check_equal(folder.read("a.txt"), b"2\n", "done again")


@test
def a_rewind_that_does_some_again_tells_both():
    with Folder(a_txt="1\n", b_txt="1\n") as folder:
        change(folder, "1", "2")
        folder.run("checkpoint", "start")
        folder.run("undo")
        folder.run("edit", "b.txt", "--old", "1", "--new", "2")
        check_in("would undo 1 call and redo 1 in 2 files: ", folder.run_on_terminal("rewind", "start", "--dry-run")[1])
        check_in("undid 1 call and redid 1 in 2 files: ", folder.run_on_terminal("rewind", "start")[1])
        listed = folder.run("log")[1]
        check_in("a.txt  rewind, redo of 1  [emend rewind]", listed)
        check_in("b.txt  rewind of 3  [emend rewind]", listed)
        check_equal(folder.run("redo")[0], 0, "taken back")
        check_equal((folder.read("a.txt"), folder.read("b.txt")), (b"1\n", b"2\n"), "the files")
        listed = folder.run("log", "--limit", "2")[1]
        check_in("a.txt  undo of 1  [emend redo]", listed)
        check_in("b.txt  redo of 3  [emend redo]", listed)
        told = json.loads(folder.run("log", "--limit", "2", "--json")[1])
        roles = {each["path"][-5:]: each["role"] for each in told}
        check_equal(roles, {"a.txt": "undo", "b.txt": "redo"}, "what it did in each file")


@test
def old_changes_are_forgotten():
    with Folder(a_txt=TEXT) as folder:
        status, out, _ = folder.run("gc")
        check_equal((status, out), (0, "0 changes are forgotten; 0 bytes of the history and 0 of kept "
                                       "contents are free.\n"), "nothing")
        folder.run("checkpoint", "start")
        change(folder, "one", "1")
        check_equal(json.loads(folder.run("gc", "--json")[1])["changes"], 0, "what is new stays")
        answer = json.loads(folder.run("gc", "--json", "--max-size", "1")[1])
        check_equal((answer["changes"], answer["waiting"]), (0, 1), "too new")
        check_in("1 more are beyond the limits and stay for now", folder.run("gc", "--max-size", "1")[1])
        with sqlite3.connect(folder.base / "state" / "emend" / "history.db") as db:
            db.execute("UPDATE commits SET time = time - 10 * 86400000")
        check_equal(json.loads(folder.run("gc", "--json")[1])["changes"], 0, "90 days")
        check_equal(json.loads(folder.run("gc", "--json", "--max-age", "none")[1])["changes"], 0, "none")
        check_equal(json.loads(folder.run("gc", "--json", "--max-age", "1w", "--save")[1])["changes"],
                    1, "a week")
        check_equal(numbers(folder), [], "forgotten")
        check_equal(folder.run("undo")[0], 1, "what is forgotten")
        status, _, err = folder.run("rewind", "start")
        check_equal(status, 1, err)
        check_in("'emend log' shows the calls that can be undone one by one", err)
        change(folder, "four", "4")
        with sqlite3.connect(folder.base / "state" / "emend" / "history.db") as db:
            db.execute("UPDATE commits SET time = time - 8 * 86400000")
        check_equal(json.loads(folder.run("gc", "--json")[1])["changes"], 1, "saved")
        status, _, err = folder.run("gc", "--max-age", "long")
        check_equal(status, 2, err)
        check_in("--max-age takes", err)


@test
def a_file_that_was_just_made_is_not_forgotten():
    with Folder(a_txt=TEXT) as folder:
        folder.run("checkpoint", "start")
        folder.run("call", "create_file", stdin='{"path": "b.txt", "content": "new\\n"}')
        answer = json.loads(folder.run("gc", "--json", "--max-age", "0s")[1])
        check_equal((answer["changes"], answer["waiting"]), (0, 1), "too new")
        check_equal(folder.run("rewind", "start")[0], 0, "rewound")
        check(not (folder.path / "b.txt").exists(), "the file that was made is there")


@test
def an_age_of_nothing_keeps_nothing():
    with Folder(a_txt=TEXT) as folder:
        def age(ms):
            with sqlite3.connect(folder.base / "state" / "emend" / "history.db") as db:
                db.execute(f"UPDATE commits SET time = time - {ms}")

        def collect(*words):
            answer = json.loads(folder.run("gc", "--json", *words)[1])
            return answer["changes"], answer["waiting"]

        folder.run("checkpoint", "start")
        change(folder, "one", "1")
        for none in ("0s", "0d"):
            check_equal(collect("--max-age", none), (0, 1), f"{none}: too new")
        age(3 * 60000)
        check_equal(collect("--max-age", "none", "--save"), (0, 0), "no limit")
        check_equal(collect("--max-age", "0s", "--save"), (1, 0), "all")
        folder.run("checkpoint", "end")
        check_in("  start  (no way back: some of what was done since is forgotten)\n", folder.run("checkpoint")[1])
        marks = json.loads(folder.run("checkpoint", "--json")[1])
        check_equal({mark["name"]: mark["has_way_back"] for mark in marks}, {"start": False, "end": True}, "the marks")
        change(folder, "four", "4")
        age(3 * 60000)
        check_equal(collect(), (1, 0), "saved")


@test
def want_of_memory_is_an_internal_error():
    with Folder(a_txt=TEXT) as folder:
        if "relaxed" in folder.run("doctor")[1]:  # what sanitizers and counters take is not limited
            return
        status, _, err = folder.run("edit", "a.txt", "--old", "one", "--new", "1", "--max-memory", "1K")
        check_equal(status, 2, err)
        check("memory" in err, err)


@test
def a_dry_run_is_refused_what_the_real_run_would_be():
    """A state directory that others may write to, here: whoever it belongs to."""
    with Folder(a_txt=TEXT) as folder:
        words = ["edit", "a.txt", "--old", "one", "--new", "1"]
        state = folder.base / "theirs"
        words += ["--state-dir", str(state)]
        check_equal(folder.run(*words, "--dry-run", "--sandbox", "off")[0], 0, "before there is one")
        check(not state.exists(), "a dry run made it")
        state.mkdir()
        if os.geteuid() == 0:
            os.chown(state, 12345, 12345)
        else:
            state.chmod(0o777)
        real = folder.run(*words, "--sandbox", "off")
        check_equal(real[0], 1, real[2])
        check_in("\nLocks and the history are kept there; --state-dir DIR names another folder.\n", real[2])
        for flags in ([], ["--sandbox", "off"]):
            check_equal(folder.run(*words, "--dry-run", *flags)[0::2], real[0::2], "the dry run")


@test
def what_needs_the_state_directory_names_the_flag_for_another_one():
    with Folder(a_txt=TEXT) as folder:
        state = folder.base / "file"
        state.write_text("no folder")
        for words in (["edit", "a.txt", "--old", "one", "--new", "1"], ["undo"], ["redo"], ["rewind", "x"], ["log"],
                      ["show", "1"], ["checkpoint"], ["checkpoint", "x"], ["gc"], ["recover"], ["doctor"]):
            status, _, err = folder.run(*words, "--state-dir", str(state), "--sandbox", "off")
            check_equal(status, 1, words)
            check(err.endswith(f"open the state directory {state}: Not a directory\nLocks and the history are kept "
                               "there; --state-dir DIR names another folder.\n"), (words, err))
        check_equal(folder.read("a.txt"), TEXT.encode(), "the file")


@test
def a_change_that_was_interrupted_is_told_as_it_is():
    with Folder(a_txt=TEXT) as folder:
        change(folder, "one", "1")
        with sqlite3.connect(folder.base / "state" / "emend" / "history.db") as db:
            db.execute("UPDATE commits SET state = 0,"
                       " temp = '.emend-00000000000000000000000000000000'")
        check_in("not finished", folder.run("log")[1])
        check_equal(json.loads(folder.run("log", "--json")[1])[0]["state"], "pending", "before")
        check_equal(folder.run("recover")[0], 0, "recovery")
        check_equal(json.loads(folder.run("log", "--json")[1])[0]["state"], "done", "after")
        check_equal(folder.run("undo")[0], 0, "undo")
        check_equal(folder.read("a.txt").decode(), TEXT, "the file")


@test
def read_only_undoes_nothing():
    with Folder(a_txt=TEXT) as folder:
        change(folder, "one", "1")
        for words in (["undo"], ["undo", "1"]):
            status, out, err = folder.run(*words, "--read-only")
            check_equal((status, out), (1, ""), err)
        check_equal(numbers(folder, "--read-only"), [1], "the log")


@test
def read_only_keeps_the_history():
    with Folder(a_txt=TEXT) as folder:
        change(folder, "one", "1")
        folder.run("checkpoint", "before")
        change(folder, "four", "4")
        for words in (["checkpoint", "new"], ["gc", "--save", "--max-age", "30d"], ["gc"], ["recover"],
                      ["rewind", "before"], ["undo"], ["redo", "1"]):
            status, out, err = folder.run(*words, "--read-only")
            check_equal((status, out), (1, ""), words)
            if words[0] in ("checkpoint", "gc", "recover"):
                check_in("refused by --read-only", err)
        folder.run("checkpoint", "now")  # nothing was done since
        status, out, err = folder.run("rewind", "now", "--read-only")
        check_equal((status, out), (1, ""), "a rewind of nothing")
        check_in("refused by --read-only", err)
        check_equal(folder.run("rewind", "now")[0], 0, "a rewind of nothing")
        marks = json.loads(folder.run("checkpoint", "--json", "--read-only")[1])
        check_equal([mark["name"] for mark in marks], ["now", "before"], "the checkpoints")
        check_equal(numbers(folder), [2, 1], "the log")


@test
def without_a_history_there_is_nothing_to_undo():
    with Folder(a_txt=TEXT) as folder:
        change(folder, "one", "1", "--no-history")
        check_equal(numbers(folder), [], "the log")
        check_equal(folder.run("undo")[0], 1, "undo")


@test
def an_edit_of_a_stale_file_is_merged():
    with Folder(a_txt="x = 1\ny = 2\n") as folder:
        change(folder, "y = 2", "y = 3")
        told = json.loads(folder.run("log", "--json")[1])[0]["hash_after"]
        folder.write("a.txt", "new\nx = 1\ny = 3\n")
        args = {"path": "a.txt", "expected_hash": told,
                "edits": [{"old_text": "x = 1", "new_text": "x = 5"}]}
        status, out, _ = folder.run("call", "file_edit", stdin=json.dumps(args))
        check_equal(status, 1, out)
        args["on_conflict"] = "merge"
        status, out, err = folder.run("call", "file_edit", stdin=json.dumps(args))
        check_equal((status, err), (0, ""), out)
        check_in("carried over", out)
        check_equal(folder.read("a.txt"), b"new\nx = 5\ny = 3\n", "the file")
        args["edits"] = [{"old_text": "y = 3", "new_text": "y = 4"}]
        folder.write("a.txt", "new\nx = 5\ny = 33\n")
        status, out, _ = folder.run("call", "file_edit", stdin=json.dumps(args))
        check_equal(status, 1, out)
        check_in("The lines as they were read", out)
        check_in("y = 33", out)
        check_equal(folder.read("a.txt"), b"new\nx = 5\ny = 33\n", "the file")


# ---- Streams and signals ----------------------------------------------------------------------


@test
def closed_streams_are_no_files():
    edit = ["edit", "a.txt", "--old", "one", "--new", "1"]
    for closed in ("0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"):
        with Folder(a_txt=TEXT) as folder:
            words = " ".join(f"'{word}'" for word in edit)
            run = subprocess.run(["sh", "-c", f'"$0" {words} {closed}', folder.emend],
                                 cwd=folder.path, env=folder.env, stdin=subprocess.DEVNULL,
                                 capture_output=True, timeout=LIMIT_S, check=False)
            check_equal(run.returncode, 0, closed)
            check_equal(folder.read("a.txt"), TEXT.replace("one", "1").encode(), closed)
            for path in (folder.base / "state").rglob("*"):
                if path.is_file() and path.suffix != ".db":
                    check(b"+++" not in path.read_bytes(), f"{path} after {closed}")


@test
def output_that_cannot_be_written_is_an_error():
    edit = ["edit", "a.txt", "--old", "one", "--new", "1"]
    rows = [(words, "") for words in (
        ["--help"], ["--version"], ["tools"], ["tools", "--json"], ["prompt"], ["edit", "--help"], ["doctor"],
        ["recover"], [*edit, "--dry-run"], ["undo", "--dry-run"])]
    rows += [(["call", "read_file", "args"], "; the call was made")]
    rows += [(words, "; the change was made") for words in (edit, ["undo"], ["redo", "--json"])]
    with Folder(a_txt=TEXT) as folder:
        folder.run("edit", "a.txt", "--old", "four", "--new", "4")
        for words, done in rows:
            folder.write("args", '{"file_path":"a.txt"}')
            with open("/dev/full", "wb") as full:
                run = subprocess.run([folder.emend, *words], cwd=folder.path, env=folder.env,
                                     stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE,
                                     timeout=LIMIT_S, check=False)
            check_equal(run.returncode, 2, words)
            said = run.stderr.decode().splitlines()[-1]
            check(said.endswith(f"cannot print: No space left on device{done}"), f"{words}: {said}")
        check_equal(folder.read("a.txt"), TEXT.replace("one", "1").replace("four", "4").encode(), "the file")


@test
def a_reader_that_has_enough_ends_it():
    with Folder() as folder:
        folder.write("a.txt", "x" * 1000000)
        folder.write("args", '{"file_path":"a.txt"}')
        process = subprocess.Popen([folder.emend, "call", "read_file", "args"], cwd=folder.path,
                                   env=folder.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(10)
        process.stdout.close()
        status = process.wait(LIMIT_S)
        process.stderr.close()
        check(status in (-signal.SIGPIPE, 2), status)


@test
def a_command_that_waits_for_input_can_be_ended():
    for number in (signal.SIGTERM, signal.SIGINT):
        with Folder() as folder:
            process = subprocess.Popen([folder.emend, "call", "read_file"], cwd=folder.path,
                                       env=folder.env, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(0.1)
            process.send_signal(number)
            check_equal(process.wait(LIMIT_S), -number, "status")
            for pipe in (process.stdin, process.stdout, process.stderr):
                pipe.close()


@test
def a_change_that_waits_for_its_file_is_given_up_at_a_signal():
    arguments = {"file_path": "a.txt", "old_string": "one", "new_string": "1"}
    with Folder(a_txt=TEXT, args=json.dumps(arguments)) as folder:
        folder.run("edit", "a.txt", "--old", "four", "--new", "4")  # makes the locks
        before = folder.read("a.txt")
        locks = [open(p, "r+b") for p in (folder.base / "state" / "emend" / "locks").iterdir()]
        for lock in locks:
            hold(lock.fileno())
        for number, words in ((signal.SIGINT, ["edit", "a.txt", "--old", "one", "--new", "1"]),
                              (signal.SIGTERM, ["call", "edit_file", "args"]), (signal.SIGHUP, ["undo"])):
            check_equal(ended_by(folder, number, *words, "--lock-timeout", "2m"), (-number, b"", b""), words)
            check_equal(folder.read("a.txt"), before, words)
        for lock in locks:
            lock.close()
        check_equal(sorted(p.name for p in folder.path.iterdir()), ["a.txt", "args"], "no stray name")


@test
def a_refusal_for_want_of_time_names_the_flag_that_gives_more():
    with Folder(a_txt=TEXT) as folder:
        folder.run("edit", "a.txt", "--old", "four", "--new", "4")  # makes the locks
        before = folder.read("a.txt")
        locks = [open(p, "r+b") for p in (folder.base / "state" / "emend" / "locks").iterdir()]
        for lock in locks:
            hold(lock.fileno())
        for words in (["edit", "a.txt", "--old", "one", "--new", "1"], ["dom", "a.txt", "p", "remove"]):
            status, out, err = folder.run(*words, "--lock-timeout", "10ms")
            check_equal((status, out), (1, ""), err)
            check_in("the file is locked by ", err, words)
            check(err.endswith("\n--lock-timeout waits longer for it.\n"), err)
            check_equal(folder.read("a.txt"), before, words)
        for lock in locks:
            lock.close()
        folder.write("page.html", "<div class='a'><p>x</p></div>\n" * 100_000)
        status, out, err = folder.run("dom", "page.html", "p.q", "remove", "--deadline", "1ms")
        check_equal((status, out), (1, ""), err)
        check(err.endswith("\nEdit its text instead, with emend edit. --deadline gives more time.\n"), err)


@test
def a_signal_that_is_ignored_from_the_start_gives_nothing_up():
    with Folder(a_txt=TEXT) as folder:
        folder.run("edit", "a.txt", "--old", "four", "--new", "4")  # makes the locks
        locks = [open(p, "r+b") for p in (folder.base / "state" / "emend" / "locks").iterdir()]
        for lock in locks:
            hold(lock.fileno())
        words = [folder.emend, "edit", "a.txt", "--old", "one", "--new", "1", "--lock-timeout", "2m"]
        process = subprocess.Popen(words, cwd=folder.path, env=folder.env, stdout=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        wait_until_it_waits(process)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        check_equal(process.poll(), None, "it goes on")
        for lock in locks:
            lock.close()
        process.communicate(timeout=LIMIT_S)
        check_equal(process.returncode, 0, "done")
        check_in(b"1\n", folder.read("a.txt"))


@test
def a_stack_that_is_too_small_is_refused():
    def limit_to(kib):
        return lambda: resource.setrlimit(resource.RLIMIT_STACK, (kib * 1024, kib * 1024))

    change = {"file_path": "a.txt", "old_string": "two\n", "new_string": "2\n", "replace_all": True}
    calls = ((["edit", "a.txt", "--old", "one", "--new", "1"], ""),
             (["batch"], json.dumps({"tool": "edit_file", "arguments": change})),
             (["mcp"], '{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'))
    for words, fed in calls:
        with Folder(a_txt=TEXT) as folder:
            for kib in (64, 511):
                status, out, err = folder.run(*words, stdin=fed, preexec_fn=limit_to(kib))
                check_equal((status, out), (2, ""), words)
                check_equal(err, f"emend: the stack may have only {kib} KiB, and needs 512: ulimit -s 8192\n", words)
            check_equal(folder.read("a.txt"), TEXT.encode(), words)
            status, out, err = folder.run(*words, stdin=fed, preexec_fn=limit_to(512))
            check_equal(status, 0, words + [out, err])


def ended_by(folder, number, *words):
    """(status, output, complaints) of a command that is sent a signal when it waits."""
    process = subprocess.Popen([folder.emend, *words], cwd=folder.path, env=folder.env,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    wait_until_it_waits(process)
    process.send_signal(number)
    out, err = process.communicate(timeout=LIMIT_S)
    return process.returncode, out, err


def wait_until_it_waits(process):
    """As a process does for a lock: it sleeps again and again, and holds the signals back."""
    held = 1 << (signal.SIGTERM - 1)
    deadline = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        status = open(f"/proc/{process.pid}/status", encoding="ascii").read()
        blocked = int(re.search(r"SigBlk:\s*(\w+)", status).group(1), 16)
        if blocked & held and re.search(r"State:\s*S", status):
            return
        time.sleep(0.01)
    raise AssertionError("it does not come to wait")


def hold(fd):
    """An open file description lock over the whole file, as emend takes them."""
    import fcntl
    import struct
    F_OFD_SETLK = 37
    fcntl.fcntl(fd, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))


if __name__ == "__main__":
    sys.exit(harness.main(harness.TESTS_OF[__name__], __doc__, Folder))
