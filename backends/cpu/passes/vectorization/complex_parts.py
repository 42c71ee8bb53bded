"""Arithmetic on complex numbers as arithmetic on their parts.

The formulas are those of upstream's lowering of the ``complex`` dialect, so that the bits are the
same as those of a single number.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.vectorization.building import one, vector_type
from agir.backends.mlir.making import REALS, i1, number_attribute, op


def _product(a: Any, b: Any) -> Any:
    (x, y), (u, v) = a, b
    real = one("arith.subf", one("arith.mulf", x, u), one("arith.mulf", y, v))
    return real, one("arith.addf", one("arith.mulf", y, u), one("arith.mulf", x, v))


def _by_part(name: str) -> Any:
    return lambda a, b: tuple(one(name, x, y) for x, y in zip(a, b, strict=True))


def _compared(predicate: str, join: str) -> Any:
    def compare(a: Any, b: Any) -> Any:
        how = number_attribute(REALS[predicate])
        found = [
            op("arith.cmpf", vector_type(i1()), *pair, predicate=how)
            for pair in zip(a, b, strict=True)
        ]
        return (one(join, *found),)

    return compare


TABLE: dict[str, Any] = {
    "complex.create": lambda a, b: (*a, *b),
    "complex.re": lambda z: (z[0],),
    "complex.im": lambda z: (z[1],),
    "complex.add": _by_part("arith.addf"),
    "complex.sub": _by_part("arith.subf"),
    "complex.mul": _product,
    "complex.neg": lambda z: tuple(one("arith.negf", part) for part in z),
    "complex.conj": lambda z: (z[0], one("arith.negf", z[1])),
    "complex.eq": _compared("oeq", "arith.andi"),
    "complex.neq": _compared("une", "arith.ori"),
}
"""By the name of an operation, its result's parts from those of its operands."""
