"""Units as products of base units with exponents, so that a line's declared unit can be checked against its expression.

A unit reads like `token/month` or `money/GPU/h`; every name in `PURE` is a number without dimension (the name then only
says how the number is shown). A total over an axis that units know (a month) multiplies by that unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

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
)
from planner.calc.functions import FUNCTIONS

PURE = frozenset({"", "1", "share", "factor", "count", "flag", "level", "index", "parts", "digits"})
TEXT = frozenset({"text", "choice", "sentence"})
Dimension = frozenset[tuple[str, int]]
NONE: Dimension = frozenset()
ANY: Dimension = frozenset({("any", 1)})
WORDS: Dimension = frozenset({("text", 1)})


class UnitMismatch(ValueError):
    """A line's declared unit and its expression disagree."""


def dimension(unit: str) -> Dimension:
    """`token/month` as {token: 1, month: -1}."""
    if unit in TEXT:
        return WORDS
    count: Counter[str] = Counter()
    for i, part in enumerate(unit.split("/")):
        for name in part.split("*"):
            if name not in PURE:
                count[name] += 1 if i == 0 else -1
    return frozenset((n, e) for n, e in count.items() if e)


def _times(a: Dimension, b: Dimension, sign: int = 1) -> Dimension:
    if ANY in (a, b):
        return ANY
    count = Counter(dict(a))
    for name, exponent in b:
        count[name] += sign * exponent
    return frozenset((n, e) for n, e in count.items() if e)


def _one(parts: list[Dimension], what: str) -> Dimension:
    found = {p for p in parts if p != ANY}
    if len(found) > 1:
        raise UnitMismatch(f"{what} mixes {' and '.join(sorted(map(_spell, found)))}")
    return found.pop() if found else ANY


def _spell(d: Dimension) -> str:
    return "*".join(f"{n}^{e}" if e != 1 else n for n, e in sorted(d)) or "a pure number"


class Units:
    """Derives the dimension of expressions. `units` gives a name's unit; `axis_units` the unit that an axis carries."""

    def __init__(self, units: Callable[[str], str], axis_units: Mapping[str, str]) -> None:
        self.units, self.axis_units = units, axis_units

    def of(self, expr: Expr) -> Dimension:
        """The dimension of an expression; raises UnitMismatch where terms do not go together."""
        match expr:
            case Const(value):
                return WORDS if isinstance(value, str) else (ANY if value == 0 else NONE)
            case Say():
                return WORDS
            case Withheld():
                return ANY
            case Ref(name):
                return dimension(self.units(name))
            case InUnit(_, unit):
                return dimension(unit)
            case Previous(ref, _) | Running(ref, _):
                inner = self.of(ref)
                return self._summed(inner, expr.along) if isinstance(expr, Running) else inner
            case Aggregate(how, arg, over, key, equals, _):
                if key is not None and equals is not None:
                    _one([self.of(key), self.of(equals)], "the key of a total")
                inner = self.of(arg)
                return self._summed(inner, over) if how == "sum" else NONE if how == "count" else inner
            case Pick(values, position, _):
                _one([self.of(position), NONE], "a position")
                return self.of(values)
            case Match(keys, key, _, _):
                _one([self.of(keys), self.of(key)], "a key and its list")
                return NONE
            case Rank():
                return NONE
            case Stack():
                return ANY
            case Call(fn, args):
                return self._call(fn, [self.of(a) for a in args])
        raise TypeError(expr)

    def _summed(self, inner: Dimension, axis: str) -> Dimension:
        # Only a rate per that axis becomes a sum: people times months is not what a total of people over models means.
        name = self.axis_units.get(axis)
        return _times(inner, frozenset({(name, 1)})) if name and (name, -1) in inner else inner

    def _call(self, fn: str, parts: list[Dimension]) -> Dimension:
        match FUNCTIONS[fn].unit:
            case "same":
                return _one(parts, fn)
            case "product":
                return _times(parts[0], parts[1])
            case "quotient":
                return _times(parts[0], parts[1], -1)
            case "ratio":
                return _one([_times(parts[0], parts[1], -1), parts[2]], "ratio")
            case "compare":
                _one(parts, fn)
                return NONE
            case "where":
                return _one(parts[1:], "the branches of where")
            case "round" | "first":
                return parts[0]
            case "pure":
                _one([*parts, NONE], fn)
                return NONE
            case "flag":
                return NONE
            case "text":
                return WORDS
        return ANY
