"""Those who make the edits of a workload: emend in its ways, and tools that everybody has.

Each is a way to make a runner (contest.py) of a workload. Every run begins with the file as it was
before, written and synced anew, and every result is read back and compared, byte by byte.
"""
import difflib
import json
import os
import shutil

from contest import CUT_OFF_S, Failed, TooSlow
from inputs import NEAR
from processes import Command, Pipe, Server


class Place:
    """Where a run of the benchmark has its files."""

    def __init__(self, folder, emend, env):
        self.folder, self.emend, self.env = folder, str(emend), env
        self.root, self.state = folder / "files", folder / "state"
        for made in (self.root, self.state):
            made.mkdir(parents=True)
        self.state.chmod(0o700)
        self.made = 0
        self.open_pipes = []

    def new(self, suffix):
        self.made += 1
        return self.root / f"{self.made:03}.{suffix}"

    def opened(self, pipe):
        self.open_pipes.append(pipe)
        return pipe

    def emend_flags(self, *more):
        return ["--root", self.root, "--state-dir", self.state, *more]

    def close(self):
        for pipe in self.open_pipes:
            pipe.close()
        self.open_pipes = []


def lay(path, content):
    """The file holds `content`, and the disk has it."""
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


class OfWorkload:
    """A runner: what all of them share."""

    name = "?"

    def __init__(self, place, workload):
        self.place, self.workload = place, workload
        self.path = place.new("c")

    def prepare(self):
        lay(self.path, self.workload.before)

    def wrong(self):
        content = self.path.read_bytes()
        return "" if content == self.workload.after else what_is_wrong(self.workload, content)


def what_is_wrong(workload, content):
    """In a few words. The file is not as it should be."""
    if content == workload.before:
        return "refused"
    if content.split() != workload.after.split():
        return "another text"
    # The right lines with other blanks before them: is the depth of most of them still there?
    right, is_there = (set(text.splitlines()) for text in (workload.after, content))
    lost = len(right - is_there)
    return "mixed indentation" if lost < 5 else "indentation destroyed"


# ---- emend --------------------------------------------------------------------------------------


def file_edit(path, edits, match="exact", dry_run=False, places=1):
    each = {"occurrences": places} if places > 1 else {}
    arguments = {"path": str(path), "edits": [{"old_text": o, "new_text": n, **each} for o, n in edits]}
    if match != "exact":
        arguments["match"] = match
    if dry_run:
        arguments["dry_run"] = True
    return arguments


def check_hint(workload, text):
    """The answer to a search that must fail shows the text that is meant, or names its lines."""
    first, last = workload.near
    if f"{first}-{last}" in text or NEAR in text:
        return ""
    searched = workload.edits[0][0]
    shown = [line for line in text.splitlines() if len(line.strip()) > 20 and line not in searched]
    of_file = set(workload.before.decode().splitlines())
    return "wrong hint" if any(line in of_file for line in shown) else "no hint"


def dry(workload):
    """Where nothing is to change but something is found, it is a dry run."""
    return workload.before == workload.after and not workload.near


class EmendProcess(OfWorkload):
    name = "emend, process"

    def __init__(self, place, workload, *flags, sync="off"):
        super().__init__(place, workload)
        self.given, self.answer = place.new("json"), place.new("answer.json")
        arguments = file_edit(self.path, workload.edits, workload.match, dry(workload), workload.places)
        self.given.write_text(json.dumps(arguments), encoding="utf-8")
        argv = [place.emend, "call", "file_edit", *place.emend_flags("--sync", sync, *flags)]
        self.command = Command(argv, place.env, stdin=self.given, output=self.answer)

    def run(self):
        seconds, status = self.command.run()
        if (status == 0) == bool(self.workload.near):
            raise Failed(f"exit status {status}")
        return seconds

    def wrong(self):
        if self.workload.near:
            hint = check_hint(self.workload, self.answer.read_text(encoding="utf-8"))
            return hint or super().wrong()
        return super().wrong()


class McpCall(OfWorkload):
    """A call to a server that is there already."""

    tool = "?"

    def __init__(self, place, workload, server):
        super().__init__(place, workload)
        self.server, self.answers = server, []

    def change(self, path):
        self.path = path

    def calls(self):
        """The arguments of the calls that the workload takes."""
        raise NotImplementedError

    def run(self):
        self.answers, total = [], 0.0
        for arguments in self.calls():
            result, seconds, size = self.server.call(self.tool, arguments)
            self.answers.append((result, size))
            total += seconds
            if total > CUT_OFF_S:
                raise TooSlow()
        failed = any(is_refusal(result) for result, _ in self.answers)
        if failed and not self.workload.near:
            raise Failed("refused")
        return total

    def wrong(self):
        if self.workload.near:
            text = " ".join(text_of(result) for result, _ in self.answers)
            return check_hint(self.workload, text) or super().wrong()
        return super().wrong()


def text_of(result):
    return " ".join(item.get("text", "") for item in result.get("content", []))


def is_refusal(result):
    """Some servers do not say isError."""
    return result.get("isError") or text_of(result).startswith(("Error", "Search content not found"))


class EmendCall(McpCall):
    name, tool = "emend", "file_edit"

    def calls(self):
        return [file_edit(self.path, self.workload.edits, self.workload.match, dry(self.workload),
                          self.workload.places)]


def emend_server(place, *flags):
    argv = [place.emend, "mcp", *place.emend_flags("--tools", EmendCall.tool, *flags)]
    server = place.opened(Server(argv, place.env))
    server.started_after = server.initialize()
    return server


# ---- Peers --------------------------------------------------------------------------------------


class FilesystemCall(McpCall):
    name, tool = "MCP filesystem server", "edit_file"

    def calls(self):
        return [{"path": str(self.path),
                 "edits": [{"oldText": o, "newText": n} for o, n in self.workload.edits],
                 "dryRun": dry(self.workload)}]


class CommanderCall(McpCall):
    """One text a call."""

    name, tool = "desktop-commander", "edit_block"

    def calls(self):
        return [{"file_path": str(self.path), "old_string": old, "new_string": new}
                for old, new in self.workload.edits]


def patch(path, edits):
    """The edits as apply_patch takes them."""
    lines = ["*** Begin Patch", f"*** Update File: {path}"]
    for old, new in edits:
        lines.append("@@")
        difference = difflib.ndiff(old.splitlines(), new.splitlines())
        lines += [line[0] + line[2:] for line in difference if line[0] != "?"]
    return "\n".join([*lines, "*** End Patch", ""])


class CodexProcess(OfWorkload):
    name = "codex apply_patch"

    def __init__(self, place, workload, apply_patch):
        super().__init__(place, workload)
        self.given = place.new("patch")
        self.change(self.path)
        self.command = Command([apply_patch], place.env, stdin=self.given)

    def change(self, path):
        self.path = path
        self.given.write_text(patch(path, self.workload.edits), encoding="utf-8")

    def run(self):
        seconds, status = self.command.run()
        if status != 0 and not self.workload.near:
            raise Failed("refused")
        return seconds

    def wrong(self):
        return "no hint" if self.workload.near else super().wrong()


def perl_script(workload):
    every = "g" if workload.places > 1 else ""
    return ";".join(rf"s/\Q{old}\E/{new}/{every}" for old, new in workload.edits)


class PerlProcess(OfWorkload):
    name = "perl -0pi"

    def __init__(self, place, workload):
        super().__init__(place, workload)
        self.command = Command(["perl", "-0pi", "-e", perl_script(workload), self.path], place.env)

    def run(self):
        return ran_well(self.command)


class CpProcess(OfWorkload):
    """A copy beside the file: all that it does is move the bytes. It goes as soon as it was compared: pages
    that were freed a moment ago are quicker to have than others, so nobody begins with its own."""

    name = "cp"

    def __init__(self, place, workload):
        super().__init__(place, workload)
        self.copy = place.new("copy")
        self.command = Command(["cp", self.path, self.copy], place.env)

    def run(self):
        return ran_well(self.command)

    def wrong(self):
        same = self.copy.read_bytes() == self.workload.before
        self.copy.unlink()
        return "" if same else "not a copy"


class FloorCall(OfWorkload):
    """floor.c over a pipe."""

    name = "floor"

    def __init__(self, place, workload, pipe):
        super().__init__(place, workload)
        self.pipe = pipe
        self.change(self.path)

    def change(self, path):
        old, new = self.workload.edits[0]
        self.path, self.line = path, f"{path}\t{old}\t{new}\n".encode()

    def run(self):
        answer, seconds = self.pipe.ask(self.line)
        if answer != b"ok":
            raise Failed(answer.decode())
        return seconds


def floor_pipe(place, program):
    return place.opened(Pipe([program], place.env))


def ran_well(command):
    seconds, status = command.run()
    if status != 0:
        raise Failed(f"exit status {status}")
    return seconds


# ---- With the same durability -------------------------------------------------------------------


class Durable(OfWorkload):
    """A shell that does it and syncs what emend syncs: the file and its folder."""

    def __init__(self, place, workload, name, steps):
        super().__init__(place, workload)
        self.name = name
        words = {"file": self.path, "new": place.new("new"), "folder": place.root}
        script = " && ".join(step.format(**words) for step in steps)
        self.command = Command(["sh", "-c", script], place.env)

    def run(self):
        return ran_well(self.command)


class DurableCp(Durable):
    def __init__(self, place, workload):
        super().__init__(place, workload, "cp", ["cp {file} {new}", "sync {new}", "mv {new} {file}",
                                                 "sync {folder}"])

    def wrong(self):
        return "" if self.path.read_bytes() == self.workload.before else "not a copy"


def durable_perl(place, workload):
    script = perl_script(workload)
    return Durable(place, workload, "perl -0pi",
                   [f"perl -0pi -e '{script}' {{file}}", "sync {file}", "sync {folder}"])


def emend_durable(place, workload):
    return EmendProcess(place, workload, sync="full")


def there(program):
    return shutil.which(program) is not None
