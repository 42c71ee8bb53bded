"""Why a kernel that takes what another one has computed is not one with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.backends.cpu.contractions.memory import Memory
from agir.backends.cpu.explaining.program import LOOPS, Origin, sources
from agir.backends.cpu.explaining.report import Unfused
from agir.backends.cpu.passes.analysis.generic_operations import reduced_axes
from agir.backends.mlir.graph import Graph

_KERNEL = "linalg.generic"
_READS = ("memref.load", "memref.copy", "func.return", "func.call", "scf.yield", "tensor.extract")


def unfused(module: Any, origin: Origin) -> list[Unfused]:
    """The pairs of kernels, each a row of its own, of which one takes what the other gives."""
    graph = Graph(module)
    memory = Memory(graph)
    return [
        Unfused(sources([first]), sources([second]), _reason(first, second, value, graph, memory))
        for first, second, value in _pairs(graph, memory, origin)
    ]


def _pairs(graph: Graph, memory: Memory, origin: Origin) -> Iterator[tuple[Any, Any, Any]]:
    """For each kernel those before it that have last written to what it reads, and the operand."""
    last: dict[Any, Any] = {}
    for kernel in graph.find(_KERNEL):
        if not _is_row(kernel, origin):
            continue
        outputs = {memory.root(each) for each in _outputs(kernel)}
        taken = {last.get(memory.root(value)): value for value in reversed(_inputs(kernel))}
        for first, value in taken.items():
            if first is not None:
                yield first, kernel, value
        last.update(dict.fromkeys(outputs, kernel))


def _is_row(kernel: Any, origin: Origin) -> bool:
    """Whether it is in a function of the user's, and in none but the user's loops."""
    around = kernel.parent
    while around is not None and around.name != "func.func":
        if around.name in LOOPS and not origin.has(around):
            return False
        around = around.parent
    return around is not None and around.attributes["sym_name"].value in origin.functions


def _count(kernel: Any) -> int:
    """How many operands are inputs."""
    return int(kernel.attributes["operandSegmentSizes"][0])


def _inputs(kernel: Any) -> list[Any]:
    return [*kernel.operands][: _count(kernel)]


def _outputs(kernel: Any) -> list[Any]:
    return [*kernel.operands][_count(kernel) :]


def _reason(first: Any, second: Any, value: Any, graph: Graph, memory: Memory) -> str:
    root = memory.root(value)
    if first.parent != second.parent or first.block != second.block:
        return "one of them is in a loop or branch, and the other is not in that"
    if reduced_axes(first):
        return "a reduction is complete only after its last element"
    if not _at_the_same_points(first, second, value, memory):
        return "it takes other elements than those at the point that is computed"
    uses = [use for use in _uses(root, graph, memory) if use not in (first, second)]
    if any(use.name == _KERNEL for use in uses):
        return "others take it, too, and would have to compute it again"
    if uses:
        return "it is needed as an array, too"
    return "what lies between them, or their sizes, stand in the way"


def _at_the_same_points(first: Any, second: Any, value: Any, memory: Memory) -> bool:
    """Whether an element is read where it is computed: the same view, by the same subscripts."""
    root = memory.root(value)
    written = {
        (each, _subscripts(first, _count(first) + place))
        for place, each in enumerate(_outputs(first))
        if memory.root(each) == root
    }
    place = _inputs(second).index(value)
    return (value, _subscripts(second, place)) in written


def _subscripts(kernel: Any, operand: int) -> str:
    return str(kernel.attributes["indexing_maps"][operand].value).partition("->")[2]


def _uses(root: Any, graph: Graph, memory: Memory) -> list[Any]:
    """The operations that need an array or a part of it."""
    return [
        each
        for each in graph.operations
        if each.name in (_KERNEL, *_READS)
        and any(str(v.type).startswith("memref") and memory.root(v) == root for v in each.operands)
    ]
