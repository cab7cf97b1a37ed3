"""Cell addresses inside formulas: A1 to R1C1, moving a formula, and the bare bones two spellings share."""

from __future__ import annotations

import re
from functools import cache

MAX_COLUMN = 16384
MAX_ROW = 1048576
MAX_FORMULA = 8192
MAX_NESTING = 64

# A text, a quoted sheet name (both are passed over), or a cell. `LOG10(`, `tax_A1`, `1E5` and `Q1!` are no cells.
_CELLS = re.compile(
    r"""("(?:[^"]|"")*"|'(?:[^']|'')*')|(?<![\w.$])(\$?)([A-Za-z]{1,3})(\$?)([0-9]{1,7})(?![\w.(!])""",
)
_TEXTS = re.compile(r'("(?:[^"]|"")*")')
_UNARY_PLUS = re.compile(r"(?<=[-+*/&=<>(,])\+")
_LAYOUT = re.compile(r"[\s@()']|_xlfn\.|_xlws\.", re.IGNORECASE)


@cache
def column_number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


@cache
def column_letters(number: int) -> str:
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def cell_name(row: int, col: int) -> str:
    return f"{column_letters(col)}{row}"


def nesting(formula: str) -> int:
    """How deep the brackets go."""
    if formula.count("(") <= MAX_NESTING:
        return formula.count("(")
    deepest = depth = 0
    for piece in _TEXTS.split(formula)[::2]:
        for bracket in re.findall(r"[()]", piece):
            depth += 1 if bracket == "(" else -1
            deepest = max(deepest, depth)
    return deepest


def r1c1(formula: str, row: int, col: int) -> str:
    """The formula as seen from its own cell: two cells that do the same have the same text."""

    def relative(match: re.Match[str]) -> str:
        passed, fixed_col, letters, fixed_row, digits = match.groups()
        if passed is not None:
            return match[0]
        there = f"R{digits}" if fixed_row else f"R[{int(digits) - row}]"
        number = column_number(letters)
        return f"{there}C{number}" if fixed_col else f"{there}C[{number - col}]"

    return _CELLS.sub(relative, formula)


def shifted(formula: str, rows: int, cols: int) -> str:
    """The formula copied `rows` down and `cols` to the right; a cell pushed off the sheet becomes #REF!."""

    def moved(match: re.Match[str]) -> str:
        passed, fixed_col, letters, fixed_row, digits = match.groups()
        if passed is not None:
            return match[0]
        number = column_number(letters) + (0 if fixed_col else cols)
        line = int(digits) + (0 if fixed_row else rows)
        if not (1 <= number <= MAX_COLUMN and 1 <= line <= MAX_ROW):
            return "#REF!"
        return f"{fixed_col}{column_letters(number)}{fixed_row}{line}"

    return _CELLS.sub(moved, formula)


def bare(formula: str) -> str:
    """What is left of a formula without layout: case, spaces, brackets, quotes of sheet names, unary plus and `@`."""
    pieces = _TEXTS.split(formula.strip().removeprefix("="))
    for index in range(0, len(pieces), 2):
        piece = re.sub(r"\s", "", pieces[index])
        if index == 0:
            piece = piece.removeprefix("+")
        pieces[index] = _LAYOUT.sub("", _UNARY_PLUS.sub("", piece)).upper()
    return "".join(pieces)
