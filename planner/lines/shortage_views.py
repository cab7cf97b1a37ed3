"""Chapter 8, second part: the shortage by month and scenario, and the identities that must hold in it."""

from planner.calc.vocabulary import (
    absolute,
    apart,
    either,
    in_unit,
    largest,
    most,
    pick,
    say,
    total,
    where,
)
from planner.lines.method import portfolio_line as line

# ---- by month and scenario


@line(unit="token/month", label="Capacity of the pools", source="shortage.5")
def short_capacity(in_scenario_pool_tokens_per_month):
    """All pools."""
    return total(in_scenario_pool_tokens_per_month, over="pool")


@line(unit="token/month", label="Queue, all pools", source="shortage.5")
def tier_queue(tier_pool_demand, tier_opening):
    """What the tier asks of all pools."""
    return tier_pool_demand + tier_opening


@line(unit="token/month", label="Served by pools", source="shortage.5")
def tier_pool_served(tier_pool_demand, tier_missed, tier_served_backlog):
    """This month's demand and backlog."""
    return tier_pool_demand - tier_missed + tier_served_backlog


@line(unit="token/month", label="Served by pools", source="shortage.5")
def short_served(tier_pool_served):
    """All tiers."""
    return total(tier_pool_served, over="service_tier")


@line(unit="token/month", label="Spare of a pool", source="shortage.5")
def pool_spare(in_scenario_pool_tokens_per_month, pool_asked):
    """Room that is left; the spare of one pool is no help to a model that cannot run there."""
    return largest(0, in_scenario_pool_tokens_per_month - pool_asked)


@line(unit="token/month", label="Asked of a pool", source="shortage.5")
def pool_asked(short_queue):
    """All tiers."""
    return total(short_queue, over="service_tier")


@line(unit="token/month", label="Spare", source="shortage.5")
def short_spare(pool_spare):
    """All pools."""
    return total(pool_spare, over="pool")


@line(unit="token/month", label="Demand not served in its month", source="shortage.5")
def short_missed(tier_not_served):
    """All tiers: shaped, deferred, late, paused, unserved and without a pool."""
    return total(tier_not_served, over="service_tier")


@line(unit="token/month", label="Unserved, protected", source="shortage.5")
def short_unserved(tier_failed):
    """All protected tiers, and what of them no pool may serve."""
    return total(tier_failed, over="service_tier")


@line(unit="token/month", label="Below floors", source="shortage.5")
def short_below(tier_below_floor):
    """All shaped tiers."""
    return total(tier_below_floor, over="service_tier")


@line(unit="token/month", label="Owed", source="shortage.5")
def short_owed(tier_closing):
    """All deferred tiers."""
    return total(tier_closing, over="service_tier")


@line(unit="token/s", label="Unserved at the peak, protected", source="shortage.5")
def short_peak_unserved(tier_peak_unserved):
    """All protected tiers."""
    return total(tier_peak_unserved, over="service_tier")


@line(unit="token", label="Unserved, protected", source="shortage.6")
def scenario_unserved(short_unserved):
    """Over the horizon: anything is critical."""
    return total(short_unserved, over="month")


@line(unit="token", label="Below floors", source="shortage.6")
def scenario_below(short_below):
    """Over the horizon."""
    return total(short_below, over="month")


@line(unit="token", label="Not served in its month", source="shortage.6")
def scenario_missed(short_missed):
    """Over the horizon."""
    return total(short_missed, over="month")


@line(unit="token/s", label="Unserved at the peak, protected", source="shortage.6")
def scenario_peak_unserved(short_peak_unserved):
    """The worst month."""
    return most(short_peak_unserved, over="month")


@line(unit="token/month", label="Owed at the end", source="shortage.6")
def scenario_owed(short_owed, horizon_position):
    """The closing backlog of the last month."""
    return pick(short_owed, horizon_position, over="month")


@line(unit="text", label="Status", source="shortage.6")
def scenario_chip(
    scenario_used, scenario_unserved, scenario_peak_unserved, scenario_below, scenario_missed, unserved_from
):
    """Critical where a protected tier is not whole in a month or at the peak, risk below a floor, watch otherwise."""
    least = in_unit(unserved_from, "token")
    mild = where(scenario_missed > least, say("◊ watch"), say("○ normal"))
    worse = where(scenario_below > least, say("▲ risk"), mild)
    at_peak = scenario_peak_unserved > in_unit(unserved_from, "token/s")
    return where(scenario_used, where(either(scenario_unserved > least, at_peak), say("■ critical"), worse), say("–"))


@line(unit="token", label="Unserved, protected, first scenario", source="shortage.6")
def base_unserved(scenario_unserved):
    """The plan itself: what the threshold looks at."""
    return pick(scenario_unserved, 1, over="scenario")


@line(unit="token", label="Below floors, first scenario", source="shortage.6")
def base_below(scenario_below):
    """The plan itself."""
    return pick(scenario_below, 1, over="scenario")


@line(unit="token/s", label="Unserved at the peak, protected, first scenario", source="shortage.6")
def base_peak_unserved(scenario_peak_unserved):
    """The plan itself, in its busiest second."""
    return pick(scenario_peak_unserved, 1, over="scenario")


# ---- identities, as checks


@line(unit="token/month", label="Demand that went astray", source="shortage.7")
def tier_astray(
    in_scenario_tier_tokens, tier_served, tier_unserved, tier_shaped, tier_below_floor, tier_deferred, tier_late_own,
    tier_paused, in_scenario_tier_unplaced_tokens,
):  # fmt: skip
    """Demand less everything that may happen to it: must be nothing, in every scenario, tier and month."""
    short = tier_unserved + tier_shaped + tier_below_floor + tier_deferred + tier_late_own + tier_paused
    return absolute(apart(in_scenario_tier_tokens, tier_served + short + in_scenario_tier_unplaced_tokens))


@line(unit="token/month", label="Backlog that went astray", source="shortage.7")
def backlog_astray(tier_opening, tier_deferred, tier_served_backlog, tier_late_backlog, tier_closing):
    """Opening and deferred less served, late and closing: must be nothing."""
    return absolute(apart(tier_opening + tier_deferred, tier_served_backlog + tier_late_backlog + tier_closing))


@line(unit="token/month", label="Capacity that went astray", source="shortage.7")
def capacity_astray(short_capacity, short_served, short_spare):
    """Capacity less what is served and spare: must be nothing."""
    return absolute(apart(short_capacity, short_served + short_spare))


@line(unit="token/month", label="Demand astray, all tiers", source="shortage.7")
def astray_by_month(tier_astray):
    """The worst tier."""
    return most(tier_astray, over="service_tier")


@line(unit="token/month", label="Backlog astray, all tiers", source="shortage.7")
def backlog_astray_by_month(backlog_astray):
    """The worst tier."""
    return most(backlog_astray, over="service_tier")


@line(unit="token/month", label="Demand astray", source="shortage.7")
def scenario_astray(astray_by_month):
    """The worst month."""
    return most(astray_by_month, over="month")


@line(unit="token/month", label="Backlog astray", source="shortage.7")
def scenario_backlog_astray(backlog_astray_by_month):
    """The worst month."""
    return most(backlog_astray_by_month, over="month")


@line(unit="token/month", label="Capacity astray", source="shortage.7")
def scenario_capacity_astray(capacity_astray):
    """The worst month."""
    return most(capacity_astray, over="month")


@line(unit="token/month", label="Demand astray, worst scenario", source="shortage.7")
def demand_astray(scenario_astray):
    """The worst scenario."""
    return most(scenario_astray, over="scenario")


@line(unit="token/month", label="Backlog astray, worst scenario", source="shortage.7")
def backlog_astray_all(scenario_backlog_astray):
    """The worst scenario."""
    return most(scenario_backlog_astray, over="scenario")


@line(unit="token/month", label="Capacity astray, worst scenario", source="shortage.7")
def capacity_astray_all(scenario_capacity_astray):
    """The worst scenario."""
    return most(scenario_capacity_astray, over="scenario")


@line(unit="token", label="Asked in all scenarios", source="shortage.7")
def asked_all(in_scenario_horizon_tokens):
    """What the identities are checked on."""
    return total(in_scenario_horizon_tokens, over="scenario")


@line(unit="token", label="Capacity over the horizon", source="shortage.7")
def scenario_capacity(short_capacity):
    """All pools."""
    return total(short_capacity, over="month")


@line(unit="token", label="Capacity in all scenarios", source="shortage.7")
def capacity_all(scenario_capacity):
    """What the identity of capacity is checked on."""
    return total(scenario_capacity, over="scenario")
