"""What NumPy makes of values that are known while tracing, and programs that write into it."""

import io
import linecache

import numpy as np
import pytest

import agir as ag

MADE = [
    "np.frombuffer(b'abcdefgh', dtype=np.uint8).copy()",
    "np.fromstring('1 2 3', sep=' ')",
    "np.loadtxt(io.StringIO('1 2\\n3 4'))",
    "np.fft.fftfreq(5)",
    "np.poly([1, 2, 3])",
    "np.where([True, False, True])[0]",
    "np.repeat([1, 2], 3)",
    "np.repeat([1, 2], 3) + 1",
    "np.tile([1, 2], 3).reshape(3, 2)",
    "np.unique([1, 2, 1])",
    "np.unique([1, 2, 1], return_counts=True)[1]",
    "np.linalg.eigh([[2.0, 1], [1, 2]]).eigenvalues",
    "np.sort([3, 1, 2])[::-1]",
    "np.histogram([1, 2, 3], bins=3)[0]",
    "np.bincount([1, 2, 3])",
    "np.interp([1.0, 2], [0, 3], [0, 3])",
    "np.polynomial.legendre.leggauss(3)[0]",
    "np.meshgrid([1, 2], [3, 4])[0]",
    "np.split(np.repeat([1, 2], 4), 2)[1]",
    "np.floor([1.5, 2])",
    "np.add([1, 2], [3, 4])",
    "np.isin([1, 2, 3], [2])",
    "np.linspace(0, 1, 5)",
]


def written(a, n):
    a[n % 2] = n
    part = a[1:]
    part += n > 1
    return a


def in_a_branch(a, n):
    if n > 2:
        a[0] = 1
    return a


def part_in_a_branch(a, n):
    if n > 2:
        part = a[1:]
        part += part
    return a


def in_a_loop(a, n):
    for _ in range(n):
        a[:] = np.roll(a, 1, axis=0)
    return a


def by_a_function(a, n):
    if n > 2:
        np.copyto(a, a[::-1].copy())
        a.sort(axis=0)
    np.put(a, [0], n)
    return a


def by_a_ufunc(a, n):
    if n > 2:
        np.maximum(a, a[::-1].copy(), out=a)
    return a


def filled(a, n):
    a.fill(n)
    return a


def by_its_part(a, n):
    part = a[n % 2 :]
    part[0] = 1
    return a, part


def by_one_of_two(a, n):
    other = a.copy()
    chosen = a if n > 2 else other
    chosen[0] = 1
    return a, other


def by_a_list(a, n):
    arrays = [a, a.copy(), a.copy()]
    arrays[n % 3][0] = 1
    return arrays


def swapped(a, n):
    b = a.copy()
    for _ in range(n):
        a, b = b, a
    a[0] = 1
    return a, b


def by_an_attribute(a, n):
    holder = Holder(a)
    for _ in range(n):
        holder.step()
    return holder.array


class Holder:
    def __init__(self, array):
        self.array = array

    def step(self):
        self.array[0] = self.array[-1]


PROGRAMS = [
    written, in_a_branch, part_in_a_branch, in_a_loop, by_a_function, by_a_ufunc, filled,
    by_its_part, by_one_of_two, by_a_list, swapped, by_an_attribute,
]  # fmt: skip


def function(made, program):
    """The program, with an array that it makes itself."""
    lines = ["def made_and_written(n):", f"    return program({made}, n)"]
    name = f"<{made}>"
    source = "\n".join(lines)
    linecache.cache[name] = (len(source), None, [f"{line}\n" for line in lines], name)
    namespace = {"np": np, "io": io, "program": program}
    exec(compile(source, name, "exec"), namespace)
    return namespace["made_and_written"]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("compiled", [None, False], ids=["compiled", "interpreted"])
def test_an_array_made_of_known_values(program, compiled):
    for made in MADE:
        plain = function(made, program)
        decorated = ag.jit(plain, jit_compile=compiled)
        for n in (1, 4):
            same(decorated(n), plain(n))


def same(found, wanted):
    if isinstance(wanted, (tuple, list)):
        for one, other in zip(found, wanted, strict=True):
            same(one, other)
    else:
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype


def test_what_is_not_written_into_says_what_is_recorded():
    def f(x, n):
        order = np.argsort([2, 0, 1])
        starts = np.cumsum([0, 1, 2])
        parts = [x[starts[i] : starts[i + 1]] for i in range(2)]
        shapes = {str(k): n for k in np.unique([3, 1, 3])}
        for axis in np.flatnonzero([1, 0, 1]):
            x = np.flip(x, axis)
        return x.transpose(order), parts, shapes

    x = np.arange(24.0).reshape(2, 3, 4)
    found, wanted = ag.jit(f)(x, 5), f(x, 5)
    same(found[:2], wanted[:2])
    assert found[2] == wanted[2]


def test_its_size_stays():
    def f(n):
        a = np.repeat([1, 2], 2)
        a.resize(3)
        return a * n

    with pytest.raises(ag.errors.StagingError, match=r"resize\(\) of a tensor"):
        ag.jit(f)(1)


def test_each_call_gives_its_own():
    f = ag.jit(lambda: np.repeat([1, 2], 2))
    f()[0] = 9
    np.testing.assert_array_equal(f(), [1, 1, 2, 2])


def test_what_numpy_gives_beside_arrays_may_be_written_into():
    def beside(b):
        wide = np.bitwise_xor(np.broadcast_arrays(b, 3)[1], 0)
        wide[0, 0] = 9
        row = np.atleast_1d(3, b)[0]
        row[0] = b[1, 1]
        other = np.atleast_2d([1, 2], b)[0]
        if b[0, 0] > 0:
            other[0, 1] = 7
        return wide, row, other

    b = np.arange(1, 5).reshape(2, 2)
    for found, wanted in zip(ag.jit(beside)(b), beside(b), strict=True):
        np.testing.assert_array_equal(found, wanted)
