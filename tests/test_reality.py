"""The bottleneck question, the verdict and the failover check, against calculations that share nothing with the lines."""

from __future__ import annotations

import datetime as dt
import math
import random
from typing import Any

import pytest
from builders import A100, along, at, guide_tenants, llama, planned, pool

from planner.inputs.model import default_rows
from planner.inputs.portfolio_tables import InstrumentRow, RunbookRow
from planner.inputs.tables import TABLES, ModelRow, PoolRow
from planner.plan import Plan

H100 = "H100-80GB-SXM"
QUARTERS = (0.1, 0.2, 0.3, 0.4)  # the S-curve of the guide
COMPUTE, KV = 0.85, 0.9


def opposite_model(**more: Any) -> ModelRow:
    row = {"model": "Llama 3.1 70B", "token_share": 0.4, "gpu": H100, "precision": "fp8", "gpus_per_replica": 2,
           "tokens_per_s_per_gpu": 900.0, "gpu_price_per_hour": 3.0}  # fmt: skip
    return ModelRow(**{**row, **more})


def two_kinds(total_tokens: float, pools: list[PoolRow], supply: list[InstrumentRow], **more: Any) -> Plan:
    models = [llama(token_share=0.6, gpus_per_replica=4), opposite_model()]
    return planned(
        models, pools=pools, rows={"Supply": supply}, growth_curve="s_curve", total_tokens=total_tokens,
        tenants=guide_tenants(), **more,
    )  # fmt: skip


class Reckoned:
    """The same plan by hand: GPUs to plan, supply, gap, feasible tokens, slips and the effect of each action."""

    KINDS = ((A100, 0.6, 150.0, 4, 2.0), (H100, 0.4, 900.0, 2, 3.0))

    def __init__(self, total_tokens: float, pools: list[PoolRow], orders: list[InstrumentRow]) -> None:
        self.tokens = [total_tokens * QUARTERS[m // 3] / 3 for m in range(12)]
        self.planned: list[dict[str, int]] = []
        for tokens in self.tokens:
            peak = tokens / 30 * 3 / 24 / 3600
            self.planned.append({
                gpu: math.ceil(round(peak * share / speed * 1.3 * 1.5 / each, 9)) * each
                for gpu, share, speed, each, _ in self.KINDS
            })  # fmt: skip
        self.supply = [{gpu: self.of_kind(gpu, each, m, pools, orders) for gpu, _, _, each, _ in self.KINDS}
                       for m in range(12)]  # fmt: skip
        self.gap = [sum(max(0, p[g] - s[g]) for g in p) for p, s in zip(self.planned, self.supply, strict=True)]
        self.worst = self.gap.index(max(self.gap))

    @staticmethod
    def of_kind(gpu: str, each: int, month: int, pools: list[PoolRow], orders: list[InstrumentRow]) -> int:
        found = 0
        for p in (p for p in pools if p.gpu == gpu and p.mode in ("", "gpu")):
            healthy, held = p.gpus_healthy or p.gpus_total or 0, p.gpus_allocated or 0
            counts = [healthy - held]
            if p.core_utilization is not None:
                counts.append(healthy * COMPUTE - held * p.core_utilization)
            if p.kv_cache_use is not None:
                counts.append(healthy * KV - held * p.kv_cache_use)
            service = p.maintenance_share or 0
            room = max(0.0, max(0.0, min(counts)) - service * (p.gpus_total or 0))
            for o in (o for o in orders if o.pool == p.pool and o.quantity_ordered):
                first = o.starts_on or dt.date(2027, 1, 1)
                begins = (first.year - 2027) * 12 + first.month - 1 + (first.day > 1)
                if month >= begins:
                    room += o.quantity_ordered * (1 - service)
            found += math.floor(round(room / each, 9)) * each
        return found

    def feasible_tokens(self, month: int) -> float:
        parts = zip(self.KINDS, strict=False)
        return sum(
            self.tokens[month] * share * min(1.0, self.supply[month][gpu] / self.planned[month][gpu])
            for ((gpu, share, _, _, _),) in parts
        )

    def slip(self, first: int, last: int) -> int | None:
        """Months until the supply carries the phase at its worst; None within the plan."""
        months = range(first - 1, last)
        worst = max(months, key=lambda m: (sum(self.planned[m].values()), -m))
        for later in range(first - 1, 12):
            if all(self.supply[later][g] >= n for g, n in self.planned[worst].items()):
                return later - (first - 1)
        return None


def pools_of(draw: random.Random) -> list[PoolRow]:
    def more() -> dict[str, Any]:
        total = draw.choice((8, 16, 24, 32, 48))
        return {
            "gpus_total": total, "gpus_healthy": draw.choice((None, total - 1)), "gpus_allocated": draw.randrange(9),
            "core_utilization": draw.choice((None, 0.4, 0.95)), "kv_cache_use": draw.choice((None, 0.5, 0.99)),
            "maintenance_share": draw.choice((None, 0.05, 0.25)),
        }  # fmt: skip

    return [
        pool(pool="a1", gpu=A100, **more()), pool(pool="h", gpu=H100, **more()), pool(pool="a2", gpu=A100, **more()),
        pool(pool="slices", gpu=A100, mode="mig", gpus_total=8, gpus_allocated=3, core_utilization=0.2),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(25))
def test_the_feasible_plan_is_that_of_a_calculation_by_hand(seed: int) -> None:
    draw = random.Random(seed)
    tokens, pools = draw.choice((12e9, 36e9, 60e9)), pools_of(draw)
    order = InstrumentRow(instrument="order", gpu=A100, pool="a2", quantity_ordered=draw.choice((4, 16, 40)),
                          starts_on=dt.date(2027, draw.randrange(2, 12), draw.choice((1, 9))))  # fmt: skip
    plan, hand = two_kinds(tokens, pools, [order]), Reckoned(tokens, pools, [order])
    assert along(plan, "gpus_planned_by_month") == [sum(p.values()) for p in hand.planned]
    assert along(plan, "gap_by_month") == hand.gap
    assert plan.value("need_apart") == 0  # and the portfolio's need is that gap, A100 by A100
    assert along(plan, "feasible_by_month") == [
        sum(p.values()) - g for p, g in zip(hand.planned, hand.gap, strict=True)
    ]
    assert along(plan, "feasible_tokens") == pytest.approx([hand.feasible_tokens(m) for m in range(12)])
    assert plan.value("months_unfit") == sum(g > 0 for g in hand.gap)
    for i, p in enumerate(r for r in default_rows(next(t for t in TABLES if t.tab == "Phases")) if r):
        slip = hand.slip(int(p.month_start), int(p.month_end))
        assert at(plan, "phase_slip", phase=i) == ("withheld: not within the plan" if slip is None else slip)
    if max(hand.gap):
        assert plan.value("gap_month") == hand.worst + 1
        assert str(plan.value("conclusion_verdict")).startswith("The live state beats the sizing")
    else:
        assert "beats" not in str(plan.value("conclusion_verdict"))


def test_actions_are_ranked_by_their_effect_and_of_equals_the_cheaper_comes_first() -> None:
    pools = [
        pool(pool="a1", gpus_total=24, gpus_allocated=4, core_utilization=0.9),
        pool(pool="h", gpu=H100, gpus_total=64, gpus_allocated=2),
        pool(pool="slices", mode="mig", gpus_total=8, gpus_allocated=3),
    ]  # fmt: skip
    cloud = InstrumentRow(
        instrument="cloud", gpu=A100, price_per_unit_hour=3.0, lead_time_days=30, quantity_available=12
    )
    tokens = 60e9
    plan, hand = two_kinds(tokens, pools, [cloud], api_alternative_per_mtok=4.0), Reckoned(tokens, pools, [])
    gap, required = hand.gap[hand.worst], sum(hand.planned[hand.worst].values())
    a100, h100 = hand.planned[hand.worst][A100], hand.planned[hand.worst][H100]
    assert gap == a100 - 16 > 12 and hand.worst == 9  # 16.8 of the first pool, in fours
    mtok_per_gpu = hand.tokens[hand.worst] / 1e6 / required
    gpu_price = (a100 * 2.0 + h100 * 3.0) * 730 / required
    customer = plan.value("customer_price_per_mtok")
    assert isinstance(customer, float)
    gpus = {
        "reconfigure": 5.0, "route": float(gap), "scale_throttle": 0.0, "scale": 12.0, "throttle": 0.2 * required,
        "quota": 0.0, "phase": float(gap),
    }  # fmt: skip
    price = {"route": mtok_per_gpu * 4.0, "scale": gpu_price, "throttle": mtok_per_gpu * customer,
             "phase": mtok_per_gpu * customer}  # fmt: skip
    money = {k: g * price.get(k, 0.0) for k, g in gpus.items()}
    order = sorted(gpus, key=lambda k: (-round(gpus[k], 6), round(money[k], 2), list(gpus).index(k)))
    keys = plan.labels["action"]
    assert dict(zip(keys, along(plan, "action_gpus", "action"), strict=True)) == pytest.approx(gpus)
    assert dict(zip(keys, along(plan, "action_money", "action"), strict=True)) == pytest.approx(money)
    places = dict(zip(keys, along(plan, "action_place", "action"), strict=True))
    assert sorted(keys, key=lambda k: places[k]) == order
    assert order[0] == "route" and f"First: Route, {gap}.0 GPUs" in str(plan.value("reality_said"))


def test_what_nobody_measured_is_unknown_and_not_a_gap() -> None:
    plan = planned(pools=[pool()])  # no allocation figure
    assert at(plan, "pool_headroom", pool=0) == "withheld: no allocation figure"
    assert at(plan, "gap_by_month", month=0) == "withheld: a part of this sum is unknown, see Gap"
    assert at(plan, "pool_verdict", pool=0, month=0) == "◊ unknown"
    assert plan.value("months_unfit") == 0
    assert plan.value("reality_said") == "The live state is not known: nobody has measured the pools."


def test_a_kind_of_gpu_that_no_pool_has_is_missing_whole() -> None:
    plan = planned([llama(gpus_per_replica=4)], pools=[pool(gpu=H100, gpus_total=64, gpus_allocated=0)])
    assert along(plan, "gpus_unhoused") == [4] * 12 == along(plan, "gap_by_month")


# ---- chapter 11.4: headroom now and what is delivered


def test_headroom_6_and_8_gpus_that_arrive_in_month_4() -> None:
    """11.4 of the worked cases, as a plan: required 4, 6, 9, 12, 14."""
    from test_worked_supply import demand_plan

    order = InstrumentRow(instrument="order", gpu=A100, quantity_ordered=8, starts_on=dt.date(2027, 4, 1))
    plan = demand_plan([4.0, 6, 9, 12, 14], [order], pool_row=pool(gpus_total=16, gpus_allocated=10))
    assert along(plan, "pool_supply", pool=0)[:5] == [6, 6, 6, 14, 14]
    assert along(plan, "gap_by_month")[:5] == [0, 0, 3, 0, 0]
    assert plan.value("gap_month") == 3


# ---- the bottleneck question


def busy(name: str, **more: Any) -> PoolRow:
    row = {"pool": name, "gpus_total": 10, "gpus_allocated": 8, "core_utilization": 0.5, "kv_cache_use": 0.3}
    return pool(**{**row, **more})


QUESTION = (  # pool, pressure at +30 %, constraint, action
    (busy("scheduling", gpus_allocated=9), 1.17, "■ scheduling", "Route"),
    (busy("saturated", core_utilization=0.8, gpus_allocated=2), 0.8 * 1.3 / 0.9, "■ compute: saturated", "Route"),
    (busy("slow", core_utilization=0.72, gpus_allocated=2), 0.72 * 1.3 / 0.9, "▲ compute: latency suffers", "Route"),
    (busy("full of cache", kv_cache_use=0.8, gpus_allocated=2), 0.8 * 1.3 / 0.9, "■ VRAM", "Route"),
    (busy("scaled", core_utilization=0.8, gpus_allocated=2, autoscaler_max_gpus=10), 0.8 / 0.9, "○ none", ""),
    (busy("calm", gpus_allocated=1), 0.5 * 1.3 / 0.9, "○ none", ""),
)


@pytest.mark.parametrize(("row", "pressure", "constraint", "action"), QUESTION, ids=lambda v: getattr(v, "pool", ""))
def test_pressure_constraint_and_action(row: PoolRow, pressure: float, constraint: str, action: str) -> None:
    other = busy("other", gpus_total=20, gpus_allocated=10)
    plan = planned(pools=[row, other])
    assert at(plan, "pool_pressure", pool=0) == pytest.approx(pressure, abs=1e-6)
    assert at(plan, "pool_constraint", pool=0) == constraint
    assert at(plan, "pool_action", pool=0) == action


ACTIONS = (  # the condition table, case by case: rows of Pools, action, load absorbed
    ("a sliced pool beside free whole GPUs", [busy("m", mode="mig", core_utilization=0.95), busy("w", gpus_allocated=1)],
     "Reconfigure", 8 * 1.3 * (1 - 0.9 / (0.95 * 1.3))),
    ("others have less than 30 %", [busy("a", gpus_allocated=9), busy("b", gpus_total=20, gpus_allocated=15,
     core_utilization=0.1)], "Scale out", 1.0),
    ("bound by use, nothing free beside", [busy("a", core_utilization=0.9)], "Scale and throttle",
     8 * 1.3 * (1 - 0.9 / (0.9 * 1.3))),
    ("every pool near its limit", [busy("a", gpus_allocated=10), busy("b", gpus_allocated=10)], "Scale and throttle", 2.6),
)  # fmt: skip


@pytest.mark.parametrize(("pools", "action", "absorbed"), [a[1:] for a in ACTIONS], ids=[a[0] for a in ACTIONS])
def test_the_condition_table(pools: list[PoolRow], action: str, absorbed: float) -> None:
    plan = planned(pools=pools)
    assert at(plan, "pool_action", pool=0) == action
    assert at(plan, "pool_absorbed", pool=0) == pytest.approx(absorbed)
    assert at(plan, "pool_left", pool=0) == pytest.approx(at(plan, "pool_excess", pool=0) - absorbed, abs=1e-5)


def test_an_action_that_is_off_is_not_taken() -> None:
    which = next(t for t in TABLES if t.tab == "Actions")
    off = [r.model_copy(update={"on": "no"}) if r.action in ("route", "scale_throttle") else r
           for r in default_rows(which) if r]  # fmt: skip
    pools = [busy("a", core_utilization=0.9, gpus_allocated=2), busy("b", gpus_allocated=0)]
    assert at(planned(pools=pools), "pool_action", pool=0) == "Route"
    plan = planned(pools=pools, rows={"Actions": off})
    assert at(plan, "pool_action", pool=0) == "Throttle"
    assert at(plan, "pool_absorbed", pool=0) == pytest.approx(0.2 * 2.6)


def test_the_ranking_breaks_ties_by_use_then_free_gpus_then_no_autoscaler() -> None:
    """All stand at the same pressure by KV cache."""
    same: dict[str, Any] = {"kv_cache_use": 0.9, "gpus_allocated": 5}
    pools = [
        busy("auto", autoscaler_max_gpus=5, **same), busy("plain", **same), busy("used", core_utilization=0.6, **same),
        busy("tight", gpus_total=9, **same), busy("calm", gpus_allocated=2), busy("worst", kv_cache_use=0.99),
    ]  # fmt: skip
    plan = planned(pools=pools)
    places = {p.pool: at(plan, "pool_place", pool=i) for i, p in enumerate(pools)}
    assert sorted(places, key=lambda k: places[k]) == ["worst", "used", "tight", "plain", "auto", "calm"]
    assert "worst breaks first: ■ VRAM" in str(plan.value("bottleneck_said"))


def test_when_a_pool_breaks_follows_the_demand_curve() -> None:
    """The S-curve doubles in month 4 and triples in month 7."""
    plan = planned(pools=[busy("a", core_utilization=0.44, gpus_allocated=4)], growth_curve="s_curve")
    assert along(plan, "load_index") == pytest.approx([1.0] * 3 + [2.0] * 3 + [3.0] * 3 + [4.0] * 3)
    assert at(plan, "pool_pressure_by_month", pool=0, month=6) == pytest.approx(max(0.44 * 3 / 0.9, 4 * 3 / 10))
    assert at(plan, "pool_break_month", pool=0) == 7 and at(plan, "pool_break_said", pool=0) == "Jul 2027"
    linear = planned(pools=[busy("a", core_utilization=0.44, gpus_allocated=4)])
    assert at(linear, "pool_break_said", pool=0) == "not within the plan"


def test_the_growth_asked_about_is_an_input() -> None:
    pools = [busy("a", gpus_allocated=6)]
    assert "no pool breaks; the nearest is a at 78 %" in str(planned(pools=pools).value("bottleneck_said"))
    more = planned(pools=pools, load_growth=0.8)
    assert str(more.value("bottleneck_said")).startswith(
        "If the load that runs there today grows by 80 %, a breaks first: ■ scheduling"
    )


# ---- failover


def runbook(**more: Any) -> RunbookRow:
    full = {"service": "Chat", "service_tier": 1, "provider": "X", "trigger": "TTFT above 2 s", "executive": "COO",
            "alternate": "small model", "alternate_provider": "Y", "reductions": "no images", "communication": "status page",
            "validation": "golden set", "last_test": dt.date(2026, 6, 1)}  # fmt: skip
    return RunbookRow(**{**full, **more})


BOOKS = (
    ({}, "○ ready"), ({"trigger": ""}, "▲ runbook has gaps"), ({"last_test": None}, "▲ untested"),
    ({"last_test": dt.date(2025, 12, 1)}, "▲ untested"), ({"last_test": dt.date(2026, 1, 1)}, "○ ready"),
    ({"alternate_provider": "x"}, "◊ concentrated supply"), ({"service_tier": 2, "trigger": ""}, "not tier 1"),
    ({"service_tier": None, "trigger": ""}, "▲ runbook has gaps"),
)  # fmt: skip


@pytest.mark.parametrize(("fields", "verdict"), BOOKS)
def test_a_runbook_is_ready_when_it_is_whole_tested_and_not_concentrated(fields: dict[str, Any], verdict: str) -> None:
    plan = planned(rows={"Runbooks": [runbook(**fields)]})
    assert at(plan, "runbook_verdict", runbook=0) == verdict
    unready = verdict.startswith("▲")
    assert plan.value("services_unready") == unready
    levels = dict(zip(plan.labels["threshold"], along(plan, "threshold_level", "threshold"), strict=True))
    assert levels["untested_failover"] == unready


def test_most_services_at_one_provider_are_concentrated() -> None:
    rows = [runbook(service=str(i), provider=p) for i, p in enumerate(("X", "X", "Z"))]
    plan = planned(rows={"Runbooks": rows})
    assert along(plan, "runbook_concentrated", "runbook")[:3] == [1, 1, 0]
    assert plan.value("services_concentrated") == 2


# ---- tie-outs


def test_two_commitments_of_a_kind_and_an_order_without_a_pool_fail_their_checks() -> None:
    row = InstrumentRow(instrument="r1", instrument_kind="committed", gpu=A100, price_per_unit_hour=1.0)
    lost = InstrumentRow(instrument="lost", gpu=H100, quantity_ordered=4)
    plan = planned(rows={"Supply": [row, row.model_copy(update={"instrument": "r2"}), lost]})
    states = dict(zip(plan.labels["check"], along(plan, "check_state", "check"), strict=True))
    assert states["commitments"] == 1 and states["orders"] == 1
    assert states["supply_full"] == 0
