"""Chapter 13, second part: use cases of tiers that need failover. Without a runbook or a test that holds they count."""

from planner.calc.vocabulary import (
    both,
    either,
    fixed,
    join,
    known,
    months_later,
    opposite,
    or_else,
    pick,
    position_of,
    same,
    say,
    total,
    where,
)
from planner.lines.method import portfolio_line as line


@line(unit="flag", label="Needs failover", source="failover.6")
def use_case_critical(use_case_counted, use_case_tier_row, service_tier_failover_needed):
    """It counts in the base, and its tier says `yes` under failover needed."""
    needed = pick(service_tier_failover_needed, use_case_tier_row, over="service_tier")
    return both(use_case_counted, where(use_case_tier_row > 0, same(needed, "yes"), 0))


@line(unit="index", label="Row of its runbook", source="failover.6")
def use_case_runbook_row(use_case_critical, use_case_name, runbook_name, runbook_number):
    """The row on Runbooks with its name; 0: none."""
    return use_case_critical * position_of(use_case_name, runbook_name, over="runbook", numbers=runbook_number)


@line(unit="flag", label="No runbook", source="failover.6")
def use_case_unbooked(use_case_critical, use_case_runbook_row):
    """Nobody has written how it fails over."""
    return both(use_case_critical, opposite(use_case_runbook_row > 0))


@line(unit="flag", label="Test holds", source="failover.6")
def use_case_tested(use_case_last_failover_test, test_months, reckoned_from, use_case_runbook_row, runbook_tested):
    """Its own last failover test, or that of its runbook, is not longer ago than a test is good for."""
    fresh = months_later(or_else(use_case_last_failover_test, reckoned_from), test_months) >= reckoned_from
    by_runbook = where(use_case_runbook_row > 0, pick(runbook_tested, use_case_runbook_row, over="runbook"), 0)
    return either(both(known(use_case_last_failover_test), fresh), by_runbook)


@line(unit="flag", label="Untested", source="failover.6")
def use_case_untested(use_case_critical, use_case_tested):
    """It needs failover, and no test of it holds."""
    return both(use_case_critical, opposite(use_case_tested))


@line(unit="flag", label="Not ready", source="failover.6")
def use_case_unready(use_case_unbooked, use_case_untested, use_case_runbook_row, runbook_unready):
    """No runbook or no test; one whose runbook counts as not ready already is not counted twice."""
    counted = where(use_case_runbook_row > 0, pick(runbook_unready, use_case_runbook_row, over="runbook"), 0)
    return both(either(use_case_unbooked, use_case_untested), opposite(counted))


@line(unit="count", label="Use cases that need failover", source="failover.7")
def cases_critical(use_case_critical):
    """How many."""
    return total(use_case_critical, over="use_case")


@line(unit="count", label="Use cases without a runbook", source="failover.7")
def cases_unbooked(use_case_unbooked):
    """Of those that need failover."""
    return total(use_case_unbooked, over="use_case")


@line(unit="count", label="Use cases without a test that holds", source="failover.7")
def cases_untested(use_case_untested):
    """Of those that need failover."""
    return total(use_case_untested, over="use_case")


@line(unit="count", label="Use cases not ready", source="failover.7")
def cases_unready(use_case_unready):
    """Beside the services that Runbooks already shows as not ready."""
    return total(use_case_unready, over="use_case")


@line(unit="text", label="Its service", source="failover.8")
def runbook_note(runbook_used, runbook_name, use_case_name, use_case_number, service_tier_name, service_tier_number):
    """A runbook whose service stands neither on Ledger nor on Tiers protects nothing that the plan knows."""
    case = position_of(runbook_name, use_case_name, over="use_case", numbers=use_case_number)
    tier = position_of(runbook_name, service_tier_name, over="service_tier", numbers=service_tier_number)
    found = where(either(case > 0, tier > 0), say("○ found"), say("◊ no use case or tier of this name"))
    return where(runbook_used, found, "")


@line(unit="sentence", label="Failover of use cases", source="failover.8")
def cases_said(cases_critical, cases_unbooked, cases_untested):
    """What Ledger and Tiers say of failover."""
    words = join(
        "Of ", fixed(cases_critical, 0), " use case(s) whose tier needs failover, ", fixed(cases_unbooked, 0),
        " have no runbook and ", fixed(cases_untested, 0), " no test that holds.",
    )  # fmt: skip
    return where(cases_critical > 0, words, say("No use case is of a tier that needs failover."))
