"""The method's own lines, axes and the words that chapters register lines with."""

from planner.calc.line import Method

# Outer to inner: a range over an inner axis is one block of cells.
AXIS_ORDER = (
    "step", "check", "threshold", "lever", "curve", "phase", "quarter", "year", "tenant", "model", "pool",
    "priceref", "modelref", "gpuref", "speedref", "tier", "size", "slot", "month",
)  # fmt: skip
# Adding something per month over months gives the thing itself.
AXIS_UNITS = {"month": "month", "slot": "month"}

METHOD = Method(along="month")
line = METHOD.line
