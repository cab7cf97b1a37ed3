"""A method made ready to run: guarded, ordered, with kinds, axes and units settled before any number is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from planner.calc.expr import (
    Aggregate,
    Const,
    Expr,
    Match,
    Pick,
    Previous,
    Rank,
    Ref,
    Running,
    Stack,
    children,
    reads,
    reads_now,
)
from planner.calc.guards import Guards, kind_of, numeric, textual
from planner.calc.line import Line, Method, Quantity
from planner.calc.rewrite import without
from planner.calc.units import ANY, UnitMismatch, Units, dimension


@dataclass(frozen=True)
class Step:
    """Lines to settle together: one line, or a group that reads each other's previous steps along an axis."""

    names: tuple[str, ...]
    along: str | None


class Program:
    """Everything that is known about lines before the inputs' values are.

    `axis_order` runs from outer to inner; `axis_units` names the unit that summing over an axis multiplies by. With
    `leave_out`, the lines of a part fall out, and flags of it are `settled` where others read them.
    """

    def __init__(
        self,
        method: Method,
        quantities: Iterable[Quantity],
        axis_order: Sequence[str],
        axis_units: Mapping[str, str] | None = None,
        leave_out: str = "",
        settled: Mapping[str, float] | None = None,
    ) -> None:
        self.quantities = {q.name: q for q in quantities}
        self.lines: dict[str, Line] = dict(method.lines)
        if leave_out:
            self.lines = without(self.lines, leave_out, settled or {})
        self.axis_order = tuple(axis_order)
        self._units = Units(self.unit, axis_units or {})
        clash = self.lines.keys() & self.quantities.keys()
        if clash:
            raise ValueError(f"both a line and an input: {sorted(clash)}")
        self._check_names()
        self.steps = self._order()
        self.axes: dict[str, tuple[str, ...]] = {q.name: self.ordered(q.axes) for q in self.quantities.values()}
        self.missing: set[str] = set()
        self.kinds: dict[str, str] = {}
        self.exprs: dict[str, Expr] = {}
        self._compiled: dict[Expr, Expr] = {}
        self._guards = Guards(
            lambda n: n in self.quantities and self.quantities[n].optional, lambda n: n in self.missing
        )
        for step in self.steps:
            self._settle(step)
        self._check_units()

    def unit(self, name: str) -> str:
        """Declared unit of a line or quantity."""
        return self.lines[name].unit if name in self.lines else self.quantities[name].unit

    def kind(self, name: str) -> str:
        """number or text."""
        return self.quantities[name].kind if name in self.quantities else self.kinds.get(name, "number")

    def ordered(self, axes: Iterable[str]) -> tuple[str, ...]:
        """Axes in their one order."""
        return tuple(sorted(set(axes), key=self.axis_order.index))

    def compile(self, expr: Expr) -> Expr:
        """An expression with blanks and withheld numbers handled and flags as 1 and 0."""
        if expr not in self._compiled:
            self._compiled[expr] = textual(self._guards.guarded(numeric(expr, self.kind)), self.kind)
        return self._compiled[expr]

    def needs(self, step: Step) -> frozenset[str]:
        """Everything that a step reads outside itself."""
        return self._needs[step]

    @cached_property
    def _needs(self) -> dict[Step, frozenset[str]]:
        lines = self.lines
        return {
            s: frozenset().union(*(lines[n].reads | reads(lines[n].opening) for n in s.names)) - set(s.names)
            for s in self.steps
        }

    @cached_property
    def stepped(self) -> frozenset[str]:
        """Lines that some line reads one step earlier."""
        parts = (e for line in self.lines.values() for e in _parts(line.expr))
        return frozenset(e.ref.name for e in parts if isinstance(e, Previous))

    def axes_of(self, expr: Expr) -> tuple[str, ...]:
        """Axes along which an expression varies."""
        return self.ordered(self._axes(expr))

    def _axes(self, expr: Expr) -> set[str]:
        match expr:
            case Ref(name):
                return set(self.axes.get(name, ()))
            case Previous(ref, along):
                return {*self._axes(ref), along}
            case Running(arg, along, _):
                return {*self._axes(arg), along}
            case Rank(values, numbers, over):
                return {*self._axes(values), *self._axes(numbers), over}
            case Aggregate(_, arg, over, key, equals, _):
                inside = self._axes(arg) | (self._axes(key) if key is not None else set())
                return (inside - {over}) | (self._axes(equals) if equals is not None else set())
            case Pick(values, position, over):
                return (self._axes(values) - {over}) | self._axes(position)
            case Match(keys, key, over, _):
                return (self._axes(keys) - {over}) | self._axes(key)
            case Stack(axis, entries):
                return {axis}.union(*(self._axes(e) for _, e in entries))
        return set().union(*(self._axes(c) for c in children(expr))) if children(expr) else set()

    def _check_names(self) -> None:
        have = self.lines.keys() | self.quantities.keys()
        for line in self.lines.values():
            unknown = (line.reads | reads(line.opening)) - have
            if unknown:
                raise ValueError(f"line {line.name!r} reads what nobody defines: {sorted(unknown)}")
            for part in _parts(line.expr):
                if isinstance(part, Previous) and part.ref.name not in self.lines:
                    raise ValueError(
                        f"line {line.name!r} reads {part.ref.name!r} one step earlier: only lines have steps"
                    )

    def _order(self) -> tuple[Step, ...]:
        """Strongly connected groups of lines in the order of their needs (Tarjan), alone where nothing loops."""
        needs = {n: sorted((line.reads | reads(line.opening)) & self.lines.keys()) for n, line in self.lines.items()}
        index: dict[str, int] = {}
        low: dict[str, int] = {}
        path: list[str] = []
        steps: list[Step] = []

        def visit(name: str) -> None:
            index[name] = low[name] = len(index)
            path.append(name)
            for need in needs[name]:
                if need not in index:
                    visit(need)
                    low[name] = min(low[name], low[need])
                elif need in path:
                    low[name] = min(low[name], index[need])
            if low[name] == index[name]:
                group = path[path.index(name) :]
                del path[path.index(name) :]
                steps.append(self._step(group))

        for name in self.lines:
            if name not in index:
                visit(name)
        return tuple(steps)

    def _step(self, group: list[str]) -> Step:
        if len(group) == 1 and group[0] not in self.lines[group[0]].reads:
            return Step((group[0],), None)
        now = {n: reads_now(self.lines[n].expr) & set(group) for n in group}
        done: list[str] = []
        while len(done) < len(group):
            ready = [n for n in group if n not in done and now[n] <= set(done)]
            if not ready:
                raise ValueError(f"lines read each other within one step: {sorted(set(group) - set(done))}")
            done += ready
        along = {self.lines[n].along for n in group}
        if len(along) > 1:
            raise ValueError(f"lines {sorted(group)} step along different axes: {sorted(along)}")
        return Step(tuple(done), along.pop())

    def _settle(self, step: Step) -> None:
        changed = True
        while changed:
            changed = False
            for name in step.names:
                line = self.lines[name]
                kind = kind_of(line.expr, self.kind)
                self.kinds[name] = "number" if kind == "flag" else kind
                axes = self.axes_of(line.expr)
                if step.along and any(isinstance(e, Previous) for e in _parts(line.expr)):
                    axes = self.ordered({*axes, step.along})
                unsure = self._guards.may_miss(line.opening) or self._guards.may_miss(self._guards.guarded(line.expr))
                miss = unsure and self.kinds[name] == "number"
                if axes != self.axes.get(name) or miss != (name in self.missing):
                    changed = True
                self.axes[name] = axes
                if miss:
                    self.missing.add(name)
        self._compiled.clear()  # what was compiled before this step did not know what the step may withhold
        for name in step.names:
            self.exprs[name] = self.compile(self.lines[name].expr)

    def _check_units(self) -> None:
        wrong = []
        for line in self.lines.values():
            try:
                found = self._units.of(line.expr)
                start = ANY if isinstance(line.opening, Const) else self._units.of(line.opening)
            except UnitMismatch as bad:
                wrong.append(f"line {line.name!r}: {bad}")
                continue
            declared = dimension(line.unit)
            if ANY not in (found, declared) and found != declared:
                wrong.append(f"line {line.name!r} says {line.unit!r}, its expression has {dict(found)}")
            if ANY not in (start, declared) and start != declared:
                wrong.append(f"line {line.name!r} says {line.unit!r}, its opening has {dict(start)}")
        if wrong:
            raise UnitMismatch("; ".join(wrong))


def _parts(expr: Expr) -> Iterable[Expr]:
    yield expr
    for child in children(expr):
        yield from _parts(child)
