"""The reference tables as quantities: which columns formulas look up, in which unit, and which may be blank."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from planner.calc.functions import as_serial
from planner.calc.line import Quantity
from planner.resources import table

Value = float | str | None


@dataclass(frozen=True)
class Column:
    """A column of a reference table. `unit` text means words; `optional` numbers may be blank."""

    key: str
    unit: str
    optional: bool = False
    width: float = 12


@dataclass(frozen=True)
class Reference:
    """A reference table: its axis, file, title and the columns that formulas read. Others are shown as they are."""

    axis: str
    file: str
    title: str
    columns: tuple[Column, ...]

    def rows(self) -> tuple[dict[str, str], ...]:
        """The rows of the file."""
        return table(self.file)

    def value(self, column: Column, text: str) -> Value:
        """A cell's text as a number, a day number or words."""
        if column.unit == "text":
            return text
        if not text:
            return None
        return as_serial(dt.date.fromisoformat(text)) if column.unit == "day" else float(text)

    def quantities(self) -> list[Quantity]:
        """Each column, and the rows' own numbers."""
        found = [Quantity(f"{self.axis}_number", "index", (self.axis,))]
        for c in self.columns:
            kind = "text" if c.unit == "text" else "number"
            found.append(Quantity(f"{self.axis}_{c.key}", c.unit, (self.axis,), kind, c.optional))
        return found


def _money(*keys: str) -> tuple[Column, ...]:
    return tuple(Column(k, "usd/Mtok", k not in ("input_usd_per_mtok", "output_usd_per_mtok")) for k in keys)


REFERENCES: tuple[Reference, ...] = (
    Reference(
        "priceref", "api_models.csv", "API prices, USD per million tokens",
        (
            Column("model", "text", width=30),
            *_money("input_usd_per_mtok", "cached_input_usd_per_mtok", "output_usd_per_mtok",
                    "batch_input_usd_per_mtok", "batch_output_usd_per_mtok"),
            Column("long_context_limit_tokens", "token", True),
            *_money("long_input_usd_per_mtok", "long_cached_input_usd_per_mtok", "long_output_usd_per_mtok"),
            Column("ttft_s", "s", True), Column("tpot_s", "s/token", True), Column("withdrawal_date", "day", True),
            Column("verify", "text", width=26),
        ),
    ),
    Reference(
        "modelref", "models.csv", "Memory facts of models",
        (
            Column("model", "text", width=30), Column("weights_gb_fp16", "GB/replica"),
            Column("weights_gb_fp8", "GB/replica"), Column("weights_gb_int4", "GB/replica"),
            Column("kv_bytes_per_token_fp16", "B/token"), Column("kv_bytes_per_token_fp8", "B/token"),
            Column("kv_heads", "GPU/replica"), Column("params_total_b", "parts"), Column("params_active_b", "parts"),
        ),
    ),
    Reference(
        "gpuref", "gpus.csv", "GPUs",
        (
            Column("gpu", "text", width=22), Column("memory_gb", "GB/GPU"), Column("tdp_w", "W/GPU", True),
            Column("usd_per_gpu_hour", "usd/GPU/h", True),
        ),
    ),
    Reference(
        "speedref", "throughput.csv", "Speeds, tokens per second and GPU",
        (
            Column("key", "text", width=44), Column("tokens_per_s_per_gpu", "token/s/GPU"),
            Column("throughput_basis", "text", width=10), Column("low_tokens_per_s_per_gpu", "token/s/GPU", True),
            Column("high_tokens_per_s_per_gpu", "token/s/GPU", True), Column("verify", "text", width=26),
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Constant:
    """A named number that is not an input: 3600, a million, a risk level."""

    key: str
    value: float
    unit: str
    label: str
    why: str
    source: str


def constants(language: str = "en") -> tuple[Constant, ...]:
    """All constants, in the order of the file; a language may have its own scales."""
    return tuple(
        Constant(
            r["key"], float(r.get(f"value_{language}") or r["value"]), r["unit"], r["label"], r["why"], r["source"]
        )
        for r in table("constants.csv")
    )
