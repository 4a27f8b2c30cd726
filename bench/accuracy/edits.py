"""Edits of real files: what changed between two versions, and changes made up on the spot."""
import difflib
import functools
import re

import judge
from judge import HASHES, ink
from model import ADDED, CONTEXT, REMOVED, Edit, Line

MOST_LINES_COMPARED = 1600
MOST_CHANGED = 40
MOST_LINES = 90
BRACES = {"javascript", "typescript", "c", "cpp", "go", "rust", "java", "kotlin", "swift", "objc", "php",
          "perl", "css", "scss"}
PROSE = {"markdown", "html", "json", "yaml", "toml", "css", "scss", "sass"}
KEYWORDS = set("""if else for while return def class function const let var import from export default in of
    new this self static public private protected void int char bool true false null None True False nil not
    and or end do then fi done case switch break continue try catch except finally raise throw throws func
    struct enum impl pub fn mut use mod match type interface package extends implements with as is lambda
    yield async await typeof instanceof delete sizeof unsigned long short double float string echo local
    require include require_once namespace begin rescue ensure unless elsif module attr_reader super go defer
    chan map range select auto template typename using operator virtual override final span div class href
    strong""".split())
WORDS = """account action adapter anchor archive backend banner batch binding border bucket buffer builder
    bundle cache callback candidate canvas caption category channel checksum client cluster column command
    compiler config connection container context control cookie counter cursor dashboard decoder delay
    delegate delimiter descriptor device digest directory dispatch document domain driver duration element
    emitter encoder endpoint engine entry envelope event excerpt factory feature fetcher filter flag folder
    footer formatter fragment gateway global handler header helper history hook identifier image index
    iterator journal kernel keyword label launcher layout ledger level limit linker listener locale logger
    manager manifest marker matcher measure member message metric migration mirror modifier monitor mutex
    namespace network node notice observer offset operand option origin output packet pager palette panel
    parent parser partition password pattern payload peer pending pipeline placeholder plugin pointer policy
    portal position prefix preset preview printer priority processor profile prompt protocol provider proxy
    quota reader receiver record redirect region registry release renderer replica report request resolver
    resource response result retry revision role router runner sample scanner schedule schema scope script
    section segment selector sender sequence server session setting shadow signal snapshot socket source
    stage status storage strategy stream subject summary symbol target template tenant terminal theme ticket
    timeout timer token topic tracker transport trigger tunnel unit upload validator value variant vector
    version viewport visitor volume warning watcher widget window worker wrapper writer zone""".split()


def indent_of(line):
    return line[:len(line) - len(line.lstrip(" \t"))]


def unit_of(text):
    """The indentation unit of a file: a tab, or the step by which most lines get deeper."""
    steps, tabs, last = {}, 0, 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        if line[0] == "\t":
            tabs += 1
            continue
        depth = len(indent_of(line))
        if depth > last and depth - last in (2, 3, 4, 8):
            steps[depth - last] = steps.get(depth - last, 0) + 1
        last = depth
    if tabs > sum(steps.values()):
        return "\t"
    return " " * max(steps, key=lambda k: (steps[k], k)) if steps else "    "


# ---- Between two versions -----------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def hunks(source):
    """Changed stretches of the older text as (from, to, new lines); near ones are one."""
    old, new = source.text.split("\n"), (source.newer or "").split("\n")
    if not source.newer or max(len(old), len(new)) > MOST_LINES_COMPARED:
        return ()
    found = []
    for op, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op == "equal":
            continue
        if found and a - found[-1][1] <= 2:
            found[-1][1], found[-1][3] = b, d
        else:
            found.append([a, b, c, d])
    return tuple((a, b, tuple(new[c:d])) for a, b, c, d in found
                 if (b - a) + (d - c) <= MOST_CHANGED and b < len(old))


def from_versions(rng, source):
    stretches = hunks(source)
    if not stretches:
        return None
    at = rng.randrange(len(stretches))
    first, last, new = stretches[at]
    new, kind = list(new), "version"
    while at + 1 < len(stretches) and stretches[at + 1][0] - last <= 8 and rng.random() < 0.4:
        at += 1
        new += source.text.split("\n")[last:stretches[at][0]] + list(stretches[at][2])
        last, kind = stretches[at][1], "version, several places"
    return framed(rng, source, kind, first, last, new)


# ---- Around a change ----------------------------------------------------------------------------


def tagged(old, new):
    """The lines of a change with what both sides share as context."""
    body = []
    for op, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op == "equal":
            body += [Line.of(CONTEXT, text) for text in old[a:b]]
            continue
        body += [Line.of(REMOVED, text) for text in old[a:b]]
        body += [Line.of(ADDED, text) for text in new[c:d]]
    return body


def framed(rng, source, kind, first, last, new, context=None):
    """The edit that puts `new` for the lines first..last, with some lines around it."""
    lines = source.text.split("\n")
    above, below = context or (rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 6)), rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 6)))
    if (first == last or not new) and not above and not below:
        # What goes in or out needs a line beside it, unless it is a whole block that goes.
        if first == last or rng.random() < 0.8:
            above, below = rng.choice(((1, 0), (0, 1), (1, 1)))
    start, stop = max(0, first - above), min(len(lines) - 1, last + below)
    while start < first and not lines[start].strip():
        start += 1
    while stop > last and not lines[stop - 1].strip():
        stop -= 1
    body = [Line.of(CONTEXT, text) for text in lines[start:first]]
    body += tagged(lines[first:last], new)
    body += [Line.of(CONTEXT, text) for text in lines[last:stop]]
    if not body or len(body) > MOST_LINES or not any(line.tag != CONTEXT for line in body):
        return None
    head = "".join(text + "\n" for text in lines[:start])
    tail = "\n".join(lines[stop:])
    closed = rng.random() < 0.25 or all(line.tag == REMOVED for line in body)
    edit = Edit(source, kind, head, body, tail if closed else "\n" + tail, closed)
    return edit if edit.before() == source.text and worth(edit) else None


def worth(edit):
    """A change of more than white space, of a text that is more than a brace."""
    search, replace = edit.texts()
    return (ink(search) >= 14 and re.sub(r"\s", "", search) != re.sub(r"\s", "", replace)
            and "\0" not in search + replace)


# ---- Made up ------------------------------------------------------------------------------------


def identifiers(text):
    return [word for word in re.findall(r"\b[A-Za-z_]\w{2,}", text) if word not in KEYWORDS]


def styled(word, like):
    """A word in the naming style of another."""
    other = WORDS[sum(map(ord, word + like)) % len(WORDS)]
    if like.isupper():
        return f"{word}_{other}".upper() if "_" in like else word.upper()
    if "_" in like:
        return f"{word}_{other}"
    if like[:1].isupper():
        return word.capitalize()
    return word + other.capitalize() if re.search(r"[a-z][A-Z]", like) else word


def line_choice(rng, lines, wanted=lambda text: True):
    good = [at for at, text in enumerate(lines[:-1]) if ink(text) >= 4 and wanted(text)]
    return rng.choice(good) if good else None


def rename(rng, source, lines):
    at = line_choice(rng, lines, identifiers)
    if at is None:
        return None
    old = rng.choice(identifiers(lines[at]))
    new = styled(rng.choice(WORDS), old)
    last = min(len(lines) - 1, at + rng.choice((1, 1, 2, 3)))
    return at, last, [re.sub(rf"\b{old}\b", new, text) for text in lines[at:last]]


def number(rng, source, lines):
    at = line_choice(rng, lines, lambda text: re.search(r"\b\d+\b", text))
    if at is None:
        return None
    spot = rng.choice(list(re.finditer(r"\b\d+\b", lines[at])))
    new = str(int(spot.group()) * rng.choice((2, 3, 10)) + rng.randint(1, 9))
    return at, at + 1, [lines[at][:spot.start()] + new + lines[at][spot.end():]]


OPERATORS = [("===", "!=="), ("!==", "==="), ("==", "!="), ("!=", "=="), ("<=", "<"), (">=", ">"),
             ("&&", "||"), ("||", "&&"), (" and ", " or "), (" or ", " and "), (" + ", " - "),
             ("true", "false"), ("false", "true"), ("True", "False"), ("False", "True"), (" < ", " <= "),
             (" > ", " >= "), (" -eq ", " -ne "), ("left", "right"), ("none", "block"), ("min-", "max-")]


def operator(rng, source, lines):
    a, b = rng.choice(OPERATORS)
    whole = re.compile(rf"(?<![=!<>&|]){re.escape(a)}(?![=<>&|])")
    at = line_choice(rng, lines, whole.search)
    return None if at is None else (at, at + 1, [whole.sub(b, lines[at], count=1)])


def word(rng, source, lines):
    """A word of a text, a comment or a string becomes another."""
    at = line_choice(rng, lines, lambda text: len(re.findall(r"\b[a-z]{4,}\b", text)) > 1)
    if at is None:
        return None
    spot = rng.choice(list(re.finditer(r"\b[a-z]{4,}\b", lines[at])))
    return at, at + 1, [lines[at][:spot.start()] + rng.choice(WORDS) + lines[at][spot.end():]]


def twin(rng, source, lines):
    """A further line in the style of one that is there."""
    at = line_choice(rng, lines, lambda text: identifiers(text) and text.rstrip()[-1:] not in "{([:\\"
                     and not re.match(r"\s*[})\]]", text) and balanced(text))
    if at is None:
        return None
    old = rng.choice(identifiers(lines[at]))
    new = re.sub(rf"\b{old}\b", styled(rng.choice(WORDS), old), lines[at])
    return at + 1, at + 1, [new]


def balanced(text):
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}")) and text.count('"') % 2 == 0


def delete(rng, source, lines):
    at = line_choice(rng, lines, lambda text: balanced(text) and text.rstrip()[-1:] not in "{([:,\\"
                     and not judge.comment(text, source.language))
    return None if at is None else (at, at + 1, [])


def parameter(rng, source, lines):
    at = line_choice(rng, lines, lambda text: re.search(r"\w\([^()]+\)", text) and balanced(text))
    if at is None or source.language in PROSE:
        return None
    spot = rng.choice(list(re.finditer(r"(\w\([^()]+)\)", lines[at])))
    extra = rng.choice(WORDS)
    return at, at + 1, [lines[at][:spot.end() - 1] + ", " + extra + lines[at][spot.end() - 1:]]


def comment(rng, source, lines):
    at = line_choice(rng, lines)
    if at is None or source.language in ("json", "markdown"):
        return None
    a, b, c = rng.sample(WORDS, 3)
    text = rng.choice((f"the {a} owns its {b} until the {c} ends", f"see the {a} of the {b}",
                       f"keep the {a} in step with the {b} {c}"))
    shape = ("<!-- {} -->" if source.language == "html" else "/* {} */" if source.language in ("css", "c")
             else "-- {}" if source.language == "lua" else "# {}" if source.language in HASHES
             else "// {}")
    return at, at, [indent_of(lines[at]) + shape.format(text)]


WRAPS = {
    "python": ("if {}:", None), "ruby": ("if {}", "end"), "lua": ("if {} then", "end"),
    "shell": ("if [ -n \"${}\" ]; then", "fi"), "php": ("if (${}) {{", "}"), "perl": ("if (${}) {{", "}"),
    "go": ("if {} {{", "}"), "rust": ("if {} {{", "}"), "swift": ("if {} {{", "}"),
    "html": ("<div class=\"{}\">", "</div>"), "scss": (".{} {{", "}"), "css": ("@supports ({}) {{", "}"),
}


def wrap(rng, source, lines):
    """One to three statements go into a block of their own."""
    if source.language not in WRAPS and source.language not in BRACES:
        return None
    ready = source.language
    opener, closer = WRAPS.get(ready, ("if ({}) {{", "}"))
    at = line_choice(rng, lines, lambda text: balanced(text) and indent_of(text)
                     and (re.search(r"[;)]\s*$", text) or ready in ("html", "ruby", "lua"))
                     and not judge.comment(text, source.language))
    if at is None:
        return None
    base, last = indent_of(lines[at]), at + 1
    while (last < len(lines) - 1 and last < at + 3 and indent_of(lines[last]) == base and lines[last].strip()
           and balanced(lines[last]) and rng.random() < 0.5):
        last += 1
    unit = unit_of(source.text)
    new = [base + opener.format(rng.choice(WORDS))] + [unit + text for text in lines[at:last]]
    return at, last, new + ([base + closer] if closer else [])


def block(rng, source, lines):
    """A few lines are written anew: several words of them, and one line more."""
    at = line_choice(rng, lines, lambda text: len(identifiers(text)) > 0)
    if at is None:
        return None
    last = min(len(lines) - 1, at + rng.randint(2, 5))
    stretch = lines[at:last]
    names = list(dict.fromkeys(identifiers("\n".join(stretch))))
    for old in rng.sample(names, min(2, len(names))):
        stretch = [re.sub(rf"\b{old}\b", styled(rng.choice(WORDS), old), text) for text in stretch]
    if not all(map(balanced, stretch)) or rng.random() < 0.5:
        return at, last, stretch
    extra = rng.choice(stretch)
    return at, last, stretch + [extra] if extra.strip() else stretch


MADE_UP = [rename, rename, number, operator, operator, word, word, twin, twin, delete, parameter, comment, wrap,
           wrap, block]


def made_up(rng, source, chosen=None, context=None):
    make = chosen or rng.choice(MADE_UP)
    lines = source.text.split("\n")
    made = make(rng, source, lines)
    if made is None:
        return None
    first, last, new = made
    return framed(rng, source, make.__name__, first, last, new, context)


def within(rng, source, start, stop, first=None, last=None):
    """A change made up in the lines start..stop, in a block that takes in first..last too."""
    lines = source.text.split("\n")
    start, stop = max(0, start), min(stop, len(lines) - 1)
    if stop - start < 1:
        return None
    make = rng.choice(MADE_UP)
    made = make(rng, source, lines[start:stop] + [""])
    if made is None:
        return None
    a, b, new = start + made[0], start + made[1], made[2]
    above, below = rng.randint(0, 3), rng.randint(0, 3)
    if first is not None:
        above, below = max(above, a - first), max(below, last - b)
    return framed(rng, source, make.__name__, a, b, new, (above, below))


def beside(rng, source, first, last):
    """A change made up near the lines first..last, which are part of the block and stay."""
    part = (first - 5, first) if rng.random() < 0.5 else (last, last + 6)
    return within(rng, source, *part, first, last)


# ---- Inside a line ------------------------------------------------------------------------------


def inside(rng, source):
    """A place that begins and ends inside lines: a piece of one line, or of two or three."""
    lines = source.text.split("\n")
    at = line_choice(rng, lines, lambda text: len(text.strip()) > 40 and len(identifiers(text)) > 2)
    if at is None:
        return None
    text = lines[at]
    borders = [m.start() for m in re.finditer(r"\b(?=\S)", text) if m.start() > len(indent_of(text))]
    start = rng.choice(borders[:max(1, len(borders) // 2)])
    last = at + rng.choice((0, 0, 0, 1, 2))
    if last >= len(lines) - 1 or not lines[last].strip():
        return None
    ends = [m.start() for m in re.finditer(r"(?<=\S)\b", lines[last]) if m.start() > len(indent_of(lines[last])) + 4
            and (last > at or m.start() > start + 14)]
    if not ends:
        return None
    stop = rng.choice(ends)
    piece = [lines[k] for k in range(at, last + 1)]
    piece[-1] = piece[-1][:stop]
    piece[0] = piece[0][start:]
    names = identifiers("\n".join(piece))
    if not names or ink("".join(piece)) < 14:
        return None
    old = rng.choice(names)
    if len(re.findall(rf"\b{old}\b", "\n".join(piece))) != 1:
        return None
    new = styled(rng.choice(WORDS), old)
    body = []
    for text in piece:
        changed = re.sub(rf"\b{old}\b", new, text)
        body += ([Line.of(CONTEXT, text)] if changed == text
                 else [Line.of(REMOVED, text), Line.of(ADDED, changed)])
    head = "".join(text + "\n" for text in lines[:at]) + lines[at][:start]
    tail = lines[last][stop:] + "\n" + "\n".join(lines[last + 1:])
    edit = Edit(source, "inside", head, body, tail, inline=True)
    return edit if edit.before() == source.text else None


def any_edit(rng, source):
    if source.newer and rng.random() < 0.6:
        return from_versions(rng, source)
    return made_up(rng, source)
