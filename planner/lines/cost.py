"""Chapter 6, first part: prices in use, API and GPU cost by month, by phase, and per million tokens."""

from planner.calc.vocabulary import (
    both,
    either,
    in_unit,
    join,
    known,
    not_applicable,
    opposite,
    or_else,
    pick,
    ratio,
    running,
    same,
    say,
    total,
    where,
    withheld,
)
from planner.lines.method import line


@line(unit="money/usd", label="Currency units for 1 USD", source="cost.0")
def usd_rate(usd_to_currency, usd_parity):
    """Reference prices are in USD; a plan in another currency needs its rate."""
    return or_else(usd_to_currency, usd_parity)


# ---- API prices: the analyst's own, else the reference row in the plan's currency


@line(unit="flag", label="Own API price", source="cost.1")
def model_own_price(model_input_price_per_mtok, model_output_price_per_mtok):
    """An analyst's price switches the reference off for the whole row: no mixture of two price lists."""
    return either(known(model_input_price_per_mtok), known(model_output_price_per_mtok))


@line(unit="flag", label="Reference price used", source="cost.1")
def model_listed_price(model_api, model_own_price, model_price_row):
    """Whether the row's prices come from the reference table."""
    return both(model_api, opposite(model_own_price), model_price_row > 0)


@line(unit="money/Mtok", label="Input price", source="cost.1")
def model_price_in(
    model_api, model_input_price_per_mtok, model_listed_price, model_price_row, priceref_input_usd_per_mtok, usd_rate
):
    """Price of a million input tokens."""
    listed = pick(priceref_input_usd_per_mtok, model_price_row, over="priceref") * usd_rate
    looked_up = where(model_listed_price, listed, withheld("no input price, type it"))
    return where(model_api, or_else(model_input_price_per_mtok, looked_up), 0)


@line(unit="money/Mtok", label="Output price", source="cost.1")
def model_price_out(
    model_api, model_output_price_per_mtok, model_listed_price, model_price_row, priceref_output_usd_per_mtok, usd_rate
):
    """Price of a million output tokens."""
    listed = pick(priceref_output_usd_per_mtok, model_price_row, over="priceref") * usd_rate
    looked_up = where(model_listed_price, listed, withheld("no output price, type it"))
    return where(model_api, or_else(model_output_price_per_mtok, looked_up), 0)


def _listed(typed, listed_flag, column, row, rate, fallback):
    """A price that may be absent: typed, else the reference row's, else another price of the row."""
    listed = pick(column, row, over="priceref")
    has = both(listed_flag, row > 0)
    return or_else(typed, where(has, where(known(listed), listed * rate, fallback), fallback))


@line(unit="money/Mtok", label="Cached input price", source="cost.1")
def model_price_cached(
    model_cached_input_price_per_mtok, model_listed_price, model_price_row, priceref_cached_input_usd_per_mtok,
    usd_rate, model_price_in,
):  # fmt: skip
    """Without a cached price, cached input costs the full input price, never nothing."""
    return _listed(
        model_cached_input_price_per_mtok, model_listed_price, priceref_cached_input_usd_per_mtok, model_price_row,
        usd_rate, model_price_in,
    )  # fmt: skip


@line(unit="money/Mtok", label="Batch input price", source="cost.1")
def model_price_batch_in(
    model_batch_input_price_per_mtok, model_listed_price, model_price_row, priceref_batch_input_usd_per_mtok, usd_rate,
    model_price_in,
):  # fmt: skip
    """Without a batch price, batch work costs the full price."""
    return _listed(
        model_batch_input_price_per_mtok, model_listed_price, priceref_batch_input_usd_per_mtok, model_price_row,
        usd_rate, model_price_in,
    )  # fmt: skip


@line(unit="money/Mtok", label="Batch output price", source="cost.1")
def model_price_batch_out(
    model_batch_output_price_per_mtok, model_listed_price, model_price_row, priceref_batch_output_usd_per_mtok,
    usd_rate, model_price_out,
):  # fmt: skip
    """Without a batch price, batch work costs the full price."""
    return _listed(
        model_batch_output_price_per_mtok, model_listed_price, priceref_batch_output_usd_per_mtok, model_price_row,
        usd_rate, model_price_out,
    )  # fmt: skip


@line(unit="share", label="Long-context share", source="cost.1")
def model_long_share(
    model_long_context_share, model_listed_price, model_price_row, priceref_long_context_limit_tokens,
    input_tokens_per_request,
):  # fmt: skip
    """Share of tokens in requests above the limit: typed, else all or none by the mean request; at the limit is below."""
    limit = pick(priceref_long_context_limit_tokens, model_price_row, over="priceref")
    above = where(known(limit), in_unit(input_tokens_per_request, "token") > limit, 0)
    return or_else(model_long_context_share, where(model_listed_price, above, 0))


@line(unit="money/Mtok", label="Long input price", source="cost.1")
def model_price_long_in(
    model_long_input_price_per_mtok, model_listed_price, model_price_row, priceref_long_input_usd_per_mtok, usd_rate,
    model_price_in,
):  # fmt: skip
    """The whole request is billed at it, not only what is above the limit."""
    return _listed(
        model_long_input_price_per_mtok, model_listed_price, priceref_long_input_usd_per_mtok, model_price_row,
        usd_rate, model_price_in,
    )  # fmt: skip


@line(unit="money/Mtok", label="Long output price", source="cost.1")
def model_price_long_out(
    model_long_output_price_per_mtok, model_listed_price, model_price_row, priceref_long_output_usd_per_mtok,
    usd_rate, model_price_out,
):  # fmt: skip
    """Output of a long request."""
    return _listed(
        model_long_output_price_per_mtok, model_listed_price, priceref_long_output_usd_per_mtok, model_price_row,
        usd_rate, model_price_out,
    )  # fmt: skip


@line(unit="money/Mtok", label="Long cached input price", source="cost.1")
def model_price_long_cached(
    model_listed_price, model_price_row, priceref_long_cached_input_usd_per_mtok, usd_rate, model_price_long_in
):
    """Cached input of a long request; without a price of its own, the long input price."""
    listed = pick(priceref_long_cached_input_usd_per_mtok, model_price_row, over="priceref")
    return where(model_listed_price, where(known(listed), listed * usd_rate, model_price_long_in), model_price_long_in)


@line(unit="money/Mtok", label="Input, all in", source="cost.1")
def model_blended_in(
    model_price_in, model_price_cached, model_price_long_in, model_price_long_cached, model_long_share,
    cached_input_share, model_price_batch_in, batch_share,
):  # fmt: skip
    """Uncached and cached, short and long, list and batch, weighted by their shares."""
    short = (1 - cached_input_share) * model_price_in + cached_input_share * model_price_cached
    long = (1 - cached_input_share) * model_price_long_in + cached_input_share * model_price_long_cached
    batch = 1 - batch_share * (1 - ratio(model_price_batch_in, model_price_in, 1))
    return ((1 - model_long_share) * short + model_long_share * long) * batch


@line(unit="money/Mtok", label="Output, all in", source="cost.1")
def model_blended_out(
    model_price_out, model_price_long_out, model_long_share, model_price_batch_out, batch_share
):
    """Short and long, list and batch, weighted by their shares."""
    mixed = (1 - model_long_share) * model_price_out + model_long_share * model_price_long_out
    return mixed * (1 - batch_share * (1 - ratio(model_price_batch_out, model_price_out, 1)))


@line(unit="factor", label="Billed calls", source="cost.1")
def billed_calls(retry_rate, retries_billed):
    """Repeated calls cost money only where the provider bills them."""
    return where(same(retries_billed, "yes"), 1 + retry_rate, 1)


@line(unit="money/month", label="API input", source="cost.1")
def model_api_input_cost(
    model_api, monthly_input_tokens, model_share, billed_calls, model_blended_in, tokens_per_mtok
):
    """Input tokens of the month at the model's price."""
    cost = monthly_input_tokens * model_share * billed_calls * model_blended_in / tokens_per_mtok
    return where(model_api, cost, 0)


@line(unit="money/month", label="API output", source="cost.1")
def model_api_output_cost(
    model_api, monthly_output_tokens, model_share, billed_calls, model_blended_out, tokens_per_mtok
):
    """Output tokens of the month at the model's price."""
    cost = monthly_output_tokens * model_share * billed_calls * model_blended_out / tokens_per_mtok
    return where(model_api, cost, 0)


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
    return both(
        same(gpu_ownership, "owned"), known(electricity_price_per_kwh), opposite(known(electricity_per_month))
    )


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
    return where(
        monthly_tokens > 0, tco_by_month / monthly_tokens * tokens_per_mtok, not_applicable()
    )


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


# ---- by phase


@line(unit="money", label="Cost", source="cost.10")
def phase_tco(tco_for_sums, month_number, phase_from, phase_to, tco_known):
    """The months of the phase."""
    parts = total((month_number >= phase_from) * (month_number <= phase_to) * tco_for_sums, over="month")
    return where(tco_known, parts, withheld("a part of this sum is unknown"))


@line(unit="money/month", label="TCO, unknown months as 0", source="cost.10")
def tco_for_sums(tco_by_month):
    """A helper row: sums with conditions cannot meet words."""
    return or_else(tco_by_month, 0)


@line(unit="flag", label="Every month's TCO is known", source="cost.10")
def tco_known(horizon_tco):
    """Then phases can be added up."""
    return known(horizon_tco)


@line(unit="money", label="Cumulative", source="cost.10")
def phase_to_date(phase_tco):
    """Spent by the end of the phase."""
    return running(phase_tco, along="phase")


@line(unit="money/Mtok", label="Per M tokens", source="cost.10")
def phase_per_mtok(phase_tco, phase_tokens, tokens_per_mtok):
    """Unit cost of the phase."""
    return where(phase_tokens > 0, phase_tco / phase_tokens * tokens_per_mtok, not_applicable())


@line(unit="share", label="Share of cost", source="cost.10")
def phase_cost_share(phase_tco, horizon_tco):
    """What part of all money falls into the phase."""
    return ratio(phase_tco, horizon_tco, 0)


@line(unit="money", label="All phases", source="cost.10")
def phases_tco(phase_tco):
    """Must be the cost of all months."""
    return total(phase_tco, over="phase")


# ---- where prices come from


@line(unit="text", label="Price is", source="cost.1")
def model_price_status(
    model_used, model_on_prem, model_own_price, model_gpu_price_per_hour, model_listed_price, model_price_row,
    priceref_verify, model_gpu_row,
):  # fmt: skip
    """Whose figure it is, and whether it still wants checking."""
    api = where(
        model_own_price,
        say("yours"),
        where(model_listed_price, join("reference ", pick(priceref_verify, model_price_row, over="priceref")),
              say("missing")),
    )
    gpu = where(
        known(model_gpu_price_per_hour),
        say("yours"),
        where(model_gpu_row > 0, say("reference, estimated, please verify"), say("missing")),
    )
    return where(model_used, where(model_on_prem, gpu, api), "")


@line(unit="flag", label="Unverified price", source="cost.1")
def model_price_unverified(model_used, model_on_prem, model_own_price, model_gpu_price_per_hour):
    """A reference price is a starting point until somebody has checked it."""
    own = where(model_on_prem, known(model_gpu_price_per_hour), model_own_price)
    return both(model_used, opposite(own))


@line(unit="flag", label="Unverified speed", source="capacity.2")
def model_speed_unverified(model_on_prem, model_tokens_per_s_per_gpu):
    """A reference speed is a starting point until it is measured."""
    return both(model_on_prem, opposite(known(model_tokens_per_s_per_gpu)))


@line(unit="money", label="Cost of the model, first year", source="cost.5")
def model_tco(model_gpu_cost_year, model_api_cost_year):
    """What the model itself costs in the first year."""
    return model_gpu_cost_year + model_api_cost_year


@line(unit="money", label="GPU cost, first year", source="cost.2")
def model_gpu_cost_year(model_gpu_cost, plan_year):
    """First year."""
    return total(model_gpu_cost, over="month", by=plan_year, equals=1)


@line(unit="money/month", label="API", source="cost.1")
def model_api_cost(model_api_input_cost, model_api_output_cost):
    """Input and output of the model."""
    return model_api_input_cost + model_api_output_cost


@line(unit="money", label="API cost, first year", source="cost.1")
def model_api_cost_year(model_api_cost, plan_year):
    """First year."""
    return total(model_api_cost, over="month", by=plan_year, equals=1)


@line(unit="money/Mtok", label="Unit cost", source="cost.7")
def model_cost_per_mtok(model_tco, model_tokens_year, tokens_per_mtok):
    """What a million tokens of the model cost."""
    return where(model_tokens_year > 0, model_tco / model_tokens_year * tokens_per_mtok, not_applicable())


@line(unit="token", label="Tokens, first year", source="demand.4")
def model_tokens_year(model_tokens, plan_year):
    """First year."""
    return total(model_tokens, over="month", by=plan_year, equals=1)


@line(unit="money", label="Cost on unverified prices", source="cost.1")
def model_unverified_cost(model_price_unverified, model_tco):
    """What rests on reference prices."""
    return where(model_price_unverified, model_tco, 0)


@line(unit="money", label="Cost on unverified prices, first year", source="cost.1")
def unverified_cost(model_unverified_cost):
    """All models."""
    return total(model_unverified_cost, over="model")


@line(unit="share", label="Cost on unverified prices", source="cost.1")
def unverified_share(unverified_cost, annual_tco):
    """How much of the money rests on figures that nobody has checked."""
    return ratio(unverified_cost, annual_tco, 0)


@line(unit="flag", label="Withdrawn within the plan", source="cost.1")
def model_withdrawn(model_listed_row, model_price_row, priceref_withdrawal_date, last_month_start):
    """The provider has announced the model's end before the plan's."""
    date = pick(priceref_withdrawal_date, model_price_row, over="priceref")
    return where(model_listed_row, where(known(date), date <= last_month_start, 0), 0)


@line(unit="flag", label="API model in the reference", source="cost.1")
def model_listed_row(model_api, model_price_row):
    """Whether its withdrawal date can be looked up."""
    return both(model_api, model_price_row > 0)


@line(unit="day", label="Last month of the horizon", source="method.0")
def last_month_start(month_start, horizon_position):
    """Where the plan ends."""
    return pick(month_start, horizon_position, over="month")


@line(unit="index", label="Column of the last month", source="method.0")
def horizon_position(in_horizon):
    """The last column inside the horizon."""
    return total(in_horizon, over="month")


@line(unit="count", label="Models withdrawn within the plan", source="cost.1")
def withdrawn_models(model_withdrawn):
    """Each needs a successor."""
    return total(model_withdrawn, over="model")


@line(unit="text", label="Batch price", source="cost.1")
def model_batch_note(model_api, model_price_batch_in, model_price_in, model_price_batch_out, model_price_out):
    """A batch price at or above the list price is a mistake or no offer."""
    dear = either(
        where(both(known(model_price_batch_in), known(model_price_in)), model_price_batch_in > model_price_in, 0),
        where(both(known(model_price_batch_out), known(model_price_out)), model_price_batch_out > model_price_out, 0),
    )
    return where(model_api, where(dear, say("◊ batch price above list price"), say("○ fine")), "")


@line(unit="money/month", label="People, network, power", source="cost.4")
def other_cost_by_month(fixed_by_month, electricity_by_month):
    """Everything beside GPUs and APIs, for the chart."""
    return fixed_by_month + electricity_by_month
