"""Arrays that loops carry, and that nobody looks at, are carried no more.

A variable that each turn assigns anew is carried where Python's rules say that it might be read: a
loop inside might not turn at all.  Recorded, it turns.  Such an array goes round through the ends of
blocks alone, but keeps its memory from being used for something else.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.passes import apply
from agir.ir import bindings

_LOOPS = ("scf.for", "scf.while")
_ENDS = ("scf.yield", "scf.condition")


def forget_dead_arrays(module: Any) -> None:
    """Take dead values out of loops, if there are arrays among them.

    Not in programs with functions of their own: those would lose arguments by which they are known.
    """
    graph = Graph(module)
    if not graph.find("func.call") and any(
        _may_be_dead(loop, graph) for loop in graph.find(*_LOOPS)
    ):
        apply(module, "remove-dead-values")


def _may_be_dead(loop: Any, graph: Graph) -> bool:
    """Whether a loop carries an array that its body does nothing with but hand it on."""
    arguments = loop.regions[len(loop.regions) - 1].blocks[0].arguments
    return any(
        isinstance(argument.type, bindings.ir.RankedTensorType)
        and all(use.user.name in _ENDS for use in graph.uses(argument))
        for argument in arguments
    )
