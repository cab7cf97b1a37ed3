"""Rows of evidence put into the Pools of a workbook: what was measured is set, what people wrote stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from planner.evidence.pools import OWN
from planner.inputs.field import Row
from planner.inputs.model import with_room
from planner.inputs.tables import TABLES, PoolRow
from planner.labels import squeezed
from planner.problem import Said, listed, said

POOLS = next(t for t in TABLES if t.tab == "Pools")
PLACEHOLDER = "discover"
NAMING = ("pool", "cluster", "region")
DATED = ("evidence_date", "evidence_source")
TYPED = "autoscaler_max_gpus"  # no source gives it
MARK = "; measured: "
MEASURED = tuple(k for k in POOLS.specs if k not in (*NAMING, *DATED, "mode", "gpu"))


@dataclass
class Merged:
    """The rows of the tab afterwards, and what was done to which."""

    rows: tuple[Row | None, ...]
    remarks: list[Said] = field(default_factory=list)


def merged(rows: Sequence[Row | None], evidence: Sequence[PoolRow]) -> Merged:
    """Set each pool's row: the row of its name, else the only one of its GPU and mode, else a new one."""
    kept: list[Any] = list(rows)
    evidence = [signed(r) for r in evidence]
    out = Merged(())
    homes = {i: at for i, new in enumerate(evidence) if (at := _named(kept, new)) is not None}
    taken: set[int] = set(homes.values())
    for i, new in enumerate(evidence):
        at = homes[i] if i in homes else _alike(kept, new, taken, out)
        if at is None:
            at = next((i for i, r in enumerate(kept) if r is None), len(kept))
            kept[at : at + 1] = [new]
        else:
            kept[at] = _updated(kept[at], new, out)
        taken.add(at)
    for i, row in enumerate(kept):
        if row is not None and i not in taken and _placeholder(row):
            kept[i] = None
        elif row is not None and i not in taken and row.evidence_source.startswith(OWN):
            out.remarks.append(
                said(
                    "{pool}: not seen this time; its row stays as it was on {date}.",
                    pool=row.pool,
                    date=row.evidence_date,
                )
            )
    out.rows = with_room(POOLS, [r for r in kept if r is not None], at_least=len(rows))
    return out


def _placeholder(row: Any) -> bool:
    """A row that only says that nobody has counted yet."""
    return squeezed(row.pool) == PLACEHOLDER and all(getattr(row, k) is None for k in MEASURED)


def _named(kept: list[Any], new: PoolRow) -> int | None:
    """The row of this name and cluster."""
    for i, row in enumerate(kept):
        if row is not None and same_pool(row, new):
            return i
    return None


def _alike(kept: list[Any], new: PoolRow, taken: set[int], out: Merged) -> int | None:
    """The only row of the same GPU, handed out in the same way, that people named in their own words."""
    found = [
        i for i, row in enumerate(kept)
        if row is not None and i not in taken and new.gpu and squeezed(row.gpu) == squeezed(new.gpu)
        and row.mode in ("", new.mode) and _same_cluster(row, new)
    ]  # fmt: skip
    if len(found) > 1:
        out.remarks.append(
            said("{pool}: {count} rows hold this GPU already ({names}); a row was added: take out what is double.",
                 pool=new.pool, count=len(found), names=", ".join(kept[i].pool for i in found)))  # fmt: skip
        return None
    return found[0] if found else None


def same_pool(row: Any, new: PoolRow) -> bool:
    """Whether two rows speak of one pool: its name, and its cluster where both name one."""
    return squeezed(row.pool) == squeezed(new.pool) and _same_cluster(row, new)


def _same_cluster(row: Any, new: PoolRow) -> bool:
    return not row.cluster or not new.cluster or squeezed(row.cluster) == squeezed(new.cluster)


def _updated(row: Any, new: PoolRow, out: Merged) -> PoolRow:
    """The row with its new figures. A figure that is not measured now is emptied where an earlier run had measured it,
    and kept, and said, where a person had typed it.
    """
    earlier = measured_by(row.evidence_source)
    values: dict[str, Any] = {k: getattr(new, k) for k in (*MEASURED, *DATED)}
    left: list[str] = []
    for key in MEASURED:
        before = getattr(row, key)
        if values[key] is None and before is not None and key not in earlier:
            values[key] = before
            left += [said(POOLS.specs[key].label)] if key != TYPED else []
    for key in ("mode", "gpu", "cluster"):
        values[key] = getattr(new, key) or getattr(row, key)
    if left:
        out.remarks.append(
            said("{pool}: not measured and kept as typed: {figures}.", pool=row.pool, figures=listed(left))
        )
    return row.model_copy(update=values)


def signed(row: PoolRow) -> PoolRow:
    """A row of evidence whose source names what was measured, so that the next run knows it from what people typed."""
    if not row.evidence_source.startswith(OWN):
        return row
    keys = " ".join(k for k in MEASURED if getattr(row, k) is not None)
    return row.model_copy(update={"evidence_source": f"{row.evidence_source}{MARK}{keys}"})


def measured_by(source: str) -> frozenset[str]:
    """What an earlier run had measured, from the source that it wrote."""
    return frozenset(source.rpartition(MARK)[2].split()) if source.startswith(OWN) and MARK in source else frozenset()
