"""The ledger sample: forty use cases of six tenants in three regions over two years; its rows are data."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from planner.inputs.field import Row, specs
from planner.inputs.model import Inputs, default_rows
from planner.inputs.portfolio import RangeRow, RegionRow, RouteRow, ScenarioRow, UseCaseRow
from planner.inputs.portfolio_tables import InstrumentRow
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import TABLES, ModelRow, PoolRow, TenantRow
from planner.labels import translator
from planner.resources import table

A100, H100 = "A100-80GB-SXM", "H100-80GB-SXM"
TENANTS = (
    ("Customer care", "high", 0.35, 1.3, "guaranteed"),
    ("Sales", "high", 0.25, 1.2, "guaranteed"),
    ("Operations", "medium", 0.2, 1.2, "best_effort"),
    ("Finance", "medium", 0.05, 1.2, "best_effort"),
    ("Engineering", "medium", 0.12, 1.0, "best_effort"),
    ("Research", "low", 0.03, 1.0, "reject"),
)
REGIONS = (("eu-west", "Western Europe"), ("us-east", "Eastern United States"), ("ap-south", "South Asia"))


def use_cases(language: str) -> list[UseCaseRow]:
    """The rows of the ledger, named in the reader's language."""
    return [UseCaseRow(**_values(UseCaseRow, raw, language)) for raw in table("sample_use_cases.csv")]


def routes(language: str) -> list[RouteRow]:
    """The rows of the routing mix: small first for what is simple, premium for what is not."""
    cases = table("sample_use_cases.csv")
    called = {raw["use_case"]: raw.get(f"use_case_{language}") or raw["use_case"] for raw in cases}
    made = [RouteRow(**_values(RouteRow, raw, language)) for raw in table("sample_routes.csv")]
    return [r.model_copy(update={"use_case": called[r.use_case]}) for r in made]


def _values(kind: type[Row], raw: dict[str, str], language: str) -> dict[str, Any]:
    """The fields of a row of data, its words in a language where there are some."""
    values: dict[str, Any] = {}
    for key, spec in specs(kind).items():
        text = raw.get(f"{key}_{language}") or raw.get(key, "")
        if spec.is_text:
            values[key] = text
        elif spec.kind == "date":
            values[key] = dt.date.fromisoformat(text) if text else None
        else:
            values[key] = float(text) if text else None
    return values


def instruments(t: Callable[[str], str]) -> tuple[InstrumentRow, ...]:
    """Two commitments for the same GPU, GPUs on demand, and a way to do with less."""
    a: dict[str, Any] = {"gpu": A100, "provider": t("Cloud A"), "region": "eu-west", "instrument_kind": "committed",
                         "increment": 4.0, "minimum": 4.0, "lead_time_days": 30.0}  # fmt: skip
    return (
        InstrumentRow(instrument=t("A100, 1 year"), price_per_unit_hour=1.35, term_months=12.0, **a),
        InstrumentRow(instrument=t("A100, 3 years"), price_per_unit_hour=0.95, term_months=36.0, typed_level=4.0, **a),
        InstrumentRow(instrument=t("A100 on demand"), instrument_kind="elastic", provider=t("Cloud A"),
                      region="eu-west", gpu=A100, price_per_unit_hour=1.95, quantity_available=24.0,
                      lead_time_days=3.0),
        InstrumentRow(instrument=t("Smaller model"), instrument_kind="fallback", model="Llama 3 70B",
                      path="smaller_model", eligible_share=0.3, relief_share=0.6, owner=t("Product lead")),
    )  # fmt: skip


# Least sure of three use cases: name, label, row of the ledger, field, low and high; expected is what the ledger says.
DRIVERS = (
    ("assistant_users", "Users of the assistant", 0, "users", 95000.0, 180000.0),
    ("claims_adoption", "Adoption of claims reading", 4, "adoption_to", 0.5, 0.95),
    ("contract_input", "Input tokens of contract review", 5, "input_tokens", 12000.0, 30000.0),
)


def ledger(language: str = "en") -> Inputs:
    """A portfolio of services: a ledger with tiers, scenarios and three pools."""
    t = translator(language)
    plan = PlanInputs(
        plan_name="Service portfolio 2027", start_month=dt.date(2027, 1, 1), horizon_months=24, total_tokens=36e9,
        demand_basis="ledger", deployment_mode="hybrid", usage_pattern="mixed", sla_tier="standard",
        days_basis="calendar", buffer_on_gpus="no", ha_factor=1.0, coincidence=0.7, ops_per_month=30000.0,
        network_per_month=4000.0, annual_budget=2400000.0, language=language,
    )  # fmt: skip
    models = [
        ModelRow(model="Llama 3 70B", deployment="on_prem", precision="fp16", gpu=A100, tokens_per_s_per_gpu=240.0,
                 gpus_per_replica=4.0, gpu_price_per_hour=1.95, source="own load test, October"),
        ModelRow(model="Llama 3.1 70B", deployment="on_prem", precision="fp8", gpu=H100, tokens_per_s_per_gpu=260.0,
                 throughput_basis="split", prefill_tokens_per_s_per_gpu=3200.0, gpus_per_replica=2.0,
                 gpu_price_per_hour=2.9, source="own load test, October"),
        ModelRow(model="GPT-4o", deployment="api", source="guide, step 3.1"),
        ModelRow(model="GPT-4o-mini", deployment="api", source="guide, step 3.1"),
    ]  # fmt: skip
    tenants = [
        TenantRow(tenant=t(n), owner=t("Product lead"), priority=p, quota_share=q, burst_multiple=b, fallback=f,
                  cost_centre=f"CC-{4300 + 10 * i}")
        for i, (n, p, q, b, f) in enumerate(TENANTS)
    ]  # fmt: skip
    seen = dt.date(2026, 11, 27)
    pools = [
        PoolRow(pool="a-eu", cluster="eu-1", region="eu-west", mode="gpu", gpu=A100, gpus_total=20.0,
                gpus_allocated=2.0, gpus_healthy=20.0, evidence_date=seen, evidence_source="cluster inventory"),
        PoolRow(pool="a-ap", cluster="ap-1", region="ap-south", mode="gpu", gpu=A100, gpus_total=4.0,
                gpus_allocated=0.0, gpus_healthy=4.0, evidence_date=seen, evidence_source="cluster inventory"),
        PoolRow(pool="h-us", cluster="us-1", region="us-east", mode="gpu", gpu=H100, gpus_total=8.0,
                gpus_allocated=2.0, gpus_healthy=8.0, evidence_date=seen, evidence_source="cluster inventory"),
    ]  # fmt: skip
    rows: dict[str, tuple[Any, ...]] = {x.tab: default_rows(x, language) for x in TABLES}
    rows |= {"Models": tuple(models), "Tenants": tuple(tenants), "Pools": tuple(pools)}
    rows["Ledger"] = tuple(r.model_copy(update={"tenant": t(r.tenant)}) for r in use_cases(language))
    rows["Routing"] = tuple(routes(language))
    rows["Regions"] = tuple(RegionRow(region=k, label=t(words)) for k, words in REGIONS)
    rows["Scenarios"] = tuple(
        r.model_copy(update={"supply_factor": 0.5, "lost_pool": "a-ap"}) if r.scenario == "stress" else r
        for r in default_rows(next(x for x in TABLES if x.tab == "Scenarios"), language)
        if isinstance(r, ScenarioRow)
    )
    rows["Supply"] = instruments(t)
    cases = [r.use_case for r in use_cases(language)]
    rows["Ranges"] += tuple(
        RangeRow(range=key, label=t(words), use_case=cases[i], ledger_field=what, low=low, high=high)
        for key, words, i, what, low, high in DRIVERS
    )
    last = len(rows["Phases"]) - 1
    rows["Phases"] = tuple(
        r.model_copy(update={"month_end": 24.0}) if i == last else r for i, r in enumerate(rows["Phases"])
    )
    return Inputs(plan, rows).with_room()
