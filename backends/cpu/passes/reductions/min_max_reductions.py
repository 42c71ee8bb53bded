"""``m = max(m, x[i])`` in a loop that does other things as well: it can still be vectorized.

Python keeps the number that it has where the next one is NaN, and a NaN that it began with.  So NaN
is the worst of numbers here, and what the loop began with is looked at behind it.  Of zeros that are
equal but for the sign any may be kept.  Numbers are compared as integers that are in the same order,
for which LLVM sees that the order of iterations does not matter.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.dependence.constants import iterations
from agir.backends.cpu.passes.analysis.loop_carried import BOUNDS
from agir.backends.cpu.passes.reductions.argmin_argmax import flipped, integer
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import compare, constant, op, predicate
from agir.backends.mlir.modules import children
from agir.ir.building import bindings

_EXTREMA = {"ogt": ("arith.maxsi", -1), "olt": ("arith.minsi", 1)}
"""By how the next number is compared with that so far, also on which side of all integers the worst
one is."""
_MIRRORED = {"ogt": "olt", "olt": "ogt"}
_SHORT = 16
"""So few iterations are not worth it."""


def reassociate_min_max(module: Any) -> None:
    """Have loops compute the extreme ones of numbers that they only compare with."""
    graph = Graph(module)
    for loop in graph.find("scf.for"):
        if (iterations(loop) or _SHORT) < _SHORT:
            continue
        _, *accumulators = loop.regions[0].blocks[0].arguments
        leave = children(loop)[-1]
        for number, accumulator in enumerate(accumulators):
            found = _choices(accumulator, leave.operands[number], graph)
            if found:
                _rewrite(loop, leave, number, found)
                graph = Graph(module)


def _choices(accumulator: Any, end: Any, graph: Graph) -> list[tuple[Any, Any, str]]:
    """The selections from a number to what an iteration yields.

    With the next numbers and predicates.
    """
    found: list[tuple[Any, Any, str]] = []
    if str(accumulator.type) not in ("f32", "f64"):
        return found
    value = accumulator
    while value != end or not found:
        choice = _choice(value, accumulator.owner, graph)
        if choice is None:
            return []
        found.append(choice)
        value = choice[0].results[0]
    is_one_kind = len({comparison for _, _, comparison in found}) == 1
    return found if is_one_kind and len(graph.uses(end)) == 1 else []


def _choice(value: Any, block: Any, graph: Graph) -> tuple[Any, Any, str] | None:
    """The selection between a number and the next one, if nothing else is done with it."""
    users = {use.user.name: use.user for use in graph.uses(value)}
    if len(graph.uses(value)) != 2 or set(users) != {"arith.cmpf", "arith.select"}:
        return None
    compared, selection = users["arith.cmpf"], users["arith.select"]
    condition, following, kept = selection.operands
    left, right = compared.operands
    comparison = predicate(compared)
    if left == value:
        left, right, comparison = right, left, _MIRRORED.get(comparison, "")
    is_own = condition == compared.results[0] and len(graph.uses(condition)) == 1
    is_in_order = left == following and right == kept == value
    same_block = compared.block == selection.block == block
    if not (is_own and is_in_order and same_block and comparison in _EXTREMA):
        return None
    return selection, following, comparison


def _rewrite(loop: Any, leave: Any, number: int, found: list[tuple[Any, Any, str]]) -> None:
    """Let a loop carry an integer in the place of the number."""
    ir = bindings.ir
    name, side = _EXTREMA[found[0][2]]
    start, result = loop.operands[BOUNDS + number], loop.results[number]
    real = start.type
    with ir.InsertionPoint(loop), loop.location:
        loop.operands[BOUNDS + number] = _key(start, side)
    key = loop.regions[0].blocks[0].arguments[1 + number]
    key.set_type(integer(real))
    for selection, following, _ in found:
        with ir.InsertionPoint(selection), selection.location:
            key = op(name, key.type, key, _key(following, side))
    leave.operands[number] = key
    for selection, _, _ in reversed(found):
        compared = selection.operands[0].owner.operation
        selection.erase()
        compared.erase()
    users = [(use.owner.operation, use.operand_number) for use in result.uses]
    result.set_type(key.type)
    with ir.InsertionPoint.after(loop), loop.location:
        extremum = op("arith.bitcast", real, flipped(result))
        kept = op("arith.select", real, compare(start, "uno", start), start, extremum)
    for user, position in users:
        user.operands[position] = kept


def _key(number: Any, side: int) -> Any:
    """An integer that is in order with those of other numbers; of NaN the worst of all."""
    kind = integer(number.type)
    half = 2 ** (kind.width - 1)
    worst = constant(kind, min(side * half, half - 1))
    key = flipped(op("arith.bitcast", kind, number))
    return op("arith.select", kind, compare(number, "uno", number), worst, key)
