"""Branches that nearly always go one way stay branches.

LLVM makes a choice between two values of a short branch: then the turn of a loop waits for both.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.alternation import constant
from agir.backends.mlir.modules import find
from agir.ir import bindings
from agir.ir.loops import LIKELY


def expect_likely_branches(module: Any) -> None:
    """Tell LLVM which way the branches go that are marked."""
    ir = bindings.ir
    for branch in find(module, "scf.if"):
        if LIKELY not in branch.attributes:
            continue
        with ir.InsertionPoint(branch), branch.location:
            kind = ir.IntegerType.get_signless(1)
            operands = [branch.operands[0], constant(kind, 1)]
            expected = ir.Operation.create("llvm.intr.expect", [kind], operands)
        branch.operands[0] = expected.result
        del branch.attributes[LIKELY]
