"""Chapter 6, second part: what the plan costs by month, by quarter and by year, and per million tokens."""

from planner.calc.vocabulary import (
    both,
    known,
    not_applicable,
    opposite,
    or_else,
    pick,
    running,
    same,
    total,
    where,
    withheld,
)
from planner.lines.method import line

# ---- GPUs


@line(unit="money/GPU/h", label="GPU price", source="cost.2")
def model_gpu_price(model_on_prem, model_gpu_price_per_hour, model_gpu_row, gpuref_usd_per_gpu_hour, usd_rate):
    """The analyst's price, else the reference's planning price."""
    listed = pick(gpuref_usd_per_gpu_hour, model_gpu_row, over="gpuref")
    looked_up = where(
        model_gpu_row > 0,
        where(known(listed), listed * usd_rate, withheld("no GPU price, type it")),
        withheld("no GPU price, type it"),
    )
    return where(model_on_prem, or_else(model_gpu_price_per_hour, looked_up), 0)


@line(unit="money/month", label="GPUs", source="cost.2")
def model_gpu_cost(model_gpus_planned, model_gpu_price, hours_per_month):
    """GPUs as bought x hourly price x 730 hours: headroom is paid for too."""
    return where(model_gpus_planned > 0, model_gpus_planned * model_gpu_price * hours_per_month, 0)


@line(unit="W/GPU", label="Power per GPU", source="cost.3")
def model_watts(model_on_prem, model_gpu_row, gpuref_tdp_w, power_share, host_watts_per_gpu):
    """Rated power times the share drawn, and the host's part."""
    listed = pick(gpuref_tdp_w, model_gpu_row, over="gpuref")
    looked_up = where(
        model_gpu_row > 0,
        where(known(listed), listed * power_share + host_watts_per_gpu, withheld("no rated power for this GPU")),
        withheld("no rated power for this GPU"),
    )
    return where(model_on_prem, looked_up, 0)


@line(unit="kW*h/month", label="Electricity", source="cost.3")
def model_kwh(model_gpus_planned, model_watts, watts_per_kw, pue, hours_per_month):
    """GPUs x watts x PUE x hours."""
    return where(model_gpus_planned > 0, model_gpus_planned * model_watts / watts_per_kw * pue * hours_per_month, 0)


@line(unit="kW*h/month", label="Electricity", source="cost.3")
def kwh_by_month(model_kwh):
    """All models."""
    return total(model_kwh, over="model")


@line(unit="flag", label="Electricity is reckoned", source="cost.3")
def power_reckoned(gpu_ownership, electricity_price_per_kwh, electricity_per_month):
    """Owned GPUs with a price per kWh and no typed sum: one of the two, never both."""
    return both(same(gpu_ownership, "owned"), known(electricity_price_per_kwh), opposite(known(electricity_per_month)))


# ---- the month


@line(unit="money/month", label="GPU rental", source="cost.2")
def gpu_cost_by_month(model_gpu_cost):
    """All models on GPUs."""
    return total(model_gpu_cost, over="model")


@line(unit="money/month", label="API input", source="cost.1")
def api_input_by_month(model_api_input_cost):
    """All models on APIs."""
    return total(model_api_input_cost, over="model")


@line(unit="money/month", label="API output", source="cost.1")
def api_output_by_month(model_api_output_cost):
    """All models on APIs."""
    return total(model_api_output_cost, over="model")


@line(unit="money/month", label="API", source="cost.1")
def api_cost_by_month(api_input_by_month, api_output_by_month):
    """Input and output."""
    return api_input_by_month + api_output_by_month


@line(unit="money/month", label="Electricity", source="cost.3")
def electricity_by_month(power_reckoned, kwh_by_month, electricity_price_per_kwh, electricity_per_month, in_horizon):
    """Typed, or reckoned for owned GPUs; rented GPUs hold it in their price."""
    reckoned = kwh_by_month * or_else(electricity_price_per_kwh, 0)
    return where(power_reckoned, reckoned, or_else(electricity_per_month, 0) * in_horizon)


@line(unit="money/month", label="People and network", source="cost.4")
def fixed_by_month(network_per_month, ops_per_month, in_horizon):
    """What does not move with tokens."""
    return (network_per_month + ops_per_month) * in_horizon


@line(unit="money/month", label="TCO", source="cost.5")
def tco_by_month(gpu_cost_by_month, api_cost_by_month, electricity_by_month, fixed_by_month):
    """Total cost of ownership of the month."""
    return gpu_cost_by_month + api_cost_by_month + electricity_by_month + fixed_by_month


@line(unit="money", label="Cumulative", source="cost.6")
def tco_to_date(tco_by_month):
    """What has been spent by the end of the month."""
    return running(tco_by_month)


@line(unit="money/Mtok", label="Per M tokens", source="cost.7")
def cost_per_mtok_by_month(tco_by_month, monthly_tokens, tokens_per_mtok):
    """Unit cost of the month; a month without tokens has none."""
    return where(monthly_tokens > 0, tco_by_month / monthly_tokens * tokens_per_mtok, not_applicable())


@line(unit="money/Mtok", label="Customer price", source="cost.8")
def price_per_mtok_by_month(cost_per_mtok_by_month, price_multiple):
    """Unit cost x price multiple."""
    return cost_per_mtok_by_month * price_multiple


# ---- the year


@line(unit="money", label="TCO", source="cost.5")
def year_tco(tco_by_month, plan_year, year_number):
    """By year of the plan."""
    return total(tco_by_month, over="month", by=plan_year, equals=year_number)


@line(unit="money", label="TCO", source="cost.5")
def quarter_tco(tco_by_month, plan_quarter, quarter_number):
    """By quarter of the plan."""
    return total(tco_by_month, over="month", by=plan_quarter, equals=quarter_number)


@line(unit="money/Mtok", label="Per M tokens", source="cost.7")
def quarter_per_mtok(quarter_tco, quarter_tokens, tokens_per_mtok):
    """Unit cost of the quarter."""
    return where(quarter_tokens > 0, quarter_tco / quarter_tokens * tokens_per_mtok, not_applicable())


@line(unit="money/Mtok", label="Per M tokens", source="cost.7")
def year_per_mtok(year_tco, year_tokens, tokens_per_mtok):
    """Unit cost of the year."""
    return where(year_tokens > 0, year_tco / year_tokens * tokens_per_mtok, not_applicable())


@line(unit="money", label="TCO, first year", source="cost.5", headline=True)
def annual_tco(tco_by_month, plan_year):
    """The first year's months added up; never one month times twelve."""
    return total(tco_by_month, over="month", by=plan_year, equals=1)


@line(unit="money", label="TCO over the horizon", source="cost.5")
def horizon_tco(tco_by_month):
    """All months together."""
    return total(tco_by_month, over="month")


@line(unit="money/month", label="TCO a month (mean)", source="cost.5", headline=True)
def monthly_tco_mean(annual_tco, first_year_months):
    """The mean month of the first year."""
    return annual_tco / first_year_months


@line(unit="money/Mtok", label="Unit cost", source="cost.7", headline=True)
def cost_per_mtok(annual_tco, first_year_tokens, tokens_per_mtok):
    """TCO over tokens of the first year."""
    return where(
        first_year_tokens > 0, annual_tco / first_year_tokens * tokens_per_mtok, withheld("no tokens in the year")
    )


@line(unit="money/Mtok", label="Customer price", source="cost.8", headline=True)
def customer_price_per_mtok(cost_per_mtok, price_multiple):
    """Unit cost x price multiple."""
    return cost_per_mtok * price_multiple


@line(unit="share", label="Markup", source="cost.8")
def markup(price_multiple):
    """The guide writes TCO x (1 + margin) and lists multiples: the multiple is the input, this is the margin."""
    return price_multiple - 1


@line(unit="money", label="Revenue at that price, first year", source="cost.8")
def annual_revenue(customer_price_per_mtok, first_year_tokens, tokens_per_mtok):
    """All tokens of the first year sold at the customer price."""
    return customer_price_per_mtok * first_year_tokens / tokens_per_mtok


@line(unit="money/Mtok", label="Price by the guide's formula", source="cost.8")
def literal_price(cost_per_mtok, price_multiple):
    """TCO x (1 + margin) with the listed figure as margin: shown because the guide says both."""
    return cost_per_mtok * (1 + price_multiple)


@line(unit="share", label="Budget used", source="cost.9")
def budget_use(annual_tco, annual_budget):
    """TCO of the first year over the budget."""
    return where(or_else(annual_budget, 0) > 0, annual_tco / or_else(annual_budget, 0), withheld("no budget entered"))
