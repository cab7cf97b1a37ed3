"""What `--illustrative` fills in, and how a plan that is built again still knows what was only assumed."""

from __future__ import annotations

import datetime as dt
from typing import Any

from planner.inputs.draft import Draft
from planner.inputs.field import Spec, specs
from planner.inputs.scalars import PlanInputs
from planner.inputs.tables import ModelRow, PoolRow
from planner.labels import in_every_language, translator
from planner.problem import said
from planner.resources import table

MARK = said("assumed (illustrative)")
PLACED = said("deployment assumed (illustrative)")
DISCOVER = "discover"


def _defaults() -> dict[str, str]:
    return {r["key"]: r["value"] for r in table("defaults.csv")}


def assumed_value(spec: Spec) -> Any:
    """What stands in for a required scalar in an illustrative plan."""
    text = _defaults()[spec.key]
    if spec.kind == "month":
        return dt.date.fromisoformat(text)
    return text if spec.is_text else float(text)


def fill(draft: Draft) -> None:
    """Fill required gaps from defaults.csv for a rough example, mark each where it stands, and name it in the draft."""
    mark, placed = (translator(draft.language or "en")(text) for text in (MARK, PLACED))
    assumed = []
    for key, spec in specs(PlanInputs).items():
        if spec.required and key not in draft.scalars:
            draft.scalars[key] = assumed_value(spec)
            assumed.append(key)
    mode, defaults = draft.scalars["deployment_mode"], _defaults()
    models: list[Any] = list(draft.rows["Models"])
    if not any(models):
        kind, gpu = ("api", "") if mode == "api" else ("on_prem", defaults["illustrative_gpu"])
        models[:1] = [ModelRow(model=defaults[f"illustrative_{kind}_model"], token_share=1.0, gpu=gpu, source=mark)]
        assumed.append("models")
    if mode == "hybrid" and any(m is not None and not m.deployment for m in models):
        models = [_placed(m, placed) for m in models]
        assumed.append("deployment")
    draft.rows["Models"] = tuple(models)
    if mode != "api" and not any(draft.rows["Pools"]):
        draft.rows["Pools"] = (PoolRow(pool=DISCOVER, evidence_source=mark), *draft.rows["Pools"][1:])
        assumed.append("pools")
    if draft.scalars.get("currency", "USD").upper() != "USD" and "usd_to_currency" not in draft.scalars:
        draft.scalars["currency"] = "USD"
        assumed.append("currency")
    draft.sources |= {key: mark for key in assumed if key in specs(PlanInputs)}
    draft.assumed += tuple(key for key in assumed if key not in draft.assumed)


def _placed(model: Any, mark: str) -> Any:
    if model is None or model.deployment:
        return model
    source = f"{model.source}; {mark}" if model.source else mark
    return model.model_copy(update={"deployment": "on_prem" if model.gpu else "api", "source": source})


def marked(draft: Draft) -> tuple[str, ...]:
    """What a plan that was read marks as assumed, as long as nobody has typed something else over it."""
    fields, defaults = specs(PlanInputs), _defaults()
    found = [key for key, source in draft.sources.items() if _says(source, MARK) and _still(draft, fields[key])]
    names = [defaults["illustrative_api_model"], defaults["illustrative_on_prem_model"]]
    models = [m for _, m in draft.filled("Models")]
    if any(_says(m.source, MARK) and m.model in names for m in models):
        found.append("models")
    if any(_says(m.source, PLACED) for m in models):
        found.append("deployment")
    if any(_says(p.evidence_source, MARK) and p.pool == DISCOVER for _, p in draft.filled("Pools")):
        found.append("pools")
    return tuple(found)


def _says(source: str, mark: str) -> bool:
    """Whether a source is a mark, or ends in one behind a semicolon, in any language."""
    return any(m and source.split("; ")[-1] == m for m in in_every_language(mark))


def _still(draft: Draft, spec: Spec) -> bool:
    if spec.required:
        return bool(draft.scalars.get(spec.key) == assumed_value(spec))
    return spec.key == "currency" and draft.scalars.get("currency") == "USD"
