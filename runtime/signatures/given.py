"""The arguments of a call as the caller has them, and where its containers are found in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from agir.ir.tensors import structure
from agir.runtime.state.data import OF_ARRAYS, PassedObjects, PassedRoot
from agir.runtime.state.passed_lists import Listed, ListedBytes, ListedEntries, ListedRows

Path = tuple[Any, ...]
"""Where a container is found: the name of a parameter, then the number of an item, and so on."""
Given = Mapping[str, Any]
"""The arguments of a call by parameter, as the caller has them."""

_PLAIN = frozenset(
    (bool, int, float, complex, str, bytes, type(None), np.ndarray, np.float64, np.int64, np.bool_)
)
"""Classes of which nothing is a container: long lists of them are passed over."""


_OF_NUMBERS = frozenset((Listed, ListedBytes, ListedEntries, ListedRows))
"""What is passed for containers of numbers, or of lists of such."""


class Values(list[Any]):
    """The run-time values of a call, one for each leaf, and the arguments that they were taken of."""

    given: Given | None = None
    """None where the caller has given the values alone."""

    def __init__(self, values: Iterable[Any] = ()) -> None:
        super().__init__(values)
        self.known: dict[int, Any] = {}
        """The containers that the call leaves at several places, by their numbers."""
        self.made: dict[int, Any] = {}
        """What has been put together, by the number of the first of the results that it is of."""


def at(given: Given, path: Path) -> Any:
    """The container of a call that is found there."""
    found = given[path[0]]
    for number in path[1:]:
        parts = structure.children(found)
        assert parts is not None, "a path leads through containers"
        found = parts[1][number]
    return found


def shared(given: Given, passed: Given, of_all: bool = False) -> tuple[tuple[Path, ...], ...]:
    """The places of each container that the arguments hold more than once.

    ``passed`` is what is passed for the arguments: lists that are passed as arrays are not looked
    into (`rows_are_apart`).  `of_all` is for arrays and tuples, too, which are known by their contents.
    """
    found: dict[int, list[Path]] = {}
    for name, value in given.items():
        _find(value, passed.get(name), (name,), found, of_all)
    return tuple(tuple(paths) for paths in found.values() if len(paths) > 1)


def _find(value: Any, passed: Any, path: Path, found: dict[int, list[Path]], of_all: bool) -> None:
    kind = type(value)
    if of_all and isinstance(value, np.ndarray):
        found.setdefault(id(value), []).append(path)
    if type(passed) in _OF_NUMBERS or type(passed) in OF_ARRAYS:
        found.setdefault(id(value), []).append(path)
        return
    if kind in _PLAIN or type(passed) in (PassedObjects, PassedRoot):
        return
    parts = structure.children(value) or (None, [])
    if kind is not set and parts[0] is None:
        return
    if of_all or kind is not tuple:
        paths = found.setdefault(id(value), [])
        paths.append(path)
        if len(paths) > 1:
            return
    inner = structure.children(passed)
    is_alike = inner is not None and len(inner[1]) == len(parts[1])
    items = inner[1] if inner is not None and is_alike else [None] * len(parts[1])
    kinds = set(map(type, parts[1]))
    has_arrays = of_all and np.ndarray in kinds
    if _PLAIN.issuperset(kinds) and not has_arrays and OF_ARRAYS.isdisjoint(map(type, items)):
        return
    for number, item in enumerate(parts[1]):
        _find(item, items[number], (*path, number), found, of_all)


def rows_are_apart(given: Given, passed: Given) -> bool:
    """Whether lists that are passed as arrays are items of one list each, and nothing else."""
    rows: dict[int, int] = {}
    others: set[int] = set()
    return all(_are_apart(value, passed[name], rows, others) for name, value in given.items())


def _are_apart(value: Any, passed: Any, rows: dict[int, int], others: set[int]) -> bool:
    """The same of one argument or a part of one, with the lists met so far: the owners of rows."""
    if type(passed) is ListedRows:
        owners = dict.fromkeys(map(id, value), id(value))
        mixed = any(rows.get(each, owner) != owner for each, owner in owners.items())
        rows.update(owners)
        return not mixed and others.isdisjoint(owners)
    if type(value) in _PLAIN or type(passed) in (PassedObjects, PassedRoot):
        return True
    if id(value) in rows:
        return False
    others.add(id(value))
    if type(passed) in _OF_NUMBERS:
        return True
    inner, parts = structure.children(passed), structure.children(value)
    if inner is None or parts is None or len(inner[1]) != len(parts[1]):
        return True
    return all(_are_apart(v, p, rows, others) for v, p in zip(parts[1], inner[1], strict=True))
