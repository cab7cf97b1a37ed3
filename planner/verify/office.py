"""A second engine: LibreOffice recalculates a copy. A cell with a wrong stored value proves that it really did."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from planner.verify.address import cell_name
from planner.verify.package import Book, FormulaCell, Sheet, Value, read
from planner.verify.recalc import CellPair, Difference, Place, close, differences

TIMEOUT_SECONDS = 180.0
_ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">\
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""
_WRONG_TEXT = "not recalculated"


class OfficeMissing(RuntimeError):
    """There is no soffice on this machine."""


class OfficeFailure(RuntimeError):
    """LibreOffice ran, but what it gave is no recalculation."""


class Canary(NamedTuple):
    tab: str
    row: int
    col: int
    wrong: Value


def office_program() -> str | None:
    return shutil.which("soffice") or shutil.which("libreoffice")


def office_values(path: str | Path, timeout: float = TIMEOUT_SECONDS) -> dict[Place, Value]:
    """What LibreOffice calculates for every formula cell of the file. It keeps 15 digits of a number."""
    book = read(path)
    return _values(book, timeout)


def office_differences(path: str | Path, timeout: float = TIMEOUT_SECONDS) -> list[Difference]:
    """The stored values against those of LibreOffice."""
    book = read(path)
    values = _values(book, timeout)
    return differences(
        CellPair(sheet.name, cell.row, cell.col, "=" + cell.formula, cell.value, values[sheet.name, cell.row, cell.col])
        for sheet in book.sheets
        for cell in sheet.formulas
    )


def _values(book: Book, timeout: float) -> dict[Place, Value]:
    program = office_program()
    if program is None:
        raise OfficeMissing("LibreOffice (soffice) is not installed; install it, or verify without it")
    found = _canary_cell(book)
    if found is None:
        return {}
    with tempfile.TemporaryDirectory(prefix="planner-office-") as folder:
        copy = Path(folder, "in", "plan.xlsx")
        copy.parent.mkdir()
        canary = write_with_canary(book, copy, *found)
        converted = read(_convert(program, copy, Path(folder), timeout))
    again = {(sheet.name, cell.row, cell.col): cell for sheet in converted.sheets for cell in sheet.formulas}
    wanted = [(sheet.name, cell.row, cell.col) for sheet in book.sheets for cell in sheet.formulas]
    lost = [place for place in wanted if place not in again]
    if lost:
        tab, row, col = lost[0]
        raise OfficeFailure(f"LibreOffice lost {len(lost)} formulas, the first at {tab}!{cell_name(row, col)}")
    values = {place: again[place].value for place in wanted}
    if _same(values[canary[:3]], canary.wrong):
        place = f"{canary.tab}!{cell_name(canary.row, canary.col)}"
        raise OfficeFailure(f"LibreOffice kept the wrong value planted at {place}: it did not recalculate")
    return values


def _same(value: Value, wrong: Value) -> bool:
    if isinstance(value, float) and isinstance(wrong, float):
        return close(value, wrong)
    return value == wrong


def _canary_cell(book: Book) -> tuple[Sheet, FormulaCell] | None:
    """A plain numeric formula if there is one: nothing that LibreOffice recalculates on loading in any case."""
    cells = [(sheet, cell) for sheet in book.sheets for cell in sheet.formulas if cell.raw is not None]
    plain = [pair for pair in cells if isinstance(pair[1].value, float) and "(" not in pair[1].formula]
    number = [pair for pair in cells if isinstance(pair[1].value, float)]
    return next(iter(plain or number or cells), None)


def write_with_canary(book: Book, copy: Path, sheet: Sheet, cell: FormulaCell) -> Canary:
    """A copy of the file in which one formula cell stores a value that cannot be right."""
    wrong: Value = cell.value * 2 + 1234567 if isinstance(cell.value, float) else _WRONG_TEXT
    with zipfile.ZipFile(book.path) as source, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            data = source.read(entry)
            target.writestr(entry.filename, _planted(data, cell, wrong) if entry.filename == sheet.part else data)
    planted = next(s for s in read(copy).sheets if s.name == sheet.name)
    if not any((c.row, c.col, c.value) == (cell.row, cell.col, wrong) for c in planted.formulas):
        raise OfficeFailure(f"no wrong value could be planted at {sheet.name}!{cell_name(cell.row, cell.col)}")
    return Canary(sheet.name, cell.row, cell.col, wrong)


def _planted(data: bytes, cell: FormulaCell, wrong: Value) -> bytes:
    name = cell_name(cell.row, cell.col).encode()
    pattern = re.compile(
        rb'(<(?:\w+:)?c\b(?=[^>]*\sr="' + name + rb'")[^>]*>)(.*?<(?:\w+:)?v>)[^<]*(</(?:\w+:)?v>)',
        re.DOTALL,
    )
    text = repr(wrong) if isinstance(wrong, float) else escape(str(wrong))

    def replaced(match: re.Match[bytes]) -> bytes:
        opening = match[1]
        if not isinstance(wrong, float):
            opening = re.sub(rb'\st="[^"]*"', b"", opening).replace(b">", b' t="str">')
        return opening + match[2] + text.encode() + match[3]

    return pattern.sub(replaced, data, count=1)


def _convert(program: str, copy: Path, folder: Path, timeout: float) -> Path:
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(_ALWAYS, encoding="utf-8")
    result = folder / "out" / copy.name
    command = [
        program,
        f"-env:UserInstallation={user.parent.as_uri()}",
        "--headless",
        "--norestore",
        "--convert-to",
        "xlsx:Calc MS Excel 2007 XML",
        "--outdir",
        str(result.parent),
        str(copy),
    ]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired as error:
            raise OfficeFailure(f"LibreOffice took longer than {timeout:g} s") from error
        finally:
            _end(process)
    if not result.is_file():
        said = (folder / "log").read_text(encoding="utf-8", errors="replace").strip()[-300:]
        raise OfficeFailure(f"LibreOffice wrote no file ({said or process.returncode})")
    return result


def _end(process: subprocess.Popen[bytes]) -> None:
    """soffice is a script that starts others: end its whole group, ours alone since it is a session of its own."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
