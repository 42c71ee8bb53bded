"""What a staged ``for`` can run over: its number of items and each of them can be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.errors import OperatorNotAllowedInGraphError
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.sequences.lists import TracedList


class Counted:
    """An iterable whose number of items and whose item at a position can be asked for."""

    trace: Trace

    @property
    def count(self) -> Any:
        """How many items there are: an int, or an SSA ``index``."""
        raise NotImplementedError

    def item(self, position: Any) -> Any:
        """The item at a position, an SSA ``index``."""
        raise NotImplementedError

    @property
    def is_staged(self) -> bool:
        """False for one that Python can iterate over so far."""
        return True

    @property
    def is_recordable(self) -> bool:
        """Whether a loop over it, if Python can run it, may be recorded instead."""
        return True

    @property
    def holds_run_time(self) -> bool:
        """Whether items that Python can ask for may be, or hold, what only the run time knows."""
        return True

    def lists(self) -> list[TracedList]:
        """The lists that it reads while it is iterated over."""
        return []

    def beside(self) -> list[Any]:
        """The iterators that it takes items from."""
        return []

    def has(self, position: SymbolicTensor) -> Any:
        """Whether there is an item at that position now."""
        count = self.count
        return position < (count if isinstance(count, int) else emit.counted(self.trace, count))

    def at(self, position: int) -> Any:
        """The item at a position that is known while tracing."""
        return self.item(self.trace.index(position))

    def __iter__(self) -> Iterator[Any]:
        position = 0
        while position < self._known_count():
            yield self.at(position)
            position += 1

    def _known_count(self) -> int:
        count = self.count
        if isinstance(count, int):
            return count
        raise OperatorNotAllowedInGraphError(
            self.trace.explain(
                "iteration outside converted code needs the number of items, which is known only "
                "at run time"
            )
        )
