"""Scalar inputs about money: cost, quotas and service credits. Defaults stand in reference_data/defaults.csv."""

from __future__ import annotations

from planner.inputs.field import FROM_DATA, Row, field


class Money(Row):
    """Money."""

    gpu_ownership: str = field(
        "GPUs are",
        "choice",
        default=FROM_DATA,
        key="gpu_ownership",
        choices=("rented", "owned"),
        note="rented: the hourly price holds power. owned: power is reckoned below",
    )
    cached_input_share: float = field(
        "Cached input share",
        "share",
        "share",
        default=FROM_DATA,
        key="cached_input_share",
        low=0,
        high=1,
        note="Share of API input billed at the cached price",
    )
    batch_share: float = field(
        "Batch share",
        "share",
        "share",
        default=FROM_DATA,
        key="batch_share",
        low=0,
        high=1,
        note="Share of API tokens sent at batch prices",
    )
    retries_billed: str = field(
        "Retries are billed",
        "yes_no",
        default=FROM_DATA,
        key="retries_billed",
        choices=("yes", "no"),
        note="Whether a repeated API call costs money",
    )
    network_per_month: float = field(
        "Network a month", "money", "money/month", default=FROM_DATA, key="network_per_month", low=0
    )
    ops_per_month: float = field(
        "Operations staff a month", "money", "money/month", default=FROM_DATA, key="ops_per_month", low=0
    )
    electricity_per_month: float | None = field(
        "Electricity a month",
        "money",
        "money/month",
        default=None,
        low=0,
        note="Typed here, or reckoned from the next four; never both",
    )
    electricity_price_per_kwh: float | None = field(
        "Electricity price",
        "money",
        "money/kW/h",
        default=None,
        low=0,
        note="For owned GPUs: power is then reckoned",
        format="price",
    )
    pue: float = field(
        "PUE", "factor", "factor", default=FROM_DATA, key="pue", low=1, high=5, note="Building power over machine power"
    )
    power_share: float = field(
        "Share of rated power drawn", "share", "share", default=FROM_DATA, key="power_share", low=0, high=1
    )
    host_watts_per_gpu: float = field(
        "Host power per GPU",
        "number",
        "W/GPU",
        default=FROM_DATA,
        key="host_watts_per_gpu",
        low=0,
        high=10000,
        note="CPU, memory, fans; 0 leaves it out",
    )
    price_multiple: float = field(
        "Price multiple",
        "factor",
        "factor",
        default=FROM_DATA,
        key="price_multiple",
        low=0,
        high=100,
        note="Price = TCO x multiple. 1.0 = at cost, 1.2 internal, 2.0 to 3.0 external",
    )
    annual_budget: float | None = field(
        "Budget for the first year", "money", "money", default=None, low=0, note="Empty: no budget is compared"
    )


class Quotas(Row):
    """Quotas."""

    quota_basis: str = field(
        "Monthly quota follows",
        "choice",
        default=FROM_DATA,
        key="quota_basis",
        choices=("equal", "curve"),
        note="equal: a twelfth each month. curve: as demand falls",
    )
    unused_policy: str = field(
        "Unused quota",
        "choice",
        default=FROM_DATA,
        key="unused_policy",
        choices=("roll_over", "expire", "refund"),
        note="The guide leaves it open",
    )
    roll_over_cap_share: float = field(
        "Roll-over cap",
        "share",
        "share",
        default=FROM_DATA,
        key="roll_over_cap_share",
        low=0,
        high=12,
        note="Most that is carried, as a share of a month's quota",
    )
    roll_over_expiry_months: int = field(
        "Roll-over expires after",
        "whole",
        "count",
        default=FROM_DATA,
        key="roll_over_expiry_months",
        low=0,
        high=3,
        note="0 none, 1, 2 months; 3 = never",
    )
    contract_reset_month: int | None = field(
        "Contract year starts in month",
        "whole",
        "index",
        default=None,
        low=1,
        high=12,
        note="Calendar month 1 to 12 that starts with nothing carried. Empty: none",
    )
    burst_share: float = field(
        "Burst over committed",
        "share",
        "share",
        default=FROM_DATA,
        key="burst_share",
        low=0,
        high=10,
        note="Contract level: up to so much over the committed tokens",
    )
    overage_rate_per_mtok: float | None = field(
        "Overage rate",
        "money",
        "money/Mtok",
        default=None,
        low=0,
        format="price",
        note="For tokens over quota. Empty: charges are withheld",
    )
    refund_rate_per_mtok: float = field(
        "Refund rate",
        "money",
        "money/Mtok",
        default=FROM_DATA,
        key="refund_rate_per_mtok",
        low=0,
        format="price",
        note="Used with the refund policy",
    )


class Credits(Row):
    """Service credits."""

    monthly_fee: float | None = field(
        "Monthly fee",
        "money",
        "money/month",
        default=None,
        low=0,
        note="What credits are a share of. The guide leaves it open",
    )
    credit_availability: float | None = field(
        "Credit, availability missed", "share", "share", default=None, low=0, high=1, note="Share of the fee"
    )
    credit_latency: float | None = field(
        "Credit, latency missed", "share", "share", default=None, low=0, high=1, note="Share of the fee"
    )
    credit_cap: float = field(
        "Credits capped at",
        "share",
        "share",
        default=FROM_DATA,
        key="credit_cap",
        low=0,
        high=10,
        note="Share of the fee, both together",
    )
    breach_chance_availability: float | None = field(
        "Chance of missing availability", "share", "share", default=None, low=0, high=1, note="A month, your estimate"
    )
    breach_chance_latency: float | None = field(
        "Chance of missing latency", "share", "share", default=None, low=0, high=1, note="A month, your estimate"
    )
    cure_cost_per_month: float | None = field(
        "Cost of a cure a month", "money", "money/month", default=None, low=0, note="For example one more replica"
    )
