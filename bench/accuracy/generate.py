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
import sys
from collections import Counter, defaultdict
from pathlib import Path

import drift
import sources

from meant import ANCHORS, PLAIN, RARE, drifted
from refusals import REFUSALS, Refusal
from whole_block import exact

CLASSES = [PLAIN, *drift.DRIFTS, *REFUSALS]
# Of a drifted class, so many cases may be those that literal search finds all the same.
LITERAL_SHARE = 0.04


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
