"""Chapter 4, second part: who may use how much, what a burst may claim, and what happens to unused quota."""

from planner.calc.vocabulary import (
    given,
    known,
    largest,
    opposite,
    or_else,
    pick,
    ratio,
    same,
    smallest,
    total,
    where,
    withheld,
)
from planner.lines.method import line


@line(unit="flag", label="In use", source="quota.1")
def tenant_used(tenant_name):
    """A row without a name is a spare row."""
    return given(tenant_name)


@line(unit="share", label="Quota share", source="quota.1")
def tenant_share(tenant_used, tenant_quota_share):
    """The tenant's part of all tokens."""
    return tenant_used * or_else(tenant_quota_share, 0)


@line(unit="factor", label="Burst multiple", source="quota.1")
def tenant_multiple(tenant_burst_multiple):
    """Empty means no burst."""
    return or_else(tenant_burst_multiple, 1)


@line(unit="share", label="Committed", source="quota.3", headline=False)
def claims_committed(tenant_share):
    """All quotas as a multiple of planned demand: must be 1."""
    return total(tenant_share, over="tenant")


@line(unit="share", label="Guaranteed claim", source="quota.3")
def tenant_guaranteed(tenant_share, tenant_multiple, tenant_fallback):
    """A guaranteed tenant may claim its burst whatever the others do."""
    return tenant_share * where(same(tenant_fallback, "guaranteed"), tenant_multiple, 1)


@line(unit="share", label="Burst claim", source="quota.3")
def tenant_burst(tenant_share, tenant_multiple):
    """What the tenant may claim at most."""
    return tenant_share * tenant_multiple


@line(unit="share", label="Guaranteed", source="quota.3")
def claims_guaranteed(tenant_guaranteed):
    """What cannot be refused, as a multiple of planned demand."""
    return total(tenant_guaranteed, over="tenant")


@line(unit="share", label="All bursts at once", source="quota.3", headline=True)
def burst_total_share(tenant_burst):
    """What every tenant together may claim, as a multiple of planned demand."""
    return total(tenant_burst, over="tenant")


@line(unit="share", label="Guaranteed above the buffer", source="quota.3")
def guaranteed_over_buffer(claims_guaranteed, buffer_factor):
    """Above zero, planned capacity cannot carry what was guaranteed."""
    return largest(0, claims_guaranteed - buffer_factor)


@line(unit="share", label="Bursts above the buffer", source="quota.3")
def bursts_over_buffer(burst_total_share, buffer_factor):
    """Above zero, bursts cannot all be served at once."""
    return largest(0, burst_total_share - buffer_factor)


@line(unit="token", label="Quota, first year", source="quota.1")
def tenant_quota_year(tenant_share, annual_tokens):
    """The tenant's tokens in the first year, before a late start."""
    return tenant_share * annual_tokens


@line(unit="token", label="All quotas, first year", source="quota.1", headline=True)
def quota_total(tenant_quota_year):
    """What is promised to tenants in the first year."""
    return total(tenant_quota_year, over="tenant")


# ---- the month


@line(unit="factor", label="Part of the month", source="quota.2")
def tenant_part(tenant_start_date, month_start, month_end):
    """A start within a month is pro-rated by its days; before it there is nothing."""
    part = (month_end - tenant_start_date) / (month_end - month_start)
    started = where(tenant_start_date >= month_end, 0, where(tenant_start_date > month_start, part, 1))
    return where(known(tenant_start_date), started, 1)


@line(unit="token/month", label="Quota", source="quota.2")
def tenant_quota(
    tenant_share, annual_tokens, months_per_year, growth_level, month_share, quota_basis, tenant_part, in_horizon
):
    """A twelfth of the year whatever the month's length, or as demand falls; both add up to the year."""
    equal = annual_tokens / months_per_year * growth_level * in_horizon
    follows = annual_tokens * month_share
    return where(same(quota_basis, "curve"), follows, equal) * tenant_share * tenant_part


@line(unit="token/month", label="Expected use", source="quota.2")
def tenant_use(monthly_tokens, tenant_share, tenant_part, ledger_basis, ledger_tenant_tokens):
    """The tenant's part of demand: what it will ask for if it uses what it was given, or what its use cases ask for."""
    return where(ledger_basis, ledger_tenant_tokens, monthly_tokens * tenant_share * tenant_part)


@line(unit="flag", label="Unused quota is carried", source="quota.4")
def carry_keeps(unused_policy, contract_resets):
    """Only the roll-over policy carries, and never into a new contract year."""
    return where(same(unused_policy, "roll_over"), opposite(contract_resets), 0)


@line(unit="token/month", label="Carried, 3 months old", source="quota.4")
def carried_3(carried_out_3_before, carry_keeps):
    """Oldest tokens are used first."""
    return carried_out_3_before * carry_keeps


@line(unit="token/month", label="Carried, 2 months old", source="quota.4")
def carried_2(carried_out_2_before, carry_keeps):
    """Carried twice."""
    return carried_out_2_before * carry_keeps


@line(unit="token/month", label="Carried, 1 month old", source="quota.4")
def carried_1(carried_out_1_before, carry_keeps):
    """Carried once."""
    return carried_out_1_before * carry_keeps


@line(unit="token/month", label="Left of 3 months old", source="quota.4")
def left_3(carried_3, tenant_use):
    """What use leaves of the oldest."""
    return largest(0, carried_3 - tenant_use)


@line(unit="token/month", label="Left of 2 months old", source="quota.4")
def left_2(carried_3, carried_2, tenant_use):
    """What use leaves after the older ones."""
    return largest(0, carried_2 - largest(0, tenant_use - carried_3))


@line(unit="token/month", label="Left of 1 month old", source="quota.4")
def left_1(carried_3, carried_2, carried_1, tenant_use):
    """What use leaves after the older ones."""
    return largest(0, carried_1 - largest(0, tenant_use - (carried_3 + carried_2)))


@line(unit="token/month", label="Left of this month's quota", source="quota.4")
def left_0(carried_3, carried_2, carried_1, tenant_quota, tenant_use):
    """Carried tokens go first, this month's quota last."""
    return largest(0, tenant_quota - largest(0, tenant_use - (carried_3 + carried_2 + carried_1)))


@line(unit="token/month", label="Most that is carried out", source="quota.4")
def carry_cap(tenant_quota, roll_over_cap_share, unused_policy):
    """The cap, as a share of the month's quota."""
    return where(same(unused_policy, "roll_over"), roll_over_cap_share * tenant_quota, 0)


@line(unit="token/month", label="Carried out, fresh", source="quota.4")
def carried_out_1(left_0, carry_cap, roll_over_expiry_months):
    """This month's rest comes first under the cap: when it binds, the oldest go."""
    return smallest(where(roll_over_expiry_months >= 1, left_0, 0), carry_cap)


@line(unit="token/month", label="Carried out, 1 month old", source="quota.4")
def carried_out_2(left_1, carry_cap, carried_out_1, roll_over_expiry_months):
    """Kept a second month where the expiry allows."""
    return smallest(where(roll_over_expiry_months > 1, left_1, 0), carry_cap - carried_out_1)


@line(unit="token/month", label="Carried out, older", source="quota.4")
def carried_out_3(left_2, left_3, carry_cap, carried_out_1, carried_out_2, roll_over_expiry_months):
    """Kept for ever where tokens never expire."""
    never = where(roll_over_expiry_months > 2, left_2 + left_3, 0)
    return smallest(never, carry_cap - carried_out_1 - carried_out_2)


@line(unit="token/month", label="Carried in", source="quota.4")
def carried_in(carried_1, carried_2, carried_3):
    """All ages together."""
    return carried_3 + carried_2 + carried_1


@line(unit="token/month", label="Available", source="quota.4")
def quota_available(tenant_quota, carried_in):
    """Quota and what was carried in."""
    return tenant_quota + carried_in


@line(unit="token/month", label="Used within", source="quota.4")
def used_within(tenant_use, quota_available):
    """Use that the quota covers."""
    return smallest(tenant_use, quota_available)


@line(unit="token/month", label="Used as burst", source="quota.4")
def used_burst(tenant_use, used_within, tenant_quota, tenant_multiple):
    """Room on top of the quota, not of what was carried."""
    return smallest(tenant_use - used_within, largest(0, tenant_quota * tenant_multiple - tenant_quota))


@line(unit="token/month", label="Rejected", source="quota.4")
def use_rejected(tenant_use, used_within, used_burst, tenant_fallback):
    """Beyond the burst, where the fallback refuses."""
    return where(same(tenant_fallback, "reject"), tenant_use - used_within - used_burst, 0)


@line(unit="token/month", label="Best effort", source="quota.4")
def use_best_effort(tenant_use, used_within, used_burst, use_rejected):
    """Beyond the burst, served if there is room."""
    return tenant_use - used_within - used_burst - use_rejected


@line(unit="token/month", label="Unused", source="quota.4")
def quota_unused(quota_available, used_within):
    """What is left at the end of the month."""
    return quota_available - used_within


@line(unit="token/month", label="Carried out", source="quota.4")
def carried_out(carried_out_1, carried_out_2, carried_out_3):
    """What the next month may still use."""
    return carried_out_1 + carried_out_2 + carried_out_3


@line(unit="token/month", label="Refunded", source="quota.4")
def quota_refunded(quota_unused, unused_policy):
    """Under the refund policy."""
    return where(same(unused_policy, "refund"), quota_unused, 0)


@line(unit="token/month", label="Lost at the contract's reset", source="quota.4")
def reset_loss(carried_out_before, carried_in):
    """Carried tokens that a new contract year does not take over."""
    return carried_out_before - carried_in


@line(unit="token/month", label="Forfeited", source="quota.4")
def quota_forfeited(quota_unused, carried_out, quota_refunded, reset_loss):
    """Unused and neither carried nor refunded, the reset's loss included."""
    return quota_unused - carried_out - quota_refunded + reset_loss


@line(unit="money/month", label="Overage charge", source="quota.5")
def overage_charge(used_burst, use_best_effort, overage_rate_per_mtok, tokens_per_mtok):
    """Burst and best effort at the overage rate."""
    charge = (used_burst + use_best_effort) * overage_rate_per_mtok / tokens_per_mtok
    return where(known(overage_rate_per_mtok), charge, withheld("no overage rate entered"))


@line(unit="money/month", label="Refund", source="quota.5")
def refund_money(quota_refunded, refund_rate_per_mtok, tokens_per_mtok):
    """Refunded tokens at the refund rate."""
    return quota_refunded * refund_rate_per_mtok / tokens_per_mtok


# ---- the tenant at a glance


@line(unit="token/month", label="Committed a month (mean)", source="quota.2")
def tenant_committed(tenant_share, committed_tokens_per_month):
    """The mean month."""
    return tenant_share * committed_tokens_per_month


@line(unit="token/month", label="Burst cap a month (mean)", source="quota.2")
def tenant_burst_cap(tenant_committed, tenant_multiple):
    """Quota x burst multiple."""
    return tenant_committed * tenant_multiple


@line(unit="token/h", label="Asked at the peak hour", source="quota.2")
def tenant_peak_hour(tenant_share, peak_hourly_tokens):
    """The tenant's part of the busiest hour."""
    return tenant_share * peak_hourly_tokens


@line(unit="token/h", label="Burst cap at the peak hour", source="quota.2")
def tenant_peak_cap(tenant_quota, tenant_multiple, peak_month, peak_hourly_tokens, peak_month_tokens):
    """The month's quota with its burst, shaped like the busiest hour."""
    return (
        pick(tenant_quota, peak_month, over="month") * tenant_multiple * ratio(peak_hourly_tokens, peak_month_tokens, 0)
    )


@line(unit="token/h", label="Rejected at the peak hour", source="quota.2")
def tenant_peak_rejected(tenant_peak_hour, tenant_peak_cap, tenant_fallback):
    """What the fallback refuses in the busiest hour."""
    return where(same(tenant_fallback, "reject"), largest(0, tenant_peak_hour - tenant_peak_cap), 0)


@line(unit="token/month", label="Quotas", source="quota.2")
def quota_by_month(tenant_quota):
    """All tenants."""
    return total(tenant_quota, over="tenant")


@line(unit="token/month", label="Rejected", source="quota.4")
def rejected_by_month(use_rejected):
    """Demand that no quota covers and no fallback serves."""
    return total(use_rejected, over="tenant")


@line(unit="token", label="Quota over the first year", source="quota.2")
def tenant_quota_sum(tenant_quota, plan_year):
    """The months added up: must be the year's quota unless a tenant starts late or the horizon is short."""
    return total(tenant_quota, over="month", by=plan_year, equals=1)


@line(unit="token", label="Rejected over the horizon", source="quota.4")
def tenant_rejected_sum(use_rejected):
    """How much a tenant will be refused."""
    return total(use_rejected, over="month")


@line(unit="token", label="Forfeited over the horizon", source="quota.4")
def tenant_forfeited_sum(quota_forfeited):
    """How much a tenant pays for and loses."""
    return total(quota_forfeited, over="month")


@line(unit="token/month", label="Burst room, contract", source="sla.12")
def contract_burst(committed_tokens_per_month, burst_share):
    """Contract level: committed tokens and so much on top."""
    return committed_tokens_per_month * (1 + burst_share)
