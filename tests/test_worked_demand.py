"""The worked cases of chapters 7 and 8, against plans from code; and what must hold whatever the inputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import LLAMA, along, at, llama, pool
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from portfolios import HOME, planned, portfolio, scenarios, short, tiers, use_case

from planner.inputs.contradictions import contradictions
from planner.inputs.draft import Draft
from planner.inputs.model import Inputs
from planner.inputs.portfolio import RangeRow, RegionRow, ScenarioRow
from planner.plan import Plan, compute

CASES = {c["id"]: c for c in json.loads((Path(__file__).parent / "worked_demand.json").read_text("utf-8"))["cases"]}


def near(wanted: Any) -> Any:
    return pytest.approx(wanted, rel=1e-9, abs=1e-9)


# ---- chapter 7


def _month(plan: Plan, base: str = "") -> dict[str, float]:
    """Requests and tokens of the first month."""
    share = at(plan, "use_case_adoption", use_case=0, month=0)
    found = {"tokens": f"{base}ledger_tokens", "input": f"{base}ledger_input_tokens"}
    coord = {"scenario": 1, "month": 0} if base else {"month": 0}
    got: dict[str, Any] = {k: at(plan, n, **coord) for k, n in found.items()}
    got["output"] = got["tokens"] - got["input"]
    got["requests"] = got["tokens"] / at(plan, "stream_tokens_each", stream=0)
    assert isinstance(share, float)
    return got


def _case(
    users: float, adopted: float, transactions: float, requests: float, in_tok: float, out_tok: float, retry: float
) -> Any:
    return use_case(
        users=users, adoption_to=adopted, transactions_per_user=transactions, requests_per_transaction=requests,
        input_tokens=in_tok, output_tokens=out_tok, retry_rate=retry,
    )  # fmt: skip


def test_7_1_a_month_of_the_ledger() -> None:
    plan = planned([_case(**CASES["7.1"]["inputs"])])
    assert _month(plan) == near(CASES["7.1"]["output"])
    assert at(plan, "use_case_requests", use_case=0) * 0.6 == near(91800)
    assert plan.value("annual_tokens") == near(12 * 137.7e6)


@pytest.mark.parametrize("case", ["7.2", "7.3", "7.4"])
def test_7_adoption(case: str) -> None:
    said = CASES[case]["inputs"]
    row = use_case(
        adoption_start=said["start"], adoption_end=said["end"], adoption_shape=said["shape"],
        adoption_from=said.get("a0", 0), adoption_to=said.get("a1", 1),
    )  # fmt: skip
    plan = planned([row])
    assert at(plan, "use_case_adoption", use_case=0, month=said["t"] - 1) == near(CASES[case]["output"])
    assert at(plan, "use_case_adoption", use_case=0, month=said["start"] - 2) == 0
    assert at(plan, "use_case_adoption", use_case=0, month=11) == near(said.get("a1", 1))


def test_7_5_the_same_under_stress() -> None:
    said = dict(CASES["7.5"]["inputs"])
    scen = said.pop("scen")
    changed = scenarios(adoption_factor=scen["adoption"], calls_factor=scen["calls"])
    plan = planned([_case(**said)], rows={"Scenarios": changed})
    assert _month(plan, "in_scenario_") == near(CASES["7.5"]["output"])


def test_7_6_its_peak() -> None:
    said, wanted = CASES["7.6"]["inputs"], CASES["7.6"]["output"]
    row = use_case(
        operating_days=said["operating_days"], operating_hours=said["operating_hours"],
        peak_factor=said["peak_factor"], e2e_s=said["e2e_s"],
    )  # fmt: skip
    plan = planned([row])
    assert at(plan, "ledger_peak", month=0) == near(wanted["peak_tokens_per_s"])
    assert at(plan, "ledger_model_held", model=0, month=0) == near(wanted["peak_concurrency"])
    assert at(plan, "ledger_peak", month=0) / 1500 == near(wanted["peak_requests_per_s"])


@pytest.mark.parametrize("figure", ["tokens", "gpus"])
def test_7_7_the_tornado(figure: str) -> None:
    """Tokens as published; GPUs before rounding are the same product and swing alike."""
    said, wanted = CASES["7.7"]["inputs"], CASES["7.7"]["output"]
    drivers = [
        RangeRow(range=n, acts_on="tokens", effect="times", low=a, expected=e, high=h) for n, a, e, h in said["drivers"]
    ]
    plan = planned([use_case(users=5000 / 12)], rows={"Ranges": drivers}, range_figure=figure)
    whole = plan.value("range_expected_figure") / said["expected"]
    if figure == "tokens":
        assert whole == near(1)
    for i, (name, *_) in enumerate(said["drivers"]):
        bar = [at(plan, f"range_bar_{end}", range=i) for end in ("low", "high")]
        assert bar == near([x * whole for x in wanted["bars"][name]])
    count = len(said["drivers"])
    assert along(plan, "ranked_label", "place")[:count] == wanted["rank"]
    ends = [at(plan, n, figure=figure) for n in ("figure_optimistic", "figure_pessimistic")]
    assert ends == near([x * whole for x in wanted["all_at_once"]])
    apart = [at(plan, n, figure=figure) for n in ("figure_low", "figure_high")]
    assert apart == near([x * whole for x in wanted["independent"]])


def test_a_range_of_cost_moves_its_parts_alone() -> None:
    """Prices move all but what is fixed, speed moves GPUs against itself, 1 + rate for retries."""
    drivers = [
        RangeRow(range="price", acts_on="price", effect="times", low=0.9, expected=1, high=1.1),
        RangeRow(range="speed", acts_on="speed", effect="times", low=0.5, expected=1, high=2),
        RangeRow(range="retry", acts_on="tokens", effect="one_plus", low=0.01, expected=0.02, high=0.06),
    ]
    plan = planned([use_case()], rows={"Ranges": drivers}, ops_per_month=1000.0, range_figure="tco")
    tco, gpu = plan.value("annual_tco"), plan.value("spend_gpu")
    assert plan.value("range_fixed_part") == near(12000)
    assert at(plan, "range_bar_high", range=0) == near(tco + 0.1 * gpu)
    assert [at(plan, f"range_bar_{e}", range=1) for e in ("low", "high")] == near([tco - gpu / 2, tco + gpu])
    assert at(plan, "range_bar_high", range=2) == near(12000 + gpu * 1.06 / 1.02)


SHAPES = {
    "step": lambda x: 1, "linear": lambda x: x, "fast": lambda x: 1 - (1 - x) ** 2, "slow": lambda x: x * x,
    "smooth": lambda x: x * x * (3 - 2 * x),
    "logistic": lambda x: (_s(x) - _s(0)) / (_s(1) - _s(0)),
}  # fmt: skip


def _s(z: float) -> float:
    return float(1 / (1 + np.exp(-10 * (z - 0.5))))


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_follows_its_formula_and_ends_at_the_full_share(shape: str) -> None:
    row = use_case(adoption_start=2, adoption_end=9, adoption_shape=shape, adoption_from=0.1, adoption_to=0.8)
    got = along(planned([row]), "use_case_adoption", use_case=0)
    assert got[0] == 0
    for month in range(1, 12):
        x = min(1, month / 8)
        assert got[month] == near(0.1 + 0.7 * SHAPES[shape](x))


# ---- chapter 8


@pytest.mark.parametrize("case", ["8.1", "8.2", "8.3"])
def test_8_shortage(case: str) -> None:
    said = CASES[case]["inputs"]
    asked = [[said["d1"], said["d2"], said["d3"], said["d4"]]]
    engine = short([said["capacity"]], asked, deadline=said.get("deadline", 1), floor=said.get("floor", 0.7))

    def tier(name: str, row: int, month: int) -> Any:
        return engine.values[name].at((0, row - 1, month))

    for month, wanted in enumerate(CASES[case]["output"]):
        got = {f"served{k}": tier("tier_served", k, month) for k in (1, 2, 4)}
        got |= {
            "unserved1": tier("tier_unserved", 1, month), "shaped2": tier("tier_shaped", 2, month),
            "below_floor2": tier("tier_below_floor", 2, month), "opening_backlog3": tier("tier_opening", 3, month),
            "served3_own": tier("tier_served", 3, month), "served3_backlog": tier("tier_served_backlog", 3, month),
            "deferred3": tier("tier_deferred", 3, month), "late3": tier("tier_late", 3, month),
            "late3_own": tier("tier_late_own", 3, month), "closing_backlog3": tier("tier_closing", 3, month),
            "paused4": tier("tier_paused", 4, month), "spare": engine.values["short_spare"].at((0, month)),
            "critical": float(tier("tier_state", 1, month) == "■ unserved"),
        }  # fmt: skip
        assert got == near(wanted), month


AMOUNT = st.one_of(st.just(0.0), st.floats(0.001, 1e11))
MONTHS = 5


@st.composite
def shortages(draw: Any) -> dict[str, Any]:
    pools, count = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    row = st.lists(AMOUNT, min_size=MONTHS, max_size=MONTHS)
    actions = st.sampled_from(["protect", "shape", "defer", "pause", ""])
    return {
        "capacity": [draw(row) for _ in range(pools)],
        "demand": [[draw(row) for _ in range(count)] for _ in range(pools)],
        "rules": [draw(actions) for _ in range(count)],
        "deadline": draw(st.integers(0, 3)),
        "floor": draw(st.floats(0, 1)),
        "api": draw(AMOUNT),
        "unplaced": draw(AMOUNT),
    }


@settings(max_examples=120, deadline=None)
@given(shortages())
def test_nothing_goes_astray_in_a_shortage(case: dict[str, Any]) -> None:
    """The identities hold in every tier and month, nothing is negative, and no more is served than there is."""
    engine = short(**case)
    v = {n: engine.values[n].numbers for n in engine.program.lines if engine.program.kinds[n] == "number"}
    size = max(1.0, *np.ravel(case["capacity"]), *np.ravel(case["demand"]), case["api"], case["unplaced"])
    dust = size * 1e-12
    parts = ("tier_served", "tier_unserved", "tier_shaped", "tier_below_floor", "tier_deferred", "tier_late_own",
             "tier_paused", "tier_closing", "tier_late_backlog", "tier_served_backlog", "pool_spare")  # fmt: skip
    for name in parts:
        assert v[name].min() >= -dust, name
    asked = engine.values["in_scenario_tier_tokens"].numbers
    lost = engine.values["in_scenario_tier_unplaced_tokens"].numbers
    together = sum(v[n] for n in parts[:7]) + lost
    assert np.allclose(together, asked, rtol=0, atol=dust * 20)
    moved = v["tier_served_backlog"] + v["tier_late_backlog"] + v["tier_closing"]
    assert np.allclose(v["tier_opening"] + v["tier_deferred"], moved, rtol=0, atol=dust * 20)
    assert np.allclose(v["tier_opening"][..., 1:], v["tier_closing"][..., :-1], rtol=0, atol=dust * 20)
    assert np.allclose(v["short_capacity"], v["short_served"] + v["short_spare"], rtol=0, atol=dust * 20)


@settings(max_examples=60, deadline=None)
@given(shortages(), st.floats(1, 3))
def test_more_supply_never_serves_less_of_a_protected_tier(case: dict[str, Any], more: float) -> None:
    case["rules"][0] = "protect"
    less = short(**case).values["tier_unserved"].numbers[0, 0]
    richer = case | {"capacity": [[c * more for c in row] for row in case["capacity"]]}
    got = short(**richer).values["tier_unserved"].numbers[0, 0]
    assert (got <= less + 1e-6).all()


def test_the_order_of_rows_is_the_order_of_service() -> None:
    first = short([[10.0]], [[[8.0], [8.0]]], rules=("protect", "pause"))
    turned = short([[10.0]], [[[8.0], [8.0]]], rules=("pause", "protect"))
    assert first.values["tier_unserved"].at((0, 0, 0)) == 0
    assert turned.values["tier_unserved"].at((0, 1, 0)) == 6


# ---- scenarios on whole plans


@st.composite
def ledgers(draw: Any) -> list[Any]:
    made = []
    for i in range(draw(st.integers(1, 4))):
        made.append(
            use_case(
                f"Case {i}",
                service_tier=draw(st.sampled_from(["tier_1", "tier_2", "tier_3", "tier_4"])),
                approval=draw(st.sampled_from(["approved", "production", "proposed"])),
                users=draw(st.floats(1, 1e6)),
                adoption_shape=draw(st.sampled_from(list(SHAPES))),
                adoption_start=draw(st.integers(-5, 14)),
                adoption_end=draw(st.integers(-5, 20)),
                adoption_to=draw(st.floats(0.01, 1)),
                cached_input_share=draw(st.floats(0, 1)),
            )
        )
    return made


@st.composite
def spread(draw: Any) -> tuple[list[Any], list[tuple[str, int]]]:
    """Use cases with and without a residency over two regions, and pools of one kind in both."""
    places = st.sampled_from([HOME, "us-east"])
    cases = [
        use_case(f"Case {i}", region=draw(places), residency=draw(st.sampled_from(["", HOME, "us-east"])),
                 service_tier=draw(st.sampled_from(["tier_1", "tier_1", "tier_3"])), users=draw(st.integers(1, 400)) * 1e4)
        for i in range(draw(st.integers(1, 4)))
    ]  # fmt: skip
    return cases, draw(st.lists(st.tuples(places, st.integers(0, 6)), min_size=1, max_size=3))


def _served(cases: list[Any], there: list[tuple[str, int]]) -> float:
    """Tokens of tier 1 that pools of so many free GPUs serve over the plan."""
    pools = [pool(pool=f"p{i}", region=region, gpus_total=20, gpus_allocated=20 - free)
             for i, (region, free) in enumerate(there)]  # fmt: skip
    regions = [RegionRow(region=HOME), RegionRow(region="us-east")]
    plan = planned(cases, pools=pools, rows={"Regions": regions}, horizon_months=2)
    assert plan.value("demand_astray") < 1
    return float(sum(along(plan, "tier_served", scenario=0, service_tier=0)))  # type: ignore[arg-type]


@settings(max_examples=7, deadline=None, phases=[Phase.explicit, Phase.generate])
@example(([use_case(region="us-east", users=3e6)], [(HOME, 10), ("us-east", 0)]), 1)
@given(spread(), st.integers(0, 2))
def test_one_more_gpu_in_any_pool_never_serves_less_of_tier_1(
    made: tuple[list[Any], list[tuple[str, int]]], which: int
) -> None:
    """Wherever it is added: use cases are spread over the pools that may serve them, and nobody is drawn to a small one."""
    cases, there = made
    more = [(region, free + (i == which % len(there))) for i, (region, free) in enumerate(there)]
    before, after = _served(cases, there), _served(cases, more)
    assert after >= before * (1 - 1e-9)


@settings(max_examples=10, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(ledgers(), st.floats(1, 3))
def test_base_is_the_plan_and_more_demand_never_needs_fewer_gpus(cases: list[Any], more: float) -> None:
    changed = scenarios(users_factor=more, adoption_factor=more, include_proposed="yes")
    plan = planned(cases, rows={"Scenarios": changed})
    for name in ("monthly_tokens", "gpus_planned_by_month", "tco_by_month", "coverage"):
        assert along(plan, f"in_scenario_{name}", scenario=0) == along(plan, name), name  # to the last bit
    base = along(plan, "in_scenario_gpus_planned_by_month", scenario=0)
    larger = along(plan, "in_scenario_gpus_planned_by_month", scenario=1)
    assert all(b >= a for a, b in zip(base, larger, strict=True))
    assert plan.value("checks_failed") == 0
    assert plan.value("demand_astray") < 1


def test_a_scenario_moves_what_it_says() -> None:
    """Peak, speed, prices, supply and migration, each by itself."""
    models = [llama(), llama(model="Other", tokens_per_s_per_gpu=300, gpus_per_replica=1)]
    rows = [
        ScenarioRow(scenario="base"), ScenarioRow(scenario="peak", peak_factor=2.0),
        ScenarioRow(scenario="fast", throughput_factor=2.0), ScenarioRow(scenario="dear", price_factor=1.5),
        ScenarioRow(scenario="lost", lost_pool="main"), ScenarioRow(scenario="gone", lost_region=HOME),
        ScenarioRow(scenario="moved", migrate_from="Llama 3 70B", migrate_to="Other"),
        ScenarioRow(scenario="room", headroom_add=0.5), ScenarioRow(scenario="half", supply_factor=0.5),
    ]  # fmt: skip
    plan = planned([use_case(users=500000)], models=models, rows={"Scenarios": rows})

    def of(name: str, scenario: int, **more: Any) -> Any:
        return at(plan, f"in_scenario_{name}", scenario=scenario, **more)

    assert of("ledger_peak", 1, month=0) == near(2 * of("ledger_peak", 0, month=0))
    assert of("ledger_tokens", 1, month=0) == near(of("ledger_tokens", 0, month=0))
    peak = {"model": 0, "month": 0}
    assert of("model_gpus_peak", 2, **peak) == near(of("model_gpus_peak", 0, **peak) / 2)
    assert of("gpu_cost_by_month", 3, month=0) == near(1.5 * of("gpu_cost_by_month", 0, month=0))
    assert of("gpus_secured", 4) == 0 == of("gpus_secured", 5)
    assert of("tier_unplaced_tokens", 4, service_tier=0, month=0) == near(of("ledger_tokens", 0, month=0))
    assert at(plan, "tier_state", scenario=4, service_tier=0, month=0) == "■ no pool"
    assert of("model_gpus_peak", 6, **peak) == 0
    assert of("model_gpus_peak", 6, model=1, month=0) == near(of("model_gpus_peak", 0, **peak) / 2)
    base, roomy = of("model_gpus_headroom", 0, **peak), of("model_gpus_headroom", 7, **peak)
    assert roomy - base == near(0.5 * of("model_gpus_peak", 0, **peak))
    assert of("gpus_secured", 8) == near(of("gpus_secured", 0) / 2)


def test_top_down_with_a_ledger_takes_the_volume_from_the_target() -> None:
    """The ledger says the mix, the target the volume; the gap is shown by tenant and tier."""
    said = portfolio([use_case(), use_case("Batch", service_tier="tier_3")], total_tokens=3e9)
    plan = compute(said)
    top = compute(portfolio([use_case(), use_case("Batch", service_tier="tier_3")], total_tokens=3e9))
    assert plan.value("annual_tokens") == near(2 * 12 * 137.7e6)
    assert top.value("ledger_gap") == near(2 * 12 * 137.7e6 - 3e9)
    assert at(top, "pair_gap", tenant=0, service_tier=0) == near(12 * 137.7e6 - 1.5e9)
    down = compute(type(said)(said.plan.model_copy(update={"demand_basis": "top_down"}), said.rows))
    assert down.value("annual_tokens") == 3e9
    assert at(down, "tier_tokens", service_tier=0, month=0) == near(3e9 / 12 / 2)
    assert at(down, "in_scenario_monthly_tokens", scenario=0, month=0) == near(3e9 / 12)
    assert at(down, "in_scenario_monthly_tokens", scenario=1, month=0) == near(3e9 / 12 * 1.1 * 1.2 * 1.3)


def test_residency_and_model_narrow_the_pools() -> None:
    pools = [pool(pool="far", region="us-east"), pool(pool="near", region=HOME)]
    regions = [RegionRow(region=HOME), RegionRow(region="us-east"), RegionRow(region="ap-south")]
    rows = [
        use_case("free"), use_case("bound", residency="us-east"), use_case("stuck", residency="ap-south"),
        use_case("abroad", region="ap-south"),
    ]  # fmt: skip
    plan = planned(rows, pools=pools, rows={"Regions": regions})
    assert along(plan, "stream_pools", "stream")[:4] == [2, 1, 0, 2]
    assert [at(plan, "stream_fits", stream=1, pool=p) for p in (0, 1)] == [2, 0]
    assert at(plan, "stream_excuse", stream=2) == "▲ no free pool with A100-80GB-SXM in ap-south"
    assert at(plan, "stream_excuse", stream=0) == ""
    assert plan.value("streams_unplaced") == 1
    assert at(plan, "tier_unplaced_tokens", service_tier=0, month=0) == near(137.7e6)
    assert plan.value("risk_level") == "critical"


def test_a_tier_is_a_row() -> None:
    """Another action for tier 1 moves what its shortage is called."""
    small = [pool(region=HOME, gpus_total=1)]
    cases = [use_case(users=5_000_000)]
    protected = planned(cases, pools=small)
    paused = planned(cases, pools=small, rows={"Tiers": tiers(tier_1={"action": "pause"})})
    assert protected.value("base_unserved") > 0 == paused.value("base_unserved")
    assert at(paused, "tier_paused", scenario=0, service_tier=0, month=0) == near(
        at(protected, "tier_unserved", scenario=0, service_tier=0, month=0)
    )


def _draft(said: Inputs) -> Draft:
    return Draft(scalars=dict(said.plan), rows=said.rows)


@pytest.mark.parametrize(
    ("changes", "place", "found"),
    [
        ({"model": "Nobody"}, "Ledger (model)", "'Nobody'"),
        ({"tenant": ""}, "Ledger (tenant)", "nothing"),
        ({"service_tier": "tier_9"}, "Ledger (service_tier)", "'tier_9'"),
        ({"residency": "mars"}, "Ledger (residency)", "'mars'"),
    ],
)
def test_a_use_case_that_points_nowhere_is_refused(changes: dict[str, str], place: str, found: str) -> None:
    [problem] = contradictions(_draft(portfolio([use_case(**changes)])))
    assert (problem.place, problem.found) == (place, found)


def test_the_ledger_basis_needs_a_ledger_and_top_down_a_target() -> None:
    [empty] = contradictions(_draft(portfolio([])))
    assert empty.found == "ledger, while Ledger has no use case"
    said = portfolio([use_case()], total_tokens=0.0)
    assert not contradictions(_draft(said))
    down = type(said)(said.plan.model_copy(update={"demand_basis": "top_down"}), said.rows)
    [none] = contradictions(_draft(down))
    assert none.place == "Plan (total_tokens)"


def test_unit_economics_tie_to_the_total_cost() -> None:
    """Every cost belongs to a use case; one without a stated value stands out."""
    rows = [
        use_case("pays", outcome="case", outcomes_per_month=1e6, value_per_outcome=2.0, cached_input_share=0.5),
        use_case("loses", outcome="case", outcomes_per_month=10, value_per_outcome=0.01, owner="A"),
        use_case("unknown", model="GPT-4o", owner="A"), use_case("later", approval="proposed"),
    ]  # fmt: skip
    models = [llama(deployment="on_prem"), llama(model="GPT-4o", deployment="api", gpu="", gpu_price_per_hour=None)]
    plan = planned(rows, models=models, deployment_mode="hybrid", ops_per_month=5000.0)
    assert plan.value("use_cases_cost") == near(plan.value("annual_tco"))
    said = along(plan, "use_case_economics", "use_case")[:4]
    assert said == ["○ pays", "▲ costs more than it brings", "◊ no value stated", "– does not count"]
    assert plan.value("unvalued_cost") == near(at(plan, "use_case_cost", use_case=2))
    cost, outcomes = at(plan, "use_case_cost", use_case=0), 12 * 1e6 * 0.6
    assert at(plan, "use_case_cost_per_outcome", use_case=0) == near(cost / outcomes)
    assert at(plan, "use_case_cost_per_request", use_case=0) == near(cost / (12 * 91800))
    owned = at(plan, "use_case_cost", use_case=1) + at(plan, "use_case_cost", use_case=2)
    assert at(plan, "owner_cost", use_case=1) == near(owned)


@pytest.mark.parametrize(
    ("table", "rows", "check"),
    [
        ("Tiers", lambda: (*tiers(), tiers()[0]), "names"),
        ("Regions", lambda: (RegionRow(region=HOME), RegionRow(region=HOME)), "names"),
        ("Ledger", lambda: (use_case(), use_case()), "names"),
        ("Scenarios", lambda: (*scenarios(), ScenarioRow(scenario="base")), "names"),
        ("Scenarios", lambda: scenarios(lost_pool="nowhere"), "scenarios"),
        ("Scenarios", lambda: scenarios(lost_region="mars"), "scenarios"),
        ("Scenarios", lambda: scenarios(migrate_from=LLAMA), "scenarios"),
    ],
)
def test_names_that_the_workbook_cannot_tell_apart_fail_a_check(table: str, rows: Any, check: str) -> None:
    """Typed inside the plan, where no gate reads them: a second row of a name, a scenario that loses nothing."""
    plan = planned([use_case()], rows={table: rows()})
    labels = plan.labels["check"]
    failing = {labels[i] for i, state in enumerate(plan.values["check_state"].numbers) if state}
    assert check in failing
