"""A plan laid out: every tab's sections placed first, then filled, so that formulas may point both ways."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from planner.calc.expr import Call, Const, Expr, Ref, Say
from planner.inputs.field import Spec
from planner.inputs.quantities import month_columns
from planner.labels import choice_labels, list_name
from planner.plan import Plan
from planner.workbook import charts, grid, reading
from planner.workbook.context import FIRST_MONTH, Context
from planner.workbook.header import month_header
from planner.workbook.inputs import BUILT, LISTED, Chosen, PlanList, TableList, tables_by_tab
from planner.workbook.look import Style, data
from planner.workbook.lookups import Lists
from planner.workbook.places import column_name, quoted
from planner.workbook.sheet import Sheet
from planner.workbook.template import Section, Tab, fitting

PHASE_ROW, MONTH_ROW = 3, 4
HEAD_ROWS = {"months": 5, "list": 3, "table": 3, "plan": 3}


@dataclass
class Layout:
    """All tabs of a workbook as data, its defined names, and the context that answers where things stand."""

    sheets: list[Sheet]
    names: dict[str, str]
    context: Context | None
    title: str
    footer: dict[str, str] = field(default_factory=dict)


def built(plan: Plan) -> Layout:
    """Lay a plan out."""
    ctx = Context(plan)
    every = fitting(plan.inputs.portfolio)
    made: list[tuple[Tab, Sheet, list[Any]]] = []
    for tab in every:
        sheet = _sheet(ctx, tab)
        blocks = [_block(ctx, section, every) for section in tab.section]
        row = HEAD_ROWS[tab.grid] if tab.month_head else HEAD_ROWS["list"]
        for section, block in zip(tab.section, blocks, strict=True):
            if section.page_break:
                sheet.row_breaks.append(row)
            if isinstance(block, PlanList | TableList):
                row = block.place(ctx.places, sheet, row)
                if isinstance(block, TableList):
                    sheet.last_col = block.last_col
                    if tab.second_page:
                        sheet.column_breaks = [block.column(tab.second_page)]
                        sheet.repeat_columns = (0, 2)
            else:
                row = block.place(ctx, sheet, row)
        made.append((tab, sheet, blocks))
    for line in ctx.program.lines.values():
        if line.headline:
            ctx.places.define(line.name)
    names = _names(ctx, made)
    lists = _lists(ctx, made)
    for tab, sheet, blocks in made:
        if tab.grid == "months" and tab.month_head:
            month_header(ctx, sheet, PHASE_ROW)
        for block in blocks:
            if isinstance(block, PlanList):
                block.fill(sheet, lists, ctx.words, _chosen(ctx))
            elif isinstance(block, TableList):
                block.fill(sheet, lists)
                if block.table.axis == "model":
                    grey_unused(sheet, block)
            else:
                block.fill(ctx, sheet)
        _head(ctx, sheet, tab)
    p = plan.inputs.plan
    footer = {"as_of": plan.as_of, "currency": p.currency,
              "basis": ctx.t(choice_labels("days_basis")[p.days_basis][0]),
              "flag": data()["illustrative"][ctx.language] if plan.inputs.assumed else ""}  # fmt: skip
    return Layout([s for _, s, _ in made], names, ctx, p.plan_name, footer)


def _sheet(ctx: Context, tab: Tab) -> Sheet:
    sheet = Sheet(ctx.t(tab.name), tab.role, one_page=tab.one_page)
    look = data()["grid"]
    sheet.widths[0] = look["gutter"]
    if tab.grid == "months":
        sheet.widths |= {1: look["id"], 2: look["label"], 3: look["unit"], 4: look["total"], 5: look["peak"]}
        months = ctx.sizes["month"]
        for i in range(months):
            sheet.widths[FIRST_MONTH + i] = look["month"]
        sheet.last_col = FIRST_MONTH + months - 1
        if tab.month_head:
            sheet.freeze, sheet.repeat_rows = (5, 3), (0, 4)
        sheet.zoom = data()["zoom"]["time"]
        if months > 12:
            sheet.repeat_columns = (0, 5)
            sheet.column_breaks = [FIRST_MONTH + 12 * k for k in range(1, months // 12)]
    else:
        sheet.last_col = max(6, len(tab.widths))
        if tab.grid == "table":
            sheet.widths[1] = 5
            sheet.freeze = (5, 3)
            sheet.repeat_rows = (0, 3)
        for i, width in enumerate(tab.widths, 1):
            sheet.widths[i] = width
        sheet.last_col = len(tab.widths) or 6
    return sheet


def _block(ctx: Context, section: Section, every: tuple[Tab, ...]) -> Any:
    inputs = ctx.plan.inputs
    if section.kind == "plan":
        return PlanList(inputs, ctx.language, ctx.t, BUILT, month_columns(inputs))
    if section.kind == "table":
        return TableList(tables_by_tab()[section.table], inputs.rows[section.table], ctx.t, BUILT)
    if section.kind == "charts":
        return charts.Charts(section)
    if section.kind in grid.KINDS:
        return grid.KINDS[section.kind](section)
    if section.kind == "text" and section.items:
        return reading.State(section, every)
    return reading.KINDS[section.kind](section, every)


def _head(ctx: Context, sheet: Sheet, tab: Tab) -> None:
    """Name and question at the left, the master check and the way back at the right."""
    look = data()["height"]
    sheet.heights[0], sheet.heights[1], sheet.heights[2] = look["title"], look["question"], look["spacer"]
    sheet.put(0, 1, ctx.t(tab.name), Style("title"))
    rule = Style("question", "", ())
    sheet.put(1, 1, ctx.t(tab.question), rule)
    last = max(sheet.last_col, 4)
    check = Style("question", "", ("right", "bold", "small"))
    ctx.put(sheet, 0, last, Ref("checks_sentence"), check, link=f"internal:'{ctx.t('Checks')}'!A1")
    if tab.name != "About":
        about = ctx.t("About")
        sheet.put(
            1, last, ctx.t("‹ Contents"), Style("question", "", ("right", "color:link")), None, f"internal:'{about}'!A1"
        )
    if ctx.plan.inputs.assumed:
        chip = data()["illustrative"]
        words = chip.get(ctx.language, chip["en"])
        sheet.put(
            0,
            last - 2,
            words,
            Style("question", "", ("bold", "center", f"fill:{chip['fill']}", f"color:{chip['text']}")),
        )
    sheet.band(1, 1, last, rule)


def _chosen(ctx: Context) -> Chosen:
    """Writes the label of a choice as a formula, so that it follows the choice."""

    def put(sheet: Sheet, row: int, col: int, spec: Spec, style: Style) -> None:
        words = {"curve_name": "curve_words", "tier_name": "tier_words", "scenario_name": "scenario_words"}
        if spec.listed and words[spec.listed] not in ctx.program.lines:
            sheet.put(row, col, ctx.t("choice"), style)
            return
        if spec.listed:
            expr: Expr = Ref(words[spec.listed])
        else:
            labels = choice_labels(list_name(spec.key, spec.kind))
            expr = Say("")
            for key in reversed(spec.choices):
                expr = Call("where", (Call("same", (Ref(spec.key), Const(key))), Say(labels[key][0]), expr))
        ctx.put(sheet, row, col, expr, style)

    return put


def grey_unused(sheet: Sheet, block: TableList) -> None:
    """Columns that a row's deployment does not read."""
    keys = list(block.table.specs)
    place = column_name(TableList.FIRST + keys.index("deployment"))
    top, bottom = block.top + 2, block.top + 1 + len(block.rows)
    groups: dict[str, tuple[tuple[str, str], ...]] = {
        "api": (("gpu", "gpu_price_per_hour"), ("prefix_hit_share", "kv_bytes_per_token")),
        "on_prem": (("input_price_per_mtok", "long_output_price_per_mtok"),),
    }
    for deployment, pairs in groups.items():
        row = top + 1
        own = f'${place}{row}="{deployment}"'
        planned = f'AND(LEN(${place}{row})=0,LEN($C{row})>0,deployment_mode="{deployment}")'
        for pair in pairs:
            a, b = (TableList.FIRST + keys.index(k) for k in pair)
            sheet.looks.append((top, a, bottom, b, {"formula": f"=OR({own},{planned})", "role": "unused"}))


def _names(ctx: Context, made: list[tuple[Tab, Sheet, list[Any]]]) -> dict[str, str]:
    names = dict(ctx.places.defined)
    for _, sheet, blocks in made:
        for block in blocks:
            if isinstance(block, TableList):
                name, reference = block.rows_name(sheet.name)
                names[name] = reference
    monthly = next(s.name for t, s, _ in made if t.grid == "months")
    last = FIRST_MONTH + ctx.sizes["month"] - 1
    names["month_columns"] = (
        f"={quoted(monthly)}!${column_name(FIRST_MONTH)}${MONTH_ROW + 1}:${column_name(last)}${MONTH_ROW + 1}"
    )
    return names


def _lists(ctx: Context, made: list[tuple[Tab, Sheet, list[Any]]]) -> dict[str, str]:
    """Ranges that drop-downs offer, by the name that a field's `listed` gives."""
    found = {}
    for name in ("gpuref_gpu", *LISTED):
        if name not in ctx.places.homes:
            continue
        home = ctx.places.home(name)
        column = column_name(home.col)
        last = home.row + ctx.sizes[home.down[0]]
        found[name] = f"={quoted(home.tab)}!${column}${home.row + 1}:${column}${last}"
    for _, sheet, blocks in made:
        for block in blocks:
            if isinstance(block, Lists):
                first, last = block.models_range()
                found["all_models"] = f"={quoted(sheet.name)}!$B${first + 1}:$B${last + 1}"
    return found
