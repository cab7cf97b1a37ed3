"""Matrices, lists of values and sentences; and which kind of section is built by which class."""

from __future__ import annotations

from typing import Any

from planner.calc.expr import Call, Expr, Ref, Stack
from planner.workbook.by_axis import ByAxis
from planner.workbook.common import (
    LABEL,
    SOURCE,
    UNIT,
    axis_title,
    fixed_words,
    heading,
    label_of,
    spare_rows,
    wordy,
)
from planner.workbook.context import FIRST_MONTH, NAMED, YEAR, Context
from planner.workbook.look import Style
from planner.workbook.months import MonthLines
from planner.workbook.places import Home
from planner.workbook.sheet import Sheet
from planner.workbook.template import Section
from planner.workbook.variants import Variants

UNDER_MONTHS = ("slot", "month", "half", "rung")  # axes whose columns stand where the months stand on other tabs


class Matrix:
    """A line over two axes: rows an entry of one (or a pair), columns of the other. Some axes stand under the months; a
    line that is read one step earlier along such an axis has its opening in the column before.
    """

    def __init__(self, section: Section) -> None:
        self.section, self.top = section, 0
        self.axes = tuple(section.axis.split())
        self.col = 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give the line its block."""
        self.top = row
        s = self.section
        self.col = FIRST_MONTH if s.across in UNDER_MONTHS else UNIT
        counted = {"slot": "slot_number", "size": "size_gpus", "rung": "rung_number"}.get(s.across)
        if counted and counted not in ctx.places.homes:
            ctx.places.settle(counted, Home(sheet.name, row + 1, self.col, (), s.across))
        ctx.places.settle(s.line, Home(sheet.name, row + 2, self.col, self.axes, s.across))
        return row + 2 + len(ctx.coords(self.axes)) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write the block."""
        s = self.section
        heading(ctx, sheet, self.top, s)
        header = self.top + 1
        sheet.put(header, SOURCE, ctx.t("Source"), Style("header"))
        sheet.put(header, LABEL, ctx.t(axis_title(self.axes[-1])) if s.axis else "", Style("header"))
        self._across_header(ctx, sheet, header)
        sheet.band(header, SOURCE, self.col + ctx.sizes[s.across] - 1, Style("header"))
        sheet.heights[header] = 27
        line = ctx.program.lines[s.line]
        style = (
            Style("label", "", ("indent",))
            if ctx.program.kind(s.line) == "text"
            else ctx.style_of(s.line, "calc", s.number)
        )
        entry, coords = ctx.entries(self.axes), ctx.coords(self.axes)
        if entry is not None:
            spare_rows(sheet, self.top + 2, self.top + 1 + len(coords), LABEL)
        for i, coord in enumerate(coords):
            row = self.top + 2 + i
            sheet.put(row, SOURCE, line.source, Style("id"))
            if entry is not None:
                ctx.put(sheet, row, LABEL, entry, Style("label"), coord)
            else:
                sheet.put(row, LABEL, ctx.t(line.label), Style("label"))
            self._cells(ctx, sheet, row, style, coord)

    def _cells(self, ctx: Context, sheet: Sheet, row: int, style: Style, coord: dict[str, int]) -> None:
        s = self.section
        if s.line in ctx.stepped and ctx.program.lines[s.line].along == s.across:
            ctx.opening(sheet, row, self.col - 1, s.line, Style("chartdata", style.number), coord)
        if isinstance(ctx.program.lines[s.line].expr, Stack):
            for j in range(ctx.sizes[s.across]):
                ctx.line(sheet, row, self.col + j, s.line, style, {**coord, s.across: j})
        else:
            ctx.line_row(sheet, row, self.col, s.line, style, coord, s.across)

    def _across_header(self, ctx: Context, sheet: Sheet, row: int) -> None:
        s = self.section
        right = Style("header", "", ("right",))
        for j in range(ctx.sizes[s.across]):
            col = self.col + j
            if s.across in NAMED:
                ctx.put(sheet, row, col, _name_of(s.across), Style("header", "", ("left", "indent")), {s.across: j})
            elif s.across in ("slot", "size", "half", "rung"):
                sheet.put(row, col, float(ctx.plan.labels[s.across][j]), Style("header", "count", ("right",)))
            else:
                words = fixed_words(s.across, ctx.plan.labels[s.across], ctx.t)[j]
                sheet.put(row, col, words, right)


def _name_of(axis: str) -> Expr:
    """An entry's label where the table has labels, else its name."""
    if axis == "tier":
        label = Call("as_text", (Ref("tier_label"),))
        return Call("where", (Call("given", (Ref("tier_label"),)), label, Call("as_text", (Ref("tier_name"),))))
    return Call("as_text", (Ref(f"{axis}_name"),))


class Values:
    """Scalar lines, one a row: source, label, unit, value, why."""

    def __init__(self, section: Section) -> None:
        self.section, self.top = section, 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give every line its cell."""
        self.top = row
        for i, item in enumerate(self.section.items):
            if item.line or item.value:
                if ctx.program.axes[item.name]:
                    raise ValueError(f"{item.name} is not a single value")
                ctx.places.settle(item.name, Home(sheet.name, row + 1 + i, YEAR))
        return row + 1 + len(self.section.items) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write the rows."""
        heading(ctx, sheet, self.top, self.section)
        for i, item in enumerate(self.section.items):
            row = self.top + 1 + i
            line = ctx.program.lines.get(item.name)
            words_here = wordy(ctx, item)
            sheet.put(row, SOURCE, line.source if line else "", Style("id"))
            words = Style("total") if item.style == "total" else Style("label")
            sheet.put(row, LABEL, ctx.t(item.label or label_of(ctx, item.name)), words)
            ctx.unit(sheet, row, UNIT, item.name, item.number, item.unit)
            style = (
                Style("label", "", ("indent",))
                if words_here
                else ctx.style_of(item.name, item.style, item.number, "general")
            )
            if item.line:
                ctx.line(sheet, row, YEAR, item.line, style, {})
            elif item.value:
                ctx.figure(sheet, row, YEAR, item.value, style, {})
            else:
                ctx.put(sheet, row, YEAR, Ref(item.show), style)
            if line is not None and not words_here:
                sheet.put(row, FIRST_MONTH, ctx.t(line.why), Style("note"))
            sheet.band(row, YEAR, sheet.last_col, Style("note"))


class Sentences:
    """Text lines, one sentence a row; long ones run over the cells at their right."""

    def __init__(self, section: Section) -> None:
        self.section, self.top = section, 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give every sentence its row."""
        self.top = row
        for i, item in enumerate(self.section.items):
            if item.line:
                ctx.places.settle(item.line, Home(sheet.name, row + 1 + i, UNIT))
        return row + 1 + len(self.section.items) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write the rows."""
        heading(ctx, sheet, self.top, self.section)
        for i, item in enumerate(self.section.items):
            row = self.top + 1 + i
            line = ctx.program.lines[item.name]
            sheet.put(row, SOURCE, line.source, Style("id"))
            sheet.put(row, LABEL, ctx.t(item.label or line.label), Style("label"))
            if item.line:
                ctx.line(sheet, row, UNIT, item.line, Style("label"), {})
            else:
                ctx.put(sheet, row, UNIT, Ref(item.show), Style("label"))
            sheet.band(row, UNIT, sheet.last_col, Style("label"))


KINDS: dict[str, Any] = {
    "months": MonthLines, "by_axis": ByAxis, "matrix": Matrix, "values": Values, "sentences": Sentences,
}  # fmt: skip
KINDS["variants"] = lambda section: Variants(section, KINDS)
