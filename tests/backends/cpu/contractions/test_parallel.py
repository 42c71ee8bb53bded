"""Contractions on several threads: the same bits, whatever their number."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.calling import threads

from .conftest import values

pytestmark = pytest.mark.skipif(not threads.is_possible(), reason="there are no threads here")


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x @ y,
        lambda x, y: np.maximum(x @ y.T - 1, 0),
        lambda x, y: np.tanh(x.T @ y),
        lambda x, y: x @ y[0],
    ],
)
@pytest.mark.parametrize("size", [256, 301])
def test_the_same_bits(function, size):
    x, y = values((size, size), "float32"), values((size, size), "float32", 1)
    results = []
    for number in (1, 3):
        with ag.config.scope(num_threads=number):
            compiled = ag.jit(function)
            results.append(compiled(x, y))
            text = compiled.experimental_get_compiler_ir(x, y)("loops")
    np.testing.assert_array_equal(*results)
    if results[0].ndim == 2:
        assert "agir.parallel" in text


def test_panels_belong_to_the_thread():
    x, y = values((400, 1100), "float32"), values((1100, 700), "float32", 1)
    results = []
    for number in (1, 3):
        with ag.config.scope(num_threads=number):
            compiled = ag.jit(lambda x, y: x @ y)
            results.append(compiled(x, y))
            text = compiled.experimental_get_compiler_ir(x, y)("loops")
    np.testing.assert_array_equal(*results)
    start = text.index("func.func private @agir.parallel.0(")
    assert "memref.alloc()" in text[start:]


@pytest.mark.parametrize(
    "shape",
    [(40, 100, 300), (100, 100, 100), (200, 1000, 200), (301, 130, 500), (7, 2000, 3000)],
)
@pytest.mark.parametrize("turned", [False, True])
def test_threads_begin_once_for_a_product(shape, turned):
    """Rows are divided where there are few columns; else columns, and then the last ones."""
    rows, terms, columns = shape
    x, y = values((rows, terms), "float64"), values((terms, columns), "float64", 1)
    if turned:
        y = np.ascontiguousarray(y.T)
    results = []
    for number in (1, 2, 5):
        with ag.config.scope(num_threads=number):
            compiled = ag.jit((lambda x, y: x @ y.T) if turned else (lambda x, y: x @ y))
            results.append(compiled(x, y))
            text = compiled.experimental_get_compiler_ir(x, y)("loops")
    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)
    assert 1 <= text.count(".run(") - text.count("call @agir.parallel") <= 2
