"""Symbolic tensors: what stands for a run-time value while a function is traced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from agir.errors import OperatorNotAllowedInGraphError
from agir.ir import bindings
from agir.ir.cells import Cell, Scope
from agir.ir.dispatch import hooks
from agir.ir.tensor import Tensor
from agir.ir.types import DType, Shape, TensorType, mlir_type

if TYPE_CHECKING:
    from agir.ir.trace import Trace


class Dim:
    """A dimension known only at run time.

    Two tensors that share a ``Dim`` have equal extents there, so nothing needs to be checked when
    they meet.  The extent is read from the tensor (``tensor.dim``) when it is first asked for, right
    after the tensor's definition, so that it is visible wherever the tensor is.
    """

    __slots__ = ("_axis", "_source", "_value")

    def __init__(self, value: Any = None, source: Any = None, axis: int = 0) -> None:
        self._value = value
        self._source = source
        self._axis = axis

    def value(self, trace: Trace) -> Any:
        """The extent as an SSA value of type ``index``."""
        if self._value is None:
            self._value = trace.insert_dim(self._source, self._axis)
        return self._value


    def is_visible_in(self, scope: Scope) -> bool:
        """True where the extent may be used in the scope, whose blocks are still detached."""
        ssa = self._source if self._value is None else self._value
        owner = ssa.owner
        block = owner if isinstance(owner, bindings.ir.Block) else owner.operation.block
        around: Scope | None = scope
        while around is not None:
            if around.block == block:
                return True
            around = around.parent
        return False


Dims = tuple["int | Dim", ...]


def static_shape(dims: Dims) -> Shape:
    """The dimensions as ints, ``None`` for one that is known only at run time."""
    return tuple(d if isinstance(d, int) else None for d in dims)


class Fixed:
    """Storage of a value that never changes: scalars, and results nobody can write to."""

    __slots__ = ("home", "ssa")

    def __init__(self, home: Scope, ssa: Any) -> None:
        self.home = home
        self.ssa = ssa

    def read(self, trace: Trace) -> Any:
        """The SSA value; ``LookupError`` outside the region in which it exists."""
        if not trace.scope.encloses(self.home):
            raise LookupError
        return self.ssa


class Owned:
    """Storage of an array of its own: a cell."""

    __slots__ = ("cell",)

    def __init__(self, home: Scope, ssa: Any) -> None:
        self.cell = Cell(home, ssa)

    def read(self, trace: Trace) -> Any:
        """The array's current SSA value."""
        return trace.scope.read(self.cell)

    def write(self, trace: Trace, ssa: Any) -> None:
        """Give the array new contents."""
        trace.scope.write(self.cell, ssa)


_CONCRETE = (
    "{what} needs the value of a tensor that has none yet: it is being traced, and its value exists "
    "only when the compiled function runs. {advice}"
)


class SymbolicTensor(Tensor):
    """A tensor that exists when the traced function runs."""

    __slots__ = ("_dtype", "dims", "storage", "trace", "weak")

    def __init__(
        self, trace: Trace, storage: Any, dtype: DType, dims: Dims, weak: bool = False
    ) -> None:
        self.trace = trace
        self.storage = storage
        self._dtype = dtype
        self.dims = dims
        self.weak = weak

    @property
    def is_symbolic(self) -> bool:
        return True

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def shape(self) -> Shape:
        return static_shape(self.dims)

    @property
    def type(self) -> TensorType:
        return TensorType(self._dtype, self.shape, self.weak)

    @property
    def mlir_type(self) -> Any:
        """The MLIR type of the value."""
        return mlir_type(self._dtype, self.shape)

    @property
    def ssa(self) -> Any:
        """The current SSA value, as seen where recording stands."""
        current = hooks.current() or self.trace
        return current.read(self)

    def numpy(self) -> np.ndarray[Any, Any]:
        self._refuse("numpy()", "Return the tensor, or print it with agir.print.")

    def __setitem__(self, key: Any, value: Any) -> None:
        from agir.ir.ops import indexing

        indexing.assign(self, key, value)

    def _in_place(self, name: str, other: Any) -> Any:
        if not self.trace.convention.arrays_are_mutable or not self.dims:
            return NotImplemented
        from agir.ir.ops import indexing

        return indexing.update_in_place(self, name, other)

    def __iadd__(self, other: Any) -> Any:
        return self._in_place("add", other)

    def __isub__(self, other: Any) -> Any:
        return self._in_place("subtract", other)

    def __imul__(self, other: Any) -> Any:
        return self._in_place("multiply", other)

    def __itruediv__(self, other: Any) -> Any:
        return self._in_place("divide", other)

    def __ifloordiv__(self, other: Any) -> Any:
        return self._in_place("floor_divide", other)

    def __imod__(self, other: Any) -> Any:
        return self._in_place("remainder", other)

    def __ipow__(self, other: Any) -> Any:
        return self._in_place("power", other)

    def __iand__(self, other: Any) -> Any:
        return self._in_place("bitwise_and", other)

    def __ior__(self, other: Any) -> Any:
        return self._in_place("bitwise_or", other)

    def __ixor__(self, other: Any) -> Any:
        return self._in_place("bitwise_xor", other)

    # Python asks for the value.

    def _refuse(self, what: str, advice: str) -> NoReturn:
        message = _CONCRETE.format(what=what, advice=advice)
        raise OperatorNotAllowedInGraphError(self.trace.explain(message))

    def __bool__(self) -> bool:
        self._refuse(
            "bool(tensor)",
            "Data-dependent control flow is recorded in functions that AutoGraph converts; here "
            "the condition is evaluated by Python itself.",
        )

    def __int__(self) -> int:
        self._refuse("int(tensor)", "Use agir.cast(x, agir.int64) to convert it at run time.")

    def __float__(self) -> float:
        self._refuse("float(tensor)", "Use agir.cast(x, agir.float64) to convert it at run time.")

    def __complex__(self) -> complex:
        self._refuse("complex(tensor)", "Use agir.cast(x, agir.complex128).")

    def __index__(self) -> int:
        self._refuse(
            "using a tensor as a Python integer",
            "A Python list, range or shape needs an int that is known while tracing; make it a "
            "static argument, or index a tensor instead.",
        )

    def __len__(self) -> int:
        if not self.dims:
            raise TypeError("len() of a scalar tensor: it has no dimensions")
        extent = self.dims[0]
        if isinstance(extent, int):
            return extent
        self._refuse("len(tensor)", "Its first dimension is dynamic; use agir.shape(x)[0].")

    def __iter__(self) -> Iterator[Any]:
        if not self.dims:
            raise TypeError("iteration over a scalar tensor: it has no dimensions")
        extent = self.dims[0]
        if isinstance(extent, int):
            return (self[i] for i in range(extent))
        self._refuse(
            "iteration outside converted code", "Its first dimension is known only at run time."
        )

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        self._refuse("numpy.asarray(tensor)", "Use an operation of agir, or of NumPy on tensors.")

    def __format__(self, spec: str) -> str:
        if spec:
            self._refuse("formatting a tensor as a number", "Print it with agir.print.")
        return repr(self)

    def __repr__(self) -> str:
        return f"<symbolic tensor {self.type}>"

