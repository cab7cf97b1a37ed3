"""Tabs that are looked up: reference tables, constants, lists."""

from __future__ import annotations

from planner.inputs.quantities import check_rows, month_words
from planner.labels import choice_labels
from planner.reference import REFERENCES, Reference, constants
from planner.resources import table
from planner.workbook.block import Block
from planner.workbook.common import heading
from planner.workbook.context import Context
from planner.workbook.look import Style, number_of
from planner.workbook.places import Home
from planner.workbook.sheet import Sheet
from planner.workbook.template import Section, Tab


class ReferenceTable(Block):
    """A reference table, all columns of its file; those that formulas read are homes."""

    def __init__(self, section: Section, tabs: tuple[Tab, ...]) -> None:
        super().__init__(section, tabs)
        self.reference: Reference = next(r for r in REFERENCES if r.axis == section.axis)

    def _columns(self) -> list[str]:
        read = [c.key for c in self.reference.columns]
        rest = [k for k in self.reference.rows()[0] if k not in read]
        return read + rest

    def count(self, ctx: Context) -> int:
        return 1 + len(self.reference.rows())

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        self.top = row
        axis = self.reference.axis
        ctx.places.settle(f"{axis}_number", Home(sheet.name, row + 1, 1, (axis,)))
        for i, key in enumerate(self._columns()):
            if key in [c.key for c in self.reference.columns]:
                ctx.places.settle(f"{axis}_{key}", Home(sheet.name, row + 1, 2 + i, (axis,)))
        return row + self.count(ctx) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        known = {c.key: c for c in self.reference.columns}
        sheet.put(self.top, 1, "#", Style("header", "", ("right",)))
        sheet.heights[self.top] = 39
        rows = self.reference.rows()
        for i, key in enumerate(self._columns()):
            col = 2 + i
            column = known.get(key)
            words = column is None or column.unit == "text"
            title = ctx.t(key.replace("_", " "))
            sheet.put(self.top, col, title, Style("header", "", ("left", "indent") if words else ("right",)))
            sheet.widths.setdefault(col, column.width if column else _width(key))
            for j, row in enumerate(rows):
                text = row[key]
                if column is None or words:
                    style = Style("note") if i else Style("label")
                    sheet.put(self.top + 1 + j, col, (ctx.t(text) if key == "verify" else text) or None, style)
                else:
                    number = "date" if column.unit == "day" else number_of(column.unit)
                    sheet.put(self.top + 1 + j, col, self.reference.value(column, text), Style("calc", number))
        for j in range(len(rows)):
            sheet.put(self.top + 1 + j, 1, float(j + 1), Style("id", "count"))


def _width(key: str) -> float:
    return {"source": 52, "note": 90, "confidence": 11, "as_of": 12, "price_note": 40, "price_source": 30}.get(key, 12)


class Constants(Block):
    """Named numbers that are no inputs."""

    def count(self, ctx: Context) -> int:
        return 2 + len(constants())

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        self.top = row
        for i, c in enumerate(constants()):
            ctx.places.settle(c.key, Home(sheet.name, row + 2 + i, 2))
            ctx.places.define(c.key)
        return row + self.count(ctx) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        for col, word in ((1, "Constant"), (2, "Value"), (3, "Unit"), (4, "Why"), (5, "Source"), (6, "Key")):
            more = ("right",) if col == 2 else () if col == 1 else ("left", "indent")
            sheet.put(self.top + 1, col, ctx.t(word), Style("header", "", more))
        for i, c in enumerate(constants(ctx.language)):
            row = self.top + 2 + i
            sheet.put(row, 1, ctx.t(c.label), Style("label"))
            sheet.put(row, 2, c.value, Style("calc", "share" if c.unit == "share" else "count"))
            for col, words in ((3, c.unit), (4, c.why), (5, c.source)):
                sheet.put(row, col, ctx.t(words), Style("note"))
            sheet.put(row, 6, c.key, Style("key"))


class Lists(Block):
    """What drop-downs offer, and the small lists that formulas read: months, replica sizes, tolerances of checks."""

    def _models(self) -> list[str]:
        names: dict[str, str] = {}
        for file in ("api_models.csv", "models.csv"):
            for row in table(file):
                names.setdefault(row["model"].lower(), row["model"])
        return list(names.values())

    def count(self, ctx: Context) -> int:
        return 2 + len(self._models())

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        self.top = row
        first = row + 2
        homes = {
            "month_prefix": (2, "slot"),
            "month_suffix": (3, "slot"),
            "check_number": (4, "check"),
            "check_tolerance": (5, "check"),
        }
        for name, (col, axis) in homes.items():
            ctx.places.settle(name, Home(sheet.name, first, col, (axis,)))
        return row + self.count(ctx) + 1

    def models_range(self) -> tuple[int, int]:
        """First and last row of the model names."""
        return self.top + 2, self.top + 1 + len(self._models())

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        heads = ("Models", "Month, before", "Month, behind", "Check", "Tolerance", "List", "Key", "English", "中文")
        for col, word in enumerate(heads, 1):
            sheet.put(self.top + 1, col, ctx.t(word), Style("header", "", ("right",) if col in (4, 5) else ()))
        first = self.top + 2
        for i, name in enumerate(self._models()):
            sheet.put(first + i, 1, name, Style("label"))
        for i, row in enumerate(table("months.csv")):
            for col, words in enumerate(month_words(ctx.t(row["name"])), 2):
                sheet.put(first + i, col, words or None, Style("label", "", ("indent",)))
        for i, row in enumerate(check_rows(ctx.plan.inputs.portfolio)):
            sheet.put(first + i, 4, float(i + 1), Style("calc", "count"))
            sheet.put(first + i, 5, float(row["tolerance"]), Style("calc", "fine"))
        at = first
        for name in dict.fromkeys(r["list"] for r in table("choices.csv")):
            for key, labels in choice_labels(name).items():
                for col, words in ((6, name), (7, key), (8, labels[0]), (9, labels[1])):
                    sheet.put(at, col, words, Style("key" if col == 7 else "note"))
                at += 1
