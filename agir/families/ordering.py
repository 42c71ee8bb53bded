"""Order, under TensorFlow's names."""

from __future__ import annotations

from typing import Any, NamedTuple

from agir.families.indexing import gather
from agir.families.signatures import plain as _plain
from agir.families.signatures import require as _require
from agir.families.signatures import sizes as _sizes
from agir.families.signatures import tensor as _tensor
from agir.ir.building.types import as_dtype as _as_dtype
from agir.ir.building.types import int32 as _int32
from agir.ir.building.types import int64 as _int64
from agir.ir.ops.core.operands import composition as _composition
from agir.ir.tensors.dispatch import call as _call
from agir.ir.tensors.likes import DTypeLike as _DTypeLike
from agir.ir.tensors.likes import TensorLike as _TensorLike

_DIRECTIONS = {"ASCENDING": False, "DESCENDING": True}


def _descending(direction: Any) -> bool:
    found = _DIRECTIONS.get(str(direction).upper())
    if found is None:
        raise ValueError(f"direction is 'ASCENDING' or 'DESCENDING', not {direction!r}")
    return found


@_composition()
def sort(
    values: _TensorLike, axis: int = -1, direction: str = "ASCENDING", name: str | None = None
) -> Any:
    """The elements in order along the axis, NaN last in either direction.

    >>> ag.sort([3.0, 1.0, 2.0], direction="DESCENDING").numpy()
    array([3., 2., 1.], dtype=float32)

    Shapes: values [...] -> [...]
    Dtypes: bool, int, uint, float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return _call("sort", values, axis, _descending(direction))


@_composition()
def argsort(
    values: _TensorLike,
    axis: int = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Any:
    """Where the elements that `sort` puts in order stand, as int32; equal ones keep their order.

    >>> ag.argsort([3.0, 1.0, 2.0]).numpy()
    array([1, 2, 0], dtype=int32)

    Shapes: values [...] -> [...]
    Dtypes: bool, int, uint, float -> int32
    Raises: OperandValueError for an axis that the tensor has not; OperandTypeError for other
        dtypes
    """
    return _call("cast", _call("argsort", values, axis, _descending(direction)), _int32)


class TopK(NamedTuple):
    """The greatest elements, and where they stand.

    >>> ag.math.top_k([1.0, 5.0], k=1).indices.numpy()
    array([1], dtype=int32)

    Shapes: values [..., k], indices [..., k]
    """

    values: Any
    indices: Any


@_composition()
def top_k(
    input: _TensorLike,
    k: Any = 1,
    sorted: bool = True,
    index_type: _DTypeLike = _int32,
    name: str | None = None,
) -> TopK:
    """The ``k`` greatest elements along the last axis, in order, and their indices.

    Of equal elements the first comes first; NaN comes last.

    >>> ag.math.top_k([1.0, 5.0, 3.0], k=2).values.numpy()
    array([5., 3.], dtype=float32)

    Shapes: input [..., n] -> ([..., k], [..., k])
    Dtypes: bool, int, uint, float -> (the same, int32)
    Raises: OperandValueError for k greater than the size; OperandTypeError for other dtypes
    """
    x = _tensor(input)
    if not x.shape:
        raise ValueError("top_k(): a scalar has no axis to choose along")
    count = _plain(k)
    size = x.shape[-1]
    if isinstance(count, int) and size is not None and not 0 <= count <= size:
        raise ValueError(f"top_k(): k={count} of {size} elements")
    if size is None or not isinstance(count, int):
        fits = _call("less_equal", count, _sizes(x)[-1])
        fits = _call("logical_and", fits, _call("greater_equal", count, 0))
        _require(fits, "top_k(): k is negative, or more than the number of elements")
    order = _call("argsort", x, -1, True)[..., :count]
    return TopK(_call("take_along_axis", x, order, -1), _call("cast", order, index_type))


class Unique(NamedTuple):
    """The different elements in the order of their first appearance, and which one each is.

    >>> ag.unique([3, 1, 3]).idx.numpy()
    array([0, 1, 0], dtype=int32)

    Shapes: y [m], idx [n]
    """

    y: Any
    idx: Any


class UniqueWithCounts(NamedTuple):
    """The different elements, which one each element is, and how often each is there.

    >>> ag.unique_with_counts([3, 1, 3]).y.numpy()
    array([3, 1], dtype=int32)

    Shapes: y [m], idx [n], count [m]
    """

    y: Any
    idx: Any
    count: Any


def _classes(x: Any) -> tuple[Any, Any]:
    """The different elements of a vector, and which of them each element is, as int64."""
    vector = _tensor(x)
    if len(vector.shape) != 1:
        raise ValueError(f"unique() takes a vector, not a tensor of {len(vector.shape)} dimensions")
    length = _sizes(vector)[0]
    order = _call("argsort", vector)
    ordered = _call("gather", vector, order, 0)
    differs = _call("not_equal", ordered[1:], ordered[:-1])
    begins = _call("concat", [_call("full", [_call("minimum", length, 1)], True), differs], 0)
    group = _call("cumsum", _call("cast", begins, _int64)) - 1
    first = _call("getitem", order, begins)  # sorting is stable: the first of its equals
    is_first = _call("scatter", _call("full", [length], False), first[:, None], first >= 0)
    number = _call("cumsum", _call("cast", is_first, _int64)) - 1
    of_sorted = _call("gather", _call("gather", number, first, 0), group, 0)
    numbers = _call("scatter", _call("fill_like", order, 0), order[:, None], of_sorted)
    return vector[is_first], numbers


@_composition()
def unique(x: _TensorLike, out_idx: _DTypeLike = _int32, name: str | None = None) -> Unique:
    """The different elements of a vector as they appear, and which one each element is.

    >>> ag.unique([3.0, 1.0, 3.0]).y.numpy()
    array([3., 1.], dtype=float32)

    Shapes: x [n] -> ([m], [n])
    Dtypes: bool, int, uint, float -> (the same, int32)
    Raises: OperandValueError for what is no vector; OperandTypeError for other dtypes
    """
    found, numbers = _classes(x)
    return Unique(found, _call("cast", numbers, out_idx))


@_composition()
def unique_with_counts(
    x: _TensorLike, out_idx: _DTypeLike = _int32, name: str | None = None
) -> UniqueWithCounts:
    """`unique`, and how often each of the elements is there.

    >>> ag.unique_with_counts([3.0, 1.0, 3.0]).count.numpy()
    array([2, 1], dtype=int32)

    Shapes: x [n] -> ([m], [n], [m])
    Dtypes: bool, int, uint, float -> (the same, int32, int32)
    Raises: OperandValueError for what is no vector; OperandTypeError for other dtypes
    """
    found, numbers = _classes(x)
    zeros = _call("full", [_sizes(found)[0]], 0, _as_dtype(out_idx))
    ones = _call("fill_like", numbers, 1, out_idx)
    counts = _call("scatter", zeros, numbers[:, None], ones, "add")
    return UniqueWithCounts(found, _call("cast", numbers, out_idx), counts)


@_composition()
def searchsorted(
    sorted_sequence: _TensorLike,
    values: _TensorLike,
    side: str = "left",
    out_type: _DTypeLike = _int32,
    name: str | None = None,
) -> Any:
    """Where the values would go in a sorted vector, or in the row of the same place of a matrix.

    >>> ag.searchsorted([1.0, 3.0, 5.0], [2.0, 5.0]).numpy()
    array([1, 2], dtype=int32)

    Shapes: sorted_sequence [..., n], values [..., m] -> [..., m]
    Dtypes: bool, int, uint, float, complex -> int32
    Raises: OperandTypeError for other dtypes
    """
    return _call("cast", _call("searchsorted", sorted_sequence, values, side), out_type)


@_composition()
def cumsum(
    x: _TensorLike,
    axis: int = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """The running sum along an axis; ``exclusive`` leaves out the element itself.

    >>> ag.cumsum([1.0, 2.0, 3.0]).numpy()
    array([1., 3., 6.], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _call("cumsum", _tensor(x), _plain(axis), exclusive, reverse)


@_composition()
def cumprod(
    x: _TensorLike,
    axis: int = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """The running product along an axis; ``exclusive`` leaves out the element itself.

    >>> ag.cumprod([1.0, 2.0, 3.0]).numpy()
    array([1., 2., 6.], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return _call("cumprod", _tensor(x), _plain(axis), exclusive, reverse)


@_composition()
def cumulative_logsumexp(
    x: _TensorLike,
    axis: int = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """The logarithm of the running sum of ``exp(x)`` along an axis, without overflow.

    >>> ag.cumulative_logsumexp([0.0, 0.0]).numpy().round(3)
    array([0.   , 0.693], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return _call("cumulative_logsumexp", _tensor(x), _plain(axis), exclusive, reverse)


@_composition()
def is_non_decreasing(x: _TensorLike, name: str | None = None) -> Any:
    """True where no element is less than the one before it.

    >>> ag.math.is_non_decreasing([1.0, 1.0, 2.0]).numpy()
    np.True_

    Shapes: x [...] -> []
    Dtypes: bool, int, uint, float -> bool
    Raises: OperandTypeError for other dtypes
    """
    flat = _call("ravel", _tensor(x))
    return _call("all", _call("less_equal", flat[:-1], flat[1:]))


@_composition()
def is_strictly_increasing(x: _TensorLike, name: str | None = None) -> Any:
    """True where every element is greater than the one before it.

    >>> ag.math.is_strictly_increasing([1.0, 1.0, 2.0]).numpy()
    np.False_

    Shapes: x [...] -> []
    Dtypes: bool, int, uint, float -> bool
    Raises: OperandTypeError for other dtypes
    """
    flat = _call("ravel", _tensor(x))
    return _call("all", _call("less", flat[:-1], flat[1:]))


@_composition()
def in_top_k(
    targets: _TensorLike, predictions: _TensorLike, k: int, name: str | None = None
) -> Any:
    """For each row whether the prediction for its target is among the ``k`` greatest.

    >>> ag.math.in_top_k([1, 0], [[0.1, 0.9], [0.2, 0.8]], k=1).numpy()
    array([ True, False])

    Shapes: targets [n], predictions [n, m] -> [n]
    Dtypes: targets int, uint; predictions bool, int, uint, float -> bool
    Raises: OperandTypeError for other dtypes
    """
    scores, places = _tensor(predictions), _tensor(targets)
    if not places.dtype.is_integer:
        raise TypeError(f"in_top_k(): targets are integers, not {places.dtype}")
    own = gather(scores, places, batch_dims=1)
    above = _call("greater", scores, _call("expand_dims", own, 1))
    few = _call("less", _call("count_nonzero", above, 1), _plain(k))
    return _call("logical_and", few, _call("isfinite", own))


__all__ = [
    "TopK",
    "Unique",
    "UniqueWithCounts",
    "argsort",
    "cumprod",
    "cumsum",
    "cumulative_logsumexp",
    "in_top_k",
    "is_non_decreasing",
    "is_strictly_increasing",
    "searchsorted",
    "sort",
    "top_k",
    "unique",
    "unique_with_counts",
]
