#!/usr/bin/env python3
"""Coverage of src/ over all tests, in lines and branches: what `make coverage` does.

    coverage.py [--build FOLDER] [--keep] [--report]

    --keep      add to the counters of the last run
    --report    run no test, only report on the counters that are there

Builds with counters (clang, -Dcoverage=true) in build-coverage, runs the unit tests, the fuzzing
harnesses, the fault sweeps and everything that only sees the executable, and prints lines and branches
for each file and each room. A branch is one outcome of one condition: `a && b` has four. A condition in
a macro counts wherever the macro stands. Nothing is taken out of the count; there are no marks.

A process that is killed in the middle of a call writes no counters: some are found by subtraction, and
would have the call go on where it did not. So a branch that counts was really taken.

FOLDER/coverage.txt is what was printed, with the time of the build that it is about, and
FOLDER/missed.txt names each branch that no test takes. Exit status 1 when a test fails or a figure is below what is promised.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
LEAST_LINES = 95
CORE = ("base", "text", "draft", "tokens", "match", "laying", "diagnosis", "edit", "system", "paths", "history", "workspace", "past",
        "session")
LEAST_CORE = 85
COMMIT_AND_RECOVERY = {"system/names.c", "paths/lock.c"} | {f"workspace/{name}.c" for name in (
    "commit", "publish", "stage", "content", "content_write", "create", "in_place", "grace", "backup", "transaction",
    "journal", "copies", "unwind_file", "unwind", "repair", "repair_steps", "reach", "recover", "recover_all",
    "recover_file", "recover_row", "recover_txn", "rehash")}
LEAST_COMMIT_AND_RECOVERY = 100


def tests(build):
    emend, sweeps = str(build / "emend"), build / "tests/fault"
    scripts = ("tests/conformance/expected.py", "tests/cli_test.py", "tests/mcp_test.py", "tests/approve_test.py",
               "tests/batch_test.py", "tests/http/run.py", "tests/clients/run.py", "scripts/demo.py")
    meson = ["meson", "test", "-C", str(build), "--no-rebuild", "--timeout-multiplier", "10"]
    return [
        [*meson, "--no-suite", "fault"],
        *([str(sweeps / name), "--quick"]
          for name in ("sweep_error", "sweep_kill", "sweep_cut", "sweep_change", "sweep_damage", "sweep_undo")),
        [str(sweeps / "power_sys_test")],
        [str(sweeps / "sweep_memory")],
        *([str(sweeps / "sweep_error"), "--quick", "--recovery", "--scenario", name]
          for name in ("create in missing folders", "edit in place", "two files")),
        *([PYTHON, name, "--emend", emend] for name in scripts),
        [PYTHON, "tests/catalogue/run.py", "--quick", "--emend", emend, "--tools", str(build / "tests/catalogue")],
    ]


def run(*command):
    """Runs a command; answers whether it succeeded. Its output is shown if it did not."""
    done = subprocess.run(command, cwd=TOP, check=False, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        print(done.stdout[-5000:])
    return done.returncode == 0


def set_up(build):
    """A build folder that counts."""
    return (run("sh", "-c", 'CC=clang exec scripts/setup.sh "$0" -Dcoverage=true', str(build))
            and run("ninja", "-C", str(build)))


# ---- What the counters say ----------------------------------------------------------------------


def exported(build):
    """What llvm-cov knows of every function of src/."""
    profile = build / "counters.profdata"
    raw = sorted(map(str, (build / "counters").glob("*.profraw")))
    subprocess.run(["llvm-profdata", "merge", "-sparse", "-o", str(profile), *raw], check=True)
    objects = sorted(map(str, (build / "src").rglob("*.o")))
    command = ["llvm-cov", "export", "-instr-profile", str(profile), objects[0]]
    for name in objects[1:]:
        command += ["-object", name]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout)["data"][0]


def in_src(name):
    path = Path(name).resolve()
    return str(path.relative_to(TOP / "src")) if path.is_relative_to(TOP / "src") else None


def expansion_sites(function):
    """File id of each macro that is expanded in it -> where it stands in the function's own file."""
    inside = {region[6]: (region[5], region[:4]) for region in function["regions"] if region[7] == 1}

    def site(number):
        where = None
        while number in inside:
            number, where = inside[number]
        return where

    return {number: site(number) for number in inside}


def branches_of(data):
    """{file: {(where, macro's file, where in it): [times true, times false]}}"""
    found = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for function in data["functions"]:
        names, sites = function["filenames"], expansion_sites(function)
        name = in_src(names[0])
        for branch in function["branches"] if name else []:
            where, number = tuple(branch[:4]), branch[6]
            key = (tuple(sites[number]), names[number], where) if number in sites else (where, "", ())
            found[name][key][0] += branch[4]
            found[name][key][1] += branch[5]
    return found


def lines_of(data):
    """{file: (lines that ran, lines)}"""
    named = ((in_src(entry["filename"]), entry["summary"]["lines"]) for entry in data["files"])
    return {name: (lines["covered"], lines["count"]) for name, lines in named if name}


def text_at(name, where):
    first, start, last, end = where
    lines = Path(name).read_text(encoding="utf-8").splitlines()[first - 1:last]
    lines[-1] = lines[-1][:end - 1]
    lines[0] = lines[0][start - 1:]
    return " ".join(" ".join(lines).split())


def missed_of(name, branches):
    """A sentence for each branch of a file that was never taken."""
    for (where, macro, inside), times in sorted(branches.items()):
        text = text_at(TOP / "src" / name, where)
        text += f" -> {text_at(macro, inside)}" if macro else ""
        for outcome, count in zip(("true", "false"), times):
            if count == 0:
                yield f"src/{name}:{where[0]}:{where[1]}: never {outcome}: {text}"


# ---- The report ---------------------------------------------------------------------------------


class Figure:
    def __init__(self):
        self.lines, self.of_lines, self.branches, self.of_branches = 0, 0, 0, 0

    def add(self, lines, branches):
        self.lines += lines[0]
        self.of_lines += lines[1]
        self.branches += sum(count > 0 for times in branches.values() for count in times)
        self.of_branches += 2 * len(branches)

    def percents(self):
        return tuple(100 * part / whole if whole else 100
                     for part, whole in ((self.lines, self.of_lines), (self.branches, self.of_branches)))

    def __str__(self):
        lines, branches = self.percents()
        return f"{floored(lines)} % of {self.of_lines:6,} lines  {floored(branches)} % of {self.of_branches:6,} branches"


def floored(percent):
    """One decimal, never rounded up to what was not reached."""
    return f"{int(percent * 10) / 10:5.1f}"


def report(build):
    """Prints the figures; answers whether all are reached."""
    data = exported(build)
    branches, lines = branches_of(data), lines_of(data)
    figures, missed = defaultdict(Figure), []
    if COMMIT_AND_RECOVERY - set(lines):
        sys.exit(f"coverage: COMMIT_AND_RECOVERY names what is not there: {sorted(COMMIT_AND_RECOVERY - set(lines))}")
    for name in sorted(lines):
        room = name.split("/")[0]
        groups = [name, room + "/", "all of src/"]
        groups += ["core"] if room in CORE else []
        groups += ["commit and recovery"] if name in COMMIT_AND_RECOVERY else []
        for group in groups:
            figures[group].add(lines[name], branches[name])
        missed += missed_of(name, branches[name])
    last = ("all of src/", "core", "commit and recovery")
    out = [f"{'  ' if name.endswith(('.c', '.h')) else ''}{name:<36}"[:38] + f"  {figures[name]}"
           for name in [*sorted(set(figures) - set(last)), *last]]
    core, commit = figures["core"], figures["commit and recovery"]
    out.append(f"coverage: core {floored(core.percents()[1]).strip()} % of {core.of_branches:,} branches, "
               f"commit and recovery {floored(commit.percents()[1]).strip()} % of {commit.of_branches:,} branches")
    print("\n".join(out))
    summary, built = build / "coverage.txt", (build / "emend").stat().st_mtime
    summary.write_text("\n".join(out) + "\n", encoding="utf-8")
    os.utime(summary, (built, built))
    (build / "missed.txt").write_text("".join(line + "\n" for line in missed), encoding="utf-8")
    return (figures["all of src/"].percents()[0] >= LEAST_LINES and core.percents()[1] >= LEAST_CORE
            and commit.percents()[1] >= LEAST_COMMIT_AND_RECOVERY)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=TOP / "build-coverage", type=lambda path: Path(path).resolve())
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--report", action="store_true")
    args = parser.parse_args()
    if args.report:
        return 0 if report(args.build) else 1
    if not set_up(args.build):
        return 1
    if not args.keep:
        shutil.rmtree(args.build / "counters", ignore_errors=True)
    good = True
    for test in tests(args.build):
        print(" ".join(test[1:] if test[0] == PYTHON else test), flush=True)
        good = run(*test) and good
    return 0 if report(args.build) and good else 1


if __name__ == "__main__":
    sys.exit(main())
