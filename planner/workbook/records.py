"""Tabs that record: the method, the assumptions, the estimates, the change log."""

from __future__ import annotations

from typing import Any

from planner.calc.expr import Call, Const, Ref, Say
from planner.inputs.assumed import MARK, assumed_value
from planner.inputs.field import Spec, specs
from planner.inputs.quantities import plain
from planner.inputs.scalars import PlanInputs
from planner.lines import CHAPTERS
from planner.workbook.block import Block
from planner.workbook.by_axis import wrapped
from planner.workbook.common import heading
from planner.workbook.context import Context
from planner.workbook.inputs import number_format
from planner.workbook.look import Style
from planner.workbook.sheet import Sheet
from planner.workbook.spoken import spoken


class MethodPage(Block):
    """Every line: unit, what it is, formula in words, source, where it stands."""

    def count(self, ctx: Context) -> int:
        return sum(1 + len(_lines_of(ctx, c)) + 1 for c in _chapters(ctx)) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        row = self.top
        for col, word in enumerate(
            ("Source", "Line", "Unit", "Why it stands there", "Tab", "Key", "Formula in words"), 1
        ):
            sheet.put(row, col, ctx.t(word), Style("header", "", () if col == 1 else ("left", "indent")))
        row += 1
        for chapter in _chapters(ctx):
            title = (chapter.__doc__ or "").split(".")[0]
            sheet.put(row, 1, ctx.t(title), Style("section"))
            sheet.band(row, 1, 7, Style("section"))
            row += 1
            for name in _lines_of(ctx, chapter):
                line = ctx.program.lines[name]
                home = ctx.places.homes[name].tab
                formula = spoken(line.expr, ctx.t)
                cells = (line.source, ctx.t(line.label), line.unit, ctx.t(line.why), home, name, formula)
                for col, words in enumerate(cells, 1):
                    role = "id" if col == 1 else "key" if col == 6 else "label" if col == 2 else "note"
                    link = f"internal:'{home}'!A1" if col == 5 else ""
                    more = ("wrap",) if col in (4, 7) else ()
                    sheet.put(row, col, words[:2000], Style(role, "", more), None, link)
                lines = max(wrapped(cells[3], 92), wrapped(cells[6][:2000], 104))
                sheet.heights[row] = max(15.75, 12.2 * lines + 3)
                row += 1
            row += 1


def _lines_of(ctx: Context, chapter: Any) -> list[str]:
    return [n for n, line in ctx.program.lines.items() if line.plain.__module__ == chapter.__name__]


def _chapters(ctx: Context) -> list[Any]:
    return [c for c in CHAPTERS if _lines_of(ctx, c)]


class Assumptions(Block):
    """Every scalar input against its default: what is yours, what is the product's or the guide's."""

    def count(self, ctx: Context) -> int:
        return 2 + len(self._keys(ctx))

    @staticmethod
    def _keys(ctx: Context) -> list[str]:
        """Inputs that have a default, and required ones that were only assumed."""
        assumed = ctx.plan.inputs.assumed
        fields = specs(PlanInputs).items()
        return [k for k, s in fields if k != "language" and (k in assumed if s.required else s.default is not None)]

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        self.top = row
        return row + self.count(ctx) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        header = self.top + 1
        fields = specs(PlanInputs)
        assumed = set(ctx.plan.inputs.assumed)
        for col, word in (
            (1, "Assumption"),
            (2, "In use"),
            (3, "Default"),
            (4, "State"),
            (5, "Source of the default"),
            (6, "Note"),
        ):
            more = ("right",) if col in (2, 3) else () if col == 1 else ("left", "indent")
            sheet.put(header, col, ctx.t(word), Style("header", "", more))
        for i, key in enumerate(self._keys(ctx)):
            row = header + 1 + i
            spec = fields[key]
            number = number_format(spec) or "text"
            sheet.put(row, 1, ctx.t(spec.label), Style("label"))
            value = Call("as_text", (Ref(key),)) if spec.is_text else Ref(key)
            ctx.put(sheet, row, 2, value, Style("calc", number))
            sheet.put(row, 3, _default(spec), Style("calc", number, ("color:muted",)))
            self._state(ctx, sheet, row, key)
            sheet.put(row, 5, ctx.t(MARK if spec.required else spec.source), Style("note"))
            note = ctx.t("ASSUMED for this illustrative plan. ") if key in assumed else ""
            sheet.put(row, 6, note + ctx.t(spec.note), Style("note"))

    def _state(self, ctx: Context, sheet: Sheet, row: int, key: str) -> None:
        spec = specs(PlanInputs)[key]
        default = _default(spec)
        mine = plain(getattr(ctx.plan.inputs.plan, key))
        same = str(mine).lower() == str(default).lower()
        here = f"$C{row + 1}=$D{row + 1}"
        kept = "assumed" if key in ctx.plan.inputs.assumed else "default in use"
        words = {True: ctx.t(kept), False: ctx.t("yours")}
        given = default if isinstance(default, str) else float(default or 0)
        state = Call("where", (Call("same", (Ref(key), Const(given))), Say(kept), Say("yours")))
        ctx.origins[sheet.name, row, 4] = (state, {})
        sheet.put(row, 4, words[same], Style("label", "", ("indent",)), f'=IF({here},"{words[True]}","{words[False]}")')


def _default(spec: Spec) -> float | str | None:
    """The default of an input; what an illustrative plan assumes where only a person can know."""
    return plain(assumed_value(spec) if spec.required else spec.default)


class Estimates(Block):
    """Each model with whose price, whose speed, whose latency and what the fit says."""

    def count(self, ctx: Context) -> int:
        return 2 + ctx.sizes["model"]

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        shown = (
            "model_latency_basis",
            "model_batch_note",
            "model_price_status",
            "model_speed_status",
            "model_fit_note",
        )
        header = self.top + 1
        sheet.put(header, 1, ctx.t("Model"), Style("header"))
        for col, name in enumerate(shown, 2):
            sheet.put(header, col, ctx.t(ctx.program.lines[name].label), Style("header", "", ("left", "indent")))
        sheet.heights[header] = 27
        for i in range(ctx.sizes["model"]):
            row = header + 1 + i
            entry = ctx.entry("model")
            assert entry is not None
            ctx.put(sheet, row, 1, entry, Style("label"), {"model": i})
            for col, name in enumerate(shown, 2):
                ctx.put(sheet, row, col, Ref(name), Style("note"), {"model": i})


class Changes(Block):
    """The change log: what the build did."""

    def count(self, ctx: Context) -> int:
        return 3

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        for col, word in ((1, "Date"), (2, "Who"), (3, "What changed, and why"), (4, "Cell")):
            sheet.put(self.top + 1, col, ctx.t(word), Style("header", "", () if col == 1 else ("left", "indent")))
        row = self.top + 2
        built = ctx.t("Built from the input workbook")
        if ctx.plan.inputs.assumed:
            built += ctx.t(". ") + ctx.t("ILLUSTRATIVE, assumed: ") + ", ".join(ctx.plan.inputs.assumed)
        for col, words in ((1, ctx.plan.as_of), (2, "planner"), (3, built), (4, "")):
            sheet.put(row, col, words or None, Style("note"))
