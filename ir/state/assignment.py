"""What may be assigned to a variable, and how an assignment is recorded.

A value has to keep what it is: its dtype promotes to the variable's, Python numbers and NumPy data
take the variable's where that is of their kind; the shape has to agree, and is not broadcast.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agir import errors
from agir.errors import AssignmentError
from agir.ir.building.types import DType, Shape, TensorType, as_dtype, promote
from agir.ir.emission import emit
from agir.ir.emission.failing import succeeded
from agir.ir.ops.indexing import indexing
from agir.ir.python.asked import Asked
from agir.ir.recording import explained
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

_CATEGORY = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


class Assignable(Asked):
    """A variable, as its assignments see it."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """What messages call it."""
        raise NotImplementedError


def refusal(message: str) -> AssignmentError:
    """The error, with the user's line where a function is traced."""
    return AssignmentError(explained(message))


# Shapes.


def declared_shape(shape: Any) -> Shape:
    """A shape as the user gives it: sizes, of which None is unknown."""
    if getattr(shape, "rank", 0) is None:
        raise ValueError("a Variable needs a known number of dimensions: give their sizes or None")
    sizes = shape if isinstance(shape, Sequence) or hasattr(shape, "__iter__") else (shape,)
    return tuple(None if size is None else int(size) for size in sizes)


def agrees(shape: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Whether two shapes are the same as far as they are known."""
    return len(shape) == len(wanted) and all(
        a is None or b is None or a == b for a, b in zip(shape, wanted, strict=True)
    )


def shown(shape: Sequence[Any]) -> str:
    """A shape in a message."""
    return str(list(shape)).replace("None", "?")


def _check_shape(
    variable: Assignable, what: str, given: Sequence[Any], wanted: Sequence[Any]
) -> None:
    if not agrees(given, wanted):
        raise refusal(
            f"{what} of a value of shape {shown(given)} to the Variable {variable.name!r} of shape "
            f"{shown(wanted)}: the shapes have to be the same; reshape or broadcast the value"
        )


# Dtypes.


def _check_dtype(given: TensorType, is_data: bool, wanted: DType, what: str) -> None:
    source = given.dtype
    if given.weak:
        fits = _CATEGORY[source.kind] <= _CATEGORY[wanted.kind]
    elif is_data:
        fits = _CATEGORY[source.kind] <= _CATEGORY[wanted.kind] or source == wanted
    else:
        fits = promote(TensorType(source, ()), TensorType(wanted, ()))[0] == wanted
    if not fits:
        given_text = f"a Python {_PYTHON[source.kind]}" if given.weak else f"{source} values"
        raise refusal(
            f"{what} of {given_text} to a Variable of dtype {wanted} loses information: convert "
            f"with agir.cast(x, agir.{wanted.name}) first"
        )


_PYTHON = {"b": "bool", "u": "int", "i": "int", "f": "float", "c": "complex number"}


def _holds_typed(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_typed, value))
    return hasattr(value, "dtype")


def literal(value: Any, dtype: DType, what: str) -> np.ndarray[Any, Any]:
    """Numbers, lists of numbers and NumPy data as an array of the dtype."""
    if isinstance(value, Tensor):
        value, is_data = value.numpy(), False
    else:
        is_data = True
    try:
        array = np.asarray(value)
        given = TensorType(as_dtype(array.dtype), array.shape, is_data and not _holds_typed(value))
    except (TypeError, ValueError) as error:
        raise refusal(
            f"{what} of something that is no array of numbers: {errors.message(error)}"
        ) from None
    if array.size or _holds_typed(value):
        _check_dtype(given, is_data, dtype, what)
    try:
        return np.asarray(value, dtype.numpy)
    except OverflowError as error:
        raise refusal(f"{what} to a Variable of dtype {dtype}: {errors.message(error)}") from None


# Outside of traces.


def converted(variable: Assignable, what: str, value: Any) -> np.ndarray[Any, Any]:
    """The value as an array of the variable's dtype."""
    return literal(value, variable.dtype, what)


def fitting(variable: Assignable, what: str, value: Any) -> np.ndarray[Any, Any]:
    """The value as an array of the variable's dtype and shape."""
    array = converted(variable, what, value)
    _check_shape(variable, what, array.shape, variable.shape)
    return array


# In traces.


def _operand(current: Trace, value: Any, dtype: DType, what: str) -> Any:
    """What is assigned: a tensor of the trace, or an array of the dtype."""
    if isinstance(value, (list, tuple)) and dispatch.any_symbolic((value,), {}):
        value = emit.lift(current, value)
    if not isinstance(value, SymbolicTensor):
        return value if getattr(value, "dtype", None) == dtype else literal(value, dtype, what)
    _check_dtype(value.type, False, dtype, what)
    return value


def assign(
    current: Trace, variable: Assignable, what: str, operation: str | None, value: Any
) -> None:
    """Record an assignment, or the addition or subtraction of a value."""
    dtype = variable.dtype
    operand = _operand(current, value, dtype, what)
    tensor = emit.lift(current, operand)
    target: Sequence[Any] = variable.shape if operation is None else variable.dims
    plain = variable.shape
    _check_shape(variable, what, tensor.shape, plain)
    dims = tensor.dims
    ssa = emit.convert(current, tensor.ssa, tensor.dtype, dtype, dims)
    ssa = _checked(current, variable, ssa, dims, target)
    if operation is not None:
        delta = current.make(ssa, dtype, variable.dims)
        ssa = dispatch.call(operation, variable.read_value(), delta).ssa
    variable.storage.write(current, ssa)


def _checked(
    current: Trace, variable: Assignable, ssa: Any, given: Dims, wanted: Sequence[Any]
) -> Any:
    """The value in the variable's MLIR type; sizes that only the run time knows are checked."""
    ok: Any = None
    for mine, theirs in zip(wanted, given, strict=True):
        if mine is None or mine is theirs or (isinstance(mine, int) and mine == theirs):
            continue
        one, two = emit.dim_value(current, mine), emit.dim_value(current, theirs)
        same = current.compare("eq", one, two)
        text = f"the Variable {variable.name!r} and what is assigned to it differ in a size"
        numbers = [emit.from_index(current, each) for each in (one, two)]
        current.guard(same, current.site("shape", text), *numbers)
        ok = emit.both(current, ok, same)
    kind = variable.mlir_type

    def fitted() -> Any:
        return ssa if ssa.type == kind else current.op("tensor.cast", kind, ssa)

    return fitted() if ok is None else loops.if_ok(current, ok, fitted, lambda: variable.ssa)


def put(current: Trace, variable: Assignable, key: Any, value: Any) -> None:
    """Record ``variable[key] = value``."""
    what = "item assignment"
    with current.at_user_line():
        operand = _operand(current, value, variable.dtype, what)
        if not variable.shape:
            if key is not Ellipsis and key != ():
                raise IndexError(
                    current.explain(f"too many indices for the scalar Variable {variable.name!r}")
                )
            assign(current, variable, what, None, operand)
            return
    indexing.assign(variable, key, operand)


def unless_failed(current: Trace, new: Any, old: Any) -> Any:
    """The new value; the old one where something has failed that a handler may be waiting for."""
    if new.type != old.type:
        new = current.op("tensor.cast", old.type, new)
    if not (current.tries and current.error is not None and current.can_fail):
        return new
    return loops.if_ok(current, succeeded(current), lambda: new, lambda: old)
