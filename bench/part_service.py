"""Starting, small calls, memory, batches, answers, what is linked."""
import json
import os
import subprocess

import inputs
from contest import ratio
from contestants import (EmendCall, EmendProcess, FloorCall, PerlProcess, emend_server, file_edit,
                         floor_pipe, ran_well)
from inputs import KB, MB
from judge import CP, EMEND, FLOOR, PERL, PROCESS, as_data
from processes import Command, peak_of

TLS = ("libssl", "libgnutls", "libcrypto", "mbedtls", "libcurl")


class Started:
    """A server from the start of its process to its first answer."""

    def __init__(self, name, start):
        self.name, self.start = name, start
        self.peak = 0

    def prepare(self):
        pass

    def run(self):
        server = self.start()
        try:
            seconds = server.started_after
            self.peak = server.peak_memory()
        finally:
            server.close()
        return seconds

    def wrong(self):
        return ""


class Ended:
    """A process that does nothing."""

    def __init__(self, name, argv, env):
        self.name, self.command = name, Command(argv, env)
        self.peak = None

    def prepare(self):
        pass

    def run(self):
        return self.command.run()[0]

    def wrong(self):
        return ""


def start(bench):
    place = bench.place

    def unlisted(make):
        def started():
            server = make()
            place.open_pipes.remove(server)
            return server
        return started

    runners = {"true": Ended("true", ["true"], place.env),
               EMEND: Started(EMEND, unlisted(lambda: emend_server(place))),
               "emend --version": Ended("emend --version", [place.emend, "--version"], place.env),
               CP: Ended(CP, ["cp", "--version"], place.env)}
    if bench.perl:
        runners[PERL] = Ended(PERL, ["perl", "-e", "1"], place.env)
    for name, peer in bench.peers.items():
        if hasattr(peer, "start"):
            runners[name] = Started(name, unlisted(lambda peer=peer: peer.start(place)))
        else:
            runners[name] = Ended(name, [peer.program], place.env)
    times = bench.turns(runners, 101, 8)
    bench.at_most("start to first answer", 3, ratio(times[EMEND], times["true"]), "true")
    peak = runners[EMEND].peak / MB
    bench.judged("start to first answer, memory", "≤ 8 MB", f"{peak:.1f} MB", peak <= 8)
    return {who: {**as_data(of_one), "mb": runners[who].peak / MB if runners[who].peak else None}
            for who, of_one in times.items()}


def calls(bench):
    """Calls on a file of 10 KB over one pipe, without syncs, in blocks by turns."""
    place, block, blocks = bench.place, 25, 4 if bench.quick else 60
    workload = bench.workloads["W1"]
    there = inputs.Workload("there", "", workload.before, workload.after, workload.edits)
    back = inputs.Workload("back", "", workload.after, workload.before,
                           [(new, old) for old, new in workload.edits])
    floor = floor_pipe(place, bench.tools.floor)
    servers = {"with history": bench.server("--sync", "off"),
               "--no-history": bench.server("--sync", "off", "--no-history")}
    runners = {FLOOR: [FloorCall(place, way, floor) for way in (there, back)]}
    for name, server in servers.items():
        runners[name] = [EmendCall(place, way, server) for way in (there, back)]
    for both in runners.values():
        both[1].change(both[0].path)
        both[0].prepare()
    seconds = {name: [] for name in ("the pipe alone", *runners)}
    for turn in range(blocks):
        of_pipe = [floor.ask(b"\n")[1] for _ in range(block)]
        for name, both in runners.items():
            taken = [both[i % 2].run() for i in range(block * 2)]
            seconds[name] += taken if turn else []  # the first block warms up
        seconds["the pipe alone"] += of_pipe if turn else []
    wrong = [name for name, both in runners.items() if both[1].wrong()]
    return judge_calls(bench, seconds, wrong)


def judge_calls(bench, seconds, wrong):
    p50 = {name: sorted(taken)[len(taken) // 2] for name, taken in seconds.items()}
    for name, bound in (("--no-history", 2), ("with history", 3.5)):
        times = p50[name] / p50[FLOOR]
        said = f"{times:.2f} × ({p50[name] * 1e6:.0f} µs)" + (": wrong" if name in wrong else "")
        bench.judged(f"a call on 10 KB, --sync off, {name}",
                    f"p50 ≤ {bound:g} × floor.c ({p50[FLOOR] * 1e6:.0f} µs)", said,
                    times <= bound and name not in wrong)
    return {name: {"p50_us": p50[name] * 1e6, "p99_us": sorted(taken)[len(taken) * 99 // 100] * 1e6,
                   "calls": len(taken)} for name, taken in seconds.items()}


def memory(bench):
    """The most that each has in memory for W3."""
    place, workload = bench.place, bench.workloads["W3"]
    size, peaks = len(workload.before), {}
    runner = EmendProcess(place, workload)
    runner.prepare()
    peaks[PROCESS] = peak_of(bench.tools.peak, place.env, [*runner.command.argv, runner.given])
    server = bench.server()
    call = EmendCall(place, workload, server)
    call.prepare()
    call.run()
    peaks[EMEND] = server.peak_memory()
    if bench.perl:
        perl = PerlProcess(place, workload)
        perl.prepare()
        peaks[PERL] = peak_of(bench.tools.peak, place.env, perl.command.argv)
    for name, peer in bench.peers.items():
        other = peer.runner(place, workload)
        other.prepare()
        if hasattr(peer, "start"):
            server = peer.start(place)
            other.server = server
            other.run()
            peaks[name] = server.peak_memory()
        else:
            script = f'exec "{peer.program}" < "{other.given}"'
            peaks[name] = peak_of(bench.tools.peak, place.env, ["sh", "-c", script])
    for who in (EMEND, PROCESS):
        times = peaks[who] / size
        bench.judged(f"peak memory, W3, {'a call' if who == EMEND else 'a process'}", "≤ 1.3 × the file",
                    f"{times:.2f} × ({peaks[who] / MB:.1f} MB)", times <= 1.3)
    return {who: peak / MB for who, peak in peaks.items()}


# ---- Batches, answers, what is linked -----------------------------------------------------------


class Batch:
    """Many calls on as many files, one batch."""

    def __init__(self, place, jobs, workload, count):
        self.name, self.workload = f"{jobs} jobs", workload
        self.files = [place.new("c") for _ in range(count)]
        given, self.answer = place.new("ndjson"), place.new("answers")
        given.write_text("".join(
            json.dumps({"id": i, "tool": "file_edit", "arguments": file_edit(path, workload.edits)}) + "\n"
            for i, path in enumerate(self.files)), encoding="utf-8")
        argv = [place.emend, "batch", "--jobs", jobs, *place.emend_flags("--sync", "off")]
        self.command = Command(argv, place.env, stdin=given, output=self.answer)

    def prepare(self):
        for path in self.files:
            path.write_bytes(self.workload.before)

    def run(self):
        return ran_well(self.command)

    def wrong(self):
        ids = [json.loads(line)["id"] for line in self.answer.read_text(encoding="utf-8").splitlines()]
        if ids != list(range(len(self.files))):
            return "answers out of order"
        right = all(path.read_bytes() == self.workload.after for path in self.files)
        return "" if right else "another text"


def batch(bench):
    cores = os.cpu_count() or 1
    workload, count = inputs.plain("batch", MB // bench.scale, 10), 8 if bench.quick else 100
    jobs = sorted({1, cores, 2 * cores})
    times = bench.turns({number: Batch(bench.place, number, workload, count) for number in jobs}, 9, 40)
    found, wanted = ratio(times[1], times[cores]), 0.75 * cores
    wrong = [times[number].wrong for number in jobs if times[number].wrong]
    reached = found is not None and found.median >= wanted and not wrong
    bench.judged(f"batch --jobs {cores}, {count} files of {inputs.size_name(MB // bench.scale)}",
                f"≥ {wanted:g} × faster than --jobs 1, answers in order",
                "; ".join([f"{found.median:.2f} ×" if found else "", *wrong]),
                reached if cores > 1 else None)
    return {str(number): as_data(of_one) for number, of_one in times.items()}


def answers(bench):
    """Bytes of the answer to one call of many edits."""
    most = 10_000 // bench.scale
    server = bench.server("--sync", "off", "--max-edits", "100000")
    found = {}
    for count in (1, 10, 100, 1000, 10_000):
        if count <= most:
            call = EmendCall(bench.place, inputs.plain("m", 10 * MB // bench.scale, count), server)
            call.prepare()
            call.run()
            found[count] = call.answers[0][1]
    many, most_of_all = max(n for n in found if n <= 1000), max(found)
    bench.judged("the answer to a call of many edits", f"bounded: {most_of_all:,} edits ≤ 1.25 × {many:,}",
                 ", ".join(f"{count:,}: {size / KB:.1f} KB" for count, size in found.items()),
                 found[most_of_all] <= 1.25 * found[many])
    return {str(count): size for count, size in found.items()}


def linked(bench):
    """What the executable needs of TLS: nothing."""
    done = subprocess.run(["ldd", bench.place.emend], capture_output=True, text=True, check=False)
    libraries = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
    tls = [name for name in libraries if any(word in name for word in TLS)]
    bench.judged("libraries of TLS that emend is linked to", "none", ", ".join(tls) or "none",
                not tls if libraries else None)
    return libraries
