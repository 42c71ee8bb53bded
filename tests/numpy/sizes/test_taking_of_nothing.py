"""Where axes are empty: indices and numbers of repetitions count where there is something to take."""

import itertools

import numpy as np
import pytest

import agir as ag

SHAPES = list(itertools.product((0, 1, 2), repeat=2))


def outcome(function, *args):
    try:
        return function(*args).shape
    except (IndexError, ValueError) as error:
        return "negative" if isinstance(error, ValueError) else "out of bounds"


@pytest.mark.parametrize("mode", ["raise", "clip", "wrap"])
@pytest.mark.parametrize("axis", [0, 1])
def test_take(mode, axis):
    def part(x, k, n, m):
        return np.take(x[:n, :m], k, axis=axis, mode=mode)

    x, decorated = np.zeros((3, 3)), ag.jit(part)
    for index, shape in itertools.product((0, -1, 5), SHAPES):
        if mode == "wrap" and shape == (0, 0):
            continue  # NumPy wraps for ever
        args = x, np.array([index]), *shape
        assert outcome(decorated, *args) == outcome(part, *args), (index, shape)


@pytest.mark.parametrize("axis", [0, 1])
def test_take_of_sizes_that_are_known(axis):
    for index, shape in itertools.product((0, 5), [(0, 2), (2, 0), (0, 0)]):
        for mode in ("raise", "clip"):

            def taken(x, index=index, mode=mode):
                return np.take(x, [index], axis=axis, mode=mode)

            x = np.zeros(shape)
            assert outcome(ag.jit(taken), x) == outcome(taken, x), (index, shape, mode)


@pytest.mark.parametrize("axis", [0, 1])
def test_compress(axis):
    def chosen(x, mask, n, m):
        return np.compress(mask, x[:n, :m], axis=axis)

    x, decorated = np.zeros((3, 3)), ag.jit(chosen)
    for place, shape in itertools.product((0, 1, 3), SHAPES):
        args = x, np.arange(4) == place, *shape
        assert outcome(decorated, *args) == outcome(chosen, *args), (place, shape)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_repeat(axis):
    def times(x, k, n, m):
        return np.repeat(x[:n, :m], k, axis=axis)

    x, decorated = np.zeros((3, 3)), ag.jit(times)
    for count, shape in itertools.product((-2, 0, 2), SHAPES):
        for repeats in (count, np.array([count])):
            args = x, repeats, *shape
            assert outcome(decorated, *args) == outcome(times, *args), (repeats, shape)


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_repeat_of_sizes_that_are_known(axis):
    for count, shape in itertools.product((-1, 2), [(0, 2), (2, 0), (0, 0)]):

        def times(x, count=count):
            return np.repeat(x, count, axis=axis)

        for x in (np.zeros(shape), np.zeros(shape).tolist()):
            assert outcome(ag.jit(times), x) == outcome(times, x), (count, shape)


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_repeat_each_its_own_number_of_times(axis):
    def times(x, counts, n, m, k):
        return np.repeat(x[:n, :m], counts[:k], axis=axis)

    x, decorated = np.zeros((3, 3)), ag.jit(times)
    for counts in ([1, 2, 0, 1, 1, 1], [-1, 2], [2]):
        for shape, k in itertools.product([(0, 1), (1, 1), (1, 2), (2, 1), (2, 3)], (0, 1, 2, 6)):
            args = x, np.array(counts), *shape, k
            assert outcome(decorated, *args) == outcome(times, *args), (counts, shape, k)


def read(x, n, i, k, j, m):
    return x[:n][i[:k], j[:m]]


def doubled(x, n, i, k, j, m):
    y = x[:n].copy()
    y[i[:k], j[:m]] *= 2
    return y


def known_places(x, n, i, k, j, m):
    return x[:n][[5], j[:m]]


def known_axis(x, n, i, k, j, m):
    return x[[0, 5], j[:m]]


def by_a_mask(x, n, i, k, j, m):
    return x[i[:k], x[0] > m]


@pytest.mark.parametrize("function", [read, doubled, known_places, known_axis, by_a_mask])
def test_places_that_are_broadcast_to_none(function):
    x, decorated = np.arange(6.0).reshape(3, 2), ag.jit(function)
    for n, k, m in itertools.product((0, 1, 3), (0, 1, 2), (0, 1, 2)):
        for i, j in (([0, 1], [1, 0]), ([5, 0], [0, 0]), ([0, 0], [-3, 1])):
            args = x, n, np.array(i), k, np.array(j), m
            assert outcome(decorated, *args) == outcome(function, *args), args[1:]
