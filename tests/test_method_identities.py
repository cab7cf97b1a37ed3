"""Identities of demand, GPUs, quotas and money under whatever inputs."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from builders import along, at, changed, gpt_4o, llama, planned
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    CURVES,
    LEVERS,
    MODES,
    close,
    demands,
    few,
    machines,
    maybe,
    part,
    quotas,
    starts,
    tenant_rows,
    tokens,
)

from planner.inputs.tables import PhaseRow, TenantRow
from planner.plan import Plan

# ---- demand


@few(8)
@given(curve=st.sampled_from(CURVES), start=starts, annual=tokens, horizon=st.integers(12, 36), growth=part(-0.5, 1))
def test_months_sum_to_the_year(curve: str, start: dt.date, annual: float, horizon: int, growth: float) -> None:
    plan = planned(
        total_tokens=annual, growth_curve=curve, start_month=start, horizon_months=horizon, yearly_growth=growth
    )
    months = along(plan, "monthly_tokens")
    assert close(sum(months[:12]), annual)
    assert close(sum(along(plan, "quarter_tokens", "quarter")), sum(months))
    assert close(along(plan, "year_tokens", "year")[0], annual)
    if horizon >= 24:
        assert close(sum(months[12:24]), annual * (1 + growth))


@pytest.mark.parametrize("month", [1, 4, 8, 11])
def test_a_calendar_curve_keeps_its_year_from_every_first_month(month: int) -> None:
    plan = planned(growth_curve="seasonal", start_month=dt.date(2027, month, 1))
    months, names = along(plan, "monthly_tokens"), along(plan, "calendar_month")
    assert close(sum(months), 1.8e9)
    assert all((m > 150e6) == (n >= 10) for m, n in zip(months, names, strict=True))


@few(5)
@given(weights=st.lists(maybe | part(0, 5), min_size=12, max_size=12).filter(lambda w: sum(x or 0 for x in w) > 0))
def test_a_typed_curve_is_normalised_and_a_blank_month_is_nothing(weights: list[float | None]) -> None:
    rows = changed("Curves", "custom", **{f"m{i}": w for i, w in enumerate(weights, 1)})
    months = along(planned(growth_curve="custom", rows=rows), "monthly_tokens")
    whole = sum(w or 0 for w in weights)
    assert all(close(m, 1.8e9 * (w or 0) / whole) for m, w in zip(months, weights, strict=True))


@few(6)
@given(demand=demands(), data=st.data())
def test_phases_that_cover_the_months_once_sum_to_the_horizon(demand: dict[str, Any], data: st.DataObject) -> None:
    horizon = demand["horizon_months"]
    ends = sorted({*data.draw(st.sets(st.integers(1, horizon), max_size=4)), horizon})
    phases = [PhaseRow(phase=f"P{e}", month_start=s + 1, month_end=e) for s, e in zip([0, *ends], ends, strict=False)]
    plan = planned(rows={"Phases": phases}, **demand)
    assert close(sum(along(plan, "phase_tokens", "phase")), plan.value("horizon_tokens"))
    assert close(plan.value("phases_tco"), plan.value("horizon_tco"))
    assert close(sum(along(plan, "phase_share", "phase")), 1)
    names = along(plan, "month_phase")[:horizon]
    assert names == [f"P{next(e for e in ends if e >= m)}" for m in range(1, horizon + 1)]


# ---- GPUs


@few(5)
@given(demand=demands(), machine=machines(), more=part(1, 3), typed=maybe | st.sampled_from([1, 4, 8]))
def test_more_demand_never_needs_fewer_gpus(
    demand: dict[str, Any], machine: dict[str, Any], more: float, typed: int | None
) -> None:
    def gpus(total: float) -> list[Any]:
        plan = planned([llama(gpus_per_replica=typed)], **machine, **demand | {"total_tokens": total})
        return along(plan, "gpus_planned_by_month")

    few_gpus, many_gpus = gpus(demand["total_tokens"]), gpus(demand["total_tokens"] * more)
    assert all(a <= b for a, b in zip(few_gpus, many_gpus, strict=True))


@few(6)
@given(demand=demands(), machine=machines(), typed=st.sampled_from([1, 2, 4, 8]))
def test_what_is_bought_carries_what_is_needed_and_wastes_less_than_a_replica(
    demand: dict[str, Any], machine: dict[str, Any], typed: int
) -> None:
    plan = planned([llama(gpus_per_replica=typed, weights_gb=10, kv_bytes_per_token=1)], **demand, **machine)
    least, spare = plan.value("least_replicas"), plan.value("spare_replicas")
    for needed, bought in zip(along(plan, "gpus_required_by_month"), along(plan, "gpus_planned_by_month"), strict=True):
        assert bought % typed == 0
        assert bought >= needed - 1e-9
        assert needed > 0 or bought == 0
        assert bought <= max(needed + typed, least * typed) + spare * typed + 1e-6
    assert close(plan.value("bridge_sum"), plan.value("gpus_planned"))
    assert along(plan, "step_level", "step")[-1] == pytest.approx(plan.value("gpus_planned"), abs=1e-6)


# ---- quotas


@few(6)
@given(demand=demands(), quota=quotas(), data=st.data())
def test_what_becomes_of_a_tenants_quota_adds_up(
    demand: dict[str, Any], quota: dict[str, Any], data: st.DataObject
) -> None:
    rows = data.draw(tenant_rows(demand["start_month"]))
    plan = planned(tenants=rows, **demand, **quota)
    names = (
        "tenant_use", "used_within", "used_burst", "use_best_effort", "use_rejected", "quota_available", "quota_unused",
        "carried_in", "carried_out", "quota_refunded", "quota_forfeited", "reset_loss", "tenant_quota",
    )  # fmt: skip
    for t, row in enumerate(rows):
        carried = 0.0
        for m in range(len(plan.labels["month"])):
            v = {n: at(plan, n, tenant=t, month=m) for n in names}
            dust = 1e-6 + 1e-9 * (v["tenant_use"] + v["quota_available"])
            assert min(v.values()) >= -dust
            used = v["used_within"] + v["used_burst"] + v["use_best_effort"] + v["use_rejected"]
            assert abs(v["tenant_use"] - used) <= dust
            assert abs(v["quota_available"] - v["used_within"] - v["quota_unused"]) <= dust
            kept = v["carried_out"] + v["quota_refunded"] + v["quota_forfeited"]
            assert abs(v["quota_unused"] + v["reset_loss"] - kept) <= dust
            assert abs(carried - v["carried_in"] - v["reset_loss"]) <= dust
            assert v["used_burst"] <= v["tenant_quota"] * ((row.burst_multiple or 1) - 1) + dust
            assert v["use_rejected" if row.fallback != "reject" else "use_best_effort"] <= dust
            assert v["carried_out"] <= quota["roll_over_cap_share"] * v["tenant_quota"] + dust
            if quota["unused_policy"] != "roll_over" or quota["roll_over_expiry_months"] == 0:
                assert v["carried_out"] == 0
            carried = v["carried_out"]
    assert plan.value("claims_committed") == pytest.approx(1)
    assert plan.value("burst_total_share") >= plan.value("claims_guaranteed") - 1e-12


@few(2)
@given(expiry=st.integers(0, 3), cap=part(0, 3), data=st.data())
def test_a_token_that_is_kept_longer_is_never_lost_sooner(expiry: int, cap: float, data: st.DataObject) -> None:
    def lost(**more: Any) -> float:
        plan = planned(
            tenants=[TenantRow(tenant="A", quota_share=1)], growth_curve=curve, unused_policy="roll_over", **more
        )
        return sum(along(plan, "use_best_effort", tenant=0))

    curve = data.draw(st.sampled_from(["s_curve", "front_loaded", "phased", "logistic"]))
    base = lost(roll_over_expiry_months=expiry, roll_over_cap_share=cap)
    assert lost(roll_over_expiry_months=min(3, expiry + 1), roll_over_cap_share=cap) <= base + 1e-3
    assert lost(roll_over_expiry_months=expiry, roll_over_cap_share=cap + 0.5) <= base + 1e-3


# ---- money


@few(5)
@given(data=st.data())
def test_levers_never_save_more_than_is_spent_and_low_is_below_high(data: st.DataObject) -> None:
    typed = st.lists(part(0, 1), min_size=3, max_size=3).map(sorted)
    rows = []
    for r in LEVERS:
        low, expected, high = data.draw(typed)
        rows.append(r.model_copy(update={
            "on": data.draw(st.sampled_from(["yes", "no"])), "eligible_share": data.draw(part(0, 1)),
            "saving_low": low, "saving_expected": expected, "saving_high": high,
        }))  # fmt: skip
    hybrid = [gpt_4o(deployment="api", token_share=0.5), llama(deployment="on_prem", token_share=0.5)]
    plan = planned(hybrid, deployment_mode="hybrid", rows={"Levers": rows})
    low, expected, high, spend, tco = (
        plan.value(n) for n in ("saving_total_low", "saving_total", "saving_total_high", "spend_total", "annual_tco")
    )
    dust = 1e-9 * spend
    assert -dust <= low <= expected + dust <= high + 2 * dust <= spend + 3 * dust
    assert plan.value("tco_after_levers") == pytest.approx(tco - expected)
    assert plan.value("tco_after_levers") >= -dust
    assert all(s >= -dust for s in along(plan, "lever_saving", "lever"))
    assert all(
        at(plan, "lever_saving", lever=i) == pytest.approx(0, abs=dust) for i, r in enumerate(rows) if r.on == "no"
    )
    backwards = planned(hybrid, deployment_mode="hybrid", rows={"Levers": rows[::-1]})
    assert close(backwards.value("saving_total"), expected)


@pytest.mark.parametrize("mode", MODES)
@few(2)
@given(demand=demands(), scale=part(0.1, 20), cached=part(0, 1), batch=part(0, 1))
def test_money_is_in_proportion_to_prices(
    mode: str, demand: dict[str, Any], scale: float, cached: float, batch: float
) -> None:
    def plan(k: float) -> Plan:
        api = gpt_4o(
            deployment="api", token_share={"api": 1, "on_prem": 0}.get(mode, 0.3), input_price_per_mtok=2.5 * k,
            output_price_per_mtok=10 * k, cached_input_price_per_mtok=0.5 * k, batch_input_price_per_mtok=k,
            batch_output_price_per_mtok=6 * k, long_context_share=0.2, long_input_price_per_mtok=5 * k,
        )  # fmt: skip
        own = llama(deployment="on_prem", token_share=1 - api.token_share, gpu_price_per_hour=2 * k)
        return planned(
            [m for m in (api, own) if m.token_share], deployment_mode=mode, cached_input_share=cached,
            batch_share=batch, network_per_month=100 * k, ops_per_month=900 * k, electricity_per_month=50 * k, **demand,
        )  # fmt: skip

    one, other = plan(1), plan(scale)
    moved = [
        n for n in one.program.lines
        if one.program.unit(n) in ("money", "money/month", "money/Mtok", "money/GPU/h")
    ]  # fmt: skip
    assert {"annual_tco", "cost_per_mtok", "phase_tco", "step_money", "left_total_high", "hours_gap_money"} <= {*moved}
    for name in moved:
        for a, b in zip(one.series(name), other.series(name), strict=True):
            assert a == b if isinstance(a, str) else close(a * scale, b), name
    assert close(one.value("unverified_share"), other.value("unverified_share"))


@pytest.mark.parametrize("mode", MODES)
@few(3)
@given(data=st.data())
def test_money_adds_up_by_month_quarter_year_and_model(mode: str, data: st.DataObject) -> None:
    demand = data.draw(demands())
    models = [
        gpt_4o(deployment="api", token_share=0.25),
        gpt_4o(deployment="api", model="GPT-5.5", token_share=0.25),
        llama(deployment="on_prem", token_share=0.5),
    ]
    kept = [m for m in models if mode in ("hybrid", m.deployment)]
    whole = sum(m.token_share for m in kept)
    plan = planned(
        [m.model_copy(update={"token_share": m.token_share / whole}) for m in kept], deployment_mode=mode,
        ops_per_month=123.45, electricity_per_month=6.7, **demand,
    )  # fmt: skip
    months = along(plan, "tco_by_month")
    assert close(sum(months), plan.value("horizon_tco"))
    assert close(sum(along(plan, "quarter_tco", "quarter")), plan.value("horizon_tco"))
    assert close(sum(along(plan, "year_tco", "year")), plan.value("horizon_tco"))
    assert close(along(plan, "tco_to_date")[-1], plan.value("horizon_tco"))
    first_year = min(12, demand["horizon_months"])
    assert close(sum(months[:12]), plan.value("annual_tco"))
    by_model = sum(along(plan, "model_tco", "model"))
    assert close(by_model + first_year * (123.45 + 6.7), plan.value("annual_tco"))
    assert close(plan.value("spend_total"), by_model)
    assert plan.value("monthly_tco_mean") == pytest.approx(plan.value("annual_tco") / first_year)
