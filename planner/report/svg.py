"""Charts as inline SVG: no script, no outside font, every label a figure. Bars carry their values; there is no axis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape

import numpy as np

from planner.report.model import Chart, Column, Figure
from planner.workbook.look import color, data

WIDTH, HEIGHT = 360.0, 218.0
LEFT, RIGHT, TOP, BOTTOM = 6.0, 354.0, 26.0, 192.0
FONT, GAP = 9.5, 0.3
LABELS = 14  # up to so many columns each has its own label below
ROOM_FOR_LINE = 0.74  # of the height for columns, where a line on its own scale runs above them


@dataclass(frozen=True)
class _Label:
    x: float
    y: float
    text: str
    weight: int = 0

    @property
    def half(self) -> float:
        return sum(1.0 if ord(c) > 0x2E80 else 0.58 for c in self.text) * FONT / 2


def svg(chart: Chart) -> str:
    """A chart as an SVG element."""
    scale = column_scale(chart)
    body = [f'<line x1="{LEFT}" y1="{BOTTOM}" x2="{RIGHT}" y2="{BOTTOM}" stroke="{color("rule")}"/>']
    for i, column in enumerate(chart.columns):
        body += _bars(chart, column, i, scale)
    body += _line(chart, scale)
    body += [_text(label, "middle") for label in value_labels(chart, scale)]
    body += [_text(label, "middle") for label in _names(chart)]
    words = escape(f"{chart.title.text}. {chart.note.text}.", quote=True)
    head = f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{words}" font-size="{FONT}">'
    return head + "".join(body) + "</svg>"


def column_scale(chart: Chart) -> float:
    """Height of a column for each unit of its value."""
    top = _most([_total(c) for c in chart.columns])
    if chart.kind == "demand":
        top = max(top, _most([_number(f) for f in chart.line]))
    scale = (BOTTOM - TOP) / top if top > 0 else 0.0
    return scale * ROOM_FOR_LINE if chart.kind == "cost" else scale


def value_labels(chart: Chart, scale: float) -> list[_Label]:
    """The values that are written at columns and at the line."""
    return _placed(_values(chart, scale))


def swatches(chart: Chart) -> list[tuple[str, str, bool]]:
    """The legend: colour, words, and whether it is a line."""
    names = [n if isinstance(n, str) else n.text for n in chart.names]
    found = [(_fill(chart, i, i), name, False) for i, name in enumerate(names)]
    return [*found, (_stroke(), chart.line_name, True)] if chart.line_name else found


def _number(figure: Figure | None) -> float:
    return figure.value if figure is not None and isinstance(figure.value, float) else 0.0


def _most(values: list[float]) -> float:
    return max(values, default=0.0)


def _total(column: Column) -> float:
    return _number(column.base) + sum(_number(p) for p in column.parts)


def _pitch(chart: Chart) -> float:
    return (RIGHT - LEFT) / max(len(chart.columns), 1)


def _middle(chart: Chart, i: int) -> float:
    return LEFT + (i + 0.5) * _pitch(chart)


def _stroke() -> str:
    return str(data()["chart"]["total"])


def _fill(chart: Chart, part: int, group: int) -> str:
    look = data()
    if chart.kind == "cost":
        return str(look["chart"]["money"][part])
    if chart.kind == "bridge":
        return str(look["phase"][-1]["fill"] if group else look["chart"]["step"])
    phases = look["phase"]
    return str(phases[min(group, len(phases) - 1)]["fill"])


def _bars(chart: Chart, column: Column, i: int, scale: float) -> list[str]:
    wide = _pitch(chart) * (1 - GAP)
    low = _number(column.base)
    found = []
    for part, figure in enumerate(column.parts):
        value = _number(figure)
        if value <= 0:
            continue
        high = BOTTOM - (low + value) * scale
        fill = _fill(chart, part, column.group)
        name = column.label if isinstance(column.label, str) else column.label.text
        left = _middle(chart, i) - wide / 2
        found.append(
            f'<rect x="{left:.1f}" y="{high:.1f}" width="{wide:.1f}" height="{value * scale:.1f}" fill="{fill}">'
            f"<title>{escape(f'{name}: {figure.text}')}</title></rect>"
        )
        low += value
    return found


def _line_scale(chart: Chart, scale: float) -> float:
    if chart.kind == "demand":
        return scale
    top = _most([_number(f) for f in chart.line])
    return (BOTTOM - TOP) / top if top > 0 else 0.0


def _line(chart: Chart, scale: float) -> list[str]:
    if not chart.line:
        return []
    tall = _line_scale(chart, scale)
    points = " ".join(f"{_middle(chart, i):.1f},{BOTTOM - _number(f) * tall:.1f}" for i, f in enumerate(chart.line))
    return [
        f'<polyline points="{points}" fill="none" stroke="{_stroke()}" stroke-width="1.8" stroke-linejoin="round"/>'
    ]


def _values(chart: Chart, scale: float) -> list[_Label]:
    """Labels over bars: the highest first, then each value that differs from the one before."""
    found = []
    tops = [_total(c) for c in chart.columns]
    first = tops.index(max(tops))
    last = ""
    for i, column in enumerate(chart.columns):
        figure = column.shown or column.parts[0]
        always = chart.kind == "bridge"
        if always or figure.text != last or i == first:
            y = BOTTOM - tops[i] * scale - 4
            label = _inside(_Label(_middle(chart, i), y, figure.text, 2 if i == first else 1 + always))
            found.append(_clear(chart, scale, label))
        last = figure.text
    if chart.line:
        values = [_number(f) for f in chart.line]
        at = values.index(max(values)) if chart.kind == "demand" else len(values) - 1
        text = chart.line[at].text
        label = _Label(_middle(chart, at), BOTTOM - values[at] * _line_scale(chart, scale) - 6, text, 3)
        found.append(_inside(label))
    return found


def _clear(chart: Chart, scale: float, label: _Label) -> _Label:
    """Over its column, or as far down inside it as the line leaves room."""
    places = [label]
    while places[-1].y + FONT + 6 < BOTTOM:
        places.append(replace(label, y=places[-1].y + FONT + 6))
    return next((p for p in places if not crossed(chart, scale, p)), label)


def crossed(chart: Chart, scale: float, label: _Label) -> bool:
    """Whether the line runs through a label."""
    if not chart.line:
        return False
    heights = [BOTTOM - _number(f) * _line_scale(chart, scale) for f in chart.line]
    middles = [_middle(chart, i) for i in range(len(heights))]
    left, right = label.x - label.half, label.x + label.half
    if right < middles[0] or left > middles[-1]:
        return False
    inner = [y for x, y in zip(middles, heights, strict=True) if left < x < right]
    ends = [float(np.interp(x, middles, heights)) for x in (left, right)]
    return min(inner + ends) < label.y + 1 and max(inner + ends) > label.y - FONT + 1


def _inside(label: _Label) -> _Label:
    """Moved so far that it is not cut off at the edge."""
    return replace(label, x=min(max(label.x, label.half), WIDTH - label.half))


def _placed(labels: list[_Label]) -> list[_Label]:
    """Labels that do not touch each other, the weightier first."""
    kept: list[_Label] = []
    for label in sorted(labels, key=lambda at: (-at.weight, at.x)):
        if all(abs(label.x - k.x) > label.half + k.half + 2 or abs(label.y - k.y) > FONT + 1 for k in kept):
            kept.append(label)
    return kept


def _names(chart: Chart) -> list[_Label]:
    """Names below the columns; with many columns each so manyth."""
    every = max(1, -(-len(chart.columns) // 6)) if len(chart.columns) > LABELS else 1
    found = []
    for i, column in enumerate(chart.columns):
        if i % every == 0:
            text = column.label if isinstance(column.label, str) else column.label.text
            found.append(_inside(_Label(_middle(chart, i), BOTTOM + 14, text)))
    return found


def _text(label: _Label, anchor: str) -> str:
    halo = f' paint-order="stroke" stroke="{color("white")}" stroke-width="3"'  # a line may pass behind a value
    bold = f' font-weight="700"{halo}' if label.weight else ""
    fill = color("ink") if label.weight else color("muted")
    at = f'x="{label.x:.1f}" y="{label.y:.1f}" text-anchor="{anchor}"'
    return f'<text {at} fill="{fill}"{bold}>{escape(label.text)}</text>'
