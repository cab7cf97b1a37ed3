"""What tables must have before a plan is built on them: rows that others point at, clear names, demand that is said."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any

from planner.inputs.draft import Draft
from planner.inputs.field import specs
from planner.inputs.portfolio import ScenarioRow, UseCaseRow
from planner.problem import Problem, listed, said

POINTS = (("tenant", "Tenants", "tenant"), ("service_tier", "Tiers", "service_tier"), ("model", "Models", "model"),
          ("region", "Regions", "region"), ("residency", "Regions", "region"))  # fmt: skip
ROUTE_POINTS = (("use_case", "Ledger", "use_case"), ("model", "Models", "model"))
SCENARIO_POINTS = (("lost_pool", "Pools", "pool"), ("lost_region", "Regions", "region"),
                   ("migrate_from", "Models", "model"), ("migrate_to", "Models", "model"))  # fmt: skip
TIER_POINTS = (("sla_tier", "SLA tiers", "sla_tier"),)
UNIT_POINTS = (("model", "Models", "model"),)  # of instruments that stand for a model's own throughput
SUPPLY_POINTS = (("pool", "Pools", "pool"),)
MAY_BE_EMPTY = {("Ledger", "residency"), ("Tiers", "sla_tier"), ("Supply", "pool"),
                *(("Scenarios", key) for key, _, _ in SCENARIO_POINTS)}  # fmt: skip
COUNTED = ("production", "approved")  # rows that are demand without a scenario's leave
FACTORS = ("users", "transactions_per_user", "requests_per_transaction")
TOKENS = ("input_tokens", "output_tokens")
TESTS = (("Ledger", "last_failover_test"), ("Supply", "last_test"), ("Runbooks", "last_test"))
FEW = 12  # names that fit into a message
DUST = 1e-9


def ledger_contradictions(draft: Draft, basis: str, target: float | None, shown: str) -> Iterator[Problem]:
    """Names that lead nowhere or to two rows, blank demand, a basis without figures; Supply without a ledger too."""
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
        yield from _blanks(draft)
        yield from _doubles(draft)
        yield from _pointers(draft, "Tiers", TIER_POINTS)
        yield from _migrations(draft)
        yield from (Problem(*told) for told in nameless_pools(draft))
        yield from _pointers(draft, "Ledger", POINTS)
        yield from _pointers(draft, "Scenarios", SCENARIO_POINTS)
        keys = _keys(draft, "Scenarios", "scenario")
        if shown.lower() not in [k.lower() for k in keys]:
            yield _unknown(draft.where("scenario_shown"), shown, keys, "Scenarios")
    yield from _pointers(draft, "Routing", ROUTE_POINTS)
    yield from _pointers(draft, "Supply", SUPPLY_POINTS)
    yield from _pointers(draft, "Supply", UNIT_POINTS, _of_a_model)
    yield from _tests_to_come(draft)
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
        do = said("type {near!r}, if that was meant, or choose a row on {tab}, or add one", near=near[0], tab=said(tab))
    return Problem(place, repr(value) if value else said("nothing"), wanted, do)


def _doubles(draft: Draft) -> Iterator[Problem]:
    for tab, column in (("Models", "model"), ("Tenants", "tenant")):
        counted = Counter(k.lower() for k in _keys(draft, tab, column))
        seen: set[str] = set()
        for i, row in draft.filled(tab):
            typed = str(getattr(row, column))
            name = typed.lower()
            if name in seen and counted[name] > 1:
                yield Problem(
                    draft.where_in(tab, column, i), said("{name!r} on two rows", name=typed),
                    said("a name of its own: use cases point at it"), said("rename one of the two"),
                )  # fmt: skip
            seen.add(name)


def _blanks(draft: Draft) -> Iterator[Problem]:
    """Use cases that count as demand and do not say how much: a blank cell would be no demand at all, unseen."""
    fields, refused = specs(UseCaseRow), {p.place for p in draft.problems}
    stand = draft.stands.get("Ledger")

    def blank(i: int, row: Any, key: str) -> bool:
        astray = ("Ledger", key) in draft.unread and (stand is None or key not in stand.columns)
        return getattr(row, key) is None and not astray and draft.where_in("Ledger", key, i) not in refused

    for i, row in draft.filled("Ledger"):
        if row.approval not in COUNTED:
            continue
        for key in (key for key in FACTORS if blank(i, row, key)):
            wanted = said("{label}, 0 where there are none", label=said(fields[key].label))
            yield Problem(draft.where_in("Ledger", key, i), said("nothing"), wanted, _how_much())
        if all(blank(i, row, key) for key in TOKENS):
            wanted = said("input tokens, output tokens or both; 0 where there are none")
            yield Problem(draft.where_in("Ledger", TOKENS[0], i), said("nothing"), wanted, _how_much())


def _how_much() -> str:
    return said("type the figure, or set Approval to proposed until it is known")


def _migrations(draft: Draft) -> Iterator[Problem]:
    """Scenarios in which a model is left for none, or taken from none."""
    fields = specs(ScenarioRow)
    for i, row in draft.filled("Scenarios"):
        for key, other in (("migrate_from", "migrate_to"), ("migrate_to", "migrate_from")):
            read = not {("Scenarios", key), ("Scenarios", other)} & draft.unread
            if read and not getattr(row, key) and getattr(row, other):
                label = said(fields[other].label)
                found = said("nothing, while the row has {label!r}", label=label)
                wanted = said("a model under both {one!r} and {other!r}", one=said(fields[key].label), other=label)
                do = said("choose the model, or empty both cells")
                yield Problem(draft.where_in("Scenarios", key, i), found, wanted, do)


def nameless_pools(draft: Draft) -> Iterator[tuple[str, str, str, str]]:
    """Pools with GPUs of no kind, as the parts of a problem: nothing is ever planned on them."""
    if ("Pools", "gpu") in draft.unread:
        return
    for i, row in draft.filled("Pools"):
        if not row.gpu and (row.gpus_total or 0) > 0:
            found = said("no GPU, with {count} GPUs in the pool", count=f"{row.gpus_total:.9g}")
            wanted = said("the GPU as Models names it: without it the pool serves nothing")
            yield draft.where_in("Pools", "gpu", i), found, wanted, said("choose the GPU from the list")


def _tests_to_come(draft: Draft) -> Iterator[Problem]:
    """Failover tests on a day that the plan's own date has not reached: what is still to be tested is not tested."""
    today = draft.scalars.get("as_of") or draft.scalars.get("start_month")
    if not isinstance(today, dt.date) or any(p.place == draft.where("as_of") for p in draft.problems):
        return
    for tab, key in TESTS:
        for i, row in draft.filled(tab):
            tested = getattr(row, key)
            if tested is not None and tested > today:
                wanted = said("a date that has passed by {day}", day=today.isoformat())
                do = said("type the day of the last test that was made, or empty the cell")
                yield Problem(draft.where_in(tab, key, i), tested.isoformat(), wanted, do)


def _of_a_model(row: Any) -> bool:
    """Whether an instrument needs its model: provisioned units always, a fallback where it names one."""
    return bool(row.unit_kind == "provisioned" or (row.instrument_kind == "fallback" and row.model))


def _any(_: Any) -> bool:
    return True


def _pointers(
    draft: Draft, tab: str, points: tuple[tuple[str, str, str], ...], which: Callable[[Any], bool] = _any
) -> Iterator[Problem]:
    """Rows of a tab (those that `which` picks) that name what stands on no row of another."""
    known = {there: _keys(draft, there, column) for _, there, column in points}
    lower = {there: {k.lower() for k in keys} for there, keys in known.items()}
    for i, row in draft.filled(tab):
        for key, there, column in points if which(row) else ():
            value = str(getattr(row, key))
            unread = (tab, key) in draft.unread or (there, column) in draft.unread
            if value.lower() in lower[there] or (not value and (tab, key) in MAY_BE_EMPTY) or unread:
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
