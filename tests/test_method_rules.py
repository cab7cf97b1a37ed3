"""What the method says beside its worked cases."""

from __future__ import annotations

from typing import Any

import pytest
from builders import (
    BLANK,
    along,
    approx,
    at,
    changed,
    inputs,
    line,
    llama,
    planned,
)
from reckoned import k_of_n

from planner.inputs.contradictions import contradictions
from planner.inputs.draft import Draft
from planner.inputs.model import default_rows
from planner.inputs.tables import TABLES, TenantRow
from planner.resources import table

PHASES = next(t for t in TABLES if t.tab == "Phases")

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
