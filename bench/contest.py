"""Taking turns: what is compared runs one after the other in every round, so that whatever else the
machine does meets all of it; a ratio is the median over the rounds of the ratio within a round.

A runner is anything with

    name         how it is called in tables
    prepare()    untimed, before each run
    run()        does the work once; seconds
    wrong()      untimed, after each run: "" if all is right, else what is not, in a few words

A runner may raise TooSlow, which ends it, or Failed, which is told beside the times of its other runs.
"""
import random
import statistics
from dataclasses import dataclass, field

CUT_OFF_S = 120
ORDER_SEED = 1


class Failed(Exception):
    """It did not do what it was asked to; the text says what happened instead, in a few words."""


class TooSlow(Exception):
    """It was stopped after CUT_OFF_S."""


@dataclass
class Times:
    seconds: list = field(default_factory=list)  # one a round; None where it did not run
    wrong: str = ""  # of the last run that was not right
    cut_off: bool = False

    def ran(self):
        return [s for s in self.seconds if s is not None]

    def median(self):
        return statistics.median(self.ran()) if self.ran() else None

    def quartiles(self):
        ran = sorted(self.ran())
        return (ran[len(ran) // 4], ran[-1 - len(ran) // 4]) if ran else None


@dataclass
class Ratio:
    median: float
    low: float  # the quartiles of the rounds
    high: float


def ratio(one, other):
    """How many times as long `one` took as `other`; None unless both ran in some round."""
    both = sorted(a / b for a, b in zip(one.seconds, other.seconds) if a is not None and b)
    if not both:
        return None
    return Ratio(statistics.median(both), both[len(both) // 4], both[-1 - len(both) // 4])


def run_once(runner, times):
    """Seconds, or None; what is not right goes into `times`."""
    runner.prepare()
    try:
        seconds = runner.run()
    except TooSlow:
        times.cut_off = True
        return None
    except Failed as what:
        times.wrong = str(what)
        return None
    times.wrong = runner.wrong() or times.wrong
    return seconds


def take_turns(runners, rounds, budget_s=20, progress=None):
    """{key: Times} of {key: runner}. One untimed round warms up (a runner that uses up its budget in it
    is not run again, and that run counts). No runner gets much more than `budget_s` seconds. Each round
    has an order of its own: who runs behind a large process finds its caches and its memory cold."""
    all_times = {key: Times() for key in runners}
    spent = dict.fromkeys(runners, 0.0)
    order, draw = list(runners.items()), random.Random(ORDER_SEED)
    for number in range(rounds + 1):
        draw.shuffle(order)
        for key, runner in order:
            times = all_times[key]
            over = times.cut_off or spent[key] > budget_s
            seconds = None if over else run_once(runner, times)
            spent[key] += seconds or 0.0
            if number > 0:
                times.seconds.append(seconds)
            elif seconds is not None and seconds > budget_s / 2:
                times.seconds.append(seconds)
                spent[key] = budget_s * 2
        if progress:
            progress(number, rounds)
    return all_times
