"""What is assigned to a part of an array: whether it fits, and its elements one by one."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from agir.ir import recording
from agir.ir.building.locations import warn_once
from agir.ir.building.types import DType, Shape, TensorType
from agir.ir.emission import emit
from agir.ir.emission.python_numbers import fitted
from agir.ir.ops.core.agreement import is_same
from agir.ir.tensors import dispatch
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor, is_array, static_shape
from agir.ir.tracing.trace import Trace

_DISCARDS = "Casting complex values to real discards the imaginary part"
_DIFFERS = "the value assigned and the part that it is assigned to differ in size"


def as_stored(value: Any, dtype: DType, single: bool = False) -> Any:
    """What Python has (numbers, lists of them, no numbers at all) as NumPy stores it in the dtype.

    Raises what NumPy raises; floats of the run time are checked.  ``single``: the place is one
    element, not an array without dimensions.  Tensors and arrays are left as they are, and so are
    lists of run-time values, whose numbers are checked.
    """
    if (whole := _truncated(value, dtype)) is not None:
        return whole
    if isinstance(value, (list, tuple)) and emit.is_symbolic(value):
        return items_stored(value, dtype)
    if isinstance(value, SymbolicTensor) and value.weak and not value.dims:
        return fitted(value, dtype)
    if not isinstance(value, _PYTHONS) or emit.is_symbolic(value) or isinstance(value, np.generic):
        return value
    if not single:
        return np.asarray(value, dtype.numpy)
    place: Any = np.empty(1, dtype.numpy)
    operator.setitem(place, 0, value)
    return place[0]


def _truncated(value: Any, dtype: DType) -> Any:
    """A float as an integer, where floats do not raise: of NaN it is what NumPy's conversion gives."""
    trace = recording.current()
    if type(value) is not float or not dtype.is_integer or trace is None:
        return None
    if trace.convention.math_fails:
        return None
    with np.errstate(invalid="ignore"):
        return np.float64(value).astype(dtype.numpy)


def items_stored(values: Any, dtype: DType) -> Any:
    """A list that holds run-time values with its numbers as NumPy stores them in the dtype."""
    if isinstance(values, Staged) and isinstance(values, (list, tuple)) and values.is_staged:
        return _elements_stored(values, dtype)
    if isinstance(values, (list, tuple)):
        return [items_stored(each, dtype) for each in values]
    if getattr(values, "shape", None):
        return values
    if isinstance(values, SymbolicTensor):
        value_type(values.recorder, values, dtype)
    return as_assigned(values, dtype, single=True)


def _elements_stored(values: Any, dtype: DType) -> Any:
    """A list of run-time length as an array: what does not fit is its greatest or its least number."""
    array = dispatch.operand(values)
    if not dtype.is_integer or array.dtype.kind not in "iuf":
        return array
    if dtype.kind == "i" or values.holds_pythons:
        for extreme in (np.max, np.min):
            fitted(extreme(array, initial=0), dtype)
    return array


def as_assigned(value: Any, dtype: DType, single: bool = False) -> Any:
    """What NumPy stores where numbers of its own have to fit an array of signed integers, too.

    That is so of elements and parts that a basic subscript names; masks and index arrays convert.
    """
    if (whole := _truncated(value, dtype)) is not None:
        return whole
    if single:
        _ask_numpy(value, dtype)
    if dtype.is_integer and dtype.kind == "i":
        if isinstance(value, np.generic) and value.dtype.kind in "iuf":
            return as_stored(value.item(), dtype, single)
        if is_scalar(value):
            return fitted(value, dtype)
    return as_stored(value, dtype, single)


def _ask_numpy(value: Any, dtype: DType) -> None:
    """Raise what NumPy raises for an array of this shape as one element."""
    trace, shape = recording.current(), getattr(value, "shape", None)
    if shape and trace is not None and trace.convention.arrays_are_mutable:
        place: Any = np.empty(1, dtype.numpy)
        operator.setitem(place, 0, np.zeros([1 if n is None else min(n, 2) for n in shape]))


def is_scalar(value: Any) -> bool:
    """Whether it is a number of NumPy's that only the run time knows, and no array of one."""
    return (
        isinstance(value, SymbolicTensor)
        and not (value.weak or is_array(value))
        and value.dtype.kind in "iuf"
        and value.recorder.convention.arrays_are_mutable
    )


def as_item(value: Any, dtype: DType) -> Any:
    """The same for an element of ``x.flat``, of which NumPy has one error only."""
    number = is_scalar(value) and dtype.kind == "i"
    if number or (isinstance(value, SymbolicTensor) and value.weak and not value.dims):
        return fitted(value, dtype, f"an element of flat cannot be set: no number of {dtype}")
    try:
        return as_assigned(value, dtype, single=True)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"an element of flat cannot be set: {error}") from None


_PYTHONS = (bool, int, float, complex, str, bytes, type(None), list, tuple)


def value_type(trace: Trace, value: Any, dtype: DType) -> TensorType:
    """The type of a value to be stored in an array of the dtype; ``TypeError`` where it cannot.

    NumPy stores the real parts of complex arrays, with a warning.
    """
    source: TensorType = dispatch.type_of(value, "item assignment")
    if source.dtype.is_complex and dtype.kind not in "cb":
        if trace.convention.arrays_are_mutable and not source.weak:
            warn_once(_DISCARDS, np.exceptions.ComplexWarning, trace.place())
            return source
        raise TypeError(
            trace.explain(f"complex values cannot be assigned into an array of {dtype}")
        )
    return source


def fitted_shape(trace: Trace, shape: Shape, target: Shape) -> Shape:
    """The value's shape without leading ones; ``ValueError`` where it does not fit the target."""
    kept = shape
    while len(kept) > len(target) and kept[0] in (1, None):
        kept = kept[1:]
    aligned = target[len(target) - len(kept) :]
    if len(kept) > len(target) or not all(
        s in (1, None, t) or t is None for s, t in zip(kept, aligned, strict=True)
    ):
        texts = [str(list(s)).replace("None", "?") for s in (shape, target)]
        raise ValueError(
            trace.explain(
                f"a value of shape {texts[0]} does not broadcast to the part of shape "
                f"{texts[1]} that it is assigned to"
            )
        )
    return kept


def repeats_of_nothing(shape: Shape, target: Shape) -> tuple[int, ...] | None:
    """The shape of what an empty value has many of, one after the other, for an empty target.

    Where index arrays say which part, NumPy takes nothing any number of times.  The axis that is
    empty has to be so in both.
    """
    more = len(shape) - len(target)
    kept = shape[more:]
    if more <= 0 or 0 not in target or None in kept:
        return None
    fits = all(s == t or t is None or (s == 1 and t) for s, t in zip(kept, target, strict=True))
    return kept if fits else None  # type: ignore[return-value]


def guard_units(trace: Trace, dims: Dims) -> Any:
    """Check that leading dimensions, which are left out, are 1: an i1, None where they surely are."""
    one, ok = trace.index(1), None
    for dim in dims:
        if isinstance(dim, Dim):
            size = dim.value(trace)
            site = trace.site("shape", _DIFFERS)
            i64 = [emit.from_index(trace, value) for value in (size, one)]
            fits = trace.compare("eq", size, one)
            trace.guard(fits, site, *i64)
            ok = emit.both(trace, ok, fits)
    return ok


def guard_repeats(trace: Trace, own: int | Dim, target: int | Dim) -> Any:
    """Check that a size is the target's, or 1: an i1, None where it surely is."""
    if is_same(own, target) or (isinstance(own, int) and own == 1):
        return None
    if isinstance(own, int) and isinstance(target, int):
        return None
    a, b = emit.dim_value(trace, own), emit.dim_value(trace, target)
    fits = trace.compare("eq", a, b)
    if isinstance(own, Dim):
        fits = trace.op("arith.ori", fits.type, fits, trace.compare("eq", a, trace.index(1)))
    site = trace.site("shape", _DIFFERS)
    trace.guard(fits, site, emit.from_index(trace, a), emit.from_index(trace, b))
    return fits


class Elements:
    """The elements of a value that is broadcast to a part of an array, without a copy of them.

    ``ok`` (i1) tells whether sizes that only the run time knows fit, None where they do.
    """

    def __init__(self, trace: Trace, value: Any, dtype: DType, target: Dims) -> None:
        kind = value_type(trace, value, dtype)
        shape = fitted_shape(trace, kind.shape, static_shape(target))
        self.trace = trace
        self.tensor = emit.lift(trace, value)
        self.dtype = dtype
        dims = self.tensor.dims
        self.dropped = len(dims) - len(shape)
        self.ok: Any = guard_units(trace, dims[: self.dropped])
        self.lead = len(target) - len(shape)
        self.ssa = self.tensor.ssa
        if not dims:
            self.ssa = emit.convert(trace, self.ssa, self.tensor.dtype, dtype, ())
        aligned = target[self.lead :]
        self.repeats = [
            self._repeats(s, t) for s, t in zip(dims[self.dropped :], aligned, strict=True)
        ]

    def _repeats(self, own: int | Dim, target: int | Dim) -> Any:
        """True where one element stands for all along the axis, or an i1; checked if unsure."""
        if is_same(own, target):
            return False
        if isinstance(own, int) and own == 1:
            return True
        trace = self.trace
        a, b = emit.dim_value(trace, own), emit.dim_value(trace, target)
        same = trace.compare("eq", a, b)
        single: Any = False
        fits = same
        if isinstance(own, Dim):
            single = trace.compare("eq", a, trace.index(1))
            fits = trace.op("arith.ori", same.type, same, single)
        site = trace.site("shape", _DIFFERS)
        trace.guard(fits, site, emit.from_index(trace, a), emit.from_index(trace, b))
        self.ok = emit.both(trace, self.ok, fits)
        return single

    def at(self, indices: list[Any]) -> Any:
        """The element for these indices of the part, in the dtype of the array."""
        if not self.tensor.dims:
            return self.ssa
        trace = self.trace
        zero = trace.index(0)
        own = [zero] * self.dropped
        for index, repeats in zip(indices[self.lead :], self.repeats, strict=True):
            if isinstance(repeats, bool):
                own.append(zero if repeats else index)
            else:
                own.append(emit.select(trace, repeats, zero, index))
        source = self.tensor.dtype
        found = trace.op("tensor.extract", source.mlir(), self.ssa, *own)
        return emit.convert(trace, found, source, self.dtype, ())
