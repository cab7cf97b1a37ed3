"""The gate: what must be known before anything is computed, asked in a few questions; and what contradicts itself."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from planner.inputs.field import specs
from planner.inputs.ledger_gate import ledger_contradictions
from planner.inputs.model import Inputs
from planner.inputs.reader import Draft, refusals
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import ModelRow, PoolRow
from planner.labels import translator
from planner.problem import InputProblems, Problem, said, spoken
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
        raise InputProblems(draft.problems, draft.language)
    if any(draft.rows.get("Ledger", ())) and "total_tokens" not in draft.scalars:
        draft.scalars["total_tokens"] = 0.0  # the use cases say how much
        draft.scalars.setdefault("demand_basis", "ledger")
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
        wrong = [Problem(_place(draft, key), found, wanted, said("correct it")) for key, found, wanted in refusals(bad)]
        raise InputProblems(wrong, draft.language) from None
    return Inputs(plan, draft.rows, draft.sources, assumed, tuple(draft.warnings), draft.places)


def _place(draft: Draft, key: str) -> str:
    """The cell of a scalar; its key where it has no cell."""
    return draft.places.get(key) or _somewhere("Plan", key)


def _somewhere(tab: str, key: str) -> str:
    return said("{tab} ({key})", tab=said(tab), key=key)


def _missing(draft: Draft) -> list[Question]:
    """Most decisive first."""
    say = translator(draft.scalars.get("language", "en"))
    fields = specs(PlanInputs)
    found = []

    def ask(key: str, options: tuple[str, ...] = ()) -> None:
        if key not in draft.scalars:
            found.append(Question(key, say(fields[key].question), spoken(_place(draft, key), say), options))

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
        found.append(Question("usd_to_currency", text, spoken(_place(draft, "usd_to_currency"), say)))
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
    for tab, key in (("Models", "token_share"), ("Tenants", "quota_share")):
        used = inputs.used(tab)
        if tab == "Models" and inputs.plan.demand_basis == "ledger":
            continue  # each use case names its model
        together = sum(getattr(r, key) or 0 for r in used)
        if used and abs(together - 1) > 1e-6:
            summed, gap = f"{together:.4%}", f"{abs(together - 1):.4%}"
            what = said("token shares that sum to {sum}", sum=summed)
            if tab == "Tenants":
                what = said("quota shares that sum to {sum}", sum=summed)
            do = said("correct the shares; {gap} of the tokens belong to nobody", gap=gap)
            if together > 1:
                do = said("correct the shares; {gap} of the tokens are promised twice", gap=gap)
            found.append(Problem(_somewhere(tab, key), what, "100 %", do))
    for key, tab, column in (("growth_curve", "Curves", "curve"), ("sla_tier", "SLA tiers", "sla_tier")):
        keys = [getattr(r, column) for r in inputs.used(tab)]
        chosen = getattr(inputs.plan, key)
        if chosen.lower() not in [k.lower() for k in keys]:
            wanted = said("one of {options}", options=", ".join(keys))
            do = said("choose one, or add a row on {tab}", tab=said(tab))
            found.append(Problem(_somewhere("Plan", key), repr(chosen), wanted, do))
    found += ledger_contradictions(inputs)
    plan = inputs.plan
    if plan.currency.strip().upper() == "USD" and plan.usd_to_currency not in (None, 1.0):
        do = said("empty the rate, or name the plan's currency")
        what = said("{rate} units for 1 USD in a plan in USD", rate=plan.usd_to_currency)
        found.append(Problem(_somewhere("Plan", "usd_to_currency"), what, said("no rate, or 1"), do))
    if plan.input_parts + plan.output_parts <= 0:
        do = said("type the parts, for example 3 and 1")
        found.append(Problem(_somewhere("Plan", "input_parts"), "0 : 0", said("a ratio of input to output"), do))
    return found


def tidied(inputs: Inputs) -> Inputs:
    """The inputs as a plan holds them: currency in capitals."""
    return replace(inputs, plan=inputs.plan.model_copy(update={"currency": inputs.plan.currency.strip().upper()}))
