"""Required inputs, questions, and a rough example on explicit wish."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from asking import NUMBER, SCALARS, asked, refused
from workbooks import (
    Edited,
    Outcome,
    Reader,
    blank,
    planner,
    sample,
)

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
