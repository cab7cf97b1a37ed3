"""Stored against recalculated: what is a difference, what is not, and asking the engine what follows from an input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_verify_workbook import SLOT, build, edit, swap, with_formula

from planner.verify.package import CellError, Unreadable, Value
from planner.verify.recalc import CellPair, EngineFailure, Live, differences, stored_and_recalculated

PLAN = "sheet1.xml"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("good") / "plan.xlsx")


@pytest.fixture
def plan(tmp_path: Path, good: Path) -> Path:
    path = tmp_path / "plan.xlsx"
    path.write_bytes(good.read_bytes())
    return path


def _reasons(path: Path) -> list[tuple[str, str]]:
    return [(difference.place, difference.reason) for difference in differences(stored_and_recalculated(path))]


@pytest.mark.parametrize(
    ("stored", "recalculated", "reason"),
    [
        (1.0, 1.0, None),
        (1, 1.0, None),
        (0.0, 9e-10, None),
        (0.0, 1.1e-9, "another number"),
        (0.5, 0.5 + 9e-10, None),
        (0.5, 0.5 + 1.1e-9, "another number"),
        (1e12, 1e12 + 900, None),
        (1e12, 1e12 + 1100, "another number"),
        (-1e12, 1e12, "another number"),
        (1e-12, -1e-12, None),
        (1e300, 1e300 * (1 + 1e-10), None),
        (1.0, float("nan"), "another number"),
        ("a", "a", None),
        ("a", "A", "another value"),
        ("a", "a ", "another value"),
        ("", "", None),
        ("", 0.0, "another type of value"),
        ("1", 1.0, "another type of value"),
        (True, True, None),
        (True, False, "another value"),
        (True, 1.0, "another type of value"),
        (0.0, False, "another type of value"),
        (None, 0.0, "no stored value"),
        (None, "", "no stored value"),
        (0.0, None, "the engine gives no value"),
        (CellError("#N/A"), CellError("#N/A"), "an error value"),
        (1.0, CellError("#DIV/0!"), "an error value"),
        (CellError("#DIV/0!"), 1.0, "an error value"),
        (None, CellError("#REF!"), "an error value"),
        ("#DIV/0!", "#DIV/0!", None),  # a text that only looks like an error
    ],
)
def test_what_is_a_difference(stored: Value, recalculated: Value, reason: str | None) -> None:
    found = differences([CellPair("Plan", 3, 28, "=A1", stored, recalculated)])
    assert [difference.reason for difference in found] == ([] if reason is None else [reason])
    assert all(difference.place == "Plan!AB3" and "Plan!AB3" in str(difference) for difference in found)


def test_the_tolerance_can_be_set() -> None:
    pair = CellPair("Plan", 1, 1, "=A1", 100.0, 100.5)
    assert differences([pair], tolerance=0.01) == []
    assert len(differences([pair], tolerance=0.001)) == 1


@pytest.mark.parametrize(
    ("formula", "stored", "reason"),
    [
        ("1+1", "3", "another number"),
        ("B1>B2", "0", "another type of value"),
        ("B1/F99", "0", "an error value"),
        ("SUM(", "2", "an error value"),
        ("B1+", "2", "an error value"),
        ("NOSUCH(B1)", "2", "an error value"),
        ("nosuch+1", "2", "an error value"),
        ("Nowhere!A1", "2", "an error value"),
        ("D9+1", "2", "an error value"),  # circular
        ("B3 C1:C3", "2.5", "the engine reads another formula (=B3)"),
    ],
)
def test_a_wrong_cell_is_found(plan: Path, formula: str, stored: str, reason: str) -> None:
    assert _reasons(with_formula(plan, formula, stored.encode())) == [("Plan!D9", reason)]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (SLOT + b"<v>2</v>", SLOT, "no stored value"),
        (SLOT + b"<v>2</v>", SLOT + b"<v></v>", "no stored value"),
        (SLOT + b"<v>2</v>", SLOT + b"<v>nan</v>", "no stored value"),
        (SLOT + b"<v>2</v>", b"<f>F99*1</f><v></v>", "no stored value"),  # the engine would take it for a stored 0
        (b'<c r="D9">' + SLOT + b"<v>2</v>", b'<c r="D9" t="str">' + SLOT + b"<v></v>", "another type of value"),
        (b'<c r="D9">' + SLOT + b"<v>2</v>", b'<c r="D9" t="b">' + SLOT + b"<v>1</v>", "another type of value"),
        (b'<c r="D9">' + SLOT + b"<v>2</v>", b'<c r="D9" t="e">' + SLOT + b"<v>#N/A</v>", "an error value"),
        (b'<c r="D9">' + SLOT + b"<v>2</v>", b'<c r="D9" t="s">' + SLOT + b"<v>0</v>", "no stored value"),
    ],
)
def test_a_wrong_stored_value_is_found(plan: Path, old: bytes, new: bytes, reason: str) -> None:
    assert _reasons(swap(plan, PLAN, old, new)) == [("Plan!D9", reason)]


def test_an_empty_text_is_a_value_where_it_is_the_result(plan: Path) -> None:
    pairs = {(pair.tab, pair.row): pair for pair in stored_and_recalculated(plan)}
    assert (pairs["Plan", 8].stored, pairs["Plan", 8].recalculated) == ("", "")
    swap(plan, PLAN, b'IF(B6="day"', b'IF(B6="hour"')
    assert _reasons(plan) == [("Plan!D8", "another type of value")]


def test_every_month_of_a_changed_input_is_found(plan: Path) -> None:
    """A stale file: the input was changed without recalculating."""
    swap(plan, PLAN, b"<v>1200</v>", b"<v>2400</v>")
    found = [place for place, _ in _reasons(plan)]
    assert set(found) >= {f"Demand!{letter}5" for letter in "GHIJKLMNOPQR"} | {"Cost of it!F5", "Plan!D11"}


@pytest.mark.parametrize("where", ["cell", "name", "format"])
def test_what_would_end_the_engine_is_not_given_to_it(plan: Path, where: str) -> None:
    deep = "(" * 20000 + "1" + ")" * 20000
    if where == "cell":
        with_formula(plan, deep)
    elif where == "name":
        edit(
            plan,
            lambda _, data: data.replace(
                b"<definedNames>", f'<definedNames><definedName name="x">{deep}</definedName>'.encode()
            ),
        )
    else:
        swap(plan, PLAN, b"AND(ISNUMBER(B1),B1&gt;99)", deep.encode())
    with pytest.raises(EngineFailure, match="nested too deeply"):
        stored_and_recalculated(plan)
    with pytest.raises(EngineFailure, match="nested too deeply"):
        Live(plan)


@pytest.fixture
def live(good: Path) -> Iterator[Live]:
    live = Live(good)
    yield live
    live.restore()


def _all_cells(path: Path) -> list[tuple[str, int, int]]:
    return [(pair.tab, pair.row, pair.col) for pair in stored_and_recalculated(path)]


def test_an_input_moves_what_depends_on_it_and_nothing_else(live: Live, good: Path) -> None:
    cells = _all_cells(good)
    start = live.values(cells)
    assert start == [pair.stored for pair in stored_and_recalculated(good)]
    live.set("Plan", 4, 2, 0.5)
    assert live.values(cells) == start
    live.recalculate()
    moved = [cell for cell, old in zip(cells, start, strict=True) if live.value(*cell) != old]
    assert {tab for tab, _, _ in moved} == {"Cost of it"}
    assert live.value("Cost of it", 5, 6) == pytest.approx(2 * start[cells.index(("Cost of it", 5, 6))])


@pytest.mark.parametrize(
    "changes",
    [
        [("Plan", 2, 2, 2400)],
        [("Plan", 2, 2, np.float64(7)), ("Plan", 5, 2, np.int64(3))],
        [("Plan", 6, 2, "hour")],
        [("Plan", 6, 2, "=1+1")],
        [("Plan", 6, 2, "")],
        [("Plan", 4, 2, True), ("Plan", 4, 2, None), ("Plan", 4, 2, "x")],
        [("Plan", 9, 4, 99), ("Cost of it", 5, 6, 1), ("Plan", 8, 4, None)],  # formulas
        [("Plan", 80, 80, 5)],  # a blank cell
        [("Plan", 1, 2, None), ("Demand", 7, 9, -3.5)],
    ],
)
def test_restore_returns_to_the_start(live: Live, good: Path, changes: list[tuple[str, int, int, Any]]) -> None:
    cells = [*_all_cells(good), ("Plan", 6, 2), ("Plan", 4, 2), ("Plan", 80, 80)]
    start = live.values(cells)
    for change in changes:
        live.set(*change)
        live.recalculate()
    assert live.values(cells) != start
    live.restore()
    assert live.values(cells) == start
    live.restore()
    assert live.values(cells) == start
    live.set("Plan", 2, 2, 2400)
    live.recalculate()
    assert live.value("Cost of it", 5, 6) != start[cells.index(("Cost of it", 5, 6))]


def test_a_text_set_is_a_text(live: Live) -> None:
    live.set("Plan", 6, 2, "=1+1")
    live.set("Plan", 4, 2, "12")
    live.recalculate()
    assert live.values([("Plan", 6, 2), ("Plan", 4, 2), ("Plan", 99, 1)]) == ["=1+1", "12", None]


def test_an_error_is_told_from_a_text(live: Live) -> None:
    live.set("Plan", 2, 2, "#DIV/0!")
    live.recalculate()
    assert not isinstance(live.value("Plan", 2, 2), CellError)
    assert isinstance(live.value("Cost of it", 5, 6), CellError)


def test_what_no_cell_can_hold_is_refused(live: Live) -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="Plan!B2"):
            live.set("Plan", 2, 2, value)
    with pytest.raises(TypeError):
        live.set("Plan", 2, 2, [1])  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="no tab 'Nowhere'"):
        live.value("Nowhere", 1, 1)
    assert live.sheets == {"Plan": 0, "Demand": 1, "Cost of it": 2}


def test_the_engine_is_kept_off_the_error_stream(plan: Path, capfd: pytest.CaptureFixture[str]) -> None:
    swap(plan, PLAN, SLOT + b"<v>2</v>", SLOT)  # the engine writes "Unexpected type (empty)" about this one
    stored_and_recalculated(plan)
    print("still here", file=sys.stderr)
    assert capfd.readouterr().err == "still here\n"


def test_no_file_no_engine(tmp_path: Path) -> None:
    for ask in (Live, stored_and_recalculated):
        with pytest.raises(Unreadable, match="no such file"):
            ask(tmp_path / "nothing.xlsx")
