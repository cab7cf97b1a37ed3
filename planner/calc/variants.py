"""One definition, several variants: lines cloned by machine where something that they read has a variant.

A variant of `x` is a line called `<prefix>x`. The ones that are written by hand say what is different; every line
between them and the targets is cloned with its names changed, so that an axis of the variants runs through all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from planner.calc.line import Method
from planner.calc.rewrite import path_between, renamed


def written(method: Method, prefix: str) -> dict[str, str]:
    """Variants that somebody wrote: what they vary -> their name."""
    return {n.removeprefix(prefix): n for n in method.lines if n.startswith(prefix)}


def clone(method: Method, prefix: str, targets: Iterable[str], chapter: str, part: str) -> list[str]:
    """Adds the clones of all lines between the written variants and the targets; their names, in order.

    Raises ValueError for a target that no variant moves: its clone would say the same for every entry.
    """
    own = written(method, prefix)
    wanted = list(targets)
    base = {n: line for n, line in method.lines.items() if not n.startswith(prefix)}
    path = [n for n in path_between(base, own, wanted) if n not in own]
    still = sorted(set(wanted) - set(path) - own.keys())
    if still:
        raise ValueError(f"no variant moves {still}")
    names = own | {n: prefix + n for n in path}
    for name in path:
        line = base[name]
        made = replace(line, name=prefix + name, expr=renamed(line.expr, names), opening=renamed(line.opening, names))
        method.lines[made.name] = replace(made, plain=_told(line.plain, chapter), headline=False, part=part)
    return [prefix + n for n in path]


def _told(plain: Callable[..., Any], chapter: str) -> Callable[..., Any]:
    """The same function, told as part of another chapter."""

    def same(*args: Any, **named: Any) -> Any:
        return plain(*args, **named)

    same.__module__, same.__name__, same.__doc__ = chapter, plain.__name__, plain.__doc__
    same.__wrapped__ = plain  # type: ignore[attr-defined]
    return same
