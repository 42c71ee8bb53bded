"""How long a loop may take, roughly: enough to know whether threads are worth their start."""

from __future__ import annotations

from math import prod
from typing import Any

from agir.backends.cpu.dependence.constants import most_turns, turns
from agir.records import dataclass

_OPERATION = 0.03
"""Nanoseconds for an operation on an element in a vectorised loop, with vectors of 512 bits."""
_COSTS = {
    "arith.divf": 0.4,
    "math.sqrt": 0.5,
    "math.fma": 0.03,
    "memref.load": 0.03,
    "memref.store": 0.06,
    "vector.fma": 0.25,
    "vector.load": 0.25,
    "vector.store": 0.5,
    "vector.transfer_read": 0.25,
    "vector.transfer_write": 0.5,
}
_FUNCTION = 0.5
_ONE_BY_ONE = 8
"""How much longer operations take that are not vectorised."""
_FREE = {"arith.constant", "arith.index_cast", "memref.subview", "scf.yield", "affine.apply"}
_SOME = 16
"""Turns of a loop of which nothing is known."""


@dataclass(frozen=True)
class Work:
    """Nanoseconds: ``fixed`` ones, and those of inner loops for each turn of them."""

    fixed: float
    inner: tuple[tuple[Any, Work], ...] = ()
    """Loops whose turns the run time knows, and the work of each turn."""

    def __add__(self, other: Work) -> Work:
        return Work(self.fixed + other.fixed, self.inner + other.inner)

    def __mul__(self, factor: float) -> Work:
        return Work(self.fixed * factor, tuple((loop, w * factor) for loop, w in self.inner))

    def least(self) -> float:
        """The work where the loops of unknown length have a few turns each."""
        return self.fixed + sum(_SOME * work.least() for _, work in self.inner)


def of_turn(loop: Any) -> Work:
    """The work of a turn of a loop."""
    total = Work(0.0)
    for view in loop.regions[0].blocks[0].operations:
        total += _of(view.operation)
    return total


def _of(operation: Any) -> Work:
    name = operation.name
    if name in _FREE:
        return Work(0.0)
    if name == "scf.for":
        known = turns(operation) or most_turns(operation)
        turn = of_turn(operation) * (_ONE_BY_ONE if len(operation.results) else 1)
        return Work(0.0, ((operation, turn),)) if known is None else turn * known
    inner = Work(0.0)
    for region in operation.regions:
        for block in region.blocks:
            for view in block.operations:
                inner += _of(view.operation)
    if name == "scf.while":
        return inner * (_ONE_BY_ONE * _SOME)
    if name == "memref.copy":
        return Work(_copied(operation.operands[0].type))
    cost = _COSTS.get(name, _FUNCTION if name.startswith("math.") else _OPERATION)
    return inner + Work(cost)


def _copied(kind: Any) -> float:
    extents = (_SOME if kind.is_dynamic_dim(i) else kind.get_dim_size(i) for i in range(kind.rank))
    return 0.1 * prod(extents)
