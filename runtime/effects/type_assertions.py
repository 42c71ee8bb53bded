"""Assertions about dtypes, ranks and shapes, most of which are known while tracing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agir.ir.building.types import as_dtype
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.runtime.control.agreement import explained
from agir.runtime.effects.assertions import Assert
from agir.runtime.tensor import convert_to_tensor

_ANY_NUMBER = ("...", "*", Ellipsis)
_ANY_SIZE = (None, ".")


def _tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) else convert_to_tensor(value)


def _refuse(kind: type[Exception], message: str | None, what: str) -> Exception:
    return explained(kind, f"{message}. {what}" if message else what)


# dtypes


def assert_type(
    tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None
) -> None:
    """``TypeError`` for a tensor of another dtype.

    >>> ag.debugging.assert_type(ag.constant(1), ag.int32)

    Shapes: tensor any
    Raises: OperandTypeError for another dtype
    """
    found, wanted = _tensor(tensor).dtype, as_dtype(tf_type)
    if found != wanted:
        raise _refuse(TypeError, message, f"assert_type(): the tensor is of {found}, not {wanted}")


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """``TypeError`` for a tensor that does not hold integers.

    >>> ag.debugging.assert_integer(ag.constant([1]))

    Shapes: x any
    Raises: OperandTypeError for another dtype
    """
    found = _tensor(x).dtype
    if not found.is_integer:
        raise _refuse(TypeError, message, f"assert_integer(): the tensor is of {found}")


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """The floating-point dtype that all tensors have; ``ValueError`` where they differ.

    >>> ag.debugging.assert_same_float_dtype([ag.ones([2])])
    agir.float32

    Shapes: tensors list of any
    Dtypes: of the result bool, int, uint, float, complex
    Raises: OperandValueError where the dtypes differ, or are no floating-point ones
    """
    wanted = None if dtype is None else as_dtype(dtype)
    for tensor in tensors or ():
        found = _tensor(tensor).dtype
        if wanted is not None and found != wanted:
            raise explained(
                ValueError, f"assert_same_float_dtype(): tensors of {wanted} and of {found}"
            )
        wanted = found
    wanted = as_dtype("float32") if wanted is None else wanted
    if not wanted.is_floating:
        raise explained(
            ValueError, f"assert_same_float_dtype(): {wanted} is no floating-point dtype"
        )
    return wanted


def assert_proper_iterable(values: Any) -> None:
    """``TypeError`` for a tensor, an array, text, or what cannot be iterated over.

    >>> ag.debugging.assert_proper_iterable([1, 2])

    Raises: OperandTypeError for a tensor, an array, text, or what cannot be iterated over
    """
    wrong = isinstance(values, (Tensor, str, bytes)) or hasattr(values, "__array__")
    if wrong or not isinstance(values, Iterable):
        kind = type(values).__name__
        raise explained(
            TypeError, f"assert_proper_iterable(): a list or tuple is expected, not {kind}"
        )


# Ranks


def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """``ValueError`` for a tensor of another number of dimensions.

    >>> ag.debugging.assert_rank(ag.ones([2, 3]), 2)

    Shapes: x any
    Raises: OperandValueError for another number of dimensions
    """
    _rank("assert_rank", x, rank, message, "equal", "")


def assert_rank_at_least(
    x: Any, rank: Any, message: str | None = None, name: str | None = None
) -> None:
    """``ValueError`` for a tensor of fewer dimensions.

    >>> ag.debugging.assert_rank_at_least(ag.ones([2, 3]), 1)

    Shapes: x any
    Raises: OperandValueError for fewer dimensions
    """
    _rank("assert_rank_at_least", x, rank, message, "greater_equal", "at least ")


def _rank(name: str, x: Any, rank: Any, message: str | None, operation: str, words: str) -> None:
    found = len(_tensor(x).shape)
    wanted = _number(name, rank)
    what = f"{name}(): the tensor has {found} dimensions instead of {words}"
    fits = dispatch.call(operation, found, wanted)
    if isinstance(fits, SymbolicTensor):
        Assert(fits, [*([f"{message}."] if message else []), what.rstrip(), wanted])
    elif not fits:
        raise _refuse(ValueError, message, f"{what}{int(wanted)}")


def _number(name: str, rank: Any) -> Any:
    tensor = _tensor(rank)
    if tensor.shape or not tensor.dtype.is_integer:
        raise explained(ValueError, f"{name}(): a rank must be an integer scalar, not {rank!r}")
    return tensor


def assert_rank_in(
    x: Any, ranks: Sequence[Any], message: str | None = None, name: str | None = None
) -> None:
    """``ValueError`` for a tensor whose number of dimensions is none of these.

    >>> ag.debugging.assert_rank_in(ag.ones([2, 3]), [1, 2])

    Shapes: x any
    Raises: OperandValueError for another number of dimensions
    """
    found = len(_tensor(x).shape)
    wanted = [_number("assert_rank_in", rank) for rank in ranks]
    known = [int(rank) for rank in wanted if not isinstance(rank, SymbolicTensor)]
    if found in known:
        return
    what = f"assert_rank_in(): the tensor has {found} dimensions instead of one of"
    if len(known) == len(wanted):
        raise _refuse(ValueError, message, f"{what} {known}")
    fits = [dispatch.call("equal", rank, found) for rank in wanted]
    said = [*([f"{message}."] if message else []), what, *wanted]
    Assert(dispatch.call("any", dispatch.call("stack", fits)), said)


def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> Any:
    """The tensor; ``ValueError`` where it has dimensions.

    >>> ag.debugging.assert_scalar(ag.constant(1)).numpy()
    np.int32(1)

    Shapes: tensor []
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where it has dimensions
    """
    found = _tensor(tensor)
    if len(found.shape):
        what = f"assert_scalar(): the tensor has the shape {list(found.shape)}"
        raise _refuse(ValueError, message, what)
    return found


# Shapes


def assert_shapes(
    shapes: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Check the shapes of several tensors, given as pairs of a tensor and a shape.

    A dimension is a number, a letter or other name that stands for one size wherever it occurs, or
    None or ``"."`` for any.  ``"..."`` or ``"*"`` in front stands for any number of dimensions::

        ag.debugging.assert_shapes([(x, ("N", 3)), (y, ("...", "N"))])

    What is known while tracing and wrong is a ``ValueError``, else an ``InvalidArgumentError`` when the
    function runs.

    >>> ag.debugging.assert_shapes([(ag.ones([2, 3]), ["n", 3])])

    Shapes: as the shapes say
    Raises: OperandValueError, or InvalidArgumentError in a compiled function, where they differ
    """
    pairs = list(shapes.items()) if isinstance(shapes, Mapping) else list(shapes)
    sizes: dict[Any, Any] = {}
    for number, (tensor, shape) in enumerate(pairs):
        found = _tensor(tensor)
        where = f"assert_shapes(): tensor {number}"
        for axis, wanted in _dimensions(where, found, shape, message):
            size = _size(found, axis)
            if isinstance(wanted, int):
                _same(where, axis, size, wanted, message, data, summarize)
            elif wanted in sizes:
                said = f"{where} ({wanted!r})"
                _same(said, axis, size, sizes[wanted], message, data, summarize)
            else:
                sizes[wanted] = size


def _dimensions(where: str, tensor: Any, shape: Any, message: Any) -> list[tuple[int, Any]]:
    """The axes of the tensor for which something is said, and what."""
    if not isinstance(shape, Iterable):
        raise explained(ValueError, f"{where}: a shape must be a tuple or a string, not {shape!r}")
    entries = list(shape)
    rank = len(tensor.shape)
    open_ended = bool(entries) and _is(entries[0], _ANY_NUMBER)
    entries = entries[1:] if open_ended else entries
    if any(_is(each, _ANY_NUMBER) for each in entries):
        raise explained(ValueError, f"{where}: '...' stands only in front, not in {shape!r}")
    if len(entries) > rank or (len(entries) < rank and not open_ended):
        raise _refuse(ValueError, message, f"{where} has {rank} dimensions, not as in {shape!r}")
    pairs = enumerate(entries, rank - len(entries))
    return [(axis, wanted) for axis, wanted in pairs if not _is(wanted, _ANY_SIZE)]


def _is(entry: Any, choices: Sequence[Any]) -> bool:
    return any(entry is each or (isinstance(entry, str) and entry == each) for each in choices)


def _size(tensor: Any, axis: int) -> Any:
    known = tensor.shape[axis]
    return dispatch.call("shape", tensor)[axis] if known is None else known


def _same(
    where: str, axis: int, size: Any, wanted: Any, message: Any, data: Any, summarize: Any
) -> None:
    if isinstance(size, int) and isinstance(wanted, int):
        if size != wanted:
            what = f"{where} has the size {size} instead of {wanted} in dimension {axis}"
            raise _refuse(ValueError, message, what)
        return
    said = [f"{message}."] if message else []
    said += [f"{where} has another size in dimension {axis} than it should:", size]
    Assert(dispatch.call("equal", size, wanted), [*said, "and", wanted, *(data or ())], summarize)
