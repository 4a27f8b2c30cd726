"""Random pages and random selectors, the same for the same seed.

Pages are well-formed, so that two parsers make the same tree of them. Selectors take their names
from the page. What emend means to do otherwise than cheerio is left out, and listed in LEFT_OUT.
"""
import re
from html import escape

# Why something is not asked; docs/selectors.md says the same to users.
LEFT_OUT = """
SVG names with capitals, as linearGradient and viewBox: cheerio never finds them.
Contents of <template>: cheerio keeps them apart from the page.
:link, :any-link: cheerio counts <link>.
:disabled with fieldsets, :enabled, :read-only and their kin: cheerio's are not HTML's.
:required on inputs that cannot be required; options of a select that is disabled, in groups or long;
    several that are selected in a select for one, or radio buttons checked in a group.
:nth-*(n) of the root, and of all that is every element: cheerio wants a parent that is an element.
[name~=""], which matches nothing, and [name!=""], which does where the name is missing.
A position behind a combinator ("p :first"), or negative, or at the very beginning; '>', '+' and '~'
    behind a position: cheerio looks below the outermost elements only.
:has() with a descendant behind its first compound (cheerio keeps an answer that was another element's),
    with a list where one begins with '+' or '~' (it looks among the siblings for all of them), and
    with these before a pseudo-class that is defined by another selector (it looks nowhere).
:scope inside :has(); blanks around the text of :contains().
"p >", "#1a", "", unquoted values that are no identifiers, unknown pseudo-classes: errors here.
:nth-child(An+B of S), :lang(), :dir(), :open, :default, :indeterminate: cheerio has none of them.
"""

TAGS = ["div", "p", "span", "ul", "li", "b", "a", "h2", "section", "em", "table"]
INLINE = {"p", "span", "b", "a", "h2", "em"}
CLASSES = ["a", "b", "card", "w-1/2", "md:flex", "Ü", "x"]
IDS = ["main", "top", "1a", "x:y"]
WORDS = ["one", "Two", "red fox", "ÄÖ", "x", "  ", "-"]
VALUES = ["", "x", "X", "x-y", "x y", "text", "TEXT", "/a/b", "é"]
NAMES = ["title", "type", "data-k", "lang", "href"]


def attribute(rng):
    kind = rng.random()
    if kind < 0.5:
        classes = " ".join(rng.choice(CLASSES) for _ in range(rng.randint(1, 3)))
        return f' class="{classes}"'
    if kind < 0.65:
        return f' id="{rng.choice(IDS)}"'
    return f' {rng.choice(NAMES)}="{escape(rng.choice(VALUES))}"'


def attributes(rng):
    by_name = {}
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        one = attribute(rng)
        by_name.setdefault(one.split("=")[0], one)
    return "".join(by_name.values())


def control(rng):
    attrs = attributes(rng)
    flags = "".join(f" {flag}" for flag in ("checked", "required", "disabled") if rng.random() < 0.3)
    attrs = re.sub(r' type="[^"]*"', "", attrs)
    kind = rng.random()
    if kind < 0.5:
        text = rng.choice(["text", "checkbox", "radio", "password", "email", "file", "TEXT"])
        return f'<input type="{text}"{attrs}{flags}>'
    if kind < 0.7:
        marked = rng.randrange(5)  # one at most
        options = "".join(f"<option{' selected' if i == marked else ''}>{i}</option>"
                          for i in range(rng.randint(0, 3)))
        return f"<select{attrs}>{options}</select>"
    return f"<button{attrs}>{rng.choice(WORDS)}</button>"


def text(rng):
    kind = rng.random()
    if kind < 0.1:
        return "<!-- c -->"
    return "<br>" if kind < 0.15 else escape(rng.choice(WORDS))


def element(rng, depth, inline, in_link=False):
    tags = [t for t in TAGS if (not inline or t in ("span", "b", "em", "a")) and not (in_link and t == "a")]
    tag = rng.choice(tags)
    if tag in ("b", "em") and inline:
        tag = "span"
    attrs = attributes(rng)
    if tag == "table":
        cells = "".join(f"<td{attributes(rng)}>{text(rng)}</td>" for _ in range(rng.randint(0, 3)))
        return f"<table{attrs}><tbody><tr>{cells}</tr></tbody></table>"
    inner = children(rng, depth - 1, inline or tag in INLINE, in_link or tag == "a")
    return f"<{tag}{attrs}>{inner}</{tag}>"


def children(rng, depth, inline, in_link=False):
    parts = []
    for _ in range(rng.choice([0, 1, 2, 3, 4]) if depth > 0 else 0):
        kind = rng.random()
        if kind < 0.55:
            parts.append(element(rng, depth, inline, in_link))
        elif kind < 0.65 and not in_link:
            parts.append(control(rng))
        else:
            parts.append(text(rng))
    return "".join(parts)


def page(rng):
    doctype = rng.choice(["<!DOCTYPE html>", "<!DOCTYPE html>", ""])
    body = children(rng, 5, False) + element(rng, 4, False)
    return f"{doctype}<html><head><title>t</title></head><body>{body}</body></html>"


# ---- Selectors ----------------------------------------------------------------------------------


class Words:
    """The names that a page has."""

    def __init__(self, source):
        self.tags = sorted(set(re.findall(r"<([a-z][a-z0-9]*)", source))) or ["p"]
        quoted = re.findall(r'\s([a-zA-Z][-a-zA-Z0-9]*)="([^"]*)"', source)
        self.classes = sorted({c for n, v in quoted if n == "class" for c in v.split()}) or ["x"]
        self.ids = sorted({v for n, v in quoted if n == "id" and v and not re.search(r"\s", v)}) or ["x"]
        self.attrs = sorted({(n.lower(), v) for n, v in quoted
                            if "&" not in v and n != "style" and (n.islower() or n.isupper())}) or [("x", "")]
        words = re.findall(r">\s*([^<>&\"'\\()\s]+)", source)
        self.texts = sorted(set(words)) or ["x"]


def css_escape(name):
    out = "".join(c if c.isalnum() or c in "-_" or ord(c) > 127 else "\\" + c for c in name)
    if re.match(r"-?[0-9]", out):
        at = 1 if out[0] == "-" else 0
        out = out[:at] + f"\\{ord(out[at]):x} " + out[at + 1:]
    return out if out != "-" else "\\-"


def quoted(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ") + '"'


def formula(rng):
    if rng.random() < 0.25:
        return rng.choice(["odd", "even", "EVEN", "1", "2", "-1", "0"])
    step = rng.choice(["2n", "3n", "-n", "-2n", "+3n", "0n"])
    return step + rng.choice(["", "+1", " + 2", "-1", " - 2", "+3"])


def attribute_test(rng, words):
    name, value = rng.choice(words.attrs)
    name = rng.choice([name, name.upper()])
    kind = rng.choice(["", "=", "=", "~=", "|=", "^=", "$=", "*=", "!="])
    if not kind:
        return f"[{name}]"
    if value and rng.random() < 0.5 and kind in ("^=", "$=", "*=", "~=", "|="):
        parts = re.split(r"[\s-]", value) if kind in ("~=", "|=") else [value[:3], value[-3:]]
        value = rng.choice(parts)
    if not value and kind in ("~=", "!="):
        kind = "="
    flag = rng.choice(["", "", "", " i", " s", "I"])
    if flag.strip().lower() == "i":
        value = rng.choice([value, value.upper(), value.lower()]) if value.isascii() else value
    blank = " " if rng.random() < 0.3 else ""
    return f"[{name}{blank}{kind}{blank}{quoted(value)}{flag}]"


PLAIN = ["first-child", "last-child", "only-child", "first-of-type", "last-of-type", "only-of-type",
         "empty", "root", "header", "parent", "button", "input", "text", "checkbox", "radio", "file",
         "password", "submit", "checked", "selected", "required", "optional", "FIRST-CHILD"]
POSITIONS = ["first", "last", "even", "odd", "eq(0)", "eq(1)", "eq(2)", "lt(2)", "gt(0)", "nth(1)"]


def pseudo(rng, words, depth):
    kind = rng.random()
    if kind < 0.3:
        return ":" + rng.choice(PLAIN)
    if kind < 0.55:
        name = rng.choice(["nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"])
        return f":{name}({formula(rng)})"
    if kind < 0.65:
        word = rng.choice(words.texts)
        return rng.choice([f":contains({quoted(word)})", f":icontains({quoted(word.upper())})"])
    if depth == 0:
        return ":first-child"
    if kind < 0.85:
        name = rng.choice(["not", "is", "where", "matches", "not"])
        return f":{name}({selector_list(rng, words, depth - 1)})"
    return f":has({having(rng, words, depth - 1)})"


def compound(rng, words, depth):
    parts = [rng.choice([rng.choice(words.tags), rng.choice(words.tags).upper(), "*", "", "", ""])]
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        kind = rng.random()
        if kind < 0.3:
            parts.append("." + css_escape(rng.choice(words.classes)))
        elif kind < 0.4:
            parts.append("#" + css_escape(rng.choice(words.ids)))
        elif kind < 0.65:
            parts.append(attribute_test(rng, words))
        else:
            parts.append(pseudo(rng, words, depth))
    return "".join(parts) or rng.choice(words.tags)


def complex_selector(rng, words, depth, combinators=(" ", " ", " > ", ">", " + ", "+", " ~ ", "~")):
    out = compound(rng, words, depth)
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        out += rng.choice(combinators) + compound(rng, words, depth)
    return out


def selector_list(rng, words, depth):
    count = rng.choice([1, 1, 1, 2, 3])
    return rng.choice([", ", ","]).join(complex_selector(rng, words, depth) for _ in range(count))


def having(rng, words, depth):
    """What stands in :has(), as far as cheerio has it right (LEFT_OUT)."""
    kind = rng.random()
    if kind < 0.4:
        return ", ".join(compound(rng, words, depth) for _ in range(rng.choice([1, 1, 2])))
    if kind < 0.7:
        return rng.choice(["+ ", "~"]) + rng.choice(words.tags)
    children = [complex_selector(rng, words, depth, (">", " > ")) for _ in range(rng.choice([1, 1, 2]))]
    return ", ".join("> " + child for child in children)


def positioned(rng, words):
    out = complex_selector(rng, words, 1) + ":" + rng.choice(POSITIONS)
    kind = rng.random()
    if kind < 0.3:
        out += " " + complex_selector(rng, words, 1)
    elif kind < 0.4:
        out += ":" + rng.choice(POSITIONS)
    elif kind < 0.5:
        out = complex_selector(rng, words, 1) + f":not(:{rng.choice(POSITIONS)})"
    return out


def selector(rng, words):
    return positioned(rng, words) if rng.random() < 0.15 else selector_list(rng, words, 2)
