#!/usr/bin/env python3
"""Uses emend as somebody does who installed it.

    install_test.py --build FOLDER       a finished meson build

Installs into a temporary folder, compiles the header in every language that may include it and the
example with what pkg-config says, and runs that, and calls a tool from another language.
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
HEADER_DIALECTS = [
    ("cc", "c", "c11"), ("cc", "c", "c17"), ("clang", "c", "c11"), ("clang", "c", "c17"),
    ("g++", "c++", "c++11"), ("g++", "c++", "c++20"), ("clang++", "c++", "c++11"),
]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
tally = Tally()
check = tally.check


class Installed:
    """What `meson install` made below a folder of its own."""

    def __init__(self, build, folder):
        done = run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", folder])
        check("meson install", done.returncode == 0, done.stderr)
        self.pc = next(folder.rglob("emend.pc"))
        self.header = next(folder.rglob("emend.h"))
        self.shared = next(folder.rglob("libemend.so"))
        self.static = next(folder.rglob("libemend.a"))
        self.prefix = self.header.parent.parent

    def flags(self, *asked):
        done = run(["pkg-config", f"--define-variable=prefix={self.prefix}", *asked, "emend"],
                   env={**os.environ, "PKG_CONFIG_PATH": str(self.pc.parent)})
        check(f"pkg-config {' '.join(asked)}", done.returncode == 0, done.stderr)
        return done.stdout.split()


def check_header(installed, folder):
    """The header alone, as the first and only thing of a source."""
    for compiler, language, standard in HEADER_DIALECTS:
        if not shutil.which(compiler):
            tally.skipped += 1
            continue
        source = folder / f"header.{language}"
        source.write_text("#include <emend.h>\n#include <emend.h>\n"
                          "int main(void)\n{\n    return emend_version()[0] == 0;\n}\n")
        done = run([compiler, "-x", language, f"-std={standard}", *STRICT, "-fsyntax-only", source,
                    *installed.flags("--cflags")])
        check(f"{compiler} -std={standard}", done.returncode == 0, done.stderr)


def check_symbols(installed):
    declared = set(re.findall(r"\b(emend_\w+)\(", "".join(
        re.findall(r"^EMEND_API[^;]*;", installed.header.read_text(encoding="utf-8"), re.M))))
    listed = run(["nm", "-D", "--defined-only", installed.shared]).stdout.splitlines()
    exported = {line.split()[-1] for line in listed}
    check("what is exported is what the header declares", exported == declared,
          f"only exported: {exported - declared}\nonly declared: {declared - exported}")


def check_version(installed):
    version = run(["pkg-config", "--modversion", installed.pc]).stdout.strip()
    numbers = re.findall(r"#define EMEND_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)",
                         installed.header.read_text(encoding="utf-8"))
    check("pkg-config and the header have one version", version == ".".join(numbers), version)


def check_example(installed, folder, how, libraries):
    """Compile the example, edit a file with it, and have it refused the second time."""
    program = folder / f"edit-{how}"
    done = run(["cc", "-std=c17", *STRICT, TOP / "examples/edit.c", *installed.flags("--cflags"),
                *libraries, "-o", program])
    check(f"the example compiles ({how})", done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return
    room = folder / how
    room.mkdir()
    (room / "a.txt").write_text("one\ntwo\n")
    options = {"cwd": room, "env": {**os.environ, "XDG_STATE_HOME": str(folder / "state"),
                                    "LD_LIBRARY_PATH": str(installed.shared.parent)}}
    done = run([program, "a.txt", "two", "2"], **options)
    check(f"the example runs ({how})", done.returncode == 0, done.stderr)
    check(f"it shows the diff ({how})", done.stdout ==
          "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", done.stdout)
    check(f"it edits the file ({how})", (room / "a.txt").read_text() == "one\n2\n")
    done = run([program, "a.txt", "two", "2"], **options)
    check(f"it says why not ({how})",
          done.returncode == 1 and done.stderr.startswith("a.txt: no_match "), done.stderr)


CALLER = """
import _ctypes, ctypes, json, sys
emend = ctypes.CDLL(sys.argv[1])
emend.emend_tools_json.restype = ctypes.c_void_p
session, answer, is_error = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_bool()
def take(pointer):
    text = ctypes.string_at(pointer).decode()
    emend.emend_free(ctypes.c_void_p(pointer))
    return json.loads(text)
assert emend.emend_session_new(None, ctypes.byref(session), None) == 0
tools = take(emend.emend_tools_json())
status = emend.emend_call(session, b"edit_file", sys.argv[2].encode(), ctypes.byref(answer),
                          ctypes.byref(is_error), None)
print(json.dumps([len(tools) > 5, status, is_error.value, take(answer.value)]))
emend.emend_session_free(session)
_ctypes.dlclose(emend._handle)
assert sys.argv[1] in open("/proc/self/maps").read(), "threads may still be in it"
"""


def check_other_language(installed, folder):
    """Python needs nothing but the shared library."""
    room = folder / "python"
    room.mkdir()
    (room / "b.txt").write_text("one\n")
    arguments = {"file_path": "b.txt", "old_string": "one", "new_string": "1"}
    library = installed.shared.resolve()
    done = run([sys.executable, "-c", CALLER, library, json.dumps(arguments)], cwd=room,
               env={**os.environ, "XDG_STATE_HOME": str(folder / "state")})
    want = [True, 0, False, "Successfully replaced 1 occurrence(s) in b.txt"]
    check("a call from Python", done.returncode == 0 and json.loads(done.stdout) == want,
          done.stdout + done.stderr)
    check("it edits the file", (room / "b.txt").read_text() == "1\n")


TELLS = """#!/bin/sh
printf '%s\\n' "$0" "DESTDIR=$DESTDIR" "$@" >> {said}
"""


def check_make(folder):
    """What `make install` asks of Meson: here, of scripts in its stead, which only write it down."""
    said, tools, build = folder / "said", folder / "tools", folder / "build"
    for made in tools, build:
        made.mkdir()
    (build / "build.ninja").touch()
    for name in "meson", "ninja":
        (tools / name).write_text(TELLS.format(said=said))
        (tools / name).chmod(0o755)
    cases = [("/usr", "", "/usr", ""), ("/usr", "/a/b", "/usr", "/a/b"), ("to", "pack/x", TOP / "to", TOP / "pack/x"),
             ("/a b/c", "d e", "/a b/c", TOP / "d e"), ("/usr/../x/", "", "/x", "")]
    for prefix, destdir, want_prefix, want_destdir in cases:
        said.write_text("")
        env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
        env.pop("MAKEFLAGS", None)
        done = run(["make", "-C", TOP, "--no-print-directory", "install", f"BUILD={build}", f"PREFIX={prefix}",
                    f"DESTDIR={destdir}"], env=env)
        lines = said.read_text().splitlines()
        check(f"make install PREFIX='{prefix}' DESTDIR='{destdir}'", done.returncode == 0 and
              f"-Dprefix={want_prefix}" in lines and lines[-7:-5] == [str(tools / "meson"), f"DESTDIR={want_destdir}"],
              done.stderr + "\n".join(lines))


def check_page():
    example = (TOP / "examples/edit.c").read_text(encoding="utf-8")
    page = (TOP / "docs/library.md").read_text(encoding="utf-8")
    body = example[example.index("#include"):]
    check("docs/library.md shows the example as it is", f"```c\n{body}```\n" in page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=Path)
    build = parser.parse_args().build.resolve()
    with tempfile.TemporaryDirectory(prefix="emend-install-") as name:
        folder = Path(name)
        installed = Installed(build, folder / "to")
        check_header(installed, folder)
        check_symbols(installed)
        check_version(installed)
        check_example(installed, folder, "shared", installed.flags("--libs"))
        needs = [flag for flag in installed.flags("--libs", "--static") if flag != "-lemend"]
        check_example(installed, folder, "static", [installed.static, *needs])
        check_other_language(installed, folder)
        check_make(folder)
    check_page()
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
