"""Loops that add to a number may do so in any order, those that look at it on the way may not."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def added(x):
    s = x.dtype.type(0)
    for i in range(len(x)):
        s += x[i]
    return s


def subtracted(x):
    s = x.dtype.type(1)
    for i in range(len(x)):
        s -= x[i] * x[i]
        s += x[i]
    return s


def multiplied(x):
    s = x.dtype.type(1)
    for i in range(len(x)):
        s *= 1 + x[i] / 1000
    return s


def compensated(x):
    s = x.dtype.type(0)
    lost = x.dtype.type(0)
    for i in range(len(x)):
        y = x[i] - lost
        t = s + y
        lost = (t - s) - y
        s = t
    return s


def on_the_way(x):
    s = x.dtype.type(0)
    out = np.empty_like(x)
    for i in range(len(x)):
        s += x[i]
        out[i] = s
    return out


def halved(x):
    s = x.dtype.type(0)
    for i in range(len(x)):
        s = (s + x[i]) * x.dtype.type(0.5)
    return s


def from_the_other_side(x):
    s = x.dtype.type(0)
    for i in range(len(x)):
        s = x[i] - s
    return s


def flags(f, x):
    text = ag.jit(f).experimental_get_compiler_ir(x)(stage="loops")
    return text.count("fastmath<reassoc,contract>")


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16"])
@pytest.mark.parametrize(("f", "flagged"), [(added, 1), (subtracted, 2), (multiplied, 1)])
def test_sums(f, flagged, dtype):
    random = np.random.default_rng(5)
    for n in (0, 1, 3, 17, 1000):
        x = random.normal(size=n).astype(dtype)
        np.testing.assert_allclose(ag.jit(f)(x), f(x), rtol=1e-4 if dtype == "f4" else 1e-11)
    assert flags(f, x) == (flagged if dtype != "c16" else 0)  # their parts are no sums of their own


@pytest.mark.parametrize("f", [compensated, on_the_way, halved, from_the_other_side])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_what_is_looked_at_keeps_its_order(f, dtype):
    x = np.random.default_rng(6).normal(size=1000).astype(dtype)
    np.testing.assert_array_equal(ag.jit(f)(x), f(x))
    assert flags(f, x) == 0


@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan, -0.0])
def test_special_values(special):
    for place in (0, 3, 99):
        x = np.zeros(100)
        x[place] = special
        np.testing.assert_array_equal(ag.jit(added)(x), added(x))
    x = np.full(100, -0.0)
    assert np.signbit(ag.jit(added)(x)) == np.signbit(added(x))


def of_some(x):
    s = x.dtype.type(0)
    for i in range(len(x)):
        if x[i] > 0:
            s += x[i]
    return s


def of_two_kinds(x):
    s = x.dtype.type(0)
    t = x.dtype.type(1)
    for v in x:
        if v > 0:
            s += v
            s -= v * v
        elif v > -1:
            s -= 1
            if v > -0.5:
                t *= 1 + v / 100
                s += 3
        s += v
    return s + t


def of_all_but_one(x):
    s = x.dtype.type(0)
    for i in range(len(x)):
        if i != 3:
            if x[i] == x[i]:
                s += x[i] * 2
        if i > 5:
            s += 1
    return s


def of_different_kinds(x):
    s = x.dtype.type(0)
    for v in x:
        if v > 0:
            s += v
        else:
            s *= v
    return s


def that_begins_anew(x):
    s = x.dtype.type(0)
    for v in x:
        if v > 1.5:
            s = x.dtype.type(0)
        else:
            s += v
    return s


def asked_itself(x):
    s = x.dtype.type(0)
    for v in x:
        if s < 3:
            s += v
    return s


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize(("f", "flagged"), [(of_some, 2), (of_all_but_one, 4)])
def test_sums_of_some(f, flagged, dtype):
    random = np.random.default_rng(7)
    for n in (0, 1, 3, 17, 1000):
        x = random.normal(size=n).astype(dtype)
        x[n // 2 : n // 2 + 1] = np.nan
        np.testing.assert_allclose(ag.jit(f)(x), f(x), rtol=1e-4 if dtype == "f4" else 1e-11)
    assert flags(f, x) == flagged


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sums_through_several_branches(dtype):
    x = np.random.default_rng(8).normal(size=1000).astype(dtype)
    rtol = 1e-3 if dtype == "f4" else 1e-11
    np.testing.assert_allclose(ag.jit(of_two_kinds)(x), of_two_kinds(x), rtol=rtol)


@pytest.mark.parametrize("f", [of_different_kinds, that_begins_anew, asked_itself])
def test_what_is_no_sum_keeps_its_order(f):
    x = np.random.default_rng(9).normal(size=1000)
    np.testing.assert_array_equal(ag.jit(f)(x), f(x))
    assert flags(f, x) == 0


@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan, -0.0])
def test_special_values_of_some(special):
    def f(x, mask):
        s = -0.0
        for i in range(len(x)):
            if mask[i]:
                s += x[i]
        return s

    for n in (0, 1, 40):
        x, mask = np.full(n, special), np.arange(n) % 3 == 1
        for each in (mask, ~mask, np.zeros(n, bool)):
            plain, compiled = f(x, each), ag.jit(f)(x, each)
            np.testing.assert_array_equal(compiled, plain)
            assert np.signbit(compiled) == np.signbit(plain) or np.isnan(plain)
