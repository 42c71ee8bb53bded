"""The functions of control flow, of effects and of shapes, under TensorFlow's names."""

from agir.ir.ops.shapes.refinement import ensure_shape as ensure_shape
from agir.runtime.control.conditionals import case as case
from agir.runtime.control.conditionals import cond as cond
from agir.runtime.control.conditionals import switch_case as switch_case
from agir.runtime.control.mapping import foldl as foldl
from agir.runtime.control.mapping import foldr as foldr
from agir.runtime.control.mapping import map_fn as map_fn
from agir.runtime.control.mapping import scan as scan
from agir.runtime.control.mapping import vectorized_map as vectorized_map
from agir.runtime.control.ordering import control_dependencies as control_dependencies
from agir.runtime.control.ordering import group as group
from agir.runtime.control.ordering import no_op as no_op
from agir.runtime.control.while_loop import while_loop as while_loop
from agir.runtime.effects.assertions import Assert as Assert
from agir.runtime.effects.host_functions import numpy_function as numpy_function
from agir.runtime.effects.host_functions import py_function as py_function
from agir.runtime.effects.printing import print as print

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
