"""What the tests of the method share: inputs built in code, lines in plain numbers, and a sheet of their own."""

from __future__ import annotations

import datetime as dt
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import ironcalc
import numpy as np
import pytest
import xlsxwriter
from xlsxwriter.utility import xl_range_abs, xl_rowcol_to_cell

from planner.calc.expr import Const, Expr, Stack
from planner.calc.formulas import Printer
from planner.calc.line import Method
from planner.calc.numbers import Array, Engine
from planner.calc.program import Program
from planner.inputs.field import Row
from planner.inputs.model import Inputs, default_rows
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import TABLES, ModelRow, PoolRow, TenantRow
from planner.lines import METHOD
from planner.plan import Plan, compute
from planner.reference import constants

Value = float | str | None

# ---- inputs

LLAMA, A100 = "Llama 3 70B", "A100-80GB-SXM"
REQUIRED: dict[str, Any] = {
    "total_tokens": 1.8e9,
    "start_month": dt.date(2027, 1, 1),
    "deployment_mode": "on_prem",
    "usage_pattern": "real_time",
    "sla_tier": "standard",
}


def llama(**fields: Any) -> ModelRow:
    """The guide's self-hosted model: 150 tokens/s on an A100 80 GB, at $2.00 an hour unless another price is given."""
    return ModelRow(**{"model": LLAMA, "token_share": 1, "gpu": A100, "gpu_price_per_hour": 2.0} | fields)


def gpt_4o(**fields: Any) -> ModelRow:
    """The guide's API model: 2.50 and 10.00 per million tokens, from the reference table."""
    return ModelRow(**{"model": "GPT-4o", "token_share": 1} | fields)


def pool(**fields: Any) -> PoolRow:
    """A pool of 64 A100 that nobody else uses."""
    return PoolRow(**{"pool": "main", "gpu": A100, "gpus_total": 64} | fields)


def guide_tenants() -> tuple[TenantRow, ...]:
    """The guide's three tenants."""
    return (
        TenantRow(tenant="Team A (Core)", quota_share=0.5, burst_multiple=2, fallback="guaranteed"),
        TenantRow(tenant="Team B (Growth)", quota_share=0.3, burst_multiple=1.5, fallback="best_effort"),
        TenantRow(tenant="Team C (Experimental)", quota_share=0.2, burst_multiple=1, fallback="reject"),
    )


def inputs(
    models: Iterable[ModelRow] | None = None,
    *,
    tenants: Iterable[TenantRow] = (),
    pools: Iterable[PoolRow] | None = None,
    rows: Mapping[str, Iterable[Row | None]] | None = None,
    **plan: Any,
) -> Inputs:
    """Inputs with room behind every table. `plan` overrides REQUIRED; `rows` replaces whole tables by tab."""
    scalars = REQUIRED | plan
    api = scalars["deployment_mode"] == "api"
    filled: dict[str, tuple[Row | None, ...]] = {t.tab: default_rows(t) for t in TABLES}
    filled["Models"] = tuple(models) if models is not None else ((gpt_4o() if api else llama()),)
    filled["Pools"] = tuple(pools) if pools is not None else (() if api else (pool(),))
    filled["Tenants"] = tuple(tenants)
    filled |= {tab: tuple(given) for tab, given in (rows or {}).items()}
    return Inputs(PlanInputs(**scalars), filled).with_room()


def planned(*args: Any, **kwargs: Any) -> Plan:
    """The plan of inputs(...)."""
    return compute(inputs(*args, **kwargs))


def changed(tab: str, row: str, **fields: Any) -> dict[str, tuple[Row | None, ...]]:
    """One table's default rows with fields of the row called `row` changed, as `rows=` takes it."""
    which = next(t for t in TABLES if t.tab == tab)
    found = default_rows(which)
    assert row in [getattr(r, which.first) for r in found]
    update = {"update": fields}
    return {tab: tuple(r.model_copy(**update) if getattr(r, which.first) == row else r for r in found)}


def at(plan: Plan, name: str, **coord: int | str) -> Value:
    """A value of a plan by coordinates: a position along the axis (0 is the first) or the axis' key."""
    found = plan.values[name]
    wanted = [(a, coord[a]) for a in found.axes]
    return found.at(tuple(i if isinstance(i, int) else plan.labels[a].index(i) for a, i in wanted))


def along(plan: Plan, name: str, axis: str = "month", **coord: int | str) -> list[Value]:
    """All values of a name along one axis."""
    return [at(plan, name, **coord, **{axis: i}) for i in range(len(plan.labels[axis]))]


# ---- lines in plain numbers

BLANK = math.nan
CONSTANTS = {c.key: c.value for c in constants()}
_NOTHING = Program(Method("month"), (), ("month",))


def plain(value: Any) -> Any:
    """What a line gives when it is called with plain numbers: a number, words where it is withheld, a dict of steps."""
    if isinstance(value, Stack):
        return {key: plain(entry) for key, entry in value.entries}
    if not isinstance(value, Expr):
        return value.item() if hasattr(value, "item") else value
    return Engine(_NOTHING, {}, {}).full(_NOTHING.compile(value), ()).at(())


def line(name: str, **values: Any) -> Any:
    """A line of the method called with plain numbers. Constants fill themselves in, and there is no ledger; everything
    else must be given.

    Numbers are numpy's: a quotient that a branch does not take may be by zero there.
    """
    function = METHOD.lines[name].plain
    wanted = inspect.signature(function).parameters
    known = CONSTANTS | {p: 0.0 for p in wanted if p in METHOD.lines and METHOD.lines[p].part}
    given = {p: values.pop(p) if p in values else known[p] for p in wanted} | values
    with np.errstate(divide="ignore", invalid="ignore"):
        return plain(function(**{p: np.float64(v) if isinstance(v, int | float) else v for p, v in given.items()}))


def default(key: str) -> Any:
    return PlanInputs.model_fields[key].default


def approx(wanted: Any) -> Any:
    """The figures of a case within 1e-9, however deep they stand."""
    if isinstance(wanted, dict):
        return {k: approx(v) for k, v in wanted.items()}
    if isinstance(wanted, list):
        return [approx(v) for v in wanted]
    return wanted if wanted is None or isinstance(wanted, str | bool) else pytest.approx(wanted, rel=1e-9, abs=1e-9)


# ---- a sheet of their own


class Sheet:
    """Every name of an engine as a block of cells, so that formulas can be recalculated without the product's workbook.

    Lines get formulas, inputs their values; a step before the first stands in a cell of its own beside the block.
    """

    ACROSS = frozenset({"month", "slot", "size", "tier"})

    def __init__(self, engine: Engine, is_text: Callable[[str], bool] | None = None) -> None:
        self.engine, self.program = engine, engine.program
        self.top: dict[str, int] = {}
        row = 1
        for name in self.program.axes:
            self.top[name] = row
            row += self._shape(name)[0] + 2
        self.printer = Printer(
            self, engine.labels, is_text or (lambda n: self.program.kind(n) == "text"),
            called=lambda n: self.program.lines[n].label if n in self.program.lines else "",
        )  # fmt: skip

    def _sides(self, name: str) -> tuple[str | None, str | None]:
        axes = self.program.axes[name]
        if len(axes) == 2:
            return axes[0], axes[1]
        if not axes:
            return None, None
        return (None, axes[0]) if axes[0] in self.ACROSS else (axes[0], None)

    def _shape(self, name: str) -> tuple[int, int]:
        down, across = (len(self.engine.labels[a]) if a else 1 for a in self._sides(name))
        return down, across

    def place(self, name: str, coord: Mapping[str, int]) -> tuple[int, int]:
        """Row and column of a value, from 0."""
        down, across = self._sides(name)
        return self.top[name] + (coord[down] if down else 0), 1 + (coord[across] if across else 0)

    def cell(self, name: str, coord: Mapping[str, int]) -> str:
        return xl_rowcol_to_cell(*self.place(name, coord))

    def run(self, name: str, coord: Mapping[str, int], over: str) -> str:
        return self._between(name, {**coord, over: 0}, {**coord, over: len(self.engine.labels[over]) - 1})

    def scattered(self, name: str, coord: Mapping[str, int], over: str) -> list[str]:
        return []

    def up_to(self, name: str, coord: Mapping[str, int], along: str) -> str:
        return self._between(name, {**coord, along: 0}, coord)

    def before(self, name: str, coord: Mapping[str, int], along: str) -> str:
        row, column = self.place(name, coord)
        return xl_rowcol_to_cell(*((row - 1, column) if self._sides(name)[0] == along else (row, column - 1)))

    def varies(self, name: str, axis: str) -> bool:
        return axis in self.program.axes[name]

    def across(self, name: str, axis: str) -> bool:
        return self._sides(name)[1] == axis

    def _between(self, name: str, first: Mapping[str, int], last: Mapping[str, int]) -> str:
        return xl_range_abs(*self.place(name, first), *self.place(name, last))

    def coords(self, name: str) -> list[dict[str, int]]:
        """Every coordinate of a name."""
        found: list[dict[str, int]] = [{}]
        for axis in self.program.axes[name]:
            found = [{**c, axis: i} for c in found for i in range(len(self.engine.labels[axis]))]
        return found

    def recalculated(self, path: Path) -> dict[tuple[str, tuple[int, ...]], tuple[Value, Value]]:
        """For every value of every line: what the engine has and what the formula gives in IronCalc."""
        with xlsxwriter.Workbook(path) as book:
            page = book.add_worksheet("S")
            for name in self.program.axes:
                for coord in self.coords(name):
                    self._write(page, name, coord)
        model = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
        model.evaluate()
        found: dict[tuple[str, tuple[int, ...]], tuple[Value, Value]] = {}
        for name in self.program.lines:
            for coord in self.coords(name):
                row, column = self.place(name, coord)
                index = tuple(coord[a] for a in self.program.axes[name])
                found[name, index] = (self.engine.values[name].at(index), _cell(model, row, column))
        return found

    def _write(self, page: Any, name: str, coord: Mapping[str, int]) -> None:
        place = self.place(name, coord)
        if name not in self.program.lines:
            _put(page, place, self.engine.values[name].at(tuple(coord[a] for a in self.program.axes[name])))
            return
        page.write_formula(*place, self.printer.formula(self.program.exprs[name], coord), None, "")
        line = self.program.lines[name]
        if coord.get(line.along) == 0:
            row, column = place
            opening = (row - 1, column) if self._sides(name)[0] == line.along else (row, column - 1)
            if isinstance(line.opening, Const):
                _put(page, opening, line.opening.value)
            else:
                page.write_formula(*opening, self.printer.formula(line.opening, coord), None, "")


def _put(page: Any, place: tuple[int, int], value: Value) -> None:
    if isinstance(value, str) and value:
        page.write_string(*place, value)
    elif isinstance(value, int | float):
        page.write_number(*place, value)


def _cell(model: Any, row: int, column: int) -> Value:
    value = model.get_cell_value(0, row + 1, column + 1)
    return float(value) if isinstance(value, bool | int) else value


def alike(a: Value, b: Value) -> bool:
    """Equal words, or numbers within 1e-9 of each other; a blank shows as an empty text."""
    if isinstance(a, int | float) and isinstance(b, int | float):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return (a or "") == (b or "")


def array(axes: str, values: Any) -> Array:
    """Values over axes, as an engine takes them. Texts in a list make a text array; None is blank."""
    wanted = tuple(axes.split())
    flat = np.array(values, object)
    if any(isinstance(v, str) for v in flat.ravel()):
        return Array(wanted, None, np.vectorize(lambda v: v or "", otypes=[object])(flat))
    return Array(wanted, np.vectorize(lambda v: math.nan if v is None else float(v), otypes=[float])(flat))
