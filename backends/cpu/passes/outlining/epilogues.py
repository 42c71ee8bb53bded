"""Loops of elementary functions inside the loops of a contraction become functions.

Such a loop is inside of more loops than the sums are, so LLVM would keep its many constants in
registers from one tile to the next, and the sums of a tile in memory.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.contractions.in_memory import APART
from agir.backends.cpu.dependence.arrays import SCRATCH
from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.cpu.passes.outlining.kernels import outline
from agir.backends.mlir.modules import visited
from agir.ir.building import bindings


def outline_epilogues(module: Any) -> None:
    """Make a function of each loop that is marked, but for those in one that is."""
    walks = bindings.ir.WalkResult
    found: list[Any] = []

    def visit(operation: Any) -> Any:
        if APART not in operation.attributes:
            return walks.ADVANCE
        found.append(operation)
        return walks.SKIP

    for function in functions(module):
        visited(function.operation, visit, bindings.ir.WalkOrder.PRE_ORDER)
    for loop in found:
        outline(module, loop, _is_scratch)


def _is_scratch(value: Any) -> bool:
    owner = value.owner
    return not isinstance(owner, bindings.ir.Block) and SCRATCH in owner.attributes
