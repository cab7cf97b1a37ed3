"""A report as one page: the workbook's look, no script, nothing from outside, readable on a phone and on paper."""

from __future__ import annotations

from html import escape

from planner.labels import translator
from planner.report.model import (
    Actions,
    Block,
    Causes,
    Chart,
    Charts,
    Figure,
    Findings,
    Paragraph,
    Questions,
    Report,
    Sentence,
    Table,
)
from planner.report.page import style
from planner.report.svg import svg, swatches
from planner.workbook.look import data


def html(report: Report) -> str:
    """The report as a self-contained HTML document."""
    title = escape(report.title.text)
    body = [f"<header><h1>{title}</h1><p>{_figure(report.chip)} {_said(report.head)}</p></header>"]
    if report.flag:
        body.append(f'<p class="flag">{_said(report.flag)}</p>')
    for section in report.sections:
        inner = "".join(_block(b, report) for b in _grouped(section.blocks))
        body.append(f'<section id="{section.key}"><h2>{escape(section.title)}</h2>{inner}</section>')
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(report.language, quote=True)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{style(report.language)}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def _grouped(blocks: tuple[Block, ...]) -> list[Block | tuple[Actions, ...]]:
    """Groups of actions stand side by side; everything else as it comes."""
    actions = tuple(b for b in blocks if isinstance(b, Actions))
    others: list[Block | tuple[Actions, ...]] = [b for b in blocks if not isinstance(b, Actions)]
    return [*others, actions] if actions else others


def _figure(figure: Figure) -> str:
    """A figure says on hover which line it is; a status is a chip."""
    coord = " ".join((figure.key, *(f"{axis}={entry}" for axis, entry in figure.at)))
    level = next((i for i, s in enumerate(data()["status"]) if figure.text.startswith(s["glyph"])), None)
    chip = figure.key.endswith("_chip") and level is not None
    kind = f"chip s{level}" if chip else "f" if figure.precision is not None else "w"
    return f'<span class="{kind}" title="{escape(coord, quote=True)}">{escape(figure.text)}</span>'


def _said(sentence: Sentence) -> str:
    return "".join(escape(p) if isinstance(p, str) else _figure(p) for p in sentence.parts)


def _block(block: Block | tuple[Actions, ...], report: Report) -> str:
    match block:
        case Paragraph(sentences, kind):
            gap = "" if report.language == "zh" else " "
            first, *rest = [f"<span>{_said(s)}</span>" for s in sentences]
            return f'<p class="{kind}"><b>{first}</b>{gap}{gap.join(rest)}</p>'
        case Table():
            return _table(block)
        case Findings(items):
            return "<ol>" + "".join(
                f"<li>{_figure(i.chip) + ' ' if i.chip else ''}<b>{_said(i.text)}</b><p>{_said(i.impact)}</p></li>"
                for i in items
            ) + "</ol>"  # fmt: skip
        case Causes():
            return _causes(block, _colon(report))
        case Questions(items):
            return '<ol class="ask">' + "".join(f"<li>{_said(q.text)}</li>" for q in items) + "</ol>"
        case Charts(items):
            return '<div class="charts">' + "".join(map(_chart, items)) + "</div>"
        case tuple():
            return '<div class="groups">' + "".join(_actions(b, _colon(report)) for b in block) + "</div>"
    raise TypeError(block)


def _colon(report: Report) -> str:
    return translator(report.language)(": ")


def _table(table: Table) -> str:
    heads = "".join(f'<th scope="col"{_right(table, i)}>{escape(h)}</th>' for i, h in enumerate(table.heads))
    rows = []
    for n, row in enumerate(table.rows):
        last = table.total and n == len(table.rows) - 1
        cells = []
        for i, (head, cell) in enumerate(zip(table.heads, row, strict=True)):
            empty = ' data-empty=""' if not cell.parts else ""
            cells.append(
                f'<td data-head="{escape(head, quote=True)}"{empty}{_right(table, i)}><div>{_said(cell)}</div></td>'
            )
        kind = ' class="total"' if last else ""
        rows.append(f"<tr{kind}>{''.join(cells)}</tr>")
    title = f"<h3>{escape(table.title)}</h3>" if table.title else ""
    note = f'<p class="note">{_said(table.note)}</p>' if table.note else ""
    head = f"<thead><tr>{heads}</tr></thead>"
    return f'{title}<table class="t-{table.key}">{head}<tbody>{"".join(rows)}</tbody></table>{note}'


def _right(table: Table, column: int) -> str:
    return ' class="n"' if column in table.numbers else ""


def _causes(block: Causes, colon: str) -> str:
    found = []
    for number, item in enumerate(block.items, 1):
        head = escape(block.head.replace("{number}", str(number)))
        found.append(
            f"<article><h3>{head}{colon}{_said(item.cause)}</h3>"
            f"<p><i>{escape(block.evidence)}</i> {_said(item.evidence)}</p>"
            f"<p><i>{escape(block.impact)}</i> {_said(item.impact)}</p></article>"
        )
    return f'<div class="groups">{"".join(found)}</div>'


def _actions(block: Actions, colon: str) -> str:
    items = "".join(
        f"<li><b>{_said(a.target)}</b><p>{_said(a.decision)}</p>"
        f'<p class="note">{escape(block.owner)}{colon}{_said(a.owner)}</p></li>'
        for a in block.items
    )
    return f"<article><h3>{escape(block.title)}</h3><ul>{items}</ul></article>"


def _chart(chart: Chart) -> str:
    keys = "".join(
        f'<li><i class="{"line" if line else "box"}" style="background:{fill}"></i>{escape(words)}</li>'
        for fill, words, line in swatches(chart)
        if words
    )
    legend = f"<ul>{keys}</ul>" if keys else ""
    return (
        f"<figure><figcaption><b>{_said(chart.title)}</b><small>{_said(chart.note)}</small></figcaption>"
        f"{legend}{svg(chart)}</figure>"
    )
