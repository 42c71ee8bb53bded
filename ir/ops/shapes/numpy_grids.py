"""Coordinates of the points of a grid, and indices: meshgrid, indices, ix_, mgrid, r_, triangles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.errors import StagingError
from agir.ir.building.types import DType, TensorType, int64, is_python_number, promote, python_dtype
from agir.ir.ops.core.operands import composition
from agir.ir.ops.core.recorded import (
    dimension_size,
    dimension_sizes,
    operand,
    rank,
    records,
    tensor,
    type_of,
)
from agir.ir.ops.shapes.numpy_creation import arange, below, creates
from agir.ir.ops.shapes.numpy_shapes import broadcast_arrays
from agir.ir.tensors import dispatch

call = dispatch.call


@records(np.meshgrid)
def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    """The coordinates of the points of a grid."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid(): indexing is 'xy' or 'ij', not {indexing!r}")
    lines = [call("reshape", tensor(x), (-1,)) for x in xi]
    count = len(lines)
    order = list(range(count))
    if indexing == "xy" and count > 1:
        order[:2] = 1, 0
    places = [order.index(i) for i in range(count)]
    grids = [
        call("reshape", line, [-1 if j == at else 1 for j in range(count)])
        for line, at in zip(lines, places, strict=True)
    ]
    if not copy:
        return tuple(grids) if sparse else broadcast_arrays(*grids)
    shape = [dimension_size(lines[axis], 0) for axis in order]
    return tuple(call("copy", x if sparse else call("broadcast_to", x, shape)) for x in grids)


creates(np.meshgrid)(meshgrid)


@creates(np.indices)
def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """The indices of a grid, one array for each axis."""
    lines = [call("cast", call("range", n, dtype="int64"), dtype) for n in dimensions]
    grids = meshgrid(*lines, sparse=sparse, indexing="ij")
    return grids if sparse else call("stack", list(grids), 0)


@creates(np.fromfunction)
def fromfunction(
    function: Any, shape: Any, *, dtype: Any = float, like: Any = None, **kwargs: Any
) -> Any:
    """What a function makes of the indices."""
    grids = indices(shape, dtype)
    return operators.call(function, tuple(grids[i] for i in range(len(shape))), kwargs)


@records(np.ix_)
def ix_(*args: Any) -> Any:
    """Vectors shaped so that they index a grid."""
    found = []
    for i, each in enumerate(args):
        line = tensor(each)
        if rank(line) != 1:
            raise ValueError("ix_() takes vectors")
        if line.dtype.is_bool:
            line = call("reshape", call("nonzero", line), (-1,))
        found.append(call("reshape", line, [-1 if j == i else 1 for j in range(len(args))]))
    return tuple(found)


@creates(np.diag_indices)
def diag_indices(n: Any, ndim: int = 2) -> Any:
    """The indices of the diagonal of a square array."""
    return (call("range", n, dtype="int64"),) * ndim


@records(np.diag_indices_from)
def diag_indices_from(arr: Any) -> Any:
    """The indices of the diagonal of an array."""
    if rank(arr) < 2:
        raise ValueError("diag_indices_from() takes an array of at least two dimensions")
    return diag_indices(dimension_size(arr, 0), rank(arr))


def _triangle(lower: bool, function: Any, of: Any) -> None:
    def places(n: Any, k: Any = 0, m: Any = None) -> Any:
        inside = below(n, n if m is None else m, k if lower else k - 1)
        return call("numpy_nonzero", inside if lower else call("logical_not", inside))

    creates(function)(places)

    @records(of)
    def places_of(arr: Any, k: Any = 0) -> Any:
        if rank(arr) != 2:
            raise ValueError(f"{of.__name__}() takes an array of two dimensions")
        return places(dimension_size(arr, 0), k, dimension_size(arr, 1))


_triangle(True, np.tril_indices, np.tril_indices_from)
_triangle(False, np.triu_indices, np.triu_indices_from)


# Objects that are subscripted: np.mgrid[0:3, 0:n], np.r_[v, 1.0].


def _number(value: Any) -> TensorType:
    """The type of a bound; Python's numbers are weak."""
    if is_python_number(value):
        return TensorType(python_dtype(value), (), weak=True)
    return type_of(value)


def _line(part: slice) -> tuple[Any, Any, Any, list[TensorType]]:
    """(how many points, the first, the step, the types of the numbers) of one axis of a grid."""
    start, stop, step = (0 if part.start is None else part.start), part.stop, part.step
    step = 1 if step is None else step
    if isinstance(step, (complex, np.complexfloating)):
        length = float(np.abs(step))
        count = int(length)
        width = (stop - start) / float(count - 1) if count != 1 else length
        return count, start, width, [_number(v) for v in (start, stop, length)]
    if _number(step).dtype.is_complex:
        return _points(start, stop, call("abs", operand(step)))
    return _steps(start, stop, step), start, step, [_number(v) for v in (start, stop, step)]


def _points(start: Any, stop: Any, length: Any) -> tuple[Any, Any, Any, list[TensorType]]:
    """The same for a number of points that only the run time knows."""
    count = call("cast", length, int64)
    is_one = call("equal", count, 1)
    between = call("where", is_one, 1, call("subtract", count, 1))
    width = call("where", is_one, length, call("divide", call("subtract", stop, start), between))
    return count, start, width, [_number(v) for v in (start, stop, length)]


def _steps(start: Any, stop: Any, step: Any) -> Any:
    span = stop - start
    if is_python_number(span) and is_python_number(step):
        return math.ceil(span / step)
    if all(type_of(operand(v)).dtype.kind in "biu" for v in (span, step)):
        return call("negative", call("floor_divide", call("negative", span), step))
    return call("cast", call("ceil", call("divide", span, step)), int64)


def grid(key: Any, sparse: bool) -> Any:
    """``np.mgrid[key]`` and ``np.ogrid[key]``, of which the bounds may be run-time values."""
    if not isinstance(key, tuple):
        return _alone(key)
    lines = [_line(part) for part in key]
    kind = promote(TensorType(int64, (), weak=True), *(t for line in lines for t in line[3]))[0]
    counts = [_count(line[0], sparse) for line in lines]
    made = [
        call("add", call("multiply", call("range", count, dtype=kind), step), start)
        for count, (_, start, step, _) in zip(counts, lines, strict=True)
    ]
    grids = meshgrid(*made, sparse=sparse, indexing="ij")
    return grids if sparse else call("cast", call("stack", list(grids), 0), kind)


def _count(steps: Any, sparse: bool) -> Any:
    """How many points an axis has: a whole grid cannot have fewer than none, an open one has none."""
    if sparse:
        return max(steps, 0) if isinstance(steps, int) else call("maximum", steps, 0)
    return dimension_size(call("full", (steps,), 0), 0)


def _alone(part: slice) -> Any:
    if part.step is None or not _number(part.step).dtype.is_complex:
        step = 1 if part.step is None else part.step
        return arange(0 if part.start is None else part.start, part.stop, step)
    count, start, step, kinds = _line(part)
    numbers = call("range", count, dtype=promote(*kinds)[0])
    return call("add", call("multiply", numbers, step), start)


def joined(key: Any, axis: int = 0, ndmin: int = 1, trans1d: int = -1) -> Any:
    """``np.r_[key]``: slices as ranges, numbers and arrays, one after the other."""
    parts = list(key) if isinstance(key, tuple) else [key]
    if parts and isinstance(parts[0], str):
        axis, ndmin, trans1d = _directive(parts.pop(0), ndmin, trans1d)
    if any(isinstance(part, str) for part in parts):
        raise ValueError("r_ and c_: special directives must be the first entry")
    kind = promote(*map(_entry_type, parts))[0]
    pieces = [_piece(part, kind, ndmin, trans1d) for part in parts]
    return call("concat", pieces, axis)


def _directive(text: str, ndmin: int, trans1d: int) -> tuple[int, int, int]:
    if text in ("r", "c"):
        raise StagingError(f"r_[{text!r}, ...] makes a matrix, which has no dtype here; use c_")
    first, *more = (int(part) for part in text.split(","))
    return first, (more[0] if more else ndmin), (more[1] if len(more) > 1 else trans1d)


def _entry_type(part: Any) -> TensorType:
    if isinstance(part, slice):
        kind: TensorType = tensor(_alone(part)).type
        return kind
    found: TensorType = _number(part) if is_python_number(part) else type_of(operand(part))
    return found


def _piece(part: Any, kind: DType, ndmin: int, trans1d: int) -> Any:
    made = tensor(_alone(part)) if isinstance(part, slice) else tensor(part)
    made = call("cast", made, kind)
    before = rank(made)
    if before < ndmin:
        made = call("reshape", made, (1,) * (ndmin - before) + dimension_sizes(made))
        if isinstance(part, slice) and trans1d != -1:
            return call("swapaxes", made, -1, trans1d)
        if before and trans1d != -1:
            return call("transpose", made, _order(ndmin, ndmin - before, trans1d))
    return made


def _order(ndmin: int, new: int, trans1d: int) -> list[int]:
    """The axes so that those of an array that was given begin at ``trans1d``."""
    at = trans1d + new + 1 if trans1d < 0 else trans1d
    axes = list(range(ndmin))
    return axes[:at] + axes[new:] + axes[at:new]


SUBSCRIPTED: dict[int, Callable[[Any], Any]] = {
    id(np.mgrid): composition()(lambda key: grid(key, sparse=False)),
    id(np.ogrid): composition()(lambda key: grid(key, sparse=True)),
    id(np.r_): composition()(joined),
    id(np.c_): composition()(lambda key: joined(key, -1, 2, 0)),
}
"""By the identity of an object of NumPy's: what its subscript means."""
