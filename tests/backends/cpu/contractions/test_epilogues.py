"""Elementwise operations on products, which are computed tile by tile."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

from .conftest import close, guarded, values

pytestmark = pytest.mark.usefixtures("unoptimized")


def relu(x, y, b):
    return np.maximum(x @ y + b, 0)


def twice(x, y, b):
    return np.tanh(x @ y + x @ (y * 2) + b)


def masked(x, y, b):
    return np.where(x[:, :1] > 0, x @ y, b)


def positive(x, y, b):
    return x @ y + b > 0


def halved(x, y, b):
    return (x @ y).astype(np.int32) // 2


def kept(x, y, b):
    product = x @ y
    return product * 2, product.sum(axis=0), np.exp(product - b)


def columns(x, y, b):
    scale = x.sum(axis=1)
    return (x @ y) / (1 + scale * scale)[:, None] - b


def reused(x, y, b):
    return (x @ y + b) @ (y.T @ y + 1)


FUNCTIONS = [relu, twice, masked, positive, halved, kept, columns, reused]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((32, 16, 64), "float32"), ((13, 7, 45), "float64"), ((3, 4, 0), "float32")],
)
def test_epilogues(function, dtype, unknown, shape):
    rows, terms, lanes = shape
    x = guarded(values((rows, terms), dtype))
    y = guarded(values((terms, lanes), dtype, 1))
    b = guarded(values((lanes,), dtype, 2))
    signature = [ag.TensorSpec([None] * each.ndim, each.dtype) for each in (x, y, b)]
    compiled = ag.jit(function, input_signature=signature if unknown else None)
    given, wanted = compiled(x, y, b), function(x, y, b)
    pairs = zip(given, wanted, strict=True) if isinstance(wanted, tuple) else [(given, wanted)]
    for mine, numpys in pairs:
        close(mine, numpys)


def test_a_recurrence():
    def run(x, w, u, b):
        h = np.zeros((x.shape[1], u.shape[0]), x.dtype)
        for t in range(x.shape[0]):
            h = np.where(x[t, :, :1] > 0, np.tanh(x[t] @ w + h @ u + b), h)
        return h

    given = [values(s, "float32", n) for n, s in enumerate([(20, 5, 3), (3, 33), (33, 33), (33,)])]
    close(ag.jit(run)(*given), run(*given))


def test_division_by_zero_is_only_where_it_was():
    """The lanes beyond the end are zero: a division must not see them."""
    x, y = values((5, 3), "int64") + 1, values((3, 19), "int64") + 1
    close(ag.jit(lambda x, y: 1000 // (x @ y))(x, y), 1000 // (x @ y))


def test_no_array_holds_the_sums():
    x, y, b = values((40, 30), "float32"), values((30, 50), "float32"), values((50,), "float32")
    for function in (relu, twice, masked):
        text = ag.jit(function).experimental_get_compiler_ir(x, y, b)("loops")
        assert text.count("memref.alloc()") <= 1 + (function is twice)
        assert "memref.copy" not in text
        assert "memref.get_global" not in text
    text = ag.jit(relu).experimental_get_compiler_ir(x, y, b)("loops")
    assert "arith.maximumf %" in text
    assert "memref.alloca" not in text
    maxima = [line for line in text.splitlines() if "arith.maximumf" in line]
    assert all("vector<" in line for line in maxima)


def test_a_result_in_an_argument():
    def into(out, x, y):
        out[:] = np.tanh(x @ y) + out

    def shifted(x, y):
        x[1:] = np.maximum(x[:-1] @ y, 0)

    x, y, out = values((19, 19), "float64"), values((19, 19), "float64", 1), np.ones((19, 19))
    given, wanted = out.copy(), out.copy()
    ag.jit(into)(given, x, y)
    into(wanted, x, y)
    close(given, wanted)
    given, wanted = x.copy(), x.copy()
    ag.jit(shifted)(given, y)
    shifted(wanted, y)
    close(given, wanted)
    text = ag.jit(into).experimental_get_compiler_ir(out, x, y)("loops")
    assert "memref.alloc()" not in text


def test_locations_are_the_users():
    x, y, b = values((40, 30), "float32"), values((30, 50), "float32"), values((50,), "float32")
    concrete = ag.jit(relu).get_concrete_function(x, y, b)
    text = concrete.compilation.text("loops", locations=True)
    assert "vector.load" in text
    locations = [line for line in text.splitlines() if line.startswith("#loc")]
    assert any("test_epilogues.py" in line for line in locations)
    loads = [line for line in text.splitlines() if "vector.load" in line]
    assert not any("loc(unknown)" in line for line in loads)


@pytest.mark.parametrize("unknown", [False, True])
def test_elementary_functions_are_apart_from_the_sums(unknown):
    """Their constants would else be in the registers that the sums need."""

    def layers(x, y, b):
        return np.tanh(x @ y + b), np.tanh((x - 1) @ y + b)

    x, y, b = values((40, 30), "float32"), values((30, 50), "float32"), values((50,), "float32")
    signature = [ag.TensorSpec([None] * each.ndim, each.dtype) for each in (x, y, b)]
    compiled = ag.jit(layers, input_signature=signature if unknown else None)
    for given, wanted in zip(compiled(x, y, b), layers(x, y, b), strict=True):
        close(given, wanted)
    text = compiled.experimental_get_compiler_ir(x, y, b)("loops")
    first, *kernels = text.split("func.func private @agir.kernel")
    assert "math.tanh" not in first
    assert first.count("call @agir.kernel") > 1
    assert any("math.tanh" in kernel for kernel in kernels)
