"""What a workbook holds beside the inputs that are read: writing it anew would lose it, so it is named first."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Mapping

from planner.inputs.grid import Book, place
from planner.inputs.reader import tab_names
from planner.labels import squeezed
from planner.problem import said

PARTS = {
    "xl/comments": said("comments"),
    "xl/threadedComments": said("comments"),
    "xl/drawings/drawing": said("drawings"),
    "xl/charts/": said("charts"),
    "xl/media/": said("pictures"),
    "xl/vbaProject": said("macros"),
}


def leftovers(
    book: Book, read: Collection[tuple[str, int, int]], written: Mapping[str, Collection[object]]
) -> list[str]:
    """Places and things that a new file would lack: tabs of their own, cells that nothing reads, formulas in inputs,
    comments, pictures. `read` names the cells that are inputs, `written` the values of each tab of the new file.
    """
    known = tab_names()
    ours = {squeezed(tab) for tab in written}
    lost = [tab for tab in book.tabs if squeezed(tab) not in ours and squeezed(tab) not in known]
    for name, sheet in book.sheets.items():
        tab = known.get(squeezed(name))
        if tab is None:
            continue
        values = {_plain(v) for t, vs in written.items() if known.get(squeezed(t)) == tab for v in vs}
        for (row, column), cell in sheet.cells.items():
            input_cell = (name, row, column) in read
            if cell.formula is not None if input_cell else _plain(cell.value) not in values:
                lost.append(place(name, row, column))
    with zipfile.ZipFile(book.path) as archive:
        parts = archive.namelist()
    found = dict.fromkeys(word for start, word in PARTS.items() if any(p.startswith(start) for p in parts))
    return lost + list(found)


def _plain(value: object) -> object:
    """A value as two files may hold it."""
    return float(value) if isinstance(value, int | float) else str(value).strip()
