"""@line: a function whose name is the line and whose parameters are what it reads."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from planner.calc.expr import Const, Expr, Previous, Ref, reads, wrap, writing

BEFORE = "_before"


@dataclass(frozen=True)
class Line:
    """One computed quantity.

    `unit` is checked against the expression; `opening` is the value or name that stands before the first step along
    `along`; `headline` lines carry a workbook-scope name and are quoted by report and JSON; lines of a `part` belong to
    programs that have it.
    """

    name: str
    unit: str
    label: str
    source: str
    why: str
    expr: Expr
    plain: Callable[..., Any]
    opening: Expr = field(default_factory=lambda: Const(0))
    along: str = "month"
    headline: bool = False
    part: str = ""

    @cached_property
    def reads(self) -> frozenset[str]:
        """Names that the line reads."""
        return reads(self.expr)


@dataclass(frozen=True)
class Quantity:
    """Something a line may read that is not a line: an input, a reference column, a constant.

    `kind` is number or text; `optional` numbers may be blank and need known() or or_else() around them.
    """

    name: str
    unit: str
    axes: tuple[str, ...] = ()
    kind: str = "number"
    optional: bool = False
    label: str = ""


class Method:
    """The lines of a method, in the order they were written."""

    def __init__(self, along: str) -> None:
        self.along = along
        self.lines: dict[str, Line] = {}

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines.values())

    def line(
        self,
        *,
        unit: str,
        label: str,
        source: str,
        opening: Any = 0,
        along: str | None = None,
        headline: bool = False,
        part: str = "",
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a function as a line. Raises ValueError for a second definition or a missing docstring."""
        step = along or self.along

        def register(fn: Callable[..., Any]) -> Callable[..., Any]:
            name = fn.__name__
            if name in self.lines:
                raise ValueError(f"line {name!r} is defined twice")
            why = inspect.getdoc(fn)
            if not why:
                raise ValueError(f"line {name!r} has no docstring: say in one sentence why it exists")
            arguments = [self._argument(p, step) for p in inspect.signature(fn).parameters]
            start = Ref(opening) if isinstance(opening, str) and opening else wrap(opening)
            with writing(name):
                expr = wrap(fn(*arguments))
            self.lines[name] = Line(
                name, unit, label, source, " ".join(why.split()), expr, fn, start, step, headline, part
            )
            return fn

        return register

    @staticmethod
    def _argument(parameter: str, along: str) -> Expr:
        if parameter.endswith(BEFORE):
            return Previous(Ref(parameter.removesuffix(BEFORE)), along)
        return Ref(parameter)
