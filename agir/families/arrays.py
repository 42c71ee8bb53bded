"""Creation, shapes and joining, with TensorFlow's arguments and defaults."""

from __future__ import annotations

import builtins
from collections.abc import Sequence as _Sequence
from typing import Any

import numpy as np

from agir.families.signatures import plain as _plain
from agir.families.signatures import require as _require
from agir.families.signatures import sizes as _sizes
from agir.families.signatures import tensor as _tensor
from agir.ir.building.types import as_dtype as _as_dtype
from agir.ir.building.types import float32 as _float32
from agir.ir.building.types import int32 as _int32
from agir.ir.building.types import int64 as _int64
from agir.ir.ops.core.operands import composition as _composition
from agir.ir.ops.linalg.matrix_diagonals import eye
from agir.ir.ops.linalg.matrix_products import matmul
from agir.ir.tensors.dispatch import call as _call
from agir.ir.tensors.likes import AxisLike as _AxisLike
from agir.ir.tensors.likes import DTypeLike as _DTypeLike
from agir.ir.tensors.likes import ShapeLike as _ShapeLike
from agir.ir.tensors.likes import TensorLike as _TensorLike
from agir.ir.tensors.symbolic import SymbolicTensor as _SymbolicTensor
from agir.ir.tensors.tensor import Tensor as _Tensor


@_composition()
def range(
    start: _TensorLike,
    limit: _TensorLike | None = None,
    delta: _TensorLike = 1,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
) -> Any:
    """The numbers from ``start`` (0 where only one bound is given) to ``limit``, ``delta`` apart.

    Python ints give int32 and floats float32.  A loop over the result counts without storing it.

    >>> ag.range(1, 7, 2).numpy()
    array([1, 3, 5], dtype=int32)

    Shapes: start, limit, delta numbers -> [n]
    Dtypes: of the result int, uint, float
    Raises: RuntimeValueError for a step of zero; OperandTypeError for other dtypes
    """
    given = [v for v in (start, limit, delta) if v is not None]
    if dtype is None and all(type(v) in (int, float) for v in given):
        dtype = _int32 if all(type(v) is int for v in given) else _float32
    return _call("range", start, limit, delta, dtype)


@_composition()
def zeros(shape: _ShapeLike, dtype: _DTypeLike = _float32, name: str | None = None) -> Any:
    """A tensor of zeros (``False`` for bools).

    >>> ag.zeros([2]).numpy()
    array([0., 0.], dtype=float32)

    Shapes: shape a shape -> shape
    Dtypes: of the result bool, int, uint, float, complex
    Raises: OperandTypeError for what is no tensor
    """
    return _call("full", shape, 0, _as_dtype(dtype))


@_composition()
def ones(shape: _ShapeLike, dtype: _DTypeLike = _float32, name: str | None = None) -> Any:
    """A tensor of ones (``True`` for bools).

    >>> ag.ones([2]).numpy()
    array([1., 1.], dtype=float32)

    Shapes: shape a shape -> shape
    Dtypes: of the result bool, int, uint, float, complex
    Raises: OperandTypeError for what is no tensor
    """
    return _call("full", shape, 1, _as_dtype(dtype))


@_composition()
def zeros_like(input: _TensorLike, dtype: _DTypeLike | None = None, name: str | None = None) -> Any:
    """Zeros in the shape of a tensor, in its dtype unless another is given.

    >>> ag.zeros_like([5.0, 6.0]).numpy()
    array([0., 0.], dtype=float32)

    Shapes: input [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _call("fill_like", input, 0, dtype)


@_composition()
def ones_like(input: _TensorLike, dtype: _DTypeLike | None = None, name: str | None = None) -> Any:
    """Ones in the shape of a tensor, in its dtype unless another is given.

    >>> ag.ones_like([5.0, 6.0]).numpy()
    array([1., 1.], dtype=float32)

    Shapes: input [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _call("fill_like", input, 1, dtype)


@_composition()
def fill(dims: _ShapeLike, value: _TensorLike, name: str | None = None) -> Any:
    """A tensor of the shape ``dims`` filled with the value, in the value's dtype.

    >>> ag.fill([2, 2], 7).numpy()
    array([[7, 7],
           [7, 7]], dtype=int32)

    Shapes: dims a shape, value [] -> dims
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _call("full", dims, _tensor(value))


@_composition()
def linspace(
    start: _TensorLike, stop: _TensorLike, num: Any, name: str | None = None, axis: int = 0
) -> Any:
    """``num`` numbers evenly spaced from ``start`` to ``stop``, both included, along a new axis.

    Of Python floats in float32, of integers in float64.

    >>> ag.linspace(0.0, 1.0, 3).numpy()
    array([0. , 0.5, 1. ], dtype=float32)

    Shapes: start [...], stop [...] -> [num, ...]
    Dtypes: bool, int, uint -> float64; float, complex -> the same
    Raises: OperandValueError where the shapes do not broadcast
    """
    first, last = (_tensor(v) for v in (start, stop))
    kind = _call("add", first[..., None], last[..., None]).dtype
    kind = kind if kind.is_floating or kind.is_complex else _as_dtype("float64")
    first, last = (
        _call("cast", v, "complex128" if kind.is_complex else "float64") for v in (first, last)
    )
    count = _plain(num)
    shape = (_call("add", first, last)).shape
    where_to = int(axis) % (len(shape) + 1)
    line = _call("cast", _call("range", count, dtype=_int64), "float64")
    line = _call("reshape", line, [-1] + [1] * (len(shape) - where_to))
    low, high = (_call("expand_dims", _call("add", v, _call("multiply", w, 0)), where_to)
                 for v, w in ((first, last), (last, first)))  # fmt: skip
    steps = _call("maximum", _call("subtract", count, 1), 1)
    spaced = _call(
        "add", low, _call("multiply", line, _call("divide", _call("subtract", high, low), steps))
    )
    is_last = _call("logical_and", _call("equal", line, steps), _call("greater", count, 1))
    return _call("cast", _call("where", is_last, high, spaced), kind)


@_composition()
def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Any]:
    """The coordinates of a grid: for each vector a tensor in which it varies along its own axis.

    >>> [each.numpy().tolist() for each in ag.meshgrid([1, 2], [3, 4])]
    [[[1, 2], [1, 2]], [[3, 3], [4, 4]]]

    Shapes: vectors of n and of m elements -> list of [m, n]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for an indexing but 'xy' and 'ij'
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing is 'xy' or 'ij', not {indexing!r}")
    vectors = [_call("reshape", _tensor(v), [-1]) for v in args]
    order = list(builtins.range(len(vectors)))
    if indexing == "xy" and len(order) > 1:
        order[:2] = 1, 0
    target = [_sizes(vectors[i])[0] for i in order]
    found = []
    for i, vector in enumerate(vectors):
        shape = [1] * len(vectors)
        shape[order.index(i)] = -1
        found.append(_call("broadcast_to", _call("reshape", vector, shape), target))
    return found


@_composition()
def transpose(
    a: _TensorLike, perm: Any = None, conjugate: bool = False, name: str | None = None
) -> Any:
    """The dimensions in the order ``perm``, in reverse order where it is None.

    >>> ag.transpose([[1, 2, 3], [4, 5, 6]]).numpy()
    array([[1, 4],
           [2, 5],
           [3, 6]], dtype=int32)

    Shapes: a [...] -> its sizes in another order
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for axes that are no permutation
    """
    turned = _call("transpose", a, _plain(perm))
    return _call("conj", turned) if conjugate else turned


@_composition()
def unstack(
    value: _TensorLike, num: int | None = None, axis: int = 0, name: str | None = None
) -> list[Any]:
    """The list of the slices along an axis, whose size must be known: ``num``, or while tracing.

    >>> [each.numpy().tolist() for each in ag.unstack([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]

    Shapes: value [n, ...] -> list of [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError for a size that only the run time knows
    """
    return _call("unstack", value, num, axis)  # type: ignore[no-any-return]


@_composition()
def split(
    value: _TensorLike,
    num_or_size_splits: Any,
    axis: _AxisLike = 0,
    num: Any = None,
    name: str | None = None,
) -> list[Any]:
    """The parts of the tensor along an axis: so many equal ones, or of the sizes listed.

    One size may be -1, for what the others leave.  Sizes may be run-time values, whose number is
    known.

    >>> [part.numpy().tolist() for part in ag.split([1, 2, 3, 4], 2)]
    [[1, 2], [3, 4]]

    Shapes: value [n, ...] -> list of [m, ...]; along axis 0
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the sizes do not add up
    """
    sizes, along = _plain(num_or_size_splits), int(_plain(axis))
    if isinstance(sizes, np.ndarray):
        sizes = sizes.tolist()
    if isinstance(sizes, _SymbolicTensor):
        if not sizes.dims or not isinstance(sizes.dims[0], int):
            raise ValueError("split(): the number of parts must be known; unstack the sizes")
        sizes = [sizes[i] for i in builtins.range(sizes.dims[0])]
    if not isinstance(sizes, (list, tuple)) or not any(
        isinstance(s, _SymbolicTensor) for s in sizes
    ):
        return _call("split", value, sizes, along)  # type: ignore[no-any-return]
    return _parts(_tensor(value), list(sizes), along)


def _parts(x: Any, sizes: list[Any], axis: int) -> list[Any]:
    """The parts of sizes that only the run time knows."""
    along = axis % len(x.shape)
    dim_size = _call("cast", _sizes(x)[along], _int64)
    known = [_call("cast", s, _int64) for s in sizes if not (isinstance(s, int) and s == -1)]
    total = known[0]
    for size in known[1:]:
        total = total + size
    if len(known) == len(sizes):
        _require(total == dim_size, "split(): the sizes do not add up to the size")
    rest, start, found = dim_size - total, _call("cast", 0, _int64), []
    for size in sizes:
        whole = isinstance(size, int) and size == -1
        length = rest if whole else _call("cast", size, _int64)
        _require(length >= 0, "split(): a size is negative")
        found.append(x[(slice(None),) * along + (slice(start, start + length),)])
        start = start + length
    return found


@_composition()
def repeat(
    input: _TensorLike, repeats: Any, axis: _AxisLike = None, name: str | None = None
) -> Any:
    """Each element ``repeats`` times in a row along an axis, or each its own number of times.

    Of the flattened tensor where the axis is None.

    >>> ag.repeat([1, 2], 2).numpy()
    array([1, 1, 2, 2], dtype=int32)

    Shapes: input [...] -> [m]; with an axis, the shape but for that axis
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _call("numpy_repeat", _tensor(input), _plain(repeats), _plain(axis))


@_composition()
def shape_n(
    input: _Sequence[_TensorLike], out_type: _DTypeLike = _int32, name: str | None = None
) -> list[Any]:
    """The shapes of several tensors.

    >>> [each.numpy().tolist() for each in ag.shape_n([[1.0], [2.0, 3.0]])]
    [[1], [2]]

    Shapes: input list of any -> list of [k'], their numbers of dimensions
    Dtypes: bool, int, uint, float, complex -> int32
    Raises: OperandTypeError for what is no tensor
    """
    return [_call("shape", each, out_type) for each in input]


@_composition()
def identity_n(input: _Sequence[_TensorLike], name: str | None = None) -> list[Any]:
    """Tensors of their own with the same elements.

    >>> [each.numpy().tolist() for each in ag.identity_n([[1.0], [2.0, 3.0]])]
    [[1.0], [2.0, 3.0]]

    Shapes: input list of any -> list of the same
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return [_call("copy", each) for each in input]


def is_tensor(x: _TensorLike) -> bool:
    """True for a tensor, eager or symbolic.

    >>> ag.is_tensor(ag.constant(1)), ag.is_tensor(1)
    (True, False)
    """
    return isinstance(x, _Tensor)


@_composition()
def unravel_index(indices: _TensorLike, dims: _TensorLike, name: str | None = None) -> Any:
    """Positions in a flattened array as coordinates: a row for each dimension.

    >>> ag.unravel_index([5], [2, 3]).numpy()
    array([[1],
           [2]], dtype=int32)

    Shapes: indices [n], dims [k] -> [k, n]
    Dtypes: int, uint -> the same
    Raises: InvalidArgumentError for an index outside; OperandTypeError for other dtypes
    """
    places, found = _tensor(indices), []
    sizes = _tensor(dims)
    total = _call("prod", sizes, None, sizes.dtype)
    inside = _call("logical_and", places >= 0, places < total)
    _require(inside, "unravel_index(): an index lies outside of the array")
    for i in reversed(builtins.range(sizes.shape[0])):
        safe = _call("maximum", sizes[i], 1)
        found.append(_call("remainder", places, safe))
        places = _call("floor_divide", places, safe)
    return _call("stack", found[::-1], 0)


__all__ = [
    "eye",
    "fill",
    "identity_n",
    "is_tensor",
    "linspace",
    "matmul",
    "meshgrid",
    "ones",
    "ones_like",
    "range",
    "repeat",
    "shape_n",
    "split",
    "transpose",
    "unravel_index",
    "unstack",
    "zeros",
    "zeros_like",
]
