"""Sums that are stored in an array of another dtype: what they are added up in."""

import numpy as np
import pytest

import agir as ag

DTYPES = ["bool", "int8", "uint16", "int64", "float32", "float64", "complex128"]
VALUES = [1.0, -1.0, 0.75, 0.75, 1.5, -3.25]
"""Running sums that are 0 in between, and differ if they are cut off at each step."""

REDUCED = {
    "sum": lambda x, out: np.sum(x, out=out),
    "sum_from": lambda x, out: np.sum(x, out=out, initial=3),
    "sum_where": lambda x, out: np.sum(x, out=out, where=x != 1),
    "prod": lambda x, out: x.prod(out=out),
    "mean": lambda x, out: np.mean(x, out=out),
    "mean_where": lambda x, out: x.mean(out=out, where=x != 1),
    "reduce": lambda x, out: np.add.reduce(x, out=out),
    "subtract": lambda x, out: np.subtract.reduce(x, out=out),
    "maximum": lambda x, out: np.maximum.reduce(x, out=out),
    "equal": lambda x, out: np.equal.reduce(x, out=out),
    "logical_or": lambda x, out: np.logical_or.reduce(x, out=out),
    "reduceat": lambda x, out: np.add.reduceat(x, [0], out=out[None]),
}
RUNNING = {
    "cumsum": lambda x, out: np.cumsum(x, out=out),
    "cumprod": lambda x, out: x.cumprod(out=out),
    "accumulate": lambda x, out: np.add.accumulate(x, out=out),
    "divide": lambda x, out: np.divide.accumulate(x, out=out),
    "greater": lambda x, out: np.greater.accumulate(x, out=out),
}


def outcome(f, x, out):
    try:
        with np.errstate(all="ignore"):
            f(x, out)
    except TypeError:
        return "TypeError"
    return out


@pytest.mark.parametrize("name", [*REDUCED, *RUNNING])
@pytest.mark.parametrize("target", DTYPES)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning", "ignore::RuntimeWarning")
def test_sums_are_added_up_in_what_numpy_adds_up_in(name, target):
    f = {**REDUCED, **RUNNING}[name]
    compiled = ag.jit(f)
    for dtype in DTYPES:
        positive = "u" in (dtype[0], target[0])  # C leaves open what becomes of other numbers
        x = (np.abs(VALUES) if positive else np.array(VALUES)).astype(dtype)
        shape = () if name in REDUCED else x.shape
        wanted = outcome(f, x, np.zeros(shape, target))
        found = outcome(compiled, x, np.zeros(shape, target))
        if isinstance(wanted, str):
            assert isinstance(found, str)
        else:
            np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("compiled", [None, False])
@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_what_is_beside_a_vector_counts_for_nothing(name, mode, compiled):
    f = getattr(np, name)
    known = ag.jit(lambda x, y: f(x, y, mode), jit_compile=compiled)
    specs = [ag.TensorSpec([None], np.float64)] * 2
    unknown = ag.jit(lambda x, y: f(x, y, mode), jit_compile=compiled, input_signature=specs)
    x = np.array([-np.inf, 1.0, 1.5, -1.0, 2.0])
    for y in (x, x[:2], x[1:3], np.array([1.0, np.nan, -np.inf]), np.array([np.inf])):
        for left, right in ((x, y), (y, x)):
            with np.errstate(invalid="ignore"):
                wanted = f(left, right, mode)
            np.testing.assert_array_equal(known(left, right), wanted)
            np.testing.assert_array_equal(unknown(left, right), wanted)
            eager = f(ag.constant(left), ag.constant(right), mode)
            np.testing.assert_array_equal(eager.numpy(), wanted)


@pytest.mark.parametrize("function", [np.quantile, np.nanquantile])
@pytest.mark.parametrize(
    "method", ["linear", "hazen", "lower", "higher", "nearest", "inverted_cdf"]
)
def test_quantiles_of_bools_are_elements_or_an_error(function, method):
    x = np.array([True, False, True, True])

    def f(x, q):
        return function(x, q, method=method)

    for q in (0.3, 0.5, [0.1, 1.0]):
        try:
            wanted = f(x, q)
        except TypeError:
            with pytest.raises(TypeError, match="convert them to numbers"):
                ag.jit(f, static="q")(x, tuple(q) if isinstance(q, list) else q)
            continue
        found = ag.jit(f, static="q")(x, tuple(q) if isinstance(q, list) else q)
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == bool


def test_sizes_of_the_run_time_come_before_dtypes():
    """`np.argmax(out=...)` copies its array to integers, if it has as many elements."""
    f = ag.jit(lambda a, out, n: np.argmax(a, axis=-1, out=out[:n]))
    a, out = np.zeros((2, 3, 4)), np.zeros((5, 3), np.float32)
    with pytest.raises(ValueError, match=r"out= has the shape|does not|shape"):
        f(a, out, 3)
    with pytest.raises(TypeError, match="cannot be stored in out="):
        f(a, out, 2)
