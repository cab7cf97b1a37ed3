"""Chapter 3, first part: which models serve, where, and which speed and memory facts are used for each."""

from planner.calc.vocabulary import (
    both,
    given,
    join,
    known,
    opposite,
    or_else,
    pick,
    position_of,
    same,
    say,
    total,
    where,
    withheld,
)
from planner.lines.method import line

# ---- which models, where


@line(unit="flag", label="In use", source="capacity.1")
def model_used(model_name):
    """A row without a model is a spare row and counts as nothing."""
    return given(model_name)


@line(unit="text", label="Runs on", source="capacity.1")
def model_place(model_deployment, deployment_mode):
    """The row's own deployment; an empty one follows the plan."""
    return where(given(model_deployment), model_deployment, deployment_mode)


@line(unit="flag", label="On-prem", source="capacity.1")
def model_on_prem(model_used, model_place):
    """Whether the row needs GPUs."""
    return both(model_used, same(model_place, "on_prem"))


@line(unit="flag", label="API", source="cost.1")
def model_api(model_used, model_place):
    """Whether the row is paid by the token."""
    return both(model_used, same(model_place, "api"))


@line(unit="share", label="Token share", source="demand.4")
def model_share(model_used, model_token_share, ledger_basis, ledger_model_share):
    """The model's part of all tokens."""
    return where(ledger_basis, ledger_model_share, model_used * or_else(model_token_share, 0))


@line(unit="share", label="Token shares together", source="demand.4")
def model_share_sum(model_share):
    """Must be 100 %, or tokens are lost or served twice."""
    return total(model_share, over="model")


# ---- where a row's figures are looked up


@line(unit="text", label="Precision used", source="capacity.5")
def model_precision_used(model_precision):
    """fp16 unless the row says another."""
    return where(given(model_precision), model_precision, "fp16")


@line(unit="index", label="Row in memory facts", source="capacity.5")
def model_facts_row(model_name, modelref_model, modelref_number):
    """Where the model's memory facts stand; 0 when the reference does not know it."""
    return position_of(model_name, modelref_model, over="modelref", numbers=modelref_number)


@line(unit="index", label="Row in GPU facts", source="capacity.5")
def model_gpu_row(model_gpu, gpuref_gpu, gpuref_number):
    """Where the GPU's facts stand."""
    return position_of(model_gpu, gpuref_gpu, over="gpuref", numbers=gpuref_number)


@line(unit="text", label="Key of the reference speed", source="capacity.2")
def model_speed_key(model_name, model_gpu, model_precision_used):
    """A speed belongs to a model on a GPU at a precision."""
    return join(model_name, "|", model_gpu, "|", model_precision_used)


@line(unit="index", label="Row in speeds", source="capacity.2")
def model_speed_row(model_speed_key, speedref_key, speedref_number):
    """Where the reference speed stands."""
    return position_of(model_speed_key, speedref_key, over="speedref", numbers=speedref_number)


@line(unit="index", label="Row in prices", source="cost.1")
def model_price_row(model_name, priceref_model, priceref_number):
    """Where the API price stands."""
    return position_of(model_name, priceref_model, over="priceref", numbers=priceref_number)


# ---- speed


@line(unit="token/s/GPU", label="Speed", source="capacity.2")
def model_speed(model_on_prem, model_tokens_per_s_per_gpu, model_speed_row, speedref_tokens_per_s_per_gpu):
    """The analyst's own speed wins; else the reference row; else no GPU count can be known."""
    looked_up = where(
        model_speed_row > 0,
        pick(speedref_tokens_per_s_per_gpu, model_speed_row, over="speedref"),
        withheld("no speed known, type tokens/s per GPU"),
    )
    return where(model_on_prem, or_else(model_tokens_per_s_per_gpu, looked_up), 0)


@line(unit="text", label="Speed counts", source="capacity.1")
def model_basis(model_throughput_basis, model_tokens_per_s_per_gpu, model_speed_row, speedref_throughput_basis):
    """Whether the speed counts all tokens, output only, or prefill and decode apart."""
    looked_up = where(
        both(model_speed_row > 0, opposite(known(model_tokens_per_s_per_gpu))),
        pick(speedref_throughput_basis, model_speed_row, over="speedref"),
        "total",
    )
    return where(given(model_throughput_basis), model_throughput_basis, looked_up)


@line(unit="flag", label="Prefill and decode apart", source="capacity.1")
def model_split(model_on_prem, model_basis):
    """Split speeds are counted phase by phase."""
    return both(model_on_prem, same(model_basis, "split"))


@line(unit="token/s/GPU", label="Prefill speed", source="capacity.2")
def model_prefill_speed(model_split, model_prefill_tokens_per_s_per_gpu):
    """Needed on the split basis only."""
    return where(
        model_split,
        or_else(model_prefill_tokens_per_s_per_gpu, withheld("the split basis needs prefill tokens/s per GPU")),
        0,
    )


def checked(verify):
    """What a reference row still wants, behind a comma; nothing where two sources agree."""
    return where(given(verify), join(", ", verify), "")


@line(unit="text", label="Speed is", source="capacity.2")
def model_speed_status(model_on_prem, model_tokens_per_s_per_gpu, model_speed_row, speedref_verify):
    """Whose figure it is, and whether it still wants measuring."""
    listed = where(
        model_speed_row > 0,
        join("reference", checked(pick(speedref_verify, model_speed_row, over="speedref"))),
        say("missing"),
    )
    return where(model_on_prem, where(known(model_tokens_per_s_per_gpu), say("yours"), listed), "")
