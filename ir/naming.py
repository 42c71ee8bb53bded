"""Names of groups of operations, for whoever reads the IR."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from agir.ir import trace

_scope: ContextVar[str] = ContextVar("agir_name_scope", default="")


def scoped(name: str) -> str:
    """The name with the name scopes around it."""
    return f"{_scope.get()}/{name}" if _scope.get() else name


@contextmanager
def _inside(name: str) -> Iterator[str]:
    whole = scoped(name)
    token = _scope.set(whole)
    try:
        yield whole
    finally:
        _scope.reset(token)


@contextmanager
def name_scope(name: str) -> Iterator[str]:
    """A context in which the operations that are recorded carry a name.

    ::

        with ag.name_scope("attention"):
            y = ag.matmul(q, k)

    The locations of the operations in it are called ``attention`` (``outer/attention`` where scopes
    nest), and the names of variables that are made in it begin so.  Gives the whole name.
    """
    current = trace.current()
    with _inside(name) as whole:
        if current is None:
            yield whole
            return
        outer = current.name_scope
        current.name_scope = f"{outer}/{name}" if outer else name
        try:
            yield current.name_scope
        finally:
            current.name_scope = outer
