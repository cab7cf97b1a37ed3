"""Writes samples/<name>/expected.tsv: every formula cell of the sample's plan with its formula and its value.

A change to the method, to a template or to the reference data then shows in review as the cells that it moved. The
plan is built from the sample's input.xlsx as it lies there. Columns: tab, cell, line (its key, or what the cell shows
in words), formula, value (numbers in full precision, texts as they are). `--check` writes nothing and fails where a
file is out of date.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from planner.calc.expr import Call, Expr, Ref
from planner.inputs.gate import passed
from planner.inputs.reader import read_draft
from planner.plan import compute
from planner.samples import SAMPLES
from planner.workbook.context import FIRST_MONTH
from planner.workbook.layout import Layout, built
from planner.workbook.places import column_name
from planner.workbook.spoken import spoken

LARGE = 40_000  # formula cells: a larger plan shows the first two months of a row and the last; between stands the same
FOLDER = Path(__file__).resolve().parent.parent / "samples"
HEADER = ("tab", "cell", "line", "formula", "value")


def laid_out(path: Path) -> Layout:
    """The plan of an input workbook, laid out. Raises InputProblems where the file is no complete input."""
    return built(compute(passed(read_draft(path))))


def rows(layout: Layout) -> Iterator[tuple[str, str, str, str, str]]:
    """A row for every formula cell, tab by tab, row by row."""
    assert layout.context is not None
    origins = layout.context.origins
    large = len(origins) > LARGE
    last = FIRST_MONTH + layout.context.sizes["month"] - 1
    for sheet in layout.sheets:
        for (row, col), cell in sorted(sheet.cells.items()):
            if cell.formula is None or (large and FIRST_MONTH + 1 < col < last):
                continue
            value = repr(float(cell.value)) if isinstance(cell.value, int | float) else str(cell.value)
            line = _line(origins[sheet.name, row, col][0])
            yield sheet.name, f"{column_name(col)}{row + 1}", line, cell.formula, value


def _line(origin: Expr | str) -> str:
    """The key of the line that a cell shows, or its expression in words."""
    match origin:
        case str():
            return origin
        case Ref(name) | Call("as_text", (Ref(name),)):
            return name
    return " ".join(spoken(origin).split())


def text(layout: Layout) -> str:
    """The whole file. Raises ValueError for a cell that a line of tab-separated values cannot hold."""
    lines = ["\t".join(HEADER)]
    for row in rows(layout):
        if any(mark in field for field in row for mark in "\t\n\r"):
            raise ValueError(f"{row[0]}!{row[1]}: a tab or a line break")
        lines.append("\t".join(row))
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write or check the files; 1 when one of them is not what the plan gives today."""
    parser = argparse.ArgumentParser(description="Write samples/<name>/expected.tsv from samples/<name>/input.xlsx.")
    parser.add_argument("names", nargs="*", help="samples; all of them otherwise")
    parser.add_argument("--check", action="store_true", help="write nothing, fail where a file is out of date")
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in SAMPLES]
    if unknown:
        parser.error(f"no sample called {', '.join(unknown)}; there are {', '.join(SAMPLES)}")
    stale = 0
    for name in given.names or SAMPLES:
        source, target = FOLDER / name / "input.xlsx", FOLDER / name / "expected.tsv"
        if not source.is_file():
            parser.exit(1, f"There is no {source}: run `make samples`.\n")
        now = text(laid_out(source))
        before = target.read_text(encoding="utf-8") if target.is_file() else ""
        if given.check:
            stale += now != before
            print(f"{target}: {'as the plan gives it' if now == before else 'OUT OF DATE, run `make samples`'}")
            continue
        target.write_text(now, encoding="utf-8", newline="\n")
        print(f"Wrote {target}: {now.count(chr(10)) - 1:,} formula cells.")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
