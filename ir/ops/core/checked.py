"""Checks of operands by what they are, at once or when the compiled function runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.ops.core.scalar_checks import all_true
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor

_KINDS: dict[type[Exception], str] = {
    ValueError: "argument",
    TypeError: "type",
    IndexError: "no_item",
    ZeroDivisionError: "deferred_division",
}


def require(condition: Any, message: str, error: type[Exception] = ValueError) -> Any:
    """An error unless all of the condition holds, at once or when the function runs.

    Gives the condition, for the value that takes the place of a wrong one.
    """
    if not isinstance(condition, SymbolicTensor):
        known = condition.numpy() if isinstance(condition, Tensor) else condition
        if not np.all(np.asarray(known)):
            raise error(message)
        return condition
    trace = condition.recorder
    with trace.at_user_line():
        ok = all_true(trace, condition.ssa, condition.dims)
        trace.guard(ok, trace.site(_KINDS[error], message))
    return condition
