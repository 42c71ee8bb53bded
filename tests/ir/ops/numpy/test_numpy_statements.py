"""Bodies of functions as NumPy users write them: iterators, numbers, classes of numbers, builtins."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from numpy_cases import compare

ITERATORS = """
r = 0.0
for p, q in np.ndindex(2, 3): r += x[p, q] * (p + 2 * q)
return r
---
r = 0
for p in np.ndindex(n - 3, 2): r += 1
for p, q in np.ndindex(n, n + 1): r += p * 10 + q
return r
---
r = 0.0
for (p, q), y in np.ndenumerate(x):
    if y > 0: r += y * p - q
for (p,), y in np.ndenumerate(v[v > 0]): r += y * p
return r
---
for y in np.nditer(x, op_flags=['readwrite']): y[...] = 2 * y
return x
---
return [p for p in np.ndindex(2, 2)], max(range(n)), min(range(2, n)), sum(range(n))
---
return any(k > 1 for k in range(n)), max(k * k for k in range(n)), sum(k * k for k in range(n))
""".strip().split("\n---\n")
NUMBERS = """
return np.float32(s) * f, np.int32(n) + 1, np.complex128(s), np.uint8(n), np.bool_(n)
---
return np.float64(v[0]), np.int64(v[0] * 3), np.float32(v), type(n)(s * 7)
---
return type(v) is np.ndarray, type(n) is int, type(s) == float, type(v[0]) is np.float64
---
return np.zeros(np.int64(n)), np.arange(np.int32(n)), v[np.int64(n)], np.arange(u[1])
---
return np.arange(np.float32(3)), np.arange(np.float32(s), 3)
---
table = {}
for k in range(20): table[k] = v[k % 5] * 2
r = 0.0
for k in range(20): r += table[k]
return r
---
r = 0
for k in range(5):
    if i[k] or m[k] and not n: r += 1
    while r < 3 and (i[k] or s): r += 1
return r
---
d = {"t": v}
d["t"] += 1
return d["t"], np.pad(v, n, mode="reflect"), np.vander(v, n), np.vander(i, n, increasing=True)
""".strip().split("\n---\n")
UFUNCS = """
return np.subtract.reduce(i, initial=1), np.subtract.reduce(x, axis=1), np.subtract.reduce(x, axis=())
---
y = x[: n - 1]
return np.subtract.reduce(y, initial=2, where=y > 1), np.subtract.reduce(x[:0], initial=3)
---
return np.subtract.reduce(x, initial=2, where=x > 1, axis=1, keepdims=True), np.bitwise_and.reduce(u)
---
return np.fmod(f, 2), np.fmod(2, f), np.fmod(i - 2, 2), np.fmod(i[1:4], n), np.fmod(u, 7), np.fmod(f, n)
---
return np.fmod(np.array([-128, 127], np.int8) + np.int8(n) - np.int8(3), 3)
---
return np.logical_or(u, -2), np.logical_and(u, 300), np.logical_xor(u, -n), np.logical_or(u, s)
---
return np.rint(z * 1.7), np.rint(z, out=z), z
---
y = m[:3]
return y.clip(2.0, f), i[:3].clip(2.0, f), np.clip(y, 2, f), np.clip(u, 0.5, f), np.clip(m, 0, n)
---
return max(z), min(z), max(np.stack([z, z]).ravel()), max(x[:1]) + 1
---
y = np.stack([z, z])
return y[:0].max(axis=1), y[:0].min(axis=-1, keepdims=True), y.max(axis=(0, 1))
---
i[-1] %= 0
return i, i[0] // 0, i[4] // i[4], i[1] % (n - n), u[0] // np.uint8(0), (n * i[4]) // i[4]
---
np.copyto(v, v)
still = v.imag
np.copyto(still, still, where=v > 1)
return np.take(v, [0, 1], out=w[:2]), np.take(f.astype(float), [0, 0, 0], out=f), v
---
w[1:4] = v[:3].tolist()
w[:2] = [n, s]
i[:2] = [n, i[3]]
return w, i, np.array([n, s]), np.array([[n], [n + 1]], np.uint8), np.array([n, s], np.int8)
---
for k in range(len(t)):
    np.put(v, [0, -1], [1, 2])
    if n > 2:
        y = c.T
    else:
        y = c.copy()
    y[0] = 2
return c, v
---
a, b = np.zeros((3, 1), complex), np.ones((3, 4), complex)
try:
    y = a[n + 1]
    b, a = b + 1, b
    b[..., ::-1] -= b
except IndexError:
    a.real += n
b.real += 1
return a, b
""".strip().split("\n---\n")


@pytest.mark.parametrize("body", [*ITERATORS, *NUMBERS, *UFUNCS], ids=lambda body: body[:40])
@pytest.mark.parametrize("compiled", [None, False])
def test_decorated_does_what_plain_does(body: str, compiled: bool | None) -> None:
    compare(body, jit_compile=compiled)
