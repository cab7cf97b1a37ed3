"""The shipped reference data: the guide's rows are exact, every figure has its provenance, every key is unique."""

from __future__ import annotations

import csv
import re
import statistics
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[1] / "reference_data"
GUIDE_AS_OF = "guide (undated)"
VERIFY = "estimated, please verify"

PROVENANCE = "source,as_of,confidence,note"
MONTHS = [f"m{i}" for i in range(1, 13)]
COLUMNS = {
    "models": "model,params_total_b,params_active_b,architecture,layers,kv_heads,head_dim,kv_bytes_per_token_fp16,"
    "kv_bytes_per_token_fp8,weights_gb_fp16,weights_gb_fp8,weights_gb_int4,max_context_tokens," + PROVENANCE,
    "api_models": "model,provider,input_usd_per_mtok,cached_input_usd_per_mtok,output_usd_per_mtok,"
    "batch_input_usd_per_mtok,batch_output_usd_per_mtok,context_window_tokens,long_context_limit_tokens,"
    "long_input_usd_per_mtok,long_cached_input_usd_per_mtok,long_output_usd_per_mtok,ttft_s,tpot_s,withdrawal_date,"
    "verify," + PROVENANCE,
    "gpus": "gpu,vendor,memory_gb,tdp_w,typical_server_gpus,usd_per_gpu_hour,price_source,price_as_of,"
    "price_confidence,price_note," + PROVENANCE,
    "gpu_names": "product,gpu," + PROVENANCE,
    "gpu_prices": "price_id,gpu,provider,region,pricing_type,instance_type,gpus_per_instance,usd_per_gpu_hour,"
    + PROVENANCE,
    "throughput": "key,model,gpu,precision,tokens_per_s_per_gpu,throughput_basis,low_tokens_per_s_per_gpu,"
    "high_tokens_per_s_per_gpu,verify," + PROVENANCE,
    "constants": "key,value,value_zh,unit,label,why,source",
    "defaults": "key,value,unit,source,confidence,note",
    "sla_tiers": "sla_tier,label,min_replicas,spare_replicas,availability,ttft_ms,tpot_ms,e2e_s,output_tokens,"
    "error_rate,auto_retries,throughput," + PROVENANCE,
    "curves": "curve,label,kind,clock," + ",".join(MONTHS) + ",midpoint,steepness," + PROVENANCE,
    "phases": "phase,month_start,month_end,guide_share,resource,milestone," + PROVENANCE,
    "levers": "lever,label,on,eligible_share,saving_low,saving_expected,saving_high,acts_on_input,acts_on_output,"
    "acts_on_gpu,trade_off," + PROVENANCE + ",same_as",
    "service_tiers": "service_tier,label,action,floor_share,deadline_months,sla_tier,headroom_share,failover_needed,"
    + PROVENANCE,
    "ranges": "range,label,acts_on,effect,low,expected,high," + PROVENANCE,
    "scenarios": "scenario,label,users_factor,adoption_factor,calls_factor,tokens_factor,peak_factor,throughput_factor,"
    "price_factor,include_proposed,supply_factor,lost_pool,lost_region,headroom_add,migrate_from,migrate_to,"
    + PROVENANCE,
    "thresholds": "metric,label,unit,direction,watch,risk,critical,owner," + PROVENANCE,
    "actions": "action,label,condition,on,limit,absorbs_share,owner," + PROVENANCE,
    "buffers": "buffer,label,factor,headroom_share,is_default," + PROVENANCE,
    "margins": "channel,label,multiple_low,multiple_high,formula_multiple_low,formula_multiple_high," + PROVENANCE,
    "tenants_guide": "tenant,priority,quota_share,burst_multiple,fallback," + PROVENANCE,
}
ROWS = {
    "models": 37,
    "api_models": 94,
    "gpus": 25,
    "gpu_names": 22,
    "gpu_prices": 82,
    "throughput": 133,
    "constants": 27,
    "defaults": 75,
    "service_tiers": 4,
    "scenarios": 3,
    "ranges": 8,
    "sla_tiers": 3,
    "curves": 7,
    "phases": 4,
    "levers": 5,
    "thresholds": 13,
    "actions": 7,
    "buffers": 3,
    "margins": 3,
    "tenants_guide": 3,
}
FILES = sorted(COLUMNS)
# Columns that hold text; every other column holds a number or nothing.
TEXT_COLUMNS = """
model architecture provider withdrawal_date verify gpu vendor price_source price_as_of price_confidence price_note
price_id region pricing_type instance_type key precision throughput_basis unit label why sla_tier throughput curve
kind clock phase resource milestone lever on acts_on_input acts_on_output acts_on_gpu trade_off metric owner buffer
is_default service_tier action condition failover_needed scenario include_proposed lost_pool lost_region migrate_from migrate_to
range acts_on effect channel tenant priority fallback product source as_of confidence note
"""
TEXT = set(TEXT_COLUMNS.split())
THROUGHPUT_WITHOUT_MODEL = {"DeepSeek R1 0528"}


def table(name: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def by_key(name: str) -> dict[str, dict[str, str]]:
    rows = table(name)
    return {next(iter(row.values())): row for row in rows}


def spoken(name: str) -> str:
    """A name without case and without the difference between space, hyphen and underscore."""
    return re.sub(r"[\s\-_]+", " ", name).casefold()


# Every file ---------------------------------------------------------------------------------------------------------


def test_the_folder_holds_these_files_and_no_others():
    own = {
        "checks",
        "choice_words",
        "choices",
        "months",
        "replica_sizes",
        "sample_use_cases",
        "portfolio_checks",
        "portfolio_thresholds",
    }  # the product's own lists, no reference
    assert sorted({path.stem for path in DATA.glob("*.csv")} - own) == FILES


@pytest.mark.parametrize("name", FILES)
def test_file_format(name):
    raw = (DATA / f"{name}.csv").read_bytes()
    assert b"\r" not in raw and raw.endswith(b"\n") and not raw.startswith(b"\xef\xbb\xbf")
    lines = list(csv.reader(raw.decode("utf-8").splitlines()))
    assert lines[0] == COLUMNS[name].split(",")
    assert all(len(line) == len(lines[0]) for line in lines)
    assert all(cell == cell.strip() for line in lines for cell in line)
    assert len(lines) - 1 == ROWS[name]


@pytest.mark.parametrize("name", FILES)
def test_no_machine_path_or_working_folder(name):
    text = (DATA / f"{name}.csv").read_text(encoding="utf-8")
    assert not re.search(r"shared/|(?<![\w.])/(?:work|tmp|home|root|Users)/|[A-Z]:\\|find_string|guide-questions", text)


@pytest.mark.parametrize("name", FILES)
def test_every_row_has_its_provenance(name):
    for row in table(name):
        where = f"{name}: {next(iter(row.values()))}"
        assert row["source"], where
        if "confidence" in row:
            assert row["confidence"] in {"measured", "published", "estimated"}, where
        if "as_of" in row:
            assert row["as_of"] or "as_of unknown: " in row["note"], where
        if row["source"].startswith("planning guide"):
            assert re.match(r"planning guide(, step)? \d\.\d", row["source"]), where
            assert row.get("as_of", GUIDE_AS_OF) == GUIDE_AS_OF and row.get("confidence", "estimated") == "estimated"


@pytest.mark.parametrize("name", FILES)
def test_keys_are_unique(name):
    keys = [next(iter(row.values())) for row in table(name)]
    assert all(keys)
    assert len({key.casefold() for key in keys}) == len(keys)


@pytest.mark.parametrize("name", [n for n in FILES if n != "defaults"])
def test_numbers_are_plain_and_not_negative(name):
    for row in table(name):
        for column, cell in row.items():
            if column in TEXT or column == "same_as" or not cell or (name == "thresholds" and column == "direction"):
                continue
            assert re.fullmatch(r"\d+(\.\d+)?", cell), (name, column, cell)


@pytest.mark.parametrize("name", ["models", "api_models", "gpus", "throughput"])
def test_names_are_safe_for_a_lookup(name):
    """Excel's MATCH reads * ? ~ as wildcards and ignores case."""
    assert not [row for row in table(name) if set(next(iter(row.values()))) & set("*?~")]


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


# Models -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "layers", "kv_heads", "head_dim", "kv_bytes"),
    [
        ("Llama 3 8B", 32, 8, 128, 131_072),
        ("Llama 3 70B", 80, 8, 128, 327_680),
        ("Llama 3.1 8B", 32, 8, 128, 131_072),
        ("Llama 3.1 70B", 80, 8, 128, 327_680),
        ("Llama 3.1 405B", 126, 8, 128, 516_096),
        ("Llama 3.2 3B", 28, 8, 128, 114_688),
        ("Llama 3.3 70B", 80, 8, 128, 327_680),
        ("Llama 2 70B", 80, 8, 128, 327_680),
        ("Qwen3 0.6B", 28, 8, 128, 114_688),
        ("Qwen3 8B", 36, 8, 128, 147_456),
        ("Qwen3 32B", 64, 8, 128, 262_144),
        ("Qwen2.5 7B", 28, 4, 128, 57_344),
        ("Qwen2.5 32B", 64, 8, 128, 262_144),
        ("Qwen2.5 72B", 80, 8, 128, 327_680),
        # full multi-head attention: every head is a KV head
        ("Qwen 72B", 80, 64, 128, 2_621_440),
        ("Llama 2 7B", 32, 32, 128, 524_288),
        # mixture of experts, plain GQA
        ("Mixtral 8x7B", 32, 8, 128, 131_072),
        ("Qwen3 235B-A22B", 94, 4, 128, 192_512),
    ],
)
def test_kv_bytes_per_token(model, layers, kv_heads, head_dim, kv_bytes):
    row = by_key("models")[model]
    assert (int(row["layers"]), int(row["kv_heads"]), int(row["head_dim"])) == (layers, kv_heads, head_dim)
    assert int(row["kv_bytes_per_token_fp16"]) == 2 * layers * kv_heads * head_dim * 2 == kv_bytes


@pytest.mark.parametrize(
    ("attention", "check"),
    [
        ("attention GQA", lambda r: 2 * int(r["layers"]) * int(r["kv_heads"]) * int(r["head_dim"]) * 2),
        ("attention MHA", lambda r: 2 * int(r["layers"]) * int(r["kv_heads"]) * int(r["head_dim"]) * 2),
        ("attention MLA", lambda r: int(r["layers"]) * (512 + 64) * 2),
    ],
)
def test_kv_bytes_of_every_model_with_that_attention(attention, check):
    rows = [row for row in table("models") if attention in re.split("; ", row["note"])]
    assert rows
    for row in rows:
        assert int(row["kv_bytes_per_token_fp16"]) == check(row), row["model"]
        if attention == "attention MLA":
            assert (row["kv_heads"], row["head_dim"]) == ("1", "")


def test_model_memory_facts_agree_with_each_other():
    for row in table("models"):
        total = float(row["params_total_b"])
        assert float(row["params_active_b"]) <= total
        assert float(row["weights_gb_fp16"]) == pytest.approx(2 * total, abs=0.06), row["model"]
        assert float(row["weights_gb_fp8"]) == pytest.approx(total, abs=0.06), row["model"]
        assert float(row["weights_gb_int4"]) == pytest.approx(0.53 * total, abs=0.06), row["model"]
        assert int(row["kv_bytes_per_token_fp8"]) * 2 == int(row["kv_bytes_per_token_fp16"]), row["model"]
        assert int(row["kv_heads"]) >= 1 and row["architecture"] in {"dense", "moe"}


@pytest.mark.parametrize(
    ("named", "same_as"),
    [("Llama 3 8B", "Llama 3.1 8B"), ("Llama 3 70B", "Llama 3.1 70B"), ("Qwen 72B", "Qwen 72B (v1)")],
)
def test_guide_names_carry_the_facts_they_say(named, same_as):
    a, b = by_key("models")[named], by_key("models")[same_as]
    apart = {"model", "max_context_tokens", "source", "as_of", "note"}
    assert {k: v for k, v in a.items() if k not in apart} == {k: v for k, v in b.items() if k not in apart}
    assert "guide's name" in a["note"]


# API models ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "price_in", "price_out", "limit", "long_in", "long_cached", "long_out"),
    [
        ("GPT-5.4", 2.5, 15, 272_000, 5, 0.5, 22.5),
        ("Claude Sonnet 4.5", 3, 15, 200_000, 6, 0.6, 22.5),
        ("Claude Haiku 5.5", 0.1, 0.5, 100_000, 0.5, 0.05, 2.5),
        ("Gemini 2.5 Pro", 1.25, 10, 200_000, 2.5, 0.25, 15),
        ("Grok 4.7", 2, 6, 199_999, 4, 1, 12),
        ("MiniMax M3", 0.3, 1.2, 512_000, 0.6, 0.12, 2.4),
    ],
)
def test_long_context_prices(model, price_in, price_out, limit, long_in, long_cached, long_out):
    row = by_key("api_models")[model]
    assert (float(row["input_usd_per_mtok"]), float(row["output_usd_per_mtok"])) == (price_in, price_out)
    assert int(row["long_context_limit_tokens"]) == limit
    columns = ("long_input_usd_per_mtok", "long_cached_input_usd_per_mtok", "long_output_usd_per_mtok")
    assert tuple(float(row[column]) for column in columns) == (long_in, long_cached, long_out)


@pytest.mark.parametrize(
    "model",
    [
        "gpt 4o (openai list)",
        "gpt 4o mini (openai list)",
        "GPT OSS 120B (groq)",
        "GPT-OSS 120B (together)",
        "GPT-OSS 120B (cerebras)",
    ],
)
def test_colliding_list_names_carry_their_provider(model):
    assert model in by_key("api_models")


def test_api_names_differ_by_more_than_case_or_hyphens():
    names = [spoken(row["model"]) for row in table("api_models")]
    assert len(set(names)) == len(names)


def test_api_prices_are_consistent():
    verify = {VERIFY: 4, "sources disagree, please verify": 5, "single source, please verify": 4, "": 81}
    rows = table("api_models")
    assert {text: sum(row["verify"] == text for row in rows) for text in verify} == verify
    for row in rows:
        number = {k: float(v) for k, v in row.items() if k.endswith("_usd_per_mtok") and v}
        assert number["input_usd_per_mtok"] > 0 and number["output_usd_per_mtok"] > 0, row["model"]
        for lower in ("cached_input", "batch_input"):
            assert number.get(f"{lower}_usd_per_mtok", 0) <= number["input_usd_per_mtok"], row["model"]
        assert number.get("batch_output_usd_per_mtok", 0) <= number["output_usd_per_mtok"], row["model"]
        assert bool(row["batch_input_usd_per_mtok"]) == bool(row["batch_output_usd_per_mtok"]), row["model"]
        long = [k for k in number if k.startswith("long_")]
        assert bool(long) == bool(row["long_context_limit_tokens"]), row["model"]
        for k in long:
            assert number[k] >= number[k.removeprefix("long_")], row["model"]
        assert re.fullmatch(r"(\d{4}-\d\d-\d\d)?", row["withdrawal_date"]), row["model"]
        if row["verify"].startswith("sources disagree"):
            assert "LiteLLM 1.110.2 has" in row["note"], row["model"]


@pytest.mark.parametrize("model", ["DeepSeek V4 Flash", "DeepSeek V4 Pro"])
def test_time_of_day_prices_are_in_the_note(model):
    assert "peak 01:00-04:00 and 06:00-10:00 UTC is 2x" in by_key("api_models")[model]["note"]


def test_mistral_large_4_batch_is_half_of_list():
    row = by_key("api_models")["Mistral Large 4"]
    assert (row["batch_input_usd_per_mtok"], row["batch_output_usd_per_mtok"]) == ("0.35", "1.05")


# GPUs and throughput ------------------------------------------------------------------------------------------------


def test_gpu_price_is_the_planning_default_or_the_median():
    prices = table("gpu_prices")
    for row in table("gpus"):
        mine = [price for price in prices if price["gpu"] == row["gpu"]]
        planned = [float(p["usd_per_gpu_hour"]) for p in mine if p["pricing_type"] == "planning_default"]
        asked = [float(p["usd_per_gpu_hour"]) for p in mine if p["pricing_type"] == "on_demand"]
        if not planned and not asked:
            assert not row["usd_per_gpu_hour"] and not row["price_source"] and "unknown" in row["price_note"]
            continue
        wanted = planned[0] if planned else statistics.median(asked)
        assert float(row["usd_per_gpu_hour"]) == pytest.approx(wanted), row["gpu"]
        assert row["price_source"] and row["price_as_of"] and row["price_confidence"], row["gpu"]
        assert all(p["price_id"] in row["price_note"] for p in mine if p["pricing_type"] == "on_demand"), row["gpu"]


@pytest.mark.parametrize(
    ("gpu", "memory_gb", "price"),
    [
        ("A100-80GB-SXM", 80, 3.5),
        ("H100-80GB-SXM", 80, 4.5),
        ("H200-141GB-SXM", 141, 5.75),
        ("B200-180GB-SXM", 180, 7.25),
        ("L40S-48GB", 48, 1.7047),
        ("H100-80GB-PCIe", 80, 2.595),
        ("GB200-186GB", 186, None),
    ],
)
def test_gpus(gpu, memory_gb, price):
    row = by_key("gpus")[gpu]
    assert float(row["memory_gb"]) == memory_gb
    assert (float(row["usd_per_gpu_hour"]) if row["usd_per_gpu_hour"] else None) == price


def test_prices_and_throughput_name_known_gpus():
    gpus = set(by_key("gpus"))
    for name in ("gpu_prices", "throughput"):
        assert {row["gpu"] for row in table(name)} <= gpus, name


def test_throughput_names_known_models():
    used = {row["model"] for row in table("throughput")}
    assert used - set(by_key("models")) == THROUGHPUT_WITHOUT_MODEL


def test_throughput_rows():
    unverified = {"estimated": "modelled, please verify", "measured": ""}
    unverified["published"] = "vendor maximum without a latency limit, please verify"
    confidence = {"modelled": "estimated", "measured": "measured", "mlperf": "measured", "vendor": "published"}
    for row in table("throughput"):
        assert row["key"] == f"{row['model']}|{row['gpu']}|{row['precision']}"
        assert row["precision"] in {"fp16", "fp8", "int4", "fp4"}, row["key"]
        rate, low, high = (float(row[f"{part}tokens_per_s_per_gpu"]) for part in ("", "low_", "high_"))
        if row["source"].startswith("planning guide"):
            continue
        assert row["throughput_basis"] == "output" and low <= rate <= high, row["key"]
        column = re.match(r"column (modelled|measured|mlperf|vendor)", row["note"])
        assert column and row["confidence"] == confidence[column[1]], row["key"]
        assert row["verify"] == unverified[row["confidence"]], row["key"]


@pytest.mark.parametrize(
    ("key", "rate", "low", "high", "confidence"),
    [
        ("Llama 3.1 8B|A100-80GB-SXM|fp16", 1525.3, 825.1, 3786.8, "estimated"),
        ("Llama 3.1 70B|H100-80GB-SXM|fp8", 848.1, 122.6, 2195.3, "estimated"),
        ("Llama 3.1 70B|B200-180GB-SXM|fp4", 5681.7, 577.9, 5681.7, "measured"),
        ("Llama 2 70B|MI300X-192GB|fp8", 2520.3, 1105.1, 2939.3, "measured"),
        ("Llama 3.3 70B|H100-80GB-SXM|fp8", 2209.0, 449.0, 2209.0, "published"),
        ("Qwen3.5 397B-A17B|B200-180GB-SXM|fp16", 351.4, 95.5, 351.4, "measured"),
        ("gpt-oss 120B|H100-80GB-SXM|fp4", 4681.4, 727.6, 5246.4, "estimated"),
    ],
)
def test_throughput_figures(key, rate, low, high, confidence):
    row = by_key("throughput")[key]
    figures = [float(row[f"{part}tokens_per_s_per_gpu"]) for part in ("", "low_", "high_")]
    assert (figures, row["confidence"]) == ([rate, low, high], confidence)


def test_the_page_about_the_data_counts_its_files_and_rows() -> None:
    page = (DATA.parent / "docs" / "reference-data.md").read_text(encoding="utf-8")
    told = {name: int(rows) for name, rows in re.findall(r"^\| `(\w+\.csv)` \| (\d+) \|", page, re.MULTILINE)}
    assert told == {path.name: len(table(path.stem)) for path in sorted(DATA.glob("*.csv"))}
