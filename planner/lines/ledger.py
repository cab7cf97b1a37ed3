"""Chapter 7, first part: the demand ledger. Use cases become tokens by month, and what shapes their peaks."""

from planner.calc.vocabulary import (
    both,
    either,
    exp,
    given,
    in_unit,
    known,
    opposite,
    or_else,
    pick,
    position_of,
    ratio,
    same,
    smallest,
    where,
)
from planner.lines.method import portfolio_line as line

# ---- which rows count, and what they point to


@line(unit="flag", label="Demand from the ledger", source="demand.1")
def ledger_basis(demand_basis):
    """The main chain takes its tokens from use cases, or from the annual target."""
    return same(demand_basis, "ledger")


@line(unit="flag", label="In use", source="ledger.1")
def use_case_used(use_case_name):
    """A row without a name is a spare row."""
    return given(use_case_name)


@line(unit="index", label="Row of its model", source="ledger.1")
def use_case_model_row(use_case_used, use_case_model, model_name, model_number):
    """Where its model stands on Models; 0 when nowhere."""
    return use_case_used * position_of(use_case_model, model_name, over="model", numbers=model_number)


@line(unit="index", label="Row of its tier", source="ledger.1")
def use_case_tier_row(use_case_used, use_case_service_tier, service_tier_name, service_tier_number):
    """Where its tier stands on Tiers; 0 when nowhere."""
    found = position_of(use_case_service_tier, service_tier_name, over="service_tier", numbers=service_tier_number)
    return use_case_used * found


@line(unit="index", label="Row of its tenant", source="ledger.1")
def use_case_tenant_row(use_case_used, use_case_tenant, tenant_name, tenant_number):
    """Where its tenant stands on Tenants; 0 when nowhere."""
    return use_case_used * position_of(use_case_tenant, tenant_name, over="tenant", numbers=tenant_number)


@line(unit="index", label="Row of its region", source="ledger.1")
def use_case_region_row(use_case_used, use_case_region, region_name, region_number):
    """Where its region stands on Regions; 0 when nowhere."""
    return use_case_used * position_of(use_case_region, region_name, over="region", numbers=region_number)


@line(unit="flag", label="Counts in the base", source="ledger.1")
def use_case_counted(use_case_used, use_case_approval):
    """What is in production or approved; the rest waits for its approval."""
    return both(use_case_used, either(same(use_case_approval, "production"), same(use_case_approval, "approved")))


@line(unit="flag", label="Proposed", source="ledger.1")
def use_case_proposed(use_case_used, use_case_approval):
    """Counts only in scenarios that take proposals in; an empty approval is a proposal."""
    return both(use_case_used, either(same(use_case_approval, "proposed"), opposite(given(use_case_approval))))


@line(unit="flag", label="Points nowhere", source="ledger.1")
def use_case_lost(use_case_used, use_case_model_row, use_case_tier_row, use_case_tenant_row, use_case_region_row):
    """A model, tier, tenant or region that stands on no row would lose its tokens on the way."""
    found = both(use_case_model_row > 0, use_case_tier_row > 0, use_case_tenant_row > 0, use_case_region_row > 0)
    return both(use_case_used, opposite(found))


# ---- a month at full adoption


@line(unit="transaction/month", label="Transactions at full adoption", source="ledger.2")
def use_case_tasks(use_case_users, use_case_transactions_per_user):
    """Users x transactions of each; how many calls one takes depends on where it is routed."""
    return or_else(use_case_users, 0) * or_else(use_case_transactions_per_user, 0)


@line(unit="request/transaction", label="Calls per transaction, own model", source="ledger.2")
def use_case_calls(use_case_requests_per_transaction):
    """Model calls of one transaction that no route takes; empty is none."""
    return or_else(use_case_requests_per_transaction, 0)


@line(unit="share", label="Retry rate, own model", source="ledger.2")
def use_case_retries(use_case_retry_rate):
    """Repeated calls on top; empty is none."""
    return or_else(use_case_retry_rate, 0)


# ---- adoption


@line(unit="index", label="Adoption starts", source="ledger.3")
def use_case_first(use_case_adoption_start):
    """Month of the plan; empty is its first."""
    return or_else(use_case_adoption_start, 1)


@line(unit="index", label="Months of adoption", source="ledger.3")
def use_case_span(use_case_first, use_case_adoption_end):
    """From the first to the last month of adoption; an empty end is at once."""
    last = or_else(use_case_adoption_end, use_case_first)
    return where(last > use_case_first, last - use_case_first + 1, 1)


@line(unit="share", label="Adopted at first", source="ledger.3")
def use_case_at_first(use_case_adoption_from):
    """What is adopted already before the first month of adoption."""
    return or_else(use_case_adoption_from, 0)


@line(unit="share", label="Adopted in full", source="ledger.3")
def use_case_at_last(use_case_adoption_to):
    """What is adopted after the last month of adoption; empty is everybody."""
    return or_else(use_case_adoption_to, 1)


@line(unit="share", label="Adopted on top", source="ledger.3")
def use_case_climb(use_case_at_first, use_case_at_last):
    """From the first share to the full one; negative where a use case fades."""
    return use_case_at_last - use_case_at_first


@line(unit="flag", label="Logistic", source="ledger.3")
def use_case_logistic(use_case_adoption_shape):
    """A true S, scaled so that it reaches exactly the full share."""
    return same(use_case_adoption_shape, "logistic")


@line(unit="share", label="Logistic at its start", source="ledger.3")
def logistic_low(adoption_steepness, adoption_midpoint):
    """What is subtracted, so that the curve starts at nothing."""
    return 1 / (1 + exp(adoption_steepness * adoption_midpoint))


@line(unit="share", label="Logistic from start to end", source="ledger.3")
def logistic_reach(adoption_steepness, adoption_midpoint, logistic_low):
    """What it is divided by, so that the curve ends at the full share."""
    return 1 / (1 + exp(0 - adoption_steepness * (1 - adoption_midpoint))) - logistic_low


@line(unit="share", label="Shape, constant", source="ledger.3")
def use_case_shape_0(
    use_case_adoption_shape, use_case_at_first, use_case_climb, use_case_logistic, logistic_low, logistic_reach
):
    """Shapes are polynomials of the elapsed part x: at once is 1 whatever x; a logistic one starts at nothing."""
    bent = where(use_case_logistic, 0 - logistic_low / logistic_reach, 0)
    return use_case_at_first + use_case_climb * where(same(use_case_adoption_shape, "step"), 1, bent)


@line(unit="share", label="Shape, × x", source="ledger.3")
def use_case_shape_1(use_case_adoption_shape, use_case_climb):
    """Linear is x; fast first is 1 - (1 - x)², so 2x - x²; an empty shape is linear."""
    linear = either(same(use_case_adoption_shape, "linear"), opposite(given(use_case_adoption_shape)))
    return use_case_climb * where(linear, 1, where(same(use_case_adoption_shape, "fast"), 2, 0))


@line(unit="share", label="Shape, × x²", source="ledger.3")
def use_case_shape_2(use_case_adoption_shape, use_case_climb):
    """Slow first is x²; smooth is x²(3 - 2x)."""
    slow = where(either(same(use_case_adoption_shape, "slow"), same(use_case_adoption_shape, "smooth")), 1, 0)
    smooth = where(same(use_case_adoption_shape, "smooth"), 2, 0)
    return use_case_climb * (slow + smooth - where(same(use_case_adoption_shape, "fast"), 1, 0))


@line(unit="share", label="Shape, × x³", source="ledger.3")
def use_case_shape_3(use_case_adoption_shape, use_case_climb):
    """Only the smooth shape has it."""
    return 0 - use_case_climb * where(same(use_case_adoption_shape, "smooth"), 2, 0)


@line(unit="share", label="Shape, × S", source="ledger.3")
def use_case_shape_s(use_case_logistic, use_case_climb, logistic_reach):
    """Only the logistic shape has it."""
    return where(use_case_logistic, use_case_climb / logistic_reach, 0)


@line(unit="share", label="Adopted", source="ledger.3")
def use_case_adoption(
    use_case_first, use_case_span, use_case_shape_0, use_case_shape_1, use_case_shape_2, use_case_shape_3,
    use_case_shape_s, adoption_steepness, adoption_midpoint, month_number,
):  # fmt: skip
    """Nothing before the start; the start month is already one step on; then along its shape to the full share."""
    now = in_unit(month_number, "index")
    x = smallest(1, (now - use_case_first + 1) / use_case_span)
    bent = use_case_shape_0 + x * (use_case_shape_1 + x * (use_case_shape_2 + x * use_case_shape_3))
    true_s = use_case_shape_s / (1 + exp(adoption_steepness * (adoption_midpoint - x)))
    return where(now < use_case_first, 0, bent + true_s)


# ---- what a request of a use case brings with it


@line(unit="month/day", label="Part of the month in a working day", source="ledger.4")
def use_case_day_part(use_case_operating_days, days_per_basis_month):
    """A use case that works on 22 days has its month in 22 days."""
    return 1 / or_else(use_case_operating_days, days_per_basis_month)


@line(unit="factor", label="Busiest hour", source="ledger.4")
def use_case_peak(use_case_peak_factor):
    """Against the mean one; empty is a use case without peaks."""
    return or_else(use_case_peak_factor, 1)


@line(unit="month/s", label="Part of the month in its busiest second", source="ledger.4")
def use_case_peak_part(use_case_day_part, use_case_operating_hours, hours_per_day, seconds_per_hour, use_case_peak):
    """Operating days and hours, and the busiest hour against the mean one."""
    mean = use_case_day_part / or_else(use_case_operating_hours, hours_per_day) / seconds_per_hour
    return mean * use_case_peak


@line(unit="index", label="Row of its SLA tier", source="ledger.4")
def service_tier_sla_row(service_tier_sla_tier, tier_name, tier_number):
    """Where the service tier's SLA stands; 0 when nowhere."""
    return position_of(service_tier_sla_tier, tier_name, over="tier", numbers=tier_number)


@line(unit="s", label="End-to-end target", source="ledger.4")
def service_tier_e2e(service_tier_sla_row, tier_e2e_s):
    """The response time that its SLA tier promises; without one, none."""
    return where(service_tier_sla_row > 0, or_else(pick(tier_e2e_s, service_tier_sla_row, over="tier"), 0), 0)


@line(unit="s", label="Response time", source="ledger.4")
def use_case_stay(use_case_e2e_s, use_case_tier_row, service_tier_e2e):
    """How long a request stays; empty is the target of its service tier."""
    promised = where(use_case_tier_row > 0, pick(service_tier_e2e, use_case_tier_row, over="service_tier"), 0)
    return or_else(use_case_e2e_s, promised)


@line(unit="month", label="Requests at once for each request a month", source="ledger.4")
def use_case_held_each(
    use_case_concurrency, use_case_tasks, use_case_calls, use_case_retries, use_case_peak_part, use_case_stay
):
    """Arrivals in the busiest second x stay; a typed concurrency wins, spread over the requests of its own model."""
    asked = use_case_tasks * use_case_calls * (1 + use_case_retries)
    typed = ratio(or_else(use_case_concurrency, 0), asked, 0)
    return where(known(use_case_concurrency), typed, use_case_peak_part * use_case_stay)
