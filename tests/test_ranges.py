"""Ranges: drivers of one use case beside those of the whole plan, the four figures, and the random draws."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asking import refused
from builders import LLAMA, at, gpt_4o, llama
from portfolios import planned, portfolio, use_case
from workbooks import Edited, sample

from planner.calc.array import Array
from planner.calc.numbers import Engine
from planner.calc.rewrite import path_between
from planner.draws import factors, triangular
from planner.inputs.contradictions import contradictions
from planner.inputs.draft import Draft
from planner.inputs.portfolio import LEDGER_FIELDS, RangeRow
from planner.inputs.quantities import DRAWN_NAMES, FIGURES
from planner.inputs.range_gate import _own
from planner.plan import Plan, compute
from planner.report import markdown, report_of
from planner.verify.recalc import Live
from planner.workbook.layout import built
from planner.workbook.template import tabs
from planner.workbook.write import write

Row = dict[str, Any]
TOKENS: Row = {"acts_on": "tokens", "effect": "times", "low": 0.8, "expected": 1, "high": 1.5}


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


TIERED = [use_case(), use_case("Nightly", service_tier="tier_3", input_tokens=4000.0, output_tokens=100.0,
                               peak_factor=3.0), use_case("Firm", service_tier="tier_2", users=900.0)]  # fmt: skip


@pytest.mark.parametrize("field", ["users", "output_tokens", "peak_factor"])
def test_gpus_follow_the_buffer_and_the_headroom_of_each_tier(field: str) -> None:
    """Three tiers on one model at the default buffer and HA: GPUs before rounding of a plan from the changed ledger."""
    up = {"users": 9000.0, "output_tokens": 700.0, "peak_factor": 4.0}[field]
    for i, case in enumerate(TIERED):
        plan = ranged(of_case(field, None, up, case.use_case), cases=TIERED)
        moved = [c.model_copy(update={field: up}) if c is case else c for c in TIERED]
        truth = ranged(cases=moved)
        wanted = at(truth, "figure_expected", figure="gpus") / at(plan, "figure_expected", figure="gpus")
        assert wanted > 1.001
        assert at(plan, "range_factor", figure="gpus", end=1, range=0) == near(wanted), i
    assert len({at(plan, "stream_headroom", stream=i) for i in range(3)}) > 1
    assert at(plan, "gpu_buffer") * at(plan, "gpu_ha") > 1


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
        plan = ranged(of_case(field, None, up, name), cases=cases)
        moved = [c.model_copy(update={field: up}) if c.use_case == name else c for c in cases]
        truth = ranged(cases=moved)
        for figure, i in (("tokens", 0), ("gpus", 1)):
            wanted = at(truth, "figure_expected", figure=figure)
            assert wanted > 0
            got = at(plan, "figure_expected", figure=figure) * plan.values["range_factor"].numbers[i, 1, 0]
            assert got == near(wanted), (name, figure)
        assert plan.value("range_api_part") * at(plan, "range_api", range=0, end=1) == near(
            truth.value("range_api_part")
        )


@pytest.mark.parametrize(("figure", "model", "billed"), [
    *((figure, LLAMA, "yes") for figure in FIGURES), ("tco", "GPT-4o", "yes"), ("tco", "GPT-4o", "no"),
    ("unit_cost", "GPT-4o", "no"), ("tco", LLAMA, "no"),
])  # fmt: skip
def test_the_only_use_case_is_the_whole_plan(figure: str, model: str, billed: str) -> None:
    """Retries that are not billed among them: they cost GPUs and no API money, of one use case and of the plan."""
    whole = [{"acts_on": "tokens", "effect": "times", "low": 0.8, "expected": 1, "high": 1.5},
             {"acts_on": "tokens", "effect": "one_plus", "low": 0, "expected": 0.02, "high": 0.2},
             {"acts_on": "peak", "effect": "times", "low": 0.9, "expected": 1, "high": 1.3}]  # fmt: skip
    scoped = [of_case("users", 4000, 7500), of_case("retry_rate", 0, 0.2), of_case("peak_factor", 0.9, 1.3)]
    both = [
        ranged(*rows, cases=[use_case(model=model)], range_figure=figure, retries_billed=billed)
        for rows in (whole, scoped)
    ]
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


def test_a_rate_on_prices_is_no_retry() -> None:
    """Typed as 1 + the rate, such as a tax: API money follows, whatever is billed of retries."""
    tax = {"acts_on": "price", "effect": "one_plus", "low": 0, "expected": 0, "high": 0.2}
    plan = ranged(tax, cases=[use_case(model="GPT-4o")], retries_billed="no")
    assert at(plan, "range_factor", figure="tco", end=1, range=0) == near(1.2)


def test_nothing_expected_where_ledger_says_nothing_is_the_plan() -> None:
    """0 typed on a retry rate of 0: it starts from Ledger."""
    plan = ranged({**of_case("retry_rate", 0, 0.2, "Coder"), "expected": 0})
    assert (plan.value("ranges_apart"), plan.value("checks_failed")) == (0, 0)
    assert at(plan, "range_note", range=0) == "○"
    assert ranged({**of_case("retry_rate", 0, 0.2, "Coder"), "expected": 0.1}).value("ranges_apart") == 1


@pytest.mark.parametrize("field", FIELDS)
def test_an_empty_cell_of_ledger_is_the_same_before_and_in_the_plan(field: str) -> None:
    """What refuses a row and what ranges it take an empty cell for the same number."""
    case = use_case().model_copy(update={field: None})
    row = RangeRow(range="x", **of_case(field, None, None))
    assert at(ranged(of_case(field, None, None), cases=[case]), "range_own", range=0) == _own(row, case)


def test_adoption_that_starts_high_cannot_be_scaled_above_everybody() -> None:
    """From 90 % to 50 %: at a full adoption of 100 % the first months would be at 180 %."""
    fading = two_cases(adoption_from=0.9, adoption_to=0.5, adoption_shape="linear", adoption_end=12.0)
    for high, beyond in ((1.0, 1), (0.56, 1), (0.55, 0)):
        plan = ranged(of_case("adoption_to", 0.4, high), cases=fading)
        assert (at(plan, "range_beyond", range=0), plan.value("ranges_unusable")) == (beyond, beyond), high
        assert at(plan, "range_note", range=0) == ("■ cannot be used" if beyond else "▲ scales Adoption, first, too")
        draft = Draft(scalars=dict(plan.inputs.plan), rows=dict(plan.inputs.rows))
        wanted = [str(p.wanted) for p in contradictions(draft) if "Ranges" in p.place]
        assert wanted == (["at most 0.5555"] if beyond else []), high
    assert at(ranged(of_case("adoption_to", 0.4, 0.9)), "range_note", range=0) == "○"


def test_a_driver_that_does_nothing_says_so() -> None:
    stopped = [use_case(), use_case("Later", approval="proposed"), use_case("Gone", approval="stopped")]
    rows = [of_case("users", 4000, 7500, name) for name in ("Assistant", "Later", "Gone")]
    plan = ranged(*rows, {**TOKENS, "acts_on": ""}, {**TOKENS, "expected": None}, TOKENS, cases=stopped)
    notes = [at(plan, "range_note", range=i) for i in range(6)]
    assert notes == ["○", *["– does not count in the base"] * 2, "– acts on nothing", "■ cannot be used", "○"]
    assert [at(plan, "range_most", range=i, figure="tokens") for i in range(6)] == near([1.5, 1, 1, 1, 1, 1.5])


def test_input_of_an_unknown_cost_is_no_part_of_it() -> None:
    """A model without an output price has no API cost; its input price alone is no part of that."""
    models = [llama(deployment="on_prem"), gpt_4o(token_share=0, deployment="api", output_price_per_mtok=None)]
    unknown = ranged(of_case("users", 500, 900, "Coder"), models=[models[0], models[1].model_copy(update={"model": "X"})],
                     cases=[use_case(), use_case("Coder", model="X", users=700)])  # fmt: skip
    assert [at(unknown, f"stream_api_{n}", stream=1) for n in ("known", "reads")] == [0, 0]


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


@pytest.mark.parametrize("seed", range(3))
def test_random_drivers_have_their_best_and_worst_corner(seed: int) -> None:
    """Tokens, GPUs and TCO exactly; unit cost, where each end is chosen by itself, never beyond, and about there."""
    draw = np.random.default_rng(seed)
    fields = [("users", 5000), ("output_tokens", 300), ("retry_rate", 0.02), ("peak_factor", 2)]
    rows = [of_case(f, v * draw.uniform(0.2, 1), v * draw.uniform(1, 4)) for f, v in fields]
    rows += [{"acts_on": k, "effect": "times", "low": draw.uniform(0.3, 1), "expected": 1, "high": draw.uniform(1, 3)}
             for k in ("tokens", "speed", "price")]  # fmt: skip
    rows += [{"acts_on": "tokens", "effect": "one_plus", "low": 0, "expected": 0.1, "high": draw.uniform(0.1, 1)}]
    plan = ranged(*rows, cases=two_cases(peak_factor=2.0), ops_per_month=draw.uniform(0, 40000))
    n = len(rows)
    low, high = (plan.values[x].numbers for x in ("range_low_used", "range_high_used"))
    corners = np.array([np.where(pick, high[:n], low[:n]) for pick in itertools.product((0, 1), repeat=n)])
    found = _factors_at(plan, np.hstack([corners, np.tile(low[n:], (len(corners), 1))]))
    for i, figure in enumerate(FIGURES):
        best, expected, worst = ends(plan, figure)
        corner = [expected * found[i].min(), expected * found[i].max()]
        if figure != "unit_cost":
            assert [best, worst] == near(corner), figure
        else:
            assert corner[0] * (1 - 1e-9) <= best <= corner[0] * 1.1
            assert corner[1] * (1 + 1e-9) >= worst >= corner[1] * 0.9


def test_independent_ends_lie_between_all_at_once() -> None:
    """Three drivers from a tenth: the root of three squares is 156 % of the plan, and nothing is below nothing."""
    rows = [
        {**TOKENS, "low": 0.1, "high": 6},
        *(of_case(f, v / 10, v * 5) for f, v in (("users", 5000), ("peak_factor", 2))),
    ]
    plan = ranged(*rows, {"acts_on": "price", "effect": "times", "low": 0.1, "expected": 1, "high": 1.1},
                  cases=[use_case(peak_factor=2.0)])  # fmt: skip
    for figure in FIGURES:
        best, expected, worst = ends(plan, figure)
        low, high = (at(plan, f"figure_{end}", figure=figure) for end in ("low", "high"))
        assert 0 < best <= low < expected < high <= worst, figure
    assert at(plan, "figure_low", figure="gpus") == at(plan, "figure_optimistic", figure="gpus")


def _factors_at(plan: Plan, values: Any) -> Any:
    """Each figure against its expected value where the drivers have these values."""
    many = {**plan.values, "range_at": Array(("end", "range"), values)}
    engine = Engine(plan.program, {**plan.labels, "end": [str(i) for i in range(len(values))]}, many)
    for name in path_between(plan.program.lines, ("range_at",), ("all_factor",)):
        if name != "range_at":
            engine.values[name] = engine.full(plan.program.exprs[name], plan.program.axes[name])
    return engine.values["all_factor"].numbers


# ---- random draws


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


def test_more_draws_than_memory_holds_are_refused(tmp_path: Path) -> None:
    edited = Edited(sample("ledger").input)
    [problem] = refused(edited.plan(range_draws=100001).save(tmp_path / "input.xlsx"))
    assert problem.startswith(edited.where("range_draws") + ": found 100001; wanted")


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
    "no expected": ({**TOKENS, "expected": None}, "expected", "the value that low and high stand around"),
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
