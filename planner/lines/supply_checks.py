"""Tie-outs of the supply chapters: what would be counted twice, or nowhere."""

from planner.calc.vocabulary import both, either, given, or_else, running, same, total
from planner.lines.method import line


@line(unit="count", label="Commitments of its kind so far", source="check.16")
def instrument_commitment_number(instrument_committed, instrument_commodity):
    """With the rows above it."""
    return running(instrument_committed, along="instrument", by=instrument_commodity)


@line(unit="flag", label="A second commitment", source="check.16")
def instrument_twice(instrument_committed, instrument_commitment_number):
    """Each would be sized for the whole need."""
    return both(instrument_committed, instrument_commitment_number > 1)


@line(unit="count", label="Second commitments of a kind", source="check.16")
def commitments_twice(instrument_twice):
    """Must be none."""
    return total(instrument_twice, over="instrument")


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
