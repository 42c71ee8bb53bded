"""agir.nn: activations, losses and normalization against formulas in NumPy."""

from __future__ import annotations

from math import erf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import agir as ag
from agir import nn

FLOATS = ("float16", "bfloat16", "float32", "float64")
LOOSE = {"float16": 8e-3, "bfloat16": 6e-2, "float32": 2e-5, "float64": 1e-12}


def sigmoid(x: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-x))


def softplus(x: Any) -> Any:
    return np.logaddexp(x, 0.0)


def softmax(x: Any, axis: int = -1) -> Any:
    powers = np.exp(x - x.max(axis, keepdims=True)) if x.size else x
    return powers / powers.sum(axis, keepdims=True)


ERF = np.vectorize(erf, otypes=[float])
ACTIVATIONS = {
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "leaky_relu": lambda x: np.where(x > 0, x, 0.2 * x),
    "elu": lambda x: np.where(x > 0, x, np.expm1(x)),
    "selu": lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)),
    "gelu": lambda x: 0.5 * x * (1 + ERF(x / np.sqrt(2))),
    "silu": lambda x: x * sigmoid(x),
    "swish": lambda x: x * sigmoid(x),
    "sigmoid": sigmoid,
    "tanh": np.tanh,
    "softplus": softplus,
    "softsign": lambda x: x / (1 + np.abs(x)),
    "log_sigmoid": lambda x: -softplus(-x),
}
ALONG = {
    "softmax": softmax,
    "log_softmax": lambda x: np.log(softmax(x)),
    "crelu": lambda x: np.concatenate([np.maximum(x, 0), np.maximum(-x, 0)], -1),
}


def near(result: Any, expected: Any, dtype: str, what: str = "") -> None:
    result = np.asarray(result)
    assert result.dtype == ag.as_dtype(dtype).numpy, what
    tolerance = LOOSE[dtype]
    np.testing.assert_allclose(
        result.astype(np.float64), expected, rtol=tolerance, atol=tolerance, err_msg=what
    )


def everywhere(
    record: Any, python: Any, *arguments: Any, dynamic: bool = False
) -> list[list[np.ndarray[Any, Any]]]:
    """The results eagerly, compiled and interpreted."""
    specs = [(a.dtype, tuple(None if dynamic else d for d in a.shape)) for a in arguments]
    recorded = record(python, *specs)
    eager = python(*(ag.constant(a) for a in arguments))
    eager = [r.numpy() for r in (eager if isinstance(eager, (list, tuple)) else [eager])]
    return [eager, recorded.compiled(*arguments), recorded.interpreted(*arguments)]


@pytest.mark.parametrize("dtype", FLOATS)
def test_activations(record: Any, dtype: str) -> None:
    names = list(ACTIVATIONS)
    rng = np.random.default_rng(1)
    for shape, dynamic in (((), False), ((3, 4), True), ((0, 4), True)):
        x = np.asarray(rng.standard_normal(shape) * 3).astype(ag.as_dtype(dtype).numpy)
        for results in everywhere(
            record, lambda x: [getattr(nn, n)(x) for n in names], x, dynamic=dynamic
        ):
            for name, result in zip(names, results, strict=True):
                near(result, ACTIVATIONS[name](x.astype(np.float64)), dtype, name)


@pytest.mark.parametrize("dtype", FLOATS)
def test_activations_along_an_axis(record: Any, dtype: str) -> None:
    names = list(ALONG)
    x = (np.random.default_rng(2).standard_normal((4, 5)) * 3).astype(ag.as_dtype(dtype).numpy)
    for array in (x, x.T, x[::2], x[:0]):
        for results in everywhere(
            record, lambda x: [getattr(nn, n)(x) for n in names], array, dynamic=True
        ):
            for name, result in zip(names, results, strict=True):
                near(result, ALONG[name](array.astype(np.float64)), dtype, name)


def test_activations_of_special_values(compare: Any) -> None:
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e4, -1e4])
    names = [n for n in ACTIVATIONS if n not in ("softsign", "gelu", "silu", "swish")]
    recorded = compare(lambda x: [getattr(nn, n)(x) for n in names], x, labels=names)
    with np.errstate(all="ignore"):
        for name, result in zip(names, recorded.compiled(x), strict=True):
            np.testing.assert_allclose(result, ACTIVATIONS[name](x), err_msg=name, rtol=1e-14)


def test_softmax_does_not_overflow() -> None:
    np.testing.assert_allclose(nn.softmax([1e4, 1e4]).numpy(), [0.5, 0.5])
    np.testing.assert_allclose(nn.log_softmax([0.0, 200.0]).numpy(), [-200.0, 0.0])
    np.testing.assert_allclose(nn.softmax([[1.0, 2.0], [3.0, 5.0]], 0).numpy().sum(0), [1.0, 1.0])


def test_gelu_by_a_tangent(compare: Any) -> None:
    x = np.linspace(-2, 4, 25)
    compare(lambda x: nn.gelu(x, approximate=True), x, rtol=1e-11, expected=lambda x: (
        0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    ))  # fmt: skip


def test_relu_of_integers(compare: Any) -> None:
    for dtype in ("int8", "int32", "int64", "uint8"):
        x = np.array([0, 1, 5, 9]).astype(dtype) - np.array(3, dtype)
        compare(nn.relu, x, expected=lambda x: np.maximum(x, x.dtype.type(0)))
    assert nn.leaky_relu(np.array([-5, 5])).dtype == ag.float32


@given(x=arrays.arrays(np.float64, st.integers(1, 9), elements=st.floats(-50, 50)))
@settings(max_examples=30, deadline=None)
def test_softmax_is_a_distribution(x: Any) -> None:
    found = nn.softmax(x).numpy()
    assert (found >= 0).all()
    np.testing.assert_allclose(found.sum(), 1.0)
    np.testing.assert_allclose(np.exp(nn.log_softmax(x).numpy()), found, atol=1e-15)


# Losses.


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_losses(record: Any, dtype: str) -> None:
    rng = np.random.default_rng(3)
    x = (rng.standard_normal((6, 4)) * 4).astype(dtype)
    z = rng.random((6, 4)).astype(dtype)
    p, t = softmax(x.astype(np.float64)), z.astype(np.float64) * 3
    wide = x.astype(np.float64)
    classes = rng.integers(0, 4, 6).astype(np.int32)
    expected = [
        -(z * np.log(p)).sum(-1),
        -np.log(p[np.arange(6), classes]),
        z * softplus(-wide) + (1 - z) * softplus(wide),
        3 * z * softplus(-wide) + (1 - z) * softplus(wide),
        np.exp(x) - x * t,
        np.exp(x) - x * t
        + np.where(t <= 1, 0, t * np.log(t) - t + 0.5 * np.log(2 * np.pi * t)),
        0.5 * (x.astype(np.float64) ** 2).sum(),
    ]  # fmt: skip

    def losses(x: Any, z: Any, classes: Any) -> list[Any]:
        return [
            nn.softmax_cross_entropy_with_logits(z, x),
            nn.sparse_softmax_cross_entropy_with_logits(labels=classes, logits=x),
            nn.sigmoid_cross_entropy_with_logits(labels=z, logits=x),
            nn.weighted_cross_entropy_with_logits(z, x, 3.0),
            nn.log_poisson_loss(z * 3.0, x),
            nn.log_poisson_loss(z * 3.0, x, compute_full_loss=True),
            nn.l2_loss(x),
        ]

    for dynamic in (False, True):
        for results in everywhere(record, losses, x, z, classes, dynamic=dynamic):
            for number, (result, wanted) in enumerate(zip(results, expected, strict=True)):
                near(result, wanted, dtype, f"loss {number}")


def test_a_label_that_is_no_class() -> None:
    loss = nn.sparse_softmax_cross_entropy_with_logits
    logits = np.zeros((2, 3), np.float32)
    for compile in (True, False):
        compiled = ag.function(loss, jit_compile=compile)
        np.testing.assert_allclose(compiled(np.array([0, 2]), logits).numpy(), np.log([3, 3]))
        for label in (3, -1):
            with pytest.raises(ValueError, match="not the number of one of the classes"):
                compiled(np.array([0, label]), logits)
    with pytest.raises(ValueError, match="not the number"):
        loss(np.array([0, 3]), logits)
    with pytest.raises(TypeError, match="labels are integers"):
        loss(np.array([0.0, 1.0]), logits)
    with pytest.raises(ValueError, match="one axis less"):
        loss(np.array([[0, 1]]), logits)


def test_losses_refuse_other_shapes() -> None:
    with pytest.raises(ValueError, match="labels and logits have the shapes"):
        nn.sigmoid_cross_entropy_with_logits(np.zeros((2, 1)), np.zeros((2, 2)))


# Normalization.


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normalization(record: Any, dtype: str) -> None:
    rng = np.random.default_rng(4)
    x = rng.standard_normal((2, 3, 4, 5)).astype(dtype)
    scale, offset = rng.random((2, 5)).astype(dtype)
    wide = x.astype(np.float64)
    mean, variance = wide.mean((0, 1, 2)), wide.var((0, 1, 2))
    squares = np.pad(wide**2, [(0, 0)] * 3 + [(2, 2)])
    sums = sum(squares[..., i : i + 5] for i in range(5))
    norm = np.sqrt((wide**2).sum((1, 3), keepdims=True))
    expected = [
        mean,
        variance,
        wide.mean((0, 2), keepdims=True),
        (wide - mean) / np.sqrt(variance + 1e-3) * scale + offset,
        (wide - mean) / np.sqrt(variance + 1e-3),
        wide / np.sqrt(1.5 + 0.5 * sums),
        wide / norm,
        wide + scale,
    ]

    def normalized(x: Any, scale: Any, offset: Any) -> list[Any]:
        mean, variance = nn.moments(x, [0, 1, 2])
        return [
            mean,
            variance,
            nn.moments(x, (0, 2), keepdims=True)[0],
            nn.batch_normalization(x, mean, variance, offset, scale, 1e-3),
            nn.batch_normalization(x, mean, variance, None, None, 1e-3),
            nn.local_response_normalization(x, 2, 1.5, 0.5, 0.5),
            nn.l2_normalize(x, [1, 3]),
            nn.bias_add(x, scale),
        ]

    for dynamic in (False, True):
        for results in everywhere(record, normalized, x, scale, offset, dynamic=dynamic):
            for number, (result, wanted) in enumerate(zip(results, expected, strict=True)):
                near(result, wanted, dtype, f"result {number}")


def test_bias_of_the_second_axis(compare: Any) -> None:
    x, bias = np.ones((2, 3, 4)), np.arange(3.0)
    compare(
        lambda x, b: nn.bias_add(x, b, "NCW"),
        x,
        bias,
        expected=lambda x, b: x + b[:, None],
    )
    with pytest.raises(ValueError, match="3 biases for 4 channels"):
        nn.bias_add(x, bias)


def test_rearranging(compare: Any) -> None:
    x = np.arange(2 * 4 * 6 * 3.0).reshape(2, 4, 6, 3)

    def deep(x: Any) -> Any:
        n, h, w, c = x.shape
        return x.reshape(n, h // 2, 2, w // 2, 2, c).transpose(0, 1, 3, 2, 4, 5).reshape(
            n, h // 2, w // 2, 4 * c
        )  # fmt: skip

    for dynamic in (False, True):
        compare(lambda x: nn.space_to_depth(x, 2), x, expected=deep, dynamic=dynamic)
        compare(
            lambda x: nn.depth_to_space(nn.space_to_depth(x, 2), 2),
            x,
            expected=lambda x: x,
            dynamic=dynamic,
        )
    first = nn.space_to_depth(x.transpose(0, 3, 1, 2), 2, "NCHW").numpy()
    np.testing.assert_array_equal(first.transpose(0, 2, 3, 1), deep(x))
    with pytest.raises(ValueError, match="does not fall into parts of 5"):
        nn.space_to_depth(x, 5)


def test_embeddings_and_fractions(compare: Any) -> None:
    params = np.arange(12.0).reshape(4, 3)
    ids = np.array([[0, 3], [1, 1]])
    compare(lambda p, i: nn.embedding_lookup(p, i), params, ids, expected=lambda p, i: p[i])

    def clipped(p: Any, i: Any) -> Any:
        rows = p[i]
        norm = np.sqrt((rows**2).sum(-1, keepdims=True))
        return rows * 2.0 / np.where(norm > 2, norm, 2.0)

    compare(lambda p, i: nn.embedding_lookup(p, i, 2.0), params, ids, expected=clipped)
    compare(nn.zero_fraction, np.array([0.0, 1.0, 0.0, 2.0]), expected=lambda x: np.float32(0.5))


def test_stateless_dropout(record: Any) -> None:
    x = np.ones((50, 40), np.float32)
    for results in everywhere(
        record,
        lambda x: [
            nn.stateless_dropout(x, 0.25, (1, 2)),
            nn.stateless_dropout(x, 0.25, (1, 2), noise_shape=(None, 1)),
        ],
        x,
        dynamic=True,
    ):
        assert set(np.unique(results[0])) == {np.float32(0), np.float32(1) / np.float32(0.75)}
        assert abs((results[0] == 0).mean() - 0.25) < 0.04
        assert (results[1] == results[1][:, :1]).all()
    with pytest.raises(ValueError, match="rate is at least 0 and less than 1"):
        nn.stateless_dropout(x, 1.0, (1, 2))


@pytest.mark.parametrize("name", ["softplus", "elu", "selu", "gelu", "softmax", "l2_loss"])
def test_integers_are_refused(name: str) -> None:
    with pytest.raises(TypeError, match=rf"{name}\(\) is not defined for int32"):
        getattr(nn, name)(np.arange(3, dtype=np.int32))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sigmoid_at_its_ends(dtype):
    """Nothing overflows on the way: below, it is exp(x) down to the least subnormal number."""
    least = np.log(np.finfo(dtype).smallest_subnormal)
    x = np.array([least + 1, least / 2, -1, -0.0, 0, 1, 40, np.inf, -np.inf, np.nan], dtype)
    wide = x.astype(np.longdouble)
    expected = np.where(wide < -60, np.exp(wide), 1 / (1 + np.exp(-wide))).astype(dtype)
    with np.errstate(all="raise", under="ignore"):
        results = [ag.jit(nn.sigmoid)(x), ag.jit(nn.sigmoid, jit_compile=False)(x)]
    for result in (*results, np.asarray(nn.sigmoid(x))):
        np.testing.assert_allclose(result, expected, rtol=4 * np.finfo(dtype).eps, atol=0)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_a_weight_that_is_a_number_takes_the_dtype_of_the_logits(dtype):
    x = ag.cast([0.5, -1.0, 2.0], dtype)
    found = ag.nn.weighted_cross_entropy_with_logits(x, x, 2.0)
    assert found.dtype == x.dtype
    assert (
        ag.function(lambda: ag.nn.weighted_cross_entropy_with_logits(x, x, 2.0))().dtype == x.dtype
    )
