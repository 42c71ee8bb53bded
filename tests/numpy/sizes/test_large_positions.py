"""Unsigned numbers that are larger than all positions, as bounds of slices and as positions."""

import numpy as np
import pytest

import agir as ag

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")


def bounds(x):
    total = x.sum()  # uint64
    less = total - np.uint64(100)
    return x[-total:], x[:-total], x[less:], x[:less], x[total:], x[None, -total:], x[:-total][::2]


def written(x):
    x[-x.sum() :] = 9
    x[: -x.sum()] += 1
    return x


def position(x):
    return x[-x.sum()]


def arrays(x):
    return x[np.full(2, -x.sum())]  # whose numbers wrap, in NumPy as well


@pytest.mark.parametrize("function", [bounds, written, arrays])
@pytest.mark.parametrize("options", [{}, {"jit_compile": False}], ids=["compiled", "interpreted"])
def test_bounds_beyond_the_end(function, options):
    x = np.array([1, 0, 2], np.uint8)
    got, wanted = ag.jit(function, **options)(x.copy()), function(x.copy())
    for one, other in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_position_beyond_all():
    x = np.array([1, 0, 2], np.uint8)
    for each in (position, ag.jit(position)):
        with pytest.raises(OverflowError, match="too large to convert to C long"):
            each(x)
    assert ag.jit(position)(np.zeros(3, np.uint8)) == 0
