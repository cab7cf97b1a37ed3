"""The Pools table: GPU pools as somebody saw them."""

from __future__ import annotations

import datetime as dt

from planner.inputs.field import Row, field


class PoolRow(Row):
    """A GPU pool as somebody saw it, with date and source."""

    pool: str = field("Pool", "text", width=24)
    cluster: str = field("Cluster", "text", default=None, width=14)
    region: str = field("Region", "text", default=None, width=12)
    mode: str = field("Mode", "choice", default=None, choices=("gpu", "mig", "vgpu", "time_sliced"), width=11)
    gpu: str = field("GPU", "text", default=None, listed="gpuref_gpu", free=True, width=22)
    nodes: float | None = field("Nodes", "whole", "count", default=None, low=0, high=1e6, width=8)
    gpus_total: float | None = field(
        "GPUs total", "whole", "GPU", default=None, low=0, high=1e7, width=9, note="Installed; MIG: instances"
    )
    gpus_allocated: float | None = field(
        "GPUs allocated", "number", "GPU", default=None, low=0, high=1e7, width=9, note="To other work"
    )
    gpus_healthy: float | None = field(
        "GPUs healthy", "whole", "GPU", default=None, low=0, high=1e7, width=9, note="Empty: all"
    )
    maintenance_share: float | None = field(
        "Maintenance share",
        "share",
        "share",
        default=None,
        low=0,
        high=1,
        width=11,
        note="Of the total, out of service in turn; empty: none",
    )
    core_utilization: float | None = field(
        "Core utilization",
        "share",
        "share",
        default=None,
        low=0,
        high=1,
        width=9,
        note="Mean over the allocated GPUs",
    )
    slots_total: float | None = field(
        "Slots total", "whole", "count", default=None, low=0, high=1e8, width=9, note="vGPUs or time slices handed out"
    )
    slots_allocated: float | None = field("Slots allocated", "whole", "count", default=None, low=0, high=1e8, width=9)
    vram_total_gb: float | None = field("VRAM total, GB", "number", "GB", default=None, low=0, width=9, format="gb")
    vram_allocated_gb: float | None = field(
        "VRAM allocated, GB", "number", "GB", default=None, low=0, width=9, format="gb"
    )
    vram_used_gb: float | None = field("VRAM used, GB", "number", "GB", default=None, low=0, width=9, format="gb")
    kv_cache_use: float | None = field("KV cache use", "share", "share", default=None, low=0, high=1, width=9)
    requests_per_s: float | None = field(
        "Requests per s", "number", "request/s", default=None, low=0, width=9, format="fine"
    )
    workloads: float | None = field("Workloads", "whole", "count", default=None, low=0, width=9)
    replicas: float | None = field("Replicas", "whole", "replica", default=None, low=0, width=9)
    autoscaler_max_gpus: float | None = field("Autoscaler max GPUs", "whole", "GPU", default=None, low=0, width=10)
    evidence_date: dt.date | None = field("Evidence date", "date", "day", default=None, width=13)
    evidence_source: str = field("Evidence source", "text", default=None, width=26)
