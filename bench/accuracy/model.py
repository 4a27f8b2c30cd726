"""An edit as a careful reader sees it: what the file holds, and what the caller wrote of it.

The two differ where a drift was laid on the caller's texts (or on the file). An edit knows both line
by line, so the bytes that are right follow from it and not from any tool that edits.
"""
import copy
from dataclasses import dataclass, field

CONTEXT, REMOVED, ADDED = " ", "-", "+"


@dataclass
class Line:
    """One line of a hunk. None: the line is not there.

    `real` stands in the file: before the edit (context, removed), after it (context, added).
    `search` stands in the search text (context, removed), `replace` in the replacement (context, added).
    """

    tag: str
    real: str
    search: str
    replace: str

    @staticmethod
    def of(tag, text):
        return Line(tag, text, text if tag != ADDED else None, text if tag != REMOVED else None)

    def shown(self):
        """The line as the caller wrote it."""
        return self.search if self.search is not None else self.replace


@dataclass
class Edit:
    """A place in a file and what becomes of it. `head` and `tail` are the text around the place.

    closed: the texts end with the end of their last line. inline: the place begins or ends inside a
    line. wraps, pairs of functions, change the caller's two texts at the end;
    file_wraps change the file before and after.
    """

    source: object
    kind: str
    head: str
    body: list
    tail: str
    closed: bool = False
    inline: bool = False
    notes: list = field(default_factory=list)
    wraps: list = field(default_factory=list)
    file_wraps: list = field(default_factory=list)

    def copy(self):
        twin = copy.copy(self)
        twin.body = [copy.copy(line) for line in self.body]
        twin.notes, twin.wraps = list(self.notes), list(self.wraps)
        twin.file_wraps = list(self.file_wraps)
        return twin

    @property
    def language(self):
        return self.source.language

    def join(self, lines):
        lines = [line for line in lines if line is not None]
        return "".join(line + "\n" for line in lines) if self.closed else "\n".join(lines)

    def real_block(self, after=False):
        gone = REMOVED if after else ADDED
        return self.join(line.real for line in self.body if line.tag != gone)

    def before(self):
        return self.filed(self.head + self.real_block() + self.tail)

    def after(self):
        return self.filed(self.head + self.real_block(after=True) + self.tail)

    def filed(self, text):
        for wrap in self.file_wraps:
            text = wrap(text)
        return text

    def texts(self):
        """The search text and the replacement as the caller sends them."""
        search = self.join(line.search for line in self.body)
        replace = self.join(line.replace for line in self.body)
        for of_search, of_replace in self.wraps:
            search, replace = of_search(search), of_replace(replace)
        return search, replace

    def first_line_number(self):
        return self.head.count("\n") + 1

    def context(self):
        """The lines that stay and that both sides have."""
        return [line for line in self.body
                if line.tag == CONTEXT and line.real is not None and line.search is not None]

    def changed(self):
        return [line for line in self.body if line.tag != CONTEXT]


def pairs(body):
    """(removed, added) lines that replace each other, for runs of the same length; None otherwise."""
    found, i = [], 0
    while i < len(body):
        if body[i].tag == CONTEXT:
            i += 1
            continue
        run = []
        while i < len(body) and body[i].tag != CONTEXT:
            run.append(body[i])
            i += 1
        gone = [line for line in run if line.tag == REMOVED]
        new = [line for line in run if line.tag == ADDED]
        if len(gone) != len(new):
            return None
        found += zip(gone, new)
    return found


def common_ends(a, b):
    """How many characters two texts share at their start, and then at their end."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return start, end
