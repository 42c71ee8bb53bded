"""The classes of state, graphs and shapes, under their public names."""

from agir.families.shapes import TensorShape as TensorShape
from agir.ir.state.variables import Variable as Variable
from agir.ir.tracing.naming import name_scope as name_scope
from agir.runtime.recording.graph import Graph as Graph
from agir.runtime.state.module import Module as Module
from agir.runtime.state.tensor_array import TensorArray as TensorArray

__all__ = ["Graph", "Module", "TensorArray", "TensorShape", "Variable", "name_scope"]
