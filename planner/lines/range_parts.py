"""Chapter 7, ranges: how much of the plan a driver moves. All of it, or what the streams of its use case add up to."""

from planner.calc.vocabulary import known, or_else, pick, ratio, total, where
from planner.lines.method import portfolio_line as line

# ---- what a stream brings to tokens, money and GPUs; unknown prices and speeds bring nothing here


@line(unit="token", label="Input, first year", source="range.3")
def stream_input_year(stream_year, stream_input_share):
    """Of its tokens."""
    return stream_year * stream_input_share


@line(unit="money", label="API, where it is known", source="range.3")
def stream_api_known(stream_api_cost):
    """A part of a sum that says itself when a price is missing."""
    return or_else(stream_api_cost, 0)


@line(unit="money", label="of which input", source="range.3")
def stream_api_reads(stream_year, stream_api_price_in, stream_api_cost, tokens_per_mtok):
    """Uncached and cached input; nothing where the whole is not known."""
    return where(known(stream_api_cost), stream_year * or_else(stream_api_price_in, 0) / tokens_per_mtok, 0)


@line(unit="GPU*s", label="GPU time, where it is known", source="range.3")
def stream_gpu_known(stream_gpu_year):
    """First year."""
    return or_else(stream_gpu_year, 0)


@line(unit="GPU*s", label="of which input", source="range.3")
def stream_gpu_reads(stream_input_year, stream_model_row, model_gpu_time_in):
    """At its model's speed."""
    reads = or_else(pick(model_gpu_time_in, stream_model_row, over="model"), 0)
    return where(stream_model_row > 0, stream_input_year * reads, 0)


@line(unit="money", label="GPUs, where it is known", source="range.3")
def stream_gpu_spend(stream_gpu_cost):
    """First year, as Unit economics shares it out."""
    return or_else(stream_gpu_cost, 0)


@line(unit="GPU", label="At its peak", source="range.3")
def stream_peak_gpus(stream_gpu_part, stream_tokens, peak_month):
    """GPUs in its busiest second of the plan's peak month, with buffer, HA and headroom."""
    return pick(stream_tokens, peak_month, over="month") * stream_gpu_part


# ---- what they add up to in a use case


@line(unit="token", label="Input, first year", source="range.3")
def use_case_input_year(stream_input_year, stream_case_row, use_case_number):
    """On all its models."""
    return total(stream_input_year, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="money", label="API, first year", source="range.3")
def use_case_api_spend(stream_api_known, stream_case_row, use_case_number):
    """On all its models."""
    return total(stream_api_known, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="money", label="of which input", source="range.3")
def use_case_api_reads(stream_api_reads, stream_case_row, use_case_number):
    """On all its models."""
    return total(stream_api_reads, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="GPU*s", label="GPU time, first year", source="range.3")
def use_case_gpu_time(stream_gpu_known, stream_case_row, use_case_number):
    """On all its models."""
    return total(stream_gpu_known, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="GPU*s", label="of which input", source="range.3")
def use_case_gpu_reads(stream_gpu_reads, stream_case_row, use_case_number):
    """On all its models."""
    return total(stream_gpu_reads, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="money", label="GPUs, first year", source="range.3")
def use_case_gpu_spend(stream_gpu_spend, stream_case_row, use_case_number):
    """On all its models."""
    return total(stream_gpu_spend, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="GPU", label="GPUs at its peak", source="range.3")
def use_case_peak_gpus(stream_peak_gpus, stream_case_row, use_case_number):
    """On all its models, in the plan's peak month."""
    return total(stream_peak_gpus, over="stream", by=stream_case_row, equals=use_case_number)


@line(unit="GPU", label="All use cases", source="range.3")
def use_cases_peak_gpus(use_case_peak_gpus):
    """What a use case's part is taken of."""
    return total(use_case_peak_gpus, over="use_case")


# ---- the parts that a driver moves


def _part(scoped, row, mine, whole, ledger_basis):
    """Its use case's part; a plan from the annual target does not read Ledger, and a use case moves nothing there."""
    share = ratio(pick(mine, row, over="use_case"), whole, 0)
    return where(scoped, where(row > 0, ledger_basis * share, 0), 1)


def _reads(scoped, row, reads, whole):
    """Input's part of what its use case brings; the whole plan moves as one."""
    share = ratio(pick(reads, row, over="use_case"), pick(whole, row, over="use_case"), 0)
    return where(scoped, where(row > 0, share, 0), 1)


@line(unit="share", label="Part of tokens", source="range.3")
def range_tokens_part(range_scoped, range_use_case_row, use_case_year, first_year_tokens, ledger_basis):
    """First year."""
    return _part(range_scoped, range_use_case_row, use_case_year, first_year_tokens, ledger_basis)


@line(unit="share", label="of which input", source="range.3")
def range_input_part(range_scoped, range_use_case_row, use_case_input_year, use_case_year):
    """Of the use case's tokens."""
    return _reads(range_scoped, range_use_case_row, use_case_input_year, use_case_year)


@line(unit="share", label="Part of API money", source="range.3")
def range_api_part_of(range_scoped, range_use_case_row, use_case_api_spend, range_api_part, ledger_basis):
    """First year."""
    return _part(range_scoped, range_use_case_row, use_case_api_spend, or_else(range_api_part, 0), ledger_basis)


@line(unit="share", label="of which input", source="range.3")
def range_api_input_part(range_scoped, range_use_case_row, use_case_api_reads, use_case_api_spend):
    """Of the use case's API money."""
    return _reads(range_scoped, range_use_case_row, use_case_api_reads, use_case_api_spend)


@line(unit="share", label="Part of GPUs", source="range.3")
def range_gpus_part(range_scoped, range_use_case_row, use_case_peak_gpus, use_cases_peak_gpus, ledger_basis):
    """In the peak month, unrounded."""
    return _part(range_scoped, range_use_case_row, use_case_peak_gpus, use_cases_peak_gpus, ledger_basis)


@line(unit="share", label="Part of GPU money", source="range.3")
def range_gpu_cost_part(range_scoped, range_use_case_row, use_case_gpu_spend, spend_gpu, ledger_basis):
    """First year."""
    return _part(range_scoped, range_use_case_row, use_case_gpu_spend, or_else(spend_gpu, 0), ledger_basis)


@line(unit="share", label="of which input", source="range.3")
def range_gpu_input_part(range_scoped, range_use_case_row, use_case_gpu_reads, use_case_gpu_time):
    """Of the use case's GPU time."""
    return _reads(range_scoped, range_use_case_row, use_case_gpu_reads, use_case_gpu_time)
