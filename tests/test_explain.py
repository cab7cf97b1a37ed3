"""The tree of a number: what stands in it, that it ends, that it speaks the plan's language; and what `verify` says."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from portfolios import portfolio, use_case
from workbooks import Edited, planner, reader, sample, spoil_formula, spoil_value

from planner.explain import Node, _grown, shown_number
from planner.labels import translator
from planner.lines import METHOD
from planner.plan import compute
from planner.samples import SAMPLES
from planner.workbook.context import Context
from planner.workbook.layout import built
from planner.workbook.write import write

CHINESE = re.compile(r"[\u4e00-\u9fff]")
WORD = re.compile(r"[A-Za-z]{2,}")


@cache
def layout_of(lang: str) -> Context:
    """The context of the on-prem sample, with the places of its cells."""
    context = built(compute(SAMPLES["on-prem"](lang))).context
    assert context is not None
    return context


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chinese")
    assert planner("init", folder / "input.xlsx", "--sample", "on-prem", "--lang", "zh").code == 0
    assert planner("build", folder / "input.xlsx", "-o", folder / "plan.xlsx").code == 0
    return folder / "plan.xlsx"


# ---- numbers


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1_800_000_000.0, "1,800,000,000"),
        (1_000_000.0, "1,000,000"),
        (999_999.7, "999,999.7"),
        (123_456_789.125, "123,456,789.12"),
        (534_254.32, "534,254.32"),
        (29_999_999.999999996, "30,000,000"),
        (2777.777777, "2,777.78"),
        (4.0, "4"),
        (1 / 3, "0.333333"),
        (0.000_000_123_456_78, "0.000000123457"),
        (1.5e-15, "1.5e-15"),
        (1e-30, "1e-30"),
        (-1_234_567.5, "-1,234,567.5"),
        (0.0, "0"),
        (1e17, "100,000,000,000,000,000"),
    ],
)
def test_a_figure_keeps_its_digits(value: float, shown: str) -> None:
    assert shown_number(value) == shown


@pytest.mark.parametrize("value", [1.0, 1e6, 123456.789, 0.00012345678, 7e14, 1 / 7])
def test_a_shown_figure_is_the_figure(value: float) -> None:
    assert float(shown_number(value).replace(",", "")) == pytest.approx(value, rel=5e-6)


def test_no_figure_of_a_plan_is_rounded_to_a_power_of_ten() -> None:
    out = planner("explain", sample("hybrid").plan, "annual_tco", "--depth", "30").out
    powers = re.findall(r" = (-?[\d.]+e[+-]\d+) ", out)
    assert len(re.findall(r" = [\d,.]+ ", out)) > 500 and all(abs(float(figure)) < 1e-7 for figure in powers)


def test_a_day_is_shown_as_a_date() -> None:
    assert " = 2027-01-01 day" in planner("explain", sample("api").plan, "start_month").out


# ---- the tree


def nodes(root: Node) -> list[Node]:
    """The node and everything below it."""
    return [root, *(n for child in root.operands for n in nodes(child))]


def test_a_line_at_a_coordinate_is_taken_apart_once_and_nearest_to_the_root() -> None:
    ctx = layout_of("en")
    all_nodes = nodes(_grown(ctx, Node("annual_tco", {}), 40))
    apart = [n.key for n in all_nodes if n.operands]
    assert len(apart) == len(set(apart)) > 100
    repeats = [n for n in all_nodes if n.repeats]
    assert repeats and not any(n.operands for n in repeats)
    shown = {n.key for n in all_nodes if not n.repeats}
    assert {n.key for n in repeats} <= shown  # what is not drawn here is drawn elsewhere


def test_depth_counts_the_steps_on_the_shortest_way() -> None:
    ctx = layout_of("en")

    def deep(node: Node) -> int:
        return 1 + max((deep(child) for child in node.operands), default=-1)

    for depth in range(5):
        assert deep(_grown(ctx, Node("annual_tco", {}), depth)) == depth
    near = {n.key for n in nodes(_grown(ctx, Node("annual_tco", {}), 2))}
    far = {n.key for n in nodes(_grown(ctx, Node("annual_tco", {}), 6))}
    assert near < far


def test_repeats_point_to_where_the_line_is_taken_apart() -> None:
    out = planner("explain", sample("on-prem").plan, "annual_tco", "--depth", "8").out.splitlines()
    entries = [re.sub(r"^[│├└─\s]*", "", line) for line in out]
    apart = {e.split("  (")[0].strip(): i for i, e in reversed(list(enumerate(entries))) if " (see " not in e}
    checked = {"above": 0, "below": 0}
    for i, entry in enumerate(entries):
        if found := re.search(r"^(.*?)\s+\(see (above|below)\)$", entry):
            assert (apart[found[1].strip()] < i) == (found[2] == "above"), entry
            checked[found[2]] += 1
    assert checked["above"] > 20 and checked["below"] > 0


def test_a_long_sum_says_how_much_it_leaves_out() -> None:
    out = planner("explain", sample("on-prem").plan, "annual_tco", "--depth", "1").out
    assert len(re.findall(r"tco_by_month \[month=", out)) == 6
    assert "tco_by_month: 6 more along month" in out


@pytest.mark.parametrize("depth", ["-1", "-25"])
def test_a_negative_depth_is_refused(depth: str) -> None:
    assert planner("explain", sample("api").plan, "annual_tco", "--depth", depth).code == 2


# ---- entries by name


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tenants whose names differ in case only."""
    rows = {"tenant": "Team A", "quota_share": 0.25}, {"tenant": "TEAM A", "quota_share": 0.75}
    source = Edited(sample("api").input).only("Tenants", *rows)
    return source.save(tmp_path_factory.mktemp("alike") / "input.xlsx")


def test_a_name_that_fits_two_entries_apart_from_case_is_refused_with_both(alike: Path) -> None:
    told = planner("explain", alike, "tenant_share", "--at", "tenant=team a")
    assert told.code == 2
    assert told.err == "--at tenant=team a: found 'team a'; wanted one of Team A, TEAM A; do use one of them\n"


@pytest.mark.parametrize("at", ["tenant=", "tenant", "tenant=Nobody", "team=Team A"])
def test_an_entry_or_an_axis_that_is_not_there_is_refused(at: str, alike: Path) -> None:
    told = planner("explain", alike, "tenant_share", "--at", at)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith(f"--at {at}: found ") and told.err.count("\n") == 1


# ---- in the plan's language


def test_the_tree_speaks_the_language_of_the_plan(chinese: Path) -> None:
    """Names of lines and axes, units and formulas stay; everything else is Chinese."""
    out = planner("explain", chinese, "annual_tco", "--depth", "40").out
    assert " (见上文)" in out and " (见下文)" in out and "tco_by_month：沿 month 还有 6 项" in out
    english = {"see", "above", "below", "more", "along", "every", "empty", "if", "else", "rounded", "known", "given",
               "over", "one", "earlier", "largest", "smallest", "position", "where", "withheld", "not"}  # fmt: skip
    formula = re.compile(r"[│├└─\s]*=[A-Z(\"'$]")
    for line in out.splitlines():
        if not formula.match(line):
            quiet = re.sub(r"'[^']*'|\[[^\]]*\]", "", line)
            assert not english & set(WORD.findall(quiet.replace("_", ""))), line


def test_every_line_is_explained_in_chinese() -> None:
    from planner.labels import translator
    from planner.workbook.spoken import spoken

    t = translator("zh")
    names = {name for line in METHOD for name in (line.name, *line.reads)}
    keys = {"month", "model", "tenant", "pool", "phase", "tier", "lever", "curve", "step", "check", "year", "quarter"}
    for line in METHOD:
        words = spoken(line.expr, t)
        phrases = re.findall(r"\b(?:else|rounded|known|given|earlier|withheld|over|smallest|largest)\b", words)
        assert not [p for p in phrases if p not in names | keys], (line.name, words)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("gpus_planed",), "LINE：发现 'gpus_planed'；应为 “方法”页上的某一行；请尝试 gpus_planned"),
        (("gpus_planned", "--at", "x=1"), "--at x=1：发现 'x'；应为 gpus_planned 的维度：无；请使用其中之一"),
        (("monthly_tokens", "--at", "month=2026-12"), "--at month=2026-12：发现 '2026-12'；应为 2027-01, 2027-02"),
    ],
)
def test_a_refusal_speaks_the_language_of_the_plan(args: tuple[str, ...], told: str, chinese: Path) -> None:
    outcome = planner("explain", chinese, *args)
    assert (outcome.code, outcome.out) == (2, "") and outcome.err.startswith(told), outcome.err


# ---- what `verify` finds, in the file's language, and as data in English


def test_findings_and_differences_speak_the_language_of_the_plan(chinese: Path, tmp_path: Path) -> None:
    places = reader(chinese).names
    bad = spoil_value(chinese, tmp_path / "a.xlsx", places["annual_tco"], "12345.6")
    bad = spoil_formula(bad, tmp_path / "b.xlsx", places["annual_tokens"], "total_tokens*1.000+NOW()*0")
    outcome = planner("verify", bad)
    assert outcome.code == 1
    lines = outcome.out.splitlines()
    assert any("数值不同：存储值 12345.6，重算值 " in line for line in lines)
    assert any(": literal: 公式中含有数字 1.000，位于 =total_tokens*1.000+NOW()*0" in line for line in lines)
    assert any(": function: 易失函数 NOW，位于 =" in line for line in lines)
    assert all(CHINESE.search(line.split("xlsx")[-1]) for line in lines)
    found = json.loads(planner("verify", bad, "--json").out)
    texts = [f["text"] for f in found["findings"]] + [d["reason"] for d in found["differences"]]
    assert "another number" in texts
    assert "the volatile function NOW in =total_tokens*1.000+NOW()*0" in texts
    assert not any(CHINESE.search(re.sub(r"in (the rule )?=.*", "", text)) for text in texts if "hyperlink" not in text)


def test_a_file_without_formulas_is_refused_in_its_language(chinese: Path) -> None:
    told = planner("verify", chinese.with_name("input.xlsx"))
    assert told.code == 2 and told.err.endswith("发现 没有公式；应为 计划工作簿；请指定由 `planner build` 生成的文件\n")


def test_a_file_that_is_no_workbook_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "x.xlsx").write_text("no workbook")
    told = planner("verify", tmp_path / "x.xlsx")
    assert told.code == 2 and "found x.xlsx: not an xlsx workbook (" in told.err


# ---- asking by label, by cell, by a month as people write it


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("TCO, first year", "annual_tco"),
        ("  tco first YEAR ", "annual_tco"),
        ("Demand!I18", "monthly_tokens [month=2027-03]"),
        ("'GPU supply'!$E$7", ""),
        ("demand!$e$7", "annual_tokens"),
    ],
)
def test_a_figure_is_asked_for_as_people_see_it(asked: str, line: str) -> None:
    outcome = planner("explain", sample("hybrid").plan, asked, "--depth", "0")
    assert (outcome.code, outcome.out.startswith(line)) == (0, True) if line else outcome.code == 2


def test_a_label_in_chinese_is_asked_for_too(chinese: Path) -> None:
    label = translator("zh")(METHOD.lines["annual_tco"].label)
    assert planner("explain", chinese, label, "--depth", "0").out.startswith("annual_tco")


@pytest.mark.parametrize("month", ["2027-03", "Mar 2027", "2027年3月", "03.2027"])
def test_a_month_is_named_as_people_write_it(month: str) -> None:
    out = planner("explain", sample("hybrid").plan, "monthly_tokens", "--at", f"month={month}", "--depth", "0").out
    assert out.startswith("monthly_tokens [month=2027-03]")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("GPUs to plan", "label of 2 lines.*model_gpus_planned"),
        ("Demand!A1", "Demand!A1: found no calculated figure"),
        ("Nowhere!B2", "Nowhere!B2: found no calculated figure"),
        ("gpus_planed", "gpus_planned"),
    ],
)
def test_what_names_no_line_is_refused_with_what_to_ask(asked: str, words: str) -> None:
    outcome = planner("explain", sample("hybrid").plan, asked)
    assert outcome.code == 2 and re.search(words, outcome.err), outcome.err


def test_a_sum_by_a_key_shows_what_it_takes_and_nothing_else(tmp_path: Path) -> None:
    """Tokens of the twelfth use case are those of its own streams, not of the first six rows."""
    names = [f"Case {i}" for i in range(1, 15)]
    plan = compute(portfolio([use_case(name) for name in names]))
    path = tmp_path / "plan.xlsx"
    write(built(plan), path)
    out = planner("explain", path, "use_case_year", "--at", "use_case=Case 12", "--depth", "1").out
    assert "stream_year [stream=Case 12]" in out and "Case 1]" not in out and "more along" not in out
