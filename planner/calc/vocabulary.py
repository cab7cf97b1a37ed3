"""The words that lines are written in. Each takes expressions and gives a tree, or plain numbers and gives a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from planner.calc.expr import (
    Aggregate,
    Call,
    Const,
    Expr,
    InUnit,
    Match,
    Pick,
    Rank,
    Ref,
    Running,
    Say,
    Stack,
    Withheld,
    wrap,
)
from planner.calc.functions import FUNCTIONS

DOUBLE_DIGITS = 12  # of the fifteen that a double holds, those that survive a chain of sums


def _call(name: str, *args: Any) -> Any:
    if any(isinstance(a, Expr) for a in args):
        return Call(name, tuple(wrap(a) for a in args))
    return FUNCTIONS[name].numbers(*args)


def ratio(a: Any, b: Any, if_zero: Any = 0) -> Any:
    """a / b, and `if_zero` where b is zero."""
    return _call("ratio", a, b, if_zero)


def reaches(a: Any, b: Any) -> Any:
    """a >= b, where a difference below 1e-9 counts as equal."""
    return _call("reaches", a, b)


def same(a: Any, b: Any) -> Any:
    """Equal texts (whatever their case) or equal whole numbers; never for measured floats."""
    return _call("same", a, b)


def both(*flags: Any) -> Any:
    """All of the flags."""
    return _call("both", *flags)


def either(*flags: Any) -> Any:
    """Any of the flags."""
    return _call("either", *flags)


def opposite(flag: Any) -> Any:
    """The flag turned round."""
    return _call("opposite", flag)


def where(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, else `no`."""
    if not isinstance(condition, Expr) and not isinstance(condition, np.ndarray):
        return yes if condition else no
    return _call("where", condition, yes, no)


def largest(*values: Any) -> Any:
    """The largest of a few quantities."""
    return _call("largest", *values)


def smallest(*values: Any) -> Any:
    """The smallest of a few quantities."""
    return _call("smallest", *values)


def ceil(x: Any) -> Any:
    """Up to a whole number, ignoring dust below 1e-9."""
    return _call("ceil", x)


def floor(x: Any) -> Any:
    """Down to a whole number, ignoring dust below 1e-9."""
    return _call("floor", x)


def whole(x: Any) -> Any:
    """The whole part of a quotient of whole numbers."""
    return _call("whole", x)


def rounded(x: Any, digits: int) -> Any:
    """Half away from zero."""
    return _call("rounded", x, digits)


def apart(a: Any, b: Any) -> Any:
    """a - b, and nothing where only the last digits of a double differ: programs settle those in different ways."""
    return where(absolute(rounded(ratio(a - b, a, 1), DOUBLE_DIGITS)) > 0, a - b, 0)


def remainder(x: Any, by: Any) -> Any:
    """What a division leaves."""
    return _call("remainder", x, by)


def absolute(x: Any) -> Any:
    """Without its sign."""
    return _call("absolute", x)


def exp(x: Any) -> Any:
    """e to the power of x."""
    return _call("exp", x)


def log(x: Any) -> Any:
    """Natural logarithm; x must be above zero."""
    return _call("log", x)


def binomial_up_to(failed: Any, trials: Any, chance: Any) -> Any:
    """Probability that at most `failed` of `trials` fail, each with `chance`."""
    return _call("binomial_up_to", failed, trials, chance)


def poisson_at(count: Any, mean: Any) -> Any:
    """Probability of exactly `count` events where `mean` are expected; the mean must be above zero."""
    return _call("poisson_at", count, mean)


def poisson_up_to(count: Any, mean: Any) -> Any:
    """Probability of at most `count` events where `mean` are expected; the mean must be above zero."""
    return _call("poisson_up_to", count, mean)


def known(x: Any) -> Any:
    """Whether there is a number: not blank, not withheld."""
    if x is None:
        return 0.0
    return _call("known", x)


def or_else(x: Any, default: Any) -> Any:
    """The number, or the default where it is blank or withheld."""
    if x is None or (isinstance(x, float) and x != x):
        return default
    if not isinstance(x, Expr) and not isinstance(x, np.ndarray):
        return x
    return _call("or_else", x, default)


def given(text: Any) -> Any:
    """Whether a text was typed."""
    return _call("given", text)


def join(*parts: Any) -> Any:
    """Texts one after the other. Words for people are wrapped so that they can be translated."""
    if any(isinstance(p, Expr) for p in parts):
        return Call("join", tuple(Say(p) if isinstance(p, str) else p for p in parts))
    return "".join(parts)


def fixed(x: Any, digits: int) -> Any:
    """A number as text with thousands separators and so many decimals, half away from zero."""
    return _call("fixed", x, digits)


def show(x: Any, digits: int) -> Any:
    """A number as text, or the words that stand in its place."""
    if isinstance(x, Expr):
        return Call("where", (Call("known", (x,)), Call("fixed", (x, Const(digits))), Call("as_text", (x,))))
    return fixed(x, digits)


def as_text(x: Any) -> Any:
    """A text input, where an empty cell reads as an empty text."""
    return _call("as_text", x)


def in_unit(x: Any, unit: str) -> Any:
    """The same number read in another unit; the formula does not change."""
    return InUnit(wrap(x), unit) if isinstance(x, Expr) else x


def reason(x: Any) -> Any:
    """What stands in place of a withheld number, handed on where another unit is expected."""
    return in_unit(x, "any")


def digits(x: Any) -> Any:
    """A whole number as text, without separators."""
    return _call("digits", x)


def say(text: str) -> Expr:
    """Words for people, translated with the labels."""
    return Say(text)


def withheld(reason: str) -> Expr:
    """What stands in place of a number that cannot be known."""
    return Withheld(reason)


def not_applicable() -> Expr:
    """A dash in place of a number that would mean nothing here; sums over it are refused, comparisons skip it."""
    return Withheld("")


def months_later(day: Any, months: Any) -> Any:
    """The same day so many months later."""
    return _call("months_later", day, months)


def month_days(day: Any) -> Any:
    """Days in the calendar month of a date."""
    return _call("month_days", day)


def month_of(day: Any) -> Any:
    """Calendar month of a date, 1 to 12."""
    return _call("month_of", day)


def year_of(day: Any) -> Any:
    """Calendar year of a date."""
    return _call("year_of", day)


def day_of(day: Any) -> Any:
    """Day of the month of a date."""
    return _call("day_of", day)


def _aggregate(how: str, plain: Callable[..., Any], x: Any, over: str, by: Any = None, equals: Any = None) -> Any:
    if (by is None) != (equals is None):
        raise TypeError("a total by a key needs both: by, and what it equals")
    if isinstance(x, Expr):
        if by is not None and not isinstance(by, Ref):
            raise TypeError("the key of a total is a line or an input, not an expression: give it a line of its own")
        return Aggregate(how, x, over, by, None if equals is None else wrap(equals))
    if by is not None:
        same_key = FUNCTIONS["same"].numbers
        return plain([v for v, key in zip(x, by, strict=True) if same_key(key, equals)])
    return plain(x)


def total(x: Any, over: str, by: Any = None, equals: Any = None) -> Any:
    """Sum over an axis; with `by` and `equals`, only the entries whose key equals."""
    return _aggregate("sum", sum, x, over, by, equals)


def most(x: Any, over: str) -> Any:
    """Largest known value over an axis."""
    return _aggregate("max", max, x, over)


def least(x: Any, over: str) -> Any:
    """Smallest known value over an axis."""
    return _aggregate("min", min, x, over)


def count_known(x: Any, over: str) -> Any:
    """How many entries of an axis are numbers."""
    return _aggregate("count", len, x, over)


def running(x: Any, along: str = "month", by: Any = None) -> Any:
    """Sum from the first entry to this one; with `by`, only of the entries whose key is this one's."""
    return Running(x, along, key=by)


def rank(values: Any, numbers: Any, over: str) -> Any:
    """Place among all entries of an axis, the smallest value first; `numbers` (its own 1, 2, …) decides ties."""
    return Rank(values, numbers, over)


def pick(values: Any, position: Any, over: str) -> Any:
    """The value at a position along an axis, the first being 1."""
    return Pick(values, wrap(position), over) if isinstance(values, Ref) else values[int(position) - 1]


def position_of(key: Any, keys: Any, over: str, numbers: Any = None) -> Any:
    """Position of a key among keys, 0 when absent. Give `numbers` (the axis' own 1, 2, …) where people type the key."""
    if isinstance(keys, Expr):
        assert isinstance(keys, Ref)
        return Match(keys, wrap(key), over, numbers)
    same_key = FUNCTIONS["same"].numbers
    return next((i for i, k in enumerate(keys, 1) if same_key(k, key)), 0)


def stack(axis: str, entries: dict[str, Any]) -> Any:
    """One quantity for each entry of an axis, by key."""
    if not any(isinstance(v, Expr) for v in entries.values()):
        return entries
    return Stack(axis, tuple((k, wrap(v)) for k, v in entries.items()))
