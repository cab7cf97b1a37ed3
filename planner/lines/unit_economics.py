"""Chapter 7, sixth part: unit economics. What a request and an outcome cost, and what they are worth."""

from planner.calc.vocabulary import (
    both,
    given,
    known,
    not_applicable,
    opposite,
    or_else,
    pick,
    ratio,
    say,
    total,
    where,
    withheld,
)
from planner.lines.method import portfolio_line as line


@line(unit="request", label="Requests, first year", source="unit.1")
def stream_requests_year(stream_year, stream_tokens_each):
    """Tokens over the tokens of one request."""
    return ratio(stream_year, stream_tokens_each, 0)


@line(unit="request", label="Requests, first year", source="unit.1")
def use_case_requests_year(stream_requests_year, stream_case_row, use_case_number):
    """On its own model and on those that it is routed to."""
    return total(stream_requests_year, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="money/Mtok", label="API price of its mix, input", source="unit.1")
def stream_api_price_in(
    stream_model_row, stream_input_share, stream_cached_part, stream_billed, model_price_fresh, model_price_hit
):
    """What uncached and cached input add to the price of a token; 0 on GPUs."""
    fresh = pick(model_price_fresh, stream_model_row, over="model")
    hit = pick(model_price_hit, stream_model_row, over="model")
    mixed = (stream_input_share - stream_cached_part) * fresh + stream_cached_part * hit
    return where(stream_model_row > 0, mixed * stream_billed, 0)


@line(unit="money/Mtok", label="API price of its mix", source="unit.1")
def stream_api_price(stream_api_price_in, stream_model_row, stream_input_share, stream_billed, model_blended_out):
    """Uncached, cached and output tokens at its model's prices; 0 on GPUs."""
    out = (1 - stream_input_share) * pick(model_blended_out, stream_model_row, over="model")
    return where(stream_model_row > 0, stream_api_price_in + out * stream_billed, 0)


@line(unit="money", label="API, first year", source="unit.1")
def stream_api_cost(stream_year, stream_api_price, tokens_per_mtok):
    """Its tokens at that price."""
    return stream_year * stream_api_price / tokens_per_mtok


@line(unit="GPU*s", label="GPU time, first year", source="unit.1")
def stream_gpu_year(stream_year, stream_gpu_time):
    """What its tokens take of the GPUs of its model."""
    return stream_year * stream_gpu_time


@line(unit="GPU*s", label="GPU time, first year", source="unit.1")
def model_gpu_year(stream_gpu_year, stream_model_row, model_number):
    """All requests on the model."""
    return total(stream_gpu_year, over="stream", by=stream_model_row, equals=model_number)


@line(unit="money", label="GPUs, first year", source="unit.1")
def stream_gpu_cost(stream_model_row, stream_gpu_year, model_gpu_year, model_gpu_cost_year):
    """Its part of its model's GPUs by GPU time, headroom and all."""
    share = ratio(stream_gpu_year, pick(model_gpu_year, stream_model_row, over="model"), 0)
    return where(stream_model_row > 0, share * pick(model_gpu_cost_year, stream_model_row, over="model"), 0)


@line(unit="money", label="API and GPUs, first year", source="unit.1")
def stream_cost(stream_api_cost, stream_gpu_cost):
    """What its model costs; a model is the one or the other."""
    return stream_api_cost + stream_gpu_cost


@line(unit="flag", label="Cost unknown", source="unit.1")
def stream_unpriced(stream_cost):
    """A price or a speed of its model is not known."""
    return opposite(known(stream_cost))


@line(unit="money", label="Cost, where it is known", source="unit.1")
def stream_priced_cost(stream_cost):
    """For sums that say themselves when a part is unknown."""
    return or_else(stream_cost, 0)


@line(unit="count", label="Streams without a cost", source="unit.1")
def use_case_unpriced(stream_unpriced, stream_case_row, use_case_number):
    """Of the models that it runs on: another use case's model withholds nothing here."""
    return total(stream_unpriced, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="money", label="API and GPUs, first year", source="unit.1")
def use_case_models_cost(use_case_unpriced, stream_priced_cost, stream_case_row, use_case_number):
    """On its own model and on those that it is routed to."""
    known_part = total(stream_priced_cost, over="stream", by=stream_case_row, equals=use_case_number)
    return where(use_case_unpriced > 0, withheld("a part of this sum is unknown"), known_part)


@line(unit="money", label="Shared, first year", source="unit.1")
def use_case_shared_cost(use_case_year, ledger_year, other_tco, fixed_tco):
    """People, network and power by tokens."""
    return (other_tco + fixed_tco) * ratio(use_case_year, ledger_year, 0)


@line(unit="money", label="Cost, first year", source="unit.1")
def use_case_cost(use_case_models_cost, use_case_shared_cost):
    """API, GPUs and its part of what is shared."""
    return use_case_models_cost + use_case_shared_cost


@line(unit="money", label="All use cases, first year", source="unit.1")
def use_cases_cost(use_case_cost):
    """On the ledger basis it is the TCO."""
    return total(use_case_cost, over="use_case")


@line(unit="money/request", label="Cost per request", source="unit.2")
def use_case_cost_per_request(use_case_cost, use_case_requests_year):
    """A model call is an input cost, not the outcome."""
    return where(use_case_requests_year > 0, use_case_cost / use_case_requests_year, not_applicable())


@line(unit="outcome", label="Outcomes, first year", source="unit.2")
def use_case_outcomes_year(use_case_outcomes_per_month, use_case_year, use_case_full_tokens):
    """Outcomes at full adoption x what is adopted."""
    return or_else(use_case_outcomes_per_month, 0) * ratio(use_case_year, use_case_full_tokens, 0)


@line(unit="money/outcome", label="Cost per outcome", source="unit.2")
def use_case_cost_per_outcome(use_case_cost, use_case_outcomes_year):
    """What one success costs: a resolved case, a claim processed."""
    return where(use_case_outcomes_year > 0, use_case_cost / use_case_outcomes_year, not_applicable())


@line(unit="money", label="Value, first year", source="unit.2")
def use_case_value(use_case_outcomes_year, use_case_value_per_outcome):
    """Outcomes x what each is worth."""
    return use_case_outcomes_year * or_else(use_case_value_per_outcome, 0)


@line(unit="factor", label="Value per cost", source="unit.2")
def use_case_value_per_cost(use_case_value, use_case_cost):
    """Below 1 the use case costs more than it brings."""
    return where(use_case_cost > 0, use_case_value / use_case_cost, not_applicable())


@line(unit="flag", label="Value stated", source="unit.3")
def use_case_valued(use_case_outcome, use_case_outcomes_per_month, use_case_value_per_outcome):
    """An outcome with its number and its worth."""
    return both(given(use_case_outcome), known(use_case_outcomes_per_month), known(use_case_value_per_outcome))


@line(unit="text", label="Economics", source="unit.3")
def use_case_economics(use_case_counted, use_case_valued, use_case_value_per_cost):
    """Use cases without economic value stand out."""
    loss = where(known(use_case_value_per_cost), use_case_value_per_cost < 1, 0)
    judged = where(
        use_case_valued, where(loss, say("▲ costs more than it brings"), say("○ pays")), say("◊ no value stated")
    )
    return where(use_case_counted, judged, say("– does not count"))


@line(unit="money", label="Without a stated value", source="unit.3")
def use_case_unvalued_cost(use_case_counted, use_case_valued, use_case_cost):
    """Spend that nobody has justified."""
    return where(both(use_case_counted, opposite(use_case_valued)), use_case_cost, 0)


@line(unit="money", label="Spend without a stated value, first year", source="unit.3")
def unvalued_cost(use_case_unvalued_cost):
    """All use cases."""
    return total(use_case_unvalued_cost, over="use_case")


@line(unit="money", label="Cost of the owner", source="unit.4")
def owner_cost(use_case_cost, use_case_owner):
    """All use cases of the same owner."""
    return total(use_case_cost, over="use_case", by=use_case_owner, equals=use_case_owner)


@line(unit="money", label="Value of the owner", source="unit.4")
def owner_value(use_case_value, use_case_owner):
    """All use cases of the same owner."""
    return total(use_case_value, over="use_case", by=use_case_owner, equals=use_case_owner)


@line(unit="money", label="Cost, first year", source="unit.4")
def tenant_cost(use_case_cost, use_case_tenant_row, tenant_number):
    """The tenant's use cases."""
    return total(use_case_cost, over="use_case", by=use_case_tenant_row, equals=tenant_number)


@line(unit="money", label="Value, first year", source="unit.4")
def tenant_value(use_case_value, use_case_tenant_row, tenant_number):
    """The tenant's use cases."""
    return total(use_case_value, over="use_case", by=use_case_tenant_row, equals=tenant_number)


@line(unit="factor", label="Value per cost", source="unit.4")
def tenant_value_per_cost(tenant_value, tenant_cost):
    """Which part of the business uses capacity without showing value."""
    return where(tenant_cost > 0, tenant_value / tenant_cost, not_applicable())
