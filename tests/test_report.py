"""The report as people get it: sections, order, counts, every number traced, the same in Markdown and on the page."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from builders import A100, guide_tenants, inputs, llama, planned, pool
from test_report_reading import numbers, parts, plain, read, read_page, sentences, structural, untraced
from test_report_rules import LARGE, SIX, STORIES

from planner.inputs.tables import ModelRow, PoolRow, TenantRow
from planner.labels import translator
from planner.plan import Plan, compute
from planner.report import SUFFIXES, Report, html, markdown, report_of, write_report
from planner.report.model import Actions, Causes, Charts, Findings, Paragraph, Questions, Table, drawn
from planner.report.svg import BOTTOM, WIDTH, column_scale, crossed, value_labels
from planner.samples import SAMPLES

CHINESE = re.compile(r"[\u4e00-\u9fff]")
SECTIONS = [
    "Conclusion",
    "Key Metrics",
    "Main Findings",
    "Cause Analysis",
    "Recommended Actions",
    "Follow-up Questions",
]
LEVELS = ("○ normal", "◊ watch", "▲ risk", "■ critical")
HEADS = {
    "Token supply plan": ["Phase", "Period", "Token target", "Capacity with buffer", "Resource"],
    "SLA commitments": ["Metric", "Commitment", "Tier", "Risk / notes"],
    "Cost boundaries": ["Phase", "Tokens", "Cost", "Unit cost", "Cumulative"],
    "Quota allocation": ["Tenant", "Priority", "Quota", "Burst allowed", "Fallback"],
    "On-prem resource mapping": ["Model", "Peak tokens/s", "Required GPUs", "HA factor", "Confidence"],
    "Current GPU reality check": ["Cluster / GPU pool", "Mode", "Required GPUs", "Available headroom", "Bottleneck",
                                  "Recommendation"],
}  # fmt: skip
PLANS = [*(f"sample {n}" for n in SAMPLES), *SIX]
_MADE: dict[str, Plan] = {}


def plan_of(name: str) -> Plan:
    """A sample or a story, computed once."""
    if name not in _MADE:
        _MADE[name] = compute(SAMPLES[name.removeprefix("sample ")]()) if name not in STORIES else STORIES[name]()
    return _MADE[name]


def shape(report: Report) -> None:
    """What holds for every report: sections in order, counts, no empty words."""
    assert [s.key for s in report.sections] == ["conclusion", "metrics", "findings", "causes", "actions", "questions"]
    lead = report.section("conclusion").blocks
    assert len(lead) == 1 and isinstance(lead[0], Paragraph) and len(lead[0].sentences) == 2
    metrics = report.section("metrics").blocks[0]
    assert isinstance(metrics, Table) and 3 <= len(metrics.rows) <= 6
    for kind, low, high in ((Findings, 2, 3), (Causes, 2, 3), (Questions, 2, 3)):
        (block,) = report.blocks(kind)
        assert low <= len(block.items) <= high, kind  # type: ignore[union-attr]
    groups = report.blocks(Actions)
    assert [g.key for g in groups] == ["immediate", "monitor", "later"]  # type: ignore[union-attr]
    for group in groups:
        assert isinstance(group, Actions)
        assert 1 <= len(group.items) <= 3, group.key
        assert all(a.target.text and a.owner.text and a.decision.text for a in group.items)
    for sentence in report.sentences():
        assert "{" not in sentence.text and "}" not in sentence.text, sentence.text


def traced(plan: Plan, report: Report) -> int:
    """Every figure is the line or input that it names, and the Markdown holds no other number."""
    figures = report.figures()
    wrong = [w for w in (untraced(plan, f) for f in figures) if w]
    assert not wrong, wrong[:5]
    for block in report.blocks(Charts):
        assert isinstance(block, Charts)
        charted = [f for chart in block.items for f in drawn(chart)]
        wrong = [w for w in (untraced(plan, f) for f in charted if f.key != "calendar_month") if w]
        assert not wrong, wrong[:5]
    assert numbers(plain(structural(markdown(report)))) == numbers(parts(report))
    return len([f for f in figures if f.precision is not None])


@pytest.mark.parametrize("name", PLANS)
def test_sections_order_and_counts(name: str) -> None:
    plan = plan_of(name)
    page = read(markdown(report_of(plan)))
    assert list(page.sections) == SECTIONS
    assert page.title == plan.inputs.plan.plan_name
    conclusion = page.sections["Conclusion"]
    assert len(conclusion) == 1 and 1 <= sentences(conclusion[0]) <= 2
    assert plan.value("overall_chip") in conclusion[0] and "recommended SLA tier" in conclusion[0]
    assert "most important constraint" in conclusion[0]
    tables = page.tables("Key Metrics")
    metrics = tables.pop("")
    assert metrics[0] == ["Metric", "Current value", "Status"]
    assert 3 <= len(metrics) - 2 <= 6
    assert all(row[2] in LEVELS for row in metrics[2:])
    for title, rows in tables.items():
        assert len({len(r) for r in rows}) == 1 and len(rows) > 2, title
        if title in HEADS:
            assert [re.sub(r" \(.*\)", "", h) for h in rows[0]] == HEADS[title]
    assert 2 <= len(page.numbered("Main Findings")) <= 3
    for finding in page.numbered("Main Findings"):
        assert re.search(r"(Business|SLA|Capacity|Cost) impact: ", finding)
    causes = page.groups("Cause Analysis")
    assert 2 <= len(causes) <= 3
    for number, (cause, told) in enumerate(causes.items(), 1):
        assert cause.startswith(f"Cause {number}: ")
        assert [t.split(":")[0] for t in told] == ["Evidence", "Impact"]
    actions = page.groups("Recommended Actions")
    assert list(actions) == ["Immediate", "Monitor", "Optimize Later"]
    assert all(1 <= len(a) <= 3 for a in actions.values())
    assert all(re.match(r".+ \(Owner: .+?\): .+", a) for group in actions.values() for a in group)
    asked = page.numbered("Follow-up Questions")
    assert 2 <= len(asked) <= 3 and all(q.endswith(("?", ".")) for q in asked)
    shape(report_of(plan))


@pytest.mark.parametrize("name", PLANS)
def test_which_tables_stand(name: str) -> None:
    plan = plan_of(name)
    titles = set(read(markdown(report_of(plan))).tables("Key Metrics"))
    assert {"Token supply plan", "SLA commitments", "Cost boundaries"} <= titles
    assert ("Quota allocation" in titles) == (plan.value("tenants_used") != 0)
    assert ("On-prem resource mapping" in titles) == (plan.value("model_on_prem_any") == 1)
    seen = plan.value("pools_seen") != 0 and plan.value("model_on_prem_any") == 1
    assert ("Current GPU reality check" in titles) == seen
    assert any(t.startswith("Assumptions in use") for t in titles)
    unverified = plan.value("unverified_prices") != 0 or plan.value("unverified_speeds") != 0
    assert ("Prices and speeds to verify" in titles) == unverified


@pytest.mark.parametrize("name", [*PLANS, *(s for s in STORIES if s not in SIX)])
def test_every_number_is_traced(name: str, record_property: Any) -> None:
    plan = plan_of(name)
    count = traced(plan, report_of(plan))
    assert count > 60
    record_property("count:numbers of reports traced to a line or an input", count)


def same_page(report: Report) -> None:
    """The page says every sentence of the report and holds no other number, its charts included."""
    seen = read_page(html(report))
    (causes,) = report.blocks(Causes)
    assert isinstance(causes, Causes)
    counted = numbers(" ".join(str(i + 1) for i in range(len(causes.items))))
    assert numbers(seen.text) - counted == numbers(parts(report))
    words = " ".join(seen.text.split())
    for sentence in report.sentences():
        assert " ".join(sentence.text.split()) in words
    for block in report.blocks(Charts):
        assert isinstance(block, Charts)
        told = numbers(seen.charts)
        shown = [f for chart in block.items for f in (*chart.title.figures, *chart.note.figures)]
        assert not numbers(" ".join(f.text for f in shown)) - told
        drawn_texts = {f.text for chart in block.items for f in drawn(chart)}
        assert set(told) <= set(numbers(" ".join(drawn_texts))), "a chart shows a number that is no figure"


@pytest.mark.parametrize("name", [*PLANS, *(s for s in STORIES if s not in SIX)])
def test_the_page_says_the_same(name: str) -> None:
    same_page(report_of(plan_of(name)))


@pytest.mark.parametrize("name", PLANS)
def test_the_page_stands_alone(name: str) -> None:
    text = html(report_of(plan_of(name)))
    seen = read_page(text)
    assert text.startswith("<!DOCTYPE html>\n") and '<html lang="en">' in text
    assert not {"script", "link", "img", "iframe", "object", "form", "base", "image", "use", "foreignobject"} & set(
        seen.tags
    )
    for tag, key, value in seen.attributes:
        assert not key.startswith("on") and key not in ("src", "href", "action", "srcset"), (tag, key)
        assert "url(" not in value and "javascript:" not in value
    for outside in ("http://", "https://", "url(", "@import", "//cdn", "expression("):
        assert outside not in text
    assert seen.tags.count("svg") >= 2
    assert "@media print" in text and "max-width: 680px" in text


def test_charts_of_each_kind() -> None:
    for name, expected in (("sample api", ["demand", "cost"]), ("sample hybrid", ["demand", "bridge", "cost"])):
        (block,) = report_of(plan_of(name)).blocks(Charts)
        assert isinstance(block, Charts)
        assert [c.key for c in block.items] == expected
        demand = block.items[0]
        assert [c.parts[0].value for c in demand.columns] == list(plan_of(name).values["monthly_tokens"].numbers)
        assert [f.value for f in demand.line] == list(plan_of(name).values["buffered_tokens"].numbers)


# ---- what a conclusion must say


def test_the_conclusion_says_that_validation_is_missing() -> None:
    for make in (
        STORIES["validation_missing"],
        lambda: planned([llama(gpus_per_replica=1)], pools=[PoolRow(pool="discover")]),
        lambda: planned([llama(model="acme", weights_gb=14, kv_bytes_per_token=1e5)], pools=[PoolRow(pool="discover")]),
    ):
        text = markdown(report_of(make()))
        assert "GPU capacity validation is missing" in read(text).sections["Conclusion"][0]
        assert "gpu-bottleneck-analysis" in text


def test_the_conclusion_says_what_is_assumed() -> None:
    text = read(markdown(report_of(STORIES["unverified_prices"]()))).sections["Conclusion"][0]
    assert "currently available inputs and assumptions" in text
    made = inputs([ModelRow(model="GPT-4o", token_share=1)], deployment_mode="api")
    from dataclasses import replace

    rough = compute(replace(made, assumed=("total_tokens", "models")))
    page = read(markdown(report_of(rough)))
    assert "ILLUSTRATIVE" in page.head[1] and "Total tokens in the first year" in page.head[1]
    assert "illustrative example" in page.sections["Conclusion"][0]
    assert "ILLUSTRATIVE" in read_page(html(report_of(rough))).text
    assert 1 <= sentences(page.sections["Conclusion"][0]) <= 2


def test_defaults_in_use_are_stated() -> None:
    page = read(markdown(report_of(planned())))
    stated = {row[0] for row in page.tables("Key Metrics")["Assumptions in use: defaults that nobody has changed"]}
    assert {"Input : output", "Growth curve", "Peak factor", "Buffer factor", "HA factor", "Currency"} <= stated
    page = read(markdown(report_of(planned(peak_factor=5.0, currency="EUR", usd_to_currency=0.9, buffer_factor=1.5))))
    stated = {row[0] for row in page.tables("Key Metrics")["Assumptions in use: defaults that nobody has changed"]}
    assert not {"Peak factor", "Buffer factor", "Currency"} & stated


def test_prices_are_flagged() -> None:
    page = read(markdown(report_of(plan_of("sample on-prem"))))
    row = page.tables("Key Metrics")["Prices and speeds to verify"][2]
    assert row[0] == "Llama 3 70B" and "please verify" in row[3]


# ---- what users type


NASTY = ["<script>alert(1)</script>", "a | b || c", "*bold* _it_ `code` [x](http://e.vil)", "=cmd|' /C calc'!A0",
         "R&D / 推理平台 [prod]", "&lt;b&gt;", "{annual_tco:money}", "1. first\n# second", '" onload="x']  # fmt: skip


def test_user_text_stays_text() -> None:
    """Names open no tag, no cell, no heading and no placeholder, and read as they were typed."""
    share = 1 / len(NASTY)
    tenants = [TenantRow(tenant=n, owner=n, quota_share=share, burst_multiple=2, fallback="guaranteed") for n in NASTY]
    plan = planned(
        [llama(model=NASTY[0], gpu=A100, weights_gb=140, kv_bytes_per_token=3e5, tokens_per_s_per_gpu=150)],
        tenants=tenants, pools=[pool(pool=NASTY[1], cluster=NASTY[0])], plan_name=NASTY[0] + NASTY[1], **LARGE,
    )  # fmt: skip
    report = report_of(plan)
    traced(plan, report)
    text = markdown(report)
    page = read(text)
    assert page.title == NASTY[0] + NASTY[1] and list(page.sections) == SECTIONS
    rows = page.tables("Key Metrics")["Quota allocation"]
    assert [r[0] for r in rows[2:]] == [" ".join(n.split()) for n in NASTY]
    assert {len(r) for r in rows} == {5}
    assert "<script" not in text and "\n# second" not in text and not re.search(r"(?<!\\)\]\(", text)
    whole = html(report)
    seen = read_page(whole)
    assert "<script" not in whole and "script" not in seen.tags
    assert not any(k == "onload" for _, k, _ in seen.attributes)
    assert all(" ".join(n.split()) in " ".join(seen.text.split()) for n in NASTY)


# ---- plans at the edges


def test_odd_plans_have_whole_reports() -> None:
    nothing: dict[str, Any] = {"Phases": (), "Levers": ()}
    for plan in (
        planned(horizon_months=1),
        planned(horizon_months=36, yearly_growth=0.5, growth_curve="seasonal"),
        planned(total_tokens=1.0),
        planned(total_tokens=1e12),
        planned(deployment_mode="api", total_tokens=9e14),
        planned(rows=nothing),
        planned(buffer_factor=1.0, ha_basis="spare", retry_rate=0.2, days_basis="calendar"),
        planned(pools=[pool(gpu="H100-80GB-SXM"), pool(pool="b", gpus_total=2, gpus_allocated=5)]),
        planned([llama(token_share=0.0)]),
        planned(tenants=guide_tenants(), quota_basis="curve", unused_policy="refund"),
    ):
        report = report_of(plan)
        shape(report)
        traced(plan, report)
        read_page(html(report))


@pytest.mark.parametrize("seed", range(16))
def test_plans_at_random(seed: int) -> None:
    """Whatever the inputs, the report keeps its shape and invents nothing."""
    dice = random.Random(seed)
    mode = dice.choice(["api", "on_prem", "hybrid"])
    models = [
        ModelRow(model=dice.choice(["GPT-4o", "acme"]), deployment="api", token_share=0.5,
                 input_price_per_mtok=dice.choice([None, 2.0]), output_price_per_mtok=dice.choice([None, 9.0]),
                 ttft_s=dice.choice([None, 0.2, 3.0])),
        llama(deployment="on_prem", token_share=0.5, gpus_per_replica=dice.choice([None, 1, 4]),
              precision=dice.choice(["fp16", "fp8", "int4"]), gpu_price_per_hour=dice.choice([None, 2.0]),
              tokens_per_s_per_gpu=dice.choice([None, 50.0])),
    ]  # fmt: skip
    chosen = models if mode == "hybrid" else [m.model_copy(update={"token_share": 1.0}) for m in models
                                               if (m.deployment == "api") == (mode == "api")]  # fmt: skip
    pools = (
        [] if mode == "api" else dice.choice([[PoolRow(pool="discover")], [pool(gpus_total=dice.choice([2, 40, 400]))]])
    )
    plan = planned(
        chosen, pools=pools, tenants=dice.choice([(), guide_tenants()]), deployment_mode=mode,
        total_tokens=10 ** dice.uniform(6, 12), growth_curve=dice.choice(["linear", "s_curve", "seasonal", "phased"]),
        sla_tier=dice.choice(["business_critical", "standard", "best_effort"]), horizon_months=dice.choice([6, 12, 24]),
        annual_budget=dice.choice([None, 1e5, 1e7]), peak_factor=dice.uniform(1, 6), retry_rate=dice.choice([0.0, 0.1]),
        unused_policy=dice.choice(["roll_over", "expire", "refund"]), monthly_fee=dice.choice([None, 5e4]),
        credit_availability=0.1,
    )  # fmt: skip
    report = report_of(plan)
    shape(report)
    traced(plan, report)
    read_page(html(report))


# ---- files, language, sameness


def test_write_report_by_ending(tmp_path: Path) -> None:
    plan = plan_of("sample api")
    for suffix in SUFFIXES:
        path = tmp_path / f"PLAN{suffix.upper()}"
        write_report(plan, path)
        text = path.read_bytes().decode("utf-8")
        assert text.startswith("# " if suffix in (".md", ".markdown") else "<!DOCTYPE html>")
        assert text.endswith("\n") and "\r" not in text
    for bad in ("plan.pdf", "plan"):
        with pytest.raises(ValueError, match="a report ends in"):
            write_report(plan, tmp_path / bad)


@pytest.mark.parametrize("name", PLANS)
def test_chinese_sections_order_counts_and_numbers(name: str, record_property: Any) -> None:
    """The same rules for Chinese: six sections in order, their counts, every number of both files a line or an input."""
    plan = compute(plan_of(name).inputs, "zh")
    report = report_of(plan)
    t = translator("zh")
    page = read(markdown(report))
    assert list(page.sections) == [t(s) for s in SECTIONS]
    assert all(CHINESE.search(s) for s in page.sections)
    assert len(page.sections[t("Conclusion")]) == 1 and plan.value("overall_chip") in page.sections[t("Conclusion")][0]
    metrics = page.tables(t("Key Metrics"))[""]
    assert 3 <= len(metrics) - 2 <= 6 and all(row[2] in [t(level) for level in LEVELS] for row in metrics[2:])
    assert 2 <= len(page.numbered(t("Main Findings"))) <= 3
    assert all(re.search(r"(业务|SLA ?|容量|成本)影响：", f) for f in page.numbered(t("Main Findings")))
    causes = page.groups(t("Cause Analysis"))
    assert 2 <= len(causes) <= 3
    for number, (cause, told) in enumerate(causes.items(), 1):
        assert cause.startswith(f"原因 {number}：") and [line.split("：")[0] for line in told] == ["证据", "影响"]
    actions = page.groups(t("Recommended Actions"))
    assert list(actions) == [t(title) for title in ("Immediate", "Monitor", "Optimize Later")]
    assert all(1 <= len(a) <= 3 for a in actions.values())
    assert all(re.match(r".+ \(负责人：.+?\)：.+", a) for group in actions.values() for a in group)
    asked = page.numbered(t("Follow-up Questions"))
    assert 2 <= len(asked) <= 3 and all(q.endswith(("？", "?", "。")) for q in asked)
    shape(report)
    same_page(report)
    record_property("count:numbers of reports traced to a line or an input", traced(plan, report))


def test_six_plans_lead_with_six_findings_in_chinese_too() -> None:
    """The rule that leads does not hang on the language; its words are Chinese and differ."""
    first = {}
    for story in SIX:
        report = report_of(compute(plan_of(story).inputs, "zh"))
        found = report.section("findings").blocks[0]
        assert isinstance(found, Findings) and found.items[0].rule == story
        first[story] = page_first = read(markdown(report)).numbered("主要发现")[0]
        assert CHINESE.search(page_first)
    assert len(set(first.values())) == 6


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", PLANS)
def test_no_line_runs_through_a_value_and_none_is_cut_off(name: str, language: str) -> None:
    """A value that a chart's line would cross stands inside its column."""
    for block in report_of(compute(plan_of(name).inputs, language)).blocks(Charts):
        assert isinstance(block, Charts) and block.items
        for chart in block.items:
            scale = column_scale(chart)
            labels = value_labels(chart, scale)
            assert not [label.text for label in labels if label.weight < 3 and crossed(chart, scale, label)]
            assert all(label.half <= label.x <= WIDTH - label.half and 0 < label.y < BOTTOM for label in labels)


@pytest.mark.parametrize("name", list(SAMPLES))
def test_chinese_tells_the_same_figures(name: str) -> None:
    """Same lines, same values, whatever the words; big tokens as 亿 and 万 with the exact figure beside."""
    plan = compute(SAMPLES[name](), "zh")
    report = report_of(plan)
    shape(report)
    figures = report.figures()
    assert not [w for w in (untraced(plan, f) for f in figures) if w]
    text = markdown(report)
    assert re.search(r"\d亿（[\d,]+）", text)
    assert '<html lang="zh">' in html(report)
    english = report_of(compute(SAMPLES[name](), "en")).figures()
    assert {(f.key, f.at) for f in figures} == {(f.key, f.at) for f in english}


def test_the_same_plan_gives_the_same_bytes() -> None:
    code = (
        "from planner.plan import compute; from planner.samples import SAMPLES; from planner.report import *\n"
        "import hashlib; r = report_of(compute(SAMPLES['hybrid']()))\n"
        "print(hashlib.sha256((markdown(r) + html(r)).encode()).hexdigest())"
    )
    root = Path(__file__).resolve().parent.parent
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True, text=True, check=True, cwd=root,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(seen) == 1
