"""The guard against harmful files and the reader of cells. Every file is built here, the harmful ones by hand."""

from __future__ import annotations

import datetime as dt
import re
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import xlsxwriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.inputs import grid, guard
from planner.inputs.grid import Cell, place, read_book, set_cell, target
from planner.inputs.guard import UnsafeFile, check_file

SHEET = "xl/worksheets/sheet1.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
BOMB = b"<a>" + b" " * (30 << 20)
OLE = bytes.fromhex("D0CF11E0A1B11AE1")
DTD = '<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>'
ZIPS = {"xl/workbook.bin": "(.xlsb)", "mimetype": "(.ods)", "word/document.xml": "a Word", "a.txt": "Unpack it"}
ROWS = """<row r="2"><c r="A2"/></row><row r="1"><c r="A1"/></row>|<row r="1"><c r="B1"/><c r="A1"/></row>|<row r="x"/>
<row r="1"><c r="B1"/><c r="B1"/></row>|<row r="1048577"/>|<row r="1"><c r="XFE1"/></row>
<row r="1"><c r="1A"/></row>|<row>"""
NAMES = {"area": "Plan!$B$1:$B$4", "its": "'it''s'!$XFD$9", "peak_factor": "Plan!$B$1"}
CELLS = {
    "A": ["00123", "1E5", "=cmd|' /C calc'!A0", "推理平台", "a\nb", " x "],
    "B": [5, 2.5, True, 1_800_000_000, 0.25],
    "C": [dt.date(2026, 11, 30), dt.datetime(2026, 11, 30, 8, 15), 0.25, 1.5, 1_800_000_000.0],
    "D": [10, "text", False, "#REF!", True, 7.5],
}
TABS = """Plan 模型 a.b _x Rates ABCD1 'SLA tiers' 'A1' 'r2' 'C' 'RC' 'R1C1x' '2027' '.a' 'it''s' 'R&D' '😀' 'TRUE'"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """One tab called 模型 with a number, a text and a formula, and a defined name."""
    path = tmp_path / "in put.xlsx"
    with xlsxwriter.Workbook(path) as workbook:
        sheet = workbook.add_worksheet("模型")
        sheet.write_row("A1", [5])
        sheet.write_row("B2", ["text"])
        sheet.write_formula("C3", "=A1*2", None, 10)
        workbook.define_name("peak_factor", "='模型'!$A$1")
    return path


def changed(path: Path, parts: dict[str, Any]) -> Path:
    """A copy of the zip with parts replaced or added: bytes, text, or a function of the old text."""
    copy = path.with_name("changed.xlsx")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in ({name: old.read(name) for name in old.namelist()} | parts).items():
            new.writestr(name, content(old.read(name).decode()) if callable(content) else content)
    return copy


def with_cells(book: Path, cells: str) -> Path:
    return changed(book, {SHEET: f'<worksheet xmlns="{MAIN}"><sheetData>{cells}</sheetData></worksheet>'})


def cells_of(book: Path, cells: str) -> dict[tuple[int, int], Cell]:
    return read_book(with_cells(book, cells)).sheets["模型"].cells


def refusal(path: Path, read: Callable[[Path], object] = check_file) -> str:
    with pytest.raises(UnsafeFile) as refused:
        read(path)
    assert str(refused.value) == f"{refused.value.found} {refused.value.do or 'NONE'}"
    assert not re.search("Error|Errno|Traceback|None", str(refused.value))
    return str(refused.value)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("plan.csv", b"model,tokens\ngpt,1\n", "is text (such as CSV), not an Excel workbook"),
        ("plan.xlsx", "模型,词元\n".encode(), "is text (such as CSV)"),
        ("plan.xlsx", "a\tb".encode("utf-16"), "is text (such as CSV)"),
        ("plan.xls", b"<html><table/></html>", "is a web page or XML text"),
        ("plan.xls", OLE + bytes(600), "Excel 97-2003 (.xls). Open it"),
        ("a.xlsx", OLE + b"x" * 9000 + "EncryptedPackage".encode("utf-16-le"), "password"),
        ("plan.xlsx", b"%PDF-1.7 ...", "is a PDF"),
        ("plan.xlsx.gz", b"\x1f\x8b\x08\x00abc", "is a compressed file"),
        ("plan.xlsx", bytes(range(64)), "is a file of another kind"),
        ("plan.xlsx", b"", "is empty"),
        ("plan.xlsx", b"PK\3\4" + b"junk" * 20, "is damaged or incomplete"),
        ("~$plan.xlsx", b"\5owner", "Name the workbook: plan.xlsx."),
    ],
)
def test_files_of_other_kinds(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert said in refusal(tmp_path / name)


@pytest.mark.parametrize(("part", "said"), ZIPS.items())
def test_zips_of_other_kinds(tmp_path: Path, part: str, said: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        archive.writestr(part, "x")
    assert said in refusal(tmp_path / "a.xlsx")


def test_what_cannot_be_opened(tmp_path: Path, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal(tmp_path / "no.xlsx").startswith("There is no file")
    assert "is not a file" in refusal(tmp_path)
    assert "cannot be read" in refusal(tmp_path / ("x" * 300))
    book.with_name("cut.xlsx").write_bytes(book.read_bytes()[:-30])
    assert "damaged or incomplete" in refusal(book.with_name("cut.xlsx"))
    monkeypatch.setattr(guard, "MAX_FILE", 1000)
    assert "more than the" in refusal(book)
    monkeypatch.setattr(Path, "open", Mock(side_effect=PermissionError(13, "Permission denied")))
    assert "may not be read. Close it" in refusal(book)


@pytest.mark.parametrize("part", [SHEET, "xl/media/image1.png", "xl/sharedStrings.xml", "docProps/app.xml", "x.bin"])
def test_a_bomb_in_any_part_is_refused_while_reading(book: Path, part: str) -> None:
    assert f"unpacks to far more than its size ({part})" in refusal(changed(book, {part: BOMB}))


def test_the_sizes_and_the_number_of_parts(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "2,0" in refusal(changed(book, {f"xl/media/{at}.png": b"" for at in range(2000)}))
    assert "more parts than any workbook" in refusal(changed(book, {f"xl/media/{at:060}": b"" for at in range(10_000)}))
    for cap, value in {"MAX_TOTAL": 5000, "MAX_PART": 1000}.items():
        monkeypatch.setattr(guard, cap, value)
        assert "unpacks to far more" in refusal(book)
        monkeypatch.undo()


@pytest.mark.parametrize("part", [SHEET, "xl/styles.xml", "docProps/core.xml", "xl/_rels/workbook.xml.rels", "odd.bin"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_no_dtd_in_any_part_and_encoding(book: Path, part: str, encoding: str) -> None:
    assert f"holds a DTD ({part})" in refusal(changed(book, {part: DTD.encode(encoding)}))


@pytest.mark.parametrize(
    "cells",
    [
        '<row r="1"><c r="A1"/></row><row r="1048576"><c r="XFD1048576"/></row>',
        "<row r='1048576'><c s='1' r = 'XFD1048576'><v>1</v></c></row>",
        f'<x:row xmlns:x="{MAIN}" r="1048576"><x:c r="&#88;FD1048576"/></x:row>',
        '<row r="5000"><c/></row><row>' + "<c/>" * 5000 + "</row>",
    ],
)
def test_a_far_cell_is_refused_at_once_with_its_tab(book: Path, cells: str) -> None:
    start = time.perf_counter()
    assert re.search("uses [0-9,]+ rows by [0-9,]+ columns in tab '模型'", refusal(with_cells(book, cells)))
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(("row", "column"), [("1048576", "A"), ("1220", "XFD")])
def test_a_long_or_wide_tab_is_read(book: Path, row: str, column: str) -> None:
    assert len(cells_of(book, f'<row r="{row}"><c r="{column}{row}"><v>7</v></c></row>')) == 1


@pytest.mark.parametrize("cells", re.split("[|\n]", ROWS))
def test_damaged_tabs(book: Path, cells: str) -> None:
    assert "is damaged in tab '模型'" in refusal(with_cells(book, cells))


def test_zips_that_excel_never_makes(book: Path) -> None:
    for part in ("XL/Workbook.xml", "../up.xml"):
        assert "not packed as Excel packs" in refusal(changed(book, {part: "<a/>"}))
    packed = changed(book, {}).read_bytes()
    locked = book.with_name("locked.xlsx")
    locked.write_bytes(re.sub(rb"(?s)(PK\x01\x02.{4})..", lambda at: at[1] + b"\1\0", packed))
    assert "is an encrypted zip" in refusal(locked)
    strict = '<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"/>'
    assert "Strict Open XML" in refusal(changed(book, {"xl/workbook.xml": strict}))


def test_what_will_be_ignored_is_said(book: Path) -> None:
    assert check_file(book) == []
    extra = ["vbaProject.bin", "externalLinks/externalLink1.xml", "embeddings/oleObject1.bin", "connections.xml"]
    said = read_book(changed(book, {f"xl/{part}": "<a/>" for part in extra})).warnings
    marks = "macros", "links to other workbooks", "embedded", "connections"
    assert [mark in sentence for mark, sentence in zip(marks, said, strict=True)] == [True] * 4


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_file_is_read_or_refused(book: Path, data: st.DataObject) -> None:
    part = data.draw(st.sampled_from(sorted(zipfile.ZipFile(book).namelist())))
    xml = zipfile.ZipFile(book).read(part)
    at, size = data.draw(st.integers(0, len(xml))), data.draw(st.integers(0, 40))
    copy = changed(book, {part: xml[:at] + data.draw(st.binary(max_size=3)) + xml[at + size :]})
    raw = bytearray(copy.read_bytes())
    raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    copy.write_bytes(raw)
    with suppress(UnsafeFile):
        assert read_book(copy).path == copy


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook with every kind of cell in its first tab, and a hidden, a chart and an oddly named tab."""
    path = tmp_path_factory.mktemp("rich") / "rich.xlsx"
    options = {"strings_to_formulas": False, "strings_to_numbers": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(path, options) as workbook:
        shown = "0.0%", "yyyy-mm-dd", "yyyy-mm-dd hh:mm", "hh:mm", "[h]:mm"
        percent, day, moment, clock, span = (workbook.add_format({"num_format": each}) for each in shown)
        sheet = workbook.add_worksheet("Plan")
        sheet.write_column("A1", ["00123", "1E5", "=cmd|' /C calc'!A0", "推理平台", "a\r\nb", " x "])
        sheet.write_column("B1", [5, 2.5, True, 1_800_000_000])
        sheet.write_column("B5", [0.25, None], percent)
        moments = [dt.date(2026, 11, 30), dt.datetime(2026, 11, 30, 8, 15), 0.25, 1.5, 1_800_000_000]
        for row, (value, cell_format) in enumerate(zip(moments, [day, moment, clock, span, day], strict=True)):
            sheet.write(row, 2, value, cell_format)
        for row, stored in enumerate([10, "text", False, "#REF!", True]):
            sheet.write_formula(row, 3, "=B1*2", None, stored)
        sheet.write_array_formula("D6:D6", "{=SUM(B1:B2)}", percent, 7.5)
        sheet.data_validation("A1", {"validate": "list", "source": "='R&D 2027'!$A$1:$A$9"})
        sheet.conditional_format("A1:B9", {"type": "data_bar", "data_bar_2010": True})
        workbook.add_worksheet("R&D 2027").hide()
        workbook.add_worksheet("it's").very_hidden()
        chart = workbook.add_chart({"type": "line"})
        chart.add_series({"values": "=Plan!$B$1:$B$2"})
        workbook.add_chartsheet("Chart").set_chart(chart)
        for name, to in {**NAMES, "Plan!local": "Plan!$B$1"}.items():
            workbook.define_name(name, f"={to}")
        sheet.autofilter("A1:B4")
        sheet.print_area("A1:B4")
    return path


@pytest.mark.parametrize("column", CELLS)
def test_cells_come_as_stored(rich: Path, column: str, capsys: pytest.CaptureFixture[str]) -> None:
    cells = read_book(rich).sheets["Plan"].cells
    found = [cells[at].value for at in sorted(cells) if at[1] == ord(column) - 64]
    assert found == CELLS[column]
    assert [type(value) for value in found] == [type(value) for value in CELLS[column]]
    assert capsys.readouterr() == ("", "")
    assert (cells[5, 2].number_format, cells[1, 2].number_format) == ("0.0%", "General")
    formulas = {at: cell.formula for at, cell in cells.items() if cell.formula}
    assert formulas == {(row, 4): "=B1*2" for row in range(1, 6)} | {(6, 4): "=SUM(B1:B2)"}


@pytest.mark.parametrize("stored", ["<v></v>", "<v/>", ""])
def test_a_formula_without_a_stored_value_has_none(book: Path, stored: str) -> None:
    script_saved = changed(book, {SHEET: lambda xml: xml.replace("<v>10</v>", stored)})
    assert read_book(script_saved).sheets["模型"].cells[3, 3] == Cell(None, "General", "=A1*2")
    assert read_book(book).sheets["模型"].cells[3, 3] == Cell(10, "General", "=A1*2")


def test_formulas_that_are_written_in_other_ways(book: Path) -> None:
    empty = '<row r="1"><c r="A1" t="str"><f>""</f><v></v></c><c r="B1" t="str"><v></v></c></row>'
    first = '<row r="2"><c r="A2"><f t="shared" ref="A2:A3" si="0">B1*2</f><v>1</v></c></row>'
    second = '<row r="3"><c r="A3"><f t="shared" si="0"/><v>2</v></c>'
    table = '<c r="B3"><f t="dataTable" ref="B3" dt2D="0" dtr="0" r1="A1"/><v>3</v></c></row>'
    found = [(cell.value, cell.formula) for cell in cells_of(book, empty + first + second + table).values()]
    assert found == [("", '=""'), (1, "=B1*2"), (2, "=B2*2"), (3, "=TABLE()")]


@pytest.mark.parametrize("size", ["A1", "C3:D4", "A1:XFD1048576", ""])
def test_the_claimed_size_of_a_tab_does_not_matter(book: Path, size: str) -> None:
    claim = f'<dimension ref="{size}"/>' if size else ""
    lying = changed(book, {SHEET: lambda xml: re.sub("<dimension[^>]*>", claim, xml)})
    assert read_book(lying).sheets == read_book(book).sheets
    assert list(read_book(lying).sheets["模型"].cells) == [(1, 1), (2, 2), (3, 3)]


def test_tabs_hidden_and_wanted(rich: Path) -> None:
    assert list(read_book(rich).sheets) == ["Plan", "R&D 2027", "it's"]
    some = read_book(str(rich), lambda tab: tab.casefold() == "r&d 2027")
    assert (list(some.sheets), some.tabs) == (["R&D 2027"], ["Plan", "R&D 2027", "it's", "Chart"])
    assert (some.warnings, some.path) == ([], rich)


def test_names_of_workbook_scope(rich: Path) -> None:
    assert read_book(rich, lambda tab: False).names == NAMES
    assert [target(name) for name in NAMES.values()] == [None, ("it's", 9, 16384), ("Plan", 1, 2)]
    assert [target(other) for other in ("5", "#REF!", "[1]Plan!$A$1", "A1", "Plan!$A$1,Plan!$B$1")] == [None] * 5


@pytest.mark.parametrize("quoted", re.findall(r"'(?:[^']|'')+'|\S+", TABS))
def test_places(quoted: str) -> None:
    tab = re.sub("^'(.*)'$", r"\1", quoted).replace("''", "'")
    assert place(tab, 5, 28) == f"{quoted}!AB5"
    assert target(place(tab, 5, 28)) == (tab, 5, 28)


def test_set_cell_gives_a_copy(book: Path) -> None:
    read = read_book(book)
    new = set_cell(set_cell(set_cell(read, "模型", 3, 3, 7), "模型", 9, 9, "x"), "模型", 1, 1, None)
    assert {at: cell.value for at, cell in new.sheets["模型"].cells.items()} == {(2, 2): "text", (3, 3): 7, (9, 9): "x"}
    assert new.sheets["模型"].cells[3, 3] == Cell(7, "General", None)
    assert read == read_book(book)


def test_too_many_filled_cells(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "MAX_FILLED", 2)
    assert "Tab '模型' fills more than 2 cells" in refusal(book, read_book)
    assert read_book(book, lambda tab: False).sheets == {}
