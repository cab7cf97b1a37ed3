"""Chapter 3, third part: load at the peak, GPUs before rounding, replicas and GPUs to plan."""

from planner.calc.vocabulary import ceil, known, largest, or_else, pick, position_of, same, total, where
from planner.lines.method import line

# ---- load


@line(unit="token/month", label="Tokens", source="demand.4")
def model_tokens(monthly_tokens, model_share, ledger_basis, ledger_model_tokens):
    """What each model serves."""
    return where(ledger_basis, ledger_model_tokens, monthly_tokens * model_share)


@line(unit="token/s", label="Input at the peak", source="capacity.1")
def model_input_load(
    tokens_per_s_with_retries, input_share, model_share, model_on_prem, ledger_basis, ledger_model_input_load
):
    """Input tokens a second that the GPUs read at the peak."""
    from_above = tokens_per_s_with_retries * input_share * model_share
    return where(ledger_basis, ledger_model_input_load, from_above) * model_on_prem


@line(unit="token/s", label="Output at the peak", source="capacity.1")
def model_output_load(
    tokens_per_s_with_retries, input_share, model_share, model_on_prem, ledger_basis, ledger_model_load,
    ledger_model_input_load,
):  # fmt: skip
    """Output tokens a second that the GPUs write at the peak."""
    from_above = tokens_per_s_with_retries * (1 - input_share) * model_share
    return where(ledger_basis, ledger_model_load - ledger_model_input_load, from_above) * model_on_prem


@line(unit="token/s", label="Load that the speed counts", source="capacity.1")
def model_counted_load(model_input_load, model_output_load, model_basis):
    """Total: input and output; output: output alone; split: counted in the two lines below."""
    return where(
        same(model_basis, "total"),
        model_input_load + model_output_load,
        where(same(model_basis, "output"), model_output_load, 0),
    )


@line(unit="token/s", label="Prefill load", source="capacity.1")
def model_prefill_load(model_input_load, model_split, model_prefix_hit_share):
    """Input that is not yet in the KV cache."""
    return model_split * model_input_load * (1 - or_else(model_prefix_hit_share, 0))


@line(unit="token/s", label="Decode load", source="capacity.1")
def model_decode_load(model_output_load, model_split):
    """Output on the split basis."""
    return model_split * model_output_load


@line(unit="token/s", label="Load at the peak", source="capacity.1")
def model_load(model_input_load, model_output_load):
    """All tokens a second, whatever the speed counts: no load buys nothing."""
    return model_input_load + model_output_load


# ---- GPUs, unrounded


@line(unit="GPU", label="For the peak", source="capacity.2")
def model_gpus_peak(
    model_load, model_split, model_counted_load, model_prefill_load, model_decode_load, model_speed, model_prefill_speed
):
    """Load over speed, not yet rounded: rounding happens once, at what is bought."""
    split = model_prefill_load / model_prefill_speed + model_decode_load / model_speed
    return where(model_load > 0, where(model_split, split, model_counted_load / model_speed), 0)


@line(unit="factor", label="Buffer on GPUs", source="capacity.3")
def gpu_buffer(buffer_factor, buffer_on_gpus):
    """The buffer can be kept for tokens only."""
    return where(same(buffer_on_gpus, "yes"), buffer_factor, 1)


@line(unit="factor", label="HA on GPUs", source="capacity.4")
def gpu_ha(ha_factor, ha_basis):
    """High availability as a factor, or as spare replicas further down."""
    return where(same(ha_basis, "factor"), ha_factor, 1)


@line(unit="GPU", label="× buffer", source="capacity.3")
def model_gpus_buffered(model_gpus_peak, gpu_buffer):
    """Room for demand above forecast."""
    return model_gpus_peak * gpu_buffer


@line(unit="GPU", label="× HA", source="capacity.4")
def model_gpus_required(model_gpus_buffered, gpu_ha, ledger_basis, model_gpus_headroom):
    """Room for the loss of machines, and the headroom of each service tier."""
    with_ha = model_gpus_buffered * gpu_ha
    return where(ledger_basis, with_ha + model_gpus_headroom, with_ha)


@line(unit="GPU", label="÷ ceiling", source="capacity.4")
def model_gpus_at_ceiling(model_gpus_required, model_ceiling_factor):
    """Room below the utilisation at which waiting breaks the target; as above where the plan does not ask for it."""
    return model_gpus_required * model_ceiling_factor


# ---- what is bought


@line(unit="index", label="Row of the SLA tier", source="sla.1")
def tier_row(sla_tier, tier_name, tier_number):
    """Where the plan's tier stands; an unknown name falls to the first row and fails a check."""
    return largest(position_of(sla_tier, tier_name, over="tier", numbers=tier_number), 1)


@line(unit="replica", label="Least replicas", source="capacity.6")
def least_replicas(tier_min_replicas, tier_row):
    """What the tier needs for failover."""
    return or_else(pick(tier_min_replicas, tier_row, over="tier"), 0)


@line(unit="replica", label="Spare replicas", source="capacity.4")
def spare_replicas(tier_spare_replicas, tier_row, ha_basis):
    """Replicas on top, on the spare basis."""
    return where(same(ha_basis, "spare"), or_else(pick(tier_spare_replicas, tier_row, over="tier"), 0), 0)


@line(unit="s", label="End-to-end target", source="sla.4")
def plan_e2e_s(tier_e2e_s, tier_row):
    """How long a request may stay in the system."""
    return or_else(pick(tier_e2e_s, tier_row, over="tier"), 0)


@line(unit="request", label="Requests at once at the peak", source="capacity.6")
def model_concurrency(model_load, tokens_per_request, plan_e2e_s, ledger_basis, ledger_model_held, model_on_prem):
    """Arrivals times stay: what the KV cache must hold over all replicas."""
    from_above = model_load / tokens_per_request * plan_e2e_s
    return where(ledger_basis, ledger_model_held * model_on_prem, from_above)


@line(unit="replica", label="Replicas by memory", source="capacity.6")
def model_replicas_memory(model_concurrency, model_slots, gpu_buffer, gpu_ha):
    """Long requests can fill the memory before the GPUs are busy."""
    needed = ceil(model_concurrency * gpu_buffer * gpu_ha / model_slots)
    return where(known(model_slots), where(model_slots > 0, needed, 0), 0)


@line(unit="replica", label="Replicas by compute", source="capacity.6")
def model_replicas_compute(model_load, model_gpus_at_ceiling, model_gpus_each):
    """Whole replicas that carry the load."""
    return where(model_load > 0, ceil(model_gpus_at_ceiling / model_gpus_each), 0)


@line(unit="replica", label="Replicas", source="capacity.6")
def model_replicas_planned(model_load, model_replicas_compute, model_replicas_memory, spare_replicas, least_replicas):
    """The larger of compute and memory, with spares, never below the tier's least; no load buys none."""
    wanted = largest(model_replicas_compute, model_replicas_memory) + spare_replicas
    return where(model_load > 0, largest(least_replicas, wanted), 0)


@line(unit="GPU", label="GPUs to plan", source="capacity.7")
def model_gpus_planned(model_replicas_planned, model_gpus_each):
    """Whole replicas are bought, never a part of one."""
    return where(model_replicas_planned > 0, model_replicas_planned * model_gpus_each, 0)


# ---- all models


@line(unit="GPU", label="For the peak", source="capacity.2")
def gpus_peak_by_month(model_gpus_peak):
    """All models, before rounding."""
    return total(model_gpus_peak, over="model")


@line(unit="GPU", label="With buffer and HA", source="capacity.4")
def gpus_required_by_month(model_gpus_required):
    """All models, with every factor, before rounding."""
    return total(model_gpus_required, over="model")


@line(unit="GPU", label="GPUs to plan", source="capacity.7")
def gpus_planned_by_month(model_gpus_planned):
    """All models, as bought."""
    return total(model_gpus_planned, over="model")


@line(unit="GPU", label="GPUs for the peak", source="capacity.2", headline=True)
def gpus_for_peak(gpus_peak_by_month, peak_month):
    """Peak month, unrounded: what the load alone needs."""
    return pick(gpus_peak_by_month, peak_month, over="month")


@line(unit="GPU", label="GPUs with HA", source="capacity.4", headline=True)
def gpus_with_ha(gpus_for_peak, gpu_ha):
    """Peak x HA, unrounded, as the guide has it: without the buffer."""
    return gpus_for_peak * gpu_ha


@line(unit="GPU", label="GPUs with buffer and HA", source="capacity.4")
def gpus_with_buffer_and_ha(gpus_required_by_month, peak_month):
    """Peak month with every factor, before rounding."""
    return pick(gpus_required_by_month, peak_month, over="month")


@line(unit="GPU", label="GPUs to plan, peak month", source="capacity.7", headline=True)
def gpus_planned(gpus_planned_by_month, peak_month):
    """What is bought for the peak month."""
    return pick(gpus_planned_by_month, peak_month, over="month")
