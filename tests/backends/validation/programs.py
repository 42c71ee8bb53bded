"""Programs whose compilation needs many passes, each with the arguments of a call."""

from __future__ import annotations

import ast
import inspect
import re
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


def searched(a: Any, b: Any) -> Any:
    return np.searchsorted(a, b), np.searchsorted(a, b) + 1, np.unique(b)


def complexes(a: Any, b: Any) -> Any:
    c = a + 1j * b
    return c @ c.T, np.log(c), (c * c.conj()).real.sum(), np.abs(c), np.exp(c[0])


def chosen(a: Any, n: int) -> Any:
    b = np.zeros(n)
    if n > 3:
        b = a[:n] * 2
    else:
        b = a[1 : n + 1] - 1
    c = b + 1
    return c.sum(), c[::-1], (b > 0.5).sum()


def triangle(a: Any) -> Any:
    s = a @ a.T
    v = a.sum(1) - 1.0
    return s, np.dot(v * 2.0, v), s.reshape(-1)[:5]


def gathered_rows(data: Any, cols: Any, ptr: Any, x: Any) -> Any:
    y = np.zeros(len(ptr) - 1)
    for i in range(len(ptr) - 1):
        s = 0.0
        for k in range(ptr[i], ptr[i + 1]):
            s += data[k] * x[cols[k]]
        y[i] = s
    return y


def swapping(a: Any, n: int) -> Any:
    b = np.empty_like(a)
    for _ in range(n):
        for i in range(1, len(a) - 1):
            b[i] = 0.5 * (a[i - 1] + a[i + 1])
        b[0], b[-1] = a[0], a[-1]
        a, b = b, a
    return a


def pairs(n: int) -> Any:
    a = np.zeros(n)
    for i in range(1, n):
        for j in range(i):
            a[i] += a[j] + 1.0 / (i + j)
    return a


def counting(n: int, m: int) -> Any:
    i, s = 0, 0
    while i < n:
        s += i * m
        i += 2
    return s, i


def best(a: Any) -> Any:
    at, most = 0, a[0]
    for i in range(len(a)):
        if a[i] > most:
            most, at = a[i], i
    return at, most


def prefix(a: Any) -> Any:
    s, b = 0.0, np.empty_like(a)
    for i in range(len(a)):
        s += a[i]
        b[i] = s
    return b, np.maximum.accumulate(a), np.cumsum(a)


def smooth(a: Any) -> Any:
    b = a[1:-1] * 0.5 + a[:-2] * 0.25 + a[2:] * 0.25
    c = b[1:-1] + b[2:] * b[:-2]
    return c * c, c.sum()


def transposed(a: Any) -> Any:
    b = np.zeros_like(a)
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            b[i, j] = a[j, i] * 2 + i - j
    return b, (a.T + a).sum(0), a.T.copy()


def histogram(index: Any, w: Any) -> Any:
    counts, sums = np.zeros(5, np.int64), np.zeros(5)
    for i in range(len(index)):
        counts[index[i]] += 1
    for i in range(len(index)):
        sums[index[i]] += w[i]
    return counts, sums


def flip(a: Any, n: int) -> Any:
    if n == 0:
        return a
    a[n] += a[n - 1] * 0.5
    return flip(a, n - 1)


def normal(a: Any) -> Any:
    m = a.mean(0)
    s = np.sqrt(((a - m) ** 2).mean(0))
    return (a - m) / s, np.exp(a - a.max(1)[:, None])


def checked(a: Any, index: Any, n: int) -> Any:
    s = 0
    for i in range(n):
        a[index[i]] += i
        s += a[index[i] - 1] * i
    return s, a


def growing(n: int) -> Any:
    a = np.ones(2)
    for i in range(n):
        a = np.concatenate([a, a[-1:] * 2 + i])
    return a


def branches(a: Any, n: int) -> Any:
    b = a
    for i in range(n):
        b = b * 2 if i % 2 else b + a
    return b, a > 0.5, (a > 0.5).any(), (a < 2).all()


def repeated(a: Any) -> Any:
    for i in range(1, 4):
        a[i] = a[i] * 2
        a[i] = a[i] + a[i - 1]
    x = np.outer(a, a) + 1
    y = np.outer(a + 1, a) + 1
    z = np.outer(a, a + 2) + 1
    return x, y, z


PROGRAMS: dict[Callable[..., Any], str] = {
    stencil: "r(7, 9), 3",
    escape: "5, 9",
    products: "r(9, 9), r(9, 9), r(9, 9)",
    reductions: "r(37), r(37)",
    recurrence: "r(22), 22",
    searching: "np.arange(3, 40, 2), 17",
    collected: "5",
    gathered: "r(11) * 2, np.array([0, 3, 1, 1, 2, 0, 3, 2, 2, 1, 0])",
    fibonacci: "7",
    searched: "np.arange(9.0), r(5) * 9",
    complexes: "r(3, 3), r(3, 3)",
    chosen: "r(12), 7",
    triangle: "r(5, 7)",
    gathered_rows: "r(8), np.array([0, 3, 1, 1, 2, 0, 3, 2]), np.array([0, 3, 3, 8]), r(4)",
    swapping: "r(12), 3",
    pairs: "9",
    counting: "11, 3",
    best: "r(80)",
    prefix: "r(40)",
    smooth: "r(40)",
    transposed: "r(6, 6)",
    histogram: "np.array([0, 3, 1, 1, 2, 4]), r(6)",
    flip: "r(6), 4",
    normal: "r(5, 6)",
    checked: "np.arange(5), np.array([1, 2, 3, 4, 1, 2]), 6",
    growing: "4",
    branches: "r(9), 4",
    repeated: "r(5)",
}
"""What each of them gets, where ``r`` gives random numbers of a shape."""
_HEAD = "import numpy as np\n"
_RANDOM = "np.random.default_rng(7).random(({}))"


def source(program: Callable[..., Any]) -> str:
    """A program as a file has it, without types."""
    (tree,) = ast.parse(inspect.getsource(program)).body
    assert isinstance(tree, ast.FunctionDef)
    tree.returns = None
    for each in tree.args.args:
        each.annotation = None
    return _HEAD + ast.unparse(tree)


def arguments(program: Callable[..., Any]) -> str:
    """What a program gets, as text that needs nothing but NumPy."""
    return re.sub(
        r"\br\(([^)]*)\)", lambda found: _RANDOM.format(found[1] + ","), PROGRAMS[program]
    )


def values(program: Callable[..., Any]) -> tuple[Any, ...]:
    """What a program gets."""
    given: tuple[Any, ...] = eval(f"({arguments(program)},)", {"np": np})
    return given
