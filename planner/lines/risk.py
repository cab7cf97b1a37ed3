"""Chapter 13 in small: figures against thresholds that people set; the worst decides."""

from planner.calc.vocabulary import (
    both,
    either,
    known,
    largest,
    most,
    not_applicable,
    opposite,
    or_else,
    pick,
    position_of,
    reaches,
    same,
    say,
    stack,
    total,
    where,
)
from planner.lines.method import line


@line(unit="count", label="Models that do not fit their GPUs", source="capacity.5")
def misfits(model_misfit):
    """Weights above memory: no number of replicas helps."""
    return total(model_misfit, over="model")


@line(unit="count", label="Prices nobody has verified", source="cost.1")
def unverified_prices(model_price_unverified):
    """Each is a reference price, not a quote."""
    return total(model_price_unverified, over="model")


@line(unit="count", label="Speeds nobody has measured", source="capacity.2")
def unverified_speeds(model_speed_unverified):
    """Each moves GPUs one for one."""
    return total(model_speed_unverified, over="model")


@line(unit="count", label="Gaps in the evidence", source="risk.2")
def evidence_gaps(validation_missing, unverified_prices, unverified_speeds, misfits):
    """Capacity not validated, prices not verified, speeds not measured, a model that does not fit: one each."""
    return (
        validation_missing
        + where(unverified_prices > 0, 1, 0)
        + where(unverified_speeds > 0, 1, 0)
        + where(misfits > 0, 1, 0)
    )


@line(unit="factor", label="Value", source="risk.1")
def threshold_value(
    coverage_worst, guaranteed_over_buffer, bursts_over_buffer, e2e_over_target, availability_gap, budget_use, misfits,
    checks_failed, withdrawn_models, unverified_share, evidence_gaps,
    base_unserved, base_below, base_peak_unserved, gap_worst, failovers_unready,
    routes_below_floor, ledger_apart,
):  # fmt: skip
    """The figure that is compared."""
    return stack(
        "threshold",
        {
            "coverage": coverage_worst,
            "guaranteed_over_buffer": guaranteed_over_buffer,
            "bursts_over_buffer": bursts_over_buffer,
            "e2e_over_target": e2e_over_target,
            "availability_gap": availability_gap,
            "budget_use": budget_use,
            "memory_misfit": misfits,
            "checks_failed": checks_failed,
            "withdrawn_models": withdrawn_models,
            "unverified_share": unverified_share,
            "evidence_gaps": evidence_gaps,
            "live_gap": gap_worst,
            "untested_failover": failovers_unready,
            "unserved_protected": base_unserved,
            "unserved_peak": base_peak_unserved,
            "below_floor": base_below,
            "ledger_apart": ledger_apart,
            "route_quality": routes_below_floor,
        },
    )


@line(unit="flag", label="Unknown and needed", source="risk.1")
def threshold_unknown(validation_missing, gpus_planned, annual_tco, base_unserved, base_below, base_peak_unserved):
    """A figure that the plan needs and cannot give counts as at least watch; one that does not apply does not."""
    return stack(
        "threshold",
        {
            "coverage": either(validation_missing, opposite(known(gpus_planned))),
            "guaranteed_over_buffer": 0,
            "bursts_over_buffer": 0,
            "e2e_over_target": 0,
            "availability_gap": opposite(known(gpus_planned)),
            "budget_use": 0,
            "memory_misfit": 0,
            "checks_failed": 0,
            "withdrawn_models": 0,
            "unverified_share": opposite(known(annual_tco)),
            "evidence_gaps": 0,
            "live_gap": 0,
            "untested_failover": 0,
            "unserved_protected": opposite(known(base_unserved)),
            "unserved_peak": opposite(known(base_peak_unserved)),
            "below_floor": opposite(known(base_below)),
            "ledger_apart": 0,
            "route_quality": 0,
        },
    )


def _reached(value, limit, direction, level):
    there = reaches(or_else(direction, 1) * value, or_else(direction, 1) * or_else(limit, 0))
    return where(both(known(value), known(limit)), where(there, level, 0), 0)


@line(unit="level", label="Level", source="risk.1")
def threshold_level(
    threshold_value, threshold_unknown, threshold_watch, threshold_risk, threshold_critical, threshold_direction,
    level_unknown, level_watch, level_risk, level_critical,
):  # fmt: skip
    """0 normal, 1 watch, 2 risk, 3 critical: the highest threshold reached; at the threshold counts."""
    reached = largest(
        _reached(threshold_value, threshold_watch, threshold_direction, level_watch),
        _reached(threshold_value, threshold_risk, threshold_direction, level_risk),
        _reached(threshold_value, threshold_critical, threshold_direction, level_critical),
    )
    return where(known(threshold_value), reached, threshold_unknown * level_unknown)


def chip(level, watch, risk, critical):
    """A level as glyph and word; the colour follows the glyph, so that it holds in every language."""
    return where(
        level >= critical,
        say("■ critical"),
        where(level >= risk, say("▲ risk"), where(level >= watch, say("◊ watch"), say("○ normal"))),
    )


@line(unit="text", label="Status", source="risk.1")
def threshold_chip(threshold_level, level_watch, level_risk, level_critical):
    """In words."""
    return chip(threshold_level, level_watch, level_risk, level_critical)


@line(unit="level", label="Overall level", source="risk.1")
def overall_level(threshold_level):
    """The worst decides."""
    return most(threshold_level, over="threshold")


@line(unit="text", label="Overall status", source="risk.1")
def overall_chip(overall_level, level_watch, level_risk, level_critical):
    """In words."""
    return chip(overall_level, level_watch, level_risk, level_critical)


@line(unit="choice", label="Risk level", source="risk.1", headline=True)
def risk_level(overall_level, level_watch, level_risk, level_critical):
    """normal, watch, risk or critical, as a key that scripts can read."""
    return where(
        overall_level >= level_critical,
        "critical",
        where(overall_level >= level_risk, "risk", where(overall_level >= level_watch, "watch", "normal")),
    )


@line(unit="index", label="Row of the worst figure", source="risk.1")
def worst_row(overall_level, threshold_level):
    """The first of the worst, in the table's order."""
    return position_of(overall_level, threshold_level, over="threshold")


@line(unit="text", label="What decides", source="risk.1")
def worst_label(overall_level, worst_row, threshold_label):
    """The most important constraint."""
    return where(
        overall_level > 0, pick(threshold_label, worst_row, over="threshold"), say("nothing beyond its threshold")
    )


def _status(threshold_chip, threshold_name, metric):
    return pick(threshold_chip, position_of(metric, threshold_name, over="threshold"), over="threshold")


@line(unit="text", label="Status of coverage", source="risk.1")
def coverage_chip(threshold_chip, threshold_name):
    """For the Summary."""
    return _status(threshold_chip, threshold_name, "coverage")


@line(unit="text", label="Status of bursts", source="risk.1")
def burst_chip(threshold_level, threshold_name, level_watch, level_risk, level_critical):
    """The worse of guaranteed claims and bursts."""
    level = largest(
        pick(
            threshold_level, position_of("guaranteed_over_buffer", threshold_name, over="threshold"), over="threshold"
        ),
        pick(threshold_level, position_of("bursts_over_buffer", threshold_name, over="threshold"), over="threshold"),
    )
    return chip(level, level_watch, level_risk, level_critical)


@line(unit="text", label="Status of the budget", source="risk.1")
def budget_chip(threshold_chip, threshold_name):
    """For the Summary."""
    return _status(threshold_chip, threshold_name, "budget_use")


@line(unit="text", label="Status of prices", source="risk.1")
def price_chip(threshold_chip, threshold_name):
    """For the Summary."""
    return _status(threshold_chip, threshold_name, "unverified_share")


@line(unit="text", label="Status of the SLA", source="risk.1")
def sla_chip(threshold_level, threshold_name, level_watch, level_risk, level_critical):
    """The worse of latency and availability."""
    level = largest(
        pick(threshold_level, position_of("e2e_over_target", threshold_name, over="threshold"), over="threshold"),
        pick(threshold_level, position_of("availability_gap", threshold_name, over="threshold"), over="threshold"),
    )
    return chip(level, level_watch, level_risk, level_critical)


@line(unit="text", label="Status of the evidence", source="risk.1")
def evidence_chip(threshold_chip, threshold_name):
    """For the Summary."""
    return _status(threshold_chip, threshold_name, "evidence_gaps")


@line(unit="text", label="Status of the checks", source="risk.1")
def checks_chip(threshold_chip, threshold_name):
    """For the Summary."""
    return _status(threshold_chip, threshold_name, "checks_failed")


@line(unit="choice", label="Confidence", source="risk.2", headline=True)
def confidence(threshold_level, threshold_name, level_watch, level_risk):
    """high, medium or low, by how many kinds of evidence are missing."""
    level = pick(threshold_level, position_of("evidence_gaps", threshold_name, over="threshold"), over="threshold")
    return where(level >= level_risk, "low", where(level >= level_watch, "medium", "high"))


@line(unit="text", label="Confidence", source="risk.2")
def confidence_words(confidence):
    """In words."""
    return where(same(confidence, "low"), say("low"), where(same(confidence, "medium"), say("medium"), say("high")))


def _of_coverage(limits, names):
    limit = pick(limits, position_of("coverage", names, over="threshold"), over="threshold")
    return where(known(limit), limit, not_applicable())


@line(unit="share", label="Coverage that is watched", source="risk.1")
def coverage_watch(threshold_watch, threshold_name):
    """From Thresholds."""
    return _of_coverage(threshold_watch, threshold_name)


@line(unit="share", label="Coverage that is a risk", source="risk.1")
def coverage_risk(threshold_risk, threshold_name):
    """From Thresholds."""
    return _of_coverage(threshold_risk, threshold_name)


@line(unit="share", label="Coverage that is critical", source="risk.1")
def coverage_critical(threshold_critical, threshold_name):
    """From Thresholds."""
    return _of_coverage(threshold_critical, threshold_name)


@line(unit="level", label="Level of the month", source="supply.4")
def month_level(coverage, coverage_watch, coverage_risk, coverage_critical, level_watch, level_risk, level_critical):
    """Coverage of the month against the plan's own thresholds; a blank one is never reached."""
    return largest(
        _reached(coverage, coverage_watch, -1, level_watch),
        _reached(coverage, coverage_risk, -1, level_risk),
        _reached(coverage, coverage_critical, -1, level_critical),
    )


@line(unit="text", label="Status", source="supply.4")
def month_chip(coverage, month_level, level_watch, level_risk, level_critical):
    """In words; nothing where no GPUs are needed or nobody has counted them."""
    return where(known(coverage), chip(month_level, level_watch, level_risk, level_critical), "")
