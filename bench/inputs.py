"""The inputs of the benchmark: texts, edits, and what is right afterwards. The same on every machine.

Numbers come from one linear congruential generator, x := (1103515245 x + 12345) mod 2^31, of which
the bits from 8 upwards are used. Its whole state is x; every text begins with x = 1, so a text depends
on its size and on what is planted in it, and on nothing else. Python's `random` is not used.

A text looks like C: functions of 6 to 17 lines, in which some lines stand several times and most once.
Big files (big_pieces) repeat a text of BLOCK bytes, with the place to be changed once in the middle.
"""
import functools
from collections import Counter
from dataclasses import dataclass

KB, MB, GB = 1024, 1024 ** 2, 1024 ** 3
BLOCK = 10 * MB


class Numbers:
    def __init__(self):
        self.x = 1

    def below(self, n):
        self.x = (1103515245 * self.x + 12345) & 0x7FFFFFFF
        return (self.x >> 8) % n


# ---- Texts --------------------------------------------------------------------------------------


def body_line(numbers):
    kind, a, b = numbers.below(8), numbers.below(9973), numbers.below(1 << 22)
    if kind < 3:
        return f"    value_{a} = compute(table, {b}, offset + {a % 61});\n"
    if kind == 3:
        return f"    /* row {b} counts {a % 97} times, see table {a} */\n"
    if kind == 4:
        return f"    if (entry_{a} > limit_{a % 31})\n        return fail(err, {b}, \"entry {a}\");\n"
    if kind == 5:
        return f"    for (size_t i = {a % 7}; i < count_{a % 211}; i++)\n        sum += rows[i].at_{b};\n"
    if kind == 6:
        return "    count++;\n"
    return "\n"


def function(numbers):
    a, c = numbers.below(99991), numbers.below(61)
    lines = "".join(body_line(numbers) for _ in range(2 + numbers.below(6)))
    return (f"static int row_{a}(struct table *table, size_t offset)\n{{\n{lines}"
            f"    return value_{a} + {c};\n}}\n\n")


@functools.lru_cache(maxsize=4)
def source(size, *planted):
    """`size` bytes at most, ending with a line; each (share, text) is planted once, at that share."""
    numbers, parts, length, waiting = Numbers(), [], 0, list(planted)
    room = size - sum(len(text) for _, text in planted)
    while True:
        if waiting and length >= waiting[0][0] * room:
            parts.append(waiting.pop(0)[1])
            continue
        part = function(numbers)
        if length + len(part) > room:
            break
        parts.append(part)
        length += len(part)
    parts += [text for _, text in waiting]
    return "".join(parts)


def changeable(text):
    """The lines that stand once and can be changed so that they can be changed back, in order."""
    lines = text.splitlines()
    often = Counter(lines)
    return [line for line in lines if "compute(" in line and often[line] == 1]


def edits_of(text, count):
    """`count` edits of one line each, evenly spread; one edit is that of the middle."""
    lines = changeable(text)
    if len(lines) < count:
        raise ValueError(f"{count} edits need a longer text")
    chosen = [lines[(2 * i + 1) * len(lines) // (2 * count)] for i in range(count)]
    return [(line, line.replace("compute(", "derive(")) for line in chosen]


def applied(text, edits):
    """What is right: every old text stands once, in order."""
    parts, at = [], 0
    for old, new in edits:
        found = text.index(old, at)
        parts += [text[at:found], new]
        at = found + len(old)
    return "".join(parts) + text[at:]


# ---- Workloads ----------------------------------------------------------------------------------


@dataclass
class Workload:
    name: str
    what: str
    before: bytes
    after: bytes
    edits: list  # (old, new), in the order of the file; each is applied to the result of those before
    match: str = "exact"  # how far emend is told to go
    near: tuple = ()  # of a search that must fail: first and last line of the text that is meant
    places: int = 1  # where each of the old texts stands


def edited(name, what, text, edits):
    return Workload(name, what, text.encode(), applied(text, edits).encode(), edits)


def size_name(size):
    for unit, letters in ((GB, "GB"), (MB, "MB"), (KB, "KB")):
        if size >= unit:
            return f"{size // unit:,} {letters}"
    return f"{size} bytes"


def plain(name, size, count=1):
    edits = "one edit" if count == 1 else f"{count:,} edits in one call"
    text = source(size)
    return edited(name, f"{edits}, {size_name(size)}", text, edits_of(text, count))


SPACED = """\
static int settle_ledger(struct ledger *ledger, size_t offset)
{
    for (size_t i = 0; i < ledger->accounts; i++) {
        struct account *account = &ledger->account[i];
        if (account->closed)
            continue;
        while (account->pending > 0) {
            struct entry *entry = next_entry(account, offset);
            if (!entry) {
                log_gap(ledger, account->number);
                break;
            }
            account->balance += entry->amount;
            account->pending--;
        }
        ledger->settled += account->balance;
    }
    ledger->changed = true;
    return ledger->settled > 0 ? 0 : -1;
}"""
SETTLED = (("            account->pending--;\n",
            "            account->pending--;\n            entry->settled = true;\n"),
           ("ledger->settled > 0", "ledger->settled >= 0"))


def tabbed(text):
    return text.replace("    ", "\t")


def reindented(name, size):
    """W6: 20 lines that are searched with a tab for every four blanks; two of them change, one is new."""
    text, after = source(size, (0.5, f"{SPACED}\n\n")), SPACED
    for old, new in SETTLED:
        after = after.replace(old, new)
    return Workload(name, f"20-line search with tabs for spaces, {size_name(size)}", text.encode(),
                    text.replace(SPACED, after).encode(), [(tabbed(SPACED), tabbed(after))],
                    match="whitespace")


NEAR = """\
static int close_journal(struct journal *journal, size_t offset)
{
    value_4711 = compute(journal, 3021177, offset + 12);
    if (journal->open_rows > limit_12)
        return fail(err, 1804302, "journal with open rows");
    for (size_t i = 0; i < journal->pages; i++)
        sum += journal->page[i].length;
    journal->closed_at = clock_now(journal->clock);
    return value_4711 + 12;
}"""
FAR = """\
static int close_journal(struct journal *book, size_t start)
{
    value_4711 = compute(book, 3021177, start + 12);
    if (book->open_rows >= limit_13)
        return fail(error, 1804302, "book with open rows");
    for (size_t i = 0; i < book->pages; i++)
        total += book->page[i].length;
    book->closed_at = clock_now(book->clock);
    return value_4711 + 13;
}"""


def missed(name, size):
    """W7: 10 lines of which every one but the braces differs from the text that is meant."""
    text = source(size, (0.6, f"{NEAR}\n\n"))
    first = text[:text.index(NEAR)].count("\n") + 1
    return Workload(name, f"10-line search without a match, {size_name(size)}", text.encode(),
                    text.encode(), [(FAR, FAR.replace("open_rows", "rows"))], match="fuzzy",
                    near=(first, first + NEAR.count("\n")))


def found_again(name, workload):
    """The exact search of the text that W7 means."""
    return Workload(name, "exact search of the same text", workload.before, workload.before,
                    [(NEAR, NEAR.replace("open_rows", "rows"))])


def everywhere(name, size, count):
    """`count` edits, each of which renames what stands in every line."""
    line = "    total += amount_of(entry, offset);\n"
    lines, names = size // len(line), ("amount_of(", "share_in(", "rest_of(")
    edits = [(names[i % 3], names[(i + 1) % 3]) for i in range(count)]
    text = line * lines
    return Workload(name, f"{count:,} renames of what stands in every line, {size_name(size)}", text.encode(),
                    text.replace(names[0], names[count % 3]).encode(), edits, places=lines)


def workloads(scale=1):
    """W1 to W7 by name; `scale` divides the sizes, for a quick look at whether all of it works."""
    size = lambda n: n // scale
    few = lambda n: max(1, n // scale)
    missing = missed("W7", size(10 * MB))
    all_of_them = [plain("W1", 10 * KB), plain("W2", size(MB)), plain("W3", size(10 * MB)),
                   plain("W4", size(MB), few(100)), plain("W5", size(10 * MB), few(1000)),
                   reindented("W6", size(MB)), missing, found_again("W7 found", missing)]
    return {workload.name: workload for workload in all_of_them}


# ---- Files larger than a block ------------------------------------------------------------------


def big_pieces(size):
    """(bytes, how often) in order, about `size` bytes, and the edit of the line in the middle."""
    block = source(min(size // 2, BLOCK)).encode()
    place = "    value_0 = compute(table, 99999999, offset + 99);"
    times = size // len(block)
    return ([(block, times // 2), (f"{place}\n".encode(), 1), (block, times - times // 2)],
            [(place, place.replace("compute(", "derive("))])
