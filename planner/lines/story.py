"""The plan in sentences. Numbers go through fixed(), so that a sentence moves with the inputs."""

from planner.calc.vocabulary import (
    as_text,
    both,
    digits,
    fixed,
    given,
    in_unit,
    join,
    known,
    most,
    or_else,
    pick,
    position_of,
    same,
    say,
    show,
    where,
)
from planner.lines.method import line


def amount(tokens, small, medium, large):
    """Tokens in words: 1.80 B, 150.0 M or 625.0 K; in Chinese by 亿 and 万."""
    return where(
        tokens >= large,
        join(fixed(tokens / large, 2), " B"),
        where(tokens >= medium, join(fixed(tokens / medium, 1), " M"), join(fixed(tokens / small, 1), " K")),
    )


@line(unit="text", label="Annual tokens in words", source="story.0")
def annual_tokens_words(annual_tokens, scale_small, scale_medium, scale_large):
    """The target as people say it."""
    return amount(annual_tokens, scale_small, scale_medium, scale_large)


@line(unit="text", label="Mean month in words", source="story.1")
def mean_month_words(committed_tokens_per_month, scale_small, scale_medium, scale_large):
    """The mean month as people say it."""
    return amount(in_unit(committed_tokens_per_month, "token"), scale_small, scale_medium, scale_large)


@line(unit="text", label="Peak day in words", source="story.1")
def peak_day_words(peak_daily_tokens, scale_small, scale_medium, scale_large):
    """The peak day as people say it."""
    return amount(in_unit(peak_daily_tokens, "token"), scale_small, scale_medium, scale_large)


@line(unit="text", label="Peak hour in words", source="story.1")
def peak_hour_words(peak_hourly_tokens, scale_small, scale_medium, scale_large):
    """The peak hour as people say it."""
    return amount(in_unit(peak_hourly_tokens, "token"), scale_small, scale_medium, scale_large)


@line(unit="text", label="Capacity in words", source="story.1")
def capacity_words(buffered_capacity_tokens, scale_small, scale_medium, scale_large):
    """Capacity with buffer as people say it."""
    return amount(buffered_capacity_tokens, scale_small, scale_medium, scale_large)


@line(unit="text", label="Phase in words", source="story.1")
def phase_words(phase_name, phase_tokens, scale_small, scale_medium, scale_large):
    """Each phase with its tokens."""
    words = join(phase_name, " ", amount(phase_tokens, scale_small, scale_medium, scale_large))
    return where(given(phase_name), words, "")


@line(unit="text", label="Phases so far", source="story.1", opening="", along="phase")
def phases_words(phases_words_before, phase_words):
    """The phases strung together, row by row."""
    both_given = both(given(phases_words_before), given(phase_words))
    return join(phases_words_before, where(both_given, say(", "), ""), phase_words)


@line(unit="text", label="Deployment in words", source="story.1")
def deployment_words(deployment_mode):
    """As people say it."""
    return where(
        same(deployment_mode, "api"),
        say("API"),
        where(same(deployment_mode, "on_prem"), say("on-prem GPUs"), say("hybrid")),
    )


@line(unit="text", label="Days basis in words", source="story.1")
def days_words(days_basis):
    """As people say it."""
    return where(same(days_basis, "calendar"), say("calendar months"), say("30-day months"))


@line(unit="text", label="Usage in words", source="story.1")
def usage_words(usage_pattern):
    """As people say it."""
    return where(
        same(usage_pattern, "real_time"),
        say("real-time"),
        where(same(usage_pattern, "batch"), say("batch"), say("mixed")),
    )


@line(unit="text", label="Tier in words", source="story.1")
def tier_words(tier_label, tier_name, tier_row):
    """The tier's label, or its key."""
    label = pick(tier_label, tier_row, over="tier")
    return where(given(label), label, pick(tier_name, tier_row, over="tier"))


@line(unit="text", label="Curve in words", source="story.1")
def curve_words(curve_label, curve_name, curve_row, ledger_basis):
    """The curve's label, or its key; the ledger needs none."""
    label = pick(curve_label, curve_row, over="curve")
    on_curve = where(given(label), label, pick(curve_name, curve_row, over="curve"))
    return where(ledger_basis, say("use by use case"), on_curve)


@line(unit="text", label="First model", source="story.1")
def first_model(model_name, first_model_row):
    """The model with the largest share."""
    return pick(model_name, first_model_row, over="model")


@line(unit="share", label="Largest model share", source="story.1")
def largest_share(model_share):
    """The model that matters most is found by it."""
    return most(model_share, over="model")


@line(unit="index", label="Row of the largest share", source="story.1")
def first_model_row(largest_share, model_share):
    """Where it stands."""
    return position_of(largest_share, model_share, over="model")


# ---- the guide's six step summaries


@line(unit="sentence", label="Requirements", source="guide.1")
def step_1(
    annual_tokens_words, input_share, first_model, models_used, deployment_words, usage_words, peak_factor, tier_words,
    percent, ledger_basis, peak_over_average,
):  # fmt: skip
    """Step 1 of the guide: what the customer needs."""
    others = where(models_used > 1, join(" and ", digits(models_used - 1), " more"), "")
    return join(
        "Needs ", annual_tokens_words, " tokens a year, ", fixed(input_share * percent, 0), " % input, model ",
        first_model, others, ", deployed as ", deployment_words, ", ", usage_words, ", peak factor ",
        fixed(where(ledger_basis, peak_over_average, peak_factor), 2), "×, criticality ", tier_words, ".",
    )  # fmt: skip


@line(unit="sentence", label="Token model", source="guide.2")
def step_2(mean_month_words, peak_day_words, peak_hour_words):
    """Step 2 of the guide: month, day, hour."""
    return join(
        "Monthly average: ", mean_month_words, " tokens, peak day: ", peak_day_words, " tokens, peak hour: ",
        peak_hour_words, " tokens.",
    )  # fmt: skip


@line(unit="money/month", label="API a month, mean of the first year", source="story.1")
def api_mean(spend_input, spend_output, first_year_months):
    """What APIs cost a month."""
    return (spend_input + spend_output) / first_year_months


@line(unit="sentence", label="Resources", source="guide.3")
def step_3(model_api_any, model_on_prem_any, api_mean, gpus_planned, currency):
    """Step 3 of the guide: money a month, GPUs needed."""
    api = join("API mode: estimated ", show(api_mean, 2), " ", currency, " a month. ")
    gpus = join("On-prem mode: ", show(gpus_planned, 0), " GPUs to plan in the peak month.")
    return join(where(model_api_any, api, ""), where(model_on_prem_any, gpus, ""))


@line(unit="sentence", label="Supply", source="guide.4")
def step_4(phases_words, phase_last, buffer_factor, percent, capacity_words):
    """Step 4 of the guide: phases and capacity with buffer."""
    return join(
        "Supply plan: ", pick(phases_words, phase_last, over="phase"), "; total capacity with ",
        fixed((buffer_factor - 1) * percent, 0), " % headroom: ", capacity_words, " tokens.",
    )  # fmt: skip


@line(unit="ms", label="TTFT of the tier", source="sla.2")
def plan_ttft_ms(tier_ttft_ms, tier_row):
    """For the sentence."""
    return or_else(pick(tier_ttft_ms, tier_row, over="tier"), 0)


@line(unit="sentence", label="SLA", source="guide.5")
def step_5(tier_words, plan_ttft_ms, availability_target, percent, burst_share):
    """Step 5 of the guide: the key commitments."""
    promised = join(fixed(or_else(availability_target, 0) * percent, 2), " %")
    share = where(known(availability_target), promised, say("not promised"))
    return join(
        "SLA tier: ", tier_words, ". Key commitments: TTFT below ", fixed(plan_ttft_ms, 0), " ms, availability ", share,
        ", burst up to ", fixed(burst_share * percent, 0), " % over committed tokens.",
    )  # fmt: skip


@line(unit="sentence", label="Cost", source="guide.6")
def step_6(annual_tco, cost_per_mtok, customer_price_per_mtok, currency):
    """Step 6 of the guide: what it costs and what to charge."""
    return join(
        "Annual TCO: ", show(annual_tco, 0), " ", currency, ". Per-M-token cost: ", show(cost_per_mtok, 3), " ",
        currency, ". Customer price: ", show(customer_price_per_mtok, 3), " ", currency, " per M tokens.",
    )  # fmt: skip


# ---- the conclusion


@line(unit="share", label="Coverage in the worst month", source="story.2")
def worst_coverage(coverage_worst):
    """For the conclusion; 1 where it is not known."""
    return or_else(coverage_worst, 1)


@line(unit="index", label="Worst month", source="story.2")
def worst_month(coverage, coverage_worst):
    """The first month with the lowest coverage."""
    return where(known(coverage_worst), position_of(or_else(coverage_worst, 0), coverage, over="month"), 0)


@line(unit="text", label="Worst month in words", source="story.2")
def worst_month_words(worst_month, month_label):
    """Its name."""
    return where(worst_month > 0, pick(month_label, worst_month, over="month"), "")


@line(unit="sentence", label="Judgement", source="story.2")
def conclusion_verdict(
    model_on_prem_any, misfits, validation_missing, months_short, worst_month_words, worst_coverage, percent,
    gpus_planned, gpus_secured, peak_month_label, annual_tco, currency, annual_tokens_words, overall_level, level_risk,
    months_unfit, reality_said, ledger_there, base_fails, shortage_said,
):  # fmt: skip
    """The first sentence of the Summary: does the plan hold, and if not, who is not served?"""
    ready = overall_level < level_risk
    api = join(
        "APIs carry ", annual_tokens_words, " tokens for ", show(annual_tco, 0), " ", currency, " in the first year.",
        where(ready, "", say(" The plan is not ready to approve.")),
    )  # fmt: skip
    unfit = join("The plan does not hold: ", digits(misfits), " model(s) do not fit the GPUs chosen for them.")
    unseen = join(
        show(gpus_planned, 0), " GPUs carry the peak month (", peak_month_label,
        ") by calculation; GPU capacity validation is missing.",
    )  # fmt: skip
    short = join(
        "The plan falls short of GPUs in ", digits(months_short), " month(s); worst ", worst_month_words, ": ",
        fixed(worst_coverage * percent, 0), " % covered.",
    )  # fmt: skip
    holds = join(
        where(ready, say("The plan holds: "), say("The GPUs suffice, but the plan is not ready to approve: ")),
        fixed(gpus_secured, 0), " GPUs secured, ", show(gpus_planned, 0),
        " to plan in the peak month (", peak_month_label, ").",
    )  # fmt: skip
    unsized = join("The plan cannot be judged: GPUs to plan are ", show(gpus_planned, 0), ".")
    sized = where(months_short > 0, short, holds)
    judged = where(validation_missing, unseen, where(months_unfit > 0, as_text(reality_said), sized))
    on_prem = where(known(gpus_planned), judged, unsized)
    held = where(misfits > 0, unfit, where(model_on_prem_any, on_prem, api))
    live = where(months_unfit > 0, join(" ", as_text(reality_said)), "")
    failing = join(as_text(shortage_said), where(misfits > 0, join(" ", unfit), live))
    return where(ledger_there, where(base_fails, failing, held), held)


@line(unit="sentence", label="Constraint", source="story.2")
def conclusion_constraint(
    worst_label, tier_words, annual_tco, cost_per_mtok, currency, ledger_there, base_fails, shortage_said
):
    """What decides, what it costs, and in a plan with a ledger who is not served in which scenario."""
    served = where(ledger_there, where(base_fails, "", join(" ", as_text(shortage_said))), "")
    return join(
        "Most important: ", worst_label, ".", served, " Recommended SLA tier: ", tier_words, ". TCO of the first year ",
        show(annual_tco, 0), " ", currency, ", ", show(cost_per_mtok, 3), " per M tokens.",
    )  # fmt: skip


@line(unit="text", label="First model without a price", source="story.2")
def first_unpriced(model_name, model_unpriced, models_unpriced):
    """Where to type one."""
    where_it_is = position_of(1, model_unpriced, over="model")
    return where(models_unpriced > 0, pick(model_name, where_it_is, over="model"), "")


@line(unit="sentence", label="Basis", source="story.2")
def conclusion_basis(
    annual_tokens_words, curve_words, peak_factor, buffer_factor, gpu_ha, days_words, unverified_prices,
    unverified_speeds, ledger_basis, peak_over_average, first_year_months, year_whole, models_unpriced,
    first_unpriced,
):  # fmt: skip
    """What the figures rest on; incomplete evidence is said."""
    unpriced = join(" No price for ", first_unpriced, ": what it costs is not known.")
    part = join(" The first year of this plan has ", digits(first_year_months), " month(s): its figures are theirs.")
    unverified = join(
        " Rests on ", digits(unverified_prices), " unverified price(s) and ", digits(unverified_speeds),
        " unmeasured speed(s).",
    )  # fmt: skip
    gaps = unverified_prices + unverified_speeds
    return join(
        "Basis: ", annual_tokens_words, " tokens, ", curve_words, ", peak ",
        fixed(where(ledger_basis, peak_over_average, peak_factor), 2), "×, buffer ",
        fixed(buffer_factor, 2), "×, HA ", fixed(gpu_ha, 2), "×, ", days_words, ".",
        where(gaps > 0, unverified, ""), where(year_whole, "", part), where(models_unpriced > 0, unpriced, ""),
    )  # fmt: skip
