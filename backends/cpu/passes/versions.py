"""Loops without the checks that can be made before them.

Whether a place is inside of an array is checked where it is used, and whether an int of Python's fits
an array's integers where it is put there.  What a check has found is handed from turn to turn, so turns
would run neither together nor on several threads.  Where bounds of loops and other values that are
there before prove that none of them fails, the loop is done as if nothing were checked; else as it was
written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from agir.backends.cpu.passes.assumptions import Assuming, Known
from agir.backends.cpu.passes.failures import (
    BEYOND,
    counts_from_the_end,
    failing_conditions,
    opposites,
)
from agir.backends.cpu.passes.functions import functions
from agir.backends.cpu.passes.spans import Inside, Spans, emitted, within
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import constant, op, predicate
from agir.backends.mlir.modules import walk
from agir.ir import bindings

_LOOPS = ("scf.for", "scf.while")
_MOST = 500
"""Operations in a loop that is short enough to be there twice."""

_UNSIGNED = {"ult": ("ule", -1), "ule": ("ule", 0), "ugt": ("ugt", 0), "uge": ("ugt", -1)}
"""By a comparison of numbers without signs one that does the same with another constant."""
_GREATEST = 2**62 - 1


def check_before_loops(module: Any) -> None:
    """Put a loop that checks nothing beside each one whose checks can be made before it."""
    for function in functions(module):
        graph = Graph(function)
        inner: defaultdict[Any, list[Any]] = defaultdict(list)
        for loop in graph.find(*_LOOPS):
            inner[_around(loop.parent)].append(loop)
        for loop in inner[None]:
            _look_at(loop, inner, graph)


def _around(operation: Any) -> Any:
    """The loop that an operation is, or is inside of."""
    while operation is not None and operation.name not in _LOOPS:
        operation = None if operation.name == "func.func" else operation.parent
    return operation


def _look_at(loop: Any, inner: Mapping[Any, list[Any]], graph: Graph) -> None:
    """Make checks before a loop, or else before the loops in it."""
    inside = walk(loop)
    if len(inside) <= _MOST:
        if any(isinstance(result.type, bindings.ir.MemRefType) for result in loop.results):
            return
        checks = failing_conditions(inside, graph)
        if any(_is_of_numbers(bad, graph) for bad in checks):
            _with_numbers(loop, checks, graph)
            return
        if not checks or _with_places(loop, checks, graph):
            return
    for each in inner[loop]:
        _look_at(each, inner, graph)


def _with_places(loop: Any, checks: Sequence[Any], graph: Graph) -> bool:
    """Check the places in arrays before a loop, if that is possible for all of them."""
    spans = Spans(loop, graph)
    settled: dict[Any, bool] = {}
    conditions: dict[tuple[Any, ...], None] = {}
    for bad in checks:
        proof = _inside(bad, spans, settled, graph)
        if proof is None:
            return False
        conditions.update(dict.fromkeys(proof.conditions()))
    if conditions:
        _write(loop, settled, [partial(emitted, each) for each in conditions])
    return True


def _inside(bad: Any, spans: Spans, settled: dict[Any, bool], graph: Graph) -> Inside | None:
    """What proves that a place is inside of an array; notes what is settled by it."""
    compared = graph.producer(bad, "arith.cmpi")
    if compared is None or predicate(compared) != BEYOND:
        return None
    place, extent = compared.operands
    chosen = graph.producer(place, "arith.select")
    index = place if chosen is None else chosen.operands[2]
    if chosen is not None and not counts_from_the_end(chosen, extent, graph):
        return None
    proof = spans.inside(index, extent)
    if proof is not None:
        settled[bad] = False
        for each in opposites(bad, graph):
            settled[each] = True
        if chosen is not None:
            settled[chosen.operands[0]] = False
    return proof


def _with_numbers(loop: Any, checks: Sequence[Any], graph: Graph) -> None:
    """Check before a loop that numbers fit, and what else the same proves."""
    proofs: dict[Any, list[Known]] = {}
    for bad in checks:
        found = _provable(bad, loop, graph)
        if found is not None:
            proofs[bad] = found
    needless = {bad: False for bad, known in proofs.items() if not known}
    if needless:
        _settle(loop, loop, needless)
    if len(needless) < len(proofs):
        known = {each: None for found in proofs.values() for each in found}
        _write(
            loop,
            dict.fromkeys(proofs, False),
            [partial(within, e.value, e.low, e.high) for e in known],
        )


def _provable(bad: Any, loop: Any, graph: Graph) -> list[Known] | None:
    """What would prove before the loop that a condition does not hold; None where nothing does."""
    if not graph.is_inside(bad, loop):
        return [Known(bad, 0, 0)]
    limits = _limits(bad, graph)
    if limits is None:
        return None
    value, most = limits
    for size in (min(most // part, _GREATEST) for part in (1, 2, 4, 16)):
        for low in (-size, 0):
            known: dict[Any, Known] = {}
            found = Assuming(loop, graph, low, size, known).interval(value)
            if found is not None and found[0] >= 0 and found[1] <= most:
                return list(known.values())
    return None


def _is_of_numbers(bad: Any, graph: Graph) -> bool:
    limits = _limits(bad, graph)
    return limits is not None and str(limits[0].type) == "i64"


def _limits(bad: Any, graph: Graph) -> tuple[Any, int] | None:
    """The value of which a condition says that it is none of ``0..most``, and the most."""
    compared = graph.producer(bad)
    opposite = False
    if compared is not None and compared.name == "arith.xori":
        compared, opposite = graph.producer(compared.operands[0]), True
    if compared is None or compared.name != "arith.cmpi":
        return None
    relation, shift = _UNSIGNED.get(predicate(compared), ("", 0))
    limit = graph.number(compared.operands[1])
    if limit is None or relation != ("ule" if opposite else "ugt"):
        return None
    most = limit + shift
    return (compared.operands[0], most) if most >= 0 else None


def _write(loop: Any, settled: dict[Any, bool], conditions: Sequence[Callable[[], Any]]) -> None:
    """A branch in the loop's place: with conditions in it settled, or as it is."""
    ir = bindings.ir
    with ir.InsertionPoint(loop), loop.location:
        proven, *others = (emit() for emit in conditions)
        for each in others:
            proven = op("arith.andi", each.type, proven, each)
        kinds = [result.type for result in loop.results]
        branch = ir.Operation.create("scf.if", results=kinds, operands=[proven], regions=2)
    for old, new in zip(loop.results, branch.results, strict=True):
        old.replace_all_uses_with(new)
    blocks = [region.blocks.append() for region in branch.regions]
    with ir.InsertionPoint(blocks[0]) as here, loop.location:
        copy = loop.clone(here)
    blocks[1].append(loop)
    for block, each in zip(blocks, (copy, loop), strict=True):
        with ir.InsertionPoint(block), loop.location:
            ir.Operation.create("scf.yield", operands=list(each.results))
    _settle(loop, copy, settled)


def _settle(loop: Any, copy: Any, settled: dict[Any, bool]) -> None:
    """Let conditions of a loop hold, or not, in a copy of it."""
    bit = bindings.ir.IntegerType.get_signless(1)
    with bindings.ir.InsertionPoint(copy), copy.location:
        known = {holds: constant(bit, holds) for holds in sorted(set(settled.values()))}
    for original, each in zip(walk(loop), walk(copy), strict=True):
        for position, value in enumerate(original.operands):
            if value in settled:
                each.operands[position] = known[settled[value]]
