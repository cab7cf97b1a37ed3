"""Ranges: drivers of one use case beside those of the whole plan, the four figures, and the random draws."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import at, gpt_4o, llama
from portfolios import planned, portfolio, use_case

from planner.calc.array import Array
from planner.calc.numbers import Engine
from planner.calc.rewrite import path_between
from planner.draws import factors, triangular
from planner.inputs.contradictions import contradictions
from planner.inputs.draft import Draft
from planner.inputs.portfolio import LEDGER_FIELDS, RangeRow
from planner.inputs.quantities import DRAWN_NAMES, FIGURES
from planner.plan import Plan, compute
from planner.report import markdown, report_of
from planner.verify.recalc import Live
from planner.workbook.layout import built
from planner.workbook.template import tabs
from planner.workbook.write import write

Row = dict[str, Any]


def near(wanted: Any) -> Any:
    return pytest.approx(wanted, rel=1e-9, abs=1e-12)


def two_cases(**assistant: Any) -> list[Any]:
    """A use case on GPUs, and a smaller one on an API."""
    coder = use_case("Coder", model="GPT-4o", users=700, input_tokens=3000, output_tokens=900, retry_rate=0)
    return [use_case(**assistant), coder]


def ranged(*rows: Row, cases: Any = None, **plan: Any) -> Plan:
    """A plan with these drivers alone."""
    drivers = [RangeRow(**{"range": f"driver {i}", **row}) for i, row in enumerate(rows)]
    models = [llama(deployment="on_prem"), gpt_4o(token_share=0, deployment="api")]
    more = {"models": models, "rows": {"Ranges": drivers}, "range_draws": 0, "deployment_mode": "hybrid"} | plan
    return planned(cases or two_cases(), **more)


def of_case(field: str, low: float | None, high: float | None, name: str = "Assistant") -> Row:
    return {"use_case": name, "ledger_field": field, "low": low, "high": high}


def ends(plan: Plan, figure: str) -> list[Any]:
    return [at(plan, f"figure_{end}", figure=figure) for end in ("optimistic", "expected", "pessimistic")]


# ---- a driver of one use case


def test_two_drivers_of_one_use_case_by_hand() -> None:
    """Users 4,000 to 7,500 of 5,000, output 240 to 420 of 300: a product inside the use case, then the sum."""
    plan = ranged(of_case("users", 4000, 7500), of_case("output_tokens", 240, 420))
    mine, other = (at(plan, "use_case_year", use_case=i) for i in (0, 1))
    assert mine == near(12 * 5000 * 0.6 * 20 * 1.5 * 1.02 * 1500)
    reads, writes = mine * 1200 / 1500, mine * 300 / 1500
    low = (reads + writes * 0.8) * 0.8 + other
    high = (reads + writes * 1.4) * 1.5 + other
    assert ends(plan, "tokens") == near([low, mine + other, high])
    single = [at(plan, "range_most", range=i, figure="tokens") for i in (0, 1)]
    assert single == near([1 + 0.5 * mine / (mine + other), 1 + 0.4 * writes / (mine + other)])


def test_api_money_follows_input_and_output_at_their_prices() -> None:
    """USD 2.50 and 10.00 per million: 900 output tokens are worth more than 3,000 of input."""
    plan = ranged(of_case("output_tokens", 450, 1800, "Coder"), of_case("input_tokens", 1500, 6000, "Coder"))
    share = 900 * 10 / (900 * 10 + 3000 * 2.5)
    assert [at(plan, "range_api", range=0, end=i) for i in (0, 1)] == near([1 - share / 2, 1 + share])
    assert [at(plan, "range_api", range=1, end=i) for i in (0, 1)] == near([1 - (1 - share) / 2, 2 - share])
    assert at(plan, "all_api", end="upper") == near(2)
    assert at(plan, "range_gpus", range=0, end=1) == near(1)


FIELDS = {"users": 5000, "adoption_to": 0.6, "transactions_per_user": 20, "requests_per_transaction": 1.5,
          "input_tokens": 1200, "output_tokens": 300, "retry_rate": 0.02, "peak_factor": 2}  # fmt: skip


def test_every_field_is_tried() -> None:
    assert tuple(FIELDS) == LEDGER_FIELDS


@pytest.mark.parametrize("field", FIELDS)
def test_the_upper_end_is_the_plan_with_that_value_on_ledger(field: str) -> None:
    """Tokens, GPUs before rounding and API money of a plan that is computed from the changed ledger."""
    own = FIELDS[field]
    up = own * 1.25 if field != "retry_rate" else 0.3
    for name in ("Assistant", "Coder"):
        cases = [c.model_copy(update=FIELDS) for c in two_cases()]
        plan = ranged(of_case(field, None, up, name), cases=cases, buffer_on_gpus="no", ha_factor=1)
        moved = [c.model_copy(update={field: up}) if c.use_case == name else c for c in cases]
        truth = ranged(cases=moved, buffer_on_gpus="no", ha_factor=1)
        for figure, i in (("tokens", 0), ("gpus", 1)):
            wanted = at(truth, "figure_expected", figure=figure)
            assert wanted > 0
            got = at(plan, "figure_expected", figure=figure) * plan.values["range_factor"].numbers[i, 1, 0]
            assert got == near(wanted), (name, figure)
        assert plan.value("range_api_part") * at(plan, "range_api", range=0, end=1) == near(
            truth.value("range_api_part")
        )


@pytest.mark.parametrize("figure", FIGURES)
def test_the_only_use_case_is_the_whole_plan(figure: str) -> None:
    whole = [{"acts_on": "tokens", "effect": "times", "low": 0.8, "expected": 1, "high": 1.5},
             {"acts_on": "tokens", "effect": "one_plus", "low": 0, "expected": 0.02, "high": 0.2},
             {"acts_on": "peak", "effect": "times", "low": 0.9, "expected": 1, "high": 1.3}]  # fmt: skip
    scoped = [of_case("users", 4000, 7500), of_case("retry_rate", 0, 0.2), of_case("peak_factor", 0.9, 1.3)]
    both = [ranged(*rows, cases=[use_case()], range_figure=figure, retries_billed="yes") for rows in (whole, scoped)]
    assert ends(both[0], figure) == near(ends(both[1], figure))
    for name in ("range_bar_low", "range_bar_high", "range_swing"):
        assert both[0].values[name].numbers == near(both[1].values[name].numbers)


def test_an_empty_expected_value_is_what_ledger_says() -> None:
    plan = ranged(of_case("users", 4000, 7500), {**of_case("adoption_to", 0.5, 0.9), "expected": 0.7})
    assert [at(plan, "range_base", range=i) for i in (0, 1)] == [5000, 0.7]
    assert at(plan, "range_own", range=1) == 0.6
    assert at(plan, "range_note", range=1) == "▲ Ledger says 0.60"
    assert plan.value("ranges_apart") == 1
    assert plan.value("checks_failed") == 1
    assert at(plan, "range_most", range=1, figure="tokens") < 1.9 / 1.4


def test_a_plan_from_the_annual_target_is_not_moved_by_a_use_case() -> None:
    ledger = ranged(of_case("users", 4000, 7500), cases=[use_case()]).inputs
    plan = compute(replace(ledger, plan=ledger.plan.model_copy(update={"demand_basis": "top_down"})))
    assert {*plan.values["range_factor"].numbers[:, :, 0].ravel()} == {1.0}
    assert at(plan, "range_note", range=0) == "– the plan does not read Ledger"


def test_retries_that_are_not_billed_cost_nothing() -> None:
    for billed, wanted in (("no", 1), ("yes", 1.3)):
        plan = ranged(of_case("retry_rate", 0, 0.3, "Coder"), retries_billed=billed)
        assert at(plan, "range_api", range=0, end=1) == near(wanted)
        assert at(plan, "range_tokens", range=0, end=1) > 1


# ---- all at once: the widest of all corners


@pytest.mark.parametrize("ops", [0.0, 20000.0])
def test_the_ends_are_the_best_and_the_worst_corner(ops: float) -> None:
    """Every combination of low and high is tried: for unit cost the best one is not where tokens are fewest."""
    rows = [
        of_case("users", 3000, 9000), of_case("output_tokens", 200, 700), of_case("users", 300, 2000, "Coder"),
        {"acts_on": "speed", "effect": "times", "low": 0.8, "expected": 1, "high": 1.4},
        {"acts_on": "price", "effect": "times", "low": 0.8, "expected": 1, "high": 1.1},
        {"acts_on": "tokens", "effect": "times", "low": 0.9, "expected": 1, "high": 1.6},
    ]  # fmt: skip
    plan = ranged(*rows, ops_per_month=ops)
    low, high = (plan.values[n].numbers for n in ("range_low_used", "range_high_used"))
    corners = np.array([np.where(pick, high[:6], low[:6]) for pick in itertools.product((0, 1), repeat=6)])
    found = _factors_at(plan, np.hstack([corners, np.tile(low[6:], (len(corners), 1))]))
    for i, figure in enumerate(FIGURES):
        best, expected, worst = ends(plan, figure)
        assert [best, worst] == near([expected * found[i].min(), expected * found[i].max()]), figure


def _factors_at(plan: Plan, values: Any) -> Any:
    """Each figure against its expected value where the drivers have these values."""
    many = {**plan.values, "range_at": Array(("end", "range"), values)}
    engine = Engine(plan.program, {**plan.labels, "end": [str(i) for i in range(len(values))]}, many)
    for name in path_between(plan.program.lines, ("range_at",), ("all_factor",)):
        if name != "range_at":
            engine.values[name] = engine.full(plan.program.exprs[name], plan.program.axes[name])
    return engine.values["all_factor"].numbers


# ---- random draws

TOKENS: Row = {"acts_on": "tokens", "effect": "times", "low": 0.8, "expected": 1, "high": 1.5}


def test_draws_without_a_range_are_the_expected_figures() -> None:
    plan = ranged({**TOKENS, "low": 1, "high": 1}, of_case("users", 5000, 5000), range_draws=500)
    for level in (10, 50, 90):
        assert plan.values[f"drawn_p{level}"].numbers == near(plan.values["figure_expected"].numbers)


def test_one_driver_is_its_triangular_distribution() -> None:
    """Quantiles of the triangle by formula, within three standard errors of a quantile of so many draws."""
    draws, low, mode, high = 20000, 0.8, 1.0, 1.5
    plan = ranged({**TOKENS, "low": low, "high": high}, range_draws=draws)
    expected = at(plan, "figure_expected", figure="tokens")
    for level in (10, 50, 90):
        p = level / 100
        turn = (mode - low) / (high - low)
        x = low + math.sqrt(p * (high - low) * (mode - low))
        x = x if p < turn else high - math.sqrt((1 - p) * (high - low) * (high - mode))
        density = 2 * (high - x) / ((high - low) * (high - mode))
        error = math.sqrt(p * (1 - p) / draws) / density
        got = at(plan, f"drawn_p{level}", figure="tokens") / expected
        assert abs(got - x) < 3 * error, level


def test_the_draws_agree_with_draws_made_otherwise() -> None:
    """Another generator, its own triangle, and tokens by hand: users and output of one use case."""
    draws = 40000
    plan = ranged(of_case("users", 4000, 9000), of_case("output_tokens", 200, 500), range_draws=draws)
    own = np.random.Generator(np.random.MT19937(7))
    users, output = own.triangular(4000, 5000, 9000, draws), own.triangular(200, 300, 500, draws)
    other = at(plan, "use_case_year", use_case=1)
    tokens = 12 * users * 0.6 * 20 * 1.5 * 1.02 * (1200 + output) + other
    for level in (10, 50, 90):
        assert at(plan, f"drawn_p{level}", figure="tokens") == pytest.approx(np.percentile(tokens, level), rel=0.01)


def test_the_same_seed_draws_the_same_numbers() -> None:
    first, again, other = (ranged(TOKENS, range_draws=1000, range_seed=s) for s in (3, 3, 4))
    for level in (10, 50, 90):
        numbers = [p.values[f"drawn_p{level}"].numbers for p in (first, again, other)]
        np.testing.assert_array_equal(numbers[0], numbers[1])
        assert (numbers[0][0] != numbers[2][0]) and numbers[2][0] == pytest.approx(numbers[0][0], rel=0.05)


def test_a_driver_below_leaves_the_draws_of_the_others() -> None:
    one, two = ranged(TOKENS, range_draws=50), ranged(TOKENS, {"acts_on": "price"}, range_draws=50)
    np.testing.assert_allclose(factors(one.engine, 50, 1)[0], factors(two.engine, 50, 1)[0], rtol=1e-12)


def test_the_triangle_at_its_edges() -> None:
    uniform = np.array([0.0, 0.25, 1.0])
    assert triangular(1.0, 1.0, 3.0, uniform) == near([1, 3 - math.sqrt(3), 3])
    assert triangular(1.0, 3.0, 3.0, uniform) == near([1, 2, 3])
    assert triangular(2.0, 2.0, 2.0, uniform) == near([2, 2, 2])
    assert triangular(1.0, 9.0, 3.0, uniform) == near([1, 2, 3])


# ---- in the workbook


def _cell(plan: Plan, context: Any, name: str, **coord: int) -> tuple[str, int, int]:
    tab, row, col = context.places.position(name, coord)
    return tab, row + 1, col + 1


def test_stale_draws_say_so_in_the_file(tmp_path: Path) -> None:
    """Any input that moves a figure or an end makes the draws stale; taken back, they are fresh again."""
    plan = ranged(TOKENS, of_case("users", 4000, 7500), range_draws=200)
    layout = built(plan)
    write(layout, tmp_path / "plan.xlsx")
    live, context = Live(tmp_path / "plan.xlsx"), layout.context
    assert context is not None
    state = _cell(plan, context, "drawn_state")
    p50 = _cell(plan, context, "drawn_p50", figure=0)
    before = live.value(*p50)
    assert before == near(at(plan, "drawn_p50", figure=0))
    assert live.value(*state).startswith("○")
    changes = [
        ("range_high", {"range": 0}, 1.7), ("use_case_users", {"use_case": 0}, 5100.0), ("range_seed", {}, 2.0),
        ("range_draws", {}, 300.0), ("ops_per_month", {}, 77.0), ("model_gpu_price_per_hour", {"model": 0}, 2.5),
    ]  # fmt: skip
    for name, coord, value in changes:
        live.set(*_cell(plan, context, name, **coord), value)
        live.recalculate()
        assert live.value(*state).startswith("▲"), name
        assert live.value(*p50) == before
        live.restore()
        assert live.value(*state).startswith("○"), name


def test_nothing_else_is_written_as_a_figure_of_the_build() -> None:
    """What does not follow edits is exactly the draws; every other figure of a reckoned tab is a formula."""
    placed = [i.value for t in tabs() for s in t.section for i in (*s.items, *s.total) if i.value]
    assert sorted(placed) == sorted(DRAWN_NAMES)


def test_the_report_marks_the_draws() -> None:
    for draws in (0, 100):
        text = markdown(report_of(ranged(TOKENS, range_draws=draws)))
        assert "Between what the figures may lie" in text
        assert ("Random draws of the same drivers, computed at build" in text) == (draws > 0)


def test_a_plan_keeps_the_draws_that_it_is_told_to_keep() -> None:
    """As a workbook does whose inputs are edited."""
    plan = ranged(TOKENS, range_draws=100)
    edited = replace(plan.inputs, plan=plan.inputs.plan.model_copy(update={"ops_per_month": 5.0}))
    kept, drawn = compute(edited, drawn_as=plan), compute(edited)
    assert kept.value("drawn_state") == "▲ Inputs have changed since: build again"
    assert drawn.value("drawn_state") == "○ Inputs are as they were when these were drawn"
    np.testing.assert_array_equal(kept.values["drawn_p50"].numbers, plan.values["drawn_p50"].numbers)


def test_a_plan_without_draws_says_so_until_some_are_asked_for() -> None:
    plan = ranged(TOKENS, range_draws=0)
    assert plan.value("drawn_state") == "– No random draws"
    for changes, state in (({"range_seed": 9.0}, "–"), ({"ops_per_month": 5.0}, "–"), ({"range_draws": 9.0}, "▲")):
        edited = replace(plan.inputs, plan=plan.inputs.plan.model_copy(update=changes))
        assert str(compute(edited, drawn_as=plan).value("drawn_state")).startswith(state), changes


# ---- rows that contradict themselves

BAD: dict[str, tuple[Row, str, str]] = {
    "no use case": ({"ledger_field": "users", "low": 1, "high": 2}, "use_case", "the use case of the field"),
    "no field": ({"use_case": "Assistant", "low": 1, "high": 2}, "ledger_field", "the field that is ranged"),
    "unknown": (of_case("users", 1, 2, "Nobody"), "use_case", "a row on Ledger"),
    "acts on": ({**of_case("users", 4000, 6000), "acts_on": "peak"}, "acts_on", "nothing: the field of Ledger says it"),
    "effect": ({**of_case("users", 4000, 6000), "effect": "times"}, "effect", "nothing: the field of Ledger says it"),
    "low": (of_case("users", 5500, 6000), "low", "at most 5000"),
    "high": (of_case("users", 4000, 4500), "high", "at least 5000"),
    "crossed": ({**TOKENS, "low": 1.2}, "low", "at most 1"),
    "adoption": (of_case("adoption_to", 0.5, 1.2), "high", "at most 1"),
    "nothing": ({**TOKENS, "low": 0}, "low", "a number above 0"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_row_that_contradicts_itself_is_refused(case: str) -> None:
    row, key, wanted = BAD[case]
    plan = portfolio(two_cases(), rows={"Ranges": [RangeRow(range="x", **row)]})
    draft = Draft(scalars=dict(plan.plan), rows=dict(plan.rows))
    found = [p for p in contradictions(draft) if p.place == draft.where_in("Ranges", key, 0)]
    assert [str(p.wanted) for p in found if "Ranges" in p.place] == [wanted]


def test_a_rate_may_be_nothing() -> None:
    rows = [
        RangeRow(range="x", **of_case("retry_rate", 0, 0.2)),
        RangeRow(range="y", **{**TOKENS, "low": 0, "effect": "one_plus"}),
    ]
    plan = portfolio(two_cases(), rows={"Ranges": rows})
    draft = Draft(scalars=dict(plan.plan), rows=dict(plan.rows))
    assert not [p for p in contradictions(draft) if "Ranges" in p.place]
