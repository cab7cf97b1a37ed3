"""Chapter 7, fifth part: the scenarios side by side, and the detail of the one that is shown."""

from planner.calc.vocabulary import digits, in_unit, join, known, pick, say, total, where
from planner.lines.method import portfolio_line as line


@line(unit="token/month", label="Tokens, scenario shown", source="scenario.5")
def shown_tokens(in_scenario_monthly_tokens, scenario_row):
    """All demand of the scenario."""
    return pick(in_scenario_monthly_tokens, scenario_row, over="scenario")


@line(unit="token/month", label="Asked of pools", source="scenario.5")
def short_pool_demand(tier_pool_demand):
    """All tiers: demand that needs GPUs and has a pool."""
    return total(tier_pool_demand, over="service_tier")


@line(unit="token/month", label="Asked of pools, scenario shown", source="scenario.5")
def shown_gpu_tokens(short_pool_demand, scenario_row):
    """The part that needs the pools."""
    return pick(short_pool_demand, scenario_row, over="scenario")


@line(unit="token/month", label="Capacity, scenario shown", source="scenario.5")
def shown_capacity(short_capacity, scenario_row):
    """All pools."""
    return pick(short_capacity, scenario_row, over="scenario")


@line(unit="money/month", label="TCO, scenario shown", source="scenario.5")
def shown_tco(in_scenario_tco_by_month, scenario_row):
    """What the scenario costs."""
    return pick(in_scenario_tco_by_month, scenario_row, over="scenario")


@line(unit="text", label="State, scenario shown", source="scenario.5")
def shown_state(tier_state, scenario_row):
    """The heat strip of the scenario that is shown."""
    return pick(tier_state, scenario_row, over="scenario")


@line(unit="token/month", label="Asked of pools by tier, scenario shown", source="scenario.5")
def shown_tier_tokens(tier_pool_demand, scenario_row):
    """What each tier asks of the pools."""
    return pick(tier_pool_demand, scenario_row, over="scenario")


@line(unit="token/month", label="Not served by tier, scenario shown", source="scenario.5")
def shown_tier_missed(tier_not_served, scenario_row):
    """What each tier does not get in its month."""
    return pick(tier_not_served, scenario_row, over="scenario")


@line(unit="flag", label="Not all served", source="scenario.6")
def scenario_short(scenario_used, scenario_missed, unserved_from):
    """Whether anything is left over in some month."""
    return scenario_used * where(known(scenario_missed), scenario_missed > in_unit(unserved_from, "token"), 0)


@line(unit="count", label="Scenarios that are short", source="scenario.6")
def scenarios_short(scenario_short):
    """How many do not serve all demand in its month."""
    return total(scenario_short, over="scenario")


@line(unit="count", label="Scenarios", source="scenario.6")
def scenarios_used(scenario_used):
    """How many there are."""
    return total(scenario_used, over="scenario")


@line(unit="sentence", label="Over the scenario chart", source="scenario.6")
def chart_scenarios_title(scenarios_short, scenarios_used):
    """The question with its answer."""
    short = join(
        digits(scenarios_short), " of ", digits(scenarios_used), " scenarios do not serve all demand in its month"
    )
    return where(scenarios_short > 0, short, say("Every scenario serves all demand in its month"))


@line(unit="sentence", label="Over the chart of the scenario shown", source="scenario.6")
def chart_shown_title(scenario_words, scenario_chip, scenario_row):
    """Which scenario, and how it ends."""
    return join(scenario_words, ": ", pick(scenario_chip, scenario_row, over="scenario"))


@line(unit="sentence", label="Under the chart of the scenario shown", source="scenario.6")
def chart_shown_note(scenarios_used):
    """What is drawn."""
    return where(scenarios_used > 0, say("Tokens a month that need pools, M, by tier. Line: capacity of the pools"), "")
