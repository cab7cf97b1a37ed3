"""Tabs that people read or that record: conclusion, key metrics, contents, legend, method, assumptions, reference."""

from __future__ import annotations

from typing import Any

from planner.calc.expr import Call, Const, Ref, Say
from planner.inputs.field import specs
from planner.inputs.quantities import plain
from planner.inputs.scalars import PlanInputs
from planner.labels import choice_labels
from planner.lines import CHAPTERS, METHOD
from planner.reference import REFERENCES, Reference, constants
from planner.resources import table
from planner.workbook.context import YEAR, Context
from planner.workbook.grid import LABEL, SOURCE, UNIT, heading
from planner.workbook.inputs import number_format
from planner.workbook.look import Style, data, number_of
from planner.workbook.places import Home
from planner.workbook.sheet import Sheet
from planner.workbook.spoken import spoken
from planner.workbook.template import Section, Tab


class Block:
    """A section that only needs a count of rows."""

    def __init__(self, section: Section, tabs: tuple[Tab, ...]) -> None:
        self.section, self.tabs, self.top = section, tabs, 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Take the rows."""
        self.top = row
        return row + self.count(ctx) + 1

    def count(self, ctx: Context) -> int:
        """How many rows."""
        raise NotImplementedError

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write them."""
        raise NotImplementedError


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
                 (YEAR, "Value", ("right",)), (5, "Limit", ("right",)), (6, "Why it stands there", ("left", "indent", "nowrap")))  # fmt: skip
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
            sheet.put(row, LABEL, ctx.t(item.label or METHOD.lines[item.show].label), Style("label"))
            ctx.unit(sheet, row, UNIT, item.show, item.number, item.unit)
            number = "" if ctx.program.kind(item.show) == "text" else item.number or number_of(ctx.program.unit(item.show))
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
        for col, word in ((1, "Tab"), (2, "Role"), (3, "The question it answers"), (4, "Who works in it"), (5, "State")):
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
        ("input", "25.0%", "Input: boxed and amber, blue figures. The only cells you can change."),
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
                "Past its threshold: somebody owns an action.", "The commitment cannot be kept: decide now.")  # fmt: skip

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


class MethodPage(Block):
    """Every line: unit, what it is, formula in words, source, where it stands."""

    def count(self, ctx: Context) -> int:
        return sum(1 + len(_lines_of(c)) + 1 for c in CHAPTERS) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        row = self.top
        for col, word in enumerate(("Source", "Line", "Unit", "Why it stands there", "Tab", "Key", "Formula in words"), 1):
            sheet.put(row, col, ctx.t(word), Style("header", "", () if col == 1 else ("left", "indent")))
        row += 1
        for chapter in CHAPTERS:
            title = (chapter.__doc__ or "").split(".")[0]
            sheet.put(row, 1, ctx.t(title), Style("section"))
            sheet.band(row, 1, 7, Style("section"))
            row += 1
            for name in _lines_of(chapter):
                line = METHOD.lines[name]
                home = ctx.places.homes[name].tab
                cells = (line.source, ctx.t(line.label), line.unit, ctx.t(line.why), home, name, spoken(line.expr))
                for col, words in enumerate(cells, 1):
                    role = "id" if col == 1 else "key" if col == 6 else "label" if col == 2 else "note"
                    link = f"internal:'{home}'!A1" if col == 5 else ""
                    more = ("wrap",) if col in (4, 7) else ()
                    sheet.put(row, col, words[:2000], Style(role, "", more), None, link)
                lines = max(-(-len(cells[3]) // 92), -(-min(len(cells[6]), 2000) // 104))
                sheet.heights[row] = max(15.75, 12.2 * lines + 3)
                row += 1
            row += 1


def _lines_of(chapter: Any) -> list[str]:
    return [n for n, line in METHOD.lines.items() if line.plain.__module__ == chapter.__name__]


class Assumptions(Block):
    """Every scalar input against its default: what is yours, what is the product's or the guide's."""

    def count(self, ctx: Context) -> int:
        return 2 + len(self._keys())

    @staticmethod
    def _keys() -> list[str]:
        return [k for k, s in specs(PlanInputs).items() if not s.required and s.default is not None and s.key != "language"]

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        self.top = row
        return row + self.count(ctx) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        header = self.top + 1
        fields = specs(PlanInputs)
        assumed = set(ctx.plan.inputs.assumed)
        for col, word in ((1, "Assumption"), (2, "In use"), (3, "Default"), (4, "State"), (5, "Source of the default"), (6, "Note")):
            more = ("right",) if col in (2, 3) else () if col == 1 else ("left", "indent")
            sheet.put(header, col, ctx.t(word), Style("header", "", more))
        for i, key in enumerate(self._keys()):
            row = header + 1 + i
            spec = fields[key]
            number = number_format(spec) or "text"
            sheet.put(row, 1, ctx.t(spec.label), Style("label"))
            value = Call("as_text", (Ref(key),)) if spec.is_text else Ref(key)
            ctx.put(sheet, row, 2, value, Style("calc", number))
            sheet.put(row, 3, plain(spec.default), Style("calc", number, ("color:muted",)))
            self._state(ctx, sheet, row, key)
            sheet.put(row, 5, ctx.t(spec.source), Style("note"))
            note = ctx.t("ASSUMED for this illustrative plan. ") if key in assumed else ""
            sheet.put(row, 6, note + ctx.t(spec.note), Style("note"))

    def _state(self, ctx: Context, sheet: Sheet, row: int, key: str) -> None:
        spec = specs(PlanInputs)[key]
        default = plain(spec.default)
        mine = plain(getattr(ctx.plan.inputs.plan, key))
        same = str(mine).lower() == str(default).lower()
        here = f"$C{row + 1}=$D{row + 1}"
        words = {True: ctx.t("default in use"), False: ctx.t("yours")}
        given = default if isinstance(default, str) else float(default)
        state = Call("where", (Call("same", (Ref(key), Const(given))), Say("default in use"), Say("yours")))
        ctx.origins[sheet.name, row, 4] = (state, {})
        sheet.put(row, 4, words[same], Style("label", "", ("indent",)), f'=IF({here},"{words[True]}","{words[False]}")')


class Estimates(Block):
    """Each model with whose price, whose speed, whose latency and what the fit says."""

    def count(self, ctx: Context) -> int:
        return 2 + ctx.sizes["model"]

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        shown = ("model_latency_basis", "model_batch_note", "model_price_status", "model_speed_status", "model_fit_note")
        header = self.top + 1
        sheet.put(header, 1, ctx.t("Model"), Style("header"))
        for col, name in enumerate(shown, 2):
            sheet.put(header, col, ctx.t(METHOD.lines[name].label), Style("header", "", ("left", "indent")))
        sheet.heights[header] = 27
        for i in range(ctx.sizes["model"]):
            row = header + 1 + i
            entry = ctx.entry("model")
            assert entry is not None
            ctx.put(sheet, row, 1, entry, Style("label"), {"model": i})
            for col, name in enumerate(shown, 2):
                ctx.put(sheet, row, col, Ref(name), Style("note"), {"model": i})


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
                    sheet.put(self.top + 1 + j, col, text or None, style)
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
        for i, c in enumerate(constants()):
            row = self.top + 2 + i
            sheet.put(row, 1, ctx.t(c.label), Style("label"))
            sheet.put(row, 2, c.value, Style("calc", "count"))
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
        homes = {"month_name": (2, "slot"), "check_number": (3, "check"), "check_tolerance": (4, "check")}
        for name, (col, axis) in homes.items():
            ctx.places.settle(name, Home(sheet.name, first, col, (axis,)))
        return row + self.count(ctx) + 1

    def models_range(self) -> tuple[int, int]:
        """First and last row of the model names."""
        return self.top + 2, self.top + 1 + len(self._models())

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        heading(ctx, sheet, self.top, self.section)
        heads = ("Models", "Month", "Check", "Tolerance", "List", "Key", "English", "中文")
        for col, word in enumerate(heads, 1):
            sheet.put(self.top + 1, col, ctx.t(word), Style("header", "", ("right",) if col in (3, 4) else ()))
        first = self.top + 2
        for i, name in enumerate(self._models()):
            sheet.put(first + i, 1, name, Style("label"))
        for i, row in enumerate(table("months.csv")):
            sheet.put(first + i, 2, ctx.t(row["name"]), Style("label", "", ("indent",)))
        for i, row in enumerate(table("checks.csv")):
            sheet.put(first + i, 3, float(i + 1), Style("calc", "count"))
            sheet.put(first + i, 4, float(row["tolerance"]), Style("calc", "fine"))
        at = first
        for name in dict.fromkeys(r["list"] for r in table("choices.csv")):
            for key, labels in choice_labels(name).items():
                for col, words in ((5, name), (6, key), (7, labels[0]), (8, labels[1])):
                    sheet.put(at, col, words, Style("key" if col == 6 else "note"))
                at += 1


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
            built += ". " + ctx.t("ILLUSTRATIVE, assumed: ") + ", ".join(ctx.plan.inputs.assumed)
        for col, words in ((1, ctx.plan.as_of), (2, "planner"), (3, built), (4, "")):
            sheet.put(row, col, words or None, Style("note"))

KINDS: dict[str, Any] = {
    "conclusion": Conclusion, "metrics": Metrics, "contents": Contents, "legend": Legend, "text": Text,
    "method": MethodPage, "assumptions": Assumptions, "reference": ReferenceTable, "constants": Constants,
    "lists": Lists, "estimates": Estimates, "changes": Changes,
}  # fmt: skip
