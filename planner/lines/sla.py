"""Chapter 5: what is promised, whether it can be kept, and what a breach costs."""

from planner.calc.vocabulary import (
    binomial_up_to,
    both,
    ceil,
    either,
    exp,
    fixed,
    floor,
    given,
    in_unit,
    join,
    known,
    largest,
    least,
    log,
    not_applicable,
    or_else,
    pick,
    same,
    say,
    show,
    smallest,
    where,
    withheld,
)
from planner.lines.method import line


@line(unit="flag", label="In use", source="sla.1")
def tier_used(tier_name):
    """A row without a key is a spare row."""
    return given(tier_name)


@line(unit="share", label="Availability", source="sla.1")
def tier_target(tier_used, tier_availability):
    """The promised share of time."""
    return where(tier_used, or_else(tier_availability, withheld("no availability entered")), not_applicable())


@line(unit="h", label="Allowed downtime a year", source="sla.8")
def tier_downtime_year(tier_target, hours_per_month, months_per_year):
    """8.76 hours at 99.9 %."""
    return (1 - tier_target) * hours_per_month * months_per_year


@line(unit="min/month", label="Allowed downtime a month", source="sla.9")
def tier_downtime_month(tier_target, hours_per_month, minutes_per_hour):
    """Credits are a share of a monthly fee, so the month is the window that counts."""
    return (1 - tier_target) * hours_per_month * minutes_per_hour


@line(unit="request/month", label="Requests in the peak month", source="sla.10")
def peak_month_requests(peak_month_tokens, tokens_per_request):
    """Tokens of the peak month over tokens per request."""
    return peak_month_tokens / tokens_per_request


@line(unit="request/month", label="Error budget, peak month", source="sla.10")
def tier_error_budget(tier_used, tier_error_rate, peak_month_requests):
    """Requests that may fail."""
    budget = peak_month_requests * tier_error_rate
    return where(both(tier_used, known(tier_error_rate)), budget, withheld("no error rate entered"))


@line(unit="flag", label="Latency targets complete", source="sla.11")
def tier_complete(tier_used, tier_ttft_ms, tier_tpot_ms, tier_e2e_s, tier_output_tokens):
    """End to end can be judged when all four figures stand."""
    return both(tier_used, known(tier_ttft_ms), known(tier_tpot_ms), known(tier_e2e_s), known(tier_output_tokens))


@line(unit="s", label="End to end at the limits", source="sla.11")
def tier_e2e_at_limits(tier_complete, tier_ttft_ms, tier_tpot_ms, tier_output_tokens, milliseconds_per_s):
    """TTFT + (n - 1) x TPOT for the output that the tier must carry."""
    first = or_else(tier_ttft_ms, 0) / milliseconds_per_s
    rest = (
        in_unit(in_unit(or_else(tier_output_tokens, 0), "count") - 1, "token")
        * or_else(tier_tpot_ms, 0)
        / milliseconds_per_s
    )
    return where(tier_complete, first + rest, withheld("latency targets are incomplete"))


@line(unit="ms/token", label="TPOT that would keep it", source="sla.11")
def tier_tpot_needed(tier_complete, tier_ttft_ms, tier_e2e_s, tier_output_tokens, milliseconds_per_s):
    """How fast each token would have to come for the end-to-end target."""
    room = or_else(tier_e2e_s, 0) * milliseconds_per_s - or_else(tier_ttft_ms, 0)
    count = in_unit(in_unit(or_else(tier_output_tokens, 0), "count") - 1, "token")
    return where(both(tier_complete, count > 0), largest(0, room) / count, withheld("latency targets are incomplete"))


@line(unit="token", label="Longest output within the target", source="sla.12")
def tier_longest_output(tier_complete, tier_ttft_ms, tier_tpot_ms, tier_e2e_s, milliseconds_per_s):
    """1 + (end to end - TTFT) / TPOT, whole tokens; 0 when the first token already comes too late."""
    room = or_else(tier_e2e_s, 0) * milliseconds_per_s - or_else(tier_ttft_ms, 0)
    carried = floor(room / or_else(tier_tpot_ms, withheld("no TPOT entered")))
    longest = in_unit(1 + in_unit(carried, "count"), "token")
    return where(tier_complete, where(room < 0, 0, longest), withheld("latency targets are incomplete"))


@line(unit="share", label="End to end over target", source="sla.13")
def tier_e2e_over(tier_complete, tier_e2e_at_limits, tier_e2e_s):
    """How far the latency targets contradict the end-to-end target; 0 when they agree."""
    over = largest(0, tier_e2e_at_limits / or_else(tier_e2e_s, withheld("no end-to-end target")) - 1)
    return where(both(tier_complete, or_else(tier_e2e_s, 0) > 0), over, withheld("latency targets are incomplete"))


@line(unit="text", label="Can the targets hold together?", source="sla.13")
def tier_verdict(tier_used, tier_e2e_over, tier_e2e_at_limits, tier_longest_output):
    """The guide's figures stay; where they contradict each other it is said."""
    conflict = join(
        "conflict: ", fixed(or_else(tier_e2e_at_limits, 0), 1), " s at the limits, carries ",
        fixed(or_else(tier_longest_output, 0), 0), " tokens",
    )  # fmt: skip
    judged = where(
        known(tier_e2e_over), where(or_else(tier_e2e_over, 0) > 0, conflict, say("holds")), say("incomplete")
    )
    return where(tier_used, judged, "")


# ---- the plan's tier


@line(unit="share", label="Availability promised", source="sla.1")
def availability_target(tier_target, tier_row):
    """What the plan's tier promises."""
    return pick(tier_target, tier_row, over="tier")


@line(unit="h", label="Allowed downtime a year", source="sla.8", headline=True)
def allowed_downtime_hours(tier_downtime_year, tier_row):
    """Of the plan's tier."""
    return pick(tier_downtime_year, tier_row, over="tier")


@line(unit="token", label="Longest output within end to end", source="sla.12", headline=True)
def longest_output_within_e2e(tier_longest_output, tier_row):
    """Of the plan's tier."""
    return pick(tier_longest_output, tier_row, over="tier")


@line(unit="share", label="End to end over target, plan's tier", source="sla.13")
def e2e_over_target(tier_e2e_over, tier_row):
    """Whether the plan's own promise contradicts itself."""
    return pick(tier_e2e_over, tier_row, over="tier")


# ---- availability that the plan keeps, peak month


@line(unit="share", label="Availability of a node", source="sla.14")
def node_availability(failures_per_node_day, repair_hours, hours_per_day):
    """1 / (1 + failures per node-day x hours to repair / 24)."""
    return 1 / (1 + failures_per_node_day * repair_hours / hours_per_day)


@line(unit="node/replica", label="Nodes per replica", source="sla.14")
def model_nodes(model_gpus_each, gpus_per_node):
    """A replica is down when any of its nodes is."""
    return ceil(model_gpus_each / gpus_per_node)


@line(unit="share", label="Availability of a replica", source="sla.14")
def replica_availability(node_availability, model_nodes):
    """All of a replica's nodes must be up."""
    return where(node_availability > 0, exp(log(node_availability) * in_unit(model_nodes, "count")), 0)


@line(unit="replica", label="Replicas that the load needs", source="sla.14")
def model_replicas_needed(model_gpus_peak, peak_month, model_gpus_each):
    """Without buffer and HA: what must be up for the peak."""
    peak = pick(model_gpus_peak, peak_month, over="month")
    return where(peak > 0, ceil(peak / model_gpus_each), 0)


@line(unit="replica", label="Replicas planned", source="sla.14")
def model_replicas_at_peak(model_replicas_planned, peak_month):
    """In the peak month."""
    return pick(model_replicas_planned, peak_month, over="month")


@line(unit="share", label="Availability that the plan keeps", source="sla.14")
def model_kept(model_on_prem, model_replicas_needed, model_replicas_at_peak, replica_availability, zone_availability):
    """Chance that enough replicas are up, each failing on its own, times the zone that they share."""
    spare = in_unit(model_replicas_at_peak - model_replicas_needed, "count")
    up = binomial_up_to(spare, in_unit(model_replicas_at_peak, "count"), 1 - replica_availability)
    kept = where(spare < 0, 0, up * zone_availability)
    return where(
        model_on_prem,
        where(model_replicas_needed > 0, kept, not_applicable()),
        not_applicable(),
    )


@line(unit="share", label="Availability kept, weakest model", source="sla.14")
def availability_kept(model_kept):
    """The weakest model decides."""
    return least(model_kept, over="model")


@line(unit="share", label="Promised and not kept", source="sla.14")
def availability_gap(availability_target, availability_kept):
    """Above zero, the plan promises more than its replicas can keep."""
    return largest(0, availability_target - availability_kept)


# ---- a model against a tier


@line(unit="s", label="TTFT", source="sla.15")
def model_ttft(model_used, model_ttft_s, model_price_row, priceref_ttft_s):
    """The analyst's measured figure, else the reference's typical one."""
    typical = pick(priceref_ttft_s, model_price_row, over="priceref")
    looked_up = where(model_price_row > 0, or_else(typical, withheld("not known")), withheld("not known"))
    return where(model_used, or_else(model_ttft_s, looked_up), not_applicable())


@line(unit="s/token", label="TPOT", source="sla.15")
def model_tpot(model_used, model_tpot_s, model_price_row, priceref_tpot_s):
    """The analyst's measured figure, else the reference's typical one."""
    typical = pick(priceref_tpot_s, model_price_row, over="priceref")
    looked_up = where(model_price_row > 0, or_else(typical, withheld("not known")), withheld("not known"))
    return where(model_used, or_else(model_tpot_s, looked_up), not_applicable())


@line(unit="text", label="Latency figures are", source="sla.15")
def model_latency_basis(model_used, model_ttft, model_tpot, model_ttft_s, model_tpot_s):
    """A central figure under a p99 limit proves nothing: it is said beside the verdict."""
    own = both(known(model_ttft_s), known(model_tpot_s))
    known_at_all = both(known(model_ttft), known(model_tpot))
    return where(
        model_used,
        where(own, say("own, p99"), where(known_at_all, say("typical, not p99"), say("not known"))),
        "",
    )


@line(unit="text", label="Fits the tier", source="sla.15")
def model_tier_fit(
    model_used, tier_used, model_ttft, model_tpot, tier_ttft_ms, tier_tpot_ms, milliseconds_per_s, tier_e2e_s,
    tier_output_tokens,
):  # fmt: skip
    """Whether the model's latency stands within the tier's limits, and which limit it breaks first."""
    ttft_ms = or_else(model_ttft, 0) * milliseconds_per_s
    tpot_ms = or_else(model_tpot, 0) * milliseconds_per_s
    e2e_s = or_else(model_ttft, 0) + or_else(model_tpot, 0) * in_unit(
        in_unit(or_else(tier_output_tokens, 0), "count") - 1, "token"
    )
    slow_first = both(known(tier_ttft_ms), ttft_ms > or_else(tier_ttft_ms, 0))
    slow_rest = both(known(tier_tpot_ms), tpot_ms > or_else(tier_tpot_ms, 0))
    slow_all = both(known(tier_e2e_s), known(tier_output_tokens), e2e_s > or_else(tier_e2e_s, 0))
    broken = where(
        slow_first,
        say("▲ TTFT"),
        where(slow_rest, say("▲ TPOT"), where(slow_all, say("▲ end to end"), say("○ within"))),
    )
    can = both(known(model_ttft), known(model_tpot))
    return where(both(model_used, tier_used), where(can, broken, say("not known")), "")


# ---- service credits


@line(unit="money/month", label="Exposure, availability", source="sla.16")
def exposure_availability(monthly_fee, credit_availability):
    """What one missed month costs."""
    return where(
        both(known(monthly_fee), known(credit_availability)),
        monthly_fee * credit_availability,
        withheld("no fee or credit"),
    )


@line(unit="money/month", label="Exposure, latency", source="sla.16")
def exposure_latency(monthly_fee, credit_latency):
    """What one slow month costs."""
    return where(
        both(known(monthly_fee), known(credit_latency)),
        monthly_fee * credit_latency,
        withheld("no fee or credit"),
    )


@line(unit="money/month", label="Exposure, both in a month", source="sla.16")
def exposure_both(exposure_availability, exposure_latency, credit_cap, monthly_fee):
    """Both credits, capped."""
    cap = credit_cap * or_else(monthly_fee, withheld("no fee or credit"))
    return smallest(exposure_availability + exposure_latency, cap)


@line(unit="money/month", label="Expected a month", source="sla.16")
def credits_expected(
    exposure_availability, exposure_latency, exposure_both, breach_chance_availability, breach_chance_latency
):
    """Exposure times your chances, taken as independent."""
    a = or_else(breach_chance_availability, 0)
    b = or_else(breach_chance_latency, 0)
    mean = exposure_availability * a * (1 - b) + exposure_latency * b * (1 - a) + exposure_both * a * b
    return where(
        both(known(breach_chance_availability), known(breach_chance_latency)), mean, withheld("no chances entered")
    )


@line(unit="share", label="Break-even chance of a cure", source="sla.16")
def break_even_chance(cure_cost_per_month, exposure_availability):
    """A cure pays when it lowers the chance of missing availability by more than this."""
    chance = or_else(cure_cost_per_month, 0) / exposure_availability
    return where(
        both(known(cure_cost_per_month), or_else(exposure_availability, 0) > 0),
        chance,
        withheld("no cure cost or credit"),
    )


@line(unit="flag", label="Credits can be reckoned", source="sla.16")
def credits_known(exposure_availability, exposure_latency):
    """Whether any breach has a price."""
    return either(known(exposure_availability), known(exposure_latency))


@line(unit="sentence", label="Conflict", source="sla.13")
def conflict_said(e2e_over_target, plan_e2e_at_limits, plan_output_tokens, plan_e2e_s, longest_output_within_e2e):
    """The guide's figures are kept as they are; the arithmetic is shown beside them."""
    words = join(
        "At the tier's limits ", fixed(plan_output_tokens, 0), " output tokens take ", fixed(plan_e2e_at_limits, 1),
        " s; the tier promises ", fixed(plan_e2e_s, 1), " s. It can carry ", show(longest_output_within_e2e, 0),
        " tokens. The figures are kept as they are.",
    )  # fmt: skip
    holds = say("None: the tier's latency targets hold together.")
    return where(
        known(e2e_over_target), where(or_else(e2e_over_target, 0) > 0, words, holds), say("Targets are incomplete.")
    )


@line(unit="s", label="End to end at the limits, plan's tier", source="sla.11")
def plan_e2e_at_limits(tier_e2e_at_limits, tier_row):
    """For the sentence."""
    return or_else(pick(tier_e2e_at_limits, tier_row, over="tier"), 0)


@line(unit="token", label="Output to carry, plan's tier", source="sla.5")
def plan_output_tokens(tier_output_tokens, tier_row):
    """For the sentence."""
    return or_else(pick(tier_output_tokens, tier_row, over="tier"), 0)


@line(unit="ms/token", label="TPOT needed, plan's tier", source="sla.11")
def plan_tpot_needed(tier_tpot_needed, tier_row):
    """For the sentence."""
    return or_else(pick(tier_tpot_needed, tier_row, over="tier"), 0)


@line(unit="sentence", label="Way out 1", source="sla.13")
def way_out_cap(e2e_over_target, longest_output_within_e2e):
    """Promise what can be kept."""
    words = join(
        "Promise what can be kept: cap output at ", show(longest_output_within_e2e, 0),
        " tokens, or state the end-to-end target for that length. Long answers leave the tier.",
    )  # fmt: skip
    return where(or_else(e2e_over_target, 0) > 0, words, say("–"))


@line(unit="sentence", label="Way out 2", source="sla.13")
def way_out_speed(e2e_over_target, plan_tpot_needed, plan_output_tokens, plan_e2e_s):
    """Or buy speed."""
    words = join(
        "Buy speed: ", fixed(plan_tpot_needed, 1), " ms a token carry ", fixed(plan_output_tokens, 0), " tokens in ",
        fixed(plan_e2e_s, 1), " s. A smaller model, or more GPUs per replica.",
    )  # fmt: skip
    return where(or_else(e2e_over_target, 0) > 0, words, say("–"))


@line(unit="text", label="Overage rate", source="sla.17")
def overage_words(overage_rate_per_mtok, currency):
    """What tokens over quota cost."""
    words = join(show(overage_rate_per_mtok, 3), " ", currency, " per M tokens over quota")
    return where(known(overage_rate_per_mtok), words, say("not entered: the guide leaves it open"))


@line(unit="text", label="Unused tokens", source="sla.17")
def unused_words(unused_policy, roll_over_cap_share, roll_over_expiry_months, percent):
    """What happens to them."""
    kept = join(
        "roll over, up to ", fixed(roll_over_cap_share * percent, 0), " % of a month's quota, for ",
        fixed(roll_over_expiry_months, 0), " month(s)",
    )  # fmt: skip
    return where(
        same(unused_policy, "roll_over"), kept, where(same(unused_policy, "refund"), say("refunded"), say("expire"))
    )
