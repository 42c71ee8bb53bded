"""``collections.deque`` of traced functions: a list that is taken from at both ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from agir.ir.plain.hashed.bounded_queues import BoundedDeque
from agir.ir.tensors.staged import known_as
from agir.ir.tracing import trace
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import KINDS
from agir.ir.values.sequences.abstract_lists import abstract_of_list
from agir.ir.values.sequences.lists import STANDING, TracedList, traced_list


@known_as("deque")
class TracedDeque(TracedList):
    """A deque without a bound."""

    stands_for = parts_kind = deque
    empty = "an empty deque"

    def pop(self, index: Any = -1) -> Any:
        """Take the last item away."""
        if not self.is_staged and not list.__len__(self):
            raise IndexError(f"pop from {self.empty}")
        return super().pop(index)

    def popleft(self) -> Any:
        """Take the first item away."""
        return self.pop(0)

    def appendleft(self, value: Any) -> None:
        """Add an item at the left end."""
        self.insert(0, value)

    def extendleft(self, values: Iterable[Any]) -> None:
        """Add items at the left end, one after the other."""
        more = traced_list([])
        more.extend(values)
        more.reverse()
        more.extend(self)
        self._change()
        self.restore(more.snapshot())

    def rotate(self, n: Any = 1) -> None:
        """Move so many items from the right end to the left one."""
        here = self._here()
        if here is None and (isinstance(n, int) or not list.__len__(self)):
            queue = deque(list.__iter__(self))
            queue.rotate(n if isinstance(n, int) else 0)
            self._change()
            self.restore(list(queue))
            return
        current = trace.current()
        assert current is not None
        items = self.staged(current)
        with current.at_user_line():
            cut = items.modulo(-n)
            turned = items.part(cut, items.length).joined(items.part(0, cut))
        self._change()
        self.restore(turned)

    def __repr__(self) -> str:
        return super().__repr__() if self.is_staged else f"deque({list.__repr__(self)})"


def _deque(current: Trace | None, value: Iterable[Any]) -> Any:
    if not isinstance(value, deque) or value.maxlen is None:
        return TracedDeque(value)
    if current is None or not current.convention.arrays_are_mutable:
        return value
    return BoundedDeque(traced_list(list(value)), value.maxlen)


trace.REPRESENTED[deque] = _deque
STANDING[deque] = TracedDeque
KINDS[TracedDeque] = abstract_of_list
