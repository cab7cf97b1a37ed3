"""The recording rules of kpanda, by node and mode: physical GPUs, MIG instances or vGPUs, with their load."""

from __future__ import annotations

import math
from collections.abc import Iterable

from planner.evidence.group import FULL, MIG, VGPU, Group
from planner.evidence.names import CLUSTER, KPANDA, NODE, gpu_name, quantities
from planner.evidence.sample import Sample
from planner.problem import Said, said

MODES = {"gpu": FULL, "mig": MIG, "vgpu": VGPU}
PERCENT = 100.0


def kpanda_groups(samples: Iterable[Sample], pool_label: str = "") -> tuple[list[Group], list[Said]]:
    """A group a cluster, node and mode. vGPUs are slots: how many GPUs stand behind them is for another source."""
    read = quantities(KPANDA)
    mine = [s for s in samples if s.name in read]
    modes = {_node(s): s.get("mode") for s in mine if read[s.name][0] == "mode" and s.value and s.get("mode")}
    found: dict[tuple[str, str, str], dict[str, list[float]]] = {}
    words: dict[tuple[str, str, str], tuple[str, str]] = {}
    remarks: list[Said] = []
    for s in mine:
        what = read[s.name][0]
        if what == "mode":
            continue
        mode = MODES.get((s.get("mode") or modes.get(_node(s), "")).casefold())
        if mode is None:
            remarks.append(said("{metric} of {node}: mode {mode!r} is not known; not used.",
                                metric=s.name, node=_node(s)[1], mode=s.get("mode")))  # fmt: skip
            continue
        at = (*_node(s), mode)
        given = found.setdefault(at, {})
        words.setdefault(at, ("", ""))
        if what == "util":
            given.setdefault("series", []).append(1.0)
        if not s.known:
            continue
        if s.value < 0 or (what == "util" and s.value > PERCENT):
            remarks.append(said("{metric} of {node}: {value} is outside its unit; not used.",
                                metric=s.name, node=_node(s)[1], value=f"{s.value:g}"))  # fmt: skip
            continue
        given.setdefault(what, []).append(s.value)
        words[at] = (words[at][0] or gpu_name(s.get("modelName", "gpu_model", "product", "type")),
                     words[at][1] or (s.get(pool_label) if pool_label else ""))  # fmt: skip
    return [_group(at, values, *words[at]) for at, values in found.items()], list(dict.fromkeys(remarks))


def _node(s: Sample) -> tuple[str, str]:
    return s.get(*CLUSTER), s.get(*NODE)


def _group(at: tuple[str, str, str], values: dict[str, list[float]], gpu: str, pool: str) -> Group:
    cluster, node, mode = at

    def summed(what: str) -> float | None:
        return math.fsum(values[what]) if what in values else None

    count, taken = summed("count"), summed("allocated")
    busy, metered = _busy(values.get("util", []), len(values.get("series", [])), count)
    slots = mode == VGPU
    return Group(
        node, mode, "kpanda", gpu, "", cluster, pool,
        total=None if slots else count, allocated=None if slots else taken,
        slots_total=count if slots else None, slots_allocated=taken if slots else None,
        busy=busy, metered=metered,
        vram_total=summed("memory_total"), vram_allocated=summed("memory_allocated"), vram_used=summed("memory_used"),
    )  # fmt: skip


def _busy(used: list[float], series: int, count: float | None) -> tuple[float | None, float | None]:
    """How many GPUs are busy, and of how many that is told: one series is the mean of the node, more are GPUs."""
    if not used:
        return None, None
    metered = count if series == 1 and count else float(len(used))
    return math.fsum(used) / len(used) / PERCENT * metered, metered
