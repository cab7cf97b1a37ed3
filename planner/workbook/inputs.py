"""The input tabs, written from the input models: the Plan list and the tables with their spare rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from planner.inputs.field import Spec, specs
from planner.inputs.model import Inputs
from planner.inputs.quantities import WEIGHTS, plain
from planner.inputs.scalars import GROUPS, PlanInputs
from planner.inputs.tables import TABLES, Table
from planner.labels import Translate, choice_labels, list_name
from planner.workbook.look import Style
from planner.workbook.places import Home, Places, column_name, quoted
from planner.workbook.sheet import Sheet

FORMATS = {
    "tokens": "tokens", "number": "fine", "whole": "count", "share": "share", "factor": "factor", "money": "money",
    "month": "month", "date": "date", "text": "", "choice": "", "yes_no": "",
}  # fmt: skip
FIELD_FORMATS = {"price": "per_mtok", "rate1": "tokens_per_s"}
UNIT_WORDS = {
    "token": "tokens", "money": "{currency}", "money/month": "{currency}/month", "money/Mtok": "{currency}/M tokens",
    "money/kW/h": "{currency}/kWh", "money/usd": "{currency}/USD", "share": "%", "factor": "×", "day": "date",
    "token/request": "tokens", "h/day": "hours", "h/month": "hours", "GB/GPU": "GB/GPU", "GPU/node": "GPUs",
    "request/replica": "requests", "1/day": "per day", "h": "hours", "W/GPU": "W", "index": "number",
    "money/GPU": "{currency}/GPU",
    "money/GPU/month": "{currency}/GPU/month", "unit": "units",
    "money/unit/h": "{currency}/unit-h", "token/min/unit": "tokens/min",
    "count": "months", "parts": "parts", "text": "text", "month": "months", "choice": "choice",
}  # fmt: skip
BUILT, BLANK = "built", "blank"
# Columns of tables that drop-downs of other tables offer.
LISTED = ("curve_name", "tier_name", "tenant_name", "model_name", "pool_name", "service_tier_name", "region_name",
          "scenario_name", "use_case_name")  # fmt: skip
Words = Callable[[Sheet, int, int, str, Style], None]
Chosen = Callable[[Sheet, int, int, Spec, Style], None]


def number_format(spec: Spec) -> str:
    """The number format of an input."""
    return FIELD_FORMATS.get(spec.format, spec.format) if spec.format else FORMATS[spec.kind]


def validation(spec: Spec, lists: Mapping[str, str], t: Translate, mode: str, months: int = 0) -> dict[str, Any]:
    """What Excel checks while somebody types. A blank input workbook checks lists only: there people may type 1.8B."""
    rule: dict[str, Any] = {}
    if spec.choices:
        rule = {"validate": "list", "source": list(spec.choices)}
        keys = choice_labels(list_name(spec.key, spec.kind))
        rule["error_message"] = t("Choose one of the list.") + " " + ", ".join(keys or spec.choices)[:200]
    elif spec.listed and spec.listed in lists:
        rule = {"validate": "list", "source": lists[spec.listed]}
        if spec.free:
            rule |= {"error_type": "information", "error_message": t("Not in the list: then give its own figures.")}
        else:
            rule["error_message"] = t("Choose one of the list, or add a row to its table first.")
    elif mode == BUILT and spec.kind in ("month", "date"):
        rule = {"validate": "date", "criteria": "between", "minimum": "=36526", "maximum": "=73050"}
        rule["error_message"] = t("Type a date, for example 2027-01-01.")
    elif mode == BUILT and not spec.is_text:
        low = -1e15 if spec.low is None else spec.low
        high = 1e15 if spec.high is None else spec.high
        if spec.key == "horizon_months":
            high = months
        kind = "integer" if spec.kind == "whole" else "decimal"
        rule = {"validate": kind, "criteria": "between", "minimum": low, "maximum": high}
        rule["error_message"] = t("Wanted: a number from {low} to {high}.").format(low=f"{low:g}", high=f"{high:g}")
    if not rule:
        return {}
    rule |= {"ignore_blank": True, "error_title": t(spec.label)[:32]}
    labelled = choice_labels(list_name(spec.key, spec.kind)) if spec.choices or spec.listed else {}
    if labelled and mode == BLANK:
        said = "; ".join(f"{k}: {t(labels[0])}" for k, labels in labelled.items())
        rule |= {"input_title": t(spec.label)[:32], "input_message": said[:255]}
    if spec.message:
        rule |= {"input_title": t(spec.label)[:32], "input_message": t(spec.message)[:255]}
    return rule


class PlanList:
    """The Plan tab: a scalar input a row, in groups."""

    LABEL, VALUE, UNIT, NOTE, SOURCE, KEY = 1, 2, 3, 4, 5, 6

    def __init__(self, inputs: Inputs | None, language: str, t: Translate, mode: str, months: int = 0) -> None:
        self.inputs, self.language, self.t, self.mode, self.months = inputs, language, t, mode, months
        self.rows: list[tuple[int, str]] = []
        self.groups: list[tuple[int, str]] = []
        self.top = 0

    def place(self, places: Places, sheet: Sheet, row: int) -> int:
        """Give every scalar its cell and its name."""
        self.top = row
        row += 1
        for group, model in GROUPS.items():
            self.groups.append((row, group))
            row += 1
            for key in model.model_fields:
                self.rows.append((row, key))
                places.settle(key, Home(sheet.name, row, self.VALUE))
                places.define(key)
                row += 1
            row += 1
        return row

    def fill(self, sheet: Sheet, lists: Mapping[str, str], words: Words, chosen: Chosen | None = None) -> None:
        """Write the list. `words` writes a unit, whose currency follows its input where formulas may stand; `chosen`
        writes the label of a choice beside its key.
        """
        t = self.t
        for col, word in ((1, "Input"), (2, "Value"), (3, "Unit"), (4, "Note"), (5, "Source"), (6, "Key")):
            more = ("right",) if col == 2 else () if col in (1, 6) else ("left", "indent")
            sheet.put(self.top, col, t(word), Style("header", "", more))
        for row, group in self.groups:
            sheet.put(row, 1, t(group), Style("section"))
            sheet.band(row, 1, self.KEY, Style("section"))
            sheet.heights[row] = 21
        fields = specs(PlanInputs)
        for row, key in self.rows:
            self._row(sheet, row, fields[key], lists)
            unit = UNIT_WORDS.get(fields[key].unit, fields[key].unit)
            if chosen is not None and fields[key].kind in ("choice", "yes_no"):
                chosen(sheet, row, self.UNIT, fields[key], Style("unit"))
            else:
                words(sheet, row, self.UNIT, "choice" if fields[key].choices else unit, Style("unit"))

    def _row(self, sheet: Sheet, row: int, spec: Spec, lists: Mapping[str, str]) -> None:
        t = self.t
        value = plain(getattr(self.inputs.plan, spec.key)) if self.inputs else self._start(spec)
        locked = spec.key == "language" and self.mode == BUILT
        role = "calc" if locked else "spare" if value in (None, "") else "input"
        number = number_format(spec)
        style = Style(role, number or "text", ("right",))
        sheet.put(row, self.LABEL, t(spec.label), Style("label"))
        sheet.put(row, self.VALUE, None if value == "" else value, style)
        sheet.put(row, self.NOTE, t(spec.note), Style("note"))
        source = (self.inputs.sources.get(spec.key) if self.inputs else None) or self._source(spec, value)
        sheet.put(row, self.SOURCE, source, Style("note"))
        sheet.put(row, self.KEY, spec.key, Style("key"))
        if self.mode == BUILT and self.inputs and not self.inputs.portfolio and "ledger" in spec.choices:
            spec = replace(spec, choices=tuple(c for c in spec.choices if c != "ledger"))  # it has no ledger to follow
        rule = validation(spec, lists, t, self.mode, self.months)
        if rule and not locked:
            sheet.validations.append((row, self.VALUE, row, self.VALUE, rule))

    def _start(self, spec: Spec) -> Any:
        if spec.key == "language":
            return self.language
        if spec.required or spec.default is None:
            return None
        return plain(spec.default)

    def _source(self, spec: Spec, value: Any) -> str:
        """True whatever is typed later: a default with its source, or that there is none."""
        t = self.t
        if spec.required:
            return t("yours to fill")
        if spec.default is None:
            return t("optional")
        start = spec.default
        shown = start if isinstance(start, str) else f"{start * 100:g} %" if spec.kind == "share" else f"{start:g}"
        return t("default {value}: {source}").format(value=shown, source=t(spec.source))


class TableList:
    """A table tab: a column a field, a row an entry, spare rows behind. The first column counts the rows."""

    NUMBER, FIRST = 1, 2

    def __init__(self, which: Table, rows: tuple[Any, ...], t: Translate, mode: str) -> None:
        self.table, self.rows, self.t, self.mode = which, rows, t, mode
        self.top = 0

    def place(self, places: Places, sheet: Sheet, row: int) -> int:
        """Give every column its home, and the rows their name."""
        self.top = row
        first = row + 2
        axis = self.table.axis
        places.settle(f"{axis}_number", Home(sheet.name, first, self.NUMBER, (axis,)))
        for i, key in enumerate(self.table.specs):
            if key == "m1" and axis == "curve":
                places.settle("curve_weight", Home(sheet.name, first, self.FIRST + i, ("curve",), "slot"))
            if not (axis == "curve" and key in WEIGHTS):
                places.settle(self.table.name(key), Home(sheet.name, first, self.FIRST + i, (axis,)))
        return first + len(self.rows) + 1

    def column(self, key: str) -> int:
        """The column of a field."""
        return self.FIRST + list(self.table.specs).index(key)

    @property
    def last_col(self) -> int:
        """The last column of the table."""
        return self.FIRST + len(self.table.specs) - 1

    def rows_name(self, tab: str) -> tuple[str, str]:
        """The name of the rows that formulas read."""
        first, last = self.top + 3, self.top + 2 + len(self.rows)
        columns = column_name(self.FIRST), column_name(self.last_col)
        return f"{self.table.axis}_rows", f"={quoted(tab)}!${columns[0]}${first}:${columns[1]}${last}"

    def fill(self, sheet: Sheet, lists: Mapping[str, str]) -> None:
        """Write header, notes and rows."""
        t = self.t
        header, notes = self.top, self.top + 1
        sheet.put(header, self.NUMBER, "#", Style("header", "", ("right",)))
        sheet.put(notes, self.NUMBER, None, Style("question"))
        sheet.heights[header], sheet.heights[notes] = 39, 58
        for i, spec in enumerate(self.table.specs.values()):
            col = self.FIRST + i
            more = ("left", "indent") if spec.is_text else ("right",)
            sheet.put(header, col, t(spec.label), Style("header", "", more))
            sheet.put(notes, col, t(spec.note) or None, Style("question", "", ("wrap", "top", *more)))
            sheet.widths.setdefault(col, spec.width)
            rule = validation(spec, lists, t, self.mode)
            if rule and not spec.locked and self.rows:
                sheet.validations.append((self.top + 2, col, self.top + 1 + len(self.rows), col, rule))
        for i, row in enumerate(self.rows):
            at = self.top + 2 + i
            sheet.put(at, self.NUMBER, float(i + 1), Style("id", "count"))
            for j, spec in enumerate(self.table.specs.values()):
                value = None if row is None else plain(getattr(row, spec.key))
                sheet.put(at, self.FIRST + j, None if value == "" else value, self._style(spec, row, value))

    @staticmethod
    def _style(spec: Spec, row: Any, value: Any) -> Style:
        number = number_format(spec)
        if spec.locked:
            return Style("label", number) if not spec.is_text else Style("label", "", ("indent",))
        role = "spare" if row is None else "input"
        return Style(role, number) if not spec.is_text else Style(role, "", ("left", "indent"))


def tables_by_tab() -> dict[str, Table]:
    """The tables by tab name."""
    return {t.tab: t for t in TABLES}
