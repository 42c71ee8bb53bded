"""Lists that grow in the body of a ``try`` after something that may fail."""

import numpy as np

import agir as ag


def test_items_of_several_shapes():
    def f(a, n):
        try:
            first = a[n]
            parts = [a[1:]]
            parts.append(a[-2:])
            parts[1] *= 2
            parts.append(parts[0][:1] + first)
            return a, parts[2], len(parts)
        except IndexError:
            return a, a[:1], 0

    decorated = ag.jit(f)
    for n in (1, 9, 2):
        x, y = np.arange(5.0), np.arange(5.0)
        for found, wanted in zip(decorated(x, n), f(y, n), strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_a_failure_in_between_is_seen():
    def f(a, n):
        parts = [0.0]
        for i in range(3):
            try:
                parts.append(a[i])
                parts.append(a[n + i])
                parts.append(-1.0)
            except IndexError:
                parts.append(-2.0)
        return len(parts), sum(parts)

    decorated = ag.jit(f)
    for n in (0, 2, 3, 9):
        assert decorated(np.arange(4.0), n) == f(np.arange(4.0), n)
