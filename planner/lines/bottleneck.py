"""Chapter 11, third part: the bottleneck question. If load grows: which pool breaks first, when, and on what."""

from planner.calc.vocabulary import (
    both,
    fixed,
    given,
    join,
    known,
    largest,
    not_applicable,
    or_else,
    pick,
    position_of,
    rank,
    reaches,
    rounded,
    say,
    smallest,
    total,
    where,
    withheld,
)
from planner.lines.method import line

# ---- what the pool may grow by itself


@line(unit="GPU", label="Autoscaler room", source="bottleneck.1")
def pool_auto_room(pool_used, pool_autoscaler_max_gpus, pool_healthy, pool_gpus_allocated):
    """GPUs that an autoscaler may still take, of those that are healthy; 0 without one."""
    top = smallest(or_else(pool_autoscaler_max_gpus, 0), or_else(pool_healthy, 0))
    room = largest(0, top - or_else(pool_gpus_allocated, 0))
    return where(both(pool_used, known(pool_autoscaler_max_gpus)), room, 0)


@line(unit="GPU", label="Free whole GPUs", source="bottleneck.1")
def pool_free(pool_by_scheduling):
    """Healthy and not handed out; 0 where it is not known."""
    return or_else(pool_by_scheduling, 0)


# ---- current load, as it was seen


@line(unit="GPU", label="Allocated", source="bottleneck.1")
def pool_now_allocated(pool_used, pool_gpus_allocated):
    """GPUs handed out."""
    return where(pool_used, or_else(pool_gpus_allocated, withheld("unknown")), not_applicable())


@line(unit="share", label="Utilization", source="bottleneck.1")
def pool_now_use(pool_used, pool_core_utilization):
    """Mean over the GPUs handed out."""
    return where(pool_used, or_else(pool_core_utilization, withheld("unknown")), not_applicable())


@line(unit="share", label="KV cache", source="bottleneck.1")
def pool_now_kv(pool_used, pool_kv_cache_use):
    """Mean over the GPUs handed out."""
    return where(pool_used, or_else(pool_kv_cache_use, withheld("unknown")), not_applicable())


@line(unit="request/s", label="Requests/s", source="bottleneck.1")
def pool_now_requests(pool_used, pool_requests_per_s):
    """As counted at the gateway or the servers."""
    return where(pool_used, or_else(pool_requests_per_s, withheld("unknown")), not_applicable())


# ---- projection at +X %


def _spread(allocated, growth, room):
    """How much the load of each GPU grows when an autoscaler adds what it can."""
    added = smallest(allocated * largest(0, growth - 1), room)
    return growth * allocated / (allocated + added)


@line(unit="factor", label="Growth", source="bottleneck.2")
def growth_factor(load_growth):
    """1 and the growth asked about."""
    return 1 + load_growth


@line(unit="factor", label="Load of a GPU", source="bottleneck.2")
def pool_spread(pool_gpus_allocated, growth_factor, pool_auto_room):
    """Against today, after the autoscaler has added what it may."""
    held = or_else(pool_gpus_allocated, 0)
    return where(held > 0, _spread(held, growth_factor, pool_auto_room), growth_factor)


@line(unit="share", label="Utilization", source="bottleneck.2")
def pool_next_use(pool_used, pool_core_utilization, pool_spread):
    """Core utilization of the GPUs handed out, after the growth."""
    grown = where(known(pool_core_utilization), or_else(pool_core_utilization, 0) * pool_spread, withheld("unknown"))
    return where(pool_used, grown, not_applicable())


@line(unit="GPU", label="Allocation", source="bottleneck.2")
def pool_next_allocated(pool_used, pool_gpus_allocated, growth_factor):
    """GPUs that the grown load wants at today's load of a GPU."""
    grown = where(known(pool_gpus_allocated), or_else(pool_gpus_allocated, 0) * growth_factor, withheld("unknown"))
    return where(pool_used, grown, not_applicable())


@line(unit="share", label="KV cache", source="bottleneck.2")
def pool_next_kv(pool_used, pool_kv_cache_use, pool_spread):
    """KV-cache use of the GPUs handed out, after the growth."""
    grown = where(known(pool_kv_cache_use), or_else(pool_kv_cache_use, 0) * pool_spread, withheld("unknown"))
    return where(pool_used, grown, not_applicable())


@line(unit="request/s", label="Requests/s", source="bottleneck.2")
def pool_next_requests(pool_used, pool_requests_per_s, growth_factor):
    """Where requests are not counted, utilization alone is projected."""
    grown = where(known(pool_requests_per_s), or_else(pool_requests_per_s, 0) * growth_factor, withheld("unknown"))
    return where(pool_used, grown, not_applicable())


# ---- determination


@line(unit="share", label="Of the compute limit", source="bottleneck.3")
def pool_compute_use(pool_next_use, latency_limit):
    """Projected utilization over the one from which latency suffers; 0 where it is not known."""
    return or_else(pool_next_use, 0) / latency_limit


@line(unit="share", label="Of the GPUs", source="bottleneck.3")
def pool_schedule_use(pool_next_allocated, pool_healthy):
    """Projected allocation over healthy GPUs; 0 where it is not known."""
    there = or_else(pool_healthy, 0)
    return where(there > 0, or_else(pool_next_allocated, 0) / there, 0)


@line(unit="share", label="Of the KV limit", source="bottleneck.3")
def pool_kv_use(pool_next_kv, kv_ceiling):
    """Projected KV-cache use over its ceiling; 0 where it is not known."""
    return or_else(pool_next_kv, 0) / kv_ceiling


@line(unit="share", label="Pressure", source="bottleneck.3")
def pool_pressure(pool_used, pool_compute_use, pool_schedule_use, pool_kv_use):
    """The worst of the three: at 100 % the pool breaks."""
    worst = largest(pool_compute_use, pool_schedule_use, pool_kv_use)
    return where(pool_used, rounded(worst, 6), -1)


@line(unit="flag", label="Breaks", source="bottleneck.3")
def pool_breaks(pool_used, pool_pressure):
    """At the growth asked about."""
    return both(pool_used, reaches(pool_pressure, 1))


@line(unit="count", label="Figures known", source="bottleneck.3")
def pool_figures(pool_used, pool_core_utilization, pool_gpus_allocated, pool_kv_cache_use):
    """Of utilization, allocation and KV cache."""
    return pool_used * (known(pool_core_utilization) + known(pool_gpus_allocated) + known(pool_kv_cache_use))


@line(unit="text", label="Constraint", source="bottleneck.3")
def pool_constraint(
    pool_used, pool_figures, pool_breaks, pool_pressure, pool_compute_use, pool_schedule_use, pool_next_use
):
    """On what it breaks first."""
    saturated = where(or_else(pool_next_use, 0) >= 1, say("■ compute: saturated"), say("▲ compute: latency suffers"))
    later = where(rounded(pool_compute_use, 6) >= pool_pressure, saturated, say("■ VRAM"))
    first = where(rounded(pool_schedule_use, 6) >= pool_pressure, say("■ scheduling"), later)
    seen = where(pool_breaks, first, say("○ none"))
    return where(pool_used, where(pool_figures > 0, seen, say("◊ unknown")), "")


@line(unit="text", label="Confidence", source="bottleneck.3")
def pool_confidence(pool_used, pool_figures, pool_evidence_date):
    """By the figures that are known, and whether anybody dated them."""
    dated = known(pool_evidence_date)
    good = where(both(dated, pool_figures > 2), say("high"), where(pool_figures > 1, say("medium"), say("low")))
    return where(pool_used, good, "")


# ---- ranking: worst first; ties by utilization, fewer free GPUs, no autoscaler


@line(unit="flag", label="Autoscaler", source="bottleneck.4")
def pool_auto(pool_autoscaler_max_gpus):
    """Whether there is one."""
    return where(known(pool_autoscaler_max_gpus), 1, 0)


@line(unit="index", label="By autoscaler", source="bottleneck.4")
def pool_place_auto(pool_auto, pool_number):
    """Pools without one first."""
    return rank(pool_auto, pool_number, over="pool")


@line(unit="index", label="By free GPUs", source="bottleneck.4")
def pool_place_free(pool_free, pool_place_auto):
    """Fewer first."""
    return rank(pool_free, pool_place_auto, over="pool")


@line(unit="share", label="Idle", source="bottleneck.4")
def pool_idle(pool_next_use):
    """Below full use; what is unknown counts as idle."""
    return rounded(0 - or_else(pool_next_use, 0), 6)


@line(unit="index", label="By utilization", source="bottleneck.4")
def pool_place_use(pool_idle, pool_place_free):
    """Higher first."""
    return rank(pool_idle, pool_place_free, over="pool")


@line(unit="share", label="Ease", source="bottleneck.4")
def pool_ease(pool_pressure):
    """Pressure turned round, so that the smallest comes first."""
    return 0 - pool_pressure


@line(unit="index", label="Place", source="bottleneck.4")
def pool_place(pool_ease, pool_place_use):
    """1 breaks first."""
    return rank(pool_ease, pool_place_use, over="pool")


@line(unit="index", label="Row of the first", source="bottleneck.4")
def first_pool(pool_place):
    """The pool at place 1."""
    return position_of(1, pool_place, over="pool")


@line(unit="text", label="The first", source="bottleneck.4")
def first_pool_name(pool_name, first_pool, pools_used):
    """Its name."""
    return where(pools_used > 0, pick(pool_name, first_pool, over="pool"), "")


@line(unit="count", label="Pools that break", source="bottleneck.4")
def pools_breaking(pool_breaks):
    """At the growth asked about, with the load of today."""
    return total(pool_breaks, over="pool")


# ---- when: the demand curve on today's load


@line(unit="factor", label="Load against the first month", source="bottleneck.5")
def load_index(tokens_per_s_at_peak, first_tokens_per_s):
    """The plan's own curve, as growth of what the pools carry today."""
    return where(first_tokens_per_s > 0, tokens_per_s_at_peak / first_tokens_per_s, 0)


@line(unit="token/s", label="Peak second of the first month", source="bottleneck.5")
def first_tokens_per_s(tokens_per_s_at_peak):
    """Where the curve starts."""
    return pick(tokens_per_s_at_peak, 1, over="month")


@line(unit="share", label="Pressure", source="bottleneck.5")
def pool_pressure_by_month(
    pool_used, pool_gpus_allocated, pool_core_utilization, pool_kv_cache_use, pool_healthy, pool_auto_room, load_index,
    latency_limit, kv_ceiling,
):  # fmt: skip
    """The worst of compute, scheduling and KV cache when today's load grows along the curve."""
    held, there = or_else(pool_gpus_allocated, 0), or_else(pool_healthy, 0)
    spread = where(held > 0, _spread(held, load_index, pool_auto_room), load_index)
    limit = largest(or_else(pool_core_utilization, 0) / latency_limit, or_else(pool_kv_cache_use, 0) / kv_ceiling)
    return where(pool_used, largest(limit * spread, where(there > 0, held / there, 0) * load_index), 0)


@line(unit="flag", label="Breaks", source="bottleneck.5")
def pool_breaks_by_month(pool_pressure_by_month):
    """At its limit or beyond."""
    return reaches(pool_pressure_by_month, 1)


@line(unit="index", label="Breaks in month", source="bottleneck.5")
def pool_break_month(pool_breaks_by_month):
    """The first; 0: not within the plan."""
    return position_of(1, pool_breaks_by_month, over="month")


@line(unit="text", label="When today's load breaks it, along the demand curve", source="bottleneck.5")
def pool_break_said(pool_used, pool_break_month, month_label, pool_figures):
    """In words."""
    when = where(pool_break_month > 0, pick(month_label, pool_break_month, over="month"), say("not within the plan"))
    return where(pool_used, where(pool_figures > 0, when, say("unknown")), "")


# ---- the answer


@line(unit="sentence", label="Which pool breaks first, and on what", source="bottleneck.6")
def bottleneck_said(
    load_growth, percent, first_pool, pool_name, pool_mode, pool_constraint, pool_breaks, pool_break_said, pools_used,
    pool_pressure, pool_confidence, months_unfit, gap_worst, gap_month, month_label,
):  # fmt: skip
    """The question every council asks, for today's load; what the plan lacks besides is said with it."""
    mode = pick(pool_mode, first_pool, over="pool")
    name = join(pick(pool_name, first_pool, over="pool"), where(given(mode), join(" (", mode, ")"), ""))
    lead = join("If the load that runs there today grows by ", fixed(load_growth * percent, 0), " %, ")
    broken = join(
        lead, name, " breaks first: ", pick(pool_constraint, first_pool, over="pool"), "; along the demand curve: ",
        pick(pool_break_said, first_pool, over="pool"), "; confidence ", pick(pool_confidence, first_pool, over="pool"),
        ".",
    )  # fmt: skip
    pressure = fixed(pick(pool_pressure, first_pool, over="pool") * percent, 0)
    holds = join(
        lead, "no pool breaks; the nearest is ", name, " at ", pressure, " % of its limit; confidence ",
        pick(pool_confidence, first_pool, over="pool"), ".",
    )  # fmt: skip
    seen = where(pick(pool_breaks, first_pool, over="pool") > 0, broken, holds)
    own = join(
        " The plan's own GPUs are not in it: ", fixed(gap_worst, 0), " of them are missing in ",
        pick(month_label, gap_month, over="month"), ".",
    )  # fmt: skip
    both_said = join(seen, where(months_unfit > 0, own, ""))
    return where(pools_used > 0, both_said, say("No pool is named on Pools: the question cannot be answered."))
