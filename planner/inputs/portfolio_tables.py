"""The Supply table: instruments that capacity is bought with, and the fallback paths."""

from __future__ import annotations

import datetime as dt

from planner.inputs.field import Row, field


class InstrumentRow(Row):
    """A way to get capacity, or to do without it."""

    instrument: str = field("Instrument", "text", width=24)
    instrument_kind: str = field(
        "Kind", "choice", default=None, choices=("committed", "elastic", "fallback"), width=11, note="Empty: elastic"
    )
    unit_kind: str = field(
        "Bought in",
        "choice",
        default=None,
        choices=("gpu", "provisioned"),
        width=11,
        note="GPUs, or units of provisioned throughput",
    )
    provider: str = field("Provider", "text", default=None, width=16)
    region: str = field("Region", "text", default=None, width=12)
    gpu: str = field("GPU", "text", default=None, listed="gpuref_gpu", free=True, width=16)
    model: str = field(
        "Model", "text", default=None, listed="all_models", free=True, width=18, note="Provisioned units and fallback"
    )
    pool: str = field("Pool", "text", default=None, width=14, note="Empty: the first with this GPU")
    price_per_unit_hour: float | None = field(
        "Price per unit-hour", "money", "money/unit/h", default=None, low=0, format="per_gpu_hour", width=10
    )
    elastic_price_per_unit_hour: float | None = field(
        "Price without commitment",
        "money",
        "money/unit/h",
        default=None,
        low=0,
        format="per_gpu_hour",
        width=12,
        note="Of the same unit; empty: the GPU price on Models",
    )
    increment: float | None = field(
        "Increment", "whole", "unit", default=None, low=1, high=1e6, width=10, note="Empty: 1"
    )
    minimum: float | None = field("Minimum", "whole", "unit", default=None, low=0, high=1e6, width=9)
    term_months: float | None = field(
        "Term, months", "whole", "index", default=None, low=1, high=600, width=8, note="Empty: no end"
    )
    lead_time_days: float | None = field("Lead time, days", "whole", "day", default=None, low=0, high=3650, width=9)
    quantity_available: float | None = field(
        "Quantity available", "whole", "unit", default=None, low=0, high=1e7, width=10, note="Empty: no limit known"
    )
    quantity_ordered: float | None = field(
        "Quantity ordered", "whole", "GPU", default=None, low=0, high=1e7, width=10, note="Signed for, in GPUs"
    )
    starts_on: dt.date | None = field(
        "Starts on", "date", "day", default=None, width=13, note="Empty: from the first month"
    )
    typed_level: float | None = field(
        "Level to compare",
        "whole",
        "unit",
        default=None,
        low=0,
        high=1e7,
        width=10,
        note="Its cost is shown beside; of a second commitment for the same: its level",
    )
    unit_rate_per_min: float | None = field(
        "Tokens/min per unit",
        "number",
        "token/min/unit",
        default=None,
        low=1e-6,
        high=1e9,
        format="rate1",
        width=10,
        note="Normalised; provisioned units",
    )
    output_weight: float | None = field(
        "Output weight", "factor", "factor", default=None, low=0, high=1000, width=9, note="Empty: 1"
    )
    path: str = field(
        "Fallback path",
        "choice",
        default=None,
        choices=("smaller_model", "other_provider", "less_context", "later", "rules"),
        width=16,
    )
    eligible_share: float | None = field(
        "Eligible share", "share", "share", default=None, low=0, high=1, width=9, note="Of the model's load"
    )
    relief_share: float | None = field(
        "Relief share", "share", "share", default=None, low=0, high=1, width=9, note="Of the GPUs for it, set free"
    )
    last_test: dt.date | None = field("Last test", "date", "day", default=None, width=13)
    owner: str = field("Owner", "text", default=None, width=18)


class ActionRow(Row):
    """What may be done when a pool breaks or the plan does not fit; the conditions are the product's, limits yours."""

    action: str = field("Action", "text", width=16, locked=True)
    label: str = field("What is done", "text", default=None, width=20, locked=True)
    condition: str = field("When", "text", default=None, width=55, locked=True)
    on: str = field("On", "yes_no", default=None, choices=("yes", "no"), width=7)
    limit: float | None = field(
        "Limit", "share", "share", default=None, low=0, high=1, width=9, note="The condition's own figure"
    )
    absorbs_share: float | None = field(
        "Absorbs at most", "share", "share", default=None, low=0, high=1, width=10, note="Of the load or the gap"
    )
    owner: str = field("Owner", "text", default=None, width=18)


class RunbookRow(Row):
    """How a critical service fails over."""

    service: str = field("Service", "text", width=24)
    service_tier: float | None = field(
        "Tier", "whole", "index", default=None, low=1, high=4, width=7, note="1 to 4; a runbook is a duty for tier 1"
    )
    provider: str = field("Provider", "text", default=None, width=16, note="Who serves it today")
    region: str = field("Region", "text", default=None, width=12)
    model: str = field("Model", "text", default=None, listed="all_models", free=True, width=18)
    trigger: str = field("Trigger", "text", default=None, width=30, note="The figure that starts it")
    executive: str = field("Executive", "text", default=None, width=18, note="Who decides")
    alternate: str = field("Alternate", "text", default=None, width=24, note="Model, provider or region instead")
    alternate_provider: str = field("Alternate's provider", "text", default=None, width=16)
    reductions: str = field("Reductions", "text", default=None, width=28, note="What is switched off")
    communication: str = field("Communication", "text", default=None, width=28)
    validation: str = field("Validation", "text", default=None, width=28, note="How quality is checked")
    last_test: dt.date | None = field("Last test", "date", "day", default=None, width=13, note="Under real load")
