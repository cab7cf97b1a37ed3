"""How a number came about: its formula, its operands with values and cells, down to the inputs, as a tree."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from rich.markup import escape
from rich.tree import Tree

from planner.calc.expr import Aggregate, Expr, Pick, Previous, Ref, Running, children
from planner.problem import Problem
from planner.workbook.context import Context
from planner.workbook.layout import Layout
from planner.workbook.places import column_name, quoted
from planner.workbook.spoken import spoken

FEW = 6


class Unknown(Exception):
    """No such line, axis or entry."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


def explained(layout: Layout, name: str, at: list[str], depth: int) -> Tree:
    """The tree of a line at a coordinate; axes that are not given take the peak month or the first entry."""
    ctx = layout.context
    assert ctx is not None
    known = [*ctx.program.lines, *ctx.program.quantities]
    if name not in known:
        near = get_close_matches(name, known, 3)
        raise Unknown(
            Problem("LINE", repr(name), "a line of the Method tab", f"try {', '.join(near) or 'gpus_planned'}")
        )
    coord = _coordinate(ctx, name, at)
    tree = Tree(_words(ctx, name, coord))
    formula = _formula(layout, name, coord)
    if formula:
        tree.add(f"[dim]{escape(formula)}[/dim]")
    _grow(ctx, tree, name, coord, depth, set())
    return tree


def _formula(layout: Layout, name: str, coord: Mapping[str, int]) -> str:
    """The formula as it stands in the workbook."""
    ctx = layout.context
    assert ctx is not None
    try:
        tab, row, col = ctx.places.position(name, coord)
    except KeyError:
        return ""
    cell = next(s for s in layout.sheets if s.name == tab).cells.get((row, col))
    return cell.formula or "" if cell else ""


def _coordinate(ctx: Context, name: str, at: list[str]) -> dict[str, int]:
    axes = ctx.program.axes[name]
    coord = {a: 0 for a in axes}
    if "month" in axes:
        peak = ctx.plan.value("peak_month")
        coord["month"] = int(peak) - 1 if isinstance(peak, float) else 0
    for pair in at:
        axis, _, wanted = pair.partition("=")
        if axis not in axes:
            raise Unknown(
                Problem(f"--at {pair}", repr(axis), f"an axis of {name}: {', '.join(axes) or 'none'}", "use one")
            )
        names = entries(ctx, axis)
        keys = [k.lower() for k in names]
        if wanted.lower() not in keys:
            some = ", ".join(n for n in names[:20] if n)
            raise Unknown(Problem(f"--at {pair}", repr(wanted), f"one of {some}", "use one of them"))
        coord[axis] = keys.index(wanted.lower())
    return coord


def entries(ctx: Context, axis: str) -> list[str]:
    """What people call an axis' entries."""
    values = ctx.plan.values.get(f"{axis}_name")
    if values is not None and values.axes == (axis,):
        return [str(w) for w in values.words]
    return list(ctx.plan.labels[axis])


def _words(ctx: Context, name: str, coord: Mapping[str, int]) -> str:
    array = ctx.plan.values[name]
    own = {a: coord[a] for a in array.axes if a in coord}
    if len(own) < len(array.axes):
        return f"[bold]{name}[/bold] (all {', '.join(a for a in array.axes if a not in own)}s)"
    value = array.at(tuple(own[a] for a in array.axes))
    shown = "empty" if value is None else f"{value:,.6g}" if isinstance(value, float) else repr(value)
    where = ", ".join(f"{a}={entries(ctx, a)[i]}" for a, i in own.items())
    unit = ctx.program.unit(name)
    cell = _cell(ctx, name, own)
    at = " " + escape(f"[{where}]") if where else ""
    return f"[bold]{name}[/bold]{at} = {escape(shown)} {unit}  [dim]{escape(cell)}[/dim]"


def _cell(ctx: Context, name: str, coord: Mapping[str, int]) -> str:
    try:
        tab, row, col = ctx.places.position(name, coord)
    except KeyError:
        return ""
    return f"{quoted(tab)}!{column_name(col)}{row + 1}"


def _grow(ctx: Context, tree: Tree, name: str, coord: Mapping[str, int], depth: int, seen: set[Any]) -> None:
    line = ctx.program.lines.get(name)
    if line is None:
        return
    tree.add(f"[dim]{escape(line.why)}[/dim]")
    tree.add(f"[dim]= {escape(spoken(line.expr))[:600]}[/dim]")
    key = (name, tuple(sorted(coord.items())))
    if depth == 0 or key in seen:
        return
    for operand, there in _operands(ctx, line.expr, coord):
        branch = tree.add(_words(ctx, operand, there))
        if all(a in there for a in ctx.program.axes[operand]):
            _grow(ctx, branch, operand, there, depth - 1, seen | {key})


def _operands(ctx: Context, expr: Expr, coord: Mapping[str, int]) -> list[tuple[str, dict[str, int]]]:
    """Names that an expression reads with the coordinates at which it reads them, each once."""
    found: dict[tuple[str, tuple[tuple[str, int], ...]], dict[str, int]] = {}

    def add(name: str, there: Mapping[str, int]) -> None:
        own = {a: there[a] for a in ctx.program.axes[name] if a in there}
        found.setdefault((name, tuple(own.items())), own)

    def visit(e: Expr, there: Mapping[str, int]) -> None:
        match e:
            case Ref(name):
                add(name, there)
            case Previous(ref, along):
                if there.get(along, 0) > 0:
                    add(ref.name, {**there, along: there[along] - 1})
            case Pick(values, position, over):
                index = ctx.array(position).at(tuple(there[a] for a in ctx.array(position).axes if a in there))
                if isinstance(index, float) and index >= 1:
                    add(values.name, {**there, over: int(index) - 1})
                visit(position, there)
            case Aggregate(_, arg, over, _, _, _) if isinstance(arg, Ref):
                names = entries(ctx, over)
                for i in [i for i in range(ctx.sizes[over]) if names[i]][:FEW]:
                    add(arg.name, {**there, over: i})
            case Running(arg, _, _):
                add(arg.name, there)
            case _:
                for child in children(e):
                    visit(child, there)

    visit(expr, coord)
    return [(name, own) for (name, _), own in found.items()]
