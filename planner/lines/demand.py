"""Chapter 2: from annual tokens to the tokens of the busiest second."""

from planner.calc.vocabulary import in_unit, most, pick, position_of, ratio, same, total, where
from planner.lines.method import line


@line(unit="token", label="Tokens, first year", source="demand.1", headline=True)
def annual_tokens(total_tokens, ledger_basis, ledger_year):
    """The target that everything else is split from, or what the use cases add up to."""
    return where(ledger_basis, ledger_year, total_tokens)


@line(unit="share", label="Input share", source="demand.2")
def input_share(input_parts, output_parts, ledger_basis, ledger_input_share):
    """Input and output cost and load differently, so the ratio decides money and GPUs."""
    return where(ledger_basis, ledger_input_share, ratio(input_parts, input_parts + output_parts, 0))


@line(unit="token", label="Input tokens, first year", source="demand.2", headline=True)
def annual_input_tokens(annual_tokens, input_share):
    """What is read."""
    return annual_tokens * input_share


@line(unit="token", label="Output tokens, first year", source="demand.2", headline=True)
def annual_output_tokens(annual_tokens, input_share):
    """What is written."""
    return annual_tokens * (1 - input_share)


@line(unit="token/month", label="Tokens", source="demand.4")
def monthly_tokens(annual_tokens, month_share, ledger_basis, ledger_tokens):
    """The year's target as it falls over the months, or the month's use cases."""
    return where(ledger_basis, ledger_tokens, annual_tokens * month_share)


@line(unit="token/month", label="of which input", source="demand.2")
def monthly_input_tokens(monthly_tokens, input_share, ledger_basis, ledger_input_tokens):
    """Input of the month."""
    return where(ledger_basis, ledger_input_tokens, monthly_tokens * input_share)


@line(unit="token/month", label="of which output", source="demand.2")
def monthly_output_tokens(monthly_tokens, input_share, ledger_basis, ledger_input_tokens):
    """Output of the month."""
    return where(ledger_basis, monthly_tokens - ledger_input_tokens, monthly_tokens * (1 - input_share))


@line(unit="token", label="Tokens over the horizon", source="demand.4")
def horizon_tokens(monthly_tokens):
    """All months together."""
    return total(monthly_tokens, over="month")


@line(unit="token/day", label="Average day", source="demand.5")
def daily_tokens(monthly_tokens, days_in_month):
    """The month spread over its days."""
    return monthly_tokens / days_in_month


@line(unit="token/day", label="Peak day", source="demand.6")
def daily_tokens_at_peak(daily_tokens, peak_factor, peak_window, ledger_basis, ledger_busy_day):
    """The busiest day; with the hour window the factor is kept for the hour and not taken twice."""
    return where(ledger_basis, ledger_busy_day, daily_tokens * where(same(peak_window, "day"), peak_factor, 1))


@line(unit="token/h", label="Peak hour", source="demand.7")
def hourly_tokens_at_peak(
    daily_tokens_at_peak, daily_tokens, peak_factor, peak_window, peak_hours, hours_per_day, ledger_basis, ledger_peak,
    seconds_per_hour,
):  # fmt: skip
    """The busiest hour: the peak day over its peak hours, or the average hour times an hourly factor."""
    from_above = where(
        same(peak_window, "day"), daily_tokens_at_peak / peak_hours, daily_tokens / hours_per_day * peak_factor
    )
    return where(ledger_basis, ledger_peak * seconds_per_hour, from_above)


@line(unit="token/s", label="Peak second", source="demand.8")
def tokens_per_s_at_peak(hourly_tokens_at_peak, seconds_per_hour):
    """The rate that a serving system must carry."""
    return hourly_tokens_at_peak / seconds_per_hour


@line(unit="token/s", label="Peak second with retries", source="demand.9")
def tokens_per_s_with_retries(tokens_per_s_at_peak, retry_rate, ledger_basis):
    """Repeated calls load the system like first ones; the ledger holds its own already."""
    return tokens_per_s_at_peak * where(ledger_basis, 1, 1 + retry_rate)


@line(unit="token/s", label="Average second", source="demand.8")
def tokens_per_s_on_average(daily_tokens, hours_per_day, seconds_per_hour):
    """Where the headroom bridge starts."""
    return daily_tokens / hours_per_day / seconds_per_hour


@line(unit="factor", label="Peak over average", source="demand.7")
def peak_over_average(
    peak_factor,
    peak_window,
    peak_hours,
    hours_per_day,
    ledger_basis,
    peak_tokens_per_s,
    tokens_per_s_on_average,
    peak_month,
):
    """Peak factor and peak hours are two settings of one thing; this is what they come to."""
    typed = where(same(peak_window, "day"), peak_factor * hours_per_day / peak_hours, peak_factor)
    average = pick(tokens_per_s_on_average, peak_month, over="month")
    return where(ledger_basis, ratio(peak_tokens_per_s, average, 1), typed)


@line(unit="token/s", label="Highest peak second", source="demand.8")
def highest_tokens_per_s(tokens_per_s_at_peak):
    """The month that sizes the plan is found by it."""
    return most(tokens_per_s_at_peak, over="month")


@line(unit="index", label="Peak month", source="demand.8")
def peak_month(highest_tokens_per_s, tokens_per_s_at_peak):
    """The month with the highest peak second; the first of equals."""
    return position_of(highest_tokens_per_s, tokens_per_s_at_peak, over="month")


@line(unit="text", label="Peak month", source="demand.8")
def peak_month_label(month_label, peak_month):
    """Its name, for sentences."""
    return pick(month_label, peak_month, over="month")


@line(unit="token/month", label="Tokens in the peak month", source="demand.4", headline=True)
def peak_month_tokens(monthly_tokens, peak_month):
    """A yearly average would hide it."""
    return pick(monthly_tokens, peak_month, over="month")


@line(unit="token/day", label="Average day of the peak month", source="demand.5", headline=True)
def average_daily_tokens(daily_tokens, peak_month):
    """The average day of the busiest month."""
    return pick(daily_tokens, peak_month, over="month")


@line(unit="token/day", label="Peak day of the peak month", source="demand.6", headline=True)
def peak_daily_tokens(daily_tokens_at_peak, peak_month):
    """The busiest day of the plan."""
    return pick(daily_tokens_at_peak, peak_month, over="month")


@line(unit="token/h", label="Peak hour of the peak month", source="demand.7", headline=True)
def peak_hourly_tokens(hourly_tokens_at_peak, peak_month):
    """The busiest hour of the plan."""
    return pick(hourly_tokens_at_peak, peak_month, over="month")


@line(unit="token/s", label="Peak second of the peak month", source="demand.8", headline=True)
def peak_tokens_per_s(tokens_per_s_at_peak, peak_month):
    """The busiest second of the plan, before retries."""
    return pick(tokens_per_s_at_peak, peak_month, over="month")


@line(unit="token", label="Tokens, first year, in the horizon", source="demand.4")
def first_year_tokens(monthly_tokens, plan_year):
    """The first year's months added up: the base of unit costs."""
    return total(monthly_tokens, over="month", by=plan_year, equals=1)


@line(unit="month", label="Months of the first year in the horizon", source="demand.4")
def first_year_months(in_horizon, plan_year):
    """Twelve, or the horizon where that is shorter."""
    return in_unit(total(in_horizon, over="month", by=plan_year, equals=1), "month")


@line(unit="token/month", label="Committed tokens a month (mean)", source="demand.4", headline=True)
def committed_tokens_per_month(first_year_tokens, first_year_months):
    """The mean month of the first year: what a flat monthly commitment would be."""
    return ratio(first_year_tokens, first_year_months, 0)


@line(unit="token", label="Tokens", source="demand.4")
def quarter_tokens(monthly_tokens, plan_quarter, quarter_number):
    """Demand by quarter of the plan."""
    return total(monthly_tokens, over="month", by=plan_quarter, equals=quarter_number)


@line(unit="token", label="Tokens", source="demand.4")
def year_tokens(monthly_tokens, plan_year, year_number):
    """Demand by year of the plan."""
    return total(monthly_tokens, over="month", by=plan_year, equals=year_number)
