"""The samples: small plans in code, from which samples/<name>/input.xlsx is written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from planner.inputs.model import Inputs, default_rows
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import TABLES, ModelRow, PoolRow, TenantRow
from planner.resources import table
from planner.samples_portfolio import ledger

A100, H100 = "A100-80GB-SXM", "H100-80GB-SXM"


def _inputs(
    language: str, plan: PlanInputs, models: list[ModelRow], tenants: list[TenantRow], pools: list[PoolRow]
) -> Inputs:
    plan = plan.model_copy(update={"language": language})
    rows = {t.tab: default_rows(t, language) for t in TABLES}
    rows |= {"Models": tuple(models), "Tenants": tuple(tenants), "Pools": tuple(pools)}
    return Inputs(plan, rows).with_room()


def _guide_tenants() -> list[TenantRow]:
    return [
        TenantRow(tenant=r["tenant"], owner="Product lead", priority=r["priority"], quota_share=float(r["quota_share"]),
                  burst_multiple=float(r["burst_multiple"]), fallback=r["fallback"], cost_centre=f"CC-41{i:02d}")
        for i, r in enumerate(table("tenants_guide.csv"))
    ]  # fmt: skip


def api(language: str = "en") -> Inputs:
    """Several API models with cached and batch shares."""
    plan = PlanInputs(
        plan_name="Assistant on APIs 2027", start_month=dt.date(2027, 1, 1), total_tokens=18e9, growth_curve="s_curve",
        deployment_mode="api", usage_pattern="mixed", sla_tier="standard", cached_input_share=0.3, batch_share=0.2,
        retry_rate=0.02, ops_per_month=6000.0, price_multiple=1.2, annual_budget=120000.0, overage_rate_per_mtok=6.0,
        unused_policy="roll_over", peak_factor=4.0,
    )  # fmt: skip
    models = [
        ModelRow(model="GPT-4o", deployment="api", token_share=0.35, cached_input_price_per_mtok=1.25,
                 input_price_per_mtok=2.5, output_price_per_mtok=10.0, batch_input_price_per_mtok=1.25,
                 batch_output_price_per_mtok=5.0, ttft_s=0.6, tpot_s=0.018, source="price list, checked by FinOps"),
        ModelRow(model="GPT-4o-mini", deployment="api", token_share=0.45, source="guide, step 3.1"),
        ModelRow(model="Claude 3.5 Sonnet", deployment="api", token_share=0.15, source="guide, step 3.1"),
        ModelRow(model="Claude 3 Haiku", deployment="api", token_share=0.05, source="guide, step 3.1"),
    ]  # fmt: skip
    return _inputs(language, plan, models, _guide_tenants(), [])


def on_prem(language: str = "en") -> Inputs:
    """One 70B model on A100s: the guide's own example at 1.8 billion tokens."""
    plan = PlanInputs(
        plan_name="Knowledge service 2027", start_month=dt.date(2027, 1, 1), total_tokens=1.8e9, growth_curve="linear",
        deployment_mode="on_prem", usage_pattern="real_time", sla_tier="standard", network_per_month=600.0,
        ops_per_month=4000.0, monthly_fee=50000.0, credit_availability=0.10, credit_latency=0.05,
        breach_chance_availability=0.08, breach_chance_latency=0.2, cure_cost_per_month=5840.0,
    )  # fmt: skip
    models = [ModelRow(model="Llama 3 70B", deployment="on_prem", token_share=1.0, precision="fp16", gpu=A100,
                       source="guide, step 3.2: estimated, please verify")]  # fmt: skip
    pools = [PoolRow(pool="a-east", cluster="east-1", region="eu-west", mode="gpu", gpu=A100, gpus_total=8.0,
                     gpus_allocated=4.0, gpus_healthy=8.0, evidence_date=dt.date(2026, 11, 27),
                     evidence_source="cluster inventory")]  # fmt: skip
    return _inputs(language, plan, models, _guide_tenants(), pools)


def hybrid(language: str = "en") -> Inputs:
    """API and two GPU pools, S-curve, five tenants, EUR."""
    plan = PlanInputs(
        plan_name="AI platform 2027", currency="EUR", usd_to_currency=0.92, start_month=dt.date(2027, 1, 1),
        total_tokens=18e9, growth_curve="s_curve", deployment_mode="hybrid", usage_pattern="real_time",
        sla_tier="business_critical", retry_rate=0.05, ops_per_month=9000.0, network_per_month=1200.0,
        gpu_ownership="owned", electricity_price_per_kwh=0.21, cached_input_share=0.2, price_multiple=1.2,
        annual_budget=900000.0, unused_policy="roll_over", quota_basis="curve", overage_rate_per_mtok=5.0,
        monthly_fee=40000.0, credit_availability=0.1, credit_latency=0.05, days_basis="calendar",
    )  # fmt: skip
    models = [
        ModelRow(model="Llama 3 70B", deployment="on_prem", token_share=0.45, precision="fp16", gpu=A100,
                 gpu_price_per_hour=1.95, source="guide, step 3.2: estimated, please verify"),
        ModelRow(model="Llama 3 8B", deployment="on_prem", token_share=0.15, precision="fp16", gpu=A100,
                 gpu_price_per_hour=1.95, source="guide, step 3.2: estimated, please verify"),
        ModelRow(model="Llama 3.1 70B", deployment="on_prem", token_share=0.10, precision="fp8", gpu=H100,
                 tokens_per_s_per_gpu=950.0, throughput_basis="split", prefill_tokens_per_s_per_gpu=9000.0,
                 gpus_per_replica=2.0, gpu_price_per_hour=2.9, source="own load test, October"),
        ModelRow(model="GPT-4o", deployment="api", token_share=0.20, source="guide, step 3.1"),
        ModelRow(model="GPT-4o-mini", deployment="api", token_share=0.10, source="guide, step 3.1"),
    ]  # fmt: skip
    names = (("Core products", "high", 0.4, 1.3, "guaranteed"), ("Sales", "medium", 0.2, 1.2, "best_effort"),
             ("Support", "high", 0.2, 1.2, "guaranteed"), ("Research", "low", 0.15, 1.0, "reject"),
             ("R&D / 推理平台 [prod]", "low", 0.05, 1.5, "best_effort"))  # fmt: skip
    tenants = [
        TenantRow(tenant=n, owner="Product lead", priority=p, quota_share=q, burst_multiple=b, fallback=f,
                  cost_centre=f"CC-{4200 + 10 * i}", start_date=dt.date(2027, 4, 16) if n == "Research" else None)
        for i, (n, p, q, b, f) in enumerate(names)
    ]  # fmt: skip
    pools = [
        PoolRow(pool="a-east", cluster="east-1", region="eu-west", mode="gpu", gpu=A100, gpus_total=48.0,
                gpus_allocated=12.0, gpus_healthy=47.0, core_utilization=0.62, evidence_date=dt.date(2026, 11, 27),
                evidence_source="cluster inventory"),
        PoolRow(pool="h-west", cluster="west-2", region="eu-central", mode="gpu", gpu=H100, gpus_total=8.0,
                gpus_allocated=2.0, gpus_healthy=8.0, evidence_date=dt.date(2026, 11, 27),
                evidence_source="cluster inventory"),
    ]  # fmt: skip
    return _inputs(language, plan, models, tenants, pools)


SAMPLES: dict[str, Callable[..., Inputs]] = {"api": api, "on-prem": on_prem, "hybrid": hybrid, "ledger": ledger}
