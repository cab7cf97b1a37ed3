"""The input workbook: the input tabs alone, blank or filled, written from the same models as the plan's."""

from __future__ import annotations

from planner.inputs.model import Inputs, default_rows, with_room
from planner.inputs.tables import TABLES
from planner.labels import Translate, translator
from planner.resources import table
from planner.workbook.inputs import BLANK, LISTED, PlanList, TableList, Words, tables_by_tab
from planner.workbook.layout import HEAD_ROWS, Layout, grey_unused
from planner.workbook.look import Style, data
from planner.workbook.places import Places, quoted
from planner.workbook.sheet import Sheet
from planner.workbook.template import Tab, tabs

READ_ME = (
    "Fill the amber cells on Plan and Models; the other tabs hold the guide's figures until you change them.",
    "Numbers may be typed as people write them: 1.8B, 1.8 billion, 18亿, 25%. A column of shares has one style.",
    "Then: planner check input.xlsx says what is missing; planner build input.xlsx -o plan.xlsx writes the plan.",
    "Empty cells with a note are optional. Rows with dotted boxes are spare.",
)


def laid_out(inputs: Inputs | None, language: str) -> Layout:
    """The tabs of an input workbook; without inputs, blank with defaults."""
    t = translator(language)
    rows = {x.tab: inputs.rows[x.tab] if inputs else with_room(x, default_rows(x, language)) for x in TABLES}
    places = Places({x.axis: len(rows[x.tab]) for x in TABLES} | {"slot": 12})
    sheets: list[Sheet] = [_read_me(language)]
    names: dict[str, str] = {}
    filled: list[tuple[Sheet, PlanList | TableList]] = []
    for tab in tabs():
        for section in tab.section:
            if section.kind not in ("plan", "table"):
                continue
            sheet = _sheet(tab, language)
            block: PlanList | TableList
            if section.kind == "plan":
                block = PlanList(inputs, language, t, BLANK)
            else:
                block = TableList(tables_by_tab()[section.table], rows[section.table], t, BLANK)
            block.place(places, sheet, HEAD_ROWS["list"])
            if isinstance(block, TableList):
                sheet.last_col = block.last_col
                name, reference = block.rows_name(sheet.name)
                names[name] = reference
            sheet.band(1, 1, sheet.last_col, Style("question"))
            sheets.append(sheet)
            filled.append((sheet, block))
    lists = _lists(sheets, places, t("Lists"))
    for sheet, block in filled:
        if isinstance(block, PlanList):
            block.fill(sheet, lists, _plain_words(t))
        else:
            block.fill(sheet, lists)
            if block.table.axis == "model":
                grey_unused(sheet, block)
    names |= places.defined
    title = inputs.plan.plan_name if inputs else t("Input workbook")
    return Layout(sheets, names, None, title, {"as_of": "", "currency": "", "basis": "", "flag": ""})


def _plain_words(t: Translate) -> Words:
    def put(sheet: Sheet, row: int, col: int, words: str, style: Style) -> None:
        sheet.put(row, col, t(words).replace("{currency}", t("currency")), style)

    return put


def _sheet(tab: Tab, language: str) -> Sheet:
    t = translator(language)
    sheet = Sheet(t(tab.name), tab.role)
    sheet.widths[0] = data()["grid"]["gutter"]
    if tab.grid == "table":
        sheet.widths[1] = 5
        sheet.freeze = (5, 3)
    for i, width in enumerate(tab.widths, 1):
        sheet.widths[i] = width
    sheet.last_col = len(tab.widths) or 6
    _head(sheet, t(tab.name), t(tab.question))
    return sheet


def _head(sheet: Sheet, name: str, question: str) -> None:
    look = data()["height"]
    sheet.heights[0], sheet.heights[1], sheet.heights[2] = look["title"], look["question"], look["spacer"]
    sheet.put(0, 1, name, Style("title"))
    sheet.put(1, 1, question, Style("question"))


def _read_me(language: str) -> Sheet:
    t = translator(language)
    sheet = Sheet(t("Read me"), "read")
    sheet.widths |= {0: data()["grid"]["gutter"], 1: 120}
    sheet.last_col = 1
    _head(sheet, t("Input workbook"), t("How to fill this workbook"))
    for i, words in enumerate(READ_ME):
        sheet.put(3 + i, 1, t(words), Style("label", "", ("plain",)))
    return sheet


def _lists(sheets: list[Sheet], places: Places, name: str) -> dict[str, str]:
    """The tab that drop-downs read, and the ranges by name."""
    sheet = Sheet(name, "reference")
    sheet.widths |= {0: data()["grid"]["gutter"], 1: 44, 2: 26}
    sheet.last_col = 2
    models: dict[str, str] = {}
    for file in ("api_models.csv", "models.csv"):
        for row in table(file):
            models.setdefault(row["model"].lower(), row["model"])
    gpus = [r["gpu"] for r in table("gpus.csv")]
    for col, (title, words) in enumerate((("Models", list(models.values())), ("GPUs", gpus)), 1):
        sheet.put(0, col, title, Style("header"))
        for i, word in enumerate(words):
            sheet.put(1 + i, col, word, Style("label"))
    sheet.freeze = (1, 0)
    sheets.append(sheet)
    found = {"all_models": f"={quoted(name)}!$B$2:$B${len(models) + 1}",
             "gpuref_gpu": f"={quoted(name)}!$C$2:$C${len(gpus) + 1}"}  # fmt: skip
    for key in LISTED:
        home = places.home(key)
        count = places.sizes[home.down[0]]
        found[key] = f"={quoted(home.tab)}!$C${home.row + 1}:$C${home.row + count}"
    return found
