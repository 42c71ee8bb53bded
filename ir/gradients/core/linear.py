"""Sweeps of one iteration as what they are: linear in the cotangents that they receive.

A loop backwards waits in each iteration for the cotangents of the iteration after.  Where a
number's is made of one or two of those by a chain of operations, the factors are computed first,
which wait for nothing: what is left of the chain is a product, or two and their sum.

Factors that are no ordinary numbers when they are multiplied, as ones that overflow, say nothing of
the chain: it may begin with a zero.  Then the iteration goes the long way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.ir.gradients.core import graph
from agir.ir.gradients.core.expressions import Expression, dtype_of, shaped
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

_TERMS = 2
"""Of how many received cotangents a sum may be made."""


@dataclass(frozen=True)
class _Factor:
    """By what a received cotangent is multiplied."""

    number: Expression
    products: tuple[Expression, ...] = ()
    """The products that it is made of, itself included."""
    is_computed: bool = False


Factors = dict[Any, _Factor | None]
"""The factor of each received cotangent, None for one."""


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
        self._operations = operations
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
        computed = [each for each in factors.values() if each is not None and each.is_computed]
        if not computed:
            return self._sum_of(factors)
        (found,) = loops.either(
            self._trace,
            self._are_ordinary(computed),
            lambda: [self._sum_of(factors)],
            lambda: [self._long(value)],
            likely=True,
        )
        return found

    def _sum_of(self, factors: Factors) -> Any:
        total: Expression | None = None
        for source, factor in factors.items():
            term = Expression(self._trace, source)
            term = term if factor is None else term * factor.number
            total = term if total is None else total + term
        assert total is not None, "a value that waits for cotangents is made of some"
        return total.ssa

    def _are_ordinary(self, factors: Sequence[_Factor]) -> Any:
        """Whether nothing has become too large for a number, or lost digits as too small."""
        checks: dict[tuple[Any, str], Expression] = {}
        for factor in factors:
            limits = np.finfo(factor.number.dtype.numpy)
            for each in factor.products:
                key = (each.ssa, "small")
                checks[key] = checks.get(key) or each.function("math.absf") >= float(limits.tiny)
            size = factor.number.function("math.absf")
            checks[factor.number.ssa, "large"] = size <= float(limits.max)
        first, *others = checks.values()
        for each in others:
            first = first.both(each)
        return first.ssa

    def _long(self, value: Any) -> Any:
        """The value by the operations of the sweep."""
        mapping: dict[Any, Any] = {}
        chain = self._chain_of(value)
        for operation in self._operations:
            if any(result in chain for result in operation.results):
                graph.copy(self._trace, operation, mapping)
        return mapping[value]

    def _chain_of(self, value: Any) -> set[Any]:
        """The values that wait for received cotangents, of those that a value is made of."""
        found: set[Any] = set()
        waiting = [value]
        while waiting:
            each = waiting.pop()
            operation = graph.defining(each)
            if each in found or not self._length.get(each) or operation is None:
                continue
            found.add(each)
            waiting += operation.operands
        return found

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

    def _one(self, like: Any) -> _Factor:
        return _Factor(Expression(self._trace, like).like(1))

    def _scaled(self, factors: Factors, by: Any, sign: str) -> Factors:
        number = Expression(self._trace, by)
        out: Factors = {}
        for source, factor in factors.items():
            if factor is None and sign == "*":
                out[source] = _Factor(number)
            else:
                before = factor or self._one(by)
                made = before.number.combined(sign, before.number, number)
                out[source] = _Factor(made, (*before.products, made), is_computed=True)
        return out

    def _sum(self, left: Factors, right: Factors) -> Factors:
        out = dict(left)
        for source, factor in right.items():
            if source not in left:
                out[source] = factor
                continue
            one, other = (each or self._one(source) for each in (left[source], factor))
            products = (*one.products, *other.products)
            out[source] = _Factor(one.number + other.number, products, is_computed=True)
        return out

    def _negated(self, factors: Factors) -> Factors:
        found = {source: factor or self._one(source) for source, factor in factors.items()}
        return {
            source: _Factor(-one.number, one.products, one.is_computed)
            for source, one in found.items()
        }


def _is_number(value: Any) -> bool:
    """Whether a value is one real number, of a dtype that is computed in."""
    dtype = dtype_of(value.type)
    real = dtype is not None and dtype.is_floating and not dtype.is_storage_only
    return shaped(value.type) is None and real
