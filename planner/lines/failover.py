"""Chapter 13, first part: runbooks of critical services, and supply that is untested or concentrated."""

from planner.calc.vocabulary import (
    as_text,
    both,
    fixed,
    given,
    join,
    known,
    months_later,
    opposite,
    or_else,
    ratio,
    same,
    say,
    total,
    where,
)
from planner.lines.method import line


@line(unit="flag", label="In use", source="failover.1")
def runbook_used(runbook_name):
    """A row without a service is a spare row."""
    return given(runbook_name)


@line(unit="flag", label="Tier 1", source="failover.1")
def runbook_critical(runbook_used, runbook_service_tier):
    """A service whose tier nobody has typed counts as critical."""
    return both(runbook_used, or_else(runbook_service_tier, 1) <= 1)


@line(unit="count", label="Fields that are empty", source="failover.1")
def runbook_gaps(
    runbook_used, runbook_trigger, runbook_executive, runbook_alternate, runbook_reductions, runbook_communication,
    runbook_validation,
):  # fmt: skip
    """Of trigger, executive, alternate, reductions, communication and validation."""
    empty = (
        opposite(given(runbook_trigger))
        + opposite(given(runbook_executive))
        + opposite(given(runbook_alternate))
        + opposite(given(runbook_reductions))
        + opposite(given(runbook_communication))
        + opposite(given(runbook_validation))
    )
    return where(runbook_used, empty, 0)


@line(unit="flag", label="Test holds", source="failover.2")
def runbook_tested(runbook_used, runbook_last_test, test_months, reckoned_from):
    """Tested, and not longer ago than a test is good for."""
    fresh = months_later(or_else(runbook_last_test, reckoned_from), test_months) >= reckoned_from
    return both(runbook_used, known(runbook_last_test), fresh)


@line(unit="flag", label="Untested", source="failover.2")
def runbook_untested(runbook_critical, runbook_tested):
    """A tier 1 service without a test that holds."""
    return both(runbook_critical, same(runbook_tested, 0))


@line(unit="flag", label="Alternate at the same provider", source="failover.3")
def runbook_same_provider(runbook_critical, runbook_provider, runbook_alternate_provider):
    """One failure takes both."""
    return both(runbook_critical, given(runbook_provider), same(runbook_alternate_provider, runbook_provider))


@line(unit="count", label="Tier 1 services at the provider", source="failover.3")
def runbook_provider_count(runbook_critical, runbook_provider):
    """With this one."""
    return total(runbook_critical, over="runbook", by=runbook_provider, equals=runbook_provider)


@line(unit="count", label="Tier 1 services", source="failover.3")
def services_critical(runbook_critical):
    """With a row on Runbooks."""
    return total(runbook_critical, over="runbook")


@line(unit="flag", label="Concentrated", source="failover.3")
def runbook_concentrated(
    runbook_critical, runbook_provider, runbook_provider_count, services_critical, concentration_limit,
    runbook_same_provider,
):  # fmt: skip
    """Several tier 1 services, most of them at this provider; or an alternate at the same one."""
    many = both(
        services_critical > 1,
        given(runbook_provider),
        ratio(runbook_provider_count, services_critical, 0) > concentration_limit,
    )
    return where(runbook_critical, where(runbook_same_provider, 1, many), 0)


@line(unit="text", label="Verdict", source="failover.4")
def runbook_verdict(runbook_used, runbook_critical, runbook_gaps, runbook_untested, runbook_concentrated):
    """In words, the first that counts."""
    rest = where(runbook_concentrated, say("◊ concentrated supply"), say("○ ready"))
    tested = where(runbook_untested, say("▲ untested"), rest)
    judged = where(runbook_gaps > 0, say("▲ runbook has gaps"), tested)
    return where(runbook_used, where(runbook_critical, judged, say("not tier 1")), "")


@line(unit="flag", label="Not ready", source="failover.4")
def runbook_unready(runbook_critical, runbook_gaps, runbook_untested):
    """Gaps in the runbook, or no test that holds."""
    return both(runbook_critical, where(runbook_gaps > 0, 1, runbook_untested) > 0)


@line(unit="count", label="Services not ready", source="failover.4")
def services_unready(runbook_unready):
    """Tier 1 services that could not fail over by the book."""
    return total(runbook_unready, over="runbook")


@line(unit="count", label="Services and use cases not ready", source="failover.4")
def failovers_unready(services_unready, ledger_there, cases_unready):
    """What Runbooks shows, and in a plan with a ledger the use cases that it does not show."""
    return where(ledger_there, services_unready + cases_unready, services_unready)


@line(unit="count", label="Services on concentrated supply", source="failover.4")
def services_concentrated(runbook_concentrated):
    """How many."""
    return total(runbook_concentrated, over="runbook")


@line(unit="sentence", label="Failover", source="failover.5")
def failover_said(services_critical, services_unready, services_concentrated, paths_untested, ledger_there, cases_said):
    """The answer to: where is supply untested or concentrated?"""
    words = join(
        fixed(services_unready, 0), " of ", fixed(services_critical, 0),
        " tier 1 service(s) are not ready to fail over; ",
        fixed(services_concentrated, 0), " stand on concentrated supply; ", fixed(paths_untested, 0),
        " fallback path(s) were never tested.",
    )  # fmt: skip
    said = where(services_critical > 0, words, say("No tier 1 service has a runbook on Runbooks."))
    return join(said, where(ledger_there, join(" ", as_text(cases_said)), ""))
