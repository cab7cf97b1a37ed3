"""Evidence from node lists, vLLM, replies of the API, names and files."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from exposed import DATA, MIB, NODES, POD, a_node, by_name, dcgm, gather, only

from planner.evidence.exposition import read_exposition
from planner.evidence.gather import Ask, gathered
from planner.evidence.names import gpu_name, split_product
from planner.evidence.prometheus import parsed_reply, saved_reply
from planner.problem import InputProblems
from planner.resources import table

# ---- node lists


def product(name: str, **more: str) -> dict[str, str]:
    return {"nvidia.com/gpu.product": name} | {f"nvidia.com/gpu.{k}": v for k, v in more.items()}


NODE_CASES: dict[str, tuple[dict[str, Any], tuple[str, str, Any, Any, Any]]] = {
    # node -> pool, mode, total, healthy, slots
    "full": (a_node("n", {"nvidia.com/gpu": "8"}, product("NVIDIA-A100-SXM4-80GB", count="8", replicas="1")),
             ("A100-80GB-SXM", "gpu", 8, 8, None)),
    "one failed": (a_node("n", {"nvidia.com/gpu": "8"}, product("NVIDIA-A100-SXM4-80GB", count="8"),
                          usable={"nvidia.com/gpu": "7"}), ("A100-80GB-SXM", "gpu", 8, 7, None)),
    "one gone from capacity": (a_node("n", {"nvidia.com/gpu": "7"}, product("NVIDIA-A100-SXM4-80GB", count="8")),
                               ("A100-80GB-SXM", "gpu", 8, 7, None)),
    "cordoned": (a_node("n", {"nvidia.com/gpu": "8"}, product("NVIDIA-A100-SXM4-80GB"), cordoned=True),
                 ("A100-80GB-SXM", "gpu", 8, 0, None)),
    "not ready": (a_node("n", {"nvidia.com/gpu": "4"}, product("NVIDIA-L40S"), ready="Unknown"),
                  ("L40S-48GB", "gpu", 4, 0, None)),
    "nothing offered": (a_node("n", {"nvidia.com/gpu": "0"}, product("NVIDIA-L40S", count="4")),
                        ("L40S-48GB", "gpu", 4, 0, None)),
    "MIG, single": (a_node("n", {"nvidia.com/gpu": "7"}, product("NVIDIA-H100-NVL-MIG-1g.12gb", count="7")),
                    ("H100-NVL-94GB MIG 1g.12gb", "mig", 7, 7, None)),
    "MIG, mixed": (a_node("n", {"nvidia.com/gpu": "0", "nvidia.com/mig-1g.5gb": "3"},
                          product("NVIDIA-A100-SXM4-40GB", count="1")), ("A100-40GB-SXM MIG 1g.5gb", "mig", 3, 3, None)),
    "time-sliced": (a_node("n", {"nvidia.com/gpu": "80"}, product("NVIDIA-H200-SHARED", count="8", replicas="10"),
                           usable={"nvidia.com/gpu": "70"}), ("H200-141GB-SXM time-sliced", "time_sliced", 8, 7, 80)),
    "time-sliced without labels of it": (a_node("n", {"nvidia.com/gpu": "80"}, product("NVIDIA-H200", count="8")),
                                         ("H200-141GB-SXM time-sliced", "time_sliced", 8, 8, 80)),
    "time-sliced without a count": (a_node("n", {"nvidia.com/gpu": "80"}, product("NVIDIA-H200", replicas="10")),
                                    ("H200-141GB-SXM time-sliced", "time_sliced", 8, 8, 80)),
    "shared, nothing else known": (a_node("n", {"nvidia.com/gpu": "80"}, product("NVIDIA-H200-SHARED")),
                                   ("H200-141GB-SXM time-sliced", "time_sliced", None, None, 80)),
    "another resource name": (a_node("n", {"nvidia.com/gpu.shared": "40"}, product("NVIDIA-L4", count="4")),
                              ("L4-24GB time-sliced", "time_sliced", 4, 4, 40)),
    "HAMi, JSON register": (a_node("n", {"nvidia.com/gpu": "20"}, notes={"hami.io/node-nvidia-register": json.dumps(
        [{"id": f"GPU-{i}", "count": 10, "devmem": 32768, "devcore": 100, "type": "NVIDIA-Tesla V100-PCIE-32GB",
          "health": i == 0} for i in range(2)])}), ("V100-PCIE-32GB vGPU", "vgpu", 2, 1, 20)),
    "a register that is spoiled": (a_node("n", {"nvidia.com/gpu": "2"}, product("Tesla-V100-PCIE-32GB"),
                                          notes={"hami.io/node-nvidia-register": "GPU-1;10"}),
                                   ("V100-PCIE-32GB", "gpu", 2, 2, None)),
    "an amount that is no number": (a_node("n", {"nvidia.com/gpu": "8"}, product("NVIDIA-L4"),
                                           usable={"nvidia.com/gpu": "many"}), ("L4-24GB", "gpu", 8, None, None)),
    "another vendor": (a_node("n", {"amd.com/gpu": "8"}), ("unknown GPU", "gpu", 8, 8, None)),
}  # fmt: skip


@pytest.mark.parametrize("what", NODE_CASES)
def test_a_node(what: str, tmp_path: Path) -> None:
    node, (name, mode, total, healthy, slots) = NODE_CASES[what]
    row = only(gather(tmp_path, json.dumps({"kind": "List", "items": [node, a_node("cpu", {"cpu": "4"})]})))
    assert (row.pool, row.mode) == (name, mode)
    assert (row.gpus_total, row.gpus_healthy, row.slots_total) == (total, healthy, slots)
    assert row.core_utilization is None
    assert row.gpus_allocated is None or (row.gpus_allocated == 0 and healthy == 0)
    assert row.evidence_date == dt.date(2026, 11, 20)


def test_the_sample_of_nodes() -> None:
    evidence = gathered(Ask((NODES,)))
    rows = {r.pool: (r.mode, r.nodes, r.gpus_total, r.gpus_healthy, r.slots_total) for r in evidence.rows}
    assert rows == {
        "A100-80GB-SXM": ("gpu", 2, 16, 8, None), "H100-NVL-94GB MIG 1g.12gb": ("mig", 1, 7, 7, None),
        "A100-40GB-SXM MIG 1g.5gb": ("mig", 1, 3, 3, None), "A100-40GB-SXM MIG 4g.20gb": ("mig", 1, 1, 1, None),
        "H200-141GB-SXM time-sliced": ("time_sliced", 1, 8, 8, 80), "V100-PCIE-32GB vGPU": ("vgpu", 1, 2, 2, 20),
        "L40S-48GB": ("gpu", 1, 4, 0, None),
    }  # fmt: skip
    assert (
        "gpu-node-degraded is cordoned: its 8 GPUs are installed, none of them counts as healthy." in evidence.remarks
    )
    assert (
        "gpu-node-notready is not ready: its 4 GPUs are installed, none of them counts as healthy." in evidence.remarks
    )
    assert by_name(evidence)["A100-80GB-SXM"].vram_total_gb == pytest.approx(16 * 81251 * MIB)


def a_pod(
    node: str, gpus: int, phase: str = "Running", first: int = 0, resource: str = "nvidia.com/gpu"
) -> dict[str, Any]:
    spec = {"nodeName": node, "containers": [{"resources": {"limits": {resource: str(gpus)}}}, {}],
            "initContainers": [{"resources": {"requests": {resource: str(first)}}}]}  # fmt: skip
    return {"kind": "Pod", "metadata": {"name": "p"}, "spec": spec, "status": {"phase": phase}}


def test_pods_in_the_list_say_what_is_allocated(tmp_path: Path) -> None:
    labels = product("NVIDIA-A100-SXM4-80GB", count="8")
    items = [
        a_node("a", {"nvidia.com/gpu": "8"}, labels), a_node("b", {"nvidia.com/gpu": "8"}, labels, cordoned=True),
        a_node("t", {"nvidia.com/gpu": "80"}, product("NVIDIA-H200-SHARED", count="8", replicas="10")),
        a_pod("a", 2), a_pod("a", 1, first=4), a_pod("a", 8, "Succeeded"), a_pod("", 8, "Pending"), a_pod("b", 3),
        a_pod("t", 25),
    ]  # fmt: skip
    rows = by_name(gather(tmp_path, json.dumps({"kind": "List", "items": items})))
    assert rows["A100-80GB-SXM"].gpus_allocated == 2 + 4  # the larger of its first and its own containers; not on b
    shared = rows["H200-141GB-SXM time-sliced"]
    assert (shared.gpus_allocated, shared.slots_allocated) == (2.5, 25)


def test_nodes_and_telemetry_of_the_same_gpus_are_one_pool(tmp_path: Path) -> None:
    nodes = [a_node("N1", {"nvidia.com/gpu": "2"}, product("NVIDIA-H100-80GB-HBM3", count="2", memory="81559")),
             a_node("n2", {"nvidia.com/gpu": "2"}, product("NVIDIA-H100-80GB-HBM3", count="2"), cordoned=True)]  # fmt: skip
    text = dcgm("DEV_GPU_UTIL", 80, Hostname="n1.cluster.local", **POD) + dcgm(
        "DEV_GPU_UTIL", 0, 1, Hostname="n1.cluster.local"
    )
    text += dcgm("DEV_GPU_UTIL", 100, 2, Hostname="n2", **POD) + dcgm("DEV_GPU_UTIL", 9, 7, Hostname="gone")
    evidence = gather(tmp_path, json.dumps({"kind": "List", "items": nodes}), text)
    row = only(evidence)
    assert (row.gpus_total, row.gpus_healthy, row.gpus_allocated) == (4, 2, 1)  # what holds a cordoned node is no loss
    assert row.core_utilization == pytest.approx(0.8)
    assert any(r.startswith("gone is in the metrics but not in the node list") for r in evidence.remarks)


def test_an_exporter_that_names_its_own_pod_as_host(tmp_path: Path) -> None:
    nodes = [a_node("n1", {"nvidia.com/gpu": "1"}, product("NVIDIA-H100-80GB-HBM3", count="1"))]
    text = dcgm("DEV_GPU_UTIL", 40, Hostname="dcgm-exporter-x7", node="n1")
    assert only(gather(tmp_path, json.dumps({"items": nodes}), text)).core_utilization == pytest.approx(0.4)


def test_sources_that_disagree_are_said(tmp_path: Path) -> None:
    node = a_node("n1", {"nvidia.com/gpu": "8"}, product("NVIDIA-H100-80GB-HBM3", count="8"))
    evidence = gather(tmp_path, json.dumps({"kind": "List", "items": [node]}), dcgm("DEV_GPU_UTIL", 80))
    assert only(evidence).gpus_total == 8
    assert "n1: kubectl get nodes says 8 GPUs, dcgm-exporter 1; kubectl get nodes is used." in evidence.remarks


def test_a_part_that_is_unknown_makes_the_sum_unknown(tmp_path: Path) -> None:
    text = dcgm("DEV_GPU_UTIL", 10) + dcgm("DEV_FB_USED", 100) + dcgm("DEV_GPU_UTIL", 30, 1, Hostname="n2")
    evidence = gather(tmp_path, text)
    assert only(evidence).vram_used_gb is None
    assert (
        "H100-80GB-SXM: VRAM used, GB is unknown on 1 node(s) (n2), so it is unknown for the pool." in evidence.remarks
    )


def test_labels_can_name_the_pools(tmp_path: Path) -> None:
    nodes = [
        a_node(n, {"nvidia.com/gpu": "8"}, product("NVIDIA-L4") | {"team": t}) for n, t in (("a", "x"), ("b", "y"))
    ]
    rows = by_name(gather(tmp_path, json.dumps({"kind": "List", "items": nodes}), pool_label="team", cluster="c9"))
    assert {n: (r.cluster, r.gpus_total) for n, r in rows.items()} == {"x": ("c9", 8), "y": ("c9", 8)}


# ---- vLLM


def vllm(metric: str, value: object, pod: str = "vllm-0", engine: str = "0", stamp: str = "") -> str:
    return f'vllm:{metric}{{model_name="m",engine="{engine}",namespace="llm",pod="{pod}"}} {value}{stamp}\n'


GPU_OF_POD = dcgm("DEV_GPU_UTIL", 50, **POD)


@pytest.mark.parametrize(
    ("text", "kv"),
    [
        (vllm("gpu_cache_usage_perc", 0.4), 0.4),  # the old name
        (vllm("kv_cache_usage_perc", 0.4), 0.4),
        (vllm("gpu_cache_usage_perc", 0.9) + vllm("kv_cache_usage_perc", 0.4), 0.4),  # both: the new one, not a sum
        (vllm("kv_cache_usage_perc", 0.4) + vllm("kv_cache_usage_perc", 0.8, engine="1"), 0.6),  # a mean, never a sum
        (vllm("kv_cache_usage_perc", 40), None),  # 0..1, whatever the name says
        (vllm("kv_cache_usage_perc", "NaN"), None),
        (vllm("num_requests_running", 4), None),
    ],
)
def test_kv_cache(text: str, kv: float | None, tmp_path: Path) -> None:
    row = only(gather(tmp_path, GPU_OF_POD + text))
    assert row.kv_cache_use == (None if kv is None else pytest.approx(kv))


def test_a_server_belongs_to_the_pool_whose_gpu_holds_its_pod(tmp_path: Path) -> None:
    other = dcgm("DEV_GPU_UTIL", 5, 5, modelName="NVIDIA L40S", Hostname="n2")
    text = GPU_OF_POD + other + vllm("kv_cache_usage_perc", 0.7) + vllm("kv_cache_usage_perc", 0.1, pod="stranger")
    evidence = gather(tmp_path, text)
    rows = by_name(evidence)
    assert rows["H100-80GB-SXM"].kv_cache_use == pytest.approx(0.7) and rows["L40S-48GB"].kv_cache_use is None
    assert "vLLM serving m: which pool it runs in is not known; not used." in evidence.remarks


@pytest.mark.parametrize(
    ("first", "second", "between", "rate", "word"),
    [
        (vllm("request_success_total", 100), "", None, None, "counters need two scrapes"),
        (vllm("request_success_total", 100), vllm("request_success_total", 160), 30.0, 2.0, ""),
        (vllm("request_success_total", 100), vllm("request_success_total", 160), None, None, "carry no times"),
        (vllm("request_success_total", 100), vllm("request_success_total", 5), 30.0, None, "began anew"),
        (vllm("request_success_total", 100, stamp=" 1700000000000"),
         vllm("request_success_total", 160, stamp=" 1700000020000"), None, 3.0, ""),
    ],
)  # fmt: skip
def test_counters(
    first: str, second: str, between: float | None, rate: float | None, word: str, tmp_path: Path
) -> None:
    texts = [GPU_OF_POD + first, *([second] if second else [])]
    evidence = gather(tmp_path, *texts, seconds_between=between)
    assert only(evidence).requests_per_s == (None if rate is None else pytest.approx(rate))
    assert (
        any(word in r for r in evidence.remarks) if word else not any("Requests per s" in r for r in evidence.remarks)
    )


# ---- the API's replies


def test_values_of_the_api_are_strings_and_odd_ones_are_left_out() -> None:
    found = saved_reply((DATA / "prometheus_query_vector.SCHEMA_FAITHFUL.json").read_bytes(), "saved")
    assert {s.labels["mode"]: s.value for s in found.samples if s.known} == {"GPU": 32.0, "VGPU": 120.0}
    assert "saved: the server warns: results may be partial" in found.remarks
    assert any("NaN" in r for r in found.remarks)


def test_gaps_are_missing_points_and_a_mean_leaves_them_out() -> None:
    found = saved_reply((DATA / "prometheus_query_range_matrix.SCHEMA_FAITHFUL.json").read_bytes(), "saved")
    [sample] = found.samples
    assert sample.value == pytest.approx((41.2 + 43.9 + 97.1) / 3)  # NaN, +Inf and the empty series give nothing
    assert sum("are NaN" in r or "are +Inf" in r for r in found.remarks) == 2


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ((DATA / "prometheus_error.SCHEMA_FAITHFUL.json").read_bytes(), "the error bad_data: invalid parameter"),
        (b"<html>login</html>", "no JSON but '<html>login</html>'"),
        (b"[]", "JSON without a status"),
        (b'{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}', "a result of type 'scalar'"),
        (b'{"status":"success","data":{"resultType":"vector","result":{}}}', "a result of type 'vector'"),
        (b'{"status":"success"}', "a result of type None"),
    ],
)
def test_a_reply_that_is_no_result(body: bytes, found: str) -> None:
    with pytest.raises(InputProblems) as bad:
        parsed_reply(body, "vector", "http://p", "q")
    assert bad.value.problems[0].found.startswith(found)


# ---- names


@pytest.mark.parametrize("row", table("gpu_names.csv"), ids=lambda r: r["product"])
def test_names_lead_to_gpus_that_are_known(row: dict[str, str]) -> None:
    assert row["gpu"] in {r["gpu"] for r in table("gpus.csv")}
    for spelled in (row["product"], "NVIDIA " + row["product"], "NVIDIA-" + row["product"].replace(" ", "-")):
        assert gpu_name(spelled) == row["gpu"]
    assert gpu_name(row["gpu"]) == row["gpu"]


@pytest.mark.parametrize(
    ("label", "parts"),
    [
        ("NVIDIA-H100-NVL-MIG-1g.12gb", ("NVIDIA-H100-NVL", "1g.12gb", False)),
        ("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb-SHARED", ("NVIDIA-A100-SXM4-40GB", "1g.5gb", True)),
        ("NVIDIA-H200-SHARED", ("NVIDIA-H200", "", True)),
        ("NVIDIA-A100-SXM4-80GB-MIG-1g.10gb+me", ("NVIDIA-A100-SXM4-80GB", "1g.10gb+me", False)),
        ("", ("", "", False)),
    ],
)
def test_product_labels(label: str, parts: tuple[str, str, bool]) -> None:
    assert split_product(label) == parts


# ---- files


def test_every_file_that_cannot_be_used_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "empty.prom").write_text("\n")
    (tmp_path / "other.prom").write_text("up 1\n")
    (tmp_path / "half.json").write_text('{"kind":"List","items":[')
    (tmp_path / "pods.json").write_text('{"kind":"List","items":[{"kind":"Pod"}]}')
    (tmp_path / "folder").mkdir()
    names = ("empty.prom", "other.prom", "half.json", "pods.json", "folder", "missing.prom")
    with pytest.raises(InputProblems) as bad:
        gathered(Ask(tuple(tmp_path / n for n in names)))
    assert [str(p.found) for p in bad.value.problems] == [
        "an empty file", "nothing about GPUs", "JSON that breaks off", "JSON without nodes", "no file", "no file",
    ]  # fmt: skip


def test_nodes_without_any_gpu_are_no_evidence(tmp_path: Path) -> None:
    with pytest.raises(InputProblems, match="found no GPU"):
        gather(tmp_path, json.dumps({"kind": "List", "items": [a_node("cpu", {"cpu": "4"})]}))


def test_a_node_that_is_described_otherwise_is_left_out_and_said(tmp_path: Path) -> None:
    items = [{"kind": "Node", "metadata": {"name": "odd"}}, a_node("n", {"nvidia.com/gpu": "1"})]
    evidence = gather(tmp_path, json.dumps({"kind": "NodeList", "items": items}))
    assert only(evidence).gpus_total == 1
    assert "Node odd is not described as Kubernetes describes a node; left out." in evidence.remarks


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "pools.csv"
    path.write_bytes("资源池,GPU,GPU 总数\r\n东一,A100-80GB-SXM,8".encode(encoding))
    row = only(gathered(Ask((path,), day=dt.date(2026, 11, 1))))
    assert (row.pool, row.gpus_total, row.evidence_date) == ("东一", 8, dt.date(2026, 11, 1))


def test_a_csv_in_the_words_of_the_tab(tmp_path: Path) -> None:
    path = tmp_path / "pools.csv"
    path.write_text("Pool;Mode;GPU;GPUs total;Core utilization;Evidence date\n"
                    "a;Time-sliced;L4-24GB;1024;62%;2026-11-20\nb;整卡;L4-24GB;8;;\n")  # fmt: skip
    first, second = gathered(Ask((path,), cluster="c")).rows
    assert (first.mode, first.gpus_total, first.core_utilization) == ("time_sliced", 1024, pytest.approx(0.62))
    assert (first.evidence_date, first.evidence_source) == (dt.date(2026, 11, 20), "planner gpus: pools.csv")
    assert (second.mode, second.core_utilization, second.cluster) == ("gpu", None, "c")


def test_a_csv_names_each_wrong_cell(tmp_path: Path) -> None:
    path = tmp_path / "pools.csv"
    path.write_text("pool,gpus_total,core_utilization,colour\na,eight,0.5,red\nb,-1,0.5,\n")
    with pytest.raises(InputProblems) as bad:
        gathered(Ask((path,)))
    assert {p.place for p in bad.value.problems} == {"pools.csv!B2", "pools.csv!B3", "pools.csv!D1"}


def test_a_csv_holds_each_pool_once_and_no_more_healthy_gpus_than_there_are(tmp_path: Path) -> None:
    first, second = tmp_path / "pools.csv", tmp_path / "more.csv"
    first.write_text("pool,cluster,gpu,gpus_total,gpus_healthy\na,,L4-24GB,16,20\n")
    second.write_text("pool,cluster,gpu,gpus_total\na,c1,L4-24GB,16\nA,c2,L4-24GB,8\na,c2,L4-24GB,4\n")
    for path, line in (
        (first, "pools.csv!E2: found 20 healthy GPUs of 16; wanted no more than there are"),
        (second, "more.csv!A4: found 'a' a second time (first in more.csv!A3); wanted each pool once"),
    ):
        with pytest.raises(InputProblems) as bad:
            gathered(Ask((path,)))
        [problem] = bad.value.problems
        assert str(problem).startswith(line)


def test_an_exemplar_behind_a_value_and_times_in_the_text() -> None:
    text = 'DCGM_FI_DEV_GPU_UTIL{gpu="0"} 50 1700000000000 # {trace_id="x"} 1\n# EOF\n'
    [sample] = read_exposition(text, "x").samples
    assert (sample.value, sample.time) == (50, 1700000000.0)
