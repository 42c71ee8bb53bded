"""Order, under TensorFlow's names."""

from __future__ import annotations

from typing import Any

from agir.ir.dispatch import call as _call
from agir.ir.types import int32 as _int32

_DIRECTIONS = {"ASCENDING": False, "DESCENDING": True}


def _descending(direction: Any) -> bool:
    found = _DIRECTIONS.get(str(direction).upper())
    if found is None:
        raise ValueError(f"direction is 'ASCENDING' or 'DESCENDING', not {direction!r}")
    return found


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: Any = None) -> Any:
    """The elements in order along the axis, NaN last in either direction."""
    return _call("sort", values, axis, _descending(direction))


def argsort(
    values: Any,
    axis: int = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: Any = None,
) -> Any:
    """Where the elements that `sort` puts in order stand, as int32; equal ones keep their order."""
    return _call("cast", _call("argsort", values, axis, _descending(direction)), _int32)
