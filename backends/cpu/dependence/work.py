"""How long a loop may take, roughly: enough to know whether threads are worth their start."""

from __future__ import annotations

from math import prod
from typing import Any

from agir.backends.cpu.dependence.constants import iterations, most_iterations
from agir.records import dataclass

_OPERATION = 0.03
"""Nanoseconds for an operation on 32 bits in a vectorised loop, with vectors of 512 bits."""
_BITS, _WIDE = 64, 2
"""Bits of wider elements, and how much longer it takes on those."""
_VECTOR = {
    "vector.fma": 0.25,
    "vector.load": 0.25,
    "vector.store": 0.5,
    "vector.transfer_read": 0.25,
    "vector.transfer_write": 0.5,
}
"""Nanoseconds for a vector, whatever its elements."""
_COSTS = {
    "arith.divf": 0.07,
    "arith.remf": 4,
    "math.absf": 0.03,
    "math.acos": 0.3,
    "math.acosh": 0.8,
    "math.asin": 0.3,
    "math.asinh": 0.8,
    "math.atan": 0.35,
    "math.atan2": 0.45,
    "math.atanh": 0.7,
    "math.cbrt": 0.5,
    "math.ceil": 0.03,
    "math.copysign": 0.03,
    "math.cos": 0.5,
    "math.cosh": 0.35,
    "math.erf": 0.5,
    "math.exp": 0.25,
    "math.exp2": 0.25,
    "math.expm1": 0.45,
    "math.floor": 0.03,
    "math.fma": 0.03,
    "math.log": 0.4,
    "math.log10": 0.6,
    "math.log1p": 0.6,
    "math.log2": 0.6,
    "math.powf": 1.5,
    "math.round": 0.1,
    "math.roundeven": 0.03,
    "math.rsqrt": 0.2,
    "math.sin": 0.5,
    "math.sinh": 0.4,
    "math.sqrt": 0.15,
    "math.tan": 0.7,
    "math.tanh": 0.65,
    "math.trunc": 0.03,
    "memref.store": 0.06,
}
_FUNCTION = 0.5
"""For any other function."""
_ONE_BY_ONE = 8
"""How much longer operations take that are not vectorised."""
_FREE = {"arith.constant", "arith.index_cast", "memref.subview", "scf.yield", "affine.apply"}
_SOME = 16
"""Iterations of a loop of which nothing is known."""


@dataclass(frozen=True)
class Work:
    """Nanoseconds: ``fixed`` ones, and those of inner loops for each iteration of them."""

    fixed: float
    inner: tuple[tuple[Any, Work], ...] = ()
    """Loops whose iterations the run time knows, and the work of each iteration."""

    def __add__(self, other: Work) -> Work:
        return Work(self.fixed + other.fixed, self.inner + other.inner)

    def __mul__(self, factor: float) -> Work:
        return Work(self.fixed * factor, tuple((loop, w * factor) for loop, w in self.inner))

    def least(self) -> float:
        """The work where the loops of unknown length have a few iterations each."""
        return self.fixed + sum(_SOME * work.least() for _, work in self.inner)


def of_iteration(loop: Any) -> Work:
    """The work of an iteration of a loop."""
    total = Work(0.0)
    for view in loop.regions[0].blocks[0].operations:
        total += _of(view.operation)
    return total


def _of(operation: Any) -> Work:
    name = operation.name
    if name in _FREE:
        return Work(0.0)
    if name == "scf.for":
        known = iterations(operation) or most_iterations(operation)
        iteration = of_iteration(operation) * (_ONE_BY_ONE if len(operation.results) else 1)
        return Work(0.0, ((operation, iteration),)) if known is None else iteration * known
    inner = Work(0.0)
    for region in operation.regions:
        for block in region.blocks:
            for view in block.operations:
                inner += _of(view.operation)
    if name == "scf.while":
        return inner * (_ONE_BY_ONE * _SOME)
    if name == "memref.copy":
        return Work(_copied(operation.operands[0].type))
    if name in _VECTOR:
        return inner + Work(_VECTOR[name])
    cost = _COSTS.get(name, _FUNCTION if name.startswith("math.") else _OPERATION)
    return inner + Work(cost * (_WIDE if _is_wide(operation) else 1))


def _is_wide(operation: Any) -> bool:
    """Whether it computes with elements of 64 bits; counters and places are none."""
    value = next(iter((*operation.results, *operation.operands)), None)
    kind = getattr(value, "type", None)
    return getattr(getattr(kind, "element_type", kind), "width", 0) == _BITS


def _copied(kind: Any) -> float:
    sizes = (_SOME if kind.is_dynamic_dim(i) else kind.get_dim_size(i) for i in range(kind.rank))
    return 0.1 * prod(sizes)
