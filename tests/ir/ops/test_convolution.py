"""Convolution and pooling against loops in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agir as ag
from agir import nn


def same(length: int, size: int, stride: int, dilation: int) -> tuple[int, int]:
    span = (size - 1) * dilation + 1
    total = max((-(-length // stride) - 1) * stride + span - length, 0)
    return total // 2, total - total // 2


def widths(padding: Any, dim_sizes: Any, sizes: Any, strides: Any, dilations: Any) -> Any:
    if padding == "VALID":
        return [(0, 0)] * len(sizes)
    if padding == "SAME":
        return [same(*each) for each in zip(dim_sizes, sizes, strides, dilations, strict=True)]
    return padding[1:-1]


def moved(x: Any, sizes: Any, strides: Any, dilations: Any, padding: Any, fill: Any) -> Any:
    """Every window: yields its place and its contents ``[batch, *window, channels]``."""
    pads = widths(padding, x.shape[1:-1], sizes, strides, dilations)
    x = np.pad(x, [(0, 0), *pads, (0, 0)], constant_values=fill)
    spans = [(k - 1) * d + 1 for k, d in zip(sizes, dilations, strict=True)]
    counts = [(e - n) // s + 1 for e, n, s in zip(x.shape[1:-1], spans, strides, strict=True)]
    for place in product(*map(range, counts)):
        key = [
            slice(p * s, p * s + n, d)
            for p, s, n, d in zip(place, strides, spans, dilations, strict=True)
        ]
        yield counts, place, x[(slice(None), *key)]


def convolved(x: Any, w: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    rank = w.ndim - 2
    groups = x.shape[-1] // w.shape[-2]
    parts = np.split(w, groups, -1)
    out: Any = None
    for counts, place, window in moved(x, w.shape[:rank], strides, dilations, padding, 0):
        if out is None:
            out = np.zeros((x.shape[0], *counts, w.shape[-1]), x.dtype)
        channels = np.split(window, groups, -1)
        axes = list(range(rank + 1))
        out[(slice(None), *place)] = np.concatenate(
            [
                np.tensordot(c, p, ([a + 1 for a in axes], axes))
                for c, p in zip(channels, parts, strict=True)
            ],
            -1,
        )
    return out


def pooled(x: Any, kind: str, sizes: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    out: Any = None
    axes = tuple(range(1, 1 + len(sizes)))
    for counts, place, window in moved(x, sizes, strides, dilations, padding, np.nan):
        if out is None:
            out = np.zeros((x.shape[0], *counts, x.shape[-1]), x.dtype)
        key = (slice(None), *place)
        out[key] = (
            np.nanmax(window, axes, initial=-np.inf) if kind == "MAX" else np.nanmean(window, axes)
        )
    return out


def channels_first(x: Any) -> Any:
    return np.moveaxis(x, -1, 1)


def swapped(padding: Any) -> Any:
    return padding if isinstance(padding, str) else [padding[0], padding[-1], *padding[1:-1]]


FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}
NAMES = {1: nn.conv1d, 2: nn.conv2d, 3: nn.conv3d}
CASES = [
    # sizes, window, strides, dilations, padding, channels, outputs, groups
    ((9,), (3,), (2,), (1,), "SAME", 3, 4, 1),
    ((9,), (2,), (1,), (3,), "VALID", 4, 4, 2),
    ((7, 9), (3, 2), (2, 1), (1, 1), "SAME", 4, 6, 1),
    ((7, 9), (3, 2), (2, 3), (1, 1), "VALID", 4, 6, 2),
    ((9, 9), (3, 3), (1, 1), (2, 2), "SAME", 3, 3, 3),
    ((8, 5), (1, 1), (2, 2), (1, 1), [(0, 0), (1, 2), (0, 1), (0, 0)], 2, 3, 1),
    ((4, 5, 6), (2, 2, 3), (1, 2, 2), (1, 1, 1), "SAME", 2, 3, 1),
]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("dynamic", [False, True])
def test_convolutions(compare: Any, case: Any, dynamic: bool) -> None:
    sizes, window, strides, dilations, padding, channels, outputs, groups = case
    rng = np.random.default_rng(5)
    rank = len(sizes)
    x = rng.standard_normal((2, *sizes, channels))
    w = rng.standard_normal((*window, channels // groups, outputs))
    convolve, (last, first) = NAMES[rank], FORMATS[rank]

    def both(x: Any, w: Any) -> list[Any]:
        return [
            convolve(x, w, strides, padding, last, dilations),
            convolve(ag.moveaxis(x, -1, 1), w, strides, swapped(padding), first, dilations),
            nn.convolution(x, w, strides, padding, dilations=dilations),
        ]

    def expected(x: Any, w: Any) -> list[Any]:
        found = convolved(x, w, strides, padding, dilations)
        return [found, channels_first(found), found]

    if dynamic and groups > 1:
        dynamic = False  # groups follow from the channels, which then have to be known
    compare(both, x, w, expected=expected, dynamic=dynamic, rtol=1e-11)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int32", "int64"])
def test_dtypes(record: Any, dtype: str) -> None:
    rng = np.random.default_rng(6)
    kind = ag.as_dtype(dtype)
    x = rng.integers(-4, 5, (2, 6, 6, 3)).astype(kind.numpy)
    w = rng.integers(-3, 4, (3, 3, 3, 2)).astype(kind.numpy)
    recorded = record(
        lambda x, w: [
            nn.conv2d(x, w, 2, "SAME"),
            nn.max_pool2d(x, 2, 2, "SAME"),
        ],
        (kind, (None, None, None, 3)),
        (kind, (3, 3, 3, 2)),
    )
    wide = np.float64
    wanted = [
        convolved(x.astype(wide), w.astype(wide), (2, 2), "SAME", (1, 1)),
        pooled(x.astype(wide), "MAX", (2, 2), (2, 2), "SAME", (1, 1)),
    ]
    eager = [nn.conv2d(x, w, 2, "SAME").numpy(), nn.max_pool2d(x, 2, 2, "SAME").numpy()]
    for results in (eager, recorded.compiled(x, w), recorded.interpreted(x, w)):
        for result, expected in zip(results, wanted, strict=True):
            assert result.dtype == kind.numpy
            np.testing.assert_array_equal(result.astype(wide), expected)


def test_layouts_of_memory(compare: Any) -> None:
    rng = np.random.default_rng(7)
    x = rng.standard_normal((2, 7, 8, 3))
    w = rng.standard_normal((2, 3, 3, 4))
    for array in (x[:, ::2, ::-1], x[:0], x.transpose(0, 2, 1, 3)):
        compare(
            lambda x, w: nn.conv2d(x, w, 1, "SAME"),
            array,
            w,
            expected=lambda x, w: (
                convolved(x, w, (1, 1), "SAME", (1, 1)) if len(x) else np.zeros((*x.shape[:3], 4))
            ),
            dynamic=True,
            rtol=1e-11,
        )


def test_further_batch_dimensions(compare: Any) -> None:
    rng = np.random.default_rng(8)
    x, w = rng.standard_normal((2, 3, 6, 4)), rng.standard_normal((3, 4, 5))

    def expected(x: Any, w: Any) -> Any:
        flat = convolved(x.reshape(6, 6, 4), w, (1,), "VALID", (1,))
        return flat.reshape(2, 3, 4, 5)

    compare(lambda x, w: nn.conv1d(x, w, 1, "VALID"), x, w, expected=expected, rtol=1e-11)


def test_depthwise_and_separable(compare: Any) -> None:
    rng = np.random.default_rng(9)
    x, w = rng.standard_normal((2, 6, 7, 3)), rng.standard_normal((3, 2, 3, 2))
    points = rng.standard_normal((1, 1, 6, 5))

    def deep(x: Any, w: Any) -> Any:
        return convolved(x, w.reshape(3, 2, 1, 6), (2, 2), "SAME", (1, 1))

    compare(
        lambda x, w, p: [
            nn.depthwise_conv2d(x, w, [1, 2, 2, 1], "SAME"),
            nn.separable_conv2d(x, w, p, [1, 2, 2, 1], "SAME"),
        ],
        x,
        w,
        points,
        expected=lambda x, w, p: [deep(x, w), deep(x, w) @ p[0, 0]],
        rtol=1e-11,
    )


def transposed(x: Any, w: Any, shape: Any, strides: Any, padding: Any) -> Any:
    """Each element adds a filter to the result, from which the padding is then cut off."""
    rank = w.ndim - 2
    sizes = w.shape[:rank]
    pads = widths(padding, shape[1:-1], sizes, strides, (1,) * rank)
    whole = [e + a + b for e, (a, b) in zip(shape[1:-1], pads, strict=True)]
    whole = [
        max(e, (n - 1) * s + k)
        for e, n, s, k in zip(whole, x.shape[1:-1], strides, sizes, strict=True)
    ]
    out = np.zeros((x.shape[0], *whole, w.shape[-2]))
    for place in product(*map(range, x.shape[1:-1])):
        key = [slice(p * s, p * s + k) for p, s, k in zip(place, strides, sizes, strict=True)]
        out[(slice(None), *key)] += np.tensordot(x[(slice(None), *place)], w, ([-1], [-1]))
    cut = [slice(a, a + e) for (a, _), e in zip(pads, shape[1:-1], strict=True)]
    return out[(slice(None), *cut)]


@pytest.mark.parametrize(
    ("sizes", "target", "window", "strides", "padding"),
    [
        ((4, 5), (8, 10), (3, 3), (2, 2), "SAME"),
        ((4, 5), (7, 9), (3, 2), (2, 2), "SAME"),
        ((4, 5), (9, 11), (3, 3), (2, 2), "VALID"),
        ((4, 5), (6, 7), (3, 3), (1, 1), "VALID"),
        ((4,), (12,), (2,), (3,), "SAME"),
        ((2, 3, 2), (4, 6, 4), (2, 3, 2), (2, 2, 2), "SAME"),
    ],
)
def test_transposes(
    compare: Any, sizes: Any, target: Any, window: Any, strides: Any, padding: str
) -> None:
    rng = np.random.default_rng(10)
    rank = len(sizes)
    x = rng.standard_normal((2, *sizes, 3))
    w = rng.standard_normal((*window, 4, 3))
    shape = (2, *target, 4)
    names: dict[int, Callable[..., Any]] = {
        1: nn.conv1d_transpose, 2: nn.conv2d_transpose, 3: nn.conv3d_transpose,
    }  # fmt: skip
    last, first = FORMATS[rank]
    compare(
        lambda x, w: [
            names[rank](x, w, shape, strides, padding, last),
            names[rank](ag.moveaxis(x, -1, 1), w, target, strides, padding, first),
        ],
        x,
        w,
        expected=lambda x, w: [
            transposed(x, w, shape, strides, padding),
            channels_first(transposed(x, w, shape, strides, padding)),
        ],
        rtol=1e-11,
    )


@given(
    length=st.integers(1, 12),
    size=st.integers(1, 4),
    stride=st.integers(1, 3),
    dilation=st.integers(1, 3),
    padding=st.sampled_from(["SAME", "VALID"]),
)
@settings(max_examples=80, deadline=None)
def test_any_geometry(length: int, size: int, stride: int, dilation: int, padding: str) -> None:
    x = np.arange(2.0 * length * 2).reshape(2, length, 2)
    w = np.arange(size * 2 * 3.0).reshape(size, 2, 3)
    if padding == "VALID" and (size - 1) * dilation + 1 > length:
        with pytest.raises(ValueError, match="does not fit"):
            nn.conv1d(x, w, stride, padding, dilations=dilation)
        return
    found = nn.conv1d(x, w, stride, padding, dilations=dilation).numpy()
    np.testing.assert_allclose(found, convolved(x, w, (stride,), padding, (dilation,)))
    greatest = nn.pool(x, [size], "MAX", [stride], padding, dilations=[dilation]).numpy()
    wanted = pooled(x, "MAX", (size,), (stride,), padding, (dilation,))
    np.testing.assert_array_equal(greatest, wanted)


# Pooling.


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_pools(compare: Any, padding: str, dynamic: bool) -> None:
    rng = np.random.default_rng(11)
    x = rng.standard_normal((2, 7, 8, 3))

    def pools(x: Any) -> list[Any]:
        first = ag.moveaxis(x, -1, 1)
        return [
            nn.max_pool2d(x, 2, 2, padding),
            nn.avg_pool2d(x, [3, 2], [2, 1], padding),
            nn.max_pool2d(first, 3, 1, padding, "NCHW"),
            nn.avg_pool2d(first, [1, 1, 3, 3], [1, 1, 2, 2], padding, "NCHW"),
            nn.pool(x, (2, 2), "AVG", padding=padding),
            nn.avg_pool(x, 2, 2, padding),
            nn.max_pool(x, (1, 2, 2, 1), (1, 2, 2, 1), padding),
        ]

    def expected(x: Any) -> list[Any]:
        def pool(kind: str, size: Any, strides: Any) -> Any:
            return pooled(x, kind, size, strides, padding, (1, 1))

        return [
            pool("MAX", (2, 2), (2, 2)),
            pool("AVG", (3, 2), (2, 1)),
            channels_first(pool("MAX", (3, 3), (1, 1))),
            channels_first(pool("AVG", (3, 3), (2, 2))),
            pool("AVG", (2, 2), (1, 1)),
            pool("AVG", (2, 2), (2, 2)),
            pool("MAX", (2, 2), (2, 2)),
        ]

    compare(pools, x, expected=expected, dynamic=dynamic, rtol=1e-12)


def test_pools_of_other_ranks(compare: Any) -> None:
    rng = np.random.default_rng(12)
    line, cube = rng.standard_normal((2, 9, 3)), rng.standard_normal((1, 4, 5, 4, 2))
    compare(
        lambda a, b: [
            nn.max_pool1d(a, 3, 2, "SAME"),
            nn.avg_pool1d(a, 3, 2, "SAME"),
            nn.max_pool3d(b, 2, 2, "SAME"),
            nn.avg_pool3d(b, 2, 2, "VALID"),
        ],
        line,
        cube,
        expected=lambda a, b: [
            pooled(a, "MAX", (3,), (2,), "SAME", (1,)),
            pooled(a, "AVG", (3,), (2,), "SAME", (1,)),
            pooled(b, "MAX", (2,) * 3, (2,) * 3, "SAME", (1,) * 3),
            pooled(b, "AVG", (2,) * 3, (2,) * 3, "VALID", (1,) * 3),
        ],
        rtol=1e-12,
    )


# Mistakes.


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x, w: nn.conv2d(x, w[:, :, :2], 1, "SAME"), "no multiple of the 2"),
        (lambda x, w: nn.conv2d(x, w, 1, "FULL"), "'SAME', 'VALID' or pairs"),
        (lambda x, w: nn.conv2d(x, w, 0, "SAME"), "positive integers"),
        (lambda x, w: nn.conv2d(x, w, [2, 1, 1, 1], "SAME"), "batch and channels must be 1"),
        (lambda x, w: nn.conv2d(x, w, 1, "SAME", "HWCN"), "data_format is 'NHWC' or 'NCHW'"),
        (lambda x, w: nn.conv2d(x[0], w, 1, "SAME"), "takes an input of 4 dimensions"),
        (lambda x, w: nn.conv2d(x[:, :2], w, 1, "VALID"), "spans 3 elements does not fit into 2"),
        (lambda x, w: nn.max_pool2d(x, 9, 1, "VALID"), "spans 9 elements"),
        (lambda x, w: nn.pool(x, [2, 2], "MIN"), "'MAX' or 'AVG'"),
        (
            lambda x, w: nn.conv2d_transpose(x, np.ones((3, 3, 2, 3)), (1, 3, 3, 2), 2, "SAME"),
            "does not belong to",
        ),
    ],
)
def test_mistakes(call: Any, message: str) -> None:
    x, w = np.ones((1, 5, 5, 3)), np.ones((3, 3, 3, 2))
    with pytest.raises(ValueError, match=message):
        call(x, w)
    with pytest.raises(ValueError, match=message) as caught:
        ag.function(call)(x, w)
    assert "test_convolution.py" in str(caught.value)


def test_a_window_that_does_not_fit_at_run_time() -> None:
    spec = ag.TensorSpec([None, None, None, 3], "float32")
    for compile in (True, False):
        f = ag.function(
            lambda x: nn.max_pool2d(x, 3, 1, "VALID"), input_signature=[spec], jit_compile=compile
        )
        assert f(np.ones((2, 3, 4, 3), np.float32)).shape == (2, 1, 2, 3)
        with pytest.raises(ValueError, match="does not fit into the size: 3 and 2"):
            f(np.ones((2, 2, 4, 3), np.float32))
