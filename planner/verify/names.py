"""Defined names: what they may look like, and what they may stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from planner.problem import Said, said
from planner.verify.address import MAX_COLUMN, MAX_ROW, column_number
from planner.verify.package import Book, DefinedName

MONTHS = "month_columns"
_PRINT = ("_xlnm.print_area", "_xlnm.print_titles")
_FILTER = "_xlnm._filterdatabase"
_SHAPE = re.compile(r"[^\W\d][\w.]*")
_LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[Rr][0-9]*(?:[Cc][0-9]*)?|[Cc][0-9]*|TRUE|FALSE", re.IGNORECASE)
_TARGET = re.compile(
    r"('(?:[^']|'')+'|[^\W\d][\w.]*)!\$([A-Za-z]{1,3})\$([0-9]{1,7})(?::\$([A-Za-z]{1,3})\$([0-9]{1,7}))?"
)


def target(name: DefinedName) -> tuple[str, int, int, int, int] | None:
    """(tab, first row, first column, last row, last column), or None if it is no cell or range of one tab."""
    match = _TARGET.fullmatch(name.refers_to.removeprefix("="))
    if match is None:
        return None
    sheet, left, top, right, bottom = match.groups()
    sheet = sheet[1:-1].replace("''", "'") if sheet.startswith("'") else sheet
    first = int(top), column_number(left)
    last = (int(bottom), column_number(right)) if right else first
    if not (1 <= first[0] <= last[0] <= MAX_ROW and first[1] <= last[1] <= MAX_COLUMN):
        return None
    return sheet, *first, *last


def ranges(book: Book) -> dict[str, bool]:
    """Names that a formula may use, in lower case: True for more than one cell."""
    found = {}
    for name in book.names:
        place = target(name)
        if name.scope is None and place is not None:
            found[name.name.lower()] = place[1:3] != place[3:5]
    return found


def months(book: Book) -> tuple[int, int, int] | None:
    """The header row and the first and last month column, the same on every monthly tab."""
    for name in book.names:
        if name.name.lower() == MONTHS and name.scope is None and (place := target(name)):
            return place[1], place[2], place[4]
    return None


def breaches(book: Book) -> Iterator[tuple[str, Said, Literal["error", "note"]]]:
    tabs = {sheet.name.casefold() for sheet in book.sheets}
    seen: set[str] = set()
    for name in book.names:
        low = name.name.lower()
        if low in _PRINT:
            continue
        if low == _FILTER:
            yield name.name, said("a filter is set on this tab"), "note"
            continue
        if name.scope is not None:
            yield name.name, said("belongs to one tab, not to the workbook"), "error"
        elif low in seen:
            yield name.name, said("defined twice, apart from case"), "error"
        seen.add(low)
        if _LIKE_A_CELL.fullmatch(name.name):
            yield name.name, said("looks like a cell"), "error"
        elif not _SHAPE.fullmatch(name.name) or len(name.name) > 255:
            yield name.name, said("holds characters that not every spreadsheet takes in a name"), "error"
        place = target(name)
        if place is None:
            target_text = repr(name.refers_to[:80])
            text = said("stands for {target}, not for a cell or a range of one tab", target=target_text)
            yield name.name, text, "error"
        elif place[0].casefold() not in tabs:
            text = said("stands for a cell of the tab {tab}, which is not there", tab=repr(place[0]))
            yield name.name, text, "error"
