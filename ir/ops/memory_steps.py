"""Whether NumPy's reshape is a view, where extents that only the run time knows decide it.

A part between bounds of the run time may be whole rows, or one: its elements lie in one piece then,
and apart otherwise.  What the steps through memory say is proven where they are the same products of
extents, and computed by the program elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agir.ir import emit, ranges
from agir.ir.ops import layouts
from agir.ir.ops.agreement import is_same
from agir.ir.ops.rearranged import Permuted, Rearranged
from agir.ir.symbolic import Dim, Dims, SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import bool_, int64
from agir.ir.values.one_of import OneOf
from agir.ir.views import Axis, View

Truth = Any
"""A bool, or an SSA value of type ``i1``."""


@dataclass(frozen=True)
class Product:
    """An int times numbers that only the run time knows (SSA values of type ``index``)."""

    known: int
    others: tuple[Any, ...] = ()

    def __mul__(self, other: Product) -> Product:
        return Product(self.known * other.known, self.others + other.others)

    def value(self, trace: Trace) -> Any:
        """The product as an SSA value."""
        found = trace.index(self.known)
        for each in self.others:
            found = trace.op("arith.muli", found.type, found, each)
        return found


_ONE = Product(1)


def _product(trace: Trace, number: Any) -> Product:
    if isinstance(number, int):
        return Product(number)
    return Product(1, (number.value(trace) if isinstance(number, Dim) else number,))


def _products(trace: Trace, numbers: Iterable[Any]) -> list[Product]:
    return [_product(trace, each) for each in numbers]


def _equal(trace: Trace, left: Product, right: Product) -> Truth:
    """Whether two products are equal, if none of their factors is 0."""
    told = _told(left, right)
    if told is None:
        return trace.compare("eq", left.value(trace), right.value(trace))
    return told


def _told(left: Product, right: Product) -> bool | None:
    """Whether two products are known to be equal; None where only the run time knows."""
    mine, theirs = (Counter(map(ranges.strip, each.others)) for each in (left, right))
    return left.known == right.known if mine == theirs else None


def _any_equal(trace: Trace, pairs: Sequence[tuple[Product, Product]]) -> Truth:
    """Whether the products of one of the pairs are equal; nothing is computed where that is known."""
    if any(_told(*pair) for pair in pairs):
        return True
    found: Truth = False
    for pair in pairs:
        found = _either(trace, found, _equal(trace, *pair))
    return found


def _both(trace: Trace, left: Truth, right: Truth) -> Truth:
    if isinstance(left, bool) or isinstance(right, bool):
        known, other = (left, right) if isinstance(left, bool) else (right, left)
        return other if known else False
    return trace.op("arith.andi", bool_.mlir(), left, right)


def _either(trace: Trace, left: Truth, right: Truth) -> Truth:
    if isinstance(left, bool) or isinstance(right, bool):
        known, other = (left, right) if isinstance(left, bool) else (right, left)
        return True if known else other
    return trace.op("arith.ori", bool_.mlir(), left, right)


def _not(trace: Trace, truth: Truth) -> Truth:
    if isinstance(truth, bool):
        return not truth
    return trace.op("arith.xori", bool_.mlir(), truth, trace.constant(bool_, True))


def _chosen(trace: Trace, condition: Truth, left: Product, right: Product) -> Product:
    if isinstance(condition, bool):
        return left if condition else right
    values = (each.value(trace) for each in (left, right))
    return Product(1, (emit.select(trace, condition, *values),))


def _steps(trace: Trace, tensor: SymbolicTensor) -> list[Product] | None:
    """The steps through memory in elements; None where that is not told."""
    storage = tensor.storage
    if isinstance(storage, View):
        base = _steps(trace, storage.base)
        selection = storage.selection
        if base is None:
            return None
        axes = [None if at is None else (base[at], selection.axes[at]) for at in selection.layout]
        found = [Product(0) if each is None else _along(trace, *each) for each in axes]
        return None if None in found else found  # type: ignore[return-value]
    if isinstance(storage, Permuted):
        base = _steps(trace, storage.base)
        return None if base is None else [base[axis] for axis in storage.order]
    if isinstance(storage, Rearranged):
        return _rearranged_steps(trace, tensor, storage.base)
    is_own = not (hasattr(storage, "base") or hasattr(storage, "arrays"))
    return _own_steps(trace, tensor) if is_own else None


def _rearranged_steps(
    trace: Trace, tensor: SymbolicTensor, base: SymbolicTensor
) -> list[Product] | None:
    """The steps of a view of all elements in other dimensions."""
    if _in_one_piece(trace, base, range(len(base.dims))) is True and _lies_by_rows(tensor):
        return _by_rows(_products(trace, tensor.dims))
    mine, its = ([axis for axis, d in enumerate(v.dims) if d != 1] for v in (tensor, base))
    pairs = list(zip(mine, its, strict=False))
    own, behind = (layouts.layout_of(each).strides for each in (tensor, base))
    alike = len(mine) == len(its) and all(
        is_same(tensor.dims[a], base.dims[b]) and own[a] == behind[b] for a, b in pairs
    )
    steps = _steps(trace, base) if alike else None
    if steps is None:
        return None
    found = dict.fromkeys(range(len(tensor.dims)), Product(0))
    return list((found | {a: steps[b] for a, b in pairs}).values())


def _own_steps(trace: Trace, tensor: SymbolicTensor) -> list[Product] | None:
    """The steps of an array without gaps, whose axes lie in some order."""
    layout = layouts.layout_of(tensor)
    inner_first = layouts.memory_order(layout)[::-1]
    if tuple(layouts.steps_in_order(layout.shape, inner_first)) == layout.strides:
        found = {}
        step = _ONE
        for axis in inner_first:
            found[axis] = step
            step = step * _product(trace, tensor.dims[axis])
        return [found[axis] for axis in range(layout.ndim)]
    known = all(isinstance(d, int) for d in tensor.dims)
    return _products(trace, layout.strides) if known else None


def _along(trace: Trace, step: Product, axis: Axis) -> Product | None:
    """The step of what is taken along an axis; None where only the run time knows its direction."""
    if not isinstance(axis.reverse, bool):
        return None
    return step * _product(trace, axis.stride) * Product(-1 if axis.reverse else 1)


def _lies_by_rows(tensor: SymbolicTensor) -> bool:
    return bool(layouts.layout_of(tensor).flags.c_contiguous)


def _by_rows(extents: Sequence[Product]) -> list[Product]:
    steps, step = [], Product(1)
    for each in reversed(extents):
        steps.append(step)
        step = step * each
    return steps[::-1]


def lies_in(tensor: SymbolicTensor, order: str) -> Truth:
    """Whether the elements lie in one piece, C by rows or F by columns."""
    axes = range(len(tensor.dims))
    told = None
    if _is_asked_for(tensor):
        told = _in_one_piece(tensor.recorder, tensor, axes if order == "C" else axes[::-1])
    return _decided(tensor, told, lambda: layouts.lies_in(tensor, order))


def can_be_view(tensor: SymbolicTensor, target: Dims) -> Truth:
    """Whether NumPy's reshape is a view."""
    told = _goes_on(tensor.recorder, tensor, target) if _is_asked_for(tensor) else None

    def test(layout: layouts.Layout) -> bool:
        return layouts.reshaped(layout, target) is not None

    return _decided(tensor, told, lambda: layouts.holds(tensor, test))


def _is_asked_for(tensor: SymbolicTensor) -> bool:
    """Whether there are extents that only the run time knows, which the program can ask for here."""
    dims = [d for d in tensor.dims if isinstance(d, Dim)]
    return bool(dims) and all(d.is_visible_in(tensor.recorder.scope) for d in dims)


def _decided(tensor: SymbolicTensor, told: Truth | None, by_layout: Callable[[], bool]) -> Truth:
    """What the steps tell, or else the layout with what stands for unknown extents.

    A trace for other extents of arguments knows them, if it matters that some are 1.
    """
    if isinstance(told, bool):
        return told
    if told is None or all(isinstance(d, int) or d.is_of_argument for d in tensor.dims):
        found = by_layout()
        return found if told is None or not found else told
    return told


def _in_one_piece(trace: Trace, tensor: SymbolicTensor, axes: Sequence[int]) -> Truth | None:
    steps = _steps(trace, tensor)
    if steps is None:
        return None
    found: Truth = True
    wanted = _ONE
    for axis in reversed(axes):
        extent = _product(trace, tensor.dims[axis])
        fits = _any_equal(trace, [(steps[axis], wanted), (extent, _ONE)])
        found, wanted = _both(trace, found, fits), wanted * extent
    return found


def _goes_on(trace: Trace, tensor: SymbolicTensor, target: Dims) -> Truth | None:
    """Whether reshaped elements can be reached by steps; None where that is not told.

    They can where each axis goes on where the one behind it ends, unless an axis of the target ends
    there, too.  Axes of extent 1 do not count.
    """
    steps = _steps(trace, tensor)
    if steps is None:
        return None
    ends = _by_rows(_products(trace, target))
    extents = _products(trace, tensor.dims)
    found: Truth = True
    some: Truth = False
    elements, reached = _ONE, _ONE
    for extent, step in zip(reversed(extents), reversed(steps), strict=True):
        alone = _equal(trace, extent, _ONE)
        if some is not False:
            pairs = [(step, reached), *((elements, end) for end in ends), (extent, _ONE)]
            fits = _either(trace, _any_equal(trace, pairs), _not(trace, some))
            found = _both(trace, found, fits)
        if some is not False and not _told(step, reached):
            reached = _chosen(trace, alone, reached, step * extent)
        else:  # the same where the extent is 1, or of no consequence
            reached = step * extent
        some = _either(trace, some, _not(trace, alone))
        elements = elements * extent
    return found


def view_or_copy(
    condition: Any, view: SymbolicTensor, assumed: int, order: str = "C"
) -> SymbolicTensor:
    """The view where the condition (i1) is true, a copy of its elements in this order elsewhere.

    What has been assumed of layouts since there were ``assumed`` assumptions has made the copy.
    """
    trace = view.recorder
    copy = trace.make(view.ssa, view.dtype, view.dims)
    layouts.note(copy, layouts.column_steps(copy.dims) if order == "F" else None)
    layouts.assumed_copy(trace, assumed, copy)
    number = emit.select(trace, condition, *(trace.constant(int64, n) for n in (0, 1)))
    storage = OneOf(trace.scope, number, (view,), copy, view.dtype, view.dims)
    trace.scope.memo[storage, storage.state(trace)] = copy.ssa
    made = SymbolicTensor(trace, storage, view.dtype, view.dims)
    made.shared = True
    return made
