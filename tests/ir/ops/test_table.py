"""The table as a whole: every entry is documented, tested, and reached by its public names."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.table import NUMPY, TABLE

from .test_elementwise import ELEMENTWISE


def _words(folder: Path) -> set[str]:
    """Every string of the tests in this folder, and every name after a dot."""
    found: set[str] = set()
    for path in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
    return found


BY_OPERATOR = {"getitem"}
OF_OTHERS = {
    *("cofactors", "expm_derivative", "pseudo_inverse"),  # of derivatives: tests/ir/gradients
    *("pool_windows", *(name for name in TABLE if name.startswith("fourier_"))),
}
"""What others are composed of, and tested with."""


def test_every_operation_is_tested() -> None:
    """Under its name in the table, or that of NumPy's function that records it."""
    words = _words(Path(__file__).parent) | BY_OPERATOR | OF_OTHERS | set(ELEMENTWISE)
    untested = [
        name for name, operation in TABLE.items()
        if words.isdisjoint([name, *(each.__name__ for each in operation.numpy)])
    ]  # fmt: skip
    assert not untested, f"write tests of {untested} in tests/ir/ops"


@pytest.mark.parametrize("name", TABLE)
def test_every_operation_is_documented(name: str) -> None:
    operation = TABLE[name]
    assert operation.doc.partition("\n\n")[0].endswith((".", "``", ":"))
    assert set(operation.operands) <= set(operation.signature.parameters)
    for function in operation.numpy:
        assert NUMPY[function] is operation


def test_public_names() -> None:
    from agir import operations

    for name in operations.__all__:
        assert callable(getattr(ag, name)), name
        assert getattr(getattr(operations, name), "__doc__", None) or name


def test_tensorflow_reductions(compare: Any) -> None:
    x = np.array([[1, -2, 4], [3, 5, -7]], np.int8)

    def function(x: Any) -> list[Any]:
        return [
            ag.reduce_sum(x), ag.reduce_sum(x, 0), ag.reduce_prod(x, axis=1), ag.reduce_max(x, 0),
            ag.reduce_min(x, 1, True), ag.reduce_mean(x), ag.reduce_any(x, 0), ag.reduce_all(x),
            ag.argmax(x), ag.argmin(x, 1, ag.int32), ag.transpose(x, perm=[1, 0]),
            ag.gather(x, [1, 0]), ag.gather(x, 1, axis=1), ag.fill([2], 7), ag.range(3),
            ag.reduce_sum([1, 2]), ag.reduce_variance(ag.cast(x, "f4")), ag.reduce_std([1.0, 2.0]),
            ag.clip_by_value(x, 0, 3), ag.reverse(x, [0]), ag.identity(x),
        ]  # fmt: skip

    recorded = compare(function, x)
    kinds = [dtype.name for dtype in recorded.dtypes]
    assert kinds[:6] == ["int8"] * 6
    assert kinds[8:10] == ["int64", "int32"]
    assert kinds[15] == "int32"


def test_creation(compare: Any) -> None:
    def function(n: Any) -> list[Any]:
        return [
            ag.zeros([n, 2]), ag.ones((n,), "int8"), ag.eye(3), TABLE["eye"](n, 4, 1), ag.range(n),
            ag.range(n, 2, -1), ag.range(0.0, 1.0, 0.25), ag.linspace(0.0, 1.0, 5),
            ag.zeros_like(ag.range(n)), ag.ones_like([n, n]), ag.full_like(ag.zeros(3), n),
            TABLE["eye"](2), TABLE["range"](n), TABLE["full"]((2,), n), ag.where(n > 2, n, 1),
        ]  # fmt: skip

    compare(function, np.int64(3))


def test_growing_in_a_loop() -> None:
    @ag.function
    def collect(n: Any) -> Any:
        found = ag.zeros((0,), ag.float32)
        i = 0
        while i < n:
            found = ag.concat([found, [ag.cast(i * i, ag.float32)]], 0)
            i += 1
        return found

    assert collect(ag.constant(5)).numpy().tolist() == [0.0, 1.0, 4.0, 9.0, 16.0]


def test_shape_in_a_function() -> None:
    @ag.function(input_signature=[ag.TensorSpec([None, None], ag.float32)])
    def halves(x: Any) -> Any:
        rows, columns = ag.shape(x)
        total = ag.zeros((columns,), ag.float32)
        for i in ag.range(rows):
            total += x[i]
        return ag.reshape(total, [-1, columns // 2])

    assert halves(np.ones((3, 4), np.float32)).numpy().tolist() == [[3.0, 3.0], [3.0, 3.0]]


def test_lists_are_arrays(compare: Any) -> None:
    compare(
        lambda x: [ag.add(x, [1.0, 2.0]), x * [2, 3], ag.sqrt([4.0, 9.0]), np.maximum(x, [0.0, 1.0]),
                   ag.cast([1, 2], "f4"), ag.where([True, False], x, 0.0), ag.identity([x, x]),
                   ag.matmul([[1.0, 2.0]], ag.reshape(x, [2, 1]))],
        np.array([0.5, -0.5]),
    )  # fmt: skip
