"""Chapter 7, fourth part: where a use case may run. Model and residency narrow the pools; none left is an excuse."""

from planner.calc.vocabulary import (
    both,
    either,
    given,
    join,
    opposite,
    or_else,
    pick,
    position_of,
    ratio,
    same,
    say,
    total,
    where,
)
from planner.lines.method import portfolio_line as line


@line(unit="flag", label="Needs GPUs", source="placement.1")
def use_case_on_gpu(use_case_model_row, model_on_prem):
    """Its model runs on GPUs; an API serves elsewhere."""
    return where(use_case_model_row > 0, pick(model_on_prem, use_case_model_row, over="model"), 0)


@line(unit="text", label="GPU", source="placement.1")
def use_case_gpu(use_case_on_gpu, use_case_model_row, model_gpu):
    """The kind of GPU that its model runs on."""
    return where(use_case_on_gpu > 0, pick(model_gpu, use_case_model_row, over="model"), "")


@line(unit="count", label="Pool fits", source="placement.1")
def use_case_fits(
    use_case_on_gpu, use_case_gpu, use_case_region, use_case_residency, pool_gpu, pool_region, pool_gpus_free
):
    """0: may not run there; 1: may, by GPU and residency, while the pool has GPUs; 2: may, and it is its own region."""
    lawful = either(opposite(given(use_case_residency)), same(pool_region, use_case_residency))
    able = both(use_case_on_gpu > 0, pool_gpus_free > 0, same(pool_gpu, use_case_gpu), lawful)
    return where(able, where(same(pool_region, use_case_region), 2, 1), 0)


@line(unit="index", label="Row of its pool", source="placement.1")
def use_case_pool(use_case_fits):
    """The first pool in its own region, else the first that it may use; 0 for none."""
    home = position_of(2, use_case_fits, over="pool")
    return where(home > 0, home, position_of(1, use_case_fits, over="pool"))


@line(unit="flag", label="No pool", source="placement.2")
def use_case_unplaced(use_case_on_gpu, use_case_pool):
    """It needs GPUs and no pool may serve it."""
    return both(use_case_on_gpu > 0, opposite(use_case_pool > 0))


@line(unit="text", label="Why not", source="placement.2")
def use_case_excuse(use_case_used, use_case_unplaced, use_case_gpu, use_case_residency, use_case_lost):
    """An excuse with its reason: never a silent zero."""
    there = where(given(use_case_residency), join(" in ", use_case_residency), say(" anywhere"))
    none = join("▲ no free pool with ", use_case_gpu, there)
    nowhere = where(use_case_lost, say("▲ model, tier, tenant or region not found"), "")
    return where(use_case_used, where(use_case_unplaced, none, nowhere), "")


@line(unit="count", label="Use cases that no pool may serve", source="placement.2")
def use_cases_unplaced(use_case_unplaced):
    """Each has its reason in its row."""
    return total(use_case_unplaced, over="use_case")


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
def use_case_gpu_time(use_case_model_row, use_case_input_share, model_gpu_time_in, model_gpu_time_out):
    """Input and output in its mix."""
    reads = pick(model_gpu_time_in, use_case_model_row, over="model")
    writes = pick(model_gpu_time_out, use_case_model_row, over="model")
    return where(use_case_model_row > 0, use_case_input_share * reads + (1 - use_case_input_share) * writes, 0)


# ---- by pool and tier


@line(unit="token", label="Tokens over the horizon", source="placement.3")
def use_case_sum(use_case_tokens):
    """All its months: the weight of its speed in the pool's."""
    return total(use_case_tokens, over="month")


@line(unit="token", label="Tokens over the horizon", source="placement.3")
def pool_sum(use_case_sum, use_case_pool, pool_number):
    """What is asked of the pool."""
    return total(use_case_sum, over="use_case", by=use_case_pool, equals=pool_number)


@line(unit="GPU*s", label="GPU time over the horizon", source="placement.3")
def use_case_gpu_sum(use_case_sum, use_case_gpu_time):
    """What its tokens take of the GPUs."""
    return use_case_sum * use_case_gpu_time


@line(unit="GPU*s", label="GPU time over the horizon", source="placement.3")
def pool_gpu_time(use_case_gpu_sum, use_case_pool, pool_number):
    """What that takes of its GPUs."""
    return total(use_case_gpu_sum, over="use_case", by=use_case_pool, equals=pool_number)


@line(unit="token/s/GPU", label="Speed of the pool's mix", source="placement.3")
def pool_speed(pool_sum, pool_gpu_time):
    """Tokens a second and GPU, averaged over what runs there."""
    return ratio(pool_sum, pool_gpu_time, 0)


@line(unit="token/s", label="Capacity", source="placement.4")
def pool_tokens_per_s(shortage_supply, pool_available, pool_effective, pool_speed, in_horizon):
    """GPUs of chapter 9, available or effective, x the speed of what runs there: the one place that says it."""
    gpus = where(same(shortage_supply, "effective"), pool_effective, pool_available)
    return gpus * pool_speed * in_horizon


@line(unit="token/month", label="Capacity", source="placement.4")
def pool_tokens_per_month(pool_tokens_per_s, days_in_month, hours_per_day, seconds_per_hour):
    """Every second of the month, off-peak too."""
    return pool_tokens_per_s * days_in_month * hours_per_day * seconds_per_hour


@line(unit="factor", label="Annual target over ledger", source="placement.5")
def ledger_scale(monthly_tokens, ledger_tokens):
    """On the top-down basis the ledger says the mix and the target the volume; on its own basis it is 1."""
    return ratio(monthly_tokens, ledger_tokens, 0)


@line(unit="token/month", label="Demand by pool and tier", source="placement.5")
def pool_tier_tokens(use_case_tokens, use_case_pool, pool_number, use_case_tier_row, service_tier_number, ledger_scale):
    """What the tier asks of the pool."""
    mine = same(use_case_pool, pool_number) * same(use_case_tier_row, service_tier_number)
    return total(mine * use_case_tokens, over="use_case") * ledger_scale


@line(unit="token/s", label="Peak by pool and tier", source="placement.5")
def pool_tier_peak(
    use_case_tokens, use_case_peak_part, use_case_pool, pool_number, use_case_tier_row, service_tier_number,
    ledger_scale, coincidence,
):  # fmt: skip
    """What the tier asks of the pool in the busiest second."""
    mine = same(use_case_pool, pool_number) * same(use_case_tier_row, service_tier_number)
    return total(mine * use_case_tokens * use_case_peak_part, over="use_case") * ledger_scale * coincidence


@line(unit="token/month", label="Served by APIs", source="placement.5")
def tier_api_tokens(use_case_tokens, use_case_on_gpu, use_case_tier_row, service_tier_number, ledger_scale):
    """Bought by the token, outside the pools."""
    mine = same(use_case_on_gpu, 0) * same(use_case_tier_row, service_tier_number)
    return total(mine * use_case_tokens, over="use_case") * ledger_scale


@line(unit="token/month", label="Without a pool", source="placement.5")
def tier_unplaced_tokens(use_case_tokens, use_case_unplaced, use_case_tier_row, service_tier_number, ledger_scale):
    """What no pool may serve."""
    mine = same(use_case_unplaced, 1) * same(use_case_tier_row, service_tier_number)
    return total(mine * use_case_tokens, over="use_case") * ledger_scale


@line(unit="token/month", label="Demand by tier", source="placement.5")
def tier_tokens(ledger_tier_tokens, ledger_scale):
    """All that the tier asks for."""
    return ledger_tier_tokens * ledger_scale
