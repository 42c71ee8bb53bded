"""Names of groups of operations, for whoever reads the IR."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ContextDecorator, contextmanager
from contextvars import ContextVar
from typing import Any

from agir.errors import OperandValueError
from agir.ir.recording import explained
from agir.ir.tracing import trace

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


class NameScope(ContextDecorator, AbstractContextManager[str]):
    """What `name_scope` gives: a context, which can be entered again, or decorate a function."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._entered: list[AbstractContextManager[str]] = []

    @property
    def name(self) -> str:
        """The name, without those of the scopes around it."""
        return self._name

    def __enter__(self) -> str:
        context = _recording(self._name)
        whole = context.__enter__()
        self._entered.append(context)
        return whole

    def __exit__(self, *exception: Any) -> bool | None:
        return self._entered.pop().__exit__(*exception)


def name_scope(name: str) -> NameScope:
    """A context in which the operations that are recorded carry a name.

    ::

        with ag.name_scope("attention"):
            y = ag.matmul(q, k)

    The locations of the operations in it are called ``attention`` (``outer/attention`` where scopes
    nest), and the names of variables that are made in it begin so.  Gives the whole name.

    >>> with ag.name_scope("attention"):
    ...     y = ag.constant(1)

    Raises: OperandValueError for a name that is none
    """
    if not isinstance(name, str):
        message = f"the name of a name_scope is a text, not {name!r}"
        raise OperandValueError(explained(message))
    return NameScope(name)


@contextmanager
def _recording(name: str) -> Iterator[str]:
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
