"""Rules of the report: every text names what a plan has, and plans that are different lead with different findings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from builders import A100, LLAMA, gpt_4o, guide_tenants, llama, planned, pool
from portfolios import HOME, use_case
from portfolios import planned as planned_ledger

from planner.inputs.portfolio import RouteRow
from planner.inputs.portfolio_tables import RunbookRow
from planner.inputs.tables import ModelRow, PhaseRow, PoolRow, TenantRow
from planner.labels import translator
from planner.plan import Plan
from planner.report import all_texts, report_of, tokens_in_words
from planner.report.content import content_faults, data_texts
from planner.report.model import Actions, Causes, Findings, Paragraph, Questions
from planner.report.numbers import printed
from planner.report.rules import PARTS, Rule, condition, matched, pick, rule_faults, rules, variants
from planner.report.template import BadTemplate, Hole, Values, faults, hole, holes

LARGE = {"total_tokens": 18e9}
OWN: dict[str, Any] = {
    "model": "acme-large", "deployment": "api", "token_share": 1, "input_price_per_mtok": 2.0,
    "output_price_per_mtok": 8.0, "ttft_s": 0.3, "tpot_s": 0.01,
}  # fmt: skip
BURSTS = tuple(TenantRow(tenant=n, quota_share=0.5, burst_multiple=1.5, fallback="best_effort") for n in "AB")
H200 = "H200-NVL-141GB"  # no price in the reference

# What each plan is built for, and what it must lead with.
STORIES: dict[str, Callable[[], Plan]] = {
    "api_only": lambda: planned([ModelRow(**OWN)], deployment_mode="api"),
    "misfit": lambda: planned([llama(gpus_per_replica=1)]),
    "short": lambda: planned(pools=[pool(gpus_total=8)], growth_curve="s_curve", **LARGE),
    "guaranteed": lambda: planned(tenants=guide_tenants(), **LARGE),
    "bursts": lambda: planned(tenants=BURSTS, **LARGE),
    "critical_conflict": lambda: planned(sla_tier="business_critical", **LARGE),
    "tier_conflict": lambda: planned(**LARGE),
    "least_replicas": lambda: planned(sla_tier="business_critical", total_tokens=2e8),
    "whole_replicas": lambda: planned(total_tokens=3e8, failures_per_node_day=0.0),
    "availability": lambda: planned(),
    "over_budget": lambda: planned(annual_budget=100000.0, **LARGE),
    "near_budget": lambda: planned(annual_budget=435000.0, **LARGE),
    "validation_missing": lambda: planned(pools=[PoolRow(pool="discover")], **LARGE),
    "unverified_prices": lambda: planned([llama(gpu_price_per_hour=None)], **LARGE),
    "withdrawn": lambda: planned([gpt_4o(input_price_per_mtok=2.0, output_price_per_mtok=8.0)], deployment_mode="api"),
    "slow_first_token": lambda: planned([ModelRow(**(OWN | {"ttft_s": 2.0}))], deployment_mode="api"),
    "slow_tokens": lambda: planned([ModelRow(**(OWN | {"tpot_s": 0.09}))], deployment_mode="api"),
    "cost_unknown": lambda: planned(
        [llama(gpu=H200, gpu_price_per_hour=None, tokens_per_s_per_gpu=200)], pools=[pool(gpu=H200)], **LARGE
    ),
    "speed_unknown": lambda: planned([llama(model="acme-70b", weights_gb=140, kv_bytes_per_token=327680)]),
    "checks_failed": lambda: planned([llama(token_share=0.5)], **LARGE),
}
SIX = ("api_only", "misfit", "bursts", "critical_conflict", "least_replicas", "short")


def findings(plan: Plan) -> list[Any]:
    """The findings of a plan's report."""
    block = report_of(plan).section("findings").blocks[0]
    assert isinstance(block, Findings)
    return list(block.items)


@pytest.mark.parametrize("story", STORIES)
def test_a_plan_leads_with_its_own_story(story: str) -> None:
    assert findings(STORIES[story]())[0].rule == story


def test_six_plans_lead_with_six_findings() -> None:
    """Six different first findings, causes and constraints, and the right words in each."""
    words = {
        "api_only": "bought from an API",
        "misfit": "does not fit its GPUs",
        "bursts": "burst at once",
        "critical_conflict": "cannot keep its own promise",
        "least_replicas": "least number of replicas decides",
        "short": "Secured GPUs cover",
    }
    reports = {story: report_of(STORIES[story]()) for story in SIX}
    first, causes, constraints = set(), set(), set()
    for story, report in reports.items():
        found, why, lead = (report.section(s).blocks[0] for s in ("findings", "causes", "conclusion"))
        assert isinstance(found, Findings) and isinstance(why, Causes) and isinstance(lead, Paragraph)
        assert words[story] in found.items[0].text.text
        first.add(found.items[0].rule)
        causes.add(why.items[0].rule)
        constraints.add(lead.sentences[1].text)
    assert len(first) == len(causes) == len(constraints) == 6


def test_the_most_severe_leads() -> None:
    """With several troubles at once the critical one is first, then risk, then watch."""
    plan = planned(
        [llama(gpu_price_per_hour=None)], tenants=guide_tenants(), pools=[pool(gpus_total=4)], annual_budget=700000.0,
        **LARGE,
    )  # fmt: skip
    assert [f.rule for f in findings(plan)] == ["short", "guaranteed", "over_budget"]


def test_thresholds_move_the_order() -> None:
    """Severity is the plan's own threshold, not a word of the rule."""
    from builders import changed

    rows = changed("Thresholds", "budget_use", watch=0.1, risk=0.2, critical=0.3)
    plan = planned(tenants=guide_tenants(), annual_budget=1000000.0, rows=rows, **LARGE)
    assert [f.rule for f in findings(plan)][:2] == ["near_budget", "guaranteed"]


def test_gpu_plans_always_speak_of_the_gpus() -> None:
    gpu = {r.key for r in rules("finding") if r.gpu}
    for story, make in STORIES.items():
        plan = make()
        if plan.value("model_on_prem_any") == 1:
            assert gpu & {f.rule for f in findings(plan)}, story


def test_actions_follow_the_findings() -> None:
    report = report_of(STORIES["over_budget"]())
    immediate = report.section("actions").blocks[0]
    assert isinstance(immediate, Actions)
    assert immediate.items[0].rule == "budget_decision"
    assert immediate.items[0].owner.text == "Finance lead"
    asked = report.section("questions").blocks[0]
    assert isinstance(asked, Questions) and asked.items[0].rule == "ask_budget"


def test_owner_is_the_tenants_own_or_the_thresholds() -> None:
    named = [t.model_copy(update={"owner": "Ada"}) for t in guide_tenants()]
    for tenants, owner in ((named, "Ada"), (guide_tenants(), "Platform lead")):
        block = report_of(planned(tenants=tenants, **LARGE)).section("actions").blocks[0]
        assert isinstance(block, Actions)
        assert next(a for a in block.items if a.rule == "cap_claims").owner.text == owner


# ---- the files


def test_every_template_names_what_a_plan_has() -> None:
    assert rule_faults() == []
    assert content_faults() == []


def test_texts_hold_no_number_of_their_own() -> None:
    """Only placeholders show numbers; p99 is a word, and so is P90."""
    for text in all_texts():
        bare = re.sub(r"\bP\d0\b", "", re.sub(r"\{[^}]*\}", "", text).replace("p99", ""))
        assert not re.search(r"\d", bare), text


def test_texts_are_listed_once_and_whole() -> None:
    texts = all_texts()
    assert len(texts) == len(set(texts)) > 300
    assert "Conclusion" in texts and "M tokens" in texts and "Immediate" in texts
    assert all(t == t.strip() and t for t in texts)
    assert "Pilot" in data_texts()
    for kind in PARTS:
        for rule in rules(kind):
            for part in rule.words.values():
                assert all(v.say in texts for v in part if any(c.isalpha() for c in v.say))


def test_keys_are_unique_and_topics_are_used() -> None:
    for kind in PARTS:
        keys = [r.key for r in rules(kind)]
        assert len(keys) == len(set(keys)), kind
    topics = {t for r in rules("finding") for t in r.topics}
    assert all(r.topics for r in rules("finding"))
    for kind in ("cause", "action", "question"):
        for rule in rules(kind):
            assert set(rule.topics) <= topics, rule.key


def test_every_finding_can_be_said() -> None:
    """Each rule of findings holds in one of the plans here, or in one of the samples."""
    from planner.plan import compute
    from planner.samples import SAMPLES

    plans = [make() for make in STORIES.values()] + [compute(make()) for make in SAMPLES.values()]
    plans.append(planned(tenants=(*guide_tenants()[:2], TenantRow(tenant="C", quota_share=0.2, fallback="reject")),
                         growth_curve="s_curve", annual_budget=1e7, **LARGE))  # fmt: skip
    plans.append(planned([llama(tokens_per_s_per_gpu=5000)], sla_tier="best_effort", total_tokens=1.8e12))
    plans.append(_with_levers())
    plans.append(planned(pools=[pool(gpus_total=4, gpus_allocated=2)], rows={"Runbooks": [RunbookRow(service="Chat")]}))
    poor = RouteRow(route="a", use_case="Assistant", model=LLAMA, request_share=1, quality_score=0.8, quality_floor=0.9)
    plans.append(planned_ledger([use_case()], rows={"Routing": [poor]}))
    plans += [planned_ledger([use_case(**more)], pools=[pool(region=HOME, gpus_total=8)])
              for more in ({"users": 200_000}, {"peak_factor": 30})]  # fmt: skip
    said = {r.key for plan in plans for r in rules("finding") if matched(r, Values(plan))}
    assert said == {r.key for r in rules("finding")}


def _with_levers() -> Plan:
    from builders import changed

    return planned(rows=changed("Levers", "Reserved capacity", on="yes"), **LARGE)


def test_levers_give_a_range() -> None:
    report = report_of(_with_levers())
    table = next(t for t in report.section("metrics").blocks if getattr(t, "key", "") == "levers")
    low, expected, high = (table.rows[-1][i].figures[0].value for i in (1, 2, 3))
    assert low < expected < high


@pytest.mark.parametrize(
    ("given", "holds"),
    [
        ({"line": "annual_tco", "above": 0}, True),
        ({"line": "annual_tco", "below": 0}, False),
        ({"line": "annual_budget", "known": False}, True),
        ({"line": "annual_budget", "above": 0}, False),
        ({"line": "budget_use", "known": False}, True),
        ({"line": "sla_tier", "is": "standard"}, True),
        ({"line": "sla_tier", "is_not": "standard"}, False),
        ({"line": "gpus_planned", "at_most": {"line": "gpus_secured"}}, True),
        ({"line": "gpus_planned", "at_least": {"line": "gpus_secured", "times": 0.01}}, True),
        ({"line": "step_gpus@rounding", "above": 0}, True),
        ({"line": "monthly_tokens@peak_month", "is": {"line": "peak_month_tokens"}}, True),
    ],
)
def test_comparisons(given: dict[str, Any], holds: bool) -> None:
    assert condition(given).holds(Values(planned()), {}) == holds


def test_a_pick_takes_the_most_of_those_that_fit() -> None:
    values = Values(planned(tenants=guide_tenants(), **LARGE))
    most = pick({"axis": "tenant", "where": [{"line": "tenant_used", "is": 1}], "most": "tenant_burst"})
    least = pick({"axis": "tenant", "where": [{"line": "tenant_used", "is": 1}], "least": "tenant_burst"})
    assert (most.choose(values, {}), least.choose(values, {})) == (0, 2)
    assert pick({"axis": "tenant", "where": [{"line": "tenant_share", "above": 2}]}).choose(values, {}) is None


@pytest.mark.parametrize("bad", ["{annual_tco", "{Annual}", "}", "{a b}"])
def test_a_brace_that_is_no_placeholder_is_refused(bad: str) -> None:
    with pytest.raises(BadTemplate):
        holes(bad)


def test_what_is_wrong_with_a_placeholder_is_said() -> None:
    none: frozenset[str] = frozenset()
    assert "no line or input" in faults(hole("anual_tco:money"), none)[0]
    assert "no format" in faults(hole("annual_tco:gold"), none)[0]
    assert "has no format" in faults(hole("annual_tco"), none)[0]
    assert "varies along" in faults(hole("model_name"), none)[0]
    assert "no entry" in faults(hole("step_gpus@peak_month:exact"), none)[0]
    assert faults(hole("model_name"), frozenset({"model"})) == []
    assert faults(hole("model_gpus_planned@peak_month:gpus"), frozenset({"model"})) == []


@pytest.mark.parametrize(
    "bad", [{"above": 0}, {"line": "annual_tco"}, {"line": "annual_tco", "near": 1}, {"line": "a", "is": 1, "above": 0}]
)
def test_a_condition_that_is_none_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(BadTemplate):
        condition(bad)


def test_a_rule_without_its_pick_does_not_hold() -> None:
    rule = Rule("finding", "x", {"say": variants("{model_name}")}, picks=(pick({"axis": "model", "where": [
        {"line": "model_gpu", "is": "none"}]}),))  # fmt: skip
    assert matched(rule, Values(planned())) is None


def test_an_entry_out_of_range_is_not_entered() -> None:
    values = Values(planned(horizon_months=1))
    assert values.value(Hole("monthly_tokens", ("phase_to",)), {"phase": 3}) is not None
    assert values.figure(Hole("phase_name", ("dearest_phase",)), {}).value
    beyond = Values(planned(rows={"Phases": (PhaseRow(phase="Late", month_start=40, month_end=41),)}))
    late = beyond.figure(Hole("month_label", ("phase_from",)), {"phase": 0})
    assert (late.value, late.at, late.text) == (None, (), "not entered")


# ---- how numbers are said


@pytest.mark.parametrize(
    ("value", "english", "chinese"),
    [
        (1.8e9, "1.80 B", "18.00亿（1,800,000,000）"),
        (150e6, "150.0 M", "1.50亿（150,000,000）"),
        (625e3, "625.0 K", "62.5万（625,000）"),
        (13333333.333, "13.3 M", "1,333.3万（13,333,333）"),
        (999, "999", "999"),
        (0, "0", "0"),
        (9999, "10.0 K", "9,999"),
        (1e8, "100.0 M", "1.00亿（100,000,000）"),
    ],
)
def test_tokens_in_words(value: float, english: str, chinese: str) -> None:
    assert tokens_in_words(value) == english
    assert tokens_in_words(value, "zh") == chinese


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (113987.8125, "money", "113,988"),
        (887.15, "money", "887.15"),
        (0.0, "money", "0"),
        (6.33266, "price", "6.333"),
        (0.999, "availability", "99.90%"),
        (1.3, "factor", "1.30×"),
        (4.0, "gpus", "4"),
        (-4.0, "gpus", "-4"),
        (2.5, "count", "3"),
        (0.0065, "number", "0.0065"),
        (1e-7, "number", "0.0000"),
        (None, "money", "not entered"),
        ("withheld: x", "money", "withheld: x"),
        ("gpu", "mode", None),
    ],
)
def test_printed(value: Any, form: str, text: str | None) -> None:
    said, _ = printed(value, form, "en")
    assert said == text if text is not None else said != value


def test_chinese_words_come_from_the_labels() -> None:
    """Every sentence goes through the translator, and figures stay in place whatever the order of the words."""
    values = Values(planned())
    t = translator("zh")
    said = values.filled("{annual_tco:money}，{gpus_planned:gpus} 张 {model_gpu} GPU", {"model": 0}, {})
    assert [f.key for f in said.figures] == ["annual_tco", "gpus_planned", "model_gpu"]
    assert A100 in said.text and t("") == ""
