"""What NumPy gives while a function is traced: arrays of known elements, or tensors in their place."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from agir.errors import OperandTypeError
from agir.ir.building.types import as_dtype
from agir.ir.ops.core.literals import writable
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import holds_run_time
from agir.ir.tracing.trace import Trace

_CONTAINERS = (dict, list, tuple, deque, OrderedDict, defaultdict)
"""Their methods give what they hold."""


def trying(
    trace: Trace, function: Callable[..., Any], given: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Callable[..., Any] | None:
    """What calls a function with known arrays and run-time values: it may write into those."""
    if not trace.convention.arrays_are_mutable or trace.known_arrays.are_recorded:
        return None
    owner = getattr(function, "__self__", None)
    if type(owner) is np.ndarray and function.__name__ == "resize":
        trace.known_arrays.written()  # NumPy refuses while something refers to the array
    values = (owner, *given, *kwargs.values())
    if not any(type(each) is np.ndarray for each in values) or not any(map(holds_run_time, values)):
        return None
    return partial(_tried, trace)


def _tried(trace: Trace, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        found = function(*args, **kwargs)
    except Exception:
        trace.known_arrays.written()
        raise
    return result(trace, function, found)


def result(trace: Trace, function: Any, value: Any) -> Any:
    """What a call has given, with tensors in the place of arrays where these are recorded."""
    if type(value) is np.ndarray:
        owner = type(getattr(function, "__self__", None))
        return value if owner in _CONTAINERS else _tensor(trace, value)
    if isinstance(value, np.ndarray):
        trace.known_arrays.note(value)
    if isinstance(value, (tuple, list)) and _is_numpys(function):
        found = structure.children(value)
        if found is not None and any(type(each) is np.ndarray for each in found[1]):
            return structure.rebuild(found[0], [result(trace, function, e) for e in found[1]])
    return value


def _is_numpys(function: Any) -> bool:
    """Whether what it gives is its own: a method of a container gives what that holds."""
    owner = type(getattr(function, "__self__", None))
    modules = (str(getattr(each, "__module__", None)) for each in (function, owner))
    return any(each.partition(".")[0] == "numpy" for each in modules)


def _tensor(trace: Trace, array: Any) -> Any:
    if not trace.known_arrays.are_recorded:
        trace.known_arrays.note(array)
        return array
    for outside, tensor in trace.outside:
        if outside is array:
            return tensor
    try:
        as_dtype(array.dtype)
    except OperandTypeError:
        return array  # of texts, dates or objects: Python's own
    return writable(trace, array, True)
