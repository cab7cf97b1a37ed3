"""Every line of the method under whatever inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import A100, along, at, changed, gpt_4o, guide_tenants, llama, planned, pool
from hypothesis import given
from hypothesis import strategies as st
from strategies import MODES, any_inputs, few

from planner.calc.numbers import NOT_APPLICABLE
from planner.inputs.tables import CurveRow, ModelRow, PoolRow, TenantRow
from planner.plan import Plan, compute
from planner.verify.report import verify
from planner.workbook.layout import built
from planner.workbook.write import write

# ---- every line, whatever the inputs


def unspoken(plan: Plan) -> list[tuple[str, tuple[int, ...]]]:
    """Numbers that are missing without a word of why."""
    found = []
    for name in plan.program.lines:
        values = plan.values[name]
        if plan.program.kind(name) == "number":
            for index in np.argwhere(np.isnan(values.num)):
                words = values.at(tuple(index))
                if words != NOT_APPLICABLE and not str(words).startswith("withheld: "):
                    found.append((name, tuple(index)))
    return found


@pytest.mark.parametrize("mode", MODES)
@few(4)
@given(data=st.data())
def test_every_line_is_a_number_or_says_why_not(mode: str, data: st.DataObject) -> None:
    assert unspoken(compute(data.draw(any_inputs(mode)))) == []


@pytest.mark.parametrize("horizon", range(1, 37))
def test_every_horizon_computes(horizon: int) -> None:
    mode = MODES[horizon % 3]
    models = {"api": [gpt_4o()], "on_prem": [llama()]}.get(
        mode, [gpt_4o(deployment="api", token_share=0.4), llama(deployment="on_prem", token_share=0.6)]
    )
    plan = planned(models, deployment_mode=mode, horizon_months=horizon, tenants=guide_tenants(), yearly_growth=0.2)
    assert unspoken(plan) == []
    # phases end with month 12: a longer horizon has months in no phase, and the checks say so
    failed = [c for c in plan.labels["check"] if at(plan, "check_state", check=c) != 0]
    assert failed == ([] if horizon <= 12 else ["phases_months", "cost_phases"])
    outside = along(plan, "monthly_tokens")[horizon:] + along(plan, "tco_by_month")[horizon:]
    assert outside == [0] * len(outside)


@pytest.mark.parametrize("mode", MODES)
def test_a_complete_plan_withholds_nothing_that_it_needs(mode: str, tmp_path: Path) -> None:
    models = {"api": [gpt_4o()], "on_prem": [llama()]}.get(
        mode, [gpt_4o(deployment="api", token_share=0.4), llama(deployment="on_prem", token_share=0.6)]
    )
    plan = planned(models, deployment_mode=mode, tenants=guide_tenants(), pools=[pool()])
    assert {n: v for n, v in plan.headlines().items() if isinstance(v, str)} == {
        "risk_level": plan.value("risk_level"), "confidence": plan.value("confidence")
    }  # fmt: skip
    assert plan.value("checks_failed") == 0
    assert differences(plan, tmp_path) == []


@few(2)
@given(data=st.data())
def test_both_engines_agree_on_every_cell(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    plan = compute(data.draw(any_inputs("hybrid")))
    assert differences(plan, tmp_path_factory.mktemp("engines")) == []


def differences(plan: Plan, path: Path) -> list[str]:
    """Cells of the plan's workbook that the spreadsheet engine reckons otherwise."""
    write(built(plan), path / "plan.xlsx", plan.language)
    verdict = verify(path / "plan.xlsx")
    assert verdict.cells > 5000
    return [str(d) for d in verdict.differences]


WITHOUT: dict[str, tuple[dict[str, Any], str, str]] = {
    "a price": (
        {"models": [ModelRow(model="our own", token_share=1)], "deployment_mode": "api"},
        "model_price_in", "input price",
    ),
    "a speed": ({"models": [ModelRow(model="our own", token_share=1, gpu=A100)]}, "model_speed", "speed"),
    "a GPU price": (
        {"models": [llama(gpu="new", gpus_per_replica=2, gpu_price_per_hour=None)]}, "model_gpu_price", "GPU price",
    ),
    "weights": ({"models": [llama(model="our own", tokens_per_s_per_gpu=9)]}, "model_gpus_each", "weights"),
    "a known GPU": ({"models": [llama(gpu="new", tokens_per_s_per_gpu=9)]}, "model_gpus_each", "GPU"),
    "a size that fits": ({"models": [llama(weights_gb=1e5)]}, "model_gpus_each", "does not fit"),
    "a pool": ({"pools": []}, "model_coverage", "GPU capacity validation is missing"),
    "a cache": ({"models": [llama(kv_bytes_per_token=0, weights_gb=10)]}, "model_slots", "KV cache"),
}  # fmt: skip


@pytest.mark.parametrize("what", WITHOUT)
def test_what_is_missing_is_named_where_it_is_needed(what: str) -> None:
    given_, name, words = WITHOUT[what]
    plan = planned(**given_)
    assert unspoken(plan) == []
    said = plan.values[name].at((0,) * len(plan.values[name].axes))
    assert str(said).startswith("withheld: ") and words in str(said)


@pytest.mark.parametrize(
    "models",
    [
        [ModelRow(model="our own", token_share=1, gpu=A100, gpus_per_replica=1)],
        [
            llama(token_share=0.5),
            ModelRow(model="our own", token_share=0.5, gpu="H100-80GB-SXM", gpus_per_replica=1),
        ],
    ],
    ids=["one model without a speed", "one of two"],
)
@pytest.mark.parametrize("pools", [[pool()], []], ids=["pools seen", "no pool"])
def test_what_cannot_be_sized_is_never_said_to_hold(models: list[ModelRow], pools: list[PoolRow]) -> None:
    plan = planned(models, pools=pools)
    assert str(plan.value("gpus_planned")).startswith("withheld: ")
    said = f"{plan.value('conclusion_verdict')} {plan.value('chart_demand_title')}"
    assert not [claim for claim in ("plan holds", "carry the peak", "stays above") if claim in said], said
    assert plan.value("risk_level") != "normal"


@pytest.mark.parametrize("what", ["every model", "tokens"])
def test_a_plan_with_gaps_says_the_same_in_both_engines(what: str, tmp_path: Path) -> None:
    models = [m for given_, _, _ in WITHOUT.values() for m in given_.get("models", ())]
    deployed = [m.model_copy(update={"deployment": "on_prem" if m.gpu else "api"}) for m in models]
    plan = {
        "every model": {
            "models": [m.model_copy(update={"token_share": 1 / len(models)}) for m in deployed],
            "deployment_mode": "hybrid", "pools": [], "gpu_ownership": "owned",
        },
        "tokens": {
            "rows": changed("Curves", "custom", **{f"m{i}": 0 for i in range(1, 13)}), "growth_curve": "custom",
            "tenants": guide_tenants(),
        },
    }[what]  # fmt: skip
    assert unspoken(computed := planned(**plan)) == []
    assert differences(computed, tmp_path) == []


def test_names_like_search_patterns_are_names_in_both_engines(tmp_path: Path) -> None:
    odd = ["*", "grow*", "<5", "=cmd|' /C calc'!A0", "a ~? b", 'the "best"', "日本語"]
    curves = [CurveRow(curve="grown", m1=1), CurveRow(curve="grow*", m2=1)]
    plan = planned(
        [llama(model=name, gpu=A100, token_share=1 / len(odd), tokens_per_s_per_gpu=100) for name in odd],
        tenants=[TenantRow(tenant=name, quota_share=1 / len(odd)) for name in odd],
        pools=[pool(pool=name) for name in odd], rows={"Curves": curves}, growth_curve="GROW*",
    )  # fmt: skip
    assert plan.value("curve_row") == 2
    assert differences(plan, tmp_path) == []
