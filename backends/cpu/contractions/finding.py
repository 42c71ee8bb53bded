"""Finding contractions among operations on buffers, their zero fills and their epilogues."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from agir.backends.cpu.contractions import bodies, reading
from agir.backends.cpu.contractions.memory import Memory, is_buffer
from agir.backends.cpu.contractions.reading import Operand
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings
from agir.records import dataclass

NAMES = ("linalg.contract", "linalg.generic")


@dataclass
class Contraction:
    """Sums of products over some loops: an operation, and the fill that its output begins with."""

    operation: Any
    operands: list[Operand]
    fill: Any = None

    @property
    def output(self) -> Any:
        """The buffer of the sums."""
        return self.operands[-1].buffer

    @property
    def inputs(self) -> list[Any]:
        """The buffers that are read, but for the output."""
        return [operand.buffer for operand in self.operands[:-1]]


@dataclass
class Group:
    """What becomes one kernel: contractions, and an elementwise operation on their outputs."""

    contractions: list[Contraction]
    epilogue: Any = None
    operands: list[Operand] = field(default_factory=list)

    @property
    def last(self) -> Any:
        """The operation in whose place the kernel is."""
        return self.epilogue or self.contractions[-1].operation


def groups(graph: Graph) -> list[Group]:
    """The contractions, each with those that share its epilogue."""
    memory = Memory(graph)
    found: dict[Any, Contraction] = {}
    for operation in graph.find(*NAMES):
        contraction = _contraction(operation)
        if contraction is not None:
            contraction.fill = _fill(contraction, memory)
            found[operation] = contraction
    made: dict[Any, Group] = {}
    for contraction in found.values():
        epilogue = _epilogue(contraction, memory)
        if epilogue is None or epilogue in found:
            made[contraction.operation] = Group([contraction])
        else:
            made.setdefault(epilogue, Group([], epilogue)).contractions.append(contraction)
    return [each for group in made.values() for each in _checked(group, memory)]


def _has_one_output(operation: Any) -> bool:
    """Whether an operation computes one array, as a kernel does."""
    sizes = bindings.ir.DenseI32ArrayAttr(operation.attributes["operandSegmentSizes"])
    return bool(list(sizes)[-1] == 1)


def _contraction(operation: Any) -> Contraction | None:
    if (
        not _has_one_output(operation)
        or len(operation.operands) < 3
        or len(bodies.arguments(operation)) < 3
    ):
        return None
    given = reading.operands(operation)
    if given is None or given[-1].plain is None:
        return None
    kept = set(given[-1].plain)
    loops = {axis for each in given for linear, _ in each.results for axis in linear}
    rank = operation.attributes["indexing_maps"][0].value.n_dims
    if not kept or kept == loops or len(loops) != rank or not bodies.is_plain(operation):
        return None
    direct = {
        next(iter(linear))
        for each in given
        for linear, constant in each.results
        if list(linear.values()) == [1] and not constant
    }
    return Contraction(operation, given) if direct == loops else None


def _fill(contraction: Contraction, memory: Memory) -> Any:
    """The fill of the output that comes before the contraction, if that is all it is for."""
    output, operation = contraction.output, contraction.operation
    fills = [
        user
        for user, position in memory.graph.uses(output)
        if user.name == "linalg.fill"
        and position == 1
        and user.block == operation.block
        and user.is_before_in_block(operation)
    ]
    if not fills:
        return None
    fill = fills[-1]
    for other in memory.between(fill, operation):
        if not _ignores(other, output, memory):
            return None
    return fill


def _ignores(operation: Any, buffer: Any, memory: Memory) -> bool:
    """Whether an operation neither reads nor writes a buffer."""
    if operation.name in ("memref.dim", "memref.alloc", "memref.alloca"):
        return True
    if not memory.leaves_alone(operation, [buffer]):
        return False
    inner = walk(operation)
    values = {value for each in inner for value in each.operands if is_buffer(value)}
    return all(memory.apart(value, buffer) for value in values)


def _epilogue(contraction: Contraction, memory: Memory) -> Any:
    """The one elementwise operation that reads the output, if nothing else does."""
    if contraction.fill is None or memory.allocation(contraction.output) is None:
        return None
    own = (contraction.operation, contraction.fill)
    readers = [
        user
        for user, position in memory.graph.uses(contraction.output)
        if user not in own and user.name == "linalg.generic" and position < len(user.operands) - 1
    ]
    if len(readers) != 1:
        return None
    (epilogue,) = readers
    if epilogue.block != contraction.operation.block or not _has_one_output(epilogue):
        return None
    in_place = epilogue.operands[len(epilogue.operands) - 1] == contraction.output
    if not in_place and not memory.is_for(contraction.output, [*own, epilogue]):
        return None
    if in_place and any(
        user.block == epilogue.block and user.is_before_in_block(epilogue) and user not in own
        for user, _ in memory.graph.uses(contraction.output)
        if user.name != "memref.dim"
    ):
        return None
    return epilogue if contraction.operation.is_before_in_block(epilogue) else None


def _checked(group: Group, memory: Memory) -> list[Group]:
    """The group, or its contractions one by one where they cannot be one kernel."""
    if group.epilogue is None or _fits(group, memory):
        return [group]
    return [Group([contraction]) for contraction in group.contractions]


def _fits(group: Group, memory: Memory) -> bool:
    epilogue = group.epilogue
    given = reading.operands(epilogue)
    if given is None or any(operand.plain is None for operand in given):
        return False
    group.operands = given
    rank = epilogue.attributes["indexing_maps"][0].value.n_dims
    outputs = [contraction.output for contraction in group.contractions]
    axes = list(range(rank))
    everywhere = [operand.plain for operand in given if operand.buffer in outputs]
    if given[-1].plain != axes or any(plain != axes for plain in everywhere):
        return False
    old, inner = bodies.arguments(epilogue)[-1], bodies.operations(epilogue)
    if not bodies.is_plain(epilogue) or any(old in list(op.operands) for op in inner):
        return False
    target = given[-1].buffer
    for contraction in group.contractions:
        if not all(memory.apart(target, each) for each in contraction.inputs):
            return False
        own = [c.operation for c in group.contractions] + [c.fill for c in group.contractions]
        for other in memory.between(contraction.operation, epilogue):
            if other not in own and not memory.leaves_alone(
                other, [*contraction.inputs, contraction.output]
            ):
                return False
        starts = [c.output for c in group.contractions if c is not contraction]
        if any(not memory.apart(start, each) for start in starts for each in contraction.inputs):
            return False
    return True
