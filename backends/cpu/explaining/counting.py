"""How many floating-point operations and bytes an operation on buffers needs, read off its text.

Estimates: each element of each operand is moved once, whatever the caches do; a fused
multiply-add counts twice; an elementary function counts what agir's polynomial for it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from math import prod
from typing import Any, Literal

from agir.backends.cpu.dependence.arrays import array_of
from agir.backends.cpu.dependence.constants import iterations
from agir.backends.cpu.library.calls import call_library
from agir.backends.cpu.sweeps.buffers import item_bytes
from agir.backends.mlir.modules import symbols, walk
from agir.ir.building import bindings

_FLOPS = {
    "arith.addf": 1,
    "arith.subf": 1,
    "arith.mulf": 1,
    "arith.divf": 1,
    "arith.remf": 1,
    "arith.maximumf": 1,
    "arith.minimumf": 1,
    "arith.maxnumf": 1,
    "arith.minnumf": 1,
    "math.fma": 2,
    "math.sqrt": 1,
    "complex.add": 2,
    "complex.sub": 2,
    "complex.mul": 6,
    "complex.div": 11,
}

Sizes = tuple[int | None, ...]


def dimension_sizes(generic: Any) -> Sizes:
    """The iterations of each loop of a ``linalg.generic``; None for a number of run time."""
    maps = _maps(generic)
    found: list[int | None] = [None] * maps[0].n_dims
    for operand, affine in zip(generic.operands, maps, strict=True):
        for axis, result in enumerate(affine.results):
            loop = re.fullmatch(r"d(\d+)", str(result))
            if loop and found[int(loop[1])] is None:
                found[int(loop[1])] = _size(operand.type, axis)
    return tuple(found)


def points(shape: Sizes) -> int | None:
    """The product of sizes, where all are known."""
    return None if None in shape else prod(n or 0 for n in shape)


def flops_of_body(generic: Any) -> int:
    """The floating-point operations of one iteration of the innermost loop."""
    return sum(map(flops, walk(generic)))


def bytes_moved(generic: Any) -> int | None:
    """The bytes that are read and written if each element is moved once; None where unknown.

    Of parts of one array that overlap no element is moved twice.
    """
    shape = dimension_sizes(generic)
    found: dict[Any, int] = {}
    for operand, affine in zip(generic.operands, _maps(generic), strict=True):
        if not hasattr(operand.type, "rank"):  # a complex number has an element type, too
            continue
        used = {int(n) for result in affine.results for n in re.findall(r"d(\d+)", str(result))}
        moved = points(tuple(shape[axis] for axis in used))
        if moved is None:
            return None
        array = array_of(operand)
        size = buffer_size(array.type)
        total = found.get(array, 0) + moved * item_bytes(operand.type)
        found[array] = total if size is None else min(total, size)
    return sum(found.values())


def float_type(roots: Iterable[Any]) -> Literal["f32", "f64"]:
    """The wider type of the floating-point operations in them."""
    kinds = [str(v.type) for root in roots for op in walk(root) for v in op.results if flops(op)]
    return "f32" if kinds and not any("f64" in kind for kind in kinds) else "f64"


def copied(copy: Any) -> int | None:
    """The bytes that a copy reads and writes."""
    size = buffer_size(copy.operands[0].type)
    return None if size is None else 2 * size


def buffer_size(kind: Any) -> int | None:
    """The bytes of a buffer of this type; None where they are known at run time only."""
    shape = tuple(_size(kind, axis) for axis in range(kind.rank))
    elements = points(shape)
    return None if elements is None else elements * item_bytes(kind)


def vector_size(kind: Any) -> int:
    """The bytes of a vector."""
    return _lanes(kind) * item_bytes(kind)


def flops_inside(operation: Any) -> int | None:
    """The floating-point operations of an operation with all that is in it; None where unknown."""
    if operation.name == "linalg.generic":
        every = points(dimension_sizes(operation))
        return None if every is None else every * flops_of_body(operation)
    count = iterations(operation) if operation.name == "scf.for" else 1
    if count is None or operation.name == "scf.while":
        return None
    total = flops(operation)
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                amount = flops_inside(inner.operation)
                if amount is None:
                    return None
                total += amount
    return total * count


def flops(operation: Any) -> int:
    """The floating-point operations of one operation, without what is in it."""
    if operation.name in _FLOPS:
        return _FLOPS[operation.name] * _lanes(operation.results[0].type)
    if operation.name == "vector.fma":
        return 2 * _lanes(operation.results[0].type)
    if operation.name.startswith("math.") and len(operation.operands) <= 2:
        kinds = [str(getattr(v.type, "element_type", v.type)) for v in operation.operands]
        return _of_function(operation.name, tuple(kinds)) * _lanes(operation.results[0].type)
    return 0


def _lanes(kind: Any) -> int:
    return prod(kind.shape) if str(kind).startswith("vector") else 1


@cache
def _of_function(name: str, kinds: tuple[str, ...]) -> int:
    """The floating-point operations of an elementary function: those of its lowering."""
    parameters = ", ".join(f"%x{i}: {kind}" for i, kind in enumerate(kinds))
    names = ", ".join(f"%x{i}" for i in range(len(kinds)))
    types = kinds[0] if len(set(kinds)) == 1 else ", ".join(kinds)
    # the library's own functions may call each other outside of loops, too
    text = f"func.func @agir.probe({parameters}) -> {kinds[0]} {{ %r = {name} {names} : {types} "
    with bindings.context(), bindings.ir.Location.unknown():
        try:
            module = bindings.ir.Module.parse(text + f"return %r : {kinds[0]} }}")
        except bindings.ir.MLIRError:
            return 1
        call_library(module)
        functions = symbols(module)
        bodies = [f for name, f in functions.items() if "slow" not in name and "large" not in name]
        return max(1, sum(_FLOPS.get(op.name, 0) for f in bodies for op in walk(f)))


def _maps(generic: Any) -> list[Any]:
    return [attribute.value for attribute in generic.attributes["indexing_maps"]]


def _size(kind: Any, axis: int) -> int | None:
    return None if kind.is_dynamic_dim(axis) else int(kind.get_dim_size(axis))
