"""Which operations of a ``while`` can be done for several iterations at once, and what each becomes."""

from __future__ import annotations

from functools import cache
from typing import Any

from agir.backends.cpu.library import complex_
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_NOT_FOR_VECTORS = frozenset(
    {"arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi",
     "arith.ceildivsi", "arith.ceildivui"}
)  # fmt: skip
"""What processors have no vector instruction for: LLVM would do one lane after the other."""

_MATH = frozenset(
    {"math.absf", "math.absi", "math.ceil", "math.copysign", "math.floor", "math.fma", "math.rint",
     "math.roundeven", "math.sqrt", "math.trunc", "math.ctpop"}
)  # fmt: skip
"""The functions that are single instructions; the others are the library's, or C's."""

_COMPLEX = frozenset(
    {"complex.create", "complex.re", "complex.im", "complex.add", "complex.sub", "complex.mul",
     "complex.neg", "complex.conj", "complex.eq", "complex.neq", "complex.constant"}
)  # fmt: skip
_CONTROL = frozenset({"scf.if", "scf.yield", "scf.condition"})
_ACCESSES = frozenset({"memref.load", "memref.store"})
_HALVES = ("f16", "bf16")
_MOST = 200


def all_known(repeat: Any) -> bool:
    """Whether everything in a ``scf.while`` can be done for several iterations at once."""
    inside = walk(repeat)[1:]
    return len(inside) <= _MOST and all(is_known(each) for each in inside)


def is_known(operation: Any) -> bool:
    """Whether an operation can be done for several iterations at once."""
    name = operation.name
    if any(str(value.type) in _HALVES for value in operation.results):
        return False
    if name.startswith("arith."):
        return name not in _NOT_FOR_VECTORS
    if name in _ACCESSES:
        return _is_plain(operation)
    return name in _MATH or name in _COMPLEX or name in _CONTROL or library(operation) is not None


def _is_plain(access: Any) -> bool:
    """Whether the array has numbers for elements, one after the other, in the order of its axes."""
    kind = access.operands[1 if access.name == "memref.store" else 0].type
    element = str(kind.element_type)
    numbers = not element.startswith("complex") and element not in ("i1", *_HALVES)
    return bool(numbers and kind.rank and kind.layout == _identity(kind.rank))


def _identity(rank: int) -> Any:
    ir = bindings.ir
    return ir.AffineMapAttr.get(ir.AffineMap.get_identity(rank))


def library(operation: Any) -> str | None:
    """The text of the function that the library has for an operation, if it is one for all lanes."""
    if not operation.name.startswith("complex.") or not len(operation.operands):
        return None
    return _texts().get((operation.name, str(operation.operands[0].type)))


@cache
def _texts() -> dict[tuple[str, str], str]:
    return {(each.operation, each.operand): each.write() for each in complex_.in_lanes()}


def is_short(operations: list[Any]) -> bool:
    """Whether it is cheaper to do the operations for no lane than to ask whether there is one."""
    return len(operations) <= 8 and not any(
        each.name in ("arith.divf", "math.sqrt", "scf.if", "memref.load") or library(each)
        for each in operations
    )
