"""Branches that nearly always go one way stay branches.

LLVM makes a choice between two values of a short branch: then the iteration of a loop waits for both.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.making import expected
from agir.backends.mlir.modules import find
from agir.ir.building import bindings
from agir.ir.tracing.loops import LIKELY


def set_branch_weights(module: Any) -> None:
    """Tell LLVM which way the branches go that are marked."""
    for branch in find(module, "scf.if"):
        if LIKELY not in branch.attributes:
            continue
        with bindings.ir.InsertionPoint(branch), branch.location:
            branch.operands[0] = expected(branch.operands[0], True)
        del branch.attributes[LIKELY]
