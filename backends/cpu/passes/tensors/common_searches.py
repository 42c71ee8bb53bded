"""A search that has been made is not made again: ``d[k] = d.get(k, 0) + 1`` looks for ``k`` once.

What the library in Python has found for a key in a table, it finds for that key in that table wherever
control gets from there.  A table that has been changed is another value.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.functions import library_functions
from agir.backends.mlir.making import use_instead
from agir.backends.mlir.modules import find, in_block


def eliminate_common_searches(module: Any) -> None:
    """Replace calls of functions that only read by the results of equal calls before them."""
    reading = library_functions(module, give_lists=False)
    earlier: dict[tuple[Any, ...], list[Any]] = {}
    for call in find(module, "func.call") if reading else ():
        callee = call.attributes["callee"].value
        if callee not in reading:
            continue
        equal = earlier.setdefault((callee, *call.operands), [])
        found = next((each for each in equal if in_block(call, each.block) is not None), None)
        if found is None:
            equal.append(call)
        else:
            use_instead(call, found.results)
            call.erase()
