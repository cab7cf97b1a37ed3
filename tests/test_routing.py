"""The routing mix: worked figures by hand, what no route may change, and what is refused or flagged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asking import refused
from builders import LLAMA, along, at, changed, gpt_4o, llama, pool
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from portfolios import HOME, planned, portfolio, use_case
from workbooks import Edited, sample

from planner.inputs.contradictions import contradictions
from planner.inputs.draft import Draft
from planner.inputs.model import Inputs
from planner.inputs.portfolio import RangeRow, RegionRow, RouteRow, ScenarioRow
from planner.inputs.tables import ModelRow
from planner.plan import Plan, compute

SMALL, LARGE = "Small", "Large"
TASKS = 5000 * 20 * 0.6  # transactions of the method's own case in a month, at its adoption


def near(wanted: Any) -> Any:
    return pytest.approx(wanted, rel=1e-9, abs=1e-6)


def api(name: str, price_in: float, price_out: float) -> ModelRow:
    return gpt_4o(model=name, deployment="api", input_price_per_mtok=price_in, output_price_per_mtok=price_out)


def own(name: str) -> ModelRow:
    return llama(model=name, deployment="on_prem", tokens_per_s_per_gpu=240.0, gpus_per_replica=4.0)


def models() -> list[ModelRow]:
    return [api(LARGE, 2.0, 8.0), api(SMALL, 0.2, 0.8)]


def route(name: str = "small first", **fields: Any) -> RouteRow:
    return RouteRow(**{"route": name, "use_case": "Assistant", "model": SMALL} | fields)


def routed(*routes: RouteRow, cases: Any = None, said: Any = None, **plan: Any) -> Plan:
    """The method's own use case on the large API model, with routes."""
    given_rows = {"Routing": routes, **plan.pop("rows", {})}
    return planned(cases or [use_case(model=LARGE)], models=said or models(), rows=given_rows,
                   **{"deployment_mode": "hybrid"} | plan)  # fmt: skip


def on_route(plan: Plan, name: str, which: int = 0, **more: Any) -> Any:
    """A line of a route's stream: they stand behind the rows of Ledger."""
    return at(plan, name, stream=len(plan.labels["use_case"]) + which, **more)


# ---- worked by hand


ROUTED = TASKS * 0.6  # transactions that the route of each case below takes
LIMITS: tuple[tuple[dict[str, float], float, float], ...] = (
    ({}, ROUTED * 1.5 * 1.02, 1500),
    ({"calls_limit": 1.2}, ROUTED * 1.2 * 1.02, 1500),
    ({"calls_limit": 9.0}, ROUTED * 1.5 * 1.02, 1500),  # a limit above what it takes limits nothing
    ({"retry_limit": 0.0}, ROUTED * 1.5, 1500),
    ({"retry_limit": 0.5}, ROUTED * 1.5 * 1.02, 1500),
    ({"context_reduction": 0.25}, ROUTED * 1.5 * 1.02, 900 + 300),
    ({"calls_limit": 1.2, "retry_limit": 0.0, "context_reduction": 0.25}, ROUTED * 1.2, 1200),
    ({"calls_limit": 0.0}, 0, 1500),
    ({"context_reduction": 1.0}, ROUTED * 1.5 * 1.02, 300),
)


def test_limits_make_requests_and_tokens() -> None:
    """Each case of the table in a use case of its own: requests and tokens of its route, and what stays."""
    cases = [use_case(f"Case {i}", model=LARGE) for i in range(len(LIMITS))]
    routes = [route(use_case=f"Case {i}", request_share=0.6, **limits) for i, (limits, _, _) in enumerate(LIMITS)]
    plan = routed(*routes, cases=cases)
    for i, (limits, requests, tokens_each) in enumerate(LIMITS):
        assert on_route(plan, "stream_requests", i) * 0.6 == near(requests), limits
        assert on_route(plan, "stream_tokens_each", i) == near(tokens_each), limits
        assert on_route(plan, "stream_tokens", i, month=0) == near(requests * tokens_each), limits
        assert at(plan, "stream_tokens", stream=i, month=0) == near(TASKS * 0.4 * 1.5 * 1.02 * 1500), limits
    small = sum(requests * each for _, requests, each in LIMITS)
    assert at(plan, "ledger_model_tokens", model=1, month=0) == near(small)
    assert plan.value("checks_failed") == 0


def test_a_routed_use_case_by_hand() -> None:
    """Small 60 %, premium 10 %, own 30 %: requests, tokens, money, quality and what is saved."""
    said = [*models(), api("Premium", 10.0, 30.0)]
    plan = routed(
        route(request_share=0.6, calls_limit=1.2, retry_limit=0.0, context_reduction=0.25, quality_score=0.9),
        route("premium", model="Premium", request_share=0.1, quality_score=0.98), said=said, retries_billed="yes",
    )  # fmt: skip
    own, small, premium = 27540 * 1500, 43200 * 1200, 9180 * 1500
    assert [at(plan, "ledger_model_tokens", model=i, month=0) for i in range(3)] == near([own, small, premium])
    assert plan.value("saved_tokens") == near(12 * (137.7e6 - own - small - premium))
    year = 12 / 1e6
    money = [
        27540 * year * (1200 * 2 + 300 * 8), 43200 * year * (900 * 0.2 + 300 * 0.8), 9180 * year * (1200 * 10 + 300 * 30),
    ]  # fmt: skip
    assert at(plan, "stream_api_cost", stream=0) == near(money[0])
    assert [on_route(plan, "stream_api_cost", i) for i in range(2)] == near(money[1:])
    assert at(plan, "use_case_models_cost", use_case=0) == near(sum(money))
    unrouted = 91800 * year * (1200 * 2 + 300 * 8)
    assert plan.value("saved_money") == near(unrouted - sum(money))
    assert at(plan, "use_case_quality", use_case=0) == near((0.6 * 0.9 + 0.1 * 0.98) / 0.7)
    assert at(plan, "use_case_scored", use_case=0) == near(0.7)
    assert at(plan, "use_case_calls_mix", use_case=0) == near(0.6 * 1.2 + 0.4 * 1.5)
    assert plan.value("routed_share") == near((43200 + 9180) / (27540 + 43200 + 9180))
    assert plan.value("checks_failed") == 0


def test_a_route_carries_caching_retries_and_concurrency() -> None:
    """Cached share of what context is left; unbilled retries at the route's own rate; typed concurrency by requests."""
    case = use_case(model=LARGE, cached_input_share=0.5, concurrency=100.0, retry_rate=0.25)
    plan = routed(route(request_share=0.4, retry_limit=0.0, context_reduction=0.5), cases=[case], retries_billed="no")
    assert on_route(plan, "stream_cached_part") == near(0.5 * 600 / 900)
    assert (on_route(plan, "stream_billed"), at(plan, "stream_billed", stream=0)) == near((1, 1 / 1.25))
    held = [at(plan, "stream_held_part", stream=0) * at(plan, "stream_rate", stream=0)]
    held.append(on_route(plan, "stream_held_part") * on_route(plan, "stream_rate"))
    assert held == near([100 * 0.6, 100 * 0.4 / 1.25])


def test_a_route_moves_gpus() -> None:
    """Half the requests leave the GPUs for an API: the load at the peak is half."""
    said = [own(LARGE), api(SMALL, 0.2, 0.8)]
    plain, half = (
        routed(*routes, said=said, cases=[use_case(model=LARGE, users=500000)])
        for routes in ((), (route(request_share=0.5),))
    )
    peak = {"model": 0, "month": 0}
    assert at(half, "model_gpus_peak", **peak) == near(at(plain, "model_gpus_peak", **peak) / 2)
    assert half.value("unrouted_gpus_planned") == plain.value("gpus_planned")
    assert half.value("saved_gpus") == plain.value("gpus_planned") - half.value("gpus_planned") > 0
    assert half.value("unrouted_annual_tco") == plain.value("annual_tco")
    assert along(half, "unrouted_use_case_models_cost", "use_case") == near(
        along(plain, "use_case_models_cost", "use_case")
    )


# ---- what no route may change


SAME = (
    "monthly_tokens", "monthly_input_tokens", "gpus_planned_by_month", "api_cost_by_month", "gpu_cost_by_month",
    "tco_by_month", "ledger_busy_day", "ledger_peak", "tier_opening",
)  # fmt: skip


def test_all_requests_routed_to_the_same_model_without_limits_change_nothing() -> None:
    said = [own(LARGE), *models()[1:]]
    cases = [use_case(model=LARGE, users=500000), use_case("Batch", model=SMALL, service_tier="tier_3")]
    plain = routed(cases=cases, said=said)
    same = routed(route(model=LARGE, request_share=1.0), cases=cases, said=said)
    assert plain.values["saved_money"].at(()) == 0
    for name in SAME:
        assert plain.values[name].numbers == near(same.values[name].numbers), name
    for name in ("pool_tier_tokens", "ledger_model_load", "ledger_model_held", "in_scenario_tco_by_month"):
        assert plain.values[name].numbers == near(same.values[name].numbers), name
    assert same.value("saved_money") == near(0)
    assert same.value("checks_failed") == 0
    assert at(same, "stream_tokens", stream=0, month=0) == 0


def test_shares_that_sum_to_1_leave_nothing_behind() -> None:
    """70 %, 20 % and 10 % are not 1 in a double; a model with the dust of a request would get its least replicas."""
    said = [own(LARGE), *models()[1:]]
    plan = routed(*(route(f"r{i}", request_share=s) for i, s in enumerate((0.7, 0.2, 0.1))), said=said)
    assert at(plan, "use_case_own_share", use_case=0) == 0
    assert (plan.value("gpus_planned"), plan.value("use_cases_overrouted"), plan.value("checks_failed")) == (0, 0, 0)


@st.composite
def mixes(draw: Any) -> tuple[list[Any], list[RouteRow]]:
    """A few use cases, each with routes that take at most all its requests."""
    names = [f"Case {i}" for i in range(draw(st.integers(1, 3)))]
    cases = [use_case(n, model=draw(st.sampled_from([LARGE, SMALL, "Own"])), users=draw(st.floats(1, 1e6)),
                      service_tier=draw(st.sampled_from(["tier_1", "tier_3"])),
                      approval=draw(st.sampled_from(["approved", "proposed"]))) for n in names]  # fmt: skip
    limit = st.none() | st.integers(0, 300).map(lambda x: x / 100)  # as people type them: no 5e-324
    routes = [
        route(f"{n} {j}", use_case=n, model=draw(st.sampled_from([LARGE, SMALL, "Own"])),
              request_share=draw(st.integers(0, 500)) / 1000, calls_limit=draw(limit), retry_limit=draw(limit),
              context_reduction=draw(st.none() | st.floats(0, 1)))
        for n in names for j in range(draw(st.integers(0, 2)))
    ]  # fmt: skip
    return cases, routes


@settings(max_examples=7, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(mixes())
def test_streams_add_up_and_the_base_scenario_is_the_plan(mix: tuple[list[Any], list[RouteRow]]) -> None:
    cases, routes = mix
    said = [*models(), own("Own")]
    plan = routed(*routes, cases=cases, said=said)
    assert plan.value("checks_failed") == 0
    for name in ("requests", "full_tokens"):
        whole, parts = plan.values[f"use_case_{name}"].numbers.sum(), plan.values[f"stream_{name}"].numbers.sum()
        assert whole == near(parts), name
    assert plan.values["use_case_year"].numbers.sum() == near(plan.value("ledger_year"))
    assert plan.values["ledger_model_year"].numbers.sum() == near(plan.value("ledger_year"))
    assert plan.value("saved_tokens") >= -1
    plain = routed(cases=cases, said=said)
    assert plan.value("unrouted_annual_tco") == near(plain.value("annual_tco"))
    assert plan.value("unrouted_gpus_planned") == plain.value("gpus_planned")
    for name in ("monthly_tokens", "gpus_planned_by_month", "tco_by_month"):
        assert along(plan, f"in_scenario_{name}", scenario=0) == along(plan, name), name


@settings(max_examples=5, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0.1, 1))
def test_more_to_a_cheaper_model_never_costs_more(one: float, other: float, cached: float, cheaper: float) -> None:
    """Equal tokens at prices that are lower throughout: API cost falls with the share, or stays."""
    less, more = sorted((one, other))
    said = [api(LARGE, 2.0, 8.0), api(SMALL, 2.0 * cheaper, 8.0 * cheaper)]
    cases = [use_case(model=LARGE, cached_input_share=cached)]
    first, second = (routed(route(request_share=s), cases=cases, said=said) for s in (less, more))
    assert first.value("ledger_year") == near(second.value("ledger_year"))
    assert second.value("annual_tco") <= first.value("annual_tco") * (1 + 1e-9)


# ---- scenarios, placement, unknown prices


def test_a_migration_moves_routes_too() -> None:
    rows = {"Scenarios": [ScenarioRow(scenario="base"),
                          ScenarioRow(scenario="moved", migrate_from=SMALL, migrate_to="Other")]}  # fmt: skip
    plan = routed(route(request_share=0.6), said=[*models(), api("Other", 1.0, 1.0)], rows=rows)
    moved = {"scenario": 1, "month": 0}
    assert at(plan, "in_scenario_ledger_model_tokens", model=1, **moved) == 0
    assert at(plan, "in_scenario_ledger_model_tokens", model=2, **moved) == near(0.6 * 137.7e6)
    assert at(plan, "in_scenario_ledger_model_tokens", model=0, **moved) == near(0.4 * 137.7e6)


@pytest.mark.parametrize(("factor", "limit"), [(2.0, 1.5), (2.0, 2.0), (2.0, 9.0), (0.5, 1.2), (2.0, 0.0), (1.0, 1.2)])
def test_more_calls_in_a_scenario_end_at_the_limit_of_a_route(factor: float, limit: float) -> None:
    """The plan whose ledger has that many calls: tokens of each stream, and all money."""
    rows = {"Scenarios": [ScenarioRow(scenario="base"), ScenarioRow(scenario="more", calls_factor=factor)]}
    routes = (route(request_share=0.5, calls_limit=limit), route("free", request_share=0.1))
    plan = routed(*routes, rows=rows)
    truth = routed(*routes, cases=[use_case(model=LARGE, requests_per_transaction=1.5 * factor)])
    for i in (0, len(plan.labels["use_case"]), len(plan.labels["use_case"]) + 1):
        here = {"stream": i, "month": 0}
        assert at(plan, "in_scenario_stream_tokens", scenario=1, **here) == near(at(truth, "stream_tokens", **here)), i
    assert at(plan, "in_scenario_annual_tco", scenario=1) == near(truth.value("annual_tco"))
    assert at(plan, "in_scenario_annual_tco", scenario=0) == plan.value("annual_tco")
    assert plan.value("checks_failed") == 0


@pytest.mark.parametrize(("field", "limit", "high"), [("requests_per_transaction", "calls_limit", 3.0),
                                                      ("retry_rate", "retry_limit", 0.5)])  # fmt: skip
def test_a_range_that_a_route_limits_says_so(field: str, limit: str, high: float) -> None:
    """A limit below the high value: the plan from the changed ledger moves less. One above it: the range is exact."""
    row = RangeRow(range="x", use_case="Assistant", ledger_field=field, high=high)
    for end, limited in ((high / 2, 1), (high, 0)):
        routes = (route(request_share=0.6, **{limit: end}), route("other", **{limit: 0.0}, use_case="Other"))
        cases = [use_case(model=LARGE), use_case("Other", model=LARGE)]
        plan = routed(*routes, cases=cases, rows={"Ranges": [row]})
        truth = routed(*routes, cases=[cases[0].model_copy(update={field: high}), cases[1]])
        moved = at(plan, "range_most", range=0, figure="tokens") * plan.value("first_year_tokens")
        assert at(plan, "range_limited", range=0) == limited
        assert at(plan, "range_note", range=0) == ("▲ a route limits it" if limited else "○")
        assert (moved == near(truth.value("first_year_tokens"))) is not bool(limited)


def test_a_route_runs_only_where_its_use_case_may() -> None:
    """Residency follows the use case; a model that gets no request needs no pool."""
    said = [api(LARGE, 2.0, 8.0), own(SMALL)]
    regions = {"Regions": [RegionRow(region=HOME), RegionRow(region="us-east")]}
    bound = use_case(model=LARGE, residency="us-east")
    plan = routed(route(request_share=0.5), route("none", request_share=0.0), cases=[bound], said=said, rows=regions,
                  pools=[pool(region=HOME)])  # fmt: skip
    assert on_route(plan, "stream_excuse") == "▲ no free pool with A100-80GB-SXM in us-east"
    assert (on_route(plan, "stream_excuse", 1), plan.value("streams_unplaced")) == ("", 1)
    assert at(plan, "tier_unplaced_tokens", service_tier=0, month=0) == near(137.7e6 / 2)


def test_an_unknown_price_withholds_the_cost_of_those_that_use_it_alone() -> None:
    said = [
        *models(),
        gpt_4o(model="Nobody knows", deployment="api", input_price_per_mtok=None, output_price_per_mtok=None),
    ]
    cases = [use_case(model=LARGE), use_case("Other", model=LARGE)]
    plan = routed(route(model="Nobody knows", request_share=0.5, use_case="Other"), cases=cases, said=said)
    assert at(plan, "use_case_models_cost", use_case=0) == near(90000 * 12 / 1e6 * (1200 * 2 + 300 * 8))
    assert "withheld" in str(at(plan, "use_case_models_cost", use_case=1))
    assert plan.value("chart_routing_title").endswith("what that saves is withheld")


def test_the_annual_target_does_not_follow_routes() -> None:
    said = portfolio([use_case(model=LARGE)], models=models(), rows={"Routing": [route(request_share=0.5)]},
                     total_tokens=1.8e9)  # fmt: skip
    scalars = said.plan.model_copy(update={"demand_basis": "top_down", "deployment_mode": "api"})
    down = compute(Inputs(scalars, said.rows))
    assert down.value("saved_money") == 0
    assert down.value("chart_routing_title").endswith("the annual target does not follow routes")


def test_a_smaller_model_is_not_counted_twice() -> None:
    """The lever that routes stand for fails the check of levers, once it is on and something is routed."""
    on = changed("Levers", "Use smaller model", on="yes")
    routes = {"Routing": [route(request_share=0.5)]}
    assert routed(rows=on).value("levers_twice") == 0
    assert routed(rows=on | routes).value("levers_twice") == 1
    assert routed(rows=routes).value("levers_twice") == 0


# ---- flagged and refused


FLOORS: tuple[tuple[float | None, float | None, str], ...] = (
    (0.9, 0.95, "▲ below its floor"), (0.95, 0.95, "○ reaches its floor"), (0.97, 0.95, "○ reaches its floor"),
    (None, 0.95, "◊ no score"), (0.9, None, "◊ no floor"), (None, None, "◊ no score"),
    (0.1 + 0.2, 0.3, "○ reaches its floor"), (0.3, 0.1 + 0.2, "○ reaches its floor"),
)  # fmt: skip


def test_a_route_below_its_floor_is_flagged() -> None:
    plan = routed(*(route(request_share=0.1, quality_score=s, quality_floor=f) for s, f, _ in FLOORS))
    assert along(plan, "route_state", "route")[: len(FLOORS)] == [state for _, _, state in FLOORS]
    assert (plan.value("routes_below_floor"), plan.value("routes_unjudged")) == (1, 3)
    assert at(plan, "threshold_level", threshold="route_quality") == 2
    assert plan.value("chart_routing_note").startswith("▲ Routes below their quality floor: 1.")
    fine = routed(route(request_share=0.1, quality_score=0.9, quality_floor=0.9))
    assert (fine.value("routes_below_floor"), at(fine, "threshold_level", threshold="route_quality")) == (0, 0)


def _problems(*routes: RouteRow) -> list[Any]:
    said = portfolio([use_case(model=LARGE)], models=models(), rows={"Routing": routes})
    return contradictions(Draft(scalars=dict(said.plan), rows=said.rows))


@pytest.mark.parametrize(
    ("fields", "place", "found", "do"),
    [
        ({"use_case": "Asistant"}, "Routing (use_case)", "'Asistant'", "type 'Assistant', if that was meant, or choose"),
        ({"use_case": ""}, "Routing (use_case)", "nothing", "choose one, or add a row on Ledger"),
        ({"model": "Smal"}, "Routing (model)", "'Smal'", "type 'Small', if that was meant, or choose"),
        ({"model": "Nobody"}, "Routing (model)", "'Nobody'", "choose one, or add a row on Models"),
    ],
)  # fmt: skip
def test_a_route_that_points_nowhere_is_refused(fields: dict[str, str], place: str, found: str, do: str) -> None:
    [problem] = _problems(route(request_share=0.5, **fields))
    assert (problem.place, problem.found) == (place, found)
    assert problem.do.startswith(do)
    lost = routed(route(request_share=0.5, **fields))  # and where a workbook is edited, a check fails
    assert at(lost, "check_state", check="routes_placed") == 1
    assert at(lost, "route_state", route=0) == "▲ use case or model not found"


def test_shares_above_100_percent_are_refused_and_fail_a_check() -> None:
    many = (route("a", request_share=0.7), route("b", request_share=0.4, use_case="ASSISTANT"))
    [problem] = _problems(*many)
    assert "sum to 110 %" in problem.found and problem.wanted == "100 % or less"
    assert not _problems(route("a", request_share=0.7), route("b", request_share=0.2), route("c", request_share=0.1))
    plan = routed(*many)
    assert at(plan, "check_state", check="routes_share") == 1
    assert at(plan, "use_case_own_share", use_case=0) == 0


def test_an_input_workbook_names_the_cells(tmp_path: Path) -> None:
    edited = Edited(sample("ledger").input)
    edited.row("Routing", 1, request_share=0.8).row("Routing", 3, use_case="Contract reviews")
    shares, lost = sorted(refused(edited.save(tmp_path / "input.xlsx")), key=lambda line: "was meant" in line)
    assert shares.startswith("Routing!F6: found request shares of 'Sales copilot' that sum to 120 %")
    assert "Routing!F6, Routing!F7" in shares
    assert lost.startswith("Routing!D8: found 'Contract reviews'") and "type 'Contract review', if" in lost


def test_a_route_that_changes_nothing_saves_nothing_in_words() -> None:
    """All requests to the own model without limits: no dust of a sum is called a saving or a cost."""
    rows = [use_case(f"Case {i}", users=5000 + 1237 * i, service_tier=f"tier_{i % 4 + 1}") for i in range(5)]
    routes = [route(f"to {i}", use_case=f"Case {i}", request_share=1.0, model=LLAMA) for i in range(5)]
    plan = planned(rows, rows={"Routing": routes})
    assert plan.value("saved_money") == 0
    assert "saves nothing" in str(plan.value("routing_saves"))
