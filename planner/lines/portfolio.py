"""Chapter 10, third part: what the portfolio costs, what it leaves short, and when to order."""

from planner.calc.vocabulary import (
    both,
    given,
    in_unit,
    known,
    largest,
    least,
    not_applicable,
    opposite,
    or_else,
    pick,
    running,
    smallest,
    total,
    where,
    withheld,
)
from planner.lines.commitment import buyable_up
from planner.lines.method import line

# ---- a commitment month by month


@line(unit="unit", label="Committed", source="portfolio.7")
def instrument_level_in(instrument_found, instrument_in_term):
    """The level in the months of its term."""
    return instrument_found * instrument_in_term


@line(unit="unit", label="Committed and not used", source="portfolio.7")
def instrument_unused(instrument_level_in, instrument_open):
    """Paid all the same."""
    return largest(0, instrument_level_in - instrument_open)


@line(unit="unit*month", label="Unused, unit-months", source="portfolio.7")
def instrument_unused_units(instrument_unused):
    """Over the horizon."""
    return in_unit(total(instrument_unused, over="month"), "unit*month")


@line(unit="money", label="Unused commitment", source="portfolio.7")
def instrument_unused_money(instrument_ready, instrument_unused_units, instrument_commit_month):
    """What is paid for nothing: the price of certainty."""
    return where(instrument_ready, in_unit(instrument_unused_units * instrument_commit_month, "money"), 0)


@line(unit="money", label="Commitment", source="portfolio.7")
def instrument_commit_money(instrument_ready, instrument_found, instrument_months, instrument_commit_month):
    """In the plan's months."""
    paid = instrument_found * instrument_months * instrument_commit_month
    return where(instrument_ready, in_unit(paid, "money"), 0)


@line(unit="money", label="Elastic beside it", source="portfolio.7")
def instrument_elastic_money(instrument_ready, instrument_cost_least, instrument_commit_money):
    """The rest of the need."""
    return where(instrument_ready, instrument_cost_least - instrument_commit_money, 0)


@line(unit="money", label="Saving", source="portfolio.7")
def instrument_saving(instrument_cost_none, instrument_cost_least):
    """Against all elastic."""
    return instrument_cost_none - instrument_cost_least


@line(unit="share", label="Break-even utilisation", source="portfolio.7")
def instrument_break_even(instrument_ready, instrument_commit_month, instrument_elastic_month):
    """A unit used less than so much of the time is cheaper elastic; above 1: never worth it."""
    share = where(
        or_else(instrument_elastic_month, 0) > 0,
        instrument_commit_month / instrument_elastic_month,
        withheld("elastic costs nothing"),
    )
    return where(instrument_ready, share, not_applicable())


@line(unit="money", label="Owed after the horizon", source="portfolio.7")
def instrument_tail(
    instrument_ready, instrument_found, instrument_commit_month, instrument_term_months, instrument_months
):
    """Payments of the term beyond the plan's months: not in the comparison, a liability all the same."""
    left = largest(0, or_else(instrument_term_months, 0) - in_unit(instrument_months, "index"))
    return where(instrument_ready, in_unit(left * instrument_found * instrument_commit_month, "money"), 0)


@line(unit="money", label="Cost of the level to compare", source="portfolio.7")
def instrument_typed_cost(
    instrument_ready, instrument_second, instrument_typed_level, instrument_typed_elastic, instrument_months,
    instrument_commit_month, instrument_elastic_month,
):  # fmt: skip
    """What a level of your own would cost over the plan's months."""
    paid = or_else(instrument_typed_level, 0) * instrument_months * instrument_commit_month
    beside = in_unit(instrument_typed_elastic, "unit") * instrument_elastic_month
    cost = in_unit(paid + beside, "money")
    compared = both(instrument_ready, opposite(instrument_second), known(instrument_typed_level))
    return where(compared, cost, not_applicable())


@line(unit="unit*month", label="Elastic beside the level to compare", source="portfolio.7")
def instrument_typed_elastic(instrument_open, instrument_typed, instrument_in_term):
    """Unit-months that a level of your own leaves over."""
    level = instrument_typed * instrument_in_term
    over = total((instrument_open > level) * (instrument_open - level), over="month")
    return in_unit(over, "unit*month")


@line(unit="unit", label="Level to compare", source="portfolio.7")
def instrument_typed(instrument_typed_level):
    """0 where none is typed."""
    return or_else(instrument_typed_level, 0)


# ---- elastic instruments, in the table's order, for the rest


@line(unit="unit", label="Committed, its kind", source="portfolio.8")
def instrument_kind_committed(instrument_level_in, instrument_commodity):
    """All commitments for the same kind of unit."""
    return total(instrument_level_in, over="instrument", by=instrument_commodity, equals=instrument_commodity)


@line(unit="unit", label="Rest", source="portfolio.8")
def instrument_rest(instrument_need, instrument_kind_committed):
    """Need beyond all commitments of its kind."""
    return largest(0, or_else(instrument_need, 0) - instrument_kind_committed)


@line(unit="day", label="Reckoned from", source="portfolio.8")
def reckoned_from(as_of, start_month):
    """The plan's date, else its first day: nothing can be ordered earlier."""
    return or_else(as_of, start_month)


@line(unit="day", label="Can be there from", source="portfolio.8")
def instrument_reach(instrument_used, instrument_lead_time_days, reckoned_from):
    """If it is ordered at once."""
    return where(instrument_used, reckoned_from + or_else(instrument_lead_time_days, 0), not_applicable())


@line(unit="unit", label="Can be had", source="portfolio.8")
def instrument_can(instrument_elastic, instrument_quantity_available, instrument_rest, instrument_reach, month_start):
    """What an elastic instrument can give in the month, once its lead time has passed."""
    most_of_it = or_else(instrument_quantity_available, instrument_rest)
    there = where(month_start >= or_else(instrument_reach, 0), most_of_it, 0)
    return where(both(instrument_elastic, known(instrument_reach)), there, 0)


@line(unit="unit", label="Can be had so far", source="portfolio.8")
def instrument_can_so_far(instrument_can, instrument_commodity):
    """With the instruments of its kind above it."""
    return running(instrument_can, along="instrument", by=instrument_commodity)


@line(unit="unit", label="Buy", source="portfolio.8")
def instrument_buy(
    instrument_elastic, instrument_level_in, instrument_rest, instrument_can, instrument_can_so_far, instrument_step,
    instrument_least,
):  # fmt: skip
    """A commitment's level, or an elastic instrument's part of the rest in whole increments."""
    left = largest(0, instrument_rest - (instrument_can_so_far - instrument_can))
    taken = buyable_up(smallest(instrument_can, left), instrument_step, instrument_least)
    return where(instrument_elastic, taken, instrument_level_in)


@line(unit="unit", label="Bought, its kind", source="portfolio.8")
def instrument_kind_bought(instrument_buy, instrument_commodity):
    """All instruments for the same kind of unit."""
    return total(instrument_buy, over="instrument", by=instrument_commodity, equals=instrument_commodity)


@line(unit="unit", label="Still short", source="portfolio.8")
def instrument_short(instrument_need, instrument_kind_bought):
    """Need that no instrument of its kind can give in time."""
    return largest(0, or_else(instrument_need, 0) - instrument_kind_bought)


@line(unit="money/unit/month", label="Price a month", source="portfolio.8")
def instrument_month_price(instrument_price, hours_per_month):
    """Of a unit for all its hours."""
    return instrument_price * hours_per_month


@line(unit="money/month", label="Spend", source="portfolio.8")
def instrument_spend(instrument_buy, instrument_month_price):
    """What the purchases cost in the month."""
    return where(instrument_buy > 0, instrument_buy * instrument_month_price, 0)


@line(unit="money/month", label="Spend, all instruments", source="portfolio.8")
def supply_spend(instrument_spend):
    """Beside what the pools cost already."""
    return total(instrument_spend, over="instrument")


# ---- the purchase calendar


@line(unit="unit", label="To order for the month", source="portfolio.9")
def instrument_order(instrument_buy, instrument_buy_before):
    """What comes on top of the month before."""
    return largest(0, instrument_buy - instrument_buy_before)


@line(unit="day", label="Order by", source="portfolio.9")
def instrument_order_by(instrument_order, month_start, instrument_lead_time_days):
    """The first of the month less the lead time."""
    return where(instrument_order > 0, month_start - or_else(instrument_lead_time_days, 0), not_applicable())


@line(unit="day", label="First order by", source="portfolio.9")
def instrument_first_order(instrument_order_by):
    """The earliest."""
    return least(instrument_order_by, over="month")


@line(unit="flag", label="Too late", source="portfolio.9")
def instrument_late(instrument_first_order, reckoned_from):
    """An order that should have been placed before the plan's date."""
    return where(known(instrument_first_order), or_else(instrument_first_order, 0) < reckoned_from, 0)


@line(unit="count", label="Orders that are late", source="portfolio.9")
def orders_late(instrument_late):
    """How many instruments."""
    return total(instrument_late, over="instrument")


# ---- fallback paths


@line(unit="GPU", label="GPUs, peak month", source="portfolio.10")
def model_planned_at_peak(model_gpus_planned, peak_month):
    """What each model holds."""
    return pick(model_gpus_planned, peak_month, over="month")


@line(unit="GPU", label="GPUs that it could relieve", source="portfolio.10")
def instrument_relievable(
    instrument_fallback, instrument_model_row, instrument_model, model_planned_at_peak, gpus_planned
):
    """Its model's, or all where it names none."""
    own = where(
        instrument_model_row > 0,
        pick(model_planned_at_peak, instrument_model_row, over="model"),
        withheld("the plan does not use this model"),
    )
    return where(instrument_fallback, where(given(instrument_model), own, gpus_planned), 0)


@line(unit="GPU", label="GPUs set free", source="portfolio.10")
def instrument_relief(instrument_fallback, instrument_relievable, instrument_eligible_share, instrument_relief_share):
    """Load that may take the path x the part of its GPUs that the path sets free."""
    share = or_else(instrument_eligible_share, 0) * or_else(instrument_relief_share, 0)
    both_known = both(known(instrument_eligible_share), known(instrument_relief_share))
    freed = where(both_known, instrument_relievable * share, withheld("type eligible and relief share"))
    return where(instrument_fallback, freed, 0)


@line(unit="flag", label="Never tested", source="portfolio.10")
def instrument_untested(instrument_fallback, instrument_last_test):
    """A path that nobody has walked is a hope."""
    return both(instrument_fallback, opposite(known(instrument_last_test)))


@line(unit="count", label="Paths never tested", source="portfolio.10")
def paths_untested(instrument_untested):
    """How many."""
    return total(instrument_untested, over="instrument")
