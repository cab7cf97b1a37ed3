"""Sentences with placeholders: `{line}`, `{line:format}`, `{line@entry:format}`, filled with figures of a plan.

`@entry` names the coordinate of an axis: an entry's key (`{step_gpus@rounding}`) or a line that gives its position
(`{monthly_tokens@peak_month}`). Axes that a rule has picked an entry of need none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from planner.inputs.quantities import ENDS, FIGURES, STEPS
from planner.labels import translator
from planner.plan import Plan, of_ledger, program
from planner.report.model import Figure, Sentence, Value
from planner.report.numbers import FORMS, OTHERS, TEXT, lists, printed
from planner.resources import table

HOLE = re.compile(r"\{([a-z][a-z0-9_]*)((?:@[A-Za-z0-9_-]+)*)(?::([a-z_]+))?\}")
Picks = Mapping[str, int]


class BadTemplate(ValueError):
    """A template names what no plan has."""


@dataclass(frozen=True)
class Hole:
    """One placeholder."""

    name: str
    entries: tuple[str, ...] = ()
    form: str = ""


def hole(text: str) -> Hole:
    """`line@entry` or `line@entry:format` as a Hole."""
    found = HOLE.fullmatch("{" + text + "}")
    if not found:
        raise BadTemplate(f"{text!r} is no line@entry:format")
    name, entries, form = found.groups()
    return Hole(name, tuple(entries.split("@")[1:]), form or "")


def holes(text: str) -> list[Hole]:
    """The placeholders of a sentence. Raises BadTemplate for braces that are none."""
    left = HOLE.sub("", text)
    if "{" in left or "}" in left:
        raise BadTemplate(f"a brace that is no placeholder in {text!r}")
    return [hole(m.group(0)[1:-1]) for m in HOLE.finditer(text)]


class Values:
    """A plan's values by name and coordinate, and as figures in the reader's language."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.language = plan, plan.language
        self.t = translator(plan.language)
        self.column = "million"

    def index(self, at: Hole, picks: Picks) -> tuple[int, ...] | None:
        """The position along each axis of a name; None where an entry is out of range, or a plan has no ledger."""
        if at.name not in self.plan.values:
            if of_ledger(at.name):
                return None
            raise BadTemplate(f"no line or input is called {at.name!r}")
        found = []
        for axis in self.plan.values[at.name].axes:
            here = self._entry(axis, at, picks)
            if not 0 <= here < len(self.plan.labels[axis]):
                return None
            found.append(here)
        return tuple(found)

    def _entry(self, axis: str, at: Hole, picks: Picks) -> int:
        labels = self.plan.labels[axis]
        for entry in at.entries:
            if entry in labels:
                return labels.index(entry)
            if axis_of(entry, axis):
                position = self.value(Hole(entry), picks)
                return int(position) - 1 if isinstance(position, float) else -1
        if axis in picks:
            return picks[axis]
        raise BadTemplate(f"{at.name} varies along {axis}: name an entry with @, or pick one")

    def value(self, at: Hole, picks: Picks) -> Value:
        """A value: a number, words where it is withheld, None for blank."""
        where = self.index(at, picks)
        got = None if where is None else self.plan.values[at.name].at(where)
        return None if got == "" else got

    def figure(self, at: Hole, picks: Picks) -> Figure:
        """A value as it is shown."""
        where = self.index(at, picks)
        value = self.value(at, picks)
        text, precision = printed(value, at.form or TEXT, self.language, self.column, self.t)
        axes = self.plan.values[at.name].axes
        coord = () if where is None else tuple((a, self.plan.labels[a][i]) for a, i in zip(axes, where, strict=True))
        return Figure(at.name, coord, value, text, precision)

    def sentence(self, text: str, picks: Picks | None = None, given: Mapping[str, Sentence] | None = None) -> Sentence:
        """A template in the reader's words with its figures; `given` fills placeholders that are no lines."""
        return self.filled(self.t(text), picks or {}, given or {})

    def filled(self, words: str, picks: Picks, given: Mapping[str, Sentence]) -> Sentence:
        """Words with placeholders, already in the reader's language."""
        parts: list[str | Figure] = []
        last = 0
        for match in HOLE.finditer(words):
            if match.start() > last:
                parts.append(words[last : match.start()])
            last = match.end()
            at = hole(match.group(0)[1:-1])
            if at.name in given:
                parts += given[at.name].parts
            else:
                parts.append(self.figure(at, picks))
        if last < len(words):
            parts.append(words[last:])
        return Sentence(tuple(parts))


# A position along an axis is a line of its own, so the axis is told by its name; phases and months share month numbers.
POSITIONS = {
    "month": frozenset(
        {
            "peak_month",
            "worst_month",
            "phase_from",
            "phase_to",
            "horizon_position",
            "gap_month",
            "phase_feasible_from",
            "failing_month",
        }
    ),
    "tier": frozenset({"tier_row"}),
    "scenario": frozenset({"failing_scenario", "worst_scenario"}),
    "priceref": frozenset({"model_price_row"}),
    "gpuref": frozenset({"model_gpu_row"}),
    "speedref": frozenset({"model_speed_row"}),
    "phase": frozenset({"dearest_phase"}),
    "model": frozenset({"first_model_row"}),
}


def axis_of(name: str, axis: str) -> bool:
    """Whether a line gives a position along the axis."""
    return name in POSITIONS.get(axis, frozenset())


def faults(at: Hole, picked: frozenset[str], given: frozenset[str] = frozenset()) -> list[str]:
    """What is wrong with a placeholder, without any plan: unknown names, formats and axes without an entry."""
    if at.name in given:
        return []
    method = program(portfolio=True)
    known = method.axes
    if at.name not in known:
        return [f"no line or input is called {at.name!r}"]
    found = []
    number = method.kind(at.name) == "number"
    if at.form and at.form not in FORMS and at.form not in OTHERS and at.form not in lists():
        found.append(f"{at.name}: no format is called {at.form!r}")
    if number and not at.form:
        found.append(f"{at.name} is a number and has no format")
    if not number and (at.form in FORMS or at.form == "tokens"):
        found.append(f"{at.name} is words and has the number format {at.form!r}")
    open_axes = [a for a in known[at.name] if a not in picked]
    for entry in at.entries:
        named = [a for a in open_axes if entry in _entries(a) or axis_of(entry, a)]
        if not named:
            found.append(f"{at.name}@{entry}: no entry of and no position along {' or '.join(open_axes) or 'anything'}")
        open_axes = [a for a in open_axes if a not in named[:1]]
    if open_axes:
        found.append(f"{at.name} varies along {open_axes}: name an entry with @, or pick one")
    return found


def _entries(axis: str) -> tuple[str, ...]:
    """The entries that an axis has in every plan."""
    if axis == "threshold":
        every = (*table("thresholds.csv"), *table("portfolio_thresholds.csv"))
        return tuple(r["metric"] for r in every)
    return {"step": STEPS, "figure": FIGURES, "end": ENDS}.get(axis, ())
