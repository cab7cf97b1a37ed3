"""Chapter 10: the demand that is sure enough to be committed. Tiers that are protected or shaped, by model and GPU."""

from planner.calc.vocabulary import either, or_else, pick, ratio, same, total, where
from planner.lines.method import portfolio_line as line


@line(unit="flag", label="May be committed", source="portfolio.4")
def service_tier_firm(service_tier_protects, service_tier_shapes):
    """What is deferred or paused when supply is short needs no supply of its own: it waits for elastic GPUs."""
    return either(service_tier_protects, service_tier_shapes)


@line(unit="flag", label="May be committed", source="portfolio.4")
def stream_firm(stream_tier_row, service_tier_firm):
    """Its tier says so."""
    return where(stream_tier_row > 0, pick(service_tier_firm, stream_tier_row, over="service_tier"), 0)


@line(unit="token/s", label="Weighted load of its model", source="portfolio.3")
def instrument_ledger_load(
    instrument_in_gpus, instrument_model_row, instrument_output_weight, ledger_model_load, ledger_model_input_load,
    ledger_model_cached_load,
):  # fmt: skip
    """In the busiest second, from the use cases on it: input that is not cached, and output by its weight."""
    row, weight = instrument_model_row, or_else(instrument_output_weight, 1)
    load, reads, cached = (
        pick(x, row, over="model") for x in (ledger_model_load, ledger_model_input_load, ledger_model_cached_load)
    )
    weighed = reads - cached + weight * (load - reads)
    return where(instrument_in_gpus, 0, where(row > 0, weighed, 0))


@line(unit="token/s", label="Peak of firm tiers", source="portfolio.4")
def model_firm_load(stream_tokens, stream_peak_part, stream_firm, stream_model_row, model_number, coincidence):
    """Use cases of firm tiers on this model in the busiest second."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * stream_peak_part * stream_firm, over="stream") * coincidence


@line(unit="share", label="Firm part of tokens", source="portfolio.4")
def model_firm_share(model_firm_load, ledger_model_load):
    """Of the model's peak: for units of provisioned throughput."""
    return ratio(model_firm_load, ledger_model_load, 0)


@line(unit="GPU", label="GPUs by tier, all", source="portfolio.4")
def model_tier_gpus(stream_tokens, stream_gpu_part, stream_model_row, model_number):
    """Every use case on this model in its busiest second, with buffer, HA and headroom."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * stream_gpu_part, over="stream")


@line(unit="GPU", label="GPUs by tier, firm ones", source="portfolio.4")
def model_tier_gpus_firm(stream_tokens, stream_gpu_part, stream_firm, stream_model_row, model_number):
    """Those of firm tiers among them: tiers differ in headroom, and their use cases in what a token takes."""
    mine = same(stream_model_row, model_number)
    return total(mine * stream_tokens * stream_gpu_part * stream_firm, over="stream")


@line(unit="GPU", label="GPUs of firm tiers", source="portfolio.4")
def model_firm_gpus(model_gpus_planned, model_tier_gpus_firm, model_tier_gpus):
    """The firm part of the GPUs to plan, not rounded: what is bought is rounded later, once."""
    return model_gpus_planned * ratio(model_tier_gpus_firm, model_tier_gpus, 0)


@line(unit="GPU", label="GPUs of its kind for firm tiers", source="portfolio.4")
def instrument_firm_gpus(model_firm_gpus, model_gpu, instrument_gpu):
    """All models on this kind."""
    return total(model_firm_gpus, over="model", by=model_gpu, equals=instrument_gpu)


@line(unit="share", label="Firm part of its model", source="portfolio.4")
def instrument_firm_share(instrument_in_gpus, instrument_model_row, model_firm_share):
    """For units of provisioned throughput; 0 for GPUs, which have a line of their own."""
    served = where(instrument_model_row > 0, pick(model_firm_share, instrument_model_row, over="model"), 0)
    return where(instrument_in_gpus, 0, served)
