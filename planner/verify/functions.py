"""The functions a plan may use: those that Excel 2016, LibreOffice, Google Sheets and the engine of `verify` share."""

from __future__ import annotations

from typing import NamedTuple

_MANY = 255
_ALL = frozenset(range(_MANY))
_NONE: frozenset[int] = frozenset()
_ODD = frozenset(range(1, _MANY, 2))
_EVEN = frozenset(range(0, _MANY, 2))


class Function(NamedTuple):
    """How many arguments, and which of them may be a range of cells. The others take one value."""

    least: int
    most: int
    ranges: frozenset[int]


def _each(names: str, least: int, most: int, ranges: frozenset[int] = _NONE) -> dict[str, Function]:
    return {name: Function(least, most, ranges) for name in names.split()}


FUNCTIONS: dict[str, Function] = {
    **_each("IF", 2, 3),
    **_each("AND OR MIN MAX SUM AVERAGE COUNT COUNTA MEDIAN SUMPRODUCT", 1, _MANY, _ALL),
    **_each("CHOOSE", 2, _MANY, _ALL - {0}),
    **_each("IFERROR ROUND ROUNDUP ROUNDDOWN MOD EDATE EOMONTH REPT", 2, 2),
    **_each("NOT INT ABS SIGN SQRT EXP LN DAY MONTH YEAR LEN NORMSINV ISBLANK ISNUMBER N", 1, 1),
    **_each("SUMIF", 2, 3, frozenset({0, 2})),
    **_each("SUMIFS", 3, _MANY, _ODD | {0}),
    **_each("COUNTIF", 2, 2, frozenset({0})),
    **_each("COUNTIFS", 2, _MANY, _EVEN),
    **_each("INDEX", 2, 3, frozenset({0})),
    **_each("MATCH", 2, 3, frozenset({1})),
    **_each("DATE MID POISSON SLN", 3, 3),
    **_each("FIXED", 1, 3),
    **_each("LEFT HYPERLINK", 1, 2),
    **_each("BINOMDIST", 4, 4),
    **_each("LARGE SMALL", 2, 2, frozenset({0})),
    **_each("NPV", 2, _MANY, _ALL - {0}),
    **_each("PMT", 3, 5),
    **_each("ROWS COLUMNS", 1, 1, frozenset({0})),
}
LITERALS = frozenset({"0", "1", "2"})
DIGITS = frozenset({"ROUND", "ROUNDUP", "ROUNDDOWN", "FIXED"})
MOST_DIGITS = 12  # of a rounding: a double holds no more that mean something
VOLATILE = frozenset({"INDIRECT", "OFFSET", "NOW", "TODAY", "RAND", "RANDBETWEEN", "RANDARRAY", "CELL", "INFO"})
