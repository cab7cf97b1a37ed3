"""What a ledger must have before a plan is built on it: rows that its use cases point at, and names that are clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from planner.inputs.draft import Draft
from planner.problem import Problem, said

POINTS = (("tenant", "Tenants", "tenant"), ("service_tier", "Tiers", "service_tier"), ("model", "Models", "model"),
          ("region", "Regions", "region"), ("residency", "Regions", "region"))  # fmt: skip


def ledger_contradictions(draft: Draft, basis: str, target: float | None, shown: str) -> Iterator[Problem]:
    """Use cases that point at nothing, names that are on two rows, a basis without its figures."""
    ledger = draft.filled("Ledger")
    if basis == "ledger" and not ledger and ("Ledger", "use_case") not in draft.unread:
        yield Problem(
            draft.where("demand_basis"), said("ledger, while Ledger has no use case"),
            said("use cases on Ledger, or top_down"), said("fill rows of Ledger, or choose top_down"),
        )  # fmt: skip
    if basis == "top_down" and target is not None and target < 1:
        yield Problem(
            draft.where("total_tokens"), f"{target:g}", said("the tokens of the first year"),
            said("type the target, such as 1.8B, or plan from the ledger"),
        )  # fmt: skip
    if ledger:
        yield from _doubles(draft)
        yield from _pointers(draft)
        keys = _keys(draft, "Scenarios", "scenario")
        if shown.lower() not in [k.lower() for k in keys]:
            yield _unknown(draft.where("scenario_shown"), shown, keys, "Scenarios")


def _keys(draft: Draft, tab: str, column: str) -> list[str]:
    return [str(getattr(r, column)) for _, r in draft.filled(tab)]


def _unknown(place: str, value: str, keys: list[str], tab: str) -> Problem:
    wanted = said("one of {options}", options=", ".join(keys)) if keys else said("a row on {tab}", tab=said(tab))
    do = said("choose one, or add a row on {tab}", tab=said(tab))
    return Problem(place, repr(value) if value else said("nothing"), wanted, do)


def _doubles(draft: Draft) -> Iterator[Problem]:
    for tab, column in (("Models", "model"), ("Tenants", "tenant")):
        counted = Counter(k.lower() for k in _keys(draft, tab, column))
        seen: set[str] = set()
        for i, row in draft.filled(tab):
            name = str(getattr(row, column)).lower()
            if name in seen and counted[name] > 1:
                yield Problem(
                    draft.where_in(tab, column, i), said("{name!r} on two rows", name=name),
                    said("a name of its own: use cases point at it"), said("rename one of the two"),
                )  # fmt: skip
            seen.add(name)


def _pointers(draft: Draft) -> Iterator[Problem]:
    known = {tab: _keys(draft, tab, column) for _, tab, column in POINTS}
    lower = {tab: {k.lower() for k in keys} for tab, keys in known.items()}
    for i, row in draft.filled("Ledger"):
        for key, tab, _ in POINTS:
            value = str(getattr(row, key))
            if value.lower() in lower[tab] or (not value and key == "residency") or ("Ledger", key) in draft.unread:
                continue
            yield _unknown(draft.where_in("Ledger", key, i), value, known[tab], tab)
