"""Sections on the month skeleton: lines by month, tables by entry, matrices, lists of values."""

from __future__ import annotations

from typing import Any

from planner.calc.expr import Aggregate, Call, Expr, Pick, Ref, Stack
from planner.labels import Translate
from planner.resources import table
from planner.workbook.context import FIRST_MONTH, NAMED, PEAK, YEAR, Context
from planner.workbook.header import month_header
from planner.workbook.look import Style, number_of, unit_words
from planner.workbook.places import Home
from planner.workbook.sheet import Sheet
from planner.workbook.template import Item, Section

SOURCE, LABEL, UNIT = 1, 2, 3
STEP_WORDS = {
    "average": "Average load", "peak": "Peak", "retry": "Retries", "buffer": "Buffer", "ha": "HA",
    "rounding": "Rounding to replicas",
}  # fmt: skip


def fixed_words(axis: str, keys: list[str], t: Translate) -> list[str]:
    """Names of entries that nobody types."""
    match axis:
        case "step":
            return [t(STEP_WORDS[k]) for k in keys]
        case "check":
            return [t(r["label"]) for r in table("checks.csv")]
        case "quarter":
            return [f"{t('Quarter')} {k[1:]}" for k in keys]
        case "year":
            return [f"{t('Year')} {k[1:]}" for k in keys]
    return list(keys)


def heading(ctx: Context, sheet: Sheet, row: int, section: Section) -> None:
    """The section's title over its rule, with a note at the right end."""
    style = Style("section")
    sheet.put(row, SOURCE, ctx.t(section.title), style)
    last = sheet.last_col
    if section.note:
        note = Style("section", "", ("small", "right", "color:muted"))
        if section.note in ctx.program.lines:
            ctx.put(sheet, row, last, Ref(section.note), note)
        else:
            ctx.words(sheet, row, last, section.note, note)
    sheet.band(row, SOURCE, last, style)
    sheet.heights[row] = 21


class MonthLines:
    """Lines by month, each with its year and peak columns; a line over entries has a row an entry."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.rows: list[tuple[int, Item, dict[str, int], tuple[str, ...]]] = []
        self.heads: list[tuple[int, Item, str]] = []
        self.top = 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give every line its rows."""
        self.top = row
        row += 3 if self.section.header else 1
        for item in self.section.items:
            axes = ctx.program.axes[item.name]
            others = tuple(a for a in axes if a != "month")
            if "month" not in axes:
                raise ValueError(f"{item.name} has no months: use another kind of section")
            if others and others[-1] in NAMED:
                self.heads.append((row, item, others[-1]))
                row += 1
            if item.line:
                ctx.places.settle(item.line, Home(sheet.name, row, FIRST_MONTH, others, "month"))
            for coord in ctx.coords(others):
                self.rows.append((row, item, coord, others))
                row += 1
            for column, name in ((YEAR, item.year), (PEAK, item.peak)):
                if name in ctx.program.lines and item.line and name not in ctx.places.homes:
                    down = tuple(a for a in ctx.program.axes[name])
                    ctx.places.settle(name, Home(sheet.name, row - max(1, len(ctx.coords(others))), column, down))
        return row + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write the rows."""
        heading(ctx, sheet, self.top, self.section)
        if self.section.header:
            month_header(ctx, sheet, self.top + 1)
        for row, item, _axis in self.heads:
            line = ctx.program.lines[item.name]
            sheet.put(row, SOURCE, line.source, Style("id", "", ("plain",)))
            sheet.put(row, LABEL, ctx.t(item.label or line.label), Style("label", "", ("bold", "plain")))
        for row, item, coord, others in self.rows:
            self._row(ctx, sheet, row, item, coord, others)

    def _row(
        self, ctx: Context, sheet: Sheet, row: int, item: Item, coord: dict[str, int], others: tuple[str, ...]
    ) -> None:
        line = ctx.program.lines[item.name]
        role = item.style
        words = Style("total") if role == "total" else Style("output") if role == "output" else Style("label")
        small = Style(words.role, "", ("small", "color:faint")) if role != "calc" else Style("id")
        named = bool(others) and others[-1] in NAMED
        sheet.put(row, SOURCE, "" if named else line.source, small)
        if named:
            entry = ctx.entry(others[-1])
            assert entry is not None
            ctx.put(sheet, row, LABEL, entry, Style("label", "", ("indent",)), coord)
            spare_row(sheet, row, LABEL)
        elif others:
            name = fixed_words(others[-1], ctx.plan.labels[others[-1]], ctx.t)[coord[others[-1]]]
            sheet.put(row, LABEL, f"{ctx.t(item.label or line.label)}: {name}", words)
        else:
            sheet.put(row, LABEL, ctx.t(item.label or line.label), words)
        unit_style = Style(role, "", ("small", "color:muted", "indent")) if role != "calc" else Style("unit")
        ctx.unit(sheet, row, UNIT, item.name, item.number, item.unit, unit_style)
        dated = item.number == "month"
        style = ctx.style_of(item.name, role, item.number, *(("small",) if dated else ()))
        if item.line:
            ctx.line_row(sheet, row, FIRST_MONTH, item.line, style, coord, "month")
        else:
            ctx.put_row(sheet, row, FIRST_MONTH, Ref(item.show), style, coord, "month")
        self._before_months(ctx, sheet, row, item, coord, style)
        if item.name in ctx.program.missing:
            last = FIRST_MONTH + ctx.sizes["month"] - 1
            word = ctx.t("withheld: ").strip(" :：")
            sheet.looks.append((row, YEAR, row, last, {"withheld": word}))
        if line.unit in ("text", "sentence") and item.number == "":
            sheet.heights[row] = 18.75

    def _before_months(
        self, ctx: Context, sheet: Sheet, row: int, item: Item, coord: dict[str, int], style: Style
    ) -> None:
        bold = Style(style.role, style.number, ("bold",))
        for column, what, look in ((YEAR, item.year, bold), (PEAK, item.peak, style)):
            if column == PEAK and item.line in ctx.stepped:
                ctx.opening(sheet, row, PEAK, item.name, Style("chartdata", style.number), coord)
                continue
            expr = _aside(item.name, what)
            if what in ctx.program.lines:
                number = number_of(ctx.program.unit(what)) if not item.number else item.number
                at = {a: coord[a] for a in ctx.program.axes[what]}
                if what in ctx.places.homes and ctx.places.position(what, at) == (sheet.name, row, column):
                    ctx.line(sheet, row, column, what, Style(look.role, number, look.more), at)
                else:
                    ctx.put(sheet, row, column, Ref(what), Style(look.role, number, look.more), at)
            elif expr is not None:
                ctx.put(sheet, row, column, expr, look, coord)
            else:
                sheet.put(row, column, None, Style(style.role))


def _aside(name: str, what: str) -> Expr | None:
    match what:
        case "sum":
            return Aggregate("sum", Ref(name), "month")
        case "pick":
            return Pick(Ref(name), Ref("peak_month"), "month")
        case "last":
            return Pick(Ref(name), Ref("horizon_position"), "month")
    return None


def spare_row(sheet: Sheet, row: int, label_col: int) -> None:
    """A row whose entry has no name shows nothing: it waits."""
    sheet.looks.append((row, SOURCE, row, sheet.last_col, {"spare_by": label_col}))


class ByAxis:
    """A table: a row an entry, a column a line."""

    def __init__(self, section: Section) -> None:
        self.section, self.top, self.first = section, 0, 0
        self.columns: list[tuple[int, Item]] = []

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give every line its column."""
        self.top = row
        self.first = row + 2 + (1 if self.section.opening else 0)
        col = UNIT
        for item in self.section.items:
            self.columns.append((col, item))
            axes = ctx.program.axes[item.name]
            if item.line:
                if axes != (self.section.axis,):
                    raise ValueError(f"{item.line} varies along {axes}, not along {self.section.axis} alone")
                ctx.places.settle(item.line, Home(sheet.name, self.first, col, axes))
            col += item.wide
        end = self.first + ctx.sizes[self.section.axis]
        for i, item in enumerate(self.section.total):
            if item.line:
                ctx.places.settle(item.line, Home(sheet.name, end, self._total_col(i)))
        return end + (1 if self.section.total else 0) + 1

    def _total_col(self, i: int) -> int:
        item = self.section.total[i]
        by_name = {c.name: col for col, c in self.columns}
        return by_name[item.why] if item.why else self.columns[i][0]

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write header, rows and totals."""
        heading(ctx, sheet, self.top, self.section)
        axis = self.section.axis
        header = self.top + 1
        sheet.put(header, SOURCE, ctx.t("Source"), Style("header"))
        sheet.put(header, LABEL, ctx.t(_axis_title(axis)), Style("header"))
        for col, item in self.columns:
            self._header(ctx, sheet, header, col, item)
        last = max((c + i.wide - 1 for c, i in self.columns), default=LABEL)
        if axis == "check":
            last = check_columns(ctx, sheet, self.first, last)
        sheet.band(header, SOURCE, last, Style("header"))
        sheet.heights[header] = self._height(ctx, sheet, header)
        self._names(ctx, sheet, axis)
        for col, item in self.columns:
            self._column(ctx, sheet, axis, col, item)
        if self.section.total:
            self._totals(ctx, sheet, self.first + ctx.sizes[axis], last)

    def _header(self, ctx: Context, sheet: Sheet, row: int, col: int, item: Item) -> None:
        kind = ctx.program.unit(item.name)
        words = ctx.t(item.label or _label(ctx, item.name))
        unit = "" if kind in ("text", "sentence", "choice", "flag", "count", "index", "level", "factor") else ctx.t(
            item.unit or unit_words(kind, item.number, ctx.language))  # fmt: skip
        align = ("left", "indent") if _wordy(ctx, item) or item.wide > 1 else ("right",)
        align = (*align, "nowrap") if item.wide > 1 else align
        ctx.words(sheet, row, col, f"{words}, {unit}" if unit and unit != "text" else words, Style("header", "", align))

    def _height(self, ctx: Context, sheet: Sheet, header: int) -> float:
        """Points that the tallest wrapped header takes."""
        lines = 1
        for col, item in self.columns:
            room = sum(sheet.widths.get(col + k, 8.43) for k in range(item.wide))
            lines = max(lines, wrapped(str(sheet.cells[header, col].value), room * 1.02))
        return max(27.0, 12.6 * lines + 3)

    def _names(self, ctx: Context, sheet: Sheet, axis: str) -> None:
        source = ctx.program.lines[self.columns[0][1].name].source if self.columns[0][1].name in ctx.program.lines else ""
        names = fixed_words(axis, ctx.plan.labels[axis], ctx.t)
        if self.section.opening:
            sheet.put(self.first - 1, LABEL, ctx.t("Before"), Style("chartdata"))
        for i in range(ctx.sizes[axis]):
            row = self.first + i
            sheet.put(row, SOURCE, source, Style("id"))
            entry = ctx.entry(axis)
            if entry is not None:
                ctx.put(sheet, row, LABEL, entry, Style("label"), {axis: i})
                spare_row(sheet, row, LABEL)
            else:
                sheet.put(row, LABEL, names[i], Style("label"))

    def _column(self, ctx: Context, sheet: Sheet, axis: str, col: int, item: Item) -> None:
        unsure = item.name in ctx.program.missing
        style = ctx.style_of(item.name, item.style, item.number, *(("general",) if unsure else ()))
        if _wordy(ctx, item):
            style = Style("label", "", ("indent",))
        for i in range(ctx.sizes[axis]):
            row = self.first + i
            if item.number == "by_unit":
                style = Style(item.style, number_of(table("checks.csv")[i]["unit"]), style.more)
            if item.line:
                ctx.line(sheet, row, col, item.line, style, {axis: i})
            else:
                ctx.put(sheet, row, col, Ref(item.show), style, {axis: i})
            for extra in range(1, item.wide):
                sheet.put(row, col + extra, None, Style("label"))
        line = ctx.program.lines.get(item.name)
        if self.section.opening and line is not None and item.line:
            if item.line in ctx.stepped:
                ctx.opening(sheet, self.first - 1, col, item.line, Style("chartdata", style.number), {})
        if self.section.bars == item.name:
            sheet.bars.append((self.first, col, self.first + ctx.sizes[axis] - 1, col))

    def _totals(self, ctx: Context, sheet: Sheet, row: int, last: int) -> None:
        sheet.put(row, SOURCE, "", Style("total"))
        sheet.put(row, LABEL, ctx.t("Total"), Style("total"))
        for i, item in enumerate(self.section.total):
            style = ctx.style_of(item.name, "total", item.number)
            col = self._total_col(i)
            if item.line:
                ctx.line(sheet, row, col, item.line, style, {})
            else:
                ctx.put(sheet, row, col, Ref(item.show), style)
        sheet.band(row, SOURCE, last, Style("total"))


def wrapped(words: str, room: float) -> int:
    """Lines that words take in a column of so many characters."""
    lines, used = 1, 0.0
    for word in words.replace("-", "- ").split():
        if used and used + 1 + len(word) > room:
            lines, used = lines + 1, 0.0
        lines += int(len(word) // room) if len(word) > room else 0
        used += len(word) + (1 if used else 0)
    return lines


def check_columns(ctx: Context, sheet: Sheet, first: int, last: int) -> int:
    """Unit, place and meaning of each check, behind its figures; the last column."""
    header = first - 1
    for offset, word in ((1, "Unit"), (2, "Where"), (4, "What it would mean")):
        sheet.put(header, last + offset, ctx.t(word), Style("header", "", ("left", "indent", "nowrap")))
    for i, row in enumerate(table("checks.csv")):
        at = first + i
        ctx.words(sheet, at, last + 1, unit_words(row["unit"], "", ctx.language), Style("unit"))
        tab = ctx.t(row["tab"])
        sheet.put(at, last + 2, tab, Style("note", "", ("color:link",)), None, f"internal:'{tab}'!A1")
        sheet.put(at, last + 4, ctx.t(row["meaning"]), Style("note"))
        sheet.band(at, last + 1, last + 9, Style("note"))
    return last + 9


def _label(ctx: Context, name: str) -> str:
    if name in ctx.program.lines:
        return ctx.program.lines[name].label
    return ctx.program.quantities[name].label or name


def _wordy(ctx: Context, item: Item) -> bool:
    return ctx.program.kind(item.name) == "text"


def _axis_title(axis: str) -> str:
    return {"step": "Step", "check": "Check", "quarter": "Quarter", "year": "Year", "tier": "SLA tier"}.get(
        axis, axis.capitalize()
    )


class Matrix:
    """One line over two axes: rows an entry of one, columns of the other. On the slot axis it stands under the months."""

    def __init__(self, section: Section) -> None:
        self.section, self.top = section, 0
        self.col = 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give the line its block."""
        self.top = row
        s = self.section
        self.col = FIRST_MONTH if s.across in ("slot", "month") else UNIT
        counted = {"slot": "slot_number", "size": "size_gpus"}.get(s.across)
        if counted and counted not in ctx.places.homes:
            ctx.places.settle(counted, Home(sheet.name, row + 1, self.col, (), s.across))
        down = (s.axis,) if s.axis else ()
        ctx.places.settle(s.line, Home(sheet.name, row + 2, self.col, down, s.across))
        return row + 2 + (ctx.sizes[s.axis] if s.axis else 1) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write the block."""
        s = self.section
        heading(ctx, sheet, self.top, s)
        header = self.top + 1
        sheet.put(header, SOURCE, ctx.t("Source"), Style("header"))
        sheet.put(header, LABEL, ctx.t(_axis_title(s.axis)) if s.axis else "", Style("header"))
        self._across_header(ctx, sheet, header)
        sheet.band(header, SOURCE, self.col + ctx.sizes[s.across] - 1, Style("header"))
        sheet.heights[header] = 27
        line = ctx.program.lines[s.line]
        style = Style("label", "", ("indent",)) if ctx.program.kind(s.line) == "text" else ctx.style_of(s.line, "calc", s.number)
        for i in range(ctx.sizes[s.axis] if s.axis else 1):
            row = self.top + 2 + i
            coord = {s.axis: i} if s.axis else {}
            sheet.put(row, SOURCE, line.source, Style("id"))
            entry = ctx.entry(s.axis) if s.axis else None
            if entry is not None:
                ctx.put(sheet, row, LABEL, entry, Style("label"), coord)
                spare_row(sheet, row, LABEL)
            else:
                sheet.put(row, LABEL, ctx.t(line.label), Style("label"))
            self._cells(ctx, sheet, row, style, coord)

    def _cells(self, ctx: Context, sheet: Sheet, row: int, style: Style, coord: dict[str, int]) -> None:
        s = self.section
        if isinstance(ctx.program.lines[s.line].expr, Stack):
            for j in range(ctx.sizes[s.across]):
                ctx.line(sheet, row, self.col + j, s.line, style, {**coord, s.across: j})
        else:
            ctx.line_row(sheet, row, self.col, s.line, style, coord, s.across)

    def _across_header(self, ctx: Context, sheet: Sheet, row: int) -> None:
        s = self.section
        right = Style("header", "", ("right",))
        for j in range(ctx.sizes[s.across]):
            col = self.col + j
            if s.across in NAMED:
                ctx.put(sheet, row, col, _name_of(s.across), Style("header", "", ("left", "indent")), {s.across: j})
            elif s.across in ("slot", "size"):
                sheet.put(row, col, float(ctx.plan.labels[s.across][j]), Style("header", "count", ("right",)))
            else:
                words = fixed_words(s.across, ctx.plan.labels[s.across], ctx.t)[j]
                sheet.put(row, col, words, right)


def _name_of(axis: str) -> Expr:
    """An entry's label where the table has labels, else its name."""
    if axis == "tier":
        label = Call("as_text", (Ref("tier_label"),))
        return Call("where", (Call("given", (Ref("tier_label"),)), label, Call("as_text", (Ref("tier_name"),))))
    return Call("as_text", (Ref(f"{axis}_name"),))


class Values:
    """Scalar lines, one a row: source, label, unit, value, why."""

    def __init__(self, section: Section) -> None:
        self.section, self.top = section, 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give every line its cell."""
        self.top = row
        for i, item in enumerate(self.section.items):
            if item.line:
                if ctx.program.axes[item.line]:
                    raise ValueError(f"{item.line} is not a single value")
                ctx.places.settle(item.line, Home(sheet.name, row + 1 + i, YEAR))
        return row + 1 + len(self.section.items) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write the rows."""
        heading(ctx, sheet, self.top, self.section)
        for i, item in enumerate(self.section.items):
            row = self.top + 1 + i
            line = ctx.program.lines.get(item.name)
            wordy = _wordy(ctx, item)
            sheet.put(row, SOURCE, line.source if line else "", Style("id"))
            words = Style("total") if item.style == "total" else Style("label")
            sheet.put(row, LABEL, ctx.t(item.label or _label(ctx, item.name)), words)
            ctx.unit(sheet, row, UNIT, item.name, item.number, item.unit)
            style = Style("label", "", ("indent",)) if wordy else ctx.style_of(item.name, item.style, item.number, "general")
            if item.line:
                ctx.line(sheet, row, YEAR, item.line, style, {})
            else:
                ctx.put(sheet, row, YEAR, Ref(item.show), style)
            if line is not None and not wordy:
                sheet.put(row, FIRST_MONTH, ctx.t(line.why), Style("note"))
            sheet.band(row, YEAR, sheet.last_col, Style("note"))


class Sentences:
    """Text lines, one sentence a row; long ones run over the cells at their right."""

    def __init__(self, section: Section) -> None:
        self.section, self.top = section, 0

    def place(self, ctx: Context, sheet: Sheet, row: int) -> int:
        """Give every sentence its row."""
        self.top = row
        for i, item in enumerate(self.section.items):
            if item.line:
                ctx.places.settle(item.line, Home(sheet.name, row + 1 + i, UNIT))
        return row + 1 + len(self.section.items) + 1

    def fill(self, ctx: Context, sheet: Sheet) -> None:
        """Write the rows."""
        heading(ctx, sheet, self.top, self.section)
        for i, item in enumerate(self.section.items):
            row = self.top + 1 + i
            line = ctx.program.lines[item.name]
            sheet.put(row, SOURCE, line.source, Style("id"))
            sheet.put(row, LABEL, ctx.t(item.label or line.label), Style("label"))
            if item.line:
                ctx.line(sheet, row, UNIT, item.line, Style("label"), {})
            else:
                ctx.put(sheet, row, UNIT, Ref(item.show), Style("label"))
            sheet.band(row, UNIT, sheet.last_col, Style("label"))


KINDS: dict[str, Any] = {
    "months": MonthLines, "by_axis": ByAxis, "matrix": Matrix, "values": Values, "sentences": Sentences,
}  # fmt: skip
