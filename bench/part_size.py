"""One edit of files of many sizes, beside copies of them.

The files are too large to be laid anew for each run: the place goes to and fro, and when all runs are
over every byte is compared.
"""
import functools
import json
import os
import shutil

import inputs
from contest import Failed, ratio, take_turns
from contestants import EmendCall, file_edit, is_refusal, ran_well
from inputs import GB, MB
from judge import CODEX, CP, CP_AND_MV, DURABLE, DURABLE_CP, EMEND, PERL, PROCESS, as_data
from processes import Command, peak_of

LIMITS = ["--max-file-size", "32G"]
PEERS_MOST = 100 * MB
COPIES_BEFORE = 3  # with one, a change of 1 GB still took from .3 to 2 s
COPIED_BEFORE_MOST = 2 * GB  # larger ones take all memory there is in any case


class BigFile:
    def __init__(self, path, size):
        self.path = path
        self.pieces, [(old, new)] = inputs.big_pieces(size)
        self.ways = [(old, new), (new, old)]
        with open(path, "wb") as file:
            for piece in self.content(edited=False):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())

    def content(self, edited):
        """Piece by piece."""
        old, new = (text.encode() for text in self.ways[0])
        for piece, often in self.pieces:
            for _ in range(often):
                yield piece.replace(old, new) if edited else piece

    def holds(self, edited):
        with open(self.path, "rb") as file:
            same = all(file.read(len(piece)) == piece for piece in self.content(edited))
            return same and not file.read(1)


def begin_alike(big):
    """What the runs before have written and the disk has not goes there first: who writes when it has
    become too much is made to wait, whoever wrote it.

    Then so much memory is used and given back that nobody takes other: memory that a machine of a
    host's has not used for a while has to come from the host first, which takes several times as long
    as the copy, and without this it was whoever came behind a large file that had gone who was spared."""
    os.sync()
    if big.path.stat().st_size > COPIED_BEFORE_MOST:
        return
    copies = [big.path.with_suffix(f".{number}") for number in range(COPIES_BEFORE)]
    for copy in copies:
        shutil.copyfile(big.path, copy)
    for copy in copies:
        copy.unlink()


class ToAndFro:
    """A runner whose first run makes the edit, whose second takes it back, and so on: `ways` are two
    functions that do so, and give how many seconds it took."""

    def __init__(self, name, big, ways):
        self.name, self.big, self.ways = name, big, ways
        self.turn = 0

    def prepare(self):
        begin_alike(self.big)

    def run(self):
        seconds = self.ways[self.turn % 2]()
        self.turn += 1
        return seconds

    def wrong(self):
        return ""

    def checked(self):
        """What wrong() would say, for all runs at once."""
        return "" if self.big.holds(self.turn % 2 == 1) else "another text"

    def drop(self):
        self.big.path.unlink()


def processes(name, big, commands):
    return ToAndFro(name, big, [functools.partial(ran_well, command) for command in commands])


class Copy:
    """A runner: `cp`. The copy goes as soon as it was looked at: pages that were freed a moment ago are
    quicker to have than others, so nobody begins with its own."""

    def __init__(self, place, big):
        self.name, self.big, self.copy = CP, big, place.new("copy")
        self.command = Command(["cp", big.path, self.copy], place.env)

    def prepare(self):
        begin_alike(self.big)

    def run(self):
        return ran_well(self.command)

    def wrong(self):
        same = self.copy.stat().st_size == self.big.path.stat().st_size
        self.copy.unlink()
        return "" if same else "not a copy"

    def checked(self):
        return ""

    def drop(self):
        pass


class CopyInPlace(Copy):
    """All that puts a copy in the file's place, as an edit does; durably, what W3 is measured against."""

    def __init__(self, place, big, durable):
        super().__init__(place, big)
        self.name = DURABLE_CP if durable else CP_AND_MV
        steps = [f"cp {big.path} {self.copy}", f"sync {self.copy}", f"mv {self.copy} {big.path}",
                 f"sync {place.root}"]
        self.command = Command(["sh", "-c", " && ".join(steps if durable else steps[::2])], place.env)
        self.length = 0

    def prepare(self):
        super().prepare()
        self.length = self.big.path.stat().st_size

    def wrong(self):
        return "" if self.big.path.stat().st_size == self.length else "not a copy"


def emend_call(place, big, way, sync):
    given = place.new("json")
    given.write_text(json.dumps(file_edit(big.path, [way])), encoding="utf-8")
    return [place.emend, "call", "file_edit", *place.emend_flags("--sync", sync, *LIMITS)], given


def emend_to_and_fro(name, place, big, sync):
    calls = [emend_call(place, big, way, sync) for way in big.ways]
    return processes(name, big, [Command(argv, place.env, stdin=given) for argv, given in calls])


def called(server, arguments):
    """Seconds."""
    result, seconds, _ = server.call(EmendCall.tool, arguments)
    if is_refusal(result):
        raise Failed("refused")
    return seconds


def served_to_and_fro(server, big):
    return ToAndFro(EMEND, big, [functools.partial(called, server, file_edit(big.path, [way]))
                                 for way in big.ways])


def perl_to_and_fro(place, big):
    scripts = [rf"s/\Q{old}\E/{new}/" for old, new in big.ways]
    return processes(PERL, big, [Command(["perl", "-0pi", "-e", script, big.path], place.env)
                                 for script in scripts])


def codex_to_and_fro(place, big, peer):
    made = [peer.runner(place, inputs.Workload("n", "", b"", b"", [way])) for way in big.ways]
    for runner in made:
        runner.change(big.path)
    return processes(CODEX, big, [runner.command for runner in made])


def of_size(bench, size, server):
    """{who: runner}"""
    place = bench.place

    def big():
        return BigFile(place.new("c"), size)

    ours = emend_to_and_fro(PROCESS, place, big(), "off")
    found = {EMEND: served_to_and_fro(server, big()), PROCESS: ours, CP: Copy(place, ours.big),
             DURABLE: emend_to_and_fro(DURABLE, place, big(), "full")}
    found[DURABLE_CP] = CopyInPlace(place, found[DURABLE].big, durable=True)
    found[CP_AND_MV] = CopyInPlace(place, ours.big, durable=False)
    if size <= PEERS_MOST:
        if bench.perl:
            found[PERL] = perl_to_and_fro(place, big())
        if CODEX in bench.peers:
            found[CODEX] = codex_to_and_fro(place, big(), bench.peers[CODEX])
    return found


def sizes(bench):
    """One edit of a file of n bytes, and a copy of it."""
    data, times, wrong = {}, {}, {}
    server = bench.server("--sync", "off", *LIMITS)
    for size in (MB, 4 * MB) if bench.quick else (MB, 10 * MB, 100 * MB, GB):
        runners = of_size(bench, size, server)
        times[size] = bench.turns(runners, 11 if size <= PEERS_MOST else 7, 30)
        for who, runner in runners.items():
            said = times[size][who].wrong or runner.checked()
            if said:
                wrong.setdefault(who, []).append(f"{inputs.size_name(size)}: {said}")
            elif times[size][who].median() is not None:
                data.setdefault(who, []).append([size, times[size][who].median() * 1000])
        for runner in runners.values():
            runner.drop()
    judge_copying(bench, times, wrong, "a call, neither synced", EMEND, CP)
    judge_copying(bench, times, wrong, "a process, neither synced", PROCESS, CP)
    judge_copying(bench, times, wrong, "a process, neither synced, both replace the file", PROCESS, CP_AND_MV)
    judge_copying(bench, times, wrong, "a process, both durable", DURABLE, DURABLE_CP)
    for who, what in ((EMEND, "a call"), (PROCESS, "a process"), (DURABLE, "a process, durable")):
        judge_linear(bench, what, dict(data.get(who, [])))
    return data


def judge_copying(bench, times, wrong, what, ours, theirs):
    found = {size: ratio(of_one[theirs], of_one[ours]) for size, of_one in times.items()}
    shown = ", ".join(f"{inputs.size_name(size)}: {one.median:.2f}"
                      for size, one in found.items() if one)
    least = min((one.median if one else 0 for one in found.values()), default=0)
    against = theirs.partition(",")[0]
    bench.judged(f"{span(times)}, one edit, {what}: throughput", f"≥ 0.6 × {against}",
                "; ".join([f"{shown} × {against}", *wrong.get(ours, [])]),
                ours not in wrong and least >= 0.6)


def span(times):
    return f"n = {inputs.size_name(min(times))} to {inputs.size_name(max(times))}"


def judge_linear(bench, what, ours):
    """{size: milliseconds}"""
    if len(ours) < 2:
        return
    before, last = sorted(ours)[-2:]
    steeper = (ours[last] / last) / (ours[before] / before)
    bench.judged(f"{span(ours)}, {what}, linear", "a byte of the largest ≤ 1.5 × one of the next",
                f"{steeper:.2f} ×", steeper <= 1.5)


def large(bench):
    """A file of 10 GB, within 64 MB."""
    what, goal, most = "peak memory, one edit of 10 GB", "≤ 64 MB", 64 * MB
    if not bench.large:
        bench.judged(what, goal, "only with --large", None)
        return None
    place, big = bench.place, BigFile(bench.place.new("c"), 10 * GB // bench.scale)
    runner, copy = emend_to_and_fro(PROCESS, place, big, "off"), Copy(place, big)
    times = take_turns({PROCESS: runner, CP: copy}, 1, 3600)
    copy.drop()
    argv, given = emend_call(place, big, big.ways[runner.turn % 2], "full")
    peak = peak_of(bench.tools.peak, place.env, [*argv, given])
    runner.turn += 1
    wrong = times[PROCESS].wrong or runner.checked()
    runner.drop()
    bench.judged(what, goal, ", ".join([f"{peak / MB:.1f} MB", wrong]).rstrip(", "),
                peak <= most and not wrong)
    found = ratio(times[CP], times[PROCESS])
    if found:
        bench.judged("n = 10 GB, neither synced: throughput", "≥ 0.6 × cp", f"{found.median:.2f} × cp",
                    found.median >= 0.6)
    return {"peak_mb": peak / MB, **{who: as_data(of_one) for who, of_one in times.items()}}
