"""Emitters that elementwise operations of one kind share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import numpy as np

from agir.ir.building.types import DType
from agir.ir.emission import emit
from agir.ir.ops.elementwise.elementwise import Declared, Emitter, elementwise_operation, simple
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace


def unchanged(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    """The operand itself."""
    return x


def scalar(build: Callable[..., Any]) -> Emitter:
    """The emitter that applies ``build(trace, dtype, *scalars)`` to every element."""

    @wraps(build)
    def emitter(trace: Trace, dtype: DType, dims: Dims, *operands: Any) -> Any:
        if not dims:
            return build(trace, dtype, *operands)
        return emit.map_scalars(trace, partial(build, trace, dtype), dtype, dims, *operands)

    return emitter


def one_by_one(build: Callable[..., Any]) -> Emitter:
    """The same for a ``build`` that records loops, which only loops over the elements can hold."""

    @wraps(build)
    def emitter(trace: Trace, dtype: DType, dims: Dims, *operands: Any) -> Any:
        if not dims:
            return build(trace, dtype, *operands)

        def store(indices: list[Any], carried: list[Any]) -> list[Any]:
            scalars = [trace.op("tensor.extract", dtype.mlir(), x, *indices) for x in operands]
            (whole,) = carried
            made = build(trace, dtype, *scalars)
            return [trace.op("tensor.insert", whole.type, made, whole, *indices)]

        sizes = [emit.dim_value(trace, d) for d in dims]
        return loops.nest(trace, sizes, [emit.empty(trace, dtype, dims)], store)[0]

    return emitter


def floating(emitter: Emitter, of_complex: Emitter | None = None) -> dict[str, Emitter]:
    """Emitters of a function of real numbers: integers are converted as NumPy converts them."""
    found = dict.fromkeys("biuf", emitter)
    return found if of_complex is None else found | {"c": of_complex}


def function(
    ufunc: np.ufunc,
    mlir: str | None = None,
    of_complex: Emitter | str | None = None,
    only_numpy: str = "",
) -> Declared:
    """A function of one number: ``math.name`` on reals, and ``of_complex``."""
    if isinstance(of_complex, str):
        of_complex = simple(of_complex)

    def defined(declared: Callable[..., Any]) -> dispatch.Operation:
        on_reals = simple(mlir or f"math.{declared.__name__.rstrip('_')}")
        emitters = floating(on_reals, of_complex)
        return elementwise_operation(ufunc, emitters, only_numpy=only_numpy)(declared)

    return defined
