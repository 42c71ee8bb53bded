"""Making arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir import hooks, recording
from agir.ir.building.types import float64
from agir.ir.ops.core.operands import composition
from agir.ir.tensors import dispatch
from agir.ir.tensors.dispatch import call
from agir.ir.tensors.tensor import Tensor
from agir.numpy.arguments import array as as_array
from agir.numpy.arguments import array_function, check_device, check_order, element_type
from agir.runtime import dlpack


@composition()
def asarray(
    obj: Any, /, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None
) -> Any:
    """The tensor of an array, a number, or nested lists: int64 and float64 of Python's numbers.

    A tensor of the dtype stays itself unless ``copy`` is true.  With ``copy=False`` an array's
    memory is shared; ``ValueError`` where that cannot be.

    >>> ag.numpy.asarray([1, 2.5]).dtype
    agir.float64
    """
    check_device(device)
    check_order(order)
    wanted = element_type(dtype)
    if isinstance(obj, Tensor) and wanted in (None, obj.dtype):
        return call("copy", obj) if copy else obj
    shareable = isinstance(obj, np.ndarray) and wanted in (None, element_type(obj.dtype))
    if copy is False:
        if not shareable or recording.current() is not None:
            raise ValueError("asarray(): the elements cannot be had without a copy; leave out copy")
        return hooks.runtime.eager(obj)
    return _made(obj, wanted)


def _made(obj: Any, dtype: Any) -> Any:
    if dtype is not None and not dispatch.any_symbolic((obj,), {}) and not isinstance(obj, Tensor):
        obj = np.asarray(obj, dtype.numpy)
    made = call("array", as_array(obj))
    return made if dtype in (None, made.dtype) else call("cast", made, dtype)


@composition()
def array(
    object: Any, dtype: Any = None, *, copy: Any = True, order: Any = None, ndmin: int = 0
) -> Any:
    """A tensor of its own with the elements of an array, a number, or nested lists.

    >>> ag.numpy.array([1, 2], ndmin=2).shape
    (1, 2)
    """
    made = asarray(object, dtype, order, copy=copy)
    missing = ndmin - made.ndim
    return call("expand_dims", made, tuple(range(missing))) if missing > 0 else made


def from_dlpack(x: Any, /, *, device: Any = None, copy: Any = None) -> Any:
    """The tensor of an object that speaks DLPack, sharing its memory where ``copy`` is not true.

    What is written into shared memory elsewhere is seen in the tensor.

    >>> ag.numpy.from_dlpack(np.arange(3)).numpy()
    array([0, 1, 2])
    """
    check_device(device)
    if isinstance(x, Tensor):
        return call("copy", x) if copy else x
    found = dlpack.imported(x, device, copy)
    if recording.current() is not None:
        return call("array", found)
    return hooks.runtime.eager(found)


def _filled(shape: Any, value: Any, dtype: Any, order: Any, device: Any) -> Any:
    check_device(device)
    check_order(order)
    return call("full", shape, value, element_type(dtype))


def zeros(shape: Any, dtype: Any = float64, order: str = "C", *, device: Any = None) -> Any:
    """Zeros (``False``).

    >>> ag.numpy.zeros((2,), dtype=ag.int32).numpy()
    array([0, 0], dtype=int32)
    """
    return _filled(shape, 0, float64 if dtype is None else dtype, order, device)


def ones(shape: Any, dtype: Any = float64, order: str = "C", *, device: Any = None) -> Any:
    """Ones (``True``).

    >>> ag.numpy.ones(2).numpy()
    array([1., 1.])
    """
    return _filled(shape, 1, float64 if dtype is None else dtype, order, device)


def empty(shape: Any, dtype: Any = float64, order: str = "C", *, device: Any = None) -> Any:
    """An array to be filled; its elements are zeros.

    >>> ag.numpy.empty((2, 3)).shape
    (2, 3)
    """
    return zeros(shape, dtype, order, device=device)


@array_function()
def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", *, device: Any = None
) -> Any:
    """The value everywhere, in its own dtype unless another is given.

    >>> ag.numpy.full((2,), 7).numpy()
    array([7, 7])
    """
    value = fill_value if isinstance(fill_value, Tensor) else np.asarray(fill_value)
    if dtype is not None and isinstance(value, np.ndarray):
        value = np.asarray(fill_value, element_type(dtype).numpy)  # type: ignore[union-attr]
    if value.shape == ():
        return _filled(shape, value, dtype, order, device)
    return call("broadcast_to", asarray(value, dtype, order, device=device), shape)


def _like(x: Any, value: Any, dtype: Any, order: Any, shape: Any, device: Any) -> Any:
    check_device(device)
    check_order(order)
    source = as_array(x)
    if shape is not None:
        return full(shape, value, source.dtype if dtype is None else dtype)
    return call("fill_like", source, value, element_type(dtype))


@composition()
def zeros_like(
    x: Any, /, dtype: Any = None, order: str = "K", *, shape: Any = None, device: Any = None
) -> Any:
    """Zeros in the shape and dtype of ``x``.

    >>> ag.numpy.zeros_like([1.5]).numpy()
    array([0.])
    """
    return _like(x, 0, dtype, order, shape, device)


@composition()
def ones_like(
    x: Any, /, dtype: Any = None, order: str = "K", *, shape: Any = None, device: Any = None
) -> Any:
    """Ones in the shape and dtype of ``x``.

    >>> ag.numpy.ones_like([1, 2]).numpy()
    array([1, 1])
    """
    return _like(x, 1, dtype, order, shape, device)


@composition()
def empty_like(
    x: Any, /, dtype: Any = None, order: str = "K", *, shape: Any = None, device: Any = None
) -> Any:
    """An array to be filled, in the shape and dtype of ``x``.

    >>> ag.numpy.empty_like([1, 2]).dtype
    agir.int64
    """
    return _like(x, 0, dtype, order, shape, device)


@composition()
def full_like(
    x: Any,
    /,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    *,
    shape: Any = None,
    device: Any = None,
) -> Any:
    """The value everywhere, in the shape and dtype of ``x``.

    >>> ag.numpy.full_like([1.0, 2.0], 7).numpy()
    array([7., 7.])
    """
    return _like(x, fill_value, dtype, order, shape, device)


@composition()
def arange(
    start: Any, /, stop: Any = None, step: Any = 1, dtype: Any = None, *, device: Any = None
) -> Any:
    """The numbers from ``start`` (0 where there is only one bound) to before ``stop``.

    >>> ag.numpy.arange(1, 7, 2).numpy()
    array([1, 3, 5])
    """
    check_device(device)
    return call("range", start, stop, 1 if step is None else step, element_type(dtype))


@composition()
def linspace(
    start: Any,
    stop: Any,
    /,
    num: int = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """``num`` numbers evenly spaced from ``start`` to ``stop``, which ``endpoint=False`` leaves out.

    >>> ag.numpy.linspace(0, 1, 5).numpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    check_device(device)
    return call(
        "numpy_linspace",
        as_array(start),
        as_array(stop),
        num,
        endpoint,
        retstep,
        element_type(dtype),
        axis,
    )


@composition()
def eye(
    n_rows: Any,
    n_cols: Any = None,
    /,
    k: int = 0,
    dtype: Any = float64,
    order: str = "C",
    *,
    device: Any = None,
) -> Any:
    """Ones on the diagonal ``k``, counted upwards from the main one, and zeros elsewhere.

    >>> ag.numpy.eye(2, k=1).numpy()
    array([[0., 1.],
           [0., 0.]])
    """
    check_device(device)
    check_order(order)
    return call("eye", n_rows, n_cols, k, element_type(float64 if dtype is None else dtype))


def identity(n: Any, dtype: Any = float64) -> Any:
    """The identity matrix.

    >>> ag.numpy.identity(2).numpy()
    array([[1., 0.],
           [0., 1.]])
    """
    return eye(n, dtype=dtype)


@array_function("x")
def tril(x: Any, /, k: int = 0) -> Any:
    """The matrices with zeros above the diagonal ``k``.

    >>> ag.numpy.tril([[1, 2], [3, 4]]).numpy()
    array([[1, 0],
           [3, 4]])
    """
    return call("tril", x, k)


@array_function("x")
def triu(x: Any, /, k: int = 0) -> Any:
    """The matrices with zeros below the diagonal ``k``.

    >>> ag.numpy.triu([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [0, 4]])
    """
    return call("triu", x, k)


@composition()
def meshgrid(
    *arrays: Any, indexing: str = "xy", sparse: Any = False, copy: Any = True
) -> list[Any]:
    """The coordinates of a grid: for each vector an array in the grid's shape.

    ``indexing="ij"`` has the first vector along the first axis, ``"xy"`` along the second.

    >>> [each.numpy().tolist() for each in ag.numpy.meshgrid([1, 2], [3, 4])]
    [[[1, 2], [1, 2]], [[3, 3], [4, 4]]]
    """
    return list(call("meshgrid", *map(as_array, arrays), indexing=indexing, sparse=sparse))


def copy(x: Any) -> Any:
    """A tensor of its own with the same elements.

    >>> ag.numpy.copy([1, 2]).numpy()
    array([1, 2])
    """
    return asarray(x, copy=True)


__all__ = [
    "arange",
    "array",
    "asarray",
    "copy",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "identity",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]
