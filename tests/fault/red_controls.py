#!/usr/bin/env python3
"""Do the sweeps have teeth?

For each defence of the commit there is a mutant: a copy of one source file with exactly that
defence taken away, by an edit that emend itself makes. The sweep that is there for the defence must
fail with the mutant, and pass without it.

A mutant is a file in mutants/: {"defence", "sweep", "scenario", "request"}, where the request is the
arguments of file_edit; "whole": true runs the sweep without --quick, "long": true with --long up to the first difference
(without the mutant that takes minutes, and is left to `make torture`). Where there is no emend yet,
the same edit is made here.

Exit status: 0 all caught, 1 a mutant got through or a sweep fails without one, 2 a control could
not be made.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class ControlError(Exception):
    """The control itself is broken: that proves nothing about the code."""


def output_of(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)


def replace_here(path, edits):
    """The edits of a request, each found exactly once."""
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    for edit in edits:
        found = text.count(edit["old_text"])
        if found != 1:
            raise ControlError(f"found {found} times in {path}: {edit['old_text']}")
        text = text.replace(edit["old_text"], edit["new_text"])
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def mutate(mutant, source, copy, emend):
    """Copy the source file of the request to `copy`, below the same path, and edit it there."""
    request = mutant["request"]
    path = os.path.join(copy, request["path"])
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copyfile(os.path.join(source, request["path"]), path)
    if os.access(emend, os.X_OK):
        done = output_of([emend, "call", "file_edit", "--root", copy,
                          "--state-dir", os.path.join(copy, "state")], input=json.dumps(request))
        if done.returncode != 0:
            raise ControlError(f"emend refused the edit: {done.stdout.strip()}")
    else:
        replace_here(path, request["edits"])
    return path


def compiled(relative, build):
    """How the build compiles a source: an entry of its compile_commands.json."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        for entry in json.load(file):
            original = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
            if original.endswith("/" + relative) and "libem_" in entry["output"]:
                return entry
    raise ControlError(f"no compile command for {relative}")


def compile_mutant(path, relative, build, into):
    """Compile as the build compiles the original, but for warnings: what a mutant leaves out may
    leave something unused."""
    entry = compiled(relative, build)
    command = shlex.split(entry["command"])
    at = command.index("-o")
    command[at + 1] = into
    command[command.index("-c") + 1] = path
    command = [part for part in command if part != "-Werror"] + ["-w", "-MF", into + ".d"]
    made = output_of(command, cwd=entry["directory"])
    if made.returncode != 0:
        raise ControlError(f"{relative}, mutated, does not compile:\n{made.stdout}")


def link_command(build, sweep):
    built = output_of(["ninja", "-C", build, f"tests/fault/{sweep}"])
    if built.returncode != 0:
        raise ControlError(f"{sweep} does not build:\n{built.stdout}")
    listed = output_of(["ninja", "-C", build, "-t", "commands", f"tests/fault/{sweep}"])
    if listed.returncode != 0:
        raise ControlError(f"no {sweep} in {build}:\n{listed.stdout}")
    return shlex.split([line for line in listed.stdout.splitlines() if " -o " in line][-1])


def link_mutant(build, sweep, mutated, into):
    """Before the libraries stands the mutated object, so that theirs is not taken."""
    command = link_command(build, sweep)
    command[command.index("-o") + 1] = into
    command.insert(command.index(into) + 1, mutated)
    made = output_of(command, cwd=build)
    if made.returncode != 0:
        raise ControlError(f"{sweep} with a mutant does not link:\n{made.stdout}")


def run_sweep(program, mutant, is_mutated):
    """The number of differences, of a mutant up to the first, and what was printed."""
    how = [] if mutant.get("whole") else ["--quick"]
    if mutant.get("long") and is_mutated:
        how = ["--long"]
    how += ["--first"] if is_mutated else []
    ran = output_of([program, "--scenario", mutant["scenario"], *how], cwd=tempfile.gettempdir())
    counts = re.search(r": ([\d,]+) \w+ over 1 scenarios?, ([\d,]+) as documented", ran.stdout)
    if ran.returncode not in (0, 1) or not counts:
        raise ControlError(f"{os.path.basename(program)} ended with {ran.returncode}:\n{ran.stdout}")
    total, right = (int(count.replace(",", "")) for count in counts.groups())
    if (ran.returncode == 0) != (total == right):
        raise ControlError(f"{os.path.basename(program)} contradicts itself:\n{ran.stdout}")
    return total - right, ran.stdout


def control(name, mutant, options, passed):
    """Make and run one mutant; True when the sweep is red with it and green without."""
    sweep = "sweep_" + mutant["sweep"]
    key = (mutant["sweep"], mutant["scenario"], mutant.get("whole"))
    with tempfile.TemporaryDirectory(prefix="emend-red-") as copy:
        program = os.path.join(copy, sweep)
        path = mutate(mutant, options.source, copy, os.path.join(options.build, "emend"))
        compile_mutant(path, mutant["request"]["path"], options.build, program + ".o")
        link_mutant(options.build, sweep, program + ".o", program)
        if key not in passed and not options.green_is_known:  # linking has brought it up to date
            original = os.path.join(options.build, "tests/fault", sweep)
            passed[key] = run_sweep(original, mutant, False)
        if key in passed and passed[key][0] > 0:
            print(f"red control {name}: {sweep} fails without the mutant too\n{passed[key][1]}")
            return False
        differences, shown = run_sweep(program, mutant, True)
    if differences == 0:
        print(f"red control {name}: NOT CAUGHT: {sweep} passes without {mutant['defence']}")
        return False
    print(f"red control {name}: without {mutant['defence']}, sweep {mutant['sweep']} fails "
          f"({mutant['scenario']})", flush=True)
    if options.verbose:
        print(shown)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="the build folder, with the sweeps built")
    parser.add_argument("--source", default=os.path.dirname(os.path.dirname(HERE)))
    parser.add_argument("--green-is-known", action="store_true",
                        help="do not run the sweeps without a mutant: something else does")
    parser.add_argument("--verbose", action="store_true", help="show what the sweeps found")
    parser.add_argument("mutants", nargs="*", help="names of mutants; all if none is named")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    names = sorted(entry[:-5] for entry in os.listdir(os.path.join(HERE, "mutants"))
                   if entry.endswith(".json"))
    started, caught, passed = time.monotonic(), 0, {}
    names = options.mutants or names
    try:
        for name in names:
            with open(os.path.join(HERE, "mutants", name + ".json"), encoding="utf-8") as file:
                caught += control(name, json.load(file), options, passed)
    except (ControlError, OSError, KeyError) as error:
        print(f"red control {name}: cannot be made: {error}")
        return 2
    print(f"red controls: {caught} of {len(names)} mutants caught, "
          f"{time.monotonic() - started:.0f} s")
    return 0 if caught == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
