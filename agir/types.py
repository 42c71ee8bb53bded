"""The classes of decorated functions, and the protocol of types of arguments."""

from agir.runtime.concrete import ConcreteFunction
from agir.runtime.function import GenericFunction
from agir.runtime.function_type import FunctionType
from agir.runtime.trace_types import SupportsTracing, TraceType, TracingContext

__all__ = [
    "ConcreteFunction",
    "FunctionType",
    "GenericFunction",
    "SupportsTracing",
    "TraceType",
    "TracingContext",
]


def __dir__() -> list[str]:
    return __all__
