"""The functions of control flow, of effects and of shapes, under TensorFlow's names."""

from agir.ir.ops.refinement import ensure_shape as ensure_shape
from agir.runtime.assertions import Assert as Assert
from agir.runtime.conditionals import case as case
from agir.runtime.conditionals import cond as cond
from agir.runtime.conditionals import switch_case as switch_case
from agir.runtime.host_functions import numpy_function as numpy_function
from agir.runtime.host_functions import py_function as py_function
from agir.runtime.mapping import foldl as foldl
from agir.runtime.mapping import foldr as foldr
from agir.runtime.mapping import map_fn as map_fn
from agir.runtime.mapping import scan as scan
from agir.runtime.mapping import vectorized_map as vectorized_map
from agir.runtime.ordering import control_dependencies as control_dependencies
from agir.runtime.ordering import group as group
from agir.runtime.ordering import no_op as no_op
from agir.runtime.printing import print as print
from agir.runtime.while_loop import while_loop as while_loop

__all__ = [
    "Assert",
    "case",
    "cond",
    "control_dependencies",
    "ensure_shape",
    "foldl",
    "foldr",
    "group",
    "map_fn",
    "no_op",
    "numpy_function",
    "print",
    "py_function",
    "scan",
    "switch_case",
    "vectorized_map",
    "while_loop",
]
