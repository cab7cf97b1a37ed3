"""Chapter 7, last part: ranges. Low, expected and high of what nobody knows, and what moves the plan most."""

from planner.calc.vocabulary import (
    both,
    exp,
    given,
    in_unit,
    join,
    known,
    largest,
    log,
    most,
    or_else,
    pick,
    position_of,
    ratio,
    rounded,
    same,
    say,
    smallest,
    total,
    where,
)
from planner.lines.method import portfolio_line as line

# ---- each driver against its expected value


@line(unit="flag", label="In use", source="range.1")
def range_used(range_name):
    """A row without a name is a spare row."""
    return given(range_name)


def _effect(value, expected, kind):
    """Effect of a value against that of the expected one; nothing typed is no effect."""
    got, base = or_else(value, 1), or_else(expected, 1)
    plus = ratio(1 + got, 1 + base, 1)
    return where(both(known(value), known(expected)), where(same(kind, "one_plus"), plus, ratio(got, base, 1)), 1)


@line(unit="factor", label="Effect of low", source="range.1")
def range_low_effect(range_used, range_low, range_expected, range_effect):
    """How far the low value moves what the driver acts on."""
    return where(range_used, _effect(range_low, range_expected, range_effect), 1)


@line(unit="factor", label="Effect of high", source="range.1")
def range_high_effect(range_used, range_high, range_expected, range_effect):
    """How far the high value moves it."""
    return where(range_used, _effect(range_high, range_expected, range_effect), 1)


@line(unit="factor", label="On tokens, lower", source="range.2")
def range_tokens_lower(range_acts_on, range_low_effect, range_high_effect):
    """The smaller of the two effects, where the driver acts on tokens."""
    return where(same(range_acts_on, "tokens"), smallest(range_low_effect, range_high_effect), 1)


@line(unit="factor", label="On tokens, upper", source="range.2")
def range_tokens_upper(range_acts_on, range_low_effect, range_high_effect):
    """The larger of the two."""
    return where(same(range_acts_on, "tokens"), largest(range_low_effect, range_high_effect), 1)


def _gpus(acts_on, effect, tokens):
    """Peak moves GPUs with it, speed against it, tokens as tokens."""
    speed = where(same(acts_on, "speed"), ratio(1, effect, 1), 1)
    return tokens * where(same(acts_on, "peak"), effect, speed)


@line(unit="factor", label="On GPUs, lower", source="range.2")
def range_gpus_lower(range_acts_on, range_low_effect, range_high_effect, range_tokens_lower):
    """Tokens and peak with the driver, speed against it."""
    low, high = (_gpus(range_acts_on, e, range_tokens_lower) for e in (range_low_effect, range_high_effect))
    return smallest(low, high)


@line(unit="factor", label="On GPUs, upper", source="range.2")
def range_gpus_upper(range_acts_on, range_low_effect, range_high_effect, range_tokens_upper):
    """The larger of the two."""
    low, high = (_gpus(range_acts_on, e, range_tokens_upper) for e in (range_low_effect, range_high_effect))
    return largest(low, high)


@line(unit="factor", label="On prices, lower", source="range.2")
def range_price_lower(range_acts_on, range_low_effect, range_high_effect):
    """The smaller of the two effects, where the driver acts on prices."""
    return where(same(range_acts_on, "price"), smallest(range_low_effect, range_high_effect), 1)


@line(unit="factor", label="On prices, upper", source="range.2")
def range_price_upper(range_acts_on, range_low_effect, range_high_effect):
    """The larger of the two."""
    return where(same(range_acts_on, "price"), largest(range_low_effect, range_high_effect), 1)


# ---- the figures in parts


@line(unit="money", label="API, first year", source="range.3")
def range_api_part(spend_input, spend_output):
    """Moves with tokens and prices."""
    return spend_input + spend_output


@line(unit="money", label="GPUs, first year", source="range.3")
def range_gpu_part(spend_gpu):
    """Moves with GPUs, unrounded, and prices."""
    return spend_gpu


@line(unit="money", label="What does not move, first year", source="range.3")
def range_fixed_part(annual_tco, range_api_part, range_gpu_part):
    """People, network and power."""
    return annual_tco - range_api_part - range_gpu_part


@line(unit="factor", label="Expected", source="range.3")
def range_expected_figure(range_figure, first_year_tokens, gpus_with_buffer_and_ha, annual_tco, cost_per_mtok):
    """The figure that is ranged: chosen on Plan."""
    money = where(same(range_figure, "tco"), in_unit(annual_tco, "factor"), in_unit(cost_per_mtok, "factor"))
    gpus = where(same(range_figure, "gpus"), in_unit(gpus_with_buffer_and_ha, "factor"), money)
    return where(same(range_figure, "tokens"), in_unit(first_year_tokens, "factor"), gpus)


def _figure(which, tokens, gpus, price, parts, expected, first_year_tokens, tokens_per_mtok):
    """The figure under factors on tokens, GPUs and prices."""
    fixed, api, gpu = parts
    tco = in_unit(fixed + api * tokens * price + gpu * gpus * price, "factor")
    per_mtok = ratio(tco * in_unit(tokens_per_mtok, "factor"), in_unit(first_year_tokens, "factor") * tokens, 0)
    return where(
        same(which, "tokens"),
        expected * tokens,
        where(same(which, "gpus"), expected * gpus, where(same(which, "tco"), tco, per_mtok)),
    )


@line(unit="factor", label="With the lower effects", source="range.4")
def range_bar_a(
    range_figure, range_tokens_lower, range_gpus_lower, range_price_lower, range_fixed_part, range_api_part,
    range_gpu_part, range_expected_figure, first_year_tokens, tokens_per_mtok,
):  # fmt: skip
    """One driver at a time, the others as expected."""
    parts = (range_fixed_part, range_api_part, range_gpu_part)
    return _figure(
        range_figure, range_tokens_lower, range_gpus_lower, range_price_lower, parts, range_expected_figure,
        first_year_tokens, tokens_per_mtok,
    )  # fmt: skip


@line(unit="factor", label="With the upper effects", source="range.4")
def range_bar_b(
    range_figure, range_tokens_upper, range_gpus_upper, range_price_upper, range_fixed_part, range_api_part,
    range_gpu_part, range_expected_figure, first_year_tokens, tokens_per_mtok,
):  # fmt: skip
    """One driver at a time, the others as expected."""
    parts = (range_fixed_part, range_api_part, range_gpu_part)
    return _figure(
        range_figure, range_tokens_upper, range_gpus_upper, range_price_upper, parts, range_expected_figure,
        first_year_tokens, tokens_per_mtok,
    )  # fmt: skip


@line(unit="factor", label="Optimistic", source="range.4")
def range_bar_low(range_bar_a, range_bar_b):
    """The lower end of the driver's bar: more tokens can make a token cheaper."""
    return smallest(range_bar_a, range_bar_b)


@line(unit="factor", label="Pessimistic", source="range.4")
def range_bar_high(range_bar_a, range_bar_b):
    """The upper end of the driver's bar."""
    return largest(range_bar_a, range_bar_b)


@line(unit="share", label="Swing", source="range.4")
def range_swing(range_used, range_bar_low, range_bar_high, range_expected_figure):
    """Share of the expected figure, to nine decimals whatever its size: ties keep the order of the table."""
    wide = or_else(range_bar_high, 0) - or_else(range_bar_low, 0)
    return range_used * rounded(ratio(wide, or_else(range_expected_figure, 0), 0), 9)


# ---- ranked


@line(unit="share", label="Swing, by place", source="range.5")
def rival_swing(range_swing, place_number):
    """The same swings once more, so that each can be compared with all."""
    return pick(range_swing, place_number, over="range")


@line(unit="index", label="Rank", source="range.5")
def rival_rank(range_swing, rival_swing, range_number, place_number):
    """One more than how many swing further; ties in the order of the table."""
    further = total((range_swing > rival_swing) * 1, over="range")
    before = total(same(range_swing, rival_swing) * (range_number < place_number), over="range")
    return 1 + further + before


@line(unit="index", label="Row of the driver", source="range.5")
def ranked_row(rival_rank, place_number):
    """Which driver stands at this place."""
    return position_of(place_number, rival_rank, over="place")


@line(unit="text", label="Driver", source="range.5")
def ranked_label(range_label, range_name, ranked_row):
    """Its label, else its name."""
    label = pick(range_label, ranked_row, over="range")
    return where(given(label), label, pick(range_name, ranked_row, over="range"))


@line(unit="factor", label="Optimistic", source="range.5")
def ranked_low(range_bar_low, ranked_row):
    """The lower end of its bar."""
    return pick(range_bar_low, ranked_row, over="range")


@line(unit="factor", label="Pessimistic", source="range.5")
def ranked_high(range_bar_high, ranked_row):
    """The upper end of its bar."""
    return pick(range_bar_high, ranked_row, over="range")


@line(unit="factor", label="Width of the bar", source="range.5")
def ranked_width(ranked_high, ranked_low):
    """What the chart draws."""
    return ranked_high - ranked_low


# ---- all at once, and independent


def _so_far(before, factor):
    return before * factor


@line(unit="factor", label="Tokens, all lower", source="range.6", opening=1, along="range")
def all_tokens_lower(all_tokens_lower_before, range_tokens_lower):
    """The product of all drivers."""
    return _so_far(all_tokens_lower_before, range_tokens_lower)


@line(unit="factor", label="Tokens, all upper", source="range.6", opening=1, along="range")
def all_tokens_upper(all_tokens_upper_before, range_tokens_upper):
    """The product of all drivers."""
    return _so_far(all_tokens_upper_before, range_tokens_upper)


@line(unit="factor", label="GPUs, all lower", source="range.6", opening=1, along="range")
def all_gpus_lower(all_gpus_lower_before, range_gpus_lower):
    """The product of all drivers."""
    return _so_far(all_gpus_lower_before, range_gpus_lower)


@line(unit="factor", label="GPUs, all upper", source="range.6", opening=1, along="range")
def all_gpus_upper(all_gpus_upper_before, range_gpus_upper):
    """The product of all drivers."""
    return _so_far(all_gpus_upper_before, range_gpus_upper)


@line(unit="factor", label="Prices, all lower", source="range.6", opening=1, along="range")
def all_price_lower(all_price_lower_before, range_price_lower):
    """The product of all drivers."""
    return _so_far(all_price_lower_before, range_price_lower)


@line(unit="factor", label="Prices, all upper", source="range.6", opening=1, along="range")
def all_price_upper(all_price_upper_before, range_price_upper):
    """The product of all drivers."""
    return _so_far(all_price_upper_before, range_price_upper)


@line(unit="index", label="Last driver", source="range.6")
def range_last(range_number):
    """Where the products are whole."""
    return most(range_number, over="range")


def _together(tokens, gpus, price, last):
    return (pick(x, last, over="range") for x in (tokens, gpus, price))


@line(unit="factor", label="All at once, one end", source="range.6")
def range_all_a(
    range_figure, all_tokens_lower, all_gpus_lower, all_price_lower, range_last, range_fixed_part, range_api_part,
    range_gpu_part, range_expected_figure, first_year_tokens, tokens_per_mtok,
):  # fmt: skip
    """Every driver at its lower effect."""
    tokens, gpus, price = _together(all_tokens_lower, all_gpus_lower, all_price_lower, range_last)
    parts = (range_fixed_part, range_api_part, range_gpu_part)
    return _figure(range_figure, tokens, gpus, price, parts, range_expected_figure, first_year_tokens, tokens_per_mtok)


@line(unit="factor", label="All at once, other end", source="range.6")
def range_all_b(
    range_figure, all_tokens_upper, all_gpus_upper, all_price_upper, range_last, range_fixed_part, range_api_part,
    range_gpu_part, range_expected_figure, first_year_tokens, tokens_per_mtok,
):  # fmt: skip
    """Every driver at its upper effect."""
    tokens, gpus, price = _together(all_tokens_upper, all_gpus_upper, all_price_upper, range_last)
    parts = (range_fixed_part, range_api_part, range_gpu_part)
    return _figure(range_figure, tokens, gpus, price, parts, range_expected_figure, first_year_tokens, tokens_per_mtok)


@line(unit="factor", label="Optimistic, all at once", source="range.6")
def range_optimistic(range_all_a, range_all_b):
    """Everything turns out well together: hardly ever."""
    return smallest(range_all_a, range_all_b)


@line(unit="factor", label="Pessimistic, all at once", source="range.6")
def range_pessimistic(range_all_a, range_all_b):
    """Everything turns out badly together: hardly ever."""
    return largest(range_all_a, range_all_b)


@line(unit="factor", label="Square of the lower part", source="range.7")
def range_below_square(range_used, range_bar_low, range_expected_figure):
    """Drivers that have nothing to do with each other add by their squares."""
    below = range_expected_figure - range_bar_low
    return range_used * below * below


@line(unit="factor", label="Square of the upper part", source="range.7")
def range_above_square(range_used, range_bar_high, range_expected_figure):
    """The same above the expected figure."""
    above = range_bar_high - range_expected_figure
    return range_used * above * above


def _root(square):
    """exp(ln(x) / 2); nothing for nothing."""
    return where(square > 0, exp(log(square) / 2), 0)


@line(unit="factor", label="Squares below together", source="range.7")
def range_below_sum(range_below_square):
    """All drivers."""
    return total(range_below_square, over="range")


@line(unit="factor", label="Squares above together", source="range.7")
def range_above_sum(range_above_square):
    """All drivers."""
    return total(range_above_square, over="range")


@line(unit="factor", label="Low, independent", source="range.7")
def range_low_end(range_expected_figure, range_below_sum):
    """Drivers that move apart from each other."""
    return range_expected_figure - _root(range_below_sum)


@line(unit="factor", label="High, independent", source="range.7")
def range_high_end(range_expected_figure, range_above_sum):
    """Drivers that move apart from each other."""
    return range_expected_figure + _root(range_above_sum)


@line(unit="sentence", label="The figure in words", source="range.3")
def range_words(range_figure, currency):
    """Which figure is ranged; the choice stands on Plan."""
    money = where(
        same(range_figure, "tco"),
        join("TCO of the first year, ", currency),
        join("Unit cost, ", currency, " per M tokens"),
    )
    gpus = where(same(range_figure, "gpus"), say("GPUs in the peak month, before rounding"), money)
    return where(same(range_figure, "tokens"), say("Tokens of the first year"), gpus)


@line(unit="sentence", label="Over the tornado", source="range.5")
def chart_tornado_title(ranked_label):
    """The question with its answer."""
    return join(pick(ranked_label, 1, over="place"), " moves it most")
