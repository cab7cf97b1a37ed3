"""A tab as plain data: cells, widths, validations, conditional looks, links and charts. No address arithmetic here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from planner.workbook.look import Style

Value = float | str | None


@dataclass(slots=True)
class Cell:
    """One cell. With a formula, `value` is its result; without, the value itself (None: an empty formatted cell)."""

    row: int
    col: int
    value: Value
    style: Style
    formula: str | None = None
    link: str = ""


@dataclass
class Sheet:
    """Everything that is written on one tab, by row and column from 0."""

    name: str
    role: str
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    widths: dict[int, float] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    validations: list[tuple[int, int, int, int, dict[str, Any]]] = field(default_factory=list)
    looks: list[tuple[int, int, int, int, dict[str, Any]]] = field(default_factory=list)
    charts: list[tuple[int, int, dict[str, Any]]] = field(default_factory=list)
    bars: list[tuple[int, int, int, int]] = field(default_factory=list)
    freeze: tuple[int, int] = (3, 0)
    repeat_rows: tuple[int, int] = (0, 2)
    repeat_columns: tuple[int, int] | None = None
    column_breaks: list[int] = field(default_factory=list)
    row_breaks: list[int] = field(default_factory=list)
    print_to: tuple[int, int] | None = None
    one_page: bool = False
    zoom: int = 100
    last_col: int = 6

    def put(self, row: int, col: int, value: Value, style: Style, formula: str | None = None, link: str = "") -> None:
        """Write one cell. Raises ValueError where something stands already: two sections overlap."""
        if (row, col) in self.cells:
            raise ValueError(f"{self.name}: two things at row {row + 1}, column {col + 1}")
        self.cells[row, col] = Cell(row, col, value, style, formula, link)

    def band(self, row: int, first: int, last: int, style: Style) -> None:
        """Fill the empty cells of a row with a style."""
        for col in range(first, last + 1):
            if (row, col) not in self.cells:
                self.cells[row, col] = Cell(row, col, None, style)
