"""Cases where one careful reading exists: an edit that suits the class, the drift, and the proof that it is fair."""
import re

import drift
import edits
import judge
import sources
from whole_block import exact

PLAIN = "plain"
LEAD = 0.08
# A replacement that leaves lines out is refused for that, whatever the drift.
OMISSION = re.compile(r"(?mi)^\W*\.\.\.\W*$|\.\.\..*\b(?:rest|existing|unchanged|remaining|same)\b"
                      r"|\b(?:rest|existing|unchanged|remaining|same)\b.*\.\.\.")


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
        while j < len(lines) - 1 and judge.comment(lines[j], source.language):
            j += 1
        if 0 < j - i < 7 and lines[i - 1].strip() and lines[j].strip():
            found.append((i - 1, j + 1))
        i = max(j, i + 1)
    return found


def lines_like(pattern, prose=False):
    def find(source):
        return [(k, k + 1) for k, text in enumerate(source.text.split("\n")) if re.search(pattern, text)
                and (not prose or source.language in ("markdown", "html") or judge.comment(text, source.language))]

    return find


# Where to look first, so that what files really hold is not crowded out by what is made up.
ANCHORS = {
    "comment dropped": comments,
    "smart quotes": lines_like(r"\w'\w|\w --? \w|\w\.\.\.|[\s(>]\"\w[^\"]*\w\"", prose=True),
    "inner runs": lines_like(r"\S {2,}\S"),
    "entities": lines_like(drift.ENTITY),
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
        pasted = exact(before, search, replace)
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
    bare = "\n".join(l for l in before.split("\n") if not judge.comment(l, edit.language))
    bare_block = "\n".join(l for l in kept.split("\n") if not judge.comment(l, edit.language))
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
