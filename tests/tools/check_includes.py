#!/usr/bin/env python3
"""Checks that the includes of src/ only point down the rooms and run in no circle within one, and
that no two files mean different things by the name of a type.

    check_includes.py [SRC]       exit status 1 where one does not
    check_includes.py --self-test

A room may include its own headers and those of the rooms that it may see, written "room/name.h".
Within a room, too, some files lie below others: whoever reads one can begin with those that it
includes, and comes to an end. NAME.c and NAME.h are one file there, but a face is a file of its own.
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
    "tokens": ["text"],
    "match": ["draft", "tokens"],
    "laying": ["match"],
    "diagnosis": ["laying"],
    "edit": ["diagnosis"],
    "remarks": ["edit"],
    "html": ["text"],
    "selectors": ["html"],
    "dom": ["selectors"],
    "system": ["base"],
    "paths": ["system"],
    "history": ["paths", "text"],
    "workspace": ["history"],
    "past": ["workspace"],
    "session": ["remarks", "dom", "past"],
    "json": ["base"],
    "tools": ["json", "session"],
    "arguments": ["tools"],
    "answers": ["arguments"],
    "dialects": ["answers"],
    "serve": ["dialects"],
    "http": ["serve"],
    "api": ["dialects"],
    "review": ["http"],
    "cli": ["review", "sandbox"],
}
# A face is a header whose functions several files have; what these share is in another one, which
# includes it. That is NAME_impl.h for NAME.h, or:
FACES = {
    "history/history.h": "history/database.h",
    "sandbox/sandbox.h": "sandbox/walls.h",
    "selectors/select.h": "selectors/form.h",
    "session/session.h": "session/session_state.h",
    "workspace/workspace.h": "workspace/ws.h",
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
    yield from check_faces(src)
    yield from check_circles(src)


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


def headers_of(path):
    """The headers of the project that a file includes."""
    text = path.read_text(encoding="utf-8")
    return [name for bracket, name in INCLUDE.findall(text) if bracket == '"']


def check_faces(src):
    """Yields one line for each of FACES that is none any more."""
    for face, inside in FACES.items():
        if not (src / inside).is_file() or face not in headers_of(src / inside):
            yield f"{face}: {inside} does not include it, so it is no face: take it out of FACES"


def include_graph(src):
    """For each file the files of its room that it includes, and by which line: {file: {file: line}}."""
    faces = set(FACES) | {str(path.relative_to(src)).replace("_impl.h", ".h")
                          for path in src.rglob("*_impl.h")}

    def file_of(name):
        return name if name in faces else name.rsplit(".", 1)[0]

    graph = {}
    for path in sorted(src.rglob("*.[ch]")):
        name = str(path.relative_to(src))
        includes = graph.setdefault(file_of(name), {})
        for header in headers_of(path):
            if header.split("/")[0] == name.split("/")[0] and file_of(header) != file_of(name):
                includes.setdefault(file_of(header), f"{path.name} includes {Path(header).name}")
    return graph


def shortest_circle(graph, start):
    """The files of the shortest way that leads from `start` back to it; None."""
    ways = [[start]]
    reached = set()
    for way in ways:
        for after in graph.get(way[-1], ()):
            if after == start:
                return way
            if after not in reached:
                reached.add(after)
                ways.append(way + [after])
    return None


def check_circles(src):
    """Yields one line for each circle of files, but for those whose files are all in others."""
    graph = include_graph(src)
    told = set()
    for start in graph:
        circle = None if start in told else shortest_circle(graph, start)
        if circle:
            told.update(circle)
            steps = [graph[one][other] for one, other in zip(circle, circle[1:] + circle[:1])]
            yield f"{start.split('/')[0]}: a circle of files: {', '.join(steps)}"


# A small tree that is right, and what must be found when one line is planted in it; None: when the
# file is missing.
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
    "edit/f.c": '#include "edit/f.h"\n#include "edit/e.h"\n',
    "edit/f.h": "",
    "edit/g.c": '#include "edit/f.h"\n',
    "edit/g.h": "",
    "dom/d.h": "",
    "dom/d_impl.h": '#include "dom/d.h"\n#include "dom/part.h"\n',
    "dom/d.c": '#include "dom/d_impl.h"\n',
    "dom/part.h": '#include "dom/d.h"\n',
    **{face: "" for face in FACES},
    **{inside: f'#include "{face}"\n' for face, inside in FACES.items()},
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
    ("edit/e.h", '#include "edit/f.h"',
     "edit: a circle of files: e.h includes f.h, f.c includes e.h"),
    ("edit/e.c", '#include "edit/g.h"',
     "edit: a circle of files: e.c includes g.h, g.c includes f.h, f.c includes e.h"),
    ("dom/d.h", '#include "dom/part.h"',
     "dom: a circle of files: d.h includes part.h, part.h includes d.h"),
    ("workspace/ws.h", None, "workspace/ws.h does not include it"),
]


def self_test():
    """Plants each wrong include in turn; answers the number that went unnoticed."""

    def findings(extra=None):
        with tempfile.TemporaryDirectory() as folder:
            src = Path(folder)
            tree = dict(GOOD)
            if extra and extra[1] is None:
                del tree[extra[0]]
            elif extra:
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
    print("\n".join(wrong + [f"{files} files, {len(wrong)} includes, circles and types that are wrong"]))
    return 1 if wrong or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
