"""Arrays that are read-only where one path has been taken are not written into silently."""

import numpy as np
import pytest

import agir as ag

READ_ONLY = {
    "imag": lambda a: a.imag,
    "broadcast": lambda a: np.broadcast_to(a, (2, *a.shape)),
    "part": lambda a: np.broadcast_to(a, (2, *a.shape))[1:],
    "turned": lambda a: np.broadcast_to(a, (2, *a.shape)).T,
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


def caught(a, n):
    try:
        a[0] = n
    except IndexError:
        return 1
    except ValueError:
        return 2
    return 0


def caught_on_a_path(a, n):
    found = 0
    if n > 1:
        try:
            a[0] = n
        except IndexError:
            found = 1
        except ValueError:
            found = 2
    return found


def after_a_check(a, n):
    np.arange(3)[n]
    a[0] = n
    return 0


def outcome(f, *args):
    try:
        return f(*args)
    except (IndexError, ValueError) as error:
        return (IndexError if isinstance(error, IndexError) else ValueError).__name__


@pytest.mark.parametrize("f", [caught, caught_on_a_path, after_a_check])
@pytest.mark.parametrize("size", [0, 4])
@pytest.mark.parametrize("first_is_read_only", [False, True])
def test_read_only_comes_before_an_index_out_of_bounds(f, size, first_is_read_only):
    compiled = ag.jit(f)
    for n in 2, 0, 2, 5:
        for read_only in first_is_read_only, not first_is_read_only:
            array = np.zeros(size)
            array.flags.writeable = not read_only
            assert outcome(compiled, array, n) == outcome(f, array, n)


@pytest.mark.parametrize("f", [caught, caught_on_a_path])
def test_machine_code_that_makes_calls_tells_read_only_arrays(f):
    compiled = ag.jit(f)
    for _ in range(1200):  # some hundreds go through Python
        for read_only in True, False:
            array = np.zeros(0)
            array.flags.writeable = not read_only
            assert compiled(array, 2) == f(array, 2)
