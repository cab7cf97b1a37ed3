"""Inputs that must come right: prices, memory, GPUs, quotas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from caseplans import SECONDS, api_plan, gpu_plan, plan_of
from workbooks import (
    SAMPLE_NAMES,
    api_model,
    gpu_model,
    reader,
    sample,
)

# ---- 14, 16, 17: prices


def test_14_without_a_cached_price_cached_tokens_cost_the_full_price_and_a_note_says_so(tmp_path: Path) -> None:
    model = api_model(input_price_per_mtok=1.0, output_price_per_mtok=10.0)
    read = plan_of(tmp_path, api_plan(4e6, model, cached_input_share=0.9))
    assert read["annual_tco"] == pytest.approx(3 * 1.0 + 1 * 10.0)
    assert read.cell("Cost", "Cached input price", "Own model") == 1.0
    shown = [text for text in read.texts("Method", "Models", "Lists", "Ref prices", "About")]
    assert any("cached" in text.lower() and "full" in text.lower() for text in shown)


def test_14_with_a_cached_price_it_is_used_and_there_is_no_note(tmp_path: Path) -> None:
    model = api_model(input_price_per_mtok=1.0, cached_input_price_per_mtok=0.1, output_price_per_mtok=10.0)
    read = plan_of(tmp_path, api_plan(4e6, model, cached_input_share=0.9))
    assert read["annual_tco"] == pytest.approx(3 * (0.1 + 0.9 * 0.1) + 10.0)
    shown = [text for text in read.texts("Method", "Models", "Lists", "Ref prices", "About")]
    assert not any("cached" in text.lower() and "full" in text.lower() for text in shown)


LONG_PRICES = {"long_input_price_per_mtok": 6.0, "long_output_price_per_mtok": 22.5}
LONG = {"input_tokens_per_request": 300_000, "output_tokens_per_request": 2_000, "input_parts": 300, "output_parts": 2}


@pytest.mark.parametrize(
    ("model", "scalars", "per_request"),
    [
        ({"model": "Claude Sonnet 4.5", "deployment": "api", "token_share": 1.0}, LONG, 1.845),
        (
            {"model": "Claude Sonnet 4.5", "deployment": "api", "token_share": 1.0},
            {**LONG, "input_tokens_per_request": 200_000, "input_parts": 200}, 0.63,
        ),
        (api_model(long_context_share=1.0, **LONG_PRICES), LONG, 1.845),
        (api_model(long_context_share=0.5, **LONG_PRICES), LONG, (1.845 + 0.93) / 2),
        (api_model(), LONG, 0.93),
    ],
)  # fmt: skip
def test_16_a_long_request_is_priced_whole_at_the_higher_rate(
    model: dict[str, Any], scalars: dict[str, Any], per_request: float, tmp_path: Path
) -> None:
    each = scalars["input_tokens_per_request"] + scalars["output_tokens_per_request"]
    read = plan_of(tmp_path, api_plan(each * 1000, model, **scalars), verify="input_price_per_mtok" not in model)
    assert read["annual_tco"] / 1000 == pytest.approx(per_request, rel=1e-12)


@pytest.mark.parametrize(
    ("prices", "factor", "warned"),
    [
        ((1.5, 7.5), 0.8, False),
        ((3.0, 15.0), 1.0, True),
        ((3.5, 7.5), None, True),
        ((1.5, 16.0), None, True),
        ((None, None), 1.0, False),
    ],
)
def test_17_a_batch_share_at_half_price_and_a_warning_where_batch_is_no_cheaper(
    prices: tuple[float | None, float | None], factor: float | None, warned: bool, tmp_path: Path
) -> None:
    model = api_model(batch_input_price_per_mtok=prices[0], batch_output_price_per_mtok=prices[1])
    read = plan_of(tmp_path, api_plan(4e6, model, batch_share=0.4))
    if factor is not None:
        assert read["annual_tco"] == pytest.approx((3 * 3 + 15) * factor)
    note = read.cell("Assumptions", "Batch price", "Own model")
    assert ("◊" in note) == warned, note
    assert not warned or "batch" in note


# ---- 19, 20, 21: memory


@pytest.mark.parametrize("concurrency", [1, 64])
def test_19_llama_70b_needs_2_or_4_gpus_of_80_gb(concurrency: int, tmp_path: Path) -> None:
    model = {
        "model": "Llama 3 70B",
        "deployment": "on_prem",
        "token_share": 1.0,
        "precision": "fp16",
        "gpu": "A100-80GB-SXM",
    }
    edited = gpu_plan(1.8e9, model, concurrency_per_replica=concurrency, memory_usable_share=0.9, runtime_reserve_gb=0)
    read = plan_of(tmp_path, edited)
    each = read.cell("Models in use", "GPUs per replica", "Llama 3 70B")
    assert each in (2, 4)
    assert read["gpus_planned"] % each == 0
    assert read.cell("Models in use", "Weights alone need", "Llama 3 70B") == 2


@pytest.mark.parametrize("typed", [1, 3])
def test_19_a_figure_that_cannot_hold_the_weights_is_told(typed: int, tmp_path: Path) -> None:
    model = {
        "model": "Llama 3 70B",
        "deployment": "on_prem",
        "token_share": 1.0,
        "gpu": "A100-80GB-SXM",
        "gpus_per_replica": typed,
    }
    read = plan_of(tmp_path, gpu_plan(1.8e9, model))
    note = read.cell("Assumptions", "Fit", "Llama 3 70B")
    assert ("▲" in note and "2 GPUs" in note) if typed == 1 else "3 GPUs a replica hold" in note
    assert typed != 1 or read["risk_level"] in ("risk", "critical")


def test_20_qwen_7b_keeps_57344_bytes_a_token(tmp_path: Path) -> None:
    model = gpu_model(model="Qwen2.5 7B", precision="fp16", gpus_per_replica=None)
    read = plan_of(tmp_path, gpu_plan(1.8e9, model))
    assert read.cell("Models in use", "KV cache per token", "Qwen2.5 7B") == 57344 == 2 * 28 * 4 * 128 * 2
    assert read.cell("Models in use", "GPUs per replica", "Qwen2.5 7B") == 1


def test_21_a_mixture_takes_memory_from_all_parameters_and_speed_from_the_active_ones(tmp_path: Path) -> None:
    model = {
        "model": "Qwen3 235B-A22B",
        "deployment": "on_prem",
        "token_share": 1.0,
        "precision": "fp8",
        "gpu": "H100-80GB-SXM",
    }
    read = plan_of(tmp_path, gpu_plan(1.8e9, model))
    assert read.cell("Models in use", "Weights", "Qwen3 235B-A22B") == pytest.approx(235.1)
    assert read.cell("Models in use", "Weights alone need", "Qwen3 235B-A22B") == 3
    assert read.cell("Models in use", "GPUs per replica", "Qwen3 235B-A22B") in (4, 8)
    speed = read.cell("Models in use", "Speed", "Qwen3 235B-A22B")
    dense = 82.0 * 671 / 235.1  # what a dense model of its size would give, by the measured one of 671B
    assert speed == pytest.approx(337.2) and speed > dense


# ---- 23, 24: how many GPUs, what they cost


@pytest.mark.parametrize(("buffer_on_gpus", "gpus"), [("no", 5), ("yes", 7)])
def test_23_five_requests_of_2000_tokens_a_second(buffer_on_gpus: str, gpus: int, tmp_path: Path) -> None:
    edited = gpu_plan(
        5 * 2000 * SECONDS, gpu_model(), peak_factor=1, buffer_factor=1.3, ha_factor=1, buffer_on_gpus=buffer_on_gpus,
        input_tokens_per_request=1500, output_tokens_per_request=500,
    )  # fmt: skip
    read = plan_of(tmp_path, edited)
    assert read["peak_tokens_per_s"] == pytest.approx(10_000)
    assert read["gpus_for_peak"] == pytest.approx(5)
    assert read["gpus_planned"] == gpus


@pytest.mark.parametrize(
    ("gpu", "count", "price", "money"), [("A100-80GB-SXM", 2, 2.0, 2920.0), ("B200-180GB-SXM", 8, 5.5, 32120.0)]
)
def test_24_gpus_for_a_month(gpu: str, count: int, price: float, money: float, tmp_path: Path) -> None:
    edited = gpu_plan(1e6, gpu_model(gpu=gpu, gpus_per_replica=count, gpu_price_per_hour=price))
    read = plan_of(tmp_path, edited)
    assert read["gpus_planned"] == count
    assert read.by_month("Cost", "TCO") == [money] * 12
    assert (read["monthly_tco_mean"], read["annual_tco"]) == (money, 12 * money)


# ---- 25, 26: quotas


@pytest.mark.parametrize(("policy", "available"), [("roll_over", [100, 140, 110]), ("expire", [100, 100, 100])])
def test_25_what_is_available_after_60_and_130(policy: str, available: list[float], tmp_path: Path) -> None:
    weights = {"m1": 60, "m2": 130} | {f"m{i}": 101 for i in range(3, 13)}
    edited = api_plan(1200, api_model(), growth_curve="custom", unused_policy=policy, roll_over_cap_share=0.5)
    read = plan_of(tmp_path, edited.row("Curves", 7, **weights), verify=policy == "roll_over")
    assert read.by_month("Quotas", "Expected use", "Everybody")[:3] == pytest.approx([60, 130, 101])
    assert read.by_month("Quotas", "Available", "Everybody")[:3] == pytest.approx(available)
    assert read["checks_failed"] == 0


@pytest.mark.parametrize("days_basis", ["30-day", "calendar"])
def test_26_monthly_quotas_make_the_year_whatever_the_months_lengths(days_basis: str, tmp_path: Path) -> None:
    edited = api_plan(18e9, api_model(), days_basis=days_basis).only(
        "Tenants",
        {"tenant": "All year", "quota_share": 0.5},
        {"tenant": "From July", "quota_share": 0.25, "start_date": "2027-07-01"},
        {"tenant": "From mid-April", "quota_share": 0.25, "start_date": "2027-04-16"},
    )
    read = plan_of(tmp_path, edited, verify=True)
    months = {name: read.by_month("Quotas", "Quota", name) for name in ("All year", "From July", "From mid-April")}
    assert months["All year"] == pytest.approx([750e6] * 12) and sum(months["All year"]) == pytest.approx(9e9)
    assert months["From July"] == pytest.approx([0] * 6 + [375e6] * 6)
    assert months["From mid-April"] == pytest.approx([0] * 3 + [375e6 * 15 / 30] + [375e6] * 8)
    assert (read["quota_total"], read["checks_failed"]) == (18e9, 0)


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_26_the_quotas_of_a_sample_make_its_year(name: str) -> None:
    read = reader(sample(name).plan)
    late = 2.7e9 - 2.34e9 if name == "hybrid" else 0  # Research starts in mid-April
    assert sum(read.by_month("Quotas", "Quotas")) == pytest.approx(read["annual_tokens"] - late)
