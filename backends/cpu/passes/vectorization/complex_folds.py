"""Complex arithmetic out of reach of MLIR's folders, which do not keep what NumPy computes.

They take ``z * 1`` and ``z + 0`` for ``z``, which changes infinities and signs of zeros, and
``(z + w) - w`` and ``log(exp(z))`` for ``z``, which changes numbers.  Arithmetic on the parts is folded
by rules that keep every bit.  The formulas are those of lanes (``complex_parts``).
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.vectorization.building import one, parts
from agir.backends.cpu.passes.vectorization.complex_parts import TABLE
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

ARITHMETIC = ("complex.add", "complex.sub", "complex.mul")
LOGARITHM, EXPONENTIAL = "complex.log", "complex.exp"


def split_complex_arithmetic(module: Any) -> None:
    """Replace sums, differences and products by arithmetic on the parts."""
    for operation in find(module, *ARITHMETIC):
        if not _is_combiner(operation):
            _replace(operation, _by_parts)


def canonicalize_complex_logarithms(module: Any) -> None:
    """Put conjugates around logarithms, which they commute with, and between them and exponentials."""
    graph = Producers(module)
    if graph.find(EXPONENTIAL):
        for operation in graph.find(LOGARITHM):
            _replace(operation, _conjugated)


def _is_combiner(operation: Any) -> bool:
    """Whether it adds up or multiplies the terms of a reduction, which later passes look for."""
    around = operation.parent
    if around.name == "linalg.generic":
        return "reduction" in str(around.attributes["iterator_types"])
    return bool(around.name.startswith("linalg.") and around.name != "linalg.map")


def _replace(operation: Any, make: Any) -> None:
    with bindings.ir.InsertionPoint(operation), operation.location:
        made = make(operation)
    operation.results[0].replace_all_uses_with(made)
    operation.erase()


def _by_parts(operation: Any) -> Any:
    found = TABLE[operation.name](*map(parts, operation.operands))
    return one("complex.create", *found, kind=operation.results[0].type)


def _conjugated(operation: Any) -> Any:
    return one("complex.conj", one(LOGARITHM, one("complex.conj", operation.operands[0])))
