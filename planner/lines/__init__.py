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
    firm,
    ladder,
    ledger,
    ledger_sums,
    levers,
    memory,
    models,
    owning,
    owning_views,
    placement,
    portfolio,
    prices,
    quotas,
    ranges,
    reality,
    reasons,
    resources,
    risk,
    routing,
    scenario_supply,
    scenario_views,
    scenarios,
    shortage,
    shortage_views,
    sla,
    story,
    streams,
    supply,
    supply_checks,
    timeline,
    unit_economics,
    waiting,
)
from planner.lines.method import AXIS_ORDER, AXIS_UNITS, METHOD, PORTFOLIO, WITHOUT_LEDGER

CHAPTERS = (
    timeline, demand, ledger, streams, ledger_sums, models, memory, waiting, resources, bridge, evidence, effective,
    supply, quotas, sla, prices, cost, cost_views, firm, commitment, ladder, portfolio, owning, owning_views,
    bottleneck, actions, reality, effects, failover, levers, placement, scenarios, scenario_supply, shortage,
    shortage_views, scenario_views, unit_economics, routing, ranges, supply_checks, checks, risk, story, reasons,
)  # fmt: skip
CLONES = (*scenarios.cloned(), *routing.cloned())

__all__ = ["AXIS_ORDER", "AXIS_UNITS", "CHAPTERS", "CLONES", "METHOD", "PORTFOLIO", "WITHOUT_LEDGER"]
