"""What people type into a cell, read as they meant it. Pure functions; nothing here knows a workbook.

Every function takes the value of one cell (None, bool, int, float, str, date or datetime) and returns the value meant,
or raises `NotRead`, which says what was wanted and what to do. The caller adds the place and what was found.
"""

from __future__ import annotations

import datetime as dt
import difflib
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal

from planner.problem import Said, said

_WORDS = {
    3: "k thousand thousands 千 仟",
    4: "万 萬",
    6: "m mm mn mio million millions 百万",
    8: "亿 億",
    9: "b bn billion billions mrd milliard milliards 十亿",
    12: "t tn trn trillion trillions 万亿",
}
_SCALES = {word: power for power, words in _WORDS.items() for word in words.split()}
_SCALES |= {"十万": 5, "千万": 7, "百亿": 10, "千亿": 11}
_DOT_GROUPS = {"mio", "mrd"}  # the languages of these words write 1.800 Mio for 1,800 million
_TOKEN_WORDS = re.compile(r"( ?(tokens?|tok|词元|个))+$")
_PERIODS = {1: "year yr 年", 4: "quarter 季 季度", 12: "month mo mth 月"}
_TIMES_A_YEAR = {word: times for times, words in _PERIODS.items() for word in words.split()}
_PERIOD = "|".join(sorted(_TIMES_A_YEAR, key=len, reverse=True))
_RATE = re.compile(rf"(?:每个?({_PERIOD})(.+)|(.+?) ?(?:/|\bper |\ba |\beach |每个?)({_PERIOD})\.?)")
_ECHOES = {
    "": {"": 0},
    "en": {"trillion": 12, "billion": 9, "million": 6, "thousand": 3},
    "zh": {"万亿": 12, "亿": 8, "万": 4},
}
_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905
_QUANTITY = re.compile(r"([+-]?) ?([0-9.,][0-9 ,.'’_]*)(?:e([+-]?[0-9]{1,3}))? ?(.*)", re.DOTALL)
_GROUPED = (  # 1 800 000,5 and 1'800; 1,800,000.5, by lakh 18,00,000 and by 万 18,0000,0000; 1800 and 1.800.000,5
    re.compile(r"(?P<whole>\d{1,3}([ '’_])\d{3}(?:\2\d{3})*)(?:[.,](?P<part>\d{1,2}|\d{4,}))?"),
    re.compile(r"(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|\d{1,4}(?:,\d{4}){2,})(?:\.(?P<part>\d+))?"),
    re.compile(r"(?P<whole>\d+|\d{1,3}(?:\.\d{3})+)(?:,(?P<part>\d+))?"),
)
_NUMBERS = {  # (whole, with a lower bound, with an upper bound) -> what is wanted
    (False, False, False): said("a number"),
    (False, True, False): said("a number of {least} or more"),
    (False, False, True): said("a number up to {most}"),
    (False, True, True): said("a number from {least} to {most}"),
    (True, False, False): said("a whole number"),
    (True, True, False): said("a whole number of {least} or more"),
    (True, False, True): said("a whole number up to {most}"),
    (True, True, True): said("a whole number from {least} to {most}"),
}


class NotRead(ValueError):
    """A value that was not understood: `wanted` and `do` complete `found …; wanted …; do …`, in any language."""

    def __init__(self, wanted: Said, do: Said) -> None:
        self.wanted, self.do = wanted, do
        super().__init__(f"wanted {wanted}; do {do}")


def tokens(value: object) -> float:
    """Tokens of a year, 0 or more, from `1.8B`, `1,800,000,000`, `1800M`, `1.8e9`, `18亿`, `1.8 billion tokens` …

    With a period, `150M a month` or `每月1.5亿`, the volume of each of its months or quarters.

    A fraction below 1,000 without a scale word is refused (nobody plans part of a token), and so is text such as
    `1,800` or `1.800`, which has two meanings. Behind a dot, a scale word makes any digits decimals.
    """
    wanted = said("a number of tokens, such as 1.8B, 1,800,000,000 or 18亿")
    value, times = _by_year(value)
    amount, word = _amount(value, wanted, size="B")
    if word and word not in _SCALES:
        raise NotRead(wanted, said("write the size as K, M, B, T, 万 or 亿: {word} is not known", word=word))
    amount = amount.scaleb(_SCALES.get(word, 0)) * times
    if amount < 0:
        raise NotRead(wanted, said("type a number of tokens that is not negative"))
    nearest = amount.to_integral_value(ROUND_HALF_UP)
    if abs(amount - nearest) <= max(amount, Decimal(1)).scaleb(-9):
        amount = nearest
    elif amount < (1 if word else 1000):
        do = said("say the size, as in {amount}B or {amount}M, or type all the digits", amount=_short(amount))
        raise NotRead(wanted, do)
    return float(amount) + 0.0


def _by_year(value: object) -> tuple[object, int]:
    """A text without its period, and how often the period comes in a year."""
    match = _RATE.fullmatch(_plain(value)) if isinstance(value, str) else None
    if not match:
        return value, 1
    return match[2] or match[3], _TIMES_A_YEAR[match[1] or match[4]]


def number(value: object, *, low: float | None = None, high: float | None = None, whole: bool = False) -> float:
    """A plain number with `low` <= number <= `high`; `whole` also refuses fractions. A factor may end in x, × or 倍."""
    wanted = _wanted(low, high, whole)
    amount, unit = _amount(value, wanted)
    if unit in ("%", "percent"):
        raise NotRead(wanted, said("type the number without a percent sign, such as 1.3 for 130%"))
    if unit in _SCALES:
        raise NotRead(wanted, said("type the number in full, with all its zeros"))
    if unit not in ("", "x", "×", "倍"):
        raise NotRead(wanted, said("type the number alone, without a unit or a currency sign"))
    result = float(round(amount)) if whole else float(amount) + 0.0
    if abs(result - float(amount)) > 1e-9:
        raise NotRead(wanted, said("type a whole number, without decimals"))
    if (low is not None and result < low) or (high is not None and result > high):
        raise NotRead(wanted, said("type a number inside these bounds"))
    return result


def share_column(values: Sequence[tuple[object, str]], *, high: float = 1.0) -> list[float | NotRead | None]:
    """The shares of ONE column, from (value, number format): a fraction of 1, None where blank, `NotRead` if refused.

    A percent sign, typed or in the format, speaks for its own cell. The bare numbers of a column have one convention:
    points (25 is 25 %) where one of them is above `high`, else fractions; where they contradict each other, or where
    numbers between 1 and `high` could be either, each bare cell except 0 is refused.
    """
    read = [_share(value, number_format, high) for value, number_format in values]
    bare = [item for item in read if isinstance(item, Decimal)]
    points, above_one = any(item > high for item in bare), any(item > 1 for item in bare)
    mixed = above_one and any(0 < item < 1 for item in bare)
    result: list[float | NotRead | None] = []
    for item in read:
        if not isinstance(item, Decimal):
            result.append(item)
        elif item > 0 and (mixed or (above_one and not points)):
            result.append(_either(item, high, mixed))
        else:
            result.append(_within(float(item / 100 if points else item), high))
    return result


def month(value: object) -> dt.date:
    """The first day of a month, 2000 to 2099: a date, `2027-01`, `2027/1`, `Jan 2027`, `2027年1月`, `01.2027`."""
    return _calendar(value, said("a month, such as 2027-01, Jan 2027 or 2027年1月")).replace(day=1)


def date(value: object) -> dt.date:
    """A day, 2000 to 2099: a date, `2026-11-30`, `30 Nov 2026`, `2026年11月30日`; `03/04/2027` is refused."""
    return _calendar(value, said("a date, such as 2026-11-30 or 30 Nov 2026"), day_needed=True)


def choice(value: object, options: Mapping[str, Sequence[str]]) -> str:
    """The key of `options` (key -> labels in any language) that was typed, as key or label, in any case and spacing."""
    known = {_squeezed(label): key for key, labels in options.items() for label in labels}
    known |= {_squeezed(key): key for key in options}
    typed = _squeezed(text(value))
    if typed in known:
        return known[typed]
    near = difflib.get_close_matches(typed, known, 1, 0.5)
    do = said("choose one of these")
    if near:
        do = said("choose {key}, if that was meant, or another of these", key=known[near[0]])
    raise NotRead(said("one of {options}", options=", ".join(options)), do)


def yes_no(value: object) -> str:
    """'yes' or 'no', from yes/no, y/n, true/false, 1/0, on/off, 是/否 or a TRUE/FALSE cell."""
    return choice(value, {"yes": ("y", "true", "1", "on", "是"), "no": ("n", "false", "0", "off", "否")})


def text(value: object) -> str:
    """Text without spaces at its ends, '' for None. `00123` and `1E5` stay as typed; a number 123.0 becomes '123'."""
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if not isinstance(value, str):
        return value.isoformat() if isinstance(value, dt.date) else str(value)
    kept = value.replace("\r\n", "\n").replace("\r", "\n").strip().strip("\ufeff\u200b").strip()
    for char in kept:
        if char not in "\n\t" and (unicodedata.category(char) in ("Cc", "Cs") or char in "\ufffe\uffff"):
            do = said("delete the invisible character {code}", code=f"U+{ord(char):04X}")
            raise NotRead(said("text that a workbook can hold"), do)
    if len(kept.encode("utf-16-le")) > 2 * 32767:
        raise NotRead(said("text of at most 32,767 characters"), said("shorten it"))
    return kept


def volume_in_words(tokens: float, language: str = "") -> str:
    """The echo of a volume >= 0, in digits and a language's words (all languages' without one): '1,800,000,000 = 1.8
    billion = 18 亿'; ≈ stands where rounded.
    """
    exact, echo = Decimal(repr(tokens)), ""
    for words in [w for name, w in _ECHOES.items() if name in ("", language) or not language]:
        for word, power in words.items():
            step = Decimal("0.001" if word else "1")
            scaled = exact.scaleb(-power).quantize(step, ROUND_HALF_UP, Context(prec=400))
            if scaled >= 1 or not word:
                sign = "=" if scaled.scaleb(power) == exact else "≈"
                echo += f" {sign} {scaled:,f}" if not word and scaled >= 10**6 else f" {sign} {_short(scaled)} {word}"
                break
    return " ".join(echo.split()).removeprefix("= ")


def _plain(typed: str) -> str:
    """Half width, lower case, one ordinary space for any run of spaces, a hyphen for every dash, no invisible marks."""
    kept = "".join(c for c in unicodedata.normalize("NFKC", typed) if unicodedata.category(c) != "Cf")
    return re.sub(r"\s+", " ", re.sub("[‐‑‒–—−]", "-", kept)).strip().casefold()


def _squeezed(label: str) -> str:
    return re.sub(r"[\s_-]", "", _plain(label))


def _seen(value: object, wanted: Said) -> str | Decimal:
    """The cell as plain text or as an exact number; what is neither is refused."""
    if isinstance(value, bool):
        raise NotRead(wanted, said("type a value in place of TRUE or FALSE"))
    if isinstance(value, dt.date):
        do = said("set the format of the cell to General and type the value again: Excel holds a date")
        raise NotRead(wanted, do)
    if isinstance(value, int | float):
        return _finite(Decimal(value) if isinstance(value, int) else Decimal(repr(value)), wanted)
    typed = value if isinstance(value, str) else ""
    if any(unicodedata.decomposition(c).startswith(("<super>", "<sub>", "<fraction>", "<circle>")) for c in typed):
        raise NotRead(wanted, said("use ordinary digits; a power of ten is typed as in 1.8e9"))
    plain = _plain(typed)
    if not plain:
        raise NotRead(wanted, said("fill the cell: it is empty"))
    if re.fullmatch(r"#[a-z/0]+[!?]?", plain):
        raise NotRead(wanted, said("repair the formula: it gives {error}", error=plain.upper()))
    return plain


def _amount(value: object, wanted: Said, *, decimal_marks: str = "", size: str = "") -> tuple[Decimal, str]:
    """A finite number as typed, and the word behind it: '' where there is none or it only says that tokens are meant.

    A single mark before exactly three digits has two meanings and is refused, unless it is one of `decimal_marks`, a
    dot before a scale word, or a dot with an exponent. `size` is the scale word that the advice adds to a fraction.
    """
    seen = _seen(value, wanted)
    if isinstance(seen, Decimal):
        return seen, ""
    if not (match := _QUANTITY.fullmatch(_TOKEN_WORDS.sub("", seen))):
        raise NotRead(wanted, said("type the value in digits"))
    sign, digits, power, word = match[1], match[2].rstrip(), int(match[3] or 0), match[4].rstrip(". ")
    if power or (word in _SCALES and word not in _DOT_GROUPS):
        decimal_marks += "."
    if one := re.fullmatch(r"(\d*)([.,])(\d+)", digits):
        head, mark, part = one.groups()
        if len(part) == 3 and re.fullmatch(r"[1-9]\d{0,2}", head) and mark not in decimal_marks:
            whole, fraction = f"{head}{part}{word}", f"{head}.{part}0{word or size}"
            do = said("type {whole} for thousands, or {fraction} for a fraction", whole=whole, fraction=fraction)
            raise NotRead(said("{wanted}, in a form with one meaning", wanted=wanted), do)
        plain = f"{head or 0}.{part}"
    elif grouped := next(filter(None, (pattern.fullmatch(digits) for pattern in _GROUPED)), None):
        plain = re.sub(r"\D", "", grouped["whole"]) + "." + (grouped["part"] or "0")
    else:
        raise NotRead(wanted, said("check the separators: thousands and decimals cannot be told apart"))
    return _finite(Decimal(sign + plain).scaleb(power), wanted), word


def _share(value: object, number_format: str, high: float) -> float | Decimal | NotRead | None:
    """A self-describing share as a float, a bare number as a Decimal, None for a blank."""
    if value is None or (isinstance(value, str) and not _plain(value)):
        return None
    try:
        seen, unit = _amount(value, _wanted_share(high), decimal_marks=".,")
    except NotRead as refusal:
        return refusal
    if unit not in ("", "%", "percent"):
        return NotRead(said("a share"), said("type the share alone, such as 25%"))
    ink = re.sub(r'"[^"]*"|\\.', "", number_format)  # what is quoted only shows: under 0"%" a cell holds 25, not 0.25
    if unit or ("%" in number_format and "%" not in ink and not isinstance(value, str)):
        return _within(float(seen / 100), high)
    if "%" not in ink or isinstance(value, str):
        return Decimal(1) if abs(seen - 1) < Decimal("1e-9") else seen  # a sum that misses 1 by float dust is not 1 %
    if seen > max(1.5, high):
        typed, shown = _short(seen), _short(seen * 100)
        do = said("type {typed}%, if that is meant: the cell shows {shown}%", typed=typed, shown=shown)
        return NotRead(said("a share"), do)
    return _within(float(seen), high)


def _within(share: float, high: float) -> float | NotRead:
    if -1e-12 <= share <= high + 1e-9:
        return min(max(share, 0.0), high)
    return NotRead(_wanted_share(high), said("type a share inside these bounds"))


def _either(share: Decimal, high: float, mixed: bool) -> NotRead:
    """The refusal of a bare share that could be a fraction or percent points."""
    points, fraction = _short(share), _short(share * 100)
    if mixed and share > high:
        do = said("type {points}%: this column mixes fractions with percent points", points=points)
    elif mixed:
        do = said(
            "type {fraction}% or {points}%: this column mixes fractions with percent points",
            fraction=fraction, points=points,
        )  # fmt: skip
    else:
        do = said("type {fraction}% or {points}%: without a % it has two meanings", fraction=fraction, points=points)
    return NotRead(said("shares typed in one way in the whole column"), do)


def _wanted_share(high: float) -> Said:
    return said("a share from 0% to {most}%", most=f"{high * 100:.10g}")


def _wanted(low: float | None, high: float | None, whole: bool) -> Said:
    least, most = ("" if bound is None else f"{bound:,.16g}" for bound in (low, high))
    return said(_NUMBERS[whole, bool(least), bool(most)].template, least=least, most=most)


def _finite(amount: Decimal, wanted: Said) -> Decimal:
    if not math.isfinite(float(amount)):
        raise NotRead(wanted, said("type a smaller number: this one has no finite size"))
    return amount


def _short(amount: Decimal) -> str:
    digits = f"{amount:f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _calendar(value: object, wanted: Said, day_needed: bool = False) -> dt.date:
    """The day meant; the first of the month where only a month was typed."""
    found = None
    if isinstance(value, dt.date):
        found = dt.date(value.year, value.month, value.day)
    elif isinstance(seen := _seen(value, wanted), str):
        found = _typed_day(seen, wanted, day_needed)
    elif seen == seen.to_integral_value() and 36526 <= seen <= 73050:  # Excel's day numbers of 2000 to 2099
        found = dt.date(1899, 12, 30) + dt.timedelta(int(seen))
    if found is None or not 2000 <= found.year <= 2099:
        raise NotRead(wanted, said("type it with a year from 2000 to 2099, as in the examples"))
    return found


def _typed_day(plain: str, wanted: Said, day_needed: bool) -> dt.date | None:
    """None where the text is not a year of four digits, first or last, beside a month, or beside a day and a month."""
    plain = re.sub(r"(?<=\d)[t ]\d{1,2}:\d\d.*$", "", plain)
    parts = [re.sub(r"(?<=\d)(st|nd|rd|th)$", "", part) for part in re.split(r"[-/.,年月日号份 ]+", plain) if part]
    year_at = next((at for at in (0, -1) if parts and re.fullmatch(r"\d{4}", parts[at])), None)
    if year_at is None or len(parts) not in (2, 3):
        return None
    year = int(parts.pop(year_at))
    named = [str(at) for at, full in enumerate(_MONTHS, 1) for part in parts if part[2:] and full.startswith(part)]
    numbers = [int(part) for part in named + parts if re.fullmatch(r"\d{1,2}", part)]
    if len(numbers) != len(parts):
        return None
    if len(numbers) == 2 and year_at and not named:
        if numbers[0] != numbers[1] and max(numbers) <= 12:
            one, other = (f"{year}-{a:02}-{b:02}" for a, b in (numbers[::-1], numbers))
            do = said("type {one} or {other}: the day and the month look alike", one=one, other=other)
            raise NotRead(wanted, do)
        numbers.sort()
    if day_needed and len(numbers) == 1:
        raise NotRead(wanted, said("type the day too"))
    try:
        return dt.date(year, *(*numbers, 1)[:2])
    except ValueError:
        raise NotRead(wanted, said("check day and month: the calendar has no such day")) from None
