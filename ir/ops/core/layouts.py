"""How the elements of an array would lie in NumPy's memory, which decides what a reshape is.

NumPy's ``reshape`` is a view where steps through memory can express it, and a copy elsewhere, and a
program sees the difference when it writes.  A layout is a NumPy array of that shape and those steps
which has no memory behind it and is never read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np

from agir.ir.emission.views import Selection, View
from agir.ir.ops.core.agreement import is_same
from agir.ir.ops.core.operands import needing_sizes
from agir.ir.tensors.symbolic import Dim, Dims, Fixed, Owned, SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.arrays.one_of import root_of

SOME = 7
_unknown = [SOME]
"""What stands for a size that only the run time knows: steps do not depend on which it is."""

UNKNOWN_STEP = 1
"""What stands for a step that only the run time knows: the axes lie in the same order with any."""

Layout = Any


@contextmanager
def unknown(size: int) -> Iterator[None]:
    """While it lasts, this is what stands for sizes that only the run time knows."""
    _unknown.append(size)
    try:
        yield
    finally:
        _unknown.pop()


def sizes(dims: Dims) -> tuple[int, ...]:
    """The sizes as numbers."""
    return tuple(d if isinstance(d, int) else _unknown[-1] for d in dims)


def layout_of(tensor: SymbolicTensor) -> Layout:
    """The layout of an array: its own, or that of a view of another one.

    An argument of which it is not known lies row by row, which is then noted (`Assumption`).
    """
    storage = tensor.storage
    cell = place_of(tensor)
    if cell is not None:
        trace = tensor.recorder
        if (steps := trace.layouts.get(cell)) is not None:
            return _layout(sizes(tensor.dims), steps)
        if (found := trace.derived.get(cell)) is not None:
            return found.layout(trace, cell)
        if len(tensor.dims) and cell in trace.argument_cells:
            trace.assumes.append(Assumption(cell))
    if isinstance(storage, View):
        return selected(layout_of(storage.base), storage.selection)
    arrange = getattr(storage, "arrange", None)
    if arrange is not None:
        found = arrange(layout_of(storage.base))
        if found is not None:
            return found
    arrays = getattr(storage, "arrays", None)
    if arrays is not None:  # `memory_steps` asks all of them
        return layout_of(arrays[0])
    return _contiguous(sizes(tensor.dims))


def are_the_same(left: Any, right: Any) -> bool:
    """Whether two arrays are surely all elements of one, in the same order in memory."""
    if not (isinstance(left, SymbolicTensor) and isinstance(right, SymbolicTensor)):
        return False
    whole = root_of(left)
    if whole.storage is not root_of(right).storage or left.shape != right.shape:
        return False
    if None in (*left.shape, *whole.shape) or prod(left.shape) != prod(whole.shape):  # type: ignore[arg-type]
        return False
    return bool(layout_of(left).strides == layout_of(right).strides)


def derived_of(tensor: SymbolicTensor) -> Derived | None:
    """What an array of its own was computed of, where its layout follows from that."""
    trace, place = tensor.recorder, place_of(tensor)
    return None if place in trace.layouts else trace.derived.get(place)


def place_of(tensor: Any) -> Any:
    """What stands for an array of its own: its cell, or what holds one that nobody writes to."""
    storage = getattr(tensor, "storage", None)
    return storage if isinstance(storage, Fixed) else getattr(storage, "cell", None)


DIFFER = (
    "whether this is a view or a copy depends on which of several arrays it is of, which lie "
    "in memory in different orders: take it of each of them, or of a copy"
)
UNKNOWN = (
    "whether this is a view or a copy, or in which order its elements lie in memory, depends on what "
    "only the run time knows: take a copy first"
)


def lies_in(tensor: SymbolicTensor, order: str) -> bool:
    """Whether the elements would lie in NumPy's memory one after the other: C by rows, F by columns."""
    return bool(layout_of(tensor).flags[f"{order}_CONTIGUOUS"])


def deciding(tensor: SymbolicTensor) -> Layout:
    """The layout of an array, on which it depends what the program computes."""
    trace = tensor.recorder
    mark = len(trace.assumes)
    found = layout_of(tensor)
    for each in trace.assumes[mark:]:
        each.decides = True
    return found


@dataclass(eq=False)
class Assumption:
    """That an argument lies row by row: what is made of its elements is a view, or else a copy.

    It matters only where one of the two is written into, or where the order of the elements in
    memory ``decides`` what the program computes.
    """

    argument: Any
    copy: Any = None
    """The cell of the copy."""
    sizes: str | None = None
    """What to say if it is about sizes that only the run time knows: that they are not 1."""
    derived: Any = None
    """The cell of an array that lies as the argument does, if the elements are that one's."""
    decides: bool = False
    carried: Any = None
    """Which array of one of several paths is taken to lie as on the first."""

    def matters(self, trace: Trace) -> bool:
        """Whether the program writes into one of the two."""
        if self.decides:
            return True
        if self.derived is not None:
            both = [each for each in (self.derived, self.copy) if each is not None]
            return any(each in each.home.written for each in both)
        if self.argument.home is not trace.root:
            return True
        if self.copy is None:
            return self.argument in trace.root.written
        inner = self.copy.home is not trace.root
        return inner or self.copy in trace.root.written or self.argument in trace.root.written


def assume_sizes(tensor: SymbolicTensor, message: str) -> bool:
    """Note that something about sizes of the run time is assumed, if that can be asked for later."""
    trace = tensor.recorder
    cell = getattr(root_of(tensor).storage, "cell", None)
    if cell is not None:
        trace.assumes.append(Assumption(cell, sizes=trace.explain(message)))
    return cell is not None


def arguments_by_rows(trace: Trace) -> list[int]:
    """The numbers of the arguments of which it matters that they lie row by row."""
    found = set()
    for each in trace.assumes:  # which grows
        if not each.matters(trace):
            continue
        if each.sizes is not None:
            raise needing_sizes(each.sizes)
        if each.carried is not None:
            each.carried.check(trace)  # (ir/ops/core/layouts_of_paths.py)
        else:
            found.add(trace.argument_cells[each.argument])
    return sorted(found)


def assumed_copy(trace: Trace, since: int, made: SymbolicTensor) -> None:
    """Note that what was assumed since has made a copy."""
    for each in trace.assumes[since:]:
        each.copy = getattr(made.storage, "cell", None)


@dataclass(eq=False)
class Derived:
    """What an array was computed of elementwise, and how it therefore lies once that is asked for."""

    dims: Dims
    sources: list[SymbolicTensor]
    steps: Callable[[tuple[int, ...], Sequence[Layout]], Sequence[int]]
    """The steps in this shape, of the layouts of the sources."""
    found: dict[int, tuple[Layout, list[Assumption]]] = field(default_factory=dict)
    """By what stands for unknown sizes: the layout, and what it assumes."""
    proven: dict[bool, bool] = field(default_factory=dict)
    """Whether its layout is known to be so whatever the run time knows; by whether gaps matter."""
    is_joined: bool = False
    """Whether the sources are parts of it: it has more elements than any of them."""
    gaps_asked: bool = False
    """Whether it has been asked for more than the order of its axes."""
    has_gaps = False
    """Whether its gaps are those of its source."""

    @property
    def by_columns(self) -> bool:
        """Whether it matters that its source lies by columns without gaps."""
        return self.steps is _steps_by_columns

    def layout(self, trace: Trace, cell: Any) -> Layout:
        """The layout of the array with this cell."""
        waiting = [self]
        while waiting:  # what it is made of comes first, without a call in a call for each
            below = [trace.derived.get(_cell_below(each)) for each in waiting[-1].decisive]
            missing = [each for each in below if each is not None and not each.is_known]
            if missing and not waiting[-1].is_known:
                waiting += missing
            else:
                waiting.pop()._find(trace)
        layout, assumed = self.found[_unknown[-1]]
        trace.assumes += [replace(each, derived=cell, copy=None) for each in assumed]
        return layout

    @property
    def decisive(self) -> Sequence[SymbolicTensor]:
        """The sources whose layouts the array has its own from."""
        return self.sources

    @property
    def is_known(self) -> bool:
        """Whether it has been asked for, with these sizes."""
        return _unknown[-1] in self.found

    def _find(self, trace: Trace) -> None:
        if self.is_known:
            return
        mark = len(trace.assumes)
        shape = sizes(self.dims)
        steps = self.steps(shape, [layout_of(each) for each in self.decisive])
        if self._depends_on_sizes(list(steps) == _by_rows(shape)):
            raise needing_sizes(
                trace.explain(
                    "how this array lies in memory depends on sizes that only the run time "
                    "knows: take a copy of it"
                )
            )
        assumed = {(e.argument, e.sizes, e.carried): e for e in trace.assumes[mark:]}
        del trace.assumes[mark:]
        self.found[_unknown[-1]] = _layout(shape, steps), list(assumed.values())

    def _depends_on_sizes(self, by_rows: bool) -> bool:
        """Whether sizes that only the run time knows decide how it lies: if they are 1."""
        if self.steps is elementwise_steps or self.is_joined:
            return not by_rows and any(_may_repeat(e.dims, self.dims) for e in self.sources)
        source = self.sources[0]
        if self.steps is not _steps_by_columns or all(isinstance(d, int) for d in source.dims):
            return False
        found = []
        for size in (1, _unknown[0]):
            with unknown(size):
                found.append(lies_by_columns(layout_of(source)))
        return found[0] != found[1]


def _cell_below(tensor: SymbolicTensor) -> Any:
    """The cell of the array that an array is, or is a view of; None for one of several."""
    return place_of(root_of(tensor))


def _may_repeat(dims: Dims, target: Dims) -> bool:
    """Whether elements are perhaps repeated, along an axis whose size the run time knows."""
    pairs = zip(dims, target[len(target) - len(dims) :], strict=True)
    return any(isinstance(own, Dim) and not is_same(own, whole) for own, whole in pairs)


def derive(made: Any, operands: Iterable[Any], steps: Any = None, is_joined: bool = False) -> None:
    """Note that an array was computed of others, elementwise if nothing else is said."""
    if not isinstance(made, SymbolicTensor) or len(made.dims) < 2:
        return
    cell = getattr(made.storage, "cell", None)
    if cell is None or not made.recorder.convention.arrays_are_mutable:
        return
    sources = [e for e in operands if isinstance(e, SymbolicTensor) and len(e.dims) > 1]
    for each in sources:
        storage = each.storage
        if (storage.cell if type(storage) is Owned else _cell_below(each)) is cell:
            return
    if sources and cell not in made.recorder.layouts:
        known = made.recorder.derived
        if steps is not None or cell not in known:
            known[cell] = Derived(
                made.dims, sources, steps or elementwise_steps, is_joined=is_joined
            )


def derive_by_columns(made: Any, source: Any) -> None:
    """Note that an array lies column by column if the one that it was made of does, else by rows."""
    derive(made, [source], _steps_by_columns)


def _steps_by_columns(shape: tuple[int, ...], operands: Sequence[Layout]) -> Sequence[int]:
    return _by_rows(shape[::-1])[::-1] if lies_by_columns(operands[0]) else _by_rows(shape)


def lies_by_columns(layout: Layout) -> bool:
    """Whether a layout is by columns without gaps, and not by rows."""
    return bool(layout.flags.f_contiguous and not layout.flags.c_contiguous)


def derive_joined(made: Any, parts: Iterable[Any]) -> None:
    """Note that an array was joined of parts, in the order in which they lie."""

    def steps(shape: tuple[int, ...], operands: Sequence[Layout]) -> list[int]:
        return steps_in_order(shape, reversed(_outer_first(len(shape), operands)))

    derive(made, parts, steps, is_joined=True)


def derive_without(made: Any, source: Any, axes: Collection[int]) -> None:
    """Note that an array was computed of another one along axes, which are left out or of size 1."""

    def steps(shape: tuple[int, ...], operands: Sequence[Layout]) -> list[int]:
        (layout,) = operands
        kept = len(shape) == layout.ndim
        own = [
            (1 if axis in axes else size, step)
            for axis, (size, step) in enumerate(zip(layout.shape, layout.strides, strict=True))
            if kept or axis not in axes
        ]
        return elementwise_steps(shape, [_layout(*zip(*own, strict=True))])

    derive(made, [source], steps)


def derive_taken(made: Any, source: Any, axes: Sequence[Any]) -> None:
    """Note that index arrays took an array of another one.

    ``axes`` has for each dimension the axis of the other one that it is, ``...`` for one of the arrays,
    None for a new one.  What is taken for each index lies together, in the order of the other array.
    """

    def steps(shape: tuple[int, ...], operands: Sequence[Layout]) -> list[int]:
        (layout,) = operands
        kept = [axis for axis in axes if isinstance(axis, int)]
        part = _layout([layout.shape[a] for a in kept], [layout.strides[a] for a in kept])
        inner = [axes.index(kept[place]) for place in _inner_first(len(kept), [part])]
        rest = [place for place in reversed(range(len(axes))) if place not in inner]
        return steps_in_order(shape, [*inner, *rest])

    derive(made, [source], steps)


def elementwise_steps(shape: tuple[int, ...], operands: Sequence[Layout]) -> list[int]:
    """The steps of what NumPy makes of operands: in the order of theirs, by rows where they differ."""
    return steps_in_order(shape, _inner_first(len(shape), operands))


def derive_contracted(made: Any, operands: Sequence[Any], inputs: Sequence[str], out: str) -> None:
    """Note that an array was summed of products of others, with a label for each of their axes.

    NumPy goes through the labels of the result and then, by the alphabet, those that are summed over,
    in the order in which the operands lie (``einsum.c.src``).
    """
    labels = [*out, *sorted(set("".join(inputs)) - set(out))]
    terms = [
        term
        for term, each in zip(inputs, operands, strict=True)
        if isinstance(each, SymbolicTensor) and len(each.dims) > 1
    ]

    def through(layout: Layout, term: str) -> Layout:
        axes = [[axis for axis, each in enumerate(term) if each == label] for label in labels]
        sizes = [layout.shape[own[0]] if own else 1 for own in axes]
        return _layout(sizes, [sum(layout.strides[axis] for axis in own) for own in axes])

    def steps(shape: tuple[int, ...], layouts: Sequence[Layout]) -> list[int]:
        found = [through(each, term) for each, term in zip(layouts, terms, strict=True)]
        order = _inner_first(len(labels), found)
        return steps_in_order(shape, [axis for axis in order if axis < len(out)])

    derive(made, operands, steps)


def steps_in_order(shape: Sequence[int], inner_first: Iterable[int]) -> list[int]:
    """The steps of an array without gaps whose axes lie in this order."""
    steps, step = [0] * len(shape), 1
    for axis in inner_first:
        steps[axis] = step
        step *= max(shape[axis], 1)
    return steps


def _inner_first(rank: int, operands: Sequence[Layout]) -> list[int]:
    """The axes in the order in which NumPy goes through operands, the fastest one first."""
    strides = [_iterated(each, rank) for each in operands]
    inner_first: list[int] = []
    for axis in reversed(range(rank)):
        at = len(inner_first)
        for place in reversed(range(at)):
            outward = _goes_inside(axis, inner_first[place], strides)
            if outward is False:
                break
            if outward:
                at = place
        inner_first.insert(at, axis)
    return inner_first


def _outer_first(rank: int, operands: Sequence[Layout]) -> list[int]:
    """The axes in the order in which NumPy joins operands, the slowest one first."""
    strides = [_iterated(each, rank) for each in operands]
    outer_first: list[int] = []
    for axis in range(rank):
        at = len(outer_first)
        for place in reversed(range(at)):
            inward = _goes_inside(outer_first[place], axis, strides)
            if inward is False:
                break
            if inward:
                at = place
        outer_first.insert(at, axis)
    return outer_first


def _iterated(layout: Layout, rank: int) -> list[int]:
    """How far apart elements lie along each axis of a result of so many; 0 where one is repeated."""
    own = [0 if n == 1 else abs(s) for n, s in zip(layout.shape, layout.strides, strict=True)]
    return [0] * (rank - len(own)) + own


def _goes_inside(axis: int, other: int, strides: Sequence[Sequence[int]]) -> bool | None:
    """Whether an axis lies closer than one behind it, in all operands that tell; None if none does."""
    told = [(each[axis], each[other]) for each in strides if each[axis] and each[other]]
    return all(own < behind for own, behind in told) if told else None


def note(tensor: Any, steps: Sequence[int] | None) -> None:
    """Note the steps of an array of its own; None where it lies row by row."""
    cell = getattr(getattr(tensor, "storage", None), "cell", None)
    if cell is not None and steps is not None:
        tensor.recorder.layouts[cell] = tuple(steps)


def by_rows(made: Any) -> None:
    """Note that an array lies row by row, whatever it was computed of."""
    cell = getattr(getattr(made, "storage", None), "cell", None)
    if cell is not None:
        made.recorder.derived.pop(cell, None)


def note_like(tensor: Any, other: Any) -> None:
    """Note that an array of its own lies as another one does, in the order of its axes."""
    if isinstance(other, SymbolicTensor) and len(tensor.shape) == len(other.shape):
        derive(tensor, [other], elementwise_steps)


def steps_by(layout: Layout) -> list[int] | None:
    """The steps of a new array whose axes lie in the order of a layout; None for row by row."""
    rank = layout.ndim
    order = sorted(range(rank), key=lambda axis: -abs(layout.strides[axis]))
    if order == list(range(rank)):
        return None
    return steps_in_order(layout.shape, reversed(order))


def column_steps(dims: Dims) -> list[int] | None:
    """The steps of an array that lies column by column; None where that is the same as by rows."""
    whole = sizes(dims)
    return steps_by(_layout(whole[::-1], _contiguous(whole[::-1]).strides).T)


def in_order(dims: Dims, order: str) -> Layout:
    """The layout of an array without gaps, by rows or by columns."""
    shape = sizes(dims)
    return _contiguous(shape) if order == "C" else _contiguous(shape[::-1]).T


def memory_order(layout: Layout) -> list[int]:
    """The axes in the order in which they lie in memory, the one with the smallest steps last."""
    return _inner_first(layout.ndim, [layout])[::-1]


def _contiguous(shape: Sequence[int]) -> Layout:
    return _layout(shape, _by_rows(shape))


def _by_rows(shape: Sequence[int]) -> list[int]:
    steps = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        steps[axis] = steps[axis + 1] * max(shape[axis + 1], 1)
    return steps


def stepping(dims: Dims, steps: Sequence[int]) -> Layout:
    """The layout with these dimensions and steps."""
    return _layout(sizes(dims), steps)


def _layout(shape: Sequence[int], steps: Sequence[int]) -> Layout:
    return np.lib.stride_tricks.as_strided(np.empty(1, np.int8), tuple(shape), tuple(steps))


def selected(base: Layout, selection: Selection) -> Layout:
    """The layout of a part of an array."""
    shape, steps = [], []
    for place in selection.layout:
        if place is None:
            shape.append(1)
            steps.append(0)
            continue
        axis = selection.axes[place]
        shape.append(axis.dim if isinstance(axis.dim, int) else _unknown[-1])
        stride = axis.stride if isinstance(axis.stride, int) else UNKNOWN_STEP
        steps.append(base.strides[place] * stride * (-1 if axis.reverse is True else 1))
    return _layout(shape, steps)


def spread(layout: Layout) -> Layout:
    """The layout of one of two parts of which each element consists."""
    return _layout(layout.shape, [2 * step for step in layout.strides])


def in_pairs(layout: Layout) -> Layout:
    """The layout of both parts of each element, one behind the other along the last axis."""
    *outer, last = layout.shape
    return _layout((*outer, 2 * last), [*(2 * step for step in layout.strides[:-1]), 1])


@dataclass(frozen=True, eq=False)
class Selecting:
    """What a selection does to a layout."""

    selection: Selection

    def __call__(self, layout: Layout) -> Layout:
        """The layout of the part."""
        return selected(layout, self.selection)


@dataclass(frozen=True, eq=False)
class Reshaping:
    """What other dimensions do to a layout: None where NumPy copies."""

    dims: Dims

    def __call__(self, layout: Layout) -> Layout | None:
        """The layout of the view."""
        return reshaped(layout, self.dims)


def reshaped(layout: Layout, dims: Dims) -> Layout | None:
    """The layout in other dimensions; None where NumPy copies."""
    shape = list(sizes(dims))
    unknown = [axis for axis, d in enumerate(dims) if not isinstance(d, int)]
    if len(unknown) == 1:
        shape[unknown[0]] = -1
    elif unknown:
        return _contiguous(shape) if layout.flags.c_contiguous else None
    if _unknown[-1] in layout.shape and layout.flags.c_contiguous:
        return _contiguous(sizes(dims))
    try:  # never a copy: there is no memory behind a layout
        return np.reshape(layout, tuple(shape), copy=False)
    except ValueError:
        return None


def packed(layout: Layout, dims: Dims) -> Layout:
    """The layout of a new array like another one: by columns where that one is, and without gaps."""
    return in_order(dims, "F" if lies_by_columns(layout) else "C")


def repeated(layout: Layout, dims: Dims) -> Layout | None:
    """The layout of an array that is broadcast."""
    shape = sizes(dims)
    try:
        return np.broadcast_to(layout, shape)
    except ValueError:  # which sizes are repeated only the run time knows
        return None
