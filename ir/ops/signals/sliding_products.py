"""``numpy.convolve`` and ``numpy.correlate``: the sums of products while vectors slide along others."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.autograph import operators
from agir.ir.building.types import DType, promote
from agir.ir.emission.emit import is_symbolic
from agir.ir.ops.calls.ufunc_loops import repeat
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import native
from agir.ir.ops.core.recorded import dimension_size, records, tensor, type_of
from agir.ir.tensors import dispatch

call = dispatch.call


@records(np.convolve)
def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """The convolution of two vectors."""
    x, y = call("reshape", tensor(a), (-1,)), call("reshape", tensor(v), (-1,))
    longer = _longer(y, x)
    x, y = (y, x) if longer else (x, y)
    if longer is None:
        return _cut(_slid(x, call("flip", y), "full"), x, y, mode)
    return _slid(x, call("flip", y), mode)


@records(np.correlate)
def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """The correlation of two vectors."""
    x, y = tensor(a), tensor(v)
    y = call("conj", y) if y.dtype.is_complex else y
    longer = _longer(y, x)
    if longer is None:
        turned = call("greater", dimension_size(y, 0), dimension_size(x, 0))
        return _cut(_slid(x, y, "full"), x, y, mode, turned)
    if longer:
        return call("flip", _slid(y, x, mode))
    return _slid(x, y, mode)


def _cut(full: Any, x: Any, y: Any, mode: str, turned: Any = False) -> Any:
    """The part of all sums that a mode asks for, where only the run time knows which is longer.

    ``turned``: whether the shorter one is what the longer one slides along, from the right.
    """
    if mode == "full":
        return full
    n, m = (
        call(name, dimension_size(x, 0), dimension_size(y, 0)) for name in ("maximum", "minimum")
    )
    if mode == "same":
        start, length = (m - 1) - m // 2, n
    elif mode == "valid":
        start, length = m - 1, n - m + 1
    else:
        raise ValueError(f"the mode is 'full', 'same' or 'valid', not {mode!r}")
    if turned is not False:
        start = call("where", turned, dimension_size(full, 0) - start - length, start)
    return full[start : start + length]


def _longer(x: Any, y: Any) -> bool | None:
    """Whether the first vector is the longer one; None where only the run time knows."""
    sizes = x.type.shape[0], y.type.shape[0]
    for each, size in zip((x, y), sizes, strict=True):
        some = size > 0 if size is not None else call("greater", dimension_size(each, 0), 0)
        require(some, "convolve() and correlate() of an empty array")
    return None if None in sizes else sizes[0] > sizes[1]


def _slid(x: Any, y: Any, mode: str) -> Any:
    """The sums of products while ``y`` slides along ``x``, which is not shorter."""
    dtype, _ = promote(type_of(x), type_of(y))
    x, y = call("cast", x, dtype), call("cast", y, dtype)
    n, m = dimension_size(x, 0), dimension_size(y, 0)
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"the mode is 'full', 'same' or 'valid', not {mode!r}")
    before = {"full": m - 1, "same": m // 2, "valid": 0}[mode]
    length = {"full": n + m - 1, "same": n, "valid": n - m + 1}[mode]
    if mode == "valid" or dtype.kind not in "fc":
        return _by_windows(x, y, before, length, dtype)
    return operators.if_exp(  # what is beside x counts for nothing, though 0 * inf is NaN
        call("all", call("isfinite", y)),
        lambda: _by_windows(x, y, before, length, dtype),
        lambda: _by_shifts(x, y, m - 1 - before, length, dtype),
    )


def _by_windows(x: Any, y: Any, before: Any, length: Any, dtype: DType) -> Any:
    """Each window of ``x``, with zeros on its sides, times ``y``, which has to be finite then."""
    m = dimension_size(y, 0)
    sides = [call("full", (m,), 0, dtype)] * 2
    wide = call("concat", [sides[0], x, sides[1]], 0)
    if dtype.kind in "iuf":
        first = m - before
        part = call("reshape", wide[first : first + length + m - 1], (1, -1, 1))
        filters = call("reshape", y, (-1, 1, 1))
        return call("reshape", call("convolve", part, filters, (1,), (1,), False), (-1,))
    starts = call("range", length, dtype="int64") + (m - before)
    places = starts[:, None] + call("range", m, dtype="int64")[None, :]
    return call("matmul", wide[places], y)


def _by_shifts(x: Any, y: Any, start: Any, length: Any, dtype: DType) -> Any:
    """``x`` times each element of ``y``, shifted and added up: nothing is beside it."""
    if not is_symbolic(x) and not is_symbolic(y):
        full = np.correlate(native(np.asarray(x)), np.conj(native(np.asarray(y))), "full")
        return tensor(full[start : start + length], dtype)
    n, m = dimension_size(x, 0), dimension_size(y, 0)
    total = call("full", (n + m - 1,), 0, dtype)

    def step(j: Any) -> None:
        first = m - 1 - j
        total[first : first + n] = total[first : first + n] + x * y[j]

    repeat(m, step)
    return total[start : start + length]
