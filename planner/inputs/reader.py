"""Reads an input workbook (or a built plan) into typed inputs: every problem at once, each by its cell."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from planner.inputs import typed
from planner.inputs.field import Row, Spec, specs
from planner.inputs.grid import Book, Cell, Sheet, place, read_book, target
from planner.inputs.guard import UnsafeFile
from planner.inputs.model import default_rows, with_room
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import PLAN_TAB, TABLES, Table
from planner.labels import choice_labels, languages, list_name, words
from planner.problem import Problem, Said, said

EMPTY = Cell(None, "General", None)


@dataclass
class Draft:
    """What could be read: scalars by key (blank ones absent), rows (None is spare), problems, and cells by key."""

    scalars: dict[str, Any] = field(default_factory=dict)
    rows: dict[str, tuple[Row | None, ...]] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def language(self) -> str:
        """The language that the file names; '' where it names none."""
        return str(self.scalars.get("language", ""))


def squeezed(text: object) -> str:
    """A header or tab name without case, width, spaces and punctuation."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", str(text)).casefold())


def _in_every_language(text: str) -> list[str]:
    return [text, *(words(lang).get(text, "") for lang in languages() if lang != "en")]


def tab_names() -> dict[str, str]:
    """Every spelling of an input tab's name, squeezed -> the tab."""
    tabs = [PLAN_TAB, *(t.tab for t in TABLES)]
    return {squeezed(name): tab for tab in tabs for name in _in_every_language(tab) if name}


def read_draft(path: str | Path, language: str = "") -> Draft:
    """Reads a file; `language` overrides the one it names. Raises UnsafeFile where it cannot be read at all."""
    spellings = [name for tab in [PLAN_TAB, *(t.tab for t in TABLES)] for name in _in_every_language(tab) if name]
    return draft_of(read_book(path, spellings), language)


def language_of_file(path: str | Path) -> str:
    """The language that a workbook names; English where it names none, or cannot be read."""
    draft = Draft()
    try:
        book = read_book(path, [name for name in _in_every_language(PLAN_TAB) if name])
    except UnsafeFile:
        return "en"
    for sheet in book.sheets.values():
        _read_plan(book, sheet, draft)
    return draft.language or "en"


def draft_of(book: Book, language: str = "") -> Draft:
    """The draft of a book that was read."""
    draft = Draft(warnings=list(book.warnings))
    known = tab_names()
    sheets = {known[squeezed(name)]: sheet for name, sheet in book.sheets.items() if squeezed(name) in known}
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
        if table.tab in sheets:
            _read_table(book, sheets[table.tab], table, draft)
        else:
            draft.rows[table.tab] = with_room(table, default_rows(table, draft.scalars.get("language", "en")))
    return draft


# ---- the Plan list


def _read_plan(book: Book, sheet: Sheet, draft: Draft) -> None:
    fields = specs(PlanInputs)
    cells, source_column = _scalar_cells(book, sheet, fields)
    for key, spec in fields.items():
        if key not in cells:
            continue
        row, column = cells[key]
        cell = sheet.cells.get((row, column), EMPTY)
        where = place(sheet.name, row, column)
        draft.places[key] = where
        note = sheet.cells.get((row, source_column), EMPTY).value if source_column else None
        if isinstance(note, str) and note.strip() and not _is_ours(note.strip()):
            draft.sources[key] = note.strip()
        value = _value(cell, spec, where, draft)
        if value is not None:
            draft.scalars[key] = value


def _is_ours(source: str) -> bool:
    """Whether a source is what a workbook is written with, not what somebody typed."""
    fixed = [w for text in ("yours to fill", "optional") for w in _in_every_language(text)]
    starts = [w.split("{")[0] for w in _in_every_language("default {value}: {source}") if w]
    return source in fixed or any(source.startswith(start) for start in starts)


def _scalar_cells(book: Book, sheet: Sheet, fields: Mapping[str, Spec]) -> tuple[dict[str, tuple[int, int]], int]:
    """Where each scalar stands: by its defined name, else by key or label at the left of the Value column."""
    headers = {squeezed(h): name for name in ("Value", "Source", "Key") for h in _in_every_language(name)}
    columns: dict[str, int] = {}
    for (_, column), cell in sorted(sheet.cells.items()):
        name = headers.get(squeezed(cell.value)) if isinstance(cell.value, str) else None
        if name and name not in columns:
            columns[name] = column
    by_label = {squeezed(x): key for key, s in fields.items() for x in [key, *_in_every_language(s.label)] if x}
    found: dict[str, tuple[int, int]] = {}
    value_column = columns.get("Value", 3)
    for (row, column), cell in sorted(sheet.cells.items()):
        if isinstance(cell.value, str) and column != value_column and column != columns.get("Source"):
            key = by_label.get(squeezed(cell.value))
            if key:
                found[key] = (row, value_column)
    for name, reference in book.names.items():
        there = target(reference)
        if name in fields and there and there[0] == sheet.name:
            found[name] = there[1:]
    return found, columns.get("Source", 0)


# ---- tables


def _read_table(book: Book, sheet: Sheet, table: Table, draft: Draft) -> None:
    fields = table.specs
    header_row, columns = _header(sheet, table, draft)
    if not columns:
        draft.rows[table.tab] = with_room(table, default_rows(table, draft.scalars.get("language", "en")))
        return
    reach = _rows_range(book, sheet, table)
    last = max((r for r, c in sheet.cells if c in columns.values()), default=header_row)
    rows = list(range(reach[0], max(reach[1], last) + 1)) if reach else list(range(header_row + 1, last + 1))
    raw: list[dict[str, Any]] = [{} for _ in rows]
    for key, column in columns.items():
        spec = fields[key]
        cells = [sheet.cells.get((r, column), EMPTY) for r in rows]
        places = [place(sheet.name, r, column) for r in rows]
        values = _shares(cells, spec, places, draft) if spec.kind == "share" else None
        for i, cell in enumerate(cells):
            value = values[i] if values else _value(cell, spec, places[i], draft)
            if value not in (None, ""):
                raw[i][key] = value
    made = [_row(table, values, sheet, row, columns, draft) for values, row in zip(raw, rows, strict=True)]
    if table.portfolio:
        filled = [(i, row) for i, row in enumerate(rows) if raw[i]]
        for key, column in columns.items():
            draft.places |= {f"{table.tab}.{i}.{key}": place(sheet.name, at, column) for i, at in filled}
    if table.fixed:
        made = _fixed_rows(table, made, draft.scalars.get("language", "en"))
    if table.unique:
        _no_twins(table, made, rows, sheet, columns, draft)
    draft.rows[table.tab] = with_room(table, made, at_least=reach[1] - reach[0] + 1 if reach else 0)


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
    spelled = {squeezed(x): k for k, s in table.specs.items() for x in [k, *_in_every_language(s.label)] if x}
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
            draft.problems.append(_unknown_header(sheet, row, column, str(cell.value), spelled, table))
    return best, columns


def _unknown_header(
    sheet: Sheet, row: int, column: int, text: str, spelled: Mapping[str, str], table: Table
) -> Problem:
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
            wanted = said("a number of {least} or more", least=f"{bounds['ge']:,.10g}")
        if error["type"] == "less_than_equal":
            wanted = said("a number up to {most}", most=f"{bounds['le']:,.10g}")
        yield str(error["loc"][0]), said("nothing") if error["type"] == "missing" else repr(error["input"]), wanted


def _no_twins(
    table: Table, made: list[Row | None], rows: list[int], sheet: Sheet, columns: Mapping[str, int], draft: Draft
) -> None:
    seen: dict[str, int] = {}
    for made_row, row in zip(made, rows, strict=False):
        if made_row is None:
            continue
        name = str(getattr(made_row, table.first)).lower()
        if name in seen:
            draft.problems.append(
                Problem(place(sheet.name, row, columns[table.first]),
                        said("{name!r} a second time (first in row {row})", name=name, row=seen[name]),
                        said("a name of its own, whatever its case"), said("rename one of the two"))
            )  # fmt: skip
        seen.setdefault(name, row)


# ---- one cell


def _shares(cells: list[Cell], spec: Spec, places: list[str], draft: Draft) -> list[float | None]:
    """A column of shares: one convention for all of it."""
    readable: list[tuple[object, str]] = []
    for cell, where in zip(cells, places, strict=True):
        readable.append((None if _refused(cell, where, draft) else cell.value, cell.number_format))
    high = spec.high if spec.high is not None else 1.0
    signs = [-1 if isinstance(v, int | float) and v < 0 and (spec.low or 0) < 0 else 1 for v, _ in readable]
    turned = [(-v if s < 0 and isinstance(v, int | float) else v, f) for (v, f), s in zip(readable, signs, strict=True)]
    out: list[float | None] = []
    for got, cell, where, sign in zip(typed.share_column(turned, high=high), cells, places, signs, strict=True):
        if isinstance(got, typed.NotRead):
            draft.problems.append(Problem(where, _found(cell), got.wanted, got.do))
            out.append(None)
        else:
            out.append(None if got is None else sign * got)
    return out


def _value(cell: Cell, spec: Spec, where: str, draft: Draft) -> Any:
    """A cell's typed value; None for blank and for what was refused."""
    if _refused(cell, where, draft) or cell.value is None or (isinstance(cell.value, str) and not cell.value.strip()):
        return None
    if spec.kind == "share":
        return _shares([cell], spec, [where], draft)[0]
    try:
        return _parsed(cell, spec)
    except typed.NotRead as bad:
        draft.problems.append(Problem(where, _found(cell), bad.wanted, bad.do))
        return None


def _parsed(cell: Cell, spec: Spec) -> Any:
    value = cell.value
    match spec.kind:
        case "tokens":
            count = typed.tokens(value)
            return typed.number(count, low=spec.low, high=spec.high)
        case "whole":
            return int(typed.number(value, low=spec.low, high=spec.high, whole=True))
        case "number" | "factor" | "money":
            return typed.number(value, low=spec.low, high=spec.high)
        case "month":
            return typed.month(value)
        case "date":
            return typed.date(value)
        case "yes_no":
            return typed.yes_no(value)
        case "choice" if spec.choices:
            labels = choice_labels(list_name(spec.key, spec.kind))
            return typed.choice(value, {k: labels.get(k, ()) for k in spec.choices})
    words_typed = typed.text(value)
    if spec.kind == "choice":
        labels = choice_labels(list_name(spec.key, spec.kind))
        spellings = {squeezed(x): key for key, names in labels.items() for x in (key, *names)}
        return spellings.get(squeezed(words_typed), words_typed)
    return words_typed


def _refused(cell: Cell, where: str, draft: Draft) -> bool:
    """Cells that hold nothing to be read: a formula without its value, or an error."""
    if cell.formula is not None and cell.value is None:
        draft.problems.append(
            Problem(where, said("the formula {formula} without a stored value", formula=cell.formula), said("a value"),
                    said("open the workbook in Excel or LibreOffice, let it calculate, save it, or type the value"))
        )  # fmt: skip
        return True
    if isinstance(cell.value, str) and re.fullmatch(r"#[A-Z0-9/]+[!?]?", cell.value):
        draft.problems.append(
            Problem(where, said("the error {error}", error=cell.value), said("a value"),
                    said("correct the formula or type the value"))
        )  # fmt: skip
        return True
    return False


def _found(cell: Cell) -> str:
    if isinstance(cell.value, int | float) and "%" in cell.number_format:
        value, shown = f"{cell.value:g}", f"{cell.value * 100:g}"
        return said("{value} in a cell shown as per cent ({shown} %)", value=value, shown=shown)
    return repr(cell.value) if isinstance(cell.value, str) else f"{cell.value}"
