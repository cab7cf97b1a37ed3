"""Times ledgers of 100 and 1,000 use cases over 36 months in three scenarios, each in a process of its own.

`python benchmarks/ledger.py [100 1000]` prints processor seconds of the three steps and the most memory that was held.
"""

from __future__ import annotations

import datetime as dt
import itertools
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from planner.inputs.model import Inputs
from planner.inputs.portfolio import UseCaseRow
from planner.plan import compute
from planner.samples import SAMPLES
from planner.workbook.layout import built
from planner.workbook.write import write

SIZES = (100, 1000)
MONTHS = 36


def inputs(count: int) -> Inputs:
    """The ledger sample with so many use cases: its own forty, again and again under other names."""
    sample = SAMPLES["ledger"]()
    mine: list[Any] = sample.used("Ledger")
    rows: list[UseCaseRow] = [
        mine[i % len(mine)].model_copy(update={"use_case": f"{mine[i % len(mine)].use_case} {i // len(mine) + 1}"})
        for i in range(count)
    ]
    plan = sample.plan.model_copy(update={"horizon_months": MONTHS, "start_month": dt.date(2027, 1, 1)})
    return Inputs(plan, {**sample.rows, "Ledger": tuple(rows)}).with_room()


def once(count: int) -> None:
    """One build of one size; prints a row of the table."""
    given = inputs(count)
    marks = [time.process_time()]
    plan = compute(given)
    marks.append(time.process_time())
    layout = built(plan)
    marks.append(time.process_time())
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "plan.xlsx"
        write(layout, path)
        marks.append(time.process_time())
        size = path.stat().st_size / 1e6
    formulas = sum(c.formula is not None for s in layout.sheets for c in s.cells.values())
    steps = [b - a for a, b in itertools.pairwise(marks)]
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    shown = " ".join(f"{s:8.2f}" for s in (*steps, sum(steps)))
    print(f"{count:>9,} {formulas:>10,} {shown} {held:9.2f} {size:7.2f}", flush=True)


def main() -> None:
    """Each size in a process of its own, so that the memory is its own."""
    if len(sys.argv) == 3 and sys.argv[1] == "--once":
        once(int(sys.argv[2]))
        return
    print("use cases   formulas  compute   layout    write      all   GB held      MB", flush=True)
    for size in map(int, sys.argv[1:] or SIZES):
        subprocess.run([sys.executable, __file__, "--once", str(size)], check=True)


if __name__ == "__main__":
    main()
