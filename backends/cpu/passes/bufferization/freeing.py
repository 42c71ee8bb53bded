"""Where it happens often, it is asked first whether there is anything to free.

Deallocation decides while the program runs which of several buffers are freed: those that nothing
that is handed on lies in.  Upstream puts their addresses into arrays and compares these in a
function, which costs more than an iteration of most loops.  Where lists grow, hardly any iteration
has something to free, and that can be said by a few comparisons in registers.  So it is in
functions that others call.

Each buffer is compared with that one of those handed on which a way without changes leads to: where a
list has not grown it is the same.  Only one that no such way leads from is compared with all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.functions import functions, is_public
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import compare, constant, i1, op, use_instead
from agir.backends.mlir.modules import walk
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings

_LOOPS = ("scf.for", "scf.while", "scf.forall", "scf.parallel")
_NAMES = ("memref.cast", "memref.extract_strided_metadata")
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
    count, _, kept = release.attributes["operandSegmentSizes"]
    operands = list(release.operands)
    buffers, owned, retained = operands[:count], operands[count : 2 * count], operands[2 * count :]
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


def _compared(
    buffers: Sequence[Any], owned: Sequence[Any], retained: Sequence[Any], graph: Producers
) -> tuple[Any, list[Any]]:
    """Whether there is a buffer to free; if not, whether one owns it for each that is handed on."""
    false = constant(i1(), 0)
    is_any, owners = false, [false] * len(retained)
    kept = list(map(_address, retained))
    goes = {value: number for number, each in enumerate(retained) for value in _ways(each, graph)}
    for buffer, condition in zip(buffers, owned, strict=True):
        address, lies = _address(buffer), false
        known = goes.get(_named(buffer, graph))
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
        each = _named(each, graph)
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

    return (_named(each, graph) for each in reached([value], further))


def _named(value: Any, graph: Producers) -> Any:
    """The buffer that another name is one for."""
    while (maker := graph.producer(value)) is not None and maker.name in _NAMES:
        value = maker.operands[0]
    return value


def _address(buffer: Any) -> Any:
    return op("memref.extract_aligned_pointer_as_index", bindings.ir.IndexType.get(), buffer)
