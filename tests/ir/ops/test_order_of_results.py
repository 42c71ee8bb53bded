"""How results lie in memory, as NumPy's do: it decides whether what is reshaped is a view or a copy."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

MADE = {
    "product": lambda a, b: a * 2,
    "of a transposed one": lambda a, b: a.T * 2,
    "of both": lambda a, b: a + b,
    "of both, transposed": lambda a, b: a.T + b.T,
    "of one and the other way": lambda a, b: a + b.T.copy().T,
    "of a result": lambda a, b: (-(a.T + 1)) * 3,
    "of a row": lambda a, b: a + b[0],
    "of a column": lambda a, b: a[:, :1] + b[0],
    "of a part": lambda a, b: a[:, 1:] * b[:, :-1],
    "from behind": lambda a, b: a[::-1, ::-1] + 1,
    "in a dtype": lambda a, b: np.add(a, b, dtype=np.float32),
    "converted": lambda a, b: a.astype(np.float32),
    "compared": lambda a, b: a > b,
    "chosen": lambda a, b: np.where(a > 2, a, b),
    "clipped": lambda a, b: np.clip(a, 0, 3),
    "running sums": lambda a, b: np.cumsum(a, axis=0),
    "running sums of rows": lambda a, b: np.cumsum(a, axis=1),
    "running products": lambda a, b: a.T.cumprod(axis=1),
    "zeros": lambda a, b: np.zeros_like(a) + 1,
    "ones": lambda a, b: np.ones_like(a.T),
    "copied": lambda a, b: a.copy(),
    "copied as it is": lambda a, b: np.copy(a),
    "of three axes": lambda a, b: a[:, :, None] * b[:, None],
    "in order": lambda a, b: np.sort(a),
    "in order along columns": lambda a, b: np.sort(a, axis=0),
    "sorted numbers": lambda a, b: np.argsort(a, axis=0),
    "the least in front": lambda a, b: np.partition(a, 1),
    "side by side": lambda a, b: np.concatenate([a, b]),
    "side by side in rows": lambda a, b: np.concatenate([a, a], axis=1),
    "on each other": lambda a, b: np.stack([a, b]),
    "sums": lambda a, b: (a[:, :, None] * b[:, None]).sum(1),
    "sums of the first axis": lambda a, b: (a.T[:, :, None] * b[:, None].T).sum(0),
    "sums that keep axes": lambda a, b: a.T.sum(0, keepdims=True) * b.sum(1, keepdims=True),
    "the greatest": lambda a, b: np.max(a[None] * b[:, None], axis=0),
    "means": lambda a, b: np.mean(a[:, :, None] * b[:, None], axis=2),
    "deviations": lambda a, b: np.std(a[:, None] * b, axis=0),
    "where the greatest are": lambda a, b: np.argmax(a[:, :, None] * b[:, None], axis=1),
}
TAKEN = {
    "by rows": lambda v: v.reshape(-1),
    "by columns": lambda v: v.reshape(-1, order="F"),
    "transposed": lambda v: v.T.ravel(),
    "in two": lambda v: v.reshape(2, -1),
}
ORDERS = ["CC", "FF", "CF", "FC"]


def program(made, taken):
    def f(a, b):
        v = MADE[made](a, b)
        w = TAKEN[taken](v)
        w[...] = 0
        v[0] = 1
        return v, w

    return f


def given(orders):
    return [np.array(np.arange(1.0, 7).reshape(2, 3), order=order) for order in orders]


def check(f, decorated, orders):
    for found, wanted in zip(decorated(*given(orders)), f(*given(orders)), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("taken", TAKEN)
@pytest.mark.parametrize("made", MADE)
def test_views_and_copies_of_results(made, taken):
    f = program(made, taken)
    decorated = ag.jit(f, jit_compile=False)
    for orders in ORDERS:
        check(f, decorated, orders)


@pytest.mark.parametrize("made", MADE)
def test_of_any_sizes(made):
    f = program(made, "by columns")
    spec = ag.TensorSpec([None, None], ag.float64)
    decorated = ag.jit(f, input_signature=[spec, spec], jit_compile=False)
    for orders in ORDERS:
        check(f, decorated, orders)


@pytest.mark.parametrize("made", ["of both", "of a result", "running sums"])
def test_compiled(made):
    f = program(made, "by rows")
    decorated = ag.jit(f)
    for orders in ORDERS:
        check(f, decorated, orders)


def in_a_loop(a, n):
    total = np.zeros(a.size)
    for i in range(n):
        v = a * i
        w = v.reshape(-1)
        if i > 0:
            w[0] = 7
        total += v.ravel() + w
    return total


def in_a_loop_and_read(a, n):
    total = np.zeros(a.size)
    for i in range(n):
        total += (a * i).reshape(-1)
    return total


@pytest.mark.parametrize("function", [in_a_loop, in_a_loop_and_read])
def test_made_in_a_loop(function):
    decorated = ag.jit(function, jit_compile=False)
    for order in "CFC":
        (a,) = given(order)
        np.testing.assert_array_equal(decorated(a, 4), function(a, 4))
    by_rows = decorated.get_concrete_function(*given("C"), 4)._recorded.by_rows
    assert bool(by_rows) is (function is in_a_loop)


def test_of_many_steps():
    def f(a):
        v = a.T
        for _ in (None,) * 300:  # no range: each iteration is recorded
            v = v + v * 0.5 - v
        w = v.reshape(-1)
        w[...] = 0
        return v

    np.testing.assert_array_equal(ag.jit(f, jit_compile=False)(np.ones((2, 3))), f(np.ones((2, 3))))


@pytest.mark.parametrize("order", "CF")
def test_one_of_several_arrays_in_different_orders(order):
    def f(a, n):
        v = a
        for _ in range(n):
            v = v.copy()
        w = v.reshape(-1)
        w -= 1
        return v

    (a,) = given(order)
    decorated = ag.jit(f, jit_compile=False)
    for n in (0, 1):
        mine, its = (a.copy(order="K") for _ in range(2))
        np.testing.assert_array_equal(decorated(mine, n), f(its, n))
        np.testing.assert_array_equal(mine, its)


@pytest.mark.parametrize("axis", [None, 0, (0, 1)])
def test_rolled_arrays(axis):
    def f(a):
        v = np.roll(a, 1, axis=axis)
        w = v.reshape(-1)
        w -= 1
        return v

    for order in "CF":
        (a,) = given(order)
        np.testing.assert_array_equal(ag.jit(f, jit_compile=False)(a), f(a))
