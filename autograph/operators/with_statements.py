"""`with`."""

from __future__ import annotations

from typing import Any

from agir.autograph.operators.staging import active

__all__ = ["managed"]


def managed(manager: Any) -> Any:
    """The context manager of a `with` statement, in the body of which something may fail."""
    for staging in active():
        manager = staging.managed(manager)
    return manager
