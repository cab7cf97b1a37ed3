"""The supply tabs are alive: the ladder, the ceiling, the verdict and the actions follow edits inside the workbook."""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import replace
from pathlib import Path

import pytest
from builders import A100, guide_tenants, llama, planned, pool
from perturbing import Bench

from planner.inputs.gate import passed
from planner.inputs.portfolio_tables import InstrumentRow, RunbookRow
from planner.inputs.reader import read_draft
from planner.inputs.tables import ModelRow
from planner.plan import Plan, compute
from planner.samples import SAMPLES
from planner.verify.report import verify
from planner.workbook.blank import laid_out
from planner.workbook.layout import built
from planner.workbook.write import write

H100 = "H100-80GB-SXM"
SCALARS = (
    "wait_percentile", "arrival_variability", "service_variability", "utilisation_limit", "ceiling_on_gpus",
    "compute_ceiling", "kv_ceiling", "commitment_demand", "committable_share", "load_growth", "latency_limit",
    "test_months", "concentration_limit", "capex_per_gpu", "life_months", "residual_share", "rent_duty",
    "api_alternative_per_mtok", "as_of",
)  # fmt: skip
TABLES = ("Supply", "Runbooks", "Actions", "Pools")


def crowded() -> Plan:
    """Two kinds of GPU, four pools, an order, a cloud, a fallback path and two runbooks: a plan that does not fit."""
    models = [
        llama(token_share=0.6, gpus_per_replica=4),
        ModelRow(model="Llama 3.1 70B", token_share=0.4, gpu=H100, precision="fp8", gpus_per_replica=2, ttft_s=0.3,
                 tokens_per_s_per_gpu=900.0, gpu_price_per_hour=3.0),
    ]  # fmt: skip
    pools = [
        pool(pool="a1", gpus_total=24, gpus_allocated=4, core_utilization=0.9, kv_cache_use=0.5, autoscaler_max_gpus=8),
        pool(pool="h", gpu=H100, gpus_total=8, gpus_allocated=2, core_utilization=0.95),
        pool(pool="a2", gpus_total=16, gpus_allocated=8, core_utilization=0.5, maintenance_share=0.1),
        pool(pool="slices", mode="mig", gpus_total=8, gpus_allocated=3, core_utilization=0.3),
    ]  # fmt: skip
    supply = [
        InstrumentRow(instrument="order", gpu=A100, instrument_kind="committed", pool="a2", quantity_ordered=16,
                      starts_on=dt.date(2027, 9, 1), price_per_unit_hour=1.5, elastic_price_per_unit_hour=2.5,
                      increment=2, minimum=3, term_months=12, lead_time_days=60, typed_level=4),
        InstrumentRow(instrument="cloud", gpu=A100, price_per_unit_hour=3.0, lead_time_days=30, quantity_available=12),
        InstrumentRow(instrument="smaller", instrument_kind="fallback", path="smaller_model", eligible_share=0.4,
                      relief_share=0.5),
    ]  # fmt: skip
    books = [RunbookRow(service="Chat", service_tier=1, provider="X", last_test=dt.date(2026, 5, 1)),
             RunbookRow(service="Search", provider="X")]  # fmt: skip
    return planned(
        models, pools=pools, rows={"Supply": supply, "Runbooks": books}, growth_curve="s_curve", total_tokens=36e9,
        tenants=guide_tenants(), api_alternative_per_mtok=4.0, capex_per_gpu=20000.0, electricity_price_per_kwh=0.1,
    )  # fmt: skip


PARTS = 2
STRIDE = 1 if os.environ.get("PROVE") else 3  # `make prove` tries every change


@pytest.mark.parametrize("part", range(PARTS))
def test_every_cell_of_the_supply_tabs_is_followed(part: int, tmp_path: Path) -> None:
    bench = Bench(crowded(), tmp_path)
    ours = [c for c in bench.changes() if c.what.split()[0] in SCALARS or c.what.startswith(TABLES)]
    assert len(ours) > 150
    assert [w[0] for change in ours[part :: PARTS * STRIDE] if (w := bench.try_change(change))] == []


def test_a_plan_that_does_not_fit_verifies_and_is_a_valid_input(tmp_path: Path) -> None:
    plan = crowded()
    write(built(plan), tmp_path / "plan.xlsx")
    found = verify(tmp_path / "plan.xlsx")
    assert found.ok, found
    again = compute(passed(read_draft(tmp_path / "plan.xlsx")))
    assert again.value("conclusion_verdict") == plan.value("conclusion_verdict")


@pytest.mark.parametrize("name", SAMPLES)
def test_an_input_file_without_the_new_tabs_builds_the_same_plan(name: str, tmp_path: Path) -> None:
    """Files that were written before: no Supply, Actions or Runbooks, no new row on Plan."""
    layout = laid_out(SAMPLES[name](), "en")
    kept = [s for s in layout.sheets if s.name not in ("Supply", "Actions", "Runbooks")]
    names = {k: v for k, v in layout.names.items() if not k.startswith(("instrument_", "action_", "runbook_"))}
    write(replace(layout, sheets=kept, names=names), tmp_path / "old.xlsx")
    old, new = compute(passed(read_draft(tmp_path / "old.xlsx"))), compute(SAMPLES[name]())
    assert old.headlines() == new.headlines()
    assert len(built(old).sheets) == len(built(new).sheets)


def test_a_plan_that_was_built_when_supply_was_another_tab_is_read(tmp_path: Path) -> None:
    """Its calculation tab of that name is no table of instruments."""
    layout = built(compute(SAMPLES["on-prem"]()))
    for sheet in layout.sheets:
        sheet.charts = []  # they name their tab
        sheet.name = {"Supply": "Then unknown", "Supply plan": "Supply"}.get(sheet.name, sheet.name)
    names = {k: v for k, v in layout.names.items() if k != "instrument_rows" and "Supply" not in v}
    write(replace(layout, names=names), tmp_path / "plan.xlsx")
    draft = read_draft(tmp_path / "plan.xlsx")
    assert draft.problems == []
    assert all(r is None for r in draft.rows["Supply"])
