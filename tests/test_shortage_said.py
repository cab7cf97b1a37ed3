"""What the shortage says: whom the plan and its scenarios do not serve, in words, in the heat strip and in the report."""

from __future__ import annotations

from typing import Any

from builders import pool
from portfolios import HOME, planned, scenarios, tiers, use_case

from planner.plan import Plan

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
    assert str(plan.value("conclusion_constraint")).endswith(said)
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
