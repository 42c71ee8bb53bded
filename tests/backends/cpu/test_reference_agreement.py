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
from ..reference.interpret import DTYPES, assert_same

MODULES = (
    test_reference_arith,
    test_reference_complex,
    test_reference_control,
    test_reference_linalg,
    test_reference_math,
    test_reference_tensor,
)
# what the recorder does not emit, results that are undefined, and types without a layout
UNSUPPORTED = (
    "complex.bitcast",
    "tensor.bitcast",
    "tensor.gather",
    "tensor.scatter",
    "arith.flush_denormals",
    "arith.scaling_",
    "scf.for unsigned",
    "tensor<*x",
)


def supported(name: str) -> Any:
    """The entries of a table in each module that compiled code can run."""
    for module in MODULES:
        for number, case in enumerate(getattr(module, name, ())):
            if not any(word in case.text for word in UNSUPPORTED):
                family = module.__name__.rpartition("_")[2]
                yield pytest.param(case, id=f"{family}-{number}")


@pytest.mark.parametrize("case", list(supported("CASES")))
def test_case(run: Any, case: Any) -> None:
    check(run, case)


@pytest.mark.parametrize("case", list(supported("ELEMENTWISE")))
def test_elementwise(run: Any, case: Any) -> None:
    if not hasattr(case, "arrays"):
        check(run, case)
        return
    arrays = case.arrays()
    expected = np.asarray(case.expected, DTYPES[case.result])
    size = len(arrays[0]) if arrays[0].ndim else None
    (result,) = run(case.program(size), *arrays, results=[expected.dtype])
    if size is None:
        expected = expected.ravel()[0]
    assert_same(result, np.broadcast_to(expected, result.shape), max(case.tolerance, 1e-6))


def check(run: Any, case: Any) -> None:
    dtypes = [np.asarray(expected).dtype for expected in case.expected]
    results = run(case.text, *case.arguments, results=dtypes)
    assert len(results) == len(case.expected)
    for result, expected in zip(results, case.expected, strict=True):
        if not is_undefined(case):
            assert_same(result, expected, max(case.tolerance, 1e-6))


def is_undefined(case: Any) -> bool:
    """Whether a program returns memory that nothing has been written to."""
    return "tensor.empty" in case.text and "linalg" not in case.text and "insert" not in case.text
