"""Subscripts as linear forms: sums of SSA values with integer coefficients."""

from __future__ import annotations

import re
from typing import Any

from agir.ir.building import bindings
from agir.records import dataclass

_TERM = re.compile(r"(?:(-?\d+) \* )?([ds])(\d+)(?: \* (-?\d+))?")


@dataclass(frozen=True)
class Linear:
    """A constant, and values with their coefficients, none of which is zero."""

    constant: int
    terms: frozenset[tuple[Any, int]] = frozenset()

    @classmethod
    def of(cls, constant: int, terms: dict[Any, int]) -> Linear:
        """The form with these coefficients."""
        return cls(constant, frozenset((v, c) for v, c in terms.items() if c))

    def __add__(self, other: Linear) -> Linear:
        terms = dict(self.terms)
        for value, coefficient in other.terms:
            terms[value] = terms.get(value, 0) + coefficient
        return Linear.of(self.constant + other.constant, terms)

    def __mul__(self, factor: int) -> Linear:
        return Linear.of(self.constant * factor, {v: c * factor for v, c in self.terms})

    def coefficient(self, value: Any) -> int:
        """How often the value is in it."""
        return next((c for v, c in self.terms if v == value), 0)

    def without(self, value: Any) -> Linear:
        """The form without the value."""
        return Linear(self.constant, frozenset(t for t in self.terms if t[0] != value))


ZERO = Linear(0)


_Known = dict[Any, Linear]
"""The forms of what several parts of a value are made of: each is found out once."""


def linear(value: Any, known: _Known | None = None) -> Linear:
    """An integer SSA value as a linear form of others, of itself where nothing is known of it."""
    known = {} if known is None else known
    if value not in known:
        known[value] = _linear(value, known)
    return known[value]


def _linear(value: Any, known: _Known) -> Linear:
    owner = value.owner
    if isinstance(owner, bindings.ir.Block):
        return Linear.of(0, {value: 1})
    operation = owner.operation
    read = _READERS.get(operation.name)
    # narrower ones may have wrapped around
    wide = str(value.type) in ("index", "i64")
    found = None if read is None or not wide else read(operation, known)
    return Linear.of(0, {value: 1}) if found is None else found


def _constant(operation: Any, _: _Known) -> Linear | None:
    attribute = operation.attributes["value"]
    return Linear(attribute.value) if isinstance(attribute, bindings.ir.IntegerAttr) else None


def _add(operation: Any, known: _Known) -> Linear:
    left, right = operation.operands
    return linear(left, known) + linear(right, known)


def _subtract(operation: Any, known: _Known) -> Linear:
    left, right = operation.operands
    return linear(left, known) + linear(right, known) * -1


def _multiply(operation: Any, known: _Known) -> Linear | None:
    left, right = (linear(each, known) for each in operation.operands)
    if not left.terms:
        return right * left.constant
    return left * right.constant if not right.terms else None


def _same(operation: Any, known: _Known) -> Linear | None:
    source = operation.operands[0]
    return linear(source, known) if str(source.type) in ("index", "i64") else None


def _apply(operation: Any, known: _Known) -> Linear | None:
    """An affine map, where it is one sum of products."""
    affine = operation.attributes["map"].value
    text = str(affine.results[0])
    operands = list(operation.operands)
    total = ZERO
    for part in text.replace(" - ", " + -1 * ").split(" + "):
        term = _TERM.fullmatch(part)
        if part.lstrip("-").isdigit():
            total += Linear(int(part))
        elif term is None:
            return None
        else:
            index = int(term[3]) + (affine.n_dims if term[2] == "s" else 0)
            total += linear(operands[index], known) * (int(term[1] or 1) * int(term[4] or 1))
    return total


_READERS = {
    "arith.constant": _constant,
    "arith.addi": _add,
    "arith.subi": _subtract,
    "arith.muli": _multiply,
    "arith.index_cast": _same,
    "affine.apply": _apply,
}
