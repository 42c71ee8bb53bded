"""Which Python and NumPy classes a tensor of the trace stands for."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from agir.ir.building.types import DType, bool_
from agir.ir.tensors.symbolic import SymbolicTensor, is_array
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives.mixed_numbers import MixedNumber


def _number(dtype: DType) -> type | None:
    """Python's class of the numbers of a dtype."""
    if dtype == bool_:
        return bool
    if dtype.is_integer:
        return int
    if dtype.is_floating:
        return float
    return complex if dtype.is_complex else None


def matches_class(value: Any, kind: type) -> Any:
    """Whether ``case kind():`` takes the tensor: a scalar counts as a number of its dtype's kind."""
    if isinstance(value, MixedNumber):
        return value.is_of(kind)
    if not isinstance(value, SymbolicTensor) or value.dims:
        return False
    number = _number(value.dtype)
    return number is not None and issubclass(number, kind)


def is_instance(trace: Trace, value: Any, kinds: Any) -> Any:
    """``isinstance(value, kinds)``, by what the tensor would be if nothing were compiled.

    A weakly typed scalar is a Python number; where arrays are NumPy's, other tensors are NumPy's
    scalars and arrays.
    """
    if builtins.isinstance(value, kinds):
        return True
    if builtins.isinstance(value, MixedNumber):
        return value.is_of(kinds)
    found = stood_for(trace, value)
    return found is not None and issubclass(found, kinds)


def stood_for(trace: Trace, value: Any) -> type | None:
    """The class that a tensor of the trace stands for; None where it is what it is."""
    if not isinstance(value, SymbolicTensor):
        return None
    if value.weak and not value.dims:
        return _number(value.dtype)
    if not trace.convention.arrays_are_mutable:
        return None
    return np.ndarray if is_array(value) else value.dtype.numpy.type
