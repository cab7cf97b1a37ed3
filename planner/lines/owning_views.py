"""Chapter 10, last part: what own against rent against API comes to, in words and in charts."""

from planner.calc.vocabulary import both, either, fixed, join, known, or_else, say, smallest, where
from planner.lines.method import line

# ---- the findings


def _use(turn, percent):
    """A break-even utilisation in words; above 100 % there is none at this size."""
    words = where(or_else(turn, 0) > 1, say("never"), join(fixed(or_else(turn, 0) * percent, 0), " %"))
    return where(known(turn), words, say("not known"))


@line(unit="sentence", label="Finding", source="owning.8")
def owning_said(own_sum, rent_sum, api_sum, own_vs_rent, fleet_utilisation, percent, currency):
    """Which way is the cheapest over the plan, and on which side of the break-even it lies."""
    cheapest = smallest(or_else(own_sum, rent_sum), rent_sum, or_else(api_sum, rent_sum))
    own = where(known(own_sum), or_else(own_sum, 0) <= cheapest, 0)
    api = where(known(api_sum), or_else(api_sum, 0) <= cheapest, 0)
    way = where(own, say("Owning"), where(api, say("The API"), say("Renting")))
    above = join(
        "; owning pays above ", fixed(or_else(own_vs_rent, 0) * percent, 0), " % use, the plan reaches ",
        fixed(fleet_utilisation * percent, 0), " %",
    )  # fmt: skip
    turn = where(or_else(own_vs_rent, 0) > 1, say("; owning never pays at these prices"), above)
    best = join(" is cheapest over the plan: ", fixed(cheapest, 0), " ", currency, where(known(own_vs_rent), turn, ""))
    unknown = where(known(own_sum), say("the API is not known"), say("owning is not known"))
    unknown = where(either(known(own_sum), known(api_sum)), unknown, say("owning and the API are not known"))
    gap = where(both(known(own_sum), known(api_sum)), "", join("; ", unknown))
    alone = join("Renting costs ", fixed(or_else(rent_sum, 0), 0), " ", currency, " over the plan", gap, ".")
    words = where(either(known(own_sum), known(api_sum)), join(way, best, gap, "."), alone)
    return where(known(rent_sum), where(rent_sum > 0, words, say("Nothing runs on GPUs.")), say("GPU cost is unknown."))


@line(unit="sentence", label="Over the chart of the ways", source="owning.8")
def chart_ways_title(own_sum, rent_sum, api_sum, currency):
    """The three sums."""
    own = where(known(own_sum), fixed(or_else(own_sum, 0), 0), say("not known"))
    rent = where(known(rent_sum), fixed(or_else(rent_sum, 0), 0), say("not known"))
    api = where(known(api_sum), fixed(or_else(api_sum, 0), 0), say("not known"))
    return join("Over the plan, ", currency, ": own ", own, ", rent ", rent, ", API ", api)


@line(unit="sentence", label="Over the chart of the turn", source="owning.8")
def chart_turn_title(own_vs_rent, own_vs_api, percent):
    """The break-even utilisations."""
    rent, api = (_use(turn, percent) for turn in (own_vs_rent, own_vs_api))
    return join("Owning pays above: against rent ", rent, ", against the API ", api)


# ---- what the charts draw: a way that is not known hides behind one that is, and its name says so


def _drawn(way, second, third):
    """The first that is known: a path without a cost must not lie on the axis, as if it cost nothing."""
    return or_else(way, or_else(second, or_else(third, 0)))


@line(unit="money", label="Own, drawn", source="owning.9")
def own_drawn(own_to_date, rent_to_date, api_to_date):
    """Where owning is not known, the line of renting."""
    return _drawn(own_to_date, rent_to_date, api_to_date)


@line(unit="money", label="Rent, drawn", source="owning.9")
def rent_drawn(own_to_date, rent_to_date, api_to_date):
    """Where renting is not known, the line of owning."""
    return _drawn(rent_to_date, own_to_date, api_to_date)


@line(unit="money", label="API, drawn", source="owning.9")
def api_drawn(own_to_date, rent_to_date, api_to_date):
    """Where the API is not known, the line of renting."""
    return _drawn(api_to_date, rent_to_date, own_to_date)


@line(unit="money/Mtok", label="Own, drawn", source="owning.9")
def use_own_drawn(use_own, use_rent, use_api):
    """Where owning is not known, the line of renting."""
    return _drawn(use_own, use_rent, use_api)


@line(unit="money/Mtok", label="Rent, drawn", source="owning.9")
def use_rent_drawn(use_own, use_rent, use_api):
    """Where renting is not known, the line of owning."""
    return _drawn(use_rent, use_own, use_api)


@line(unit="money/Mtok", label="API, drawn", source="owning.9")
def use_api_drawn(use_own, use_rent, use_api):
    """Where the API is not known, the line of renting."""
    return _drawn(use_api, use_rent, use_own)


@line(unit="text", label="Name of the line: own", source="owning.9")
def own_called(own_sum):
    """In the legend."""
    return where(known(own_sum), say("Own"), say("Own: not known"))


@line(unit="text", label="Name of the line: rent", source="owning.9")
def rent_called(rent_sum):
    """In the legend."""
    return where(known(rent_sum), say("Rent"), say("Rent: not known"))


@line(unit="text", label="Name of the line: API", source="owning.9")
def api_called(api_sum):
    """In the legend."""
    return where(known(api_sum), say("API"), say("API: not known"))
