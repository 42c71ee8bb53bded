"""The classes of decorated functions, the protocol of types of arguments, and aliases for annotations.

The aliases are what may be given where a tensor (``TensorLike``), a dtype (``DTypeLike``), a shape
(``ShapeLike``) or an axis (``AxisLike``) is asked for.
"""

import typing as _typing

from agir.ir.tensors.likes import AxisLike as AxisLike
from agir.ir.tensors.likes import DTypeLike as DTypeLike
from agir.ir.tensors.likes import ShapeLike as ShapeLike
from agir.ir.tensors.likes import TensorLike as TensorLike
from agir.names import public as _public
from agir.runtime.concrete import ConcreteFunction as ConcreteFunction
from agir.runtime.function import GenericFunction as GenericFunction
from agir.runtime.signatures.function_type import FunctionType as FunctionType
from agir.runtime.signatures.trace_types import SupportsTracing as SupportsTracing
from agir.runtime.signatures.trace_types import TraceType as TraceType
from agir.runtime.signatures.trace_types import TracingContext as TracingContext

if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())

    def __dir__() -> list[str]:
        return __all__
