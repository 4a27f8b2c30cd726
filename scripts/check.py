#!/usr/bin/env python3
"""Runs every test: what `make check` does once the packages are there.

    check.py [--list] [PART...]      default: every part

Parts that do not need each other run side by side. Each prints its seconds and counts when it ends,
its output stands in build/check/PART.log, and of a part that failed the end is shown. The last line
sums the counts: `N passed, N failed, N skipped`.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LOGS = TOP / "build" / "check"
SHOWN_LINES = 60
PART_LIMIT_S = 1500  # a build with sanitizers, beside other work, on a slow machine
PATIENCE = 4  # times as long as a test may take on a machine that does nothing else

PYTHON = sys.executable
# Of what was freed 4 MB are kept unused, not 256: to fork a process of that size, which the sweeps do
# thousands of times, takes as long again.
SANITIZER_ENV = {
    "ASAN_OPTIONS": "detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1:"
                    "quarantine_size_mb=4",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


@dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __str__(self):
        text = f"{self.passed} passed, {self.failed} failed"
        return text + (f", {self.skipped} skipped" if self.skipped else "")

    def __add__(self, other):
        return Counts(self.passed + other.passed, self.failed + other.failed,
                      self.skipped + other.skipped)


@dataclass
class Part:
    name: str
    what: str
    command: list
    needs: tuple = ()
    # Output and exit status of the command -> Counts.
    count: callable = None
    env: dict = field(default_factory=dict)


# ---- How the counts of a part are found ---------------------------------------------------------


def count_exit(_output, status):
    """The part is one test."""
    return Counts(passed=1) if status == 0 else Counts(failed=1)


def count_line(output, status):
    """The last line that says `N passed, N failed[, N skipped]`; it must be there."""
    lines = re.findall(r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", output, re.M)
    counts = Counts(*(int(n or 0) for n in lines[-1])) if lines else Counts(failed=1)
    if status != 0 and counts.failed == 0:
        counts.failed = 1
    return counts


def count_meson(build, log_name):
    """Each test inside a cmocka binary counts, and so does a binary that prints none."""

    def count(_output, status):
        total = Counts()
        log = TOP / build / "meson-logs" / f"{log_name}.json"
        for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else []:
            test = json.loads(line)
            text = (test.get("stdout") or "") + (test.get("stderr") or "")
            found = {word: sum(map(int, re.findall(rf"\[  {word}  \] (\d+) test", text)))
                     for word in ("PASSED", "FAILED", "SKIPPED")}
            if test["result"] == "OK":
                total += Counts(found["PASSED"] or 1, 0, found["SKIPPED"])
            elif test["result"] == "SKIP":
                total += Counts(skipped=1)
            else:
                total += Counts(found["PASSED"], found["FAILED"] or 1, found["SKIPPED"])
        if status != 0 and total.failed == 0 or total == Counts():
            total.failed += 1
        return total

    return count


def count_mutants(output, _status):
    """Each defence that is taken away and missed is a test."""
    found = re.search(r"(\d+) of (\d+) mutants caught", output)
    caught, there = map(int, found.groups()) if found else (0, 1)
    return Counts(caught, there - caught)


# ---- The parts ----------------------------------------------------------------------------------


def build_command(folder, *options, cc=None, linker=None, targets=()):
    setup = " ".join((f"CC={cc}" if cc else "", f"CC_LD={linker}" if linker else "", "scripts/setup.sh",
                      folder, *options))
    return ["sh", "-c", " ".join((setup, "&& ninja -C", folder, *targets))]


def meson_part(name, what, build, *options, env=None):
    """A part that is some of Meson's tests; its log has a name of its own."""
    command = ["sh", "-c", f"rm -f {build}/meson-logs/{name}.json; meson test -C {build} --no-rebuild "
               f"--timeout-multiplier {PATIENCE} "
               f"--print-errorlogs --logbase {name} " + " ".join(options)]
    return Part(name, what, command, (build,), count_meson(build, name), env or {})


# Of what threads do together the thread sanitizer sees more than any result shows.
TSAN_ENV = {"TSAN_OPTIONS": "halt_on_error=1"}
THREADED = {  # unit tests, by the folder of tests/unit that they are in
    "arguments": ("arguments args",),
    "base": ("base beside", "base pages", "base spare", "base thread"),
    "cli": ("cli heap",),
    "http": ("http connections", "http listen", "http stream", "http subscriptions", "http workers"),
    "json": ("json json_halves",),
    "review": ("review feed", "review review"),
    "serve": ("serve outlet", "serve stdio_server"),
    "session": ("session consent", "session run"),
    "text": ("text count", "text prints"),
    "workspace": ("system closer", "system sys_io", "workspace commit", "workspace file", "workspace grace",
                  "workspace large", "workspace rehash", "workspace speculation"),
}


def threads_parts():
    """A build with that sanitizer of the executables and of those unit tests, and what they are run for."""
    emend = ["--emend", "build-tsan/emend"]
    tests = [(folder, name) for folder, names in THREADED.items() for name in names]
    programs = [f"tests/unit/{folder}/{name.replace(' ', '_')}_test" for folder, name in tests]
    build = build_command("build-tsan", "-Db_sanitize=thread", "-Db_lundef=false", "-Doptimization=1",
                          "-Dc_args=-gline-tables-only", cc="clang", linker="lld",
                          targets=["emend", "emend-serve", *programs])
    needs = ("build-tsan",)
    return [
        Part("build-tsan", "clang, -Werror, thread sanitizer", build, ("build",), count_exit),
        meson_part("unit-tsan", "unit tests of what has several threads", "build-tsan",
                   *(f"'{name}'" for _, name in tests), env=TSAN_ENV),
        Part("cli-tsan", "the command line, with the thread sanitizer",
             [PYTHON, "tests/cli_test.py", *emend], needs, count_line, TSAN_ENV),
        Part("batch-tsan", "batches of calls, with it", [PYTHON, "tests/batch_test.py", *emend], needs,
             count_line, TSAN_ENV),
        Part("http-tsan", "the HTTP server, with it", [PYTHON, "tests/http/run.py", *emend], needs,
             count_line, TSAN_ENV),
    ]


def black_box(suffix, binary, needs, env):
    """The tests that only see the executable."""
    emend = ["--emend", str(TOP / binary)]
    return [
        Part(f"conformance{suffix}", "the public cases, and those of tests/cases",
             [PYTHON, "tests/conformance/expected.py", *emend], needs, count_line, env),
        Part(f"cli{suffix}", "the command line",
             [PYTHON, "tests/cli_test.py", *emend], needs, count_line, env),
        Part(f"mcp{suffix}", "the MCP server, message by message",
             [PYTHON, "tests/mcp_test.py", *emend], needs, count_line, env),
        Part(f"approve{suffix}", "changes that a person must allow",
             [PYTHON, "tests/approve_test.py", *emend], needs, count_line, env),
        Part(f"batch{suffix}", "batches of calls",
             [PYTHON, "tests/batch_test.py", *emend], needs, count_line, env),
        Part(f"http{suffix}", "the HTTP server, byte by byte",
             [PYTHON, "tests/http/run.py", *emend], needs, count_line, env),
    ]


def parts():
    release, sanitized = ("build",), ("build-san",)
    every = [
        Part("build", "gcc, release, -Werror", build_command("build"), count=count_exit),
        Part("build-san", "clang, -Werror, address and undefined sanitizers",
             build_command("build-san", "-Db_sanitize=address,undefined", "-Db_lundef=false",
                           "-Doptimization=0", "-Db_pie=false", "-Dc_args=-gline-tables-only",
                           cc="clang", linker="lld"),
             release, count_exit),
        Part("includes", "includes point down the rooms and run in no circle, a type has one meaning",
             ["sh", "-c", f"{PYTHON} tests/tools/check_includes.py && "
              f"{PYTHON} tests/tools/check_includes.py --self-test"], count=count_line),
        Part("format", ".clang-format",
             ["sh", "-c", "git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror"],
             count=count_exit),
        Part("tree", "nothing in the tree that does not belong there",
             [PYTHON, "tests/tools/check_tree.py"], count=count_line),
        Part("check-self", "does a run of these parts end, also where some fail?",
             [PYTHON, "tests/check_test.py"], count=count_line),
        Part("conformance-self", "does the case runner fail on wrong servers?",
             [PYTHON, "tests/conformance/selftest.py"], count=count_exit),
        meson_part("unit", "unit tests, fuzzing harnesses", "build", "--no-suite", "fault"),
        meson_part("fault", "the fault sweeps: one in ten of their runs", "build", "--suite", "fault"),
        meson_part("unit-san", "the same with the sanitizers; of many cases of a kind one in five",
                   "build-san", "--no-suite", "fault", env=SANITIZER_ENV),
        meson_part("fault-san", "one in thirty with the sanitizers, without the rare scenarios",
                   "build-san", "--suite", "fault", "'--test-args=--quick --share 30'",
                   env=SANITIZER_ENV),
        Part("red-controls", "each sweep turns red without its defence",
             [PYTHON, "tests/fault/red_controls.py", "--build", "build", "--green-is-known"],
             release, count_mutants),
        Part("red-controls-rows", "each row of the catalogue fails without its defence",
             [PYTHON, "tests/catalogue/red_controls.py", "--build", "build"],
             release, count_mutants),
        *black_box("", "build/emend", release, {}),
        *black_box("-san", "build-san/emend", sanitized, SANITIZER_ENV),
        *threads_parts(),
        Part("sandbox", "what emend could reach if it were made to",
             [PYTHON, "tests/sandbox_test.py", "--emend", "build/emend"], release, count_line),
        Part("catalogue", "attacks and faults, row by row: those that need no root and no minutes",
             [PYTHON, "tests/catalogue/run.py", "--emend", "build/emend", "--quick"], release,
             count_line),
        Part("clients", "MCP clients from npm, the inspector, the official conformance suite",
             [PYTHON, "tests/clients/run.py", "--emend", "build/emend"], release, count_line),
        Part("browser", "the review page in Chromium",
             [PYTHON, "tests/browser/run.py", "--emend", "build/emend", "--quick"], release,
             count_line),
        Part("selectors", "what selectors match, beside cheerio",
             [PYTHON, "tests/html/select_diff.py"], release, count_line),
        Part("dom", "what operations make of pages, beside cheerio, and which bytes they touch",
             [PYTHON, "tests/html/dom_diff.py", "--targets", "10", "--each", "4", "--real", "24",
              "--largest", "15000", "--pages", "docs", "bench", "/usr/share/doc"], release, count_line),
        Part("accuracy", "edits that drifted from the file, and those to refuse",
             [PYTHON, "bench/accuracy/run.py", "--emend", "build/emend", "--quick"], release, count_line),
        Part("accuracy-retry", "what refusals say to send is right",
             [PYTHON, "bench/accuracy/correct.py", "--emend", "build/emend", "--quick"], release,
             count_line),
        Part("demo", "the demo", [PYTHON, "scripts/demo.py", "--emend", "build/emend"], release,
             count_exit),
        Part("bench", "the benchmark still runs, and tells wrong from right",
             [PYTHON, "bench/selftest.py", "--emend", "build/emend"], release, count_line),
    ]
    cases = TOP.parent / "shared" / "conformance"
    if cases.is_dir():
        every.append(Part("in-step", "the copy of the conformance cases is up to date",
                          [PYTHON, "tests/conformance/expected.py", "--in-step", str(cases)],
                          count=count_line))
    return every


# ---- Running them -------------------------------------------------------------------------------


@dataclass
class Result:
    counts: Counts
    seconds: float
    note: str = ""


class Run:
    """Runs parts side by side, each as soon as those it needs have ended well."""

    def __init__(self, chosen, at_once):
        self.waiting = list(chosen)
        self.names = {part.name for part in chosen}
        self.at_once = at_once
        self.running = set()
        self.results = {}
        self.change = threading.Condition()

    def all(self):
        with self.change:
            while self.waiting or self.running:
                self.start_ready()
                if self.running:
                    self.change.wait()
        return self.results

    def start_ready(self):
        for part in list(self.waiting):
            unmet = [n for n in part.needs if n in self.names and n not in self.results]
            broken = [n for n in part.needs if n in self.results and self.results[n].counts.failed]
            if broken:
                self.waiting.remove(part)
                self.finish(part, Result(Counts(failed=1), 0, f"not run: {broken[0]} failed"), "")
            elif not unmet and len(self.running) < self.at_once:
                self.waiting.remove(part)
                self.running.add(part.name)
                threading.Thread(target=self.run, args=(part,)).start()

    def run(self, part):
        started = time.monotonic()
        try:
            done = subprocess.run(part.command, cwd=TOP, env={**os.environ, **part.env},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=PART_LIMIT_S, check=False)
            output, status = done.stdout.decode("utf-8", "replace"), done.returncode
        except subprocess.TimeoutExpired as ended:
            output = (ended.stdout or b"").decode("utf-8", "replace") + "\nran out of time\n"
            status = 1
        (LOGS / f"{part.name}.log").write_text(output, encoding="utf-8")
        result = Result(part.count(output, status), time.monotonic() - started)
        with self.change:
            self.running.discard(part.name)
            self.finish(part, result, output)
            self.change.notify()

    def finish(self, part, result, output):
        self.results[part.name] = result
        if result.counts.failed:
            print("\n".join(output.splitlines()[-SHOWN_LINES:]))
        print(line(part, result), flush=True)


def line(part, result):
    mark = "FAILED " if result.counts.failed else "ok     "
    text = f"{mark}{part.name:<16} {result.seconds:6.1f} s  {result.counts}"
    return text + (f"  ({result.note})" if result.note else "")


def main():
    # A shell starts what runs in the background with SIGINT ignored, nohup has SIGHUP so: that is inherited.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for sign in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(sign, signal.SIG_DFL)
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the parts and what they need")
    parser.add_argument("part", nargs="*")
    args = parser.parse_args()
    every = parts()
    if args.list:
        for part in every:
            print(f"{part.name:<16} {part.what}")
        return 0
    unknown = set(args.part) - {part.name for part in every}
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))} (--list names them)")
    chosen = [part for part in every if not args.part or part.name in args.part]

    LOGS.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    results = Run(chosen, max(2, os.cpu_count() or 1)).all()
    total = sum((result.counts for result in results.values()), Counts())
    print(f"\n{time.monotonic() - started:.0f} s for {len(chosen)} parts:")
    for part in chosen:
        print(line(part, results[part.name]))
    print(f"\n{total}")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
