"""The functions of the worked cases of chapters 3 to 6, reckoned by lines of the product or by a whole plan."""

from __future__ import annotations

from typing import Any

from builders import (
    BLANK,
    along,
    approx,
    at,
    changed,
    default,
    gpt_4o,
    line,
    llama,
    planned,
)

from planner.inputs.model import default_rows
from planner.inputs.tables import TABLES, ModelRow, TenantRow
from planner.plan import Plan
from planner.resources import table

LEVERS = next(t for t in TABLES if t.tab == "Levers")


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
