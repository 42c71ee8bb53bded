"""Programs whose compilation needs many passes, each with the arguments of a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def stencil(a: Any, n: int) -> Any:
    b = a.copy()
    for _ in range(n):
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        a[1:-1, 1:-1] = 0.25 * (b[:-2, 1:-1] + b[2:, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:])
    return a.sum()


def escape(n: int, most: int) -> Any:
    out = np.zeros((n, n), np.int64)
    for i in range(n):
        for j in range(n):
            c = complex(-2 + 3 * i / n, -1.5 + 3 * j / n)
            z, k = 0j, 0
            while k < most and abs(z) < 2:
                z = z * z + c
                k += 1
            out[i, j] = k
    return out


def products(a: Any, b: Any, c: Any) -> Any:
    x = a @ b + c
    y = a.T @ x - 2.0 * c
    return x, y.sum(0), y.argmax(1), (x * y).max(), np.cumsum(x[0])


def reductions(x: Any, y: Any) -> Any:
    best = x.min()
    for i in range(len(x)):
        if x[i] > best:
            best = x[i]
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return best, total, x.argmin(), (x > 0.5).sum(), np.mean(x), np.var(y), np.where(x > y, x, -y)


def recurrence(a: Any, n: int) -> Any:
    for i in range(1, n):
        a[i] = a[i - 1] * 0.5 + a[i]
    b = np.zeros_like(a)
    for i in range(n):
        for j in range(i):
            b[i] += a[j]
    return b, a[::-1][: n // 2], a.reshape(2, -1).sum(0)


def searching(a: Any, value: int) -> Any:
    found = -1
    for i, x in enumerate(a):
        if x == value:
            found = i
            break
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if a[middle] < value:
            low = middle + 1
        else:
            high = middle
    return found, low, a[low] // 3, a % 7, (a * 5) // 8


def collected(n: int) -> Any:
    items, counts = [], {}
    for i in range(n):
        if i % 3:
            items.append(i * i)
        counts[i % 2] = i
    return items[1:], counts, sum(items)


def gathered(a: Any, index: Any) -> Any:
    b = np.zeros(4)
    for i in range(len(index)):
        b[index[i]] += a[i]
    c = a[index]
    c[c > 1] = 0.5
    d = np.sort(a)[::2]
    return b, c, d, np.concatenate([c, d]), np.roll(a, 2), a[None, :] * b[:, None]


def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def _arrays() -> Any:
    rng = np.random.default_rng(7)
    return lambda *shape: rng.random(shape)


_random = _arrays()
PROGRAMS: dict[Callable[..., Any], tuple[Any, ...]] = {
    stencil: (_random(7, 9), 3),
    escape: (5, 9),
    products: (_random(9, 9), _random(9, 9), _random(9, 9)),
    reductions: (_random(37), _random(37)),
    recurrence: (_random(22), 22),
    searching: (np.arange(3, 40, 2), 17),
    collected: (5,),
    gathered: (_random(11) * 2, np.array([0, 3, 1, 1, 2, 0, 3, 2, 2, 1, 0])),
    fibonacci: (7,),
}
