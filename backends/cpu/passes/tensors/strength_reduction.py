"""Floor division as what the processor does for less.

By powers of two it is a shift.  LLVM does it for C's division, but does not see through the correction
that rounds downwards.  ``x - (x // 2**k) * 2**k``, which is how a remainder is recorded, then becomes a
mask by itself.  And a remainder is zero where C's is, which needs no correction.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import constant, op, predicate
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

_DIVISION = "arith.floordivsi"


def reduce_division_strength(module: Any) -> None:
    """Replace ``arith.floordivsi`` by a constant, where there is something quicker."""
    if not find(module, _DIVISION):
        return
    graph = Graph(module)
    for operation in graph.find(_DIVISION):
        divisor = graph.number(operation.operands[1])
        if divisor is None or divisor < 1:
            continue
        for test in _tests_of_remainder(operation, divisor, graph):
            _test_of_c(test, operation)
        if divisor & (divisor - 1) == 0:
            _replace(operation, divisor.bit_length() - 1)


def _tests_of_remainder(division: Any, divisor: int, graph: Graph) -> list[Any]:
    """The comparisons with zero, if that is all that the remainder is for."""
    product = _only_user(division, "arith.muli", graph)
    if product is None or divisor not in map(graph.number, product.operands):
        return []
    remainder = _only_user(product, "arith.subi", graph)
    if remainder is None or remainder.operands[0] != division.operands[0]:
        return []
    tests = [use.user for use in graph.uses(remainder.results[0])]
    return tests if all(_is_with_zero(test, graph) for test in tests) else []


def _only_user(operation: Any, name: str, graph: Graph) -> Any | None:
    uses = graph.uses(operation.results[0])
    return uses[0].user if len(uses) == 1 and uses[0].user.name == name else None


def _is_with_zero(test: Any, graph: Graph) -> bool:
    return (
        test.name == "arith.cmpi"
        and predicate(test) in ("eq", "ne")
        and graph.number(test.operands[1]) == 0
    )


def _test_of_c(test: Any, division: Any) -> None:
    """Have a comparison take C's remainder; the other one is left without a use."""
    ir = bindings.ir
    with ir.InsertionPoint(test), test.location:
        kind = division.results[0].type
        test.operands[0] = op("arith.remsi", kind, *division.operands)


def _replace(operation: Any, places: int) -> None:
    ir = bindings.ir
    kind = operation.results[0].type
    with ir.InsertionPoint(operation), operation.location:
        shift = op("arith.shrsi", kind, operation.operands[0], constant(kind, places))
    operation.results[0].replace_all_uses_with(shift)
    operation.erase()
