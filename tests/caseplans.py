"""Plans of the cases that must come right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workbooks import (
    Edited,
    Reader,
    blank,
    built,
    guide_tenant,
    planner,
)

from planner.lines import METHOD

HEADLINES = [line.name for line in METHOD if line.headline]
SECONDS = 30 * 86400 * 12  # of a year of 30-day months


def plan_of(tmp_path: Path, edited: Edited, verify: bool = False) -> Reader:
    """The plan of an edited input; with `verify`, the independent engine agrees with it."""
    read = built(edited.save(tmp_path / "input.xlsx"))
    if verify:
        assert planner("verify", read.path).code == 0
    return read


def api_plan(tokens: float, model: dict[str, Any], **scalars: Any) -> Edited:
    """One API model, one tenant."""
    edited = Edited(blank()).plan(
        total_tokens=tokens, deployment_mode="api", usage_pattern="real_time", sla_tier="standard",
        start_month="2027-01", **scalars,
    )  # fmt: skip
    return edited.only("Models", model).only("Tenants", guide_tenant())


def gpu_plan(tokens: float, model: dict[str, Any], **scalars: Any) -> Edited:
    """One self-hosted model on a pool of its own, one tenant."""
    edited = Edited(blank()).plan(
        total_tokens=tokens, deployment_mode="on_prem", usage_pattern="real_time", sla_tier="best_effort",
        start_month="2027-01", **scalars,
    )  # fmt: skip
    edited.only("Models", model).only("Tenants", guide_tenant())
    return edited.only("Pools", {"pool": "main", "gpu": model["gpu"], "gpus_total": 4096})
