"""Plans drawn at random within the bounds of the inputs."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

from builders import A100, inputs, pool
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from planner.inputs.model import Inputs, default_rows
from planner.inputs.tables import TABLES, ModelRow, TenantRow
from planner.resources import table

CURVES = [r["curve"] for r in table("curves.csv")]
LEVERS = default_rows(next(t for t in TABLES if t.tab == "Levers"))
MODES = ("api", "on_prem", "hybrid")


def few(examples: int) -> Any:
    """The same few examples in every run; a plan takes a tenth of a second, so none is made smaller."""
    return settings(
        max_examples=examples, derandomize=True, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example, HealthCheck.data_too_large],
    )  # fmt: skip


def close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-6)


def part(low: float, high: float) -> st.SearchStrategy[float]:
    """A figure as people type it: four decimals."""
    return st.integers(round(low * 10_000), round(high * 10_000)).map(lambda n: n / 10_000)


tokens = st.sampled_from([1.0, 1e6, 1.8e9, 18e9, 1e12]) | st.integers(1, 10**11).map(float)
starts = st.dates(dt.date(2024, 1, 1), dt.date(2031, 12, 1)).map(lambda d: d.replace(day=1))
shares = st.lists(st.integers(1, 20), min_size=1, max_size=4).map(lambda n: [x / sum(n) for x in n])
maybe = st.none()


@st.composite
def demands(draw: st.DrawFn) -> dict[str, Any]:
    """How much, when and how unevenly."""
    return draw(st.fixed_dictionaries({
        "total_tokens": tokens, "start_month": starts, "horizon_months": st.integers(1, 36),
        "growth_curve": st.sampled_from(CURVES), "yearly_growth": part(-0.5, 1), "peak_factor": part(1, 5),
        "peak_window": st.sampled_from(["day", "hour"]), "peak_hours": part(1, 24), "retry_rate": part(0, 0.5),
        "input_parts": st.integers(1, 9), "output_parts": st.integers(1, 9),
        "days_basis": st.sampled_from(["30-day", "calendar"]),
    }))  # fmt: skip


@st.composite
def machines(draw: st.DrawFn) -> dict[str, Any]:
    """How GPUs are reckoned."""
    return draw(st.fixed_dictionaries({
        "sla_tier": st.sampled_from(["business_critical", "standard", "best_effort"]), "buffer_factor": part(1, 1.6),
        "buffer_on_gpus": st.sampled_from(["yes", "no"]), "ha_basis": st.sampled_from(["factor", "spare"]),
        "ha_factor": part(1, 2), "concurrency_per_replica": st.integers(1, 64),
        "input_tokens_per_request": st.integers(1, 8000), "output_tokens_per_request": st.integers(1, 4000),
    }))  # fmt: skip


@st.composite
def model_rows(draw: st.DrawFn, mode: str) -> list[ModelRow]:
    """One to four models: listed and unlisted, with gaps."""
    rows = []
    for share in draw(shares):
        place = mode if mode != "hybrid" else draw(st.sampled_from(["api", "on_prem"]))
        name = draw(st.sampled_from(["GPT-4o", "GPT-5.5", "Llama 3 70B", "Mixtral 8x7B", "Qwen2.5 7B", "our own"]))
        rows.append(ModelRow(
            model=name, deployment=place if mode == "hybrid" else "", token_share=share,
            gpu=draw(st.sampled_from([A100, "H100-80GB-SXM", "", "a new one"])),
            precision=draw(st.sampled_from(["", "fp16", "fp8", "int4"])),
            throughput_basis=draw(st.sampled_from(["", "total", "output", "split"])),
            tokens_per_s_per_gpu=draw(maybe | part(1, 2000)), prefill_tokens_per_s_per_gpu=draw(maybe | part(1, 9000)),
            gpus_per_replica=draw(maybe | st.sampled_from([1, 2, 3, 8])), gpu_price_per_hour=draw(maybe | part(0, 9)),
            input_price_per_mtok=draw(maybe | part(0, 5)), output_price_per_mtok=draw(maybe | part(0, 20)),
            cached_input_price_per_mtok=draw(maybe | part(0, 5)), weights_gb=draw(maybe | part(1, 300)),
            long_context_share=draw(maybe | part(0, 1)), prefix_hit_share=draw(maybe | part(0, 1)),
        ))  # fmt: skip
    return rows


@st.composite
def tenant_rows(draw: st.DrawFn, start: dt.date) -> list[TenantRow]:
    """One to four tenants, some of them starting late."""
    dates = maybe | st.dates(start - dt.timedelta(days=40), start + dt.timedelta(days=400))
    return [
        TenantRow(
            tenant=f"T{i}", quota_share=share, burst_multiple=draw(maybe | part(1, 3)), start_date=draw(dates),
            fallback=draw(st.sampled_from(["", "guaranteed", "best_effort", "reject"])),
        )
        for i, share in enumerate(draw(shares))
    ]  # fmt: skip


@st.composite
def quotas(draw: st.DrawFn) -> dict[str, Any]:
    """What happens to unused quota."""
    return draw(st.fixed_dictionaries({
        "unused_policy": st.sampled_from(["roll_over", "roll_over", "expire", "refund"]),
        "quota_basis": st.sampled_from(["equal", "curve"]), "roll_over_cap_share": part(0, 3),
        "roll_over_expiry_months": st.integers(0, 3), "contract_reset_month": maybe | st.integers(1, 12),
        "overage_rate_per_mtok": maybe | part(0, 9), "refund_rate_per_mtok": part(0, 9),
    }))  # fmt: skip


@st.composite
def any_inputs(draw: st.DrawFn, mode: str) -> Inputs:
    """A plan's inputs with gaps in every place that may have them."""
    demand = draw(demands())
    levers = [
        r.model_copy(update={"on": draw(st.sampled_from(["yes", "no"])), "eligible_share": draw(maybe | part(0, 1))})
        for r in LEVERS
    ]
    more = draw(st.fixed_dictionaries({
        "cached_input_share": part(0, 1), "batch_share": part(0, 1),
        "gpu_ownership": st.sampled_from(["rented", "owned"]),
        "ops_per_month": part(0, 900), "electricity_per_month": maybe | part(0, 900),
        "electricity_price_per_kwh": maybe | part(0, 1), "annual_budget": maybe | part(0, 1e5),
        "monthly_fee": maybe | part(0, 1e5), "credit_availability": maybe | part(0, 1),
        "credit_latency": maybe | part(0, 1), "breach_chance_availability": maybe | part(0, 1),
        "breach_chance_latency": maybe | part(0, 1), "cure_cost_per_month": maybe | part(0, 1000),
        "price_multiple": part(0, 3), "zone_availability": part(0, 1),
    }))  # fmt: skip
    pools = [pool(gpu=draw(st.sampled_from([A100, ""])), gpus_total=draw(maybe | st.integers(0, 64)))]
    return inputs(
        draw(model_rows(mode)), tenants=draw(tenant_rows(demand["start_month"])), rows={"Levers": levers},
        pools=draw(st.just(pools) | st.just([])), deployment_mode=mode, **demand, **draw(machines()), **draw(quotas()),
        **more,
    )  # fmt: skip
