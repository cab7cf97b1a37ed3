"""Workbooks as people and scripts treat them: inputs edited, plans read by any reader, files spoiled in the zip."""

from __future__ import annotations

import atexit
import datetime as dt
import os
import re
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.utils import column_index_from_string, get_column_letter
from openpyxl.utils.cell import coordinate_from_string
from typer.testing import CliRunner

from planner.cli import app
from planner.inputs.tables import TABLES

SAMPLE_NAMES = ("api", "on-prem", "hybrid")
HEADER_ROW, FIRST_ROW = 4, 6  # of every input table, as `init` writes it
FORM = re.compile(r"(?:'[^']+'|[^\s!:']+)![A-Z]{1,3}[1-9]\d*: found .+; wanted .+; do .+")
COUNT_LINE = re.compile(r"\d+ problem\(s\); nothing was written\.")

# ---- the command


@dataclass(frozen=True)
class Outcome:
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def problems(self) -> list[str]:
        """The findings on stderr, without the line that counts them."""
        return [line for line in self.err.splitlines() if line.strip() and not COUNT_LINE.fullmatch(line)]


def planner(*args: object, env: dict[str, str] | None = None) -> Outcome:
    """Run a command in this process. Anything that a user would see as a traceback is an AssertionError."""
    result = CliRunner().invoke(app, [str(a) for a in args], env=env)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise AssertionError(f"planner {' '.join(map(str, args))}: {result.exception!r}") from result.exception
    return Outcome(result.exit_code, result.stdout, result.stderr)


def planner_process(*args: object, timeout: float = 60, **env: str) -> Outcome:
    """Run `python -m planner` as a user does, with variables of the environment on top."""
    done = subprocess.run(
        [sys.executable, "-m", "planner", *map(str, args)],
        capture_output=True, timeout=timeout, env={**os.environ, **env}, check=False,
    )  # fmt: skip
    out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in err, err
    return Outcome(done.returncode, out, err)


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes: what a command may not have touched."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


# ---- the samples, built once in a session

_FOLDER = tempfile.TemporaryDirectory(prefix="planner-tests-")
atexit.register(_FOLDER.cleanup)


class Sample:
    """A sample's input, and the plan and the JSON built from it when they are first asked for. Not to be changed."""

    def __init__(self, name: str) -> None:
        folder = Path(_FOLDER.name, name)
        folder.mkdir()
        self.input, self._plan, self._json = folder / "input.xlsx", folder / "plan.xlsx", folder / "plan.json"
        self.written = planner("init", self.input, "--sample", name)

    @cached_property
    def made(self) -> Outcome:
        """What `build` said."""
        return planner("build", self.input, "-o", self._plan, "--json", self._json)

    @property
    def plan(self) -> Path:
        """The built plan."""
        assert self.made.code == 0
        return self._plan

    @property
    def json(self) -> Path:
        """The plan as JSON."""
        assert self.made.code == 0
        return self._json


@cache
def sample(name: str) -> Sample:
    """A sample, written and built as a user would."""
    return Sample(name)


@cache
def blank() -> Path:
    """A blank input workbook."""
    path = Path(_FOLDER.name, "blank.xlsx")
    assert planner("init", path).code == 0
    return path


# ---- inputs, edited


@dataclass(frozen=True)
class Formula:
    """A formula typed into a cell; openpyxl stores no value with it."""

    text: str


@dataclass(frozen=True)
class Shown:
    """A value in a cell of this number format."""

    value: Any
    number_format: str


@contextmanager
def quiet() -> Iterator[None]:
    """openpyxl does not know the data bars of Excel 2010 and says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class Edited:
    """An input workbook (or a plan) opened with openpyxl: set what a script would set, then save a copy."""

    def __init__(self, source: Path) -> None:
        with quiet():
            self.book = openpyxl.load_workbook(source)

    def set(self, place: str, value: Any) -> Edited:
        """`Plan!C5` or `SLA tiers!C6`. Text stays text whatever it begins with; None empties the cell."""
        tab, _, where = place.rpartition("!")
        cell = self.book[tab][where]
        if isinstance(value, Shown):
            cell.number_format = value.number_format
            value = value.value
        if isinstance(value, Formula):
            cell.value = value.text
        else:
            cell.value = value
            if isinstance(value, str):
                cell.data_type = "s"
        return self

    def plan(self, **values: Any) -> Edited:
        """Scalars by key."""
        for key, value in values.items():
            self.set(self.where(key), value)
        return self

    def row(self, tab: str, number: int, **values: Any) -> Edited:
        """Cells of a table's row, the first being 1, by key."""
        for key, value in values.items():
            self.set(f"{tab}!{column_of(tab, key)}{FIRST_ROW + number - 1}", value)
        return self

    def only(self, tab: str, *rows: dict[str, Any]) -> Edited:
        """A table with these rows and no others."""
        self.empty(tab)
        for number, values in enumerate(rows, 1):
            self.row(tab, number, **values)
        return self

    def empty(self, tab: str) -> Edited:
        """No rows in a table."""
        sheet = self.book[tab]
        for row in range(FIRST_ROW, sheet.max_row + 1):
            for key in table_of(tab).specs:
                self.set(f"{tab}!{column_of(tab, key)}{row}", None)
        return self

    def where(self, key: str) -> str:
        """The cell of a scalar, by its defined name; `Tab!A1` as it is."""
        return key if "!" in key else str(self.book.defined_names[key].attr_text).replace("$", "").replace("'", "")

    def save(self, path: Path) -> Path:
        """Save as a file of its own."""
        self.book.save(path)
        return path


def table_of(tab: str) -> Any:
    """The table of a tab."""
    return next(t for t in TABLES if t.tab == tab)


def column_of(tab: str, key: str) -> str:
    """The letter of a table's column."""
    return get_column_letter(3 + list(table_of(tab).specs).index(key))


def guide_tenant(**fields: Any) -> dict[str, Any]:
    """One tenant who owns the whole quota."""
    return {"tenant": "Everybody", "quota_share": 1.0} | fields


def api_model(**fields: Any) -> dict[str, Any]:
    """One API model that serves everything at 3 and 15 per million tokens."""
    return {
        "model": "Own model", "deployment": "api", "token_share": 1.0,
        "input_price_per_mtok": 3.0, "output_price_per_mtok": 15.0,
    } | fields  # fmt: skip


def gpu_model(**fields: Any) -> dict[str, Any]:
    """One self-hosted model on A100 that nobody else has figures for."""
    return {
        "model": "Own model", "deployment": "on_prem", "token_share": 1.0, "gpu": "A100-80GB-SXM",
        "tokens_per_s_per_gpu": 2000.0, "throughput_basis": "total", "gpus_per_replica": 1,
        "gpu_price_per_hour": 2.0,
    } | fields  # fmt: skip


# ---- plans, read


class Reader:
    """A built plan as a program that does not calculate sees it: stored values, found by name and by label."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with quiet():
            self._book = openpyxl.load_workbook(BytesIO(path.read_bytes()), read_only=True, data_only=True)
        self.tabs: list[str] = self._book.sheetnames
        self._rows: dict[str, list[list[Any]]] = {}

    @cached_property
    def cells(self) -> Any:
        """All of the file: formulas in place of values, looks, rules, headers and footers."""
        with quiet():
            return openpyxl.load_workbook(self.path)

    @property
    def names(self) -> dict[str, str]:
        """Defined names and what they refer to."""
        return {name: str(to.attr_text) for name, to in self._book.defined_names.items()}

    def __getitem__(self, name: str) -> Any:
        """The value of a single cell that has a name."""
        tab, cell = self._place(name)
        letters, row = coordinate_from_string(cell)
        return self.rows(tab)[row - 1][column_index_from_string(letters) - 1]

    def formula(self, name: str) -> Any:
        """What stands in the cell of a name: a formula or a constant."""
        return self.at(name).value

    def at(self, name: str) -> Any:
        """The cell of a name, with its formula and its looks."""
        tab, cell = self._place(name)
        return self.cells[tab][cell]

    def _place(self, name: str) -> tuple[str, str]:
        tab, _, cell = self.names[name].rpartition("!")
        return tab.strip("'").replace("''", "'"), cell.replace("$", "")

    def rows(self, tab: str) -> list[list[Any]]:
        """The values of a tab."""
        if tab not in self._rows:
            with quiet():
                self._rows[tab] = [list(row) for row in self._book[tab].iter_rows(values_only=True)]
        return self._rows[tab]

    def table(self, tab: str, *headers: str) -> list[tuple[Any, ...]]:
        """The cells under some headers, row by row, below the row in which they all stand."""
        rows = self.rows(tab)
        at = next(i for i, row in enumerate(rows) if set(headers) <= set(row))
        columns = [rows[at].index(header) for header in headers]
        return [tuple(row[c] for c in columns) for row in rows[at + 1 :]]

    def months(self, tab: str) -> list[int]:
        """The columns that hold months: those with a date in the tab's header."""
        for row in self.rows(tab)[:8]:
            found = [i for i, value in enumerate(row) if isinstance(value, dt.datetime)]
            if len(found) > 1:
                return found
        raise AssertionError(f"{tab} has no row of months")

    def line(self, tab: str, label: str, entry: str | None = None) -> list[Any]:
        """The row of a label that holds figures; with `entry`, the entry's row below the label, as in statements."""
        rows = self.rows(tab)
        for start, row in enumerate(rows):
            if label in row[:4] and (entry is not None or any(isinstance(v, int | float) for v in row)):
                return row if entry is None else next(r for r in rows[start + 1 :] if entry in r[:4])
        raise AssertionError(f"{tab} has no row {label!r}")

    def by_month(self, tab: str, label: str, entry: str | None = None) -> list[Any]:
        """The months of a row."""
        row = self.line(tab, label, entry)
        return [row[i] for i in self.months(tab)]

    def cell(self, tab: str, header: str, entry: str) -> Any:
        """The value under a header (its unit may follow) in the row of an entry."""
        rows = self.rows(tab)
        for at, row in enumerate(rows):
            if sum(value is not None for value in row) < 3:
                continue  # a title
            for column, value in enumerate(row):
                if isinstance(value, str) and (value == header or value.startswith(f"{header}, ")):
                    for below in rows[at + 1 :]:
                        if entry in below[:4]:
                            return below[column]
        raise AssertionError(f"{tab} has no {header!r} for {entry!r}")

    def texts(self, *without: str) -> list[str]:
        """Every text that is shown, some tabs left out."""
        shown = [value for tab in self.tabs if tab not in without for row in self.rows(tab) for value in row]
        return [value for value in shown if isinstance(value, str)]


@cache
def reader(path: Path) -> Reader:
    """A plan that stays as it is, read once."""
    return Reader(path)


def built(source: Path, *options: object) -> Reader:
    """The plan of an input workbook, built beside it, read back."""
    target = source.with_name(source.stem + "-plan.xlsx")
    outcome = planner("build", source, "-o", target, *options)
    assert outcome.code == 0, outcome.err
    return Reader(target)


# ---- plans, spoiled in the zip


def rewrite(source: Path, target: Path, part: str, change: Callable[[bytes], bytes]) -> Path:
    """A copy with one part changed; every other byte of content as it was."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename == part:
                changed = change(data)
                assert changed != data, f"nothing changed in {part}"
                data = changed
            new.writestr(info, data)
    return target


def part_of(path: Path, tab: str) -> str:
    """The part that holds a tab."""
    with zipfile.ZipFile(path) as book:
        listed = book.read("xl/workbook.xml").decode()
        related = book.read("xl/_rels/workbook.xml.rels").decode()
    escaped = tab.replace("&", "&amp;")
    found = re.search(rf'<sheet name="{re.escape(escaped)}"[^>]*r:id="(\w+)"', listed)
    assert found, f"no tab {tab!r}"
    target = re.search(rf'Id="{found[1]}"[^>]*Target="([^"]+)"', related)
    assert target
    return "xl/" + target[1]


def spoil_value(source: Path, target: Path, place: str, value: str) -> Path:
    """A copy whose formula cell at `Tab!A1` stores another value; the formula stays."""
    return _spoil(source, target, place, r"(<f>[^<]*</f><v>)[^<]*", lambda m: m[1] + value)


def spoil_formula(source: Path, target: Path, place: str, formula: str) -> Path:
    """A copy with another formula at `Tab!A1`; the stored value stays."""
    return _spoil(source, target, place, r"(<f>)[^<]*", lambda m: m[1] + formula)


def type_over(source: Path, target: Path, place: str, number: float) -> Path:
    """A copy in which a number stands where the formula at `Tab!A1` stood."""
    return _spoil(source, target, place, r"<f>[^<]*</f>(<v>)[^<]*", lambda m: m[1] + repr(number))


def set_number(source: Path, target: Path, place: str, number: float) -> Path:
    """A copy with another number in an input cell: what Excel does when somebody types, without a recalculation."""
    return _spoil(source, target, place, r"(<v>)[^<]*", lambda m: m[1] + repr(number))


def _spoil(source: Path, target: Path, place: str, what: str, by: Callable[[re.Match[str]], str]) -> Path:
    tab, _, cell = place.replace("$", "").rpartition("!")
    tab = tab.strip("'")

    def change(data: bytes) -> bytes:
        return re.sub(rf'(?<=<c r="{cell}")[^>]*>{what}', lambda m: _kept(m, what, by), data.decode(), count=1).encode()

    return rewrite(source, target, part_of(source, tab), change)


def _kept(match: re.Match[str], what: str, by: Callable[[re.Match[str]], str]) -> str:
    return re.sub(what, by, match[0], count=1)
