#!/usr/bin/env python3
"""Checks that the includes of src/ only point down the rooms, and that no two files mean different
things by the name of a type.

    check_includes.py [SRC]       exit status 1 where one does not
    check_includes.py --self-test

A room may include its own headers and those of the rooms that it may see, written "room/name.h".
All rooms share the prefix em_, so a type that is defined in two of them would keep their headers
apart, and whoever reads the name has to ask which one it is.
"""
import re
import sys
import tempfile
from pathlib import Path

BELOW = {
    "base": [],
    "sandbox": ["base"],
    "text": ["base"],
    "draft": ["text"],
    "match": ["draft"],
    "laying": ["match"],
    "diagnosis": ["laying"],
    "edit": ["diagnosis"],
    "html": ["text"],
    "selectors": ["html"],
    "dom": ["selectors"],
    "system": ["base"],
    "paths": ["system"],
    "history": ["paths", "text"],
    "workspace": ["history"],
    "session": ["edit", "dom", "workspace"],
    "json": ["base"],
    "calls": ["json", "session"],
    "dialects": ["calls"],
    "serve": ["dialects"],
    "http": ["serve"],
    "api": ["dialects"],
    "cli": ["http", "sandbox"],
}
TYPE = re.compile(r"^(?:typedef )?(?:struct|enum|union) (em_\w+)\s*\{", re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[">]', re.M)


def visible(room):
    """The rooms that `room` may include: itself and all that lie below it."""
    seen = {room}
    for lower in BELOW[room]:
        seen |= visible(lower)
    return seen


def check_types(src):
    """Yields one line for each type that is defined again."""
    first = {}
    for path in sorted(src.rglob("*.[ch]")):
        rel = path.relative_to(src)
        for name in TYPE.findall(path.read_text(encoding="utf-8")):
            if name in first:
                yield f"{rel}: {name} is a type of {first[name]}, too"
            first.setdefault(name, rel)


def check(src):
    """Yields one line for each include and each type that is wrong."""
    yield from check_types(src)
    yield from check_includes(src)


def check_includes(src):
    """Yields one line for each include that is wrong."""
    for path in sorted(src.rglob("*.[ch]")):
        rel = path.relative_to(src)
        room = rel.parts[0]
        if len(rel.parts) != 2 or room not in BELOW:
            yield f"{rel}: not in a room ({', '.join(BELOW)})"
            continue
        text = path.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            bracket, name = match.groups()
            where = f"{rel}:{text.count(chr(10), 0, match.start()) + 1}"
            target = name.split("/")[0]
            if bracket == "<":
                if (src / name).exists():
                    yield f"{where}: <{name}> is a header of the project: write \"{name}\""
            elif name.count("/") != 1 or not (src / name).is_file():
                yield f"{where}: \"{name}\" is not a header below src/"
            elif target not in visible(room):
                yield f"{where}: {room} may not see {target} (\"{name}\")"


# A small tree that is right, and what must be found when one line is planted in it.
GOOD = {
    "base/a.h": "#include <stdio.h>\n",
    "text/t.h": '#include "base/a.h"\ntypedef struct em_t {\n    int a;\n} em_t;\nem_t t(void);\n',
    "edit/e.c": '#include "text/t.h"\n#include "edit/e.h"\n',
    "edit/e.h": '#include "base/a.h"\n',
    "workspace/w.h": '#include "text/t.h"\n',
    "session/s.c": '#include "workspace/w.h"\n#include "edit/e.h"\n',
    "cli/c.c": '#include "base/a.h"\n',
    "api/p.h": "#include <emend.h>\n",
    "dialects/d.h": '#include "base/a.h"\n',
    "api/t.c": '#include "dialects/d.h"\n',
    "serve/m.h": '#include "dialects/d.h"\n',
}
PLANTED = [
    ("base/a.h", '#include "text/t.h"', "base may not see text"),
    ("text/t.h", '  #  include "edit/e.h"', "text may not see edit"),
    ("edit/e.c", '#include "workspace/w.h"', "edit may not see workspace"),
    ("html/h.h", '#include "edit/e.h"', "html may not see edit"),
    ("workspace/w.h", '#include "edit/e.h"', "workspace may not see edit"),
    ("workspace/w.h", "#include <edit/e.h>", "is a header of the project"),
    ("session/s.c", '#include "s.h"', "not a header below src/"),
    ("session/s.c", '#include "edit/../edit/e.h"', "not a header below src/"),
    ("cli/c.c", '#include "api/p.h"', "cli may not see api"),
    ("api/t.c", '#include "serve/m.h"', "api may not see serve"),
    ("other/o.c", "", "not in a room"),
    ("cli/c.c", "typedef enum em_t { A } em_t;", "text/t.h: em_t is a type of cli/c.c, too"),
    ("edit/e.c", "struct em_t {", "text/t.h: em_t is a type of edit/e.c, too"),
]


def self_test():
    """Plants each wrong include in turn; answers the number that went unnoticed."""

    def findings(extra=None):
        with tempfile.TemporaryDirectory() as folder:
            src = Path(folder)
            tree = dict(GOOD)
            if extra:
                tree[extra[0]] = tree.get(extra[0], "") + extra[1] + "\n"
            for name, text in tree.items():
                (src / name).parent.mkdir(exist_ok=True)
                (src / name).write_text(text)
            return list(check(src))

    missed = 1 if findings() else 0
    for name, line, expected in PLANTED:
        found = findings((name, line))
        if len(found) != 1 or expected not in found[0]:
            print(f"planted in {name}: {line!r}: expected {expected!r}, found {found}")
            missed += 1
    print(f"{len(PLANTED) + 1 - missed} passed, {missed} failed")
    return missed


def main():
    if "--self-test" in sys.argv:
        return 1 if self_test() else 0
    src = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "src"
    files = len(list(src.rglob("*.[ch]")))
    wrong = list(check(src))
    print("\n".join(wrong + [f"{files} files, {len(wrong)} includes and types that are wrong"]))
    return 1 if wrong or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
