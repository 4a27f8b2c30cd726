#!/usr/bin/env python3
"""Does docs/adding-a-dialect.md tell the truth?

    dialect_page_test.py --build FOLDER       a finished meson build

Takes the dialects and their lines from the page, compiles them with the list of dialects, and calls
their tools through the library; the calls that the page shows, one after the other, first.
"""
import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from harness import Tally, run

TOP = Path(__file__).resolve().parent.parent
PAGE = TOP / "docs/adding-a-dialect.md"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wstrict-prototypes",
            "-Wmissing-prototypes", "-Werror"]
CALLER = r"""
#include <emend.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    emend_session *session;
    char *answer;
    bool is_error;
    emend_error err = {.detail = ""};
    if (argc != 3 || emend_session_new(NULL, &session, NULL) != EMEND_OK)
        return 2;
    if (emend_call(session, argv[1], argv[2], &answer, &is_error, &err) != EMEND_OK)
        return fprintf(stderr, "%s\n", err.detail), 2;
    puts(answer);
    emend_free(answer);
    emend_session_free(session);
    return is_error;
}
"""
tally = Tally()
check = tally.check


def from_page():
    """[(line, source)] of the dialects."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    lines = [text for kind, text in blocks if not kind and text.startswith("DIALECT(")]
    return list(zip(lines, [text for kind, text in blocks if kind == "c"], strict=True))


def compile_tools(build, folder):
    """The library with some dialects more, and a program that calls their tools."""
    room = folder / "dialects"
    room.mkdir()
    added = from_page()
    sources = [room / (re.fullmatch(r"DIALECT\((\w+)\)\n", line).group(1) + ".c") for line, _ in added]
    for source, (_, text) in zip(sources, added):
        source.write_text(text)
    (room / "registry.c").write_text((TOP / "src/dialects/registry.c").read_text(encoding="utf-8"))
    old = (TOP / "src/dialects/dialects.def").read_text(encoding="utf-8")
    (room / "dialects.def").write_text(old + "".join(line for line, _ in added))
    (folder / "caller.c").write_text(CALLER)
    needs = run(["pkg-config", "--cflags", "--libs", "jansson", "yajl", "libpcre2-8", "sqlite3",
                 "libutf8proc", "libxxhash", "gumbo"]).stdout.split()
    done = run(["cc", "-std=c17", "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64", *WARNINGS,
                f"-I{folder}", f"-I{TOP / 'src'}", f"-I{TOP / 'include'}", *sources,
                room / "registry.c", folder / "caller.c", build / "src/api/libemend.a", *needs,
                "-o", folder / "caller"])
    check("the page compiles", done.returncode == 0, done.stderr)
    style = run(["clang-format", "--dry-run", "-Werror", f"--style=file:{TOP / '.clang-format'}",
                 *sources]) if shutil.which("clang-format") else None
    check("it is laid out as the rest", not style or style.returncode == 0, style and style.stderr)
    return done.returncode == 0


def caller_of(tool, folder):
    """A function that makes a call and looks at how the answer begins."""
    env = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}

    def call(status, sentence, **arguments):
        done = run([folder / "caller", tool, json.dumps(arguments)], cwd=folder / "room", env=env)
        answer = json.loads(done.stdout) if done.stdout else done.stderr
        check(f"{arguments}: {sentence}",
              done.returncode == status and answer.startswith(sentence), answer)
        return answer
    return call


def check_shown(folder):
    """The calls that the page shows, in a folder without files; their answers, word for word."""
    shown = re.findall(r"^\$ echo '(.*)' \| emend call (\w+)\n((?:(?!\$ |```).*\n)+)",
                       PAGE.read_text(encoding="utf-8"), re.M)
    check("the page shows calls", len(shown) >= 3, shown)
    for arguments, tool, answer in shown:
        status = 1 if answer.startswith("Error: ") else 0
        told = caller_of(tool, folder)(status, "", **json.loads(arguments))
        check(f"the page shows what {tool} answers", told.rstrip("\n") == answer.rstrip("\n"), told)


def check_appending(folder):
    file = folder / "room" / "CHANGES"
    call = caller_of("append_file", folder)

    file.unlink()
    call(0, "Created CHANGES", path="CHANGES", text="- One.\n")
    call(0, "Appended to CHANGES", path="CHANGES", text="- Less is lost.\n")
    check("the file has both", file.read_text() == "- One.\n- Less is lost.\n", file.read_text())
    diff = call(0, "Dry run, nothing was written: would append to CHANGES", path="CHANGES",
                text="x\n", dry_run=True)
    check("a dry run shows the diff", diff.endswith("+x\n"), diff)
    check("and writes nothing", file.read_text() == "- One.\n- Less is lost.\n")
    call(1, "Error: Unknown argument txt. Did you mean text?", path="CHANGES", txt="x")
    call(1, "Error: ", path="../CHANGES", text="x")
    call(1, "Error: ", path="CHANGES", text="x", expected_hash="0")


def check_replacing(folder):
    file = folder / "room" / "CHANGES"
    call = caller_of("str_replace", folder)
    file.write_text("- Less is lost.\n- Less is lost again.\n")
    answer = call(1, "Error: old_str stands 2 times in CHANGES", path="CHANGES", old_str="Less", new_str="More")
    check("the places are told", "Line 2, column 3" in answer, answer)
    answer = call(1, "Error: old_str is not in CHANGES\nCause: ", path="CHANGES", old_str="is lust again", new_str="x")
    check("what is like it is told", "Less is lost again" in answer, answer)
    call(0, "Replaced in CHANGES", path="CHANGES", old_str="Less is lost again", new_str="Nothing is")
    check("the file has it", file.read_text() == "- Less is lost.\n- Nothing is.\n", file.read_text())
    call(0, "Replaced in CHANGES\nMatch: ", path="CHANGES", old_str="Less  is lost", new_str="Less  is gone",
         match="whitespace")
    check("in the file's writing", file.read_text() == "- Less is gone.\n- Nothing is.\n", file.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=Path)
    build = parser.parse_args().build.resolve()
    with tempfile.TemporaryDirectory(prefix="emend-dialect-") as name:
        folder = Path(name)
        (folder / "room").mkdir()
        if compile_tools(build, folder):
            check_shown(folder)
            check_appending(folder)
            check_replacing(folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
