"""Shared by the tests: what was counted is printed at the end, whoever counted it."""

from __future__ import annotations

import gc
from collections import Counter
from typing import Any

gc.set_threshold(200_000, 20, 20)  # as the commands do


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Add up the counts that tests recorded under `count:<words>`."""
    counts: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") != "call":
                continue
            for name, value in getattr(report, "user_properties", ()):
                if name.startswith("count:"):
                    counts[name[6:]] += value
    for words, number in sorted(counts.items()):
        terminalreporter.write_line(f"{words}: {number:,}")
