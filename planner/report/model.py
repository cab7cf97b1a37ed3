"""A report before anybody draws it: frozen parts, in which every number knows the line or input that it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Value = float | str | None


@dataclass(frozen=True)
class Figure:
    """One value of the plan as it is shown.

    `key` is a line or an input, `at` its coordinate (axis, entry), `value` the value in full precision, `text` what is
    printed and `precision` the smallest step that the text tells, in the value's own unit; None for words.
    """

    key: str
    at: tuple[tuple[str, str], ...]
    value: Value
    text: str
    precision: float | None = None


@dataclass(frozen=True)
class Sentence:
    """Fixed words and figures in turn."""

    parts: tuple[str | Figure, ...] = ()

    @property
    def text(self) -> str:
        """As it reads."""
        return "".join(p if isinstance(p, str) else p.text for p in self.parts)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures in it."""
        return tuple(p for p in self.parts if isinstance(p, Figure))


@dataclass(frozen=True)
class Paragraph:
    """Sentences that are read together. `kind`: lead, flag or note."""

    sentences: tuple[Sentence, ...]
    kind: str = "note"


@dataclass(frozen=True)
class Table:
    """A table with words in its head; a row may be a total. `numbers` names the columns that align to the right."""

    key: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Sentence, ...], ...]
    numbers: frozenset[int] = frozenset()
    total: bool = False
    note: Sentence | None = None


@dataclass(frozen=True)
class Finding:
    """What matters in this plan, with its impact; `chip` is the status of the threshold behind it, if there is one."""

    rule: str
    text: Sentence
    impact: Sentence
    chip: Figure | None = None


@dataclass(frozen=True)
class Cause:
    """Why it is so: a name, the figures that show it, and what follows."""

    rule: str
    cause: Sentence
    evidence: Sentence
    impact: Sentence


@dataclass(frozen=True)
class Action:
    """What to do: about what, who, and the decision to take."""

    rule: str
    target: Sentence
    owner: Sentence
    decision: Sentence


@dataclass(frozen=True)
class Question:
    """A question to copy into the next message."""

    rule: str
    text: Sentence


@dataclass(frozen=True)
class Findings:
    """Numbered findings."""

    items: tuple[Finding, ...]


@dataclass(frozen=True)
class Causes:
    """Causes with the words that stand before their parts; `head` holds {number}."""

    items: tuple[Cause, ...]
    head: str
    evidence: str
    impact: str


@dataclass(frozen=True)
class Actions:
    """One group of actions: now, watched, later."""

    key: str
    title: str
    items: tuple[Action, ...]
    owner: str


@dataclass(frozen=True)
class Questions:
    """Questions to copy."""

    items: tuple[Question, ...]


@dataclass(frozen=True)
class Column:
    """One column of a chart: its label, the parts that stand on each other, where they start, and a group's colour."""

    label: Figure | str
    parts: tuple[Figure, ...]
    base: Figure | None = None
    group: int = 0
    shown: Figure | None = None


@dataclass(frozen=True)
class Chart:
    """A chart of lines. `kind`: demand, bridge or cost; `names` name parts or groups, `line` runs over the columns."""

    key: str
    title: Sentence
    note: Sentence
    kind: str
    names: tuple[Figure | str, ...]
    columns: tuple[Column, ...]
    line: tuple[Figure, ...] = ()
    line_name: str = ""


@dataclass(frozen=True)
class Charts:
    """Charts side by side."""

    items: tuple[Chart, ...]


Block = Paragraph | Table | Findings | Causes | Actions | Questions | Charts


@dataclass(frozen=True)
class Section:
    """A section of the guide's output format."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Report:
    """The whole report. `head` stands under the title; `flag` says that the plan is illustrative."""

    language: str
    title: Figure
    chip: Figure
    head: Sentence
    flag: Sentence | None
    sections: tuple[Section, ...]

    def section(self, key: str) -> Section:
        """A section by its key."""
        return next(s for s in self.sections if s.key == key)

    def blocks(self, kind: type) -> list[Block]:
        """All blocks of a kind, in order."""
        return [b for s in self.sections for b in s.blocks if isinstance(b, kind)]

    def sentences(self) -> Iterator[Sentence]:
        """Every sentence that is read, in order; charts not included."""
        yield Sentence((self.title,))
        yield Sentence((self.chip,))
        yield self.head
        if self.flag:
            yield self.flag
        for section in self.sections:
            for block in section.blocks:
                yield from said(block)

    def figures(self) -> list[Figure]:
        """Every figure of the text."""
        return [f for s in self.sentences() for f in s.figures]


def said(block: Block) -> Iterator[Sentence]:
    """The sentences of a block."""
    match block:
        case Paragraph(sentences, _):
            yield from sentences
        case Table():
            for row in block.rows:
                yield from row
            if block.note:
                yield block.note
        case Findings(items):
            for finding in items:
                yield from (finding.text, finding.impact)
                if finding.chip:
                    yield Sentence((finding.chip,))
        case Causes():
            for cause in block.items:
                yield from (cause.cause, cause.evidence, cause.impact)
        case Actions():
            for action in block.items:
                yield from (action.target, action.owner, action.decision)
        case Questions(items):
            for question in items:
                yield question.text
        case Charts():
            return


def drawn(chart: Chart) -> list[Figure]:
    """Every figure of a chart, drawn or printed."""
    found = [*chart.title.figures, *chart.note.figures, *chart.line]
    found += [n for n in chart.names if isinstance(n, Figure)]
    for column in chart.columns:
        found += [f for f in (column.label, column.base, column.shown, *column.parts) if isinstance(f, Figure)]
    return found
