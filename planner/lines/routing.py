"""Chapter 7, routing mix: the quality of what is routed, and the plan against the one without any route."""

from planner.calc.variants import clone
from planner.calc.vocabulary import (
    both,
    digits,
    fixed,
    in_unit,
    join,
    known,
    not_applicable,
    opposite,
    or_else,
    pick,
    ratio,
    reaches,
    rounded,
    say,
    show,
    total,
    where,
)
from planner.lines.method import METHOD, PORTFOLIO
from planner.lines.method import portfolio_line as line

UNROUTED = "unrouted_"

# ---- quality


@line(unit="flag", label="Below its quality floor", source="routing.7")
def route_below_floor(route_used, route_quality_score, route_quality_floor):
    """Its score does not reach its floor; without one of the two it is not judged."""
    met = reaches(or_else(route_quality_score, 0), or_else(route_quality_floor, 0))
    return both(route_used, known(route_quality_score), known(route_quality_floor), opposite(met))


@line(unit="text", label="State", source="routing.7")
def route_state(route_used, route_lost, route_below_floor, route_quality_score, route_quality_floor):
    """What to know about the route before it is switched on."""
    judged = where(known(route_quality_floor), say("○ reaches its floor"), say("◊ no floor"))
    scored = where(known(route_quality_score), judged, say("◊ no score"))
    bad = where(route_below_floor, say("▲ below its floor"), scored)
    return where(route_used, where(route_lost, say("▲ use case or model not found"), bad), "")


@line(unit="share", label="Share with a score", source="routing.7")
def route_scored(route_taken, route_quality_score):
    """Requests whose quality somebody has measured."""
    return where(known(route_quality_score), route_taken, 0)


@line(unit="share", label="Score × share", source="routing.7")
def route_quality_part(route_taken, route_quality_score):
    """What it adds to the blended score of its use case."""
    return route_taken * or_else(route_quality_score, 0)


@line(unit="share", label="Requests with a score", source="routing.7")
def use_case_scored(route_scored, route_case_row, use_case_number):
    """The score of its own model is known where a route to it says so."""
    return total(route_scored, over="route", by=route_case_row, equals=use_case_number)


@line(unit="share", label="Sum of score × share", source="routing.7")
def use_case_quality_sum(route_quality_part, route_case_row, use_case_number):
    """All its routes."""
    return total(route_quality_part, over="route", by=route_case_row, equals=use_case_number)


@line(unit="share", label="Blended quality", source="routing.7")
def use_case_quality(use_case_quality_sum, use_case_scored):
    """Scores weighted by the share of requests, over the requests that have one."""
    return where(use_case_scored > 0, use_case_quality_sum / use_case_scored, not_applicable())


@line(unit="request/transaction", label="Calls × share", source="routing.8")
def route_calls_part(route_taken, route_calls):
    """What it adds to the calls of its use case."""
    return route_taken * route_calls


@line(unit="request/transaction", label="Calls per transaction, mean", source="routing.8")
def use_case_calls_mix(use_case_own_share, use_case_calls, route_calls_part, route_case_row, use_case_number):
    """Own model and routes, weighted by the share of requests."""
    routed = total(route_calls_part, over="route", by=route_case_row, equals=use_case_number)
    return use_case_own_share * use_case_calls + routed


# ---- counts


@line(unit="count", label="Routes", source="routing.8")
def routes_used(route_used):
    """Rows with a name."""
    return total(route_used, over="route")


@line(unit="count", label="Routes, rows left", source="routing.8")
def routes_room(route_number, routes_used):
    """Rows that wait for a route."""
    return total((route_number > 0) * 1, over="route") - routes_used


@line(unit="count", label="Routes that point nowhere", source="routing.8")
def routes_lost(route_lost):
    """Must be none."""
    return total(route_lost, over="route")


@line(unit="count", label="Use cases routed above 100 %", source="routing.8")
def use_cases_overrouted(use_case_overrouted):
    """Must be none: their tokens would be planned twice."""
    return total(use_case_overrouted, over="use_case")


@line(unit="count", label="Routes below their quality floor", source="routing.8")
def routes_below_floor(route_below_floor):
    """Each is flagged in its row."""
    return total(route_below_floor, over="route")


@line(unit="flag", label="Not judged", source="routing.8")
def route_unjudged(route_used, route_quality_score, route_quality_floor):
    """Without a score or a floor nobody can say whether it is good enough."""
    judged = both(known(route_quality_score), known(route_quality_floor))
    return both(route_used, opposite(judged))


@line(unit="count", label="Routes without score or floor", source="routing.8")
def routes_unjudged(route_unjudged):
    """A question for the owners of their use cases."""
    return total(route_unjudged, over="route")


# ---- by route and model


@line(unit="request", label="Requests that are routed, first year", source="routing.8")
def stream_routed_requests(stream_route_row, stream_requests_year):
    """Requests of a route."""
    return where(stream_route_row > 0, stream_requests_year, 0)


@line(unit="request", label="Requests, first year", source="routing.8")
def ledger_requests(use_case_requests_year):
    """All use cases on all models."""
    return total(use_case_requests_year, over="use_case")


@line(unit="request", label="of which routed", source="routing.8")
def routed_requests(stream_routed_requests):
    """All routes."""
    return total(stream_routed_requests, over="stream")


@line(unit="share", label="Share of requests that is routed", source="routing.8")
def routed_share(routed_requests, ledger_requests):
    """As they are after limits on calls and retries."""
    return ratio(routed_requests, ledger_requests, 0)


@line(unit="index", label="Row of its stream", source="routing.8")
def route_stream_row(route_number, use_case_rows):
    """Behind the rows of Ledger."""
    return route_number + in_unit(use_case_rows, "index")


@line(unit="token", label="Tokens, first year", source="routing.8")
def route_year(route_stream_row, stream_year):
    """What it brings to its model."""
    return pick(stream_year, route_stream_row, over="stream")


# ---- the plan without any route: the same lines, cloned


@line(unit="share", label="Share of its requests", source="routing.9")
def unrouted_stream_share(stream_route_row):
    """All on the use case's own model: no route, no limit, no reduction."""
    return where(stream_route_row > 0, 0, 1)


TARGETS = (
    "ledger_year", "ledger_model_year", "ledger_model_share", "gpus_planned", "annual_tco", "use_case_year",
    "use_case_models_cost", "other_tco",
)  # fmt: skip


def cloned():
    """Clones every line between the share of requests and the targets; called once, when all chapters are written."""
    return clone(METHOD, UNROUTED, TARGETS, __name__, PORTFOLIO)


@line(unit="token", label="Tokens saved, first year", source="routing.10")
def saved_tokens(unrouted_ledger_year, ledger_year):
    """Fewer calls, fewer retries, less context; another model alone saves none."""
    return rounded(unrouted_ledger_year - ledger_year, 3)


@line(unit="money", label="Saved, first year", source="routing.10")
def saved_money(unrouted_annual_tco, annual_tco):
    """TCO without any route less TCO: whole GPUs and minimum replicas included, at the same prices."""
    return rounded(unrouted_annual_tco - annual_tco, 6)


@line(unit="share", label="Saved of the TCO without routes", source="routing.10")
def saved_share(saved_money, unrouted_annual_tco):
    """Negative where routing costs more."""
    return ratio(saved_money, unrouted_annual_tco, 0)


@line(unit="GPU", label="GPUs saved", source="routing.10")
def saved_gpus(unrouted_gpus_planned, gpus_planned):
    """GPUs to plan without any route less those with them."""
    return unrouted_gpus_planned - gpus_planned


@line(unit="token", label="Tokens saved, first year", source="routing.10")
def use_case_saved_tokens(unrouted_use_case_year, use_case_year):
    """Against all its requests on its own model."""
    return rounded(unrouted_use_case_year - use_case_year, 3)


@line(unit="money", label="Saved on models, first year", source="routing.10")
def use_case_saved_money(unrouted_use_case_models_cost, use_case_models_cost):
    """API and GPUs without any route less those now: others' routes move its part of a model's GPUs too."""
    return rounded(unrouted_use_case_models_cost - use_case_models_cost, 6)


@line(unit="money", label="Saved on electricity, first year", source="routing.10")
def saved_power(unrouted_other_tco, other_tco):
    """Not by model; people and network stay as they are."""
    return rounded(unrouted_other_tco - other_tco, 6)


@line(unit="money", label="Saved on models and electricity", source="routing.10")
def savings_sum(use_case_saved_money, saved_power):
    """All use cases; on the ledger basis it is what the plan saves."""
    return total(use_case_saved_money, over="use_case") + saved_power


@line(unit="sentence", label="What routing saves, in words", source="routing.11")
def routing_saves(saved_money, ledger_basis, currency):
    """Saved, or what it costs more; from the top down the target stays whatever is routed."""
    less = join("that saves ", currency, " ", show(saved_money, 0), " in the first year")
    more = join("that costs ", currency, " ", fixed(0 - saved_money, 0), " more in the first year")
    nothing = say("that saves nothing in the first year")
    saved = where(saved_money > 0, less, where(saved_money < 0, more, nothing))
    answer = where(known(saved_money), saved, say("what that saves is withheld"))
    return where(ledger_basis, answer, say("the annual target does not follow routes"))


@line(unit="sentence", label="Over the chart of the mix", source="routing.11")
def chart_routing_title(routes_used, routed_share, routing_saves, percent):
    """The question with its answer."""
    answer = join(fixed(routed_share * percent, 1), " % of requests are routed; ", routing_saves)
    return where(routes_used > 0, answer, say("Nothing is routed"))


@line(unit="sentence", label="Under the chart of the mix", source="routing.11")
def chart_routing_note(routes_below_floor):
    """What is drawn, and what is wrong."""
    words = say("Share of tokens by model, first year, without and with routes")
    bad = join("▲ Routes below their quality floor: ", digits(routes_below_floor), ". ", words)
    return where(routes_below_floor > 0, bad, words)
