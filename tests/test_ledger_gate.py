"""What is refused before a plan on a ledger is built: blank demand, names of nothing, tests still to come."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from asking import refused, typed
from builders import LLAMA, pool
from portfolios import planned, portfolio, scenarios, tiers, use_case
from workbooks import Edited, Formula, column_of, planner, sample

from planner import cli
from planner.inputs.contradictions import contradictions
from planner.inputs.draft import Draft
from planner.inputs.portfolio_tables import InstrumentRow, RunbookRow
from planner.inputs.tables import TenantRow
from planner.inputs.typed import volume_in_words
from planner.problem import Problem


def problems(*cases: Any, rows: dict[str, Any] | None = None, **plan: Any) -> list[Problem]:
    said = portfolio(cases or [use_case()], rows=rows, **plan)
    return contradictions(Draft(scalars=dict(said.plan), rows=said.rows))


@pytest.mark.parametrize("approval", ["production", "approved"])
@pytest.mark.parametrize("key", ["users", "transactions_per_user", "requests_per_transaction"])
def test_a_blank_figure_of_demand_is_not_zero(key: str, approval: str) -> None:
    [problem] = problems(use_case(approval=approval, **{key: None}))
    assert (problem.place, problem.found) == (f"Ledger ({key})", "nothing")
    assert problem.wanted.endswith(", 0 where there are none")
    assert not problems(use_case(approval=approval, **{key: 0}))
    assert not problems(use_case(approval="proposed", **{key: None}), use_case("B", approval="stopped", **{key: None}))


def test_blank_tokens_are_not_zero_and_one_of_the_two_is_enough() -> None:
    [problem] = problems(use_case(input_tokens=None, output_tokens=None))
    assert (problem.place, problem.found) == ("Ledger (input_tokens)", "nothing")
    assert not problems(use_case(input_tokens=None)) and not problems(use_case(output_tokens=None))


def test_a_cell_that_was_refused_is_not_blank_too(tmp_path: Path) -> None:
    edited = Edited(sample("ledger").input).row("Ledger", 1, users="many").row("Ledger", 2, users=None)
    found = refused(edited.save(tmp_path / "input.xlsx"))
    users = column_of("Ledger", "users")
    assert [line.partition(";")[0] for line in found] == [
        f"Ledger!{users}6: found 'many'", f"Ledger!{users}7: found nothing"
    ]  # fmt: skip


def unit(**fields: Any) -> dict[str, Any]:
    return {"Supply": (InstrumentRow(**{"instrument": "PTU", "instrument_kind": "committed"} | fields),)}


@pytest.mark.parametrize(
    ("rows", "place", "found"),
    [
        (unit(unit_kind="provisioned", model="Llama 4"), "Supply (model)", "'Llama 4'"),
        (unit(unit_kind="provisioned"), "Supply (model)", "nothing"),
        (unit(instrument_kind="fallback", model="Llama 4"), "Supply (model)", "'Llama 4'"),
        (unit(gpu="A100-80GB-SXM", pool="mian"), "Supply (pool)", "'mian'"),
        ({"Tiers": tiers(tier_1={"sla_tier": "platinum"})}, "Tiers (sla_tier)", "'platinum'"),
        ({"Scenarios": scenarios(migrate_from="Llama 3 70B")}, "Scenarios (migrate_to)",
         "nothing, while the row has 'Model left'"),
        ({"Scenarios": scenarios(migrate_to="Llama 3 70B")}, "Scenarios (migrate_from)",
         "nothing, while the row has 'Model taken'"),
    ],
)  # fmt: skip
def test_names_of_nothing_are_refused(rows: dict[str, Any], place: str, found: str) -> None:
    [problem] = problems(rows=rows)
    assert (problem.place, problem.found) == (place, found)


def test_names_that_are_not_needed_may_be_missing() -> None:
    for rows in (
        unit(model="Llama 4"),  # GPUs: the model is for the record
        unit(instrument_kind="fallback", path="rules"),  # of the whole plan
        {"Tiers": tiers(tier_1={"sla_tier": ""})},
        {"Scenarios": scenarios(migrate_from=LLAMA, migrate_to=LLAMA.upper())},
    ):
        assert not problems(rows=rows)


def test_supply_is_held_to_its_names_without_a_ledger_too(tmp_path: Path) -> None:
    edited = Edited(sample("on-prem").input)
    edited.row("Supply", 1, instrument="PTU", unit_kind="provisioned", model="Llama 4", pool="nowhere")
    found = refused(edited.save(tmp_path / "input.xlsx"))
    assert [line.partition(": found")[0] for line in found] == [
        f"Supply!{column_of('Supply', key)}6" for key in ("pool", "model")
    ]


def test_a_test_still_to_come_is_no_test() -> None:
    day = dt.date(2027, 3, 1)
    runbook = {"Runbooks": (RunbookRow(service="Desk", service_tier=1, last_test=day),)}
    for rows, cases, place in (
        (runbook, [], "Runbooks (last_test)"),
        ({}, [use_case(last_failover_test=day)], "Ledger (last_failover_test)"),
        (unit(instrument_kind="fallback", path="rules", last_test=day), [], "Supply (last_test)"),
    ):
        [problem] = problems(*cases, rows=rows, start_month=dt.date(2027, 1, 1))
        assert (problem.place, problem.found) == (place, "2027-03-01")
        assert problem.wanted == "a date that has passed by 2027-01-01"
        assert not problems(*cases, rows=rows, start_month=dt.date(2027, 1, 1), as_of=day)


def test_names_are_quoted_as_they_were_typed() -> None:
    tenants = tuple(TenantRow(tenant=name, quota_share=0.5) for name in ("Everybody", "EVERYBODY"))
    [problem] = problems(rows={"Tenants": tenants})
    assert problem.found == "'EVERYBODY' on two rows"
    [problem] = problems(pools=[pool(gpus_total=4, gpus_healthy=7, region="eu-west")])
    assert problem.found == "7 healthy GPUs of 4"


def test_a_name_that_cannot_be_read_is_one_problem(tmp_path: Path) -> None:
    edited = Edited(sample("hybrid").input).row("Models", 1, model=Formula('="Llama"&" 3"'))
    [line] = refused(edited.save(tmp_path / "input.xlsx"))
    assert line.startswith("Models!C6: found the formula") and "without a stored value" in line


def test_a_pool_of_no_kind_of_gpu_is_told(tmp_path: Path) -> None:
    [problem] = problems(pools=[pool(gpu="", gpus_total=8, region="eu-west")])
    assert (problem.place, problem.found) == ("Pools (gpu)", "no GPU, with 8 GPUs in the pool")
    edited = Edited(sample("hybrid").input).row("Pools", 2, gpu=None)
    outcome = planner("check", edited.save(tmp_path / "input.xlsx"))
    cell = f"Pools!{column_of('Pools', 'gpu')}7"
    assert outcome.code == 0 and f"{cell}: no GPU, with" in outcome.err


def test_check_counts_the_use_cases_and_build_says_the_plans_own_tokens(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = planner("check", sample("ledger").input)
    cases = [r for r in typed(sample("ledger").input)["Ledger"] if r is not None]
    count = sum(r.approval in ("production", "approved") for r in cases)
    assert outcome.out.endswith(f"Demand comes from the ledger: {count} of {len(cases)} use cases count.\n")
    plan = planned([use_case()])
    cli._summary(plan, [])
    words = volume_in_words(float(str(plan.value("annual_tokens"))), "en")
    assert f"Total tokens in the first year: {words}." in " ".join(capsys.readouterr().out.split())
