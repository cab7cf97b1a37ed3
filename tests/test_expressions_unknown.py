"""What cannot be known, and lines as plain functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import BLANK, plain
from rules import Lines, both_engines_agree, engine_of, program, run, unitless, values, why

from planner.calc.expr import Const, Expr
from planner.calc.numbers import LOOK_AT, NOT_APPLICABLE, PART_UNKNOWN
from planner.calc.vocabulary import (
    count_known,
    in_unit,
    join,
    known,
    most,
    or_else,
    pick,
    position_of,
    reason,
    running,
    show,
    stack,
    total,
    where,
    withheld,
)

# ---- what cannot be known


def part(summed: str) -> str:
    """What stands in place of a sum with an unknown part: where to look."""
    return why(PART_UNKNOWN) + LOOK_AT + summed


PRICES: Lines = {
    "paid": ("money/apple", lambda price: or_else(price, withheld("no price"))),
    "sales": ("money/month", lambda demand, paid: demand * paid),
    "cost": ("money/month", lambda rent: where(known(rent), rent, withheld("no rent"))),
    "profit": ("money/month", lambda sales, cost: sales - cost),
    "year": ("money", lambda sales: total(sales, over="month")),
    "all_sales": ("money/month", lambda sales: total(sales, over="shop")),
    "so_far": ("money", lambda sales: running(sales)),
    "best_sales": ("money/month", lambda sales: most(sales, over="shop")),
    "best_profit": ("money/month", lambda profit: most(profit, over="shop")),
    "sold_well": ("flag", lambda sales, good_sales: sales > good_sales),
    "counted": ("count", lambda sales: count_known(sales, over="shop")),
    "first": ("money/month", lambda sales: pick(sales, 1, over="shop")),
    "second": ("money/month", lambda sales: pick(sales, 2, over="shop")),
    "in_words": ("text", lambda paid: join("at ", show(paid, 1))),
    "at_least": ("money/month", lambda sales: or_else(sales, 0)),
    "either": ("money/month", lambda sales, cost: where(known(sales), sales, reason(cost))),
}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("paid", [2, why("no price"), why("no price")]),
        ("sales", [20, 40, 60, 80] + [why("no price")] * 8),
        ("cost", [why("no rent")]),
        # of two reasons the first that is read
        ("profit", [why("no rent")] * 4 + [why("no price")] * 8),
        ("year", [200, part("sales"), part("sales")]),
        ("all_sales", [part("sales")] * 4),
        ("so_far", [20, 60, 120, 200] + [part("sales")] * 8),
        # the largest of those that are known; where none is, there is nothing to compare
        ("best_sales", [20, 40, 60, 80]),
        ("best_profit", [NOT_APPLICABLE] * 4),
        ("sold_well", [0, 0, 1, 1] + [why("no price")] * 8),
        ("counted", [1, 1, 1, 1]),
        ("first", [20, 40, 60, 80]),
        ("second", [why("no price")] * 4),
        ("in_words", ["at 2.0", "at withheld: no price", "at withheld: no price"]),
        ("at_least", [20, 40, 60, 80] + [0] * 8),
        ("either", [20, 40, 60, 80] + [why("no rent")] * 8),
    ],
)
def test_a_reason_is_handed_on(name: str, wanted: list[Any]) -> None:
    assert values(run(PRICES), name) == wanted


def test_reasons_stand_in_the_cells_too(tmp_path: Path) -> None:
    assert both_engines_agree(run(PRICES), tmp_path)


def test_nothing_is_withheld_where_all_is_known(tmp_path: Path) -> None:
    engine = run(PRICES, {"price": [2, 3, 4], "rent": 10})
    assert values(engine, "profit") == [10, 30, 50, 70, -7, -4, -1, 2, -10, -10, -10, -10]
    assert values(engine, "so_far")[-8:-4] == [3, 9, 18, 30]
    assert both_engines_agree(engine, tmp_path)


def test_a_withheld_opening_is_handed_on_with_its_reason(tmp_path: Path) -> None:
    lines: Lines = {
        "first": ("money/month", lambda rent: or_else(rent, withheld("no rent"))),
        "debt": ("money/month", lambda debt_before, bought: debt_before + in_unit(bought, "money/month")),
        "growth": ("money/month", lambda debt, debt_before: debt - debt_before),
    }
    engine = run(lines, debt={"opening": "first"})
    assert values(engine, "debt") == [why("no rent")] * 4
    assert values(engine, "growth") == [why("no rent")] * 4
    assert both_engines_agree(engine, tmp_path)


def test_a_reason_in_one_month_reaches_the_months_after_it(tmp_path: Path) -> None:
    lines: Lines = {
        "delivered": (
            "count",
            lambda bought: where(bought > 0, in_unit(bought, "count"), withheld("no delivery note")),
        ),
        "stock": ("count", lambda stock_before, delivered: stock_before + delivered),
    }
    engine = run(lines)
    assert values(engine, "stock") == [15, 30, why("no delivery note"), why("no delivery note")]
    assert both_engines_agree(engine, tmp_path)


def test_a_line_is_never_infinite() -> None:
    with np.errstate(over="ignore"), pytest.raises(ValueError, match="line 'a' is infinite"):
        engine_of(unitless(lambda people: people * 1e308 * 1e308))


def test_reasons_and_words_are_translated() -> None:
    words = {"withheld: ": "未知：", "no price": "没有价格", "at ": "价格 "}
    engine = engine_of(program(PRICES), translate=lambda text: words.get(text, text))
    assert values(engine, "in_words") == ["价格 2.0", "价格 未知：没有价格", "价格 未知：没有价格"]


# ---- a line is a plain function too


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        (lambda: where(1, 5, withheld("no price")), 5),
        (lambda: where(2 > 1, "day", "hour"), "day"),
        (lambda: or_else(5, withheld("no price")) * 2, 10),
        (lambda: or_else(None, 7), 7),
        (lambda: or_else(BLANK, 7), 7),
        (lambda: known(None) + known(BLANK) + known(0), 1),
        (lambda: total([1, 2, 3], over="month"), 6),
        (lambda: total([1, 2, 3], over="month", by=[1, 1, 2], equals=1), 3),
        (lambda: total([1, 2, 3], over="shop", by=["a", "B", "b"], equals="b"), 5),
        (lambda: most([1, 3, 2], over="month"), 3),
        (lambda: pick([10, 20, 30], 2, over="month"), 20),
        (lambda: position_of("B", ["a", "b"], over="shop"), 2),
        (lambda: position_of("c", ["a", "b"], over="shop"), 0),
        (lambda: position_of(1, [0.0, 1.0, 1.0], over="shop"), 2),
        (lambda: show(1234.5, 1), "1,234.5"),
        (lambda: join("a", "b"), "ab"),
        (lambda: in_unit(3, "apple"), 3),
        (lambda: stack("part", {"bought": 1, "sold": 2}), {"bought": 1, "sold": 2}),
    ],
)
def test_words_with_plain_numbers_give_plain_numbers(got: Callable[[], Any], wanted: Any) -> None:
    assert not isinstance(got(), Expr)
    assert got() == wanted


def test_a_withheld_figure_in_plain_numbers_is_its_reason() -> None:
    assert plain(where(0, 5, withheld("no price"))) == why("no price")
    assert plain(Const(3)) == 3
