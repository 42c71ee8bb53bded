"""How a variable begins: its initial value, its shape, and TensorFlow's options without effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.errors import AssignmentError, OperandTypeError, OperandValueError
from agir.ir.building.types import DType, Shape
from agir.ir.state import assignment
from agir.ir.tensors import dispatch
from agir.ir.tensors.tensor import Tensor

_ACCEPTED = {
    "validate_shape",
    "caching_device",
    "synchronization",
    "aggregation",
    "import_scope",
    "variable_def",
    "experimental_enable_variable_lifting",
}
"""Options of TensorFlow's that have no effect."""


def check_options(given: dict[str, Any]) -> None:
    """Refuse arguments that a variable does not have."""
    unknown = sorted(set(given) - _ACCEPTED)
    if unknown:
        raise OperandTypeError(f"Variable() got an unexpected keyword argument {unknown[0]!r}")


def first_value(value: Any, dtype: DType | None, constant: Callable[..., Any]) -> Any:
    """The initial value as a tensor, made by ``constant``."""
    if value is None:
        raise OperandValueError("a Variable needs an initial value")
    made = constant(value)
    if dtype is None or made.dtype == dtype:
        return made
    if made.is_symbolic or isinstance(value, Tensor):
        return dispatch.call("cast", made, dtype)
    return constant(assignment.literal(value, dtype, "the initial value of a Variable"))


def declared(shape: Any, value: Any) -> Shape:
    """The shape of a variable, from what the user asks for and the initial value's."""
    if shape is None:
        found: Shape = value.shape
        return found
    wanted = assignment.declared_shape(shape)
    if not assignment.agrees(value.shape, wanted):
        raise AssignmentError(
            f"a Variable of shape {assignment.shown(wanted)} cannot have an initial value of shape "
            f"{assignment.shown(value.shape)}"
        )
    return wanted
