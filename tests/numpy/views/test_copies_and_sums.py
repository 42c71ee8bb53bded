"""Copies that lie in memory as those of NumPy do, sums over repetitions, refused numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

import agir as ag

FUNCTIONS = {
    "clip of no bound": lambda x: np.clip(x, None, None),
    "clip of a bound below all": lambda x: x.clip(min=0) if x.dtype == np.uint8 else x.clip(-9),
    "round": lambda x: x.round(),
    "round to tens": lambda x: np.round(x, -1),
    "round to hundredths": lambda x: np.round(x, 2),
    "nan_to_num": np.nan_to_num,
    "unwrap": np.unwrap,
    "i0": np.i0,
    "cross": lambda x: np.cross(x, x),
    "tile": lambda x: np.tile(x, 1),
    "sum over no axis": lambda x: x.sum(axis=()),
}
ARRAYS = {
    "by rows": lambda x: x,
    "two axes swapped": lambda x: x.transpose(0, 2, 1).copy().transpose(0, 2, 1),
    "by columns": np.asfortranarray,
    "every other one, backwards": lambda x: np.repeat(x, 2, axis=-1)[..., ::-2],
}


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.uint8])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_written_into_the_flat_array_is_written_into_it(name, dtype):
    function = FUNCTIONS[name]

    def write(x):
        made = function(x)
        flat = made.ravel()
        flat += 1
        return made

    decorated = ag.jit(write)
    for arranged in ARRAYS.values():
        x = arranged(np.arange(18).reshape(2, 3, 3).astype(dtype))
        np.testing.assert_allclose(decorated(x), write(x), rtol=1e-12)


def stored(x):
    made = np.zeros(1, int)
    made[0] = x[0]
    return made[0]


INTEGERS = {
    "round": lambda x: round(x[0]),
    "int": lambda x: int(x[0]),
    "int of a sum": lambda x: int(x.sum()) % 5,
    "floor": lambda x: math.floor(x[0]),
    "stored": stored,
}


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_no_number_is_no_integer(name, dtype):
    integer = ag.jit(INTEGERS[name])
    for number in (0.5, -2.5, 6e4, 1e9, -(2.0**62)):
        if abs(number) < float(np.finfo(dtype).max):
            x = np.array([number], dtype)
            assert integer(x) == INTEGERS[name](x)
    with pytest.raises(ValueError, match="cannot convert float NaN to integer"):
        integer(np.array([np.nan], dtype))
    for number in (np.inf, -np.inf, 1e19):
        with pytest.raises(OverflowError), np.errstate(over="ignore"):
            integer(np.array([number]).astype(dtype))


def test_integer_roots_of_the_greatest_integers():
    root = ag.jit(lambda n: math.isqrt(n))
    edge = 3037000499**2
    for n in (0, 1, 3, 4, edge - 1, edge, edge + 1, 2**63 - 1):
        assert root(n) == math.isqrt(n)


def test_correlations_of_bools_are_bools():
    x = np.array([True, False, True, True])
    for mode in ("full", "same", "valid"):
        decorated = ag.jit(lambda x, mode=mode: np.correlate(x, x[:2], mode))
        wanted = np.correlate(x, x[:2], mode)
        assert decorated(x).dtype == bool
        np.testing.assert_array_equal(decorated(x), wanted)


def test_einsum_over_an_axis_that_is_a_repetition():
    @ag.jit
    def total(x, n):
        wide = np.broadcast_to(x, (n, *x.shape))
        return np.einsum("ijk,ijk->", wide, wide), np.einsum("ijk,ijk->i", wide, wide + 1)

    x = np.arange(12.0).reshape(3, 4)
    for made, wanted in zip(total(x, 3), (3 * (x * x).sum(), [(x * x + x).sum()] * 3), strict=True):
        np.testing.assert_allclose(made, wanted)


def test_put_into_an_empty_array_looks_at_no_values():
    decorated = ag.jit(lambda x: x.put(0, -2))
    with pytest.raises(IndexError, match="cannot replace elements of an empty array"):
        decorated(np.zeros(0, np.uint8))
    with pytest.raises(OverflowError):
        decorated(np.zeros(3, np.uint8))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
def test_identities_and_what_is_infinite_or_a_negative_zero(dtype):
    def combined(x):
        along = [np.sum(x, axis=()), np.prod(x, axis=()), np.prod(x, axis=(), initial=2)]
        return [*along, np.cumsum(x), np.cumprod(x), np.cumsum(x[::-1]), np.add.reduce(x, axis=())]

    x = np.array([-0.0, 1.0, -np.inf, 2.0], dtype)
    if np.iscomplexobj(x):
        x.imag = [-0.0, 3.0, 0.0, 1.0]
    for start in range(3):
        for found, wanted in zip(ag.jit(combined)(x[start:]), combined(x[start:]), strict=True):
            np.testing.assert_array_equal(found, wanted)
            for part in ("real", "imag"):
                mine, numpys = getattr(found, part), getattr(wanted, part)
                told = ~np.isnan(numpys)
                assert (np.signbit(mine) == np.signbit(numpys))[told].all()


def test_what_is_refused_is_not_caught():
    def caught(b):
        try:
            return np.unstack(np.unique(b, axis=1), axis=1)[-1]
        except Exception:
            return b

    with pytest.raises(ag.errors.StagingError, match="known only at run time"):
        ag.jit(caught)(np.ones((2, 2)))


def test_an_array_is_copied_to_itself_though_it_is_read_only():
    def copied(b):
        np.copyto(np.lib.stride_tricks.sliding_window_view(b, 1, axis=-1)[..., 0], b)
        np.copyto(np.broadcast_to(b, b.shape), b)
        numbers = np.broadcast_to(b.astype(int), b.shape)
        return np.round(numbers, out=numbers)

    def turned(b):
        np.copyto(np.broadcast_to(b, b.shape), b.T)

    x = np.arange(4.0).reshape(2, 2)
    np.testing.assert_array_equal(ag.jit(copied)(x), copied(x))
    for call in (turned, ag.jit(turned)):
        with pytest.raises(ValueError, match="read-only"):
            call(x)
