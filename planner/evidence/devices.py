"""GPUs one by one from dcgm-exporter and HAMi, and their sum by node. The parent of MIG instances is no unit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from planner.evidence.group import FULL, MIG, VGPU, Group
from planner.evidence.names import CLUSTER, DCGM, HAMI, NODE, gpu_name, quantities, split_product
from planner.evidence.sample import MIB, Sample
from planner.problem import Said, said

PERCENT = 100.0
# Labels of the workload on a GPU. Where a server keeps both, `exported_` is the GPU's, the plain one the exporter's.
POD = (("exported_namespace", "exported_pod"), ("namespace", "pod"), ("pod_namespace", "pod_name"))
EXPORTERS = ("dcgm-exporter", "nvidia-dcgm", "hami-device-plugin", "hami-scheduler")


@dataclass
class Device:
    """A GPU, or an instance of one. `figures` holds the best value of each quantity with the rank of its name."""

    node: str
    key: str
    instance: str
    cluster: str = ""
    product: str = ""
    profile: str = ""
    pool: str = ""
    figures: dict[str, tuple[int, float]] = field(default_factory=dict)
    pods: set[tuple[str, str]] = field(default_factory=set)

    def put(self, what: str, rank: int, value: float) -> None:
        """Keep a value unless a newer name has given one."""
        if what not in self.figures or rank <= self.figures[what][0]:
            self.figures[what] = (rank, value)

    def get(self, what: str) -> float | None:
        """The value of a quantity, None where it is unknown."""
        return self.figures[what][1] if what in self.figures else None


def dcgm_groups(samples: Iterable[Sample], pool_label: str = "") -> tuple[list[Group], list[Said]]:
    """GPUs and MIG instances as dcgm-exporter reports them, by node."""
    read = quantities(DCGM)
    mine = [s for s in samples if s.name in read]
    exported = any(s.labels.get("exported_pod") for s in mine)
    devices, remarks = _devices(mine, read, ("GPU_I_ID", "gpu_instance_id"), pool_label)
    for sample in mine:
        if pod := _workload(sample, exported):
            devices[_key(sample, ("GPU_I_ID", "gpu_instance_id"))].pods.add(pod)
    mapped, unsure = _mapped(mine, devices, exported)
    remarks += unsure
    parents = {(d.node, d.key) for d in devices.values() if d.instance}
    groups: dict[tuple[str, ...], list[Device]] = {}
    for device in devices.values():
        if device.instance or (device.node, device.key) not in parents:
            mode = MIG if device.instance else FULL
            name = (device.node, device.cluster, device.pool, device.product, device.profile, mode)
            groups.setdefault(name, []).append(device)
    made = [_dcgm_group(name, found, name[0] in mapped) for name, found in groups.items()]
    for device in devices.values():
        if xid := device.get("xid"):
            remarks.append(said("{node}, GPU {gpu}: last error XID {xid}; counted as healthy, look at it.",
                                node=device.node, gpu=device.key, xid=f"{xid:g}"))  # fmt: skip
    if devices and not any(d.pods for d in devices.values()):
        remarks.append(
            said("dcgm-exporter names no pods: which GPUs are allocated is unknown (switch its Kubernetes mapping on).")
        )
    return made, remarks


def _dcgm_group(name: tuple[str, ...], found: list[Device], mapped: bool) -> Group:
    node, cluster, pool, product, profile, mode = name  # a MIG instance's memory is its own, never its parent's
    failed = [d.get("remap_failed") for d in found]
    healthy = None if None in failed else float(sum(1 for f in failed if not f))
    taken = [bool(d.pods) for d in found] if mapped else None
    busy, metered = _busy([_use(d, mode) for d in found], taken)
    return Group(
        node, mode, "dcgm-exporter", gpu_name(product), profile, cluster, pool,
        total=float(len(found)), healthy=healthy, allocated=None if taken is None else float(sum(taken)),
        busy=busy, metered=metered,
        vram_total=_sum(_total_memory(d) for d in found), vram_used=_sum(d.get("used") for d in found),
        pods=frozenset(p for d in found for p in d.pods),
    )  # fmt: skip


def _mapped(
    samples: Iterable[Sample], devices: dict[tuple[str, str, str], Device], exported: bool
) -> tuple[set[str], list[Said]]:
    """The nodes whose exporter names pods, and what is unsure: without any pod, a node that is at work is not one."""
    mapped = {d.node for d in devices.values() if d.pods}
    if not mapped:
        return mapped, []
    label = POD[0][1] if exported else POD[1][1]
    told = {devices[_key(s, ("GPU_I_ID", "gpu_instance_id"))].node for s in samples if s.labels.get(label) == ""}
    remarks = []
    for node in sorted({d.node for d in devices.values()} - mapped - told):
        used = [_use(d, MIG if d.instance else FULL) for d in devices.values() if d.node == node]
        if any(u is not None for u in used) and not any(used):
            told.add(node)
        else:
            remarks.append(said("{node}: no GPU has a pod, yet they may be at work: what is allocated is unknown.",
                                node=node))  # fmt: skip
    return mapped | told, remarks


def _busy(used: list[float | None], taken: list[bool] | None) -> tuple[float | None, float | None]:
    """How many GPUs are busy, and of how many that is told. Where it is known which are taken, a taken one without a
    value is as busy as the other taken ones, and a free one without a value is idle.
    """
    known = [u for u in used if u is not None]
    if taken is None:
        return (math.fsum(known), float(len(known))) if known else (None, None)
    at_work = [u for u, t in zip(used, taken, strict=True) if t and u is not None]
    if not known or (any(taken) and not at_work):
        return None, None
    filled = math.fsum(at_work) / len(at_work) * (sum(taken) - len(at_work)) if at_work else 0.0
    return math.fsum(known) + filled, float(len(used))


def _use(device: Device, mode: str) -> float | None:
    """How busy, 0 to 1. A MIG instance only by its engine: GPU_UTIL is 0 or absent there and says nothing."""
    engine, util = device.get("engine"), device.get("util")
    if mode == MIG:
        return engine
    return util / PERCENT if util is not None else engine


def _total_memory(device: Device) -> float | None:
    used, free = device.get("used"), device.get("free")
    return None if used is None or free is None else used + free + (device.get("reserved") or 0.0)


def _sum(values: Iterable[float | None]) -> float | None:
    """The sum, unknown where a part is unknown."""
    listed = list(values)
    known = [v for v in listed if v is not None]
    return math.fsum(known) if listed and len(known) == len(listed) else None


# ---- HAMi


def hami_groups(samples: Iterable[Sample], pool_label: str = "") -> tuple[list[Group], list[Said]]:
    """GPUs that HAMi shares, by node: what its scheduler has handed out and what the hosts use."""
    read = quantities(HAMI)
    mine = [s for s in samples if s.name in read]
    devices, remarks = _devices([s for s in mine if read[s.name][0] != "mig"], read, (), pool_label)
    groups: dict[tuple[str, ...], list[Device]] = {}
    instances = _hami_instances([s for s in mine if read[s.name][0] == "mig"], read)
    split = {(node, key) for node, key, _ in instances}
    for device in devices.values():
        if (device.node, device.key) not in split:
            groups.setdefault((device.node, device.cluster, device.pool, device.product), []).append(device)
    made = [_hami_group(name, found) for name, found in groups.items()]
    return made + _hami_mig(instances, devices), remarks


def _hami_group(name: tuple[str, ...], found: list[Device]) -> Group:
    node, cluster, pool, product = name
    shares = [_share(d) for d in found]
    used = [None if (u := d.get("host_util")) is None else u / PERCENT for d in found]
    busy, metered = _busy(used, None if None in shares else [bool(s) for s in shares])
    slots = _sum(d.get("shared") for d in found)
    return Group(
        node, VGPU, "HAMi", gpu_name(product), "", cluster, pool, total=float(len(found)), allocated=_sum(shares),
        slots_allocated=slots, busy=busy, metered=metered,
        vram_total=_mib(d.get("memory_limit") for d in found),
        vram_allocated=_mib(d.get("memory_allocated") for d in found),
        vram_used=_mib(d.get("host_used") for d in found),
    )  # fmt: skip


def _share(device: Device) -> float | None:
    """How much of a GPU is handed out: the larger of cores and memory, since either can be the end of it."""
    shares = []
    for taken, limit in (("core_allocated", "core_limit"), ("memory_allocated", "memory_limit")):
        part, of = device.get(taken), device.get(limit)
        if part is not None and of:
            shares.append(part / of)
    return min(1.0, max(shares)) if shares else None


def _mib(values: Iterable[float | None]) -> float | None:
    total = _sum(values)
    return None if total is None else total / MIB


def _hami_instances(
    samples: list[Sample], read: dict[str, tuple[str, int]]
) -> dict[tuple[str, str, str], tuple[int, float]]:
    found: dict[tuple[str, str, str], tuple[int, float]] = {}
    for s in samples:
        at = (_node(s), _uuid(s), s.get("mig_name", "migname"))
        rank = read[s.name][1]
        if at not in found or rank <= found[at][0]:
            found[at] = (rank, s.value)
    return found


def _hami_mig(
    instances: dict[tuple[str, str, str], tuple[int, float]], devices: dict[tuple[str, str, str], Device]
) -> list[Group]:
    """MIG instances as HAMi sees them: their name carries profile and number, their value says whether one is taken."""
    by: dict[tuple[str, str, str], list[float]] = {}
    for (node, uuid, name), (_, value) in instances.items():
        parent = next((d for d in devices.values() if d.key == uuid), None)
        profile = name.rpartition("-")[0] or name
        by.setdefault((node, parent.product if parent else "", profile), []).append(value)
    return [
        Group(
            node,
            MIG,
            "HAMi",
            gpu_name(product),
            profile,
            total=float(len(taken)),
            allocated=_sum(None if math.isnan(t) else t for t in taken),
        )
        for (node, product, profile), taken in by.items()
    ]


# ---- devices out of samples


def _devices(
    samples: list[Sample], read: dict[str, tuple[str, int]], instance: tuple[str, ...], pool_label: str
) -> tuple[dict[tuple[str, str, str], Device], list[Said]]:
    """Samples as devices; a value outside its unit is left out and said."""
    devices: dict[tuple[str, str, str], Device] = {}
    wrong: dict[tuple[str, str], int] = {}
    for s in samples:
        at = _key(s, instance)
        device = devices.setdefault(at, Device("", at[1], at[2]))
        device.node = _node(s) or device.node or s.get("instance")
        product, profile, _ = split_product(s.get("modelName", "device_type", "devicetype", "model_name"))
        device.product = device.product or product
        device.profile = device.profile or s.get("GPU_I_PROFILE") or profile
        device.cluster = device.cluster or s.get(*CLUSTER)
        device.pool = device.pool or (s.get(pool_label) if pool_label else "")
        what, rank = read[s.name]
        if not s.known:
            continue
        most = {"util": PERCENT, "host_util": PERCENT, "core_allocated": math.inf, "engine": 1.0}.get(what, math.inf)
        if 0 <= s.value <= most:
            device.put(what, rank, s.value)
        else:
            wrong[s.name, f"0..{most:g}"] = wrong.get((s.name, f"0..{most:g}"), 0) + 1
    remarks = [
        said("{metric}: {count} value(s) outside {range}: unknown, not used.", metric=name, count=count, range=bounds)
        for (name, bounds), count in wrong.items()
    ]
    return devices, remarks


def _key(s: Sample, instance: tuple[str, ...]) -> tuple[str, str, str]:
    """What tells a device from others: its UUID, which is one in the world, else its number on its node."""
    uuid = _uuid(s)
    return "" if uuid.startswith("GPU-") else _node(s) or s.get("instance"), uuid, s.get(*instance) if instance else ""


def _node(s: Sample) -> str:
    """The node; of dcgm-exporter the host's name, unless that is the name of its own pod."""
    host = s.get("Hostname", "hostname") if s.name.upper().startswith("DCGM") else ""
    return host if host and not host.startswith(EXPORTERS) else s.get(*NODE)


def _uuid(s: Sample) -> str:
    return s.get("UUID", "uuid", "device_uuid", "deviceuuid", "gpu", "device", "device_index", "deviceidx")


def _workload(s: Sample, exported: bool) -> tuple[str, str] | None:
    """The pod on the GPU, not the pod of the exporter."""
    for namespace, pod in POD[:1] if exported else POD[1:]:
        name = s.labels.get(pod, "")
        if name and not any(name.startswith(e) or e in s.labels.get("container", "") for e in EXPORTERS):
            return s.labels.get(namespace, ""), name
    return None
