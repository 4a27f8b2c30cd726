#!/usr/bin/env python3
"""Does the answer to a refused edit tell enough to send the right one?

    correct.py [--emend BINARY] [--corpus FILE | --quick | --seed N [--cases N] [--unseen]]
               [--tool TOOL]... [--failures FILE] [--markdown]

A corrector that understands nothing: each case is sent with exact matching, and where it is refused,
what the answer says to send is sent, once. Of an answer that is an object that is its `retry`; of a text
it is what stands between `>>>` and `<<<` after a line that names the argument. It never looks at the file.

Counted are the refusals of cases that have one right reading: the drifted, and the stale with the lines to
change intact. "astray" counts cases without such a reading whose answer led to an edit.

--quick takes the committed cases and is a test: it fails when a tool leads to the right edit less often
than QUICK_LEAST.
"""
import argparse
import copy
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import corpora
from caller import DIALECTS, Workplace
from run import laid_out, percent

TOLD = re.compile(r"^Send as (\w+) \(between >>> and <<<\):\n>>>(.*?)<<<$", re.M | re.S)
QUICK_LEAST = 0.95
CORRECTED, ASTRAY, SILENT, WRONG = "corrected", "astray", "nothing to send", "not the right edit"


def retry_in(result):
    """The object that an answer says to send, wherever in the answer it stands."""
    if not isinstance(result, dict):
        return None
    if isinstance(result.get("retry"), dict):
        return result["retry"]
    return next(filter(None, (retry_in(value) for value in result.values())), None)


def told(dialect, arguments, answer):
    """The arguments that the answer says to send, or None."""
    result = answer["result"]
    if isinstance(result, dict):
        return retry_in(result)
    texts = dict(TOLD.findall(result))
    if not texts or not set(texts) <= set(dialect.texts):
        return None
    made = copy.deepcopy(arguments)
    (made[dialect.listed][0] if dialect.listed else made).update(texts)
    return made


def wanted(case):
    """The bytes that a caller who was refused wants in the end."""
    return case["expected"] if case["expected"] is not None else case["reading"]


def outcomes(emend, dialect, cases, jobs):
    """{id: outcome} of the refused cases, and how often an answer was silent or wrong."""
    match = "exact" if dialect.tool == "editFile" else None
    with Workplace(emend, cases, jobs) as place:
        place.lay(cases)
        sent = {c["id"]: dialect.arguments(place.names[c["id"]], c["search"], c["replace"], match) for c in cases}
        answers = place.call([(i, dialect.tool, arguments) for i, arguments in sent.items()])
        refused = [c for c in cases if answers[c["id"]]["isError"]]
        again = {c["id"]: told(dialect, sent[c["id"]], answers[c["id"]]) for c in refused}
        place.call([(i, dialect.tool, arguments) for i, arguments in again.items() if arguments])
        found = {}
        for case in refused:
            held = place.held(case)
            if wanted(case) is None:
                found[case["id"]] = ASTRAY if held != case["file_before"] else None
            elif held == wanted(case):
                found[case["id"]] = CORRECTED
            else:
                found[case["id"]] = WRONG if again[case["id"]] else SILENT
    return found, answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", type=Path, default=corpora.TOP / "build" / "emend")
    corpora.add_arguments(parser)
    parser.add_argument("--tool", action="append", choices=DIALECTS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--failures", type=Path, help="write every refusal that was not corrected, with its answer")
    args = parser.parse_args()

    name, cases = corpora.chosen(args)
    tools = args.tool or list(DIALECTS)
    counts = {tool: defaultdict(Counter) for tool in tools}
    out = open(args.failures, "w", encoding="utf-8") if args.failures else None
    for tool in tools:
        found, answers = outcomes(args.emend, DIALECTS[tool], cases, args.jobs)
        for case in cases:
            outcome = found.get(case["id"])
            if outcome:
                counts[tool][case["class"]][outcome] += 1
            if out and outcome and outcome != CORRECTED:
                told_so = {"tool": tool, "outcome": outcome, "answer": answers[case["id"]]["result"], **case}
                out.write(json.dumps(told_so, ensure_ascii=False) + "\n")
    print(f"{len(cases)} cases, {name}: refusals with one right reading that the answer alone made right\n")
    print(laid_out(table(cases, tools, counts), args.markdown))
    return judged(tools, counts) if args.quick else 0


def judged(tools, counts):
    """Prints what a test prints; the exit status."""
    totals = {tool: sum(counts[tool].values(), Counter()) for tool in tools}
    low = [tool for tool in tools if totals[tool][CORRECTED] < QUICK_LEAST * refused(totals[tool])]
    for tool in low:
        print(f"{tool}: {share(totals[tool])}, and {percent(QUICK_LEAST)} must be")
    print(f"{sum(total[CORRECTED] for total in totals.values())} passed, {len(low)} failed")
    return 1 if low else 0


def table(cases, tools, counts):
    rows = [["class", *tools]]
    for name in dict.fromkeys(c["class"] for c in cases if wanted(c) is not None):
        rows.append([name] + [share(counts[tool][name]) for tool in tools])
    totals = {tool: sum(counts[tool].values(), Counter()) for tool in tools}
    rows.append(["all", *(share(totals[tool]) for tool in tools)])
    for what in (SILENT, WRONG, ASTRAY):
        rows.append([what, *(str(totals[tool][what]) for tool in tools)])
    return rows


def refused(counts):
    """How many refusals had one right reading."""
    return counts[CORRECTED] + counts[SILENT] + counts[WRONG]


def share(counts):
    return f"{percent(counts[CORRECTED] / refused(counts))} of {refused(counts)}" if refused(counts) else "-"


if __name__ == "__main__":
    sys.exit(main())
