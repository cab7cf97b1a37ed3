"""Chapter 7, third part: scenarios. What is different in each; every line in between is the plan's own, cloned."""

from planner.calc.variants import clone
from planner.calc.vocabulary import (
    both,
    either,
    given,
    known,
    largest,
    or_else,
    pick,
    position_of,
    ratio,
    same,
    smallest,
    where,
)
from planner.lines.method import METHOD, PORTFOLIO
from planner.lines.method import portfolio_line as line

IN_SCENARIO = "in_scenario_"

# ---- what a scenario's row says


@line(unit="flag", label="In use", source="scenario.1")
def scenario_used(scenario_name):
    """A row without a name is a spare row."""
    return given(scenario_name)


@line(unit="factor", label="Demand", source="scenario.1")
def scenario_demand(scenario_used, scenario_users_factor, scenario_tokens_factor):
    """Users and tokens for each call; adoption and calls have their own, as they end at 100 % and at limits."""
    return scenario_used * or_else(scenario_users_factor, 1) * or_else(scenario_tokens_factor, 1)


@line(unit="factor", label="Calls", source="scenario.1")
def scenario_calls(scenario_calls_factor):
    """For each task; empty is 1."""
    return or_else(scenario_calls_factor, 1)


@line(unit="factor", label="Adoption", source="scenario.1")
def scenario_adoption(scenario_adoption_factor):
    """Empty is 1."""
    return or_else(scenario_adoption_factor, 1)


@line(unit="factor", label="Peak", source="scenario.1")
def scenario_peak(scenario_peak_factor):
    """Empty is 1."""
    return or_else(scenario_peak_factor, 1)


@line(unit="factor", label="Throughput", source="scenario.1")
def scenario_throughput(scenario_throughput_factor):
    """Empty is 1."""
    return or_else(scenario_throughput_factor, 1)


@line(unit="factor", label="Prices", source="scenario.1")
def scenario_price(scenario_price_factor):
    """Empty is 1."""
    return or_else(scenario_price_factor, 1)


@line(unit="flag", label="Proposals in", source="scenario.1")
def scenario_proposals(scenario_include_proposed):
    """Whether proposed use cases count."""
    return same(scenario_include_proposed, "yes")


@line(unit="index", label="Row of the model left", source="scenario.1")
def scenario_from_row(scenario_migrate_from, scenario_migrate_to, model_name, model_number):
    """A migration needs both models; else there is none."""
    both_said = both(given(scenario_migrate_from), given(scenario_migrate_to))
    return both_said * position_of(scenario_migrate_from, model_name, over="model", numbers=model_number)


@line(unit="index", label="Row of the model taken", source="scenario.1")
def scenario_to_row(scenario_migrate_to, model_name, model_number):
    """Where its use cases go."""
    return position_of(scenario_migrate_to, model_name, over="model", numbers=model_number)


@line(unit="flag", label="A migration", source="scenario.1")
def scenario_migrates(scenario_from_row, scenario_to_row):
    """Both models stand on Models."""
    return both(scenario_from_row > 0, scenario_to_row > 0)


@line(unit="index", label="Scenario shown", source="scenario.2")
def scenario_row(scenario_shown, scenario_name, scenario_number):
    """Where the scenario of the charts stands; an unknown one falls to the first."""
    return largest(position_of(scenario_shown, scenario_name, over="scenario", numbers=scenario_number), 1)


@line(unit="text", label="Scenario shown", source="scenario.2")
def scenario_words(scenario_label, scenario_name, scenario_row):
    """Its label, else its name."""
    label = pick(scenario_label, scenario_row, over="scenario")
    return where(given(label), label, pick(scenario_name, scenario_row, over="scenario"))


# ---- what is different


@line(unit="token", label="Total tokens in the first year", source="scenario.3")
def in_scenario_total_tokens(total_tokens, scenario_demand, scenario_calls, scenario_adoption):
    """The annual target moves with users, adoption, calls and tokens."""
    return total_tokens * scenario_demand * scenario_calls * scenario_adoption


@line(unit="factor", label="Calls, up to the limit of a route", source="scenario.3")
def scenario_stream_calls(
    stream_route_row, stream_case_row, stream_calls, use_case_calls, route_calls_limit, scenario_calls
):
    """Against the plan's: where a route ends a transaction after so many calls, the scenario's end there too."""
    limit = pick(route_calls_limit, stream_route_row, over="route")
    limited = where(both(stream_route_row > 0, stream_case_row > 0), known(limit), 0)
    asked = pick(use_case_calls, stream_case_row, over="use_case") * scenario_calls
    return where(limited, ratio(smallest(asked, or_else(limit, 0)), stream_calls, 1), scenario_calls)


@line(unit="token/month", label="Tokens at full adoption", source="scenario.3")
def scenario_full_tokens(
    stream_rate, stream_counted, stream_proposed, scenario_proposals, scenario_demand, scenario_stream_calls
):
    """What counts in the scenario, proposals where it takes them in, x its demand and calls."""
    counts = either(stream_counted, both(stream_proposed, scenario_proposals))
    return stream_rate * scenario_demand * scenario_stream_calls * counts


@line(unit="token/month", label="Tokens by use case and model", source="scenario.3")
def in_scenario_stream_tokens(scenario_full_tokens, use_case_adoption, stream_case_row, scenario_adoption, in_horizon):
    """Adoption x the scenario's factor, at most everybody: growth beyond belongs into users."""
    adopted = smallest(1, pick(use_case_adoption, stream_case_row, over="use_case") * scenario_adoption)
    return where(stream_case_row > 0, scenario_full_tokens * adopted * in_horizon, 0)


@line(unit="index", label="Row of its model", source="scenario.3")
def in_scenario_stream_model_row(stream_model_row, scenario_migrates, scenario_from_row, scenario_to_row):
    """Where a migration has moved it: routes to the model move too."""
    moves = both(scenario_migrates, same(stream_model_row, scenario_from_row))
    return where(moves, scenario_to_row, stream_model_row)


@line(unit="share", label="Token share", source="scenario.3")
def in_scenario_model_token_share(
    model_token_share, model_number, scenario_migrates, scenario_from_row, scenario_to_row
):
    """On the top-down basis a migration moves the model's share."""
    own = or_else(model_token_share, 0)
    moved = where(scenario_migrates, or_else(pick(model_token_share, scenario_from_row, over="model"), 0), 0)
    leaves = both(scenario_migrates, same(model_number, scenario_from_row))
    takes = both(scenario_migrates, same(model_number, scenario_to_row))
    return where(leaves, 0, own) + where(takes, moved, 0)


@line(unit="share", label="Headroom", source="scenario.3")
def in_scenario_stream_headroom(stream_used, stream_headroom, scenario_headroom_add):
    """The tier's headroom, and the scenario's own on top."""
    return stream_used * (stream_headroom + or_else(scenario_headroom_add, 0))


@line(unit="factor", label="Peak factor", source="scenario.3")
def in_scenario_peak_factor(peak_factor, scenario_peak):
    """Top-down."""
    return peak_factor * scenario_peak


@line(unit="share", label="Peaks at once", source="scenario.3")
def in_scenario_coincidence(coincidence, scenario_peak):
    """Ledger: a higher peak of every use case."""
    return coincidence * scenario_peak


@line(unit="token/s/GPU", label="Speed", source="scenario.3")
def in_scenario_model_speed(model_speed, scenario_throughput):
    """What a GPU does in the scenario."""
    return model_speed * scenario_throughput


@line(unit="token/s/GPU", label="Prefill speed", source="scenario.3")
def in_scenario_model_prefill_speed(model_prefill_speed, scenario_throughput):
    """On the split basis."""
    return model_prefill_speed * scenario_throughput


@line(unit="money/GPU/h", label="GPU price", source="scenario.3")
def in_scenario_model_gpu_price(model_gpu_price, scenario_price):
    """GPUs at the scenario's prices."""
    return model_gpu_price * scenario_price


@line(unit="money/Mtok", label="Input, all in", source="scenario.3")
def in_scenario_model_blended_in(model_blended_in, scenario_price):
    """Input at the scenario's prices, top-down."""
    return model_blended_in * scenario_price


@line(unit="money/Mtok", label="Uncached input, all in", source="scenario.3")
def in_scenario_model_price_fresh(model_price_fresh, scenario_price):
    """Uncached input at the scenario's prices."""
    return model_price_fresh * scenario_price


@line(unit="money/Mtok", label="Cached input, all in", source="scenario.3")
def in_scenario_model_price_hit(model_price_hit, scenario_price):
    """Cached input at the scenario's prices."""
    return model_price_hit * scenario_price


@line(unit="money/Mtok", label="Output, all in", source="scenario.3")
def in_scenario_model_blended_out(model_blended_out, scenario_price):
    """Output at the scenario's prices."""
    return model_blended_out * scenario_price


# ---- the same lines, in every scenario

TARGETS = (
    "monthly_tokens", "annual_tokens", "highest_tokens_per_s", "gpus_planned_by_month", "gpus_planned", "gpus_secured",
    "coverage", "coverage_worst", "months_short", "gpus_spare", "gpu_cost_by_month", "api_cost_by_month",
    "tco_by_month", "annual_tco", "horizon_tco", "horizon_tokens", "cost_per_mtok", "ledger_tier_tokens",
    "ledger_tier_peak", "ledger_tier_headroom", "ledger_place_peak", "peak_tokens_per_s", "pool_tier_tokens",
    "pool_tier_peak", "tier_api_tokens", "tier_unplaced_tokens", "tier_tokens", "pool_tokens_per_month",
    "pool_tokens_per_s", "instrument_need", "instrument_ready", "instrument_cost_least", "instrument_found",
)  # fmt: skip


@line(unit="token", label="First scenario: tokens", source="scenario.4")
def base_tokens(in_scenario_horizon_tokens):
    """Must be the plan's: scenarios start from the plan, not beside it."""
    return pick(in_scenario_horizon_tokens, 1, over="scenario")


@line(unit="GPU", label="First scenario: GPUs to plan", source="scenario.4")
def base_gpus(in_scenario_gpus_planned):
    """Must be the plan's."""
    return pick(in_scenario_gpus_planned, 1, over="scenario")


@line(unit="money", label="First scenario: TCO over the horizon", source="scenario.4")
def base_tco(in_scenario_horizon_tco):
    """Must be the plan's."""
    return pick(in_scenario_horizon_tco, 1, over="scenario")


def cloned():
    """Clones every line between what is different and the targets; called once, when all chapters are written."""
    return clone(METHOD, IN_SCENARIO, TARGETS, __name__, PORTFOLIO)
