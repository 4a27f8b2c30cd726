#!/usr/bin/env python3
"""How often does emend find the place that is meant, and never another?

    run.py [--emend BINARY] [--corpus FILE | --quick | --seed N [--cases N] [--unseen]]
           [--tool TOOL] [--also NAME=RESULTS.jsonl]... [--markdown] [--failures FILE]

Each case is one call (`editFile` unless --tool names another; a tool whose default is exact matching
gets "match": "fuzzy") of one `emend batch`, and what counts is what the file holds afterwards:

    right      the expected bytes; where refusing is right, the bytes from before
    refused    the bytes from before
    wrong      any other bytes

Beside it: exact search alone, and the most similar block at 0.85 pasted over (whole_block.py). --also
adds the results of another tool: lines of {"id", "content" or null}.

--quick takes the committed cases and is a test: it fails when one edit is wrong where refusing is
right, or in a plain case, and when fewer of the drifted are right than QUICK_LEAST.
"""
import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import corpora
import whole_block
from caller import DIALECTS, Workplace

TOP = corpora.TOP
PLAIN = "plain"
QUICK_LEAST = 0.95
RIGHT, REFUSED, WRONG = "right", "refused", "wrong"
TIERS = ("exact", "whitespace", "token", "fuzzy")


def verdict(case, content):
    """`content`: what the file holds afterwards; None when it was left alone."""
    kept = content is None or content == case["file_before"]
    if case["expected"] is None:
        return RIGHT if kept else WRONG
    return RIGHT if content == case["expected"] else REFUSED if kept else WRONG


# ---- Those who are measured ---------------------------------------------------------------------


def of_emend(args, cases):
    """({id: content}, {id: tier}, seconds)"""
    dialect = DIALECTS[args.tool]
    match = None if args.tool == "editFile" else "fuzzy"
    with Workplace(args.emend, cases, args.jobs) as place:
        place.lay(cases)
        calls = [(c["id"], dialect.tool, dialect.arguments(place.names[c["id"]], c["search"], c["replace"], match))
                 for c in cases]
        started = time.monotonic()
        answers = place.call(calls)
        seconds = time.monotonic() - started
        contents = {c["id"]: place.held(c) for c in cases}
    return contents, {i: tier_of(answer) for i, answer in answers.items()}, seconds


def tier_of(answer):
    """The tier of a success; None of a refusal, and where the answer does not say it."""
    result = answer["result"]
    if answer["isError"] or not isinstance(result, dict):
        return None
    if result.get("matchTiers"):
        return result["matchTiers"][0]
    matches = (result.get("metadata") or result.get("data") or result).get("matches") or []
    return matches[0]["tier"] if matches else "exact"


def of_baseline(edit):
    return lambda cases: {c["id"]: edit(c["file_before"], c["search"], c["replace"]) for c in cases}


BASELINES = {"exact only": of_baseline(whole_block.exact), "block 0.85": of_baseline(whole_block.edit)}


def of_file(path):
    with open(path, encoding="utf-8") as lines:
        return {result["id"]: result["content"] for result in map(json.loads, lines)}


# ---- Tables -------------------------------------------------------------------------------------


class Score:
    """Verdicts by class."""

    def __init__(self, name, cases, contents):
        self.name = name
        self.verdicts = {c["id"]: verdict(c, contents[c["id"]]) for c in cases}
        self.by_class = defaultdict(Counter)
        for case in cases:
            self.by_class[case["class"]][self.verdicts[case["id"]]] += 1

    def share(self, classes, what):
        counts = sum((self.by_class[name] for name in classes), Counter())
        return counts[what] / sum(counts.values()) if counts else 0.0


def percent(share):
    return f"{100 * share:.1f} %"


def kinds(cases):
    """(all classes, the drifted, those where refusing is right), each in the order of the corpus."""
    every = list(dict.fromkeys(c["class"] for c in cases))
    refusing = [n for n in every if all(c["expected"] is None for c in cases if c["class"] == n)]
    return every, [n for n in every if n not in refusing and n != PLAIN], refusing


def laid_out(rows, markdown):
    if markdown:
        head, *rest = rows
        lines = ["| " + " | ".join(head) + " |", "| --- |" + " --: |" * (len(head) - 1)]
        return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rest])
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) if k == 0 else cell.rjust(w)
                               for k, (cell, w) in enumerate(zip(row, widths))) for row in rows)


def class_table(cases, score, others):
    every, drifted, refusing = kinds(cases)
    rows = [["class", "cases", "right", "refused", "wrong"] + [f"{o.name}: right / wrong" for o in others]]
    for name in every:
        counts = score.by_class[name]
        rows.append([name, str(sum(counts.values()))] + [str(counts[w]) for w in (RIGHT, REFUSED, WRONG)]
                    + [f"{o.by_class[name][RIGHT]} / {o.by_class[name][WRONG]}" for o in others])
    for title, names in (("all drifted", drifted), ("all where refusing is right", refusing), ("all", every)):
        counts = sum((score.by_class[n] for n in names), Counter())
        rows.append([title, str(sum(counts.values()))]
                    + [percent(score.share(names, w)) for w in (RIGHT, REFUSED, WRONG)]
                    + [f"{percent(o.share(names, RIGHT))} / {percent(o.share(names, WRONG))}" for o in others])
    return rows


def summary_table(cases, scores):
    every, drifted, refusing = kinds(cases)
    rows = [["", "right, of the drifted", "changed something wrong, of all"]]
    return rows + [[s.name, percent(s.share(drifted, RIGHT)), percent(s.share(every, WRONG))] for s in scores]


def tier_table(cases, score, tiers):
    """Which tier the edits were made by, and how many of them were right."""
    edits = [c for c in cases if tiers.get(c["id"])]
    rows = [["tier", "edits", "share", "wrong"]]
    for tier in TIERS:
        of_tier = [c for c in edits if tiers[c["id"]] == tier]
        wrong = sum(score.verdicts[c["id"]] == WRONG for c in of_tier)
        rows.append([tier, str(len(of_tier)), percent(len(of_tier) / max(1, len(edits))), str(wrong)])
    return rows


def failures(cases, score, contents, path):
    """Every case that is not right, with what came out, one a line."""
    with open(path, "w", encoding="utf-8") as out:
        for case in cases:
            if score.verdicts[case["id"]] != RIGHT:
                out.write(json.dumps({"verdict": score.verdicts[case["id"]], "got": contents[case["id"]], **case},
                                     ensure_ascii=False) + "\n")


# ---- The test -----------------------------------------------------------------------------------


def judged(cases, score):
    """Prints what a test prints; the exit status."""
    _every, drifted, refusing = kinds(cases)
    bad = [c for c in cases if score.verdicts[c["id"]] != RIGHT and c["class"] in (*refusing, PLAIN)]
    for case in bad:
        print(f"{case['id']}: {score.verdicts[case['id']]} ({case['path']}; {case['note']})")
    right, failed = score.share(drifted, RIGHT), len(bad)
    if right < QUICK_LEAST:
        print(f"{percent(right)} of the drifted are right, and {percent(QUICK_LEAST)} must be")
        failed += 1
    print(f"{sum(v == RIGHT for v in score.verdicts.values())} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", type=Path, default=TOP / "build" / "emend")
    parser.add_argument("--no-emend", action="store_true", help="only the others")
    corpora.add_arguments(parser)
    parser.add_argument("--tool", choices=DIALECTS, default="editFile")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--also", action="append", default=[], metavar="NAME=RESULTS.jsonl")
    parser.add_argument("--markdown", action="store_true", help="tables for a page")
    parser.add_argument("--failures", type=Path, help="write every case that is not right")
    args = parser.parse_args()

    name, cases = corpora.chosen(args)
    others = [] if args.quick else [Score(n, cases, of(cases)) for n, of in BASELINES.items()]
    others += [Score(n, cases, of_file(path)) for n, _, path in (item.partition("=") for item in args.also)]
    if args.no_emend:
        contents, tiers, seconds, score = {}, {}, 0.0, others.pop()
    else:
        contents, tiers, seconds = of_emend(args, cases)
        score = Score("emend", cases, contents)
    print(f"{len(cases)} cases, {name}\n")
    print(laid_out(class_table(cases, score, others), args.markdown))
    if not args.no_emend:
        print(f"\n{laid_out(tier_table(cases, score, tiers), args.markdown)}")
    print(f"\n{laid_out(summary_table(cases, [*others, score]), args.markdown)}")
    if not args.no_emend:
        print(f"\n{args.tool}: {seconds:.1f} s, {seconds / len(cases) * 1000:.2f} ms a case")
    if args.failures:
        failures(cases, score, contents, args.failures)
    return judged(cases, score) if args.quick else 0


if __name__ == "__main__":
    sys.exit(main())
