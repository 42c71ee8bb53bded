"""Two loops that scatter by the same numbers become one, which computes the places once.

``h[idx[i]] += 1`` for all i, then ``t[idx[i]] += w[i]``, as two histograms of the same data do.
LLVM can vectorise neither, so nothing is lost; what both loops read and compute is then done once.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.modules import children, find, walk
from agir.backends.mlir.passes import apply
from agir.ir.building import bindings

_PURE = ("arith", "math", "complex", "tensor", "linalg", "affine", "index", "ub")
_CONTROL = frozenset({"scf.for", "scf.if", "scf.yield"})
_READS = ("tensor.extract", "tensor.extract_slice")


def fuse_scatter_loops(module: Any) -> None:
    """Fuse loops of one block over the same range that write to computed places."""
    while any(_fuse_first(loops) for loops in _by_range(module)):
        apply(module, "cse")  # what they share, the bounds of inner loops among it


def _by_range(module: Any) -> list[list[Any]]:
    """The loops of each block that have the same bounds."""
    found: dict[Any, list[Any]] = {}
    for loop in find(module, "scf.for"):
        found.setdefault((loop.block, *list(loop.operands)[:3]), []).append(loop)
    return [loops for loops in found.values() if len(loops) > 1]


def _fuse_first(loops: list[Any]) -> bool:
    """Fuse the first two of the loops, which stand one after the other, that fit."""
    scattering = [loop for loop in loops if _scatters(loop)]
    return any(
        _fuse(first, second)
        for position, first in enumerate(scattering)
        for second in scattering[position + 1 :]
    )


def _scatters(loop: Any) -> bool:
    """Whether the loop only computes, and writes elements to places that it reads from arrays."""
    inner = Producers(loop)
    for operation in inner.operations[1:]:
        if operation.name not in _CONTROL and operation.name.partition(".")[0] not in _PURE:
            return False
    return any(
        any(_is_read(index, inner) for index in list(write.operands)[2:])
        for write in inner.find("tensor.insert")
    )


def _is_read(value: Any, graph: Producers) -> bool:
    """Whether a value depends on an element of an array."""
    pending, seen = [value], set()
    while pending:
        source = graph.producer(pending.pop())
        if source is None or source in seen:
            continue
        if source.name == "tensor.extract":
            return True
        seen.add(source)
        pending += source.operands
        if source.name == "scf.if":
            pending += [v for each in walk(source) for v in each.operands]
    return False


def _fuse(first: Any, second: Any) -> bool:
    """One loop for two, if the second does not need the first and both read the same array."""
    if not _arrays_read(first) & _arrays_read(second):
        return False
    needed = _needed_between(first, second)
    if needed is None:
        return False
    for operation in needed:
        operation.move_before(first)
    _join(first, second)
    return True


def _arrays_read(loop: Any) -> set[Any]:
    """The arrays from around a loop that are read inside of it."""
    inner = Producers(loop)
    arrays = {read.operands[0] for read in inner.find(*_READS)}
    return {array for array in arrays if not inner.is_inside(array, loop)}


def _needed_between(first: Any, second: Any) -> list[Any] | None:
    """The operations between two loops that the second needs, in order.

    None where they depend on the first one, or have effects.
    """
    block = [each for each in children(first.parent) if each.block == first.block]
    between = block[block.index(first) + 1 : block.index(second)]
    wanted = set(_taken(second))
    needed: list[Any] = []
    for operation in reversed(between):
        if not wanted.isdisjoint(operation.results):
            parts = walk(operation)
            if any(p.name not in _CONTROL and p.name.partition(".")[0] not in _PURE for p in parts):
                return None
            needed.append(operation)
            wanted |= set(_taken(operation))
    return None if not wanted.isdisjoint(first.results) else needed[::-1]


def _taken(operation: Any) -> list[Any]:
    return [value for each in walk(operation) for value in each.operands]


def _join(first: Any, second: Any) -> None:
    """Put a loop that does what the two do, in their turn, in the place of the first one."""
    ir = bindings.ir
    loops = (first, second)
    bounds = list(first.operands)[:3]
    initial = [value for loop in loops for value in list(loop.operands)[3:]]
    with ir.InsertionPoint(first), first.location:
        joined = ir.Operation.create(
            "scf.for", results=[v.type for v in initial], operands=[*bounds, *initial], regions=1
        )
    types = [bounds[0].type, *(value.type for value in initial)]
    block = joined.regions[0].blocks.append(*types, arg_locs=[first.location] * len(types))
    counter, *carried = block.arguments
    results = list(joined.results)
    handed: list[Any] = []
    for loop in loops:
        count = len(loop.results)
        own = [counter, *carried[len(handed) : len(handed) + count]]
        for old, new in zip(loop.regions[0].blocks[0].arguments, own, strict=True):
            old.replace_all_uses_with(new)
        for old, new in zip(loop.results, results[len(handed) :], strict=False):
            old.replace_all_uses_with(new)
        *inside, leave = children(loop)
        for operation in inside:
            block.append(operation)
        handed += leave.operands
    with ir.InsertionPoint(block), first.location:
        ir.Operation.create("scf.yield", operands=handed)
    for loop in loops:
        loop.erase()
