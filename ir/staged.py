"""Python values that stand for run-time values and are not tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agir.ir.trace import Trace


class Staged:
    """A value on which control flow has to be recorded."""

    __slots__ = ()

    @property
    def is_staged(self) -> bool:
        """False for one that turns out to be an ordinary Python value so far."""
        return True

    def truth(self, trace: Trace) -> Any:
        """The truth value as an SSA ``i1``."""
        raise NotImplementedError

    def operand(self) -> Any:
        """What an operation takes in its place."""
        return self

    def frozen(self) -> Any:
        """What stays as this is now."""
        return self
