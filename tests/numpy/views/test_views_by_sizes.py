"""Whether a reshape is a view or a copy, where sizes of the run time decide it: as NumPy has it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[1]))

from agreement import agree, both


def raveled(a, m, k):
    v = a[:m, :k].ravel()
    v[...] = -1
    return a, v


def raveled_before_a_write(a, m, k):
    v = a[:m, :k].ravel()
    a[...] = -1
    return v


def reshaped(a, m, k):
    v = a[:m, :k].reshape(-1)
    v += 1
    return a, v


def reshaped_before_a_write(a, m, k):
    v = a[:m, :k].reshape(m * k)
    a += 1
    return v, v.sum()


def with_an_axis(a, m, k):
    v = a[:m, :k]
    v.reshape(m, k, 1)[...] = -1
    v.reshape((*v.shape, 1))[:1] = -2
    v.reshape(v.shape[0], 1, v.shape[1])[..., -1:] = -3
    return a


def exchanged(a, m, k):
    v = a[:m, :k].reshape(k, m)
    v[...] = -1
    return a, v


def of_columns(a, m, k):
    v = a[:m, :k].T.reshape(-1)
    v *= 2
    w = a.T[:k, :m].ravel()
    w -= 1
    return a, v, w


def from_behind(a, m, k):
    v = a[::-1][:m, :k].reshape(-1)
    v[:2] = -1
    return a, v


def of_steps(a, m, k):
    v = a[: m + 1 : 2, :k].reshape(-1)
    v[-1:] = -1
    return a, v


def in_three(a, m, k):
    c = a.reshape(2, 2, 7)
    v = c[:, :m, :k].reshape(-1, k)
    v[...] = -1
    w = c[:m, :, :k].reshape(m, -1)
    w += 1
    return a, v


def in_a_loop(a, m, k):
    total = 0.0
    for i in range(1, m + 1):
        v = a[:i, :k].reshape(-1)
        a[0] += 1
        total += v.sum()
        v[0] = i
    return a, total


def elements_in_a_loop(a, m, k):
    v = a[:m, :k].ravel()
    for i in range(len(v)):
        if i % 2:
            v[i] = v[i - 1] + 1
        a[0, 0] -= 1
    return a, v


def on_a_path(a, m, k):
    v = a[:m, :k].reshape(-1)
    w = v[1:] if m > 1 else v[:1]
    w += 3
    return a, v, w


def by_columns(a, m, k):
    v = np.asfortranarray(a[:m, :k])
    v[...] = -1
    w = v.ravel("F")
    w[:1] = 5
    return a, v


def by_rows(a, m, k):
    v = np.ascontiguousarray(a[:m, :k])
    v[...] = -1
    w = v.reshape(-1)
    w[:1] = 5
    return a, v, w


def taken_and_sorted(a, m, k):
    v = a[:m, :k].ravel()
    v.sort()
    v[v > 3] = 0
    np.add.at(v, np.arange(len(v))[:1], 3)
    return a, v, v[::2].reshape(-1)


def of_places(a, m, k):
    v = np.argwhere(a[:m, :k] % 2 == 0)
    v.ravel()[1:] = 9
    w = np.transpose(np.nonzero(a[:m, :k]))
    w.ravel()[:1] = 9
    w.T.reshape(-1)[-1:] = 8
    return v, w


FUNCTIONS = [
    raveled, raveled_before_a_write, reshaped, reshaped_before_a_write, with_an_axis, exchanged,
    of_columns, from_behind, of_steps, in_three, in_a_loop, elements_in_a_loop, on_a_path, by_columns,
    by_rows, taken_and_sorted, of_places,
]  # fmt: skip
EXTENTS = [(2, 3), (1, 3), (2, 1), (1, 1), (2, 7), (1, 7), (0, 3), (2, 0)]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_sizes_decide_what_is_a_view(f):
    decorated = both(f)
    for m, k in EXTENTS:
        if f is in_three and m * k == 0:
            continue
        agree(f, np.arange(28.0).reshape(4, 7), m, k, decorated=decorated)


@pytest.mark.parametrize(
    "f", [raveled, reshaped, of_columns, with_an_axis], ids=lambda f: f.__name__
)
def test_arguments_of_any_sizes(f):
    number = ag.TensorSpec([], ag.int64)
    specs = [ag.TensorSpec([None, None], ag.float64), number, number]
    decorated = [ag.jit(f, input_signature=specs)]
    for shape in [(4, 7), (4, 3), (1, 3), (2, 1)]:
        for m, k in [(2, 3), (1, 3), (2, 1), (4, 7)]:
            given = np.arange(float(np.prod(shape))).reshape(shape)
            agree(f, given, np.int64(m), np.int64(k), decorated=decorated)


def fixed_columns(a):
    v = a[:, 1:8].ravel()
    v[...] = -1
    return a, v


def test_a_part_of_seven_columns_of_arguments_of_any_sizes():
    specs = [ag.TensorSpec([None, None], ag.float64)]
    decorated = [ag.jit(fixed_columns, input_signature=specs)]
    for shape in [(3, 9), (3, 8), (1, 9), (2, 2)]:
        agree(fixed_columns, np.arange(float(np.prod(shape))).reshape(shape), decorated=decorated)


def read_only(a, k):
    total = 0.0
    for i in range(k):
        v = a[: i + 1, : i + 1].ravel()
        total += (v * v).sum()
        a[i] += 1
    return total, a


def test_what_is_read_before_a_write_is_not_chosen():
    a = np.arange(16.0).reshape(4, 4)
    decorated = both(read_only)
    agree(read_only, a, 4, decorated=decorated)
    ir = str(decorated[0].experimental_get_compiler_ir(a, 4)("optimized_hlo"))
    assert "scf.if" not in ir


def through_unit_axes(a, m):
    v = a.T[:m][None].reshape(-1)
    v += 1
    w = a[:, None][:m].squeeze().ravel() if a.shape[0] > 9 else a[:m, None].reshape(-1)
    w *= 2
    return a, v, w


def test_axes_of_one_element_between():
    decorated = both(through_unit_axes)
    for shape in [(3, 1), (2, 3), (3, 4)]:
        for m in (0, 1, 2, 3):
            given = np.arange(float(np.prod(shape))).reshape(shape)
            agree(through_unit_axes, given, m, decorated=decorated)


def beside_nothing(a, m):
    try:
        return a[m:].reshape(len(a[m:]), -1)
    except ValueError:
        return a[m:].reshape(-1, 4) + m


def not_beside_nothing(a, m):
    return a[m:].reshape(-1, len(a[m:])), a[:m].reshape(-1, a.shape[1])


@pytest.mark.parametrize("f", [beside_nothing, not_beside_nothing])
def test_a_size_that_does_not_follow_from_the_others(f):
    decorated = both(f)
    for m in (0, 2, 3, 5):
        agree(f, np.arange(12.0).reshape(3, 4), m, decorated=decorated)
