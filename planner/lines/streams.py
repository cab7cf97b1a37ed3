"""Chapter 7, streams: a use case on one model. What no route takes stays on its own model; each route is another.

The first streams are the rows of Ledger, the others the rows of Routing, spare rows included on both.
"""

from planner.calc.vocabulary import (
    apart,
    both,
    either,
    given,
    in_unit,
    join,
    known,
    largest,
    opposite,
    or_else,
    pick,
    position_of,
    ratio,
    reaches,
    same,
    smallest,
    total,
    where,
)
from planner.lines.method import portfolio_line as line

# ---- routes: which requests go elsewhere, and what they are allowed there


@line(unit="flag", label="In use", source="routing.1")
def route_used(route_name):
    """A row without a name is a spare row."""
    return given(route_name)


@line(unit="index", label="Row of its use case", source="routing.1")
def route_case_row(route_used, route_use_case, use_case_name, use_case_number):
    """Where its use case stands on Ledger; 0 when nowhere."""
    return route_used * position_of(route_use_case, use_case_name, over="use_case", numbers=use_case_number)


@line(unit="index", label="Row of its model", source="routing.1")
def route_model_row(route_used, route_model, model_name, model_number):
    """Where its model stands on Models; 0 when nowhere."""
    return route_used * position_of(route_model, model_name, over="model", numbers=model_number)


@line(unit="flag", label="Points nowhere", source="routing.1")
def route_lost(route_used, route_case_row, route_model_row):
    """A use case that stands on no row has nothing to route; a model that stands on none would lose the tokens."""
    return both(route_used, opposite(both(route_case_row > 0, route_model_row > 0)))


@line(unit="share", label="Share that it takes", source="routing.1")
def route_taken(route_case_row, route_request_share):
    """Of the requests of its use case; an empty share takes none."""
    return where(route_case_row > 0, or_else(route_request_share, 0), 0)


@line(unit="request/transaction", label="Calls per transaction", source="routing.2")
def route_calls(route_case_row, use_case_calls, route_calls_limit):
    """Those of its use case, at most the limit: an agent loop ends there."""
    own = pick(use_case_calls, route_case_row, over="use_case")
    capped = where(known(route_calls_limit), smallest(own, or_else(route_calls_limit, 0)), own)
    return where(route_case_row > 0, capped, 0)


@line(unit="share", label="Retry rate", source="routing.2")
def route_retries(route_case_row, use_case_retries, route_retry_limit):
    """That of its use case, at most the limit."""
    own = pick(use_case_retries, route_case_row, over="use_case")
    capped = where(known(route_retry_limit), smallest(own, or_else(route_retry_limit, 0)), own)
    return where(route_case_row > 0, capped, 0)


@line(unit="token/request", label="Input tokens per request", source="routing.2")
def route_input(route_case_row, use_case_input_tokens, route_context_reduction):
    """Those of its use case without the context that is left out."""
    own = or_else(pick(use_case_input_tokens, route_case_row, over="use_case"), 0)
    return where(route_case_row > 0, own * (1 - or_else(route_context_reduction, 0)), 0)


@line(unit="share", label="Share that is routed", source="routing.1")
def use_case_routed(route_taken, route_case_row, use_case_number):
    """What all its routes take together."""
    return total(route_taken, over="route", by=route_case_row, equals=use_case_number)


@line(unit="share", label="Share on its own model", source="routing.1")
def use_case_own_share(use_case_routed):
    """What no route takes: 70 %, 20 % and 10 % leave nothing, not the dust of a sum."""
    return largest(0, apart(1, use_case_routed))


@line(unit="flag", label="Routed above 100 %", source="routing.1")
def use_case_overrouted(use_case_routed):
    """More than 100 % of its requests would go somewhere."""
    return opposite(reaches(1, use_case_routed))


# ---- streams: which requests, on which model


@line(unit="index", label="Row of the stream", source="routing.3", opening=0, along="stream")
def stream_number(stream_number_before):
    """1, 2, ...: first the rows of Ledger, then those of Routing."""
    return stream_number_before + 1


@line(unit="count", label="Rows of Ledger", source="routing.3")
def use_case_rows(use_case_number):
    """Filled and spare."""
    return total((use_case_number > 0) * 1, over="use_case")


@line(unit="index", label="Row of its route", source="routing.3")
def stream_route_row(stream_number, use_case_rows):
    """0: the use case on its own model."""
    return largest(0, stream_number - in_unit(use_case_rows, "index"))


@line(unit="index", label="Row of its use case", source="routing.3")
def stream_case_row(stream_route_row, stream_number, route_case_row):
    """On Ledger; 0 for a route that belongs to none."""
    return where(stream_route_row > 0, pick(route_case_row, stream_route_row, over="route"), stream_number)


@line(unit="text", label="Use case, and its route", source="routing.3")
def stream_name(stream_route_row, stream_case_row, use_case_name, route_name):
    """What it is called wherever streams are listed."""
    case = pick(use_case_name, stream_case_row, over="use_case")
    route = pick(route_name, stream_route_row, over="route")
    return where(stream_route_row > 0, where(stream_case_row > 0, join(case, ": ", route), route), case)


@line(unit="flag", label="In use", source="routing.3")
def stream_used(stream_case_row, use_case_used):
    """A use case, or a route of one."""
    return where(stream_case_row > 0, pick(use_case_used, stream_case_row, over="use_case"), 0)


@line(unit="share", label="Share of its requests", source="routing.3")
def stream_share(stream_route_row, stream_case_row, route_taken, use_case_own_share):
    """The route's share, or what no route takes."""
    own = pick(use_case_own_share, stream_case_row, over="use_case")
    return where(stream_route_row > 0, pick(route_taken, stream_route_row, over="route"), own)


@line(unit="index", label="Row of its model", source="routing.3")
def stream_model_row(stream_route_row, stream_case_row, route_model_row, use_case_model_row):
    """The route's model, or the use case's own; 0 when nowhere."""
    own = pick(use_case_model_row, stream_case_row, over="use_case")
    return where(stream_route_row > 0, pick(route_model_row, stream_route_row, over="route"), own)


@line(unit="flag", label="Counts in the base", source="routing.3")
def stream_counted(stream_case_row, use_case_counted):
    """As its use case."""
    return where(stream_case_row > 0, pick(use_case_counted, stream_case_row, over="use_case"), 0)


@line(unit="flag", label="Proposed", source="routing.3")
def stream_proposed(stream_case_row, use_case_proposed):
    """As its use case."""
    return where(stream_case_row > 0, pick(use_case_proposed, stream_case_row, over="use_case"), 0)


@line(unit="flag", label="Points nowhere", source="routing.3")
def stream_lost(stream_route_row, stream_case_row, route_lost, use_case_lost):
    """Its route or its use case points at something that stands on no row."""
    astray = where(stream_route_row > 0, pick(route_lost, stream_route_row, over="route"), 0)
    return either(astray, where(stream_case_row > 0, pick(use_case_lost, stream_case_row, over="use_case"), 0))


@line(unit="index", label="Row of its tier", source="routing.3")
def stream_tier_row(stream_case_row, use_case_tier_row):
    """As its use case."""
    return where(stream_case_row > 0, pick(use_case_tier_row, stream_case_row, over="use_case"), 0)


@line(unit="index", label="Row of its tenant", source="routing.3")
def stream_tenant_row(stream_case_row, use_case_tenant_row):
    """As its use case."""
    return where(stream_case_row > 0, pick(use_case_tenant_row, stream_case_row, over="use_case"), 0)


@line(unit="index", label="Row of its region", source="routing.3")
def stream_region_row(stream_case_row, use_case_region_row):
    """As its use case."""
    return where(stream_case_row > 0, pick(use_case_region_row, stream_case_row, over="use_case"), 0)


# ---- a month at full adoption


@line(unit="request/transaction", label="Calls per transaction", source="routing.4")
def stream_calls(stream_route_row, stream_case_row, route_calls, use_case_calls):
    """Limited on a route."""
    own = pick(use_case_calls, stream_case_row, over="use_case")
    return where(stream_route_row > 0, pick(route_calls, stream_route_row, over="route"), own)


@line(unit="share", label="Retry rate", source="routing.4")
def stream_retries(stream_route_row, stream_case_row, route_retries, use_case_retries):
    """Limited on a route."""
    own = pick(use_case_retries, stream_case_row, over="use_case")
    return where(stream_route_row > 0, pick(route_retries, stream_route_row, over="route"), own)


@line(unit="token/request", label="Input tokens per request", source="routing.4")
def stream_input(stream_route_row, stream_case_row, route_input, use_case_input_tokens):
    """Reduced on a route."""
    own = or_else(pick(use_case_input_tokens, stream_case_row, over="use_case"), 0)
    return where(stream_route_row > 0, pick(route_input, stream_route_row, over="route"), own)


@line(unit="token/request", label="Tokens per request", source="routing.4")
def stream_tokens_each(stream_case_row, stream_input, use_case_output_tokens):
    """Input and output of one request."""
    out = or_else(pick(use_case_output_tokens, stream_case_row, over="use_case"), 0)
    return where(stream_case_row > 0, stream_input + out, 0)


@line(unit="request/month", label="Requests at full adoption", source="routing.4")
def stream_requests(stream_case_row, use_case_tasks, stream_share, stream_calls, stream_retries):
    """Its share of the transactions x calls of each, repeated calls included."""
    tasks = pick(use_case_tasks, stream_case_row, over="use_case") * stream_share
    return where(stream_case_row > 0, tasks * stream_calls * (1 + stream_retries), 0)


@line(unit="token/month", label="Tokens at full adoption", source="routing.4")
def stream_rate(stream_requests, stream_tokens_each):
    """What it asks for once everybody uses it, approved or not."""
    return stream_requests * stream_tokens_each


@line(unit="token/month", label="Tokens at full adoption, counted", source="routing.4")
def stream_full_tokens(stream_rate, stream_counted):
    """The same for what counts in the base."""
    return stream_rate * stream_counted


@line(unit="token/month", label="Tokens by use case and model", source="routing.4")
def stream_tokens(stream_full_tokens, stream_case_row, use_case_adoption, in_horizon):
    """Full adoption x what is adopted of its use case: the ledger month by month."""
    adopted = pick(use_case_adoption, stream_case_row, over="use_case")
    return where(stream_case_row > 0, stream_full_tokens * adopted * in_horizon, 0)


# ---- what one token of it brings with it


@line(unit="share", label="Input share", source="routing.5")
def stream_input_share(stream_input, stream_tokens_each):
    """Input and output cost and load differently."""
    return ratio(stream_input, stream_tokens_each, 0)


@line(unit="share", label="Cached part of its tokens", source="routing.5")
def stream_cached_part(stream_input_share, stream_case_row, use_case_cached_input_share):
    """Input that is billed at the cached price: of a reduced context the same share."""
    cached = or_else(pick(use_case_cached_input_share, stream_case_row, over="use_case"), 0)
    return where(stream_case_row > 0, stream_input_share * cached, 0)


@line(unit="factor", label="Billed part", source="routing.5")
def stream_billed(stream_retries, retries_billed):
    """Repeated calls stand in the tokens; they cost money only where the provider bills them."""
    return where(same(retries_billed, "yes"), 1, 1 / (1 + stream_retries))


@line(unit="month/day", label="Part of the month in a working day", source="routing.5")
def stream_day_part(stream_case_row, use_case_day_part):
    """As its use case."""
    return where(stream_case_row > 0, pick(use_case_day_part, stream_case_row, over="use_case"), 0)


@line(unit="month/s", label="Part of the month in its busiest second", source="routing.5")
def stream_peak_part(stream_case_row, use_case_peak_part):
    """As its use case: routes have their busiest second when it has."""
    return where(stream_case_row > 0, pick(use_case_peak_part, stream_case_row, over="use_case"), 0)


@line(unit="request*month/token", label="Requests at once for each token a month", source="routing.5")
def stream_held_part(stream_case_row, use_case_held_each, stream_tokens_each):
    """Requests at once of its use case, over the tokens of a request here."""
    held = pick(use_case_held_each, stream_case_row, over="use_case")
    return where(stream_case_row > 0, ratio(held, stream_tokens_each, 0), 0)


@line(unit="share", label="Headroom", source="routing.5")
def stream_headroom(stream_tier_row, service_tier_headroom):
    """The headroom of its tier."""
    return where(stream_tier_row > 0, pick(service_tier_headroom, stream_tier_row, over="service_tier"), 0)


@line(unit="text", label="Region", source="routing.5")
def stream_region(stream_case_row, use_case_region):
    """Where it is used."""
    return where(stream_case_row > 0, pick(use_case_region, stream_case_row, over="use_case"), "")


@line(unit="text", label="Residency", source="routing.5")
def stream_residency(stream_case_row, use_case_residency):
    """Only there may it run, whichever model serves it; empty is anywhere."""
    return where(stream_case_row > 0, pick(use_case_residency, stream_case_row, over="use_case"), "")


# ---- a use case is the sum of its streams


@line(unit="token", label="Tokens, first year", source="routing.6")
def stream_year(stream_tokens, plan_year):
    """The first year's months added up."""
    return total(stream_tokens, over="month", by=plan_year, equals=1)


@line(unit="request/month", label="Requests at full adoption", source="routing.6")
def use_case_requests(stream_requests, stream_case_row, use_case_number):
    """On its own model and on those that it is routed to."""
    return total(stream_requests, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="token/month", label="Tokens at full adoption, counted", source="routing.6")
def use_case_full_tokens(stream_full_tokens, stream_case_row, use_case_number):
    """On its own model and on those that it is routed to."""
    return total(stream_full_tokens, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="token", label="Ledger, first year", source="routing.6")
def use_case_year(stream_year, stream_case_row, use_case_number):
    """The use case's first year, on all models."""
    return total(stream_year, over="stream", by=stream_case_row, equals=use_case_number)
