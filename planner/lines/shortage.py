"""Chapter 8, first part: when supply is short. In every scenario, pool and month tiers are served in their order."""

from planner.calc.vocabulary import (
    both,
    given,
    in_unit,
    largest,
    or_else,
    running,
    same,
    say,
    smallest,
    total,
    where,
)
from planner.lines.method import portfolio_line as line

# ---- the rule of each tier


@line(unit="flag", label="Protected", source="shortage.1")
def service_tier_protects(service_tier_action):
    """Served first and whole."""
    return same(service_tier_action, "protect")


@line(unit="flag", label="Shaped", source="shortage.1")
def service_tier_shapes(service_tier_action):
    """Less, down to its floor."""
    return same(service_tier_action, "shape")


@line(unit="flag", label="Deferred", source="shortage.1")
def service_tier_defers(service_tier_action):
    """Later, while its deadline allows."""
    return same(service_tier_action, "defer")


@line(unit="flag", label="May wait 1 month", source="shortage.1")
def service_tier_waits_1(service_tier_defers, service_tier_deadline_months):
    """Work of the month before is still wanted."""
    return both(service_tier_defers, or_else(service_tier_deadline_months, 0) >= 1)


@line(unit="flag", label="May wait 2 months", source="shortage.1")
def service_tier_waits_2(service_tier_defers, service_tier_deadline_months):
    """Work of two months before is still wanted."""
    return both(service_tier_defers, or_else(service_tier_deadline_months, 0) >= 2)


@line(unit="flag", label="May wait 3 months", source="shortage.1")
def service_tier_waits_3(service_tier_defers, service_tier_deadline_months):
    """Work of three months before is still wanted."""
    return both(service_tier_defers, or_else(service_tier_deadline_months, 0) > 2)


@line(unit="share", label="Floor", source="shortage.1")
def service_tier_floor(service_tier_shapes, service_tier_floor_share):
    """Below it shaping is a breach."""
    return service_tier_shapes * or_else(service_tier_floor_share, 0)


# ---- the month, pool by pool


@line(unit="token/month", label="Backlog, 1 month old", source="shortage.2")
def backlog_1(left_over_0_before, service_tier_waits_1):
    """What the month before left over."""
    return left_over_0_before * service_tier_waits_1


@line(unit="token/month", label="Backlog, 2 months old", source="shortage.2")
def backlog_2(left_over_1_before, service_tier_waits_2):
    """What was already late by one."""
    return left_over_1_before * service_tier_waits_2


@line(unit="token/month", label="Backlog, 3 months old", source="shortage.2")
def backlog_3(left_over_2_before, service_tier_waits_3):
    """The oldest that is still wanted."""
    return left_over_2_before * service_tier_waits_3


@line(unit="token/month", label="Queue", source="shortage.2")
def short_queue(in_scenario_pool_tier_tokens, backlog_1, backlog_2, backlog_3):
    """What the tier asks of the pool: this month's demand and what still waits."""
    return in_scenario_pool_tier_tokens + backlog_1 + backlog_2 + backlog_3


@line(unit="token/month", label="Queue up to this tier", source="shortage.2")
def short_queue_so_far(short_queue):
    """In the order of Tiers: what stands before the next one."""
    return running(short_queue, along="service_tier")


@line(unit="token/month", label="Room", source="shortage.2")
def short_room(in_scenario_pool_tokens_per_month, short_queue_so_far, short_queue):
    """Capacity that the tiers before it leave."""
    return largest(0, in_scenario_pool_tokens_per_month - (short_queue_so_far - short_queue))


@line(unit="token/month", label="Left over of 3 months old", source="shortage.2")
def left_over_3(backlog_3, short_room):
    """Oldest first."""
    return largest(0, backlog_3 - short_room)


@line(unit="token/month", label="Left over of 2 months old", source="shortage.2")
def left_over_2(backlog_2, backlog_3, short_room):
    """What the older one leaves."""
    return largest(0, backlog_2 - largest(0, short_room - backlog_3))


@line(unit="token/month", label="Left over of 1 month old", source="shortage.2")
def left_over_1(backlog_1, backlog_2, backlog_3, short_room):
    """What the older ones leave."""
    return largest(0, backlog_1 - largest(0, short_room - (backlog_3 + backlog_2)))


@line(unit="token/month", label="Left over of this month", source="shortage.2")
def left_over_0(in_scenario_pool_tier_tokens, backlog_1, backlog_2, backlog_3, short_room):
    """This month's demand comes after what waits."""
    return largest(0, in_scenario_pool_tier_tokens - largest(0, short_room - (backlog_3 + backlog_2 + backlog_1)))


# ---- the month, all pools


@line(unit="token/month", label="Opening backlog", source="shortage.3")
def tier_opening(backlog_sum_1, backlog_sum_2, backlog_sum_3):
    """What waits at the start of the month."""
    return backlog_sum_1 + backlog_sum_2 + backlog_sum_3


@line(unit="token/month", label="Backlog, 1 month old, all pools", source="shortage.3")
def backlog_sum_1(backlog_1):
    """All pools."""
    return total(backlog_1, over="pool")


@line(unit="token/month", label="Backlog, 2 months old, all pools", source="shortage.3")
def backlog_sum_2(backlog_2):
    """All pools."""
    return total(backlog_2, over="pool")


@line(unit="token/month", label="Backlog, 3 months old, all pools", source="shortage.3")
def backlog_sum_3(backlog_3):
    """All pools."""
    return total(backlog_3, over="pool")


@line(unit="token/month", label="Not served of this month", source="shortage.3")
def tier_missed(left_over_0):
    """All pools."""
    return total(left_over_0, over="pool")


@line(unit="token/month", label="Left over, 1 month old, all pools", source="shortage.3")
def left_sum_1(left_over_1):
    """All pools."""
    return total(left_over_1, over="pool")


@line(unit="token/month", label="Left over, 2 months old, all pools", source="shortage.3")
def left_sum_2(left_over_2):
    """All pools."""
    return total(left_over_2, over="pool")


@line(unit="token/month", label="Left over, 3 months old, all pools", source="shortage.3")
def left_sum_3(left_over_3):
    """All pools."""
    return total(left_over_3, over="pool")


@line(unit="token/month", label="Asked of pools", source="shortage.3")
def tier_pool_demand(in_scenario_pool_tier_tokens):
    """This month's demand on all pools."""
    return total(in_scenario_pool_tier_tokens, over="pool")


@line(unit="token/month", label="Served", source="shortage.3")
def tier_served(in_scenario_tier_api_tokens, tier_pool_demand, tier_missed):
    """This month's demand that is served this month, by pools and APIs."""
    return in_scenario_tier_api_tokens + tier_pool_demand - tier_missed


@line(unit="token/month", label="Served of the backlog", source="shortage.3")
def tier_served_backlog(tier_opening, left_sum_1, left_sum_2, left_sum_3):
    """Deferred work that found its room."""
    return tier_opening - left_sum_1 - left_sum_2 - left_sum_3


@line(unit="token/month", label="Unserved, protected", source="shortage.3")
def tier_unserved(service_tier_protects, tier_missed):
    """A protected tier that is not whole: critical."""
    return service_tier_protects * tier_missed


@line(unit="token/month", label="Below its floor", source="shortage.3")
def tier_below_floor(
    service_tier_floor, service_tier_shapes, in_scenario_tier_tokens, in_scenario_tier_unplaced_tokens, tier_served,
    tier_missed,
):  # fmt: skip
    """Not shaping but a breach; never more than what is missed."""
    floor = service_tier_floor * (in_scenario_tier_tokens - in_scenario_tier_unplaced_tokens)
    return service_tier_shapes * smallest(tier_missed, largest(0, floor - tier_served))


@line(unit="token/month", label="Shaped", source="shortage.3")
def tier_shaped(service_tier_shapes, tier_missed, tier_below_floor):
    """Given up on purpose, down to the floor."""
    return service_tier_shapes * tier_missed - tier_below_floor


@line(unit="token/month", label="Deferred", source="shortage.3")
def tier_deferred(service_tier_waits_1, tier_missed):
    """Moved into a later month, within its deadline."""
    return service_tier_waits_1 * tier_missed


@line(unit="token/month", label="Late at once", source="shortage.3")
def tier_late_own(service_tier_defers, service_tier_waits_1, tier_missed):
    """A deadline of 0: nothing can be carried."""
    return (service_tier_defers - service_tier_waits_1) * tier_missed


@line(unit="token/month", label="Late of the backlog", source="shortage.3")
def tier_late_backlog(
    service_tier_waits_1, service_tier_waits_2, service_tier_waits_3, left_sum_1, left_sum_2, left_sum_3
):
    """Its deadline has passed: it leaves the queue."""
    first = (service_tier_waits_1 - service_tier_waits_2) * left_sum_1
    return first + (service_tier_waits_2 - service_tier_waits_3) * left_sum_2 + service_tier_waits_3 * left_sum_3


@line(unit="token/month", label="Late", source="shortage.3")
def tier_late(tier_late_own, tier_late_backlog):
    """What comes too late in this month."""
    return tier_late_own + tier_late_backlog


@line(unit="token/month", label="Paused", source="shortage.3")
def tier_paused(service_tier_protects, service_tier_shapes, service_tier_defers, tier_missed):
    """What is switched off; a tier without an action too."""
    return (1 - service_tier_protects - service_tier_shapes - service_tier_defers) * tier_missed


@line(unit="token/month", label="Closing backlog", source="shortage.3")
def tier_closing(service_tier_waits_1, service_tier_waits_2, service_tier_waits_3, tier_missed, left_sum_1, left_sum_2):
    """What goes into the next month; in the last one it is owed."""
    fresh = service_tier_waits_1 * tier_missed
    return fresh + service_tier_waits_2 * left_sum_1 + service_tier_waits_3 * left_sum_2


@line(unit="token/month", label="Not served in its month", source="shortage.3")
def tier_not_served(tier_missed, in_scenario_tier_unplaced_tokens):
    """What the pools leave over, and what no pool may serve."""
    return tier_missed + in_scenario_tier_unplaced_tokens


@line(unit="token/month", label="Unserved or without a pool, protected", source="shortage.3")
def tier_failed(service_tier_protects, tier_not_served):
    """A protected tier fails in either way."""
    return service_tier_protects * tier_not_served


@line(unit="text", label="State", source="shortage.3")
def tier_state(
    tier_unserved, in_scenario_tier_unplaced_tokens, service_tier_protects, tier_below_floor, tier_late, tier_shaped,
    tier_deferred, tier_paused, unserved_from, tier_peak_missed, scenario_used, service_tier_name,
):  # fmt: skip
    """The heat strip: what happens to the tier in the month, and in its busiest second; a dash on spare rows."""
    peak_short = tier_peak_missed > in_unit(unserved_from, "token/s")
    lost = both(in_scenario_tier_unplaced_tokens > unserved_from, service_tier_protects > 0)
    mild = where(
        tier_shaped > unserved_from,
        say("◊ shaped"),
        where(
            tier_deferred > unserved_from,
            say("◊ deferred"),
            where(tier_paused > unserved_from, say("◊ paused"), where(peak_short, say("◊ peak cut"), say("○ served"))),
        ),
    )
    bad = where(
        tier_below_floor > unserved_from,
        say("▲ below floor"),
        where(tier_late > unserved_from, say("▲ late"), where(in_scenario_tier_unplaced_tokens > unserved_from,
                                                              say("▲ no pool"), mild)),
    )  # fmt: skip
    whole = where(both(peak_short, service_tier_protects > 0), say("■ peak short"), bad)
    state = where(tier_unserved > unserved_from, say("■ unserved"), where(lost, say("■ no pool"), whole))
    return where(both(scenario_used, given(service_tier_name)), state, say("–"))


# ---- the busiest second: no carry


@line(unit="token/s", label="Peak up to this tier", source="shortage.4")
def peak_so_far(in_scenario_pool_tier_peak):
    """In the order of Tiers."""
    return running(in_scenario_pool_tier_peak, along="service_tier")


@line(unit="token/s", label="Not served at the peak, pool", source="shortage.4")
def peak_left(in_scenario_pool_tier_peak, peak_so_far, in_scenario_pool_tokens_per_s):
    """What the tiers before it leave no room for in the busiest second."""
    before = peak_so_far - in_scenario_pool_tier_peak
    return largest(0, in_scenario_pool_tier_peak - largest(0, in_scenario_pool_tokens_per_s - before))


@line(unit="token/s", label="Not served at the peak", source="shortage.4")
def tier_peak_missed(peak_left):
    """Shaped, deferred out of the hour, paused; of a protected tier unserved."""
    return total(peak_left, over="pool")


@line(unit="token/s", label="Unserved at the peak, protected", source="shortage.4")
def tier_peak_unserved(service_tier_protects, tier_peak_missed):
    """A protected tier that fails in the busiest second."""
    return service_tier_protects * tier_peak_missed
