"""The only functions a line may call: one row a function, numpy code and Excel text side by side, with cases.

Lines call them through vocabulary.py.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from math import erfc, exp, lgamma, log, pi, sqrt
from typing import Any

import numpy as np

GUARD = 9  # decimals: float dust below 1e-9 never buys a GPU
HALF_DUST_AT_MOST = 1e-6
HALF_DUST = 1e-15  # 1.005 x 100 is 100.49999999999999 in binary and 100.5 to people
SPREAD = 12  # standard deviations: beyond, nothing changes at 1e-9
WIDE = 1e5  # a standard deviation from which a sum of terms is its normal form, at 1e-10 and without an array of terms
EXACT = Context(prec=400)  # digits of any float
SHOWN = Context(prec=15, rounding=ROUND_HALF_UP)  # digits that a spreadsheet shows of a number
EPOCH = dt.date(1899, 12, 30)

Numbers = Any  # a float, or an array of floats


@dataclass(frozen=True)
class Function:
    """`level` is the binding strength of the Excel text (9 never needs brackets), `inside` that of the place where its
    arguments stand if it is another; `unit` names its rule in units.py.
    """

    numbers: Callable[..., Any]
    excel: str
    level: int
    unit: str
    gives: str = "number"
    cases: tuple[tuple[tuple[Any, ...], Any], ...] = ()
    inside: int = 0


def round_half_away(x: Numbers, digits: Numbers) -> Numbers:
    """Round as a spreadsheet does: half away from zero, beyond 2**52 nothing to round."""
    scale = 10.0 ** np.asarray(digits, float)
    scaled = np.abs(x) * scale
    with np.errstate(invalid="ignore"):
        nearest = np.floor(scaled + np.minimum(scaled * HALF_DUST, HALF_DUST_AT_MOST) + 0.5)
    return np.where(scaled < 2.0**47, np.sign(x) * nearest / scale, x)


def _ceil(x: Numbers) -> Numbers:
    rounded = round_half_away(x, GUARD)
    return np.sign(rounded) * np.ceil(np.abs(rounded))


def _floor(x: Numbers) -> Numbers:
    rounded = round_half_away(x, GUARD)
    return np.sign(rounded) * np.floor(np.abs(rounded))


def _plain(x: Any) -> Any:
    """An array without axes as a number."""
    return x[()]


def _each(function: Callable[..., Any], gives: type | str) -> Callable[..., Any]:
    """A plain function made to work on arrays, entry by entry."""

    def over(*args: Any) -> Any:
        if not any(isinstance(a, np.ndarray) for a in args):
            return function(*args)
        arrays = np.broadcast_arrays(*(np.asarray(a, object) for a in args))
        flat = [function(*entry) for entry in zip(*(a.ravel() for a in arrays), strict=True)]
        out = np.empty(len(flat), object)
        out[:] = flat
        shaped = out.reshape(arrays[0].shape)
        return shaped if gives == "text" else shaped.astype(float)

    return over


def _fixed(x: float, digits: float) -> str:
    if x != x:
        return ""
    step = Decimal(1).scaleb(-int(digits))
    value = SHOWN.plus(Decimal(float(round_half_away(x, digits)))).quantize(step, ROUND_HALF_UP, EXACT)
    return f"{value if value else abs(value):,.{int(digits)}f}"


def as_date(serial: float) -> dt.date:
    """A spreadsheet's day number as a date."""
    return EPOCH + dt.timedelta(days=int(serial))


def as_serial(day: dt.date) -> float:
    """A date as a spreadsheet's day number."""
    return float((day - EPOCH).days)


def _later(serial: float, months: float) -> float:
    if serial != serial or months != months:
        return float("nan")
    day = as_date(serial)
    count = day.year * 12 + day.month - 1 + int(months)
    first = dt.date(count // 12, count % 12 + 1, 1)
    following = dt.date((count + 1) // 12, (count + 1) % 12 + 1, 1)
    return as_serial(min(first + dt.timedelta(days=day.day - 1), following - dt.timedelta(days=1)))


def _month_of(serial: float) -> float:
    return float(as_date(serial).month)


def _year_of(serial: float) -> float:
    return float(as_date(serial).year)


def _day_of(serial: float) -> float:
    return float(as_date(serial).day)


def _month_days(serial: float) -> float:
    return _later(as_serial(as_date(serial).replace(day=1)), 1) - as_serial(as_date(serial).replace(day=1))


def _binomial(failed: float, trials: float, chance: float) -> float:
    if any(v != v for v in (failed, trials, chance)):
        return float("nan")
    n = int(trials)
    if failed < 0 or chance >= 1:
        return float(failed >= n)
    if chance <= 0:
        return 1.0
    return _binomial_sum(int(failed), n, chance)


def _binomial_sum(failed: int, n: int, chance: float) -> float:
    """Terms as multiples of the largest one, some standard deviations both ways: their sum is 1, so that no term needs
    a logarithm of a factorial, which has too few digits beyond 100,000 trials.
    """
    spread = sqrt(n * chance * (1 - chance))
    if spread > WIDE:
        return _normal_up_to(failed, n * chance, spread, (1 - 2 * chance) / spread)
    start = min(n, int((n + 1) * chance))
    reach = int(SPREAD * (spread + 5))
    odds = chance / (1 - chance)
    j = np.arange(start, max(0, start - reach), -1, dtype=float)
    below = np.cumprod(j / (n - j + 1) / odds)
    j = np.arange(start, min(n, start + reach), dtype=float)
    above = np.cumprod((n - j) / (j + 1) * odds)
    terms = np.concatenate((below[::-1], [1.0], above))
    return min(1.0, float(terms[: max(0, failed - (start - below.size) + 1)].sum() / terms.sum()))


def _normal_up_to(count: float, mean: float, spread: float, skew: float) -> float:
    """The sum up to a count of a distribution so wide that only its skewness tells it from a normal one (Edgeworth)."""
    z = (count + 0.5 - mean) / spread
    bent = skew / 6 * (z * z - 1) * exp(-z * z / 2) / sqrt(2 * pi)
    return min(1.0, max(0.0, erfc(-z / sqrt(2)) / 2 - bent))


def _poisson_at(count: float, mean: float) -> float:
    if count != count or not mean > 0:
        return float("nan")
    n = int(count)
    return exp(n * log(mean) - mean - lgamma(n + 1))


def _poisson_up_to(count: float, mean: float) -> float:
    """From the largest term both ways: the outer ones may be too small for a float, the sum never is."""
    if count != count or not mean > 0:
        return float("nan")
    n = int(count)
    if sqrt(mean) > WIDE:
        return _normal_up_to(n, mean, sqrt(mean), 1 / sqrt(mean))
    start = min(n, int(mean))
    reach = int(SPREAD * (mean**0.5 + 5))
    below = np.cumprod(np.arange(start, max(0, start - reach), -1) / mean)
    above = np.cumprod(mean / np.arange(start + 1, min(n, start + reach) + 1))
    return min(1.0, _poisson_at(start, mean) * float(1 + below.sum() + above.sum()))


def _same(a: Any, b: Any) -> Any:
    def one(x: Any, y: Any) -> float:
        if isinstance(x, str) or isinstance(y, str):
            return float(str(x).lower() == str(y).lower())
        return float(x == y)

    if isinstance(a, np.ndarray) and a.dtype != object and isinstance(b, np.ndarray) and b.dtype != object:
        return (a == b).astype(float)
    return _each(one, "number")(a, b)


def _flag(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: np.asarray(function(*args)).astype(float)[()]


def _div(a: Numbers, b: Numbers) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(b) == 0, np.nan, np.divide(a, np.where(np.asarray(b) == 0, 1, b)))[()]


def _ratio(a: Numbers, b: Numbers, if_zero: Numbers) -> Numbers:
    zero = np.asarray(b) == 0
    return np.where(zero, if_zero, np.divide(a, np.where(zero, 1.0, b)))[()]


def _log(x: Numbers) -> Numbers:
    return np.log(np.where(np.asarray(x) > 0, x, np.nan))[()]


FUNCTIONS: dict[str, Function] = {
    "add": Function(lambda a, b: a + b, "{0}+{1}", 3, "same", "number", (((2, 3), 5),)),
    "sub": Function(lambda a, b: a - b, "{0}-{1}", 3, "same", "number", (((2, 3), -1), ((5, 5), 0))),
    "mul": Function(lambda a, b: a * b, "{0}*{1}", 4, "product", "number", (((2, 3), 6), ((-2, 3), -6))),
    "div": Function(_div, "{0}/{1}", 4, "quotient", "number", (((3, 2), 1.5), ((0, 2), 0))),
    "ratio": Function(
        _ratio, "IF({1}=0,{2},{0}/{1})", 9, "ratio", "number", (((3, 2, 0), 1.5), ((3, 0, 1), 1)), inside=4
    ),
    "ge": Function(_flag(lambda a, b: a >= b), "{0}>={1}", 1, "compare", "flag", (((3, 3), 1), ((2, 3), 0))),
    "gt": Function(_flag(lambda a, b: a > b), "{0}>{1}", 1, "compare", "flag", (((3, 3), 0), ((4, 3), 1))),
    "le": Function(_flag(lambda a, b: a <= b), "{0}<={1}", 1, "compare", "flag", (((3, 3), 1), ((4, 3), 0))),
    "lt": Function(_flag(lambda a, b: a < b), "{0}<{1}", 1, "compare", "flag", (((3, 3), 0), ((2, 3), 1))),
    "reaches": Function(
        _flag(lambda a, b: round_half_away(np.asarray(a) - b, GUARD) >= 0),
        f"ROUND({{0}}-{{1}},{GUARD})>=0",
        1,
        "compare",
        "flag",
        (((0.1 + 0.2, 0.3), 1), ((0.3, 0.3000001), 0), ((0.3, 0.30000000001), 1)),
        inside=3,
    ),
    "same": Function(_same, "{0}={1}", 1, "compare", "flag", ((("day", "Day"), 1), (("a", "b"), 0), ((2, 2), 1))),
    "both": Function(
        _flag(lambda *a: np.logical_and.reduce(np.broadcast_arrays(*(np.asarray(x) != 0 for x in a)))),
        "AND({*})",
        9,
        "flag",
        "flag",
        (((1, 0), 0), ((1, 1), 1)),
    ),
    "either": Function(
        _flag(lambda *a: np.logical_or.reduce(np.broadcast_arrays(*(np.asarray(x) != 0 for x in a)))),
        "OR({*})",
        9,
        "flag",
        "flag",
        (((1, 0), 1), ((0, 0), 0)),
    ),
    "opposite": Function(_flag(lambda a: np.asarray(a) == 0), "NOT({0})", 9, "flag", "flag", (((1,), 0), ((0,), 1))),
    "where": Function(
        lambda c, a, b: _plain(np.where(np.asarray(c) != 0, a, b)),
        "IF({0},{1},{2})",
        9,
        "where",
        "branch",
        (((1, 5, 6), 5), ((0, 5, 6), 6)),
    ),
    "largest": Function(
        lambda *a: np.maximum.reduce(np.broadcast_arrays(*a))[()],
        "MAX({*})",
        9,
        "same",
        "number",
        (((-1, 0), 0), ((3, 7, 5), 7)),
    ),
    "smallest": Function(
        lambda *a: np.minimum.reduce(np.broadcast_arrays(*a))[()],
        "MIN({*})",
        9,
        "same",
        "number",
        (((-1, 0), -1), ((3, 7, 5), 3)),
    ),
    "ceil": Function(
        _ceil,
        f"ROUNDUP(ROUND({{0}},{GUARD}),0)",
        9,
        "round",
        "number",
        (((2.1,), 3), ((3.0000000000000004,), 3), ((0.1 * 3 * 10,), 3), ((0,), 0), ((1.1 * 1.1 * 100,), 121)),
    ),
    "floor": Function(
        _floor,
        f"ROUNDDOWN(ROUND({{0}},{GUARD}),0)",
        9,
        "round",
        "number",
        (((2.9,), 2), ((2.9999999999,), 3), ((0.7 + 0.1 + 0.2,), 1)),
    ),
    "whole": Function(np.floor, "INT({0})", 9, "round", "number", (((2.9,), 2), ((12,), 12), ((0,), 0))),
    "rounded": Function(
        round_half_away,
        "ROUND({0},{1})",
        9,
        "first",
        "number",
        (((2.5, 0), 3), ((0.125, 2), 0.13), ((-2.5, 0), -3), ((1.005, 2), 1.01)),
    ),
    "remainder": Function(np.mod, "MOD({0},{1})", 9, "first", "number", (((13, 12), 1), ((12, 12), 0))),
    "absolute": Function(np.abs, "ABS({0})", 9, "first", "number", (((-2,), 2), ((2,), 2))),
    "exp": Function(np.exp, "EXP({0})", 9, "pure", "number", (((0,), 1), ((1,), 2.718281828459045))),
    "log": Function(_log, "LN({0})", 9, "pure", "number", (((1,), 0), ((2.718281828459045,), 1))),
    "binomial_up_to": Function(
        _each(_binomial, "number"),
        "BINOMDIST({0},{1},{2},1)",
        9,
        "pure",
        "number",
        (((1, 3, 0.0128331688), 0.9995101564), ((0, 2, 0.1), 0.81)),
    ),
    "poisson_at": Function(
        _each(_poisson_at, "number"),
        "POISSON({0},{1},0)",
        9,
        "pure",
        "number",
        (((3, 2.5), 0.21376301724973645), ((0, 2), 0.1353352832366127), ((105, 92.4), 0.01709077618798799)),
    ),
    "poisson_up_to": Function(
        _each(_poisson_up_to, "number"),
        "POISSON({0},{1},1)",
        9,
        "pure",
        "number",
        (
            ((3, 2.5), 0.7575761331330662),
            ((0, 2), 0.1353352832366127),
            ((2, 3), 0.42319008112684364),
            ((105, 92.4), 0.9113868301630162),
            ((211, 1.6484375), 1),
        ),
    ),
    "known": Function(
        lambda x: np.asarray(~np.isnan(np.asarray(x, float))).astype(float)[()],
        "ISNUMBER({0})",
        9,
        "flag",
        "flag",
        (((3,), 1),),
    ),
    "or_else": Function(
        lambda x, d: _plain(np.where(np.isnan(np.asarray(x, float)), d, x)),
        "IF(ISNUMBER({0}),{0},{1})",
        9,
        "same",
        "branch",
        (((3, 5), 3),),
    ),
    "given": Function(
        lambda x: _each(lambda t: float(len(t) > 0), "number")(x),
        "LEN({0})>0",
        1,
        "flag",
        "flag",
        ((("a",), 1), (("",), 0)),
    ),
    "join": Function(_each(lambda *t: "".join(t), "text"), "{&}", 2, "text", "text", ((("a", "b"), "ab"),)),
    "fixed": Function(
        _each(_fixed, "text"),
        "FIXED(ROUND({0},{1}),{1})",
        9,
        "text",
        "text",
        (((1234.5678, 2), "1,234.57"), ((2.345, 2), "2.35"), ((0.5, 0), "1"), ((1500000, 0), "1,500,000")),
    ),
    "as_text": Function(_each(lambda t: t, "text"), '{0}&""', 2, "text", "text", ((("a",), "a"),)),
    "digits": Function(
        _each(lambda x: "" if x != x else str(int(x)), "text"),
        '{0}&""',
        2,
        "text",
        "text",
        (((2027,), "2027"), ((7,), "7")),
    ),
    "months_later": Function(
        _each(_later, "number"), "EDATE({0},{1})", 9, "first", "number", (((46388, 1), 46419), ((46388, 12), 46753))
    ),
    "month_days": Function(
        _each(_month_days, "number"), "DAY(EOMONTH({0},0))", 9, "any", "number", (((46388,), 31), ((46419,), 28))
    ),
    "month_of": Function(_each(_month_of, "number"), "MONTH({0})", 9, "any", "number", (((46388,), 1), ((46753,), 1))),
    "year_of": Function(_each(_year_of, "number"), "YEAR({0})", 9, "any", "number", (((46388,), 2027),)),
    "day_of": Function(_each(_day_of, "number"), "DAY({0})", 9, "any", "number", (((46388,), 1), ((46402,), 15))),
}
