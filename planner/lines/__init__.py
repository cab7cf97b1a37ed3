"""The method, a chapter a file. Reading METHOD registers every line."""

from planner.lines import (
    bridge,
    checks,
    cost,
    cost_views,
    demand,
    evidence,
    ledger,
    ledger_sums,
    levers,
    memory,
    models,
    placement,
    prices,
    quotas,
    ranges,
    reasons,
    resources,
    risk,
    scenario_views,
    scenarios,
    shortage,
    shortage_views,
    sla,
    story,
    supply,
    timeline,
    unit_economics,
)
from planner.lines.method import AXIS_ORDER, AXIS_UNITS, METHOD, PORTFOLIO, WITHOUT_LEDGER

CHAPTERS = (
    timeline, demand, ledger, ledger_sums, models, memory, resources, bridge, supply, evidence, quotas, sla, prices,
    cost, cost_views, levers, placement, scenarios, shortage, shortage_views, scenario_views, unit_economics, ranges,
    checks, risk, story, reasons,
)  # fmt: skip
CLONES = tuple(scenarios.cloned())

__all__ = ["AXIS_ORDER", "AXIS_UNITS", "CHAPTERS", "CLONES", "METHOD", "PORTFOLIO", "WITHOUT_LEDGER"]
