"""`np.pad` in all its modes: widths, empty axes, mirrored values and statistics; any sizes."""

import itertools

import numpy as np
import pytest

import agir as ag

MIRRORED = ("edge", "reflect", "symmetric", "wrap")
STATISTICS = ("maximum", "minimum", "mean", "median")
MODES = ("constant", *MIRRORED, *STATISTICS, "linear_ramp")


def outcome(function, *args):
    try:
        result = function(*args)
    except ValueError:
        return "refused"
    return result.dtype, result.shape, result.round(12).tolist()


@pytest.mark.parametrize("mode", MODES)
def test_widths_and_sizes_of_the_run_time(mode):
    def padded(x, n, m, before, after):
        return np.pad(x[:n, :m], ((before, after), (after, before)), mode=mode)

    decorated = ag.jit(padded)
    widths = ((0, 0), (0, 1), (2, 0), (5, 4), (-1, 0), (1, -1))
    for n, m, (before, after) in itertools.product((0, 1, 3), (0, 2), widths):
        args = np.arange(12.0).reshape(3, 4), n, m, before, after
        assert outcome(decorated, *args) == outcome(padded, *args), args[1:]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (2, 3)])
def test_sizes_that_are_known(mode, shape):
    for widths in (((0, 0), (1, 2)), ((1, 0), (0, 0)), 0, ((0, -1), (0, 0))):

        def padded(x, widths=widths):
            return np.pad(x, widths, mode=mode)

        x = np.ones(shape, int)
        assert outcome(ag.jit(padded), x) == outcome(padded, x), widths


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float64, np.complex128])
@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
def test_mirrored_values_that_go_on(mode, dtype):
    x = (np.arange(12).reshape(3, 4) * 3 % 7).astype(dtype)
    for widths, rows in itertools.product((1, (0, 7), (5, 2)), (1, 2, 3)):

        def padded(x, n, widths=widths):
            return np.pad(x[:n], widths, mode=mode, reflect_type="odd")

        assert outcome(ag.jit(padded), x, rows) == outcome(padded, x, rows), (widths, rows)


@pytest.mark.parametrize("mode", STATISTICS)
def test_statistics_of_the_outermost(mode):
    for length in (1, (2, 9), ((1, 2), (3, 1)), 0 if mode in STATISTICS[:2] else 2, -1):

        def padded(x, n, length=length):
            return np.pad(x[:n], 2, mode=mode, stat_length=length)

        x = (np.arange(12).reshape(3, 4) * 3 % 7).astype(float)
        for rows in (1, 3):
            assert outcome(ag.jit(padded), x, rows) == outcome(padded, x, rows), (length, rows)


def test_what_is_left_open_has_the_sizes():
    assert ag.jit(lambda x: np.pad(x, (1, 2), mode="empty"))(np.ones(2))[1:3].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("mode", "arguments"), [("edge", {"reflect_type": "odd"}), ("wrap", {"stat_length": 1})]
)
def test_arguments_of_another_mode(mode, arguments):
    with pytest.raises(ValueError, match=f"mode '{mode}' has no argument"):
        ag.jit(lambda x: np.pad(x, 1, mode=mode, **arguments))(np.ones(2))


def test_truth_values_do_not_go_on():
    with pytest.raises(TypeError, match="not defined for bool"):
        ag.jit(lambda x: np.pad(x, 1, mode="reflect", reflect_type="odd"))(np.ones(2, bool))
