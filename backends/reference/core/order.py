"""Iteration spaces, and operands as a body sees them at a point of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agir.errors import UndefinedBehaviour
from agir.records import dataclass

from .affine import Map
from .space import open_grid

Point = tuple[int, ...]


@dataclass(frozen=True)
class Axes:
    """The shape of the arrays in a body, and the axes that are about to be reduced."""

    shape: tuple[int, ...]
    reduced: tuple[int, ...]

    def flatten(self, value: Any) -> Any:
        """A value with the reduced axes joined into a last one, in order."""
        whole = np.broadcast_to(value, self.shape)
        kept = [axis for axis in range(len(self.shape)) if axis not in self.reduced]
        shape = [self.shape[axis] for axis in kept]
        return np.transpose(whole, (*kept, *self.reduced)).reshape(*shape, -1)


class Order:
    """An iteration space, split into dimensions run one by one and dimensions run at once."""

    def __init__(self, sizes: Sequence[int], sequential: Sequence[int]) -> None:
        self.sizes = sizes
        self.sequential = sequential
        self.parallel = [axis for axis in range(len(sizes)) if axis not in sequential]
        self._grid = open_grid([sizes[axis] for axis in self.parallel])

    def axes(self, dimensions: Sequence[int]) -> Axes:
        """Where these of the dimensions that are run at once lie in the body's arrays."""
        shape = tuple(self.sizes[axis] for axis in self.parallel)
        return Axes(shape, tuple(self.parallel.index(axis) for axis in dimensions))

    def points(self) -> Any:
        """The points of the sequential dimensions, in lexicographic order."""
        return np.ndindex(*(self.sizes[axis] for axis in self.sequential))

    def indices(self, point: Point) -> list[Any]:
        """The index of each dimension at a point: a number, or an array of all of them."""
        indices: list[Any] = [None] * len(self.sizes)
        for axis, value in zip(self.sequential, point, strict=True):
            indices[axis] = np.int64(value)
        for axis, values in zip(self.parallel, self._grid, strict=True):
            indices[axis] = values
        return indices

    def accessor(self, array: Any, map_: Map) -> Accessor:
        """Where the operation reads or writes ``array``."""
        self._check_bounds(array, map_)
        if map_.is_selection():
            return View(self._aligned(np.asarray(array), map_))
        return Gathered(np.asarray(array), map_, self)

    def _check_bounds(self, array: Any, map_: Map) -> None:
        whole = open_grid(self.sizes)
        for size, result in zip(array.shape, map_.results, strict=True):
            if result.dimension is None:
                index = np.asarray(result.evaluate(whole))
                if index.min() < 0 or index.max() >= size:
                    raise UndefinedBehaviour(
                        f"an operand's dimension of size {size} is accessed at "
                        f"{index.min()}..{index.max()}"
                    )

    def _aligned(self, array: Any, map_: Map) -> Any:
        """A view with an axis for each dimension: sequential ones first, absent ones repeated."""
        index = (*(_whole_or(result.constant) for result in map_.results), Ellipsis)
        array = array[index]  # a view, even of a tensor of rank 0
        used = [dimension for dimension in map_.dimensions if dimension is not None]
        order = [*self.sequential, *self.parallel]
        strides = [array.strides[used.index(axis)] if axis in used else 0 for axis in order]
        shape = [self.sizes[axis] for axis in order]
        return np.lib.stride_tricks.as_strided(array, shape, strides)


def _whole_or(constant: int | None) -> Any:
    return slice(None) if constant is None else constant


class Accessor:
    """An operand as the body sees it at one point of the sequential dimensions."""

    def get(self, point: Point) -> Any:
        """Read an element, or an array that broadcasts to the parallel dimensions."""
        raise NotImplementedError

    def set(self, point: Point, value: Any) -> None:
        """Write the same."""
        raise NotImplementedError


class View(Accessor):
    """An operand that is a view of its array."""

    def __init__(self, view: Any) -> None:
        self._view = view

    def get(self, point: Point) -> Any:
        """Read by basic indexing."""
        return self._view[point]

    def set(self, point: Point, value: Any) -> None:
        """Write by basic indexing."""
        self._view[point] = value


class Gathered(Accessor):
    """An operand whose indices are computed, such as ``d0 + d1``."""

    def __init__(self, array: Any, map_: Map, order: Order) -> None:
        self._array, self._map, self._order = array, map_, order

    def _index(self, point: Point) -> tuple[Any, ...]:
        indices = self._order.indices(point)
        return tuple(result.evaluate(indices) for result in self._map.results)

    def get(self, point: Point) -> Any:
        """Read by index arrays."""
        return self._array[self._index(point)]

    def set(self, point: Point, value: Any) -> None:
        """Write by index arrays."""
        self._array[self._index(point)] = value
