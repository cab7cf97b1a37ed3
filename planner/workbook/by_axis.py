"""A table: a row an entry of an axis, a column a line."""

from __future__ import annotations

import re

from planner.calc.expr import Ref
from planner.inputs.quantities import check_rows
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
from planner.workbook.context import Context
from planner.workbook.look import Style, number_of, unit_words
from planner.workbook.places import Home
from planner.workbook.sheet import Sheet
from planner.workbook.template import Item, Section


class ByAxis:
    """A table: a row an entry, a column a line. Over several axes ("scenario model") a row is a pair of entries."""

    def __init__(self, section: Section) -> None:
        self.section, self.top, self.first = section, 0, 0
        self.axes = tuple(section.axis.split())
        self.coords: list[dict[str, int]] = []
        self.columns: list[tuple[int, Item]] = []

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give every line its column."""
        self.top = row
        self.first = row + 2 + (1 if self.section.opening else 0)
        self.coords = ctx.coords(self.axes)
        if self.axes == ("place",) and "place_number" not in ctx.places.homes:
            ctx.places.settle("place_number", Home(sheet.name, self.first, LABEL, self.axes))
        col = UNIT
        for item in self.section.items:
            self.columns.append((col, item))
            axes = ctx.program.axes[item.name]
            if item.line or item.value:
                if axes != self.axes:
                    raise ValueError(f"{item.name} varies along {axes}, not along {self.section.axis} alone")
                ctx.places.settle(item.name, Home(sheet.name, self.first, col, axes))
            col += item.wide
        end = self.first + len(self.coords)
        for i, item in enumerate(self.section.total):
            if item.line:
                ctx.places.settle(item.line, Home(sheet.name, end, self._total_col(i)))
        return end + (1 if self.section.total else 0) + 1

    def _total_col(self, i: int) -> int:
        item = self.section.total[i]
        by_name = {c.name: col for col, c in self.columns}
        return by_name[item.why] if item.why else self.columns[i][0]

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write header, rows and totals."""
        heading(ctx, sheet, self.top, self.section)
        axis = self.axes[-1]
        header = self.top + 1
        sheet.put(header, SOURCE, ctx.t("Source"), Style("header"))
        sheet.put(header, LABEL, ctx.t(axis_title(axis)), Style("header"))
        for col, item in self.columns:
            self._header(ctx, sheet, header, col, item)
        last = max((c + i.wide - 1 for c, i in self.columns), default=LABEL)
        if axis == "check":
            last = check_columns(ctx, sheet, self.first, last)
        sheet.band(header, SOURCE, last, Style("header"))
        sheet.heights[header] = self._height(ctx, sheet, header)
        self._names(ctx, sheet)
        for col, item in self.columns:
            self._column(ctx, sheet, col, item)
        if self.section.total:
            self._totals(ctx, sheet, self.first + len(self.coords), last)

    def _header(self, ctx: Context, sheet: Sheet, row: int, col: int, item: Item) -> None:
        kind = ctx.program.unit(item.name)
        words = ctx.t(item.label or label_of(ctx, item.name))
        unit = "" if kind in ("text", "sentence", "choice", "flag", "count", "index", "level", "factor") else ctx.t(
            item.unit or unit_words(kind, item.number, ctx.language))  # fmt: skip
        align = ("left", "indent") if wordy(ctx, item) or item.wide > 1 else ("right",)
        align = (*align, "nowrap") if item.wide > 1 else align
        ctx.words(
            sheet,
            row,
            col,
            words + ctx.t(", ") + unit if unit and unit != "text" else words,
            Style("header", "", align),
        )

    def _height(self, ctx: Context, sheet: Sheet, header: int) -> float:
        """Points that the tallest wrapped header takes."""
        lines = 1
        for col, item in self.columns:
            room = sum(sheet.widths.get(col + k, 8.43) for k in range(item.wide))
            lines = max(lines, wrapped(str(sheet.cells[header, col].value), room * 1.02))
        return max(27.0, 12.6 * lines + 3)

    def _names(self, ctx: Context, sheet: Sheet) -> None:
        axis = self.axes[-1]
        source = (
            ctx.program.lines[self.columns[0][1].name].source if self.columns[0][1].name in ctx.program.lines else ""
        )
        names = fixed_words(axis, ctx.plan.labels[axis], ctx.t)
        if self.section.opening:
            sheet.put(self.first - 1, LABEL, ctx.t("Before"), Style("chartdata"))
        entry = ctx.entries(self.axes)
        for i, coord in enumerate(self.coords):
            row = self.first + i
            sheet.put(row, SOURCE, source, Style("id"))
            if entry is not None:
                ctx.put(sheet, row, LABEL, entry, Style("label"), coord)
            elif axis == "place":
                sheet.put(row, LABEL, float(i + 1), Style("label", "count", ("left",)))
            else:
                sheet.put(row, LABEL, names[i], Style("label"))
        if entry is not None:
            spare_rows(sheet, self.first, self.first + len(self.coords) - 1, LABEL)

    def _column(self, ctx: Context, sheet: Sheet, col: int, item: Item) -> None:
        unsure = item.name in ctx.program.missing
        style = ctx.style_of(item.name, item.style, item.number, *(("general",) if unsure else ()))
        if wordy(ctx, item):
            style = Style("label", "", ("indent",))
        for i, coord in enumerate(self.coords):
            row = self.first + i
            if item.number == "by_unit":
                style = Style(item.style, number_of(check_rows(ctx.plan.inputs.portfolio)[i]["unit"]), style.more)
            if item.line:
                ctx.line(sheet, row, col, item.line, style, coord)
            elif item.value:
                ctx.figure(sheet, row, col, item.value, style, coord)
            else:
                ctx.put(sheet, row, col, Ref(item.show), style, coord)
            for extra in range(1, item.wide):
                sheet.put(row, col + extra, None, Style("label"))
        if item.wide > 1 and wordy(ctx, item):  # a state colours all the columns that its words take
            rows = (self.first, self.first + len(self.coords) - 1)
            sheet.looks.append((rows[0], col + 1, rows[1], col + item.wide - 1, {"state_of": col}))
        if unsure and item.wide == 1 and not wordy(ctx, item):  # the reason has no room here: it is in the cell
            word = ctx.t("withheld: ").strip(" :：")
            sheet.looks.append((self.first, col, self.first + len(self.coords) - 1, col, {"withheld": word}))
        line = ctx.program.lines.get(item.name)
        if self.section.opening and line is not None and item.line in ctx.stepped:
            ctx.opening(sheet, self.first - 1, col, item.line, Style("chartdata", style.number), {})
        if self.section.bars == item.name:
            sheet.bars.append((self.first, col, self.first + len(self.coords) - 1, col))

    def _totals(self, ctx: Context, sheet: Sheet, row: int, last: int) -> None:
        sheet.put(row, SOURCE, "", Style("total"))
        sheet.put(row, LABEL, ctx.t("Total"), Style("total"))
        for i, item in enumerate(self.section.total):
            style = ctx.style_of(item.name, "total", item.number)
            col = self._total_col(i)
            if item.line:
                ctx.line(sheet, row, col, item.line, style, {})
            else:
                ctx.put(sheet, row, col, Ref(item.show), style)
        sheet.band(row, SOURCE, last, Style("total"))


def wrapped(words: str, room: float) -> int:
    """Lines that words take in a column of so many characters; a Chinese character takes two and may end a line."""
    pieces = re.findall(r"[\u2e80-\uffff]|[^\s\u2e80-\uffff-]+-?|-", words)
    lines, used = 1, 0.0
    for piece in pieces:
        wide = ord(piece[0]) > 0x2E80
        size = 2 if wide else len(piece) + (1 if used else 0)
        if used and used + size > room:
            lines, used = lines + 1, 0.0
        lines += int(size // room) if size > room else 0
        used += size
    return lines


def check_columns(ctx: Context, sheet: Sheet, first: int, last: int) -> int:
    """Unit, place and meaning of each check, behind its figures; the last column."""
    header = first - 1
    for offset, word in ((1, "Unit"), (3, "Where"), (5, "What it would mean")):
        sheet.put(header, last + offset, ctx.t(word), Style("header", "", ("left", "indent", "nowrap")))
    for i, row in enumerate(check_rows(ctx.plan.inputs.portfolio)):
        at = first + i
        ctx.words(sheet, at, last + 1, unit_words(row["unit"], "", ctx.language), Style("unit"))
        tab = ctx.t(row["tab"])
        sheet.put(at, last + 3, tab, Style("note", "", ("color:link",)), None, f"internal:'{tab}'!A1")
        sheet.put(at, last + 5, ctx.t(row["meaning"]), Style("note"))
        sheet.band(at, last + 1, last + 10, Style("note"))
    return last + 10
