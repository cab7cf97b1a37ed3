"""A report as Markdown. Everything that a user typed is text here: it opens no table, no heading, no tag."""

from __future__ import annotations

import re

from planner.labels import translator
from planner.report.model import (
    Actions,
    Block,
    Causes,
    Charts,
    Findings,
    Paragraph,
    Questions,
    Report,
    Sentence,
    Table,
)

MARKS = re.compile(r"([\\`*_\[\]|~])")
STARTS = re.compile(r"^(\d*)([#+\-=.)])(?=\s|$)")


def escaped(text: str) -> str:
    """Text that reads as it was typed."""
    flat = " ".join(text.split())
    safe = MARKS.sub(r"\\\1", flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
    return STARTS.sub(r"\1\\\2", safe)


def _said(sentence: Sentence) -> str:
    return escaped(sentence.text)


def markdown(report: Report) -> str:
    """The report as GitHub-flavoured Markdown, with a line break at its end."""
    lines = [f"# {escaped(report.title.text)}", "", f"**{escaped(report.chip.text)}** · {_said(report.head)}", ""]
    if report.flag:
        lines += [f"> **{_said(report.flag)}**", ""]
    for section in report.sections:
        lines += [f"## {escaped(section.title)}", ""]
        for block in section.blocks:
            lines += _block(block, translator(report.language)(": "))
    return "\n".join(lines).rstrip() + "\n"


def _block(block: Block, colon: str) -> list[str]:
    match block:
        case Paragraph(sentences, _):
            return [_joined(sentences), ""]
        case Table():
            return _table(block)
        case Findings(items):
            found = []
            for number, item in enumerate(items, 1):
                chip = f"{escaped(item.chip.text)} · " if item.chip else ""
                found.append(f"{number}. {chip}**{_said(item.text)}** {_said(item.impact)}")
            return [*found, ""]
        case Causes():
            return _causes(block, colon)
        case Actions():
            owner = escaped(block.owner) + colon
            found = [f"- **{_said(a.target)}** ({owner}{_said(a.owner)}){colon}{_said(a.decision)}"
                     for a in block.items]  # fmt: skip
            return [f"### {escaped(block.title)}", "", *found, ""]
        case Questions(items):
            return [*(f"{number}. {_said(q.text)}" for number, q in enumerate(items, 1)), ""]
        case Charts():
            return []


def _joined(sentences: tuple[Sentence, ...]) -> str:
    """Sentences in a row; Chinese ones need no space between them."""
    text = ""
    for sentence in map(_said, sentences):
        text += (" " if text and not text.endswith("。") else "") + sentence
    return text


def _table(table: Table) -> list[str]:
    heads = [escaped(h) for h in table.heads]
    rule = ["---:" if i in table.numbers else "---" for i in range(len(heads))]
    rows = [[_said(cell) for cell in row] for row in table.rows]
    if table.total:
        rows[-1] = [f"**{cell}**" if cell else "" for cell in rows[-1]]
    found = [f"### {escaped(table.title)}", ""] if table.title else []
    found += [_row(heads), _row(rule), *map(_row, rows), ""]
    return [*found, _said(table.note), ""] if table.note else found


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _causes(block: Causes, colon: str) -> list[str]:
    found = []
    for number, item in enumerate(block.items, 1):
        head = block.head.replace("{number}", str(number))
        found += [f"**{escaped(head)}{colon}{_said(item.cause)}**", ""]
        found += [f"- {escaped(block.evidence)}{colon}{_said(item.evidence)}"]
        found += [f"- {escaped(block.impact)}{colon}{_said(item.impact)}", ""]
    return found
