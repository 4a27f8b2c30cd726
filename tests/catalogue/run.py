#!/usr/bin/env python3
"""Runs the catalogue of attacks and faults: rows.tsv, a test for each row.

    run.py [--emend BINARY] [--tools FOLDER] [--quick] [--verbose] [--list] [ROW...]
                 default: build/emend, build/tests/catalogue, every row in full

--quick runs what needs no root and no minutes. Without it every row runs that is not marked n/a, and
one that could not be tried counts as failed. The last line is `N passed, N failed`.
"""
import argparse
import csv
import importlib
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "http")]

import httplab  # noqa: E402  (which knows where harness is)
import lab  # noqa: E402  (the rows import it by this name)
from harness import let_programs_heed_signals  # noqa: E402

EXPECTED = [f"A{n}" for n in range(1, 61)] + [f"F{n}" for n in range(61, 91)]
NOT_APPLICABLE = {"A29"}


@dataclass
class Row:
    name: str
    needs: str
    quick: str
    full: str
    what: str
    right: str

    def script(self, quick):
        """The function that tries it: `module.function`; None where there is none of that kind."""
        if quick:
            return None if self.needs != "any" or self.quick == "-" else self.quick
        return self.quick if self.full == "=" else self.full


def read_rows():
    with open(HERE / "rows.tsv", encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    rows = [Row(*line) for line in lines]
    assert [row.name for row in rows] == EXPECTED, "the rows of the table are not those there must be"
    assert {row.name for row in rows if row.needs == "n/a"} == NOT_APPLICABLE, "n/a"
    return rows


def run_script(script):
    """"" or what is wrong."""
    module, function = script.split(".")
    try:
        getattr(importlib.import_module(module), function)()
    except lab.Failed as problem:
        return str(problem)
    except Exception as problem:  # pylint: disable=broad-except
        where = problem.__traceback__
        while where.tb_next:
            where = where.tb_next
        return f"{type(problem).__name__} in line {where.tb_lineno} of " \
               f"{Path(where.tb_frame.f_code.co_filename).name}: {problem}"
    finally:
        os.chdir("/")
    return ""


def place_binary(emend, folder):
    """Where other users can run it too."""
    os.chmod(folder, 0o755)
    for name in ("emend", "emend-serve"):
        copy, built = Path(folder) / name, Path(emend).with_name(name)
        if built.exists():
            shutil.copyfile(built, copy)
            copy.chmod(0o755)
    return str(Path(folder) / "emend")


def main():
    let_programs_heed_signals()
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default="build/emend")
    parser.add_argument("--tools", default=None, help="where the helper programs were built")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="a line for each row")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("row", nargs="*")
    args = parser.parse_args()
    rows = read_rows()
    if args.list:
        for row in rows:
            print(f"{row.name:4} {row.needs:5} {row.script(False) or '':32} {row.what}: {row.right}")
        return 0
    unknown = set(args.row) - {row.name for row in rows}
    if unknown:
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    lab.Lab.tools = Path(args.tools or Path(args.emend).resolve().parent / "tests/catalogue").resolve()
    passed, failed, left_out, started = 0, [], 0, time.monotonic()
    with tempfile.TemporaryDirectory(prefix="emend-catalogue-") as folder:
        lab.Lab.emend = httplab.Server.emend = place_binary(args.emend, folder)
        for row in rows:
            script = row.script(args.quick)
            if (args.row and row.name not in args.row) or row.needs == "n/a":
                continue
            if not script:
                left_out += 1
                continue
            begun = time.monotonic()
            wrong = run_script(script)
            took = time.monotonic() - begun
            if wrong:
                failed.append(row.name)
                print(f"{row.name:4} FAILED {took:6.2f} s  {row.what}: {wrong}", flush=True)
            else:
                passed += 1
                if args.verbose:
                    print(f"{row.name:4} ok     {took:6.2f} s  {row.what}: {row.right}", flush=True)
    applicable = len(EXPECTED) - len(NOT_APPLICABLE)
    print(f"catalogue: {passed} of {applicable} rows hold, {len(failed)} do not"
          f"{' (' + ', '.join(failed) + ')' if failed else ''}, {left_out} left to the full run, "
          f"{len(NOT_APPLICABLE)} not applicable, {time.monotonic() - started:.0f} s")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
