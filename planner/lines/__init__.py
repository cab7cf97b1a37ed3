"""The method, a chapter a file. Reading METHOD registers every line."""

from planner.lines import (
    bridge,
    checks,
    cost,
    demand,
    levers,
    memory,
    models,
    quotas,
    resources,
    risk,
    sla,
    story,
    supply,
    timeline,
)
from planner.lines.method import AXIS_ORDER, AXIS_UNITS, METHOD

CHAPTERS = (
    timeline, demand, models, memory, resources, bridge, supply, quotas, sla, cost, levers, checks, risk, story,
)  # fmt: skip

__all__ = ["AXIS_ORDER", "AXIS_UNITS", "CHAPTERS", "METHOD"]
