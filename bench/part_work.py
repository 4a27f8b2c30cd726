"""W1 to W7, and many edits in one call."""
import math

import inputs
from contest import Failed, TooSlow, ratio
from contestants import (CpProcess, DurableCp, EmendCall, EmendProcess, FloorCall, PerlProcess,
                         durable_perl, emend_durable, floor_pipe)
from inputs import MB
from judge import CODEX, CP, DURABLE, DURABLE_CALL, EMEND, FILESYSTEM, FLOOR, PERL, PROCESS, as_data, lines_of

MANY = ("--max-edits", "100000")


def contestants_of(bench, workload, server, floor):
    """{who: runner} of one workload; nobody syncs."""
    place = bench.place
    found = {EMEND: EmendCall(place, workload, server),
             PROCESS: EmendProcess(place, workload, *MANY)}
    for name, peer in bench.peers.items():
        try:
            found[name] = peer.runner(place, workload)
        except (Failed, TooSlow, OSError) as why:
            bench.lost[name] = f"does not start: {why}"
    bench.peers = {name: peer for name, peer in bench.peers.items() if name not in bench.lost}
    if len(workload.edits) == 1 and workload.match == "exact":
        found |= {CP: CpProcess(place, workload), FLOOR: FloorCall(place, workload, floor)}
        if bench.perl:
            found[PERL] = PerlProcess(place, workload)
    return found


def table(bench):
    """W1 to W7 by everybody, without syncs."""
    server = bench.server("--sync", "off")
    floor = floor_pipe(bench.place, bench.tools.floor)
    runners = {}
    for name, workload in bench.workloads.items():
        if name == "W7 found":  # it is there for the sake of a ratio of our own
            runners[name, EMEND] = EmendCall(bench.place, workload, server)
            continue
        for who, runner in contestants_of(bench, workload, server, floor).items():
            runners[name, who] = runner
    times = bench.turns(runners, 21)
    # ratios of our own, which differ little from their goals: of more rounds, by themselves
    own = bench.turns({name: runner for (name, who), runner in runners.items() if who == EMEND}, 81)

    def held(one, other):
        return ratio(times[one], times[other]) if one in times and other in times else None

    right = not times["W6", EMEND].wrong
    bench.at_most("W5, a call", 2, ratio(own["W5"], own["W3"]), "W3")
    bench.at_least_faster("W5, a process", 5, held(("W5", CODEX), ("W5", PROCESS)), "codex")
    bench.at_most("W6, a call", 1.5, ratio(own["W6"], own["W2"]), "W2")
    bench.judged("W6, indentation", "right", "right" if right else times["W6", EMEND].wrong, right)
    bench.at_most("W7, a call", 5, ratio(own["W7"], own["W7 found"]), "the exact search")
    bench.at_least_faster("W7, a call", 2, held(("W7", FILESYSTEM), ("W7", EMEND)), FILESYSTEM)
    hint = times["W7", EMEND].wrong
    bench.judged("W7, hint", "names the lines that are meant", hint or "named", not hint)
    bench.at_least_faster("W3, a call, neither synced", 15, held(("W3", FILESYSTEM), ("W3", EMEND)),
                          FILESYSTEM)
    data = {}
    for (name, who), of_one in times.items():
        data.setdefault(name, {})[who] = as_data(of_one)
    return {"what": {name: workload.what for name, workload in bench.workloads.items()}, "times": data}


def durable(bench):
    """W3 as processes that leave the same behind: the file and its folder are on the disk."""
    place, workload = bench.place, bench.workloads["W3"]
    runners = {EMEND: emend_durable(place, workload), CP: DurableCp(place, workload)}
    if bench.perl:
        runners[PERL] = durable_perl(place, workload)
    if FILESYSTEM in bench.peers:
        runners[FILESYSTEM] = bench.peers[FILESYSTEM].runner(place, workload)
    times = bench.turns(runners, 21, 30)
    bench.at_most("W3, a process, durable", 1.6, ratio(times[EMEND], times[CP]), CP)
    others = {who: ratio(times[who], times[EMEND]) for who in (PERL, FILESYSTEM) if who in times}
    bench.at_least_faster("W3, a process, durable", 1, others.get(PERL), PERL)
    bench.at_least_faster("W3, a process, durable", 15, others.get(FILESYSTEM),
                          f"{FILESYSTEM} (a call, not synced)")
    return {who: as_data(of_one) for who, of_one in times.items()}


def of_count(bench, size, count, server, durable_server):
    """{who: runner} of `count` edits in one call."""
    place, workload = bench.place, inputs.plain("m", size, count)
    found = {EMEND: EmendCall(place, workload, server),
             DURABLE_CALL: EmendCall(place, workload, durable_server),
             PROCESS: EmendProcess(place, workload, *MANY),
             DURABLE: EmendProcess(place, workload, *MANY, sync="full")}
    for name in (CODEX, FILESYSTEM):
        if name in bench.peers and (name == CODEX or count <= 100):
            found[name] = bench.peers[name].runner(place, workload)
    return found


def edits(bench):
    """m edits in one call, spread over one file."""
    size, most = 10 * MB // bench.scale, 10_000 // bench.scale
    counts = [m for m in (1, 10, 100, 1000, 10_000) if m <= most]
    servers = bench.server("--sync", "off", *MANY), bench.server(*MANY)
    times = bench.turns({(who, count): runner for count in counts
                         for who, runner in of_count(bench, size, count, *servers).items()}, 21)
    what = f"m = 1 to {counts[-1]:,} edits, {inputs.size_name(size)}"
    judge_flat(bench, f"{what}, a call, durable", times, DURABLE_CALL, counts)
    judge_flat(bench, f"{what}, a call, not synced", times, EMEND, counts)
    judge_flat(bench, f"{what}, a process, not synced", times, PROCESS, counts)
    judge_flat(bench, f"{what}, a process, durable", times, DURABLE, counts)
    return lines_of(times)


def judge_flat(bench, what, times, who, counts):
    wrong = [f"{count} edits: {times[who, count].wrong}" for count in counts
             if times[who, count].wrong]
    ratios = {count: ratio(times[who, count], times[who, 1]) for count in counts[1:]}
    worst = max(ratios.values(), key=lambda found: found.median if found else math.inf)
    spread = ", ".join(f"{count:,}: {found.median:.2f}" for count, found in ratios.items() if found)
    good = not wrong and worst is not None and worst.median <= 2.5
    bench.judged(what, "flat within 2.5 ×", "; ".join([f"{spread} × one", *wrong]), good)


def renames(bench):
    """m edits in one call, each of which changes every line: what the edits before it left."""
    size, most = MB // bench.scale, 1000 // bench.scale
    server = bench.server("--sync", "off", *MANY)
    runners = {}
    for count in (m for m in (1, 10, 100, 1000) if m <= most):
        workload = inputs.everywhere("renames", size, count)
        runners[EMEND, count] = EmendCall(bench.place, workload, server)
        if bench.perl:
            runners[PERL, count] = PerlProcess(bench.place, workload)
    return lines_of(bench.turns(runners, 7))
