"""What an input workbook says, typed: the Plan list, the tables with their spare rows, and where everything stood."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from planner.inputs.field import Row
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import TABLES, Table
from planner.labels import translator
from planner.resources import table


@dataclass(frozen=True)
class Inputs:
    """`rows[tab]` holds a Row or None for each row that formulas read; None is a spare row. `sources[key]` is what the
    analyst wrote beside a scalar; `assumed` names what `--illustrative` filled in.
    """

    plan: PlanInputs
    rows: dict[str, tuple[Row | None, ...]]
    sources: dict[str, str] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def used(self, tab: str) -> list[Any]:
        """The rows of a table that are filled."""
        return [r for r in self.rows[tab] if r is not None]

    @property
    def portfolio(self) -> bool:
        """Whether there is a ledger: its tabs, scenarios and tiers belong to the plan then."""
        return any(r is not None for r in self.rows.get("Ledger", ()))

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables that belong to this plan."""
        return tuple(t for t in TABLES if self.portfolio or not t.portfolio)

    def fitted(self) -> Inputs:
        """The same inputs without fixed rows that nothing in this plan fills."""
        if self.portfolio:
            return self
        rows = dict(self.rows)
        for t in TABLES:
            if t.tab in PORTFOLIO_ROWS:
                gone = {r[t.first] for r in table(PORTFOLIO_ROWS[t.tab])}
                rows[t.tab] = tuple(r for r in rows[t.tab] if r is None or getattr(r, t.first) not in gone)
        return replace(self, rows=rows)

    def with_room(self) -> Inputs:
        """The same inputs with spare rows behind every table."""
        return replace(self, rows={t.tab: with_room(t, self.rows[t.tab]) for t in TABLES})


def with_room(table: Table, rows: Iterable[Row | None], at_least: int = 0) -> tuple[Row | None, ...]:
    """Rows with room: never fewer than before, and always some spare ones behind the last that is filled."""
    kept = list(rows)
    last = max((i + 1 for i, r in enumerate(kept) if r is not None), default=0)
    room = max(last + (0 if table.fixed else min(1, table.spare)), at_least)
    if at_least == 0:
        room = last + table.spare
    return tuple(kept[i] if i < len(kept) else None for i in range(room))


REFERENCE_ROWS = {
    "Curves": "curves.csv",
    "Phases": "phases.csv",
    "SLA tiers": "sla_tiers.csv",
    "Levers": "levers.csv",
    "Thresholds": "thresholds.csv",
    "Tiers": "service_tiers.csv",
    "Scenarios": "scenarios.csv",
    "Ranges": "ranges.csv",
    "Actions": "actions.csv",
}


# Rows that belong to plans with a ledger alone.
PORTFOLIO_ROWS = {"Thresholds": "portfolio_thresholds.csv"}

TRANSLATED = frozenset(
    {"label", "lever", "phase", "resource", "milestone", "trade_off", "owner", "throughput", "unit", "condition"}
)


def default_rows(which: Table, language: str = "en") -> tuple[Row | None, ...]:
    """The rows that a table starts with: the guide's, where the guide has any, in the reader's words."""
    t = translator(language)
    if which.tab not in REFERENCE_ROWS:
        return ()
    made = []
    more = table(PORTFOLIO_ROWS[which.tab]) if which.tab in PORTFOLIO_ROWS else ()
    for raw in (*table(REFERENCE_ROWS[which.tab]), *more):
        values: dict[str, Any] = {}
        for key, spec in which.specs.items():
            text = raw.get(key, "")
            if which.tab == "Levers" and key == "lever":
                text = raw["label"]
            if text == "" and not spec.is_text:
                values[key] = None
            else:
                values[key] = (t(text) if key in TRANSLATED else text) if spec.is_text else float(text)
        made.append(which.row(**values))
    return tuple(made)
