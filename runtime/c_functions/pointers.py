"""Addresses that C gives a function, and the arrays that lie there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir import autograph
from agir.runtime.c_functions.extents import Extent
from agir.runtime.declared import memory
from agir.runtime.declared.results import check_result
from agir.runtime.declared.types import OF_PYTHON

__ag_convert__ = True


class Pointer:
    """The address of numbers of one dtype.  How many there are nobody tells."""

    def __init__(self, items: Any, name: str, extent: Extent) -> None:
        self.items = items
        self.name = name
        self.extent = extent

    @autograph.convert
    def __getitem__(self, index: Any) -> Any:
        self.extent.ask((index + 1,) if isinstance(index, int) else (None,))
        found = self.items[_checked(index)]
        return found.item() if self.name in OF_PYTHON else found  # as parameters are

    @autograph.convert
    def __setitem__(self, index: Any, value: Any) -> None:
        self.extent.ask((index + 1,) if isinstance(index, int) else (None,))
        self.items[_checked(index)] = value

    def of(self, dtype: Any) -> Any:
        """The memory as an array of a dtype."""
        memory.check_dtype(self.name, dtype)
        return self.items


class AnyPointer:
    """An address without a type: the dtype is asked for by `carray`."""

    def __init__(self, items: Any, extent: Extent, want: Callable[[Any], None]) -> None:
        self.items = items
        self.extent = extent
        self.want = want

    def of(self, dtype: Any) -> Any:
        """The memory as an array of a dtype."""
        self.want(dtype)
        return self.items


def _checked(index: Any) -> Any:
    """The index; outside of everything once a check has failed, for who knows what would be there."""
    if index < 0:
        raise IndexError("a pointer has no element before the first")
    fine = memory.is_fine()
    return index if fine is True else (index if fine else memory.UNKNOWN)


def carray(ptr: Any, shape: Any, dtype: Any = None) -> Any:
    """The array that lies where a pointer points to, row by row; what is written goes there.

    ``ptr``: a parameter of a function of :func:`cfunc`, or what ``ctypes`` has for an address.
    ``shape``: a number or a tuple of them; they are taken for granted, as is that ``ptr`` points to so
    many.  ``dtype``: needed for a ``void *``, else it has to be that of the pointer.

    >>> import ctypes
    >>> @ag.cfunc("double(double *, long)")
    ... def total(numbers, n):
    ...     return ag.carray(numbers, n).sum()
    >>> total.ctypes((ctypes.c_double * 3)(1, 2, 4), 3)
    7.0

    Shapes: the one given
    Dtypes: bool, int, uint, float
    Raises: OperandTypeError for a void pointer without a dtype, and for another one than the pointer's
    """
    return _rows(ptr, shape if isinstance(shape, tuple) else (shape,), dtype)


def farray(ptr: Any, shape: Any, dtype: Any = None) -> Any:
    """The array that lies where a pointer points to, column by column: else as :func:`carray`.

    >>> import ctypes
    >>> ag.farray((ctypes.c_int * 6)(0, 1, 2, 3, 4, 5), (2, 3))
    array([[0, 2, 4],
           [1, 3, 5]], dtype=int32)

    Shapes: the one given
    Dtypes: bool, int, uint, float
    Raises: OperandTypeError for a void pointer without a dtype, and for another one than the pointer's
    """
    given = shape if isinstance(shape, tuple) else (shape,)
    return _rows(ptr, tuple(reversed(given)), dtype).T


def _rows(ptr: Any, shape: Any, dtype: Any) -> Any:
    count = 1
    for n in shape:
        if n < 0:
            raise ValueError("negative dimensions are not allowed")
        count *= n
    if not isinstance(ptr, (Pointer, AnyPointer)):
        return memory.of_ctypes(ptr, count, dtype).reshape(shape)
    ptr.extent.ask(shape)
    fine = memory.is_fine()
    items = ptr.of(dtype)[: count if fine is True else (count if fine else 0)]
    return items if len(shape) == 1 else items.reshape(shape)


class AsWritten:
    """Called by Python, or by compiled code, it is the function as it was written."""

    python_function: Any

    def __call__(self, *args: Any) -> Any:
        """Call the function as it was written."""
        return self.python_function(*args)


def body(function: Any, makers: Any, positions: Any, store: bool) -> Callable[..., None]:
    """A function of the numbers and memory that C gives, whose last argument is for the result.

    ``makers`` make the parameters of the arguments at the ``positions``.
    """

    def run(*args: Any) -> None:
        given = [
            make(None if at is None else args[at])
            for make, at in zip(makers, positions, strict=True)
        ]
        found = function(*given)
        if store:
            check_result(function, found, (tuple, list))
            args[-1][0] = found

    return run
