"""``f.cost_analysis()`` and ``f.memory_analysis()``: estimates that need no run."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


@ag.jit
def product(x, y):
    return x @ y


@ag.jit
def steps(x, n):
    for _ in range(10):
        x = x * 0.5 + 1.0
    total = 0.0
    for i in range(n):
        total += np.sqrt(x[i])
    return total


@ag.jit
def branches(x, flag):
    if flag:
        return np.sqrt(x) + x * x
    return x


@ag.jit
def fibonacci(n):
    return 1.0 if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@ag.jit
def sums(x):
    a = np.cumsum(x)
    b = np.cumsum(a[::-1])
    return np.cumsum(b * x)


class Scale:
    @ag.jit
    def scaled(self, x):
        return x * 2.0


def test_a_product() -> None:
    x, y = np.ones((30, 40)), np.ones((40, 50))
    cost = product.cost_analysis(x, y)
    assert cost.flops == pytest.approx(2 * 30 * 40 * 50, rel=0.1)
    assert cost.bytes >= x.nbytes + y.nbytes + 30 * 50 * 8
    assert cost.intensity == cost.flops / cost.bytes
    memory = product.memory_analysis(x, y)
    assert (memory.arguments, memory.results) == (x.nbytes + y.nbytes, 30 * 50 * 8)
    assert memory.heap >= memory.results
    assert memory.peak == memory.arguments + memory.heap + memory.stack
    assert memory.code > 100


def test_loops_count_as_often_as_they_run() -> None:
    assert steps.cost_analysis(np.ones(1000), ag.TensorSpec([], ag.int64)).flops is None
    fixed = ag.jit(lambda x: steps(x, 100))
    assert fixed.cost_analysis(np.ones(1000)).flops == 10 * 2000 + 200
    assert fixed.cost_analysis(ag.TensorSpec([None], ag.float64)).flops is None


def test_the_dearer_branch_counts() -> None:
    x = np.ones(100)
    assert branches.cost_analysis(x, True).flops == 300


def test_what_cannot_be_told() -> None:
    assert fibonacci.cost_analysis(5).flops is None
    open_sizes = ag.jit(sums.python_function)
    assert open_sizes.memory_analysis(ag.TensorSpec([None], ag.float64)).peak is None


def test_memory_is_given_back() -> None:
    x = np.ones(10_000)
    memory = sums.memory_analysis(x)
    assert memory.results == x.nbytes
    assert 2 * x.nbytes <= memory.heap <= 4 * x.nbytes

    @ag.jit
    def often(x):
        for _ in range(100):
            x = sums(x)
        return x

    assert memory.heap <= often.memory_analysis(x).heap <= 2 * memory.heap


def test_methods_and_what_is_not_compiled() -> None:
    assert Scale().scaled.cost_analysis(np.ones(10)).flops == 10
    assert Scale().scaled.memory_analysis(np.ones(10)).results == 80
    with pytest.raises(ag.errors.StageError, match="nothing to analyse"):
        ag.function(lambda x: x, jit_compile=False).cost_analysis(1.0)
