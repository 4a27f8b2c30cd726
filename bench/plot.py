"""Draws lines on two logarithmic axes as SVG that reads on light and on dark pages."""
import math

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 74, 190, 44, 56
# Each reads on white and on black, and they differ in lightness too.
COLOURS = ["#2f7ed8", "#d9622b", "#2e9e5b", "#a35bc7", "#b8860b", "#808890"]

STYLE = """\
<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-size: 15px; font-weight: 600 }
.grid { stroke: #d0d7de; stroke-width: 1 }
.frame { stroke: #57606a; stroke-width: 1; fill: none }
.back { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .grid { stroke: #30363d }
  .frame { stroke: #8b949e }
  .back { fill: #0d1117 }
}
</style>"""


def escaped(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Axis:
    """Numbers from `low` to `high`, by powers of ten, onto `start` to `end`."""

    def __init__(self, low, high, start, end):
        self.low, self.high = math.log10(low), math.log10(high)
        self.start, self.end = start, end

    def at(self, number):
        share = (math.log10(number) - self.low) / max(self.high - self.low, 1e-9)
        return round(self.start + share * (self.end - self.start), 1)


def decades(low, high):
    """The powers of ten around and between."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [10.0 ** n for n in range(first, max(last, first + 1) + 1)]


def spread(places, gap):
    """The places, from top to bottom, moved apart so that each has `gap`."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved, before = dict.fromkeys(order), -math.inf
    for i in order:
        before = moved[i] = max(places[i], before + gap)
    return [moved[i] for i in range(len(places))]


def milliseconds(number):
    return f"{number / 1000:,g} s" if number >= 1000 else f"{number:,g} ms"


def grid(x, y, x_marks, y_marks, x_name):
    for mark in y_marks:
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y.at(mark)}" y2="{y.at(mark)}"/>'
        yield (f'<text x="{LEFT - 8}" y="{y.at(mark) + 4}" text-anchor="end">'
               f"{milliseconds(mark)}</text>")
    for mark in x_marks:
        yield f'<line class="grid" x1="{x.at(mark)}" x2="{x.at(mark)}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        yield (f'<text x="{x.at(mark)}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">'
               f"{escaped(x_name(mark))}</text>")
    yield (f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" '
           f'height="{HEIGHT - TOP - BOTTOM}"/>')


def curves(x, y, lines):
    ends = spread([y.at(points[-1][1]) for points in lines.values()], 16)
    for number, (name, points) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        width = 3 if number == 0 else 1.6
        path = " ".join(f"{x.at(a)},{y.at(b)}" for a, b in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        for a, b in points:
            yield f'<circle cx="{x.at(a)}" cy="{y.at(b)}" r="{width + 0.8}" fill="{colour}"/>'
        yield (f'<text x="{WIDTH - RIGHT + 12}" y="{ends[number] + 4}" style="fill: {colour}">'
               f"{escaped(name)}</text>")


def draw(title, x_title, lines, x_name):
    """SVG of {name: [[x, milliseconds], ...]}; the first line is drawn strongest."""
    lines = {name: points for name, points in lines.items() if points}
    all_x = [point[0] for points in lines.values() for point in points]
    all_y = [point[1] for points in lines.values() for point in points]
    y_marks = decades(min(all_y), max(all_y))
    x = Axis(min(all_x), max(all_x), LEFT, WIDTH - RIGHT)
    y = Axis(y_marks[0], y_marks[-1], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'width="{WIDTH}" height="{HEIGHT}" role="img">',
             f"<title>{escaped(title)}</title>", STYLE,
             f'<rect class="back" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
             f'<text class="title" x="{LEFT}" y="26">{escaped(title)}</text>',
             *grid(x, y, sorted(set(all_x)), y_marks, x_name),
             f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">'
             f"{escaped(x_title)}</text>",
             *curves(x, y, lines), "</svg>", ""]
    return "\n".join(parts)
