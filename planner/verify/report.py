"""The verdict on a finished plan: recalculated and audited."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planner.verify.form import Finding, audit_book
from planner.verify.package import CellError, Value, read
from planner.verify.recalc import Difference, EngineFailure, differences, pairs_of
from planner.verify.words import language_of

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Verdict:
    """Formula cells, how many of them are proven equal, what is wrong, and the plan's language ('' if it names none).

    Two runs on one file are equal.
    """

    cells: int
    equal: int
    differences: tuple[Difference, ...]
    findings: tuple[Finding, ...]
    seconds: float = field(compare=False)
    language: str = ""

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def ok(self) -> bool:
        return not self.differences and not self.errors and self.equal == self.cells


def verify(path: str | Path) -> Verdict:
    """Recalculate and audit. Raises Unreadable if the file is no workbook; everything else is in the verdict."""
    start = time.perf_counter()
    book = read(path)
    findings = audit_book(book)
    cells = sum(len(sheet.formulas) for sheet in book.sheets)
    try:
        found = differences(pairs_of(book))
        equal = cells - len(found)
    except EngineFailure as error:
        found, equal = [], 0
        findings.insert(0, Finding("engine", book.path.name, error.text))
    return Verdict(cells, equal, tuple(found), tuple(findings), time.perf_counter() - start, language_of(book))


def as_dict(verdict: Verdict) -> dict[str, Any]:
    """The stable document behind `--json`, in English whatever the plan's language is.

    The time taken is left out: the same file gives the same bytes.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "ok": verdict.ok,
        "cells": verdict.cells,
        "equal": verdict.equal,
        "differences": [
            {
                "place": difference.place,
                "reason": str(difference.reason),
                "formula": difference.formula,
                "stored": _plain(difference.stored),
                "recalculated": _plain(difference.recalculated),
            }
            for difference in verdict.differences
        ],
        "findings": [
            {"rule": finding.rule, "place": finding.place, "severity": finding.severity, "text": str(finding.text)}
            for finding in verdict.findings
        ],
    }


def _plain(value: Value) -> Value:
    return str(value) if isinstance(value, CellError) else value
