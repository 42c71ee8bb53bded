"""A search that has been made is not made again: ``d[k] = d.get(k, 0) + 1`` looks for ``k`` once.

What the library in Python has found for a key in a table, it finds for that key in that table wherever
control gets from there.  A table that has been changed is another value.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.modules import find
from agir.ir.attributes import LIBRARY


def eliminate_common_searches(module: Any) -> None:
    """Replace calls of functions that only read by the results of equal calls before them."""
    reading = {
        each.attributes["sym_name"].value
        for each in find(module, "func.func")
        if LIBRARY in each.attributes and not each.attributes[LIBRARY].value
    }
    earlier: dict[tuple[Any, ...], list[Any]] = {}
    for call in find(module, "func.call") if reading else ():
        callee = call.attributes["callee"].value
        if callee not in reading:
            continue
        equal = earlier.setdefault((callee, *call.operands), [])
        found = next((each for each in equal if _is_inside(call, each.block)), None)
        if found is None:
            equal.append(call)
        else:
            _replace(call, found)


def _is_inside(operation: Any, block: Any) -> bool:
    """Whether an operation is in a block, or in an operation of it: after others that come first."""
    while operation.name not in ("func.func", "builtin.module"):
        if operation.block == block:
            return True
        operation = operation.parent
    return False


def _replace(call: Any, found: Any) -> None:
    for old, new in zip(call.results, found.results, strict=True):
        old.replace_all_uses_with(new)
    call.erase()
