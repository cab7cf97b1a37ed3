"""What the tests of the ledger share: small portfolios in code, and the shortage alone on figures of any size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from builders import A100, LLAMA, inputs, llama, pool

from planner.calc.line import Method, Quantity
from planner.calc.numbers import Array, Engine, scalar
from planner.calc.program import Program
from planner.inputs.field import Row
from planner.inputs.model import Inputs, default_rows
from planner.inputs.portfolio import RegionRow, ScenarioRow, UseCaseRow
from planner.inputs.quantities import declared
from planner.inputs.tables import TABLES, TenantRow
from planner.lines import AXIS_ORDER, AXIS_UNITS, METHOD
from planner.plan import Plan, compute
from planner.reference import constants
from planner.samples import SAMPLES

HOME = "eu-west"
PHASES = next(t for t in TABLES if t.tab == "Phases")


def use_case(name: str = "Assistant", **fields: Any) -> UseCaseRow:
    """5,000 users, 20 transactions of 1.5 requests, 1,200 + 300 tokens, 2 % retries: the method's own case."""
    base = {
        "use_case": name, "tenant": "Everybody", "service_tier": "tier_1", "model": LLAMA, "region": HOME,
        "approval": "approved", "users": 5000, "transactions_per_user": 20, "requests_per_transaction": 1.5,
        "input_tokens": 1200, "output_tokens": 300, "retry_rate": 0.02, "adoption_to": 0.6, "adoption_shape": "step",
    }  # fmt: skip
    return UseCaseRow(**base | fields)


def scenarios(**changed: Any) -> tuple[ScenarioRow, ...]:
    """The base, and one called `other` that is changed."""
    return (ScenarioRow(scenario="base"), ScenarioRow(scenario="other", **changed))


def portfolio(
    cases: Iterable[UseCaseRow], *, rows: Mapping[str, Iterable[Row | None]] | None = None, **plan: Any
) -> Inputs:
    """Inputs with these use cases on one model, one tenant and one region."""
    tables: dict[str, Iterable[Row | None]] = {
        "Ledger": tuple(cases), "Regions": (RegionRow(region=HOME),),
        "Tenants": (TenantRow(tenant="Everybody", quota_share=1.0),),
    }  # fmt: skip
    models = plan.pop("models", [llama()])
    pools = plan.pop("pools", [pool(region=HOME)])
    return inputs(models, pools=pools, rows=tables | dict(rows or {}), **{"demand_basis": "ledger"} | plan)


def planned(cases: Iterable[UseCaseRow], **more: Any) -> Plan:
    """The plan of portfolio(...)."""
    return compute(portfolio(cases, **more))


def tiers(**changed: dict[str, Any]) -> tuple[Row | None, ...]:
    """The default tiers with fields of some changed."""
    which = next(t for t in TABLES if t.tab == "Tiers")
    made = []
    for row in default_rows(which):
        assert row is not None
        made.append(row.model_copy(update=changed.get(vars(row)["service_tier"], {})))
    return tuple(made)


# ---- the shortage by itself

RULES = ("protect", "shape", "defer", "pause")


CHAPTER = ("planner.lines.shortage", "planner.lines.shortage_views")


def _shortage() -> Program:
    chapter = Method("month")
    chapter.lines = {n: x for n, x in METHOD.lines.items() if x.plain.__module__ in CHAPTER}
    read = {r for x in chapter.lines.values() for r in x.reads} - chapter.lines.keys()
    full = Program(METHOD, declared(True), AXIS_ORDER, AXIS_UNITS)
    given = [Quantity(n, full.unit(n), full.axes[n], full.kind(n), _optional(full, n)) for n in sorted(read)]
    return Program(chapter, given, AXIS_ORDER, AXIS_UNITS)


def _optional(full: Program, name: str) -> bool:
    return name in full.quantities and full.quantities[name].optional


PROGRAM = _shortage()


def short(
    capacity: Sequence[Sequence[float]],
    demand: Sequence[Sequence[Sequence[float]]],
    *,
    rules: Sequence[str] = RULES,
    deadline: float = 1,
    floor: float = 0.7,
    api: float = 0.0,
    unplaced: float = 0.0,
) -> Engine:
    """The shortage of one scenario: `capacity` by pool and month, `demand` by pool, tier and month."""
    supply, asked = np.array([capacity], float), np.array([demand], float)
    _, pools, count, months = asked.shape
    labels = {
        "scenario": ["base"], "pool": [str(i) for i in range(pools)], "service_tier": [str(i) for i in range(count)],
        "month": [str(i) for i in range(months)],
    }  # fmt: skip
    api_tokens = np.full((1, count, months), api)
    lost = np.full((1, count, months), unplaced)
    tier = ("service_tier",)
    words = np.array([*rules, *(["pause"] * count)][:count], object)
    values = {
        "in_scenario_pool_tokens_per_month": Array(("scenario", "pool", "month"), supply),
        "in_scenario_pool_tokens_per_s": Array(("scenario", "pool", "month"), supply),
        "in_scenario_pool_tier_tokens": Array(("scenario", "pool", "service_tier", "month"), asked),
        "in_scenario_pool_tier_peak": Array(("scenario", "pool", "service_tier", "month"), asked),
        "in_scenario_tier_tokens": Array(("scenario", "service_tier", "month"), asked.sum(1) + api_tokens + lost),
        "in_scenario_tier_api_tokens": Array(("scenario", "service_tier", "month"), api_tokens),
        "in_scenario_tier_unplaced_tokens": Array(("scenario", "service_tier", "month"), lost),
        "in_scenario_horizon_tokens": Array(("scenario",), asked.sum((1, 2, 3))),
        "service_tier_action": Array(tier, None, words),
        "service_tier_deadline_months": Array(tier, np.full(count, float(deadline))),
        "service_tier_floor_share": Array(tier, np.full(count, float(floor))),
        "scenario_used": Array(("scenario",), np.ones(1)),
        "service_tier_name": Array(tier, None, np.array([f"tier_{i + 1}" for i in range(count)], object)),
        "horizon_position": scalar(float(months)),
        **{c.key: scalar(c.value) for c in constants()},
    }
    engine = Engine(PROGRAM, labels, {n: v for n, v in values.items() if n in PROGRAM.quantities})
    engine.run()
    return engine


__all__ = ["A100", "HOME", "RULES", "planned", "portfolio", "scenarios", "short", "tiers", "use_case"]


def small_ledger(language: str = "en") -> Inputs:
    """The sample `ledger` with its first eight use cases, their routes, and one year."""
    whole = SAMPLES["ledger"](language)
    cases = whole.rows["Ledger"][:8]
    named = {vars(r)["use_case"] for r in cases if r is not None}
    routes = tuple(r for r in whole.rows["Routing"] if r is not None and vars(r)["use_case"] in named)
    rows = {**whole.rows, "Ledger": cases, "Routing": routes, "Phases": default_rows(PHASES, language)}
    plan = whole.plan.model_copy(update={"horizon_months": 12})
    return replace(whole, plan=plan, rows=rows).with_room()
