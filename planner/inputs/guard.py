"""The look at a file before any reader opens it: is it a workbook, and can it do harm?

An .xlsx file is a zip of XML parts, and whoever made it chose what their sizes claim to be, so every limit is enforced
while the bytes come out, in one streaming pass that keeps nothing.
"""

from __future__ import annotations

import posixpath
import re
import stat
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

from planner.problem import Said, said

MAX_FILE = 100 << 20  # bytes on disk
MAX_ENTRIES = 2_000  # parts of the zip
MAX_DIRECTORY = 1 << 20  # bytes of the zip's directory
MAX_PART = 200 << 20  # bytes of one part, unpacked
MAX_TOTAL = 300 << 20  # bytes of all parts, unpacked
MAX_RATIO = 150  # unpacked / packed, of a part that unpacks to more than RATIO_FROM bytes
RATIO_FROM = 1 << 20
MAX_CELLS = 20_000_000  # rows x columns of the used range of one tab

_CHUNK = 1 << 18
REPAIR = said("Open it in Excel, let Excel repair it, and save it again as .xlsx.")
_SAVE_AS = said("Open it in the program that made it and save it as 'Excel Workbook (*.xlsx)'.")
_TOO_BIG = said("Save a workbook that has only the tabs of the plan.")
_OLE = bytes.fromhex("D0CF11E0A1B11AE1")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"
_ROW, _CELL = f"{_MAIN} row", f"{_MAIN} c"
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_OTHER_ZIPS = {
    "xl/workbook.bin": said("a binary workbook (.xlsb)"),
    "word/document.xml": said("a Word document"),
    "ppt/presentation.xml": said("a PowerPoint presentation"),
    "Index/Document.iwa": said("an Apple Numbers file"),
    "mimetype": said("an OpenDocument file (.ods)"),
}
_WARNINGS = {
    ("vbaproject", "macrosheets/"): said(
        "The workbook holds macros: they are not run, and the plan will not have them."
    ),
    ("externallinks/",): said("The workbook links to other workbooks: the values of its last save are used."),
    ("embeddings/", "activex/", "ctrlprops/"): said(
        "The workbook holds embedded objects or controls: they are ignored."
    ),
    ("connections.xml", "querytables/"): said(
        "The workbook has data connections: the values of its last save are used."
    ),
}


class UnsafeFile(ValueError):
    """A file that is not read. `found` says why, `do` what to do about it; str() is both, two sentences."""

    def __init__(self, message: Said, do: Said) -> None:
        self.found, self.do = message, do
        super().__init__(f"{message} {do}")


def check_file(path: str | Path) -> list[str]:
    """Pass a workbook that is safe to read; returns a sentence for each thing in it that will be ignored.

    Raises UnsafeFile for anything else: no such file, no workbook, a password, damage, contents beyond the limits.
    """
    path = Path(path)
    name = path.name or str(path)
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):
            raise UnsafeFile(
                said("{name} is not a file.", name=name), said("Name the workbook itself, not its folder.")
            )
        with path.open("rb") as handle:
            _check_kind(handle, state.st_size, name)
            with zipfile.ZipFile(handle) as archive:
                return _check_parts(archive, state.st_size, name)
    except FileNotFoundError:
        raise UnsafeFile(said("There is no file {path}.", path=path), said("Check the name and the folder.")) from None
    except PermissionError:
        do = said("Close it in other programs, or ask for the right to read it.")
        raise UnsafeFile(said("{name} may not be read.", name=name), do) from None
    except OSError as error:
        found = said("{name} cannot be read: {reason}.", name=name, reason=error.strerror)
        raise UnsafeFile(found, said("Copy it to a local folder and try again.")) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        do = said("Copy it afresh. Open it in Excel, let Excel repair it, and save it again as .xlsx.")
        raise UnsafeFile(said("{name} is damaged or incomplete.", name=name), do) from None


def _check_kind(handle: BinaryIO, size: int, name: str) -> None:
    """Refuse by size and first bytes what is no zip, and a zip whose directory alone would fill the memory."""
    if name.startswith("~$"):
        found = said("{name} only marks a workbook as open in Excel.", name=name)
        raise UnsafeFile(found, said("Name the workbook: {name}.", name=name[2:]))
    if size == 0:
        raise UnsafeFile(said("{name} is empty.", name=name), said("Save the workbook again, or copy it afresh."))
    if size > MAX_FILE:
        sizes = {"size": size >> 20, "most": MAX_FILE >> 20}
        raise UnsafeFile(
            said("{name} has {size} MB, more than the {most} MB that are read.", name=name, **sizes), _TOO_BIG
        )
    head = handle.read(4096)
    if head.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in head + handle.read():
            do = said("Open it in Excel, take the password away under File > Info > Protect Workbook, and save it.")
            raise UnsafeFile(said("{name} is protected by a password.", name=name), do)
        raise UnsafeFile(said("{name} is a workbook of Excel 97-2003 (.xls).", name=name), _SAVE_AS)
    if not head.startswith((b"PK\3\4", b"PK\5\6")):
        raise _of_another_kind(name, _kind_of(head))
    handle.seek(max(0, size - 22 - 65_535 - 76))  # the last record, its comment, and the zip64 records in front
    tail = handle.read()
    at = len(tail) - 22 if tail[-22:-18] == b"PK\5\6" and tail[-2:] == b"\0\0" else tail.rfind(b"PK\5\6")
    field = tail[at - 36 : at - 28] if at >= 76 and tail[at - 20 : at - 16] == b"PK\6\7" else tail[at + 12 : at + 16]
    if at >= 0 and int.from_bytes(field, "little") > MAX_DIRECTORY:
        raise UnsafeFile(said("{name} has more parts than any workbook.", name=name), _TOO_BIG)


def _of_another_kind(name: str, kind: Said) -> UnsafeFile:
    return UnsafeFile(said("{name} is {kind}, not an Excel workbook.", name=name, kind=kind), _SAVE_AS)


def _kind_of(head: bytes) -> Said:
    if head.startswith(b"%PDF"):
        return said("a PDF")
    if head.startswith((b"\x1f\x8b", b"7z\xbc\xaf")):
        return said("a compressed file")
    if any(byte < 9 for byte in head) and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return said("a file of another kind")
    if head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return said("a web page or XML text")
    return said("text (such as CSV)")


def _check_parts(archive: zipfile.ZipFile, size: int, name: str) -> list[str]:
    """Unpack every part once, by chunks, and look at it; returns the warnings."""
    infos = archive.infolist()
    names = [info.filename for info in infos]
    for part, kind in _OTHER_ZIPS.items():
        if part in names:
            raise _of_another_kind(name, kind)
    if "[Content_Types].xml" not in names:
        do = said("Unpack it and name the workbook inside.")
        raise UnsafeFile(said("{name} is a zip archive, not a workbook.", name=name), do)
    if len(infos) > MAX_ENTRIES:
        counts = {"count": f"{len(infos):,}", "most": f"{MAX_ENTRIES:,}"}
        raise UnsafeFile(said("{name} has {count} parts; at most {most} are read.", name=name, **counts), _TOO_BIG)
    if any(info.flag_bits & 1 for info in infos):
        do = said("Take the password away and save it as .xlsx.")
        raise UnsafeFile(said("{name} is an encrypted zip.", name=name), do)
    odd_method = any(info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in infos)
    odd_name = any(part.startswith("/") or ".." in part.split("/") for part in names)
    twice = len({part.lower() for part in names}) < len(names)
    if odd_method or odd_name or twice or sum(info.compress_size for info in infos) > size:
        raise UnsafeFile(said("{name} is not packed as Excel packs a workbook.", name=name), REPAIR)
    tabs = _Tabs()
    total = 0
    for info in sorted(infos, key=lambda info: "workbook" not in info.filename.lower()):  # tab names before the tabs
        look = _Part(info.filename, tabs, name)
        unpacked = 0
        with archive.open(info) as stream:
            while chunk := stream.read(_CHUNK):
                unpacked += len(chunk)
                total += len(chunk)
                if (
                    unpacked > max(RATIO_FROM, MAX_RATIO * info.compress_size)
                    or unpacked > MAX_PART
                    or total > MAX_TOTAL
                ):
                    found = said("{name} unpacks to far more than its size ({part}).", name=name, part=info.filename)
                    raise UnsafeFile(found, _TOO_BIG)
                look.feed(chunk)
    lower = [part.lower() for part in names]
    return [warning for marks, warning in _WARNINGS.items() if any(mark in part for mark in marks for part in lower)]


class _Tabs:
    """Which part holds which tab, learnt from the workbook part and its relations."""

    def __init__(self) -> None:
        self.ids: dict[str, str] = {}  # relation id -> tab
        self.targets: dict[str, str] = {}  # part -> relation id

    def of(self, part: str) -> str | None:
        return self.ids.get(self.targets.get(part, ""))


class _Part:
    """One part, fed chunk by chunk: no DTD in any XML, and the used range of a worksheet within its limit."""

    def __init__(self, part: str, tabs: _Tabs, file_name: str) -> None:
        self.part, self.tabs, self.file_name = part, tabs, file_name
        self.parser: expat.XMLParserType | None = None
        self.started = self.done = False
        self.row = self.column = self.last_row = self.last_column = 0

    def feed(self, chunk: bytes) -> None:
        if self.done:
            return
        named_xml = self.part.lower().endswith((".xml", ".rels", ".vml"))
        if self.parser is None:
            looks_xml = chunk.lstrip()[:1] in (b"", b"<") or chunk.startswith(
                (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0<")
            )
            if not named_xml and not looks_xml:
                self.done = True
                return
            self.parser = expat.ParserCreate(namespace_separator=" ")
            self.parser.StartDoctypeDeclHandler = self._doctype
            self.parser.StartElementHandler = self._root
        try:
            self.parser.Parse(chunk, False)
        except UnsafeFile:
            raise
        except (expat.ExpatError, LookupError, ValueError):  # the last two by an encoding that is unknown or too wide
            if named_xml and not self.done:
                raise self._damaged() from None
            self.done = True

    def _damaged(self) -> UnsafeFile:
        return UnsafeFile(said("{name} is damaged in {part}.", name=self.file_name, part=self._where()), REPAIR)

    def _too_far(self) -> UnsafeFile:
        reach = {"rows": f"{self.last_row:,}", "columns": f"{self.last_column:,}", "part": self._where()}
        found = said("{name} uses {rows} rows by {columns} columns in {part}.", name=self.file_name, **reach)
        do = said("Delete the rows and columns behind the data (Ctrl+End goes to the last one) and save it.")
        return UnsafeFile(found, do)

    def _where(self) -> str:
        tab = self.tabs.of(self.part)
        return said("tab {tab!r}", tab=tab) if tab else self.part

    def _doctype(self, *_: object) -> None:
        found = said("{name} holds a DTD ({part}), which no workbook has.", name=self.file_name, part=self.part)
        raise UnsafeFile(found, _SAVE_AS)

    def _root(self, tag: str, attributes: dict[str, str]) -> None:
        """Only worksheets and the two parts that name the tabs are worth reading on: a DTD stands before the root."""
        space, _, local = tag.rpartition(" ")
        handler: Callable[[str, dict[str, str]], None] | None = None
        if space == _STRICT:
            do = said("Save it as 'Excel Workbook (*.xlsx)', not as 'Strict Open XML Spreadsheet'.")
            raise UnsafeFile(said("{name} is saved in the strict format.", name=self.file_name), do)
        if local == "worksheet" or self.tabs.of(self.part):
            handler = self._cell
        elif local == "workbook":
            handler = self._sheet
        elif local == "Relationships" and "workbook" in self.part.lower():
            handler = self._relation
        assert self.parser is not None
        self.parser.StartElementHandler = handler
        self.done = handler is None

    def _sheet(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == f"{_MAIN} sheet":
            relation = next((value for key, value in attributes.items() if key.endswith("/relationships id")), "")
            self.tabs.ids[relation] = attributes.get("name", "")

    def _relation(self, tag: str, attributes: dict[str, str]) -> None:
        folder = posixpath.dirname(posixpath.dirname(self.part))
        target = posixpath.normpath(posixpath.join("/", folder, attributes.get("Target", ""))).lstrip("/")
        self.tabs.targets[target] = attributes.get("Id", "")

    def _cell(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == _CELL:
            reference = attributes.get("r")
            row, column = self.row, self.column + 1
            if reference is not None:
                match = _REFERENCE.fullmatch(reference)
                if not match:
                    raise self._damaged()
                row, column = int(match[2]), 0
                for letter in match[1]:
                    column = column * 26 + ord(letter) - 64
            if row < self.row or (row == self.row and column <= self.column) or row > 1_048_576 or column > 16_384:
                raise self._damaged()
            self.row, self.column = row, column
            if row > self.last_row or column > self.last_column:
                self.last_row, self.last_column = max(row, self.last_row), max(column, self.last_column)
                if self.last_row * self.last_column > MAX_CELLS:
                    raise self._too_far()
        elif tag == _ROW:
            number = attributes.get("r", str(self.row + 1))
            if not number.isdecimal() or not self.row < int(number) <= 1_048_576:
                raise self._damaged()
            self.row, self.column = int(number), 0
