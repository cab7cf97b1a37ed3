"""What sections on the month skeleton share: columns, headings, names of entries, rows that wait."""

from __future__ import annotations

from planner.calc.expr import Ref
from planner.inputs.quantities import check_rows
from planner.inputs.tables import TABLES
from planner.labels import Translate
from planner.workbook.context import Context
from planner.workbook.look import Style
from planner.workbook.sheet import Sheet
from planner.workbook.template import Item, Section

SOURCE, LABEL, UNIT = 1, 2, 3
STEP_WORDS = {
    "average": "Average load", "peak": "Peak", "retry": "Retries", "buffer": "Buffer", "ha": "HA",
    "headroom": "Headroom by tier", "ceiling": "Utilisation ceiling",
    "rounding": "Rounding to replicas",
}  # fmt: skip
FIGURE_WORDS = {"tokens": "Tokens, first year", "gpus": "GPUs before rounding", "tco": "TCO, first year",
                "unit_cost": "Unit cost"}  # fmt: skip


def fixed_words(axis: str, keys: list[str], t: Translate) -> list[str]:
    """Names of entries that nobody types."""
    match axis:
        case "step":
            return [t(STEP_WORDS[k]) for k in keys]
        case "check":
            labels = {r["key"]: r["label"] for r in check_rows(portfolio=True)}
            return [t(labels[k]) for k in keys]
        case "figure":
            return [t(FIGURE_WORDS[k]) for k in keys]
        case "grid" | "use":
            return [t("Point {number}").format(number=k) for k in keys]
        case "quarter":
            return [f"{t('Quarter')} {k[1:]}" for k in keys]
        case "year":
            return [f"{t('Year')} {k[1:]}" for k in keys]
    return list(keys)


def heading(ctx: Context, sheet: Sheet, row: int, section: Section) -> None:
    """The section's title over its rule, with a note at the right end."""
    style = Style("section")
    sheet.put(row, SOURCE, ctx.t(section.title), style)
    last = sheet.last_col
    if section.note:
        note = Style("section", "", ("small", "right", "color:muted"))
        if section.note in ctx.program.lines:
            ctx.put(sheet, row, last, Ref(section.note), note)
        else:
            ctx.words(sheet, row, last, section.note, note)
    sheet.band(row, SOURCE, last, style)
    sheet.heights[row] = 21


def spare_rows(sheet: Sheet, first: int, last: int, label_col: int) -> None:
    """Rows whose entry has no name show nothing: they wait."""
    sheet.looks.append((first, SOURCE, last, sheet.last_col, {"spare_by": label_col}))


def label_of(ctx: Context, name: str) -> str:
    if name in ctx.program.lines:
        return ctx.program.lines[name].label
    return ctx.program.quantities[name].label or name


def wordy(ctx: Context, item: Item) -> bool:
    return ctx.program.kind(item.name) == "text"


AXIS_TITLES = {"grid": "Point", "use": "Point", "stream": "Use case: route"} | {
    t.axis: t.specs[t.first].label for t in TABLES
}


def axis_title(axis: str) -> str:
    """What heads an axis' entries: the name column of its table, else the axis' own name."""
    return AXIS_TITLES.get(axis, axis.capitalize())
