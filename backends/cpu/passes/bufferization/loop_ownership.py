"""Loops own the buffers that they begin with.

Deallocation has a loop carry, beside each buffer, whether that is owned.  At first it is not, for who
made it frees it after the loop; a list that grows lies in other buffers from then on.  A buffer that
nothing else uses any more is the loop's from the beginning.  Then most of these truth values are the
same in every iteration, and need not be carried (`constant_ownership`).
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.cpu.passes.bufferization.constant_ownership import (
    LOOPS,
    operand_of,
    result_of,
)
from agir.backends.cpu.passes.bufferization.deallocations import NAMES, RELEASE, named, parts
from agir.backends.mlir.graph import Graph, Producers
from agir.backends.mlir.making import constant, i1, use_instead
from agir.backends.mlir.modules import in_block
from agir.ir.building import bindings

_VIEWS = (*NAMES, "memref.subview", "memref.reinterpret_cast")
_USERS = (
    "memref.load",
    "memref.store",
    "memref.copy",
    "memref.dim",
    "linalg.fill",
    "linalg.generic",
)
"""What uses a buffer, and hands on no other name of it."""


def hand_over_ownership(module: Any) -> None:
    """Let loops free the buffers that they begin with, where nothing else uses these afterwards."""
    for function in functions(module):
        graph = Graph(function)
        loops, gone = graph.find(*LOOPS), []
        for release in graph.find(RELEASE):
            before = [
                loop
                for loop in loops
                if loop.block == release.block and loop.is_before_in_block(release)
            ]
            if before:
                gone.append((release, _handed_over(release, before, graph)))
        for release, places in gone:
            if places:
                _leave_out(release, places)


def _handed_over(release: Any, loops: list[Any], graph: Graph) -> set[int]:
    """Let loops own what they begin with; which of the buffers to be freed these are."""
    buffers, owned, _ = parts(release)
    places = {named(buffer, graph): place for place, buffer in enumerate(buffers)}
    gone: set[int] = set()
    for loop in loops:
        for position, result in _carried(loop, graph):
            place = places.get(named(loop.operands[position], graph))
            after = places.get(loop.results[result])
            if place is None or after is None:
                continue
            flag = operand_of(loop, owned[after], graph)
            if (
                flag is not None
                and graph.number(loop.operands[flag]) == 0
                and _is_known_before(owned[place], loop, graph)
                and _is_used_before(buffers[place], loop, position, release, graph)
            ):
                loop.operands[flag] = _owner(owned[place], loop, graph)
                gone.add(place)
    return gone


def _carried(loop: Any, graph: Producers) -> list[tuple[int, int]]:
    """Which operands of a loop are arrays that it carries, and which results these become."""
    first = 3 if loop.name == "scf.for" else 0
    found = []
    for position, operand in enumerate(loop.operands):
        if position >= first and isinstance(operand.type, bindings.ir.MemRefType):
            result = result_of(loop, position, graph)
            if result is not None:
                found.append((position, result))
    return found


def _is_known_before(value: Any, loop: Any, graph: Producers) -> bool:
    maker = graph.producer(value)
    if maker is None or graph.number(value) is not None:
        return True
    return maker.block != loop.block or bool(maker.is_before_in_block(loop))


def _owner(value: Any, loop: Any, graph: Producers) -> Any:
    known = graph.number(value)
    if known is None:
        return value
    with bindings.ir.InsertionPoint(loop), loop.location:
        made = constant(i1(), known)
        graph.add(made.owner)
    return made


def _is_used_before(buffer: Any, loop: Any, position: int, release: Any, graph: Graph) -> bool:
    """Whether a buffer, by any name, is used before a loop, by its operand, and to be freed."""
    waiting = [named(buffer, graph)]
    while waiting:
        value = waiting.pop()
        for user, place in graph.uses(value):
            if user == loop:
                if place != position:
                    return False
            elif user.name in _VIEWS:
                waiting += [each for each in user.results if _is_array(each)]
            elif user != release and not _is_plain_use(user, loop):
                return False
    return True


def _is_array(value: Any) -> bool:
    return isinstance(value.type, bindings.ir.MemRefType)


def _is_plain_use(user: Any, loop: Any) -> bool:
    hands_on = user.name not in _USERS and (
        user.name != "func.call" or any(map(_is_array, user.results))
    )
    around = None if hands_on else in_block(user, loop.block)
    return around is not None and bool(around.is_before_in_block(loop))


def _leave_out(release: Any, gone: set[int]) -> None:
    """Do not free these of the buffers there."""
    ir = bindings.ir
    buffers, owned, retained = parts(release)
    left = [n for n in range(len(buffers)) if n not in gone]
    with ir.InsertionPoint(release), release.location:
        made = ir.Operation.create(
            RELEASE,
            [each.type for each in release.results],
            [*(buffers[n] for n in left), *(owned[n] for n in left), *retained],
            {
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get(
                    [len(left), len(left), len(retained)]
                )
            },
        )
    use_instead(release, list(made.results))
    release.erase()
