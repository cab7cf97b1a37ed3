"""An input workbook opened, some of its tables set, and written anew as `init` writes it, without losing anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from planner.inputs.draft import Draft
from planner.inputs.field import Row
from planner.inputs.gate import unfinished
from planner.inputs.grid import Book, read_book
from planner.inputs.guard import UnsafeFile
from planner.inputs.leftover import leftovers
from planner.inputs.model import Inputs, default_rows, with_room
from planner.inputs.reader import draft_of
from planner.inputs.tables import TABLES
from planner.problem import InputProblems, Problem, listed, said
from planner.workbook.blank import laid_out
from planner.workbook.write import write

SHOWN = 8


@dataclass(frozen=True)
class Opened:
    """What a workbook holds, with the book itself where there is one; `start` is where it was read."""

    inputs: Inputs
    start: Path
    book: Book | None = None
    read: frozenset[tuple[str, int, int]] = frozenset()

    @property
    def language(self) -> str:
        """The language that it is written in."""
        return self.inputs.plan.language


def opened(start: Path, language: str = "", must: bool = False) -> Opened:
    """Open a workbook; where there is none, and there need not be, a blank one. Raises InputProblems."""
    if not start.exists() and not must:
        draft = Draft(scalars={"language": language or "en"})
        draft.rows = {t.tab: with_room(t, default_rows(t, language or "en")) for t in TABLES}
        return Opened(unfinished(draft), start)
    try:
        book = read_book(start)
    except UnsafeFile as bad:
        raise InputProblems([Problem(str(start), bad.found, said("an input workbook"), bad.do)], language) from None
    draft = draft_of(book, language)
    return Opened(unfinished(draft), start, book, frozenset(draft.read))


def rewritten(this: Opened, tables: Mapping[str, tuple[Row | None, ...]], target: Path) -> None:
    """Write the workbook with these tables. Raises InputProblems where the target holds what would be lost."""
    inputs = replace(this.inputs, rows={**this.inputs.rows, **tables})
    layout = laid_out(inputs, this.language)
    same = target.exists() and this.start.exists() and target.samefile(this.start)
    if target.exists() and not same:
        do = said("choose another name, or leave --from out to fill that file")
        _refuse(target, said("a file that exists already"), said("a new file"), do, this.language)
    if same and this.book is not None:
        written = {s.name: [c.value for c in s.cells.values()] for s in layout.sheets}
        plan = "risk_level" in this.book.names
        lost = [] if plan else leftovers(this.book, this.read, written)
        if plan or lost:
            what = said("a built plan")
            if not plan:
                what = said("what a new file would lack: {things}", things=listed(lost, SHOWN))
            do = said("write a new file and keep this one: --from {start} -o {new}", start=this.start.name,
                      new=f"{target.stem}-2{target.suffix}")  # fmt: skip
            _refuse(target, what, said("a workbook that holds inputs alone"), do, this.language)
    try:
        write(layout, target, this.language)
    except ValueError as bad:
        _refuse(target, said("a text that cannot be written ({reason})", reason=str(bad)),
                said("text that a workbook can hold"), said("shorten it"), this.language)  # fmt: skip


def _refuse(place: Path, found: str, wanted: str, do: str, language: str) -> None:
    raise InputProblems([Problem(str(place), found, wanted, do)], language)
