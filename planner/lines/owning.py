"""Chapter 10, fourth part: own, rent or buy by the token, and where it turns."""

from planner.calc.vocabulary import (
    both,
    in_unit,
    known,
    largest,
    or_else,
    pick,
    ratio,
    reason,
    running,
    total,
    where,
    withheld,
)
from planner.lines.method import line

# ---- a GPU for a month


@line(unit="money/GPU/month", label="Depreciation", source="owning.1")
def own_depreciation(capex_per_gpu, residual_share, life_months):
    """Price less what it fetches at the end, over its life."""
    written = or_else(capex_per_gpu, 0) * (1 - residual_share) / in_unit(life_months, "month")
    return where(known(capex_per_gpu), written, withheld("no purchase price"))


@line(unit="kW*h/month", label="Electricity of the fleet", source="owning.1")
def own_kwh(kwh_by_month, peak_month):
    """The peak month's: an owned fleet is there in every month."""
    return pick(kwh_by_month, peak_month, over="month")


@line(unit="money/GPU/month", label="Power", source="owning.1")
def own_power(own_kwh, electricity_price_per_kwh, gpus_planned):
    """Rated power x PUE x price of a kWh; type a price of 0 where facilities hold it."""
    price = or_else(electricity_price_per_kwh, withheld("no electricity price"))
    paid = where(gpus_planned > 0, own_kwh * or_else(electricity_price_per_kwh, 0) / gpus_planned, 0)
    return where(known(electricity_price_per_kwh), paid, reason(price))


@line(unit="money/GPU/month", label="Owned, a GPU and month", source="owning.1")
def own_gpu_month(own_depreciation, own_power, facilities_per_gpu_month, staff_per_gpu_month, refresh_per_gpu_month):
    """Depreciation, power, facilities, staff and a reserve for its successor: paid at any utilisation."""
    return own_depreciation + own_power + facilities_per_gpu_month + staff_per_gpu_month + refresh_per_gpu_month


@line(unit="money/GPU/month", label="Rented, a GPU and month", source="owning.2")
def rent_gpu_month(rent_in_peak, gpus_planned, rent_duty):
    """At the GPU prices of Models, for the hours that are paid."""
    return where(gpus_planned > 0, rent_in_peak / gpus_planned * rent_duty, withheld("no GPUs are planned"))


@line(unit="money/month", label="Rent in the peak month", source="owning.2")
def rent_in_peak(gpu_cost_by_month, peak_month):
    """All models on GPUs."""
    return pick(gpu_cost_by_month, peak_month, over="month")


@line(unit="money/Mtok", label="API price of the same tokens", source="owning.3")
def api_instead(api_alternative_per_mtok):
    """Blended over input and output."""
    return or_else(api_alternative_per_mtok, withheld("no API price typed"))


# ---- what a GPU does in a month


@line(unit="token/s/GPU", label="Speed of the fleet", source="owning.4")
def fleet_speed(model_peak_load, model_peak_gpus):
    """All tokens a second over the GPUs that they need unrounded."""
    need = total(model_peak_gpus, over="model")
    return ratio(total(model_peak_load, over="model"), need, 0)


@line(unit="Mtok/GPU/month", label="M tokens of a GPU at full use", source="owning.4")
def fleet_full(fleet_speed, seconds_per_hour, hours_per_month, tokens_per_mtok):
    """Busy every second of the month."""
    return in_unit(fleet_speed * seconds_per_hour * hours_per_month / tokens_per_mtok, "Mtok/GPU/month")


@line(unit="Mtok/month", label="Tokens on GPUs", source="owning.4")
def fleet_mtok(monthly_tokens, share_on_gpus, tokens_per_mtok, ledger_basis, ledger_gpu_tokens):
    """What the three ways are compared for; of a ledger the month's own."""
    tokens = where(ledger_basis, ledger_gpu_tokens, monthly_tokens * share_on_gpus)
    return in_unit(tokens / tokens_per_mtok, "Mtok/month")


@line(unit="share", label="On GPUs", source="owning.4")
def model_share_on_gpus(model_share, model_on_prem):
    """The model's share of tokens, where it runs on GPUs."""
    return model_share * model_on_prem


@line(unit="share", label="Share of tokens on GPUs", source="owning.4")
def share_on_gpus(model_share_on_gpus):
    """All models on GPUs."""
    return total(model_share_on_gpus, over="model")


@line(unit="GPU", label="Least fleet of each model", source="owning.4")
def model_least_fleet(model_on_prem, model_gpus_each, least_replicas):
    """The tier's least replicas, at least one."""
    least = in_unit(largest(in_unit(least_replicas, "count"), 1), "replica")
    return where(model_on_prem, least * model_gpus_each, 0)


@line(unit="GPU", label="Least fleet", source="owning.4")
def least_fleet(model_least_fleet):
    """What must be there before the first token is served."""
    return total(model_least_fleet, over="model")


@line(unit="share", label="Utilisation, mean of the horizon", source="owning.4")
def fleet_utilisation(fleet_mtok_sum, fleet_full, own_gpu_months):
    """Tokens served over what an owned fleet could serve."""
    served = in_unit(fleet_mtok_sum, "Mtok/month") / (fleet_full * own_gpu_months)
    return where(both(fleet_full > 0, known(own_gpu_months)), where(own_gpu_months > 0, in_unit(served, "share"), 0), 0)


@line(unit="Mtok", label="M tokens on GPUs, horizon", source="owning.4")
def fleet_mtok_sum(fleet_mtok):
    """All months."""
    return total(fleet_mtok, over="month")


@line(unit="GPU", label="GPU-months owned", source="owning.5")
def own_gpu_months(own_gpus):
    """The fleet of the peak month in every month of the plan."""
    return total(own_gpus, over="month")


# ---- by month


@line(unit="GPU", label="Fleet to own", source="owning.5")
def own_gpus(gpus_planned, in_horizon):
    """What is owned is there at the peak and at every other time."""
    return gpus_planned * in_horizon


@line(unit="money/month", label="Own", source="owning.5")
def own_by_month(own_gpus, own_gpu_month):
    """The whole fleet, busy or not."""
    return where(own_gpus > 0, own_gpus * own_gpu_month, 0)


@line(unit="money/month", label="Rent", source="owning.5")
def rent_by_month(gpu_cost_by_month, rent_duty):
    """The GPUs to plan of the month, for the hours that are paid."""
    return gpu_cost_by_month * rent_duty


@line(unit="money/month", label="API", source="owning.5")
def api_by_month(fleet_mtok, api_instead):
    """The same tokens by the token."""
    return where(fleet_mtok > 0, fleet_mtok * api_instead, 0)


@line(unit="money", label="Own, cumulative", source="owning.5")
def own_to_date(own_by_month):
    """For the chart."""
    return running(own_by_month)


@line(unit="money", label="Rent, cumulative", source="owning.5")
def rent_to_date(rent_by_month):
    """For the chart."""
    return running(rent_by_month)


@line(unit="money", label="API, cumulative", source="owning.5")
def api_to_date(api_by_month):
    """For the chart."""
    return running(api_by_month)


@line(unit="money", label="Own, horizon", source="owning.5")
def own_sum(own_by_month):
    """All months."""
    return total(own_by_month, over="month")


@line(unit="money", label="Rent, horizon", source="owning.5")
def rent_sum(rent_by_month):
    """All months."""
    return total(rent_by_month, over="month")


@line(unit="money", label="API, horizon", source="owning.5")
def api_sum(api_by_month):
    """All months."""
    return total(api_by_month, over="month")


# ---- where it turns


@line(unit="share", label="Own against rent: utilisation", source="owning.6")
def own_vs_rent(own_gpu_month, rent_gpu_month):
    """Owned costs the same as rented by the hour when it is busy so much of the time."""
    return where(rent_gpu_month > 0, own_gpu_month / rent_gpu_month, withheld("renting costs nothing"))


def _against_api(month_cost, api_price, full):
    known_full = where(full > 0, month_cost / (api_price * full), withheld("no speed is known"))
    return where(api_price > 0, known_full, withheld("the API costs nothing"))


@line(unit="share", label="Own against API: utilisation", source="owning.6")
def own_vs_api(own_gpu_month, api_instead, fleet_full):
    """Above 1: an API is cheaper at any use of this hardware."""
    return _against_api(own_gpu_month, api_instead, fleet_full)


@line(unit="share", label="Rent against API: utilisation", source="owning.6")
def rent_vs_api(rent_gpu_month, api_instead, fleet_full):
    """Above 1: an API is cheaper at any use of this hardware."""
    return _against_api(rent_gpu_month, api_instead, fleet_full)


@line(unit="Mtok/month", label="Own against API: M tokens a month", source="owning.6")
def own_vs_api_mtok(own_gpu_month, api_instead, least_fleet):
    """The least fleet costs as much as the API at so many tokens."""
    return where(api_instead > 0, least_fleet * own_gpu_month / api_instead, withheld("the API costs nothing"))


@line(unit="Mtok/month", label="Rent against API: M tokens a month", source="owning.6")
def rent_vs_api_mtok(rent_gpu_month, api_instead, least_fleet):
    """The least fleet costs as much as the API at so many tokens."""
    return where(api_instead > 0, least_fleet * rent_gpu_month / api_instead, withheld("the API costs nothing"))


@line(unit="money/Mtok", label="Owned, at full use", source="owning.6")
def own_per_mtok_full(own_gpu_month, fleet_full):
    """The least that a token can cost."""
    return where(fleet_full > 0, own_gpu_month / fleet_full, withheld("no speed is known"))


@line(unit="money/Mtok", label="Rented, at full use", source="owning.6")
def rent_per_mtok_full(rent_gpu_month, fleet_full):
    """The least that a token can cost."""
    return where(fleet_full > 0, rent_gpu_month / fleet_full, withheld("no speed is known"))


# ---- cost per M tokens by utilisation


@line(unit="share", label="Utilisation", source="owning.7", along="use")
def use_share(use_share_before, use_step):
    """From 5 % to 100 %."""
    return use_share_before + use_step


@line(unit="money/Mtok", label="Own", source="owning.7")
def use_own(use_share, own_per_mtok_full):
    """What is paid whole is spread over what is used."""
    return own_per_mtok_full / use_share


@line(unit="money/Mtok", label="Rent", source="owning.7")
def use_rent(use_share, rent_per_mtok_full):
    """Hours are paid whole, too."""
    return rent_per_mtok_full / use_share


@line(unit="money/Mtok", label="API", source="owning.7")
def use_api(use_share, api_instead):
    """The same at any use."""
    return where(use_share > 0, api_instead, 0)
