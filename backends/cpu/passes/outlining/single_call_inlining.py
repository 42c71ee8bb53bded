"""A function of the library that is called at one place only is put there.

Then what it makes is known to be of no use elsewhere: a text that is put at the end of another one
needs no memory of its own.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from agir.backends.cpu.passes.analysis.functions import library_functions
from agir.backends.mlir.modules import find

_NO_INLINE = "no_inline"


def inline_single_calls(module: Any) -> None:
    """Let functions of the library be inlined that have one call, and give lists."""
    calls = find(module, "func.call")
    count = Counter(each.attributes["callee"].value for each in calls)
    making = library_functions(module, give_lists=True)
    for call in calls:
        name = call.attributes["callee"].value
        if name in making and count[name] == 1 and _NO_INLINE in call.attributes:
            del call.attributes[_NO_INLINE]
