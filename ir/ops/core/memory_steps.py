"""The steps from element to element in NumPy's memory, as products of what the run time knows.

A part between bounds of the run time may be whole rows, or one; one of several arrays may lie by rows
or by columns; a part may be taken from behind.  The steps say so, however the array came about.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agir.ir.emission.views import Axis, Selection, View
from agir.ir.ops.core import layouts
from agir.ir.ops.core.agreement import is_same
from agir.ir.ops.core.products import (
    ONE,
    ZERO,
    Asked,
    Product,
    Truth,
    UntoldError,
    any_equal,
    at_most,
    below,
    both,
    by_rows,
    chosen,
    computed,
    divided,
    negated,
    product,
    products,
    told_equal,
    told_inside,
)
from agir.ir.ops.core.rearranged import Permuted
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor
from agir.ir.values.arrays.one_of import OneOf, root_of, storage_of

_APART = 64
"""How many times longer the step along an axis is than that along the next, to tell them apart."""

_MOST = 8
"""How many of them an int64 tells apart."""

_SEVERAL = 4
"""Of how many choices between arrays the alternatives are looked at."""

Steps = list[Product]


def steps(asked: Asked, tensor: SymbolicTensor) -> Steps:
    """The steps through memory in elements; ``UntoldError`` where that is not known."""
    storage = storage_of(tensor)
    if isinstance(storage, OneOf):
        return _of_one(asked, storage)
    base = getattr(storage, "base", None)
    if base is None:
        return _own_steps(asked, tensor)
    if isinstance(storage, View):
        return _selected(asked, steps(asked, base), storage.selection)
    if isinstance(storage, Permuted):
        behind = steps(asked, base)
        return [behind[axis] for axis in storage.order]
    arrange = storage.arrange
    if isinstance(arrange, layouts.Selecting):
        return _selected(asked, steps(asked, base), arrange.selection)
    if isinstance(arrange, layouts.Reshaping):
        return _reshaped(asked, base, tensor)
    if getattr(arrange, "func", None) is layouts.packed:
        return _packed(asked, base)
    return _arranged(asked, arrange, base, tensor)


def _selected(asked: Asked, base: Steps, selection: Selection) -> Steps:
    axes = [None if at is None else (base[at], selection.axes[at]) for at in selection.layout]
    return [ZERO if each is None else _along(asked, *each) for each in axes]


def _along(asked: Asked, step: Product, axis: Axis) -> Product:
    """The step of what is taken along an axis."""
    if asked.order_only:  # elements of one axis do not reach beyond those of the next
        return step * product(axis.stride if isinstance(axis.stride, int) else 1)
    if isinstance(axis.reverse, bool):
        sign = Product(-1 if axis.reverse else 1)
    else:
        trace = asked.recorder
        if not Dim(value=axis.reverse).is_visible_in(trace.scope):
            raise UntoldError
        sign = chosen(asked, axis.reverse, Product(-1), ONE)
    return step * product(axis.stride) * sign


def _of_one(asked: Asked, storage: OneOf) -> Steps:
    """The steps of the one of several arrays that it is."""
    if storage in asked.chosen:
        return steps(asked, storage.arrays[asked.chosen[storage]])
    *others, found = [steps(asked, each) for each in storage.arrays]
    for number in reversed(range(len(others))):
        pairs = list(zip(others[number], found, strict=True))
        if all(told_equal(asked, *pair) for pair in pairs):
            continue
        trace = asked.recorder
        if not Dim(value=storage.number).is_visible_in(trace.scope):
            raise UntoldError
        here = storage.is_number(trace, number)
        found = [chosen(asked, here, *pair) for pair in pairs]
    return found


def _packed(asked: Asked, base: SymbolicTensor) -> Steps:
    """The steps of an array without gaps that lies by columns where another one does."""
    dims, known = base.dims, steps(asked, base)
    axes, sizes = range(len(dims)), [product(each) for each in dims]
    by_columns = in_one_piece_by(asked, known, dims, axes[::-1])
    only = both(asked, by_columns, negated(asked, in_one_piece_by(asked, known, dims, axes)))
    pairs = zip(by_rows(sizes[::-1])[::-1], by_rows(sizes), strict=True)
    return [chosen(asked, only, *pair) for pair in pairs]


def _arranged(asked: Asked, arrange: Any, base: SymbolicTensor, tensor: SymbolicTensor) -> Steps:
    """The steps of a view, each of which is made up of those of what it is a view of."""
    if arrange is None or not _keeps_sizes(arrange, base, tensor):
        raise UntoldError
    rank = len(base.dims)
    if rank > _MOST:
        raise UntoldError
    apart = [_APART ** (axis + 1) for axis in range(rank)]
    found = arrange(layouts.stepping(base.dims, apart))
    if found is None or found.ndim != len(tensor.dims):
        raise UntoldError
    behind = [*steps(asked, base), ONE]
    return [_made_up(asked, each, behind) for each in found.strides]


def _keeps_sizes(arrange: Any, base: SymbolicTensor, tensor: SymbolicTensor) -> bool:
    """Whether it is known which elements are repeated."""
    if getattr(arrange, "func", None) is not layouts.repeated:
        return True
    whole = tensor.dims[len(tensor.dims) - len(base.dims) :]
    pairs = zip(base.dims, whole, strict=True)
    return all(own == 1 or isinstance(own, int) or is_same(own, its) for own, its in pairs)


def _made_up(asked: Asked, step: int, behind: Steps) -> Product:
    """The sum of multiples that a step of axes with such steps stands for; the last one is 1."""
    parts = []
    for each in (behind[-1], *behind[:-1]):
        times = (step + _APART // 2) % _APART - _APART // 2
        step = (step - times) // _APART
        if times and each.known:
            parts.append(each * Product(times))
    if len(parts) < 2:
        return parts[0] if parts else ZERO
    if not any(each.others for each in parts):
        return Product(sum(each.known for each in parts))
    trace = asked.recorder
    found, *rest = [each.value(trace) for each in parts]
    for each in rest:
        found = trace.op("arith.addi", found.type, found, each)
    return computed(found)


def _reshaped(asked: Asked, base: SymbolicTensor, tensor: SymbolicTensor) -> Steps:
    """The steps of a view of all elements in other dimensions, if it is one.

    Along an axis of the result one goes along that axis of the other array which the elements
    behind it are a part of.
    """
    behind, mine = products(base.dims), products(tensor.dims)
    ends, own = by_rows(behind), by_rows(mine)
    found = steps(asked, base)
    if _is_in_one_piece(Asked(), base.dims, found, range(len(behind))):
        return own
    return [
        _reached(asked, size, end, list(zip(behind, ends, found, strict=True)))
        for size, end in zip(mine, own, strict=True)
    ]


def _reached(
    asked: Asked, size: Product, end: Product, axes: Sequence[tuple[Product, Product, Product]]
) -> Product:
    """The step along an axis behind which there are so many elements; 0 where it is of no matter."""
    if told_equal(asked, size, ONE):
        return ZERO
    for behind, its_end, step in axes:
        if told_equal(asked, end, its_end) and told_equal(asked, size, behind):
            return step
    found = ZERO
    for behind, its_end, step in axes:
        here = both(asked, at_most(asked, its_end, end), below(asked, end, its_end * behind))
        if here is not False:
            found = chosen(asked, here, step * divided(asked, end, its_end), found)
    return found


def _own_steps(asked: Asked, tensor: SymbolicTensor) -> Steps:
    """The steps of an array of its own: without gaps, its axes in some order, or noted."""
    layout = layouts.layout_of(tensor)  # which notes what it assumes
    derived = layouts.derived_of(tensor)
    if derived is not None and not _is_proven(derived, not asked.order_only):
        raise UntoldError
    if derived is not None:
        derived.gaps_asked |= not asked.order_only
    inner_first = layouts.memory_order(layout)[::-1]
    if (
        asked.order_only
        or tuple(layouts.steps_in_order(layout.shape, inner_first)) == layout.strides
    ):
        found, step = {}, ONE
        for axis in inner_first:
            found[axis] = step
            step = step * product(tensor.dims[axis])
        return [found[axis] for axis in range(layout.ndim)]
    if all(isinstance(d, int) for d in tensor.dims):
        return products(layout.strides)
    raise UntoldError


def in_one_piece(asked: Asked, tensor: SymbolicTensor, axes: Sequence[int]) -> Truth:
    """Whether the elements lie one after the other, in this order of the axes."""
    return in_one_piece_by(asked, steps(asked, tensor), tensor.dims, axes)


def in_one_piece_by(asked: Asked, known: Steps, dims: Dims, axes: Sequence[int]) -> Truth:
    """Whether elements with these steps lie one after the other."""
    found: Truth = True
    wanted = ONE
    for axis in reversed(axes):
        size = product(dims[axis])
        fits = any_equal(asked, [(known[axis], wanted), (size, ONE)])
        found, wanted = both(asked, found, fits), wanted * size
    return found


# What an array was computed of tells the order of its axes.


def _is_proven(derived: layouts.Derived, gaps: bool) -> bool:
    """Whether an array lies as its layout says whatever the run time knows, its ``gaps`` included.

    Those are of no matter where it was computed, for such an array has none.
    """
    if not derived.has_gaps:
        gaps = False
    waiting = [(derived, gaps)]
    while waiting:  # what it is made of comes first, without a call in a call for each
        last, whole = waiting[-1]
        below = [layouts.derived_of(each) for each in map(root_of, last.decisive)]
        asked = [(each, each.has_gaps and (whole or last.by_columns)) for each in below if each]
        missing = [(each, its) for each, its in asked if its not in each.proven]
        if missing and whole not in last.proven:
            waiting += missing
            continue
        waiting.pop()
        if whole not in last.proven:
            last.proven[whole] = all(
                _stands_for(each, last.by_columns, whole) for each in last.decisive
            )
    return derived.proven[gaps]


def tells_order(tensor: SymbolicTensor) -> bool:
    """Whether the layout has the axes in their order, whatever only the run time knows."""
    return _stands_for(tensor, False, False)


def _stands_for(tensor: SymbolicTensor, by_columns: bool, gaps: bool) -> bool:
    """Whether steps agree with the layout in the order of the axes, for every array that it may be."""
    layout, dims = layouts.layout_of(tensor), tensor.dims
    asked = Asked(all_larger=True, order_only=not (by_columns or gaps))
    try:
        for found in _alternatives(asked, tensor):
            if not _is_in_order(layout, dims, found):
                return False
            if gaps and not _has_its_gaps(layout, dims, found):
                return False
            if by_columns and layouts.lies_by_columns(layout) is not _lies_by_columns(dims, found):
                return False
    except UntoldError:
        return False
    return True


def lie_alike(layout: layouts.Layout, arrays: Sequence[SymbolicTensor], gaps: bool) -> bool:
    """Whether arrays are known to lie in the order of a layout, and to have its ``gaps``."""
    asked = _LARGER if gaps else Asked(all_larger=True, order_only=True)
    try:
        found = [(each.dims, known) for each in arrays for known in _alternatives(asked, each)]
    except UntoldError:
        return False
    return all(
        _has_its_gaps(layout, dims, known) if gaps else _is_in_order(layout, dims, known)
        for dims, known in found
    )


def _is_in_one_piece(asked: Asked, dims: Dims, known: Steps, axes: Sequence[int]) -> bool:
    try:
        return in_one_piece_by(asked, known, dims, axes) is True
    except UntoldError:
        return False


def _alternatives(asked: Asked, tensor: SymbolicTensor) -> Iterator[Steps]:
    """The steps, for each of several arrays that it may be."""
    several = list(dict.fromkeys(_several(tensor)))
    if len(several) > _SEVERAL:
        raise UntoldError
    for numbers in itertools.product(*(range(len(each.arrays)) for each in several)):
        yield steps(replace(asked, chosen=dict(zip(several, numbers, strict=True))), tensor)


def _several(tensor: SymbolicTensor) -> Iterator[OneOf]:
    """What an array is that may be one of several, or is a view of."""
    storage = storage_of(root_of(tensor))
    if isinstance(storage, OneOf):
        yield storage
        for each in storage.arrays:
            yield from _several(each)


def _is_in_order(layout: layouts.Layout, dims: Dims, found: Steps) -> bool:
    axes = [axis for axis, d in enumerate(dims) if d != 1]
    for outer, inner in itertools.combinations(axes, 2):
        numbers = [layout.strides[outer], layout.strides[inner]]
        pair = [found[outer], found[inner]]
        repeated = [number == 0 for number in numbers]
        if repeated != [each.known == 0 for each in pair]:
            return False
        told = told_inside(*pair)
        if not any(repeated) and told is not (abs(numbers[0]) < abs(numbers[1])):
            return False
    return True


def _has_its_gaps(layout: layouts.Layout, dims: Dims, found: Steps) -> bool:
    if not any(each.others for each in found) and layout.shape == tuple(dims):
        return all(
            step.known == number or d == 1
            for step, number, d in zip(found, layout.strides, dims, strict=True)
        )
    return _is_in_one_piece(_LARGER, dims, found, layouts.memory_order(layout))


def _lies_by_columns(dims: Dims, found: Steps) -> bool:
    axes = range(len(dims))
    rows, columns = (in_one_piece_by(_LARGER, found, dims, each) for each in (axes, axes[::-1]))
    return columns and not rows


_LARGER = Asked(all_larger=True)
