"""Input workbooks as people fill them: what is asked, what is refused in which words, what is read as meant."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from workbooks import (
    FIRST_ROW,
    FORM,
    HEADER_ROW,
    SAMPLE_NAMES,
    Edited,
    Formula,
    Outcome,
    Reader,
    Shown,
    api_model,
    blank,
    built,
    column_of,
    files_in,
    guide_tenant,
    planner,
    reader,
    sample,
    set_number,
    table_of,
)

from planner.inputs.field import specs
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import TABLES
from planner.resources import table

NUMBER = re.compile(r"\d[\d,.]*")
SCALARS = specs(PlanInputs)


def refused(source: Path, *options: str) -> list[str]:
    """The problems of an input that must not be built; each in its form, nothing written beside it."""
    before = files_in(source.parent)
    outcome = planner("build", source, "-o", source.with_name("plan.xlsx"), *options)
    assert outcome.code == 2, (outcome.code, outcome.out, outcome.err)
    assert outcome.out == "" and files_in(source.parent) == before
    for line in outcome.problems:
        assert FORM.fullmatch(line), line
    return outcome.problems


def asked(source: Path) -> list[str]:
    """The keys of the questions of an incomplete input, in their order; nothing computed, nothing written."""
    before = files_in(source.parent)
    outcome = planner("build", source, "-o", source.with_name("plan.xlsx"))
    assert outcome.code == 3, (outcome.code, outcome.out, outcome.err)
    assert outcome.out == "" and files_in(source.parent) == before
    assert 1 <= len(outcome.problems) <= 3
    keys = {"Models (first row)": "models", "Models (Deployment)": "deployment", "Pools (first row)": "pools"}
    keys |= {PLACES.where(key): key for key in SCALARS}
    found = []
    for number, line in enumerate(outcome.problems, 1):
        text, _, place = line.partition("  -> ")
        assert text.startswith(f"{number}. ") and text.count("?") == 1
        found.append(keys[place])
    return found


PLACES = Edited(sample("api").input)


def values(source: Path, tmp_path: Path) -> dict[str, Any]:
    """The lines of a plan: name -> values in order."""
    document = tmp_path / "plan.json"
    outcome = planner("build", source, "-o", tmp_path / "plan.xlsx", "--json", document)
    assert outcome.code == 0, outcome.err
    lines = json.loads(document.read_text(encoding="utf-8"))["lines"]
    return {name: [v["value"] for v in line["values"]] for name, line in lines.items()}


def typed(source: Path) -> dict[str, Any]:
    """What the reader makes of a file: scalars by key, and rows by tab. No plan is computed."""
    from planner.inputs.reader import read_draft

    draft = read_draft(source)
    assert not draft.problems, [str(p) for p in draft.problems]
    return {**draft.scalars, **draft.rows}


# ---- required inputs

REQUIRED: dict[str, Callable[[Edited], Edited]] = {
    "total_tokens": lambda e: e.plan(total_tokens=None),
    "models": lambda e: e.empty("Models"),
    "deployment_mode": lambda e: e.plan(deployment_mode=None),
    "deployment": lambda e: e.row("Models", 1, deployment=None),
    "pools": lambda e: e.empty("Pools"),
    "usage_pattern": lambda e: e.plan(usage_pattern=None),
    "sla_tier": lambda e: e.plan(sla_tier=None),
    "start_month": lambda e: e.plan(start_month=None),
    "usd_to_currency": lambda e: e.plan(usd_to_currency=None),
}  # most decisive first
NEEDED = {
    "api": [k for k in REQUIRED if k not in ("deployment", "pools", "usd_to_currency")],
    "on-prem": [k for k in REQUIRED if k not in ("deployment", "usd_to_currency")],
    "hybrid": list(REQUIRED),
}


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, keys in NEEDED.items() for key in keys])
def test_a_missing_required_input_is_the_one_question(name: str, key: str, tmp_path: Path) -> None:
    source = REQUIRED[key](Edited(sample(name).input)).save(tmp_path / "input.xlsx")
    assert asked(source) == [key]


@pytest.mark.parametrize("blank_as", ["", " ", "\u3000", "\u00a0\n"])
def test_spaces_are_as_good_as_nothing(blank_as: str, tmp_path: Path) -> None:
    source = Edited(sample("on-prem").input).plan(total_tokens=blank_as, sla_tier=blank_as).save(tmp_path / "i.xlsx")
    assert asked(source) == ["total_tokens", "sla_tier"]


MISSING = [
    c for n in (2, 3) for c in combinations(("total_tokens", "models", "usage_pattern", "sla_tier", "start_month"), n)
]


@pytest.mark.parametrize(
    "keys", [*MISSING[::4], tuple(NEEDED["hybrid"]), ("pools", "sla_tier", "start_month")], ids=" ".join
)
def test_several_missing_inputs_are_asked_in_their_order_three_at_a_time(keys: tuple[str, ...], tmp_path: Path) -> None:
    edited = Edited(sample("on-prem").input)
    for key in keys:
        REQUIRED[key](edited)
    source = edited.save(tmp_path / "input.xlsx")
    wanted = [key for key in REQUIRED if key in keys and key not in ("deployment", "usd_to_currency")]
    if "deployment_mode" in keys:
        wanted.remove("pools")  # whether GPUs are needed is not known yet
    assert asked(source) == wanted[:3]


def test_a_question_gives_away_no_figure_of_the_plan(tmp_path: Path) -> None:
    """Examples and SLA levels may stand in a question, results may not."""
    source = Edited(sample("hybrid").input).plan(usage_pattern=None, sla_tier=None).save(tmp_path / "input.xlsx")
    said = planner("build", source, "-o", tmp_path / "plan.xlsx").err
    assert set(NUMBER.findall(re.sub(r"->.*|^\d\. ", "", said, flags=re.MULTILINE))) <= {"99.9", "99.5"}


def test_a_blank_workbook_asks_for_tokens_first() -> None:
    assert asked(blank()) == ["total_tokens", "models", "deployment_mode"]


def test_check_asks_the_same_in_words_and_as_json() -> None:
    said, found = planner("check", blank()), json.loads(planner("check", blank(), "--json").out)["questions"]
    for question, line in zip(found, said.problems, strict=True):
        assert question["text"] in line and question["place"] in line
        assert all(option in line for option in question["options"])


def test_a_question_offers_the_tiers_of_the_workbook(tmp_path: Path) -> None:
    edited = Edited(sample("api").input).plan(sla_tier=None).row("SLA tiers", 4, sla_tier="gold", availability=0.9995)
    source = edited.save(tmp_path / "input.xlsx")
    [question] = json.loads(planner("check", source, "--json").out)["questions"]
    assert question["options"] == ["business_critical", "standard", "best_effort", "gold"]


def test_problems_come_before_questions(tmp_path: Path) -> None:
    edited = Edited(sample("api").input).plan(total_tokens=None, peak_factor=0.5)
    found = refused(edited.save(tmp_path / "input.xlsx"))
    assert [line.split(":")[0] for line in found] == [edited.where("peak_factor")]


# ---- a rough example on explicit wish


@pytest.fixture(scope="module")
def rough(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], Outcome]:
    """The plan of the blank workbook, its JSON, and what was said."""
    folder = tmp_path_factory.mktemp("rough")
    plan, document = folder / "plan.xlsx", folder / "plan.json"
    outcome = planner("build", blank(), "-o", plan, "--json", document, "--illustrative")
    assert outcome.code == 0
    return plan, json.loads(document.read_text()), outcome


def test_illustrative_fills_the_gaps_and_says_so_everywhere(rough: tuple[Path, dict[str, Any], Outcome]) -> None:
    plan, found, outcome = rough
    assumed = ["start_month", "total_tokens", "deployment_mode", "usage_pattern", "sla_tier", "models"]
    assert found["illustrative"] is True and sorted(found["assumed"]) == sorted(assumed)
    assert [line for line in outcome.out.splitlines() if "ILLUSTRATIVE" in line][-6:] == [
        f"ILLUSTRATIVE: {key} was assumed." for key in found["assumed"]
    ]
    for sheet in Reader(plan).cells:
        assert any("ILLUSTRATIVE" in str(c.value) for row in sheet.iter_rows(max_row=2) for c in row), sheet.title
        assert "ILLUSTRATIVE" in f"{sheet.oddHeader.left.text}{sheet.oddHeader.center.text}{sheet.oddHeader.right.text}"
    assert planner("verify", plan).code == 0


def test_illustrative_lists_what_was_assumed_among_the_assumptions(
    rough: tuple[Path, dict[str, Any], Outcome],
) -> None:
    shown = " ".join(str(v) for row in Reader(rough[0]).rows("Assumptions") for v in row if v)
    for key in ("total_tokens", "deployment_mode", "usage_pattern", "sla_tier", "start_month"):
        assert SCALARS[key].label in shown, key
    assert "ASSUMED" in shown


def test_an_illustrative_plan_built_again_stays_illustrative(
    rough: tuple[Path, dict[str, Any], Outcome], tmp_path: Path
) -> None:
    """A plan is an input; what was assumed once is not known because it stands in a cell now."""
    outcome = planner("build", rough[0], "-o", tmp_path / "b.xlsx", "--json", tmp_path / "b.json")
    assert outcome.code == 0
    first, again = rough[1], json.loads((tmp_path / "b.json").read_text())
    assert again["illustrative"] is True and sorted(again["assumed"]) == sorted(first["assumed"])
    assert "ILLUSTRATIVE" in outcome.out


def test_illustrative_changes_nothing_on_a_complete_input(tmp_path: Path) -> None:
    assert planner("build", sample("api").input, "-o", tmp_path / "p.xlsx", "--illustrative").code == 0
    assert (tmp_path / "p.xlsx").read_bytes() == sample("api").plan.read_bytes()


def test_illustrative_keeps_what_was_typed(tmp_path: Path) -> None:
    source = Edited(blank()).plan(total_tokens="3B", deployment_mode="on_prem").save(tmp_path / "input.xlsx")
    document = tmp_path / "plan.json"
    assert planner("build", source, "-o", tmp_path / "p.xlsx", "--json", document, "--illustrative").code == 0
    found = json.loads(document.read_text())
    assert found["headlines"]["annual_tokens"] == 3e9
    assert sorted(found["assumed"]) == ["models", "pools", "sla_tier", "start_month", "usage_pattern"]


def test_illustrative_does_not_wave_problems_through(tmp_path: Path) -> None:
    edited = Edited(blank()).plan(total_tokens="1.8")
    found = refused(edited.save(tmp_path / "input.xlsx"), "--illustrative")
    assert [line.split(":")[0] for line in found] == [edited.where("total_tokens")]


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
    ],
    ids=["USD with a rate", "no currency with a rate", "more healthy than there are"],
)
def test_what_contradicts_itself_is_refused_or_fails_a_check(
    change: Callable[[Edited], Edited], tmp_path: Path
) -> None:
    source = change(Edited(sample("hybrid").input)).save(tmp_path / "input.xlsx")
    found = refused(source)
    assert len(found) == 1 and FORM.fullmatch(found[0]), found


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


# ---- headers and tabs


def _spelled_otherwise(change: Callable[[str], str]) -> Callable[[Edited], Edited]:
    def spell(edited: Edited) -> Edited:
        for t in TABLES:
            for cell in edited.book[t.tab][HEADER_ROW]:
                if isinstance(cell.value, str) and cell.value != "#":
                    cell.value = change(cell.value)
        for row in edited.book["Plan"].iter_rows(min_row=HEADER_ROW):
            for cell in row:
                if isinstance(cell.value, str) and cell.column != 3:
                    cell.value = change(cell.value)
        return edited

    return spell


def _as_keys(edited: Edited) -> Edited:
    for t in TABLES:
        for key in t.specs:
            edited.set(f"{t.tab}!{column_of(t.tab, key)}{HEADER_ROW}", key)
    return edited


def _in_chinese(edited: Edited) -> Edited:
    from planner.labels import words

    said = words("zh")
    for t in TABLES:
        for key, spec in t.specs.items():
            edited.set(f"{t.tab}!{column_of(t.tab, key)}{HEADER_ROW}", said.get(spec.label, spec.label))
    for row in edited.book["Plan"].iter_rows(min_row=HEADER_ROW, max_col=2):
        for cell in row:
            if isinstance(cell.value, str):
                cell.value = said.get(cell.value, cell.value)
    return edited


def _without_names(edited: Edited) -> Edited:
    for name in list(edited.book.defined_names):
        del edited.book.defined_names[name]
    return edited


def _columns_moved(edited: Edited) -> Edited:
    """The last two columns of Tenants in the place of each other."""
    sheet = edited.book["Tenants"]
    for row in range(HEADER_ROW, sheet.max_row + 1):
        a, b = sheet[f"I{row}"], sheet[f"J{row}"]
        a.value, b.value, a.number_format, b.number_format = b.value, a.value, b.number_format, a.number_format
    return edited


def _tabs_renamed(change: Callable[[str], str]) -> Callable[[Edited], Edited]:
    """As Excel renames: the names follow."""

    def rename(edited: Edited) -> Edited:
        for sheet in list(edited.book.worksheets):
            if sheet.title in ("Plan", *(t.tab for t in TABLES)):
                old, new = sheet.title, change(sheet.title)
                sheet.title = f"tab {id(sheet)}"  # the library forbids a change of case alone
                sheet.title = new
                for name in edited.book.defined_names.values():
                    tab, _, cells = name.attr_text.rpartition("!")
                    if tab.strip("'") == old:
                        name.attr_text = f"'{new}'!{cells}"
        return edited

    return rename


SPELLINGS: dict[str, Callable[[Edited], Edited]] = {
    "snake_case keys": _as_keys,
    "capitals": _spelled_otherwise(str.upper),
    "other spaces": _spelled_otherwise(lambda text: f"  {text.replace(' ', chr(0xA0) * 2)}\n"),
    "no spaces": _spelled_otherwise(lambda text: text.replace(" ", "").lower()),
    "full width": _spelled_otherwise(
        lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    ),
    "no defined names": _without_names,
    "no defined names, keys": lambda e: _without_names(_as_keys(e)),
    "columns moved": _columns_moved,
    "tabs in capitals": _tabs_renamed(str.upper),
    "tabs in snake_case": _tabs_renamed(lambda tab: tab.lower().replace(" ", "_")),
    "tabs with spaces around": _tabs_renamed(lambda tab: f" {tab} "),
    "Chinese": _in_chinese,
}


@pytest.mark.parametrize("how", SPELLINGS)
def test_headers_and_tabs_are_read_however_they_are_spelled(how: str, tmp_path: Path) -> None:
    plain = Edited(sample("hybrid").input).row("SLA tiers", 1, ttft_ms=450).row("Curves", 7, m12=3)
    before = plain.save(tmp_path / "before.xlsx")
    source = SPELLINGS[how](Edited(before)).save(tmp_path / "input.xlsx")
    assert planner("check", source).code == 0
    there, here = typed(source), typed(before)
    assert here["SLA tiers"][0].ttft_ms == 450  # no default
    assert {k: v for k, v in there.items() if k in SCALARS} == {k: v for k, v in here.items() if k in SCALARS}
    for t in TABLES:
        assert [r for r in there[t.tab] if r is not None] == [r for r in here[t.tab] if r is not None], t.tab


@pytest.mark.parametrize(
    ("place", "typed_", "nearest"),
    [
        ("Models!E4", "Token shares", "Token share"), ("Models!I4", "Tokens per second", "Tokens/s per GPU"),
        ("Tenants!F4", "Quota", "Quota share"), ("Pools!G4", "Healthy GPU", "GPUs healthy"),
        ("Models!AA4", "Ownr", None),
    ],
)  # fmt: skip
def test_an_unknown_header_is_named_with_the_nearest(
    place: str, typed_: str, nearest: str | None, tmp_path: Path
) -> None:
    found = refused(Edited(sample("hybrid").input).set(place, typed_).save(tmp_path / "input.xlsx"))
    [line] = [line for line in found if line.startswith(f"{place}: ")]
    assert repr(typed_) in line
    assert nearest is None or repr(nearest) in line


def test_a_header_twice_is_told_as_such(tmp_path: Path) -> None:
    source = (
        Edited(sample("api").input).set("Models!AA4", "Token share").set("Models!AA6", 0.2).save(tmp_path / "i.xlsx")
    )
    [line] = refused(source)
    assert line.startswith("Models!AA4: found ") and "second time" in line
    assert "rename it to 'Token share'" not in line


def test_without_a_header_row_the_tab_is_refused(tmp_path: Path) -> None:
    edited = Edited(sample("api").input)
    edited.book["Models"].delete_rows(HEADER_ROW)
    found = refused(edited.save(tmp_path / "input.xlsx"))
    assert "'Model'" in found[0] and "planner init" in found[0]


def test_without_a_plan_tab_it_is_no_input(tmp_path: Path) -> None:
    edited = Edited(sample("api").input)
    edited.book.remove(edited.book["Plan"])
    outcome = planner("check", edited.save(tmp_path / "input.xlsx"))
    assert outcome.code == 2 and "Plan" in outcome.err and "planner init" in outcome.err


def test_tabs_that_are_left_out_hold_their_defaults(tmp_path: Path) -> None:
    edited = Edited(sample("api").input)
    for tab in ("Pools", "Curves", "Phases", "SLA tiers", "Levers", "Thresholds", "Read me", "Lists"):
        edited.book.remove(edited.book[tab])
    source = edited.save(tmp_path / "input.xlsx")
    there = json.loads(sample("api").json.read_text())["headlines"]
    document = tmp_path / "plan.json"
    assert planner("build", source, "-o", tmp_path / "plan.xlsx", "--json", document).code == 0
    assert json.loads(document.read_text())["headlines"] == there


# ---- values as people type them

SCALAR_LISTS = {"deployment": "deployment_mode", "yes_no": "buffer_on_gpus"}  # where list and input differ in name
ROW_LISTS = {
    "precision": "Models", "throughput_basis": "Models", "priority": "Tenants", "fallback": "Tenants", "mode": "Pools",
    "kind": "Curves", "clock": "Curves", "same_as": "Levers",
}  # fmt: skip
CHOICES: dict[str, list[dict[str, str]]] = {}
for choice in table("choices.csv"):
    CHOICES.setdefault(choice["list"], []).append(choice)


@pytest.mark.parametrize("turn", range(max(map(len, CHOICES.values()))))
@pytest.mark.parametrize("which", ["key", "en", "zh"])
def test_every_choice_is_read_by_key_and_by_label_in_either_language(which: str, turn: int, tmp_path: Path) -> None:
    """The next choice of every list, all lists in one workbook; each turn in another spelling."""
    edited = Edited(sample("hybrid").input)
    spell = (str, str.upper, lambda text: f" {text.replace('-', ' ')} ")[turn % 3]
    chosen = {name: rows[turn % len(rows)] for name, rows in CHOICES.items()}
    for name, row in chosen.items():
        if name in ROW_LISTS:
            edited.row(ROW_LISTS[name], 1, **{name: spell(row[which])})
        else:
            edited.plan(**{SCALAR_LISTS.get(name, name): spell(row[which])})
    read = typed(edited.save(tmp_path / "input.xlsx"))
    got = {
        name: getattr(read[ROW_LISTS[name]][0], name) if name in ROW_LISTS else read[SCALAR_LISTS.get(name, name)]
        for name in chosen
    }
    assert got == {name: row["key"] for name, row in chosen.items()}


TYPED_TOKENS = [
    "1,800,000,000", "1\u00a0800\u00a0000\u00a0000", "1 800 000 000", "1.8B", "1.8 bn", "1800M", "1.8e9", "18亿",
    "18 亿", "1.8 billion", "１．８Ｂ", "1.8 Billion tokens", 1.8e9, 1800000000,
]  # fmt: skip


@pytest.mark.parametrize("value", TYPED_TOKENS, ids=repr)
def test_a_volume_reads_as_it_was_meant(value: Any, tmp_path: Path) -> None:
    source = Edited(sample("api").input).plan(total_tokens=value).save(tmp_path / "input.xlsx")
    assert typed(source)["total_tokens"] == 1.8e9


@pytest.mark.parametrize("value", ["18亿", "1.8B"])
def test_a_volume_is_echoed_in_digits_and_words(value: str, tmp_path: Path) -> None:
    """18亿 is 1.8 billion, not 18: who reads the echo sees a slip of a factor of ten."""
    source = Edited(sample("api").input).plan(total_tokens=value).save(tmp_path / "input.xlsx")
    said = planner("check", source).out
    assert "1,800,000,000" in said and "1.8 billion" in said


QUARTER = {
    "25%": ["25%", "50%", "25%"],
    "25": ["25", "50", "25"],
    "25 as numbers": [Shown(25, "General"), Shown(50, "General"), Shown(25, "0")],
    "0.25": [0.25, 0.5, 0.25],
    "0.25 as text": ["0.25", "0.5", "0.25"],
    "25,0 %": ["25,0 %", "50,0 %", "25,0 %"],
    "２５％": ["２５％", "５０％", "２５％"],
    "signs beside fractions": ["25%", 0.5, "25 %"],
}


@pytest.mark.parametrize("how", QUARTER)
def test_a_column_of_shares_reads_as_it_was_meant(how: str, tmp_path: Path) -> None:
    rows = [{"tenant": f"T{i}", "quota_share": share} for i, share in enumerate(QUARTER[how])]
    source = Edited(sample("api").input).only("Tenants", *rows).save(tmp_path / "input.xlsx")
    assert [row.quota_share for row in typed(source)["Tenants"] if row] == [0.25, 0.5, 0.25]


@pytest.mark.parametrize(
    ("shares", "cells"),
    [
        (["25", Shown(0.5, "General"), "25"], ["F6", "F7", "F8"]),
        ([Shown(25, "0"), "0.5", Shown(0.25, "0.00")], ["F6", "F7", "F8"]),
        ([Shown(81.67, "0.0%"), "10%", "8.33%"], ["F6"]),
        (["a lot", "50%", "25%"], ["F6"]),
        (["125%", "-25%", "0%"], ["F6", "F7"]),
    ],
)
def test_a_mixed_or_impossible_column_of_shares_is_refused_by_cell(
    shares: list[Any], cells: list[str], tmp_path: Path
) -> None:
    rows = [{"tenant": f"T{i}", "quota_share": share} for i, share in enumerate(shares)]
    found = refused(Edited(sample("api").input).only("Tenants", *rows).save(tmp_path / "input.xlsx"))
    assert [line.partition(":")[0] for line in found if "!F" in line][: len(cells)] == [f"Tenants!{c}" for c in cells]


def test_text_keys_stay_text(tmp_path: Path) -> None:
    rows = [
        {"tenant": "00123", "quota_share": 0.5, "cost_centre": "1E5"},
        {"tenant": "1e5", "quota_share": 0.25, "cost_centre": "0x1F"},
        {"tenant": "TRUE", "quota_share": 0.25, "cost_centre": "2027-01"},
    ]
    source = Edited(sample("api").input).only("Tenants", *rows).save(tmp_path / "input.xlsx")
    read = built(source)
    table_rows = read.rows("Tenants")[FIRST_ROW - 1 : FIRST_ROW + 2]
    assert [row[2] for row in table_rows] == ["00123", "1e5", "TRUE"]
    assert [row[8] for row in table_rows] == ["1E5", "0x1F", "2027-01"]
    assert read.cell("Quotas", "Quota share", "00123") == 0.5


def test_chinese_values_read(tmp_path: Path) -> None:
    edited = Edited(blank()).plan(
        plan_name="推理平台 2027", total_tokens="18亿", deployment_mode="自建", usage_pattern="实时",
        sla_tier="业务关键", start_month="2027年1月", growth_curve="S 曲线", buffer_on_gpus="否",
        unused_policy="结转", days_basis="日历",
    )  # fmt: skip
    edited.only(
        "Models", {"model": "Llama 3 70B", "deployment": "自建", "token_share": "１００％", "gpu": "A100-80GB-SXM"}
    )
    edited.only("Tenants", {"tenant": "核心", "priority": "高", "quota_share": "100%", "fallback": "满则拒绝"})
    edited.only("Pools", {"pool": "东一", "mode": "整卡", "gpu": "A100-80GB-SXM", "gpus_total": 64})
    source = edited.save(tmp_path / "input.xlsx")
    read = built(source)
    assert read["annual_tokens"] == 1.8e9
    assert [read[k] for k in ("deployment_mode", "usage_pattern", "sla_tier", "growth_curve", "buffer_on_gpus")] == [
        "on_prem", "real_time", "business_critical", "s_curve", "no",
    ]  # fmt: skip
    assert read["plan_name"] == "推理平台 2027"


# ---- sources


def test_sources_are_true_whatever_is_typed(tmp_path: Path) -> None:
    """What somebody wrote beside a figure is kept; the product's own words claim no figure that it did not give."""
    edited = Edited(blank()).plan(
        total_tokens="1.8B", deployment_mode="api", usage_pattern="batch", sla_tier="standard", start_month="2027-01",
        peak_factor=5,
    )  # fmt: skip
    edited.only("Models", api_model()).only("Tenants", guide_tenant())
    edited.set(edited.where("buffer_factor").replace("!C", "!F"), "capacity board, 12 May")
    read = built(edited.save(tmp_path / "input.xlsx"))
    again = built(tmp_path / "input-plan.xlsx")
    for plan in (read, again):
        sources = dict(plan.table("Plan", "Key", "Source"))
        assert sources["buffer_factor"] == "capacity board, 12 May"
        assert sources["peak_factor"].startswith("default 3")
        assert "not entered" not in sources.values()


# ---- rows: spare ones, gaps, and a plan as an input


def test_gaps_between_rows_and_spare_rows_are_kept(tmp_path: Path) -> None:
    edited = Edited(sample("api").input).empty("Tenants")
    edited.row("Tenants", 1, tenant="First", quota_share=0.5).row("Tenants", 4, tenant="Fourth", quota_share=0.5)
    source = edited.save(tmp_path / "input.xlsx")
    read = built(source)
    names = [row[2] for row in read.rows("Tenants")[FIRST_ROW - 1 :]]
    assert names[:4] == ["First", None, None, "Fourth"] and len(names) > 4
    again = built(tmp_path / "input-plan.xlsx")
    assert [row[2] for row in again.rows("Tenants")[FIRST_ROW - 1 :]][:4] == names[:4]
    assert again.names["tenant_rows"] == read.names["tenant_rows"]
    assert again["quota_total"] == read["annual_tokens"]


def test_rows_typed_behind_the_table_are_read(tmp_path: Path) -> None:
    edited = Edited(sample("api").input).empty("Tenants")
    for number in range(1, 31):
        edited.row("Tenants", number, tenant=f"Team {number}", quota_share=1 / 30)
    read = built(edited.save(tmp_path / "input.xlsx"))
    assert [row[2] for row in read.rows("Tenants")[FIRST_ROW - 1 :]][:30] == [f"Team {n}" for n in range(1, 31)]
    assert read["quota_total"] == pytest.approx(18e9, rel=1e-12)


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_a_plan_is_an_input_and_gives_itself(name: str, tmp_path: Path) -> None:
    assert planner("check", sample(name).plan).code == 0
    assert planner("build", sample(name).plan, "-o", tmp_path / "p.xlsx", "--json", tmp_path / "p.json").code == 0
    assert json.loads((tmp_path / "p.json").read_text()) == json.loads(sample(name).json.read_text())
    assert (tmp_path / "p.xlsx").read_bytes() == sample(name).plan.read_bytes()


def test_a_plan_edited_in_place_is_built_again(tmp_path: Path) -> None:
    """Once as Excel saves it (values kept), once as a script does (openpyxl drops every stored value)."""
    place = reader(sample("hybrid").plan).names["total_tokens"]
    kept = set_number(sample("hybrid").plan, tmp_path / "kept.xlsx", place, 9e9)
    dropped = Edited(sample("hybrid").plan).plan(total_tokens=9e9).save(tmp_path / "dropped.xlsx")
    fresh = Edited(sample("hybrid").input).plan(total_tokens=9e9).save(tmp_path / "fresh.xlsx")
    plans = [values(source, tmp_path) for source in (kept, dropped, fresh)]
    assert plans[0] == plans[1] == plans[2]
    assert plans[0]["annual_tokens"] == [9e9]


def test_a_row_added_and_one_removed_in_a_plan(tmp_path: Path) -> None:
    edited = Edited(sample("hybrid").plan)
    edited.row("Tenants", 1, **{key: None for key in table_of("Tenants").specs})
    edited.row("Tenants", 6, tenant="New team", quota_share=0.4, burst_multiple=1.1, fallback="reject")
    read = values(edited.save(tmp_path / "input.xlsx"), tmp_path)
    assert read["tenant_quota_year"][:6] == pytest.approx([0, 3.6e9, 3.6e9, 2.7e9, 0.9e9, 7.2e9])


def test_a_plan_keeps_its_rows_when_a_tenant_goes(tmp_path: Path) -> None:
    """The last row emptied: the plan has not fewer rows than before, and no other row moved."""
    edited = Edited(sample("hybrid").plan).row("Tenants", 5, tenant=None, priority=None, quota_share=None)
    edited.row("Tenants", 5, owner=None, burst_multiple=None, fallback=None, cost_centre=None)
    edited.row("Tenants", 1, quota_share=0.45)
    read = built(edited.save(tmp_path / "input.xlsx"))
    assert read.names["tenant_rows"] == reader(sample("hybrid").plan).names["tenant_rows"]
