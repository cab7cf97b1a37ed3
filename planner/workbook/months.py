"""Lines by month, each with its year and peak columns; a line over entries has a row an entry."""

from __future__ import annotations

from planner.calc.expr import Aggregate, Expr, Pick, Ref
from planner.workbook.common import (
    LABEL,
    SOURCE,
    UNIT,
    fixed_words,
    heading,
    spare_rows,
)
from planner.workbook.context import FIRST_MONTH, NAMED, PEAK, YEAR, Context
from planner.workbook.header import month_header
from planner.workbook.look import Style, number_of
from planner.workbook.places import Home
from planner.workbook.sheet import Sheet
from planner.workbook.template import Item, Section


class MonthLines:
    """Lines by month, each with its year and peak columns; a line over entries has a row an entry."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.rows: list[tuple[int, Item, dict[str, int], tuple[str, ...]]] = []
        self.heads: list[tuple[int, Item, str]] = []
        self.blocks: list[tuple[int, int, Item, tuple[str, ...]]] = []
        self.top = 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give every line its rows."""
        self.top = row
        row += 3 if self.section.header else 1
        for item in self.section.items:
            axes = ctx.program.axes[item.name]
            others = tuple(a for a in axes if a != "month")
            if "month" not in axes:
                raise ValueError(f"{item.name} has no months: use another kind of section")
            if others and others[-1] in NAMED:
                self.heads.append((row, item, others[-1]))
                row += 1
            if item.line:
                ctx.places.settle(item.line, Home(sheet.name, row, FIRST_MONTH, others, "month"))
            first = row
            for coord in ctx.coords(others):
                self.rows.append((row, item, coord, others))
                row += 1
            self.blocks.append((first, row - 1, item, others))
            for column, name in ((YEAR, item.year), (PEAK, item.peak)):
                if name in ctx.program.lines and item.line and name not in ctx.places.homes:
                    down = tuple(a for a in ctx.program.axes[name])
                    ctx.places.settle(name, Home(sheet.name, row - max(1, len(ctx.coords(others))), column, down))
        return row + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write the rows."""
        heading(ctx, sheet, self.top, self.section)
        if self.section.header:
            month_header(ctx, sheet, self.top + 1)
        for row, item, _axis in self.heads:
            line = ctx.program.lines[item.name]
            sheet.put(row, SOURCE, line.source, Style("id", "", ("plain",)))
            sheet.put(row, LABEL, ctx.t(item.label or line.label), Style("label", "", ("bold", "plain")))
        for row, item, coord, others in self.rows:
            self._row(ctx, sheet, row, item, coord, others)
        for first, last, item, others in self.blocks:
            if others and others[-1] in NAMED:
                spare_rows(sheet, first, last, LABEL)
            if item.name in ctx.program.missing:
                word = ctx.t("withheld: ").strip(" :：")
                end = FIRST_MONTH + ctx.sizes["month"] - 1
                sheet.looks.append((first, YEAR, last, end, {"withheld": word}))

    def _row(
        self, ctx: Context, sheet: Sheet, row: int, item: Item, coord: dict[str, int], others: tuple[str, ...]
    ) -> None:
        line = ctx.program.lines[item.name]
        role = item.style
        words = Style("total") if role == "total" else Style("output") if role == "output" else Style("label")
        small = Style(words.role, "", ("small", "color:faint")) if role != "calc" else Style("id")
        named = bool(others) and others[-1] in NAMED
        sheet.put(row, SOURCE, "" if named else line.source, small)
        if named:
            entry = ctx.entries(others)
            assert entry is not None
            ctx.put(sheet, row, LABEL, entry, Style("label", "", ("indent",)), coord)
        elif others:
            name = fixed_words(others[-1], ctx.plan.labels[others[-1]], ctx.t)[coord[others[-1]]]
            sheet.put(row, LABEL, f"{ctx.t(item.label or line.label)}: {name}", words)
        else:
            sheet.put(row, LABEL, ctx.t(item.label or line.label), words)
        unit_style = Style(role, "", ("small", "color:muted", "indent")) if role != "calc" else Style("unit")
        ctx.unit(sheet, row, UNIT, item.name, item.number, item.unit, unit_style)
        more = ("small",) if item.number == "month" else ("shrink",) if ctx.program.kind(item.name) == "text" else ()
        style = ctx.style_of(item.name, role, item.number, *more)
        if item.line:
            ctx.line_row(sheet, row, FIRST_MONTH, item.line, style, coord, "month")
        else:
            ctx.put_row(sheet, row, FIRST_MONTH, Ref(item.show), style, coord, "month")
        self._before_months(ctx, sheet, row, item, coord, style)
        if line.unit in ("text", "sentence") and item.number == "":
            sheet.heights[row] = 18.75

    def _before_months(
        self, ctx: Context, sheet: Sheet, row: int, item: Item, coord: dict[str, int], style: Style
    ) -> None:
        bold = Style(style.role, style.number, ("bold",))
        for column, what, look in ((YEAR, item.year, bold), (PEAK, item.peak, style)):
            if column == PEAK and item.line in ctx.stepped:
                ctx.opening(sheet, row, PEAK, item.name, Style("chartdata", style.number), coord)
                continue
            expr = _aside(item.name, what)
            if what in ctx.program.lines:
                number = number_of(ctx.program.unit(what)) if not item.number else item.number
                at = {a: coord[a] for a in ctx.program.axes[what]}
                if what in ctx.places.homes and ctx.places.position(what, at) == (sheet.name, row, column):
                    ctx.line(sheet, row, column, what, Style(look.role, number, look.more), at)
                else:
                    ctx.put(sheet, row, column, Ref(what), Style(look.role, number, look.more), at)
            elif expr is not None:
                ctx.put(sheet, row, column, expr, look, coord)
            elif what not in ("", "no"):
                raise ValueError(f"{item.name!r}: {what!r} is no line and no total")
            else:
                sheet.put(row, column, None, Style(style.role))


def _aside(name: str, what: str) -> Expr | None:
    match what:
        case "sum":
            return Aggregate("sum", Ref(name), "month")
        case "pick":
            return Pick(Ref(name), Ref("peak_month"), "month")
        case "last":
            return Pick(Ref(name), Ref("horizon_position"), "month")
    return None
