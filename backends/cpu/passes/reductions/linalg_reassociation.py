"""Sums and products of many elements may be computed in any order, and only they.

A ``linalg`` reduction does not say in which order it combines; LLVM has to be told, else it may
not use vectors (nor may sums in loops: `reduction_reassociation`).  Nothing else gets a fast-math
flag, and they none beyond these two: results stay exact for infinities, NaN and signed zeros.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

COMBINERS = ("arith.addf", "arith.mulf", "complex.add", "complex.mul")
FIRST_OPERAND = {"arith.subf": "arith.addf", "complex.sub": "complex.add"}
"""What combines as another operation does, if the first operand is what there is so far."""


def reassociate_reductions(module: Any) -> None:
    """Flag the combining operation of each floating-point sum or product."""
    for generic in find(module, "linalg.generic"):
        if "reduction" in str(generic.attributes["iterator_types"]):
            _flag_combiners(generic)


def _flag_combiners(generic: Any) -> None:
    graph = Producers(generic)
    yielded = list(graph.find("linalg.yield")[-1].operands)
    accumulators = list(generic.regions[0].blocks[0].arguments)[-len(yielded) :]
    for value, accumulator in zip(yielded, accumulators, strict=True):
        combiner = graph.producer(value)
        if (
            combiner is not None
            and combiner.name in COMBINERS
            and accumulator in list(combiner.operands)
        ):
            flag_with_factors(combiner, graph)


def flag_with_factors(combiner: Any, graph: Producers) -> None:
    """Let an operation that combines be done in any order, and joined with a product."""
    _flag(combiner, "reassoc,contract")
    for operand in combiner.operands:
        factor = graph.producer(operand, "arith.mulf")
        if factor is not None:
            _flag(factor, "contract")


def _flag(operation: Any, flags: str) -> None:
    operation.attributes["fastmath"] = bindings.ir.Attribute.parse(f"#arith.fastmath<{flags}>")
