"""Tie-outs: the workbook against itself. Each gives 0 or 1 with a tolerance; one master check counts them."""

from planner.calc.vocabulary import (
    absolute,
    both,
    digits,
    in_unit,
    join,
    known,
    opposite,
    or_else,
    position_of,
    same,
    say,
    stack,
    total,
    where,
)
from planner.lines.method import line


@line(unit="flag", label="Contradicts plan", source="check.10")
def model_contradicts(model_used, model_place, deployment_mode):
    """An API row in an on-prem plan, or the other way round."""
    return both(model_used, opposite(same(deployment_mode, "hybrid")), opposite(same(model_place, deployment_mode)))


@line(unit="count", label="Rows that contradict the deployment", source="check.10")
def contradictions(model_contradicts):
    """Must be none."""
    return total(model_contradicts, over="model")


@line(unit="flag", label="Currency and rate disagree", source="check.11")
def rate_missing(currency, usd_to_currency, usd_parity):
    """Reference prices in USD need a rate in another currency, and none but 1 in USD."""
    other = where(known(usd_to_currency), absolute(or_else(usd_to_currency, usd_parity) - usd_parity) > 0, 0)
    return where(same(currency, "USD"), other, opposite(known(usd_to_currency)))


@line(unit="flag", label="Electricity entered twice", source="check.12")
def electricity_twice(electricity_per_month, electricity_price_per_kwh, gpu_ownership):
    """Typed and reckoned at once: the typed sum is used."""
    return both(known(electricity_per_month), known(electricity_price_per_kwh), same(gpu_ownership, "owned"))


@line(unit="month", label="Months shown", source="check.13")
def months_shown(month_number):
    """How many month columns the workbook has."""
    return in_unit(total((month_number > 0) * 1, over="month"), "month")


@line(unit="token/month", label="Used, rejected and best effort", source="check.7")
def use_explained(used_within, used_burst, use_best_effort, use_rejected):
    """Where a tenant's use went."""
    return used_within + used_burst + use_best_effort + use_rejected


@line(unit="token", label="Use explained, tenant", source="check.7")
def use_explained_sum(use_explained):
    """Over the horizon."""
    return total(use_explained, over="month")


@line(unit="token", label="Use, tenant", source="check.7")
def use_sum(tenant_use):
    """Over the horizon."""
    return total(tenant_use, over="month")


@line(unit="token/month", label="Carried, refunded and forfeited", source="check.8")
def unused_explained(carried_out, quota_refunded, quota_forfeited, reset_loss):
    """Where a tenant's unused tokens went."""
    return carried_out + quota_refunded + quota_forfeited - reset_loss


@line(unit="token", label="Unused explained, tenant", source="check.8")
def unused_explained_sum(unused_explained):
    """Over the horizon."""
    return total(unused_explained, over="month")


@line(unit="token", label="Unused, tenant", source="check.8")
def unused_sum(quota_unused):
    """Over the horizon."""
    return total(quota_unused, over="month")


@line(unit="token", label="Quarters together", source="check.2")
def quarters_sum(quarter_tokens):
    """Must be the horizon's tokens."""
    return total(quarter_tokens, over="quarter")


@line(unit="money", label="Models together", source="check.6")
def models_tco(model_tco):
    """What the models cost in the first year, one by one."""
    return total(model_tco, over="model")


@line(unit="money", label="Not by model", source="check.6")
def other_tco(electricity_by_month, plan_year):
    """Electricity of the first year."""
    return total(electricity_by_month, over="month", by=plan_year, equals=1)


@line(unit="money", label="People and network, first year", source="check.6")
def fixed_tco(fixed_by_month, plan_year):
    """What does not move with tokens."""
    return total(fixed_by_month, over="month", by=plan_year, equals=1)


@line(unit="GPU", label="Steps together", source="check.5")
def bridge_sum(step_gpus):
    """Must be the GPUs to plan."""
    return total(step_gpus, over="step")


@line(unit="h", label="Hours in a year of the days basis", source="check.14")
def basis_hours(hours_per_day, days_first_year):
    """Twelve months of the days basis in hours."""
    return days_first_year * hours_per_day


@line(unit="day", label="Days in the first year", source="check.14")
def days_first_year(days_in_month, plan_year):
    """By the days basis; 360 on 30-day months."""
    return total(days_in_month, over="month", by=plan_year, equals=1)


@line(unit="h", label="Hours paid in a year", source="check.14")
def paid_hours(hours_per_month, months_per_year):
    """8,760 at 730 hours a month."""
    return hours_per_month * months_per_year


@line(unit="money", label="Money in the gap, first year", source="check.14")
def hours_gap_money(spend_gpu, paid_hours, basis_hours):
    """GPU cost of the hours that the days basis does not know: a basis, not an error."""
    return spend_gpu * (1 - basis_hours / paid_hours)


@line(unit="flag", label="Year is whole", source="check.1")
def year_whole(first_year_months, months_per_year):
    """A horizon under twelve months holds only a part of the year."""
    return first_year_months >= months_per_year


@line(unit="token", label="Quota of the months", source="check.4")
def quota_months_sum(tenant_quota_sum):
    """All tenants, first year, month by month."""
    return total(tenant_quota_sum, over="tenant")


@line(unit="flag", label="Starts late", source="check.4")
def tenant_late(tenant_start_date, start_month):
    """Then the year's quota is rightly not whole."""
    return where(known(tenant_start_date), tenant_start_date > start_month, 0)


@line(unit="count", label="Tenants that start late", source="check.4")
def tenants_late(tenant_late):
    """How many."""
    return total(tenant_late, over="tenant")


@line(unit="factor", label="This", source="check.0")
def check_this(
    first_year_tokens, phases_sum, quarters_sum, model_share_sum, claims_committed, quota_months_sum, bridge_sum,
    phases_tco, models_tco, other_tco, fixed_tco, use_explained_all, unused_explained_all, contradictions, rate_missing,
    electricity_twice, levers_twice, curve_position, tier_position, horizon_months, paid_hours, models_used,
    tenants_used, pools_used, use_cases_lost, ledger_models_sum, pairs_sum, use_cases_used, tiers_sum,
    base_tokens, base_gpus, base_tco, base_regret, demand_astray, capacity_astray_all, backlog_astray_all, asked_all,
    capacity_all, use_cases_cost, routes_used, routes_lost, use_cases_overrouted, savings_sum,
    names_twice, scenarios_aimless,
    commitments_untyped, orders_astray, need_apart, instruments_used, runbooks_used,
    models_unpriced, models_long_unpriced, ranges_unusable, ranges_apart,
):  # fmt: skip
    """What the check looks at."""
    return stack(
        "check",
        {
            "months_year": first_year_tokens,
            "phases_months": phases_sum,
            "quarters_months": quarters_sum,
            "model_shares": model_share_sum,
            "tenant_shares": claims_committed,
            "quota_year": quota_months_sum,
            "bridge": bridge_sum,
            "cost_phases": phases_tco,
            "cost_models": models_tco + other_tco + fixed_tco,
            "use_explained": use_explained_all,
            "unused_explained": unused_explained_all,
            "deployment": contradictions,
            "rate": rate_missing,
            "electricity": electricity_twice,
            "levers": levers_twice,
            "curve": where(curve_position > 0, 0, 1),
            "tier": where(tier_position > 0, 0, 1),
            "horizon": horizon_months,
            "hours": paid_hours,
            "models_full": models_used,
            "tenants_full": tenants_used,
            "pools_full": pools_used,
            "commitments": commitments_untyped,
            "orders": orders_astray,
            "prices": models_unpriced,
            "long_prices": models_long_unpriced,
            "need_gap": need_apart,
            "supply_full": instruments_used,
            "runbooks_full": runbooks_used,
            "use_cases_placed": use_cases_used - use_cases_lost,
            "ledger_models": ledger_models_sum,
            "ledger_pairs": pairs_sum,
            "tiers_tokens": tiers_sum,
            "ledger_full": use_cases_used,
            "routes_placed": routes_used - routes_lost,
            "routes_share": use_cases_overrouted,
            "names": names_twice,
            "scenarios": scenarios_aimless,
            "routes_full": routes_used,
            "use_case_cost": use_cases_cost,
            "routing_saved": savings_sum,
            "base_tokens": base_tokens,
            "base_gpus": base_gpus,
            "base_cost": base_tco,
            "base_regret": base_regret,
            "short_demand": asked_all + in_unit(demand_astray, "token"),
            "short_capacity": capacity_all + in_unit(capacity_astray_all, "token"),
            "short_backlog": asked_all + in_unit(backlog_astray_all, "token"),
            "ranges_usable": ranges_unusable,
            "ranges_ledger": ranges_apart,
        },
    )


@line(unit="factor", label="That", source="check.0")
def check_that(
    year_whole, annual_tokens, first_year_tokens, horizon_tokens, tenants_used, tenants_late, quota_months_sum,
    quota_total, gpus_planned, horizon_tco, annual_tco, use_all, unused_all, horizon_months, months_shown, basis_hours,
    models_used, models_room, tenants_room, pools_used, pools_room, claims_committed, ledger_year, use_cases_room,
    use_cases_used, asked_all, capacity_all, ledger_basis, model_share_sum, use_cases_cost,
    routes_used, routes_room, savings_sum, saved_money,
    instruments_used, instruments_room, runbooks_used, runbooks_room,
):  # fmt: skip
    """What it must equal."""
    return stack(
        "check",
        {
            "months_year": where(year_whole, annual_tokens, first_year_tokens),
            "phases_months": horizon_tokens,
            "quarters_months": horizon_tokens,
            "model_shares": where(ledger_basis, where(ledger_year > 0, 1, model_share_sum), 1),
            "tenant_shares": where(tenants_used > 0, 1, claims_committed),
            "quota_year": where(both(year_whole, opposite(tenants_late > 0)), quota_total, quota_months_sum),
            "bridge": gpus_planned,
            "cost_phases": horizon_tco,
            "cost_models": annual_tco,
            "use_explained": use_all,
            "unused_explained": unused_all,
            "deployment": 0,
            "rate": 0,
            "electricity": 0,
            "levers": 0,
            "curve": 0,
            "tier": 0,
            "horizon": where(horizon_months > months_shown, months_shown, horizon_months),
            "hours": basis_hours,
            "models_full": where(models_room > 0, models_used, models_used - 1),
            "tenants_full": where(tenants_room > 0, tenants_used, tenants_used - 1),
            "pools_full": where(pools_room > 0, pools_used, pools_used - 1),
            "commitments": 0,
            "orders": 0,
            "prices": 0,
            "long_prices": 0,
            "need_gap": 0,
            "supply_full": where(instruments_room > 0, instruments_used, instruments_used - 1),
            "runbooks_full": where(runbooks_room > 0, runbooks_used, runbooks_used - 1),
            "use_cases_placed": use_cases_used,
            "ledger_models": ledger_year,
            "ledger_pairs": ledger_year,
            "tiers_tokens": horizon_tokens,
            "ledger_full": where(use_cases_room > 0, use_cases_used, use_cases_used - 1),
            "routes_placed": routes_used,
            "routes_share": 0,
            "names": 0,
            "scenarios": 0,
            "routes_full": where(routes_room > 0, routes_used, routes_used - 1),
            "use_case_cost": where(ledger_basis, annual_tco, use_cases_cost),
            "routing_saved": where(ledger_basis, saved_money, savings_sum),
            "base_tokens": horizon_tokens,
            "base_gpus": gpus_planned,
            "base_cost": horizon_tco,
            "base_regret": 0,
            "short_demand": asked_all,
            "short_capacity": capacity_all,
            "short_backlog": asked_all,
            "ranges_usable": 0,
            "ranges_ledger": 0,
        },
    )


@line(unit="factor", label="Difference", source="check.0")
def check_difference(check_this, check_that, check_tolerance):
    """This less that; dust within the tolerance is nothing."""
    apart = check_this - check_that
    return where(absolute(apart) > check_tolerance, apart, 0)


@line(unit="flag", label="State", source="check.0")
def check_state(check_difference):
    """0 holds, 1 fails; a figure that is withheld cannot be compared and says so in its row."""
    return where(known(check_difference), absolute(check_difference) > 0, 0)


@line(unit="count", label="Checks that fail", source="check.0", headline=True)
def checks_failed(check_state):
    """The master check: must be none."""
    return total(check_state, over="check")


@line(unit="count", label="Checks", source="check.0")
def checks_count(check_number):
    """How many there are."""
    return total((check_number > 0) * 1, over="check")


@line(unit="text", label="Checks", source="check.0")
def checks_sentence(checks_failed, checks_count):
    """Stands at the head of every tab."""
    bad = join("■ Checks: ", digits(checks_failed), " of ", digits(checks_count), " fail")
    return where(checks_failed > 0, bad, say("○ Checks: all hold"))


@line(unit="token", label="Use explained", source="check.7")
def use_explained_all(use_explained_sum):
    """All tenants."""
    return total(use_explained_sum, over="tenant")


@line(unit="token", label="Use", source="check.7")
def use_all(use_sum):
    """All tenants."""
    return total(use_sum, over="tenant")


@line(unit="token", label="Unused explained", source="check.8")
def unused_explained_all(unused_explained_sum):
    """All tenants."""
    return total(unused_explained_sum, over="tenant")


@line(unit="token", label="Unused", source="check.8")
def unused_all(unused_sum):
    """All tenants."""
    return total(unused_sum, over="tenant")


@line(unit="index", label="Curve found", source="check.15")
def curve_position(growth_curve, curve_name, curve_number):
    """0 when the chosen curve stands on no row of Curves."""
    return position_of(growth_curve, curve_name, over="curve", numbers=curve_number)


@line(unit="index", label="Tier found", source="check.15")
def tier_position(sla_tier, tier_name, tier_number):
    """0 when the chosen tier stands on no row of SLA tiers."""
    return position_of(sla_tier, tier_name, over="tier", numbers=tier_number)
