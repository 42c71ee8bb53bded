"""Every entry of the tables appears in a program of the tests."""

from __future__ import annotations

import re

from agir.backends.reference import dispatch
from agir.backends.reference.dialects.llvm import SAME

from . import (
    test_reference_arith,
    test_reference_complex,
    test_reference_control,
    test_reference_linalg,
    test_reference_llvm,
    test_reference_math,
    test_reference_memref,
    test_reference_tensor,
    test_reference_vector,
)

MODULES = (
    test_reference_arith,
    test_reference_complex,
    test_reference_control,
    test_reference_linalg,
    test_reference_llvm,
    test_reference_math,
    test_reference_memref,
    test_reference_tensor,
    test_reference_vector,
)


def test_every_operation_is_tested() -> None:
    texts = [case.text for module in MODULES for case in module.CASES]
    texts += [case.text for module in MODULES for case in getattr(module, "ELEMENTWISE", ())]
    texts += [test_reference_llvm.BRANCHES.text, "llvm.unreachable"]
    found = set(re.findall(r"\b[a-z]+(?:\.[a-z_0-9]+)+", " ".join(texts)))
    found |= {"func.return", *SAME}  # the former is printed without its dialect inside a function
    known = {*dispatch.OPERATIONS, *dispatch.REGION_OPERATIONS, *dispatch.TERMINATORS}
    assert sorted(known - found) == []


def test_the_two_tables_are_disjoint() -> None:
    assert not set(dispatch.OPERATIONS) & set(dispatch.REGION_OPERATIONS)
