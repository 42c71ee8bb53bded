"""The classes of state, graphs and shapes, under their public names."""

from agir.ir.naming import name_scope as name_scope
from agir.ir.state.variables import Variable as Variable
from agir.runtime.graph import Graph as Graph
from agir.runtime.state.module import Module as Module
from agir.runtime.state.tensor_array import TensorArray as TensorArray
from agir.shapes import TensorShape as TensorShape

__all__ = ["Graph", "Module", "TensorArray", "TensorShape", "Variable", "name_scope"]
