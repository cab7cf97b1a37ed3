"""What contradicts itself across cells: a plan on it would be wrong in every number, however each cell reads alone."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from planner.inputs.draft import Draft
from planner.inputs.field import specs
from planner.inputs.ledger_gate import ledger_contradictions
from planner.inputs.range_gate import range_contradictions
from planner.inputs.scalars import PlanInputs
from planner.labels import in_every_language, squeezed
from planner.problem import Problem, said
from planner.resources import table

DUST = 1e-6


def contradictions(draft: Draft) -> list[Problem]:
    """Shares that do not add up, choices that no row answers, a rate that a plan in USD has no use for, and the like.

    Only what could be read is judged: a cell that was refused is a problem already, and its column is left alone.
    """
    basis, target, shown = (_value(draft, k) for k in ("demand_basis", "total_tokens", "scenario_shown"))
    ledger = ledger_contradictions(draft, basis or "", target, shown or "")
    return [
        *_sums(draft),
        *_choices(draft),
        *_rate(draft),
        *_ratio(draft),
        *counts(draft),
        *_pools(draft),
        *_kinds(draft),
        *ledger,
        *range_contradictions(draft),
    ]


def _value(draft: Draft, key: str) -> Any:
    """A scalar as the plan would take it; None where it was refused."""
    spec = specs(PlanInputs)[key]
    if key in draft.scalars:
        return draft.scalars[key]
    return None if any(p.place == draft.where(key) for p in draft.problems) or spec.required else spec.default


def _sums(draft: Draft) -> Iterator[Problem]:
    for tab, key in (("Models", "token_share"), ("Tenants", "quota_share")):
        used = draft.filled(tab)
        if tab == "Models" and _value(draft, "demand_basis") == "ledger":
            continue  # each use case names its model
        together = sum(getattr(row, key) or 0 for _, row in used)
        if not used or (tab, key) in draft.unread or abs(together - 1) <= DUST:
            continue
        summed, gap = (f"{share * 100:.7g} %" for share in (together, abs(together - 1)))
        found = said("quota shares that sum to {sum}", sum=summed)
        if tab == "Models":
            found = said("token shares that sum to {sum}", sum=summed)
        do = said("correct the shares; {gap} of the tokens belong to nobody", gap=gap)
        if together > 1:
            do = said("correct the shares; {gap} of the tokens are promised twice", gap=gap)
        yield Problem(draft.where_in(tab, key, used[0][0]), found, "100 %", do)


def _choices(draft: Draft) -> Iterator[Problem]:
    for key, tab, column in (("growth_curve", "Curves", "curve"), ("sla_tier", "SLA tiers", "sla_tier")):
        chosen, keys = _value(draft, key), [getattr(row, column) for _, row in draft.filled(tab)]
        if tab not in draft.rows:
            continue
        if chosen is None or (tab, column) in draft.unread or chosen.lower() in [k.lower() for k in keys]:
            continue
        wanted = said("one of {options}", options=", ".join(keys)) if keys else said("a row on {tab}", tab=said(tab))
        do = said("choose one, or add a row on {tab}", tab=said(tab))
        yield Problem(draft.where(key), repr(chosen), wanted, do)


def _rate(draft: Draft) -> Iterator[Problem]:
    currency, rate = _value(draft, "currency"), _value(draft, "usd_to_currency")
    if currency is not None and currency.strip().upper() == "USD" and rate not in (None, 1.0):
        do = said("empty the rate, or name the plan's currency")
        what = said("{rate} units for 1 USD in a plan in USD", rate=rate)
        yield Problem(draft.where("usd_to_currency"), what, said("no rate, or 1"), do)


def _ratio(draft: Draft) -> Iterator[Problem]:
    parts = _value(draft, "input_parts"), _value(draft, "output_parts")
    if None not in parts and sum(parts) <= 0:
        do = said("type the parts, for example 3 and 1")
        yield Problem(draft.where("input_parts"), "0 : 0", said("a ratio of input to output"), do)


def counts(draft: Draft) -> Iterator[Problem]:
    """Pools with more healthy or allocated GPUs than they have."""
    for i, pool in draft.filled("Pools"):
        if pool.gpus_total is None:
            continue
        total, healthy, allocated = (f"{n or 0:.9g}" for n in (pool.gpus_total, pool.gpus_healthy, pool.gpus_allocated))
        do = said("correct one of the two")
        if (pool.gpus_healthy or 0) > pool.gpus_total:
            found = said("{healthy} healthy GPUs of {total}", healthy=healthy, total=total)
            yield Problem(draft.where_in("Pools", "gpus_healthy", i), found, said("no more than there are"), do)
        if (pool.gpus_allocated or 0) > pool.gpus_total:
            found = said("{allocated} allocated GPUs of {total}", allocated=allocated, total=total)
            yield Problem(draft.where_in("Pools", "gpus_allocated", i), found, said("no more than there are"), do)


def _pools(draft: Draft) -> Iterator[Problem]:
    """A pool on two rows, or a row that adds up the others, would count its GPUs twice."""
    rows = draft.filled("Pools")
    seen: dict[tuple[str, ...], str] = {}
    together = sum(row.gpus_total or 0 for _, row in rows)
    for i, row in rows:
        there = draft.where_in("Pools", "pool", i)
        key = tuple(str(v or "").casefold() for v in (row.pool, row.cluster, row.mode, row.gpu))
        if key in seen:
            found = said("{name!r} a second time (first in {first})", name=row.pool, first=seen[key])
            do = said("delete one of the two, or name the cluster that tells them apart")
            yield Problem(there, found, said("each pool once: its GPUs would count twice"), do)
        seen.setdefault(key, there)
        if len(rows) > 2 and row.gpus_total and abs(2 * row.gpus_total - together) <= DUST and _adds_up(row.pool):
            found = said("{name!r} with the GPUs of all other rows", name=row.pool)
            do = said("delete the row: the plan adds up by itself")
            yield Problem(there, found, said("pools only: its GPUs would count twice"), do)


def _adds_up(name: str) -> bool:
    return squeezed(name) in {squeezed(x) for word in ("Total", "Sum", "Together") for x in in_every_language(word)}


def _kinds(draft: Draft) -> Iterator[Problem]:
    """A GPU whose name nearly is one of the reference: its memory would not be known, and nothing would be judged."""
    known = {squeezed(row["gpu"]): row["gpu"] for row in table("gpus.csv")}
    for tab in ("Models", "Pools"):
        for i, row in draft.filled(tab):
            typed = squeezed(row.gpu)
            if not typed or typed in known:
                continue
            near = [name for short, name in known.items() if typed in short or short in typed]
            near = near or [known[m] for m in get_close_matches(typed, known, 3, 0.75)]
            if near and "mig" not in typed:
                do = said("choose from the list, or name a GPU of your own so that it is told apart")
                wanted = said("one of {options}", options=", ".join(near[:4]))
                yield Problem(draft.where_in(tab, "gpu", i), repr(row.gpu), wanted, do)
