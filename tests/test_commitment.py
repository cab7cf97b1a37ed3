"""The commitment of chapter 10 beyond one instrument: firm tiers, a second level, every scenario, one count of supply."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from builders import A100, along, at, gpt_4o, llama, planned, pool
from perturbing import Bench
from portfolios import portfolio, scenarios, tiers, use_case
from test_worked_supply import brute_force, committed, demand_plan

from planner.inputs.portfolio_tables import InstrumentRow
from planner.inputs.tables import PoolRow
from planner.plan import Plan, compute

H100 = "H100-80GB-SXM"
HOURS = 730


def approx(values: Any) -> Any:
    return pytest.approx(values, rel=1e-9, abs=1e-6)


# ---- which demand


FIRM = (10 * 1.3 + 6 * 1.15) / (10 * 1.3 + 6 * 1.15 + 3 + 1)  # with headroom, without buffer and HA


def four_tiers(**more: Any) -> Plan:
    """A use case of every tier on one model: 10, 6, 3 and 1 parts of the load, and headroom of 30 and 15 % on the first two."""
    cases = [
        use_case(f"Case {i}", service_tier=f"tier_{i}", users=users * 20000)
        for i, users in enumerate((10, 6, 3, 1), 1)
    ]  # fmt: skip
    supply = (committed(price_per_unit_hour=1.0, elastic_price_per_unit_hour=3.0),)
    scalars = {"ha_factor": 1.0, "buffer_factor": 1.0, "commitment_demand": "all"} | more
    rows = {"Supply": supply, "Tiers": scalars.pop("tier_rows", tiers()), "Scenarios": scenarios()}
    return compute(portfolio(cases, rows=rows, models=[llama(gpus_per_replica=1)], **scalars))


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ({}, FIRM),
        ({"tier_rows": tiers(tier_2={"action": "defer"})}, 13 / 23.9),
        ({"tier_rows": tiers(tier_4={"action": "protect"})}, 20.9 / 23.9),
        ({"ha_factor": 1.5, "buffer_factor": 1.3}, (10 * 2.25 + 6 * 2.1) / (10 * 2.25 + 6 * 2.1 + 4 * 1.95)),
        ({"committable_basis": "share", "committable_share": 0.3}, 0.3),
        ({"demand_basis": "top_down", "committable_share": 0.4}, 0.4),
    ],
    ids=[
        "protected and shaped",
        "tier 2 may wait",
        "tier 4 is protected",
        "with buffer and HA",
        "by share",
        "from above",
    ],
)
def test_firm_tiers_may_be_committed_and_a_share_where_there_are_none(more: dict[str, Any], part: float) -> None:
    plan = four_tiers(**more)
    need = along(plan, "instrument_need", instrument=0)
    assert max(n for n in need if isinstance(n, float)) > 1
    assert along(plan, "instrument_stable", instrument=0) == approx([n * part for n in need])  # type: ignore[operator]


def test_provisioned_units_weigh_the_use_cases_of_their_own_model() -> None:
    """Two API models with unlike mixes: units of one are sized on its own input, cache, output and peak."""
    models = [gpt_4o(model="A", input_price_per_mtok=1, output_price_per_mtok=2),
              gpt_4o(model="B", input_price_per_mtok=1, output_price_per_mtok=2)]  # fmt: skip
    cases = [
        use_case("Reads", model="A", input_tokens=3000, output_tokens=100, cached_input_share=0.5, peak_factor=4,
                 users=50000, retry_rate=0),
        use_case("Writes", model="B", input_tokens=100, output_tokens=2000, users=50000, retry_rate=0),
    ]  # fmt: skip
    units = InstrumentRow(instrument="PTU", instrument_kind="committed", unit_kind="provisioned", model="A",
                          unit_rate_per_min=3400, output_weight=8, increment=5, minimum=15)  # fmt: skip
    plan = compute(portfolio(cases, models=models, deployment_mode="api", rows={"Supply": (units,)}))
    requests_per_min = 50000 * 0.6 * 20 * 1.5 / (30 * 24 * 60) * 4
    wanted = requests_per_min * (3000 * (1 - 0.5) + 100 * 8)
    assert at(plan, "instrument_normalised", instrument=0, month=0) == approx(wanted)
    assert at(plan, "instrument_units_exact", instrument=0, month=0) == approx(wanted / 3400)


def test_what_pools_give_serves_the_firm_tiers_first() -> None:
    """What is missing beyond the pools is committed only as far as the firm tiers are short themselves."""
    whole = along(four_tiers(), "gpus_planned_by_month")[-1]
    assert isinstance(whole, float)
    there = round(whole * 0.7)
    plan = four_tiers(commitment_demand="missing", pools=[pool(region="eu-west", gpus_total=there, gpus_allocated=0)])
    assert along(plan, "instrument_need", instrument=0)[-1] == whole - there
    assert along(plan, "instrument_stable", instrument=0)[-1] == approx(whole * FIRM - there)
    more = four_tiers(
        commitment_demand="missing", pools=[pool(region="eu-west", gpus_total=round(whole * 0.9), gpus_allocated=0)]
    )
    assert along(more, "instrument_need", instrument=0)[-1] > 0  # type: ignore[operator]
    assert along(more, "instrument_stable", instrument=0)[-1] == 0


# ---- a second commitment of the same kind


def cost_of(levels: Sequence[tuple[float, float, int]], need: Sequence[float], elastic: float) -> float:
    """Levels with their price by the hour and term, and elastic units for the rest."""
    paid = sum(level * price * HOURS * min(term, len(need)) for level, price, term in levels)
    left = [max(0.0, n - sum(q for q, _, term in levels if i < term)) for i, n in enumerate(need)]
    return paid + sum(left) * elastic * HOURS


@pytest.mark.parametrize("seed", range(4))
def test_a_typed_second_level_and_the_first_that_follows_it(seed: int) -> None:
    draw = random.Random(seed)
    need = [float(draw.choice((2, 4, 6, 9, 14, 20))) for _ in range(12)]
    second = float(draw.choice((0, 2, 5, 8)))
    elastic, price, cheap = 3.0, 1.9, draw.choice((1.0, 1.5, 2.6))
    rows = [
        committed(price_per_unit_hour=price, elastic_price_per_unit_hour=elastic, term_months=12),
        committed(instrument="Longer", price_per_unit_hour=cheap, elastic_price_per_unit_hour=elastic, term_months=36,
                  typed_level=second),
    ]  # fmt: skip
    plan = demand_plan(need, rows)
    best = min((cost_of([(q, price, 12), (second, cheap, 36)], need, elastic), q) for q in map(float, range(22)))
    alone = min(cost_of([(q, price, 12)], need, elastic) for q in map(float, range(22)))
    assert at(plan, "instrument_level", instrument=0) == best[1]
    assert at(plan, "instrument_level", instrument=1) == second
    assert at(plan, "instrument_mix_cost", instrument=0) == approx(best[0])
    assert at(plan, "instrument_alone_cost", instrument=0) == approx(alone)
    assert at(plan, "instrument_mix_saving", instrument=0) == approx(alone - best[0])
    parts = [at(plan, "instrument_cost_least", instrument=i) for i in (0, 1)]
    assert sum(parts) == approx(best[0])  # type: ignore[arg-type]
    assert along(plan, "instrument_kind_committed", instrument=0) == [best[1] + second] * 12
    assert at(plan, "instrument_tail", instrument=1) == approx(second * cheap * HOURS * 24)


def test_a_second_commitment_without_a_level_fails_its_check_and_counts_as_none() -> None:
    rows = [committed(price_per_unit_hour=1.0), committed(instrument="Other", price_per_unit_hour=1.2)]
    plan = demand_plan([8.0] * 12, rows)
    assert (plan.value("commitments_untyped"), plan.value("checks_failed")) == (1, 1)
    assert at(plan, "instrument_level", instrument=0) == brute_force([8.0] * 12, rows[0], 3.43)[1]
    assert at(plan, "instrument_level", instrument=1) == 0
    left_out = demand_plan([8.0] * 12, [rows[0], rows[1].model_copy(update={"typed_level": 0.0})])
    assert left_out.value("checks_failed") == 0


# ---- every scenario


@cache
def by_scenario() -> Plan:
    """Twice the calls, half the supply and dearer GPUs in the other scenario; two kinds of instrument rows."""
    cases = [use_case(f"Case {i}", service_tier=f"tier_{i}", users=users * 12000, adoption_start=1, adoption_end=4, adoption_from=0.2,
                      adoption_shape="linear") for i, users in enumerate((9, 6, 4), 1)]  # fmt: skip
    supply = (
        committed(price_per_unit_hour=1.2, increment=2, minimum=4, term_months=10),
        committed(instrument="Longer", price_per_unit_hour=0.9, term_months=36, typed_level=3.0),
        InstrumentRow(instrument="cloud", gpu=A100, price_per_unit_hour=3.0),
    )
    other = scenarios(calls_factor=2.0, supply_factor=0.5, price_factor=1.5, include_proposed="yes")
    rows = {"Supply": supply, "Scenarios": other}
    pools = [pool(region="eu-west", gpus_total=6, gpus_allocated=0)]
    return compute(portfolio(cases, rows=rows, pools=pools, models=[llama(gpus_per_replica=1)], ha_factor=1.0))


@pytest.mark.parametrize("scenario", [0, 1])
def test_regret_cover_and_unused_money_in_every_scenario(scenario: int) -> None:
    plan = by_scenario()
    firm = along(plan, "in_scenario_instrument_stable", scenario=scenario, instrument=0)
    need = [float(n) for n in along(plan, "in_scenario_instrument_need", scenario=scenario, instrument=0)]  # type: ignore[arg-type]
    open_ = [max(0.0, float(n) - 3) for n in firm]  # type: ignore[arg-type]
    elastic = 2.0 * (1.5 if scenario else 1.0)
    level = at(plan, "instrument_level", instrument=0)
    assert isinstance(level, float)
    assert level > 0

    def cost(q: float) -> float:
        return cost_of([(q, 1.2, 10)], open_, elastic)

    best = min(cost(q) for q in (0.0, *(float(x) for x in range(4, 400, 2))))
    second = 3 * 0.9 * HOURS * 12
    assert at(plan, "scenario_level_cost", scenario=scenario, instrument=0) == approx(cost(level))
    assert at(plan, "scenario_least_cost", scenario=scenario, instrument=0) == approx(best)
    assert at(plan, "scenario_regret", scenario=scenario, instrument=0) == approx(cost(level) - best)
    assert at(plan, "scenario_chosen_cost", scenario=scenario) == approx(cost(level) + second)
    assert at(plan, "scenario_regret_sum", scenario=scenario) == approx(cost(level) - best)
    unused = sum(max(0.0, level - n) for i, n in enumerate(open_) if i < 10) * 1.2 * HOURS
    assert at(plan, "scenario_unused_money", scenario=scenario, instrument=0) == approx(unused)
    cover = [min(1.0, (level * (i < 10) + 3) / n) if n else "–" for i, n in enumerate(need)]
    assert along(plan, "scenario_cover", scenario=scenario, instrument=0) == [
        approx(c) if c != "–" else c for c in cover
    ]


def test_the_first_scenario_regrets_nothing_and_the_finding_names_the_worst() -> None:
    plan = by_scenario()
    worst = at(plan, "scenario_regret_sum", scenario=1)
    assert isinstance(worst, float)
    assert plan.value("base_regret") == 0 < worst == plan.value("regret_worst")
    assert f"worst in other: it costs {worst:,.0f} USD more" in str(plan.value("regret_said"))
    assert plan.value("checks_failed") == 0


def test_a_scenario_takes_supply_from_what_is_available_by_month() -> None:
    """Chapter 7: the multiplier acts on chapter 9's available; an order counts from its month, in coverage too."""
    order = InstrumentRow(instrument="order", gpu=A100, quantity_ordered=10, starts_on=dt.date(2027, 4, 1))
    pools = [pool(region="eu-west", gpus_total=20, gpus_allocated=4, core_utilization=0.5, maintenance_share=0.1)]
    rows = {"Supply": (order,), "Scenarios": scenarios(supply_factor=0.5)}
    plan = compute(portfolio([use_case(users=90000)], rows=rows, pools=pools))
    available = [20 * 0.9 - 4 if i < 3 else 30 * 0.9 - 4 for i in range(12)]
    for s, left in enumerate((1.0, 0.5)):
        assert along(plan, "in_scenario_pool_available", scenario=s, pool=0) == approx([a * left for a in available])
        wanted = along(plan, "in_scenario_gpus_planned_by_month", scenario=s)
        cover = [a * left / n for a, n in zip(available, wanted, strict=True)]  # type: ignore[operator]
        assert along(plan, "in_scenario_coverage", scenario=s) == approx(cover)
        speed = at(plan, "in_scenario_pool_speed", scenario=s, pool=0)
        assert along(plan, "in_scenario_pool_tokens_per_s", scenario=s, pool=0) == approx(
            [a * left * speed for a in available]  # type: ignore[operator]
        )


def test_shortage_can_reckon_with_effective_capacity() -> None:
    cases, models = [use_case(users=90000)], [llama(gpus_per_replica=4)]
    pools = [pool(region="eu-west", gpus_total=11, gpus_allocated=0)]
    plan = compute(portfolio(cases, pools=pools, models=models, shortage_supply="effective"))
    ceiling = at(plan, "pool_ceiling", pool=0)
    speed = at(plan, "pool_speed", pool=0)
    assert isinstance(ceiling, float)
    assert isinstance(speed, float)
    assert 0 < ceiling < 1
    assert along(plan, "pool_tokens_per_s", pool=0) == approx([8 * ceiling * speed] * 12)  # two replicas of 4 in 11
    assert plan.value("checks_failed") == 0


# ---- one count of supply


def test_need_and_verdict_are_one_story_and_only_the_unmeasured_is_between_them() -> None:
    """By allocation 60 GPUs are free, by compute 16 - 8 x 0.9 of the first pool: the portfolio counts as the verdict."""
    pools = [
        pool(pool="busy", gpus_total=16, gpus_allocated=8, core_utilization=0.9),
        pool(pool="on paper", gpus_total=10),
    ]
    rows = [committed(price_per_unit_hour=1.0, elastic_price_per_unit_hour=3.0)]
    plan = demand_plan([40.0] * 12, rows, commitment_demand="missing", pool_row=pools[0])
    room = int(16 * 0.85 - 8 * 0.9)
    assert at(plan, "pool_supply", pool=0, month=0) == room
    assert along(plan, "instrument_need", instrument=0) == [40.0 - room] * 12 == along(plan, "gap_by_month")
    assert plan.value("checks_failed") == 0
    inputs = plan.inputs
    more = compute(replace(inputs, rows={**inputs.rows, "Pools": (*pools, None)}))
    assert along(more, "gpus_unconfirmed") == [10.0] * 12
    assert along(more, "instrument_need", instrument=0) == [30.0 - room] * 12
    assert along(more, "gap_by_month") == [40.0 - room] * 12
    assert (more.value("need_apart"), more.value("checks_failed")) == (0, 0)


@pytest.mark.parametrize("mode", ["mig", "vgpu"])
def test_slices_under_the_name_of_a_whole_gpu_count_for_no_replica(mode: str) -> None:
    sliced = PoolRow(pool="slices", gpu=A100, mode=mode, gpus_total=56.0, gpus_allocated=0.0)
    rows = [InstrumentRow(instrument="cloud", gpu=A100, price_per_unit_hour=3.0)]
    plan = demand_plan([8.0] * 12, rows, commitment_demand="missing", pool_row=sliced)
    assert along(plan, "pool_available", pool=0) == [0.0] * 12 == along(plan, "model_coverage", model=0)
    assert (plan.value("gpus_secured"), at(plan, "model_pool_usable", model=0)) == (0, 0)
    assert at(plan, "pool_usable", pool=0) == "withheld: slices, no whole GPUs"
    assert at(plan, "pool_slice_excuse", pool=0) == "▲ slices: name the profile as GPU"
    assert along(plan, "instrument_need", instrument=0) == [8.0] * 12 == along(plan, "gap_by_month")
    assert plan.value("checks_failed") == 0


# ---- what is not known is not drawn


@pytest.mark.parametrize(
    ("more", "known"),
    [
        ({}, {"rent"}),
        ({"api_alternative_per_mtok": 4.0}, {"rent", "api"}),
        ({"capex_per_gpu": 20000.0, "electricity_price_per_kwh": 0.1}, {"rent", "own"}),
    ],
    ids=["rent alone", "no purchase price", "no API price"],
)
def test_a_way_that_is_not_known_hides_behind_one_that_is(more: dict[str, Any], known: set[str]) -> None:
    """On the axis it would look free of charge."""
    plan = planned(**more)
    for way in ("own", "rent", "api"):
        shown = way if way in known else "rent"
        assert along(plan, f"{way}_drawn") == along(plan, f"{shown}_to_date")
        assert along(plan, f"use_{way}_drawn", "use") == along(plan, f"use_{shown}", "use")
        assert str(plan.value(f"{way}_called")).endswith(": not known") is (way not in known)
    title = str(plan.value("chart_ways_title"))
    assert title.count("not known") == 3 - len(known) and "withheld" not in title


def test_a_wait_allowed_that_is_not_known_hides_behind_the_wait() -> None:
    plan = planned()
    assert plan.value("allowed_called") == "Wait allowed: not known"
    assert along(plan, "grid_allowed_drawn", "grid") == along(plan, "grid_drawn", "grid")


# ---- alive in the workbook


def test_the_commitment_follows_edits_inside_the_workbook(tmp_path: Path) -> None:
    bench = Bench(by_scenario(), tmp_path)
    words = ("committable_", "commitment_demand", "shortage_supply", "Supply row 2", "Tiers row 2")
    ours = [c for c in bench.changes() if c.what.startswith(words)]
    assert len(ours) > 10
    assert [w[0] for change in ours[::5] if (w := bench.try_change(change))] == []
