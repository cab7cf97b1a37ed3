"""Chapter 9, second part: GPUs reserved, available and effective, by pool and month."""

from planner.calc.vocabulary import (
    both,
    day_of,
    either,
    floor,
    given,
    in_unit,
    known,
    largest,
    least,
    month_of,
    opposite,
    or_else,
    pick,
    position_of,
    ratio,
    same,
    say,
    total,
    where,
    year_of,
)
from planner.lines.method import line

# ---- what is lost of a pool


@line(unit="flag", label="Sliced", source="effective.9")
def pool_sliced(pool_mode, pool_gpu, gpuref_gpu, gpuref_number):
    """A MIG or vGPU pool named by a whole GPU carries no replica of it; named by a profile, its own models."""
    whole = position_of(pool_gpu, gpuref_gpu, over="gpuref", numbers=gpuref_number) > 0
    return both(whole, either(same(pool_mode, "mig"), same(pool_mode, "vgpu")))


@line(unit="text", label="Why it does not count", source="effective.9")
def pool_slice_excuse(pool_sliced):
    """What part of a GPU a slice is, its name does not say: it is no whole GPU, and the plan says so."""
    return where(pool_sliced, say("▲ slices: name the profile as GPU"), "")


@line(unit="text", label="GPU, where whole", source="effective.9")
def pool_whole_gpu(pool_sliced, pool_gpu):
    """Empty for slices: what is ordered in whole GPUs looks for a pool of whole GPUs."""
    return where(pool_sliced, "", pool_gpu)


@line(unit="GPU", label="Unhealthy", source="effective.9")
def pool_unhealthy(pool_seen, pool_gpus_total, pool_gpus_healthy):
    """Counted, but out of order; none where health was not looked at."""
    lost = or_else(pool_gpus_total, 0) - or_else(pool_gpus_healthy, or_else(pool_gpus_total, 0))
    return where(pool_seen, largest(0, lost), 0)


@line(unit="GPU", label="Competing load", source="effective.9")
def pool_competing(pool_seen, pool_gpus_allocated):
    """GPUs that other work holds."""
    return where(pool_seen, or_else(pool_gpus_allocated, 0), 0)


@line(unit="share", label="In maintenance", source="effective.9")
def pool_serviced(pool_seen, pool_maintenance_share):
    """The share of the pool that is out of service in turn."""
    return where(pool_seen, or_else(pool_maintenance_share, 0), 0)


@line(unit="share", label="Ceiling on the pool", source="effective.10")
def model_ceiling_on_pool(pool_model_gpus_each, model_ceiling, utilisation_limit):
    """The ceiling of each model that could stand there; the plan's limit for the others."""
    return where(pool_model_gpus_each > 0, model_ceiling, utilisation_limit)


@line(unit="share", label="Ceiling", source="effective.10")
def pool_ceiling(model_ceiling_on_pool):
    """The lowest of its models' ceilings; the plan's limit where no model stands there."""
    return least(model_ceiling_on_pool, over="model")


@line(unit="token/s", label="Load at the peak", source="effective.11")
def model_peak_load(model_load, peak_month):
    """In the peak month."""
    return pick(model_load, peak_month, over="month")


@line(unit="GPU", label="GPUs for the peak", source="effective.11")
def model_peak_gpus(model_gpus_peak, peak_month):
    """In the peak month, unrounded; 0 where it is not known."""
    return or_else(pick(model_gpus_peak, peak_month, over="month"), 0)


@line(unit="token/s/GPU", label="Speed of the mix", source="effective.11")
def pool_mix_speed(model_peak_load, model_peak_gpus, model_gpu, pool_gpu):
    """All tokens a second that a GPU of the pool's kind carries, over the models that need it."""
    load = total(model_peak_load, over="model", by=model_gpu, equals=pool_gpu)
    return ratio(load, total(model_peak_gpus, over="model", by=model_gpu, equals=pool_gpu), 0)


# ---- what was ordered and comes to a pool


@line(unit="flag", label="In use", source="portfolio.1")
def instrument_used(instrument_name):
    """A row without a name is a spare row and counts as nothing."""
    return given(instrument_name)


@line(unit="flag", label="In GPUs", source="portfolio.1")
def instrument_in_gpus(instrument_used, instrument_unit_kind):
    """GPUs unless the row says provisioned throughput."""
    return both(instrument_used, where(same(instrument_unit_kind, "provisioned"), 0, 1))


@line(unit="index", label="First month", source="portfolio.2")
def instrument_first_month(instrument_used, instrument_starts_on, start_month, months_per_year):
    """The month from whose first day it serves; a start within a month counts from the next."""
    date = or_else(instrument_starts_on, start_month)
    months = (year_of(date) - year_of(start_month)) * months_per_year + month_of(date) - month_of(start_month)
    later = largest(1, 1 + months + where(day_of(date) > 1, 1, 0))
    return where(instrument_used, where(known(instrument_starts_on), later, 1), 0)


@line(unit="flag", label="In term", source="portfolio.2")
def instrument_in_term(instrument_used, instrument_first_month, instrument_term_months, month_number, in_horizon):
    """Whether the month lies in the term; without a term it has no end."""
    elapsed = in_unit(month_number, "index") - instrument_first_month
    ended = where(known(instrument_term_months), elapsed >= or_else(instrument_term_months, 0), 0)
    return both(instrument_used, in_horizon, elapsed >= 0, opposite(ended))


@line(unit="index", label="Pool", source="portfolio.2")
def instrument_pool_row(instrument_in_gpus, instrument_pool, instrument_gpu, pool_name, pool_whole_gpu, pool_number):
    """The pool that is named, else the first with the same whole GPU; 0 when there is none."""
    named = position_of(instrument_pool, pool_name, over="pool", numbers=pool_number)
    alike = position_of(instrument_gpu, pool_whole_gpu, over="pool")
    return where(instrument_in_gpus, where(given(instrument_pool), named, where(given(instrument_gpu), alike, 0)), 0)


@line(unit="GPU", label="Ordered", source="portfolio.2")
def instrument_ordered(instrument_in_gpus, instrument_in_term, instrument_quantity_ordered):
    """GPUs that are signed for and serve in the month."""
    return where(both(instrument_in_gpus, instrument_in_term), or_else(instrument_quantity_ordered, 0), 0)


@line(unit="GPU", label="Delivered so far", source="effective.12")
def pool_delivered(instrument_ordered, instrument_pool_row, pool_number):
    """On top of what was counted on Pools."""
    return total(instrument_ordered, over="instrument", by=instrument_pool_row, equals=pool_number)


# ---- the three capacities


@line(unit="GPU", label="Reserved", source="effective.12")
def pool_reserved(pool_seen, pool_gpus_total, pool_delivered):
    """Contracted or owned: what was counted and what has come since."""
    return where(pool_seen, or_else(pool_gpus_total, 0), 0) + pool_delivered


@line(unit="GPU", label="Available", source="effective.12")
def pool_available(pool_reserved, pool_serviced, pool_unhealthy, pool_competing, pool_sliced):
    """Reserved less maintenance, unhealthy GPUs and competing load; of slices no whole GPU is available."""
    left = largest(0, pool_reserved * (1 - pool_serviced) - pool_unhealthy - pool_competing)
    return where(pool_sliced, 0, left)


@line(unit="GPU", label="Effective", source="effective.12")
def pool_effective(pool_available, pool_largest_replica, pool_ceiling):
    """Whole replicas up to the utilisation ceiling: what can keep the response-time target."""
    whole = floor(ratio(pool_available, pool_largest_replica, 0)) * pool_largest_replica
    return where(pool_largest_replica > 0, whole, floor(pool_available)) * pool_ceiling


@line(unit="token/s", label="Effective tokens/s", source="effective.12")
def pool_effective_speed(pool_effective, pool_mix_speed):
    """The same in tokens a second at the mix of models."""
    return pool_effective * pool_mix_speed


@line(unit="GPU", label="Reserved", source="effective.13")
def gpus_reserved(pool_reserved):
    """All pools together."""
    return total(pool_reserved, over="pool")


@line(unit="GPU", label="Available", source="effective.13")
def gpus_available(pool_available):
    """All pools together."""
    return total(pool_available, over="pool")


@line(unit="GPU", label="Effective", source="effective.13")
def gpus_effective(pool_effective):
    """All pools together."""
    return total(pool_effective, over="pool")
