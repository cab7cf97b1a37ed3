"""Groups of nodes become rows of the Pools tab. A sum of which a part is unknown is unknown, and says where."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable
from typing import Any

from planner.evidence.group import MIG, TIME_SLICED, VGPU, Group
from planner.evidence.names import short
from planner.evidence.sample import GB, MIB
from planner.evidence.serving import Serving, mean_kv
from planner.inputs.tables import PoolRow
from planner.problem import Said, listed, said

OWN = "planner gpus: "
SUFFIX = {MIG: "MIG", VGPU: "vGPU", TIME_SLICED: "time-sliced"}
SHOWN = 5
UNKNOWN_GPU = "unknown GPU"


def pool_rows(
    groups: list[Group], serving: list[Serving], source: str, day: dt.date | None, cluster: str = ""
) -> tuple[list[PoolRow], list[Said]]:
    """A row for each cluster and kind of GPU (or label), in order of their names."""
    by: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        by.setdefault((group.cluster or cluster, pool_name(group)), []).append(group)
    remarks: list[Said] = []
    homes, more = _homes(by, serving)
    remarks += more
    rows = []
    for (where, name), members in sorted(by.items()):
        values, said_of = _figures(name, members)
        remarks += said_of
        mine = homes.get((where, name), [])
        rates = [s.requests for s in mine]
        pods = {p for g in members for p in g.pods} | {s.pod for s in mine if s.pod[1]}
        requests = math.fsum(r for r in rates if r is not None) if rates and None not in rates else None
        if members[0].pool and len({(g.mode, g.gpu, g.profile) for g in members}) > 1:
            remarks.append(
                said("{pool}: its nodes hold several kinds of GPU or modes; give each its own label.", pool=name)
            )
        rows.append(
            PoolRow(
                pool=name, cluster=where, mode=members[0].mode, gpu=gpu_of(members[0]),
                kv_cache_use=mean_kv(mine), requests_per_s=requests,
                workloads=float(len(pods)) if pods else None, replicas=float(len(mine)) if mine else None,
                evidence_date=day, evidence_source=f"{OWN}{source} ({', '.join(_sources(members, mine))})", **values,
            )
        )  # fmt: skip
    return rows, remarks


def pool_name(group: Group) -> str:
    """The label that was asked for, else the kind of GPU and how it is handed out."""
    words = (group.gpu or UNKNOWN_GPU, SUFFIX.get(group.mode, ""), group.profile)
    return group.pool or " ".join(w for w in words if w)


def gpu_of(group: Group) -> str:
    """The GPU as models name it. An instance is no whole GPU: its profile stays in the name."""
    return f"{group.gpu or UNKNOWN_GPU} MIG {group.profile}".strip() if group.mode == MIG else group.gpu


def _sources(members: Iterable[Group], serving: list[Serving]) -> list[str]:
    names = dict.fromkeys(s for g in members for s in g.sources)
    return [*names, *(["vLLM"] if serving else [])]


def _figures(name: str, members: list[Group]) -> tuple[dict[str, Any], list[Said]]:
    """The sums of a pool. What is handed out or used on nodes that take nothing new does not lessen the headroom."""
    working = [g for g in members if g.counts]
    remarks: list[Said] = []

    def summed(what: str, parts: list[Group], label: str) -> float | None:
        values = [(_allocated(g) if what == "allocated" else getattr(g, what), g) for g in parts]
        gone = sorted({g.node for v, g in values if v is None})
        if not values or len(gone) == len({g.node for g in parts}):
            return 0.0 if not values and members and what in ("healthy", "allocated") else None
        if gone:
            remarks.append(
                said("{pool}: {figure} is unknown on {count} node(s) ({nodes}), so it is unknown for the pool.",
                     pool=name, figure=said(label), count=len(gone), nodes=listed(gone, SHOWN)))  # fmt: skip
            return None
        return math.fsum(v for v, _ in values if v is not None)

    total = summed("total", members, "GPUs total")
    healthy = None
    if any(g.healthy is not None or not g.counts for g in members):
        parts = [g.healthy if g.healthy is not None else g.total for g in working]
        healthy = None if None in parts else math.fsum(p for p in parts if p is not None)
    allocated = summed("allocated", working, "GPUs allocated")
    memory = {
        f"vram_{what}_gb": _gb(summed(f"vram_{what}", members if what == "total" else working, label))
        for what, label in (("total", "VRAM total, GB"), ("allocated", "VRAM allocated, GB"), ("used", "VRAM used, GB"))
    }
    if any(g.slots_total is not None for g in members) and total is None:
        remarks.append(said("{pool}: vGPUs are shares, not GPUs; how many GPUs are behind them is unknown.", pool=name))
    values = {
        "nodes": float(len({short(g.node) for g in members if g.node})) or None,
        "gpus_total": _whole(total), "gpus_healthy": _whole(healthy), "gpus_allocated": allocated,
        "core_utilization": _utilization(name, working, remarks),
        "slots_total": _whole(summed("slots_total", members, "Slots total")),
        "slots_allocated": _whole(summed("slots_allocated", working, "Slots allocated")), **memory,
    }  # fmt: skip
    return values, remarks


def _allocated(g: Group) -> float | None:
    """GPUs handed out; of shared ones the largest share of slots and memory, since either can be the end of it."""
    if g.allocated is not None or g.total is None or g.mode == MIG:
        return g.allocated
    memory = g.vram_allocated / g.vram_total if g.vram_allocated is not None and g.vram_total else None
    slots = g.slots_allocated / g.slots_total if g.slots_allocated is not None and g.slots_total else None
    if g.mode == VGPU and memory is None:
        return None  # slots alone do not say how much of a GPU they hold
    known = [s for s in (memory, slots) if s is not None]
    return g.total * min(1.0, max(known)) if known and g.mode != "gpu" else None


def _utilization(name: str, working: list[Group], remarks: list[Said]) -> float | None:
    """How busy the allocated GPUs are: busy over handed out, weighted by GPUs; of all where nothing is, and on nodes of
    which the allocation is unknown.
    """
    metered = [g for g in working if g.busy is not None and g.metered]
    if not metered:
        return None
    unmetered = sorted({g.node for g in working} - {g.node for g in metered})
    if unmetered:
        remarks.append(said("{pool}: utilization is known for {count} of {all} nodes; their mean is used.",
                            pool=name, count=len(metered), all=len(working)))  # fmt: skip
    taken = [_allocated(g) for g in metered]
    sizes = [_told_of(g, t) for g, t in zip(metered, taken, strict=True)]
    used = [(g.busy or 0.0) / (g.metered or 1.0) * size for g, size in zip(metered, sizes, strict=True)]
    known = [(u, t) for u, t in zip(used, taken, strict=True) if t is not None]
    busy, handed = math.fsum(u for u, _ in known), math.fsum(t for _, t in known)
    elsewhere = math.fsum(size for size, t in zip(sizes, taken, strict=True) if t is None)
    if handed + elsewhere <= 0:
        of = math.fsum(sizes)
        return math.fsum(used) / of if of else None
    if busy > handed * (1 + 1e-9) > 0:
        remarks.append(
            said("{pool}: {busy} GPUs are busy, {handed} allocated: work runs there that the scheduler does not know.",
                 pool=name, busy=f"{busy:.2f}", handed=f"{handed:.2f}"))  # fmt: skip
    return min(1.0, (math.fsum(used) - max(0.0, busy - handed)) / (handed + elsewhere))


def _told_of(g: Group, taken: float | None) -> float:
    """Of how many GPUs a utilization speaks: of all where the allocation is unknown. Else of those that were metered,
    or of the allocated ones where fewer were: GPUs without a value are the free ones first.
    """
    metered = g.metered or 0.0
    whole = g.total if g.total is not None else g.slots_total or metered
    return whole if taken is None else min(whole, max(metered, taken))


def _gb(mib: float | None) -> float | None:
    return None if mib is None else mib * MIB / GB


def _whole(value: float | None) -> float | None:
    return None if value is None else float(round(value))


def _homes(
    by: dict[tuple[str, str], list[Group]], serving: list[Serving]
) -> tuple[dict[tuple[str, str], list[Serving]], list[Said]]:
    """Which pool a server runs in: by its pod on a GPU, by its node, or because there is one pool only."""
    homes: dict[tuple[str, str], list[Serving]] = {}
    lost: set[str] = set()
    for one in serving:
        by_pod = [k for k, groups in by.items() if one.pod[1] and any(one.pod in g.pods for g in groups)]
        by_node = [k for k, groups in by.items() if one.node and any(short(g.node) == short(one.node) for g in groups)]
        found = by_pod or by_node or list(by)
        if len(found) == 1:
            homes.setdefault(found[0], []).append(one)
        elif by:
            lost.add(one.model or one.pod[1] or "?")
    remarks = [
        said("vLLM serving {model}: which pool it runs in is not known; not used.", model=m) for m in sorted(lost)
    ]
    return homes, remarks
