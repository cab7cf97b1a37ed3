"""Rules as data: conditions over named lines, one picked entry, a severity, and the words that they lead to."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from planner.report.model import Value
from planner.report.template import BadTemplate, Hole, Picks, Values, faults, hole, holes
from planner.resources import folder

DUST = 1e-9
LEVELS = {"note": 0, "watch": 1, "risk": 2, "critical": 3}
COMPARISONS = ("is", "is_not", "above", "below", "at_least", "at_most", "known")


@dataclass(frozen=True)
class Side:
    """What a value is compared with: a number, a word, or another line times a factor."""

    fixed: float | str | bool | None = None
    line: Hole | None = None
    times: float = 1.0


@dataclass(frozen=True)
class Condition:
    """One comparison. A number that is not known fails every comparison except `known = false`."""

    line: Hole
    how: str
    side: Side

    def holds(self, values: Values, picks: Picks) -> bool:
        """Whether it is so in this plan."""
        left = values.value(self.line, picks)
        if self.how == "known":
            return (left is not None and not _words_in_place(values, self.line, left)) == self.side.fixed
        right: Any = values.value(self.side.line, picks) if self.side.line else self.side.fixed
        if isinstance(right, int | float) and not isinstance(right, bool):
            right = float(right) * self.side.times
        return _compare(left, self.how, right)


def _words_in_place(values: Values, at: Hole, value: Value) -> bool:
    """Whether words stand where a number belongs: withheld, or not applicable."""
    return isinstance(value, str) and values.plan.program.kind(at.name) == "number"


def _compare(left: Value, how: str, right: Value) -> bool:
    if how in ("is", "is_not"):
        if isinstance(left, float) and isinstance(right, float):
            same = abs(left - right) <= DUST
        else:
            same = left is not None and right is not None and str(left).lower() == str(right).lower()
        return same == (how == "is")
    if not isinstance(left, float) or not isinstance(right, float):
        return False
    apart = left - right
    return {"above": apart > DUST, "below": apart < -DUST, "at_least": apart >= -DUST, "at_most": apart <= DUST}[how]


@dataclass(frozen=True)
class Pick:
    """One entry of an axis: the first, or the one with the most or least of a line, among those where all holds."""

    axis: str
    where: tuple[Condition, ...] = ()
    most: Hole | None = None
    least: Hole | None = None

    def entries(self, values: Values, picks: Picks) -> list[int]:
        """All entries for which the conditions hold."""
        every = range(len(values.plan.labels.get(self.axis, ())))
        return [i for i in every if all(c.holds(values, {**picks, self.axis: i}) for c in self.where)]

    def choose(self, values: Values, picks: Picks) -> int | None:
        """The entry, None where there is none."""
        return next(iter(self.ordered(values, picks)), None)

    def ordered(self, values: Values, picks: Picks) -> list[int]:
        """The entries that fit, by the line that ranks them; without one as they stand."""
        found = self.entries(values, picks)
        by = self.most or self.least
        if by is None:
            return found
        sign = -1 if self.most else 1

        def rank(i: int) -> tuple[float, int]:
            value = values.value(by, {**picks, self.axis: i})
            return (sign * value if isinstance(value, float) else float("inf"), i)

        return sorted(found, key=rank)


@dataclass(frozen=True)
class Words:
    """A text, and when it is said; of several the first that fits."""

    say: str
    when: tuple[Condition, ...] = ()


Variants = tuple[Words, ...]


@dataclass(frozen=True)
class Rule:
    """A finding, cause, action or question. `words` holds its texts by part; `topics` tie it to findings."""

    kind: str
    key: str
    words: Mapping[str, Variants]
    when: tuple[Condition, ...] = ()
    picks: tuple[Pick, ...] = ()
    severity: str = "note"
    specific: int = 0
    topics: tuple[str, ...] = ()
    group: str = ""
    gpu: bool = False
    order: int = 0


@dataclass(frozen=True)
class Match:
    """A rule that holds in a plan, with the entries it picked and how much it weighs."""

    rule: Rule
    picks: Picks
    level: int

    @property
    def weight(self) -> tuple[int, int, int]:
        """Most severe first, then most specific, then as they stand in the file."""
        return (-self.level, -self.rule.specific, self.rule.order)


def matched(rule: Rule, values: Values) -> Match | None:
    """The rule in this plan, or None."""
    picks: dict[str, int] = {}
    for pick in rule.picks:
        chosen = pick.choose(values, picks)
        if chosen is None:
            return None
        picks[pick.axis] = chosen
    if not all(c.holds(values, picks) for c in rule.when):
        return None
    return Match(rule, picks, level_of(rule.severity, values))


def level_of(severity: str, values: Values) -> int:
    """0 to 3: a word's own level, or the level of the plan's threshold of that name."""
    if severity in LEVELS:
        return LEVELS[severity]
    level = values.value(Hole("threshold_level", (severity,)), {})
    return int(level) if isinstance(level, float) else 0


def fitting(variants: Variants, values: Values, picks: Picks) -> str:
    """The first text whose conditions hold; empty where none does."""
    return next((v.say for v in variants if all(c.holds(values, picks) for c in v.when)), "")


# ---- from the files


@cache
def file(name: str) -> dict[str, Any]:
    """A file of workbook_templates/report."""
    with (folder("workbook_templates") / "report" / f"{name}.toml").open("rb") as handle:
        return tomllib.load(handle)


def condition(raw: Mapping[str, Any]) -> Condition:
    """A condition from its table. Raises BadTemplate where it is none."""
    how = [k for k in raw if k != "line"]
    if "line" not in raw or len(how) != 1 or how[0] not in COMPARISONS:
        raise BadTemplate(f"{dict(raw)!r} is no condition: line and one of {', '.join(COMPARISONS)}")
    side = raw[how[0]]
    if isinstance(side, Mapping):
        return Condition(hole(raw["line"]), how[0], Side(line=hole(side["line"]), times=float(side.get("times", 1))))
    fixed = float(side) if isinstance(side, int | float) and not isinstance(side, bool) else side
    return Condition(hole(raw["line"]), how[0], Side(fixed=fixed))


def conditions(raw: Iterable[Mapping[str, Any]]) -> tuple[Condition, ...]:
    """All of a list."""
    return tuple(condition(r) for r in raw)


def pick(raw: Mapping[str, Any]) -> Pick:
    """A pick from its table."""
    extra = set(raw) - {"axis", "where", "most", "least"}
    if extra:
        raise BadTemplate(f"a pick knows no {sorted(extra)}")
    by = {k: hole(raw[k]) for k in ("most", "least") if k in raw}
    return Pick(raw["axis"], conditions(raw.get("where", ())), **by)


def variants(raw: Any) -> Variants:
    """A text, or a list of texts with their conditions."""
    if isinstance(raw, str):
        return (Words(raw),)
    return tuple(Words(r) if isinstance(r, str) else Words(r["say"], conditions(r.get("when", ()))) for r in raw)


PARTS = {
    "finding": ("say", "impact", "constraint"),
    "cause": ("cause", "evidence", "impact"),
    "action": ("target", "owner", "decision"),
    "question": ("say",),
}
FILES = {"finding": "findings", "cause": "causes", "action": "actions", "question": "actions"}
SETTINGS = frozenset({"key", "when", "pick", "severity", "specific", "topics", "topic", "group", "gpu"})


@cache
def rules(kind: str) -> tuple[Rule, ...]:
    """The rules of a kind, in the file's order."""
    found = []
    for order, raw in enumerate(file(FILES[kind])[kind]):
        parts = PARTS[kind]
        unknown = set(raw) - SETTINGS - set(parts)
        if unknown:
            raise BadTemplate(f"{kind} {raw.get('key')}: unknown {sorted(unknown)}")
        words = {p: variants(raw[p]) for p in parts if p in raw}
        topics = tuple(raw.get("topics", [raw["topic"]] if "topic" in raw else []))
        picks = raw.get("pick", [])
        found.append(
            Rule(kind, raw["key"], words, conditions(raw.get("when", ())),
                 tuple(pick(p) for p in ([picks] if isinstance(picks, Mapping) else picks)),
                 raw.get("severity", "note"), raw.get("specific", 0), topics, raw.get("group", ""),
                 raw.get("gpu", False), order)
        )  # fmt: skip
    return tuple(found)


# ---- what is wrong with them, without any plan


@dataclass
class Faults:
    """Collects what is wrong in templates and conditions."""

    found: list[str] = field(default_factory=list)

    def conditions(self, where: str, given: Iterable[Condition], picked: frozenset[str]) -> None:
        """Lines that nobody defines, axes without an entry."""
        for c in given:
            for at in (c.line, c.side.line):
                if at is not None:
                    self._line(where, at, picked)

    def _line(self, where: str, at: Hole, picked: frozenset[str]) -> None:
        form = at.form or "number"
        self.found += [f"{where}: {f}" for f in faults(Hole(at.name, at.entries, form), picked)]

    def picks(self, where: str, given: Iterable[Pick]) -> frozenset[str]:
        """The axes that have been picked, after checking how."""
        picked: frozenset[str] = frozenset()
        for p in given:
            picked |= {p.axis}
            self.conditions(where, p.where, picked)
            for at in (p.most, p.least):
                if at is not None:
                    self._line(where, at, picked)
        return picked

    def variants(self, where: str, given: Variants, picked: frozenset[str], more: frozenset[str] = frozenset()) -> None:
        """Texts with placeholders that no plan has."""
        for words in given:
            self.conditions(where, words.when, picked)
            for at in holes(words.say):
                self.found += [f"{where}: {f}" for f in faults(at, picked, more)]


def rule_faults() -> list[str]:
    """Everything wrong with the files of rules."""
    out = Faults()
    for kind in PARTS:
        for rule in rules(kind):
            where = f"{kind} {rule.key}"
            picked = out.picks(where, rule.picks)
            out.conditions(where, rule.when, picked)
            if rule.severity not in LEVELS:
                out._line(where, Hole("threshold_level", (rule.severity,)), frozenset())
            missing = set(PARTS[kind]) - set(rule.words) - {"owner"}
            if missing:
                out.found.append(f"{where}: no {sorted(missing)}")
            for part, words in rule.words.items():
                out.variants(f"{where} {part}", words, picked)
    return out.found
