"""NumPy's elementwise functions that are made of others, and its calculus on arrays."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.ir import hooks
from agir.ir.building.types import TensorType, float64, is_python_number, promote
from agir.ir.emission.python_numbers import is_run_time_int
from agir.ir.ops.core import layouts
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_index, needing_sizes
from agir.ir.ops.core.recorded import (
    check_casting,
    dimension_size,
    dimension_sizes,
    dtype_of,
    in_loop,
    is_integer,
    known,
    only,
    operand,
    rank,
    records,
    store,
    tensor,
    type_of,
)
from agir.ir.ops.linalg.contractions import agree_along
from agir.ir.ops.shapes.numpy_creation import ordered
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor

call = dispatch.call


def _real(name: str, value: Any) -> Any:
    """The operand of a function that NumPy does not have for complex numbers."""
    if dtype_of(value).is_complex:
        raise TypeError(f"{name}() is not defined for {dtype_of(value)}")
    return value


# Elementwise.


@records(np.degrees, np.rad2deg)
def degrees(x: Any) -> Any:
    """Angles in degrees."""
    (value,) = in_loop(np.degrees, x)
    return call("multiply", value, 180.0 / np.pi)


@records(np.radians, np.deg2rad)
def radians(x: Any) -> Any:
    """Angles in radians."""
    (value,) = in_loop(np.radians, x)
    return call("multiply", value, np.pi / 180.0)


@records(np.reciprocal)
def reciprocal(x: Any) -> Any:
    """One divided by the number, towards zero for integers: that of 0 is what hardware gives."""
    value = operand(x)
    dtype = dtype_of(value)
    if dtype.kind in "fc":
        return call("reciprocal", value)
    if dtype.is_bool:
        return tensor(value, "int8")
    wide = dtype.kind == "i" and dtype.itemsize > 2
    of_zero = np.asarray(np.iinfo(dtype.numpy).min if wide else 0, dtype.numpy)
    one = call("less_equal", value, 1)
    if dtype.kind == "i":
        one = call("logical_and", one, call("greater_equal", value, -1))
    rest = call("where", one, value, np.zeros((), dtype.numpy))
    return call("where", call("equal", value, 0), of_zero, rest)


@records(np.fabs)
def fabs(x: Any) -> Any:
    """The absolute value as a float."""
    return call("abs", *in_loop(np.fabs, x))


@records(np.fmod)
def fmod(x: Any, y: Any) -> Any:
    """The remainder with the sign of the dividend."""
    x, y = operand(x), operand(y)
    dtype, _ = promote(type_of(x), type_of(y))
    if dtype.is_floating:
        x, y = call("cast", x, dtype), call("cast", y, dtype)
        return call("copysign", call("remainder", call("abs", x), call("abs", y)), x)
    rest = call("remainder", x, y)
    if dtype.kind != "i":
        return rest
    other = call(
        "logical_and", call("not_equal", rest, 0), call("less", x, 0) != call("less", y, 0)
    )
    return call("where", other, call("subtract", rest, y), rest)


@records(np.divmod)
def divmod_(x: Any, y: Any) -> Any:
    """Quotient and remainder."""
    return call("floor_divide", x, y), call("remainder", x, y)


@records(np.float_power)
def float_power(x: Any, y: Any) -> Any:
    """A power in float64 or complex128."""
    dtype, _ = promote(type_of(operand(x)), type_of(operand(y)))
    wide = "complex128" if dtype.is_complex else "float64"
    return call("power", tensor(x, wide), tensor(y, wide))


@records(np.heaviside)
def heaviside(x1: Any, x2: Any) -> Any:
    """0 for negative numbers, 1 for positive ones, ``x2`` for zero."""
    x, half = in_loop(np.heaviside, x1, x2)
    step = call("where", call("less", x, 0), 0.0, call("where", call("equal", x, 0), half, 1.0))
    return call("cast", call("where", call("isnan", x), x, step), dtype_of(x))


@records(np.logaddexp2)
def logaddexp2(x1: Any, x2: Any) -> Any:
    """``log2(2**x + 2**y)`` without overflow."""
    x, y = in_loop(np.logaddexp2, x1, x2)
    greater = call("maximum", x, y)
    distance = call("negative", call("abs", call("subtract", x, y)))
    more = call("multiply", call("log1p", call("exp2", distance)), 1.0 / math.log(2.0))
    return call("where", call("equal", x, y), call("add", x, 1.0), call("add", greater, more))


@records(np.isposinf)
def isposinf(x: Any, out: Any = None) -> Any:
    """True where the number is plus infinity."""
    result = call("equal", _real("isposinf", tensor(x)), np.inf)
    return result if out is None else store(result, out)


@records(np.isneginf)
def isneginf(x: Any, out: Any = None) -> Any:
    """True where the number is minus infinity."""
    result = call("equal", _real("isneginf", tensor(x)), -np.inf)
    return result if out is None else store(result, out)


@records(np.iscomplex)
def iscomplex(x: Any) -> Any:
    """True where the imaginary part is not zero."""
    return call("not_equal", call("imag", tensor(x)), 0)


@records(np.isreal)
def isreal(x: Any) -> Any:
    """True where the imaginary part is zero."""
    return call("equal", call("imag", tensor(x)), 0)


@records(np.iscomplexobj)
def iscomplexobj(x: Any) -> Any:
    """Whether the dtype is complex."""
    return dtype_of(x).is_complex


@records(np.isrealobj)
def isrealobj(x: Any) -> Any:
    """Whether the dtype is not complex."""
    return not dtype_of(x).is_complex


@records(np.real)
def real(val: Any) -> Any:
    """The real part; writing into it changes the array."""
    return hooks.tensors.part(tensor(val), "real")


@records(np.imag)
def imag(val: Any) -> Any:
    """The imaginary part; writing into it changes the array."""
    return hooks.tensors.part(tensor(val), "imag")


@records(np.angle)
def angle(z: Any, deg: bool = False) -> Any:
    """The angle of a complex number."""
    found = call("angle", tensor(z))
    return degrees(found) if deg else found


@records(np.sinc)
def sinc(x: Any) -> Any:
    """``sin(pi x) / (pi x)``, and 1 at zero."""
    given = tensor(x)
    value = given if given.dtype.kind in "fc" else tensor(given, float64)  # also of an int8
    y = call("multiply", value, np.pi)
    zero = call("equal", value, 0)
    safe = call("where", zero, 1.0, y)
    return call(
        "cast", call("where", zero, 1.0, call("divide", call("sin", safe), safe)), dtype_of(value)
    )


def _copied(x: Any) -> Any:
    """An array of its own that lies in memory as the other does."""
    return ordered(call("copy", x), "K", x)


@records(np.nan_to_num)
def nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """Numbers in the place of NaN and infinities."""
    given = tensor(x)
    if given.dtype.kind not in "fc":
        return _copied(given) if copy else given
    if given.dtype.is_complex:
        parts = [nan_to_num(call(n, given), True, nan, posinf, neginf) for n in ("real", "imag")]
        result = call("complex", *parts)
    else:
        limits = np.finfo(given.dtype.numpy)
        high = float(limits.max) if posinf is None else posinf
        low = float(limits.min) if neginf is None else neginf
        result = call("where", call("isnan", given), nan, given)
        result = call("where", call("equal", given, np.inf), high, result)
        result = call("where", call("equal", given, -np.inf), low, result)
        result = call("cast", result, given.dtype)
    if copy:
        return result
    given[...] = result
    return given


@records(np.clip)
def clip(
    a: Any, a_min: Any = None, a_max: Any = None, out: Any = None,
    *, min: Any = None, max: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """The values between two bounds."""
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    result = operand(a) if not is_python_number(a) else tensor(a)
    if dtype_of(result).kind in "iu":  # a bound that no number of the dtype passes is none
        limits = np.iinfo(dtype_of(result).numpy)
        low = None if type(low) is int and low <= limits.min else low
        high = None if type(high) is int and high >= limits.max else high
        if dtype_of(result).itemsize < 8:
            low = call("maximum", low, int(limits.min)) if is_run_time_int(low) else low
            high = call("minimum", high, int(limits.max)) if is_run_time_int(high) else high
    if low is not None and high is not None:  # NumPy compares with both at once, in one dtype
        dtype, _ = promote(type_of(result), type_of(low), type_of(high))
        result = call("cast", result, dtype)
    if low is not None:
        result = np.maximum(result, operand(low))
    if high is not None:
        result = np.minimum(result, operand(high))
    if low is None and high is None:
        result = _copied(result)
    return result if out is None else store(result, out, kwargs.get("casting", "same_kind"))


@records(np.round, np.around)
def round_(a: Any, decimals: int = 0, out: Any = None) -> Any:
    """The nearest number of so many decimals, the even one of two."""
    x = tensor(a)
    if not is_integer(decimals):
        raise TypeError(f"round(): the number of decimals is an integer, not {decimals!r}")
    symbolic = isinstance(decimals, SymbolicTensor)
    if x.dtype.kind in "iu" or x.dtype.is_bool:
        if x.dtype.is_bool:
            x = tensor(x, "float16")
        elif not symbolic and decimals >= 0 and (x is out or layouts.are_the_same(x, out)):
            return out  # NumPy does not look whether it could be written into
        elif symbolic or decimals < 0:
            step = call("power", 10, call("maximum", -decimals, 0)) if symbolic else 10**-decimals
            low = call("multiply", call("floor_divide", x, step), step)
            rest = call("subtract", x, low)
            odd = call("not_equal", call("remainder", call("floor_divide", low, step), 2), 0)
            twice = call("multiply", rest, 2)
            tie = call("logical_and", call("equal", twice, step), odd)
            up = call("logical_or", call("greater", twice, step), tie)
            x = ordered(call("where", up, call("add", low, step), low), "A", x)
        result = _copied(x)
    elif x.dtype.is_complex:
        result = call("complex", *(round_(call(n, x), decimals) for n in ("real", "imag")))
    elif symbolic:
        scale = call("power", 10.0, abs(decimals))
        larger, smaller = (call(n, x, scale) for n in ("multiply", "divide"))
        inside = call("where", decimals > 0, larger, smaller)
        whole = call("rint", call("cast", inside, x.dtype))
        up, down = (call(n, whole, scale) for n in ("multiply", "divide"))
        result = call("cast", call("where", decimals > 0, down, up), x.dtype)
    elif decimals == 0:
        result = call("rint", x)
    else:
        scale = float(10.0 ** abs(decimals))
        first, second = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
        result = call(second, call("rint", call(first, x, scale)), scale)
        result = ordered(result, "A", x)
    return result if out is None else _rounded_into(only(out), result, by_ufunc=x.dtype.kind == "f")


def _rounded_into(target: Any, result: Any, by_ufunc: bool) -> Any:
    """The result in ``out``, which must have as many elements, and be what it broadcasts to."""
    sizes = [functools.reduce(operator.mul, dimension_sizes(each), 1) for each in (result, target)]
    require(call("equal", *sizes), "round(): out= has to have as many elements as the result")
    if by_ufunc:
        return store(result, target)
    check_casting(dtype_of(result), dtype_of(target), "same_kind")
    target[...] = result
    return target


@records(np.fix)
def fix(x: Any, out: Any = None) -> Any:
    """The nearest integer towards zero."""
    result = call("trunc", tensor(x))
    return result if out is None else store(result, out)


@records(np.isclose)
def isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    """Whether numbers are nearly equal."""
    x, y = operand(a), operand(b)
    if dtype_of(y).kind not in "fc":
        y = call("cast", y, promote(type_of(y), TensorType(float64, (), True))[0])
    near = call("less_equal", call("abs", call("subtract", x, y)),
                call("add", atol, call("multiply", rtol, call("abs", y))))  # fmt: skip
    near = call("logical_and", near, call("isfinite", y))
    result = call("logical_or", near, call("equal", x, y))
    if equal_nan:
        both = call("logical_and", call("not_equal", x, x), call("not_equal", y, y))
        result = call("logical_or", result, both)
    return result


@records(np.allclose)
def allclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    """Whether all numbers are nearly equal."""
    return call("all", isclose(a, b, rtol, atol, equal_nan))


@records(np.array_equal)
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Whether two arrays have one shape and equal elements."""
    x, y = tensor(a1), tensor(a2)
    return _all_equal(x, y, equal_nan) if rank(x) == rank(y) else False


def _all_equal(x: Any, y: Any, equal_nan: bool) -> Any:
    pairs = list(zip(dimension_sizes(x), dimension_sizes(y), strict=True))
    if any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs):
        return False

    def elements() -> Any:
        same = call("equal", x, y)
        if equal_nan:
            both = call("logical_and", call("not_equal", x, x), call("not_equal", y, y))
            same = call("logical_or", same, both)
        return call("all", same)

    unknown = [call("equal", *p) for p in pairs if not all(isinstance(e, int) for e in p)]
    if not unknown:
        return elements()
    fits = functools.reduce(lambda one, other: call("logical_and", one, other), unknown)
    return operators.if_exp(fits, elements, lambda: False)


@records(np.array_equiv)
def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether two arrays are equal when one is broadcast to the other."""
    x, y = tensor(a1), tensor(a2)
    try:
        np.broadcast_shapes(*([1 if e is None else e for e in v.type.shape] for v in (x, y)))
    except ValueError:
        return False
    return call("all", call("equal", x, y))


# Extrema of complex numbers, which NumPy orders by their parts.


def _extremum(name: str, function: Any, order: str, keeps_nan: bool) -> None:
    @records(function)
    def extremum(x: Any, y: Any) -> Any:
        x, y = operand(x), operand(y)
        dtype, _ = promote(type_of(x), type_of(y))
        if not dtype.is_complex:
            return call(name, x, y)
        x, y = call("cast", x, dtype), call("cast", y, dtype)
        ours = call("logical_or", call(order, x, y), call("isnan", x if keeps_nan else y))
        return call("where", ours, x, y)


_extremum("maximum", np.maximum, "greater_equal", True)
_extremum("minimum", np.minimum, "less_equal", True)
_extremum("fmax", np.fmax, "greater_equal", False)
_extremum("fmin", np.fmin, "less_equal", False)


# Differences and sums along an axis.


@records(np.diff)
def diff(
    a: Any, n: int = 1, axis: int = -1, prepend: Any = np._NoValue, append: Any = np._NoValue
) -> Any:
    """Each element less the one before it, so many times."""
    n = operator.index(known(n)[()])
    if n < 0:
        raise ValueError(f"diff(): the order {n} is negative")
    if n == 0:
        return a  # itself, and no copy
    x = tensor(a)
    if rank(x) == 0:
        raise ValueError("diff() of a scalar: there must be a dimension")
    along = axis_index(axis, rank(x), "diff")
    parts = [_edge(x, prepend, along), x, _edge(x, append, along)]
    whole = [p for p in parts if p is not None]
    made = call("diff", call("concat", whole, along) if len(whole) > 1 else x, n, along)
    layouts.derive_joined(made, [x])
    return made


def _edge(x: Any, value: Any, axis: int) -> Any:
    if value is np._NoValue:
        return None
    part = tensor(value)
    if rank(part):
        return part
    shape = [1 if i == axis else e for i, e in enumerate(dimension_sizes(x))]
    return call("broadcast_to", part, shape)


@records(np.ediff1d)
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Differences of neighbours, with numbers before and behind."""
    x = call("reshape", tensor(ary), (-1,))
    middle = call("subtract", x[1:], x[:-1])
    parts = [
        None if p is None else call("reshape", tensor(p, x.dtype), (-1,))
        for p in (to_begin, to_end)
    ]
    whole = [p for p in (parts[0], middle, parts[1]) if p is not None]
    return call("concat", whole, 0) if len(whole) > 1 else middle


@records(np.gradient)
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Central differences inside, one-sided ones at the ends."""
    x = tensor(f)
    axes = range(rank(x)) if axis is None else axis if isinstance(axis, (tuple, list)) else [axis]
    along = [axis_index(a, rank(x), "gradient") for a in axes]
    spacing = list(varargs) * (len(along) if len(varargs) == 1 and rank(varargs[0]) == 0 else 1)
    spacing = spacing or [1.0] * len(along)
    if len(spacing) != len(along):
        raise TypeError(f"gradient(): {len(varargs)} distances for {len(along)} axes")
    if x.dtype.is_bool:
        raise TypeError("gradient(): bools have no differences; make numbers of them")
    values = x if x.dtype.kind in "fc" else tensor(x, "float64")
    found = [_slope(values, a, s, edge_order) for a, s in zip(along, spacing, strict=True)]
    return found[0] if len(found) == 1 else tuple(found)


def _slope(x: Any, axis: int, spacing: Any, order: int) -> Any:
    count = dimension_size(x, axis)
    if isinstance(count, int) and count < order + 1:
        raise ValueError(f"gradient(): {count} elements along axis {axis}; {order + 1} are needed")
    moved = call("moveaxis", x, axis, -1)
    distance = operand(spacing)
    if rank(distance):
        inner, first, last = _uneven(moved, call("subtract", distance[1:], distance[:-1]), order)
    else:
        inner, first, last = _even(moved, distance, order)
    joined = call("concat", [call("cast", p, x.dtype) for p in (first, inner, last)], -1)
    return call("moveaxis", joined, -1, axis)


def _even(x: Any, h: Any, order: int) -> tuple[Any, Any, Any]:
    inner = call("divide", x[..., 2:] - x[..., :-2], call("multiply", h, 2.0))
    if order == 1:
        return inner, (x[..., 1:2] - x[..., :1]) / h, (x[..., -1:] - x[..., -2:-1]) / h
    first = (-1.5 / h) * x[..., :1] + (2.0 / h) * x[..., 1:2] + (-0.5 / h) * x[..., 2:3]
    last = (0.5 / h) * x[..., -3:-2] + (-2.0 / h) * x[..., -2:-1] + (1.5 / h) * x[..., -1:]
    return inner, first, last


def _uneven(x: Any, h: Any, order: int) -> tuple[Any, Any, Any]:
    a, b = h[:-1], h[1:]
    inner = (-b / (a * (a + b))) * x[..., :-2] + ((b - a) / (a * b)) * x[..., 1:-1]
    inner = inner + (a / (b * (a + b))) * x[..., 2:]
    if order == 1:
        return inner, (x[..., 1:2] - x[..., :1]) / h[:1], (x[..., -1:] - x[..., -2:-1]) / h[-1:]
    p, q = h[:1], h[1:2]
    first = -(2.0 * p + q) / (p * (p + q)) * x[..., :1] + (p + q) / (p * q) * x[..., 1:2]
    first = first - p / (q * (p + q)) * x[..., 2:3]
    p, q = h[-2:-1], h[-1:]
    last = q / (p * (p + q)) * x[..., -3:-2] - (q + p) / (p * q) * x[..., -2:-1]
    last = last + (2.0 * q + p) / (q * (p + q)) * x[..., -1:]
    return inner, first, last


@records(np.trapezoid)
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The integral by the trapezoidal rule."""
    values = call("moveaxis", tensor(y), axis, -1)
    width: Any = dx
    if x is not None:
        places = tensor(x)
        places = places if rank(places) == 1 else call("moveaxis", places, axis, -1)
        width = call("subtract", places[..., 1:], places[..., :-1])
    middle = call("divide", call("add", values[..., 1:], values[..., :-1]), 2.0)
    return call("sum", call("multiply", width, middle), -1)


@records(np.unwrap)
def unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 2 * np.pi) -> Any:
    """Jumps by more than half a period taken out."""
    x = tensor(p)
    along = axis_index(axis, rank(x), "unwrap")
    step = call("diff", x, 1, along)
    limit = period / 2 if discont is None else discont
    integral = dtype_of(x).is_integer and is_integer(period)
    half, rest = (period // 2, period % 2) if integral else (period / 2, 0)
    low = -half
    folded = call("add", call("remainder", call("subtract", step, low), period), low)
    edge = call("logical_and", call("equal", folded, low), call("greater", step, 0))
    edge = call("logical_and", edge, call("equal", rest, 0))
    folded = call("where", edge, half, folded)
    change = call("subtract", folded, step)
    change = call("where", call("less", call("abs", step), limit), 0, change)
    total = call("numpy_cumsum", change, along)
    common, _ = promote(x.type, total.type)
    wide = call("cast", x, common)
    first, later = (
        wide[(slice(None),) * along + (part,)] for part in (slice(0, 1), slice(1, None))
    )
    return ordered(call("concat", [first, call("add", later, total)], along), "K", x)


# Products.


@records(np.cross)
def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None
) -> Any:
    """The vector product."""
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = call("moveaxis", tensor(a), axisa, -1), call("moveaxis", tensor(b), axisb, -1)
    sizes = (x.type.shape[-1], y.type.shape[-1])
    if None in sizes:
        raise needing_sizes("cross() depends on how many elements the vectors have: 2 or 3")
    if not {2, 3} >= set(sizes):
        raise ValueError(f"cross(): vectors have 2 or 3 elements, not {sizes}")
    p, q = [x[..., i] for i in range(sizes[0])], [y[..., i] for i in range(sizes[1])]
    if sizes == (2, 2):
        return ordered(p[0] * q[1] - p[1] * q[0], "C")
    if sizes[0] == 2:
        parts = [p[1] * q[2], -(p[0] * q[2]), p[0] * q[1] - p[1] * q[0]]
    elif sizes[1] == 2:
        parts = [-(p[2] * q[1]), p[2] * q[0], p[0] * q[1] - p[1] * q[0]]
    else:
        parts = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    return call("moveaxis", ordered(call("stack", parts, -1), "C"), -1, axisc)


@records(np.vecdot)
def vecdot(x1: Any, x2: Any) -> Any:
    """The dot products of vectors along the last axis; those of ``x1`` are conjugated."""
    agree_along("vecdot", (x1, x2), (-1, -1))
    return call("sum", call("multiply", call("conj", x1), x2), -1, _common(x1, x2))


def _matvec(x1: Any, x2: Any) -> Any:
    return call("matmul", x1, tensor(x2)[..., None])[..., 0]


def _vecmat(x1: Any, x2: Any) -> Any:
    return call("matmul", call("conj", tensor(x1))[..., None, :], x2)[..., 0, :]


def _common(*operands: Any) -> Any:
    return promote(*(type_of(v) for v in operands))[0]


for _name, _function in (("matvec", _matvec), ("vecmat", _vecmat)):
    if hasattr(np, _name):  # NumPy 2.2
        records(getattr(np, _name))(_function)


@records(np.kron)
def kron(a: Any, b: Any) -> Any:
    """The product of all pairs, in blocks."""
    x, y = tensor(a), tensor(b)
    ranks = max(rank(x), rank(y))
    x, y = (
        call("reshape", v, (1,) * (ranks - rank(v)) + dimension_sizes(v)) if rank(v) else v
        for v in (x, y)
    )
    if not ranks or not rank(x) or not rank(y):
        return call("multiply", x, y)
    left, right = dimension_sizes(x), dimension_sizes(y)
    first = call("reshape", x, [e for pair in zip(left, (1,) * ranks, strict=True) for e in pair])
    second = call("reshape", y, [e for pair in zip((1,) * ranks, right, strict=True) for e in pair])
    both = [p * q for p, q in zip(left, right, strict=True)]
    return call("reshape", call("multiply", first, second), both)
