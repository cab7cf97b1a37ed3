"""Where the package's data lies: beside the package when installed, at the project's root in a checkout."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


def folder(name: str) -> Path:
    """`reference_data`, `workbook_templates` or `samples`."""
    inside = _HERE / name
    return inside if inside.is_dir() else _HERE.parent / name


@cache
def table(file: str) -> tuple[dict[str, str], ...]:
    """The rows of a reference CSV, cells as text, in order."""
    with (folder("reference_data") / file).open(encoding="utf-8", newline="") as handle:
        return tuple(csv.DictReader(handle))
