"""Random NumPy expressions, written with the arrays at hand: each is evaluated as it is written.

So the writer knows every dtype and shape, and what it writes is mostly valid.  Numbers are sums of
halves, on which arithmetic is exact; what is rounded, where the order of additions or the last bit of a
function shows, may be kept but is not computed with.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy_arguments import DTYPES
from numpy_rejected import Rejected

LARGE = 2.0**14
"""Magnitude above which numbers are no longer computed with."""
LARGE_HALF = 2.0**4
"""The same for halves, of which a sum of small numbers is rounded."""

EXPRESSIONS = {
    "binary": 7, "number": 3, "unary": 2, "basic": 3, "mask": 1.2, "fancy": 1.2, "where": 1,
    "reduction": 2.5, "scan": 0.6, "compare": 1.2, "cast": 1, "rearranged": 1.5, "created": 1,
    "joined": 0.8, "product": 0.6, "ordered": 0.6, "rounded": 0.4, "ufunc": 0.8, "bits": 0.5,
    "clip": 0.4, "counted": 0.3, "rolled": 0.5, "parts": 0.4, "outer": 0.3, "tested": 0.3,
}  # fmt: skip


def defined(run: Callable[[], Any]) -> Any:
    """What ``run`` gives; rejects conversions whose result C leaves open."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = run()
    if any("cast" in str(w.message).lower() for w in caught):
        raise Rejected
    return result


def exact(value: Any) -> bool:
    """Whether arithmetic on the numbers is exact: small multiples of a sixty-fourth."""
    array = np.asarray(value)
    if array.dtype.kind not in "fc":
        return True
    parts = np.stack([array.real, array.imag]) if array.dtype.kind == "c" else array
    if array.dtype.kind == "c" and not np.isfinite(parts).all():
        return False
    with np.errstate(all="ignore"):
        large = LARGE_HALF if array.dtype == np.float16 else LARGE
        found = (np.abs(parts) < large) & (parts * 64 == np.floor(parts * 64))
    return bool((found | ~np.isfinite(parts)).all())


def _goes_by_rows(array: np.ndarray) -> bool:
    """Whether NumPy goes through an index array in its order: what it writes last stays.

    That is not defined, and agir goes by rows.
    """
    return array.ndim < 2 or array.flags.c_contiguous


class Values:
    """Writes expressions over ``names``, the variables that have values."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names: dict[str, Any] = {}
        self.space: dict[str, Any] = {"np": np}
        self.expressions = EXPRESSIONS
        self.final = False
        """Whether a result that is rounded will do."""

    # Means of writing.

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def weighted(self, table: dict[str, float]) -> str:
        return self.random.choices(list(table), list(table.values()))[0]

    def value_of(self, text: str) -> Any:
        return defined(lambda: eval(text, {**self.space, **self.names}))

    def arrays(self, least: int = 1) -> list[str]:
        """The names of arrays with so many dimensions."""
        return [n for n, v in self.names.items() if isinstance(v, np.ndarray) and v.ndim >= least]

    def array(self, least: int = 1) -> str:
        names = self.arrays(least)
        if not names:
            raise Rejected
        return str(self.pick(*names))

    def number(self) -> str:
        """A number that fits most dtypes."""
        return str(
            self.pick("0", "1", "2", "3", "2", "1", "0.5", "1.5", "2.0", "-1", "-2", "n", "s")
        )

    def integer(self) -> str:
        """A small int, known at run time or before."""
        scalars = [n for n, v in self.names.items() if isinstance(v, (int, np.integer))]
        return str(self.pick(*scalars, "n", "1", "2", "0", "3", "-1"))

    def axis(self, value: Any) -> int:
        return int(self.random.randrange(-value.ndim, value.ndim))

    # Expressions.

    def expression(self, depth: int = 0) -> str:
        """An expression with a value, which is an array or a scalar."""
        for _ in range(12):
            try:
                if depth >= 2 or self.chance(0.25):
                    return self.array()
                text = str(getattr(self, self.weighted(self.expressions))(depth + 1))
                value = self.value_of(text)
                if isinstance(value, tuple) or not self.useful(value):
                    continue
                return text
            except Exception:
                continue
        raise Rejected

    def useful(self, value: Any) -> bool:
        return np.size(value) < 200 and (self.final or exact(value))

    def operand(self, depth: int) -> tuple[str, Any]:
        text = self.expression(depth)
        value = self.value_of(text)
        if not isinstance(value, np.ndarray) or not value.ndim or not exact(value):
            raise Rejected
        return (text if text.isidentifier() else f"({text})"), value

    def fitting(self, value: Any, depth: int = 2) -> str:
        """Something that broadcasts with the value."""
        found = [
            n
            for n, v in self.names.items()
            if isinstance(v, np.ndarray) and _broadcasts(v.shape, value.shape)
        ]
        if found and self.chance(0.7):
            return str(self.pick(*found))
        return self.number()

    def binary(self, depth: int) -> str:
        text, value = self.operand(depth)
        operator = self.pick("+", "-", "*", "+", "-", "*", "/", "//", "%", "**")
        other = self.fitting(value)
        if operator == "**":
            return f"{text} ** 2"
        pair = (text, other) if self.chance(0.7) else (other, text)
        return f"{pair[0]} {operator} {pair[1]}"

    def unary(self, depth: int) -> str:
        text, _ = self.operand(depth)
        return str(self.pick(f"-{text}", f"abs({text})", f"np.negative({text})", f"~{text}",
                             f"np.sign({text})", f"np.square({text})", f"np.floor({text})",
                             f"np.conj({text})", f"np.isfinite({text})", f"{text}.real",
                             f"{text}.imag * 1", f"np.logical_not({text})", f"np.sqrt(np.abs({text}))",
                             f"np.ceil({text})", f"np.trunc({text})",
                             f"np.signbit(np.nan_to_num({text}))"))  # fmt: skip

    def basic(self, depth: int) -> str:
        text, value = self.operand(depth)
        return f"{text}[{self.key(value.shape)}]"

    def mask(self, depth: int) -> str:
        text, value = self.operand(2)
        return f"{text}[{self.mask_of(text, value)}]"

    def mask_of(self, text: str, value: Any) -> str:
        test = f"{text} {self.pick('>', '<', '>=', '!=', '==')} {self.number()}"
        if value.dtype.kind == "c":
            test = f"{text}.real > {self.number()}"
        if value.dtype.kind == "b":
            test = text
        if self.chance(0.15):
            test = f"({test}) & ({text} != {self.number()})"
        if value.ndim > 1 and self.chance(0.25):
            return f"({test})[:, 0]" if self.chance(0.6) else f"({test}).any(axis=1)"
        return test

    def fancy(self, depth: int) -> str:
        text, value = self.operand(2)
        return f"{text}[{self.fancy_key(value.shape)}]"

    def fancy_key(self, shape: tuple[int, ...]) -> str:
        size = shape[0]
        listed = [self.random.randrange(-size, size) for _ in range(self.pick(1, 2, 3))]
        rows = self.pick(str(listed), f"np.array({listed})", f"np.arange({size})[::-1]")
        ints = [
            n
            for n, v in self.names.items()
            if isinstance(v, np.ndarray) and v.dtype.kind in "iu" and _goes_by_rows(v)
        ]
        if ints and self.chance(0.4):
            rows = f"{self.pick(*ints)} % {size}"
        if len(shape) == 1 or self.chance(0.4):
            return rows
        other = self.random.randrange(shape[1])
        return f"{rows}, " + str(
            self.pick(":", str(other), "::2", f"[{other}]", "::-1", "1:", "None, :")
        )

    def key(self, shape: tuple[int, ...]) -> str:
        """A basic index."""
        parts = []
        for size in shape[: self.random.randint(1, len(shape))]:
            at = self.random.randrange(-size, size) if size else 0
            wide = self.chance(0.1)
            parts.append(self.pick(
                str(at), f"{at}:", f":{at}", "::2", "::-1", ":", "1:", ":-1", "1:-1", "::-2",
                f"{self.integer()} % {max(size, 1)}", f":{self.integer()}", "-2:",
                f"{self.integer()}:",
                *(["None", "5:1", "7:", "3:0:-1"] if wide else []),
            ))  # fmt: skip
        if len(parts) < len(shape) and self.chance(0.3):
            parts.insert(self.random.randint(0, len(parts)), "...")
        if self.chance(0.1):
            parts.insert(self.random.randint(0, len(parts)), self.pick("None", "np.newaxis"))
        return ", ".join(map(str, parts))

    def where(self, depth: int) -> str:
        text, value = self.operand(depth)
        test = self.mask_of(text, value)
        return f"np.where({test}, {self.fitting(value)}, {self.fitting(value)})"

    def reduction(self, depth: int) -> str:
        text, value = self.operand(depth)
        name = self.pick("sum", "max", "min", "sum", "mean", "any", "all", "prod", "argmax",
        "argmin",
                         "std", "var", "count_nonzero", "ptp", "median")  # fmt: skip
        options = []
        if self.chance(0.6):
            options.append(f"axis={self.axis(value)}")
            if value.ndim > 1 and self.chance(0.1) and name in ("sum", "max", "any"):
                options[0] = "axis=(0, 1)"
        if self.chance(0.25):
            options.append("keepdims=True")
        if name in ("sum", "prod", "mean") and self.chance(0.15):
            wide = ("np.float64", "np.float32", "complex")  # see summed_in
            kinds = wide if value.dtype.kind in "fc" else (*wide, "np.int32")
            options.append(f"dtype={self.pick(*kinds)}")
        if name in ("sum", "max", "min") and self.chance(0.1):
            options.append("initial=1")
        if name in ("sum", "any", "all", "prod") and self.chance(0.08):
            options.append(f"where={text} != 0")
        if name in ("std", "var", "median", "mean") and not self.final:
            raise Rejected
        if name in ("count_nonzero", "median", "ptp") or self.chance(0.5):
            return f"np.{name}({', '.join([text, *options])})"
        return f"{text}.{name}({', '.join(options)})"

    def scan(self, depth: int) -> str:
        text, value = self.operand(depth)
        axis = self.pick("", f"axis={self.axis(value)}")
        name = self.pick("cumsum", "cumsum", "cumprod", "diff")
        if name == "diff":
            return f"np.diff({text}{', ' if axis else ''}{axis})"
        return str(self.pick(f"{text}.{name}({axis})", f"np.add.accumulate({text})",
                             f"np.maximum.accumulate({text}{', ' if axis else ''}{axis})"))  # fmt: skip

    def compare(self, depth: int) -> str:
        text, value = self.operand(depth)
        return f"{text} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.fitting(value)}"

    def cast(self, depth: int) -> str:
        text, _ = self.operand(depth)
        dtype = self.weighted(DTYPES)
        return str(self.pick(f"{text}.astype(np.{dtype})", f'{text}.astype("{dtype}")'))

    def rearranged(self, depth: int) -> str:
        text, value = self.operand(depth)
        axis = self.axis(value)
        return str(self.pick(
            f"{text}.T", f"{text}.ravel()", f"{text}.flatten()", f"{text}.reshape(-1)",
            f"{text}.reshape({value.size}, 1)", f"np.swapaxes({text}, 0, {axis})",
            f"np.flip({text})",
            f"np.expand_dims({text}, {axis})", f"{text}.squeeze()", f"np.atleast_2d({text})",
            f"{text}.reshape((1, -1))", f"{text}.transpose()", f"np.flip({text}, {axis})",
            f"{text}.copy()", f"np.moveaxis({text}, 0, {axis})", f"{text}[..., None]",
            f"np.broadcast_to({text}, (2,) + {text}.shape)", f"np.fliplr({text})",
            f"np.rot90({text})",
            f"np.array({text})", f"np.asarray({text})", f"np.ascontiguousarray({text})",
        ))  # fmt: skip

    def created(self, depth: int) -> str:
        dtype = f"np.{self.weighted(DTYPES)}"
        n = self.pick("3", "4", f"abs({self.integer()}) % 5", "5")
        like = self.array()
        return str(self.pick(
            f"np.zeros({n})", f"np.ones({n}, dtype={dtype})", f"np.zeros((3, {n}))",
            f"np.full({n}, 2.5)", f"np.arange({n})", f"np.arange(1, {n}, 2)", "np.eye(3)",
            f"np.zeros_like({like})", f"np.full_like({like}, 1)",
            f"np.ones_like({like}, dtype={dtype})",
            f"np.array([1, {self.integer()}, 3])", f"np.arange({n}, dtype={dtype})",
            "np.linspace(0.0, 4.0, 5)", f"np.full((2, 3), {self.number()})", "np.identity(2)",
            f"np.array([{self.number()}, {self.number()}])",
            f"np.zeros({like}.shape, {like}.dtype)",
            f"np.ones({like}.shape)", f"np.zeros(len({like}))", f"np.diag({like})", "np.tri(3)",
            f"np.tril({like})", f"np.triu({like}, 1)",
        ))  # fmt: skip

    def joined(self, depth: int) -> str:
        text, value = self.operand(depth)
        same = [n for n in self.arrays() if self.names[n].shape == value.shape]
        other = self.pick(text, *same)
        return str(self.pick(
            f"np.concatenate([{text}, {other}])", f"np.stack([{text}, {other}])",
            f"np.concatenate(({text}, {other}), axis=-1)", f"np.vstack([{text}, {other}])",
            f"np.hstack([{text}, {other}])", f"np.tile({text}, 2)", f"np.repeat({text}, 2)",
            f"np.append({text}, {other})", f"np.stack(({text}, {other}), axis=-1)",
            f"np.column_stack([{text}, {other}])", f"np.repeat({text}, 2, axis=0)",
        ))  # fmt: skip

    def product(self, depth: int) -> str:
        text, value = self.operand(2)
        return str(self.pick(
            f"{text} @ {text}.T", f"np.dot({text}, {text}.T)", f"np.outer({text}, {text})",
            f"{text}.dot({text}.T)", f"np.vdot({text}, {text})", f"np.inner({text}, {text})",
            f"np.einsum('i,i->', {text}, {text})", f"np.einsum('ij,kj->ik', {text}, {text})",
            f"np.trace({text})", f"np.tensordot({text}, {text}, axes={value.ndim})",
        ))  # fmt: skip

    def ordered(self, depth: int) -> str:
        text, value = self.operand(depth)
        if value.dtype.kind == "c":
            raise Rejected
        axis = self.axis(value)
        return str(self.pick(
            f"np.sort({text} + 0)", f"np.sort({text} + 0, axis={axis})",
            f"np.argsort({text}, kind='stable')",
            f"np.unique({text} + 0)", f"np.sort({text} + 0, axis=None)",
            f"np.searchsorted([0, 1, 2], {text})",
            f"np.argsort({text}, axis={axis}, kind='stable')", f"np.sort({text} + 0)[::-1]",
            f"np.digitize({text}, np.array([0, 1, 3]))",
        ))  # fmt: skip

    def rounded(self, depth: int) -> str:
        if not self.final:
            raise Rejected
        text, _ = self.operand(depth)
        name = self.pick("sin", "cos", "exp", "tanh", "arctan", "sqrt", "cbrt", "expm1", "log1p",
                         "log", "sinh")  # fmt: skip
        return f"np.{name}({text})"

    def ufunc(self, depth: int) -> str:
        text, value = self.operand(depth)
        other = self.fitting(value)
        name = self.pick("maximum", "minimum", "add", "subtract", "multiply", "fmax", "logical_and",
                         "logical_or", "equal", "fmod", "floor_divide", "remainder",
                         "copysign")  # fmt: skip
        option = self.pick(
            "", "", "", f", dtype={self.pick('np.float64', 'np.float32', 'complex')}"
        )
        return f"np.{name}({text}, {other}{option})"

    def bits(self, depth: int) -> str:
        text, value = self.operand(depth)
        if value.dtype.kind not in "iub":
            raise Rejected
        return f"{text} {self.pick('&', '|', '^', '<<', '>>')} {self.pick('1', '2', '3', text)}"

    def clip(self, depth: int) -> str:
        text, _ = self.operand(depth)
        return str(self.pick(f"np.clip({text}, 0, 2)", f"{text}.clip(-1, 1)", f"{text}.clip(min=0)",
                             f"np.clip({text}, None, {self.number()})"))  # fmt: skip

    def counted(self, depth: int) -> str:
        text, value = self.operand(2)
        if value.dtype.kind in "iu" and value.ndim == 1:
            return f"np.bincount(np.abs({text}) % 5)"
        return str(self.pick(f"np.flatnonzero({text})", f"np.argwhere({text})",
        f"np.nonzero({text})[0]",
                             f"{text}.nonzero()[0]", f"np.where({text})[0]"))  # fmt: skip

    def rolled(self, depth: int) -> str:
        text, value = self.operand(depth)
        axis = self.axis(value)
        return str(self.pick(f"np.roll({text}, 1)",
        f"np.roll({text}, {self.integer()}, axis={axis})",
                             f"np.pad({text}, 1)", f"np.pad({text}, (1, 2), mode='edge')",
                             f"np.roll({text}, -1, axis=0)",
                             f"np.pad({text}, 1, constant_values=3)"))  # fmt: skip

    def parts(self, depth: int) -> str:
        text, value = self.operand(depth)
        axis = self.axis(value)
        indices = f"[0, {self.random.randrange(max(value.shape[axis], 1))}]"
        return str(self.pick(f"{text}.take({indices}, axis={axis})", f"np.take({text}, {indices})",
                             f"np.delete({text}, 0, axis={axis})", f"np.split({text}, 1)[0]",
                             f"np.compress([True, False], {text}, axis={axis})",
                             f"np.array_split({text}, 2)[1]",
                             f"np.insert({text}, 0, 1, axis={axis})"))  # fmt: skip

    def outer(self, depth: int) -> str:
        text, value = self.operand(2)
        name = self.pick("add", "multiply", "subtract", "maximum")
        axis = self.axis(value)
        return str(self.pick(f"np.{name}.outer({text}, {text})",
                             f"np.{name}.reduce({text}, axis={axis})",
                             f"np.{name}.reduce({text}, axis={axis}, keepdims=True)"))  # fmt: skip

    def tested(self, depth: int) -> str:
        text, value = self.operand(2)
        other = self.fitting(value)
        return str(self.pick(f"np.isin({text}, [1, 2])", f"np.array_equal({text}, {other})",
                             f"np.allclose({text}, {text})", f"np.isclose({text}, {other})",
                             f"np.isnan({text})"))  # fmt: skip


def _broadcasts(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(left, right) == right
    except ValueError:
        return False
