"""vLLM: how full the KV caches are and how many requests come, by the pods that serve."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from planner.evidence.devices import POD
from planner.evidence.names import CLUSTER, NODE, RATE, VLLM, quantities
from planner.evidence.sample import Found, Sample
from planner.problem import Said, said


@dataclass(frozen=True)
class Serving:
    """One serving process: where it runs, what it serves, KV-cache use by engine (0 to 1), requests a second."""

    pod: tuple[str, str]
    node: str
    cluster: str
    model: str
    kv: tuple[float, ...]
    requests: float | None


def servings(found: Iterable[Found], seconds_between: float | None = None) -> tuple[list[Serving], list[Said]]:
    """Every process that serves. KV caches stand by engine; requests need a server's rate or two scrapes."""
    read = quantities(VLLM)
    sources = list(found)
    remarks: list[Said] = []
    gauges: dict[tuple[object, ...], dict[str, tuple[int, float]]] = {}
    about: dict[tuple[object, ...], Sample] = {}
    rates: dict[tuple[object, ...], float] = {}
    for s in (s for source in sources for s in source.samples):
        if not s.known:
            if s.name in read:
                about.setdefault(_process(s), s)
        elif s.name.startswith(RATE):
            rates[_process(s)] = rates.get(_process(s), 0.0) + s.value
        elif s.name in read:
            what, rank = read[s.name]
            about.setdefault(_process(s), s)
            if what == "kv":
                engines = gauges.setdefault(_process(s), {})
                engine = s.get("engine", "engine_index")
                if not 0 <= s.value <= 1:
                    remarks.append(said("{metric}: {value} is outside 0 to 1; not used.",
                                        metric=s.name, value=f"{s.value:g}"))  # fmt: skip
                elif engine not in engines or rank <= engines[engine][0]:
                    engines[engine] = (rank, s.value)
    counted, more = _two_scrapes(sources, read, seconds_between)
    remarks += more
    rates |= {k: v for k, v in counted.items() if k not in rates}
    made = [
        Serving(_pod(s), s.get(*NODE), s.get(*CLUSTER), s.get("model_name"),
                tuple(v for _, v in gauges.get(at, {}).values()), rates.get(at))
        for at, s in about.items()
    ]  # fmt: skip
    return made, list(dict.fromkeys(remarks))


def _two_scrapes(
    sources: list[Found], read: dict[str, tuple[str, int]], seconds_between: float | None
) -> tuple[dict[tuple[object, ...], float], list[Said]]:
    """Requests a second from the same counters in two files."""
    seen: dict[object, list[tuple[Sample, float | None]]] = {}
    for source in sources:
        for s in source.samples:
            if s.known and s.name in read and read[s.name][0] == "requests":
                seen.setdefault(s.series, []).append((s, s.time if s.time is not None else None))
    rates: dict[tuple[object, ...], float] = {}
    unknown: set[tuple[object, ...]] = set()
    has_rates = any(s.name.startswith(RATE) for source in sources for s in source.samples)
    remarks: list[Said] = []
    for scrapes in seen.values():
        at = _process(scrapes[0][0])
        if len(scrapes) < 2:
            if not has_rates:
                remarks.append(
                    said("Requests per s: counters need two scrapes; save the metrics twice and name both files.")
                )
            continue
        (first, start), (last, end) = sorted(scrapes, key=lambda x: (x[1] is None, x[1] or 0.0))[:: len(scrapes) - 1]
        apart = end - start if start is not None and end is not None and end > start else seconds_between
        if not apart:
            remarks.append(
                said("Requests per s: the two scrapes carry no times; say with --seconds-between how far apart.")
            )
        elif last.value < first.value:
            unknown.add(at)
            remarks.append(said("Requests per s: a counter began anew between the scrapes; unknown for that server."))
        else:
            rates[at] = rates.get(at, 0.0) + (last.value - first.value) / apart
    return {k: v for k, v in rates.items() if k not in unknown}, remarks


def _process(s: Sample) -> tuple[object, ...]:
    return (*_pod(s), s.get("instance"), s.get("model_name"))


def _pod(s: Sample) -> tuple[str, str]:
    for namespace, pod in POD:
        if s.labels.get(pod):
            return s.labels.get(namespace, ""), s.labels[pod]
    return "", ""


def mean_kv(found: Iterable[Serving]) -> float | None:
    """The mean over all engines: caches are apart, so their shares are never added up."""
    engines = [v for s in found for v in s.kv]
    return math.fsum(engines) / len(engines) if engines else None
