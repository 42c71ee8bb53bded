"""The classes of decorated functions, the protocol of types of arguments, and aliases for annotations.

The aliases are what may be given where a tensor (``TensorLike``), a dtype (``DTypeLike``), a shape
(``ShapeLike``) or an axis (``AxisLike``) is asked for.
"""

from agir.ir.tensors.likes import AxisLike, DTypeLike, ShapeLike, TensorLike
from agir.runtime.concrete import ConcreteFunction
from agir.runtime.function import GenericFunction
from agir.runtime.signatures.function_type import FunctionType
from agir.runtime.signatures.trace_types import SupportsTracing, TraceType, TracingContext

__all__ = [
    "AxisLike",
    "ConcreteFunction",
    "DTypeLike",
    "FunctionType",
    "GenericFunction",
    "ShapeLike",
    "SupportsTracing",
    "TensorLike",
    "TraceType",
    "TracingContext",
]


def __dir__() -> list[str]:
    return __all__
