"""What the shortage says: whom the plan and its scenarios do not serve, in words, in the heat strip and in the report."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from builders import pool
from portfolios import HOME, planned, scenarios, tiers, use_case

from planner.inputs.portfolio_tables import RunbookRow
from planner.plan import Plan, compute
from planner.report import markdown, report_of
from planner.report.model import Table
from planner.report.rules import matched, rules
from planner.report.template import Values
from planner.samples import SAMPLES

SMALL = {"pools": [pool(region=HOME, gpus_total=8)]}
AMPLE = {"pools": [pool(region=HOME, gpus_total=400)]}
SHAPED = use_case("Search", service_tier="tier_2", users=150_000)


def states(plan: Plan, scenario: int) -> list[Any]:
    """The heat strip's first month, by tier."""
    strip = plan.series("tier_state").unstack().iloc[:, 0]
    return list(strip.unstack().iloc[scenario])


def test_unserved_demand_of_the_plan_itself_leads_the_verdict() -> None:
    plan = planned([use_case(users=200_000)], **SMALL)
    lost, asked = plan.series("scenario_unserved").iloc[0], plan.series("in_scenario_horizon_tokens").iloc[0]
    said = str(plan.value("shortage_said"))
    assert lost > 0.4 * asked
    assert f"{100 * lost / asked:.1f} % of the protected tiers' demand is unserved" in said
    assert said.startswith("The plan does not serve its protected tiers: ") and "first in Jan 20" in said
    assert str(plan.value("conclusion_verdict")).startswith(said)
    assert plan.value("base_fails") == 1 and states(plan, 0)[0] == "■ unserved"


def test_a_scenario_is_named_where_the_plan_itself_holds() -> None:
    plan = planned([use_case()], rows={"Scenarios": scenarios(users_factor=100)}, **SMALL)
    said = str(plan.value("shortage_said"))
    assert said.startswith("In scenario other, ") and "is unserved" in said
    assert plan.value("base_fails") == 0 and plan.value("worst_scenario") == 2
    assert f". {said} Recommended SLA tier" in str(plan.value("conclusion_constraint"))
    assert "scenario" not in str(plan.value("conclusion_verdict"))


def test_a_busy_second_that_is_not_served_stands_in_the_strip_and_in_the_words() -> None:
    plan = planned([use_case(peak_factor=30)], **SMALL)
    assert plan.series("scenario_unserved").iloc[0] == 0 and plan.value("base_peak_unserved") > 0
    assert states(plan, 0)[0] == "■ peak short"
    missing = f"{plan.value('base_peak_unserved'):,.1f}".replace(",", "")
    said = str(plan.value("shortage_said"))
    assert "the busiest second of the protected tiers is not served" in said and missing in said.replace(",", "")


def test_spare_rows_of_the_strip_show_nothing() -> None:
    plan = planned([use_case()], **AMPLE)
    used = plan.series("scenario_used")
    spare = int(list(used).index(0))
    assert set(states(plan, spare)) == {"–"} and states(plan, 0)[-1] == "–"
    assert states(plan, 0)[0] == "○ served"


def test_what_is_no_failure_is_said_as_what_it_is() -> None:
    assert (
        planned([use_case()], **AMPLE).value("shortage_said") == "Every tier is served in its month, in every scenario."
    )
    row = {"Tiers": tiers(tier_2={"floor_share": 0.0})}
    milder = str(
        planned([use_case(), SHAPED], rows=row, pools=[pool(region=HOME, gpus_total=16)]).value("shortage_said")
    )
    assert milder.startswith("Protected tiers are whole in every scenario; other tiers are shaped")
    lost = planned([use_case(), use_case("Far", service_tier="tier_2", residency="elsewhere")], **AMPLE)
    assert str(lost.value("shortage_said")).startswith("1 tier(s) have no pool for demand of theirs: ")
    assert str(lost.value("shortage_said")).endswith("first tier_2.")


def test_a_plan_without_a_ledger_says_nothing_of_it() -> None:
    from builders import planned as without

    assert "tier(s)" not in str(without().value("conclusion_constraint"))


# ---- the report


def findings(plan: Plan) -> list[str]:
    """The keys of the findings that hold, the weightiest first."""
    held = [m for m in (matched(r, Values(plan)) for r in rules("finding")) if m is not None]
    return [m.rule.key for m in sorted(held, key=lambda m: m.weight)]


FAR = use_case("Far", service_tier="tier_2", residency="elsewhere")
LEADING: tuple[tuple[str, Callable[[], Plan]], ...] = (
    ("unserved", lambda: planned([use_case(users=200_000)], **SMALL)),
    ("unserved_peak", lambda: planned([use_case(peak_factor=30)], **SMALL)),
)
SAID: tuple[tuple[str, Callable[[], Plan]], ...] = (
    ("worst_scenario", lambda: planned([use_case()], rows={"Scenarios": scenarios(users_factor=100)}, **SMALL)),
    ("no_pool", lambda: planned([use_case(), FAR], **AMPLE)),
    ("ledger_apart", lambda: planned([use_case()], total_tokens=1e12, **AMPLE)),
)


@pytest.mark.parametrize(("key", "make"), LEADING)
def test_unserved_protected_demand_leads_the_report(key: str, make: Callable[[], Plan]) -> None:
    plan = make()
    assert findings(plan)[0] == key
    for language in ("en", "zh"):
        text = markdown(report_of(replace(plan, language=language)))
        assert ("Scenarios side by side" if language == "en" else "情景对比") in text
        lead = ("The plan does not serve ", "方案未能服务其受保障层级")[language == "zh"]
        assert text.index(lead) < 600
        assert ("Protected tiers, " if language == "en" else "受保障层级，") in text


@pytest.mark.parametrize(("key", "make"), SAID)
def test_the_report_knows_scenarios_pools_and_the_target(key: str, make: Callable[[], Plan]) -> None:
    assert key in findings(make())


def test_the_limit_of_ledger_against_target_is_that_of_thresholds() -> None:
    year = planned([use_case()], **AMPLE).value("ledger_year")
    assert isinstance(year, float)
    near = planned([use_case()], total_tokens=year / 1.09, **AMPLE)
    off = planned([use_case()], total_tokens=year / 1.11, **AMPLE)
    assert "ledger_apart" not in findings(near) and "ledger_apart" in findings(off)
    assert off.value("ledger_apart") == pytest.approx(0.11)


# ---- the check of months without use cases


def state_of(plan: Plan, check: str) -> float:
    """0 holds, 1 fails."""
    return dict(zip(plan.labels["check"], plan.series("check_state"), strict=True))[check]


def test_a_month_without_use_cases_loses_a_part_of_the_target_and_the_check_says_so() -> None:
    top = {"demand_basis": "top_down", "total_tokens": 6e9}
    assert state_of(planned([use_case()], **top), "tiers_tokens") == 0
    assert state_of(planned([use_case(adoption_start=7)], **top), "tiers_tokens") == 1
    assert state_of(planned([use_case(adoption_start=7)]), "tiers_tokens") == 0


# ---- failover


def book(service: str, **more: Any) -> RunbookRow:
    """A whole runbook."""
    full = {"service": service, "service_tier": 1, "trigger": "a", "executive": "b", "alternate": "c", "reductions": "d",
            "communication": "e", "validation": "f", "last_test": dt.date(2026, 6, 1)}  # fmt: skip
    return RunbookRow(**full | more)


NEW, OLD = dt.date(2026, 6, 1), dt.date(2024, 6, 1)
FAILOVERS = (
    ({}, [], 1, 1, 1), ({"last_failover_test": NEW}, [], 1, 0, 1), ({"last_failover_test": OLD}, [book("Assistant")], 0, 0, 0),
    ({"last_failover_test": OLD}, [book("Assistant", last_test=None)], 0, 1, 1), ({}, [book("Other")], 1, 1, 1),
    ({"approval": "proposed"}, [], 0, 0, 0), ({"service_tier": "tier_4"}, [], 0, 0, 0),
)  # fmt: skip


@pytest.mark.parametrize(("fields", "books", "unbooked", "untested", "unready"), FAILOVERS)
def test_use_cases_without_runbook_or_test_count_once(
    fields: dict[str, Any], books: list[RunbookRow], unbooked: int, untested: int, unready: int
) -> None:
    plan = planned([use_case(**fields)], rows={"Runbooks": books} if books else {}, as_of="2026-12-01")
    assert [plan.value(n) for n in ("cases_unbooked", "cases_untested", "failovers_unready")] == [
        unbooked,
        untested,
        unready,
    ]
    values = dict(zip(plan.labels["threshold"], plan.series("threshold_value"), strict=True))
    assert values["untested_failover"] == unready


def test_a_runbook_of_nothing_is_noted_in_its_row() -> None:
    rows = {"Runbooks": [book("Assistant"), book("tier_1"), book("Ghost")]}
    notes = list(planned([use_case()], rows=rows).series("runbook_note"))[:3]
    assert notes == ["○ found", "○ found", "◊ no use case or tier of this name"]


# ---- which load, and the order of rows


def test_the_words_say_which_load_and_what_the_plan_lacks() -> None:
    plan = compute(SAMPLES["ledger"]("en"))
    said = str(plan.value("bottleneck_said"))
    assert "the load that runs there today" in said
    assert f"The plan's own GPUs are not in it: {plan.value('gap_worst'):.0f} of them are missing" in said
    text = markdown(report_of(plan))
    assert "| Stress: adoption and supply loss | ■ critical |" in text and "0 of 4 healthy GPUs are" not in text
    table = next(t for t in report_of(plan).blocks(Table) if isinstance(t, Table) and t.key == "actions_ranked")
    places = [row[1].text for row in table.rows]
    assert places == sorted(places) and len(places) > 2
