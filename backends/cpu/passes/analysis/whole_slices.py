"""Slices that are all of an array, which say what its sizes are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building import bindings


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
    ir = bindings.ir
    unknown = ir.ShapedType.get_dynamic_size()
    given = [each for each in sizes if not isinstance(each, int)]
    lists = {
        "static_offsets": [0] * len(sizes),
        "static_sizes": [each if isinstance(each, int) else unknown for each in sizes],
        "static_strides": [1] * len(sizes),
    }
    attributes = {name: ir.DenseI64ArrayAttr.get(numbers) for name, numbers in lists.items()}
    segments = [*[1] * len(arrays), 0, len(given), 0]
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(segments)
    operands = [*arrays, *given]
    return ir.Operation.create(name, [kind], operands, attributes=attributes).results[0]
