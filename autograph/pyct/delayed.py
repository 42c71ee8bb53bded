"""An expression that is to become a function: what an operator evaluates only where it needs it."""

from __future__ import annotations

from typing import Any

import gast


class Delayed(gast.expr):  # type: ignore[misc]
    """Stands for ``lambda: value`` from before the analysis to the pass over the expressions.

    The analysis sees the names in the value as the function's own, which those of a lambda are not.
    """

    _fields = ("value",)


def delayed(value: Any) -> Any:
    """The delayed expression, at the place of its value."""
    return gast.copy_location(Delayed(value), value)
