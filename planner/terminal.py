"""What commands say: results on stdout, progress and problems on stderr, nothing fancy in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from planner.labels import Translate
from planner.problem import Problem, Questions, said, spoken

WIDE = 220  # columns in a pipe, where nothing may be cut off
out = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDE)
err = Console(stderr=True, highlight=False, soft_wrap=True)


@contextmanager
def progress(words: str) -> Iterator[None]:
    """A spinner on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    with err.status(words):
        yield


def say(words: str) -> None:
    """One line of result."""
    out.print(words, markup=False)


def problems(found: list[Problem], translate: Translate) -> None:
    """All problems, each on a line."""
    for problem in found:
        err.print(problem.text(translate), markup=False)
    err.print(spoken(said("{count} problem(s); nothing was written.", count=len(found)), translate), markup=False)


def questions(asked: Questions) -> None:
    """A clarification turn: one to three questions, no numbers."""
    for i, q in enumerate(asked.questions, 1):
        choice = f" [{' / '.join(q.options)}]" if q.options else ""
        err.print(f"{i}. {q.text}{choice}  -> {q.place}", markup=False)
