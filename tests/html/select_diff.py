#!/usr/bin/env python3
"""Compares what selectors match with cheerio: random selectors on random pages and on real ones.

    select_diff.py [--matching PROGRAM] [--seed N] [--pages N] [--selectors N] [--real N DIR...]

Random pages are made anew, real ones are drawn from the HTML files below DIR; both with a number of
selectors each, all by the seed. A page of which the two parsers make different trees is not asked
about. A difference is printed with a page that shows it. The last line has the counts; without npm
or its packages, one test is skipped.
"""
import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

import select_random

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import npm

LARGEST_PAGE = 200_000
SHOWN_DIFFERENCES = 5


def block(kind, text):
    data = text.encode()
    return f"{kind} {len(data)}\n".encode() + data + b"\n"


def ask_ours(program, cases):
    """For each case the names of all elements, and for each selector what it matches or why not."""
    data = b"".join(block("P", page) + block("N", "") + b"".join(block("S", s) for s in selectors)
                    for page, selectors in cases)
    done = subprocess.run([program], input=data, stdout=subprocess.PIPE, check=True)
    lines = iter(done.stdout.decode().splitlines())

    def answer():
        sign, _, rest = next(lines).partition(" ")
        return [int(n) for n in rest.split()] if sign == "=" else rest

    return [(next(lines).split(), [answer() for _ in selectors]) for _, selectors in cases]


def ask_cheerio(node, cases):
    data = "".join(json.dumps({"page": p, "selectors": s}) + "\n" for p, s in cases)
    done = subprocess.run([node, HERE / "select_oracle.mjs"], input=data.encode(), check=True,
                          stdout=subprocess.PIPE, cwd=HERE)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    return [(a["names"], a["found"]) for a in answers]


def random_cases(rng, pages, selectors):
    for _ in range(pages):
        page = select_random.page(rng)
        words = select_random.Words(page)
        yield page, [select_random.selector(rng, words) for _ in range(selectors)]


def real_cases(rng, folders, pages, selectors):
    files = sorted(f for folder in folders for f in Path(folder).rglob("*.htm*")
                   if f.is_file() and f.stat().st_size <= LARGEST_PAGE)
    for path in rng.sample(files, min(pages, len(files))):
        page = path.read_bytes().decode("utf-8", "replace").lstrip("\ufeff")
        if "<template" not in page and "\0" not in page:
            words = select_random.Words(page)
            yield page, [select_random.selector(rng, words) for _ in range(selectors)]


def compare(cases, ours, theirs):
    """Counts of equal answers, of answers with an element in them, of pages not asked; differences."""
    equal = found = skipped = 0
    different = []
    for (page, selectors), (names, answers), (other_names, other_answers) in zip(cases, ours, theirs):
        if names != other_names:
            skipped += 1
            continue
        for selector, answer, other in zip(selectors, answers, other_answers):
            if answer == other:
                equal += 1
                found += bool(answer)
            else:
                different.append((page, selector, answer, other))
    return equal, found, skipped, different


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    default = HERE.parents[1] / "build" / "tests" / "html" / "html_matching"
    parser.add_argument("--matching", default=default, type=Path)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--pages", default=80, type=int)
    parser.add_argument("--selectors", default=40, type=int)
    parser.add_argument("--real", nargs="+", default=[], metavar=("N", "DIR"))
    args = parser.parse_args()
    try:
        npm.install(HERE)
        node, _ = npm.find_node(HERE)
    except npm.Unavailable as why:
        return npm.skipped("cheerio", why)
    rng = random.Random(args.seed)
    cases = list(random_cases(rng, args.pages, args.selectors))
    if args.real:
        cases += real_cases(rng, args.real[1:], int(args.real[0]), args.selectors)
    ours = ask_ours(args.matching, cases)
    equal, found, skipped, different = compare(cases, ours, ask_cheerio(node, cases))
    different.sort(key=lambda d: len(d[0]) + 20 * len(d[1]))
    for page, selector, answer, other in different[:SHOWN_DIFFERENCES]:
        print(f"page: {page[:3000]}\nselector: {selector}\nemend:   {answer}\ncheerio: {other}\n")
    print(f"{len(cases) - skipped} pages, {skipped} not asked about; {found} answers have elements in them")
    print(f"{equal} passed, {len(different)} failed")
    return 1 if different or not found else 0


if __name__ == "__main__":
    sys.exit(main())
