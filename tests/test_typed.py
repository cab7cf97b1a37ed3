"""What people type: tables of cases (`typed => meant`, or `typed => words of the advice`), then properties."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.inputs import typed
from planner.inputs.typed import NotRead

NBSP, NARROW, THIN = "\u00a0", "\u202f", "\u2009"


def table(cases: str) -> list[tuple[Any, str]]:
    """The pairs of `typed => expected`, separated by bars and line ends; `_` stands for a non-breaking space."""
    pairs = [case.split("=>") for case in re.split(r"[|\n]", cases) if case.strip()]
    return [(typed_.strip(" ").replace("_", NBSP), expected.strip()) for typed_, expected in pairs]


def refusal(read: Callable[..., object], value: object, **bounds: Any) -> NotRead:
    with pytest.raises(NotRead) as refused:
        read(value, **bounds)
    assert str(refused.value) == f"wanted {refused.value.wanted}; do {refused.value.do}"
    return refused.value


BILLIONS = """1.8e9 | 1,800,000,000 | 1 800 000 000 | 1_800_000_000 | 1.800.000.000 | 1'800'000'000 | 1,80,00,00,000
18,0000,0000 | 1.8E+9 | 18e8 | +1.8B | 1,800,000K | 1.8B | 1.8 bn | 1.8b | 1.8_B | 1800M | 1800 m | 1800mn
1,8 B | 1,80 B | 1.800 B | 1.8 billion | 1.8 Billion | 1800 million | 1,8 Mrd | 1,8 Mrd. | 0.0018 T | 0.0018tn
0.0018 trillion | 1800000 thousand | 18亿 | 18 亿 | １８亿 | 18億 | 1.8 十亿 | 180000万 | 1800 百万 | 180千万
0.0018 万亿 | 1800000 千 | １．８Ｂ | １，８００，０００，０００ | 1.8B tokens | 1.8 Btok | 1800M token | 18亿个
18 亿 个 | 18亿token | 18亿词元 | 1.8_billion_tokens | 1800000000 tokens | 1800.0 Mio"""
OTHER_TOKENS = """1800 => 1800 | 0 => 0 | 18 => 18 | 1 800 => 1800 | 180万 => 1800000 | 1.825B => 1825000000
150M a month => 1.8e9 | 150M/month => 1.8e9 | 0.15 bn tokens per month => 1.8e9 | 450M a quarter => 1.8e9
1.8B a year => 1.8e9 | 每月1.5亿 => 1.8e9 | 1.5亿/月 => 1.8e9 | 每年18亿 => 1.8e9 | 每季度 4.5 亿 => 1.8e9 | 150 M tokens/mo. => 1.8e9
1 800 M => 1.8e9 | 2.5k => 2500 | 1.1 B => 1100000000 | 0,800 M => 800000 | 1800,500 => 1800.5 | 1.8千 => 1800"""
TOKEN_CELLS = [(1800, 1800), (1.8e9, 1.8e9), (0, 0), (-0.0, 0), (1e9 / 12, 1e9 / 12), (1_799_999_999.9999998, 1.8e9)]
NOT_TOKENS = """1.8 => 1.8B | 1,8 => say the size | 1.8 tokens => say the size | 0.0001K => say the size | _ => empty
1,800 => 1800 for thousands | 1.800 => 1800 for thousands | 180,000 => 180000 for thousands | 1.8.0 => separators
1,800 B => type 1800b for thousands, or 1.8000b for a fraction | 1.800 Mio => 1800mio for thousands | $5 => digits
-1.8B => not negative | −1.8B => not negative | 1e999 => smaller | inf => digits | nan => digits | 十八亿 => digits
1.8 zillion => zillion is not known | 5M a day => not known | 1,800 a month => 1800 for thousands | 18兆 => 兆 | 1亿8000万 => not known | 25% => not known | #REF! => gives #REF!
1.8×10⁹ => 1.8e9 | 10⁹ => 1.8e9 | 1½ B => ordinary | 1,80,0 => separators | 1 800,000 => separators"""
NO_TOKENS = [(1.8, "1.8B"), (0.5, "size"), (-5, "not negative"), (math.inf, "smaller"), (math.nan, "finite")]
NO_TOKENS += [("1" * 400, "smaller"), (10**400, "smaller"), (True, "TRUE"), (dt.date(2027, 1, 1), "General")]


@pytest.mark.parametrize("value", [case.strip(" ").replace("_", NBSP) for case in re.split(r"[|\n]", BILLIONS)])
def test_tokens_are_1_8_billion(value: str) -> None:
    assert typed.tokens(value) == 1_800_000_000
    assert typed.tokens(f" {value.replace(NBSP, NARROW)}\ufeff") == 1_800_000_000


@pytest.mark.parametrize(("value", "expected"), [*table(OTHER_TOKENS), *TOKEN_CELLS])
def test_other_tokens(value: object, expected: float | str) -> None:
    assert typed.tokens(value) == float(expected)
    assert math.copysign(1, typed.tokens(value)) == 1


@pytest.mark.parametrize(("value", "do"), [*table(NOT_TOKENS), *NO_TOKENS, (None, "empty"), ("", "empty")])
def test_tokens_refused(value: object, do: str) -> None:
    refused = refusal(typed.tokens, value)
    assert "a number of tokens, such as 1.8B" in refused.wanted
    assert do in refused.do


NUMBERS = """12 => 12 | 2.5 => 2.5 | 25,0 => 25 | 2,5 => 2.5 | 1,234.5 => 1234.5 | 1.234,5 => 1234.5 | 1 234,5 => 1234.5
1_234 => 1234 | １２．５ => 12.5 | -3 => -3 | −3 => -3 | +3 => 3 | 0,125 => 0.125 | 1.3x => 1.3 | 1.3 × => 1.3
3倍 => 3 | ３ 倍 => 3 | 1.5X => 1.5 | .5 => 0.5 | 1e-3 => 0.001 | 1,234,567 => 1234567 | 1.2345 => 1.2345
1,2345 => 1.2345 | 1.250e3 => 1250 | 1500 tokens => 1500"""
NOT_NUMBERS = """30% => without a percent sign | 10k => all its zeros | $2.50 => digits | 2.50 € => currency sign
1,800 => type 1800 for thousands, or 1.8000 for a fraction | 1.800 => 1800 | abc => digits | #N/A => gives #N/A"""
NO_NUMBERS = [(True, "TRUE"), (None, "empty"), (math.nan, "finite"), (dt.datetime(1900, 1, 2), "General")]


@pytest.mark.parametrize(("value", "expected"), [*table(NUMBERS), (5, 5), (2.5, 2.5), (-0.0, 0)])
def test_number(value: object, expected: float | str) -> None:
    assert typed.number(value) == float(expected)


@pytest.mark.parametrize(("value", "do"), [*table(NOT_NUMBERS), *NO_NUMBERS, ("#DIV/0!", "gives #DIV/0!")])
def test_number_refused(value: object, do: str) -> None:
    refused = refusal(typed.number, value)
    assert refused.wanted.startswith("a number")
    assert do in refused.do


@pytest.mark.parametrize(
    ("value", "bounds", "wanted"),
    [
        (25, {"low": 1, "high": 24}, "a number from 1 to 24"),
        (0, {"low": 1, "high": 24, "whole": True}, "a whole number from 1 to 24"),
        (0.5, {"low": 1}, "a number of 1 or more"),
        ("5000", {"high": 1000}, "a number up to 1,000"),
        (5.5, {"whole": True}, "a whole number"),
    ],
)
def test_number_names_its_bounds(value: object, bounds: dict[str, float], wanted: str) -> None:
    assert refusal(typed.number, value, **bounds).wanted == wanted
    assert typed.number(24.0000000000004, low=1, high=24, whole=True) == 24


def shares(*values: object, high: float = 1.0) -> list[object]:
    """The column read, a refusal as the text of its advice; a pair is (value, number format)."""
    column = [value if isinstance(value, tuple) else (value, "General") for value in values]
    read = typed.share_column(column, high=high)
    return [item.do if isinstance(item, NotRead) else item for item in read]


QUARTERS: list[object] = "25%|25,0 %|２５％|25|0.25|0,25|25.000%|25 percent| ２５ |25_%".replace("_", NBSP).split("|")


@pytest.mark.parametrize("value", [*QUARTERS, 25, 0.25, 25.0, (0.25, "0%"), (0.25, "0.0 %;[Red]-0.0 %"), ("25", "@")])
def test_a_share_column_of_one_cell(value: object) -> None:
    assert shares(value) == [0.25]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ([0.25, 0.75, 0, None, ""], [0.25, 0.75, 0, None, None]),
        ([25, 75, 0, 1], [0.25, 0.75, 0, 0.01]),
        ([1], [1.0]),
        ([0, 1], [0, 1.0]),
        ([0.1 + 0.2 + 0.7, 0.5], [1.0, 0.5]),
        ([1.0000000000000002], [1.0]),
        (["25%", 25, (0.25, "0.0%")], [0.25, 0.25, 0.25]),
        (["25%", 0.25], [0.25, 0.25]),
        (["25%", 1], [0.25, 1.0]),
        ([(25, '0.0"%"'), (25, r"0\%"), (0.5, '0.0%;"x"')], [0.25, 0.25, 0.5]),
        (["81.67%", "33,333 %", 100], [0.8167, 0.33333, 1.0]),
        ([(1, "0%"), (0, "0%")], [1.0, 0]),
        ([(81.67, "0.0%"), (0.25, "0.0%")], ["type 81.67%, if that is meant: the cell shows 8167%", 0.25]),
    ],
)
def test_share_columns(column: list[object], expected: list[object]) -> None:
    assert shares(*column) == expected


def test_a_mixed_share_column_is_refused_at_each_bare_cell() -> None:
    why = "this column mixes fractions with percent points"
    read = shares(0.25, 25, "25%", 1, 0, None)
    assert read == [f"type 25% or 0.25%: {why}", f"type 25%: {why}", 0.25, f"type 100% or 1%: {why}", 0.0, None]


@pytest.mark.parametrize("value", ["-5%", -0.05, "120%", (1.2, "0%"), (-0.1, "0%"), 101, "101"])
def test_shares_out_of_bounds(value: object) -> None:
    assert shares(value) == ["type a share inside these bounds"]


@pytest.mark.parametrize(("value", "do"), [*table("abc => digits | 25 ‰ => alone | #REF! => repair"), (True, "TRUE")])
def test_what_is_no_share(value: object, do: str) -> None:
    assert do in str(shares(value, 0.5)[0])
    assert shares(value, 0.5)[1] == 0.5


def test_shares_above_one_where_allowed() -> None:
    assert shares("150%", (1.5, "0%"), 50, (4.5, "0%"), high=5) == [1.5, 1.5, 0.5, 4.5]
    assert shares(1.5, high=2) == ["type 150% or 1.5%: without a % it has two meanings"]
    assert shares(1.5, 40, high=2) == [0.015, 0.4]


DAYS = """2027-01 => 2027-01-01 | 2027-1 => 2027-01-01 | 2027/1 => 2027-01-01 | 2027.01 => 2027-01-01
01.2027 => 2027-01-01 | 1/2027 => 2027-01-01 | Jan 2027 => 2027-01-01 | January 2027 => 2027-01-01
jan. 2027 => 2027-01-01 | JAN-2027 => 2027-01-01 | 2027 Jan => 2027-01-01 | Januar_2027 => 2027-01-01
2027年1月 => 2027-01-01 | 2027 年 1 月 => 2027-01-01 | 2027年1月份 => 2027-01-01 | ２０２７年１月 => 2027-01-01
2027–01 => 2027-01-01 | Sept 2026 => 2026-09-01 | may 2026 => 2026-05-01 | 12/2026 => 2026-12-01"""
DATES = """2026-11-30 => 2026-11-30 | 2026/11/30 => 2026-11-30 | 30 Nov 2026 => 2026-11-30 | 30-Nov-2026 => 2026-11-30
Nov 30, 2026 => 2026-11-30 | November 30th, 2026 => 2026-11-30 | 2026年11月30日 => 2026-11-30
2026年11月30号 => 2026-11-30 | 30/11/2026 => 2026-11-30 | 11/30/2026 => 2026-11-30 | 30.11.2026 => 2026-11-30
2026-11-30T08:15:00Z => 2026-11-30 | 2026-11-30 08:15 => 2026-11-30 | 03/03/2027 => 2027-03-03"""
CELLS = [(dt.date(2027, 1, 15), "2027-01-15"), (dt.datetime(2027, 1, 31, 12), "2027-01-31"), (46388, "2027-01-01")]
NOT_DAYS = """03/04/2027 => 2027-04-03 or 2027-03-04 | 03.04.2027 => look alike | Jan-27 => 2000 to 2099 | 2027 => year
soon => year | Ja 2027 => year | 2026-02-30 => calendar | 31/31/2026 => calendar | 30/11/26 => year | #VALUE! => repair
2027-01-01-01 => year | 01-2027-05 => year"""
NO_DAYS = [(46388.5, "year"), (2027, "year"), (202701, "year"), (dt.date(1900, 1, 2), "year"), (math.nan, "finite")]
NO_DAYS += [(True, "TRUE"), (None, "empty"), (-1, "year")]


@pytest.mark.parametrize(("value", "expected"), [*table(DAYS), *table(DATES), *CELLS, (46400.0, "2027-01-13")])
def test_dates_and_months(value: object, expected: str) -> None:
    day = dt.date.fromisoformat(expected)
    assert typed.month(value) == day.replace(day=1)
    assert type(typed.month(value)) is dt.date
    if (value, expected) in table(DAYS):
        assert refusal(typed.date, value).do == "type the day too"
    else:
        assert typed.date(value) == day


@pytest.mark.parametrize(("value", "do"), [*table(NOT_DAYS), *NO_DAYS])
def test_dates_and_months_refused(value: object, do: str) -> None:
    for read in (typed.month, typed.date):
        refused = refusal(read, value)
        assert refused.wanted.startswith(f"a {read.__name__}")
        assert do in refused.do


@pytest.mark.parametrize(("value", "do"), table("13.2027 => calendar | 2027-13 => calendar | 1899-12 => 2000 to 2099"))
def test_months_refused(value: str, do: str) -> None:
    assert do in refusal(typed.month, value).do


MODES = {"api": ("API", "接口"), "on_prem": ("On-premises", "本地部署"), "30-day": ("30 days", "每月30天")}
CHOSEN = """api => api | API => api | ＡＰＩ => api | 接口 => api | on-prem => on_prem | On_Prem => on_prem
On premises => on_prem | 本地 部署 => on_prem | 30 day => 30-day | 30‑day => 30-day | 每月３０天 => 30-day"""


@pytest.mark.parametrize(("value", "key"), table(CHOSEN))
def test_choice(value: str, key: str) -> None:
    assert typed.choice(value, MODES) == key
    assert typed.choice(value.replace(NBSP, "_"), MODES) == key


@pytest.mark.parametrize(
    ("value", "do"), table("on_perm => on_prem, if | 本地部 => on_prem, if | xyzzy => choose | =>")
)
def test_choice_refused(value: object, do: str) -> None:
    refused = refusal(typed.choice, value, options=MODES)
    assert refused.wanted == "one of api, on_prem, 30-day"
    assert do in refused.do


@pytest.mark.parametrize("expected", ["yes", "no"])
def test_yes_no(expected: str) -> None:
    ways = {"yes": [True, 1, 1.0, "Y", "是", "TRUE", "on", "Ｙes"], "no": [False, 0, "n", "否", "false", "No "]}
    assert {typed.yes_no(way) for way in ways[expected]} == {expected}
    assert refusal(typed.yes_no, "maybe").wanted == "one of yes, no"


TEXTS = [(123, "123"), (123.0, "123"), (1.5, "1.5"), (1e300, "1e+300"), (None, ""), (True, "TRUE"), ("a\tb", "a\tb")]
TEXTS += [("a\r\nb\rc", "a\nb\nc"), ("x" * 32767, "x" * 32767), (dt.date(2026, 11, 30), "2026-11-30")]
TEXTS += table("00123 => 00123 | 1E5 => 1E5 | _ a b\t => a b | 推理平台 => 推理平台 | =1+1 => =1+1 | \ufeffa => a")
NUMBER_LIKE = st.text(alphabet="0123456789,. eEkKmM亿万%-'/年月", max_size=14)


@pytest.mark.parametrize(("value", "expected"), TEXTS)
def test_text(value: object, expected: str) -> None:
    assert typed.text(value) == expected


@pytest.mark.parametrize("char", ["\ud800", "\x00", "\x1b", "\uffff"])
def test_text_that_breaks_a_workbook(char: str) -> None:
    assert refusal(typed.text, f"a{char}b").do == f"delete the invisible character U+{ord(char):04X}"
    assert refusal(typed.text, "😀" * 16384).do == refusal(typed.text, "a" * 32768).do == "shorten it"


ECHOES = """1,800,000,000 = 1.8 billion = 18 亿 | 150,000,000 = 150 million = 1.5 亿
1,234,567,891 ≈ 1.235 billion ≈ 12.346 亿 | 1,000,500,000 ≈ 1.001 billion = 10.005 亿 | 999,999,999 ≈ 1 billion ≈ 10 亿
99,999,999 ≈ 100 million ≈ 1 亿 | 180000 = 180 thousand = 18 万 | 1800 = 1.8 thousand | 950 | 0
3,600,000,000,000 = 3.6 trillion = 3.6 万亿"""


@pytest.mark.parametrize("echo", [echo.strip() for echo in re.split(r"[|\n]", ECHOES)])
def test_volume_in_words(echo: str) -> None:
    volume = typed.tokens(re.split("[=≈]", echo)[0])
    assert typed.volume_in_words(volume) == typed.volume_in_words(int(volume)) == echo
    assert typed.volume_in_words(2.5) == "≈ 3"


@given(st.integers(0, 2**53) | st.floats(1000, 1e18))
def test_every_echo_reads_back(volume: float) -> None:
    for sign, part in re.findall(r"([=≈]?) ?([^=≈]+)", typed.volume_in_words(volume)):
        exact = sign == "=" or (not sign and float(volume).is_integer())
        assert typed.tokens(part) == (volume if exact else pytest.approx(volume, rel=1e-3 / 2, abs=0.5))


@given(st.integers(1, 10**15), st.sampled_from([" ", NBSP, NARROW, THIN, "'", ""]))
def test_grouped_digits_read_back(volume: int, separator: str) -> None:
    assert typed.tokens(f"{volume:,}".replace(",", separator)) == volume
    assert typed.number(f"{volume:,}".replace(",", separator)) == volume


@given(st.decimals(1, 999, places=2), st.sampled_from(sorted(typed._SCALES)), st.sampled_from(["", " ", NBSP]))
def test_a_comma_and_a_dot_mean_the_same_with_a_scale_word(amount: object, word: str, gap: str) -> None:
    dotted = f"{amount}{gap}{word}"
    assert typed.tokens(dotted) == typed.tokens(dotted.replace(".", ",")) == typed.tokens(dotted.upper())


@given(st.integers(0, 100))
def test_one_share_in_every_way(percent: int) -> None:
    ways = [f"{percent}%", f"{percent},0 %", f"{percent}.00%", (percent / 100, "0%"), (percent, '0"%"')]
    assert shares(*ways) == [percent / 100] * len(ways)


@given(NUMBER_LIKE | st.text(max_size=20) | st.floats() | st.integers() | st.none() | st.datetimes() | st.dates())
def test_anything_is_read_or_refused_in_words(value: object) -> None:
    for read in (typed.tokens, typed.number, typed.month, typed.date, typed.text, typed.yes_no):
        try:
            read(value)
        except NotRead as refused:
            assert refused.wanted
            assert refused.do
    typed.share_column([(value, "General"), (value, "0%"), (0.5, "General")])
