"""The formulas a plan may hold: a reader that refuses whatever it does not know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from planner.problem import Said, said
from planner.verify.address import MAX_COLUMN, MAX_ROW, column_number
from planner.verify.functions import DIGITS, FUNCTIONS, LITERALS, MOST_DIGITS, VOLATILE, Function

MAX_TEXT = 255  # Excel refuses a longer text literal inside a formula
_COMPARISONS = frozenset({"=", "<>", "<", ">", "<=", ">="})

_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"]|"")*")
    |(?P<sheet>'(?:[^']|'')*'!|[^\W\d][\w.]*!)
    |(?P<whole>\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\w.(!])|\$?[0-9]{1,7}:\$?[0-9]{1,7}(?![\w.]))
    |(?P<cell>\$?[A-Za-z]{1,3}\$?[0-9]{1,7}(?![\w.(]))
    |(?P<call>[^\W\d][\w.]*\()
    |(?P<name>[^\W\d][\w.]*)
    |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)
    |(?P<operator><>|<=|>=|[-+*/&=<>])
    |(?P<open>\()|(?P<close>\))|(?P<comma>,)
    |(?P<space>\s+)
    |(?P<other>\#[A-Za-z0-9/]+[!?]?|.)""",
    re.VERBOSE | re.DOTALL,
)
_OTHERS = {
    ":": said("a range that ends in something other than a cell, or a 3-D reference"),
    "[": said("a structured reference or another workbook"),
    "]": said("a structured reference or another workbook"),
    "{": said("an array constant"),
    "}": said("an array constant"),
    "@": said("an implicit intersection"),
    "^": said("the operator ^, which is not on the list"),
    "%": said("the operator %, which is not on the list"),
    "#": said("a spill reference"),
}

ONE, RANGE, TRUTHS, ARRAY = range(4)  # what an expression gives: one value, a range, ranges compared, ranges calculated


def _whole(text: str) -> Said:
    return said("the whole-column or whole-row reference {text}", text=text)


def _cubic(text: str) -> Said:
    return said("the 3-D reference {text}", text=text)


class _Refused(Exception):
    """The reading cannot go on."""


class Scope(NamedTuple):
    """What formulas may refer to: sheet names in lower case, and names in lower case (True for a range)."""

    sheets: frozenset[str]
    names: Mapping[str, bool]


def problems(formula: str, scope: Scope, *, cell: bool = True) -> list[tuple[str, Said]]:
    """Every (rule, what) against a formula. With `cell` off (rules of cells, not contents) numbers and ranges pass."""
    reader = _Reader(formula, scope, cell)
    try:
        reader.whole()
    except _Refused:
        pass
    except RecursionError:
        reader.found.append(("syntax", said("nested too deeply")))
    return list(dict.fromkeys(reader.found))


class _Reader:
    def __init__(self, formula: str, scope: Scope, strict: bool) -> None:
        self.tokens: list[tuple[str, str]] = [
            (match.lastgroup or "other", match[0]) for match in _TOKEN.finditer(formula) if match.lastgroup != "space"
        ]
        self.tokens.append(("end", ""))
        self.at = 0
        self.scope = scope
        self.strict = strict
        self.product = False
        self.found: list[tuple[str, Said]] = []

    def whole(self) -> None:
        kind = self.comparison()
        if self.tokens[self.at][0] != "end":
            raise self.stuck()
        self.one_value(kind, said("the cell"))

    def note(self, rule: str, text: Said) -> None:
        self.found.append((rule, text))

    def stop(self, rule: str, text: Said) -> _Refused:
        self.note(rule, text)
        return _Refused()

    def stuck(self) -> _Refused:
        kind, text = self.tokens[self.at]
        if kind == "other":
            if text == "[" and self.tokens[self.at + 1][0] == "number":
                return self.stop("external", said("a reference to another workbook"))
            what = _OTHERS.get(text) or said("unexpected {text}", text=repr(text))
            return self.stop("reference" if text[0] in ":[]@#" else "syntax", what)
        if kind in ("cell", "sheet", "name", "whole", "call") and self.at:
            what = said("an intersection, or a missing operator, before {text}", text=repr(text))
            return self.stop("reference", what)
        what = said("unexpected {text}", text=repr(text)) if text else said("unexpected end")
        return self.stop("syntax", what)

    def one_value(self, kind: int, where: str) -> None:
        if kind != ONE and self.strict:
            self.note("range", said("a range where {where} takes one value", where=where))

    def operator(self, *wanted: str) -> str | None:
        kind, text = self.tokens[self.at]
        if kind == "operator" and text in wanted:
            self.at += 1
            return text
        return None

    def joined(self, left: int, right: int, operator: str) -> int:
        if left == ONE and right == ONE:
            return ONE
        if self.strict and (not self.product or operator == "&"):
            self.note("range", said("{operator} over a range outside SUMPRODUCT", operator=repr(operator)))
            return ONE
        return TRUTHS if operator in _COMPARISONS else ARRAY

    def comparison(self) -> int:
        kind = self.concatenation()
        while operator := self.operator(*_COMPARISONS):
            kind = self.joined(kind, self.concatenation(), operator)
        return kind

    def concatenation(self) -> int:
        kind = self.addition()
        while operator := self.operator("&"):
            kind = self.joined(kind, self.addition(), operator)
        return kind

    def addition(self) -> int:
        kind = self.term()
        while operator := self.operator("+", "-"):
            kind = self.joined(kind, self.term(), operator)
        return kind

    def term(self) -> int:
        kind = self.signed()
        while operator := self.operator("*", "/"):
            kind = self.joined(kind, self.signed(), operator)
        return kind

    def signed(self) -> int:
        signs = 0
        while self.operator("-", "+"):
            signs += 1
        kind, text = self.tokens[self.at]
        if signs and self.strict and kind == "number" and text == "2":
            self.note("literal", said("the number {number} inside a formula", number="-2"))
        value = self.primary()
        return self.joined(value, ONE, "-") if signs else value

    def primary(self) -> int:
        kind, text = self.tokens[self.at]
        if kind == "text":
            self.at += 1
            if len(text) - 2 > MAX_TEXT:
                text = said("a text of more than {most} characters inside a formula", most=MAX_TEXT)
                self.note("length", text)
            return ONE
        if kind == "number":
            self.at += 1
            if self.strict and text not in LITERALS:
                self.note("literal", said("the number {number} inside a formula", number=text))
            return ONE
        if kind == "open":
            self.at += 1
            value = self.comparison()
            self.closed()
            return value
        if kind == "call":
            self.at += 1
            return self.call(text[:-1].upper())
        if kind in ("cell", "sheet"):
            return self.reference()
        if kind == "name":
            self.at += 1
            return self.name(text)
        if kind == "whole":
            raise self.stop("reference", _whole(text))
        raise self.stuck()

    def closed(self) -> None:
        if self.tokens[self.at][0] != "close":
            raise self.stuck()
        self.at += 1

    def name(self, text: str) -> int:
        after = self.tokens[self.at][1]
        if after == "[":
            raise self.stop("reference", said("the structured reference {text}", text=text + "["))
        if after == ":":
            cubic = self.tokens[self.at + 1][0] == "sheet"
            what = _cubic(text + ":") if cubic else said("the range between names {text}", text=text + ":")
            raise self.stop("reference", what)
        if text.upper() in ("TRUE", "FALSE"):
            return ONE
        is_range = self.scope.names.get(text.lower())
        if is_range is None:
            self.note("reference", said("the name {name}, which the workbook does not define", name=text))
        return RANGE if is_range else ONE

    def reference(self) -> int:
        kind, text = self.tokens[self.at]
        if kind == "sheet":
            self.at += 1
            name = text[:-1]
            name = name[1:-1].replace("''", "'") if name.startswith("'") else name
            if "[" in name or "\\" in name or "/" in name:
                raise self.stop("external", said("a reference to another workbook, {text}", text=text))
            if ":" in name:
                raise self.stop("reference", _cubic(text))
            if name.lower() not in self.scope.sheets:
                self.note("reference", said("the sheet {name}, which the workbook does not have", name=repr(name)))
            if self.tokens[self.at][0] == "name":
                what = said("a name that belongs to a sheet, {name}", name=text + self.tokens[self.at][1])
                raise self.stop("reference", what)
            if self.tokens[self.at][0] != "cell":
                raise self.stuck_reference(text)
        self.cell()
        if self.tokens[self.at][1] != ":":
            return ONE
        self.at += 1
        if self.tokens[self.at][0] != "cell":
            raise self.stuck_reference(":")
        self.cell()
        return RANGE

    def stuck_reference(self, before: str) -> _Refused:
        kind, text = self.tokens[self.at]
        if kind == "whole":
            return self.stop("reference", _whole(text))
        return self.stop("reference", said("a reference {text} that does not end in a cell", text=before + text))

    def cell(self) -> None:
        text = self.tokens[self.at][1]
        self.at += 1
        letters, digits = re.findall(r"[A-Za-z]+|[0-9]+", text)
        if column_number(letters) > MAX_COLUMN or not 1 <= int(digits) <= MAX_ROW:
            self.note("reference", said("the cell {cell}, which no sheet has", cell=text))

    def call(self, name: str) -> int:
        known = FUNCTIONS.get(name)
        if known is None:
            if name in VOLATILE:
                self.note("function", said("the volatile function {name}", name=name))
            elif name.startswith("_XL"):
                self.note("function", said("the function {name}, which needs a newer Excel", name=name))
            else:
                self.note("function", said("the function {name}, which is not on the list", name=name))
        outer, self.product = self.product, name == "SUMPRODUCT"
        kinds: list[int] = []
        alone: list[str] = []
        if self.tokens[self.at][0] == "close":
            self.at += 1
        else:
            while True:
                first = self.at
                kinds.append(self.argument(name, len(kinds), known))
                alone.append(self.tokens[first][1] if self.at == first + 1 else "")
                if self.tokens[self.at][0] != "comma":
                    break
                self.at += 1
            self.closed()
        self.product = outer
        if self.tokens[self.at][1] == ":":
            raise self.stop("reference", said("a range that starts at {name}()", name=name))
        if known is None:
            return ONE
        if not known.least <= len(kinds) <= known.most:
            self.note("function", said("{name} with {count} arguments", name=name, count=len(kinds)))
        if name == "MATCH" and len(kinds) == 3 and alone[2] not in ("0", "1"):
            self.note("function", said("MATCH with a match type other than 0 and 1"))
        if name == "INDEX" and "0" in alone[1:]:
            return RANGE
        return RANGE if name == "CHOOSE" and RANGE in kinds[1:] else ONE

    def argument(self, name: str, index: int, known: Function | None) -> int:
        kind, text = self.tokens[self.at]
        if kind in ("comma", "close"):
            raise self.stop("syntax", said("an empty argument of {name}", name=name))
        if name == "HYPERLINK" and index == 0 and not text.startswith('"#'):
            self.note("external", said("HYPERLINK to something other than a place in this workbook"))
        if name in DIGITS and index == 1 and kind == "number" and self.tokens[self.at + 1][0] in ("comma", "close"):
            self.at += 1
            if self.strict and not (text.isdigit() and int(text) <= MOST_DIGITS):
                self.note("literal", said("{name} to {text} digits", name=name, text=text))
            return ONE
        value = self.comparison()
        if known is None:
            return value
        if name == "SUMPRODUCT":
            if value == TRUTHS and self.strict:
                self.note("range", said("a bare comparison in SUMPRODUCT counts as 0: use -- or *"))
        elif value not in (ONE, RANGE) or index not in known.ranges:
            self.one_value(value, name)
        return value
