"""How a number came about: its formula, its operands with values and cells, down to the inputs, as a tree."""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from rich.markup import escape
from rich.tree import Tree

from planner.calc.expr import Aggregate, Expr, Pick, Previous, Ref, Running, children, reads
from planner.calc.functions import as_date
from planner.inputs.typed import NotRead, month
from planner.labels import in_every_language, squeezed
from planner.problem import Problem, said
from planner.problem import spoken as told
from planner.workbook.context import Context
from planner.workbook.layout import Layout
from planner.workbook.places import column_name, quoted
from planner.workbook.spoken import spoken

FEW = 6
DIGITS = 6  # significant ones, for figures without thousands
CENTS = 2  # decimals that every figure keeps, however large
FINEST = 12  # decimals beyond which a figure is given in powers of ten

Key = tuple[str, tuple[tuple[str, int], ...]]


class Unknown(Exception):
    """No such line, axis or entry."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


@dataclass
class Node:
    """A line or an input at a coordinate, and what it was made of. `repeats` where it stands elsewhere in the tree."""

    name: str
    coord: dict[str, int]
    repeats: bool = False
    notes: list[str] = field(default_factory=list)
    operands: list[Node] = field(default_factory=list)

    @property
    def key(self) -> Key:
        return self.name, tuple(self.coord.items())


def explained(layout: Layout, name: str, at: list[str], depth: int) -> Tree:
    """The tree of a line at a coordinate, `depth` steps down and in the plan's language.

    `name` is a line, its label in either language, or a cell such as `Demand!H12`. Axes that are not given take the
    cell's, the peak month or the first entry. Raises Unknown for a line, cell, axis or entry that is not there.
    """
    ctx = layout.context
    assert ctx is not None
    line, there = asked(ctx, name)
    root = _grown(ctx, Node(line, _coordinate(ctx, line, at, there)), depth)
    tree = Tree(_words(ctx, root))
    formula = _formula(layout, line, root.coord)
    if formula:
        tree.add(f"[dim]{escape(formula)}[/dim]")
    _draw(ctx, tree, root, {root.key})
    return tree


CELL = re.compile(r"'?(?P<tab>[^'!]+)'?!\$?(?P<column>[A-Z]{1,3})\$?(?P<row>[0-9]{1,7})", re.IGNORECASE)


def asked(ctx: Context, name: str) -> tuple[str, dict[str, int]]:
    """The line or input that somebody means, and the coordinate where a cell was named. Raises Unknown."""
    known = {n: ctx.program.lines[n].label for n in ctx.program.lines}
    known |= {n: q.label for n, q in ctx.program.quantities.items()}
    if name in known:
        return name, {}
    if match := CELL.fullmatch(name.strip()):
        return _at_cell(ctx, match["tab"], match["column"].upper(), int(match["row"]))
    typed = squeezed(name)
    called = [n for n, label in known.items() if typed and typed in [squeezed(x) for x in in_every_language(label)]]
    if len(called) == 1:
        return called[0], {}
    near = called[:FEW] or get_close_matches(name, known, 3) or ["gpus_planned"]
    do = said("try {names}", names=", ".join(near))
    found = said("{name!r}, the label of {count} lines", name=name, count=len(called)) if called else repr(name)
    raise Unknown(Problem("LINE", found, said("a line of the Method tab"), do))


def _at_cell(ctx: Context, tab: str, column: str, row: int) -> tuple[str, dict[str, int]]:
    """The line behind a cell: its own, or the one that the cell shows."""
    place = f"{tab}!{column}{row}"
    for (sheet, r, c), (origin, coord) in ctx.origins.items():
        if r == row - 1 and column_name(c) == column and squeezed(sheet) == squeezed(tab):
            if isinstance(origin, str):
                return origin, coord
            shown = sorted(reads(origin))
            if len(shown) == 1:
                return shown[0], coord
            do = said("ask for one of {names}", names=", ".join(shown))
            raise Unknown(Problem(place, said("a cell that shows several lines"), said("a cell of one line"), do))
    do = said("name a cell with a formula, or a line")
    raise Unknown(Problem(place, said("no calculated figure"), said("a cell with a formula"), do))


def _month(wanted: str) -> str:
    """A month as people write it, as the plan's key of it; anything else as it is."""
    try:
        return f"{month(wanted):%Y-%m}"
    except NotRead:
        return wanted


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


def _coordinate(ctx: Context, name: str, at: list[str], there: Mapping[str, int]) -> dict[str, int]:
    axes = ctx.program.axes[name]
    coord = {a: there.get(a, 0) for a in axes}
    if "month" in axes and "month" not in there:
        peak = ctx.plan.value("peak_month")
        coord["month"] = int(peak) - 1 if isinstance(peak, float) else 0
    for pair in at:
        axis, _, wanted = pair.partition("=")
        if axis not in axes:
            all_axes = ", ".join(axes) or said("none")
            can = said("an axis of {line}: {axes}", line=name, axes=all_axes)
            raise Unknown(Problem(f"--at {pair}", repr(axis), can, said("use one of them")))
        coord[axis] = _entry(ctx, axis, wanted, pair)
    return coord


def _entry(ctx: Context, axis: str, wanted: str, pair: str) -> int:
    """The entry of exactly this name, or else the only one of this name apart from case."""
    names = entries(ctx, axis)
    if wanted and wanted in names:
        return names.index(wanted)
    if axis == "month":
        wanted = _month(wanted)
    alike = list(dict.fromkeys(n for n in names if n and n.casefold() == wanted.casefold()))
    if len(alike) != 1:
        some = ", ".join(alike or [n for n in names if n][:20])
        raise Unknown(
            Problem(f"--at {pair}", repr(wanted), said("one of {options}", options=some), said("use one of them"))
        )
    return names.index(alike[0])


def entries(ctx: Context, axis: str) -> list[str]:
    """What people call an axis' entries."""
    values = ctx.plan.values.get(f"{axis}_name")
    if values is not None and values.axes == (axis,):
        return [str(w) for w in values.words]
    return list(ctx.plan.labels[axis])


def _grown(ctx: Context, root: Node, depth: int) -> Node:
    """Every line at a coordinate is taken apart once, where it stands nearest to the root; elsewhere it repeats."""
    seen = {root.key}
    queue = deque([(root, depth)])
    while queue:
        node, left = queue.popleft()
        line = ctx.program.lines.get(node.name)
        if line is None or len(node.coord) < len(ctx.program.axes[node.name]) or not left:
            continue
        operands, more = _operands(ctx, line.expr, node.coord)
        for operand, there in operands:
            child = Node(operand, there)
            child.repeats = child.key in seen and operand in ctx.program.lines
            seen.add(child.key)
            node.operands.append(child)
            if not child.repeats:
                queue.append((child, left - 1))
        node.notes = [
            told(said("{line}: {count} more along {axis}", line=arg, count=count, axis=over), ctx.t)
            for arg, over, count in more
        ]
    return root


def _draw(ctx: Context, tree: Tree, node: Node, above: set[Key]) -> None:
    line = ctx.program.lines.get(node.name)
    if line is None or len(node.coord) < len(ctx.program.axes[node.name]):
        return
    why = told(said("{label}: {why}", label=ctx.t(line.label), why=ctx.t(line.why)), ctx.t)
    tree.add(f"[dim]{escape(why)}[/dim]")
    tree.add(f"[dim]= {escape(spoken(line.expr, ctx.t))[:600]}[/dim]")
    for child in node.operands:
        words = _words(ctx, child)
        if child.repeats:
            where = said("see above") if child.key in above else said("see below")
            tree.add(f"{words}  [dim]({escape(told(where, ctx.t))})[/dim]")
            continue
        above.add(child.key)
        _draw(ctx, tree.add(words), child, above)
    for note in node.notes:
        tree.add(f"[dim]{escape(note)}[/dim]")


def _words(ctx: Context, node: Node) -> str:
    name, own = node.name, node.coord
    array = ctx.plan.values[name]
    if len(own) < len(array.axes):
        free = ", ".join(a for a in array.axes if a not in own)
        return f"[bold]{name}[/bold] " + escape(told(said("(every {axes})", axes=free), ctx.t))
    value = array.at(tuple(own[a] for a in array.axes))
    unit = ctx.program.unit(name)
    where = ", ".join(f"{a}={entries(ctx, a)[i]}" for a, i in own.items())
    cell = _cell(ctx, name, own)
    at = " " + escape(f"[{where}]") if where else ""
    return f"[bold]{name}[/bold]{at} = {escape(_shown(ctx, value, unit))} {unit}  [dim]{escape(cell)}[/dim]"


def _shown(ctx: Context, value: float | str | None, unit: str) -> str:
    if value is None:
        return ctx.t("empty")
    if isinstance(value, str):
        return repr(value)
    return as_date(value).isoformat() if unit == "day" and value >= 1 else shown_number(value)


def shown_number(value: float) -> str:
    """A figure with all its digits before the point, and behind it as many as make six significant ones, or cents."""
    if not value or not math.isfinite(value):
        return f"{value:g}"
    places = max(CENTS, DIGITS - 1 - math.floor(math.log10(abs(value))))
    if places > FINEST:
        return f"{value:.{DIGITS}g}"
    return f"{value:,.{places}f}".rstrip("0").rstrip(".")


def _cell(ctx: Context, name: str, coord: Mapping[str, int]) -> str:
    try:
        tab, row, col = ctx.places.position(name, coord)
    except KeyError:
        return ""
    return f"{quoted(tab)}!{column_name(col)}{row + 1}"


def _operands(
    ctx: Context, expr: Expr, coord: Mapping[str, int]
) -> tuple[list[tuple[str, dict[str, int]]], list[tuple[str, str, int]]]:
    """Names that an expression reads with the coordinates at which it reads them, each once; and what of long sums is
    left out: name, axis, how many."""
    found: dict[Key, dict[str, int]] = {}
    more: list[tuple[str, str, int]] = []

    def add(name: str, there: Mapping[str, int]) -> None:
        own = {a: there[a] for a in ctx.program.axes[name] if a in there}
        found.setdefault((name, tuple(own.items())), own)

    def here(e: Expr, there: Mapping[str, int]) -> float | str | None:
        array = ctx.array(e)
        return array.at(tuple(there[a] for a in array.axes))

    def visit(e: Expr, there: Mapping[str, int]) -> None:
        match e:
            case Ref(name):
                add(name, there)
            case Previous(ref, along):
                if there.get(along, 0) > 0:
                    add(ref.name, {**there, along: there[along] - 1})
            case Pick(values, position, over):
                index = here(position, there)
                if isinstance(index, float) and index >= 1:
                    add(values.name, {**there, over: int(index) - 1})
                visit(position, there)
            case Aggregate(_, arg, over, key, equals, _) if isinstance(arg, Ref):
                names = entries(ctx, over)
                named = [i for i in range(ctx.sizes[over]) if names[i]]
                if key is not None and equals is not None:  # only what the sum takes
                    wanted = here(equals, there)
                    named = [i for i in named if here(key, {**there, over: i}) == wanted]
                for i in named[:FEW]:
                    add(arg.name, {**there, over: i})
                if len(named) > FEW:
                    more.append((arg.name, over, len(named) - FEW))
            case Running(arg, _, _):
                add(arg.name, there)
            case _:
                for child in children(e):
                    visit(child, there)

    visit(expr, coord)
    return [(name, own) for (name, _), own in found.items()], list(dict.fromkeys(more))
