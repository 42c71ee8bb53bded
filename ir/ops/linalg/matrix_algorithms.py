"""Algorithms for matrices, in NumPy, where NumPy has none of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def adjoint(a: Array) -> Array:
    """The conjugates with the last two axes exchanged."""
    return np.conj(np.swapaxes(a, -1, -2))


def svd(a: Array, full_matrices: bool) -> tuple[Array, Array, Array]:
    """Singular values first, and the right vectors as columns."""
    u, s, vh = np.linalg.svd(a, full_matrices=bool(full_matrices))
    return s, u, adjoint(vh)


def pseudo_inverse(a: Array, rtol: Array) -> Array:
    """By singular values, of which those up to ``rtol`` times the greatest count as zero."""
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    limit = np.asarray(rtol).real * s.max(-1, initial=0.0)
    large = s > limit[..., None]
    inverse = np.where(large, 1.0 / np.where(large, s, 1.0), 0.0).astype(s.dtype)
    return np.asarray(np.matmul(adjoint(vh) * inverse[..., None, :], adjoint(u)))


def cofactors(a: Array) -> Array:
    """The transposed adjugates, of singular matrices too, by way of the singular values."""
    u, s, vh = np.linalg.svd(a)
    n = a.shape[-1]
    others = [np.prod(np.delete(s, i, -1), -1) for i in range(n)]
    scale = np.linalg.det(u) * np.linalg.det(vh)
    products = np.stack(others, -1) if n else s
    found = np.conj(u) * products[..., None, :] @ np.conj(vh)
    return np.asarray(scale[..., None, None] * found)


def triangular_solve(a: Array, b: Array, lower: bool) -> Array:
    """Substitution, row by row; the other triangle is not read."""
    n = a.shape[-1]
    diagonal = np.diagonal(a, axis1=-2, axis2=-1)
    if n and (diagonal == 0).any():
        raise np.linalg.LinAlgError("Singular matrix")
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    x = np.array(np.broadcast_to(b, batch + b.shape[-2:]))
    for i in range(n) if lower else range(n - 1, -1, -1):
        known = slice(0, i) if lower else slice(i + 1, n)
        done = np.matmul(a[..., i : i + 1, known], x[..., known, :])
        x[..., i : i + 1, :] = (x[..., i : i + 1, :] - done) / diagonal[..., i, None, None]
    return x


def least_squares(a: Array, b: Array) -> Array:
    """``numpy.linalg.lstsq`` for each matrix."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    many = np.broadcast_to(a, batch + a.shape[-2:])
    sides = np.broadcast_to(b, batch + b.shape[-2:])
    found = np.zeros((*batch, a.shape[-1], b.shape[-1]), b.dtype)
    for index in np.ndindex(*batch):
        found[index] = np.linalg.lstsq(many[index], sides[index], rcond=None)[0]
    return found


def lu(a: Array, output_idx_type: Any) -> tuple[Array, Array]:
    """Gauss's elimination with exchange of rows, for all matrices at once."""
    n = a.shape[-1]
    batch = a.shape[:-2]
    work = np.array(a).reshape(-1, n, n)
    order = np.tile(np.arange(n), (len(work), 1))
    every = np.arange(len(work))
    for k in range(n):
        pivot = k + np.argmax(np.abs(work[:, k:, k]), axis=1)
        for rows in (work, order):
            rows[every, k], rows[every, pivot] = rows[every, pivot], rows[every, k]
        if (work[:, k, k] == 0).any():
            raise np.linalg.LinAlgError("Singular matrix")
        work[:, k + 1 :, k] /= work[:, k, k, None]
        work[:, k + 1 :, k + 1 :] -= work[:, k + 1 :, k, None] * work[:, k, None, k + 1 :]
    return work.reshape(a.shape), order.reshape(*batch, n)


# Higham 2005: the degree of the approximant, and up to which norm it is accurate.
_PADE = (
    (3, 1.495585217958292e-2, (120.0, 60.0, 12.0, 1.0)),
    (5, 2.539398330063230e-1, (30240.0, 15120.0, 3360.0, 420.0, 30.0, 1.0)),
    (7, 9.504178996162932e-1,
     (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0)),
    (9, 2.097847961257068e0,
     (17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0, 2162160.0, 110880.0,
      3960.0, 90.0, 1.0)),
    (13, 5.371920351148152e0,
     (64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
      129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0,
      40840800.0, 960960.0, 16380.0, 182.0, 1.0)),
)  # fmt: skip


def expm(a: Array) -> Array:
    """Padé's approximant after scaling by a power of two, then squared as often (Higham 2005)."""
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    found = np.empty(a.shape, a.dtype)
    for index in np.ndindex(*a.shape[:-2]):
        found[index] = _expm(np.asarray(a[index], wide))
    return found


def expm_derivative(a: Array, *directions: Array) -> Array:
    """How the exponentials change in a direction, how that changes in the next one, and so on.

    Each is a block of the exponential of matrices of twice the size.
    """
    if not directions:
        return expm(a)
    n, (first, *others) = a.shape[-1], directions
    batch = np.broadcast_shapes(*(each.shape[:-2] for each in (a, *directions)))
    whole = np.zeros((*batch, 2 * n, 2 * n), a.dtype)
    whole[..., :n, n:] = first
    along = [np.zeros_like(whole) for _ in others]
    for blocks, each in zip((whole, *along), (a, *others), strict=True):
        blocks[..., :n, :n] = blocks[..., n:, n:] = each
    return expm_derivative(whole, *along)[..., :n, n:]


def _expm(a: Array) -> Array:
    if not a.size:
        return a
    if not np.isfinite(a).all():
        return np.full_like(a, np.nan)
    norm = float(np.abs(a).sum(0).max())
    _, limit, coefficients = next((row for row in _PADE if norm <= row[1]), _PADE[-1])
    squarings = max(0, int(np.ceil(np.log2(norm / limit)))) if norm > limit else 0
    x = a / 2.0**squarings
    powers = [np.eye(len(a), dtype=a.dtype)]
    square = x @ x
    while len(powers) < (len(coefficients) + 1) // 2:
        powers.append(powers[-1] @ square)
    even = sum(c * p for c, p in zip(coefficients[0::2], powers, strict=False))
    odd = x @ sum(c * p for c, p in zip(coefficients[1::2], powers, strict=False))
    result = np.linalg.solve(even - odd, even + odd)
    for _ in range(squarings):
        result = result @ result
    return np.asarray(result)
