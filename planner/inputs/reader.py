"""Reads an input workbook (or a built plan) into typed inputs: every problem at once, each by its cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from planner.inputs.assumed import marked
from planner.inputs.cells import EMPTY, shares, value_of
from planner.inputs.draft import Draft, Stand
from planner.inputs.field import Row, Spec, specs
from planner.inputs.grid import Book, Sheet, place, read_book, target
from planner.inputs.model import default_rows, with_room
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import PLAN_TAB, TABLES, Table
from planner.labels import in_every_language, squeezed
from planner.problem import Problem, Said, said


def tab_names() -> dict[str, str]:
    """Every spelling of an input tab's name, squeezed -> the tab."""
    tabs = [PLAN_TAB, *(t.tab for t in TABLES)]
    return {squeezed(name): tab for tab in tabs for name in in_every_language(tab) if name}


def read_draft(path: str | Path, language: str = "") -> Draft:
    """Reads a file; `language` overrides the one it names. Raises UnsafeFile where it cannot be read at all."""
    known = tab_names()
    return draft_of(read_book(path, lambda tab: squeezed(tab) in known), language)


def draft_of(book: Book, language: str = "") -> Draft:
    """The draft of a book that was read."""
    draft = Draft(warnings=list(book.warnings))
    sheets = _input_tabs(book, draft)
    if PLAN_TAB not in sheets:
        draft.problems.append(
            Problem(book.path.name, said("no tab called Plan"), said("an input workbook"),
                    said("start from `planner init input.xlsx`"))
        )  # fmt: skip
        return draft
    _read_plan(book, sheets[PLAN_TAB], draft)
    if language:
        draft.scalars["language"] = language
    for table in TABLES:
        if table.tab in sheets and not _before_the_table(book, table):
            read_rows(book, sheets[table.tab], table, draft)
        else:
            draft.rows[table.tab] = with_room(table, default_rows(table, draft.scalars.get("language", "en")))
    draft.assumed = marked(draft)
    _missing_tabs(book, set(sheets), draft)
    return draft


def _missing_tabs(book: Book, there: set[str], draft: Draft) -> None:
    """A tab that lacks takes the product's own rows: said, and refused where another tab looks like it renamed."""
    known = tab_names()
    strangers = {squeezed(name): name for name in book.tabs if squeezed(name) not in known}
    for table in TABLES:
        if table.tab in there or table.portfolio:
            continue
        spelled = [squeezed(name) for name in in_every_language(table.tab) if name]
        like = next((n for s, n in strangers.items() if any(x in s and len(s) <= len(x) + 6 for x in spelled)), None)
        if like:
            do = said("rename the tab to {tab}", tab=said(table.tab))
            found = said("a tab {like!r} and none called {tab}", like=like, tab=said(table.tab))
            draft.problems.append(Problem(place(like, 1, 1), found, said("the tab {tab}", tab=said(table.tab)), do))
        elif table.first not in ("instrument", "service", "action"):
            draft.warnings.append(said("There is no tab {tab}: the plan takes its usual rows.", tab=said(table.tab)))


def _input_tabs(book: Book, draft: Draft) -> dict[str, Sheet]:
    """The input tabs by their own names, however the file spells them."""
    known = tab_names()
    found: dict[str, Sheet] = {}
    for name, sheet in book.sheets.items():
        tab = known.get(squeezed(name))
        if tab is None:
            continue
        if tab in found:
            draft.problems.append(
                Problem(place(name, 1, 1), said("a second tab called {tab}", tab=said(tab)),
                        said("one such tab (the first is {first!r})", first=found[tab].name),
                        said("rename or delete one of the two"))
            )  # fmt: skip
        found.setdefault(tab, sheet)
    return found


def _before_the_table(book: Book, table: Table) -> bool:
    """Whether the book is a plan built before the table was known: another tab may have had its name."""
    return "month_columns" in book.names and f"{table.axis}_rows" not in book.names


# ---- the Plan list


def _read_plan(book: Book, sheet: Sheet, draft: Draft) -> None:
    fields = specs(PlanInputs)
    cells, source_column = _scalar_cells(book, sheet, fields, draft)
    for key, spec in fields.items():
        if key not in cells:
            continue
        row, column = cells[key]
        cell = sheet.cells.get((row, column), EMPTY)
        where = place(sheet.name, row, column)
        draft.places[key] = where
        draft.read |= {(sheet.name, row, column), (sheet.name, row, source_column)}
        note = sheet.cells.get((row, source_column), EMPTY).value if source_column else None
        if isinstance(note, str) and note.strip() and not _is_ours(note.strip()):
            draft.sources[key] = note.strip()
        value = value_of(cell, spec, where, draft.problems)
        if value is not None:
            draft.scalars[key] = value


def _is_ours(source: str) -> bool:
    """Whether a source is what a workbook is written with, not what somebody typed."""
    fixed = [w for text in ("yours to fill", "optional") for w in in_every_language(text)]
    starts = [w.split("{")[0] for w in in_every_language("default {value}: {source}") if w]
    return source in fixed or any(source.startswith(start) for start in starts)


def _scalar_cells(
    book: Book, sheet: Sheet, fields: Mapping[str, Spec], draft: Draft
) -> tuple[dict[str, tuple[int, int]], int]:
    """Where each scalar stands: by its defined name, else by key or label at the left of the Value column.

    A name on one row and the key on another would let one of two figures win unseen: that is a problem.
    """
    headers = {squeezed(h): name for name in ("Value", "Source", "Key") for h in in_every_language(name)}
    columns: dict[str, int] = {}
    for (_, column), cell in sorted(sheet.cells.items()):
        name = headers.get(squeezed(cell.value)) if isinstance(cell.value, str) else None
        if name and name not in columns:
            columns[name] = column
    by_label = {squeezed(x): key for key, s in fields.items() for x in [key, *in_every_language(s.label)] if x}
    found: dict[str, tuple[int, int]] = {}
    keyed: dict[str, int] = {}
    value_column = columns.get("Value", 3)
    for (row, column), cell in sorted(sheet.cells.items()):
        if isinstance(cell.value, str) and (column < value_column or column == columns.get("Key")):
            key = by_label.get(squeezed(cell.value))
            if key:
                found[key] = (row, value_column)
            if column == columns.get("Key") and cell.value.strip() in fields:
                keyed[cell.value.strip()] = row
    for name, reference in book.names.items():
        there = target(reference)
        if name in fields and there and there[0] == sheet.name:
            found[name] = there[1:]
            if keyed.get(name, there[1]) != there[1]:
                key = place(sheet.name, keyed[name], columns["Key"])
                text = said("the name {name}, while its key is in {key}", name=name, key=key)
                do = said("put the row back, or start from a fresh input workbook")
                draft.problems.append(Problem(place(sheet.name, *there[1:]), text, said("name and key on one row"), do))
    return found, columns.get("Source", 0)


# ---- tables


def read_rows(book: Book, sheet: Sheet, table: Table, draft: Draft) -> None:
    """Put a table's rows into the draft, with the problems of its cells and the places that were read."""
    fields = table.specs
    before = len(draft.problems)
    header_row, columns = _header(sheet, table, draft)
    if len(draft.problems) > before:  # a column may be there, under a header that nobody knows
        draft.unread |= {(table.tab, key) for key in fields if key not in columns}
    if not columns:
        draft.rows[table.tab] = with_room(table, default_rows(table, draft.scalars.get("language", "en")))
        return
    reach = _rows_range(book, sheet, table)
    last = max((r for r, c in sheet.cells if c in columns.values()), default=header_row)
    first = header_row + 1 + _holds_notes(sheet, header_row + 1, columns, fields)
    rows = list(range(reach[0], max(reach[1], last) + 1)) if reach else list(range(first, last + 1))
    draft.stands[table.tab] = Stand(sheet.name, header_row, tuple(rows), columns)
    raw: list[dict[str, Any]] = [{} for _ in rows]
    for key, column in columns.items():
        spec = fields[key]
        cells = [sheet.cells.get((r, column), EMPTY) for r in rows]
        draft.read |= {(sheet.name, r, column) for r in rows}
        places = [place(sheet.name, r, column) for r in rows]
        before = len(draft.problems)
        values = shares(cells, spec, places, draft.problems) if spec.kind == "share" else None
        for i, cell in enumerate(cells):
            value = values[i] if values else value_of(cell, spec, places[i], draft.problems)
            if value not in (None, ""):
                raw[i][key] = value
        if len(draft.problems) > before:
            draft.unread.add((table.tab, key))
    made = [_row(table, values, sheet, row, columns, draft) for values, row in zip(raw, rows, strict=True)]
    draft.unread |= {(table.tab, k) for values, row in zip(raw, made, strict=True) if row is None for k in values}
    if table.fixed:
        made = _fixed_rows(table, made, draft.scalars.get("language", "en"))
    if table.unique:
        _no_twins(table, made, rows, sheet, columns, draft)
    draft.rows[table.tab] = with_room(table, made, at_least=reach[1] - reach[0] + 1 if reach else 0)


def _holds_notes(sheet: Sheet, row: int, columns: Mapping[str, int], fields: Mapping[str, Spec]) -> bool:
    """Whether a row under the headers is the one that explains them, and nothing that somebody filled in."""
    filled = {k: sheet.cells[row, c].value for k, c in columns.items() if (row, c) in sheet.cells}
    return bool(filled) and all(
        squeezed(value) in [squeezed(note) for note in in_every_language(fields[key].note) if note]
        for key, value in filled.items()
    )


def _fixed_rows(table: Table, made: list[Row | None], language: str) -> list[Row | None]:
    """Rows that belong to the product: the file's figures where it has the row, the product's otherwise."""
    mine = {squeezed(getattr(r, table.first)): r for r in made if r is not None}
    fixed: list[Row | None] = []
    for default in default_rows(table, language):
        assert default is not None
        own = mine.get(squeezed(getattr(default, table.first)))
        keep = {k: getattr(own or default, k) for k, s in table.specs.items() if not s.locked}
        fixed.append(default.model_copy(update=keep))
    return fixed


def _header(sheet: Sheet, table: Table, draft: Draft) -> tuple[int, dict[str, int]]:
    """The header row (the one that most headers stand in) and the column of each key."""
    spelled = {squeezed(x): k for k, s in table.specs.items() for x in [k, *in_every_language(s.label)] if x}
    by_row: dict[int, dict[str, int]] = {}
    for (row, column), cell in sorted(sheet.cells.items()):
        key = spelled.get(squeezed(cell.value)) if isinstance(cell.value, str) else None
        if key and key not in by_row.setdefault(row, {}):
            by_row[row][key] = column
    best = max(by_row, key=lambda r: (len(by_row[r]), -r), default=0)
    if not best or table.first not in by_row[best]:
        label = table.specs[table.first].label
        draft.problems.append(
            Problem(place(sheet.name, 1, 1), said("no header row"),
                    said("a row of headers with {label!r} among them", label=said(label)),
                    said("copy the header row of a fresh input workbook (`planner init`)"))
        )  # fmt: skip
        return 0, {}
    columns = by_row[best]
    first, final = min(columns.values()), max(columns.values())
    for (row, column), cell in sorted(sheet.cells.items()):
        stranger = row == best and column not in columns.values() and isinstance(cell.value, str) and cell.value.strip()
        if stranger and (column > first or column == final + 1) and squeezed(cell.value) not in ("", "#"):
            draft.problems.append(_stray_header(sheet, row, column, str(cell.value), spelled, columns, table))
    return best, columns


def _stray_header(
    sheet: Sheet, row: int, column: int, text: str, spelled: Mapping[str, str], columns: Mapping[str, int], table: Table
) -> Problem:
    twin = columns.get(spelled.get(squeezed(text), ""))
    if twin:
        first = place(sheet.name, row, twin)
        found = said("the header {header!r} a second time (first in {first})", header=text.strip(), first=first)
        do = said("delete one of the two columns, or move it away from the table")
        return Problem(place(sheet.name, row, column), found, said("each header once"), do)
    near = get_close_matches(squeezed(text), spelled, 1, 0.5)
    do = said("move it away from the table")
    if near:
        meant = said(table.specs[spelled[near[0]]].label)
        do = said("rename it to {label!r}, or move it away from the table", label=meant)
    found = said("an unknown header {header!r}", header=text.strip())
    return Problem(place(sheet.name, row, column), found, said("a known header"), do)


def _rows_range(book: Book, sheet: Sheet, table: Table) -> tuple[int, int] | None:
    """The rows that formulas read, from the name that a written workbook gives them."""
    reference = book.names.get(f"{table.axis}_rows", "")
    match = re.fullmatch(r"(.+)!\$[A-Z]+\$(\d+):\$[A-Z]+\$(\d+)", reference)
    if not match or match[1].strip("'").replace("''", "'") != sheet.name:
        return None
    return int(match[2]), int(match[3])


def _row(
    table: Table, values: dict[str, Any], sheet: Sheet, row: int, columns: Mapping[str, int], draft: Draft
) -> Row | None:
    if not values:
        return None
    if table.first not in values:
        if any(p.place == place(sheet.name, row, columns[table.first]) for p in draft.problems):
            return None  # its name is there and cannot be read: said already
        key = next(iter(values))
        spec = table.specs[table.first]
        draft.problems.append(
            Problem(place(sheet.name, row, columns[table.first]),
                    said("nothing, while the row has {label!r}", label=said(table.specs[key].label)),
                    said("a name under {label!r}", label=said(spec.label)), said("name the row, or empty it"))
        )  # fmt: skip
        return None
    try:
        return table.row(**values)
    except ValidationError as bad:
        for key, found, wanted in refusals(bad):
            do = said("correct {label!r}", label=said(table.specs[key].label if key in table.specs else key))
            draft.problems.append(Problem(place(sheet.name, row, columns.get(key, 1)), found, wanted, do))
        return None


_OF_TYPES = {
    said("a value"): ("missing",),
    said("nothing: the plan knows no such field"): ("extra_forbidden",),
    said("a whole number"): ("int_parsing", "int_type", "int_from_float", "int_parsing_size"),
    said("a number"): ("float_parsing", "float_type", "finite_number"),
    said("text"): ("string_type", "string_unicode"),
    said("a date, such as 2026-11-30 or 30 Nov 2026"): (
        "date_type", "date_parsing", "date_from_datetime_parsing", "date_from_datetime_inexact",
    ),
}  # fmt: skip
_BY_TYPE = {kind: wanted for wanted, kinds in _OF_TYPES.items() for kind in kinds}


def refusals(bad: ValidationError) -> Iterator[tuple[str, str, Said]]:
    """What the model of a row or of the Plan list refuses, in our words: key, what was found, what was wanted."""
    for error in bad.errors():
        bounds = error.get("ctx", {})
        wanted = _BY_TYPE.get(error["type"], said("a value that fits"))
        if error["type"] == "greater_than_equal":
            wanted = said("a number of {least} or more", least=f"{bounds['ge']:,.16g}")
        if error["type"] == "less_than_equal":
            wanted = said("a number up to {most}", most=f"{bounds['le']:,.16g}")
        yield str(error["loc"][0]), said("nothing") if error["type"] == "missing" else repr(error["input"]), wanted


def _no_twins(
    table: Table, made: list[Row | None], rows: list[int], sheet: Sheet, columns: Mapping[str, int], draft: Draft
) -> None:
    seen: dict[str, int] = {}
    for made_row, row in zip(made, rows, strict=False):
        if made_row is None:
            continue
        typed = str(getattr(made_row, table.first))
        name = typed.lower()
        if name in seen:
            draft.problems.append(
                Problem(place(sheet.name, row, columns[table.first]),
                        said("{name!r} a second time (first in row {row})", name=typed, row=seen[name]),
                        said("a name of its own, whatever its case"), said("rename one of the two"))
            )  # fmt: skip
        seen.setdefault(name, row)
