"""What is refused when a method is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules import Lines, engine_of, method, program, unitless

from planner.calc.expr import Aggregate, Const, Expr, Match, Rank, Ref, Running
from planner.calc.formulas import Printer
from planner.calc.guards import UnguardedBlank
from planner.calc.line import Method
from planner.calc.rewrite import renamed
from planner.calc.units import UnitMismatch
from planner.calc.vocabulary import (
    ceil,
    count_known,
    fixed,
    in_unit,
    join,
    known,
    largest,
    or_else,
    pick,
    reaches,
    running,
    same,
    total,
    where,
    withheld,
)
from planner.workbook.places import Home, Places

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


# ---- what the printer refuses: cells that do not stand the same way


@pytest.mark.parametrize(
    "expr",
    [
        Aggregate("sum", Ref("down") * Ref("aside"), "item"),
        Aggregate("sum", Ref("down"), "item", Ref("aside"), Const(1)),
        Match(Ref("down"), Ref("key"), "item", Ref("aside")),
        Rank(Ref("aside"), Ref("down"), "item"),
        Running(Ref("down"), "item", key=Ref("aside")),
    ],
)
def test_a_column_is_not_taken_with_a_row(expr: Expr) -> None:
    """SUMPRODUCT of a column and a row would be a square, and SUMIFS of the two an error in every cell."""
    places = Places({"item": 3})
    places.settle("down", Home("A", 1, 1, ("item",)))
    places.settle("level", Home("A", 1, 2, ("item",)))
    places.settle("aside", Home("A", 9, 1, (), "item"))
    places.settle("key", Home("A", 0, 0))
    printer = Printer(places, {"item": ["a", "b", "c"]}, lambda n: n == "key")
    with pytest.raises(ValueError, match="stand side by side"):
        printer.formula(expr, {"item": 0})
    assert printer.formula(renamed(expr, {"aside": "level"}), {"item": 0}).startswith("=")
