#!/usr/bin/env python3
"""Does the benchmark still run, and does it tell wrong from right?

    selftest.py [--emend BINARY]

Nothing here depends on how long anything takes. Needs no network and no tool of npm.
"""
import argparse
import contextlib
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom
from pathlib import Path

import inputs
import instructions
import plot
import report
from contest import Failed, Times, ratio, take_turns
from contestants import EmendProcess, Place, lay, what_is_wrong
from figures import PARTS
from processes import Command, environment

HERE = Path(__file__).resolve().parent
TOP = HERE.parent
# Counts of instructions, and figures of other days, mean the same only while the inputs are the same.
INPUTS = "703ffd04"


def check(holds, what):
    if not holds:
        raise AssertionError(what)


# ---- Inputs -------------------------------------------------------------------------------------


def inputs_are_the_same(_emend):
    digest = hashlib.sha256()
    for workload in inputs.workloads().values():
        for part in (workload.before, workload.after, repr(workload.edits).encode()):
            digest.update(part)
    check(digest.hexdigest()[:8] == INPUTS, f"the inputs are others: {digest.hexdigest()[:8]}")


def inputs_are_what_they_say(_emend):
    for workload in inputs.workloads(10).values():
        text = workload.before.decode()
        for old, _ in workload.edits:
            often = 1 if workload.match == "exact" else 0
            check(text.count(old) == often, f"{workload.name}: {old!r} stands there another number of times")
        if workload.near:
            first, last = workload.near
            check(text.splitlines()[first - 1:last] == inputs.NEAR.splitlines(), "near text elsewhere")


# ---- Judging ------------------------------------------------------------------------------------


def wrong_results_are_named(_emend):
    workload = inputs.workloads(10)["W6"]
    flat = workload.after.replace(b"    ", b"")
    mixed = workload.after.replace(b"            entry->settled", b"\t\t\tentry->settled")
    for content, named in ((workload.before, "refused"), (workload.after + b"x", "another text"),
                           (flat, "indentation destroyed"), (mixed, "mixed indentation")):
        check(what_is_wrong(workload, content) == named, f"not called {named}")


class Scripted:
    """A runner that takes as long as it is told, or fails."""

    def __init__(self, seconds):
        self.name, self.seconds = "scripted", iter(seconds)

    def prepare(self):
        pass

    def run(self):
        value = next(self.seconds)
        if isinstance(value, str):
            raise Failed(value)
        return value

    def wrong(self):
        return ""


def ratios_are_within_rounds(_emend):
    times = take_turns({"a": Scripted([9, 2, 20, 200]), "b": Scripted([9, 1, 10, 100])}, 3, 10 ** 6)
    check(ratio(times["a"], times["b"]).median == 2, "ratio of a round")
    check(times["a"].median() == 20, "the warm-up does not count")
    times = take_turns({"a": Scripted(["no"] * 4), "b": Scripted([1] * 4)}, 3, 10 ** 6)
    check(ratio(times["a"], times["b"]) is None and times["a"].wrong == "no", "a failure has no time")
    slow = take_turns({"a": Scripted([60, 60])}, 3, 20)["a"]
    check(slow.ran() == [60], "a run that uses up its time counts, and is the only one")
    check(Times().median() is None, "no run, no median")


def growth_is_found(_emend):
    lines, grew = instructions.compared({"W1": 100, "W2": 100, "W3": 100},
                                        {"W1": 106, "W2": 104, "W3": 90, "W4": 5})
    check(grew == ["W1"], f"grew: {grew}")
    check("shrank" in lines[2] and "not recorded" in lines[3], "what is said of the others")


def wrong_hints_are_seen(emend):
    """A miss that names no lines, or other ones, is not taken for a good answer."""
    with place(emend) as there:
        workload = inputs.workloads(40)["W7"]
        workload.near = (1, 10)
        runner = EmendProcess(there, workload)
        runner.prepare()
        runner.run()
        answer = runner.answer.read_text(encoding="utf-8").replace("close_journal", "other")
        runner.answer.write_text(answer, encoding="utf-8")
        check(runner.wrong() == "no hint", "a hint that names other lines")


# ---- Running ------------------------------------------------------------------------------------


@contextlib.contextmanager
def place(emend):
    with tempfile.TemporaryDirectory(prefix="emend-bench-") as folder:
        made = Place(Path(folder) / "run", emend, environment(folder))
        try:
            yield made
        finally:
            made.close()


def floor_and_peak_work(emend):
    with place(emend) as there:
        path = there.new("c")
        lay(path, b"one two three")
        asked = subprocess.run([emend.parent / "bench" / "floor"], capture_output=True, check=True,
                               input=f"\n{path}\ttwo\t2\n{path}\tnowhere\t2\n".encode())
        said = asked.stdout.decode().splitlines()
        check(said[:2] == ["ok", "ok"] and said[2].startswith("failed"), f"floor said {said}")
        check(path.read_bytes() == b"one 2 three", "what floor wrote")
        peak = subprocess.run([emend.parent / "bench" / "peak", "sh", "-c", "exit 3"], check=False,
                              capture_output=True)
        check(peak.returncode == 3 and 100 < int(peak.stdout) < 10 ** 6, f"peak said {peak}")
        check(Command(["false"], there.env).run()[1] == 1, "exit status of a command")


def many_clients_are_served(emend):
    done = subprocess.run([emend.parent / "bench" / "serve_load", emend, "--quick"], check=False,
                          capture_output=True, text=True)
    check(done.returncode == 0, f"serve_load: {done.stdout[-1500:]}{done.stderr[-500:]}")
    rows = [line for line in done.stdout.splitlines() if re.match(r"(stdio|HTTP), ", line)]
    check(len(rows) == 7, f"rows of serve_load: {rows}")


def every_part_runs(emend):
    with tempfile.TemporaryDirectory(prefix="emend-bench-") as folder:
        kept = Path(folder) / "kept.json"
        run = [sys.executable, HERE / "run.py", "--emend", emend, "--folder", folder, "--quick",
               "--large", "--no-peers", "--json", kept]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        check(done.returncode == 0, f"run.py: {done.stdout[-500:]}{done.stderr[-2000:]}")
        result = json.loads(kept.read_text(encoding="utf-8"))
        check(list(result["parts"]) == list(PARTS), "a part is missing")
        right = [cells for by in result["parts"]["table"]["times"].values()
                 for who, cells in by.items()]
        check(not any(cells["wrong"] or cells["ms"] is None for cells in right), f"wrong: {right}")
        every_form_shows(result)


def every_form_shows(result):
    for form in (report.plain, report.markdown):
        shown = report.whole(result, form)
        for said in ("W1 one edit", "W7 10-line", "throughput", "floor.c", "not measured"):
            check(said in shown, f"{said!r} is not shown")
    drawn = report.plots(result)
    check(len(drawn) == 2, "two plots")
    for svg in drawn.values():
        check(xml.dom.minidom.parseString(svg).getElementsByTagName("polyline"), "a plot without lines")
    page = "a\n<!-- goals: make bench -->\nold\n<!-- end of goals -->\nz"
    renewed = report.renewed(page, result)
    check("old" not in renewed and renewed.startswith("a\n") and renewed.endswith("\nz"), "pages")
    check(report.renewed(renewed, result) == renewed, "renewed twice")


def plots_are_in_order(_emend):
    svg = plot.draw("a < b", "n", {"one": [[1, 5.0], [10, 50.0]], "two": [[1, 5.1]], "none": []}, str)
    check("a &lt; b" in svg and svg.count("<polyline") == 2, "what is drawn")
    check(plot.spread([10, 11, 50], 16) == [10, 26, 50], "names do not cover each other")


def pages_are_in_step(_emend):
    """The tables and plots of the pages are those of bench/figures.json."""
    kept = HERE / "figures.json"
    result = json.loads(kept.read_text(encoding="utf-8"))
    for name in report.PAGES:
        page = (TOP / name).read_text(encoding="utf-8")
        check(report.renewed(page, result) == page, f"{name} has other figures than {kept.name}")
    for name, svg in report.plots(result).items():
        check((TOP / "docs" / name).read_text(encoding="utf-8") == svg, f"docs/{name} is another plot")


TESTS = [inputs_are_the_same, inputs_are_what_they_say, wrong_results_are_named,
         ratios_are_within_rounds, growth_is_found, wrong_hints_are_seen, floor_and_peak_work,
         many_clients_are_served, every_part_runs, plots_are_in_order, pages_are_in_step]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=TOP / "build" / "emend", type=Path)
    args = parser.parse_args()
    failed = 0
    for test in TESTS:
        try:
            test(args.emend.resolve())
        except (AssertionError, OSError, ValueError, KeyError) as why:
            failed += 1
            print(f"FAILED {test.__name__}: {why}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
