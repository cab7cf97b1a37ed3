"""The method, a chapter a file. Reading METHOD registers every line."""

from planner.lines import (
    actions,
    bottleneck,
    bridge,
    checks,
    commitment,
    cost,
    cost_views,
    demand,
    effective,
    effects,
    evidence,
    failover,
    ledger,
    ledger_sums,
    levers,
    memory,
    models,
    owning,
    placement,
    portfolio,
    prices,
    quotas,
    range_effects,
    range_results,
    ranges,
    reality,
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
    supply_checks,
    timeline,
    unit_economics,
    waiting,
)
from planner.lines.method import AXIS_ORDER, AXIS_UNITS, METHOD, PORTFOLIO, WITHOUT_LEDGER

CHAPTERS = (
    timeline, demand, ledger, ledger_sums, models, memory, waiting, resources, bridge, evidence, effective, supply,
    quotas, sla, prices, cost, cost_views, commitment, portfolio, owning, bottleneck, actions, reality, effects,
    failover, levers, placement, scenarios, shortage, shortage_views, scenario_views, unit_economics, ranges,
    range_effects, range_results, supply_checks, checks, risk, story, reasons,
)  # fmt: skip
CLONES = tuple(scenarios.cloned())

__all__ = ["AXIS_ORDER", "AXIS_UNITS", "CHAPTERS", "CLONES", "METHOD", "PORTFOLIO", "WITHOUT_LEDGER"]
