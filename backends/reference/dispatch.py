"""The table of all rules: operation name → rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agir.errors import UndefinedBehaviour, UnsupportedOperation

from .core.memory import MemRef
from .core.operation import Operation, Rule
from .dialects import (
    affine,
    arith,
    cf,
    complex_,
    func,
    linalg,
    llvm,
    math,
    memref,
    scf,
    tensor,
    vector,
)

OPERATIONS: dict[str, Rule] = {
    **affine.OPERATIONS,
    **arith.OPERATIONS,
    **math.OPERATIONS,
    **complex_.OPERATIONS,
    **tensor.OPERATIONS,
    **linalg.OPERATIONS,
    **func.OPERATIONS,
    **memref.OPERATIONS,
    **vector.OPERATIONS,
    **llvm.OPERATIONS,
}
"""Rules whose function takes the operands."""

REGION_OPERATIONS: dict[str, Rule] = {
    **tensor.REGION_OPERATIONS,
    **linalg.REGION_OPERATIONS,
    **scf.REGION_OPERATIONS,
    **memref.REGION_OPERATIONS,
}
"""Rules whose function takes the frame, then the operands."""

TERMINATORS = frozenset().union(
    *(dialect.TERMINATORS for dialect in (func, scf, tensor, linalg, memref, cf, llvm))
)

_SCALAR_DIALECTS = ("arith.", "math.", "complex.")
_READS_OF_TENSORS = ("tensor.extract", "tensor.dim")


def prepare(operation: Operation) -> Callable[..., Any]:
    """The function that executes ``operation``."""
    rule = OPERATIONS.get(operation.name) or REGION_OPERATIONS.get(operation.name)
    if rule is None:
        raise UnsupportedOperation("there is no rule for this operation")
    if operation.name.startswith("linalg.") and any(
        type_.is_memref for type_ in operation.operands
    ):
        return _in_place(rule, operation)
    function = rule(operation)
    if _maps_over_tensors(operation):
        return _check_shapes(function, operation)
    return function


def _in_place(rule: Rule, operation: Operation) -> Callable[..., Any]:
    """A structured operation on buffers, of which the last ones are its outputs."""
    takes_frame = operation.name in REGION_OPERATIONS
    types = tuple(
        replace(each, is_tensor=True, is_memref=False) if each.is_memref else each
        for each in operation.operands
    )
    count = _outputs(operation)
    function = rule(replace(operation, operands=types, results=types[-count:]))

    def run(*given: Any) -> tuple[()]:
        operands = [each.array if isinstance(each, MemRef) else each for each in given]
        found = function(*operands)
        for target, value in zip(operands[-count:], found if takes_frame else [found], strict=True):
            target[...] = value
        return ()

    return run


def _outputs(operation: Operation) -> int:
    """How many of the operands are outputs."""
    if operation.name == "linalg.reduce":
        return len(operation.operands) // 2
    segments = operation.attribute("operandSegmentSizes")
    return segments[-1] if segments else 1


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
