"""Scalar inputs about effective capacity: how long people may wait, and what that leaves of a GPU's speed."""

from __future__ import annotations

from planner.inputs.field import FROM_DATA, Row, field


class Waiting(Row):
    """Waiting time."""

    wait_percentile: float = field(
        "Percentile of the wait",
        "share",
        "share",
        default=FROM_DATA,
        key="wait_percentile",
        low=0,
        high=0.9999,
        note="The share of requests that must keep the TTFT target; 99 % for a p99 target",
    )
    arrival_variability: float = field(
        "Variability of arrivals",
        "factor",
        "factor",
        default=FROM_DATA,
        key="arrival_variability",
        low=0,
        high=1000,
        note="Squared coefficient of variation of the gaps between requests; 1 = at random, above 1 = in bursts",
    )
    service_variability: float = field(
        "Variability of service times",
        "factor",
        "factor",
        default=FROM_DATA,
        key="service_variability",
        low=0,
        high=1000,
        note="Squared coefficient of variation of the time a request stays in its slot",
    )
    utilisation_limit: float = field(
        "Utilisation limit",
        "share",
        "share",
        default=FROM_DATA,
        key="utilisation_limit",
        low=0.05,
        high=0.999,
        note="Never planned above it, whatever waiting allows: at full batch token times grow",
    )
    ceiling_on_gpus: str = field(
        "Ceiling on GPUs",
        "yes_no",
        default=FROM_DATA,
        key="ceiling_on_gpus",
        choices=("yes", "no"),
        note="yes: GPUs are planned so that the peak with buffer and HA stays below the utilisation ceiling",
    )


class Buying(Row):
    """Buying."""

    commitment_demand: str = field(
        "Commit on",
        "choice",
        default=FROM_DATA,
        key="commitment_demand",
        choices=("missing", "all"),
        note="missing: GPUs that the pools do not give. all: every GPU to plan of the kind",
    )
    committable_basis: str = field(
        "Demand that may be committed",
        "choice",
        default=FROM_DATA,
        key="committable_basis",
        choices=("tiers", "share"),
        note="tiers: what the ledger asks for in tiers that are protected or shaped. share: the share below",
    )
    committable_share: float = field(
        "Share that may be committed",
        "share",
        "share",
        default=FROM_DATA,
        key="committable_share",
        low=0,
        high=1,
        note="Where demand comes from above, or the basis says share; the rest stays elastic",
    )


class Owning(Row):
    """Own, rent or API."""

    capex_per_gpu: float | None = field(
        "Purchase price per GPU", "money", "money/GPU", default=None, low=0, note="With its part of server and network"
    )
    life_months: float = field("Life, months", "whole", "index", default=FROM_DATA, key="life_months", low=1, high=240)
    residual_share: float = field(
        "Residual value",
        "share",
        "share",
        default=FROM_DATA,
        key="residual_share",
        low=0,
        high=1,
        note="Of the purchase price, at the end of its life",
    )
    facilities_per_gpu_month: float = field(
        "Facilities per GPU and month",
        "money",
        "money/GPU/month",
        default=FROM_DATA,
        key="facilities_per_gpu_month",
        low=0,
    )
    staff_per_gpu_month: float = field(
        "Staff per GPU and month", "money", "money/GPU/month", default=FROM_DATA, key="staff_per_gpu_month", low=0
    )
    refresh_per_gpu_month: float = field(
        "Refresh reserve per GPU and month",
        "money",
        "money/GPU/month",
        default=FROM_DATA,
        key="refresh_per_gpu_month",
        low=0,
    )
    rent_duty: float = field(
        "Hours rented",
        "share",
        "share",
        default=FROM_DATA,
        key="rent_duty",
        low=0,
        high=1,
        note="Of all hours of the month; below 1 where GPUs are given back at night",
    )
    api_alternative_per_mtok: float | None = field(
        "API price of the same tokens",
        "money",
        "money/Mtok",
        default=None,
        low=0,
        format="price",
        note="Blended, per million tokens, of a model that could serve instead",
    )


class Growth(Row):
    """The bottleneck question."""

    load_growth: float = field(
        "Load grows by",
        "share",
        "share",
        default=FROM_DATA,
        key="load_growth",
        low=0,
        high=10,
        note="The question every council asks: which pool breaks first, when, and on what",
    )
    latency_limit: float = field(
        "Utilization that hurts latency",
        "share",
        "share",
        default=FROM_DATA,
        key="latency_limit",
        low=0.05,
        high=1,
        note="Projected core utilization from which latency suffers; at 100 % the pool is saturated",
    )
    test_months: float = field(
        "Failover test holds for, months",
        "whole",
        "index",
        default=FROM_DATA,
        key="test_months",
        low=1,
        high=120,
        note="An older test counts as none",
    )
    concentration_limit: float = field(
        "Concentration limit",
        "share",
        "share",
        default=FROM_DATA,
        key="concentration_limit",
        low=0,
        high=1,
        note="Share of tier 1 services at one provider above which supply is concentrated",
    )
