"""The gate: what must be known before anything is computed, asked in a few questions; and what contradicts itself."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from planner.inputs.field import specs
from planner.inputs.model import Inputs
from planner.inputs.reader import Draft
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import ModelRow, PoolRow
from planner.labels import translator
from planner.problem import InputProblems, Problem
from planner.resources import table

AT_MOST = 3


@dataclass(frozen=True)
class Question:
    """One question, with the cell that the answer belongs in and the answers to choose from."""

    key: str
    text: str
    place: str
    options: tuple[str, ...] = ()


class Questions(Exception):
    """Required inputs are missing: nothing is computed until they are answered."""

    def __init__(self, questions: list[Question], language: str) -> None:
        self.questions, self.language = questions, language
        super().__init__("\n".join(q.text for q in questions))


def passed(draft: Draft, illustrative: bool = False) -> Inputs:
    """Typed inputs, or InputProblems, or Questions. `illustrative` fills gaps from defaults.csv and names them."""
    if draft.problems:
        raise InputProblems(draft.problems)
    assumed = _fill(draft) if illustrative else ()
    missing = _missing(draft)
    if missing:
        raise Questions(missing[:AT_MOST], draft.scalars.get("language", "en"))
    return typed_inputs(draft, assumed)


def typed_inputs(draft: Draft, assumed: tuple[str, ...] = ()) -> Inputs:
    """The draft as typed inputs, without asking for what the formulas can do without (a pool, a rate)."""
    try:
        plan = PlanInputs(**draft.scalars)
    except ValidationError as bad:
        raise InputProblems([_problem(draft, e) for e in bad.errors()]) from None
    return Inputs(plan, draft.rows, draft.sources, assumed, tuple(draft.warnings))


def _problem(draft: Draft, error: Any) -> Problem:
    key = str(error["loc"][0])
    return Problem(draft.places.get(key, f"Plan ({key})"), repr(error["input"]), error["msg"].lower(), "correct it")


def _missing(draft: Draft) -> list[Question]:
    """Most decisive first."""
    say = translator(draft.scalars.get("language", "en"))
    fields = specs(PlanInputs)
    found = []

    def ask(key: str, options: tuple[str, ...] = ()) -> None:
        if key not in draft.scalars:
            found.append(Question(key, say(fields[key].question), draft.places.get(key, f"Plan ({key})"), options))

    ask("total_tokens")
    if not any(draft.rows.get("Models", ())):
        text = "Which model or models serve the tokens (for example GPT-4o, or Llama 3 70B)?"
        found.append(Question("models", say(text), "Models (first row)"))
    ask("deployment_mode", fields["deployment_mode"].choices)
    mode = draft.scalars.get("deployment_mode")
    models: list[Any] = [m for m in draft.rows.get("Models", ()) if m is not None]
    if mode == "hybrid" and any(not m.deployment for m in models):
        names = ", ".join(m.model for m in models if not m.deployment)
        text = say("Where does each of these run, api or on_prem: {names}?").format(names=names)
        found.append(Question("deployment", text, "Models (Deployment)", ("api", "on_prem")))
    on_gpus = mode == "on_prem" or (mode == "hybrid" and any(m.deployment == "on_prem" for m in models))
    if on_gpus and not any(draft.rows.get("Pools", ())):
        text = "Which GPU pool or pools may be used? Name them on Pools, or write discover."
        found.append(Question("pools", say(text), "Pools (first row)", ("discover",)))
    ask("usage_pattern", fields["usage_pattern"].choices)
    tiers = tuple(str(vars(t)["sla_tier"]) for t in draft.rows.get("SLA tiers", ()) if t is not None)
    ask("sla_tier", tiers)
    ask("start_month")
    currency = draft.scalars.get("currency", "USD")
    if currency.upper() != "USD" and "usd_to_currency" not in draft.scalars:
        text = say("Reference prices are in USD: how many {currency} is 1 USD?").format(currency=currency)
        found.append(Question("usd_to_currency", text, draft.places.get("usd_to_currency", "Plan (usd_to_currency)")))
    return found


def _fill(draft: Draft) -> tuple[str, ...]:
    """Fill required gaps from defaults.csv for a rough example; the names of what was assumed."""
    assumed = []
    defaults = {r["key"]: r["value"] for r in table("defaults.csv")}
    for key, spec in specs(PlanInputs).items():
        if key in draft.scalars or not spec.required:
            continue
        text = defaults[key]
        if spec.kind == "month":
            draft.scalars[key] = dt.date.fromisoformat(text)
        else:
            draft.scalars[key] = text if spec.is_text else float(text)
        assumed.append(key)
    mode = draft.scalars["deployment_mode"]
    models: list[Any] = list(draft.rows["Models"])
    if not any(models):
        kind = "api" if mode == "api" else "on_prem"
        name, gpu = defaults[f"illustrative_{kind}_model"], "" if kind == "api" else defaults["illustrative_gpu"]
        models[:1] = [ModelRow(model=name, deployment="", token_share=1.0, gpu=gpu)]
        assumed.append("models")
    if mode == "hybrid" and any(m is not None and not m.deployment for m in models):
        models = [_placed(m) for m in models]
        assumed.append("deployment")
    draft.rows["Models"] = tuple(models)
    if mode != "api" and not any(draft.rows["Pools"]):
        draft.rows["Pools"] = (PoolRow(pool="discover"), *draft.rows["Pools"][1:])
        assumed.append("pools")
    if draft.scalars.get("currency", "USD").upper() != "USD" and "usd_to_currency" not in draft.scalars:
        draft.scalars["currency"] = "USD"
        assumed.append("currency")
    return tuple(assumed)


def _placed(model: Any) -> Any:
    if model is None or model.deployment:
        return model
    return model.model_copy(update={"deployment": "on_prem" if model.gpu else "api"})


def contradictions(inputs: Inputs) -> list[Problem]:
    """Shares that do not add up, and choices that no row answers: a plan on them would be wrong in every number."""
    found = []
    for tab, key, what in (("Models", "token_share", "token shares"), ("Tenants", "quota_share", "quota shares")):
        used = inputs.used(tab)
        together = sum(getattr(r, key) or 0 for r in used)
        if used and abs(together - 1) > 1e-6:
            over = "are promised twice" if together > 1 else "belong to nobody"
            found.append(
                Problem(f"{tab} ({key})", f"{what} that sum to {together:.4%}", "100 %",
                        f"correct the shares; {abs(together - 1):.4%} of the tokens {over}")
            )  # fmt: skip
    for key, tab, column in (("growth_curve", "Curves", "curve"), ("sla_tier", "SLA tiers", "sla_tier")):
        keys = [getattr(r, column) for r in inputs.used(tab)]
        chosen = getattr(inputs.plan, key)
        if chosen.lower() not in [k.lower() for k in keys]:
            found.append(
                Problem(
                    f"Plan ({key})", repr(chosen), f"one of {', '.join(keys)}", f"choose one, or add a row on {tab}"
                )
            )
    return found


def tidied(inputs: Inputs) -> Inputs:
    """The inputs as a plan holds them: currency in capitals."""
    return replace(inputs, plan=inputs.plan.model_copy(update={"currency": inputs.plan.currency.strip().upper()}))
