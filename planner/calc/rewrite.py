"""Trees made from trees: parts replaced, branches that are decided beforehand cut, lines cloned under other names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from planner.calc.expr import (
    Aggregate,
    Call,
    Const,
    Expr,
    InUnit,
    Match,
    Pick,
    Previous,
    Rank,
    Ref,
    Running,
    Stack,
    reads,
)
from planner.calc.line import Line

Change = Callable[[Expr], Expr]


def mapped(expr: Expr, change: Change) -> Expr:
    """The same expression with `change` applied to what stands directly inside it."""
    match expr:
        case Call(fn, args):
            return Call(fn, tuple(change(a) for a in args))
        case InUnit(arg, unit):
            return InUnit(change(arg), unit)
        case Previous(ref, along):
            return Previous(_name(change(ref)), along)
        case Aggregate(how, arg, over, key, equals, strict):
            key = None if key is None else _name(change(key))
            return Aggregate(how, change(arg), over, key, None if equals is None else change(equals), strict)
        case Running(arg, along, strict, key):
            return Running(_name(change(arg)), along, strict, None if key is None else _name(change(key)))
        case Rank(values, numbers, over):
            return Rank(_name(change(values)), _name(change(numbers)), over)
        case Pick(values, position, over):
            return Pick(_name(change(values)), change(position), over)
        case Match(keys, key, over, numbers):
            return Match(_name(change(keys)), change(key), over, None if numbers is None else _name(change(numbers)))
        case Stack(axis, entries):
            return Stack(axis, tuple((k, change(e)) for k, e in entries))
    return expr


def _name(expr: Expr) -> Ref:
    if not isinstance(expr, Ref):
        raise ValueError(f"{expr} stands where only a name may stand")
    return expr


def renamed(expr: Expr, names: Mapping[str, str]) -> Expr:
    """The expression reading other names."""
    if isinstance(expr, Ref):
        return Ref(names.get(expr.name, expr.name))
    return mapped(expr, partial(renamed, names=names))


def settled(expr: Expr, values: Mapping[str, float]) -> Expr:
    """The expression where some names are known numbers: a `where` that they decide keeps the branch that is taken."""
    if isinstance(expr, Ref) and expr.name in values:
        return Const(values[expr.name])
    inner = mapped(expr, partial(settled, values=values))
    match inner:
        case Call("where", (Const(int() | float() as flag), yes, no)):
            return yes if flag else no
    return inner


def without(lines: Mapping[str, Line], part: str, values: Mapping[str, float]) -> dict[str, Line]:
    """The lines that are left without those of a part, where `values` are settled.

    Entries of a stack that read a line of the part fall out, and with them the same entries of every stack along that
    axis; any other line that still reads one is a mistake.
    """
    gone = {n for n, line in lines.items() if line.part == part}
    kept = {n: replace(line, expr=settled(line.expr, values)) for n, line in lines.items() if n not in gone}
    stacks = [line.expr for line in kept.values() if isinstance(line.expr, Stack)]
    keys = {(s.axis, k) for s in stacks for k, e in s.entries if reads(e) & gone}
    for name, line in kept.items():
        if isinstance(line.expr, Stack):
            left = tuple((k, e) for k, e in line.expr.entries if (line.expr.axis, k) not in keys)
            kept[name] = replace(line, expr=Stack(line.expr.axis, left))
    return kept


def path_between(lines: Mapping[str, Line], changed: Iterable[str], targets: Iterable[str]) -> list[str]:
    """Lines that the targets need and that move when something changed moves, in the order they were written."""
    needs = {n: (line.reads | reads(line.opening)) for n, line in lines.items()}
    moved = set(changed)
    while more := {n for n, read in needs.items() if n not in moved and read & moved}:
        moved |= more
    wanted, open_ = set(), [t for t in targets]
    while open_:
        name = open_.pop()
        if name in wanted or name not in lines:
            continue
        wanted.add(name)
        if name not in set(changed):
            open_ += sorted(needs[name] & lines.keys())
    return [n for n in lines if n in wanted and n in moved]
