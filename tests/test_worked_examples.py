"""The worked cases of the method, against the product: a line called with plain numbers, or a whole plan from code.

`worked_examples.json` holds the cases of chapters 2 to 6 by id. Each `function` there is reckoned below by lines of the
product; what the product does not reckon yet stands in NOT_IN_THIS_CHAPTER_YET, by name and with the reason.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import A100, BLANK, LLAMA, along, at, changed, gpt_4o, guide_tenants, inputs, line, llama, planned, pool

from planner.inputs.contradictions import contradictions
from planner.inputs.draft import Draft
from planner.inputs.model import default_rows
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import TABLES, ModelRow, TenantRow
from planner.plan import Plan
from planner.resources import table

CASES = {c["id"]: c for c in json.loads((Path(__file__).parent / "worked_examples.json").read_text("utf-8"))["cases"]}

NOT_IN_THIS_CHAPTER_YET = {
    "3.1": "KV bytes per token from layers and heads: a reference column, held against models.csv below",
    "3.2": "KV bytes per token from layers and heads: a reference column, held against models.csv below",
    "3.12": "a fleet of any size: the product sizes in replicas of 1, 2, 4, 8 or 16 GPUs",
    "6.4": "owned GPUs: in test_worked_supply.py, with own against rent",
    "6.7": "cost per Mtok of a fleet at a utilisation: in test_worked_supply.py",
    "6.8": "cost per Mtok of a fleet at a utilisation: in test_worked_supply.py",
    "6.9": "hours rented below 100 %: in test_worked_supply.py",
}


LEVERS, PHASES = (next(t for t in TABLES if t.tab == tab) for tab in ("Levers", "Phases"))


def default(key: str) -> Any:
    return PlanInputs.model_fields[key].default


def approx(wanted: Any) -> Any:
    """The figures of a case within 1e-9, however deep they stand."""
    if isinstance(wanted, dict):
        return {k: approx(v) for k, v in wanted.items()}
    if isinstance(wanted, list):
        return [approx(v) for v in wanted]
    return wanted if wanted is None or isinstance(wanted, str | bool) else pytest.approx(wanted, rel=1e-9, abs=1e-9)


# ---- chapter 3


def replica_fit(
    memory_gb: float,
    weights_gb: float,
    kv_bytes: float,
    kv_heads: float,
    tokens_per_sequence: float,
    concurrency: float,
) -> dict[str, Any]:
    memory = {
        "memory_usable_share": default("memory_usable_share"),
        "runtime_reserve_gb": default("runtime_reserve_gb"),
    }
    room_of = {"model_gpu_memory": memory_gb, "model_weights": weights_gb, **memory}
    sizes = [float(r["size"]) for r in table("replica_sizes.csv")]
    each = line("model_kv_per_request", model_kv_bytes=kv_bytes, tokens_per_request=tokens_per_sequence)
    need_of = {"model_kv_per_request": each, "model_kv_heads": kv_heads, "concurrency_per_replica": concurrency}
    rooms = [line("fit_room", size_gpus=g, **room_of) for g in sizes]
    needs = [line("fit_need", size_gpus=g, **need_of) for g in sizes]
    holds = [line("fit_holds", fit_room=room, fit_need=need) for room, need in zip(rooms, needs, strict=True)]
    gpus = line(
        "model_gpus_each", model_on_prem=1, model_gpus_per_replica=BLANK, model_weights=weights_gb,
        model_gpu_memory=memory_gb, model_kv_bytes=kv_bytes, size_gpus=sizes,
        model_fit_position=line("model_fit_position", fit_holds=holds),
    )  # fmt: skip
    room = line("model_room", model_on_prem=1, model_gpus_each=gpus, **room_of)
    slots = line(
        "model_slots", model_room=room, model_kv_per_request=each, model_gpus_each=gpus, model_kv_heads=kv_heads
    )
    return {"gpus_per_replica": gpus, "kv_room_gb": room, "kv_gb_per_sequence": each, "slots": slots}


def gpus_for_load(
    in_tps: float, out_tps: float, basis: str, tps: float = 0, prefill_tps: float = 0, decode_tps: float = 0
) -> Any:
    split = line("model_split", model_on_prem=1, model_basis=basis)
    load = {"model_input_load": in_tps, "model_output_load": out_tps}
    return line(
        "model_gpus_peak", model_split=split, model_load=line("model_load", **load),
        model_counted_load=line("model_counted_load", model_basis=basis, **load),
        model_prefill_load=line(
            "model_prefill_load", model_input_load=in_tps, model_split=split, model_prefix_hit_share=BLANK
        ),
        model_decode_load=line("model_decode_load", model_output_load=out_tps, model_split=split),
        model_speed=decode_tps if basis == "split" else tps, model_prefill_speed=prefill_tps,
    )  # fmt: skip


def size_pool(gpus_peak: float, gpus_per_replica: float) -> dict[str, Any]:
    buffer = line("gpu_buffer", buffer_factor=default("buffer_factor"), buffer_on_gpus=default("buffer_on_gpus"))
    ha = line("gpu_ha", ha_factor=default("ha_factor"), ha_basis=default("ha_basis"))
    buffered = line("model_gpus_buffered", model_gpus_peak=gpus_peak, gpu_buffer=buffer)
    required = line("model_gpus_required", model_gpus_buffered=buffered, gpu_ha=ha)
    at_ceiling = line("model_gpus_at_ceiling", model_gpus_required=required, model_ceiling_factor=1)
    compute_ = line(
        "model_replicas_compute", model_load=1, model_gpus_at_ceiling=at_ceiling, model_gpus_each=gpus_per_replica
    )
    memory = line("model_replicas_memory", model_concurrency=0, model_slots=100, gpu_buffer=buffer, gpu_ha=ha)
    replicas = line(
        "model_replicas_planned", model_load=1, model_replicas_compute=compute_, model_replicas_memory=memory,
        spare_replicas=0, least_replicas=1,
    )  # fmt: skip
    planned_ = line("model_gpus_planned", model_replicas_planned=replicas, model_gpus_each=gpus_per_replica)
    return {
        "gpus_buffered": buffered, "gpus_ha": required, "replicas_compute": compute_, "replicas_memory": memory,
        "replicas": replicas, "gpus_planned": planned_,
    }  # fmt: skip


def headroom_bridge(
    month_tokens: float, days: float, tps: float, peak_factor: float, peak_hours: float, retry: float, buffer: float,
    ha: float, gpus_planned: float, price_per_hour: float,
) -> dict[str, Any]:  # fmt: skip
    assert days == 30
    plan = planned(
        [llama(tokens_per_s_per_gpu=tps, gpus_per_replica=1, gpu_price_per_hour=price_per_hour)],
        total_tokens=month_tokens * 12, peak_factor=peak_factor, peak_hours=peak_hours, retry_rate=retry,
        buffer_factor=buffer, ha_factor=ha,
    )  # fmt: skip
    steps = plan.labels["step"]
    return {
        "gpus": {
            k: v for k, v in dict(zip(steps, along(plan, "step_gpus", "step"), strict=True)).items() if k != "ceiling"
        },
        "money": {
            k: v for k, v in dict(zip(steps, along(plan, "step_money", "step"), strict=True)).items() if k != "ceiling"
        },
        "total_gpus": at(plan, "step_level", step="rounding"),
    }


def hybrid_month(
    month_tokens: float, input_share: float, api_share: float, in_price: float, out_price: float, days: float,
    peak_factor: float, peak_hours: float, tps: float, gpus_per_replica: float, buffer: float, ha_factor: float,
    gpu_price_per_hour: float,
) -> dict[str, Any]:  # fmt: skip
    assert days == 30
    prices = {"input_price_per_mtok": in_price, "output_price_per_mtok": out_price}
    machine = {
        "tokens_per_s_per_gpu": tps,
        "gpus_per_replica": gpus_per_replica,
        "gpu_price_per_hour": gpu_price_per_hour,
    }
    plan = planned(
        [
            gpt_4o(deployment="api", token_share=api_share, **prices),
            llama(deployment="on_prem", token_share=1 - api_share, **machine),
        ],
        deployment_mode="hybrid", total_tokens=month_tokens * 12, input_parts=input_share, output_parts=1 - input_share,
        peak_factor=peak_factor, peak_hours=peak_hours, buffer_factor=buffer, ha_factor=ha_factor,
    )  # fmt: skip
    return {
        "api_cost": at(plan, "api_cost_by_month", month=0),
        "peak_tokens_per_s_on_prem": at(plan, "model_load", model=1, month=0),
        "gpus_planned": at(plan, "gpus_planned_by_month", month=0),
        "gpu_cost": at(plan, "gpu_cost_by_month", month=0),
        "total": at(plan, "tco_by_month", month=0),
        "per_mtok": at(plan, "cost_per_mtok_by_month", month=0),
    }


def request_cost(
    in_tokens: float, out_tokens: float, cached_tokens: float, in_price: float, cached_price: None, out_price: float,
    tier_limit: float, tier_in: float, tier_out: float,
) -> Any:  # fmt: skip
    """A year of one request, on the listed model that has these very prices."""
    assert cached_tokens == 0
    plan = one_request("Claude Sonnet 4.5", in_tokens, out_tokens)
    listed = {"in": in_price, "out": out_price, "long_in": tier_in, "long_out": tier_out}
    assert {k: at(plan, f"model_price_{k}", model=0) for k in listed} == listed
    row = int(at(plan, "model_price_row", model=0)) - 1
    assert at(plan, "priceref_long_context_limit_tokens", priceref=row) == tier_limit
    return plan.value("annual_tco")


def one_request(model: str, in_tokens: float, out_tokens: float, **plan: Any) -> Plan:
    return planned(
        [ModelRow(model=model, token_share=1)], deployment_mode="api", total_tokens=in_tokens + out_tokens,
        input_parts=in_tokens, output_parts=out_tokens, input_tokens_per_request=in_tokens,
        output_tokens_per_request=out_tokens, **plan,
    )  # fmt: skip


def api_month_cost(in_tokens: float, out_tokens: float, in_price: float, out_price: float) -> Any:
    row = {"model_api": 1, "model_share": 1, "billed_calls": 1}
    return line("model_api_input_cost", monthly_input_tokens=in_tokens, model_blended_in=in_price, **row) + line(
        "model_api_output_cost", monthly_output_tokens=out_tokens, model_blended_out=out_price, **row
    )


# ---- chapter 4


def tenant_statement(
    quota: list[float], use: list[float], policy: str = "roll_over", cap_share: float = 0.5, expiry_months: int = 1,
    burst_multiple: float = 1, overage_rate: float = 0, **more: Any,
) -> list[dict[str, Any]]:  # fmt: skip
    """One tenant whose use is all demand: twelfths as quota, and a curve that asks for `use` in its first months."""
    assert len(set(quota)) == 1
    annual = quota[0] * 12
    months = [*use, *[(annual - sum(use)) / (12 - len(use))] * (12 - len(use))]
    plan = planned(
        tenants=[TenantRow(tenant="A", quota_share=1, burst_multiple=burst_multiple, fallback="reject")],
        rows=changed("Curves", "custom", **{f"m{i}": w for i, w in enumerate(months, 1)}), growth_curve="custom",
        total_tokens=annual, quota_basis="equal", unused_policy=policy, roll_over_cap_share=cap_share,
        roll_over_expiry_months=expiry_months, overage_rate_per_mtok=overage_rate, **more,
    )  # fmt: skip
    lines = {
        "opening_carried": "carried_in", "quota": "tenant_quota", "available": "quota_available", "use": "tenant_use",
        "within": "used_within", "burst": "used_burst", "best_effort": "use_best_effort", "rejected": "use_rejected",
        "unused": "quota_unused", "carried_out": "carried_out", "refunded": "quota_refunded",
        "forfeited": "quota_forfeited", "overage_charge": "overage_charge", "refund_money": "refund_money",
    }  # fmt: skip
    return [{k: at(plan, v, tenant=0, month=i) for k, v in lines.items()} for i in range(len(use))]


def quota_claims(tenants: list[list[Any]], buffer: float) -> dict[str, Any]:
    fallbacks = {"Guaranteed": "guaranteed", "Best-effort": "best_effort", "Reject if full": "reject"}
    plan = planned(
        tenants=[
            TenantRow(tenant=f"T{i}", quota_share=share, burst_multiple=multiple, fallback=fallbacks[fallback])
            for i, (share, multiple, fallback) in enumerate(tenants)
        ],
        buffer_factor=buffer,
    )
    return {
        "committed": plan.value("claims_committed"),
        "guaranteed": plan.value("claims_guaranteed"),
        "bursts": plan.value("burst_total_share"),
        "shares_sum_to_1": at(plan, "check_state", check="tenant_shares") == 0,
        "guaranteed_over_buffer": plan.value("guaranteed_over_buffer"),
        "bursts_over_buffer": plan.value("bursts_over_buffer"),
    }


def monthly_quota(annual_tokens: float, quota_share: float) -> list[Any]:
    tenants = [TenantRow(tenant=t, quota_share=s) for t, s in (("A", quota_share), ("B", 1 - quota_share))]
    return along(planned(tenants=tenants, total_tokens=annual_tokens), "tenant_quota", tenant=0)


# ---- chapter 5


def node_availability(failures_per_node_day: float, mttr_hours: float) -> Any:
    return line("node_availability", failures_per_node_day=failures_per_node_day, repair_hours=mttr_hours)


def k_of_n(n: float, k: float, a: float, zone: float = 1) -> Any:
    return line(
        "model_kept", model_on_prem=1, model_replicas_needed=k, model_replicas_at_peak=n, replica_availability=a,
        zone_availability=zone,
    )  # fmt: skip


def sla_lines(
    availability: float, ttft_s: float, tpot_s: float, e2e_s: float, output_tokens: float, requests_month: float,
    error_rate: float,
) -> dict[str, Any]:  # fmt: skip
    target = line("tier_target", tier_used=1, tier_availability=availability)
    first = {"tier_complete": 1, "tier_ttft_ms": ttft_s * 1000}
    rest, whole, length = {"tier_tpot_ms": tpot_s * 1000}, {"tier_e2e_s": e2e_s}, {"tier_output_tokens": output_tokens}
    return {
        "downtime_hours_year": line("tier_downtime_year", tier_target=target, hours_per_month=730),
        "downtime_minutes_month": line("tier_downtime_month", tier_target=target, hours_per_month=730),
        "error_budget_requests": line(
            "tier_error_budget", tier_used=1, tier_error_rate=error_rate, peak_month_requests=requests_month
        ),
        "e2e_at_limits_s": line("tier_e2e_at_limits", **first, **rest, **length),
        "tpot_needed_s": line("tier_tpot_needed", **first, **whole, **length) / 1000,
        "longest_output": line("tier_longest_output", **first, **rest, **whole),
    }


def credits(
    monthly_fee: float, credit_availability: float, credit_latency: float, p_availability: float, p_latency: float,
    extra_cost_month: float,
) -> dict[str, Any]:  # fmt: skip
    down = line("exposure_availability", monthly_fee=monthly_fee, credit_availability=credit_availability)
    slow = line("exposure_latency", monthly_fee=monthly_fee, credit_latency=credit_latency)
    each = {"exposure_availability": down, "exposure_latency": slow}
    both = line("exposure_both", **each, credit_cap=default("credit_cap"), monthly_fee=monthly_fee)
    chances = {"breach_chance_availability": p_availability, "breach_chance_latency": p_latency}
    return {
        "exposure_availability": down,
        "exposure_latency": slow,
        "exposure_both": both,
        "expected_month": line("credits_expected", **each, **chances, exposure_both=both),
        "break_even_probability": line(
            "break_even_chance", cure_cost_per_month=extra_cost_month, exposure_availability=down
        ),
    }


# ---- chapter 6


def levers(spend: dict[str, float], rows: list[list[Any]]) -> dict[str, Any]:
    """A plan that spends just so a month: 150M tokens on GPT-4o and, where GPUs are paid, as many on four A100."""
    bases = ("input", "output", "gpu")
    listed = default_rows(LEVERS)
    acting = [[r.lever, [b for b in bases if getattr(r, f"acts_on_{b}") == "yes"]] for r in listed]
    assert acting == [[row[0], row[4]] for row in rows]
    turned = [
        r.model_copy(update={"on": "yes" if on else "no", "eligible_share": eligible, "saving_expected": saving})
        for r, (_, on, eligible, saving, _) in zip(listed, rows, strict=True)
    ]
    api, gpus = gpt_4o(deployment="api"), llama(deployment="on_prem", gpus_per_replica=4)
    models = [m.model_copy(update={"token_share": 0.5}) for m in (api, gpus)] if "gpu" in spend else [api]
    plan = planned(models, deployment_mode="hybrid", total_tokens=1.8e9 * len(models), rows={"Levers": turned})
    assert [plan.value(f"spend_{b}") / 12 for b in bases] == approx([spend.get(b, 0) for b in bases])
    left = {base: at(plan, f"left_{base}", lever=len(rows) - 1) / 12 for base in spend}
    return {
        "remaining": left,
        "remaining_total": sum(left.values()),
        "saving_by_lever": {row[0]: at(plan, "lever_saving", lever=i) / 12 for i, row in enumerate(rows)},
        "saving_share": plan.value("saving_share"),
    }


def power_kwh_month(gpus: float, tdp_w: float, pue: float) -> Any:
    watts = line(
        "model_watts", model_on_prem=1, model_gpu_row=1, gpuref_tdp_w=[tdp_w], power_share=default("power_share"),
        host_watts_per_gpu=default("host_watts_per_gpu"),
    )  # fmt: skip
    return line("model_kwh", model_gpus_planned=gpus, model_watts=watts, pue=pue, hours_per_month=730)


def rented_month_cost(gpus: float, price_per_hour: float) -> Any:
    return line("model_gpu_cost", model_gpus_planned=gpus, model_gpu_price=price_per_hour, hours_per_month=730)


RECKONED: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        replica_fit, gpus_for_load, size_pool, headroom_bridge, hybrid_month, request_cost, api_month_cost,
        tenant_statement, quota_claims, monthly_quota, node_availability, k_of_n, sla_lines, credits, levers,
        power_kwh_month, rented_month_cost,
    )
}  # fmt: skip
CHECKED = [i for i in CASES if i not in NOT_IN_THIS_CHAPTER_YET]


@pytest.mark.parametrize("case", CHECKED)
def test_worked_example(case: str) -> None:
    example = CASES[case]
    assert RECKONED[example["function"]](**example["inputs"]) == approx(example["output"]), example["note"]


def test_every_case_is_checked_or_named_with_its_reason() -> None:
    assert set(CASES) == {f"{c}.{i}" for c, n in ((3, 12), (4, 5), (5, 5), (6, 9)) for i in range(1, n + 1)}
    assert set(NOT_IN_THIS_CHAPTER_YET) <= set(CASES)
    unreckoned = {i for i, c in CASES.items() if c["function"] not in RECKONED}
    assert unreckoned == set(NOT_IN_THIS_CHAPTER_YET) - {"6.9"}
    assert "duty" in CASES["6.9"]["inputs"]


@pytest.mark.parametrize(("case", "model"), [("3.1", LLAMA), ("3.2", "Qwen2.5 7B")])
def test_kv_bytes_of_the_reference(case: str, model: str) -> None:
    """2 x layers x KV heads x head size x 2 bytes; half of it at 8 bits."""
    row = next(r for r in table("models.csv") if r["model"] == model)
    given = CASES[case]["inputs"]
    assert {k: float(row[k]) for k in given} == given
    assert float(row["kv_bytes_per_token_fp16"]) == CASES[case]["output"]
    assert float(row["kv_bytes_per_token_fp8"]) == CASES[case]["output"] / 2


# ---- the guide's own example, in full

GUIDE = {
    "annual_tokens": 1.8e9, "annual_input_tokens": 1.35e9, "annual_output_tokens": 0.45e9,
    "peak_month_tokens": 150e6, "average_daily_tokens": 5e6, "peak_daily_tokens": 15e6, "peak_hourly_tokens": 625_000,
    "peak_tokens_per_s": 625_000 / 3600, "committed_tokens_per_month": 150e6,
    "gpus_for_peak": 1.1574074074074072, "gpus_with_ha": 1.7361111111111112,
    "gpus_with_buffer_and_ha": 2.256944444444444, "peak_over_average": 3, "buffered_capacity_tokens": 2.34e9,
}  # fmt: skip


def test_the_guides_example() -> None:
    """1.8B tokens, 3:1, linear, factor 3, 24 hours, 30-day months, 150 tokens/s."""
    plan = planned()
    assert {name: plan.value(name) for name in GUIDE} == approx(GUIDE)


@pytest.mark.parametrize(
    ("gpus_per_replica", "plan", "wanted"),
    [
        (1, {}, 3),
        (2, {}, 4),
        (None, {}, 4),
        (None, {"sla_tier": "business_critical"}, 8),
        (1, {"sla_tier": "business_critical"}, 3),
        # without buffer 1.7361; without HA 1.5046; with both switched off 1.1574
        (1, {"buffer_on_gpus": "no"}, 2),
        (1, {"ha_factor": 1}, 2),
        (1, {"buffer_on_gpus": "no", "ha_factor": 1}, 2),
        (2, {"buffer_on_gpus": "no", "ha_factor": 1}, 2),
        # spare replicas in place of the factor: 1.5046 is 2 replicas, and one more
        (1, {"ha_basis": "spare"}, 3),
        (4, {"ha_basis": "spare"}, 8),
        # 1.14 GPUs x 1.5 is 2 GPUs, not ROUNDUP(ROUNDUP(1.14) x 1.5) = 3
        (1, {"total_tokens": 1.8e9 * 1.14 / 1.1574074074074074, "buffer_factor": 1}, 2),
    ],
)
def test_gpus_to_plan_in_the_guides_example(gpus_per_replica: int | None, plan: dict[str, Any], wanted: float) -> None:
    assert planned([llama(gpus_per_replica=gpus_per_replica)], **plan).value("gpus_planned") == wanted


@pytest.mark.parametrize(
    ("plan", "line_name", "wanted"),
    [
        # S-curve: 10 / 20 / 30 / 40 % a quarter; the peak month decides, not the mean month
        ({"growth_curve": "s_curve"}, "monthly_tokens", [60e6] * 3 + [120e6] * 3 + [180e6] * 3 + [240e6] * 3),
        ({"growth_curve": "front_loaded"}, "monthly_tokens", [240e6] * 3 + [180e6] * 3 + [120e6] * 3 + [60e6] * 3),
        ({"growth_curve": "phased"}, "monthly_tokens", [45e6] * 2 + [112.5e6] * 4 + [225e6] * 4 + [180e6] * 2),
        # Q4 is 1.5, and the year keeps its total: 1.5 / 13.5 and 1 / 13.5
        ({"growth_curve": "seasonal"}, "monthly_tokens", [1.8e9 / 13.5] * 9 + [2.7e9 / 13.5] * 3),
        # the calendar's fourth quarter, wherever the plan starts
        (
            {"growth_curve": "seasonal", "start_month": dt.date(2027, 8, 1)},
            "monthly_tokens", [1.8e9 / 13.5] * 2 + [2.7e9 / 13.5] * 3 + [1.8e9 / 13.5] * 7,
        ),
        # later years are higher by the yearly growth, stepped
        ({"horizon_months": 24, "yearly_growth": 0.5}, "monthly_tokens", [150e6] * 12 + [225e6] * 12),
        # a horizon inside the year: nothing after it
        ({"horizon_months": 7}, "monthly_tokens", [150e6] * 7 + [0] * 5),
        # 28 to 31 days
        (
            {"days_basis": "calendar"},
            "daily_tokens", [150e6 / d for d in (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)],
        ),
    ],
)  # fmt: skip
def test_months_of_the_guides_example(plan: dict[str, Any], line_name: str, wanted: list[float]) -> None:
    assert along(planned(**plan), line_name) == approx(wanted)


@pytest.mark.parametrize(
    ("plan", "wanted"),
    [
        ({"growth_curve": "s_curve"}, {"peak_hourly_tokens": 1e6, "peak_month_tokens": 240e6, "peak_month": 10}),
        # the phase table: 12.5 % in the busiest month
        (
            {"growth_curve": "phased"},
            {
                "peak_month_tokens": 225e6, "average_daily_tokens": 7.5e6, "peak_daily_tokens": 22.5e6,
                "peak_hourly_tokens": 937_500, "peak_tokens_per_s": 260.4166666666667,
                "gpus_for_peak": 1.736111111111111,
            },
        ),
        # 8 peak hours: the whole day in 8 hours, 9 times the average hour
        ({"peak_hours": 8}, {"peak_hourly_tokens": 1_875_000, "peak_over_average": 9}),
        # a factor measured at the hour is not taken again at the day, and peak hours do not count
        (
            {"peak_window": "hour", "peak_hours": 8},
            {"peak_daily_tokens": 5e6, "peak_hourly_tokens": 625_000, "peak_over_average": 3},
        ),
        # retries load the GPUs, not the demand
        ({"retry_rate": 0.1}, {"peak_tokens_per_s": 625_000 / 3600, "gpus_for_peak": 1.1 * 1.1574074074074072}),
        # a buffer of 1.3 leaves 23 % of capacity free
        ({}, {"buffer_free_share": 1 - 1 / 1.3}),
        # 3 x 1.3 x 1.5
        ({}, {"gpus_with_buffer_and_ha": 5.85 * 0.3858024691358025}),
        # 12 x 30 days are 8,640 h, 12 x 730 are 8,760 h: 1.39 % of the hours paid
        ({}, {"basis_hours": 8640, "paid_hours": 8760, "hours_gap_money": 4 * 2 * 730 * 12 * (1 - 8640 / 8760)}),
        # price = TCO x multiple; the guide's formula TCO x (1 + margin) stands beside it
        (
            {"deployment_mode": "api", "price_multiple": 1.2},
            {"customer_price_per_mtok": 5.25, "markup": 0.2, "literal_price": 9.625, "annual_revenue": 9450},
        ),
        # GPT-4o: 112.5M x 2.50 + 37.5M x 10.00
        (
            {"deployment_mode": "api"},
            {"monthly_tco_mean": 656.25, "annual_tco": 7875, "cost_per_mtok": 4.375, "horizon_tco": 7875},
        ),
        # the year is the months added up, not one month times twelve
        (
            {"growth_curve": "s_curve", "ops_per_month": 100, "horizon_months": 24, "deployment_mode": "api"},
            {"annual_tco": 7875 + 1200, "horizon_tco": 2 * (7875 + 1200)},
        ),
        ({"deployment_mode": "api", "horizon_months": 3}, {"annual_tco": 1968.75, "monthly_tco_mean": 656.25}),
    ],
)  # fmt: skip
def test_figures_of_the_guides_example(plan: dict[str, Any], wanted: dict[str, float]) -> None:
    got = planned(**plan)
    assert {name: got.value(name) for name in wanted} == approx(wanted)


@pytest.mark.parametrize(
    ("basis", "wanted"), [("total", 1.1574074074074072), ("output", 0.2893518518518518)], ids=["all tokens", "output"]
)
def test_what_a_speed_counts(basis: str, wanted: float) -> None:
    """If 150 is output tokens/s, a quarter of the load counts, and the size of a replica decides: still 4 GPUs."""
    plan = planned([llama(throughput_basis=basis)])
    assert (plan.value("gpus_for_peak"), plan.value("gpus_planned")) == (approx(wanted), 4)


@pytest.mark.parametrize(
    ("curve", "wanted"),
    [
        ("linear", [1 / 6, 1 / 3, 1 / 3, 1 / 6]),
        ("phased", [0.05, 0.25, 0.5, 0.2]),
        ("s_curve", [2 / 30, 1 / 30 + 0.2, 0.3 + 0.4 / 3, 0.8 / 3]),
    ],
)
def test_phases_are_the_months_of_the_curve(curve: str, wanted: list[float]) -> None:
    """Choosing the phased curve makes them the guide's 5 / 25 / 50 / 20."""
    plan = planned(growth_curve=curve)
    assert along(plan, "phase_share", "phase")[:4] == approx(wanted)
    gaps = [w - g for w, g in zip(wanted, (0.05, 0.25, 0.5, 0.2), strict=True)]
    assert along(plan, "phase_gap", "phase")[:4] == approx(gaps)
    assert along(plan, "quarter_tokens", "quarter") == approx(
        {"linear": [450e6] * 4, "phased": [202.5e6, 337.5e6, 675e6, 585e6], "s_curve": [180e6, 360e6, 540e6, 720e6]}[
            curve
        ]
    )


@pytest.mark.parametrize(
    ("tier", "e2e", "tpot_ms", "longest", "downtime_year"),
    [
        ("business_critical", 0.5 + 999 * 0.02, 4500 / 999, 226, 8.76),
        ("standard", 1 + 999 * 0.05, 9000 / 999, 181, 43.8),
        ("best_effort", 3 + 999 * 0.1, 27000 / 999, 271, 87.6),
    ],
)
def test_the_guides_tiers_contradict_themselves(
    tier: str, e2e: float, tpot_ms: float, longest: float, downtime_year: float
) -> None:
    plan = planned(sla_tier=tier)
    row = int(plan.value("tier_row")) - 1
    assert at(plan, "tier_e2e_at_limits", tier=row) == approx(e2e)
    assert at(plan, "tier_tpot_needed", tier=row) == approx(tpot_ms)
    assert plan.value("longest_output_within_e2e") == longest
    assert plan.value("allowed_downtime_hours") == approx(downtime_year)
    assert at(plan, "tier_verdict", tier=row).startswith("conflict: ")


@pytest.mark.parametrize(
    ("model", "critical", "standard", "best_effort"),
    [
        ("GPT-4o", "▲ end to end", "▲ end to end", "○ within"),
        ("GPT-4o-mini", "▲ end to end", "○ within", "○ within"),
        ("Claude 3.5 Sonnet", "▲ end to end", "▲ end to end", "○ within"),
        ("Claude 3 Haiku", "▲ end to end", "○ within", "○ within"),
    ],
)
def test_none_of_the_guides_models_meets_the_critical_tier(
    model: str, critical: str, standard: str, best_effort: str
) -> None:
    """1,000 tokens take 10.3 s, 5.2 s, 20.5 s and 8.2 s with the guide's own latencies, against 5, 10 and 30 s."""
    plan = planned([ModelRow(model=model, token_share=1)], deployment_mode="api")
    assert along(plan, "model_tier_fit", "tier", model=0)[:3] == [critical, standard, best_effort]
    assert at(plan, "model_latency_basis", model=0) == "typical, not p99"


def test_the_guides_tenants_claim_more_than_the_buffer_holds() -> None:
    plan = planned(tenants=guide_tenants())
    claims = ("claims_committed", "claims_guaranteed", "burst_total_share", "buffer_factor")
    assert [plan.value(name) for name in claims] == approx([1, 1.5, 1.65, 1.3])
    assert at(plan, "threshold_chip", threshold="guaranteed_over_buffer") == "▲ risk"
    assert at(plan, "threshold_chip", threshold="bursts_over_buffer") == "◊ watch"


# ---- cases met in public reports (the numbers are those of the list of cases)


@pytest.mark.parametrize(
    ("model", "cached_share", "price", "annual"),
    [
        ("GPT-4o", 0.5, 2.5, 7875),
        ("gpt 4o (openai list)", 0.5, 1.25, 7875 - 1350 * 0.5 * 1.25),
        ("gpt 4o (openai list)", 0, 1.25, 7875),
    ],
)
def test_14_without_a_cached_price_cached_tokens_cost_the_full_price(
    model: str, cached_share: float, price: float, annual: float
) -> None:
    plan = planned([ModelRow(model=model, token_share=1)], deployment_mode="api", cached_input_share=cached_share)
    assert at(plan, "model_price_cached", model=0) == price
    assert plan.value("annual_tco") == approx(annual)


def test_14_a_note_says_so() -> None:
    plan = planned(deployment_mode="api", cached_input_share=0.5)
    assert any("cached" in words for words in words_of(plan, model=0))


def words_of(plan: Plan, **row: int) -> list[str]:
    """Every text that a plan has about one row."""
    lines = [n for n in plan.program.lines if plan.program.axes[n] == tuple(row) and plan.program.kind(n) == "text"]
    return [str(at(plan, n, **row)) for n in lines]


@pytest.mark.parametrize(
    ("in_tokens", "cost"),
    [(300_000, 1.845), (200_001, 200_001 * 6e-6 + 0.045), (200_000, 0.63), (199_999, 199_999 * 3e-6 + 0.03)],
)
def test_16_the_whole_request_at_the_higher_rate(in_tokens: int, cost: float) -> None:
    """3 and 15 per Mtok, 6 and 22.5 strictly above 200,000."""
    assert one_request("Claude Sonnet 4.5", in_tokens, 2000).value("annual_tco") == approx(cost)


def test_16_cached_tokens_of_a_long_request_have_their_own_price() -> None:
    plan = one_request("Claude Sonnet 4.5", 300_000, 2000, cached_input_share=0.5)
    assert plan.value("annual_tco") == approx(150_000 * 6e-6 + 150_000 * 0.6e-6 + 0.045)


def test_17_a_batch_share_at_half_price() -> None:
    half = {"batch_input_price_per_mtok": 1.25, "batch_output_price_per_mtok": 5}
    plan = planned([gpt_4o(**half)], deployment_mode="api", batch_share=0.4)
    assert plan.value("annual_tco") == approx(7875 * 0.8)


@pytest.mark.parametrize(
    ("prices", "warned"),
    [
        ({}, False),
        ({"batch_input_price_per_mtok": 1.25}, False),
        ({"batch_input_price_per_mtok": 2.5}, True),
        ({"batch_input_price_per_mtok": 2.6}, True),
        ({"batch_output_price_per_mtok": 10}, True),
        ({"batch_output_price_per_mtok": 11}, True),
    ],
)
def test_17_a_batch_price_at_or_above_the_list_price_is_a_warning(prices: dict[str, float], warned: bool) -> None:
    note = at(planned([gpt_4o(**prices)], deployment_mode="api"), "model_batch_note", model=0)
    assert note.startswith("◊" if warned else "○")


@pytest.mark.parametrize(
    ("reserve_gb", "sequences", "gpus"),
    [(0, 1, 2), (0, 2, 2), (0, 3, 4), (0, 16, 4), (2, 1, 4), (2, 16, 4), (2, 105, 4)],
)
def test_19_a_70b_in_fp16_takes_2_or_4_gpus(reserve_gb: float, sequences: float, gpus: float) -> None:
    """Never 1, which cannot hold the weights, and never 3, which tensor parallelism does not know."""
    plan = planned(runtime_reserve_gb=reserve_gb, concurrency_per_replica=sequences)
    assert at(plan, "model_gpus_each", model=0) == gpus
    assert at(plan, "model_least_gpus", model=0) == 2


@pytest.mark.parametrize(
    ("typed", "misfit"), [(1, 1), (2, 1), (3, 0), (4, 0)], ids=["1 GPU", "2 GPUs", "3 GPUs", "4 GPUs"]
)
def test_19_a_typed_size_that_cannot_hold_the_weights_is_said(typed: float, misfit: float) -> None:
    plan = planned([llama(gpus_per_replica=typed)])
    assert (plan.value("misfits"), at(plan, "threshold_chip", threshold="memory_misfit")) == (
        (misfit, "■ critical") if misfit else (0, "○ normal")
    )


def test_19_a_replica_that_cannot_hold_one_request_does_not_fit() -> None:
    """69.9 GB of weights leave 0.1 GB on one GPU; a request of 4,000 tokens wants 1.3 GB."""
    plan = planned([llama(gpus_per_replica=1, weights_gb=69.9)])
    assert (at(plan, "model_slots", model=0), plan.value("misfits")) == (0, 1)


def test_20_kv_cache_of_qwen_2_5_7b() -> None:
    plan = planned([llama(model="Qwen2.5 7B", tokens_per_s_per_gpu=1000)])
    assert at(plan, "model_kv_bytes", model=0) == 57_344
    assert at(plan, "model_kv_per_request", model=0) == approx(57_344 * 4000 / 1e9)


def test_21_memory_of_all_parameters_speed_of_the_active_ones() -> None:
    row = next(r for r in table("models.csv") if r["model"] == "Qwen3 235B-A22B")
    assert (float(row["params_total_b"]), float(row["params_active_b"])) == (235.1, 22)
    plan = planned([llama(model="Qwen3 235B-A22B", gpu="H200-141GB-SXM", precision="fp8")])
    assert at(plan, "model_weights", model=0) == 235.1
    assert at(plan, "model_least_gpus", model=0) == 2
    speeds = {r["key"]: float(r["high_tokens_per_s_per_gpu"] or 0) for r in table("throughput.csv")}
    moe, dense = (speeds[f"{m}|H200-141GB-SXM|fp8"] for m in ("Qwen3 235B-A22B", "Llama 3.1 405B"))
    assert moe > 2 * dense


@pytest.mark.parametrize(("buffer", "gpus"), [(1, 5), (1.3, 7)])
def test_23_five_requests_a_second(buffer: float, gpus: float) -> None:
    """5 requests/s x 2,000 tokens at 2,000 tokens/s per GPU: 5 GPUs, 6.5 with 30 % headroom."""
    plan = planned(
        [llama(model="mine", tokens_per_s_per_gpu=2000, weights_gb=16, kv_bytes_per_token=131_072)],
        total_tokens=10_000 * 3600 * 24 * 360, peak_factor=1, ha_factor=1, buffer_factor=buffer,
        input_tokens_per_request=1500, output_tokens_per_request=500,
    )  # fmt: skip
    assert at(plan, "model_gpus_each", model=0) == 1
    assert (plan.value("gpus_for_peak"), plan.value("gpus_planned")) == (approx(5), gpus)


@pytest.mark.parametrize(
    ("gpu", "gpus", "price", "month"), [(A100, 2, 2.0, 2920), ("B200-180GB-SXM", 8, 5.5, 32_120)], ids=["A100", "B200"]
)
def test_24_rented_gpus_are_paid_every_hour(gpu: str, gpus: int, price: float, month: float) -> None:
    row = llama(gpu=gpu, gpus_per_replica=gpus, tokens_per_s_per_gpu=1e4, gpu_price_per_hour=price)
    plan = planned([row], pools=[pool(gpu=gpu)])
    assert (plan.value("gpus_planned"), plan.value("monthly_tco_mean")) == (gpus, approx(month))


@pytest.mark.parametrize(("policy", "available"), [("roll_over", [100, 140, 110]), ("expire", [100, 100, 100])])
def test_25_unused_quota(policy: str, available: list[float]) -> None:
    """Quota 100, use 60, then 130, then nothing; roll-over capped at half a month's quota."""
    statement = tenant_statement([100] * 3, [60, 130, 0], policy)
    assert [month["available"] for month in statement] == approx(available)


@pytest.mark.parametrize(
    ("expiry", "cap", "use", "carried_in"),
    [
        (0, 12, [0] * 5, [0, 0, 0, 0, 0]),
        (1, 12, [0] * 5, [0, 100, 100, 100, 100]),
        (2, 12, [0] * 5, [0, 100, 200, 200, 200]),
        (3, 12, [0] * 5, [0, 100, 200, 300, 400]),
        # the oldest are used first: of 150 used in the third month, 100 are two months old and 50 one month old
        (2, 12, [0, 0, 150, 0, 0], [0, 100, 200, 150, 200]),
        (3, 12, [0, 0, 150, 0, 0], [0, 100, 200, 150, 250]),
        (3, 12, [0, 0, 0, 0, 150, 0], [0, 100, 200, 300, 400, 350]),
        (3, 12, [0, 0, 0, 0, 450, 0], [0, 100, 200, 300, 400, 50]),
        # the cap: the oldest go, the month's own rest stays
        (3, 1.5, [0] * 5, [0, 100, 150, 150, 150]),
        (3, 0.4, [0] * 3, [0, 40, 40]),
        (2, 1.5, [0, 0, 140, 0], [0, 100, 150, 110]),
    ],
)
def test_how_long_unused_quota_is_kept(expiry: int, cap: float, use: list[float], carried_in: list[float]) -> None:
    statement = tenant_statement([100] * len(use), use, cap_share=cap, expiry_months=expiry)
    assert [month["opening_carried"] for month in statement] == approx(carried_in)


def test_a_contract_year_starts_with_nothing_carried() -> None:
    statement = tenant_statement([100] * 5, [0] * 5, cap_share=12, expiry_months=3, contract_reset_month=4)
    assert [month["opening_carried"] for month in statement] == approx([0, 100, 200, 0, 100])
    assert [month["forfeited"] for month in statement] == approx([0, 0, 0, 300, 0])


def test_refunded_quota_is_paid_back_and_not_carried() -> None:
    statement = tenant_statement([1e6] * 2, [4e5, 0], "refund", refund_rate_per_mtok=2)
    keys = ("opening_carried", "carried_out", "refunded", "forfeited", "refund_money")
    assert [[month[k] for k in keys] for month in statement] == approx([[0, 0, 6e5, 0, 1.2], [0, 0, 1e6, 0, 2]])


@pytest.mark.parametrize("basis", ["equal", "curve"])
@pytest.mark.parametrize("curve", ["linear", "s_curve", "seasonal", "phased", "logistic"])
@pytest.mark.parametrize("days_basis", ["30-day", "calendar"])
def test_26_the_months_quotas_are_the_years(basis: str, curve: str, days_basis: str) -> None:
    plan = planned(tenants=guide_tenants(), quota_basis=basis, growth_curve=curve, days_basis=days_basis)
    assert along(plan, "tenant_quota_sum", "tenant")[:3] == approx([0.9e9, 0.54e9, 0.36e9])
    assert plan.value("quota_total") == approx(1.8e9)
    assert plan.value("checks_failed") == 0


@pytest.mark.parametrize(
    ("start", "wanted"),
    [
        ("2026-05-05", [100] * 12),
        ("2027-01-01", [100] * 12),
        ("2027-04-01", [0, 0, 0] + [100] * 9),
        ("2027-04-16", [0, 0, 0, 100 * 15 / 30] + [100] * 8),
        ("2027-02-28", [0, 100 / 28] + [100] * 10),
        ("2027-12-31", [0] * 11 + [100 / 31]),
        ("2028-01-01", [0] * 12),
    ],
)
def test_26_a_start_within_the_year_is_pro_rated_by_days(start: str, wanted: list[float]) -> None:
    tenant = TenantRow(tenant="A", quota_share=1, start_date=dt.date.fromisoformat(start))
    assert along(planned(tenants=[tenant], total_tokens=1200), "tenant_quota", tenant=0) == approx(wanted)


# ---- what the method says beside its cases


@pytest.mark.parametrize(
    ("tab", "shares", "refused"),
    [
        ("Models", [0.4, 0.6], False), ("Models", [0.4, 0.5], True), ("Models", [0.7, 0.6], True),
        ("Tenants", [0.5, 0.5], False), ("Tenants", [0.5, 0.6], True),
    ],
)  # fmt: skip
def test_shares_that_do_not_sum_to_1_are_refused_with_their_sum(tab: str, shares: list[float], refused: bool) -> None:
    rows = {
        "Models": [llama(token_share=s) for s in shares],
        "Tenants": [TenantRow(tenant="T", quota_share=s) for s in shares],
    }
    found = contradictions(Draft(rows={**inputs().rows, tab: tuple(rows[tab])}))
    assert [p.place.split(" ")[0] for p in found] == ([tab] if refused else [])
    assert all(f"{sum(shares) * 100:.7g} %" in p.found for p in found)


def test_split_speeds_take_what_stands_in_the_prefix_cache_off_the_prefill_load() -> None:
    row = {"throughput_basis": "split", "prefill_tokens_per_s_per_gpu": 1000, "tokens_per_s_per_gpu": 100}
    for hit, wanted in ((None, 0.75 / 1000 + 0.25 / 100), (0.4, 0.75 * 0.6 / 1000 + 0.25 / 100)):
        plan = planned([llama(prefix_hit_share=hit, **row)], total_tokens=3600 * 24 * 360, peak_factor=1)
        assert plan.value("gpus_for_peak") == approx(wanted)


@pytest.mark.parametrize(("gpus", "copies"), [(1, 1), (8, 1), (16, 2)])
def test_a_kv_head_cannot_be_split(gpus: float, copies: float) -> None:
    need = {"concurrency_per_replica": 16, "model_kv_per_request": 1.31072, "model_kv_heads": 8}
    assert line("fit_need", size_gpus=gpus, **need) == approx(16 * 1.31072 * copies)


def test_memory_can_ask_for_more_replicas_than_compute() -> None:
    """1,000 requests of 4,000 tokens at once, 105 to a replica of four: 1,000 x 1.95 / 105 is 18.6 replicas."""
    plan = planned([llama(tokens_per_s_per_gpu=1e6)], total_tokens=1000 / 10 * 4000 * 3600 * 24 * 360 / 3)
    assert at(plan, "model_concurrency", model=0, month=0) == approx(1000)
    assert (at(plan, "model_replicas_compute", model=0, month=0), plan.value("gpus_planned")) == (1, 19 * 4)


def test_no_load_buys_nothing_whatever_the_tiers_minimum() -> None:
    plan = planned([llama(), llama(token_share=0)], sla_tier="business_critical")
    assert at(plan, "least_replicas") == 2
    assert [at(plan, "model_gpus_planned", model=m, month=0) for m in (0, 1)] == [8, 0]


@pytest.mark.parametrize(
    ("needed", "planned_", "node", "nodes", "zone", "wanted"),
    [
        (1, 1, 0.99, 1, 1, 0.99),
        (1, 2, 0.99, 1, 1, 1 - 0.01**2),
        (2, 3, 0.99, 1, 1, 0.99**3 + 3 * 0.99**2 * 0.01),
        (1, 1, 0.99, 2, 1, 0.99**2),
        (1, 2, 0.99, 1, 0.999, (1 - 0.01**2) * 0.999),
        (3, 2, 0.99, 1, 1, 0),
    ],
)
def test_availability_that_replicas_can_keep(
    needed: float, planned_: float, node: float, nodes: float, zone: float, wanted: float
) -> None:
    replica = line("replica_availability", node_availability=node, model_nodes=nodes)
    assert k_of_n(planned_, needed, replica, zone) == approx(wanted)


def test_a_fleet_of_a_thousand_replicas_has_an_availability_too() -> None:
    plan = planned([llama(gpus_per_replica=1, weights_gb=16)], total_tokens=2e12)
    assert plan.value("gpus_planned") == 2508
    assert 0.99 < plan.value("availability_kept") <= 1


def test_a_row_left_empty_between_two_phases_does_not_push_their_names_along() -> None:
    pilot, ramp_up, scale, steady = default_rows(PHASES)
    plan = planned(rows={"Phases": (pilot, ramp_up, None, scale, steady)})
    assert along(plan, "month_phase") == ["Pilot"] * 2 + ["Ramp-up"] * 4 + ["Scale"] * 4 + ["Steady"] * 2


def test_electricity_of_owned_gpus_is_reckoned_and_that_of_rented_ones_is_not() -> None:
    power = {"electricity_price_per_kwh": 0.2, "pue": 1.5}
    owned, rented = (planned(**power, gpu_ownership=o) for o in ("owned", "rented"))
    kwh = 4 * 400 / 1000 * 1.5 * 730
    assert at(owned, "electricity_by_month", month=0) == approx(kwh * 0.2)
    assert at(rented, "electricity_by_month", month=0) == 0
    typed = planned(**power, gpu_ownership="owned", electricity_per_month=99)
    assert (at(typed, "electricity_by_month", month=0), typed.value("checks_failed")) == (99, 1)


def test_a_lever_that_stands_in_the_prices_already_fails_a_check() -> None:
    caching = {"on": "yes", "eligible_share": 1}
    rows = changed("Levers", next(r["label"] for r in table("levers.csv") if r["lever"] == "caching"), **caching)
    assert planned(deployment_mode="api", rows=rows).value("checks_failed") == 0
    assert planned(deployment_mode="api", rows=rows, cached_input_share=0.2).value("checks_failed") == 1


@pytest.mark.parametrize(
    ("line_name", "values", "wanted"),
    [
        ("exposure_availability", {"monthly_fee": BLANK, "credit_availability": 0.1}, "no fee or credit"),
        (
            "credits_expected",
            {
                "exposure_availability": 5000, "exposure_latency": 2500, "exposure_both": 7500,
                "breach_chance_availability": BLANK, "breach_chance_latency": 0.1,
            },
            "no chances entered",
        ),
        ("tier_longest_output", {
            "tier_complete": 0, "tier_ttft_ms": BLANK, "tier_tpot_ms": 20, "tier_e2e_s": 5,
        }, "latency targets are incomplete"),
        ("model_prefill_speed", {"model_split": 1, "model_prefill_tokens_per_s_per_gpu": BLANK},
         "the split basis needs prefill tokens/s per GPU"),
        ("cost_per_mtok", {"annual_tco": 5, "first_year_tokens": 0}, "no tokens in the year"),
    ],
)  # fmt: skip
def test_what_cannot_be_known_is_withheld_with_its_reason(line_name: str, values: dict[str, Any], wanted: str) -> None:
    assert line(line_name, **values) == f"withheld: {wanted}"
