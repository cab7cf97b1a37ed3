"""The table tabs: a row model each, and what the tables have in common."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from planner.inputs.field import Row, Spec, field, specs
from planner.inputs.pool_table import PoolRow
from planner.inputs.portfolio import RangeRow, RegionRow, RouteRow, ScenarioRow, ServiceTierRow, UseCaseRow
from planner.inputs.portfolio_tables import ActionRow, InstrumentRow, RunbookRow


class ModelRow(Row):
    """A model and how it is served. Blank figures are looked up in the reference tables."""

    model: str = field(
        "Model", "text", listed="all_models", free=True, width=24, note="From the list, or your own name"
    )
    deployment: str = field(
        "Deployment", "choice", default=None, choices=("api", "on_prem"), width=11, note="Empty: as the plan"
    )
    token_share: float | None = field(
        "Token share", "share", "share", default=None, low=0, high=1, width=9, note="All rows together 100 %"
    )
    precision: str = field(
        "Precision", "choice", default=None, choices=("fp16", "fp8", "int4", "fp4"), width=9, note="Empty: fp16"
    )
    gpu: str = field("GPU", "text", default=None, listed="gpuref_gpu", free=True, width=16)
    tokens_per_s_per_gpu: float | None = field(
        "Tokens/s per GPU",
        "number",
        "token/s/GPU",
        default=None,
        low=1e-6,
        high=1e7,
        format="rate1",
        note="Empty: the reference speed",
    )
    throughput_basis: str = field(
        "Throughput basis",
        "choice",
        default=None,
        choices=("total", "output", "split"),
        width=11,
        note="What the speed counts",
    )
    prefill_tokens_per_s_per_gpu: float | None = field(
        "Prefill tokens/s per GPU",
        "number",
        "token/s/GPU",
        default=None,
        low=1e-6,
        high=1e8,
        format="rate1",
        note="Split basis only",
    )
    gpus_per_replica: float | None = field(
        "GPUs per replica",
        "whole",
        "GPU/replica",
        default=None,
        low=1,
        high=1024,
        width=9,
        note="Empty: smallest that fits",
    )
    gpu_price_per_hour: float | None = field(
        "GPU price per hour",
        "money",
        "money/GPU/h",
        default=None,
        low=0,
        format="per_gpu_hour",
        note="Empty: the reference price",
    )
    input_price_per_mtok: float | None = field(
        "Input price per Mtok",
        "money",
        "money/Mtok",
        default=None,
        low=0,
        format="price",
        note="Empty: the reference price",
    )
    cached_input_price_per_mtok: float | None = field(
        "Cached input price per Mtok", "money", "money/Mtok", default=None, low=0, format="price"
    )
    output_price_per_mtok: float | None = field(
        "Output price per Mtok", "money", "money/Mtok", default=None, low=0, format="price"
    )
    batch_input_price_per_mtok: float | None = field(
        "Batch input price per Mtok", "money", "money/Mtok", default=None, low=0, format="price"
    )
    batch_output_price_per_mtok: float | None = field(
        "Batch output price per Mtok", "money", "money/Mtok", default=None, low=0, format="price"
    )
    long_context_share: float | None = field(
        "Long-context share",
        "share",
        "share",
        default=None,
        low=0,
        high=1,
        width=9,
        note="Share of tokens in requests above the limit",
    )
    long_input_price_per_mtok: float | None = field(
        "Long input price per Mtok", "money", "money/Mtok", default=None, low=0, format="price"
    )
    long_output_price_per_mtok: float | None = field(
        "Long output price per Mtok", "money", "money/Mtok", default=None, low=0, format="price"
    )
    prefix_hit_share: float | None = field(
        "Prefix hit share",
        "share",
        "share",
        default=None,
        low=0,
        high=1,
        width=9,
        note="Split basis: input already in the KV cache",
    )
    weights_gb: float | None = field(
        "Weights, GB", "number", "GB/replica", default=None, low=0.01, high=1e6, width=9, format="gb"
    )
    kv_bytes_per_token: float | None = field("KV bytes per token", "number", "B/token", default=None, low=0, high=1e9)
    sequences_at_once: float | None = field(
        "Sequences at once",
        "whole",
        "request/replica",
        default=None,
        low=1,
        high=100000,
        width=10,
        note="Batch of a replica at the speed given; empty: all that its memory holds",
    )
    ttft_s: float | None = field(
        "TTFT, s", "number", "s", default=None, low=0, high=1000, width=8, format="fine", note="Your measured p99"
    )
    tpot_s: float | None = field(
        "TPOT, s", "number", "s/token", default=None, low=0, high=100, width=8, format="fine", note="Your measured p99"
    )
    source: str = field("Source", "text", default=None, width=40, note="Where the figures come from")


class TenantRow(Row):
    """A tenant and its claim on the tokens."""

    tenant: str = field("Tenant", "text", width=26)
    owner: str = field("Owner", "text", default=None, width=18)
    priority: str = field("Priority", "choice", default=None, choices=("high", "medium", "low"), width=10)
    quota_share: float | None = field(
        "Quota share", "share", "share", default=None, low=0, high=1, width=10, note="All rows together 100 %"
    )
    burst_multiple: float | None = field(
        "Burst multiple", "factor", "factor", default=None, low=1, high=100, width=10, note="Empty: no burst"
    )
    fallback: str = field(
        "Fallback",
        "choice",
        default=None,
        choices=("guaranteed", "best_effort", "reject"),
        width=13,
        note="Beyond the burst",
    )
    cost_centre: str = field("Cost centre", "text", default=None, width=12)
    start_date: dt.date | None = field(
        "Starts on", "date", "day", default=None, width=13, note="Empty: from the first month"
    )


def _month_fields() -> dict[str, Any]:
    return {
        f"m{i}": (
            float | None,
            field(f"M{i}", "number", "count", default=None, low=0, high=1e12, width=7, format="weight"),
        )
        for i in range(1, 13)
    }


class CurveRow(Row):
    """How a year falls over its twelve months: weights, normalised to their sum, or a logistic S."""

    curve: str = field("Curve", "text", width=14)
    label: str = field("Label", "text", default=None, width=20)
    kind: str = field("Kind", "choice", default=None, choices=("shares", "logistic"), width=10, note="Empty: shares")
    clock: str = field(
        "Clock",
        "choice",
        default=None,
        choices=("plan", "calendar"),
        width=10,
        note="M1 is the plan's first month, or January",
    )
    m1: float | None = _month_fields()["m1"][1]
    m2: float | None = _month_fields()["m2"][1]
    m3: float | None = _month_fields()["m3"][1]
    m4: float | None = _month_fields()["m4"][1]
    m5: float | None = _month_fields()["m5"][1]
    m6: float | None = _month_fields()["m6"][1]
    m7: float | None = _month_fields()["m7"][1]
    m8: float | None = _month_fields()["m8"][1]
    m9: float | None = _month_fields()["m9"][1]
    m10: float | None = _month_fields()["m10"][1]
    m11: float | None = _month_fields()["m11"][1]
    m12: float | None = _month_fields()["m12"][1]
    midpoint: float | None = field(
        "Midpoint",
        "number",
        "count",
        default=None,
        low=-100,
        high=100,
        width=9,
        format="fine",
        note="Logistic: month of steepest growth",
    )
    steepness: float | None = field(
        "Steepness",
        "number",
        "count",
        default=None,
        low=0.001,
        high=10,
        width=9,
        format="fine",
        note="Logistic: per month",
    )


class PhaseRow(Row):
    """A stretch of months with a milestone."""

    phase: str = field("Phase", "text", width=14)
    month_start: float | None = field("From month", "whole", "index", default=None, low=1, high=60, width=9)
    month_end: float | None = field("To month", "whole", "index", default=None, low=1, high=60, width=9)
    guide_share: float | None = field(
        "Guide's share", "share", "share", default=None, low=0, high=1, width=9, note="For comparison only"
    )
    resource: str = field("Resources", "text", default=None, width=30)
    milestone: str = field("Milestone", "text", default=None, width=30)


class TierRow(Row):
    """What a service tier promises."""

    sla_tier: str = field("SLA tier", "text", width=18)
    label: str = field("Label", "text", default=None, width=18)
    min_replicas: float | None = field("Minimum replicas", "whole", "replica", default=None, low=0, high=1000, width=9)
    spare_replicas: float | None = field(
        "Spare replicas", "whole", "replica", default=None, low=0, high=1000, width=9, note="HA basis spare"
    )
    availability: float | None = field(
        "Availability", "share", "share", default=None, low=0, high=1, width=11, format="share3"
    )
    ttft_ms: float | None = field("TTFT p99, ms", "number", "ms", default=None, low=0, high=1e7, width=9)
    tpot_ms: float | None = field(
        "TPOT, ms", "number", "ms/token", default=None, low=0.001, high=1e6, width=9, format="rate1"
    )
    e2e_s: float | None = field("End to end, s", "number", "s", default=None, low=0, high=1e6, width=9, format="rate1")
    output_tokens: float | None = field(
        "Output tokens to carry", "whole", "token", default=None, low=1, high=1e8, width=10
    )
    error_rate: float | None = field(
        "Error rate", "share", "share", default=None, low=0, high=1, width=9, format="share3"
    )
    auto_retries: float | None = field("Automatic retries", "whole", "count", default=None, low=0, high=100, width=9)
    throughput: str = field("Throughput", "text", default=None, width=22)


class LeverRow(Row):
    """A way to save, with what it acts on."""

    lever: str = field("Lever", "text", width=26)
    on: str = field("On", "yes_no", default=None, choices=("yes", "no"), width=7)
    eligible_share: float | None = field(
        "Eligible share", "share", "share", default=None, low=0, high=1, width=9, note="Of the spend it acts on"
    )
    saving_low: float | None = field("Saving, low", "share", "share", default=None, low=0, high=1, width=9)
    saving_expected: float | None = field("Saving, expected", "share", "share", default=None, low=0, high=1, width=9)
    saving_high: float | None = field("Saving, high", "share", "share", default=None, low=0, high=1, width=9)
    acts_on_input: str = field("Acts on input", "yes_no", default=None, choices=("yes", "no"), width=9)
    acts_on_output: str = field("Acts on output", "yes_no", default=None, choices=("yes", "no"), width=9)
    acts_on_gpu: str = field("Acts on GPUs", "yes_no", default=None, choices=("yes", "no"), width=9)
    same_as: str = field(
        "Same as input",
        "choice",
        default=None,
        choices=("cached_input_share", "batch_share", "routing"),
        width=19,
        note="Do not count both",
    )
    trade_off: str = field("Trade-off", "text", default=None, width=34)


class ThresholdRow(Row):
    """When a figure becomes watch, risk or critical. The product's own figures: yours to set."""

    metric: str = field("Metric", "text", width=22, locked=True)
    label: str = field("What it watches", "text", default=None, width=44, locked=True)
    unit: str = field("Unit", "text", default=None, width=10, locked=True)
    direction: float | None = field(
        "Direction", "number", "factor", default=None, low=-1, high=1, width=9, locked=True, note="1: higher is worse"
    )
    watch: float | None = field(
        "Watch from", "number", "factor", default=None, low=-1e15, high=1e15, width=11, format="fine"
    )
    risk: float | None = field(
        "Risk from", "number", "factor", default=None, low=-1e15, high=1e15, width=11, format="fine"
    )
    critical: float | None = field(
        "Critical from", "number", "factor", default=None, low=-1e15, high=1e15, width=11, format="fine"
    )
    owner: str = field("Owner", "text", default=None, width=22)


@dataclass(frozen=True)
class Table:
    """A table tab. `axis` names its rows, `prefix` the names of its columns in formulas, `spare` the rows kept free;
    `portfolio` tables belong to plans with a ledger.
    """

    tab: str
    axis: str
    row: type[Row]
    spare: int
    unique: bool = False
    fixed: bool = False
    portfolio: bool = False

    @property
    def specs(self) -> dict[str, Spec]:
        """The columns, by key."""
        return specs(self.row)

    @property
    def first(self) -> str:
        """The key of the column that names a row; a row without it is a spare row."""
        return next(iter(self.row.model_fields))

    def name(self, key: str) -> str:
        """How a column is called in lines: `model_token_share`, `tier_availability`, `model_name`."""
        return f"{self.axis}_name" if key == self.first else f"{self.axis}_{key}"


TABLES: tuple[Table, ...] = (
    Table("Models", "model", ModelRow, 3),
    Table("Tenants", "tenant", TenantRow, 3),
    Table("Pools", "pool", PoolRow, 3),
    Table("Supply", "instrument", InstrumentRow, 2),
    Table("Actions", "action", ActionRow, 0, unique=True, fixed=True),
    Table("Runbooks", "runbook", RunbookRow, 2),
    Table("Curves", "curve", CurveRow, 2, unique=True),
    Table("Phases", "phase", PhaseRow, 2, unique=True),
    Table("SLA tiers", "tier", TierRow, 2, unique=True),
    Table("Levers", "lever", LeverRow, 2, unique=True),
    Table("Thresholds", "threshold", ThresholdRow, 0, unique=True, fixed=True),
    Table("Ledger", "use_case", UseCaseRow, 3, unique=True, portfolio=True),
    Table("Routing", "route", RouteRow, 3, portfolio=True),
    Table("Tiers", "service_tier", ServiceTierRow, 1, unique=True, portfolio=True),
    Table("Regions", "region", RegionRow, 1, unique=True, portfolio=True),
    Table("Scenarios", "scenario", ScenarioRow, 1, unique=True, portfolio=True),
    Table("Ranges", "range", RangeRow, 2, unique=True, portfolio=True),
)
PLAN_TAB = "Plan"
