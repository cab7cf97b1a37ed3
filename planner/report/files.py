"""A report as a file: Markdown or HTML, by the file's ending."""

from __future__ import annotations

from pathlib import Path

from planner.plan import Plan
from planner.report.as_html import html
from planner.report.as_markdown import markdown
from planner.report.build import report_of

WRITERS = {".md": markdown, ".markdown": markdown, ".html": html, ".htm": html}
SUFFIXES = tuple(WRITERS)


def write_report(plan: Plan, path: Path) -> None:
    """Write the plan's report. Raises ValueError for an ending that is neither Markdown nor HTML."""
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise ValueError(f"a report ends in {', '.join(SUFFIXES)}, not in {path.suffix or 'nothing'}")
    path.write_bytes(writer(report_of(plan)).encode("utf-8"))
