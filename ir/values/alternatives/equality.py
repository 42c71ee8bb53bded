"""``==`` of Python values that hold run-time values."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from agir.autograph.operators import compare
from agir.ir.emission.truth import as_bool, as_pythons
from agir.ir.tensors import dispatch
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives.optional import absence

_NUMBERS = (Tensor, bool, int, float, complex, np.ndarray, np.generic)


def equal(trace: Trace, left: Any, right: Any) -> Any:
    """``left == right``, of nested tuples and lists too: a bool, or a bool scalar."""
    if left is right:
        return True
    if any(isinstance(each, Staged) and each.is_staged for each in (left, right)):
        return _truth(trace, compare("eq", left, right))
    nested = [isinstance(each, (list, tuple)) for each in (left, right)]
    if all(nested):
        return _of_sequences(trace, left, right)
    if any(nested):
        return False
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Tensor) and not isinstance(other, _NUMBERS):
            return absence(trace, one) if other is None else False
    return _truth(trace, compare("eq", left, right))


def _of_sequences(trace: Trace, left: Any, right: Any) -> Any:
    if isinstance(left, list) != isinstance(right, list) or len(left) != len(right):
        return False
    items = (equal(trace, a, b) for a, b in zip(left, right, strict=True))
    return as_pythons(trace, conjunction(items))


def conjunction(parts: Iterable[Any]) -> Any:
    """Whether all of some bools and bool scalars hold."""
    return _combined(parts, "logical_and", True)


def disjunction(parts: Iterable[Any]) -> Any:
    """Whether any of some bools and bool scalars holds."""
    return _combined(parts, "logical_or", False)


def _combined(parts: Iterable[Any], operation: str, neutral: bool) -> Any:
    """The parts that are not known, combined; a known part decides, or does not count."""
    unknown = []
    for part in parts:
        if part is (not neutral):
            return part
        if part is not neutral:
            unknown.append(part)
    return functools.reduce(functools.partial(dispatch.call, operation), unknown or [neutral])


def _truth(trace: Trace, result: Any) -> Any:
    """The truth of a comparison, which is an error where it has several elements."""
    if isinstance(result, SymbolicTensor) and result.dims:
        return as_bool(trace, result)
    return result if isinstance(result, (SymbolicTensor, Staged)) else bool(result)
