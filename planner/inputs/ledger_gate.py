"""What a ledger must have before a plan is built on it: rows that its use cases point at, and names that are clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches

from planner.inputs.draft import Draft
from planner.problem import Problem, listed, said

POINTS = (("tenant", "Tenants", "tenant"), ("service_tier", "Tiers", "service_tier"), ("model", "Models", "model"),
          ("region", "Regions", "region"), ("residency", "Regions", "region"))  # fmt: skip
ROUTE_POINTS = (("use_case", "Ledger", "use_case"), ("model", "Models", "model"))
SCENARIO_POINTS = (("lost_pool", "Pools", "pool"), ("lost_region", "Regions", "region"),
                   ("migrate_from", "Models", "model"), ("migrate_to", "Models", "model"))  # fmt: skip
MAY_BE_EMPTY = {"residency", *(key for key, _, _ in SCENARIO_POINTS)}
FEW = 12  # names that fit into a message
DUST = 1e-9


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
        yield from _pointers(draft, "Ledger", POINTS)
        yield from _pointers(draft, "Scenarios", SCENARIO_POINTS)
        keys = _keys(draft, "Scenarios", "scenario")
        if shown.lower() not in [k.lower() for k in keys]:
            yield _unknown(draft.where("scenario_shown"), shown, keys, "Scenarios")
    yield from _pointers(draft, "Routing", ROUTE_POINTS)
    yield from _routed_twice(draft)


def _keys(draft: Draft, tab: str, column: str) -> list[str]:
    return [str(getattr(r, column)) for _, r in draft.filled(tab)]


def _unknown(place: str, value: str, keys: list[str], tab: str) -> Problem:
    """Of few names all are offered, of many the nearest."""
    few = bool(keys) and len(keys) <= FEW
    wanted = said("one of {options}", options=", ".join(keys)) if few else said("a row on {tab}", tab=said(tab))
    do = said("choose one, or add a row on {tab}", tab=said(tab))
    spelled = {k.lower(): k for k in keys}
    near = [spelled[k] for k in get_close_matches(value.lower(), spelled, 1, 0.6)]
    if near:
        do = said("did you mean {near!r}? Else choose a row on {tab}, or add one", near=near[0], tab=said(tab))
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


def _pointers(draft: Draft, tab: str, points: tuple[tuple[str, str, str], ...]) -> Iterator[Problem]:
    """Rows of a tab that name what stands on no row of another."""
    known = {there: _keys(draft, there, column) for _, there, column in points}
    lower = {there: {k.lower() for k in keys} for there, keys in known.items()}
    for i, row in draft.filled(tab):
        for key, there, column in points:
            value = str(getattr(row, key))
            unread = (tab, key) in draft.unread or (there, column) in draft.unread
            if value.lower() in lower[there] or (not value and key in MAY_BE_EMPTY) or unread:
                continue
            yield _unknown(draft.where_in(tab, key, i), value, known[there], there)


def _routed_twice(draft: Draft) -> Iterator[Problem]:
    """Use cases whose routes take more than all their requests: tokens would be planned twice."""
    if ("Routing", "request_share") in draft.unread:
        return
    shares: dict[str, list[tuple[int, float]]] = {}
    for i, row in draft.filled("Routing"):
        shares.setdefault(row.use_case.lower(), []).append((i, row.request_share or 0))
    names = {row.use_case.lower(): row.use_case for _, row in draft.filled("Routing")}
    for key, routes in shares.items():
        together = sum(share for _, share in routes)
        if not key or together <= 1 + DUST:
            continue
        cells = [draft.where_in("Routing", "request_share", i) for i, _ in routes]
        found = said(
            "request shares of {name!r} that sum to {sum}, in {cells}",
            name=names[key], sum=f"{together * 100:.7g} %", cells=listed(cells),
        )  # fmt: skip
        do = said("correct the shares; what no route takes stays on the use case's own model")
        yield Problem(cells[0], found, said("100 % or less"), do)
