"""A small plan that keeps every rule, ways to break one thing in it, and the proof that it is good to begin with."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ironcalc
import pytest
import xlsxwriter

from planner.verify.form import audit
from planner.verify.recalc import differences, stored_and_recalculated
from planner.verify.report import verify

MONTHS = 12
FIRST = 6  # column G, counted from 0 as xlsxwriter does
SLOT = b"<f>1+1</f>"  # Plan!D9: the formula that tests replace


def _fill(book: Any, value: Callable[[str, int, int], Any]) -> None:
    entry = book.add_format({"locked": False})
    bold = book.add_format({"bold": True})
    plan = book.add_worksheet("Plan")
    demand = book.add_worksheet("Demand")
    cost = book.add_worksheet("Cost of it")

    def formula(sheet: Any, row: int, col: int, text: str) -> None:
        sheet.write_formula(row, col, text, None, value(sheet.name, row + 1, col + 1))

    for row, (name, number) in enumerate(
        [("start_month", 46023), ("total_tokens", 1200), ("peak_factor", 2.5), ("price", 0.25), ("hours", 730)]
    ):
        plan.write_string(row, 0, name)
        plan.write_number(row, 1, number, entry)
        book.define_name(name, f"=Plan!$B${row + 1}")
    plan.write_string(5, 0, "basis")
    plan.write_string(5, 1, "day", entry)
    plan.data_validation("B6", {"validate": "list", "source": ["day", "hour"]})
    plan.data_validation("B7", {"validate": "list", "source": "=Plan!$A$1:$A$5"})
    plan.conditional_format("B1:B5", {"type": "formula", "criteria": "=AND(ISNUMBER(B1),B1>99)", "format": bold})
    formula(plan, 7, 3, '=IF(B6="day","",price)')
    formula(plan, 8, 3, "=1+1")
    formula(plan, 9, 3, "=B1>B2")
    formula(plan, 10, 3, '="About "&FIXED(total_tokens,1)')
    formula(plan, 11, 3, '=HYPERLINK("#Demand!A1","go")')
    for col in range(FIRST, FIRST + MONTHS):
        letter = chr(65 + col)
        formula(demand, 3, col, f"=EDATE(start_month,COLUMNS($G4:{letter}4)-1)")
        formula(demand, 4, col, f"=total_tokens/COLUMNS(month_columns)*{letter}$7")
        demand.write_number(6, col, 1 + col / 10, entry)
        formula(cost, 3, col, f"=Demand!{letter}4")
        formula(cost, 4, col, f"=ROUND(Demand!{letter}5*price,6)")
    formula(cost, 4, 5, "=SUM(G5:R5)")
    formula(cost, 6, 5, "=SUMPRODUCT((Demand!G5:R5>total_tokens/hours)*G5:R5)")
    formula(cost, 7, 6, "=F5+F7")  # a table under the grid: neighbours hold different quantities
    formula(cost, 7, 7, "=F5-F7")
    book.define_name("month_columns", "=Demand!$G$4:$R$4")
    book.define_name("total_cost", "='Cost of it'!$F$5")
    demand.repeat_rows(0, 3)
    demand.print_area(0, 0, 6, 17)


def build(path: Path, fill: Callable[[Any, Callable[[str, int, int], Any]], None] = _fill) -> Path:
    """Written twice: once to learn the values, once to store them."""
    book = xlsxwriter.Workbook(str(path))
    fill(book, lambda *_: 0)
    book.close()
    model = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
    model.evaluate()
    index = {sheet["name"]: number for number, sheet in enumerate(model.get_worksheets_properties())}
    book = xlsxwriter.Workbook(str(path))

    def value(tab: str, row: int, col: int) -> Any:
        found = model.get_cell_value(index[tab], row, col)
        return int(found) if isinstance(found, float) and found.is_integer() else found

    fill(book, value)
    book.close()
    # xlsxwriter stores an empty text without saying that it is a text
    empty = re.compile(rb'(<c r="\w+")((?: s="\d+")?><f>[^<]*</f><v></v>)')
    return edit(path, lambda _, data: empty.sub(rb'\1 t="str"\2', data))


def edit(path: Path, change: Callable[[str, bytes], bytes | None], add: dict[str, bytes] | None = None) -> Path:
    """Rewrite the parts of a file in place."""
    with zipfile.ZipFile(path) as source:
        parts = {name: source.read(name) for name in source.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in parts.items():
            changed = change(name, data)
            if changed is not None:
                target.writestr(name, changed)
        for name, data in (add or {}).items():
            target.writestr(name, data)
    return path


def swap(path: Path, part: str, old: bytes, new: bytes) -> Path:
    """Replace one piece of one part; it must be there."""
    seen: list[str] = []

    def change(name: str, data: bytes) -> bytes:
        if name.endswith(part) and old in data:
            seen.append(name)
            return data.replace(old, new, 1)
        return data

    edit(path, change)
    assert seen, f"{old!r} is not in {part}"
    return path


def with_formula(path: Path, formula: str, stored: bytes = b"2") -> Path:
    escaped = formula.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").encode()
    return swap(path, "sheet1.xml", SLOT + b"<v>2</v>", b"<f>" + escaped + b"</f><v>" + stored + b"</v>")


def test_the_good_plan_passes_everything(tmp_path: Path) -> None:
    path = build(tmp_path / "good.xlsx")
    assert audit(path) == []
    assert differences(stored_and_recalculated(path)) == []
    verdict = verify(path)
    assert verdict.ok
    assert verdict.cells == verdict.equal == 5 + 4 * MONTHS + 4


def test_a_file_saved_with_shared_formulas_passes_too(tmp_path: Path) -> None:
    """Excel writes a row of equal formulas as one formula and references to it."""

    def share(part: str, data: bytes) -> bytes:
        if not part.endswith("sheet3.xml"):
            return data
        first = b'<f t="shared" ref="G4:R4" si="0">Demand!G4</f>'
        data = data.replace(b"<f>Demand!G4</f>", first)
        return re.sub(rb"<f>Demand![H-R]4</f>", b'<f t="shared" si="0"/>', data)

    path = edit(build(tmp_path / "shared.xlsx"), share)
    verdict = verify(path)
    assert verdict.ok, (verdict.differences[:3], verdict.findings[:3])
    assert [p.formula for p in stored_and_recalculated(path) if p.tab == "Cost of it"][:3] == [
        "=Demand!G4",
        "=Demand!H4",
        "=Demand!I4",
    ]


@pytest.mark.parametrize("cell", ["G4", "K4", "R4"])
def test_a_wrong_value_in_a_shared_formula_is_found(tmp_path: Path, cell: str) -> None:
    def share(part: str, data: bytes) -> bytes:
        if not part.endswith("sheet3.xml"):
            return data
        data = data.replace(b"<f>Demand!G4</f>", b'<f t="shared" ref="G4:R4" si="0">Demand!G4</f>')
        data = re.sub(rb"<f>Demand![H-R]4</f>", b'<f t="shared" si="0"/>', data)
        return re.sub(rb'(<c r="' + cell.encode() + rb'".*?<v>)\d+', rb"\g<1>46000", data, count=1)

    verdict = verify(edit(build(tmp_path / "shared.xlsx"), share))
    assert [difference.place for difference in verdict.differences] == [f"Cost of it!{cell}"]
