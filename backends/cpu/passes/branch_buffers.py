"""Inside loops, which buffer a branch gives is selected, and allocated before the branch.

Bufferization has each of two branches give a buffer of its own, and types that know nothing of the
layout where one of them was allocated there and the other was not.  Who frees such a buffer is found
out in each turn.  A buffer that is there before the branch is freed like any other, or is
taken out of the loop, and that the branch may not need it costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.passes.memory_uses import SELECT, is_buffer
from agir.backends.mlir.graph import Graph
from agir.ir import bindings

_LOOPS = ("scf.for", "scf.while")
_CAST = "memref.cast"
_HARMLESS = frozenset({_CAST, "memref.alloc", "memref.dim", "memref.subview", "memref.transpose"})
_DIVISIONS = ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui")


def select_between_buffers(module: Any) -> None:
    """Replace buffers that branches in loops give by selections."""
    graph = Graph(module)
    changed = False
    for branch in reversed(graph.find("scf.if")):  # inner ones first
        if branch.results and _is_in_loop(branch):
            graph = Graph(module) if changed else graph
            changed = _replace(branch, graph)


def _is_in_loop(operation: Any) -> bool:
    around = operation.parent
    while around is not None and around.name not in _LOOPS:
        around = around.parent
    return around is not None


def _replace(branch: Any, graph: Graph) -> bool:
    ends = [end for end in graph.find("scf.yield") if end.parent == branch]
    given: dict[int, list[Any]] = {}
    needed: dict[Any, None] = {}
    for position, result in enumerate(branch.results):
        values = [_without_cast(end.operands[position], graph) for end in ends]
        if is_buffer(result) and all(_collect(value, branch, graph, needed) for value in values):
            given[position] = values
    if not given:
        return False
    for operation in needed:
        operation.move_before(branch)
    made = _with_fewer_results(branch, given, ends)
    ir = bindings.ir
    with ir.InsertionPoint.after(made), branch.location:
        for position, values in given.items():
            old = branch.results[position]
            kind = _common_type(values[0].type, values[1].type) or old.type
            operands = [branch.operands[0], *(_cast(value, kind) for value in values)]
            new = ir.Operation.create(SELECT, results=[kind], operands=operands).results[0]
            old.replace_all_uses_with(_cast(new, old.type))
    branch.erase()
    return True


def _without_cast(value: Any, graph: Graph) -> Any:
    source = graph.producer(value, _CAST)
    return value if source is None else source.operands[0]


def _collect(value: Any, branch: Any, graph: Graph, needed: dict[Any, None]) -> bool:
    """Whether a value can be there before a branch; collects what makes it."""
    if not graph.is_inside(value, branch):
        return True
    source = graph.producer(value)
    if source is None or source.parent != branch or not _is_harmless(source.name):
        return False
    if not all(_collect(operand, branch, graph, needed) for operand in source.operands):
        return False
    needed[source] = None
    return True


def _is_harmless(name: str) -> bool:
    """Whether an operation reads nothing, and can be executed where its result is not wanted."""
    return name in _HARMLESS or (name.startswith("arith.") and not name.endswith(_DIVISIONS))


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


def _cast(value: Any, kind: Any) -> Any:
    if value.type == kind:
        return value
    return bindings.ir.Operation.create(_CAST, results=[kind], operands=[value]).results[0]


def _with_fewer_results(branch: Any, gone: dict[int, Any], ends: Sequence[Any]) -> Any:
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
            ir.Operation.create("scf.yield", operands=[end.operands[n] for n in kept])
        end.erase()
    for n, result in zip(kept, made.results, strict=True):
        branch.results[n].replace_all_uses_with(result)
    return made
