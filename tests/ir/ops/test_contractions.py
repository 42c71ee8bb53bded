"""matmul, einsum and their relatives: ranks, dtypes, broadcast batches, checks at run time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agir import errors
from agir.ir.building.types import DTYPES, DType, as_dtype
from agir.ir.tensors.dispatch import call

RTOL = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 1e-5, "float64": 1e-12,
        "complex64": 1e-5, "complex128": 1e-12}  # fmt: skip


def values(dtype: Any, *shape: int, seed: int = 0) -> Any:
    dtype = as_dtype(dtype)
    numbers = np.random.default_rng(seed).integers(-3 if dtype.kind in "ifc" else 0, 4, shape)
    found = numbers.astype(dtype.numpy)
    return found * dtype.numpy.type(0.5 - 1j) if dtype.kind == "c" else found


SHAPES = [
    ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)),
    ((5, 2, 3), (5, 3, 4)), ((2, 3), (5, 3, 4)), ((1, 2, 3), (5, 3, 4)), ((6, 1, 2, 3), (5, 3, 1)),
    ((3,), (5, 3, 4)), ((5, 2, 3), (3,)), ((1, 1), (1, 1)), ((2, 0), (0, 3)), ((0, 2), (2, 3)),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_matmul(compare: Any, dtype: DType) -> None:
    operands = [values(dtype, *shape, seed=i) for i, pair in enumerate(SHAPES) for shape in pair]

    def function(*tensors: Any) -> list[Any]:
        return [call("matmul", x, y) for x, y in zip(tensors[::2], tensors[1::2], strict=True)]

    def truth(*arrays: Any) -> list[Any]:
        return [np.asarray(np.matmul(x, y)) for x, y in zip(arrays[::2], arrays[1::2], strict=True)]

    compare(
        function, *operands, rtol=RTOL.get(dtype.name), labels=[str(pair) for pair in SHAPES],
        expected=None if dtype.name == "bfloat16" else truth,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["int32", "float32", "float16", "complex64", "bool"])
def test_dynamic_matmul(compare: Any, name: str) -> None:
    dtype = next(d for d in DTYPES if d.name == name)
    x, y = values(dtype, 5, 2, 3), values(dtype, 5, 3, 4, seed=1)
    compare(
        lambda x, y: [call("matmul", x, y), call("matmul", x, y[0]), call("matmul", x[0, 0], y[0])],
        x, y, dynamic=True, rtol=RTOL.get(name),
        more=[[x[:1], y], [x, y[:1]], [x[:, ::-1], y], [x[:, :, :0], y[:, :0]],
              [np.asfortranarray(x), y.transpose(0, 2, 1).copy().transpose(0, 2, 1)]],
    )  # fmt: skip


EINSUMS = [
    ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ij,kj->ki", (2, 3), (4, 3)),
    ("ii->i", (3, 3)), ("ii", (3, 3)), ("iij->j", (3, 3, 2)), ("ij->ji", (2, 3)),
    ("ij->", (2, 3)), ("ij->i", (2, 3)), ("i,j->ij", (2,), (3,)), ("i,i->", (3,), (3,)),
    ("i,i->i", (3,), (3,)), ("bij,bjk->bik", (2, 2, 3), (2, 3, 4)), ("...ij->...ji", (2, 3, 4)),
    ("...ij,...jk->...ik", (5, 2, 3), (3, 4)), ("...i,...i", (2, 3), (2, 3)),
    ("...ij,...jk", (6, 1, 2, 3), (5, 3, 4)), ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)),
    ("ij,j,i->", (2, 3), (3,), (2,)), ("abc,cd,bd->a", (2, 3, 4), (4, 5), (3, 5)),
    ("i,ij,j", (2,), (2, 3), (3,)), ("ij,ij->ij", (2, 3), (2, 3)), ("ij,ji->ij", (2, 3), (3, 2)),
    ("a,b->", (2,), (3,)), ("ij,jk->ik", (2, 1), (3, 4)), ("iij,jkk->ik", (2, 2, 3), (3, 4, 4)),
    (",i->i", (), (3,)), ("ba", (2, 3)), ("i...->...", (2, 3)), ("ijk,k", (2, 3, 4), (4,)),
]  # fmt: skip


@pytest.mark.parametrize("name", ["int64", "uint8", "float32", "float64", "float16", "complex128",
                                  "bool", "bfloat16"])  # fmt: skip
def test_einsum(compare: Any, name: str) -> None:
    dtype = next(d for d in DTYPES if d.name == name)
    operands = [values(dtype, *s, seed=i) for i, (_, *shapes) in enumerate(EINSUMS) for s in shapes]
    counts = [len(shapes) for _, *shapes in EINSUMS]

    def function(*tensors: Any) -> list[Any]:
        rest = iter(tensors)
        return [
            call("einsum", text, *(next(rest) for _ in range(count)))
            for (text, *_), count in zip(EINSUMS, counts, strict=True)
        ]

    def truth(*arrays: Any) -> list[Any]:
        rest = iter(arrays)
        return [
            np.asarray(np.einsum(text, *(next(rest) for _ in range(count))))
            for (text, *_), count in zip(EINSUMS, counts, strict=True)
        ]

    compare(
        function, *operands, rtol=RTOL.get(name), labels=[str(case) for case in EINSUMS],
        expected=None if name == "bfloat16" else truth,
    )  # fmt: skip


def test_dynamic_einsum(compare: Any) -> None:
    for text, *shapes in EINSUMS:
        if (text, shapes[0]) in (("ij,jk->ik", (2, 1)), ("...ij,...jk", (6, 1, 2, 3))):
            continue  # only sizes known while tracing are broadcast
        operands = [values("float32", *s, seed=i) for i, s in enumerate(shapes)]
        recorded = compare(
            lambda *x, text=text: [call("einsum", text, *x)], *operands, dynamic=True
        )
        for site in recorded.sites:
            assert site.kind == "shape"


def test_relatives(compare: Any) -> None:
    x, y = values("float64", 2, 3, 4), values("float64", 4, 3, 5, seed=1)
    z = values("complex128", 3)

    def function(x: Any, y: Any, z: Any, library: Any = None) -> list[Any]:
        def apply(name: str, *arguments: Any) -> Any:
            return getattr(np, name)(*arguments) if library else call(name, *arguments)

        return [
            apply("tensordot", x, y, ([1, 2], [1, 0])), apply("tensordot", x, y, 1),
            apply("tensordot", x, y, 0), apply("dot", x, y[:, :, 0]),
            apply("tensordot", x[0], y, ([1], [0])),
            apply("dot", x[0], y[:, 0]), apply("dot", x[0, 0], y[:, 0, 0]), apply("dot", 2.0, x),
            apply("dot", x[0], y[:, :, 0]), apply("inner", x, y.T[:, :, :]),
            apply("outer", x[0], y[0]), apply("vdot", z, z), apply("inner", z, z),
            apply("dot", x, y.transpose(1, 0, 2)),
        ]  # fmt: skip

    compare(function, x, y, z, expected=lambda *a: [np.asarray(v) for v in function(*a, np)])


def test_numpy_functions(compare: Any) -> None:
    x = np.arange(9.0).reshape(3, 3)

    def function(x: Any) -> list[Any]:
        return [np.matmul(x, x), x @ x, x[0] @ x, np.einsum("ij->ji", x), np.dot(x, x[0]),
                np.outer(x, x), np.tensordot(x, x, axes=2), np.inner(x, x), x.dot(x)]  # fmt: skip

    compare(function, x, expected=lambda x: [np.asarray(v) for v in function(x)])


def test_dimensions_that_differ(record: Any) -> None:
    with pytest.raises(ValueError, match=r"inner dimensions .* differ: 3 and 4"):
        record(lambda x, y: [call("matmul", x, y)], ("f4", (2, 3)), ("f4", (4, 5)))
    with pytest.raises(ValueError, match="a scalar has no dimension"):
        call("matmul", 1.0, np.ones(3))
    for function, specs in (
        (lambda x, y: [call("matmul", x, y)], [("f4", (2, None)), ("f4", (None, 3))]),
        (lambda x, y: [call("matmul", x, y)], [("f4", (2, None)), ("f4", (4, 3))]),
        (lambda x, y: [call("matmul", x, y)], [("f4", (2, 4)), ("f4", (None, 3))]),
        (lambda x, y: [call("einsum", "ij,jk->jik", x, y)], [("f4", (2, None)), ("f4", (None, 3))]),
        (lambda x, y: [call("einsum", "ij,jk->jik", x, y)], [("f4", (2, 4)), ("f4", (None, 3))]),
    ):
        recorded = record(function, *specs)
        for run in (recorded.compiled, recorded.interpreted):
            if specs[1][1][0] is None:
                with pytest.raises(errors.RuntimeShapeError, match="differ: 4 and 7"):
                    run(np.ones((2, 4), "f4"), np.ones((7, 3), "f4"))
            if specs[0][1][1] is None:
                with pytest.raises(errors.RuntimeShapeError, match="differ"):
                    run(np.ones((2, 5), "f4"), np.ones((4, 3), "f4"))
            run(np.ones((2, 4), "f4"), np.ones((4, 3), "f4"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ij,jk->ik", "describes 2 operands, but 1"), ("i->i", "has 1 labels for an operand of 2"),
        ("ij->ii", "repeats 'i'"), ("ij->k", "no operand of .* has the label 'k'"),
        ("i1->i", "letters"), ("i...->i", "lacks the dimensions"),
    ],
)  # fmt: skip
def test_wrong_subscripts(record: Any, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        record(lambda x: [call("einsum", text, x)], ("f4", (2, 3)))
    with pytest.raises(ValueError, match=message):
        call("einsum", text, np.ones((2, 3)))


def test_sizes_that_differ(record: Any) -> None:
    with pytest.raises(ValueError, match=r"label 'j' has the sizes \[3, 4\]"):
        record(lambda x, y: [call("einsum", "ij,jk", x, y)], ("f4", (2, 3)), ("f4", (4, 2)))


def test_contractions_are_contractions(record: Any) -> None:
    text = str(record(lambda x, y: [x @ y], ("f2", (2, 3)), ("f2", (3, 4)), compile=False).module)
    assert "linalg.contract" in text
    assert "tensor<2x4xf32>" in text
