"""What stands in a state for something that the caller of a compiled function knows already."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.ir.tracing.trace import Trace


class Mark:
    """Is told apart by identity, and is a constant of a trace."""

    __slots__ = ("__weakref__",)


class Given(Mark):
    """An argument of the compiled function: the caller's own array or container."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Outside(Mark):
    """A container that an attribute or a name of outside holds; ``get`` gives it."""

    __slots__ = ("get",)

    def __init__(self, get: Callable[[], Any]) -> None:
        self.get = get


class Same(Mark):
    """The same object as at another place; ``path`` leads there."""

    __slots__ = ("path",)

    def __init__(self, path: tuple[int, ...]) -> None:
        self.path = path


class Host(Mark):
    """An iterator that Python runs, by its number among those of a generator."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


class End(Mark):
    """Says that such an iterator has no more items."""

    __slots__ = ()


END = End()
_hosts: list[Host] = []
_same: dict[tuple[int, ...], Same] = {}


def host(number: int) -> Host:
    """The mark of an iterator."""
    while len(_hosts) <= number:
        _hosts.append(Host(len(_hosts)))
    return _hosts[number]


def same(path: tuple[int, ...]) -> Same:
    """The mark for what is at a place."""
    return _same.setdefault(path, Same(path))


def outside(trace: Trace, value: Any, get: Callable[[], Any]) -> Outside:
    """The mark for a container of outside."""
    return _of(trace, "outside").setdefault(id(value), Outside(get))  # type: ignore[no-any-return]


def given(trace: Trace, value: Any) -> Given:
    """The mark for what is an argument of the trace."""
    return _of(trace, "given").setdefault(id(value), Given(value))  # type: ignore[no-any-return]


def _of(trace: Trace, kind: str) -> dict[int, Any]:
    """The marks of a trace, which go with it, for they hold its symbols."""
    found: dict[int, Any] = vars(trace).setdefault(f"marks_{kind}", {})
    return found
