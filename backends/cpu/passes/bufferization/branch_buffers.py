"""Inside loops, which buffer a branch gives is selected, and allocated before the branch.

Bufferization has each of two branches give a buffer of its own, and types that know nothing of the
layout where one of them was allocated there and the other was not.  Who frees such a buffer is found
out in each iteration.  A buffer that is there before the branch is freed like any other, or is
taken out of the loop, and that the branch may not need it costs next to nothing.

What a list grows into stays in its branch: it would be allocated in each iteration, as large as the
list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agir.backends.cpu.dependence.arrays import SELECT
from agir.backends.cpu.passes.analysis.hoisting import movable
from agir.backends.cpu.passes.analysis.memory_uses import is_buffer
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import cast, op
from agir.ir.building import bindings

_LOOPS = ("scf.for", "scf.while")
_CAST = "memref.cast"


def select_buffers(branch: Any, graph: Producers) -> bool:
    """Replace the buffers that a branch in a loop gives by selections; tells whether it did.

    The graph is told of what is made and erased.
    """
    return bool(branch.results) and bool(_loop_around(branch)) and _replace(branch, graph)


def _loop_around(operation: Any) -> Any | None:
    around = operation.parent
    while around is not None and around.name not in _LOOPS:
        around = around.parent
    return around


def _replace(branch: Any, graph: Producers) -> bool:
    ends = graph.ends(branch)
    given: dict[int, list[Any]] = {}
    needed: list[Any] = []
    for position, result in enumerate(branch.results):
        values = [_without_cast(end.operands[position], graph) for end in ends]
        can = is_buffer(result) and not _grows(values, branch, graph)
        moved = movable(values, branch, graph, allocations=True) if can else None
        if moved is not None:
            given[position] = values
            needed += moved
    if not given:
        return False
    for operation in dict.fromkeys(needed):
        operation.move_before(branch)
    _share(list(given.values()), needed, graph)
    made = _with_fewer_results(branch, given, ends, graph)
    ir = bindings.ir
    with ir.InsertionPoint.after(made), branch.location:
        for position, values in given.items():
            old = branch.results[position]
            kind = _common_type(values[0].type, values[1].type) or old.type
            new, other = (_cast(value, kind, graph) for value in values)
            if values[0] != values[1]:
                new = op(SELECT, kind, branch.operands[0], new, other)
                graph.add(new.owner)
            old.replace_all_uses_with(_cast(new, old.type, graph))
    graph.forget(branch)
    branch.erase()
    return True


def _cast(value: Any, kind: Any, graph: Producers) -> Any:
    """A buffer as one of another type, where it is not one."""
    if value.type == kind:
        return value
    made = cast(value, kind, _CAST)
    graph.add(made.owner)
    return made


def _grows(values: Sequence[Any], branch: Any, graph: Producers) -> bool:
    """Whether one buffer is new, and of a size that follows from what the loop carries."""
    makers = [graph.producer(value, "memref.alloc") for value in values]
    made = [
        each for each in makers if each is not None and graph.is_inside(each.results[0], branch)
    ]
    return len(made) == 1 and _changes(made[0].operands, _loop_around(branch), graph)


def _changes(sizes: Iterable[Any], loop: Any, graph: Producers) -> bool:
    """Whether a size is computed from that of an array which is another one in each iteration."""
    waiting = [graph.producer(size, "arith.") for size in sizes]
    seen: set[Any] = set()
    while waiting:
        source = waiting.pop()
        if source is None or source in seen:
            continue
        seen.add(source)
        if source.name == "memref.dim" and graph.is_inside(source.operands[0], loop):
            return True
        if source.name.startswith("arith."):
            waiting += map(graph.producer, source.operands)
    return False


def _share(given: Sequence[list[Any]], moved: Sequence[Any], graph: Producers) -> None:
    """Let both branches use one allocation where each has made one of its own."""
    used: set[Any] = set()
    spared: list[Any] = []
    for one, other in map(tuple, given):
        makers = graph.producer(one, "memref.alloc"), graph.producer(other, "memref.alloc")
        if used.isdisjoint((one, other)) and _are_alike(*makers, moved):
            used.update((one, other))
            other.replace_all_uses_with(one)
            for values in given:
                values[:] = [one if value == other else value for value in values]
            spared.append(makers[1])
    for allocation in spared:
        graph.forget(allocation)
        allocation.erase()


def _are_alike(one: Any, other: Any, moved: Sequence[Any]) -> bool:
    """Whether two allocations, each made in a branch, are of the same size."""
    return (
        one is not None
        and other is not None
        and one != other
        and one in moved
        and other in moved
        and one.results[0].type == other.results[0].type
        and list(one.operands) == list(other.operands)
    )


def _without_cast(value: Any, graph: Producers) -> Any:
    source = graph.producer(value, _CAST)
    return value if source is None else source.operands[0]


def _common_type(one: Any, other: Any) -> Any:
    """The type that knows of the layout what both types know."""
    ir = bindings.ir
    if one == other:
        return one
    if one.shape != other.shape or one.memory_space != other.memory_space:
        return None
    (strides, offset), (others, other_offset) = (
        kind.get_strides_and_offset() for kind in (one, other)
    )
    unknown = ir.ShapedType.get_dynamic_stride_or_offset()
    layout = ir.StridedLayoutAttr.get(
        offset if offset == other_offset else unknown,
        [a if a == b else unknown for a, b in zip(strides, others, strict=True)],
    )
    return ir.MemRefType.get(one.shape, one.element_type, layout, one.memory_space)


def _with_fewer_results(
    branch: Any, gone: dict[int, Any], ends: Sequence[Any], graph: Producers
) -> Any:
    ir = bindings.ir
    kept = [n for n in range(len(branch.results)) if n not in gone]
    with ir.InsertionPoint(branch), branch.location:
        made = ir.Operation.create(
            "scf.if",
            results=[branch.results[n].type for n in kept],
            operands=list(branch.operands),
            attributes=dict(branch.attributes.items()),
            regions=len(branch.regions),
        )
    for old, new in zip(branch.regions, made.regions, strict=True):
        old.blocks[0].append_to(new)
    for end in ends:
        with ir.InsertionPoint(end), end.location:
            graph.add(ir.Operation.create("scf.yield", operands=[end.operands[n] for n in kept]))
        end.erase()
    graph.add(made)
    for n, result in zip(kept, made.results, strict=True):
        branch.results[n].replace_all_uses_with(result)
    return made
