"""The look as data (look.toml): roles, numbers by unit, colours, widths. Nothing here knows a cell or a plan."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from planner.resources import folder


@cache
def data() -> dict[str, Any]:
    """The whole file."""
    with (folder("workbook_templates") / "look.toml").open("rb") as handle:
        return tomllib.load(handle)


@dataclass(frozen=True)
class Style:
    """How a cell looks: a role of look.toml, a number format of it, and a few words on top.

    `more` may hold: bold, right, left, center, indent, wrap, shrink (to fit), small, top (border), fill:<color>,
    plain (no rule below).
    """

    role: str = "calc"
    number: str = ""
    more: tuple[str, ...] = ()


def color(name: str) -> str:
    """A colour by name, or itself."""
    return str(data()["color"].get(name, name))


def number_of(unit: str) -> str:
    """The number format that a unit is shown in."""
    return str(data()["unit"].get(unit, "fine"))


def unit_words(unit: str, number: str, language: str) -> str:
    """What the unit column says; may hold {currency}."""
    if unit in data()["unit_words"] and (not number or number == number_of(unit)):
        return str(data()["unit_words"][unit])
    shown = data()["number"].get(number or number_of(unit), {})
    return str(shown.get(f"unit_{language}", shown.get("unit_en", unit)))


def properties(style: Style, language: str) -> dict[str, Any]:
    """xlsxwriter's properties of a style."""
    look = data()
    role = {**look["role"]["base"], **look["role"][style.role]}
    fonts = look["font"].get(language, look["font"]["en"])
    size = role.pop("size", "body")
    face = role.pop("font", "text")
    number = look["number"][style.number] if style.number else {}
    form = number.get(f"format_{language}", number.get("format", ""))
    wordy = not form or style.number == "text"
    out: dict[str, Any] = {
        "font_name": fonts["mono"] if face == "mono" else fonts["text"] if wordy else fonts["number"],
        "font_size": look["size"][size],
    }
    for key, value in role.items():
        out[key] = color(value[1:]) if isinstance(value, str) and value.startswith("$") else value
    if form:
        out["num_format"] = _input_format(form) if style.role in ("input", "spare") else form
        out.setdefault("align", "right")
        if not wordy:
            out.pop("indent", None)
    for word in style.more:
        _apply(out, word, look)
    return out


def _input_format(form: str) -> str:
    """In an input a typed 0 shows as 0, not as a dash."""
    parts = form.split(";")
    return parts[0] if len(parts) == 3 and "–" in parts[2] else form


def _apply(out: dict[str, Any], word: str, look: dict[str, Any]) -> None:
    if word == "general":
        out.pop("align", None)
    elif word == "nowrap":
        out["text_wrap"] = False
    elif word in ("bold", "italic"):
        out[word] = True
    elif word in ("left", "right", "center"):
        out["align"] = word
        out.pop("indent", None) if word != "left" else None
    elif word == "indent":
        out["indent"] = 1
        out["align"] = "left"
    elif word == "shrink":
        out["shrink"] = True
    elif word == "wrap":
        out["text_wrap"] = True
    elif word == "quoted":
        out["quote_prefix"] = True
    elif word == "locked":
        out["locked"] = True
    elif word == "top":
        out["valign"] = "top"
    elif word in look["size"]:
        out["font_size"] = look["size"][word]
    elif word.startswith("fill:"):
        out["bg_color"] = color(word[5:])
    elif word.startswith("color:"):
        out["font_color"] = color(word[6:])
    elif word == "plain":
        for key in ("bottom", "bottom_color", "top", "top_color"):
            out.pop(key, None)
    else:
        raise ValueError(f"look has no word {word!r}")
