"""What every section needs: the plan's values, the formula printer, and one way to put an expression into a cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from planner.calc.expr import Call, Const, Expr, Ref, Say, Stack, reads, walk
from planner.calc.formulas import Printer
from planner.calc.numbers import Array
from planner.inputs.tables import TABLES
from planner.labels import translator
from planner.plan import Plan
from planner.workbook.look import Style, number_of, unit_words
from planner.workbook.places import Places, spelled
from planner.workbook.sheet import Sheet, Value

FIRST_MONTH = 6  # column G, on every tab with months
YEAR, PEAK = 4, 5

# Axes whose entries people named: the rows of their tables, and what stands on both Ledger and Routing. Thresholds are
# the product's own, called by their keys.
NAMED = (frozenset(t.axis for t in TABLES) | {"stream"}) - {"threshold"}

# Entries that nobody names and that stand before others in a row's name.
SPOKEN = {"end": {"lower": "Lower", "upper": "Upper", "cheaper": "Cheaper tokens", "dearer": "Dearer tokens"}}


class Context:
    """One plan on its way into a workbook."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.program = plan, plan.program
        self.language = plan.language
        self.t: Callable[[str], str] = translator(plan.language)
        self.sizes = {a: len(v) for a, v in plan.labels.items()}
        self.places = Places(self.sizes)
        labels = dict(plan.labels)
        self.printer = Printer(self.places, labels, lambda n: self.program.kind(n) == "text", self.t, self._called)
        self.stepped = self.program.stepped
        self.origins: dict[tuple[str, int, int], tuple[Expr | str, dict[str, int]]] = {}
        self._arrays: dict[Expr, Array] = {}
        self._entries: dict[tuple[str, ...], Expr | None] = {}

    def _called(self, name: str) -> str:
        """What people call a line; nothing for an input."""
        return self.program.lines[name].label if name in self.program.lines else ""

    # ---- values and formulas of an expression

    def ready(self, expr: Expr) -> Expr:
        """The expression with blanks, withheld numbers and flags handled."""
        return self.program.compile(expr)

    def array(self, expr: Expr) -> Array:
        """All values of an expression."""
        if expr not in self._arrays:
            ready = self.ready(expr)
            self._arrays[expr] = self.plan.engine.full(ready, self.program.axes_of(ready))
        return self._arrays[expr]

    def value(self, expr: Expr, coord: Mapping[str, int]) -> Value:
        """The value at a coordinate. Raises ValueError where a formula would show an empty cell as 0."""
        array = self.array(expr)
        found = array.at(tuple(coord[a] for a in array.axes))
        if found is None:
            raise ValueError(f"{expr} is blank at {dict(coord)}: a formula cannot show it")
        return found

    def put(self, sheet: Sheet, row: int, col: int, expr: Expr, style: Style, coord: Mapping[str, int] | None = None,
            link: str = "") -> None:  # fmt: skip
        """An expression into one cell."""
        self.places.here, self.places.sweep = sheet.name, ""
        at = coord or {}
        formula = self.printer.formula(self.ready(expr), at)
        self.origins[sheet.name, row, col] = (expr, dict(at))
        sheet.put(row, col, self.value(expr, at), style, formula, link)

    def put_row(self, sheet: Sheet, row: int, col: int, expr: Expr, style: Style, coord: Mapping[str, int],
                axis: str) -> None:  # fmt: skip
        """An expression along an axis."""
        self._sweep(sheet, row, col, expr, self.ready(expr), self.array(expr), style, coord, axis)

    def line_row(self, sheet: Sheet, row: int, col: int, name: str, style: Style, coord: Mapping[str, int],
                 axis: str) -> None:  # fmt: skip
        """A line's own formula along an axis, at its home."""
        self._sweep(sheet, row, col, name, self.program.exprs[name], self.plan.values[name], style, coord, axis)

    def _sweep(self, sheet: Sheet, row: int, col: int, origin: Expr | str, expr: Expr, array: Array, style: Style,
               coord: Mapping[str, int], axis: str) -> None:  # fmt: skip
        """Printed once and spelled for every column, or printed for each where it reads something that runs down."""
        turns = any(axis in self.places.home(e.name).down for e in walk(expr) if isinstance(e, Ref))
        self.places.here, self.places.sweep = sheet.name, "" if turns else axis
        formulas = [] if turns else spelled(self.printer.formula(expr, {**coord, axis: 0}), self.sizes[axis])
        for i in range(self.sizes[axis]):
            at = {**coord, axis: i}
            found = array.at(tuple(at[a] for a in array.axes))
            if found is None:
                raise ValueError(f"{expr} is blank at {at}: a formula cannot show it")
            self.origins[sheet.name, row, col + i] = (origin, at)
            sheet.put(row, col + i, found, style, self.printer.formula(expr, at) if turns else formulas[i])
        self.places.sweep = ""

    def line(self, sheet: Sheet, row: int, col: int, name: str, style: Style, coord: Mapping[str, int]) -> None:
        """A line's own formula in one cell, at its home."""
        self.places.here, self.places.sweep = sheet.name, ""
        formula = self.printer.formula(self.program.exprs[name], coord)
        self.origins[sheet.name, row, col] = (name, dict(coord))
        sheet.put(row, col, self._at(name, self.plan.values[name], coord), style, formula)

    def figure(self, sheet: Sheet, row: int, col: int, name: str, style: Style, coord: Mapping[str, int]) -> None:
        """A figure that was computed at build, as a number in muted figures; where there is none, an empty cell."""
        muted = Style(style.role, style.number, (*style.more, "color:muted", "italic"))
        array = self.plan.values[name]
        sheet.put(row, col, array.at(tuple(coord[a] for a in array.axes)), muted)

    def opening(self, sheet: Sheet, row: int, col: int, name: str, style: Style, coord: Mapping[str, int]) -> None:
        """A line's opening value, left of or above its first cell."""
        start = self.program.lines[name].opening
        if isinstance(start, Const):
            value = start.value
            sheet.put(row, col, value if isinstance(value, str) else float(value), style)
        else:
            self.put(sheet, row, col, start, style, coord)

    @staticmethod
    def _at(name: str, array: Array, coord: Mapping[str, int]) -> Value:
        found = array.at(tuple(coord[a] for a in array.axes))
        if found is None:
            raise ValueError(f"line {name!r} is blank at {dict(coord)}: a formula cannot show it")
        return found

    def again(self, plan: Plan) -> dict[tuple[str, int, int], Value | None]:
        """What every formula cell of this layout would show for another plan of the same shape."""
        other = Context(plan)
        origins, cells = self._indexed
        arrays = []
        for origin, needs in origins:
            kept = not isinstance(origin, str) and needs <= plan.engine.unchanged
            arrays.append(plan.values[origin] if isinstance(origin, str) else (self if kept else other).array(origin))
        return {place: arrays[i].at(index) for place, i, index in cells}

    @cached_property
    def _indexed(
        self,
    ) -> tuple[list[tuple[Expr | str, frozenset[str]]], list[tuple[tuple[str, int, int], int, tuple[int, ...]]]]:
        """What formula cells show, each expression once; and every cell with which of them, and where in it."""
        order: dict[Expr | str, int] = {}
        cells = []
        for place, (origin, coord) in self.origins.items():
            axes = (self.plan.values[origin] if isinstance(origin, str) else self.array(origin)).axes
            cells.append((place, order.setdefault(origin, len(order)), tuple(coord[a] for a in axes)))
        return [(o, frozenset() if isinstance(o, str) else reads(o)) for o in order], cells

    # ---- words

    def entry(self, axis: str) -> Expr | None:
        """The expression of an entry's name, where people named it, and of the ends of a range."""
        if axis in SPOKEN:
            return Stack(axis, tuple((k, Say(words)) for k, words in SPOKEN[axis].items()))
        name = "action_label" if axis == "action" else f"{axis}_name"
        return Call("as_text", (Ref(name),)) if axis in NAMED else None

    def entries(self, axes: tuple[str, ...]) -> Expr | None:
        """The names of a coordinate over several named axes; nothing where one of them is a spare row."""
        if axes not in self._entries:
            self._entries[axes] = self._joined(axes)
        return self._entries[axes]

    def _joined(self, axes: tuple[str, ...]) -> Expr | None:
        parts = [e for e in map(self.entry, axes) if e is not None]
        if len(parts) < 2:
            return parts[0] if parts else None
        joined = [p for e in parts for p in (e, Const(" · "))][:-1]
        named = Call("both", tuple(Call("given", (Ref(f"{a}_name"),)) for a in axes if a in NAMED))
        return Call("where", (named, Call("join", tuple(joined)), Const("")))

    def style_of(self, name: str, item_style: str, number: str = "", *more: str) -> Style:
        """The style of a line's cells."""
        unit = self.program.unit(name)
        return Style(item_style, number or number_of(unit), more)

    def unit(self, sheet: Sheet, row: int, col: int, name: str, number: str = "", given: str = "",
             style: Style | None = None) -> None:  # fmt: skip
        """The unit column: words, with the currency following its input."""
        words = given or unit_words(self.program.unit(name), number, self.language)
        self.words(sheet, row, col, words, style or Style("unit"))

    def words(self, sheet: Sheet, row: int, col: int, words: str, style: Style) -> None:
        """Words that may hold {currency}."""
        words = self.t(words)
        if "{currency}" not in words:
            sheet.put(row, col, words, style)
            return
        before, after = words.split("{currency}", 1)
        parts: list[Any] = [Say(w) if w else None for w in (before, after)]
        joined = [p for p in (parts[0], Ref("currency"), parts[1]) if p is not None]
        expr: Expr = Call("join", tuple(joined)) if len(joined) > 1 else Ref("currency")
        self.put(sheet, row, col, expr, style)

    def coords(self, axes: tuple[str, ...]) -> list[dict[str, int]]:
        """Every coordinate over some axes, in order."""
        return [
            dict(zip(axes, (int(i) for i in index), strict=True))
            for index in np.ndindex(*(self.sizes[a] for a in axes))
        ]
