"""The gate: what must be known before anything is computed, asked in a few questions."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from planner.inputs.assumed import fill
from planner.inputs.contradictions import contradictions
from planner.inputs.draft import Draft
from planner.inputs.field import specs
from planner.inputs.ledger_gate import nameless_pools
from planner.inputs.model import Inputs
from planner.inputs.reader import refusals
from planner.inputs.scalars import PlanInputs
from planner.labels import translator
from planner.problem import InputProblems, Problem, Question, Questions, said, spoken

AT_MOST = 3


def passed(draft: Draft, illustrative: bool = False, lenient: bool = False) -> Inputs:
    """Typed inputs, or InputProblems (every one of them), or Questions.

    `illustrative` fills gaps from defaults.csv and names them; `lenient` leaves contradictions to the plan's checks.
    """
    if any(draft.rows.get("Ledger", ())) and "total_tokens" not in draft.scalars:
        draft.scalars["total_tokens"] = 0.0  # the use cases say how much
        draft.scalars.setdefault("demand_basis", "ledger")
    wrong = [*draft.problems, *([] if lenient else contradictions(draft))]
    if wrong:
        raise InputProblems(wrong, draft.language)
    if illustrative:
        fill(draft)
    if not any(draft.rows.get("Ledger", ())):
        draft.warnings += [said("{place}: {found}; {wanted}.", place=p, found=f, wanted=w)
                           for p, f, w, _ in nameless_pools(draft)]  # fmt: skip
    missing = _missing(draft)
    if missing:
        raise Questions(missing[:AT_MOST], draft.scalars.get("language", "en"))
    return typed_inputs(draft)


def typed_inputs(draft: Draft) -> Inputs:
    """The draft as typed inputs, without asking for what the formulas can do without (a pool, a rate).

    The currency is held in capitals.
    """
    try:
        plan = PlanInputs(**draft.scalars)
    except ValidationError as bad:
        wrong = [Problem(draft.where(key), found, wanted, said("correct it")) for key, found, wanted in refusals(bad)]
        raise InputProblems(wrong, draft.language) from None
    plan = plan.model_copy(update={"currency": plan.currency.strip().upper()})
    return Inputs(plan, draft.rows, draft.sources, draft.assumed, tuple(draft.warnings))


def unfinished(draft: Draft) -> Inputs:
    """The draft as inputs in which answers may still be missing, for commands that fill a table of a workbook."""
    if draft.problems:
        raise InputProblems(draft.problems, draft.language)
    blank = {k: None if s.required else s.default for k, s in specs(PlanInputs).items()}
    plan = PlanInputs.model_construct(**{**blank, **draft.scalars})
    return Inputs(plan, draft.rows, draft.sources, draft.assumed, tuple(draft.warnings))


def _missing(draft: Draft) -> list[Question]:
    """Most decisive first."""
    say = translator(draft.scalars.get("language", "en"))
    fields = specs(PlanInputs)
    found = []

    def ask(key: str, options: tuple[str, ...] = ()) -> None:
        if key not in draft.scalars:
            found.append(Question(key, say(fields[key].question), spoken(draft.where(key), say), options))

    ask("total_tokens")
    if not any(draft.rows.get("Models", ())):
        text = "Which model or models serve the tokens (for example GPT-4o, or Llama 3 70B)?"
        found.append(Question("models", say(text), say("Models (first row)")))
    ask("deployment_mode", fields["deployment_mode"].choices)
    mode = draft.scalars.get("deployment_mode")
    models: list[Any] = [m for m in draft.rows.get("Models", ()) if m is not None]
    if mode == "hybrid" and any(not m.deployment for m in models):
        names = ", ".join(m.model for m in models if not m.deployment)
        text = say("Where does each of these run, api or on_prem: {names}?").format(names=names)
        found.append(Question("deployment", text, say("Models (Deployment)"), ("api", "on_prem")))
    on_gpus = mode == "on_prem" or (mode == "hybrid" and any(m.deployment == "on_prem" for m in models))
    if on_gpus and not any(draft.rows.get("Pools", ())):
        text = "Which GPU pool or pools may be used? Name them on Pools, or write discover."
        found.append(Question("pools", say(text), say("Pools (first row)"), ("discover",)))
    ask("usage_pattern", fields["usage_pattern"].choices)
    tiers = tuple(str(vars(t)["sla_tier"]) for t in draft.rows.get("SLA tiers", ()) if t is not None)
    ask("sla_tier", tiers)
    ask("start_month")
    currency = draft.scalars.get("currency", "USD")
    if currency.upper() != "USD" and "usd_to_currency" not in draft.scalars:
        text = say("Reference prices are in USD: how many {currency} is 1 USD?").format(currency=currency)
        found.append(Question("usd_to_currency", text, spoken(draft.where("usd_to_currency"), say)))
    return found
