"""What a ledger must have before a plan is built on it: rows that its use cases point at, and names that are clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from planner.inputs.model import Inputs
from planner.problem import Problem, said

POINTS = (("tenant", "Tenants", "tenant"), ("service_tier", "Tiers", "service_tier"), ("model", "Models", "model"),
          ("region", "Regions", "region"))  # fmt: skip
MAY_POINT = (("residency", "Regions", "region"),)


def ledger_contradictions(inputs: Inputs) -> list[Problem]:
    """Use cases that point at nothing, names that are on two rows, a basis without its figures."""
    found = list(_basis(inputs))
    if inputs.portfolio:
        found += _doubles(inputs)
        found += _pointers(inputs)
        found += _shown(inputs)
    return found


def _basis(inputs: Inputs) -> Iterator[Problem]:
    plan = inputs.plan
    if plan.demand_basis == "ledger" and not inputs.portfolio:
        yield Problem(
            said("{tab} ({key})", tab=said("Plan"), key="demand_basis"), said("ledger, while Ledger has no use case"),
            said("use cases on Ledger, or top_down"), said("fill rows of Ledger, or choose top_down"),
        )  # fmt: skip
    if plan.demand_basis == "top_down" and plan.total_tokens < 1:
        yield Problem(
            said("{tab} ({key})", tab=said("Plan"), key="total_tokens"), f"{plan.total_tokens:g}",
            said("the tokens of the first year"), said("type the target, such as 1.8B, or plan from the ledger"),
        )  # fmt: skip


def _keys(inputs: Inputs, tab: str, column: str) -> list[str]:
    return [str(getattr(r, column)) for r in inputs.used(tab)]


def _doubles(inputs: Inputs) -> Iterator[Problem]:
    for tab, column in (("Models", "model"), ("Tenants", "tenant")):
        for name, count in Counter(k.lower() for k in _keys(inputs, tab, column)).items():
            if count > 1:
                yield Problem(
                    said("{tab} ({key})", tab=said(tab), key=column), said("{name!r} on two rows", name=name),
                    said("a name of its own: use cases point at it"), said("rename one of the two"),
                )  # fmt: skip


def _pointers(inputs: Inputs) -> Iterator[Problem]:
    known = {tab: _keys(inputs, tab, column) for _, tab, column in POINTS}
    lower = {tab: {k.lower() for k in keys} for tab, keys in known.items()}
    for i, row in enumerate(inputs.rows["Ledger"]):
        if row is None:
            continue
        for key, tab, _ in (*POINTS, *MAY_POINT):
            value = str(getattr(row, key))
            if value.lower() in lower[tab] or (not value and (key, tab, "region") in MAY_POINT):
                continue
            place = inputs.places.get(f"Ledger.{i}.{key}") or said("{tab} ({key})", tab=said("Ledger"), key=key)
            wanted = said("one of {options}", options=", ".join(known[tab]) or "–")
            do = said("choose one, or add a row on {tab}", tab=said(tab))
            yield Problem(place, repr(value) if value else said("nothing"), wanted, do)


def _shown(inputs: Inputs) -> Iterator[Problem]:
    keys = _keys(inputs, "Scenarios", "scenario")
    shown = inputs.plan.scenario_shown
    if shown.lower() not in [k.lower() for k in keys]:
        wanted = said("one of {options}", options=", ".join(keys) or "–")
        do = said("choose one, or add a row on {tab}", tab=said("Scenarios"))
        yield Problem(said("{tab} ({key})", tab=said("Plan"), key="scenario_shown"), repr(shown), wanted, do)
