"""Bounds of slices are foreseen to be inside of the array, in loops.

What ``x[a:b]`` makes of a bound that is negative or beyond the end is behind a branch that is rarely
taken: in a loop over short slices it would take longer than the elements.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import compare, expected, predicate
from agir.backends.mlir.modules import is_in_loop
from agir.ir.building import bindings

_LEAST, _GREATEST = "arith.minsi", "arith.maxsi"


def assume_slice_bounds(module: Any) -> None:
    """Put a branch around what brings bounds of slices into an array, inside of loops."""
    graph = Producers(module)
    blocks = {view.block for view in graph.find("memref.subview") if is_in_loop(view)}
    inside: dict[Any, Any] = {}
    for clamp in graph.find(_GREATEST):
        if clamp.block not in blocks:
            continue
        parts = _clamped(clamp, graph)
        if parts is None:
            continue
        value, size = parts
        if value in inside and inside[value] == size:
            clamp.results[0].replace_all_uses_with(value)
            continue
        bound = _before_it_is_counted(value, size, graph)
        if bound is not None:
            inside[_branch(clamp, bound, size)] = size


def _clamped(clamp: Any, graph: Producers) -> tuple[Any, Any] | None:
    """What is brought between zero and a size, and the size."""
    least = graph.producer(clamp.operands[0], _LEAST)
    if least is None or str(clamp.results[0].type) != "index":
        return None
    value, size = least.operands
    return (value, size) if graph.number(clamp.operands[1]) == 0 else None


def _before_it_is_counted(value: Any, size: Any, graph: Producers) -> Any | None:
    """The bound of which a negative one is counted from the end."""
    select = graph.producer(value, "arith.select")
    if select is None:
        return None
    condition, counted, bound = select.operands
    negative = graph.producer(condition, "arith.cmpi")
    total = graph.producer(counted, "arith.addi")
    if negative is None or total is None or set(total.operands) != {bound, size}:
        return None
    is_less = predicate(negative) == "slt" and negative.operands[0] == bound
    return bound if is_less and graph.number(negative.operands[1]) == 0 else None


def _branch(clamp: Any, bound: Any, size: Any) -> Any:
    """The bound itself where it is inside, and else what the operations make of it."""
    ir = bindings.ir
    kind = clamp.results[0].type
    with ir.InsertionPoint(clamp), clamp.location:
        usual = expected(compare(bound, "ule", size), True)
        branch = ir.Operation.create("scf.if", results=[kind], operands=[usual], regions=2)
    clamp.results[0].replace_all_uses_with(branch.result)
    with ir.InsertionPoint(branch.regions[0].blocks.append()), clamp.location:
        ir.Operation.create("scf.yield", operands=[bound])
    with ir.InsertionPoint(branch.regions[1].blocks.append()) as here, clamp.location:
        least = clamp.operands[0].owner.clone(here)
        copy = clamp.clone(here)
        copy.operands[0] = least.results[0]
        ir.Operation.create("scf.yield", operands=copy.results)
    return branch.result
