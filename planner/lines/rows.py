"""Rows of the tables that people fill: how many are used, and how many wait."""

from planner.calc.vocabulary import given, total
from planner.lines.method import line


@line(unit="count", label="Models, rows used", source="check.9")
def models_used(model_used):
    """When no row is left, the next model needs a new build."""
    return total(model_used, over="model")


@line(unit="count", label="Tenants, rows used", source="check.9")
def tenants_used(tenant_used):
    """When no row is left, the next tenant needs a new build."""
    return total(tenant_used, over="tenant")


@line(unit="flag", label="Pool in use", source="check.9")
def pool_used(pool_name):
    """A row without a name is a spare row."""
    return given(pool_name)


@line(unit="count", label="Pools, rows used", source="check.9")
def pools_used(pool_used):
    """When no row is left, the next pool needs a new build."""
    return total(pool_used, over="pool")


@line(unit="count", label="Models, rows left", source="check.9")
def models_room(model_number, models_used):
    """Rows that wait for a model."""
    return total((model_number > 0) * 1, over="model") - models_used


@line(unit="count", label="Tenants, rows left", source="check.9")
def tenants_room(tenant_number, tenants_used):
    """Rows that wait for a tenant."""
    return total((tenant_number > 0) * 1, over="tenant") - tenants_used


@line(unit="count", label="Pools, rows left", source="check.9")
def pools_room(pool_number, pools_used):
    """Rows that wait for a pool."""
    return total((pool_number > 0) * 1, over="pool") - pools_used
