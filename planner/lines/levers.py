"""Chapter 6, last part: levers. They combine as a product of what remains, never as a sum."""

from planner.calc.vocabulary import or_else, ratio, same, total, where
from planner.lines.method import line


@line(unit="money", label="Input spend", source="lever.1")
def spend_input(api_input_by_month, plan_year):
    """API input of the first year, cached or not: what caching acts on."""
    return total(api_input_by_month, over="month", by=plan_year, equals=1)


@line(unit="money", label="Output spend", source="lever.1")
def spend_output(api_output_by_month, plan_year):
    """API output of the first year: what an output limit acts on."""
    return total(api_output_by_month, over="month", by=plan_year, equals=1)


@line(unit="money", label="GPU spend", source="lever.1")
def spend_gpu(gpu_cost_by_month, plan_year):
    """GPUs of the first year: what reservations act on."""
    return total(gpu_cost_by_month, over="month", by=plan_year, equals=1)


@line(unit="money", label="Spend that levers reach", source="lever.1")
def spend_total(spend_input, spend_output, spend_gpu):
    """All three bases; people, network and power are out of reach."""
    return spend_input + spend_output + spend_gpu


@line(unit="share", label="Active part", source="lever.2")
def lever_active(lever_on, lever_eligible_share):
    """Eligible share when the lever is on."""
    return where(same(lever_on, "yes"), or_else(lever_eligible_share, 0), 0)


@line(unit="flag", label="Acts on input", source="lever.2")
def lever_hits_input(lever_acts_on_input):
    """Batch and caching act on different bases."""
    return same(lever_acts_on_input, "yes")


@line(unit="flag", label="Acts on output", source="lever.2")
def lever_hits_output(lever_acts_on_output):
    """Output limits act on output alone."""
    return same(lever_acts_on_output, "yes")


@line(unit="flag", label="Acts on GPUs", source="lever.2")
def lever_hits_gpu(lever_acts_on_gpu):
    """Reservations act on GPUs alone."""
    return same(lever_acts_on_gpu, "yes")


def _left(before, active, saving, hits):
    return before * (1 - active * or_else(saving, 0) * hits)


@line(unit="money", label="Input left, expected", source="lever.3", opening="spend_input", along="lever")
def left_input(left_input_before, lever_active, lever_saving_expected, lever_hits_input):
    """What remains of input spend after this lever and those above it."""
    return _left(left_input_before, lever_active, lever_saving_expected, lever_hits_input)


@line(unit="money", label="Output left, expected", source="lever.3", opening="spend_output", along="lever")
def left_output(left_output_before, lever_active, lever_saving_expected, lever_hits_output):
    """What remains of output spend after this lever and those above it."""
    return _left(left_output_before, lever_active, lever_saving_expected, lever_hits_output)


@line(unit="money", label="GPUs left, expected", source="lever.3", opening="spend_gpu", along="lever")
def left_gpu(left_gpu_before, lever_active, lever_saving_expected, lever_hits_gpu):
    """What remains of GPU spend after this lever and those above it."""
    return _left(left_gpu_before, lever_active, lever_saving_expected, lever_hits_gpu)


@line(unit="money", label="Input left, low", source="lever.3", opening="spend_input", along="lever")
def left_input_low(left_input_low_before, lever_active, lever_saving_low, lever_hits_input):
    """With the low savings."""
    return _left(left_input_low_before, lever_active, lever_saving_low, lever_hits_input)


@line(unit="money", label="Output left, low", source="lever.3", opening="spend_output", along="lever")
def left_output_low(left_output_low_before, lever_active, lever_saving_low, lever_hits_output):
    """With the low savings."""
    return _left(left_output_low_before, lever_active, lever_saving_low, lever_hits_output)


@line(unit="money", label="GPUs left, low", source="lever.3", opening="spend_gpu", along="lever")
def left_gpu_low(left_gpu_low_before, lever_active, lever_saving_low, lever_hits_gpu):
    """With the low savings."""
    return _left(left_gpu_low_before, lever_active, lever_saving_low, lever_hits_gpu)


@line(unit="money", label="Input left, high", source="lever.3", opening="spend_input", along="lever")
def left_input_high(left_input_high_before, lever_active, lever_saving_high, lever_hits_input):
    """With the high savings."""
    return _left(left_input_high_before, lever_active, lever_saving_high, lever_hits_input)


@line(unit="money", label="Output left, high", source="lever.3", opening="spend_output", along="lever")
def left_output_high(left_output_high_before, lever_active, lever_saving_high, lever_hits_output):
    """With the high savings."""
    return _left(left_output_high_before, lever_active, lever_saving_high, lever_hits_output)


@line(unit="money", label="GPUs left, high", source="lever.3", opening="spend_gpu", along="lever")
def left_gpu_high(left_gpu_high_before, lever_active, lever_saving_high, lever_hits_gpu):
    """With the high savings."""
    return _left(left_gpu_high_before, lever_active, lever_saving_high, lever_hits_gpu)


@line(unit="money", label="Left after this lever", source="lever.4", opening="spend_total", along="lever")
def left_total(left_input, left_output, left_gpu):
    """All three bases, expected savings."""
    return left_input + left_output + left_gpu


@line(unit="money", label="Saved by this lever", source="lever.4", along="lever")
def lever_saving(left_total_before, left_total):
    """The drop in table order; only the total does not depend on the order."""
    return left_total_before - left_total


@line(unit="money", label="Saved by all levers, expected", source="lever.4")
def saving_total(lever_saving):
    """A product of what remains, so never more than what is spent."""
    return total(lever_saving, over="lever")


@line(unit="money", label="Left, low savings", source="lever.4", opening="spend_total", along="lever")
def left_total_low(left_input_low, left_output_low, left_gpu_low):
    """All three bases."""
    return left_input_low + left_output_low + left_gpu_low


@line(unit="money", label="Left, high savings", source="lever.4", opening="spend_total", along="lever")
def left_total_high(left_input_high, left_output_high, left_gpu_high):
    """All three bases."""
    return left_input_high + left_output_high + left_gpu_high


@line(unit="money", label="Saved, low", source="lever.4", along="lever")
def lever_saving_cautious(left_total_low_before, left_total_low):
    """The drop with low savings."""
    return left_total_low_before - left_total_low


@line(unit="money", label="Saved, high", source="lever.4", along="lever")
def lever_saving_bold(left_total_high_before, left_total_high):
    """The drop with high savings."""
    return left_total_high_before - left_total_high


@line(unit="money", label="Saved by all levers, low", source="lever.4")
def saving_total_low(lever_saving_cautious):
    """The cautious end of the range."""
    return total(lever_saving_cautious, over="lever")


@line(unit="money", label="Saved by all levers, high", source="lever.4")
def saving_total_high(lever_saving_bold):
    """The bold end of the range."""
    return total(lever_saving_bold, over="lever")


@line(unit="money", label="TCO after levers, first year", source="lever.5")
def tco_after_levers(annual_tco, saving_total):
    """What the plan would cost with the levers that are on."""
    return annual_tco - saving_total


@line(unit="share", label="Saving of TCO", source="lever.5")
def saving_share(saving_total, annual_tco):
    """How much the levers that are on take off."""
    return ratio(saving_total, annual_tco, 0)


@line(unit="flag", label="Counted twice", source="lever.6")
def lever_twice(lever_active, lever_same_as, cached_input_share, batch_share, ledger_basis, routed_requests):
    """Caching, batch or routing both as an input and as a lever."""
    cached = where(same(lever_same_as, "cached_input_share"), cached_input_share > 0, 0)
    batch = where(same(lever_same_as, "batch_share"), batch_share > 0, 0)
    routed = where(same(lever_same_as, "routing"), routed_requests > 0, 0)
    return where(lever_active > 0, where(ledger_basis, cached + batch + routed, cached + batch), 0)


@line(unit="count", label="Levers counted twice", source="lever.6")
def levers_twice(lever_twice):
    """Must be none."""
    return total(lever_twice, over="lever")
