"""Random draws of the ranges: every driver at once, many times, through the same lines that the workbook shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from planner.calc.array import Array, scalar
from planner.calc.numbers import Engine
from planner.calc.rewrite import path_between
from planner.inputs.quantities import DRAWN_LEVELS

VALUE, RESULT = "range_at", "all_factor"  # the line that draws take the place of, and the one that is read


def triangular(low: Any, mode: Any, high: Any, uniform: Any) -> Any:
    """Values of a triangular distribution at probabilities from 0 to 1; where both ends are equal, that value.

    A mode outside its ends counts as the nearer one.
    """
    low, high = np.minimum(low, high), np.maximum(low, high)
    mode, width = np.clip(mode, low, high), high - low
    turn = np.divide(mode - low, width, out=np.zeros_like(width), where=width > 0)
    rising = low + np.sqrt(uniform * width * (mode - low))
    falling = high - np.sqrt((1 - uniform) * width * (high - mode))
    return np.where(uniform < turn, rising, falling)


def factors(engine: Engine, draws: int, seed: int) -> np.ndarray[Any, Any]:
    """Each figure against its expected value, by figure and draw. `engine` has run.

    A driver's draws depend on the seed and its row alone: one that is added below leaves the others as they were.
    """
    values = engine.values
    low, mode, high = (values[n].numbers[:, None] for n in ("range_low_used", "range_base", "range_high_used"))
    uniform = np.random.default_rng(seed).uniform(size=(len(low), draws))
    drawn = Array(engine.program.axes[VALUE], triangular(low, mode, high, uniform).T)
    labels = {**engine.labels, "end": [str(i) for i in range(draws)]}
    many = Engine(engine.program, labels, {**values, VALUE: drawn}, engine.translate)
    for name in path_between(engine.program.lines, (VALUE,), (RESULT,)):
        if name != VALUE:
            many.values[name] = many.full(engine.program.exprs[name], engine.program.axes[name])
    return np.asarray(many.values[RESULT].numbers)


def drawn(engine: Engine) -> Mapping[str, Array]:
    """What the workbook says of the draws; without any, and where a figure is not known, nothing."""
    values = engine.values
    draws, seed = (int(values[n].numbers) for n in ("range_draws", "range_seed"))
    expected = values["figure_expected"].numbers
    made: dict[str, Any] = {f"drawn_p{level}": np.full(expected.shape, np.nan) for level in DRAWN_LEVELS}
    made |= {f"drawn_{end}": np.full(expected.shape, np.nan) for end in ("expected", "optimistic", "pessimistic")}
    if draws:
        found = factors(engine, draws, seed)
        for level in DRAWN_LEVELS:
            made[f"drawn_p{level}"] = expected * np.percentile(found, level, axis=1)
        for end in ("expected", "optimistic", "pessimistic"):
            made[f"drawn_{end}"] = values[f"figure_{end}"].numbers
    arrays = {name: Array(("figure",), np.asarray(numbers, float)) for name, numbers in made.items()}
    return arrays | {"drawn_draws": scalar(float(draws)), "drawn_seed": scalar(float(seed))}
