"""A workbook as plain cells. The only module that knows the library that reads .xlsx files."""

from __future__ import annotations

import datetime as dt
import re
import warnings as python_warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

from openpyxl import load_workbook
from openpyxl.utils import column_index_from_string, get_column_letter

from planner.inputs.guard import REPAIR, UnsafeFile, check_file
from planner.problem import said

MAX_FILLED = 1_000_000  # filled cells of one tab

_TARGET = re.compile(r"(?:'((?:[^'\[\]]|'')+)'|([^'!:,()\[\]]+))!\$?([A-Z]{1,3})\$?([1-9]\d{0,6})")
_LIKE_A_CELL = re.compile(r"[a-z]{1,3}\d+|(r|r?c)\d.*|r|c|rc|true|false", re.IGNORECASE)
_NO_DATE = re.compile(r"Cell ([A-Z]+)(\d+) is marked as a date but the serial value (\S+) ")


@dataclass(frozen=True)
class Cell:
    """One filled cell. `value` is what the file stores: None, a bool, int, float, str, date or datetime.

    `formula` begins with '='. With a formula, value None means that no result was stored, '' that it is an empty text.
    An error is its text ('#REF!'); a time of day without a date is a fraction of a day.
    """

    value: object
    number_format: str
    formula: str | None


@dataclass
class Sheet:
    """The filled cells of one tab by (row, column), both counted from 1, row by row."""

    name: str
    cells: dict[tuple[int, int], Cell]


@dataclass
class Book:
    """The tabs that were read, in the file's order and spelling, and what else a caller asks about the file."""

    path: Path
    sheets: dict[str, Sheet]
    names: dict[str, str]  # of workbook scope -> what it refers to, such as 'Tab'!$C$5
    warnings: list[str]  # sentences for people
    tabs: list[str] = field(default_factory=list)  # every tab of the file, read or not


def read_book(path: str | Path, wanted: Callable[[str], bool] | None = None) -> Book:
    """Read all tabs of a workbook, or those whose name is `wanted`; hidden ones too.

    Raises UnsafeFile for a file that is missing, is no workbook, is damaged, or holds more than is safe to read.
    """
    path = Path(path)
    warnings = check_file(path)
    try:
        with path.open("rb") as handle, python_warnings.catch_warnings(record=True) as noted:
            python_warnings.simplefilter("always")
            return _read(path, handle, wanted, warnings, noted)
    except UnsafeFile:
        raise
    except Exception as error:  # whatever the library meets in a part that no program should have written
        raise UnsafeFile(said("{name} is not built as Excel builds a workbook.", name=path.name), REPAIR) from error


def place(tab: str, row: int, column: int) -> str:
    """`Plan!C5`, or `'SLA tiers'!C5` where Excel needs the quotes."""
    bare = re.fullmatch(r"[^\W\d][\w.]*", tab) and not _LIKE_A_CELL.fullmatch(tab)
    quoted = tab if bare else "'" + tab.replace("'", "''") + "'"
    return f"{quoted}!{get_column_letter(column)}{row}"


def target(reference: str) -> tuple[str, int, int] | None:
    """(tab, row, column) of a reference to one cell, such as `'Tab'!$C$5`; None for anything else."""
    match = _TARGET.fullmatch(reference)
    if not match:
        return None
    quoted, plain, letters, row = match.groups()
    return (quoted.replace("''", "'") if quoted else plain), int(row), column_index_from_string(letters)


def set_cell(book: Book, tab: str, row: int, column: int, value: object) -> Book:
    """A copy of the book with one value replaced and its formula dropped; None empties the cell."""
    cells = dict(book.sheets[tab].cells)
    old = cells.pop((row, column), None)
    if value is not None:
        cells[row, column] = Cell(value, old.number_format if old else "General", None)
    return replace(book, sheets={**book.sheets, tab: Sheet(tab, cells)})


def _read(
    path: Path,
    handle: BinaryIO,
    wanted: Callable[[str], bool] | None,
    warnings: list[str],
    noted: list[python_warnings.WarningMessage],
) -> Book:
    """Two passes, as the library gives either formulas or stored values; `noted` is where its warnings arrive."""
    formulas: dict[str, dict[tuple[int, int], Cell]] = {}
    for sheet in _sheets(load_workbook(handle, read_only=True, keep_links=False), wanted):
        formulas[sheet.title] = {
            (cell.row, cell.column): Cell(None, cell.number_format, _formula(cell.value))
            for cell in _filled(sheet)
            if cell.data_type == "f"
        }
    source = load_workbook(handle, read_only=True, data_only=True, keep_links=False)
    names = {name: str(to.value).removeprefix("=") for name, to in source.defined_names.items() if name[:3] != "_xl"}
    book = Book(path, {}, names, warnings, list(source.sheetnames))
    for sheet in _sheets(source, wanted):
        cells = formulas[sheet.title]
        before = len(noted)
        for cell in _filled(sheet):
            at = cell.row, cell.column
            if at in cells or cell.value not in (None, ""):
                known = cells.get(at)
                cells[at] = Cell(_value(cell.value), cell.number_format, known.formula if known else None)
        for note in noted[before:]:
            if match := _NO_DATE.match(str(note.message)):  # the library put #VALUE! for a number in a date format
                at = int(match[2]), column_index_from_string(match[1])
                cells[at] = replace(cells[at], value=float(match[3]))
        book.sheets[sheet.title] = Sheet(sheet.title, dict(sorted(cells.items())))
    return book


def _sheets(source: Any, wanted: Callable[[str], bool] | None) -> list[Any]:
    return [sheet for sheet in source.worksheets if wanted is None or wanted(sheet.title)]


def _filled(sheet: Any) -> Iterator[Any]:
    """The cells that hold something, whatever size the tab claims to have; an empty text that a formula gave counts."""
    sheet.reset_dimensions()
    count = 0
    for row in sheet.iter_rows():
        for cell in row:
            if cell.value is not None or cell.data_type == "str":
                count += 1
                yield cell
        if count > MAX_FILLED:
            found = said("Tab {tab!r} fills more than {most} cells.", tab=sheet.title, most=f"{MAX_FILLED:,}")
            do = said("Delete what the plan does not need; logs and bills have their own commands.")
            raise UnsafeFile(found, do)


def _formula(value: Any) -> str:
    """Plain formulas are text, array formulas hold it, and the cells of a data table have none."""
    return str(value if isinstance(value, str) else getattr(value, "text", None) or "=TABLE()")


def _value(value: Any) -> object:
    if isinstance(value, str):
        return re.sub("_x000D_\n?", "\n", value)  # how the format writes a carriage return
    if isinstance(value, dt.datetime):
        return value.date() if value.time() == dt.time.min else value
    if isinstance(value, dt.time):
        value = dt.datetime.combine(dt.date.min, value) - dt.datetime.min
    if isinstance(value, dt.timedelta):
        return value / dt.timedelta(days=1)
    return "" if value is None else value
