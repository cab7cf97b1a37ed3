"""What a source gives: samples with labels, remarks for people, and the values that only look like figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from planner.inputs.tables import PoolRow
from planner.problem import Said, said

MIB = 1024.0 * 1024.0
GB = 1e9
# What the driver's telemetry writes where it has no value: blank, not found, not supported, not permitted.
_BLANK_FLOAT = 140737488355328.0
_BLANKS = frozenset(
    [float(base + k) for base in (2147483632, 9223372036854775792) for k in range(4)]
    + [_BLANK_FLOAT + k for k in range(4)]
)


@dataclass(frozen=True)
class Sample:
    """One value of one series, NaN where it is unknown: the GPU is there all the same. `time` in seconds since 1970."""

    name: str
    labels: Mapping[str, str]
    value: float
    time: float | None = None

    def get(self, *names: str) -> str:
        """The first of these labels that is filled."""
        return next((self.labels[n] for n in names if self.labels.get(n)), "")

    @property
    def known(self) -> bool:
        """Whether the value is a figure."""
        return math.isfinite(self.value)

    @property
    def series(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """What tells the series from others."""
        return self.name, tuple(sorted(self.labels.items()))


@dataclass
class Found:
    """What one source gave: samples, objects of a cluster, finished rows. `title` names the source for people, `when`
    is its own time in seconds since 1970, `places` the cell of each row.
    """

    title: str
    samples: list[Sample] = field(default_factory=list)
    objects: list[Mapping[str, object]] = field(default_factory=list)
    rows: list[PoolRow] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    remarks: list[Said] = field(default_factory=list)
    when: float | None = None

    @property
    def empty(self) -> bool:
        """Nothing at all."""
        return not (self.samples or self.objects or self.rows)


def blank(value: float) -> bool:
    """Whether a value is the telemetry's word for 'none'."""
    return value in _BLANKS


class Sieve:
    """Turns what is no figure into NaN and counts it by metric, so that one remark a metric says it."""

    def __init__(self) -> None:
        self.dropped: Counter[tuple[str, str]] = Counter()

    def figure(self, name: str, value: float) -> float:
        """The value, or NaN."""
        if math.isfinite(value) and not blank(value):
            return value
        self.dropped[name, "blank" if blank(value) else _word(value)] += 1
        return math.nan

    def remarks(self, only: Iterable[str]) -> list[Said]:
        """One for each metric that is read."""
        read = set(only)
        return [
            said("{metric}: {count} value(s) are {word}: unknown, not zero.", metric=name, count=count, word=word)
            for (name, word), count in sorted(self.dropped.items())
            if name in read
        ]


def _word(value: float) -> str:
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
