"""The cases of public reports that must come out right, each through an input workbook and the plan built from it."""

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
    blank,
    built,
    gpu_model,
    guide_tenant,
    planner,
    planner_process,
    quiet,
    reader,
    sample,
)

from planner.lines import METHOD
from planner.verify.recalc import close

HEADLINES = [line.name for line in METHOD if line.headline]
SECONDS = 30 * 86400 * 12  # of a year of 30-day months


def plan_of(tmp_path: Path, edited: Edited, verify: bool = False) -> Reader:
    """The plan of an edited input; with `verify`, the independent engine agrees with it."""
    read = built(edited.save(tmp_path / "input.xlsx"))
    if verify:
        assert planner("verify", read.path).code == 0
    return read


def api_plan(tokens: float, model: dict[str, Any], **scalars: Any) -> Edited:
    """One API model, one tenant."""
    edited = Edited(blank()).plan(
        total_tokens=tokens, deployment_mode="api", usage_pattern="real_time", sla_tier="standard",
        start_month="2027-01", **scalars,
    )  # fmt: skip
    return edited.only("Models", model).only("Tenants", guide_tenant())


def gpu_plan(tokens: float, model: dict[str, Any], **scalars: Any) -> Edited:
    """One self-hosted model on a pool of its own, one tenant."""
    edited = Edited(blank()).plan(
        total_tokens=tokens, deployment_mode="on_prem", usage_pattern="real_time", sla_tier="best_effort",
        start_month="2027-01", **scalars,
    )  # fmt: skip
    edited.only("Models", model).only("Tenants", guide_tenant())
    return edited.only("Pools", {"pool": "main", "gpu": model["gpu"], "gpus_total": 4096})


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


# ---- 14, 16, 17: prices


def test_14_without_a_cached_price_cached_tokens_cost_the_full_price_and_a_note_says_so(tmp_path: Path) -> None:
    model = api_model(input_price_per_mtok=1.0, output_price_per_mtok=10.0)
    read = plan_of(tmp_path, api_plan(4e6, model, cached_input_share=0.9))
    assert read["annual_tco"] == pytest.approx(3 * 1.0 + 1 * 10.0)
    assert read.cell("Cost", "Cached input price", "Own model") == 1.0
    shown = [text for text in read.texts("Method", "Models", "Lists", "Ref prices", "About")]
    assert any("cached" in text.lower() and "full" in text.lower() for text in shown)


def test_14_with_a_cached_price_it_is_used_and_there_is_no_note(tmp_path: Path) -> None:
    model = api_model(input_price_per_mtok=1.0, cached_input_price_per_mtok=0.1, output_price_per_mtok=10.0)
    read = plan_of(tmp_path, api_plan(4e6, model, cached_input_share=0.9))
    assert read["annual_tco"] == pytest.approx(3 * (0.1 + 0.9 * 0.1) + 10.0)
    shown = [text for text in read.texts("Method", "Models", "Lists", "Ref prices", "About")]
    assert not any("cached" in text.lower() and "full" in text.lower() for text in shown)


LONG_PRICES = {"long_input_price_per_mtok": 6.0, "long_output_price_per_mtok": 22.5}
LONG = {"input_tokens_per_request": 300_000, "output_tokens_per_request": 2_000, "input_parts": 300, "output_parts": 2}


@pytest.mark.parametrize(
    ("model", "scalars", "per_request"),
    [
        ({"model": "Claude Sonnet 4.5", "deployment": "api", "token_share": 1.0}, LONG, 1.845),
        (
            {"model": "Claude Sonnet 4.5", "deployment": "api", "token_share": 1.0},
            {**LONG, "input_tokens_per_request": 200_000, "input_parts": 200}, 0.63,
        ),
        (api_model(long_context_share=1.0, **LONG_PRICES), LONG, 1.845),
        (api_model(long_context_share=0.5, **LONG_PRICES), LONG, (1.845 + 0.93) / 2),
        (api_model(), LONG, 0.93),
    ],
)  # fmt: skip
def test_16_a_long_request_is_priced_whole_at_the_higher_rate(
    model: dict[str, Any], scalars: dict[str, Any], per_request: float, tmp_path: Path
) -> None:
    each = scalars["input_tokens_per_request"] + scalars["output_tokens_per_request"]
    read = plan_of(tmp_path, api_plan(each * 1000, model, **scalars), verify="input_price_per_mtok" not in model)
    assert read["annual_tco"] / 1000 == pytest.approx(per_request, rel=1e-12)


@pytest.mark.parametrize(
    ("prices", "factor", "warned"),
    [
        ((1.5, 7.5), 0.8, False),
        ((3.0, 15.0), 1.0, True),
        ((3.5, 7.5), None, True),
        ((1.5, 16.0), None, True),
        ((None, None), 1.0, False),
    ],
)
def test_17_a_batch_share_at_half_price_and_a_warning_where_batch_is_no_cheaper(
    prices: tuple[float | None, float | None], factor: float | None, warned: bool, tmp_path: Path
) -> None:
    model = api_model(batch_input_price_per_mtok=prices[0], batch_output_price_per_mtok=prices[1])
    read = plan_of(tmp_path, api_plan(4e6, model, batch_share=0.4))
    if factor is not None:
        assert read["annual_tco"] == pytest.approx((3 * 3 + 15) * factor)
    note = read.cell("Assumptions", "Batch price", "Own model")
    assert ("◊" in note) == warned, note
    assert not warned or "batch" in note


# ---- 19, 20, 21: memory


@pytest.mark.parametrize("concurrency", [1, 64])
def test_19_llama_70b_needs_2_or_4_gpus_of_80_gb(concurrency: int, tmp_path: Path) -> None:
    model = {
        "model": "Llama 3 70B",
        "deployment": "on_prem",
        "token_share": 1.0,
        "precision": "fp16",
        "gpu": "A100-80GB-SXM",
    }
    edited = gpu_plan(1.8e9, model, concurrency_per_replica=concurrency, memory_usable_share=0.9, runtime_reserve_gb=0)
    read = plan_of(tmp_path, edited)
    each = read.cell("Models in use", "GPUs per replica", "Llama 3 70B")
    assert each in (2, 4)
    assert read["gpus_planned"] % each == 0
    assert read.cell("Models in use", "Weights alone need", "Llama 3 70B") == 2


@pytest.mark.parametrize("typed", [1, 3])
def test_19_a_figure_that_cannot_hold_the_weights_is_told(typed: int, tmp_path: Path) -> None:
    model = {
        "model": "Llama 3 70B",
        "deployment": "on_prem",
        "token_share": 1.0,
        "gpu": "A100-80GB-SXM",
        "gpus_per_replica": typed,
    }
    read = plan_of(tmp_path, gpu_plan(1.8e9, model))
    note = read.cell("Assumptions", "Fit", "Llama 3 70B")
    assert ("▲" in note and "2 GPUs" in note) if typed == 1 else "3 GPUs a replica hold" in note
    assert typed != 1 or read["risk_level"] in ("risk", "critical")


def test_20_qwen_7b_keeps_57344_bytes_a_token(tmp_path: Path) -> None:
    model = gpu_model(model="Qwen2.5 7B", precision="fp16", gpus_per_replica=None)
    read = plan_of(tmp_path, gpu_plan(1.8e9, model))
    assert read.cell("Models in use", "KV cache per token", "Qwen2.5 7B") == 57344 == 2 * 28 * 4 * 128 * 2
    assert read.cell("Models in use", "GPUs per replica", "Qwen2.5 7B") == 1


def test_21_a_mixture_takes_memory_from_all_parameters_and_speed_from_the_active_ones(tmp_path: Path) -> None:
    model = {
        "model": "Qwen3 235B-A22B",
        "deployment": "on_prem",
        "token_share": 1.0,
        "precision": "fp8",
        "gpu": "H100-80GB-SXM",
    }
    read = plan_of(tmp_path, gpu_plan(1.8e9, model))
    assert read.cell("Models in use", "Weights", "Qwen3 235B-A22B") == pytest.approx(235.1)
    assert read.cell("Models in use", "Weights alone need", "Qwen3 235B-A22B") == 3
    assert read.cell("Models in use", "GPUs per replica", "Qwen3 235B-A22B") in (4, 8)
    speed = read.cell("Models in use", "Speed", "Qwen3 235B-A22B")
    dense = 82.0 * 671 / 235.1  # what a dense model of its size would give, by the measured one of 671B
    assert speed == pytest.approx(337.2) and speed > dense


# ---- 23, 24: how many GPUs, what they cost


@pytest.mark.parametrize(("buffer_on_gpus", "gpus"), [("no", 5), ("yes", 7)])
def test_23_five_requests_of_2000_tokens_a_second(buffer_on_gpus: str, gpus: int, tmp_path: Path) -> None:
    edited = gpu_plan(
        5 * 2000 * SECONDS, gpu_model(), peak_factor=1, buffer_factor=1.3, ha_factor=1, buffer_on_gpus=buffer_on_gpus,
        input_tokens_per_request=1500, output_tokens_per_request=500,
    )  # fmt: skip
    read = plan_of(tmp_path, edited)
    assert read["peak_tokens_per_s"] == pytest.approx(10_000)
    assert read["gpus_for_peak"] == pytest.approx(5)
    assert read["gpus_planned"] == gpus


@pytest.mark.parametrize(
    ("gpu", "count", "price", "money"), [("A100-80GB-SXM", 2, 2.0, 2920.0), ("B200-180GB-SXM", 8, 5.5, 32120.0)]
)
def test_24_gpus_for_a_month(gpu: str, count: int, price: float, money: float, tmp_path: Path) -> None:
    edited = gpu_plan(1e6, gpu_model(gpu=gpu, gpus_per_replica=count, gpu_price_per_hour=price))
    read = plan_of(tmp_path, edited)
    assert read["gpus_planned"] == count
    assert read.by_month("Cost", "TCO") == [money] * 12
    assert (read["monthly_tco_mean"], read["annual_tco"]) == (money, 12 * money)


# ---- 25, 26: quotas


@pytest.mark.parametrize(("policy", "available"), [("roll_over", [100, 140, 110]), ("expire", [100, 100, 100])])
def test_25_what_is_available_after_60_and_130(policy: str, available: list[float], tmp_path: Path) -> None:
    weights = {"m1": 60, "m2": 130} | {f"m{i}": 101 for i in range(3, 13)}
    edited = api_plan(1200, api_model(), growth_curve="custom", unused_policy=policy, roll_over_cap_share=0.5)
    read = plan_of(tmp_path, edited.row("Curves", 7, **weights), verify=policy == "roll_over")
    assert read.by_month("Quotas", "Expected use", "Everybody")[:3] == pytest.approx([60, 130, 101])
    assert read.by_month("Quotas", "Available", "Everybody")[:3] == pytest.approx(available)
    assert read["checks_failed"] == 0


@pytest.mark.parametrize("days_basis", ["30-day", "calendar"])
def test_26_monthly_quotas_make_the_year_whatever_the_months_lengths(days_basis: str, tmp_path: Path) -> None:
    edited = api_plan(18e9, api_model(), days_basis=days_basis).only(
        "Tenants",
        {"tenant": "All year", "quota_share": 0.5},
        {"tenant": "From July", "quota_share": 0.25, "start_date": "2027-07-01"},
        {"tenant": "From mid-April", "quota_share": 0.25, "start_date": "2027-04-16"},
    )
    read = plan_of(tmp_path, edited, verify=True)
    months = {name: read.by_month("Quotas", "Quota", name) for name in ("All year", "From July", "From mid-April")}
    assert months["All year"] == pytest.approx([750e6] * 12) and sum(months["All year"]) == pytest.approx(9e9)
    assert months["From July"] == pytest.approx([0] * 6 + [375e6] * 6)
    assert months["From mid-April"] == pytest.approx([0] * 3 + [375e6 * 15 / 30] + [375e6] * 8)
    assert (read["quota_total"], read["checks_failed"]) == (18e9, 0)


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_26_the_quotas_of_a_sample_make_its_year(name: str) -> None:
    read = reader(sample(name).plan)
    late = 2.7e9 - 2.34e9 if name == "hybrid" else 0  # Research starts in mid-April
    assert sum(read.by_month("Quotas", "Quotas")) == pytest.approx(read["annual_tokens"] - late)
