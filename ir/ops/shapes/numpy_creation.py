"""NumPy's functions that make arrays: of numbers, of other arrays, of ranges and grids.

Where a decorated function has NumPy's conventions, an array that it makes may be written into, so
these are recorded even where all of their arguments have values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir import recording
from agir.ir.building.types import TensorType, as_dtype, float64, int64, promote
from agir.ir.emission import emit
from agir.ir.ops.core import layouts, views_or_copies
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_index, composition
from agir.ir.ops.core.rearranged import rearranged, seen_through
from agir.ir.ops.core.recorded import (
    Function,
    dimension_size,
    dimension_sizes,
    dtype_of,
    operand,
    rank,
    records,
    tensor,
    type_of,
)
from agir.ir.ops.core.zero_dimensional import as_array
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Owned, SymbolicTensor

call = dispatch.call
CREATING: dict[Any, Callable[..., Any]] = {}
"""NumPy's functions that make an array without being given one."""


def creates(*functions: Any, leaving: Sequence[str] = ()) -> Callable[[Function], Function]:
    """What stands for functions that no tensor need be given to."""

    def decorate(function: Function) -> Function:
        located = composition(leaving=leaving)(function)
        CREATING.update(dict.fromkeys(functions, located))
        return located

    return decorate


def ordered(made: Any, order: Any, like: Any = None) -> Any:
    """An array that was just made, noted to lie column by column, or as another one lies."""
    trace = recording.current()
    if trace is None or not trace.convention.arrays_are_mutable or len(made.shape) < 2:
        return made
    if order == "F":
        if not isinstance(made, SymbolicTensor):
            made = emit.lift(trace, made)
        own = SymbolicTensor(trace, Owned(trace.scope, made.ssa), made.dtype, made.dims)
        layouts.note(own, layouts.column_steps(made.dims))
        return own
    if order == "K":
        layouts.note_like(made, like)
    elif order == "A" and len(like.shape) == len(made.shape):
        layouts.derive_by_columns(made, like)
    elif order == "C":
        layouts.by_rows(made)
    return made


def _dtype(dtype: Any) -> Any:
    return float64 if dtype is None else as_dtype(dtype)


@creates(np.array, leaving=("object",))
def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    subok: bool = False,
    ndmin: int = 0,
    like: Any = None,
) -> Any:
    """An array of its own with the elements of arrays, numbers and lists of them."""
    made = _asarray(object, dtype, bool(copy))
    made = lying(made, order) if made is object else ordered(made, order, object)
    missing = ndmin - rank(made)
    return made if missing <= 0 else call("reshape", made, (1,) * missing + dimension_sizes(made))


def _asarray(value: Any, dtype: Any, copy: bool) -> Any:
    made = tensor(value, dtype)
    return call("copy", made) if copy and made is value else made


@creates(np.asarray, np.asanyarray, np.asarray_chkfinite, leaving=("a",))
def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None,
    like: Any = None,
) -> Any:  # fmt: skip
    """The array itself where it is one of the dtype."""
    return as_array(lying(_asarray(a, dtype, bool(copy)), order))


def lying(made: Any, order: Any) -> Any:
    """The array, or a copy where it lies in memory in another order than ``"C"``, ``"F"``, ``"CF"``."""
    if order not in ("C", "F", "CF") or not isinstance(made, SymbolicTensor) or not made.dims:
        return made
    trace = made.recorder
    if not trace.convention.arrays_are_mutable:
        return made
    assumed = len(trace.assumes)
    there = views_or_copies.lies_in(made, order)
    order = order[0]
    if there is True:  # what is only assumed does not make it the array itself
        return made if len(trace.assumes) == assumed else made[...]
    if there is False:
        copied = ordered(call("copy", made), order)
        layouts.assumed_copy(trace, assumed, copied)
        return copied
    return views_or_copies.view_or_copy(there, _all_of(made), assumed, order)


def _all_of(made: SymbolicTensor) -> SymbolicTensor:
    """A view of an array as it is."""

    def same(each: Any) -> Any:
        return each

    return rearranged(made.recorder, made, made.dims, same, same, arrange=same)


def _contiguous(order: str, function: Any) -> None:
    @creates(function)
    def contiguous(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
        made = lying(_asarray(a, dtype, False), order)
        return made if rank(made) else call("reshape", made, (1,))


_contiguous("C", np.ascontiguousarray)
_contiguous("F", np.asfortranarray)


def _filled(value: Any, *functions: Any) -> None:
    @creates(*functions)
    def filled(shape: Any, dtype: Any = None, order: str = "C", **unused: Any) -> Any:
        return ordered(call("full", _shape(shape), value, _dtype(dtype)), order)


def _shape(shape: Any) -> Any:
    """A shape, of which each size may be a scalar of the run time."""
    if isinstance(shape, np.ndarray):
        return tuple(shape.tolist()) if shape.ndim else (int(shape),)
    return shape


@creates(np.ndarray)
def ndarray(
    shape: Any, dtype: Any = None, buffer: Any = None, offset: int = 0, strides: Any = None,
    order: Any = None,
) -> Any:  # fmt: skip
    """An array whose elements have no values yet: zeros."""
    if buffer is not None or strides is not None or offset:
        raise StagingError(
            "numpy.ndarray() of a buffer, or of strides, cannot be recorded: make the view outside "
            "and pass it, or use slices"
        )
    return ordered(call("full", _shape(shape), 0, _dtype(dtype)), order)


_filled(0, np.zeros, np.empty)
_filled(1, np.ones)


@creates(np.full)
def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", **unused: Any) -> Any:
    """An array of one value."""
    value = _stored(fill_value, dtype)
    kind = value.dtype
    if rank(value):
        return ordered(call("broadcast_to", value, _shape(shape)), order)
    return ordered(call("full", _shape(shape), value, kind), order)


def _stored(value: Any, dtype: Any) -> Any:
    """What fills an array: an int, or what is no number, must fit; else it is converted as an array."""
    if value is None or isinstance(value, str):
        return tensor(value, dtype)
    listed = isinstance(value, (list, tuple))
    return tensor(tensor(value) if listed or not dtype_of(value).is_integer else value, dtype)


def _like(value: Any, function: Any) -> None:
    def like(
        a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None,
        *, device: Any = None,
    ) -> Any:  # fmt: skip
        return ordered(_in_shape_of(a, value, dtype, shape), order, a)

    records(function)(like)
    creates(function)(like)


def _in_shape_of(a: Any, value: Any, dtype: Any, shape: Any) -> Any:
    x = tensor(a)
    kind = x.dtype if dtype is None else as_dtype(dtype)
    wanted = dimension_sizes(x) if shape is None else _shape(shape)
    given = _stored(value, kind)
    if rank(given):
        return call("copy", call("broadcast_to", given, wanted))
    return call("full", wanted, given, kind)


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
    return ordered(_in_shape_of(a, fill_value, dtype, shape), order, a)


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
    least = TensorType(int64, ())
    kind = promote(least, *kinds)[0] if dtype is None else as_dtype(dtype)
    if kind.is_bool and dtype is not None:
        found = call("range", start, stop, step)
        few = call("less_equal", dimension_size(found, 0), 2)
        require(few, "arange() of bools has at most two elements", TypeError)
        return call("cast", found, kind)
    if kind.is_integer and not all(k.dtype.kind in "biu" for k in kinds):
        return call("cast", call("range", start, stop, step), kind)
    if kind.is_complex:
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
    require(call("greater_equal", num, 0), "the number of samples is not negative")
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
    """The dtype between two numbers: a float at least; Python's numbers take that of the other."""
    samples = [_sample(type_of(v)) for v in map(operand, (start, stop))]
    return as_dtype(np.result_type(*samples, 1.0))


def _sample(kind: TensorType) -> Any:
    return kind.dtype.numpy.type(0).item() if kind.weak else kind.dtype.numpy


@creates(np.logspace)
@records(np.logspace)
def logspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, base: Any = 10.0,
    dtype: Any = None, axis: int = 0,
) -> Any:  # fmt: skip
    """Powers of a base with evenly spaced exponents."""
    exponent = operand(base)
    if rank(exponent):
        start, stop = (
            call("broadcast_to", tensor(v), dimension_sizes(exponent)) if not rank(v) else v
            for v in (start, stop)
        )
        exponent = call("expand_dims", tensor(exponent), axis)
    powers = call("power", exponent, linspace(start, stop, num, endpoint, axis=axis))
    return powers if dtype is None else call("cast", powers, dtype)


@creates(np.geomspace)
@records(np.geomspace)
def geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """Numbers of which each is the same multiple of the one before it."""
    both = [operand(start), operand(stop)]
    wide = promote(*map(type_of, both), TensorType(float64, ()))[0]
    if dtype is not None and as_dtype(dtype).is_complex:
        wide = as_dtype("complex128")
    first, last = (tensor(v, wide) for v in both)
    for value in (first, last):
        require(call("not_equal", value, 0), "geomspace(): 0 is no multiple of another number")
    sign = call("sign", first)
    first, last = call("divide", first, sign), call("divide", last, sign)
    found = logspace(call("log10", first), call("log10", last), num, endpoint)
    ranks = max(rank(first), rank(last))
    places = call("reshape", call("range", num, dtype="int64"), (-1, *(1,) * ranks))
    found = call("where", call("equal", places, 0), first, found)
    if endpoint:
        at_end = call("logical_and", call("equal", places, num - 1), num > 1)
        found = call("where", at_end, last, found)
    found = call("moveaxis", call("multiply", found, sign), 0, axis)
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
    if isinstance(k, SymbolicTensor):
        columns = N if M is None else M
        return call("cast", call("equal", *_diagonals(N, columns, k)), _dtype(dtype))
    return call("eye", N, M, k, _dtype(dtype))


@creates(np.identity)
def identity(n: Any, dtype: Any = None, **unused: Any) -> Any:
    """Ones on the diagonal of a square matrix."""
    return call("eye", n, None, 0, _dtype(dtype))


@creates(np.tri)
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, **unused: Any) -> Any:  # noqa: N803
    """Ones at and below a diagonal."""
    return call("cast", below(N, N if M is None else M, k), dtype)


def below(rows: Any, columns: Any, k: Any) -> Any:
    """Where a matrix of that many rows and columns is at or below a diagonal."""
    return call("less_equal", *_diagonals(rows, columns, k))


def _diagonals(rows: Any, columns: Any, k: Any) -> tuple[Any, Any]:
    """The places along the rows of a matrix, and those on a diagonal."""
    down = call("range", rows, dtype="int64")[:, None]
    right = call("range", columns, dtype="int64")[None, :]
    return right, call("add", down, k)


def greater(left: Any, right: Any) -> Any:
    """The greater of two integers, which the run time may know."""
    known = isinstance(left, int) and isinstance(right, int)
    return max(left, right) if known else call("maximum", left, right)


def lesser(left: Any, right: Any) -> Any:
    """The lesser of two integers, which the run time may know."""
    return -greater(-left, -right)


@records(np.tril)
def tril(m: Any, k: Any = 0) -> Any:
    """The elements at and below a diagonal, zeros above."""
    x = _matrix(m)
    return call("where", below(*_last_two(x), k), x, _zero(x))


@records(np.triu)
def triu(m: Any, k: Any = 0) -> Any:
    """The elements at and above a diagonal, zeros below."""
    x = _matrix(m)
    return call("where", below(*_last_two(x), k - 1), _zero(x), x)


def _matrix(m: Any) -> Any:
    x = tensor(m)
    if not rank(x):
        raise TypeError("tril() and triu() take arrays of one dimension or more")
    return call("broadcast_to", x, dimension_sizes(x) * 2) if rank(x) == 1 else x


def _last_two(x: Any) -> tuple[Any, Any]:
    return dimension_sizes(x)[-2], dimension_sizes(x)[-1]


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
    n = dimension_size(x, 0) + abs(k)
    down, right = call("range", n, dtype="int64"), call("range", n, dtype="int64")
    on = call("equal", right[None, :], call("add", down, k)[:, None])
    if x.type.shape[0] == 0:
        return call("full", (n, n), 0, x.dtype)
    if x.type.shape[0] is None:  # perhaps nothing
        x = call("concat", [x, call("full", (1,), 0, x.dtype)], 0)
    place = call("clip", down - greater(-k, 0), 0, dimension_size(x, 0) - 1)
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

    if isinstance(offset, SymbolicTensor):
        return taken(x)
    return seen_through(x, taken, lambda layout, dims: np.diagonal(layout, offset, first, second))


def diagonal_view(x: Any, first: int, second: int) -> Any:
    """The elements on the diagonal of two axes as the last axis, which can be written into."""
    ends = (first, second), (-2, -1)

    def taken(each: Any) -> Any:
        return _on_diagonal(call("moveaxis", each, *ends), 0)

    if not isinstance(x, SymbolicTensor) or not x.recorder.convention.arrays_are_mutable:
        return taken(x)
    trace = x.recorder
    others = [dim for axis, dim in enumerate(x.dims) if axis not in (first, second)]
    dims = (*others, x.dims[first])

    def forward(ssa: Any) -> Any:
        return taken(trace.make(ssa, x.dtype, x.dims)).ssa

    def backward(ssa: Any) -> Any:
        whole = call("moveaxis", trace.make(x.ssa, x.dtype, x.dims), *ends)
        places = call("range", dimension_sizes(whole)[-1], dtype="int64")
        on = call("equal", places[:, None], places[None, :])
        new = call("where", on, trace.make(ssa, x.dtype, dims)[..., None], whole)
        return call("moveaxis", new, *reversed(ends)).ssa

    def arrange(layout: Any) -> Any:
        return np.diagonal(layout, 0, first, second)

    return rearranged(trace, x, dims, forward, backward, arrange=arrange)


def _on_diagonal(x: Any, offset: int) -> Any:
    """The elements on a diagonal of the last two axes."""
    rows, columns = dimension_sizes(x)[-2:]
    top, left = greater(-offset, 0), greater(offset, 0)
    count = greater(lesser(rows - top, columns - left), 0)
    places = call("range", count, dtype="int64")
    return x[..., places + top, places + left]


@records(np.trace)
def trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> Any:
    """The sum of a diagonal."""
    return np.sum(diagonal(a, offset, axis1, axis2), -1, dtype, out)


@records(np.fill_diagonal)
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """Write values to the diagonal of an array."""
    sizes = a.type.shape
    if rank(a) < 2:
        raise ValueError("fill_diagonal(): the array must have two dimensions or more")
    if rank(a) > 2 and None in sizes:
        raise StagingError("fill_diagonal() of more than two dimensions needs their sizes")
    if rank(a) > 2 and len(set(sizes)) > 1:
        raise ValueError("fill_diagonal(): all dimensions of the array must be of equal length")
    whole = dimension_sizes(a)
    step, end = whole[1] + 1, None if wrap else whole[1] * whole[1]
    if rank(a) > 2:
        step, end = 1 + sum(whole[0] ** i for i in range(1, rank(a))), None
    flat = a.flat
    last = dimension_size(flat, 0) if end is None else call("minimum", end, dimension_size(flat, 0))
    flat[call("range", 0, last, step, dtype="int64")] = tensor(val, a.dtype)


@creates(np.vander)
@records(np.vander)
def vander(x: Any, N: Any = None, increasing: bool = False) -> Any:  # noqa: N803
    """Powers of the elements as columns."""
    values = tensor(x)
    if rank(values) != 1:
        raise ValueError("vander() takes a vector")
    count = dimension_size(values, 0) if N is None else N
    kind, _ = promote(values.type, type_of(np.int64(0)))
    if not isinstance(count, int):
        first = call("equal", call("range", count, dtype="int64"), 0)
        factors = call("where", first, np.ones((), kind.numpy), call("cast", values, kind)[:, None])
        powers = call("numpy_cumprod", factors, 1)
        return powers if increasing else call("flip", powers, 1)
    columns = [call("full", dimension_sizes(values), 1, kind)]
    for _ in range(1, count):
        columns.append(call("multiply", columns[-1], call("cast", values, kind)))
    if count == 0:
        return call("full", (*dimension_sizes(values), 0), 0, kind)
    return call("stack", columns[:count] if increasing else columns[:count][::-1], -1)
