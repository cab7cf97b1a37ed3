"""Months, quarters, years and phases of the plan, and the curves as shares of a year."""

from planner.calc.vocabulary import (
    both,
    digits,
    exp,
    given,
    in_unit,
    join,
    known,
    largest,
    month_days,
    month_of,
    months_later,
    most,
    or_else,
    pick,
    position_of,
    ratio,
    same,
    smallest,
    total,
    where,
    whole,
    year_of,
)
from planner.lines.method import line


@line(unit="month", label="Month of the plan", source="method.0")
def month_number(month_number_before):
    """Counts the months from the first one, so that curves, phases and years can be found."""
    return in_unit(in_unit(month_number_before, "index") + 1, "month")


@line(unit="flag", label="Inside the horizon", source="method.0")
def in_horizon(month_number, horizon_months):
    """Columns beyond the horizon stay empty; they fill when the horizon is made longer."""
    return where(month_number <= horizon_months, 1, 0)


@line(unit="day", label="First day", source="method.0")
def month_start(start_month, month_number):
    """The date of the column: everything calendar follows from it."""
    return months_later(start_month, in_unit(month_number, "index") - 1)


@line(unit="day", label="First day of the next month", source="method.0")
def month_end(month_start):
    """Where the month ends, for quotas that start within it."""
    return months_later(month_start, 1)


@line(unit="index", label="Calendar month", source="method.0")
def calendar_month(month_start):
    """1 to 12, for curves that follow the calendar."""
    return month_of(month_start)


@line(unit="index", label="Year of the plan", source="method.0")
def plan_year(month_number, months_per_year):
    """Counts years from the first month; growth steps up with it."""
    return whole((in_unit(month_number, "index") - 1) / in_unit(months_per_year, "index")) + 1


@line(unit="index", label="Quarter of the plan", source="method.0")
def plan_quarter(month_number, months_per_quarter):
    """Counts quarters from the first month, for quarter totals."""
    return whole((in_unit(month_number, "index") - 1) / in_unit(months_per_quarter, "index")) + 1


@line(unit="month", label="Month of the plan's year", source="method.0")
def month_in_year(month_number, plan_year, months_per_year):
    """1 to 12, for curves that follow the plan."""
    return month_number - (plan_year - 1) * months_per_year


@line(unit="text", label="Month", source="method.0")
def month_label(calendar_month, month_start, month_prefix, month_suffix):
    """The month in words, for sentences: formats follow the reader's locale, words do not."""
    before, after = (pick(part, calendar_month, over="slot") for part in (month_prefix, month_suffix))
    return join(before, digits(year_of(month_start)), after)


@line(unit="day/month", label="Days in the month", source="demand.5")
def days_in_month(days_basis, month_start, days_per_basis_month):
    """The guide reckons 30-day months; the calendar basis takes 28 to 31."""
    return where(same(days_basis, "calendar"), month_days(month_start), days_per_basis_month)


@line(unit="index", label="Quarter", source="method.0", along="quarter")
def quarter_number(quarter_number_before):
    """The quarter that a column or row stands for."""
    return quarter_number_before + 1


@line(unit="index", label="Year", source="method.0", along="year")
def year_number(year_number_before):
    """The year that a row stands for."""
    return year_number_before + 1


# ---- phases


@line(unit="flag", label="Phase in use", source="supply.1")
def phase_used(phase_name, phase_month_start, phase_month_end):
    """A phase counts when it has a name and both months."""
    return both(given(phase_name), or_else(phase_month_start, 0) > 0, or_else(phase_month_end, 0) > 0)


@line(unit="month", label="From month", source="supply.1")
def phase_from(phase_month_start):
    """First month of the phase; an empty row starts in no month."""
    return in_unit(or_else(phase_month_start, 0), "month")


@line(unit="month", label="To month", source="supply.1")
def phase_to(phase_month_end):
    """Last month of the phase; an empty row ends before the first."""
    return in_unit(or_else(phase_month_end, 0), "month")


@line(unit="index", label="Last row of Phases", source="supply.1")
def phase_last(phase_number):
    """No month can belong to a later row."""
    return most(phase_number, over="phase")


@line(unit="index", label="Row of the phase", source="supply.1")
def month_phase_number(phase_from, phase_to, phase_used, phase_number, month_number, phase_last):
    """Which row of Phases the month belongs to, 0 for none; where phases overlap a check fails."""
    inside = (phase_from <= month_number) * (phase_to >= month_number) * phase_used
    return smallest(total(inside * phase_number, over="phase"), phase_last)


@line(unit="text", label="Phase", source="supply.1")
def month_phase(month_phase_number, phase_name):
    """The name of the phase above each month."""
    return where(month_phase_number > 0, pick(phase_name, month_phase_number, over="phase"), "")


# ---- curves


@line(unit="flag", label="Logistic", source="demand.3")
def curve_logistic(curve_kind):
    """A logistic curve follows its midpoint and steepness; every other kind its twelve weights."""
    return same(curve_kind, "logistic")


@line(unit="count", label="Level", source="demand.3")
def curve_level(curve_logistic, curve_midpoint, curve_steepness, curve_weight, slot_number):
    """How high each month stands before the year is normalised."""
    steep = or_else(curve_steepness, 1)
    middle = or_else(curve_midpoint, 0)
    return where(curve_logistic, 1 / (1 + exp(0 - steep * (slot_number - middle))), or_else(curve_weight, 0))


@line(unit="count", label="Sum of levels", source="demand.3")
def curve_sum(curve_level):
    """What the levels are divided by, so that a year keeps its total."""
    return total(curve_level, over="slot")


@line(unit="1/month", label="Share of the year", source="demand.3")
def curve_share(curve_level, curve_sum):
    """Every curve as twelve shares that sum to 1: a seasonal year keeps its target."""
    return in_unit(where(curve_sum > 0, curve_level / curve_sum, 0), "1/month")


@line(unit="index", label="Row of the curve in use", source="demand.3")
def curve_row(growth_curve, curve_name, curve_number):
    """Where the chosen curve stands; an unknown name falls to the first row and fails a check."""
    return largest(position_of(growth_curve, curve_name, over="curve", numbers=curve_number), 1)


@line(unit="flag", label="Follows the calendar", source="demand.3")
def curve_on_calendar(curve_clock, curve_row):
    """Seasonal curves follow January to December, rollout curves the plan's own months."""
    return same(pick(curve_clock, curve_row, over="curve"), "calendar")


@line(unit="1/month", label="Curve in use", source="demand.3")
def chosen_share(curve_share, curve_row):
    """The twelve shares of the chosen curve."""
    return pick(curve_share, curve_row, over="curve")


@line(unit="index", label="Position on the curve", source="demand.3")
def month_slot(curve_on_calendar, calendar_month, month_in_year):
    """Which of the twelve shares a month takes."""
    return where(curve_on_calendar, calendar_month, in_unit(month_in_year, "index"))


@line(unit="factor", label="Growth since the first year", source="demand.3", opening=1)
def growth_level(growth_level_before, month_in_year, plan_year, yearly_growth):
    """Later years stand higher by the yearly growth, stepped at the year's first month."""
    return growth_level_before * where(
        both(same(in_unit(month_in_year, "index"), 1), plan_year > 1), 1 + yearly_growth, 1
    )


@line(unit="1/month", label="Share of the first year's tokens", source="demand.3")
def month_share(chosen_share, month_slot, growth_level, in_horizon, ledger_basis, ledger_tokens, ledger_year):
    """What share of the annual target falls into the month; sums to 1 over the first twelve."""
    on_curve = pick(chosen_share, month_slot, over="slot") * growth_level * in_horizon
    return where(ledger_basis, ratio(ledger_tokens, ledger_year, 0), on_curve)


@line(unit="flag", label="In a contract's first month", source="quota.2")
def contract_resets(contract_reset_month, calendar_month):
    """A new contract year starts with nothing carried."""
    return where(known(contract_reset_month), same(contract_reset_month, calendar_month), 0)
