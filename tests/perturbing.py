"""Changes every input cell inside a built plan, recalculates the file, and compares with a plan built from it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from planner.inputs.field import Spec, specs
from planner.inputs.gate import typed_inputs
from planner.inputs.grid import Book, read_book, set_cell
from planner.inputs.model import Inputs
from planner.inputs.quantities import WEIGHTS
from planner.inputs.reader import draft_of, read_rows
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import PLAN_TAB, TABLES, Table
from planner.labels import translator
from planner.plan import Plan, compute
from planner.verify.recalc import Live, close
from planner.workbook.inputs import TableList
from planner.workbook.layout import built
from planner.workbook.write import write

SPARE_ROWS: dict[str, dict[str, Any]] = {
    "Models": {"model": "Llama 3.1 8B", "deployment": "on_prem", "token_share": 0.1, "precision": "fp8",
               "gpu": "H100-80GB-SXM", "tokens_per_s_per_gpu": 1800.0, "throughput_basis": "output"},
    "Tenants": {"tenant": "A new team", "quota_share": 0.1, "burst_multiple": 1.5, "fallback": "reject"},
    "Pools": {"pool": "late pool", "gpu": "H100-80GB-SXM", "gpus_total": 16.0, "gpus_allocated": 3.0},
    "Supply": {"instrument": "Reserved H100", "instrument_kind": "committed", "gpu": "H100-80GB-SXM",
               "price_per_unit_hour": 1.7, "elastic_price_per_unit_hour": 3.1, "increment": 2.0, "term_months": 9.0,
               "lead_time_days": 40.0, "quantity_ordered": 8.0, "starts_on": dt.date(2027, 5, 1)},
    "Runbooks": {"service": "Search", "service_tier": 1.0, "provider": "X", "trigger": "TTFT above 2 s",
                 "last_test": dt.date(2026, 8, 1)},
    "Curves": {"curve": "two_waves", **{m: float(i % 4) for i, m in enumerate(WEIGHTS, 1)}},
    "Phases": {"phase": "Extra", "month_start": 12.0, "month_end": 12.0},
    "SLA tiers": {"sla_tier": "gold", "min_replicas": 3.0, "availability": 0.9995, "ttft_ms": 300.0, "tpot_ms": 10.0,
                  "e2e_s": 4.0, "output_tokens": 500.0, "error_rate": 0.0005},
    "Levers": {"lever": "Shorter prompts", "on": "yes", "eligible_share": 0.5, "saving_low": 0.1,
               "saving_expected": 0.2, "saving_high": 0.3, "acts_on_input": "yes"},
    "Ledger": {"use_case": "A new one", "tenant": "Sales", "service_tier": "tier_1", "model": "Llama 3 70B",
               "region": "us-east", "approval": "approved", "users": 90000.0, "transactions_per_user": 30.0,
               "requests_per_transaction": 2.0, "input_tokens": 900.0, "output_tokens": 200.0},
    "Routing": {"route": "A new one", "use_case": "Claims reading", "model": "GPT-4o", "request_share": 0.3,
                "quality_score": 0.8, "quality_floor": 0.9, "calls_limit": 1.5, "retry_limit": 0.01,
                "context_reduction": 0.4},
    "Tiers": {"service_tier": "tier_5", "action": "defer", "deadline_months": 3.0, "sla_tier": "best_effort",
              "headroom_share": 0.2},
    "Regions": {"region": "north", "label": "North"},
    "Scenarios": {"scenario": "outage", "users_factor": 1.2, "lost_region": "eu-west", "include_proposed": "yes",
                  "migrate_from": "GPT-4o", "migrate_to": "Llama 3 70B"},
    "Ranges": {"range": "summary_calls", "use_case": "Call summary", "ledger_field": "requests_per_transaction",
               "low": 0.8, "high": 2.5},
}  # fmt: skip


MANY = 20  # rows: a longer table is tried by columns


@dataclass(frozen=True)
class Change:
    """One change: the cells with their new values (None empties a cell), and what it is about."""

    what: str
    cells: tuple[tuple[str, int, int, Any], ...]  # tab, row, column from 1, value


class Bench:
    """A built plan, open in the independent engine."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan, self.layout = plan, built(plan)
        self.path = folder / "plan.xlsx"
        write(self.layout, self.path, plan.language)
        say = translator(plan.language)
        self.tab = {name: say(name) for name in (PLAN_TAB, *(t.tab for t in TABLES))}
        self.book = read_book(self.path, set(self.tab.values()).__contains__)
        self.draft = draft_of(self.book)
        self.live = Live(self.path)

    def formula_cells(self) -> int:
        """How many formula cells the plan has."""
        return sum(1 for s in self.layout.sheets for c in s.cells.values() if c.formula)

    def changes(self) -> list[Change]:
        """Every unlocked numeric cell, every drop-down option, a row added to and removed from every table."""
        assert self.layout.context is not None
        places = self.layout.context.places
        found: list[Change] = []
        for key, spec in specs(PlanInputs).items():
            home = places.home(key)
            value = self.book.sheets[self.tab[PLAN_TAB]].cells.get((home.row + 1, home.col + 1))
            if key == "language":
                continue
            for new in _others(spec, value.value if value else None, self.plan):
                found.append(Change(f"{key} -> {new}", ((self.tab[PLAN_TAB], home.row + 1, home.col + 1, new),)))
        for table in TABLES:
            if f"{table.axis}_name" in places.homes:
                found += self._table_changes(table)
        return found

    def _table_changes(self, table: Table) -> Iterator[Change]:
        assert self.layout.context is not None
        first = self.layout.context.places.home(f"{table.axis}_name").row + 1
        rows = self.plan.inputs.rows[table.tab]
        columns = {k: TableList.FIRST + 1 + i for i, k in enumerate(table.specs)}
        if len(rows) > MANY:
            yield from self._column_changes(table, first, columns)
        for i, row in enumerate(rows):
            if row is None or len(rows) > MANY:
                continue
            for key, spec in table.specs.items():
                if spec.locked or (spec.kind == "text" and not spec.listed):
                    continue
                where = (self.tab[table.tab], first + i, columns[key])
                for new in _others(spec, getattr(row, key), self.plan):
                    yield Change(f"{table.tab} row {i + 1} {key} -> {new}", ((*where, new),))
        used = [i for i, r in enumerate(rows) if r is not None]
        spare = [i for i, r in enumerate(rows) if r is None]
        if spare and table.tab in SPARE_ROWS:
            values = SPARE_ROWS[table.tab]
            at = first + spare[0]
            yield Change(
                f"{table.tab}: a row added", tuple((self.tab[table.tab], at, columns[k], v) for k, v in values.items())
            )
        if used and not table.fixed:
            for i in (used[0], used[-1]):
                gone = tuple((self.tab[table.tab], first + i, c, None) for c in columns.values())
                yield Change(f"{table.tab}: row {i + 1} removed", gone)

    def _column_changes(self, table: Table, first: int, columns: dict[str, int]) -> Iterator[Change]:
        """In a long table every cell is tried too, those of a column together: as often as one of them has options."""
        for key, spec in table.specs.items():
            if spec.locked or (spec.kind == "text" and not spec.listed):
                continue
            rows = [(i, r) for i, r in enumerate(self.plan.inputs.rows[table.tab]) if r is not None]
            options = {i: _others(spec, getattr(r, key), self.plan) for i, r in rows}
            for turn in range(max(map(len, options.values()))):
                cells = tuple(
                    (self.tab[table.tab], first + i, columns[key], found[(turn + i) % len(found)])
                    for i, found in options.items()
                    if found
                )
                yield Change(f"{table.tab}, column {key}, turn {turn + 1}", cells)

    def inputs_after(self, change: Change, whole: bool = False) -> Inputs:
        """What a reader of the changed file reads; a table whose last row was filled would get another when built.

        Tables that the change leaves alone are taken from the file as it was, unless it is read `whole`.
        """
        book: Book = self.book
        for tab, row, col, value in change.cells:
            book = set_cell(book, tab, row, col, value)
        changed = {tab for tab, *_ in change.cells}
        if whole or self.tab[PLAN_TAB] in changed:
            draft = draft_of(book)
        else:
            draft = replace(self.draft, rows=dict(self.draft.rows), problems=[])
            for table in TABLES:
                if self.tab[table.tab] in changed:
                    read_rows(book, book.sheets[self.tab[table.tab]], table, draft)
        assert not draft.problems, (change.what, [str(p) for p in draft.problems])
        for tab, rows in self.plan.inputs.rows.items():
            if all(r is None for r in draft.rows[tab][len(rows) :]):
                draft.rows[tab] = draft.rows[tab][: len(rows)]
        return typed_inputs(draft)

    def try_change(self, change: Change) -> list[str]:
        """Differences between the recalculated file and a plan built from the same file with the change in it."""
        for tab, row, col, value in change.cells:
            self.live.set(tab, row, col, _serial(value))
        self.live.recalculate()
        plan = compute(self.inputs_after(change), before=self.plan, drawn_as=self.plan)
        assert plan.labels.keys() == self.plan.labels.keys()
        for axis, entries in plan.labels.items():
            assert len(entries) == len(self.plan.labels[axis]), f"{change.what}: {axis} changed its size"
        context = self.layout.context
        assert context is not None
        wrong = []
        for (tab, row, col), expected in context.again(plan).items():
            got = self.live.value(tab, row + 1, col + 1)
            if not same(got, expected):
                wrong.append(f"{change.what}: {tab}!r{row + 1}c{col + 1} shows {got!r}, a rebuild gives {expected!r}")
        self.live.restore(recalculated=False)  # the next change recalculates everything
        return wrong


def same(got: Any, expected: Any) -> bool:
    """Equal at 1e-9, words to the letter."""
    if isinstance(expected, float) and isinstance(got, int | float) and not isinstance(got, bool):
        return close(float(got), expected, 1e-9)
    return got == expected or (got in (None, "") and expected == "")


def _serial(value: Any) -> Any:
    return float((value - dt.date(1899, 12, 30)).days) if isinstance(value, dt.date) else value


def _others(spec: Spec, value: Any, plan: Plan) -> list[Any]:
    """New values for a cell: every other option of a list; another number within the bounds."""
    if spec.kind == "text" and not spec.listed:
        return []
    if spec.choices:
        return [c for c in spec.choices if c != value]
    if spec.listed:
        return [w for w in _listed(spec, plan) if w != value]
    if spec.kind == "month":
        return [dt.date(2027, 7, 1), dt.date(2028, 2, 1)]
    if spec.kind == "date":
        return [dt.date(2027, 3, 17)] if value is None else [dt.date(2027, 6, 9)]
    if spec.key == "horizon_months":
        return [11, 5, 1]
    if spec.key == "total_tokens":
        return [2.5e9, 7.0]
    return [_number(spec, value)]


def _listed(spec: Spec, plan: Plan) -> list[str]:
    if spec.listed == "all_models":
        return ["GPT-4o-mini", "Mixtral 8x7B", "Llama 3.1 405B", "A model nobody knows"]
    if spec.listed == "gpuref_gpu":
        return ["H200-141GB-SXM", "A10G-24GB", "H20-96GB"]
    tab, key = LISTS[spec.listed]
    return [getattr(r, key) for r in plan.inputs.used(tab)]


LISTS = {
    "curve_name": ("Curves", "curve"), "tier_name": ("SLA tiers", "sla_tier"), "tenant_name": ("Tenants", "tenant"),
    "model_name": ("Models", "model"), "pool_name": ("Pools", "pool"), "region_name": ("Regions", "region"),
    "service_tier_name": ("Tiers", "service_tier"), "scenario_name": ("Scenarios", "scenario"),
    "use_case_name": ("Ledger", "use_case"),
}  # fmt: skip


def _number(spec: Spec, value: Any) -> float:
    low = spec.low if spec.low is not None else 0.0
    high = spec.high if spec.high is not None else 1e9
    if value is None:
        new = {"share": 0.25, "factor": 1.5, "whole": max(1.0, low)}.get(spec.kind, max(low, 1.0) + 0.5)
        return min(new, high)
    step = 1.0 if spec.kind == "whole" else max(abs(value) * 0.13, 0.07 if high <= 100 else 0.5)
    for new in (value + step, value - step, value + 1):
        if low <= new <= high and not (spec.kind == "share" and new > 1):
            return float(new)
    return high if value != high else low
