"""How much there is to do in a call: with little to do, other threads need not be let in."""

from __future__ import annotations

import math
from typing import Any, Protocol

from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

LITTLE = 32_768
"""Operations on numbers: about ten microseconds."""

_OPERATIONS = 500
"""Longer programs are not looked through."""

_DEAR = {"math": 16, "complex": 16}
"""What an operation of a dialect costs, in additions."""

_FREE = frozenset(("arith.constant", "func.return", "tensor.empty", "linalg.yield"))

_ELEMENTWISE = frozenset(("generic", "map", "fill", "transpose", "broadcast", "index"))
"""Of ``linalg``: an iteration for each element of a result."""

_UNKNOWN = frozenset(("scf.while", "func.call", "scf.for"))


class Program(Protocol):
    """What is asked of a program: its stages."""

    def get(self, stage: str) -> Any:
        """The stage of this name."""


def is_little(program: Program) -> bool:
    """Whether a call surely has little to do, whatever the values."""
    operations = walk(program.get("hlo"))
    if len(operations) > _OPERATIONS:
        return False
    total = 0
    with bindings.context():
        for operation in operations:
            if operation.name in _UNKNOWN:
                return False
            total += _cost(operation)
            if total > LITTLE:
                return False
    return True


def _cost(operation: Any) -> int:
    """Of an operation that runs once, or once for each element; those inside others count once."""
    dialect, _, name = operation.name.partition(".")
    if operation.name in _FREE:
        return 0
    sizes = [_size(value.type) for value in (*operation.operands, *operation.results)]
    if None in sizes:
        return LITTLE + 1
    known = [size or 0 for size in sizes]
    if dialect != "linalg":
        return _DEAR.get(dialect, 1) * max(known, default=1)
    body = [inner for inner in walk(operation) if inner.name not in _FREE]
    inside = sum(_DEAR.get(inner.name.partition(".")[0], 1) for inner in body)
    is_parallel = "reduction" not in str(operation.attributes.get("iterator_types", ""))
    if name in _ELEMENTWISE and is_parallel:
        return inside * max(known, default=1)
    product = math.prod(known[: len(operation.operands)])  # of a matrix product, the square
    return inside * max(*known, 1, math.isqrt(product))


def _size(kind: Any) -> int | None:
    """How many elements; None where that is not known."""
    if not isinstance(kind, bindings.ir.RankedTensorType):
        return 1
    return math.prod(kind.shape) if kind.has_static_shape else None
