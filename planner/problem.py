"""A problem with what somebody typed: where it stands, what was found, what was wanted, what to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One finding about one cell. `place` is `Tab!Cell` (or a file name where no cell is to blame)."""

    place: str
    found: str
    wanted: str
    do: str

    def __str__(self) -> str:
        return f"{self.place}: found {self.found}; wanted {self.wanted}; do {self.do}"


class InputProblems(Exception):
    """Everything wrong with an input, collected and raised once."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))
