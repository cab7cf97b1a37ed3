"""The planning guide's own example: every figure that it prints, from the same inputs."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from builders import (
    along,
    approx,
    at,
    guide_tenants,
    llama,
    planned,
)

from planner.inputs.tables import ModelRow

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
