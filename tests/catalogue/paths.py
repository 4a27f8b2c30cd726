"""A1 to A33: paths, names and kinds of files."""
import os
import socket
import subprocess
import time
import unicodedata

from lab import (CHANGES, CREATES, EVERY, NEW, NOBODY, READS, Failed, Lab, check, equal, has, need, need_root)


def dotdot():
    with Lab() as lab:
        lab.put("sub/b.txt")
        for path in ("../out/secret.txt", "sub/../../out/secret.txt", "sub/../../ws/a.txt", "..",
                     "../nothing.txt", "sub/../../../../../../etc/passwd", "./../out/secret.txt"):
            lab.refused(path, "outside")
        lab.edited("sub/../a.txt")


def absolute():
    with Lab() as lab:
        lab.refused(lab.outside / "secret.txt", "outside")
        lab.refused("/etc/passwd", "outside")
        lab.refused("/nothing/at/all", "outside")
        lab.edited(lab.root / "a.txt")
        lab.edited(f"{lab.root}//./a.txt", tool="edit_file_lines", new_content="other")


def common_prefix():
    with Lab() as lab:
        evil = lab.base / "ws-evil"
        evil.mkdir()
        lab.put("a.txt", at=evil)
        lab.refused(evil / "a.txt", "outside")
        lab.refused("../ws-evil/a.txt", "outside")


def absolute_link():
    with Lab() as lab:
        (lab.root / "link.txt").symlink_to(lab.outside / "secret.txt")
        lab.refused("link.txt", "outside")


def relative_link():
    with Lab() as lab:
        (lab.root / "link.txt").symlink_to("../out/secret.txt")
        (lab.root / "and-back.txt").symlink_to("../ws/a.txt")
        lab.refused("link.txt", "outside")
        lab.refused("and-back.txt", "outside")


def linked_folder():
    with Lab() as lab:
        (lab.root / "folder").symlink_to(lab.outside)
        (lab.root / "relative").symlink_to("../out")
        for path in ("folder/secret.txt", "relative/secret.txt", "folder/../out/secret.txt"):
            lab.refused(path, "outside")


def new_file_in_linked_folder():
    with Lab() as lab:
        (lab.root / "folder").symlink_to(lab.outside)
        lab.refused("folder/new.txt", "outside", CREATES)
        lab.refused("folder/new/deep/new.txt", "outside", CREATES)


def link_inside():
    with Lab() as lab:
        (lab.root / "sub").mkdir()
        (lab.root / "sub" / "link.txt").symlink_to("../a.txt")
        (lab.root / "absolute.txt").symlink_to(lab.root / "a.txt")
        for link in ("sub/link.txt", "absolute.txt"):
            for tool in CHANGES:
                lab.put("a.txt")
                answer = lab.edited(link, tool)
                check((lab.root / link).is_symlink(), f"{tool}: {link} is no link any more")
                has(NEW, lab.read("a.txt").decode(), tool)
                if tool == "file_edit":
                    equal(answer.result["metadata"]["path"], str(lab.root / "a.txt"), "path")
        lab.no_strays()


def dangling_link():
    with Lab() as lab:
        (lab.root / "link.txt").symlink_to("nothing.txt")
        (lab.root / "out.txt").symlink_to(lab.outside / "nothing.txt")
        (lab.root / "folder").symlink_to("no-folder")
        lab.refused("link.txt", "missing", {**CHANGES, **CREATES})
        lab.refused("out.txt", "outside")
        lab.refused("folder/new.txt", "missing", CREATES)


def link_loop():
    with Lab() as lab:
        (lab.root / "one").symlink_to("two")
        (lab.root / "two").symlink_to("one")
        (lab.root / "self").symlink_to("self/self")
        for path in ("one", "self", "two/a.txt"):
            lab.refused(path, "path")


def magic_links():
    with Lab() as lab:
        (lab.root / "fd").symlink_to("/proc/self/fd")
        (lab.root / "root").symlink_to("/proc/self/root")
        (lab.root / "cwd").symlink_to("/proc/self/cwd/a.txt")
        for path in (f"/proc/self/root{lab.outside}/secret.txt", "/proc/self/cwd/a.txt",
                     "/proc/self/fd/0", f"root{lab.outside}/secret.txt", "fd/0", "fd/3", "cwd"):
            lab.refused(path, "outside")


def flipped_parent(tries=20000):
    """A program that exchanges a folder for a link to the outside as fast as it can."""
    with Lab() as lab:
        done = subprocess.run([lab.tools / "catalogue_flip", str(tries)], cwd=lab.base, capture_output=True,
                              text=True, timeout=900, check=False)
        equal(done.returncode, 0, done.stdout + done.stderr)
        has(" 0 escapes", done.stdout)
        print("     " + done.stdout.strip())


def flipped_parent_million():
    flipped_parent(1000000)


def windows(which):
    """A program that does it just before each system call of a change."""
    with Lab() as lab:
        done = subprocess.run([lab.tools / "catalogue_windows", which], cwd=lab.base, capture_output=True,
                              text=True, timeout=300, check=False)
        equal(done.returncode, 0, done.stdout + done.stderr)
        print("     " + done.stdout.strip())


def flipped_target():
    windows("target")


def moved_folder():
    windows("folder")


def mount_inside():
    """A mount inside a root is part of it."""
    need_root()
    with Lab() as lab:
        other = lab.base / "disk"
        other.mkdir()
        lab.put("b.txt", at=other)
        (lab.root / "mnt").mkdir()
        subprocess.run(["mount", "--bind", other, lab.root / "mnt"], check=True)
        try:
            lab.edited("mnt/b.txt")
            equal(lab.read("b.txt", at=other), b"two\n", "through the mount")
            lab.edited("mnt/new/c.txt", "write_file")
            lab.no_strays()
        finally:
            lab.end()
            subprocess.run(["umount", lab.root / "mnt"], check=True)
    mounted_file()


def mounted_file():
    """Its name cannot be given to another file, and a dry run knows."""
    for flags in ([], ["--in-place"]):
        with Lab(*flags) as lab:
            other = lab.put("b.txt", at=lab.outside)
            subprocess.run(["mount", "--bind", other, lab.root / "a.txt"], check=True)
            try:
                if flags:
                    lab.edited("a.txt")
                    equal(other.read_bytes(), b"two\n", "in place")
                else:
                    lab.refused("a.txt", "system", CHANGES)
                lab.no_strays()
            finally:
                lab.end()
                subprocess.run(["umount", lab.root / "a.txt"], check=True)


def hard_link():
    """It is broken, with a warning; the other name keeps what it had."""
    with Lab() as lab:
        for tool in CHANGES:
            (lab.root / "hard.txt").unlink(missing_ok=True)
            os.link(lab.outside / "secret.txt", lab.root / "hard.txt")
            answer = lab.edited("hard.txt", tool)
            has("hard link", answer.text, tool)
            equal(lab.read("secret.txt", at=lab.outside), b"one\n", f"{tool}: outside")
            has(NEW, lab.read("hard.txt").decode(), tool)


def quickly(lab, path, kind, tools=None):
    """Refused, without waiting for anybody: ten milliseconds and a machine that is busy."""
    start = time.monotonic()
    lab.refused(path, kind, tools)
    took = (time.monotonic() - start) / len(tools or EVERY)
    check(took < 0.05, f"{path}: {took * 1000:.0f} ms a call")


def fifo():
    with Lab() as lab:
        os.mkfifo(lab.root / "pipe")
        (lab.root / "link").symlink_to("pipe")
        quickly(lab, "pipe", "special")
        quickly(lab, "link", "special")


def devices():
    need_root()
    with Lab() as lab:
        os.mknod(lab.root / "zero", 0o20666, os.makedev(1, 5))
        os.mknod(lab.root / "tty", 0o20666, os.makedev(5, 0))
        os.mknod(lab.root / "block", 0o60666, os.makedev(7, 255))
        for name in ("zero", "tty", "block"):
            quickly(lab, name, "special")
        (lab.root / "link").symlink_to("/dev/zero")
        lab.refused("link", "outside")


def sockets_and_folders():
    with Lab() as lab:
        bound = socket.socket(socket.AF_UNIX)
        os.chdir(lab.root)
        bound.bind("sock")
        os.chdir("/")
        (lab.root / "folder").mkdir()
        quickly(lab, "sock", "special")
        quickly(lab, "folder", "folder")
        quickly(lab, ".", "folder")
        bound.close()


def pseudo_files():
    for root, name in (("/proc", "self/status"), ("/proc", "sys/kernel/hostname"),
                       ("/sys", "kernel/mm/transparent_hugepage/enabled")):
        with Lab(roots=[root]) as lab:
            for tool, arguments in {**CHANGES, **READS}.items():
                answer = lab.call(tool, arguments(name))
                check(answer.is_error, f"{tool} {root}/{name}: {answer.text[:200]}")
            answer = lab.call("file_edit", CHANGES["file_edit"]("uptime" if root == "/proc" else name))
            check(answer.is_kind("special"), answer.text)


def nul_in_path():
    with Lab() as lab:
        for path in ("a.txt\0", "a\0b", "\0", "a.txt\0.bak", "../out/secret.txt\0"):
            lab.refused(path, "invalid")


def long_names():
    with Lab() as lab:
        longest = "n" * 255
        lab.put(longest)
        for tool in CHANGES:  # the temporary name must fit too
            lab.put(longest)
            lab.edited(longest, tool)
        lab.no_strays()
        lab.refused("n" * 256, "path")
        lab.refused("d/" * 2100 + "a.txt", "path")
        lab.refused("x" * 100000, "path")
        deep = "/".join(["d" * 200] * 15)
        for tool, arguments in CREATES.items():
            answer = lab.call(tool, arguments(f"{deep}/{tool[:5]}.txt"))
            check(not answer.is_error, answer.text[:300])


def odd_spellings():
    with Lab() as lab:
        (lab.root / "sub").mkdir()
        rows = [("", "invalid"), (".", "folder"), ("sub", "folder"), ("sub/", "folder"),
                ("./sub/.", "folder"), ("/", "outside"), ("a.txt/", "missing"),
                ("a.txt/.", "missing"), ("a.txt/..", "missing"), ("sub/../a.txt/", "missing")]
        for path, kind in rows:
            tools = {**CHANGES, **READS} if kind == "missing" else EVERY
            lab.refused(path, kind, tools)
        for path in ("./a.txt", ".//a.txt", "sub/..//a.txt", "sub/./../a.txt"):
            lab.put("a.txt")
            lab.edited(path)


def byte_exact_names():
    with Lab() as lab:
        for name in ("a.txt ", " a.txt", "a.txt\n", '"a.txt"', "a.txt'", "a.txt\t", "a.txt.",
                     "a\\b.txt", "%61.txt", "~", "$HOME", "a.txt\u00a0"):
            for tool in CHANGES:
                lab.put(name)
                lab.edited(name, tool)
                has(NEW, lab.read(name).decode(), f"{tool} {name!r}")
                equal(lab.read("a.txt"), b"one\n", f"{tool} {name!r}: the plain name")


def names_of_no_encoding():
    """Such a name cannot be written in a request; answers that have to show it escape it."""
    with Lab() as lab:
        raw = os.fsencode(lab.root) + b"/b\xff\xc0.txt"
        with open(raw, "wb") as file:
            file.write(b"one\n")
        (lab.root / "link.txt").symlink_to(os.fsdecode(b"b\xff\xc0.txt"))
        for tool in CHANGES:
            with open(raw, "wb") as file:
                file.write(b"one\n")
            answer = lab.edited("link.txt", tool)
            answer.text.encode()
            with open(raw, "rb") as file:
                has(NEW, file.read().decode(), tool)
        lab.refused("b\ufffd\ufffd.txt", "missing", {**CHANGES, **READS})


def twin_names():
    with Lab() as lab:
        composed = "caf\u00e9.txt"
        decomposed = unicodedata.normalize("NFD", composed)
        for name, other in ((composed, decomposed), (decomposed, composed)):
            lab.put(composed)
            lab.put(decomposed)
            lab.edited(name)
            equal(lab.read(other), b"one\n", "its twin")
            (lab.root / name).unlink()
            before = lab.tree()
            for tool, arguments in {**CHANGES, **READS}.items():
                answer = lab.call(tool, arguments(name))
                check(answer.is_error and answer.is_kind("missing"), answer.text[:200])
                has("written differently", answer.text, f"{tool} does not tell of the twin")
            lab.same(before, "the twin")


def protected_in_other_letters():
    with Lab() as lab:
        for name in (".GIT/config", ".Git/hooks/pre-commit", ".git./config", ".git /config",
                     "GIT~1/config", "sub/.gIt/HEAD", ".g\u200cit/config", "\ufeff.git/config",
                     ".gi\u00adt/config"):
            lab.put(name)
            lab.refused(name, "denied", {**CHANGES, **CREATES})
        lab.put(".gitignore")
        lab.edited(".gitignore")
    with Lab("--deny", "Secret.txt", "--deny", "caf\u00e9/") as lab:
        for name in ("Secret.txt", "secret.txt", "SECRET.TXT", "cafe\u0301/x.txt", "CAF\u00c9/x.txt"):
            lab.put(name)
            lab.refused(name, "denied")


def acting_characters():
    """Names and content that move the cursor, hide or turn around: written out on a terminal."""
    import pty
    with Lab() as lab:
        name = "a\u202etxt.\u001b[31mexe\u200b"
        lab.put(name, "one\u001b]0;title\u0007\u202e two\r\n")
        status, shown = None, b""
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(lab.emend, ["emend", "edit", *lab.where(), name, "--old", "two", "--new", "2"],
                      {**os.environ, "TERM": "xterm", "NO_COLOR": "1"})
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        os.close(terminal)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        text = shown.decode()
        equal(status, 0, text)
        for character in ("\u202e", "\u200b", "\u001b", "\u0007"):
            check(character not in text, f"{character!r} reached the terminal: {text!r}")
        has("\\u{202E}", text)
        has("\\x1B", text)


def protected_folders():
    with Lab() as lab:
        for name in (".git/config", ".git/hooks/pre-commit", "sub/.git/HEAD", ".git"):
            if name != ".git":
                lab.put(name)
            lab.refused(name, "denied", {**CHANGES, **CREATES})
        (lab.root / "link").symlink_to(".git/config")
        lab.refused("link", "denied", {**CHANGES, **CREATES})
        answer = lab.call("read_file", {"file_path": ".git/config"})
        check(not answer.is_error, "reading is allowed")
    with Lab("--allow", ".git/config") as lab:
        lab.put(".git/config")
        lab.put(".git/HEAD")
        lab.edited(".git/config")
        lab.refused(".git/HEAD", "denied")
    own_state_in_root()
    usual_state_in_root()


def own_state_in_root():
    """The state directory, where it lies in a root, is nobody's to read or change."""
    with Lab() as lab:
        lab.state = lab.root / "kept"
        lab.edited("a.txt")
        for name in ("history.db", "locks", "new", "locks/0"):
            for tool, arguments in EVERY.items():
                answer = lab.call(tool, arguments(f"kept/{name}"))
                check(answer.is_error and answer.is_kind("denied"),
                      f"{tool} kept/{name}: {answer.text[:200]}")


def usual_state_in_root():
    """So is the one that emend uses where nobody names one, also by a process that uses another
    because it lies in a root; by whatever way, and before it is there."""
    with Lab("--deny", "*.env") as lab:
        env = {**os.environ, "HOME": str(lab.root)}
        env.pop("XDG_STATE_HOME", None)
        kept = lab.root / ".local/state/emend"
        for name in (".local/state/emend/new", ".local/state/EMEND/new", ".local/state/emend"):
            answer = lab.call_once("write_file", {"file_path": name, "content": "x"}, env=env)
            check(answer.is_error and answer.is_kind("denied"), f"{name}: {answer.text[:200]}")
        lab.put("project/secret.env", b"SECRET=1\n")
        status, _, err = lab.run("call", "--root", str(lab.root / "project"), "read_file", env=env,
                                 stdin='{"file_path":"secret.env"}')
        equal(status, 0, err.decode())
        content = next((kept / "contents").iterdir()).name
        (lab.root / "link").symlink_to(".local/state/emend")
        for name in (f".local/state/emend/contents/{content}", f"link/contents/{content}",
                     ".local/state/emend/history.db", ".local/state/emend/new"):
            for tool, arguments in EVERY.items():
                answer = lab.call_once(tool, arguments(name), env=env)
                check(answer.is_error and answer.is_kind("denied"),
                      f"{tool} {name}: {answer.text[:200]}")


def temporary_names():
    with Lab() as lab:
        own = ".emend-" + "0" * 32
        lab.put(own)
        lab.put(".emend-x")
        os.symlink(lab.outside / "secret.txt", lab.root / (".emend-" + "1" * 32))
        for tool in CHANGES:
            lab.put("a.txt")
            lab.edited("a.txt", tool)
        equal(lab.read("secret.txt", at=lab.outside), b"one\n", "outside")
        equal((lab.read(own), lab.read(".emend-x")), (b"one\n", b"one\n"), "files named like ours")
        lab.edited(".emend-x")
    windows("names")


def planted_row():
    """A record of a change that never was, which names a file outside."""
    import crash
    crash.planted_record()


def foreign_state():
    with Lab() as lab:
        for mode in (0o777, 0o770, 0o702):
            lab.state.chmod(mode)
            before = lab.tree()
            answer = lab.call_once("file_edit", CHANGES["file_edit"]("a.txt"))
            check(answer.is_error, f"{mode:o}: {answer.text[:200]}")
            has("other users may write", answer.text)
            lab.same(before, f"{mode:o}")
            equal(list(lab.state.iterdir()), [], "nothing is put there")
    if os.geteuid() != 0:
        raise Failed("needs root for a directory of somebody else's")
    with Lab() as lab:
        os.chown(lab.state, NOBODY, NOBODY)
        before = lab.tree()
        answer = lab.call_once("file_edit", CHANGES["file_edit"]("a.txt"))
        check(answer.is_error, answer.text[:200])
        has("belongs to another user", answer.text)
        lab.same(before, "somebody else's state directory")
        status, _, err = lab.run("recover", *lab.where())
        check(status != 0, "recovery ran in it")
        has("belongs to another user", err.decode())
    need("setpriv")
    with Lab() as lab:  # one that root made is not for others to use
        answer = lab.call_once("file_edit", CHANGES["file_edit"]("a.txt"))
        check(not answer.is_error, answer.text)
        lab.user = NOBODY
        os.chown(lab.root, NOBODY, NOBODY)
        lab.put("a.txt")
        answer = lab.call_once("file_edit", CHANGES["file_edit"]("a.txt"))
        check(answer.is_error, answer.text[:200])
