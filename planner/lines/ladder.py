"""Chapter 10, second part: the ladder. Every month's need, up and down, is a level to try; the least cost wins."""

from planner.calc.vocabulary import (
    both,
    in_unit,
    known,
    least,
    most,
    opposite,
    or_else,
    pick,
    reason,
    rounded,
    smallest,
    total,
    where,
    withheld,
)
from planner.lines.commitment import buyable_down, buyable_up
from planner.lines.method import line

# ---- the ladder: every month's need, up and down, is a level to try


@line(unit="unit", label="Need of the month", source="portfolio.6")
def rung_need(instrument_open, rung_number):
    """Cost is convex in the level and bends at needs alone: they are enough to try."""
    return pick(instrument_open, rung_number, over="month")


@line(unit="unit", label="Level, up", source="portfolio.6")
def rung_up(rung_need, instrument_step, instrument_least, instrument_most):
    """The need up to what can be bought."""
    return smallest(buyable_up(rung_need, instrument_step, instrument_least), instrument_most)


@line(unit="unit", label="Level, down", source="portfolio.6")
def rung_down(rung_need, instrument_step, instrument_least, instrument_most):
    """The need down to what can be bought."""
    return smallest(buyable_down(rung_need, instrument_step, instrument_least), instrument_most)


def level_cost(level, inside, need, months, commit, elastic, ready):
    """Commitment in the months of its term, elastic for what goes beyond it; 0 where the two cannot be weighed."""
    over = total((need > level * inside) * (need - level * inside), over="month")
    cost = or_else(commit, 0) * in_unit(level * months, "unit*month") + or_else(elastic, 0) * in_unit(
        over, "unit*month"
    )
    return where(ready, rounded(in_unit(cost, "money"), 6), 0)


@line(unit="money", label="Cost, up", source="portfolio.6")
def rung_cost_up(
    rung_up, instrument_in_term, instrument_open, instrument_months, instrument_commit_month,
    instrument_elastic_month, instrument_ready,
):  # fmt: skip
    """Commitment in its term, elastic for what goes beyond it."""
    return level_cost(
        rung_up, instrument_in_term, instrument_open, instrument_months, instrument_commit_month,
        instrument_elastic_month, instrument_ready,
    )  # fmt: skip


@line(unit="money", label="Cost, down", source="portfolio.6")
def rung_cost_down(
    rung_down, instrument_in_term, instrument_open, instrument_months, instrument_commit_month,
    instrument_elastic_month, instrument_ready,
):  # fmt: skip
    """Commitment in its term, elastic for what goes beyond it."""
    return level_cost(
        rung_down, instrument_in_term, instrument_open, instrument_months, instrument_commit_month,
        instrument_elastic_month, instrument_ready,
    )  # fmt: skip


@line(unit="unit", label="Need of all months", source="portfolio.6")
def instrument_open_sum(instrument_open):
    """Unit-months that may be committed."""
    return total(instrument_open, over="month")


@line(unit="money", label="All elastic", source="portfolio.6")
def instrument_cost_none(instrument_ready, instrument_open_sum, instrument_elastic_month):
    """What it costs without a commitment."""
    cost = or_else(instrument_elastic_month, 0) * in_unit(instrument_open_sum, "unit*month")
    return where(instrument_ready, rounded(in_unit(cost, "money"), 6), 0)


@line(unit="money", label="Least cost on the ladder", source="portfolio.6")
def instrument_ladder_cost(rung_cost_up, rung_cost_down, instrument_cost_none):
    """Of every level and of none."""
    return smallest(instrument_cost_none, least(rung_cost_up, over="rung"), least(rung_cost_down, over="rung"))


@line(unit="unit", label="Highest level tried", source="portfolio.6")
def instrument_highest(rung_up):
    """Stands in for levels that cost more."""
    return most(rung_up, over="rung")


@line(unit="unit", label="Level, up, if it costs least", source="portfolio.6")
def rung_ok_up(rung_up, rung_cost_up, instrument_ladder_cost, instrument_highest):
    """Else the highest level."""
    return where(rounded(rung_cost_up - instrument_ladder_cost, 6) <= 0, rung_up, instrument_highest)


@line(unit="unit", label="Level, down, if it costs least", source="portfolio.6")
def rung_ok_down(rung_down, rung_cost_down, instrument_ladder_cost, instrument_highest):
    """Else the highest level."""
    return where(rounded(rung_cost_down - instrument_ladder_cost, 6) <= 0, rung_down, instrument_highest)


@line(unit="unit", label="Level found or typed", source="portfolio.6")
def instrument_found(
    instrument_ready, instrument_second, instrument_typed_level, instrument_cost_none, instrument_ladder_cost,
    rung_ok_up, rung_ok_down,
):  # fmt: skip
    """The lowest of those that cost least, as a tie commits less; a second commitment has the level that is typed."""
    none = rounded(instrument_cost_none - instrument_ladder_cost, 6) <= 0
    lowest = smallest(least(rung_ok_up, over="rung"), least(rung_ok_down, over="rung"))
    found = where(instrument_second, or_else(instrument_typed_level, 0), where(none, 0, lowest))
    return where(instrument_ready, found, 0)


@line(unit="money", label="Cost", source="portfolio.6")
def instrument_cost_least(
    instrument_second, instrument_ladder_cost, instrument_found, instrument_months, instrument_commit_month
):
    """The least on the ladder; of a second commitment what its typed level costs, used or not."""
    paid = in_unit(instrument_found * instrument_months * or_else(instrument_commit_month, 0), "money")
    return where(instrument_second, rounded(paid, 6), instrument_ladder_cost)


@line(unit="unit", label="Committed level", source="portfolio.6")
def instrument_level(
    instrument_committed, instrument_ready, instrument_found, instrument_commit_month, instrument_elastic_month
):
    """What to commit; withheld where a price or the need is not known."""
    reasons = where(
        known(instrument_commit_month),
        where(known(instrument_elastic_month), withheld("the need is not known"), reason(instrument_elastic_month)),
        reason(instrument_commit_month),
    )
    return where(instrument_committed, where(instrument_ready, instrument_found, reasons), 0)


# ---- a second commitment of the kind: what the first would cost alone


@line(unit="flag", label="First of several", source="portfolio.12")
def instrument_first(instrument_ready, instrument_second, instrument_kind_seconds):
    """A commitment whose kind has another one with a typed level."""
    return both(instrument_ready, opposite(instrument_second), instrument_kind_seconds > 0)


@line(unit="count", label="Second commitments of its kind", source="portfolio.12")
def instrument_kind_seconds(instrument_second, instrument_commodity):
    """How many."""
    return total(instrument_second, over="instrument", by=instrument_commodity, equals=instrument_commodity)


@line(unit="unit", label="Most, alone", source="portfolio.12")
def instrument_most_alone(instrument_quantity_available, instrument_step, instrument_least, instrument_stable):
    """What can be had in whole increments; without a limit, enough for any month."""
    enough = buyable_up(most(instrument_stable, over="month"), instrument_step, instrument_least)
    had = buyable_down(or_else(instrument_quantity_available, 0), instrument_step, instrument_least)
    return where(known(instrument_quantity_available), had, enough)


@line(unit="unit", label="Level alone, up", source="portfolio.12")
def rung_alone_up(instrument_stable, rung_number, instrument_step, instrument_least, instrument_most_alone):
    """The whole need of the month up to what can be bought."""
    need = pick(instrument_stable, rung_number, over="month")
    return smallest(buyable_up(need, instrument_step, instrument_least), instrument_most_alone)


@line(unit="unit", label="Level alone, down", source="portfolio.12")
def rung_alone_down(instrument_stable, rung_number, instrument_step, instrument_least, instrument_most_alone):
    """The whole need of the month down to what can be bought."""
    need = pick(instrument_stable, rung_number, over="month")
    return smallest(buyable_down(need, instrument_step, instrument_least), instrument_most_alone)


@line(unit="money", label="Cost alone, up", source="portfolio.12")
def rung_alone_cost_up(
    rung_alone_up, instrument_in_term, instrument_stable, instrument_months, instrument_commit_month,
    instrument_elastic_month, instrument_first,
):  # fmt: skip
    """Commitment in its term, elastic for what goes beyond it."""
    return level_cost(
        rung_alone_up, instrument_in_term, instrument_stable, instrument_months, instrument_commit_month,
        instrument_elastic_month, instrument_first,
    )  # fmt: skip


@line(unit="money", label="Cost alone, down", source="portfolio.12")
def rung_alone_cost_down(
    rung_alone_down, instrument_in_term, instrument_stable, instrument_months, instrument_commit_month,
    instrument_elastic_month, instrument_first,
):  # fmt: skip
    """Commitment in its term, elastic for what goes beyond it."""
    return level_cost(
        rung_alone_down, instrument_in_term, instrument_stable, instrument_months, instrument_commit_month,
        instrument_elastic_month, instrument_first,
    )  # fmt: skip


@line(unit="money", label="Least cost, alone", source="portfolio.12")
def instrument_alone_cost(
    instrument_first, instrument_stable, instrument_elastic_month, rung_alone_cost_up, rung_alone_cost_down
):
    """The first commitment at its best level for the whole need, as if no second level were typed."""
    need = in_unit(total(instrument_stable, over="month"), "unit*month")
    none = rounded(in_unit(or_else(instrument_elastic_month, 0) * need, "money"), 6)
    least_cost = smallest(none, least(rung_alone_cost_up, over="rung"), least(rung_alone_cost_down, over="rung"))
    return where(instrument_first, least_cost, 0)


@line(unit="money", label="Cost with the typed level", source="portfolio.12")
def instrument_mix_cost(instrument_cost_least, instrument_commodity, instrument_first):
    """All commitments of the kind and what stays elastic beside them."""
    mix = total(instrument_cost_least, over="instrument", by=instrument_commodity, equals=instrument_commodity)
    return where(instrument_first, mix, 0)


@line(unit="money", label="Saved by the typed level", source="portfolio.12")
def instrument_mix_saving(instrument_alone_cost, instrument_mix_cost):
    """Negative: the second commitment costs more than it saves."""
    return instrument_alone_cost - instrument_mix_cost
