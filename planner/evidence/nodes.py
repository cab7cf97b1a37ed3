"""`kubectl get nodes -o json`, with the pods where they are there: how many GPUs, how split, how many of them work."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from planner.evidence.group import FULL, MIG, TIME_SLICED, VGPU, Group
from planner.evidence.names import gpu_name, split_product
from planner.problem import Said, said

GPU = "nvidia.com/gpu"
SHARED = "nvidia.com/gpu.shared"
OTHER_GPUS = ("amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe")
PROFILE = re.compile(r"nvidia\.com/mig-([0-9]+[cg]\.[0-9a-z.+]+)")
LABEL = "nvidia.com/gpu."
HAMI = ("hami.io/node-nvidia-register", "4pd.io/node-nvidia-register")
ORIGIN = "kubectl get nodes"
ENDED = ("Succeeded", "Failed")


@dataclass(frozen=True)
class Node:
    """What of a node's description is read. `asked` holds what its pods have requested, None where no pod is there."""

    name: str
    labels: Mapping[str, Any]
    notes: Mapping[str, Any]
    capacity: Mapping[str, float]
    allocatable: Mapping[str, float]
    ready: bool
    cordoned: bool
    asked: Mapping[str, float] | None = None

    @property
    def counts(self) -> bool:
        """Whether it takes new work."""
        return self.ready and not self.cordoned

    def label(self, key: str) -> float | None:
        """A label that holds a whole number."""
        text = str(self.labels.get(LABEL + key, ""))
        return float(text) if text.isdecimal() else None


def node_groups(
    objects: Iterable[Mapping[str, Any]], pool_label: str = "", cluster: str = ""
) -> tuple[list[Group], list[Said]]:
    """A group for each node and way in which its GPUs are handed out; nodes without GPUs give none."""
    listed = list(objects)
    asked = _asked([o for o in listed if o.get("kind") == "Pod"])
    remarks: list[Said] = []
    groups: list[Group] = []
    for raw in (o for o in listed if o.get("kind") == "Node"):
        node = _node(raw, remarks)
        if node is None:
            continue
        if asked is not None:
            node = replace(node, asked=asked.get(node.name, Counter()))
        found = _groups(node, remarks)
        pool = str(node.labels.get(pool_label, "")) if pool_label else ""
        groups += [replace(g, pool=pool, cluster=cluster, counts=node.counts) for g in found]
        if found and not node.counts:
            why = said("cordoned") if node.cordoned else said("not ready")
            remarks.append(said("{node} is {why}: its {count} GPUs are installed, none of them counts as healthy.",
                                node=node.name, why=why, count=f"{sum(g.total or 0 for g in found):g}"))  # fmt: skip
    if groups and asked is None:
        remarks.append(
            said("The node list does not say what is allocated: save `kubectl get nodes,pods -A -o json` to know it.")
        )
    return groups, remarks


def _node(raw: Mapping[str, Any], remarks: list[Said]) -> Node | None:
    try:
        meta, spec, status = raw["metadata"], raw.get("spec") or {}, raw["status"]
        conditions = {c["type"]: c.get("status") for c in status.get("conditions") or ()}
        return Node(
            str(meta["name"]), meta.get("labels") or {}, meta.get("annotations") or {},
            _amounts(status.get("capacity"), meta["name"], remarks),
            _amounts(status.get("allocatable"), meta["name"], remarks),
            conditions.get("Ready") == "True", spec.get("unschedulable") is True,
        )  # fmt: skip
    except (KeyError, TypeError, AttributeError):
        name = raw.get("metadata", {}).get("name", "?") if isinstance(raw.get("metadata"), dict) else "?"
        remarks.append(said("Node {node} is not described as Kubernetes describes a node; left out.", node=name))
        return None


def _amounts(raw: Any, node: str, remarks: list[Said]) -> dict[str, float]:
    """The GPU resources; what is no whole number is said and unknown."""
    found = {}
    for key, value in (raw or {}).items():
        if not (key in (GPU, SHARED, *OTHER_GPUS) or PROFILE.match(key)):
            continue
        text = str(value)
        if text.isdecimal():
            found[key] = float(text)
        else:
            remarks.append(said("{node}: {resource} is {value!r}, no whole number; unknown.",
                                node=node, resource=key, value=value))  # fmt: skip
    return found


def _groups(node: Node, remarks: list[Said]) -> list[Group]:
    """By what the node says of itself: shared by HAMi, sliced in time, split by MIG, or whole."""
    register = next((str(node.notes[a]) for a in HAMI if a in node.notes), "")
    if register:
        found = _hami(node, register, remarks)
        if found:
            return [found]
    groups = [_mig_mixed(node, key) for key in node.capacity if PROFILE.match(key) and node.capacity[key] > 0]
    for resource in (SHARED, GPU, *OTHER_GPUS):
        if node.capacity.get(resource, 0.0) > 0:
            groups.append(_of_resource(node, resource))
    count = node.label("count")
    if not groups and count:
        remarks.append(said("{node}: its labels name {count} GPUs, but it offers none: look at its device plugin.",
                            node=node.name, count=f"{count:g}"))  # fmt: skip
        product, profile, _ = split_product(str(node.labels.get(LABEL + "product", "")))
        mode = MIG if profile else FULL
        groups.append(Group(node.name, mode, ORIGIN, gpu_name(product), profile, total=count, healthy=0.0))
    return groups


def _of_resource(node: Node, resource: str) -> Group:
    product, profile, shared = split_product(str(node.labels.get(LABEL + "product", "")))
    capacity, usable = node.capacity[resource], node.allocatable.get(resource)
    count, copies = node.label("count"), node.label("replicas") or 1.0
    asked = None if node.asked is None else node.asked.get(resource, 0.0)
    memory = node.label("memory")
    sliced = shared or copies > 1 or resource == SHARED or (count is not None and capacity > count)
    if not sliced:
        whole = max(capacity, count or 0.0) if not profile else capacity
        return Group(
            node.name, MIG if profile else FULL, ORIGIN, gpu_name(product), profile, total=whole, healthy=usable,
            allocated=asked, vram_total=None if memory is None else memory * whole,
        )  # fmt: skip
    total = count if count is not None else capacity / copies if copies > 1 else None
    slots_each = capacity / total if total else copies
    return Group(
        node.name, MIG if profile else TIME_SLICED, ORIGIN, gpu_name(product), profile, total=total,
        healthy=None if usable is None or total is None else float(int(usable / slots_each + 1e-9)),
        allocated=None if asked is None or total is None else min(total, asked / slots_each),
        slots_total=capacity, slots_allocated=asked,
        vram_total=None if memory is None or total is None else memory * total,
    )  # fmt: skip


def _mig_mixed(node: Node, resource: str) -> Group:
    match = PROFILE.match(resource)
    assert match
    product, _, _ = split_product(str(node.labels.get(LABEL + "product", "")))
    asked = None if node.asked is None else node.asked.get(resource, 0.0)
    return Group(node.name, MIG, ORIGIN, gpu_name(product), match[1], total=node.capacity[resource],
                 healthy=node.allocatable.get(resource), allocated=asked)  # fmt: skip


def _hami(node: Node, register: str, remarks: list[Said]) -> Group | None:
    """GPUs from HAMi's register: its older form of commas and colons, or its newer one of JSON."""
    try:
        devices = _register(register)
    except (ValueError, KeyError, TypeError, IndexError):
        remarks.append(said("{node}: the HAMi register cannot be read; its resources are used.", node=node.name))
        return None
    if not devices:
        return None
    kinds = {gpu_name(split_product(kind)[0]) for _, _, kind, _ in devices}
    asked = None if node.asked is None else node.asked.get(GPU, 0.0)
    slots = sum(count for count, _, _, _ in devices)
    total = float(len(devices))
    return Group(
        node.name, VGPU, ORIGIN, kinds.pop() if len(kinds) == 1 else "", total=total,
        healthy=float(sum(1 for *_, well in devices if well)), slots_total=slots, slots_allocated=asked,
        vram_total=sum(memory for _, memory, _, _ in devices),
    )  # fmt: skip


def _register(text: str) -> list[tuple[float, float, str, bool]]:
    """Slots, memory in MiB, product and health of each GPU."""
    if text.lstrip().startswith("["):
        listed = json.loads(text)
        return [(float(d["count"]), float(d["devmem"]), str(d["type"]), d.get("health") is True) for d in listed]
    found = []
    for device in filter(None, text.split(":")):
        parts = device.split(",")
        found.append((float(parts[1]), float(parts[2]), parts[4], parts[6].casefold() == "true"))
    return found


def _asked(pods: list[Mapping[str, Any]]) -> dict[str, Counter[str]] | None:
    """GPU resources that pods hold, by node; None without any pod. A pod that has ended holds nothing."""
    if not pods:
        return None
    found: dict[str, Counter[str]] = {}
    for pod in pods:
        spec, status = pod.get("spec") or {}, pod.get("status") or {}
        node = spec.get("nodeName")
        if not node or status.get("phase") in ENDED:
            continue
        own = _requests(spec.get("containers") or (), sum)
        first = _requests(spec.get("initContainers") or (), max)
        for resource in own.keys() | first.keys():
            found.setdefault(node, Counter())[resource] += max(own.get(resource, 0.0), first.get(resource, 0.0))  # type: ignore[assignment]
    return found


def _requests(containers: Iterable[Mapping[str, Any]], together: Any) -> dict[str, float]:
    amounts: dict[str, list[float]] = {}
    for container in containers:
        resources = container.get("resources") or {}
        for resource, value in {**(resources.get("limits") or {}), **(resources.get("requests") or {})}.items():
            if str(value).isdecimal() and (resource in (GPU, SHARED, *OTHER_GPUS) or PROFILE.match(resource)):
                amounts.setdefault(resource, []).append(float(str(value)))
    return {resource: together(values) for resource, values in amounts.items()}
