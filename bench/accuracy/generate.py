#!/usr/bin/env python3
"""Make a corpus of edits to measure matching with: JSON Lines, the same for the same seed.

    generate.py --seed N [--cases N] [--unseen] [--out FILE] [--class NAME]...

A case is {"id", "class", "language", "path", "file_before", "search", "replace", "expected", "reading",
"note"}. `expected` is the whole file that is right afterwards, or null where refusing is right. `reading`
is what a caller wants who was refused and then shown the file: null where there is no one right reading.
All texts are JSON strings, so line endings and signs stand as escapes and are exact.
"""
import argparse
import json
import os
import random
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import drift
import edits
import judge
import sources

from refusals import REFUSALS, Refusal
from whole_block import exact

PLAIN = "plain"
CLASSES = [PLAIN, *drift.DRIFTS, *REFUSALS]
# Of a drifted class, so many cases may be those that literal search finds all the same.
LITERAL_SHARE = 0.04
LEAD = 0.08
# A replacement that leaves lines out is refused for that, whatever the drift.
OMISSION = re.compile(r"(?mi)^\W*\.\.\.\W*$|\.\.\..*\b(?:rest|existing|unchanged|remaining|same)\b"
                      r"|\b(?:rest|existing|unchanged|remaining|same)\b.*\.\.\.")


class Pool:
    """Sources, drawn language first and package second, so that the big ones do not drown the rest."""

    def __init__(self, every):
        self.every, self.anchored = every, {}
        self.by = defaultdict(lambda: defaultdict(list))
        self.folders, self.names = defaultdict(list), defaultdict(list)
        for source in every:
            self.by[source.language][source.package].append(source)
            self.folders[source.package, source.language].append(source)
            self.names[source.package, os.path.basename(source.path)].append(source)
        self.languages = sorted(l for l in self.by if sum(map(len, self.by[l].values())) >= 3)
        self.weights = [min(4.0, sum(map(len, self.by[l].values())) ** 0.3) for l in self.languages]

    def draw(self, rng):
        packages = self.by[rng.choices(self.languages, self.weights)[0]]
        of_package = packages[rng.choice(sorted(packages))]
        source = rng.choice(of_package)
        if not 1_500 < len(source.text) < 30_000 and rng.random() < 0.7:
            source = rng.choice(of_package)
        return source

    def holding(self, rng, name):
        """A source that has what the class looks for first."""
        if name not in self.anchored:
            self.anchored[name] = [s for s in self.every if ANCHORS[name](s)]
        return rng.choice(self.anchored[name])

    def beside(self, source):
        """Files that one could take for this one: of the same name first, then of the same package."""
        namesakes = self.names[source.package, os.path.basename(source.path)]
        return namesakes if len(namesakes) > 2 else self.folders[source.package, source.language]


# ---- Cases where one reading exists -------------------------------------------------------------


def base_edit(rng, source, name):
    """An edit that has what the class needs."""
    if name == "no final newline":
        return at_the_end(rng, source)
    if name in ANCHORS and rng.random() < 0.6:
        anchors = ANCHORS[name](source)
        if anchors or name != "entities":
            return edits.beside(rng, source, *rng.choice(anchors)) if anchors else None
    if name in ("elided middle", "comment dropped", "blank line more or fewer", "edge line cut"):
        wide = rng.randint(1, 4), rng.randint(6, 24)
        if name != "elided middle":
            wide = rng.randint(1, 8), rng.randint(1, 8)
        if rng.random() < 0.5:
            wide = wide[::-1]
        if source.newer and rng.random() < 0.5 and edits.hunks(source):
            first, last, new = rng.choice(edits.hunks(source))
            edit = edits.framed(rng, source, "version", first, last, list(new), wide)
        else:
            edit = edits.made_up(rng, source, None, wide)
        if edit and name == "edge line cut" and not edit.closed and rng.random() < 0.6:
            edit.closed, edit.tail = True, edit.tail[1:]
        return edit
    if name in INSIDE and rng.random() < 0.15:
        return edits.inside(rng, source)
    return edits.any_edit(rng, source)


def comments(source):
    """Runs of comment lines between other lines, with one of these on either side."""
    lines, found, i = source.text.split("\n"), [], 1
    while i < len(lines) - 1:
        j = i
        while j < len(lines) - 1 and judge.COMMENT.match(lines[j]):
            j += 1
        if 0 < j - i < 7 and lines[i - 1].strip() and lines[j].strip():
            found.append((i - 1, j + 1))
        i = max(j, i + 1)
    return found


def lines_like(pattern, prose=False):
    def find(source):
        return [(k, k + 1) for k, text in enumerate(source.text.split("\n")) if re.search(pattern, text)
                and (not prose or source.language in ("markdown", "html") or judge.COMMENT.match(text))]

    return find


# Where to look first, so that what files really hold is not crowded out by what is made up.
ANCHORS = {
    "comment dropped": comments,
    "smart quotes": lines_like(r"\w'\w|\w --? \w|\w\.\.\.|[\s(>]\"\w[^\"]*\w\"", prose=True),
    "inner runs": lines_like(r"\S {2,}\S"),
    "entities": lines_like(r"&(?:amp|lt|gt|quot|nbsp|copy|mdash|ndash|rarr|laquo|raquo|hellip|times|#\d+);"),
}
RARE = {"entities"}
INSIDE = {PLAIN, "inner runs", "smart quotes", "quote style", "escaped text", "entities", "NFC and NFD", "CRLF file"}


def at_the_end(rng, source):
    """An edit of the last lines of a file; now and then of a file that ends earlier."""
    text = source.text
    if rng.random() < 0.6:
        lines = text.split("\n")
        stop = rng.randint(min(12, len(lines) - 1), len(lines) - 1)
        while stop > 10 and not lines[stop - 1].strip():
            stop -= 1
        text = "\n".join(lines[:stop]) + "\n"
    cut = sources.Source(source.package, source.path, source.language, text)
    lines = text.split("\n")
    first = max(0, len(lines) - rng.randint(4, 9))
    made = rng.choice(edits.MADE_UP)(rng, cut, lines[first:])
    if made is None:
        return None
    a, b, new = made
    edit = edits.framed(rng, cut, "at the end", first + a, first + b, new, (rng.randint(0, 3), 99))
    if edit and not edit.closed:
        edit.closed, edit.tail = True, edit.tail[1:]
    return edit


def fair(edit, name, literal_allowed):
    """One careful reading, and its bytes are the expected ones; and literal search does not do it."""
    before, after = edit.before(), edit.after()
    search, replace = edit.texts()
    if before == after or search == replace or not search.strip() or OMISSION.search(edit.real_block(True)):
        return False
    held = judge.occurrences(search, before)
    if name == PLAIN:
        return held == 1 and before.replace(search, replace) == after
    if held > 1:
        return False
    if held == 1:
        pasted = before.replace(search, replace)
        # Text without a line end stands literally in a CRLF file too: then the new lines are the matter.
        if pasted != after and name != "CRLF file" or pasted == after and not literal_allowed:
            return False
    block = edit.real_block()
    if not judge.unique(block, before) or (replace.strip() and not judge.absent(edit.real_block(True), before)):
        return False
    if not edit.inline and not judge.certain(edit):
        return False
    return name not in drift.FUZZY or clear(edit, name, before)


def clear(edit, name, before):
    """What is left of the search has one place, and no other comes near."""
    kept = "\n".join(l.real for l in edit.body if l.search is not None and l.real is not None)
    if judge.ink(kept) < 30:
        return False
    if any(l.real is None and l.search.strip() for l in edit.body):
        at = next(k for k, l in enumerate(edit.body) if l.real is None and l.search.strip())
        return all(judge.unique("\n".join(l.real for l in part if l.search is not None and l.real is not None), before)
                   for part in (edit.body[:at], edit.body[at:]))
    # Comments that the caller dropped do not make two places one.
    bare = "\n".join(l for l in before.split("\n") if not judge.COMMENT.match(l))
    bare_block = "\n".join(l for l in kept.split("\n") if not judge.COMMENT.match(l))
    if bare_block.strip() and judge.occurrences(judge.squash(bare_block), judge.squash(bare)) > 1:
        return False
    shown = "\n".join(l.search for l in edit.body if l.search is not None)
    likeness = judge.similarity(judge.squash(shown), judge.squash(kept))
    return judge.runner_up(kept, before, 0.6) < likeness - LEAD


def drifted(rng, source, name, literal_allowed):
    edit = base_edit(rng, source, name)
    if edit is None or (name == PLAIN and edit.inline and rng.random() < 0.5):
        return None
    if name != PLAIN and not drift.DRIFTS[name](rng, edit):
        return None
    return edit if fair(edit, name, literal_allowed) else None


# ---- The corpus ---------------------------------------------------------------------------------


def case_of(name, edit):
    search, replace = edit.texts()
    refused = name in REFUSALS
    reading = edit.reading() if isinstance(edit, Refusal) else None
    return {"id": None, "class": name, "language": edit.language,
            "path": f"{edit.source.package}/{edit.source.path}", "file_before": edit.before(), "search": search,
            "replace": replace, "expected": None if refused else edit.after(),
            "reading": reading, "note": "; ".join([edit.kind, *edit.notes])}


def encodable(case):
    try:
        json.dumps(case, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def make(rng, pool, name, count, tries=4000):
    """`count` cases of one class, at most three of one file."""
    cases, literal, of_file, seen = [], 0, Counter(), set()
    for _ in range(tries * max(1, count)):
        if len(cases) == count:
            break
        source = pool.holding(rng, name) if name in RARE and rng.random() < 0.35 else pool.draw(rng)
        if of_file[source.path] >= 3:
            continue
        if name in REFUSALS:
            edit = REFUSALS[name](rng, source, pool.beside(source))
        else:
            edit = drifted(rng, source, name, literal < LITERAL_SHARE * count)
        if edit is None:
            continue
        case = case_of(name, edit)
        key = case["search"], case["replace"]
        if key in seen or not encodable(case):
            continue
        seen.add(key)
        of_file[source.path] += 1
        literal += case["expected"] == exact(case["file_before"], case["search"], case["replace"])
        cases.append(case)
    if len(cases) < count:
        print(f"{name}: only {len(cases)} of {count}", file=sys.stderr)
    return cases


def corpus(seed, count, every, classes=CLASSES):
    """All cases, the classes in order, each with a random stream of its own."""
    pool = Pool(every)
    share, more = divmod(count, len(classes))
    for at, name in enumerate(classes):
        rng = random.Random(f"{seed}/{name}")
        for number, case in enumerate(make(rng, pool, name, share + (at < more))):
            case["id"] = f"{name.replace(':', '').replace(',', '').replace(' ', '-')}-{number:03}"
            yield case


def write(cases, out):
    for case in cases:
        out.write(json.dumps(case, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--unseen", action="store_true", help="of the packages that the first list does not name")
    parser.add_argument("--out", type=Path, help="default: standard output")
    parser.add_argument("--class", action="append", dest="classes", choices=CLASSES, help="only this one")
    args = parser.parse_args()
    out = open(args.out, "w", encoding="utf-8", newline="\n") if args.out else sys.stdout
    write(corpus(args.seed, args.cases, sources.load(args.unseen), args.classes or CLASSES), out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
