"""Arrays that are read-only where one path has been taken are not written into silently."""

import numpy as np
import pytest

import agir as ag

READ_ONLY = {
    "imag": lambda a: a.imag,
    "broadcast": lambda a: np.broadcast_to(a, (2, *a.shape)),
    "diagonal": lambda a: np.diagonal(a.reshape(1, -1) * 1.0),
}


@pytest.mark.parametrize("name", READ_ONLY)
def test_writing_is_refused(name):
    seen = READ_ONLY[name]

    @ag.jit
    def written(a, n):
        x = seen(a)
        if n > 2:
            y = x
        else:
            y = x.copy()
        y[...] = 1
        return y

    @ag.jit
    def renewed(a, n):
        x = seen(a)
        for _ in range(n):
            x = x + 1.0
            x[...] += 1
        return x

    with pytest.raises(ag.errors.StagingError, match="one of several arrays"):
        written(np.ones(3), 3)
    np.testing.assert_array_equal(renewed(np.ones(3), 2), seen(np.ones(3)) + 4)
