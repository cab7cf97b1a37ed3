"""The commands as people and scripts run them: what is said, what is written, and with which exit code they end."""

from __future__ import annotations

import json
import os
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from workbooks import (
    SAMPLE_NAMES,
    Edited,
    blank,
    files_in,
    planner,
    planner_process,
    reader,
    sample,
    set_number,
    spoil_formula,
    spoil_value,
)

from planner.cli import app
from planner.labels import languages

COMMANDS: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]

# ---- help

# A run of every command that must end with 0. A command without one does not belong into --help.
WORKING: dict[str, Callable[[Path], tuple[object, ...]]] = {
    "init": lambda folder: (folder / "input.xlsx",),
    "check": lambda folder: (sample("api").input,),
    "build": lambda folder: (sample("api").input, "-o", folder / "plan.xlsx"),
    "verify": lambda folder: (sample("api").plan,),
    "explain": lambda folder: (sample("api").plan, "annual_tco"),
}


def test_help_lists_only_commands_that_work() -> None:
    listed = planner("--help")
    assert listed.code == 0
    assert set(COMMANDS) == set(WORKING)
    assert all(f" {name} " in listed.out for name in WORKING)


@pytest.mark.parametrize("name", WORKING)
def test_every_command_works(name: str, tmp_path: Path) -> None:
    outcome = planner(name, *WORKING[name](tmp_path))
    assert (outcome.code, outcome.err) == (0, "")


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


# ---- what is refused, in one table: no traceback, the right code, a message in its form, nothing written


def _pdf(folder: Path) -> Path:
    path = folder / "report.xlsx"
    path.write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n" * 50)
    return path


def _empty(folder: Path) -> Path:
    (folder / "empty.xlsx").touch()
    return folder / "empty.xlsx"


def _folder(folder: Path) -> Path:
    (folder / "folder.xlsx").mkdir()
    return folder / "folder.xlsx"


def _csv(folder: Path) -> Path:
    (folder / "table.xlsx").write_text("model,token_share\nGPT-4o,1\n")
    return folder / "table.xlsx"


def _cut(folder: Path) -> Path:
    whole = sample("api").input.read_bytes()
    (folder / "cut.xlsx").write_bytes(whole[: len(whole) // 2])
    return folder / "cut.xlsx"


def _zip(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "photos.xlsx", "w") as archive:
        archive.writestr("photo.jpg", b"\xff\xd8\xff")
    return folder / "photos.xlsx"


def _xls(folder: Path) -> Path:
    (folder / "old.xlsx").write_bytes(bytes.fromhex("D0CF11E0A1B11AE1") + bytes(4096))
    return folder / "old.xlsx"


BAD_FILES: dict[str, Callable[[Path], Path]] = {
    "missing": lambda folder: folder / "missing.xlsx",
    "a folder": _folder,
    "a PDF renamed": _pdf,
    "empty": _empty,
    "a CSV renamed": _csv,
    "half a workbook": _cut,
    "a zip of photos": _zip,
    "an .xls renamed": _xls,
}


@pytest.mark.parametrize("what", BAD_FILES)
@pytest.mark.parametrize("command", ["check", "build", "verify", "explain"])
def test_a_bad_file_is_refused_with_2_and_a_sentence(command: str, what: str, tmp_path: Path) -> None:
    path = BAD_FILES[what](tmp_path)
    before = files_in(tmp_path)
    rest = {"build": ("-o", tmp_path / "plan.xlsx", "--json", tmp_path / "plan.json"), "explain": ("annual_tco",)}
    outcome = planner(command, path, *rest.get(command, ()))
    assert outcome.code == 2
    assert path.name in outcome.err
    assert "; wanted " in outcome.err and "; do " in outcome.err
    assert outcome.out == ""
    assert files_in(tmp_path) == before


# What is typed in a folder with input.xlsx, link.xlsx (a link to it) and a folder there.xlsx; what must be said.
REFUSALS: dict[str, tuple[str, str]] = {
    "unknown sample": ("init i.xlsx --sample onprem", "api, on-prem, hybrid"),
    "unknown language of init": ("init i.xlsx --lang klingon", "--lang"),
    "init over an existing file": ("init input.xlsx", "--force"),
    "init into a missing folder": ("init no/i.xlsx", "folder"),
    "init as a CSV": ("init i.csv", ".xlsx"),
    "init as JSON": ("init i.json", ".xlsx"),
    "init without an ending": ("init i", ".xlsx"),
    "init onto a folder": ("init there.xlsx --force", "there.xlsx"),
    "plan into a missing folder": ("build input.xlsx -o no/p.xlsx", "folder"),
    "plan over the input": ("build input.xlsx -o input.xlsx", "never touched"),
    "plan over the input, otherwise spelled": ("build input.xlsx -o there.xlsx/../input.xlsx", "never touched"),
    "plan over the input, through a link": ("build input.xlsx -o link.xlsx", "never touched"),
    "plan as JSON": ("build input.xlsx -o plan.json", ".xlsx"),
    "plan as PDF": ("build input.xlsx -o plan.pdf", ".xlsx"),
    "plan onto a folder": ("build input.xlsx -o there.xlsx", "there.xlsx"),
    "JSON into a missing folder": ("build input.xlsx -o p.xlsx --json no/p.json", "folder"),
    "JSON over the input": ("build input.xlsx -o p.xlsx --json input.xlsx", "input.xlsx"),
    "JSON over the plan": ("build input.xlsx -o p.xlsx --json p.xlsx", "p.xlsx"),
    "JSON as a text file": ("build input.xlsx -o p.xlsx --json p.txt", ".json"),
    "unknown language of build": ("build input.xlsx -o p.xlsx --lang xx", "--lang"),
    "no date": ("build input.xlsx -o p.xlsx --as-of soon", "--as-of"),
    "a date with two meanings": ("build input.xlsx -o p.xlsx --as-of 03/04/2027", "2027-04-03"),
    "unknown line": ("explain input.xlsx gpu_planned", "gpus_planned"),
    "a line like nothing": ("explain input.xlsx [/bold]", "[/bold]"),
    "unknown axis": ("explain input.xlsx monthly_tokens --at model=GPT-4o", "month"),
    "unknown month": ("explain input.xlsx monthly_tokens --at month=2031-01", "2027-01"),
    "unknown model": ("explain input.xlsx model_share --at model=GPT", "GPT-4o-mini"),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_a_wrong_argument_is_refused_with_2_and_nothing_is_written(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed, said = REFUSALS[what]
    shutil.copy(sample("api").input, tmp_path / "input.xlsx")
    (tmp_path / "there.xlsx").mkdir()
    (tmp_path / "link.xlsx").symlink_to(tmp_path / "input.xlsx")
    before = files_in(tmp_path)
    monkeypatch.chdir(tmp_path)
    outcome = planner(*typed.split())
    assert outcome.code == 2
    assert said in outcome.err and "; wanted " in outcome.err and "; do " in outcome.err
    assert outcome.out == ""
    assert files_in(tmp_path) == before


@pytest.mark.parametrize(
    "args", [("build",), ("build", "x.xlsx"), ("check",), ("explain", "x.xlsx"), ("nonsense",), ("init", "--no")]
)
def test_a_wrong_use_is_told_with_2(args: tuple[str, ...]) -> None:
    assert planner(*args).code == 2


def test_init_over_a_file_needs_force(tmp_path: Path) -> None:
    path = tmp_path / "input.xlsx"
    path.write_bytes(b"mine")
    assert planner("init", path).code == 2 and path.read_bytes() == b"mine"
    assert planner("init", path, "--force").code == 0 and path.read_bytes()[:2] == b"PK"


# ---- nothing is written, nothing is touched


@pytest.mark.parametrize(
    ("what", "changes", "code"),
    [("a problem", {"total_tokens": "1.8"}, 2), ("a question", {"total_tokens": None}, 3), ("shares", {}, 2)],
)
def test_nothing_is_written_on_2_and_3(what: str, changes: dict[str, Any], code: int, tmp_path: Path) -> None:
    edited = Edited(sample("hybrid").input).plan(**changes)
    if what == "shares":
        edited.row("Models", 1, token_share=0.5)
    source = edited.save(tmp_path / "input.xlsx")
    before = files_in(tmp_path)
    for illustrative in ((), ("--strict",)):
        outcome = planner(
            "build", source, "-o", tmp_path / "plan.xlsx", "--json", tmp_path / "plan.json", *illustrative
        )
        assert outcome.code == code and outcome.out == ""
        assert files_in(tmp_path) == before


def test_a_plan_that_stands_already_is_kept_when_the_next_is_refused(tmp_path: Path) -> None:
    plan = shutil.copy(sample("api").plan, tmp_path / "plan.xlsx")
    source = Edited(sample("api").input).plan(total_tokens="1.8").save(tmp_path / "input.xlsx")
    before = files_in(tmp_path)
    assert planner("build", source, "-o", plan).code == 2
    assert files_in(tmp_path) == before


def test_the_input_is_never_touched(tmp_path: Path) -> None:
    path = Path(shutil.copy(sample("hybrid").input, tmp_path / "input.xlsx"))
    os.utime(path, (1_000_000_000, 1_000_000_000))
    before = path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino
    assert planner("check", path).code == 0
    assert planner("build", path, "-o", tmp_path / "plan.xlsx", "--json", tmp_path / "plan.json").code == 0
    assert planner("explain", path, "annual_tco").code == 0
    assert planner("verify", tmp_path / "plan.xlsx").code == 0
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) == before
    assert sorted(files_in(tmp_path)) == ["input.xlsx", "plan.json", "plan.xlsx"]


# ---- the same input gives the same bytes, wherever and however it is run


def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    source = shutil.copy(sample("api").input, tmp_path / "otherwise called.xlsx")
    plan, document = tmp_path / "plan.xlsx", tmp_path / "plan.json"
    assert planner("build", source, "-o", plan, "--json", document).code == 0
    assert plan.read_bytes() == sample("api").plan.read_bytes()
    assert document.read_bytes() == sample("api").json.read_bytes()


def test_init_gives_the_same_bytes(tmp_path: Path) -> None:
    assert planner("init", tmp_path / "a.xlsx", "--sample", "hybrid").code == 0
    assert (tmp_path / "a.xlsx").read_bytes() == sample("hybrid").input.read_bytes()


def test_a_process_elsewhere_gives_the_same_bytes_and_says_nothing_on_the_way(tmp_path: Path) -> None:
    """Locale, time zone and hash seed move nothing; a pipe sees no progress. (The locale may not be installed.)"""
    plan, document = tmp_path / "plan.xlsx", tmp_path / "plan.json"
    where = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Asia/Kolkata", "PYTHONHASHSEED": "1"}
    outcome = planner_process("build", sample("hybrid").input, "-o", plan, "--json", document, **where)
    assert (outcome.code, outcome.err) == (0, "")
    assert "\x1b" not in outcome.out and "\r" not in outcome.out
    assert plan.read_bytes() == sample("hybrid").plan.read_bytes()
    assert document.read_bytes() == sample("hybrid").json.read_bytes()


def test_a_pipe_that_knows_no_chinese_is_no_traceback(tmp_path: Path) -> None:
    """Windows gives pipes and files the code page of the country."""
    outcome = planner_process(
        "explain", sample("hybrid").plan, "tenant_quota", "--at", "tenant=R&D / 推理平台 [prod]", "--depth", "1",
        PYTHONIOENCODING="cp1252",
    )  # fmt: skip
    assert outcome.code == 0 and "R&D / " in outcome.out


# ---- sizes that nobody plans


@pytest.mark.parametrize(
    "changes",
    [
        {"total_tokens": 1e308}, {"total_tokens": "1e300"}, {"total_tokens": 1e25}, {"network_per_month": 1e308},
        {"overage_rate_per_mtok": 1e308}, {"usd_to_currency": 1e308},
    ],
    ids=lambda changes: " ".join(f"{k}={v}" for k, v in changes.items()),
)  # fmt: skip
def test_an_absurd_number_is_refused_by_its_cell(changes: dict[str, Any], tmp_path: Path) -> None:
    edited = Edited(sample("api").input).plan(**changes)
    source = edited.save(tmp_path / "input.xlsx")
    outcome = planner("build", source, "-o", tmp_path / "plan.xlsx", "--json", tmp_path / "plan.json")
    assert outcome.code == 2
    assert [line.partition(":")[0] for line in outcome.problems] == [edited.where(key) for key in changes]
    assert sorted(files_in(tmp_path)) == ["input.xlsx"]


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("on-prem", {"total_tokens": "10T"}),  # more than 1,030 replicas: their binomial coefficients have no float
        ("on-prem", {"start_month": "2099-12", "horizon_months": 60}),
        ("on-prem", {"start_month": "2027-11", "horizon_months": 13}),
        ("api", {"start_month": "2000-01", "horizon_months": 1, "total_tokens": 1}),
    ],
    ids=lambda value: " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else value,
)
def test_the_ends_of_what_can_be_planned_build_and_verify(name: str, changes: dict[str, Any], tmp_path: Path) -> None:
    source = Edited(sample(name).input).plan(**changes).save(tmp_path / "input.xlsx")
    document = tmp_path / "plan.json"
    outcome = planner("build", source, "-o", tmp_path / "plan.xlsx", "--json", document)
    assert outcome.code == 0, outcome.err
    assert planner("verify", tmp_path / "plan.xlsx").code == 0
    horizon = changes.get("horizon_months", 12)
    tokens = [v["value"] for v in json.loads(document.read_text())["lines"]["monthly_tokens"]["values"]]
    assert len(tokens) == -(-horizon // 12) * 12
    assert sum(1 for count in tokens if count) == horizon
