"""The house as architecture.md draws it: who may import whom, what stands where, and nothing only half there."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from workbooks import SAMPLE_NAMES, reader, sample

import planner
from planner.calc.functions import FUNCTIONS
from planner.calc.line import Line
from planner.inputs.field import specs
from planner.inputs.scalars import GROUPS, PlanInputs
from planner.inputs.tables import TABLES
from planner.lines import CHAPTERS, METHOD
from planner.resources import folder, table
from planner.workbook.template import Tab

HOUSE = Path(planner.__file__).parent
MODULES = sorted(path for path in HOUSE.rglob("*.py"))
MOST_LINES = 400


@cache
def tree(path: Path) -> ast.Module:
    """The syntax of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    """`planner.inputs.grid`."""
    parts = path.relative_to(HOUSE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path) for path in MODULES}


@cache
def imports(path: Path) -> frozenset[str]:
    """Every module that a module imports, at its head or inside a function."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}: a relative import"
            assert node.module
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inner & NAMES) or {node.module}
    return frozenset(found)


def ours(path: Path) -> set[str]:
    """The product's own modules among them."""
    return {name for name in imports(path) if name.split(".")[0] == "planner"}


def room(module: str) -> str:
    """`inputs` for planner.inputs.grid, `plan` for planner.plan."""
    return [*module.split("."), ""][1]


ROOMS = sorted({room(name_of(path)) for path in MODULES} - {""})

# What a room may import of the product beside itself. A room that is not here yet needs a row.
MAY: dict[str, set[str]] = {
    "calc": set(),
    "lines": {"calc"},
    "resources": set(),
    "problem": {"labels"},
    "labels": {"resources"},
    "reference": {"calc", "resources"},
    "inputs": {"calc", "labels", "problem", "reference", "resources"},
    "samples": {"inputs", "labels", "resources", "samples_portfolio"},
    "samples_portfolio": {"inputs", "labels", "resources"},
    "draws": {"calc", "inputs"},
    "plan": {"calc", "draws", "inputs", "labels", "lines"},
    "workbook": {"calc", "inputs", "labels", "lines", "plan", "reference", "resources"},
    "report": {"calc", "inputs", "labels", "plan", "resources", "workbook"},
    "explain": {"calc", "inputs", "labels", "problem", "workbook"},
    "evidence": {"inputs", "labels", "problem", "resources"},
    "refill": {"inputs", "problem", "workbook"},
    "terminal": {"labels", "problem"},
    "verify": {"problem"},
    "cli": {
        "evidence", "explain", "inputs", "labels", "plan", "problem", "refill", "report", "samples", "terminal",
        "verify", "workbook",
    },
    "__main__": {"cli"},
}  # fmt: skip


def test_every_room_has_a_row() -> None:
    assert set(ROOMS) <= set(MAY), sorted(set(ROOMS) - set(MAY))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_run_one_way(path: Path) -> None:
    own = room(name_of(path))
    strangers = {name for name in ours(path) if room(name) not in {own, "", *MAY.get(own, set())}}
    assert not strangers, f"{own} imports {sorted(strangers)}"


def test_the_report_takes_only_the_looks_of_the_workbook() -> None:
    """Colours and words for units; never a cell."""
    taken = {
        name for path in MODULES if room(name_of(path)) == "report" for name in ours(path) if room(name) == "workbook"
    }
    assert taken <= {"planner.workbook.look"}


def test_no_two_rooms_need_each_other() -> None:
    needs = {r: {room(n) for p in MODULES if room(name_of(p)) == r for n in ours(p)} - {r, ""} for r in ROOMS}
    while needs:
        free = [r for r, others in needs.items() if not others & needs.keys()]
        assert free, f"a circle among {sorted(needs)}"
        for r in free:
            del needs[r]


def test_lines_know_only_calc_and_no_library() -> None:
    for path in MODULES:
        if room(name_of(path)) == "lines":
            assert {n.split(".")[0] for n in imports(path)} <= {"planner"}, name_of(path)


def test_calc_knows_no_planning_word() -> None:
    """It could reckon anything: no name of a line or an input stands in it."""
    words = re.compile(r"\b(tokens?|tenants?|gpus?|quotas?|pools?|tco|sla|buffer)\b", re.IGNORECASE)
    for path in MODULES:
        if room(name_of(path)) == "calc" and path.name != "functions.py":
            strings = {
                n.value for n in ast.walk(tree(path)) if isinstance(n, ast.Constant) and isinstance(n.value, str)
            }
            names = {n.id for n in ast.walk(tree(path)) if isinstance(n, ast.Name)}
            found = {w for text in names | {s for s in strings if " " not in s} for w in words.findall(text)}
            assert not found, f"{name_of(path)}: {sorted(found)}"


def test_only_the_command_line_is_the_command_line() -> None:
    assert [name_of(p) for p in MODULES if "planner.cli" in ours(p)] == ["planner.__main__"]


def test_one_module_reads_xlsx_one_writes_none_does_both() -> None:
    reads = {name_of(p) for p in MODULES if any(n.split(".")[0] == "openpyxl" for n in imports(p))}
    knows = {name_of(p) for p in MODULES if any(n.split(".")[0] == "xlsxwriter" for n in imports(p))}
    assert reads == {"planner.inputs.grid"}
    assert knows <= {"planner.workbook.write", "planner.workbook.places"}
    writes = [
        name_of(p) for p in MODULES for n in ast.walk(tree(p)) if isinstance(n, ast.Call) and _called(n) == "Workbook"
    ]
    assert writes == ["planner.workbook.write"]
    saves = [name_of(p) for p in MODULES for n in ast.walk(tree(p)) if isinstance(n, ast.Call) and _called(n) == "save"]
    assert not saves  # openpyxl never saves a deliverable


def _called(call: ast.Call) -> str:
    return (
        call.func.attr
        if isinstance(call.func, ast.Attribute)
        else call.func.id
        if isinstance(call.func, ast.Name)
        else ""
    )


READING = {"open", "read_text", "read_bytes", "read_csv", "read_excel", "load_workbook", "ZipFile"}


def test_the_workbook_reads_no_file_but_the_packages_own() -> None:
    """Where it opens one, the path comes from planner.resources."""
    for path in MODULES:
        if room(name_of(path)) != "workbook":
            continue
        for call in (n for n in ast.walk(tree(path)) if isinstance(n, ast.Call) and _called(n) in READING):
            where = f"{name_of(path)}:{call.lineno}"
            assert "planner.resources" in ours(path), where
            assert isinstance(call.func, ast.Attribute), where
            text = path.read_text()
            assert "Path(" not in text and "__file__" not in text, where


def test_only_planner_resources_knows_where_the_package_lies() -> None:
    assert [name_of(p) for p in MODULES if "__file__" in p.read_text()] == ["planner.resources"]


def test_no_clock_and_no_chance() -> None:
    """The same input gives the same bytes."""
    forbidden = {"now", "today", "utcnow", "random", "uuid4", "getpass", "getuser", "gethostname"}
    for path in MODULES:
        calls = {_called(n) for n in ast.walk(tree(path)) if isinstance(n, ast.Call)}
        assert not calls & forbidden, name_of(path)
        drawn = [n for n in ast.walk(tree(path)) if isinstance(n, ast.Call) and _called(n) == "default_rng"]
        assert all(n.args for n in drawn), f"{name_of(path)} draws without a seed"
        assert not {"random", "uuid", "secrets"} & {n.split(".")[0] for n in imports(path)}, name_of(path)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_file_is_longer_than_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


# ---- the method


@pytest.mark.parametrize("line", list(METHOD), ids=lambda line: line.name)
def test_every_line_says_what_it_is(line: Line) -> None:
    assert line.unit and line.label
    assert re.fullmatch(r"[a-z]+\.\d+", line.source), line.source
    assert line.why[-1] in ".?" and len(line.why) > 8, line.why
    assert not re.search(r"[.!?] +[A-Z]", line.why), f"more than one sentence: {line.why}"


def test_every_chapter_has_a_title_and_lines() -> None:
    modules = {line.plain.__module__ for line in METHOD}
    assert {chapter.__name__ for chapter in CHAPTERS} == modules
    assert all((chapter.__doc__ or "").strip().endswith(".") for chapter in CHAPTERS)


def lines_of(name: str) -> set[str]:
    """The lines of a sample: those of the ledger only where it has one."""
    return {n for n, line in METHOD.lines.items() if name == "ledger" or not line.part}


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_every_line_stands_on_a_tab_and_on_the_method_page(name: str) -> None:
    read = reader(sample(name).plan)
    stands = {key: tab for key, tab in read.table("Method", "Key", "Tab") if key in METHOD.lines}
    assert set(stands) == lines_of(name)
    assert set(stands.values()) <= set(read.tabs)


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_every_function_has_cases(name: str) -> None:
    assert FUNCTIONS[name].cases


def _literals(path: Path) -> Iterator[tuple[int, float]]:
    """Numbers in a chapter that are no digits of a rounding."""
    digits = {
        id(n.args[1]) for n in ast.walk(tree(path))
        if isinstance(n, ast.Call) and _called(n) in ("fixed", "show", "rounded") and len(n.args) > 1
    }  # fmt: skip
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            if id(node) in digits:
                continue
            yield node.lineno, node.value


@pytest.mark.parametrize("path", [p for p in MODULES if room(name_of(p)) == "lines"], ids=name_of)
def test_no_policy_number_stands_in_the_method(path: Path) -> None:
    """-1 is 1 with a sign in the syntax."""
    assert not [(line, number) for line, number in _literals(path) if number not in (0, 1, 2)]


def test_a_policy_number_would_be_found(tmp_path: Path) -> None:
    spoiled = tmp_path / "spoiled.py"
    spoiled.write_text("def f(x):\n    return x * 1.3 + show(x, 4) + total(x, 7)\n")
    assert sorted(number for _, number in _literals(spoiled)) == [1.3, 7]


# ---- templates, data


@pytest.mark.parametrize("path", sorted(folder("workbook_templates").rglob("*.toml")), ids=lambda p: p.name)
def test_every_template_parses(path: Path) -> None:
    with path.open("rb") as handle:
        said = tomllib.load(handle)
    assert said
    if re.match(r"\d\d_", path.name):
        tab = Tab(**said)
        assert tab.name and tab.question and tab.section


def test_every_default_has_a_source_and_every_choice_two_languages() -> None:
    assert all(row["source"] and row["confidence"] for row in table("defaults.csv"))
    assert all(row["en"] and row["zh"] for row in table("choices.csv"))
    optional = {k for k, s in specs(PlanInputs).items() if not s.required and s.default is not None}
    assert optional <= {row["key"] for row in table("defaults.csv")}


def test_every_input_says_what_it_is() -> None:
    for model in (*GROUPS.values(), *(t.row for t in TABLES)):
        for key, spec in specs(model).items():
            assert spec.label and spec.kind and spec.unit, key
            assert spec.question.endswith("?") or model not in GROUPS.values() or not spec.required, key
    assert list(specs(PlanInputs)) and {k for g in GROUPS.values() for k in g.model_fields} == set(
        PlanInputs.model_fields
    )


# ---- the contract

SCALARS = """plan_name currency usd_to_currency start_month horizon_months total_tokens demand_basis input_parts
output_parts growth_curve yearly_growth peak_factor peak_window peak_hours retry_rate deployment_mode usage_pattern
sla_tier days_basis
hours_per_month buffer_factor buffer_on_gpus ha_basis ha_factor cached_input_share batch_share price_multiple
electricity_per_month network_per_month ops_per_month overage_rate_per_mtok burst_share unused_policy monthly_fee
credit_availability credit_latency""".split()  # noqa: SIM905
COLUMNS = {
    "Models": "model deployment token_share precision gpu tokens_per_s_per_gpu throughput_basis "
    "prefill_tokens_per_s_per_gpu gpus_per_replica gpu_price_per_hour input_price_per_mtok "
    "cached_input_price_per_mtok output_price_per_mtok source",
    "Tenants": "tenant owner priority quota_share burst_multiple fallback cost_centre",
    "Pools": "pool cluster region mode gpu gpus_total gpus_allocated gpus_healthy core_utilization vram_total_gb "
    "vram_allocated_gb vram_used_gb kv_cache_use requests_per_s workloads replicas autoscaler_max_gpus evidence_date "
    "evidence_source",
    "Ledger": "use_case owner tenant service_tier model region", "Tiers": "service_tier action", "Scenarios": "scenario",
    "Curves": "", "Phases": "", "SLA tiers": "", "Levers": "", "Thresholds": "",
}  # fmt: skip
HEADLINES = """annual_tokens annual_input_tokens annual_output_tokens committed_tokens_per_month peak_month_tokens
average_daily_tokens peak_daily_tokens peak_hourly_tokens peak_tokens_per_s gpus_for_peak gpus_with_ha gpus_planned
buffered_capacity_tokens annual_tco monthly_tco_mean cost_per_mtok customer_price_per_mtok longest_output_within_e2e
allowed_downtime_hours quota_total burst_total_share risk_level confidence checks_failed""".split()  # noqa: SIM905
CHOICES = {
    "deployment_mode": "api on_prem hybrid", "usage_pattern": "real_time batch mixed", "peak_window": "day hour",
    "days_basis": "30-day calendar", "ha_basis": "factor spare", "unused_policy": "roll_over expire refund",
}  # fmt: skip
CURVES = "linear s_curve front_loaded seasonal phased logistic custom".split()  # noqa: SIM905


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_every_headline_is_a_line_a_name_and_in_the_json(name: str) -> None:
    document = json.loads(sample(name).json.read_text())
    names = reader(sample(name).plan).names
    assert {line.name for line in METHOD if line.headline} >= set(HEADLINES)
    assert set(document["headlines"]) >= set(HEADLINES)
    assert set(names) >= {*HEADLINES, *SCALARS}
    assert set(document["lines"]) == lines_of(name)
    for headline in HEADLINES:
        assert re.fullmatch(r"'?[^'!]+'?!\$[A-Z]+\$\d+", names[headline])
        [only] = document["lines"][headline]["values"]
        assert only == {"value": document["headlines"][headline]}
    for name_, refers in names.items():
        assert not re.fullmatch(r"[A-Za-z]{1,3}\d+|[Rr]\d*|[Cc]\d*", name_) and "#REF" not in refers


def test_the_inputs_of_the_contract_are_there() -> None:
    known = specs(PlanInputs)
    assert set(SCALARS) <= set(known)
    for key, options in CHOICES.items():
        assert known[key].choices == tuple(options.split())
    for tab, keys in COLUMNS.items():
        assert set(keys.split()) <= set(next(t for t in TABLES if t.tab == tab).specs)
    assert [row["curve"] for row in table("curves.csv")] == CURVES
    tiers = {row["sla_tier"]: row["min_replicas"] for row in table("sla_tiers.csv")}
    assert tiers == {"business_critical": "2", "standard": "1", "best_effort": "1"}


def test_input_cells_are_the_unlocked_cells_and_carry_their_names() -> None:
    read = reader(sample("hybrid").plan)
    unlocked = {
        f"{sheet.title}!{cell.coordinate}"
        for sheet in read.cells for row in sheet.iter_rows() for cell in row
        if cell.protection is not None and not cell.protection.locked
    }  # fmt: skip
    assert {place.partition("!")[0] for place in unlocked} == {"Plan", *(t.tab for t in TABLES if not t.portfolio)}
    named = {read.names[key].replace("$", "").replace("'", "") for key in specs(PlanInputs) if key != "language"}
    assert {place for place in unlocked if place.startswith("Plan!")} == named
