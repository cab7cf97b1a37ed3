"""One broken workbook for every rule: the audit names that rule, and no other."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import llama, planned, pool
from test_verify_workbook import SLOT, build, edit, swap, with_formula

from planner.verify.form import Finding, audit
from planner.verify.package import Unreadable, read
from planner.workbook.layout import built
from planner.workbook.write import write

WORKBOOK = "xl/workbook.xml"
PLAN = "sheet1.xml"
DEMAND = "sheet2.xml"
COST = "sheet3.xml"

Break = Callable[[Path], Path]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return build(tmp_path_factory.mktemp("good") / "plan.xlsx").read_bytes()


@pytest.fixture
def plan(tmp_path: Path, good: bytes) -> Path:
    path = tmp_path / "plan.xlsx"
    path.write_bytes(good)
    return path


def piece(part: str, old: str, new: str) -> Break:
    return lambda path: swap(path, part, old.encode(), new.encode())


def before(part: str, mark: str, new: str) -> Break:
    return piece(part, mark, new + mark)


def after(part: str, mark: str, new: str) -> Break:
    return piece(part, mark, mark + new)


def part(name: str) -> Break:
    return lambda path: edit(path, lambda _, data: data, {name: b"<x/>"})


def name(text: str, refers_to: str = "Plan!$B$1", more: str = "") -> Break:
    return before(WORKBOOK, "</definedNames>", f'<definedName name="{text}"{more}>{refers_to}</definedName>')


def formula(text: str) -> Break:
    return lambda path: with_formula(path, text)


def link(kind: str) -> Break:
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    target = f'<Relationship Id="rId99" Type="{office}/{kind}" Target="file:///a.xlsx" TargetMode="External"/>'
    return before("workbook.xml.rels", "</Relationships>", target)


def validation(text: str) -> Break:
    return piece(PLAN, "<formula1>Plan!$A$1:$A$5</formula1>", f"<formula1>{text}</formula1>")


def long_sum(length: int) -> str:
    text = "+".join(["B1"] * ((length + 1) // 3))
    return text + " " * (length - len(text))


def extended_list(text: str) -> Break:
    """The form that Excel gives to a list that stands on another tab."""
    return before(
        PLAN,
        "</worksheet>",
        '<extLst><ext xmlns:x14="urn:x14" xmlns:xm="urn:xm"><x14:dataValidations><x14:dataValidation type="list">'
        f"<x14:formula1><xm:f>{text}</xm:f></x14:formula1><xm:sqref>B9</xm:sqref>"
        "</x14:dataValidation></x14:dataValidations></ext></extLst>",
    )


BROKEN: list[tuple[str, str, Break]] = [
    # rule, place, what is broken
    ("function", "Plan!D9", formula("TEXT(B1,B2)")),
    ("function", "Plan!D9", formula("_xlfn.XLOOKUP(B1,B1:B3,B1:B3)")),
    ("function", "Plan!D9", formula("TODAY()")),
    ("function", "Plan!B1:B5", piece(PLAN, "AND(ISNUMBER(B1),B1&gt;99)", "ISERROR(B1)")),
    ("function", "Plan!B7", validation("INDIRECT(A1)")),
    ("literal", "Plan!D9", formula("B1*3600")),
    ("reference", "Plan!D9", formula("SUM(B:B)")),
    ("external", "Plan!D9", formula("[1]Sheet1!A1")),
    ("range", "Plan!D9", formula("SUMPRODUCT(ISNUMBER(B1:B5)*B1:B5)")),
    ("syntax", "Plan!D9", formula("IF(B1,,1)")),
    ("array", "Plan!D9", piece(PLAN, "<f>1+1</f>", '<f t="array" ref="D9">1+1</f>')),
    ("array", "Plan!D9", piece(PLAN, "<f>1+1</f>", '<f t="dataTable" ref="D9" r1="B1">1+1</f>')),
    ("array", "Plan!D9", piece(PLAN, '<c r="D9"', '<c r="D9" cm="1"')),
    ("length", "Plan!D9", formula(long_sum(8192))),
    ("length", "Plan!D9", formula("ABS(" * 65 + "B1" + ")" * 65 + " ")),
    ("length", "Plan!D9", formula('"' + "x" * 256 + '"')),
    ("stored", "Plan!D9", piece(PLAN, "<f>1+1</f><v>2</v>", "<f>1+1</f>")),
    ("stored", "Plan!D9", piece(PLAN, "<f>1+1</f><v>2</v>", "<f>1+1</f><v></v>")),
    ("stored", "Plan!D9", piece(PLAN, "<f>1+1</f><v>2</v>", "<f>1+1</f><v>nan</v>")),
    ("stored", "Plan!D9", piece(PLAN, "<f>1+1</f><v>2</v>", "<f>1+1</f><v>True</v>")),
    ("stored", "Plan!D8", piece(PLAN, '<c r="D8" t="str">', '<c r="D8">')),
    ("stored", "Plan!D8", piece(PLAN, "price)</f><v></v>", "price)</f>")),
    ("unlocked", "Plan!D9", piece(PLAN, '<c r="D9"', '<c r="D9" s="1"')),
    ("one-formula", "Cost of it!K5", piece(COST, "ROUND(Demand!K5*price,6)", "ROUND(Demand!K5*price,5)")),
    ("one-formula", "Cost of it!G5", piece(COST, "ROUND(Demand!G5*price,6)", "ROUND(Demand!$G5*price,6)")),
    ("one-formula", "Cost of it!K5", piece(COST, "<f>ROUND(Demand!K5*price,6)</f>", "")),
    ("merged", "Demand!A1:B1", after(DEMAND, "</sheetData>", '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>')),
    ("hidden", "Demand", piece(WORKBOOK, 'name="Demand"', 'name="Demand" state="hidden"')),
    ("hidden", "Demand", piece(WORKBOOK, 'name="Demand"', 'name="Demand" state="veryHidden"')),
    ("hidden", "Demand!A5", piece(DEMAND, '<row r="5"', '<row r="5" hidden="1"')),
    ("hidden", "Demand!A5", piece(DEMAND, '<row r="5"', '<row r="5" ht="0"')),
    ("hidden", "Demand", before(DEMAND, "<sheetData>", '<cols><col min="2" max="3" width="9" hidden="1"/></cols>')),
    ("hidden", "Demand", before(DEMAND, "<sheetData>", '<cols><col min="2" max="3" width="0"/></cols>')),
    ("hidden", "Demand", piece(DEMAND, "<sheetFormatPr", '<sheetFormatPr zeroHeight="1"')),
    ("macro", "xl/vbaProject.bin", part("xl/vbaProject.bin")),
    ("macro", "xl/macrosheets/sheet1.xml", part("xl/macrosheets/sheet1.xml")),
    ("macro", "xl/embeddings/a.bin", part("xl/embeddings/a.bin")),
    ("external", "xl/externalLinks/externalLink1.xml", part("xl/externalLinks/externalLink1.xml")),
    ("external", "xl/connections.xml", part("xl/connections.xml")),
    ("external", "xl/workbook.xml", link("externalLinkPath")),
    ("comment", "xl/comments1.xml", part("xl/comments1.xml")),
    ("comment", "xl/threadedComments/threadedComment1.xml", part("xl/threadedComments/threadedComment1.xml")),
    ("comment", "xl/drawings/vmlDrawing1.vml", part("xl/drawings/vmlDrawing1.vml")),
    ("sheet-name", "x" * 32, before(WORKBOOK, "</sheets>", f'<sheet name="{"x" * 32}" sheetId="9" r:id="rId1"/>')),
    ("sheet-name", "PLAN", before(WORKBOOK, "</sheets>", '<sheet name="PLAN" sheetId="9" r:id="rId2"/>')),
    ("sheet-name", "a/b", before(WORKBOOK, "</sheets>", '<sheet name="a/b" sheetId="9" r:id="rId2"/>')),
    ("defined-name", "GPU80", name("GPU80")),
    ("defined-name", "TAX2026", name("TAX2026")),
    ("defined-name", "LOG10", name("LOG10")),
    ("defined-name", "r1c1", name("r1c1")),
    ("defined-name", "R", name("R")),
    ("defined-name", "C12", name("C12")),
    ("defined-name", "a-b", name("a-b")),
    ("defined-name", "PRICE", name("PRICE")),
    ("defined-name", "mine", name("mine", more=' localSheetId="0"')),
    ("defined-name", "rate", name("rate", "0.19")),
    ("defined-name", "rate", name("rate", "Plan!#REF!")),
    ("defined-name", "rate", name("rate", "#REF!")),
    ("defined-name", "rate", name("rate", "Plan!B1")),
    ("defined-name", "rate", name("rate", "Nowhere!$B$1")),
    ("defined-name", "rate", name("rate", "Plan!$B:$B")),
    ("defined-name", "rate", name("rate", "Plan!$B$1*2")),
    ("defined-name", "rate", name("rate", "[1]Plan!$B$1")),
    ("validation", "Plan!B7", validation('"' + "x," * 128 + '"')),
    ("validation", "Plan!B9", extended_list('"' + "x," * 128 + '"')),
    ("function", "Plan!B9", extended_list("OFFSET(Plan!A1,0,0,9,1)")),
    ("calculation", "workbook", piece(WORKBOOK, "<calcPr", '<calcPr calcMode="manual"')),
    ("calculation", "workbook", piece(WORKBOOK, "<calcPr", '<calcPr iterate="1"')),
    ("calculation", "workbook", piece(WORKBOOK, "<calcPr", '<calcPr fullPrecision="0"')),
    ("calculation", "workbook", piece(WORKBOOK, "<workbookPr", '<workbookPr date1904="1"')),
]

NOTED: list[tuple[str, str, Break]] = [
    ("length", "Plan!D9", formula(long_sum(250))),
    ("external", "xl/workbook.xml", link("hyperlink")),
    ("defined-name", "_xlnm._FilterDatabase", name("_xlnm._FilterDatabase", "Plan!$A$1:$B$5", ' localSheetId="0"')),
]

HARMLESS: list[Break] = [
    formula(long_sum(249)),
    formula("(" * 60 + "B1" + ")" * 60),
    formula('"' + "x" * 200 + '"'),
    validation('"' + "x," * 127 + 'x"'),
    validation("Demand!$G$4:$R$4"),
    extended_list("Demand!$G$4:$R$4"),
    name("Tax_2026"),
    name("YEAR1"),
    name("预算"),
    name("whole_grid", "'Cost of it'!$G$4:$R$5"),
    piece(PLAN, '<c r="D9"', '<c r="D9" s="0"'),
]


@pytest.mark.parametrize(("rule", "place", "broken"), BROKEN, ids=[f"{n}-{b[0]}" for n, b in enumerate(BROKEN)])
def test_each_rule_is_broken_by_itself(plan: Path, rule: str, place: str, broken: Break) -> None:
    errors = [finding for finding in audit(broken(plan)) if finding.severity == "error"]
    assert [(finding.rule, finding.place) for finding in errors] == [(rule, place)], errors


@pytest.mark.parametrize(("rule", "place", "broken"), NOTED)
def test_what_is_only_worth_a_note(plan: Path, rule: str, place: str, broken: Break) -> None:
    found = audit(broken(plan))
    assert [(finding.rule, finding.place, finding.severity) for finding in found] == [(rule, place, "note")]


@pytest.mark.parametrize("change", HARMLESS)
def test_what_keeps_the_rules_is_not_reported(plan: Path, change: Break) -> None:
    assert audit(change(plan)) == []


def test_a_typed_number_is_allowed_where_it_is_an_input(plan: Path) -> None:
    change = piece(COST, '<c r="K5"><f>ROUND(Demand!K5*price,6)</f>', '<c r="K5" s="1">')
    assert audit(change(plan)) == []


@pytest.mark.parametrize("count", [1, 5, 6, 7, 11, 12])
def test_a_row_of_months_is_missed_however_much_of_it_is_typed_over(plan: Path, count: int) -> None:
    """Twelve different formulas in a row of months are no table: nothing above them says that they are one."""
    for i in range(count):
        column = "GHIJKLMNOPQR"[i].encode()
        was = b"ROUND(Demand!%b5*price,6)" % column
        swap(plan, COST, was, b"ROUND(Demand!%b5*price,%d)" % (column, i if i < 6 else i + 1))
    assert [finding.rule for finding in audit(plan)] == ["one-formula"]


def test_a_table_under_names_of_its_own_is_no_row_of_months(tmp_path: Path) -> None:
    """Sixteen models and fourteen pools: tables wider than a year stand in the columns of months."""
    models = [llama(model=f"Own {i}", deployment="on_prem", token_share=1 / 16, gpus_per_replica=2) for i in range(16)]
    built_plan = planned(models, pools=[pool(pool=f"Pool {i}") for i in range(14)])
    write(built(built_plan), tmp_path / "wide.xlsx")
    assert [f for f in audit(tmp_path / "wide.xlsx") if f.severity == "error"] == []


def test_without_month_columns_rows_are_not_compared(plan: Path) -> None:
    swap(plan, COST, b"ROUND(Demand!K5*price,6)", b"ROUND(Demand!K5*price,5)")
    swap(plan, WORKBOOK, b'name="month_columns"', b'name="months"')
    swap(plan, DEMAND, b"COLUMNS(month_columns)", b"COLUMNS(months)")
    edit(plan, lambda part, data: data.replace(b"COLUMNS(month_columns)", b"COLUMNS(months)"))
    assert audit(plan) == []


def test_a_formula_copied_along_a_row_is_reported_once(plan: Path) -> None:
    edit(plan, lambda part, data: data.replace(b"*price,6)", b"*price*12,6)") if part.endswith(COST) else data)
    assert audit(plan) == [
        Finding(
            "literal",
            "Cost of it!G5",
            "the number 12 inside a formula in =ROUND(Demand!G5*price*12,6) (and 11 more cells like it)",
        )
    ]


ENTITY = b'<!DOCTYPE x [<!ENTITY a "aaaa">]>'


def _dtd(part_name: str, encoding: str = "utf-8") -> Break:
    def change(name: str, data: bytes) -> bytes:
        if name != part_name:
            return data
        text = data.decode()
        head, _, rest = text.partition("?>")
        marked = f"{head}?>".replace("UTF-8", encoding.upper()) + "<!--" + "x" * 9000 + "-->" + ENTITY.decode() + rest
        return marked.encode(encoding)

    return lambda path: edit(path, change)


def _twice(path: Path) -> Path:
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("XL/workbook.xml", b"<x/>")
    return path


def _cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-200])
    return path


def _text(path: Path) -> Path:
    path.write_text("no workbook")
    return path


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (_dtd("xl/workbook.xml"), "document type"),
        (_dtd("xl/worksheets/sheet1.xml"), "document type"),
        (_dtd("xl/theme/theme1.xml"), "document type"),
        (_dtd("xl/worksheets/sheet2.xml", "utf-16"), "document type"),
        (_twice, "twice"),
        (_cut, "not an xlsx"),
        (_text, "not an xlsx"),
        (lambda path: path.with_name("nothing.xlsx"), "no such file"),
        (lambda path: path.parent, "cannot be read"),
        (lambda path: edit(path, lambda name, data: None if name == WORKBOOK else data), "no xl/workbook.xml"),
        (lambda path: edit(path, lambda name, data: None if name.endswith(PLAN) else data), "has no part"),
        (piece(PLAN, "</sheetData>", "</sheetDate>"), "broken part"),
        (piece(PLAN, '<c r="D9"', '<c r="D10"'), "stands in row 9"),
        (piece(PLAN, '<c r="D9"', '<c r="D9" s="x"'), "broken part"),
    ],
)
def test_what_is_no_workbook_is_refused(plan: Path, broken: Break, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        read(broken(plan))


def test_the_slot_is_where_the_tests_think(plan: Path) -> None:
    with zipfile.ZipFile(plan) as archive:
        assert archive.read("xl/worksheets/sheet1.xml").count(SLOT) == 1
