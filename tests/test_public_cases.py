"""Cases met in public reports of people who do this work; the numbers are those of the list of cases."""

from __future__ import annotations

import datetime as dt

import pytest
from builders import (
    A100,
    along,
    approx,
    at,
    gpt_4o,
    guide_tenants,
    llama,
    planned,
    pool,
)
from reckoned import one_request, tenant_statement

from planner.inputs.tables import ModelRow, TenantRow
from planner.plan import Plan
from planner.resources import table

# ---- cases met in public reports (the numbers are those of the list of cases)


@pytest.mark.parametrize(
    ("model", "cached_share", "price", "annual"),
    [
        ("GPT-4o", 0.5, 2.5, 7875),
        ("gpt 4o (openai list)", 0.5, 1.25, 7875 - 1350 * 0.5 * 1.25),
        ("gpt 4o (openai list)", 0, 1.25, 7875),
    ],
)
def test_14_without_a_cached_price_cached_tokens_cost_the_full_price(
    model: str, cached_share: float, price: float, annual: float
) -> None:
    plan = planned([ModelRow(model=model, token_share=1)], deployment_mode="api", cached_input_share=cached_share)
    assert at(plan, "model_price_cached", model=0) == price
    assert plan.value("annual_tco") == approx(annual)


def test_14_a_note_says_so() -> None:
    plan = planned(deployment_mode="api", cached_input_share=0.5)
    assert any("cached" in words for words in words_of(plan, model=0))


def words_of(plan: Plan, **row: int) -> list[str]:
    """Every text that a plan has about one row."""
    lines = [n for n in plan.program.lines if plan.program.axes[n] == tuple(row) and plan.program.kind(n) == "text"]
    return [str(at(plan, n, **row)) for n in lines]


@pytest.mark.parametrize(
    ("in_tokens", "cost"),
    [(300_000, 1.845), (200_001, 200_001 * 6e-6 + 0.045), (200_000, 0.63), (199_999, 199_999 * 3e-6 + 0.03)],
)
def test_16_the_whole_request_at_the_higher_rate(in_tokens: int, cost: float) -> None:
    """3 and 15 per Mtok, 6 and 22.5 strictly above 200,000."""
    assert one_request("Claude Sonnet 4.5", in_tokens, 2000).value("annual_tco") == approx(cost)


def test_16_cached_tokens_of_a_long_request_have_their_own_price() -> None:
    plan = one_request("Claude Sonnet 4.5", 300_000, 2000, cached_input_share=0.5)
    assert plan.value("annual_tco") == approx(150_000 * 6e-6 + 150_000 * 0.6e-6 + 0.045)


def test_17_a_batch_share_at_half_price() -> None:
    half = {"batch_input_price_per_mtok": 1.25, "batch_output_price_per_mtok": 5}
    plan = planned([gpt_4o(**half)], deployment_mode="api", batch_share=0.4)
    assert plan.value("annual_tco") == approx(7875 * 0.8)


@pytest.mark.parametrize(
    ("prices", "warned"),
    [
        ({}, False),
        ({"batch_input_price_per_mtok": 1.25}, False),
        ({"batch_input_price_per_mtok": 2.5}, True),
        ({"batch_input_price_per_mtok": 2.6}, True),
        ({"batch_output_price_per_mtok": 10}, True),
        ({"batch_output_price_per_mtok": 11}, True),
    ],
)
def test_17_a_batch_price_at_or_above_the_list_price_is_a_warning(prices: dict[str, float], warned: bool) -> None:
    note = at(planned([gpt_4o(**prices)], deployment_mode="api"), "model_batch_note", model=0)
    assert note.startswith("◊" if warned else "○")


@pytest.mark.parametrize(
    ("reserve_gb", "sequences", "gpus"),
    [(0, 1, 2), (0, 2, 2), (0, 3, 4), (0, 16, 4), (2, 1, 4), (2, 16, 4), (2, 105, 4)],
)
def test_19_a_70b_in_fp16_takes_2_or_4_gpus(reserve_gb: float, sequences: float, gpus: float) -> None:
    """Never 1, which cannot hold the weights, and never 3, which tensor parallelism does not know."""
    plan = planned(runtime_reserve_gb=reserve_gb, concurrency_per_replica=sequences)
    assert at(plan, "model_gpus_each", model=0) == gpus
    assert at(plan, "model_least_gpus", model=0) == 2


@pytest.mark.parametrize(
    ("typed", "misfit"), [(1, 1), (2, 1), (3, 0), (4, 0)], ids=["1 GPU", "2 GPUs", "3 GPUs", "4 GPUs"]
)
def test_19_a_typed_size_that_cannot_hold_the_weights_is_said(typed: float, misfit: float) -> None:
    plan = planned([llama(gpus_per_replica=typed)])
    assert (plan.value("misfits"), at(plan, "threshold_chip", threshold="memory_misfit")) == (
        (misfit, "■ critical") if misfit else (0, "○ normal")
    )


def test_19_a_replica_that_cannot_hold_one_request_does_not_fit() -> None:
    """69.9 GB of weights leave 0.1 GB on one GPU; a request of 4,000 tokens wants 1.3 GB."""
    plan = planned([llama(gpus_per_replica=1, weights_gb=69.9)])
    assert (at(plan, "model_slots", model=0), plan.value("misfits")) == (0, 1)


def test_20_kv_cache_of_qwen_2_5_7b() -> None:
    plan = planned([llama(model="Qwen2.5 7B", tokens_per_s_per_gpu=1000)])
    assert at(plan, "model_kv_bytes", model=0) == 57_344
    assert at(plan, "model_kv_per_request", model=0) == approx(57_344 * 4000 / 1e9)


def test_21_memory_of_all_parameters_speed_of_the_active_ones() -> None:
    row = next(r for r in table("models.csv") if r["model"] == "Qwen3 235B-A22B")
    assert (float(row["params_total_b"]), float(row["params_active_b"])) == (235.1, 22)
    plan = planned([llama(model="Qwen3 235B-A22B", gpu="H200-141GB-SXM", precision="fp8")])
    assert at(plan, "model_weights", model=0) == 235.1
    assert at(plan, "model_least_gpus", model=0) == 2
    speeds = {r["key"]: float(r["high_tokens_per_s_per_gpu"] or 0) for r in table("throughput.csv")}
    moe, dense = (speeds[f"{m}|H200-141GB-SXM|fp8"] for m in ("Qwen3 235B-A22B", "Llama 3.1 405B"))
    assert moe > 2 * dense


@pytest.mark.parametrize(("buffer", "gpus"), [(1, 5), (1.3, 7)])
def test_23_five_requests_a_second(buffer: float, gpus: float) -> None:
    """5 requests/s x 2,000 tokens at 2,000 tokens/s per GPU: 5 GPUs, 6.5 with 30 % headroom."""
    plan = planned(
        [llama(model="mine", tokens_per_s_per_gpu=2000, weights_gb=16, kv_bytes_per_token=131_072)],
        total_tokens=10_000 * 3600 * 24 * 360, peak_factor=1, ha_factor=1, buffer_factor=buffer,
        input_tokens_per_request=1500, output_tokens_per_request=500,
    )  # fmt: skip
    assert at(plan, "model_gpus_each", model=0) == 1
    assert (plan.value("gpus_for_peak"), plan.value("gpus_planned")) == (approx(5), gpus)


@pytest.mark.parametrize(
    ("gpu", "gpus", "price", "month"), [(A100, 2, 2.0, 2920), ("B200-180GB-SXM", 8, 5.5, 32_120)], ids=["A100", "B200"]
)
def test_24_rented_gpus_are_paid_every_hour(gpu: str, gpus: int, price: float, month: float) -> None:
    row = llama(gpu=gpu, gpus_per_replica=gpus, tokens_per_s_per_gpu=1e4, gpu_price_per_hour=price)
    plan = planned([row], pools=[pool(gpu=gpu)])
    assert (plan.value("gpus_planned"), plan.value("monthly_tco_mean")) == (gpus, approx(month))


@pytest.mark.parametrize(("policy", "available"), [("roll_over", [100, 140, 110]), ("expire", [100, 100, 100])])
def test_25_unused_quota(policy: str, available: list[float]) -> None:
    """Quota 100, use 60, then 130, then nothing; roll-over capped at half a month's quota."""
    statement = tenant_statement([100] * 3, [60, 130, 0], policy)
    assert [month["available"] for month in statement] == approx(available)


@pytest.mark.parametrize(
    ("expiry", "cap", "use", "carried_in"),
    [
        (0, 12, [0] * 5, [0, 0, 0, 0, 0]),
        (1, 12, [0] * 5, [0, 100, 100, 100, 100]),
        (2, 12, [0] * 5, [0, 100, 200, 200, 200]),
        (3, 12, [0] * 5, [0, 100, 200, 300, 400]),
        # the oldest are used first: of 150 used in the third month, 100 are two months old and 50 one month old
        (2, 12, [0, 0, 150, 0, 0], [0, 100, 200, 150, 200]),
        (3, 12, [0, 0, 150, 0, 0], [0, 100, 200, 150, 250]),
        (3, 12, [0, 0, 0, 0, 150, 0], [0, 100, 200, 300, 400, 350]),
        (3, 12, [0, 0, 0, 0, 450, 0], [0, 100, 200, 300, 400, 50]),
        # the cap: the oldest go, the month's own rest stays
        (3, 1.5, [0] * 5, [0, 100, 150, 150, 150]),
        (3, 0.4, [0] * 3, [0, 40, 40]),
        (2, 1.5, [0, 0, 140, 0], [0, 100, 150, 110]),
    ],
)
def test_how_long_unused_quota_is_kept(expiry: int, cap: float, use: list[float], carried_in: list[float]) -> None:
    statement = tenant_statement([100] * len(use), use, cap_share=cap, expiry_months=expiry)
    assert [month["opening_carried"] for month in statement] == approx(carried_in)


def test_a_contract_year_starts_with_nothing_carried() -> None:
    statement = tenant_statement([100] * 5, [0] * 5, cap_share=12, expiry_months=3, contract_reset_month=4)
    assert [month["opening_carried"] for month in statement] == approx([0, 100, 200, 0, 100])
    assert [month["forfeited"] for month in statement] == approx([0, 0, 0, 300, 0])


def test_refunded_quota_is_paid_back_and_not_carried() -> None:
    statement = tenant_statement([1e6] * 2, [4e5, 0], "refund", refund_rate_per_mtok=2)
    keys = ("opening_carried", "carried_out", "refunded", "forfeited", "refund_money")
    assert [[month[k] for k in keys] for month in statement] == approx([[0, 0, 6e5, 0, 1.2], [0, 0, 1e6, 0, 2]])


@pytest.mark.parametrize("basis", ["equal", "curve"])
@pytest.mark.parametrize("curve", ["linear", "s_curve", "seasonal", "phased", "logistic"])
@pytest.mark.parametrize("days_basis", ["30-day", "calendar"])
def test_26_the_months_quotas_are_the_years(basis: str, curve: str, days_basis: str) -> None:
    plan = planned(tenants=guide_tenants(), quota_basis=basis, growth_curve=curve, days_basis=days_basis)
    assert along(plan, "tenant_quota_sum", "tenant")[:3] == approx([0.9e9, 0.54e9, 0.36e9])
    assert plan.value("quota_total") == approx(1.8e9)
    assert plan.value("checks_failed") == 0


@pytest.mark.parametrize(
    ("start", "wanted"),
    [
        ("2026-05-05", [100] * 12),
        ("2027-01-01", [100] * 12),
        ("2027-04-01", [0, 0, 0] + [100] * 9),
        ("2027-04-16", [0, 0, 0, 100 * 15 / 30] + [100] * 8),
        ("2027-02-28", [0, 100 / 28] + [100] * 10),
        ("2027-12-31", [0] * 11 + [100 / 31]),
        ("2028-01-01", [0] * 12),
    ],
)
def test_26_a_start_within_the_year_is_pro_rated_by_days(start: str, wanted: list[float]) -> None:
    tenant = TenantRow(tenant="A", quota_share=1, start_date=dt.date.fromisoformat(start))
    assert along(planned(tenants=[tenant], total_tokens=1200), "tenant_quota", tenant=0) == approx(wanted)
