"""Prices that nobody gave: said by a check and in the conclusion, never taken as nothing."""

from __future__ import annotations

from typing import Any

import pytest
from builders import at, gpt_4o, planned

from planner.plan import Plan
from planner.resources import table

LONG = next(r for r in table("api_models.csv") if r["long_context_limit_tokens"] and r["long_input_usd_per_mtok"])


def failing(plan: Plan) -> set[str]:
    """The checks that do not hold."""
    labels = plan.labels["check"]
    return {labels[i] for i, ok in enumerate(plan.values["check_state"].numbers) if ok}


@pytest.mark.parametrize(
    ("own", "tokens", "wanted"),
    [
        ({}, 1e6, set()),  # the reference's own prices: long ones are known
        ({"input_price_per_mtok": 2, "output_price_per_mtok": 8}, 1e3, set()),
        ({"input_price_per_mtok": 2, "output_price_per_mtok": 8}, 1e6, {"long_prices"}),
        ({"input_price_per_mtok": 2, "output_price_per_mtok": 8, "long_input_price_per_mtok": 4}, 1e6, set()),
        ({"input_price_per_mtok": 2, "output_price_per_mtok": 8, "long_context_share": 0}, 1e6, set()),
        ({"input_price_per_mtok": 2}, 1e3, {"prices"}),
    ],
)
def test_own_prices_against_long_requests(own: dict[str, Any], tokens: float, wanted: set[str]) -> None:
    model = gpt_4o(model=LONG["model"], **own)
    plan = planned([model], deployment_mode="api", input_tokens_per_request=tokens)
    assert failing(plan) == wanted


def test_a_model_that_nobody_prices_is_named_in_the_conclusion() -> None:
    plan = planned([gpt_4o(model="House model 7B")], deployment_mode="api")
    assert failing(plan) == {"prices"} and plan.value("checks_failed") == 1
    assert "No price for House model 7B" in str(plan.value("conclusion_basis"))
    assert str(plan.value("annual_tco")).startswith("withheld")
    assert at(plan, "model_unpriced", model=0) == 1


@pytest.mark.parametrize(("months", "said"), [(6, "has 6 month(s)"), (12, ""), (24, "")])
def test_a_first_year_of_fewer_months_is_said(months: int, said: str) -> None:
    words = str(planned([gpt_4o()], deployment_mode="api", horizon_months=months).value("conclusion_basis"))
    assert (said in words) if said else ("month(s)" not in words)
