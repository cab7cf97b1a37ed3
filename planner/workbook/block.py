"""A section that only needs a count of rows."""

from __future__ import annotations

from planner.workbook.context import Context
from planner.workbook.sheet import Sheet
from planner.workbook.template import Section, Tab


class Block:
    """A section that only needs a count of rows."""

    def __init__(self, section: Section, tabs: tuple[Tab, ...]) -> None:
        self.section, self.tabs, self.top = section, tabs, 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Take the rows."""
        self.top = row
        return row + self.count(ctx) + 1

    def count(self, ctx: Context) -> int:
        """How many rows."""
        raise NotImplementedError

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write them."""
        raise NotImplementedError
