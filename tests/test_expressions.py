"""Totals, axes and the month before, in both engines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import Sheet, alike
from rules import Lines, both_engines_agree, engine_of, program, run, unitless, values

from planner.calc.expr import reads
from planner.calc.line import Line
from planner.calc.rewrite import renamed
from planner.calc.vocabulary import (
    absolute,
    both,
    ceil,
    count_known,
    digits,
    fixed,
    in_unit,
    join,
    least,
    most,
    pick,
    position_of,
    rank,
    running,
    say,
    smallest,
    stack,
    total,
    where,
)
from planner.lines import METHOD

# ---- totals, axes, positions


@pytest.mark.parametrize(
    ("line", "axes", "wanted"),
    [
        # totals: plain, by key (numbers, texts whatever their case), over an expression
        (lambda demand: total(demand, over="month"), "shop", [100, 10, 0]),
        (lambda demand: total(demand, over="shop"), "month", [11, 22, 33, 44]),
        (lambda demand, quarter: total(demand, over="month", by=quarter, equals=2), "shop", [70, 7, 0]),
        (
            lambda demand, quarter, wanted_quarter: total(demand, over="month", by=quarter, equals=wanted_quarter),
            "rule shop", [30, 3, 0, 70, 7, 0],
        ),
        (
            lambda shop_number, shop_region, region: total(shop_number, over="shop", by=shop_region, equals=region),
            "", [3],
        ),
        (
            lambda shop_number, shop_region: total(shop_number, over="shop", by=shop_region, equals=shop_region),
            "shop", [3, 3, 3],
        ),
        (lambda demand, bought: total(demand * bought, over="month"), "shop", [150 + 300 + 2400, 15 + 30 + 240, 0]),
        (lambda demand: total((demand > 2) * 1, over="shop"), "month", [1, 1, 2, 2]),
        (lambda demand, bought: total((demand >= bought) * (bought - 5), over="month"), "shop", [10 - 5, -5, -5]),
        (lambda demand: most(demand, over="month"), "shop", [40, 4, 0]),
        (lambda demand: least(demand, over="shop"), "month", [0, 0, 0, 0]),
        (lambda demand: count_known(demand, over="shop"), "month", [3, 3, 3, 3]),
        (lambda price: count_known(price, over="shop"), "", [1]),
        (lambda price: most(price, over="shop"), "", [2]),
        # axes by union
        (lambda people, best: people * best, "", [14]),
        (lambda bought, shop_number: bought * shop_number, "shop month",
         [15, 15, 0, 60, 30, 30, 0, 120, 45, 45, 0, 180]),
        (lambda wanted_quarter, shop_number: wanted_quarter * shop_number, "rule shop", [1, 2, 3, 2, 4, 6]),
        # running, pick, position_of, stack
        (lambda bought: running(bought), "month", [15, 30, 30, 90]),
        (lambda demand: running(demand, along="shop"), "shop month", [10, 20, 30, 40, 11, 22, 33, 44, 11, 22, 33, 44]),
        (
            lambda shop_number, shop_region: running(shop_number, along="shop", by=shop_region),
            "shop", [1, 3, 3],
        ),
        (lambda shop_number: rank(shop_number, shop_number, over="shop"), "shop", [1, 2, 3]),
        (lambda bought, wanted_order: rank(bought, wanted_order, over="month"), "month", [3, 2, 1, 4]),
        (lambda bought, best: pick(bought, best, over="month"), "", [15]),
        (lambda bought, shop_number: pick(bought, shop_number, over="month"), "shop", [15, 15, 0]),
        (lambda demand, quarter: pick(demand, quarter, over="shop"), "month", [10, 20, 3, 4]),
        (lambda bought: position_of(60, bought, over="month"), "", [4]),
        (lambda bought: position_of(15, bought, over="month"), "", [1]),
        (lambda bought: position_of(61, bought, over="month"), "", [0]),
        (lambda region, shop_region: position_of(region, shop_region, over="shop"), "", [1]),
        (lambda shop_name: position_of("nobody", shop_name, over="shop"), "", [0]),
        (lambda shop_name, shop_number: position_of("SOUTH*", shop_name, over="shop", numbers=shop_number), "", [2]),
        (lambda shop_name, shop_number: position_of("sout*", shop_name, over="shop", numbers=shop_number), "", [0]),
        (lambda shop_name, shop_number: position_of("", shop_name, over="shop", numbers=shop_number), "", [0]),
        (lambda shop_number: position_of(shop_number, shop_number, over="shop"), "shop", [1, 2, 3]),
        (lambda bought, best: stack("part", {"bought": bought, "sold": best}), "part month",
         [15, 15, 0, 60, 2, 2, 2, 2]),
        # a flag is 1 or 0 in a cell of its own
        (lambda bought: bought > 10, "month", [1, 1, 0, 1]),
        (lambda bought, best: both(bought > 10, best > 5), "month", [0, 0, 0, 0]),
        (lambda bought: absolute(bought - 20), "month", [5, 5, 20, 40]),
        # order of reckoning
        (lambda bought, best: 100 - (bought - best) - bought / (best * 5), "month", [85.5, 85.5, 102, 36]),
        (lambda bought, best: (bought + 1) * best - 2 * (best - bought) / (best / 4), "month", [84, 84, -6, 354]),
        # words
        (lambda shop_region: shop_region, "shop", ["Hill", "hill", ""]),
        (lambda shop_name, shop_number: join("#", digits(shop_number), " ", shop_name), "shop",
         ["#1 North", "#2 south*", "#3 "]),
        (lambda bought: fixed(bought / 7, 2), "month", ["2.14", "2.14", "0.00", "8.57"]),
        (lambda bought: where(bought > 0, join(fixed(bought, 0), " apples"), say("none")), "month",
         ["15 apples", "15 apples", "none", "60 apples"]),
    ],
)  # fmt: skip
def test_what_the_words_give_in_both_engines(
    line: Callable[..., Any], axes: str, wanted: list[Any], tmp_path: Path
) -> None:
    engine = engine_of(unitless(line))
    assert " ".join(engine.program.axes["a"]) == axes
    assert all(alike(*pair) for pair in zip(values(engine, "a"), wanted, strict=True))
    assert both_engines_agree(engine, tmp_path)


def test_an_axis_on_an_input_reaches_everything_downstream() -> None:
    left = ("apple/month", lambda bought, sold: bought - sold)
    for sold, axes in ((lambda bought: bought / 2, ("month",)), (lambda demand: demand * 1, ("shop", "month"))):
        assert program({"left": left, "sold": ("apple/month", sold)}).axes["left"] == axes


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (lambda bought: total(bought * 1, over="shop"), "does not vary along it"),
        (lambda best: stack("part", {"bought": best, "gone": best}), "axis part has"),
    ],
)
def test_what_an_axis_does_not_have(line: Callable[..., Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        engine_of(unitless(line))


@pytest.mark.parametrize(
    "line",
    [
        lambda demand: total(where(demand > 2, demand, 0), over="month"),
        lambda demand: total(ceil(demand), over="month"),
        lambda demand: most(demand * 2, over="month"),
    ],
    ids=["where", "ceil", "most of an expression"],
)
def test_a_total_over_more_than_a_product_wants_a_line_of_its_own(line: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="give it a line of its own"):
        Sheet(engine_of(unitless(line))).recalculated(tmp_path / "x.xlsx")


# ---- the month before

STOCK: Lines = {
    "sold": ("apple/month", lambda all_demand, in_shop: smallest(all_demand, in_unit(in_shop, "apple/month"))),
    "in_shop": ("apple", lambda stock_before, bought: stock_before + in_unit(bought, "apple")),
    "stock": ("apple", lambda in_shop, sold: in_shop - in_unit(sold, "apple")),
    "all_demand": ("apple/month", lambda demand: total(demand, over="shop")),
}


def test_a_group_steps_month_by_month_from_its_opening(tmp_path: Path) -> None:
    """Stock of the month before and this month's purchase limit what is sold; the rest is next month's stock."""
    engine = run(STOCK, stock={"opening": "stock_at_start"})
    assert values(engine, "in_shop") == [20, 24, 2, 60]
    assert values(engine, "sold") == [11, 22, 2, 44]
    assert values(engine, "stock") == [9, 2, 0, 16]
    assert {s.names for s in engine.program.steps} == {("all_demand",), ("in_shop", "sold", "stock")}
    assert both_engines_agree(engine, tmp_path)


@pytest.mark.parametrize(
    ("opening", "wanted"), [(0, [0, 15, 30, 30]), (8, [8, 23, 38, 38]), ("stock_at_start", [5, 20, 35, 35])]
)
def test_what_stands_before_the_first_month(opening: Any, wanted: list[float], tmp_path: Path) -> None:
    lines: Lines = {
        "ever": ("apple", lambda ever_before, bought: ever_before + in_unit(bought, "apple")),
        "until": ("apple", lambda ever_before: ever_before),
    }
    engine = run(lines, ever={"opening": opening})
    assert values(engine, "until") == wanted
    assert both_engines_agree(engine, tmp_path)


def test_two_lines_that_read_each_others_month_before(tmp_path: Path) -> None:
    lines: Lines = {
        "young": ("count", lambda old_before: old_before),
        "old": ("count", lambda young_before, old_before: young_before + old_before),
    }
    engine = run(lines, young={"opening": 1}, old={"opening": 1})
    assert (values(engine, "young"), values(engine, "old")) == ([1, 2, 3, 5], [2, 3, 5, 8])
    assert both_engines_agree(engine, tmp_path)


def test_stepping_along_another_axis_takes_the_other_axes_with_it(tmp_path: Path) -> None:
    lines: Lines = {"left": ("apple/month", lambda left_before, demand: left_before - demand)}
    engine = run(lines, left={"opening": "bought", "along": "shop"})
    assert values(engine, "left") == [5, -5, -30, 20, 4, -7, -33, 16, 4, -7, -33, 16]
    assert both_engines_agree(engine, tmp_path)


def test_words_can_be_strung_together_step_by_step(tmp_path: Path) -> None:
    lines: Lines = {"names": ("text", lambda names_before, shop_name: join(names_before, shop_name, "."))}
    engine = run(lines, names={"opening": "", "along": "shop"})
    assert values(engine, "names") == ["North.", "North.south*.", "North.south*.."]
    assert both_engines_agree(engine, tmp_path)


def test_a_sum_so_far_inside_a_step(tmp_path: Path) -> None:
    engine = engine_of(unitless(lambda a_before, bought: a_before + running(bought)))
    assert values(engine, "a") == [15, 45, 75, 165]
    assert both_engines_agree(engine, tmp_path)


@pytest.mark.parametrize("line", list(METHOD), ids=lambda line: line.name)
def test_a_tree_made_anew_is_the_same_tree(line: Line) -> None:
    """Every kind of node keeps all of its parts when its names are changed and changed back."""
    there = renamed(line.expr, {n: f"{n}_elsewhere" for n in line.reads})
    assert reads(there) == {f"{n}_elsewhere" for n in line.reads}
    assert renamed(there, {f"{n}_elsewhere": n for n in line.reads}) == line.expr
