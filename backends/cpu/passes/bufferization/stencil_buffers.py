"""A stencil writes beside the array that it reads, where the two can change places in each iteration.

``u[1:-1] = f(u)`` needs the old elements around each new one, so the new ones would go to other
memory first and then be copied.  But if each iteration of a loop writes the same part of the array, and
nothing else changes, then another array that has begun as a copy of the first has the rest right for
good: the loop writes the part there, reads the first, and exchanges them.  Where the new elements go
to a third array anyway (``v[1:-1] = f(u)``, ``u[1:-1] = v[1:-1]``), it needs no further one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.hoisting import movable
from agir.backends.cpu.passes.analysis.loop_carried import LOOPS, Slot, end_of, slots_of
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import copied_tensor
from agir.backends.mlir.modules import in_block, walk
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings
from agir.records import dataclass

_WRITES = ("tensor.insert_slice", "tensor.insert")
_NUMBERS = ("static_offsets", "static_sizes", "static_strides")


def double_buffer_stencils(module: Any) -> None:
    """Give loops another array for each one of which they write a part from the rest."""
    graph = Graph(module)
    for loop in graph.find(*LOOPS):
        slots = list(slots_of(loop, graph, _is_array))
        found = [_Stencil(slot, writes) for slot in slots if (writes := _writes(loop, slot, graph))]
        wanted = [each for each in found if each.is_one(graph)]
        if wanted:
            _add(loop, wanted, graph)
            graph = Graph(module)


@dataclass(frozen=True)
class _Stencil:
    """A slot of a loop, and the writes that make of its array the next one."""

    slot: Slot
    writes: Sequence[Any]

    def is_one(self, graph: Graph) -> bool:
        """Whether the loop computes most of its own array from what is around, and only for it."""
        if not _is_own(self.slot.start, graph):
            return False
        readers = {
            in_block(use.user, self.writes[0].block)
            for use in graph.uses(self.slot.argument)
            if use.user != self.writes[0] and _reads_around(use.user, self.writes)
        }
        return any(
            _is_most(write) and _is_only_for(write, graph) and _is_from(write, readers, graph)
            for write in self.writes
        )


def _is_array(value: Any) -> bool:
    return isinstance(value.type, bindings.ir.RankedTensorType) and value.type.rank > 0


def _is_own(start: Any, graph: Graph) -> bool:
    """Whether a loop may begin with memory that nobody looks at later.

    The memory of the caller, and that of a loop around, has to hold the result in the end.
    """

    def before(value: Any) -> list[Any]:
        source = graph.producer(value)
        is_made_of = source is not None and source.name in (*LOOPS, *_WRITES)
        return [v for v in source.operands if v.type == value.type] if is_made_of else []  # type: ignore[union-attr]

    return all(_begins_own(each, graph) for each in reached([start], before))


def _begins_own(value: Any, graph: Graph) -> bool:
    """The same of an array, whatever it may be made of."""
    source = graph.producer(value)
    if source is None:
        return bool(value.owner.owner.operation.name == "func.func")
    return bool(source.name != "bufferization.to_tensor")


def _writes(loop: Any, slot: Slot, graph: Graph) -> list[Any]:
    """The writes that make of an array the next one, if they are the same ones in each iteration."""
    found: list[Any] = []
    value = slot.following
    body = end_of(loop, "scf.yield", graph).block
    while value != slot.argument:
        write = graph.producer(value)
        if write is None or write.name not in _WRITES or write.block != body:
            return []
        _, target, *numbers = write.operands
        if found and len(graph.uses(value)) > 1:
            return []  # somebody looks at it in between
        if movable(numbers, loop, graph) is None:
            return []
        found.insert(0, write)
        value = target
    return found


def _is_most(write: Any) -> bool:
    """Whether a write is to most of an array, as far as one can tell."""
    if write.name != "tensor.insert_slice":
        return False
    unknown = bindings.ir.ShapedType.get_dynamic_size()
    lengths = zip(write.attributes["static_sizes"], write.results[0].type.shape, strict=True)
    return all(
        size == unknown or (length != unknown and 2 * size > length) for size, length in lengths
    )


def _reads_around(user: Any, writes: Sequence[Any]) -> bool:
    """Whether an operation reads other elements than those that are written."""
    if user.name == "tensor.extract_slice":
        return not any(_is_same_part(user, write) for write in writes)
    holder = user.parent
    while user.name == "tensor.extract" and holder is not None:
        if holder.name.startswith("linalg."):
            return True
        holder = holder.parent
    return False


def _is_only_for(write: Any, graph: Graph) -> bool:
    """Whether no other write has what one writes."""
    users = (use.user for use in graph.uses(write.operands[0]))
    return all(user == write or user.name not in _WRITES for user in users)


def _is_from(write: Any, readers: Collection[Any], graph: Graph) -> bool:
    """Whether what is written is computed from what some operations read, without other writes."""
    seen: set[Any] = set()
    values = [write.operands[0]]
    while values:
        source = graph.producer(values.pop())
        if source is None or source.block != write.block or source in seen:
            continue
        if source in readers:
            return True
        seen.add(source)
        if source.name not in _WRITES:
            values += (value for each in walk(source) for value in each.operands)
    return False


def _is_same_part(read: Any, write: Any) -> bool:
    return (
        write.name == "tensor.insert_slice"
        and list(read.operands)[1:] == list(write.operands)[2:]
        and all(read.attributes[name] == write.attributes[name] for name in _NUMBERS)
    )


def _add(loop: Any, stencils: Sequence[_Stencil], graph: Graph) -> None:
    """Let a loop carry the other array of each stencil."""
    ir = bindings.ir
    ends = [end for end in graph.find("scf.condition", "scf.yield") if end.parent == loop]
    numbers = [n for each in stencils for write in each.writes for n in write.operands[2:]]
    for operation in movable(numbers, loop, graph) or ():
        operation.move_before(loop)
    with ir.InsertionPoint(loop), loop.location:
        starts = [copied_tensor(each.slot.start) for each in stencils]
        made = ir.Operation.create(
            loop.name,
            results=[value.type for value in (*loop.results, *starts)],
            operands=[*loop.operands, *starts],
            attributes=dict(loop.attributes.items()),
            regions=len(loop.regions),
        )
    for old, new, end in zip(loop.regions, made.regions, ends, strict=True):
        block = old.blocks[0]
        block.append_to(new)
        others = [block.add_argument(start.type, loop.location) for start in starts]
        _end(end, others if end.name == "scf.condition" else [s.slot.argument for s in stencils])
    for each, other in zip(stencils, others, strict=True):
        each.writes[0].operands[1] = other
    for old, new in zip(loop.results, made.results, strict=False):
        old.replace_all_uses_with(new)
    loop.erase()


def _end(end: Any, further: Sequence[Any]) -> None:
    """Let a block hand on further values."""
    ir = bindings.ir
    with ir.InsertionPoint(end), end.location:
        ir.Operation.create(end.name, operands=[*end.operands, *further])
    end.erase()
