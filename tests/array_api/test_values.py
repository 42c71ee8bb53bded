"""Dtypes and values are NumPy's: eagerly, and in functions of either decorator."""

from __future__ import annotations

import operator
from types import ModuleType
from typing import Any

import numpy
import pytest

import agir as ag
import agir.numpy as np

DTYPES = (
    "bool",
    "int8",
    "int64",
    "uint8",
    "uint32",
    "float32",
    "float64",
    "complex64",
    "complex128",
)
BINARY = (
    "add",
    "multiply",
    "subtract",
    "divide",
    "maximum",
    "power",
    "equal",
    "logaddexp",
    "atan2",
)


def same(found: Any, wanted: Any, what: str = "") -> None:
    found, wanted = numpy.asarray(found), numpy.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), what
    numpy.testing.assert_allclose(
        found, wanted, rtol=2e-3 if wanted.dtype == "f2" else 1e-5, err_msg=what
    )


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_promotion(name: str) -> None:
    ours, numpys = getattr(np, name), getattr(numpy, name, None) or numpy.arctan2
    for left in DTYPES:
        for right in DTYPES:
            x, y = numpy.array([1, 0, 2], left), numpy.array([1, 2, 1], right)
            try:
                wanted = numpys(x, y)
            except TypeError:
                with pytest.raises(TypeError):
                    ours(np.asarray(x), y)
                continue
            if name == "maximum" and wanted.dtype.kind == "c":
                continue  # which of two complex numbers is greater, the standard leaves open
            same(ours(np.asarray(x), y), wanted, f"{name} {left} {right}")


def test_python_numbers_and_lists() -> None:
    assert np.asarray([1, 2]).dtype == np.int64
    assert np.asarray([1, 2.5]).dtype == np.float64
    assert np.asarray(True).dtype == np.bool
    assert np.asarray(1j).dtype == np.complex128
    assert np.sin(1).dtype == np.float64
    assert (np.ones(2, dtype=np.float32) * 2.5).dtype == np.float32
    assert np.add(np.ones(2, dtype=np.int8), 1).dtype == np.int8
    assert np.add(1, 2).dtype == np.int64
    assert np.concat([[1, 2], [3.5]]).numpy().tolist() == [1.0, 2.0, 3.5]
    assert np.full(2, 7).dtype == np.int64
    assert np.zeros(2).dtype == np.arange(0.0, 1.0).dtype == np.linspace(0, 1).dtype == np.float64
    assert np.sum(np.ones(3, dtype=np.int8)).dtype == np.int64
    assert np.array([1, 2], ndmin=3).shape == (1, 1, 2)
    assert np.result_type(np.float32, 1.5, np.int8) == np.float32
    assert np.can_cast(np.int8, np.int16)
    assert not np.can_cast(np.float64, np.float32)
    assert np.isdtype(np.uint8, ("integral", "bool"))
    assert not np.isdtype(np.float64, np.float32)
    assert np.promote_types("i4", "f4") == np.float64
    assert np.finfo(np.complex64).eps == float(numpy.finfo("f4").eps)
    assert np.iinfo(np.ones(1, dtype=np.int16)).max == 32767


CALLS = [
    lambda np, x, y: np.sum(x, axis=0),
    lambda np, x, y: np.std(x, axis=1, ddof=1, keepdims=True),
    lambda np, x, y: np.concat([x, y], axis=1),
    lambda np, x, y: np.stack([x, y], axis=-1),
    lambda np, x, y: np.where(x > 1, x, 0),
    lambda np, x, y: np.unique_counts(x),
    lambda np, x, y: np.nonzero(x > 1),
    lambda np, x, y: np.sort(x, axis=0),
    lambda np, x, y: np.take_along_axis(x, np.argsort(x, axis=1), axis=1),
    lambda np, x, y: np.reshape(np.permute_dims(x, (1, 0)), (-1,)),
    lambda np, x, y: np.broadcast_arrays(x, y[0]),
    lambda np, x, y: np.meshgrid(x[0], y[0]),
    lambda np, x, y: np.linspace(0, 1, 5, endpoint=False),
    lambda np, x, y: np.eye(3, 4, k=1),
    lambda np, x, y: np.tril(x),
    lambda np, x, y: np.clip(x, 1, 2.5),
    lambda np, x, y: np.round(x, 1),
    lambda np, x, y: np.matmul(x, np.matrix_transpose(y)),
    lambda np, x, y: np.tensordot(x, y, axes=2),
    lambda np, x, y: np.vecdot(x, y),
    lambda np, x, y: np.linalg.solve(np.matmul(x, x.T) + np.eye(2), x),
    lambda np, x, y: np.linalg.inv(np.matmul(x, x.T) + np.eye(2)),
    lambda np, x, y: np.linalg.svdvals(x),
    lambda np, x, y: np.linalg.slogdet(np.matmul(x, x.T)),
    lambda np, x, y: np.linalg.matrix_norm(x, ord=1),
    lambda np, x, y: np.linalg.pinv(x),
    lambda np, x, y: np.fft.rfft(x, axis=0),
    lambda np, x, y: np.fft.ifftn(x),
    lambda np, x, y: np.fft.fftshift(np.fft.fftfreq(6)),
    lambda np, x, y: np.hstack([x, y]),
    lambda np, x, y: np.median(x, axis=0),
    lambda np, x, y: np.einsum("ij,kj->ik", x, y),
    lambda np, x, y: np.cumulative_sum(x, axis=1, include_initial=True),
]


OPEN = ag.TensorSpec([None, None], "f8")


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_like_numpy(number: int) -> None:
    call = CALLS[number]
    x, y = numpy.array([[3.0, 1, 2], [0.25, 5, 1]]), numpy.array([[1.0, 0, 4], [2, 2, 7]])
    try:
        wanted = call(numpy, x, y)
    except AttributeError:
        pytest.skip("this NumPy has no such function")
    ways = [
        lambda x, y: call(np, np.asarray(x), np.asarray(y)),
        ag.function(lambda x, y: call(np, x, y)),
        ag.jit(lambda x, y: call(np, x, y)),
        ag.jit(lambda x, y: call(np, x, y), jit_compile=False),
        ag.function(lambda x, y: call(np, x, y), input_signature=[OPEN, OPEN]),
    ]
    for way in ways:
        found = way(x, y)
        several = isinstance(wanted, (tuple, list))
        pairs = zip(found, wanted, strict=True) if several else [(found, wanted)]
        for got, true in pairs:
            same(got, true)


def test_item_assignment_in_a_function() -> None:
    @ag.jit
    def run(n: Any) -> Any:
        a, b = np.zeros(4), np.asarray([1, 2, 3])
        c = b
        for i in np.arange(3):
            a[i] = n * b[i]
        b += 1
        return a, c

    a, c = run(2.0)
    assert a.tolist() == [2.0, 4.0, 6.0, 0.0]
    assert c.tolist() == [2, 3, 4]


def test_an_eager_tensor_of_ones_own_memory() -> None:
    source = numpy.zeros(2)
    copied, shared = np.asarray(source), np.asarray(source, copy=False)
    source[0] = 5
    assert copied.numpy().tolist() == [0.0, 0.0]
    assert shared.numpy().tolist() == [5.0, 0.0]
    copied[0] = 1
    assert copied.numpy().tolist() == [1.0, 0.0]
    assert source.tolist() == [5.0, 0.0]
    for unwritable in (shared, ag.constant([1, 2]), ag.Variable([1, 2]).value()):
        with pytest.raises(TypeError, match="immutable"):
            unwritable[0] = 1
    with pytest.raises(ValueError, match="without a copy"):
        np.asarray([1, 2], copy=False)


def test_methods_of_ufuncs() -> None:
    assert repr(np.add) == "<function agir.numpy.add>"
    with pytest.raises(TypeError):
        np.add(1)
    with pytest.raises(TypeError):
        np.sin(1, 2)


@pytest.mark.parametrize(
    "call",
    [
        lambda np: np.isclose([1.0, 2.0], 1.0),
        lambda np: np.heaviside([-1.0, 0.0, 2.0], 0.5),
        lambda np: np.unique([3, 1, 3]),
        lambda np: np.histogram([1, 2, 2], bins=2)[0],
        lambda np: np.logspace(0, 1, 3),
        lambda np: np.add([1, 2], [3, 4], dtype="f4"),
        lambda np: np.add.reduce([[1, 2], [3, 4]]),
        lambda np: np.multiply.outer([1, 2], [3, 4]),
    ],
)
def test_functions_that_only_numpy_names(call: Any) -> None:
    wanted = call(numpy)
    same(call(np), wanted)
    same(ag.function(lambda: call(np))(), wanted)


def test_errors_name_the_line() -> None:
    def wrong(x: Any) -> Any:
        return np.linalg.inv(x[0])

    with pytest.raises(
        ValueError, match=r"inv\(\) takes matrices[^\n]*\n  at [^\n]*test_values.py"
    ):
        ag.function(wrong)(np.ones((2, 2)))

    def singular(x: Any) -> Any:
        return np.linalg.inv(x)

    with pytest.raises(numpy.linalg.LinAlgError, match=r"Singular[^\n]*\n  at [^\n]*test_values"):
        ag.function(singular)(np.zeros((2, 2)))
    with pytest.raises(IndexError, match="out of bounds"):
        np.sum(np.ones(2), axis=3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: np.zeros(2, device="gpu"), "only device"),
        (lambda: np.zeros(2, order="F"), "order 'C'"),
        (lambda: np.reshape(np.ones(4), (2, 2), order="F"), "order 'C'"),
        (lambda: np.isdtype(np.int8, "whole"), "no dtype"),
        (lambda: np.where(np.ones(2), 1), "both"),
        (lambda: np.result_type(), "of nothing"),
        (lambda: np.matrix_transpose(np.ones(2)), "takes matrices"),
        (lambda: np.linspace(0, 1, -1), "below 0"),
        (lambda: np.cumulative_sum(np.ones((2, 2))), "give the axis"),
    ],
)
def test_bad_values(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_dtypes_compare_with_anything() -> None:
    assert np.float32 == "f4"
    for other in ("", "nothing", "a: text, of 2 lines\n(1)", "(2,)f4", None, 3, [np.float32]):
        assert np.float32 != other


def test_wrong_dtypes() -> None:
    with pytest.raises(TypeError, match="finfo"):
        np.finfo(np.int8)
    with pytest.raises(TypeError, match="iinfo"):
        np.iinfo(np.float32)


def test_the_wrapper_traces(traced: ModuleType) -> None:
    before = traced.CALLS
    x = traced.asarray([[4.0, 1.0], [1.0, 3.0]])
    found = [
        traced.sin(x), traced.sum(x, axis=0), traced.concat([x, x]), traced.linalg.eigh(x).eigenvalues,
        traced.fft.fft(x), traced.unique_all(x).counts, operator.add(x, 1),
    ]  # fmt: skip
    wanted = [
        np.sin(x), np.sum(x, axis=0), np.concat([x, x]), np.linalg.eigh(x).eigenvalues,
        np.fft.fft(x), np.unique_all(x).counts, x + 1,
    ]  # fmt: skip
    for got, true in zip(found, wanted, strict=True):
        assert isinstance(got, ag.Tensor)
        same(got, true)
    assert traced.CALLS == before + 7
