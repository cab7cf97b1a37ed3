"""The ledger sample: forty use cases of six tenants in three regions over two years; its rows are data."""

from __future__ import annotations

import datetime as dt
from typing import Any

from planner.inputs.model import Inputs, default_rows
from planner.inputs.portfolio import RangeRow, RegionRow, ScenarioRow, UseCaseRow
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
    made = []
    for raw in table("sample_use_cases.csv"):
        values: dict[str, Any] = {}
        for key, info in UseCaseRow.model_fields.items():
            spec: Any = info.json_schema_extra
            text = raw.get(f"{key}_{language}") or raw.get(key, "")
            kind = spec["spec"]["kind"]
            if kind in ("text", "choice"):
                values[key] = text
            elif kind == "date":
                values[key] = dt.date.fromisoformat(text) if text else None
            else:
                values[key] = float(text) if text else None
        made.append(UseCaseRow(**values))
    return made


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
    rows["Regions"] = tuple(RegionRow(region=k, label=t(words)) for k, words in REGIONS)
    rows["Scenarios"] = tuple(
        r.model_copy(update={"supply_factor": 0.5, "lost_pool": "a-ap"}) if r.scenario == "stress" else r
        for r in default_rows(next(x for x in TABLES if x.tab == "Scenarios"), language)
        if isinstance(r, ScenarioRow)
    )
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
