"""What stands in the repository because a tool wrote it is what the tool writes today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from workbooks import planner

from planner.samples import SAMPLES

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_what_init_writes(name: str, tmp_path: Path) -> None:
    assert planner("init", tmp_path / "input.xlsx", "--sample", name).code == 0
    assert (tmp_path / "input.xlsx").read_bytes() == (ROOT / "samples" / name / "input.xlsx").read_bytes()


@pytest.mark.parametrize("tool", ["expected.py", "method_page.py"])
def test_generated_files_are_up_to_date(tool: str) -> None:
    """`make samples docs` mends it; the difference shows in review which cells a change moved."""
    run = subprocess.run(
        [sys.executable, ROOT / "tools" / tool, "--check"], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stdout + run.stderr
