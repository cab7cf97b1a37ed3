"""The Plan tab: every scalar input, once. Defaults and their sources stand in reference_data/defaults.csv."""

from __future__ import annotations

import datetime as dt

from planner.inputs.capacity import Buying, Growth, Owning, Waiting
from planner.inputs.field import FROM_DATA, Row, field
from planner.inputs.money import Credits, Money, Quotas
from planner.inputs.portfolio import Portfolio


class Identity(Row):
    """Identity."""

    plan_name: str = field(
        "Plan name", "text", note="Printed at the head of every page", default=FROM_DATA, key="plan_name"
    )
    language: str = field(
        "Language",
        "choice",
        note="Language of the workbook and its messages",
        default=FROM_DATA,
        key="language",
        choices=("en", "zh"),
    )
    currency: str = field(
        "Currency", "text", note="ISO code. Prices in the reference tables are USD", default=FROM_DATA, key="currency"
    )
    usd_to_currency: float | None = field(
        "Currency units for 1 USD",
        "number",
        "money/usd",
        default=None,
        low=1e-09,
        high=1e9,
        note="Empty for a plan in USD; needed for any other currency",
        format="rate",
    )
    start_month: dt.date = field(
        "First month",
        "month",
        "day",
        note="First month of the plan",
        question="Which month does the plan start (for example 2027-01)?",
    )
    horizon_months: int = field(
        "Horizon",
        "whole",
        "month",
        default=FROM_DATA,
        key="horizon_months",
        low=1,
        high=60,
        note="1 to 60. Within the years that the workbook shows it is live; beyond, build again",
    )
    as_of: dt.date | None = field(
        "As of", "date", "day", default=None, note="Date printed in the footer. Empty: the first month"
    )


class Demand(Row):
    """Demand."""

    total_tokens: float = field(
        "Total tokens in the first year",
        "tokens",
        "token",
        low=0,
        note="Type 1.8B, 1.8 billion, 18亿 or all digits. 0: no target, the ledger alone",
        message="Digits only here: 1800000000. In an input workbook also 1.8B or 18亿.",
        question="How many tokens a year (for example 1.8B, or 150M a month)?",
    )
    demand_basis: str = field(
        "Demand basis",
        "choice",
        default=FROM_DATA,
        key="demand_basis",
        choices=("top_down", "ledger"),
        note="top_down: the annual total above is split over months. ledger: use cases add up",
    )
    input_parts: float = field(
        "Input parts",
        "number",
        "parts",
        default=FROM_DATA,
        key="input_parts",
        low=0,
        high=1000000.0,
        note="Input : output, 3 : 1 unless you know better",
    )
    output_parts: float = field(
        "Output parts", "number", "parts", default=FROM_DATA, key="output_parts", low=0, high=1000000.0
    )
    growth_curve: str = field(
        "Growth curve",
        "choice",
        default=FROM_DATA,
        key="growth_curve",
        listed="curve_name",
        note="How the year falls over its months; rows of Curves",
    )
    yearly_growth: float = field(
        "Growth a year, later years",
        "share",
        "share",
        default=FROM_DATA,
        key="yearly_growth",
        low=-0.99,
        high=20,
        note="Used from month 13 on",
    )
    peak_factor: float = field(
        "Peak factor",
        "factor",
        "factor",
        default=FROM_DATA,
        key="peak_factor",
        low=1,
        high=1000,
        note="Peak against average, measured over the window below",
    )
    peak_window: str = field(
        "Peak window",
        "choice",
        default=FROM_DATA,
        key="peak_window",
        choices=("day", "hour"),
        note="day: peak day against average day. hour: peak hour against average hour",
    )
    peak_hours: float = field(
        "Peak hours",
        "number",
        "h/day",
        default=FROM_DATA,
        key="peak_hours",
        low=1,
        high=24,
        note="Hours over which a peak day falls; 24 = uniform. Not used with the hour window",
    )
    retry_rate: float = field(
        "Retry rate",
        "share",
        "share",
        default=FROM_DATA,
        key="retry_rate",
        low=0,
        high=4,
        note="Repeated calls on top of demand; its own step in the headroom bridge",
    )
    input_tokens_per_request: float = field(
        "Input tokens per request",
        "number",
        "token/request",
        default=FROM_DATA,
        key="input_tokens_per_request",
        low=0,
        high=100000000.0,
        note="Mean; for memory, requests and long-context prices",
    )
    output_tokens_per_request: float = field(
        "Output tokens per request",
        "number",
        "token/request",
        default=FROM_DATA,
        key="output_tokens_per_request",
        low=1,
        high=100000000.0,
        note="Mean; the guide's latency targets speak of 1,000",
    )


class Supply(Row):
    """Supply and SLA."""

    deployment_mode: str = field(
        "Deployment",
        "choice",
        choices=("api", "on_prem", "hybrid"),
        note="hybrid: each row of Models says which",
        question="Where do the models run: api (pay per token), on_prem (your GPUs) or hybrid?",
    )
    usage_pattern: str = field(
        "Usage pattern",
        "choice",
        choices=("real_time", "batch", "mixed"),
        note="batch work can be flattened: a peak factor of 1 is common",
        question="Is the use real_time (people wait), batch (overnight) or mixed?",
    )
    sla_tier: str = field(
        "SLA tier",
        "choice",
        listed="tier_name",
        note="Targets and minimum replicas stand on SLA tiers",
        question="How critical is it: business_critical (99.9 %), standard (99.5 %) or best_effort?",
    )
    days_basis: str = field(
        "Days basis",
        "choice",
        default=FROM_DATA,
        key="days_basis",
        choices=("30-day", "calendar"),
        note="30-day: as the guide reckons. calendar: 28 to 31 days",
    )
    hours_per_month: float = field(
        "Hours a month",
        "number",
        "h/month",
        default=FROM_DATA,
        key="hours_per_month",
        low=1,
        high=744,
        note="8,760 / 12; 1.39 % more than 30-day months: see Checks",
    )
    buffer_factor: float = field(
        "Buffer factor",
        "factor",
        "factor",
        default=FROM_DATA,
        key="buffer_factor",
        low=1,
        high=10,
        note="Conservative 1.50, standard 1.30, aggressive 1.15",
    )
    buffer_on_gpus: str = field(
        "Buffer on GPUs",
        "yes_no",
        default=FROM_DATA,
        key="buffer_on_gpus",
        choices=("yes", "no"),
        note="no: the buffer is kept for tokens only",
    )
    ha_basis: str = field(
        "HA basis",
        "choice",
        default=FROM_DATA,
        key="ha_basis",
        choices=("factor", "spare"),
        note="factor: GPUs x HA factor. spare: plus the tier's spare replicas",
    )
    ha_factor: float = field(
        "HA factor",
        "factor",
        "factor",
        default=FROM_DATA,
        key="ha_factor",
        low=1,
        high=10,
        note="Used with the factor basis",
    )


class Machines(Row):
    """Memory and availability."""

    memory_usable_share: float = field(
        "Usable GPU memory",
        "share",
        "share",
        default=FROM_DATA,
        key="memory_usable_share",
        low=0.1,
        high=1,
        note="Share of a GPU's memory that the server may take",
    )
    runtime_reserve_gb: float = field(
        "Runtime reserve",
        "number",
        "GB/GPU",
        default=FROM_DATA,
        key="runtime_reserve_gb",
        low=0,
        high=100,
        note="Activations and graphs on each GPU; measured 0.8 to 3.1",
    )
    concurrency_per_replica: float = field(
        "Sequences per replica",
        "number",
        "request/replica",
        default=FROM_DATA,
        key="concurrency_per_replica",
        low=1,
        high=100000,
        note="Requests that a replica must hold at once, for the memory fit",
    )
    gpus_per_node: float = field(
        "GPUs per node",
        "number",
        "GPU/node",
        default=FROM_DATA,
        key="gpus_per_node",
        low=1,
        high=1000,
        note="For the availability of a replica",
    )
    failures_per_node_day: float = field(
        "Failures per node and day",
        "number",
        "1/day",
        default=FROM_DATA,
        key="failures_per_node_day",
        low=0,
        high=24,
        format="fine",
        note="Replace by your own record",
    )
    repair_hours: float = field(
        "Hours to repair", "number", "h", default=FROM_DATA, key="repair_hours", low=0, high=10000
    )
    zone_availability: float = field(
        "Availability of the zone",
        "share",
        "share",
        default=FROM_DATA,
        key="zone_availability",
        low=0,
        high=1,
        format="share3",
        note="What all replicas share: a switch, a hall. 1 leaves it out",
    )


class Evidence(Row):
    """How full a pool may be before it counts as full."""

    compute_ceiling: float = field(
        "Compute ceiling of a pool",
        "share",
        "share",
        default=FROM_DATA,
        key="compute_ceiling",
        low=0.01,
        high=1,
        note="How busy the healthy GPUs of a pool may be",
    )
    kv_ceiling: float = field(
        "KV-cache ceiling of a pool",
        "share",
        "share",
        default=FROM_DATA,
        key="kv_ceiling",
        low=0.01,
        high=1,
        note="How full the KV cache of a pool may be",
    )


GROUPS: dict[str, type[Row]] = {
    "Identity": Identity,
    "Demand": Demand,
    "Supply and SLA": Supply,
    "Memory and availability": Machines,
    "Waiting time": Waiting,
    "The bottleneck question": Growth,
    "Buying": Buying,
    "Money": Money,
    "Own, rent or API": Owning,
    "Quotas": Quotas,
    "Service credits": Credits,
    "Portfolio": Portfolio,
    "Live evidence": Evidence,
}


class PlanInputs(
    Evidence, Portfolio, Credits, Quotas, Owning, Money, Buying, Growth, Waiting, Machines, Supply, Demand, Identity
):
    """All of them; the order on the tab is that of GROUPS."""
