"""What a person is told about an input, in any language: a problem with a cell, or a question without an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planner.labels import Translate


class Said(str):
    """An English sentence that remembers its template and values, so that it can be said in another language too."""

    template: str
    values: Mapping[str, object]


def said(template: str, /, **values: object) -> Said:
    """The English text of a template with its values filled in; a value may itself be said. tools/texts.py lists it."""
    made = Said(template.format_map(values) if values else template)
    made.template, made.values = template, values
    return made


def spoken(text: str, translate: Translate) -> str:
    """A text in another language, with everything that is said inside it; what is plain (a file, a number) stays."""
    if not isinstance(text, Said):
        return text
    template = translate(text.template)
    if not text.values:
        return template
    return template.format_map({k: spoken(v, translate) if isinstance(v, str) else v for k, v in text.values.items()})


def listed(things: Sequence[str], most: int = 0) -> str:
    """Things one after the other, each said in its own way; of more than `most` the first, and how many there are."""
    shown = things[0] if things else ""
    for thing in things[1 : most or None]:
        shown = said("{some}, {more}", some=shown, more=thing)
    return said("{some}, {more}", some=shown, more=f"… ({len(things)})") if 0 < most < len(things) else shown


@dataclass(frozen=True)
class Problem:
    """One finding about one cell. `place` is `Tab!Cell` (or a file name where no cell is to blame)."""

    place: str
    found: str
    wanted: str
    do: str

    def __str__(self) -> str:
        return self.text(str)

    def text(self, translate: Translate) -> str:
        """The whole line in a language."""
        line = said(
            "{place}: found {found}; wanted {wanted}; do {do}",
            place=self.place, found=self.found, wanted=self.wanted, do=self.do,
        )  # fmt: skip
        return spoken(line, translate)

    def parts(self, translate: Translate) -> dict[str, str]:
        """Its four parts in a language, by name."""
        return {name: spoken(part, translate) for name, part in vars(self).items()}


class InputProblems(Exception):
    """Everything wrong with an input, collected and raised once; `language` is the input's, where it is known."""

    def __init__(self, problems: list[Problem], language: str = "") -> None:
        self.problems, self.language = problems, language
        super().__init__("\n".join(map(str, problems)))


@dataclass(frozen=True)
class Question:
    """One question, with the cell that the answer belongs in and the answers to choose from."""

    key: str
    text: str
    place: str
    options: tuple[str, ...] = ()


class Questions(Exception):
    """Required inputs are missing: nothing is computed until they are answered."""

    def __init__(self, questions: list[Question], language: str) -> None:
        self.questions, self.language = questions, language
        super().__init__("\n".join(q.text for q in questions))
