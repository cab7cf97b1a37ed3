"""Writes docs/method.md: every line of the method in its chapter, with its unit, its reason and its formula in words.

The page is made from planner.lines, so it cannot say anything else than what the plan computes. `--check` writes
nothing and fails where the page is out of date.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from types import ModuleType

from planner.calc.line import Line
from planner.lines import CHAPTERS, METHOD
from planner.workbook.spoken import spoken

PAGE = Path(__file__).resolve().parent.parent / "docs" / "method.md"
HEAD = """# The method, line by line

Written by `make docs` from `planner/lines`; do not edit it here. {count} lines in {chapters} chapters, in the order of
the code. **Bold** lines are headlines: they have a name in the workbook and stand under `headlines` in the JSON.

How to read it. *Line* gives the label and the key that `planner explain` takes. *Formula* names other lines and inputs
by their keys; "x one month earlier" is the same row, one column to the left. `withheld: …` is what a cell says where a
figure is not known. *Source* is the id of the line's place in the planning method, the same as on the `Method` tab.
"""


def lines_of(chapter: ModuleType) -> list[Line]:
    """The lines of a chapter, in the order they were written."""
    return [line for line in METHOD if line.plain.__module__ == chapter.__name__]


def row(line: Line) -> str:
    """A row of the chapter's table."""
    label = f"**{line.label}**" if line.headline else line.label
    formula = " ".join(spoken(line.expr).split())
    cells = (f"{label}<br>`{line.name}`", line.unit, line.why, formula, line.source)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def page() -> str:
    """The whole page."""
    parts = [HEAD.format(count=len(list(METHOD)), chapters=len(CHAPTERS))]
    for chapter in CHAPTERS:
        title, _, rest = " ".join((chapter.__doc__ or chapter.__name__).split()).partition(". ")
        parts.append(f"## {title.rstrip('.')}\n")
        if rest:
            parts.append(f"{rest}\n")
        table = ["| Line | Unit | Why it stands there | Formula | Source |", "|---|---|---|---|---|"]
        parts.append("\n".join(table + [row(line) for line in lines_of(chapter)]) + "\n")
    return "\n".join(parts)


def main() -> int:
    """Write or check the page; 1 when it is out of date."""
    parser = argparse.ArgumentParser(description="Write docs/method.md from planner/lines.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail where the page is out of date")
    now = page()
    if parser.parse_args().check:
        fresh = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == now
        print(f"{PAGE}: {'as the lines say' if fresh else 'OUT OF DATE, run `make docs`'}")
        return 0 if fresh else 1
    PAGE.write_text(now, encoding="utf-8", newline="\n")
    print(f"Wrote {PAGE}: {len(list(METHOD))} lines.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
