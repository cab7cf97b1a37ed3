"""Why each key metric stands there, and the findings over the charts."""

from planner.calc.vocabulary import (
    both,
    digits,
    fixed,
    in_unit,
    join,
    known,
    most,
    or_else,
    pick,
    position_of,
    ratio,
    say,
    show,
    where,
)
from planner.lines.method import line
from planner.lines.story import amount

# ---- reasons beside the key metrics


@line(unit="text", label="Why: tokens", source="story.3")
def why_tokens(input_parts, output_parts, input_share, percent, ledger_basis):
    """Input and output."""
    from_above = join(
        fixed(input_share * percent, 0), " % input, ", fixed((1 - input_share) * percent, 0), " % output (",
        fixed(input_parts, 0), " : ", fixed(output_parts, 0), ")",
    )  # fmt: skip
    added = join(
        "Use cases added up: ", fixed(input_share * percent, 0), " % input, ",
        fixed((1 - input_share) * percent, 0), " % output",
    )  # fmt: skip
    return where(ledger_basis, added, from_above)


@line(unit="text", label="Why: month", source="story.3")
def why_month(curve_words, peak_month_label, peak_month_tokens, scale_small, scale_medium, scale_large):
    """The curve and its peak."""
    words = amount(in_unit(peak_month_tokens, "token"), scale_small, scale_medium, scale_large)
    return join(curve_words, "; ", words, " in the peak month, ", peak_month_label)


@line(unit="text", label="Why: peak", source="story.3")
def why_peak(peak_tokens_per_s, retry_rate, percent, peak_over_average, ledger_basis):
    """Tokens a second and retries."""
    from_above = join(
        fixed(peak_tokens_per_s, 1), " tokens/s before retries (", fixed(retry_rate * percent, 0), " %); ",
        fixed(peak_over_average, 2), "× the average second",
    )  # fmt: skip
    added = join(
        fixed(peak_tokens_per_s, 1), " tokens/s, retries among them; ", fixed(peak_over_average, 2),
        "× the average second",
    )  # fmt: skip
    return where(ledger_basis, added, from_above)


@line(unit="text", label="Why: GPUs", source="story.3")
def why_gpus(model_on_prem_any, gpus_for_peak, gpus_with_buffer_and_ha, coverage_worst, percent):
    """From the load to what is bought."""
    covered = where(
        known(coverage_worst),
        join("; worst month ", fixed(or_else(coverage_worst, 0) * percent, 0), " % covered"),
        say("; capacity not validated"),
    )
    words = join(
        show(gpus_for_peak, 2), " for the peak, ", show(gpus_with_buffer_and_ha, 2), " with buffer and HA", covered
    )
    return where(model_on_prem_any, words, say("no model runs on GPUs"))


@line(unit="text", label="Why: bursts", source="story.3")
def why_bursts(burst_total_share, buffer_factor, percent, claims_guaranteed):
    """What is promised against what is planned."""
    return join(
        "If all burst at once, ", fixed(burst_total_share * percent, 1), " % of plan is claimed, ",
        fixed(claims_guaranteed * percent, 1), " % guaranteed, against ", fixed(buffer_factor * percent, 1),
        " % planned",
    )  # fmt: skip


@line(unit="text", label="Why: SLA", source="story.3")
def why_sla(e2e_over_target, longest_output_within_e2e, plan_e2e_s, tier_words):
    """Whether the promise contradicts itself."""
    words = join(
        tier_words, ": ", fixed(plan_e2e_s, 0), " s carry ", show(longest_output_within_e2e, 0),
        " output tokens at the latency limits",
    )  # fmt: skip
    return where(known(e2e_over_target), words, say("latency targets are incomplete"))


@line(unit="text", label="Why: TCO", source="story.3")
def why_tco(spend_gpu, spend_input, spend_output, annual_tco, percent):
    """What the money goes to."""
    gpu = spend_gpu / annual_tco * percent
    api = (spend_input + spend_output) / annual_tco * percent
    words = join(fixed(gpu, 0), " % GPUs, ", fixed(api, 0), " % API, the rest people, network and power")
    return where(both(known(annual_tco), or_else(annual_tco, 0) > 0), words, say("a part of the cost is unknown"))


@line(unit="text", label="Why: unit cost", source="story.3")
def why_unit(unverified_share, percent, price_multiple):
    """How much of it is verified."""
    rest = where(
        known(unverified_share),
        join(fixed(or_else(unverified_share, 0) * percent, 0), " % of cost rests on reference prices, please verify"),
        say("cost unknown"),
    )
    return join("Customer price × ", fixed(price_multiple, 2), "; ", rest)


@line(unit="text", label="Why: confidence", source="story.3")
def why_confidence(validation_missing, unverified_prices, unverified_speeds):
    """What is not known."""
    lead = where(validation_missing, say("GPU capacity validation is missing; "), "")
    return join(
        lead, digits(unverified_prices), " price(s) and ", digits(unverified_speeds), " speed(s) from the reference"
    )


# ---- findings over charts


@line(unit="sentence", label="Over the demand chart", source="story.4")
def chart_demand_title(months_short, model_on_prem_any, validation_missing, gpus_planned):
    """The question with its answer."""
    short = join("Supply falls short in ", digits(months_short), " month(s)")
    on_prem = where(
        validation_missing,
        say("Planned capacity; supply is not validated"),
        where(
            known(gpus_planned),
            where(months_short > 0, short, say("Supply stays above demand in every month")),
            say("Planned capacity; GPUs to plan are not known"),
        ),
    )
    return where(model_on_prem_any, on_prem, say("Demand and planned capacity by month"))


@line(unit="money", label="Cost of the dearest model", source="story.4")
def dearest_model_cost(model_tco):
    """The model that costs most is found by it."""
    return most(model_tco, over="model")


@line(unit="index", label="Dearest model", source="story.4")
def dearest_model(dearest_model_cost, model_tco):
    """Where it stands."""
    found = position_of(or_else(dearest_model_cost, 0), model_tco, over="model")
    return where(known(dearest_model_cost), found, 0)


@line(unit="sentence", label="Over the middle chart", source="story.4")
def chart_bridge_title(
    model_on_prem_any, gpus_planned, bridge_first, model_name, dearest_model, dearest_model_cost, models_tco, percent
):
    """The question with its answer: where GPUs come from, or which model takes the money."""
    gpus = join(show(gpus_planned, 0), " GPUs to plan; ", show(bridge_first, 1), " carry the average")
    share = ratio(dearest_model_cost, models_tco, 0) * percent
    model = join(pick(model_name, dearest_model, over="model"), " takes ", fixed(share, 0), " % of model cost")
    api = where(dearest_model > 0, model, say("Cost by model"))
    return where(model_on_prem_any, gpus, api)


@line(unit="sentence", label="Under the middle chart's title", source="story.4")
def chart_bridge_note(model_on_prem_any, currency):
    """What the chart shows."""
    gpus = say("GPUs in the peak month, from average load to what is bought")
    return where(model_on_prem_any, gpus, join(currency, " in the first year, by model"))


@line(unit="GPU", label="Average load", source="story.4")
def bridge_first(step_gpus):
    """The bridge's first step."""
    return pick(step_gpus, 1, over="step")


@line(unit="sentence", label="Over the cost chart", source="story.4")
def chart_cost_title(annual_tco, currency, spend_gpu, percent):
    """The finding."""
    share = where(both(known(annual_tco), or_else(annual_tco, 0) > 0), spend_gpu / annual_tco * percent, 0)
    return join(show(annual_tco, 0), " ", currency, " in the first year, ", show(share, 0), " % for GPUs")


@line(unit="text", label="Echo of the volume", source="story.0")
def volume_echo(total_tokens, token_billion, token_yi):
    """The volume in English and Chinese words: a factor of ten is easily lost between them."""
    return join("= ", fixed(total_tokens / token_billion, 3), " billion = ", fixed(total_tokens / token_yi, 2), " 亿")


@line(unit="sentence", label="Over the phase chart", source="story.4")
def chart_phase_title(phase_name, phase_cost_share, dearest_phase, percent):
    """The finding."""
    share = pick(phase_cost_share, dearest_phase, over="phase")
    words = join(pick(phase_name, dearest_phase, over="phase"), " takes ", fixed(share * percent, 0), " % of the money")
    return where(dearest_phase > 0, words, say("Cost by phase"))


@line(unit="share", label="Largest phase share of cost", source="story.4")
def dearest_share(phase_cost_share):
    """The phase that costs most is found by it."""
    return most(phase_cost_share, over="phase")


@line(unit="index", label="Dearest phase", source="story.4")
def dearest_phase(dearest_share, phase_cost_share):
    """Where it stands."""
    return where(known(dearest_share), position_of(or_else(dearest_share, 0), phase_cost_share, over="phase"), 0)
