"""Slices that are all of an array, which say what its sizes are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.mlir.making import op
from agir.ir.building import attributes


def whole_slice(array: Any, sizes: Sequence[Any]) -> Any:
    """An array as one of these sizes, numbers or values, which it has."""
    if 0 in sizes:  # nothing begins in such an array, so no slice of it is valid
        return array
    return _create("tensor.extract_slice", array.type, [array], sizes)


def with_all_replaced(array: Any, by: Any, sizes: Sequence[Any]) -> Any:
    """An array of these sizes, all of which is replaced."""
    if 0 in sizes:
        return by
    return _create("tensor.insert_slice", array.type, [by, array], sizes)


def _create(name: str, kind: Any, arrays: Sequence[Any], sizes: Sequence[Any]) -> Any:
    operands, found = attributes.slicing(arrays, [0] * len(sizes), sizes)
    return op(name, kind, *operands, **found)
