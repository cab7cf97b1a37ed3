"""Tie-outs of the supply chapters: what would be counted twice, or nowhere."""

from planner.calc.vocabulary import (
    absolute,
    both,
    either,
    given,
    in_unit,
    known,
    largest,
    opposite,
    or_else,
    same,
    total,
    where,
)
from planner.lines.method import line


@line(unit="flag", label="Without a level", source="check.16")
def instrument_untyped(instrument_second, instrument_typed_level):
    """A further commitment of a kind is not sized by itself: its level is typed, 0 to leave it out."""
    return both(instrument_second, opposite(known(instrument_typed_level)))


@line(unit="count", label="Second commitments without a level", source="check.16")
def commitments_untyped(instrument_untyped):
    """Must be none."""
    return total(instrument_untyped, over="instrument")


@line(unit="flag", label="Order without a pool", source="check.17")
def instrument_astray(instrument_in_gpus, instrument_quantity_ordered, instrument_pool_row, instrument_pool):
    """GPUs are ordered, and no pool is named or has this GPU."""
    meant = either(or_else(instrument_quantity_ordered, 0) > 0, given(instrument_pool))
    return both(instrument_in_gpus, meant, same(instrument_pool_row, 0))


@line(unit="count", label="Orders without a pool", source="check.17")
def orders_astray(instrument_astray):
    """Must be none."""
    return total(instrument_astray, over="instrument")


@line(unit="count", label="Supply, rows used", source="check.9")
def instruments_used(instrument_used):
    """When no row is left, the next instrument needs a new build."""
    return total(instrument_used, over="instrument")


@line(unit="count", label="Supply, rows left", source="check.9")
def instruments_room(instrument_number, instruments_used):
    """Rows that wait for an instrument."""
    return total((instrument_number > 0) * 1, over="instrument") - instruments_used


@line(unit="count", label="Runbooks, rows used", source="check.9")
def runbooks_used(runbook_used):
    """When no row is left, the next service needs a new build."""
    return total(runbook_used, over="runbook")


@line(unit="count", label="Runbooks, rows left", source="check.9")
def runbooks_room(runbook_number, runbooks_used):
    """Rows that wait for a service."""
    return total((runbook_number > 0) * 1, over="runbook") - runbooks_used


# ---- the need of the portfolio and the gap of the verdict are one story


@line(unit="GPU", label="No pool, as far as known", source="check.18")
def model_unhoused_known(model_unhoused):
    """0 where GPUs to plan are not known."""
    return or_else(model_unhoused, 0)


@line(unit="GPU", label="Gap of its kind, as the verdict has it", source="check.18")
def instrument_verdict_gap(pool_lack, pool_gpu, model_unhoused_known, model_gpu, instrument_gpu):
    """Required above supply in the pools of the kind, and what no pool has at all."""
    pools = total(pool_lack, over="pool", by=pool_gpu, equals=instrument_gpu)
    return pools + total(model_unhoused_known, over="model", by=model_gpu, equals=instrument_gpu)


@line(unit="GPU", label="Of its kind counted though not measured", source="check.18")
def instrument_unconfirmed(pool_unconfirmed, pool_gpu, instrument_gpu):
    """The one reason for which need and gap may differ."""
    return total(pool_unconfirmed, over="pool", by=pool_gpu, equals=instrument_gpu)


@line(unit="unit", label="Need and gap apart", source="check.18")
def instrument_apart(
    instrument_used, instrument_in_gpus, instrument_fallback, instrument_gpu, commitment_demand, instrument_need,
    instrument_verdict_gap, instrument_unconfirmed,
):  # fmt: skip
    """The gap less what nobody measured must be the need; where all is bought anew there is nothing to compare."""
    compared = both(
        instrument_used, instrument_in_gpus, opposite(instrument_fallback), given(instrument_gpu),
        same(commitment_demand, "missing"), known(instrument_need),
    )  # fmt: skip
    left = in_unit(largest(0, instrument_verdict_gap - instrument_unconfirmed), "unit")
    return where(compared, absolute(or_else(instrument_need, 0) - left), 0)


@line(unit="unit", label="Need and gap apart, all months", source="check.18")
def instrument_apart_sum(instrument_apart):
    """Of the instrument."""
    return in_unit(total(instrument_apart, over="month"), "unit")


@line(unit="unit", label="Need and gap apart, all instruments", source="check.18")
def need_apart(instrument_apart_sum):
    """Must be nothing."""
    return total(instrument_apart_sum, over="instrument")
