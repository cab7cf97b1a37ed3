"""Chapter 3, last part: the headroom bridge. From average load to what is bought, each factor once."""

from planner.calc.vocabulary import largest, pick, running, stack, total, where
from planner.lines.method import line


@line(unit="GPU", label="Step", source="capacity.8")
def model_step(
    model_gpus_peak, model_gpus_required, model_gpus_at_ceiling, model_gpus_planned, peak_month, peak_over_average,
    retry_rate, gpu_buffer, gpu_ha, ledger_basis, model_gpus_headroom,
):  # fmt: skip
    """What each factor adds in the peak month: average, peak, retries, buffer, HA, ceiling, and rounding."""
    retry = where(ledger_basis, 0, retry_rate)
    peak = pick(model_gpus_peak, peak_month, over="month")
    average = peak / (peak_over_average * (1 + retry))
    return stack(
        "step",
        {
            "average": average,
            "peak": average * (peak_over_average - 1),
            "retry": average * peak_over_average * retry,
            "buffer": peak * (gpu_buffer - 1),
            "ha": peak * gpu_buffer * (gpu_ha - 1),
            "headroom": pick(model_gpus_headroom, peak_month, over="month"),
            "ceiling": pick(model_gpus_at_ceiling, peak_month, over="month")
            - pick(model_gpus_required, peak_month, over="month"),
            "rounding": pick(model_gpus_planned, peak_month, over="month")
            - pick(model_gpus_at_ceiling, peak_month, over="month"),
        },
    )


@line(unit="money/month", label="Step", source="capacity.8")
def model_step_money(model_step, model_gpu_price, hours_per_month):
    """The same in money a month at the model's GPU price."""
    return model_step * model_gpu_price * hours_per_month


@line(unit="GPU", label="Step", source="capacity.8")
def step_gpus(model_step):
    """All models: the steps together are the GPUs to plan."""
    return total(model_step, over="model")


@line(unit="GPU", label="Level after", source="capacity.8")
def step_level(step_gpus):
    """How far the steps have come."""
    return running(step_gpus, along="step")


@line(unit="money/month", label="Money a month", source="capacity.8")
def step_money(model_step_money):
    """What each factor costs a month."""
    return total(model_step_money, over="model")


@line(unit="GPU", label="Level before", source="capacity.8")
def step_base(step_level, step_gpus):
    """Where the step starts: the invisible part of the chart's columns."""
    return largest(0, step_level - step_gpus)
