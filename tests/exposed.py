"""Metrics as exporters expose them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planner.evidence.gather import Ask, Evidence, gathered
from planner.inputs.tables import PoolRow

DATA = Path(__file__).parent / "evidence"
MIG, PODS, NODES = (DATA / name for name in (
    "dcgm_exporter_a100_mig.REAL_NVIDIA_DOCS.prom", "dcgm_exporter_h100_k8s_pods.SCHEMA_FAITHFUL.prom",
    "kubectl_get_nodes.SCHEMA_FAITHFUL.json"))  # fmt: skip
MIB = 1048576 / 1e9  # GB
BLANK = 9223372036854775794
POD = {"namespace": "llm", "pod": "vllm-0", "container": "server"}


def gather(tmp_path: Path, *texts: str, **more: Any) -> Evidence:
    """Evidence from texts saved as files; a JSON text becomes a .json file."""
    files = []
    for i, text in enumerate(texts):
        path = tmp_path / f"{i}.{'json' if text.lstrip().startswith('{') else 'txt'}"
        path.write_text(text, encoding="utf-8")
        files.append(path)
    return gathered(Ask(tuple(files), **more))


def only(evidence: Evidence) -> PoolRow:
    """The one row."""
    [row] = evidence.rows
    return row


def by_name(evidence: Evidence) -> dict[str, PoolRow]:
    """Rows by pool."""
    return {r.pool: r for r in evidence.rows}


def dcgm(metric: str, value: object, gpu: int = 0, **labels: str) -> str:
    """A sample of dcgm-exporter."""
    known = {"gpu": str(gpu), "UUID": f"GPU-{gpu}", "Hostname": "n1", "modelName": "NVIDIA H100 80GB HBM3"} | labels
    return f"DCGM_FI_{metric}{{" + ",".join(f'{k}="{v}"' for k, v in known.items()) + f"}} {value}\n"


def a_node(
    name: str, capacity: dict[str, object], labels: dict[str, str] | None = None, *,
    usable: dict[str, object] | None = None, ready: str = "True", cordoned: bool = False,
    notes: dict[str, str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    return {
        "kind": "Node", "metadata": {"name": name, "labels": labels or {}, "annotations": notes or {}},
        "spec": {"unschedulable": True} if cordoned else {},
        "status": {"capacity": capacity, "allocatable": usable or capacity,
                   "conditions": [{"type": "Ready", "status": ready, "lastHeartbeatTime": "2026-11-20T23:59:00Z"}]},
    }  # fmt: skip
