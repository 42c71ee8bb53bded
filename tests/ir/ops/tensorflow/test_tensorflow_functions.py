"""Arithmetic with care, norms, conversion and special functions, against NumPy and ``math``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir import errors
from agir.ir.building.types import DTYPES

X = np.array([[3, -1, 2, 2], [7, -7, 0, 9.0]])
Y = np.array([[2, 0, -2.5, 4], [0, 2, 0, -1.0]])


def careful(x: Any, y: Any) -> list[Any]:
    return [
        ag.divide_no_nan(x, y), ag.multiply_no_nan(x / x, y), ag.math.reciprocal_no_nan(x),
        ag.math.xlogy(x, y), ag.math.xlog1py(x, y), ag.math.xdivy(x, y),
        ag.math.squared_difference(x, y), ag.truncatediv(x, 2.0), ag.truncatemod(x, y),
        ag.math.polyval([1, 2.0, y], x), ag.math.floormod(x, 4), ag.math.truediv(x, 4),
    ]  # fmt: skip


def careful_truth(x: Any, y: Any) -> list[Any]:
    with np.errstate(all="ignore"):
        return [
            np.where(y == 0, 0, x / y), np.where(y == 0, 0, x / x * y), np.where(x == 0, 0, 1 / x),
            np.where(x == 0, 0, x * np.log(y)), np.where(x == 0, 0, x * np.log1p(y)),
            np.where(x == 0, 0, x / y), (x - y) ** 2, np.trunc(x / 2), np.fmod(x, y),
            (1 * x + 2) * x + y, x % 4, x / 4,
        ]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_arithmetic(compare: Any, dtype: str) -> None:
    x, y = X.astype(dtype), Y.astype(dtype)
    more = [[x.T, y.T], [x[:0], y[:0]]]
    compare(careful, x, y, dynamic=True, expected=careful_truth, more=more)
    compare(careful, x[0, 0], y[0, 2], expected=careful_truth)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8"])
def test_truncation_of_integers(compare: Any, dtype: str) -> None:
    limits = np.iinfo(dtype)
    x = np.array([7, limits.max - 1, 9, limits.min, limits.min, 0], dtype)
    y = np.array([2, 2, 5, 2, limits.max, 3], dtype)
    if limits.min < 0:
        x, y = np.concatenate([x, -x[:3]]), np.concatenate([y, y[:3]])
        x, y = np.concatenate([x, x[:3]]), np.concatenate([y, -y[:3]])

    def expected(x: Any, y: Any) -> list[Any]:
        pairs = [(int(a), int(b)) for a, b in zip(x, y, strict=True)]
        whole = [abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) for a, b in pairs]
        rest = [int(a) - int(b) * q for a, b, q in zip(x, y, whole, strict=True)]
        return [np.array(whole).astype(dtype), np.array(rest).astype(dtype)]

    compare(lambda x, y: [ag.truncatediv(x, y), ag.truncatemod(x, y)], x, y, expected=expected)


def test_sums_products_norms(compare: Any) -> None:
    def expected(x: Any, y: Any) -> list[Any]:
        norm = math.sqrt((x**2).sum() + (y**2).sum())
        return [x + y + x, 2 * x, np.cross(x[:, :3], y[:, :3]),
                x / np.sqrt((x**2).sum(1, keepdims=True)), x * 2 / np.sqrt((x**2).sum()),
                x * 2 / np.maximum(np.sqrt((x**2).sum(0, keepdims=True)), 2), np.array(norm),
                x / norm, y / norm, np.array(norm), x, np.linalg.norm(x, axis=0)]  # fmt: skip

    compare(
        lambda x, y: [
            ag.add_n([x, y, x]), ag.scalar_mul(2, x), ag.cross(x[:, :3], y[:, :3]),
            ag.math.l2_normalize(x, 1), ag.clip_by_norm(x, 2.0), ag.clip_by_norm(x, 2.0, [0]),
            ag.global_norm([x, None, y]), *ag.clip_by_global_norm([x, y], 1.0)[0],
            ag.clip_by_global_norm([x, y], 1.0)[1], ag.clip_by_global_norm([x], 99.0)[0][0],
            ag.math.reduce_euclidean_norm(x, 0),
        ],
        X, Y, expected=expected,
    )  # fmt: skip


def test_conversion(compare: Any) -> None:
    x = np.array([300.7, -300.7, np.nan, np.inf, -np.inf, 1.9, -1.9, 127.0, 1e300])
    i = np.array([-128, 127, 5], np.int8)

    def expected(x: Any, i: Any) -> list[Any]:
        bounded = np.array([127, -128, 0, 127, -128, 1, -1, 127, 127], "i1")
        wide = np.array([300, -300, 0, 2**63 - 1, -(2**63), 1, -1, 127, 2**63 - 1])
        most = np.finfo("f4").max
        return [bounded, wide, np.clip(x, -most, most).astype("f4"), np.array([0, 127, 5], "u1"),
                i.astype("f4"), i.astype("u8").clip(0, 127) * (i > 0)]  # fmt: skip

    compare(
        lambda x, i: [ag.saturate_cast(x, "int8"), ag.saturate_cast(x, ag.int64),
                      ag.saturate_cast(x, "float32"), ag.saturate_cast(i, "uint8"),
                      ag.saturate_cast(i, "float32"), ag.saturate_cast(i, "uint64")],
        x, i, expected=expected,
    )  # fmt: skip


# Special functions.

POINTS = np.concatenate([np.linspace(-5.45, 8, 40), [1e-3, 100.0, 1e5, 1e-10, np.inf, np.nan]])


def each(function: Any, x: Any) -> Any:
    def safe(v: float) -> float:
        try:
            return float(function(v))
        except ValueError:
            return math.inf

    return np.array([safe(float(v)) for v in x.ravel()]).reshape(x.shape)


def test_conversion_to_half_precision(compare: Any) -> None:
    x = np.array([1e9, -1e9, 3.0, np.nan])
    i = np.array([100000, -(2**60), 7])
    compare(
        lambda x, i: [
            ag.saturate_cast(ag.cast(x, "bfloat16"), "float16"),
            ag.saturate_cast(i, "float16"),
        ],
        x,
        i,
        expected=lambda x, i: [
            np.array([65504, -65504, 3, np.nan], "f2"),
            np.array([65504, -65504, 7], "f2"),
        ],
    )


def test_gamma(compare: Any) -> None:
    poles = np.array([0.0, -1.0, -2.0])
    compare(
        lambda x: [ag.math.lgamma(x), ag.math.digamma(x)], np.concatenate([POINTS, poles]),
        dynamic=True, rtol=1e-11, expected=lambda x: [each(math.lgamma, x), None],
        more=[[POINTS[:0]]],
    )  # fmt: skip
    digamma = {1.0: -0.5772156649015329, 0.5: -1.9635100260214235, -1.5: 0.7031566406452432,
               10.0: 2.251752589066721, 1e-3: -1000.5755719318103}  # fmt: skip
    for x, wanted in digamma.items():
        assert ag.math.digamma(np.float64(x)).numpy() == pytest.approx(wanted, rel=1e-13)
    assert np.isnan(ag.math.digamma(poles)).all()
    pair = np.array([[1.0, 2.0], [0.5, 0.5]])
    compare(
        lambda x: [ag.math.lbeta(x)], pair, rtol=1e-12,
        expected=lambda x: [np.array([math.log(0.5), math.log(math.pi)])],
    )  # fmt: skip
    assert ag.math.lgamma(np.float16(3)).dtype == ag.float16


def test_inverse_error_functions(compare: Any) -> None:
    x = np.concatenate([np.linspace(-1, 1, 41), [1e-8, -1e-12, 1e-300, 1 - 1e-15, 1.5, np.nan]])
    compare(
        lambda x: [ag.math.erfinv(x), ag.math.erfcinv(x + 1), ag.math.ndtri(abs(x))], x, rtol=1e-9,
        more=[[-x]],
    )  # fmt: skip
    inside = x[(abs(x) < 1) & (abs(x) > 1e-20)]
    found = ag.math.erfinv(inside).numpy()
    assert np.allclose(each(math.erf, found), inside, rtol=4e-16 * 8, atol=0)
    for tiny in (1e-3, 1e-30, 1e-200):
        assert math.erfc(ag.math.erfcinv(np.float64(tiny)).numpy()) == pytest.approx(
            tiny, rel=1e-11
        )
    assert ag.math.ndtri(np.float64(0.975)).numpy() == pytest.approx(1.959963984540054, rel=1e-14)


def test_bessel(compare: Any) -> None:
    x = np.array([0.0, 1e-9, 0.3, 1.0, -1.0, 5.0, 29.9, 30.1, 100.0, -100.0, 700.0])

    def series(v: float, order: int) -> float:
        """The power series, scaled."""
        if v == 0:
            return float(order == 0)
        terms = [
            (2 * k + order) * math.log(abs(v) / 2) - math.lgamma(k + 1)
            - math.lgamma(k + order + 1) - abs(v) for k in range(1200)
        ]  # fmt: skip
        total = math.fsum(math.exp(t) for t in terms if t > -700)
        return math.copysign(total, v) if order else total

    def expected(x: Any) -> list[Any]:
        scaled = [each(lambda v, n=n: series(v, n), x) for n in (0, 1)]
        return [*scaled, *(s * np.exp(abs(x)) for s in scaled)]

    compare(
        lambda x: [ag.math.bessel_i0e(x), ag.math.bessel_i1e(x), ag.math.bessel_i0(x),
                   ag.math.bessel_i1(x)],
        x, rtol=1e-11, expected=expected,
    )  # fmt: skip


def test_near_the_logistic_function(compare: Any) -> None:
    compare(
        lambda x: [ag.math.softplus(x), ag.math.log_sigmoid(x), ag.math.softsign(x)],
        POINTS[:-1] * 20, dynamic=True, rtol=1e-12,
        expected=lambda x: [np.logaddexp(x, 0), -np.logaddexp(-x, 0), None],
    )  # fmt: skip


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_nextafter(compare: Any, dtype: str) -> None:
    x = np.array([0, -0.0, 1, -1, 2, np.inf, -np.inf, np.nan, 1e-4], dtype)
    y = np.array([1, -1, 2, 0, 2, 0, 0, 1, -1], dtype)
    compare(
        lambda x, y: [ag.math.nextafter(x, y), ag.math.nextafter(x, 5.0)], x, y, dynamic=True,
        expected=lambda x, y: [np.nextafter(x, y), np.nextafter(x, x.dtype.type(5))],
    )  # fmt: skip


def test_wrong_arguments(record: Any) -> None:
    with pytest.raises(ValueError, match=r"three numbers, not float32\[2\](.|\n)*\n  at"):
        record(lambda x: [ag.cross(x, x)], ("f4", (2,)))
    with pytest.raises(ValueError, match=r"the shapes \(2,\) and \(3,\) differ"):
        ag.add_n([np.zeros(2), np.zeros(3)])
    with pytest.raises(ValueError, match="needs at least one tensor"):
        ag.add_n([])
    with pytest.raises(TypeError, match=r"lgamma\(\) is not defined for complex128"):
        ag.math.lgamma(1j * np.ones(2))
    with pytest.raises(ValueError, match="is not a scalar"):
        ag.scalar_mul([1, 2], [1, 2])
    for name in ag.math.__all__:
        assert callable(getattr(ag.math, name))
    assert errors.InvalidArgumentError is not None
    assert {d.name for d in DTYPES} <= set(ag.dtypes.__all__)
