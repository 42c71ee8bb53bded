"""Creation, shapes, joining and reductions with TensorFlow's arguments, against NumPy."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir import errors
from agir.ir.building.types import DTYPES
from agir.ir.tensors.dispatch import call

X = np.array([[3, 1, 2, 2], [7, 7, 0, 9.0]])


@pytest.mark.parametrize("dynamic", [False, True])
def test_creation(compare: Any, dynamic: bool) -> None:
    def expected(x: Any, n: Any) -> list[Any]:
        return [
            np.linspace(0, 1, 5, dtype="f4"),
            np.linspace(0, 10, n),
            np.linspace(x[0], x[0] + 1, 3, axis=1),
            np.linspace(x, x + 1, 2),
            np.array([1], "f4"),
            *np.meshgrid([1, 2, 3], x[0]),
            *(m.astype("i4") for m in np.meshgrid([1, 2], [3, 4], [5, 6, 7], indexing="ij")),
            np.broadcast_to(np.eye(2, 3, dtype="f4"), (2, 2, 3)),
            np.zeros((n, 2), "f4"),
            np.ones_like(x),
            np.full((2, n), 7, "i4"),
            np.arange(n),
        ]

    def function(x: Any, n: Any) -> list[Any]:
        grids = [
            *ag.meshgrid([1, 2, 3], x[0]),
            *ag.meshgrid([1, 2], [3, 4], [5, 6, 7], indexing="ij"),
        ]
        grids[0] = ag.cast(grids[0], "int64")
        return [
            ag.linspace(0.0, 1.0, 5),
            ag.linspace(0, 10, n),
            ag.linspace(x[0], x[0] + 1, 3, axis=1),
            ag.linspace(x, x + 1, 2),
            ag.linspace(1.0, 2.0, 1),
            *grids,
            ag.eye(2, 3, [2]),
            ag.zeros([n, 2], name="z"),
            ag.ones_like(x),
            ag.fill([2, n], 7),
            ag.range(n),
        ]

    compare(function, X, np.int64(3), dynamic=dynamic, expected=expected)


@pytest.mark.parametrize("dynamic", [False, True])
def test_parts(compare: Any, dynamic: bool) -> None:
    def expected(x: Any, n: Any) -> list[Any]:
        halves = np.split(x, [1], 1)
        return [
            *halves,
            *np.split(x, [3], 1),
            *halves,
            *np.split(x, 2),
            np.repeat(x, [1, 2], 0),
            np.repeat(x, 2, 1),
            np.repeat([1, 2, 3], [3, 0, 1]).astype("i4"),
            np.repeat(x, [1, 0, 2, 1], 1),
            np.repeat(x, 3),
            x,
            x.T,
            x.T,
            np.pad(x, [[1, 0], [0, 2]]),
            np.array([[0, 1], [1, 3]], "i4"),
            np.array([2, 3], "i4"),
            x,
            x @ x.T,
            x.T @ x,
        ]

    def function(x: Any, n: Any) -> list[Any]:
        return [
            *ag.split(x, [1, 3], 1),
            *ag.split(x, [n, -1], 1),
            *ag.split(x, [1, n], axis=-1),
            *ag.split(x, 2),
            ag.repeat(x, [1, 2], axis=0),
            ag.repeat(x, repeats=2, axis=1),
            ag.repeat([1, 2, 3], [n, 0, 1]),
            np.repeat(x, np.array([1, 0, 2, 1]), 1),
            ag.repeat(x, n),
            ag.ensure_shape(x, [None, 4]),
            ag.transpose(x),
            ag.transpose(x, perm=[1, 0]),
            ag.pad(x, [[1, 0], [0, 2]], "CONSTANT"),
            ag.unravel_index([1, 7], [2, 4]).T.T,
            ag.broadcast_dynamic_shape([2, 1], [3]),
            ag.identity_n([x])[0],
            ag.matmul(x, x, transpose_b=True),
            ag.matmul(x, x, adjoint_a=True),
        ]

    compare(function, X, np.int64(3), dynamic=dynamic, expected=expected)


def test_errors_of_parts(record: Any) -> None:
    recorded = record(lambda x, n: [*ag.split(x, [n, 2])], ("f4", (None,)), ("i4", ()))
    for run in (recorded.compiled, recorded.interpreted):
        assert [p.tolist() for p in run(np.arange(3, dtype="f4"), np.int32(1))] == [[0], [1, 2]]
        with pytest.raises(errors.InvalidArgumentError, match=r"do not add up to the size\n  at"):
            run(np.arange(3, dtype="f4"), np.int32(2))
    with pytest.raises(ValueError, match="2 numbers of repetitions for 3 elements"):
        call("numpy_repeat", [1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="'xy' or 'ij', not 'ji'"):
        ag.meshgrid([1], [2], indexing="ji")
    with pytest.raises(errors.InvalidArgumentError, match="an index lies outside of the array"):
        ag.unravel_index([8], [2, 4])
    with pytest.raises(ValueError, match="one of transpose and adjoint, not both"):
        ag.matmul(X, X, transpose_a=True, adjoint_a=True)


def test_reductions(compare: Any) -> None:
    def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        with np.errstate(divide="ignore"):
            return np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims))

    compare(
        lambda x: (
            [
                ag.reduce_logsumexp(x),
                ag.reduce_logsumexp(x, 1),
                ag.reduce_logsumexp(x, [0, -1], True),
                ag.math.reduce_euclidean_norm(x, 0),
                ag.math.count_nonzero(x, 1),
                ag.math.zero_fraction(x > 2),
                ag.reduce_sum(x, [0, 1]),
                ag.reduce_max(x, ag.constant(0), True),
            ]
            if x.shape[0] != 0
            else [ag.zeros(1)]
        ),
        X,
        dynamic=False,
        rtol=1e-6,
        expected=lambda x: [
            logsumexp(x),
            logsumexp(x, 1),
            logsumexp(x, None, True),
            np.linalg.norm(x, axis=0),
            np.count_nonzero(x, 1),
            np.float32((x <= 2).mean()),
            x.sum(),
            x.max(0, keepdims=True),
        ],
    )
    compare(
        lambda x: [
            ag.reduce_logsumexp(x),
            ag.reduce_logsumexp(x, 0),
            ag.reduce_logsumexp(x, 1, True),
        ],
        X,
        dynamic=True,
        expected=lambda x: [logsumexp(x), logsumexp(x, 0), logsumexp(x, 1, True)],
        more=[[np.zeros((0, 4))], [np.zeros((2, 0))], [np.full((1, 1), -np.inf)]],
    )
    assert ag.reduce_logsumexp([1000.0, 1000.0]).numpy() == pytest.approx(1000.6931)
    assert ag.math.reduce_euclidean_norm([3, 4]).numpy() == 5
    assert (ag.argmax(X).numpy().tolist(), ag.argmin(X, 1, ag.int32).dtype) == (
        [1, 1, 0, 1],
        ag.int32,
    )


def test_parameters_have_the_names_of_tensorflow() -> None:
    wanted = {
        "reshape": "tensor shape name",
        "squeeze": "input axis name",
        "concat": "values axis name",
        "expand_dims": "input axis name",
        "tile": "input multiples name",
        "roll": "input shift axis name",
        "pad": "tensor paddings mode constant_values name",
        "reverse": "tensor axis name",
        "clip_by_value": "t clip_value_min clip_value_max name",
        "shape": "input out_type name",
        "reduce_sum": "input_tensor axis keepdims name",
        "argmax": "input axis output_type name",
        "gather": "params indices validate_indices axis batch_dims name",
        "cast": "x dtype name",
        "split": "value num_or_size_splits axis num name",
        "transpose": "a perm conjugate name",
        "atan2": "y x name",
        "complex": "real imag name",
        "where": "condition x y name",
        "eye": "num_rows num_columns batch_shape dtype name",
        "stack": "values axis name",
    }
    for name, parameters in wanted.items():
        assert list(inspect.signature(getattr(ag, name)).parameters) == parameters.split(), name
    assert ag.reshape(tensor=[1, 2], shape=[2, 1], name="r").shape == (2, 1)
    assert ag.abs(-1, name="a").numpy() == 1
    with pytest.raises(TypeError, match=r"reshape\(\): missing a required argument: 'shape'"):
        ag.reshape([1])


def test_static_shapes() -> None:
    shape = ag.TensorShape([2, None])
    assert (shape.rank, shape.ndims, shape.as_list(), shape.dims) == (2, 2, [2, None], [2, None])
    assert (len(shape), list(shape), shape[0], shape[1:]) == (2, [2, None], 2, (None,))
    assert (str(shape), repr(shape), str(ag.TensorShape([3]))) == (
        "(2, None)",
        "TensorShape([2, None])",
        "(3,)",
    )
    assert shape == (2, None) == shape
    assert shape != (2, 3)
    assert shape != "x"
    assert hash(shape) == hash(ag.TensorShape((2, None)))
    assert not shape.is_fully_defined()
    assert (shape.num_elements(), ag.TensorShape([2, 3]).num_elements()) == (None, 6)
    assert shape.merge_with([None, 3]) == [2, 3] == shape.merge_with((2, 3))
    assert shape.concatenate([4]) == [2, None, 4] == shape + ag.TensorShape([4])
    assert shape.__radd__([1]) == [1, 2, None]
    assert shape.is_compatible_with([2, 9])
    assert not shape.is_compatible_with([3, 9])
    assert ag.TensorShape([2, 3]).is_subtype_of(shape)
    assert not shape.is_subtype_of([2, 3])
    assert shape.most_specific_compatible_shape([3, 4]) == [None, None]
    assert ag.zeros(ag.TensorShape([2, 3])).shape == (2, 3)
    assert ag.TensorShape(ag.constant([1, 2])) == [1, 2]
    assert ag.ensure_shape([1, 2], ag.TensorShape([None])).shape == (2,)
    assert ag.ensure_shape([1, 2], ag.TensorShape(None)).shape == (2,)
    assert ag.broadcast_static_shape([2, 1], [None, 3]) == [2, 3]
    unknown = ag.TensorShape(None)
    assert (unknown.rank, bool(unknown), str(unknown), unknown[0]) == (
        None,
        False,
        "<unknown>",
        None,
    )
    assert unknown.merge_with(shape) == shape == shape.merge_with(unknown)
    assert unknown.concatenate([1]).rank is None
    assert ag.broadcast_static_shape(unknown, [1]).rank is None
    assert unknown.is_compatible_with([1])


def test_errors_of_static_shapes() -> None:
    shape = ag.TensorShape([2, None])
    with pytest.raises(ValueError, match="are not compatible"):
        shape.merge_with([3, 1])
    shape.assert_is_compatible_with([2, 5])
    with pytest.raises(ValueError, match="are not compatible"):
        shape.assert_is_compatible_with([2])
    with pytest.raises(ValueError, match="is not fully defined"):
        shape.assert_is_fully_defined()
    with pytest.raises(ValueError, match="has not the rank 3"):
        shape.assert_has_rank(3)
    with pytest.raises(ValueError, match="are not compatible"):
        shape.with_rank(1)
    with pytest.raises(ValueError, match="a size is negative: -1"):
        ag.TensorShape([-1])
    with pytest.raises(ValueError, match="of a shape of unknown rank"):
        ag.TensorShape(None).as_list()
    with pytest.raises(ValueError, match="do not broadcast: 2 and 3 differ"):
        ag.broadcast_static_shape([2], [3])
    with pytest.raises(errors.InvalidArgumentError, match="the shapes do not broadcast"):
        ag.broadcast_dynamic_shape([2], [3])


def test_dtypes() -> None:
    assert (ag.int8.min, ag.int8.max, ag.uint64.max) == (-128, 127, 2**64 - 1)
    assert (ag.float32.max, ag.float16.limits) == (float(np.finfo("f4").max), (-65504.0, 65504.0))
    assert (ag.bool.min, ag.bool.max, ag.bool.is_bool, ag.int8.is_bool) == (
        False,
        True,
        True,
        False,
    )
    assert (ag.float64.size, ag.complex64.real_dtype, ag.uint8.is_unsigned) == (8, ag.float32, True)
    assert (ag.int32.as_numpy_dtype, ag.int32.base_dtype) == (np.int32, ag.int32)
    assert ag.float32.is_compatible_with("float32")
    assert ag.bfloat16.max > 3e38
    assert (ag.half, ag.double, ag.dtypes.as_dtype("half")) == (ag.float16, ag.float64, ag.float16)
    with pytest.raises(TypeError, match="complex numbers have no order"):
        _ = ag.complex64.max
    for dtype in DTYPES:
        assert getattr(ag.dtypes, dtype.name) == dtype
