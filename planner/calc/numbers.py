"""The numeric engine: every line as a labelled array over its axes, handed out as pandas Series."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.calc.array import Array, same_values, scalar
from planner.calc.expr import (
    Aggregate,
    Call,
    Const,
    Expr,
    InUnit,
    Match,
    Pick,
    Previous,
    Rank,
    Ref,
    Running,
    Say,
    Stack,
    Withheld,
)
from planner.calc.functions import FUNCTIONS
from planner.calc.program import Program, Step

if TYPE_CHECKING:
    import pandas as pd

PART_UNKNOWN = "a part of this sum is unknown"
LOOK_AT = ", see "  # and the label of the line whose entries are added
NOTHING_KNOWN = ""
NOT_APPLICABLE = "–"
OTHER = "*"  # marks an axis that is being summed or searched while the result may vary along the same axis


def _in_order(x: np.ndarray[Any, Any], axis: int) -> Any:
    """The sum from left to right, as a spreadsheet adds: np.sum adds in pairs and differs in the last digit."""
    return np.take(np.cumsum(x, axis), -1, axis)


class Engine:
    """Evaluates a program for given inputs. `labels`: each axis' entries by key; `translate` speaks to people."""

    def __init__(
        self,
        program: Program,
        labels: Mapping[str, Sequence[str]],
        inputs: Mapping[str, Array],
        translate: Callable[[str], str] = str,
    ) -> None:
        self.program, self.labels, self.translate = program, dict(labels), translate
        self.values: dict[str, Array] = dict(inputs)
        self._rank = {a: i for i, a in enumerate(program.axis_order)}
        self.unchanged: set[str] = set()

    def run(self, before: Engine | None = None) -> dict[str, Array]:
        """Every line's values by name. Raises ValueError if a line is infinite somewhere.

        With `before`, a finished run of the same program and language over axes of the same sizes, lines whose inputs
        are the same are taken from there; `unchanged` then names them and those inputs.
        """
        if before is not None and all(len(v) == len(before.labels[a]) for a, v in self.labels.items()):
            self.unchanged = {
                n for n, x in self.values.items() if n in before.values and same_values(x, before.values[n])
            }
        with np.errstate(invalid="ignore", divide="ignore"):
            for step in self.program.steps:
                if before is not None and self.program.needs(step) <= self.unchanged:
                    self.values |= {name: before.values[name] for name in step.names}
                    self.unchanged |= set(step.names)
                    continue
                if step.along is None:
                    name = step.names[0]
                    self.values[name] = self.full(self.program.exprs[name], self.program.axes[name])
                else:
                    self._step_by_step(step)
                for name in step.names:
                    num = self.values[name].num
                    if num is not None and np.isinf(num).any():
                        raise ValueError(f"line {name!r} is infinite somewhere")
        return self.values

    def full(self, expr: Expr, axes: tuple[str, ...]) -> Array:
        """An expression's values over exactly these axes."""
        return self._broadcast(self._eval(expr, None), axes)

    def series(self, name: str) -> pd.Series[Any]:
        """A line as a Series indexed by its axes' keys (a one-row Series for a scalar)."""
        import pandas as pd  # a third of the time that a command takes to start

        array = self.values[name]
        data: list[Any] = [array.at(i) for i in np.ndindex(*self._shape(array.axes))]
        if not array.axes:
            return pd.Series(data, name=name, dtype=object)
        index = pd.MultiIndex.from_product([self.labels[a] for a in array.axes], names=array.axes)
        return pd.Series(data, index=index, name=name, dtype=object)

    def _shape(self, axes: tuple[str, ...], window: tuple[str, int] | None = None) -> tuple[int, ...]:
        return tuple(1 if window and a == window[0] else len(self.labels[a.lstrip(OTHER)]) for a in axes)

    def _step_by_step(self, step: Step) -> None:
        along = step.along
        assert along is not None
        for name in step.names:
            shape = self._shape(self.program.axes[name])
            text = np.full(shape, "", object)
            number = self.program.kinds[name] == "number"
            self.values[name] = Array(self.program.axes[name], np.full(shape, np.nan) if number else None, text)
        for i in range(len(self.labels[along])):
            for name in step.names:
                axes = self.program.axes[name]
                got = self._broadcast(self._eval(self.program.exprs[name], (along, i)), axes, (along, i))
                where = tuple(slice(i, i + 1) if a == along else slice(None) for a in axes)
                target = self.values[name]
                if target.num is not None:
                    target.num[where] = got.numbers
                if got.text is not None and target.text is not None:
                    target.text[where] = got.text

    def _sorted(self, axes: set[str]) -> tuple[str, ...]:
        return tuple(sorted(axes, key=lambda a: (a.startswith(OTHER), self._rank[a.lstrip(OTHER)])))

    def _align(self, arrays: Sequence[Array]) -> tuple[tuple[str, ...], list[Array]]:
        axes = self._sorted({a for x in arrays for a in x.axes})
        return axes, [self._reshape(x, axes) for x in arrays]

    @staticmethod
    def _reshape(x: Array, axes: tuple[str, ...]) -> Array:
        if x.axes == axes:
            return x
        order = [x.axes.index(a) for a in axes if a in x.axes]

        def fit(data: np.ndarray[Any, Any] | None) -> np.ndarray[Any, Any] | None:
            if data is None:
                return None
            sizes = iter(np.transpose(data, order).shape)
            return np.transpose(data, order).reshape([next(sizes) if a in x.axes else 1 for a in axes])

        return Array(axes, fit(x.num), fit(x.text))

    def _broadcast(self, x: Array, axes: tuple[str, ...], window: tuple[str, int] | None = None) -> Array:
        fitted = self._reshape(x, axes)
        shape = self._shape(axes, window)
        num = None if fitted.num is None else np.broadcast_to(fitted.num, shape)
        text = None if fitted.text is None else np.broadcast_to(fitted.text, shape)
        return Array(axes, num, text)

    def _eval(self, expr: Expr, window: tuple[str, int] | None) -> Array:
        match expr:
            case Const(value):
                return scalar(value)
            case Say(text):
                return scalar(self.translate(text))
            case Withheld(reason):
                return Array((), np.array(np.nan), np.array(self._withheld(reason), object))
            case Ref(name):
                return self._window(self.values[name], window)
            case InUnit(arg, _):
                return self._eval(arg, window)
            case Previous(ref, along):
                return self._previous(ref.name, along, window)
            case Running(arg, along, _, key):
                return self._window(self._running(arg, along, key), window)
            case Rank(values, numbers, over):
                return self._window(self._rank_of(self.values[values.name], self.values[numbers.name], over), window)
            case Aggregate():
                return self._aggregate(expr, window)
            case Pick(values, position, over):
                return self._pick(self.values[values.name], self._eval(position, window), over, window)
            case Match():
                return self._match(expr, window)
            case Stack(axis, entries):
                return self._stack(axis, entries, window)
            case Call(fn, args):
                return self._call(fn, [self._eval(a, window) for a in args])
        raise TypeError(expr)

    def _withheld(self, reason: str) -> str:
        return self.translate("withheld: ") + self.translate(reason) if reason else NOT_APPLICABLE

    def _part_unknown(self, summed: Expr) -> str:
        """The words in place of a sum, with the line to look at."""
        line = self.program.lines.get(summed.name) if isinstance(summed, Ref) else None
        return self._withheld(PART_UNKNOWN) + (self.translate(LOOK_AT) + self.translate(line.label) if line else "")

    @staticmethod
    def _window(x: Array, window: tuple[str, int] | None) -> Array:
        if window is None or window[0] not in x.axes:
            return x
        cut = tuple(slice(window[1], window[1] + 1) if a == window[0] else slice(None) for a in x.axes)
        return Array(x.axes, None if x.num is None else x.num[cut], None if x.text is None else x.text[cut])

    def _previous(self, name: str, along: str, window: tuple[str, int] | None) -> Array:
        line = self.program.lines[name]
        opening = self._eval(line.opening, None)
        if window is not None:
            if window[1] == 0:
                return opening
            return self._window(self.values[name], (along, window[1] - 1))
        whole = self.values[name]
        axis = whole.axes.index(along)
        first = self._broadcast(opening, whole.axes, (along, 0))
        shifted = np.take(whole.numbers, range(whole.numbers.shape[axis] - 1), axis)
        words = np.take(whole.words, range(whole.words.shape[axis] - 1), axis)
        return Array(
            whole.axes,
            np.concatenate([first.numbers, shifted], axis),
            np.concatenate([first.words, words], axis),
        )

    def _running(self, arg: Ref, along: str, key: Ref | None) -> Array:
        x = self.values[arg.name]
        axis = x.axes.index(along)
        num = np.cumsum(x.numbers, axis) if key is None else self._running_by(x.numbers, axis, self.values[key.name])
        if x.text is None:
            return Array(x.axes, num)
        return Array(x.axes, num, np.where(np.isnan(num), self._part_unknown(arg), ""))

    @staticmethod
    def _running_by(x: np.ndarray[Any, Any], axis: int, key: Array) -> np.ndarray[Any, Any]:
        """Sums so far over the entries of the same key; `key` varies along the axis alone."""
        keys = (key.words if key.num is None else key.num).tolist()
        parts = []
        for i in range(len(keys)):
            alike = [j for j in range(i + 1) if FUNCTIONS["same"].numbers(keys[j], keys[i])]
            lost = np.isnan(np.take(x, range(i + 1), axis)).any(axis)
            parts.append(np.where(lost, np.nan, np.sum(np.take(x, alike, axis), axis)))
        return np.stack(parts, axis)

    def _rank_of(self, x: Array, numbers: Array, over: str) -> Array:
        """Places from 1; `numbers` decides between equals."""
        axes, (values, order) = self._align([x, numbers])
        shape = np.broadcast_shapes(values.numbers.shape, order.numbers.shape)
        axis = axes.index(over)
        sorted_ = np.lexsort((np.broadcast_to(order.numbers, shape), np.broadcast_to(values.numbers, shape)), axis)
        return Array(axes, np.argsort(sorted_, axis) + 1.0)

    @staticmethod
    def _aside(x: Array, over: str) -> Array:
        return Array(tuple(OTHER + a if a == over else a for a in x.axes), x.num, x.text)

    def _aggregate(self, expr: Aggregate, window: tuple[str, int] | None) -> Array:
        inner = None if window and window[0] == expr.over else window
        arg = self._aside(self._eval(expr.arg, inner), expr.over)
        if OTHER + expr.over not in arg.axes:
            raise ValueError(f"a total over {expr.over} of something that does not vary along it")
        lost = Array(arg.axes, np.isnan(arg.numbers).astype(float))
        if expr.how == "count":
            return self._over(lost, expr.over, lambda x, axis: np.sum(1 - x, axis))
        if expr.how == "sum":
            words, bad = self._part_unknown(expr.arg), self._over(lost, expr.over, np.max)
            got = self._over(self._kept(expr, arg, inner, window), expr.over, _in_order)
        else:
            words, bad = self._withheld(NOTHING_KNOWN), self._over(lost, expr.over, np.min)
            worst, best = (-np.inf, np.max) if expr.how == "max" else (np.inf, np.min)
            got = self._over(Array(arg.axes, np.where(lost.numbers != 0, worst, arg.numbers)), expr.over, best)
        if not expr.strict:
            return got
        axes, (bad, got) = self._align([bad, got])
        said = np.where(bad.numbers != 0, words, "").astype(object)
        shape = np.broadcast_shapes(np.shape(bad.numbers), np.shape(got.numbers))
        return Array(axes, np.where(bad.numbers != 0, np.nan, got.numbers), np.broadcast_to(said, shape))

    def _kept(self, expr: Aggregate, arg: Array, inner: Any, window: tuple[str, int] | None) -> Array:
        """The entries whose key equals, the others as 0."""
        if expr.key is None or expr.equals is None:
            return arg
        key = self._aside(self._eval(expr.key, inner), expr.over)
        axes, (arg, key, equals) = self._align([arg, key, self._eval(expr.equals, window)])
        keep = FUNCTIONS["same"].numbers(*self._comparable(key, equals)) != 0
        return Array(axes, np.where(keep, arg.numbers, 0.0))

    @staticmethod
    def _over(x: Array, over: str, how: Callable[..., Any]) -> Array:
        axis = x.axes.index(OTHER + over)
        return Array(tuple(a for a in x.axes if a != OTHER + over), np.asarray(how(x.numbers, axis)))

    @staticmethod
    def _comparable(a: Array, b: Array) -> tuple[Any, Any]:
        if a.num is None or b.num is None:
            return a.words, b.words
        return a.num, b.num

    def _pick(self, values: Array, position: Array, over: str, window: tuple[str, int] | None) -> Array:
        inner = None if window and window[0] == over else window
        values = self._aside(self._window(values, inner), over)
        axes, (values, position) = self._align([values, position])
        axis = axes.index(OTHER + over)
        size = len(self.labels[over])
        index = np.clip(np.nan_to_num(position.numbers).astype(int) - 1, 0, size - 1)
        shape = np.broadcast_shapes(
            *(tuple(1 if i == axis else n for i, n in enumerate(s)) for s in (values.numbers.shape, index.shape))
        )
        index = np.broadcast_to(np.take(index, [0], axis), shape)

        def take(data: np.ndarray[Any, Any] | None) -> np.ndarray[Any, Any] | None:
            if data is None:
                return None
            wide = np.broadcast_to(data, [size if i == axis else n for i, n in enumerate(shape)])
            return np.take_along_axis(wide, index, axis).squeeze(axis)

        return Array(tuple(a for a in axes if not a.startswith(OTHER)), take(values.num), take(values.text))

    def _match(self, expr: Match, window: tuple[str, int] | None) -> Array:
        inner = None if window and window[0] == expr.over else window
        keys = self._aside(self._eval(expr.keys, inner), expr.over)
        axes, (keys, key) = self._align([keys, self._eval(expr.key, window)])
        axis = axes.index(OTHER + expr.over)
        hit = FUNCTIONS["same"].numbers(*self._comparable(keys, key)) != 0
        if keys.num is None or key.num is None:
            hit = hit & (key.words != "")
        numbers = np.arange(1, hit.shape[axis] + 1).reshape([-1 if i == axis else 1 for i in range(hit.ndim)])
        if expr.numbers is not None:
            found = np.sum(hit * numbers, axis)
        else:
            found = np.where(hit.any(axis), np.argmax(hit, axis) + 1, 0)
        return Array(tuple(a for a in axes if not a.startswith(OTHER)), found.astype(float))

    def _stack(self, axis: str, entries: tuple[tuple[str, Expr], ...], window: tuple[str, int] | None) -> Array:
        by_key = dict(entries)
        keys = self.labels[axis]
        if list(by_key) != list(keys):
            raise ValueError(f"axis {axis} has {list(keys)}, the line gives {list(by_key)}")
        axes, parts = self._align([Array((axis,), np.zeros(1)), *(self._eval(e, window) for e in by_key.values())])
        where = axes.index(axis)
        shape = np.broadcast_shapes(*(np.shape(p.numbers) for p in parts))
        has_num = any(p.num is not None for p in parts[1:])
        has_text = any(p.text is not None for p in parts[1:])
        num = [np.broadcast_to(p.numbers, shape) for p in parts[1:]]
        text = [np.broadcast_to(p.words, shape) for p in parts[1:]]
        return Array(
            axes, np.concatenate(num, where) if has_num else None, np.concatenate(text, where) if has_text else None
        )

    def _call(self, fn: str, args: list[Array]) -> Array:
        axes, parts = self._align(args)
        numbers = FUNCTIONS[fn].numbers
        match fn:
            case "where":
                condition, yes, no = parts
                return self._choose(axes, condition.numbers != 0, yes, no)
            case "or_else":
                return self._choose(axes, ~np.isnan(parts[0].numbers), parts[0], parts[1])
            case "same":
                return Array(axes, np.asarray(numbers(*self._comparable(*parts)), float))
            case "join" | "as_text" | "given":
                got = numbers(*(p.words for p in parts))
                return (
                    Array(axes, np.asarray(got, float)) if fn == "given" else Array(axes, None, np.asarray(got, object))
                )
            case "fixed" | "digits":
                return Array(axes, None, np.asarray(numbers(*(p.numbers for p in parts)), object))
        return Array(axes, np.asarray(numbers(*(p.numbers for p in parts)), float))

    @staticmethod
    def _choose(axes: tuple[str, ...], flag: np.ndarray[Any, Any], yes: Array, no: Array) -> Array:
        num = np.where(flag, yes.numbers, no.numbers) if yes.num is not None or no.num is not None else None
        text = np.where(flag, yes.words, no.words) if yes.text is not None or no.text is not None else None
        return Array(axes, num, text)
