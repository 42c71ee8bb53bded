"""NumPy's functions that have NumPy's own parameters here, and what they are written with.

A function of this kind takes tensors, arrays, numbers and lists of them, and is written in terms of the
operations of the table and of NumPy's functions that are recorded already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from agir.ir import hooks, recording
from agir.ir.building.types import (
    DType,
    TensorType,
    as_dtype,
    bfloat16,
    is_python_number,
    python_dtype,
)
from agir.ir.emission.emit import is_symbolic
from agir.ir.ops.core import layouts
from agir.ir.ops.core.assigned import as_stored
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import composition
from agir.ir.ops.core.rearranged import check_not_read_only
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor, as_known, is_array
from agir.ir.tensors.tensor import Tensor

Function = TypeVar("Function", bound=Callable[..., Any])

RECORDED: dict[Any, Callable[..., Any]] = {}
"""For a function of NumPy's what is called with its arguments where one is a tensor."""


def records(*functions: Any) -> Callable[[Function], Function]:
    """What stands for these functions of NumPy's."""

    def decorate(function: Function) -> Function:
        located = composition()(function)
        RECORDED.update(dict.fromkeys(functions, located))
        return located

    return decorate


def tensor(value: Any, dtype: Any = None) -> Any:
    """The value as a tensor of NumPy's dtype, as ``numpy.asarray`` has it."""
    value = value if dtype is None else as_stored(value, as_dtype(dtype))
    made = _tensor(dispatch.operand(value))
    if dtype is None or made.dtype == as_dtype(dtype):
        return made
    return dispatch.call("cast", made, dtype)


def _tensor(value: Any) -> Any:
    if isinstance(value, Tensor):
        return dispatch.call("cast", value, value.dtype) if value.type.weak else value
    if isinstance(value, (list, tuple)) and is_symbolic(value):
        made = dispatch.call("stack", [tensor(each) for each in value])
        layouts.by_rows(made)
        return made
    made = hooks.runtime.eager(np.asarray(value))
    trace = recording.current()
    return made if trace is None else trace.fold(made)


def array_of(values: Any) -> Any:
    """The array that NumPy makes of a list; one that holds no run-time values is NumPy's."""
    return tensor(values) if is_symbolic(values) else np.asarray(values)


def operand(value: Any) -> Any:
    """The value as a tensor, Python's numbers and weak scalars as they are."""
    value = dispatch.operand(value)
    return value if is_python_number(value) or isinstance(value, Tensor) else tensor(value)


def type_of(value: Any) -> TensorType:
    """The type of an operand."""
    if is_python_number(value):
        return TensorType(python_dtype(value), (), weak=True)
    found: TensorType = tensor(value).type if not isinstance(value, Tensor) else value.type
    return found


def dtype_of(value: Any) -> DType:
    """The dtype of an operand."""
    return type_of(value).dtype


def in_loop(function: np.ufunc, *values: Any) -> list[Any]:
    """The operands in the dtypes in which NumPy's function computes.

    Raises: TypeError where it is not defined for operands of these dtypes
    """
    given = [operand(v) for v in values]
    kinds = [numpys_kind(v) for v in given]
    brain = bfloat16.numpy in kinds
    computed = [np.dtype(np.float32) if kind == bfloat16.numpy else kind for kind in kinds]
    found = resolved(function, (*computed, *(None,) * function.nout))
    return [
        tensor(v, bfloat16 if brain and kind == np.float32 else as_dtype(kind))
        for v, kind in zip(given, found, strict=False)
    ]


def resolved(function: np.ufunc, kinds: Iterable[Any], **how: Any) -> Any:
    """The dtypes of a ufunc's operands and results, as ``resolve_dtypes`` has them."""
    if how.get("casting") == "equiv":  # NumPy crashes where it refuses a number of Python's
        kinds = [np.dtype(kind) if isinstance(kind, type) else kind for kind in kinds]
    try:
        return function.resolve_dtypes(tuple(kinds), **how)
    except TypeError as error:
        raise TypeError(f"numpy.{function.__name__}(): {error}") from None


_PYTHONS = {"i": int, "u": int, "f": float, "c": complex}


def numpys_kind(value: Any) -> Any:
    """The dtype of an operand, or the class of a number of Python's.

    NumPy has no class for a bool, and may crash when it is given one.
    """
    kind = type_of(value)
    return _PYTHONS.get(kind.dtype.kind, kind.dtype.numpy) if kind.weak else kind.dtype.numpy


def is_integer(value: Any) -> bool:
    """Whether a number is an integer, by its dtype."""
    return dtype_of(value).kind in "iub" and not rank(value)


def rank(value: Any) -> int:
    """The number of dimensions of an operand."""
    return type_of(value).rank


def dimension_sizes(value: Any) -> tuple[Any, ...]:
    """The shape: ints, and scalars where only the run time knows."""
    found: tuple[Any, ...] = dispatch.call("numpy_shape", value)
    return found


def dimension_size(value: Any, axis: int) -> Any:
    """How many elements there are along an axis."""
    return dimension_sizes(value)[axis]


def lone_axis(x: Any, axis: Any) -> Any:
    """The axis, of which many functions of NumPy take 0 and -1 for arrays without dimensions, too.

    It is None for them, the axes that there are.
    """
    if isinstance(axis, (int, np.integer)) and axis in (0, -1) and not rank(x):
        return None
    return axis


def known(value: Any) -> Any:
    """The value of an argument that has to be known while tracing, as an array."""
    value = as_known(value)
    if isinstance(value, SymbolicTensor):
        value.must_be_known()
    return value.numpy() if isinstance(value, Tensor) else np.asarray(value)


def store(result: Any, out: Any, casting: str = "same_kind") -> Any:
    """Write a result into the array given as ``out``, as NumPy's functions do; gives that array."""
    target = only(out)
    check_casting(dtype_of(result), dtype_of(target), casting)
    if rank(result) > rank(target):
        raise ValueError(unfit(result, target))
    target[...] = _stored(result, target)
    return target


def _stored(result: Any, target: Any) -> Any:
    """In the dtype of the array: what has no number there is no error, as it is in an assignment."""
    return result if dtype_of(result).is_complex else tensor(result, dtype_of(target))


def store_whole(result: Any, out: Any, casting: str = "unsafe", repeats: bool = False) -> Any:
    """The same where ``out`` must have the result's shape, which is looked at first.

    ``repeats``: where it may have more elements along dimensions of size 1.
    """
    target = check_shape(result, out, repeats)
    castable = np.can_cast(dtype_of(result).numpy, dtype_of(target).numpy, casting)  # type: ignore[arg-type]
    if not (castable and repeats):
        _require_sizes(result, target, repeats)
    check_casting(dtype_of(result), dtype_of(target), casting)
    target[...] = _stored(result, target)
    return target


def _require_sizes(result: Any, target: Any, repeats: bool = False) -> None:
    """``ValueError`` where sizes that only the run time knows turn out to differ."""
    for axis in _unsure(result, target):
        own, its = dimension_size(result, axis), dimension_size(target, axis)
        fits = dispatch.call("equal", own, its)
        if repeats:
            fits = dispatch.call("logical_or", fits, dispatch.call("equal", own, 1))
        require(fits, unfit(result, target))


def store_by_copy(result: Any, out: Any) -> Any:
    """The same by functions that write into a copy of ``out``, of the result's dtype."""
    target = check_shape(result, out)
    source, kind = dtype_of(target).numpy, dtype_of(result).numpy
    if not np.can_cast(source, kind, "safe"):
        _require_sizes(result, target)  # which NumPy looks at before
    check_casting(dtype_of(target), dtype_of(result), "safe")
    return store_whole(result, out)


def store_running(result: Any, out: Any, axis: int) -> Any:
    """The same by running sums: of an ``out`` that is longer along the axis the first are written.

    It may only be longer where there is one element to begin with, and another axis.
    """
    target = check_shape(result, out, repeats=rank(result) > 1)
    own, its = dimension_size(result, axis), dimension_size(target, axis)
    if rank(result) == 1 or own is its or (isinstance(own, int) and own == its):
        return store_whole(result, target, repeats=rank(result) > 1)
    fits = dispatch.call("equal", own, its)
    require(
        dispatch.call("logical_or", fits, dispatch.call("equal", own, 1)), unfit(result, target)
    )
    store_whole(result, target[(slice(None),) * axis + (slice(0, own),)], repeats=True)
    return target


def _unsure(left: Any, right: Any) -> list[int]:
    """The axes along which only the run time knows whether two operands have the same size."""
    pairs = zip(*(getattr(v, "dims", type_of(v).shape) for v in (left, right)), strict=True)
    return [axis for axis, (a, b) in enumerate(pairs) if a is not b and a != b]


def check_shape(result: Any, out: Any, repeats: bool = False) -> Any:
    """The array given as ``out``, which must have the result's shape."""
    target = only(out)
    pairs = zip(type_of(result).shape, type_of(target).shape, strict=False)
    fits = all(a == b or (repeats and a == 1) for a, b in pairs if None not in (a, b))
    if rank(result) != rank(target) or not fits:
        raise ValueError(unfit(result, target))
    return target


def check_sizes(shape: Sequence[Any], out: Any, error: type[Exception] = ValueError) -> None:
    """An error where ``out`` has not the shape of a result that is yet to be computed."""
    own = dimension_sizes(only(out))
    unfit = _unfit_shapes(*([e if isinstance(e, int) else None for e in s] for s in (shape, own)))
    if len(shape) != len(own):
        raise error(unfit)
    for pair in zip(shape, own, strict=True):
        require(dispatch.call("equal", *pair), unfit, error)


def only(out: Any) -> Any:
    """The array that is given as ``out``, alone or in a tuple; ``TypeError`` where it is none."""
    target = out[0] if isinstance(out, tuple) else out
    trace = recording.current()
    if isinstance(target, np.ndarray) and trace is not None:
        trace.known_arrays.written()
    is_number = isinstance(target, SymbolicTensor) and not is_array(target)
    if not hasattr(target, "dtype") or is_number:
        raise TypeError("out= is an array, and no number")
    if isinstance(target, SymbolicTensor):
        check_not_read_only(target)
    return target


def check_casting(source: DType, target: DType, casting: str) -> None:
    """``TypeError`` where a result of one dtype may not be stored in an array of the other."""
    if not np.can_cast(source.numpy, target.numpy, casting):  # type: ignore[arg-type]
        raise TypeError(
            f"a result of {source} cannot be stored in out= of {target} by the casting "
            f"rule {casting!r}; give an array of another dtype, or convert the operands"
        )


def unfit(result: Any, target: Any) -> str:
    """What to say where a result has another shape than the array given for it."""
    return _unfit_shapes(*(type_of(v).shape for v in (result, target)))


def _unfit_shapes(*given: Sequence[int | None]) -> str:
    shapes = [str(list(shape)).replace("None", "?") for shape in given]
    return f"a result of shape {shapes[0]} cannot be stored in out= of shape {shapes[1]}"
