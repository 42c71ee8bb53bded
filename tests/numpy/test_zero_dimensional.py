"""Arrays without dimensions: written into by any subscript, copied and seen as arrays are."""

import numpy as np
import pytest

import agir as ag

MADE = [
    "v.copy()", "np.copy(v)", "v.astype(np.float32)", "v.astype(float)", "np.where(v > 0, v, v)",
    "np.array(v)", "np.array(2.5)", "np.zeros_like(v)", "np.empty_like(v)",
    "v", "np.asarray(v)", "np.asanyarray(v)", "np.real(v)", "v.real", "v.T", "v[...]", "v.view()",
    "v.astype(float, copy=False)", "c[:1].reshape(())", "np.squeeze(c[1:])", "np.full((), 2.0)",
]  # fmt: skip
"""The first ones are arrays of their own, the others show an array that was there."""
WRITTEN = [
    "w[...] = 7", "w += 2", "w.fill(9)", "u = w[None]; u[0] = 5", "w[()] = w * 2", "w[None] = 9",
    "np.add(w, 1, out=w)", "w[w > 0] = -1", "w[w < 1] = c[:1]", "w[w < 1] += 3", "w[True] = 4",
    "w[np.bool_(False)] = 4", "w[None, ...] *= 3", "w[w > -1] = c[c > 100][:1]",
]  # fmt: skip


PROGRAM = """
def f(c):
    v = np.zeros(())
    w = {}
    w[()] = 0.5
    {}
    return v + 0, w + 0, w[w > 1], c
"""


def outcome(function):
    c = np.array([3.0, 4.0])
    try:
        return [(r.dtype, np.shape(r), r.tolist()) for r in function(c)]
    except (TypeError, ValueError) as error:
        kinds = [ValueError, TypeError]
        return next(kind for kind in kinds if isinstance(error, kind))


@pytest.mark.parametrize("made", MADE)
def test_what_is_written_into_arrays_without_dimensions(made):
    for written in WRITTEN:
        names = {"np": np}
        text = PROGRAM.format(made, written)
        exec(text, names)
        function = names["f"]
        assert outcome(ag.jit(function)) == outcome(function), (made, written)


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float32, np.complex128])
def test_one_element_of_an_argument_by_a_mask(dtype):
    def f(c):
        for i in range(3):
            last = c[..., 2]
            last[last != i] = i
            last[None] += c[0:1]
        return c

    given = np.array([1, 0, 1]).astype(dtype)
    wanted = f(given.copy())
    got = ag.jit(f)(given.copy())
    assert (got.dtype, got.tolist()) == (wanted.dtype, wanted.tolist())


@pytest.mark.parametrize("compiled", [None, False])
def test_results_are_arrays_where_numpys_are(compiled):
    def f(x, n):
        filled = np.zeros_like(x)
        filled[...] = n
        one = x.copy()
        one += 1
        return np.array(x), filled, one, np.array(n), one + 1, x[()], np.asarray(x), one.max(), -x

    for given in (np.array(2.5), np.array(3), np.array(1j)):
        wanted = f(given, 4)
        got = ag.jit(f, jit_compile=compiled)(given, 4)
        for left, right in zip(got, wanted, strict=True):
            assert (type(left), left.dtype, left.shape) == (type(right), right.dtype, right.shape)
            assert left == right
