#!/usr/bin/env python3
"""Counts the instructions of W1 to W7 and says what grew since they were recorded.

    instructions.py [--emend BINARY] [--record] [--profiles FOLDER] [WORKLOAD]...

Each workload is one `emend call` under callgrind: repeatable to a few in ten thousand, whatever else
the machine does. The state directory has been used once before, so that no tables are made. Counts
stand in instructions.json beside what they were made with: a compiler, libraries, and the CPU that
valgrind shows the program, which is its own and has AVX2 where the machine has it. Other ones give
other counts, so under other ones nothing is judged.

Exit status: 0 nothing grew by more than 5 %, 1 something did, 2 it could not be told.
--record writes the counts anew; --profiles keeps what callgrind_annotate reads.
"""
import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import inputs
from contestants import EmendProcess, Place
from processes import environment

TOP = Path(__file__).resolve().parent.parent
RECORD = Path(__file__).resolve().parent / "instructions.json"
GREW = 0.05
LIMIT_S = 900
# What takes part in the counts, of what the build found.
LIBRARIES = ("jansson", "yajl", "sqlite3", "libxxhash", "libpcre2-8", "libutf8proc")


class Untold(Exception):
    """Why nothing can be said."""


# ---- What the counts depend on ------------------------------------------------------------------


def of_build(build, name):
    try:
        return json.loads((build / name).read_text(encoding="utf-8"))
    except OSError as why:
        raise Untold(f"{build} is no build folder of Meson") from why


def first_line(argv):
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0].strip() if done.stdout else ""


def cpu():
    flags = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    return platform.machine() + (" with AVX2" if re.search(r"^flags.*\bavx2\b", flags, re.M) else "")


def made_with(emend):
    build = emend.parent
    words = of_build(build, "compile_commands.json")[0]["command"].split()
    compiler = words[1] if Path(words[0]).name == "ccache" else words[0]  # which Meson puts before it
    options = {option["name"]: option["value"]
               for option in of_build(build, "meson-info/intro-buildoptions.json")}
    found = {library["name"]: library["version"]
             for library in of_build(build, "meson-info/intro-dependencies.json")}
    return {"compiler": first_line([compiler, "--version"]),
            "build": f"{options['buildtype']}, sanitizers {options['b_sanitize']}",
            "libc": " ".join(platform.libc_ver()),
            "libraries": ", ".join(f"{name} {found[name]}" for name in LIBRARIES if name in found),
            "valgrind": first_line(["valgrind", "--version"]), "cpu": cpu()}


# ---- Counting -----------------------------------------------------------------------------------


def counted(argv, given, env, kept):
    """Instructions of a process that may refuse."""
    whole = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={kept}", *map(str, argv)]
    with open(given, "rb") as arguments:
        done = subprocess.run(whole, stdin=arguments, stdout=subprocess.DEVNULL, env=env, check=False,
                              stderr=subprocess.PIPE, text=True, timeout=LIMIT_S)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found or done.returncode not in (0, 1):
        raise Untold(f"callgrind failed: {done.stderr[-500:]}")
    return int(found.group(1))


def count(place, workload, kept):
    runner = EmendProcess(place, workload, "--deadline", "10m", "--sandbox", "off")
    for _ in range(2):  # the first makes the state directory, the second is counted
        runner.prepare()
        runner.run()
        if runner.wrong():
            raise Untold(f"{workload.name}: {runner.wrong()}")
    runner.prepare()
    number = counted(runner.command.argv, runner.given, place.env, kept)
    if runner.wrong():
        raise Untold(f"{workload.name} under valgrind: {runner.wrong()}")
    return number


def count_all(emend, chosen, profiles):
    if not shutil.which("valgrind"):
        raise Untold("valgrind is not installed")
    with tempfile.TemporaryDirectory(prefix="emend-count-") as folder:
        place = Place(Path(folder), emend, environment(folder))
        numbers = {}
        for name, workload in inputs.workloads().items():
            if name in chosen:
                kept = profiles / f"callgrind.{name}" if profiles else "/dev/null"
                numbers[name] = count(place, workload, kept)
                if sys.stderr.isatty():
                    print(f"{name}: {numbers[name]:,}", file=sys.stderr, flush=True)
        return numbers


# ---- Judging ------------------------------------------------------------------------------------


def compared(recorded, numbers):
    """([line for people], [name of what grew])"""
    lines, grew = [], []
    for name, now in numbers.items():
        before = recorded.get(name)
        if before is None:
            lines.append(f"{name}  {now:>15,}  not recorded")
            continue
        change = now / before - 1
        said = ""
        if change > GREW:
            grew.append(name)
            said = "  grew"
        elif change < -GREW:
            said = "  shrank: record it"
        lines.append(f"{name}  {before:>15,}  {now:>15,}  {change:+.1%}{said}")
    return lines, grew


def check(emend, chosen, profiles):
    if not RECORD.exists():
        raise Untold("nothing is recorded")
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    here = made_with(emend)
    other = [f"{what}: recorded with {record['made_with'].get(what)}, here {value}"
             for what, value in here.items() if record["made_with"].get(what) != value]
    lines, grew = compared(record["instructions"], count_all(emend, chosen, profiles))
    print("\n".join(lines))
    if other:
        raise Untold("\n  ".join(["the counts were recorded elsewhere:", *other]))
    print(f"grew by more than {GREW:.0%}: {', '.join(grew) or 'nothing'}")
    return 1 if grew else 0


def record_anew(emend, chosen, profiles):
    before = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    here = made_with(emend)
    kept = before.get("instructions", {}) if before.get("made_with") == here else {}
    numbers = {**kept, **count_all(emend, chosen, profiles)}
    in_order = {name: numbers[name] for name in sorted(numbers)}
    RECORD.write_text(json.dumps({"made_with": here, "instructions": in_order}, indent=1) + "\n",
                      encoding="utf-8")
    return 0


def main():
    names = [name for name in inputs.workloads(40) if name != "W7 found"]
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=TOP / "build" / "emend", type=Path)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--profiles", type=Path, metavar="FOLDER")
    parser.add_argument("workload", nargs="*", help=", ".join(names))
    args = parser.parse_args()
    chosen = args.workload or names
    if set(chosen) - set(names):
        parser.error(f"there is no workload {', '.join(sorted(set(chosen) - set(names)))}")
    if args.profiles:
        args.profiles.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)
    try:
        return (record_anew if args.record else check)(args.emend.resolve(), chosen, args.profiles)
    except (Untold, subprocess.TimeoutExpired) as why:
        print(f"not told: {why}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
