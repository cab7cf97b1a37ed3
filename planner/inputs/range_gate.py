"""What a range must have before a plan is built on it: a use case with its field, and ends around what is expected."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from planner.inputs.draft import Draft
from planner.inputs.field import specs
from planner.inputs.portfolio import RangeRow, UseCaseRow
from planner.problem import Problem, said

TAB = "Ranges"
SHARES = ("adoption_to",)  # fields that no end may lift above all of it
EMPTY = {"adoption_to": 1.0, "peak_factor": 1.0}  # as lines read an empty cell of Ledger; of the others, 0
DUST, SHOWN = 1e-9, 1e-4


def range_contradictions(draft: Draft) -> Iterator[Problem]:
    """Drivers of a use case that name half of it, or more than it needs; ends on the wrong side or around nothing;
    factors of nothing; adoption above everybody.
    """
    cases = {row.use_case.lower(): row for _, row in draft.filled("Ledger")}
    for i, row in draft.filled(TAB):
        if any((TAB, key) in draft.unread for key in specs(RangeRow)):
            continue
        if row.use_case or row.ledger_field:
            yield from _scope(draft, i, row, cases)
        if ("Ledger", row.ledger_field) not in draft.unread:
            yield from _ends(draft, i, row, cases.get(row.use_case.lower()))


def _scope(draft: Draft, i: int, row: RangeRow, cases: dict[str, UseCaseRow]) -> Iterator[Problem]:
    if not row.use_case:
        yield Problem(
            draft.where_in(TAB, "use_case", i), said("nothing, with a field of Ledger"),
            said("the use case of the field"),
            said("choose the use case, or empty the field"),
        )  # fmt: skip
    elif row.use_case.lower() not in cases and ("Ledger", "use_case") not in draft.unread:
        yield Problem(
            draft.where_in(TAB, "use_case", i), repr(row.use_case), said("a row on {tab}", tab=said("Ledger")),
            said("choose one, or add a row on {tab}", tab=said("Ledger")),
        )  # fmt: skip
    if row.use_case and not row.ledger_field:
        yield Problem(
            draft.where_in(TAB, "ledger_field", i), said("nothing, with a use case"), said("the field that is ranged"),
            said("choose the field, or empty the use case"),
        )  # fmt: skip
    for key in ("acts_on", "effect"):
        if getattr(row, key):
            yield Problem(
                draft.where_in(TAB, key, i), repr(getattr(row, key)), said("nothing: the field of Ledger says it"),
                said("empty the cell, or the use case and its field"),
            )  # fmt: skip


def _ends(draft: Draft, i: int, row: RangeRow, case: UseCaseRow | None) -> Iterator[Problem]:
    expected = row.expected if row.expected is not None else _own(row, case)
    if expected is None:
        if not row.use_case and not row.ledger_field and (row.low is not None or row.high is not None):
            yield Problem(
                draft.where_in(TAB, "expected", i), said("nothing, with a low or a high value"),
                said("the value that low and high stand around"),
                said("type it, such as 1, or empty low and high"),
            )  # fmt: skip
        return
    for key, value, wrong in (("low", row.low, 1), ("high", row.high, -1)):
        if value is None:
            continue
        where = draft.where_in(TAB, key, i)
        if (value - expected) * wrong > 0:
            wanted = said("at most {value}", value=f"{expected:g}")
            if key == "high":
                wanted = said("at least {value}", value=f"{expected:g}")
            yield Problem(where, f"{value:g}", wanted, said("let low, expected and high stand in this order"))
        elif row.ledger_field in SHARES and value > 1:
            yield Problem(where, f"{value:g}", said("at most {value}", value="1"), said("type a share, such as 70 %"))
        elif value <= 0 and row.ledger_field != "retry_rate" and row.effect != "one_plus":
            yield Problem(where, f"{value:g}", said("a number above 0"), said("type the least that may happen"))
        elif row.ledger_field in SHARES and key == "high" and _top(row, case) * value > expected * (1 + DUST):
            most = math.floor(expected / _top(row, case) / SHOWN) * SHOWN
            yield Problem(
                where, f"{value:g}", said("at most {value}", value=f"{most:g}"),
                said("lower it: the range scales the whole path of adoption, and its highest month would pass 100 %"),
            )  # fmt: skip


def _top(row: RangeRow, case: UseCaseRow | None) -> float:
    """The highest share of the adoption path of the use case."""
    return max(_own(row, case) or 0.0, (case.adoption_from if case else None) or 0.0)


def _own(row: RangeRow, case: UseCaseRow | None) -> Any:
    """What Ledger says of the field."""
    if case is None or not row.ledger_field:
        return None
    value = getattr(case, row.ledger_field)
    return EMPTY.get(row.ledger_field, 0.0) if value is None else value
