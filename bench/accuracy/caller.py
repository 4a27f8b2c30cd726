"""How emend is called: one `emend batch` for any number of calls, and the arguments of each dialect."""
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

FLAGS = ("--no-history", "--sync", "off")


@dataclass(frozen=True)
class Dialect:
    """A tool that replaces text. `texts`: what it calls the search text and the replacement."""

    tool: str
    path: str
    texts: tuple
    listed: str = None  # the list that holds the edits, where there is one

    def arguments(self, path, search, replace, match=None):
        edit = dict(zip(self.texts, (search, replace)))
        made = {self.path: path, **({self.listed: [edit]} if self.listed else edit)}
        return {**made, "match": match} if match else made


DIALECTS = {d.tool: d for d in (
    Dialect("editFile", "file", ("search", "replace"), "operations"),
    Dialect("file_edit", "path", ("old_text", "new_text"), "edits"),
    Dialect("MultiEdit", "path", ("old_string", "new_string"), "edits"),
    Dialect("Edit", "path", ("old_string", "new_string")),
    Dialect("edit_file", "file_path", ("old_string", "new_string")),
    Dialect("mcp__editor__Edit", "file_path", ("old_text", "new_text"), "edits"),
)}


class Workplace:
    """A folder with one file a case, and the calls made there."""

    def __init__(self, emend, cases, jobs):
        self.emend, self.jobs = str(Path(emend).resolve()), jobs
        self.folder = tempfile.TemporaryDirectory(prefix="accuracy-", dir=memory_folder())
        self.root = Path(self.folder.name) / "root"
        self.root.mkdir()
        self.names = {case["id"]: f"{at:05}{os.path.splitext(case['path'])[1][:8]}"
                      for at, case in enumerate(cases)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def lay(self, cases):
        """Every file as it was before any call."""
        for case in cases:
            (self.root / self.names[case["id"]]).write_bytes(case["file_before"].encode())

    def held(self, case):
        """What the case's file holds now."""
        return (self.root / self.names[case["id"]]).read_bytes().decode("utf-8", "surrogateescape")

    def call(self, calls):
        """{id: answer} of a list of (id, tool, arguments)."""
        lines = "".join(json.dumps({"id": i, "tool": tool, "arguments": arguments}) + "\n"
                        for i, tool, arguments in calls)
        command = [self.emend, "batch", "--root", str(self.root), "--jobs", str(self.jobs),
                   "--state-dir", str(Path(self.folder.name) / "state"), *FLAGS]
        done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if len(answers) != len(calls):
            raise RuntimeError(f"emend batch: {len(answers)} answers to {len(calls)} calls, exit status "
                               f"{done.returncode}: {done.stderr.decode('utf-8', 'replace')[-500:]}")
        return {answer["id"]: answer for answer in answers}


def memory_folder():
    """Where files are no disk's business, if there is such a place."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
