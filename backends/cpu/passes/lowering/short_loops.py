"""Short inner loops stay loops until LLVM has vectorised them.

LLVM writes out a loop of few iterations, a row of 32 elements for instance, before it looks for
loops to vectorise; then it vectorises the loop around, whose iterations are far apart in memory.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.modules import find, walk
from agir.ir.building import bindings

_FEWEST, _MOST = 16, 64
"""Iterations: fewer are written out as they should be, more LLVM does not write out."""

_NEVER = "disable = true"
_FEW_AT_ONCE = "count = 4 : i32"
_MARK = "llvm.loop_annotation"


def keep_short_loops(module: Any) -> None:
    """Forbid that loops of few iterations, which go over elements, are written out.

    Loops around others count as innermost ones where those are so short that they are written out.
    """
    graph = Producers(module)
    for loop in graph.find("scf.for"):
        iterations = _iterations(graph, loop)
        if (
            iterations is not None
            and _FEWEST <= iterations <= _MOST
            and _goes_over_elements(graph, loop)
        ):
            # what is not to be vectorised gains by a few iterations at once
            annotate(loop, f"unroll = <{_FEW_AT_ONCE if _MARK in loop.attributes else _NEVER}>")


def annotate(loop: Any, what: str) -> None:
    """Tell LLVM what to do to a loop: a further parameter of ``#llvm.loop_annotation``."""
    known = f"{loop.attributes[_MARK]}".removesuffix(">") + ", " if _MARK in loop.attributes else ""
    text = f"{known or '#llvm.loop_annotation<'}{what}>"
    loop.attributes[_MARK] = bindings.ir.Attribute.parse(text)


def mark_branches(module: Any) -> None:
    """Move the mark to where LLVM's dialect has it: conversions take it along as it is."""
    for branch in find(module, "llvm.br", "llvm.cond_br"):
        if _MARK in branch.attributes:
            branch.attributes["loop_annotation"] = branch.attributes[_MARK]
            del branch.attributes[_MARK]


def _iterations(graph: Producers, loop: Any) -> int | None:
    first, last, step = map(graph.number, list(loop.operands)[:3])
    if first is None or last is None or step is None:
        return None
    return max(0, -(-(last - first) // step)) if step > 0 else None


def _goes_over_elements(graph: Producers, loop: Any) -> bool:
    """Whether nothing inside branches or computes with vectors, and something is written."""
    inside = walk(loop)[1:]
    for each in inside:
        if each.name == "scf.for":
            iterations = _iterations(graph, each)
            if iterations is None or iterations >= _FEWEST:
                return False
        elif len(each.regions) or each.name.startswith("vector."):
            return False
    return any(each.name == "memref.store" for each in inside)
