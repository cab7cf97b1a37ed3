"""A CSV of pools, with the headers of the Pools tab in either language, read as that tab is read."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from planner.evidence.sample import Found
from planner.inputs.contradictions import counts
from planner.inputs.draft import Draft
from planner.inputs.grid import Book, Cell, Sheet
from planner.inputs.reader import read_rows
from planner.inputs.tables import TABLES
from planner.labels import squeezed
from planner.problem import InputProblems, Problem, said

POOLS = next(t for t in TABLES if t.tab == "Pools")
SEPARATORS = ",;\t|"


def read_csv(text: str, title: str) -> Found:
    """The rows of a CSV. Raises InputProblems that name each cell as `file!B3`."""
    lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text)))
    cells = {
        (r, c): Cell(value, "General", None)
        for r, line in enumerate(lines, 1) for c, value in enumerate(line, 1) if value.strip()
    }  # fmt: skip
    sheet = Sheet(title, cells)
    draft = Draft()
    read_rows(Book(Path(title), {title: sheet}, {}, []), sheet, POOLS, draft)
    draft.problems += counts(draft)
    if draft.problems:
        raise InputProblems(draft.problems)
    filled = draft.filled(POOLS.tab)
    rows = [r for _, r in filled]
    if not rows:
        do = said("write a row of headers ({header}) and a row for each pool", header="pool, gpu, gpus_total, …")
        raise InputProblems([Problem(title, said("no row"), said("a row for each pool"), do)])
    return Found(title, rows=rows, places=[draft.where_in(POOLS.tab, POOLS.first, i) for i, _ in filled])


def _separator(text: str) -> str:
    """The one that splits the first line into most cells."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(SEPARATORS, key=first.count)


def looks_like_pools(text: str) -> bool:
    """Whether the first line is a header row of pools."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    words = {squeezed(w) for w in first.split(_separator(text))}
    return bool(words & {squeezed(x) for x in ("pool", "资源池", "Pool")})
