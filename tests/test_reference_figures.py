"""Reference figures of models, prices, GPUs and speeds, against each other and their sources."""

from __future__ import annotations

import re
import statistics

import pytest
from refdata import THROUGHPUT_WITHOUT_MODEL, VERIFY, by_key, spoken, table

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
