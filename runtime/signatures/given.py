"""The arguments of a call as the caller has them, and where its containers are found in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agir.ir import structure

Path = tuple[Any, ...]
"""Where a container is found: the name of a parameter, then the number of an item, and so on."""
Given = Mapping[str, Any]
"""The arguments of a call by parameter, as the caller has them."""

_PLAIN = frozenset(
    (bool, int, float, complex, str, bytes, type(None), np.ndarray, np.float64, np.int64, np.bool_)
)
"""Classes of which nothing is a container: long lists of them are passed over."""


class Values(list[Any]):
    """The run-time values of a call, one for each leaf, and the arguments that they were taken of."""

    given: Given | None = None
    """None where the caller has given the values alone."""


def at(given: Given, path: Path) -> Any:
    """The container of a call that is found there."""
    found = given[path[0]]
    for number in path[1:]:
        parts = structure.children(found)
        assert parts is not None, "a path leads through containers"
        found = parts[1][number]
    return found


def shared(given: Given) -> tuple[tuple[Path, ...], ...]:
    """The places of each container that the arguments hold more than once."""
    found: dict[int, list[Path]] = {}
    for name, value in given.items():
        _find(value, (name,), found)
    return tuple(tuple(paths) for paths in found.values() if len(paths) > 1)


def _find(value: Any, path: Path, found: dict[int, list[Path]]) -> None:
    kind = type(value)
    if kind in _PLAIN:
        return
    parts = structure.children(value) or (None, [])
    if kind is not set and parts[0] is None:
        return
    if kind is not tuple:
        paths = found.setdefault(id(value), [])
        paths.append(path)
        if len(paths) > 1:
            return
    if not _PLAIN.issuperset(map(type, parts[1])):
        for number, item in enumerate(parts[1]):
            _find(item, (*path, number), found)
