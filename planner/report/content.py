"""The fixed frame of a report as data: conclusion, key metrics, detail tables, charts and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from planner.report.numbers import SCALES
from planner.report.rules import (
    PARTS,
    Condition,
    Faults,
    Pick,
    Variants,
    conditions,
    file,
    pick,
    rules,
    variants,
)
from planner.report.template import BadTemplate
from planner.resources import table

GIVEN = frozenset({"unit", "constraint", "assumed", "as_of", "number"})


@dataclass(frozen=True)
class Metric:
    """A key indicator: its words, its value, the line that holds its status, and its rank where room is short."""

    label: str
    value: Variants
    status: str
    when: tuple[Condition, ...]
    rank: int


@dataclass(frozen=True)
class Row:
    """A row of cells, where its conditions hold, and where an entry of an axis was picked (`has`) or not (`lacks`)."""

    cells: tuple[Variants, ...]
    when: tuple[Condition, ...] = ()
    assumed: tuple[str, ...] = ()
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layout:
    """A detail table: one row an entry of an axis, or rows of its own.

    `also` picks an entry of another axis for each row (the model of a pool's GPU); `numbers` are the columns that align
    to the right; a row of inputs (`assumed`) stands only where these are at their defaults.
    """

    key: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    when: tuple[Condition, ...] = ()
    axis: Pick | None = None
    also: tuple[Pick, ...] = ()
    totals: tuple[Row, ...] = ()
    numbers: frozenset[int] = frozenset()
    note: Variants = ()


@dataclass(frozen=True)
class Drawing:
    """A chart: its finding, what it shows, and when it can be drawn."""

    key: str
    title: Variants
    note: Variants
    when: tuple[Condition, ...]
    names: Mapping[str, str]


def _keys(raw: Mapping[str, Any], allowed: set[str]) -> None:
    unknown = set(raw) - allowed
    if unknown:
        raise BadTemplate(f"{raw.get('key', raw)!r}: unknown {sorted(unknown)}")


def _row(raw: Mapping[str, Any]) -> Row:
    _keys(raw, {"cells", "when", "inputs", "has", "lacks"})
    named = (tuple(raw.get(k, ())) for k in ("inputs", "has", "lacks"))
    return Row(tuple(variants(c) for c in raw["cells"]), conditions(raw.get("when", ())), *named)


@cache
def metrics() -> tuple[Metric, ...]:
    """The key indicators, in the order in which they are read."""
    found = []
    for raw in file("report")["metric"]:
        _keys(raw, {"label", "value", "status", "when", "rank"})
        found.append(
            Metric(raw["label"], variants(raw["value"]), raw["status"], conditions(raw.get("when", ())), raw["rank"])
        )
    return tuple(found)


@cache
def layouts() -> tuple[Layout, ...]:
    """The detail tables, in order."""
    found = []
    for raw in file("tables")["table"]:
        _keys(
            raw, {"key", "title", "heads", "row", "when", "axis", "where", "also", "total", "numbers", "note", "order"}
        )
        by = {"least": raw["order"]} if "order" in raw else {}
        axis = pick({"axis": raw["axis"], "where": raw.get("where", []), **by}) if "axis" in raw else None
        found.append(
            Layout(
                raw["key"], raw["title"], tuple(raw["heads"]), tuple(_row(r) for r in raw["row"]),
                conditions(raw.get("when", ())), axis, tuple(pick(p) for p in raw.get("also", [])),
                tuple(_row(r) for r in raw.get("total", [])), frozenset(raw.get("numbers", [])),
                variants(raw["note"]) if "note" in raw else (),
            )
        )  # fmt: skip
    return tuple(found)


@cache
def drawings() -> tuple[Drawing, ...]:
    """The charts, in order."""
    return tuple(
        Drawing(r["key"], variants(r["title"]), variants(r["note"]), conditions(r.get("when", ())), r["names"])
        for r in file("report")["chart"]
    )


def conclusion(part: str) -> Variants:
    """The variants of a sentence of the conclusion: verdict or constraint."""
    return variants(file("report")["conclusion"][part])


def word(key: str) -> str:
    """A fixed word of the report, in English."""
    return str(file("report")["words"][key])


def months() -> list[str]:
    """Short names of the months, January first."""
    return list(file("report")["short"]["months"])


def money_units() -> list[str]:
    """Units of money by size: as it is, thousands, millions."""
    return list(file("report")["scale"]["money"])


def sections() -> dict[str, str]:
    """The sections by key, in the guide's order."""
    return {r["key"]: r["title"] for r in file("report")["section"]}


def groups() -> dict[str, str]:
    """The groups of actions by key, in the guide's order."""
    return {r["key"]: r["title"] for r in file("report")["group"]}


def all_texts() -> list[str]:
    """Every text of the report that a language must have, each once, in English, in the order of the files."""
    found: dict[str, None] = {}

    def take(*texts: str) -> None:
        found.update(dict.fromkeys(t for t in texts if any(c.isalpha() for c in t)))

    take(*sections().values(), *file("report")["words"].values(), *groups().values(), *SCALES, "not entered")
    take(*months(), *money_units())
    for part in file("report")["conclusion"]:
        take(*(v.say for v in conclusion(part)))
    for metric in metrics():
        take(metric.label, *(v.say for v in metric.value))
    for layout in layouts():
        take(layout.title, *layout.heads, *(v.say for v in layout.note))
        for row in (*layout.rows, *layout.totals):
            take(*(v.say for cell in row.cells for v in cell))
    for drawing in drawings():
        take(*(v.say for v in (*drawing.title, *drawing.note)), *drawing.names.values())
    for kind in PARTS:
        for rule in rules(kind):
            take(*(v.say for part in rule.words.values() for v in part))
    return list(found)


def data_texts() -> list[str]:
    """Texts of the reference tables that the report translates: phases, owners, tiers, levers, curves."""
    columns = {
        "phases.csv": ("phase", "resource"),
        "thresholds.csv": ("owner",),
        "sla_tiers.csv": ("label", "throughput"),
        "levers.csv": ("label", "trade_off"),
        "curves.csv": ("label",),
    }
    found = dict.fromkeys(r[c] for f, keys in columns.items() for r in table(f) for c in keys if r[c])
    return [t for t in found if any(c.isalpha() for c in t)]


def content_faults() -> list[str]:
    """Everything wrong with report.toml and tables.toml."""
    out = Faults()
    none: frozenset[str] = frozenset()
    for part in file("report")["conclusion"]:
        out.variants(f"conclusion {part}", conclusion(part), none, GIVEN)
    for metric in metrics():
        out.conditions(metric.label, metric.when, none)
        out.variants(metric.label, (*metric.value, *variants("{" + metric.status + "}")), none, GIVEN)
    for layout in layouts():
        where = f"table {layout.key}"
        picked = out.picks(where, ([layout.axis] if layout.axis else []))
        for also in layout.also:
            out.conditions(where, also.where, picked | {also.axis})
            picked |= {also.axis}
        out.conditions(where, layout.when, none)
        out.variants(where, layout.note, none, GIVEN)
        out.variants(where, tuple(v for h in layout.heads for v in variants(h)), none, GIVEN)
        for rows, axes in ((layout.rows, picked), (layout.totals, none)):
            for row in rows:
                if len(row.cells) != len(layout.heads):
                    out.found.append(f"{where}: {len(row.cells)} cells under {len(layout.heads)} heads")
                here = axes - frozenset(row.lacks)
                out.conditions(where, row.when, here)
                for cell in row.cells:
                    out.variants(where, cell, here, GIVEN)
    for drawing in drawings():
        out.conditions(drawing.key, drawing.when, none)
        out.variants(drawing.key, (*drawing.title, *drawing.note), none, GIVEN)
    return out.found
