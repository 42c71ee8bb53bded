"""A function of the user's applied to rows and elements: apply_along_axis, np.vectorize, fromiter.

The function is called as converted code calls it, so it may branch and loop on what it is given.
Its calls are unrolled or recorded as one loop, as those of any comprehension are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.ir.ops.core.operands import axis_index
from agir.ir.ops.core.recorded import dimension_size, dimension_sizes, rank, records, tensor
from agir.ir.ops.shapes.numpy_creation import creates
from agir.ir.tensors import dispatch

call = dispatch.call


def collected(source: Any, function: Callable[[Any], Any]) -> Any:
    """``[function(item) for item in source]``."""
    return operators.collect(
        [],
        lambda emit: operators.each(
            source, lambda item: emit(operators.call(function, (item,))), emit
        ),
    )


def mapped(function: Callable[..., Any], rows: Sequence[Any]) -> Any:
    """What a function makes of the rows of several arrays, as a list."""
    numbers = operators.call(range, (dimension_size(rows[0], 0),))
    return collected(numbers, lambda k: operators.call(function, tuple(row[k] for row in rows)))


def _flat(x: Any, core: int) -> Any:
    """The array with one axis in the place of all but the last ``core`` ones."""
    kept = dimension_sizes(x)[rank(x) - core :]
    count: Any = 1
    for size in dimension_sizes(x)[: rank(x) - core]:
        count = count * size
    return call("reshape", x, (count, *kept))


@records(np.apply_along_axis)
def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """What a function makes of each row along an axis."""
    x = tensor(arr)
    at = axis_index(axis, rank(x), "apply_along_axis")
    moved = call("moveaxis", x, at, -1)
    outer = dimension_sizes(moved)[:-1]
    if any(isinstance(size, int) and size == 0 for size in outer):
        raise ValueError(
            "apply_along_axis(): there is no row that the function could be applied to"
        )
    made = tensor(
        mapped(lambda row: operators.call(func1d, (row, *args), kwargs), [_flat(moved, 1)])
    )
    inner = dimension_sizes(made)[1:]
    whole = call("reshape", made, (*outer, *inner))
    for i in range(len(inner)):
        whole = call("moveaxis", whole, len(outer) + i, at + i)
    return whole


@records(np.apply_over_axes)
def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """A function applied along one axis after the other."""
    x = tensor(a)
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        found = operators.call(func, (x, axis))
        x = found if rank(found) == rank(x) else call("expand_dims", found, axis)
    return x


@creates(np.fromiter)
def fromiter(iter: Any, dtype: Any, count: Any = -1, *, like: Any = None) -> Any:
    """The items of something that can be iterated over, in one dimension."""
    made = tensor(collected(iter, lambda item: item), dtype)
    if rank(made) != 1:
        raise ValueError("fromiter() takes numbers, one after the other")
    return made if isinstance(count, int) and count < 0 else made[:count]


# np.vectorize


def vectorized(function: np.vectorize, *args: Any, **kwargs: Any) -> Any:
    """``np.vectorize(f)(...)``: the function applied to each element, or to parts of a signature."""
    excluded = function.excluded
    names = [name for name in kwargs if name not in excluded]
    places = [i for i in range(len(args)) if i not in excluded]
    given = [tensor(args[i]) for i in places] + [tensor(kwargs[name]) for name in names]

    def apply(*values: Any) -> Any:
        filled, named = list(args), dict(kwargs)
        for place, value in zip(places, values, strict=False):
            filled[place] = value
        named.update(zip(names, values[len(places) :], strict=True))
        return operators.call(function.pyfunc, tuple(filled), named)

    if not given:
        return operators.call(function.pyfunc, args, kwargs)
    cores = _cores(function, len(given))
    loop, rows = _broadcast(given, cores)
    if not loop:
        found = [apply(*given)]
        single = True
    else:
        found, single = mapped(apply, rows), False
    return _results(found, loop, function.otypes, single)


def _cores(function: Any, count: int) -> list[int]:
    """How many of the last axes of each argument one call of the function gets."""
    if function.signature is None:
        return [0] * count
    found = [len(names) for names in function._in_and_out_core_dims[0]]
    if len(found) != count:
        raise TypeError(f"wrong number of positional arguments: expected {len(found)}, got {count}")
    return found


def _broadcast(given: Sequence[Any], cores: Sequence[int]) -> tuple[tuple[Any, ...], list[Any]]:
    """The dimensions that are looped over, and the arrays with one axis in their place."""
    outer = [
        tuple(dimension_sizes(x)[: rank(x) - core]) for x, core in zip(given, cores, strict=True)
    ]
    if not any(outer):
        return (), []
    likes = np.broadcast_arrays(*(_looped(x, core) for x, core in zip(given, cores, strict=True)))
    loop = dimension_sizes(likes[0])
    rows = []
    for x, core in zip(given, cores, strict=True):
        kept = dimension_sizes(x)[rank(x) - core :]
        rows.append(_flat(call("broadcast_to", x, (*loop, *kept)), core))
    return loop, rows


def _looped(x: Any, core: int) -> Any:
    """An array of the dimensions that are looped over."""
    first = (Ellipsis,) + (0,) * core
    return call("fill_like", x[first], 0, "bool") if core else x


def _results(found: Any, loop: Any, otypes: Any, single: bool) -> Any:
    first = found[0]
    if not isinstance(first, tuple):
        return _stacked(found, loop, otypes[0] if otypes else None, single)
    columns = [collected(found, operator.itemgetter(n)) for n in range(len(first))]
    kinds = otypes or [None] * len(first)
    return tuple(_stacked(c, loop, k, single) for c, k in zip(columns, kinds, strict=True))


def _stacked(items: Any, loop: Any, kind: Any, single: bool) -> Any:
    if single:
        return tensor(items[0], kind)
    made = tensor(items, kind)
    return call("reshape", made, (*loop, *dimension_sizes(made)[1:]))
