"""The static audit: does the file keep to the rules, whatever its numbers are? It reads the stored parts alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.etree.ElementTree import Element

from planner.problem import Said, said
from planner.verify import names as defined
from planner.verify.address import MAX_FORMULA, MAX_NESTING, cell_name, nesting, r1c1
from planner.verify.grammar import Scope, problems
from planner.verify.package import Book, FormulaCell, Sheet, local, on, read

Severity = Literal["error", "note"]

LONG_FORMULA = 250
MAX_LIST = 255
MAX_SHEET_NAME = 31
MAX_WORDS = 500
_MACROS = ("vbaproject", "macrosheets/", "dialogsheets/", "activex/", "ctrlprops/", "embeddings/")
_EXTERNAL = ("externallinks/", "connections.xml", "querytables/")
_COMMENTS = ("comments", "vmldrawing", "persons/")


@dataclass(frozen=True)
class Finding:
    """One breach of one rule. `place` is `Tab!Cell`, a tab, a name or a part of the file; `text` is English until it
    is spoken."""

    rule: str
    place: str
    text: Said
    severity: Severity = "error"


def audit(path: str | Path) -> list[Finding]:
    """Every breach of the form rules, in a fixed order."""
    return audit_book(read(path))


def audit_book(book: Book) -> list[Finding]:
    return [finding for rule in RULES for finding in rule(book)]


def _place(sheet: Sheet, row: int, col: int) -> str:
    return f"{sheet.name}!{cell_name(row, col)}"


def _forms(sheet: Sheet) -> dict[tuple[int, int], str]:
    return {(cell.row, cell.col): r1c1(cell.formula, cell.row, cell.col) for cell in sheet.formulas}


def formulas(book: Book) -> Iterator[Finding]:
    """Each distinct formula is read once against the grammar; each monthly row must hold one formula."""
    scope = Scope(frozenset(sheet.name.lower() for sheet in book.sheets), defined.ranges(book))
    for sheet in book.sheets:
        forms = _forms(sheet)
        first: dict[str, tuple[FormulaCell, int]] = {}
        for cell in sheet.formulas:
            form = forms[cell.row, cell.col]
            known = first.get(form)
            first[form] = (cell, 1) if known is None else (known[0], known[1] + 1)
        for cell, count in first.values():
            for rule, text in problems(cell.formula, scope):
                where = said("{what} in ={formula}", what=text, formula=_cut(cell.formula, text))
                if count > 1:
                    where = said("{finding} (and {count} more cells like it)", finding=where, count=count - 1)
                yield Finding(rule, _place(sheet, cell.row, cell.col), where)
        yield from _one_formula(book, sheet, forms)


def _cut(formula: str, beside: str) -> str:
    """As much of a formula as there is room for beside other words."""
    return formula[: max(0, MAX_WORDS - len(beside))]


def _one_formula(book: Book, sheet: Sheet, forms: dict[tuple[int, int], str]) -> Iterator[Finding]:
    months = defined.months(book)
    if months is None:
        return
    header, left, right = months
    columns = range(left, right + 1)
    if not all((header, col) in forms or (header, col) in sheet.numbers for col in columns):
        return
    tables = _tables(sheet, forms, columns, header)
    for row in sorted({cell.row for cell in sheet.formulas if left <= cell.col <= right}):
        found = [(col, forms[row, col]) for col in columns if (row, col) in forms]
        typed = [col for col in columns if (row, col) in sheet.numbers]
        same = {form for _, form in found}
        if len(found) == len(columns) and len(same) > 1 and not (len(same) > len(columns) // 2 and row in tables):
            odd = _odd_one(found)
            text = said("{count} different formulas in one monthly row", count=len(same))
            yield Finding("one-formula", _place(sheet, row, odd), text)
        elif len(found) >= 2 and len(same) == 1 and typed and len(found) + len(typed) == len(columns):
            for col in typed:
                if sheet.numbers[row, col] not in book.unlocked:
                    text = said("a number typed over the formula that the rest of the row holds")
                    yield Finding("one-formula", _place(sheet, row, col), text)


def _tables(sheet: Sheet, forms: dict[tuple[int, int], str], columns: range, months: int) -> set[int]:
    """Rows of tables that have something else than months above their columns: names, numbers or words of their own."""
    words = {(c.row, c.col) for c in sheet.formulas if isinstance(c.value, str)} | sheet.texts | sheet.numbers.keys()
    filled = {row for row, col in [*forms, *sheet.numbers, *sheet.texts] if col in columns}
    found: set[int] = set()
    for row in sorted(filled):
        heads = all((row, col) in words for col in columns)
        own = {forms.get((row, col), f"{col}") for col in columns}
        if row != months and (row - 1 in found or (heads and len(own) == len(columns))):
            found.add(row)
    return found


def _odd_one(found: list[tuple[int, str]]) -> int:
    """The first cell that departs from the row's most frequent formula."""
    forms = [form for _, form in found]
    usual = max(forms, key=forms.count)
    return next(col for col, form in found if form != usual)


def formula_cells(book: Book) -> Iterator[Finding]:
    """Kind, length, stored value and lock of every formula cell."""
    for sheet in book.sheets:
        for cell in sheet.formulas:
            place = _place(sheet, cell.row, cell.col)
            if cell.kind in ("array", "dataTable"):
                what = said("an array formula") if cell.kind == "array" else said("a data table")
                yield Finding("array", place, what)
            length = len(cell.formula) + 1
            if length > MAX_FORMULA:
                text = said("a formula of {count} characters; Excel takes {most}", count=length, most=MAX_FORMULA)
                yield Finding("length", place, text)
            elif length > LONG_FORMULA:
                text = said("a formula of {count} characters is hard to follow", count=length)
                yield Finding("length", place, text, "note")
            if nesting(cell.formula) > MAX_NESTING:
                yield Finding("length", place, said("a formula nested more than {most} deep", most=MAX_NESTING))
            if cell.value is None:
                what = said("no stored value")
                if cell.raw:
                    what = said("the stored value {value} cannot be read", value=repr(cell.raw[:40]))
                text = said("{what}; viewers that do not calculate show nothing", what=what)
                yield Finding("stored", place, text)
            if cell.style in book.unlocked:
                yield Finding("unlocked", place, said("an unlocked cell, meant for input, holds a formula"))


def nothing_hidden(book: Book) -> Iterator[Finding]:
    for sheet in book.sheets:
        if sheet.state != "visible":
            yield Finding("hidden", sheet.name, said("the tab is hidden ({state})", state=sheet.state))
        for column in sheet.all("col"):
            if on(column.get("hidden")) or _is_zero(column.get("width")):
                first, last = column.get("min", "?"), column.get("max", "?")
                text = said("columns {first} to {last} are hidden", first=first, last=last)
                yield Finding("hidden", sheet.name, text)
        if any(on(element.get("zeroHeight")) for element in sheet.all("sheetFormatPr")):
            yield Finding("hidden", sheet.name, said("rows are hidden by default"))
        for row in _rows(sheet):
            if on(row.get("hidden")) or _is_zero(row.get("ht")):
                yield Finding("hidden", _place(sheet, int(row.get("r", 1)), 1), said("the row is hidden"))


def _rows(sheet: Sheet) -> Iterator[Element]:
    return (row for data in sheet.root if local(data.tag) == "sheetData" for row in data)


def _is_zero(text: str | None) -> bool:
    return text is not None and not text.strip("0.")


def nothing_merged(book: Book) -> Iterator[Finding]:
    for sheet in book.sheets:
        for merged in sheet.all("mergeCell"):
            yield Finding("merged", f"{sheet.name}!{merged.get('ref', '')}", said("merged cells"))


def plain_parts(book: Book) -> Iterator[Finding]:
    """No macros, no other files behind this one, no comments."""
    for part in book.parts:
        low = part.lower()
        if any(piece in low for piece in _MACROS):
            yield Finding("macro", part, said("a macro, a control or an embedded object"))
        if any(piece in low for piece in _EXTERNAL):
            yield Finding("external", part, said("a link to data outside the workbook"))
        if any(piece in low for piece in _COMMENTS) and not low.endswith(".rels"):
            yield Finding("comment", part, said("comments; notes belong in the note column"))
    for owner, kind, target in book.links:
        if kind == "hyperlink":
            yield Finding("external", owner, said("a hyperlink to {target}", target=target[:200]), "note")
        else:
            yield Finding("external", owner, said("a link ({kind}) to {target}", kind=kind, target=target[:200]))


def sheet_names(book: Book) -> Iterator[Finding]:
    seen: set[str] = set()
    for sheet in book.sheets:
        name = sheet.name
        if not 1 <= len(name) <= MAX_SHEET_NAME:
            text = said("{count} characters; Excel takes 1 to {most}", count=len(name), most=MAX_SHEET_NAME)
            yield Finding("sheet-name", name, text)
        if set(name) & set("[]:*?/\\") or name.strip("'") != name:
            yield Finding("sheet-name", name, said("a character that Excel does not take in a tab's name"))
        if name.casefold() in seen:
            yield Finding("sheet-name", name, said("two tabs of one name, apart from case"))
        seen.add(name.casefold())


def defined_names(book: Book) -> Iterator[Finding]:
    for name, text, severity in defined.breaches(book):
        yield Finding("defined-name", name, text, severity)


def validations(book: Book) -> Iterator[Finding]:
    """Inline lists fit into Excel; formulas of validations and conditional formats keep to the list of functions."""
    scope = Scope(frozenset(sheet.name.lower() for sheet in book.sheets), defined.ranges(book))
    for sheet in book.sheets:
        for kind, where, formula in _rules_of(sheet):
            place = f"{sheet.name}!{where}"
            if kind == "list" and formula.startswith('"'):
                length = len(formula[1:].removesuffix('"').replace('""', '"'))
                if length > MAX_LIST:
                    words = said(
                        "an inline list of {count} characters; Excel takes {most}: use a range",
                        count=length,
                        most=MAX_LIST,
                    )
                    yield Finding("validation", place, words)
                continue
            formula = formula.removeprefix("=")
            for rule, text in problems(formula, scope, cell=False):
                where = said("{what} in the rule ={formula}", what=text, formula=_cut(formula, text))
                yield Finding(rule, place, where)


def _rules_of(sheet: Sheet) -> Iterator[tuple[str, str, str]]:
    for tag, parent, kinds in (
        ("dataValidation", "dataValidation", None),
        ("cfRule", "conditionalFormatting", ("expression", "cellIs")),
    ):
        for outer in sheet.all(parent):
            where = outer.get("sqref") or next((e.text or "" for e in outer.iter() if local(e.tag) == "sqref"), "")
            for rule in outer.iter():
                kind = rule.get("type", "none")
                if local(rule.tag) != tag or (kinds is not None and kind not in kinds):
                    continue
                for element in rule.iter():
                    text = (element.text or "").strip()
                    leaf = local(element.tag)
                    if text and leaf in ("formula", "formula1", "formula2", "f"):
                        yield kind, where, text


def calculation(book: Book) -> Iterator[Finding]:
    """Settings of the workbook under which the same formulas give other numbers, or none."""
    for element in book.workbook.iter():
        tag = local(element.tag)
        if tag == "workbookPr" and on(element.get("date1904")):
            yield Finding("calculation", "workbook", said("dates count from 1904"))
        if tag == "calcPr":
            if element.get("calcMode", "auto") != "auto":
                yield Finding("calculation", "workbook", said("formulas do not recalculate by themselves"))
            if on(element.get("iterate")):
                yield Finding("calculation", "workbook", said("circular references are iterated"))
            if element.get("fullPrecision") in ("0", "false"):
                text = said("numbers are calculated as displayed, not in full precision")
                yield Finding("calculation", "workbook", text)


def formulas_kept(book: Book) -> Iterator[Finding]:
    """No formula that the plan was written with has given way to a typed value. Formulas may be added."""
    here = sum(len(sheet.formulas) for sheet in book.sheets)
    if book.formula_cells is not None and here < book.formula_cells:
        text = said("{here} formula cells, and {built} when the plan was written", here=here, built=book.formula_cells)
        yield Finding("formula-missing", book.path.name, text)


RULES: tuple[Callable[[Book], Iterator[Finding]], ...] = (
    sheet_names,
    defined_names,
    plain_parts,
    calculation,
    nothing_hidden,
    nothing_merged,
    validations,
    formula_cells,
    formulas,
    formulas_kept,
)
