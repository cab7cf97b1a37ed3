"""Chapter 7, last part: ranges. Low, expected and high of what nobody knows, on the whole plan or on one use case."""

from planner.calc.vocabulary import (
    absolute,
    both,
    either,
    given,
    in_unit,
    join,
    known,
    opposite,
    or_else,
    pick,
    position_of,
    ratio,
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


def _field(wanted, which, values, row, empty):
    """A ledger field of the driver's use case, where the driver ranges it; `empty` is what an empty cell means."""
    return where(same(wanted, which), in_unit(or_else(pick(values, row, over="use_case"), empty), "factor"), 0)


@line(unit="factor", label="Ledger: users", source="range.1")
def range_own_users(range_ledger_field, range_use_case_row, use_case_users, use_case_transactions_per_user):
    """Users or their transactions, where the driver ranges one of them."""
    which, row = range_ledger_field, range_use_case_row
    tasks = _field(which, "transactions_per_user", use_case_transactions_per_user, row, 0)
    return where(row > 0, _field(which, "users", use_case_users, row, 0) + tasks, 0)


@line(unit="factor", label="Ledger: calls and adoption", source="range.1")
def range_own_calls(range_ledger_field, range_use_case_row, use_case_requests_per_transaction, use_case_adoption_to):
    """Requests of a transaction, or full adoption: it scales the whole path, from its first month to the last."""
    which, row = range_ledger_field, range_use_case_row
    calls = _field(which, "requests_per_transaction", use_case_requests_per_transaction, row, 0)
    return where(row > 0, _field(which, "adoption_to", use_case_adoption_to, row, 1) + calls, 0)


@line(unit="factor", label="Ledger: size", source="range.1")
def range_own_size(range_ledger_field, range_use_case_row, use_case_input_tokens, use_case_output_tokens):
    """Input or output tokens of a request."""
    which, row = range_ledger_field, range_use_case_row
    writes = _field(which, "output_tokens", use_case_output_tokens, row, 0)
    return where(row > 0, _field(which, "input_tokens", use_case_input_tokens, row, 0) + writes, 0)


@line(unit="factor", label="Ledger: retries and peak", source="range.1")
def range_own_rest(range_ledger_field, range_use_case_row, use_case_retry_rate, use_case_peak_factor):
    """Retry rate or peak factor."""
    which, row = range_ledger_field, range_use_case_row
    peak = _field(which, "peak_factor", use_case_peak_factor, row, 1)
    return where(row > 0, _field(which, "retry_rate", use_case_retry_rate, row, 0) + peak, 0)


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
def range_on_api(range_used, range_scoped, range_ledger_field, retries_billed):
    """Repeated calls that the provider does not bill add tokens and no cost: what the tokens add is taken back."""
    free = both(same(range_ledger_field, "retry_rate"), opposite(same(retries_billed, "yes")))
    return where(both(range_used, range_scoped, free), -1, 0)


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
    apart = absolute(rounded(ratio(or_else(range_expected, 0), range_own, 0) - 1, 9)) > 0
    return both(range_use_case_row > 0, known(range_expected), apart)


@line(unit="flag", label="Cannot be used", source="range.6")
def range_unusable(
    range_used, range_scoped, range_use_case_row, range_ledger_field, range_low_used, range_high_used, range_base,
    range_rate,
):  # fmt: skip
    """A use case that stands nowhere, a field without a use case or the other way round, ends that do not hold the
    expected value between them, a factor of nothing.
    """
    lost = both(range_scoped, opposite(both(range_use_case_row > 0, given(range_ledger_field))))
    astray = both(given(range_ledger_field), opposite(range_scoped))
    crossed = either(range_low_used > range_base, range_base > range_high_used)
    nothing = both(opposite(range_rate), opposite(range_low_used > 0))
    return both(range_used, either(lost, astray, crossed, nothing))


@line(unit="count", label="Drivers that do not start from Ledger", source="range.6")
def ranges_apart(range_differs):
    """Must be none."""
    return total(range_differs, over="range")


@line(unit="count", label="Drivers that cannot be used", source="range.6")
def ranges_unusable(range_unusable):
    """Must be none."""
    return total(range_unusable, over="range")


@line(unit="text", label="Note", source="range.6")
def range_note(range_used, range_unusable, range_differs, range_scoped, range_own, ledger_basis):
    """In words, where a row needs some."""
    apart = where(range_differs, join("▲ Ledger says ", show(range_own, 2)), say("○"))
    told = where(both(range_scoped, opposite(ledger_basis)), say("– the plan does not read Ledger"), apart)
    return where(range_used, where(range_unusable, say("■ cannot be used"), told), say("–"))
