"""Where the cases come from: a file, the committed quick corpus, or the generator (kept in build/)."""
import gzip
import hashlib
import json
import sys
from pathlib import Path

import generate
import sources

TOP = Path(__file__).resolve().parents[2]
QUICK = TOP / "tests" / "accuracy" / "cases.jsonl.gz"
CASES = 5000


def add_arguments(parser):
    parser.add_argument("--corpus", type=Path, help="a file of cases")
    parser.add_argument("--quick", action="store_true", help="the committed cases; needs no network")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--unseen", action="store_true", help="of the packages of the second list")


def chosen(args):
    """(what it is called, its cases)"""
    if args.corpus:
        return args.corpus.name, read(args.corpus)
    if args.quick:
        return "the committed cases", read(QUICK)
    name = f"seed {args.seed}" + (", unseen packages" if args.unseen else "")
    return name, read(generated(args.seed, args.cases, args.unseen))


def read(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def generated(seed, count, unseen):
    """The corpus of a seed, made unless this very generator made it before."""
    here = Path(__file__).parent
    makers = ("sources.py", "model.py", "judge.py", "edits.py", "drift.py", "meant.py", "refusals.py", "generate.py")
    mark = hashlib.sha256(b"".join((here / name).read_bytes() for name in makers)).hexdigest()[:10]
    folder = TOP / "build" / "accuracy"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"seed-{seed}-{count}{'-unseen' if unseen else ''}-{mark}.jsonl"
    if not path.exists():
        print(f"making {path.name} ...", file=sys.stderr)
        part = path.with_suffix(".part")
        with open(part, "w", encoding="utf-8", newline="\n") as out:
            generate.write(generate.corpus(seed, count, sources.load(unseen)), out)
        part.rename(path)
    return path
