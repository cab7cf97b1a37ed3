"""The verdict: both proofs in one, the same every time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import ironcalc
import pytest
from test_verify_workbook import build, swap, with_formula

from planner.verify.package import Unreadable
from planner.verify.report import SCHEMA_VERSION, as_dict, verify


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    return build(tmp_path / "plan.xlsx")


def test_a_good_plan(plan: Path) -> None:
    before = plan.read_bytes()
    verdict = verify(plan)
    assert verdict.ok and verdict.cells == verdict.equal > 50
    assert 0 < verdict.seconds < 60
    assert plan.read_bytes() == before
    assert as_dict(verdict) == {
        "schema_version": SCHEMA_VERSION,
        "ok": True,
        "cells": verdict.cells,
        "equal": verdict.cells,
        "differences": [],
        "findings": [],
    }


def test_a_difference_and_a_finding(plan: Path) -> None:
    with_formula(plan, "B1*3600", b"5")
    verdict = verify(plan)
    assert not verdict.ok and verdict.equal == verdict.cells - 1
    document = as_dict(verdict)
    assert document["differences"] == [
        {
            "place": "Plan!D9",
            "reason": "another number",
            "formula": "=B1*3600",
            "stored": 5.0,
            "recalculated": 46023.0 * 3600,
        }
    ]
    assert document["findings"] == [
        {
            "rule": "literal",
            "place": "Plan!D9",
            "severity": "error",
            "text": "the number 3600 inside a formula in =B1*3600",
        }
    ]


def test_a_note_is_no_failure(plan: Path) -> None:
    with_formula(plan, "+".join(["B3"] * 100), b"250")
    verdict = verify(plan)
    assert verdict.ok and [finding.severity for finding in verdict.findings] == ["note"] and verdict.errors == ()


def test_only_a_finding_fails_too(plan: Path) -> None:
    verdict = verify(with_formula(plan, "1^1+1"))
    assert verdict.differences == () and not verdict.ok


def test_twice_the_same(plan: Path) -> None:
    with_formula(plan, "TEXT(B1/F99,TODAY())", b"5")
    swap(plan, "sheet3.xml", b"<f>Demand!K4</f>", b"<f>Demand!$L4</f>")
    one, two = verify(plan), verify(plan)
    assert one == two
    assert json.dumps(as_dict(one)) == json.dumps(as_dict(two))
    assert len(one.differences) == 2 and len(one.findings) == 3


def test_an_error_value_is_plain_text_in_the_document(plan: Path) -> None:
    document = as_dict(verify(with_formula(plan, "B1/F99", b"5")))
    assert document["differences"][0]["recalculated"] == "#DIV/0!"
    assert type(document["differences"][0]["recalculated"]) is str


def test_an_engine_that_fails_is_a_finding(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Panic(BaseException):
        """What the engine raises when it panics is no Exception."""

    def fail(*_: object) -> None:
        raise Panic("no engine today")

    monkeypatch.setattr(ironcalc, "load_from_xlsx", fail)
    verdict = verify(plan)
    assert not verdict.ok and verdict.equal == 0
    assert [(finding.rule, finding.place) for finding in verdict.findings] == [("engine", "plan.xlsx")]
    assert "no engine today" in verdict.findings[0].text


def test_nothing_of_the_builder_is_imported() -> None:
    code = "import sys, planner.verify.report, planner.verify.office; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "planner.verify.recalc" in loaded
    ours = {name for name in loaded if name.startswith("planner.") and not name.startswith("planner.verify")}
    assert ours <= {"planner.problem", "planner.labels", "planner.resources"}  # words, and where their files lie
    assert not {"xlsxwriter", "openpyxl", "pandas", "numpy"} & set(loaded)


def test_an_interrupt_is_let_through(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ironcalc, "load_from_xlsx", interrupt)
    with pytest.raises(KeyboardInterrupt):
        verify(plan)


def test_what_is_no_workbook_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.xlsx").write_text("x")
    with pytest.raises(Unreadable, match=r"x\.xlsx: not an xlsx workbook"):
        verify(tmp_path / "x.xlsx")
