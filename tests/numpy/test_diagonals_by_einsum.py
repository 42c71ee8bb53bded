"""`np.einsum` of one array that adds nothing up is a view of it, diagonals too."""

import itertools

import numpy as np
import pytest

import agir as ag


def read_later(a):
    v = np.einsum("iij->ji", a)
    a[1] += 1
    return v


def written(a):
    v = np.einsum("iij->ij", a)
    v[0] = 5
    part = v[1:, ::-1]
    part[0, :2] = 8
    flat = v.ravel()
    flat[0] = 100
    return a, v, flat


def of_three(a):
    v = np.einsum("iii->i", a)
    v *= 2
    return a, v.ravel()


def of_the_last(a):
    v = np.einsum("...ii->...i", a)
    v[...] = 3
    return a, v.T.ravel()


def of_the_run_time(a):
    n = int(a[0, 0, 1]) + 1
    v = np.einsum("iij->ij", a[:n, :n])
    if n > 2:
        v = v.copy()
    for i in range(n):
        v[:, i] += i
    return a, v


@pytest.mark.parametrize("compiled", [None, False])
@pytest.mark.parametrize("f", [read_later, written, of_three, of_the_last, of_the_run_time])
def test_diagonals_are_views(f, compiled):
    x = np.arange(27.0).reshape(3, 3, 3)
    wanted, found = f(x.copy()), ag.jit(f, jit_compile=compiled)(x.copy())
    for one, other in zip(wanted, found, strict=True):
        np.testing.assert_array_equal(other, one)


def test_sizes_of_a_label_agree():
    diagonal = ag.jit(lambda a, n: np.einsum("ii->i", a[:, :n]))
    x = np.arange(9.0).reshape(3, 3)
    np.testing.assert_array_equal(diagonal(x, 3), [0, 4, 8])
    with pytest.raises(ValueError, match=r"label 'i' has the sizes 3 and \?, which differ"):
        diagonal(x, 2)
    with pytest.raises(ValueError, match="label 'i' has the sizes 2 and 3, which differ"):
        ag.jit(lambda a: np.einsum("ii->i", a))(x[:2])


def test_steps_of_axes_of_one_element():
    def f(a):
        v = a[::2, None, 0, ::2]
        v[..., ::-2] -= -2
        return a, v.T

    for shape in ((1, 1, 1), (1, 3, 2), (2, 1, 1)):
        wanted, found = f(np.ones(shape)), ag.jit(f)(np.ones(shape))
        for one, other in zip(wanted, found, strict=True):
            np.testing.assert_array_equal(other, one)


def test_nothing_is_assigned_any_number_of_times():
    def f(a, v):
        a[np.arange(2)] = v
        return a

    for shape in ((2, 2, 0), (3, 2, 0), (1, 2, 0), (2, 0)):
        assert ag.jit(f)(np.zeros((2, 0)), np.zeros(shape)).shape == (2, 0)
    for shape in ((2, 2, 1), (5,), (3, 0), (2, 3)):
        with pytest.raises(ValueError, match="does not broadcast"):
            ag.jit(f)(np.zeros((2, 0)), np.zeros(shape))


KEYS_OF_NOTHING = [
    ((3, 0), np.array([-1, -2, 0])),
    ((3, 2), np.array([], int)),
    ((3,), np.array([], int)),
    ((3, 0), np.array([[-1, -2], [0, 1]])),
    ((2, 2, 0), (slice(1, 3), np.array([0, 1]))),
    ((2, 2, 2), (np.array([0, 1]), slice(1, 1))),
    ((3, 0), np.array([True, True, False])),
]


@pytest.mark.parametrize(("shape", "key"), KEYS_OF_NOTHING)
def test_which_values_are_taken_where_nothing_is_written(shape, key):
    def f(a, v):
        a[key] = v
        return a

    rank = np.zeros(shape)[key].ndim
    for given in itertools.product((0, 1, 2), repeat=rank + 1):
        taken = []
        for call in (f, ag.jit(f)):
            try:
                taken.append(call(np.zeros(shape), np.zeros(given)).shape)
            except ValueError:
                taken.append("refused")
        assert taken[0] == taken[1], given


def test_bits_of_bools_are_counted():
    x = np.array([True, False])
    found = ag.jit(lambda x: np.bitwise_count(x))(x)
    np.testing.assert_array_equal(found, [1, 0])
    assert found.dtype == np.uint8


SUMMED = [
    "ij,jk->ik",
    "ij,jk->ki",
    "ij,kj->ik",
    "ijk,k->ij",
    "ijk->ki",
    "i,j->ji",
    "...j,jk",
    "ii,ij->ij",
]
LAYOUTS = [np.copy, np.asfortranarray, lambda x: x[::-1], lambda x: np.repeat(x, 2, 0)[::2]]


@pytest.mark.filterwarnings("ignore::agir.errors.RetraceWarning")
@pytest.mark.parametrize("subscripts", SUMMED)
def test_sums_of_products_lie_as_the_operands_do(subscripts):
    def written(*operands):
        summed = np.einsum(subscripts, *operands)
        summed.ravel()[1] = 99
        by_columns = np.einsum(subscripts, *operands, order="F")
        by_columns.ravel()[1] = 88
        return summed, by_columns

    decorated, rng = ag.jit(written), np.random.default_rng(0)
    terms = subscripts.split("->")[0].split(",")
    for layouts in itertools.product(LAYOUTS, repeat=len(terms)):
        operands = [
            lay(rng.integers(0, 5, (3,) * len(term.replace("...", "a"))))
            for lay, term in zip(layouts, terms, strict=True)
        ]
        for found, wanted in zip(decorated(*operands), written(*operands), strict=True):
            np.testing.assert_array_equal(found, wanted)
