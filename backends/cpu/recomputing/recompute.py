"""Stencils of several stages become one pass over memory.

``t = u[1:] - u[:-1]; v = t[1:] - t[:-1]`` reads each element of ``t`` twice.  Where it costs less to
compute it twice than to keep ``t`` in memory, that is done: see ``weighing``.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.recomputing.stages import stages
from agir.backends.cpu.recomputing.weighing import plan
from agir.backends.cpu.recomputing.writing import Writer
from agir.backends.mlir.graph import Graph


def rematerialize_where_read(module: Any) -> None:
    """Compute stages in the loops of those that read them, where that is worth it."""
    graph = Graph(module)
    for root in plan(stages(graph), graph):
        Writer(root).write()
