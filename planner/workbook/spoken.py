"""A formula in words: names in place of cells, so that the Method tab can be read without a cell."""

from __future__ import annotations

from functools import reduce

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
)
from planner.labels import Translate

SIGNS = {"add": "+", "sub": "−", "mul": "×", "div": "÷", "ge": "≥", "gt": ">", "le": "≤", "lt": "<", "same": "is",
         "reaches": "≥"}  # fmt: skip
PHRASES = {
    "where": "if {0}: {1}, else {2}", "both": "{*and}", "either": "{*or}", "opposite": "not {0}",
    "known": "{0} is known",
    "or_else": "{0} (else {1})", "ceil": "{0} rounded up", "floor": "{0} rounded down", "whole": "whole part of {0}",
    "ratio": "{0} ÷ {1}", "largest": "largest of {*}", "smallest": "smallest of {*}", "given": "{0} is given",
    "poisson_at": "Poisson chance of {0} events where {1} are expected",
    "poisson_up_to": "Poisson chance of at most {0} events where {1} are expected",
    "join": "{*text}", "fixed": "{0}", "as_text": "{0}", "digits": "{0}",
    "absolute": "absolute of {*}", "rounded": "{0} rounded to {1} digits",
    "months_later": "months later of {*}", "month_of": "month of {*}",
    "year_of": "year of {*}", "month_days": "month days of {*}", "binomial_up_to": "binomial up to of {*}",
}  # fmt: skip
OVER = {
    "sum": "sum of {arg} over {axis}s", "max": "largest of {arg} over {axis}s", "min": "smallest of {arg} over {axis}s",
    "count": "count of {arg} over {axis}s",
}  # fmt: skip
ANY = "{function} of {*}"
GLUE = {"{*and}": "{0} and {1}", "{*or}": "{0} or {1}", "{*text}": "{0} {1}", "{*}": "{0}, {1}"}


def spoken(expr: Expr, t: Translate = str) -> str:
    """The expression as a sentence fragment in the language of `t`; names of lines and keys stay as they are."""
    match expr:
        case Const(value):
            return str(value)
        case Say(text):
            return f"“{t(text).strip()}”" if text.strip() else ""
        case Withheld(reason):
            return t("withheld: ") + t(reason) if reason else t("not applicable")
        case Ref(name):
            return name
        case InUnit(arg, _):
            return spoken(arg, t)
        case Previous(ref, along):
            return t("{line} one {axis} earlier").format(line=ref.name, axis=along)
        case Running(arg, along, _, key):
            words = t("{line} added up by {axis}").format(line=arg.name, axis=along)
            return words if key is None else t("{sum} where {key} is the same").format(sum=words, key=key.name)
        case Rank(values, _, over):
            return t("place of {line} among all {axis}s, the smallest first").format(line=values.name, axis=over)
        case Pick(values, position, _):
            return t("{values} at {position}").format(values=values.name, position=spoken(position, t))
        case Match(keys, key, _, _):
            return t("position of {key} in {keys}").format(key=spoken(key, t), keys=keys.name)
        case Stack(_, entries):
            return "; ".join(f"{k}: {spoken(e, t)}" for k, e in entries)
        case Aggregate(how, arg, over, key, equals, _):
            words = t(OVER[how]).format(arg=spoken(arg, t), axis=over)
            if key is None or equals is None:
                return words
            return t("{sum} where {key} is {value}").format(sum=words, key=key.name, value=spoken(equals, t))
        case Call(fn, args):
            return _call(fn, [spoken(a, t) for a in args], args, t)
    return str(expr)


def _compound(expr: Expr) -> bool:
    while isinstance(expr, InUnit):
        expr = expr.arg
    return isinstance(expr, Call) and (expr.fn in SIGNS or expr.fn in ("where", "both", "either"))


def _call(fn: str, words: list[str], args: tuple[Expr, ...], t: Translate) -> str:
    if fn in SIGNS:
        left, right = (f"({w})" if _compound(a) else w for w, a in zip(words, args, strict=True))
        return f"{left} {t(SIGNS[fn])} {right}"
    phrase = t(PHRASES[fn]) if fn in PHRASES else t(ANY).replace("{function}", fn.replace("_", " "))
    for mark, glue in GLUE.items():
        if mark in phrase:
            return phrase.replace(mark, reduce(t(glue).format, [w for w in words if w] or [""]))
    return phrase.format(*words)
