#!/usr/bin/env python3
"""Tests `emend serve` byte by byte: the transport, both eras of the protocol, attacks, a proxy before it.

    run.py [--emend BINARY] [--verbose] [NAME...]      default: build/emend, every test

The rows A49 to A57 of the catalogue are among them (tests/catalogue/web.py). The last line is
`N passed, N failed`.
"""
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "catalogue")]

import approve  # noqa: E402
import door  # noqa: E402
import eras  # noqa: E402
import httplab  # noqa: E402
import life  # noqa: E402
import proxy  # noqa: E402
import review  # noqa: E402
import web  # noqa: E402
from harness import Failed, let_programs_heed_signals, parser_of  # noqa: E402

AT_ONCE = 4


def tests():
    for module in (web, eras, life, door, proxy, review, approve):
        for function in module.TESTS:
            yield f"{module.__name__}.{function.__name__}", function


def run(name, function, verbose):
    """Whether it passed; None: it could not be tried."""
    started, problem = time.monotonic(), ""
    try:
        function()
    except httplab.Skipped as why:
        print(f"skipped {name}: {why}", flush=True)
        return None
    except Failed as why:
        problem = f"{why}\n{traceback.format_exc(limit=-2)}"
    except Exception:  # pylint: disable=broad-except
        problem = traceback.format_exc()
    took = time.monotonic() - started
    if problem:
        print(f"FAILED {name} {took:.2f} s: {problem}", flush=True)
    elif verbose:
        print(f"ok     {name} {took:.2f} s", flush=True)
    return not problem


def main():
    let_programs_heed_signals()
    parser = parser_of(__doc__)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    httplab.Server.emend = str(Path(args.emend).resolve())
    chosen = [(name, function) for name, function in tests()
              if not args.name or any(word in name for word in args.name)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(lambda each: run(*each, args.verbose), chosen))
    skipped = results.count(None)
    print(f"{results.count(True)} passed, {results.count(False)} failed"
          + (f", {skipped} skipped" if skipped else ""))
    return 1 if False in results or True not in results else 0


if __name__ == "__main__":
    sys.exit(main())
