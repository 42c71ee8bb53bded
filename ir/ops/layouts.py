"""How the elements of an array would lie in NumPy's memory, which decides what a reshape is.

NumPy's ``reshape`` is a view where steps through memory can express it, and a copy elsewhere, and a
program sees the difference when it writes.  A layout is a NumPy array of that shape and those steps
which has no memory behind it and is never read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir.ops.operands import needing_extents
from agir.ir.symbolic import Dim, Dims, SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.views import Selection, View

_unknown = [7]
"""What stands for an extent that only the run time knows: steps do not depend on which it is."""

UNKNOWN_STEP = 13
"""What stands for a step that only the run time knows: elements are taken to lie apart."""

Layout = Any


@contextmanager
def unknown(extent: int) -> Iterator[None]:
    """While it lasts, this is what stands for extents that only the run time knows."""
    _unknown.append(extent)
    try:
        yield
    finally:
        _unknown.pop()


def sizes(dims: Dims) -> tuple[int, ...]:
    """The extents as numbers."""
    return tuple(d if isinstance(d, int) else _unknown[-1] for d in dims)


def layout_of(tensor: SymbolicTensor) -> Layout:
    """The layout of an array: its own, or that of a view of another one.

    An argument of which it is not known lies row by row, which is then noted (`Assumption`).
    """
    storage = tensor.storage
    cell = getattr(storage, "cell", None)
    if cell is not None:
        trace = tensor.recorder
        if (steps := trace.layouts.get(cell)) is not None:
            return _layout(sizes(tensor.dims), steps)
        if cell in trace.followed:
            return _followed(trace, cell, sizes(tensor.dims))
        if len(tensor.dims) and cell in trace.argument_cells:
            trace.assumes.append(Assumption(cell))
    if isinstance(storage, View):
        return selected(layout_of(storage.base), storage.selection)
    arrange = getattr(storage, "arrange", None)
    if arrange is not None:
        found = arrange(layout_of(storage.base))
        if found is not None:
            return found
    members = getattr(storage, "members", None)
    if members is not None:
        return _agreed([layout_of(each) for each in members], tensor.dims)
    return _contiguous(sizes(tensor.dims))


def follows(made: Any, *operands: Any) -> Any:
    """Note that an array lies in memory as NumPy's ufuncs order theirs: by those it is made of."""
    cell = getattr(getattr(made, "storage", None), "cell", None)
    if cell is not None and len(made.dims) > 1 and cell not in made.recorder.followed:
        arrays = [x for x in operands if isinstance(x, SymbolicTensor) and len(x.dims) > 1]
        new = all(_cell_below(each) is not cell for each in arrays)
        if arrays and new and made.recorder.convention.arrays_are_mutable:
            made.recorder.followed[cell] = arrays
    return made


def _followed(trace: Trace, cell: Any, shape: Sequence[int]) -> Layout:
    """The layout of an array that is made of others."""
    waiting = [cell]
    while waiting:  # what they are made of comes first, without a call in a call for each
        operands = trace.followed[waiting[-1]]
        cells = [] if isinstance(operands, _Order) else [_cell_below(each) for each in operands]
        below = [c for c in cells if isinstance(trace.followed.get(c), list)]
        if below:
            waiting += below
            continue
        last = waiting.pop()
        if not isinstance(operands, _Order):
            trace.followed[last] = _order_of(trace, operands)
    found: _Order = trace.followed[cell]
    trace.assumes += [Assumption(argument, made=cell) for argument in found.arguments]
    steps, step = [0] * len(shape), 1
    for axis in reversed(found.axes):
        steps[axis] = step
        step *= max(shape[axis], 1)
    return _layout(shape, steps)


@dataclass(frozen=True)
class _Order:
    """The axes from the longest steps on, and the arguments of which that has been taken."""

    axes: list[int]
    arguments: list[Any]


def _order_of(trace: Trace, operands: Sequence[SymbolicTensor]) -> _Order:
    since = len(trace.assumes)
    found = [layout_of(each) for each in operands]
    arguments = list(dict.fromkeys(each.argument for each in trace.assumes[since:]))
    del trace.assumes[since:]
    return _Order(_axes_in_order(found, max(each.ndim for each in found)), arguments)


def _cell_below(tensor: SymbolicTensor) -> Any:
    """The cell of the array that an array is, or is a view of; None for one of several."""
    while (base := getattr(tensor.storage, "base", None)) is not None:
        tensor = base
    return getattr(tensor.storage, "cell", None)


def _axes_in_order(layouts: Sequence[Layout], rank: int) -> list[int]:
    """The axes in the order that the arrays agree on, from the longest steps on; by rows if not."""
    steps = [[0] * (rank - each.ndim) + _moves(each) for each in layouts]
    order: list[int] = []
    for axis in reversed(range(rank)):
        place = len(order)
        for at in reversed(range(len(order))):
            longer = [abs(s[order[at]]) > abs(s[axis]) for s in steps if s[order[at]] and s[axis]]
            if longer and not all(longer):
                break
            place = at if longer else place
        order.insert(place, axis)
    return order[::-1]


def _moves(layout: Layout) -> list[int]:
    """The steps along the axes, 0 along those of one element."""
    return [s if n != 1 else 0 for n, s in zip(layout.shape, layout.strides, strict=True)]


def _agreed(found: Sequence[Layout], dims: Dims) -> Layout:
    """The layout of one of several arrays, which has to be that of all of them."""
    if all(each.flags.c_contiguous for each in found):
        return _contiguous(sizes(dims))
    if len({(each.shape, each.strides) for each in found}) > 1:
        raise StagingError(
            "whether this is a view or a copy depends on which of several arrays it is of, which lie "
            "in memory in different orders: take it of each of them, or of a copy"
        )
    return found[0]


def lies_in(tensor: SymbolicTensor, order: str) -> bool:
    """Whether the elements would lie in NumPy's memory one after the other: C by rows, F by columns."""
    return holds(tensor, lambda layout: bool(layout.flags[f"{order}_CONTIGUOUS"]))


def holds(tensor: SymbolicTensor, test: Callable[[Layout], bool]) -> bool:
    """Whether something is true of a layout, which extents of arguments may decide: if they are 1."""
    if test(layout_of(tensor)):
        return True
    if any(isinstance(d, Dim) and d.is_of_argument for d in tensor.dims):
        with unknown(1):
            decided = test(layout_of(tensor))
        if decided:
            assume_extents(
                tensor,
                "whether this is a view or a copy depends on extents that only the run time knows",
            )
    return False


@dataclass(eq=False)
class Assumption:
    """That an argument lies row by row: what is made of its elements is a view, or else a copy.

    It matters only where one of the two is written into.
    """

    argument: Any
    copy: Any = None
    """The cell of the copy."""
    made: Any = None
    """The cell of the array that lies as the argument does, if it is about that one."""
    extents: str | None = None
    """What to say if it is about extents that only the run time knows: that they are not 1."""

    def matters(self, trace: Trace) -> bool:
        """Whether the program writes into one of the two."""
        if self.made is not None:
            cells = [each for each in (self.made, self.copy) if each is not None]
            return any(each in each.home.written for each in cells)
        if self.argument.home is not trace.root:
            return True
        if self.copy is None:
            return self.argument in trace.root.written
        inner = self.copy.home is not trace.root
        return inner or self.copy in trace.root.written or self.argument in trace.root.written


def assume_extents(tensor: SymbolicTensor, message: str) -> None:
    """Note that extents which only the run time knows are taken not to be 1."""
    root = tensor
    while (base := getattr(root.storage, "base", None)) is not None:
        root = base
    trace = tensor.recorder
    cell = getattr(root.storage, "cell", None)
    if cell is not None:
        trace.assumes.append(Assumption(cell, extents=trace.explain(message)))


def arguments_by_rows(trace: Trace) -> list[int]:
    """The numbers of the arguments of which it matters that they lie row by row."""
    assumed = [each for each in trace.assumes if each.matters(trace)]
    for each in assumed:
        if each.extents is not None:
            raise needing_extents(each.extents)
    return sorted({trace.argument_cells[each.argument] for each in assumed})


def assumed_copy(trace: Trace, since: int, made: SymbolicTensor) -> None:
    """Note that what was assumed since has made a copy."""
    for each in trace.assumes[since:]:
        each.copy = getattr(made.storage, "cell", None)


def note(tensor: Any, steps: Sequence[int] | None) -> None:
    """Note the steps of an array of its own; None where it lies row by row."""
    cell = getattr(getattr(tensor, "storage", None), "cell", None)
    if cell is not None and steps is not None:
        tensor.recorder.layouts[cell] = tuple(steps)


def note_like(tensor: Any, other: Any) -> None:
    """Note that an array of its own lies as another one does, in the order of its axes."""
    if isinstance(other, SymbolicTensor) and tensor.shape == other.shape:
        follows(tensor, other)


def steps_by(layout: Layout) -> list[int] | None:
    """The steps of a new array whose axes lie in the order of a layout; None for row by row."""
    rank = layout.ndim
    order = sorted(range(rank), key=lambda axis: -abs(layout.strides[axis]))
    if order == list(range(rank)):
        return None
    steps, step = [0] * rank, 1
    for axis in reversed(order):
        steps[axis] = step
        step *= max(layout.shape[axis], 1)
    return steps


def column_steps(dims: Dims) -> list[int] | None:
    """The steps of an array that lies column by column; None where that is the same as by rows."""
    whole = sizes(dims)
    return steps_by(_layout(whole[::-1], _contiguous(whole[::-1]).strides).T)


def memory_order(layout: Layout) -> list[int]:
    """The axes in the order in which they lie in memory, the one with the smallest steps last."""
    return sorted(range(layout.ndim), key=lambda axis: -abs(layout.strides[axis]))


def _contiguous(shape: Sequence[int]) -> Layout:
    steps = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        steps[axis] = steps[axis + 1] * max(shape[axis + 1], 1)
    return _layout(shape, steps)


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
    view = layout.view()
    try:
        view.shape = tuple(shape)
    except (AttributeError, ValueError):
        return None
    return view


def repeated(layout: Layout, dims: Dims) -> Layout | None:
    """The layout of an array that is broadcast."""
    shape = sizes(dims)
    try:
        return np.broadcast_to(layout, shape)
    except ValueError:  # which extents are repeated only the run time knows
        return None
