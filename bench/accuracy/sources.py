#!/usr/bin/env python3
"""Real source files to make cases of: npm packages in two versions, Debian packages in one.

    sources.py [--unseen]     fetch what is missing, then say what there is

The packages are fetched by their ordinary clients (`npm pack`, `apt-get download`) into a cache:
$EMEND_ACCURACY_CACHE, else $XDG_CACHE_HOME/emend-accuracy, else build/accuracy/cache. Nothing of it is
part of the project.
Versions are pinned. Where Debian has moved a package on, the newer one is taken with a warning:
then the corpus of a seed is another one.
"""
import argparse
import contextlib
import functools
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]

# name, older version, newer version
NPM = [
    ("express", "4.16.4", "4.19.2"),
    ("commander", "8.3.0", "11.1.0"),
    ("eslint", "8.20.0", "8.56.0"),
    ("rxjs", "7.0.0", "7.8.1"),
    ("node-gyp", "8.4.1", "10.0.1"),
    ("@capacitor/android", "4.8.1", "5.7.0"),
    ("cordova-android", "10.1.2", "12.0.1"),
    ("nan", "2.14.2", "2.19.0"),
    ("node-addon-api", "4.3.0", "7.1.0"),
    ("tree-sitter", "0.20.6", "0.21.1"),
    ("libxmljs", "0.19.7", "0.19.10"),
    ("@wordpress/block-library", "8.0.0", "8.22.0"),
    ("bootstrap", "5.1.3", "5.3.2"),
    ("bulma", "0.9.1", "0.9.4"),
    ("startbootstrap-sb-admin-2", "4.1.3", "4.1.4"),
    ("html5-boilerplate", "8.0.0", "9.0.1"),
    ("reveal.js", "4.3.1", "4.6.1"),
]
DEBIAN = [
    ("golang-github-spf13-cobra-dev", "1.6.1-1"),
    ("golang-github-gorilla-mux-dev", "1.8.0-1"),
    ("golang-golang-x-net-dev", "1:0.7.0+dfsg-1"),
    ("librust-regex-dev", "1.7.1-1"),
    ("librust-clap-dev", "4.0.32-1"),
    ("librust-serde-json-dev", "1.0.87-1"),
    ("ruby-thor", "1.2.1-2"),
    ("ruby-sinatra", "3.0.5-3+deb12u1"),
    ("ruby-rails-i18n", "7.0.5-1"),
    ("php-monolog", "2.9.1-1"),
    ("php-doctrine-dbal", "3.6.1+dfsg-1"),
    ("python3-flask", "2.2.2-3"),
    ("python3-docutils", "0.19+dfsg-6"),
    ("python3-networkx", "2.8.8-1"),
    ("debootstrap", "1.0.128+nmu2+deb12u2"),
    ("bash-completion", "1:2.11-6"),
    ("devscripts", "2.23.4+deb12u2"),
    ("ansible-core", "2.14.18-0+deb12u2"),
    ("libspdlog-dev", "1:1.10.0+ds-0.4"),
    ("googletest", "1.12.1-0.2"),
    ("lua-penlight", "1.13.1-3"),
]

# The second list: what the first has never seen.
UNSEEN_NPM = [
    ("fastify", "3.29.0", "4.10.0"),
    ("mobx", "6.3.0", "6.12.0"),
    ("@tanstack/query-core", "5.0.0", "5.18.1"),
    ("sharp", "0.30.0", "0.33.0"),
    ("react-native-screens", "3.18.0", "3.29.0"),
    ("foundation-sites", "6.6.3", "6.8.1"),
    ("startbootstrap-freelancer", "6.0.5", "7.0.7"),
    ("node-expat", "2.3.18", "2.4.1"),
    ("usb", "1.9.2", "2.9.0"),
]
UNSEEN_DEBIAN = [
    ("golang-github-spf13-viper-dev", "1.10.1-1"),
    ("golang-github-burntsushi-toml-dev", "1.2.0-2"),
    ("librust-tokio-dev", "1.24.2-1"),
    ("librust-itertools-dev", "0.10.3-1"),
    ("ruby-mustermann", "3.0.0-2"),
    ("ruby-i18n", "1.10.0-2"),
    ("php-guzzlehttp-psr7", "2.4.5-1+deb12u1"),
    ("php-league-commonmark", "2.3.9-1+deb12u1"),
    ("python3-click", "8.1.3-2"),
    ("python3-sqlalchemy", "1.4.46+ds1-1"),
    ("pbuilder", "0.231"),
    ("autopkgtest", "5.28"),
    ("cloud-init", "22.4.2-1+deb12u4"),
    ("catch2", "2.13.10-1"),
]

LANGUAGES = {
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".ts": "typescript", ".tsx": "typescript",
    ".py": "python", ".gyp": "python", ".gypi": "python",
    ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".hh": "cpp",
    ".go": "go", ".rs": "rust", ".java": "java", ".kt": "kotlin", ".swift": "swift",
    ".m": "objc", ".mm": "objc",
    ".rb": "ruby", ".php": "php", ".html": "html", ".htm": "html",
    ".css": "css", ".scss": "scss", ".sass": "sass", ".yml": "yaml", ".yaml": "yaml",
    ".md": "markdown", ".rst": "markdown", ".sh": "shell", ".bash": "shell", ".pl": "perl",
    ".pm": "perl", ".lua": "lua", ".json": "json", ".toml": "toml", ".gradle": "java",
}
SMALLEST, LARGEST = 400, 120_000
LONGEST_LINE = 400
GENERATED = re.compile(r"(?:\.min\.|/dist/|/build/|-bundle|/vendor/(?!libxml)|package-lock|"
                       r"/CHANGELOG\.json|\.map$|/locales?/.*\.json$)")


@dataclass(frozen=True)
class Source:
    """One file. `newer` is the same file in the newer version, where there is another."""

    package: str
    path: str
    language: str
    text: str
    newer: str = None


def cache_folder():
    named = os.environ.get("EMEND_ACCURACY_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base) / "emend-accuracy" if base else TOP / "build" / "accuracy" / "cache"


# ---- Fetching -----------------------------------------------------------------------------------


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@contextlib.contextmanager
def scratch_folder():
    """A folder within the cache of this run alone: others may fetch at the same time."""
    cache_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="incoming-", dir=cache_folder()) as folder:
        yield Path(folder)


def only_new(folder, command):
    """Run what downloads one file into `folder`, which is empty; its path, or None."""
    done = run(command, folder)
    new = [path for path in folder.iterdir() if path.is_file()]
    if done.returncode != 0 or len(new) != 1:
        print(f"{' '.join(command)}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    return new[0]


def npm_archive(name, version):
    kept = cache_folder() / f"npm-{name.replace('/', '-')}-{version}.tgz"
    if kept.exists():
        return kept
    with scratch_folder() as scratch:
        got = only_new(scratch, ["npm", "pack", "--silent", f"{name}@{version}"])
        return got and got.replace(kept)


@functools.cache
def lists_renewed():
    """A new machine has no lists of packages, an old one old ones: once a run they are fetched."""
    return run(["apt-get", "-q", "update"], cache_folder()).returncode == 0


def debian_archive(name, version):
    kept = cache_folder() / f"debian-{name}-{version.replace(':', '_')}.tar"
    if kept.exists():
        return kept
    with scratch_folder() as scratch:
        got = only_new(scratch, ["apt-get", "download", "-q", f"{name}={version}"])
        if not got and lists_renewed():
            got = only_new(scratch, ["apt-get", "download", "-q", f"{name}={version}"])
        if not got:
            print(f"{name}: not to be had as {version}, taking what there is", file=sys.stderr)
            got = only_new(scratch, ["apt-get", "download", "-q", name])
        if not got:
            return None
        whole = scratch / "whole.tar"
        with open(whole, "wb") as out:
            subprocess.run(["dpkg-deb", "--fsys-tarfile", str(got)], stdout=out, check=True)
        return whole.replace(kept)


# ---- Reading ------------------------------------------------------------------------------------


def language_of(path, text):
    suffix = os.path.splitext(path)[1].lower()
    if suffix in LANGUAGES:
        return LANGUAGES[suffix]
    first = text[:80].split("\n")[0]
    if first.startswith("#!"):
        for word, language in (("sh", "shell"), ("perl", "perl"), ("python", "python"),
                               ("ruby", "ruby")):
            if re.search(rf"\b(?:ba|da)?{word}\d?\b", first):
                return language
    return None


def usable(path, data):
    """The text of a file that a person wrote, or None."""
    if not SMALLEST <= len(data) <= LARGEST or GENERATED.search(path) or b"\0" in data:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if "\r" in text or text.startswith("\ufeff") or not text.endswith("\n"):
        text = text.lstrip("\ufeff").replace("\r\n", "\n")
        if "\r" in text:
            return None
        text = text.rstrip("\n") + "\n"
    if max(map(len, text.split("\n"))) > LONGEST_LINE or text.count("\n") < 12:
        return None
    return text


def files_of(archive):
    """{path without the leading folder: text} of one archive."""
    found = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            if not member.isfile():
                continue
            path = re.sub(r"^(?:\./|package/|[^/]+/(?=package\.json$))", "", member.name)
            text = usable(path, tar.extractfile(member).read())
            if text is not None:
                found[path] = text
    return found


def load(unseen=False):
    """All usable files of one list, fetched where they are missing, in a fixed order."""
    sources, seen = [], set()
    cache_folder().mkdir(parents=True, exist_ok=True)
    read = []
    for name, older, newer in (UNSEEN_NPM if unseen else NPM):
        archives = npm_archive(name, older), npm_archive(name, newer)
        if archives[0]:
            read.append((name, files_of(archives[0]), files_of(archives[1]) if archives[1] else {}))
    for name, version in (UNSEEN_DEBIAN if unseen else DEBIAN):
        archive = debian_archive(name, version)
        if archive:
            read.append((name, files_of(archive), {}))
    for name, old, new in read:
        for path in sorted(old):
            text, language = old[path], language_of(path, old[path])
            if language and text not in seen:
                seen.add(text)
                newer = new.get(path)
                sources.append(Source(name, path, language, text, newer if newer != text else None))
    return sources


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unseen", action="store_true", help="the second list")
    args = parser.parse_args()
    sources = load(args.unseen)
    for what, key in (("language", lambda s: s.language), ("package", lambda s: s.package)):
        print(f"files per {what} (with a newer version):")
        newer = Counter(key(s) for s in sources if s.newer)
        for name, count in Counter(map(key, sources)).most_common():
            print(f"  {name:<34} {count:5} ({newer[name]})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
