"""Large arrays that are not contiguous are used where they lie; a second program is compiled."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.calling import arguments
from agir.backends.cpu.passes.bufferization.strided_arguments import STRIDED, mark_strided


@pytest.fixture
def copies(monkeypatch):
    """The arrays that are copied on their way into compiled code."""
    found = []
    require = np.require

    def noted(array, *args):
        result = require(array, *args)
        if not np.shares_memory(result, array):
            found.append(array.shape)
        return result

    monkeypatch.setattr(arguments.np, "require", noted)
    return found


def smooth(u, v):
    for _ in range(2):
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + v[1:-1, 2:] + v[1:-1, :-2])
    return u.sum()


VIEWS = [
    lambda x: x.T,
    lambda x: x[::-1],
    lambda x: x[:, ::-1],
    lambda x: x[5:-5, ::3],
    np.asfortranarray,
    lambda x: x.astype(complex).real,
]


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_copied(view, copies):
    plain, given = (view(np.random.default_rng(0).random((150, 160))) for _ in range(2))
    other = plain.copy(order="F")
    f = ag.jit(smooth)
    for _ in range(2):
        np.testing.assert_allclose(f(given, other), smooth(plain, other))
        np.testing.assert_allclose(given, plain)
    assert copies == []
    assert f.experimental_get_tracing_count() == 1


def test_repeated_elements_are_read(copies):
    row = np.arange(200.0)
    repeated = np.broadcast_to(row, (100, 200))
    np.testing.assert_array_equal(ag.jit(lambda x: x + 1)(repeated), repeated + 1)
    window = np.lib.stride_tricks.sliding_window_view(np.arange(6000.0), 8)
    np.testing.assert_array_equal(ag.jit(lambda x: x.sum(axis=1))(window), window.sum(axis=1))
    assert copies == []


def test_what_cannot_be_used_in_place_is_copied(copies):
    f = ag.jit(lambda x: x * 2)
    x = np.arange(20000.0).reshape(100, 200)
    odd = np.zeros((100, 200), np.dtype([("a", "i4"), ("b", "f8")]))["b"]
    for array in (x.astype(">f8").T, odd, x[:3, ::2]):
        np.testing.assert_array_equal(f(array), array * 2)
    assert len(copies) == 3


def test_dynamic_sizes(copies):
    f = ag.jit(lambda x: x * 2, reduce_retracing=True)
    for rows in (80, 90, 100):
        x = np.arange(rows * 100.0).reshape(rows, 100)
        np.testing.assert_array_equal(f(x.T), x.T * 2)
        np.testing.assert_array_equal(f(x[:, ::-1]), x[:, ::-1] * 2)
        np.testing.assert_array_equal(f(x), x * 2)
    assert copies == []


def test_the_program_reads_the_argument_itself():
    x = np.zeros((100, 200))
    f = ag.jit(lambda x: x * 2)
    compilation = f.get_concrete_function(x).compilation
    strided = compilation.derived("optimized_hlo", lambda m: mark_strided(m, "lambda_", [0]), "[0]")
    text = strided.text("bufferized")
    assert STRIDED in text
    assert "memref<100x200xf64, strided<[?, ?], offset: ?>>" in text
    assert "memref.copy" not in text


def total(x):
    t = 0.0
    for v in x.flat:
        t += v
    return t


def number(x):
    for i in range(x.size):
        x.flat[i] += i


@pytest.mark.parametrize(("function", "copied"), [(total, 0), (number, 3)])
def test_what_is_seen_in_one_dimension_at_each_iteration_is_copied_once(copies, function, copied):
    f = ag.jit(function)
    for part in (np.transpose, lambda x: x[:, ::-1], lambda x: x[::2, ::2]):
        mine, wanted = (np.arange(40000.0).reshape(200, 200) for _ in range(2))
        assert f(part(mine)) == function(part(wanted))
        np.testing.assert_array_equal(mine, wanted)
    assert len(copies) == copied
