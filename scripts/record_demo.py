#!/usr/bin/env python3
"""Runs the demo in a terminal and writes what it shows as a picture, docs/demo.svg.

    record_demo.py [--emend BINARY] [--output FILE]

The picture scrolls through the whole run; where nothing moves, its first screen is shown. What the
demo prints behind "To use it" holds paths of this machine and is left out.
"""
import argparse
import os
import pty
import re
import subprocess
import sys
from html import escape
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
COLUMNS, ROWS = 102, 36
CELL, LINE, FONT, MARGIN, BAR = 8.0, 17, 13, 14, 30
SCROLLED_LINES, HOLD_S, GLIDE_S = 12, 2.6, 0.6
END = "To use it"

BACKGROUND, FRAME, TEXT, STRONG = "#16181d", "#2a2e37", "#c9ced6", "#ffffff"
COLOURS = {"31": "#f0777c", "32": "#7ec98f", "33": "#e0b35f", "36": "#6cc0d6"}


def run_in_terminal(command):
    """What the command writes to a terminal."""
    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=environment)
    os.close(child)
    output = b""
    while True:
        try:
            piece = os.read(parent, 65536)
        except OSError:  # the terminal's other side is closed
            break
        if not piece:
            break
        output += piece
    if process.wait() != 0:
        sys.exit(f"the demo failed:\n{output.decode('utf-8', 'replace')}")
    return output.decode("utf-8")


def runs_of(line):
    """[(column, text, {codes})]: the line cut where its colours change."""
    runs, column, codes = [], 0, set()
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            codes = set() if part == "\x1b[0m" else codes | set(part[2:-1].split(";"))
        elif part:
            runs.append((column, part, set(codes)))
            column += len(part)
    return runs


def text_element(column, text, codes, y):
    plain = STRONG if "1" in codes else TEXT
    style = f' fill="{next((COLOURS[c] for c in codes if c in COLOURS), plain)}"'
    if "1" in codes:
        style += ' font-weight="bold"'
    if "2" in codes:
        style += ' opacity="0.6"'
    # Each run has its length, so that columns hold whatever font is there.
    return (f'<text x="{MARGIN + column * CELL:.0f}" y="{y}" textLength="{len(text) * CELL:.0f}" '
            f'lengthAdjust="spacingAndGlyphs"{style}>{escape(text)}</text>')


def scrolling(line_count):
    """The style that moves the lines through the window."""
    hidden = max(0, line_count - ROWS)
    stops = [min(hidden, i * SCROLLED_LINES) for i in range(-(-hidden // SCROLLED_LINES) + 1)]
    total = len(stops) * (HOLD_S + GLIDE_S)
    frames = []
    for i, stop in enumerate(stops):
        begin = i * (HOLD_S + GLIDE_S)
        for at in (begin, begin + HOLD_S):
            frames.append(f"{at / total * 100:.2f}% {{ transform: translateY({-stop * LINE}px); }}")
    frames.append("100% { transform: translateY(0); }")
    return (f"@keyframes scroll {{ {' '.join(frames)} }} "
            f".lines {{ animation: scroll {total:.1f}s infinite; }} "
            "@media (prefers-reduced-motion: reduce) { .lines { animation: none; } }")


def picture(lines):
    width, height = MARGIN * 2 + COLUMNS * CELL, BAR + ROWS * LINE + MARGIN
    body = []
    for number, line in enumerate(lines):
        for column, text, codes in runs_of(line):
            if text.strip():
                body.append(text_element(column, text, codes, BAR + (number + 1) * LINE - 4))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'width="{width:.0f}" height="{height}" role="img" aria-label="A run of make demo">',
        f"<style>text {{ white-space: pre; font: {FONT}px ui-monospace, 'DejaVu Sans Mono', Menlo, "
        f"Consolas, monospace; }} {scrolling(len(lines))}</style>",
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
        f'<clipPath id="window"><rect y="{BAR}" width="100%" height="{ROWS * LINE}"/></clipPath>',
        f'<rect width="100%" height="{BAR - 6}" rx="8" fill="{FRAME}"/>',
        f'<text x="{MARGIN}" y="{BAR - 13}" fill="{TEXT}">$ make demo</text>',
        '<g clip-path="url(#window)"><g class="lines">', *body, "</g></g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", default=TOP / "build" / "emend", type=Path)
    parser.add_argument("--output", default=TOP / "docs" / "demo.svg", type=Path)
    args = parser.parse_args()
    shown = run_in_terminal([sys.executable, TOP / "scripts" / "demo.py", "--emend", args.emend])
    lines = [line.rstrip("\r") for line in shown.split("\n")]
    end = next(i for i, line in enumerate(lines) if END in line)
    while not lines[end - 1].strip():
        end -= 1
    args.output.write_text(picture(lines[:end]), encoding="utf-8")
    print(f"{args.output}: {end} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
