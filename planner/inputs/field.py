"""What a field of an input knows about itself: header, unit, note, bounds, list, message, example, once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from planner.resources import table

REQUIRED = object()
FROM_DATA = object()
HIGHEST = 1e15  # beyond, a float no longer holds every cent and every token of a sum


def _from_data(key: str, kind: str) -> tuple[Any, str]:
    """A default and its source from defaults.csv, typed by the field's kind."""
    row = next((r for r in table("defaults.csv") if r["key"] == key), None)
    if row is None:
        raise KeyError(f"defaults.csv has no row for {key!r}")
    text = row["value"]
    value: Any = text if kind in ("text", "choice", "yes_no") else int(text) if kind == "whole" else float(text)
    return value, row["source"]


@dataclass(frozen=True)
class Spec:
    """One input field.

    `kind`: tokens, number, whole, share, factor, money, text, choice, yes_no, month or date. `unit` is the unit that
    formulas reckon with. `choices` are the keys of a fixed list; `listed` names a list that stands in the workbook
    (a reference column or another table's keys). `optional`: blank means something and stays blank.
    """

    key: str
    label: str
    kind: str
    unit: str
    note: str
    optional: bool
    default: Any
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    listed: str = ""
    free: bool = False
    message: str = ""
    source: str = ""
    group: str = ""
    width: float = 12
    locked: bool = False
    format: str = ""
    question: str = ""
    from_data: str = ""

    @property
    def is_text(self) -> bool:
        """Whether formulas read words here."""
        return self.kind in ("text", "choice", "yes_no")

    @property
    def required(self) -> bool:
        """Whether the field must be filled by a person."""
        return not self.optional and self.default is REQUIRED


def field(
    label: str, kind: str, unit: str = "", *, note: str = "", default: Any = REQUIRED, key: str = "", **more: Any
) -> Any:
    """A pydantic field that carries its Spec. `default=None` makes it optional; FROM_DATA reads defaults.csv."""
    words = kind in ("text", "choice", "yes_no")
    if not words and kind not in ("month", "date"):
        more.setdefault("high", HIGHEST)
    low, high = more.get("low"), more.get("high")
    bounds = {}
    if low is not None:
        bounds["ge"] = low
    if high is not None:
        bounds["le"] = high
    if words and default is None:
        default = ""
        more["optional"] = True
    optional = more.pop("optional", default is None)
    if default is FROM_DATA:
        default, more["source"] = _from_data(key, kind)
        more["from_data"] = key
    extra = {"kind": kind, "unit": unit or ("text" if words else ""), "optional": optional, "default": default, **more}
    start: Any = ... if default is REQUIRED else default
    return Field(start, title=label, description=note, json_schema_extra={"spec": extra}, **bounds)


class Row(BaseModel):
    """A row of an input table, or the whole Plan list."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def specs(model: type[BaseModel]) -> dict[str, Spec]:
    """The specs of a pydantic model's fields, by key, in order. Raises ValueError for another field's default."""
    found: dict[str, Spec] = {}
    for key, info in model.model_fields.items():
        extra = info.json_schema_extra
        assert isinstance(extra, Mapping)
        known: Any = extra["spec"]
        found[key] = spec = Spec(key=key, label=info.title or key, note=info.description or "", **known)
        if spec.from_data not in ("", key):
            raise ValueError(f"{key!r} takes the default of {spec.from_data!r}")
    return found
