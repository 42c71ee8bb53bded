"""Floats taken apart: mantissa and exponent, the next number and how far it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import as_dtype, float64, int16, int32, int64
from agir.ir.ops.core.operands import compose
from agir.ir.ops.core.recorded import dtype_of, in_loop, records, tensor
from agir.ir.ops.elementwise.bits import same_bits
from agir.ir.ops.shapes.numpy_creation import ordered
from agir.ir.tensors import dispatch

call = dispatch.call
_BITS = {32: np.int32, 64: np.int64}
_SIGNED = {16: int16, 32: int32, 64: int64}


def nextafter(x: Any, y: Any) -> Any:
    """The float next to ``x`` in the direction of ``y``: one more or less in the order of its bits.

    >>> float(ag.numpy.nextafter(1.0, 2.0))
    1.0000000000000002
    """
    start, goal = in_loop(np.nextafter, x, y)
    dtype = dtype_of(start)
    kind = _SIGNED[dtype.bits]
    bits = same_bits(start, kind)
    away = call("equal", call("greater", start, 0), call("greater", goal, start))
    step = call("where", away, np.ones((), kind.numpy), np.full((), -1, kind.numpy))
    moved = same_bits(call("add", bits, step), dtype)
    least = same_bits(np.ones((), kind.numpy), dtype)
    moved = call("where", call("equal", start, 0), call("copysign", least, goal), moved)
    moved = call("where", call("equal", start, goal), goal, moved)
    unordered = call("logical_or", call("isnan", start), call("isnan", goal))
    return call("where", unordered, np.full((), np.nan, dtype.numpy), moved)


compose("nextafter", nextafter, operands=("x", "y"), numpy=(np.nextafter,), accepts="biuf")


@records(np.frexp)
def frexp(x: Any) -> Any:
    """Mantissas between a half and one, and exponents to base 2."""
    (given,) = in_loop(np.frexp, x)
    value = tensor(given, "float32") if dtype_of(given).bits == 16 else given
    dtype = dtype_of(value)
    kind, fraction = _BITS[dtype.bits], np.finfo(dtype.numpy).nmant
    whole = 2**fraction
    small = call("less", call("abs", value), np.finfo(dtype.numpy).smallest_normal)
    value = call("where", small, call("multiply", value, float(whole)), value)  # normal numbers
    bits = same_bits(value, as_dtype(kind))
    bias = np.finfo(dtype.numpy).maxexp - 2
    every = 2 * bias + 3  # all bits of an exponent
    exponent = call("bitwise_and", call("bitwise_right_shift", bits, kind(fraction)), kind(every))
    rest = call("bitwise_and", bits, kind(~(every << fraction)))
    half = same_bits(call("bitwise_or", rest, kind(bias << fraction)), dtype)
    exponent = call("subtract", exponent, call("where", small, kind(bias + fraction), kind(bias)))
    plain = call("logical_and", call("isfinite", value), call("not_equal", value, 0))
    return (
        tensor(call("where", plain, half, value), dtype_of(given)),
        tensor(call("where", plain, exponent, kind(0)), "int32"),
    )


@records(np.spacing)
def spacing(x: Any) -> Any:
    """The distance to the next number that is farther from zero, with the sign of the number."""
    (value,) = in_loop(np.spacing, x)
    dtype = dtype_of(value)
    infinity = np.asarray(np.inf, dtype.numpy)
    if dtype.bits == 16:  # NumPy takes the next one upwards there
        found = call("subtract", nextafter(value, infinity), value)
    else:
        size = call("abs", value)
        step = call("subtract", nextafter(size, infinity), size)
        found = call("where", call("less", value, 0), call("negative", step), step)
    return call("where", call("isfinite", value), found, np.asarray(np.nan, dtype.numpy))


@records(np.ldexp)
def ldexp(x1: Any, x2: Any) -> Any:
    """``x * 2**y``."""
    x, exponents = in_loop(np.ldexp, x1, x2)
    rest = call("clip", exponents, -3000, 3000)
    found = tensor(x, float64)
    for parts in (3, 2, 1):  # a power for each fits a float
        part = call("floor_divide", rest, parts)
        rest = call("subtract", rest, part)
        found = call("multiply", found, call("exp2", call("cast", part, "float64")))
    return tensor(found, dtype_of(x))


@records(np.modf)
def modf(x: Any) -> Any:
    """The fraction and the whole number, with the sign of the number."""
    (value,) = in_loop(np.modf, x)
    whole = call("trunc", value)
    rest = call("where", call("isinf", value), 0.0, call("subtract", value, whole))
    return call("copysign", tensor(rest, dtype_of(value)), value), whole


@records(np.i0)
def i0(x: Any) -> Any:
    """The modified Bessel function of the first kind, of order 0.

    Its power series where that converges fast, an asymptotic one beyond.
    """
    given = tensor(x)
    if given.dtype.is_complex:
        raise TypeError("i0() is not defined for complex numbers")
    given = given if given.dtype.kind == "f" else tensor(given, float64)
    size = call("abs", tensor(given, float64))
    near = call("minimum", size, _FAR)
    square = call("square", call("multiply", near, 0.5))
    series, term = call("fill_like", near, 1.0), call("fill_like", near, 1.0)
    for k in range(1, 62):
        term = call("multiply", term, call("multiply", square, 1.0 / k**2))
        series = call("add", series, term)
    inverse = call("divide", 1.0, call("multiply", call("maximum", size, _FAR), 8.0))
    tail, term = call("fill_like", near, 1.0), call("fill_like", near, 1.0)
    for k in range(1, 24):
        term = call("multiply", term, call("multiply", inverse, (2 * k - 1) ** 2 / k))
        tail = call("add", tail, term)
    half = call("exp", call("multiply", size, 0.5))
    root = call("sqrt", call("multiply", size, 2 * np.pi))
    beyond = call("multiply", call("multiply", half, call("divide", tail, root)), half)
    found = call("where", call("greater", size, _FAR), beyond, series)
    return ordered(tensor(found, dtype_of(given)), "K", given)


_FAR = 22.0
