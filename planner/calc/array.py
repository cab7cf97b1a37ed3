"""Values over axes: numbers with NaN where there is none, and words that stand there instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Array:
    """Values over `axes`: `num` (NaN where there is no number) and `text` (what stands there instead); one may lack."""

    axes: tuple[str, ...]
    num: np.ndarray[Any, Any] | None
    text: np.ndarray[Any, Any] | None = None

    @property
    def numbers(self) -> np.ndarray[Any, Any]:
        """The numbers; a text-only array has none."""
        return self.num if self.num is not None else np.full(self.words.shape, np.nan)

    @property
    def words(self) -> np.ndarray[Any, Any]:
        """The texts; a number-only array has empty ones."""
        if self.text is not None:
            return self.text
        assert self.num is not None
        return np.full(np.shape(self.num), "", object)

    def at(self, index: tuple[int, ...]) -> float | str | None:
        """The value of one coordinate: a number, words, or None for blank."""
        if self.num is not None:
            value = float(self.num[index])
            if value == value:
                return value
        word = self.text[index] if self.text is not None else ""
        return str(word) if word or self.num is None else None


def scalar(value: float | str) -> Array:
    """One value without axes."""
    if isinstance(value, str):
        return Array((), None, np.array(value, object))
    return Array((), np.array(float(value)))


def same_values(x: Array, y: Array) -> bool:
    """Whether two arrays hold the same, blanks included."""
    if x is y:
        return True
    if (x.num is None, x.text is None) != (y.num is None, y.text is None):
        return False
    numbers = x.num is None or y.num is None or np.array_equal(x.num, y.num, equal_nan=True)
    return bool(numbers and (x.text is None or y.text is None or np.array_equal(x.text, y.text)))
