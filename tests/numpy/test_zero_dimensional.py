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


JOINED = [
    "c[0, ...] if n > 2 else c[1, ...]", "(c if n > 2 else c + 1)[0, ...]",
    "c[0, ...] if n > 2 else np.array(3.0)", "np.zeros(()) if n > 2 else np.array(n * 2.0)",
    "next(c[i, ...] for i in range(2) if c[i] > n)", "(c[:1] if n > 2 else c[1:]).reshape(())",
]  # fmt: skip


@pytest.mark.parametrize("compiled", [None, False])
@pytest.mark.parametrize("made", JOINED)
def test_what_is_written_into_one_of_several_arrays_without_dimensions(made, compiled):
    written = [
        *WRITTEN[:-1],
        "for i in range(n): w += i",
        "c.sum(out=w)",
        "u = np.asarray(w); u += 1",
    ]
    program = """
def f(c, n):
    w = {}
    {}
    return c, w, isinstance(w, np.ndarray), np.isscalar(w)
"""
    for statement in written:
        namespace = {"np": np}
        text = program.format(made, statement)
        exec(text, namespace)
        for n in (2, 3):
            plain, decorated = np.array([4.0, 3.5]), np.array([4.0, 3.5])
            wanted = namespace["f"](plain, n)
            got = ag.jit(namespace["f"], jit_compile=compiled)(decorated, n)
            for left, right in zip(got, wanted, strict=True):
                np.testing.assert_array_equal(left, right, err_msg=statement)
            assert type(got[1]) is type(wanted[1]), statement
            np.testing.assert_array_equal(decorated, plain, err_msg=statement)


def sums(c, n):
    s = np.array(0.0)
    t = np.array(0.0)
    for i in range(n):
        s += c[i]
        t = t + c[i]
    return s, t, [c[i, ...] for i in range(n)], np.array(c[n - 1])


@pytest.mark.parametrize("compiled", [None, False])
def test_loops_leave_arrays_where_numpys_do(compiled):
    c = np.array([4.0, 3.5])
    wanted, got = sums(c, 2), ag.jit(sums, jit_compile=compiled)(c, 2)
    assert repr(got) == repr(wanted)


def test_a_number_that_may_be_an_array_that_others_see():
    def f(n):
        s = np.array(0.0)
        t = s
        for i in range(n):
            s = s + i
        s += 1
        return s, t

    decorated = ag.jit(f)
    for n in (0, 2):
        np.testing.assert_array_equal(decorated(n), f(n))
