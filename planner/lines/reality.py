"""Chapter 11, second part: the verdict. Required against headroom by pool and month, and which phases slip to when."""

from planner.calc.vocabulary import (
    apart,
    both,
    count_known,
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
    reason,
    running,
    same,
    say,
    smallest,
    total,
    where,
    withheld,
)
from planner.lines.method import line

# ---- pools of a kind, in the table's order


@line(unit="GPU", label="Supply of its kind so far", source="reality.2")
def pool_supply_so_far(pool_supply, pool_gpu):
    """With the pools above it that hold the same GPU."""
    return running(pool_supply, along="pool", by=pool_gpu)


@line(unit="flag", label="Of whole GPUs", source="reality.2")
def pool_whole(pool_used, pool_sliced):
    """A pool that can carry replicas."""
    return both(pool_used, opposite(pool_sliced))


@line(unit="count", label="Pools of its kind so far", source="reality.2")
def pool_kind_number(pool_whole, pool_gpu):
    """With the pools above it."""
    return running(pool_whole, along="pool", by=pool_gpu)


@line(unit="count", label="Pools of its kind", source="reality.2")
def pool_kind_count(pool_whole, pool_gpu):
    """All of them."""
    return total(pool_whole, over="pool", by=pool_gpu, equals=pool_gpu)


@line(unit="flag", label="Last of its kind", source="reality.2")
def pool_last(pool_whole, pool_kind_number, pool_kind_count):
    """It carries what the others cannot, and so shows the gap."""
    return both(pool_whole, same(pool_kind_number, pool_kind_count))


@line(unit="count", label="Measured, its kind", source="reality.2")
def pool_kind_measured(pool_whole_measured, pool_gpu):
    """Pools of whole GPUs whose headroom is known."""
    return total(pool_whole_measured, over="pool", by=pool_gpu, equals=pool_gpu)


@line(unit="flag", label="Whole GPUs, measured", source="reality.2")
def pool_whole_measured(pool_whole, pool_measured):
    """Its headroom counts."""
    return both(pool_whole, pool_measured)


# ---- what the plan requires of each pool


@line(unit="GPU", label="Required of its kind", source="reality.3")
def pool_kind_required(pool_used, pool_gpu, model_gpus_planned, model_gpu):
    """GPUs to plan of all models on the pool's kind of GPU."""
    wanted = total(model_gpus_planned, over="model", by=model_gpu, equals=pool_gpu)
    return where(both(pool_used, given(pool_gpu)), wanted, 0)


@line(unit="GPU", label="Required", source="reality.3")
def pool_required(pool_kind_required, pool_supply_so_far, pool_supply, pool_last):
    """Pools are filled in the table's order; the last of a kind carries the rest."""
    rest = largest(0, pool_kind_required - (pool_supply_so_far - pool_supply))
    return where(pool_last, rest, smallest(rest, pool_supply))


@line(unit="GPU", label="Required above supply", source="reality.3")
def pool_lack(pool_required, pool_supply):
    """Whoever has measured it."""
    return where(known(pool_required), largest(0, or_else(pool_required, 0) - pool_supply), 0)


@line(unit="GPU", label="Gap", source="reality.3")
def pool_gap_by_month(pool_required, pool_lack, pool_kind_measured):
    """Required above supply; unknown where nobody has measured a pool of the kind."""
    judged = where(pool_kind_measured > 0, pool_lack, withheld("no headroom figure"))
    return where(known(pool_required), where(pool_required > 0, judged, 0), reason(pool_required))


@line(unit="flag", label="All three counts known", source="reality.3")
def pool_counts_known(pool_used, pool_by_scheduling, pool_by_compute, pool_by_vram):
    """Scheduling, compute and VRAM: what is unknown can at best fit on partial evidence."""
    return both(pool_used, known(pool_by_scheduling), known(pool_by_compute), known(pool_by_vram))


@line(unit="text", label="Verdict", source="reality.3")
def pool_verdict(pool_gap_by_month, pool_required, pool_counts_known):
    """In words."""
    fits = where(pool_counts_known, say("○ fits"), say("◊ fits?"))
    seen = where(or_else(pool_gap_by_month, 0) > 0, say("■ short"), fits)
    judged = where(known(pool_gap_by_month), seen, say("◊ unknown"))
    nothing = where(known(pool_required), or_else(pool_required, 0) <= 0, 0)
    return where(nothing, "", judged)


# ---- the plan by month


@line(unit="count", label="Pools with its GPU", source="reality.4")
def model_pools(pool_whole, pool_gpu, model_gpu):
    """Pools of whole GPUs; without any the model has nowhere to run."""
    return total(pool_whole, over="pool", by=pool_gpu, equals=model_gpu)


@line(unit="GPU", label="No pool", source="reality.4")
def model_unhoused(model_on_prem, model_gpus_planned, model_pools):
    """GPUs of a kind that no pool has."""
    return where(both(model_on_prem, same(model_pools, 0)), model_gpus_planned, 0)


@line(unit="GPU", label="Required on kinds without a pool", source="reality.4")
def gpus_unhoused(model_unhoused):
    """All models."""
    return total(model_unhoused, over="model")


@line(unit="GPU", label="Missing in the pools", source="reality.4")
def gpus_missing(pool_gap_by_month):
    """All pools."""
    return total(pool_gap_by_month, over="pool")


@line(unit="GPU", label="Gap", source="reality.4")
def gap_by_month(gpus_missing, gpus_unhoused, pools_used):
    """What the live state cannot give to the plan."""
    return where(pools_used > 0, gpus_missing + gpus_unhoused, withheld("GPU capacity validation is missing"))


@line(unit="GPU", label="Feasible", source="reality.4")
def feasible_by_month(gpus_planned_by_month, gap_by_month):
    """GPUs to plan that are there."""
    return gpus_planned_by_month - gap_by_month


@line(unit="flag", label="Does not fit", source="reality.4")
def month_unfit(gap_by_month):
    """Whether the month is short; an unknown one is no evidence of either."""
    return where(known(gap_by_month), gap_by_month > 0, 0)


@line(unit="count", label="Months that do not fit", source="reality.4")
def months_unfit(month_unfit):
    """How many."""
    return total(month_unfit, over="month")


@line(unit="count", label="Months that can be judged", source="reality.4")
def months_judged(gap_by_month):
    """Those with a known gap."""
    return count_known(gap_by_month, over="month")


@line(unit="GPU", label="Largest gap", source="reality.4")
def gap_worst(gap_known):
    """Of the months that can be judged."""
    return most(gap_known, over="month")


@line(unit="GPU", label="Gap, as far as known", source="reality.4")
def gap_known(gap_by_month):
    """For the search of the worst month."""
    return or_else(gap_by_month, 0)


@line(unit="index", label="Month of the largest gap", source="reality.4")
def gap_month(gap_worst, gap_known):
    """The first of equals."""
    return position_of(gap_worst, gap_known, over="month")


# ---- what is feasible in tokens


@line(unit="GPU", label="Supply of its kind", source="reality.5")
def model_supply(pool_supply, pool_gpu, model_gpu):
    """What the pools of the model's GPU give."""
    return total(pool_supply, over="pool", by=pool_gpu, equals=model_gpu)


@line(unit="share", label="Share that can be served", source="reality.5")
def model_served(model_on_prem, model_gpus_alike, model_supply):
    """Supply over the GPUs that all models of the kind require; an API serves all."""
    share = where(model_gpus_alike > 0, smallest(1, model_supply / model_gpus_alike), 1)
    return where(model_on_prem, share, 1)


@line(unit="token/month", label="Feasible tokens of each model", source="reality.5")
def model_feasible(model_tokens, model_served):
    """In proportion: the GPUs that are missing take their part of the load with them."""
    return model_tokens * model_served


@line(unit="token/month", label="Feasible tokens", source="reality.5")
def feasible_tokens(model_feasible):
    """The plan that the live state allows."""
    return total(model_feasible, over="model")


@line(unit="token/month", label="Tokens that do not fit", source="reality.5")
def tokens_unfit(monthly_tokens, feasible_tokens):
    """They wait, are routed away, or are refused."""
    return largest(0, apart(monthly_tokens, feasible_tokens))


# ---- phases


@line(unit="GPU", label="GPUs in its months", source="reality.6")
def phase_month_gpus(gpus_planned_by_month, month_number, phase_from, phase_to):
    """GPUs to plan of the months that belong to the phase."""
    return where(both(month_number >= phase_from, month_number <= phase_to), or_else(gpus_planned_by_month, 0), 0)


@line(unit="GPU", label="Most GPUs", source="reality.6")
def phase_gpus(phase_month_gpus):
    """What the phase needs at its worst."""
    return most(phase_month_gpus, over="month")


@line(unit="index", label="Its worst month", source="reality.6")
def phase_worst(phase_gpus, phase_month_gpus):
    """The first of equals."""
    return where(phase_gpus > 0, position_of(phase_gpus, phase_month_gpus, over="month"), 0)


@line(unit="GPU", label="Need of its kind", source="reality.6")
def phase_model_gpus(phase_worst, model_on_prem, model_gpus_alike):
    """What the model's kind of GPU requires in the phase's worst month."""
    wanted = or_else(pick(model_gpus_alike, phase_worst, over="month"), 0)
    return where(both(model_on_prem, phase_worst > 0), wanted, 0)


@line(unit="count", label="Models without supply", source="reality.6")
def phase_short(phase_model_gpus, model_supply):
    """Models whose kind cannot carry the phase with the supply of the month."""
    return total(phase_model_gpus > model_supply, over="model")


@line(unit="flag", label="Could start", source="reality.6")
def phase_ready(phase_short, month_number, phase_from, in_horizon, phase_worst):
    """Not before its own first month."""
    return both(phase_worst > 0, in_horizon, month_number >= phase_from, same(phase_short, 0))


@line(unit="index", label="Feasible from month", source="reality.6")
def phase_feasible_from(phase_ready):
    """The first month whose supply carries the phase at its worst; 0: not within the plan."""
    return position_of(1, phase_ready, over="month")


@line(unit="index", label="Months of slip", source="reality.6")
def phase_slip(phase_used, phase_worst, phase_feasible_from, phase_from, months_judged):
    """How much later than planned."""
    late = in_unit(phase_feasible_from, "index") - in_unit(phase_from, "index")
    slips = where(phase_feasible_from > 0, late, withheld("not within the plan"))
    judged = where(months_judged > 0, slips, withheld("no headroom figure"))
    return where(both(phase_used, phase_worst > 0), judged, 0)


@line(unit="text", label="Verdict", source="reality.6")
def phase_verdict(phase_used, phase_worst, phase_slip, phase_feasible_from, month_label, months_judged):
    """In words."""
    when = join("▲ slips to ", pick(month_label, phase_feasible_from, over="month"))
    slips = where(or_else(phase_slip, 0) > 0, when, say("○ as planned"))
    judged = where(known(phase_slip), slips, where(months_judged > 0, say("■ not within the plan"), say("◊ unknown")))
    return where(both(phase_used, phase_worst > 0), judged, "")


@line(unit="flag", label="Slips", source="reality.6")
def phase_slips(phase_used, phase_worst, phase_slip, months_judged):
    """Later than planned, or never."""
    late = where(known(phase_slip), or_else(phase_slip, 0) > 0, months_judged > 0)
    return both(phase_used, phase_worst > 0, late)


@line(unit="count", label="Phases that slip", source="reality.6")
def phases_slipping(phase_slips):
    """How many."""
    return total(phase_slips, over="phase")
