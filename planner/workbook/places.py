"""Where every name stands. The only file that turns a name and a coordinate into a reference."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from xlsxwriter.utility import xl_col_to_name

Coord = Mapping[str, int]
MARK = re.compile("\x01(\\d+)\x02")
column_name = cache(xl_col_to_name)


@dataclass(frozen=True)
class Home:
    """The block of a name: first row and column (from 0), the axes that run down and the one that runs across."""

    tab: str
    row: int
    col: int
    down: tuple[str, ...] = ()
    across: str = ""


@dataclass
class Places:
    """Addresses of all names, seen from one tab (`here`); `sweep` is the axis that the present row runs along.

    References that move with the sweep hold their column between marks, so that a row is printed once and spelled for
    each column (see `spelled`).
    """

    sizes: Mapping[str, int]
    homes: dict[str, Home] = field(default_factory=dict)
    defined: dict[str, str] = field(default_factory=dict)
    here: str = ""
    sweep: str = ""

    def settle(self, name: str, home: Home) -> None:
        """Give a name its one home."""
        if name in self.homes:
            raise ValueError(f"{name!r} has two homes: {self.homes[name]} and {home}")
        self.homes[name] = home

    def home(self, name: str) -> Home:
        """The home of a name. Raises KeyError when no template places it."""
        if name not in self.homes:
            raise KeyError(f"{name!r} stands on no tab: place it in a template")
        return self.homes[name]

    def define(self, name: str) -> None:
        """Give a scalar a workbook-scope name; formulas then read it by that name."""
        home = self.home(name)
        self.defined[name] = f"={quoted(home.tab)}!${column_name(home.col)}${home.row + 1}"

    # ---- what the formula printer asks

    def cell(self, name: str, coord: Coord) -> str:
        """One cell."""
        if name in self.defined:
            return name
        home = self.home(name)
        return self._prefix(home) + self._column(home, coord) + self._row(home, coord)

    def run(self, name: str, coord: Coord, over: str) -> str:
        """The cells along one axis."""
        home = self.home(name)
        count = self.sizes[over]
        if over == home.across:
            row = self._row(home, coord)
            last = home.col + count - 1
            return f"{self._prefix(home)}${column_name(home.col)}{row}:${column_name(last)}{row}"
        if over not in home.down or home.down[-1] != over:
            raise ValueError(f"{name!r}: the cells over {over!r} are not one block ({home})")
        column = self._column(home, coord)
        top = home.row + self._index(home, {**coord, over: 0})
        mark = "$" if home.down == (over,) else ""
        return f"{self._prefix(home)}{column}{mark}{top + 1}:{column}{mark}{top + count}"

    def scattered(self, name: str, coord: Coord, over: str) -> list[str]:
        """The cells along one axis one by one, where another axis runs inside it."""
        home = self.home(name)
        if over not in home.down or home.down[-1] == over:
            return []
        return [self.cell(name, {**coord, over: i}) for i in range(self.sizes[over])]

    def up_to(self, name: str, coord: Coord, along: str) -> str:
        """From the first cell along an axis to the present one."""
        home = self.home(name)
        prefix = self._prefix(home)
        if along == home.across:
            row = self._row(home, coord)
            return f"{prefix}${column_name(home.col)}{row}:{self._column(home, coord)}{row}"
        column = self._column(home, coord)
        first = home.row + self._index(home, {**coord, along: 0})
        return f"{prefix}{column}${first + 1}:{column}{home.row + self._index(home, coord) + 1}"

    def before(self, name: str, coord: Coord, along: str) -> str:
        """One step earlier; the opening cell before the first."""
        home = self.home(name)
        if along == home.across:
            return self._prefix(home) + self._column(home, coord, -1) + self._row(home, coord)
        if home.down != (along,):
            raise ValueError(f"{name!r}: one {along!r} earlier is not one row up ({home})")
        return f"{self._prefix(home)}{self._column(home, coord)}{home.row + self._index(home, coord)}"

    def varies(self, name: str, axis: str) -> bool:
        """Whether a name has an axis."""
        home = self.home(name)
        return axis == home.across or axis in home.down

    def across(self, name: str, axis: str) -> bool:
        """Whether the cells along an axis stand side by side."""
        return self.home(name).across == axis

    # ---- spelling

    def position(self, name: str, coord: Coord) -> tuple[str, int, int]:
        """Tab, row and column (from 0) of a coordinate."""
        home = self.home(name)
        across = coord[home.across] if home.across else 0
        return home.tab, home.row + self._index(home, coord), home.col + across

    def _prefix(self, home: Home) -> str:
        return "" if home.tab == self.here else quoted(home.tab) + "!"

    def _index(self, home: Home, coord: Coord) -> int:
        index = 0
        for axis in home.down:
            index = index * self.sizes[axis] + coord[axis]
        return index

    def _row(self, home: Home, coord: Coord) -> str:
        return f"{'' if home.down else '$'}{home.row + self._index(home, coord) + 1}"

    def _column(self, home: Home, coord: Coord, shift: int = 0) -> str:
        if not home.across:
            return "$" + column_name(home.col)
        column = home.col + coord[home.across] + shift
        return f"\x01{column}\x02" if home.across == self.sweep else "$" + column_name(column)


def quoted(tab: str) -> str:
    """A tab's name as formulas spell it."""
    bare = re.fullmatch(r"[A-Za-z_][A-Za-z_]*", tab) and not re.fullmatch(r"[A-Za-z]{1,3}", tab)
    return tab if bare else "'" + tab.replace("'", "''") + "'"


def spelled(formula: str, count: int) -> list[str]:
    """A printed formula for so many columns, its moving references one further in each."""
    parts = MARK.split(formula)  # text and column in turn
    fixed, moving = parts[::2], [int(p) for p in parts[1::2]]
    made = []
    for shift in range(count):
        columns = [column_name(c + shift) for c in moving]
        made.append("".join(t for pair in zip(fixed, [*columns, ""], strict=True) for t in pair))
    return made
