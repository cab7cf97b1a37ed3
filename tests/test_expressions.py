"""The expression layer with a small method of its own: a fruit wholesaler with two shops and four months."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import BLANK, Sheet, alike, array, plain

from planner.calc.expr import Const, Expr
from planner.calc.guards import UnguardedBlank
from planner.calc.line import Method, Quantity
from planner.calc.numbers import NOT_APPLICABLE, PART_UNKNOWN, Engine
from planner.calc.program import Program
from planner.calc.units import UnitMismatch
from planner.calc.vocabulary import (
    absolute,
    both,
    ceil,
    count_known,
    digits,
    fixed,
    in_unit,
    join,
    known,
    largest,
    least,
    most,
    or_else,
    pick,
    position_of,
    reaches,
    reason,
    running,
    same,
    say,
    show,
    smallest,
    stack,
    total,
    where,
    withheld,
)

AXES = ("part", "rule", "shop", "month")
LABELS = {
    "part": ["bought", "sold"],
    "rule": ["1", "2"],
    "shop": ["1", "2", "3"],
    "month": ["jan", "feb", "mar", "apr"],
}
QUANTITIES = {
    "demand": Quantity("demand", "apple/month", ("shop", "month")),
    "bought": Quantity("bought", "apple/month", ("month",)),
    "stock_at_start": Quantity("stock_at_start", "apple"),
    "shop_name": Quantity("shop_name", "text", ("shop",), "text"),
    "shop_number": Quantity("shop_number", "count", ("shop",)),
    "shop_region": Quantity("shop_region", "text", ("shop",), "text"),
    "region": Quantity("region", "text", (), "text"),
    "price": Quantity("price", "money/apple", ("shop",), optional=True),
    "rent": Quantity("rent", "money/month", optional=True),
    "people": Quantity("people", "person"),
    "quarter": Quantity("quarter", "count", ("month",)),
    "wanted_quarter": Quantity("wanted_quarter", "count", ("rule",)),
    "best": Quantity("best", "count"),
    "good_sales": Quantity("good_sales", "money/month"),
}
UNITLESS = {n: replace(q, unit="any") for n, q in QUANTITIES.items()}
VALUES: dict[str, Any] = {
    "demand": [[10, 20, 30, 40], [1, 2, 3, 4], [0, 0, 0, 0]],
    "bought": [15, 15, 0, 60],
    "stock_at_start": 5,
    "shop_name": ["North", "south*", ""],
    "shop_number": [1, 2, 3],
    "shop_region": ["Hill", "hill", ""],
    "region": "HILL",
    "price": [2, None, None],
    "rent": None,
    "people": 7,
    "quarter": [1, 1, 2, 2],
    "wanted_quarter": [1, 2],
    "best": 2,
    "good_sales": 50,
}
Lines = dict[str, tuple[str, Callable[..., Any]]]


def method(lines: Lines, **more: dict[str, Any]) -> Method:
    """Lines by name as (unit, function). `more` gives a line's further settings."""
    made = Method(along="month")
    for name, (unit, function) in lines.items():
        function.__name__, function.__doc__ = name, "Why it exists."
        made.line(unit=unit, label=name, source="shop.1", **more.get(name, {}))(function)
    return made


def program(lines: Lines, **more: dict[str, Any]) -> Program:
    return Program(method(lines, **more), QUANTITIES.values(), AXES, {"month": "month"})


def unitless(line: Callable[..., Any]) -> Program:
    """A program of one line, `a`, where every unit goes with every other."""
    return Program(method({"a": ("any", line)}), UNITLESS.values(), AXES)


def engine_of(program: Program, values: dict[str, Any] | None = None, translate: Callable[[str], str] = str) -> Engine:
    given = VALUES | (values or {})
    arrays = {n: array(" ".join(q.axes), given[n]) for n, q in QUANTITIES.items()}
    engine = Engine(program, LABELS, arrays, translate)
    engine.run()
    return engine


def run(lines: Lines, values: dict[str, Any] | None = None, **more: dict[str, Any]) -> Engine:
    return engine_of(program(lines, **more), values)


def values(engine: Engine, name: str) -> list[Any]:
    return list(engine.series(name))


def why(text: str) -> str:
    return f"withheld: {text}"


def both_engines_agree(engine: Engine, path: Path) -> bool:
    cells = Sheet(engine).recalculated(path / "shop.xlsx")
    differences = {place: pair for place, pair in cells.items() if not alike(*pair)}
    assert differences == {}
    return bool(cells)


# ---- what is refused when the method is written


@pytest.mark.parametrize(
    "line",
    [
        lambda demand: demand if demand > 0 else 0,
        lambda demand, bought: demand > 0 and bought > 0,
        lambda demand, bought: demand > 0 or bought > 0,
        lambda demand: where(not demand, 1, 0),
        lambda demand: max(demand, 0),
        lambda demand: 0 < demand < 5,
    ],
    ids=["if", "and", "or", "not", "max", "chain"],
)
def test_branching_in_python_is_refused_and_names_the_word(line: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"where\(\)"):
        method({"a": ("apple/month", line)})


@pytest.mark.parametrize("line", [lambda best: best == 2, lambda best: where(best != 2, best, 0)], ids=["==", "!="])
def test_comparing_in_python_is_refused_and_names_the_word(line: Callable[..., Any]) -> None:
    """Python answers == on expressions at once, with False: the line would be a constant."""
    with pytest.raises(TypeError, match=r"same\(\)"):
        method({"a": ("count", line)})


def test_a_line_defined_twice_is_refused() -> None:
    made = method({"a": ("person", lambda people: people)})
    with pytest.raises(ValueError, match=r"line 'a' is defined twice"):
        made.line(unit="person", label="a", source="shop.1")(made.lines["a"].plain)


def test_a_line_without_a_reason_is_refused() -> None:
    def staff(people: Any) -> Any:
        return people

    with pytest.raises(ValueError, match=r"line 'staff' has no docstring"):
        Method(along="month").line(unit="person", label="Staff", source="shop.1")(staff)


def test_the_docstring_is_the_note_in_one_line() -> None:
    def staff(people: Any) -> Any:
        """People who
        sell apples."""
        return people

    made = Method(along="month")
    assert made.line(unit="person", label="Staff", source="shop.1")(staff) is staff
    assert (made.lines["staff"].why, made.lines["staff"].reads) == ("People who sell apples.", {"people"})


@pytest.mark.parametrize(
    ("lines", "more", "message"),
    [
        ({"a": ("person", lambda pepole: pepole)}, {}, r"'a' reads what nobody defines: \['pepole'\]"),
        ({"a": ("apple", lambda a_before: a_before)}, {"a": {"opening": "stok"}}, r"nobody defines: \['stok'\]"),
        ({"people": ("person", lambda best: best)}, {}, r"both a line and an input: \['people'\]"),
        (
            {"a": ("person", lambda b, people: b + people), "b": ("person", lambda a: a)},
            {},
            r"read each other within one step: \['a', 'b'\]",
        ),
        ({"a": ("person", lambda a: a)}, {}, r"read each other within one step: \['a'\]"),
        (
            {"a": ("person", lambda b_before: b_before), "b": ("person", lambda a_before: a_before)},
            {"a": {"along": "shop"}},
            r"step along different axes",
        ),
        ({"a": ("person", lambda people_before: people_before)}, {}, r"people"),
    ],
    ids=["unknown name", "unknown opening", "line and input", "cycle", "itself", "two ways to step", "input before"],
)
def test_what_a_program_refuses(lines: Lines, more: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        program(lines, **more)


@pytest.mark.parametrize(
    ("unit", "line", "message"),
    [
        ("apple", lambda people: people * 2, r"line 'a' says 'apple'"),
        ("apple", lambda demand: demand, r"line 'a' says 'apple'"),
        ("apple", lambda stock_at_start, people: stock_at_start + people, r"line 'a': add mixes apple and person"),
        ("apple", lambda stock_at_start, people: stock_at_start - people, r"line 'a': sub mixes"),
        ("apple", lambda stock_at_start: stock_at_start + 1, r"line 'a': add mixes a pure number and apple"),
        ("flag", lambda stock_at_start, people: stock_at_start > people, r"line 'a': gt mixes"),
        ("flag", lambda stock_at_start, people: reaches(stock_at_start, people), r"line 'a': reaches mixes"),
        ("apple", lambda stock_at_start, people: largest(stock_at_start, people), r"line 'a': largest mixes"),
        ("apple", lambda best, stock_at_start, people: where(best > 1, stock_at_start, people), r"branches of where"),
        ("flag", lambda region, best: same(region, best), r"line 'a': same mixes"),
        ("apple/month", lambda demand: total(demand, over="month"), r"line 'a' says 'apple/month'"),
        ("apple", lambda demand: total(demand, over="shop"), r"line 'a' says 'apple'"),
        ("apple/month", lambda demand, stock_at_start: pick(demand, stock_at_start, over="month"), r"a position mixes"),
        ("apple/month", lambda demand, quarter, region: total(demand, over="month", by=quarter, equals=region), r"key"),
    ],
)  # fmt: skip
def test_units_are_checked(unit: str, line: Callable[..., Any], message: str) -> None:
    with pytest.raises(UnitMismatch, match=message):
        program({"a": (unit, line)})


@pytest.mark.parametrize(
    ("unit", "line"),
    [
        ("apple", lambda demand: total(demand, over="month")),
        ("apple/month", lambda demand: total(demand, over="shop")),
        ("apple", lambda demand: running(demand)),
        ("money/month", lambda demand, price: demand * or_else(price, 0)),
        ("apple/month/person", lambda demand, people: demand / people),
        ("share", lambda demand, bought: demand / bought),
        ("count", lambda demand: count_known(demand, over="month")),
        ("apple", lambda stock_at_start: largest(0, ceil(stock_at_start))),
        ("person", lambda stock_at_start: in_unit(stock_at_start, "person")),
        ("apple", lambda stock_at_start: where(stock_at_start > 0, stock_at_start, withheld("sold out"))),
        ("text", lambda region: join("in ", region)),
    ],
)
def test_units_that_go_together(unit: str, line: Callable[..., Any]) -> None:
    assert program({"a": (unit, line)}).unit("a") == unit


def test_all_wrong_units_are_reported_at_once() -> None:
    with pytest.raises(UnitMismatch, match=r"line 'a' .*line 'b' "):
        program({"a": ("apple", lambda people: people), "b": ("person", lambda stock_at_start: stock_at_start)})


def test_an_opening_has_the_unit_of_its_line() -> None:
    with pytest.raises(UnitMismatch, match="line 'a'"):
        program({"a": ("person", lambda a_before: a_before)}, a={"opening": "stock_at_start"})


@pytest.mark.parametrize(
    "line",
    [
        lambda rent: rent * 2,
        lambda rent, best: where(best > 1, rent * 2, 0),
        lambda rent: largest(rent, 0),
        lambda rent: where(rent > 0, rent, 0),
        lambda rent, best: where(known(best), rent * 2, 0),
        lambda price: pick(price, 1, over="shop") * 1,
        lambda rent: fixed(rent, 2),
        lambda rent, best: or_else(best, rent * 2),
        lambda rent: rent,
        lambda rent, best: where(best > 1, rent, 0),
        lambda price, best: pick(price, best, over="shop"),
    ],
    ids=[
        "times", "in a branch", "largest", "in a condition", "another is known", "picked", "in words", "as a default",
        "handed on bare", "handed on bare in a branch", "picked bare",
    ],
)  # fmt: skip
def test_an_input_that_may_be_blank_is_never_read_bare(line: Callable[..., Any]) -> None:
    """In a cell a blank reads as 0, in the numeric engine as no number; known() and or_else() mean the same in both."""
    with pytest.raises(UnguardedBlank, match=r"(rent|price) may be blank: read .* with known\(\) or or_else\(\)"):
        unitless(line)


def test_a_reason_inside_arithmetic_wants_a_line_of_its_own() -> None:
    with pytest.raises(UnguardedBlank, match="give it a line of its own"):
        program({"a": ("apple", lambda best, stock_at_start: stock_at_start + where(best > 1, 1, withheld("why")))})


@pytest.mark.parametrize(
    "line",
    [
        lambda demand, quarter: total(demand, over="month", by=quarter + 0, equals=1),
        lambda demand, quarter: total(demand, over="month", by=quarter),
    ],
    ids=["by an expression", "equal to nothing"],
)
def test_a_key_that_cannot_be_compared_is_refused_not_dropped(line: Callable[..., Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=r"total|key|equals"):
        engine_of(unitless(line))


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


# ---- what cannot be known

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
        ("year", [200, why(PART_UNKNOWN), why(PART_UNKNOWN)]),
        ("all_sales", [why(PART_UNKNOWN)] * 4),
        ("so_far", [20, 60, 120, 200] + [why(PART_UNKNOWN)] * 8),
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
