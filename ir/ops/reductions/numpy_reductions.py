"""NumPy's reductions with all of their parameters: ``where``, ``initial``, ``out``."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.ir.building.types import DType, as_dtype, bfloat16, bool_, float16
from agir.ir.ops.core import views_or_copies
from agir.ir.ops.core.assigned import as_assigned
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_index, axis_indices
from agir.ir.ops.core.recorded import (
    dimension_sizes,
    dtype_of,
    lone_axis,
    only,
    rank,
    records,
    store_by_copy,
    store_running,
    store_whole,
    tensor,
    type_of,
)
from agir.ir.ops.core.zero_dimensional import as_number
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.values.arrays.one_of import root_of

_NOTHING: Any = np._NoValue
call = dispatch.call


def _given(value: Any) -> bool:
    return value is not _NOTHING and value is not None


def _kept(value: Any) -> bool:
    return False if value is _NOTHING else bool(value)


def _finished(result: Any, out: Any) -> Any:
    return result if out is None else store_whole(result, out)


def accumulating(function: Any, x: Any, dtype: Any, out: Any) -> Any:
    """The dtype that a ufunc combines elements in: asked for, or the one that ``out`` joins in.

    None where it is that of the elements, as it is for comparisons.
    """
    if dtype is not None or out is None:
        return dtype
    kind, target = dtype_of(x), dtype_of(only(out))
    if bfloat16 in (kind, target):
        return target
    try:
        first, _, result = function.resolve_dtypes((target.numpy, kind.numpy, None))
    except TypeError as error:
        raise TypeError(f"numpy.{function.__name__}: {error}") from None
    return as_dtype(result) if first == result else None


def _total(name: str, function: Any, ufunc: Any, identity: Any) -> Callable[..., Any]:
    @records(function)
    def total(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _NOTHING,
        where: Any = _NOTHING,
    ) -> Any:
        x, axis = tensor(a), lone_axis(a, axis)
        if _given(where) and where is not True:
            x = call("where", where, x, np.asarray(identity, x.dtype.numpy))
        result = call(name, x, axis, accumulating(ufunc, x, dtype, out), _kept(keepdims))
        nothing = not rank(x) or (isinstance(axis, (tuple, list)) and not axis)
        first = identity if nothing and result.dtype.kind in "fc" else None
        first = initial if _given(initial) else first
        if first is not None:  # an identity changes the sign of zeros and what is infinite
            start = started(first, result.dtype)
            result = call("cast", call(ufunc.__name__, start, result), result.dtype)
        return _finished(result, out)

    return total


def started(initial: Any, dtype: DType) -> Any:
    """What a reduction begins with, in its dtype, as NumPy stores it in an element."""
    if hasattr(initial, "dtype") and rank(initial):
        raise ValueError("a reduction begins with one number: initial= has dimensions")
    return tensor(as_assigned(initial, dtype, single=True), dtype)


_sum = _total("sum", np.sum, np.add, 0)
_prod = _total("prod", np.prod, np.multiply, 1)


def _extremum(name: str, functions: tuple[Any, ...], combine: str) -> None:
    @records(*functions)
    def extremum(
        a: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _NOTHING,
        where: Any = _NOTHING,
    ) -> Any:
        x, axis = tensor(a), lone_axis(a, axis)
        if _given(where) and where is not True and not _given(initial):
            raise ValueError(f"{name}() with where= needs initial=, the value of nothing")
        start = started(initial, x.dtype) if _given(initial) else None
        if _given(where) and where is not True:
            x = call("where", where, x, start)
        axes = axis_indices(axis, rank(x), name)
        if start is not None and 0 in x.type.shape:
            sums = call("sum", x, axes, x.dtype, _kept(keepdims))
            return _finished(call("full", dimension_sizes(sums), start, x.dtype), out)
        if start is not None:
            for open_ in (i for i in axes if x.type.shape[i] is None):  # which may be empty
                shape = [1 if i == open_ else e for i, e in enumerate(dimension_sizes(x))]
                x = call("concat", [x, call("full", shape, start, x.dtype)], open_)
        result = _by_parts(name, x, axis, _kept(keepdims))
        if start is not None:
            result = call(combine, result, start)
        return _finished(result, out)


def _by_parts(name: str, x: Any, axis: Any, keepdims: bool) -> Any:
    """An extremum; complex numbers are ordered by the real part, then by the imaginary one."""
    if not dtype_of(x).is_complex:
        return call(name, x, axis, keepdims)
    places = _first_of(x, axis, name == "max")
    kept = [
        1 if i in axis_indices(axis, rank(x), name) else e for i, e in enumerate(dimension_sizes(x))
    ]
    return call("reshape", places, kept) if keepdims else places


def _first_of(x: Any, axis: Any, greatest: bool) -> Any:
    axes = axis_indices(axis, rank(x), "max")
    rest = [i for i in range(rank(x)) if i not in axes]
    moved, sizes = call("transpose", x, [*rest, *axes]), dimension_sizes(x)
    length = functools.reduce(operator.mul, (sizes[i] for i in axes), 1)
    rows = call("reshape", moved, [*(sizes[i] for i in rest), length])
    place = _place_in_rows(rows, greatest)
    return as_number(call("take_along_axis", rows, call("expand_dims", place, -1), -1)[..., 0])


def _place_in_rows(rows: Any, greatest: bool) -> Any:
    """Where the extremum of each row of complex numbers is, or the first NaN."""
    name = "argmax" if greatest else "argmin"
    bad = call("isnan", rows)
    real, imaginary = call("real", rows), call("imag", rows)
    extremum = call("max" if greatest else "min", real, -1, True)
    worst = -np.inf if greatest else np.inf
    candidates = call("where", call("equal", real, extremum), imaginary, worst)
    return call("where", call("any", bad, -1), call("argmax", bad, -1), call(name, candidates, -1))


_extremum("max", (np.max, np.amax), "maximum")
_extremum("min", (np.min, np.amin), "minimum")


def _truth(name: str, function: Any, neutral: bool) -> None:
    @records(function)
    def truth(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = _NOTHING
    ) -> Any:
        x, axis = tensor(a, "bool"), lone_axis(a, axis)
        if _given(where) and where is not True:
            x = call("where", where, x, neutral)
        return _finished(call(name, x, axis, _kept(keepdims)), out)


_truth("any", np.any, False)
_truth("all", np.all, True)


def _position(name: str, function: Any) -> None:
    @records(function)
    def position(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        x = tensor(a)
        result = _place(name, x, axis, _kept(keepdims))
        return result if out is None else store_by_copy(result, out)


def _place(name: str, x: Any, axis: Any, keepdims: bool) -> Any:
    """Where an extremum is; complex numbers are ordered by both parts."""
    axis = lone_axis(x, axis)
    if not x.dtype.is_complex:
        return call(name, x, axis, keepdims)
    if axis is None:
        found = _place_in_rows(call("reshape", x, (-1,)), name == "argmax")
        return call("reshape", found, (1,) * rank(x)) if keepdims else found
    at = axis_index(axis, rank(x), name)
    found = _place_in_rows(call("moveaxis", x, at, -1), name == "argmax")
    return call("expand_dims", found, at) if keepdims else found


_position("argmax", np.argmax)
_position("argmin", np.argmin)


def _count(x: Any, axis: Any, keepdims: bool, where: Any) -> Any:
    """How many elements ``where`` leaves, along the axes."""
    ones = call("broadcast_to", tensor(where, "bool"), dimension_sizes(x))
    return call("sum", ones, axis, None, keepdims)


@records(np.mean)
def mean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    *,
    where: Any = _NOTHING,
) -> Any:
    """The mean, of the elements that ``where`` leaves."""
    x, kept = tensor(a), _kept(keepdims)
    if not rank(x):  # the sum of one number is 0 and that number, which changes the sign of a zero
        x = call("add", x, np.zeros((), x.dtype.numpy))
    everywhere = not _given(where) or where is True
    if out is not None:
        return _mean_into(out, x, axis, dtype, kept, True if everywhere else where)
    if (
        dtype is not None and as_dtype(dtype).kind in "iub"
    ):  # added up in it, and cut off in the end
        kind = as_dtype(dtype)
        chosen = x if everywhere else call("where", where, x, np.zeros((), x.dtype.numpy))
        total = np.sum(chosen, axis, kind, keepdims=kept)
        count = _count(x, axis, kept, True if everywhere else where)
        return call("cast", call("divide", total, count), kind)
    if everywhere:
        return call("mean", x, axis, dtype, kept)
    wide = x if x.dtype.kind in "fc" else tensor(x, "float64")
    total = call("sum", call("where", where, wide, 0), axis, dtype, kept)
    count = call("cast", _count(x, axis, kept, where), total.dtype.real)
    return call("divide", total, count)


def _mean_into(out: Any, x: Any, axis: Any, dtype: Any, keepdims: bool, where: Any) -> Any:
    """The sum is stored in ``out`` first, as NumPy does it, and cut off there if it has to be."""
    if dtype is None and x.dtype.kind in "iub":
        dtype = "float64"
    elif dtype is None and x.dtype == float16:
        dtype = "float32"
    np.sum(x, axis, dtype, out, keepdims, where=where)
    count = _count(x, axis, keepdims, where)
    return np.true_divide(out, count, out=out, casting="unsafe")


def _spread(name: str, function: Any) -> None:
    @records(function)
    def spread(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        *,
        where: Any = _NOTHING,
        mean: Any = _NOTHING,
        correction: Any = _NOTHING,
    ) -> Any:
        ddof = ddof if correction is _NOTHING else correction
        kept = _kept(keepdims)
        if (_given(where) and where is not True) or _given(mean):
            mask = where if _given(where) else True
            result = _of_part(tensor(a), axis, dtype, ddof, kept, mask, mean)
        else:
            result = call("var", tensor(a), axis, dtype, ddof, kept)
        return _rooted(result, out) if name == "std" else _finished(result, out)


def _rooted(variance: Any, out: Any) -> Any:
    """The root, which NumPy takes of the variance as ``out`` has it."""
    return np.sqrt(_finished(variance, out), out=out)


def _of_part(
    x: Any, axis: Any, dtype: Any, ddof: Any, keepdims: bool, where: Any, around: Any
) -> Any:
    """The variance of the elements that ``where`` leaves."""
    wide = tensor(x, dtype) if dtype is not None else x
    wide = wide if wide.dtype.kind in "fc" else tensor(wide, "float64")
    centre = around if _given(around) else np.mean(wide, axis, keepdims=True, where=where)
    distance = call("abs", call("subtract", wide, centre))
    squares = call("where", where, call("square", distance), 0)
    free = call("cast", _count(x, axis, keepdims, where), squares.dtype) - ddof
    return call("divide", call("sum", squares, axis, None, keepdims), call("maximum", free, 0.0))


_spread("var", np.var)
_spread("std", np.std)


@records(np.ptp)
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """The greatest element less the least one."""
    kept = _kept(keepdims)
    x, axis = tensor(a), lone_axis(a, axis)
    extrema = [_by_parts(name, x, axis, kept) for name in ("max", "min")]
    return np.subtract(_finished(extrema[0], out), extrema[1], out=out)


@records(np.count_nonzero)
def count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The number of elements that are not zero."""
    return call("count_nonzero", a, lone_axis(a, axis), _kept(keepdims))


def _running(name: str, function: Any, ufunc: Any) -> Callable[..., Any]:
    @records(function)
    def running(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        x, axis = tensor(a), lone_axis(a, axis)
        result = call(name, x, axis, accumulating(ufunc, x, dtype, out))
        if out is not None and (axis is None or not rank(x)) and rank(only(out)) != 1:
            _check_column(x, result, only(out), function.__name__, dtype)
            result = call("reshape", result, dimension_sizes(only(out)))
        if out is None:
            return result
        return store_running(result, out, axis_index(axis or 0, rank(result), function.__name__))

    return running


def _check_column(x: Any, result: Any, out: Any, name: str, dtype: Any) -> None:
    """A flattened array goes into one of more dimensions that is a column, or is empty as well.

    NumPy lets it if elements have to be converted, or are where they are to be stored.
    """
    message = f"{name}(): out= has {rank(out)} dimensions, not one"
    if rank(x) < 2 or not rank(out):
        raise ValueError(message)
    count, total = call("numpy_size", result), call("numpy_size", out)
    column: Any = call("equal", count, dimension_sizes(out)[0])
    if dtype is None and dtype_of(x) == dtype_of(out):
        column = call("logical_and", column, _overlaps(x, out))
    column = call("logical_or", column, call("equal", count, 0))
    require(call("logical_and", call("equal", count, total), column), message)


def _overlaps(x: Any, out: Any) -> Any:
    """Whether the elements of an array, flattened by a view of it, are those of another one."""
    if not isinstance(x, SymbolicTensor) or root_of(x) is not root_of(out):
        return False
    found = views_or_copies.lies_in(x, "C", decides=True)
    return found if isinstance(found, bool) else x.recorder.make(found, bool_, ())


_cumsum = _running("numpy_cumsum", np.cumsum, np.add)
_cumprod = _running("numpy_cumprod", np.cumprod, np.multiply)


def _included(name: str, first: Any, function: Any) -> None:
    @records(function)
    def running(
        x: Any,
        /,
        *,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        include_initial: bool = False,
    ) -> Any:
        values = tensor(x)
        if axis is None and rank(values) != 1:
            raise ValueError(f"{name}(): axis= must be given for {rank(values)} dimensions")
        along = 0 if axis is None else axis
        values = values if rank(values) else values[None]
        result = call(name, values, along, dtype)
        if include_initial:
            part = result[(slice(None),) * (along % rank(values)) + (slice(0, 1),)]
            shape = [
                1 if i == along % rank(values) else e for i, e in enumerate(dimension_sizes(part))
            ]
            result = call("concat", [call("full", shape, first, result.dtype), result], along)
        return _finished(result, out)


_included("numpy_cumsum", 0, np.cumulative_sum)
_included("numpy_cumprod", 1, np.cumulative_prod)


# What leaves NaN out.


def _without(a: Any, instead: Any) -> tuple[Any, Any]:
    """(the elements with a number in the place of NaN, where there was one or None)."""
    x = tensor(a)
    if x.dtype.kind not in "fc":
        return x, None
    bad = call("isnan", x)
    return call("where", bad, np.asarray(instead, x.dtype.numpy), x), bad


def _without_nan(function: Any, of_all: Callable[..., Any], instead: int) -> None:
    """Record what is done to all elements, with a number in the place of NaN."""

    @records(function)
    @functools.wraps(of_all)
    def of_others(a: Any, *args: Any, **options: Any) -> Any:
        return of_all(_without(a, instead)[0], *args, **options)


_without_nan(np.nansum, _sum, 0)
_without_nan(np.nanprod, _prod, 1)
_without_nan(np.nancumsum, _cumsum, 0)
_without_nan(np.nancumprod, _cumprod, 1)


def _extremum_without_nan(name: str, function: Any, instead: float) -> None:
    @records(function)
    def extremum(
        a: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _NOTHING,
        where: Any = _NOTHING,
    ) -> Any:
        x, bad = _without(a, instead)
        axis = lone_axis(x, axis)
        plain: Callable[..., Any] = getattr(np, name)
        result = plain(x, axis, None, _kept(keepdims), initial, where)
        if bad is not None:
            result = call("where", call("all", bad, axis, _kept(keepdims)), np.nan, result)
            result = call("cast", result, x.dtype)
        return _finished(result, out)


_extremum_without_nan("max", np.nanmax, -np.inf)
_extremum_without_nan("min", np.nanmin, np.inf)


def _place_without_nan(name: str, function: Any, instead: float) -> None:
    @records(function)
    def place(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        x, bad = _without(a, instead)
        if bad is not None:
            alone = call("logical_not", call("all", bad, lone_axis(a, axis)))
            require(alone, f"{function.__name__}(): there are only NaN in a part")
        result = _place(name, x, axis, _kept(keepdims))
        return result if out is None else store_by_copy(result, out)


_place_without_nan("argmax", np.nanargmax, -np.inf)
_place_without_nan("argmin", np.nanargmin, np.inf)


@records(np.nanmean)
def nanmean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    *,
    where: Any = _NOTHING,
) -> Any:
    """The mean of what is not NaN."""
    x = tensor(a)
    if x.dtype.kind not in "fc":
        return np.mean(x, axis, dtype, out, _kept(keepdims), where=where)
    _check_inexact("nanmean", dtype, out)
    axis = lone_axis(x, axis)
    good = call("logical_not", call("isnan", x))
    good = call("logical_and", good, where) if _given(where) and where is not True else good
    return mean(x, axis, dtype, out, keepdims, where=good)


def _check_inexact(name: str, dtype: Any, out: Any) -> None:
    """``TypeError`` where what is rounded shall be stored in integers or bools."""
    kinds = {
        "dtype": None if dtype is None else as_dtype(dtype),
        "out": None if out is None else dtype_of(only(out)),
    }
    for what, kind in kinds.items():
        if kind is not None and kind.kind not in "fc":
            raise TypeError(f"{name}() of numbers that are rounded: {what}= is {kind}, no float")


def _spread_without_nan(name: str, function: Any) -> None:
    @records(function)
    def spread(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        *,
        where: Any = _NOTHING,
        mean: Any = _NOTHING,
        correction: Any = _NOTHING,
    ) -> Any:
        x = tensor(a)
        plain: Callable[..., Any] = getattr(np, name)
        options: dict[str, Any] = {"keepdims": _kept(keepdims), "correction": correction}
        if x.dtype.kind not in "fc":
            return plain(x, axis, dtype, out, ddof, where=where, mean=mean, **options)
        _check_inexact(f"nan{name}", dtype, out)
        axis = lone_axis(x, axis)
        ddof = ddof if correction is _NOTHING else correction
        good = call("logical_not", call("isnan", x))
        good = call("logical_and", good, where) if _given(where) and where is not True else good
        result = _of_part(x, axis, dtype, ddof, _kept(keepdims), good, mean)
        free = call("subtract", _count(x, axis, _kept(keepdims), good), ddof)
        result = call("where", call("less_equal", free, 0), np.nan, result)
        result = call("cast", result, (type_of(x).dtype if dtype is None else result.dtype).real)
        return _rooted(result, out) if name == "std" else _finished(result, out)


_spread_without_nan("var", np.nanvar)
_spread_without_nan("std", np.nanstd)
