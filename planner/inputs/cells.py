"""One cell as its field means it: what was typed, or a problem that names the cell."""

from __future__ import annotations

import re
from typing import Any

from planner.inputs import typed
from planner.inputs.field import Spec
from planner.inputs.grid import Cell
from planner.labels import choice_spellings, list_name, squeezed
from planner.problem import Problem, said

EMPTY = Cell(None, "General", None)


def shares(cells: list[Cell], spec: Spec, places: list[str], problems: list[Problem]) -> list[float | None]:
    """A column of shares: one convention for all of it."""
    readable: list[tuple[object, str]] = []
    for cell, where in zip(cells, places, strict=True):
        readable.append((None if _refused(cell, where, problems) else cell.value, cell.number_format))
    high = spec.high if spec.high is not None else 1.0
    signs = [-1 if isinstance(v, int | float) and v < 0 and (spec.low or 0) < 0 else 1 for v, _ in readable]
    turned = [(-v if s < 0 and isinstance(v, int | float) else v, f) for (v, f), s in zip(readable, signs, strict=True)]
    out: list[float | None] = []
    for got, cell, where, sign in zip(typed.share_column(turned, high=high), cells, places, signs, strict=True):
        if isinstance(got, typed.NotRead):
            problems.append(Problem(where, _found(cell), got.wanted, got.do))
            out.append(None)
        else:
            out.append(None if got is None else sign * got)
    return out


def value_of(cell: Cell, spec: Spec, where: str, problems: list[Problem]) -> Any:
    """A cell's typed value; None for blank and for what was refused."""
    if (
        _refused(cell, where, problems)
        or cell.value is None
        or (isinstance(cell.value, str) and not cell.value.strip())
    ):
        return None
    if spec.kind == "share":
        return shares([cell], spec, [where], problems)[0]
    try:
        return _parsed(cell, spec)
    except typed.NotRead as bad:
        problems.append(Problem(where, _found(cell), bad.wanted, bad.do))
        return None


def _parsed(cell: Cell, spec: Spec) -> Any:
    value = cell.value
    match spec.kind:
        case "tokens":
            count = typed.tokens(value)
            return typed.number(count, low=spec.low, high=spec.high)
        case "whole":
            return int(typed.number(value, low=spec.low, high=spec.high, whole=True))
        case "number" | "factor" | "money":
            return typed.number(value, low=spec.low, high=spec.high)
        case "month":
            return typed.month(value)
        case "date":
            return typed.date(value)
        case "yes_no":
            return typed.yes_no(value)
        case "choice" if spec.choices:
            labels = choice_spellings(list_name(spec.key, spec.kind))
            return typed.choice(value, {k: labels.get(k, ()) for k in spec.choices})
    words_typed = typed.text(value)
    if spec.kind == "choice":
        labels = choice_spellings(list_name(spec.key, spec.kind))
        spellings = {squeezed(x): key for key, names in labels.items() for x in (key, *names)}
        return spellings.get(squeezed(words_typed), words_typed)
    return words_typed


def _refused(cell: Cell, where: str, problems: list[Problem]) -> bool:
    """Cells that hold nothing to be read: a formula without its value, or an error."""
    if cell.formula is not None and cell.value is None:
        problems.append(
            Problem(where, said("the formula {formula} without a stored value", formula=cell.formula), said("a value"),
                    said("open the workbook in Excel or LibreOffice, let it calculate, save it, or type the value"))
        )  # fmt: skip
        return True
    if isinstance(cell.value, str) and re.fullmatch(r"#[A-Z0-9/]+[!?]?", cell.value):
        problems.append(
            Problem(where, said("the error {error}", error=cell.value), said("a value"),
                    said("correct the formula or type the value"))
        )  # fmt: skip
        return True
    return False


def _found(cell: Cell) -> str:
    if isinstance(cell.value, int | float) and "%" in cell.number_format:
        value, shown = f"{cell.value:g}", f"{cell.value * 100:g}"
        return said("{value} in a cell shown as per cent ({shown} %)", value=value, shown=shown)
    return repr(cell.value) if isinstance(cell.value, str) else f"{cell.value}"
