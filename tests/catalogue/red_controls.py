#!/usr/bin/env python3
"""Do the rows of the catalogue have teeth?

    red_controls.py --build FOLDER [--source FOLDER] [NAME...]

For each file in mutants/ one defence is taken out of a copy of one source file, and the program is linked
with that. The row that is there for the defence must fail with it, and hold without. A mutant is
{"defence", "row" or "test", "program", "request"}: `row` is one of rows.tsv, `test` one of tests/*.py that
takes --emend; `program` is `emend`, `emend-serve` or a helper program of this folder; the request is file_edit's.

Exit status: 0 all caught, 1 a mutant got through or a row fails without one, 2 a control could not be
made.
"""
import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "fault"))

from red_controls import ControlError, compile_mutant, compiled, mutate, output_of  # noqa: E402

TARGETS = {"emend": "emend", "emend-serve": "emend-serve",
           "catalogue_windows": "tests/catalogue/catalogue_windows"}


def link(build, program, source, mutated, into):
    """The mutated object stands in for that of `source`, and before the libraries, so that theirs is not
    taken."""
    target = TARGETS[program]
    built = output_of(["ninja", "-C", build, target])
    listed = output_of(["ninja", "-C", build, "-t", "commands", target])
    if built.returncode != 0 or listed.returncode != 0:
        raise ControlError(f"{target} does not build:\n{built.stdout}{listed.stdout}")
    command = shlex.split([line for line in listed.stdout.splitlines() if " -o " in line][-1])
    original = compiled(source, build)["output"]
    command = [part for part in command if part != original]
    command[command.index("-o") + 1] = str(into)
    command.insert(command.index(str(into)) + 1, str(mutated))
    made = output_of(command, cwd=build)
    if made.returncode != 0:
        raise ControlError(f"{target} with a mutant does not link:\n{made.stdout}")


def run_test(mutant, build, programs):
    """Whether the row, or the test, holds with these programs; and what was printed."""
    tools = build / "tests/catalogue"
    if "test" in mutant:
        command = [HERE.parent / mutant["test"], "--emend", programs.get("emend", build / "emend"),
                   "--probe", build / "tests/sandbox/probe.so"]
    else:
        if "catalogue_windows" in programs:
            tools = programs["catalogue_windows"].parent
        command = [HERE / "run.py", "--emend", programs.get("emend", build / "emend"), "--tools", tools,
                   "--quick", mutant["row"]]
    ran = output_of([sys.executable, *map(str, command)])
    if ran.returncode not in (0, 1):
        raise ControlError(f"{command[0]} ended with {ran.returncode}:\n{ran.stdout}")
    return ran.returncode == 0, ran.stdout


def control(name, mutant, options, passed):
    key = mutant.get("row") or mutant["test"]
    with tempfile.TemporaryDirectory(prefix="emend-red-") as folder:
        folder = Path(folder)
        path = mutate(mutant, options.source, str(folder), str(options.build / "emend"))
        compile_mutant(path, mutant["request"]["path"], str(options.build), str(folder / "mutant.o"))
        program = folder / mutant["program"]
        link(str(options.build), mutant["program"], mutant["request"]["path"], folder / "mutant.o", program)
        if key not in passed:
            passed[key] = run_test(mutant, options.build, {})
        if not passed[key][0]:
            print(f"red control {name}: {key} fails without the mutant too\n{passed[key][1]}")
            return False
        programs = {mutant["program"]: program}
        if mutant["program"] == "emend-serve":
            programs["emend"] = shutil.copy(options.build / "emend", folder)  # which looks for it there
        holds, shown = run_test(mutant, options.build, programs)
    if holds:
        print(f"red control {name}: NOT CAUGHT: {key} holds without {mutant['defence']}")
        return False
    print(f"red control {name}: without {mutant['defence']}, {key} fails", flush=True)
    if options.verbose:
        print(shown)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, type=lambda text: Path(text).resolve())
    parser.add_argument("--source", default=str(HERE.parent.parent))
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("name", nargs="*")
    options = parser.parse_args()
    names = options.name or sorted(path.stem for path in (HERE / "mutants").glob("*.json"))
    started, caught, passed, name = time.monotonic(), 0, {}, ""
    try:
        for name in names:
            mutant = json.loads((HERE / "mutants" / f"{name}.json").read_text(encoding="utf-8"))
            caught += control(name, mutant, options, passed)
    except (ControlError, OSError, KeyError, subprocess.SubprocessError) as error:
        print(f"red control {name}: cannot be made: {error}")
        return 2
    print(f"red controls: {caught} of {len(names)} mutants caught, "
          f"{time.monotonic() - started:.0f} s")
    return 0 if caught == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
