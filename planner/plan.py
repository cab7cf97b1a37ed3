"""Inputs become a Plan: every line's values, ready for the workbook, the report and the JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.calc.functions import as_date
from planner.calc.line import Line
from planner.calc.numbers import Array, Engine
from planner.calc.program import Program
from planner.draws import drawn
from planner.inputs.model import Inputs
from planner.inputs.quantities import DRAWN_NAMES, arrays, declared, labels_of
from planner.labels import translator
from planner.lines import AXIS_ORDER, AXIS_UNITS, METHOD, PORTFOLIO, WITHOUT_LEDGER

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_VERSION = 1


@cache
def program(portfolio: bool = False) -> Program:
    """The method, checked and ordered; `portfolio` with the chapters of the ledger."""
    if portfolio:
        return Program(METHOD, declared(True), AXIS_ORDER, AXIS_UNITS)
    return Program(METHOD, declared(False), AXIS_ORDER, AXIS_UNITS, PORTFOLIO, WITHOUT_LEDGER)


def of_ledger(name: str) -> bool:
    """Whether only plans with a ledger have a line."""
    return name in METHOD.lines and METHOD.lines[name].part == PORTFOLIO


@dataclass(frozen=True)
class Plan:
    """A computed plan. `engine` holds every line's values and evaluates further expressions over them."""

    inputs: Inputs
    language: str
    as_of: str
    engine: Engine

    @property
    def values(self) -> Mapping[str, Array]:
        """Every line's and input's values by name."""
        return self.engine.values

    @property
    def labels(self) -> Mapping[str, list[str]]:
        """Every axis' entries by key."""
        return {a: list(v) for a, v in self.engine.labels.items()}

    @property
    def program(self) -> Program:
        """The method behind the values."""
        return self.engine.program

    def value(self, name: str) -> float | str | None:
        """A scalar line's value: a number, words where it is withheld, None for blank."""
        return self.values[name].at(())

    def series(self, name: str) -> pd.Series[Any]:
        """A line as a pandas Series over its axes."""
        return self.engine.series(name)

    def headlines(self) -> dict[str, float | str | None]:
        """The named results, in full precision."""
        return {line.name: self.value(line.name) for line in self.program.lines.values() if line.headline}


def compute(
    inputs: Inputs,
    language: str | None = None,
    as_of: str | None = None,
    before: Plan | None = None,
    drawn_as: Plan | None = None,
) -> Plan:
    """Compute every line. Pure: the same inputs give the same plan.

    `before`: a plan in the same language over axes of the same sizes, from which lines are taken that cannot differ.
    `drawn_as`: a plan whose random draws this one keeps, as a workbook keeps those that it was built with.
    """
    inputs = inputs.fitted()
    lang = language or inputs.plan.language
    translate = translator(lang)
    given = arrays(inputs, lang)
    if drawn_as is not None and inputs.portfolio:
        given |= {name: drawn_as.values[name] for name in DRAWN_NAMES}
    engine = Engine(program(inputs.portfolio), labels_of(inputs), given, translate)
    engine.run(before.engine if before else None)
    if drawn_as is None and inputs.portfolio:
        first, engine = engine, Engine(engine.program, engine.labels, {**given, **drawn(engine)}, translate)
        engine.run(first)
        engine.unchanged &= first.unchanged
    printed = as_of or (inputs.plan.as_of or inputs.plan.start_month).isoformat()
    return Plan(inputs, lang, printed, engine)


def document(plan: Plan) -> dict[str, Any]:
    """The plan as a stable JSON document."""
    return {
        "schema_version": SCHEMA_VERSION,
        "plan_name": plan.inputs.plan.plan_name,
        "currency": plan.inputs.plan.currency,
        "as_of": plan.as_of,
        "language": plan.language,
        "illustrative": bool(plan.inputs.assumed),
        "assumed": list(plan.inputs.assumed),
        "headlines": plan.headlines(),
        "axes": {a: _entries(plan, a) for a in plan.labels},
        "lines": {line.name: _line(plan, line) for line in plan.program.lines.values()},
    }


def _entries(plan: Plan, axis: str) -> list[str]:
    name = f"{axis}_name"
    if name in plan.values and plan.values[name].axes == (axis,):
        return [str(v) for v in plan.values[name].words]
    return list(plan.labels[axis])


def _line(plan: Plan, line: Line) -> dict[str, Any]:
    array = plan.values[line.name]
    shape = tuple(len(plan.labels[a]) for a in array.axes)
    values = [
        {
            **{a: plan.labels[a][i] for a, i in zip(array.axes, index, strict=True)},
            "value": _plain(line, array.at(index)),
        }
        for index in np.ndindex(*shape)
    ]
    return {
        "label": line.label,
        "unit": line.unit,
        "source": line.source,
        "why": line.why,
        "axes": list(array.axes),
        "values": values,
    }


def _plain(line: Line, value: float | str | None) -> float | str | None:
    return as_date(value).isoformat() if line.unit == "day" and isinstance(value, float) else value
