"""A strided buffer that must be contiguous is copied.

``one-shot-bufferize`` casts a slice of a dynamic array to the contiguous layout of a result, which
``memref.cast`` lets pass because some strided layouts are contiguous; whether this one is, nothing
checks, and its elements would be read from the wrong places.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.bufferization.copies import is_strided
from agir.backends.mlir.making import op, size_of
from agir.backends.mlir.modules import find
from agir.ir.building import bindings


def copy_into_contiguous_layout(module: Any) -> None:
    """Replace each cast from a strided to a contiguous buffer by an allocation and a copy."""
    for cast in find(module, "memref.cast"):
        source, result = cast.operands[0], cast.results[0]
        if is_strided(source) and not is_strided(result):
            result.replace_all_uses_with(_copied(cast, source, result.type))
            cast.erase()


def _copied(cast: Any, source: Any, kind: Any) -> Any:
    ir = bindings.ir
    with ir.InsertionPoint(cast), cast.location:
        sizes = [size_of(source, axis) for axis in range(kind.rank) if kind.is_dynamic_dim(axis)]
        segments = ir.DenseI32ArrayAttr.get([len(sizes), 0])
        alloc = op("memref.alloc", kind, *sizes, operandSegmentSizes=segments)
        ir.Operation.create("memref.copy", operands=[source, alloc])
    return alloc
