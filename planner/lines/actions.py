"""Chapter 11, fourth part: what to do for each pool. Actions by condition, with the load that each absorbs."""

from planner.calc.vocabulary import (
    both,
    in_unit,
    least,
    or_else,
    pick,
    position_of,
    ratio,
    reaches,
    same,
    say,
    smallest,
    stack,
    total,
    where,
)
from planner.lines.method import line

# ---- what stands beside a pool


@line(unit="GPU", label="Free whole GPUs", source="actions.1")
def pool_whole_free(pool_free, pool_sliced):
    """Of pools that are not sliced."""
    return where(pool_sliced, 0, pool_free)


@line(unit="GPU", label="Free, of its kind", source="actions.1")
def pool_kind_free(pool_whole_free, pool_gpu):
    """Whole GPUs of all pools of the kind."""
    return total(pool_whole_free, over="pool", by=pool_gpu, equals=pool_gpu)


@line(unit="GPU", label="Healthy, whole", source="actions.1")
def pool_whole_healthy(pool_healthy, pool_sliced):
    """Of pools that are not sliced."""
    return where(pool_sliced, 0, or_else(pool_healthy, 0))


@line(unit="GPU", label="Healthy, of its kind", source="actions.1")
def pool_kind_healthy(pool_whole_healthy, pool_gpu):
    """Whole GPUs of all pools of the kind."""
    return total(pool_whole_healthy, over="pool", by=pool_gpu, equals=pool_gpu)


@line(unit="GPU", label="Free in the others", source="actions.1")
def pool_others_free(pool_used, pool_kind_free, pool_whole_free):
    """Where load could be routed to."""
    return where(pool_used, pool_kind_free - pool_whole_free, 0)


@line(unit="share", label="Free share of the others", source="actions.1")
def pool_others_share(pool_others_free, pool_kind_healthy, pool_whole_healthy):
    """0 where there are none."""
    return ratio(pool_others_free, pool_kind_healthy - pool_whole_healthy, 0)


@line(unit="GPU", label="On offer", source="actions.1")
def instrument_offer(instrument_elastic, instrument_in_gpus, instrument_quantity_available):
    """Elastic GPUs whose number is known."""
    offered = in_unit(or_else(instrument_quantity_available, 0), "GPU")
    return where(both(instrument_elastic, instrument_in_gpus), offered, 0)


@line(unit="GPU", label="Could be added", source="actions.1")
def pool_scale_room(pool_used, pool_free, instrument_offer, instrument_pool_row, pool_number):
    """Free GPUs of the pool itself, and what Supply offers for it."""
    offered = total(instrument_offer, over="instrument", by=instrument_pool_row, equals=pool_number)
    return where(pool_used, pool_free + offered, 0)


@line(unit="GPU", label="Load", source="actions.1")
def pool_grown_load(pool_next_allocated):
    """In GPUs, at the growth asked about; 0 where it is not known."""
    return or_else(pool_next_allocated, 0)


@line(unit="GPU", label="Too much", source="actions.1")
def pool_excess(pool_breaks, pool_grown_load, pool_pressure):
    """Load beyond what the pool carries at its limit."""
    return where(pool_breaks, pool_grown_load * (1 - 1 / pool_pressure), 0)


@line(unit="share", label="Pressure of the easiest pool", source="actions.1")
def pool_pressure_least(pool_pressure_used):
    """Where it is near the limit, every pool is."""
    return least(pool_pressure_used, over="pool")


@line(unit="share", label="Pressure, of pools in use", source="actions.1")
def pool_pressure_used(pool_used, pool_pressure, first_pressure):
    """Spare rows count as the worst one, so that they do not decide."""
    return where(pool_used, pool_pressure, first_pressure)


@line(unit="share", label="Pressure of the first", source="actions.1")
def first_pressure(pool_pressure, first_pool):
    """Of the pool that breaks first."""
    return pick(pool_pressure, first_pool, over="pool")


# ---- which action for which pool


@line(unit="share", label="What its condition looks at", source="actions.2")
def action_measure(
    pool_sliced, pool_kind_free, pool_pressure, pool_others_share, pool_pressure_least, pool_scale_room,
    pool_schedule_use,
):  # fmt: skip
    """The figure that is held against the action's limit; -1 where the action is none for a pool."""
    return stack(
        "action",
        {
            "reconfigure": where(both(pool_sliced, pool_kind_free > 0), pool_pressure, 0),
            "route": pool_others_share,
            "scale_throttle": pool_pressure_least,
            "scale": where(pool_scale_room > 0, pool_schedule_use, 0),
            "throttle": pool_pressure,
            "quota": -1,
            "phase": -1,
        },
    )


@line(unit="flag", label="Holds", source="actions.2")
def action_holds(action_on, action_limit, action_measure, pool_breaks):
    """The pool breaks, the action is on, and its figure has reached the limit."""
    reached = both(action_measure > 0, reaches(action_measure, or_else(action_limit, 0)))
    return both(pool_breaks, same(action_on, "yes"), reached)


@line(unit="GPU", label="Added whole", source="actions.2")
def action_whole(pool_scale_room):
    """What an action gives beside the share that it absorbs."""
    return stack(
        "action",
        {
            "reconfigure": pool_scale_room * 0, "route": 0, "scale_throttle": pool_scale_room, "scale": 0,
            "throttle": 0, "quota": 0, "phase": 0,
        },
    )  # fmt: skip


@line(unit="GPU", label="Of which a share", source="actions.2")
def action_part(pool_kind_free, pool_grown_load, pool_scale_room):
    """What the action's share is taken of."""
    return stack(
        "action",
        {
            "reconfigure": pool_kind_free, "route": pool_grown_load, "scale_throttle": pool_grown_load,
            "scale": pool_scale_room, "throttle": pool_grown_load, "quota": 0, "phase": 0,
        },
    )  # fmt: skip


@line(unit="GPU", label="At most", source="actions.2")
def action_most(pool_excess, pool_others_free):
    """Nothing absorbs more than there is too much; routing no more than the others have free."""
    return stack(
        "action",
        {
            "reconfigure": pool_excess, "route": smallest(pool_excess, pool_others_free),
            "scale_throttle": pool_excess, "scale": pool_excess, "throttle": pool_excess, "quota": 0, "phase": 0,
        },
    )  # fmt: skip


@line(unit="GPU", label="Load absorbed", source="actions.2")
def action_absorbs(action_whole, action_part, action_most, action_absorbs_share):
    """In GPUs of load."""
    return smallest(action_most, action_whole + or_else(action_absorbs_share, 0) * action_part)


@line(unit="index", label="Row of the action", source="actions.3")
def pool_action_row(action_holds):
    """The first in the table's order whose condition holds; 0 for none."""
    return position_of(1, action_holds, over="action")


@line(unit="text", label="Action", source="actions.3")
def pool_action(pool_breaks, pool_action_row, action_label):
    """What to do."""
    chosen = where(pool_action_row > 0, pick(action_label, pool_action_row, over="action"), say("▲ none is on"))
    return where(pool_breaks, chosen, "")


@line(unit="GPU", label="Load absorbed", source="actions.3")
def pool_absorbed(pool_action_row, action_absorbs):
    """By that action."""
    return where(pool_action_row > 0, pick(action_absorbs, pool_action_row, over="action"), 0)


@line(unit="GPU", label="Left over", source="actions.3")
def pool_left(pool_excess, pool_absorbed):
    """Load that the action does not absorb."""
    return pool_excess - pool_absorbed
