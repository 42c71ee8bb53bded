"""Products of matrices and vectors: all shapes, orders, types, known and unknown sizes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agir as ag

from .conftest import close, guarded, values

# a function, and the axes of its operands
PRODUCTS = {
    "matrices": (lambda x, y: x @ y, "ij", "jk"),
    "left transposed": (lambda x, y: x.T @ y, "ji", "jk"),
    "right transposed": (lambda x, y: x @ y.T, "ij", "kj"),
    "both transposed": (lambda x, y: x.T @ y.T, "ji", "kj"),
    "result transposed": (lambda x, y: np.einsum("ij,jk->ki", x, y), "ij", "jk"),
    "matrix, vector": (lambda x, y: x @ y, "ij", "j"),
    "transposed, vector": (lambda x, y: x.T @ y, "ji", "j"),
    "vector, matrix": (lambda x, y: x @ y, "j", "jk"),
    "vectors": (lambda x, y: x @ y, "j", "j"),
    "batch": (lambda x, y: x @ y, "bij", "bjk"),
    "batch, matrix": (lambda x, y: x @ y, "bij", "jk"),
    "matrix, batch": (lambda x, y: x @ y, "ij", "bjk"),
    "batch, transposed": (lambda x, y: np.einsum("bij,bkj->bik", x, y), "bij", "bkj"),
    "two sums": (lambda x, y: np.einsum("ijk,lkj->il", x, y), "ijk", "lkj"),
    "rows": (lambda x, y: np.einsum("ij,ij->i", x, y), "ij", "ij"),
    "columns": (lambda x, y: np.einsum("ij,ij->j", x, y), "ij", "ij"),
    "rearranged": (lambda x, y: np.einsum("bij,bkj->kbi", x, y), "bij", "bkj"),
}
DTYPES = ["float32", "float64", "float16", "int32", "int64", "int8", "uint16", "bool"]
DTYPES += ["complex64", "complex128"]
EXTENTS = st.sampled_from([0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 40, 63, 64, 65, 100])


def check(name, dtype, sizes, unknown=False):
    function, *axes = PRODUCTS[name]
    x, y = (
        guarded(values(tuple(sizes[axis] for axis in each), dtype, seed))
        for seed, each in enumerate(axes)
    )
    signature = [ag.TensorSpec([None] * each.ndim, each.dtype) for each in (x, y)]
    compiled = ag.jit(function, input_signature=signature if unknown else None)
    close(np.asarray(compiled(x, y)), np.asarray(function(x, y)))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.data())
def test_any_product(data):
    name = data.draw(st.sampled_from(sorted(PRODUCTS)))
    sizes = {axis: data.draw(EXTENTS) for axis in "ijkl"}
    sizes["b"] = data.draw(st.integers(0, 4))
    check(name, data.draw(st.sampled_from(DTYPES)), sizes, data.draw(st.booleans()))


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("unknown", [False, True])
def test_sizes_that_fit_no_tile(name, unknown):
    check(name, "float32", {"i": 37, "j": 41, "k": 35, "l": 19, "b": 3}, unknown)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("name", ["matrices", "left transposed", "right transposed"])
def test_panels_of_large_operands(name, dtype, unknown):
    # rows a multiple of 4096 bytes apart, and more than fit in the first cache
    check(name, dtype, {"i": 41, "j": 517, "k": 1024}, unknown)
    check(name, dtype, {"i": 300, "j": 1030, "k": 21}, unknown)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("shape", [(700, 401), (403, 1024), (30, 20001), (7, 33000)])
def test_matrices_that_come_from_memory_are_read_row_by_row(dtype, shape):
    matrix, vector = guarded(values(shape, dtype)), guarded(values(shape[:1], dtype, 1))
    for function, args in ((PRODUCTS["transposed, vector"][0], (matrix, vector)),
                           (PRODUCTS["vector, matrix"][0], (vector, matrix))):  # fmt: skip
        compiled = ag.jit(function)
        close(compiled(*args), function(*args))
        rows = compiled.experimental_get_compiler_ir(*args)(stage="loops")
        assert ("iter_args" not in rows) == (matrix.nbytes > 1 << 20)


def test_what_a_matrix_from_memory_is_added_to():
    def several(out, x, y):
        out += x @ y
        return np.einsum("i,bij->bj", x, np.stack([y, y + 1]))

    out, x, y = values((600,), "float64"), values((500,), "float64"), values((500, 600), "float64")
    given, wanted = out.copy(), out.copy()
    close(ag.jit(several)(given, x, y), several(wanted, x, y))
    close(given, wanted)


@pytest.mark.parametrize("name", ["matrices", "batch", "right transposed", "matrix, vector"])
@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers_are_multiplied_by_their_parts(name, unknown, dtype):
    check(name, dtype, {"i": 37, "j": 41, "k": 35, "l": 19, "b": 3}, unknown)
    function, *axes = PRODUCTS[name]
    x, y = (values((40,) * len(each), dtype, seed) for seed, each in enumerate(axes))
    text = ag.jit(function).experimental_get_compiler_ir(x, y)("loops")
    assert ("complex.mul" in text) == (name == "matrix, vector")


def test_complex_products_on_products_and_in_sums():
    def several(x, y):
        out = x.conj().T @ y
        out[1:] += x[:-1] @ y.T.conj()[:, : out.shape[1]]
        return out @ (1j * x) + y

    x, y = values((33, 33), "complex128"), values((33, 33), "complex128", 1)
    close(ag.jit(several)(x, y), several(x, y))


@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("shape", [(0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 1, 1)])
def test_nothing_to_sum_or_to_write(shape, unknown):
    check("matrices", "float32", dict(zip("ijk", shape, strict=True)), unknown)
    check("right transposed", "float64", dict(zip("ijk", shape, strict=True)), unknown)
    check("matrices", "complex64", dict(zip("ijk", shape, strict=True)), unknown)


@pytest.mark.parametrize("name", ["matrices", "right transposed", "matrix, vector", "batch"])
@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_infinities_and_nan_stay_in_their_sums(name, unknown):
    function, *axes = PRODUCTS[name]
    sizes = {"i": 19, "j": 21, "k": 37, "b": 2}
    x, y = (guarded(values(tuple(sizes[a] for a in each), "float32")) for each in axes)
    x[..., 3, 4] = np.inf
    x[..., 5, 20] = np.nan
    y[(..., 2, 3) if y.ndim > 1 else 2] = -np.inf
    signature = [ag.TensorSpec([None] * each.ndim, each.dtype) for each in (x, y)]
    compiled = ag.jit(function, input_signature=signature if unknown else None)
    close(compiled(x, y), function(x, y))


VIEWS = [
    lambda x: x.T,
    lambda x: x[::-1],
    lambda x: x[:, ::2],
    lambda x: x[3:-2, 5:],
    np.asfortranarray,
]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("size", [24, 180])
@pytest.mark.usefixtures("unoptimized")
def test_arguments_with_any_strides(view, size):
    x = view(values((size, size), "float64"))
    y = view(values((size, size), "float64", 1))
    for function in (lambda a, b: a @ b.T, lambda a, b: a.T @ b, lambda a, b: a @ b[0]):
        close(ag.jit(function)(x, y), function(x, y))


def test_products_of_parts_of_arrays():
    def blocks(x, y):
        out = np.zeros((6, x.shape[1], y.shape[2]), x.dtype)
        for n in range(3):
            out[2 * n] = x[n, :, 2:-1] @ y[n, 2:-1]
            out[2 * n + 1] += x[n] @ y[n] + out[2 * n]
        return out

    x, y = guarded(values((3, 13, 20), "float32")), guarded(values((3, 20, 27), "float32", 1))
    close(ag.jit(blocks)(x, y), blocks(x, y))


def test_a_result_that_an_argument_holds():
    def update(w, x, y):
        w += x.T @ y
        w[:] = np.maximum(w, 0) @ w
        return w.sum()

    w, x, y = (values((17, 17), "float64", seed) for seed in range(3))
    given, wanted = w.copy(), w.copy()
    np.testing.assert_allclose(ag.jit(update)(given, x, y), update(wanted, x, y))
    close(given, wanted)
