"""The worked cases of the method, against the product: a line called with plain numbers, or a whole plan from code.

`worked_examples.json` holds the cases of chapters 2 to 6 by id. Each `function` there is reckoned below by lines of the
product; what the product does not reckon yet stands in NOT_IN_THIS_CHAPTER_YET, by name and with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import (
    LLAMA,
    approx,
)
from reckoned import (
    api_month_cost,
    credits,
    gpus_for_load,
    headroom_bridge,
    hybrid_month,
    k_of_n,
    levers,
    monthly_quota,
    node_availability,
    power_kwh_month,
    quota_claims,
    rented_month_cost,
    replica_fit,
    request_cost,
    size_pool,
    sla_lines,
    tenant_statement,
)

from planner.resources import table

CASES = {c["id"]: c for c in json.loads((Path(__file__).parent / "worked_examples.json").read_text("utf-8"))["cases"]}

NOT_IN_THIS_CHAPTER_YET = {
    "3.1": "KV bytes per token from layers and heads: a reference column, held against models.csv below",
    "3.2": "KV bytes per token from layers and heads: a reference column, held against models.csv below",
    "3.12": "a fleet of any size: the product sizes in replicas of 1, 2, 4, 8 or 16 GPUs",
    "6.4": "owned GPUs: in test_worked_supply.py, with own against rent",
    "6.7": "cost per Mtok of a fleet at a utilisation: in test_worked_supply.py",
    "6.8": "cost per Mtok of a fleet at a utilisation: in test_worked_supply.py",
    "6.9": "hours rented below 100 %: in test_worked_supply.py",
}


RECKONED: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        replica_fit, gpus_for_load, size_pool, headroom_bridge, hybrid_month, request_cost, api_month_cost,
        tenant_statement, quota_claims, monthly_quota, node_availability, k_of_n, sla_lines, credits, levers,
        power_kwh_month, rented_month_cost,
    )
}  # fmt: skip
CHECKED = [i for i in CASES if i not in NOT_IN_THIS_CHAPTER_YET]


@pytest.mark.parametrize("case", CHECKED)
def test_worked_example(case: str) -> None:
    example = CASES[case]
    assert RECKONED[example["function"]](**example["inputs"]) == approx(example["output"]), example["note"]


def test_every_case_is_checked_or_named_with_its_reason() -> None:
    assert set(CASES) == {f"{c}.{i}" for c, n in ((3, 12), (4, 5), (5, 5), (6, 9)) for i in range(1, n + 1)}
    assert set(NOT_IN_THIS_CHAPTER_YET) <= set(CASES)
    unreckoned = {i for i, c in CASES.items() if c["function"] not in RECKONED}
    assert unreckoned == set(NOT_IN_THIS_CHAPTER_YET) - {"6.9"}
    assert "duty" in CASES["6.9"]["inputs"]


@pytest.mark.parametrize(("case", "model"), [("3.1", LLAMA), ("3.2", "Qwen2.5 7B")])
def test_kv_bytes_of_the_reference(case: str, model: str) -> None:
    """2 x layers x KV heads x head size x 2 bytes; half of it at 8 bits."""
    row = next(r for r in table("models.csv") if r["model"] == model)
    given = CASES[case]["inputs"]
    assert {k: float(row[k]) for k in given} == given
    assert float(row["kv_bytes_per_token_fp16"]) == CASES[case]["output"]
    assert float(row["kv_bytes_per_token_fp8"]) == CASES[case]["output"] / 2
