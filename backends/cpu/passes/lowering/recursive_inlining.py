"""Small recursive functions are inlined into themselves, a few levels deep.

What such a function does takes less time than its call, so it gains as a short loop gains from
unrolling.  LLVM inlines no function into itself.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.functions import block_of, functions, is_public
from agir.backends.mlir.making import use_instead
from agir.backends.mlir.modules import find, walk
from agir.ir.building import bindings

MOST_OPERATIONS = 256
"""How large a function may get."""

_COSTLY = ("scf.for", "scf.while", "memref.alloc", "memref.copy")


def inline_recursion(module: Any) -> None:
    """Put the body of a small function in the place of its calls of itself, where it pays."""
    ir = bindings.ir
    copies = ir.Module.create(ir.Location.unknown())
    for function in functions(module):
        if is_public(function) or not _is_small(function):
            continue
        with ir.InsertionPoint(copies.body):
            original = function.clone()
            size = len(walk(original))
            while calls := _own_calls(function):
                if len(walk(function)) + size * len(calls) > MOST_OPERATIONS:
                    break
                for call in calls:
                    _inline(function, call, original.clone())


def _is_small(function: Any) -> bool:
    return not any(
        operation.name in _COSTLY or operation.name.startswith("linalg.")
        for operation in walk(function)
    )


def _own_calls(function: Any) -> list[Any]:
    name = function.attributes["sym_name"].value
    return [call for call in find(function, "func.call") if call.attributes["callee"].value == name]


def _inline(function: Any, call: Any, copy: Any) -> None:
    """Put the body of a copy of the callee in the place of the call.

    What is on the stack is there from the beginning of the function: how much that is stays known.
    """
    entry, block = block_of(function), block_of(copy)
    for argument, value in zip(block.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(value)
    *body, leave = [view.operation for view in block.operations]
    for operation in body:
        if operation.name == "memref.alloca":
            operation.move_before(entry.operations[0])
        else:
            operation.move_before(call)
    use_instead(call, leave.operands)
    call.erase()
    copy.erase()
