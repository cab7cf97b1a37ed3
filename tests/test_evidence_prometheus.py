"""`planner gpus --prometheus`: a real server, fed by an exporter on loopback, and every way in which one can fail."""

from __future__ import annotations

import http.server
import json
import os
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from exposed import DATA, MIG, dcgm
from test_evidence_exporters import hami, kpanda
from test_evidence_nodes import vllm
from test_evidence_workbook import pools
from workbooks import Outcome, planner

from planner.evidence.names import FAMILIES
from planner.evidence.prometheus import Server, queries, read_prometheus

PROMETHEUS = shutil.which("prometheus")
needs_prometheus = pytest.mark.skipif(PROMETHEUS is None, reason="Debian's package prometheus is not installed")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback is asked directly, whatever the machine's proxy; no token of the machine is sent."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv("PROMETHEUS_TOKEN", raising=False)


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextmanager
def serving(answer: Callable[[http.server.BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """A server on loopback that answers every request in one way."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(http.server.ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that went away is no news."""

    server = Quiet(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def send(handler: http.server.BaseHTTPRequestHandler, body: bytes, code: int = 200, kind: str = "text/plain") -> None:
    handler.send_response(code)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


# ---- a real server

SCRAPES = {"count": 0}


def exposed(path: str) -> str:
    """What the exporter serves; the counter grows by 20 a scrape."""
    if path == "/dcgm":
        pod = {"namespace": "llm", "pod": "vllm-0", "container": "server"}
        text = (DATA / "dcgm_exporter_h100_k8s_pods.SCHEMA_FAITHFUL.prom").read_text() + MIG.read_text()
        odd = {"modelName": "NVIDIA L40S", "Hostname": "odd"}
        text += dcgm("DEV_GPU_UTIL", "NaN", 7, **odd, **(pod | {"pod": "other-0"})) + dcgm("DEV_FB_USED", 100, 7, **odd)
        return text + dcgm("DEV_FB_USED", 200, 8, **odd)  # a GPU without the series of its utilization
    if path == "/hami":
        return hami()
    if path == "/kpanda":
        return kpanda("k1", "MIG", count=14, allocated=7, util=50) + kpanda("k2", "VGPU", count=120, allocated=9)
    SCRAPES["count"] += 1
    return vllm("kv_cache_usage_perc", 0.6) + vllm("gpu_cache_usage_perc", 0.9) + vllm(
        "kv_cache_usage_perc", 0.8, engine="1") + vllm("request_success_total", 20 * SCRAPES["count"])  # fmt: skip


@contextmanager
def prometheus(folder: Path, targets: dict[str, str], *options: str) -> Iterator[str]:
    """Debian's Prometheus on loopback, scraping every half second; `targets` is job -> host:port/path."""
    assert PROMETHEUS
    folder.mkdir()
    jobs = [
        {"job_name": job, "metrics_path": "/" + at.partition("/")[2],
         # labels of the scraped pod, as a server in a cluster adds them: those of the metric become exported_…
         "static_configs": [{"targets": [at.partition("/")[0]], "labels": {"namespace": "monitoring", "pod": f"{job}-x7"}}]}
        for job, at in targets.items()
    ]  # fmt: skip
    config = {"global": {"scrape_interval": "500ms", "scrape_timeout": "400ms"}, "scrape_configs": jobs}
    (folder / "prometheus.yml").write_text(json.dumps(config))  # JSON is YAML
    port = free_port()
    log = (folder / "log").open("w")
    process = subprocess.Popen(
        [PROMETHEUS, f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}",
         f"--web.listen-address=127.0.0.1:{port}", *options],
        stdout=log, stderr=log,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        up = len([t for t in targets.values() if "/dead" not in t])
        wait_until(lambda: len(ask(url, "up == 1")) >= up, process, folder)
        yield url
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def ask(url: str, query: str) -> list[Any]:
    asked = urllib.parse.urlencode({"query": query})
    with urllib.request.urlopen(f"{url}/api/v1/query?{asked}", timeout=5) as reply:
        return list(json.load(reply)["data"]["result"])


def wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes], folder: Path) -> None:
    for _ in range(150):
        assert process.poll() is None, (folder / "log").read_text()
        try:
            if ready():
                return
        except (urllib.error.URLError, OSError, ValueError, KeyError):
            pass
        time.sleep(0.2)
    raise AssertionError((folder / "log").read_text())


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with four exporters, one of them dead."""
    if PROMETHEUS is None:
        pytest.skip("Debian's package prometheus is not installed")
    os.environ.setdefault("no_proxy", "127.0.0.1")
    with serving(lambda h: send(h, exposed(h.path).encode())) as exporter:
        at = exporter.removeprefix("http://")
        targets = {"dcgm-exporter": f"{at}/dcgm", "hami-scheduler": f"{at}/hami", "kpanda": f"{at}/kpanda",
                   "vllm": f"{at}/vllm", "gpu-gone": f"127.0.0.1:{free_port()}/dead"}  # fmt: skip
        with prometheus(tmp_path_factory.mktemp("real") / "p", targets) as url:
            wait_until_counted(url)
            yield url


def wait_until_counted(url: str) -> None:
    """Until the counter has been scraped a few times."""
    for _ in range(60):
        if any(float(s["value"][1]) > 15 for s in ask(url, "rate(vllm:request_success_total[6s])")):
            return
        time.sleep(0.2)
    raise AssertionError("no rate")


@needs_prometheus
def test_a_real_server_fills_the_pools(real: str, tmp_path: Path) -> None:
    path = tmp_path / "input.xlsx"
    done = planner("gpus", "--prometheus", real, "-o", path, "--window", "0.1")
    assert done.code == 0, done.err
    rows = pools(path)
    assert set(rows) == {"H100-80GB-SXM", "unknown GPU MIG 1g.5gb", "L40S-48GB", "V100-PCIE-32GB vGPU",
                         "unknown GPU MIG", "unknown GPU vGPU"}  # fmt: skip
    h100 = rows["H100-80GB-SXM"]
    # the pods of the GPUs, not of the exporter that the server labels with `pod`
    assert (h100.gpus_total, h100.gpus_allocated, h100.core_utilization) == (2, 1, pytest.approx(0.97))
    assert h100.kv_cache_use == pytest.approx(0.7)  # two engines, the new name, a mean
    assert h100.requests_per_s is not None and 10 < h100.requests_per_s < 120  # 20 a scrape, two scrapes a second
    assert rows["unknown GPU MIG 1g.5gb"].core_utilization == pytest.approx(0.995687)
    shared = rows["V100-PCIE-32GB vGPU"]
    assert (shared.gpus_total, shared.gpus_allocated) == (1, pytest.approx(0.45))  # both generations, counted once
    assert shared.core_utilization == pytest.approx(0.40 / 0.45)
    assert (rows["unknown GPU MIG"].gpus_total, rows["unknown GPU MIG"].gpus_allocated) == (14, 7)
    assert rows["unknown GPU vGPU"].gpus_total is None and rows["unknown GPU vGPU"].slots_total == 120
    # NaN and a missing series: the GPUs are there, their utilization is unknown, and it is said
    odd = rows["L40S-48GB"]
    assert (odd.gpus_total, odd.core_utilization) == (2, None)
    assert "DCGM_FI_DEV_GPU_UTIL: " in done.err and "NaN: unknown, not zero." in done.err
    assert "The target gpu-gone 127.0.0.1:" in done.err and "is down: what it would report is not counted." in done.err
    assert all(r.evidence_date is not None and real in r.evidence_source for r in rows.values())


@needs_prometheus
def test_a_real_server_and_a_node_list_together(real: str, tmp_path: Path) -> None:
    nodes = tmp_path / "nodes.json"
    items = [{"kind": "Node", "metadata": {"name": "gpu-node-1", "labels": {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}},
              "status": {"capacity": {"nvidia.com/gpu": "8"}, "allocatable": {"nvidia.com/gpu": "7"},
                         "conditions": [{"type": "Ready", "status": "True"}]}}]  # fmt: skip
    nodes.write_text(json.dumps({"kind": "List", "items": items}))
    path = tmp_path / "input.xlsx"
    done = planner("gpus", nodes, "--prometheus", real, "-o", path)
    assert "series have gaps in the last 30 minutes; their means leave the gaps out." in done.err  # it has just begun
    [row] = pools(path).values()
    assert (row.gpus_total, row.gpus_healthy, row.gpus_allocated) == (8, 7, 1)
    assert "gpu-node-1: kubectl get nodes says 8 GPUs, dcgm-exporter 2" in done.err
    assert "n1 is in the metrics but not in the node list" in done.err


@needs_prometheus
def test_every_query_is_promql(real: str) -> None:
    for family, query in queries().items():
        assert ask(real, query), family
    assert set(queries()) == set(FAMILIES)


@needs_prometheus
def test_a_real_error_of_a_real_server(tmp_path: Path) -> None:
    """A server that may load a few samples only: its own error, in its own words."""
    with serving(lambda h: send(h, exposed(h.path).encode())) as exporter:
        targets = {"dcgm-exporter": exporter.removeprefix("http://") + "/dcgm"}
        with prometheus(tmp_path / "p", targets, "--query.max-samples=6") as url:
            failed = fill(tmp_path, url)
    assert failed.code == 2
    assert f"{url}: found the error execution: query processing would load too many samples" in failed.err
    assert 'the question was {__name__=~"' in failed.err


# ---- servers that fail


def fill(tmp_path: Path, url: str, *options: str) -> Outcome:
    """Fill a workbook from a server, and see that a failure leaves it as it was."""
    path = tmp_path / "input.xlsx"
    if not path.exists():
        assert planner("init", path, "--sample", "hybrid").code == 0
    before = path.read_bytes()
    done = planner("gpus", "--prometheus", url, "-o", path, *options)
    if done.code:
        assert path.read_bytes() == before and done.out == ""
        assert done.err.rstrip().endswith("problem(s); nothing was written.")
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["input.xlsx"]  # no half file beside it
    return done


def test_a_dead_server(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    failed = fill(tmp_path, url)
    assert failed.code == 2
    assert failed.problems == [
        f"{url}: found no server that answers ([Errno 111] Connection refused); wanted the reply of a Prometheus server; "
        "do check the address and the port, and that the server runs"
    ]


def test_a_name_that_leads_nowhere(tmp_path: Path) -> None:
    failed = fill(tmp_path, "http://prometheus.invalid:9090")
    assert failed.code == 2 and "found no server that answers (" in failed.err


def slow(handler: http.server.BaseHTTPRequestHandler) -> None:
    time.sleep(1.5)


def trickling(handler: http.server.BaseHTTPRequestHandler) -> None:
    """A byte now and then: every wait is short, the whole is not."""
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(40):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.1)
    except OSError:
        pass  # the client has gone


@pytest.mark.parametrize("answer", [slow, trickling])
def test_a_slow_server(answer: Callable[[http.server.BaseHTTPRequestHandler], None], tmp_path: Path) -> None:
    with serving(answer) as url:
        start = time.monotonic()
        failed = fill(tmp_path, url, "--timeout", "0.4")
    assert failed.code == 2 and time.monotonic() - start < 6
    assert f"{url}: found no answer within 0.4 s; wanted the reply" in failed.err


ERROR = (DATA / "prometheus_error.SCHEMA_FAITHFUL.json").read_bytes()
BAD: dict[str, tuple[int, bytes, str]] = {
    "an error with status 200": (200, ERROR, 'found the error bad_data: invalid parameter "query"'),
    "an error with status 400": (400, ERROR, 'found the error bad_data: invalid parameter "query"'),
    "its own timeout": (503, b'{"status":"error","errorType":"timeout","error":"query timed out"}',
                        "found the error timeout: query timed out; wanted a result; do try again later"),
    "no right": (403, b"forbidden", "found HTTP status 403; wanted the reply of a Prometheus server; do put a token"),
    "another page": (404, b"not here", "found HTTP status 404"),
    "a broken gateway": (502, b"<html>", "found HTTP status 502; wanted the reply of a Prometheus server; do try again"),
    "a redirect to a login": (302, b"", "found HTTP status 302"),
    "a web page": (200, b"<!doctype html>", "found no JSON but '<!doctype html>'"),
    "half a reply": (200, b'{"status":"succ', "found no JSON but"),
    "another API": (200, b'{"ok":true}', "found JSON without a status"),
    "another type": (200, b'{"status":"success","data":{"resultType":"matrix","result":[]}}',
                     "found a result of type 'matrix'; wanted a result of type 'vector'"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_a_reply_that_is_wrong(what: str, tmp_path: Path) -> None:
    code, body, words = BAD[what]
    with serving(lambda h: send(h, body, code)) as url:
        failed = fill(tmp_path, url)
    assert failed.code == 2 and words in failed.err


def test_a_connection_that_breaks_off(tmp_path: Path) -> None:
    def broken(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"status"')

    with serving(broken) as url:
        failed = fill(tmp_path, url)
    assert failed.code == 2 and ("broke off" in failed.err or "no JSON but" in failed.err)


EMPTY = b'{"status":"success","data":{"resultType":"vector","result":[]}}'


def test_a_server_without_any_gpu(tmp_path: Path) -> None:
    with serving(lambda h: send(h, EMPTY)) as url:
        failed = fill(tmp_path, url)
    assert failed.code == 2 and "found no GPU; wanted at least one pool of GPUs" in failed.err


def form_of(handler: http.server.BaseHTTPRequestHandler) -> dict[str, list[str]]:
    body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    return urllib.parse.parse_qs(body.decode())


def test_one_question_of_many_that_fails_stops_all_of_it(tmp_path: Path) -> None:
    """Half of the evidence would look like the whole."""

    def answer(handler: http.server.BaseHTTPRequestHandler) -> None:
        send(handler, ERROR if "GPUDeviceCoreLimit" in form_of(handler)["query"][0] else VECTOR)

    with serving(answer) as url:
        failed = fill(tmp_path, url)
    assert failed.code == 2 and len(failed.problems) == 1 and "bad_data" in failed.err


VECTOR = json.dumps({"status": "success", "warnings": ["store x is unreachable"], "data": {"resultType": "vector", "result": [
    {"metric": {"__name__": "DCGM_FI_DEV_FB_USED", "UUID": "GPU-1", "Hostname": "n1", "modelName": "NVIDIA L4"},
     "value": [1764460800, "5"]}, {"metric": {}, "value": ["odd"]}, "odd"]}}).encode()  # fmt: skip


def test_warnings_of_the_server_are_told_and_its_clock_is_the_date(tmp_path: Path) -> None:
    with serving(lambda h: send(h, VECTOR)) as url:
        done = fill(tmp_path, url)
    assert done.code == 0
    assert "dcgm-exporter: the server warns: store x is unreachable" in done.err
    row = pools(tmp_path / "input.xlsx")["L4-24GB"]
    assert str(row.evidence_date) == "2025-11-30" and row.core_utilization is None


def test_a_token_is_sent_to_the_server_and_shown_to_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []

    def answer(handler: http.server.BaseHTTPRequestHandler) -> None:
        seen.append(handler.headers.get("Authorization"))
        send(handler, VECTOR)

    monkeypatch.setenv("PROMETHEUS_TOKEN", "s3cret")
    with serving(answer) as url:
        done = fill(tmp_path, url)
    assert set(seen) == {"Bearer s3cret"}
    assert "s3cret" not in done.out + done.err
    assert b"s3cret" not in (tmp_path / "input.xlsx").read_bytes()


def test_a_redirect_is_not_followed_with_the_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere: list[str] = []
    monkeypatch.setenv("PROMETHEUS_TOKEN", "s3cret")
    with serving(lambda h: elsewhere.append(h.path) or send(h, EMPTY)) as other:  # type: ignore[func-returns-value]

        def away(handler: http.server.BaseHTTPRequestHandler) -> None:
            handler.send_response(307)
            handler.send_header("Location", f"{other}/stolen")
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        with serving(away) as url:
            assert fill(tmp_path, url).code == 2
    assert not elsewhere


def test_a_mean_over_the_window_with_gaps(tmp_path: Path) -> None:
    """The server's own series with NaN, +Inf and a gap: the mean is of the finite points, and the gap is said."""
    labels = {"__name__": "DCGM_FI_DEV_GPU_UTIL", "UUID": "GPU-1", "Hostname": "n1", "modelName": "NVIDIA L4"}
    points = [[1764460000, "40"], [1764460060, "60"], [1764460300, "NaN"], [1764460360, "+Inf"]]

    def answer(handler: http.server.BaseHTTPRequestHandler) -> None:
        query = form_of(handler)["query"][0]
        one: dict[str, Any] = {"metric": labels, "value": [1764460800, "99"]}
        if handler.path.endswith("query_range"):
            data = {"resultType": "matrix", "result": [{"metric": labels, "values": points}]}
        else:
            data = {"resultType": "vector", "result": [one] if "DCGM" in query or "vector" in query else []}
        send(handler, json.dumps({"status": "success", "data": data}).encode())

    with serving(answer) as url:
        found = read_prometheus(Server(url))
    [sample] = [s for s in found.samples if s.name == "DCGM_FI_DEV_GPU_UTIL"]
    assert sample.value == 50
    assert "1 series have gaps in the last 30 minutes; their means leave the gaps out." in found.remarks
