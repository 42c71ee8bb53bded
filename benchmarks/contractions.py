"""Products of matrices and convolutions: how many operations in a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, measure, optional

Function = Callable[..., Any]
SECONDS = 0.004  # of work in each measurement, so that small products are more than a tick
FAST = 1e11  # operations in a second, to guess how many products that is


@dataclass(frozen=True)
class Case:
    """A function of arrays, the shapes of its arguments and how many operations it takes."""

    name: str
    run: Function
    shapes: tuple[tuple[int, ...], ...]
    operations: float
    dtype: str = "float32"
    numpy: Function | None = None
    """As a NumPy user writes it, if otherwise."""
    jax: Callable[[Any], Function] | None = None
    """Of JAX: as its user writes it, if otherwise."""
    aim: float | None = None


def product(x: Any, y: Any) -> Any:
    return x @ y


def right_transposed(x: Any, y: Any) -> Any:
    return x @ y.T


def dense(x: Any, w: Any, b: Any) -> Any:
    return np.maximum(x @ w + b, 0)


def tanh_dense(x: Any, w: Any, b: Any) -> Any:
    return np.tanh(x @ w + b)


def convolution(x: Any, w: Any) -> Any:
    return ag.nn.conv2d(x, w, 1, "VALID")


def im2col(x: Any, w: Any) -> Any:
    """The convolution as a NumPy user writes it."""
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[:2], axis=(1, 2))
    columns = windows.transpose(0, 1, 2, 4, 5, 3).reshape(*windows.shape[:3], -1)
    return columns @ w.reshape(-1, w.shape[-1])


def matrices(rows: int, columns: int, terms: int, dtype: str = "float32") -> Case:
    """A product of matrices; the aim is twice as fast as NumPy."""
    shapes = ((rows, terms), (terms, columns))
    name = f"{rows} x {columns} x {terms}, {dtype}"
    each = 8.0 if dtype.startswith("complex") else 2.0
    return Case(name, product, shapes, each * rows * columns * terms, dtype, aim=0.5)


def jax_dense(jax: Any) -> Function:
    return lambda x, w, b: jax.numpy.maximum(x @ w + b, 0)


def jax_tanh_dense(jax: Any) -> Function:
    return lambda x, w, b: jax.numpy.tanh(x @ w + b)


def jax_convolution(jax: Any) -> Function:
    layout = ("NHWC", "HWIO", "NHWC")
    convolve = jax.lax.conv_general_dilated
    return lambda x, w: convolve(x, w, (1, 1), "VALID", dimension_numbers=layout)


def convolved(size: int, channels: int, filters: int) -> Case:
    """A convolution with windows of 3 x 3 of one image."""
    shapes = ((1, size + 2, size + 2, channels), (3, 3, channels, filters))
    name = f"conv2d {size} x {size} x {channels}, {filters} filters"
    operations = 2.0 * size * size * filters * 9 * channels
    return Case(name, convolution, shapes, operations, numpy=im2col, jax=jax_convolution)


LAYER = ((64, 256), (256, 256), (256,))
CASES: Sequence[Case] = (
    *(matrices(n, n, n) for n in (8, 32, 64, 100, 128, 256, 500, 512, 1000, 1024)),
    *(matrices(n, n, n, "float64") for n in (64, 100, 256, 512, 1024)),
    *(matrices(n, n, n, "complex128") for n in (8, 100, 256)),
    matrices(1024, 32, 1024),
    matrices(1024, 1024, 8),
    matrices(4, 1024, 1024),
    Case("matrix of 1024, vector", product, ((1024, 1024), (1024,)), 2.0 * 1024**2),
    Case("vector, matrix of 1024", product, ((1024,), (1024, 1024)), 2.0 * 1024**2),
    Case("x @ y.T of 256", right_transposed, ((256, 256), (256, 256)), 2.0 * 256**3),
    Case("16 products of 64", product, ((16, 64, 64), (16, 64, 64)), 2.0 * 16 * 64**3),
    Case("dense, bias, relu", dense, LAYER, 2.0 * 64 * 256**2, jax=jax_dense, aim=0.4),
    Case("dense, bias, tanh", tanh_dense, LAYER, 2.0 * 64 * 256**2, jax=jax_tanh_dense),
    convolved(56, 64, 64),
    convolved(32, 3, 32),
)


def benchmark(rounds: int) -> list[Row]:
    """Each case by agir, NumPy and JAX, interleaved."""
    jax = optional("jax")
    return [row for case in CASES for row in _case(case, rounds, jax)]


def _case(case: Case, rounds: int, jax: Any) -> list[Row]:
    random = np.random.default_rng(0)
    arrays = [_values(random, shape, case.dtype) for shape in case.shapes]
    runs = {"agir": ag.jit(case.run), "NumPy": case.numpy or case.run}
    if jax is not None:
        runs["JAX"] = _with_jax(jax, case)
    wanted = runs["NumPy"](*arrays)

    def check(result: Any) -> None:
        tolerance = 1e-3 if case.dtype == "float32" else 1e-9
        np.testing.assert_allclose(result, wanted, rtol=tolerance, atol=tolerance)

    calls = max(1, int(SECONDS / (case.operations / FAST + 1e-6)))
    contenders = [
        Contender(name, _repeated(run, calls), lambda: arrays, calls=calls, check=check)
        for name, run in runs.items()
    ]
    rows = measure(case.name, contenders, rounds, reference="NumPy", aim=case.aim)
    for row in rows:
        row.note = f"{case.operations / row.median / 1e9:6.1f} GF/s"
    return rows


def _values(random: Any, shape: Sequence[int], dtype: str) -> Any:
    made = random.standard_normal(shape).astype(dtype)
    return made + 1j * random.standard_normal(shape) if dtype.startswith("complex") else made


def _repeated(run: Function, calls: int) -> Function:
    def several(*given: Any) -> Any:
        for _ in range(calls):
            result = run(*given)
        return result

    return several


def _with_jax(jax: Any, case: Case) -> Function:
    """A function of NumPy arrays whose result is waited for."""
    jax.config.update("jax_enable_x64", True)
    compiled = jax.jit(case.jax(jax) if case.jax else case.run)
    return lambda *arrays: np.asarray(compiled(*arrays))
