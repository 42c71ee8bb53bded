"""The loops that several iterations of could be run together, taken to pieces."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.modules import children, walk
from agir.ir.building import bindings
from agir.records import dataclass

_FEWEST = 8
"""Iterations of a loop with less are as well run one by one."""


@dataclass
class Nest:
    """A counted loop with one ``scf.while`` directly inside: what is before, in and after it."""

    loop: Any
    repeat: Any
    before: list[Any]
    after: list[Any]
    handed: list[Any]
    """What the loop's body yields to its next iteration."""
    early: list[int] = field(default_factory=list)
    """Which of the values that it carries are computed before the while; the others after it."""
    late: list[int] = field(default_factory=list)

    @property
    def counter(self) -> Any:
        """The loop's counter."""
        return self.loop.regions[0].blocks[0].arguments[0]

    @property
    def carried(self) -> list[Any]:
        """The values that the loop carries, as its body has them."""
        return list(self.loop.regions[0].blocks[0].arguments)[1:]


def nests(graph: Producers) -> list[Nest]:
    """The loops in question, apart from what they read and write."""
    found = (_taken_apart(repeat, graph) for repeat in graph.find("scf.while"))
    return [nest for nest in found if nest is not None]


def _taken_apart(repeat: Any, graph: Producers) -> Nest | None:
    loop = repeat.parent
    if loop.name != "scf.for" or not _counts_by_one(loop, graph):
        return None
    *inside, leave = children(loop)
    if sum(each.name == "scf.while" for each in inside) != 1:
        return None
    at = inside.index(repeat)
    nest = Nest(loop, repeat, inside[:at], inside[at + 1 :], list(leave.operands))
    scalars = [*nest.carried, *repeat.results, *_arguments(repeat)]
    if not all(is_scalar(value.type) for value in scalars):
        return None
    return nest if _is_carried_in_order(nest) else None


def _arguments(repeat: Any) -> list[Any]:
    return [value for region in repeat.regions for value in region.blocks[0].arguments]


def _counts_by_one(loop: Any, graph: Producers) -> bool:
    low, high, step = (graph.number(value) for value in list(loop.operands)[:3])
    if step != 1 or str(loop.operands[0].type) != "index":
        return False
    return low is None or high is None or high - low >= _FEWEST


def is_scalar(kind: Any) -> bool:
    """Whether a value of this type is a number."""
    text = str(kind)
    return text in _SCALARS


_SCALARS = frozenset(
    {"i1", "i8", "i16", "i32", "i64", "index", "f32", "f64", "complex<f32>", "complex<f64>"}
)


def _is_carried_in_order(nest: Nest) -> bool:
    """Whether what is carried is computed before the while, or neither before nor in it is needed.

    Then all iterations of a group can do their first part, then all the while, then all their last
    part.
    """
    first = {value for each in nest.before for value in each.results}
    used = {value for part in (*nest.before, nest.repeat) for value in taken(part)}
    arguments = nest.carried
    for position, (value, argument) in enumerate(zip(nest.handed, arguments, strict=True)):
        if value in first or (value == argument and argument in used):
            nest.early.append(position)
        elif argument in used or (value != argument and value in arguments):
            return False
        else:
            nest.late.append(position)
    early = {arguments[position] for position in nest.early}
    late = {arguments[position] for position in nest.late}
    return not any(v in late for v in used) and not (
        # what one part yields is the other's own
        early & {nest.handed[p] for p in nest.late} or late & {nest.handed[p] for p in nest.early}
    )


def taken(operation: Any) -> list[Any]:
    """The operands of an operation and of what is in its regions."""
    return [value for each in walk(operation) for value in each.operands]


def operations_of(region: Any) -> tuple[list[Any], Any]:
    """The operations of a region with one block, and its terminator."""
    ir = bindings.ir
    block = region.blocks[0]
    own = [each for each in children(block.owner) if each.block == block]
    assert isinstance(block, ir.Block)
    return own[:-1], own[-1]
