"""Operations for dom_diff.py: which elements, and with which values.

Values fit the place, as those of a caller who knows HTML do (<td> for a row, text and inline elements
for a paragraph); with `wild`, a third are such as fit nowhere.
"""

INSERTIONS = ("beforebegin", "afterbegin", "beforeend", "afterend")
# (name of the row, action, position, pool)
ROWS = [("setText", "setText", None, "text"), ("setHTML", "setHTML", None, "inside"),
        ("setAttribute", "setAttribute", None, "all"),
        ("removeAttribute", "removeAttribute", None, "all"),
        ("addClass", "addClass", None, "all"), ("removeClass", "removeClass", None, "all"),
        ("replaceClass", "replaceClass", None, "classed"), ("remove", "remove", None, "all"),
        *((p, "insertAdjacentHTML", p, "inside" if p in ("afterbegin", "beforeend") else "all")
          for p in INSERTIONS)]

# What each pool is made of; `kind` is void, raw, rcdata (title, textarea) or empty.
POOLS = {
    "all": lambda t: True,
    "text": lambda t: t["kind"] not in ("void", "raw"),
    "inside": lambda t: t["kind"] == "",
    "classed": lambda t: t["attrs"].get("class", "").split() != [],
}

INLINE = ['<em class="emend-new">new</em>', "plain text", '<span class="emend-new">a</span> b',
          "<code>x &lt; y</code>", '<img src="a.png" alt="">', "<b>a</b> &amp; <i>b</i>"]
BLOCKS = ["<p>paragraph</p>", '<div class="emend-new"><p>a</p></div>', "<ul><li>a</li><li>b</li></ul>",
          "\n<h2>Title</h2>\n", "<table><tr><td>1</td></tr></table>", "<!-- note -->"]
FITTING = {
    "tr": ["<td>new</td>", "<td>a</td><td>b</td>"],
    **dict.fromkeys(("table", "tbody", "thead", "tfoot"), ["<tr><td>new</td></tr>"]),
    "colgroup": ["<col>"],
    **dict.fromkeys(("ul", "ol", "menu", "dir"), ["<li>new</li>", '<li class="emend-new">a</li>']),
    "dl": ["<dt>a</dt><dd>b</dd>", "<dd>new</dd>"],
    **dict.fromkeys(("select", "optgroup", "datalist"), ["<option>new</option>"]),
    "head": ['<meta name="a" content="b">', '<link rel="x" href="y">', "<script>x = 1 < 2</script>"],
    "html": ["<!-- note -->"],
    "frameset": ['<frame src="a">'],
    "a": [v for v in INLINE],
    **dict.fromkeys(("div", "section", "article", "body", "td", "li", "dd", "blockquote", "main", "form",
                     "nav", "header", "footer", "aside", "center", "fieldset", "template"),
                    INLINE + BLOCKS),
}
WILD = ["<p>a", "</div>", "<tr><td>x</td></tr>", "<div>block</div>", "<a href=x>y</a>", "</p>z", "<li>a<li>b",
        "<body class=x>", "<td>x", "<svg><path/></svg>", "<script>a</script>", "\n\nx", "<b><i>x</b></i>",
        "<form><input></form>", "<!-- c", "<table>x</table>", "<plaintext>", "<option>a", "<h1>t</h1>", " "]
TEXTS = ["New text", "a < b & c > d", "", "two\nlines", "it's \"quoted\"", " blanks ", "&amp; &copy;"]
WILD_TEXTS = ["\nx", "</script>", "<!-- x", "\n", "</title>", "   ", "</textarea>&lt;"]
ATTR_VALUES = ["v1", "two words", "a&b", 'say "x"', "it's", "", "<b>", "x=y", "a/", "&copy;"]
NEW_ATTRS = ["data-k", "title", "id", "aria-label", "lang"]


def html_value(rng, parent, wild):
    if wild and rng.random() < 1 / 3:
        return rng.choice(WILD)
    return rng.choice(FITTING.get(parent or "", INLINE))


def values(rng, action, position, target, wild):
    """The fields of an operation besides what it is done to."""
    classes = target["attrs"].get("class", "").split()
    if action == "setText":
        return {"value": rng.choice(TEXTS + WILD_TEXTS if wild else TEXTS)}
    if action == "setHTML":
        return {"value": html_value(rng, target["name"], wild)}
    if action == "insertAdjacentHTML":
        around = target["name"] if position in ("afterbegin", "beforeend") else target["parent"]
        return {"value": html_value(rng, around, wild)}
    if action in ("setAttribute", "removeAttribute"):
        names = list(target["attrs"])
        known = names and rng.random() < (0.5 if action == "setAttribute" else 0.9)
        value = {"value": rng.choice(ATTR_VALUES)} if action == "setAttribute" else {}
        return {"attr": rng.choice(names if known else NEW_ATTRS), **value}
    if action == "addClass":
        return {"value": rng.choice(["emend-new", "emend-new", "one two", *classes[:2]])}
    if action == "removeClass":
        return {"value": rng.choice(classes) if classes and rng.random() < 0.9 else "absent"}
    if action == "replaceClass":
        return {"oldClass": rng.choice(classes), "newClass": rng.choice(["emend-new", *classes])}
    return {}


def draw(rng, targets, count, wild):
    """`count` operations of each row, (row, pool) -> targets drawn uniformly; all of a pool that is smaller."""
    pools = {name: [t for t in targets if of(t)] for name, of in POOLS.items()}
    ops = []
    for row, action, position, pool in ROWS:
        there = pools[pool]
        for target in rng.sample(there, min(count, len(there))):
            ops.append({"row": row, "action": action, "position": position, "index": target["index"],
                        "at": target["at"], "target": target,
                        **values(rng, action, position, target, wild)})
    return ops, {name: len(there) for name, there in pools.items()}
