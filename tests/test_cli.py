"""What commands do and print."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clikit import COMMANDS
from workbooks import (
    SAMPLE_NAMES,
    Edited,
    blank,
    planner,
    planner_process,
    reader,
    sample,
    set_number,
    spoil_formula,
    spoil_value,
    type_over,
)

from planner.labels import languages

# ---- help

# A run of every command that must end with 0. A command without one does not belong into --help.
NODES = Path(__file__).parent / "evidence" / "kubectl_get_nodes.SCHEMA_FAITHFUL.json"
WORKING: dict[str, Callable[[Path], tuple[object, ...]]] = {
    "init": lambda folder: (folder / "input.xlsx",),
    "check": lambda folder: (sample("api").input,),
    "build": lambda folder: (sample("api").input, "-o", folder / "plan.xlsx"),
    "verify": lambda folder: (sample("api").plan,),
    "explain": lambda folder: (sample("api").plan, "annual_tco"),
    "gpus": lambda folder: ("-o", folder / "input.xlsx", NODES),
}


def test_help_lists_only_commands_that_work() -> None:
    listed = planner("--help")
    assert listed.code == 0
    assert set(COMMANDS) == set(WORKING)
    assert all(f" {name} " in listed.out for name in WORKING)


@pytest.mark.parametrize("name", WORKING)
def test_every_command_works(name: str, tmp_path: Path) -> None:
    outcome = planner(name, *WORKING[name](tmp_path))
    assert outcome.code == 0
    assert bool(outcome.err) is (name == "gpus")  # remarks on nodes that are cordoned in this evidence


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_help(name: str) -> None:
    command = COMMANDS[name]
    assert command.help and command.help.strip().endswith(".")
    without = [p.name for p in command.params if p.name != "help" and not (getattr(p, "help", "") or "").strip()]
    assert not without
    shown = planner(name, "--help")
    assert shown.code == 0
    assert all(option in shown.out for p in command.params for option in p.opts if option.startswith("--"))


def test_a_command_of_the_contract_that_is_not_built_is_refused_as_unknown() -> None:
    for name in {"diff", "usage", "gpus", "review", "limits"} - set(COMMANDS):
        outcome = planner(name)
        assert outcome.code == 2 and "No such command" in outcome.err


# ---- what is done


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_a_sample_is_written_checked_built_and_verified(name: str) -> None:
    made = sample(name)
    assert made.written.code == 0 and f"the sample {name}" in made.written.out
    checked = planner("check", made.input)
    assert (checked.code, checked.err) == (0, "") and "is complete" in checked.out
    assert (made.made.code, made.made.err) == (0, "")
    assert str(made.plan) in made.made.out and str(made.json) in made.made.out
    verified = planner("verify", made.plan)
    assert (verified.code, verified.err) == (0, "") and verified.out.rstrip().endswith("Verified.")


def test_a_blank_workbook_is_written_and_asks() -> None:
    outcome = planner("check", blank())
    assert outcome.code == 3
    assert 1 <= len(outcome.problems) <= 3


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("name", ["", *SAMPLE_NAMES])
def test_init_in_every_language_is_a_valid_input(name: str, lang: str, tmp_path: Path) -> None:
    path = tmp_path / "input.xlsx"
    chosen = ("--sample", name) if name else ()
    assert planner("init", path, *chosen, "--lang", lang).code == 0
    checked = planner("check", path)
    assert checked.code == (0 if name else 3)
    if not name and lang == "zh":
        assert all(re.search(r"[\u4e00-\u9fff]", line.partition("->")[0]) for line in checked.problems), checked.err


def test_a_plan_speaks_the_language_of_its_input(tmp_path: Path) -> None:
    for lang in [lang for lang in languages() if lang != "en"]:
        path = tmp_path / f"{lang}.xlsx"
        assert planner("init", path, "--sample", "on-prem", "--lang", lang).code == 0
        assert planner("build", path, "-o", tmp_path / "p.xlsx", "--json", tmp_path / "p.json").code == 0
        assert json.loads((tmp_path / "p.json").read_text())["language"] == lang


def test_the_contract_promises_chinese() -> None:
    assert languages() == ["en", "zh"]


def test_build_in_another_language_keeps_every_number(tmp_path: Path) -> None:
    others = [lang for lang in languages() if lang != "en"]
    if not others:
        pytest.skip("English only")
    here = json.loads(sample("hybrid").json.read_text())["headlines"]
    for lang in others:
        outcome = planner(
            "build", sample("hybrid").input, "-o", tmp_path / "p.xlsx", "--json", tmp_path / "p.json", "--lang", lang
        )
        assert outcome.code == 0
        there = json.loads((tmp_path / "p.json").read_text())
        assert there["language"] == lang
        assert {k: v for k, v in there["headlines"].items() if not isinstance(v, str)} == {
            k: v for k, v in here.items() if not isinstance(v, str)
        }


@pytest.mark.parametrize(
    ("name", "changes", "code"),
    [
        ("hybrid", {}, 0),  # watch
        ("on-prem", {}, 1),  # risk: guaranteed claims above the plan
        ("hybrid", {"annual_budget": 1000.0}, 1),  # critical
    ],
)
def test_strict_ends_with_1_at_risk_and_above(name: str, changes: dict[str, Any], code: int, tmp_path: Path) -> None:
    source = Edited(sample(name).input).plan(**changes).save(tmp_path / "input.xlsx")
    document = tmp_path / "plan.json"
    for lang in languages() if name == "on-prem" else ["en"]:
        strict = planner("build", source, "-o", tmp_path / "plan.xlsx", "--json", document, "--strict", "--lang", lang)
        assert strict.code == code
        assert (tmp_path / "plan.xlsx").is_file()
        level = json.loads(document.read_text())["headlines"]["risk_level"]
        assert (level in ("risk", "critical")) == bool(code)  # a key, whatever the language


def _printed(path: Path) -> list[str]:
    """The footers of all tabs."""
    feet = [sheet.oddFooter for sheet in reader(path).cells]
    return [f"{foot.left.text} {foot.center.text} {foot.right.text}" for foot in feet]


def test_as_of_and_protect(tmp_path: Path) -> None:
    """--as-of is what is printed, in place of the first month; --protect needs no password and leaves inputs open."""
    plan, document = tmp_path / "plan.xlsx", tmp_path / "plan.json"
    options = ("--as-of", "2027年2月3日", "--protect")
    assert planner("build", sample("api").input, "-o", plan, "--json", document, *options).code == 0
    assert json.loads(document.read_text())["as_of"] == "2027-02-03"
    assert json.loads(sample("api").json.read_text())["as_of"] == "2027-01-01"
    assert all("2027-02-03" in foot for foot in _printed(plan))
    assert all("2027-01-01" in foot for foot in _printed(sample("api").plan))
    protected, open_ = reader(plan), reader(sample("api").plan)
    assert all(sheet.protection.sheet and not sheet.protection.password for sheet in protected.cells)
    assert not any(sheet.protection.sheet for sheet in open_.cells)
    assert not protected.at("total_tokens").protection.locked
    assert protected.at("annual_tco").protection.locked


# ---- the JSON document


def _never(constant: str) -> Any:
    raise AssertionError(f"{constant} is no JSON")


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_the_json_is_json_and_says_its_version(name: str) -> None:
    document = json.loads(sample(name).json.read_text(encoding="utf-8"), parse_constant=_never)
    assert document["schema_version"] == 1
    assert document["illustrative"] is False and document["assumed"] == []
    for line in document["lines"].values():
        assert line["unit"] and line["source"] and line["label"]
        size = 1
        for axis in line["axes"]:
            size *= len(document["axes"][axis])
        assert len(line["values"]) == size
        assert all(set(value) == {*line["axes"], "value"} for value in line["values"])


@pytest.mark.parametrize(
    ("args", "code", "counts"),
    [
        (lambda f: ("check", sample("api").input), 0, (0, 0)),
        (lambda f: ("check", blank()), 3, (0, 3)),
        (lambda f: ("check", f / "missing.xlsx"), 2, (1, 0)),
        (lambda f: ("check", Edited(blank()).plan(total_tokens="1.8").save(f / "i.xlsx")), 2, (1, 0)),
    ],
)
def test_check_json(
    args: Callable[[Path], tuple[object, ...]], code: int, counts: tuple[int, int], tmp_path: Path
) -> None:
    outcome = planner(*args(tmp_path), "--json")
    found = json.loads(outcome.out, parse_constant=_never)
    assert (outcome.code, outcome.err) == (code, "")
    assert found["schema_version"] == 1
    assert found["complete"] is (code == 0)
    assert (len(found["problems"]), len(found["questions"])) == counts
    assert all(set(p) == {"place", "found", "wanted", "do"} and all(p.values()) for p in found["problems"])
    assert all({"key", "text", "place", "options"} == set(q) for q in found["questions"])


def test_verify_json(tmp_path: Path) -> None:
    outcome = planner("verify", sample("api").plan, "--json")
    found = json.loads(outcome.out, parse_constant=_never)
    assert outcome.code == 0
    assert found["schema_version"] == 1 and found["ok"] is True
    assert found["cells"] == found["equal"] > 1000 and found["differences"] == []


# ---- verify finds what was altered


@pytest.mark.parametrize(
    ("line", "value"),
    [("annual_tco", "12345.6"), ("risk_level", "normal"), ("gpus_planned", "")],
)
def test_verify_finds_an_altered_stored_value(line: str, value: str, tmp_path: Path) -> None:
    place = reader(sample("on-prem").plan).names[line]
    bad = spoil_value(sample("on-prem").plan, tmp_path / "bad.xlsx", place, value)
    outcome = planner("verify", bad, "--json")
    found = json.loads(outcome.out)
    assert outcome.code == 1 and found["ok"] is False and found["cells"] == found["equal"] + 1
    assert [d["place"].replace("'", "") for d in found["differences"]] == [place.replace("$", "").replace("'", "")]


@pytest.mark.parametrize("formula", ["total_tokens*1.001", "SUM(total_tokens,0)+NOW()*0"])
def test_verify_finds_a_spoiled_formula(formula: str, tmp_path: Path) -> None:
    place = reader(sample("on-prem").plan).names["annual_tokens"]
    bad = spoil_formula(sample("on-prem").plan, tmp_path / "bad.xlsx", place, formula)
    outcome = planner("verify", bad)
    assert outcome.code == 1 and "NOT verified" in outcome.out


@pytest.mark.parametrize("line", ["cost_per_mtok", "gpus_planned", "annual_tco"])
def test_verify_misses_a_formula_that_was_typed_over(line: str, tmp_path: Path) -> None:
    """Whatever is typed, the same figure or another: nothing that is left recalculates otherwise."""
    read = reader(sample("on-prem").plan)
    bad = type_over(sample("on-prem").plan, tmp_path / "bad.xlsx", read.names[line], read[line])
    outcome = planner("verify", bad, "--json")
    [finding] = [f for f in json.loads(outcome.out)["findings"] if f["severity"] == "error"]
    assert outcome.code == 1 and finding["rule"] == "formula-missing"


def test_verify_finds_an_input_that_was_typed_without_recalculating(tmp_path: Path) -> None:
    place = reader(sample("on-prem").plan).names["total_tokens"]
    bad = set_number(sample("on-prem").plan, tmp_path / "bad.xlsx", place, 2.5e9)
    assert planner("verify", bad).code == 1
    assert planner("build", bad, "-o", tmp_path / "again.xlsx").code == 0
    assert planner("verify", tmp_path / "again.xlsx").code == 0


def test_verify_does_not_pass_a_workbook_that_calculates_nothing(tmp_path: Path) -> None:
    """An input workbook has no formula: 0 of 0 equal proves nothing."""
    outcome = planner("verify", sample("api").input)
    assert outcome.code == 2
    assert "Verified" not in outcome.out


# ---- explain


@pytest.mark.parametrize(
    ("name", "line", "at", "words"),
    [
        ("on-prem", "gpus_planned", (), ["gpus_planned", "= 4 GPU", "model_gpus_planned"]),
        ("on-prem", "annual_tokens", (), ["1,800,000,000", "total_tokens", "Plan!C15"]),
        ("hybrid", "monthly_tokens", ("month=2027-03",), ["month=2027-03", "600,000,000"]),
        ("hybrid", "model_gpus_planned", ("model=Llama 3 8B", "month=2027-12"), ["model=Llama 3 8B", "= 2 GPU"]),
        (
            "hybrid",
            "tenant_quota",
            ("tenant=R&D / 推理平台 [prod]", "month=2027-01"),
            ["R&D / 推理平台 [prod]", "30,000,000"],
        ),
        ("hybrid", "tenant_quota", ("tenant=r&d / 推理平台 [PROD]",), ["R&D / 推理平台 [prod]"]),
    ],
)
def test_explain_goes_down_to_inputs(name: str, line: str, at: tuple[str, ...], words: list[str]) -> None:
    options = [part for pair in at for part in ("--at", pair)]
    outcome = planner("explain", sample(name).plan, line, *options)
    assert (outcome.code, outcome.err) == (0, "")
    assert all(word in outcome.out for word in words), outcome.out[:2000]


def test_explain_of_an_input_workbook_is_that_of_its_plan() -> None:
    both = [
        planner("explain", path, "gpus_planned", "--depth", "2") for path in (sample("api").input, sample("api").plan)
    ]
    assert both[0] == both[1]


def test_explain_takes_the_tenant_of_that_case(tmp_path: Path) -> None:
    """Two names that differ only in case are two tenants."""
    source = Edited(sample("api").input).only(
        "Tenants", {"tenant": "Team A", "quota_share": 0.25}, {"tenant": "TEAM A", "quota_share": 0.75}
    )
    path = source.save(tmp_path / "input.xlsx")
    for name in ("Team A", "TEAM A"):
        outcome = planner("explain", path, "tenant_share", "--at", f"tenant={name}", "--depth", "0")
        share = {"Team A": "0.25", "TEAM A": "0.75"}[name]
        assert outcome.code == 0 and f"tenant={name}" in outcome.out and f" = {share} " in outcome.out


def test_explain_goes_as_deep_as_asked() -> None:
    shown = [planner("explain", sample("api").plan, "annual_tco", "--depth", depth).out for depth in "13"]
    assert ["tco_by_month [" in out for out in shown] == [True, True]
    assert ["api_input_by_month [" in out for out in shown] == [False, True]


@pytest.mark.parametrize("depth", ["25", "-1"])
def test_explain_ends_whatever_the_depth(depth: str) -> None:
    """A number is reached on many ways; a tree that draws each of them anew never ends."""
    outcome = planner_process("explain", sample("on-prem").plan, "annual_tco", "--depth", depth, timeout=120)
    assert outcome.code == (0 if depth == "25" else 2)
