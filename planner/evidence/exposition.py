"""Saved metrics in the text format of Prometheus, line by line: a spoiled line is named and costs only itself."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from planner.evidence.names import READ
from planner.evidence.sample import Found, Sample, Sieve
from planner.problem import said

SHOWN = 5


def read_exposition(text: str, title: str) -> Found:
    """The samples of metrics that are read. A series that stands twice keeps its last value and is remarked."""
    found, sieve = Found(title), Sieve()
    kept: dict[object, Sample] = {}
    spoiled: list[int] = []
    twice = 0
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            plain = line.partition(" # {")[0]  # an exemplar stands behind the value
            parsed = [s for family in text_string_to_metric_families(plain + "\n") for s in family.samples]
        except (ValueError, IndexError, KeyError):  # what the parser raises for anything that is no sample
            spoiled.append(number)
            continue
        for one in parsed:
            if one.name not in READ:
                continue
            time = None if one.timestamp is None else float(one.timestamp)
            sample = Sample(one.name, dict(one.labels), sieve.figure(one.name, float(one.value)), time)
            twice += sample.series in kept
            kept[sample.series] = sample
    found.samples = list(kept.values())
    times = [s.time for s in found.samples if s.time is not None]
    found.when = max(times, default=None)
    found.remarks += sieve.remarks(READ)
    if spoiled:
        listed = ", ".join(map(str, spoiled[:SHOWN])) + (", …" if len(spoiled) > SHOWN else "")
        found.remarks.append(said("{file}: {count} line(s) are no metric and were left out: line {lines}.",
                                  file=title, count=len(spoiled), lines=listed))  # fmt: skip
    if twice:
        found.remarks.append(
            said("{file}: {count} series stand twice; the last value counts.", file=title, count=twice)
        )
    return found
