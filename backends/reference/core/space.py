"""Evaluating the region of `tensor.generate` and `tensor.pad` at many indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .operation import Block, Frame


def open_grid(shape: Sequence[int]) -> list[Any]:
    """For each axis its indices, shaped so that they broadcast to ``shape``."""
    rank = len(shape)
    return [
        np.arange(size).reshape([-1 if axis == other else 1 for other in range(rank)])
        for axis, size in enumerate(shape)
    ]


def tabulate(block: Block, frame: Frame, indices: Sequence[Any], dtype: np.dtype[Any]) -> Any:
    """What the block yields for each of the points whose coordinates are ``indices``."""
    result = np.empty(np.broadcast_shapes(*(axis.shape for axis in indices)), dtype)
    if not result.size:
        return result
    if block.elementwise:
        (result[...],) = block.run(frame, indices)
        return result
    for position, *point in np.broadcast(np.arange(result.size).reshape(result.shape), *indices):
        (result.flat[position],) = block.run(frame, [np.int64(index) for index in point])
    return result
