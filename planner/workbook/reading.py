"""Sections that people read: conclusion, key metrics, contents, legend, plain text."""

from __future__ import annotations

from typing import Any

from planner.calc.expr import Call, Ref, Say
from planner.workbook.block import Block
from planner.workbook.common import LABEL, SOURCE, UNIT, heading
from planner.workbook.context import YEAR, Context
from planner.workbook.look import Style, data, number_of
from planner.workbook.lookups import Constants, Lists, ReferenceTable
from planner.workbook.records import Assumptions, Changes, Estimates, MethodPage
from planner.workbook.sheet import Sheet


class Conclusion(Block):
    """Verdict, constraint and basis beside the risk level."""

    def count(self, ctx: Context) -> int:
        return 3

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        wash = ("fill:wash", "plain")
        looks = (("indent", "conclusion", "bold", *wash), ("indent", *wash), ("indent", "color:muted", *wash))
        for i, (item, more) in enumerate(zip(self.section.items, looks, strict=True)):
            row = self.top + i
            ctx.put(sheet, row, LABEL, Ref(item.show), Style("label", "", more))
            sheet.heights[row] = 25 if i == 0 else 18
        ctx.put(sheet, self.top, SOURCE, Ref("overall_chip"), Style("label", "", ("indent", "bold", *wash)))
        for i in range(3):
            sheet.band(self.top + i, SOURCE, sheet.last_col, Style("label", "", wash))


class Metrics(Block):
    """Key metrics: status, name, value, unit, limit and why."""

    def count(self, ctx: Context) -> int:
        return 2 + len(self.section.items)

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        header = self.top + 1
        heads = ((SOURCE, "Status", ("indent",)), (LABEL, "Metric", ()), (UNIT, "Unit", ("left", "indent")),
                 (YEAR, "Value", ("right",)), (5, "Limit", ("right",)),
                 (6, "Why it stands there", ("left", "indent", "nowrap")))  # fmt: skip
        for col, word, more in heads:
            sheet.put(header, col, ctx.t(word), Style("header", "", more))
        sheet.band(header, SOURCE, sheet.last_col, Style("header"))
        sheet.heights[header] = 18
        for i, item in enumerate(self.section.items):
            row = header + 1 + i
            sheet.heights[row] = 18.75
            if item.status:
                ctx.put(sheet, row, SOURCE, Ref(item.status), Style("label", "", ("indent", "small")))
            else:
                sheet.put(row, SOURCE, None, Style("label"))
            sheet.put(row, LABEL, ctx.t(item.label or ctx.program.lines[item.show].label), Style("label"))
            ctx.unit(sheet, row, UNIT, item.show, item.number, item.unit)
            number = (
                "" if ctx.program.kind(item.show) == "text" else item.number or number_of(ctx.program.unit(item.show))
            )
            ctx.put(sheet, row, YEAR, Ref(item.show), Style("output", number or "text"))
            if item.limit:
                limit = Call("or_else", (Ref(item.limit), Say("–"))) if _optional(ctx, item.limit) else Ref(item.limit)
                ctx.put(sheet, row, 5, limit, Style("calc", number or "text", ("color:muted",)))
            else:
                sheet.put(row, 5, None, Style("calc"))
            if item.why:
                ctx.put(sheet, row, 6, Ref(item.why), Style("note"))
            sheet.band(row, 6, sheet.last_col, Style("note"))


def _optional(ctx: Context, name: str) -> bool:
    return name in ctx.program.quantities and ctx.program.quantities[name].optional


class Contents(Block):
    """Every tab with the question that it answers, and its state."""

    def count(self, ctx: Context) -> int:
        return 2 + len(self.tabs)

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        header = self.top + 1
        for col, word in (
            (1, "Tab"),
            (2, "Role"),
            (3, "The question it answers"),
            (4, "Who works in it"),
            (5, "State"),
        ):
            sheet.put(header, col, ctx.t(word), Style("header", "", () if col == 1 else ("left", "indent")))
        roles = {"read": "read", "fill": "fill in", "reference": "look up", "compute": "calculation",
                 "control": "control"}  # fmt: skip
        for i, tab in enumerate(self.tabs):
            row = header + 1 + i
            name = ctx.t(tab.name)
            link = Style("label", "", ("color:link",))
            sheet.put(row, 1, name, link, None, f"internal:'{name}'!A1")
            sheet.put(row, 2, ctx.t(roles[tab.role]), Style("label", "", ("indent",)))
            sheet.put(row, 3, ctx.t(tab.question), Style("label", "", ("indent",)))
            sheet.put(row, 4, ctx.t(tab.worker), Style("note"))
            if tab.state:
                ctx.put(sheet, row, 5, Ref(tab.state), Style("label", "", ("indent", "small")))
            else:
                sheet.put(row, 5, None, Style("label"))


class Legend(Block):
    """What cells look like, and the four levels."""

    ROWS = (
        ("input", "25.0%", "Input: boxed and amber, blue figures. The cells that are yours to change."),
        ("spare", "", "Spare input row: dotted. Fill it and the formulas already read it."),
        ("calc", "2,400.0", "Calculated: plain black. Shown in the unit of the unit column, stored in full."),
        ("total", "18,000.0", "Total or subtotal: bold between two rules."),
        ("output", "315,818", "Headline: the named figure that the report and the JSON quote."),
        ("calc", "–", "A dash is zero. An empty cell is nothing entered."),
        ("calc", "(5,256)", "Parentheses are negative: a saving, a shortfall."),
        ("withheld", "withheld: no price", "Unknown: words that say why. Never a zero."),
        ("unused", "", "Grey input: this row does not need it (an API price on an on-prem model)."),
    )
    MEANINGS = ("Inside its threshold.", "Near its threshold: look at it in the next council.",
                "Past its threshold: somebody owns an action.",
                "The commitment cannot be kept: decide now.")  # fmt: skip

    def count(self, ctx: Context) -> int:
        return 2 + len(self.ROWS) + 4

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        header = self.top + 1
        sheet.put(header, 1, ctx.t("Looks like"), Style("header"))
        sheet.put(header, 2, None, Style("header"))
        sheet.put(header, 3, ctx.t("Means"), Style("header", "", ("left", "indent")))
        for i, (role, sample, meaning) in enumerate(self.ROWS):
            row = header + 1 + i
            right = ("right",) if role not in ("withheld", "spare", "unused") else ()
            # A legend shows what an input looks like; it is no input, so it stays locked.
            sheet.put(row, 1, ctx.t(sample) if sample else None, Style(role, "", (*right, "locked")))
            sheet.put(row, 3, ctx.t(meaning), Style("label", "", ("indent",)))
        for i, (level, meaning) in enumerate(zip(data()["status"], self.MEANINGS, strict=True)):
            row = header + 1 + len(self.ROWS) + i
            word = level.get(ctx.language, level["en"])
            sheet.put(row, 1, f"{level['glyph']} {word}", Style("label", "", ("indent", "small")))
            sheet.put(row, 3, ctx.t(meaning), Style("label", "", ("indent",)))


class Text(Block):
    """Plain sentences."""

    def count(self, ctx: Context) -> int:
        return len(self.section.text) + (1 if self.section.title else 0)

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        row = self.top
        if self.section.title:
            heading(ctx, sheet, row, self.section)
            row += 1
        for i, words in enumerate(self.section.text):
            sheet.put(row + i, 1, ctx.t(words), Style("label", "", ("plain",)))


class State(Block):
    """Scalar text lines with their reasons, for About."""

    def count(self, ctx: Context) -> int:
        return 1 + len(self.section.items)

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        for i, item in enumerate(self.section.items):
            row = self.top + 1 + i
            sheet.put(row, 1, ctx.t(item.label), Style("label"))
            ctx.put(sheet, row, 2, Ref(item.show), Style("label", "", ("indent", "bold")))
            if item.why:
                ctx.put(sheet, row, 3, Ref(item.why), Style("note"))
            sheet.band(row, 3, sheet.last_col, Style("note"))


KINDS: dict[str, Any] = {
    "conclusion": Conclusion, "metrics": Metrics, "contents": Contents, "legend": Legend, "text": Text,
    "method": MethodPage, "assumptions": Assumptions, "reference": ReferenceTable, "constants": Constants,
    "lists": Lists, "estimates": Estimates, "changes": Changes,
}  # fmt: skip
