"""Inputs, reference rows and constants as what lines read: declarations for the program, arrays for the engine."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np

from planner.calc.functions import as_serial
from planner.calc.line import Quantity
from planner.calc.numbers import Array, scalar
from planner.inputs.field import Spec, specs
from planner.inputs.model import Inputs
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import TABLES
from planner.labels import translator
from planner.reference import REFERENCES, constants
from planner.resources import table

WEIGHTS = tuple(f"m{i}" for i in range(1, 13))
STEPS = ("average", "peak", "retry", "buffer", "ha", "headroom", "ceiling", "rounding")
FIGURES = ("tokens", "gpus", "tco", "unit_cost")  # what ranges are shown of
ENDS = ("lower", "upper", "cheaper", "dearer")  # of every figure but unit cost, and of unit cost
DRAWN_LEVELS = (10, 50, 90)  # per cent of the draws that lie below
DRAWN = {f"drawn_p{level}": f"P{level}" for level in DRAWN_LEVELS} | {
    "drawn_expected": "Expected at build", "drawn_optimistic": "Optimistic at build",
    "drawn_pessimistic": "Pessimistic at build",
}  # fmt: skip
DRAWN_NAMES = (*DRAWN, "drawn_draws", "drawn_seed")
HALVINGS, GRID_POINTS, USE_POINTS = 10, 50, 20  # ten halvings find a utilisation within 0.001; the grid feeds a chart


def declared(portfolio: bool = True) -> list[Quantity]:
    """Everything that lines may read without it being a line; `portfolio` adds the tables of the ledger."""
    found = [Quantity(k, s.unit, (), _kind(s), s.optional, s.label) for k, s in specs(PlanInputs).items()]
    for t in TABLES:
        if t.portfolio and not portfolio:
            continue
        found.append(Quantity(f"{t.axis}_number", "index", (t.axis,)))
        for key, s in t.specs.items():
            if key not in WEIGHTS:
                found.append(Quantity(t.name(key), s.unit, (t.axis,), _kind(s), s.optional and not s.is_text, s.label))
    found.append(Quantity("curve_weight", "count", ("curve", "slot"), "number", True))
    for r in REFERENCES:
        found += r.quantities()
    found += [Quantity(c.key, c.unit) for c in constants()]
    found += [
        Quantity("size_gpus", "GPU/replica", ("size",)),
        Quantity("slot_number", "index", ("slot",)),
        Quantity("rung_number", "index", ("rung",)),
        Quantity("month_prefix", "text", ("slot",), "text"),
        Quantity("month_suffix", "text", ("slot",), "text"),
        Quantity("check_number", "index", ("check",)),
        Quantity("place_number", "index", ("place",)),
        Quantity("check_tolerance", "factor", ("check",)),
    ]
    if portfolio:
        found += [Quantity(n, "factor", ("figure",), "number", True, words) for n, words in DRAWN.items()]
        found.append(Quantity("drawn_draws", "count", label="Draws at build"))
        found.append(Quantity("drawn_seed", "index", label="Seed at build"))
    return found


def _kind(spec: Spec) -> str:
    return "text" if spec.is_text else "number"


def month_columns(inputs: Inputs) -> int:
    """Month columns of the workbook: the horizon in whole years, so that it can move within them."""
    return -(-int(inputs.plan.horizon_months) // 12) * 12


def labels_of(inputs: Inputs) -> dict[str, list[str]]:
    """The entries of every axis, as keys."""
    months = month_columns(inputs)
    found = {t.axis: [str(i + 1) for i in range(len(inputs.rows[t.tab]))] for t in inputs.tables}
    found["threshold"] = [r.metric for r in inputs.used("Thresholds")]
    found["action"] = [r.action for r in inputs.used("Actions")]
    found |= {r.axis: [str(i + 1) for i in range(len(r.rows()))] for r in REFERENCES}
    found["month"] = [_month_key(inputs.plan.start_month, i) for i in range(months)]
    found["quarter"] = [f"Q{i + 1}" for i in range(months // 3)]
    found["year"] = [f"Y{i + 1}" for i in range(months // 12)]
    found["slot"] = [str(i) for i in range(1, 13)]
    found["size"] = [r["size"] for r in table("replica_sizes.csv")]
    found["step"] = [s for s in STEPS if inputs.portfolio or s != "headroom"]
    found["check"] = [r["key"] for r in check_rows(inputs.portfolio)]
    found["place"] = [str(i + 1) for i in range(len(inputs.rows["Ranges"]) if inputs.portfolio else 0)]
    if inputs.portfolio:
        streams = len(inputs.rows["Ledger"]) + len(inputs.rows["Routing"])
        found["stream"] = [str(i + 1) for i in range(streams)]
    found["figure"], found["end"] = list(FIGURES), list(ENDS)
    found["rung"] = [str(i) for i in range(1, months + 1)]  # a level of commitment to try for each month's need
    found["half"] = [str(i) for i in range(1, HALVINGS + 1)]
    found["use"] = [str(i) for i in range(1, USE_POINTS + 1)]
    found["grid"] = [str(i) for i in range(1, GRID_POINTS + 1)]
    return found


def check_rows(portfolio: bool) -> list[dict[str, str]]:
    """The tie-outs that a plan has; those of the ledger stand in a plan with one."""
    return [*table("checks.csv"), *(table("portfolio_checks.csv") if portfolio else ())]


def _month_key(start: dt.date, later: int) -> str:
    count = start.year * 12 + start.month - 1 + later
    return f"{count // 12}-{count % 12 + 1:02d}"


def plain(value: Any) -> float | str | None:
    """A typed value as the engine holds it: a date as its day number."""
    if isinstance(value, dt.date):
        return as_serial(value)
    if isinstance(value, str) or value is None:
        return value
    return float(value)


def column(values: list[float | str | None], axes: tuple[str, ...], text: bool) -> Array:
    """A list of values as an array over one axis."""
    if text:
        data = np.empty(len(values), object)
        data[:] = [v if isinstance(v, str) else "" for v in values]
        return Array(axes, None, data)
    return Array(axes, np.array([np.nan if v is None or isinstance(v, str) else v for v in values], float))


def arrays(inputs: Inputs, language: str = "en") -> dict[str, Array]:
    """The values of everything declared; reference words and scales in a language."""
    translate = translator(language)
    found: dict[str, Array] = {}
    for key, spec in specs(PlanInputs).items():
        value = plain(getattr(inputs.plan, key))
        if spec.is_text:
            found[key] = scalar(str(value or ""))
        else:
            found[key] = Array((), np.array(np.nan if value is None else value, float))
    for t in inputs.tables:
        rows = inputs.rows[t.tab]
        found[f"{t.axis}_number"] = _counting(t.axis, len(rows))
        for key, spec in t.specs.items():
            if key not in WEIGHTS:
                values = [None if r is None else plain(getattr(r, key)) for r in rows]
                found[t.name(key)] = column(values, (t.axis,), spec.is_text)
    weights = [[plain(getattr(r, m)) if r is not None else None for m in WEIGHTS] for r in inputs.rows["Curves"]]
    found["curve_weight"] = Array(
        ("curve", "slot"), np.array([[np.nan if w is None else w for w in row] for row in weights], float)
    )
    for r in REFERENCES:
        rows_of = r.rows()
        found[f"{r.axis}_number"] = _counting(r.axis, len(rows_of))
        for c in r.columns:
            said = translate if c.key == "verify" else str
            values = [r.value(c, said(row[c.key])) for row in rows_of]
            found[f"{r.axis}_{c.key}"] = column(values, (r.axis,), c.unit == "text")
    found |= {c.key: scalar(c.value) for c in constants(language)}
    found["size_gpus"] = column([float(r["size"]) for r in table("replica_sizes.csv")], ("size",), False)
    found["slot_number"] = _counting("slot", 12)
    found["rung_number"] = _counting("rung", month_columns(inputs))
    named = [month_words(translate(r["name"])) for r in table("months.csv")]
    found["month_prefix"] = column([before for before, _ in named], ("slot",), True)
    found["month_suffix"] = column([after for _, after in named], ("slot",), True)
    checks = check_rows(inputs.portfolio)
    found["place_number"] = _counting("place", len(inputs.rows["Ranges"]) if inputs.portfolio else 0)
    if inputs.portfolio:
        found |= {name: Array(("figure",), np.full(len(FIGURES), np.nan)) for name in DRAWN}
        found |= {"drawn_draws": scalar(0.0), "drawn_seed": scalar(0.0)}
    found["check_number"] = _counting("check", len(checks))
    found["check_tolerance"] = column([float(r["tolerance"]) for r in checks], ("check",), False)
    return found


def month_words(name: str) -> tuple[str, str]:
    """What stands before and behind the year in a month's name: `Jan {year}`, `{year}年1月`."""
    before, _, after = name.partition("{year}")
    return before, after


def _counting(axis: str, count: int) -> Array:
    return Array((axis,), np.arange(1.0, count + 1))
