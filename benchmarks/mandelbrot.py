"""Escape times: floating point, a `while` per pixel, and item assignment into an array."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import agir as ag

from .harness import Contender, Row, measure, optional
from .native import compiled

SIZE = 256
LIMIT = 200
EVERY = 16  # plain Python computes every sixteenth pixel of every sixteenth row

SOURCE = """
#include <stdint.h>
void escape_times(int64_t *counts, int64_t size, double left, double top, double step,
                  int64_t limit) {
    for (int64_t row = 0; row < size; row++)
        for (int64_t column = 0; column < size; column++) {
            double re = left + step * column, im = top - step * row, x = 0.0, y = 0.0;
            int64_t n = 0;
            while (n < limit && x * x + y * y <= 4.0) {
                double next = x * x - y * y + re;
                y = 2.0 * x * y + im;
                x = next;
                n++;
            }
            counts[row * size + column] = n;
        }
}
"""


def escape_times(
    counts: NDArray[np.int64], left: float, top: float, step: float, limit: int
) -> None:
    height, width = counts.shape
    for row in range(height):
        for column in range(width):
            re = left + step * column
            im = top - step * row
            x = 0.0
            y = 0.0
            n = 0
            while n < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + re, 2.0 * x * y + im
                n += 1
            counts[row, column] = n


def with_jax(jax: Any) -> Callable[..., None]:
    """As a JAX user writes it: the loop of one pixel, mapped over all of them."""
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy

    def pixel(re: Any, im: Any, limit: Any) -> Any:
        def inside(carry: Any) -> Any:
            x, y, n = carry
            return (n < limit) & (x * x + y * y <= 4.0)

        def step(carry: Any) -> Any:
            x, y, n = carry
            return x * x - y * y + re, 2.0 * x * y + im, n + 1

        return jax.lax.while_loop(inside, step, (0.0, 0.0, 0))[2]

    picture = jax.jit(jax.vmap(jax.vmap(pixel, (0, None, None)), (None, 0, None)))

    def run(counts: NDArray[np.int64], left: float, top: float, step: float, limit: int) -> None:
        height, width = counts.shape
        columns, rows = jnp.arange(width), jnp.arange(height)
        counts[...] = picture(left + step * columns, top - step * rows, limit)

    return run


def with_c(function: Any) -> Callable[..., None]:
    double, integer = ctypes.c_double, ctypes.c_int64
    function.argtypes = [ctypes.c_void_p, integer, double, double, double, integer]
    function.restype = None
    return lambda counts, *place: function(counts.ctypes.data, len(counts), *place)


def benchmark(rounds: int) -> list[Row]:
    place = (-2.0, 1.25, 2.5 / SIZE, LIMIT)
    sample = (*place[:2], EVERY * place[2], LIMIT)
    expected = np.zeros((SIZE // EVERY, SIZE // EVERY), np.int64)
    escape_times(expected, *sample)

    def contender(name: str, run: Callable[..., None]) -> Contender:
        latest = np.zeros((SIZE, SIZE), np.int64)

        def prepare() -> Sequence[Any]:
            latest[...] = -1
            return (latest, *place)

        def check(_: Any) -> None:
            np.testing.assert_array_equal(latest[::EVERY, ::EVERY], expected, err_msg=name)

        return Contender(name, run, prepare, check=check)

    contenders = [contender("agir", ag.jit(escape_times))]
    if library := compiled(SOURCE):
        contenders.append(contender("gcc -O2", with_c(library.escape_times)))
    contenders.append(
        Contender(
            "plain Python",
            escape_times,
            lambda: (np.zeros_like(expected), *sample),
            share=expected.size / SIZE**2,
        )
    )
    if numba := optional("numba"):
        contenders.append(contender("Numba", numba.njit(escape_times)))
    if jax := optional("jax"):
        contenders.append(contender("JAX", with_jax(jax)))
    title = f"Mandelbrot set, {SIZE} x {SIZE} pixels, {LIMIT} rounds"
    return measure(title, contenders, rounds, reference="gcc -O2", aim=1.2)
