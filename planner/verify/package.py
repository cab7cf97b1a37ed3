"""The parts of an xlsx file as they are stored, read without a spreadsheet library: nothing is repaired on the way."""

from __future__ import annotations

import math
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple
from xml.etree import ElementTree
from xml.parsers import expat

from planner.problem import Said, said
from planner.verify.address import column_number, shifted

MAX_PART_BYTES = 200 << 20
MAX_TOTAL_BYTES = 600 << 20
MAX_PARTS = 5000
_XML_PART = (".xml", ".rels", ".vml")
_REFERENCE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class Unreadable(ValueError):
    """The file is not a workbook that can be judged: not an xlsx, broken, too large, or with a DTD."""

    def __init__(self, text: Said) -> None:
        self.text = text
        super().__init__(text)


class CellError(str):
    """An error value such as #DIV/0!, told apart from a text that merely looks like one."""

    __slots__ = ()


Value = float | str | bool | None


class FormulaCell(NamedTuple):
    """One formula cell. `value` is None where no usable value is stored; `raw` is what stands there."""

    row: int
    col: int
    formula: str
    kind: str
    value: Value
    raw: str | None
    style: int


class DefinedName(NamedTuple):
    name: str
    scope: str | None
    refers_to: str


@dataclass
class Sheet:
    name: str
    state: str
    part: str
    root: ElementTree.Element
    formulas: list[FormulaCell] = field(default_factory=list)
    numbers: dict[tuple[int, int], int] = field(default_factory=dict)
    texts: set[tuple[int, int]] = field(default_factory=set)

    def all(self, tag: str) -> Iterator[ElementTree.Element]:
        """Every element of this local name outside the cells, whatever its namespace (extensions included)."""
        for child in self.root:
            if local(child.tag) != "sheetData":
                yield from (element for element in child.iter() if local(element.tag) == tag)


@dataclass
class Book:
    path: Path
    parts: list[str]
    workbook: ElementTree.Element
    sheets: list[Sheet]
    names: list[DefinedName]
    unlocked: frozenset[int]
    links: list[tuple[str, str, str]]
    formula_cells: int | None = None  # how many there were when the plan was written, where the file says so


def local(tag: str) -> str:
    return tag.rpartition("}")[2]


def read(path: str | Path) -> Book:
    """Read a workbook's own parts. Raises Unreadable, and nothing else, for whatever a person can hand over."""
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            return _book(path, archive)
    except Unreadable:
        raise
    except FileNotFoundError as error:
        raise Unreadable(said("{name}: there is no such file", name=path.name)) from error
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise Unreadable(said("{name}: not an xlsx workbook ({why})", name=path.name, why=str(error))) from error
    except (ElementTree.ParseError, expat.ExpatError, UnicodeError, LookupError, ValueError) as error:
        raise Unreadable(said("{name}: a broken part ({why})", name=path.name, why=str(error))) from error
    except OSError as error:
        raise Unreadable(
            said("{name}: cannot be read ({why})", name=path.name, why=error.strerror or str(error))
        ) from error


def is_plan(path: Path) -> bool:
    """Whether a file is a plan, also after people edited it; nothing else of it is looked at."""
    try:
        with zipfile.ZipFile(path) as archive:
            return b'"month_columns"' in archive.read("xl/workbook.xml")
    except (OSError, zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError):
        return False


def _book(path: Path, archive: zipfile.ZipFile) -> Book:
    parts = _parts(path, archive)
    if "xl/workbook.xml" not in parts:
        raise Unreadable(said("{name}: not an xlsx workbook ({why})", name=path.name, why=said("no xl/workbook.xml")))
    workbook = _xml(archive, "xl/workbook.xml")
    links, targets = _links(archive, parts)
    sheets = []
    for element in workbook.iter():
        if local(element.tag) != "sheet":
            continue
        name = element.get("name", "")
        part = targets.get(("xl/workbook.xml", _attribute(element, "id")))
        if part is None or part not in parts:
            raise Unreadable(said("{name}: the sheet {tab} has no part", name=path.name, tab=repr(name)))
        sheet = Sheet(name, element.get("state", "visible"), part, _xml(archive, part))
        _cells(sheet)
        sheets.append(sheet)
    names = []
    for element in workbook.iter():
        if local(element.tag) == "definedName":
            scope = element.get("localSheetId")
            names.append(DefinedName(element.get("name", ""), scope, (element.text or "").strip()))
    unlocked = _unlocked(_xml(archive, "xl/styles.xml")) if "xl/styles.xml" in parts else frozenset()
    return Book(path, parts, workbook, sheets, names, unlocked, links, _formula_cells(archive, parts))


def _formula_cells(archive: zipfile.ZipFile, parts: list[str]) -> int | None:
    if "docProps/custom.xml" not in parts:
        return None
    for element in _xml(archive, "docProps/custom.xml"):
        text = "".join(element.itertext()).strip()
        if element.get("name") == "formula_cells" and text.isdigit():
            return int(text)
    return None


def _parts(path: Path, archive: zipfile.ZipFile) -> list[str]:
    entries = archive.infolist()
    parts = [entry.filename for entry in entries]
    if len(entries) > MAX_PARTS or len({part.lower() for part in parts}) != len(parts):
        raise Unreadable(said("{name}: too many parts, or one part twice", name=path.name))
    if any(entry.flag_bits & 1 for entry in entries):
        raise Unreadable(said("{name}: encrypted", name=path.name))
    sizes = [entry.file_size for entry in entries]
    if max(sizes, default=0) > MAX_PART_BYTES or sum(sizes) > MAX_TOTAL_BYTES:
        most = MAX_TOTAL_BYTES >> 20
        raise Unreadable(said("{name}: larger than {most} MB when unpacked", name=path.name, most=most))
    for part in parts:
        if part.lower().endswith(_XML_PART):
            with archive.open(part) as stream:
                _refuse_dtd(part, stream)
    return parts


class _RootSeen(Exception):
    pass


def _refuse_dtd(part: str, stream: IO[bytes]) -> None:
    """A document type can only stand before the root element: read that far, in whatever encoding, and no further."""

    def doctype(*_: object) -> None:
        raise Unreadable(said("{name}: holds a document type (DTD)", name=part))

    def root(*_: object) -> None:
        raise _RootSeen

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = root
    try:
        while chunk := stream.read(4096):
            parser.Parse(chunk)
    except _RootSeen:
        return


def _xml(archive: zipfile.ZipFile, part: str) -> ElementTree.Element:
    return ElementTree.fromstring(archive.read(part))


def _attribute(element: ElementTree.Element, name: str) -> str:
    return next((value for key, value in element.attrib.items() if "}" in key and local(key) == name), "")


def _links(archive: zipfile.ZipFile, parts: list[str]) -> tuple[list[tuple[str, str, str]], dict[tuple[str, str], str]]:
    """Relationships that lead out of the file (part, type, target), and part and id -> part for those inside."""
    outside = []
    inside = {}
    for part in parts:
        if not part.endswith(".rels"):
            continue
        folder, _, name = part.rpartition("/")
        base = posixpath.dirname(folder)
        owner = posixpath.join(base, name.removesuffix(".rels"))
        for element in _xml(archive, part):
            target = element.get("Target", "")
            if element.get("TargetMode") == "External":
                outside.append((owner, element.get("Type", "").rpartition("/")[2], target))
            else:
                inside[owner, element.get("Id", "")] = posixpath.normpath(posixpath.join("/", base, target))[1:]
    return outside, inside


def _unlocked(styles: ElementTree.Element) -> frozenset[int]:
    found = set()
    for formats in styles:
        if local(formats.tag) == "cellXfs":
            for index, xf in enumerate(formats):
                if any(local(child.tag) == "protection" and _off(child.get("locked")) for child in xf):
                    found.add(index)
    return frozenset(found)


def _off(text: str | None) -> bool:
    return text in ("0", "false")


def on(text: str | None) -> bool:
    """The OOXML boolean."""
    return text in ("1", "true")


def _cells(sheet: Sheet) -> None:
    """Collect the formula cells and the places of plain numbers and texts. Shared formulas are written out in full."""
    namespace = sheet.root.tag[: -len(local(sheet.root.tag))]
    c_tag, f_tag, v_tag, row_tag = (namespace + tag for tag in ("c", "f", "v", "row"))
    shared: dict[str, tuple[str, int, int]] = {}
    data = sheet.root.find(namespace + "sheetData")
    row = 0
    for line in data if data is not None else ():
        if line.tag != row_tag:
            continue
        row = int(line.get("r", row + 1))
        col = 0
        for cell in line:
            if cell.tag != c_tag:
                continue
            reference = cell.get("r")
            if reference is None:
                col += 1
            else:
                match = _REFERENCE.fullmatch(reference)
                if match is None or int(match[2]) != row:
                    where = {"name": sheet.part, "cell": repr(reference), "row": row}
                    raise Unreadable(said("{name}: the cell {cell} stands in row {row}", **where))
                col = column_number(match[1])
            kind = cell.get("t", "n")
            formula = stored = None
            for child in cell:
                if child.tag == f_tag:
                    formula = child
                elif child.tag == v_tag:
                    stored = child
            if formula is None:
                if kind in ("n", "d") and stored is not None:
                    sheet.numbers[row, col] = int(cell.get("s", 0))
                elif kind in ("s", "inlineStr", "str"):
                    sheet.texts.add((row, col))
                continue
            raw = None if stored is None else stored.text or ""
            text = formula.text or ""
            sort = formula.get("t", "")
            if sort == "shared":
                group = formula.get("si", "")
                if text:
                    shared[group] = (text, row, col)
                elif group in shared:
                    master, master_row, master_col = shared[group]
                    text = shifted(master, row - master_row, col - master_col)
            elif cell.get("cm"):
                sort = "array"
            sheet.formulas.append(FormulaCell(row, col, text, sort, _value(kind, raw), raw, int(cell.get("s", 0))))


def _value(kind: str, raw: str | None) -> Value:
    if raw is None:
        return None
    if kind == "str":
        return raw
    if kind == "e":
        return CellError(raw) if raw else None
    if kind == "b":
        return {"0": False, "1": True, "false": False, "true": True}.get(raw)
    if kind == "n" and _NUMBER.fullmatch(raw.strip()) and math.isfinite(number := float(raw)):
        return number
    return None
