"""Loops that do little but store elements which are not neighbours stay as they are.

LLVM makes vectors of their iterations, and writes each by a scatter.  That takes several times as
long as its elements one by one, which only a longer computation in vectors can make up for.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.cost import is_costly
from agir.backends.cpu.passes.lowering.short_loops import annotate
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

_LITTLE = 3
"""Operations on numbers for each store: what scalars take no longer for than the scatter does."""


def keep_strided_stores_scalar(module: Any) -> None:
    """Forbid vectors in innermost loops whose stores all jump through memory."""
    for loop in find(module, "scf.for"):
        body = [view.operation for view in loop.regions[0].blocks[0].operations][:-1]
        stores = [each for each in body if each.name == "memref.store"]
        counter = loop.regions[0].blocks[0].arguments[0]
        if (
            stores
            and not any(map(_takes_long, body))
            and all(_jumps(store, counter) for store in stores)
            and sum(_computes(each) for each in body) <= _LITTLE * len(stores)
        ):
            annotate(loop, "vectorize = <disable = true>")


def _jumps(store: Any, counter: Any) -> bool:
    """Whether the next iteration stores elsewhere than beside the element of this one."""
    _, target, *indices = store.operands
    strides = target.type.get_strides_and_offset()[0]
    steps = [stride for index, stride in zip(indices, strides, strict=True) if index == counter]
    unknown = bindings.ir.ShapedType.get_dynamic_stride_or_offset()
    return len(steps) == 1 and steps[0] not in (0, 1, unknown)


def _takes_long(operation: Any) -> bool:
    return bool(len(operation.regions)) or "call" in operation.name or is_costly(operation.name)


def _computes(operation: Any) -> bool:
    return (
        operation.name.startswith(("arith.", "math.", "complex."))
        and operation.name != "arith.constant"
        and not isinstance(operation.results[0].type, bindings.ir.IndexType)
    )
