"""Every text that people read, in English: what a language file must hold. Prints CSV rows `en` for translators.

Run: python tools/texts.py [language]   lists what the language's file lacks, and what nobody says any more.
"""

from __future__ import annotations

import ast
import csv
import sys
from pathlib import Path

from planner.calc.expr import Say, Withheld, walk
from planner.inputs.field import specs
from planner.inputs.model import PORTFOLIO_ROWS, REFERENCE_ROWS, TRANSLATED
from planner.inputs.quantities import DRAWN, check_rows
from planner.inputs.scalars import GROUPS, PlanInputs
from planner.inputs.tables import TABLES
from planner.labels import words
from planner.lines import AXIS_ORDER, CHAPTERS, METHOD
from planner.reference import REFERENCES
from planner.resources import table
from planner.workbook.common import FIGURE_WORDS, STEP_WORDS, axis_title
from planner.workbook.context import SPOKEN
from planner.workbook.inputs import UNIT_WORDS
from planner.workbook.look import data
from planner.workbook.reading import Legend
from planner.workbook.spoken import ANY, GLUE, OVER, PHRASES, SIGNS
from planner.workbook.template import tabs

ROOT = Path(__file__).resolve().parent.parent
SAME_EVERYWHERE = frozenset({"", "–", "×", "%", "#", "USD", "GPU", "GPUs", "API", "MIG", "vGPU", "中文", "English"})
NEVER_HEADED = ("priceref", "modelref", "gpuref", "speedref", "size", "slot")  # axes that no table has as its rows


def every_text() -> list[str]:
    """All texts, each once, in the order in which they are met."""
    found: dict[str, None] = {}
    for part in (_lines(), _inputs(), _templates(), _data(), _code()):
        for text in part:
            if any(ch.isalpha() for ch in text) and text not in SAME_EVERYWHERE:
                found[text] = None
    return list(found)


def _lines() -> list[str]:
    out = ["withheld: ", "a part of this sum is unknown", ", see "]
    for chapter in CHAPTERS:
        out.append((chapter.__doc__ or "").split(".")[0])
    for line in METHOD:
        out += [line.label, line.why]
        for e in walk(line.expr):
            if isinstance(e, Say):
                out.append(e.text)
            if isinstance(e, Withheld) and e.reason:
                out.append(e.reason)
    return out


def _inputs() -> list[str]:
    out = [*GROUPS]
    for model in (PlanInputs, *(t.row for t in TABLES)):
        for spec in specs(model).values():
            out += [spec.label, spec.note, spec.message, spec.question, spec.source]
    return out + [t.tab for t in TABLES] + list(UNIT_WORDS.values())


def _templates() -> list[str]:
    out: list[str] = []
    for tab in tabs():
        out += [tab.name, tab.question, tab.worker]
        for section in tab.section:
            out += [section.title, *section.text]
            out += [] if section.note in METHOD.lines else [section.note]
            for item in (*section.items, *section.total):
                out += [item.label, item.unit]
            out += [chart.note for chart in section.charts if chart.note not in METHOD.lines]
    return out


def _data() -> list[str]:
    out: list[str] = []
    for file in dict.fromkeys([*REFERENCE_ROWS.values(), *PORTFOLIO_ROWS.values()]):
        for row in table(file):
            out += [row[k] for k in TRANSLATED if k in row]
    out += [row[k] for row in check_rows(portfolio=True) for k in ("label", "meaning", "tab")]
    out += [row[k] for row in table("constants.csv") for k in ("label", "why", "source", "unit")]
    out += [row["name"] for row in table("months.csv")]
    for reference in REFERENCES:
        out += [k.replace("_", " ") for k in reference.rows()[0]]
        out += [row.get("verify", "") for row in reference.rows()]
    out += [n.get("unit_en", "") for n in data()["number"].values()]
    out += list(data()["unit_words"].values())
    out += [*STEP_WORDS.values(), *FIGURE_WORDS.values(), *DRAWN.values()]
    out += [w for ends in SPOKEN.values() for w in ends.values()]
    out += [axis_title(axis) for axis in AXIS_ORDER if axis not in NEVER_HEADED]
    out += [*SIGNS.values(), *PHRASES.values(), *OVER.values(), *GLUE.values(), ANY]
    return out + [words for _, sample, meaning in Legend.ROWS for words in (sample, meaning)] + list(Legend.MEANINGS)


def _code() -> list[str]:
    """Literals given to a translating call: t("…"), ctx.t("…"), say("…"), said("…") and questions of the gate."""
    out: list[str] = []
    for path in [*sorted((ROOT / "planner").rglob("*.py"))]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _translates(node.func) and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    out.append(first.value)
    from planner.report.content import all_texts
    from planner.workbook import blank

    heads = ("Status", "Metric", "Unit", "Value", "Limit", "Why it stands there", "Tab", "Role", "State", "Source",
             "The question it answers", "Who works in it", "read", "fill in", "look up", "calculation", "control",
             "Input", "Note", "Key", "Line", "Total", "Peak month", "Assumption", "In use", "Default", "Tolerance",
             "Source of the default", "Constant", "Why", "Models", "Month", "Check", "List", "Date", "Who", "Where",
             "What changed, and why", "Cell", "What it would mean", "GPU rental", "People, network, power", "Step",
             "Quarter", "Year", "SLA tier", "Phase", "Tenant", "Pool", "Lever", "Curve", "Threshold", "Model",
             "Which model or models serve the tokens (for example GPT-4o, or Llama 3 70B)?",
             "Which GPU pool or pools may be used? Name them on Pools, or write discover.", "choice")  # fmt: skip
    return [*out, *heads, *blank.READ_ME, *all_texts()]


def _translates(func: ast.expr) -> bool:
    if isinstance(func, ast.Name):
        return func.id in ("t", "say", "said", "translate")
    return isinstance(func, ast.Attribute) and func.attr == "t"


def unsaid(language: str) -> list[str]:
    """Rows of a language's file whose English nobody says any more."""
    with (ROOT / "workbook_templates" / "labels" / f"{language}.csv").open(encoding="utf-8", newline="") as handle:
        rows = [row["en"] for row in csv.DictReader(handle)]
    living = {*every_text(), *SAME_EVERYWHERE}
    return [text for text in rows if any(ch.isalpha() for ch in text) and text not in living]


def main() -> None:
    """Print the texts that a language lacks, and those that it need not have."""
    language = sys.argv[1] if len(sys.argv) > 1 else "zh"
    known = words(language)
    for text in every_text():
        if text not in known:
            print(repr(text))
    for text in unsaid(language):
        print(f"not said any more: {text!r}")


if __name__ == "__main__":
    main()
