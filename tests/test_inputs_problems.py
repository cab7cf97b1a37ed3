"""Problems of an input workbook: all at once, each by its cell."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking import refused, typed
from workbooks import (
    FIRST_ROW,
    FORM,
    Edited,
    Formula,
    Reader,
    Shown,
    built,
    column_of,
    planner,
    reader,
    sample,
    table_of,
)

from planner.resources import table

# ---- problems, all at once


def test_all_problems_at_once_each_by_its_cell(tmp_path: Path) -> None:
    scalars = {
        "total_tokens": "1.8", "peak_factor": "lots", "horizon_months": 61, "deployment_mode": "cloud",
        "retry_rate": "-5%", "start_month": "13/2027", "peak_hours": Formula("=12+12"), "buffer_factor": "#REF!",
    }  # fmt: skip
    edited = Edited(sample("hybrid").input).plan(**scalars)
    edited.row("Models", 2, token_share=8167).row("Models", 4, gpus_per_replica=2.5)
    edited.row("Tenants", 1, fallback="mabye", start_date="03/04/2027")
    edited.row("Tenants", 7, owner="Nobody's")
    edited.row("Curves", 7, curve="LINEAR").set("SLA tiers!E6", "x")
    found = refused(edited.save(tmp_path / "input.xlsx"))
    assert sorted(line.partition(": found")[0] for line in found) == sorted([
        *map(edited.where, scalars), "Models!E7", "Models!K9", "Tenants!H6", "Tenants!J6", "Tenants!C12",
        "Curves!C12", "'SLA tiers'!E6",
    ])  # fmt: skip


def test_sums_are_told_together_with_everything_else(tmp_path: Path) -> None:
    """Everything at once: nobody corrects one cell to be told about the next."""
    edited = Edited(sample("hybrid").input).plan(peak_factor="lots").row("Models", 1, token_share=0.5)
    edited.row("Tenants", 1, quota_share=0.5)
    found = "\n".join(refused(edited.save(tmp_path / "input.xlsx")))
    assert edited.where("peak_factor") in found and "105" in found and "110" in found


@pytest.mark.parametrize(
    ("tab", "key", "shares", "found"),
    [
        ("Models", "token_share", [0.45, 0.15, 0.10, 0.20, 0.15], "105"),
        ("Models", "token_share", [0.45, 0.15, 0.10, 0.20, 0.05], "95"),
        ("Tenants", "quota_share", [0.5, 0.2, 0.2, 0.15, 0.05], "110"),
        ("Tenants", "quota_share", [0.4, 0.2, 0.2, 0.15, 0.0499], "99.99"),
        ("Tenants", "quota_share", [None, None, None, None, None], "0"),
    ],
)
def test_shares_that_do_not_sum_to_1_are_refused_with_the_sum(
    tab: str, key: str, shares: list[float], found: str, tmp_path: Path
) -> None:
    edited = Edited(sample("hybrid").input)
    for number, share in enumerate(shares, 1):
        edited.row(tab, number, **{key: share})
    [line] = refused(edited.save(tmp_path / "input.xlsx"))
    assert line.startswith(f"{tab}!{column_of(tab, key)}")
    assert re.search(rf"\b{found}(\.0+)? ?%", line) and "100 %" in line


@pytest.mark.parametrize("shares", [[1 / 3, 1 / 3, 1 / 3], [0.1] * 9 + [0.1000000001], ["33.4%", "33.3%", "33.3%"]])
def test_shares_that_miss_1_by_dust_are_taken(shares: list[Any], tmp_path: Path) -> None:
    edited = Edited(sample("api").input)
    rows = [{"tenant": f"T{i}", "quota_share": share} for i, share in enumerate(shares)]
    assert planner("check", edited.only("Tenants", *rows).save(tmp_path / "input.xlsx")).code == 0


def test_no_tenants_at_all_is_a_plan_without_quotas(tmp_path: Path) -> None:
    read = built(Edited(sample("api").input).empty("Tenants").save(tmp_path / "input.xlsx"))
    assert (read["quota_total"], read["checks_failed"]) == (0, 0)


@pytest.mark.parametrize(
    ("tab", "row", "fields"),
    [
        ("Models", 7, {"token_share": 0.1}), ("Models", 6, {"source": "me"}), ("Tenants", 6, {"quota_share": 0.1}),
        ("Pools", 3, {"gpus_total": 8}), ("Curves", 8, {"m1": 1}), ("Phases", 5, {"month_start": 1}),
        ("SLA tiers", 4, {"availability": 0.9}), ("Levers", 7, {"saving_low": 0.1}),
    ],
)  # fmt: skip
def test_a_row_with_figures_and_no_name_is_refused(tab: str, row: int, fields: dict[str, Any], tmp_path: Path) -> None:
    edited = Edited(sample("hybrid").input)
    first = table_of(tab).first
    edited.row(tab, row, **{first: None}, **fields)
    [line] = refused(edited.save(tmp_path / "input.xlsx"))
    quoted = f"'{tab}'" if " " in tab else tab
    assert line.startswith(f"{quoted}!{column_of(tab, first)}{FIRST_ROW + row - 1}: found nothing")
    assert table_of(tab).specs[next(iter(fields))].label in line and table_of(tab).specs[first].label in line


@pytest.mark.parametrize(
    ("tab", "first", "second"),
    [("Curves", "linear", "Linear"), ("Curves", "s_curve", "S_CURVE"), ("SLA tiers", "standard", "STANDARD"),
     ("Phases", "Pilot", "pilot"), ("Levers", "Batch API", "BATCH api")],
)  # fmt: skip
def test_a_name_that_differs_only_in_case_is_refused_where_names_are_looked_up(
    tab: str, first: str, second: str, tmp_path: Path
) -> None:
    edited = Edited(sample("api").input)
    key = table_of(tab).first
    used = sum(1 for row in typed(sample("api").input)[tab] if row is not None)
    edited.row(tab, 1, **{key: first}).row(tab, used + 1, **{key: second})
    for number in range(2, used + 1):
        cell = edited.book[tab][f"{column_of(tab, key)}{FIRST_ROW + number - 1}"]
        if str(cell.value).lower() == first.lower():
            cell.value = f"row {number}"
    found = refused(edited.save(tmp_path / "input.xlsx"))
    assert any(f"{column_of(tab, key)}{FIRST_ROW + used}: found" in line and "second time" in line for line in found)


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("total_tokens", "1.8", "1.8B"),
        ("total_tokens", 1.8, "1.8B"),
        ("total_tokens", "1,800", "1800"),
        ("total_tokens", "-5B", "negative"),
        ("total_tokens", "1.8 gazillion", "gazillion"),
        ("total_tokens", "#DIV/0!", "#DIV/0!"),
        ("total_tokens", True, "TRUE"),
        ("horizon_months", 0, "from 1 to 60"),
        ("horizon_months", 12.5, "whole"),
        ("start_month", "03/04/2027", "2027"),
        ("peak_factor", "300%", "percent"),
        ("sla_tier", "platinum", "standard"),
        ("growth_curve", "exponential", "linear"),
        ("deployment_mode", "onprem?", "on_prem"),
        ("plan_name", Formula("=A1"), "without a stored value"),
        ("Models!E6", Shown(81.67, "0.0%"), "8167"),
        ("Models!E6", "3/4", "share"),
        ("Tenants!G6", 0.5, "of 1 or more|from 1"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_by_its_cell(
    place: str, value: Any, words: str, tmp_path: Path
) -> None:
    edited = Edited(sample("api").input)
    found = refused(edited.set(edited.where(place), value).save(tmp_path / "input.xlsx"))
    assert found[0].startswith(f"{edited.where(place)}: found ")
    assert re.search(words, found[0]), found[0]


def test_a_ratio_of_nothing_to_nothing_is_refused(tmp_path: Path) -> None:
    """0 : 0 says nothing about input and output; it must not become all output."""
    source = Edited(sample("api").input).plan(input_parts=0, output_parts=0).save(tmp_path / "input.xlsx")
    assert refused(source)


@pytest.mark.parametrize(
    "change",
    [
        lambda e: e.plan(currency="USD"),  # a plan in USD whose reference prices would still be multiplied by 0.92
        lambda e: e.plan(currency=None),
        lambda e: e.row("Pools", 1, gpus_healthy=100),  # of 48
        lambda e: e.row("Pools", 1, gpus_allocated=100),
        lambda e: e.row("Models", 1, gpu="A100"),  # 40 or 80 GB?
        lambda e: e.row("Pools", 1, gpu="A100 80GB SXM4"),
        lambda e: e.row("Pools", 3, pool="Total", gpus_total=_gpus(e)),
        lambda e: e.row("Pools", 3, **_pool(e)),
        lambda e: _renamed(e, "Curves", "Curves 2027"),
        lambda e: _renamed(e, "Tenants", "Old tenants"),
    ],
    ids=[
        "USD with a rate",
        "no currency with a rate",
        "more healthy than there are",
        "more allocated than there are",
        "a GPU of two sizes",
        "a GPU by another name",
        "a row that adds up the others",
        "a pool on two rows",
        "a tab of another name",
        "another tab of another name",
    ],
)
def test_what_contradicts_itself_is_refused_or_fails_a_check(
    change: Callable[[Edited], Edited], tmp_path: Path
) -> None:
    source = change(Edited(sample("hybrid").input)).save(tmp_path / "input.xlsx")
    found = refused(source)
    assert len(found) == 1 and FORM.fullmatch(found[0]), found


def _gpus(edited: Edited) -> int:
    sheet, column = edited.book["Pools"], column_of("Pools", "gpus_total")
    return sum(sheet[f"{column}{FIRST_ROW + i}"].value or 0 for i in range(2))


def _pool(edited: Edited) -> dict[str, Any]:
    """The first row, typed again."""
    sheet = edited.book["Pools"]
    return {key: sheet[f"{column_of('Pools', key)}{FIRST_ROW}"].value for key in table_of("Pools").specs}


def test_a_name_that_left_its_key_is_refused_by_its_cell(tmp_path: Path) -> None:
    """A row pasted over: the name points at one figure, the key stands beside another, and one of them would win."""
    edited = Edited(sample("api").input)
    there = edited.where("peak_factor")
    row = int(re.sub(r"[^0-9]", "", there))
    edited.book.defined_names["peak_factor"].attr_text = f"'Plan'!$D${row + 1}"
    found = refused(edited.save(tmp_path / "input.xlsx"))
    assert any("the name peak_factor" in line and f"{row}" in line for line in found), found


def _renamed(edited: Edited, tab: str, name: str) -> Edited:
    edited.book[tab].title = name
    return edited


def test_a_tab_that_is_not_there_is_said(tmp_path: Path) -> None:
    edited = Edited(sample("hybrid").input)
    del edited.book["Levers"]
    outcome = planner("check", edited.save(tmp_path / "input.xlsx"))
    assert outcome.code == 0 and "Levers" in planner("build", tmp_path / "input.xlsx", "-o", tmp_path / "p.xlsx").err


def test_a_curve_without_any_weight_is_refused_or_fails_a_check(tmp_path: Path) -> None:
    weights = {f"m{i}": 0 for i in range(1, 13)}
    source = (
        Edited(sample("api").input).plan(growth_curve="custom").row("Curves", 7, **weights).save(tmp_path / "i.xlsx")
    )
    outcome = planner("build", source, "-o", tmp_path / "plan.xlsx")
    assert outcome.code == 2 or Reader(tmp_path / "plan.xlsx")["checks_failed"] >= 1


def test_a_formula_without_its_value_is_refused_by_cell_in_every_tab(tmp_path: Path) -> None:
    edited = Edited(sample("hybrid").input).plan(ops_per_month=Formula("=1000*9"))
    edited.row("Models", 1, token_share=Formula("=0.4+0.05")).row("Tenants", 2, owner=Formula('="a"'))
    found = refused(edited.save(tmp_path / "input.xlsx"))
    wanted = [edited.where("ops_per_month"), "Models!E6", "Tenants!D7"]
    assert [line.partition(": found")[0] for line in found[:3]] == wanted
    assert all("without a stored value" in line and "save it" in line for line in found[:3])


def test_electricity_typed_and_reckoned_fails_its_check(tmp_path: Path) -> None:
    source = Edited(sample("hybrid").input).plan(electricity_per_month=500).save(tmp_path / "input.xlsx")
    outcome = planner("build", source, "-o", tmp_path / "plan.xlsx")
    assert outcome.code == 0 and f"1 of {len(table('checks.csv'))} fail" in outcome.out
    read = Reader(tmp_path / "plan.xlsx")
    assert (read["checks_failed"], reader(sample("hybrid").plan)["checks_failed"]) == (1, 0)
    assert 1 in read.line("Checks", "Electricity entered once")
    assert all(
        any(f"1 of {len(table('checks.csv'))} fail" in str(value) for value in read.rows(tab)[0]) for tab in read.tabs
    )
