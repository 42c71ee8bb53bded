"""A run-time argument as compiled code takes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.errors import InaccessibleTensorError, RuntimeOverflowError
from agir.ir.building.types import TensorSpec, int64
from agir.ir.state.variables import Variable
from agir.ir.tensors.tensor import Tensor
from agir.runtime.blame import at_caller
from agir.runtime.signatures.trace_types import Leaf
from agir.runtime.state.buffers import buffer_of
from agir.runtime.state.columns import Numbers
from agir.runtime.tensor import EagerTensor

_LIMIT = 1 << 63


def as_array(value: Any, leaf: Leaf) -> Any:
    """A run-time argument as the array or scalar that the compiled function takes."""
    if isinstance(value, np.ndarray):
        return value.view(np.ndarray) if type(value) is Numbers else value
    if isinstance(value, EagerTensor):
        return value.array
    if isinstance(value, Variable):
        return buffer_of(value).tensor().array
    if isinstance(value, Tensor):
        raise InaccessibleTensorError(
            at_caller("a symbolic tensor is passed to a compiled function outside of its trace")
        )
    if isinstance(value, TensorSpec):
        raise TypeError(
            at_caller(
                f"a value is needed for {leaf.name!r}, and {value} is a type; get_concrete_function "
                "takes types"
            )
        )
    if leaf.shape != ():
        return np.asarray(value, leaf.dtype.numpy)
    if type(value) is int and leaf.dtype == int64 and not -_LIMIT <= value < _LIMIT:
        error = RuntimeOverflowError(
            at_caller(
                f"argument {leaf.name!r}: the Python integer {value} is out of bounds for int64"
            )
        )
        error.is_refusal = True
        raise error
    return value
