"""Shows what was measured: as plain text, as Markdown, as plots, and in the pages that quote it."""
import re

import plot
from inputs import size_name

ORDER = ["emend", "emend, process", "MCP filesystem server", "desktop-commander", "codex apply_patch",
         "perl -0pi", "cp", "floor"]
PAGES = ("README.md", "docs/performance.md")
PLACES = {"edits": "cost-of-edits.svg", "sizes": "cost-of-size.svg"}


# ---- Cells --------------------------------------------------------------------------------------


def time(ms):
    if ms < 10:
        return f"{ms:.2f} ms"
    return f"{ms:.1f} ms" if ms < 100 else f"{ms:,.0f} ms"


def cell(found, quartiles=True):
    """The median, the quartiles, and what was wrong."""
    if not found:
        return ""
    if found["cut_off"]:
        return "over 120 s"
    if found["ms"] is None:
        return found["wrong"] or "did not run"
    text = time(found["ms"])
    if quartiles and found["runs"] > 2:
        text += f" ({time(found['low']).split()[0]}–{time(found['high']).split()[0]})"
    return f"{text}, {found['wrong']}" if found["wrong"] else text


def state(goal):
    return {True: "reached", False: "not reached", None: "not measured"}[goal["reached"]]


# ---- Tables: a list of rows, the first of them the head -----------------------------------------


def columns(result, kind):
    """Who is there, and who cannot be; in the order of ORDER."""
    there = {who for cells in kind.values() for who in cells}
    return [who for who in ORDER if who in there or who in result["missing"]]


def workloads_table(result, quartiles=True):
    times, what = result["parts"]["table"]["times"], result["parts"]["table"]["what"]
    who = columns(result, times)
    rows = [["work", *who]]
    for name, cells in times.items():
        if name == "W7 found":
            continue
        rows.append([f"{name} {what[name]}",
                     *("not there" if w in result["missing"] else cell(cells.get(w), quartiles)
                       for w in who)])
    return rows


def goals_table(result):
    return [["what", "goal", "figure", ""],
            *([g["what"], g["goal"], g["figure"], state(g)] for g in result["goals"])]


def durable_table(result):
    found = result["parts"]["durable"]
    return [["W3 as a process, durable", "median (quartiles)"],
            *([who, cell(found[who])] for who in sorted(found, key=lambda w: found[w]["ms"] or 0))]


def start_table(result):
    found = result["parts"]["start"]
    return [["start to the first answer", "median (quartiles)", "memory"],
            *([who, cell(cells), f"{cells['mb']:.1f} MB" if cells["mb"] else ""]
              for who, cells in found.items())]


def calls_table(result):
    found = result["parts"]["calls"]
    return [["a call on 10 KB, --sync off", "p50", "p99", "calls"],
            *([who, f"{c['p50_us']:.0f} µs", f"{c['p99_us']:.0f} µs", str(c["calls"])]
              for who, c in found.items())]


def memory_table(result):
    found = result["parts"]["memory"]
    return [["peak memory, W3", ""], *([who, f"{mb:.1f} MB"] for who, mb in found.items())]


def series_table(result, part, number_name):
    """A series as rows of numbers."""
    found = result["parts"][part]
    numbers = sorted({number for points in found.values() for number, _ in points})
    by = {who: dict(map(tuple, points)) for who, points in found.items()}
    return [[number_name[0], *by],
            *([number_name[1](n), *(time(by[who][n]) if n in by[who] else "" for who in by)]
              for n in numbers)]


def batch_table(result):
    found = result["parts"]["batch"]
    return [["batch --jobs", "median (quartiles)"],
            *([jobs, cell(cells)] for jobs, cells in found.items())]


TABLES = {
    "table": workloads_table, "durable": durable_table,
    "edits": lambda r: series_table(r, "edits", ("edits, 10 MB", "{:,}".format)),
    "renames": lambda r: series_table(r, "renames", ("renames of what stands in every line of 1 MB",
                                                     "{:,}".format)),
    "sizes": lambda r: series_table(r, "sizes", ("one edit of", size_name)),
    "start": start_table, "calls": calls_table, "memory": memory_table, "batch": batch_table,
}


def tables(result):
    found = [make(result) for part, make in TABLES.items() if part in result["parts"]]
    return [*found, goals_table(result)]


# ---- Forms --------------------------------------------------------------------------------------


def heading(result):
    said = [f"Medians (and quartiles); {result['machine']}."]
    said += [f"{name} {version}" for name, version in result["versions"].items()]
    said += [f"{name} is not there: {why}" for name, why in result["missing"].items()]
    return said


def plain(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows)


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "| " + " | ".join("---" for _ in rows[0]) + " |")
    return "\n".join(lines)


def whole(result, form):
    end = "\n\n" if form is markdown else "\n"
    return "\n\n".join([end.join(heading(result)), *(form(rows) for rows in tables(result))]) + "\n"


# ---- Plots and pages ----------------------------------------------------------------------------


def plots(result):
    """{file name: SVG}"""
    found = {}
    for part, title, x_title, x_name in (
            ("edits", "Edits in one call, a file of 10 MB", "number of edits", "{:,}".format),
            ("sizes", "One edit, files of 1 MB to 1 GB", "size of the file", size_name)):
        if result["parts"].get(part):
            found[PLACES[part]] = plot.draw(title, x_title, result["parts"][part], x_name)
    return found


def section(name, text):
    return f"<!-- {name}: make bench -->\n\n{text}\n\n<!-- end of {name} -->"


def sections(result):
    """{name: what stands in the pages between its marks}"""
    found = {"goals": markdown(goals_table(result)), "machine": "\n\n".join(heading(result)[:1])}
    versions = [f"{name} {version}" for name, version in result["versions"].items()]
    found["machine"] += f" Beside emend: {', '.join(versions)}." if versions else ""
    for part, make in TABLES.items():
        if part in result["parts"]:
            found[part] = markdown(make(result))
    if "table" in result["parts"]:
        found["medians"] = markdown(workloads_table(result, quartiles=False))
    return found


def renewed(page, result):
    """The page with each of its marked sections as this result has it."""
    for name, text in sections(result).items():
        pattern = rf"<!-- {name}: make bench -->.*?<!-- end of {name} -->"
        page = re.sub(pattern, lambda _, n=name, t=text: section(n, t), page, flags=re.S)
    return page
