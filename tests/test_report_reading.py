"""A small reader of the report's Markdown and page, and the tracing of printed numbers; other report tests use it."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from html import unescape
from html.parser import HTMLParser

import pytest
from builders import planned

from planner.calc.functions import as_date
from planner.inputs.field import specs
from planner.inputs.scalars import PlanInputs
from planner.plan import Plan
from planner.report import Report, report_of
from planner.report.model import Figure

NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
SCALES = {"B": 1e9, "M": 1e6, "K": 1e3, "亿": 1e8, "万": 1e4, "%": 0.01}
FIXED = ("p99", "P10", "P50", "P90")  # words that hold a digit


def numbers(text: str) -> Counter[str]:
    """Every number that is printed, words of the guide left out."""
    for word in FIXED:
        text = text.replace(word, "")
    return Counter(NUMBER.findall(text))


# ---- Markdown


@dataclass
class Page:
    """A report's Markdown: its title, what stands above the sections, and the sections' lines by title, in order."""

    title: str
    head: list[str]
    sections: dict[str, list[str]] = field(default_factory=dict)

    def tables(self, section: str) -> dict[str, list[list[str]]]:
        """Tables of a section by the heading over them; cells as they read."""
        found: dict[str, list[list[str]]] = {}
        name = ""
        for line in self.sections[section]:
            if line.startswith("### "):
                name = plain(line[4:])
            elif line.startswith("| "):
                found.setdefault(name, []).append([plain(c) for c in cells(line)])
        return found

    def numbered(self, section: str) -> list[str]:
        """The items of a numbered list."""
        return [plain(line.split(" ", 1)[1]) for line in self.sections[section] if re.match(r"\d+\. ", line)]

    def groups(self, section: str) -> dict[str, list[str]]:
        """Bullets by the heading over them."""
        found: dict[str, list[str]] = {}
        name = ""
        for line in self.sections[section]:
            if line.startswith("### ") or line.startswith("**"):
                name = plain(line.removeprefix("### "))
                found[name] = []
            elif line.startswith("- "):
                found[name].append(plain(line[2:]))
        return found


def cells(line: str) -> list[str]:
    """A row's cells, split where a bar is not escaped."""
    return [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]


def plain(text: str) -> str:
    """Markdown as it reads: emphasis and escapes gone."""
    bare = re.sub(r"(?<!\\)\*\*", "", text)
    return unescape(re.sub(r"\\(.)", r"\1", bare)).strip()


def read(text: str) -> Page:
    """The Markdown of a report, taken apart."""
    lines = text.splitlines()
    assert lines[0].startswith("# "), "a report starts with its title"
    page = Page(plain(lines[0][2:]), [])
    here = page.head
    for line in lines[1:]:
        if line.startswith("## "):
            here = page.sections.setdefault(plain(line[3:]), [])
        elif line:
            here.append(line)
    return page


def structural(text: str) -> str:
    """The Markdown without the numbers that count its items: 1. and Cause 1."""
    lines = [re.sub(r"^\d+\. ", "", line) for line in text.splitlines()]
    return "\n".join(re.sub(r"^\*\*(?:Cause \d+: |原因 \d+：)", "**", line) for line in lines)


def sentences(text: str) -> int:
    """How many sentences a paragraph has."""
    return len(re.findall(r"[.。](?=\s|$)", text))


# ---- the page


VOID = {"meta", "br"}
INLINE = {"span", "b"}  # everything else ends a word


@dataclass
class Seen:
    """What a reader of the page sees, and every tag and attribute behind it."""

    text: str = ""
    charts: str = ""
    tags: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen = Seen()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.tags.append(tag)
        self.seen.attributes += [(tag, k, v or "") for k, v in attrs]
        self._apart(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.tags.append(tag)
        self.seen.attributes += [(tag, k, v or "") for k, v in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> closes <{self.open[-1]}>"
        self._apart(tag)
        self.open.pop()

    def _apart(self, tag: str) -> None:
        if tag not in INLINE:
            self.seen.text += "\n"

    def handle_data(self, data: str) -> None:
        if "figure" in self.open:
            self.seen.charts += data + " "
        elif not {"style", "title"} & set(self.open):
            self.seen.text += data


def read_page(text: str) -> Seen:
    """A page, well-formed or an error that says where not."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert not reader.open, f"never closed: {reader.open}"
    return reader.seen


# ---- tracing


def true_value(plan: Plan, figure: Figure) -> float | str | None:
    """The value that a figure says it shows, looked up again."""
    if figure.key == "as_of":
        return plan.as_of
    array = plan.values[figure.key]
    assert [a for a, _ in figure.at] == list(array.axes), f"{figure.key}: {figure.at} is no coordinate"
    got = array.at(tuple(plan.labels[a].index(entry) for a, entry in figure.at))
    return None if got == "" else got


def shown(text: str) -> list[tuple[float, float]]:
    """Each number of a text with the smallest step that it tells."""
    found = []
    for match in re.finditer(r"(-?)(\d+(?:,\d{3})*(?:\.(\d+))?)\s*([BMK亿万%])?(?![A-Za-z])", text):
        scale = SCALES.get(match.group(4) or "", 1.0)
        digits = len(match.group(3) or "")
        number = float(match.group(2).replace(",", "")) * (-1 if match.group(1) else 1)
        found.append((number * scale, scale * 10.0**-digits))
    return found


def untraced(plan: Plan, figure: Figure) -> str:
    """Why a figure is not what it says; empty when it is."""
    true = true_value(plan, figure)
    if true != figure.value:
        return f"{figure.key}{figure.at}: {figure.value!r} is not {true!r}"
    if isinstance(true, str) or true is None:
        return "" if figure.precision is None else f"{figure.key}: words with a precision"
    if figure.precision is None:
        return "" if not numbers(figure.text) else f"{figure.key}: {figure.text!r} without a precision"
    if re.fullmatch(r"\d{4}-\d\d-\d\d", figure.text):
        return "" if as_date(true).isoformat() == figure.text else f"{figure.key}: {figure.text} is another day"
    given = shown(figure.text)
    if not given:
        return f"{figure.key}: {figure.text!r} shows no number"
    for value, step in given:
        column = (
            figure.precision / step if figure.precision > step * 1.5 else 1.0
        )  # a column's scale stands in its head
        # half a step, and the spacing of floats: beyond 1e11 four decimals are finer than a float holds
        room = 0.5 * step * column * (1 + 1e-9) + math.ulp(true)
        if not math.isclose(value * column, true, abs_tol=room, rel_tol=0):
            return f"{figure.key}: {figure.text!r} is not {true!r} at its precision"
    return ""


def parts(report: Report) -> str:
    """All figures' texts, as they stand in the text of the report."""
    return "\n".join(f.text for f in report.figures())


# ---- the reader itself


def test_numbers_of_a_text() -> None:
    assert numbers("TTFT (p99) below 1,000 ms; 4.500 and 4") == Counter({"1,000": 1, "4.500": 1, "4": 1})
    assert shown("18.00亿（1,800,000,000）") == [(1.8e9, 1e6), (1.8e9, 1.0)]
    assert shown("1.80 B") == [(1.8e9, 1e7)]
    assert shown("99.90%") == [pytest.approx((0.999, 0.0001))]


def test_reading_undoes_escapes() -> None:
    page = read("# A \\| b\n\nx\n\n## S\n\n### T\n\n| h | \\*k\\* |\n| --- | --- |\n| a \\| b | &lt;script&gt; |\n")
    assert page.title == "A | b"
    assert page.tables("S")["T"][2] == ["a | b", "<script>"]


@pytest.mark.parametrize("bad", ["<p><b></p></b>", "<div>", "</p>"])
def test_a_page_that_is_not_well_formed_is_seen(bad: str) -> None:
    with pytest.raises(AssertionError):
        read_page(bad)


def test_a_tampered_figure_is_seen() -> None:
    plan = planned()
    figure = next(f for f in report_of(plan).figures() if f.key == "annual_tco")
    assert untraced(plan, figure) == ""
    assert untraced(plan, replace(figure, text="99,999"))
    assert untraced(plan, replace(figure, value=99999.0))
    assert untraced(plan, replace(figure, key="horizon_tokens"))


def test_keys_of_figures_are_lines_or_inputs() -> None:
    plan = planned()
    keys = {f.key for f in report_of(plan).figures()} - {"as_of"}
    assert keys <= set(plan.values)
    assert keys & set(specs(PlanInputs))
