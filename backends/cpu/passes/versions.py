"""Loops without the checks of numbers that can be made before them.

Whether an int of Python's fits an array's integers is checked where it is put there.  What a check
has found is handed from turn to turn, so turns would run neither together nor on several threads.
Where bounds of loops and other values that are there before prove that no number in it is too
large, the loop is done as if nothing were checked; else as it was written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agir.backends.cpu.passes.alternation import constant
from agir.backends.cpu.passes.assumptions import Assuming, Known
from agir.backends.cpu.passes.failures import failing_conditions
from agir.backends.cpu.passes.functions import functions
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import is_in_loop, walk
from agir.ir import bindings

_LOOPS = ("scf.for", "scf.while")
_MOST = 500
"""Operations in a loop that is short enough to be there twice."""

_UNSIGNED = {6: (7, -1), 7: (7, 0), 8: (8, 0), 9: (8, -1)}
"""By the number of a predicate of ``arith.cmpi`` on numbers without signs: ``<=`` or ``>`` that does
the same for another constant."""
_UP_TO, _ABOVE = 7, 8
_GREATEST = 2**62 - 1


def check_before_loops(module: Any) -> None:
    """Put a loop that checks nothing beside each one whose checks can be made before it."""
    for function in functions(module):
        graph = Graph(function)
        for loop in graph.find(*_LOOPS):
            if not is_in_loop(loop.parent):
                _look_at(loop, graph)


def _look_at(loop: Any, graph: Graph) -> None:
    inside = walk(loop)
    if len(inside) > _MOST or any(
        isinstance(result.type, bindings.ir.MemRefType) for result in loop.results
    ):
        return
    checks = failing_conditions(inside, graph)
    if not any(_is_of_numbers(bad, graph) for bad in checks):
        return  # places in arrays are checked where that costs little
    proofs: dict[Any, list[Known]] = {}
    for bad in checks:
        found = _provable(bad, loop, graph)
        if found is not None:
            proofs[bad] = found
    needless = {bad for bad, known in proofs.items() if not known}
    if needless:
        with bindings.ir.InsertionPoint(loop), loop.location:
            never = constant(bindings.ir.IntegerType.get_signless(1), 0)
        _forget(loop, loop, needless, never)
    if len(needless) < len(proofs):
        _write(loop, proofs)


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
    predicate, shift = _UNSIGNED.get(compared.attributes["predicate"].value, (0, 0))
    limit = graph.producer(compared.operands[1], "arith.constant")
    if limit is None or predicate != (_UP_TO if opposite else _ABOVE):
        return None
    most = limit.attributes["value"].value + shift
    return (compared.operands[0], most) if most >= 0 else None


def _write(loop: Any, proofs: dict[Any, list[Known]]) -> None:
    """A branch in the loop's place: without these conditions, or as it is."""
    ir = bindings.ir
    with ir.InsertionPoint(loop), loop.location:
        never = constant(ir.IntegerType.get_signless(1), 0)
        proven = _all(_holds(each) for known in proofs.values() for each in known)
        kinds = [result.type for result in loop.results]
        branch = ir.Operation.create("scf.if", results=kinds, operands=[proven], regions=2)
    for old, new in zip(loop.results, branch.results, strict=True):
        old.replace_all_uses_with(new)
    blocks = [region.blocks.append() for region in branch.regions]
    with ir.InsertionPoint(blocks[0]) as here, loop.location:
        copy = loop.clone(here)
        _forget(loop, copy, set(proofs), never)
    blocks[1].append(loop)
    for block, each in zip(blocks, (copy, loop), strict=True):
        with ir.InsertionPoint(block), loop.location:
            ir.Operation.create("scf.yield", operands=list(each.results))


def _forget(loop: Any, copy: Any, conditions: set[Any], never: Any) -> None:
    """Let conditions of a loop not hold in a copy of it."""
    for original, each in zip(walk(loop), walk(copy), strict=True):
        for position, value in enumerate(original.operands):
            if value in conditions:
                each.operands[position] = never


def _all(conditions: Iterable[Any]) -> Any:
    first, *others = conditions
    for each in others:
        first = _one("arith.andi", first.type, first, each)
    return first


def _holds(known: Known) -> Any:
    """Whether the value lies between its bounds."""
    kind, value = known.value.type, known.value
    if known.low:
        value = _one("arith.subi", kind, value, constant(kind, known.low))
    ir = bindings.ir
    predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _UP_TO)
    span = constant(kind, known.high - known.low)
    return _one("arith.cmpi", ir.IntegerType.get_signless(1), value, span, predicate=predicate)


def _one(name: str, kind: Any, *operands: Any, **attributes: Any) -> Any:
    made = bindings.ir.Operation.create(
        name, results=[kind], operands=list(operands), attributes=attributes
    )
    return made.result
