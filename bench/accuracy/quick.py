#!/usr/bin/env python3
"""Write the committed cases: tests/accuracy/cases.jsonl.gz, with where they come from.

    quick.py [--cases N]

They are what `run.py --quick` and with it `make check` go by, so they need no network. Only packages under
licences that allow to pass their files on, only files that are not long; each package's licence is kept
beside the cases.
"""
import argparse
import gzip
import json
import re
import sys
import tarfile
from collections import Counter

import corpora
import generate
import sources

SEED = 0
LONGEST = 9_000
FREE = {
    "express": "MIT", "commander": "MIT", "rxjs": "Apache-2.0", "eslint": "MIT", "node-gyp": "MIT",
    "@capacitor/android": "MIT", "nan": "MIT", "node-addon-api": "MIT", "tree-sitter": "MIT", "bootstrap": "MIT",
    "html5-boilerplate": "MIT", "reveal.js": "MIT", "bulma": "MIT",
    "golang-github-gorilla-mux-dev": "BSD-3-Clause", "golang-github-spf13-cobra-dev": "Apache-2.0",
    "librust-regex-dev": "MIT", "librust-serde-json-dev": "MIT", "ruby-thor": "MIT", "ruby-rails-i18n": "MIT",
    "php-monolog": "MIT", "python3-flask": "BSD-3-Clause", "python3-networkx": "BSD-3-Clause",
    "libspdlog-dev": "MIT", "lua-penlight": "MIT",
}


def archives():
    """{package: its archive of the older version}"""
    found = {name: sources.npm_archive(name, older) for name, older, _ in sources.NPM if name in FREE}
    found.update({name: sources.debian_archive(name, version) for name, version in sources.DEBIAN if name in FREE})
    return found


def versions():
    """{package: its versions, as a text}"""
    found = {name: f"{older} and {newer}" for name, older, newer in sources.NPM}
    return {**found, **dict(sources.DEBIAN)}


def licence_of(archive):
    """The text of the licence file that a package comes with."""
    with tarfile.open(archive) as tar:
        members = [m for m in tar if m.isfile() and re.search(r"(?:^|/)(?:LICEN[CS]E[^/]*|copyright)$", m.name, re.I)]
        members.sort(key=lambda m: (m.name.count("/"), m.name))
        return tar.extractfile(members[0]).read().decode("utf-8", "replace").strip() if members else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=512)
    args = parser.parse_args()
    every = [s for s in sources.load() if s.package in FREE and len(s.text) <= LONGEST]
    cases = list(generate.corpus(SEED, args.cases, every))
    folder = corpora.QUICK.parent
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases)
    with open(corpora.QUICK, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as out:
        out.write(text.encode())
    used = Counter(re.match(r"(?:@[^/]+/)?[^/]+", case["path"]).group() for case in cases)
    with open(folder / "LICENCES", "w", encoding="utf-8") as out:
        out.write("The files in cases.jsonl.gz are of the packages below, changed as the cases need it.\n")
        for name, archive in sorted(archives().items()):
            if used[name]:
                text = "\n".join(line.rstrip() for line in licence_of(archive).splitlines())
                out.write(f"\n{'=' * 100}\n{name} {versions()[name]} ({FREE[name]})\n{'=' * 100}\n\n{text}\n")
    print(f"{len(cases)} cases, {corpora.QUICK.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
