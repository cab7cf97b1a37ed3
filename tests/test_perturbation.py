"""The proof that a plan is alive: every input cell changed inside the file, recalculated, compared with a rebuild."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
from perturbing import Bench, Change, same
from portfolios import small_ledger

from planner.inputs.gate import passed
from planner.inputs.portfolio import Portfolio
from planner.inputs.reader import read_draft
from planner.inputs.tables import TABLES
from planner.plan import compute
from planner.samples import SAMPLES
from planner.workbook.layout import built

PARTS = 4
# The sample `ledger` has 180,000 formula cells: `make prove` tries it too, `make test` a year of its first use cases.
WHOLE = bool(os.environ.get("PROVE"))
PLANS = {**{name: make for name, make in SAMPLES.items() if WHOLE or name != "ledger"}, "small ledger": small_ledger}
# `hybrid` has every input that the plans without a ledger have: every other of its changes is tried, and fewer of the
# others', whose formulas are the same. `make prove` tries all of them.
FEW = set() if WHOLE else {("on-prem", "zh"), ("small ledger", "en")}
STRIDE = {("hybrid", "en"): 2, ("api", "en"): 9, ("on-prem", "en"): 9, ("on-prem", "zh"): 8, ("small ledger", "en"): 15}
LEDGERS = ("ledger", "small ledger")
CASES = [*((name, "en") for name in PLANS), ("on-prem", "zh")]


def of_the_ledger(bench: Bench) -> list[Change]:
    """Changes of what only a plan with a ledger has; the rest is tried on the smaller plans."""
    tabs = {t.tab for t in TABLES if t.portfolio}
    return [c for c in bench.changes() if c.cells[0][0] in tabs or c.what.split(" ")[0] in Portfolio.model_fields]


@pytest.mark.parametrize(
    ("name", "language", "part"), [(*case, part) for case in CASES for part in range(1 if case in FEW else PARTS)]
)
def test_every_input_cell_is_followed(
    name: str, language: str, part: int, tmp_path: Path, record_property: Callable[[str, Any], None]
) -> None:
    bench = Bench(compute(PLANS[name](language)), tmp_path)
    changes = (of_the_ledger(bench) if name in LEDGERS else bench.changes())[
        part :: PARTS * (1 if WHOLE else STRIDE.get((name, language), 1))
    ]
    wrong = [bench.try_change(change) for change in changes]
    record_property("count:perturbation, changes tried", len(changes))
    record_property("count:perturbation, changes followed exactly", sum(not w for w in wrong))
    record_property("count:perturbation, formula cells compared", len(changes) * bench.formula_cells())
    assert not [w[0] for w in wrong if w]


def test_a_row_added_by_hand_comes_alive(tmp_path: Path) -> None:
    """A use case, a tier, a region and a scenario in spare rows of the built file: followed, and something moves."""
    bench = Bench(compute(small_ledger("en")), tmp_path)
    added = {c.what.split(":")[0]: c for c in bench.changes() if c.what.endswith("a row added")}
    assert {"Ledger", "Tiers", "Regions", "Scenarios"} <= set(added)
    context = bench.layout.context
    assert context is not None
    before = context.again(bench.plan)
    for tab in ("Ledger", "Tiers", "Scenarios"):
        assert not bench.try_change(added[tab]), tab
        after = context.again(compute(bench.inputs_after(added[tab]), before=bench.plan))
        moved = [place for place, value in after.items() if not same(value, before[place])]
        assert len(moved) > {"Ledger": 300, "Tiers": 20, "Scenarios": 300}[tab], (tab, len(moved))


@pytest.mark.parametrize("name", ["api", "on-prem", "hybrid"])
def test_a_plan_taken_up_from_another_is_the_plan_computed_afresh(name: str, tmp_path: Path) -> None:
    """The rebuilds above take lines from the plan before where their inputs are the same; here both ways are equal."""
    bench = Bench(compute(PLANS[name]()), tmp_path)
    taken = 0
    for change in bench.changes()[::40]:
        inputs = bench.inputs_after(change, whole=True)
        assert bench.inputs_after(change) == inputs
        quick, whole = compute(inputs, before=bench.plan), compute(inputs)
        taken += len(quick.engine.unchanged)
        assert quick.values.keys() == whole.values.keys()
        for line, array in whole.values.items():
            np.testing.assert_array_equal(quick.values[line].numbers, array.numbers, f"{change.what}: {line}")
            np.testing.assert_array_equal(quick.values[line].words, array.words, f"{change.what}: {line}")
    assert taken


@pytest.mark.parametrize("name", PLANS)
def test_every_unlocked_cell_is_an_input_that_is_tried(name: str, tmp_path: Path) -> None:
    """Unlocked in the file = input cell of the layout; every numeric one and every drop-down is among the changes."""
    bench = Bench(compute(PLANS[name]()), tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl does not know the data bars of Excel 2010
        book = openpyxl.load_workbook(bench.path)
    unlocked = {
        (ws.title, cell.row, cell.column)
        for ws in book for row in ws.iter_rows() for cell in row if cell.protection and not cell.protection.locked
    }  # fmt: skip
    inputs = {
        (s.name, c.row + 1, c.col + 1)
        for s in bench.layout.sheets for c in s.cells.values() if c.style.role in ("input", "spare") and "locked" not in c.style.more
    }  # fmt: skip
    assert unlocked == inputs
    tried = {(tab, row, col) for change in bench.changes() for tab, row, col, _ in change.cells}
    numeric = {
        (ws.title, cell.row, cell.column)
        for ws in book for row in ws.iter_rows() for cell in row
        if (ws.title, cell.row, cell.column) in unlocked and isinstance(cell.value, int | float)
    }  # fmt: skip
    assert numeric <= tried
    listed = {
        (ws.title, row, col)
        for ws in book for rule in ws.data_validations.dataValidation
        if rule.type == "list" and ("," in rule.formula1 or "!" in rule.formula1)  # more than one option
        for area in rule.sqref.ranges for row, col in area.cells
        if ws.cell(row, col).value is not None and (ws.title, row, col) in unlocked
    }  # fmt: skip
    assert listed <= tried


def test_a_spoiled_formula_is_noticed(tmp_path: Path) -> None:
    """Spoil one formula in the file: the comparison with a rebuild fails."""
    bench = Bench(compute(SAMPLES["on-prem"]()), tmp_path)
    context = bench.layout.context
    assert context is not None
    tab, row, col = context.places.position("model_gpus_peak", {"model": 0, "month": 2})
    cell = next(s for s in bench.layout.sheets if s.name == tab).cells[row, col]
    assert cell.formula is not None
    bench.live.set_formula(tab, row + 1, col + 1, cell.formula + "*1.0001")
    change = next(c for c in bench.changes() if c.what.startswith("retry_rate"))
    assert bench.try_change(change)


@pytest.mark.parametrize("name", PLANS)
def test_a_rebuild_of_a_plan_lays_out_the_same_formulas(name: str, tmp_path: Path) -> None:
    """A plan is a valid input: built again it has the same cells, formulas and values."""
    bench = Bench(compute(PLANS[name]()), tmp_path)
    again = built(compute(passed(read_draft(bench.path))))
    first = {
        (s.name, c.row, c.col): (c.formula, c.value) for s in bench.layout.sheets for c in s.cells.values() if c.formula
    }
    second = {(s.name, c.row, c.col): (c.formula, c.value) for s in again.sheets for c in s.cells.values() if c.formula}
    assert first == second
