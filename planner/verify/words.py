"""The text behind a defined name, so that the verdict speaks the language of the plan."""

from __future__ import annotations

import re
import zipfile
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

from planner.verify.package import Book, local

_TEXTS = "xl/sharedStrings.xml"
_ONE_CELL = re.compile(r"(.+)!\$([A-Z]{1,3})\$(\d+)")


def language_of(book: Book) -> str:
    """The language that a plan names in its input `language`; '' where it names none."""
    target = next((_ONE_CELL.fullmatch(n.refers_to) for n in book.names if n.name == "language"), None)
    if target is None:
        return ""
    tab = target[1].strip("'").replace("''", "'")
    sheet = next((s for s in book.sheets if s.name == tab), None)
    wanted = target[2] + target[3]
    cells = () if sheet is None else (c for c in sheet.root.iter() if local(c.tag) == "c" and c.get("r") == wanted)
    for cell in cells:
        text = "".join(t.text or "" for t in cell.iter() if local(t.tag) in ("v", "t"))
        return _shared(book.path, int(text)) if cell.get("t") == "s" and text.isdigit() else text
    return ""


def _shared(path: Path, index: int) -> str:
    """One shared string; '' where the file has no such string."""
    with zipfile.ZipFile(path) as archive:
        if _TEXTS not in archive.namelist():
            return ""
        with archive.open(_TEXTS) as stream:
            items = (e for _, e in ElementTree.iterparse(stream) if local(e.tag) == "si")
            found = next(islice(items, index, None), None)
            return "" if found is None else "".join(t.text or "" for t in found.iter() if local(t.tag) == "t")
