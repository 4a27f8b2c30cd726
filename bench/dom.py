#!/usr/bin/env python3
"""editDOM beside cheerio: one setText on a page of 1 MB, ten and a thousand in one call, and one addClass.

    dom.py [--emend PROGRAM] [--rounds N]

emend is a call to a server that runs (--sync off, as cheerio syncs nothing). cheerio reads, loads, edits,
serialises and writes the page, timed inside of Node: of a Node that was started for it, as a script is,
and of one that has done the same before ("warm"). A setText is proven right without parsing the page again; an
addClass is not. Each round runs all of them on the same page; times are
medians, ratios medians of the ratios within a round. Memory is VmHWM after all rounds, of Node after one.
"""
import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from processes import Pipe, Server, environment

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent / "tests"
sys.path.insert(0, str(TESTS / "tools"))
import npm

SIZE = 1_000_000
MB = 1_000_000


def page():
    """Articles with lists, tables, links and entities."""
    parts, number, size = ['<!DOCTYPE html>\n<html lang="en">\n<head><title>Page</title></head>\n<body>\n'], 0, 0
    while size < SIZE:
        number += 1
        parts.append(
            f'<article id="a{number}" class="card shadow">\n  <h2 class="title">Article {number}</h2>\n'
            f'  <p class="lead">Some text of article {number} &amp; <a href="/a/{number}">a link</a>, with '
            f'<em>words</em> in it and <code>x &lt; {number}</code>.</p>\n'
            + "  <ul>\n" + "".join(f'    <li class="item">Item {number}.{i}\n' for i in range(4)) + "  </ul>\n"
            f'  <table><tr><th>Name<th>Value</tr><tr><td>n{number}</td><td>{number * 7}</td></tr></table>\n'
            f'  <p>Closing words, and an image <img src="/i/{number}.png" alt="Image {number}">.</p>\n'
            "</article>\n")
        size += len(parts[-1])
    return "".join(parts) + "</body>\n</html>\n", number


def operations(articles, count):
    if count == "class":
        return [{"selector": f"#a{articles // 2} h2", "action": "addClass", "value": "new"}]
    count = int(count)
    return [{"selector": f"#a{articles * (i + 1) // (count + 1)} h2", "action": "setText",
             "value": f"New title {i}"} for i in range(count)]


def check(path, ops):
    text = path.read_text(encoding="utf-8")
    written = {"setText": ">{}</h2>", "addClass": '<h2 class="title {}">'}
    wrong = [op["value"] for op in ops if written[op["action"]].format(op["value"]) not in text]
    if wrong:
        raise SystemExit(f"not done: {wrong}")


def processor_s(process):
    """What a process has had of the processors, in user and system mode."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(emend, node, rounds, folder):
    text, articles = page()
    path = folder / "page.html"
    env = environment(folder)
    server = Server([emend, "mcp", "--root", folder, "--tools", "editDOM", "--sync", "off",
                     "--state-dir", folder / "state"], env)
    server.initialize()
    peer = [node, HERE / "dom_peer.mjs", TESTS / "html"]
    warm, peaks = Pipe(peer, env), []
    times = {name: [] for name in ("emend 1", "emend 10", "emend 1000", "cheerio 1", "warm 1",
                                   "emend class", "cheerio class", "warm class")}
    spent = {name: 0.0 for name in times}
    for _ in range(rounds):
        for name, seconds in times.items():
            who, count = name.split()
            ops = operations(articles, count)
            path.write_text(text, encoding="utf-8")
            process = {"emend": server, "warm": warm}.get(who) or Pipe(peer, env)
            before = processor_s(process)
            if who == "emend":
                answer, took, _ = server.call("editDOM", {"file": "page.html", "operations": ops})
                if answer.get("isError"):
                    raise SystemExit(answer)
            else:
                asked = json.dumps({"file": str(path), "operations": ops}).encode() + b"\n"
                took = json.loads(process.ask(asked)[0])["seconds"]
            check(path, ops)
            seconds.append(took)
            spent[name] += (processor_s(process) - before) / rounds
            if who == "cheerio":
                peaks.append(process.peak_memory())
                process.close()
    memory = server.peak_memory(), statistics.median(peaks)
    server.close()
    warm.close()
    return len(text), times, spent, memory


def ratio(times, one, other):
    return statistics.median(a / b for a, b in zip(times[one], times[other]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=HERE.parent / "build" / "emend", type=Path)
    parser.add_argument("--rounds", default=15, type=int)
    args = parser.parse_args()
    try:
        npm.install(TESTS / "html")
        node, _ = npm.find_node(TESTS / "html")
    except npm.Unavailable as why:
        print(f"cheerio cannot be had: {why}")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        size, times, spent, memory = run(args.emend.resolve(), node, args.rounds, Path(folder).resolve())
    print(f"a page of {size / MB:.2f} MB, {args.rounds} rounds")
    for name, seconds in times.items():
        what = name.replace("class", "addClass") if "class" in name else f"{name} setText"
        print(f"{what:20}{1000 * statistics.median(seconds):8.1f} ms, "
              f"processor time {1000 * spent[name]:.0f} ms")
    print(f"memory: emend {memory[0] / MB:.1f} MB, cheerio {memory[1] / MB:.1f} MB")
    goals = [("one setText, cheerio / emend", ratio(times, "cheerio 1", "emend 1"), ">=", 2.5),
             ("the same, cheerio warm", ratio(times, "warm 1", "emend 1"), ">=", 2.5),
             ("10 operations / one", ratio(times, "emend 10", "emend 1"), "<", 2),
             ("memory, emend / cheerio", memory[0] / memory[1], "<=", 0.5)]
    print(f"{'1,000 operations / one':32}{ratio(times, 'emend 1000', 'emend 1'):8.2f}")
    for what, one in [("one addClass, cheerio / emend", "cheerio class"), ("the same, cheerio warm", "warm class")]:
        print(f"{what:32}{ratio(times, one, 'emend class'):8.2f}")
    for what, figure, sign, goal in goals:
        reached = figure >= goal if sign == ">=" else figure <= goal
        print(f"{what:32}{figure:8.2f}  goal {sign} {goal}: {'reached' if reached else 'not reached'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
