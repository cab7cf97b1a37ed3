"""Expression nodes: what a line says, without how it is evaluated or printed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, NoReturn

Plain = float | int | str
_writing: list[str] = []  # the line that is being written; while there is one, == is a mistake, not a comparison


@contextmanager
def writing(line: str) -> Iterator[None]:
    """While a line's function runs over expressions."""
    _writing.append(line)
    try:
        yield
    finally:
        _writing.pop()


class Expr:
    """A quantity that is not yet a number. Arithmetic and comparisons build a tree."""

    __match_args__: ClassVar[tuple[str, ...]] = ()  # a dataclass fills in its fields

    def __add__(self, other: Expr | Plain) -> Expr:
        return Call("add", (self, wrap(other)))

    def __radd__(self, other: Plain) -> Expr:
        return Call("add", (wrap(other), self))

    def __sub__(self, other: Expr | Plain) -> Expr:
        return Call("sub", (self, wrap(other)))

    def __rsub__(self, other: Plain) -> Expr:
        return Call("sub", (wrap(other), self))

    def __mul__(self, other: Expr | Plain) -> Expr:
        return Call("mul", (self, wrap(other)))

    def __rmul__(self, other: Plain) -> Expr:
        return Call("mul", (wrap(other), self))

    def __truediv__(self, other: Expr | Plain) -> Expr:
        return Call("div", (self, wrap(other)))

    def __rtruediv__(self, other: Plain) -> Expr:
        return Call("div", (wrap(other), self))

    def __ge__(self, other: Expr | Plain) -> Expr:
        return Call("ge", (self, wrap(other)))

    def __gt__(self, other: Expr | Plain) -> Expr:
        return Call("gt", (self, wrap(other)))

    def __le__(self, other: Expr | Plain) -> Expr:
        return Call("le", (self, wrap(other)))

    def __lt__(self, other: Expr | Plain) -> Expr:
        return Call("lt", (self, wrap(other)))

    def __eq__(self, other: object) -> bool:
        if _writing:
            raise TypeError(
                "a line cannot compare with Python '==' or '!='; use same(), or reaches() for measured numbers"
            )
        return type(self) is type(other) and self._parts() == other._parts()

    def __hash__(self) -> int:
        found: int | None = self.__dict__.get("_hash")
        if found is None:
            found = hash((type(self), self._parts()))
            object.__setattr__(self, "_hash", found)
        return found

    def _parts(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __bool__(self) -> NoReturn:
        raise TypeError("a line cannot branch with Python 'if', 'and' or 'or'; use where(), both() or either()")


@dataclass(frozen=True, eq=False)
class Const(Expr):
    """A literal: a number, or the key of a choice."""

    value: Plain


@dataclass(frozen=True, eq=False)
class Say(Expr):
    """Words that a person reads: translated when they are evaluated or printed."""

    text: str


@dataclass(frozen=True, eq=False)
class Withheld(Expr):
    """The place of a number that cannot be known, with the reason in words; without one, it does not apply."""

    reason: str


@dataclass(frozen=True, eq=False)
class Ref(Expr):
    """An input, a constant or another line, by name."""

    name: str


@dataclass(frozen=True, eq=False)
class Call(Expr):
    """One function of the closed table."""

    fn: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class InUnit(Expr):
    """The same number read in another unit: for counting months or naming the one that a rate is per."""

    arg: Expr
    unit: str


@dataclass(frozen=True, eq=False)
class Previous(Expr):
    """A line one step earlier along `along`; before the first step, its opening value."""

    ref: Ref
    along: str


@dataclass(frozen=True, eq=False)
class Aggregate(Expr):
    """One figure over an axis. `how` is sum, max, min or count; `key`/`equals` keep the entries whose key equals."""

    how: str
    arg: Expr
    over: str
    key: Ref | None = None
    equals: Expr | None = None
    strict: bool = False


@dataclass(frozen=True, eq=False)
class Running(Expr):
    """The sum from the first entry of an axis to this one; with `key`, only of entries whose key is this one's."""

    arg: Ref
    along: str
    strict: bool = False
    key: Ref | None = None


@dataclass(frozen=True, eq=False)
class Pick(Expr):
    """The value at a position (1 is the first) along an axis."""

    values: Ref
    position: Expr
    over: str


@dataclass(frozen=True, eq=False)
class Match(Expr):
    """The position of a key among keys, 0 when absent. `numbers` (1, 2, …) makes typed names safe to match."""

    keys: Ref
    key: Expr
    over: str
    numbers: Ref | None = None


@dataclass(frozen=True, eq=False)
class Rank(Expr):
    """The place of an entry among all of an axis, the smallest first; of equals the one with the lower number."""

    values: Ref
    numbers: Ref
    over: str


@dataclass(frozen=True, eq=False)
class Stack(Expr):
    """Different quantities, one for each entry of an axis, by the entry's key."""

    axis: str
    entries: tuple[tuple[str, Expr], ...]


def wrap(value: Expr | Plain) -> Expr:
    """The value itself if it is an expression, else a literal."""
    return value if isinstance(value, Expr) else Const(value)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside one."""
    match expr:
        case Call(_, args):
            return args
        case InUnit(arg, _):
            return (arg,)
        case Previous(ref, _):
            return (ref,)
        case Aggregate(_, arg, _, key, equals, _):
            return tuple(e for e in (arg, key, equals) if e is not None)
        case Running(arg, _, _, key):
            return (arg,) if key is None else (arg, key)
        case Rank(values, numbers, _):
            return (values, numbers)
        case Pick(values, position, _):
            return (values, position)
        case Match(keys, key, _, numbers):
            return tuple(e for e in (keys, key, numbers) if e is not None)
        case Stack(_, entries):
            return tuple(e for _, e in entries)
    return ()


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it."""
    yield expr
    for child in children(expr):
        yield from walk(child)


def reads(expr: Expr) -> frozenset[str]:
    """Names that an expression reads, previous steps included."""
    return frozenset(e.name for e in walk(expr) if isinstance(e, Ref))


def reads_now(expr: Expr) -> frozenset[str]:
    """Names that must be settled in the same step: previous steps left out."""
    if isinstance(expr, Previous):
        return frozenset()
    if isinstance(expr, Ref):
        return frozenset((expr.name,))
    return frozenset().union(*(reads_now(c) for c in children(expr))) if children(expr) else frozenset()
