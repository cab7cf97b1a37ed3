"""What is known of the GPUs of one node in one mode, from any source; and how two views of them become one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from planner.evidence.names import short
from planner.problem import Said, said

FULL, MIG, VGPU, TIME_SLICED = "gpu", "mig", "vgpu", "time_sliced"
UNIT_FIELDS = (
    "total", "healthy", "allocated", "slots_total", "slots_allocated", "busy", "metered",
    "vram_total", "vram_allocated", "vram_used",
)  # fmt: skip


@dataclass(frozen=True)
class Group:
    """The GPUs of one node that are handed out in one way.

    `total`, `healthy`, `allocated` count whole GPUs, or MIG instances of one profile; `slots_*` count vGPUs or time
    slices. `busy` is the sum of the utilisations (0 to 1) of the `metered` ones; memory is in MiB. None is unknown.
    `busy` over `metered` is how busy they are on average; of GPUs that are known one by one, with who has them, all
    count as metered, and a free one without a value as idle. `counts`: the node takes new work. `origin` names the
    source, `pods` the workloads seen on the GPUs.
    """

    node: str
    mode: str
    origin: str
    gpu: str = ""
    profile: str = ""
    cluster: str = ""
    pool: str = ""
    total: float | None = None
    healthy: float | None = None
    allocated: float | None = None
    slots_total: float | None = None
    slots_allocated: float | None = None
    busy: float | None = None
    metered: float | None = None
    vram_total: float | None = None
    vram_allocated: float | None = None
    vram_used: float | None = None
    counts: bool = True
    pods: frozenset[tuple[str, str]] = frozenset()
    origins: tuple[str, ...] = field(default=())

    @property
    def sources(self) -> tuple[str, ...]:
        """Every source that told something."""
        return self.origins or (self.origin,)


def combined(views: Iterable[list[Group]]) -> tuple[list[Group], list[Said]]:
    """One group for each node and way of handing out, from views in falling order of trust; and what did not agree.

    The first view that has a figure gives it. A metric sees whole GPUs where a node list knows that they are shared.
    """
    kept: list[Group] = []
    remarks: list[Said] = []
    for view in views:
        known = len(kept)
        for group in view:
            alike = [i for i in range(known) if _same(kept[i], group)]
            if not alike:
                kept.append(group)
            elif len(alike) > 1:
                remarks.append(
                    said("{node}: {source} does not tell its {count} kinds of GPU apart; not used there.",
                         node=group.node, source=group.origin, count=len(alike)))  # fmt: skip
            else:
                at = alike[0]
                remarks += _disagreement(kept[at], group)
                kept[at] = _joined(kept[at], group)
    return kept, remarks


def _same(a: Group, b: Group) -> bool:
    """Whether two views speak of the same GPUs."""
    if short(a.node) != short(b.node) or (a.cluster and b.cluster and a.cluster != b.cluster):
        return False
    if MIG in (a.mode, b.mode):
        return a.mode == b.mode and (a.profile == b.profile or not b.profile)
    if a.mode != b.mode and FULL not in (a.mode, b.mode) and {a.mode, b.mode} != {VGPU, TIME_SLICED}:
        return False
    return a.gpu == b.gpu or not a.gpu or not b.gpu


def _joined(a: Group, b: Group) -> Group:
    """The first view, with what only the second knows."""
    new = {f: getattr(b, f) for f in UNIT_FIELDS if getattr(a, f) is None and getattr(b, f) is not None}
    if a.busy is not None:  # a sum and its count belong together
        new.pop("metered", None)
    mode = b.mode if a.mode == FULL and b.mode != FULL else a.mode
    words = {f: getattr(a, f) or getattr(b, f) for f in ("gpu", "profile", "cluster", "pool")}
    pods = a.pods | b.pods
    origins = tuple(dict.fromkeys((*a.sources, *b.sources)))
    return replace(a, **new, **words, mode=mode, pods=pods, counts=a.counts and b.counts, origins=origins)


def _disagreement(a: Group, b: Group) -> list[Said]:
    """A count that two sources give differently: the first is used, and somebody should look."""
    if a.total is None or b.total is None or a.total == b.total:
        return []
    return [
        said("{node}: {first} says {one} GPUs, {second} {other}; {first} is used.",
             node=a.node, first=a.origin, one=f"{a.total:g}", second=b.origin, other=f"{b.total:g}")
    ]  # fmt: skip
