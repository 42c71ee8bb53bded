"""Shapes and orders of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import as_dtype
from agir.ir.ops.core.operands import composition, dimension_sizes
from agir.ir.tensors.dispatch import call, type_of
from agir.numpy.arguments import array, array_function, operand


def _arrays(values: Any) -> list[Any]:
    if isinstance(values, (list, tuple)):
        return [array(value) for value in values]
    return list(array(values))


@composition()
def broadcast_arrays(*arrays: Any) -> list[Any]:
    """The arrays in the shape that they have together.

    >>> [each.shape for each in ag.numpy.broadcast_arrays([1, 2], [[3], [4]])]
    [(2, 2), (2, 2)]
    """
    given = [array(value) for value in arrays]
    if not given:
        return []
    whole = given[0]
    for each in given[1:]:
        both = [call("fill_like", value, False, "bool") for value in (whole, each)]
        whole = call("logical_or", *both)
    shape = dimension_sizes(whole)
    return [call("broadcast_to", each, shape) for each in given]


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """The shape that arrays of these shapes have together.

    >>> ag.numpy.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    return np.broadcast_shapes(*shapes)


@array_function("x")
def broadcast_to(x: Any, /, shape: Any) -> Any:
    """The array repeated to fill the shape.

    >>> ag.numpy.broadcast_to([1, 2], (2, 2)).numpy()
    array([[1, 2],
           [1, 2]])
    """
    return call("broadcast_to", x, shape)


@composition()
def concat(arrays: Any, /, axis: Any = 0, *, dtype: Any = None) -> Any:
    """The arrays one after the other along an axis, or flattened where it is None.

    >>> ag.numpy.concat([[1, 2], [3.5]]).numpy()
    array([1. , 2. , 3.5])
    """
    parts = _arrays(arrays)
    if dtype is not None:
        parts = [call("cast", part, as_dtype(dtype)) for part in parts]
    return call("concat", parts, axis)


@composition()
def stack(arrays: Any, /, axis: int = 0, *, dtype: Any = None) -> Any:
    """The arrays, all of one shape, along a new axis.

    >>> ag.numpy.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]])
    """
    parts = _arrays(arrays)
    if dtype is not None:
        parts = [call("cast", part, as_dtype(dtype)) for part in parts]
    return call("stack", parts, axis)


@array_function("x")
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis, whose size must be known while tracing.

    >>> [each.numpy().tolist() for each in ag.numpy.unstack([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]
    """
    return tuple(call("unstack", x, None, axis))


@array_function("x")
def expand_dims(x: Any, /, axis: Any = 0) -> Any:
    """The array with new axes of size 1, at these positions of the result.

    >>> ag.numpy.expand_dims([1, 2], axis=1).shape
    (2, 1)
    """
    return call("expand_dims", x, axis)


@array_function("x")
def squeeze(x: Any, /, axis: Any = None) -> Any:
    """The array without axes of size 1: those given, or all.

    >>> ag.numpy.squeeze([[1, 2]], 0).shape
    (2,)
    """
    return call("squeeze", x, axis)


@array_function("x")
def flip(x: Any, /, axis: Any = None) -> Any:
    """The elements in reverse order along the axes; along all where none is given.

    >>> ag.numpy.flip([1, 2, 3]).numpy()
    array([3, 2, 1])
    """
    return call("flip", x, axis)


@array_function("x")
def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    """The array with some axes at other positions, and the rest in their order.

    >>> ag.numpy.moveaxis(ag.numpy.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    return call("moveaxis", x, source, destination)


@array_function("x")
def permute_dims(x: Any, /, axes: Any = None) -> Any:
    """The axes in another order; reversed where none is given.

    >>> ag.numpy.permute_dims(ag.numpy.zeros((2, 3)), (1, 0)).shape
    (3, 2)
    """
    return call("transpose", x, axes)


@array_function("x")
def matrix_transpose(x: Any, /) -> Any:
    """The last two axes exchanged.

    >>> ag.numpy.matrix_transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]])
    """
    rank = type_of(x, "matrix_transpose").rank
    if rank < 2:
        raise ValueError(f"matrix_transpose() takes matrices, not an array of {rank} dimensions")
    return call("swapaxes", x, -2, -1)


@array_function("x")
def repeat(x: Any, repeats: Any, /, axis: Any = None) -> Any:
    """Each element, or slice along an axis, so many times in a row.

    >>> ag.numpy.repeat([1, 2], 2).numpy()
    array([1, 1, 2, 2])
    """
    return call("numpy_repeat", x, operand(repeats), axis)


@array_function("x")
def reshape(x: Any, /, shape: Any, order: str = "C", *, copy: Any = None) -> Any:
    """The elements in another shape, of which one size may be -1.

    Tensors do not change, so a copy is never needed to keep them apart.

    >>> ag.numpy.reshape([1, 2, 3, 4], (2, -1)).numpy()
    array([[1, 2],
           [3, 4]])
    """
    if order not in ("C", "A"):
        raise ValueError(f"reshape(): elements are read in the order 'C', not {order!r}")
    found = call("reshape", x, shape)
    return call("copy", found) if copy else found


@array_function("x")
def roll(x: Any, /, shift: Any, axis: Any = None) -> Any:
    """The elements moved along the axes, those at the end to the beginning.

    >>> ag.numpy.roll([1, 2, 3], 1).numpy()
    array([3, 1, 2])
    """
    return call("roll", x, shift, axis)


@array_function("x")
def tile(x: Any, repetitions: Any, /) -> Any:
    """The array so many times along each axis.

    >>> ag.numpy.tile([1, 2], (2,)).numpy()
    array([1, 2, 1, 2])
    """
    return call("tile", x, repetitions)


concatenate = concat
transpose = permute_dims

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "concatenate",
    "expand_dims",
    "flip",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "transpose",
    "unstack",
]
