"""NumPy's functions and ufuncs met on tensors: each is the operation that the table names for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir import recording
from agir.ir.emission.truth import as_pythons
from agir.ir.ops.calls import not_recorded, ufunc_calls
from agir.ir.ops.core.recorded import RECORDED, store
from agir.ir.plain import times
from agir.ir.table import NUMPY
from agir.ir.tensors import dispatch, number_lists
from agir.ir.tensors.dispatch import Operation
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor, is_known_time

_IGNORED = {"out": None, "where": True, "casting": "same_kind", "order": "K", "subok": True}


def ufunc(function: Any, method: str, inputs: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """``np.add(x, y)`` and ``np.add.reduce(x)`` where one of the operands is a tensor."""
    if any(map(is_known_time, inputs)):
        return times.FUNCTIONS.get(function, partial(times.refuse, function))(*inputs)
    given = {name: value for name, value in kwargs.items() if name not in ("order", "subok")}
    if method == "__call__" and not given:
        return plain(function, *inputs)
    return _numpys_own(ufunc_calls.METHODS[method](function, *inputs, **given))


def plain(function: Any, *inputs: Any) -> Any:
    """``np.add(x, y)`` and nothing else, as most calls are."""
    return _numpys_own(ufunc_calls.plain(function, inputs))


def function(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """``np.where(...)``, ``np.sum(x, axis=0)``: functions that are not ufuncs."""
    found = _called(function, args, kwargs)
    if function in _GIVING_PYTHONS:
        return as_pythons(recording.current(), found)
    return _numpys_own(found)


_GIVING_PYTHONS = frozenset((
    np.allclose, np.array_equal, np.array_equiv, np.iscomplexobj, np.isscalar, np.isrealobj,
    np.may_share_memory, np.ndim, np.shape, np.shares_memory, np.size,
))  # fmt: skip
"""The functions of NumPy's that give bools and ints of Python's."""


def of_sequences(called: Any) -> Callable[..., Any] | None:
    """What records a function of NumPy's, or a ufunc's method, that is given lists of tensors.

    NumPy looks for tensors in few lists, and makes an array of the others.
    """
    owner = getattr(called, "__self__", None)
    if isinstance(owner, np.ufunc):
        return lambda *given, **options: ufunc(owner, called.__name__, given, options)
    if called not in RECORDED and called not in NUMPY:
        return None
    if isinstance(called, np.ufunc):
        return lambda *given, **options: ufunc(called, "__call__", given, options)
    return lambda *given, **options: function(called, given, options)


def _called(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if (recorded := RECORDED.get(function)) is not None:
        return recorded(*args, **kwargs)
    operation = NUMPY.get(function)
    if operation is None:
        if not any(_symbolic(a) for a in (*args, *kwargs.values())):
            return function(*_arrays(args), **{k: _array(v) for k, v in kwargs.items()})
        raise StagingError(not_recorded.message(function))
    options = dict(kwargs)
    out = options.pop("out", None)
    result = _apply(operation, function, args, options)
    return result if out is None else store(result, out)


def _numpys_own(result: Any) -> Any:
    """What NumPy gives has a dtype that counts, also where it was given numbers of Python's only."""
    if type(result) is tuple:
        return tuple(map(_numpys_own, result))
    if isinstance(result, SymbolicTensor) and result.weak:
        return dispatch.call("cast", result, result.dtype)
    return result


def _apply(
    operation: Operation, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """Call the operation with NumPy's arguments, in its own names; refuse what would be ignored."""
    known = operation.signature.parameters
    passed = {}
    for name, value in kwargs.items():
        if name in known:
            passed[name] = value
        elif name not in _IGNORED or value is not _IGNORED[name]:
            raise TypeError(f"numpy.{function.__name__}: {name}={value!r} is not there for tensors")
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in known.values()):
        return operation(*map(_as_numpy_has_it, args), **passed)
    positional = sum(p.kind is not inspect.Parameter.KEYWORD_ONLY for p in known.values())
    if len(args) > positional:
        raise TypeError(
            f"numpy.{function.__name__}: only {positional} positional arguments are there for tensors"
        )
    named = dict(zip(known, args, strict=False)) | passed
    for name in operation.operands:
        if isinstance(value := named.get(name), (list, tuple)):
            several = name in operation.sequences
            named[name] = (
                [_as_numpy_has_it(v) for v in value] if several else _as_numpy_has_it(value)
            )
    return operation(**named)


def _as_numpy_has_it(value: Any) -> Any:
    """A list of Python numbers as NumPy's array; anything else as it is."""
    return np.asarray(value) if number_lists.holds_numbers(value) else value


def _symbolic(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_symbolic(v) for v in value)
    return isinstance(value, Tensor) and value.is_symbolic


def _arrays(values: Any) -> list[Any]:
    return [_array(v) for v in values]


def _array(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_array(v) for v in value)
    return value.numpy() if isinstance(value, Tensor) else value
