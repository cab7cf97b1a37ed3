"""One plan typed twice, in Chinese and in English: headers, tabs, choices, dates and figures differ, the plan does not."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
from openpyxl.cell import Cell
from workbooks import FIRST_ROW, HEADER_ROW, quiet

from planner.inputs.field import Spec, specs
from planner.inputs.gate import passed
from planner.inputs.model import Inputs
from planner.inputs.reader import read_draft
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import PLAN_TAB, TABLES
from planner.labels import choice_labels, list_name, translator
from planner.plan import Plan, compute
from planner.samples import SAMPLES
from planner.workbook.blank import laid_out
from planner.workbook.layout import Layout, built
from planner.workbook.write import write

CHINESE = re.compile(r"[\u4e00-\u9fff]")
WIDE = str.maketrans("0123456789.%-", "０１２３４５６７８９．％－")  # as an input method types them
T = translator("zh")


# ---- a workbook typed in Chinese


def in_chinese(value: Any, spec: Spec) -> tuple[str, Any]:
    """How somebody who writes Chinese types a value, and under which heading this is counted; names stay as they are."""
    labels = choice_labels(list_name(spec.key, spec.kind)) if spec.choices or spec.listed else {}
    if value in labels and spec.kind in ("choice", "yes_no"):
        return spec.kind, labels[value][-1]
    match spec.kind:
        case "tokens":
            return "tokens", _volume(Decimal(repr(float(value))))
        case "month":
            return "month", f"{value.year}年{value.month}月"
        case "date":
            return "date", f"{value.year}年{value.month}月{value.day}日"
        case "share":
            return "share", f"{_digits(Decimal(repr(float(value))) * 100)}%".translate(WIDE)
        case "factor":
            return "factor", f"{_digits(Decimal(repr(float(value))))}倍"
        case "number" | "money" | "whole":
            return "number", _digits(Decimal(repr(float(value)))).translate(WIDE)
    return "text", value


def _digits(number: Decimal) -> str:
    plain = f"{number:f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _volume(tokens: Decimal) -> str:
    """18亿, 5000万, and below that the digits."""
    for word, power in (("亿", 8), ("万", 4)):
        if tokens >= 10**power:
            return _digits(tokens.scaleb(-power)) + word
    return _digits(tokens)


def filled_cells(book: Any, t: Any) -> Iterator[tuple[Cell, Spec]]:
    """Every input cell that holds something, with what it is: the scalars by name, the tables by column."""
    plan = book[t(PLAN_TAB)]
    for key, spec in specs(PlanInputs).items():
        yield plan[book.defined_names[key].attr_text.rpartition("!")[2].replace("$", "")], spec
    for table in TABLES:
        sheet = book[t(table.tab)]
        for column, spec in enumerate(table.specs.values(), 3):
            for row in range(FIRST_ROW, sheet.max_row + 1):
                yield sheet.cell(row, column), spec


def typed_in_chinese(source: Path, target: Path) -> Counter[str]:
    """A copy of a Chinese input workbook in which every filled input cell is typed anew, as Chinese text; the counts."""
    counts: Counter[str] = Counter()
    with quiet():
        book = openpyxl.load_workbook(source)
    for cell, spec in filled_cells(book, T):
        if cell.value is None or spec.locked:
            continue
        kind, words = in_chinese(cell.value, spec)
        counts[kind] += 1
        if kind != "text":
            cell.number_format, cell.value, cell.data_type = "@", words, "s"
    book.save(target)
    return counts


# ---- both twins of a sample


class Twins:
    """A sample's inputs (names and notes in Chinese) in an English and in a Chinese workbook, read back."""

    def __init__(self, name: str, folder: Path) -> None:
        inputs = SAMPLES[name]("zh")
        paths = {way: folder / f"{name}-{way}.xlsx" for way in ("english", "written", "chinese")}
        write(laid_out(inputs, "en"), paths["english"], "en")
        write(laid_out(inputs, "zh"), paths["written"], "zh")
        self.counts = typed_in_chinese(paths["written"], paths["chinese"])
        self.paths = paths
        self.english, self.chinese = (read(paths[way]) for way in ("english", "chinese"))


def read(path: Path) -> Inputs:
    draft = read_draft(path)
    assert not draft.problems, [str(p) for p in draft.problems]
    return passed(draft)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("twins")


@cache
def twins(name: str, folder: Path) -> Twins:
    return Twins(name, folder)


# ---- what is compared


def unequal(one: Plan, other: Plan) -> list[str]:
    """Lines and inputs whose axes or values are not the same, to the last bit."""
    assert one.labels == other.labels and one.values.keys() == other.values.keys()
    found = []
    for name, array in one.values.items():
        twin = other.values[name]
        same = array.axes == twin.axes and np.array_equal(array.numbers, twin.numbers, equal_nan=True)
        if not (same and np.array_equal(array.words, twin.words)):
            found.append(name)
    return found


def contents(layout: Layout) -> dict[tuple[str, int, int], tuple[Any, str | None]]:
    """Value and formula of every cell."""
    return {
        (sheet.name, row, col): (cell.value, cell.formula)
        for sheet in layout.sheets
        for (row, col), cell in sheet.cells.items()
    }


@pytest.mark.parametrize("name", SAMPLES)
def test_the_chinese_twin_is_typed_in_chinese(name: str, folder: Path) -> None:
    """Tab names and headers too; no key of a choice is left, no figure and no date in its cell's own type."""
    made = twins(name, folder)
    assert made.counts["choice"] > 20 and made.counts["yes_no"] > 10 and made.counts["tokens"] >= 1
    assert made.counts["month"] == 1 and made.counts["share"] > 20 and made.counts["factor"] > 2
    assert made.counts["number"] > 100 and (made.counts["date"] > 0) == (name != "api")
    with quiet():
        book = openpyxl.load_workbook(made.paths["chinese"])
    fields = {"计划": 4, **{T(t.tab): len(t.specs) for t in TABLES}}
    assert set(fields) < set(book.sheetnames) and all(CHINESE.search(tab) for tab in book.sheetnames)
    for tab, count in fields.items():
        headers = [c.value for c in book[tab][HEADER_ROW] if c.value]
        assert len(headers) >= count and sum(bool(CHINESE.search(h)) for h in headers) >= len(headers) // 3, tab
    words = Counter(str(cell.value) for cell, spec in filled_cells(book, T) if spec.kind != "text")
    assert words["是"] and words["否"] and words["中文"] and words["2027年1月"]
    assert words[{"on-prem": "18亿", "ledger": "360亿"}.get(name, "180亿")] == 1
    if name == "hybrid":
        assert words["混合"] and words["实时"] and words["业务关键"] and words["自建"] and words["2026年11月27日"]
        assert words["S 曲线"] and words["满则拒绝"] and words["４５％"] and words["2026年11月27日"]
    keys = {key for cell, spec in filled_cells(book, T) if cell.value for key in spec.choices}
    same_in_both = {key for key in keys if not CHINESE.search("".join(names[-1] for names in _labels(key)))}
    assert not (keys - same_in_both) & set(words)
    values = [c.value for c, s in filled_cells(book, T) if c.value is not None and s.kind != "text" and not s.locked]
    assert all(isinstance(value, str) for value in values)


def _labels(key: str) -> list[tuple[str, ...]]:
    fields = [s for m in (PlanInputs, *(t.row for t in TABLES)) for s in specs(m).values() if key in s.choices]
    return [choice_labels(list_name(s.key, s.kind))[key] for s in fields]


@pytest.mark.parametrize("name", SAMPLES)
def test_both_twins_are_read_as_the_same_inputs(name: str, folder: Path) -> None:
    made = twins(name, folder)
    assert made.chinese.plan == made.english.plan == SAMPLES[name]("zh").plan
    assert made.chinese.rows == made.english.rows
    assert made.chinese == made.english


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", SAMPLES)
def test_every_value_of_every_line_is_the_same(name: str, language: str, folder: Path) -> None:
    made = twins(name, folder)
    one, other = compute(made.chinese, language), compute(made.english, language)
    assert len(one.values) > 500 and unequal(one, other) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_figures_do_not_hang_on_the_language_that_names_are_written_in(name: str, folder: Path) -> None:
    """Beside the English sample, whose phases and levers have English names: all numbers, to the last bit."""
    one, other = compute(twins(name, folder).chinese, "en"), compute(SAMPLES[name]("en"), "en")
    assert one.labels == other.labels
    differ = [
        n for n, a in one.values.items() if not np.array_equal(a.numbers, other.values[n].numbers, equal_nan=True)
    ]
    assert differ == []


def test_every_cell_of_the_written_plan_is_the_same(folder: Path) -> None:
    """Values and formulas cell by cell, then the files: not a byte differs."""
    made = twins("hybrid", folder)
    layouts = [built(compute(inputs)) for inputs in (made.chinese, made.english)]
    one, other = map(contents, layouts)
    assert one.keys() == other.keys()
    assert [place for place, cell in one.items() if cell != other[place]] == []
    assert sum(formula is not None for _, formula in one.values()) > 5000
    files = [folder / "plan-chinese.xlsx", folder / "plan-english.xlsx"]
    for layout, file in zip(layouts, files, strict=True):
        write(layout, file, "zh")
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize(
    ("place", "value"), [("total_tokens", "18.1亿"), ("sla_tier", "业务关键"), ("peak_factor", "4倍")]
)
def test_a_twin_with_another_value_is_another_plan(place: str, value: str, folder: Path, tmp_path: Path) -> None:
    """The comparison can fail: one cell typed otherwise is found in inputs, lines and cells."""
    made = twins("on-prem", folder)
    with quiet():
        book = openpyxl.load_workbook(made.paths["chinese"])
    tab, _, cell = book.defined_names[place].attr_text.replace("$", "").replace("'", "").rpartition("!")
    book[tab][cell].value = value
    book.save(tmp_path / "other.xlsx")
    other = read(tmp_path / "other.xlsx")
    assert other != made.english
    assert {place, "peak_tokens_per_s"} & set(unequal(compute(other), compute(made.english)))


def test_a_chinese_workbook_without_names_is_read_by_its_headers(folder: Path, tmp_path: Path) -> None:
    """Copied into a workbook of one's own the defined names are lost: labels and headers in Chinese are enough."""
    made = twins("hybrid", folder)
    with quiet():
        book = openpyxl.load_workbook(made.paths["chinese"])
    for name in list(book.defined_names):
        del book.defined_names[name]
    for row in book["计划"].iter_rows(min_row=HEADER_ROW + 1, min_col=7, max_col=7):
        row[0].value = None  # nor the keys
    book.save(tmp_path / "bare.xlsx")
    bare = read(tmp_path / "bare.xlsx")
    assert bare.plan == made.english.plan
    filled = 0
    for table in TABLES:
        used = [[row for row in inputs.rows[table.tab] if row] for inputs in (bare, made.english)]
        assert used[0] == used[1], table.tab
        filled += bool(used[0])
    assert filled > 8


def test_dates_are_typed_as_days(folder: Path) -> None:
    """What the retyping makes of a date is what it was."""
    made = twins("hybrid", folder)
    dates = [row.evidence_date for row in made.chinese.rows["Pools"] if row]
    assert dates == [dt.date(2026, 11, 27)] * 2
