"""Pickling decorated functions: by the name under which their module has them."""

from __future__ import annotations

import pickle
import sys
from typing import Any

from agir.runtime.blame import at_caller


def qualified_name(function: Any) -> str:
    """The name by which unpickling finds the function again; ``PicklingError`` if it would not."""
    name: str = function.__qualname__
    found: Any = sys.modules.get(function.__module__)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is function:
        return name
    if "<lambda>" in name:
        reason = "it is a lambda; give it a name, with def, at the top level of its module"
    elif "<locals>" in name:
        reason = "it is defined inside a function; define it at the top level of its module"
    else:
        reason = (
            f"{function.__module__}.{name} is something else; the decorated function must be what "
            "that name stands for"
        )
    raise pickle.PicklingError(
        at_caller(f"{name} of {function.__module__} cannot be pickled by its name: {reason}")
    )
