"""Every cloned line that no template names, laid out as its original is: down, or across months or another axis."""

from __future__ import annotations

from typing import Any

from planner.workbook.by_axis import ByAxis
from planner.workbook.context import Context
from planner.workbook.sheet import Sheet
from planner.workbook.template import Item, Section, tabs

COLUMNS = 12  # of a table: a wider one would fill every month's column, and read as a row of months


class Variants:
    """All lines whose names begin as the section's `line` says: one table for each set of axes, then those by month."""

    def __init__(self, section: Section, kinds: dict[str, Any]) -> None:
        self.section, self.kinds = section, kinds
        self.parts: list[Any] = []

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give every line its cells."""
        prefix = self.section.line
        named = {item.line for t in tabs() for s in t.section for item in (*s.items, *s.total)}
        groups: dict[tuple[str, tuple[str, ...], str], list[str]] = {}
        for name in ctx.program.lines:
            if name.startswith(prefix) and name not in named:
                across = ctx.places.home(name.removeprefix(prefix)).across
                axes = tuple(a for a in ctx.program.axes[name] if a != across)
                alone = name if across not in ("", "month") else ""
                groups.setdefault((across, axes, alone), []).append(name)
        for (across, axes, alone), names in sorted(groups.items(), key=lambda g: (g[0][0], len(g[0][1]))):
            wide = len(names) if across or not axes else COLUMNS
            for first in range(0, len(names), wide):
                self.parts.append(self._part(across, axes, alone, names[first : first + wide]))
                row = self.parts[-1].place(ctx, sheet, row)
        return row

    def _part(self, across: str, axes: tuple[str, ...], alone: str, names: list[str]) -> Any:
        said: dict[str, Any] = {"title": self.section.title, "note": self.section.note, "axis": " ".join(axes)}
        items = tuple(Item(line=n, peak="no") for n in names)
        if across == "month":
            return self.kinds["months"](Section(kind="months", items=items, **said))
        if across:
            return self.kinds["matrix"](Section(kind="matrix", line=alone, across=across, **said))
        if not axes:
            return self.kinds["values"](Section(kind="values", items=items, **said))
        return ByAxis(Section(kind="by_axis", items=items, **said))

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write them."""
        for part in self.parts:
            part.fill(ctx, sheet)
