"""Floor division as what the processor does for less.

By powers of two it is a shift.  LLVM does it for C's division, but does not see through the correction
that rounds downwards.  ``x - (x // 2**k) * 2**k``, which is how a remainder is recorded, then becomes a
mask by itself.  And a remainder is zero where C's is, which needs no correction.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import find
from agir.ir import bindings

__all__ = ["shift_instead_of_dividing"]

_DIVISION = "arith.floordivsi"
_EQUALITY = (0, 1)
"""The predicates of ``arith.cmpi``: equal or not."""


def shift_instead_of_dividing(module: Any) -> None:
    """Replace ``arith.floordivsi`` by a constant, where there is something quicker."""
    if not find(module, _DIVISION):
        return
    graph = Graph(module)
    for operation in graph.find(_DIVISION):
        divisor = _constant(graph.producer(operation.operands[1], "arith.constant"))
        if divisor is None or divisor < 1:
            continue
        for test in _tests_of_remainder(operation, divisor, graph):
            _test_of_c(test, operation)
        if divisor & (divisor - 1) == 0:
            _replace(operation, divisor.bit_length() - 1)


def _constant(source: Any | None) -> int | None:
    """The value of a scalar integer constant."""
    ir = bindings.ir
    if source is None:
        return None
    attribute = source.attributes["value"]
    return attribute.value if isinstance(attribute, ir.IntegerAttr) else None


def _tests_of_remainder(division: Any, divisor: int, graph: Graph) -> list[Any]:
    """The comparisons with zero, if that is all that the remainder is for."""
    product = _only_user(division, "arith.muli", graph)
    factors = (
        [graph.producer(each, "arith.constant") for each in product.operands] if product else []
    )
    if divisor not in map(_constant, factors):
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
        and test.attributes["predicate"].value in _EQUALITY
        and _constant(graph.producer(test.operands[1], "arith.constant")) == 0
    )


def _test_of_c(test: Any, division: Any) -> None:
    """Have a comparison take C's remainder; the other one is left without a use."""
    ir = bindings.ir
    with ir.InsertionPoint(test), test.location:
        kind = division.results[0].type
        remainder = ir.Operation.create("arith.remsi", [kind], list(division.operands))
    test.operands[0] = remainder.results[0]


def _replace(operation: Any, places: int) -> None:
    ir = bindings.ir
    kind = operation.results[0].type
    with ir.InsertionPoint(operation), operation.location:
        amount = ir.Operation.create(
            "arith.constant",
            results=[kind],
            attributes={"value": ir.IntegerAttr.get(kind, places)},
        )
        shift = ir.Operation.create(
            "arith.shrsi", results=[kind], operands=[operation.operands[0], amount.results[0]]
        )
    operation.results[0].replace_all_uses_with(shift.results[0])
    operation.erase()
