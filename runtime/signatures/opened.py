"""Where the containers of outside are found that are passed at each call (`agir.ir.state.opened`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from agir.ir.state.held import MISSING, attribute, held, key_of, reference_to
from agir.ir.tensors import structure
from agir.runtime.signatures.given import Path, at

_DEPTH = 3
"""Objects are found in so many attributes, one of the other, of an argument."""


class Found(NamedTuple):
    """A container of outside in a call, and what holds it."""

    container: Any
    place: tuple[int, str]


class Opened:
    """An attribute of an argument, or a name or an attribute of outside.

    ``parameter`` is the name under which its container is among the arguments of a call; it is no
    identifier.
    """

    def __init__(self, parameter: str, owner: Any, name: str, given: Mapping[str, Any]) -> None:
        self.parameter = parameter
        self._name = name
        self._path, self._attributes = _way_to(owner, given)
        self._reference: Callable[[], Any] | None = None
        if self._path is None:
            self._reference = reference_to(owner)

    def is_at(self, owner: Any, name: str, given: Mapping[str, Any]) -> bool:
        """Whether it is this place."""
        return name == self._name and key_of(self._owner(given)) == key_of(owner)

    def find(self, given: Mapping[str, Any]) -> Found:
        """The container in a call with these arguments."""
        owner = self._owner(given)
        container = held(lambda: owner, self._name, default=MISSING)
        return Found(container, (key_of(owner), self._name))

    def _owner(self, given: Mapping[str, Any]) -> Any:
        if self._path is None:
            assert self._reference is not None, "it is found in the arguments, or by a reference"
            return self._reference()
        owner = at(given, self._path)
        for name in self._attributes:
            owner = attribute(owner, name)
        return owner


def _way_to(owner: Any, given: Mapping[str, Any]) -> tuple[Path | None, tuple[str, ...]]:
    """How an object is found in the arguments: in containers, then by attributes; None if it is not."""
    for path, value in _objects(given):
        for names, found in _reached(value, ()):
            if found is owner:
                return path, names
    return None, ()


def _objects(given: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    waiting: list[tuple[Path, Any]] = [((name,), value) for name, value in given.items()]
    while waiting:
        path, value = waiting.pop()
        if hasattr(value, "__dict__"):
            yield path, value
        elif (parts := structure.children(value)) is not None:
            waiting += [((*path, number), each) for number, each in enumerate(parts[1])]


def _reached(value: Any, names: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield names, value
    if len(names) < _DEPTH:
        for name, each in getattr(value, "__dict__", {}).items():
            if hasattr(each, "__dict__"):
                yield from _reached(each, (*names, name))
