"""Where it happens often, it is asked first whether there is anything to free.

Deallocation decides while the program runs which of several buffers are freed: those that nothing
that is handed on lies in.  A function gets their addresses in an array and compares these
(`deallocations`), which costs more than an iteration of most loops.  Where lists grow, hardly any
iteration has something to free, and that can be said by a few comparisons in registers.  So it is in
functions that others call.

Each buffer is compared with that one of those handed on which a way without changes leads to: where a
list has not grown it is the same.  Only one that no such way leads from is compared with all of them.
No addresses are compared where the branches that hand on a buffer also say whether it is a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.functions import functions, is_public
from agir.backends.cpu.passes.bufferization.deallocations import (
    aligned_address,
    free_if,
    named,
    parts,
)
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import compare, constant, i1, op, use_instead
from agir.backends.mlir.modules import walk
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings

_LOOPS = ("scf.for", "scf.while", "scf.forall", "scf.parallel")
_MOST = 24
"""Of more buffers all comparisons would be long."""
_FEW = 16
"""A function that frees at more places would become several times as long."""


def guard_deallocations(module: Any) -> None:
    """Let what frees buffers in a loop, or in a function of the module, be a seldom taken branch."""
    for function in functions(module):
        is_called = not is_public(function)
        releases = [
            each
            for each in walk(function)
            if each.name == "bufferization.dealloc" and (is_called or _is_in_loop(each))
        ]
        if not 0 < len(releases) <= _FEW:
            continue
        graph = Producers(function)
        for each in releases:
            _guard(each, graph)


def _is_in_loop(operation: Any) -> bool:
    around = operation.parent
    while around.name != "func.func":
        if around.name in _LOOPS:
            return True
        around = around.parent
    return False


def _guard(release: Any, graph: Producers) -> None:
    buffers, owned, retained = parts(release)
    count, kept = len(buffers), len(retained)
    if count == kept == 1 and _free_replaced(release, graph):
        return
    if not kept or count + kept < 3 or count > _MOST:
        return
    ir = bindings.ir
    with ir.InsertionPoint(release), release.location:
        is_any, owners = _compared(buffers, owned, retained, graph)
        branch = ir.Operation.create("scf.if", [i1()] * kept, [is_any], regions=2)
        for region in branch.regions:
            region.blocks.append()
        slow, quick = (region.blocks[0] for region in branch.regions)
    with ir.InsertionPoint(quick), release.location:
        ir.Operation.create("scf.yield", [], owners)
    use_instead(release, branch.results)
    with ir.InsertionPoint(slow), release.location:
        end = ir.Operation.create("scf.yield", [], list(release.results))
    release.move_before(end)


def _free_replaced(release: Any, graph: Producers) -> bool:
    """Free a buffer in the place of which a new one is handed on, if it is known whether that is so."""
    buffer, owned, retained = release.operands
    is_new = _is_new(retained, buffer, graph)
    if is_new is None:
        return False
    ir = bindings.ir
    with ir.InsertionPoint(release), release.location:
        free_if(op("arith.andi", i1(), owned, is_new), buffer)
        is_same = op("arith.xori", i1(), is_new, constant(i1(), 1))
        use_instead(release, [op("arith.andi", i1(), owned, is_same)])
    release.erase()
    return True


def _is_new(value: Any, old: Any, graph: Producers) -> Any | None:
    """What tells whether a buffer that a branch hands on is a new one or the old one, if anything."""
    branch = graph.producer(named(value, graph), "scf.if")
    if branch is None:
        return None
    told = [branch.operands[0], *(each for each in branch.results if each.type == i1())]
    return next((each for each in told if _tells(each, value, named(old, graph), graph)), None)


def _tells(told: Any, value: Any, old: Any, graph: Producers) -> bool:
    """Whether a truth value says of a buffer of a branch that it is new; else it is the old one."""
    value = named(value, graph)
    branch = graph.producer(value, "scf.if")
    if branch is None:
        return False
    ends = graph.ends(branch)
    handed = [end.operands[list(branch.results).index(value)] for end in ends]
    if told == branch.operands[0]:
        new, same = handed
        return _is_made(new, ends[0], graph) and named(same, graph) == old
    if told not in list(branch.results):
        return False
    position = list(branch.results).index(told)
    for end, each in zip(ends, handed, strict=True):
        inner = end.operands[position]
        known = graph.number(inner)
        if known is None:
            fits = _tells(inner, each, old, graph)
        elif known:
            fits = _is_made(each, end, graph)
        else:
            fits = named(each, graph) == old
        if not fits:
            return False
    return True


def _is_made(buffer: Any, end: Any, graph: Producers) -> bool:
    """Whether memory is taken for a buffer in the block that hands it on."""
    maker = graph.producer(named(buffer, graph), "memref.alloc")
    return maker is not None and maker.block == end.block


def _compared(
    buffers: Sequence[Any], owned: Sequence[Any], retained: Sequence[Any], graph: Producers
) -> tuple[Any, list[Any]]:
    """Whether there is a buffer to free; if not, whether one owns it for each that is handed on."""
    false = constant(i1(), 0)
    is_any, owners = false, [false] * len(retained)
    kept = list(map(aligned_address, retained))
    goes = {value: number for number, each in enumerate(retained) for value in _ways(each, graph)}
    for buffer, condition in zip(buffers, owned, strict=True):
        address, lies = aligned_address(buffer), false
        known = goes.get(named(buffer, graph))
        for number, other in enumerate(retained) if known is None else [(known, retained[known])]:
            if other.type.element_type != buffer.type.element_type:
                continue
            same = compare(address, "eq", kept[number])
            lies = op("arith.ori", i1(), lies, same)
            owner = condition if known is not None else op("arith.andi", i1(), condition, same)
            owners[number] = op("arith.ori", i1(), owners[number], owner)
        gone = op("arith.xori", i1(), lies, constant(i1(), 1))
        free = op("arith.andi", i1(), condition, gone)
        is_any = op("arith.ori", i1(), is_any, free)
    return is_any, owners


def _ways(value: Any, graph: Producers) -> Iterator[Any]:
    """What a buffer may be, where branches and loops hand it on as it is."""

    def further(each: Any) -> list[Any]:
        each = named(each, graph)
        maker = graph.producer(each)
        if maker is None or maker.name not in ("scf.if", "scf.for", "scf.while"):
            return []
        number = list(maker.results).index(each)
        if maker.name == "scf.while":
            given, first = graph.ends(maker)[0].operands[1 + number], list(maker.operands)
            tested = list(maker.regions[0].blocks[0].arguments)
            return [first[tested.index(given)] if given in tested else given]
        first = [maker.operands[3 + number]] if maker.name == "scf.for" else []
        return first + [end.operands[number] for end in graph.ends(maker)]

    return (named(each, graph) for each in reached([value], further))
