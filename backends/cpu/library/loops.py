"""Which calls of elementary functions are in loops, and in loops that LLVM can vectorise."""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_COUNTED = frozenset({"scf.for", "scf.parallel", "scf.forall"})
_LOOPS = _COUNTED | {"scf.while"}


def is_in_loop(operation: Any) -> bool:
    """Whether it is inside a loop, or in a function of the library, which may be called by one."""
    return _loop(operation) is not None or _in_library(operation)


def may_be_vectorised(operation: Any) -> bool:
    """Whether the loop around it is counted, and no iteration waits for the one before it."""
    loop = _loop(operation)
    if loop is None:
        return _in_library(operation)
    return loop.name in _COUNTED and not _waits(operation, loop)


def _loop(operation: Any) -> Any | None:
    parent = operation.parent
    while parent is not None and parent.name not in _LOOPS:
        parent = parent.parent
    return parent


def _in_library(operation: Any) -> bool:
    parent = operation.parent
    while parent is not None and parent.name != "func.func":
        parent = parent.parent
    return parent is not None and parent.attributes["sym_name"].value.startswith("agir.")


def _waits(operation: Any, loop: Any) -> bool:
    """Whether an operand is computed from a variable that the loop carries."""
    ir = bindings.ir
    body = loop.regions[0].blocks[0]
    seen: set[Any] = set()
    work = list(operation.operands)
    while work:
        value = work.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value.owner, ir.Block):
            if value.owner == body and ir.BlockArgument(value).arg_number > 0:
                return True
        elif _is_inside(value.owner, loop):
            work += (given for inner in _with_inner(value.owner) for given in inner.operands)
    return False


def _with_inner(operation: Any) -> list[Any]:
    return walk(operation) if len(operation.regions) else [operation]


def _is_inside(operation: Any, loop: Any) -> bool:
    parent = operation.parent
    while parent is not None and parent != loop:
        parent = parent.parent
    return parent is not None
