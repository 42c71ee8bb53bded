"""Diagonals and bands of matrices under TensorFlow's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import int64
from agir.ir.ops.core.operands import composition, dimension_sizes
from agir.ir.tensors import dispatch
from agir.ir.tensors.likes import TensorLike

call = dispatch.call


def _checked(name: str, value: Any, least: int) -> Any:
    kind = dispatch.type_of(value, name)
    if getattr(kind, "rank", 0) < least:
        raise ValueError(f"{name}() takes {least} dimensions or more, not {kind}")
    return kind


def _range(count: Any) -> Any:
    return call("range", count, dtype=int64)


def _positions(x: Any) -> tuple[Any, Any]:
    """The row numbers as a column, and the column numbers as a row."""
    rows, columns = dimension_sizes(x)[-2:]
    return call("expand_dims", _range(rows), 1), _range(columns)


def _least(left: Any, right: Any) -> Any:
    static = isinstance(left, int) and isinstance(right, int)
    return min(left, right) if static else call("minimum", left, right)


def _at_least_zero(value: Any) -> Any:
    return max(value, 0) if isinstance(value, int) else call("maximum", value, 0)


def _length(rows: Any, columns: Any, k: int) -> Any:
    """How many elements the diagonal has."""
    return _at_least_zero(_least(rows + min(k, 0), columns - max(k, 0)))


def _diagonals(k: Any, name: str) -> tuple[int, int]:
    """(lowest, highest) of a diagonal, or of a pair of them."""
    given = [k] if isinstance(k, (int, np.integer)) else [int(v) for v in k]
    low, high = (given[0], given[-1]) if len(given) in (1, 2) else (1, 0)
    if low > high:
        raise ValueError(f"{name}(): k is a diagonal, or the lowest and the highest one, not {k}")
    return int(low), int(high)


def _aligned_left(k: int, align: str) -> bool:
    """Whether the shorter diagonals above, or below, the main one begin at the left."""
    above, _, below = align.partition("_")
    if above not in ("LEFT", "RIGHT") or below not in ("LEFT", "RIGHT"):
        raise ValueError(
            "align is 'RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT' or 'RIGHT_RIGHT', for the diagonals "
            f"above the main one and those below it, not {align!r}"
        )
    return (above if k > 0 else below) == "LEFT"


@composition("input")
def diag_part(
    input: TensorLike,
    name: str | None = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """The diagonal ``k`` of each matrix, counted upwards from the main one.

    A pair ``(lowest, highest)`` gives all between them as rows, the highest first; the shorter ones
    are filled with ``padding_value`` where ``align`` says.

    >>> ag.linalg.diag_part([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([1., 4.], dtype=float32)

    Shapes: input [..., n, m] -> [..., k]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    _checked("diag_part", input, 2)
    low, high = _diagonals(k, "diag_part")
    *batch, rows, columns = dimension_sizes(input)
    flat = call("reshape", input, (*batch, rows * columns))
    if low == high:
        count = _length(rows, columns, low)
        return _taken(flat, columns, _range(count), low)
    flat = _not_empty(flat)
    longest = _length(rows, columns, min(max(0, low), high))
    steps = _range(longest)
    lines = []
    for each in range(high, low - 1, -1):
        count = _length(rows, columns, each)
        step = steps if _aligned_left(each, align) else steps - (longest - count)
        inside = call("logical_and", call("greater_equal", step, 0), call("less", step, count))
        safe = call("where", inside, step, 0)
        found = _taken(flat, columns, safe, each)
        lines.append(call("where", inside, found, _number(input, padding_value)))
    return call("stack", lines, -2)


def _is_zero(size: Any) -> bool:
    return isinstance(size, int) and size == 0


def _not_empty(x: Any) -> Any:
    """The array with one more element along the last axis, if it may have none there."""
    kind = dispatch.type_of(x)
    if kind.shape[-1] is not None:
        return x
    return call("pad", x, [(0, 0)] * (kind.rank - 1) + [(0, 1)])


def _number(like: Any, value: Any) -> Any:
    return call("cast", value, dispatch.type_of(like).dtype)


def _taken(flat: Any, columns: Any, step: Any, k: int) -> Any:
    """Elements of a diagonal of matrices whose elements stand in one axis."""
    places = (step + max(-k, 0)) * columns + (step + max(k, 0))
    return call("gather", flat, places, dispatch.type_of(flat).rank - 1)


def _spread(
    target: Any, diagonal: Any, low: int, high: int, longest: Any, align: str, several: bool
) -> Any:
    """The matrices with other diagonals."""
    row, column = _positions(target)
    rows, columns = dimension_sizes(target)[-2:]
    found = target
    for number, each in enumerate(range(high, low - 1, -1)):
        line = call("getitem", diagonal, (..., number, slice(None))) if several else diagonal
        count = _length(rows, columns, each)
        shift = 0 if not several or _aligned_left(each, align) else longest - count
        step = call("squeeze", row, 1) + min(each, 0)
        inside = call("logical_and", call("greater_equal", step, 0), call("less", step, count))
        safe = call("where", inside, step + shift, 0)
        taken = call("gather", _not_empty(line), safe, dispatch.type_of(line).rank - 1)
        there = call("equal", column - row, each)
        found = call("where", there, call("expand_dims", taken, -1), found)
    return found


@composition("input", "diagonal")
def set_diag(
    input: TensorLike,
    diagonal: TensorLike,
    name: str | None = "set_diag",
    k: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """Matrices with the diagonal ``k``, or those between a pair, in place of their own.

    >>> ag.linalg.set_diag([[1.0, 2.0], [3.0, 4.0]], [7.0, 8.0]).numpy()
    array([[7., 2.],
           [3., 8.]], dtype=float32)

    Shapes: input [..., n, m], diagonal [..., k] -> [..., n, m]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    kind = _checked("set_diag", input, 2)
    low, high = _diagonals(k, "set_diag")
    rows, columns = dimension_sizes(input)[-2:]
    several = low != high
    longest = _length(rows, columns, min(max(0, low), high))
    given = dispatch.type_of(diagonal, "set_diag").shape
    wanted = (*kind.shape[:-2], *([high - low + 1] if several else []))
    lengths = (given[-1], longest) if given else (0, 1)
    if len(given) != len(wanted) + 1 or (
        all(isinstance(v, int) for v in lengths) and lengths[0] != lengths[1]
    ):
        raise ValueError(
            f"set_diag(): diagonals of the shape {given} do not fit into matrices {kind}"
        )
    cast = call("cast", diagonal, kind.dtype)
    if _is_zero(longest) or 0 in kind.shape:
        return input
    return _spread(input, cast, low, high, longest, align, several)


@composition("diagonal")
def diag(
    diagonal: TensorLike,
    name: str | None = "diag",
    k: Any = 0,
    num_rows: int = -1,
    num_cols: int = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """Matrices with these diagonals, and ``padding_value`` elsewhere.

    They are the least square ones, unless ``num_rows`` or ``num_cols`` says otherwise.

    >>> ag.linalg.diag([1.0, 2.0]).numpy()
    array([[1., 0.],
           [0., 2.]], dtype=float32)

    Shapes: diagonal [..., n] -> [..., n, n]; for k = 0
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    kind = _checked("diag", diagonal, 1)
    low, high = _diagonals(k, "diag")
    several = low != high
    every = dimension_sizes(diagonal)
    batch, longest = every[: -2 if several else -1], every[-1]
    if several and kind.shape[-2] not in (None, high - low + 1):
        raise ValueError(f"diag(): k={k} are {high - low + 1} diagonals, not {kind.shape[-2]}")
    rows, columns = _size(longest, low, high, num_rows, num_cols)
    target = call("full", (*batch, rows, columns), padding_value, kind.dtype)
    if _is_zero(longest):
        return target
    return _spread(target, diagonal, low, high, longest, align, several)


def _size(longest: Any, low: int, high: int, num_rows: Any, num_cols: Any) -> tuple[Any, Any]:
    rows, columns = longest + max(-high, 0), longest + max(low, 0)
    given = [v for v in (num_rows, num_cols) if not (isinstance(v, int) and v == -1)]
    if not given:
        static = isinstance(rows, int) and isinstance(columns, int)
        side = max(rows, columns) if static else call("maximum", rows, columns)
        return side, side
    return (
        rows if isinstance(num_rows, int) and num_rows == -1 else num_rows,
        columns if isinstance(num_cols, int) and num_cols == -1 else num_cols,
    )


@composition("input")
def band_part(input: TensorLike, num_lower: Any, num_upper: Any, name: str | None = None) -> Any:
    """The band of so many diagonals below and above the main one, zeros elsewhere; -1 means all.

    >>> ag.linalg.band_part([[1.0, 2.0], [3.0, 4.0]], 0, -1).numpy()
    array([[1., 2.],
           [0., 4.]], dtype=float32)

    Shapes: input [..., n, m] -> [..., n, m]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    _checked("band_part", input, 2)
    row, column = _positions(input)
    below, above = row - column, column - row
    lower = call("logical_or", call("less", num_lower, 0), call("less_equal", below, num_lower))
    upper = call("logical_or", call("less", num_upper, 0), call("less_equal", above, num_upper))
    return call("where", call("logical_and", lower, upper), input, _number(input, 0))


@composition("x")
def trace(x: TensorLike, name: str | None = None) -> Any:
    """The sum of the main diagonal of each matrix, in the dtype of ``x``.

    >>> ag.linalg.trace([[1.0, 2.0], [3.0, 4.0]]).numpy()
    np.float32(5.0)

    Shapes: x [..., n, m] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return call("sum", diag_part(x), -1, dispatch.type_of(x).dtype)


@composition("diagonal")
def tensor_diag(diagonal: TensorLike, name: str | None = None) -> Any:
    """An array of twice the dimensions that is zero where the halves of its subscript differ.

    >>> ag.linalg.tensor_diag([1.0, 2.0]).numpy()
    array([[1., 0.],
           [0., 2.]], dtype=float32)

    Shapes: diagonal [n] -> [n, n]; all the dimensions twice
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    every = dimension_sizes(diagonal)
    matrix = diag(call("reshape", diagonal, (-1,)))
    return call("reshape", matrix, (*every, *every))


@composition("input")
def tensor_diag_part(input: TensorLike, name: str | None = None) -> Any:
    """The elements at which the halves of the subscript are equal.

    >>> ag.linalg.tensor_diag_part([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([1., 4.], dtype=float32)

    Shapes: input [n, n] -> [n]; half the dimensions
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    every = dimension_sizes(input)
    half = every[: len(every) // 2]
    if len(every) % 2 or not every:
        raise ValueError(f"tensor_diag_part() takes an even number of dimensions, not {len(every)}")
    count: Any = 1
    for size in half:
        count = count * size
    return call("reshape", diag_part(call("reshape", input, (count, -1))), half)


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """Ones on the main diagonal, zeros elsewhere, in float32 unless a dtype is given.

    >>> ag.eye(2).numpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)

    Shapes: num_rows, num_columns numbers -> [num_rows, num_columns]
    Dtypes: of the result bool, int, uint, float, complex
    Raises: OperandTypeError for what is no tensor
    """
    options = {} if dtype is None else {"dtype": dtype}
    matrix = call("eye", num_rows, num_columns, **options)
    if batch_shape is None:
        return matrix
    return call("broadcast_to", matrix, (*batch_shape, *dimension_sizes(matrix)))
