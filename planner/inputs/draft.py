"""What could be read of an input workbook, before it is known to be whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from planner.inputs.field import Row
from planner.inputs.grid import place
from planner.problem import Problem, said


@dataclass(frozen=True)
class Stand:
    """Where a table stands: its tab as the file spells it, its header row, each row's sheet row, each key's column."""

    tab: str
    header: int
    rows: tuple[int, ...]
    columns: dict[str, int]


@dataclass
class Draft:
    """What could be read: scalars by key (blank ones absent), rows (None is spare), problems, and where it all stood.

    `unread` holds the columns (tab, key) of which a cell was refused; `assumed` what the file marks as assumed;
    `read` the cells (tab, row, column) of all inputs and their sources.
    """

    scalars: dict[str, Any] = field(default_factory=dict)
    rows: dict[str, tuple[Row | None, ...]] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    stands: dict[str, Stand] = field(default_factory=dict)
    unread: set[tuple[str, str]] = field(default_factory=set)
    assumed: tuple[str, ...] = ()
    read: set[tuple[str, int, int]] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def language(self) -> str:
        """The language that the file names; '' where it names none."""
        return str(self.scalars.get("language", ""))

    def where(self, key: str) -> str:
        """The cell of a scalar; its key where it has no cell."""
        return self.places.get(key) or said("{tab} ({key})", tab=said("Plan"), key=key)

    def where_in(self, tab: str, key: str, index: int) -> str:
        """The cell of a field in a row, counted from 0; the first header where the field has no column."""
        stand = self.stands.get(tab)
        if stand is None:
            return said("{tab} ({key})", tab=said(tab), key=key)
        if key not in stand.columns or index >= len(stand.rows):
            return place(stand.tab, stand.header, min(stand.columns.values()))
        return place(stand.tab, stand.rows[index], stand.columns[key])

    def filled(self, tab: str) -> list[tuple[int, Any]]:
        """The rows of a table that are filled, each with its index."""
        return [(i, r) for i, r in enumerate(self.rows.get(tab, ())) if r is not None]
