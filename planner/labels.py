"""Words in the reader's language. English stands in the code and templates; other languages in labels/<lang>.csv."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Callable
from functools import cache

from planner.resources import folder, table

Translate = Callable[[str], str]


@cache
def words(language: str) -> dict[str, str]:
    """English text -> the language's text, labels of choices included; empty for English."""
    path = folder("workbook_templates") / "labels" / f"{language}.csv"
    if language == "en" or not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as handle:
        known = {row["en"]: row["text"] for row in csv.DictReader(handle)}
    choices = {r["en"]: r[language] for r in table("choices.csv") if r.get(language)}
    return {**choices, **known}


def translator(language: str) -> Translate:
    """A function from English to the language; what is missing stays English (a test lists it)."""
    known = words(language)
    return lambda text: known.get(text, text)


@cache
def languages() -> list[str]:
    """Every language there is a file for, and English."""
    return ["en", *sorted(p.stem for p in (folder("workbook_templates") / "labels").glob("*.csv"))]


@cache
def choice_labels(name: str) -> dict[str, tuple[str, ...]]:
    """Keys of a list with their labels in every language."""
    rows = [r for r in table("choices.csv") if r["list"] == name]
    return {r["key"]: tuple(v for k, v in r.items() if k not in ("list", "key")) for r in rows}


@cache
def choice_spellings(name: str) -> dict[str, tuple[str, ...]]:
    """Keys of a list with whatever people may type for them: their labels, and other words for the same."""
    also = {r["key"]: tuple(r["words"].split("|")) for r in table("choice_words.csv") if r["list"] == name}
    return {key: (*labels, *also.get(key, ())) for key, labels in choice_labels(name).items()}


def list_name(key: str, kind: str) -> str:
    """Which list of choices.csv a field reads."""
    return "yes_no" if kind == "yes_no" else {"deployment_mode": "deployment"}.get(key, key)


def squeezed(text: object) -> str:
    """A header or tab name without case, width, spaces and punctuation."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", str(text)).casefold())


def in_every_language(text: str) -> list[str]:
    """An English text and what the other languages make of it."""
    return [text, *(words(lang).get(text, "") for lang in languages() if lang != "en")]
