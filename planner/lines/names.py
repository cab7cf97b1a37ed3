"""Names that others look up, in plans with a ledger: each once, and scenarios that lose what exists."""

from planner.calc.vocabulary import both, either, given, opposite, position_of, same, total
from planner.lines.method import portfolio_line as line


def _twice(used, name, number, axis):
    """The rows of equal names add up when they are looked up: another row than its own is found."""
    return both(used, opposite(same(position_of(name, name, over=axis, numbers=number), number)))


@line(unit="flag", label="Name on two rows", source="names.1")
def use_case_twice(use_case_used, use_case_name, use_case_number):
    """Routes, ranges and runbooks name use cases."""
    return _twice(use_case_used, use_case_name, use_case_number, "use_case")


@line(unit="flag", label="Name on two rows", source="names.1")
def model_twice(model_used, model_name, model_number):
    """Use cases and routes name models."""
    return _twice(model_used, model_name, model_number, "model")


@line(unit="flag", label="Name on two rows", source="names.1")
def service_tier_twice(service_tier_name, service_tier_number):
    """Use cases name tiers."""
    return _twice(given(service_tier_name), service_tier_name, service_tier_number, "service_tier")


@line(unit="flag", label="Name on two rows", source="names.1")
def region_twice(region_name, region_number):
    """Use cases and pools name regions."""
    return _twice(given(region_name), region_name, region_number, "region")


@line(unit="flag", label="Name on two rows", source="names.1")
def scenario_twice(scenario_used, scenario_name, scenario_number):
    """The plan names the one that is shown."""
    return _twice(scenario_used, scenario_name, scenario_number, "scenario")


@line(unit="count", label="Use cases on two rows", source="names.1")
def use_cases_twice(use_case_twice):
    """Must be none."""
    return total(use_case_twice, over="use_case")


@line(unit="count", label="Models on two rows", source="names.1")
def models_twice(model_twice):
    """Must be none."""
    return total(model_twice, over="model")


@line(unit="count", label="Tiers on two rows", source="names.1")
def service_tiers_twice(service_tier_twice):
    """Must be none."""
    return total(service_tier_twice, over="service_tier")


@line(unit="count", label="Regions on two rows", source="names.1")
def regions_twice(region_twice):
    """Must be none."""
    return total(region_twice, over="region")


@line(unit="count", label="Scenarios on two rows", source="names.1")
def scenarios_twice(scenario_twice):
    """Must be none."""
    return total(scenario_twice, over="scenario")


@line(unit="count", label="Names on two rows", source="names.1")
def names_twice(use_cases_twice, models_twice, service_tiers_twice, regions_twice, scenarios_twice):
    """Whoever names one of them would reach another row, or none."""
    return use_cases_twice + models_twice + service_tiers_twice + regions_twice + scenarios_twice


@line(unit="flag", label="Loses what is not there", source="names.2")
def scenario_aimless(
    scenario_used, scenario_lost_pool, pool_name, pool_number, scenario_lost_region, region_name, region_number,
    scenario_migrate_from, scenario_migrate_to, scenario_migrates,
):  # fmt: skip
    """A pool, a region or a model of a migration that stands on no row: the scenario would lose nothing unseen."""
    pool = position_of(scenario_lost_pool, pool_name, over="pool", numbers=pool_number)
    region = position_of(scenario_lost_region, region_name, over="region", numbers=region_number)
    no_pool = both(given(scenario_lost_pool), same(pool, 0))
    no_region = both(given(scenario_lost_region), same(region, 0))
    half = both(either(given(scenario_migrate_from), given(scenario_migrate_to)), opposite(scenario_migrates))
    return both(scenario_used, either(no_pool, no_region, half))


@line(unit="count", label="Scenarios that lose what is not there", source="names.2")
def scenarios_aimless(scenario_aimless):
    """Must be none."""
    return total(scenario_aimless, over="scenario")
