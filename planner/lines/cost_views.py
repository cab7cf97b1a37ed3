"""Chapter 6, third part: cost by phase and by model, and how much of it rests on unverified prices."""

from planner.calc.vocabulary import (
    both,
    either,
    join,
    known,
    not_applicable,
    opposite,
    or_else,
    pick,
    ratio,
    reaches,
    running,
    say,
    total,
    where,
    withheld,
)
from planner.lines.method import line
from planner.lines.models import checked

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
        where(
            model_listed_price,
            join("reference", checked(pick(priceref_verify, model_price_row, over="priceref"))),
            say("missing"),
        ),
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
def model_batch_note(
    model_api, model_batch_input_price_per_mtok, model_price_in, model_batch_output_price_per_mtok, model_price_out
):
    """A typed batch price at or above the list price is a mistake."""
    dear_in = where(
        both(known(model_batch_input_price_per_mtok), known(model_price_in)),
        reaches(model_batch_input_price_per_mtok, or_else(model_price_in, 0)), 0,
    )  # fmt: skip
    dear_out = where(
        both(known(model_batch_output_price_per_mtok), known(model_price_out)),
        reaches(model_batch_output_price_per_mtok, or_else(model_price_out, 0)), 0,
    )  # fmt: skip
    return where(
        model_api, where(either(dear_in, dear_out), say("◊ batch price at list price or above"), say("○ fine")), ""
    )


@line(unit="text", label="Cached price", source="cost.1")
def model_cached_note(
    model_api, cached_input_share, model_cached_input_price_per_mtok, model_listed_price, model_price_row,
    priceref_cached_input_usd_per_mtok,
):  # fmt: skip
    """Cached input without a cached price is billed in full: it is said, never taken as nothing."""
    listed = pick(priceref_cached_input_usd_per_mtok, model_price_row, over="priceref")
    has = either(known(model_cached_input_price_per_mtok), where(model_listed_price, known(listed), 0))
    said = where(has, say("○ fine"), say("◊ no cached price: cached input costs the full price"))
    return where(model_api, where(cached_input_share > 0, said, say("○ nothing cached")), "")


@line(unit="money/month", label="People, network, power", source="cost.4")
def other_cost_by_month(fixed_by_month, electricity_by_month):
    """Everything beside GPUs and APIs, for the chart."""
    return fixed_by_month + electricity_by_month
