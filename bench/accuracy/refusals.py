"""Cases where refusing is right: no place is meant, or more than one, or the caller's text is stale.

Each function makes an edit whose search text must not be applied to `edit.before()`, or answers None.
An edit of a stale class has a reading all the same: what a caller wants who is shown the file.
"""
import re

import drift
from edits import (WORDS, any_edit, balanced, beside, comment, framed, hunks, identifiers, indent_of, made_up,
                   styled, unit_of, within)
import judge
from judge import absent, distance, ink, inked_lines, occurrences, runner_up, slip, squash, unique
from meant import drifted
from model import ADDED, CONTEXT, REMOVED, Edit, Line


# ---- Ambiguous ----------------------------------------------------------------------------------


def repeated(rng, source):
    """An edit of a block that the file holds twice or more: as it is, or because it was copied."""
    lines = source.text.split("\n")
    if rng.random() < 0.6:
        count = rng.choice((1, 2, 2, 3, 4, 6))
        seen = {}
        for at in range(len(lines) - count):
            block = tuple(lines[at:at + count])
            if block[0].strip() and block[-1].strip() and ink("".join(block)) >= 14:
                seen.setdefault(block, []).append(at)
        often = [places for places in seen.values() if len(places) > 1]
        if not often:
            return None
        at = rng.choice(rng.choice(often))
        changed = list(lines[at:at + count])
        names = identifiers("\n".join(changed))
        if not names:
            return None
        old = rng.choice(names)
        spot = rng.choice([k for k, text in enumerate(changed) if re.search(rf"\b{old}\b", text)])
        changed[spot] = re.sub(rf"\b{old}\b", styled(rng.choice(WORDS), old), changed[spot])
        edit = framed(rng, source, "repeated", at, at + count, changed, (0, 0))
        if edit:
            edit.notes.append("natural")
        return edit
    edit = any_edit(rng, source)
    if edit is None or not edit.real_block().strip():
        return None
    gaps = [m.end() for m in re.finditer(r"\n\n", edit.tail)] or [m.end() for m in re.finditer(r"\n", edit.tail)]
    if not gaps:
        return None
    at = rng.choice(gaps)
    copied = edit.real_block() + ("" if edit.closed else "\n")
    edit.tail = edit.tail[:at] + copied + ("\n" if rng.random() < 0.5 else "") + edit.tail[at:]
    edit.notes.append("copied")
    return edit


def ambiguous(rng, source, _others):
    edit = repeated(rng, source)
    if edit is None:
        return None
    return edit if occurrences(edit.texts()[0], edit.before()) > 1 else None


ALIKE = (drift.trailing_blanks, drift.indentation, drift.indentation, drift.tabs, drift.tabs, drift.inner_runs,
         drift.blank_line, drift.crlf_file, drift.crlf_search, drift.smart_quotes, drift.quote_style, drift.escaped,
         drift.entities, drift.fence, drift.typo)


# Drifts that changed the file at one of the places only, so that the two are not alike any more.
OF_THE_FILE = {"file", "real", "in the file", "the file has tabs", "the file has them", "from here on", "edge"}


def ambiguous_drifted(rng, source, _others):
    """The block stands there twice, and the caller's text is neither: both are as near."""
    edit = repeated(rng, source)
    step = rng.choice(ALIKE)
    if edit is None or occurrences(edit.real_block(), edit.before()) < 2 or not step(rng, edit):
        return None
    if OF_THE_FILE & set(edit.notes):
        return None
    edit.notes.append(step.__name__)
    search = edit.texts()[0]
    real = edit.filed(edit.real_block())
    if search in edit.before() or occurrences(real, edit.before()) < 2:
        return None
    return edit


# ---- Not there ----------------------------------------------------------------------------------


# Names that differ by a letter or two and are still no slips of each other.
NEIGHBOURS = [("get", "set"), ("min", "max"), ("Min", "Max"), ("Get", "Set"), ("X", "Y"), ("x", "y"), ("A", "B"),
              ("a", "b"), ("i", "j"), ("lock", "unlock"), ("in", "on"), ("push", "pull"), ("Left", "Right"), ("in", "out"),
              ("start", "stop")]


def neighbour(rng, text):
    """The text with one name put for one much like it, or None."""
    pairs = [*NEIGHBOURS, *((b, a) for a, b in NEIGHBOURS)]
    rng.shuffle(pairs)
    for a, b in pairs:
        # The whole of a word, or of a part of one: getFoo, foo_min, sizeX.
        found = re.search(rf"(?<![A-Za-z]){a}(?![a-z])" if a[0].islower() else rf"(?<![A-Z]){a}(?![a-z])", text)
        if found:
            return text[:found.start()] + b + text[found.end():]
    return None


def changed_tokens(rng, text, known):
    """The text with one to three tokens another reader would never take for slips, or None."""
    made = text
    for _ in range(rng.choice((1, 1, 2, 3))):
        ways = ["name"] * 4 * bool(identifiers(made)) + ["number"] * bool(re.search(r"\d", made))
        ways += ["sign"] * bool(re.search(r"===|!==|==|!=|<=|>=|&&|\|\||\btrue\b|\bfalse\b|True|False", made))
        if not ways:
            return None
        way = rng.choice(ways)
        if way == "name":
            old = rng.choice(identifiers(made))
            new = rng.choice([k for k in sorted(known) if k[:1].isupper() == old[:1].isupper()] or [None]
                             ) if rng.random() < 0.5 else styled(rng.choice(WORDS), old)
            if not new or new == old or distance(old, new) < 3:
                return None
            made = re.sub(rf"\b{old}\b", new, made)
        elif way == "number":
            spot = rng.choice(list(re.finditer(r"\d+", made)))
            made = made[:spot.start()] + str(int(spot.group()) + rng.choice((1, 1, 2, 10))) + made[spot.end():]
        else:
            swap = {"===": "!==", "!==": "===", "==": "!=", "!=": "==", "<=": ">=", ">=": "<=", "&&": "||",
                    "||": "&&", "true": "false", "false": "true", "True": "False", "False": "True"}
            spot = rng.choice(list(re.finditer(r"===|!==|==|!=|<=|>=|&&|\|\||\btrue\b|\bfalse\b|True|False", made)))
            made = made[:spot.start()] + swap[spot.group()] + made[spot.end():]
    return made if made != text else None


def told_apart(block, other):
    """Are two blocks of different content, and not by mere slips?"""
    a, b = block.split("\n"), other.split("\n")
    return len(a) != len(b) or any(not slip(x, y) for x, y in zip(a, b))


def sibling(rng, source, _others):
    """The block was deleted; what is left is one much like it."""
    if rng.random() < 0.8:
        return natural_sibling(rng, source)
    edit = any_edit(rng, source)
    if edit is None or sum(bool(l.real.strip()) for l in edit.body if l.tag != ADDED) < 2:
        return None
    block = edit.real_block()
    near = rng.random() < 0.5
    other = neighbour(rng, block) if near else changed_tokens(rng, block, set(identifiers(source.text)))
    if other is None or not told_apart(block, other):
        return None
    edit.notes.append("a neighbour's name" if near else "made")
    return gone(edit, other)


def gone(edit, instead):
    """The edit on a file that holds `instead` in the place of the block."""
    text = edit.head + instead + edit.tail
    search, replace = edit.texts()
    if not absent(edit.real_block(), text) or search in text or replace in text:
        return None
    return Refusal(edit, text, search, replace)


class Refusal:
    """A search and a replacement for a text that the edit was not made on."""

    def __init__(self, edit, text, search, replace, reading=None):
        self.source, self.kind, self.notes, self.language = edit.source, edit.kind, edit.notes, edit.language
        self.text, self.search, self.replace, self.read = text, search, replace, reading

    def before(self):
        return self.text

    def texts(self):
        return self.search, self.replace

    def reading(self):
        return self.read


def alike(rng, lines):
    """Two runs of lines that share some lines and differ in others: (start, stop) of one, or None."""
    places = {}
    for at, text in enumerate(lines):
        if ink(text) >= 6:
            places.setdefault(text.strip(), []).append(at)
    shared = [at for at in places.values() if len(at) > 1]
    if not shared:
        return None
    one, other = rng.sample(rng.choice(shared), 2)
    up, down = rng.randint(0, 5), rng.randint(1, 6)
    if min(one, other) < up or max(one, other) + down >= len(lines) or abs(one - other) < up + down:
        return None
    same = sum(lines[one + k].strip() == lines[other + k].strip() for k in range(-up, down))
    return (one - up, one + down) if 0.5 * (up + down) <= same < up + down else None


def natural_sibling(rng, source):
    """Two blocks of the file are much alike: one is taken out, and it is the one asked for."""
    lines = source.text.split("\n")
    found = next(filter(None, (alike(rng, lines) for _ in range(30))), None)
    edit = found and within(rng, source, *found, *found)
    if not edit or edit.inline:
        return None
    block = edit.real_block()
    if len(inked_lines(block)) < 2 or ink(block) < 40:
        return None
    rest = edit.head + (edit.tail if edit.closed else edit.tail[1:])
    likeness = runner_up(block, rest, 0.7)
    if not 0.7 <= likeness < 1 or near_double(block, rest):
        return None
    edit.notes.append(f"natural {likeness:.2f}")
    search, replace = edit.texts()
    if not absent(block, rest) or search in rest or replace.strip() in rest:
        return None
    return Refusal(edit, rest, search, replace)


def near_double(block, text):
    """Does the text hold the block but for slips, or for a sign?"""
    old = [text for text in block.split("\n") if text.strip()]
    lines = [text for text in text.split("\n") if text.strip()]
    return any(all(slip(a, b) or signs_aside(a) == signs_aside(b) for a, b in zip(lines[at:at + len(old)], old))
               for at in range(len(lines) - len(old) + 1))


def signs_aside(text):
    return re.sub(r"[\W_]", "", text)


def other_file(rng, source, others):
    """The caller has mistaken the file: its text is of a file beside this one."""
    own = {text.strip() for text in source.text.split("\n") if ink(text) >= 8}
    best, best_likeness = None, -1.0
    for _ in range(8):
        other = rng.choice(others)
        if other.text == source.text:
            continue
        shared = [k for k, text in enumerate(other.text.split("\n")) if text.strip() in own]
        if shared and rng.random() < 0.8:
            at = rng.choice(shared)
            edit = beside(rng, other, at, at + 1)
        else:
            edit = any_edit(rng, other)
        if edit is None:
            continue
        block = edit.real_block()
        search, replace = edit.texts()
        if (not absent(block, source.text) or search in source.text or (replace and replace in source.text)
                or near_double(block, source.text)):
            continue
        likeness = runner_up(block, source.text, 0.4)
        if likeness > best_likeness:
            best, best_likeness = Refusal(edit, source.text, search, replace), likeness
    if best:
        best.source = source
        best.notes.append(f"likeness {best_likeness:.1f}")
    return best


TRAPS = ("comment", "comment", "blank", "indent", "quotes")


def already_applied(rng, source, _others):
    """The file has the new text. Traps: what was new is what tolerant readers look past."""
    way = rng.choice(("as sent",) * 14 + ("again",) * 14 + TRAPS)
    if way == "again":
        return sent_again(rng, source)
    edit = trap(rng, source, way) if way in TRAPS else any_edit(rng, source)
    if edit is None or not any(line.tag == ADDED for line in edit.body):
        return None
    text, block = edit.after(), edit.real_block(after=True)
    search, replace = edit.texts()
    new = [l.real for l in edit.body if l.tag == ADDED]
    if search in text or ink(replace) < 14 or occurrences(squash(block), squash(text)) != 1:
        return None
    if way not in ("blank", "indent", "quotes") and (not absent(edit.real_block(), text) or not any(
            x.strip() and squash(x) not in squash(edit.real_block()) for x in new)):
        return None
    edit.notes.append(way)
    return Refusal(edit, text, search, replace)


def sent_again(rng, source):
    """What drifted and was applied all the same is sent once more, as one does who saw no answer."""
    name = rng.choice(list(drift.DRIFTS))
    edit = drifted(rng, source, name, False)
    if edit is None or not any(line.tag == ADDED for line in edit.body):
        return None
    text = edit.after()
    search, replace = edit.texts()
    if search in text or ink(replace) < 14:
        return None
    edit.notes += [name, "again"]
    return Refusal(edit, text, search, replace)


def trap(rng, source, way):
    lines = source.text.split("\n")
    if way == "comment":
        return made_up(rng, source, comment)
    spots = [k for k in range(2, len(lines) - 3) if all(x.strip() for x in lines[k - 1:k + 2])]
    if not spots:
        return None
    at = rng.choice(spots)
    if way == "blank":
        new, last = [""], at
    elif way == "indent":
        last = at + rng.choice((1, 2))
        new = [unit_of(source.text) + text for text in lines[at:last]]
    else:
        if "'" not in lines[at] or '"' in lines[at]:
            return None
        new, last = [lines[at].replace("'", '"')], at + 1
    head = "".join(text + "\n" for text in lines[:at - 1])
    body = [Line.of(CONTEXT, lines[at - 1])]
    body += [Line.of(REMOVED, text) for text in lines[at:last]] + [Line.of(ADDED, text) for text in new]
    body.append(Line.of(CONTEXT, lines[last]))
    edit = Edit(source, way, head, body, "\n" + "\n".join(lines[last + 1:]))
    return edit if ink(edit.real_block()) >= 20 and edit.before() == source.text else None


# ---- Stale --------------------------------------------------------------------------------------


def stale_base(rng, source):
    """An edit with enough lines around it that some can have changed."""
    if source.newer and rng.random() < 0.5:
        stretches = hunks(source)
        if not stretches:
            return None
        first, last, new = rng.choice(stretches)
        edit = framed(rng, source, "version", first, last, list(new), (rng.randint(1, 6), rng.randint(1, 6)))
    else:
        edit = made_up(rng, source, None, (rng.randint(1, 6), rng.randint(1, 6)))
    if edit is None or len([l for l in edit.context() if l.real.strip()]) < 2:
        return None
    return edit if unique(edit.real_block(), source.text) else None


def touches_insertion(body, at):
    """Is the line next to a place where lines go in without others going out?"""
    for step in (-1, 1):
        k = at + step
        while 0 <= k < len(body) and body[k].tag == CONTEXT and body[k].real is not None and not body[k].real.strip():
            k += step
        if 0 <= k < len(body) and body[k].tag == ADDED:
            j = k
            while 0 <= j < len(body) and body[j].tag != CONTEXT:
                j += step
            run = body[min(k, j + 1):max(k + 1, j)] if step > 0 else body[j + 1:k + 1]
            if not any(line.tag == REMOVED for line in run):
                return True
    return False


def free_context(edit):
    """Context lines that can change without making it unclear where new lines go."""
    return [k for k, line in enumerate(edit.body) if line.tag == CONTEXT and line.real and ink(line.real) >= 4
            and not judge.comment(line.real, edit.language) and not touches_insertion(edit.body, k)]


def stale_renamed(rng, edit):
    changed = "\n".join(line.real for line in edit.changed())
    spots = free_context(edit)
    names = [n for k in spots for n in identifiers(edit.body[k].real)
             if len(n) > 3 and not re.search(rf"\b{n}\b", changed)]
    if not names:
        return False
    old = rng.choice(names)
    new = styled(rng.choice(WORDS), old)
    if distance(old, new) < 3 or re.search(rf"\b{new}\b", edit.source.text):
        return False
    everywhere = rng.random() < 0.5

    def swap(text):
        return re.sub(rf"\b{old}\b", new, text)

    for k, line in enumerate(edit.body):
        if line.tag == CONTEXT and (k in spots or everywhere):
            line.real = swap(line.real)
    if everywhere:
        edit.head, edit.tail = swap(edit.head), swap(edit.tail)
    edit.notes.append("everywhere" if everywhere else "here")
    return True


def stale_renumbered(rng, edit):
    spots = [k for k in free_context(edit) if re.search(r"\d", edit.body[k].real)]
    if not spots:
        return False
    for k in rng.sample(spots, min(len(spots), rng.choice((1, 1, 2)))):
        line = edit.body[k]
        spot = rng.choice(list(re.finditer(r"\d+", line.real)))
        line.real = (line.real[:spot.start()] + str(int(spot.group()) + rng.choice((1, 1, 2, 5, 10, 100)))
                     + line.real[spot.end():])
    return True


def stale_inserted(rng, edit):
    """A statement that the caller never saw stands between two context lines."""
    body = edit.body
    gaps = [k for k in range(1, len(body)) if body[k].tag == CONTEXT and body[k - 1].tag == CONTEXT
            and body[k].real.strip() and body[k - 1].real.strip() and body[k - 1].real.rstrip()[-1] != "\\"
            and not any(judge.comment(body[j].real, edit.language) for j in (k - 1, k))]
    if not gaps:
        return False
    near = edit.source.text.split("\n")
    for _ in range(rng.choice((1, 1, 1, 2))):
        at = rng.choice(gaps)
        like = [text for text in near if ink(text) > 8 and identifiers(text) and balanced(text)
                and indent_of(text) == indent_of(body[at].real) and not judge.comment(text, edit.language)
                and text.rstrip()[-1:] not in "{:,([" and re.match(r"[\w$@<.\"']", text.strip())]
        if not like:
            return False
        text = rng.choice(like)
        for old in identifiers(text)[:2]:
            text = re.sub(rf"\b{old}\b", styled(rng.choice(WORDS), old), text)
        body.insert(at, Line(CONTEXT, text, None, None))
        gaps = [at]
    return True


def loose_line(text):
    """Can the line go without leaving others without a head or an end?"""
    return (balanced(text) and text.rstrip()[-1:] not in "{([:\\" and not re.match(r"\s*[\[#})\]]|\s*- ", text)
            and not re.match(r"\s*(?:def|class|func|function|fn|if|else|for|while|end|module|local function)\b", text))


def stale_removed(rng, edit):
    spots = [k for k in free_context(edit) if ink(edit.body[k].real) >= 8 and loose_line(edit.body[k].real)]
    if len(spots) < 1 or len(edit.context()) < 2:
        return False
    at = rng.choice(spots)
    for k in [at] + [at + 1] * (rng.random() < 0.25 and at + 1 in spots):
        edit.body[k].real = None
    return True


def intact(edit):
    """Are the lines to change, with what stands next to them unchanged, at one place in the file?"""
    body = edit.body
    for k, line in enumerate(body):
        if line.tag == CONTEXT:
            continue
        start, stop = k, k + 1
        while start > 0 and steady(body[start - 1]):
            start -= 1
        while stop < len(body) and steady(body[stop]):
            stop += 1
        run = "\n".join(l.real for l in body[start:stop] if l.tag != ADDED)
        if ink(run) < 14 or not unique(run, edit.before()):
            return False
        if line.tag == ADDED and not any(l.tag == REMOVED for l in body[start:stop]) and (
                k == start or stop == len(body) and body[-1].tag == ADDED):
            return False
    return True


def steady(line):
    """Does the line stand in the file as the caller has it?"""
    return line.tag == ADDED or (line.real is not None and line.real == line.search)


def stale(change):
    def make(rng, source, _others):
        edit = stale_base(rng, source)
        if edit is None or not change(rng, edit):
            return None
        search, replace = edit.texts()
        text = edit.before()
        if search in text or replace in text or not intact(edit):
            return None
        if all(line.real is not None and line.search is not None and slip(line.real, line.search)
               for line in edit.body if line.tag == CONTEXT):
            return None
        return Refusal(edit, text, search, replace, edit.after())

    return make


def stale_target(rng, source, _others):
    """The very lines that were to change are other ones now."""
    edit = stale_base(rng, source)
    if edit is None:
        return None
    gone_lines = [k for k, line in enumerate(edit.body) if line.tag == REMOVED and ink(line.real) >= 8]
    if not gone_lines:
        return None
    k = rng.choice(gone_lines)
    line = edit.body[k]
    if rng.random() < 0.3 and len(edit.context()) > 1:
        line.real = None
        edit.notes.append("removed")
    else:
        other = changed_tokens(rng, line.real, set(identifiers(source.text)))
        if other is None or not told_apart(line.real, other):
            return None
        line.real = other
        edit.notes.append("changed")
    search, replace = edit.texts()
    text = edit.before()
    added = [l.real for l in edit.body if l.tag == ADDED]
    if search in text or (replace and replace in text) or (line.real in added):
        return None
    if not absent(line.search, text) and ink(line.search) < 14:
        return None
    return Refusal(edit, text, search, replace)


REFUSALS = {
    "ambiguous": ambiguous,
    "ambiguous after drift": ambiguous_drifted,
    "target gone, sibling left": sibling,
    "text of another file": other_file,
    "already applied": already_applied,
    "stale: renamed": stale(stale_renamed),
    "stale: inserted": stale(stale_inserted),
    "stale: removed": stale(stale_removed),
    "stale: renumbered": stale(stale_renumbered),
    "stale: target changed": stale_target,
}
