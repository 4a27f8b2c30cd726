"""What the Python tests share: what they expect, how they are chosen, run and counted, and a folder in
which commands are run.
"""
import argparse
import ctypes
import os
import pty
import signal
import struct
import subprocess
import tempfile
import time
from pathlib import Path

COMMAND_LIMIT_S = 60
SHOWN = 1000  # characters of what is wrong
TESTS_OF = {}


def test(function):
    """A test of its module."""
    TESTS_OF.setdefault(function.__module__, []).append(function)
    return function


# ---- What is expected ---------------------------------------------------------------------------


class Failed(Exception):
    """Something is not as it must be."""


def check(condition, what):
    if not condition:
        raise Failed(what)


def check_equal(got, want, what):
    check(got == want, f"{what}: expected {want!r}, got {got!r}")


def check_in(part, text, what=""):
    check(part in text, f"{what}: no {part!r} in {repr(text)[:SHOWN]}")


# ---- Running tests ------------------------------------------------------------------------------


def parser_of(description):
    """Of the command line of a script: the executable that is tested, and which tests."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default="build/emend")
    parser.add_argument("name", nargs="*")
    return parser


def tell_failure(name, problem, _seconds):
    if problem:
        kind = "" if isinstance(problem, Failed) else f"{type(problem).__name__}: "
        print(f"FAIL {name}: {kind}{str(problem)[:SHOWN]}")


def tell_time(name, problem, seconds):
    tell_failure(name, problem, seconds)
    print(f"     {name} {seconds:.2f} s")


def let_programs_heed_signals():
    """What is ignored is inherited, by whoever the tests start, too: in the background of a shell SIGINT, under nohup
    SIGHUP, which goes on doing nothing here."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


def run_tests(tests, names, tell=tell_failure):
    """Runs those of the names, or all; prints `N passed, N failed`, and returns the exit status."""
    let_programs_heed_signals()
    passed = failed = 0
    for function in tests:
        if names and function.__name__ not in names:
            continue
        started, problem = time.monotonic(), None
        try:
            function()
            passed += 1
        except Exception as why:  # a broken test is a failed one, not the end of the run
            failed += 1
            problem = why
        tell(function.__name__, problem, time.monotonic() - started)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def main(tests, description, place):
    """Runs what the command line says, on the executable that `place`, a class, shall take."""
    parser = parser_of(description)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    place.emend = os.path.abspath(args.emend)
    return run_tests(tests, args.name, tell_time if args.verbose else tell_failure)


class Tally:
    """Checks that are counted each by itself: one that fails is told, and the next comes all the same."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, what, good, more=""):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {what}\n{more}")
        return good

    def end(self):
        """Prints the counts, and returns the exit status."""
        print(f"{self.passed} passed, {self.failed} failed"
              + (f", {self.skipped} skipped" if self.skipped else ""))
        return 1 if self.failed else 0


# ---- Running commands ---------------------------------------------------------------------------


def run(command, **options):
    """A command that has ended, with all that it wrote."""
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, **options)


def filter_calls(steps):
    """For preexec_fn: from now on the kernel asks this program of four numbers each about every call."""
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    libc = ctypes.CDLL(None, use_errno=True)

    def install():
        program = struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code))
        libc.prctl(38, 1, 0, 0, 0)
        if libc.prctl(22, 2, program, 0, 0) != 0:
            os._exit(99)
    return install


class Folder:
    """A folder with files in it, in which commands are run. Their state is beside it."""

    emend = "build/emend"

    def __init__(self, **files):
        self.temporary = tempfile.TemporaryDirectory(prefix="emend-cli-")
        self.base = Path(self.temporary.name)
        self.path = self.base / "work"
        self.path.mkdir()
        self.env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
        self.env.update(XDG_STATE_HOME=str(self.base / "state"), HOME=str(self.base),
                        TMPDIR=str(self.base))
        for name, content in files.items():
            self.write(name.replace("_", "."), content)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def write(self, name, content):
        data = content.encode() if isinstance(content, str) else content
        (self.path / name).write_bytes(data)

    def read(self, name):
        return (self.path / name).read_bytes()

    def run(self, *words, stdin=b"", env=None, cwd=None, **more):
        """(exit status, output, complaints) of a command in pipes."""
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run([self.emend, *map(str, words)], cwd=cwd or self.path, input=data,
                              env={**self.env, **(env or {})}, capture_output=True,
                              timeout=COMMAND_LIMIT_S, check=False, **more)
        return done.returncode, done.stdout.decode("utf-8", "surrogateescape"), \
            done.stderr.decode("utf-8", "surrogateescape")

    def run_on_terminal(self, *words, stdin=b"", env=None):
        """(exit status, all that a terminal shows) of a command."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.path)
            os.execve(self.emend, ["emend", *map(str, words)],
                      {**self.env, "TERM": "xterm", **(env or {})})
        if stdin:
            os.write(terminal, stdin)
        shown = b""
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # EIO: the other end is closed
                break
            if not piece:
                break
            shown += piece
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), \
            shown.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
