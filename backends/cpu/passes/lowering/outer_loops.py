"""Iterations of a loop that begin anew become iterations of a loop around it; of the LLVM dialect.

What is done in few iterations then is no part of the loop inside.  Of that LLVM knows how many
iterations it has at most, and its registers are not those that the rest needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile, takewhile
from typing import Any

from agir.backends.cpu.passes.lowering.instructions import Instructions
from agir.ir.building import bindings


def begin_anew(operations: list[Any], position: int, to: Instructions) -> Any | None:
    """A block that begins the next iteration of a loop in a loop around it; None where there is none.

    The loop is the one that ends with the jump at this position among the operations of a function.
    """
    jump = operations[position]
    if jump.name != "llvm.br":
        return None
    begin = jump.successors[0]
    before = (operations[at] for at in range(position - 1, -1, -1))
    inside = list(_in_block(begin, before))[::-1]
    if not inside:
        return None  # it has been moved
    inner = _moved(begin, inside, to)
    again = jump.block.create_after(arg_locs=[])
    with jump.location, bindings.ir.InsertionPoint(again):
        to.go(begin, jump.operands)
    with jump.location, bindings.ir.InsertionPoint(jump):
        operations[position] = to.go(inner, jump.operands)
    jump.erase()
    return again


def _in_block(block: Any, operations: Iterable[Any]) -> Iterable[Any]:
    """Those that stand in a block, which follow each other."""
    found = dropwhile(lambda each: each.block != block, operations)
    return takewhile(lambda each: each.block == block, found)


def _moved(block: Any, inside: list[Any], to: Instructions) -> Any:
    """A block with all that is in another one, which is left with a jump to it."""
    arguments = list(block.arguments)
    places = [inside[0].location] * len(arguments)
    new = block.create_after(*[each.type for each in arguments], arg_locs=places)
    for old, instead in zip(arguments, new.arguments, strict=True):
        old.replace_all_uses_with(instead)
    for each in inside:
        new.append(each)
    with inside[0].location, bindings.ir.InsertionPoint(block):
        to.go(new, arguments)
    return new
