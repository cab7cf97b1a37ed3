"""Chapter 11, last part: what to do for the plan. Actions by their effect in the worst month, in GPUs and money."""

from planner.calc.vocabulary import (
    both,
    fixed,
    in_unit,
    join,
    known,
    opposite,
    or_else,
    pick,
    position_of,
    rank,
    ratio,
    rounded,
    same,
    say,
    show,
    smallest,
    stack,
    total,
    where,
)
from planner.lines.method import line

# ---- the plan as a whole: effect and money of each action in the worst month


@line(unit="GPU", label="Required in the worst month", source="actions.4")
def gap_required(gpus_planned_by_month, gap_month):
    """GPUs to plan of the month with the largest gap; 0 where they are not known."""
    return or_else(pick(gpus_planned_by_month, gap_month, over="month"), 0)


@line(unit="GPU", label="Gap in the worst month", source="actions.4")
def pool_gap_worst(pool_gap_by_month, gap_month):
    """Of each pool; 0 where it is not known."""
    return or_else(pick(pool_gap_by_month, gap_month, over="month"), 0)


@line(unit="GPU", label="Gap of its kind", source="actions.4")
def pool_kind_gap(pool_gap_worst, pool_gpu):
    """Of all pools that hold the same GPU."""
    return total(pool_gap_worst, over="pool", by=pool_gpu, equals=pool_gpu)


@line(unit="GPU", label="Could be put together", source="actions.4")
def pool_sliced_free(pool_sliced, pool_free, pool_kind_gap):
    """Free GPUs of sliced pools, of kinds that are short."""
    return where(pool_sliced, smallest(pool_free, pool_kind_gap), 0)


@line(unit="GPU", label="Could be put together", source="actions.4")
def sliced_free(pool_sliced_free):
    """All pools."""
    return total(pool_sliced_free, over="pool")


@line(unit="GPU", label="Without a pool in the worst month", source="actions.4")
def model_unhoused_worst(model_unhoused, gap_month):
    """Of each model; 0 where it is not known."""
    return or_else(pick(model_unhoused, gap_month, over="month"), 0)


@line(unit="GPU", label="Gap of its kind", source="actions.4")
def instrument_kind_gap(pool_gap_worst, pool_gpu, model_unhoused_worst, model_gpu, instrument_gpu):
    """What is short of the kind of GPU that the instrument gives."""
    pools = total(pool_gap_worst, over="pool", by=pool_gpu, equals=instrument_gpu)
    return pools + total(model_unhoused_worst, over="model", by=model_gpu, equals=instrument_gpu)


@line(unit="flag", label="There in the worst month", source="actions.4")
def instrument_in_time(instrument_reach, month_start, gap_month):
    """If it is ordered at once."""
    return where(known(instrument_reach), instrument_reach <= pick(month_start, gap_month, over="month"), 0)


@line(unit="GPU", label="Could give", source="actions.4")
def instrument_gives(instrument_gpu_offers, instrument_in_time, instrument_quantity_available, instrument_kind_gap):
    """What is on offer of it, up to the gap of its kind."""
    offered = in_unit(or_else(instrument_quantity_available, in_unit(instrument_kind_gap, "unit")), "GPU")
    return where(both(instrument_gpu_offers, instrument_in_time), smallest(offered, instrument_kind_gap), 0)


@line(unit="GPU", label="Supply could give", source="actions.4")
def supply_gpus(instrument_gives):
    """All instruments."""
    return total(instrument_gives, over="instrument")


@line(unit="count", label="GPU instruments on Supply", source="actions.4")
def supply_rows(instrument_gpu_offers):
    """Without any, nobody has said what can be had."""
    return total(instrument_gpu_offers, over="instrument")


@line(unit="flag", label="Gives GPUs", source="actions.4")
def instrument_gpu_offers(instrument_in_gpus, instrument_fallback):
    """A purchase, not a fallback path."""
    return both(instrument_in_gpus, opposite(instrument_fallback))


@line(unit="share", label="Held by low priority", source="actions.4")
def tenant_low_share(tenant_priority, tenant_quota_share):
    """Quota of a tenant of low priority."""
    return where(same(tenant_priority, "low"), or_else(tenant_quota_share, 0), 0)


@line(unit="share", label="Quotas of low priority", source="actions.4")
def low_share(tenant_low_share):
    """All tenants."""
    return total(tenant_low_share, over="tenant")


@line(unit="Mtok/GPU/month", label="M tokens on a planned GPU", source="actions.4")
def gap_mtok_per_gpu(fleet_mtok, gap_month, gap_required):
    """Of the worst month."""
    return ratio(pick(fleet_mtok, gap_month, over="month"), gap_required, 0)


@line(unit="money/GPU/month", label="A planned GPU", source="actions.4")
def gap_gpu_price(gpu_cost_by_month, gap_month, gap_required):
    """Its price in the worst month."""
    return where(gap_required > 0, pick(gpu_cost_by_month, gap_month, over="month") / gap_required, 0)


@line(unit="GPU", label="What it could give", source="actions.5")
def action_base(sliced_free, gap_required, supply_rows, supply_gpus, gap_worst, low_share):
    """Before its share: sliced GPUs, the load, what Supply gives, quotas of low priority, or the gap itself."""
    return stack(
        "action",
        {
            "reconfigure": sliced_free,
            "route": gap_required,
            "scale_throttle": 0,
            "scale": where(supply_rows > 0, supply_gpus, gap_worst),
            "throttle": gap_required,
            "quota": gap_required * low_share,
            "phase": gap_worst,
        },
    )


@line(unit="GPU", label="Effect", source="actions.5")
def action_gpus(action_on, action_absorbs_share, action_base, gap_worst):
    """GPUs of the largest gap that the action closes."""
    given_ = smallest(gap_worst, or_else(action_absorbs_share, 0) * action_base)
    return where(same(action_on, "yes"), given_, 0)


@line(unit="money/GPU/month", label="Price of a GPU's worth", source="actions.5")
def action_price(gap_gpu_price, gap_mtok_per_gpu, api_instead, customer_price_per_mtok):
    """GPUs at their price, routed tokens at the API's, tokens not served at the customer's."""
    lost = gap_mtok_per_gpu * customer_price_per_mtok
    return stack(
        "action",
        {
            "reconfigure": 0, "route": gap_mtok_per_gpu * api_instead, "scale_throttle": 0, "scale": gap_gpu_price,
            "throttle": lost, "quota": lost, "phase": lost,
        },
    )  # fmt: skip


@line(unit="money/month", label="Money a month", source="actions.5")
def action_money(action_gpus, action_price):
    """What it costs, or what is not earned, in the worst month."""
    return where(action_gpus > 0, action_gpus * action_price, 0)


@line(unit="money/month", label="Money, for the order", source="actions.5")
def action_money_known(action_money, action_money_sum):
    """What is not known comes behind everything that is."""
    return rounded(or_else(action_money, 2 * action_money_sum), 2)


@line(unit="money/month", label="Money of all actions", source="actions.5")
def action_money_sum(action_money_or_none):
    """As far as it is known."""
    return total(action_money_or_none, over="action")


@line(unit="money/month", label="Money, as far as known", source="actions.5")
def action_money_or_none(action_money):
    """0 where it is not."""
    return or_else(action_money, 0)


@line(unit="index", label="By money", source="actions.5")
def action_place_money(action_money_known, action_number):
    """The cheapest first."""
    return rank(action_money_known, action_number, over="action")


@line(unit="GPU", label="Effect, turned round", source="actions.5")
def action_lack(action_gpus):
    """So that the largest comes first."""
    return 0 - rounded(action_gpus, 6)


@line(unit="index", label="Place", source="actions.5")
def action_place(action_lack, action_place_money):
    """The most GPUs first; of equals the cheaper."""
    return rank(action_lack, action_place_money, over="action")


@line(unit="index", label="Row of the best", source="actions.5")
def best_action(action_place):
    """The action at place 1."""
    return position_of(1, action_place, over="action")


@line(unit="sentence", label="The verdict", source="actions.6")
def reality_said(
    pools_used, model_on_prem_any, months_judged, months_unfit, gap_worst, gap_month, month_label, gap_required,
    best_action, action_label, action_gpus, action_money, currency, phases_slipping,
):  # fmt: skip
    """What the live state says of the plan, and what to do first."""
    act = join(
        " First: ", pick(action_label, best_action, over="action"), ", ",
        fixed(pick(action_gpus, best_action, over="action"), 1), " GPUs, ",
        show(pick(action_money, best_action, over="action"), 0), " ", currency, " a month.",
    )  # fmt: skip
    short = join(
        "The live state beats the sizing: ", fixed(months_unfit, 0), " month(s) do not fit; worst ",
        pick(month_label, gap_month, over="month"), ": ", fixed(gap_worst, 0), " of ", fixed(gap_required, 0),
        " GPUs are missing; ", fixed(phases_slipping, 0), " phase(s) slip.",
    )  # fmt: skip
    judged = where(months_unfit > 0, join(short, act), say("The plan fits the live state in every month."))
    seen = where(months_judged > 0, judged, say("The live state is not known: nobody has measured the pools."))
    known_pools = where(pools_used > 0, seen, say("GPU capacity validation is missing."))
    return where(model_on_prem_any, known_pools, say("No GPUs are planned."))
