"""Short-lived buffers: off the heap where they are small, out of the loops in any case.

After deallocation every buffer that does not leave the function is freed at the end of the block
that allocates it, so its life is known exactly.  (Upstream's ``promote-buffers-to-stack`` puts the
stack allocation where the heap allocation was, and in a loop the stack then grows with each iteration.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any

from agir.backends.cpu.dependence.arrays import SCRATCH
from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.cpu.passes.analysis.hoisting import movable
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import op
from agir.ir.building import attributes, bindings

STACK_BYTES = 64 * 1024  # of one function
RECURSIVE_BYTES = 1024
"""Of one that calls itself: each iteration of the recursion takes its share of the stack."""

_LOOPS = frozenset({"scf.for", "scf.while"})
_OF_LENGTHS: Mapping[str, Callable[[list[int]], int]] = {
    "arith.minsi": min,
    "arith.maxsi": max,
    "arith.addi": sum,
    "arith.index_cast": max,
}
"""What bounds of lengths are made of, by the operations that lengths are."""
_DEEPEST = 6
"""So many operations after another are looked at."""
_ACCESSES = frozenset({"memref.load", "memref.copy"})
_BITS = {"index": 64, "bf16": 16, "complex<f32>": 64, "complex<f64>": 128}


def promote_short_lived_buffers(module: Any) -> None:
    """Move the buffers that die where they are made to the stack, or before the loops around."""
    graphs = {
        function.attributes["sym_name"].value: Graph(function) for function in functions(module)
    }
    called = {name: set(_called(graph)) for name, graph in graphs.items()}
    for function in functions(module):
        name = function.attributes["sym_name"].value
        graph = graphs[name]
        # each iteration of a recursion would take its share of the stack
        left = RECURSIVE_BYTES if name in _reached(name, called) else STACK_BYTES
        for allocation, release in _short_lived(graph):
            kind = _largest(allocation, graph)
            size = _static_size(kind)
            if size is not None and size <= left:
                left -= size
                _to_stack(function, allocation, kind, graph)
                release.erase()
            else:
                _out_of_loops(function, allocation, release, graph)


def promote_scalars_to_stack(module: Any) -> None:
    """Move buffers of one element that nothing hands on to the stack, from where LLVM takes them.

    This goes before deallocation, which would otherwise guard and pass on each of them.  What a
    reduction adds up in is such a buffer, and in a register LLVM can make a vector of it.
    """
    for function in functions(module):
        graph = Graph(function)
        for allocation in graph.find("memref.alloc"):
            kind = allocation.results[0].type
            if not kind.shape and all(map(_stays, graph.uses(allocation.results[0]))):
                _to_stack(function, allocation, kind, graph)


def _stays(use: Any) -> bool:
    """Whether a user of a buffer only reads or writes its elements."""
    name = use.user.name
    if name == "memref.store":
        return bool(use.position == 1)
    return name in _ACCESSES or (name.startswith("linalg.") and not use.user.results)


def _short_lived(graph: Graph) -> Iterator[tuple[Any, Any]]:
    for allocation in graph.find("memref.alloc"):
        for user, _ in graph.uses(allocation.results[0]):
            if user.name == "memref.dealloc" and user.block == allocation.block:
                yield allocation, user
                break


def _reached(name: str, called: Mapping[str, set[str]]) -> set[str]:
    """The functions that one calls, and those that these call."""
    found: set[str] = set()
    waiting = list(called[name])
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += called.get(each, ())
    return found


def _called(graph: Graph) -> Iterator[str]:
    for call in graph.find("func.call"):
        yield bindings.ir.FlatSymbolRefAttr(call.attributes["callee"]).value


def _static_size(kind: Any) -> int | None:
    if not kind.has_static_shape:
        return None
    name = str(kind.element_type)
    bits = _BITS.get(name) or max(8, int("".join(filter(str.isdigit, name))))
    return int(prod(kind.shape)) * bits // 8


def _largest(allocation: Any, graph: Graph) -> Any:
    """The type of a buffer that has room for all that an allocation can be asked for.

    That is its own type, unless it is one row whose length has a bound.  A type without elements would
    have parts taken where control does not get be mistakes for MLIR.
    """
    kind = allocation.results[0].type
    if kind.rank != 1 or kind.has_static_shape:
        return kind
    most = _most(allocation.operands[0], graph)
    return kind if not most else bindings.ir.MemRefType.get([most], kind.element_type)


def _most(length: Any, graph: Graph, depth: int = 0) -> int | None:
    """What a length is never more than; None where that is not known."""
    number = graph.number(length)
    if number is not None:
        return number if number >= 0 else None
    source = graph.producer(length)
    if source is None or source.name not in _OF_LENGTHS or depth == _DEEPEST:
        return None
    found = [_most(each, graph, depth + 1) for each in source.operands]
    known = [each for each in found if each is not None]
    if source.name == "arith.minsi":
        return min(known, default=None)
    return _OF_LENGTHS[source.name](known) if len(known) == len(source.operands) else None


def _to_stack(function: Any, allocation: Any, kind: Any, graph: Graph) -> None:
    ir = bindings.ir
    attributes = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])}
    for name in ("alignment", SCRATCH):
        if name in allocation.attributes:
            attributes[name] = allocation.attributes[name]
    with ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0]), allocation.location:
        stack = ir.Operation.create("memref.alloca", results=[kind], attributes=attributes)
    buffer = stack.results[0]
    if kind != allocation.results[0].type:
        with ir.InsertionPoint(allocation), allocation.location:
            buffer = _beginning(buffer, allocation)
    allocation.results[0].replace_all_uses_with(buffer)
    graph.forget(allocation)
    allocation.erase()


def _beginning(buffer: Any, allocation: Any) -> Any:
    """As many elements of a row as an allocation asks for."""
    ir = bindings.ir
    unknown = ir.ShapedType.get_dynamic_size()
    wanted = allocation.results[0].type
    part = ir.MemRefType.get([unknown], wanted.element_type, ir.StridedLayoutAttr.get(0, [1]))
    operands, found = attributes.slicing([buffer], [0], list(allocation.operands))
    return op("memref.cast", wanted, op("memref.subview", part, *operands, **found))


def _out_of_loops(function: Any, allocation: Any, release: Any, graph: Graph) -> None:
    target, needed = None, []
    around = allocation.parent
    while around != function:
        moved = movable(allocation.operands, around, graph)
        if moved is None:
            break
        if around.name in _LOOPS:
            target, needed = around, moved
        around = around.parent
    if target is not None:
        for operation in (*needed, allocation):
            operation.move_before(target)
        release.move_after(target)
