"""Inputs that must come right: files, names, values."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from caseplans import HEADLINES, api_plan, plan_of
from openpyxl.utils import column_index_from_string
from openpyxl.utils.cell import coordinate_from_string
from workbooks import (
    FIRST_ROW,
    SAMPLE_NAMES,
    Edited,
    Formula,
    Reader,
    Shown,
    api_model,
    planner,
    planner_process,
    quiet,
    reader,
    sample,
)

from planner.verify.recalc import close

# ---- 1, 2: every viewer sees the numbers, and they are the true ones


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_1_a_reader_that_does_not_calculate_sees_every_headline(name: str) -> None:
    read = reader(sample(name).plan)
    document = json.loads(sample(name).json.read_text())
    assert list(document["headlines"]) == HEADLINES
    for headline, value in document["headlines"].items():
        stored = read[headline]
        assert str(read.formula(headline)).startswith("=")
        if isinstance(value, str):
            assert stored == value and stored
        else:
            assert stored is not None and close(float(stored), value, 1e-12), headline
            assert stored != 0 or value == 0
    assert document["headlines"]["annual_tokens"] > 0 and document["headlines"]["annual_tco"] > 0


def test_1_pandas_sees_them_too() -> None:
    name = "hybrid"
    with quiet():
        frames = pd.read_excel(sample(name).plan, sheet_name=None, header=None)
    places = reader(sample(name).plan).names
    for headline, value in json.loads(sample(name).json.read_text())["headlines"].items():
        tab, _, cell = places[headline].replace("$", "").rpartition("!")
        column, row = coordinate_from_string(cell)
        seen = frames[tab.strip("'")].iat[row - 1, column_index_from_string(column) - 1]
        assert seen == value or close(float(seen), float(value), 1e-12), headline


@pytest.mark.office
def test_1_a_previewer_sees_them_too(tmp_path: Path) -> None:
    """LibreOffice as it opens files by default: it shows what is stored."""
    if shutil.which("soffice") is None:
        pytest.skip("no LibreOffice")
    subprocess.run(
        ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--norestore", "--convert-to",
         'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,2', "--outdir", tmp_path,
         sample("hybrid").plan],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    [path] = tmp_path.glob("*.csv")
    with path.open(encoding="utf-8", newline="") as handle:
        said = [cell for row in csv.reader(handle) for cell in row]
    summary = [str(v) for row in reader(sample("hybrid").plan).rows("Summary") for v in row if isinstance(v, str) and v]
    assert len(summary) > 50 and all(words in said for words in summary)
    assert not [cell for cell in said if cell.startswith("#") or "Err:" in cell]


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_2_no_formula_is_without_a_value_and_none_is_an_error(name: str) -> None:
    with zipfile.ZipFile(sample(name).plan) as book:
        sheets = [book.read(n).decode() for n in book.namelist() if n.startswith("xl/worksheets/sheet")]
    formulas = [
        m for sheet in sheets for m in re.findall(r'<c r="(\w+)"([^>]*)><f>[^<]+</f>(<v>([^<]*)</v>)?</c>', sheet)
    ]
    assert len(formulas) == sum(sheet.count("<f>") for sheet in sheets) > 5000
    texts = [stored for _, kind, value, stored in formulas if 't="str"' in kind and value]
    numbers = [stored for _, kind, value, stored in formulas if 't="str"' not in kind]
    assert all(re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", number) for number in numbers)
    assert not [text for text in texts if text.startswith("#") or text in ("nan", "inf", "None")]
    assert all('t="e"' not in kind for _, kind, _, _ in formulas)


# ---- 3: many long names


def test_3_sixty_models_with_long_names(tmp_path: Path) -> None:
    def name(i: int) -> str:
        return (
            (f"推理模型第{i:02d}号-" + "很长的名字" * 8)[:40]
            if i % 2
            else f"Model {i:02d} of the platform team, long name".ljust(40, "x")
        )

    models = [api_model(model=name(i), token_share=f"{100 / 60:.10f}%") for i in range(60)]
    assert {len(m["model"]) for m in models} == {40}
    edited = api_plan(6e9, models[0]).only("Models", *models)
    read = plan_of(tmp_path, edited, verify=True)
    assert [row[2] for row in read.rows("Models")[FIRST_ROW - 1 :]][:60] == [name(i) for i in range(60)]
    assert read["checks_failed"] == 0
    assert read["annual_tco"] == pytest.approx(6e9 * (0.75 * 3 + 0.25 * 15) / 1e6)
    assert read.cell("Models in use", "Token share", name(59)) == pytest.approx(1 / 60)
    rules = [(sheet.title, rule) for sheet in read.cells for rule in sheet.data_validations.dataValidation]
    assert len(rules) > 50
    for tab, rule in rules:
        inline = str(rule.formula1 or "")
        assert len(inline.strip('"')) <= 255, (tab, inline)
    by_cell = {str(area): rule for tab, rule in rules if tab == "Models" for area in rule.sqref.ranges}
    drop_down = next(rule for area, rule in by_cell.items() if area.startswith("C"))
    assert drop_down.type == "list" and re.fullmatch(r"'?Lists'?!\$B\$\d+:\$B\$\d+", drop_down.formula1)


# ---- 4, 5, 8: names that could do harm

NASTY = [
    "R&D / 推理平台 [prod]: team's very long name 2027", "r&d / 推理平台 [PROD]: team's very long name 2027",
    "=cmd|' /C calc'!A0", "@gpt", "-5%", "+1", "=1+1", "<script>alert(1)</script>", "00123", "1E5", "{currency}",
    "[red]x[/red]", '"; DROP', "a\tb", "line one\nline two", "x" * 200, "Σ 🚀 e\u0301", "*", "?", "~",
    "<>", "TRUE", "#N/A!",
]  # fmt: skip


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    folder = tmp_path_factory.mktemp("nasty")
    names = [n for n in NASTY if not n.startswith("#")]
    rows = [
        {
            "tenant": n,
            "quota_share": 1 / len(names),
            "owner": n,
            "cost_centre": n,
            "fallback": "reject",
            "burst_multiple": 1.1,
        }
        for n in names
    ]
    edited = Edited(sample("hybrid").input).only("Tenants", *rows)
    edited.plan(plan_name="=cmd|' /C calc'!A0").row("Pools", 1, cluster="+1", region="@x").row(
        "Phases", 1, phase="=1+1"
    )
    edited.row("SLA tiers", 4, sla_tier="=1+1", availability=0.5).row("Curves", 8, curve="@sum", m1=1)
    edited.row("Levers", 7, lever="-5%", on="no").row("Models", 1, model="=Llama", source="+44 20", weights_gb=141)
    yield plan_of(folder, edited, verify=True)


@pytest.mark.parametrize("name", [n for n in NASTY if not n.startswith("#")], ids=repr)
def test_4_5_8_a_name_is_shown_unchanged_as_text(name: str, nasty: Reader) -> None:
    shown = [row for row in nasty.rows("Tenants")[FIRST_ROW - 1 :] if row[2] == name]
    assert len(shown) == 1
    assert shown[0][3] == shown[0][8] == name
    for sheet in ("Tenants", "Plan", "Pools"):
        assert all(c.data_type != "f" for row in nasty.cells[sheet].iter_rows(min_row=FIRST_ROW, min_col=3, max_col=10)
                   for c in row if isinstance(c.value, str) and c.value == name)  # fmt: skip
    assert nasty.cell("Quotas", "Quota share", name) == pytest.approx(1 / (len(NASTY) - 1))


def test_5_no_text_became_a_formula_anywhere(nasty: Reader) -> None:
    """What begins with = + - @ has the quote prefix, so that editing the cell in Excel does not make it one either."""
    found = 0
    for tab in ("Plan", "Models", "Tenants", "Pools", "Curves", "Phases", "SLA tiers", "Levers"):
        for row in nasty.cells[tab].iter_rows(min_row=FIRST_ROW, min_col=3):
            for cell in row:
                if isinstance(cell.value, str) and cell.value[:1] in tuple("=+-@") and not cell.protection.locked:
                    assert cell.data_type == "s", (tab, cell.coordinate, cell.value)
                    assert cell.quotePrefix, (tab, cell.coordinate, cell.value)
                    found += 1
    assert found >= 20
    assert nasty["plan_name"] == "=cmd|' /C calc'!A0"


def test_4_links_and_tabs_are_valid(nasty: Reader) -> None:
    tabs = nasty.cells.sheetnames
    assert len({tab.lower() for tab in tabs}) == len(tabs) and all(len(tab) <= 31 for tab in tabs)
    links = 0
    for sheet in nasty.cells:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.hyperlink is not None and cell.hyperlink.location:
                    tab = cell.hyperlink.location.rpartition("!")[0].strip("'").replace("''", "'")
                    assert tab in tabs, cell.hyperlink.location
                    links += 1
    assert links > len(tabs)


def test_5_a_plan_of_such_names_is_an_input_again(nasty: Reader, tmp_path: Path) -> None:
    assert planner("build", nasty.path, "-o", tmp_path / "again.xlsx").code == 0
    assert (tmp_path / "again.xlsx").read_bytes() == nasty.path.read_bytes()


# ---- 6, 7: where it runs, what a script lost


def test_6_another_locale_gives_byte_identical_formulas(tmp_path: Path) -> None:
    """French here, German in test_cli; the variables are set whether or not the locale is installed."""

    def formulas(path: Path) -> list[list[str]]:
        with zipfile.ZipFile(path) as book:
            return [re.findall(r"<f>[^<]*</f>", book.read(n).decode()) for n in sorted(book.namelist())]

    target = tmp_path / "plan.xlsx"
    names = dict.fromkeys(("LC_ALL", "LC_NUMERIC", "LANG"), "fr_FR.UTF-8")
    assert planner_process("build", sample("api").input, "-o", target, **names).code == 0
    assert formulas(target) == formulas(sample("api").plan)
    assert sum(map(len, formulas(target))) > 5000


def test_7_a_formula_whose_value_a_script_dropped_is_refused_by_cell(tmp_path: Path) -> None:
    source = Edited(sample("api").input).plan(total_tokens=Formula("=1500000000*12")).save(tmp_path / "input.xlsx")
    outcome = planner("build", source, "-o", tmp_path / "plan.xlsx")
    assert outcome.code == 2
    assert outcome.problems == [
        f"{Edited(source).where('total_tokens')}: found the formula =1500000000*12 without a stored value; "
        "wanted a value; do open the workbook in Excel or LibreOffice, let it calculate, save it, or type the value"
    ]


# ---- 9, 10, 11: what people type, through to the number that is planned


# Every way of typing is in test_inputs; here some go through to the number that is planned.
@pytest.mark.parametrize("shares", [["25", "75"], ["25,0 %", "７５％"]])
def test_9_shares(shares: list[str], tmp_path: Path) -> None:
    rows = [{"tenant": f"T{i}", "quota_share": share} for i, share in enumerate(shares)]
    read = plan_of(tmp_path, api_plan(4e6, api_model()).only("Tenants", *rows))
    assert [read.cell("Quotas", "Quota, first year", f"T{i}") for i in (0, 1)] == [1e6, 3e6]


@pytest.mark.parametrize(
    "shares",
    [["25%", Shown(75, "General"), Shown(0.5, "General")], [Shown(25, "0"), Shown(0.75, "0.00")], ["0.25", "75"]],
)
def test_9_a_mixed_column_is_refused_by_cell(shares: list[Any], tmp_path: Path) -> None:
    rows = [{"tenant": f"T{i}", "quota_share": share} for i, share in enumerate(shares)]
    outcome = planner("check", api_plan(4e6, api_model()).only("Tenants", *rows).save(tmp_path / "input.xlsx"))
    assert outcome.code == 2
    bare = [i for i, share in enumerate(shares) if share != "25%"]
    assert [line.partition(":")[0] for line in outcome.problems][: len(bare)] == [
        f"Tenants!F{FIRST_ROW + i}" for i in bare
    ]


@pytest.mark.parametrize("volume", ["1\u00a0800\u00a0000\u00a0000", "18亿"])
def test_10_volumes(volume: str, tmp_path: Path) -> None:
    read = plan_of(tmp_path, api_plan(1, api_model()).plan(total_tokens=volume))
    assert read["annual_tokens"] == read["quota_total"] == read.line("Summary", "Annual token target")[4] == 1.8e9


def test_10_a_volume_without_its_size_is_refused(tmp_path: Path) -> None:
    for volume in ("1.8", 1.8):
        outcome = planner("check", api_plan(1, api_model()).plan(total_tokens=volume).save(tmp_path / "input.xlsx"))
        assert outcome.code == 2 and outcome.problems[0].startswith("Plan!C") and "1.8B" in outcome.problems[0]


def test_11_a_share_a_hundred_times_too_large_is_flagged_not_used(tmp_path: Path) -> None:
    edited = api_plan(4e6, api_model()).plan(cached_input_share=Shown(81.67, "0.0%"))
    outcome = planner("build", edited.save(tmp_path / "input.xlsx"), "-o", tmp_path / "plan.xlsx")
    assert outcome.code == 2 and not (tmp_path / "plan.xlsx").exists()
    place = edited.where("cached_input_share")
    assert outcome.problems[0].startswith(f"{place}: found 81.67 in a cell shown as per cent (8167 %)")
