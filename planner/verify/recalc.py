"""Recalculation in process by an engine that shares nothing with the builder, and the comparison cell by cell."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import ironcalc

from planner.problem import Said, said
from planner.verify.address import MAX_FORMULA, MAX_NESTING, bare, cell_name, nesting
from planner.verify.package import Book, CellError, Value, local, read

TOLERANCE = 1e-9

Place = tuple[str, int, int]


class EngineFailure(RuntimeError):
    """The engine could not load or calculate the workbook at all."""

    def __init__(self, text: Said) -> None:
        self.text = text
        super().__init__(text)


class CellPair(NamedTuple):
    """A formula cell, its stored value and the recalculated one; `read_as` is what the engine read, if not the same."""

    tab: str
    row: int
    col: int
    formula: str
    stored: Value
    recalculated: Value
    read_as: str | None = None


@dataclass(frozen=True)
class Difference:
    tab: str
    row: int
    col: int
    formula: str
    stored: Value
    recalculated: Value
    reason: Said

    @property
    def place(self) -> str:
        return f"{self.tab}!{cell_name(self.row, self.col)}"

    @property
    def text(self) -> Said:
        """The whole finding, ready to be spoken."""
        values = {"stored": repr(self.stored), "again": repr(self.recalculated)}
        return said(
            "{place}: {reason}: stored {stored}, recalculated {again}", place=self.place, reason=self.reason, **values
        )

    def __str__(self) -> str:
        return str(self.text)


def stored_and_recalculated(path: str | Path) -> list[CellPair]:
    """Every formula cell of the file. The stored value is the file's own, not what an engine made of it on loading."""
    return pairs_of(read(path))


def pairs_of(book: Book) -> list[CellPair]:
    model, sheets = _loaded(book)
    pairs = []
    for sheet in book.sheets:
        index = sheets.get(sheet.name)
        for cell in sheet.formulas:
            formula = "=" + cell.formula
            if index is None:
                pairs.append(CellPair(sheet.name, cell.row, cell.col, formula, cell.value, None, ""))
                continue
            text = model.get_cell_formula(index, cell.row, cell.col)
            same = text == formula or (text is not None and bare(text) == bare(formula))
            value = _value(model, index, cell.row, cell.col)
            read_as = None if same else text or ""
            pairs.append(CellPair(sheet.name, cell.row, cell.col, formula, cell.value, value, read_as))
    return pairs


def differences(pairs: Iterable[CellPair], tolerance: float = TOLERANCE) -> list[Difference]:
    found = []
    for pair in pairs:
        reason = _reason(pair, tolerance)
        if reason is not None:
            found.append(Difference(*pair[:6], reason))
    return found


def _reason(pair: CellPair, tolerance: float) -> Said | None:
    stored, again = pair.stored, pair.recalculated
    if isinstance(stored, CellError) or isinstance(again, CellError):
        return said("an error value")
    if stored is None:
        return said("no stored value")
    if again is None:
        return said("the engine gives no value")
    if pair.read_as is not None:
        return said("the engine reads another formula ({formula})", formula=pair.read_as[:200] or said("none"))
    if _is_number(stored) and _is_number(again):
        return None if close(stored, again, tolerance) else said("another number")
    if type(stored) is not type(again):
        return said("another type of value")
    return None if stored == again else said("another value")


def _is_number(value: Value) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def close(a: float, b: float, tolerance: float = TOLERANCE) -> bool:
    """Equal within the tolerance, absolute below 1 and relative above."""
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


@contextmanager
def _engine(name: str) -> Iterator[None]:
    """The engine's panics are BaseExceptions: turn them and its errors into ours, let interrupts through."""
    try:
        with _silent():
            yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except BaseException as error:
        text = said("{name}: the engine cannot calculate this workbook ({why})", name=name, why=str(error)[:200])
        raise EngineFailure(text) from error


@contextmanager
def _silent() -> Iterator[None]:
    """The engine writes its complaints, and whole stack traces, past Python to the error stream: keep them off it."""
    try:
        kept = os.dup(2)
    except OSError:  # no error stream at all
        yield
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _loaded(book: Book) -> tuple[Any, dict[str, int]]:
    for place, formula in _everything_parsed(book):
        if len(formula) >= MAX_FORMULA or nesting(formula) > MAX_NESTING:
            where = {"name": book.path.name, "place": place}
            text = said("{name}: {place}: a formula too long, or nested too deeply, to be given to the engine", **where)
            raise EngineFailure(text)
    with _engine(book.path.name):
        model = ironcalc.load_from_xlsx(str(book.path), "en", "UTC", "en")
        model.evaluate()
    return model, {sheet["name"]: index for index, sheet in enumerate(model.get_worksheets_properties())}


def _everything_parsed(book: Book) -> Iterator[tuple[str, str]]:
    """Whatever the engine reads as a formula: it ends the whole process on one that is nested some thousand deep."""
    for name in book.names:
        yield name.name, name.refers_to
    for sheet in book.sheets:
        for cell in sheet.formulas:
            yield f"{sheet.name}!{cell_name(cell.row, cell.col)}", cell.formula
        for child in sheet.root:
            if local(child.tag) != "sheetData":
                yield from ((sheet.name, element.text) for element in child.iter() if element.text)


def _value(model: Any, sheet: int, row: int, col: int) -> Value:
    value: Value = model.get_cell_value(sheet, row, col)
    if isinstance(value, str) and value.startswith("#"):
        kind = model.get_cell_type(sheet, row, col)
        return CellError(value) if kind == ironcalc.CellType.ErrorValue else value
    return value


class Live:
    """A workbook held in the engine, for asking what follows when an input changes. Rows and columns count from 1."""

    def __init__(self, path: str | Path) -> None:
        book = read(path)
        self._model, self.sheets = _loaded(book)
        self._name = book.path.name
        self._before: dict[Place, tuple[str | None, Value]] = {}

    def set(self, tab: str, row: int, col: int, value: float | str | bool | None) -> None:
        """Put a value into a cell (None empties it). Nothing follows before `recalculate`."""
        sheet = self._sheet(tab)
        if isinstance(value, numbers.Real) and not isinstance(value, bool) and not math.isfinite(value):
            raise ValueError(f"{tab}!{cell_name(row, col)}: {value} is not a number a cell can hold")
        self._remember(tab, row, col)
        self._put(sheet, row, col, value)

    def set_formula(self, tab: str, row: int, col: int, formula: str) -> None:
        """Put a formula into a cell, `=` included."""
        self._remember(tab, row, col)
        self._model.update_cell_with_formula(self._sheet(tab), row, col, formula)

    def _remember(self, tab: str, row: int, col: int) -> None:
        if (tab, row, col) not in self._before:
            sheet = self._sheet(tab)
            formula = self._model.get_cell_formula(sheet, row, col)
            self._before[tab, row, col] = formula, _value(self._model, sheet, row, col)

    def _put(self, sheet: int, row: int, col: int, value: object) -> None:
        if value is None:
            self._model.clear_cell_contents(sheet, row, col)
        elif isinstance(value, bool):
            self._model.update_cell_with_bool(sheet, row, col, value)
        elif isinstance(value, str):
            self._model.update_cell_with_text(sheet, row, col, value)
        elif isinstance(value, numbers.Real):
            self._model.update_cell_with_number(sheet, row, col, float(value))
        else:
            raise TypeError(f"a cell holds a number, a text, a truth value or nothing, not {type(value).__name__}")

    def recalculate(self) -> None:
        with _engine(self._name):
            self._model.evaluate()

    def value(self, tab: str, row: int, col: int) -> Value:
        return _value(self._model, self._sheet(tab), row, col)

    def values(self, cells: Iterable[Place]) -> list[Value]:
        return [self.value(*cell) for cell in cells]

    def restore(self, recalculated: bool = True) -> None:
        """Back to the file's own inputs and formulas; what follows from them only where it is recalculated."""
        for (tab, row, col), (formula, value) in self._before.items():
            if formula is not None:
                self._model.update_cell_with_formula(self._sheet(tab), row, col, formula)
            else:
                self._put(self._sheet(tab), row, col, value)
        self._before.clear()
        if recalculated:
            self.recalculate()

    def _sheet(self, tab: str) -> int:
        if tab not in self.sheets:
            raise KeyError(f"the workbook has no tab {tab!r}")
        return self.sheets[tab]
