#!/usr/bin/env python3
"""The whole proof, on a developer's machine: what `make torture` does once emend is built.

    run.py [--build FOLDER] [--soak DURATION] [--list] [--fuzzed] [PART...]      default: build, every part

Parts run two at a time, but for those that need the machine for themselves. Each prints its figures when
it ends and has a time that it must keep; its output stands in FOLDER/torture/PART.log. Then comes the
scoreboard: what was to be reached, whether it is, and the figure. A part that cannot run (no root, no file
system that can be cut) counts as failed, and a row whose part did not run as not reached.
The last line is `N passed, N failed`; parts are counted.

--soak 1h runs the rows that need an hour, for that long each round of them anew by other chances.
"""
import argparse
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
PYTHON = sys.executable
AT_ONCE = 2
SHOWN_LINES = 30
SHORTEST_S = 60  # no part of a soak is begun when less is left
FUZZ = {"text": 1_000_000, "plan": 10_000_000, "path": 2_000_000, "records": 10_000_000,
        "history": 4_000, "json": 2_000_000, "regex": 200_000, "call": 400_000, "rpc": 400_000, "http": 400_000}
# Those that stand for JSON, HTTP, paths, journals, formats of edits and patterns: ten million inputs each. An input of
# `history` is a database, so it is given time instead.
FUZZ_ROW = ("json", "rpc", "http", "path", "records", "plan", "call", "regex")
FUZZ_LEAST = 10_000_000
SWEEPS = {"error": 300, "kill": 300, "cut": 300, "change": 300, "damage": 120, "undo": 300, "memory": 300}


@dataclass
class Part:
    name: str
    what: str
    command: list
    limit_s: int
    figures: str = ""  # which lines of the output are its figures
    alone: bool = False


@dataclass
class Result:
    good: bool
    seconds: float
    output: str

    def found(self, pattern):
        """The numbers in the last place where the pattern stands; None where it does not."""
        matches = list(re.finditer(pattern, self.output))
        return [int(number.replace(",", "")) for number in matches[-1].groups()] if matches else None


def script(name, *words):
    return [PYTHON, str(HERE / name), *map(str, words)]


def parts(build, seed=1):
    emend, cut = build / "emend", build / "tests/torture/torture_cut"
    with_emend = ["--emend", emend]
    power = [*with_emend, "--cut", cut, "--seed", seed]
    every = [
        Part("cost", "what a durable change costs", script("cost.py", *with_emend, "--folder", build),
             120, r"^(  --sync|  by hand|cost:)", alone=True),
        Part("catalogue", "attacks and faults, every row in full",
             script("catalogue.py", *with_emend, "--tools", build / "tests/catalogue"), 600,
             r"^(.* FAILED |catalogue:|longest|     flip:)"),
        Part("power", "real power cuts, ext4 and XFS", script("power.py", *power, "--seconds", 200), 260,
             r"^(power cuts|  )"),
        Part("power-red", "the same without any sync: must be noticed",
             script("power.py", *power, "--seconds", 15, "--no-sync"), 60, r"^(power cuts|red control)"),
        Part("writers", "8 writers, two roots", script("writers.py", *with_emend), 120, r"^(writers|  )"),
        Part("writers-killed", "the same, killed at random",
             script("writers.py", *with_emend, "--kill-every", 0.1, "--seed", seed), 180,
             r"^(writers|  )"),
        Part("foreign-rename", "an editor that takes no lock, saving by rename",
             script("foreign.py", *with_emend, "--how", "rename", "--grace", 0, "--seed", seed), 180,
             r"^(foreign|  )"),
        Part("foreign-truncate", "and by truncating and writing",
             script("foreign.py", *with_emend, "--how", "truncate", "--seed", seed), 240,
             r"^(foreign|  )"),
        Part("model", "edits at random, killed at random, beside a model",
             script("model.py", *with_emend, "--seconds", 60, "--seed", seed), 120, r"^(model|  )"),
        Part("untouched", "bytes that no edit names stay as they are",
             [str(build / "tests/torture/torture_untouched"), "1000000"], 120, r"^untouched"),
    ]
    every += [Part(f"sweep-{name}", f"the {name} sweep in full",
                   [str(build / f"tests/fault/sweep_{name}")], limit, r"^sweep|: [\d,]+ \w+ over ")
              for name, limit in SWEEPS.items()]
    every += [
        Part("red-controls", "each sweep fails without its defence",
             [PYTHON, "tests/fault/red_controls.py", "--build", str(build)], 420,
             r"^red control(s:|.*(NOT CAUGHT|fails without))"),
        Part("red-controls-rows", "each row fails without its defence",
             [PYTHON, "tests/catalogue/red_controls.py", "--build", str(build)], 300,
             r"^red control(s:|.*(NOT CAUGHT|fails without))"),
    ]
    every += [Part(f"fuzz-{name}", "inputs at random, the same every time",
                   [str(build / f"tests/fuzz/fuzz_{name}_replay"), str(count),
                    f"tests/fuzz/corpus/{name}.txt"], 300, r"inputs$") for name, count in FUZZ.items()]
    return every


# ---- The scoreboard -----------------------------------------------------------------------------

SWEPT = r": ([\d,]+) \w+ over \d+ scenarios?, ([\d,]+) as documented"


def row(results, needs, judge):
    """(reached, figure) of a row of which every part must have ended well."""
    missing = [name for name in needs if name not in results]
    if missing:
        return False, f"not run: {', '.join(missing)}"
    reached, figure = judge(*(results[name] for name in needs))
    bad = [name for name in needs if not results[name].good]
    return reached and not bad, figure + (f"; FAILED: {', '.join(bad)}" if bad else "")


def swept(least):
    def judge(*all_results):
        pairs = [result.found(SWEPT) or [0, 0] for result in all_results]
        total, right = (sum(column) for column in zip(*pairs))
        return right == total >= least, f"{right:,} of {total:,}"
    return judge


def power_cuts(cuts, red):
    found = cuts.found(r"power cuts: ([\d,]+) \(") or [0]
    lost, noticed = cuts.found(r"([\d,]+) not survived") or [-1], red.found(r"([\d,]+) not survived") or [0]
    return found[0] >= 1000 and lost[0] == 0 and noticed[0] > 0, \
        f"{found[0]:,} cuts, {lost[0]:,} not survived; without syncs {noticed[0]:,} are"


def caught(*all_results):
    pairs = [result.found(r"(\d+) of (\d+) mutants caught") or [0, 1] for result in all_results]
    right, total = (sum(column) for column in zip(*pairs))
    return right == total >= 10, f"{right} of {total}"


def catalogue_rows(result):
    holds, of = result.found(r"catalogue: (\d+) of (\d+) rows hold") or [0, 89]
    return holds == of >= 60, f"{holds} of {of} that apply"


def flips(result):
    tries, escapes = result.found(r"flip: (\d+) tries.* (\d+) escapes") or [0, -1]
    return tries >= 1_000_000 and escapes == 0, f"{tries:,} tries, {escapes} escapes"


def longest(result):
    found = re.search(r"longest of ([\d,]+) requests: ([\d.]+) s (.*)", result.output)
    if not found:
        return False, "no figure"
    return float(found[2]) <= 2, f"{found[2]} s, the longest of {found[1]} {found[3]}"


def writers(*all_results):
    edits = [result.found(r"(\d+) passed, (\d+) failed") or [0, 1] for result in all_results]
    killed = all_results[1].found(r"([\d,]+) killed") or [0]
    return all(good == 8000 and bad == 0 for good, bad in edits) and killed[0] > 0, \
        f"{sum(bad for _, bad in edits)} lost of {sum(good + bad for good, bad in edits):,}, " \
        f"{killed[0]:,} writers killed"


def foreign(*all_results):
    found = [result.found(r"(\d+) passed, (\d+) failed") or [0, 1] for result in all_results]
    met = sum((result.found(r"([\d,]+) conflict") or [0])[0] for result in all_results)
    right, wrong = (sum(column) for column in zip(*found))
    return right >= 30000 and wrong == 0, f"{wrong} lost in {right:,} rounds, {met:,} conflicts"


def untouched(result):
    found = result.found(r"untouched: ([\d,]+) cases, ([\d,]+) wrong") or [0, -1]
    return found[0] >= 1_000_000 and found[1] == 0, f"{found[0]:,} cases, {found[1]} wrong"


def newest_source(*folders):
    return max(source.stat().st_mtime for folder in folders for source in (TOP / folder).rglob("*.[ch]"))


def campaigns():
    """Inputs of each harness that `make fuzz` took without a finding, if the sources still make that program."""
    record = TOP / "build-fuzz" / "campaign.txt"
    if not record.exists():
        return {}
    lines = [line.split() for line in record.read_text(encoding="utf-8").splitlines()]
    names = sorted({line[0] for line in lines})
    told = subprocess.run([TOP / "scripts" / "fuzz.sh", "--prints", *names], stdout=subprocess.PIPE, text=True,
                          check=True)
    prints = [line.split() for line in told.stdout.splitlines()]
    found = {}
    for name, inputs, _, print_then in lines:
        if [name, print_then] in prints:
            found[name] = found.get(name, 0) + int(inputs)
    return found


def fuzzed(*all_results):
    """The row is of programs with sanitizers; those that ran here have none."""
    bare = sum((result.found(r"(\d+) inputs") or [0])[0] for result in all_results)
    reached, text = fuzz_row(campaigns())
    return reached, f"{text}; without sanitizers {bare:,} here"


def fuzz_row(counts):
    text = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    reached = all(counts.get(name, 0) >= FUZZ_LEAST for name in FUZZ_ROW)
    return reached, text if reached else f"{text or 'no campaign'}; {FUZZ_LEAST:,} each: " \
        f"`make fuzz FUZZ_RUNS={FUZZ_LEAST} FUZZ='{' '.join(FUZZ_ROW)}'`"


def soaked(result):
    found = re.search(r"model: (.*)", result.output)
    seconds = result.found(r"model: ([\d,]+) s") or [0]
    return seconds[0] >= 3600, (found[1] if found else "no figure") + "; an hour: `make soak`"


def cost(result):
    found = re.search(r"cost: (.*)", result.output)
    return result.good, found[1] if found else "no figure"


def covered():
    """What `make coverage` found, if it has run since src/ was changed."""
    summary = TOP / "build-coverage" / "coverage.txt"
    if not summary.exists() or summary.stat().st_mtime < newest_source("src"):
        return False, "not run here: `make coverage`"
    found = re.search(r"^coverage: (core ([\d.]+) % of .* branches, commit and recovery ([\d.]+) % of .*)$",
                      summary.read_text(encoding="utf-8"), re.M)
    if not found:
        return False, "no figure"
    return float(found[2]) >= 85 and float(found[3]) >= 100, found[1]


def scoreboard(results):
    """(what, what is to be reached, (reached, figure))"""
    return [
        ("kill points, and of recovery", ">= 3,000, all right", row(results, ["sweep-kill"], swept(3000))),
        ("error returns", ">= 1,000, all right", row(results, ["sweep-error"], swept(1000))),
        ("memory that fails", "all right", row(results, ["sweep-memory"], swept(1))),
        ("cuts, modelled", "all right", row(results, ["sweep-cut"], swept(1))),
        ("foreign saves at every call", "all right", row(results, ["sweep-change"], swept(1))),
        ("undo at every call", "all right", row(results, ["sweep-undo"], swept(1))),
        ("damaged journals", "all right", row(results, ["sweep-damage"], swept(1))),
        ("power cuts", ">= 1,000, all survived", row(results, ["power", "power-red"], power_cuts)),
        ("red controls", ">= 10, all caught",
         row(results, ["red-controls", "red-controls-rows"], caught)),
        ("attacks and faults", "60 of 90; every row that applies",
         row(results, ["catalogue"], catalogue_rows)),
        ("symbolic link race", "1,000,000 tries, 0 escapes", row(results, ["catalogue"], flips)),
        ("8 writers x 1,000 edits", "0 lost, also when killed",
         row(results, ["writers", "writers-killed"], writers)),
        ("foreign editor", "0 lost in 30,000",
         row(results, ["foreign-rename", "foreign-truncate"], foreign)),
        ("untouched bytes", "1,000,000 cases", row(results, ["untouched"], untouched)),
        ("fuzzing", f"{FUZZ_LEAST:,} each", row(results, [f"fuzz-{name}" for name in FUZZ], fuzzed)),
        ("branch coverage", "85 %, commit and recovery 100 %", covered()),
        ("soak", "1 h", row(results, ["model"], soaked)),
        ("longest request", "2 s", row(results, ["catalogue"], longest)),
        ("cost at the median", "durable 400 us, ordered 250 us", row(results, ["cost"], cost)),
    ]


def print_row(what, wanted, reached, figure):
    print(f"  {'reached    ' if reached else 'NOT REACHED'}  {what:<28}  {wanted:<34}  {figure}")


def print_scoreboard(results):
    print("\nscoreboard")
    rows = scoreboard(results)
    for what, wanted, (reached, figure) in rows:
        print_row(what, wanted, reached, figure)
    print(f"{sum(reached for _, _, (reached, _) in rows)} of {len(rows)} rows reached")


# ---- Running the parts --------------------------------------------------------------------------


class Run:
    def __init__(self, logs):
        self.logs, self.results, self.lock = logs, {}, threading.Lock()

    def one(self, part):
        started = time.monotonic()
        process = subprocess.Popen(part.command, cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output, late = process.communicate(timeout=part.limit_s)[0], False
        except subprocess.TimeoutExpired:
            # A part that is interrupted puts away what it mounted.
            os.killpg(process.pid, signal.SIGINT)
            try:
                output, late = process.communicate(timeout=20)[0], True
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, late = process.communicate()[0], True
        text = output.decode("utf-8", "replace")
        text += f"did not end within {part.limit_s} s\n" if late else ""
        (self.logs / f"{part.name}.log").write_text(text, encoding="utf-8")
        result = Result(process.returncode == 0 and not late, time.monotonic() - started, text)
        with self.lock:
            self.results[part.name] = result
            self.show(part, result)

    def show(self, part, result):
        print(f"{'ok     ' if result.good else 'FAILED '}{part.name:<18} {result.seconds:6.1f} of at most "
              f"{part.limit_s:3} s  {part.what}", flush=True)
        lines = result.output.splitlines()
        shown = [line for line in lines if part.figures and re.search(part.figures, line)]
        for line in (shown if result.good else shown[:SHOWN_LINES] or lines[-SHOWN_LINES:]):
            print(f"         {line}", flush=True)

    def all(self, chosen):
        for part in chosen:
            if part.alone:
                self.one(part)
        waiting = [part for part in chosen if not part.alone]

        def work():
            while True:
                with self.lock:
                    if not waiting:
                        return
                    part = waiting.pop(0)
                self.one(part)

        threads = [threading.Thread(target=work) for _ in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def seconds_of(text):
    found = re.fullmatch(r"(\d+)([smh]?)", text)
    if not found:
        raise argparse.ArgumentTypeError("a duration is a number and s, m or h")
    return int(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


def soak(build, seconds, logs):
    """The model for the whole time; beside it rounds of the parts that live by chance."""
    run, failed, started, rounds = Run(logs), set(), time.monotonic(), 0
    model = Part("model", "edits at random, killed at random, beside a model",
                 script("model.py", "--emend", build / "emend", "--seconds", seconds), seconds + 120,
                 r"^(model|  )")
    beside = threading.Thread(target=run.one, args=(model,))
    beside.start()
    by_chance = ("power", "writers-killed", "foreign-rename", "foreign-truncate")
    def left():
        return seconds - (time.monotonic() - started)

    total = 1
    while left() > SHORTEST_S:
        rounds += 1
        for part in parts(build, seed=rounds):
            if part.name in by_chance and left() > SHORTEST_S:
                total += 1
                run.one(part)
                if not run.results[part.name].good:
                    failed.add(f"{part.name} with --seed {rounds}")
    beside.join()
    print("\nscoreboard")
    print_row("soak", "1 h", *row(run.results, ["model"], soaked))
    failed |= set() if run.results["model"].good else {"model"}
    for name in sorted(failed):
        print(f"failed: {name}")
    return total, len(failed)


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", type=lambda path: Path(path).resolve())
    parser.add_argument("--soak", type=seconds_of, metavar="DURATION", help="such as 20m or 1h")
    parser.add_argument("--list", action="store_true", help="name the parts and their times")
    parser.add_argument("--fuzzed", action="store_true", help="only print the row of what `make fuzz` did")
    parser.add_argument("part", nargs="*")
    args = parser.parse_args()
    every = parts(args.build)
    if args.fuzzed:
        print_row("fuzzing", f"{FUZZ_LEAST:,} each", *fuzz_row(campaigns()))
        return 0
    if args.list:
        for part in every:
            print(f"{part.name:<18} {part.limit_s:4} s  {part.what}")
        return 0
    unknown = set(args.part) - {part.name for part in every}
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))} (--list names them)")
    logs = args.build / "torture"
    logs.mkdir(exist_ok=True)
    if args.soak:
        total, failed = soak(args.build, args.soak, logs)
        print(f"{total - failed} passed, {failed} failed")
        return 1 if failed else 0
    started, run = time.monotonic(), Run(logs)
    chosen = [part for part in every if not args.part or part.name in args.part]
    run.all(chosen)
    print_scoreboard(run.results)
    passed = sum(result.good for result in run.results.values())
    print(f"{time.monotonic() - started:.0f} s for {len(chosen)} parts")
    print(f"{passed} passed, {len(chosen) - passed} failed")
    return 0 if passed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
