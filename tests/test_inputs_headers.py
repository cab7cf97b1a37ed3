"""Headers and tabs however they are spelled."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from asking import SCALARS, refused, typed
from workbooks import (
    HEADER_ROW,
    Edited,
    column_of,
    planner,
    sample,
)

from planner.inputs.tables import TABLES

# ---- headers and tabs


def _spelled_otherwise(change: Callable[[str], str]) -> Callable[[Edited], Edited]:
    def spell(edited: Edited) -> Edited:
        for t in TABLES:
            for cell in edited.book[t.tab][HEADER_ROW]:
                if isinstance(cell.value, str) and cell.value != "#":
                    cell.value = change(cell.value)
        for row in edited.book["Plan"].iter_rows(min_row=HEADER_ROW):
            for cell in row:
                if isinstance(cell.value, str) and cell.column != 3:
                    cell.value = change(cell.value)
        return edited

    return spell


def _as_keys(edited: Edited) -> Edited:
    for t in TABLES:
        for key in t.specs:
            edited.set(f"{t.tab}!{column_of(t.tab, key)}{HEADER_ROW}", key)
    return edited


def _in_chinese(edited: Edited) -> Edited:
    from planner.labels import words

    said = words("zh")
    for t in TABLES:
        for key, spec in t.specs.items():
            edited.set(f"{t.tab}!{column_of(t.tab, key)}{HEADER_ROW}", said.get(spec.label, spec.label))
    for row in edited.book["Plan"].iter_rows(min_row=HEADER_ROW, max_col=2):
        for cell in row:
            if isinstance(cell.value, str):
                cell.value = said.get(cell.value, cell.value)
    return edited


def _without_names(edited: Edited) -> Edited:
    for name in list(edited.book.defined_names):
        del edited.book.defined_names[name]
    return edited


def _columns_moved(edited: Edited) -> Edited:
    """The last two columns of Tenants in the place of each other."""
    sheet = edited.book["Tenants"]
    for row in range(HEADER_ROW, sheet.max_row + 1):
        a, b = sheet[f"I{row}"], sheet[f"J{row}"]
        a.value, b.value, a.number_format, b.number_format = b.value, a.value, b.number_format, a.number_format
    return edited


def _tabs_renamed(change: Callable[[str], str]) -> Callable[[Edited], Edited]:
    """As Excel renames: the names follow."""

    def rename(edited: Edited) -> Edited:
        for sheet in list(edited.book.worksheets):
            if sheet.title in ("Plan", *(t.tab for t in TABLES)):
                old, new = sheet.title, change(sheet.title)
                sheet.title = f"tab {id(sheet)}"  # the library forbids a change of case alone
                sheet.title = new
                for name in edited.book.defined_names.values():
                    tab, _, cells = name.attr_text.rpartition("!")
                    if tab.strip("'") == old:
                        name.attr_text = f"'{new}'!{cells}"
        return edited

    return rename


SPELLINGS: dict[str, Callable[[Edited], Edited]] = {
    "snake_case keys": _as_keys,
    "capitals": _spelled_otherwise(str.upper),
    "other spaces": _spelled_otherwise(lambda text: f"  {text.replace(' ', chr(0xA0) * 2)}\n"),
    "no spaces": _spelled_otherwise(lambda text: text.replace(" ", "").lower()),
    "full width": _spelled_otherwise(
        lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    ),
    "no defined names": _without_names,
    "no defined names, keys": lambda e: _without_names(_as_keys(e)),
    "columns moved": _columns_moved,
    "tabs in capitals": _tabs_renamed(str.upper),
    "tabs in snake_case": _tabs_renamed(lambda tab: tab.lower().replace(" ", "_")),
    "tabs with spaces around": _tabs_renamed(lambda tab: f" {tab} "),
    "Chinese": _in_chinese,
}


@pytest.mark.parametrize("how", SPELLINGS)
def test_headers_and_tabs_are_read_however_they_are_spelled(how: str, tmp_path: Path) -> None:
    plain = Edited(sample("hybrid").input).row("SLA tiers", 1, ttft_ms=450).row("Curves", 7, m12=3)
    before = plain.save(tmp_path / "before.xlsx")
    source = SPELLINGS[how](Edited(before)).save(tmp_path / "input.xlsx")
    assert planner("check", source).code == 0
    there, here = typed(source), typed(before)
    assert here["SLA tiers"][0].ttft_ms == 450  # no default
    assert {k: v for k, v in there.items() if k in SCALARS} == {k: v for k, v in here.items() if k in SCALARS}
    for t in TABLES:
        assert [r for r in there[t.tab] if r is not None] == [r for r in here[t.tab] if r is not None], t.tab


@pytest.mark.parametrize(
    ("place", "typed_", "nearest"),
    [
        ("Models!E4", "Token shares", "Token share"), ("Models!I4", "Tokens per second", "Tokens/s per GPU"),
        ("Tenants!F4", "Quota", "Quota share"), ("Pools!G4", "Healthy GPU", "GPUs healthy"),
        ("Models!AA4", "Ownr", None),
    ],
)  # fmt: skip
def test_an_unknown_header_is_named_with_the_nearest(
    place: str, typed_: str, nearest: str | None, tmp_path: Path
) -> None:
    found = refused(Edited(sample("hybrid").input).set(place, typed_).save(tmp_path / "input.xlsx"))
    [line] = [line for line in found if line.startswith(f"{place}: ")]
    assert repr(typed_) in line
    assert nearest is None or repr(nearest) in line


def test_a_header_twice_is_told_as_such(tmp_path: Path) -> None:
    source = (
        Edited(sample("api").input).set("Models!AA4", "Token share").set("Models!AA6", 0.2).save(tmp_path / "i.xlsx")
    )
    [line] = refused(source)
    assert line.startswith("Models!AA4: found ") and "second time" in line
    assert "rename it to 'Token share'" not in line


def test_without_a_header_row_the_tab_is_refused(tmp_path: Path) -> None:
    edited = Edited(sample("api").input)
    edited.book["Models"].delete_rows(HEADER_ROW)
    found = refused(edited.save(tmp_path / "input.xlsx"))
    assert "'Model'" in found[0] and "planner init" in found[0]


def test_without_a_plan_tab_it_is_no_input(tmp_path: Path) -> None:
    edited = Edited(sample("api").input)
    edited.book.remove(edited.book["Plan"])
    outcome = planner("check", edited.save(tmp_path / "input.xlsx"))
    assert outcome.code == 2 and "Plan" in outcome.err and "planner init" in outcome.err


def test_tabs_that_are_left_out_hold_their_defaults(tmp_path: Path) -> None:
    edited = Edited(sample("api").input)
    for tab in ("Pools", "Curves", "Phases", "SLA tiers", "Levers", "Thresholds", "Read me", "Lists"):
        edited.book.remove(edited.book[tab])
    source = edited.save(tmp_path / "input.xlsx")
    there = json.loads(sample("api").json.read_text())["headlines"]
    document = tmp_path / "plan.json"
    assert planner("build", source, "-o", tmp_path / "plan.xlsx", "--json", document).code == 0
    assert json.loads(document.read_text())["headlines"] == there
