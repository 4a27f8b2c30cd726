"""Is a case fair? One careful reading, and only one; or none at all, and no way to mistake it.

Nothing here knows how any tool matches. The folds are looser than any that a tool should use, so a
place that is unique under them is the one that is meant.
"""
import difflib
import functools
import re
import unicodedata

from model import ADDED, REMOVED

FOLDED = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": "'", "\u201d": "'", '"': "'", "`": "'",
                        "\u2013": "-", "\u2014": "-", "\u2026": "."})
SLASHES = "javascript typescript c cpp go rust java kotlin swift objc php scss sass".split()
HASHES = "python ruby shell perl yaml toml".split()
COMMENTS = {
    **{language: re.compile(r"\s*(?://|/\*|\*/|\*(?:\s|$))") for language in SLASHES},
    **{language: re.compile(r"\s*(?://|/\*|\*/|\*(?:\s[^{;]*)?$)") for language in ("scss", "sass")},
    "css": re.compile(r"\s*(?:/\*|\*/|\*(?:\s[^{;]*)?$)"),
    **{language: re.compile(r"\s*#(?!!)") for language in HASHES},
    "html": re.compile(r"\s*<!--"), "markdown": re.compile(r"\s*<!--"), "lua": re.compile(r"\s*--"),
}
NEVER = re.compile(r"(?!)")


def comment(text, language):
    """Is a line of this language nothing but a comment, or a part of one?"""
    return bool(COMMENTS.get(language, NEVER).match(text))


@functools.lru_cache(maxsize=4096)
def squash(text):
    """The text without white space, all quotes alike, dashes alike, composed."""
    text = unicodedata.normalize("NFC", text).translate(FOLDED)
    return re.sub(r"[\s\u00a0]+", "", text.replace("...", "."))


def ink(text):
    """How many characters there are besides white space."""
    return len(re.sub(r"\s+", "", text))


def occurrences(needle, text):
    """How often, overlaps counted."""
    count, at = 0, text.find(needle)
    while at >= 0:
        count, at = count + 1, text.find(needle, at + 1)
    return count


def unique(block, text):
    return bool(squash(block)) and occurrences(squash(block), squash(text)) == 1


def absent(block, text):
    return squash(block) not in squash(text)


def distance(a, b, limit=None):
    """Levenshtein distance, by the bits of one long number; above `limit` it may be anything above."""
    if a == b:
        return 0
    if len(a) > len(b):
        a, b = b, a
    if limit is not None and len(b) - len(a) > limit:
        return limit + 1
    if not a:
        return len(b)
    masks = {}
    for i, char in enumerate(a):
        masks[char] = masks.get(char, 0) | 1 << i
    every, last = (1 << len(a)) - 1, 1 << len(a) - 1
    plus, minus, score = every, 0, len(a)
    for char in b:
        same = masks.get(char, 0)
        vertical = same | minus
        same = (((same & plus) + plus) ^ plus) | same
        up = minus | ~(same | plus) & every
        down = plus & same
        score += bool(up & last) - bool(down & last)
        up, down = (up << 1 | 1) & every, down << 1 & every
        plus = down | ~(vertical | up) & every
        minus = up & vertical
    return score


def similarity(a, b):
    """1 - distance / length of the longer text."""
    longer = max(len(a), len(b))
    return 1 - distance(a, b) / longer if longer else 1.0


@functools.lru_cache(maxsize=512)
def inked_lines(text):
    return [line for line in (squash(line) for line in text.split("\n")) if line]


def runner_up(block, text, floor=0.7):
    """The best likeness of `block` with a run of as many lines of `text` that is not the block itself.

    Line by line, so a shifted overlap of the block with itself counts little; below `floor` it is 0.
    """
    wanted, lines = inked_lines(block), inked_lines(text)
    total = sum(map(len, wanted))
    budget, best = (1 - floor) * total, 0.0
    for at in range(len(lines) - len(wanted) + 1):
        window = lines[at:at + len(wanted)]
        if window == wanted:
            continue
        spent = 0
        for a, b in zip(wanted, window):
            if a != b:
                spent += distance(a, b, int(budget - spent))
                if spent > budget:
                    break
        else:
            best = max(best, 1 - spent / total)
    return best


def slip(a, b):
    """Do two lines differ by no more than what a typo makes: a letter or two inside a longer word?

    What differs at a word's end, or is a short word of its own, is another name (`item`, `items`; `getX`,
    `getY`; `get`, `set`), and so is what has another digit or sign.
    """
    words, others = re.findall(r"[A-Za-z]+|\d+|[^\sA-Za-z\d]", a), re.findall(r"[A-Za-z]+|\d+|[^\sA-Za-z\d]", b)
    return len(words) == len(others) and all(x == y or mistyped(x, y) for x, y in zip(words, others))


def mistyped(a, b):
    return (a.isalpha() and b.isalpha() and min(len(a), len(b)) > 4 and distance(a, b, 2) <= 2
            and a[-1] == b[-1] and (a[0] == b[0] and not re.search("[A-Z]", a[1:] + b[1:])
                                    or a.lower() == b.lower()))


# ---- Is the place of every new line certain? ----------------------------------------------------


def laid(body, backwards=False):
    """What comes out when the difference of the shown texts is laid on the real lines.

    The difference is found by difflib, from the front or from the back: where the two disagree with
    the case's own bytes, the texts do not say clearly what is to become of which line.
    """
    body = body[::-1] if backwards else body
    searched = [line for line in body if line.search is not None and line.tag != ADDED]
    wanted = [line for line in body if line.replace is not None and line.tag != REMOVED]
    filed = [line for line in body if line.tag != ADDED and line.real is not None]
    old = [line.search.rstrip() for line in searched]
    new = [line.replace.rstrip() for line in wanted]
    position = {id(line): at for at, line in enumerate(filed)}
    out, done = [], 0

    def keep_until(line):
        """Lines of the file that the search does not have stay before the line that follows them."""
        nonlocal done
        at = position.get(id(line))
        if at is not None and at > done:
            out.extend(kept.real for kept in filed[done:at] if kept.search is None)
            done = at

    for op, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op == "equal":
            for line in searched[a:b]:
                keep_until(line)
                if line.real is not None:
                    out.append(line.real)
                    done = position[id(line)] + 1
            continue
        there = [line for line in searched[a:b] if line.real is not None]
        if there:
            keep_until(there[0])
            done = position[id(there[-1])] + 1
        out.extend(line.real for line in wanted[c:d] if line.real is not None)
    out.extend(line.real for line in filed[done:] if line.search is None)
    return out[::-1] if backwards else out


def certain(edit):
    """Do both ways to take the difference lead to the same bytes, the expected ones?"""
    wanted = [line.real for line in edit.body if line.tag != REMOVED and line.real is not None]
    return laid(edit.body) == wanted == laid(edit.body, backwards=True)
