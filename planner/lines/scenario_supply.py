"""Chapters 7, 9 and 10: what a scenario leaves of supply, and how the commitment that was chosen comes out in each."""

from planner.calc.vocabulary import (
    both,
    either,
    fixed,
    given,
    in_unit,
    join,
    known,
    largest,
    least,
    most,
    not_applicable,
    or_else,
    pick,
    position_of,
    reason,
    rounded,
    same,
    say,
    smallest,
    total,
    where,
)
from planner.lines.ladder import level_cost
from planner.lines.method import portfolio_line as line

# ---- what is left of the pools


@line(unit="share", label="Left of the pool", source="scenario.3")
def scenario_pool_left(pool_name, pool_region, scenario_supply_factor, scenario_lost_pool, scenario_lost_region):
    """Supply is lost by a factor on all pools, by pool or by region: on what is available, never on demand."""
    pool_lost = both(given(scenario_lost_pool), same(pool_name, scenario_lost_pool))
    region_lost = both(given(scenario_lost_region), same(pool_region, scenario_lost_region))
    return where(either(pool_lost, region_lost), 0, or_else(scenario_supply_factor, 1))


@line(unit="GPU", label="GPUs for this plan", source="scenario.3")
def in_scenario_pool_gpus_free(pool_gpus_free, scenario_pool_left):
    """What is left of them."""
    return pool_gpus_free * scenario_pool_left


@line(unit="GPU", label="Available", source="scenario.3")
def in_scenario_pool_available(pool_available, scenario_pool_left):
    """What is left of it."""
    return pool_available * scenario_pool_left


@line(unit="GPU", label="Headroom that serves", source="scenario.3")
def in_scenario_pool_room(pool_room, scenario_pool_left):
    """What is left of it."""
    return pool_room * scenario_pool_left


@line(unit="GPU", label="Delivered so far", source="scenario.3")
def in_scenario_pool_delivered(pool_delivered, scenario_pool_left):
    """What is left of it."""
    return pool_delivered * scenario_pool_left


# ---- prices


@line(unit="money/unit/h", label="Price without commitment", source="scenario.3")
def in_scenario_instrument_elastic_price(instrument_elastic_price, scenario_price):
    """At the scenario's prices; what is committed keeps the price that was signed."""
    return instrument_elastic_price * scenario_price


# ---- the level that the plan chooses, in every scenario


@line(unit="money", label="Cost of the chosen level", source="portfolio.11")
def scenario_level_cost(
    scenario_used, instrument_found, instrument_in_term, in_scenario_instrument_open, instrument_months,
    instrument_commit_month, in_scenario_instrument_elastic_month, in_scenario_instrument_ready, instrument_second,
    instrument_cost_least,
):  # fmt: skip
    """The plan's level, kept: paid in its term, elastic for what the scenario needs beyond it."""
    kept = level_cost(
        instrument_found, instrument_in_term, in_scenario_instrument_open, instrument_months, instrument_commit_month,
        in_scenario_instrument_elastic_month, in_scenario_instrument_ready,
    )  # fmt: skip
    return where(scenario_used, where(instrument_second, instrument_cost_least, kept), 0)


@line(unit="money", label="Least cost there", source="portfolio.11")
def scenario_least_cost(scenario_used, in_scenario_instrument_cost_least):
    """Of the level that is best in the scenario, at today's price of the commitment."""
    return where(scenario_used, in_scenario_instrument_cost_least, 0)


@line(unit="money", label="Regret", source="portfolio.11")
def scenario_regret(scenario_level_cost, scenario_least_cost):
    """What the chosen level costs more than the best one, had the scenario been known."""
    return rounded(scenario_level_cost - scenario_least_cost, 6)


@line(unit="unit", label="Committed and not used", source="portfolio.11")
def scenario_unused(scenario_used, instrument_level_in, in_scenario_instrument_open):
    """Of the chosen level, in the scenario's months."""
    return scenario_used * largest(0, instrument_level_in - in_scenario_instrument_open)


@line(unit="money", label="Unused commitment", source="portfolio.11")
def scenario_unused_money(scenario_unused, instrument_commit_month, instrument_ready):
    """Paid for nothing in the scenario."""
    months = in_unit(total(scenario_unused, over="month"), "unit*month")
    return where(instrument_ready, in_unit(months * or_else(instrument_commit_month, 0), "money"), 0)


@line(unit="share", label="Need covered by the commitment", source="portfolio.11")
def scenario_cover(scenario_used, instrument_committed, instrument_kind_committed, in_scenario_instrument_need):
    """All commitments of the kind over what the scenario needs of it, firm or not; the rest is elastic, or missing."""
    need = or_else(in_scenario_instrument_need, 0)
    part = where(need > 0, smallest(1, instrument_kind_committed / need), not_applicable())
    covered = where(known(in_scenario_instrument_need), part, reason(in_scenario_instrument_need))
    return where(both(scenario_used, instrument_committed), covered, not_applicable())


@line(unit="share", label="Covered, worst month", source="portfolio.11")
def scenario_cover_worst(scenario_cover):
    """Of the instrument."""
    return least(scenario_cover, over="month")


# ---- side by side


@line(unit="money", label="Cost of the chosen levels", source="portfolio.11")
def scenario_chosen_cost(scenario_level_cost):
    """All commitments, with what stays elastic beside them."""
    return total(scenario_level_cost, over="instrument")


@line(unit="money", label="Least cost, had it been known", source="portfolio.11")
def scenario_best_cost(scenario_least_cost):
    """All commitments at the level that is best in the scenario."""
    return total(scenario_least_cost, over="instrument")


@line(unit="money", label="Regret", source="portfolio.11")
def scenario_regret_sum(scenario_regret):
    """All commitments."""
    return total(scenario_regret, over="instrument")


@line(unit="money", label="Unused commitment", source="portfolio.11")
def scenario_unused_sum(scenario_unused_money):
    """All commitments."""
    return total(scenario_unused_money, over="instrument")


@line(unit="share", label="Covered, worst month", source="portfolio.11")
def scenario_cover_least(scenario_cover_worst):
    """The commitment that covers least."""
    return least(scenario_cover_worst, over="instrument")


@line(unit="money", label="Largest regret", source="portfolio.11")
def regret_worst(scenario_regret_sum):
    """Of all scenarios."""
    return most(scenario_regret_sum, over="scenario")


@line(unit="index", label="Scenario of the largest regret", source="portfolio.11")
def regret_row(regret_worst, scenario_regret_sum):
    """The first of equals."""
    return position_of(regret_worst, scenario_regret_sum, over="scenario")


@line(unit="money", label="First scenario: regret", source="portfolio.11")
def base_regret(scenario_regret_sum):
    """Must be none: the level is the best for the plan itself."""
    return pick(scenario_regret_sum, 1, over="scenario")


@line(unit="count", label="Commitments that can be weighed", source="portfolio.11")
def commitments_ready(instrument_ready):
    """Without any there is nothing to regret."""
    return total(instrument_ready, over="instrument")


@line(unit="sentence", label="Finding", source="portfolio.11")
def regret_said(commitments_ready, regret_worst, regret_row, scenario_name, scenario_unused_sum, currency):
    """How wrong the commitment can turn out, and where."""
    worst = join(
        "The commitment turns out worst in ", pick(scenario_name, regret_row, over="scenario"), ": it costs ",
        fixed(regret_worst, 0), " ", currency, " more than the best level there, with ",
        fixed(pick(scenario_unused_sum, regret_row, over="scenario"), 0), " ", currency, " of commitment unused.",
    )  # fmt: skip
    none = say("The commitment is the best level in every scenario.")
    weighed = where(regret_worst > 0, worst, none)
    return where(commitments_ready > 0, weighed, say("No commitment on Supply can be weighed."))
