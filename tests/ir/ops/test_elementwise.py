"""Elementwise operations: every one, on every dtype that it takes, on special values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from agir.ir.building.types import DTYPES, DType
from agir.ir.ops.elementwise.elementwise import _Elementwise
from agir.ir.table import TABLE
from agir.ir.tensors.dispatch import Operation

ELEMENTWISE = [
    name
    for name, operation in TABLE.items()
    if isinstance(getattr(operation.rule, "__self__", None), _Elementwise)
]
"""What `elementwise_operation` has put into the table."""
PARTIAL = {"floor_divide", "remainder", "power"}
"""Operations with errors of their own: tested where the operands are in their domain."""
UNARY, BINARY = (
    [n for n in ELEMENTWISE if len(TABLE[n].operands) == count and n not in PARTIAL]
    for count in (1, 2)
)
UNARY.append("copy")

TRANSCENDENTAL = {"power", "sin", "cos", "tan", "sinh", "cosh", "tanh", "erfc", "exp2", "hypot"}
ROUGH = {"float32": 1e-5, "float64": 1e-12, "complex64": 2e-4, "complex128": 1e-11}


def special(dtype: DType) -> Any:
    """Values at which functions go wrong."""
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        values = [info.min, info.min + 1, 0, 1, 2, 3, 5, 7, 31, 100, info.max - 1, info.max]
        values += [-1, -2, -3, -7] if info.min else [64, 65]
        return np.array(values, dtype.numpy)
    plain = [0.0, -0.0, 0.25, -0.25, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5, 3.0, 7.25, -20.0]
    if dtype.is_complex:
        grid = [0.0, 0.25, -0.25, 0.5, -1.5, 2.0, -2.5]
        return np.array([complex(a, b) for a in grid for b in grid], dtype.numpy)
    tiny, big = {
        "float16": (6e-8, 65504.0), "bfloat16": (1e-38, 3.3e38),
        "float32": (1e-45, 3.4e38), "float64": (5e-324, 1.7e308),
    }[dtype.name]  # fmt: skip
    wild = [np.inf, -np.inf, np.nan, tiny, -tiny, big, -big, 0.1, 10.0, 88.0, -88.0, 1e-5]
    with np.errstate(over="ignore"):
        return np.array(plain + wild).astype(dtype.numpy)


def takes(operation: Operation, dtype: DType) -> bool:
    try:
        kinds = [operation_type(dtype)] * len(operation.operands)
        operation.rule(**dict(zip(operation.operands, kinds, strict=True)))
    except TypeError:
        return False
    return True


def operation_type(dtype: DType) -> Any:
    from agir.ir.building.types import TensorType

    return TensorType(dtype, (2,))


def accepting(names: list[str], dtype: DType) -> list[str]:
    return [name for name in names if takes(TABLE[name], dtype)]


def numpy_truth(names: list[str], dtype: DType) -> Callable[..., Any] | None:
    """NumPy's own functions, where the table names one and NumPy knows the dtype."""
    if dtype.name == "bfloat16":
        return None

    def truth(*arguments: Any) -> list[Any]:
        found = []
        with np.errstate(all="ignore"):
            for name in names:
                operation = TABLE[name]
                if operation.numpy:
                    found.append(np.asarray(operation.numpy[0](*arguments)))
                else:
                    given = dict(zip(operation.operands, arguments, strict=True))
                    found.append(operation(**given).numpy())
        return found

    return truth


def run(compare: Any, names: list[str], dtype: DType, *arguments: Any, **options: Any) -> None:
    if not names:
        return
    smooth = [n for n in names if n not in TRANSCENDENTAL]
    rough = [n for n in names if n in TRANSCENDENTAL]
    if dtype.is_complex:
        smooth, rough = [], names
    for group, rtol in ((smooth, None), (rough, ROUGH.get(dtype.name))):
        if group:
            compare(
                lambda *x, group=group: [TABLE[name](*x) for name in group],
                *arguments,
                expected=numpy_truth(group, dtype),
                labels=group,
                rtol=rtol,
                **options,
            )


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_unary(compare: Any, dtype: DType) -> None:
    values = special(dtype)
    grid = np.resize(values, (4, 6))
    names = accepting(UNARY, dtype)
    run(
        compare, names, dtype, grid, dynamic=True,
        more=[[grid.T], [grid[:, ::-2]], [np.resize(values, (1, len(values)))], [grid[:0]]],
    )  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_unary_of_scalars(compare: Any, dtype: DType) -> None:
    values = special(dtype)
    names = accepting(UNARY, dtype)
    run(compare, names, dtype, values[1], more=[[value] for value in values])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_binary(compare: Any, dtype: DType) -> None:
    values = special(dtype)
    left, right = (np.ascontiguousarray(a) for a in np.meshgrid(values, values))
    names = accepting(BINARY, dtype)
    run(
        compare, names, dtype, left, right, dynamic=True,
        more=[[left.T, right.T], [left[:0], right[:0]], [left[:1], right], [left, right[:, :1]]],
    )  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_binary_of_scalars(compare: Any, dtype: DType) -> None:
    values = special(dtype)
    names = accepting(BINARY, dtype)
    run(compare, names, dtype, values[0], values[1], more=[[values[1], v] for v in values])


# Values drawn at random; each function is compiled once and meets many of them.

DRAWN = [d for d in DTYPES if d.name in ("float32", "float64", "int8", "uint16", "int64")]


@pytest.fixture(scope="module")
def functions(record: Any) -> dict[str, tuple[list[str], Any]]:
    made = {}
    for dtype in DRAWN:
        unary, binary = accepting(UNARY, dtype), accepting(BINARY, dtype)
        names = unary + binary

        def function(x: Any, y: Any, unary: Any = unary, binary: Any = binary) -> list[Any]:
            return [TABLE[n](x) for n in unary] + [TABLE[n](x, y) for n in binary]

        made[dtype.name] = names, record(function, (dtype, (None,)), (dtype, (7,)))
    return made


@settings(max_examples=20, phases=[Phase.generate])
@given(data=st.data())
@pytest.mark.parametrize("dtype", DRAWN, ids=str)
def test_drawn_values(functions: Any, same: Any, dtype: DType, data: Any) -> None:
    names, recorded = functions[dtype.name]
    values = arrays.arrays(dtype.numpy, (7,), elements=arrays.from_dtype(dtype.numpy))
    x, y = data.draw(values), data.draw(values)
    for run in (recorded.compiled, recorded.interpreted):
        results = run(x, y)
        for name, got in zip(names, results, strict=True):
            operands = [x] if len(TABLE[name].operands) == 1 else [x, y]
            same(
                got, TABLE[name](*operands).numpy(), f"{name} of {operands}", ROUGH.get(dtype.name)
            )


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_every_half(record: Any, same: Any, name: str) -> None:
    dtype = next(d for d in DTYPES if d.name == name)
    names = accepting(UNARY, dtype)
    every = np.arange(2**16, dtype=np.uint16).view(dtype.numpy)
    recorded = record(lambda x: [TABLE[n](x) for n in names], (dtype, every.shape))
    for label, got in zip(names, recorded.compiled(every), strict=True):
        same(got, TABLE[label](every).numpy(), f"{label} of every {name}")
