"""Functions of complex numbers that the ``complex`` dialect lacks, from those that it has.

The inverse functions are W. Kahan's ("Branch cuts for complex elementary functions"), which keep to
the right side of each branch cut by the sign of a zero.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from agir.ir import bindings, emit
from agir.ir.symbolic import Dims
from agir.ir.trace import Trace
from agir.ir.types import DType


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


def _sinh(numbers: _Numbers, z: Any) -> Any:
    return numbers.over_i(numbers.op("sin", numbers.times_i(z)))


def _cosh(numbers: _Numbers, z: Any) -> Any:
    return numbers.op("cos", numbers.times_i(z))


def _acos(numbers: _Numbers, z: Any) -> Any:
    less, more = numbers.roots(z)
    re = numbers.twice(numbers.atan_of_ratio(numbers.part("re", less), numbers.part("re", more)))
    im = _imaginary_of_product(numbers, numbers.op("conj", more), less)
    return numbers.create(re, numbers.number("math.asinh", im))


def _asin(numbers: _Numbers, z: Any) -> Any:
    less, more = numbers.roots(z)
    product = numbers.part("re", numbers.op("mul", less, more))
    re = numbers.atan_of_ratio(numbers.part("re", z), product)
    im = _imaginary_of_product(numbers, numbers.op("conj", less), more)
    return numbers.create(re, numbers.number("math.asinh", im))


def _imaginary_of_product(numbers: _Numbers, left: Any, right: Any) -> Any:
    return numbers.part("im", numbers.op("mul", left, right))


def _asinh(numbers: _Numbers, z: Any) -> Any:
    return numbers.over_i(_asin(numbers, numbers.times_i(z)))


def _acosh(numbers: _Numbers, z: Any) -> Any:
    re, im = numbers.parts(z)
    one = numbers.trace.constant(numbers.real, 1.0)
    less = numbers.op("sqrt", numbers.create(numbers.number("arith.subf", re, one), im))
    more = numbers.op("sqrt", numbers.create(numbers.number("arith.addf", re, one), im))
    size = numbers.part("re", numbers.op("mul", numbers.op("conj", less), more))
    angle = numbers.atan_of_ratio(numbers.part("im", less), numbers.part("re", more))
    return numbers.create(numbers.number("math.asinh", size), numbers.twice(angle))


def _atanh(numbers: _Numbers, z: Any) -> Any:
    """``log1p(4 x / ((1 - x)^2 + y^2)) / 4`` and half the angle of ``1 - x^2 - y^2 + 2 i y``."""
    x, y = numbers.parts(z)
    number, constant = numbers.number, partial(numbers.trace.constant, numbers.real)
    one = constant(1.0)
    below, above = number("arith.subf", one, x), number("arith.addf", one, x)
    square = number("arith.mulf", y, y)
    distance = number("arith.addf", number("arith.mulf", below, below), square)
    ratio = number("arith.divf", number("arith.mulf", constant(4.0), x), distance)
    re = number("arith.mulf", constant(0.25), number("math.log1p", ratio))
    rest = number("arith.subf", number("arith.mulf", below, above), square)
    im = number("arith.mulf", constant(0.5), number("math.atan2", numbers.twice(y), rest))
    return numbers.create(re, im)


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
