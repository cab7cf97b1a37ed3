"""The report of a plan: what people read first, as Markdown or as a page."""

from planner.report.as_html import html
from planner.report.as_markdown import markdown
from planner.report.build import report_of
from planner.report.content import all_texts
from planner.report.files import SUFFIXES, write_report
from planner.report.model import Report
from planner.report.numbers import tokens_in_words

__all__ = ["SUFFIXES", "Report", "all_texts", "html", "markdown", "report_of", "tokens_in_words", "write_report"]
