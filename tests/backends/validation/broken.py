"""A pass that makes a mistake, and a plugin that has it."""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.modules import find
from agir.ir.building import bindings

PLUGIN = f"""
import sys
sys.path.insert(0, {str(__file__.rpartition("/")[0])!r})
import agir as ag
from broken import broken

ag.register(ag.plugins.Pass(broken, effects=True))
"""
"""The text of a plugin that adds the pass to the others."""


def broken(module: Any) -> None:
    """Takes additions for multiplications."""
    for each in find(module, "arith.addf"):
        with bindings.ir.InsertionPoint(each), each.location:
            made = bindings.ir.Operation.create(
                "arith.mulf", operands=list(each.operands), results=[each.results[0].type]
            )
        each.results[0].replace_all_uses_with(made.results[0])
        each.erase()
