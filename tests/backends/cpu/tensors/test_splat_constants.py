"""Arrays of one number: filled while the program runs, not stored in its machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.stages import Compilation

DTYPES = ["bool", "int8", "int64", "uint32", "float16", "float32", "float64", "complex64"]


def stages(function: Callable[..., Any], *arguments: Any) -> tuple[str, bytes]:
    compilation = ag.jit(function).get_concrete_function(*arguments).compilation
    return str(compilation.text("bufferized")), compilation.get("object")


def test_what_a_product_begins_with_is_not_stored() -> None:
    text, code = stages(lambda x: x @ x, np.ones((300, 300)))
    assert "memref.global" not in text
    assert len(code) < 300 * 300


def test_a_small_constant_is() -> None:
    text, _ = stages(lambda x: np.where(x[0] > 0, np.array([1.0, 1.0]), x), np.ones(2))
    assert "linalg.fill" not in text


def test_one_whose_elements_differ_is() -> None:
    numbers = ", ".join(f"{n}.0" for n in range(20))
    text = f"""
    func.func @f(%x: tensor<20xf64>) -> tensor<20xf64> {{
      %c = arith.constant dense<[{numbers}]> : tensor<20xf64>
      %y = arith.addf %x, %c : tensor<20xf64>
      return %y : tensor<20xf64>
    }}"""
    assert "memref.global" in str(Compilation.from_text(text, "hlo").text("bufferized"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_values(dtype: str) -> None:
    def f(x: Any, n: Any) -> Any:
        ones = np.ones((20, 3), dtype)
        zeros = np.zeros((20, 3), dtype)
        chosen = ones if n > 2 else zeros
        changed = np.zeros((20, 3), dtype)
        for i in range(n):
            changed[i] = x[i]
        return chosen, changed, zeros, np.full(9, x[0, 0])

    x = np.ones((20, 3), dtype)
    for n in (1, 3):
        for ours, right in zip(ag.jit(f)(x, n), f(x, n), strict=True):
            np.testing.assert_array_equal(ours, right)
            assert ours.dtype == right.dtype


def test_each_use_has_an_array_of_its_own() -> None:
    def f(n: Any) -> Any:
        a = np.zeros(50)
        b = np.zeros(50)
        for i in range(n):
            a[i] = 1.0
            b[i] = a[i] + 1.0
        return a, b

    a, b = ag.jit(f)(3)
    assert (a.sum(), b.sum()) == (3, 6)
