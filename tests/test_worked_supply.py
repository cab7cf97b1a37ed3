"""The worked cases of chapters 9, 10 and 11 against the product: lines called with plain numbers, or whole plans."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import A100, BLANK, along, approx, at, default, gpt_4o, line, llama, planned, pool

from planner.inputs.portfolio_tables import InstrumentRow
from planner.inputs.quantities import GRID_POINTS, HALVINGS
from planner.inputs.tables import CurveRow, ModelRow
from planner.lines.waiting import erlang_c, mean_wait, tail_wait
from planner.plan import Plan

HERE = Path(__file__).parent
OWNED = ("6.4", "6.6", "6.7", "6.8", "6.9")  # of chapter 6: what own against rent and effective capacity reckon
SIX = json.loads((HERE / "worked_examples.json").read_text("utf-8"))["cases"]
CASES = {c["id"]: c for c in json.loads((HERE / "worked_supply.json").read_text("utf-8"))["cases"]}
CASES |= {c["id"]: c for c in SIX if c["id"] in OWNED}


# ---- chapter 9


def _queue(m: float, service_s: float, rho: float, cs2: float = 1.0) -> dict[str, Any]:
    variability = line("wait_variability", arrival_variability=1.0, service_variability=cs2)
    return {
        "queue_servers": m, "queue_stay": service_s, "queue_drawn": 1, "wait_variability": variability,
        "grid_utilisation": rho,
    }  # fmt: skip


def wait_sakasegawa(m: float, rho: float, service_s: float) -> Any:
    return line("grid_second", **_queue(m, service_s, rho))


def wait_exact_mmm(m: float, rho: float, service_s: float) -> Any:
    queue = _queue(m, service_s, rho)
    return line("grid_wait", grid_chance=erlang_c(m, rho), **queue)


def wait_percentile(m: float, rho: float, p: float, service_s: float, exact: bool) -> Any:
    assert exact
    queue = _queue(m, service_s, rho)
    return line("grid_tail", grid_chance=erlang_c(m, rho), wait_percentile=p, **queue)


def highest_utilisation_grid(m: float, target_s: float, service_s: float, cs2: float) -> Any:
    """The last point of the grid at which the second opinion keeps the mean wait: the grid is the chart's."""
    constants = {"grid_step": 0.01}
    rho, found = 0.49, 0.0
    for _ in range(GRID_POINTS):
        rho = line("grid_utilisation", grid_utilisation_before=rho, **constants)
        if line("grid_second", **_queue(m, service_s, rho, cs2)) <= target_s:
            found = rho
    return found


def highest_utilisation_halving(
    m: float, target_s: float, service_s: float, cs2: float, p: float = 0.0, exact: bool = False
) -> Any:
    """Ten halvings. The exact percentile is the product's own line; the closed form's mean steps the same way."""
    step, found = 1.0, 0.0
    for _ in range(HALVINGS):
        step = line("half_step", half_step_before=step)
        tried = line("model_tried", model_found_before=found, half_step=step)
        if exact:
            found = line(
                "model_found", model_found_before=found, half_step=step, model_tried=tried, model_servers=m,
                model_chance=line("model_chance", model_servers=m, model_tried=tried), model_stay=service_s,
                model_wait_allowed=target_s, wait_percentile=p,
                wait_variability=line("wait_variability", arrival_variability=1.0, service_variability=cs2),
            )  # fmt: skip
        elif line("grid_second", **_queue(m, service_s, tried, cs2)) <= target_s:
            found = tried
    return found


def effective_capacity(
    reserved_gpus: float, maintenance_share: float, competing_share: float, unhealthy_share: float,
    gpus_per_replica: float, tps_per_gpu: float, rho_max: float,
) -> dict[str, Any]:  # fmt: skip
    seen = {"pool_seen": 1, "pool_gpus_total": reserved_gpus}
    reserved = line("pool_reserved", pool_delivered=0, **seen)
    available = line(
        "pool_available", pool_reserved=reserved, pool_sliced=0,
        pool_serviced=line("pool_serviced", pool_seen=1, pool_maintenance_share=maintenance_share),
        pool_unhealthy=line("pool_unhealthy", pool_gpus_healthy=reserved_gpus * (1 - unhealthy_share), **seen),
        pool_competing=line("pool_competing", pool_seen=1, pool_gpus_allocated=competing_share * reserved_gpus),
    )  # fmt: skip
    sized = {"pool_available": available, "pool_largest_replica": gpus_per_replica}
    whole = line("pool_effective", pool_ceiling=1.0, **sized)
    effective = line("pool_effective", pool_ceiling=rho_max, **sized)
    return {
        "reserved_tps": line("pool_effective_speed", pool_effective=reserved, pool_mix_speed=tps_per_gpu),
        "available_gpus": available, "replicas": whole / gpus_per_replica,
        "available_tps": line("pool_effective_speed", pool_effective=whole, pool_mix_speed=tps_per_gpu),
        "effective_tps": line("pool_effective_speed", pool_effective=effective, pool_mix_speed=tps_per_gpu),
        "effective_gpus": effective,
    }  # fmt: skip


# ---- chapter 10


def provisioned_units(
    requests_per_min: float, parts: list[list[float]], unit_rate: float, increment: float, minimum: float
) -> dict[str, Any]:
    """Input and output go through the product's own normalisation; a third kind of token is added up here."""
    if len(parts) == 2:
        (tokens_in, weight_in, cached), (tokens_out, weight_out, _) = parts
        assert weight_in == 1
        both = tokens_in + tokens_out
        normalised = line(
            "instrument_normalised", instrument_used=1, instrument_share=1, instrument_output_weight=weight_out,
            tokens_per_s_with_retries=requests_per_min * both / 60, input_share=tokens_in / both,
            cached_input_share=cached,
        )  # fmt: skip
    else:
        normalised = requests_per_min * sum(t * w * (1 - c) for t, w, c in parts)
    exact = line(
        "instrument_units_exact", instrument_used=1, instrument_in_gpus=0, instrument_normalised=normalised,
        instrument_unit_rate_per_min=unit_rate,
    )  # fmt: skip
    step = line("instrument_step", instrument_increment=increment)
    least = line("instrument_least", instrument_minimum=minimum, instrument_step=step)
    units = line("rung_up", rung_need=exact, instrument_step=step, instrument_least=least, instrument_most=math.inf)
    return {"normalised_per_min": normalised, "units_exact": exact, "units": units}


def demand_plan(demand: list[float], supply: list[InstrumentRow], gpus_per_replica: int = 1, **more: Any) -> Plan:
    """A plan whose GPUs to plan by month are these: a curve of its own, no peak, no buffer, no HA."""
    pool_row = more.pop("pool_row", pool(gpus_allocated=0))
    curve = CurveRow(curve="mine", kind="shares", clock="plan", **{f"m{i}": d for i, d in enumerate(demand, 1)})
    row = llama(gpus_per_replica=gpus_per_replica, gpu_price_per_hour=more.pop("elastic_hour", 3.43))
    scalars: dict[str, Any] = {
        "growth_curve": "mine", "total_tokens": sum(demand) * 150 * 86400 * 30.0, "peak_factor": 1, "buffer_factor": 1,
        "ha_factor": 1, "commitment_demand": "all",
    }  # fmt: skip
    plan = planned([row], pools=[pool_row], rows={"Curves": [curve], "Supply": supply}, **{**scalars, **more})
    assert along(plan, "gpus_planned_by_month")[: len(demand)] == demand
    return plan


def committed(**more: Any) -> InstrumentRow:
    return InstrumentRow(**{"instrument": "Reserved", "instrument_kind": "committed", "gpu": A100} | more)


def best_commitment(demand: list[float], commit_price: float, elastic_price: float, increment: float) -> dict[str, Any]:
    """Prices by the hour at 730 hours, as the Supply tab has them."""
    row = committed(
        price_per_unit_hour=commit_price / 730, elastic_price_per_unit_hour=elastic_price / 730, increment=increment,
        term_months=12,
    )  # fmt: skip
    plan = demand_plan(demand, [row], gpus_per_replica=2)
    level = at(plan, "instrument_level", instrument=0)
    tried = {v for n in ("rung_up", "rung_down") for v in along(plan, n, "rung", instrument=0)} | {0.0}
    return {
        "level": level, **_commitment(plan), "all_elastic": at(plan, "instrument_cost_none", instrument=0),
        "saving": at(plan, "instrument_saving", instrument=0),
        "break_even_utilisation": at(plan, "instrument_break_even", instrument=0), "candidates": len(tried),
    }  # fmt: skip


def _commitment(plan: Plan) -> dict[str, Any]:
    names = {
        "commit": "instrument_commit_money", "elastic": "instrument_elastic_money", "total": "instrument_cost_least",
        "unused_units": "instrument_unused_units", "unused_money": "instrument_unused_money",
        "tail_liability": "instrument_tail",
    }  # fmt: skip
    return {k: at(plan, n, instrument=0) for k, n in names.items()}


def commitment_cost(level: float, demand: list[float], commit_price: float, elastic_price: float) -> dict[str, Any]:
    """A level of one's own in one month, line by line."""
    need = {"instrument_open": demand[0], "instrument_in_term": 1}
    unused = line("instrument_unused", instrument_level_in=level, instrument_open=demand[0])
    money = {"instrument_ready": 1, "instrument_commit_month": commit_price}
    over = max(0.0, demand[0] - level)
    assert need["instrument_in_term"] == 1
    total_cost = line(
        "instrument_typed_cost", instrument_second=0, instrument_typed_level=level, instrument_typed_elastic=over, instrument_months=1,
        instrument_elastic_month=elastic_price, **money,
    )  # fmt: skip
    commit = line("instrument_commit_money", instrument_found=level, instrument_months=1, **money)
    return {
        "commit": commit, "total": total_cost, "unused_units": unused,
        "elastic": line("instrument_elastic_money", instrument_ready=1, instrument_cost_least=total_cost,
                        instrument_commit_money=commit),
        "unused_money": line("instrument_unused_money", instrument_unused_units=unused, **money),
        "tail_liability": line("instrument_tail", instrument_found=level, instrument_term_months=1,
                               instrument_months=1, **money),
    }  # fmt: skip


def owned_month_cost(
    gpus: float, capex_per_gpu: float, life_months: float, residual_share: float, kwh_month: float, price_per_kwh: float,
    facilities_month: float, staff_month: float,
) -> dict[str, Any]:  # fmt: skip
    written = line(
        "own_depreciation", capex_per_gpu=capex_per_gpu, residual_share=residual_share, life_months=life_months
    )
    power = line("own_power", own_kwh=kwh_month, electricity_price_per_kwh=price_per_kwh, gpus_planned=gpus)
    per_gpu = line(
        "own_gpu_month", own_depreciation=written, own_power=power, facilities_per_gpu_month=facilities_month / gpus,
        staff_per_gpu_month=staff_month / gpus, refresh_per_gpu_month=0.0,
    )  # fmt: skip
    return {
        "depreciation": written * gpus, "power": power * gpus, "facilities": facilities_month, "staff": staff_month,
        "refresh": 0.0, "total": line("own_by_month", own_gpus=gpus, own_gpu_month=per_gpu),
    }  # fmt: skip


def rented_month_cost(gpus: float, price_per_hour: float, duty: float = 1.0) -> Any:
    month = line("model_gpu_cost", model_gpus_planned=gpus, model_gpu_price=price_per_hour, hours_per_month=730)
    return line("rent_by_month", gpu_cost_by_month=month, rent_duty=duty)


def cost_per_mtok(gpus: float, price_per_hour: float, tokens_per_s: float, utilisation: float = 1.0) -> Any:
    speed = line("fleet_speed", model_peak_load=[tokens_per_s], model_peak_gpus=[gpus])
    full = line("fleet_full", fleet_speed=speed, hours_per_month=730)
    month = rented_month_cost(gpus, price_per_hour)
    per_gpu = line("rent_gpu_month", rent_in_peak=month, gpus_planned=gpus, rent_duty=1)
    at_full = line("rent_per_mtok_full", rent_gpu_month=per_gpu, fleet_full=full)
    return line("use_rent", use_share=utilisation, rent_per_mtok_full=at_full)


def own_rent_api(
    own_month_per_gpu: float, rent_price_per_hour: float, api_per_mtok: float, mtok_per_gpu_month_full: float
) -> dict[str, Any]:
    rent = rented_month_cost(1, rent_price_per_hour)
    own_, rent_ = {"own_gpu_month": own_month_per_gpu}, {"rent_gpu_month": rent}
    api, full = {"api_instead": api_per_mtok}, {"fleet_full": mtok_per_gpu_month_full}
    return {
        "own_vs_rent_utilisation": line("own_vs_rent", **own_, **rent_),
        "own_vs_api_utilisation": line("own_vs_api", **own_, **api, **full),
        "rent_vs_api_utilisation": line("rent_vs_api", **rent_, **api, **full),
        "own_vs_api_mtok": line("own_vs_api_mtok", **own_, **api, least_fleet=1),
        "rent_vs_api_mtok": line("rent_vs_api_mtok", **rent_, **api, least_fleet=1),
        "own_per_mtok_full": line("own_per_mtok_full", **own_, **full),
        "rent_per_mtok_full": line("rent_per_mtok_full", **rent_, **full),
    }  # fmt: skip


# ---- chapter 11


def pool_headroom(
    total: float, allocated: float | None, healthy: float | None, utilisation: float | None, kv_usage: float | None,
    required: float = 0.0, gpus_per_replica: float = 0.0,
) -> dict[str, Any]:  # fmt: skip
    def blank(x: float | None) -> float:
        return BLANK if x is None else x

    def seen_(x: Any) -> bool:
        return isinstance(x, float) and x == x

    seen = {"pool_used": 1, "pool_gpus_allocated": blank(allocated)}
    there = line("pool_healthy", pool_used=1, pool_gpus_healthy=blank(healthy), pool_gpus_total=total)
    free = line("pool_by_scheduling", pool_healthy=there, **seen)
    number = BLANK if isinstance(free, str) else free
    more = {"pool_by_scheduling": number, "pool_healthy": there, "pool_gpus_allocated": blank(allocated)}
    by = {
        "scheduling": free,
        "compute": line("pool_by_compute", pool_core_utilization=blank(utilisation),
                        compute_ceiling=default("compute_ceiling"), **more),
        "vram": line("pool_by_vram", pool_kv_cache_use=blank(kv_usage), kv_ceiling=default("kv_ceiling"), **more),
    }  # fmt: skip
    known = {k: (v if seen_(v) else BLANK) for k, v in by.items()}
    room = line("pool_headroom", **{f"pool_by_{k}": v for k, v in known.items()})
    unknown = [k for k, v in by.items() if not seen_(v)]
    found: dict[str, Any] = {"by": {k: v if seen_(v) else None for k, v in by.items()}, "unknown": unknown}
    if not seen_(room):  # handed on from the first: in a plan it is that reason
        return found | {"headroom": free, "bottleneck": "withheld: no evidence"}
    usable = line("pool_usable", pool_headroom=room, pool_largest_replica=gpus_per_replica, pool_sliced=0)
    gap = max(0.0, required - usable)
    bound = line("pool_bound_by", pool_headroom=room, pool_by_scheduling=known["scheduling"],
                 pool_by_compute=known["compute"])  # fmt: skip
    verdict = "does not fit" if gap else "fits on partial evidence" if unknown else "fits"
    return found | {
        "headroom": room, "usable_whole_replicas": usable, "gap": gap, "bottleneck": bound if gap else "none",
        "verdict": verdict,
    }  # fmt: skip


RECKONED: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        wait_sakasegawa, wait_exact_mmm, wait_percentile, highest_utilisation_grid, highest_utilisation_halving,
        effective_capacity, provisioned_units, commitment_cost, best_commitment,
        owned_month_cost, rented_month_cost, cost_per_mtok, own_rent_api, pool_headroom,
    )
}  # fmt: skip


@pytest.mark.parametrize("case", [i for i in CASES if i != "11.4"])  # 11.4 is a plan in test_reality.py
def test_worked_example(case: str) -> None:
    example = CASES[case]
    assert RECKONED[example["function"]](**example["inputs"]) == approx(example["output"]), example["note"]


def test_the_cases_are_all_there() -> None:
    assert set(CASES) - set(OWNED) == {f"{c}.{i}" for c, n in ((9, 8), (10, 8), (11, 4)) for i in range(1, n + 1)}


# ---- chapter 9: the closed form against the exact figure, and the ceiling inside a plan

TABLE = {  # slots -> Sakasegawa / exact - 1 at 0.50, 0.70, 0.90, 0.99, as method 9 prints it
    1: (0.0, 0.0, 0.0, 0.0), 2: (0.098, 0.034, 0.007, 0.001), 8: (0.789, 0.162, 0.013, 0.0),
    32: (23.6, 1.072, 0.030, -0.003), 512: (1.15e35, 1.06e9, 2.361, -0.019),
}  # fmt: skip


@pytest.mark.parametrize("m", TABLE)
def test_the_closed_form_against_exact_m_m_m(m: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Never below the exact wait by more than 1.9 %; the error is printed."""
    for rho, wanted in zip((0.5, 0.7, 0.9, 0.99), TABLE[m], strict=True):
        error = wait_sakasegawa(m, rho, 10.0) / wait_exact_mmm(m, rho, 10.0) - 1
        with capsys.disabled():
            print(f"m {m:4d} rho {rho:.2f}: closed form / exact - 1 = {error:+.4g}")
        assert error == pytest.approx(wanted, rel=6e-3, abs=6e-4)
        assert error > -0.0195


def birth_and_death(m: int, rho: float) -> float:
    """Chance to wait from the stationary chances of the queue, added up with nothing but fractions of each other."""
    weights = [1.0]
    for n in range(1, m + 1):
        weights.append(weights[-1] * m * rho / n)
    waiting = weights[-1] / (1 - rho)
    return waiting / (sum(weights[:-1]) + waiting)


@pytest.mark.parametrize("m", [1, 2, 7, 40, 105])
@pytest.mark.parametrize("rho", [0.05, 0.5, 0.787109375, 0.95, 0.999])
def test_erlang_c_is_the_chance_to_wait_of_the_queue(m: int, rho: float) -> None:
    assert erlang_c(float(m), rho) == pytest.approx(birth_and_death(m, rho), rel=1e-10)


def queue_plan(**more: Any) -> Plan:
    row = llama(gpus_per_replica=4, ttft_s=0.2, tpot_s=0.02, **more)
    return planned([row], pools=[pool(gpus_allocated=0)])


def test_the_ceiling_of_a_plan_keeps_the_wait_and_one_step_more_breaks_it() -> None:
    plan = queue_plan()
    slots, stay = at(plan, "model_servers", model=0), at(plan, "model_stay", model=0)
    allowed, found = at(plan, "model_wait_allowed", model=0), at(plan, "model_ceiling_wait", model=0)
    assert (slots, allowed) == (105, pytest.approx(1.0 - 0.2))  # standard tier: 1,000 ms
    assert stay == pytest.approx(105 * 4000 / (150 * 4))

    def wait(rho: float) -> float:
        return tail_wait(birth_and_death(105, rho), 105, rho, stay, 1.0, default("wait_percentile"))

    step = 0.5**HALVINGS
    assert wait(found) <= allowed < wait(found + step)
    assert at(plan, "model_ceiling", model=0) == min(found, default("utilisation_limit"))
    assert along(plan, "tier_ceiling", "tier")[1] == found
    grid = along(plan, "grid_tail", "grid")
    assert grid == [pytest.approx(wait(rho)) for rho in along(plan, "grid_utilisation", "grid")]
    assert along(plan, "grid_wait", "grid")[0] == pytest.approx(mean_wait(birth_and_death(105, 0.5), 105, 0.5, stay, 1))


def test_the_ceiling_is_a_step_of_the_bridge_only_where_the_plan_asks_for_it() -> None:
    plain = queue_plan()
    assert at(plain, "step_gpus", step="ceiling") == 0
    row = llama(gpus_per_replica=4, ttft_s=0.2, tpot_s=0.02)
    asked = planned([row], pools=[pool(gpus_allocated=0)], ceiling_on_gpus="yes", total_tokens=60e9)
    ceiling = at(asked, "model_ceiling", model=0)
    before = at(asked, "model_gpus_required", model=0, month=0)
    assert at(asked, "step_gpus", step="ceiling") == pytest.approx(before / ceiling - before)
    bought = at(asked, "gpus_planned_by_month", month=0)
    assert bought == math.ceil(before / ceiling / 4) * 4 > math.ceil(before / 4) * 4
    assert asked.value("bridge_sum") == pytest.approx(bought)
    assert at(asked, "step_money", step="ceiling") == pytest.approx((before / ceiling - before) * 2 * 730)


def test_without_a_measured_ttft_the_limit_alone_holds_and_says_so() -> None:
    plan = planned()
    assert at(plan, "model_ceiling_wait", model=0) == "withheld: no TTFT known, type it"
    assert at(plan, "model_ceiling", model=0) == default("utilisation_limit")
    assert "limit alone" in str(at(plan, "model_ceiling_basis", model=0))


def test_a_model_that_misses_the_target_alone_has_no_effective_capacity() -> None:
    row = llama(gpus_per_replica=4, ttft_s=1.5, tpot_s=0.02)
    plan = planned([row], pools=[pool(gpus_allocated=0)], ceiling_on_gpus="yes")
    assert at(plan, "model_wait_allowed", model=0) == "withheld: the model alone misses the TTFT target"
    assert at(plan, "model_ceiling", model=0) == 0
    assert along(plan, "gpus_effective")[0] == 0
    assert at(plan, "gpus_planned_by_month", month=0) == "withheld: a part of this sum is unknown, see GPUs to plan"


def test_capacity_by_pool_and_month_with_an_order_on_the_way() -> None:
    """64 GPUs, 60 healthy, 5 % in maintenance, 10 at other work; 16 more from the 15th of March, serving from April."""
    pools = [pool(gpus_healthy=60, gpus_allocated=10, maintenance_share=0.05), pool(pool="west", gpus_total=8)]
    order = InstrumentRow(instrument="More A100", gpu=A100, quantity_ordered=16, starts_on=dt.date(2027, 3, 15))
    plan = planned([llama(gpus_per_replica=4)], pools=pools, rows={"Supply": [order]})
    available = [64 - 3.2 - 4 - 10 + d for d in (0, 0, 0, *[16 * 0.95] * 9)]
    assert along(plan, "pool_reserved", pool=0) == [64] * 3 + [80] * 9
    assert along(plan, "pool_available", pool=0) == approx(available)
    effective = [math.floor(a / 4) * 4 * default("utilisation_limit") for a in available]
    assert along(plan, "pool_effective", pool=0) == approx(effective)
    assert along(plan, "pool_effective_speed", pool=0) == approx([e * 150 for e in effective])
    assert along(plan, "gpus_available") == approx([a + 8 for a in available])
    assert along(plan, "gpus_spare") == approx([a + 8 - 4 for a in available])


# ---- chapter 10: the ladder against brute force, lead times, the portfolio of a kind


def brute_force(need: list[float], row: InstrumentRow, elastic: float) -> tuple[float, float]:
    """The lowest level of least cost, by trying every buyable one."""
    step, lowest = row.increment or 1, row.minimum or 0
    lowest = math.ceil(lowest / step) * step
    cap = row.quantity_available if row.quantity_available is not None else max(need) + step
    price = (row.price_per_unit_hour or 0) * 730
    best: tuple[float, float] = (sum(need) * elastic * 730, 0.0)
    for level in itertools.count(max(step, lowest), step):
        if level > max(cap, 0) or level > max(need) + max(step, lowest):
            break
        months = [row.term_months is None or i < row.term_months for i in range(len(need))]
        cost = level * price * sum(months)
        cost += sum(max(0.0, n - level * inside) for n, inside in zip(need, months, strict=True)) * elastic * 730
        if cost < best[0] - 1e-6:
            best = (cost, level)
    return best


@pytest.mark.parametrize("seed", range(40))
def test_the_level_found_is_that_of_brute_force(seed: int) -> None:
    draw = random.Random(seed)
    need = [float(draw.choice((0, 1, 2, 3, 5, 8, 13, 21))) for _ in range(12)]
    need[draw.randrange(12)] = 4.0
    elastic = 3.0
    row = committed(
        price_per_unit_hour=elastic * draw.choice((0.2, 0.5, 0.75, 0.99, 1.2)), elastic_price_per_unit_hour=elastic,
        increment=draw.choice((None, 1, 2, 5)), minimum=draw.choice((None, 0, 3, 8)),
        quantity_available=draw.choice((None, None, 2, 9)), term_months=draw.choice((None, 12, 7, 36)),
    )  # fmt: skip
    plan = demand_plan(need, [row])
    cost, level = brute_force(need, row, elastic)
    assert at(plan, "instrument_level", instrument=0) == level
    assert at(plan, "instrument_cost_least", instrument=0) == pytest.approx(cost, abs=1e-4)


def test_unused_commitment_and_what_is_owed_after_the_horizon() -> None:
    row = committed(price_per_unit_hour=1.0, elastic_price_per_unit_hour=3.0, term_months=36)
    plan = demand_plan([4.0, 8.0] * 6, [row])
    level = at(plan, "instrument_level", instrument=0)
    assert level == 8  # elastic for half the months would cost 1.5 times the commitment
    assert at(plan, "instrument_unused_units", instrument=0) == 6 * 4
    assert at(plan, "instrument_unused_money", instrument=0) == 6 * 4 * 730
    assert at(plan, "instrument_tail", instrument=0) == 24 * 8 * 730


def test_orders_fall_due_by_lead_time_and_elastic_rows_take_the_rest_in_the_tables_order() -> None:
    demand = [6.0, 6, 6, 8, 10, 10, 12, 14, 16, 16, 18, 20]
    near = InstrumentRow(instrument="near", gpu=A100, price_per_unit_hour=3.5, lead_time_days=20, quantity_available=8)
    far = InstrumentRow(instrument="far", gpu=A100, price_per_unit_hour=4, lead_time_days=250)
    plan = demand_plan(demand, [committed(price_per_unit_hour=2.0, increment=2), near, far])
    assert at(plan, "instrument_level", instrument=0) == 10
    rest = [max(0, d - 10) for d in demand]
    assert along(plan, "instrument_buy", instrument=1) == [min(8, r) for r in rest]
    assert along(plan, "instrument_buy", instrument=2) == [max(0, r - 8) for r in rest]
    day = dt.date(2027, 12, 1) - dt.timedelta(days=250)
    assert at(plan, "instrument_first_order", instrument=2) == (day - dt.date(1899, 12, 30)).days
    july = dt.date(2027, 7, 1) - dt.timedelta(days=20)
    assert at(plan, "instrument_first_order", instrument=1) == (july - dt.date(1899, 12, 30)).days
    assert along(plan, "instrument_short", instrument=1) == [0] * 12
    spend = [10 * 2.0 * 730 + b * 3.5 * 730 + f * 4 * 730
             for b, f in zip([min(8, r) for r in rest], [max(0, r - 8) for r in rest], strict=True)]  # fmt: skip
    assert along(plan, "supply_spend") == approx(spend)


def test_what_cannot_come_in_time_is_short_and_an_order_that_is_late_is_said() -> None:
    slow = InstrumentRow(instrument="slow", gpu=A100, price_per_unit_hour=4, lead_time_days=100)
    plan = demand_plan([4.0] * 12, [slow])
    assert along(plan, "instrument_short", instrument=0) == [4.0] * 4 + [0.0] * 8  # there from the 11th of April
    late = demand_plan([4.0] * 12, [committed(price_per_unit_hour=1, lead_time_days=45)])
    assert at(late, "instrument_late", instrument=0) == 1 == late.value("orders_late")
    in_time = demand_plan([4.0] * 12, [committed(price_per_unit_hour=1, lead_time_days=45)], as_of=dt.date(2026, 11, 1))
    assert at(in_time, "instrument_late", instrument=0) == 0


def test_only_what_the_pools_do_not_give_is_bought_unless_the_plan_says_all() -> None:
    row = committed(price_per_unit_hour=1.0, elastic_price_per_unit_hour=3.0)
    plan = demand_plan([60.0] * 6 + [70.0] * 6, [row], commitment_demand="missing")
    assert along(plan, "instrument_need", instrument=0) == [0.0] * 6 + [6.0] * 6  # 64 are there
    assert at(plan, "instrument_level", instrument=0) == 6


def test_provisioned_units_follow_the_plans_peak_minute() -> None:
    row = committed(
        instrument="PTU", gpu="", unit_kind="provisioned", model="GPT-4o", unit_rate_per_min=3400, output_weight=8,
        increment=5, minimum=15, price_per_unit_hour=1.0, elastic_price_per_unit_hour=2.0,
    )  # fmt: skip
    per_minute = 1000 * 220
    plan = planned(
        [gpt_4o()], deployment_mode="api", rows={"Supply": [row]}, total_tokens=per_minute * 60 * 24 * 360.0,
        peak_factor=1, input_parts=200, output_parts=20,
    )  # fmt: skip
    assert at(plan, "instrument_normalised", instrument=0, month=0) == pytest.approx(360_000)
    assert at(plan, "instrument_need", instrument=0, month=0) == pytest.approx(105.882352941)
    assert at(plan, "instrument_level", instrument=0) in (105, 110)
    assert max(along(plan, "rung_up", "rung", instrument=0)) == 110


def test_fallback_paths_free_what_their_shares_say_and_untested_ones_are_counted() -> None:
    path = InstrumentRow(instrument="smaller", instrument_kind="fallback", path="smaller_model", model="Llama 3 70B",
                         eligible_share=0.5, relief_share=0.8, last_test=dt.date(2026, 9, 1))  # fmt: skip
    blind = InstrumentRow(instrument="rules", instrument_kind="fallback", path="rules", eligible_share=0.1)
    plan = demand_plan([10.0] * 12, [path, blind])
    assert along(plan, "instrument_relief", "instrument")[:2] == [4.0, "withheld: type eligible and relief share"]
    assert plan.value("paths_untested") == 1


# ---- chapter 3: the excuse when nothing fits, quantised, and mixtures of experts


@pytest.mark.parametrize(
    ("row", "plan", "words"),
    [
        (llama(gpus_per_replica=1), {}, "weights alone need 2 GPUs; quantised, weights need 2 (FP8) or 1 (INT4) GPUs"),
        (ModelRow(model="Llama 3.1 405B", token_share=1, gpu="A10G-24GB", tokens_per_s_per_gpu=10.0), {},
         "weights alone need 34 GPUs; quantised, weights need 21 (FP8) or 11 (INT4) GPUs"),
        (ModelRow(model="Qwen 72B", token_share=1, gpu=A100, tokens_per_s_per_gpu=100.0), {"concurrency_per_replica": 100},
         "the KV cache of 100 requests needs 1,048.6 GB, the largest replica leaves 975.4 GB; quantised, weights need 2 "
         "(FP8) or 1 (INT4) GPUs"),
        (llama(), {}, ""),
    ],
)  # fmt: skip
def test_the_excuse_names_what_is_in_the_way_and_what_quantising_would_change(
    row: ModelRow, plan: dict[str, Any], words: str
) -> None:
    found = planned([row], **plan)
    assert at(found, "model_excuse", model=0) == words
    assert bool(words) == bool(at(found, "model_misfit", model=0))


def test_a_mixture_of_experts_shows_its_active_share() -> None:
    moe = ModelRow(model="Qwen3 235B-A22B", token_share=1, gpu=A100, tokens_per_s_per_gpu=100.0)
    assert at(planned([moe]), "model_active_share", model=0) == pytest.approx(22 / 235, rel=0.02)
    assert at(planned(), "model_active_share", model=0) == 1
