"""What commands refuse, and that nothing is touched."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from workbooks import (
    Edited,
    files_in,
    planner,
    planner_process,
    sample,
)

from planner import cli

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


def test_a_file_that_is_no_plan_is_not_overwritten(tmp_path: Path) -> None:
    """Somebody's own workbook under the name of the output; an older plan is what a new one replaces."""
    own = Edited(sample("api").input).save(tmp_path / "own.xlsx")
    before = own.read_bytes()
    outcome = planner("build", sample("api").input, "-o", own)
    assert outcome.code == 2 and "own.xlsx: found" in outcome.err and own.read_bytes() == before
    plan = Edited(sample("api").plan).save(tmp_path / "plan.xlsx")  # a plan that people saved again
    assert planner("build", sample("api").input, "-o", plan).code == 0


def test_what_does_not_fit_into_memory_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full() -> None:
        raise MemoryError("Unable to allocate 28.0 GiB")

    monkeypatch.setattr(cli, "app", full)
    with pytest.raises(SystemExit) as end:
        cli.main()
    words = " ".join(capsys.readouterr().err.split())
    assert end.value.code == 2
    assert words.startswith(
        "planner: a figure is too large to compute with (Unable to allocate 28.0 GiB); look for one"
    )
