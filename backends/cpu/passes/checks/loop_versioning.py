"""Loops without the checks that can be made before them.

Whether a place is inside of an array is checked where it is used, whether an int of Python's fits
an array's integers where it is put there, and whether a sum of ints fits 64 bits where it is
computed. What a check has found is handed from iteration to iteration, so iterations would run
neither together nor on several threads.  Where bounds of loops and other values that are there
before prove that none of them fails, the loop is done as if nothing were checked; else as it was
written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from agir.backends.cpu.passes.analysis.access_ranges import LARGEST, Inside, Spans, emitted, within
from agir.backends.cpu.passes.analysis.failing_checks import (
    BEYOND,
    counts_from_the_end,
    failing_conditions,
    opposites,
)
from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.cpu.passes.analysis.integer_bounds import Assuming, Known
from agir.backends.cpu.passes.analysis.limits import Limit, limits
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import constant, predicate, versions
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings
from agir.ir.tracing import ranges

_LOOPS = ("scf.for", "scf.while")
_MOST = 500
"""Operations in a loop that is short enough to be there twice."""

_GREATEST = 2**62 - 1
_SIZES = (2**31 - 1, 2**20)
"""Products and sums of sums fit only where numbers are not as large as all that fit."""


def version_loops_by_checks(module: Any) -> None:
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
        if not checks or _with_places(loop, checks, graph):
            return
        of_numbers = any(_is_of_numbers(bad, graph) for bad in checks)
        if of_numbers and _with_numbers(loop, checks, graph):
            return
    for each in inner[loop]:
        _look_at(each, inner, graph)


def _with_places(loop: Any, checks: Sequence[Any], graph: Graph) -> bool:
    """Check before a loop what places in arrays and sums can be, if that settles all checks."""
    spans = Spans(loop, graph)
    settled: dict[Any, bool] = {}
    conditions: dict[tuple[Any, ...], None] = {}
    for bad in checks:
        found = _of_small_numbers(bad, spans, graph)
        if found is not None:
            settled[bad] = False
        else:
            proof = _inside(bad, spans, settled, graph)
            if proof is None:
                return False
            found = list(proof.conditions())
        conditions.update(dict.fromkeys(found))
    if conditions:
        _write(loop, settled, [partial(emitted, each) for each in conditions])
    else:
        _settle(loop, loop, settled)
    return True


def _of_small_numbers(bad: Any, spans: Spans, graph: Graph) -> list[tuple[Any, ...]] | None:
    """What proves that sums fit, for what they are made of is small; None if nothing does."""
    required = limits(bad, False, graph)
    if required is None:
        return None
    found: list[tuple[Any, ...]] = []
    for limit in required:
        if limit.low > -LARGEST or limit.high < LARGEST:
            return None
        small = spans.small(limit.value)
        if small is None:
            return None
        found += small
    return found


def _inside(bad: Any, spans: Spans, settled: dict[Any, bool], graph: Graph) -> Inside | None:
    """What proves that a place is inside of an array; notes what is settled by it."""
    compared = graph.producer(bad, "arith.cmpi")
    if compared is None or predicate(compared) != BEYOND:
        return None
    place, size = compared.operands
    chosen = graph.producer(place, "arith.select")
    index = place if chosen is None else chosen.operands[2]
    if chosen is not None and not counts_from_the_end(chosen, size, graph):
        return None
    proof = spans.inside(index, size)
    if proof is not None:
        settled[bad] = False
        for each in opposites(bad, graph):
            settled[each] = True
        if chosen is not None:
            settled[chosen.operands[0]] = False
    return proof


def _with_numbers(loop: Any, checks: Sequence[Any], graph: Graph) -> bool:
    """Check before a loop that numbers fit, and what else the same proves, if anything."""
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
    return bool(proofs)


def _provable(bad: Any, loop: Any, graph: Graph) -> list[Known] | None:
    """What would prove before the loop that a condition does not hold; None where nothing does."""
    if not graph.is_inside(bad, loop):
        return [Known(bad, 0, 0)]
    required = limits(bad, False, graph)
    if required is None:
        return None
    most = min(limit.high for limit in required)
    sizes = {min(most // part, _GREATEST) for part in (1, 2, 4, 16)} | set(_SIZES)
    for size in sorted((size for size in sizes if 0 <= size <= most), reverse=True):
        for low in (-size, 0):
            known: dict[Any, Known] = {}
            assuming = Assuming(loop, graph, low, size, known)
            if all(_lies(assuming.interval(each.value), each) for each in required):
                return list(known.values())
    return None


def _lies(found: ranges.Interval | None, limit: Limit) -> bool:
    return found is not None and limit.low <= found[0] and found[1] <= limit.high


def _is_of_numbers(bad: Any, graph: Graph) -> bool:
    return any(limit.is_of_number for limit in limits(bad, False, graph) or ())


def _write(loop: Any, settled: dict[Any, bool], conditions: Sequence[Callable[[], Any]]) -> None:
    """A branch in the loop's place: with conditions in it settled, or as it is."""
    with bindings.ir.InsertionPoint(loop), loop.location:
        proven = [emit() for emit in conditions]
    _settle(loop, versions(loop, proven), settled)


def _settle(loop: Any, copy: Any, settled: dict[Any, bool]) -> None:
    """Let conditions of a loop hold, or not, in a copy of it."""
    bit = bindings.ir.IntegerType.get_signless(1)
    with bindings.ir.InsertionPoint(copy), copy.location:
        known = {holds: constant(bit, holds) for holds in sorted(set(settled.values()))}
    for original, each in zip(walk(loop), walk(copy), strict=True):
        for position, value in enumerate(original.operands):
            if value in settled:
                each.operands[position] = known[settled[value]]
