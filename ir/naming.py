"""Names of groups of operations, for whoever reads the IR."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from agir.ir import trace


@contextmanager
def name_scope(name: str) -> Iterator[str]:
    """A context in which the operations that are recorded carry a name.

    ::

        with ag.name_scope("attention"):
            y = ag.matmul(q, k)

    The locations of the operations in it are called ``attention`` (``outer/attention`` where scopes
    nest).  Gives the whole name.  Nothing else changes; outside of traced functions nothing does.
    """
    current = trace.current()
    if current is None:
        yield name
        return
    outer = current.name_scope
    current.name_scope = f"{outer}/{name}" if outer else name
    try:
        yield current.name_scope
    finally:
        current.name_scope = outer
