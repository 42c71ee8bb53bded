"""NumPy's functions that make arrays: of numbers, of other arrays, of ranges and grids.

Where a decorated function has NumPy's conventions, an array that it makes may be written into, so
these are recorded even where all of their arguments have values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir import dispatch, emit, hooks
from agir.ir.ops import layouts
from agir.ir.ops.operands import axis_index, composition
from agir.ir.ops.rearranged import seen_through
from agir.ir.ops.recorded import (
    Function,
    dtype_of,
    extent,
    extents,
    operand,
    rank,
    records,
    store,
    tensor,
    type_of,
)
from agir.ir.symbolic import Owned, SymbolicTensor, is_writable
from agir.ir.types import as_dtype, float64, promote

call = dispatch.call
CREATING: dict[Any, Callable[..., Any]] = {}
"""NumPy's functions that make an array without being given one."""


def creates(*functions: Any) -> Callable[[Function], Function]:
    """What stands for functions that no tensor need be given to."""

    def decorate(function: Function) -> Function:
        located = composition()(function)
        CREATING.update(dict.fromkeys(functions, located))
        return located

    return decorate


def _dtype(dtype: Any, default: Any = float64) -> Any:
    return default if dtype is None else as_dtype(dtype)


@creates(np.array, np.asanyarray)
def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: str = "K",
    subok: bool = False,
    ndmin: int = 0,
    like: Any = None,
) -> Any:
    """An array of its own with the elements of arrays, numbers and lists of them."""
    made = _asarray(object, dtype, bool(copy))
    missing = ndmin - rank(made)
    return made if missing <= 0 else call("reshape", made, (1,) * missing + extents(made))


def _asarray(value: Any, dtype: Any, copy: bool) -> Any:
    made = tensor(value, dtype)
    return call("copy", made) if copy and made is value else made


@creates(np.asarray, np.asarray_chkfinite)
def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None,
    like: Any = None,
) -> Any:  # fmt: skip
    """The array itself where it is one of the dtype."""
    return _array(_lying(_asarray(a, dtype, bool(copy)), order))


def _array(made: Any) -> Any:
    """A number as an array without dimensions, which can be written into."""
    trace = hooks.current()
    if rank(made) or trace is None or not trace.convention.arrays_are_mutable:
        return made
    number = emit.lift(trace, made)
    if is_writable(number.storage):
        return made
    return SymbolicTensor(trace, Owned(trace.scope, number.ssa), number.dtype, ())


def _lying(made: Any, order: Any) -> Any:
    """The array, or a copy where it lies in memory in another order."""
    if order not in ("C", "F") or not isinstance(made, SymbolicTensor) or not made.dims:
        return made
    flags = layouts.layout_of(made).flags
    return (
        made if (flags.c_contiguous if order == "C" else flags.f_contiguous) else call("copy", made)
    )


def _contiguous(order: str, function: Any) -> None:
    @creates(function)
    def contiguous(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
        made = _lying(_asarray(a, dtype, False), order)
        return made if rank(made) else call("reshape", made, (1,))


_contiguous("C", np.ascontiguousarray)
_contiguous("F", np.asfortranarray)


def _filled(value: Any, *functions: Any) -> None:
    @creates(*functions)
    def filled(shape: Any, dtype: Any = None, order: str = "C", **unused: Any) -> Any:
        return call("full", _shape(shape), value, _dtype(dtype))


def _shape(shape: Any) -> Any:
    """A shape, of which each extent may be a scalar of the run time."""
    if isinstance(shape, np.ndarray):
        return tuple(shape.tolist()) if shape.ndim else (int(shape),)
    return shape


_filled(0, np.zeros, np.empty)
_filled(1, np.ones)


@creates(np.full)
def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", **unused: Any) -> Any:
    """An array of one value."""
    value = tensor(fill_value)
    kind = value.dtype if dtype is None else as_dtype(dtype)
    if rank(value):
        return call("broadcast_to", tensor(value, kind), _shape(shape))
    return call("full", _shape(shape), call("cast", value, kind), kind)


def _like(value: Any, function: Any) -> None:
    def like(
        a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None,
        *, device: Any = None,
    ) -> Any:  # fmt: skip
        return _in_shape_of(a, value, dtype, shape)

    records(function)(like)
    creates(function)(like)


def _in_shape_of(a: Any, value: Any, dtype: Any, shape: Any) -> Any:
    x = tensor(a)
    kind = x.dtype if dtype is None else as_dtype(dtype)
    wanted = extents(x) if shape is None else _shape(shape)
    given = tensor(value)
    if rank(given):
        return call("copy", call("broadcast_to", tensor(given, kind), wanted))
    return call("full", wanted, call("cast", given, kind), kind)


_like(0, np.zeros_like)
_like(0, np.empty_like)
_like(1, np.ones_like)


@creates(np.full_like)
@records(np.full_like)
def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True,
    shape: Any = None, *, device: Any = None,
) -> Any:  # fmt: skip
    """An array of one value in the shape of another one."""
    return _in_shape_of(a, fill_value, dtype, shape)


# Ranges.


@creates(np.arange)
def arange(*bounds: Any, dtype: Any = None, **named: Any) -> Any:
    """The numbers from one up to another, a step apart."""
    unknown = set(named) - {"start", "stop", "step", "device", "like"}
    if unknown:
        raise TypeError(f"arange(): unknown parameters {sorted(unknown)}")
    given = list(bounds)
    if len(given) == 4:
        dtype = given.pop()
    start, stop, step = _bounds(given, named)
    kinds = [type_of(operand(v)) for v in (start, stop, step)]
    kind = promote(*kinds)[0] if dtype is None else as_dtype(dtype)
    if kind.is_bool:
        kind = as_dtype("int64") if dtype is None else kind
    if kind.is_integer and not all(k.dtype.kind in "biu" for k in kinds):
        return call("cast", call("range", start, stop, step), kind)
    if kind.kind in "bc":
        return call("cast", call("range", start, stop, step), kind)
    return call("range", start, stop, step, dtype=kind)


def _bounds(given: list[Any], named: dict[str, Any]) -> tuple[Any, Any, Any]:
    start, stop, step = (named.get(n) for n in ("start", "stop", "step"))
    if len(given) == 1:
        start, stop = (
            (0 if start is None else start, given[0]) if stop is None else (given[0], stop)
        )
    elif given:
        start, stop, *rest = given
        step = rest[0] if rest else step
    return (0 if start is None else start), stop, (1 if step is None else step)


def _spaced(start: Any, stop: Any, num: Any, endpoint: bool, axis: int) -> Any:
    """(the numbers along the axis in float64 or complex, the step between them)."""
    first, last = operand(start), operand(stop)
    kind, _ = promote(type_of(first), type_of(last))
    wide = kind if kind.is_complex else float64
    first, last = call("cast", first, wide), call("cast", last, wide)
    parts = num - 1 if endpoint else num
    span = call("subtract", last, first)
    ranks = max(rank(first), rank(last))
    places = call("cast", call("range", num, dtype="int64"), wide)
    column = call("reshape", places, (-1, *(1,) * ranks))
    if not isinstance(parts, int):
        step = call("divide", span, call("cast", call("maximum", parts, 1), wide))
    elif parts > 0:
        step = call("divide", span, float(parts))
    else:
        return call("moveaxis", column * span + first, 0, axis), np.nan
    spaced = call("add", call("multiply", column, step), first)
    if endpoint and not (isinstance(num, int) and num < 2):
        spaced = call(
            "where", call("logical_and", call("equal", column, num - 1), num > 1), last, spaced
        )
    return call("moveaxis", spaced, 0, axis), step


@creates(np.linspace)
@records(np.linspace)
def linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, retstep: bool = False,
    dtype: Any = None, axis: int = 0, *, device: Any = None,
) -> Any:  # fmt: skip
    """Numbers evenly spaced between two."""
    found, step = _spaced(start, stop, num, endpoint, axis)
    if dtype is not None:
        kind = as_dtype(dtype)
        found = call("cast", call("floor", found) if kind.is_integer else found, kind)
    else:
        found = call("cast", found, _result(start, stop))
    return (found, step) if retstep else found


def _result(start: Any, stop: Any) -> Any:
    kinds = [dtype_of(v).numpy for v in map(operand, (start, stop)) if type_of(v).rank]
    return as_dtype(np.result_type(*kinds, float(1)) if kinds else _wide(start, stop))


def _wide(start: Any, stop: Any) -> Any:
    kind, _ = promote(type_of(operand(start)), type_of(operand(stop)))
    return kind.numpy if kind.kind == "c" else np.float64


@creates(np.logspace)
@records(np.logspace)
def logspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, base: Any = 10.0,
    dtype: Any = None, axis: int = 0,
) -> Any:  # fmt: skip
    """Powers of a base with evenly spaced exponents."""
    powers = call("power", tensor(base, float64), linspace(start, stop, num, endpoint, axis=axis))
    return powers if dtype is None else call("cast", powers, dtype)


@creates(np.geomspace)
@records(np.geomspace)
def geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """Numbers of which each is the same multiple of the one before it."""
    first, last = tensor(start, float64), tensor(stop, float64)
    sign = call("sign", first)
    logs = [call("log10", call("abs", v)) for v in (first, last)]
    found = call("multiply", logspace(logs[0], logs[1], num, endpoint, axis=axis), sign)
    places = call("range", num, dtype="int64")
    column = call("reshape", places, (-1, *(1,) * max(rank(first), rank(last))))
    found = call("where", call("equal", column, 0), first, call("moveaxis", found, axis, 0))
    if endpoint:
        found = call(
            "where", call("logical_and", call("equal", column, num - 1), num > 1), last, found
        )
    found = call("moveaxis", found, 0, axis)
    return found if dtype is None else call("cast", found, dtype)


# Matrices.


@creates(np.eye)
def eye(
    N: Any,  # noqa: N803
    M: Any = None,  # noqa: N803
    k: int = 0,
    dtype: Any = None,
    order: str = "C",
    **unused: Any,
) -> Any:
    """Ones on a diagonal."""
    return call("eye", N, M, k, _dtype(dtype))


@creates(np.identity)
def identity(n: Any, dtype: Any = None, **unused: Any) -> Any:
    """Ones on the diagonal of a square matrix."""
    return call("eye", n, None, 0, _dtype(dtype))


@creates(np.tri)
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, **unused: Any) -> Any:  # noqa: N803
    """Ones at and below a diagonal."""
    return call("cast", _below(N, N if M is None else M, k), dtype)


def _below(rows: Any, columns: Any, k: Any) -> Any:
    down = call("range", rows, dtype="int64")[:, None]
    right = call("range", columns, dtype="int64")[None, :]
    return call("less_equal", right, call("add", down, k))


@records(np.tril)
def tril(m: Any, k: Any = 0) -> Any:
    """The elements at and below a diagonal, zeros above."""
    x = _matrix(m)
    return call("where", _below(*_last_two(x), k), x, _zero(x))


@records(np.triu)
def triu(m: Any, k: Any = 0) -> Any:
    """The elements at and above a diagonal, zeros below."""
    x = _matrix(m)
    return call("where", _below(*_last_two(x), k - 1), _zero(x), x)


def _matrix(m: Any) -> Any:
    x = tensor(m)
    return call("broadcast_to", x, extents(x) * 2) if rank(x) == 1 else x


def _last_two(x: Any) -> tuple[Any, Any]:
    return extents(x)[-2], extents(x)[-1]


def _zero(x: Any) -> Any:
    return np.zeros((), x.dtype.numpy)


@records(np.diag)
def diag(v: Any, k: int = 0) -> Any:
    """A diagonal of a matrix, or a matrix with a diagonal."""
    x = tensor(v)
    if rank(x) == 2:
        return diagonal(x, k)
    if rank(x) != 1:
        raise ValueError(f"diag() takes one or two dimensions, not {rank(x)}")
    n = extent(x, 0) + abs(k)
    down, right = call("range", n, dtype="int64"), call("range", n, dtype="int64")
    on = call("equal", right[None, :], call("add", down, k)[:, None])
    if isinstance(n, int) and x.type.shape[0] == 0:
        return call("full", (n, n), 0, x.dtype)
    place = call("clip", down - max(-k, 0), 0, call("maximum", extent(x, 0) - 1, 0))
    return call("where", on, call("take", x, place, 0)[:, None], _zero(x))


creates(np.diag)(diag)


@records(np.diagflat)
def diagflat(v: Any, k: int = 0) -> Any:
    """A matrix with the flattened elements on a diagonal."""
    return diag(call("reshape", tensor(v), (-1,)), k)


creates(np.diagflat)(diagflat)


@records(np.diagonal)
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The elements on a diagonal, as the last axis."""
    x = tensor(a)
    if rank(x) < 2:
        raise ValueError("diagonal() of an array of less than two dimensions")
    first, second = (axis_index(i, rank(x), "diagonal") for i in (axis1, axis2))
    if first == second:
        raise ValueError("diagonal(): the two axes are one")

    def taken(each: Any) -> Any:
        return _on_diagonal(call("moveaxis", each, (first, second), (-2, -1)), offset)

    return seen_through(x, taken, lambda layout, dims: np.diagonal(layout, offset, first, second))


def _on_diagonal(x: Any, offset: int) -> Any:
    """The elements on a diagonal of the last two axes."""
    rows, columns = extents(x)[-2:]
    top, left = max(-offset, 0), max(offset, 0)
    if isinstance(rows, int) and isinstance(columns, int):
        count: Any = max(min(rows - top, columns - left), 0)
    else:
        count = call("maximum", call("minimum", rows - top, columns - left), 0)
    places = call("range", count, dtype="int64")
    return x[..., places + top, places + left]


@records(np.trace)
def trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> Any:
    """The sum of a diagonal."""
    result = call("sum", diagonal(a, offset, axis1, axis2), -1, dtype)
    return result if out is None else store(result, out)


@records(np.fill_diagonal)
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """Write values to the diagonal of an array."""
    sizes = a.type.shape
    if rank(a) < 2:
        raise ValueError("fill_diagonal(): the array must have two dimensions or more")
    if rank(a) > 2 and None in sizes:
        raise StagingError("fill_diagonal() of more than two dimensions needs their extents")
    if rank(a) > 2 and len(set(sizes)) > 1:
        raise ValueError("fill_diagonal(): all dimensions of the array must be of equal length")
    whole = extents(a)
    step, end = whole[1] + 1, None if wrap else whole[1] * whole[1]
    if rank(a) > 2:
        step, end = 1 + sum(whole[0] ** i for i in range(1, rank(a))), None
    flat = a.flat
    value = tensor(val, a.dtype)
    places = call("range", 0, extent(flat, 0) if end is None else call("minimum", end, extent(flat, 0)),
                  step, dtype="int64")  # fmt: skip
    if rank(value):
        value = np.resize(value, extents(places))
    flat[places] = value


@creates(np.vander)
@records(np.vander)
def vander(x: Any, N: Any = None, increasing: bool = False) -> Any:  # noqa: N803
    """Powers of the elements as columns."""
    values = tensor(x)
    if rank(values) != 1:
        raise ValueError("vander() takes a vector")
    count = extent(values, 0) if N is None else N
    kind, _ = promote(values.type, type_of(np.int64(0)))
    columns = [call("full", extents(values), 1, kind)]
    for _ in range(1, count):
        columns.append(call("multiply", columns[-1], call("cast", values, kind)))
    if count == 0:
        return call("full", (*extents(values), 0), 0, kind)
    return call("stack", columns[:count] if increasing else columns[:count][::-1], -1)


# Grids.


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
    shape = [extent(lines[axis], 0) for axis in order]
    grids = []
    for i, line in enumerate(lines):
        at = order.index(i)
        open_ = call("reshape", line, [-1 if j == at else 1 for j in range(count)])
        grids.append(call("copy", open_ if sparse else call("broadcast_to", open_, shape)))
    return tuple(grids)


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
    return function(*(grids[i] for i in range(len(shape))), **kwargs)


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


def grid(key: Any, sparse: bool) -> Any:
    """``np.mgrid[key]``, ``np.ogrid[key]`` with bounds of the run time."""
    alone = not isinstance(key, tuple)
    lines = []
    for part in (key,) if alone else key:
        start, stop = (0 if part.start is None else part.start), part.stop
        step = 1 if part.step is None else part.step
        if isinstance(step, complex):
            lines.append(linspace(start, stop, int(abs(step))))
        else:
            lines.append(arange(start, stop, step))
    if alone:
        return lines[0]
    kind = lines[0].dtype
    for line in lines[1:]:
        kind, _ = promote(type_of(np.zeros(0, kind.numpy)), line.type)
    grids = meshgrid(*(call("cast", line, kind) for line in lines), sparse=sparse, indexing="ij")
    return tuple(grids) if sparse else call("stack", list(grids), 0)


@creates(np.diag_indices)
def diag_indices(n: Any, ndim: int = 2) -> Any:
    """The indices of the diagonal of a square array."""
    return (call("range", n, dtype="int64"),) * ndim


@records(np.diag_indices_from)
def diag_indices_from(arr: Any) -> Any:
    """The indices of the diagonal of an array."""
    return diag_indices(extent(arr, 0), rank(arr))


def _triangle(lower: bool, function: Any, of: Any) -> None:
    def places(n: Any, k: Any = 0, m: Any = None) -> Any:
        inside = _below(n, n if m is None else m, k if lower else k - 1)
        return call("numpy_nonzero", inside if lower else call("logical_not", inside))

    creates(function)(places)

    @records(of)
    def places_of(arr: Any, k: Any = 0) -> Any:
        return places(extent(arr, 0), k, extent(arr, 1))


_triangle(True, np.tril_indices, np.tril_indices_from)
_triangle(False, np.triu_indices, np.triu_indices_from)
