"""One run of the benchmark: where, with whom, how thoroughly; and what its goals came to.

A part of it is a function that takes a Bench and returns plain data, which stands in the JSON file, in
the tables and in the plots; it adds to `bench.goals` what it judges.
"""
from dataclasses import dataclass

import inputs
from contest import take_turns
from contestants import (CodexProcess, CpProcess, EmendCall, EmendProcess, FilesystemCall, FloorCall,
                         PerlProcess, emend_server, there)

EMEND, PROCESS = EmendCall.name, EmendProcess.name
DURABLE, DURABLE_CP = "emend, durable", "cp, durable"  # as processes
CP_AND_MV = "cp and mv"  # the copy takes the file's place
DURABLE_CALL = "emend, durable call"
FILESYSTEM, CODEX, PERL, CP, FLOOR = (kind.name for kind in (FilesystemCall, CodexProcess,
                                                             PerlProcess, CpProcess, FloorCall))


@dataclass
class Goal:
    what: str
    goal: str
    figure: str
    reached: bool | None  # None: it could not be measured here


class Bench:
    """One run: where, with whom, how thoroughly."""

    def __init__(self, place, tools, peers, quick=False, large=False, progress=None):
        self.place, self.tools, self.peers = place, tools, peers
        self.quick, self.large = quick, large
        self.progress = progress
        self.goals = []
        self.lost = {}  # peers that were there and do not start, and what else is missing: why
        self.perl = there("perl")
        if not self.perl:
            self.lost[PERL] = "perl is not installed"
        self.scale = 40 if quick else 1
        self.workloads = inputs.workloads(self.scale)

    def rounds(self, number):
        return 2 if self.quick else number

    def turns(self, runners, rounds, budget_s=20):
        return take_turns(runners, self.rounds(rounds), 1 if self.quick else budget_s, self.progress)

    def server(self, *flags):
        return emend_server(self.place, *flags)

    # A goal is a ratio of times, or a plain number. In a quick run the sizes are not those of the goals.

    def judged(self, what, goal, figure, reached):
        self.goals.append(Goal(what, goal, figure, None if self.quick else reached))

    def at_most(self, what, bound, found, against):
        text = None if found is None else f"{found.median:.2f} ({found.low:.2f} to {found.high:.2f})"
        reached = None if found is None else found.median <= bound
        self.judged(what, f"≤ {bound:g} × {against}", f"{text} ×" if text else "", reached)

    def at_least_faster(self, what, bound, found, against):
        """`found`: how many times as long as emend the other one takes."""
        text = None if found is None else f"{found.median:.1f} ({found.low:.1f} to {found.high:.1f})"
        reached = None if found is None else found.median >= bound
        goal = f"≥ {bound:g} × faster than {against}" if bound > 1 else f"faster than {against}"
        self.judged(what, goal, f"{text} ×" if text else "", reached)


def as_data(times):
    """JSON of Times: milliseconds."""
    median, spread = times.median(), times.quartiles()
    return {"ms": None if median is None else median * 1000,
            "low": None if spread is None else spread[0] * 1000,
            "high": None if spread is None else spread[1] * 1000,
            "runs": len(times.ran()), "wrong": times.wrong, "cut_off": times.cut_off}


def lines_of(times):
    """{who: [[number, ms], ...]} of {(who, number): Times}"""
    data = {}
    for (who, number), of_one in times.items():
        if of_one.median() is not None and not of_one.wrong:
            data.setdefault(who, []).append([number, of_one.median() * 1000])
    return data
