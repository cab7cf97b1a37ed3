"""Every function of the list, in both engines, against values worked out by hand or from tables."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from planner.verify.functions import FUNCTIONS
from planner.verify.office import office_program, office_values
from planner.verify.package import CellError, Value
from planner.verify.recalc import close, stored_and_recalculated

no_office = office_program() is None and os.environ.get("CI") != "true"

# A1:A5 5 1.5 -2.5 10 0; B1:B5 2 7 3 11 0.3; C1:C5 100..500; D1:D5 texts; E1:E3 months; F1:F3 blank
DATA: list[list[float | str | None]] = [
    [5, 2, 100, "chat", 46023, None],
    [1.5, 7, 200, "batch", 46054, None],
    [-2.5, 3, 300, "Chat", 46082, None],
    [10, 11, 400, "a*b", None, None],
    [0, 0.3, 500, "axxb", None, None],
]

CASES: list[tuple[str, Value]] = [
    ("A1+B1-C1*A2/B1&D1", "-68chat"),
    ('D1="CHAT"', True),
    ("D1<>D2", True),
    ("F1=0", True),
    ('F1=""', True),
    ("F1+1", 1.0),
    ('F1&"x"', "x"),
    ('IF(A1>2,"",0)', ""),
    ("IF(A1>2,F1,1)", 0.0),
    ("IF(A1>20,1)", False),
    ("AND(A1>1,B1>1)", True),
    ("OR(A1>10,B1>10)", False),
    ("NOT(A1>10)", True),
    ("IFERROR(A1/F1,-1)", -1.0),
    ('IFERROR(MATCH("zz",D1:D5,0),"none")', "none"),
    ("CHOOSE(2,A1,B1,C1)", 2.0),
    ("SUM(CHOOSE(2,A1:A3,B1:B3))", 12.0),
    ("MIN(A1:B5)", -2.5),
    ("MAX(A1:D5)", 500.0),
    ("MAX(F1:F3)", 0.0),
    ("SUM(A1:A5)", 14.0),
    ("SUM(A1:D1,F1)", 107.0),
    ("AVERAGE(A1:A5)", 2.8),
    ("COUNT(A1:F5)", 18.0),
    ("COUNTA(A1:F5)", 23.0),
    ("ROUND(2.675,2)", 2.68),
    ("ROUND(1.005,2)", 1.01),
    ("ROUND(-2.5,0)", -3.0),
    ("ROUND(C3,-2)", 300.0),
    ("ROUNDUP(ROUND(1.15*100,9),0)", 115.0),
    ("ROUNDUP(A3,0)", -3.0),
    ("ROUNDDOWN(A3,0)", -2.0),
    ("ROUNDDOWN(ROUND(0.29*100,9),0)", 29.0),
    ("INT(A3)", -3.0),
    ("INT(ROUND(4.35*100,9))", 435.0),
    ("MOD(A1,3)", 2.0),
    ("MOD(A3,2)", 1.5),
    ("MOD(-A1,3)", 1.0),
    ("ABS(A3)", 2.5),
    ("SIGN(A3)+SIGN(A5)", -1.0),
    ("SQRT(C4)", 20.0),
    ("EXP(B1)", math.exp(2)),
    ("LN(B1)", math.log(2)),
    ('SUMIF(D1:D5,"chat",A1:A5)', 2.5),
    ("SUMIF(D1:D5,D2,A1:A5)", 1.5),
    ('SUMIFS(C1:C5,D1:D5,"chat",B1:B5,2)', 100.0),
    ('SUMIFS(C1:C5,A1:A5,">="&A2,A1:A5,"<"&A4)', 300.0),
    ('COUNTIF(D1:D5,"chat")', 2.0),
    ('COUNTIFS(D1:D5,"chat",A1:A5,">1")', 1.0),
    ("SUMPRODUCT(A1:A5,B1:B5)", 123.0),
    ("SUMPRODUCT((D1:D5=D4)*C1:C5)", 400.0),
    ('SUMPRODUCT(--(D1:D5="chat"),C1:C5)', 400.0),
    ("SUMPRODUCT((A1:A5>0)*(B1:B5>2)*C1:C5)", 600.0),
    ("SUMPRODUCT(A1:A5*(1-B1:B5))", -109.0),
    ("SUMPRODUCT(A1:A5/C1:C5)", 0.05 + 0.0075 - 2.5 / 300 + 0.025),
    ("SUMPRODUCT((A1:A5>0)+(B1:B5>5))", 5.0),
    ("SUMPRODUCT(INDEX(A1:C5,1,0),INDEX(A1:C5,2,0))", 20021.5),
    ("SUMPRODUCT((C1:C5>=INDEX(C1:C5,2))*A1:A5)", 9.0),
    ("INDEX(A1:C5,2,3)", 200.0),
    ("INDEX(D1:D5,2)", "batch"),
    ("INDEX(F1:F3,2)", 0.0),
    ("SUM(INDEX(A1:C5,0,2))", 23.3),
    ('MATCH("CHAT",D1:D5,0)', 1.0),
    ("MATCH(250,C1:C5,1)", 2.0),
    ("MATCH(300,C1:C5,1)", 3.0),
    ("DATE(2026,1,31)", 46053.0),
    ("DATE(2026,13,1)", 46388.0),
    ("EDATE(DATE(2026,1,31),1)", 46081.0),
    ("EDATE(E1,COLUMNS($A1:C1)-1)", 46082.0),
    ("EOMONTH(DATE(2028,2,1),0)", 46812.0),
    ("DAY(EOMONTH(E1,1))", 28.0),
    ("MONTH(E2)", 2.0),
    ("YEAR(E3)", 2026.0),
    ("FIXED(1234567.891,2)", "1,234,567.89"),
    ("FIXED(1234567.891,2,TRUE)", "1234567.89"),
    ("FIXED(ROUND(1.005,2),2)", "1.01"),
    ("FIXED(-2.5,0)", "-3"),
    ("FIXED(ROUND(-0.001,2),2)", "0.00"),
    ("LEFT(D2,2)", "ba"),
    ("MID(D2,2,9)", "atch"),
    ("MID(D2,9,1)", ""),
    ("LEN(D2)+LEN(F1)", 5.0),
    ('REPT("█",2.9)', "██"),
    ("POISSON(2,3,FALSE)", 4.5 * math.exp(-3)),
    ("POISSON(2,3,TRUE)", 8.5 * math.exp(-3)),
    ("BINOMDIST(2,5,0.5,FALSE)", 0.3125),
    ("BINOMDIST(2,5,0.5,TRUE)", 0.5),
    ("NORMSINV(0.95)", 1.6448536269514722),
    ("NORMSINV(0.01)", -2.3263478740408408),
    ("LARGE(A1:A5,2)", 5.0),
    ("SMALL(A1:A5,2)", 0.0),
    ("MEDIAN(A1:A5)", 1.5),
    ("MEDIAN(A1:A4)", 3.25),
    ("NPV(0.1,C1:C2)", 100 / 1.1 + 200 / 1.21),
    ("PMT(0.01,12,1000)", -1000 * 0.01 / (1 - 1.01**-12)),
    ("PMT(0,12,1000)", -1000 / 12),
    ("SLN(1000,100,5)", 180.0),
    ("ROWS(A1:A5)+COLUMNS($A1:C1)", 8.0),
    ("ISBLANK(F1)", True),
    ("ISBLANK(A1)", False),
    ("ISNUMBER(A1)", True),
    ("ISNUMBER(F1)", False),
    ("N(A1>2)+N(B1>2)", 1.0),
    ("N(D1)", 0.0),
    ('HYPERLINK("#D!A1","go")', "go"),
    ("A1*1+named", 105.0),
    ("SUM(several)", 14.0),
]


@pytest.fixture(scope="module")
def workbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("functions") / "functions.xlsx"
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet("D")
    for row, cells in enumerate(DATA):
        for col, cell in enumerate(cells):
            if cell is not None:
                sheet.write(row, col, cell)
    book.define_name("named", "=D!$C$1")
    book.define_name("several", "=D!$A$1:$A$5")
    for row, (formula, _) in enumerate(CASES):
        sheet.write_formula(row + 9, 11, "=" + formula, None, -77)
    book.close()
    return path


def _wrong(values: dict[int, Value]) -> list[tuple[str, Value, Value]]:
    return [
        (formula, expected, values[row + 10])
        for row, (formula, expected) in enumerate(CASES)
        if not _equal(values[row + 10], expected)
    ]


def _equal(found: Any, expected: Any) -> bool:
    if isinstance(found, CellError) or type(found) is not type(expected):
        return False
    return close(found, expected) if isinstance(found, float) else bool(found == expected)


def test_every_function_of_the_list_is_tried() -> None:
    text = " ".join(formula for formula, _ in CASES)
    assert [name for name in FUNCTIONS if f"{name}(" not in text] == []


def test_the_engine_agrees(workbook: Path) -> None:
    pairs = stored_and_recalculated(workbook)
    assert [pair for pair in pairs if pair.read_as is not None] == []
    assert _wrong({pair.row: pair.recalculated for pair in pairs}) == []


@pytest.mark.office
@pytest.mark.skipif(no_office, reason="LibreOffice is not installed")
def test_libreoffice_agrees(workbook: Path) -> None:
    assert _wrong({row: value for (_, row, _), value in office_values(workbook).items()}) == []
