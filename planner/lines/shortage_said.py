"""Chapter 8, third part: the shortage in words. Whom the plan and its scenarios do not serve, the worst first."""

from planner.calc.vocabulary import (
    both,
    digits,
    either,
    fixed,
    given,
    in_unit,
    join,
    known,
    most,
    opposite,
    or_else,
    pick,
    position_of,
    ratio,
    say,
    total,
    where,
)
from planner.lines.method import portfolio_line as line
from planner.lines.story import amount

# ---- what each scenario leaves of its protected tiers


@line(unit="text", label="Scenario in words", source="shortage.8")
def scenario_said(scenario_label, scenario_name):
    """Its label, or its key."""
    return where(given(scenario_label), scenario_label, scenario_name)


@line(unit="token/month", label="Asked by protected tiers", source="shortage.8")
def short_protected(service_tier_protects, in_scenario_tier_tokens):
    """All protected tiers, on pools, on APIs and without a pool."""
    return total(service_tier_protects * in_scenario_tier_tokens, over="service_tier")


@line(unit="token", label="Asked by protected tiers", source="shortage.8")
def scenario_protected(short_protected):
    """Over the horizon."""
    return total(short_protected, over="month")


@line(unit="token", label="Unserved, protected, as far as known", source="shortage.8")
def scenario_lost(scenario_used, scenario_unserved):
    """Nothing where a figure is missing: such scenarios are counted apart."""
    return scenario_used * or_else(scenario_unserved, 0)


@line(unit="token/s", label="Unserved at the peak, protected, as far as known", source="shortage.8")
def scenario_peak_lost(scenario_used, scenario_peak_unserved):
    """Nothing where a figure is missing."""
    return scenario_used * or_else(scenario_peak_unserved, 0)


@line(unit="share", label="Unserved part of the protected tiers", source="shortage.8")
def scenario_lost_share(scenario_lost, scenario_protected):
    """Of what they ask for over the horizon."""
    return ratio(scenario_lost, or_else(scenario_protected, 0), 0)


@line(unit="flag", label="Protected tiers not whole", source="shortage.8")
def short_fails(short_unserved, unserved_from):
    """In the month."""
    return or_else(short_unserved, 0) > unserved_from


@line(unit="flag", label="Protected tiers not whole at the peak", source="shortage.8")
def short_peak_fails(short_peak_unserved, unserved_from):
    """In the busiest second of the month."""
    return or_else(short_peak_unserved, 0) > in_unit(unserved_from, "token/s")


@line(unit="index", label="First month not whole", source="shortage.8")
def scenario_fails_month(short_fails):
    """0: every month is whole."""
    return position_of(1, short_fails, over="month")


@line(unit="index", label="First month not whole at the peak", source="shortage.8")
def scenario_peak_month(short_peak_fails):
    """0: every peak is whole."""
    return position_of(1, short_peak_fails, over="month")


@line(unit="flag", label="Not known", source="shortage.8")
def scenario_unseen(scenario_used, scenario_missed):
    """A speed or a pool is missing: who is served cannot be said."""
    return both(scenario_used, opposite(known(scenario_missed)))


@line(unit="flag", label="Below a floor", source="shortage.8")
def scenario_breaches(scenario_used, scenario_below, unserved_from):
    """A shaped tier gets less than was promised."""
    return both(scenario_used, or_else(scenario_below, 0) > in_unit(unserved_from, "token"))


# ---- the worst of them


@line(unit="count", label="Scenarios not known", source="shortage.9")
def scenarios_unseen(scenario_unseen):
    """How many."""
    return total(scenario_unseen, over="scenario")


@line(unit="count", label="Scenarios below a floor", source="shortage.9")
def scenarios_breaching(scenario_breaches):
    """How many."""
    return total(scenario_breaches, over="scenario")


@line(unit="token", label="Unserved, protected, worst scenario", source="shortage.9")
def most_lost(scenario_lost):
    """The most of all scenarios."""
    return most(scenario_lost, over="scenario")


@line(unit="token/s", label="Unserved at the peak, protected, worst scenario", source="shortage.9")
def most_peak_lost(scenario_peak_lost):
    """The most of all scenarios."""
    return most(scenario_peak_lost, over="scenario")


@line(unit="index", label="Row of the worst scenario", source="shortage.9")
def worst_scenario(most_lost, most_peak_lost, scenario_lost, scenario_peak_lost, unserved_from):
    """The most tokens unserved; where none are, the most in the busiest second; 0: protected tiers are whole."""
    at_peak = where(
        most_peak_lost > in_unit(unserved_from, "token/s"),
        position_of(most_peak_lost, scenario_peak_lost, over="scenario"),
        0,
    )
    whole_month = position_of(most_lost, scenario_lost, over="scenario")
    return where(most_lost > in_unit(unserved_from, "token"), whole_month, at_peak)


@line(unit="flag", label="The plan itself fails", source="shortage.9")
def base_fails(scenario_lost, scenario_peak_lost, unserved_from):
    """A protected tier is not whole in the first scenario, in a month or at a peak."""
    in_month = pick(scenario_lost, 1, over="scenario") > in_unit(unserved_from, "token")
    at_peak = pick(scenario_peak_lost, 1, over="scenario") > in_unit(unserved_from, "token/s")
    return either(in_month, at_peak)


@line(unit="index", label="Row of the scenario to speak of", source="shortage.9")
def failing_scenario(base_fails, worst_scenario):
    """The plan itself where it fails, else the worst of the scenarios; 0: none."""
    return where(base_fails, 1, worst_scenario)


@line(unit="token", label="Without a pool, the plan itself", source="shortage.9")
def tier_unplaced_sum(tier_unplaced_tokens):
    """Over the horizon."""
    return total(tier_unplaced_tokens, over="month")


@line(unit="flag", label="Without a pool", source="shortage.9")
def tier_unplaced(tier_unplaced_sum, unserved_from):
    """A part of the tier's demand at least."""
    return tier_unplaced_sum > in_unit(unserved_from, "token")


@line(unit="count", label="Tiers without a pool", source="shortage.9")
def tiers_unplaced(tier_unplaced):
    """For a part of their demand at least."""
    return total(tier_unplaced, over="service_tier")


@line(unit="token", label="Without a pool, all tiers", source="shortage.9")
def unplaced_sum(tier_unplaced_sum):
    """Over the horizon."""
    return total(tier_unplaced_sum, over="service_tier")


@line(unit="text", label="First tier without a pool", source="shortage.9")
def first_tier_unplaced(tiers_unplaced, tier_unplaced, service_tier_name):
    """In the order of Tiers."""
    row = position_of(1, tier_unplaced, over="service_tier")
    return where(tiers_unplaced > 0, pick(service_tier_name, row, over="service_tier"), "")


@line(unit="index", label="First month to speak of", source="shortage.9")
def failing_month(failing_scenario, scenario_fails_month, scenario_peak_month):
    """In which the scenario to speak of fails, in the month or else at the peak; 0: none."""
    month = pick(scenario_fails_month, failing_scenario, over="scenario")
    at_peak = pick(scenario_peak_month, failing_scenario, over="scenario")
    return where(failing_scenario > 0, where(month > 0, month, at_peak), 0)


# ---- the answer


@line(unit="text", label="Lost in the month, in words", source="shortage.10")
def failing_words(
    failing_scenario, scenario_lost, scenario_lost_share, scenario_fails_month, month_label, percent, unserved_from,
    scenario_peak_lost, scenario_peak_month, scale_small, scale_medium, scale_large,
):  # fmt: skip
    """Tokens, share and first month of the scenario to speak of; its busiest second where every month is whole."""
    lost = pick(scenario_lost, failing_scenario, over="scenario")
    month = pick(scenario_fails_month, failing_scenario, over="scenario")
    peak_month = pick(scenario_peak_month, failing_scenario, over="scenario")
    in_month = join(
        fixed(pick(scenario_lost_share, failing_scenario, over="scenario") * percent, 1),
        " % of the protected tiers' demand is unserved, ", amount(lost, scale_small, scale_medium, scale_large),
        " tokens", where(month > 0, join(", first in ", pick(month_label, month, over="month")), ""),
    )  # fmt: skip
    at_peak = join(
        "the busiest second of the protected tiers is not served, ",
        fixed(pick(scenario_peak_lost, failing_scenario, over="scenario"), 1), " tokens/s are missing",
        where(peak_month > 0, join(", first in ", pick(month_label, peak_month, over="month")), ""),
    )  # fmt: skip
    said = where(lost > in_unit(unserved_from, "token"), in_month, at_peak)
    return where(failing_scenario > 0, said, "")


@line(unit="sentence", label="Who is not served", source="shortage.10")
def shortage_said(
    failing_scenario, base_fails, failing_words, scenario_said, scenarios_unseen, tiers_unplaced, unplaced_sum,
    first_tier_unplaced, scenarios_breaching, scenarios_short, scenarios_used, scale_small, scale_medium, scale_large,
):  # fmt: skip
    """The worst: the plan itself, else a scenario, else demand without a pool, else what is shaped or deferred."""
    base = join("The plan does not serve its protected tiers: ", failing_words, ".")
    other = join("In scenario ", pick(scenario_said, failing_scenario, over="scenario"), ", ", failing_words, ".")
    homeless = join(
        digits(tiers_unplaced), " tier(s) have no pool for demand of theirs: ",
        amount(unplaced_sum, scale_small, scale_medium, scale_large), " tokens, first ", first_tier_unplaced, ".",
    )  # fmt: skip
    unseen = join("Who is served is not known in ", digits(scenarios_unseen), " scenario(s): a figure is missing.")
    below = join(
        "Protected tiers are whole in every scenario; below the floor of a shaped tier in ",
        digits(scenarios_breaching), " of ", digits(scenarios_used), " scenarios.",
    )  # fmt: skip
    milder = join(
        "Protected tiers are whole in every scenario; other tiers are shaped, deferred or paused in ",
        digits(scenarios_short), " of ", digits(scenarios_used), " scenarios.",
    )  # fmt: skip
    rest = where(
        scenarios_breaching > 0,
        below,
        where(scenarios_short > 0, milder, say("Every tier is served in its month, in every scenario.")),
    )
    seen = where(tiers_unplaced > 0, homeless, where(scenarios_unseen > 0, unseen, rest))
    return where(base_fails, base, where(failing_scenario > 0, other, seen))
