"""`planner gpus`: evidence put into a workbook. Nothing that people wrote is lost, and running it twice changes nothing."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from exposed import DATA, MIG, NODES, PODS, a_node, dcgm
from test_evidence_nodes import product
from workbooks import Edited, built, column_of, planner, quiet

from planner.evidence.merge import merged
from planner.inputs.gate import unfinished
from planner.inputs.reader import read_draft
from planner.inputs.tables import PoolRow

DAY = dt.date(2026, 11, 30)


def pools(path: Path) -> dict[str, PoolRow]:
    """The rows of Pools by name."""
    return {r.pool: r for r in unfinished(read_draft(path)).used("Pools")}


def everything(path: Path) -> tuple[Any, ...]:
    """All that is read from a workbook, Pools aside."""
    inputs = unfinished(read_draft(path))
    rows = {tab: [r for r in rows if r is not None] for tab, rows in inputs.rows.items() if tab != "Pools"}
    return inputs.plan.model_dump(), rows, inputs.sources


@pytest.fixture
def hybrid(tmp_path: Path) -> Path:
    path = tmp_path / "input.xlsx"
    assert planner("init", path, "--sample", "hybrid").code == 0
    return path


def saved(tmp_path: Path, items: list[dict[str, Any]]) -> Path:
    path = tmp_path / "nodes.json"
    path.write_text(json.dumps({"kind": "List", "items": items}))
    return path


A100 = product("NVIDIA-A100-SXM4-80GB", count="8")


def test_the_row_that_people_named_is_filled_and_the_rest_of_the_file_stays(hybrid: Path, tmp_path: Path) -> None:
    source = Edited(hybrid).plan(ops_per_month=9123).set("Plan!F20", "my own source").row(
        "Pools", 1, autoscaler_max_gpus=64, region="eu-north").save(tmp_path / "mine.xlsx")  # fmt: skip
    before = everything(source)
    nodes = saved(tmp_path, [a_node(f"n{i}", {"nvidia.com/gpu": "8"}, A100) for i in range(7)])
    done = planner("gpus", nodes, "-o", source, "--as-of", "2026-11-30")
    assert (done.code, done.out.splitlines()[0]) == (0, f"Wrote {source}: 1 pool(s).")
    assert everything(source) == before
    rows = pools(source)
    assert list(rows) == ["a-east", "h-west"]  # no second row of the same GPUs
    row = rows["a-east"]
    assert (row.gpus_total, row.gpus_healthy, row.nodes) == (56, 56, 7)
    assert (row.region, row.autoscaler_max_gpus, row.cluster) == ("eu-north", 64, "east-1")
    assert (row.evidence_date, row.evidence_source) == (
        DAY,
        "planner gpus: nodes.json (kubectl get nodes); measured: nodes gpus_total gpus_healthy",
    )
    # what a person had typed and nobody measured now is kept, and said with its date
    assert (row.gpus_allocated, row.core_utilization) == (12, 0.62)
    assert "a-east: not measured and kept as typed: GPUs allocated, Core utilization." in done.err
    again = planner("gpus", nodes, "-o", source, "--as-of", "2026-12-01")  # and is not taken for our own the next time
    assert again.code == 0 and pools(source)["a-east"].core_utilization == 0.62
    assert rows["h-west"].evidence_source == "cluster inventory"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_running_it_twice_changes_nothing(lang: str, tmp_path: Path) -> None:
    path = tmp_path / "input.xlsx"
    assert planner("init", path, "--sample", "hybrid", "--lang", lang).code == 0
    args = ("gpus", NODES, PODS, "-o", path, "--as-of", "2026-11-30")
    assert planner(*args).code == 0
    once = path.read_bytes()
    again = planner(*args)
    assert again.code == 0 and path.read_bytes() == once
    assert ("资源池" in again.out) is (lang == "zh")


def test_a_workbook_that_is_not_there_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new.xlsx"
    assert planner("gpus", NODES, "-o", path, "--lang", "zh").code == 0
    assert len(pools(path)) == 7 and read_draft(path).language == "zh"
    checked = planner("check", path)
    assert checked.code == 3 and not any("资源池" in p for p in checked.problems)  # the pools are answered


def test_a_file_with_answers_missing_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "blank.xlsx"
    assert planner("init", path).code == 0
    source = Edited(path).row("Pools", 1, pool="discover").plan(total_tokens="1.8B").save(tmp_path / "input.xlsx")
    assert planner("gpus", MIG, "-o", source).code == 0
    assert list(pools(source)) == ["unknown GPU MIG 1g.5gb"]  # discover was a placeholder
    assert read_draft(source).scalars["total_tokens"] == 1.8e9


def test_what_is_not_seen_again_stays_and_is_said(tmp_path: Path) -> None:
    path = tmp_path / "input.xlsx"
    assert planner("gpus", PODS, "-o", path, "--as-of", "2026-11-01").code == 0
    done = planner("gpus", MIG, "-o", path, "--as-of", "2026-11-30")
    assert set(pools(path)) == {"H100-80GB-SXM", "unknown GPU MIG 1g.5gb"}
    assert "H100-80GB-SXM: not seen this time; its row stays as it was on 2026-11-01." in done.err


def test_a_figure_of_an_earlier_run_does_not_outlive_its_measurement(tmp_path: Path) -> None:
    """Unknown is unknown: yesterday's utilization under today's date would be a lie."""
    path, text = tmp_path / "input.xlsx", tmp_path / "m.prom"
    text.write_text(dcgm("DEV_GPU_UTIL", 50))
    assert planner("gpus", text, "-o", path).code == 0
    assert pools(path)["H100-80GB-SXM"].core_utilization == 0.5
    text.write_text(dcgm("DEV_GPU_UTIL", "NaN"))
    done = planner("gpus", text, "-o", path)
    row = pools(path)["H100-80GB-SXM"]
    assert (row.gpus_total, row.core_utilization) == (1, None)
    assert "utilization unknown" in done.out and "NaN" in done.err


def test_two_rows_of_the_same_gpu_get_a_third_and_a_warning() -> None:
    rows = (PoolRow(pool="a", gpu="L4-24GB"), PoolRow(pool="b", gpu="L4-24GB"), None)
    found = merged(rows, [PoolRow(pool="L4-24GB", mode="gpu", gpu="L4-24GB", gpus_total=8)])
    assert [r.pool for r in found.rows if isinstance(r, PoolRow)] == ["a", "b", "L4-24GB"]
    assert "2 rows hold this GPU already (a, b)" in found.remarks[0]


def test_clusters_are_kept_apart() -> None:
    rows = (PoolRow(pool="L4-24GB", cluster="c1", gpu="L4-24GB", gpus_total=1), None)
    found = merged(rows, [PoolRow(pool="L4-24GB", cluster="c2", mode="gpu", gpu="L4-24GB", gpus_total=8)])
    assert [(r.cluster, r.gpus_total) for r in found.rows if isinstance(r, PoolRow)] == [("c1", 1), ("c2", 8)]


# ---- what would be lost is refused


def with_tab(book: openpyxl.Workbook) -> None:
    book.create_sheet("My notes")["A1"] = "do not lose me"


def with_comment(book: openpyxl.Workbook) -> None:
    book["Plan"]["C15"].comment = openpyxl.comments.Comment("why", "me")


def with_note(book: openpyxl.Workbook) -> None:
    book["Pools"]["AF9"] = "beside the table"


def with_formula(book: openpyxl.Workbook) -> None:
    book["Plan"]["C15"] = "=1000000*18"


@pytest.mark.parametrize(
    ("change", "named"),
    [(with_tab, "My notes"), (with_comment, "comments"), (with_note, "Pools!AF9")],
)
def test_what_a_new_file_would_lack_is_refused_in_place_and_nothing_is_touched(
    change: Any, named: str, hybrid: Path, tmp_path: Path
) -> None:
    edited = Edited(hybrid)
    change(edited.book)
    source = edited.save(tmp_path / "mine.xlsx")
    before = source.read_bytes()
    refused = planner("gpus", NODES, "-o", source)
    assert (refused.code, refused.out) == (2, "")
    assert f"found what a new file would lack: {named}" in refused.err
    assert "do write a new file and keep this one: --from mine.xlsx -o mine-2.xlsx" in refused.err
    assert source.read_bytes() == before
    new = tmp_path / "mine-2.xlsx"
    assert planner("gpus", NODES, "--from", source, "-o", new).code == 0
    assert source.read_bytes() == before and everything(new) == everything(source)


def test_a_formula_without_its_value_stops_it_as_in_build(hybrid: Path, tmp_path: Path) -> None:
    edited = Edited(hybrid)
    with_formula(edited.book)
    source = edited.save(tmp_path / "mine.xlsx")
    refused = planner("gpus", NODES, "-o", source)
    assert refused.code == 2 and "Plan!C15: found the formula =1000000*18 without a stored value" in refused.err


def test_an_edited_word_of_ours_is_not_lost(hybrid: Path, tmp_path: Path) -> None:
    source = Edited(hybrid).set("Plan!E15", "agreed with finance").save(tmp_path / "mine.xlsx")
    refused = planner("gpus", NODES, "-o", source)
    assert refused.code == 2 and "found what a new file would lack: Plan!E15" in refused.err


def test_a_built_plan_is_not_overwritten_but_can_be_started_from(hybrid: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.xlsx"
    assert planner("build", hybrid, "-o", plan).code == 0
    before = plan.read_bytes()
    refused = planner("gpus", NODES, "-o", plan)
    assert refused.code == 2 and "found a built plan" in refused.err and plan.read_bytes() == before
    new = tmp_path / "next.xlsx"
    assert planner("gpus", NODES, "--from", plan, "-o", new).code == 0
    assert everything(new) == everything(hybrid)


REFUSED: dict[str, tuple[tuple[Any, ...], str]] = {
    "nothing named": ((), "SOURCE: found nothing; wanted a source of GPU evidence; do name a file, or a server"),
    "no such file": (("gone.prom",), "gone.prom: found no file; wanted metrics, a node list or a CSV"),
    "no such workbook": ((NODES, "--from", "gone.xlsx"), "gone.xlsx: found There is no file gone.xlsx"),
    "an ending": ((NODES, "-o", "x.csv"), "x.csv: found the ending .csv"),
    "a date": ((NODES, "--as-of", "soon"), "--as-of: found 'soon'; wanted a date"),
    "a saved error": ((DATA / "prometheus_error.SCHEMA_FAITHFUL.json",), "found the error bad_data"),
    "no address": (("--prometheus", "prom:9090"), "--prometheus: found 'prom:9090'; wanted an address such as"),
    "a password": (("--prometheus", "http://u:secret@p:9"), "--prometheus: found a password in the address"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refusals(what: str, hybrid: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    args, words = REFUSED[what]
    before = hybrid.read_bytes()
    refused = planner("gpus", *args, *(() if "-o" in args else ("-o", hybrid)))
    assert (refused.code, refused.out) == (2, "")
    assert words in refused.err and "secret" not in refused.err
    assert hybrid.read_bytes() == before
    chinese = planner("gpus", *args, *(() if "-o" in args else ("-o", hybrid)), "--lang", "zh")
    assert chinese.code == 2 and "：发现 " in chinese.err


def test_another_file_is_not_overwritten(hybrid: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.xlsx"
    assert planner("init", other).code == 0
    refused = planner("gpus", NODES, "--from", hybrid, "-o", other)
    assert refused.code == 2 and "found a file that exists already; wanted a new file" in refused.err


# ---- the plan on evidence


def test_a_plan_rests_on_the_pools_that_were_seen(hybrid: Path, tmp_path: Path) -> None:
    text = tmp_path / "m.prom"
    pod = {"namespace": "llm", "pod": "p", "container": "c"}
    text.write_text("".join(
        dcgm("DEV_GPU_UTIL", 92 * (i < 48), i, modelName="NVIDIA A100-SXM4-80GB", Hostname=f"n{i // 8}",
             **(pod if i < 48 else {})) for i in range(64)))  # fmt: skip
    assert planner("gpus", text, "-o", hybrid, "--as-of", "2026-11-30").code == 0
    plan = built(hybrid)
    by = {h: plan.cell("Evidence", h, "a-east") for h in
          ("Healthy GPUs", "Free by scheduling", "Free by compute", "Free by VRAM", "Headroom", "Bound by")}  # fmt: skip
    assert by["Healthy GPUs"] == 47  # dcgm-exporter does not say: what a person counted stays
    assert by["Free by scheduling"] == 0
    assert by["Free by VRAM"] == "withheld: no KV-cache figure"
    assert by["Headroom"] == 0 and by["Bound by"] == "scheduling"


def test_old_workbooks_without_the_new_columns_still_read(hybrid: Path, tmp_path: Path) -> None:
    with quiet():
        book = openpyxl.load_workbook(hybrid)
    sheet = book["Pools"]
    for key in sorted(("nodes", "slots_total", "slots_allocated"), key=lambda k: column_of("Pools", k), reverse=True):
        sheet.delete_cols(openpyxl.utils.column_index_from_string(column_of("Pools", key)))
    old = tmp_path / "old.xlsx"
    book.save(old)
    assert pools(old) == pools(hybrid)
