"""Sums and products of many elements may be computed in any order, and only they.

A ``linalg`` reduction does not say in which order it combines; LLVM has to be told, else it may
not use vectors.  A loop that does nothing with a number but add to it is a sum as well: who looks at
what it is on the way, as sums that are compensated for rounding do, keeps the order.  Nothing else
gets a fast-math flag, and reductions none beyond these two: results stay exact for infinities, NaN
and signed zeros.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import find
from agir.ir import bindings

_COMBINERS = ("arith.addf", "arith.mulf", "complex.add", "complex.mul")
_FIRST_OPERAND = {"arith.subf": "arith.addf", "complex.sub": "complex.add"}
"""What combines as another operation does, if the first operand is what there is so far."""


def let_reductions_reassociate(module: Any) -> None:
    """Flag the combining operation of each floating-point sum or product."""
    for generic in find(module, "linalg.generic"):
        if "reduction" in str(generic.attributes["iterator_types"]):
            _flag_combiners(generic)


def let_sums_reassociate(module: Any) -> None:
    """Flag what loops of scalars add to one number, or multiply it by."""
    graph = Graph(module)
    for loop in graph.find("scf.for"):
        for number, accumulator in enumerate(list(loop.regions[0].blocks[0].arguments)[1:]):
            for combiner in _combined(accumulator, number, loop, graph):
                _flag_with_factors(combiner, graph)


def _combined(accumulator: Any, number: int, loop: Any, graph: Graph) -> list[Any]:
    """The operations through which a number goes from a turn to the next, if they are of one kind."""
    ir = bindings.ir
    if not isinstance(accumulator.type, (ir.FloatType, ir.ComplexType)):
        return []
    found: list[Any] = []
    value = accumulator
    while len(uses := graph.uses(value)) == 1:
        ((user, position),) = uses
        if user.parent != loop:
            break
        if user.name == "scf.yield":
            return found if position == number else []
        kind = user.name if position else _FIRST_OPERAND.get(user.name, user.name)
        if kind not in _COMBINERS or (found and kind != _kind(found[0])):
            break
        found.append(user)
        value = user.results[0]
    return []


def _kind(combiner: Any) -> str:
    name: str = combiner.name
    return _FIRST_OPERAND.get(name, name)


def _flag_combiners(generic: Any) -> None:
    graph = Graph(generic)
    yielded = list(graph.find("linalg.yield")[-1].operands)
    accumulators = list(generic.regions[0].blocks[0].arguments)[-len(yielded) :]
    for value, accumulator in zip(yielded, accumulators, strict=True):
        combiner = graph.producer(value)
        if (
            combiner is not None
            and combiner.name in _COMBINERS
            and accumulator in list(combiner.operands)
        ):
            _flag_with_factors(combiner, graph)


def _flag_with_factors(combiner: Any, graph: Graph) -> None:
    _flag(combiner, "reassoc,contract")
    for operand in combiner.operands:
        factor = graph.producer(operand, "arith.mulf")
        if factor is not None:
            _flag(factor, "contract")


def _flag(operation: Any, flags: str) -> None:
    operation.attributes["fastmath"] = bindings.ir.Attribute.parse(f"#arith.fastmath<{flags}>")
