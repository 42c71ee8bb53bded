"""Arrays made of others: linspace, meshgrid, and the triangles of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import TensorType, as_dtype, complex128, float64, int64, promote
from agir.ir.ops.core.operands import axis_index, compose, dimension_sizes, operand_type
from agir.ir.tensors import dispatch

call = dispatch.call


def _type(value: Any, name: str) -> TensorType:
    return operand_type(dispatch.type_of(value, name))


def numpy_linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """``numpy.linspace``: ``num`` numbers evenly spaced from ``start`` to ``stop``."""
    kinds = [_type(value, "linspace") for value in (start, stop)]
    if isinstance(num, (int, np.integer)) and num < 0:
        raise ValueError(f"linspace(): the number of samples is {num}, which is below 0")
    wide = promote(TensorType(float64, (), weak=True), *kinds)[0]
    first, last = (call("cast", value, wide) for value in (start, stop))
    distance = call("subtract", last, first)
    parts = call("subtract", num, 1) if endpoint else num
    positions = call("range", num, dtype=int64)
    line = call("cast", positions, complex128 if wide.is_complex else float64)
    rank = max(kind.rank for kind in kinds)
    line = call("reshape", line, (-1,) + (1,) * rank)
    step = call("divide", distance, call("cast", call("maximum", parts, 1), wide))
    found = call("add", call("multiply", line, step), first)
    if endpoint:
        at_the_end = call("greater_equal", positions, call("maximum", parts, 1))
        found = call("where", call("reshape", at_the_end, (-1,) + (1,) * rank), last, found)
    target = wide if dtype is None else as_dtype(dtype)
    if target.is_integer:
        found = call("floor", found)
    made = call("moveaxis", call("cast", found, target), 0, axis_index(axis, rank + 1, "linspace"))
    if not retstep:
        return made
    return made, call("where", call("greater", parts, 0), step, float("nan"))


def meshgrid(
    *arrays: Any, copy: Any = True, sparse: Any = False, indexing: str = "xy"
) -> tuple[Any, ...]:
    """``numpy.meshgrid``: the coordinates of a grid, for each vector an array in its shape.

    ``sparse`` leaves the sizes 1 along which an array does not change.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid(): indexing is 'xy' or 'ij', not {indexing!r}")
    order = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        order[:2] = [1, 0]
    lines = []
    for axis, vector in zip(order, arrays, strict=True):
        if _type(vector, "meshgrid").rank > 1:
            raise ValueError(f"meshgrid() takes vectors, not {_type(vector, 'meshgrid')}")
        shape = [1] * len(arrays)
        shape[axis] = -1
        lines.append(call("reshape", vector, shape))
    if sparse:
        return tuple(lines)
    whole = [dimension_sizes(lines[order.index(axis)])[axis] for axis in range(len(arrays))]
    return tuple(call("copy", call("broadcast_to", line, whole)) for line in lines)


def _below(x: Any, k: Any) -> Any:
    """Where a matrix's elements are not above its diagonal ``k``."""
    rows, columns = dimension_sizes(x)[-2:]
    row = call("reshape", call("range", rows, dtype=int64), (-1, 1))
    return call("less_equal", call("subtract", call("range", columns, dtype=int64), row), k)


def _matrices(name: str, x: Any) -> Any:
    if not _type(x, name).rank:
        raise ValueError(f"{name}() takes matrices, not a scalar")
    if _type(x, name).rank > 1:
        return call("copy", x)
    length = dimension_sizes(call("copy", x))[0]
    return call("broadcast_to", x, (length, length))


def tril(x: Any, k: Any = 0) -> Any:
    """``numpy.tril``: the matrices with zeros above the diagonal ``k``."""
    matrices = _matrices("tril", x)
    return call("where", _below(matrices, k), matrices, _zero(matrices))


def triu(x: Any, k: Any = 0) -> Any:
    """``numpy.triu``: the matrices with zeros below the diagonal ``k``."""
    matrices = _matrices("triu", x)
    return call("where", _below(matrices, call("subtract", k, 1)), _zero(matrices), matrices)


def _zero(like: Any) -> Any:
    return np.zeros((), like.dtype.numpy)


compose(
    "numpy_linspace", numpy_linspace, operands=("start", "stop"), numpy=(np.linspace,),
    accepts="biufc",
)  # fmt: skip
compose("meshgrid", meshgrid, operands=("arrays",), numpy=(np.meshgrid,))
compose("tril", tril, numpy=(np.tril,))
compose("triu", triu, numpy=(np.triu,))
