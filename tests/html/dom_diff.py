#!/usr/bin/env python3
"""Compares what operations on elements make of pages with cheerio, and checks what bytes they touch.

    dom_diff.py [--editing PROGRAM] [--seed N] [--targets N] [--no-odd] [--real N] [--each N]
                [--largest BYTES] [--pages DIR...] [--json FILE]

Pages are the odd ones of odd_pages.py and HTML files below the folders, at most `--each` of one
package (a folder right below DIR). Of each page and action, targets are drawn by the seed, uniformly,
from the elements that have a start tag in the source. For each case

  * the bytes that emend writes read (by parse5) as the tree that cheerio makes, or there is a refusal;
  * outside of the changes that it reports, nothing is different; this is checked by bytes alone;
  * the inverse operation, where there is one, gives the page as it was.

What differs is printed. The last line has the counts; without npm or its packages, one test is skipped.
"""
import argparse
import base64
import collections
import io
import json
import random
import subprocess
import sys
from pathlib import Path

import dom_cases
import odd_pages

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import npm

SHOWN = 30
NOT_GIVEN = "\1"
TEXT_ROWS = {"setText", "setHTML", *dom_cases.INSERTIONS}
GOALS = {"attributes, classes, removal": 2, "text, insertion": 8}


# ---- emend --------------------------------------------------------------------------------------


def block(kind, data):
    return b"%c %d\n%s\n" % (kind.encode(), len(data), data)


def fields(selector, op):
    given = [selector, op["action"], op.get("position"), op.get("attr"), op.get("value"),
             op.get("oldClass"), op.get("newClass")]
    return b"".join((NOT_GIVEN if f is None else f).encode() + b"\0" for f in given)


class Edited:
    def __init__(self, line, stream):
        status, code, length, *numbers = line.decode().split()
        self.status, self.code = status, code
        self.bytes = stream.read(int(length))
        stream.read(1)
        n = [int(x) for x in numbers]
        self.changes = [(slice(*n[i:i + 2]), slice(*n[i + 2:i + 4])) for i in range(0, len(n), 4)]


def edit(program, requests):
    """[(page, selector, operation)] -> [Edited]; a page is sent again only where it is another."""
    data, last = [], None
    for page, selector, op in requests:
        if page is not last:
            data.append(block("P", page))
            last = page
        data.append(block("O", fields(selector, op)))
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        out, _ = process.communicate(b"".join(data))
    if process.returncode != 0:
        raise RuntimeError(f"{program} ended with {process.returncode}")
    stream = io.BytesIO(out)
    return [Edited(stream.readline(), stream) for _ in requests]


# ---- Bytes --------------------------------------------------------------------------------------


def stray_bytes(old, new, changes):
    """Why the two differ outside of the changes; None."""
    at_old = at_new = 0
    for before, after in changes:
        if old[at_old:before.start] != new[at_new:after.start] or before.stop < before.start:
            return f"bytes before {before.start} are not as they were"
        at_old, at_new = before.stop, after.stop
    return None if old[at_old:] == new[at_new:] else f"bytes behind {at_old} are not as they were"


def quoted(page, op, name):
    """Is the attribute not there, or written with its value in double quotes and without entities?"""
    old = op["target"]["attrs"].get(name)
    tag = page[op["at"]:op["at"] + 4000].split(b">", 1)[0]
    return old is None or tag.lower().count((f'{name}="{old}"').lower().encode()) == 1


def inverse(page, op, result):
    """(selector, operation) that undoes it; None where nothing does exactly: values that get quotes,
    and insertions that make an end tag explicit, or a line of their own in <pre>."""
    attrs = op["target"]["attrs"]
    place = f"@{op['at']} {op['index']}"
    if result.status != "applied" or len(result.changes) != 1:
        return None
    if op["action"] == "addClass" and op["value"] == "emend-new":
        undo = ({"action": "removeClass", "value": "emend-new"} if "class" in attrs
                else {"action": "removeAttribute", "attr": "class"})
        return (place, undo) if attrs.get("class") != "" and quoted(page, op, "class") else None
    if op["action"] == "setAttribute" and op["value"] == "v1":
        old = attrs.get(op["attr"])
        if old is None:
            return place, {"action": "removeAttribute", "attr": op["attr"]}
        plain = not set(old) & set("&<>") and quoted(page, op, op["attr"])
        return (place, {"action": "setAttribute", "attr": op["attr"], "value": old}) if plain else None
    if op["action"] == "insertAdjacentHTML" and op["value"] == dom_cases.INLINE[0] \
            and op["target"]["name"] not in ("pre", "listing", "textarea"):
        before, after = result.changes[0]
        written = result.bytes[after] if before.start == before.stop else b""
        return (".emend-new", {"action": "remove"}) if written == op["value"].encode() else None
    return None


# ---- cheerio ------------------------------------------------------------------------------------


class Oracle:
    def __init__(self, node):
        self.process = subprocess.Popen([node, "--max-old-space-size=1500", HERE / "dom_oracle.mjs"],
                                        cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the oracle ended")
        return json.loads(line)

    def load(self, page):
        return self.ask({"page": base64.b64encode(page).decode()})

    def judge(self, ops, results):
        cases = [{**{k: v for k, v in op.items() if k != "target"},
                  "ours": None if r.status in ("failed", "page") else base64.b64encode(r.bytes).decode()}
                 for op, r in zip(ops, results)]
        return self.ask({"cases": cases})

    def close(self):
        self.process.stdin.close()
        self.process.wait()


# ---- Counts -------------------------------------------------------------------------------------


class Tally:
    def __init__(self, name, judged):
        self.name, self.judged = name, judged
        self.pages = self.not_surviving = 0
        self.pools = collections.Counter()
        self.rows = collections.defaultdict(collections.Counter)
        self.codes = collections.defaultdict(collections.Counter)
        self.refused = collections.defaultdict(collections.Counter)
        self.bytes_checked = self.stray = self.inverted = self.not_inverted = 0

    def total(self, rows=None):
        return sum((c for row, c in self.rows.items() if rows is None or row in rows),
                   collections.Counter())

    @staticmethod
    def rates(counts):
        """In %: refused though cheerio could; refused at all."""
        every = sum(counts.values()) or 1
        return 100 * counts["refused"] / every, 100 * (counts["refused"] + counts["right"]) / every

    def print(self):
        print(f"\n{self.name}: {self.pages} pages; pools: " +
              ", ".join(f"{n} {self.pools[n]}" for n in dom_cases.POOLS))
        print(f"{'':16}{'pool':8}{'cases':>7}{'equal':>7}{'context':>8}{'blanks':>7}{'right':>7}{'refused':>8}"
              f"{'differ':>7}  refused %  with right ones %")
        pools = {row: pool for row, _, _, pool in dom_cases.ROWS}
        for row, pool in pools.items():
            c = self.rows[row]
            print(f"{row:16}{pool:8}{sum(c.values()):7}{c['equal']:7}{c['context']:8}{c['blanks']:7}{c['right']:7}"
                  f"{c['refused']:8}{c['differs']:7}  {self.rates(c)[0]:9.2f} {self.rates(c)[1]:9.2f}"
                  f"   {' '.join(f'{k} {n}' for k, n in self.codes[row].most_common())}")
        for what, goal in GOALS.items():
            rows = TEXT_ROWS if what.startswith("text") else set(pools) - TEXT_ROWS
            rate, every = self.rates(self.total(rows))
            wanted = f" (goal below {goal} %)" if self.judged else ""
            print(f"{what}: {rate:.2f} % refused that cheerio can do, {every:.2f} % of all{wanted}")
        print("refused though cheerio could:")
        for row, counts in self.refused.items():
            print(f"  {row:16}" + ", ".join(f"{what} {n}" for what, n in counts.most_common(12)))
        print(f"bytes: {self.bytes_checked} results checked, {self.stray} with stray changes; "
              f"inverse: {self.inverted} give the page as it was, {self.not_inverted} do not")


def show(page, op, result, verdict, why):
    print(f"\n{why}: {op['row']} {json.dumps({k: v for k, v in op.items() if k not in ('target', 'row')})}"
          f" on <{op['target']['name']}>, {result.status} {result.code}")
    print("page: " + repr(page[max(0, op["at"] - 200):op["at"] + 300]))
    for before, after in result.changes:
        print(f"change: {page[before]!r} -> {result.bytes[after]!r}")
    if isinstance(verdict, dict):
        pairs = list(zip(verdict["theirs"].split("\n"), verdict["ours"].split("\n")))
        first = next((i for i, (a, b) in enumerate(pairs) if a != b), len(pairs))
        for who in ("theirs", "ours"):
            print(f"{who}: " + " ".join(verdict[who].split("\n")[max(0, first - 4):first + 6])[:600])


class Comparison:
    def __init__(self, program, oracle, rng, targets):
        self.program, self.oracle, self.rng, self.targets = program, oracle, rng, targets
        self.shown = 0

    def show(self, *what):
        self.shown += 1
        if self.shown <= SHOWN:
            show(*what)

    def page(self, page, tally, wild):
        loaded = self.oracle.load(page)
        ops, pools = dom_cases.draw(self.rng, loaded["targets"], self.targets, wild)
        tally.pages += 1
        tally.not_surviving += not loaded["survives"]
        tally.pools.update(pools)
        results = edit(self.program, [(page, f"@{op['at']} {op['index']}", op) for op in ops])
        verdicts = self.oracle.judge(ops, results)
        for op, result, verdict in zip(ops, results, verdicts):
            word = "differs" if isinstance(verdict, dict) else verdict
            tally.rows[op["row"]][word] += 1
            if result.status in ("failed", "page"):
                tally.codes[op["row"]][result.code] += 1
            if word == "refused":
                tally.refused[op["row"]][f"{result.code} <{op['target']['name']}>"] += 1
            if word == "differs":
                self.show(page, op, result, verdict, "differs")
            why = stray_bytes(page, result.bytes, result.changes) if result.status != "page" else None
            tally.bytes_checked += 1
            if why:
                tally.stray += 1
                self.show(page, op, result, None, why)
        self.invert(page, ops, results, tally)

    def invert(self, page, ops, results, tally):
        undone = []
        for op, result in zip(ops, results):
            undo = inverse(page, op, result)
            if undo:
                undone.append((op, result, undo))
        back = edit(self.program, [(result.bytes, *undo) for _, result, undo in undone])
        for (op, result, _), again in zip(undone, back):
            if again.bytes == page:
                tally.inverted += 1
            else:
                tally.not_inverted += 1
                self.show(page, op, result, None, f"not undone ({again.status} {again.code})")


def real_pages(rng, folders, largest, each, most):
    """HTML files, at most `each` of a package, `most` in all."""
    chosen = []
    for folder in filter(Path.is_dir, map(Path, folders)):
        for package in sorted(p for p in folder.iterdir() if p.is_dir()):
            files = sorted(f for f in package.rglob("*.htm*") if f.is_file() and not f.is_symlink()
                           and f.suffix in (".html", ".htm") and 200 < f.stat().st_size <= largest)
            chosen += rng.sample(files, min(each, len(files)))
    return rng.sample(chosen, min(most, len(chosen)))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    default = HERE.parents[1] / "build" / "tests" / "html" / "html_editing"
    parser.add_argument("--editing", default=default, type=Path)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--targets", default=20, type=int)
    parser.add_argument("--no-odd", action="store_true")
    parser.add_argument("--real", default=10_000, type=int)
    parser.add_argument("--each", default=25, type=int)
    parser.add_argument("--largest", default=40_000, type=int)
    parser.add_argument("--pages", nargs="+", default=[], metavar="DIR")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main():
    args = parse_arguments()
    try:
        npm.install(HERE)
        node, _ = npm.find_node(HERE)
    except npm.Unavailable as why:
        return npm.skipped("cheerio", why)
    rng = random.Random(args.seed)
    odd, real = Tally("odd pages", judged=False), Tally("real pages", judged=True)
    comparison = Comparison(args.editing, Oracle(node), rng, args.targets)
    for page in [] if args.no_odd else odd_pages.PAGES:
        comparison.page(page, odd, wild=True)
    for path in real_pages(rng, args.pages, args.largest, args.each, args.real):
        before = comparison.shown
        comparison.page(path.read_bytes(), real, wild=False)
        if comparison.shown > before:
            print(f"in {path}", flush=True)
    comparison.oracle.close()
    tallies = [t for t in (odd, real) if t.pages]
    failed = 0
    for tally in tallies:
        tally.print()
        failed += tally.total()["differs"] + tally.stray + tally.not_inverted
    if args.json:
        args.json.write_text(json.dumps([vars(t) for t in tallies], indent=1), encoding="utf-8")
    passed = sum(t.bytes_checked + t.inverted for t in tallies) - failed
    print(f"\n{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
