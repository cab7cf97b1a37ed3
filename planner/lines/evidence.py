"""Chapter 11: what the pools can still carry by what was seen: headroom by scheduling, compute and VRAM."""

from planner.calc.vocabulary import (
    both,
    floor,
    join,
    known,
    largest,
    most,
    not_applicable,
    opposite,
    or_else,
    pick,
    ratio,
    reaches,
    reason,
    same,
    say,
    show,
    smallest,
    total,
    where,
    withheld,
)
from planner.lines.method import line

# ---- headroom of a pool


@line(unit="GPU", label="Healthy GPUs", source="evidence.1")
def pool_healthy(pool_used, pool_gpus_healthy, pool_gpus_total):
    """What was counted as healthy, else all that are installed: cordoned and failed GPUs carry nothing new."""
    counted = where(known(pool_gpus_total), or_else(pool_gpus_total, 0), withheld("no GPU count"))
    healthy = where(known(pool_gpus_healthy), or_else(pool_gpus_healthy, 0), counted)
    return where(pool_used, healthy, not_applicable())


@line(unit="GPU", label="Free by scheduling", source="evidence.2")
def pool_by_scheduling(pool_used, pool_healthy, pool_gpus_allocated):
    """Healthy GPUs that are not handed out; without an allocation figure it is unknown, not all of them."""
    free = largest(0, pool_healthy - or_else(pool_gpus_allocated, 0))
    seen = where(known(pool_gpus_allocated), free, withheld("no allocation figure"))
    return where(pool_used, where(known(pool_healthy), seen, reason(pool_healthy)), not_applicable())


@line(unit="GPU", label="Free by compute", source="evidence.2")
def pool_by_compute(pool_by_scheduling, pool_healthy, pool_gpus_allocated, pool_core_utilization, compute_ceiling):
    """Healthy GPUs up to the ceiling, less the busy ones: a pool can be free to the scheduler and yet saturated."""
    busy = or_else(pool_gpus_allocated, 0) * or_else(pool_core_utilization, 0)
    seen = where(
        known(pool_core_utilization),
        largest(0, pool_healthy * compute_ceiling - busy),
        withheld("no utilization figure"),
    )
    return where(known(pool_by_scheduling), seen, reason(pool_by_scheduling))


@line(unit="GPU", label="Free by VRAM", source="evidence.2")
def pool_by_vram(pool_by_scheduling, pool_healthy, pool_gpus_allocated, pool_kv_cache_use, kv_ceiling):
    """By the KV cache that is in use: servers take all memory at their start, so VRAM in use says nothing."""
    full = or_else(pool_gpus_allocated, 0) * or_else(pool_kv_cache_use, 0)
    seen = where(known(pool_kv_cache_use), largest(0, pool_healthy * kv_ceiling - full), withheld("no KV-cache figure"))
    return where(known(pool_by_scheduling), seen, reason(pool_by_scheduling))


@line(unit="GPU", label="Headroom", source="evidence.3")
def pool_headroom(pool_by_scheduling, pool_by_compute, pool_by_vram):
    """The smallest of those that are known."""
    compute = or_else(pool_by_compute, or_else(pool_by_scheduling, 0))
    memory = or_else(pool_by_vram, or_else(pool_by_scheduling, 0))
    seen = smallest(or_else(pool_by_scheduling, 0), compute, memory)
    return where(known(pool_by_scheduling), seen, reason(pool_by_scheduling))


@line(unit="text", label="Bound by", source="evidence.3")
def pool_bound_by(pool_headroom, pool_by_scheduling, pool_by_compute):
    """Which of the three is the smallest; of equals the first."""
    room = or_else(pool_headroom, 0)
    by_compute = both(known(pool_by_compute), reaches(room, or_else(pool_by_compute, 0)))
    bound = where(by_compute, say("compute"), say("VRAM"))
    bound = where(reaches(room, or_else(pool_by_scheduling, 0)), say("scheduling"), bound)
    return where(known(pool_headroom), bound, show(pool_headroom, 0))


@line(unit="count", label="Figures unknown", source="evidence.3")
def pool_gaps(pool_used, pool_by_scheduling, pool_by_compute, pool_by_vram):
    """How many of the three nobody has seen."""
    unseen = opposite(known(pool_by_scheduling)) + opposite(known(pool_by_compute)) + opposite(known(pool_by_vram))
    return where(pool_used, unseen, 0)


@line(unit="text", label="What is unknown", source="evidence.3")
def pool_unknown(pool_used, pool_by_scheduling, pool_by_compute, pool_by_vram):
    """Named, so that somebody can go and look."""
    words = join(
        where(known(pool_by_scheduling), "", say("scheduling ")),
        where(known(pool_by_compute), "", say("compute ")),
        where(known(pool_by_vram), "", say("VRAM")),
    )
    return where(pool_used, words, "")


# ---- what fits into it


@line(unit="GPU/replica", label="GPUs each replica takes", source="evidence.4")
def pool_model_gpus_each(pool_gpu, model_gpu, model_on_prem, model_gpus_each):
    """For the models that this kind of GPU can carry."""
    return where(both(model_on_prem, same(pool_gpu, model_gpu)), or_else(model_gpus_each, 0), 0)


@line(unit="GPU/replica", label="Largest replica", source="evidence.4")
def pool_largest_replica(pool_model_gpus_each):
    """Headroom below a whole replica serves nobody."""
    return most(pool_model_gpus_each, over="model")


@line(unit="GPU", label="Usable in whole replicas", source="evidence.4")
def pool_usable(pool_headroom, pool_largest_replica, pool_sliced):
    """Headroom down to whole replicas of the largest model on this kind of GPU, or to whole GPUs without one."""
    room = or_else(pool_headroom, 0)
    usable = where(
        pool_largest_replica > 0, floor(ratio(room, pool_largest_replica, 0)) * pool_largest_replica, floor(room)
    )
    whole = where(pool_sliced, withheld("slices, no whole GPUs"), usable)
    return where(known(pool_headroom), whole, reason(pool_headroom))


@line(unit="GPU", label="Usable, as far as known", source="evidence.4")
def pool_usable_known(pool_usable):
    """A pool without figures adds nothing; the verdict says that it is missing."""
    return or_else(pool_usable, 0)


@line(unit="flag", label="Headroom known", source="evidence.4")
def pool_measured(pool_used, pool_headroom):
    """Whether anybody has seen how full the pool is."""
    return both(pool_used, known(pool_headroom))


# ---- by month: what was seen, and what has come since


@line(unit="GPU", label="Headroom that serves", source="evidence.7")
def pool_room(pool_sliced, pool_headroom, pool_serviced, pool_gpus_total):
    """Headroom of whole GPUs less maintenance; nothing where nobody has looked, and the verdict says so."""
    left = largest(0, or_else(pool_headroom, 0) - pool_serviced * or_else(pool_gpus_total, 0))
    return where(pool_sliced, 0, left)


@line(unit="GPU", label="Supply in whole replicas", source="evidence.7")
def pool_supply(pool_sliced, pool_room, pool_delivered, pool_serviced, pool_largest_replica):
    """Headroom now and deliveries so far, down to whole replicas; what comes to slices is sliced."""
    there = where(pool_sliced, 0, pool_room + pool_delivered * (1 - pool_serviced))
    whole = floor(ratio(there, pool_largest_replica, 0)) * pool_largest_replica
    return where(pool_largest_replica > 0, whole, floor(there))


# ---- against the plan


@line(unit="GPU", label="GPUs needed, peak month", source="evidence.5")
def model_gpus_needed(model_gpus_alike, peak_month):
    """All models on this kind of GPU together."""
    return pick(model_gpus_alike, peak_month, over="month")


@line(unit="GPU", label="Usable in its pools", source="evidence.5")
def model_pool_usable(pool_usable_known, pool_gpu, model_gpu):
    """All pools of this kind of GPU together, in whole replicas."""
    return total(pool_usable_known, over="pool", by=pool_gpu, equals=model_gpu)


@line(unit="count", label="Pools measured", source="evidence.5")
def model_pools_measured(pool_measured, pool_gpu, model_gpu):
    """Pools of this kind of GPU whose headroom is known."""
    return total(pool_measured, over="pool", by=pool_gpu, equals=model_gpu)


@line(unit="count", label="Figures unknown", source="evidence.5")
def model_pool_gaps(pool_gaps, pool_gpu, model_gpu):
    """What nobody has seen in the pools of this kind of GPU."""
    return total(pool_gaps, over="pool", by=pool_gpu, equals=model_gpu)


@line(unit="GPU", label="Gap", source="evidence.5")
def model_pool_gap(model_on_prem, model_gpus_needed, model_pool_usable, model_pools_measured):
    """GPUs that the pools cannot give; without any measured pool it is unknown, not zero."""
    short = largest(0, or_else(model_gpus_needed, 0) - model_pool_usable)
    seen = where(model_pools_measured > 0, short, withheld("GPU capacity validation is missing"))
    needed = where(known(model_gpus_needed), seen, reason(model_gpus_needed))
    return where(model_on_prem, needed, not_applicable())


@line(unit="text", label="Verdict on live evidence", source="evidence.5")
def model_pool_verdict(model_on_prem, model_pool_gap, model_pool_gaps, model_gpus_needed, model_pool_usable):
    """Live state overrides the sizing: what is unknown can at best fit on partial evidence."""
    short = join(
        "▲ ", "does not fit: ", show(model_pool_usable, 0), " of ", show(model_gpus_needed, 0), " GPUs can be had"
    )
    fits = where(model_pool_gaps > 0, say("◊ fits on partial evidence"), say("○ fits"))
    seen = where(or_else(model_pool_gap, 0) > 0, short, fits)
    return where(model_on_prem, where(known(model_pool_gap), seen, show(model_pool_gap, 0)), "")


@line(unit="GPU", label="Gap by model", source="evidence.6")
def pool_model_gap(pool_gpu, model_gpu, model_on_prem, model_pool_gap):
    """The gap of the models that this kind of GPU carries."""
    return where(both(model_on_prem, same(pool_gpu, model_gpu)), or_else(model_pool_gap, 0), 0)


@line(unit="GPU", label="Gap of its kind", source="evidence.6")
def pool_gap(pool_model_gap):
    """What the plan lacks on this kind of GPU."""
    return most(pool_model_gap, over="model")


@line(unit="text", label="Bottleneck", source="evidence.6")
def pool_bottleneck(pool_gap, pool_headroom, pool_bound_by):
    """What binds the pool, where the plan does not fit into it; none where it fits."""
    seen = where(pool_gap > 0, pool_bound_by, say("none"))
    return where(known(pool_headroom), seen, show(pool_headroom, 0))


@line(unit="GPU", label="Headroom of all pools", source="evidence.3")
def headroom_known(pool_headroom_known):
    """As far as it is known."""
    return total(pool_headroom_known, over="pool")


@line(unit="GPU", label="Headroom, as far as known", source="evidence.3")
def pool_headroom_known(pool_headroom):
    """For the sum over pools: a pool without figures adds nothing."""
    return or_else(pool_headroom, 0)


@line(unit="count", label="Pools measured", source="evidence.3")
def pools_measured(pool_measured):
    """Pools whose headroom is known."""
    return total(pool_measured, over="pool")


@line(unit="count", label="Figures unknown", source="evidence.3")
def pools_gaps(pool_gaps):
    """Over all pools."""
    return total(pool_gaps, over="pool")
