"""Charts as data: which cells, which colours. The finding stands in a cell above, its unit in a line below."""

from __future__ import annotations

from typing import Any

from planner.calc.expr import Ref
from planner.workbook.context import FIRST_MONTH, Context
from planner.workbook.look import Style, data
from planner.workbook.places import Home
from planner.workbook.sheet import Sheet
from planner.workbook.template import Section

Cells = list[Any]
# First and last column of a place in a row of charts.
AT = {"left": (1, 2), "middle": (3, FIRST_MONTH + 3), "right": (FIRST_MONTH + 4, FIRST_MONTH + 11),
      "wide": (1, 5), "beside": (FIRST_MONTH, FIRST_MONTH + 11)}  # fmt: skip


class Charts:
    """A row of charts, half the width each, with their findings."""

    def __init__(self, section: Section) -> None:
        self.section, self.top = section, 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Take the rows."""
        self.top = row
        return row + 2 + max(c.height for c in self.section.charts)

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write the findings and hang the charts."""
        for chart in self.section.charts:
            col, last = AT[chart.at]
            ctx.put(sheet, self.top, col, Ref(chart.title), Style("label", "", ("bold", "plain", "section")))
            if chart.note in ctx.program.lines:
                ctx.put(sheet, self.top + 1, col, Ref(chart.note), Style("question"))
            else:
                ctx.words(sheet, self.top + 1, col, chart.note, Style("question"))
            spec = KINDS[chart.kind](ctx)
            width = sum(int(sheet.widths.get(c, 8.43) * 7 + 5) for c in range(col, last + 1))
            spec |= {"width": width, "height": chart.height * 21, "alt": ctx.value(Ref(chart.title), {})}
            sheet.charts.append((self.top + 2, col, spec))


def _cells(home: Home, index: int, count: int) -> Cells:
    """A row of a block, as xlsxwriter wants ranges."""
    return [home.tab, home.row + index, home.col, home.row + index, home.col + count - 1]


def _months(ctx: Context, name: str, index: int = 0) -> Cells:
    return _cells(ctx.places.home(name), index, ctx.sizes["month"])


def _demand(ctx: Context) -> dict[str, Any]:
    look, phases = data()["chart"], data()["phase"]
    labels = _months(ctx, "month_start")
    series = []
    phase = ctx.places.home("phase_name")
    for i in range(ctx.sizes["phase"]):
        fill = phases[min(i, len(phases) - 1)]["fill"]
        series.append({"name": [phase.tab, phase.row + i, phase.col], "categories": labels,
                       "values": _months(ctx, "tokens_in_phase", i), "fill": {"color": fill},
                       "gap": look["gap"]})  # fmt: skip
    line = {"name": ctx.t("Planned capacity"), "categories": labels, "values": _months(ctx, "buffered_tokens"),
            "line": {"color": look["total"], "width": look["line_width"]}}  # fmt: skip
    spare = [i for i, name in enumerate(ctx.plan.values["phase_name"].words) if not name]
    return {"type": "column", "subtype": "stacked", "series": series, "line": [line], "format": "#,##0,,",
            "date_axis": True, "unlisted": spare}  # fmt: skip


def _cost(ctx: Context) -> dict[str, Any]:
    look = data()["chart"]
    labels = _months(ctx, "month_start")
    parts = (
        ("gpu_cost_by_month", "GPU rental"),
        ("api_cost_by_month", "API"),
        ("other_cost_by_month", "People, network, power"),
    )
    series = [
        {"name": ctx.t(words), "categories": labels, "values": _months(ctx, name), "fill": {"color": fill},
         "gap": look["gap"]}
        for (name, words), fill in zip(parts, look["money"], strict=True)
    ]  # fmt: skip
    line = {"name": ctx.t("Cumulative (right)"), "categories": labels, "values": _months(ctx, "tco_to_date"),
            "line": {"color": look["total"], "width": look["line_width"]}, "y2_axis": True}  # fmt: skip
    return {
        "type": "column",
        "subtype": "stacked",
        "series": series,
        "line": [line],
        "format": "#,##0",
        "date_axis": True,
    }


def _bridge(ctx: Context) -> dict[str, Any]:
    """The headroom bridge; a plan without GPUs shows its models' cost instead."""
    if not ctx.value(Ref("model_on_prem_any"), {}):
        return _models(ctx)
    look = data()["chart"]
    base, step = ctx.places.home("step_base"), ctx.places.home("step_gpus")
    count = ctx.sizes["step"]
    label = [step.tab, step.row, 2, step.row + count - 1, 2]

    def column(home: Home) -> Cells:
        return [home.tab, home.row, home.col, home.row + count - 1, home.col]

    series = [
        {"name": ctx.t("Before"), "categories": label, "values": column(base), "fill": {"none": True},
         "gap": look["gap"]},
        {"name": ctx.t("Step"), "categories": label, "values": column(step), "fill": {"color": look["step"]},
         "gap": look["gap"]},
    ]  # fmt: skip
    level = ctx.places.home("step_level")
    line = {"name": ctx.t("Level"), "categories": label, "values": column(level), "line": {"none": True},
            "data_labels": {"value": True, "position": "above", "num_format": "0.0"}}  # fmt: skip
    return {"type": "column", "subtype": "stacked", "series": series, "line": [line], "format": "0", "legend": False}


def _models(ctx: Context) -> dict[str, Any]:
    look = data()["chart"]
    home, tco = ctx.places.home("model_name"), ctx.places.home("model_tco")
    count = ctx.sizes["model"]
    series = [{"name": ctx.t("Cost"), "categories": [home.tab, home.row, home.col, home.row + count - 1, home.col],
               "values": [tco.tab, tco.row, tco.col, tco.row + count - 1, tco.col],
               "fill": {"color": look["money"][1]}, "gap": look["gap"]}]  # fmt: skip
    return {"type": "column", "subtype": "stacked", "series": series, "line": [], "format": "#,##0", "legend": False}


def _phases(ctx: Context) -> dict[str, Any]:
    look, phases = data()["chart"], data()["phase"]
    home, tco = ctx.places.home("phase_name"), ctx.places.home("phase_tco")
    count = ctx.sizes["phase"]
    points = [{"fill": {"color": phases[min(i, len(phases) - 1)]["fill"]}} for i in range(count)]
    series = [{"name": ctx.t("Cost"), "categories": [home.tab, home.row, home.col, home.row + count - 1, home.col],
               "values": [tco.tab, tco.row, tco.col, tco.row + count - 1, tco.col], "points": points,
               "gap": look["gap"]}]  # fmt: skip
    return {"type": "column", "subtype": "stacked", "series": series, "line": [], "format": "#,##0", "legend": False}


def _scenario_tokens(ctx: Context) -> dict[str, Any]:
    """Demand by month, a column a scenario."""
    colours = data()["chart"]["money"]
    home, labels = ctx.places.home("scenario_name"), _months(ctx, "month_start")
    series = [
        {"name": [home.tab, home.row + i, home.col], "categories": labels, "gap": data()["chart"]["gap"],
         "values": _months(ctx, "in_scenario_monthly_tokens", i), "fill": {"color": colours[i % len(colours)]}}
        for i in range(ctx.sizes["scenario"])
    ]  # fmt: skip
    spare = [i for i, name in enumerate(ctx.plan.values["scenario_name"].words) if not name]
    return {"type": "column", "subtype": None, "series": series, "line": [], "format": "#,##0,,", "date_axis": True,
            "unlisted": spare}  # fmt: skip


def _shown_supply(ctx: Context) -> dict[str, Any]:
    """What each tier of the scenario shown asks of the pools, against their capacity."""
    look, tiers = data()["chart"], data()["phase"]
    home, labels = ctx.places.home("service_tier_name"), _months(ctx, "month_start")
    series = [
        {"name": [home.tab, home.row + i, home.col], "categories": labels, "gap": look["gap"],
         "values": _months(ctx, "shown_tier_tokens", i), "fill": {"color": tiers[-1 - min(i, len(tiers) - 1)]["fill"]}}
        for i in range(ctx.sizes["service_tier"])
    ]  # fmt: skip
    line = {"name": ctx.t("Capacity of the pools"), "categories": labels, "values": _months(ctx, "shown_capacity"),
            "line": {"color": look["total"], "width": look["line_width"]}}  # fmt: skip
    spare = [i for i, name in enumerate(ctx.plan.values["service_tier_name"].words) if not name]
    return {"type": "column", "subtype": "stacked", "series": series, "line": [line], "format": "#,##0,,",
            "date_axis": True, "unlisted": spare}  # fmt: skip


def _tornado(ctx: Context) -> dict[str, Any]:
    """A bar a driver, the widest on top, from its optimistic to its pessimistic end."""
    look = data()["chart"]
    label, low, width = (ctx.places.home(n) for n in ("ranked_label", "ranked_low", "ranked_width"))
    count = sum(1 for name in ctx.plan.values["range_name"].words if name)

    def column(home: Home) -> Cells:
        return [home.tab, home.row, home.col, home.row + count - 1, home.col]

    series = [
        {"name": ctx.t("Optimistic"), "categories": column(label), "values": column(low), "fill": {"none": True},
         "gap": look["gap"]},
        {"name": ctx.t("Width of the bar"), "categories": column(label), "values": column(width),
         "fill": {"color": look["demand"]}, "gap": look["gap"]},
    ]  # fmt: skip
    return {"type": "bar", "subtype": "stacked", "series": series, "line": [], "format": "#,##0", "legend": False}


def _down(ctx: Context, name: str, axis: str) -> Cells:
    """A column of a block, as xlsxwriter wants ranges."""
    home = ctx.places.home(name)
    return [home.tab, home.row, home.col, home.row + ctx.sizes[axis] - 1, home.col]


def _waiting(ctx: Context) -> dict[str, Any]:
    look = data()["chart"]
    labels = _down(ctx, "grid_utilisation", "grid")
    called = ctx.places.home("allowed_called")
    lines: tuple[tuple[str, Any, str, str], ...] = (
        ("grid_allowed_drawn", [called.tab, called.row, called.col], look["supply"], "dash"),
        ("grid_drawn", ctx.t("Wait at the percentile"), look["demand"], "solid"),
    )  # drawn last, the wait covers a wait allowed that is not known
    series = [{"name": words, "categories": labels, "values": _down(ctx, name, "grid"),
               "line": {"color": color, "width": look["line_width"], "dash_type": dash}}
              for name, words, color, dash in lines]  # fmt: skip
    return {"type": "line", "series": series, "line": [], "format": "0.0##", "labels": "0%"}


def _ways(ctx: Context) -> dict[str, Any]:
    """Cumulative cost of three ways; one that is not known hides behind another, and its name says so."""
    labels = _months(ctx, "month_start")
    return {"type": "line", "line": [], "format": "#,##0", "date_axis": True, "series": [
        {"name": called, "categories": labels, "values": _months(ctx, f"{name}_drawn"), "line": look}
        for name, called, look in _three(ctx)]}  # fmt: skip


def _turn(ctx: Context) -> dict[str, Any]:
    """Cost per M tokens by utilisation."""
    labels = _down(ctx, "use_share", "use")
    return {"type": "line", "line": [], "format": "#,##0.0#", "labels": "0%", "series": [
        {"name": called, "categories": labels, "values": _down(ctx, f"use_{name}_drawn", "use"), "line": look}
        for name, called, look in _three(ctx)]}  # fmt: skip


def _three(ctx: Context) -> list[tuple[str, Cells, dict[str, Any]]]:
    """Rent is drawn last: it is known more often than the others, which may hide behind it."""
    look = data()["chart"]
    made: list[tuple[str, Cells, dict[str, Any]]] = []
    for name, color in (("own", look["demand"]), ("api", look["money"][0]), ("rent", look["supply"])):
        home = ctx.places.home(f"{name}_called")
        made.append((name, [home.tab, home.row, home.col], {"color": color, "width": look["line_width"]}))
    return made


def _model_mix(ctx: Context) -> dict[str, Any]:
    """Share of tokens by model, without routes and with them."""
    look = data()["chart"]
    labels = _down(ctx, "model_name", "model")
    both = (("unrouted_ledger_model_share", "Without routes", look["step"]),
            ("ledger_model_share", "With routes", look["demand"]))  # fmt: skip
    series = [{"name": ctx.t(words), "categories": labels, "values": _down(ctx, name, "model"),
               "fill": {"color": color}, "gap": look["gap"]} for name, words, color in both]  # fmt: skip
    return {"type": "column", "subtype": None, "series": series, "line": [], "format": "0%"}


KINDS = {
    "demand": _demand, "bridge": _bridge, "cost": _cost, "phases": _phases, "scenario_tokens": _scenario_tokens,
    "shown_supply": _shown_supply, "tornado": _tornado,
    "waiting": _waiting, "ways": _ways, "turn": _turn,
    "model_mix": _model_mix,
}  # fmt: skip
