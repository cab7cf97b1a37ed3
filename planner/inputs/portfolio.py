"""The portfolio's tables and switches: use cases, service tiers, regions, scenarios."""

from __future__ import annotations

import datetime as dt

from planner.inputs.field import FROM_DATA, Row, field


class UseCaseRow(Row):
    """A use case: who owns it, what it asks for, what it is worth, and what limits where it may run."""

    use_case: str = field("Use case", "text", width=30)
    owner: str = field("Owner", "text", default=None, width=18, note="Answers for the demand")
    tenant: str = field("Tenant", "text", default=None, listed="tenant_name", width=18, note="A row of Tenants")
    service_tier: str = field(
        "Tier", "choice", default=None, listed="service_tier_name", width=10, note="A row of Tiers"
    )
    model: str = field("Model", "text", default=None, listed="model_name", width=20, note="A row of Models")
    region: str = field("Region", "text", default=None, listed="region_name", width=12, note="Where it is used")
    residency: str = field(
        "Residency", "text", default=None, listed="region_name", width=12, note="Only there may it run. Empty: anywhere"
    )
    modality: str = field(
        "Modality", "choice", default=None, choices=("text", "vision", "audio", "code", "agent"), width=10
    )
    approval: str = field(
        "Approval",
        "choice",
        default=None,
        choices=("production", "approved", "proposed", "stopped"),
        width=12,
        note="production and approved count; proposed, or empty, where a scenario says so",
    )
    users: float | None = field("Users", "number", "user", default=None, low=0, high=1e10, width=10, format="tokens")
    transactions_per_user: float | None = field(
        "Transactions per user, month", "number", "transaction/user/month", default=None, low=0, high=1e7, width=12
    )
    requests_per_transaction: float | None = field(
        "Requests per transaction",
        "number",
        "request/transaction",
        default=None,
        low=0,
        high=1e4,
        width=12,
        note="Model calls; agents make many",
    )
    input_tokens: float | None = field(
        "Input tokens per request", "number", "token/request", default=None, low=0, high=1e8, width=10, format="tokens"
    )
    output_tokens: float | None = field(
        "Output tokens per request", "number", "token/request", default=None, low=0, high=1e8, width=10, format="tokens"
    )
    input_tokens_p95: float | None = field(
        "Input tokens, p95", "number", "token/request", default=None, low=0, high=1e8, width=10, format="tokens",
        note="For the record",
    )  # fmt: skip
    output_tokens_p95: float | None = field(
        "Output tokens, p95", "number", "token/request", default=None, low=0, high=1e8, width=10, format="tokens",
        note="For the record",
    )  # fmt: skip
    cached_input_share: float | None = field(
        "Cached input share", "share", "share", default=None, low=0, high=1, width=9, note="Billed at the cached price"
    )
    retry_rate: float | None = field(
        "Retry rate", "share", "share", default=None, low=0, high=4, width=9, note="Repeated calls on top"
    )
    operating_days: float | None = field(
        "Operating days a month", "number", "day/month", default=None, low=1, high=31, width=10, note="Empty: all days"
    )
    operating_hours: float | None = field(
        "Operating hours a day", "number", "h/day", default=None, low=0.5, high=24, width=10, note="Empty: 24"
    )
    peak_factor: float | None = field(
        "Peak factor, hour", "factor", "factor", default=None, low=1, high=1000, width=9,
        note="Busiest hour against the mean operating hour. Empty: 1",
    )  # fmt: skip
    e2e_s: float | None = field(
        "Response time, s", "number", "s", default=None, low=0.01, high=1e6, width=9, note="Empty: as its tier"
    )
    concurrency: float | None = field(
        "Concurrency", "number", "request", default=None, low=0, high=1e8, width=11,
        note="Requests at once at full adoption. Empty: from rate and response time",
    )  # fmt: skip
    adoption_start: float | None = field(
        "Adoption from month", "whole", "index", default=None, low=-60, high=60, width=10, note="Empty: month 1"
    )
    adoption_end: float | None = field(
        "Adoption to month", "whole", "index", default=None, low=-60, high=120, width=10, note="Empty: at once"
    )
    adoption_from: float | None = field(
        "Adoption, first", "share", "share", default=None, low=0, high=1, width=9, note="Empty: 0 %"
    )
    adoption_to: float | None = field(
        "Adoption, full", "share", "share", default=None, low=0, high=1, width=9, note="Empty: 100 %"
    )
    adoption_shape: str = field(
        "Adoption shape",
        "choice",
        default=None,
        choices=("step", "linear", "fast", "slow", "smooth", "logistic"),
        width=10,
        note="Empty: linear",
    )
    outcome: str = field("Outcome", "text", default=None, width=20, note="What one success is called")
    outcomes_per_month: float | None = field(
        "Outcomes a month", "number", "outcome/month", default=None, low=0, high=1e12, width=11, format="tokens",
        note="At full adoption",
    )  # fmt: skip
    value_per_outcome: float | None = field(
        "Value per outcome", "money", "money/outcome", default=None, low=0, high=1e12, width=10, format="price"
    )
    fallback_path: str = field("Fallback path", "text", default=None, width=26, note="What runs when supply is short")
    last_failover_test: dt.date | None = field("Last failover test", "date", "day", default=None, width=13)


class RouteRow(Row):
    """A route: a share of a use case's requests that another model answers, with what limits it there."""

    route: str = field("Route", "text", width=24, note="small first, premium, …")
    use_case: str = field("Use case", "text", default=None, listed="use_case_name", width=30, note="A row of Ledger")
    model: str = field(
        "Model", "text", default=None, listed="model_name", width=20, note="Answers instead; a row of Models"
    )
    request_share: float | None = field(
        "Request share", "share", "share", default=None, low=0, high=1, width=10,
        note="The rest stays on its own model",
    )  # fmt: skip
    quality_score: float | None = field(
        "Quality score", "share", "share", default=None, low=0, high=1, width=10, note="Of your own evaluation"
    )
    quality_floor: float | None = field(
        "Quality floor", "share", "share", default=None, low=0, high=1, width=10, note="Below it the route is flagged"
    )
    calls_limit: float | None = field(
        "Calls limit", "number", "request/transaction", default=None, low=0, high=1e4, width=12,
        note="Per transaction: an agent loop ends here",
    )  # fmt: skip
    retry_limit: float | None = field(
        "Retry limit", "share", "share", default=None, low=0, high=4, width=10,
        note="Largest rate of repeats",
    )  # fmt: skip
    context_reduction: float | None = field(
        "Context reduction", "share", "share", default=None, low=0, high=1, width=10,
        note="Input tokens left out",
    )  # fmt: skip
    note: str = field("Note", "text", default=None, width=52, note="Which requests, and how they are told apart")


class ServiceTierRow(Row):
    """A service tier, in the order in which it is served when supply is short."""

    service_tier: str = field("Tier", "text", width=12, note="The order of rows is the order of service")
    label: str = field("Label", "text", default=None, width=34)
    action: str = field(
        "Action in scarcity",
        "choice",
        default=None,
        choices=("protect", "shape", "defer", "pause"),
        width=12,
        note="Empty: pause",
    )
    floor_share: float | None = field(
        "Floor", "share", "share", default=None, low=0, high=1, width=9, note="shape: never below this share"
    )
    deadline_months: float | None = field(
        "Deadline, months", "whole", "count", default=None, low=0, high=3, width=9, note="defer: 0 to 3 months later"
    )
    sla_tier: str = field("SLA tier", "choice", default=None, listed="tier_name", width=16, note="A row of SLA tiers")
    headroom_share: float | None = field(
        "Headroom", "share", "share", default=None, low=0, high=10, width=9, note="On peak demand, for resilience"
    )
    failover_needed: str = field("Failover needed", "yes_no", default=None, choices=("yes", "no"), width=9)


class RegionRow(Row):
    """A region where use cases are used and pools stand."""

    region: str = field("Region", "text", width=14)
    label: str = field("Label", "text", default=None, width=34)


class ScenarioRow(Row):
    """A scenario: multipliers on the plan, and what is lost. Empty is 1 or nothing."""

    scenario: str = field("Scenario", "text", width=14)
    label: str = field("Label", "text", default=None, width=34)
    users_factor: float | None = field("Users", "factor", "factor", default=None, low=0, high=100, width=9)
    adoption_factor: float | None = field(
        "Adoption", "factor", "factor", default=None, low=0, high=100, width=9, note="Adopted share, at most 100 %"
    )
    calls_factor: float | None = field("Calls per task", "factor", "factor", default=None, low=0, high=100, width=9)
    tokens_factor: float | None = field("Tokens per call", "factor", "factor", default=None, low=0, high=100, width=9)
    peak_factor: float | None = field("Peak", "factor", "factor", default=None, low=0, high=100, width=9)
    throughput_factor: float | None = field(
        "Throughput", "factor", "factor", default=None, low=0.01, high=100, width=10, note="Speed of GPUs"
    )
    price_factor: float | None = field(
        "Prices", "factor", "factor", default=None, low=0, high=100, width=9, note="Of tokens and of GPUs"
    )
    include_proposed: str = field("Proposed in", "yes_no", default=None, choices=("yes", "no"), width=9)
    supply_factor: float | None = field(
        "Supply", "factor", "factor", default=None, low=0, high=100, width=9, note="Of all pools"
    )
    lost_pool: str = field("Pool lost", "text", default=None, listed="pool_name", width=14)
    lost_region: str = field("Region lost", "text", default=None, listed="region_name", width=14)
    headroom_add: float | None = field(
        "Headroom on top", "share", "share", default=None, low=0, high=10, width=10, note="Beside the tier's own"
    )
    migrate_from: str = field(
        "Model left", "text", default=None, listed="model_name", width=20, note="Its use cases move"
    )
    migrate_to: str = field("Model taken", "text", default=None, listed="model_name", width=20)


LEDGER_FIELDS = (
    "users", "adoption_to", "transactions_per_user", "requests_per_transaction", "input_tokens", "output_tokens",
    "retry_rate", "peak_factor",
)  # fmt: skip


class RangeRow(Row):
    """What nobody knows for sure: low, expected and high, and what it acts on."""

    range: str = field("Driver", "text", width=18)
    label: str = field("Label", "text", default=None, width=34)
    use_case: str = field(
        "Use case", "text", default=None, listed="use_case_name", width=26, note="A row of Ledger. Empty: the plan"
    )
    ledger_field: str = field(
        "Field of Ledger", "choice", default=None, choices=LEDGER_FIELDS, width=22,
        note="What of the use case is ranged. Then Acts on and Effect stay empty",
    )  # fmt: skip
    acts_on: str = field(
        "Acts on", "choice", default=None, choices=("tokens", "peak", "speed", "price"), width=10,
        note="Of the whole plan. Empty: nothing",
    )  # fmt: skip
    effect: str = field(
        "Effect", "choice", default=None, choices=("times", "one_plus"), width=10,
        note="times: as the value. one_plus: 1 + the value, for rates",
    )  # fmt: skip
    low: float | None = field("Low", "number", "factor", default=None, low=0, high=1e15, width=11, format="fine")
    expected: float | None = field(
        "Expected", "number", "factor", default=None, low=0, high=1e15, width=11, format="fine",
        note="Of a use case: empty is what Ledger says",
    )  # fmt: skip
    high: float | None = field("High", "number", "factor", default=None, low=0, high=1e15, width=11, format="fine")


class Portfolio(Row):
    """Portfolio."""

    scenario_shown: str = field(
        "Scenario shown",
        "choice",
        default=FROM_DATA,
        key="scenario_shown",
        listed="scenario_name",
        note="Charts and detail of the portfolio follow it; a row of Scenarios",
    )
    coincidence: float = field(
        "Peaks at once",
        "share",
        "share",
        default=FROM_DATA,
        key="coincidence",
        low=0.01,
        high=1,
        note="Ledger: how much of the sum of all use cases' peaks falls into one hour; 100 % is cautious",
    )
    shortage_supply: str = field(
        "Supply when it is short",
        "choice",
        default=FROM_DATA,
        key="shortage_supply",
        choices=("available", "effective"),
        note="available: all GPUs that work. effective: whole replicas up to the utilisation ceiling",
    )
    range_figure: str = field(
        "Figure that is ranged",
        "choice",
        default=FROM_DATA,
        key="range_figure",
        choices=("tokens", "gpus", "tco", "unit_cost"),
        note="The tornado on Uncertainty follows it",
    )
    range_draws: float = field(
        "Random draws", "whole", "count", default=FROM_DATA, key="range_draws", low=0, high=1e5,
        note="For P10, P50 and P90 on Uncertainty, computed at build; 0: none",
    )  # fmt: skip
    range_seed: float = field(
        "Seed of the draws", "whole", "index", default=FROM_DATA, key="range_seed", low=0, high=1e9,
        note="The same seed draws the same numbers",
    )  # fmt: skip
