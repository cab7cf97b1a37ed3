"""Writes a layout as an .xlsx file. The only file that calls xlsxwriter; it changes no number and knows no plan."""

from __future__ import annotations

import datetime as dt
import math
import os
import tempfile
from pathlib import Path
from typing import Any

import xlsxwriter
from xlsxwriter.utility import xl_rowcol_to_cell_fast
from xlsxwriter.worksheet import CellFormulaTuple, Worksheet

from planner.workbook.layout import Layout
from planner.workbook.look import Style, color, data, properties
from planner.workbook.places import column_name
from planner.workbook.sheet import Cell, Sheet

ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
LONGEST_TEXT = 32_767
FIXED_DATE = dt.datetime(2000, 1, 1, tzinfo=dt.UTC).replace(tzinfo=None)


class FastWorksheet(Worksheet):
    """Skips xlsxwriter's scan of every formula for future functions: ours are known to be plain."""

    def put_formula(self, row: int, col: int, formula: str, cell_format: Any, value: float | str) -> None:
        """A formula with its value. Raises ValueError outside the sheet or for a value that is no cell value."""
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{formula} has the value {value}")
        if self._check_dimensions(row, col):
            raise ValueError(f"row {row}, column {col} is outside the sheet")
        self.table[row][col] = CellFormulaTuple(formula[1:], cell_format, value)

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        """Formulas of conditional formats and lists: the same text without its sign, and no scan either."""
        return formula.removeprefix("=")

    def _write_cell(self, row: int, col: int, cell: Any) -> None:
        if cell.__class__ is not CellFormulaTuple:
            super()._write_cell(row, col, cell)
            return
        place = xl_rowcol_to_cell_fast(row, col)
        style = f' s="{cell.format._get_xf_index()}"' if cell.format else ""
        formula = cell.formula.translate(ESCAPES)
        if isinstance(cell.value, str):
            text = cell.value.translate(ESCAPES)
            self.fh.write(f'<c r="{place}"{style} t="str"><f>{formula}</f><v>{text}</v></c>')
        else:
            value = int(cell.value) if cell.value == int(cell.value) and abs(cell.value) < 1e15 else repr(cell.value)
            self.fh.write(f'<c r="{place}"{style}><f>{formula}</f><v>{value}</v></c>')


class Writer:
    """One file on its way."""

    def __init__(self, path: Path, layout: Layout, language: str, protect: bool) -> None:
        self.layout, self.language, self.protect = layout, language, protect
        options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
        self.book = xlsxwriter.Workbook(str(path), options)
        self.book.set_properties({"title": layout.title, "created": FIXED_DATE, "comments": ""})
        self.book.set_calc_mode("auto")
        formulas = sum(1 for s in layout.sheets for c in s.cells.values() if c.formula)
        if formulas:  # so that a formula which somebody has typed over is missed
            self.book.set_custom_property("formula_cells", formulas)
        look = data()
        font = look["font"].get(language, look["font"]["en"])
        self.book.formats[0].set_font_name(font["text"])
        self.book.formats[0].set_font_size(look["size"]["body"])
        self.formats: dict[Any, Any] = {}
        self.by_object: dict[int, Any] = {}

    def write(self) -> None:
        """Write all tabs and close."""
        for sheet in self.layout.sheets:
            self.book.add_worksheet(sheet.name, FastWorksheet)
        for name in sorted(self.layout.names):
            self.book.define_name(name, self.layout.names[name])
        for sheet, ws in zip(self.layout.sheets, self.book.worksheets(), strict=True):
            self._sheet(sheet, ws)
        self.book.get_worksheet_by_name(self.layout.sheets[0].name).activate()
        self.book.close()

    def format(self, style: Style) -> Any:
        """One format object a style."""
        if style not in self.formats:
            self.formats[style] = self.book.add_format(properties(style, self.language))
        return self.formats[style]

    def format_of(self, cell: Cell) -> Any:
        """A cell's format, found by its style's identity: the layout holds every cell until the file is written."""
        found = self.by_object.get(id(cell.style))
        if found is None:
            found = self.by_object[id(cell.style)] = self.format(cell.style)
        return found

    def raw(self, **properties_: Any) -> Any:
        """A format of plain properties, for conditional looks."""
        key = tuple(sorted(properties_.items()))
        if key not in self.formats:
            self.formats[key] = self.book.add_format(properties_)
        return self.formats[key]

    def _sheet(self, sheet: Sheet, ws: Any) -> None:
        look = data()
        ws.hide_gridlines(2)
        ws.set_tab_color(look["tab_color"][sheet.role])
        ws.set_zoom(sheet.zoom)
        ws.set_default_row(look["height"]["row"])
        for col, width in sheet.widths.items():
            ws.set_column(col, col, width)
        for row, height in sheet.heights.items():
            ws.set_row(row, height)
        for cell in sheet.cells.values():
            self._cell(ws, sheet, cell)
        for r1, c1, r2, c2, rule in sheet.validations:
            ws.data_validation(r1, c1, r2, c2, rule)
        self._looks(sheet, ws)
        for row, col, spec in sheet.charts:
            self._chart(ws, row, col, spec)
        ws.freeze_panes(*sheet.freeze)
        self._print(sheet, ws)
        if self.protect:
            ws.protect("", {"format_columns": True, "format_rows": True, "select_locked_cells": True})

    def _cell(self, ws: Any, sheet: Sheet, cell: Cell) -> None:
        style = self.format_of(cell)
        if cell.formula is not None:
            if cell.value is None:
                raise ValueError(
                    f"{sheet.name} row {cell.row + 1}, column {cell.col + 1}: {cell.formula} without a value"
                )
            if cell.link:  # the link stays when the formula takes the place of its text
                ws.write_url(cell.row, cell.col, cell.link, style, str(cell.value)[:200])
            ws.put_formula(cell.row, cell.col, cell.formula, style, cell.value)
            return
        if cell.link:
            ws.write_url(cell.row, cell.col, cell.link, style, str(cell.value))
        elif cell.value is None:
            ws.write_blank(cell.row, cell.col, None, style)
        elif isinstance(cell.value, str):
            self._text(ws, sheet, cell, style)
        elif not math.isfinite(cell.value):
            raise ValueError(f"{sheet.name} row {cell.row + 1}, column {cell.col + 1}: {cell.value} is no cell value")
        else:
            ws.write_number(cell.row, cell.col, cell.value, style)

    def _text(self, ws: Any, sheet: Sheet, cell: Cell, style: Any) -> None:
        text = str(cell.value)
        where = f"{sheet.name}!{column_name(cell.col)}{cell.row + 1}"
        if len(text) > LONGEST_TEXT or any("\ud800" <= ch <= "\udfff" for ch in text):
            raise ValueError(f"{where}: a text that a workbook cannot hold")
        if text[:1] in "=+-@" and cell.style.role in ("input", "spare"):
            style = self.format(Style(cell.style.role, cell.style.number, (*cell.style.more, "quoted")))
        if ws.write_string(cell.row, cell.col, text, style) < 0:
            raise ValueError(f"{where}: the text was not written")

    # ---- conditional looks

    def _looks(self, sheet: Sheet, ws: Any) -> None:
        look = data()
        last_row = max((r for r, _ in sheet.cells), default=0)
        last_col = max((c for _, c in sheet.cells), default=0)
        for r1, c1, r2, c2, rule in sheet.looks:
            if "spare_by" in rule:
                formula = f"=LEN(${column_name(rule['spare_by'])}{r1 + 1})=0"
                ws.conditional_format(r1, c1, r2, c2, {"type": "formula", "criteria": formula, "stop_if_true": True,
                                                       "format": self.raw(num_format=";;;")})  # fmt: skip
            elif "state_of" in rule:
                for level in look["status"]:
                    shape = self.raw(bg_color=level["fill"], font_color=level["text"])
                    formula = f'=LEFT(${column_name(rule["state_of"])}{r1 + 1},1)="{level["glyph"]}"'
                    ws.conditional_format(r1, c1, r2, c2, {"type": "formula", "criteria": formula, "format": shape})
            elif "withheld" in rule:
                word = rule["withheld"]
                shape = self.raw(num_format=f';;;"{word}"_)', font_color=color("muted"), italic=True)
                ws.conditional_format(r1, c1, r2, c2, {"type": "text", "criteria": "begins with", "value": word,
                                                       "format": shape})  # fmt: skip
            elif rule.get("role") == "unused":
                shape = self.raw(bg_color=color("wash"), font_color=color("faint"))
                ws.conditional_format(r1, c1, r2, c2, {"type": "formula", "criteria": rule["formula"], "format": shape})
            elif "formula" in rule:
                shape = self.raw(bg_color=rule["bg_color"], font_color=rule["font_color"], bold=True)
                ws.conditional_format(r1, c1, r2, c2, {"type": "formula", "criteria": rule["formula"], "format": shape})
        if sheet.role != "reference":
            for level in look["status"]:
                shape = self.raw(bg_color=level["fill"], font_color=level["text"])
                ws.conditional_format(2, 1, last_row, last_col, {
                    "type": "text", "criteria": "begins with", "value": level["glyph"], "format": shape})  # fmt: skip
        critical = look["status"][-1]
        ws.conditional_format(0, 1, 0, last_col, {
            "type": "text", "criteria": "begins with", "value": critical["glyph"],
            "format": self.raw(bg_color=critical["fill"], font_color=critical["text"])})  # fmt: skip
        for r1, c1, r2, c2 in sheet.bars:
            ws.conditional_format(r1, c1, r2, c2, {
                "type": "data_bar", "bar_solid": True, "bar_color": look["chart"]["bar"], "min_type": "num",
                "min_value": 0, "data_bar_2010": True})  # fmt: skip
        checks = [(r, c) for (r, c), cell in sheet.cells.items() if cell.style.number == "check"]
        for r, c in checks:
            ws.conditional_format(r, c, r, c, {"type": "cell", "criteria": "==", "value": 1, "format": self.raw(
                bg_color=look["check"]["fail_fill"], font_color=look["check"]["fail_text"])})  # fmt: skip

    # ---- charts

    def _chart(self, ws: Any, row: int, col: int, spec: dict[str, Any]) -> None:
        look = data()["chart"]
        font = {"name": "Arial", "size": data()["size"]["chart"], "color": look["font_color"]}
        chart = self.book.add_chart({k: spec[k] for k in ("type", "subtype") if k in spec})
        for series in spec["series"]:
            chart.add_series({"border": {"none": True}, **series} if spec["type"] != "line" else series)
        if spec["line"]:
            line = self.book.add_chart({"type": "line"})
            for series in spec["line"]:
                labels = series.get("data_labels")
                line.add_series(
                    {**series, **({"data_labels": {**labels, "font": {**font, "bold": True}}} if labels else {})}
                )
            if any(s.get("y2_axis") for s in spec["line"]):
                line.set_y2_axis({"num_format": spec["format"], "num_font": font, "line": {"none": True},
                                  "major_tick_mark": "none", "min": 0})  # fmt: skip
            chart.combine(line)
        x_axis: dict[str, Any] = {"num_font": font, "line": {"color": look["axis"]}, "major_tick_mark": "none"}
        if spec.get("date_axis"):
            x_axis |= {"num_format": "[$-409]mmm" if self.language == "en" else "m", "text_axis": True}
        if "labels" in spec:
            x_axis |= {"num_format": spec["labels"], "interval_unit": look["every"], "interval_tick": look["every"]}
        y_axis = {"num_format": spec["format"], "num_font": font, "line": {"none": True}, "min": 0,
                  "major_gridlines": {"visible": True, "line": {"color": look["grid"], "width": 0.75}},
                  "major_tick_mark": "none"}  # fmt: skip
        if spec["type"] == "bar":  # lying: what counts runs across, the first entry stands on top
            x_axis, y_axis = y_axis, {**x_axis, "reverse": True}
        chart.set_x_axis(x_axis)
        chart.set_y_axis(y_axis)
        legend = {"position": "top", "font": font, "delete_series": spec.get("unlisted", [])}
        chart.set_legend({"none": True} if spec.get("legend") is False else legend)
        chart.set_title({"none": True})
        chart.set_chartarea({"border": {"none": True}, "fill": {"none": True}})
        chart.set_plotarea({"fill": {"none": True}})
        chart.set_size({"width": spec["width"], "height": spec["height"]})
        ws.insert_chart(row, col, chart, {"object_position": 1, "description": str(spec["alt"])})

    # ---- print

    def _print(self, sheet: Sheet, ws: Any) -> None:
        look, said = data()["print"], self.layout.footer
        ws.set_landscape()
        ws.set_paper(look["paper_en"])
        ws.set_margins(**look["margins"])
        pages = len(sheet.column_breaks) + look["fit_wide"]
        ws.fit_to_pages(pages, 1 if sheet.one_page else look["fit_tall"])
        ws.repeat_rows(*sheet.repeat_rows)
        if sheet.repeat_columns:
            ws.repeat_columns(*sheet.repeat_columns)
        if sheet.column_breaks:
            ws.set_v_pagebreaks(sheet.column_breaks)
        if sheet.row_breaks:
            ws.set_h_pagebreaks(sheet.row_breaks)
        plan = self.layout.title.replace("&", "&&")
        ws.set_header(look["header"].format(plan=plan, flag=said.get("flag", ""))[:250])
        footer = look[f"footer_{self.language}"] if f"footer_{self.language}" in look else look["footer_en"]
        ws.set_footer(footer.format(**{k: v.replace("&", "&&") for k, v in said.items()})[:250])


def write(layout: Layout, path: str | Path, language: str = "en", protect: bool = False) -> None:
    """Write a layout beside its target and put it in place: a reader never sees half a file."""
    target = Path(path)
    handle, temporary = tempfile.mkstemp(suffix=".xlsx", dir=target.parent)
    os.close(handle)
    try:
        Writer(Path(temporary), layout, language, protect).write()
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target)
    finally:
        Path(temporary).unlink(missing_ok=True)
