"""How a value is printed: digits, scale and unit by format, and the smallest step that the print tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.calc.functions import FUNCTIONS, as_date
from planner.report.model import Value
from planner.resources import table

BILLION, MILLION, THOUSAND = 1e9, 1e6, 1e3
YI, WAN = 1e8, 1e4


@dataclass(frozen=True)
class Form:
    """`digits` after the point, the value divided by `scale`, `after` it the unit; `small` digits below 1,000."""

    digits: int
    scale: float = 1.0
    after: str = ""
    small: int | None = None


FORMS: dict[str, Form] = {
    "count": Form(0),
    "gpus": Form(0),
    "exact": Form(2),
    "money": Form(0, small=2),
    "price": Form(3),
    "rate": Form(2),
    "share": Form(1, 0.01, "%"),
    "availability": Form(2, 0.01, "%"),
    "factor": Form(2, after="×"),
    "hours": Form(2),
    "seconds": Form(2),
    "ms": Form(0),
    "gb": Form(1),
    "speed": Form(1),
    "plain": Form(0),
    "tenth": Form(1),
    "fine": Form(3),
    "million": Form(1, MILLION),
    "whole_million": Form(0, MILLION),
    "thousand": Form(1, THOUSAND),
    "kilo": Form(0, THOUSAND),
}
# Formats that are not a plain Form.
TOKENS, COLUMN, TEXT, SAID, DATE, BARE = "tokens", "column", "text", "said", "date", "number"
OTHERS = frozenset({TOKENS, COLUMN, TEXT, SAID, DATE, BARE})


def lists() -> frozenset[str]:
    """Lists whose keys have labels: their names serve as formats."""
    return frozenset(r["list"] for r in table("choices.csv"))


def label(name: str, key: str, language: str) -> str:
    """A key of a list in the reader's words; an unknown one as it is."""
    row = next((r for r in table("choices.csv") if r["list"] == name and r["key"] == key), None)
    return (row.get(language) or row["en"]) if row else key


def fixed(value: float, digits: int) -> str:
    """With thousands separators, half away from zero, as the workbook prints it."""
    return str(FUNCTIONS["fixed"].numbers(float(value), digits))


def number(value: float, form: Form) -> tuple[str, float]:
    """The text, and the smallest step that it tells."""
    digits = form.small if form.small is not None and 0 < abs(value) < THOUSAND else form.digits
    return f"{fixed(value / form.scale, digits)}{form.after}", form.scale * 10.0**-digits


def bare(value: float) -> tuple[str, float]:
    """Up to four decimals, none that are zero: for inputs of any size."""
    digits = next(d for d in range(5) if d == 4 or abs(round(value, d) - value) < 1e-9)
    return fixed(value, digits), 10.0**-digits


def _token_scale(value: float, language: str) -> Form:
    size = abs(value)
    if language == "zh":
        return Form(2, YI, "亿") if size >= YI else Form(1, WAN, "万") if size >= WAN else Form(0)
    if size >= BILLION:
        return Form(2, BILLION, " B")
    return Form(1, MILLION, " M") if size >= MILLION else Form(1, THOUSAND, " K") if size >= THOUSAND else Form(0)


def tokens_in_words(value: float, language: str = "en") -> str:
    """Tokens as people say them: `1.80 B`; in Chinese `18.00亿（1,800,000,000）`, the exact figure beside."""
    form = _token_scale(value, language)
    words, _ = number(value, form)
    return f"{words}（{fixed(value, 0)}）" if language == "zh" and form.scale > 1 else words


def column_scale(most: float) -> tuple[str, str]:
    """One scale for a table's tokens, by its largest: the format's name and the unit in words."""
    if most >= 10 * MILLION:
        return "million", "M tokens"
    return ("thousand", "K tokens") if most >= 10 * THOUSAND else ("plain", "tokens")


SCALES = ("M tokens", "K tokens", "tokens")


def printed(
    value: Value, form: str, language: str, column: str = "million", say: Any = str
) -> tuple[str, float | None]:
    """A value as text, with its printed precision; words stay words, and what nobody entered is said."""
    if value is None or value == "":
        return say("not entered"), None
    if isinstance(value, str):
        return (say(value) if form == SAID else label(form, value, language) if form in lists() else value), None
    if form == TOKENS:
        scale = _token_scale(value, language)
        return tokens_in_words(value, language), 1.0 if language == "zh" else number(value, scale)[1]
    if form == DATE:
        return as_date(value).isoformat(), 1.0
    if form == BARE:
        return bare(value)
    return number(value, FORMS[column if form == COLUMN else form])
