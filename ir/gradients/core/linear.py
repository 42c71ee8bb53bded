"""Sweeps of one turn as what they are: linear in the cotangents that they receive.

A loop backwards waits in each turn for the cotangents of the turn after.  Where a number's is made
of one or two of those by a chain of operations, the factors are computed first, which wait for
nothing: what is left of the chain is a product, or two and their sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.gradients.core import graph
from agir.ir.gradients.core.expressions import Expression, dtype_of, shaped
from agir.ir.trace import Trace

_TERMS = 2
"""Of how many received cotangents a sum may be made."""
Factors = dict[Any, Expression | None]
"""By what each received cotangent is multiplied, None for one."""


def shortened(
    trace: Trace, operations: Sequence[Any], received: Sequence[Any], found: Sequence[Any]
) -> list[Any]:
    """The values that a sweep of these operations has found, with short ways from the received."""
    chains = _Chains(trace, operations, received)
    return [chains.short(value) for value in found]


class _Chains:
    """How the values of a sweep follow from the received cotangents."""

    def __init__(self, trace: Trace, operations: Sequence[Any], received: Sequence[Any]) -> None:
        self._trace = trace
        numbers = [value for value in received if _is_number(value)]
        self._factors: dict[Any, Factors | None] = {value: {value: None} for value in numbers}
        self._length = dict.fromkeys(received, 0)
        for operation in operations:
            before = [self._length[v] for v in graph.used_by(operation) if v in self._length]
            if before:
                self._length.update(dict.fromkeys(operation.results, 1 + max(before)))

    def short(self, value: Any) -> Any:
        """The value, by as few operations after the received cotangents as there can be."""
        if self._length.get(value, 0) < 2 or not _is_number(value):
            return value
        factors = self._of(value)
        if factors is None or len(factors) > min(_TERMS, self._length[value] - 1):
            return value
        total: Expression | None = None
        for source, factor in factors.items():
            term = Expression(self._trace, source)
            term = term if factor is None else term * factor
            total = term if total is None else total + term
        return value if total is None else total.ssa

    def _of(self, value: Any) -> Factors | None:
        if value not in self._factors:
            self._factors[value] = None if value not in self._length else self._computed(value)
        return self._factors[value]

    def _computed(self, value: Any) -> Factors | None:
        operation = graph.defining(value)
        if operation is None:
            return None
        name, operands = operation.name, list(operation.operands)
        waiting = [each for each in operands if each in self._length]
        if name in ("arith.addf", "arith.subf") and len(waiting) == 2:
            left, right = map(self._of, operands)
            if left is None or right is None:
                return None
            return self._sum(left, right if name == "arith.addf" else self._negated(right))
        source = self._of(waiting[0]) if len(waiting) == 1 else None
        if source is None:
            return None
        if name == "arith.negf":
            return self._negated(source)
        if name == "arith.mulf":
            return self._scaled(source, operands[1 - operands.index(waiting[0])], "*")
        if name == "arith.divf" and waiting == operands[:1]:
            return self._scaled(source, operands[1], "/")
        return None

    def _one(self, like: Any) -> Expression:
        return Expression(self._trace, like).like(1)

    def _scaled(self, factors: Factors, by: Any, sign: str) -> Factors:
        number = Expression(self._trace, by)
        out: Factors = {}
        for source, factor in factors.items():
            if factor is None and sign == "*":
                out[source] = number
            else:
                before = self._one(by) if factor is None else factor
                out[source] = before.combined(sign, before, number)
        return out

    def _sum(self, left: Factors, right: Factors) -> Factors:
        out = dict(left)
        for source, factor in right.items():
            if source not in left:
                out[source] = factor
                continue
            terms = [self._one(source) if each is None else each for each in (left[source], factor)]
            out[source] = terms[0] + terms[1]
        return out

    def _negated(self, factors: Factors) -> Factors:
        return {
            source: -(self._one(source) if factor is None else factor)
            for source, factor in factors.items()
        }


def _is_number(value: Any) -> bool:
    """Whether a value is one real number, of a dtype that is computed in."""
    dtype = dtype_of(value.type)
    real = dtype is not None and dtype.is_floating and not dtype.is_storage_only
    return shaped(value.type) is None and real
