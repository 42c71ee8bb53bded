"""Programs whose form in StableHLO is run, and the arguments of a call of each."""

from __future__ import annotations

import numpy as np

import agir as ag

x = np.linspace(-2.0, 3.0, 12)


def smooth(u, h):
    for _ in range(10):
        u[1:-1] += h * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def layers(x, w, b):
    return np.tanh(x @ w + b).mean(axis=0)


def batches(a, b):
    return np.einsum("bij,bkj->kib", a, b)


def taken(x, i):
    return x[i] + x[i[::-1]]


def counted(i):
    counts = np.zeros(5, np.int64)
    for each in i:
        counts[each] += 1
    return counts


def parts(x):
    return np.where(x.T > 0, x.T, -1.0).reshape(-1)[2:9:3], np.pad(x, 1), np.concatenate([x, x])


def stepped(x, n):
    y = np.zeros(12)
    y[1::3] = x[:4]
    y[n] += 1
    return y


def bytes_of(u):
    return u // 3, u % 7, u > 100, u.astype(np.float64), np.minimum(u, 77), u >> 1


def truths(x):
    return (
        np.any(x > 1),
        np.all(x > -5),
        (x > 0) ^ (x > 1),
        np.sum(x > 0),
        -(x > 2).astype(np.int32),
    )


def special(x):
    return np.sign(x), np.fmax(x, np.nan), np.trunc(x), np.copysign(1, x), np.log2(abs(x)), x % 0.7


def rounded(i, j):
    return i // j, i % j, np.maximum(i, j), i << 2, ~i, np.bitwise_count(i)


def waves(x, y):
    z = x + 1j * y
    w = np.exp(z) * z.conj() + z.sum()
    return w.real, w.imag, abs(z), np.angle(z), z == 1j


def switched(n, v):
    match n:
        case 0:
            return v * 2
        case 3:
            return v - 1
        case _:
            return v


def sorted_by(x):
    return np.sort(x), np.argmax(x), np.cumsum(x), np.median(x)


def mandelbrot(x, y):
    c = x + y * 1j
    z, n = c * 0, np.zeros(c.shape, np.int32)
    for _ in range(20):
        z = np.where(abs(z) < 2, z * z + c, z)
        n += abs(z) < 2
    return n


def newton(a):
    y = a
    while abs(y * y - a) > 1e-12:
        y = 0.5 * (y + a / y)
    return y


def narrow(h):
    return (h * 3).astype(np.float32) + np.float32(1), np.isnan(h), np.isfinite(h)


loss_gradient = ag.grad(lambda w: np.sum(np.tanh(x[:3] * w) ** 2))


def descended(w):
    for _ in range(5):
        w = w - 0.1 * loss_gradient(w)
    return w


CALLS = {
    smooth: (x, 0.1),
    collatz: (27,),
    softmax: (x.reshape(3, 4),),
    layers: (x.reshape(3, 4), x[:8].reshape(4, 2), x[:2]),
    batches: (x.reshape(2, 3, 2), x[:8].reshape(2, 2, 2)),
    taken: (x, np.array([3, -1, 0])),
    counted: (np.array([1, 4, 1, 0, 1]),),
    parts: (x.reshape(3, 4),),
    stepped: (x, 5),
    bytes_of: (np.array([200, 3, 100, 255], np.uint8),),
    truths: (x,),
    special: (x[x != 0],),
    rounded: (np.array([-7, 7, -8, 9]), np.array([2, -2, 3, 3])),
    waves: (np.array([1.0, 0.0, -2.5]), np.array([2.0, 1.0, 0.0])),
    switched: (3, x),
    sorted_by: (x[::-1].copy(),),
    mandelbrot: (x.reshape(3, 4), 0.5),
    newton: (2.0,),
    narrow: (x.astype(np.float16),),
    descended: (x[:3],),
}
