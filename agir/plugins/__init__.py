"""Adding to agir from outside: passes, operations, converters, stages, back ends, dialects.

`register` adds a record to a table; what is added runs over every function that is traced from then on.
docs/plugins.md shows each kind.
"""

from __future__ import annotations

from agir.autograph.added import Converter as Converter
from agir.backends.mlir.added import Pass as Pass
from agir.backends.mlir.graph import Graph as Graph
from agir.backends.mlir.making import constant as constant
from agir.backends.mlir.making import op as op
from agir.backends.mlir.modules import walk as walk
from agir.backends.mlir.rewriting import Patterns as Patterns
from agir.backends.mlir.rewriting import Schedule as Schedule
from agir.backends.stages import Stage as Stage
from agir.backends.table import Backend as Backend
from agir.plugins.dialects import Dialect as Dialect
from agir.plugins.operations import derivative as derivative
from agir.plugins.operations import elementwise as elementwise
from agir.plugins.operations import interpretation as interpretation
from agir.plugins.operations import operation as operation
from agir.plugins.tables import describe as describe
from agir.plugins.tables import register as register
from agir.plugins.tables import unregister as unregister
from agir.plugins.writing import after as after
from agir.plugins.writing import before as before
from agir.plugins.writing import mlir as mlir
from agir.plugins.writing import replace as replace
from agir.records import make

__all__ = [
    "Backend",
    "Converter",
    "Dialect",
    "Graph",
    "Pass",
    "Patterns",
    "Schedule",
    "Stage",
    "after",
    "before",
    "constant",
    "derivative",
    "describe",
    "elementwise",
    "interpretation",
    "mlir",
    "op",
    "operation",
    "register",
    "replace",
    "unregister",
    "walk",
]

for _kind in (Backend, Dialect, Pass, Patterns, Schedule, Stage):
    make(_kind)  # whoever asks for help sees its parameters


def __dir__() -> list[str]:
    return __all__
