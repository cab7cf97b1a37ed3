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
    most,
    opposite,
    or_else,
    pick,
    position_of,
    ratio,
    running,
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
    gpus = join(where(instrument_in_gpus, "GPU · ", ""), instrument_gpu)
    units = join(where(instrument_in_gpus, "", "Units · "), instrument_model)
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
    cached_input_share, seconds_per_hour, minutes_per_hour, ledger_basis, instrument_ledger_load,
):  # fmt: skip
    """Tokens of the peak minute: input that is not cached, and output by its weight."""
    weighed = input_share * (1 - cached_input_share) + or_else(instrument_output_weight, 1) * (1 - input_share)
    load = where(ledger_basis, instrument_ledger_load, tokens_per_s_with_retries * weighed * instrument_share)
    return where(instrument_used, load * seconds_per_hour / minutes_per_hour, 0)


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


@line(unit="GPU", label="Supply counted", source="portfolio.3")
def pool_counted(pool_measured, pool_supply, pool_available, pool_largest_replica):
    """What was measured counts as the verdict counts it; of a pool that nobody has measured, what is available."""
    whole = floor(ratio(pool_available, pool_largest_replica, 0)) * pool_largest_replica
    said = where(pool_largest_replica > 0, whole, floor(pool_available))
    return where(pool_measured, pool_supply, said)


@line(unit="GPU", label="Of which not measured", source="portfolio.3")
def pool_unconfirmed(pool_counted, pool_supply):
    """Counted by allocation alone: nobody has measured the pool, and the verdict leaves it out."""
    return pool_counted - pool_supply


@line(unit="GPU", label="Not measured, all pools", source="portfolio.3")
def gpus_unconfirmed(pool_unconfirmed):
    """Why the need may be below the gap of the verdict; nothing where every pool is measured."""
    return total(pool_unconfirmed, over="pool")


@line(unit="GPU", label="GPUs there", source="portfolio.3")
def instrument_gpus_there(pool_counted, pool_gpu, instrument_gpu):
    """Supply that is counted in the pools of this kind, orders included."""
    return total(pool_counted, over="pool", by=pool_gpu, equals=instrument_gpu)


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
def instrument_stable(
    instrument_need, instrument_in_gpus, instrument_firm_gpus, instrument_firm_share, instrument_gpus_there,
    commitment_demand, committable_basis, committable_share, ledger_basis,
):  # fmt: skip
    """Sure enough to be committed; pools serve the firm tiers first, so that what they give is off."""
    need = or_else(instrument_need, 0)
    there = where(same(commitment_demand, "missing"), instrument_gpus_there, 0)
    gpus = in_unit(largest(0, or_else(instrument_firm_gpus, 0) - there), "unit")
    tiers = where(instrument_in_gpus, smallest(need, gpus), need * instrument_firm_share)
    typed = need * committable_share
    return where(ledger_basis, where(same(committable_basis, "tiers"), tiers, typed), typed)


# ---- more than one commitment for the same kind: the first is found, the others are typed


@line(unit="count", label="Commitments of its kind so far", source="portfolio.4")
def instrument_commitment_number(instrument_committed, instrument_commodity):
    """With the rows above it."""
    return running(instrument_committed, along="instrument", by=instrument_commodity)


@line(unit="flag", label="A second commitment", source="portfolio.4")
def instrument_second(instrument_committed, instrument_commitment_number):
    """The best mix of two would need every pair of levels: the level of the second is typed, the first follows."""
    return both(instrument_committed, instrument_commitment_number > 1)


@line(unit="unit", label="Typed level", source="portfolio.4")
def instrument_second_in(instrument_second, instrument_typed_level, instrument_in_term):
    """Of a second commitment, in the months of its term; nothing where none is typed."""
    return where(both(instrument_second, instrument_in_term), or_else(instrument_typed_level, 0), 0)


@line(unit="unit", label="Typed levels of its kind so far", source="portfolio.4")
def instrument_second_so_far(instrument_second_in, instrument_commodity):
    """With the rows above it."""
    return running(instrument_second_in, along="instrument", by=instrument_commodity)


@line(unit="unit", label="Typed levels of its kind", source="portfolio.4")
def instrument_kind_second(instrument_second_in, instrument_commodity):
    """What the first commitment of the kind finds covered."""
    return total(instrument_second_in, over="instrument", by=instrument_commodity, equals=instrument_commodity)


@line(unit="unit", label="Need open to it", source="portfolio.4")
def instrument_open(
    instrument_second, instrument_stable, instrument_second_in, instrument_second_so_far, instrument_kind_second
):
    """Typed levels take their part in the table's order; the first commitment has what they leave."""
    before = instrument_second_so_far - instrument_second_in
    taken = largest(0, smallest(instrument_second_in, instrument_stable - before))
    return where(instrument_second, taken, largest(0, instrument_stable - instrument_kind_second))


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
def instrument_most(instrument_quantity_available, instrument_step, instrument_least, instrument_open):
    """What can be had in whole increments; without a limit, enough for any month."""
    enough = buyable_up(most(instrument_open, over="month"), instrument_step, instrument_least)
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
