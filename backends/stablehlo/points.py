"""The points over which a structured operation goes, and what its operands are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.stablehlo.building import (
    broadcast,
    constant,
    each,
    gather,
    i64,
    refuse,
    shape_of,
    transpose,
)
from agir.backends.stablehlo.translator import Translator
from agir.ir.building import bindings

__all__ = ["block_of", "dimensions", "in_and_out", "take"]


def in_and_out(operation: Any) -> tuple[list[Any], list[Any]]:
    """The inputs and the outputs, as values of `hlo`."""
    count = len(operation.results)
    given = [*operation.operands]
    return given[:-count], given[-count:]


def block_of(operation: Any) -> Any:
    """The body."""
    return operation.regions[0].blocks[0]


def take(translator: Translator, operation: Any, arguments: Sequence[Any]) -> None:
    """What the first arguments of the body are at every point."""
    maps = operation.attributes["indexing_maps"]
    for argument, value, each_map in zip(arguments, operation.operands, maps, strict=False):
        translator[argument] = _at(translator, operation, translator[value], each_map.value)


def dimensions(each_map: Any) -> list[int]:
    """The dimensions that a map names; -1 for anything else."""
    kind = bindings.ir.AffineDimExpr
    return [each.position if isinstance(each, kind) else -1 for each in each_map.results]


def _at(translator: Translator, operation: Any, value: Any, each_map: Any) -> Any:
    """The element of a tensor that a map names, at every point."""
    if not shape_of(value):
        return value
    domain = translator.domain or ()
    named = dimensions(each_map)
    plain = -1 not in named and len({*named}) == len(named)
    if plain and len(domain) == each_map.n_dims:
        order = sorted(range(len(named)), key=named.__getitem__)
        return broadcast(transpose(value, order), domain, sorted(named))
    indices = [_affine(translator, operation, each) for each in each_map.results]
    return gather(value, translator.lifted(indices), domain)


def _affine(translator: Translator, operation: Any, expression: Any) -> Any:
    ir = bindings.ir
    if isinstance(expression, ir.AffineDimExpr):
        [index] = translator.lifted([translator.index(expression.position)])
        return index
    if isinstance(expression, ir.AffineConstantExpr):
        return constant(expression.value, i64(), translator.domain or ())
    for kind, name in ((ir.AffineAddExpr, "add"), (ir.AffineMulExpr, "multiply")):
        if isinstance(expression, kind):
            sides = expression.lhs, expression.rhs
            return each(name, *(_affine(translator, operation, side) for side in sides))
    return refuse(operation, f"the subscript {expression}")
