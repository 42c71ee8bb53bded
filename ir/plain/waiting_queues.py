"""The queues of Python's `queue`, for one thread: nobody else ever puts or takes an item.

Where Python would wait for another thread, and for ever, they raise ``queue.Empty`` or ``queue.Full``.
"""

from __future__ import annotations

import heapq
import queue
from collections import deque
from typing import Any

from agir.ir.plain.entering import StandIn

__ag_convert__ = True


def first_in_first_out(maxsize: Any = 0) -> Any:
    """``queue.Queue(maxsize)``."""
    return Queue(deque(), maxsize)


def last_in_first_out(maxsize: Any = 0) -> Any:
    """``queue.LifoQueue(maxsize)``."""
    return LifoQueue([], maxsize)


def least_first(maxsize: Any = 0) -> Any:
    """``queue.PriorityQueue(maxsize)``."""
    return PriorityQueue([], maxsize)


def simple() -> Any:
    """``queue.SimpleQueue()``."""
    return SimpleQueue(deque(), 0)


class Queue(StandIn):
    """What is put first is taken first."""

    stands_for: Any = queue.Queue
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: Any, maxsize: Any) -> None:
        self.queue = values
        self.maxsize = maxsize

    def plain(self) -> Any:
        """The queue that the caller gets."""
        made = self.stands_for(self.maxsize)
        made.queue = type(made.queue)(self.queue)
        return made

    def qsize(self) -> Any:
        """How many items are there."""
        return len(self.queue)

    def empty(self) -> Any:
        """Whether there is none."""
        return len(self.queue) == 0

    def full(self) -> Any:
        """Whether there are as many as may be."""
        return self.maxsize > 0 and len(self.queue) >= self.maxsize

    def _put(self, item: Any) -> None:
        self.queue.append(item)

    def _get(self) -> Any:
        return self.queue.popleft()

    def put(self, item: Any, block: bool = True, timeout: Any = None) -> None:
        """Add an item."""
        if self.full():
            raise queue.Full
        self._put(item)

    def get(self, block: bool = True, timeout: Any = None) -> Any:
        """Take an item out."""
        if len(self.queue) == 0:
            raise queue.Empty
        return self._get()

    def put_nowait(self, item: Any) -> None:
        """The same as ``put``."""
        self.put(item)

    def get_nowait(self) -> Any:
        """The same as ``get``."""
        return self.get()

    def task_done(self) -> None:
        """Nobody waits for it."""

    def join(self) -> None:
        """There is nobody to wait for."""


class LifoQueue(Queue):
    """What is put last is taken first."""

    stands_for = queue.LifoQueue

    def _get(self) -> Any:
        return self.queue.pop()


class PriorityQueue(Queue):
    """The least item is taken first."""

    stands_for = queue.PriorityQueue

    def _put(self, item: Any) -> None:
        heapq.heappush(self.queue, item)

    def _get(self) -> Any:
        return heapq.heappop(self.queue)


class SimpleQueue(Queue):
    """A queue without a bound."""

    stands_for = queue.SimpleQueue

    def plain(self) -> Any:
        """The queue that the caller gets."""
        made: Any = self.stands_for()
        for item in self.queue:
            made.put(item)
        return made
