"""Parts of arrays whose dimensions are in another order: they are parts of the array itself.

``x.T[i, j]`` is ``x[j, i]``, so that neither reading nor writing it moves the other elements.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agir.ir.emission import emit
from agir.ir.emission.views import Axis, Selection, View, extract, write_part
from agir.ir.ops.core.rearranged import Permuted
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor, is_writable
from agir.ir.tracing.trace import Trace
from agir.ir.values.arrays.axis_numbers import Along, within
from agir.ir.values.arrays.one_of import OneOf


def view_of(trace: Trace, tensor: SymbolicTensor, selection: Selection) -> SymbolicTensor:
    """The selected part of an array that can be written into, as a view."""
    storage = tensor.storage
    if not is_permuted(tensor):
        view = View(trace.scope, tensor, selection)
        view.read(trace)
        part = SymbolicTensor(trace, view, tensor.dtype, selection.dims)
        part.shared = True
        part.taken = tensor, selection.key
        return part
    part = view_of(trace, storage.base, _in_order_of_base(selection, storage.order))
    pairs = zip(storage.order, selection.axes, strict=True)
    kept = [axis for axis, own in pairs if own.dim is not None]
    order = [sorted(kept).index(axis) for axis in kept]
    if order != sorted(order):
        part = dispatch.call("transpose", part, order)
    if None in selection.layout:
        new = tuple(at for at, axis in enumerate(selection.layout) if axis is None)
        part = dispatch.call("expand_dims", part, new)
    part.taken = tensor, selection.key
    return part


def is_part(value: Any, tensor: SymbolicTensor, key: Any) -> bool:
    """Whether a value is the view ``tensor[key]`` that has just been taken."""
    array, taken = getattr(value, "taken", None) or (None, None)
    return array is tensor and taken is key


def element(trace: Trace, tensor: SymbolicTensor, selection: Selection) -> Any:
    """The one element that is selected, an SSA value."""
    array, selection = _root(trace, tensor, selection)
    if isinstance(array.storage, OneOf):
        return array.storage.of_the_array(trace, lambda each: element(trace, each, selection))
    return extract(trace, array.ssa, tensor.dtype, selection)


def write(trace: Trace, tensor: SymbolicTensor, selection: Selection, part: Any) -> None:
    """Give the selected part of an array new elements, an SSA value."""
    if selection.layout:
        if is_permuted(tensor):
            view_of(trace, tensor, selection).storage.write(trace, part)
        else:
            write_part(trace, tensor, selection, part)
        return
    array, selection = _root(trace, tensor, selection)
    if isinstance(array.storage, OneOf):
        array.storage.for_the_array(trace, lambda each: write(trace, each, selection, part))
    else:
        write_part(trace, array, selection, part)


def is_permuted(tensor: SymbolicTensor) -> bool:
    """Whether an array is another one, which can be written into, in another order of dimensions."""
    storage = tensor.storage
    return (
        isinstance(storage, Permuted) and bool(storage.order) and is_writable(storage.base.storage)
    )


def _root(
    trace: Trace, tensor: SymbolicTensor, selection: Selection
) -> tuple[SymbolicTensor, Selection]:
    """The array that an element is of, and which one of it that is."""
    while True:
        storage = tensor.storage
        if is_permuted(tensor):
            selection = _in_order_of_base(selection, storage.order)
        elif isinstance(storage, View) and _is_costly(storage):
            selection = _seen_from_base(trace, storage.selection, selection)
        else:
            return tensor, selection
        tensor = storage.base


def _is_costly(view: View) -> bool:
    """Whether all of a view would be read for an element, as the run time knows what it is of."""
    base = view.base.storage
    return (
        view.selection.valid is not None
        or isinstance(base, OneOf)
        or (isinstance(base, View) and _is_costly(base))
    )


def _seen_from_base(trace: Trace, view: Selection, inner: Selection) -> Selection:
    """Where an element of a view lies in the array that the view is of."""
    axes = []
    for number, axis in enumerate(view.axes):
        if axis.dim is not None:
            position = Along(inner.axes[view.layout.index(number)].offset, 1, 1, False, False)
            along = Along(axis.offset, axis.stride, axis.dim, axis.reverse, True)
            axis = Axis(within(trace, along, position).offset, 1, 1, None)
        axes.append(axis)
    return Selection(axes, [], emit.both(trace, view.valid, inner.valid))


def _in_order_of_base(selection: Selection, order: tuple[int, ...]) -> Selection:
    axes = [selection.axes[order.index(axis)] for axis in range(len(order))]
    layout: list[int | None] = [axis for axis, each in enumerate(axes) if each.dim is not None]
    return replace(selection, axes=axes, layout=layout)
