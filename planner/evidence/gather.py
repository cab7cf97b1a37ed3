"""From sources to rows: which kind a file is of, what all of them say together, and from when."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planner.evidence.devices import dcgm_groups, hami_groups
from planner.evidence.exposition import read_exposition
from planner.evidence.group import Group, combined
from planner.evidence.kpanda import kpanda_groups
from planner.evidence.merge import same_pool
from planner.evidence.names import short
from planner.evidence.nodes import node_groups
from planner.evidence.pools import OWN, pool_rows
from planner.evidence.prometheus import Server, read_prometheus, saved_reply
from planner.evidence.rows import looks_like_pools, read_csv
from planner.evidence.sample import Found
from planner.evidence.serving import servings
from planner.inputs.tables import PoolRow
from planner.problem import InputProblems, Problem, Said, said

LARGEST = 256 << 20
ENCODINGS = ("utf-8-sig", "gb18030")


@dataclass(frozen=True)
class Ask:
    """What to gather and how to name it. `day` overrides the sources' own dates."""

    files: tuple[Path, ...] = ()
    server: Server | None = None
    cluster: str = ""
    pool_label: str = ""
    day: dt.date | None = None
    seconds_between: float | None = None


@dataclass
class Evidence:
    """The rows, and what people must know about them."""

    rows: list[PoolRow] = field(default_factory=list)
    remarks: list[Said] = field(default_factory=list)


def gathered(ask: Ask) -> Evidence:
    """Everything that the sources say. Raises InputProblems where one cannot be read or none knows a GPU."""
    problems: list[Problem] = []
    sources: list[Found] = []
    for path in ask.files:
        try:
            sources.append(read_file(path))
        except InputProblems as bad:
            problems += bad.problems
    if ask.server is not None and not problems:
        try:
            sources.append(read_prometheus(ask.server))
        except InputProblems as bad:
            problems += bad.problems
    if problems:
        raise InputProblems(problems)
    evidence = Evidence(remarks=[r for s in sources for r in s.remarks])
    for source in (s for s in sources if s.rows):
        for row in source.rows:
            more = {"evidence_date": ask.day or row.evidence_date or _day(source),
                    "cluster": row.cluster or ask.cluster,
                    "evidence_source": row.evidence_source or f"{OWN}{source.title}"}  # fmt: skip
            evidence.rows.append(row.model_copy(update=more))
    _no_twins(evidence.rows, [p for s in sources for p in s.places])
    seen = [s for s in sources if not s.rows]
    if seen:
        _from_telemetry(seen, ask, evidence)
    if not evidence.rows:
        places = ", ".join(s.title for s in sources)
        do = said("name a server or a file with metrics of dcgm-exporter, HAMi or kpanda, or a list of nodes with GPUs")
        raise InputProblems([Problem(places, said("no GPU"), said("at least one pool of GPUs"), do)])
    evidence.remarks = list(dict.fromkeys(evidence.remarks))
    return evidence


def _no_twins(rows: list[PoolRow], places: list[str]) -> None:
    """A pool on two rows of tables: the second would take the place of the first. Raises InputProblems."""
    problems = []
    for i, row in enumerate(rows):
        first = next((j for j in range(i) if same_pool(rows[j], row)), None)
        if first is not None:
            found = said("{name!r} a second time (first in {first})", name=row.pool, first=places[first])
            do = said("delete one of the two, or name the cluster that tells them apart")
            problems.append(Problem(places[i], found, said("each pool once: its GPUs would count twice"), do))
    if problems:
        raise InputProblems(problems)


def _from_telemetry(sources: list[Found], ask: Ask, evidence: Evidence) -> None:
    samples = list({s.series: s for source in sources for s in source.samples}.values())
    objects = [o for source in sources for o in source.objects]
    views: list[list[Group]] = []
    readers = (
        lambda: node_groups(objects, ask.pool_label, ask.cluster), lambda: hami_groups(samples, ask.pool_label),
        lambda: dcgm_groups(samples, ask.pool_label), lambda: kpanda_groups(samples, ask.pool_label),
    )  # fmt: skip
    for reader in readers:
        view, remarks = reader()
        views.append(view)
        evidence.remarks += remarks
    if views[0]:
        views[1:] = [_on_listed_nodes(views[0], view, evidence) for view in views[1:]]
    groups, remarks = combined(views)
    serving, more = servings(sources, ask.seconds_between)
    day = ask.day or max((d for s in sources if (d := _day(s))), default=None)
    rows, last = pool_rows(groups, serving, ", ".join(s.title for s in sources), day, ask.cluster)
    evidence.rows += rows
    evidence.remarks += [*remarks, *more, *last]


def _on_listed_nodes(listed: list[Group], view: list[Group], evidence: Evidence) -> list[Group]:
    """A node list is whole: what metrics say of other nodes would be counted twice under another name."""
    names = {short(g.node) for g in listed}
    strangers = sorted({g.node for g in view if g.node and short(g.node) not in names})
    for node in strangers:
        evidence.remarks.append(
            said(
                "{node} is in the metrics but not in the node list: not counted. Save both at the same time.", node=node
            )
        )
    return [g for g in view if not g.node or short(g.node) in names]


def _day(source: Found) -> dt.date | None:
    return None if source.when is None else dt.datetime.fromtimestamp(source.when, dt.UTC).date()


# ---- files


def read_file(path: Path) -> Found:
    """A file of any kind that is read. Its date is that of its figures, else that of the file."""
    body = _body(path)
    if not body.strip():
        raise _unknown(path.name, said("an empty file"))
    text = _text(body)
    if text.lstrip()[:1] in ("{", "["):
        found = _json(text, path.name)
    elif looks_like_pools(text):
        found = read_csv(text, path.name)
    else:
        found = read_exposition(text, path.name)
    if found.empty:
        raise _unknown(path.name, said("nothing about GPUs"))
    if found.when is None:
        found.when = path.stat().st_mtime
    return found


def _body(path: Path) -> bytes:
    do = said("check the name and the folder")
    wanted = said("metrics, a node list or a CSV")
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise InputProblems([Problem(str(path), said("no file"), wanted, do)])
        if size > LARGEST:
            found = said("a file of {size} MB", size=size >> 20)
            raise InputProblems([Problem(str(path), found, wanted, said("save the GPU metrics alone"))])
        return path.read_bytes()
    except FileNotFoundError:
        raise InputProblems([Problem(str(path), said("no file"), wanted, do)]) from None
    except OSError as bad:
        reason = os.strerror(bad.errno) if bad.errno else str(bad)
        found = said("a file that cannot be read ({reason})", reason=reason)
        raise InputProblems([Problem(str(path), found, wanted, do)]) from None


def _text(body: bytes) -> str:
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return body.decode("utf-16", "replace")
    for encoding in ENCODINGS:
        try:
            return body.decode(encoding)
        except UnicodeDecodeError:
            continue
    return body.decode("utf-8", "replace")


def _json(text: str, title: str) -> Found:
    """A list of nodes (and pods), one node, or a saved reply of a Prometheus server."""
    try:
        document = json.loads(text.lstrip("\ufeff"))
    except ValueError as bad:
        do = said("save it afresh; it ends or breaks off at line {line}", line=getattr(bad, "lineno", "?"))
        raise InputProblems([Problem(title, said("JSON that breaks off"), said("whole JSON"), do)]) from None
    if isinstance(document, dict) and "status" in document and "kind" not in document:
        return saved_reply(text.encode(), title)
    objects: Any = document.get("items") if isinstance(document, dict) and "items" in document else document
    listed = [o for o in (objects if isinstance(objects, list) else [objects]) if isinstance(o, Mapping)]
    kinds = {o.get("kind") for o in listed}
    if isinstance(document, dict) and document.get("kind") == "NodeList":  # items of a typed list carry no kind
        listed = [{"kind": "Node", **o} for o in listed]
        kinds = {"Node"}
    if "Node" not in kinds:
        raise _unknown(title, said("JSON without nodes"))
    return Found(title, objects=[dict(o) for o in listed], when=_heartbeat(listed))


def _heartbeat(objects: Iterable[Mapping[str, Any]]) -> float | None:
    """The last sign of life that a node list tells."""
    times = []
    for node in objects:
        status = node.get("status")
        for condition in status.get("conditions") or () if isinstance(status, Mapping) else ():
            beat = condition.get("lastHeartbeatTime") if isinstance(condition, Mapping) else None
            try:
                times.append(dt.datetime.fromisoformat(str(beat).replace("Z", "+00:00")).timestamp())
            except ValueError:
                continue
    return max(times, default=None)


def _unknown(title: str, found: Said) -> InputProblems:
    do = said(
        "save metrics of dcgm-exporter, HAMi, kpanda or vLLM as text, `kubectl get nodes -o json`, or a CSV like Pools"
    )
    return InputProblems([Problem(title, found, said("metrics, a node list or a CSV"), do)])
