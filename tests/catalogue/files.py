"""A34 to A42, F69 to F76, F82: what a file is, and what of it must stay."""
import os
import random
import struct
import subprocess
import tempfile
import time

from lab import (CHANGES, CREATES, NEW, NOBODY, READS, Lab, Server, check, entry_of, equal, has, need,
                 need_root)
from faults import sweeps
from paths import windows

OTHER = 4242  # a user without a name


def facts(path):
    """What a change keeps: mode, owner, group, attributes (access control lists among them)."""
    entry = entry_of(path)
    return entry.mode, entry.uid, entry.gid, entry.attributes


# ---- Modes and owners ---------------------------------------------------------------------------


def setuid():
    need_root()
    with Lab() as lab:
        for mode in (0o4755, 0o2755, 0o6711):
            path = lab.put("tool", mode=mode)
            lab.refused("tool", "system", {**CHANGES, "write_file": CREATES["write_file"]})
            equal(path.stat().st_mode & 0o7777, mode, "mode")
    with Lab("--allow-owner-change") as lab:
        for mode in (0o4755, 0o2755, 0o6711, 0o1644):
            path = lab.put("tool", mode=mode)
            os.chown(path, OTHER, OTHER)
            path.chmod(mode)
            before = facts(path)
            lab.edited("tool")
            equal(facts(path), before, f"{mode:o}: chown clears the bits, chmod comes after it")
    with Lab() as lab:  # never added: what is made has none
        (lab.root / "group").mkdir()
        (lab.root / "group").chmod(0o2775)
        lab.edited("group/new.txt", "write_file")
        check(not (lab.root / "group/new.txt").stat().st_mode & 0o6000, "set-id bits on a new file")


def secret():
    """At no system call of a change may others read what only its owner may read."""
    windows("secret")


def umasks():
    for mask in (0o000, 0o077, 0o777, 0o022):
        with Lab() as lab:
            lab.preexec = lambda mask=mask: os.umask(mask)
            for mode in (0o644, 0o600, 0o664, 0o755, 0o400, 0o666, 0o700):
                if mode == 0o400 and os.geteuid() != 0:
                    continue
                for tool in CHANGES if mode == 0o644 else ("file_edit",):
                    path = lab.put("a.txt", mode=mode)
                    lab.edited("a.txt", tool)
                    equal(path.stat().st_mode & 0o7777, mode, f"{tool} under umask {mask:03o}")
            lab.edited("new.txt", "write_file")
            equal((lab.root / "new.txt").stat().st_mode & 0o777, 0o666 & ~(mask & 0o077),
                  "a new file's mode")


def owners():
    """Root keeps the owner; who cannot is refused, since a rename would give the file away."""
    need_root()
    need("setpriv")
    with Lab() as lab:
        for tool in CHANGES:
            path = lab.put("a.txt", mode=0o640)
            os.chown(path, OTHER, OTHER + 1)
            before = facts(path)
            lab.edited("a.txt", tool)
            equal(facts(path), before, tool)
    with Lab(user=NOBODY) as lab:
        theirs = lab.put("theirs.txt", mode=0o666)
        os.chown(theirs, OTHER, OTHER)
        closed = lab.put("closed.txt", mode=0o600)
        os.chown(closed, OTHER, OTHER)
        lab.refused("theirs.txt", "system", {**CHANGES, "write_file": CREATES["write_file"]})
        lab.refused("closed.txt", "system")
        read_only = lab.put("read-only.txt", mode=0o444)
        os.chown(read_only, NOBODY, NOBODY)
        lab.refused("read-only.txt", "system", CHANGES)
    with Lab("--allow-owner-change", user=NOBODY) as lab:
        theirs = lab.put("theirs.txt", mode=0o664)
        os.chown(theirs, OTHER, OTHER)
        theirs.chmod(0o666)
        answer = lab.edited("theirs.txt")
        has("owner", answer.text, "the warning")
        equal(entry_of(theirs).uid, NOBODY, "owner")
    with Lab("--in-place", user=NOBODY) as lab:
        theirs = lab.put("theirs.txt", mode=0o666)
        os.chown(theirs, OTHER, OTHER)
        before = entry_of(theirs)
        lab.edited("theirs.txt")
        after = entry_of(theirs)
        equal((after.uid, after.inode, after.mode), (OTHER, before.inode, before.mode), "in place")
        equal(theirs.read_bytes(), b"two\n", "content")


def closed_folder():
    """The folder may not be written, the file may: a rename is impossible."""
    need_root()
    need("setpriv")
    with Lab(user=NOBODY) as lab:
        path = lab.put("sub/a.txt", mode=0o666)
        (lab.root / "sub").chmod(0o555)
        lab.refused("sub/a.txt", "system", CHANGES)
        lab.refused("sub/new.txt", "system", CREATES)
    with Lab("--in-place", user=NOBODY) as lab:
        for tool in CHANGES:
            path = lab.put("sub/a.txt", mode=0o666)
            lab.give(lab.root / "sub")
            (lab.root / "sub").chmod(0o555)
            before = entry_of(path)
            answer = lab.edited("sub/a.txt", tool)
            has("in place", answer.text, tool)
            after = entry_of(path)
            equal((after.inode, after.mode, after.uid), (before.inode, before.mode, before.uid), tool)
            has(NEW, path.read_text(), tool)
            (lab.root / "sub").chmod(0o755)
        lab.no_strays()
        equal([p for p in (lab.state / "copies").iterdir()], [], "copies")


def chattr():
    need_root()
    need("chattr", "lsattr")
    with Lab() as lab:
        for flag, name in (("i", "immutable"), ("a", "append-only")):
            path = lab.put(f"{name}.txt")
            subprocess.run(["chattr", f"+{flag}", path], check=True)
            try:
                lab.refused(f"{name}.txt", "system", CHANGES)
                shown = subprocess.run(["lsattr", path], capture_output=True, text=True, check=True)
                has(flag, shown.stdout.split()[0], "the flag")
                answer = lab.call("file_edit", CHANGES["file_edit"](f"{name}.txt"))
                has(name, answer.text, "it says why")
            finally:
                subprocess.run(["chattr", f"-{flag}", path], check=True)
        (lab.root / "sub").mkdir()
        lab.put("sub/a.txt")
        subprocess.run(["chattr", "+i", lab.root / "sub"], check=True)
        try:
            lab.refused("sub/a.txt", "system", CHANGES)
            lab.refused("sub/new.txt", "system", CREATES)
        finally:
            subprocess.run(["chattr", "-i", lab.root / "sub"], check=True)


def read_only_mount():
    need_root()
    with Lab() as lab:
        (lab.root / "ro").mkdir()
        lab.put("b.txt", at=lab.root / "ro")
        subprocess.run(["mount", "--bind", lab.root / "ro", lab.root / "ro"], check=True)
        try:
            subprocess.run(["mount", "-o", "remount,ro,bind", lab.root / "ro"], check=True)
            lab.refused("ro/b.txt", "system", CHANGES)
            lab.refused("ro/new.txt", "system", CREATES)
            check(not lab.call("read_file", READS["read_file"]("ro/b.txt")).is_error, "reading")
        finally:
            lab.end()
            subprocess.run(["umount", lab.root / "ro"], check=True)


# ---- Attributes ---------------------------------------------------------------------------------


def acl_entry(tag, permissions, who=0xFFFFFFFF):
    return struct.pack("<HHI", tag, permissions, who)


def acl(mask, named=6):
    """user::rw-, user:4242:named, group::r--, mask, other::---"""
    return struct.pack("<I", 2) + b"".join([
        acl_entry(1, 6), acl_entry(2, named, OTHER), acl_entry(4, 4), acl_entry(0x10, mask),
        acl_entry(0x20, 0)])


def attributes():
    with Lab() as lab:
        for tool in CHANGES:
            path = lab.put("a.txt")
            os.setxattr(path, "user.colour", b"blue\0\xff")
            os.setxattr(path, "user.large", b"x" * 2000)
            os.setxattr(path, "user.empty", b"")
            before = facts(path)
            lab.edited("a.txt", tool)
            equal(facts(path), before, tool)
    if os.geteuid() == 0:  # what cannot be right for other content is not copied, and told
        with Lab() as lab:
            path = lab.put("a.txt", mode=0o755)
            os.setxattr(path, "security.capability",
                        struct.pack("<IIIII", 0x02000001, 1 << 10, 0, 0, 0))
            answer = lab.edited("a.txt")
            has("security attributes", answer.text, "the warning")
            equal(os.listxattr(path), [], "a capability of other content")
    full_attributes()


def full_attributes():
    """There is no room for them: refused, not dropped."""
    need_root()
    with tempfile.TemporaryDirectory() as mount:
        image = mount + ".img"
        subprocess.run(["truncate", "-s", "4M", image], check=True)
        subprocess.run(["mkfs.ext4", "-q", "-b", "1024", "-N", "64", image], check=True)
        subprocess.run(["mount", "-o", "loop", image, mount], check=True)
        try:
            with Lab(base=mount) as lab:
                path = lab.put("a.txt")
                os.setxattr(path, "user.large", b"x" * 900)
                free = os.statvfs(mount).f_bfree
                filler = lab.base / "filler"
                with open(filler, "wb") as file:  # but two blocks: the attribute needs one of its own
                    file.write(b"x" * max(0, (free - 2)) * 1024)
                lab.state = lab.base.parent / "elsewhere"
                with tempfile.TemporaryDirectory() as state:
                    lab.state = type(lab.base)(state)
                    before = facts(path), path.read_bytes()
                    answer = lab.call_once("file_edit", CHANGES["file_edit"]("a.txt"))
                    after = facts(path), path.read_bytes()
                    if answer.is_error:
                        equal(after, before, "refused and unchanged")
                    else:
                        equal(after[0], before[0], "kept whole")
                    lab.no_strays()
        finally:
            subprocess.run(["umount", mount], check=True)
            os.unlink(image)


def access_lists():
    name = "system.posix_acl_access"
    with Lab() as lab:
        for mask in (0, 4, 6, 7):
            for tool in CHANGES:
                path = lab.put("a.txt")
                os.setxattr(path, name, acl(mask))
                before = facts(path)
                lab.edited("a.txt", tool)
                equal(facts(path), before, f"{tool}, mask {mask}")
        folder = lab.root / "sub"  # what the folder would give to a new file is not for this one
        folder.mkdir()
        path = lab.put("sub/a.txt", mode=0o600)
        os.setxattr(folder, "system.posix_acl_default", acl(7, 7))
        before = facts(path)
        lab.edited("sub/a.txt")
        equal(facts(path), before, "a default list in the folder")
        lab.edited("sub/new.txt", "write_file")
        has("posix_acl_access", str(os.listxattr(folder / "new.txt")), "a new file inherits")


# ---- Content ------------------------------------------------------------------------------------


def regex_bomb():
    with Lab() as lab:
        lab.put("a.txt", "a" * (1 << 20) + "!\n")
        for pattern in ("(a+)+$", "(a|aa)+$", "(a|a?)+$", "(.*)*x", "((a*)*)*b", "^(([a-z])+.)+[A-Z]$"):
            before = lab.tree()
            start = time.monotonic()
            lab.call("mcp__editor__Edit", {"file_path": "a.txt", "edits": [
                {"old_text": pattern, "new_text": "x", "regex": True}], "dry_run": True})
            took = time.monotonic() - start
            check(took < 5, f"{pattern}: {took:.1f} s")
            lab.same(before, pattern)


def blow_up():
    with Lab() as lab:
        lab.put("a.txt", "a" * (1 << 20))
        for tool, arguments in (
                ("file_edit", {"path": "a.txt", "edits": [
                    {"old_text": "a", "new_text": "b" * (1 << 20), "occurrences": 1 << 20}]}),
                ("edit_file", {"file_path": "a.txt", "old_string": "a", "new_string": "b" * (1 << 20),
                               "replace_all": True}),
                ("mcp__editor__Edit", {"file_path": "a.txt", "edits": [
                    {"old_text": "a", "new_text": "b" * (1 << 20), "replace_all": True}]})):
            before = lab.tree()
            start = time.monotonic()
            answer = lab.call(tool, arguments)
            check(answer.is_error and answer.is_kind("large"), f"{tool}: {answer.text[:300]}")
            check(time.monotonic() - start < 5, f"{tool} took {time.monotonic() - start:.1f} s")
            lab.same(before, tool)
        lab.put("many.txt", "a" * 10000001)  # one place more than are changed at once
        answer = lab.call("edit_file", {"file_path": "many.txt", "old_string": "a", "new_string": "b",
                                        "replace_all": True})
        check(answer.is_error and "10000001 places" in answer.text, answer.text[:300])
        for tool, arguments in CHANGES.items():
            empty = lab.call(tool, _with_empty_search(arguments("a.txt")))
            check(empty.is_error or tool == "edit_file_lines", f"{tool}: {empty.text[:200]}")


def _with_empty_search(arguments):
    def emptied(value):
        if isinstance(value, dict):
            return {key: "" if key in ("old_text", "old_string", "search") else emptied(item)
                    for key, item in value.items()}
        return [emptied(item) for item in value] if isinstance(value, list) else value
    return emptied(arguments)


def huge_files():
    with Lab() as lab:
        for name, size in (("sparse", 1 << 40), ("five", 5 << 30)):
            with open(lab.root / name, "wb") as file:
                file.truncate(size)
        for name in ("sparse", "five"):
            start = time.monotonic()
            answer = lab.call("file_edit", CHANGES["file_edit"](name))
            check(answer.is_error and answer.is_kind("large"), answer.text[:200])
            check(time.monotonic() - start < 1, f"{name}: {time.monotonic() - start:.1f} s")
        for tool, arguments in {**CHANGES, **READS}.items():
            start = time.monotonic()
            answer = lab.call(tool, arguments("sparse"))  # which holds nothing but NUL
            refused = answer.is_error and (answer.is_kind("large") or answer.is_kind("binary"))
            check(refused, f"{tool}: {answer.text[:200]}")
            check(time.monotonic() - start < 1, f"{tool}: {time.monotonic() - start:.1f} s")
        with open(lab.root / "line", "wb") as file:  # one line of 90 MB
            file.write(b"a" * (45 << 20) + b"one" + b"b" * (45 << 20))
        start = time.monotonic()
        lab.edited("line")
        check(time.monotonic() - start < 10, f"a long line: {time.monotonic() - start:.1f} s")


def changed_while_read():
    """By a program that writes over it, appends to it, cuts it short, before each system call."""
    sweeps("sweep_change", "edit of a large file", more=())


def bytes_elsewhere():
    """Every byte outside of the edit stays, whatever it is."""
    chance = random.Random(20260)
    with Lab("--allow-owner-change") as lab:
        for i in range(60):
            before = bytes(chance.randrange(1, 256) for _ in range(chance.randrange(0, 300)))
            after = bytes(chance.randrange(1, 256) for _ in range(chance.randrange(0, 300)))
            before, after = before.replace(b"UNIQUE", b""), after.replace(b"UNIQUE", b"")
            if before[:2] in (b"\xff\xfe", b"\xfe\xff") or before[:3] == b"\xef\xbb\xbf":
                before = b"x" + before
            lab.put("a.txt", before + b"UNIQUE" + after)
            answer = lab.call("file_edit", {"path": "a.txt", "edits": [
                {"old_text": "UNIQUE", "new_text": "REPLACED"}]})
            check(not answer.is_error, f"{i}: {answer.text[:200]}")
            equal(lab.read("a.txt"), before + b"REPLACED" + after, f"bytes of {i}")
        lab.put("nul.txt", b"one\0two")
        lab.refused("nul.txt", "binary", {"file_edit": CHANGES["file_edit"],
                                          "edit_file": CHANGES["edit_file"],
                                          "MultiEdit": CHANGES["MultiEdit"],
                                          "editFile": CHANGES["editFile"]})


def line_ends():
    """Line ends, a BOM, UTF-16, no end of the last line: what is not edited is as it was."""
    chance = random.Random(7)
    codecs = [(b"", "utf-8"), (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"),
              (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe\0\0", "utf-32-le")]
    with Lab() as lab:
        for i in range(60):
            bom, codec = codecs[i % len(codecs)]
            ends = chance.choice([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\n", "\r\n", "\r"]])
            lines = ["".join(chance.choice("ab \t\u00e9\u4e2d") for _ in range(chance.randrange(8)))
                     for _ in range(chance.randrange(1, 12))]
            at = chance.randrange(len(lines))
            lines[at] += "UNIQUE"
            text = "".join(line + chance.choice(ends) for line in lines)
            if chance.random() < 0.5:
                text = text.rstrip("\r\n")
            lab.put("a.txt", bom + text.encode(codec))
            tool, arguments = chance.choice([
                ("file_edit", {"path": "a.txt",
                               "edits": [{"old_text": "UNIQUE", "new_text": "NEW"}]}),
                ("editFile", {"file": "a.txt",
                              "operations": [{"search": "UNIQUE", "replace": "NEW"}]}),
                ("MultiEdit", {"path": "a.txt",
                               "edits": [{"old_string": "UNIQUE", "new_string": "NEW"}]})])
            answer = lab.call(tool, arguments)
            check(not answer.is_error, f"{i}: {answer.text[:200]}")
            equal(lab.read("a.txt"), bom + text.replace("UNIQUE", "NEW").encode(codec), f"{i} {tool}")


def times():
    """Who changed it is told by content, not by the clock."""
    with Lab() as lab:
        path = lab.put("a.txt", "one 1\n")
        with Server(lab) as server:
            read = server.call("Read", {"path": "a.txt"})["result"]["structuredContent"]
            st = path.stat()
            path.write_text("one 2\n")  # as long, and with the old time put back
            os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))
            equal(path.stat().st_mtime_ns, st.st_mtime_ns, "time")
            answer = server.call("Edit", {"path": "a.txt", "old_string": "one", "new_string": "two"})
            equal(answer["result"]["structuredContent"]["error"]["code"], "CONFLICT", "the same time")
            path.unlink()
            path.write_text("one 1\n")  # another file, perhaps of the same inode
            os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))
            answer = server.call("Edit", {"path": "a.txt", "old_string": "one", "new_string": "two"})
            check(not answer["result"]["isError"], "the content that was read is there again")
            check(read, "")
        for moment in (0, 2**33, -1):  # clocks that are wrong do not matter
            lab.put("a.txt")
            os.utime(path, (moment, moment))
            lab.edited("a.txt")
            check(path.stat().st_mtime != moment, "the time of the change")
    sweeps("sweep_change", "edit")
