"""Chapter 7, ranges: the four figures between their ends, what moves the chosen one most, and the random draws."""

from planner.calc.vocabulary import (
    absolute,
    both,
    digits,
    either,
    exp,
    fixed,
    given,
    in_unit,
    join,
    known,
    largest,
    least,
    log,
    most,
    opposite,
    or_else,
    pick,
    position_of,
    ratio,
    rounded,
    same,
    say,
    smallest,
    stack,
    total,
    where,
)
from planner.lines.method import portfolio_line as line

# ---- TCO in parts


@line(unit="money", label="API, first year", source="range.7")
def range_api_part(spend_input, spend_output):
    """Moves with tokens and prices."""
    return spend_input + spend_output


@line(unit="money", label="What does not move, first year", source="range.7")
def range_fixed_part(annual_tco, range_api_part, spend_gpu):
    """People, network and power: API money moves with tokens and prices, GPU money with GPUs, unrounded, and prices."""
    return annual_tco - range_api_part - spend_gpu


@line(unit="share", label="API in TCO", source="range.7")
def range_api_share(range_api_part, annual_tco):
    """Nothing where one of the two is not known."""
    return ratio(or_else(range_api_part, 0), or_else(annual_tco, 0), 0)


@line(unit="share", label="GPUs in TCO", source="range.7")
def range_gpu_share(spend_gpu, annual_tco):
    """Nothing where one of the two is not known."""
    return ratio(or_else(spend_gpu, 0), or_else(annual_tco, 0), 0)


# ---- the four figures


@line(unit="factor", label="Expected", source="range.7")
def figure_expected(first_year_tokens, gpus_with_buffer_and_ha, annual_tco, cost_per_mtok):
    """What the plan says: tokens of the first year, GPUs of the peak month before rounding, TCO and unit cost."""
    money = {"tco": in_unit(annual_tco, "factor"), "unit_cost": in_unit(cost_per_mtok, "factor")}
    tokens, gpus = in_unit(first_year_tokens, "factor"), in_unit(gpus_with_buffer_and_ha, "factor")
    return stack("figure", {"tokens": tokens, "gpus": gpus, **money})


def _figures(tokens, api, gpus, gpu_cost, price, api_share, gpu_share):
    """Each figure against its expected value, from what moves tokens, API money, GPUs, GPU money and prices."""
    tco = 1 - api_share - gpu_share + (api_share * api + gpu_share * gpu_cost) * price
    return stack("figure", {"tokens": tokens, "gpus": gpus, "tco": tco, "unit_cost": ratio(tco, tokens, 0)})


@line(unit="factor", label="One driver at a time, against expected", source="range.7")
def range_factor(range_tokens, range_api, range_gpus, range_gpu_cost, range_price, range_api_share, range_gpu_share):
    """The other drivers as expected."""
    return _figures(range_tokens, range_api, range_gpus, range_gpu_cost, range_price, range_api_share, range_gpu_share)


@line(unit="factor", label="Lower end of the driver, against expected", source="range.7")
def range_least(range_factor):
    """More tokens can make a token cheaper: the smaller of the two ends."""
    return least(range_factor, over="end")


@line(unit="factor", label="Upper end of the driver, against expected", source="range.7")
def range_most(range_factor):
    """The larger of the two ends."""
    return most(range_factor, over="end")


# ---- all at once


@line(unit="factor", label="All at once, against expected", source="range.8")
def all_factor(all_tokens, all_api, all_gpus, all_gpu_cost, all_price, range_api_share, range_gpu_share):
    """Each figure with every driver at this end."""
    return _figures(all_tokens, all_api, all_gpus, all_gpu_cost, all_price, range_api_share, range_gpu_share)


@line(unit="factor", label="Optimistic", source="range.8")
def figure_optimistic(figure_expected, all_factor):
    """Everything turns out well together: hardly ever; for unit cost each driver's end is chosen by itself: of wide
    ranges another combination may be better.
    """
    return figure_expected * least(all_factor, over="end")


@line(unit="factor", label="Pessimistic", source="range.8")
def figure_pessimistic(figure_expected, all_factor):
    """Everything turns out badly together: hardly ever; for unit cost each driver's end is chosen by itself: of wide
    ranges another combination may be worse.
    """
    return figure_expected * most(all_factor, over="end")


# ---- independent: drivers that have nothing to do with each other add by their squares


@line(unit="factor", label="Squares below", source="range.9")
def figure_below(range_least):
    """All drivers, against expected."""
    return total((1 - range_least) * (1 - range_least), over="range")


@line(unit="factor", label="Squares above", source="range.9")
def figure_above(range_most):
    """All drivers, against expected."""
    return total((range_most - 1) * (range_most - 1), over="range")


def _root(square):
    """exp(ln(x) / 2); nothing for nothing."""
    return where(square > 0, exp(log(square) / 2), 0)


@line(unit="factor", label="Low, independent", source="range.9")
def figure_low(figure_expected, figure_below, figure_optimistic):
    """Drivers that move apart from each other; the root of squares is for small swings: of large ones it would lie
    beyond all of them at once, even below zero, and ends there.
    """
    return largest(figure_optimistic, figure_expected * (1 - _root(figure_below)))


@line(unit="factor", label="High, independent", source="range.9")
def figure_high(figure_expected, figure_above, figure_pessimistic):
    """Drivers that move apart from each other; at most all of them at once."""
    return smallest(figure_pessimistic, figure_expected * (1 + _root(figure_above)))


# ---- the chosen figure, and what moves it most


@line(unit="flag", label="Chosen", source="range.10")
def figure_chosen(range_figure):
    """Which figure the tornado shows: chosen on Plan."""
    return stack("figure", {k: same(range_figure, k) for k in ("tokens", "gpus", "tco", "unit_cost")})


@line(unit="factor", label="Expected, of the chosen figure", source="range.10")
def range_expected_figure(figure_expected, figure_chosen):
    """What every bar starts from."""
    return pick(figure_expected, position_of(1, figure_chosen, over="figure"), over="figure")


@line(unit="factor", label="Lower end, of the chosen figure", source="range.10")
def range_chosen_least(range_least, figure_chosen):
    """Against expected."""
    return total(range_least * figure_chosen, over="figure")


@line(unit="factor", label="Upper end, of the chosen figure", source="range.10")
def range_chosen_most(range_most, figure_chosen):
    """Against expected."""
    return total(range_most * figure_chosen, over="figure")


@line(unit="factor", label="Optimistic", source="range.10")
def range_bar_low(range_expected_figure, range_chosen_least):
    """The lower end of the driver's bar."""
    return range_expected_figure * range_chosen_least


@line(unit="factor", label="Pessimistic", source="range.10")
def range_bar_high(range_expected_figure, range_chosen_most):
    """The upper end of the driver's bar."""
    return range_expected_figure * range_chosen_most


@line(unit="share", label="Swing", source="range.10")
def range_swing(range_used, range_chosen_least, range_chosen_most):
    """Share of the expected figure, to nine decimals whatever its size: ties keep the order of the table."""
    return range_used * rounded(range_chosen_most - range_chosen_least, 9)


@line(unit="share", label="Swing, by place", source="range.10")
def rival_swing(range_swing, place_number):
    """The same swings once more, so that each can be compared with all."""
    return pick(range_swing, place_number, over="range")


@line(unit="index", label="Rank", source="range.10")
def rival_rank(range_swing, rival_swing, range_number, place_number):
    """One more than how many swing further; ties in the order of the table."""
    further = total((range_swing > rival_swing) * 1, over="range")
    before = total(same(range_swing, rival_swing) * (range_number < place_number), over="range")
    return 1 + further + before


@line(unit="index", label="Row of the driver", source="range.10")
def ranked_row(rival_rank, place_number):
    """Which driver stands at this place."""
    return position_of(place_number, rival_rank, over="place")


@line(unit="text", label="Driver", source="range.10")
def ranked_label(range_label, range_name, ranked_row):
    """Its label, else its name."""
    label = pick(range_label, ranked_row, over="range")
    return where(given(label), label, pick(range_name, ranked_row, over="range"))


@line(unit="factor", label="Optimistic", source="range.10")
def ranked_low(range_bar_low, ranked_row):
    """The lower end of its bar."""
    return pick(range_bar_low, ranked_row, over="range")


@line(unit="factor", label="Pessimistic", source="range.10")
def ranked_high(range_bar_high, ranked_row):
    """The upper end of its bar."""
    return pick(range_bar_high, ranked_row, over="range")


@line(unit="factor", label="Width of the bar", source="range.10")
def ranked_width(ranked_high, ranked_low):
    """What the chart draws."""
    return ranked_high - ranked_low


# ---- words


@line(unit="text", label="Unit", source="range.7")
def figure_unit(currency):
    """What each figure counts."""
    per = join(currency, "/M tokens")
    return stack("figure", {"tokens": say("tokens"), "gpus": say("GPUs"), "tco": join(currency), "unit_cost": per})


@line(unit="sentence", label="The figure in words", source="range.10")
def range_words(range_figure, currency):
    """Which figure is ranged; the choice stands on Plan."""
    money = where(
        same(range_figure, "tco"),
        join("TCO of the first year, ", currency),
        join("Unit cost, ", currency, " per M tokens"),
    )
    gpus = where(same(range_figure, "gpus"), say("GPUs in the peak month, before rounding"), money)
    return where(same(range_figure, "tokens"), say("Tokens of the first year"), gpus)


@line(unit="sentence", label="Over the tornado", source="range.10")
def chart_tornado_title(ranked_label):
    """The question with its answer."""
    return join(pick(ranked_label, 1, over="place"), " moves it most")


# ---- random draws: computed when the plan was built, and whether they still belong to it


def _apart(now, then):
    """Whether two figures differ by more than dust, or one of them is not known."""
    both_known = both(known(now), known(then))
    gap = ratio(or_else(now, 0), or_else(then, 0), or_else(now, 0) + 1) - 1
    return where(both_known, absolute(rounded(gap, 9)) > 0, either(known(now), known(then)))


@line(unit="flag", label="Expected changed", source="range.11")
def expected_moved(figure_expected, drawn_expected):
    """Whether the plan says something else today than when the draws were made."""
    return _apart(figure_expected, drawn_expected)


@line(unit="flag", label="Optimistic changed", source="range.11")
def optimistic_moved(figure_optimistic, drawn_optimistic):
    """Whether the drivers do."""
    return _apart(figure_optimistic, drawn_optimistic)


@line(unit="flag", label="Pessimistic changed", source="range.11")
def pessimistic_moved(figure_pessimistic, drawn_pessimistic):
    """Whether the drivers do."""
    return _apart(figure_pessimistic, drawn_pessimistic)


@line(unit="flag", label="Changed since", source="range.11")
def figure_moved(drawn_draws, expected_moved, optimistic_moved, pessimistic_moved):
    """Any of the three, where there are draws."""
    return both(drawn_draws > 0, expected_moved + optimistic_moved + pessimistic_moved > 0)


@line(unit="count", label="Figures that have changed since", source="range.11")
def figures_moved(figure_moved):
    """None: the draws belong to this plan."""
    return total(figure_moved, over="figure")


@line(unit="flag", label="Drawn otherwise", source="range.11")
def draws_moved(range_draws, range_seed, drawn_draws, drawn_seed):
    """Number of draws or seed were changed since."""
    return opposite(both(same(range_draws, drawn_draws), same(range_seed, drawn_seed)))


@line(unit="sentence", label="State of the draws", source="range.11")
def drawn_state(range_draws, drawn_draws, figures_moved, draws_moved):
    """Random draws do not follow the inputs: they say so when they are stale."""
    fresh = say("○ Inputs are as they were when these were drawn")
    state = where(either(figures_moved > 0, draws_moved > 0), say("▲ Inputs have changed since: build again"), fresh)
    return where(range_draws + drawn_draws > 0, state, say("– No random draws"))


@line(unit="sentence", label="How they were drawn", source="range.11")
def drawn_words(drawn_draws, drawn_seed):
    """Enough to draw the same again."""
    return join(
        fixed(drawn_draws, 0), " draws with seed ", digits(drawn_seed),
        ", each driver on its own: triangular between its low and high value, highest at the expected one",
    )  # fmt: skip
