"""The operation table: every operation by name, and by the NumPy function that means it.

It is at the bottom, so that the operators of tensors can look into it; ``ir/tensors/dispatch.py``
says what an operation is, and ``ir/ops`` fills it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.config import config, nearest
from agir.ir import hooks
from agir.ir.registry import Registry


class _Table(Registry[Any]):
    """What is filled by modules that are imported when an operation is first asked for."""

    def __missing__(self, name: str) -> Any:
        hooks.recorder()
        if name not in self:
            config.load_plugins()
        if name not in self:
            raise LookupError(f"agir has no operation {name!r}{nearest(name, self)}")
        return self[name]


TABLE: Registry[Any] = _Table("operation", {})
"""Every operation by name, in the order of definition."""

NUMPY: dict[Callable[..., Any], Any] = {}
"""The operation that stands for a NumPy function or ufunc met on a traced array."""
