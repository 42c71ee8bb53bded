"""The table of all rules: operation name → rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.errors import UndefinedBehaviour, UnsupportedOperation

from . import arith, complex_, func, linalg, math, scf, tensor
from .operation import Operation, Rule

OPERATIONS: dict[str, Rule] = {
    **arith.OPERATIONS,
    **math.OPERATIONS,
    **complex_.OPERATIONS,
    **tensor.OPERATIONS,
    **linalg.OPERATIONS,
    **func.OPERATIONS,
}
"""Rules whose function takes the operands."""

REGION_OPERATIONS: dict[str, Rule] = {
    **tensor.REGION_OPERATIONS,
    **linalg.REGION_OPERATIONS,
    **scf.REGION_OPERATIONS,
}
"""Rules whose function takes the frame, then the operands."""

TERMINATORS = func.TERMINATORS | scf.TERMINATORS | tensor.TERMINATORS | linalg.TERMINATORS

_SCALAR_DIALECTS = ("arith.", "math.", "complex.")
_READS_OF_TENSORS = ("tensor.extract", "tensor.dim")


def prepare(operation: Operation) -> Callable[..., Any]:
    """The function that executes ``operation``."""
    rule = OPERATIONS.get(operation.name) or REGION_OPERATIONS.get(operation.name)
    if rule is None:
        raise UnsupportedOperation("there is no rule for this operation")
    function = rule(operation)
    if _maps_over_tensors(operation):
        return _check_shapes(function, operation)
    return function


def is_elementwise(operation: Operation) -> bool:
    """Whether the operation means the same when arrays stand for its scalars."""
    operands = operation.operands
    if operation.name in _READS_OF_TENSORS:
        operands = operands[1:]
    elif operation.name != "linalg.index" and not operation.name.startswith(_SCALAR_DIALECTS):
        return False
    return not any(type_.is_tensor for type_ in operands + operation.results)


def _maps_over_tensors(operation: Operation) -> bool:
    return operation.name.startswith(_SCALAR_DIALECTS) and (
        sum(type_.is_tensor for type_ in operation.operands) > 1
    )


def _check_shapes(function: Callable[..., Any], operation: Operation) -> Callable[..., Any]:
    """Elementwise operations do not broadcast: unequal run-time shapes are undefined."""
    tensors = [index for index, type_ in enumerate(operation.operands) if type_.is_tensor]

    def checked(*operands: Any) -> Any:
        shapes = {operands[index].shape for index in tensors}
        if len(shapes) > 1:
            raise UndefinedBehaviour(f"elementwise operands of shapes {sorted(shapes)}")
        return function(*operands)

    return checked
