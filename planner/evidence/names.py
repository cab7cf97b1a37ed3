"""Names: of metrics in all their generations, and of GPUs as drivers and node labels spell them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from planner.resources import table

# Quantity -> metric names, the newest first. Where a source gives several, the first counts and none is added up.
DCGM = {
    "util": ("DCGM_FI_DEV_GPU_UTIL", "dcgm_gpu_utilization"),
    "engine": ("DCGM_FI_PROF_GR_ENGINE_ACTIVE",),
    "used": ("DCGM_FI_DEV_FB_USED", "dcgm_fb_used"),
    "free": ("DCGM_FI_DEV_FB_FREE", "dcgm_fb_free"),
    "reserved": ("DCGM_FI_DEV_FB_RESERVED",),
    "xid": ("DCGM_FI_DEV_XID_ERRORS", "dcgm_xid_errors"),
    "remap_failed": ("DCGM_FI_DEV_ROW_REMAP_FAILURE",),
}
HAMI = {
    "memory_limit": ("hami_gpu_memory_limit_bytes", "GPUDeviceMemoryLimit"),
    "memory_allocated": ("hami_gpu_memory_allocated_bytes", "GPUDeviceMemoryAllocated"),
    "core_limit": ("hami_gpu_core_limit_ratio", "GPUDeviceCoreLimit"),
    "core_allocated": ("hami_gpu_core_allocated_ratio", "GPUDeviceCoreAllocated"),
    "shared": ("hami_gpu_shared_count", "GPUDeviceSharedNum"),
    "mig": ("hami_node_gpu_mig_instance_info", "nodeGPUMigInstance"),
    "host_util": ("hami_host_gpu_utilization_ratio", "HostCoreUtilization"),
    "host_used": ("hami_host_gpu_memory_used_bytes", "HostGPUMemoryUsage"),
}
KPANDA = {
    "count": ("kpanda_gpu_count",),
    "allocated": ("kpanda_gpu_allocated",),
    "util": ("kpanda_gpu_device_core_utilization",),
    "memory_allocated": ("kpanda_gpu_mem_allocated",),
    "memory_total": ("kpanda_gpu_device_memory_total",),
    "memory_used": ("kpanda_gpu_device_memory_used",),
    "mode": ("kpanda_gpu_mode",),
}
VLLM = {
    "kv": ("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc"),
    "requests": ("vllm:request_success_total", "vllm:request_success"),
    "running": ("vllm:num_requests_running",),
}
Family = Mapping[str, tuple[str, ...]]
FAMILIES: dict[str, Family] = {"dcgm-exporter": DCGM, "HAMi": HAMI, "kpanda": KPANDA, "vLLM": VLLM}
# Averaged over the window where a server keeps the past; a single moment says little about them.
AVERAGED = frozenset(
    [*DCGM["util"], *DCGM["engine"], *HAMI["host_util"], *KPANDA["util"], *VLLM["kv"]],
)
COUNTERS = frozenset(VLLM["requests"])
RATE = "rate:"  # stands before a counter's name where its value is a rate a second
READ = frozenset(name for family in FAMILIES.values() for names in family.values() for name in names)

NODE = ("exported_node", "nodeid", "nodename", "node", "kubernetes_node", "node_name")
CLUSTER = ("cluster", "cluster_name", "clusterName")
_MIG = re.compile(r"-MIG-(?P<profile>[0-9]+[cg]\.[0-9a-z.+]+)$", re.IGNORECASE)
_SHARED = re.compile(r"-SHARED$", re.IGNORECASE)


def quantities(family: Family) -> dict[str, tuple[str, int]]:
    """Metric name -> the quantity it gives and its rank among the names of that quantity."""
    return {name: (what, rank) for what, names in family.items() for rank, name in enumerate(names)}


def split_product(product: str) -> tuple[str, str, bool]:
    """A node's product label as GPU, MIG profile and whether it says that the GPU is shared."""
    shared = bool(_SHARED.search(product))
    bare = _SHARED.sub("", product.strip())
    found = _MIG.search(bare)
    return (bare[: found.start()], found["profile"], shared) if found else (bare, "", shared)


def gpu_name(product: str) -> str:
    """The reference's name of a GPU where it has one, else the product without its vendor."""
    bare = re.sub(r"^(NVIDIA|AMD|Tesla)[\s_-]+", "", product.strip(), flags=re.IGNORECASE)
    bare = re.sub(r"^(Tesla|Instinct)[\s_-]+", "", bare, flags=re.IGNORECASE)
    return _known().get(_squeezed(bare), bare.replace(" ", "-"))


def short(node: str) -> str:
    """A node's name for matching: without domain and port, whatever its case."""
    bare = node.strip().casefold()
    return bare if re.fullmatch(r"[\d.]+(:\d+)?", bare) else re.split(r"[.:]", bare)[0]


@cache
def _known() -> dict[str, str]:
    own = {_squeezed(row["gpu"]): row["gpu"] for row in table("gpus.csv")}
    return own | {_squeezed(row["product"]): row["gpu"] for row in table("gpu_names.csv")}


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
