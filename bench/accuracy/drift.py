"""How the texts of a caller drift away from the file: one function a class.

A drift takes an edit and changes it in place: mostly what the caller shows of it, in the search text
and in the replacement alike, as one does who believes that the file is so; sometimes the file. It
answers whether it found something to do. Where a new line could not be told from the caller's text
with certainty, it answers no.

Lines that only the caller has, or only the file, stay away from what is inserted: between which two
lines a new line belongs must be clear.
"""
import html
import json
import os
import re
import unicodedata

from edits import KEYWORDS, WORDS, indent_of, unit_of
from judge import HASHES, comment, ink
from model import ADDED, CONTEXT, REMOVED, Line, common_ends, pairs

PLAIN_MARKS = {"html": "<!-- {} -->", "css": "/* {} */", "c": "/* {} */", "lua": "-- {}", "markdown": "<!-- {} -->"}
FENCE_NAMES = {"javascript": ("js", "javascript"), "typescript": ("ts", "typescript"), "python": ("python", "py"),
               "shell": ("sh", "bash"), "cpp": ("cpp", "c++"), "ruby": ("ruby", "rb"), "objc": ("objc",)}


def rewrite(line, change):
    if line.search is not None:
        line.search = change(line.search)
    if line.replace is not None:
        line.replace = change(line.replace)


def searched(edit):
    return [line for line in edit.body if line.search is not None]


def retained(edit):
    """(line or pair, from, to, text): the stretches that the caller repeats unchanged."""
    for line in edit.context():
        if line.real and line.real.strip():
            yield (line,), len(indent_of(line.real)), len(line.real), line.real
    for gone, new in pairs(edit.body) or ():
        start, end = common_ends(gone.real, new.real)
        if start > 8:
            yield (gone, new), len(indent_of(gone.real)), start - 1, gone.real
        if end > 8:
            yield (gone, new), len(gone.real) - end + 1, len(gone.real), gone.real


def put(text, base, start, end, new):
    """Replace base[start:end] in `text`, which shares with `base` the side that the place lies on."""
    if text[:end] == base[:end]:
        return text[:start] + new + text[end:]
    back_start, back_end = len(base) - start, len(base) - end
    return text[:len(text) - back_start] + new + text[len(text) - back_end:]


def respot(lines, base, start, end, new, where):
    """Put `new` for one retained stretch in the caller's texts, or in the file's ("real")."""
    for line in lines:
        if where == "real":
            line.real = put(line.real, base, start, end, new)
        else:
            rewrite(line, lambda text: put(text, base, start, end, new))


def some_stretches(rng, edit, share=0.12):
    """Retained stretches; those of changed lines only now and then, or inside a line."""
    also_changed = edit.inline or rng.random() < share
    found = [s for s in retained(edit) if len(s[0]) == 1 or also_changed]
    if also_changed and any(len(s[0]) == 2 for s in found):
        if not edit.inline:
            found = [s for s in found if len(s[0]) == 2]
        edit.notes.append("in a changed line")
    rng.shuffle(found)
    return found


# ---- White space --------------------------------------------------------------------------------


def trailing_blanks(rng, edit):
    if edit.inline:
        return False
    runs = pairs(edit.body)
    pure = [line for line in edit.body if line.tag == REMOVED] if runs is None and not any(
        line.tag == ADDED for line in edit.body) else []
    lines = edit.context() + pure
    if not lines:
        return False
    chosen = rng.sample(lines, rng.randint(1, len(lines)))
    blanks = rng.choice((" ", "  ", "    ", "\t"))
    where = rng.choice(("file", "file", "texts", "texts", "search"))
    edit.notes.append(where)
    for line in chosen:
        more = blanks if line.real.strip() else rng.choice((blanks, "        "))
        if where == "file":
            line.real += more
        elif where == "texts":
            rewrite(line, lambda text: text + more)
        else:
            line.search += more
    return True


def depth_known(edit, seen_of):
    """Does every new line have a depth that a line of the search has too, or is there a rule of two?"""
    known = {seen_of(line.real) for line in searched(edit) if line.real and line.real.strip()}
    new = {seen_of(line.real) for line in edit.body if line.tag == ADDED and line.real.strip()}
    return new <= known or len(known - {""}) >= 2


def indentation(rng, edit):
    lines = [line for line in edit.body if line.shown() is not None and line.shown().strip()]
    if edit.inline or not lines:
        return False
    unit = unit_of(edit.source.text)
    common = os.path.commonprefix([indent_of(line.shown()) for line in lines])
    ways = ["deeper", "deeper"]
    if common:
        ways += ["flush"] * 5
    if len(common) > len(unit) and common.endswith(unit):
        ways += ["shallower"] * 3
    if unit in ("  ", "    ") and len({indent_of(line.shown()) for line in lines}) > 1:
        ways += ["scaled"] * 3
    ways += ["flat", "uneven", "from a line on"]
    way = rng.choice(ways)
    edit.notes.append(way)
    if way in ("uneven", "from a line on"):
        return uneven(rng, edit, lines, unit, way)
    if way == "scaled":
        return scale(edit, unit, lines)
    if way == "flat":
        return flatten(edit, lines)
    if way == "deeper":
        more = unit * rng.choice((1, 1, 2)) if rng.random() < 0.8 else " " * rng.choice((1, 2, 4))
        if set(more) != set(unit) or (common and set(common) != set(more)):
            more = unit
        for line in lines:
            rewrite(line, lambda text: more + text)
        return True
    cut = len(common) if way == "flush" else len(unit)
    for line in lines:
        rewrite(line, lambda text: text[cut:])
    return True


def scale(edit, unit, lines):
    """Another unit: two spaces a level where the file has four, or the other way round."""
    other = "  " if unit == "    " else "    "
    indents = {indent_of(line.shown()) for line in lines}
    if any(set(i) - {" "} or len(i) % len(unit) for i in indents) or not depth_known(edit, indent_of):
        return False
    for line in lines:
        rewrite(line, lambda text: other * (len(indent_of(text)) // len(unit)) + text.lstrip(" "))
    return True


def uneven(rng, edit, lines, unit, way):
    """Some lines a blank off, or all from one line on a level off; a new line goes with the one it stands for."""
    runs = pairs(edit.body)
    if runs is None or any(indent_of(a.real) != indent_of(b.real) for a, b in runs) or len(lines) < 3:
        return False
    partner = {id(gone): new for gone, new in runs}
    old = [line for line in lines if line.tag != ADDED]
    if way == "uneven":
        more, chosen = " ", rng.sample(old, rng.randint(1, len(old) - 1)) if len(old) > 1 else []
    else:
        more, chosen = unit, old[rng.randrange(1, len(old)):] if len(old) > 1 else []
    if any(set(indent_of(line.real)) - set(more) for line in old if line.real):
        return False
    for line in chosen:
        for one in (line, partner.get(id(line))):
            if one is not None:
                rewrite(one, lambda text: more + text)
    return bool(chosen)


def flatten(edit, lines):
    """No indentation at all; then a new line must stand for one of the same depth."""
    runs = pairs(edit.body)
    if runs is None or any(indent_of(a.real) != indent_of(b.real) for a, b in runs):
        return False
    for line in lines:
        rewrite(line, lambda text: text.lstrip(" \t"))
    return len(lines) > 1


def first_indent(rng, edit):
    """The texts were stripped as a whole; mostly the other lines are not at their depth either."""
    if edit.inline or not edit.body[0].shown().strip():
        return False
    top_search = next((line for line in edit.body if line.search is not None), None)
    top_replace = next((line for line in edit.body if line.replace is not None), None)
    if not top_replace or not indent_of(top_search.real) or not indent_of(top_replace.real):
        return False
    if top_search is not top_replace and indent_of(top_search.real) != indent_of(top_replace.real):
        return False
    lines = [line for line in edit.body if line.shown().strip()]
    rest = [line for line in lines if line is not top_replace and (line is not top_search or line.replace)]
    if not any(line.search is not None for line in rest if line is not top_search):
        return False
    unit = unit_of(edit.source.text)
    common = os.path.commonprefix([indent_of(line.shown()) for line in rest])
    if rng.random() > 0.06:
        away = [k for k in (len(unit), 2 * len(unit), len(common)) if 0 < k <= len(common)]
        if away and rng.random() < 0.75:
            cut = rng.choice(away)
            edit.notes.append("others shallower")
            for line in lines:
                rewrite(line, lambda text: text[min(cut, len(indent_of(text))):])
        elif set(common) <= set(unit):
            edit.notes.append("others deeper")
            for line in lines:
                rewrite(line, lambda text: unit + text)
        else:
            return False
    top_search.search = top_search.search.lstrip(" \t")
    top_replace.replace = top_replace.replace.lstrip(" \t")
    if pairs(edit.body) is None:
        # A further line at the margin could belong to the first line's depth or to that of the others.
        return all(line is top_replace or indent_of(line.replace) for line in edit.body
                   if line.tag == ADDED and line.replace.strip())
    return True


def tabs(rng, edit):
    """Spaces for tabs or tabs for spaces; now and then it is the file that has tabs instead."""
    unit = unit_of(edit.source.text)
    lines = [line for line in edit.body if line.shown() is not None and line.shown().strip()]
    if edit.inline or not any(indent_of(line.search) for line in lines if line.search is not None):
        return False
    if unit == "\t":
        return expanded(rng, edit, lines)
    if any(set(indent_of(line.shown())) - {" "} or len(indent_of(line.shown())) % len(unit) for line in lines):
        return False
    if not depth_known(edit, indent_of):
        return False
    if rng.random() < 0.45 and edit.language not in ("yaml", "python", "markdown"):
        edit.notes.append("the file has tabs")
        edit.head, edit.tail = tabbed(edit.head, unit), tabbed(edit.tail, unit)
        for line in edit.body:
            line.real = line.real and tabbed(line.real, unit)
        return True
    # Now and then as `unexpand` does it: tabs of a width that is not the file's step, and spaces for the rest.
    wide = " " * rng.choice((4, 8)) if rng.random() < 0.2 else unit
    edit.notes.append(f"a tab for {len(wide)} spaces" + (f" of steps of {len(unit)}" if wide != unit else ""))
    for line in lines:
        rewrite(line, lambda text: tabbed(text, wide))
    return any(line.search.startswith("\t") for line in lines if line.search is not None)


def expanded(rng, edit, lines):
    """Spaces for every tab, as an editor shows it: those inside a line too, if the line stays."""
    width = rng.choice((2, 4, 4, 8))
    edit.notes.append(f"{width} spaces for a tab")
    known = {indent_of(line.real) for line in edit.context()}
    for line in lines:
        odd = indent_of(line.shown()).strip("\t")
        if line.tag != CONTEXT and ("\t" in line.shown().strip() or (odd and indent_of(line.shown()) not in known)):
            return False
        if "\t" in line.shown().strip():
            edit.notes.append("inside a line too")
        rewrite(line, lambda text: text.expandtabs(width))
    return depth_known(edit, indent_of)


def tabbed(text, unit):
    def swap(match):
        levels, rest = divmod(len(match.group()), len(unit))
        return "\t" * levels + " " * rest

    return re.sub(r"(?m)^ +(?=\S)", swap, text)


def tab_stops(rng, edit):
    """The file has a tab for every eight columns, as `unexpand` writes it; the caller sends what he sees."""
    unit, stop = unit_of(edit.source.text), " " * 8
    if edit.inline or len(unit) == 1 or edit.language in ("yaml", "python", "markdown"):
        return False
    lines = [line for line in edit.body if line.real is not None and line.real.strip()]
    if any(set(indent_of(line.real)) - {" "} for line in lines) or not depth_known(edit, indent_of):
        return False
    edit.notes.append(f"steps of {len(unit)}")
    edit.head, edit.tail = tabbed(edit.head, stop), tabbed(edit.tail, stop)
    for line in lines:
        line.real = tabbed(line.real, stop)
    return any(line.real.startswith("\t") for line in lines if line.search is not None)


SPACED = [  # what is found in a line, what the caller has for it; only the first group is replaced
    (r"\S( {2,})\S", (" ",)), (r"\w( )\w", ("  ",)), (r"[=:+]( )\S", ("  ", "\t")), (r"\S( )[=+]", ("  ",)),
    (r",( )\S", ("", "  ")), (r"\w(,)\w", (", ",)), (r"\w\((?=[\w$\"'])()", (" ",)), (r"(?<=\w)()\)", (" ",)),
    (r"\)( )\{", ("", "  ")), (r"\b(?:if|for|while|switch|catch)( )\(", ("",)), (r"\w( = )\w", ("=", "  =  ")),
    (r"\w( (?:==|===|&&|\|\||\+|<=) )\w", None), (r"\{( )\S", ("",)), (r"\S( )\}", ("",)),
]
NO_JOINING = {"shell", "yaml", "markdown", "sass", "css", "scss", "html", "toml"}


def outside_strings(text, at):
    return not any(text[:at].count(quote) % 2 for quote in "\"'`") and not re.search(r"//|#", text[:at])


def inner_runs(rng, edit):
    """Blanks inside a line: more, fewer, none beside a sign."""
    done = 0
    wanted = rng.choice((1, 1, 2, 3))
    where = "texts" if edit.inline or rng.random() < 0.8 else "real"
    for lines, start, end, base in some_stretches(rng, edit):
        spots = [(m.start(1), m.end(1), news or (m.group(1).strip(),))
                 for pattern, news in SPACED for m in re.finditer(pattern, base)
                 if start <= m.start(1) and m.end(1) <= end and outside_strings(base, m.start(1))]
        spots = [(a, b, n) for a, b, ns in spots for n in ns
                 if edit.language not in NO_JOINING or (base[a:b].isspace() and n.isspace())]
        if not spots or (where == "real" and len(lines) > 1):
            continue
        natural = [s for s in spots if s[1] - s[0] > 1 and s[2] == " "]
        a, b, new = rng.choice(natural or spots)
        if where == "real" and not (base[a:b] == " " and new.isspace()):
            continue
        new = " " * rng.randint(2, 6) if where == "real" else new
        respot(lines, base, a, b, new, where)
        done += 1
        if done == wanted:
            break
    edit.notes.append(where)
    return done > 0


def blank_line(rng, edit):
    """A blank line that only one side has, away from what changes; or blank lines around the texts."""
    if edit.inline:
        return False
    body = edit.body
    gaps = [i for i in range(1, len(body)) if body[i - 1].tag == CONTEXT and body[i].tag == CONTEXT
            and body[i - 1].real and body[i - 1].real.strip() and body[i].real and body[i].real.strip()]
    natural = [i for i in range(1, len(body) - 1) if body[i].tag == CONTEXT and body[i].real == ""
               and body[i - 1].tag == CONTEXT and body[i + 1].tag == CONTEXT]
    ways = ["fewer"] * 4 * bool(natural) + ["fewer made", "more"] * bool(gaps) + ["double"] * bool(natural) + ["edge"]
    ways += ["none"] * bool(len(natural) > 1)
    way = rng.choice(ways)
    edit.notes.append(way)
    if way == "fewer":
        line = body[rng.choice(natural)]
        line.search = line.replace = None
    elif way == "none":
        for line in [body[i] for i in natural]:
            line.search = line.replace = None
    elif way == "fewer made":
        for _ in range(rng.choice((1, 1, 2))):
            body.insert(rng.choice(gaps), Line(CONTEXT, "", None, None))
            gaps = gaps[:1]
    elif way == "more":
        body.insert(rng.choice(gaps), Line(CONTEXT, None, "", ""))
    elif way == "double":
        body.insert(rng.choice(natural), Line(CONTEXT, None, "", ""))
    elif edit.head.endswith("\n\n") or edit.tail.startswith("\n\n") or edit.closed:
        return False
    else:
        ahead, behind = rng.choice((("\n\n", ""), ("", "\n\n"), ("\n\n", "\n\n"), ("\n\n", "\n")))
        edit.wraps.append((lambda t: ahead + t + behind,) * 2)
    return True


# ---- Line endings -------------------------------------------------------------------------------


def crlf_file(rng, edit):
    way = rng.choice(("all",) * 18 + ("from here on", "from here on", "CR"))
    edit.notes.append(way)
    if way == "all":
        edit.file_wraps.append(lambda t: t.replace("\n", "\r\n"))
    elif way == "CR":
        edit.file_wraps.append(lambda t: t.replace("\n", "\r"))
    else:
        start = max(0, edit.head.rfind("\n", 0, max(0, len(edit.head) - 200)) + 1)
        edit.file_wraps.append(lambda t: t[:start] + t[start:].replace("\n", "\r\n"))
    return True


def crlf_search(rng, edit):
    def swap(text):
        return text.replace("\n", "\r\n")

    if "\n" not in edit.join(line.search for line in edit.body):
        return False
    only = rng.random() < 0.15
    edit.notes.append("only the search" if only else "both")
    edit.wraps.append((swap, (lambda t: t) if only else swap))
    return True


def no_final_newline(rng, edit):
    """The file ends without a newline; the texts end with one."""
    if edit.inline or not edit.closed or edit.tail or not any(line.tag != REMOVED for line in edit.body):
        return False
    edit.file_wraps.append(lambda t: t[:-1])
    return True


# ---- Signs --------------------------------------------------------------------------------------


def curl(text):
    """As a word processor sets quotes."""
    text = re.sub(r"(^|[\s(\[{=:,<>])\"", "\\1\u201c", text)
    text = text.replace('"', "\u201d")
    text = re.sub(r"(^|[\s(\[{=:,<>\u201c])'", "\\1\u2018", text)
    return text.replace("'", "\u2019")


def smart_quotes(rng, edit):
    if re.search("[\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u00a0`]", edit.real_block() + edit.real_block(True)):
        return False
    if rng.random() < 0.15:
        edit.notes.append("signs in the texts")
        return typographic(rng, edit, "texts")
    if rng.random() < 0.55:
        edit.notes.append("in the texts")
        shown = [line for line in edit.body if line.shown() and re.search("[\"']", line.shown())]
        if rng.random() < 0.2 and len(shown) > 1:
            shown = [line for line in shown if line.search is None or line.tag == REMOVED or rng.random() < 0.6]
        for line in shown:
            rewrite(line, curl)
        if rng.random() < 0.3 and any(line.search and " - " in line.search for line in shown):
            edit.notes.append("dashes too")
            for line in edit.body:
                rewrite(line, lambda text: text.replace(" - ", " \u2013 "))
        return any(line.search is not None for line in shown)
    edit.notes.append("in the file")
    return typographic(rng, edit, "real")


def brought(edit):
    """What the replacement brings that the search has not: how it is to be written nobody can tell."""
    paired = pairs(edit.body) or ()
    news = {id(new): common_ends(gone.real, new.real) for gone, new in paired}
    return "\n".join(line.real[news[id(line)][0]:len(line.real) - news[id(line)][1]] if id(line) in news else line.real
                     for line in edit.body if line.tag == ADDED)


TYPOGRAPHIC = [(r"(?<=\w)(')(?=\w)", "\u2019"), (r"(?<=\w)( )(?:MB|KB|ms|px|%)", "\u00a0"),
               (r"(?<=\w )(-)(?= \w)", "\u2013"), (r"(?<=\w )(--)(?= \w)", "\u2014"), (r"(?<=\w)(\.\.\.)", "\u2026"),
               (r"(?<=[a-z])( )(?=\d)", "\u00a0")]


def typographic(rng, edit, where):
    """One side's prose (a comment, a text) has curly quotes, dashes, no-break spaces; the other's has not."""
    done = 0
    if re.search(r"['\"]|--|\.\.\.|\w [-] \w", brought(edit)):
        return False
    for lines, start, end, base in some_stretches(rng, edit, 0.25):
        if not (edit.language in ("markdown", "html") or comment(base, edit.language)):
            continue
        spots = [(m.start(1), m.end(1), sign) for pattern, sign in TYPOGRAPHIC for m in re.finditer(pattern, base)
                 if start <= m.start(1) and m.end(1) <= end]
        if edit.language == "html":
            spots = [s for s in spots if base[:s[0]].count("<") == base[:s[0]].count(">")]
        if edit.inline or len(lines) == 2:
            spots = spots[:1]
        elif base.count('"') % 2 == 0 and not re.search(r"[=\\]\"|<|>", base):
            spots += [(m.start(), m.end(), "\u201c\u201d"[k % 2]) for k, m in enumerate(re.finditer('"', base))]
        for a, b, sign in sorted(spots, reverse=True):
            respot(lines, base, a, b, sign, where)
            done += 1
    return done > 0


BOTH_QUOTES = {"javascript", "typescript", "python", "css", "scss", "html", "sass", "ruby", "php", "lua"}


def mixed_quotes(edit, shown, mine, other):
    """The file has both kinds and the caller one. New quotes only where the line they stand for tells the kind."""
    def plain(text):
        return (other not in text and "\\" not in text and mine * 3 not in text and text.count(mine) % 2 == 0
                and not re.search(r"\w'\w|[$#]", text) and not comment(text, edit.language))

    chosen = [line for line in shown if plain(line.shown())]
    partner = {id(new): gone for gone, new in pairs(edit.body) or ()}
    for line in shown:
        if line.tag == ADDED and not (line in chosen and partner.get(id(line)) in chosen):
            return False
    for line in chosen:
        rewrite(line, lambda t: t.replace(mine, other))
    edit.notes.append("both kinds in the file")
    return any(line.search is not None for line in chosen)


def quote_style(rng, edit):
    if edit.language not in BOTH_QUOTES:
        return False
    shown = [line for line in edit.body if line.shown() and re.search("[\"']", line.shown())]
    text = "\n".join(line.shown() for line in shown)
    mine = '"' if text.count('"') > text.count("'") else "'"
    other = "'" if mine == '"' else '"'
    if other in text:
        return mixed_quotes(edit, shown, mine, other)
    if (not any(line.search is not None for line in shown) or other in text or "\\" in text or mine * 3 in text
            or any(line.shown().count(mine) % 2 for line in shown) or re.search(r"\w'\w", text)):
        return False
    if edit.language in ("ruby", "php") and re.search(r"[$#]", text):
        return False
    if any(comment(line.shown(), edit.language) for line in shown):
        return False
    edit.notes.append(f"{other} for {mine}")
    for line in shown:
        rewrite(line, lambda t: t.replace(mine, other))
    return True


def decomposed(rng, edit):
    """Letters with marks: one side has them composed, the other as letter and mark."""
    form, other = ("NFC", "NFD") if rng.random() < 0.6 else ("NFD", "NFC")
    edit.notes.append(f"file {form}")
    done = 0
    natural = [line for line in edit.context() if unicodedata.normalize("NFD", line.real) != line.real]
    if not natural:
        for lines, start, end, base in some_stretches(rng, edit)[:3]:
            spots = list(prose_words(edit, base, start, end))
            if not spots:
                continue
            a, b = rng.choice(spots)
            new = accented(rng, base[a:b])
            for line in lines:
                line.real = put(line.real, base, a, b, new)
                rewrite(line, lambda t: put(t, base, a, b, new))
            done += new != base[a:b]
        if not done:
            return False
    if any(unicodedata.normalize("NFD", line.real) != line.real for line in edit.body if line.tag == ADDED) and natural:
        return False
    for line in edit.body:
        line.real = line.real and unicodedata.normalize(form, line.real)
        rewrite(line, lambda t: unicodedata.normalize(other, t))
    edit.head, edit.tail = unicodedata.normalize(form, edit.head), unicodedata.normalize(form, edit.tail)
    return True


def prose_words(edit, text, start, end):
    """Places of words in comments, strings and texts."""
    prose = edit.language in ("markdown", "html") or comment(text, edit.language)
    for match in re.finditer(r"[a-z]{4,}", text):
        inside = text[:match.start()].count('"') % 2 or text[:match.start()].count("'") % 2
        if edit.language == "html" and text[:match.start()].count("<") != text[:match.start()].count(">"):
            continue
        if (prose or inside) and start <= match.start() and match.end() <= end and match.group() not in KEYWORDS:
            yield match.span()


MARKS = {"a": "\u00e4\u00e0\u00e1", "e": "\u00e9\u00e8\u00ea\u00eb", "i": "\u00ef\u00ed", "o": "\u00f6\u00f4\u00f3",
         "u": "\u00fc\u00fb", "c": "\u00e7\u010d", "n": "\u00f1", "s": "\u0161"}


def accented(rng, word):
    spots = [i for i, char in enumerate(word) if char in MARKS]
    for i in rng.sample(spots, min(len(spots), rng.choice((1, 1, 2)))):
        word = word[:i] + rng.choice(MARKS[word[i]]) + word[i + 1:]
    return word


# ---- Wrappings ----------------------------------------------------------------------------------


def escaped(rng, edit):
    search, replace = edit.join(l.search for l in edit.body), edit.join(l.replace for l in edit.body)
    both = search + replace
    ways = ["json"] * 3 + ["json for pages"] * bool(re.search("[<>&]", search))
    ways += ["quotes"] * 3 if '"' in search and '\\"' not in both else []
    ways += ["newlines"] * 2 if "\n" in search and "\\" not in both else []
    ways += ["single"] if "'" in search and "\\" not in both else []
    ways += ["only the search"] if "\\" not in both else []
    ways += ["slashes"] if "</" in search and "\\" not in both else []
    way = rng.choice(ways)
    edit.notes.append(way)
    change = {
        "json": lambda t: json.dumps(t, ensure_ascii=False)[1:-1],
        "only the search": lambda t: json.dumps(t, ensure_ascii=False)[1:-1],
        "json for pages": lambda t: re.sub("[<>&]", lambda m: f"\\u{ord(m.group()):04x}",
                                           json.dumps(t, ensure_ascii=False)[1:-1]),
        "quotes": lambda t: t.replace('"', '\\"'),
        "newlines": lambda t: t.replace("\n", "\\n").replace("\t", "\\t"),
        "single": lambda t: t.replace("'", "\\'"),
        "slashes": lambda t: t.replace("</", "<\\/"),
    }[way]
    edit.wraps.append((change, (lambda t: t) if way == "only the search" else change))
    return change(search) != search


def entities(rng, edit):
    texts = [edit.join(line.search for line in edit.body), edit.join(line.replace for line in edit.body)]
    if rng.random() < 0.6 and unescaped_lines(edit):
        edit.notes.append("the file has them")
        return True
    way = rng.choice(("all", "all", "angles", "angles", "only the search"))
    if way == "angles":
        def change(text):
            return html.escape(text, quote=False)
    else:
        def change(text):
            return html.escape(text).replace("&#x27;", single).replace("&quot;", double)
        single = rng.choice(("&#39;", "&#39;", "&#x27;", "&apos;"))
        double = rng.choice(("&quot;", "&quot;", "&#34;"))
    if way == "only the search" and re.search(r"&[#\w]+;", texts[0] + texts[1]):
        return False
    edit.notes.append(way)
    edit.wraps.append((change, (lambda t: t) if way == "only the search" else change))
    return change(texts[0]) != texts[0]


ENTITY = r"&(?:amp|lt|gt|quot|nbsp|copy|mdash|ndash|rarr|laquo|raquo|hellip|times|#39|#8217|#8220|#8221);"


def unescaped_lines(edit):
    """The caller saw the page, not its source: `&` for `&amp;` in lines that stay."""
    entity = re.compile(ENTITY)
    lines = [line for line in edit.context() if entity.search(line.real)]
    if not lines or any(entity.search(line.real) for line in edit.changed()):
        return False
    for line in lines:
        rewrite(line, html.unescape)
    return True


def line_numbers(rng, edit):
    if edit.inline:
        return False
    name, style = rng.choice((("12 | ", "{} | {}"), ("12 | ", "{:>4} | {}"), ("12: ", "{}: {}"),
                              ("12:", "{}:{}"), ("12: ", "{:>4}: {}"), ("12\u2192", "{}\u2192{}"),
                              ("12\u2192", "{:>6}\u2192{}"), ("12 tab", "{:>6}\t{}")))
    first = edit.first_line_number() + (rng.choice((-3, 1, 2, 7)) if rng.random() < 0.1 else 0)
    bare = rng.random() < 0.3
    edit.notes.append(name + (", replacement without" if bare else ""))

    def change(text):
        lines = text.split("\n")
        ended = lines[-1] == "" and edit.closed
        counted = lines[:-1] if ended else lines
        out = [style.format(max(1, first) + k, line).rstrip() if not line else style.format(max(1, first) + k, line)
               for k, line in enumerate(counted)]
        return "\n".join(out + [""] * ended) if text else text

    edit.wraps.append((change, (lambda t: t) if bare else change))
    return True


def fence(rng, edit):
    if edit.inline or "```" in edit.real_block() + edit.real_block(True):
        return False
    name = rng.choice(FENCE_NAMES.get(edit.language, (edit.language,)) + ("",))
    after = rng.choice(("", "\n"))
    bare = not edit.closed and rng.random() < 0.25
    edit.notes.append("only the search" if bare else "both")

    def change(text):
        return f"```{name}\n{text}{'' if text.endswith(chr(10)) and edit.closed else chr(10)}```{after}"

    edit.wraps.append((change, (lambda t: t) if bare else change))
    return True


# ---- What memory loses --------------------------------------------------------------------------


def edge_cut(rng, edit):
    """The first line lost its beginning, or the last line its end, and the line goes on as if whole."""
    if edit.inline:
        return False
    lines = searched(edit)
    first, last = lines[0], lines[-1]
    ways = []
    if edit.closed and last.tag == CONTEXT and ink(last.real) >= 20:
        ways.append("end")
    if first.tag == CONTEXT and ink(first.real) >= 20 and first is edit.body[0]:
        ways.append("beginning")
    if len(lines) < 2 or not ways:
        return False
    way = rng.choice(ways)
    line = last if way == "end" else first
    if way == "end" and line is not edit.body[-1]:
        return False
    text = line.real.rstrip()
    indent = indent_of(text)
    length = len(text) - len(indent)
    share = rng.uniform(0.72, 0.95)
    at = len(indent) + round(length * (share if way == "end" else 1 - share))
    if rng.random() < 0.65:
        borders = [m.start() for m in re.finditer(r"(?<=\w)(?=\W)|(?<=\W)(?=\w)", text)
                   if (0.7 <= (m.start() - len(indent)) / length < 1 if way == "end"
                       else 0 < (m.start() - len(indent)) / length <= 0.3)]
        if not borders:
            return False
        at = rng.choice(borders)
    kept = text[:at].rstrip() if way == "end" else indent + text[at:].lstrip()
    inside = re.match(r"\w", text[at:at + 1]) and re.match(r"\w", text[at - 1:at])
    if kept == text or ink(kept) < 14:
        return False
    edit.notes.append(way + (" inside a word" if inside else ""))
    line.search = kept
    if rng.random() < 0.6:
        line.replace = kept
    return True


NEAR = {"a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk",
        "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o", "q": "wa", "r": "et", "s": "ad", "t": "ry",
        "u": "yi", "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "x"}


COARSE = re.compile("shit|cunt|fuck", re.I)


def mistyped(rng, word):
    i = rng.randrange(1, len(word) - 1)
    way = rng.choice(("drop", "double", "swap", "swap", "near", "case"))
    if way == "drop":
        return word[:i] + word[i + 1:]
    if way == "double":
        return word[:i] + word[i] + word[i:]
    if way == "swap":
        return word[:i] + word[i + 1] + word[i] + word[i + 2:]
    if way == "near":
        return word[:i] + rng.choice(NEAR[word[i].lower()]) + word[i + 1:]
    return word[0].swapcase() + word[1:]


def keep_slip(edit, gone, spot, wrong):
    """The slip stands in the changed line too, if its word is a part that does not change."""
    for old, new in pairs(edit.body) or ():
        if old is gone and old.search == old.real and new.replace == new.real:
            start, end = common_ends(old.real, new.real)
            if spot.end() < start or spot.start() > len(old.real) - end:
                new.replace = put(new.replace, old.real, *spot.span(), wrong)
                edit.notes.append("in a changed line")


def typo(rng, edit):
    if edit.inline:
        return False
    lines = [line for line in searched(edit) if ink(line.search) >= 14 and re.search(r"[A-Za-z]{5,}", line.search)]
    if not lines or sum(ink(line.search) for line in searched(edit)) < 30:
        return False
    known = set(re.findall(r"\w+", edit.source.text))
    lower = {word.lower() for word in known}
    for line in rng.sample(lines, min(len(lines), 1 if rng.random() < 0.85 else 2)):
        spot = rng.choice(list(re.finditer(r"[A-Za-z]{5,}", line.search)))
        short = list(re.finditer(r"\b[A-Za-z]{4}\b", line.search))
        if short and rng.random() < 0.06:
            spot = rng.choice(short)
        wrong = mistyped(rng, spot.group())
        whole = re.search(r"\w*$", line.search[:spot.start()]).group() + wrong + re.match(
            r"\w*", line.search[spot.end():]).group()
        recased = wrong.lower() == spot.group().lower()
        if (wrong == spot.group() or whole in known or (whole.lower() in lower and not recased)
                or wrong in WORDS or COARSE.search(wrong)):
            return False
        change = line.search[:spot.start()] + wrong + line.search[spot.end():]
        if line.tag == CONTEXT and rng.random() < 0.75:
            line.replace = change
        elif line.tag == REMOVED and rng.random() < 0.5:
            keep_slip(edit, line, spot, wrong)
        line.search = change
    return True


def end_comment_dropped(rng, edit):
    """The comment behind a statement, on a line inside the block."""
    mark = "#" if edit.language in HASHES else "//"
    found = []
    for line in edit.body[1:-1]:
        parts = re.match(rf"(\s*[^\"'`#/]*[\w;,)}}])(\s+{mark} [\w ,.'()-]+)$", line.real or "")
        if line.tag == CONTEXT and parts and ink(parts[1]) > 5:
            found.append((line, parts[1]))
    if not found or edit.language in ("html", "css", "markdown", "lua", "yaml"):
        return False
    line, kept = rng.choice(found)
    line.search = line.replace = kept
    edit.notes.append("at the end of a line")
    return True


def whole_comments(lines):
    """No comment that goes over lines begins before these or ends after them."""
    text = "\n".join(line.real for line in lines)
    return not re.match(r"\s*\*", text) and all(
        text.count(opens) == text.count(closes) for opens, closes in (("/*", "*/"), ("<!--", "-->")))


def comment_dropped(rng, edit):
    """Whole comment lines of the file that the caller left out."""
    if edit.inline or edit.language in ("json",):
        return False
    if rng.random() < 0.08:
        return end_comment_dropped(rng, edit)
    body, runs, i = edit.body, [], 1
    while i < len(body) - 1:
        j = i
        while j < len(body) - 1 and body[j].tag == CONTEXT and comment(body[j].real or "", edit.language):
            j += 1
        if j > i and body[i - 1].tag == CONTEXT and body[j].tag == CONTEXT:
            runs.append((i, j))
        i = max(j, i + 1)
    if runs and rng.random() < 0.8:
        chosen = runs if rng.random() < 0.2 else [rng.choice(runs)]
        for a, b in chosen:
            if b - a > 6 or not whole_comments(body[a:b]) or any(
                    comment(body[k].real or "", edit.language) for k in (a - 1, b)):
                return False
            for line in body[a:b]:
                line.search = line.replace = None
            edit.notes.append(f"{b - a} of the file's own")
        return True
    if edit.language in ("markdown", "html", "css") and rng.random() < 0.5:
        return False
    gaps = [i for i in range(1, len(body)) if body[i - 1].tag == CONTEXT and body[i].tag == CONTEXT
            and (body[i].real or "").strip() and (body[i - 1].real or "").strip()
            and body[i - 1].real.rstrip()[-1] != "\\"
            and not comment(body[i].real, edit.language) and not comment(body[i - 1].real, edit.language)]
    if not gaps:
        return False
    at = rng.choice(gaps)
    mark = "# {}" if edit.language in HASHES else PLAIN_MARKS.get(edit.language, "// {}")
    words = rng.sample(WORDS, 3)
    for text in (f"the {words[0]} has its own {words[1]}", f"so the {words[2]} is last")[:rng.choice((1, 1, 1, 2))]:
        body.insert(at, Line(CONTEXT, indent_of(body[at].real) + mark.format(text), None, None))
    edit.notes.append("made")
    return True


def elided(rng, edit):
    """Three dots stand for lines in the middle."""
    if edit.inline or any(line.shown() and "..." in line.shown() for line in edit.body):
        return False
    body = edit.body
    runs, i = [], 0
    while i < len(body):
        j = i
        while j < len(body) and body[j].tag == CONTEXT:
            j += 1
        if j - i >= 5:
            runs.append((i, j))
        i = max(j, i + 1)
    if not runs:
        return False
    indent = indent_of(next(line.real for line in body if line.real and line.real.strip()))
    mark = "# {}" if edit.language in HASHES else PLAIN_MARKS.get(edit.language, "// {}")
    shapes = ["...", indent + "..."] + [indent + mark.format(text) for text in (
        "...", "...", "... existing code ...", "... unchanged ...")]
    dots = rng.choice(shapes) if rng.random() > 0.04 else indent + "\u2026"
    edit.notes.append(dots.strip())
    long = [run for run in runs if run[1] - run[0] >= 12]
    if long and rng.random() < 0.3:
        # Two gaps in one stretch, with two or three lines between them.
        (a, b), edit.body = long[0], body
        middle = rng.randint(a + 5, b - 6)
        edit.notes.append("twice")
        return gap(rng, edit, middle + 2, b, dots) and gap(rng, edit, a, middle, dots)
    return gap(rng, edit, *rng.choice(runs), dots)


def gap(rng, edit, a, b, dots):
    """Put dots for most of the lines a..b; what is left on both sides must be worth looking for."""
    body = edit.body
    a, b = a + rng.choice((1, 1, 2)), b - rng.choice((1, 1, 2))
    if b - a < 3 or sum(bool(line.real.strip()) for line in body[a:b]) < 3:
        return False
    if ink("".join(l.search or "" for l in body[:a])) < 14 or ink("".join(l.search or "" for l in body[b:])) < 8:
        return False
    for line in body[a:b]:
        line.search = line.replace = None
    edit.body = body[:a] + [Line(CONTEXT, None, dots, dots)] + body[a:]
    return True


# ---- The search text alone ----------------------------------------------------------------------


def least_indented(edit):
    """The lines that are less deep than all others, where they stay and are not more than two.

    Not the first line: if that went, the others could have come out of its block.
    """
    lines = [line for line in edit.body if line.real and line.real.strip()]
    least = min(len(indent_of(line.real)) for line in lines)
    found = [line for line in lines if len(indent_of(line.real)) == least]
    fit = len(found) < 3 and found[0] is not lines[0] and len(lines) > len(found) + 1
    return found if fit and lines[0].tag == CONTEXT and all(line.tag == CONTEXT for line in found) else []


def search_alone(rng, edit):
    """The search text is indented otherwise, and the replacement as the file is."""
    lines = [line for line in searched(edit) if line.search.strip()]
    if edit.inline or len(lines) < 2:
        return False
    going = least_indented(edit) if rng.random() < 0.5 else []
    for line in going:
        line.tag, line.replace = REMOVED, None
        edit.notes.append("the least indented line goes")
    unit = unit_of(edit.source.text)
    common = os.path.commonprefix([indent_of(line.search) for line in lines])
    ways = ["deeper"]
    if common:
        ways.append("flush")
    if len(common) > len(unit) and common.endswith(unit):
        ways.append("shallower")
    way = rng.choice(ways)
    edit.notes.append(way)
    cut = {"deeper": 0, "flush": len(common), "shallower": len(unit)}[way]
    for line in lines:
        line.search = unit + line.search if way == "deeper" else line.search[cut:]
    return True


def slipped(rng, edit):
    """Lines of the search text stand a blank or more beside where they should, have no indentation, or one of
    tabs; in the replacement, too, or not."""
    unit = unit_of(edit.source.text)
    shown = [line for line in searched(edit) if line.search.strip() and indent_of(line.search)]
    lines = [line for line in shown[1:] if line.tag == CONTEXT]
    if edit.inline or set(unit) != {" "} or len(unit) < 2 or not lines or any("\t" in line.search for line in shown):
        return False
    chosen = rng.sample(lines, min(len(lines), len(shown) // 2, rng.choice((1, 1, 2))))
    way, where = rng.choice(("beside", "beside", "bare", "tabs")), rng.choice(("search", "texts"))
    edit.notes.append(f"{way}, {where}")
    by = rng.choice([n for n in (-3, -2, -1, -1, 1, 1, 2, 3) if n % len(unit)])
    change = {"beside": slide(by), "bare": str.lstrip, "tabs": with_tabs(unit)}[way]
    for line in chosen:
        if line.search != line.replace or change(line.search).strip() != line.search.strip():
            return False
        if where == "search":
            line.search = change(line.search)
        else:
            rewrite(line, change)
    return bool(chosen)


def slide(by):
    return lambda text: " " * by + text if by > 0 else text[-by:]


def with_tabs(unit):
    return lambda text: indent_of(text).replace(unit, "\t") + text.lstrip()


# ---- All of them --------------------------------------------------------------------------------

DRIFTS = {
    "trailing blanks": trailing_blanks,
    "indentation shifted": indentation,
    "first indentation lost": first_indent,
    "tabs and spaces": tabs,
    "tab stops": tab_stops,
    "inner runs": inner_runs,
    "blank line more or fewer": blank_line,
    "CRLF file": crlf_file,
    "CRLF search": crlf_search,
    "smart quotes": smart_quotes,
    "quote style": quote_style,
    "escaped text": escaped,
    "entities": entities,
    "edge line cut": edge_cut,
    "typo": typo,
    "comment dropped": comment_dropped,
    "elided middle": elided,
    "line numbers": line_numbers,
    "NFC and NFD": decomposed,
    "no final newline": no_final_newline,
    "fence": fence,
    "search text shifted": search_alone,
    "lines slipped": slipped,
}
# Wrappings come last: they are laid around what the other drifts made.
TOGETHER = [
    (indentation, trailing_blanks), (indentation, crlf_file), (indentation, blank_line), (indentation, smart_quotes),
    (indentation, quote_style), (indentation, inner_runs), (indentation, fence), (indentation, line_numbers),
    (indentation, escaped), (indentation, entities), (indentation, typo), (indentation, comment_dropped),
    (indentation, elided), (tabs, trailing_blanks), (tabs, crlf_file), (tabs, quote_style), (tabs, typo),
    (tabs, line_numbers), (tabs, fence), (tabs, blank_line), (tabs, comment_dropped), (first_indent, crlf_file),
    (crlf_file, line_numbers), (crlf_file, comment_dropped), (crlf_file, typo), (crlf_file, fence),
    (crlf_file, smart_quotes), (crlf_file, elided), (quote_style, trailing_blanks), (smart_quotes, trailing_blanks),
    (trailing_blanks, crlf_search), (indentation, crlf_search), (blank_line, trailing_blanks), (inner_runs, crlf_file),
    (entities, fence), (typo, comment_dropped), (indentation, trailing_blanks, crlf_file),
    (tabs, quote_style, trailing_blanks), (indentation, blank_line, trailing_blanks), (decomposed, indentation),
    (indentation, quote_style, fence), (first_indent, trailing_blanks), (smart_quotes, crlf_search),
]


def several(rng, edit):
    steps = rng.choice(TOGETHER)
    edit.notes.append(" + ".join(step.__name__ for step in steps))
    return all(step(rng, edit) for step in steps)


DRIFTS["several at once"] = several
FUZZY = {"edge line cut", "typo", "comment dropped", "elided middle", "several at once"}
