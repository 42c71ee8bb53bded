"""Calls of C functions that a program has as objects of ctypes (`agir.ir.host.foreign`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agir.errors import StagingError
from agir.ir.building.types import float64, int64
from agir.ir.emission import emit
from agir.ir.host.foreign import CLASS, ForeignFunction
from agir.ir.ops.core.recorded import tensor
from agir.ir.python.by_example import Call, single
from agir.ir.tensors import dispatch
from agir.ir.tracing.trace import Trace


def find(trace: Trace, function: Any) -> Callable[..., Any] | None:
    """What records the calls of a C function; None for any other."""
    if isinstance(function, CLASS) and trace.convention.arrays_are_mutable:
        return partial(_called, trace, function)
    return None


def _called(trace: Trace, function: Any, *args: Any) -> Any:
    foreign = ForeignFunction(function)
    reals = foreign.parameters
    name = getattr(function, "__name__", "a C function")
    if reals is None:
        raise StagingError(
            trace.explain(
                f"{name} is a C function that takes or gives other things than numbers, or whose "
                "argtypes are not told: compiled code calls functions of numbers only"
            )
        )
    if len(args) != len(reals):
        raise TypeError(f"this function takes {len(reals)} arguments ({len(args)} given)")
    inputs = [
        emit.lift(trace, dispatch.call("cast", tensor(each), "float64" if real else "int64"))
        for each, real in zip(args, reals, strict=True)
    ]
    if any(each.dims for each in inputs):
        raise TypeError(f"{name} takes numbers, not arrays")
    dtype = float64 if foreign.is_real else int64
    return single(Call(trace, name, (), {}), dtype, True, foreign, inputs)
