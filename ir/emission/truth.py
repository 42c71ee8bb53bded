"""The truth of a run-time value: what conditions are made of."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from agir.autograph.operators import truth as condition_of
from agir.errors import OperandValueError
from agir.ir.building.types import bool_, int64
from agir.ir.emission import emit
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

RULES: dict[type, Callable[[Trace, Any], Any]] = {}
"""By class, the truth (i1) of what is more than its value, or has none."""


def truth(trace: Trace, value: Any) -> Any:
    """The truth value of a scalar as an SSA ``i1``."""
    if isinstance(value, Staged):
        return value.truth(trace)
    if (rule := _rule(value)) is not None:
        return rule(trace, value)
    if isinstance(value, SymbolicTensor):
        return of_tensor(trace, value)
    known = condition_of(value)
    return trace.constant(bool_, bool(value)) if known is value else truth(trace, known)


def _rule(value: Any) -> Callable[[Trace, Any], Any] | None:
    return next((RULES[each] for each in type(value).__mro__ if each in RULES), None)


_ADVICE = {True: "x.any() or x.all()", False: "agir.reduce_any or agir.reduce_all"}


def _called(trace: Trace) -> str:
    return "an array" if trace.convention.arrays_are_mutable else "a tensor"


def of_tensor(trace: Trace, value: SymbolicTensor) -> Any:
    """The truth of a tensor's one element (i1)."""
    shape = str(list(value.shape)).replace("None", "?")
    message = (
        f"the truth value of {_called(trace)} of shape {shape} is ambiguous: use "
        f"{_ADVICE[trace.convention.arrays_are_mutable]}"
    )
    if any(isinstance(size, int) and size != 1 for size in value.dims):
        raise OperandValueError(trace.explain(message))

    def element() -> Any:
        places = [trace.index(0)] * len(value.dims)
        return trace.op("tensor.extract", value.dtype.mlir(), value.ssa, *places)

    ssa, open_ = value.ssa, [size for size in value.dims if not isinstance(size, int)]
    if open_:
        one = trace.index(1)
        ok = functools.reduce(
            lambda one, other: trace.op("arith.andi", one.type, one, other),
            [trace.compare("eq", emit.dim_value(trace, size), one) for size in open_],
        )
        trace.guard(ok, trace.site("argument", message))
        ssa = loops.if_ok(trace, ok, element, lambda: trace.constant(value.dtype, 0))
    elif value.dims:
        ssa = element()
    return emit.convert(trace, ssa, value.dtype, bool_, ())


def of_python(trace: Trace, ssa: Any) -> SymbolicTensor:
    """A bool of Python's, which is a number to its operators; a tensor under other conventions."""
    return trace.make(ssa, bool_, (), weak=trace.convention.arrays_are_mutable)


def as_pythons(trace: Trace | None, value: Any) -> Any:
    """A bool or int scalar as one of Python's, and anything else as it is."""
    if trace is None or not isinstance(value, SymbolicTensor) or value.dims or value.weak:
        return value
    if value.dtype not in (bool_, int64):
        return value
    return trace.make(value.ssa, value.dtype, (), weak=trace.convention.arrays_are_mutable)


def as_bool(trace: Trace, value: Any) -> Any:
    """The truth of anything: a Python bool where it is known, else a bool scalar."""
    value = condition_of(value)
    if isinstance(value, (SymbolicTensor, Staged)) or _rule(value) is not None:
        return of_python(trace, truth(trace, value))
    return bool(value)
