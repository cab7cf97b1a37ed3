"""Chapter 10, first part: what is needed of each instrument, and the committed level that costs least."""

from planner.calc.vocabulary import (
    both,
    ceil,
    count_known,
    either,
    floor,
    given,
    in_unit,
    join,
    known,
    largest,
    least,
    most,
    opposite,
    or_else,
    pick,
    position_of,
    reason,
    rounded,
    same,
    smallest,
    total,
    where,
    withheld,
)
from planner.lines.method import line


def buyable_up(amount, step, lowest):
    """An amount up to what can be bought: whole increments, never below the minimum; nothing stays nothing."""
    return where(amount > 0, largest(lowest, ceil(amount / step) * step), 0)


def buyable_down(amount, step, lowest):
    """An amount down to what can be bought; nothing where that falls below the minimum."""
    held = floor(amount / step) * step
    return where(held >= lowest, held, 0)


# ---- what an instrument is


@line(unit="flag", label="Committed", source="portfolio.1")
def instrument_committed(instrument_used, instrument_instrument_kind):
    """Paid for every month of its term, used or not."""
    return both(instrument_used, same(instrument_instrument_kind, "committed"))


@line(unit="flag", label="Fallback", source="portfolio.1")
def instrument_fallback(instrument_used, instrument_instrument_kind):
    """No purchase: a way to do with less."""
    return both(instrument_used, same(instrument_instrument_kind, "fallback"))


@line(unit="flag", label="Elastic", source="portfolio.1")
def instrument_elastic(instrument_used, instrument_committed, instrument_fallback):
    """Paid when it is used; what a row is when it says nothing else."""
    return both(instrument_used, opposite(either(instrument_committed, instrument_fallback)))


@line(unit="text", label="What it supplies", source="portfolio.1")
def instrument_commodity(instrument_used, instrument_in_gpus, instrument_gpu, instrument_model):
    """Instruments of one kind of GPU, or for one model, stand in for each other."""
    gpus = join(where(instrument_in_gpus, "gpu|", ""), instrument_gpu)
    units = join(where(instrument_in_gpus, "", "unit|"), instrument_model)
    return where(instrument_used, where(instrument_in_gpus, gpus, units), "")


@line(unit="index", label="Row of its model", source="portfolio.1")
def instrument_model_row(instrument_model, model_name, model_number):
    """0 where it names none, or one that the plan does not use."""
    return position_of(instrument_model, model_name, over="model", numbers=model_number)


@line(unit="index", label="Row of a model on its GPU", source="portfolio.1")
def instrument_gpu_row(instrument_in_gpus, instrument_gpu, model_gpu):
    """The first; its GPU price stands in where no other is typed."""
    return where(both(instrument_in_gpus, given(instrument_gpu)), position_of(instrument_gpu, model_gpu, "model"), 0)


# ---- need by month, in the unit that is bought


@line(unit="share", label="Share of tokens", source="portfolio.3")
def instrument_share(instrument_in_gpus, instrument_model_row, model_share):
    """Of the model that provisioned units serve."""
    served = where(instrument_model_row > 0, pick(model_share, instrument_model_row, over="model"), 0)
    return where(instrument_in_gpus, 0, served)


@line(unit="token/min", label="Normalised load", source="portfolio.3")
def instrument_normalised(
    instrument_used, instrument_share, instrument_output_weight, tokens_per_s_with_retries, input_share,
    cached_input_share, seconds_per_hour, minutes_per_hour,
):  # fmt: skip
    """Tokens of the peak minute: input that is not cached, and output by its weight."""
    weighed = input_share * (1 - cached_input_share) + or_else(instrument_output_weight, 1) * (1 - input_share)
    load = tokens_per_s_with_retries * seconds_per_hour / minutes_per_hour * weighed
    return where(instrument_used, load * instrument_share, 0)


@line(unit="unit", label="Units, exact", source="portfolio.3")
def instrument_units_exact(instrument_used, instrument_in_gpus, instrument_normalised, instrument_unit_rate_per_min):
    """Normalised load over what a unit carries."""
    exact = instrument_normalised / instrument_unit_rate_per_min
    judged = where(known(instrument_unit_rate_per_min), exact, withheld("no tokens/min per unit, type it"))
    return where(both(instrument_used, same(instrument_in_gpus, 0)), judged, 0)


@line(unit="GPU", label="GPUs of its kind", source="portfolio.3")
def instrument_gpus_planned(model_gpus_planned, model_gpu, instrument_gpu):
    """GPUs to plan of all models on this kind."""
    return total(model_gpus_planned, over="model", by=model_gpu, equals=instrument_gpu)


@line(unit="GPU", label="GPUs there", source="portfolio.3")
def instrument_gpus_there(pool_available, pool_gpu, instrument_gpu):
    """Available in the pools of this kind, orders included."""
    return total(pool_available, over="pool", by=pool_gpu, equals=instrument_gpu)


@line(unit="unit", label="Need", source="portfolio.3")
def instrument_need(
    instrument_used, instrument_in_gpus, instrument_fallback, instrument_gpu, instrument_gpus_planned,
    instrument_gpus_there, instrument_units_exact, commitment_demand,
):  # fmt: skip
    """What is to be bought: GPUs that the pools do not give, or all of them; or units of provisioned throughput."""
    there = where(same(commitment_demand, "missing"), instrument_gpus_there, 0)
    gpus = in_unit(largest(0, instrument_gpus_planned - there), "unit")
    wanted = where(instrument_in_gpus, where(given(instrument_gpu), gpus, 0), instrument_units_exact)
    return where(both(instrument_used, same(instrument_fallback, 0)), wanted, 0)


@line(unit="flag", label="Need is known", source="portfolio.3")
def instrument_need_known(instrument_need, months_shown):
    """In every month."""
    return count_known(instrument_need, over="month") >= in_unit(months_shown, "count")


@line(unit="unit", label="Need that may be committed", source="portfolio.4")
def instrument_stable(instrument_need, committable_share):
    """The part that is sure enough to be committed; the rest stays elastic."""
    return or_else(instrument_need, 0) * committable_share


# ---- what can be bought


@line(unit="unit", label="Increment", source="portfolio.5")
def instrument_step(instrument_increment):
    """1 unless the row says another."""
    return in_unit(or_else(in_unit(instrument_increment, "count"), 1), "unit")


@line(unit="unit", label="Least", source="portfolio.5")
def instrument_least(instrument_minimum, instrument_step):
    """The minimum, taken up to a whole increment."""
    return ceil(or_else(instrument_minimum, 0) / instrument_step) * instrument_step


@line(unit="unit", label="Most", source="portfolio.5")
def instrument_most(instrument_quantity_available, instrument_step, instrument_least, instrument_stable):
    """What can be had in whole increments; without a limit, enough for any month."""
    enough = buyable_up(most(instrument_stable, over="month"), instrument_step, instrument_least)
    had = buyable_down(or_else(instrument_quantity_available, 0), instrument_step, instrument_least)
    return where(known(instrument_quantity_available), had, enough)


@line(unit="money/unit/h", label="Price", source="portfolio.5")
def instrument_price(instrument_used, instrument_price_per_unit_hour):
    """As typed."""
    return where(instrument_used, or_else(instrument_price_per_unit_hour, withheld("no price, type it")), 0)


@line(unit="money/unit/h", label="Price without commitment", source="portfolio.5")
def instrument_elastic_price(
    instrument_used, instrument_elastic_price_per_unit_hour, instrument_gpu_row, model_gpu_price
):
    """As typed, else the GPU price that the plan reckons with."""
    listed = in_unit(pick(model_gpu_price, instrument_gpu_row, over="model"), "money/unit/h")
    looked_up = where(instrument_gpu_row > 0, listed, withheld("no price without commitment, type it"))
    return where(instrument_used, or_else(instrument_elastic_price_per_unit_hour, looked_up), 0)


@line(unit="money/unit/month", label="Committed, a month", source="portfolio.5")
def instrument_commit_month(instrument_price, hours_per_month):
    """A unit for all hours of a month."""
    return instrument_price * hours_per_month


@line(unit="money/unit/month", label="Elastic, a month", source="portfolio.5")
def instrument_elastic_month(instrument_elastic_price, hours_per_month):
    """At the same hours, so that the two can be compared."""
    return instrument_elastic_price * hours_per_month


@line(unit="flag", label="Can be compared", source="portfolio.6")
def instrument_ready(instrument_committed, instrument_commit_month, instrument_elastic_month, instrument_need_known):
    """A commitment with both prices and a known need."""
    return both(
        instrument_committed, known(instrument_commit_month), known(instrument_elastic_month), instrument_need_known
    )


@line(unit="count", label="Months in term", source="portfolio.6")
def instrument_months(instrument_in_term):
    """Of the plan's months."""
    return total(instrument_in_term, over="month")


# ---- the ladder: every month's need, up and down, is a level to try


@line(unit="unit", label="Need of the month", source="portfolio.6")
def rung_need(instrument_stable, rung_number):
    """Cost is convex in the level and bends at needs alone: they are enough to try."""
    return pick(instrument_stable, rung_number, over="month")


@line(unit="unit", label="Level, up", source="portfolio.6")
def rung_up(rung_need, instrument_step, instrument_least, instrument_most):
    """The need up to what can be bought."""
    return smallest(buyable_up(rung_need, instrument_step, instrument_least), instrument_most)


@line(unit="unit", label="Level, down", source="portfolio.6")
def rung_down(rung_need, instrument_step, instrument_least, instrument_most):
    """The need down to what can be bought."""
    return smallest(buyable_down(rung_need, instrument_step, instrument_least), instrument_most)


def _cost(level, inside, need, months, commit, elastic, ready):
    over = total((need > level * inside) * (need - level * inside), over="month")
    cost = or_else(commit, 0) * in_unit(level * months, "unit*month") + or_else(elastic, 0) * in_unit(
        over, "unit*month"
    )
    return where(ready, rounded(in_unit(cost, "money"), 6), 0)


@line(unit="money", label="Cost, up", source="portfolio.6")
def rung_cost_up(
    rung_up, instrument_in_term, instrument_stable, instrument_months, instrument_commit_month,
    instrument_elastic_month, instrument_ready,
):  # fmt: skip
    """Commitment in its term, elastic for what goes beyond it."""
    return _cost(
        rung_up, instrument_in_term, instrument_stable, instrument_months, instrument_commit_month,
        instrument_elastic_month, instrument_ready,
    )  # fmt: skip


@line(unit="money", label="Cost, down", source="portfolio.6")
def rung_cost_down(
    rung_down, instrument_in_term, instrument_stable, instrument_months, instrument_commit_month,
    instrument_elastic_month, instrument_ready,
):  # fmt: skip
    """Commitment in its term, elastic for what goes beyond it."""
    return _cost(
        rung_down, instrument_in_term, instrument_stable, instrument_months, instrument_commit_month,
        instrument_elastic_month, instrument_ready,
    )  # fmt: skip


@line(unit="unit", label="Need of all months", source="portfolio.6")
def instrument_stable_sum(instrument_stable):
    """Unit-months that may be committed."""
    return total(instrument_stable, over="month")


@line(unit="money", label="All elastic", source="portfolio.6")
def instrument_cost_none(instrument_ready, instrument_stable_sum, instrument_elastic_month):
    """What it costs without a commitment."""
    cost = or_else(instrument_elastic_month, 0) * in_unit(instrument_stable_sum, "unit*month")
    return where(instrument_ready, rounded(in_unit(cost, "money"), 6), 0)


@line(unit="money", label="Least cost", source="portfolio.6")
def instrument_cost_least(rung_cost_up, rung_cost_down, instrument_cost_none):
    """Of every level and of none."""
    return smallest(instrument_cost_none, least(rung_cost_up, over="rung"), least(rung_cost_down, over="rung"))


@line(unit="unit", label="Highest level tried", source="portfolio.6")
def instrument_highest(rung_up):
    """Stands in for levels that cost more."""
    return most(rung_up, over="rung")


@line(unit="unit", label="Level, up, if it costs least", source="portfolio.6")
def rung_ok_up(rung_up, rung_cost_up, instrument_cost_least, instrument_highest):
    """Else the highest level."""
    return where(rounded(rung_cost_up - instrument_cost_least, 6) <= 0, rung_up, instrument_highest)


@line(unit="unit", label="Level, down, if it costs least", source="portfolio.6")
def rung_ok_down(rung_down, rung_cost_down, instrument_cost_least, instrument_highest):
    """Else the highest level."""
    return where(rounded(rung_cost_down - instrument_cost_least, 6) <= 0, rung_down, instrument_highest)


@line(unit="unit", label="Level found", source="portfolio.6")
def instrument_found(instrument_ready, instrument_cost_none, instrument_cost_least, rung_ok_up, rung_ok_down):
    """The lowest of those that cost least: a tie commits less."""
    none = rounded(instrument_cost_none - instrument_cost_least, 6) <= 0
    lowest = smallest(least(rung_ok_up, over="rung"), least(rung_ok_down, over="rung"))
    return where(instrument_ready, where(none, 0, lowest), 0)


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
