#!/usr/bin/env python3
"""Checks the files that git knows for what does not belong in them.

Notes of things left to do, paths of somebody's machine, hosts of package registries, trailing blanks,
files that should not be there. tests/conformance is a copy from elsewhere and exempt. A page that
leads through rooms names each file of them. And what a page links to is there: the file, and the heading.
"""
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
EXEMPT = ("tests/conformance/", "tests/tools/check_tree.py")
LEFT_TO_DO = (r"\b(?:TODO|FIXME|XXX|HACK)\b", "something left to do")
FORBIDDEN = [
    (r"(?:^|[\s\"'=(])/(?:work|home|root|Users)/\w", "a path of somebody's machine"),
    (r"/tmp/b-\w", "a path of somebody's machine"),
    (r"registry\.npmjs|deb\.debian\.org|pypi\.org|proxy\.golang", "the host of a registry"),
    (r"^(?:<<<<<<<|>>>>>>>) ", "an unresolved merge"),
]
SOURCE = (".c", ".h", ".py", ".mjs", ".sh", ".build", ".json", "Makefile")
LONGEST_SOURCE = 830
# A header is named by its source, or the source by it.
LED_THROUGH = {
    "docs/edit.md": ("draft", "tokens", "match", "laying", "diagnosis", "edit"),
    "docs/session.md": ("session", "remarks"),
}


def findings(name, text):
    """Yields a line for each thing wrong in one file."""
    # Tests have such words in the texts that they edit.
    for pattern, what in FORBIDDEN + ([] if name.startswith("tests/") else [LEFT_TO_DO]):
        for match in re.finditer(pattern, text, re.M):
            number = text.count("\n", 0, match.start()) + 1
            yield f"{name}:{number}: {what}: {match.group().strip()}"
    if name.endswith(SOURCE):
        for number, line in enumerate(text.split("\n"), 1):
            if line != line.rstrip():
                yield f"{name}:{number}: blanks at the end of the line"
        if text and not text.endswith("\n"):
            yield f"{name}: no newline at the end"
    if name.startswith("src/") and name.endswith(".c") and not text.startswith("/*") \
            and not (TOP / name).with_suffix(".h").is_file():
        yield f"{name}: neither a head of its own nor a header that has one"
    if name.startswith("src/") and text.count("\n") > LONGEST_SOURCE:
        yield f"{name}: longer than {LONGEST_SOURCE} lines"


def unnamed(page, text, sources):
    """Yields a line for each file of the page's rooms that it does not name."""
    named = {name.rpartition(".")[0] for name in re.findall(r"`([\w.]+\.[ch])`", text)}
    for room in LED_THROUGH[page]:
        for source in sorted(s for s in sources if s.startswith(f"src/{room}/")):
            if source.endswith((".c", ".h")) and Path(source).stem not in named:
                yield f"{page}: does not name {source}"


def anchors(text):
    """The names by which the headings of a page are linked to."""
    titles = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


def dead_links(name, text):
    """Yields a line for each link of a page to a file or a heading that is not there."""
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
        file, _, anchor = target.partition("#")
        if ":" in file:
            continue
        path = (TOP / name).parent / file if file else TOP / name
        if not path.exists():
            yield f"{name}: links to {target}, which is not there"
        elif anchor and anchor not in anchors(path.read_text(encoding="utf-8") if file else text):
            yield f"{name}: links to {target}, and there is no such heading"


# Each of these must be found.
PLANTED = ["/* TO" "DO: later */\n", 'cd "/ho' 'me/me/emend"\n', "url = reg" "istry.npmjs.org\n",
           "int a; \n", "int a;", "<<<<<<" "< HEAD\n"]
PLANTED_LINKS = ["[x](nowhere.md)", "# One\n[x](#two)", "[x](edit.md#nothing-of-that-name)"]
PLANTED_SOURCE = ['#include "room/other.h"\n', "/* x */\n" + "\n" * LONGEST_SOURCE]


def main():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, check=True)
    names = [n for n in listed.stdout.decode().split("\0") if n and not n.startswith(EXEMPT)]
    wrong = [f"not found when planted: {text!r}" for text in PLANTED
             if not list(findings("planted.c", text))]
    wrong += [f"not found when planted in src: {text[:40]!r}" for text in PLANTED_SOURCE
              if not list(findings("src/room/planted.c", text))]
    if not list(unnamed("docs/edit.md", "`a.c`", ["src/edit/a.h", "src/edit/b.c"])):
        wrong.append("not found when planted: a file that its page does not name")
    wrong += [f"not found when planted: {text!r}" for text in PLANTED_LINKS
              if not list(dead_links("docs/planted.md", text))]
    for page in LED_THROUGH:
        wrong += unnamed(page, (TOP / page).read_text(encoding="utf-8"), names)
    checked = 0
    for name in names:
        path = TOP / name
        if path.is_file():
            checked += 1
            try:
                text = path.read_text(encoding="utf-8")
                wrong += findings(name, text)
                if name.endswith(".md"):
                    wrong += dead_links(name, text)
            except UnicodeDecodeError:
                if not name.endswith((".png", ".bin", ".gz")):
                    wrong.append(f"{name}: not UTF-8")
    print("\n".join(wrong))
    planted = len(PLANTED) + len(PLANTED_LINKS) + len(PLANTED_SOURCE) + 1
    print(f"{checked + planted + len(LED_THROUGH)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
