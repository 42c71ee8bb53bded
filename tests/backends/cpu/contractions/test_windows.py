"""Convolutions and pooling, between guards: the last window ends where the array does."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

from .conftest import close, guarded, values

pytestmark = pytest.mark.usefixtures("unoptimized")


def both(function, *arrays, unknown=True):
    """What compiled code gives and what the interpreter does, and for sizes of the run time."""
    tensors = [ag.constant(guarded(each)) for each in arrays]
    interpreted = ag.function(function, jit_compile=False)(*tensors).numpy()
    close(ag.function(function)(*tensors).numpy(), interpreted)
    if not unknown:
        return
    signature = [ag.TensorSpec([None] * each.ndim, each.dtype) for each in arrays]
    general = ag.function(function, input_signature=signature)
    close(general(*tensors).numpy(), interpreted)


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
@pytest.mark.parametrize("padding", ["VALID", "SAME"])
@pytest.mark.parametrize("strides", [1, 2])
def test_two_dimensions(layout, padding, strides):
    shape = (2, 9, 11, 5) if layout == "NHWC" else (2, 5, 9, 11)
    x, w = values(shape, "float32"), values((3, 2, 5, 21), "float32", 1)
    both(lambda x, w: ag.nn.conv2d(x, w, strides, padding, layout), x, w)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "float16"])
def test_types(dtype):
    x, w = values((1, 8, 8, 3), dtype), values((3, 3, 3, 16), dtype, 1)
    both(lambda x, w: ag.nn.conv2d(x, w, 1, "VALID"), x, w)


@pytest.mark.parametrize("channels", [1, 3, 16, 37])
def test_depthwise(channels):
    x, w = values((2, 9, 8, channels), "float32"), values((3, 3, channels, 1), "float32", 1)
    both(lambda x, w: ag.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID"), x, w, unknown=False)
    w = values((3, 3, channels, 2), "float32", 1)
    both(lambda x, w: ag.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], "SAME"), x, w, unknown=False)


def test_one_and_three_dimensions():
    x, w = values((3, 40, 6), "float64"), values((5, 6, 19), "float64", 1)
    both(lambda x, w: ag.nn.conv1d(x, w, 1, "VALID"), x, w)
    both(lambda x, w: ag.nn.conv1d(x, w, 1, "SAME", dilations=2), x, w)
    x, w = values((1, 5, 6, 7, 2), "float32"), values((2, 3, 2, 2, 5), "float32", 1)
    both(lambda x, w: ag.nn.conv3d(x, w, [1] * 5, "VALID"), x, w)


def test_with_an_epilogue():
    x, w, b = (
        values((1, 9, 9, 4), "float32"),
        values((3, 3, 4, 20), "float32", 1),
        values((20,), "float32", 2),
    )
    both(lambda x, w, b: ag.nn.relu(ag.nn.conv2d(x, w, 1, "SAME") + b), x, w, b)
    both(lambda x, w, b: ag.tanh(ag.nn.conv2d(x, w, 1, "VALID") + b), x, w, b)


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("window", [(2, 2), (3, 1)])
def test_pooling(dtype, window):
    x = values((2, 9, 8, 19), dtype)
    both(lambda x: ag.nn.max_pool2d(x, window, 1, "SAME"), x)
    both(lambda x: ag.nn.max_pool2d(x, window, 2, "VALID"), x)
    if dtype != "int32":
        both(lambda x: ag.nn.avg_pool2d(x, window, 2, "VALID"), x)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("dtype", ["float32", "int32", "float16", "complex128"])
@pytest.mark.parametrize("sizes", [(1, 1), (3, 5), (100, 17)])
def test_numpys_convolution(mode, dtype, sizes):
    a, b = (guarded(values((n,), dtype, n)) for n in sizes)
    for f in (np.convolve, np.correlate):
        close(ag.jit(lambda a, b, f=f: f(a, b, mode))(a, b), f(a, b, mode))


@pytest.mark.parametrize(
    "function",
    [
        lambda x, w: ag.nn.conv2d(x, w, 1, "VALID"),
        lambda x, w: ag.nn.max_pool2d(ag.nn.conv2d(x, w, 1, "SAME"), 2, 2, "VALID"),
    ],
)
def test_they_are_vectors(function):
    x, w = (
        ag.constant(values((1, 8, 8, 4), "float32")),
        ag.constant(values((3, 3, 4, 16), "float32")),
    )
    text = ag.function(function).experimental_get_compiler_ir(x, w)("loops")
    sums = [line for line in text.splitlines() if "arith.addf" in line or "maximumf" in line]
    assert sums
    assert all("vector<" in line for line in sums)
