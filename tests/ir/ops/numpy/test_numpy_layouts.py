"""Arrays without dimensions; whether ravel and reshape give views, by how arrays lie."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from numpy_cases import compare, in_groups

ARRAYS_WITHOUT_DIMENSIONS = [
    "t0 = np.zeros(()); t0 += v.sum(); b = t0; b += 1; return t0, b",
    "t0 = np.array(0.0)\nfor k in range(n):\n    t0[...] += v[k]\nreturn t0",
    "t0 = np.array(0.0)\nfor k in range(n):\n    t0 = t0 + v[k]\nreturn t0",
    "t0 = np.zeros_like(q)\nfor p in v:\n    if p > 1:\n        t0 += p\nreturn t0 * 2",
    "y = x[..., 0]; y += 1; z0 = x[0, ..., 1]; z0[()] = 9; return x",
    "z0 = x[0, ..., 1]\nfor k in range(n):\n    z0 += k\n    if z0 > 1: z0[...] = -3\nreturn x, z0",
    "best = np.array(-np.inf)\nfor k in range(5):\n    if v[k] > best:\n        best = "
    "v[k]\nreturn best",
    "c = np.array(0)\nwhile c < n:\n    c += 1\nreturn c",
    "c = np.array(0)\nwhile c < n:\n    c = c + 1\nreturn c",
    "a0 = np.full((), 3, dtype=np.float32); np.multiply(a0, 2, out=a0); return a0, a0.item()",
    "l = [np.array(0.0), np.array(1.0)]\nl[0] += 5\nreturn l",
    "c = np.array(2.0)\ny = v * c\nc[...] = 5\nreturn y, c, v + c",
]
LAYOUTS = [
    "y = v[::2].ravel(); y[0] = 9; return v",
    "y = v[::2].reshape(-1); y[0] = 9; return v",
    "y = v[::-1].ravel(); y[0] = 9; return v",
    "y = v[1:].ravel(); y[0] = 9; return v",
    "y = x.T.ravel(); y[0] = 9; return x",
    "y = x.T.reshape(-1); y[0] = 9; return x",
    "y = x.T.ravel('F'); y[0] = 9; return x",
    "y = x.ravel('F'); y[0] = 9; return x",
    "y = x.T.reshape(2, 3, order='F'); y[0, 1] = 9; return x",
    "y = x.ravel('K'); y[0] = 9; return x",
    "y = x.T.ravel('K'); y[1] = 9; return x, y",
    "y = x.ravel('A'); y[1] = 9; return x, y",
    "y = x.T.ravel('A'); y[1] = 9; return x, y",
    "y = x[:, :2].ravel(); y[0] = 9; return x",
    "y = x[:, :2].reshape(4); y[0] = 9; return x",
    "y = x[:1].ravel(); y[0] = 9; return x",
    "y = x[:, :1].ravel(); y[0] = 9; return x",
    "y = x[:, :1].reshape(-1); y[0] = 9; return x",
    "y = t[:, 1].reshape(-1); y[0] = 9; return t",
    "y = t[0].reshape(4, 3); y[0] = 9; return t",
    "y = t.transpose(0, 2, 1).reshape(2, 12); y[0] = 9; return t",
    "y = t.transpose(1, 0, 2).reshape(3, 8); y[0] = 9; return t",
    "y = t[:, ::2].reshape(2, 2, 2, 2); y[0, 0, 0, 0] = 9; return t",
    "y = t[..., ::2].reshape(-1); y[0] = 9; return t",
    "y = np.ravel(x); y[0] = 9; return x",
    "y = np.reshape(x, (3, 2)); y[0] = 9; return x",
    "y = x.flatten(); y[0] = 9; return x",
    "y = x.reshape(3, 2); x[0, 0] = 9; return y",
    "y = x.T.copy().ravel(); y[0] = 9; return x, y",
    "y = np.asfortranarray(x).ravel(); y[0] = 9; return x",
    "y = np.asfortranarray(x).ravel('F'); y[0] = 9; return x, y",
    "y = np.zeros((2, 3), order='F'); z0 = y.ravel(); z0[0] = 1; return y",
    "y = np.zeros((2, 3), order='F'); z0 = y.ravel('F'); z0[1] = 1; return y",
    "y = np.ascontiguousarray(x.T); z0 = y.ravel(); z0[0] = 1; return x, y",
    "y = np.ascontiguousarray(x); y[0] = 1; return x, y",
    "y = x.copy(order='F').ravel(); y[0] = 5; return x, y",
    "y = np.array(x, order='F').reshape(-1); y[0] = 5; return x",
    "y = c.ravel(); y[0] = 9; return c",
    "y = c.reshape(-1); y[0] = 9; return c",
    "y = c.ravel('F'); y[1] = 9; return c",
    "y = c.ravel('K'); y[1] = 9; return c, y",
    "y = c.T.ravel(); y[1] = 9; return c",
    "y = c.T.reshape(2, 6); y[1] = 9; return c",
    "y = c.reshape(4, 3, order='F'); y[1] = 9; return c",
    "c.flat[1] = 9; return c",
    "y = c[:, 1]; y += 1; return c",
    "y = c.copy(); y.ravel()[0] = 7; return y",
    "y = np.empty_like(x.T); y[...] = 0; y.ravel()[1] = 7; return y",
]
PARTS = [
    "y = z.real.ravel(); y[0] = 9; return z, y",
    "d = np.stack([z, z]); y = d.T.imag.ravel(); y[1:] += 1; return d, y",
    "d = np.stack([z, z]); y = d.imag.T + 0; w0 = y.ravel(); y[0] = 8; return d, y, w0",
    "d = np.stack([z, z]); y = d[:1].imag.reshape(-1); y[0] = 8; return d, y",
    "y = z.view(float); y[::2] = 1; y.ravel()[-1] = 5; return z, y",
    "y = m.view(np.uint8); y[::2] = 0; return m, y",
    "for k in range(n - 3):\n    z = z + k\nz.real = n\nz.imag[1:] += 1\nreturn z",
    "for k in range(n):\n    z = z + k\nz.real = n\nreturn z",
    "y = np.float64(v); v[0] = 7; y[1] = 8; return v, y, np.float32(v)",
    "y = np.lib.stride_tricks.sliding_window_view(v, 2); v[1:] = 9; return y, y.sum(-1), y.ravel()",
    "w0 = np.lib.stride_tricks.sliding_window_view; y = w0(t, (2, 2), axis=(0, 2)); t += 1; "
    "return y, y.T.ravel()",
]
MADE = [
    "np.pad(X, 1)", "np.pad(X, 1, mode='edge')", "np.pad(X, 1, mode='maximum')", "np.pad(X, 0)",
    "np.delete(X, 1, axis=0)", "np.delete(X, slice(0, 1), axis=1)", "np.insert(X, 1, 2, axis=0)",
    "np.insert(X, [0, -1], 2, axis=1)", "np.concatenate([X, X])", "np.concatenate([X, X], axis=1)",
    "np.stack([X, X], axis=1)", "np.stack([X, X], axis=-1)", "np.append(X, X, axis=0)",
    "np.array([X, X])[0]", "np.sort(X, axis=0)", "np.argsort(X, axis=0)", "np.diff(X, axis=0)",
    "X[[0, 1]]", "X[:, [0, 1]]", "X[:, [[0, 1], [1, 0]]]", "X[None, :, [1, 0]]", "X[..., [0, 1]]",
    "np.select([X > 0], [X])", "np.piecewise(X, [X < 5], [1, 2])", "X.sum(axis=-1)",
    "X.max(axis=0, keepdims=True)", "np.prod(X[None], axis=0)", "np.where(X > 1, X, 0)",
    "np.fmod(X, 2)", "X.round()", "X.cumsum(axis=0)", "np.roll(X, 1, axis=0)",
]  # fmt: skip
"""Arrays made of others: how they lie shows in what is a view of them, and in which order."""
MADE_OF = [
    f"X = {array}; y = {made}; k = y.ravel('K'); z0 = y.reshape(-1); y += 100; return y, k, z0"
    for made in MADE
    for array in ("c + 0", "t.transpose(1, 0, 2)")
]


@pytest.mark.parametrize(
    "bodies",
    in_groups(ARRAYS_WITHOUT_DIMENSIONS, LAYOUTS, PARTS, MADE_OF),
    ids=lambda bodies: bodies[0][:40],
)
@pytest.mark.parametrize("compiled", [None, False])
def test_decorated_does_what_plain_does(bodies: list[str], compiled: bool | None) -> None:
    for body in bodies:
        compare(body, jit_compile=compiled)
