"""The functions of control flow, of effects and of shapes, under TensorFlow's names."""

import typing as _typing

from agir.ir.ops.shapes.refinement import ensure_shape as ensure_shape
from agir.names import public as _public
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

if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())
