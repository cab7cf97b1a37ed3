"""The method, a chapter a file. Reading METHOD registers every line."""

from planner.lines import (
    bridge,
    checks,
    cost,
    cost_views,
    demand,
    evidence,
    levers,
    memory,
    models,
    prices,
    quotas,
    reasons,
    resources,
    risk,
    sla,
    story,
    supply,
    timeline,
)
from planner.lines.method import AXIS_ORDER, AXIS_UNITS, METHOD

CHAPTERS = (
    timeline, demand, models, memory, resources, bridge, supply, evidence, quotas, sla, prices, cost,
    cost_views, levers, checks, risk, story, reasons,
)  # fmt: skip

__all__ = ["AXIS_ORDER", "AXIS_UNITS", "CHAPTERS", "METHOD"]
