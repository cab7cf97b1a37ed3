"""The second engine: it recalculates a copy, proves that it did, and says plainly when it cannot."""

from __future__ import annotations

import os
import sys
import zipfile
from pathlib import Path

import pytest
import xlsxwriter
from test_verify_workbook import SLOT, build, swap

from planner.verify import office
from planner.verify.office import OfficeFailure, OfficeMissing, office_differences, office_values, write_with_canary
from planner.verify.package import read
from planner.verify.recalc import differences, stored_and_recalculated

no_office = office.office_program() is None and os.environ.get("CI") != "true"
needs_office = pytest.mark.skipif(no_office, reason="LibreOffice is not installed")


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    return build(tmp_path / "plan.xlsx")


@pytest.mark.office
@needs_office
def test_libreoffice_agrees_with_the_file(plan: Path) -> None:
    before = plan.read_bytes()
    values = office_values(plan)
    assert set(values) == {(pair.tab, pair.row, pair.col) for pair in stored_and_recalculated(plan)}
    assert values["Plan", 8, 4] == "" and values["Plan", 10, 4] is True
    assert office_differences(plan) == []
    assert plan.read_bytes() == before


@pytest.mark.office
@needs_office
def test_libreoffice_finds_a_wrong_value(plan: Path) -> None:
    swap(plan, "sheet1.xml", SLOT + b"<v>2</v>", SLOT + b"<v>3</v>")
    found = office_differences(plan)
    assert [(d.place, d.stored, d.recalculated) for d in found] == [("Plan!D9", 3.0, 2.0)]
    assert [d.place for d in found] == [d.place for d in differences(stored_and_recalculated(plan))]


@pytest.mark.office
@needs_office
def test_the_canary_tells_when_nothing_was_recalculated(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "_ALWAYS", office._ALWAYS.replace("<value>0</value>", "<value>1</value>"))
    with pytest.raises(OfficeFailure, match="did not recalculate"):
        office_values(plan)


@pytest.mark.office
@needs_office
def test_a_slow_libreoffice_is_ended(plan: Path) -> None:
    with pytest.raises(OfficeFailure, match="longer than"):
        office_values(plan, timeout=0.05)


def test_without_libreoffice_it_says_so(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "office_program", lambda: None)
    with pytest.raises(OfficeMissing, match="not installed"):
        office_values(plan)


def test_a_program_that_writes_nothing_is_a_failure(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "office_program", lambda: sys.executable)
    with pytest.raises(OfficeFailure, match="wrote no file"):
        office_values(plan)


@pytest.mark.parametrize("tab_and_row", [("Plan", 8), ("Plan", 9), ("Plan", 10), ("Plan", 11), ("Demand", 4)])
def test_the_canary_changes_one_stored_value_of_a_copy(
    plan: Path, tmp_path: Path, tab_and_row: tuple[str, int]
) -> None:
    book = read(plan)
    tab, row = tab_and_row
    sheet = next(sheet for sheet in book.sheets if sheet.name == tab)
    cell = next(cell for cell in sheet.formulas if cell.row == row)
    copy = tmp_path / "copy.xlsx"
    canary = write_with_canary(book, copy, sheet, cell)
    assert canary[:3] == (tab, row, cell.col)
    again = read(copy)
    changed = [
        (sheet.name, new.row, new.col)
        for sheet, other in zip(book.sheets, again.sheets, strict=True)
        for old, new in zip(sheet.formulas, other.formulas, strict=True)
        if old != new
    ]
    assert changed == [(tab, row, cell.col)]
    with zipfile.ZipFile(plan) as one, zipfile.ZipFile(copy) as two:
        assert [n for n in one.namelist() if one.read(n) != two.read(n)] == [sheet.part]


def test_a_file_without_formulas_has_no_values(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = plan.with_name("empty.xlsx")
    xlsxwriter.Workbook(str(path)).close()
    monkeypatch.setattr(office, "office_program", lambda: sys.executable)
    assert office_values(path) == {}
    assert office_differences(path) == []
