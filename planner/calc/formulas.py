"""The formula engine: an expression as the text of a cell. It asks `Addresses` where things stand and knows no tab."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from planner.calc.expr import (
    Aggregate,
    Call,
    Const,
    Expr,
    InUnit,
    Match,
    Pick,
    Previous,
    Rank,
    Ref,
    Running,
    Say,
    Stack,
    Withheld,
    walk,
)
from planner.calc.functions import FUNCTIONS
from planner.calc.numbers import LOOK_AT, NOT_APPLICABLE, NOTHING_KNOWN, PART_UNKNOWN

Coord = Mapping[str, int]
ATOM = 9


class Addresses(Protocol):
    """Where a name stands. Coordinates are positions along axes, counted from 0."""

    def cell(self, name: str, coord: Coord) -> str:
        """The cell of one coordinate."""
        ...

    def run(self, name: str, coord: Coord, over: str) -> str:
        """The cells along one axis, the other axes staying at `coord`."""
        ...

    def scattered(self, name: str, coord: Coord, over: str) -> list[str]:
        """The cells along one axis one by one, where they are no block; none where they are."""
        ...

    def up_to(self, name: str, coord: Coord, along: str) -> str:
        """The cells from the first along an axis to the one at `coord`."""
        ...

    def before(self, name: str, coord: Coord, along: str) -> str:
        """The cell one step earlier along an axis, the opening cell before the first."""
        ...

    def varies(self, name: str, axis: str) -> bool:
        """Whether a name has an axis."""
        ...

    def across(self, name: str, axis: str) -> bool:
        """Whether the cells along an axis stand side by side rather than one below the other."""
        ...


class Printer:
    """Prints expressions as formulas. `labels` gives each axis its keys, `is_text` says which names hold text, `called`
    what people call a line (empty where nothing has that name).
    """

    def __init__(
        self,
        addresses: Addresses,
        labels: Mapping[str, list[str]],
        is_text: Callable[[str], bool],
        translate: Callable[[str], str] = str,
        called: Callable[[str], str] = lambda _: "",
    ) -> None:
        self.at, self.labels, self.is_text, self.translate, self.called = addresses, labels, is_text, translate, called

    def formula(self, expr: Expr, coord: Coord) -> str:
        """The cell text, `=` included."""
        return "=" + self._print(expr, coord)[0]

    def _quoted(self, text: str) -> str:
        return '"' + text.replace('"', '""') + '"'

    def _withheld(self, reason: str) -> str:
        words = self.translate("withheld: ") + self.translate(reason) if reason else NOT_APPLICABLE
        return self._quoted(words)

    def _part_unknown(self, name: str) -> str:
        label = self.called(name)
        look = self.translate(LOOK_AT) + self.translate(label) if label else ""
        return self._quoted(self.translate("withheld: ") + self.translate(PART_UNKNOWN) + look)

    def _print(self, expr: Expr, coord: Coord) -> tuple[str, int]:
        """The text and its binding strength."""
        match expr:
            case Const(str(text)):
                return self._quoted(text), ATOM
            case Const(value):
                return (repr(int(value)) if value == int(value) else repr(value)), ATOM
            case Say(text):
                return self._quoted(self.translate(text)), ATOM
            case Withheld(reason):
                return self._withheld(reason), ATOM
            case Ref(name):
                return self.at.cell(name, coord), ATOM
            case InUnit(arg, _):
                return self._print(arg, coord)
            case Previous(ref, along):
                return self.at.before(ref.name, coord, along), ATOM
            case Running(arg, along, strict, key):
                self._one_way(along, arg, key)
                cells = self.at.up_to(arg.name, coord, along)
                got = f"SUM({cells})"
                if key is not None:
                    keys, mine = self.at.up_to(key.name, coord, along), self.at.cell(key.name, coord)
                    got = f"SUMPRODUCT(({keys}={mine})*{cells})"
                return self._whole(cells, got, arg.name) if strict else got, ATOM
            case Rank(values, numbers, over):
                self._one_way(over, values, numbers)
                every, mine = self.at.run(values.name, coord, over), self.at.cell(values.name, coord)
                order, own = self.at.run(numbers.name, coord, over), self.at.cell(numbers.name, coord)
                level = FUNCTIONS["add"].level
                return f"1+SUMPRODUCT(--({every}<{mine}))+SUMPRODUCT(({every}={mine})*({order}<{own}))", level
            case Pick(values, position, over):
                if apart := self.at.scattered(values.name, coord, over):
                    return f"CHOOSE({self._print(position, coord)[0]},{','.join(apart)})", ATOM
                return f"INDEX({self.at.run(values.name, coord, over)},{self._print(position, coord)[0]})", ATOM
            case Match(keys, key, over, numbers):
                return self._match(keys, key, over, numbers, coord), ATOM
            case Stack(axis, entries):
                return self._print(dict(entries)[self.labels[axis][coord[axis]]], coord)
            case Aggregate():
                return self._aggregate(expr, coord), ATOM
            case Call(fn, args):
                return self._call(fn, args, lambda e: self._print(e, coord))
        raise TypeError(expr)

    def _call(self, fn: str, args: tuple[Expr, ...], inner: Callable[[Expr], tuple[str, int]]) -> tuple[str, int]:
        function = FUNCTIONS[fn]
        parts = []
        for i, arg in enumerate(args):
            text, level = inner(arg)
            inside = function.inside or (function.level if function.level < ATOM else 0)
            # An equal level on the right keeps its brackets, so that both engines add in the same order.
            parts.append(f"({text})" if level < inside or (level == inside and i > 0) else text)
        if "{*}" in function.excel:
            return function.excel.replace("{*}", ",".join(parts)), function.level
        if function.excel == "{&}":
            return "&".join(parts), function.level
        return function.excel.format(*parts), function.level

    def _match(self, keys: Ref, key: Expr, over: str, numbers: Ref | None, coord: Coord) -> str:
        wanted = self._print(key, coord)[0]
        listed = self.at.run(keys.name, coord, over)
        if numbers is None:
            return f"IFERROR(MATCH({wanted},{listed},0),0)"
        self._one_way(over, keys, numbers)
        return f"IF(LEN({wanted})>0,SUMPRODUCT(({listed}={wanted})*{self.at.run(numbers.name, coord, over)}),0)"

    def _aggregate(self, expr: Aggregate, coord: Coord) -> str:
        if not isinstance(expr.arg, Ref):
            return self._sumproduct(expr, coord)
        apart = self.at.scattered(expr.arg.name, coord, expr.over)
        if apart and expr.key is None:
            together = f"{expr.how.upper()}({','.join(apart)})"
            if not expr.strict:
                return together
            if expr.how != "sum":
                raise ValueError("the largest of scattered cells that may be unknown has no formula")
            whole = "+".join(f"ROWS({cell})" for cell in apart)
            return f"IF(COUNT({','.join(apart)})<{whole},{self._part_unknown(expr.arg.name)},{together})"
        cells = self.at.run(expr.arg.name, coord, expr.over)
        if expr.how == "count":
            return f"COUNT({cells})"
        if expr.how in ("max", "min"):
            best = f"{expr.how.upper()}({cells})"
            return f"IF(COUNT({cells})=0,{self._withheld(NOTHING_KNOWN)},{best})" if expr.strict else best
        if expr.key is None or expr.equals is None:
            got = f"SUM({cells})"
        else:
            self._one_way(expr.over, expr.arg, expr.key)
            keys = self.at.run(expr.key.name, coord, expr.over)
            this = self._print(expr.equals, coord)[0]
            if self.is_text(expr.key.name):
                got = f"SUMPRODUCT(({keys}={this})*{cells})"
            else:
                got = f"SUMIFS({cells},{keys},{this})"
        if expr.strict:
            return self._whole(cells, got, expr.arg.name)
        return got

    def _one_way(self, over: str, *refs: Ref | None) -> None:
        """A column times a row would be a square: cells that are taken together along an axis stand the same way."""
        ways = {r.name: self.at.across(r.name, over) for r in refs if r is not None}
        if len(set(ways.values())) > 1:
            side = [n for n, across in ways.items() if across]
            raise ValueError(f"along {over!r} {side} stand side by side, {sorted(ways.keys() - set(side))} do not")

    def _whole(self, cells: str, got: str, name: str) -> str:
        """A sum only where every part is a number."""
        return f"IF(COUNT({cells})<ROWS({cells})*COLUMNS({cells}),{self._part_unknown(name)},{got})"

    def _sumproduct(self, expr: Aggregate, coord: Coord) -> str:
        if expr.how != "sum" or expr.key is not None or expr.strict:
            raise ValueError("only a plain sum may have an expression inside; give it a line of its own")
        parts = [p for p in walk(expr.arg) if isinstance(p, Ref) and self.at.varies(p.name, expr.over)]
        self._one_way(expr.over, *parts)
        for part in walk(expr.arg):
            allowed = isinstance(part, Ref | Const | InUnit) or (
                isinstance(part, Call) and part.fn in ("mul", "add", "sub", "ge", "gt", "le", "lt", "same")
            )
            if not allowed:
                raise ValueError(f"{part} may not stand inside a total: give it a line of its own")

        def inner(e: Expr) -> tuple[str, int]:
            if isinstance(e, Ref) and self.at.varies(e.name, expr.over):
                return self.at.run(e.name, coord, expr.over), ATOM
            if isinstance(e, InUnit):
                return inner(e.arg)
            if isinstance(e, Call):
                return self._call(e.fn, e.args, inner)
            return self._print(e, coord)

        text, level = inner(expr.arg)
        return f"SUMPRODUCT(--({text}))" if level == 1 else f"SUMPRODUCT({text})"
