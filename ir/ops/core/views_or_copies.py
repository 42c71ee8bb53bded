"""Whether NumPy's reshape is a view, where sizes and paths that only the run time knows decide it.

What the steps through memory say is proven where it can be; the program asks elsewhere, and where that
is not possible either, a program is refused in which a write would tell the difference.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from agir.errors import StagingError
from agir.ir.building.types import int64
from agir.ir.emission import emit
from agir.ir.ops.core import layouts, memory_steps
from agir.ir.ops.core.products import (
    ONE,
    Asked,
    Truth,
    UntoldError,
    any_equal,
    both,
    by_rows,
    chosen,
    either,
    equal,
    negated,
    products,
    told_equal,
)
from agir.ir.tensors.symbolic import Dims, Fixed, PartOfOne, SymbolicTensor, Track
from agir.ir.values.arrays.one_of import OneOf

_EXTENTS = "whether this is a view or a copy depends on sizes that only the run time knows"


def lies_in(tensor: SymbolicTensor, order: str, decides: bool = False) -> Truth:
    """Whether the elements lie in one piece: C by rows, F by columns, CF one of the two.

    What is computed may depend on it (``decides``), or only what is a view.
    """
    if _is_empty(tensor):
        return True
    axes = range(len(tensor.dims))
    orders = {"C": axes, "F": axes[::-1]}

    def ask(asked: Asked) -> Truth:
        found = (memory_steps.in_one_piece(asked, tensor, orders[each]) for each in order)
        return functools.reduce(functools.partial(either, asked), found)

    def by_layout() -> bool:
        return any(layouts.lies_in(tensor, each) for each in order)

    return _decided(tensor, ask, None if decides else by_layout)


def lies_by_columns(tensor: SymbolicTensor, only: bool = True) -> Truth:
    """Whether the elements lie in one piece by columns, and not by rows, too, if ``only``.

    Both is true of one row, whose elements are in the same order either way.
    """
    trace = tensor.recorder
    mark = len(trace.assumes)
    if len(tensor.dims) < 2 or _axes_are_by_rows(tensor):
        found: Truth = False
    else:
        found = lies_in(tensor, "F", decides=True)
        if only and found is not False:
            asked = Asked(trace)
            found = both(asked, found, negated(asked, lies_in(tensor, "C", decides=True)))
    for each in trace.assumes[mark:]:
        each.decides = True
    return found


def _axes_are_by_rows(tensor: SymbolicTensor) -> bool:
    layout = layouts.layout_of(tensor)
    rows = [abs(step) for step, d in zip(layout.strides, tensor.dims, strict=True) if d != 1]
    return rows == sorted(rows, reverse=True) and memory_steps.tells_order(tensor)


def _is_empty(tensor: SymbolicTensor) -> bool:
    """Whether it surely has no elements: they lie in one piece in either order, however it steps."""
    return any(isinstance(size, int) and size == 0 for size in tensor.dims)


def can_be_view(tensor: SymbolicTensor, target: Dims) -> Truth:
    """Whether NumPy's reshape is a view."""
    if _is_empty(tensor):
        return True

    def ask(asked: Asked) -> Truth:
        return _goes_on(asked, tensor, target)

    return _decided(
        tensor, ask, lambda: layouts.reshaped(layouts.layout_of(tensor), target) is not None
    )


def order_of_axes(tensor: SymbolicTensor) -> list[int]:
    """The axes in the order in which they lie in memory, on which it depends what is computed."""
    layout = layouts.deciding(tensor)
    if not memory_steps.tells_order(tensor):
        raise StagingError(tensor.recorder.explain(layouts.UNKNOWN))
    return layouts.memory_order(layout)


def _decided(
    tensor: SymbolicTensor, ask: Callable[[Asked], Truth], by_layout: Callable[[], bool] | None
) -> Truth:
    """What the steps tell, or what the program will, or else the layout, if no write tells.

    A trace for other sizes of arguments knows them, if it matters that some are 1.
    """
    try:
        asked = Asked(larger=True)
        found = ask(asked)
        if found or not asked.used or layouts.assume_sizes(tensor, _EXTENTS):
            return found
    except UntoldError:
        pass
    try:
        return ask(Asked(tensor.recorder))
    except UntoldError:
        if isinstance(tensor.storage, Fixed) and not tensor.recorder.tracks_arrays:
            if by_layout is None:
                raise Track from None
            return True  # a write into it begins a trace that knows more
        if by_layout is None or not layouts.assume_sizes(tensor, layouts.UNKNOWN):
            raise StagingError(tensor.recorder.explain(layouts.UNKNOWN)) from None
        return by_layout()


def _goes_on(asked: Asked, tensor: SymbolicTensor, target: Dims) -> Truth:
    """Whether reshaped elements can be reached by steps.

    They can where each axis goes on where the one behind it ends, unless an axis of the target ends
    there, too.  Axes of size 1 do not count.
    """
    steps = memory_steps.steps(asked, tensor)
    ends = by_rows(products(target))
    sizes = products(tensor.dims)
    found: Truth = True
    some: Truth = False
    elements, reached = ONE, ONE
    for size, step in zip(reversed(sizes), reversed(steps), strict=True):
        alone = equal(asked, size, ONE) if len(sizes) > 1 else False
        if some is not False:
            pairs = [(step, reached), *((elements, end) for end in ends), (size, ONE)]
            fits = either(asked, any_equal(asked, pairs), negated(asked, some))
            found = both(asked, found, fits)
        if some is not False and not told_equal(asked, step, reached):
            reached = chosen(asked, alone, reached, step * size)
        else:  # the same where the size is 1, or of no consequence
            reached = step * size
        some = either(asked, some, negated(asked, alone))
        elements = elements * size
    return found


def view_or_copy(
    condition: Any, view: SymbolicTensor, assumed: int, order: str = "C"
) -> SymbolicTensor:
    """The view where the condition (i1) is true, a copy of its elements in this order elsewhere.

    What has been assumed of layouts since there were ``assumed`` assumptions has made the copy.
    """
    trace = view.recorder
    if isinstance(
        view.storage, PartOfOne
    ):  # whether it is a view matters to a trace that tracks it
        return view
    copy = trace.make(view.ssa, view.dtype, view.dims)
    layouts.note(copy, layouts.column_steps(copy.dims) if order == "F" else None)
    layouts.assumed_copy(trace, assumed, copy)
    made = _one_of(condition, (view,), copy)
    trace.scope.memo[made.storage, made.storage.state(trace)] = copy.ssa
    return made


def one_of_two(condition: Any, left: SymbolicTensor, right: SymbolicTensor) -> SymbolicTensor:
    """One of two arrays of as many elements: the first where the condition (i1) is true."""
    trace = left.recorder
    if not trace.tracks_arrays and any(isinstance(e.storage, Fixed) for e in (left, right)):
        raise Track
    return _one_of(condition, (left, right), None)


def _one_of(
    condition: Any, members: tuple[SymbolicTensor, ...], own: SymbolicTensor | None
) -> SymbolicTensor:
    first = members[0]
    trace = first.recorder
    number = emit.select(trace, condition, *(trace.constant(int64, n) for n in (0, 1)))
    storage = OneOf(trace.scope, number, members, own, first.dtype, first.dims)
    made = SymbolicTensor(trace, storage, first.dtype, first.dims)
    made.shared = True
    return made
