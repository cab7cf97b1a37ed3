"""Chapter 6, first part: the prices in use. The analyst's own, else the reference row in the plan's currency."""

from planner.calc.vocabulary import (
    both,
    either,
    in_unit,
    known,
    opposite,
    or_else,
    pick,
    ratio,
    same,
    total,
    where,
    withheld,
)
from planner.lines.method import line


@line(unit="money/usd", label="Currency units for 1 USD", source="cost.0")
def usd_rate(usd_to_currency, usd_parity):
    """Reference prices are in USD; a plan in another currency needs its rate."""
    return or_else(usd_to_currency, usd_parity)


# ---- API prices: the analyst's own, else the reference row in the plan's currency


@line(unit="flag", label="Own API price", source="cost.1")
def model_own_price(model_input_price_per_mtok, model_output_price_per_mtok):
    """An analyst's price switches the reference off for the whole row: no mixture of two price lists."""
    return either(known(model_input_price_per_mtok), known(model_output_price_per_mtok))


@line(unit="flag", label="Reference price used", source="cost.1")
def model_listed_price(model_api, model_own_price, model_price_row):
    """Whether the row's prices come from the reference table."""
    return both(model_api, opposite(model_own_price), model_price_row > 0)


@line(unit="money/Mtok", label="Input price", source="cost.1")
def model_price_in(
    model_api, model_input_price_per_mtok, model_listed_price, model_price_row, priceref_input_usd_per_mtok, usd_rate
):
    """Price of a million input tokens."""
    listed = pick(priceref_input_usd_per_mtok, model_price_row, over="priceref") * usd_rate
    looked_up = where(model_listed_price, listed, withheld("no input price, type it"))
    return where(model_api, or_else(model_input_price_per_mtok, looked_up), 0)


@line(unit="money/Mtok", label="Output price", source="cost.1")
def model_price_out(
    model_api, model_output_price_per_mtok, model_listed_price, model_price_row, priceref_output_usd_per_mtok, usd_rate
):
    """Price of a million output tokens."""
    listed = pick(priceref_output_usd_per_mtok, model_price_row, over="priceref") * usd_rate
    looked_up = where(model_listed_price, listed, withheld("no output price, type it"))
    return where(model_api, or_else(model_output_price_per_mtok, looked_up), 0)


def _listed(typed, listed_flag, column, row, rate, fallback):
    """A price that may be absent: typed, else the reference row's, else another price of the row."""
    listed = pick(column, row, over="priceref")
    has = both(listed_flag, row > 0)
    return or_else(typed, where(has, where(known(listed), listed * rate, fallback), fallback))


@line(unit="money/Mtok", label="Cached input price", source="cost.1")
def model_price_cached(
    model_cached_input_price_per_mtok, model_listed_price, model_price_row, priceref_cached_input_usd_per_mtok,
    usd_rate, model_price_in,
):  # fmt: skip
    """Without a cached price, cached input costs the full input price, never nothing."""
    return _listed(
        model_cached_input_price_per_mtok, model_listed_price, priceref_cached_input_usd_per_mtok, model_price_row,
        usd_rate, model_price_in,
    )  # fmt: skip


@line(unit="money/Mtok", label="Batch input price", source="cost.1")
def model_price_batch_in(
    model_batch_input_price_per_mtok, model_listed_price, model_price_row, priceref_batch_input_usd_per_mtok, usd_rate,
    model_price_in,
):  # fmt: skip
    """Without a batch price, batch work costs the full price."""
    return _listed(
        model_batch_input_price_per_mtok, model_listed_price, priceref_batch_input_usd_per_mtok, model_price_row,
        usd_rate, model_price_in,
    )  # fmt: skip


@line(unit="money/Mtok", label="Batch output price", source="cost.1")
def model_price_batch_out(
    model_batch_output_price_per_mtok, model_listed_price, model_price_row, priceref_batch_output_usd_per_mtok,
    usd_rate, model_price_out,
):  # fmt: skip
    """Without a batch price, batch work costs the full price."""
    return _listed(
        model_batch_output_price_per_mtok, model_listed_price, priceref_batch_output_usd_per_mtok, model_price_row,
        usd_rate, model_price_out,
    )  # fmt: skip


@line(unit="flag", label="No price", source="cost.1")
def model_unpriced(model_api, model_price_in, model_price_out):
    """Neither typed nor on the reference: what the model costs cannot be said."""
    return both(model_api, opposite(both(known(model_price_in), known(model_price_out))))


@line(unit="count", label="API models without a price", source="cost.1")
def models_unpriced(model_unpriced):
    """Every sum of money with one of them is withheld."""
    return total(model_unpriced, over="model")


@line(unit="flag", label="No long-context price", source="cost.1")
def model_long_unpriced(
    model_own_price, model_price_row, priceref_long_context_limit_tokens, input_tokens_per_request,
    model_long_context_share, model_long_input_price_per_mtok,
):  # fmt: skip
    """Own prices for a model whose list asks more for requests as long as the plan's, and none typed for those."""
    limit = pick(priceref_long_context_limit_tokens, model_price_row, over="priceref")
    above = where(model_price_row > 0, where(known(limit), in_unit(input_tokens_per_request, "token") > limit, 0), 0)
    said = either(known(model_long_context_share), known(model_long_input_price_per_mtok))
    return both(model_own_price, above, opposite(said))


@line(unit="count", label="Own prices without a long-context one", source="cost.1")
def models_long_unpriced(model_long_unpriced):
    """Long requests would be billed at the short price."""
    return total(model_long_unpriced, over="model")


@line(unit="share", label="Long-context share", source="cost.1")
def model_long_share(
    model_long_context_share, model_listed_price, model_price_row, priceref_long_context_limit_tokens,
    input_tokens_per_request,
):  # fmt: skip
    """Tokens in requests above the limit: typed, else all or none by the mean request; at the limit is below."""
    limit = pick(priceref_long_context_limit_tokens, model_price_row, over="priceref")
    above = where(known(limit), in_unit(input_tokens_per_request, "token") > limit, 0)
    return or_else(model_long_context_share, where(model_listed_price, above, 0))


@line(unit="money/Mtok", label="Long input price", source="cost.1")
def model_price_long_in(
    model_long_input_price_per_mtok, model_listed_price, model_price_row, priceref_long_input_usd_per_mtok, usd_rate,
    model_price_in,
):  # fmt: skip
    """The whole request is billed at it, not only what is above the limit."""
    return _listed(
        model_long_input_price_per_mtok, model_listed_price, priceref_long_input_usd_per_mtok, model_price_row,
        usd_rate, model_price_in,
    )  # fmt: skip


@line(unit="money/Mtok", label="Long output price", source="cost.1")
def model_price_long_out(
    model_long_output_price_per_mtok, model_listed_price, model_price_row, priceref_long_output_usd_per_mtok,
    usd_rate, model_price_out,
):  # fmt: skip
    """Output of a long request."""
    return _listed(
        model_long_output_price_per_mtok, model_listed_price, priceref_long_output_usd_per_mtok, model_price_row,
        usd_rate, model_price_out,
    )  # fmt: skip


@line(unit="money/Mtok", label="Long cached input price", source="cost.1")
def model_price_long_cached(
    model_listed_price, model_price_row, priceref_long_cached_input_usd_per_mtok, usd_rate, model_price_long_in
):
    """Cached input of a long request; without a price of its own, the long input price."""
    listed = pick(priceref_long_cached_input_usd_per_mtok, model_price_row, over="priceref")
    return where(model_listed_price, where(known(listed), listed * usd_rate, model_price_long_in), model_price_long_in)


@line(unit="money/Mtok", label="Input, all in", source="cost.1")
def model_blended_in(
    model_price_in, model_price_cached, model_price_long_in, model_price_long_cached, model_long_share,
    cached_input_share, model_price_batch_in, batch_share,
):  # fmt: skip
    """Uncached and cached, short and long, list and batch, weighted by their shares."""
    short = (1 - cached_input_share) * model_price_in + cached_input_share * model_price_cached
    long = (1 - cached_input_share) * model_price_long_in + cached_input_share * model_price_long_cached
    batch = 1 - batch_share * (1 - ratio(model_price_batch_in, model_price_in, 1))
    return ((1 - model_long_share) * short + model_long_share * long) * batch


@line(unit="money/Mtok", label="Output, all in", source="cost.1")
def model_blended_out(model_price_out, model_price_long_out, model_long_share, model_price_batch_out, batch_share):
    """Short and long, list and batch, weighted by their shares."""
    mixed = (1 - model_long_share) * model_price_out + model_long_share * model_price_long_out
    return mixed * (1 - batch_share * (1 - ratio(model_price_batch_out, model_price_out, 1)))


@line(unit="factor", label="Billed calls", source="cost.1")
def billed_calls(retry_rate, retries_billed):
    """Repeated calls cost money only where the provider bills them."""
    return where(same(retries_billed, "yes"), 1 + retry_rate, 1)


@line(unit="money/month", label="API input", source="cost.1")
def model_api_input_cost(
    model_api, monthly_input_tokens, model_share, billed_calls, model_blended_in, tokens_per_mtok, ledger_basis,
    ledger_model_input_cost,
):  # fmt: skip
    """Input tokens of the month at the model's price."""
    cost = monthly_input_tokens * model_share * billed_calls * model_blended_in / tokens_per_mtok
    return where(model_api, where(ledger_basis, ledger_model_input_cost, cost), 0)


@line(unit="money/month", label="API output", source="cost.1")
def model_api_output_cost(
    model_api, monthly_output_tokens, model_share, billed_calls, model_blended_out, tokens_per_mtok, ledger_basis,
    ledger_model_output,
):  # fmt: skip
    """Output tokens of the month at the model's price."""
    tokens = where(ledger_basis, ledger_model_output, monthly_output_tokens * model_share * billed_calls)
    return where(model_api, tokens * model_blended_out / tokens_per_mtok, 0)
