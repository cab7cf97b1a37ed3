"""Chapter 4, first part: phases, buffer and the coverage by the GPUs that somebody has seen."""

from planner.calc.vocabulary import (
    both,
    either,
    given,
    known,
    largest,
    least,
    not_applicable,
    opposite,
    or_else,
    ratio,
    same,
    total,
    where,
    withheld,
)
from planner.lines.method import line


@line(unit="token", label="Token target", source="supply.1")
def phase_tokens(monthly_tokens, month_number, phase_from, phase_to):
    """The months of the phase on the curve in use, so that phases and months always tie out."""
    return total((month_number >= phase_from) * (month_number <= phase_to) * monthly_tokens, over="month")


@line(unit="share", label="Share of the horizon", source="supply.1")
def phase_share(phase_tokens, horizon_tokens):
    """What part of all tokens falls into the phase."""
    return ratio(phase_tokens, horizon_tokens, 0)


@line(unit="token", label="Capacity with buffer", source="supply.2")
def phase_capacity(phase_tokens, buffer_factor):
    """Planned capacity = predicted demand x buffer factor."""
    return phase_tokens * buffer_factor


@line(unit="share", label="Against the guide", source="supply.1")
def phase_gap(phase_share, phase_guide_share):
    """How far the curve in use is from the guide's 5 / 25 / 50 / 20; the phased curve makes it nothing."""
    return where(known(phase_guide_share), phase_share - phase_guide_share, not_applicable())


@line(unit="token", label="All phases", source="supply.1")
def phases_sum(phase_tokens):
    """Must be the horizon's tokens: a month in no phase, or in two, shows here."""
    return total(phase_tokens, over="phase")


@line(unit="token/month", label="Capacity with buffer", source="supply.2")
def buffered_tokens(monthly_tokens, buffer_factor):
    """Planned capacity of the month in tokens."""
    return monthly_tokens * buffer_factor


@line(unit="token", label="Capacity with buffer, first year", source="supply.2", headline=True)
def buffered_capacity_tokens(annual_tokens, buffer_factor):
    """The year's tokens with the buffer on top."""
    return annual_tokens * buffer_factor


@line(unit="share", label="Free at plan", source="supply.2")
def buffer_free_share(buffer_factor):
    """A buffer of 1.3 is 30 % over demand and leaves 23 % of capacity free: two readings of one figure."""
    return 1 - 1 / buffer_factor


# ---- GPUs that somebody has seen


@line(unit="flag", label="Pool with a figure", source="supply.3")
def pool_seen(pool_name, pool_gpus_total):
    """A pool counts when its GPUs were counted."""
    return both(given(pool_name), known(pool_gpus_total))


@line(unit="GPU", label="GPUs for this plan", source="supply.3")
def pool_gpus_free(pool_seen, pool_sliced, pool_gpus_total, pool_serviced, pool_unhealthy, pool_competing):
    """Healthy whole GPUs that other work has not taken and maintenance leaves; orders on the way come by month."""
    left = or_else(pool_gpus_total, 0) * (1 - pool_serviced) - pool_unhealthy - pool_competing
    return where(both(pool_seen, opposite(pool_sliced)), largest(0, left), 0)


@line(unit="count", label="Pools with figures", source="supply.3")
def pools_seen(pool_seen):
    """Without any, the capacity is not validated and the plan says so."""
    return total(pool_seen, over="pool")


@line(unit="count", label="Models on this kind", source="supply.3")
def pool_models(model_on_prem, model_gpu, pool_gpu):
    """How many models of the plan run on this kind of GPU, or on this profile of instance."""
    return total(model_on_prem, over="model", by=model_gpu, equals=pool_gpu)


@line(unit="GPU", label="GPUs secured", source="supply.3")
def pool_gpus_secured(pool_mode, pool_models, pool_gpus_free):
    """MIG instances are counted only where a model is planned on them: a part of a GPU is no GPU."""
    return where(either(opposite(same(pool_mode, "mig")), pool_models > 0), pool_gpus_free, 0)


@line(unit="GPU", label="GPUs secured", source="supply.3")
def gpus_secured(pool_gpus_secured):
    """All pools together."""
    return total(pool_gpus_secured, over="pool")


@line(unit="GPU", label="GPUs secured of this kind", source="supply.3")
def model_gpus_secured(pool_gpus_free, pool_gpu, model_gpu):
    """Only pools with the model's own GPU can carry it."""
    return total(pool_gpus_free, over="pool", by=pool_gpu, equals=model_gpu)


@line(unit="GPU", label="GPUs secured of this kind, with orders", source="supply.3")
def model_gpus_secured_by_month(pool_available, pool_gpu, model_gpu):
    """The same by month: what is ordered counts from the month in which it serves."""
    return total(pool_available, over="pool", by=pool_gpu, equals=model_gpu)


@line(unit="GPU", label="GPUs to plan of this kind", source="supply.4")
def model_gpus_alike(model_gpus_planned, model_gpu):
    """Models on the same GPU share its pools."""
    return total(model_gpus_planned, over="model", by=model_gpu, equals=model_gpu)


@line(unit="share", label="Coverage", source="supply.4")
def model_coverage(model_on_prem, model_gpus_alike, model_gpus_secured_by_month, pools_seen):
    """GPUs secured over GPUs to plan, by kind of GPU; what is not known is not a number."""
    covered = model_gpus_secured_by_month / model_gpus_alike
    seen = where(pools_seen > 0, covered, withheld("GPU capacity validation is missing"))
    needed = where(model_gpus_alike > 0, seen, not_applicable())
    return where(both(model_on_prem, known(model_gpus_alike)), needed, not_applicable())


@line(unit="share", label="Coverage, worst kind of GPU", source="supply.4")
def coverage(model_coverage, validation_missing):
    """The kind of GPU that is shortest decides the month."""
    return where(
        validation_missing, withheld("GPU capacity validation is missing"), least(model_coverage, over="model")
    )


@line(unit="share", label="Coverage, worst month", source="supply.4")
def coverage_worst(coverage, validation_missing):
    """The month that decides whether the plan holds."""
    return where(validation_missing, withheld("GPU capacity validation is missing"), least(coverage, over="month"))


@line(unit="GPU", label="Spare or short", source="supply.4")
def gpus_spare(gpus_available, gpus_planned_by_month, validation_missing):
    """Negative: so many GPUs are missing."""
    spare = gpus_available - gpus_planned_by_month
    return where(validation_missing, withheld("GPU capacity validation is missing"), spare)


@line(unit="flag", label="Month short of GPUs", source="supply.4")
def month_short(coverage):
    """Whether the month is not whole."""
    return where(known(coverage), coverage < 1, 0)


@line(unit="count", label="Months short of GPUs", source="supply.4")
def months_short(month_short):
    """How often the plan does not hold."""
    return total(month_short, over="month")


@line(unit="flag", label="GPU capacity not validated", source="supply.3")
def validation_missing(pools_seen, model_on_prem_any):
    """The conclusion must say so."""
    return both(model_on_prem_any, opposite(pools_seen > 0))


@line(unit="flag", label="Any model on GPUs", source="capacity.1")
def model_on_prem_any(model_on_prem):
    """Whether GPUs are planned at all."""
    return total(model_on_prem, over="model") > 0


@line(unit="flag", label="Any model on an API", source="cost.1")
def model_api_any(model_api):
    """Whether tokens are bought at all."""
    return total(model_api, over="model") > 0


@line(unit="token/month", label="Tokens by phase", source="supply.1")
def tokens_in_phase(monthly_tokens, month_phase_number, phase_number):
    """Each month under its phase: the coloured columns of the chart."""
    return where(same(month_phase_number, phase_number), monthly_tokens, 0)


@line(unit="text", label="Phase band", source="supply.1")
def phase_band(month_phase_number, month_phase_number_before, month_phase):
    """The phase's name over its first month."""
    return where(same(month_phase_number, month_phase_number_before), "", month_phase)
