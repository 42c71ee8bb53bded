"""Dates and differences: those that a function makes, functions of NumPy's, and what branches carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.ir.building.cells import Scope
from agir.ir.plain import times
from agir.ir.plain.entering import one_of_equal, refused
from agir.ir.plain.times import Date, OfTime, Span, Times
from agir.ir.python.record_arrays import is_of_numpy
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import is_known_time
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import (
    KINDS,
    AbstractValue,
    JoinError,
    Static,
    Structure,
    abstract_of,
    called,
    join,
)

_MAKING = (np.zeros, np.empty, np.ones, np.array, np.asarray)
"""The functions whose second argument is a dtype."""


def find(
    trace: Trace, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """What stands for a function of NumPy's that makes or takes dates or differences."""
    if not trace.convention.arrays_are_mutable:
        return None
    if function in (np.datetime64, np.timedelta64) and args and isinstance(args[0], _RUN_TIME):
        return partial(_number_of, function)
    if function is np.arange and (any(map(is_known_time, args)) or _as_dtype(kwargs.get("dtype"))):
        return _range
    if any(isinstance(each, OfTime) for each in args):
        return times.FUNCTIONS.get(function) if is_of_numpy(function) else None
    if function not in _MAKING:
        return None
    dtype = _as_dtype(kwargs.get("dtype", args[1] if len(args) > 1 else None))
    return None if dtype is None else partial(_made, function, dtype)


_RUN_TIME = (SymbolicTensor, OfTime)


def _number_of(kind: Any, value: Any, unit: str | None = None) -> Any:
    """``np.timedelta64(n, "D")``"""
    dtype = np.dtype(kind if unit is None else f"{np.dtype(kind).char}8[{unit}]")
    if isinstance(value, OfTime):
        return value if unit is None else value.astype(dtype)
    return times.as_time(value, dtype)


def _range(*args: Any, **kwargs: Any) -> Times:
    """``np.arange(...)`` of dates."""
    if any(isinstance(each, _RUN_TIME) for each in (*args, *kwargs.values())):
        refused("a range of dates whose bounds only the run time knows")
    found = np.arange(*args, **kwargs)
    made: Times = _made(np.array, found.dtype, found)
    return made


def _as_dtype(dtype: Any) -> Any:
    """The dtype of dates or differences that is meant, or None for any other."""
    if isinstance(dtype, str) and dtype.lstrip("<>=")[:1] in ("M", "m", "d", "t"):
        try:
            dtype = np.dtype(dtype)
        except TypeError:
            return None
    return dtype if times.is_of_time(dtype) else None


def _made(function: Any, wanted: Any, value: Any, *_: Any, **__: Any) -> Any:
    if function in (np.array, np.asarray):
        known = times.as_time(value, wanted)
        return times.made_of(wanted, operators.call(np.array, (times.converted(known, wanted),)))
    making = np.ones if function is np.ones else np.zeros
    return times.made_of(wanted, operators.call(making, (value, np.int64)))


@dataclass(frozen=True)
class OneOfTime(Structure):
    """A date or difference: of the shorter unit, where it is of two units on two paths."""

    @property
    def unit(self) -> Any:
        """The dtype."""
        (static, _) = self.items
        assert isinstance(static, Static), "the dtype is known"
        return static.value

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        ticks = times.converted(times.as_time(value, self.unit), self.unit)
        return self.items[1].pack(trace, ticks)

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other."""
        if not isinstance(other, OneOfTime) or self.key != other.key:
            return None
        try:
            both = np.promote_types(self.unit, other.unit)
        except TypeError:
            raise JoinError(f"{called(name)} is of {self.unit} or of {other.unit}") from None
        ticks = join(name, self.items[1], other.items[1], strict)
        return OneOfTime(self.key, (Static(one_of_equal(both)), ticks))

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return f"a {self.unit}"


def _number(trace: Trace, value: Any, around: Scope | None) -> AbstractValue:
    """The abstract value of a date or difference, known or not, wherever it was made."""
    given = times.as_time(value, value.dtype)
    ticks = abstract_of(trace, np.int64(given.ticks) if type(given.ticks) is int else given.ticks)
    return OneOfTime((type(given), ("dtype", "ticks")), (Static(given.dtype), ticks))


def _array(trace: Trace, value: Times, around: Scope | None) -> AbstractValue:
    """The same of an array: of one that is there before a branch or loop, it is the array itself."""
    ticks = abstract_of(trace, value.ticks, around)
    if type(ticks) is Static:
        return Static(value)
    found = structure.attributes(value)
    assert found is not None, "it has attributes"
    return Structure(found[0], (Static(value.dtype), ticks))


for _kind in (Date, Span, np.datetime64, np.timedelta64):
    KINDS[_kind] = _number
KINDS[Times] = _array
