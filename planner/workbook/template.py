"""Tabs as data: what workbook_templates/*.toml may say, checked when it is read."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from planner.resources import folder

Kind = Literal[
    "plan", "table", "months", "by_axis", "matrix", "values", "sentences", "text", "reference", "constants", "lists",
    "metrics", "contents", "legend", "method", "assumptions", "estimates", "changes", "conclusion", "charts",
    "variants",
]  # fmt: skip


class Item(BaseModel):
    """A line in a section: `line` gives it its home here, `show` repeats a line whose home is elsewhere; `value` is the
    home of a figure that was computed at build and is written as a number, which does not follow edits.

    `year` and `peak` fill the two columns before the first month: "sum", "last", "no", or the name of a scalar line.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    line: str = ""
    show: str = ""
    value: str = ""
    label: str = ""
    style: Literal["calc", "total", "output", "input"] = "calc"
    number: str = ""
    year: str = "no"
    peak: str = "pick"
    unit: str = ""
    status: str = ""
    limit: str = ""
    why: str = ""
    text: bool = False
    wide: int = 1

    @property
    def name(self) -> str:
        """The line's name."""
        return self.line or self.value or self.show


class Chart(BaseModel):
    """A chart over named lines; `when` names a scalar that must be above zero for it to be drawn."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: Literal[
        "demand", "bridge", "cost", "phases", "scenario_tokens", "shown_supply", "tornado", "waiting", "ways", "turn",
        "model_mix",
    ]  # fmt: skip
    title: str
    note: str
    at: Literal["left", "middle", "right", "wide", "beside"]
    height: int = 12


class Section(BaseModel):
    """A block of a tab."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: Kind
    title: str = ""
    note: str = ""
    axis: str = ""
    across: str = ""
    table: str = ""
    line: str = ""
    number: str = ""
    items: tuple[Item, ...] = ()
    total: tuple[Item, ...] = ()
    opening: bool = False
    columns: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    bars: str = ""
    page_break: bool = False
    header: bool = False
    when: Literal["", "ledger"] = ""


class Tab(BaseModel):
    """A tab. `grid` chooses the column skeleton: months (G is the first month), list, or table (widths by field).

    `when = "ledger"` keeps it for plans with a ledger; so it does for a section of a tab.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    question: str
    role: Literal["read", "fill", "reference", "compute", "control"]
    worker: str = ""
    state: str = ""
    grid: Literal["months", "list", "table", "plan"] = "list"
    widths: tuple[float, ...] = ()
    one_page: bool = False
    month_head: bool = True
    second_page: str = ""
    when: Literal["", "ledger"] = ""
    section: tuple[Section, ...] = Field(default=())


@cache
def tabs() -> tuple[Tab, ...]:
    """Every tab, in the order of the files' names."""
    found = []
    for path in sorted(folder("workbook_templates").glob("[0-9]*.toml")):
        with path.open("rb") as handle:
            found.append(Tab(**tomllib.load(handle)))
    return tuple(found)


@cache
def fitting(portfolio: bool) -> tuple[Tab, ...]:
    """The tabs and sections of a plan, with a ledger or without."""
    if portfolio:
        return tabs()
    kept = [t for t in tabs() if not t.when]
    return tuple(t.model_copy(update={"section": tuple(s for s in t.section if not s.when)}) for t in kept)
