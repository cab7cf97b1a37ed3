"""Evidence from exporters: dcgm-exporter, HAMi, kpanda."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from exposed import BLANK, DATA, MIB, MIG, POD, PODS, a_node, by_name, dcgm, gather, only

from planner.evidence.gather import Ask, gathered

# ---- case 22 and the samples


def test_case_22_mig_is_as_busy_as_its_engine() -> None:
    """GPU_UTIL is absent (or 0) on MIG; parent and instance rows coexist and only the instance counts."""
    row = only(gathered(Ask((MIG,))))
    assert (row.mode, row.gpus_total, row.nodes) == ("mig", 1, 1)
    assert row.core_utilization == pytest.approx(0.995687)
    assert row.gpus_allocated is None and row.vram_used_gb is None
    assert row.gpu == "unknown GPU MIG 1g.5gb"


def mig(metric: str, value: object, gpu: int = 0, instance: str = "13", profile: str = "1g.5gb") -> str:
    return dcgm(metric, value, gpu, GPU_I_ID=instance, GPU_I_PROFILE=profile)


@pytest.mark.parametrize(
    ("text", "busy"),
    [
        (mig("DEV_GPU_UTIL", 0) + mig("PROF_GR_ENGINE_ACTIVE", 0.9956), 0.9956),
        (mig("DEV_GPU_UTIL", 0), None),  # the metric absent: unknown
        (mig("DEV_GPU_UTIL", 0) + mig("PROF_GR_ENGINE_ACTIVE", "NaN"), None),
        (mig("PROF_GR_ENGINE_ACTIVE", BLANK) + mig("DEV_FB_USED", 5), None),
        (mig("PROF_GR_ENGINE_ACTIVE", 0.2) + mig("PROF_GR_ENGINE_ACTIVE", 0.6, instance="14"), 0.4),
        (dcgm("PROF_GR_ENGINE_ACTIVE", 0.9) + mig("PROF_GR_ENGINE_ACTIVE", 0.5), 0.5),  # the parent is no unit
        (mig("PROF_GR_ENGINE_ACTIVE", 99.56), None),  # 0..1, not per cent: outside its unit
    ],
)
def test_mig_utilization(text: str, busy: float | None, tmp_path: Path) -> None:
    row = only(gather(tmp_path, text))
    assert row.mode == "mig"
    assert row.core_utilization == (None if busy is None else pytest.approx(busy))


def test_two_profiles_are_two_pools(tmp_path: Path) -> None:
    text = mig("PROF_GR_ENGINE_ACTIVE", 0.2) + mig("PROF_GR_ENGINE_ACTIVE", 0.8, instance="2", profile="4g.20gb")
    rows = by_name(gather(tmp_path, text))
    assert {n: (r.gpus_total, r.core_utilization) for n, r in rows.items()} == {
        "H100-80GB-SXM MIG 1g.5gb": (1, pytest.approx(0.2)), "H100-80GB-SXM MIG 4g.20gb": (1, pytest.approx(0.8)),
    }  # fmt: skip


def test_pods_say_what_is_allocated_and_the_allocated_say_how_busy() -> None:
    row = only(gathered(Ask((PODS,))))
    assert (row.pool, row.mode, row.gpu) == ("H100-80GB-SXM", "gpu", "H100-80GB-SXM")
    assert (row.gpus_total, row.gpus_allocated, row.workloads) == (2, 1, 1)
    assert row.core_utilization == pytest.approx(0.97)  # the idle GPU is not allocated
    assert row.vram_used_gb == pytest.approx((78772 + 3) * MIB)  # FB_* is in MiB
    assert row.vram_total_gb == pytest.approx((2310 + 81079 + 78772 + 3) * MIB)
    assert row.kv_cache_use is None and row.requests_per_s is None and row.gpus_healthy is None


EXPORTER = {"namespace": "monitoring", "pod": "dcgm-exporter-x7", "container": "exporter"}


@pytest.mark.parametrize(
    ("text", "allocated", "busy"),
    [
        (dcgm("DEV_GPU_UTIL", 50) + dcgm("DEV_GPU_UTIL", 100, 1), None, 0.75),  # no pods named: unknown, mean of all
        (dcgm("DEV_GPU_UTIL", 50, **POD) + dcgm("DEV_GPU_UTIL", 0, 1, pod="", namespace=""), 1, 0.5),
        # A server that keeps its own labels: `pod` is the exporter's, `exported_pod` the workload's.
        (dcgm("DEV_GPU_UTIL", 50, exported_pod="vllm-0", **EXPORTER) + dcgm("DEV_GPU_UTIL", 0, 1, **EXPORTER), 1, 0.5),
        (dcgm("DEV_GPU_UTIL", 50, **EXPORTER) + dcgm("DEV_GPU_UTIL", 0, 1, **EXPORTER), None, 0.25),
        (dcgm("DEV_GPU_UTIL", 0, **POD) + dcgm("DEV_GPU_UTIL", 0, 1, **POD), 2, 0.0),  # idle is 0, a figure
        (dcgm("DEV_GPU_UTIL", "NaN", **POD), 1, None),
        (dcgm("DEV_GPU_UTIL", BLANK, **POD) + dcgm("DEV_FB_USED", 1, **POD), 1, None),
        (dcgm("DEV_GPU_UTIL", 140, **POD), 1, None),  # outside 0..100
        (dcgm("PROF_GR_ENGINE_ACTIVE", 0.4, **POD), 1, 0.4),  # a full GPU without GPU_UTIL
        (dcgm("DEV_GPU_UTIL", 80, **POD) + dcgm("PROF_GR_ENGINE_ACTIVE", 0.4, **POD), 1, 0.8),
        (dcgm("DEV_GPU_UTIL", 90, **POD) + dcgm("DEV_GPU_UTIL", 60, 1), 1, 1.0),  # work beside the scheduler
        # the first generation of names
        ('dcgm_gpu_utilization{uuid="GPU-1",pod_name="a",pod_namespace="b"} 30\n', 1, 0.3),
        ('dcgm_gpu_utilization{uuid="GPU-0",pod_name="a"} 90\n' + dcgm("DEV_GPU_UTIL", 30, **POD), 1, 0.3),
    ],
)
def test_full_gpus(text: str, allocated: float | None, busy: float | None, tmp_path: Path) -> None:
    row = only(gather(tmp_path, text))
    assert row.gpus_allocated == allocated
    assert row.core_utilization == (None if busy is None else pytest.approx(busy))


def test_a_utilization_is_weighted_by_gpus_not_a_mean_of_nodes(tmp_path: Path) -> None:
    text = "".join(dcgm("DEV_GPU_UTIL", 100, i, Hostname="small") for i in range(1))
    text += "".join(dcgm("DEV_GPU_UTIL", 20, i, Hostname="big") for i in range(1, 8))
    assert only(gather(tmp_path, text)).core_utilization == pytest.approx((1.0 + 7 * 0.2) / 8)


def test_free_gpus_without_a_value_are_idle(tmp_path: Path) -> None:
    """The mean over the allocated GPUs: never that mean over all of them, divided by the allocated."""
    whole = "".join(dcgm("DEV_GPU_UTIL", u, i, **POD) for i, u in enumerate((90, 80, 70, 60, 50, 40)))
    row = only(gather(tmp_path, whole + dcgm("DEV_GPU_UTIL", "NaN", 6) + dcgm("DEV_GPU_UTIL", "NaN", 7)))
    assert (row.gpus_total, row.gpus_allocated, row.core_utilization) == (8, 6, pytest.approx(0.65))
    one = {"GPU_I_PROFILE": "1g.5gb", **POD}
    split = "".join(dcgm("PROF_GR_ENGINE_ACTIVE", 0.3, 0, GPU_I_ID=str(i), **one) for i in range(4))
    split += "".join(mig("DEV_FB_USED", 5, instance=str(i)) for i in range(4, 7))
    row = only(gather(tmp_path, split))
    assert (row.gpus_total, row.gpus_allocated, row.core_utilization) == (7, 4, pytest.approx(0.3))
    node = a_node("n1", {"nvidia.com/gpu": "8"}, {"nvidia.com/gpu.count": "8", "nvidia.com/gpu.product": "NVIDIA-L4"})
    held = {"kind": "Pod", "metadata": {"name": "p"}, "status": {"phase": "Running"}, "spec": {
        "nodeName": "n1", "containers": [{"resources": {"limits": {"nvidia.com/gpu": "6"}}}]}}  # fmt: skip
    bare = "".join(dcgm("DEV_GPU_UTIL", 65, i, modelName="NVIDIA L4") for i in range(6))
    row = only(gather(tmp_path, json.dumps({"kind": "List", "items": [node, held]}), bare))
    assert (row.gpus_total, row.gpus_allocated, row.core_utilization) == (8, 6, pytest.approx(0.65))


def test_allocated_gpus_without_a_value_are_as_busy_as_the_others_and_never_idle(tmp_path: Path) -> None:
    text = dcgm("DEV_GPU_UTIL", 80, **POD) + dcgm("DEV_GPU_UTIL", "NaN", 1, **POD) + dcgm("DEV_GPU_UTIL", 0, 2)
    assert only(gather(tmp_path, text)).core_utilization == pytest.approx(0.8)
    text = dcgm("DEV_GPU_UTIL", "NaN", **POD) + dcgm("DEV_GPU_UTIL", 0, 1)
    assert only(gather(tmp_path, text)).core_utilization is None


def test_a_node_at_work_without_any_pod_is_unknown_and_no_free_one(tmp_path: Path) -> None:
    named = "".join(dcgm("DEV_GPU_UTIL", 50, i, **POD) for i in range(4))
    silent = "".join(dcgm("DEV_GPU_UTIL", 46, i, Hostname="n2") for i in range(4, 8))
    evidence = gather(tmp_path, named + silent)
    row = only(evidence)
    assert (row.gpus_total, row.gpus_allocated, row.core_utilization) == (8, None, pytest.approx(0.48))
    assert "n2: no GPU has a pod, yet they may be at work: what is allocated is unknown." in evidence.remarks
    idle = "".join(dcgm("DEV_GPU_UTIL", 0, i, Hostname="n2") for i in range(4, 8))
    row = only(gather(tmp_path, named + idle))
    assert (row.gpus_allocated, row.core_utilization) == (4, pytest.approx(0.5))


@pytest.mark.parametrize(
    ("value", "known"), [(BLANK, False), (BLANK - 2, False), (2147483632, False), (140737488355328.0, False), (7, True)]
)
def test_blank_values_are_no_figures(value: float, known: bool, tmp_path: Path) -> None:
    row = only(gather(tmp_path, dcgm("DEV_GPU_UTIL", 5) + dcgm("DEV_FB_USED", value)))
    assert (row.vram_used_gb is not None) is known


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    text = dcgm("DEV_GPU_UTIL", "NaN") + dcgm("DEV_GPU_UTIL", "+Inf", 1) + dcgm("DEV_FB_USED", BLANK)
    text += "this is no metric\r\n" + dcgm("DEV_GPU_UTIL", 3, 2) * 2 + dcgm("DEV_XID_ERRORS", 79, 2)
    remarks = gather(tmp_path, text).remarks
    for said in (
        "DCGM_FI_DEV_GPU_UTIL: 1 value(s) are NaN: unknown, not zero.",
        "DCGM_FI_DEV_GPU_UTIL: 1 value(s) are +Inf: unknown, not zero.",
        "DCGM_FI_DEV_FB_USED: 1 value(s) are blank: unknown, not zero.",
        "0.txt: 1 line(s) are no metric and were left out: line 4.",
        "0.txt: 1 series stand twice; the last value counts.",
        "n1, GPU GPU-2: last error XID 79; counted as healthy, look at it.",
    ):
        assert said in remarks


def test_failed_memory_makes_a_gpu_unhealthy(tmp_path: Path) -> None:
    text = "".join(dcgm("DEV_ROW_REMAP_FAILURE", int(i == 1), i) + dcgm("DEV_GPU_UTIL", 5, i) for i in range(4))
    row = only(gather(tmp_path, text))
    assert (row.gpus_total, row.gpus_healthy) == (4, 3)


def test_every_metric_of_the_default_counters_that_is_read_has_its_name() -> None:
    """The names of dcgm-exporter's own list, commented ones too."""
    text = (DATA / "dcgm_default_counters.REAL.csv").read_text()
    for name in ("GPU_UTIL", "FB_USED", "FB_FREE", "FB_RESERVED", "XID_ERRORS", "ROW_REMAP_FAILURE"):
        assert f"DCGM_FI_DEV_{name}," in text
    assert "DCGM_FI_PROF_GR_ENGINE_ACTIVE," in text


# ---- HAMi

GIB = 1024**3


def hami(old: bool = True, new: bool = True, core: float = 45, memory: float = 8 * GIB, util: float | None = 40) -> str:
    """One shared GPU of 32 GiB, in the old names, the new, or both."""
    text = ""
    for is_new, on in ((False, old), (True, new)):
        if not on:
            continue
        labels = (
            'node="n1",device_uuid="GPU-a",device_index="0",device_type="NVIDIA-Tesla V100-PCIE-32GB"' if is_new
            else 'nodeid="n1",deviceuuid="GPU-a",deviceidx="0",devicetype="NVIDIA-Tesla V100-PCIE-32GB",zone="vGPU"'
        )  # fmt: skip
        names = (
            ("hami_gpu_memory_limit_bytes", "hami_gpu_memory_allocated_bytes", "hami_gpu_core_limit_ratio",
             "hami_gpu_core_allocated_ratio", "hami_gpu_shared_count", "hami_host_gpu_utilization_ratio",
             "hami_host_gpu_memory_used_bytes") if is_new
            else ("GPUDeviceMemoryLimit", "GPUDeviceMemoryAllocated", "GPUDeviceCoreLimit", "GPUDeviceCoreAllocated",
                  "GPUDeviceSharedNum", "HostCoreUtilization", "HostGPUMemoryUsage")
        )  # fmt: skip
        values = (32 * GIB, memory, 100, core, 3, util, 6 * GIB)
        text += "".join(f"{n}{{{labels}}} {v}\n" for n, v in zip(names, values, strict=True) if v is not None)
    return text


@pytest.mark.parametrize(("old", "new"), [(True, False), (False, True), (True, True)])
def test_hami_in_either_generation_of_names_or_both_together(old: bool, new: bool, tmp_path: Path) -> None:
    row = only(gather(tmp_path, hami(old, new)))
    assert (row.pool, row.mode, row.gpus_total) == ("V100-PCIE-32GB vGPU", "vgpu", 1)
    assert row.gpus_allocated == pytest.approx(0.45)  # a core "ratio" is 0..100
    assert row.core_utilization == pytest.approx(0.40 / 0.45)
    assert row.slots_allocated == 3
    assert row.vram_total_gb == pytest.approx(32 * GIB / 1e9)  # bytes
    assert row.vram_allocated_gb == pytest.approx(8 * GIB / 1e9) and row.vram_used_gb == pytest.approx(6 * GIB / 1e9)


def test_hami_memory_can_be_the_larger_share(tmp_path: Path) -> None:
    row = only(gather(tmp_path, hami(core=10, memory=24 * GIB, util=None)))
    assert row.gpus_allocated == pytest.approx(0.75) and row.core_utilization is None


def test_hami_mig_instances(tmp_path: Path) -> None:
    text = "".join(f'hami_node_gpu_mig_instance_info{{node="n1",device_uuid="GPU-a",mig_name="1g.10gb-{i}"}} {int(i < 2)}\n'
                   for i in range(7))  # fmt: skip
    text += "".join(f'nodeGPUMigInstance{{nodeid="n1",deviceuuid="GPU-a",migname="1g.10gb-{i}"}} {int(i < 2)}\n'
                    for i in range(7))  # fmt: skip
    row = only(gather(tmp_path, text))
    assert (row.mode, row.gpus_total, row.gpus_allocated) == ("mig", 7, 2)


def test_dcgm_sees_the_same_gpu_that_hami_shares(tmp_path: Path) -> None:
    text = hami(util=None) + dcgm("DEV_GPU_UTIL", 30, UUID="GPU-a", modelName="Tesla V100-PCIE-32GB")
    row = only(gather(tmp_path, text))
    assert (row.mode, row.gpus_total) == ("vgpu", 1)
    assert row.core_utilization == pytest.approx(0.30 / 0.45)


# ---- kpanda


def kpanda(node: str, mode: str, **values: float | str) -> str:
    names = {"count": "kpanda_gpu_count", "allocated": "kpanda_gpu_allocated", "used": "kpanda_gpu_device_memory_used",
             "util": "kpanda_gpu_device_core_utilization", "taken": "kpanda_gpu_mem_allocated",
             "memory": "kpanda_gpu_device_memory_total"}  # fmt: skip
    return "".join(f'{names[k]}{{node="{node}",mode="{mode}",cluster="c1"}} {v}\n' for k, v in values.items())


def test_kpanda_by_node_and_mode(tmp_path: Path) -> None:
    text = kpanda("a", "GPU", count=8, allocated=6, util=90, memory=8 * 81920, taken=6 * 81920, used=400000)
    text += kpanda("b", "GPU", count=2, allocated=0, util=0, memory=2 * 81920, taken=0, used=0)
    text += kpanda("c", "MIG", count=7, allocated="NaN", util="NaN")
    text += kpanda("d", "VGPU", count=120, allocated=30, util=50)
    evidence = gather(tmp_path, text)
    rows = {r.mode: r for r in evidence.rows}
    full = rows["gpu"]
    assert (full.cluster, full.nodes, full.gpus_total, full.gpus_allocated) == ("c1", 2, 10, 6)
    assert full.core_utilization == 1.0  # 7.2 GPUs busy, 6 handed out
    assert any("7.20 GPUs are busy, 6.00 allocated" in r for r in evidence.remarks)
    assert full.vram_allocated_gb == pytest.approx(6 * 81920 * MIB)  # MiB
    assert (rows["mig"].gpus_total, rows["mig"].gpus_allocated, rows["mig"].core_utilization) == (7, None, None)
    shared = rows["vgpu"]
    assert (shared.gpus_total, shared.gpus_allocated, shared.slots_total, shared.slots_allocated) == (
        None,
        None,
        120,
        30,
    )
    assert any("vGPUs are shares, not GPUs" in r for r in evidence.remarks)


def test_kpanda_and_a_node_list_know_together_what_vgpus_hold(tmp_path: Path) -> None:
    """12 GPUs in 120 vGPUs: 30 vGPUs with half of the memory hold half of the GPUs."""
    register = "".join(f"GPU-{i},10,32768,100,NVIDIA-Tesla V100-PCIE-32GB,0,true:" for i in range(12))
    node = a_node("d", {"nvidia.com/gpu": "120"}, notes={"hami.io/node-nvidia-register": register})
    text = kpanda("d", "VGPU", count=120, allocated=30, util=40, memory=12 * 32768, taken=6 * 32768)
    row = only(gather(tmp_path, json.dumps({"kind": "List", "items": [node]}), text))
    assert (row.gpus_total, row.gpus_allocated, row.slots_total) == (12, 6, 120)
    assert row.core_utilization == pytest.approx(0.8)


def test_an_unknown_mode_is_said(tmp_path: Path) -> None:
    evidence = gather(tmp_path, kpanda("a", "NPU", count=8) + kpanda("b", "GPU", count=1))
    assert only(evidence).gpus_total == 1
    assert "kpanda_gpu_count of a: mode 'NPU' is not known; not used." in evidence.remarks
