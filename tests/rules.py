"""Small methods over four axes, run in both engines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from builders import Sheet, alike, array

from planner.calc.line import Method, Quantity
from planner.calc.numbers import Engine
from planner.calc.program import Program

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
    "wanted_order": Quantity("wanted_order", "count", ("month",)),
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
    "wanted_order": [2, 1, 3, 4],
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
