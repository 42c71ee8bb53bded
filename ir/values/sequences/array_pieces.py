"""``scatter``, ``concat`` and ``split`` of a TensorArray of a traced function."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.errors import OperandValueError
from agir.ir.building.types import int64
from agir.ir.emission import emit
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.arrays.elements import Elements
from agir.ir.values.sequences import iteration

_PIECES = "split() of a compiled function makes pieces of one length; lengths"


def pairs(elements: Elements, indices: Any, value: Any) -> iteration.Combined:
    """The indices and rows of ``scatter``, side by side."""
    current = elements.trace
    where, rows = emit.lift(current, indices), elements.lifted(value, "scatter")
    if len(where.dims) != 1 or not rows.dims:
        raise OperandValueError(
            current.explain("scatter() takes a vector of indices and as many rows")
        )
    _agree(current, where.dims[0], rows.dims[0], "scatter() of indices and rows")
    parts = [iteration.Rows(current, each) for each in (where, rows)]
    return iteration.Combined(current, parts)


def _agree(current: Trace, left: Any, right: Any, what: str) -> None:
    """Check that two sizes are the same."""
    if left is right or left == right:
        return
    if isinstance(left, int) and isinstance(right, int):
        raise OperandValueError(
            current.explain(f"{what} that differ in number: {left} and {right}")
        )
    one, two = emit.dim_value(current, left), emit.dim_value(current, right)
    given = [emit.from_index(current, value) for value in (one, two)]
    site = current.site("shape", f"{what} that differ in number")
    current.guard(current.compare("eq", one, two), site, *given)


def _sizes(tensor: SymbolicTensor) -> Any:
    """The sizes as ints, or as run-time scalars where not all are known."""
    return dispatch.call("shape", tensor) if None in tensor.shape else tensor.shape


def concatenated(current: Trace, rows: SymbolicTensor) -> Any:
    """The rows one after the other along their first dimension."""
    if len(rows.dims) < 2:
        raise OperandValueError(
            current.explain("concat() of a TensorArray of scalars, which have no dimension to join")
        )
    count, first, *rest = _sizes(rows)
    return dispatch.call("reshape", rows, (count * first, *rest))


def split(elements: Elements, value: Any, lengths: Any) -> Elements:
    """The contents after ``split``: the pieces have one length, which is checked."""
    current = elements.trace
    if isinstance(lengths, (list, tuple)) and not lengths:
        lengths = np.zeros(0, np.int32)
    whole, each = elements.lifted(value, "split"), emit.lift(current, lengths)
    if not whole.dims or len(each.dims) != 1 or not each.dtype.is_integer:
        raise OperandValueError(
            current.explain("split() takes a tensor and a vector of the lengths of its pieces")
        )
    rest = list(_sizes(whole))[1:]
    if emit.is_symbolic(lengths):
        count = dispatch.call("size", each)
        shape = (count, _one_length(current, each), *rest)
    else:
        shape = (*_known_pieces(current, whole, lengths), *rest)
    return elements.holding(dispatch.call("reshape", whole, shape), "split")


def _one_length(current: Trace, lengths: SymbolicTensor) -> Any:
    """The length of all the pieces; 0 where there is none."""
    lengths = dispatch.call("cast", lengths, int64)
    most = dispatch.call("max", dispatch.call("concat", [lengths, np.zeros(1, np.int64)], 0))
    least = dispatch.call(
        "min", dispatch.call("concat", [lengths, dispatch.call("reshape", most, (1,))], 0)
    )
    operands = [dispatch.call("cast", each, int64).ssa for each in (most, least)]
    current.guard((most == least).ssa, current.site("shape", _PIECES), *operands)
    return most


def _known_pieces(current: Trace, whole: SymbolicTensor, lengths: Any) -> tuple[int, int]:
    """(how many, how long)."""
    each = [int(length) for length in lengths]
    if len(set(each)) > 1:
        raise OperandValueError(current.explain(f"{_PIECES}: {each}"))
    size = whole.dims[0]
    if isinstance(size, int) and sum(each) != size:
        raise OperandValueError(
            current.explain(f"split() of a tensor of {size} rows into pieces of {each}")
        )
    return len(each), each[0] if each else 0
