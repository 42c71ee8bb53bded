"""Sums and products of many elements may be computed in any order, and only they.

A ``linalg`` reduction does not say in which order it combines; LLVM has to be told, else it may
not use vectors.  Nothing else gets a fast-math flag, and reductions none beyond these two: results
stay exact for infinities, NaN and signed zeros.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import find
from agir.ir import bindings

_COMBINERS = ("arith.addf", "arith.mulf", "complex.add", "complex.mul")


def let_reductions_reassociate(module: Any) -> None:
    """Flag the combining operation of each floating-point sum or product."""
    for generic in find(module, "linalg.generic"):
        if "reduction" in str(generic.attributes["iterator_types"]):
            _flag_combiners(generic)


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
            _flag(combiner, "reassoc,contract")
            for operand in combiner.operands:
                factor = graph.producer(operand, "arith.mulf")
                if factor is not None:
                    _flag(factor, "contract")


def _flag(operation: Any, flags: str) -> None:
    operation.attributes["fastmath"] = bindings.ir.Attribute.parse(f"#arith.fastmath<{flags}>")
