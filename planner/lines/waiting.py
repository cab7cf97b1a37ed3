"""Chapter 9, first part: waiting time, and the highest utilisation that keeps a tier's target."""

from planner.calc.vocabulary import (
    as_text,
    both,
    count_known,
    exp,
    fixed,
    in_unit,
    join,
    known,
    largest,
    log,
    most,
    not_applicable,
    or_else,
    pick,
    poisson_at,
    poisson_up_to,
    position_of,
    reason,
    same,
    say,
    smallest,
    where,
    withheld,
)
from planner.lines.method import line


def erlang_c(servers, utilisation):
    """Chance that a request has to wait (Erlang C), exactly, from two Poisson figures; utilisation above 0, below 1."""
    busy = poisson_at(servers, servers * utilisation)
    free = poisson_up_to(servers, servers * utilisation)
    return busy / ((1 - utilisation) * free + utilisation * busy)


def mean_wait(chance, servers, utilisation, service, variability):
    """Mean wait of a queue whose requests wait with a chance, by variability of arrivals and service (G/G/m)."""
    return variability * chance * service / (servers * (1 - utilisation))


def tail_wait(chance, servers, utilisation, service, variability, percentile):
    """The wait that a percentile of all requests keeps; exact for M/M/m."""
    tail = log(largest(chance, 1 - percentile) / (1 - percentile))
    return tail * variability * service / (servers * (1 - utilisation))


# ---- the queue at one replica


@line(unit="GPU*s/request", label="GPU time of a request", source="effective.1")
def model_gpu_seconds(
    model_on_prem, model_basis, model_split, model_speed, model_prefill_speed, input_tokens_per_request,
    output_tokens_per_request, tokens_per_request, model_prefix_hit_share,
):  # fmt: skip
    """Seconds that one GPU works for a request of planned length, by what the speed counts."""
    prefill = input_tokens_per_request * (1 - or_else(model_prefix_hit_share, 0)) / model_prefill_speed
    split = prefill + output_tokens_per_request / model_speed
    counted = where(same(model_basis, "output"), output_tokens_per_request, tokens_per_request)
    return where(model_on_prem, where(model_split, split, counted / model_speed), 0)


@line(unit="request/replica", label="Slots", source="effective.1")
def model_servers(model_on_prem, model_slots, model_sequences_at_once):
    """Servers of the queue: requests that a replica runs at once, as typed, never more than its memory holds."""
    limited = smallest(or_else(model_sequences_at_once, model_slots), model_slots)
    unlimited = or_else(model_sequences_at_once, withheld("no memory figures: type the sequences at once"))
    return where(model_on_prem, where(known(model_slots), limited, unlimited), 0)


@line(unit="s", label="Stay in a slot", source="effective.1")
def model_stay(model_on_prem, model_servers, model_gpu_seconds, model_gpus_each):
    """Service time of the queue: with every slot busy a replica gives each request its share of the speed."""
    stay = in_unit(model_servers * model_gpu_seconds / model_gpus_each, "s")
    return where(model_on_prem, stay, 0)


@line(unit="s", label="Prefill", source="effective.2")
def model_prefill_time(
    model_on_prem, model_ttft_s, model_split, input_tokens_per_request, model_prefix_hit_share, model_prefill_speed,
    model_gpus_each,
):  # fmt: skip
    """What the model itself needs before its first token: as measured, or the prompt over the prefill speed."""
    fresh = input_tokens_per_request * (1 - or_else(model_prefix_hit_share, 0))
    reckoned = in_unit(fresh / (model_prefill_speed * model_gpus_each), "s")
    unmeasured = where(model_split, reckoned, withheld("no TTFT known, type it"))
    return where(model_on_prem, or_else(model_ttft_s, unmeasured), not_applicable())


@line(unit="s", label="TTFT target", source="effective.2")
def plan_ttft_s(tier_ttft_ms, tier_row, milliseconds_per_s):
    """The plan's tier's, in seconds."""
    target = pick(tier_ttft_ms, tier_row, over="tier")
    return where(known(target), or_else(target, 0) / milliseconds_per_s, withheld("the tier has no TTFT target"))


def _allowed(target, prefill):
    left = where(target - prefill > 0, target - prefill, withheld("the model alone misses the TTFT target"))
    return where(known(target), where(known(prefill), left, prefill), target)


@line(unit="s", label="Wait allowed", source="effective.2")
def model_wait_allowed(plan_ttft_s, model_prefill_time):
    """TTFT target less prefill: what is left for the queue."""
    return _allowed(plan_ttft_s, model_prefill_time)


@line(unit="factor", label="Variability", source="effective.3")
def wait_variability(arrival_variability, service_variability):
    """Half of both: 1 for requests at random with exponential stays, the factor on every wait."""
    return (arrival_variability + service_variability) / 2


# ---- the highest utilisation, by halving


@line(unit="share", label="Step", source="effective.4", opening=1, along="half")
def half_step(half_step_before):
    """Each step is half of the one before: ten of them find the utilisation within 0.001."""
    return half_step_before / 2


@line(unit="share", label="Utilisation tried", source="effective.4", along="half")
def model_tried(model_found_before, half_step):
    """What is found so far and one step more."""
    return model_found_before + half_step


@line(unit="share", label="Chance to wait", source="effective.4", along="half")
def model_chance(model_servers, model_tried):
    """Erlang C at the utilisation tried."""
    servers = in_unit(or_else(model_servers, 0), "count")
    return where(both(known(model_servers), servers > 0), erlang_c(servers, model_tried), 0)


@line(unit="share", label="Utilisation found", source="effective.4", along="half")
def model_found(
    model_found_before, half_step, model_tried, model_chance, model_servers, model_stay, model_wait_allowed,
    wait_variability, wait_percentile,
):  # fmt: skip
    """The step is kept where the wait's percentile stays within what is allowed."""
    servers = in_unit(or_else(model_servers, 0), "count")
    wait = tail_wait(model_chance, servers, model_tried, or_else(model_stay, 0), wait_variability, wait_percentile)
    kept = where(wait <= or_else(model_wait_allowed, 0), half_step, 0)
    there = both(known(model_wait_allowed), known(model_stay), known(model_servers), servers > 0)
    return model_found_before + where(there, kept, 0)


@line(unit="index", label="Halvings", source="effective.4")
def half_last(half_step):
    """How many steps there are."""
    return count_known(half_step, over="half")


@line(unit="share", label="Ceiling by waiting", source="effective.4")
def model_ceiling_wait(model_on_prem, model_servers, model_stay, model_wait_allowed, model_found, half_last):
    """The highest utilisation at which the tier's wait target holds."""
    found = pick(model_found, half_last, over="half")
    kept = where(found > 0, found, withheld("no utilisation keeps the wait target"))
    queue = where(known(model_stay), where(known(model_servers), kept, reason(model_servers)), reason(model_stay))
    judged = where(known(model_wait_allowed), queue, reason(model_wait_allowed))
    return where(model_on_prem, judged, not_applicable())


@line(unit="flag", label="Waiting can be judged", source="effective.4")
def model_wait_judged(model_on_prem, model_servers, model_stay, plan_ttft_s, model_prefill_time):
    """Whether slots, stay, target and prefill are all known."""
    return both(model_on_prem, known(model_servers), known(model_stay), known(plan_ttft_s), known(model_prefill_time))


@line(unit="share", label="Utilisation ceiling", source="effective.4")
def model_ceiling(model_on_prem, model_wait_judged, model_ceiling_wait, utilisation_limit):
    """What waiting allows, never above the plan's limit; the limit alone where waiting cannot be judged."""
    judged = smallest(or_else(model_ceiling_wait, 0), utilisation_limit)
    return where(model_on_prem, where(model_wait_judged, judged, utilisation_limit), 0)


@line(unit="text", label="Ceiling rests on", source="effective.4")
def model_ceiling_basis(model_on_prem, model_wait_judged, model_ceiling_wait, utilisation_limit):
    """What sets the ceiling, in words."""
    by_wait = where(
        known(model_ceiling_wait),
        where(or_else(model_ceiling_wait, 0) < utilisation_limit, say("wait target"), say("limit")),
        join("▲ ", as_text(reason(model_ceiling_wait))),
    )
    unknown = join("◊ limit alone; ", as_text(reason(model_ceiling_wait)))
    return where(model_on_prem, where(model_wait_judged, by_wait, unknown), "")


@line(unit="factor", label="Ceiling on GPUs", source="effective.5")
def model_ceiling_factor(model_on_prem, ceiling_on_gpus, model_ceiling):
    """GPUs are divided by the ceiling where the plan says so; a fourth thing beside peak, buffer and HA."""
    factor = where(model_ceiling > 0, 1 / model_ceiling, withheld("no utilisation keeps the wait target"))
    return where(both(model_on_prem, same(ceiling_on_gpus, "yes")), factor, 1)


# ---- the model that the chart and the tiers are shown for


@line(unit="share", label="Weight", source="effective.6")
def model_shown_weight(model_share, model_on_prem, model_wait_judged):
    """Models whose waiting can be judged come first, the largest share of tokens before the others."""
    return (model_share + model_wait_judged) * model_on_prem


@line(unit="share", label="Largest weight", source="effective.6")
def queue_weight(model_shown_weight):
    """The model that is shown is found by it."""
    return most(model_shown_weight, over="model")


@line(unit="index", label="Row of the model shown", source="effective.6")
def queue_row(queue_weight, model_shown_weight):
    """Where it stands; the first row where no model runs on GPUs."""
    return position_of(queue_weight, model_shown_weight, over="model")


@line(unit="text", label="Model shown", source="effective.6")
def queue_model(model_name, queue_row, queue_weight):
    """Its name."""
    return where(queue_weight > 0, pick(model_name, queue_row, over="model"), "")


@line(unit="count", label="Slots of its replica", source="effective.6")
def queue_servers(model_servers, queue_row, queue_weight):
    """0 where they are not known."""
    return where(queue_weight > 0, in_unit(or_else(pick(model_servers, queue_row, over="model"), 0), "count"), 0)


@line(unit="s", label="Stay in a slot of it", source="effective.6")
def queue_stay(model_stay, queue_row, queue_weight):
    """0 where it is not known."""
    return where(queue_weight > 0, or_else(pick(model_stay, queue_row, over="model"), 0), 0)


@line(unit="s", label="Wait allowed for it", source="effective.6")
def queue_wait_allowed(model_wait_allowed, queue_row, queue_weight):
    """0 where it is not known or nothing is left."""
    return where(queue_weight > 0, or_else(pick(model_wait_allowed, queue_row, over="model"), 0), 0)


@line(unit="flag", label="Queue can be drawn", source="effective.6")
def queue_drawn(queue_servers, queue_stay):
    """Whether slots and stay are known."""
    return both(queue_servers > 0, queue_stay > 0)


# ---- every tier's ceiling for that model


@line(unit="s", label="Wait allowed", source="effective.7")
def tier_wait_allowed(tier_ttft_ms, milliseconds_per_s, model_prefill_time, queue_row):
    """The tier's TTFT target less the prefill of the model shown."""
    prefill = pick(model_prefill_time, queue_row, over="model")
    left = or_else(tier_ttft_ms, 0) / milliseconds_per_s - prefill
    judged = where(left > 0, left, withheld("the model alone misses the TTFT target"))
    return where(known(tier_ttft_ms), judged, withheld("the tier has no TTFT target"))


@line(unit="share", label="Utilisation tried", source="effective.7", along="half")
def tier_tried(tier_found_before, half_step):
    """What is found so far and one step more."""
    return tier_found_before + half_step


@line(unit="share", label="Chance to wait", source="effective.7", along="half")
def tier_chance(queue_servers, queue_drawn, tier_tried):
    """Erlang C at the utilisation tried."""
    return where(queue_drawn, erlang_c(queue_servers, tier_tried), 0)


@line(unit="share", label="Utilisation found", source="effective.7", along="half")
def tier_found(
    tier_found_before, half_step, tier_tried, tier_chance, queue_servers, queue_stay, queue_drawn, tier_wait_allowed,
    wait_variability, wait_percentile,
):  # fmt: skip
    """The step is kept where the wait's percentile stays within what the tier allows."""
    wait = tail_wait(tier_chance, queue_servers, tier_tried, queue_stay, wait_variability, wait_percentile)
    kept = where(wait <= or_else(tier_wait_allowed, 0), half_step, 0)
    return tier_found_before + where(both(known(tier_wait_allowed), queue_drawn), kept, 0)


@line(unit="share", label="Utilisation ceiling", source="effective.7")
def tier_ceiling(tier_found, half_last, tier_wait_allowed, queue_drawn, utilisation_limit):
    """The most that the model shown may carry under the tier's target, never above the plan's limit."""
    found = smallest(pick(tier_found, half_last, over="half"), utilisation_limit)
    drawn = where(queue_drawn, found, withheld("slots or speed are not known"))
    return where(known(tier_wait_allowed), drawn, reason(tier_wait_allowed))


# ---- the grid for the chart


@line(unit="share", label="Utilisation", source="effective.8", opening="grid_start", along="grid")
def grid_utilisation(grid_utilisation_before, grid_step):
    """Point by point."""
    return grid_utilisation_before + grid_step


@line(unit="share", label="Chance to wait", source="effective.8")
def grid_chance(grid_utilisation, queue_servers, queue_drawn):
    """Erlang C."""
    return where(queue_drawn, erlang_c(queue_servers, grid_utilisation), 0)


@line(unit="s", label="Mean wait", source="effective.8")
def grid_wait(grid_utilisation, grid_chance, queue_servers, queue_stay, queue_drawn, wait_variability):
    """Exact for M/M/m, scaled for other variability."""
    wait = mean_wait(grid_chance, queue_servers, grid_utilisation, queue_stay, wait_variability)
    return where(queue_drawn, wait, 0)


@line(unit="s", label="Wait at the percentile", source="effective.8")
def grid_tail(grid_utilisation, grid_chance, queue_servers, queue_stay, queue_drawn, wait_variability, wait_percentile):
    """What the target is held against."""
    wait = tail_wait(grid_chance, queue_servers, grid_utilisation, queue_stay, wait_variability, wait_percentile)
    return where(queue_drawn, wait, 0)


@line(unit="s", label="Mean wait, second opinion", source="effective.8")
def grid_second(grid_utilisation, queue_servers, queue_stay, queue_drawn, wait_variability):
    """Sakasegawa's closed form: exact at one slot, too cautious at many slots and low utilisation."""
    power = exp(log(2 * (queue_servers + 1)) / 2) - 1
    wait = wait_variability * exp(log(grid_utilisation) * power) / (queue_servers * (1 - grid_utilisation)) * queue_stay
    return where(queue_drawn, wait, 0)


@line(unit="s", label="Wait allowed", source="effective.8")
def grid_allowed(grid_utilisation, queue_wait_allowed):
    """The line that the wait must stay below."""
    return where(grid_utilisation > 0, queue_wait_allowed, 0)


@line(unit="s", label="Wait, cut for the chart", source="effective.8")
def grid_drawn(grid_tail, queue_wait_allowed):
    """Cut at twice what is allowed, so that the crossing can be seen."""
    return where(queue_wait_allowed > 0, smallest(grid_tail, 2 * queue_wait_allowed), grid_tail)


@line(unit="s", label="Wait allowed, drawn", source="effective.8")
def grid_allowed_drawn(grid_allowed, grid_drawn):
    """Where it is not known it hides behind the wait: on the axis it would say that nobody may wait."""
    return where(grid_allowed > 0, grid_allowed, grid_drawn)


@line(unit="text", label="Name of the line: wait allowed", source="effective.8")
def allowed_called(queue_wait_allowed):
    """In the legend."""
    return where(queue_wait_allowed > 0, say("Wait allowed"), say("Wait allowed: not known"))


@line(unit="sentence", label="Over the chart of waiting", source="effective.8")
def chart_wait_title(queue_drawn, queue_model, queue_wait_allowed, model_ceiling, queue_row, percent):
    """The finding."""
    kept = join(
        queue_model, ": the wait target holds up to ",
        fixed(pick(model_ceiling, queue_row, over="model") * percent, 1), " % of its speed",
    )  # fmt: skip
    missing = join(queue_model, ": waiting time by utilisation; the wait allowed is not known")
    drawn = where(queue_wait_allowed > 0, kept, missing)
    return where(queue_drawn, drawn, say("Waiting time: slots or speed are not known"))
