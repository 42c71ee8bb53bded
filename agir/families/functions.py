"""Functions of elements that are made of other operations, under TensorFlow's names."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from agir.families.signatures import operand as _operand
from agir.families.signatures import plain as _plain
from agir.families.signatures import tensor as _tensor
from agir.ir.building.types import as_dtype as _as_dtype
from agir.ir.ops.core.operands import composition as _composition
from agir.ir.ops.elementwise.bits import bitcast as _bitcast
from agir.ir.ops.linalg.matrix_products import cross, global_norm
from agir.ir.ops.signals.normalization import l2_normalize
from agir.ir.tensors.dispatch import call as _call
from agir.ir.tensors.likes import AxisLike as _AxisLike
from agir.ir.tensors.likes import DTypeLike as _DTypeLike
from agir.ir.tensors.likes import TensorLike as _TensorLike

# Arithmetic with care.


@_composition()
def add_n(inputs: Sequence[Any], name: str | None = None) -> Any:
    """The sum of the tensors of a list, which have one shape.

    >>> ag.add_n([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([4., 6.], dtype=float32)

    Shapes: inputs list of [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the shapes differ
    """
    parts = [_tensor(each) for each in inputs]
    if not parts:
        raise ValueError("add_n() needs at least one tensor")
    for part in parts[1:]:
        pairs = zip(parts[0].shape, part.shape, strict=False)
        if len(part.shape) != len(parts[0].shape) or any(
            None not in p and p[0] != p[1] for p in pairs
        ):
            raise ValueError(f"add_n(): the shapes {parts[0].shape} and {part.shape} differ")
    return functools.reduce(lambda a, b: _call("add", a, b), parts)


@_composition()
def scalar_mul(scalar: Any, x: _TensorLike, name: str | None = None) -> Any:
    """A tensor times a number.

    >>> ag.math.scalar_mul(2.0, [1.0, 3.0]).numpy()
    array([2., 6.], dtype=float32)

    Shapes: scalar [], x [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for a first argument with dimensions
    """
    if getattr(_tensor(scalar), "shape", ()):
        raise ValueError("scalar_mul(): the first argument is not a scalar")
    return _call("multiply", _operand(scalar), x)


def _unless_zero(guard: Any, result: Any) -> Any:
    return _call("where", _call("equal", guard, 0), 0, result)


@_composition()
def divide_no_nan(x: _TensorLike, y: _TensorLike, name: str | None = None) -> Any:
    """``x / y``, and 0 where ``y`` is 0.

    >>> ag.math.divide_no_nan([1.0, 2.0], [0.0, 4.0]).numpy()
    array([0. , 0.5], dtype=float32)

    Shapes: x and y broadcast
    Dtypes: bool, int, uint -> float64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _unless_zero(y, _call("divide", _operand(x), _operand(y)))


@_composition()
def multiply_no_nan(x: _TensorLike, y: _TensorLike, name: str | None = None) -> Any:
    """``x * y``, and 0 where ``y`` is 0 even if ``x`` is NaN or infinite.

    >>> ag.math.multiply_no_nan([float("inf"), 2.0], [0.0, 4.0]).numpy()
    array([0., 8.], dtype=float32)

    Shapes: x and y broadcast
    Dtypes: bool -> int64; int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _unless_zero(y, _call("multiply", _operand(x), _operand(y)))


@_composition()
def reciprocal_no_nan(x: _TensorLike, name: str | None = None) -> Any:
    """``1 / x``, and 0 where ``x`` is 0.

    >>> ag.math.reciprocal_no_nan([2.0, 0.0]).numpy()
    array([0.5, 0. ], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _unless_zero(x, _call("divide", 1, _operand(x)))


@_composition()
def xlogy(x: _TensorLike, y: _TensorLike, name: str | None = None) -> Any:
    """``x * log(y)``, and 0 where ``x`` is 0.

    >>> ag.math.xlogy([0.0, 1.0], [0.0, 1.0]).numpy()
    array([0., 0.], dtype=float32)

    Shapes: x and y broadcast
    Dtypes: bool, int8, uint8 -> float16; int16, uint16 -> float32; int32, int64, uint32, uint64
        -> float64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _unless_zero(x, _call("multiply", _operand(x), _call("log", _operand(y))))


@_composition()
def xlog1py(x: _TensorLike, y: _TensorLike, name: str | None = None) -> Any:
    """``x * log1p(y)``, and 0 where ``x`` is 0.

    >>> ag.math.xlog1py([0.0, 1.0], [-1.0, 0.0]).numpy()
    array([0., 0.], dtype=float32)

    Shapes: x and y broadcast
    Dtypes: bool, int8, uint8 -> float16; int16, uint16 -> float32; int32, int64, uint32, uint64
        -> float64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _unless_zero(x, _call("multiply", _operand(x), _call("log1p", _operand(y))))


@_composition()
def xdivy(x: _TensorLike, y: _TensorLike, name: str | None = None) -> Any:
    """``x / y``, and 0 where ``x`` is 0.

    >>> ag.math.xdivy([0.0, 1.0], [0.0, 2.0]).numpy()
    array([0. , 0.5], dtype=float32)

    Shapes: x and y broadcast
    Dtypes: bool, int, uint -> float64; float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _unless_zero(x, _call("divide", _operand(x), _operand(y)))


@_composition()
def squared_difference(x: _TensorLike, y: _TensorLike, name: str | None = None) -> Any:
    """``(x - y) ** 2``, of complex numbers the square of the distance.

    >>> ag.math.squared_difference([1.0, 5.0], 3.0).numpy()
    array([4., 4.], dtype=float32)

    Shapes: x and y broadcast
    Dtypes: int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    distance = _call("subtract", _operand(x), _operand(y))
    if distance.dtype.is_complex:
        return _call("multiply", _call("conj", distance), distance)
    return _call("square", distance)


@_composition()
def truncatediv(x: _TensorLike, y: _TensorLike, name: str | None = None) -> Any:
    """``x / y`` rounded towards zero.

    >>> ag.truncatediv([7, -7], 2).numpy()
    array([ 3, -3], dtype=int32)

    Shapes: x and y broadcast
    Dtypes: bool -> int8; int, uint, float -> the same
    Raises: RuntimeZeroDivisionError for an integer divided by zero; OperandTypeError for other
        dtypes
    """
    left, right = _operand(x), _operand(y)
    floored = _call("floor_divide", left, right)
    if floored.dtype.is_floating:
        return _call("trunc", _call("divide", left, right))
    rest = _call("subtract", left, _call("multiply", floored, right))
    signs = _call("logical_xor", _call("less", left, 0), _call("less", right, 0))
    up = _call("logical_and", _call("not_equal", rest, 0), signs)
    return _call("add", floored, _call("cast", up, floored.dtype))


@_composition()
def truncatemod(x: _TensorLike, y: _TensorLike, name: str | None = None) -> Any:
    """What is left of ``x / y`` rounded towards zero: it has the sign of ``x``.

    >>> ag.truncatemod([7, -7], 3).numpy()
    array([ 1, -1], dtype=int32)

    Shapes: x and y broadcast
    Dtypes: bool -> int8; int, uint, float -> the same
    Raises: RuntimeZeroDivisionError for an integer divided by zero; OperandTypeError for other
        dtypes
    """
    left, right = _operand(x), _operand(y)
    rest = _call("remainder", left, right)
    if rest.dtype.is_floating:
        size = _call("remainder", _call("abs", left), _call("abs", right))
        return _call("copysign", size, left)
    signs = _call("logical_xor", _call("less", left, 0), _call("less", right, 0))
    down = _call("logical_and", _call("not_equal", rest, 0), signs)
    return _call("subtract", rest, _call("where", down, _call("cast", right, rest.dtype), 0))


@_composition()
def polyval(coeffs: Sequence[Any], x: _TensorLike, name: str | None = None) -> Any:
    """The polynomial of these coefficients, the highest power first, by Horner's rule.

    >>> ag.math.polyval([1.0, 0.0, 2.0], 3.0).numpy()
    np.float32(11.0)

    Shapes: coeffs list of [...], x [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    if not isinstance(coeffs, (list, tuple)):
        raise ValueError("polyval(): the coefficients are a list")
    if not coeffs:
        return _call("fill_like", _tensor(x), 0)
    total = _operand(coeffs[0])
    if not getattr(total, "shape", ()):
        total = _call("add", _call("fill_like", _tensor(x), 0), total)
    for coefficient in coeffs[1:]:
        total = _call("add", _call("multiply", total, _operand(x)), _operand(coefficient))
    return total


# Norms and bounds.


@_composition()
def clip_by_norm(
    t: _TensorLike, clip_norm: Any, axes: _AxisLike = None, name: str | None = None
) -> Any:
    """The tensor scaled down to have no greater Euclidean norm over the axes than ``clip_norm``.

    >>> ag.clip_by_norm([3.0, 4.0], 1.0).numpy()
    array([0.6, 0.8], dtype=float32)

    Shapes: t [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    x = _tensor(t)
    total = _call("sum", _call("square", _call("abs", x)), _plain(axes), None, True)
    norm = _call("sqrt", total)
    most = _call("maximum", norm, _operand(clip_norm))
    return _call("cast", _call("divide", _call("multiply", x, _operand(clip_norm)), most), x.dtype)


@_composition()
def clip_by_global_norm(
    t_list: Sequence[Any], clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """The tensors scaled so that their norm together is at most ``clip_norm``, and what it was.

    >>> ag.clip_by_global_norm([[3.0, 4.0]], 1.0)[1].numpy()
    np.float32(5.0)

    Shapes: t_list list of [...] -> list of [...] and []
    Dtypes: bool, int, uint -> (the same, float64); float -> the same; complex64 -> (complex64,
        float32); complex128 -> (complex128, float64)
    Raises: OperandTypeError for what is no tensor
    """
    norm = global_norm(t_list) if use_norm is None else _tensor(use_norm)
    scale = _call("divide", _operand(clip_norm), _call("maximum", norm, _operand(clip_norm)))
    scale = _call("where", _call("isfinite", norm), scale, float("nan"))
    parts = [None if t is None else _tensor(t) for t in t_list]
    return [
        None if t is None else _call("multiply", t, _call("cast", scale, t.dtype)) for t in parts
    ], norm


# Conversion.


@_composition()
def cast(x: _TensorLike, dtype: _DTypeLike, name: str | None = None) -> Any:
    """The values converted: truncation towards zero, nonzero to True, the real part.

    >>> ag.cast([1.7, -1.7], ag.int32).numpy()
    array([ 1, -1], dtype=int32)

    Shapes: x [...] -> [...]
    Dtypes: any -> the one asked for
    Raises: OperandTypeError for what names no dtype
    """
    return _call("cast", x, dtype)


@_composition()
def saturate_cast(value: _TensorLike, dtype: _DTypeLike, name: str | None = None) -> Any:
    """The values converted, those that do not fit being the nearest that do; NaN becomes 0.

    >>> ag.saturate_cast([300.0, -5.0], ag.uint8).numpy()
    array([255,   0], dtype=uint8)

    Shapes: value [...] -> [...]
    Dtypes: any -> the one asked for
    Raises: OperandTypeError for what names no dtype
    """
    x, target = _tensor(value), _as_dtype(dtype)
    x = _call("real", x) if x.dtype.is_complex and not target.is_complex else x
    if target.kind in "bc" or x.dtype.kind in "bc" or x.dtype == target:
        return _call("cast", x, target)
    low, high = target.limits
    if target.is_floating:
        if target.bits > 16 and (x.dtype.is_integer or target.bits >= x.dtype.bits):
            return _call("cast", x, target)
        return _call("cast", _call("clip", _call("cast", x, "float64"), low, high), target)
    if x.dtype.is_floating:
        wide = _call("cast", x, "float64")
        below, above = (
            _call("less_equal", wide, float(low)),
            _call("greater_equal", wide, float(high)),
        )
        inside = _call("logical_not", _call("logical_or", below, above))
        inside = _call("logical_and", inside, _call("logical_not", _call("isnan", wide)))
        found = _call("cast", _call("where", inside, wide, 0.0), target)
        found = _call("where", below, _call("full", (), low, target), found)
        return _call("where", above, _call("full", (), high, target), found)
    own = x.dtype.limits
    bounds = max(low, own[0]), min(high, own[1])
    return _call("cast", _call("clip", x, *bounds), target)


@_composition()
def bitcast(input: _TensorLike, type: _DTypeLike, name: str | None = None) -> Any:
    """The bits of the elements as elements of another dtype, the least significant ones first.

    >>> ag.bitcast(ag.constant(1.0), ag.int32).numpy()
    np.int32(1065353216)

    Shapes: input [...] -> [...]; with one more axis, or one less, where the widths differ
    Dtypes: any, of widths that fit -> the one asked for
    Raises: OperandTypeError for other dtypes
    """
    return _bitcast(_tensor(input), type)


__all__ = [
    "add_n",
    "bitcast",
    "cast",
    "clip_by_global_norm",
    "clip_by_norm",
    "cross",
    "divide_no_nan",
    "global_norm",
    "l2_normalize",
    "multiply_no_nan",
    "polyval",
    "reciprocal_no_nan",
    "saturate_cast",
    "scalar_mul",
    "squared_difference",
    "truncatediv",
    "truncatemod",
    "xdivy",
    "xlog1py",
    "xlogy",
]
