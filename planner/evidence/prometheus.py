"""A Prometheus server over its HTTP API: what is asked, and what is made of every way in which it can answer."""

from __future__ import annotations

import http.client
import json
import math
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planner.evidence.names import AVERAGED, FAMILIES, RATE, VLLM
from planner.evidence.sample import Found, Sample, Sieve
from planner.problem import InputProblems, Problem, Said, said

LARGEST = 64 << 20  # bytes of a reply
POINTS = 30  # of an averaged series over the window
OURS = "dcgm|gpu|hami|vllm|kpanda"


@dataclass(frozen=True)
class Server:
    """Where to ask. `seconds` bounds every reply; `window` is the stretch over which use is averaged; `token` is sent
    as a bearer token to this address only and never shown.
    """

    url: str
    seconds: float = 10.0
    window: float = 1800.0
    token: str = ""

    @property
    def title(self) -> str:
        """The address for people."""
        return self.url.rstrip("/")


def queries() -> dict[str, str]:
    """PromQL by what it asks for: every metric of a family as it stands now."""
    return {family: selector(sorted(n for names in metrics.values() for n in names))
            for family, metrics in FAMILIES.items()}  # fmt: skip


def selector(names: list[str]) -> str:
    """PromQL that selects metrics by name."""
    return '{__name__=~"' + "|".join(names) + '"}'


def rate_queries(window: float) -> dict[str, str]:
    """PromQL of requests a second; `rate` allows for counters that start anew."""
    return {name: f"rate({name}[{math.ceil(window)}s])" for name in VLLM["requests"]}


def read_prometheus(server: Server) -> Found:
    """Everything that is read, from one server. Raises InputProblems with every question that went wrong."""
    checked(server)
    found, sieve = Found(server.title), Sieve()
    problems: list[Problem] = []
    now = _ask(server, "query", {"query": "vector(1)"}, "vector")
    found.when = next((float(s["value"][0]) for s in now.result), None)
    for family, query in queries().items():
        try:
            reply = _ask(server, "query", {"query": query}, "vector")
        except InputProblems as bad:
            problems += bad.problems
            continue
        found.remarks += [
            said("{family}: the server warns: {warning}", family=family, warning=w) for w in reply.warnings
        ]
        found.samples += _vector(reply.result, sieve)
    if not problems:
        try:
            _averages(server, found, sieve)
            _rates(server, found)
            _missing_targets(server, found)
        except InputProblems as bad:
            problems += bad.problems
    if problems:
        raise InputProblems(problems)
    found.remarks += sieve.remarks(n for metrics in FAMILIES.values() for names in metrics.values() for n in names)
    return found


def checked(server: Server) -> None:
    """Refuse an address that cannot be asked."""
    parts = urllib.parse.urlsplit(server.url)
    wanted = said("an address such as http://prometheus.example:9090")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        _refuse("--prometheus", repr(server.url), wanted, said("name the server with http:// or https://"))
    if parts.username or parts.password:
        do = said("leave the password out; a token goes into the environment variable PROMETHEUS_TOKEN")
        _refuse("--prometheus", said("a password in the address"), wanted, do)


# ---- one question


@dataclass(frozen=True)
class Reply:
    """What a server gave: the series, and its own warnings."""

    result: list[Any]
    warnings: tuple[str, ...] = ()


class _Refused(urllib.request.HTTPRedirectHandler):
    """A redirect of a form is not followed: the question would be lost, and the token could leave the address."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _ask(server: Server, what: str, form: Mapping[str, str], kind: str) -> Reply:
    """One question to the API. Raises InputProblems that say what went wrong and what to do."""
    request = urllib.request.Request(
        f"{server.title}/api/v1/{what}", urllib.parse.urlencode(form).encode(), {"Accept": "application/json"}
    )
    if server.token:
        request.add_unredirected_header("Authorization", f"Bearer {server.token}")
    try:
        with urllib.request.build_opener(_Refused).open(request, timeout=server.seconds) as reply:
            body = _within(reply, server.seconds)
    except urllib.error.HTTPError as error:
        _http_error(server, form["query"], error)
    except TimeoutError:
        _silent(server)
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            _silent(server)
        do = said("check the address and the port, and that the server runs")
        _refuse(server.title, said("no server that answers ({reason})", reason=error.reason), _WANTED, do)
    except (http.client.HTTPException, OSError, ValueError) as error:
        do = said("check that this is the address of the server itself")
        _refuse(server.title, said("a reply that broke off ({reason})", reason=type(error).__name__), _WANTED, do)
    if len(body) > LARGEST:
        do = said("ask a server that holds fewer series")
        _refuse(server.title, said("a reply of more than {size} MB", size=LARGEST >> 20), said("a shorter reply"), do)
    return parsed_reply(body, kind, server.title, form["query"])


_WANTED = said("the reply of a Prometheus server")


def _within(reply: http.client.HTTPResponse, seconds: float) -> bytes:
    """The body, up to the largest that is read. Raises TimeoutError where it does not end in time."""
    end, parts, size = time.monotonic() + seconds, [], 0
    while size <= LARGEST and (part := reply.read1(1 << 16)):
        parts.append(part)
        size += len(part)
        if time.monotonic() > end:
            raise TimeoutError
    return b"".join(parts)


def parsed_reply(body: bytes, kind: str, place: str, query: str = "") -> Reply:
    """The body of a reply. Raises InputProblems for an error, for anything else than JSON and for another type."""
    try:
        reply = json.loads(body)
    except ValueError:
        do = said("check that the address is that of Prometheus, without a page behind it")
        start = body[:40].decode("utf-8", "replace").strip()
        _refuse(place, said("no JSON but {start!r}", start=start), _WANTED, do)
    if not isinstance(reply, dict) or reply.get("status") not in ("success", "error"):
        do = said("check that the address is that of Prometheus, without a page behind it")
        _refuse(place, said("JSON without a status"), _WANTED, do)
    if reply["status"] == "error":
        _server_error(place, query, reply)
    data = reply.get("data")
    if not isinstance(data, dict) or data.get("resultType") != kind or not isinstance(data.get("result"), list):
        got = data.get("resultType") if isinstance(data, dict) else None
        do = said("check that the address is that of Prometheus, without a page behind it")
        _refuse(place, said("a result of type {type!r}", type=got), said("a result of type {type!r}", type=kind), do)
    warnings = [*(reply.get("warnings") or ()), *(reply.get("infos") or ())]
    return Reply(data["result"], tuple(str(w) for w in warnings))


def _http_error(server: Server, query: str, error: urllib.error.HTTPError) -> None:
    with error:
        body = error.read(1 << 16)
    try:
        reply = json.loads(body)
    except ValueError:
        reply = None
    if isinstance(reply, dict) and reply.get("status") == "error":
        _server_error(server.title, query, reply)
    do = said("check the address; behind a gateway, with its path")
    if error.code in (401, 403):
        do = said("put a token into the environment variable PROMETHEUS_TOKEN")
    if error.code >= 500:
        do = said("try again later, or ask who runs the server")
    _refuse(server.title, said("HTTP status {code}", code=error.code), _WANTED, do)


def _server_error(place: str, query: str, reply: Mapping[str, Any]) -> None:
    kind, text = str(reply.get("errorType", "")), str(reply.get("error", ""))
    do = said("ask who runs the server; the question was {query}", query=query or "–")
    if kind in ("timeout", "canceled", "unavailable"):
        do = said("try again later, or with a shorter --window")
    _refuse(place, said("the error {type}: {text}", type=kind, text=text), said("a result"), do)


def _silent(server: Server) -> None:
    found = said("no answer within {seconds} s", seconds=f"{server.seconds:g}")
    _refuse(server.title, found, _WANTED, said("try again with a longer --timeout, or a shorter --window"))


def _refuse(place: str, found: str, wanted: Said, do: Said) -> Any:
    raise InputProblems([Problem(place, found, wanted, do)])


# ---- series


def _vector(result: list[Any], sieve: Sieve) -> list[Sample]:
    """Samples of an instant reply; values are strings, NaN and +Inf are unknown and counted."""
    found = []
    for metric, points in _series(result, "value"):
        name = metric.pop("__name__", "")
        found += [Sample(name, metric, sieve.figure(name, value), moment) for moment, value in points]
    return found


def _series(result: list[Any], key: str) -> Iterator[tuple[dict[str, str], list[tuple[float, float]]]]:
    """Labels and points; what is not shaped as the API shapes it has no points."""
    for one in result:
        labels = one.get("metric") if isinstance(one, dict) else None
        raw = one.get(key) if isinstance(one, dict) else None
        listed = raw if key == "values" else [raw]
        points = []
        for point in listed if isinstance(listed, list) else ():
            try:
                moment, value = point
                points.append((float(moment), float(value)))
            except (TypeError, ValueError):
                points.append((math.nan, math.nan))
        yield {str(k): str(v) for k, v in (labels or {}).items()}, points


def saved_reply(body: bytes, title: str) -> Found:
    """A reply that somebody saved: a vector, or a matrix of which the finite points are averaged."""
    kind = "matrix" if b'"matrix"' in body else "vector"
    reply = parsed_reply(body, kind, title)
    found, sieve = Found(title), Sieve()
    found.remarks += [said("{family}: the server warns: {warning}", family=title, warning=w) for w in reply.warnings]
    if kind == "vector":
        found.samples = _vector(reply.result, sieve)
    else:
        found.samples = [s for s, _ in _means(reply.result, sieve)]
    names = {s.name for s in found.samples}
    found.remarks += sieve.remarks(names | {n for n, _ in sieve.dropped})
    times = [s.time for s in found.samples if s.time is not None]
    found.when = max(times, default=None)
    return found


def _means(result: list[Any], sieve: Sieve) -> Iterator[tuple[Sample, int]]:
    """The mean of the finite points of each series, with their number; a series without any is left out."""
    for metric, points in _series(result, "values"):
        name = metric.pop("__name__", "")
        finite = [(t, v) for t, v in points if math.isfinite(sieve.figure(name, v))]
        if finite:
            mean = math.fsum(v for _, v in finite) / len(finite)
            yield Sample(name, metric, mean, finite[-1][0]), len(finite)


def _averages(server: Server, found: Found, sieve: Sieve) -> None:
    """Put the mean over the window in place of a single moment; missing points are said, never filled."""
    if found.when is None or not any(s.name in AVERAGED for s in found.samples):
        return
    step = max(1.0, server.window / POINTS)
    asked = {"query": selector(sorted(AVERAGED)), "start": f"{found.when - server.window:.3f}",
             "end": f"{found.when:.3f}", "step": f"{step:g}"}  # fmt: skip
    reply = _ask(server, "query_range", asked, "matrix")
    means = {sample.series: (sample, count) for sample, count in _means(reply.result, sieve)}
    wanted = int(server.window / step) + 1
    gaps = 0
    for i, sample in enumerate(found.samples):
        if sample.series in means:
            found.samples[i], count = means[sample.series]
            gaps += count < wanted
    if gaps:
        found.remarks.append(
            said("{count} series have gaps in the last {minutes} minutes; their means leave the gaps out.",
                 count=gaps, minutes=f"{server.window / 60:g}"))  # fmt: skip


def _rates(server: Server, found: Found) -> None:
    """Requests a second of each counter that the server holds."""
    held = {s.name for s in found.samples}
    sieve = Sieve()
    for name, query in rate_queries(server.window).items():
        if name in held:
            reply = _ask(server, "query", {"query": query}, "vector")
            for metric, points in _series(reply.result, "value"):
                found.samples += [
                    Sample(f"{RATE}{name}", metric, sieve.figure(name, v), moment) for moment, v in points
                ]


def _missing_targets(server: Server, found: Found) -> None:
    """Targets that are down: their GPUs are not in the figures, and nothing else would say so."""
    reply = _ask(server, "query", {"query": "up == 0"}, "vector")
    for metric, _ in _series(reply.result, "value"):
        job, instance = metric.get("job", ""), metric.get("instance", "")
        if any(word in f"{job} {instance}".casefold() for word in OURS.split("|")):
            found.remarks.append(
                said(
                    "The target {job} {instance} is down: what it would report is not counted.",
                    job=job,
                    instance=instance,
                )
            )
