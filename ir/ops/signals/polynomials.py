"""Polynomials, by their coefficients from the highest power on."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.autograph import operators
from agir.errors import StagingError
from agir.ir.building.types import TensorType, as_dtype, float64, promote
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.recorded import dimension_size, rank, records, tensor
from agir.ir.ops.shapes.numpy_creation import creates
from agir.ir.ops.statistics.host_vectors import vectors_on_host
from agir.ir.tensors import dispatch

call = dispatch.call


@records(np.polyval)
def polyval(p: Any, x: Any) -> Any:
    """The values of a polynomial."""
    coefficients, values = tensor(p), tensor(x)
    kind = promote(coefficients.type, values.type)[0]
    coefficients = call("cast", coefficients, kind)
    total = [call("fill_like", call("cast", values, kind), 0)]

    def step(coefficient: Any) -> None:
        total[0] = call("add", call("multiply", total[0], values), coefficient)

    def restore(found: tuple[Any, ...]) -> None:
        total[0] = found[0]

    count = coefficients.type.shape[0]
    if count is not None:
        for k in range(count):
            step(coefficients[k])
    else:
        state = operators.State(lambda: (total[0],), restore, ("total",))
        operators.for_stmt(coefficients, step, None, state, operators.LoopOptions())
    return total[0]


def _ascending(x: Any, c: Any, tensor: bool = True) -> Any:
    if rank(c) != 1:
        raise StagingError("polynomial.polyval() of one vector of coefficients is recorded")
    coefficients = _inexact(c)
    kind = dispatch.type_of(x)
    if kind.weak:  # a number of Python's follows the coefficients
        x = call("cast", x, promote(coefficients.type, kind)[0])
    return polyval(call("flip", coefficients), x)


creates(np.polynomial.polynomial.polyval)(_ascending)


@records(np.polyder)
def polyder(p: Any, m: int = 1) -> Any:
    """The coefficients of a derivative."""
    found = tensor(p)
    for _ in range(m):
        n = dimension_size(found, 0)
        found = found[:-1] * call("flip", call("range", 1, n, dtype="int64"))
    return found


@records(np.polyint)
def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """The coefficients of an integral."""
    found = tensor(p)
    added = [0.0] * m if k is None else list(k) if isinstance(k, (list, tuple)) else [k] * m
    for each in added:
        n = dimension_size(found, 0)
        powers = call("flip", call("range", 1, n + 1, dtype="int64"))
        last = call("reshape", tensor(each), (1,))
        found = call("concat", [call("divide", found, powers), last], 0)
    return found


def _same_length(a1: Any, a2: Any) -> list[Any]:
    x, y = (call("reshape", tensor(v), (-1,)) for v in (a1, a2))
    n, m = dimension_size(x, 0), dimension_size(y, 0)
    known = isinstance(n, int) and isinstance(m, int)
    longest = max(n, m) if known else call("maximum", n, m)
    zeros = [call("full", (longest - k,), 0, v.dtype) for k, v in ((n, x), (m, y))]
    return [call("concat", [z, v], 0) for z, v in zip(zeros, (x, y), strict=True)]


@records(np.polyadd)
def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of two polynomials."""
    return call("add", *_same_length(a1, a2))


@records(np.polysub)
def polysub(a1: Any, a2: Any) -> Any:
    """The difference of two polynomials."""
    return call("subtract", *_same_length(a1, a2))


@records(np.polymul)
def polymul(a1: Any, a2: Any) -> Any:
    """The product of two polynomials."""
    return np.convolve(tensor(a1), tensor(a2))


# The same from the lowest power on: `numpy.polynomial.polynomial`.


def _series(*several: Any) -> list[Any]:
    """Vectors of coefficients, of one floating-point dtype and without zeros at the end."""
    vectors = [call("reshape", _inexact(each), (-1,)) for each in several]
    kind = promote(*(each.type for each in vectors))[0]
    return [trimmed(call("cast", each, kind)) for each in vectors]


@records(np.polynomial.polyutils.trimseq)
def trimmed(seq: Any) -> Any:
    """A vector without the zeros at its end; one element is left."""
    found = tensor(seq)
    numbers = call("range", 1, dimension_size(found, 0) + 1, dtype="int64")
    used = call("where", call("not_equal", found, 0), numbers, 1)
    return found[: call("max", used)]


def _of_one_length(c1: Any, c2: Any) -> list[Any]:
    """Both as long as the longer one; what is added changes nothing, zeros with a sign included."""
    x, y = _series(c1, c2)
    sizes = dimension_size(x, 0), dimension_size(y, 0)
    longest = call("maximum", *sizes)
    return [
        call("concat", [each, call("full", (longest - size,), -0.0, each.dtype)], 0)
        for each, size in ((x, sizes[0]), (y, sizes[1]))
    ]


@records(np.polynomial.polynomial.polyadd)
def ascending_sum(c1: Any, c2: Any) -> Any:
    """The sum of two polynomials."""
    return trimmed(call("add", *_of_one_length(c1, c2)))


@records(np.polynomial.polynomial.polysub)
def ascending_difference(c1: Any, c2: Any) -> Any:
    """The difference of two polynomials."""
    return trimmed(call("subtract", *_of_one_length(c1, c2)))


@records(np.polynomial.polynomial.polymul)
def ascending_product(c1: Any, c2: Any) -> Any:
    """The product of two polynomials."""
    return trimmed(np.convolve(*_series(c1, c2)))


# Fitting, roots.


@records(np.polyfit)
def polyfit(
    x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None,
    cov: Any = False,
) -> Any:  # fmt: skip
    """The polynomial of a degree that is nearest to points, by least squares."""
    places, heights = _inexact(x), _inexact(y)
    if not isinstance(deg, int) or deg < 0:
        raise ValueError(f"polyfit(): the degree is a number known while tracing, not {deg!r}")
    if rank(places) != 1 or rank(heights) not in (1, 2):
        raise TypeError("polyfit() takes a vector of places, and a vector or a matrix of heights")
    if places.type.shape[0] == 0:
        raise TypeError("polyfit(): there is no point")
    order = deg + 1
    matrix = np.vander(places, order)
    if w is not None:
        weights = _inexact(w)
        matrix = call("multiply", matrix, weights[:, None])
        column = weights if rank(heights) == 1 else weights[:, None]
        heights = call("multiply", heights, column)
    scale = call("sqrt", call("sum", call("square", matrix), 0))
    matrix = call("divide", matrix, scale)
    limit = rcond
    if limit is None:
        limit = dimension_size(places, 0) * float(np.finfo(places.dtype.numpy).eps)
    found, rest, matrix_rank, values = np.linalg.lstsq(matrix, heights, limit)
    found = call("divide", found, scale if rank(found) == 1 else scale[:, None])
    if full:
        return found, rest, call("cast", matrix_rank, "int32"), values, limit
    if cov is False:
        return found
    return found, _covariance(matrix, scale, heights, rest, cov, order)


def _inexact(value: Any) -> Any:
    given = tensor(value)
    return given if given.dtype.kind in "fc" else call("cast", given, "float64")


def _covariance(matrix: Any, scale: Any, heights: Any, rest: Any, how: Any, order: int) -> Any:
    base = np.linalg.inv(call("matmul", call("transpose", matrix), matrix))
    base = call("divide", base, call("multiply", scale[:, None], scale))
    free = dimension_size(matrix, 0) - order
    if how == "unscaled":
        factor: Any = 1.0
    else:
        require(
            call("greater", free, 0),
            "polyfit(cov=True): there must be more points than coefficients",
        )
        factor = call("divide", rest, call("cast", free, base.dtype))
    if rank(heights) == 1:
        return base * factor
    return base[:, :, None] * factor


@records(np.poly)
def poly(seq_of_zeros: Any) -> Any:
    """The polynomial with these roots, or with the eigenvalues of a matrix."""
    zeros = tensor(seq_of_zeros)
    if rank(zeros) == 2:
        kept = zeros.dtype.is_complex
        found = poly(np.linalg.eigvals(zeros))
        return found if kept else call("real", found)
    if rank(zeros) > 2:
        raise ValueError("poly() takes a vector of roots, or a square matrix")
    count = zeros.type.shape[0] if rank(zeros) else 0
    if count is None:
        raise StagingError("poly(): the number of roots must be known while tracing")
    kind = promote(zeros.type, TensorType(float64, (), True))[0]
    found = call("full", (1,), 1.0, kind)
    nothing = call("full", (1,), 0.0, kind)
    for k in range(count):
        higher = call("concat", [found, nothing], 0)
        lower = call("concat", [nothing, call("multiply", found, zeros[k])], 0)
        found = call("subtract", higher, lower)
    return found


@records(np.polydiv)
def polydiv(u: Any, v: Any) -> Any:
    """Quotient and rest of two polynomials."""
    dividend, divisor = (call("reshape", tensor(p), (-1,)) for p in (u, v))
    kind = promote(dividend.type, divisor.type, TensorType(float64, (), True))[0]
    sizes = dividend.type.shape[0], divisor.type.shape[0]
    if None in sizes:
        raise StagingError("polydiv(): the numbers of coefficients must be known while tracing")
    return vectors_on_host(
        "polydiv", np.polydiv, [call("cast", p, kind) for p in (dividend, divisor)], 2
    )


@records(np.roots)
def roots(p: Any) -> Any:
    """The roots of a polynomial, always complex; zeros at the ends of the coefficients are left out."""
    given = tensor(p)
    if rank(given) != 1:
        raise ValueError("roots() takes a vector of coefficients")
    wide = call("cast", given, "complex128" if given.dtype.is_complex else "float64")
    return vectors_on_host("roots", np.roots, [wide], 1, as_dtype("complex128"))[0]
