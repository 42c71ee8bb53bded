"""Code for processors with other vectors, which this one can run all the same."""

from __future__ import annotations

import re

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.code import host

from .conftest import close, guarded, values
from .test_products import PRODUCTS

pytestmark = pytest.mark.usefixtures("unoptimized")

HOSTS = {"AVX2": host.AVX_2, "SSE": host.SSE, "NEON": host.NEON}


@pytest.fixture(params=HOSTS)
def vectors(request, monkeypatch):
    monkeypatch.setattr(host, "vectors", lambda: HOSTS[request.param])
    with ag.config.scope(cache=False):  # which knows of one processor only
        yield HOSTS[request.param]


@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name, vectors):
    dtype = "float64" if name in ("matrices", "matrix, vector") else "float32"
    function, *axes = PRODUCTS[name]
    sizes = {"i": 13, "j": 21, "k": 27, "l": 5, "b": 2}
    x, y = (guarded(values(tuple(sizes[a] for a in each), dtype, n)) for n, each in enumerate(axes))
    close(np.asarray(ag.jit(function)(x, y)), np.asarray(function(x, y)))
    signature = [ag.TensorSpec([None] * each.ndim, each.dtype) for each in (x, y)]
    unknown = ag.jit(function, input_signature=signature)
    close(np.asarray(unknown(x, y)), np.asarray(function(x, y)))


def test_epilogues_and_panels(vectors):
    def dense(x, y, b):
        return np.tanh(x @ y.T + b)

    x, y = guarded(values((45, 19), "float32")), guarded(values((23, 19), "float32", 1))
    b = guarded(values((23,), "float32", 2))
    close(ag.jit(dense)(x, y, b), dense(x, y, b))


@pytest.mark.parametrize("shape", [(1000, 9, 3), (0, 300_001, 9), (0, 32_769, 33)])
def test_panels_of_all_lanes_and_streams(vectors, shape):
    """Rows, lanes and terms; without rows a vector."""
    rows, lanes, terms = shape
    x = guarded(values((rows, terms) if rows else (terms,), "float32"))
    y = guarded(values((terms, lanes), "float32", 1))
    close(ag.jit(lambda x, y: x @ y)(x, y), x @ y)
    if rows:
        turned = np.ascontiguousarray(y.T)
        close(ag.jit(lambda x, y: x @ y.T)(x, turned), x @ y)


def test_registers_are_no_wider_than_the_hosts(vectors):
    x, y = values((16, 16), "float32"), values((16, 16), "float32")
    text = ag.jit(lambda x, y: x @ y).experimental_get_compiler_ir(x, y)("loops")
    widths = {int(width) for width in re.findall(r"vector<(\d+)xf32>", text)}
    assert widths == {vectors.lanes(32)}


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ("fpu sse2", host.SSE),
        ("sse2 avx avx2 fma", host.AVX_2),
        ("sse2 avx2 fma avx512f", host.AVX_2),
        ("sse2 avx2 fma avx512f avx512bw avx512dq avx512vl", host.AVX_512),
    ],
)
def test_features(flags, wanted):
    assert host.of_flags(frozenset(flags.split())) == wanted


def test_this_host_has_vectors():
    assert host.vectors().lanes(32) >= 4
