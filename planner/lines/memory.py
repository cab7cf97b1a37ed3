"""Chapter 3, second part: the memory fit. How many GPUs a replica needs and how many requests it can hold."""

from planner.calc.vocabulary import (
    both,
    ceil,
    either,
    fixed,
    floor,
    in_unit,
    join,
    known,
    largest,
    most,
    not_applicable,
    opposite,
    or_else,
    pick,
    position_of,
    reaches,
    reason,
    same,
    say,
    show,
    where,
    withheld,
)
from planner.lines.method import line

# ---- GPUs per replica


@line(unit="GB/GPU", label="GPU memory", source="capacity.5")
def model_gpu_memory(model_on_prem, model_gpu_row, gpuref_memory_gb):
    """Memory of one GPU."""
    looked_up = where(
        model_gpu_row > 0,
        pick(gpuref_memory_gb, model_gpu_row, over="gpuref"),
        withheld("GPU not in the reference, type GPUs per replica"),
    )
    return where(model_on_prem, looked_up, 0)


@line(unit="GB/replica", label="Weights", source="capacity.5")
def model_weights(
    model_on_prem, model_weights_gb, model_facts_row, model_precision_used,
    modelref_weights_gb_fp16, modelref_weights_gb_fp8, modelref_weights_gb_int4,
):  # fmt: skip
    """All parameters must be in memory, active or not."""
    fp16 = pick(modelref_weights_gb_fp16, model_facts_row, over="modelref")
    fp8 = pick(modelref_weights_gb_fp8, model_facts_row, over="modelref")
    int4 = pick(modelref_weights_gb_int4, model_facts_row, over="modelref")
    by_precision = where(same(model_precision_used, "fp16"), fp16, where(same(model_precision_used, "fp8"), fp8, int4))
    looked_up = where(model_facts_row > 0, by_precision, withheld("no weights known, type them or GPUs per replica"))
    return where(model_on_prem, or_else(model_weights_gb, looked_up), 0)


@line(unit="B/token", label="KV cache per token", source="capacity.5")
def model_kv_bytes(
    model_on_prem, model_kv_bytes_per_token, model_facts_row, model_precision_used,
    modelref_kv_bytes_per_token_fp16, modelref_kv_bytes_per_token_fp8,
):  # fmt: skip
    """2 x layers x KV heads x head size x bytes, or the model's own figure; 8-bit only with fp8."""
    looked_up = where(
        model_facts_row > 0,
        where(
            same(model_precision_used, "fp8"),
            pick(modelref_kv_bytes_per_token_fp8, model_facts_row, over="modelref"),
            pick(modelref_kv_bytes_per_token_fp16, model_facts_row, over="modelref"),
        ),
        withheld("no KV figure known, type it or GPUs per replica"),
    )
    return where(model_on_prem, or_else(model_kv_bytes_per_token, looked_up), 0)


@line(unit="GPU/replica", label="KV heads", source="capacity.5")
def model_kv_heads(model_facts_row, modelref_kv_heads):
    """Beyond so many GPUs a replica keeps copies of the KV cache: a head cannot be split."""
    heads = in_unit(pick(modelref_kv_heads, model_facts_row, over="modelref"), "count")
    return in_unit(where(model_facts_row > 0, heads, 1), "GPU/replica")


@line(unit="token/request", label="Tokens per request", source="capacity.5")
def tokens_per_request(input_tokens_per_request, output_tokens_per_request):
    """A request at its full length holds so many tokens in the KV cache."""
    return input_tokens_per_request + output_tokens_per_request


@line(unit="GB/request", label="KV cache of one request", source="capacity.5")
def model_kv_per_request(model_kv_bytes, tokens_per_request, bytes_per_gb):
    """One copy of a full-length request."""
    return model_kv_bytes * tokens_per_request / bytes_per_gb


@line(unit="GB/replica", label="Room beside the weights", source="capacity.5")
def fit_room(size_gpus, model_gpu_memory, memory_usable_share, runtime_reserve_gb, model_weights):
    """What a replica of each size leaves for the KV cache."""
    return size_gpus * (model_gpu_memory * memory_usable_share - runtime_reserve_gb) - model_weights


@line(unit="GB/replica", label="KV cache wanted", source="capacity.5")
def fit_need(size_gpus, concurrency_per_replica, model_kv_per_request, model_kv_heads):
    """What the wanted sequences take, copies included."""
    return concurrency_per_replica * model_kv_per_request * largest(1, size_gpus / model_kv_heads)


@line(unit="flag", label="Fits", source="capacity.5")
def fit_holds(fit_room, fit_need):
    """Whether weights and KV cache fit a replica of this size."""
    return where(both(known(fit_room), known(fit_need)), both(fit_room > 0, reaches(fit_room, fit_need)), 0)


@line(unit="index", label="Smallest size that fits", source="capacity.5")
def model_fit_position(fit_holds):
    """The first of the sizes that holds; 0 when none does."""
    return position_of(1, fit_holds, over="size")


@line(unit="GPU/replica", label="GPUs per replica", source="capacity.5")
def model_gpus_each(
    model_on_prem, model_gpus_per_replica, model_weights, model_gpu_memory, model_kv_bytes, model_fit_position,
    size_gpus,
):  # fmt: skip
    """The analyst's figure, else the smallest of 1, 2, 4, 8, 16 that holds weights and KV cache."""
    fitted = where(
        model_fit_position > 0,
        pick(size_gpus, model_fit_position, over="size"),
        withheld("does not fit 16 GPUs"),
    )
    chosen = where(
        known(model_weights),
        where(
            known(model_gpu_memory),
            where(known(model_kv_bytes), fitted, reason(model_kv_bytes)),
            reason(model_gpu_memory),
        ),
        reason(model_weights),
    )
    return where(model_on_prem, or_else(model_gpus_per_replica, chosen), 0)


@line(unit="GPU/replica", label="Weights alone need", source="capacity.5")
def model_least_gpus(model_on_prem, model_weights, model_gpu_memory):
    """The fewest GPUs whose whole memory holds the weights: a figure below it cannot be right."""
    return where(model_on_prem, ceil(model_weights / model_gpu_memory), 0)


@line(unit="GB/replica", label="Room in a replica", source="capacity.5")
def model_room(
    model_on_prem, model_gpus_each, model_gpu_memory, memory_usable_share, runtime_reserve_gb, model_weights
):
    """Memory beside the weights at the chosen size; negative means that it cannot run."""
    room = model_gpus_each * (model_gpu_memory * memory_usable_share - runtime_reserve_gb) - model_weights
    return where(model_on_prem, room, 0)


@line(unit="request/replica", label="Sequences a replica can hold", source="capacity.5")
def model_slots(model_room, model_kv_per_request, model_gpus_each, model_kv_heads):
    """Whole requests at full length in the KV cache of a replica."""
    copies = largest(1, model_gpus_each / model_kv_heads)
    held = floor(model_room / (model_kv_per_request * copies))
    return where(
        model_room > 0, where(model_kv_per_request > 0, held, withheld("a request without KV cache fills no memory")), 0
    )


@line(unit="flag", label="Does not fit", source="capacity.5")
def model_misfit(model_on_prem, model_slots, model_gpus_each):
    """Weights that do not fit, or leave no room for one request, or a fit that cannot be found: it cannot run."""
    no_room = where(known(model_slots), in_unit(model_slots, "count") < 1, 0)
    return both(model_on_prem, either(no_room, opposite(known(model_gpus_each))))


@line(unit="share", label="Active parameters", source="capacity.5")
def model_active_share(model_on_prem, model_facts_row, modelref_params_total_b, modelref_params_active_b):
    """Below 100 % a mixture of experts: memory holds all parameters, speed comes from the active ones."""
    total_b = pick(modelref_params_total_b, model_facts_row, over="modelref")
    share = pick(modelref_params_active_b, model_facts_row, over="modelref") / total_b
    looked_up = where(model_facts_row > 0, share, withheld("not in the reference"))
    return where(model_on_prem, looked_up, not_applicable())


def _least(weights, memory, usable, reserve):
    return ceil(weights / (memory * usable - reserve))


@line(unit="GPU/replica", label="Weights at FP8 need", source="capacity.5")
def model_least_fp8(
    model_on_prem, model_facts_row, model_gpu_memory, memory_usable_share, runtime_reserve_gb, modelref_weights_gb_fp8
):
    """The fewest GPUs whose usable memory holds the weights at 8 bits."""
    weights = pick(modelref_weights_gb_fp8, model_facts_row, over="modelref")
    least = _least(weights, model_gpu_memory, memory_usable_share, runtime_reserve_gb)
    looked_up = where(model_facts_row > 0, least, withheld("not in the reference"))
    return where(model_on_prem, looked_up, not_applicable())


@line(unit="GPU/replica", label="Weights at INT4 need", source="capacity.5")
def model_least_int4(
    model_on_prem, model_facts_row, model_gpu_memory, memory_usable_share, runtime_reserve_gb, modelref_weights_gb_int4
):
    """The fewest GPUs whose usable memory holds the weights at 4 bits."""
    weights = pick(modelref_weights_gb_int4, model_facts_row, over="modelref")
    least = _least(weights, model_gpu_memory, memory_usable_share, runtime_reserve_gb)
    looked_up = where(model_facts_row > 0, least, withheld("not in the reference"))
    return where(model_on_prem, looked_up, not_applicable())


@line(unit="GB/replica", label="Room in the largest replica", source="capacity.5")
def model_room_most(fit_room):
    """What the largest of the sizes leaves beside the weights."""
    return most(fit_room, over="size")


@line(unit="text", label="Excuse", source="capacity.5")
def model_excuse(
    model_misfit, model_least_gpus, model_room_most, model_kv_per_request, concurrency_per_replica, model_least_fp8,
    model_least_int4, model_gpus_each,
):  # fmt: skip
    """Why nothing fits, and what quantising would change."""
    weights = join("weights alone need ", show(model_least_gpus, 0), " GPUs")
    cache = join(
        "the KV cache of ", fixed(concurrency_per_replica, 0), " requests needs ",
        fixed(concurrency_per_replica * or_else(model_kv_per_request, 0), 1), " GB, the largest replica leaves ",
        fixed(or_else(model_room_most, 0), 1), " GB",
    )  # fmt: skip
    crowded = both(known(model_room_most), or_else(model_room_most, 0) > 0, opposite(known(model_gpus_each)))
    quantised = join(
        "; quantised, weights need ", show(model_least_fp8, 0), " (FP8) or ", show(model_least_int4, 0), " (INT4) GPUs"
    )
    offered = where(known(model_least_fp8), quantised, "")
    unknown = where(known(model_least_gpus), where(crowded, cache, weights), say("no memory figures"))
    return where(model_misfit, join(unknown, offered), "")


@line(unit="text", label="Fit", source="capacity.5")
def model_fit_note(model_on_prem, model_gpus_each, model_excuse, model_misfit, model_slots, model_room):
    """What the memory fit says about the row, an analyst's own figure included."""
    below = join("▲ ", model_excuse)
    fits = join("○ ", show(model_gpus_each, 0), " GPUs a replica hold ", show(model_slots, 0), " requests")
    said = where(model_misfit, below, where(known(model_room), fits, say("○ not judged: no memory figures")))
    return where(model_on_prem, said, "")
