"""Chapter 11: headroom, what binds it, and the plan against it; in plain numbers and in the workbook."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import A100
from perturbing import Bench

from planner.inputs.model import Inputs
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import PoolRow
from planner.plan import Plan, compute
from planner.samples import SAMPLES
from planner.verify.recalc import Live
from planner.workbook.layout import built
from planner.workbook.write import write

CASES = [c for c in json.loads((Path(__file__).parent / "worked_examples_11.json").read_text("utf-8"))["cases"]]
KEYS = {"total": "gpus_total", "allocated": "gpus_allocated", "healthy": "gpus_healthy",
        "utilisation": "core_utilization", "kv_usage": "kv_cache_use"}  # fmt: skip


def with_pools(*pools: PoolRow, gpus: float = 0, each: float = 2) -> Inputs:
    """The sample on GPUs with these pools; `gpus` in all, in replicas of `each`, are what the plan needs."""
    sample = SAMPLES["on-prem"]()
    [model, *_] = sample.used("Models")
    load = 173.61111111111111 * 1.3 * 1.5  # tokens/s at the peak, with buffer and HA
    model = model.model_copy(update={
        "gpus_per_replica": each, "tokens_per_s_per_gpu": load / (gpus - each / 2) if gpus else 1e6, "weights_gb": 1.0,
        "kv_bytes_per_token": 1.0,
    })  # fmt: skip
    rows = {**sample.rows, "Models": (model, None), "Pools": (*pools, None, None, None)}
    return replace(sample, rows=rows)


def planned(case: dict[str, Any]) -> Plan:
    given = case["inputs"]
    pool = PoolRow(pool="p", gpu=A100, mode="gpu", **{field: given.get(key) for key, field in KEYS.items()})
    return compute(with_pools(pool, gpus=given.get("required", 0), each=given.get("gpus_per_replica", 1)))


def at(plan: Plan, name: str, i: int = 0) -> Any:
    return plan.values[name].at((i,))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
def test_worked_example(case: dict[str, Any]) -> None:
    plan, want = planned(case), case["output"]
    for what, line in (("scheduling", "pool_by_scheduling"), ("compute", "pool_by_compute"), ("vram", "pool_by_vram")):
        got = at(plan, line)
        if want["by"][what] is None:
            assert isinstance(got, str) and got.startswith("withheld: "), (what, got)
        else:
            assert got == pytest.approx(want["by"][what], rel=1e-9)
    if isinstance(want["headroom"], str):
        assert at(plan, "pool_headroom") == want["headroom"]
        assert at(plan, "pool_bottleneck").startswith("withheld: ")
    else:
        assert at(plan, "pool_headroom") == pytest.approx(want["headroom"], rel=1e-9)
        assert at(plan, "model_gpus_needed") == case["inputs"]["required"]
        assert at(plan, "pool_usable") == want["usable_whole_replicas"]
        assert at(plan, "model_pool_gap") == want["gap"]
        assert at(plan, "pool_bottleneck") == want["bottleneck"]
        assert want["verdict"] in at(plan, "model_pool_verdict")
    assert at(plan, "pool_gaps") == len(want["unknown"])
    assert at(plan, "pool_unknown").casefold().split() == want["unknown"]


P = {"gpus_total": 10.0, "gpus_allocated": 4.0, "core_utilization": 0.5, "kv_cache_use": 0.5}
# changes to a pool of 10 -> by scheduling, compute, VRAM, headroom, what binds
TABLE: list[tuple[dict[str, Any], tuple[float | None, float | None, float | None, float | None, str]]] = [
    ({}, (6, 6.5, 7, 6, "scheduling")),
    ({"gpus_allocated": 10.0, "core_utilization": 0.1}, (0, 7.5, 4, 0, "scheduling")),  # free GPUs, none to be had
    ({"core_utilization": 1.0, "gpus_allocated": 5.0}, (5, 3.5, 6.5, 3.5, "compute")),
    ({"core_utilization": 0.0, "kv_cache_use": 1.0, "gpus_allocated": 5.0}, (5, 8.5, 4, 4, "VRAM")),
    ({"gpus_healthy": 5.0}, (1, 2.25, 2.5, 1, "scheduling")),
    ({"gpus_healthy": 0.0}, (0, 0, 0, 0, "scheduling")),  # all cordoned: a tie goes to the first
    ({"gpus_allocated": 12.0}, (0, 2.5, 3, 0, "scheduling")),  # more handed out than healthy
    ({"gpus_allocated": 0.0, "core_utilization": None}, (10, None, 9, 9, "VRAM")),
    ({"kv_cache_use": None}, (6, 6.5, None, 6, "scheduling")),
    ({"gpus_allocated": None}, (None, None, None, None, "withheld: no allocation figure")),
    ({"gpus_total": None}, (None, None, None, None, "withheld: no GPU count")),
    ({"gpus_total": None, "gpus_healthy": 8.0}, (4, 4.8, 5.2, 4, "scheduling")),
    ({"core_utilization": 0.0, "kv_cache_use": 0.0}, (6, 8.5, 9, 6, "scheduling")),  # idle is 0, a figure
]


@pytest.mark.parametrize(("change", "want"), TABLE)
def test_headroom_of_a_pool(change: dict[str, Any], want: tuple[Any, ...]) -> None:
    plan = compute(with_pools(PoolRow(pool="p", gpu=A100, mode="gpu", **(P | change))))
    for line, expected in zip(
        ("pool_by_scheduling", "pool_by_compute", "pool_by_vram", "pool_headroom"), want, strict=False
    ):
        got = at(plan, line)
        if expected is None:
            assert isinstance(got, str) and got.startswith("withheld: "), (line, got)
        else:
            assert got == pytest.approx(expected, abs=1e-9), line
    assert at(plan, "pool_bound_by") == want[4]


def test_ceilings_are_inputs() -> None:
    inputs = with_pools(PoolRow(pool="p", gpu=A100, **P))
    assert (PlanInputs.model_fields["compute_ceiling"].default, PlanInputs.model_fields["kv_ceiling"].default) == (
        0.85,
        0.9,
    )
    lower = replace(inputs, plan=inputs.plan.model_copy(update={"compute_ceiling": 0.4, "kv_ceiling": 0.3}))
    plan = compute(lower)
    assert (at(plan, "pool_by_compute"), at(plan, "pool_by_vram")) == (pytest.approx(2), pytest.approx(1))


def test_pools_of_one_kind_are_together_and_other_kinds_apart() -> None:
    pools = [PoolRow(pool=n, gpu=g, mode=m, gpus_total=t, gpus_allocated=0.0)
             for n, g, m, t in (("a", A100, "gpu", 4.0), ("b", A100, "gpu", 5.0), ("c", "H100-80GB-SXM", "gpu", 99.0),
                                ("d", f"{A100} MIG 1g.10gb", "mig", 56.0), ("discover", "", "", None))]  # fmt: skip
    plan = compute(with_pools(*pools, gpus=10, each=2))
    assert at(plan, "model_pool_usable") == 8  # 4 and 5 in pairs
    assert (at(plan, "model_gpus_needed"), at(plan, "model_pool_gap")) == (10, 2)
    assert [at(plan, "pool_bottleneck", i) for i in range(4)] == ["scheduling", "scheduling", "none", "none"]
    assert at(plan, "pool_bottleneck", 4) == "withheld: no GPU count"
    assert at(plan, "model_pool_verdict") == "▲ does not fit: 8 of 10 GPUs can be had"


def test_slices_of_gpus_secure_no_whole_gpu() -> None:
    """56 MIG instances do not carry a model that needs whole GPUs; on such instances planned, they count."""
    mig = PoolRow(pool="d", gpu=f"{A100} MIG 1g.10gb", mode="mig", gpus_total=56.0, gpus_allocated=0.0)
    inputs = with_pools(mig, gpus=4, each=2)
    plan = compute(inputs)
    assert (plan.value("gpus_secured"), at(plan, "model_gpus_secured")) == (0, 0)
    model = inputs.used("Models")[0].model_copy(update={"gpu": mig.gpu})
    plan = compute(replace(inputs, rows={**inputs.rows, "Models": (model, None)}))
    assert (plan.value("gpus_secured"), at(plan, "model_gpus_secured")) == (56, 56)


def test_nothing_seen_is_withheld() -> None:
    plan = compute(with_pools(PoolRow(pool="discover"), gpus=4))
    assert at(plan, "model_pool_gap") == "withheld: GPU capacity validation is missing"
    assert at(plan, "model_pool_verdict") == "withheld: GPU capacity validation is missing"
    assert plan.value("pools_measured") == 0


def test_an_edit_inside_the_workbook_is_followed(tmp_path: Path) -> None:
    """Allocation, utilization, KV cache, health, kind and ceilings, changed in the file; a pool added and emptied."""
    plan = compute(with_pools(*(PoolRow(pool=n, gpu=A100, mode="gpu", **P) for n in "ab"), gpus=12))
    bench = Bench(plan, tmp_path)
    words = ("Pools row", "Pools:", "compute_ceiling", "kv_ceiling")
    changes = [c for c in bench.changes() if c.what.startswith(words)][::3]
    assert len(changes) > 10
    assert not [wrong[0] for c in changes if (wrong := bench.try_change(c))]


def test_unknown_is_live_too(tmp_path: Path) -> None:
    """Emptying a figure withholds what needs it; nothing becomes 0."""
    plan = compute(with_pools(PoolRow(pool="a", gpu=A100, mode="gpu", **P)))
    layout = built(plan)
    write(layout, tmp_path / "plan.xlsx")
    live = Live(tmp_path / "plan.xlsx")
    assert layout.context is not None
    home = layout.context.places.home
    row, col = home("pool_gpus_allocated").row + 1, home("pool_gpus_allocated").col + 1
    live.set("Pools", row, col, None)
    live.recalculate()
    there = home("pool_headroom")
    assert live.value(there.tab, there.row + 1, there.col + 1) == "withheld: no allocation figure"
