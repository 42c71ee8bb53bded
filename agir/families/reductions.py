"""Reductions under TensorFlow's names: in the dtype of their input."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.families.signatures import plain as _plain
from agir.families.signatures import tensor as _tensor
from agir.ir.building.types import as_dtype as _as_dtype
from agir.ir.building.types import int64 as _int64
from agir.ir.ops.core.operands import composition as _composition
from agir.ir.ops.signals.normalization import zero_fraction
from agir.ir.tensors.dispatch import call as _call
from agir.ir.tensors.likes import AxisLike as _AxisLike
from agir.ir.tensors.likes import DTypeLike as _DTypeLike
from agir.ir.tensors.likes import TensorLike as _TensorLike


def _in_same_dtype(name: str, x: Any, axis: Any, keepdims: bool) -> Any:
    values = _tensor(x)
    dtype = None if values.dtype.kind == "b" else values.dtype
    return _call(name, values, _plain(axis), dtype, keepdims)


@_composition()
def reduce_sum(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """The sum over the axes (all where None), in the dtype of the tensor.

    >>> ag.reduce_sum([[1, 5], [3, 2]], axis=0).numpy()
    array([4, 7], dtype=int32)

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool -> int64; int, uint, float, complex -> the same
    Raises: OperandValueError for an axis that the tensor has not
    """
    return _in_same_dtype("sum", input_tensor, axis, keepdims)


@_composition()
def reduce_prod(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """The product over the axes (all where None), in the dtype of the tensor.

    >>> ag.reduce_prod([[1, 5], [3, 2]], axis=0).numpy()
    array([ 3, 10], dtype=int32)

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool -> int64; int, uint, float, complex -> the same
    Raises: OperandValueError for an axis that the tensor has not
    """
    return _in_same_dtype("prod", input_tensor, axis, keepdims)


@_composition()
def reduce_max(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """The greatest element over the axes; NaN where there is one.

    >>> ag.reduce_max([[1, 5], [3, 2]], axis=0).numpy()
    array([3, 5], dtype=int32)

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool, int, uint, float -> the same
    Raises: OperandValueError for an axis that the tensor has not; OperandTypeError for other
        dtypes
    """
    return _call("max", _tensor(input_tensor), _plain(axis), keepdims)


@_composition()
def reduce_min(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """The least element over the axes; NaN where there is one.

    >>> ag.reduce_min([[1, 5], [3, 2]], axis=0).numpy()
    array([1, 2], dtype=int32)

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool, int, uint, float -> the same
    Raises: OperandValueError for an axis that the tensor has not; OperandTypeError for other
        dtypes
    """
    return _call("min", _tensor(input_tensor), _plain(axis), keepdims)


@_composition()
def reduce_mean(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """The mean over the axes in the dtype of the tensor: of integers, rounded towards zero.

    >>> ag.reduce_mean([[1.0, 2.0], [3.0, 5.0]], axis=0).numpy()
    array([2. , 3.5], dtype=float32)

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool -> float64; int, uint, float, complex -> the same
    Raises: OperandValueError for an axis that the tensor has not
    """
    values = _tensor(input_tensor)
    found = _call("mean", values, _plain(axis), keepdims=keepdims)
    return _call("cast", found, values.dtype) if values.dtype.is_integer else found


@_composition()
def reduce_any(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """True where an element over the axes is true.

    >>> ag.reduce_any([[True, False], [False, False]], axis=1).numpy()
    array([ True, False])

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool, int, uint, float, complex -> bool
    Raises: OperandValueError for an axis that the tensor has not
    """
    return _call("any", _tensor(input_tensor), _plain(axis), keepdims)


@_composition()
def reduce_all(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """True where every element over the axes is true.

    >>> ag.reduce_all([[True, False], [True, True]], axis=1).numpy()
    array([False,  True])

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool, int, uint, float, complex -> bool
    Raises: OperandValueError for an axis that the tensor has not
    """
    return _call("all", _tensor(input_tensor), _plain(axis), keepdims)


@_composition()
def reduce_variance(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """The variance over the axes; of integers in float64.

    >>> ag.math.reduce_variance([1.0, 3.0]).numpy()
    np.float32(1.0)

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool, int, uint, complex128 -> float64; float -> the same; complex64 -> float32
    Raises: OperandValueError for an axis that the tensor has not
    """
    return _call("var", _tensor(input_tensor), _plain(axis), keepdims=keepdims)


@_composition()
def reduce_std(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """The standard deviation over the axes; of integers in float64.

    >>> ag.math.reduce_std([1.0, 3.0]).numpy()
    np.float32(1.0)

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool, int, uint, complex128 -> float64; float -> the same; complex64 -> float32
    Raises: OperandValueError for an axis that the tensor has not
    """
    return _call("std", _tensor(input_tensor), _plain(axis), keepdims=keepdims)


@_composition()
def reduce_logsumexp(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """``log(sum(exp(x)))`` over the axes, without overflow; minus infinity where there are none.

    >>> ag.reduce_logsumexp([0.0, 0.0]).numpy().round(3)
    np.float32(0.693)

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandValueError for an axis that the tensor has not; OperandTypeError for other
        dtypes
    """
    x = _tensor(input_tensor)
    if x.dtype.is_complex:
        raise TypeError(f"reduce_logsumexp() is not defined for {x.dtype}")
    axes = _plain(axis)
    x = x if x.dtype.is_floating else _call("cast", x, "float64")
    greatest = _greatest(x, axes)
    shift = _call("where", _call("isfinite", greatest), greatest, 0.0)
    total = _call("sum", _call("exp", _call("subtract", x, shift)), axes, None, True)
    found = _call("add", _call("log", total), shift)
    if keepdims or not x.shape:
        return found
    return _call("squeeze", found, axes if axes is not None else tuple(range(len(x.shape))))


def _greatest(x: Any, axes: Any) -> Any:
    """The greatest elements over the axes, which are kept; minus infinity where there are none."""
    if not any(size in (0, None) for size in x.shape):
        return _call("max", x, axes, True)
    rank = len(x.shape)
    reduced = range(rank) if axes is None else _axes(axes, rank)
    widths = [[0, int(axis in reduced)] for axis in range(rank)]
    return _call("max", _call("pad", x, widths, "constant", -np.inf), axes, True)


def _axes(axes: Any, rank: int) -> list[int]:
    given = axes if isinstance(axes, (list, tuple)) else [axes]
    return [int(axis) % rank for axis in given]


@_composition()
def reduce_euclidean_norm(
    input_tensor: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """The square root of the sum of the squared magnitudes, in the dtype of the tensor.

    >>> ag.math.reduce_euclidean_norm([3.0, 4.0]).numpy()
    np.float32(5.0)

    Shapes: input_tensor [...] -> [...] without the axes
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for an axis that the tensor has not
    """
    x = _tensor(input_tensor)
    size = _call("abs", x)
    size = size if size.dtype.is_floating else _call("cast", size, "float64")
    total = _call("sum", _call("square", size), _plain(axis), None, keepdims)
    return _call("cast", _call("sqrt", total), x.dtype)


def _position(which: str, input: Any, axis: Any, output_type: Any) -> Any:
    found = _call(which, _tensor(input), 0 if axis is None else int(_plain(axis)))
    return found if _as_dtype(output_type) == _int64 else _call("cast", found, output_type)


@_composition()
def argmax(
    input: _TensorLike,
    axis: _AxisLike = None,
    output_type: _DTypeLike = _int64,
    name: str | None = None,
) -> Any:
    """The index of the first greatest element along the axis, which is the first if not given.

    >>> ag.argmax([[1.0, 5.0, 3.0], [9.0, 2.0, 4.0]], axis=1).numpy()
    array([1, 0])

    Shapes: input [...] -> [...] without the axis
    Dtypes: bool, int, uint, float -> int64
    Raises: OperandValueError for an axis that the tensor has not; OperandTypeError for other
        dtypes
    """
    return _position("argmax", input, axis, output_type)


@_composition()
def argmin(
    input: _TensorLike,
    axis: _AxisLike = None,
    output_type: _DTypeLike = _int64,
    name: str | None = None,
) -> Any:
    """The index of the first least element along the axis, which is the first if not given.

    >>> ag.argmin([[1.0, 5.0, 3.0], [9.0, 2.0, 4.0]], axis=1).numpy()
    array([0, 1])

    Shapes: input [...] -> [...] without the axis
    Dtypes: bool, int, uint, float -> int64
    Raises: OperandValueError for an axis that the tensor has not; OperandTypeError for other
        dtypes
    """
    return _position("argmin", input, axis, output_type)


@_composition()
def count_nonzero(
    input: _TensorLike,
    axis: _AxisLike = None,
    keepdims: bool | None = None,
    dtype: _DTypeLike = _int64,
    name: str | None = None,
) -> Any:
    """The number of elements that are not zero (False).

    >>> ag.count_nonzero([[0.0, 1.0], [2.0, 3.0]], axis=0).numpy()
    array([1, 2])

    Shapes: input [...] -> [...] without the axes
    Dtypes: bool, int, uint, float, complex -> int64
    Raises: OperandTypeError for what is no tensor
    """
    found = _call("count_nonzero", _tensor(input), _plain(axis), bool(keepdims))
    return _call("cast", found, dtype)


__all__ = [
    "argmax",
    "argmin",
    "count_nonzero",
    "reduce_all",
    "reduce_any",
    "reduce_euclidean_norm",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
    "zero_fraction",
]
