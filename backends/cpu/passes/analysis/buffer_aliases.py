"""Which arrays' memory a tensor may lie in once it has a buffer.

Loops pass buffers to the next iteration without copies, also in other positions than before: after
``for ...: u, v = v, u`` either may be what the other was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings

_FRESH = ("arith.constant", "bufferization.alloc_tensor", "tensor.empty", "tensor.from_elements",
          "tensor.generate", "tensor.splat")  # fmt: skip
_DESTINATION = {"tensor.insert": 1, "tensor.insert_slice": 1}
"""The operand that an operation writes into."""


def hands_round(loop: Any, graph: Graph) -> bool:
    """Whether an array that a loop carries may lie where another one of them has lain before."""
    carried = _carried(loop)
    return any(
        other != own and other.type == own.type
        for number, own in enumerate(carried)
        for end in _ends(loop, number, graph)
        for other in sources(end, graph, carried).intersection(carried)
    )


def sources(value: Any, graph: Graph, stop: Sequence[Any] = ()) -> set[Any]:
    """The values that a tensor's buffer may be that of, itself included; none from before ``stop``."""
    found: set[Any] = set()
    wanted = [value]
    while wanted:
        each = wanted.pop()
        if each not in found and isinstance(each.type, bindings.ir.RankedTensorType):
            found.add(each)
            wanted += _before(each, graph) if each not in stop else ()
    return found


def showing(wanted: Iterable[Any], graph: Graph) -> set[Any]:
    """The tensors whose buffers may be those of some: all of which these are among the sources."""
    behind: defaultdict[Any, list[Any]] = defaultdict(list)
    for each in _tensors(graph):
        for source in _before(each, graph):
            behind[source].append(each)
    return set(reached(wanted, lambda value: behind.get(value, ())))


def _tensors(graph: Graph) -> Iterator[Any]:
    for operation in graph.operations:
        blocks = [b for region in operation.regions for b in region.blocks]
        values = [*operation.results, *(each for block in blocks for each in block.arguments)]
        yield from (v for v in values if isinstance(v.type, bindings.ir.RankedTensorType))


def _carried(loop: Any) -> list[Any]:
    arguments = list(loop.regions[0].blocks[0].arguments)
    return arguments[1:] if loop.name == "scf.for" else arguments


def _before(value: Any, graph: Graph) -> Iterable[Any]:
    ir = bindings.ir
    if isinstance(value.owner, ir.Block):
        return _of_argument(value, graph)
    operation = graph.producer(value)
    if operation is None or operation.name in _FRESH:
        return ()
    number = list(operation.results).index(value)
    if operation.name.startswith("scf."):
        return _of_region_result(operation, number, graph)
    if operation.name == "bufferization.to_tensor":
        seen = graph.producer(operation.operands[0], "bufferization.to_buffer")
        return () if seen is None else [seen.operands[0]]
    if operation.name in _DESTINATION:
        return [operation.operands[_DESTINATION[operation.name]]]
    if not operation.name.startswith("linalg."):
        return list(operation.operands)
    first = len(operation.operands) - len(operation.results)
    read = list(operation.operands)[:first]
    # it may be made where an operand of its lies that is not needed any more
    return [operation.operands[first + number], *(v for v in read if not _is_yielded(v, graph))]


def _is_yielded(value: Any, graph: Graph) -> bool:
    return any(user.name in ("scf.yield", "scf.condition") for user, _ in graph.uses(value))


def _of_argument(value: Any, graph: Graph) -> list[Any]:
    """What comes into a loop, or back into it, as an argument of one of its blocks."""
    operation = value.owner.owner
    if operation.name not in ("scf.for", "scf.while"):
        return []
    if operation.name == "scf.for":
        number = value.arg_number - 1
        return (
            [] if number < 0 else [operation.operands[3 + number], *_ends(operation, number, graph)]
        )
    if value.owner == operation.regions[0].blocks[0]:
        return [operation.operands[value.arg_number], *_ends(operation, value.arg_number, graph)]
    return _conditions(operation, value.arg_number, graph)


def _of_region_result(operation: Any, number: int, graph: Graph) -> list[Any]:
    if operation.name == "scf.while":
        return _conditions(operation, number, graph)
    first = [operation.operands[3 + number]] if operation.name == "scf.for" else []
    return [*first, *_ends(operation, number, graph)]


def _ends(operation: Any, number: int, graph: Graph) -> list[Any]:
    ends = [each for each in graph.ends(operation) if each.name == "scf.yield"]
    return [each.operands[number] for each in ends]


def _conditions(operation: Any, number: int, graph: Graph) -> list[Any]:
    ends = [each for each in graph.ends(operation) if each.name == "scf.condition"]
    return [each.operands[1 + number] for each in ends]
