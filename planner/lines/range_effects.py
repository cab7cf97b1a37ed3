"""Chapter 7, ranges: each driver at both ends, one at a time and all at once."""

from planner.calc.vocabulary import exp, largest, log, ratio, running, smallest, stack, total, where
from planner.lines.method import portfolio_line as line

# ---- at each end


@line(unit="factor", label="Slope of unit cost", source="range.4")
def range_slope(
    range_tokens_part, range_input_part, range_api_share, range_api_part_of, range_api_input_part, range_gpu_share,
    range_gpu_cost_part, range_gpu_input_part, range_on_input, range_on_output, range_on_api, range_on_gpus,
    range_on_price,
):  # fmt: skip
    """Share of TCO less share of tokens that moves with the driver, the others as expected: below zero, more of it
    makes a token cheaper.
    """
    tokens = range_tokens_part * (range_input_part * range_on_input + (1 - range_input_part) * range_on_output)
    api = range_api_input_part * range_on_input + (1 - range_api_input_part) * range_on_output + range_on_api
    gpu = range_gpu_input_part * range_on_input + (1 - range_gpu_input_part) * range_on_output + range_on_gpus
    spent = range_api_share * (range_api_part_of * api + range_on_price)
    return spent + range_gpu_share * (range_gpu_cost_part * gpu + range_on_price) - tokens


@line(unit="factor", label="Value", source="range.4")
def range_at(range_low_used, range_high_used, range_on_gpus, range_slope):
    """Low or high: which asks for less of tokens, GPUs and money (of speed the high one), and which makes a token
    cheaper.
    """
    low, high = smallest(range_low_used, range_high_used), largest(range_low_used, range_high_used)
    against, cheaper = range_on_gpus < 0, range_slope < 0
    return stack(
        "end",
        {
            "lower": where(against, high, low),
            "upper": where(against, low, high),
            "cheaper": where(cheaper, high, low),
            "dearer": where(cheaper, low, high),
        },
    )


@line(unit="factor", label="Effect", source="range.4")
def range_effect_at(range_at, range_base, range_rate):
    """Against the expected value; a rate as 1 + the rate."""
    return where(range_rate, (1 + range_at) / (1 + range_base), ratio(range_at, range_base, 1))


@line(unit="factor", label="Its logarithm", source="range.4")
def range_log(range_effect_at):
    """Effects multiply, their logarithms add."""
    return where(range_effect_at > 0, log(range_effect_at), 0)


@line(unit="factor", label="Log, input", source="range.4")
def range_log_input(range_log, range_on_input):
    """Where the driver acts on input tokens."""
    return range_log * range_on_input


@line(unit="factor", label="Log, output", source="range.4")
def range_log_output(range_log, range_on_output):
    """Where it acts on output tokens."""
    return range_log * range_on_output


@line(unit="factor", label="Log, API", source="range.4")
def range_log_api(range_log, range_on_api):
    """On API money beside what the tokens do."""
    return range_log * range_on_api


@line(unit="factor", label="Log, GPUs", source="range.4")
def range_log_gpus(range_log, range_on_gpus):
    """On GPUs beside what the tokens do."""
    return range_log * range_on_gpus


@line(unit="factor", label="Log, prices", source="range.4")
def range_log_price(range_log, range_on_price):
    """On prices."""
    return range_log * range_on_price


# ---- one driver at a time, the others as expected


def _moved(part, into, reads, writes):
    """1 + part x (effect - 1), input and output each with its own effect."""
    return 1 + part * (into * (exp(reads) - 1) + (1 - into) * (exp(writes) - 1))


@line(unit="factor", label="Tokens", source="range.5")
def range_tokens(range_tokens_part, range_input_part, range_log_input, range_log_output):
    """All tokens of the plan, against expected."""
    return _moved(range_tokens_part, range_input_part, range_log_input, range_log_output)


@line(unit="factor", label="API money", source="range.5")
def range_api(range_api_part_of, range_api_input_part, range_log_input, range_log_output, range_log_api):
    """All API money."""
    reads, writes = range_log_input + range_log_api, range_log_output + range_log_api
    return _moved(range_api_part_of, range_api_input_part, reads, writes)


@line(unit="factor", label="GPUs", source="range.5")
def range_gpus(range_gpus_part, range_gpu_input_part, range_log_input, range_log_output, range_log_gpus):
    """All GPUs of the peak month, unrounded."""
    reads, writes = range_log_input + range_log_gpus, range_log_output + range_log_gpus
    return _moved(range_gpus_part, range_gpu_input_part, reads, writes)


@line(unit="factor", label="GPU money", source="range.5")
def range_gpu_cost(range_gpu_cost_part, range_gpu_input_part, range_log_input, range_log_output, range_log_gpus):
    """All GPU money: it follows GPUs before rounding."""
    reads, writes = range_log_input + range_log_gpus, range_log_output + range_log_gpus
    return _moved(range_gpu_cost_part, range_gpu_input_part, reads, writes)


@line(unit="factor", label="Prices", source="range.5")
def range_price(range_log_price):
    """Of tokens and of GPUs."""
    return exp(range_log_price)


# ---- all at once: drivers of one use case multiply inside it, then the use cases add; what is of the plan multiplies


@line(unit="factor", label="Log up to here, input", source="range.8")
def so_far_input(range_log_input, range_use_case_row):
    """All drivers of the same use case, this one among them."""
    return running(range_log_input, along="range", by=range_use_case_row)


@line(unit="factor", label="Log up to here, output", source="range.8")
def so_far_output(range_log_output, range_use_case_row):
    """All drivers of the same use case, this one among them."""
    return running(range_log_output, along="range", by=range_use_case_row)


@line(unit="factor", label="Log up to here, API", source="range.8")
def so_far_api(range_log_api, range_use_case_row):
    """All drivers of the same use case, this one among them."""
    return running(range_log_api, along="range", by=range_use_case_row)


@line(unit="factor", label="Log up to here, GPUs", source="range.8")
def so_far_gpus(range_log_gpus, range_use_case_row):
    """All drivers of the same use case, this one among them."""
    return running(range_log_gpus, along="range", by=range_use_case_row)


def _added(part, into, reads, writes, own_reads, own_writes):
    """What a driver adds to the sum of use cases: the product up to it, less the product before it."""
    return part * (into * (exp(reads) - exp(reads - own_reads)) + (1 - into) * (exp(writes) - exp(writes - own_writes)))


@line(unit="factor", label="Added to tokens", source="range.8")
def added_tokens(range_tokens_part, range_input_part, so_far_input, so_far_output, range_log_input, range_log_output):
    """After the drivers of the same use case before it."""
    return _added(range_tokens_part, range_input_part, so_far_input, so_far_output, range_log_input, range_log_output)


@line(unit="factor", label="Added to API money", source="range.8")
def added_api(
    range_api_part_of, range_api_input_part, so_far_input, so_far_output, so_far_api, range_log_input,
    range_log_output, range_log_api,
):  # fmt: skip
    """After the drivers of the same use case before it."""
    return _added(
        range_api_part_of, range_api_input_part, so_far_input + so_far_api, so_far_output + so_far_api,
        range_log_input + range_log_api, range_log_output + range_log_api,
    )  # fmt: skip


@line(unit="factor", label="Added to GPUs", source="range.8")
def added_gpus(
    range_gpus_part, range_gpu_input_part, so_far_input, so_far_output, so_far_gpus, range_log_input,
    range_log_output, range_log_gpus,
):  # fmt: skip
    """After the drivers of the same use case before it."""
    return _added(
        range_gpus_part, range_gpu_input_part, so_far_input + so_far_gpus, so_far_output + so_far_gpus,
        range_log_input + range_log_gpus, range_log_output + range_log_gpus,
    )  # fmt: skip


@line(unit="factor", label="Added to GPU money", source="range.8")
def added_gpu_cost(
    range_gpu_cost_part, range_gpu_input_part, so_far_input, so_far_output, so_far_gpus, range_log_input,
    range_log_output, range_log_gpus,
):  # fmt: skip
    """After the drivers of the same use case before it."""
    return _added(
        range_gpu_cost_part, range_gpu_input_part, so_far_input + so_far_gpus, so_far_output + so_far_gpus,
        range_log_input + range_log_gpus, range_log_output + range_log_gpus,
    )  # fmt: skip


def _together(added, scoped):
    """What drivers of use cases make of the sum, times what those of the whole plan make of it."""
    whole = total(added, over="range", by=scoped, equals=0)
    return (1 + whole) * (1 + total(added, over="range", by=scoped, equals=1))


@line(unit="factor", label="Tokens", source="range.8")
def all_tokens(added_tokens, range_scoped):
    """Every driver at this end."""
    return _together(added_tokens, range_scoped)


@line(unit="factor", label="API money", source="range.8")
def all_api(added_api, range_scoped):
    """Every driver at this end."""
    return _together(added_api, range_scoped)


@line(unit="factor", label="GPUs", source="range.8")
def all_gpus(added_gpus, range_scoped):
    """Every driver at this end."""
    return _together(added_gpus, range_scoped)


@line(unit="factor", label="GPU money", source="range.8")
def all_gpu_cost(added_gpu_cost, range_scoped):
    """Every driver at this end."""
    return _together(added_gpu_cost, range_scoped)


@line(unit="factor", label="Prices", source="range.8")
def all_price(range_log_price):
    """Every driver at this end."""
    return exp(total(range_log_price, over="range"))
