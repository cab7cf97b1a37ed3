"""Chapter 7, last part: ranges. Low, expected and high of what nobody knows, on the whole plan or on one use case."""

from planner.calc.vocabulary import (
    absolute,
    both,
    either,
    given,
    in_unit,
    join,
    known,
    largest,
    opposite,
    or_else,
    pick,
    position_of,
    ratio,
    reaches,
    rounded,
    same,
    say,
    show,
    total,
    where,
)
from planner.lines.method import portfolio_line as line

# ---- each driver: what it ranges, and where it starts


@line(unit="flag", label="In use", source="range.1")
def range_used(range_name):
    """A row without a name is a spare row."""
    return given(range_name)


@line(unit="flag", label="Of one use case", source="range.1")
def range_scoped(range_used, range_use_case):
    """A driver that names a use case moves that one alone; the others act on the whole plan."""
    return both(range_used, given(range_use_case))


@line(unit="index", label="Row of its use case", source="range.1")
def range_use_case_row(range_scoped, range_use_case, use_case_name, use_case_number):
    """Where the use case stands on Ledger; 0 for the whole plan, and for one that stands nowhere."""
    return range_scoped * position_of(range_use_case, use_case_name, over="use_case", numbers=use_case_number)


def _field(wanted, which, values, row):
    """A ledger field of the driver's use case, where the driver ranges it; what Ledger leaves open brings nothing."""
    return where(same(wanted, which), in_unit(or_else(pick(values, row, over="use_case"), 0), "factor"), 0)


@line(unit="factor", label="Ledger: users", source="range.1")
def range_own_users(range_ledger_field, range_use_case_row, use_case_users, use_case_transactions_per_user):
    """Users or their transactions, where the driver ranges one of them."""
    which, row = range_ledger_field, range_use_case_row
    tasks = _field(which, "transactions_per_user", use_case_transactions_per_user, row)
    return where(row > 0, _field(which, "users", use_case_users, row) + tasks, 0)


@line(unit="factor", label="Ledger: calls and adoption", source="range.1")
def range_own_calls(range_ledger_field, range_use_case_row, use_case_calls, use_case_at_last):
    """Requests of a transaction, or full adoption: it scales the whole path, from its first month to the last."""
    which, row = range_ledger_field, range_use_case_row
    calls = _field(which, "requests_per_transaction", use_case_calls, row)
    return where(row > 0, _field(which, "adoption_to", use_case_at_last, row) + calls, 0)


@line(unit="factor", label="Ledger: size", source="range.1")
def range_own_size(range_ledger_field, range_use_case_row, use_case_input_tokens, use_case_output_tokens):
    """Input or output tokens of a request."""
    which, row = range_ledger_field, range_use_case_row
    writes = _field(which, "output_tokens", use_case_output_tokens, row)
    return where(row > 0, _field(which, "input_tokens", use_case_input_tokens, row) + writes, 0)


@line(unit="factor", label="Ledger: retries and peak", source="range.1")
def range_own_rest(range_ledger_field, range_use_case_row, use_case_retries, use_case_peak):
    """Retry rate or peak factor."""
    which, row = range_ledger_field, range_use_case_row
    peak = _field(which, "peak_factor", use_case_peak, row)
    return where(row > 0, _field(which, "retry_rate", use_case_retries, row) + peak, 0)


@line(unit="factor", label="On Ledger", source="range.1")
def range_own(range_own_users, range_own_calls, range_own_size, range_own_rest):
    """What Ledger says of the field: of the four, three are nothing."""
    return range_own_users + range_own_calls + range_own_size + range_own_rest


@line(unit="factor", label="Expected, in use", source="range.1")
def range_base(range_scoped, range_expected, range_own):
    """Typed; of a use case, an empty cell is what Ledger says, so that the range starts from the plan."""
    return or_else(range_expected, where(range_scoped, range_own, 1))


def _end(value, base, scoped, expected):
    """A low or high value; an empty one does not move, nor does a driver of the whole plan without an expected one."""
    return where(either(scoped, known(expected)), or_else(value, base), base)


@line(unit="factor", label="Low, in use", source="range.1")
def range_low_used(range_low, range_base, range_scoped, range_expected):
    """An empty low value is the expected one."""
    return _end(range_low, range_base, range_scoped, range_expected)


@line(unit="factor", label="High, in use", source="range.1")
def range_high_used(range_high, range_base, range_scoped, range_expected):
    """An empty high value is the expected one."""
    return _end(range_high, range_base, range_scoped, range_expected)


@line(unit="flag", label="A rate", source="range.1")
def range_rate(range_scoped, range_ledger_field, range_effect):
    """Rates act as 1 + the rate: the retry rate of a use case, and what is typed so."""
    return where(range_scoped, same(range_ledger_field, "retry_rate"), same(range_effect, "one_plus"))


# ---- what it acts on: 1 with it, -1 against it, 0 not at all


@line(unit="level", label="On input", source="range.2")
def range_on_input(range_used, range_scoped, range_ledger_field, range_acts_on):
    """All fields of a use case but its output tokens and its peak."""
    other = either(same(range_ledger_field, "output_tokens"), same(range_ledger_field, "peak_factor"))
    mine = both(given(range_ledger_field), opposite(other))
    return where(range_used, where(range_scoped, mine, same(range_acts_on, "tokens")), 0)


@line(unit="level", label="On output", source="range.2")
def range_on_output(range_used, range_scoped, range_ledger_field, range_acts_on):
    """All fields of a use case but its input tokens and its peak."""
    other = either(same(range_ledger_field, "input_tokens"), same(range_ledger_field, "peak_factor"))
    mine = both(given(range_ledger_field), opposite(other))
    return where(range_used, where(range_scoped, mine, same(range_acts_on, "tokens")), 0)


@line(unit="level", label="On API money beside tokens", source="range.2")
def range_on_api(range_rate, range_on_input, retries_billed):
    """Repeated calls that the provider does not bill add tokens and no cost: what the tokens add is taken back; a rate
    on tokens is a retry rate, of a use case and of the whole plan.
    """
    free = both(range_rate, range_on_input > 0, opposite(same(retries_billed, "yes")))
    return where(free, -1, 0)


@line(unit="level", label="On GPUs beside tokens", source="range.2")
def range_on_gpus(range_used, range_scoped, range_ledger_field, range_acts_on):
    """A peak moves GPUs with it, speed against it."""
    whole = where(same(range_acts_on, "speed"), -1, where(same(range_acts_on, "peak"), 1, 0))
    return where(range_used, where(range_scoped, where(same(range_ledger_field, "peak_factor"), 1, 0), whole), 0)


@line(unit="level", label="On prices", source="range.2")
def range_on_price(range_used, range_scoped, range_acts_on):
    """Prices are of the whole plan."""
    return where(both(range_used, opposite(range_scoped), same(range_acts_on, "price")), 1, 0)


# ---- what people should know of a row


@line(unit="flag", label="Not as on Ledger", source="range.6")
def range_differs(range_use_case_row, range_expected, range_own):
    """An expected value of its own: the range does not start from the plan."""
    apart = absolute(rounded(or_else(range_expected, 0) - range_own, 9)) > 0
    return both(range_use_case_row > 0, known(range_expected), apart)


@line(unit="share", label="Adopted before its path", source="range.6")
def range_at_first(range_ledger_field, range_use_case_row, use_case_at_first):
    """Where the driver ranges adoption: what is adopted already moves with the path."""
    ranged = both(range_use_case_row > 0, same(range_ledger_field, "adoption_to"))
    return where(ranged, pick(use_case_at_first, range_use_case_row, over="use_case"), 0)


@line(unit="flag", label="More than everybody", source="range.6")
def range_beyond(range_ledger_field, range_at_first, range_own, range_base, range_high_used):
    """Where the driver ranges adoption: the highest point of the path at the high value is above 100 %."""
    top = largest(in_unit(range_at_first, "factor"), range_own) * ratio(range_high_used, range_base, 1)
    return both(same(range_ledger_field, "adoption_to"), opposite(reaches(1, top)))


@line(unit="flag", label="Ends without an expected value", source="range.6")
def range_endless(range_used, range_scoped, range_low, range_expected, range_high):
    """Of the whole plan only ratios to the expected value count: without one, low and high would do nothing."""
    return both(
        range_used, opposite(range_scoped), opposite(known(range_expected)), either(known(range_low), known(range_high))
    )


@line(unit="factor", label="Where its calls end", source="range.6")
def route_calls_end(route_calls_limit):
    """The limit on calls; -1 without one."""
    return or_else(in_unit(route_calls_limit, "factor"), -1)


@line(unit="factor", label="Where its retries end", source="range.6")
def route_retries_end(route_retry_limit):
    """The limit on retries; -1 without one."""
    return or_else(in_unit(route_retry_limit, "factor"), -1)


def _ends_below(end, high, route, row):
    """How many routes of the use case have an end below the high value."""
    return total(same(route, row) * (end >= 0) * (end < high), over="route")


@line(unit="count", label="Routes that limit it", source="range.6")
def range_limited(
    range_ledger_field, range_use_case_row, range_high_used, route_case_row, route_calls_end, route_retries_end
):
    """Routes of its use case where calls or retries end below the high value: the range moves them all the same."""
    calls = _ends_below(route_calls_end, range_high_used, route_case_row, range_use_case_row)
    again = _ends_below(route_retries_end, range_high_used, route_case_row, range_use_case_row)
    again = where(same(range_ledger_field, "retry_rate"), again, 0)
    limited = where(same(range_ledger_field, "requests_per_transaction"), calls, again)
    return where(range_use_case_row > 0, limited, 0)


@line(unit="flag", label="Moves nothing", source="range.6")
def range_still(range_used, range_scoped, range_acts_on):
    """A driver of the whole plan that does not say what it acts on."""
    return both(range_used, opposite(range_scoped), opposite(given(range_acts_on)))


@line(unit="flag", label="Does not count", source="range.6")
def range_uncounted(range_use_case_row, use_case_counted):
    """Its use case waits for its approval, or was stopped."""
    counted = where(range_use_case_row > 0, pick(use_case_counted, range_use_case_row, over="use_case"), 1)
    return opposite(counted)


@line(unit="flag", label="Cannot be used", source="range.6")
def range_unusable(
    range_used, range_scoped, range_use_case_row, range_ledger_field, range_low_used, range_high_used, range_base,
    range_rate, range_beyond, range_endless,
):  # fmt: skip
    """A use case that stands nowhere, a field without a use case or the other way round, ends that do not hold the
    expected value between them or have none, a factor of nothing, adoption above everybody.
    """
    lost = both(range_scoped, opposite(both(range_use_case_row > 0, given(range_ledger_field))))
    astray = both(given(range_ledger_field), opposite(range_scoped))
    crossed = either(range_low_used > range_base, range_base > range_high_used)
    nothing = both(opposite(range_rate), opposite(range_low_used > 0))
    return both(range_used, either(lost, astray, crossed, nothing, range_beyond, range_endless))


@line(unit="count", label="Drivers that do not start from Ledger", source="range.6")
def ranges_apart(range_differs):
    """Must be none."""
    return total(range_differs, over="range")


@line(unit="count", label="Drivers that cannot be used", source="range.6")
def ranges_unusable(range_unusable):
    """Must be none."""
    return total(range_unusable, over="range")


@line(unit="text", label="Note", source="range.6")
def range_note(
    range_used, range_unusable, range_differs, range_scoped, range_own, range_still, range_uncounted, range_limited,
    range_at_first, ledger_basis,
):  # fmt: skip
    """In words, where a row needs some: what makes it useless before what makes it inexact."""
    first = where(range_at_first > 0, say("▲ scales Adoption, first, too"), say("○"))
    inexact = where(range_limited > 0, say("▲ a route limits it"), first)
    apart = where(range_differs, join("▲ Ledger says ", show(range_own, 2)), inexact)
    waits = where(range_uncounted, say("– does not count in the base"), apart)
    unread = where(both(range_scoped, opposite(ledger_basis)), say("– the plan does not read Ledger"), waits)
    told = where(range_unusable, say("■ cannot be used"), where(range_still, say("– acts on nothing"), unread))
    return where(range_used, told, say("–"))
