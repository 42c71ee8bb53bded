"""Which of two numbers is the greater one, as the bounds of loops around them tell."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.dependence.arrays import Place
from agir.backends.cpu.dependence.constants import number_of
from agir.backends.cpu.dependence.linear import Linear, linear
from agir.ir.building import bindings

_MOST_STEPS = 8


def are_apart(one: Place, other: Place) -> bool:
    """Whether two places in an array are never the same element."""
    if one is None or other is None or len(one) != len(other):
        return False
    differences = [a + b * -1 for a, b in zip(one, other, strict=True)]
    return any(map(_is_positive, (*differences, *(form * -1 for form in differences))))


def are_same(one: Place, other: Place) -> bool:
    """Whether two places in an array are always the same element."""
    return one is not None and one == other


def _is_positive(form: Linear) -> bool:
    """Whether a form is greater than zero in each iteration of the loops that it is in."""
    for _ in range(_MOST_STEPS):
        if not form.terms:
            break
        for value, factor in sorted(form.terms, key=lambda term: -_depth(term[0])):
            bound = _bound(value, least=factor > 0)
            if bound is not None:
                form = form.without(value) + bound * factor
                break
        else:
            return False
    return not form.terms and form.constant > 0


def _depth(value: Any) -> int:
    """In how many operations a value is."""
    owner = value.owner
    operation = owner.owner if isinstance(owner, bindings.ir.Block) else owner
    depth = 0
    while operation is not None:
        operation, depth = operation.parent, depth + 1
    return depth


def _bound(value: Any, *, least: bool) -> Linear | None:
    """The least or the greatest number that a counter can be; None where it is no counter."""
    owner = value.owner
    if not isinstance(owner, bindings.ir.Block) or owner.owner.operation.name != "scf.for":
        return None
    low, high, step = list(owner.owner.operation.operands)[:3]
    if owner.arguments[0] != value or (number_of(step) or 0) <= 0:
        return None
    return linear(low) if least else linear(_end(low, high)) + Linear(-1)


def _end(low: Any, high: Any) -> Any:
    """What a counter is less than: a maximum with no more than it begins with is not the reason."""
    first = number_of(low)
    source = getattr(high.owner, "operation", high.owner)
    if first is not None and getattr(source, "name", "") == "arith.maxsi":
        for value, other in (source.operands, list(source.operands)[::-1]):
            limit = number_of(other)
            if limit is not None and limit <= first:
                return value
    return high
