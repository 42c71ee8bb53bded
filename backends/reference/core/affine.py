"""Affine maps as trees of Python functions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from agir.errors import UnsupportedOperation
from agir.ir.building import bindings
from agir.records import dataclass

Evaluate = Callable[[Sequence[Any]], Any]


@dataclass(frozen=True)
class Expression:
    """One result of a map: a plain dimension, a constant, or something to evaluate."""

    evaluate: Evaluate
    dimension: int | None = None
    constant: int | None = None


@dataclass(frozen=True)
class Map:
    """An affine map; symbols come after the dimensions."""

    rank: int
    results: tuple[Expression, ...]

    @staticmethod
    def decode(map_: Any) -> Map:
        """Read one ``AffineMap`` of the bindings."""
        return Map(map_.n_dims, tuple(_expression(result, map_.n_dims) for result in map_.results))

    @staticmethod
    def of_dimensions(rank: int, dimensions: Sequence[int]) -> Map:
        """The map that selects these dimensions, in this order."""
        return Map(rank, tuple(_dimension(position) for position in dimensions))

    @property
    def dimensions(self) -> tuple[int | None, ...]:
        """For each result the dimension that it is, or ``None``."""
        return tuple(result.dimension for result in self.results)

    def is_selection(self) -> bool:
        """Whether every result is a constant or a dimension that no other result uses."""
        used = [result.dimension for result in self.results if result.dimension is not None]
        plain = all(r.dimension is not None or r.constant is not None for r in self.results)
        return plain and len(set(used)) == len(used)


def _dimension(position: int) -> Expression:
    return Expression(operator.itemgetter(position), dimension=position)


def _expression(expression: Any, rank: int) -> Expression:
    ir = bindings.ir
    if isinstance(expression, ir.AffineDimExpr):
        return _dimension(expression.position)
    if isinstance(expression, ir.AffineSymbolExpr):
        return Expression(operator.itemgetter(rank + expression.position))
    if isinstance(expression, ir.AffineConstantExpr):
        value = expression.value
        return Expression(lambda indices: value, constant=value)
    if isinstance(expression, ir.AffineBinaryExpr):
        return _binary(expression, rank)
    raise UnsupportedOperation(f"affine expression {expression} is not supported")


def _binary(expression: Any, rank: int) -> Expression:
    ir = bindings.ir
    functions: dict[Any, Callable[[Any, Any], Any]] = {
        ir.AffineAddExpr: operator.add,
        ir.AffineMulExpr: operator.mul,
        ir.AffineModExpr: operator.mod,
        ir.AffineFloorDivExpr: operator.floordiv,
        ir.AffineCeilDivExpr: lambda a, b: -(-a // b),
    }
    function = functions[type(expression)]
    left, right = (_expression(e, rank).evaluate for e in (expression.lhs, expression.rhs))
    return Expression(lambda indices: function(left(indices), right(indices)))
