"""Executing structured operations: a body over an iteration space.

The body of most operations means the same when arrays stand for its scalars.  Then it runs once for
each point of the reduction dimensions, on arrays that span the parallel ones (or, where it just
combines a new element with an output, on arrays that span reduction dimensions too); otherwise it
runs once for each point of the whole space.  Either way the points come in lexicographic order, so
that every element is reduced in the order of the loop nest that the operation stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from agir.errors import UndefinedBehaviour
from agir.records import dataclass

from .accumulate import Reduction, find_reduction
from .affine import Map
from .operation import Block, Frame
from .order import Accessor, Order, Point

_LIMIT = 1 << 20
"""The number of points that are computed at once, unless there are more parallel ones."""


@dataclass(frozen=True)
class Structured:
    """A structured operation: where its operands are read, what is computed, what is reduced."""

    body: Block
    inputs: tuple[Map, ...]
    outputs: tuple[Map, ...]
    reductions: tuple[int, ...]
    passes_outputs: bool = True

    @property
    def rank(self) -> int:
        """The number of dimensions of the iteration space."""
        return self.outputs[0].rank

    @cached_property
    def _is_vectorised(self) -> bool:
        return self.body.elementwise and all(map_.is_selection() for map_ in self.outputs)

    @cached_property
    def _reduction(self) -> Reduction | None:
        if not (self._is_vectorised and self.reductions and self.passes_outputs):
            return None
        return find_reduction(self.body, len(self.inputs))

    def run(self, frame: Frame, operands: Sequence[Any]) -> list[Any]:
        """The new values of the outputs."""
        inputs, initial = operands[: len(self.inputs)], operands[len(self.inputs) :]
        sizes = self._sizes(operands)
        results = [np.array(value) for value in initial]
        if 0 in sizes:
            return results
        sequential = self.reductions if self._is_vectorised else tuple(range(self.rank))
        at_once: tuple[int, ...] = ()
        if self._reduction and self._reduction.applies(results):
            at_once = self._absorbed(sizes)
            sequential = sequential[: len(sequential) - len(at_once)]
        source = Order(sizes, sequential)
        target = Order(sizes, sequential + at_once)
        readers = [source.accessor(*pair) for pair in zip(inputs, self.inputs, strict=True)]
        targets = [target.accessor(*pair) for pair in zip(results, self.outputs, strict=True)]
        for point in source.points():
            self._enter(frame, source.indices(point))
            elements = [reader.get(point) for reader in readers]
            if self._reduction and at_once:
                start = point + (0,) * len(at_once)
                self._reduction.run(frame, elements, targets, start, source.axes(at_once))
            else:
                self._iterate(frame, elements, targets, point)
        return results

    def _enter(self, frame: Frame, indices: Sequence[Any]) -> None:
        for slot, index in zip(self.body.space, indices, strict=True):
            frame[slot] = index

    def _iterate(
        self, frame: Frame, elements: list[Any], targets: Sequence[Accessor], point: Point
    ) -> None:
        if self.passes_outputs:
            current = [target.get(point) for target in targets]
            elements += [np.copy(value)[()] for value in current] if len(targets) > 1 else current
        for target, value in zip(targets, self.body.run(frame, elements), strict=True):
            target.set(point, value)

    def _absorbed(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """The innermost reduction dimensions that fit into one evaluation of the body."""
        size = prod(sizes) // prod(sizes[axis] for axis in self.reductions)
        count = 0
        for axis in reversed(self.reductions):
            size *= sizes[axis]
            if size > _LIMIT or any(axis in map_.dimensions for map_ in self.outputs):
                break
            count += 1
        return self.reductions[len(self.reductions) - count :]

    def _sizes(self, operands: Sequence[Any]) -> list[int]:
        sizes: list[int | None] = [None] * self.rank
        for operand, map_ in zip(operands, self.inputs + self.outputs, strict=True):
            for size, dimension in zip(operand.shape, map_.dimensions, strict=True):
                if dimension is None:
                    continue
                if sizes[dimension] not in (None, size):
                    shapes = [other.shape for other in operands]
                    raise UndefinedBehaviour(f"operands of shapes {shapes} do not match")
                sizes[dimension] = size
        return [0 if size is None else size for size in sizes]
