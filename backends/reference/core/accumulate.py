"""Reducing many elements at once, where a body just combines a new element with an output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agir.records import dataclass

from .operation import Block, Frame, Source, Step
from .order import Accessor, Axes, Point

_ORDERED = {
    "arith.addf": np.add,
    "arith.mulf": np.multiply,
    "complex.add": np.add,
    "complex.mul": np.multiply,
}
"""Combinations that round: their order must be kept."""

_ASSOCIATIVE = frozenset(
    f"arith.{name}"
    for name in (
        *("addi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui"),
        *("maximumf", "minimumf", "maxnumf", "minnumf"),
    )
)
"""Combinations that are exact: halves of the elements may be combined with each other."""


@dataclass(frozen=True)
class Combiner:
    """The last step of a body, ``result = operation(element, accumulator)`` in either order."""

    step: Step
    operation: str
    element: int
    accumulator: int
    result: int

    def reduce(self, frame: Frame, elements: Any, initial: Any) -> Any:
        """Combine the elements along the last axis, and the initial value before them."""
        if self.operation in _ORDERED:
            first = np.asarray(initial)[..., np.newaxis]
            every = np.concatenate([first, elements], axis=-1)
            return _ORDERED[self.operation].accumulate(every, axis=-1)[..., -1]
        kept = frame[self.element]  # may belong to the code around the body
        while elements.shape[-1] > 1:
            half = elements.shape[-1] // 2
            combined = self._apply(frame, elements[..., :half], elements[..., half : 2 * half])
            elements = np.concatenate([combined, elements[..., 2 * half :]], axis=-1)
        total = self._apply(frame, elements[..., 0], initial)
        frame[self.element] = kept
        return total

    def _apply(self, frame: Frame, element: Any, accumulator: Any) -> Any:
        frame[self.element], frame[self.accumulator] = element, accumulator
        self.step(frame)
        return frame[self.result]


@dataclass(frozen=True)
class Reduction:
    """A body split into what makes the elements and what combines them, output by output."""

    elements: Block
    combiners: tuple[Combiner, ...]

    def applies(self, outputs: Sequence[Any]) -> bool:
        """Whether NumPy keeps the order for these dtypes, and rounds at each step."""
        return all(
            combiner.operation in _ASSOCIATIVE
            or (output.dtype.kind in "fc" and output.dtype.itemsize >= 4)
            for combiner, output in zip(self.combiners, outputs, strict=True)
        )

    def run(
        self,
        frame: Frame,
        arguments: Sequence[Any],
        targets: Sequence[Accessor],
        point: Point,
        axes: Axes,
    ) -> None:
        """Evaluate the elements over the reduced axes and combine them into the targets."""
        elements = self.elements.run(frame, arguments)
        for combiner, element, target in zip(self.combiners, elements, targets, strict=True):
            total = combiner.reduce(frame, axes.flatten(element), target.get(point))
            target.set(point, total)


def find_reduction(body: Block, inputs: int) -> Reduction | None:
    """Split a body whose outputs are each used and made by one combining step only."""
    outputs = body.arguments[inputs:]
    found = [_combiner(body, *pair) for pair in zip(outputs, body.results, strict=True)]
    combiners = tuple(combiner for combiner in found if combiner)
    if len(combiners) < len(found):
        return None
    last = {id(combiner.step) for combiner in combiners}
    kept = [index for index, step in enumerate(body.steps) if id(step) not in last]
    elements = replace(
        body,
        arguments=body.arguments[:inputs],
        results=tuple(combiner.element for combiner in combiners),
        steps=[body.steps[index] for index in kept],
        sources=[body.sources[index] for index in kept],
    )
    return Reduction(elements, combiners)


def _combiner(body: Block, accumulator: int, result: int) -> Combiner | None:
    users = [index for index, source in enumerate(body.sources) if accumulator in source.inputs]
    if len(users) != 1 or accumulator in body.results:
        return None
    source = body.sources[users[0]]
    if not _combines(body, source, accumulator, result):
        return None
    (element,) = (slot for slot in source.inputs if slot != accumulator)
    return Combiner(body.steps[users[0]], source.operation, element, accumulator, result)


def _combines(body: Block, source: Source, accumulator: int, result: int) -> bool:
    known = source.operation in _ASSOCIATIVE or source.operation in _ORDERED
    used_once = not any(result in other.inputs for other in body.sources)
    return (
        known
        and used_once
        and source.outputs == (result,)
        and body.results.count(result) == 1
        and source.inputs.count(accumulator) == 1
    )
