"""Functions of complex numbers that the ``complex`` dialect lacks, from those that it has.

The inverse functions are W. Kahan's ("Branch cuts for complex elementary functions"), which keep to
the right side of each branch cut by the sign of a zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.types import DType, bool_
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import Dims
from agir.ir.tracing.trace import Trace


@cache
def parse(text: str) -> Any:
    """An MLIR type by its text."""
    return bindings.ir.Type.parse(text, bindings.context())


class _Numbers:
    """Arithmetic on complex scalars, taken apart where only one part is wanted."""

    def __init__(self, trace: Trace, dtype: DType) -> None:
        self.trace = trace
        self.dtype = dtype
        self.real = dtype.real

    def op(self, name: str, *operands: Any) -> Any:
        """A complex result."""
        return self.trace.op(f"complex.{name}", self.dtype.mlir(), *operands)

    def part(self, name: str, *operands: Any) -> Any:
        """A real result of a complex operand (``re``, ``im``)."""
        return self.trace.op(f"complex.{name}", self.real.mlir(), *operands)

    def number(self, name: str, *operands: Any) -> Any:
        """A real result of real operands."""
        return self.trace.op(name, self.real.mlir(), *operands)

    def parts(self, z: Any) -> tuple[Any, Any]:
        return self.part("re", z), self.part("im", z)

    def create(self, re: Any, im: Any) -> Any:
        return self.op("create", re, im)

    def times_i(self, z: Any) -> Any:
        """``i * z``, exact."""
        re, im = self.parts(z)
        return self.create(self.number("arith.negf", im), re)

    def over_i(self, z: Any) -> Any:
        """``-i * z``, exact."""
        re, im = self.parts(z)
        return self.create(im, self.number("arith.negf", re))

    def roots(self, z: Any) -> tuple[Any, Any]:
        """``sqrt(1 - z)`` and ``sqrt(1 + z)``; the imaginary part keeps the sign of its zero."""
        re, im = self.parts(z)
        one = self.trace.constant(self.real, 1.0)
        less = self.create(self.number("arith.subf", one, re), self.number("arith.negf", im))
        more = self.create(self.number("arith.addf", one, re), im)
        return self.op("sqrt", less), self.op("sqrt", more)

    def twice(self, x: Any) -> Any:
        return self.number("arith.addf", x, x)

    def atan_of_ratio(self, y: Any, x: Any) -> Any:
        """``atan(y / x)`` where ``x`` is not negative."""
        return self.number("math.atan2", y, x)

    # What the formulas miss: infinities, NaN, and the sign of a zero.

    def size(self, x: Any) -> Any:
        return self.number("math.absf", x)

    def signed(self, size: Any, like: Any) -> Any:
        """The magnitude of one number with the sign of another."""
        return self.number("math.copysign", size, like)

    def constant(self, value: float) -> Any:
        return self.trace.constant(self.real, value)

    def is_infinite(self, x: Any) -> Any:
        return emit.compare_floats(self.trace, "oeq", (), self.size(x), self.constant(math.inf))

    def is_zero(self, x: Any) -> Any:
        return emit.compare_floats(self.trace, "oeq", (), x, self.constant(0.0))

    def is_nan(self, x: Any) -> Any:
        return emit.compare_floats(self.trace, "uno", (), x, x)

    def both(self, p: Any, q: Any) -> Any:
        return self.trace.op("arith.andi", bool_.mlir(), p, q)

    def either(self, p: Any, q: Any) -> Any:
        return self.trace.op("arith.ori", bool_.mlir(), p, q)

    def select(self, condition: Any, x: Any, y: Any) -> Any:
        return emit.select(self.trace, condition, x, y)


def _sinh(numbers: _Numbers, z: Any) -> Any:
    return numbers.over_i(numbers.op("sin", numbers.times_i(z)))


def _cosh(numbers: _Numbers, z: Any) -> Any:
    return numbers.op("cos", numbers.times_i(z))


def _acos(numbers: _Numbers, z: Any) -> Any:
    less, more = numbers.roots(z)
    re = numbers.twice(numbers.atan_of_ratio(numbers.part("re", less), numbers.part("re", more)))
    im = _imaginary_of_product(numbers, numbers.op("conj", more), less)
    x, y = numbers.parts(z)
    far = numbers.either(numbers.is_infinite(x), numbers.is_infinite(y))
    re = numbers.select(far, numbers.number("math.atan2", numbers.size(y), x), re)
    above = numbers.both(numbers.is_zero(x), numbers.is_nan(y))
    re = numbers.select(above, numbers.constant(math.pi / 2), re)
    im = numbers.select(far, numbers.constant(math.inf), numbers.number("math.asinh", im))
    return numbers.create(re, numbers.signed(im, numbers.number("arith.negf", y)))


def _asin(numbers: _Numbers, z: Any) -> Any:
    less, more = numbers.roots(z)
    product = numbers.part("re", numbers.op("mul", less, more))
    re = numbers.atan_of_ratio(numbers.part("re", z), product)
    im = _imaginary_of_product(numbers, numbers.op("conj", less), more)
    x, y = numbers.parts(z)
    far = numbers.either(numbers.is_infinite(x), numbers.is_infinite(y))
    re = numbers.select(far, numbers.number("math.atan2", x, numbers.size(y)), re)
    re = numbers.select(numbers.both(numbers.is_zero(x), numbers.is_nan(y)), x, re)
    im = numbers.select(far, numbers.constant(math.inf), numbers.number("math.asinh", im))
    return numbers.create(numbers.signed(re, x), numbers.signed(im, y))


def _imaginary_of_product(numbers: _Numbers, left: Any, right: Any) -> Any:
    return numbers.part("im", numbers.op("mul", left, right))


def _asinh(numbers: _Numbers, z: Any) -> Any:
    return numbers.over_i(_asin(numbers, numbers.times_i(z)))


def _acosh(numbers: _Numbers, z: Any) -> Any:
    """``acos(z)`` turned by a right angle, to the side on which the real part is positive."""
    re, im = numbers.parts(_acos(numbers, z))
    return numbers.create(numbers.size(im), numbers.signed(re, numbers.part("im", z)))


def _atanh(numbers: _Numbers, z: Any) -> Any:
    """``log1p(4 x / ((1 - x)^2 + y^2)) / 4`` and half the angle of ``1 - x^2 - y^2 + 2 i y``.

    The first is that of ``x`` without its sign, for there nothing cancels.
    """
    x, y = numbers.parts(z)
    number, constant = numbers.number, partial(numbers.trace.constant, numbers.real)
    one, right = constant(1.0), numbers.size(x)
    below, above = number("arith.subf", one, right), number("arith.addf", one, right)
    square = number("arith.mulf", y, y)
    distance = number("arith.addf", number("arith.mulf", below, below), square)
    ratio = number("arith.divf", number("arith.mulf", constant(4.0), right), distance)
    re = number("arith.mulf", constant(0.25), number("math.log1p", ratio))
    beside = number("arith.subf", constant(math.log(2.0)), number("math.log", numbers.size(y)))
    at_pole = numbers.is_zero(distance)
    re = numbers.select(at_pole, number("arith.mulf", constant(0.5), beside), re)
    rest = number("arith.subf", number("arith.mulf", below, above), square)
    im = number("arith.mulf", constant(0.5), number("math.atan2", numbers.twice(y), rest))
    re, im = _atanh_of_great(numbers, (x, y), re, im)
    far = numbers.either(numbers.is_infinite(x), numbers.is_infinite(y))
    re = numbers.select(far, constant(0.0), numbers.select(numbers.is_zero(x), x, re))
    im = numbers.select(far, constant(math.pi / 2), im)
    im = numbers.select(numbers.is_nan(y), y, numbers.signed(im, y))
    return numbers.create(numbers.signed(re, x), im)


def _atanh_of_great(numbers: _Numbers, z: tuple[Any, Any], re: Any, im: Any) -> tuple[Any, Any]:
    """The real part of ``1 / z`` beside half of pi, where the squares of a part could overflow."""
    number, (x, y) = numbers.number, z
    greater = number("arith.maximumf", numbers.size(x), numbers.size(y))
    bound = numbers.constant(2.0**57 if numbers.real.bits == 64 else 2.0**28)
    great = emit.compare_floats(numbers.trace, "ogt", (), greater, bound)
    a, b = (number("arith.divf", part, greater) for part in z)
    squares = (number("arith.mulf", part, part) for part in (a, b))
    reciprocal = number(
        "arith.divf", number("arith.divf", a, greater), number("arith.addf", *squares)
    )
    half = numbers.constant(math.pi / 2)
    return numbers.select(great, reciprocal, re), numbers.select(great, half, im)


def _sign(numbers: _Numbers, z: Any) -> Any:
    """``z / abs(z)``; of an infinite part its sign, and of a zero with any signs the one without."""
    x, y = numbers.parts(z)
    nothing = numbers.constant(0.0)
    zero = numbers.create(nothing, nothing)
    none = numbers.trace.op("complex.eq", bool_.mlir(), z, zero)
    near = numbers.select(none, zero, numbers.op("sign", z))
    one = numbers.constant(1.0)
    right = numbers.create(numbers.signed(one, x), nothing)
    up = numbers.create(nothing, numbers.signed(one, y))
    nan = numbers.create(numbers.constant(math.nan), numbers.constant(math.nan))
    far_x, far_y = numbers.is_infinite(x), numbers.is_infinite(y)
    found = numbers.select(far_x, right, numbers.select(far_y, up, near))
    return numbers.select(numbers.both(far_x, far_y), nan, found)


def _atan(numbers: _Numbers, z: Any) -> Any:
    return numbers.over_i(_atanh(numbers, numbers.times_i(z)))


_FUNCTIONS: dict[str, Callable[[_Numbers, Any], Any]] = {
    "sinh": _sinh,
    "cosh": _cosh,
    "asin": _asin,
    "acos": _acos,
    "atan": _atan,
    "asinh": _asinh,
    "acosh": _acosh,
    "atanh": _atanh,
    "sign": _sign,
}


def of_complex(name: str) -> Callable[..., Any]:
    """The emitter of the function, element by element."""
    function = _FUNCTIONS[name]

    def build(trace: Trace, dtype: DType, z: Any) -> Any:
        return function(_Numbers(trace, dtype), z)

    def emitter(trace: Trace, dtype: DType, dims: Dims, z: Any) -> Any:
        if not dims:
            return build(trace, dtype, z)
        return emit.map_scalars(trace, partial(build, trace, dtype), dtype, dims, z)

    return emitter
