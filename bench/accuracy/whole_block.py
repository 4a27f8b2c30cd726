#!/usr/bin/env python3
"""The baseline that a better matcher must beat: the most similar block, pasted over.

    whole_block.py CASES.jsonl RESULTS.jsonl     results: {"id", "content" or null}

Literal text that stands once wins; more than once refuses. Else the run of as many lines that is most
like the search (1 - Levenshtein distance / length of the longer), if that is at least 0.85, is replaced
by the replacement as it is. So do tools that trust one number for a whole block.
"""
import json
import sys

from judge import distance

THRESHOLD = 0.85


def best_block(text, search):
    """(start, end) of the first best run of lines at or above the threshold, or None."""
    ended = search.endswith("\n")
    wanted = search[:-1] if ended else search
    height, best, place = wanted.count("\n") + 1, 0.0, None
    starts = [0] + [at + 1 for at, char in enumerate(text) if char == "\n"]
    for first in range(len(starts) - height + 1):
        start = starts[first]
        end = starts[first + height] - 1 if first + height < len(starts) else len(text)
        window = text[start:end]
        longer = max(len(window), len(wanted))
        floor = max(THRESHOLD, best)
        budget = int((1 - floor) * longer)
        if abs(len(window) - len(wanted)) > budget or not plausible(window, wanted, budget):
            continue
        likeness = 1 - distance(window, wanted) / longer
        if likeness >= THRESHOLD and likeness > best:
            best, place = likeness, (start, end + (1 if ended and end < len(text) else 0))
    return place


def plausible(a, b, budget):
    """Could the distance be within the budget, going by which characters there are?"""
    counts = {}
    for char in a:
        counts[char] = counts.get(char, 0) + 1
    for char in b:
        counts[char] = counts.get(char, 0) - 1
    surplus = sum(n for n in counts.values() if n > 0)
    deficit = -sum(n for n in counts.values() if n < 0)
    return max(surplus, deficit) <= budget


def exact(text, search, replace):
    """What literal search makes of it; None where it refuses."""
    return text.replace(search, replace) if search and text.count(search) == 1 else None


def edit(text, search, replace):
    held = text.count(search)
    if held or not search.strip():
        return exact(text, search, replace)
    place = best_block(text, search)
    return None if place is None else text[:place[0]] + replace + text[place[1]:]


def main():
    with open(sys.argv[2], "w", encoding="utf-8") as out, open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            content = edit(case["file_before"], case["search"], case["replace"])
            out.write(json.dumps({"id": case["id"], "content": content}) + "\n")


if __name__ == "__main__":
    main()
