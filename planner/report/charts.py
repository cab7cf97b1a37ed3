"""The charts of a report as figures: demand and capacity by phase, the headroom bridge, cost by month."""

from __future__ import annotations

from dataclasses import replace

from planner.report import content
from planner.report.content import Drawing
from planner.report.model import Chart, Charts, Column, Figure
from planner.report.numbers import FORMS, column_scale
from planner.report.rules import fitting
from planner.report.template import Hole, Picks, Values

COST_PARTS = ("gpu_cost_by_month", "api_cost_by_month", "other_cost_by_month")
FEW = 12  # up to so many months each column has its own label


def charts_of(values: Values) -> list[Charts]:
    """The charts that this plan can draw; none at all gives no block."""
    made = []
    for drawing in content.drawings():
        if all(c.holds(values, {}) for c in drawing.when):
            chart = {"demand": _demand, "bridge": _bridge, "cost": _cost}[drawing.key](values, drawing)
            if chart.columns:
                made.append(chart)
    return [Charts(tuple(made))] if made else []


def _months(values: Values) -> list[Picks]:
    inside = values.plan.values["in_horizon"].numbers
    return [{"month": i} for i in range(len(values.plan.labels["month"])) if inside[i] == 1]


def _month_label(values: Values, picks: Picks, many: bool) -> Figure:
    """The month over a column: with its year where there are many, else its short name alone."""
    if many:
        return values.figure(Hole("month_label"), picks)
    month = values.figure(Hole("calendar_month", (), "count"), picks)
    slot = int(month.value) if isinstance(month.value, float) else 1
    return replace(month, text=values.t(content.months()[slot - 1]), precision=None)


def _money_scale(most: float) -> tuple[str, str]:
    plain, thousand, million = content.money_units()
    return ("money", plain) if most < 1e5 else ("kilo", thousand) if most < 1e8 else ("million", million)


def _chart(values: Values, drawing: Drawing, kind: str, names: tuple[Figure | str, ...], columns: list[Column],
           line: tuple[Figure, ...] = (), line_name: str = "", unit: str = "") -> Chart:  # fmt: skip
    given = {"unit": values.filled(values.t(unit), {}, {})}
    title = values.sentence(fitting(drawing.title, values, {}), {}, given)
    note = values.sentence(fitting(drawing.note, values, {}), {}, given)
    return Chart(drawing.key, title, note, kind, names, tuple(columns), line, line_name)


def _demand(values: Values, drawing: Drawing) -> Chart:
    months = _months(values)
    most = values.value(Hole("peak_month_tokens"), {})
    scale, unit = column_scale(most if isinstance(most, float) else 0)
    form = scale if FORMS[scale].digits == 0 or (isinstance(most, float) and most < 1e9) else "whole_million"
    phases = [i for i, name in enumerate(values.plan.values["phase_name"].words) if name]
    columns = []
    for picks in months:
        phase = values.value(Hole("month_phase_number"), picks)
        columns.append(
            Column(
                _month_label(values, picks, len(months) > FEW),
                (values.figure(Hole("monthly_tokens", (), form), picks),),
                group=max(int(phase) - 1, 0) if isinstance(phase, float) else 0,
            )
        )
    names = tuple(values.figure(Hole("phase_name", (), "said"), {"phase": i}) for i in phases)
    line = tuple(values.figure(Hole("buffered_tokens", (), form), picks) for picks in months)
    return _chart(values, drawing, "demand", names, columns, line, values.t(drawing.names["line"]), unit)


def _bridge(values: Values, drawing: Drawing) -> Chart:
    columns = []
    for i, step in enumerate(values.plan.labels["step"]):
        picks = {"step": i}
        columns.append(
            Column(
                values.t(drawing.names[step]),
                (values.figure(Hole("step_gpus", (), "tenth"), picks),),
                values.figure(Hole("step_base", (), "tenth"), picks),
                shown=values.figure(Hole("step_level", (), "tenth"), picks),
            )
        )
    total = values.figure(Hole("gpus_planned", (), "gpus"), {})
    columns.append(Column(values.t(drawing.names["total"]), (total,), group=1, shown=total))
    return _chart(values, drawing, "bridge", (), columns)


def _cost(values: Values, drawing: Drawing) -> Chart:
    months = _months(values)
    spent = {p: bool((values.plan.values[p].numbers > 0).any()) for p in COST_PARTS}
    form, unit = _money_scale(float(values.plan.values["tco_by_month"].numbers.max()))
    columns = [
        Column(
            _month_label(values, picks, len(months) > FEW),
            tuple(values.figure(Hole(p, (), form), picks) for p in COST_PARTS),
            shown=values.figure(Hole("tco_by_month", (), form), picks),
        )
        for picks in months
    ]
    names = tuple(values.t(drawing.names[p]) if some else "" for p, some in spent.items())
    line = tuple(values.figure(Hole("tco_to_date", (), form), picks) for picks in months)
    shown = columns if any(spent.values()) else []
    return _chart(values, drawing, "cost", names, shown, line, values.t(drawing.names["line"]), unit)
