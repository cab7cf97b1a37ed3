"""The method's own lines, axes and the words that chapters register lines with."""

from planner.calc.line import Method

# Outer to inner: a range over an inner axis is one block of cells.
AXIS_ORDER = (
    "scenario", "figure", "end", "range", "place", "step", "action", "runbook", "check", "threshold", "lever",
    "curve", "phase", "quarter", "year", "region", "tenant", "model", "instrument", "pool", "priceref",
    "modelref", "gpuref", "speedref", "tier", "service_tier", "use_case", "route", "stream", "grid", "use", "half",
    "size", "slot", "rung", "month",
)  # fmt: skip
# Adding something per month over months gives the thing itself.
AXIS_UNITS = {"month": "month", "slot": "month"}

# Lines of plans with a ledger; what a plan without one knows beforehand, so that lines fold where they would ask.
PORTFOLIO = "portfolio"
WITHOUT_LEDGER = {"ledger_basis": 0.0, "ledger_there": 0.0}

METHOD = Method(along="month")
line = METHOD.line


def portfolio_line(**what):
    """`@line` for lines of plans with a ledger."""
    return METHOD.line(part=PORTFOLIO, **what)
