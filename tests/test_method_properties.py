"""What must hold for every plan, whatever its inputs: identities, monotony, and that both engines say the same."""

from __future__ import annotations

import datetime as dt
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import A100, Sheet, alike, along, at, changed, gpt_4o, guide_tenants, inputs, llama, planned, pool
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from planner.calc.numbers import NOT_APPLICABLE
from planner.inputs.model import Inputs, default_rows
from planner.inputs.tables import TABLES, CurveRow, ModelRow, PhaseRow, PoolRow, TenantRow
from planner.plan import Plan, compute
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


# ---- every line, whatever the inputs


def unspoken(plan: Plan) -> list[tuple[str, tuple[int, ...]]]:
    """Numbers that are missing without a word of why."""
    found = []
    for name in plan.program.lines:
        values = plan.values[name]
        if plan.program.kind(name) == "number":
            for index in np.argwhere(np.isnan(values.num)):
                words = values.at(tuple(index))
                if words != NOT_APPLICABLE and not str(words).startswith("withheld: "):
                    found.append((name, tuple(index)))
    return found


@pytest.mark.parametrize("mode", MODES)
@few(4)
@given(data=st.data())
def test_every_line_is_a_number_or_says_why_not(mode: str, data: st.DataObject) -> None:
    assert unspoken(compute(data.draw(any_inputs(mode)))) == []


@pytest.mark.parametrize("horizon", range(1, 37))
def test_every_horizon_computes(horizon: int) -> None:
    mode = MODES[horizon % 3]
    models = {"api": [gpt_4o()], "on_prem": [llama()]}.get(
        mode, [gpt_4o(deployment="api", token_share=0.4), llama(deployment="on_prem", token_share=0.6)]
    )
    plan = planned(models, deployment_mode=mode, horizon_months=horizon, tenants=guide_tenants(), yearly_growth=0.2)
    assert unspoken(plan) == []
    # phases end with month 12: a longer horizon has months in no phase, and the checks say so
    failed = [c for c in plan.labels["check"] if at(plan, "check_state", check=c) != 0]
    assert failed == ([] if horizon <= 12 else ["phases_months", "cost_phases"])
    outside = along(plan, "monthly_tokens")[horizon:] + along(plan, "tco_by_month")[horizon:]
    assert outside == [0] * len(outside)


@pytest.mark.parametrize("mode", MODES)
def test_a_complete_plan_withholds_nothing_that_it_needs(mode: str, tmp_path: Path) -> None:
    models = {"api": [gpt_4o()], "on_prem": [llama()]}.get(
        mode, [gpt_4o(deployment="api", token_share=0.4), llama(deployment="on_prem", token_share=0.6)]
    )
    plan = planned(models, deployment_mode=mode, tenants=guide_tenants(), pools=[pool()])
    assert {n: v for n, v in plan.headlines().items() if isinstance(v, str)} == {
        "risk_level": plan.value("risk_level"), "confidence": plan.value("confidence")
    }  # fmt: skip
    assert plan.value("checks_failed") == 0
    assert differences(plan, tmp_path) == {}


@few(2)
@given(data=st.data())
def test_both_engines_agree_on_every_cell(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    plan = compute(data.draw(any_inputs("hybrid")))
    assert differences(plan, tmp_path_factory.mktemp("engines")) == {}


def differences(plan: Plan, path: Path) -> dict[Any, Any]:
    """Cells that the spreadsheet engine reckons otherwise. Tokens that are nothing but dust of 1e9 are nothing."""
    cells = Sheet(plan.engine).recalculated(path / "plan.xlsx")

    def dust(name: str, pair: Any) -> bool:
        numbers = all(isinstance(v, float) for v in pair)
        return plan.program.unit(name).startswith("token") and numbers and abs(pair[0] - pair[1]) < 1e-3

    return {place: pair for place, pair in cells.items() if not alike(*pair) and not dust(place[0], pair)}


WITHOUT: dict[str, tuple[dict[str, Any], str, str]] = {
    "a price": (
        {"models": [ModelRow(model="our own", token_share=1)], "deployment_mode": "api"},
        "model_price_in", "input price",
    ),
    "a speed": ({"models": [ModelRow(model="our own", token_share=1, gpu=A100)]}, "model_speed", "speed"),
    "a GPU price": (
        {"models": [llama(gpu="new", gpus_per_replica=2, gpu_price_per_hour=None)]}, "model_gpu_price", "GPU price",
    ),
    "weights": ({"models": [llama(model="our own", tokens_per_s_per_gpu=9)]}, "model_gpus_each", "weights"),
    "a known GPU": ({"models": [llama(gpu="new", tokens_per_s_per_gpu=9)]}, "model_gpus_each", "GPU"),
    "a size that fits": ({"models": [llama(weights_gb=1e5)]}, "model_gpus_each", "does not fit"),
    "a pool": ({"pools": []}, "model_coverage", "GPU capacity validation is missing"),
    "a cache": ({"models": [llama(kv_bytes_per_token=0, weights_gb=10)]}, "model_slots", "KV cache"),
}  # fmt: skip


@pytest.mark.parametrize("what", WITHOUT)
def test_what_is_missing_is_named_where_it_is_needed(what: str) -> None:
    given_, name, words = WITHOUT[what]
    plan = planned(**given_)
    assert unspoken(plan) == []
    said = plan.values[name].at((0,) * len(plan.values[name].axes))
    assert str(said).startswith("withheld: ") and words in str(said)


@pytest.mark.parametrize(
    "models",
    [
        [ModelRow(model="our own", token_share=1, gpu=A100, gpus_per_replica=1)],
        [
            llama(token_share=0.5),
            ModelRow(model="our own", token_share=0.5, gpu="H100-80GB-SXM", gpus_per_replica=1),
        ],
    ],
    ids=["one model without a speed", "one of two"],
)
@pytest.mark.parametrize("pools", [[pool()], []], ids=["pools seen", "no pool"])
def test_what_cannot_be_sized_is_never_said_to_hold(models: list[ModelRow], pools: list[PoolRow]) -> None:
    plan = planned(models, pools=pools)
    assert str(plan.value("gpus_planned")).startswith("withheld: ")
    said = f"{plan.value('conclusion_verdict')} {plan.value('chart_demand_title')}"
    assert not [claim for claim in ("plan holds", "carry the peak", "stays above") if claim in said], said
    assert plan.value("risk_level") != "normal"


@pytest.mark.parametrize("what", ["every model", "tokens"])
def test_a_plan_with_gaps_says_the_same_in_both_engines(what: str, tmp_path: Path) -> None:
    models = [m for given_, _, _ in WITHOUT.values() for m in given_.get("models", ())]
    deployed = [m.model_copy(update={"deployment": "on_prem" if m.gpu else "api"}) for m in models]
    plan = {
        "every model": {
            "models": [m.model_copy(update={"token_share": 1 / len(models)}) for m in deployed],
            "deployment_mode": "hybrid", "pools": [], "gpu_ownership": "owned",
        },
        "tokens": {
            "rows": changed("Curves", "custom", **{f"m{i}": 0 for i in range(1, 13)}), "growth_curve": "custom",
            "tenants": guide_tenants(),
        },
    }[what]  # fmt: skip
    assert unspoken(computed := planned(**plan)) == []
    assert differences(computed, tmp_path) == {}


def test_names_like_search_patterns_are_names_in_both_engines(tmp_path: Path) -> None:
    odd = ["*", "grow*", "<5", "=cmd|' /C calc'!A0", "a ~? b", 'the "best"', "日本語"]
    curves = [CurveRow(curve="grown", m1=1), CurveRow(curve="grow*", m2=1)]
    plan = planned(
        [llama(model=name, gpu=A100, token_share=1 / len(odd), tokens_per_s_per_gpu=100) for name in odd],
        tenants=[TenantRow(tenant=name, quota_share=1 / len(odd)) for name in odd],
        pools=[pool(pool=name) for name in odd], rows={"Curves": curves}, growth_curve="GROW*",
    )  # fmt: skip
    assert plan.value("curve_row") == 2
    assert differences(plan, tmp_path) == {}


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
