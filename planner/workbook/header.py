"""The header of month columns: phases as a band, months below."""

from __future__ import annotations

from planner.calc.expr import Ref
from planner.workbook.context import FIRST_MONTH, Context
from planner.workbook.look import Style, data
from planner.workbook.places import column_name
from planner.workbook.sheet import Sheet


def month_header(ctx: Context, sheet: Sheet, at: int) -> None:
    """The band of phases and, below it, the months with their columns' names."""
    header = Style("header", "", ("right",))
    for col, word in ((1, "Source"), (2, "Line"), (3, "Unit"), (4, "Total"), (5, "Peak month")):
        more = ("left", "indent") if col == 3 else ("right",) if col > 3 else ()
        sheet.put(at + 1, col, ctx.t(word), Style("header", "", more))
    sheet.heights[at + 1] = data()["height"]["month_header"]
    ctx.put_row(sheet, at + 1, FIRST_MONTH, Ref("month_start"), Style("header", "month", header.more), {}, "month")
    band = Style("header", "", ("left", "small"))
    ctx.put_row(sheet, at, FIRST_MONTH, Ref("phase_band"), band, {}, "month")
    phases = data()["phase"]
    last = FIRST_MONTH + ctx.sizes["month"] - 1
    ctx.places.here, ctx.places.sweep = sheet.name, "month"
    number = ctx.places.cell("month_phase_number", {"month": 0})
    ctx.places.sweep = ""
    for i, phase in enumerate(phases):
        where = number.replace("\x01", "").replace("\x02", "")
        column = column_name(FIRST_MONTH)
        formula = "=" + where.replace(str(FIRST_MONTH), column, 1) + f"={i + 1}"
        sheet.looks.append((at, FIRST_MONTH, at, last, {
            "formula": formula, "bg_color": phase["fill"], "font_color": phase["text"]}))  # fmt: skip
