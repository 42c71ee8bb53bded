"""Structured arrays that a function makes, and NumPy's functions that take them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.ir.building.cells import Scope
from agir.ir.plain import records
from agir.ir.plain.entering import refused
from agir.ir.plain.records import Fields, NamedRecord, Record, Records
from agir.ir.plain.sparse import Sparse
from agir.ir.tensors import structure
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import KINDS, AbstractValue, Static, Structure, abstract_of

_MAKING: dict[Any, int] = {np.zeros: 1, np.empty: 1, np.ones: 1, np.array: 1}
"""The functions that are told a dtype, and which of their arguments that is."""


def find(
    trace: Trace, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """What stands for a function of NumPy's that makes or takes structured arrays."""
    if not trace.convention.arrays_are_mutable:
        return None
    if any(isinstance(each, Fields) for each in (*args, *_items(args))):
        if function in _TAKING:
            return partial(_TAKING[function], trace)
        return partial(_refuse, function) if is_of_numpy(function) else None
    if function not in _MAKING:
        return None
    place = _MAKING[function]
    layout = kwargs.get("dtype", args[place] if len(args) > place else None)
    if layout is None:
        return None
    layout = _as_layout(layout)
    return None if layout is None else partial(_made, trace, function, layout)


def _items(args: tuple[Any, ...]) -> Any:
    """What is in a list or tuple that a function is given first."""
    return args[0] if args and type(args[0]) in (list, tuple) else ()


def is_of_numpy(function: Any) -> bool:
    """Whether it is a function of NumPy's that asks its arguments what it means for them."""
    return isinstance(function, np.ufunc) or hasattr(function, "_implementation")


def _as_layout(dtype: Any) -> Any:
    """The dtype of structured arrays that is meant, or None for any other."""
    if not isinstance(dtype, np.dtype | list) and not (isinstance(dtype, str) and "," in dtype):
        return None
    try:
        found = np.dtype(dtype)
    except TypeError:
        return None
    return found if found.names else None


def _refuse(function: Any, *args: Any, **kwargs: Any) -> Any:
    refused(f"{function.__name__}() of structured arrays, of which fields can be taken,")


def _made(
    trace: Trace, function: Any, layout: Any, value: Any, *args: Any, **kwargs: Any
) -> Records:
    if function is not np.array:
        return _filled(trace, np.ones if function is np.ones else np.zeros, layout, value)
    if not isinstance(value, list):
        refused("a structured array made of anything but a list of tuples")
    made = _filled(trace, np.zeros, layout, operators.call(len, (value,)))
    operators.set_item(made, ..., value)
    return made


def _filled(trace: Trace, making: Any, layout: Any, shape: Any, kind: Any = Records) -> Records:
    sizes = shape if isinstance(shape, tuple) else (shape,)

    def column(path: Any, inner: Any) -> Any:
        return operators.call(making, ((*sizes, *inner.shape), inner.base))

    made: Records = trace.made(records.of_fields(kind, layout, column))
    return made


def _like(making: Any) -> Callable[..., Records]:
    def like(trace: Trace, array: Records, dtype: Any = None) -> Records:
        layout = array.dtype if dtype is None else dtype
        return _filled(trace, making, layout, array.shape, type(array))

    return like


def _copied(trace: Trace, array: Fields) -> Any:
    return operators.call(array.copy, ())


def _sorted(
    trace: Trace, array: Records, axis: int = -1, kind: Any = None, order: Any = None
) -> Any:
    places = operators.call(array.argsort, (axis, kind, order))
    return array[places]


def _method(name: str) -> Callable[..., Any]:
    return lambda trace, array, *args, **kwargs: operators.call(getattr(array, name), args, kwargs)


def _joined(trace: Trace, arrays: Any, axis: int = 0) -> Records:
    """The records of several arrays, one after the other."""
    first = arrays[0]
    if any(not isinstance(each, Records) or each.dtype != first.dtype for each in arrays):
        refused("concatenate() of structured arrays of several dtypes")
    if axis < 0:
        axis += first.ndim
    columns = [
        operators.call(np.concatenate, (list(parts), axis))
        for parts in zip(*(each.all_columns() for each in arrays), strict=True)
    ]
    made: Records = trace.made(type(first)(first.dtype, tuple(columns)))
    return made


_TAKING: dict[Any, Callable[..., Any]] = {
    np.sort: _sorted,
    np.argsort: _method("argsort"),
    np.take: _method("take"),
    np.concatenate: _joined,
    np.zeros_like: _like(np.zeros),
    np.empty_like: _like(np.zeros),
    np.ones_like: _like(np.ones),
    np.copy: _copied,
    np.array: _copied,
    np.asarray: lambda trace, array: array,
    np.shape: lambda trace, array: array.shape,
    np.ndim: lambda trace, array: array.ndim,
    np.size: lambda trace, array: array.size,
}


def _whole(trace: Trace, value: Any, around: Scope | None) -> AbstractValue:
    """The abstract value of a record, or of a sparse matrix: what it is made of, wherever that was.

    Sizes that tracing knows are constants.
    """
    found = structure.attributes(value)
    assert found is not None, "it has attributes"
    is_sparse = isinstance(value, Sparse)
    parts = [
        Static(item) if is_sparse and type(item) is int else abstract_of(trace, item, around)
        for item in found[1]
    ]
    return Structure(found[0], tuple(parts))


KINDS[Record] = KINDS[NamedRecord] = KINDS[Sparse] = _whole
