"""The classes of decorated functions, and the protocol of types of arguments."""

from agir.runtime.concrete import ConcreteFunction as ConcreteFunction
from agir.runtime.function import GenericFunction as GenericFunction
from agir.runtime.signatures.function_type import FunctionType as FunctionType
from agir.runtime.signatures.trace_types import SupportsTracing as SupportsTracing
from agir.runtime.signatures.trace_types import TraceType as TraceType
from agir.runtime.signatures.trace_types import TracingContext as TracingContext
