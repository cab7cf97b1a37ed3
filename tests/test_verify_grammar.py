"""The grammar of formulas, case by case, and the addresses inside them."""

from __future__ import annotations

import pytest

from planner.verify.address import bare, cell_name, column_letters, column_number, nesting, r1c1, shifted
from planner.verify.functions import FUNCTIONS
from planner.verify.grammar import Scope, problems

SCOPE = Scope(frozenset({"plan", "it's", "q1", "需求"}), {"rate": False, "volumes": True, "平均": False})

ALLOWED = """
+B1-C1*D1/E1&F1
-1
B1-2
--B1
(B1+C1)*(1-rate)
IF(AND(B1>=1,OR(C1<>D1,NOT(E1<=F1))),TRUE,FALSE)
IFERROR(B1/C1,"")
CHOOSE(B1,C1,D1,E1)
SUM(CHOOSE(B1,C1:C9,D1:D9))
MIN(B1:C9,0)+MAX(volumes)+AVERAGE(B1:B9)+COUNT(B1:B9)+COUNTA(B1:B9)+MEDIAN(B1:B9)
ROUND(B1,2)+ROUNDUP(ROUND(B1,9),0)+ROUNDDOWN(B1,6)
ROUND(B1,C1)
ROUND(B1,-1)
FIXED(ROUND(B1,4),4,TRUE)
INT(B1)+MOD(B1,2)+ABS(B1)+SIGN(B1)+SQRT(B1)+EXP(B1)+LN(B1)
SUMIF(B1:B9,C1,D1:D9)+SUMIFS(D1:D9,B1:B9,C1,E1:E9,"x")
COUNTIF(B1:B9,C1)+COUNTIFS(B1:B9,C1,D1:D9,">"&E1)
SUMPRODUCT((B1:B9=C1)*(D1:D9>0)*E1:E9)
SUMPRODUCT(--(B1:B9=C1),D1:D9)
SUMPRODUCT(B1:B9,C1:C9)/SUMPRODUCT(volumes*volumes)
SUMPRODUCT((B1:B9=INDEX(C1:C9,MATCH(D1,E1:E9,0)))*F1:F9)
SUMPRODUCT(B1:B9*(1-C1:C9))
SUMPRODUCT(INDEX(B1:E9,2,0),INDEX(B1:E9,1,0))
INDEX(B1:B9,MATCH(C1,D1:D9,1))
SUM(INDEX(B1:E9,0,2))
EOMONTH(EDATE(DATE(rate,1,1),COLUMNS($G4:G4)-1),0)
DAY(B1)+MONTH(B1)+YEAR(B1)
LEFT(B1,1)&MID(B1,2,C1)&LEN(B1)&REPT("█",C1)
POISSON(B1,C1,TRUE)+BINOMDIST(B1,C1,D1,FALSE)+NORMSINV(B1)
LARGE(B1:B9,1)+SMALL(B1:B9,2)
NPV(B1,C1:C9)+PMT(B1,C1,D1)+SLN(B1,C1,D1)
ROWS(B1:B9)+COLUMNS(volumes)+N(ISBLANK(B1))+N(ISNUMBER(B1))
HYPERLINK("#Plan!A1","go")
HYPERLINK("#'"&B1&"'!A1",B1)
Plan!$B$1+'It''s'!C1+需求!D1+'需求'!E1+平均+PLAN!A1
SUM(Plan!B1:C2)
Q1!A1+Q1
"a ""quoted"" 3600 INDIRECT(A1) text"
IF( B1 > 0 , 1 , 0 )
sum(b1:b9)
SUM($XFD$1048576)
""".strip().splitlines()

REFUSED = [
    # rule, formula
    *(("function", f"{name}(B1)") for name in ("OFFSET", "INDIRECT", "NOW", "TODAY", "RAND", "TEXT", "POWER", "FOO")),
    *(("function", f"{name}(B1:B9)") for name in ("XLOOKUP", "FILTER", "SORT", "UNIQUE", "STDEV", "MAXIFS", "IFS")),
    *(("function", f"_xlfn.{name}(B1)") for name in ("IFNA", "TEXTJOIN", "SEQUENCE", "CEILING.MATH", "_xlws.SORT")),
    ("function", "LOG10(B1)"),
    ("function", "TRUE()"),
    ("function", "SUM()"),
    ("function", "ROUND(B1)"),
    ("function", "IF(B1,1,2,0)"),
    ("function", "MATCH(B1,C1:C9,-1)"),
    ("function", "MATCH(B1,C1:C9,D1)"),
    ("literal", "B1*3600"),
    ("literal", "B1*1.5"),
    ("literal", "B1*1E6"),
    ("literal", "B1*1.0"),
    ("literal", "B1*.5"),
    ("literal", "B1*01"),
    ("literal", "12"),
    ("literal", "-2*B1"),
    ("literal", "ROUND(B1,13)"),
    ("literal", "ROUND(B1,2.5)"),
    ("literal", "ROUND(3.14159,2)"),
    ("literal", "ROUND(B1,-3)"),
    ("literal", "ROUND(B1,2+3)"),
    ("literal", "DATE(2026,1,1)"),
    ("literal", "LARGE(B1:B9,3)"),
    ("literal", 'IF(B1="x",7,0)'),
    ("reference", "SUM(A:A)"),
    ("reference", "SUM($A:$C)"),
    ("reference", "SUM(1:1)"),
    ("reference", "SUM($1:$3)"),
    ("reference", "SUM(Plan!A:A)"),
    ("reference", "SUM(Plan!1:1)"),
    ("reference", "SUM(Plan:Q1!A1)"),
    ("reference", "SUM('Plan:Q1'!A1)"),
    ("reference", "SUM(Q1:Q3!A1)"),
    ("reference", "SUM(A1:INDEX(A1:A9,B1))"),
    ("reference", "SUM(INDEX(A1:A9,1):B1)"),
    ("reference", "SUM(A1:rate)"),
    ("reference", "SUM(rate:A1)"),
    ("reference", "SUM(A1:B2:C3)"),
    ("reference", "SUM(Plan!A1:Plan!B2)"),
    ("reference", "SUM(Table1[Volume])"),
    ("reference", "[@Volume]*B1"),
    ("reference", "@B1"),
    ("reference", "B1#"),
    ("reference", "#REF!+1"),
    ("reference", "Plan!#REF!"),
    ("reference", "#N/A"),
    ("reference", "nowhere+1"),
    ("reference", "Nowhere!A1"),
    ("reference", "Plan!rate"),
    ("reference", "SUM(B1:B9 A3:C3)"),
    ("reference", "XFE1"),
    ("reference", "A1048577"),
    ("reference", "A0"),
    ("external", "'[1]Plan'!A1"),
    ("external", "[1]Plan!A1"),
    ("external", "'C:\\folder\\[a.xlsx]Plan'!A1"),
    ("external", 'HYPERLINK("https://example.org","go")'),
    ("external", "HYPERLINK(B1)"),
    ("range", "B1:B9"),
    ("range", "volumes"),
    ("range", "B1:B9*2"),
    ("range", "-volumes"),
    ("range", "ABS(B1:B9)"),
    ("range", "SUM(B1:B9*C1:C9)"),
    ("range", "SUM((B1:B9=C1)*1)"),
    ("range", "IF(B1:B9>0,1,0)"),
    ("range", "SUMPRODUCT(ISNUMBER(B1:B9)*C1:C9)"),
    ("range", "SUMPRODUCT(ABS(volumes))"),
    ("range", "SUMPRODUCT(ROUND(B1:B9,2)*C1:C9)"),
    ("range", "SUMPRODUCT(N(B1:B9>0)*C1:C9)"),
    ("range", "SUMPRODUCT(B1:B9>0)"),
    ("range", "SUMPRODUCT((B1:B9>0),C1:C9)"),
    ("range", 'SUMPRODUCT((B1:B9&C1:C9="ab")*D1:D9)'),
    ("range", "MATCH(B1:B9,C1:C9,0)"),
    ("range", "COUNTIF(B1:B9,C1:C9)"),
    ("range", "LARGE(B1:B9,C1:C9)"),
    ("syntax", "B1^2"),
    ("syntax", "B1%"),
    ("syntax", "SUM({1,2})"),
    ("syntax", "IF(B1,,1)"),
    ("syntax", "SUM(B1,)"),
    ("syntax", "SUM(B1"),
    ("syntax", "B1)"),
    ("syntax", "B1+"),
    ("syntax", ""),
    ("syntax", '"open'),
    ("syntax", "(B1,C1)"),
    ("syntax", "B1;C1"),
    ("syntax", "B1 'x'"),
    ("length", '"' + "x" * 256 + '"'),
]


@pytest.mark.parametrize("formula", ALLOWED)
def test_the_subset_is_allowed(formula: str) -> None:
    assert problems(formula, SCOPE) == []


@pytest.mark.parametrize(("rule", "formula"), REFUSED)
def test_everything_else_is_refused_by_its_rule(rule: str, formula: str) -> None:
    assert {found for found, _ in problems(formula, SCOPE)} == {rule}


def test_every_listed_function_is_exercised() -> None:
    text = " ".join(ALLOWED).upper()
    assert [name for name in FUNCTIONS if f"{name}(" not in text] == []


@pytest.mark.parametrize("formula", ["(" * 20000 + "1", "-" * 20000 + "B1", "1" + "+1" * 20000, "IF(" * 5000])
def test_absurd_formulas_are_read_without_a_crash(formula: str) -> None:
    problems(formula, SCOPE)


def test_rules_of_cells_may_hold_numbers_and_ranges() -> None:
    assert problems("Plan!$A$1:$A$9", SCOPE, cell=False) == []
    assert problems("AND(B1>0.8,B1<3600)", SCOPE, cell=False) == []
    assert problems("COUNTIF(volumes,B1)>5", SCOPE, cell=False) == []
    assert [rule for rule, _ in problems("OFFSET(B1,5,5)>7", SCOPE, cell=False)] == ["function"]


@pytest.mark.parametrize(
    ("formula", "there", "expected"),
    [
        ("A1", (1, 1), "R[0]C[0]"),
        ("$A1+A$1+$A$1", (2, 2), "R[-1]C1+R1C[-1]+R1C1"),
        ("SUM(G4:$R$4)", (4, 8), "SUM(R[0]C[-1]:R4C18)"),
        ("'It''s A1'!B2&\"A1\"", (1, 1), "'It''s A1'!R[1]C[1]&\"A1\""),
        ("Q1!A1+Q1", (1, 1), "Q1!R[0]C[0]+R[0]C[16]"),
        ("LOG10(A1)+tax_A1+A1_x+x.A1+1E5+FY2026", (1, 1), "LOG10(R[0]C[0])+tax_A1+A1_x+x.A1+1E5+R[2025]C[180]"),
        ("a1", (1, 1), "R[0]C[0]"),
        ("中A1", (1, 1), "中A1"),
    ],
)
def test_r1c1(formula: str, there: tuple[int, int], expected: str) -> None:
    assert r1c1(formula, *there) == expected


@pytest.mark.parametrize(
    ("formula", "rows", "cols", "expected"),
    [
        ("A1+$A1+A$1+$A$1", 2, 3, "D3+$A3+D$1+$A$1"),
        ("'A1'!B2&\"B2\"", 1, 1, "'A1'!C3&\"B2\""),
        ("B2", -2, 0, "#REF!"),
        ("Z9", 0, 1, "AA9"),
    ],
)
def test_a_moved_formula(formula: str, rows: int, cols: int, expected: str) -> None:
    assert shifted(formula, rows, cols) == expected


@pytest.mark.parametrize("formula", [line for line in ALLOWED if "$" not in line])
def test_a_moved_formula_is_the_same_seen_from_its_cell(formula: str) -> None:
    if "XFD" not in formula:
        assert r1c1(shifted(formula, 7, 5), 17, 15) == r1c1(formula, 10, 10)


def test_columns() -> None:
    assert [column_number(letters) for letters in ("A", "Z", "AA", "XFD")] == [1, 26, 27, 16384]
    assert all(column_number(column_letters(number)) == number for number in range(1, 16385))
    assert cell_name(12, 28) == "AB12"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("=INDEX(A1:A9,2)", "=@INDEX(A1:A9,2)", True),
        ("=1-(-A1)", "=1--A1", True),
        ("=+A1+(+B1)", "=A1+B1", True),
        ("='Plan'!A1 + b1", "=Plan!A1+B1", True),
        ("=\"a (b) 'c'\"", '="a b c"', False),
        ('="a"', '="A"', False),
        ("=A1:A1 B1:B2", "=@A1:A1", False),
        ("=A1+B1", "=A1-B1", False),
    ],
)
def test_two_spellings_of_one_formula(one: str, other: str, same: bool) -> None:
    assert (bare(one) == bare(other)) is same


def test_nesting() -> None:
    assert nesting("A1") == 0
    assert nesting("+".join(["(A1)"] * 100)) == 1
    assert nesting("(" * 70 + "A1" + ")" * 70) == 70
    assert nesting('"' + "(" * 70 + '"&(A1)') == 1
