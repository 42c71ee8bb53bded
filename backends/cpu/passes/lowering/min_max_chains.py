"""Long chains of minima and maxima are hidden from LLVM's scalar evolution.

LLVM writes an integer as a formula of what it is made of, and follows each minimum and maximum on
all ways: ``low, high = min(low, high), max(low, high)`` ten times in a row are a thousand ways, and
thirty times more than a program can follow.  So a value that is made of others on too many ways goes
through an empty piece of assembler, which costs nothing and of which LLVM knows nothing.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

MOST_WAYS = 64
"""Ways through minima and maxima that LLVM is left to follow from one value."""

_EXTREMA = frozenset(f"llvm.intr.{each}" for each in ("smin", "smax", "umin", "umax"))
_FOLLOWED = frozenset(
    {f"llvm.{each}" for each in ("add", "sub", "mul", "sext", "zext", "trunc", "select", "shl")}
)


def hide_min_max_chains(module: Any) -> None:
    """End formulas where the ways through minima and maxima become too many."""
    ways: dict[Any, int] = {}
    for operation in walk(module):
        if operation.name in _EXTREMA or operation.name in _FOLLOWED:
            (result,) = operation.results
            found = [ways[each] for each in operation.operands if each in ways]
            number = sum(found) + (operation.name in _EXTREMA)
            if number > MOST_WAYS and operation.name in _EXTREMA:
                _hide(operation)
            elif number:
                ways[result] = number


def _hide(operation: Any) -> None:
    ir = bindings.ir
    (result,) = operation.results
    with ir.InsertionPoint.after(operation), operation.location:
        hidden = ir.Operation.create(
            "llvm.inline_asm",
            results=[result.type],
            operands=[result],
            attributes={
                "asm_string": ir.StringAttr.get(""),
                "constraints": ir.StringAttr.get("=r,0"),
            },
        )
    result.replace_all_uses_except(hidden.results[0], hidden)
