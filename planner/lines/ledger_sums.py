"""Chapter 7, second part: the ledger summed by month, model, tenant, tier and region, and against the annual target."""

from planner.calc.vocabulary import absolute, not_applicable, or_else, ratio, same, total, where
from planner.lines.method import portfolio_line as line

# ---- by month


@line(unit="token/month", label="Tokens, all use cases", source="ledger.5")
def ledger_tokens(stream_tokens):
    """What the approved use cases ask for together."""
    return total(stream_tokens, over="stream")


@line(unit="token/month", label="of which input", source="ledger.5")
def ledger_input_tokens(stream_tokens, stream_input_share):
    """Input of the month."""
    return total(stream_tokens * stream_input_share, over="stream")


@line(unit="token/day", label="Busiest day", source="ledger.5")
def ledger_busy_day(stream_tokens, stream_day_part):
    """Each use case's month over its own operating days."""
    return total(stream_tokens * stream_day_part, over="stream")


@line(unit="token/s", label="Sum of peaks", source="ledger.5")
def ledger_peak_sum(stream_tokens, stream_peak_part):
    """Every use case in its own busiest second, all at once."""
    return total(stream_tokens * stream_peak_part, over="stream")


@line(unit="token/s", label="Peak second", source="ledger.5")
def ledger_peak(ledger_peak_sum, coincidence):
    """The sum of peaks, as far as they fall together."""
    return ledger_peak_sum * coincidence


@line(unit="token", label="Tokens of the ledger, first year", source="ledger.5")
def ledger_year(ledger_tokens, plan_year):
    """The first year's months added up."""
    return total(ledger_tokens, over="month", by=plan_year, equals=1)


@line(unit="token", label="of which input", source="ledger.5")
def ledger_year_input(ledger_input_tokens, plan_year):
    """Input of the first year."""
    return total(ledger_input_tokens, over="month", by=plan_year, equals=1)


@line(unit="share", label="Input share of the ledger", source="ledger.5")
def ledger_input_share(ledger_year_input, ledger_year):
    """Input and output of the first year."""
    return ratio(ledger_year_input, ledger_year, 0)


# ---- by model


@line(unit="token/month", label="Tokens", source="ledger.6")
def ledger_model_tokens(stream_tokens, stream_model_row, model_number):
    """What the use cases on this model ask for."""
    return total(stream_tokens, over="stream", by=stream_model_row, equals=model_number)


@line(unit="token/month", label="Input, billed", source="ledger.6")
def ledger_model_input(stream_tokens, stream_input_share, stream_billed, stream_model_row, model_number):
    """Input tokens that the provider bills, cached ones among them."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * stream_input_share * stream_billed, over="stream")


@line(unit="token/month", label="of which cached", source="ledger.6")
def ledger_model_cached(stream_tokens, stream_cached_part, stream_billed, stream_model_row, model_number):
    """Input tokens at the cached price."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * stream_cached_part * stream_billed, over="stream")


@line(unit="token/month", label="Output, billed", source="ledger.6")
def ledger_model_output(stream_tokens, stream_input_share, stream_billed, stream_model_row, model_number):
    """Output tokens that the provider bills."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * (1 - stream_input_share) * stream_billed, over="stream")


@line(unit="token/s", label="Input and output at the peak", source="ledger.6")
def ledger_model_load(stream_tokens, stream_peak_part, stream_model_row, model_number, coincidence):
    """What the model must carry in the busiest second."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * stream_peak_part, over="stream") * coincidence


@line(unit="token/s", label="Input at the peak", source="ledger.6")
def ledger_model_input_load(
    stream_tokens, stream_peak_part, stream_input_share, stream_model_row, model_number, coincidence
):
    """Its input part."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * stream_peak_part * stream_input_share, over="stream") * coincidence


@line(unit="token/s", label="of which cached", source="ledger.6")
def ledger_model_cached_load(
    stream_tokens, stream_peak_part, stream_cached_part, stream_model_row, model_number, coincidence
):
    """What the provider holds in its cache takes nothing of provisioned throughput."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * stream_peak_part * stream_cached_part, over="stream") * coincidence


@line(unit="request", label="Requests at once at the peak", source="ledger.6")
def ledger_model_held(stream_tokens, stream_held_part, stream_model_row, model_number, coincidence):
    """What the KV cache must hold over all replicas."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * stream_held_part, over="stream") * coincidence


@line(unit="token/month", label="Tokens on GPUs", source="ledger.6")
def ledger_gpu_tokens(ledger_model_tokens, model_on_prem):
    """Of all models that run on them, in the month."""
    return total(ledger_model_tokens * model_on_prem, over="model")


@line(unit="token", label="Tokens, first year", source="ledger.6")
def ledger_model_year(ledger_model_tokens, plan_year):
    """The first year's months added up."""
    return total(ledger_model_tokens, over="month", by=plan_year, equals=1)


@line(unit="share", label="Share of tokens", source="ledger.6")
def ledger_model_share(ledger_model_year, ledger_year):
    """What Models would have to say for the same mix."""
    return ratio(ledger_model_year, ledger_year, 0)


@line(unit="money/Mtok", label="Uncached input, all in", source="ledger.6")
def model_price_fresh(model_price_in, model_price_long_in, model_long_share, model_price_batch_in, batch_share):
    """Short and long, list and batch, weighted by their shares."""
    mixed = (1 - model_long_share) * model_price_in + model_long_share * model_price_long_in
    return mixed * (1 - batch_share * (1 - ratio(model_price_batch_in, model_price_in, 1)))


@line(unit="money/Mtok", label="Cached input, all in", source="ledger.6")
def model_price_hit(
    model_price_cached, model_price_long_cached, model_long_share, model_price_batch_in, model_price_in, batch_share
):
    """The same for input that the provider holds in its cache."""
    mixed = (1 - model_long_share) * model_price_cached + model_long_share * model_price_long_cached
    return mixed * (1 - batch_share * (1 - ratio(model_price_batch_in, model_price_in, 1)))


@line(unit="money/month", label="Input at API prices", source="ledger.6")
def ledger_model_input_cost(
    ledger_model_input, ledger_model_cached, model_price_fresh, model_price_hit, tokens_per_mtok
):
    """Each use case's own cached share at the model's prices."""
    fresh = (ledger_model_input - ledger_model_cached) * model_price_fresh
    return (fresh + ledger_model_cached * model_price_hit) / tokens_per_mtok


# ---- resilience headroom, by tier


@line(unit="share", label="Headroom of the tier", source="ledger.7")
def service_tier_headroom(service_tier_headroom_share):
    """An empty headroom is none."""
    return or_else(service_tier_headroom_share, 0)


@line(unit="token/s", label="Headroom at the peak", source="ledger.7")
def ledger_model_headroom(
    stream_tokens, stream_peak_part, stream_headroom, stream_model_row, model_number, coincidence
):
    """Peak demand of each tier x its headroom: said by itself, never inside another factor."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * stream_peak_part * stream_headroom, over="stream") * coincidence


@line(unit="GPU", label="Headroom by tier", source="ledger.7")
def model_gpus_headroom(model_gpus_peak, ledger_model_headroom, ledger_model_load, ledger_basis):
    """The GPUs that the headroom takes, at the same speeds as the load."""
    return where(ledger_basis, model_gpus_peak * ratio(ledger_model_headroom, ledger_model_load, 0), 0)


# ---- by tenant, tier and region


@line(unit="token/month", label="Tokens by tenant", source="ledger.8")
def ledger_tenant_tokens(stream_tokens, stream_tenant_row, tenant_number):
    """What the tenant's use cases ask for."""
    return total(stream_tokens, over="stream", by=stream_tenant_row, equals=tenant_number)


@line(unit="token/month", label="Tokens by tier", source="ledger.8")
def ledger_tier_tokens(stream_tokens, stream_tier_row, service_tier_number):
    """What the tier's use cases ask for."""
    return total(stream_tokens, over="stream", by=stream_tier_row, equals=service_tier_number)


@line(unit="token/month", label="Tokens by region", source="ledger.8")
def ledger_region_tokens(stream_tokens, stream_region_row, region_number):
    """What is used in the region."""
    return total(stream_tokens, over="stream", by=stream_region_row, equals=region_number)


@line(unit="token/s", label="Peak by tier", source="ledger.8")
def ledger_tier_peak(stream_tokens, stream_peak_part, stream_tier_row, service_tier_number, coincidence):
    """Peak demand of the tier."""
    mine = same(stream_tier_row, service_tier_number)
    return total(mine * stream_tokens * stream_peak_part, over="stream") * coincidence


@line(unit="token/s", label="Headroom by tier", source="ledger.8")
def ledger_tier_headroom(
    stream_tokens, stream_peak_part, stream_headroom, stream_tier_row, service_tier_number, coincidence
):
    """Resilience headroom on the tier's peak."""
    mine = same(stream_tier_row, service_tier_number)
    return total(mine * stream_tokens * stream_peak_part * stream_headroom, over="stream") * coincidence


@line(unit="token/s", label="Peak by region and tier", source="ledger.8")
def ledger_place_peak(
    stream_tokens, stream_peak_part, stream_region_row, region_number, stream_tier_row, service_tier_number,
    coincidence,
):  # fmt: skip
    """Peak demand by location: where the GPUs would have to stand."""
    mine = same(stream_region_row, region_number) * same(stream_tier_row, service_tier_number)
    return total(mine * stream_tokens * stream_peak_part, over="stream") * coincidence


# ---- against the annual target


@line(unit="token", label="Ledger, first year", source="ledger.9")
def pair_tokens(use_case_year, use_case_tenant_row, tenant_number, use_case_tier_row, service_tier_number):
    """The ledger by tenant and tier."""
    mine = same(use_case_tenant_row, tenant_number) * same(use_case_tier_row, service_tier_number)
    return total(mine * use_case_year, over="use_case")


@line(unit="token", label="Ledger, first year", source="ledger.9")
def tenant_ledger_year(pair_tokens):
    """All tiers."""
    return total(pair_tokens, over="service_tier")


@line(unit="token", label="Tier, first year", source="ledger.9")
def tier_ledger_year(ledger_tier_tokens, plan_year):
    """All tenants."""
    return total(ledger_tier_tokens, over="month", by=plan_year, equals=1)


@line(unit="token", label="Annual target, tenant", source="ledger.9")
def tenant_target(total_tokens, tenant_share):
    """The tenant's part of the annual target, by its quota share."""
    return total_tokens * tenant_share


@line(unit="share", label="Tier mix", source="ledger.9")
def pair_mix(pair_tokens, tenant_ledger_year, tier_ledger_year, ledger_year):
    """How the tenant's target falls on tiers: as its use cases do; without any, as all use cases do."""
    return where(
        tenant_ledger_year > 0, ratio(pair_tokens, tenant_ledger_year, 0), ratio(tier_ledger_year, ledger_year, 0)
    )


@line(unit="token", label="Ledger less target", source="ledger.9")
def pair_gap(pair_tokens, tenant_target, pair_mix, total_tokens):
    """Above zero the use cases ask for more than the target holds."""
    return where(total_tokens > 0, pair_tokens - tenant_target * pair_mix, not_applicable())


@line(unit="token", label="Ledger less target", source="ledger.9")
def tenant_gap(tenant_ledger_year, tenant_target, total_tokens):
    """The tenant's gap over all tiers."""
    return where(total_tokens > 0, tenant_ledger_year - tenant_target, not_applicable())


@line(unit="token", label="Ledger less target, first year", source="ledger.9")
def ledger_gap(ledger_year, total_tokens):
    """The whole gap between what use cases ask for and what was planned from the top."""
    return where(total_tokens > 0, ledger_year - total_tokens, not_applicable())


@line(unit="share", label="Ledger off the target", source="ledger.9")
def ledger_apart(ledger_gap, total_tokens):
    """The gap, in either direction, as a part of the annual target."""
    part = absolute(or_else(ledger_gap, 0)) / total_tokens
    return where(total_tokens > 0, part, not_applicable())


@line(unit="token", label="Tiers together", source="ledger.9")
def tiers_sum(tier_sum):
    """Must be the plan's tokens: on the top-down basis a month without use cases takes none of the target."""
    return total(tier_sum, over="service_tier")


@line(unit="token", label="Tokens over the horizon", source="ledger.9")
def tier_sum(tier_tokens):
    """All its months, at the plan's volume."""
    return total(tier_tokens, over="month")


@line(unit="token", label="Tenants and tiers together", source="ledger.9")
def pairs_sum(tenant_ledger_year):
    """Must be the ledger's first year."""
    return total(tenant_ledger_year, over="tenant")


@line(unit="token", label="Models together", source="ledger.9")
def ledger_models_sum(ledger_model_year):
    """Must be the ledger's first year."""
    return total(ledger_model_year, over="model")


@line(unit="count", label="Use cases that point nowhere", source="ledger.1")
def use_cases_lost(use_case_lost):
    """Must be none: their tokens would be lost on the way."""
    return total(use_case_lost, over="use_case")


@line(unit="count", label="Use cases, rows used", source="ledger.1")
def use_cases_used(use_case_used):
    """When no row is left, the next use case needs a new build."""
    return total(use_case_used, over="use_case")


@line(unit="flag", label="A ledger is there", source="ledger.8")
def ledger_there(use_cases_used):
    """Use cases stand on Ledger, whatever basis the plan is reckoned on."""
    return use_cases_used > 0


@line(unit="count", label="Use cases, rows left", source="ledger.1")
def use_cases_room(use_case_rows, use_cases_used):
    """Rows that wait for a use case."""
    return use_case_rows - use_cases_used


@line(unit="count", label="Use cases that count", source="ledger.1")
def use_cases_counted(use_case_counted):
    """In production or approved."""
    return total(use_case_counted, over="use_case")


@line(unit="count", label="Use cases proposed", source="ledger.1")
def use_cases_proposed(use_case_proposed):
    """Waiting for approval."""
    return total(use_case_proposed, over="use_case")
