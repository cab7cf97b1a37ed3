"""Times a large plan: 40 models, 20 tenants, 36 months; and beside it the same cells written by xlsxwriter alone.

`python benchmarks/build.py [--runs 5]` prints the median of the runs, in seconds of processor time. "Raw" writes every
formula with its value, every number and every text by xlsxwriter's own calls: no formats, no charts, no checks.
"""

from __future__ import annotations

import argparse
import datetime as dt
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import xlsxwriter

from planner.inputs.model import Inputs, default_rows
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import TABLES, ModelRow, PoolRow, TenantRow
from planner.plan import compute
from planner.workbook.layout import Layout, built
from planner.workbook.write import write

MODELS, TENANTS, MONTHS = 40, 20, 36
ON_PREM = (("Llama 3 70B", "A100-80GB-SXM"), ("Llama 3 8B", "A100-80GB-SXM"), ("Qwen 72B", "A100-80GB-SXM"))
ON_API = ("GPT-4o", "GPT-4o-mini", "Claude 3.5 Sonnet", "Claude 3 Haiku")


def inputs() -> Inputs:
    """A hybrid plan of that size, every model and tenant in use."""
    plan = PlanInputs(
        plan_name="Benchmark", start_month=dt.date(2027, 1, 1), horizon_months=MONTHS, total_tokens=400e9,
        yearly_growth=0.4, growth_curve="s_curve", deployment_mode="hybrid", usage_pattern="mixed",
        sla_tier="business_critical", retry_rate=0.02, unused_policy="roll_over", days_basis="calendar",
    )  # fmt: skip
    models = [_model(i) for i in range(MODELS)]
    tenants = [
        TenantRow(tenant=f"Tenant {i + 1}", priority=("high", "medium", "low")[i % 3], quota_share=1 / TENANTS,
                  burst_multiple=1 + 0.1 * (i % 4), fallback=("guaranteed", "best_effort", "reject")[i % 3])
        for i in range(TENANTS)
    ]  # fmt: skip
    pools = [PoolRow(pool=f"pool {i + 1}", gpu="A100-80GB-SXM", gpus_total=64.0, gpus_allocated=8.0) for i in range(6)]
    rows: dict[str, Any] = {table.tab: default_rows(table) for table in TABLES}
    rows |= {"Models": tuple(models), "Tenants": tuple(tenants), "Pools": tuple(pools)}
    return Inputs(plan, rows).with_room()


def _model(i: int) -> ModelRow:
    if i % 2:
        return ModelRow(model=ON_API[i // 2 % len(ON_API)], deployment="api", token_share=1 / MODELS)
    name, gpu = ON_PREM[i // 2 % len(ON_PREM)]
    return ModelRow(model=name, deployment="on_prem", token_share=1 / MODELS, precision="fp16", gpu=gpu)


def write_raw(layout: Layout, path: Path) -> None:
    """The same cells, by xlsxwriter alone."""
    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(str(path), options)
    for sheet in layout.sheets:
        ws = book.add_worksheet(sheet.name)
        for cell in sheet.cells.values():
            if cell.formula is not None:
                ws.write_formula(cell.row, cell.col, cell.formula, None, cell.value)
            elif isinstance(cell.value, str):
                ws.write_string(cell.row, cell.col, cell.value)
            elif cell.value is not None:
                ws.write_number(cell.row, cell.col, cell.value)
    book.close()


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, which others on the machine hardly touch, and the result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description="Time a plan of 40 models, 20 tenants and 36 months.")
    parser.add_argument("--runs", type=int, default=1, help="how often; the median is printed")
    runs = parser.parse_args().runs
    given = inputs()
    first, _ = timed(lambda: compute(given))
    seconds: dict[str, list[float]] = {"compute": [], "layout": [], "write": [], "raw": []}
    with tempfile.TemporaryDirectory() as name:
        mine, raw = Path(name) / "plan.xlsx", Path(name) / "raw.xlsx"
        for _ in range(runs):
            took, plan = timed(lambda: compute(given))
            seconds["compute"].append(took)
            took, layout = timed(lambda plan=plan: built(plan))
            seconds["layout"].append(took)
            seconds["write"].append(timed(lambda layout=layout: write(layout, mine))[0])
            seconds["raw"].append(timed(lambda layout=layout: write_raw(layout, raw))[0])
        sizes = {"write": mine.stat().st_size, "raw": raw.stat().st_size}
    cells = [cell for sheet in layout.sheets for cell in sheet.cells.values() if cell.value is not None or cell.formula]
    formulas = sum(cell.formula is not None for cell in cells)
    print(f"{MODELS} models, {TENANTS} tenants, {MONTHS} months: {len(cells):,} filled cells, {formulas:,} formulas")
    middle = {step: statistics.median(took) for step, took in seconds.items()}
    middle["all"] = middle["compute"] + middle["layout"] + middle["write"]
    words = {"compute": "compute", "layout": "lay out", "write": "write", "all": "all three", "raw": "raw xlsxwriter"}
    print(f"The first compute of a process, which also reads and checks the method: {first:.2f} s")
    print(f"{'median of ' + str(runs):<16}{'seconds':>9}{'of raw':>9}{'MB':>7}")
    for step, word in words.items():
        size = f"{sizes[step] / 1e6:7.2f}" if step in sizes else ""
        print(f"{word:<16}{middle[step]:9.2f}{middle[step] / middle['raw']:8.2f}x{size}")


if __name__ == "__main__":
    main()
