"""Every function of the closed table: its cases in numpy and, from cells, in an independent spreadsheet engine."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from typing import Any

import ironcalc
import numpy as np
import pytest
import xlsxwriter
from builders import BLANK, plain
from xlsxwriter.utility import xl_rowcol_to_cell

from planner.calc import functions
from planner.calc.expr import Call, Ref
from planner.calc.formulas import Printer
from planner.calc.functions import FUNCTIONS, as_date, as_serial

NO_NUMBER = math.nan  # numpy: NaN; in the cell: an error


def day(text: str) -> float:
    return as_serial(dt.date.fromisoformat(text))


def exactly(failed: int, trials: int, chance: float) -> float:
    """At most `failed` of `trials`, summed in logarithms: no number in it is too large."""
    logs = [
        math.lgamma(trials + 1) - math.lgamma(j + 1) - math.lgamma(trials - j + 1)
        + j * math.log(chance) + (trials - j) * math.log1p(-chance)
        for j in range(failed + 1)
    ]  # fmt: skip
    return math.fsum(map(math.exp, logs))


# function, arguments, what both engines must give; these stand beside the table's own cases
EDGES: list[tuple[str, tuple[Any, ...], Any]] = [
    ("div", (1, 0), NO_NUMBER),
    ("div", (-7, 2), -3.5),
    ("ratio", (0, 0, 7), 7),
    ("ratio", (5, -2, 0), -2.5),
    # rounding: half away from zero, as a person reads the decimals
    ("rounded", (0.5, 0), 1),
    ("rounded", (-0.5, 0), -1),
    ("rounded", (1.45, 1), 1.5),
    ("rounded", (2.675, 2), 2.68),
    ("rounded", (-1.005, 2), -1.01),
    ("rounded", (8.345, 2), 8.35),
    ("rounded", (1250, -2), 1300),
    ("rounded", (123456789.125, 2), 123456789.13),
    ("rounded", (1e16, 2), 1e16),
    ("rounded", (1e300, 2), 1e300),
    ("rounded", (0, 4), 0),
    # rounding: nearly half is not half
    ("rounded", (2.4999997, 0), 2),
    ("rounded", (-2.4999996, 0), -2),
    ("rounded", (2.49999999999, 0), 2),
    ("rounded", (4.9999995e-10, 9), 0),
    ("reaches", (1, 1.0000000004), 1),
    ("reaches", (1, 1.0000000006), 0),
    ("reaches", (0.999999999, 1), 0),
    ("reaches", (1e12, 1e12 + 1), 0),
    ("ceil", (1e-10,), 0),
    ("ceil", (1e-9,), 1),
    ("ceil", (2.0000000004,), 2),
    ("ceil", (2.0000000006,), 3),
    ("ceil", (-0.5,), -1),
    ("ceil", (1.1574074074074072 * 1.3 * 1.5,), 3),
    ("floor", (2.9999999994,), 2),
    ("floor", (2.9999999996,), 3),
    ("floor", ((5 - 0.5) / 0.02,), 225),
    ("floor", ((30 - 3) / 0.1,), 270),
    ("floor", (-2.1,), -2),
    ("whole", (-0.5,), -1),
    ("whole", (11 / 12,), 0),
    ("whole", (24 / 12,), 2),
    ("remainder", (-1, 12), 11),
    ("remainder", (5.5, 2), 1.5),
    ("absolute", (0,), 0),
    ("exp", (-745,), 5e-324),
    ("log", (0,), NO_NUMBER),
    ("log", (-1,), NO_NUMBER),
    # chance: the ends, many trials, more trials than a factorial fits into
    ("binomial_up_to", (0, 1, 0), 1),
    ("binomial_up_to", (0, 1, 1), 0),
    ("binomial_up_to", (1, 1, 1), 1),
    ("binomial_up_to", (0, 0, 0.1), 1),
    ("binomial_up_to", (3, 3, 0.5), 1),
    ("binomial_up_to", (50, 600, 0.9), 0),
    ("binomial_up_to", (20, 600, 0.0128), exactly(20, 600, 0.0128)),
    ("binomial_up_to", (20, 1200, 0.0128), exactly(20, 1200, 0.0128)),
    ("binomial_up_to", (1000, 2000, 0.5), exactly(1000, 2000, 0.5)),
    # absurd numbers of replicas, by a recursion in 60 decimal digits: quick, and a factorial's logarithm is too coarse
    ("binomial_up_to", (10, 20_000, 0.0005), 0.5830397528007484),
    ("binomial_up_to", (1300, 100_000, 0.0128), 0.7189558191281276),
    ("binomial_up_to", (12_900, 1_000_000, 0.0128), 0.8144286559549793),
    # dates: ends of months, leap years, back in time
    ("months_later", (day("2027-01-31"), 1), day("2027-02-28")),
    ("months_later", (day("2024-01-31"), 1), day("2024-02-29")),
    ("months_later", (day("2024-02-29"), 12), day("2025-02-28")),
    ("months_later", (day("2024-02-29"), 48), day("2028-02-29")),
    ("months_later", (day("2027-01-01"), -1), day("2026-12-01")),
    ("months_later", (day("2027-01-01"), 0), day("2027-01-01")),
    ("months_later", (day("2027-01-01"), 59), day("2031-12-01")),
    ("month_days", (day("2024-02-01"),), 29),
    ("month_days", (day("2100-02-15"),), 28),
    ("month_days", (day("2027-12-31"),), 31),
    ("month_of", (day("2024-12-31"),), 12),
    ("year_of", (day("2024-12-31"),), 2024),
    ("year_of", (day("2025-01-01"),), 2025),
    ("day_of", (day("2024-02-29"),), 29),
    # text
    ("fixed", (0, 2), "0.00"),
    ("fixed", (-0.001, 2), "0.00"),
    ("fixed", (-1234.567, 2), "-1,234.57"),
    ("fixed", (999.995, 2), "1,000.00"),
    ("fixed", (1.005, 2), "1.01"),
    ("fixed", (2.5, 0), "3"),
    ("fixed", (-0.5, 0), "-1"),
    ("fixed", (1e12, 0), "1,000,000,000,000"),
    ("fixed", (123456789012.345, 1), "123,456,789,012.3"),
    ("fixed", (1499999.4999999, 0), "1,499,999"),
    ("digits", (0,), "0"),
    ("digits", (-3,), "-3"),
    ("digits", (1e15,), "1000000000000000"),
    ("join", ("a", "", "b"), "ab"),
    ("join", ("日", "本", "語", " → x"), "日本語 → x"),
    ("as_text", ("",), ""),
    ("given", (" ",), 1),
    ("same", ("Ä", "ä"), 1),
    ("same", ("中文", "中文"), 1),
    ("same", ("", ""), 1),
    ("same", ("a", ""), 0),
    ("same", ("*", "anything"), 0),
    ("same", ("<5", "4"), 0),
    ("same", ("2", "2"), 1),
    # flags and branches
    ("both", (1, 1, 0), 0),
    ("both", (2, -3), 1),
    ("either", (0, 0, 1), 1),
    ("opposite", (2,), 0),
    ("where", (1, "a", "b"), "a"),
    ("where", (0, "a", "b"), "b"),
    ("where", (-1, 1, 0), 1),
    ("largest", (5,), 5),
    ("smallest", (4, 4, 9, -1), -1),
    # blank cells
    ("known", (BLANK,), 0),
    ("known", (0,), 1),
    ("or_else", (BLANK, 5), 5),
    ("or_else", (0, 5), 0),
    ("ge", (0.1 + 0.2, 0.4), 0),
]
CASES = [(name, args, wanted) for name, f in FUNCTIONS.items() for args, wanted in f.cases] + EDGES
NAMES = [f"{i}-{name}" for i, (name, _, _) in enumerate(CASES)]


class Cells:
    """The arguments of a case stand beside its formula."""

    def __init__(self, row: int) -> None:
        self.row = row

    def cell(self, name: str, coord: Any) -> str:
        return xl_rowcol_to_cell(self.row, int(name))


def agrees(got: Any, wanted: Any) -> bool:
    if isinstance(wanted, str):
        return isinstance(got, str) and got == wanted
    if wanted != wanted:
        return (isinstance(got, str) and got.startswith("#")) or (isinstance(got, float) and got != got)
    return not isinstance(got, str) and math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-12)


@pytest.fixture(scope="module")
def in_cells(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Any]:
    """All cases in one workbook, recalculated once."""
    path = tmp_path_factory.mktemp("functions") / "cases.xlsx"
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet()
        for row, (name, args, _) in enumerate(CASES):
            call = Call(name, tuple(Ref(str(i)) for i in range(1, len(args) + 1)))
            page.write_formula(row, 0, Printer(Cells(row), {}, lambda _: False).formula(call, {}), None, "")
            for column, value in enumerate(args, 1):
                if value == value and value != "":
                    (page.write_string if isinstance(value, str) else page.write_number)(row, column, value)
    model = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
    model.evaluate()
    return lambda row: model.get_cell_value(0, row + 1, 1)


def test_wide_distributions_are_summed_without_their_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a sum of terms gives way to its normal form the two agree; beyond, no term is kept at all."""
    up_to = FUNCTIONS["binomial_up_to"].numbers
    trials, chance = 4 * 10**12, 0.01
    spread = math.sqrt(trials * chance * (1 - chance))
    for away in (-6, -3, -1, -0.3, 0, 0.5, 2, 5):
        asked = int(trials * chance + away * spread), trials, chance
        near = up_to(*asked)
        with monkeypatch.context() as patched:
            patched.setattr(functions, "WIDE", math.inf)
            assert near == pytest.approx(up_to(*asked), abs=1e-10)
    assert up_to(10**18, 10**20, 0.01) == pytest.approx(0.5, abs=1e-9)
    poisson = FUNCTIONS["poisson_up_to"].numbers
    for mean, near in ((9e9, 1e-4), (1.01e10, 1e-9), (1e24, 1e-9)):  # 1/2 and 2/3 of the largest term
        assert poisson(mean, mean) == pytest.approx(0.5 + 2 / 3 / math.sqrt(2 * math.pi * mean), abs=near)


def test_a_number_of_thirty_digits_is_written_with_the_digits_that_a_spreadsheet_shows() -> None:
    fixed = FUNCTIONS["fixed"].numbers
    assert fixed(1e30 / 3, 2) == "333,333,333,333,333,000,000,000,000,000.00"
    assert (fixed(975462962987711.8, 1), fixed(90257149306551152, 0)) == (
        "975,462,962,987,712.0", "90,257,149,306,551,200",
    )  # fmt: skip


def test_every_function_has_a_case() -> None:
    assert [name for name, f in FUNCTIONS.items() if not f.cases] == []
    assert {name for name, _, _ in EDGES} <= FUNCTIONS.keys()


@pytest.mark.parametrize(("name", "args", "wanted"), CASES, ids=NAMES)
def test_in_numpy(name: str, args: tuple[Any, ...], wanted: Any) -> None:
    assert agrees(plain(FUNCTIONS[name].numbers(*args)), wanted)


@pytest.mark.parametrize(("name", "args", "wanted"), CASES, ids=NAMES)
def test_in_numpy_entry_by_entry(name: str, args: tuple[Any, ...], wanted: Any) -> None:
    """The engine never calls a function with one number, but with arrays of objects (texts) or floats."""
    columns = [np.array([a, a], object if isinstance(a, str) else float) for a in args]
    got = np.asarray(FUNCTIONS[name].numbers(*columns))
    assert got.shape == (2,)
    assert all(agrees(plain(entry), wanted) for entry in got)


@pytest.mark.parametrize(("row", "name", "wanted"), [(i, n, w) for i, (n, _, w) in enumerate(CASES)], ids=NAMES)
def test_in_a_spreadsheet(in_cells: Callable[[int], Any], row: int, name: str, wanted: Any) -> None:
    assert agrees(in_cells(row), wanted)


def test_equal_strength_on_the_right_keeps_its_brackets() -> None:
    a, b, c = Ref("1"), Ref("2"), Ref("3")
    printer = Printer(Cells(0), {}, lambda _: False)
    written = {
        a - (b - c): "=B1-(C1-D1)",
        a - b - c: "=B1-C1-D1",
        a / (b / c): "=B1/(C1/D1)",
        a * (b + c): "=B1*(C1+D1)",
        a + b * c: "=B1+C1*D1",
        Call("ratio", (a + b, c, a)): "=IF(D1=0,B1,(B1+C1)/D1)",
        Call("reaches", (a + b, b - c)): "=ROUND(B1+C1-(C1-D1),9)>=0",
        Call("join", (a, Call("where", (b, a, c)))): "=B1&IF(C1,B1,D1)",
    }
    assert {e: printer.formula(e, {}) for e in written} == written


@pytest.mark.parametrize("text", ["1900-03-01", "2024-02-29", "2027-01-01", "2100-12-31"])
def test_dates_go_there_and_back(text: str) -> None:
    assert as_date(day(text)).isoformat() == text
