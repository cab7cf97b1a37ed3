"""Blank and withheld numbers: no line may silently reckon with one.

A blank optional input must stand inside known() or or_else(). A line that may be withheld hands its reason on: every
expression that reckons with it is wrapped so that the reason appears in place of a wrong number.
"""

from __future__ import annotations

from collections.abc import Callable

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
    Say,
    Stack,
    Withheld,
    walk,
)
from planner.calc.functions import FUNCTIONS


class UnguardedBlank(ValueError):
    """A line reckons with an input that may be blank."""


class Guards:
    """`optional(name)`: an input that may be blank; `missing(name)`: a line that may be withheld."""

    def __init__(self, optional: Callable[[str], bool], missing: Callable[[str], bool]) -> None:
        self.optional, self.missing = optional, missing

    def guarded(self, expr: Expr) -> Expr:
        """The expression with its withheld operands handed on."""
        return self._guard(expr, frozenset())

    def may_miss(self, expr: Expr, safe: frozenset[Expr] = frozenset()) -> bool:
        """Whether the result may be something else than a number."""
        if expr in safe:
            return False
        match expr:
            case Withheld():
                return True
            case Ref(name):
                return self.missing(name) or self.optional(name)
            case InUnit(arg, _):
                return self.may_miss(arg, safe)
            case Previous(ref, _):
                return self.missing(ref.name)
            case Aggregate(how, arg, _, _, _, strict):
                return how != "count" and (strict or self.may_miss(arg, safe))
            case Running(arg, _, _):
                return self.missing(arg.name)
            case Rank():
                return False
            case Pick(values, _, _):
                return self.may_miss(values, safe)
            case Match():
                return False
            case Stack(_, entries):
                return any(self.may_miss(e, safe) for _, e in entries)
            case Call("where", (condition, yes, no)):
                return self.may_miss(yes, safe | proven(condition)) or self.may_miss(no, safe)
            case Call("or_else", (_, default)):
                return self.may_miss(default, safe)
            case Call("known" | "given" | "as_text" | "join" | "fixed", _):
                return False
            case Call(_, args):
                return any(self.may_miss(a, safe) for a in args)
        return False

    def _guard(self, expr: Expr, safe: frozenset[Expr]) -> Expr:
        if expr in safe:
            return expr
        match expr:
            case Call("where", (condition, yes, no)):
                inner = Call("where", (condition, self._guard(yes, safe | proven(condition)), self._guard(no, safe)))
                return self._wrap(inner, self._loose(condition, safe))
            case Call("or_else", (x, default)):
                return Call("or_else", (x, self._guard(default, safe)))
            case Ref(name) if self.optional(name):
                raise UnguardedBlank(f"{name} may be blank: read it with known() or or_else()")
            case Pick(values, _, _) if self.optional(values.name):
                raise UnguardedBlank(f"{values.name} may be blank: read what is picked with known() or or_else()")
            case Call("known" | "given", _):
                return expr
            case Call("as_text", _):
                return expr
            case InUnit(arg, unit):
                return InUnit(self._guard(arg, safe), unit)
            case Call(_, _):
                return self._wrap(expr, self._loose(expr, safe))
            case Aggregate(how, arg, over, key, equals, _):
                return Aggregate(how, arg, over, key, equals, strict=self.may_miss(arg, safe))
            case Running(arg, along, _, key):
                return Running(arg, along, self.missing(arg.name), key)
            case Rank(values, _, _) if self.missing(values.name) or self.optional(values.name):
                raise UnguardedBlank(f"{values.name} may be no number: give each entry a place in a line of its own")
            case Stack(axis, entries):
                return Stack(axis, tuple((k, self._guard(e, safe)) for k, e in entries))
        return expr

    def _loose(self, expr: Expr, safe: frozenset[Expr]) -> list[Expr]:
        """Operands that arithmetic would meet unguarded, in reading order."""
        if expr in safe:
            return []
        match expr:
            case Ref(name) if self.optional(name):
                raise UnguardedBlank(f"{name} may be blank: read it with known() or or_else()")
            case Call("known" | "given" | "as_text", _):
                return []
            case InUnit(arg, _):
                return self._loose(arg, safe)
            case Call("or_else", (_, default)):
                return [expr] if self.may_miss(default, safe) else self._loose(default, safe)
            case Call("where", (condition, yes, no)):
                if any(isinstance(e, Withheld) for branch in (yes, no) for e in walk(branch)):
                    raise UnguardedBlank(f"{expr} may be withheld inside arithmetic: give it a line of its own")
                inside = [*self._loose(condition, safe), *self._loose(yes, safe | proven(condition))]
                return _unique([*inside, *self._loose(no, safe)])
            case Call(_, args):
                return _unique([leaf for a in args for leaf in self._loose(a, safe)])
            case Pick(values, _, _) if self.optional(values.name):
                raise UnguardedBlank(f"{values.name} may be blank: read what is picked with known() or or_else()")
            case Pick(_, position, _):
                found = self._loose(position, safe)
                return _unique([*found, expr]) if self.may_miss(expr, safe) else found
        return [expr] if self.may_miss(expr, safe) else []

    @staticmethod
    def _wrap(expr: Expr, loose: list[Expr]) -> Expr:
        for leaf in reversed(loose):
            expr = Call("where", (Call("known", (leaf,)), expr, leaf))
        return expr


def proven(condition: Expr) -> frozenset[Expr]:
    """Operands that are numbers wherever the condition holds."""
    match condition:
        case Call("known", (x,)):
            return frozenset((x,))
        case Call("both", args):
            return frozenset().union(*map(proven, args))
    return frozenset()


def _unique(items: list[Expr]) -> list[Expr]:
    return list(dict.fromkeys(items))


def kind_of(expr: Expr, kind: Callable[[str], str]) -> str:
    """number, text or flag: what a cell with this expression holds."""
    match expr:
        case Const(value):
            return "text" if isinstance(value, str) else "number"
        case Say():
            return "text"
        case Ref(name):
            return kind(name)
        case Pick(values, _, _):
            return kind(values.name)
        case InUnit(arg, _):
            return kind_of(arg, kind)
        case Previous(ref, _):
            return kind(ref.name)
        case Aggregate() | Running() | Rank() | Match() | Withheld():
            return "number"
        case Stack(_, entries):
            return kind_of(entries[0][1], kind)
        case Call(fn, args):
            gives = FUNCTIONS[fn].gives
            if gives != "branch":
                return gives
            branches = args[1:] if fn == "where" else args
            kinds = {kind_of(a, kind) for a in branches if not isinstance(a, Withheld)} or {"number"}
            if "flag" in kinds and all(_is_flag(a, kind) for a in branches if not isinstance(a, Withheld)):
                return "flag"
            return "text" if kinds == {"text"} else "number"
    raise TypeError(expr)


def _is_flag(expr: Expr, kind: Callable[[str], str]) -> bool:
    return kind_of(expr, kind) == "flag" or (isinstance(expr, Const) and expr.value in (0, 1))


def numeric(expr: Expr, kind: Callable[[str], str]) -> Expr:
    """The expression with flags as 1 and 0 wherever they stand for numbers: a cell must not show TRUE."""
    if kind_of(expr, kind) == "flag":
        return Call("where", (expr, Const(1), Const(0)))
    match expr:
        case Call("where", (condition, yes, no)) if kind_of(expr, kind) == "number":
            return Call("where", (condition, numeric(yes, kind), numeric(no, kind)))
        case Call("or_else", (x, default)):
            return Call("or_else", (x, numeric(default, kind)))
        case Stack(axis, entries):
            return Stack(axis, tuple((k, numeric(e, kind)) for k, e in entries))
    return expr


def textual(expr: Expr, kind: Callable[[str], str]) -> Expr:
    """The expression with every typed text in a value's place read as text: an empty cell alone would show as 0."""
    match expr:
        case Ref() | Pick() if kind_of(expr, kind) == "text":
            return Call("as_text", (expr,))
        case Call("where", (condition, yes, no)):
            return Call("where", (condition, textual(yes, kind), textual(no, kind)))
        case Call("join", args):
            return Call("join", tuple(a if isinstance(a, Ref) else textual(a, kind) for a in args))
        case Stack(axis, entries):
            return Stack(axis, tuple((k, textual(e, kind)) for k, e in entries))
    return expr
