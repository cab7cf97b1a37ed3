"""Chapter 7, fourth part: where a use case may run. Model and residency narrow the pools; none left is an excuse."""

from planner.calc.vocabulary import (
    both,
    either,
    given,
    join,
    opposite,
    or_else,
    pick,
    ratio,
    same,
    say,
    total,
    where,
)
from planner.lines.method import portfolio_line as line


@line(unit="flag", label="Needs GPUs", source="placement.1")
def stream_on_gpu(stream_model_row, model_on_prem):
    """Its model runs on GPUs; an API serves elsewhere."""
    return where(stream_model_row > 0, pick(model_on_prem, stream_model_row, over="model"), 0)


@line(unit="text", label="GPU", source="placement.1")
def stream_gpu(stream_on_gpu, stream_model_row, model_gpu):
    """The kind of GPU that its model runs on."""
    return where(stream_on_gpu > 0, pick(model_gpu, stream_model_row, over="model"), "")


@line(unit="GPU", label="GPUs that serve", source="placement.1")
def pool_open(shortage_supply, pool_available, pool_effective, in_horizon):
    """Of chapter 9, available or effective, by the month: what use cases are spread over, and what serves them."""
    return where(same(shortage_supply, "effective"), pool_effective, pool_available) * in_horizon


@line(unit="GPU", label="GPUs that serve, where known", source="placement.1")
def pool_open_known(pool_open):
    """Nobody is sent to GPUs that nobody knows."""
    return or_else(pool_open, 0)


@line(unit="GPU", label="GPU months that serve", source="placement.1")
def pool_open_months(pool_open_known):
    """Over the horizon, orders that arrive among them."""
    return total(pool_open_known, over="month")


@line(unit="flag", label="Ever serves", source="placement.1")
def pool_serves(pool_open_months):
    """A pool without any GPU in any month is none."""
    return pool_open_months > 0


@line(unit="text", label="GPU and region", source="placement.1")
def pool_site(pool_gpu, pool_region):
    """Pools of one kind in one region serve the same use cases."""
    return join(pool_gpu, " · ", pool_region)


def _part(mine, together, serves, pools):
    """A pool's part of what its kind carries; in a month without any, equal parts, so that what is asked is seen."""
    return where(together > 0, ratio(mine, together, 0), ratio(serves, pools, 0))


@line(unit="GPU", label="GPUs that serve, of its kind", source="placement.1")
def kind_open(pool_open_known, pool_gpu):
    """In all regions."""
    return total(pool_open_known, over="pool", by=pool_gpu, equals=pool_gpu)


@line(unit="count", label="Pools of its kind", source="placement.1")
def kind_pools(pool_serves, pool_gpu):
    """In all regions."""
    return total(pool_serves, over="pool", by=pool_gpu, equals=pool_gpu)


@line(unit="GPU", label="GPUs that serve, of its kind and region", source="placement.1")
def site_open(pool_open_known, pool_site):
    """For use cases that may leave it nowhere."""
    return total(pool_open_known, over="pool", by=pool_site, equals=pool_site)


@line(unit="count", label="Pools of its kind and region", source="placement.1")
def site_pools(pool_serves, pool_site):
    """For use cases that may leave it nowhere."""
    return total(pool_serves, over="pool", by=pool_site, equals=pool_site)


@line(unit="share", label="Part of what may run anywhere", source="placement.1")
def pool_free_part(pool_open_known, kind_open, pool_serves, kind_pools):
    """Use cases without a residency go where there is room, by GPUs: one more GPU never takes from anybody."""
    return _part(pool_open_known, kind_open, pool_serves, kind_pools)


@line(unit="share", label="Part of what must stay in its region", source="placement.1")
def pool_bound_part(pool_open_known, site_open, pool_serves, site_pools):
    """Use cases of that residency, by GPUs."""
    return _part(pool_open_known, site_open, pool_serves, site_pools)


@line(unit="count", label="Pool fits", source="placement.1")
def stream_fits(stream_on_gpu, stream_gpu, stream_residency, pool_gpu, pool_region, pool_serves):
    """0: may not run there; 1: may, as in any region; 2: must, its residency is there."""
    bound = given(stream_residency)
    lawful = either(opposite(bound), same(pool_region, stream_residency))
    able = both(stream_on_gpu > 0, pool_serves, same(pool_gpu, stream_gpu), lawful)
    return where(able, where(bound, 2, 1), 0)


@line(unit="count", label="Pools that it may use", source="placement.1")
def stream_pools(stream_fits):
    """Its requests are spread over them."""
    return total((stream_fits > 0) * 1, over="pool")


@line(unit="flag", label="No pool", source="placement.2")
def stream_unplaced(stream_on_gpu, stream_pools, stream_share):
    """It needs GPUs and no pool may serve it; a model that gets no request needs none."""
    return both(stream_on_gpu > 0, stream_share > 0, opposite(stream_pools > 0))


@line(unit="text", label="Why not", source="placement.2")
def stream_excuse(stream_used, stream_unplaced, stream_gpu, stream_residency, stream_lost):
    """An excuse with its reason: never a silent zero."""
    there = where(given(stream_residency), join(" in ", stream_residency), say(" anywhere"))
    none = join("▲ no free pool with ", stream_gpu, there)
    nowhere = where(stream_lost, say("▲ model, tier, tenant or region not found"), "")
    return where(stream_used, where(stream_unplaced, none, nowhere), "")


@line(unit="count", label="Requests on models that no pool may serve", source="placement.2")
def streams_unplaced(stream_unplaced):
    """Each has its reason in its row."""
    return total(stream_unplaced, over="stream")


# ---- what a token of it takes of a GPU


@line(unit="GPU*s/token", label="GPU time of a token", source="placement.3")
def model_gpu_time_in(model_on_prem, model_basis, model_speed, model_prefill_speed, model_prefix_hit_share):
    """An input token: counted by the speed, prefilled, or free where the speed counts output only."""
    split = (1 - or_else(model_prefix_hit_share, 0)) / model_prefill_speed
    counted = where(same(model_basis, "total"), 1 / model_speed, where(same(model_basis, "split"), split, 0))
    return where(model_on_prem, counted, 0)


@line(unit="GPU*s/token", label="GPU time of an output token", source="placement.3")
def model_gpu_time_out(model_on_prem, model_speed):
    """An output token at the speed."""
    return where(model_on_prem, 1 / model_speed, 0)


@line(unit="GPU*s/token", label="GPU time of a token", source="placement.3")
def stream_gpu_time(stream_model_row, stream_input_share, model_gpu_time_in, model_gpu_time_out):
    """Input and output in its mix."""
    reads = pick(model_gpu_time_in, stream_model_row, over="model")
    writes = pick(model_gpu_time_out, stream_model_row, over="model")
    return where(stream_model_row > 0, stream_input_share * reads + (1 - stream_input_share) * writes, 0)


@line(unit="GPU*month/token", label="GPUs of a token a month", source="placement.3")
def stream_gpu_part(stream_gpu_time, stream_peak_part, stream_headroom, gpu_buffer, gpu_ha):
    """In its busiest second, with buffer, HA and the headroom of its tier, as the model's GPUs are sized."""
    return or_else(stream_gpu_time, 0) * stream_peak_part * (gpu_buffer * gpu_ha + stream_headroom)


# ---- by pool and tier


@line(unit="token", label="Tokens over the horizon", source="placement.3")
def stream_sum(stream_tokens):
    """All its months: the weight of its speed in the pool's."""
    return total(stream_tokens, over="month")


@line(unit="share", label="Mean part, anywhere", source="placement.3")
def pool_free_mean(pool_open_months, pool_gpu_months):
    """Over the horizon: the weight of such use cases in the pool's mix."""
    return ratio(pool_open_months, pool_gpu_months, 0)


@line(unit="share", label="Mean part, its region", source="placement.3")
def pool_bound_mean(pool_open_months, pool_site_months):
    """Over the horizon: the weight of such use cases in the pool's mix."""
    return ratio(pool_open_months, pool_site_months, 0)


@line(unit="GPU", label="GPU months of its kind", source="placement.3")
def pool_gpu_months(pool_open_months, pool_gpu):
    """In all regions."""
    return total(pool_open_months, over="pool", by=pool_gpu, equals=pool_gpu)


@line(unit="GPU", label="GPU months of its kind and region", source="placement.3")
def pool_site_months(pool_open_months, pool_site):
    """For use cases that may leave it nowhere."""
    return total(pool_open_months, over="pool", by=pool_site, equals=pool_site)


def _there(amount, fits, free, bound):
    """What streams bring to a pool: those that may run anywhere, and those that must run there, by their parts."""
    anywhere = total(amount * same(fits, 1), over="stream")
    return anywhere * free + total(amount * same(fits, 2), over="stream") * bound


@line(unit="token", label="Tokens over the horizon", source="placement.3")
def pool_sum(stream_sum, stream_fits, pool_free_mean, pool_bound_mean):
    """What is asked of the pool."""
    return _there(stream_sum, stream_fits, pool_free_mean, pool_bound_mean)


@line(unit="GPU*s", label="GPU time over the horizon", source="placement.3")
def stream_gpu_sum(stream_sum, stream_gpu_time):
    """What its tokens take of the GPUs."""
    return stream_sum * stream_gpu_time


@line(unit="GPU*s", label="GPU time over the horizon", source="placement.3")
def pool_gpu_time(stream_gpu_sum, stream_fits, pool_free_mean, pool_bound_mean):
    """What that takes of its GPUs."""
    return _there(stream_gpu_sum, stream_fits, pool_free_mean, pool_bound_mean)


@line(unit="token/s/GPU", label="Speed of the pool's mix", source="placement.3")
def pool_speed(pool_sum, pool_gpu_time):
    """Tokens a second and GPU, averaged over what runs there."""
    return ratio(pool_sum, pool_gpu_time, 0)


@line(unit="token/s", label="Capacity", source="placement.4")
def pool_tokens_per_s(pool_open, pool_speed):
    """GPUs that serve x the speed of what runs there: the one place that says it."""
    return pool_open * pool_speed


@line(unit="token/month", label="Capacity", source="placement.4")
def pool_tokens_per_month(pool_tokens_per_s, days_in_month, hours_per_day, seconds_per_hour):
    """Every second of the month, off-peak too."""
    return pool_tokens_per_s * days_in_month * hours_per_day * seconds_per_hour


@line(unit="factor", label="Annual target over ledger", source="placement.5")
def ledger_scale(monthly_tokens, ledger_tokens):
    """On the top-down basis the ledger says the mix and the target the volume; on its own basis it is 1."""
    return ratio(monthly_tokens, ledger_tokens, 0)


@line(unit="token/month", label="Demand by pool and tier", source="placement.5")
def pool_tier_tokens(
    stream_tokens, stream_fits, pool_free_part, pool_bound_part, stream_tier_row, service_tier_number, ledger_scale
):
    """What the tier asks of the pool."""
    asked = stream_tokens * same(stream_tier_row, service_tier_number)
    return _there(asked, stream_fits, pool_free_part, pool_bound_part) * ledger_scale


@line(unit="token/s", label="Peak by pool and tier", source="placement.5")
def pool_tier_peak(
    stream_tokens, stream_peak_part, stream_fits, pool_free_part, pool_bound_part, stream_tier_row,
    service_tier_number, ledger_scale, coincidence,
):  # fmt: skip
    """What the tier asks of the pool in the busiest second."""
    asked = stream_tokens * stream_peak_part * same(stream_tier_row, service_tier_number)
    return _there(asked, stream_fits, pool_free_part, pool_bound_part) * ledger_scale * coincidence


@line(unit="token/month", label="Served by APIs", source="placement.5")
def tier_api_tokens(stream_tokens, stream_on_gpu, stream_tier_row, service_tier_number, ledger_scale):
    """Bought by the token, outside the pools."""
    mine = same(stream_on_gpu, 0) * same(stream_tier_row, service_tier_number)
    return total(mine * stream_tokens, over="stream") * ledger_scale


@line(unit="token/month", label="Without a pool", source="placement.5")
def tier_unplaced_tokens(stream_tokens, stream_unplaced, stream_tier_row, service_tier_number, ledger_scale):
    """What no pool may serve."""
    mine = same(stream_unplaced, 1) * same(stream_tier_row, service_tier_number)
    return total(mine * stream_tokens, over="stream") * ledger_scale


@line(unit="token/month", label="Demand by tier", source="placement.5")
def tier_tokens(ledger_tier_tokens, ledger_scale):
    """All that the tier asks for."""
    return ledger_tier_tokens * ledger_scale
