"""Values as people type them, sources, spare rows, and a plan as an input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asking import refused, typed, values
from workbooks import (
    FIRST_ROW,
    SAMPLE_NAMES,
    Edited,
    Shown,
    api_model,
    blank,
    built,
    guide_tenant,
    planner,
    reader,
    sample,
    set_number,
    table_of,
)

from planner.inputs.typed import choice
from planner.labels import choice_spellings, squeezed
from planner.resources import table

# ---- values as people type them

SCALAR_LISTS = {"deployment": "deployment_mode", "yes_no": "buffer_on_gpus"}  # where list and input differ in name
ROW_LISTS = {
    "precision": "Models", "throughput_basis": "Models", "priority": "Tenants", "fallback": "Tenants", "mode": "Pools",
    "kind": "Curves", "clock": "Curves", "same_as": "Levers", "instrument_kind": "Supply", "unit_kind": "Supply",
    "path": "Supply", "modality": "Ledger", "approval": "Ledger", "adoption_shape": "Ledger", "action": "Tiers",
    "acts_on": "Ranges", "effect": "Ranges", "ledger_field": "Ranges",
}  # fmt: skip
CHOICES: dict[str, list[dict[str, str]]] = {}
for option in table("choices.csv"):
    CHOICES.setdefault(option["list"], []).append(option)


@pytest.mark.parametrize("row", table("choice_words.csv"), ids=lambda row: f"{row['list']} {row['key']}")
def test_other_words_for_a_choice_are_no_other_choice(row: dict[str, str]) -> None:
    """`Self-hosted` and 本地部署 are on_prem; a word that means two choices of one list would be read as either."""
    rows = [r for r in CHOICES[row["list"]] if r["key"] != row["key"]]
    taken = {squeezed(x) for r in rows for x in (r["key"], r["en"], r["zh"])}
    taken |= {squeezed(x) for r in table("choice_words.csv") if r["list"] == row["list"] and r != row
              for x in r["words"].split("|")}  # fmt: skip
    assert row["key"] in {r["key"] for r in CHOICES[row["list"]]}
    for word in row["words"].split("|"):
        assert squeezed(word) not in taken
        assert choice(word, choice_spellings(row["list"])) == row["key"]


@pytest.mark.parametrize("turn", range(max(map(len, CHOICES.values()))))
@pytest.mark.parametrize("which", ["key", "en", "zh"])
def test_every_choice_is_read_by_key_and_by_label_in_either_language(which: str, turn: int, tmp_path: Path) -> None:
    """The next choice of every list, all lists in one workbook; each turn in another spelling."""
    edited = Edited(sample("hybrid").input)
    edited.row("Supply", 1, instrument="Reserved").row("Ledger", 1, use_case="Search")
    spell = (str, str.upper, lambda text: f" {text.replace('-', ' ')} ")[turn % 3]
    chosen = {name: rows[turn % len(rows)] for name, rows in CHOICES.items()}
    for name, row in chosen.items():
        if name in ROW_LISTS:
            edited.row(ROW_LISTS[name], 1, **{name: spell(row[which])})
        else:
            edited.plan(**{SCALAR_LISTS.get(name, name): spell(row[which])})
    read = typed(edited.save(tmp_path / "input.xlsx"))
    got = {
        name: getattr(read[ROW_LISTS[name]][0], name) if name in ROW_LISTS else read[SCALAR_LISTS.get(name, name)]
        for name in chosen
    }
    assert got == {name: row["key"] for name, row in chosen.items()}


TYPED_TOKENS = [
    "1,800,000,000", "1\u00a0800\u00a0000\u00a0000", "1 800 000 000", "1.8B", "1.8 bn", "1800M", "1.8e9", "18亿",
    "18 亿", "1.8 billion", "１．８Ｂ", "1.8 Billion tokens", 1.8e9, 1800000000,
]  # fmt: skip


@pytest.mark.parametrize("value", TYPED_TOKENS, ids=repr)
def test_a_volume_reads_as_it_was_meant(value: Any, tmp_path: Path) -> None:
    source = Edited(sample("api").input).plan(total_tokens=value).save(tmp_path / "input.xlsx")
    assert typed(source)["total_tokens"] == 1.8e9


@pytest.mark.parametrize("value", ["18亿", "1.8B"])
def test_a_volume_is_echoed_in_digits_and_words(value: str, tmp_path: Path) -> None:
    """18亿 is 1.8 billion, not 18: who reads the echo sees a slip of a factor of ten."""
    source = Edited(sample("api").input).plan(total_tokens=value).save(tmp_path / "input.xlsx")
    said = planner("check", source).out
    assert "1,800,000,000" in said and "1.8 billion" in said


QUARTER = {
    "25%": ["25%", "50%", "25%"],
    "25": ["25", "50", "25"],
    "25 as numbers": [Shown(25, "General"), Shown(50, "General"), Shown(25, "0")],
    "0.25": [0.25, 0.5, 0.25],
    "0.25 as text": ["0.25", "0.5", "0.25"],
    "25,0 %": ["25,0 %", "50,0 %", "25,0 %"],
    "２５％": ["２５％", "５０％", "２５％"],
    "signs beside fractions": ["25%", 0.5, "25 %"],
}


@pytest.mark.parametrize("how", QUARTER)
def test_a_column_of_shares_reads_as_it_was_meant(how: str, tmp_path: Path) -> None:
    rows = [{"tenant": f"T{i}", "quota_share": share} for i, share in enumerate(QUARTER[how])]
    source = Edited(sample("api").input).only("Tenants", *rows).save(tmp_path / "input.xlsx")
    assert [row.quota_share for row in typed(source)["Tenants"] if row] == [0.25, 0.5, 0.25]


@pytest.mark.parametrize(
    ("shares", "cells"),
    [
        (["25", Shown(0.5, "General"), "25"], ["F6", "F7", "F8"]),
        ([Shown(25, "0"), "0.5", Shown(0.25, "0.00")], ["F6", "F7", "F8"]),
        ([Shown(81.67, "0.0%"), "10%", "8.33%"], ["F6"]),
        (["a lot", "50%", "25%"], ["F6"]),
        (["125%", "-25%", "0%"], ["F6", "F7"]),
    ],
)
def test_a_mixed_or_impossible_column_of_shares_is_refused_by_cell(
    shares: list[Any], cells: list[str], tmp_path: Path
) -> None:
    rows = [{"tenant": f"T{i}", "quota_share": share} for i, share in enumerate(shares)]
    found = refused(Edited(sample("api").input).only("Tenants", *rows).save(tmp_path / "input.xlsx"))
    assert [line.partition(":")[0] for line in found if "!F" in line][: len(cells)] == [f"Tenants!{c}" for c in cells]


def test_text_keys_stay_text(tmp_path: Path) -> None:
    rows = [
        {"tenant": "00123", "quota_share": 0.5, "cost_centre": "1E5"},
        {"tenant": "1e5", "quota_share": 0.25, "cost_centre": "0x1F"},
        {"tenant": "TRUE", "quota_share": 0.25, "cost_centre": "2027-01"},
    ]
    source = Edited(sample("api").input).only("Tenants", *rows).save(tmp_path / "input.xlsx")
    read = built(source)
    table_rows = read.rows("Tenants")[FIRST_ROW - 1 : FIRST_ROW + 2]
    assert [row[2] for row in table_rows] == ["00123", "1e5", "TRUE"]
    assert [row[8] for row in table_rows] == ["1E5", "0x1F", "2027-01"]
    assert read.cell("Quotas", "Quota share", "00123") == 0.5


def test_chinese_values_read(tmp_path: Path) -> None:
    edited = Edited(blank()).plan(
        plan_name="推理平台 2027", total_tokens="18亿", deployment_mode="自建", usage_pattern="实时",
        sla_tier="业务关键", start_month="2027年1月", growth_curve="S 曲线", buffer_on_gpus="否",
        unused_policy="结转", days_basis="日历",
    )  # fmt: skip
    edited.only(
        "Models", {"model": "Llama 3 70B", "deployment": "自建", "token_share": "１００％", "gpu": "A100-80GB-SXM"}
    )
    edited.only("Tenants", {"tenant": "核心", "priority": "高", "quota_share": "100%", "fallback": "满则拒绝"})
    edited.only("Pools", {"pool": "东一", "mode": "整卡", "gpu": "A100-80GB-SXM", "gpus_total": 64})
    source = edited.save(tmp_path / "input.xlsx")
    read = built(source)
    assert read["annual_tokens"] == 1.8e9
    assert [read[k] for k in ("deployment_mode", "usage_pattern", "sla_tier", "growth_curve", "buffer_on_gpus")] == [
        "on_prem", "real_time", "business_critical", "s_curve", "no",
    ]  # fmt: skip
    assert read["plan_name"] == "推理平台 2027"


# ---- sources


def test_sources_are_true_whatever_is_typed(tmp_path: Path) -> None:
    """What somebody wrote beside a figure is kept; the product's own words claim no figure that it did not give."""
    edited = Edited(blank()).plan(
        total_tokens="1.8B", deployment_mode="api", usage_pattern="batch", sla_tier="standard", start_month="2027-01",
        peak_factor=5,
    )  # fmt: skip
    edited.only("Models", api_model()).only("Tenants", guide_tenant())
    edited.set(edited.where("buffer_factor").replace("!C", "!F"), "capacity board, 12 May")
    read = built(edited.save(tmp_path / "input.xlsx"))
    again = built(tmp_path / "input-plan.xlsx")
    for plan in (read, again):
        sources = dict(plan.table("Plan", "Key", "Source"))
        assert sources["buffer_factor"] == "capacity board, 12 May"
        assert sources["peak_factor"].startswith("default 3")
        assert "not entered" not in sources.values()


# ---- rows: spare ones, gaps, and a plan as an input


def test_gaps_between_rows_and_spare_rows_are_kept(tmp_path: Path) -> None:
    edited = Edited(sample("api").input).empty("Tenants")
    edited.row("Tenants", 1, tenant="First", quota_share=0.5).row("Tenants", 4, tenant="Fourth", quota_share=0.5)
    source = edited.save(tmp_path / "input.xlsx")
    read = built(source)
    names = [row[2] for row in read.rows("Tenants")[FIRST_ROW - 1 :]]
    assert names[:4] == ["First", None, None, "Fourth"] and len(names) > 4
    again = built(tmp_path / "input-plan.xlsx")
    assert [row[2] for row in again.rows("Tenants")[FIRST_ROW - 1 :]][:4] == names[:4]
    assert again.names["tenant_rows"] == read.names["tenant_rows"]
    assert again["quota_total"] == read["annual_tokens"]


def test_rows_typed_behind_the_table_are_read(tmp_path: Path) -> None:
    edited = Edited(sample("api").input).empty("Tenants")
    for number in range(1, 31):
        edited.row("Tenants", number, tenant=f"Team {number}", quota_share=1 / 30)
    read = built(edited.save(tmp_path / "input.xlsx"))
    assert [row[2] for row in read.rows("Tenants")[FIRST_ROW - 1 :]][:30] == [f"Team {n}" for n in range(1, 31)]
    assert read["quota_total"] == pytest.approx(18e9, rel=1e-12)


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_a_plan_is_an_input_and_gives_itself(name: str, tmp_path: Path) -> None:
    assert planner("check", sample(name).plan).code == 0
    assert planner("build", sample(name).plan, "-o", tmp_path / "p.xlsx", "--json", tmp_path / "p.json").code == 0
    assert json.loads((tmp_path / "p.json").read_text()) == json.loads(sample(name).json.read_text())
    assert (tmp_path / "p.xlsx").read_bytes() == sample(name).plan.read_bytes()


def test_a_plan_edited_in_place_is_built_again(tmp_path: Path) -> None:
    """Once as Excel saves it (values kept), once as a script does (openpyxl drops every stored value)."""
    place = reader(sample("hybrid").plan).names["total_tokens"]
    kept = set_number(sample("hybrid").plan, tmp_path / "kept.xlsx", place, 9e9)
    dropped = Edited(sample("hybrid").plan).plan(total_tokens=9e9).save(tmp_path / "dropped.xlsx")
    fresh = Edited(sample("hybrid").input).plan(total_tokens=9e9).save(tmp_path / "fresh.xlsx")
    plans = [values(source, tmp_path) for source in (kept, dropped, fresh)]
    assert plans[0] == plans[1] == plans[2]
    assert plans[0]["annual_tokens"] == [9e9]


def test_a_row_added_and_one_removed_in_a_plan(tmp_path: Path) -> None:
    edited = Edited(sample("hybrid").plan)
    edited.row("Tenants", 1, **{key: None for key in table_of("Tenants").specs})
    edited.row("Tenants", 6, tenant="New team", quota_share=0.4, burst_multiple=1.1, fallback="reject")
    read = values(edited.save(tmp_path / "input.xlsx"), tmp_path)
    assert read["tenant_quota_year"][:6] == pytest.approx([0, 3.6e9, 3.6e9, 2.7e9, 0.9e9, 7.2e9])


def test_a_plan_keeps_its_rows_when_a_tenant_goes(tmp_path: Path) -> None:
    """The last row emptied: the plan has not fewer rows than before, and no other row moved."""
    edited = Edited(sample("hybrid").plan).row("Tenants", 5, tenant=None, priority=None, quota_share=None)
    edited.row("Tenants", 5, owner=None, burst_multiple=None, fallback=None, cost_centre=None)
    edited.row("Tenants", 1, quota_share=0.45)
    read = built(edited.save(tmp_path / "input.xlsx"))
    assert read.names["tenant_rows"] == reader(sample("hybrid").plan).names["tenant_rows"]
