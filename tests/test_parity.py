"""Three engines, one plan: the stored values, the independent engine in process and LibreOffice agree at 1e-9."""

from __future__ import annotations

import os
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from portfolios import small_ledger

from planner.inputs.gate import passed
from planner.inputs.grid import target
from planner.inputs.reader import read_draft
from planner.plan import Plan, compute
from planner.samples import SAMPLES
from planner.verify.office import office_differences
from planner.verify.report import verify
from planner.workbook.blank import laid_out
from planner.workbook.layout import built
from planner.workbook.write import write

WHOLE = bool(os.environ.get("PROVE"))  # `make prove`: the large sample in both languages and in LibreOffice too
PLANS = {**SAMPLES, "small ledger": small_ledger}
ENGINE = [(n, lang) for n in SAMPLES for lang in ("en", "zh") if WHOLE or (n, lang) != ("ledger", "zh")]
OFFICE = [("on-prem", "en"), ("hybrid", "zh"), *([("ledger", "en"), ("small ledger", "zh")] if WHOLE else [])]


def written(name: str, folder: Path, language: str = "en") -> tuple[Plan, Path]:
    """A sample's input workbook written, read back, computed and written as a plan."""
    source = folder / "input.xlsx"
    write(laid_out(PLANS[name](language), language), source, language)
    plan = compute(passed(read_draft(source)))
    target_file = folder / "plan.xlsx"
    write(built(plan), target_file, language)
    return plan, target_file


def long_plan() -> Plan:
    """Two and a half years with growth: month columns in whole years, the last six beyond the horizon."""
    sample = SAMPLES["hybrid"]()
    changes = {"horizon_months": 30, "yearly_growth": 0.25, "contract_reset_month": 1, "peak_window": "hour"}
    phases = tuple(r.model_copy(update={"month_end": 30.0}) if r and r.phase == "Steady" else r
                   for r in sample.rows["Phases"])  # fmt: skip
    return compute(replace(sample, plan=sample.plan.model_copy(update=changes), rows={**sample.rows, "Phases": phases}))


@pytest.mark.parametrize(("name", "language"), ENGINE)
def test_the_independent_engine_agrees_everywhere(
    name: str, language: str, tmp_path: Path, record_property: Callable[[str, Any], None]
) -> None:
    _, path = written(name, tmp_path, language)
    verdict = verify(path)
    record_property("count:parity, formula cells in the independent engine", verdict.cells)
    record_property("count:parity, formula cells equal in the independent engine", verdict.equal)
    assert verdict.cells > 5000
    assert verdict.equal == verdict.cells
    assert not verdict.differences
    assert not [f for f in verdict.findings if f.severity == "error"]


@pytest.mark.office
@pytest.mark.parametrize(("name", "language"), OFFICE)
def test_libreoffice_agrees_everywhere(name: str, language: str, tmp_path: Path) -> None:
    _, path = written(name, tmp_path, language)
    assert office_differences(path) == []


def test_a_longer_plan_agrees_too(tmp_path: Path) -> None:
    plan = long_plan()
    path = tmp_path / "long.xlsx"
    write(built(plan), path)
    verdict = verify(path)
    assert verdict.ok, (verdict.differences[:3], [f for f in verdict.findings if f.severity == "error"][:3])
    assert plan.value("checks_failed") == 0
    months = plan.series("monthly_tokens")
    assert len(months) == 36
    assert (months.iloc[30:] == 0).all()
    assert months.iloc[12] == pytest.approx(months.iloc[0] * 1.25, rel=1e-12)


def test_a_year_of_a_ledger_agrees_too(tmp_path: Path) -> None:
    """Twelve months and tables of a dozen columns: neither is taken for the other."""
    _, path = written("small ledger", tmp_path, "zh")
    verdict = verify(path)
    assert verdict.ok, (verdict.differences[:3], [f for f in verdict.findings if f.severity == "error"][:3])


def test_both_languages_give_the_same_numbers(tmp_path: Path) -> None:
    english, chinese = (compute(SAMPLES["hybrid"](language)) for language in ("en", "zh"))
    for key, value in english.headlines().items():
        assert chinese.headlines()[key] == value, key


@pytest.mark.parametrize("name", [n for n in PLANS if n != "ledger"])
def test_every_headline_is_readable_without_calculating(name: str, tmp_path: Path) -> None:
    """Case 1: a reader that does not calculate sees the right numbers."""
    plan, path = written(name, tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(path, data_only=True)
    for key, value in plan.headlines().items():
        there = target(book.defined_names[key].attr_text)
        assert there is not None, key
        tab, row, column = there
        shown = book[tab].cell(row, column).value
        assert shown == pytest.approx(value, rel=1e-12) if isinstance(value, float) else shown == value, key


@pytest.mark.parametrize("name", [n for n in PLANS if WHOLE or "ledger" not in n])
def test_what_was_typed_is_what_is_planned(name: str, tmp_path: Path) -> None:
    """Written as an input workbook and read back, a sample says the same."""
    plan, _ = written(name, tmp_path)
    wanted = PLANS[name]().fitted()
    assert plan.inputs.plan == wanted.plan
    for tab, rows in wanted.rows.items():
        assert [r for r in plan.inputs.rows[tab] if r] == [r for r in rows if r], tab


def test_a_spoiled_stored_value_is_found(tmp_path: Path) -> None:
    _, path = written("on-prem", tmp_path)
    spoiled = tmp_path / "spoiled.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(spoiled, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.namelist():
            data = old.read(item)
            if item.startswith("xl/worksheets/") and b"<v>625000</v>" in data:
                data = data.replace(b"<v>625000</v>", b"<v>625001</v>", 1)
            new.writestr(item, data)
    verdict = verify(spoiled)
    assert not verdict.ok
    assert [d for d in verdict.differences if d.stored == 625001]


def test_the_same_plan_gives_the_same_bytes(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    assert written("hybrid", one)[1].read_bytes() == written("hybrid", two)[1].read_bytes()
