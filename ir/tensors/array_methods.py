"""The methods and attributes of NumPy's arrays, on tensors: each is the function of that name."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from agir.ir import hooks, recording
from agir.ir.table import TABLE

_NOTHING: Any = np._NoValue


def _call(name: str, *args: Any, **kwargs: Any) -> Any:
    return TABLE[name](*args, **kwargs)


def _numpy(function: Any, *args: Any, **kwargs: Any) -> Any:
    """What stands for a function of NumPy's."""
    return hooks.tensors.array_function(function, args, kwargs)


class ArrayMethods:
    """What NumPy's arrays can do, besides the operators."""

    __slots__ = ()

    # Shape and elements.

    @property
    def T(self) -> Any:  # noqa: N802 - NumPy's name
        """The transpose: dimensions in reverse order."""
        return _call("transpose", self)

    @property
    def mT(self) -> Any:  # noqa: N802 - NumPy's name
        """The transposes of the matrices in the last two dimensions."""
        return _numpy(np.matrix_transpose, self)

    @property
    def real(self) -> Any:
        """The real part; writing into it changes the array."""
        return hooks.tensors.part(self, "real")

    @real.setter
    def real(self, value: Any) -> None:
        hooks.tensors.set_part(self, "real", value)

    @property
    def imag(self) -> Any:
        """The imaginary part; it can be assigned to."""
        return hooks.tensors.part(self, "imag")

    @imag.setter
    def imag(self, value: Any) -> None:
        hooks.tensors.set_part(self, "imag", value)

    @property
    def size(self) -> Any:
        """The number of elements: an int, or a scalar where only the run time knows."""
        if recording.current() is None:
            return _call("numpy_size", self)
        return hooks.tensors.array_function(np.size, (self,), {})

    @property
    def itemsize(self) -> int:
        """Bytes an element."""
        return int(self.dtype.itemsize)  # type: ignore[attr-defined]

    @property
    def nbytes(self) -> Any:
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def flat(self) -> Any:
        """The elements in one dimension, which can be indexed and assigned to."""
        return hooks.tensors.flat(self)

    @flat.setter
    def flat(self, values: Any) -> None:
        hooks.tensors.set_flat(self, values)

    def astype(
        self,
        dtype: Any,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> Any:
        """The values converted to ``dtype``."""
        return hooks.tensors.converted(self, dtype, casting, copy, order)

    def copy(self, order: str = "C") -> Any:
        """A tensor of its own with the same elements."""
        return _numpy(np.copy, self, order)

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """The same elements; with a dtype of the same width, their bits."""
        return hooks.tensors.viewed(self, dtype)

    def reshape(self, *shape: Any, order: str = "C", copy: Any = None) -> Any:
        """The same elements in another shape, which may hold one ``-1``."""
        wanted = shape[0] if len(shape) == 1 else shape
        return _numpy(np.reshape, self, wanted, order, copy=copy)

    def ravel(self, order: str = "C") -> Any:
        """The elements in one dimension."""
        return _numpy(np.ravel, self, order)

    def flatten(self, order: str = "C") -> Any:
        """A copy of the elements in one dimension."""
        return _call("copy", _numpy(np.ravel, self, order))

    def transpose(self, *axes: Any) -> Any:
        """The dimensions permuted; reversed where no axes are given."""
        if len(axes) == 1 and not isinstance(axes[0], int):
            axes = axes[0]
        none = axes is None or (isinstance(axes, (tuple, list)) and not axes)
        return _call("transpose", self, None if none else axes)

    def swapaxes(self, axis1: int, axis2: int) -> Any:
        """Two dimensions in each other's place."""
        return _call("swapaxes", self, axis1, axis2)

    def squeeze(self, axis: Any = None) -> Any:
        """Without dimensions of size 1."""
        return _numpy(np.squeeze, self, axis)

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        """The elements on a diagonal."""
        return _numpy(np.diagonal, self, offset, axis1, axis2)

    def trace(
        self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
    ) -> Any:
        """The sum of a diagonal."""
        return _numpy(np.trace, self, offset, axis1, axis2, dtype, out)

    def item(self, *args: Any) -> Any:
        """One element, by its position."""
        if not args:
            return hooks.tensors.number(self)
        if len(args) == 1 and not isinstance(args[0], tuple):
            return hooks.tensors.number(_call("reshape", self, (-1,))[args[0]])
        return hooks.tensors.number(self[args[0] if len(args) == 1 else args])  # type: ignore[index]

    def tolist(self) -> Any:
        """Nested lists of the elements, of which the sizes must be known."""
        if not self.shape:  # type: ignore[attr-defined]
            return hooks.tensors.number(self)
        return [row.tolist() for row in self]  # type: ignore[attr-defined]

    # Reductions.

    def sum(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _NOTHING,
        where: Any = True,
    ) -> Any:
        """The sum over the axes (all where ``None``)."""
        return _numpy(np.sum, self, axis, dtype, out, keepdims, initial, where)

    def prod(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _NOTHING,
        where: Any = True,
    ) -> Any:
        """The product over the axes."""
        return _numpy(np.prod, self, axis, dtype, out, keepdims, initial, where)

    def mean(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        *,
        where: Any = True,
    ) -> Any:
        """The arithmetic mean over the axes."""
        return _numpy(np.mean, self, axis, dtype, out, keepdims, where=where)

    def var(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        *,
        where: Any = True,
    ) -> Any:
        """The variance over the axes."""
        return _numpy(np.var, self, axis, dtype, out, ddof, keepdims, where=where)

    def std(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        *,
        where: Any = True,
    ) -> Any:
        """The standard deviation over the axes."""
        return _numpy(np.std, self, axis, dtype, out, ddof, keepdims, where=where)

    def max(
        self,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _NOTHING,
        where: Any = True,
    ) -> Any:
        """The greatest element over the axes; NaN where there is one."""
        return _numpy(np.max, self, axis, out, keepdims, initial, where)

    def min(
        self,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _NOTHING,
        where: Any = True,
    ) -> Any:
        """The least element over the axes; NaN where there is one."""
        return _numpy(np.min, self, axis, out, keepdims, initial, where)

    def any(
        self, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
    ) -> Any:
        """True where an element over the axes is true."""
        return _numpy(np.any, self, axis, out, keepdims, where=where)

    def all(
        self, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
    ) -> Any:
        """True where every element over the axes is true."""
        return _numpy(np.all, self, axis, out, keepdims, where=where)

    def argmax(self, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        """The index of the first greatest element."""
        return _numpy(np.argmax, self, axis, out, keepdims=keepdims)

    def argmin(self, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        """The index of the first least element."""
        return _numpy(np.argmin, self, axis, out, keepdims=keepdims)

    def cumsum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """The running sum along an axis, of all elements where it is None."""
        return _numpy(np.cumsum, self, axis, dtype, out)

    def cumprod(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """The running product along an axis, of all elements where it is None."""
        return _numpy(np.cumprod, self, axis, dtype, out)

    def dot(self, b: Any, out: Any = None) -> Any:
        """The dot product."""
        return _numpy(np.dot, self, b, out=out)

    # Order and choice.

    def sort(
        self, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None
    ) -> None:
        """Put the elements in order along the axis, in the array itself."""
        self[...] = _numpy(np.sort, self, axis, kind, order, stable=stable)  # type: ignore[index]

    def argsort(
        self, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
    ) -> Any:
        """Where the elements stand that :meth:`sort` puts in order."""
        return _numpy(np.argsort, self, axis, kind, order)

    def partition(self, kth: Any, axis: int = -1, kind: Any = None, order: Any = None) -> None:
        """Put the elements in order along the axis, so that the ``kth`` is where it belongs."""
        self[...] = _numpy(np.partition, self, kth, axis)  # type: ignore[index]

    def argpartition(self, kth: Any, axis: Any = -1, kind: Any = None, order: Any = None) -> Any:
        """Where the elements stand that :meth:`partition` puts in order."""
        return _numpy(np.argpartition, self, kth, axis)

    def searchsorted(self, v: Any, side: str = "left", sorter: Any = None) -> Any:
        """Where values would go in this sorted vector."""
        return _numpy(np.searchsorted, self, v, side, sorter)

    def nonzero(self) -> Any:
        """The places of the elements that are not zero: a vector of indices for each axis."""
        return _call("numpy_nonzero", self)

    def repeat(self, repeats: Any, axis: Any = None) -> Any:
        """Each element so many times in a row."""
        return _numpy(np.repeat, self, repeats, axis)

    def take(self, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
        """The elements at positions along an axis, or of the flattened array."""
        return _numpy(np.take, self, indices, axis, out, mode)

    def compress(self, condition: Any, axis: Any = None, out: Any = None) -> Any:
        """The parts along an axis where the condition is true."""
        return _numpy(np.compress, condition, self, axis, out)

    def choose(self, choices: Any, out: Any = None, mode: str = "raise") -> Any:
        """For each element that of the choice of this number."""
        return _numpy(np.choose, self, choices, out, mode)

    # Values.

    def conj(self) -> Any:
        """The complex conjugate; the array itself where it is real."""
        if self.dtype.is_complex:  # type: ignore[attr-defined]
            return _call("conj", self)
        return self.real if self.weak else self  # type: ignore[attr-defined]

    conjugate = conj

    def clip(self, min: Any = None, max: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """The values between two bounds."""
        return _numpy(np.clip, self, min, max, out, **kwargs)

    def round(self, decimals: int = 0, out: Any = None) -> Any:
        """The nearest numbers of so many decimals."""
        return _numpy(np.round, self, decimals, out)

    def fill(self, value: Any) -> None:
        """Write a number into every element."""
        hooks.tensors.fill(self, value)

    def put(self, indices: Any, values: Any, mode: str = "raise") -> None:
        """Write values to positions of the flattened array."""
        _numpy(np.put, self, indices, values, mode)

    # What only memory has.

    def _refused(self, name: str, advice: str) -> NoReturn:
        raise hooks.tensors.refusal(self, f"{name} of a tensor: {advice}")

    def tobytes(self, order: str = "C") -> Any:
        """Refused: there are no bytes while tracing."""
        self._refused("tobytes()", "return the array, and take the bytes of that")

    def tofile(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: there are no bytes while tracing."""
        self._refused("tofile()", "return the array, and write that")

    def byteswap(self, inplace: bool = False) -> Any:
        """Refused: compiled arrays have the byte order of the machine."""
        self._refused("byteswap()", "compiled arrays have the byte order of the machine")

    def resize(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: the memory of an array does not grow."""
        self._refused("resize()", "numpy.resize(x, shape) gives a new array")

    def setflags(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: there is no memory while tracing."""
        self._refused("setflags()", "set the flags of the array that is passed or returned")

    @property
    def strides(self) -> Any:
        """Refused: where elements lie is settled by the compiler."""
        self._refused("strides", "where elements lie in memory is settled by the compiler")

    @property
    def flags(self) -> Any:
        """Refused: where elements lie is settled by the compiler."""
        self._refused("flags", "where elements lie in memory is settled by the compiler")

    @property
    def base(self) -> Any:
        """Refused: whose memory it is is settled by the compiler."""
        self._refused("base", "whose memory an array has is settled by the compiler")
