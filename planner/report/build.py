"""A plan becomes a report: what holds is said, what matters most leads, and every number stays a figure of the plan."""

from __future__ import annotations

from planner.inputs.field import specs
from planner.inputs.quantities import plain
from planner.inputs.scalars import PlanInputs
from planner.plan import Plan
from planner.report import content
from planner.report.charts import charts_of
from planner.report.content import Layout, Row
from planner.report.model import (
    Action,
    Actions,
    Block,
    Cause,
    Causes,
    Figure,
    Finding,
    Findings,
    Paragraph,
    Question,
    Questions,
    Report,
    Section,
    Sentence,
    Table,
)
from planner.report.numbers import column_scale
from planner.report.rules import LEVELS, Match, Pick, Rule, fitting, matched, rules
from planner.report.template import Hole, Picks, Values

METRICS, FINDINGS, CAUSES, QUESTIONS, PER_GROUP = 6, 3, 3, 3, 3


def report_of(plan: Plan) -> Report:
    """The report of a plan: the guide's output format, in the plan's language."""
    return _Builder(plan).report()


class _Builder:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.values = Values(plan)
        self.t = self.values.t
        most = self.values.value(Hole("annual_tokens"), {})
        self.values.column, unit = column_scale(most if isinstance(most, float) else 0)
        self.given = {"unit": Sentence((self.t(unit),))}
        self.findings = self._findings()

    def report(self) -> Report:
        blocks: dict[str, tuple[Block, ...]] = {
            "conclusion": self._conclusion(),
            "metrics": (self._metrics(), *charts_of(self.values), *self._tables()),
            "findings": (Findings(tuple(self._finding(m) for m in self.findings)),),
            "causes": (self._causes(),),
            "actions": tuple(self._actions(key, title) for key, title in content.groups().items()),
            "questions": (self._questions(),),
        }
        sections = tuple(Section(key, self.t(title), blocks[key]) for key, title in content.sections().items())
        as_of = Figure("as_of", (), self.plan.as_of, self.plan.as_of)
        head = self._say(content.word("head"), as_of=Sentence((as_of,)))
        flag = self._say(content.word("illustrative"), assumed=self._assumed()) if self.plan.inputs.assumed else None
        title = self.values.figure(Hole("plan_name"), {})
        return Report(self.plan.language, title, self._figure("overall_chip"), head, flag, sections)

    def _say(self, text: str, picks: Picks | None = None, **given: Sentence) -> Sentence:
        return self.values.sentence(text, picks, {**self.given, **given})

    def _figure(self, name: str) -> Figure:
        return self.values.figure(Hole(name), {})

    def _assumed(self) -> Sentence:
        """The labels of what an illustrative plan assumed, strung together."""
        known = specs(PlanInputs)
        names = [self.t(known[k].label if k in known else k.capitalize()) for k in self.plan.inputs.assumed]
        return Sentence((self.t(content.word("list")).join(names),))

    # ---- conclusion and key metrics

    def _conclusion(self) -> tuple[Block, ...]:
        lead = self.findings[0]
        named = self._part(lead, "constraint")
        which = "illustrative" if self.plan.inputs.assumed else "constraint"
        said = [
            self._say(fitting(content.conclusion("verdict"), self.values, {})),
            self._say(fitting(content.conclusion(which), self.values, {}), constraint=named, assumed=self._assumed()),
        ]
        return (Paragraph(tuple(said), "lead"),)

    def _metrics(self) -> Table:
        able = [m for m in content.metrics() if all(c.holds(self.values, {}) for c in m.when)]
        kept = sorted(able, key=lambda m: m.rank)[:METRICS]
        rows = tuple(
            (
                self._say(m.label),
                self._say(fitting(m.value, self.values, {})),
                Sentence((self._figure(m.status),)),
            )
            for m in able
            if m in kept
        )
        heads = tuple(self.t(content.word(w)) for w in ("metric", "value", "status"))
        return Table("metrics", "", heads, rows)

    def _tables(self) -> list[Block]:
        found: list[Block] = []
        for layout in content.layouts():
            if all(c.holds(self.values, {}) for c in layout.when):
                table = self._table(layout)
                if table.rows:
                    found.append(table)
        return found

    def _table(self, layout: Layout) -> Table:
        rows = []
        for picks in self._entries(layout.axis):
            picks = dict(picks)
            for also in layout.also:
                chosen = also.choose(self.values, picks)
                if chosen is not None:
                    picks[also.axis] = chosen
            rows += [self._cells(row, picks) for row in layout.rows if self._shown(row, picks)]
        totals = [self._cells(row, {}) for row in layout.totals if self._shown(row, {})] if rows else []
        note = fitting(layout.note, self.values, {})
        heads = tuple(self._say(h).text for h in layout.heads)
        return Table(
            layout.key, self.t(layout.title), heads, (*rows, *totals), layout.numbers, bool(totals),
            self._say(note) if note else None,
        )  # fmt: skip

    def _entries(self, axis: Pick | None) -> list[dict[str, int]]:
        return [{axis.axis: i} for i in axis.ordered(self.values, {})] if axis else [{}]

    def _cells(self, row: Row, picks: Picks) -> tuple[Sentence, ...]:
        return tuple(self._say(fitting(cell, self.values, picks), picks) for cell in row.cells)

    def _shown(self, row: Row, picks: Picks) -> bool:
        """A row of inputs stands where one of them is at its default: an assumption that nobody has confirmed."""
        if not all(axis in picks for axis in row.has) or any(axis in picks for axis in row.lacks):
            return False
        standing = not row.assumed or any(map(self._at_default, row.assumed))
        return standing and all(c.holds(self.values, picks) for c in row.when)

    def _at_default(self, key: str) -> bool:
        spec, inputs = specs(PlanInputs)[key], self.plan.inputs
        mine = plain(getattr(inputs.plan, key))
        return spec.default is not None and str(mine).lower() == str(plain(spec.default)).lower()

    # ---- rules

    def _matches(self, kind: str) -> list[Match]:
        found = [m for m in (matched(r, self.values) for r in rules(kind)) if m is not None]
        return sorted(found, key=lambda m: m.weight)

    def _findings(self) -> list[Match]:
        """The weightiest of each topic, up to three; where GPUs are planned, one of them speaks of the GPUs."""
        chosen: list[Match] = []
        able = self._matches("finding")
        for match in able:
            if len(chosen) < FINDINGS and not _shared(match.rule, [m.rule for m in chosen]):
                chosen.append(match)
        on_gpus = self.values.value(Hole("model_on_prem_any"), {}) == 1
        if on_gpus and not any(m.rule.gpu for m in chosen):
            kept = chosen[: FINDINGS - 1]
            spoken = [m for m in able if m.rule.gpu and not _shared(m.rule, [k.rule for k in kept])]
            chosen = [*kept, *spoken[:1]] if spoken else chosen
        return chosen

    def _finding(self, match: Match) -> Finding:
        shown = None
        if match.rule.severity not in LEVELS and match.level > 0:
            shown = self.values.figure(Hole("threshold_chip", (match.rule.severity,)), {})
        return Finding(match.rule.key, self._part(match, "say"), self._part(match, "impact"), shown)

    def _part(self, match: Match, part: str) -> Sentence:
        return self._say(fitting(match.rule.words.get(part, ()), self.values, match.picks), match.picks)

    def _about(self, kind: str, group: str = "") -> list[Match]:
        """Rules of a kind, those about the chosen findings first, in the findings' order."""
        order = [t for m in self.findings for t in m.rule.topics]

        def place(match: Match) -> tuple[int, tuple[int, int, int]]:
            return min((order.index(t) for t in match.rule.topics if t in order), default=len(order)), match.weight

        able = [m for m in self._matches(kind) if m.rule.group == group]
        return sorted((m for m in able if not m.rule.topics or set(m.rule.topics) & set(order)), key=place)

    def _causes(self) -> Causes:
        items = []
        for finding in self.findings:
            items += [m for m in self._about("cause") if set(m.rule.topics) & set(finding.rule.topics)][:1]
        chosen = list({m.rule.key: m for m in items}.values())[:CAUSES]
        chosen += [m for m in self._about("cause") if m.rule.key not in {c.rule.key for c in chosen}]
        keep = max(2, len({m.rule.key for m in items}))
        causes = tuple(
            Cause(m.rule.key, self._part(m, "cause"), self._part(m, "evidence"), self._part(m, "impact"))
            for m in chosen[: min(keep, CAUSES)]
        )
        t = self.t
        return Causes(causes, t(content.word("cause")), t(content.word("evidence")), t(content.word("impact")))

    def _actions(self, key: str, title: str) -> Actions:
        found = []
        for m in self._about("action", key)[:PER_GROUP]:
            owner = next((o for o in self._owners(m) if o is not None), None)
            named = owner or Sentence((self.t(content.word("no_owner")),))
            found.append(Action(m.rule.key, self._part(m, "target"), named, self._part(m, "decision")))
        return Actions(key, self.t(title), tuple(found), self.t(content.word("owner")))

    def _owners(self, match: Match) -> list[Sentence | None]:
        """The owners that a rule may name, None where nobody has entered one."""
        found: list[Sentence | None] = []
        for words in match.rule.words.get("owner", ()):
            sentence = self._say(words.say, match.picks)
            blank = any(f.value is None for f in sentence.figures)
            found.append(None if blank else sentence)
        return found

    def _questions(self) -> Questions:
        chosen = self._about("question")[:QUESTIONS]
        return Questions(tuple(Question(m.rule.key, self._part(m, "say")) for m in chosen))


def _shared(rule: Rule, others: list[Rule]) -> bool:
    return any(set(rule.topics) & set(o.topics) for o in others)
