"""What is read of an array that is kept elsewhere before it is written to is read from there.

``kept[t] = u; ...; u[1:-1] = f(u[2:], u[:-2])``: while ``u`` itself is read, what is computed of it
cannot be written to it at once.  The copy in ``kept`` has the same elements.  Folding would undo
this, so bufferization has to come next.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph, Use
from agir.ir.building import bindings

_WRITES = {"tensor.insert_slice": 1, "tensor.insert": 1, "scf.for": 3, "scf.while": 0}
"""The first operand that may be an array that is written to."""
_READS = ("tensor.extract_slice", "tensor.extract")
_SLICE = ("static_offsets", "static_sizes", "static_strides")


def forward_kept_copies(module: Any) -> None:
    """Let reads of an array that is written to as well read a copy that is made of it anyway."""
    graph = Graph(module)
    for insert in graph.find("tensor.insert_slice"):
        source, target = list(insert.operands)[:2]
        uses = [use for use in graph.uses(source) if use.user != insert]
        reads = [use for use in uses if _is_read(use, graph)]
        if (
            reads
            and any(map(_is_write, uses))
            and _block_of(source, graph) == insert.block
            and len(graph.uses(target)) == 1
        ):
            _move_up(insert, graph)
            _read_copy(insert, [use for use in reads if _comes_after(use.user, insert)])


def _is_read(use: Use, graph: Graph) -> bool:
    """Whether nothing but elements of an array is asked for, and not a place to write to."""
    if use.user.name not in _READS:
        return False
    return not any(map(_is_write, graph.uses(use.user.results[0])))


def _is_write(use: Use) -> bool:
    if use.user.name.startswith("linalg."):
        return bool(use.position >= len(use.user.operands) - len(use.user.results))
    return use.position >= _WRITES.get(use.user.name, len(use.user.operands))


def _block_of(value: Any, graph: Graph) -> Any:
    source = graph.producer(value)
    return value.owner if source is None else source.block


def _move_up(insert: Any, graph: Graph) -> None:
    """Let an operation stand right behind the last one of its block that it needs."""
    needed = [graph.producer(value) for value in insert.operands]
    last = None
    for each in needed:
        is_here = each is not None and each.block == insert.block
        if is_here and (last is None or last.is_before_in_block(each)):
            last = each
    if last is not None:
        insert.move_after(last)
        return
    first = insert.block.operations[0].operation
    if first != insert:
        insert.move_before(first)


def _comes_after(read: Any, insert: Any) -> bool:
    while read.block != insert.block:
        read = read.parent
    return bool(insert.is_before_in_block(read))


def _read_copy(insert: Any, reads: list[Use]) -> None:
    ir = bindings.ir
    source, _, *numbers = insert.operands
    segments = list(ir.DenseI32ArrayAttr(insert.attributes["operandSegmentSizes"]))
    found = {name: insert.attributes[name] for name in _SLICE}
    found["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, *segments[2:]])
    with ir.InsertionPoint(insert), insert.location:
        made = ir.Operation.create(
            "tensor.extract_slice",
            results=[source.type],
            operands=[insert.results[0], *numbers],
            attributes=found,
        )
    made.move_after(insert)
    for use in reads:
        use.user.operands[use.position] = made.results[0]
