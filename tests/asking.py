"""What check and build say of an edited input workbook."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from workbooks import (
    FORM,
    Edited,
    files_in,
    planner,
    sample,
)

from planner.inputs.field import specs
from planner.inputs.scalars import PlanInputs

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
