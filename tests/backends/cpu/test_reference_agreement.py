"""The programs that test the reference interpreter give the same results as machine code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ..reference import (
    test_reference_arith,
    test_reference_complex,
    test_reference_control,
    test_reference_linalg,
    test_reference_math,
    test_reference_tensor,
)
from ..reference.interpret import assert_same

MODULES = (
    test_reference_arith,
    test_reference_complex,
    test_reference_control,
    test_reference_linalg,
    test_reference_math,
    test_reference_tensor,
)
CASES = [
    pytest.param(case, id=f"{module.__name__.rpartition('_')[2]}{number}")
    for module in MODULES
    for number, case in enumerate(module.CASES)
]
ELEMENTWISE = [
    pytest.param(case, id=case.text.partition(" ")[0] + f"-{number}")
    for module in MODULES
    for number, case in enumerate(getattr(module, "ELEMENTWISE", ()))
]


@pytest.mark.parametrize("case", CASES)
def test_case(run: Any, case: Any) -> None:
    dtypes = [np.asarray(expected).dtype for expected in case.expected]
    results = run(case.text, *case.arguments, results=dtypes)
    assert len(results) == len(case.expected)
    for result, expected in zip(results, case.expected, strict=True):
        assert_same(result, expected, max(case.tolerance, 1e-6))


@pytest.mark.parametrize("case", ELEMENTWISE)
def test_elementwise(run: Any, case: Any) -> None:
    arrays = case.arrays()
    expected = np.asarray(case.expected)
    (result,) = run(case.program(len(arrays[0])), *arrays, results=[expected.dtype])
    assert_same(result, np.broadcast_to(expected, result.shape), max(case.tolerance, 1e-6))
