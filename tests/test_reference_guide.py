"""Reference rows that come from the planning guide, and the product's own ones."""

from __future__ import annotations

import pytest
from refdata import MONTHS, VERIFY, by_key, table

# The guide's rows ---------------------------------------------------------------------------------------------------

GUIDE_API = [
    ("GPT-4o", "openai", 2.50, 10.00, 0.3, 0.01, "2027-01-14"),
    ("GPT-4o-mini", "openai", 0.15, 0.60, 0.2, 0.005, "2027-01-14"),
    ("Claude 3.5 Sonnet", "anthropic", 3.00, 15.00, 0.5, 0.02, ""),
    ("Claude 3 Haiku", "anthropic", 0.25, 1.25, 0.2, 0.008, ""),
]


@pytest.mark.parametrize(("model", "provider", "price_in", "price_out", "ttft", "tpot", "withdrawn"), GUIDE_API)
def test_guide_prices_and_latencies(model, provider, price_in, price_out, ttft, tpot, withdrawn):
    row = by_key("api_models")[model]
    assert (row["provider"], row["verify"], row["source"]) == (provider, VERIFY, "planning guide 3.1")
    assert (float(row["input_usd_per_mtok"]), float(row["output_usd_per_mtok"])) == (price_in, price_out)
    assert (float(row["ttft_s"]), float(row["tpot_s"])) == (ttft, tpot)
    blank = ["cached_input_usd_per_mtok", "batch_input_usd_per_mtok", "batch_output_usd_per_mtok"]
    blank += ["context_window_tokens", "long_context_limit_tokens", "long_input_usd_per_mtok"]
    assert not any(row[column] for column in blank)
    assert row["withdrawal_date"] == withdrawn
    assert ("carried from the list row" in row["note"]) == bool(withdrawn)


GUIDE_THROUGHPUT = [
    ("Llama 3 8B", 800, "Llama 3.1 8B"),
    ("Llama 3 70B", 150, "Llama 3.1 70B"),
    ("Qwen 72B", 120, "Llama 3.1 70B"),
    ("Mixtral 8x7B", 200, "Mixtral 8x7B"),
]


@pytest.mark.parametrize(("model", "rate", "compared"), GUIDE_THROUGHPUT)
def test_guide_throughput(model, rate, compared):
    row = by_key("throughput")[f"{model}|A100-80GB-SXM|fp16"]
    assert float(row["tokens_per_s_per_gpu"]) == rate
    assert (row["throughput_basis"], row["verify"], row["source"]) == ("total", VERIFY, "planning guide 3.2")
    assert f"OUTPUT tokens/s per GPU of {compared}" in row["note"]


@pytest.mark.parametrize(
    ("model", "low", "high"),
    [
        ("Llama 3 8B", 825.1, 3786.8),
        ("Llama 3 70B", 31.0, 480.4),
        ("Qwen 72B", 31.0, 480.4),
        ("Mixtral 8x7B", 375.1, 1780.7),
    ],
)
def test_range_beside_the_guide_throughput(model, low, high):
    row = by_key("throughput")[f"{model}|A100-80GB-SXM|fp16"]
    assert (float(row["low_tokens_per_s_per_gpu"]), float(row["high_tokens_per_s_per_gpu"])) == (low, high)


def test_the_guide_rows_come_first():
    assert [row["model"] for row in table("api_models")[:4]] == [case[0] for case in GUIDE_API]
    assert [row["model"] for row in table("throughput")[:4]] == [case[0] for case in GUIDE_THROUGHPUT]
    assert [row["model"] for row in table("models")[:4]] == [case[0] for case in GUIDE_THROUGHPUT]


@pytest.mark.parametrize(
    ("tier", "replicas", "spare", "availability", "ttft_ms", "tpot_ms", "e2e_s", "error_rate", "retries", "throughput"),
    [
        ("business_critical", 2, 1, 0.999, 500, 20, 5, 0.001, 3, "As agreed per model"),
        ("standard", 1, 1, 0.995, 1000, 50, 10, 0.01, 1, "As agreed"),
        ("best_effort", 1, 0, 0.99, 3000, 100, 30, 0.05, 0, "Best effort"),
    ],
)
def test_sla_tiers(tier, replicas, spare, availability, ttft_ms, tpot_ms, e2e_s, error_rate, retries, throughput):
    row = by_key("sla_tiers")[tier]
    assert (int(row["min_replicas"]), int(row["spare_replicas"])) == (replicas, spare)
    assert float(row["availability"]) == availability
    assert (float(row["ttft_ms"]), float(row["tpot_ms"]), float(row["e2e_s"])) == (ttft_ms, tpot_ms, e2e_s)
    assert (int(row["output_tokens"]), float(row["error_rate"]), int(row["auto_retries"])) == (
        1000,
        error_rate,
        retries,
    )
    assert row["throughput"] == throughput
    assert "product default" in row["source"] and "replicas are the product default" in row["note"]


@pytest.mark.parametrize(
    ("phase", "start", "end", "share", "resource", "milestone"),
    [
        ("Pilot", 1, 2, 0.05, "Minimal / shared infra", "Validate model choice"),
        ("Ramp-up", 3, 6, 0.25, "Scale to 50% capacity", "Core feature launch"),
        ("Scale", 7, 10, 0.50, "Full capacity", "Business-as-usual"),
        ("Steady", 11, 12, 0.20, "Maintain + buffer", "Optimize cost"),
    ],
)
def test_phases(phase, start, end, share, resource, milestone):
    row = by_key("phases")[phase]
    assert (int(row["month_start"]), int(row["month_end"]), float(row["guide_share"])) == (start, end, share)
    assert (row["resource"], row["milestone"]) == (resource, milestone)


def test_phases_cover_the_year_once():
    months = [m for row in table("phases") for m in range(int(row["month_start"]), int(row["month_end"]) + 1)]
    assert months == list(range(1, 13))
    assert sum(float(row["guide_share"]) for row in table("phases")) == pytest.approx(1)


@pytest.mark.parametrize(
    ("lever", "low", "expected", "high", "acts", "trade_off"),
    [
        ("smaller_model", 0.50, 0.65, 0.80, "input output gpu", "May reduce quality"),
        ("batch", 0.30, 0.40, 0.50, "input output", "Higher latency"),
        ("reserved", 0.20, 0.30, 0.40, "gpu", "Upfront commitment"),
        ("caching", 0.10, 0.20, 0.30, "input", "Requires repeated context"),
        ("output_limit", 0.10, 0.15, 0.20, "output", "May truncate responses"),
    ],
)
def test_levers(lever, low, expected, high, acts, trade_off):
    row = by_key("levers")[lever]
    savings = [float(row[f"saving_{part}"]) for part in ("low", "expected", "high")]
    assert savings == [low, expected, high]
    assert expected == pytest.approx((low + high) / 2)
    assert {part for part in ("input", "output", "gpu") if row[f"acts_on_{part}"] == "yes"} == set(acts.split())
    assert {row[f"acts_on_{part}"] for part in ("input", "output", "gpu")} <= {"yes", "no"}
    assert (row["on"], float(row["eligible_share"]), row["trade_off"]) == ("no", 1, trade_off)


@pytest.mark.parametrize(
    ("name", "key", "expected"),
    [
        ("buffers", "conservative", {"factor": 1.5, "headroom_share": 0.5}),
        ("buffers", "standard", {"factor": 1.3, "headroom_share": 0.3}),
        ("buffers", "aggressive", {"factor": 1.15, "headroom_share": 0.15}),
        ("margins", "internal_chargeback", {"multiple_low": 1.0, "multiple_high": 1.2, "formula_multiple_high": 2.2}),
        ("margins", "external_saas", {"multiple_low": 2.0, "multiple_high": 3.0, "formula_multiple_high": 4.0}),
        ("tenants_guide", "Team A (Core)", {"quota_share": 0.5, "burst_multiple": 2}),
        ("tenants_guide", "Team B (Growth)", {"quota_share": 0.3, "burst_multiple": 1.5}),
        ("tenants_guide", "Team C (Experimental)", {"quota_share": 0.2, "burst_multiple": 1}),
    ],
)
def test_buffers_margins_tenants(name, key, expected):
    row = by_key(name)[key]
    assert {column: float(row[column]) for column in expected} == expected


def test_tenants_share_the_whole_and_fall_back_by_key():
    rows = table("tenants_guide")
    assert sum(float(row["quota_share"]) for row in rows) == pytest.approx(1)
    assert [row["fallback"] for row in rows] == ["guaranteed", "best_effort", "reject"]


def test_enterprise_margin_stays_unknown():
    row = by_key("margins")["enterprise_deal"]
    assert not row["multiple_low"] and not row["multiple_high"]


# The product's own rows ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "unit"),
    [
        ("seconds_per_hour", 3600, "s/h"),
        ("hours_per_day", 24, "h/day"),
        ("days_per_basis_month", 30, "day/month"),
        ("months_per_year", 12, "month"),
        ("months_per_quarter", 3, "month"),
        ("minutes_per_hour", 60, "min/h"),
        ("tokens_per_mtok", 1e6, "token/Mtok"),
        ("bytes_per_gb", 1e9, "B/GB"),
        ("watts_per_kw", 1000, "W/kW"),
        ("milliseconds_per_s", 1000, "ms/s"),
    ],
)
def test_constants(key, value, unit):
    row = by_key("constants")[key]
    assert (float(row["value"]), row["unit"]) == (value, unit)
    assert row["label"] and row["why"]


@pytest.mark.parametrize(
    ("key", "value", "from_guide"),
    [
        ("total_tokens", "1800000000", True),
        ("input_parts", "3", True),
        ("output_parts", "1", True),
        ("growth_curve", "linear", True),
        ("yearly_growth", "0", False),
        ("peak_factor", "3", True),
        ("peak_window", "day", False),
        ("peak_hours", "24", True),
        ("retry_rate", "0", False),
        ("usage_pattern", "real_time", False),
        ("deployment_mode", "api", False),
        ("sla_tier", "standard", False),
        ("days_basis", "30-day", True),
        ("hours_per_month", "730", True),
        ("buffer_factor", "1.3", True),
        ("buffer_on_gpus", "yes", False),
        ("ha_basis", "factor", True),
        ("ha_factor", "1.5", True),
        ("horizon_months", "12", False),
        ("cached_input_share", "0", False),
        ("batch_share", "0", False),
        ("price_multiple", "1", False),
        ("burst_share", "0.2", True),
        ("currency", "USD", True),
    ],
)
def test_defaults(key, value, from_guide):
    row = by_key("defaults")[key]
    assert row["value"] == value
    assert row["source"].startswith("planning guide" if from_guide else "product default")


def test_default_choices_are_rows_of_their_tables():
    defaults = by_key("defaults")
    assert defaults["growth_curve"]["value"] in by_key("curves")
    assert defaults["sla_tier"]["value"] in by_key("sla_tiers")
    standard = next(row for row in table("buffers") if row["is_default"] == "yes")
    assert defaults["buffer_factor"]["value"] == standard["factor"]


QUARTERS = {"linear": [25, 25, 25, 25], "s_curve": [10, 20, 30, 40], "front_loaded": [40, 30, 20, 10]}


@pytest.mark.parametrize("curve", [row["curve"] for row in table("curves") if row["kind"] == "shares"])
def test_curves_normalise(curve):
    row = by_key("curves")[curve]
    weights = [float(row[month]) for month in MONTHS]
    total = sum(weights)
    assert total > 0 and min(weights) >= 0
    assert sum(weight / total for weight in weights) == pytest.approx(1)
    assert not row["midpoint"] and not row["steepness"]
    if curve in QUARTERS:
        quarters = [100 * sum(weights[q : q + 3]) / total for q in range(0, 12, 3)]
        assert quarters == pytest.approx(QUARTERS[curve])


def test_curve_kinds_clocks_and_keys():
    rows = by_key("curves")
    assert list(rows) == ["linear", "s_curve", "front_loaded", "seasonal", "phased", "logistic", "custom"]
    assert {row["kind"] for row in rows.values()} == {"shares", "logistic"}
    assert [key for key, row in rows.items() if row["clock"] == "calendar"] == ["seasonal"]
    assert (float(rows["logistic"]["midpoint"]), float(rows["logistic"]["steepness"])) == (6.5, 0.8)
    assert not any(rows["logistic"][month] for month in MONTHS)
    assert [float(rows["seasonal"][month]) for month in MONTHS] == [1] * 9 + [1.5] * 3


def test_the_phased_curve_is_the_phase_table():
    row = by_key("curves")["phased"]
    weights = [float(row[month]) for month in MONTHS]
    for phase in table("phases"):
        share = sum(weights[int(phase["month_start"]) - 1 : int(phase["month_end"])]) / sum(weights)
        assert share == pytest.approx(float(phase["guide_share"]))


@pytest.mark.parametrize(
    ("metric", "unit", "direction", "watch", "risk", "critical"),
    [
        ("coverage", "share", -1, 0.999, 0.90, 0.75),
        ("guaranteed_over_buffer", "share", 1, None, 0.0001, None),
        ("bursts_over_buffer", "share", 1, 0.0001, None, None),
        ("e2e_over_target", "share", 1, 0.0001, None, None),
        ("availability_gap", "share", 1, 0.0000001, 0.001, 0.01),
        ("budget_use", "share", 1, 0.95, 1.0001, 1.10),
        ("memory_misfit", "count", 1, None, None, 1),
        ("checks_failed", "count", 1, None, 1, None),
        ("withdrawn_models", "count", 1, 1, None, None),
        ("unverified_share", "share", 1, 0.5, None, None),
    ],
)
def test_thresholds(metric, unit, direction, watch, risk, critical):
    row = by_key("thresholds")[metric]
    levels = [float(row[level]) if row[level] else None for level in ("watch", "risk", "critical")]
    assert (row["unit"], int(row["direction"]), levels) == (unit, direction, [watch, risk, critical])
    rising = [direction * level for level in levels if level is not None]
    assert rising == sorted(rising) and rising
    assert row["source"] == "product default" and row["owner"]
