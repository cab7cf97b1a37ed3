"""A formula in words: names in place of cells, so that the Method tab can be read without a cell."""

from __future__ import annotations

from planner.calc.expr import (
    Aggregate,
    Call,
    Const,
    Expr,
    InUnit,
    Match,
    Pick,
    Previous,
    Ref,
    Running,
    Say,
    Stack,
    Withheld,
)

SIGNS = {"add": "+", "sub": "−", "mul": "×", "div": "÷", "ge": "≥", "gt": ">", "le": "≤", "lt": "<", "same": "is",
         "reaches": "≥"}  # fmt: skip
PHRASES = {
    "where": "if {0}: {1}, else {2}", "both": "{*and}", "either": "{*or}", "opposite": "not {0}",
    "known": "{0} is known",
    "or_else": "{0} (else {1})", "ceil": "{0} rounded up", "floor": "{0} rounded down", "whole": "whole part of {0}",
    "ratio": "{0} ÷ {1}", "largest": "largest of {*}", "smallest": "smallest of {*}", "given": "{0} is given",
    "join": "{*text}", "fixed": "{0}", "as_text": "{0}", "digits": "{0}",
}  # fmt: skip


def spoken(expr: Expr) -> str:
    """The expression as a sentence fragment."""
    match expr:
        case Const(value):
            return str(value)
        case Say(text):
            return f"“{text.strip()}”" if text.strip() else ""
        case Withheld(reason):
            return f"withheld: {reason}" if reason else "not applicable"
        case Ref(name):
            return name
        case InUnit(arg, _):
            return spoken(arg)
        case Previous(ref, along):
            return f"{ref.name} one {along} earlier"
        case Running(arg, along, _):
            return f"{arg.name} added up by {along}"
        case Pick(values, position, _):
            return f"{values.name} at {spoken(position)}"
        case Match(keys, key, _, _):
            return f"position of {spoken(key)} in {keys.name}"
        case Stack(_, entries):
            return "; ".join(f"{k}: {spoken(e)}" for k, e in entries)
        case Aggregate(how, arg, over, key, equals, _):
            words = {"sum": "sum", "max": "largest", "min": "smallest", "count": "count"}[how]
            only = f" where {key.name} is {spoken(equals)}" if key is not None and equals is not None else ""
            return f"{words} of {spoken(arg)} over {over}s{only}"
        case Call(fn, args):
            return _call(fn, [spoken(a) for a in args], args)
    return str(expr)


def _compound(expr: Expr) -> bool:
    while isinstance(expr, InUnit):
        expr = expr.arg
    return isinstance(expr, Call) and (expr.fn in SIGNS or expr.fn in ("where", "both", "either"))


def _call(fn: str, words: list[str], args: tuple[Expr, ...]) -> str:
    if fn in SIGNS:
        left, right = (f"({w})" if _compound(a) else w for w, a in zip(words, args, strict=True))
        return f"{left} {SIGNS[fn]} {right}"
    phrase = PHRASES.get(fn, fn.replace("_", " ") + " of {*}")
    for mark, glue in (("{*and}", " and "), ("{*or}", " or "), ("{*text}", " "), ("{*}", ", ")):
        if mark in phrase:
            return phrase.replace(mark, glue.join(w for w in words if w))
    return phrase.format(*words)
