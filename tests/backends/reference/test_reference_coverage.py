"""Every entry of the tables appears in a program of the tests."""

from __future__ import annotations

import re

from agir.backends.reference import dispatch

from . import (
    test_reference_arith,
    test_reference_complex,
    test_reference_control,
    test_reference_linalg,
    test_reference_math,
    test_reference_tensor,
)

MODULES = (
    test_reference_arith,
    test_reference_complex,
    test_reference_control,
    test_reference_linalg,
    test_reference_math,
    test_reference_tensor,
)


def test_every_operation_is_tested() -> None:
    texts = [case.text for module in MODULES for case in module.CASES]
    texts += [case.text for module in MODULES for case in getattr(module, "ELEMENTWISE", ())]
    found = set(re.findall(r"\b[a-z]+\.[a-z_0-9]+", " ".join(texts)))
    found |= {"func.return"}  # printed without its dialect inside a function
    known = {*dispatch.OPERATIONS, *dispatch.REGION_OPERATIONS, *dispatch.TERMINATORS}
    assert not known - found


def test_the_two_tables_are_disjoint() -> None:
    assert not set(dispatch.OPERATIONS) & set(dispatch.REGION_OPERATIONS)
